from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Bayes",
    "BayesPrior",
    "BayesSpec",
    "Centroids",
    "Directions",
    "Em",
    "EmSpec",
    "Files",
    "Model",
    "Moments",
    "Picture",
    "ProductSpec",
    "ProductStatistics",
    "Sample",
    "Search",
    "SoftmaxSpec",
    "Spec",
    "Statistics",
    "Stream",
    "Typed",
    "actions",
    "as_softmax",
    "banana_set",
    "bootstrap",
    "boundary",
    "classes_of",
    "classifiers",
    "codes",
    "coefficients",
    "combine",
    "command",
    "compare",
    "conditional",
    "confusion_picture",
    "criteria",
    "criterion_picture",
    "curves",
    "dataset",
    "discriminants",
    "displace",
    "distances",
    "entropies",
    "factors",
    "figure",
    "figures",
    "influence",
    "is_product",
    "judge_by_folds",
    "judge_by_rows",
    "linear_scores",
    "log_evidence",
    "log_joint",
    "log_odds",
    "log_posterior",
    "marginal",
    "medians",
    "merged",
    "minimax",
    "mixture_per_class",
    "neyman_pearson",
    "only_flags",
    "onnx",
    "picture",
    "posterior",
    "precision",
    "prior_shift",
    "product_report",
    "product_settings",
    "product_statistics",
    "project",
    "risk",
    "sample",
    "semi_supervised",
    "softmax",
    "softmax_settings",
    "sql",
    "unmerged",
    "whitener",
    "write_file",
]

_Floats = NDArray[np.float64]
_Codes = NDArray[np.int64]
_Any = NDArray[Any]
_Priors = str | list[float]
_Rows = tuple[Any, Any, Any | None]

@final
class Spec:
    def __new__(
        cls,
        family: str,
        *,
        ddof: int = 0,
        pooling: str = "size",
        shrinkage: float | str | None = None,
        shrink_to: str | None = None,
        rda: tuple[float, float] | None = None,
        ridge: float = 0.0,
        ridge_of: str = "each",
        standardize: bool = False,
        on_singular: str = "refuse",
        range_above: float = 0.0,
        density: str = "plug-in",
        guard: float = 0.0,
    ) -> Spec: ...
    @property
    def needs_second_pass(self) -> bool: ...

@final
class SoftmaxSpec:
    def __new__(
        cls,
        penalty: float,
        tolerance: float | None = None,
        max_iterations: int | None = None,
    ) -> SoftmaxSpec: ...

@final
class Stream:
    def __new__(
        cls,
        source: Any,
        *,
        target: str | None = None,
        weights: str | None = None,
        features: list[str] | None = None,
        typed: bool = False,
    ) -> Stream: ...
    @property
    def features(self) -> list[str]: ...
    @property
    def kinds(self) -> list[str] | None: ...
    def read_as(self, readings: list[str]) -> None: ...
    @property
    def rows(self) -> int | None: ...
    @property
    def target_type(self) -> str | None: ...

@final
class Files:
    def __new__(
        cls,
        names: list[str],
        reading: dict[str, Any],
        *,
        target: str | None = None,
        weights: str | None = None,
        features: list[str] | None = None,
        drop: list[str] | None = None,
        kinds: list[str] | None = None,
        declared: list[tuple[str, str]] | None = None,
    ) -> Files: ...
    @property
    def features(self) -> list[str]: ...
    @property
    def kinds(self) -> list[str] | None: ...
    @property
    def notes(self) -> list[str]: ...

@final
class Typed:
    def __new__(cls, columns: list[tuple[str, Any, Any | None]]) -> Typed: ...

@final
class Statistics:
    def __new__(cls, spec: Spec, columns: int) -> Statistics: ...
    def added(self, x: Any, y: Any | None = None, weights: Any | None = None) -> Statistics: ...
    @property
    def classes(self) -> list[str]: ...
    def weights(self) -> _Floats: ...
    def total(self, spec: Spec) -> _Floats: ...
    def model(
        self,
        spec: Spec,
        priors: _Priors,
        features: list[str],
        *,
        any_classes: bool = False,
        rows: _Rows | None = None,
        target: str | None = None,
        weight: str | None = None,
    ) -> Model: ...

