"""Writes sklearn_centroids.json: scikit-learn's NearestCentroid, both metrics, with and without a threshold.

Usage, from the repository root:
    python testdata/golden/make/centroid_goldens.py crates/gaussbayes-io/data testdata/golden
"""

import sys
import warnings

import numpy as np
import sklearn
from sklearn.neighbors import NearestCentroid

import golden_file
from second_answers import centroids as second

NOTE = (
    "NearestCentroid: centroids_, deviations_, within_class_std_dev_, class_prior_ and predict of the training rows. "
    "scores: decision_function, where priors are not equal and distances Euclidean; scikit-learn has no 1/2 before the "
    "squared distance, so a Gaussian's log scores are half of these. rows: those that are as near to two classes to 1e-9 "
    "are left out. |a-b| <= tolerance*(1+|b|)."
)


def answered(name, data, x, y, metric, threshold, priors):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = NearestCentroid(metric=metric, shrink_threshold=threshold, priors=priors).fit(x, y)
    case = {
        "name": name,
        "data": data,
        "metric": metric,
        "shrink_threshold": threshold,
        "priors": {"uniform": "uniform", "empirical": "observed"}.get(str(priors), priors),
        "weights": None,
        "tolerance": 1e-11,
        "classes": model.classes_.tolist(),
        "centroids": model.centroids_.tolist(),
        "deviations": model.deviations_.tolist(),
        "within": model.within_class_std_dev_.tolist(),
        "class_prior": model.class_prior_.tolist(),
    }
    rows = np.flatnonzero(second(case, x, y)["margins"] > 1e-9)
    if len(rows) < len(x):
        case["rows"] = (rows + 1).tolist()
    case["labels"] = model.predict(x[rows]).tolist()
    if metric == "euclidean" and np.ptp(model.class_prior_) > 1e-6:
        case["scores"] = model._decision_function(x[rows]).tolist()
    assert second(case, x, y)["labels"] == case["labels"], name
    return case


def main(folder, out):
    cases = []
    for name, given in (("iris", [0.7, 0.2, 0.1]), ("wine", [0.1, 0.3, 0.6])):
        text, labels = golden_file.read_text(folder, name)
        x, y = np.array(text, float), np.array(labels)
        for metric in ("euclidean", "manhattan"):
            for threshold in (None, 0.5, 4.0):
                for word, priors in (("uniform", "uniform"), ("given", given)):
                    words = f"{name}, {metric}, threshold {threshold}, {word} priors"
                    cases.append(answered(words, name, x, y, metric, threshold, priors))
        words = f"{name}, euclidean, threshold 0.2, empirical priors"
        cases.append(answered(words, name, x, y, "euclidean", 0.2, "empirical"))
    text, labels = golden_file.read_text(folder, "iris")
    some = np.arange(0, 150, 5)
    x, y = np.array(text, float)[some], np.array(labels)[some]
    # A column that is constant within classes, one that is constant: scikit-learn takes both in raw units.
    of_class = np.array([{"setosa": 0.0, "versicolor": 1.5, "virginica": 1.75}[label] for label in y])
    x = np.column_stack([x, of_class, np.full(len(y), 7.0)])
    data = {"rows": x.tolist(), "labels": y.tolist()}
    for metric in ("euclidean", "manhattan"):
        for word, priors in (("uniform", "uniform"), ("given", [0.2, 0.3, 0.5])):
            words = f"columns without spread, {metric}, {word} priors"
            cases.append(answered(words, data, x, y, metric, 1.0, priors))
    tool = f"scikit-learn {sklearn.__version__}, numpy {np.__version__}"
    golden_file.write(out, "sklearn_centroids.json", tool, "centroid_goldens.py", NOTE, cases)


if __name__ == "__main__":
    main(*sys.argv[1:])
