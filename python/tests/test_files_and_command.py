"""Saves and loads models, here and by the command that the wheel installs."""

import json
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from bits import same_bits
from samples import ESTIMATORS, gaussians, named
from sklearn.base import clone

import gaussbayes as gb

SAMPLE = gaussians(3, 4, seed=11)
LABELS = {
    "numbers": SAMPLE.y * 3 - 1,
    "words": np.array(["rose", "lily", "10"])[SAMPLE.y],
    "objects": np.array(["rose", "lily", "iris"], dtype=object)[SAMPLE.y],
    "flags": SAMPLE.y == 1,
    "floats": SAMPLE.y.astype(np.float32),
    "days": SAMPLE.y.astype("M8[D]"),
    "numbers as text": np.array(["9", "10", "-1"])[SAMPLE.y],
}


def command(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    run = "import sys; from gaussbayes._command import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", run, *words], capture_output=True, text=True, input=text, check=False
    )


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=named)
def test_a_file_gives_the_estimator_back(estimator, labels, tmp_path):
    fitted = clone(estimator).fit(SAMPLE.X, LABELS[labels])
    gb.save(fitted, tmp_path / "model.json")
    loaded = gb.load(tmp_path / "model.json")
    assert type(loaded) is type(fitted)
    assert repr(loaded) == repr(fitted)
    same_bits(loaded, fitted, SAMPLE.queries)
    more, names = SAMPLE.X[:50], LABELS[labels][:50]
    same_bits(loaded.partial_fit(more, names), fitted.partial_fit(more, names), SAMPLE.queries)


def test_single_precision_survives_a_file(tmp_path):
    fitted = gb.GaussianNB().fit(SAMPLE.X.astype(np.float32), SAMPLE.y)
    gb.save(fitted, tmp_path / "model.json")
    same_bits(gb.load(tmp_path / "model.json"), fitted, SAMPLE.queries.astype(np.float32))


def test_a_sealed_file_predicts_and_does_not_go_on(tmp_path):
    fitted = gb.QuadraticDiscriminantAnalysis().fit(SAMPLE.X, SAMPLE.y)
    gb.save(fitted, tmp_path / "sealed.json", sealed=True)
    loaded = gb.load(tmp_path / "sealed.json")
    same_bits(loaded, fitted, SAMPLE.queries)
    with pytest.raises(ValueError, match="holds no sums"):
        loaded.partial_fit(SAMPLE.X, SAMPLE.y)


def test_pickles_hold_the_model_file():
    fitted = gb.GaussianClassifier("VEV").fit(SAMPLE.X, SAMPLE.y)
    assert b"gaussbayes model" in pickle.dumps(fitted)


def test_what_is_no_model_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"missing\.json"):
        gb.load(tmp_path / "missing.json")
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(ValueError, match=r"other\.json"):
        gb.load(tmp_path / "other.json")
    with pytest.raises(TypeError, match="no estimator of gaussbayes"):
        gb.save(object(), tmp_path / "odd.json")
    with pytest.raises(TypeError, match="hint: pickle it"):
        odd = gb.LinearDiscriminantAnalysis(solver="lsqr", covariance_estimator=gb.GaussianNB())
        fitted = clone(odd).set_params(covariance_estimator=None).fit(SAMPLE.X, SAMPLE.y)
        gb.save(fitted.set_params(covariance_estimator=odd), tmp_path / "odd.json")
    assert not (tmp_path / "odd.json").exists()


def csv(X: np.ndarray, names: list[str], labels: np.ndarray | None = None) -> str:
    rows = [",".join(map(repr, row)) for row in X.tolist()]
    if labels is not None:
        rows = [f"{row},{label}" for row, label in zip(rows, labels, strict=True)]
        names = [*names, "species"]
    return "\n".join([",".join(names), *rows]) + "\n"


