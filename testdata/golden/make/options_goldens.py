"""Writes sklearn_options.json: var_smoothing, reg_param, tol and solver eigen of scikit-learn's classifiers.

Usage, from the repository root:
    python testdata/golden/make/options_goldens.py crates/gaussbayes-io/data testdata/golden
"""

import sys

import numpy as np
import scipy
import sklearn
from scipy.linalg import eigh
from sklearn.covariance import empirical_covariance, shrunk_covariance
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

import golden_file

NOTE = (
    "naive-bayes: GaussianNB(var_smoothing) with ridge_of_widest the same share, ridge_added its epsilon_, covariances "
    "diag(var_). qda: QuadraticDiscriminantAnalysis(reg_param, store_covariance=True) with shrinkage the same amount, "
    "shrink_to unit, variances its scalings_ in falling order. lda with tol: LinearDiscriminantAnalysis(solver='svd', "
    "tol) with on_singular range, above the same tol, rank the singular values above it; two classes, so that tol drops "
    "no direction between them. lda with total: solver 'eigen' with shrinkage; directions its scalings_, ratio its "
    "explained_variance_ratio_, total the covariance of all rows shrunk as scikit-learn does. linear: coef_ and "
    "intercept_, about the point zero (eigen) or centre (svd). What scikit-learn does not say was computed a second "
    "time with numpy. |a-b| <= tolerance*(1+|b|)."
)


def floats(array):
    return np.asarray(array, float).tolist()


def case(name, data, model, **more):
    plain = {"ddof": 0, "pooling": "size", "priors": "observed", "tolerance": 1e-9}
    return {"name": name, "data": data, "model": model, **plain, **more}


def given(x, y):
    return {"rows": floats(x), "labels": [str(label) for label in y]}


def naive_bayes(name, x, y, share, data):
    model = GaussianNB(var_smoothing=share).fit(x, y)
    assert np.isclose(model.epsilon_, share * x.var(axis=0).max(), rtol=1e-14)
    return case(
        name,
        data,
        "naive-bayes",
        ridge_of_widest=share,
        ridge_added=float(model.epsilon_),
        means=floats(model.theta_),
        covariances=[floats(np.diag(v)) for v in model.var_],
        posterior=floats(model.predict_proba(x)),
    )


def qda(name, x, y, amount, data):
    model = QuadraticDiscriminantAnalysis(reg_param=amount, store_covariance=True).fit(x, y)
    for label, covariance in zip(model.classes_, model.covariance_):
        second = (1 - amount) * empirical_covariance(x[y == label]) + amount * np.eye(x.shape[1])
        assert np.abs(covariance - second).max() < 1e-10
    return case(
        name,
        data,
        "qda",
        shrinkage=amount,
        shrink_to="unit",
        covariances=floats(model.covariance_),
        variances=[sorted(floats(s), reverse=True) for s in model.scalings_],
        posterior=floats(model.predict_proba(x)),
    )


def threshold(name, x, y, tol):
    model = LinearDiscriminantAnalysis(solver="svd", tol=tol).fit(x, y)
    centred = np.concatenate([x[y == label] - x[y == label].mean(0) for label in model.classes_])
    values = np.linalg.svd(centred / centred.std(0) / np.sqrt(len(x)), compute_uv=False)
    assert np.abs(values - tol).min() > 0.01, values
    return case(
        name,
        given(x, y),
        "lda",
        on_singular="range",
        above=tol,
        rank=int((values > tol).sum()),
        posterior=floats(model.predict_proba(x)),
    )


def eigen(name, x, y, shrinkage, data):
    model = LinearDiscriminantAnalysis(solver="eigen", shrinkage=shrinkage).fit(x, y)
    total = shrunk_covariance(empirical_covariance(x), shrinkage)
    values = eigh(total - model.covariance_, model.covariance_, eigvals_only=True)[::-1]
    shares = values / values.sum()
    assert np.abs(shares[: len(model.explained_variance_ratio_)] - model.explained_variance_ratio_).max() < 1e-12
    return case(
        name,
        data,
        "lda",
        shrinkage=shrinkage,
        shrink_to="spherical",
        covariances=floats(model.covariance_),
        total=floats(total),
        directions=floats(model.scalings_),
        ratio=floats(model.explained_variance_ratio_),
        linear={"about": "zero", "coefficients": floats(model.coef_), "intercepts": floats(model.intercept_)},
        posterior=floats(model.predict_proba(x)),
    )


def svd(name, x, y, data):
    model = LinearDiscriminantAnalysis(solver="svd").fit(x, y)
    return case(
        name,
        data,
        "lda",
        linear={"about": "centre", "coefficients": floats(model.coef_), "intercepts": floats(model.intercept_)},
        posterior=floats(model.predict_proba(x)),
    )


def main(folder, out):
    def read(name):
        text, labels = golden_file.read_text(folder, name)
        return np.array(text, float), np.array(labels)

    iris, species = read("iris")
    wine, cultivar = read("wine")
    two = species != "setosa"
    few, few_species = iris[two][::3], species[two][::3]
    constant = np.column_stack([few, np.where(few_species == "versicolor", 0.5, few[:, 0]), np.full(len(few), 7.0)])
    noise = np.round(np.random.default_rng(11).normal(size=(len(few), 2)), 3)
    near = np.column_stack([few, few[:, 0] + 0.05 * noise[:, 0], few[:, 2] - few[:, 1] + 0.05 * noise[:, 1]])
    cases = [
        naive_bayes("naive bayes, smoothing 1e-9", iris, species, 1e-9, "iris"),
        naive_bayes("naive bayes, smoothing 0.1", iris, species, 0.1, "iris"),
        naive_bayes("naive bayes, wine, smoothing 1e-6", wine, cultivar, 1e-6, "wine"),
        naive_bayes("naive bayes, constant columns", constant, few_species, 1e-9, given(constant, few_species)),
        qda("qda, regularised by 0.3", iris, species, 0.3, "iris"),
        qda("qda, wine, regularised by 0.01", wine, cultivar, 0.01, "wine"),
        qda("qda, constant columns, regularised by 0.1", constant, few_species, 0.1, given(constant, few_species)),
        qda("qda, regularised by 1", iris, species, 1.0, "iris"),
        threshold("lda, tol 0.3, columns that are nearly sums", near, few_species, 0.3),
        threshold("lda, tol 0.5, columns that are nearly sums", near, few_species, 0.5),
        eigen("lda, eigen, iris, shrunk by 0.3", iris, species, 0.3, "iris"),
        eigen("lda, eigen, wine, shrunk by 0.01", wine, cultivar, 0.01, "wine"),
        svd("lda, svd, iris", iris, species, "iris"),
    ]
    tool = f"scikit-learn {sklearn.__version__}, numpy {np.__version__}, scipy {scipy.__version__}"
    golden_file.write(out, "sklearn_options.json", tool, "options_goldens.py", NOTE, cases)


if __name__ == "__main__":
    main(*sys.argv[1:])