@final
class Moments:
    @staticmethod
    def of(
        x: Any,
        y: Any | None,
        weights: Any | None,
        features: list[str],
        *,
        target: str | None = None,
        weight: str | None = None,
        part: tuple[int, int] | None = None,
    ) -> Moments: ...
    @staticmethod
    def merged(all: list[Moments], *, partial: bool = False) -> Moments: ...
    def statistics(self) -> Statistics: ...
    @property
    def features(self) -> list[str]: ...
    def classes(self) -> list[tuple[str, float]]: ...
    @property
    def rows(self) -> int: ...
    @property
    def target(self) -> str | None: ...
    @property
    def weight(self) -> str | None: ...
    def parts(self) -> list[dict[str, Any]]: ...
    def missing(self) -> list[int]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> Moments: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Moments: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]: ...

@final
class ProductSpec:
    def __new__(
        cls,
        parts: list[dict[str, Any]],
        columns: int,
        *,
        unseen: str = "ignore",
        ridge: float = 0.0,
    ) -> ProductSpec: ...
    @property
    def needs_second_pass(self) -> bool: ...

@final
class ProductStatistics:
    def __new__(cls, spec: ProductSpec, columns: int) -> ProductStatistics: ...
    def added(
        self, x: Any, y: Any | None = None, weights: Any | None = None
    ) -> ProductStatistics: ...
    def check(self, spec: ProductSpec) -> None: ...
    def declaring(self, classes: list[str]) -> ProductStatistics: ...
    @property
    def classes(self) -> list[str]: ...
    def weights(self) -> _Floats: ...
    def counts(self) -> list[Any]: ...
    def model(
        self,
        spec: ProductSpec,
        priors: _Priors,
        features: list[str],
        *,
        any_classes: bool = False,
        target: str | None = None,
        weight: str | None = None,
    ) -> Model: ...

@final
class Model:
    @staticmethod
    def given(
        means: _Floats,
        covariances: _Floats,
        priors: list[float],
        classes: list[str],
        features: list[str],
    ) -> Model: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def components(self) -> int: ...
    @property
    def noise(self) -> tuple[float, float] | None: ...
    @property
    def freedom(self) -> list[float] | None: ...
    @property
    def features(self) -> list[str]: ...
    @property
    def family(self) -> str: ...
    @property
    def shared(self) -> bool: ...
    @property
    def rejects(self) -> bool: ...
    @property
    def statistics(self) -> Statistics | None: ...
    @property
    def note(self) -> str | None: ...
    @property
    def owner(self) -> list[int]: ...
    def by_em(self) -> dict[str, Any] | None: ...
    def of_class(self, class_: int) -> Model: ...
    def settings(self) -> dict[str, Any]: ...
    def clustering(self) -> dict[str, Any] | None: ...
    def priors(self) -> _Floats: ...
    def shares(self) -> _Floats: ...
    def means(self) -> _Floats: ...
    def covariance(self, class_: int) -> _Floats: ...
    def variances(self) -> _Floats: ...
    def centre(self) -> _Floats: ...
    def linear(self, about: list[float]) -> tuple[_Floats, _Floats]: ...
    def principal_axes(self, class_: int) -> tuple[_Floats, _Floats]: ...
    def report(self) -> dict[str, Any] | None: ...
    def with_priors(self, priors: _Priors) -> Model: ...
    def with_loss(self, losses: _Floats | None = None) -> Model: ...
    def with_outliers(self, share: float) -> Model: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Model: ...
    def save(
        self, path: str | PathLike[str], *, note: str | None = None, sealed: bool = False
    ) -> None: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> Model: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]: ...

@final
class Directions:
    def __new__(cls, model: Model, total: _Floats | None = None) -> Directions: ...
    def __len__(self) -> int: ...
    def scalings(self) -> _Floats: ...
    def ratios(self) -> _Floats: ...
    def explained(self) -> _Floats: ...

