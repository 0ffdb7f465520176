"""Writes sklearn_judging.json: Brier score, calibration, log loss and ROC of posteriors, by scikit-learn.

Usage, from the repository root:
    python testdata/golden/make/sklearn_judging_goldens.py crates/gaussbayes-io/data testdata/golden
"""

import sys

import numpy as np
import sklearn
from sklearn.calibration import calibration_curve
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss, roc_auc_score, roc_curve
from sklearn.naive_bayes import GaussianNB

import golden_file

SCRIPT = "sklearn_judging_goldens.py"
NOTE = (
    "Models fitted to all rows without weights (columns are 0-based), then judged on the same rows with 'weights' (null: none). brier: brier_score_loss without halving. log_loss. "
    "reliability: ten bins of equal width of the top probability, [rows, mean top probability, share of hits] for each bin with rows, by calibration_curve and a "
    "histogram; weights none. calibration_error: from these. areas: roc_auc_score of each class against the rest; area: that of the second of two classes, "
    "or their plain mean (multi_class 'ovr', average 'macro'). roc: roc_curve of the last class, false and true positive rate, no point left out."
)
MODELS = {
    "lda": lambda: LinearDiscriminantAnalysis(),
    "qda": lambda: QuadraticDiscriminantAnalysis(),
    "naive-bayes": lambda: GaussianNB(var_smoothing=0),
}


def case(name, data, model, columns, rows, labels, weights):
    x, y = np.array(rows, float)[:, columns], np.array(labels)
    fitted = MODELS[model]().fit(x, y)
    p = fitted.predict_proba(x)
    classes = fitted.classes_
    top, hit = p.max(1), (classes[p.argmax(1)] == y).astype(int)
    accuracy, confidence = calibration_curve(hit, top, n_bins=10)
    counts = np.histogram(top, np.linspace(0, 1, 11))[0]
    counts = counts[counts > 0]
    w = None if weights is None else np.array(weights)
    areas = [roc_auc_score(y == c, p[:, k], sample_weight=w) for k, c in enumerate(classes)]
    two = len(classes) == 2
    if two:
        area = areas[1]
    elif w is None:
        area = roc_auc_score(y, p, multi_class="ovr", average="macro")
    else:
        area = float(np.mean(areas))
    fp, tp, _ = roc_curve(y == classes[-1], p[:, -1], sample_weight=w, drop_intermediate=False)
    table = np.column_stack([counts, confidence, accuracy])
    return {
        "name": name,
        "data": data,
        "columns": columns,
        "model": model,
        "weights": weights,
        "classes": classes.tolist(),
        "tolerance": 1e-10,
        "error_rate": 1 - accuracy_score(y, fitted.predict(x), sample_weight=w),
        "brier": brier_score_loss(y, p, sample_weight=w, labels=classes, scale_by_half=False),
        "log_loss": log_loss(y, p, sample_weight=w, labels=classes),
        "reliability": table.tolist(),
        "calibration_error": float((counts * abs(confidence - accuracy)).sum() / counts.sum()),
        "areas": areas,
        "area": area,
        "roc": np.column_stack([fp, tp]).tolist(),
    }


def main(folder, out):
    cases = []
    # Columns of which none tells all classes apart.
    for data, columns in (("iris", [0, 1]), ("wine", [1, 2, 3, 4])):
        rows, labels = golden_file.read_text(folder, data)
        for model in MODELS:
            cases.append(case(f"{data} {model}", data, model, columns, rows, labels, None))
        weights = [float(1 + i % 4) for i in range(len(rows))]
        cases.append(case(f"{data} qda weights", data, "qda", columns, rows, labels, weights))
    rows, labels = golden_file.read_text(folder, "iris")
    rows, labels = [[float(x) for x in row] for row in rows[50:]], labels[50:]
    for model in MODELS:
        name, data = f"two irises {model}", {"rows": rows, "labels": labels}
        cases.append(case(name, data, model, [0, 1, 2, 3], rows, labels, None))
    golden_file.write(out, "sklearn_judging.json", f"scikit-learn {sklearn.__version__}", SCRIPT, NOTE, cases)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
