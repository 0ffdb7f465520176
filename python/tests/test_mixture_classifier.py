"""Holds classifiers of a mixture per class to their parts, their files and the banana."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import gaussbayes as gb

X, Y = gb.datasets.load_iris(return_X_y=True)
SMALL = {"families": ["VVI", "EEE"], "random_state": 0}


def test_the_banana_is_no_gaussian():
    train, test = gb.datasets.make_banana(4000), gb.datasets.make_banana(40000, random_state=2)
    plain = gb.GaussianClassifier().fit(*train)
    found = gb.MixtureClassifier([4, 5], families="EEV", random_state=1).fit(*train)
    assert found.n_components_ == [4, 5]
    assert 0.14 < 1 - plain.score(*test) < 0.161
    assert 1 - found.score(*test) < 0.025


def test_a_class_is_the_mixture_of_its_rows():
    found = gb.MixtureClassifier((1, 2, 1), **SMALL).fit(X, Y)
    assert found.n_components_ == [1, 2, 1]
    joint = np.stack([part.score_samples(X) for part in found.mixtures_], axis=1)
    joint = np.exp(joint) * found.priors_
    expected = joint / joint.sum(axis=1, keepdims=True)
    assert np.allclose(found.predict_proba(X), expected, atol=1e-12)
    assert np.allclose(found.score_samples(X), np.log(joint.sum(axis=1)), atol=1e-10)
    log = found.predict_log_proba(X)
    assert np.allclose(np.exp(log), expected, atol=1e-12)
    assert np.array_equal(found.decision_function(X).argmax(axis=1), found.predict(X))
    search = gb.MixtureSearch(2, SMALL["families"], random_state=0).fit(X[Y == 1])
    assert found.bic_[1] == pytest.approx(search.table_[search.best_index_]["bic"], abs=1e-6)
    assert found.families_[1] == search.best_estimator_.covariance_type
    two = X[Y < 2], Y[Y < 2]
    half = gb.MixtureClassifier(2, **SMALL).fit(*two)
    odds = half.predict_log_proba(X) @ [-1, 1]
    assert np.allclose(half.decision_function(X), odds, atol=1e-9)


def test_the_criterion_chooses_and_dicts_ask():
    found = gb.MixtureClassifier(**SMALL).fit(X, Y)
    for table, bic, count in zip(found.tables_, found.bic_, found.n_components_, strict=True):
        assert len(table) == 18
        ranked = [entry for entry in table if entry["ranked"]]
        best = min(ranked, key=lambda entry: entry["bic"])
        assert (best["bic"], best["n_components"]) == (bic, count)
    named = gb.MixtureClassifier({0: 1, 1: 2, 2: 3}, **SMALL).fit(X, Y)
    assert named.n_components_ == [1, 2, 3]
    text = np.array(["z", "b", "c"])[Y]
    turned = gb.MixtureClassifier({"z": 1, "b": 2, "c": 3}, **SMALL).fit(X, text)
    assert turned.classes_.tolist() == ["b", "c", "z"]
    assert turned.n_components_ == [2, 3, 1]
    assert np.allclose(turned.predict_proba(X)[:, [2, 0, 1]], named.predict_proba(X), atol=1e-12)


def test_priors_costs_and_files(tmp_path):
    found = gb.MixtureClassifier(2, **SMALL).fit(X, Y)
    other = found.with_priors([0.8, 0.1, 0.1])
    assert np.allclose(other.priors_, [0.8, 0.1, 0.1])
    given = gb.MixtureClassifier(2, priors=[0.8, 0.1, 0.1], **SMALL).fit(X, Y)
    assert np.allclose(other.predict_proba(X), given.predict_proba(X), atol=1e-12)
    assert (found.with_loss(None, reject=0.01).predict(X) == -1).any()
    strict = clone(found).set_params(outliers=0.05).fit(X, Y)
    assert (strict.predict(X) == -1).any()
    gb.save(found, tmp_path / "m.json")
    again = gb.load(tmp_path / "m.json")
    assert np.array_equal(again.predict_proba(X), found.predict_proba(X))
    assert again.n_components_ == [2, 2, 2] and len(again.mixtures_) == 3
    assert np.array_equal(again.mixtures_[0].means_, found.mixtures_[0].means_)
    assert cross_val_score(clone(found), X, Y).mean() > 0.9


def test_outliers_are_a_share_of_the_rows():
    found = gb.MixtureClassifier(1, outliers=0.05, **SMALL).fit(X, Y)
    rejected = (found.predict(X) == -1).mean()
    assert 0.01 < rejected < 0.12
    assert (found.with_loss(None, outliers=0.2).predict(X) == -1).mean() > rejected
    for wrong in ("student", "noise", 4.0, 0.0, 1.0):
        with pytest.raises(ValueError, match="'outliers' parameter of MixtureClassifier"):
            gb.MixtureClassifier(1, outliers=wrong, **SMALL).fit(X, Y)


def test_a_file_keeps_the_labels_of_a_dict(tmp_path):
    found = gb.MixtureClassifier({0: 1, 1: 2, 2: 1}, **SMALL).fit(X, Y)
    gb.save(found, tmp_path / "m.json")
    again = gb.load(tmp_path / "m.json")
    assert again.n_components == {0: 1, 1: 2, 2: 1}
    assert again.fit(X, Y).n_components_ == [1, 2, 1]
    text = np.array(["z", "b", "c"])[Y]
    named = gb.MixtureClassifier({"z": 1, "b": 2, "c": 1}, **SMALL).fit(X, text)
    gb.save(named, tmp_path / "m.json")
    assert gb.load(tmp_path / "m.json").n_components == {"z": 1, "b": 2, "c": 1}


def test_notebooks_show_every_component_of_a_class():
    text = np.array(["z", "b", "c"])[Y]
    found = gb.MixtureClassifier({"z": 1, "b": 2, "c": 3}, **SMALL).fit(X, text)
    shown = found._repr_html_()
    assert "<caption>a mixture per class: a covariance for each component" in shown
    rows = [line.split("</td>")[:2] for line in shown.split("<tr><td>")[1:]]
    assert [name for name, _ in rows] == [found._model.classes[k] for k in found._model.owner]
    assert sorted(name for name, _ in rows) == ["b", "b", "c", "c", "c", "z"]
    for name, prior in zip(found.classes_, found.priors_, strict=True):
        shares = [float(share.removeprefix("<td>")) for owner, share in rows if owner == name]
        assert sum(shares) == pytest.approx(prior, abs=1e-3)


def test_what_cannot_be_is_refused():
    def fit(n_components="auto", **keywords):
        return gb.MixtureClassifier(n_components, **(SMALL | keywords)).fit(X, Y)

    with pytest.raises(ValueError, match="must be 'auto' or numbers"):
        fit("many")
    with pytest.raises(ValueError, match="2 numbers of components for 3 classes"):
        fit([1, 2])
    with pytest.raises(ValueError, match="the classes are"):
        fit({0: 1, 1: 1, 7: 1})
    with pytest.raises(ValueError, match="class '0'"):
        fit(60)
    assert not hasattr(gb.MixtureClassifier(), "partial_fit")


def test_rows_without_labels_take_part():
    rows, labels = gb.datasets.make_banana(4000)
    test = gb.datasets.make_banana(40000, random_state=2)
    few = np.where(np.arange(4000) % 40 < 2, labels, -1)
    some = gb.MixtureClassifier(4, families="EEV", random_state=1, unlabelled=-1).fit(rows, few)
    known = few >= 0
    alone = gb.MixtureClassifier(4, families="EEV", random_state=1).fit(rows[known], few[known])
    assert some.report_["em"]["unlabelled"] == 3800
    assert some.report_["em"]["start"] == "mixtures"
    assert some.score(*test) > alone.score(*test)
