"""Lists what is measured, against whom, and how long ours may take."""

from dataclasses import dataclass

FASTEST = "fastest"


@dataclass(frozen=True)
class Item:
    """One piece of work on one set."""

    name: str
    title: str
    work: str
    data: str
    cov: str | None = None
    iters: int = 1


@dataclass(frozen=True)
class Target:
    """What ours may need at most, as a share of what a peer needs."""

    item: str
    peer: str
    at_most: float
    measure: str = "seconds"
    ours: str = "ours"


def _items():
    models = {"lda": "LDA", "qda": "QDA", "gnb": "naive Bayes", "nc": "nearest mean"}
    for model, words in models.items():
        for data in ("cls_m", "cls_l") if model in ("lda", "qda") else ("cls_m",):
            yield Item(f"{model}_fit/{data}", f"{words} fit", f"{model}_fit", data)
    for model in ("lda", "qda", "gnb"):
        words = f"{models[model]} posterior"
        yield Item(f"{model}_proba/cls_m", words, f"{model}_proba", "cls_m")
    # the first iteration is unlike the others; oneDAL stops after the fifth on gmm_l
    for cov, data, iters in (
        ("full", "gmm_m", 4),
        ("full", "gmm_l", 4),
        ("full", "gmm_s", 20),
        ("diag", "gmm_m", 4),
        ("tied", "gmm_m", 4),
        ("spherical", "gmm_m", 4),
    ):
        yield Item(f"gmm_{cov}/{data}", f"EM {cov}, an iteration", "gmm", data, cov, iters)
    words = "EM full to convergence"
    yield Item("converge/gmm_t", f"{words}, loglik", "converge", "gmm_t", "full")
    yield Item(
        "converge_relative/gmm_t", f"{words}, relative", "converge_relative", "gmm_t", "full"
    )
    for data in ("faithful", "bic_10k"):
        yield Item(f"bic/{data}", "BIC, K = 1..9, 14 families", "bic", data)
        yield Item(f"bic_four/{data}", "BIC, K = 1..9, 4 families", "bic_four", data)
    yield Item("csv_lda/cls_m", "CSV to LDA, cold", "csv_lda", "cls_m")
    yield Item("iris_shell/iris", "iris from the shell, cold", "iris_shell", "iris")


ITEMS = {item.name: item for item in _items()}


def _targets():
    for model in ("lda", "qda"):
        for data, default, fastest in (("cls_m", 1 / 80, 1 / 15), ("cls_l", 1 / 25, 1 / 5)):
            yield Target(f"{model}_fit/{data}", "sklearn", default)
            yield Target(f"{model}_fit/{data}", FASTEST, fastest)
    for model in ("gnb", "nc"):
        yield Target(f"{model}_fit/cls_m", "sklearn", 1 / 30)
        yield Target(f"{model}_fit/cls_m", FASTEST, 1 / 12)
    for model, share in (("qda", 1 / 25), ("gnb", 1 / 50), ("lda", 1 / 8)):
        yield Target(f"{model}_proba/cls_m", "sklearn", share)
    for name, sklearn, onedal in (
        ("full/gmm_m", 1 / 30, 0.40),
        ("full/gmm_l", 1 / 8, 0.60),
        ("full/gmm_s", 1 / 60, 0.40),
        ("diag/gmm_m", 1 / 25, 0.40),
        ("tied/gmm_m", 1 / 100, None),
        ("spherical/gmm_m", 1 / 25, None),
    ):
        yield Target(f"gmm_{name}", "sklearn", sklearn)
        if onedal:
            yield Target(f"gmm_{name}", "daal4py", onedal)
    yield Target("converge/gmm_t", "sklearn", 1 / 20)
    yield Target("converge_relative/gmm_t", "mclust", 1 / 10)
    for data in ("faithful", "bic_10k"):
        yield Target(f"bic/{data}", "mclust", 1 / 20)
        yield Target(f"bic_four/{data}", "sklearn", 1 / 10)
        yield Target(f"bic_four/{data}", "sklearn", 1 / 10, ours="ours-14")
    yield Target("csv_lda/cls_m", "polars+sklearn-lsqr", 1 / 6)
    yield Target("csv_lda/cls_m", "polars+sklearn-lsqr", 1 / 6, measure="peak_mb")
    yield Target("iris_shell/iris", "sklearn", 1 / 50)


TARGETS = list(_targets())

# Not a classifier, or not the whole work: beside the peers, never the fastest of them.
YARDSTICKS = {"sklearnex-covariance"}
