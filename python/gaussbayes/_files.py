"""Saves estimators as the command's model files, and loads them again."""

from __future__ import annotations

import json
import re
from os import PathLike
from typing import Any

import numpy as np

import gaussbayes

from . import _core
from ._gaussian_classifier import GaussianClassifier
from ._labels import restore
from ._mixed import MixedNB
from ._mixed import of_model as mixed_of_model
from ._mixture import GaussianMixture
from ._mixture_classifier import MixtureClassifier, of_model
from ._modelled import Modelled
from ._reading import take_on
from ._softmax import SoftmaxRegression
from ._softmax import of_model as softmax_of_model

_NOT_KEPT = frozenset({"_model", "_waiting", "_directions", "_centroids", "_metadata_request"})


def save(estimator: Modelled, path: str | PathLike[str], *, sealed: bool = False) -> None:
    """Save a fitted estimator as a model file, which the command reads too.

    Parameters
    ----------
    estimator : estimator of this package
        What is saved.
    path : path
        Where to. The file is written whole, or not at all.
    sealed : bool, default=False
        Whether the sums are left out that ``partial_fit`` would go on from.

    Examples
    --------
    >>> import gaussbayes, tempfile, pathlib
    >>> X, y = gaussbayes.datasets.load_iris(return_X_y=True)
    >>> lda = gaussbayes.LinearDiscriminantAnalysis().fit(X, y)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "iris.json"
    >>> gaussbayes.save(lda, path)
    >>> bool((gaussbayes.load(path).predict_proba(X) == lda.predict_proba(X)).all())
    True
    """
    if not isinstance(estimator, Modelled):
        raise TypeError(f"{type(estimator).__name__} is no estimator of gaussbayes")
    model = estimator._fitted()
    if getattr(estimator, "metric", None) == "manhattan":
        raise ValueError(
            "a model file holds Gaussians, which have no taxicab distances\nhint: pickle it instead"
        )
    parameters = estimator.get_params(deep=False)
    attributes = {
        name: value
        for name, value in vars(estimator).items()
        if name not in parameters and name not in _NOT_KEPT
    }
    try:
        note = json.dumps(
            {
                "estimator": type(estimator).__name__,
                "parameters": _packed(parameters),
                "attributes": _packed(attributes),
            }
        )
    except TypeError as error:
        raise TypeError(
            f"{type(estimator).__name__} cannot be saved as a model file: {error}\n"
            "hint: pickle it, or leave parameters out that are objects"
        ) from None
    model.save(path, note=note, sealed=sealed)


def load(path: str | PathLike[str]) -> Any:
    """Load a model file, written here or by the command.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    estimator
        The estimator that was saved; for a model of the command a GaussianClassifier, a
        MixtureClassifier if classes are mixtures, a MixedNB if columns are not all numbers, a
        SoftmaxRegression, or a GaussianMixture if ``cluster`` found it.
        Class names that are all whole numbers come back as numbers then. Components that
        ``cluster --merge`` joined come back one by one; ``combine`` joins them again.
    """
    model = _core.Model.load(path)
    if model.note is None:
        return _from_command(model)
    note = json.loads(model.note)
    known = getattr(gaussbayes, str(note["estimator"]), None)
    if not (isinstance(known, type) and issubclass(known, Modelled)):
        raise ValueError(f"the file holds a {note['estimator']}, which this version does not know")
    estimator = known(**_unpacked(note["parameters"]))
    _set(estimator, _unpacked(note["attributes"]), _model=model, _waiting=None)
    return estimator


def _from_command(
    model: _core.Model,
) -> GaussianClassifier | GaussianMixture | MixedNB | MixtureClassifier | SoftmaxRegression:
    found = model.clustering()
    if found is not None:
        return _mixture(model, found)
    whole = all(re.fullmatch("0|-?[1-9][0-9]{0,17}", text) for text in model.classes)
    dtype = np.dtype(np.int64) if whole else np.dtype(object)
    classes = restore(model.classes, dtype)
    if _core.is_product(model):
        return mixed_of_model(model, classes)
    if _core.softmax_settings(model) is not None:
        return softmax_of_model(model, classes)
    if model.owner != list(range(len(classes))):
        return of_model(model, classes)
    estimator = GaussianClassifier(**model.settings())
    take_on(estimator, model, classes, model.features)
    return estimator


def _mixture(model: _core.Model, found: dict[str, Any]) -> GaussianMixture:
    if model.owner != list(range(len(model.classes))):
        model = _core.unmerged(model)
    mixture = GaussianMixture(model.components, **found["keywords"])
    names = np.asarray(model.features, dtype=object)
    mixture._hold(names, np.dtype(np.float64), model)
    mixture._frozen = found["frozen"]
    # Part of a mixture was not fitted itself.
    if not found["part"]:
        mixture.converged_, mixture.n_iter_ = found["converged"], found["iterations"]
        mixture.lower_bound_ = found["loglik"] / found["weight"]
    return mixture


def _set(estimator: Modelled, attributes: dict[str, Any], **others: Any) -> None:
    for name, value in (attributes | others).items():
        setattr(estimator, name, value)


def _packed(value: Any) -> Any:
    """Return a value as JSON has it; arrays keep their dtype."""
    match value:
        case np.dtype():
            return {"dtype": value.str}
        case np.ndarray():
            if value.dtype.kind == "O":
                return {"objects": _packed(value.tolist())}
            numbers = value.view(np.int64) if value.dtype.kind in "mM" else value
            return {"array": numbers.tolist(), "dtype": value.dtype.str}
        case np.generic():
            return {"number": value.item(), "dtype": value.dtype.str}
        case dict():
            if all(isinstance(name, str) for name in value):
                return {"fields": {name: _packed(item) for name, item in value.items()}}
            # Fields of JSON have names that are text.
            return {"pairs": [[_packed(name), _packed(item)] for name, item in value.items()]}
        case tuple():
            return {"tuple": [_packed(item) for item in value]}
        case list():
            return [_packed(item) for item in value]
        case None | bool() | int() | float() | str():
            return value
        case _:
            raise TypeError(f"a {type(value).__name__} is no part of a model file")


def _unpacked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpacked(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "fields" in value:
        return {name: _unpacked(item) for name, item in value["fields"].items()}
    if "pairs" in value:
        return {_unpacked(name): _unpacked(item) for name, item in value["pairs"]}
    if "tuple" in value:
        return tuple(_unpacked(item) for item in value["tuple"])
    if "objects" in value:
        return np.array(_unpacked(value["objects"]), dtype=object)
    if "array" in value:
        return np.array(value["array"], dtype=value["dtype"])
    if "number" in value:
        return np.dtype(value["dtype"]).type(value["number"])
    return np.dtype(value["dtype"])
