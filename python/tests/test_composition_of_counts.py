"""Puts the classifiers that count where scikit-learn's tools take estimators, text first of all."""

import pickle
import subprocess
import sys

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from bits import same_bits
from samples import COUNTING, counts, fit_and_answer, named
from sklearn import naive_bayes
from sklearn.base import BaseEstimator, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder
from typed_tables import TYPES, WORDS, mixed

import gaussbayes as gb

each_estimator = pytest.mark.parametrize("estimator", COUNTING, ids=named)
# For text: sparse rows, of counts or of weights.
TEXTUAL = [gb.BernoulliNB(), gb.MultinomialNB(), gb.ComplementNB(), gb.ComplementNB(norm=True)]
each_textual = pytest.mark.parametrize("estimator", TEXTUAL, ids=named)


def twin(estimator: BaseEstimator) -> BaseEstimator:
    """Scikit-learn's estimator of the same name and parameters."""
    return getattr(naive_bayes, type(estimator).__name__)(**estimator.get_params())


@pytest.fixture(scope="module")
def messages() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.choice(["ham", "spam"], 240, p=[0.7, 0.3])
    chances = {"ham": [1, 1, 2, 5, 5, 2, 4], "spam": [6, 5, 4, 1, 1, 1, 1]}
    shares = {label: np.array(each) / sum(each) for label, each in chances.items()}
    lengths = rng.integers(1, 12, 240)
    texts = [
        " ".join(rng.choice(WORDS, n, p=shares[label])) for n, label in zip(lengths, y, strict=True)
    ]
    return np.array(texts), y


@each_textual
@pytest.mark.parametrize("vectorizer", [CountVectorizer, TfidfVectorizer])
def test_pipeline_of_words(estimator, vectorizer, messages):
    texts, y = messages
    found, expected = (
        make_pipeline(vectorizer(ngram_range=(1, 2)), one).fit(texts, y)
        for one in (clone(estimator), twin(estimator))
    )
    np.testing.assert_allclose(
        found.predict_proba(texts), expected.predict_proba(texts), atol=1e-11
    )
    assert found.score(texts, y) == expected.score(texts, y) > 0.8


@each_textual
def test_cross_validation(estimator, messages):
    texts, y = messages
    ours, theirs = (make_pipeline(CountVectorizer(), one) for one in (estimator, twin(estimator)))
    scores = [cross_val_score(one, texts, y, cv=4) for one in (ours, theirs)]
    np.testing.assert_array_equal(*scores)
    posterior = cross_val_predict(ours, texts, y, cv=3, method="predict_proba")
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0)


@pytest.mark.parametrize("name", ["BernoulliNB", "MultinomialNB", "ComplementNB"])
def test_grid_search(name, messages):
    texts, y = messages
    grid = {"classify__alpha": [0.01, 0.5, 1.0], "classify__fit_prior": [True, False]}
    steps = [("words", TfidfVectorizer())]
    searches = [
        GridSearchCV(Pipeline([*steps, ("classify", getattr(where, name)())]), grid, cv=3)
        for where in (gb, naive_bayes)
    ]
    found, expected = (search.fit(texts, y) for search in searches)
    scores = [each.cv_results_["mean_test_score"] for each in (found, expected)]
    np.testing.assert_allclose(*scores, rtol=1e-12)
    assert found.best_params_ == expected.best_params_


def test_codes_behind_an_encoder(iris):
    X, y = iris
    found, expected = (
        make_pipeline(KBinsDiscretizer(4, encode="ordinal"), one).fit(X, y)
        for one in (gb.CategoricalNB(), naive_bayes.CategoricalNB())
    )
    np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X), atol=1e-12)
    grid = {"categoricalnb__alpha": [0.1, 1.0], "categoricalnb__min_categories": [4, 6]}
    scores = [
        GridSearchCV(one, grid, cv=3).fit(X, y).cv_results_["mean_test_score"]
        for one in (found, expected)
    ]
    np.testing.assert_allclose(*scores, rtol=1e-12)


