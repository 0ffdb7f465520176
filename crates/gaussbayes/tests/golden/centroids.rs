//! Shrunken centroids against scikit-learn: centroids, deviations, scores and labels, [M33].

use gaussbayes::{
    Centroids, Label, LabelSweep, Loss, On, Pool, Posterior, Priors, Score, Storage, class_medians,
    run,
};
use serde_json::Value;

use crate::case::{Case, cases, numbers, rows, words};

fn check(case: &Case) {
    let table = case.table();
    let pool = Pool::new(1).unwrap();
    let on = On::pool(&pool);
    let threshold = case.json["shrink_threshold"].as_f64();
    let priors = match &case.json["priors"] {
        Value::Array(_) => Priors::Given(numbers(&case.json["priors"])),
        Value::String(word) if word == "uniform" => Priors::Uniform,
        _ => Priors::Observed,
    };
    let taxicab = case.json["metric"] == "manhattan";
    // Every storage that has the diagonal gives the same.
    for storage in [Storage::Diagonal, Storage::Shared, Storage::Full] {
        let sweep = LabelSweep::new(storage);
        let (classes, moments) = run(&sweep, &mut table.source(), on).unwrap().sorted();
        assert_eq!(
            classes.iter().map(Label::as_str).collect::<Vec<_>>(),
            words(&case.json["classes"])
        );
        let found = if taxicab {
            let (labels, medians) = class_medians(&mut table.source(), on).unwrap();
            assert_eq!(labels, classes);
            Centroids::about(&moments, &medians, threshold).unwrap()
        } else {
            Centroids::of(&moments, threshold).unwrap()
        };
        case.close("centroids", found.centres(), &rows(&case.json["centroids"]).concat());
        case.close("deviations", found.deviations(), &rows(&case.json["deviations"]).concat());
        let within = numbers(&case.json["within"]);
        case.close("within", found.within(), &within);
        let none: Vec<usize> = (0..within.len()).filter(|&j| within[j] < 1e-12).collect();
        assert_eq!(found.without_spread(), none, "{}", case.name);
        let block = table.block(0..table.rows()).unwrap();
        let chosen = if taxicab {
            found.nearest_taxicab(&priors, &block).unwrap()
        } else {
            let mixture = found.mixture(&priors).unwrap();
            let posterior = Posterior::from_scores(mixture.scores(&block).unwrap());
            check_scores(case, &posterior);
            Loss::zero_one(classes.len()).decide(&posterior)
        };
        let listed = case.listed(&table);
        let labels: Vec<&str> = listed.iter().map(|&i| classes[chosen[i]].as_str()).collect();
        assert_eq!(labels, words(&case.json["labels"]), "{}", case.name);
    }
}

/// scikit-learn's scores are twice those of a Gaussian.
fn check_scores(case: &Case, posterior: &Posterior) {
    let Some(scores) = case.json["scores"].as_array() else { return };
    assert_eq!(scores.len(), posterior.rows());
    for (i, scores) in scores.iter().enumerate() {
        let scores = numbers(scores);
        let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let half: Vec<f64> = scores.iter().map(|score| 0.5 * (score - top)).collect();
        case.close("scores", posterior.relative(i), &half);
    }
}

#[test]
fn centroids_of_scikit_learn_1_9_1() {
    let cases = cases("sklearn_centroids");
    assert_eq!(cases.len(), 30);
    cases.into_iter().for_each(|json| check(&Case::new(json)));
}