def test_the_command_reads_what_python_saves(tmp_path):
    names = [f"x{j}" for j in range(4)]
    (tmp_path / "new.csv").write_text(csv(SAMPLE.queries, names))
    words = LABELS["objects"]
    for estimator in [gb.LinearDiscriminantAnalysis(), gb.GaussianClassifier("VVI", ridge=0.01)]:
        fitted = estimator.fit(SAMPLE.X, words)
        gb.save(fitted, tmp_path / "model.json")
        done = command(
            "predict", str(tmp_path / "model.json"), str(tmp_path / "new.csv"), "--proba"
        )
        assert done.returncode == 0, done.stderr
        lines = [line.split(",") for line in done.stdout.splitlines()[1:]]
        assert [line[0] for line in lines] == fitted.predict(SAMPLE.queries).tolist()
        found = np.array([[float(cell) for cell in line[1:]] for line in lines])
        np.testing.assert_allclose(found, fitted.predict_proba(SAMPLE.queries), atol=1e-15)
        assert command("show", str(tmp_path / "model.json")).returncode == 0


def test_mixtures_go_between_python_and_the_command(tmp_path):
    model, rows = str(tmp_path / "model.json"), str(tmp_path / "rows.csv")
    names = [f"x{j}" for j in range(4)]
    (tmp_path / "rows.csv").write_text(csv(SAMPLE.X, names))
    found = ["cluster", rows, "-k", "1..3", "--model", "VVV,EEE", "--seed", "1", "-o", model]
    done = command(*found)
    assert done.returncode == 0, done.stderr
    loaded = gb.load(model)
    assert isinstance(loaded, gb.GaussianMixture) and loaded.converged_
    frame = pd.DataFrame(SAMPLE.X, columns=names)
    search = gb.MixtureSearch(range(1, 4), ["VVV", "EEE"], random_state=1).fit(frame)
    best = search.best_estimator_
    assert loaded.covariance_type == best.covariance_type
    assert loaded.means_.tobytes() == best.means_.tobytes()
    assert loaded.predict_proba(frame).tobytes() == search.predict_proba(frame).tobytes()
    part = str(tmp_path / "part.json")
    assert command("model", model, "--marginal", "x2,x0", "-o", part).returncode == 0
    np.testing.assert_allclose(gb.load(part).means_, loaded.means_[:, [2, 0]], rtol=1e-14)
    assert not hasattr(gb.load(part), "converged_")
    gb.save(best, model)
    done = command("predict", model, rows)
    assert done.returncode == 0, done.stderr
    components = [int(line.split(",")[0]) - 1 for line in done.stdout.splitlines()[1:]]
    assert components == best.predict(frame).tolist()


@pytest.mark.parametrize("outliers", [[], ["--noise"]], ids=["plain", "noise"])
def test_components_that_the_command_joined_come_back_one_by_one(outliers, tmp_path):
    names = [f"x{j}" for j in range(4)]
    (tmp_path / "rows.csv").write_text(csv(SAMPLE.X, names))
    rows, one, all_ = (str(tmp_path / name) for name in ("rows.csv", "one.json", "all.json"))
    asked = ["cluster", rows, "-k", "3", "--model", "VVV", "--seed", "1", *outliers]
    for done in [command(*asked, "-o", all_), command(*asked, "--merge", "2", "-o", one)]:
        assert done.returncode == 0, done.stderr
    joined, apart = gb.load(one), gb.load(all_)
    frame = pd.DataFrame(SAMPLE.X, columns=names)
    assert joined.n_components == 3 and len(joined.weights_) == 3
    far = pd.DataFrame(SAMPLE.X * 40, columns=names)
    assert joined.predict(frame).tolist() == apart.predict(frame).tolist()
    assert joined.predict(far).tolist() == apart.predict(far).tolist()
    assert (-1 in joined.predict(far)) == bool(outliers)
    assert joined.predict_proba(frame).tobytes() == apart.predict_proba(frame).tobytes()
    assert joined.bic(frame) == apart.bic(frame)
    for here, there in zip(joined.sample(50), apart.sample(50), strict=True):
        assert here.shape == there.shape