@final
class Centroids:
    def __new__(
        cls, statistics: Statistics, threshold: float | None = None, medians: _Floats | None = None
    ) -> Centroids: ...
    def centres(self) -> _Floats: ...
    def deviations(self) -> _Floats: ...
    def within(self) -> _Floats: ...
    def without_spread(self) -> list[int]: ...
    def model(self, priors: _Priors, features: list[str]) -> Model: ...
    def nearest_taxicab(self, priors: _Priors, x: Any) -> _Codes: ...

@final
class EmSpec:
    def __new__(
        cls,
        spec: Spec,
        *,
        priors: _Priors = ...,
        assign: str = "soft",
        stop: str = "loglik",
        tolerance: float = 1e-3,
        iterations: int = 100,
        on_empty: str = "refuse",
        frozen_means: list[bool] = ...,
        frozen_covariances: list[bool] = ...,
        outliers: str | float | None = None,
    ) -> EmSpec: ...

@final
class Sample:
    def __new__(
        cls,
        x: Any,
        weights: Any | None,
        seed: int,
        *,
        noise: bool = False,
        features: list[str] = ...,
    ) -> Sample: ...
    @property
    def seen(self) -> int: ...
    def start(
        self, spec: EmSpec, components: int, start: str, run: int, features: list[str]
    ) -> Model: ...

@final
class Em:
    def __new__(
        cls,
        model: Model,
        spec: EmSpec,
        *,
        before: float | None = None,
        trajectory: bool = False,
        sample: Sample | None = None,
    ) -> Em: ...
    def run(
        self, x: Any, weights: Any | None = None, each: Callable[[int, float], None] | None = None
    ) -> None: ...
    @property
    def iterations(self) -> int: ...
    @property
    def converged(self) -> bool: ...
    @property
    def lower_bounds(self) -> list[float]: ...
    @property
    def lifted(self) -> list[int]: ...
    @property
    def nearly_gaussian(self) -> list[int]: ...
    @property
    def frozen(self) -> tuple[list[bool], list[bool]]: ...
    @property
    def events(self) -> list[tuple[str, int, float]]: ...
    def model(self) -> Model: ...
    def trajectory(self) -> list[Model]: ...

@final
class BayesSpec:
    def __new__(
        cls,
        spec: Spec,
        *,
        weights: str = "process",
        concentration: float | None = None,
        mean_precision: float | None = None,
        mean: list[float] | None = None,
        degrees_of_freedom: float | None = None,
        covariance: list[float] | None = None,
        stop: str = "loglik",
        tolerance: float = 1e-3,
        iterations: int = 100,
    ) -> BayesSpec: ...

@final
class BayesPrior:
    def __new__(
        cls, spec: BayesSpec, components: int, x: Any, weights: Any | None = None
    ) -> BayesPrior: ...

@final
class Bayes:
    def __new__(
        cls,
        model: Model,
        spec: BayesSpec,
        prior: BayesPrior,
        *,
        before: float | None = None,
        trajectory: bool = False,
    ) -> Bayes: ...
    @staticmethod
    def start(
        sample: Sample,
        spec: BayesSpec,
        prior: BayesPrior,
        start: str,
        run: int,
        features: list[str],
        *,
        trajectory: bool = False,
    ) -> Bayes: ...
    def run(
        self, x: Any, weights: Any | None = None, each: Callable[[int, float], None] | None = None
    ) -> None: ...
    @property
    def iterations(self) -> int: ...
    @property
    def converged(self) -> bool: ...
    @property
    def lower_bounds(self) -> list[float]: ...
    @property
    def evidence_bound(self) -> float | None: ...
    def model(self) -> Model: ...
    def trajectory(self) -> list[Model]: ...
    def prior(self) -> dict[str, Any]: ...
    def posterior(self) -> dict[str, Any] | None: ...