def test_mixed_columns_beside_a_transformer():
    frame, y = mixed(seed=20, gaps=0.0)
    encoded = make_pipeline(
        make_column_transformer((OrdinalEncoder(), ["colour"])), naive_bayes.CategoricalNB()
    )
    expected = encoded.fit(frame, y).predict_proba(frame)
    found = gb.MixedNB().fit(frame[["colour"]], y).predict_proba(frame[["colour"]])
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert cross_val_score(gb.MixedNB(TYPES), frame, y, cv=5).mean() > 0.6
    search = GridSearchCV(gb.MixedNB(TYPES), {"alpha": [0.1, 1.0], "unseen": ["ignore", "smooth"]})
    assert search.fit(frame, y).best_score_ > 0.6


@each_textual
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibration(estimator, method, messages):
    texts, y = messages
    rows = CountVectorizer().fit_transform(texts)
    found, expected = (
        CalibratedClassifierCV(one, cv=3, method=method).fit(rows, y)
        for one in (estimator, twin(estimator))
    )
    np.testing.assert_allclose(found.predict_proba(rows), expected.predict_proba(rows), atol=1e-5)


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_voting(voting, messages):
    texts, y = messages
    rows = CountVectorizer().fit_transform(texts)
    found, expected = (
        VotingClassifier([(named(each), as_(each)) for each in TEXTUAL[:3]], voting=voting)
        for as_ in (clone, twin)
    )
    np.testing.assert_array_equal(
        found.fit(rows, y).predict(rows), expected.fit(rows, y).predict(rows)
    )


@each_estimator
def test_clone(estimator):
    sample = counts(3, 4, seed=21)
    copy = clone(clone(estimator).fit(sample.X, sample.y))
    assert repr(copy) == repr(estimator)
    assert not hasattr(copy, "classes_")
    fits = [one.fit(sample.X, sample.y) for one in (copy, clone(estimator))]
    same_bits(*fits, sample.queries)


@each_estimator
def test_pickle_and_batches_after_it(estimator, tmp_path):
    sample = counts(3, 4, seed=22)
    X, y = sample.X, sample.y
    fitted = clone(estimator).fit(X, y)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        same_bits(pickle.loads(pickle.dumps(fitted, protocol)), fitted, sample.queries)
    first = clone(estimator).partial_fit(X[:70], y[:70], classes=[0, 1, 2])
    loaded = pickle.loads(pickle.dumps(first)).partial_fit(X[70:], y[70:])
    same_bits(loaded, fitted, sample.queries)
    joblib.dump(fitted, tmp_path / "model.joblib")
    same_bits(joblib.load(tmp_path / "model.joblib", mmap_mode="r"), fitted, sample.queries)


@each_estimator
def test_a_file_gives_the_estimator_back(estimator, tmp_path):
    sample = counts(3, 4, seed=23)
    y = np.array(["rose", "lily", "10"])[sample.y]
    fitted = clone(estimator).fit(sample.X, y)
    gb.save(fitted, tmp_path / "model.json")
    loaded = gb.load(tmp_path / "model.json")
    assert type(loaded) is type(fitted) and repr(loaded) == repr(fitted)
    same_bits(loaded, fitted, sample.queries)
    more, names = sample.X[:50], y[:50]
    same_bits(loaded.partial_fit(more, names), fitted.partial_fit(more, names), sample.queries)
    gb.save(fitted, tmp_path / "sealed.json", sealed=True)
    with pytest.raises(ValueError, match="holds no sums"):
        gb.load(tmp_path / "sealed.json").partial_fit(more, names)


@each_estimator
def test_weights_are_routed(estimator):
    sample = counts(3, 4, seed=24)
    X, y = sample.X, sample.y
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    expected = clone(estimator).fit(X, y, sample_weight=weights)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = clone(estimator).set_fit_request(sample_weight=True)
        asking.set_partial_fit_request(sample_weight=True, classes=True)
        pipeline = Pipeline([("pass", "passthrough"), ("classify", asking)])
        pipeline.fit(X, y, sample_weight=weights)
        same_bits(pipeline["classify"], expected, sample.queries)
        with pytest.raises(UnsetMetadataPassedError):
            Pipeline([("classify", clone(estimator))]).fit(X, y, sample_weight=weights)


