"""Says how close to scikit-learn 1.9.1 each quantity must be, and compares."""

import inspect
import warnings

import numpy as np
from numpy.typing import ArrayLike

# Largest error, on the scale of the largest entry, for double and for single precision. Posteriors
# have the scale one. Each is some thirty times what an independent computation in double precision
# differs from scikit-learn by; in single precision scikit-learn itself is off by about that much,
# since it adds up in single precision.
RELATIVE_ERROR = {
    "priors": (1e-14, 2e-6),
    "class_count_": (1e-14, 2e-6),
    "means_": (1e-14, 1e-5),
    "theta_": (1e-14, 1e-5),
    "centroids_": (1e-14, 1e-5),
    "xbar_": (1e-14, 2e-5),
    "covariance_": (5e-14, 1e-5),
    "var_": (2e-14, 1e-5),
    "epsilon_": (2e-14, 1e-5),
    "within_class_std_dev_": (2e-14, 1e-5),
    "deviations_": (1e-13, 3e-5),
    "coef_": (1e-12, 3e-5),
    "intercept_": (2e-12, 5e-5),
    "scalings_": (2e-12, 3e-5),
    "rotations_": (2e-12, 3e-5),
    "explained_variance_ratio_": (1e-12, 3e-5),
    "transform": (2e-12, 5e-5),
    "decision": (1e-12, 5e-5),
    "posterior": (2e-12, 1e-4),
    "log posterior": (5e-12, 1e-4),
}


def agree(quantity: str, ours: ArrayLike, theirs: ArrayLike, dtype: type = np.float64) -> None:
    """Hold one of our arrays to theirs, with the tolerance of the quantity for rows of a dtype."""
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    assert ours.shape == theirs.shape, quantity
    assert np.isfinite(theirs).all(), f"scikit-learn's {quantity} is no reference"
    allowed = RELATIVE_ERROR[quantity][np.dtype(dtype) == np.float32]
    if quantity == "log posterior":
        # Theirs is the logarithm of a posterior that was rounded, or of one minus one.
        eps = 8 * np.finfo(dtype).eps
        bound = allowed * (1.0 + np.abs(theirs)) + eps * np.exp(np.minimum(-theirs, 700.0))
    elif quantity == "posterior":
        bound = np.full(theirs.shape, allowed)
    else:
        bound = np.full(theirs.shape, allowed * np.abs(theirs).max(initial=0.0))
    error = np.abs(ours - theirs)
    excess = error - bound
    assert (excess <= 0).all(), (
        f"{quantity}: error {error.flat[excess.argmax()]:.3g}, "
        f"allowed {bound.flat[excess.argmax()]:.3g}"
    )


def agree_up_to_sign(
    quantity: str, ours: ArrayLike, theirs: ArrayLike, dtype: type = np.float64
) -> None:
    """Hold columns to theirs, each of which may point the other way."""
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    assert ours.shape == theirs.shape, quantity
    turned = np.where((ours * theirs).sum(axis=0) < 0, -1.0, 1.0)
    agree(quantity, ours * turned, theirs, dtype)


def same_form(ours: object, theirs: object, names: list[str]) -> None:
    """Hold the fitted attributes to theirs: which there are, their types, shapes and dtypes."""
    for name in names:
        present = hasattr(theirs, name)
        assert hasattr(ours, name) == present, f"{name} must {'' if present else 'not '}exist"
        if present:
            same_kind(getattr(ours, name), getattr(theirs, name), name)


def same_kind(ours: object, theirs: object, name: str) -> None:
    """Hold one value to the type, shape and dtype of theirs."""
    if isinstance(theirs, list):
        assert isinstance(ours, list) and len(ours) == len(theirs), name
        for one, other in zip(ours, theirs, strict=True):
            same_kind(one, other, name)
    elif isinstance(theirs, np.ndarray | np.generic):
        assert isinstance(ours, np.ndarray | np.generic), name
        assert ours.dtype == theirs.dtype, f"{name}: {ours.dtype} instead of {theirs.dtype}"
        assert ours.shape == theirs.shape, f"{name}: {ours.shape} instead of {theirs.shape}"
    else:
        assert type(ours) is type(theirs), name
        assert ours == theirs, name


def same_answers(ours: object, theirs: object, queries: np.ndarray, methods: list[str]) -> None:
    """Hold the arrays that methods return to the shapes and dtypes of theirs."""
    for method in methods:
        assert hasattr(ours, method) == hasattr(theirs, method), method
        if hasattr(theirs, method):
            same_kind(getattr(ours, method)(queries), getattr(theirs, method)(queries), method)


def same_labels(ours: object, theirs: object, queries: np.ndarray) -> None:
    """Hold predictions to theirs, dtype included."""
    one, other = ours.predict(queries), theirs.predict(queries)
    assert one.dtype == other.dtype
    np.testing.assert_array_equal(one, other)


def same_parameters(ours: type, theirs: type) -> None:
    """Hold the constructor to theirs: names, order, kinds and defaults."""
    one, other = (inspect.signature(each.__init__).parameters for each in (ours, theirs))
    described = [
        [(p.name, p.kind, p.default) for p in parameters.values()] for parameters in (one, other)
    ]
    assert described[0] == described[1]


def takes_weights_and_batches(ours: type) -> None:
    """Hold `fit` and `partial_fit` to the names and order that all our estimators have."""
    fit = list(inspect.signature(ours.fit).parameters)
    assert fit == ["self", "X", "y", "sample_weight"]
    batch = list(inspect.signature(ours.partial_fit).parameters)
    assert batch == ["self", "X", "y", "classes", "sample_weight"]


class Silent(warnings.catch_warnings):
    """Silences warnings that scikit-learn gives where ours need not."""

    def __enter__(self) -> None:
        super().__enter__()
        warnings.simplefilter("ignore")
