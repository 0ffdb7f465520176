"""Writes sklearn_range.json: the svd solver of scikit-learn's LDA where the within-class covariance is singular.

Usage, from the repository root:
    python testdata/golden/make/range_goldens.py crates/gaussbayes-io/data testdata/golden
"""

import sys

import numpy as np
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import golden_file
from second_answers import pseudo_inverse_posterior

NOTE = (
    "LinearDiscriminantAnalysis(solver='svd', tol=1e-10) with observed priors; rank: columns of the within-class "
    "range. The posteriors were computed a second time from the pseudo-inverse of the pooled correlation matrix. "
    "|a-b| <= tolerance*(1+|b|)."
)


def case(name, x, y):
    model = LinearDiscriminantAnalysis(solver="svd", tol=1e-10).fit(x, y)
    posterior = model.predict_proba(x)
    second, rank = pseudo_inverse_posterior(x, y)
    assert np.abs(posterior - second).max() < 1e-9, (name, np.abs(posterior - second).max())
    rows = [[float(v) for v in row] for row in x]
    return {
        "name": name,
        "data": {"rows": rows, "labels": [str(label) for label in y]},
        "model": "lda",
        "ddof": 0,
        "pooling": "size",
        "priors": "observed",
        "on_singular": "range",
        "rank": rank,
        "tolerance": 1e-9,
        "posterior": [[float(p) for p in row] for row in posterior],
    }


def main(folder, out):
    text, labels = golden_file.read_text(folder, "iris")
    iris, species = np.array(text, float), np.array(labels)
    some = np.arange(0, 150, 3)
    iris, species = iris[some], species[some]
    copied = np.column_stack([iris, 10 * iris[:, 0], iris[:, 1] - iris[:, 2]])
    constant = np.column_stack([iris, np.full(len(iris), 7.0)])
    rng = np.random.default_rng(7)
    wide_labels = np.array(["a", "b", "c"] * 6)
    shift = np.array([{"a": 0.0, "b": 1.0, "c": -1.0}[c] for c in wide_labels])
    wide = np.round(rng.normal(size=(18, 30)) + 0.5 * shift[:, None], 2)
    cases = [
        case("iris with a scaled copy and a difference", copied, species),
        case("iris with a constant column", constant, species),
        case("more columns than rows", wide, wide_labels),
    ]
    tool = f"scikit-learn {sklearn.__version__}, numpy {np.__version__}"
    golden_file.write(out, "sklearn_range.json", tool, "range_goldens.py", NOTE, cases)


if __name__ == "__main__":
    main(*sys.argv[1:])