def test_other_processes_compute_the_same_bits():
    sample = counts(3, 4, rows=20_000, seed=25)
    found = joblib.Parallel(n_jobs=2, backend="loky")(
        joblib.delayed(fit_and_answer)(each, sample.X, sample.y) for each in COUNTING
    )
    for each, posterior in zip(COUNTING, found, strict=True):
        assert posterior.tobytes() == fit_and_answer(each, sample.X, sample.y).tobytes()


def command(*words: str) -> subprocess.CompletedProcess[str]:
    run = "import sys; from gaussbayes._command import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", run, *words], capture_output=True, text=True, check=False
    )


def test_mixed_models_go_between_python_and_the_command(tmp_path):
    frame, y = mixed(rows=400, seed=26)
    table, model = tmp_path / "rows.csv", tmp_path / "model.json"
    labelled = frame.assign(label=y)
    labelled.to_csv(table, index=False)
    types = ",".join(f"{name}={kind}" for name, kind in TYPES.items())
    done = command(
        *("fit", str(table), "--target", "label", "--model", "naive-bayes", "--types", types),
        *("--ridge", "1e-9", "-o", str(model)),
    )
    assert done.returncode == 0, done.stderr
    theirs, ours = gb.load(model), gb.MixedNB(TYPES).fit(labelled, "label")
    assert isinstance(theirs, gb.MixedNB)
    assert theirs.types_ == ours.types_
    np.testing.assert_allclose(
        theirs.predict_joint_log_proba(frame), ours.predict_joint_log_proba(frame), rtol=1e-12
    )
    more, labels = mixed(rows=100, seed=27)
    theirs.partial_fit(more, labels.astype(object))
    ours.partial_fit(more, labels.astype(object))
    np.testing.assert_allclose(
        theirs.predict_proba(frame), ours.predict_proba(frame), rtol=1e-12, atol=1e-15
    )
    # And back: what Python saves, the command reads.
    gb.save(ours, model)
    asked = tmp_path / "new.csv"
    more.to_csv(asked, index=False)
    done = command("predict", str(model), str(asked), "--proba")
    assert done.returncode == 0, done.stderr
    lines = [line.split(",") for line in done.stdout.splitlines()[1:]]
    assert [line[0] for line in lines] == ours.predict(more).tolist()
    found = np.array([[float(cell) for cell in line[1:]] for line in lines])
    np.testing.assert_allclose(found, ours.predict_proba(more), atol=1e-14)
    assert command("show", str(model)).returncode == 0
    pd.concat([more.assign(label=labels)]).to_csv(asked, index=False)
    done = command("update", str(model), str(asked), "--target", "label", "-o", str(model))
    assert done.returncode == 0, done.stderr
    ours.partial_fit(more, labels.astype(object))
    np.testing.assert_allclose(
        gb.load(model).predict_proba(frame), ours.predict_proba(frame), rtol=1e-11, atol=1e-14
    )


@pytest.mark.parametrize("estimator", COUNTING[:6], ids=named)
def test_the_command_predicts_by_counts_that_python_saved(estimator, tmp_path):
    sample = counts(3, 4, seed=28)
    y = np.array(["rose", "lily", "iris"])[sample.y]
    fitted = clone(estimator).fit(sample.X, y)
    gb.save(fitted, tmp_path / "model.json")
    frame = pd.DataFrame(sample.queries, columns=[f"x{j}" for j in range(4)])
    frame.to_csv(tmp_path / "new.csv", index=False)
    done = command("predict", str(tmp_path / "model.json"), str(tmp_path / "new.csv"), "--proba")
    assert done.returncode == 0, done.stderr
    lines = [line.split(",") for line in done.stdout.splitlines()[1:]]
    found = np.array([[float(cell) for cell in line[1:]] for line in lines])
    np.testing.assert_allclose(found, fitted.predict_proba(sample.queries), atol=1e-14)