@final
class Search:
    def __new__(
        cls,
        spec: EmSpec,
        cells: list[tuple[int, str]],
        starts: list[tuple[str, int]],
        *,
        seed: int,
        criterion: str,
        features: list[str],
    ) -> Search: ...
    def run(self, x: Any, weights: Any | None = None) -> None: ...
    def table(self) -> list[dict[str, Any]]: ...
    @property
    def best(self) -> int | None: ...
    @property
    def best_so_far(self) -> int | None: ...
    def model(self, place: int) -> Model: ...
    @property
    def sample(self) -> tuple[int, int] | None: ...

@final
class Picture:
    @property
    def title(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def caption(self) -> str: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def columns(self) -> int | None: ...
    def svg(self, theme: str, id: str) -> str: ...
    def png(self, theme: str, scale: float) -> bytes: ...
    def panels(self, dark: bool) -> list[dict[str, Any]]: ...
    def key(self, dark: bool) -> list[dict[str, Any]]: ...
    @staticmethod
    def paper(dark: bool) -> tuple[str, str]: ...

def picture(
    model: Model, wanted: dict[str, Any], x: Any | None = None, y: Any | None = None
) -> Picture: ...
def figures() -> list[tuple[str, str, str]]: ...
def figure(name: str) -> Picture: ...
def confusion_picture(names: list[str], counts: _Floats) -> Picture: ...
def criterion_picture(
    cells: list[tuple[int, str]], values: list[float | None], criterion: str
) -> Picture: ...
def write_file(path: str | PathLike[str], bytes: bytes) -> None: ...
def posterior(model: Model, x: Any, *, single: bool = False) -> _Any: ...
def log_posterior(model: Model, x: Any, *, single: bool = False) -> _Any: ...
def log_joint(model: Model, x: Any, *, single: bool = False) -> _Any: ...
def discriminants(model: Model, x: Any) -> _Any: ...
def linear_scores(model: Model, x: Any, about: list[float], *, single: bool = False) -> _Any: ...
def log_odds(model: Model, x: Any) -> _Floats: ...
def log_evidence(model: Model, x: Any) -> _Floats: ...
def entropies(model: Model, x: Any) -> _Floats: ...
def distances(model: Model, x: Any) -> _Floats: ...
def actions(model: Model, x: Any) -> _Codes: ...
def project(
    directions: Directions, x: Any, *, centred: bool = True, single: bool = False
) -> _Any: ...
def medians(x: Any, y: Any, weights: Any | None, columns: int) -> _Floats: ...
def codes(labels: Any, classes: list[str]) -> _Codes: ...
def classifiers() -> list[tuple[str, str]]: ...
def compare(
    candidates: list[tuple[Spec | ProductSpec | SoftmaxSpec, _Priors]],
    x: Any,
    y: Any,
    weights: Any | None,
    features: list[str],
    *,
    folds: int,
    repeat: int,
    seed: int,
    names: list[str],
    costs: _Floats | None = None,
) -> dict[str, Any]: ...
def judge_by_folds(
    candidates: list[tuple[Spec | ProductSpec | SoftmaxSpec, _Priors]],
    x: Any,
    y: Any,
    weights: Any | None,
    features: list[str],
    *,
    folds: int,
    seed: int,
    costs: _Floats | None = None,
) -> list[dict[str, Any]]: ...
def judge_by_rows(
    candidates: list[tuple[Spec | ProductSpec | SoftmaxSpec, _Priors]],
    x: Any,
    y: Any,
    weights: Any | None,
    features: list[str],
    *,
    costs: _Floats | None = None,
) -> list[dict[str, Any]]: ...
def dataset(name: str) -> tuple[_Floats, _Codes | None, list[str], list[str]]: ...
def banana_set(rows: int, seed: int) -> tuple[_Floats, _Codes, list[str], list[str]]: ...
def command(arguments: list[str]) -> int: ...
def factors(model: Model) -> list[dict[str, Any]]: ...
def is_product(model: Model) -> bool: ...
def only_flags(x: Any) -> None: ...
def product_report(model: Model) -> dict[str, Any] | None: ...
def product_settings(model: Model) -> dict[str, Any]: ...
def product_statistics(model: Model) -> ProductStatistics | None: ...
def softmax(
    spec: SoftmaxSpec,
    priors: _Priors,
    features: list[str],
    x: Any,
    y: Any | None,
    weights: Any | None,
    *,
    target: str | None = None,
    weight: str | None = None,
) -> tuple[Model, dict[str, Any]]: ...
def softmax_settings(model: Model) -> tuple[float, float, int] | None: ...
def coefficients(model: Model) -> tuple[_Floats, _Floats]: ...
def as_softmax(model: Model) -> Model: ...
def onnx(
    model: Model,
    labels: Sequence[int] | Sequence[str],
    columns: list[tuple[str, int | None]],
    *,
    single: bool = False,
    path: str | PathLike[str] | None = None,
) -> bytes | None: ...
def sql(
    model: Model,
    labels: Sequence[int] | Sequence[str],
    columns: list[tuple[str, int | None]],
    table: str,
) -> str: ...
def boundary(model: Model, first: int, second: int) -> dict[str, Any]: ...
def curves(
    model: Model,
    features: tuple[int, int],
    window: tuple[float, float, float, float],
    *,
    at: list[float] | None = None,
    project: bool = False,
) -> list[tuple[int, int, _Floats, bool, float]]: ...
def risk(
    model: Model,
    under: Model | None = None,
    *,
    method: str | None = None,
    seed: int = 0,
    draws: int | None = None,
) -> dict[str, Any]: ...
def neyman_pearson(
    model: Model, class_: int, error: float
) -> tuple[float, list[float], list[float]]: ...
def minimax(model: Model) -> tuple[list[float], float, float]: ...
def prior_shift(model: Model, x: Any, weights: Any | None = None) -> dict[str, Any]: ...
def sample(model: Model, rows: int, seed: int) -> tuple[_Floats, _Codes]: ...
def marginal(model: Model, columns: list[int]) -> Model: ...
def conditional(model: Model, given: list[tuple[int, float]]) -> Model: ...
def precision(model: Model, class_: int) -> _Floats: ...
def whitener(model: Model, class_: int) -> _Floats: ...
def criteria(
    model: Model,
    x: Any,
    weights: Any | None = None,
    *,
    outliers: str | float | None = None,
    frozen_means: list[bool] = ...,
    frozen_covariances: list[bool] = ...,
) -> dict[str, Any]: ...
def combine(model: Model, x: Any, weights: Any | None = None) -> dict[str, Any]: ...
def merged(model: Model, owner: list[int]) -> Model: ...
def unmerged(model: Model) -> Model: ...
def bootstrap(
    model: Model,
    spec: EmSpec,
    x: Any,
    weights: Any | None,
    replicates: int,
    seed: int,
    level: float,
) -> dict[str, Any]: ...
def influence(
    model: Model, spec: EmSpec, x: Any, weights: Any | None = None
) -> tuple[_Floats, _Floats, list[int]]: ...
def displace(
    model: Model, spec: EmSpec, x: Any, weights: Any | None, row: int, places: _Floats
) -> tuple[_Floats, _Floats]: ...
def classes_of(
    x: Any, y: Any | None, weights: Any | None, *, partly: bool, mark: str | None = None
) -> list[str]: ...
def semi_supervised(
    spec: Spec,
    priors: _Priors,
    features: list[str],
    x: Any,
    y: Any | None,
    weights: Any | None,
    *,
    mark: str | None = None,
    target: str | None = None,
    weight: str | None = None,
) -> tuple[Model, list[str]]: ...
def mixture_per_class(
    spec: EmSpec,
    cells: list[tuple[int, str]],
    own: list[tuple[str, list[tuple[int, str]]]],
    starts: list[tuple[str, int]],
    x: Any,
    y: Any | None,
    weights: Any | None,
    *,
    seed: int,
    criterion: str,
    priors: _Priors,
    features: list[str],
    partly: bool,
    mark: str | None = None,
    target: str | None = None,
    weight: str | None = None,
) -> tuple[Model, list[list[dict[str, Any]]], list[int], list[str]]: ...