def test_a_model_of_the_command_knows_what_was_frozen(tmp_path):
    names = [f"x{j}" for j in range(4)]
    (tmp_path / "rows.csv").write_text(csv(SAMPLE.X, names))
    rows, first, model = (str(tmp_path / name) for name in ("rows.csv", "first.json", "m.json"))
    asked = ["cluster", rows, "-k", "3", "--model", "VVV", "--seed", "1", "-o", first]
    assert command(*asked).returncode == 0
    frozen = ["--freeze", "means=2", "--freeze", "covariances=1,2"]
    done = command("cluster", rows, "--start", first, "--model", "VVV", *frozen, "-o", model)
    assert done.returncode == 0, done.stderr
    frame = pd.DataFrame(SAMPLE.X, columns=names)
    mixture = gb.load(model)
    free = 2 + 2 * 4 + 10
    bic = -2 * mixture.score_samples(frame).sum() + free * np.log(len(frame))
    np.testing.assert_allclose(mixture.bic(frame), bic, rtol=1e-12)


def test_the_command_goes_on_where_python_stopped(tmp_path):
    names = [f"x{j}" for j in range(4)]
    words = LABELS["objects"]
    frame = pd.DataFrame(SAMPLE.X, columns=names).assign(species=words)
    (tmp_path / "more.csv").write_text(csv(SAMPLE.X[100:], names, words[100:]))
    whole = gb.GaussianClassifier("EEE").fit(SAMPLE.X, words)
    for named_column in [True, False]:
        rows = frame[:100] if named_column else SAMPLE.X[:100]
        model, more = str(tmp_path / "model.json"), str(tmp_path / "more.csv")
        labels = "species" if named_column else words[:100]
        gb.save(gb.LinearDiscriminantAnalysis().fit(rows, labels), model)
        if not named_column:
            assert "--target COL" in command("update", model, more).stderr
        done = command("update", model, more, *([] if named_column else ["--target", "species"]))
        assert done.returncode == 0, done.stderr
        queries = pd.DataFrame(SAMPLE.queries, columns=names)
        found = gb.load(model).predict_proba(queries)
        assert found.tobytes() == whole.predict_proba(SAMPLE.queries).tobytes()


@pytest.mark.parametrize("family", ["VVV", "EEE", "VVI", "VEV", "unit"])
def test_python_reads_what_the_command_saves(family, tmp_path):
    names = ["a", "b", "c", "d"]
    for labels, kind in [(LABELS["numbers"], "i"), (LABELS["objects"], "O")]:
        (tmp_path / "data.csv").write_text(csv(SAMPLE.X, names, labels))
        model = str(tmp_path / "model.json")
        fit = ["fit", str(tmp_path / "data.csv"), "--target", "species", "--model", family]
        done = command(*fit, "-o", model)
        assert done.returncode == 0, done.stderr
        loaded = gb.load(model)
        here = gb.GaussianClassifier(family).fit(SAMPLE.X, labels)
        assert isinstance(loaded, gb.GaussianClassifier)
        assert loaded.family.lower() == family.lower() and loaded.classes_.dtype.kind == kind
        assert loaded.feature_names_in_.tolist() == names
        assert (loaded.classes_ == here.classes_).all()
        queries = SAMPLE.queries
        with pytest.warns(UserWarning, match="feature names"):
            found = loaded.predict_proba(queries)
        assert found.tobytes() == here.predict_proba(queries).tobytes()


def test_the_command_has_its_exit_codes():
    assert json.loads(command("evaluate", "iris", "--model", "lda", "--json").stdout)["result"]["n"]
    assert command("--help").returncode == 0
    assert command("fit").returncode == 2
    assert command("show", "no-such-file").returncode == 1


def test_import_is_quick_because_it_loads_nothing():
    probe = (
        "import sys, gaussbayes; dir(gaussbayes); "
        "sys.exit(any(name in sys.modules for name in ('numpy', 'sklearn', 'gaussbayes._core')))"
    )
    subprocess.run([sys.executable, "-c", probe], check=True)
    assert set(dir(gb)) >= set(gb.__all__)
    assert gb.__version__ == "0.1.0"
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = gb.nothing
