//! Holds errors, bounds, linear rules and thresholds to `exact_risk.json`.

use gaussbayes::{On, Pool, RiskOptions};

use super::{cases, classifier, close, list, number, table, truth};

#[test]
fn chances_of_every_action() {
    let pool = Pool::new(1).unwrap();
    let all = cases("exact_risk", "risk");
    assert_eq!(all.len(), 87);
    for case in &all {
        let (name, tolerance) = (case["name"].as_str().unwrap(), number(&case["tolerance"]));
        let (rule, truth) = (classifier(case), truth(case));
        let found = rule.risk(truth.as_ref(), &RiskOptions::default(), On::pool(&pool)).unwrap();
        assert!(!found.method.is_estimate(), "{name}: {:?}", found.method);
        close(name, "total", found.total.value, number(&case["total"]), tolerance);
        let cells: Vec<f64> = table(&case["confusion"]).concat();
        for (k, (cell, expected)) in found.confusion.iter().zip(&cells).enumerate() {
            close(name, &format!("cell {k}"), cell.value, *expected, tolerance);
            // What it says of its own error is true, to the digits of the reference.
            let off = (cell.value - expected).abs();
            assert!(
                off <= cell.error + 4.0 * f64::EPSILON * expected,
                "{name}, {k}: {off:e} {cell:?}"
            );
        }
        for (found, expected) in found.per_class.iter().zip(list(&case["per_class"])) {
            close(name, "a class", found.value, expected, tolerance);
        }
    }
}

#[test]
fn bounds_and_their_exponents() {
    let all = cases("exact_risk", "bounds");
    assert_eq!(all.len(), 9);
    for case in &all {
        let (name, tolerance) = (case["name"].as_str().unwrap(), number(&case["tolerance"]));
        let found = classifier(case).bounds(None).unwrap().unwrap();
        close(
            name,
            "Bhattacharyya",
            found.bhattacharyya,
            number(&case["bhattacharyya"]),
            tolerance,
        );
        close(name, "Chernoff", found.chernoff, number(&case["chernoff"]), tolerance);
        // At the minimum the bound hardly moves: s is known to the root of its digits.
        assert!((found.pairs[0].2.s - number(&case["s"])).abs() < 1e-6, "{name}");
    }
}

#[test]
fn best_linear_rules() {
    let all = cases("exact_risk", "linear rule");
    assert_eq!(all.len(), 6);
    for case in &all {
        let name = case["name"].as_str().unwrap();
        let rule = classifier(case);
        let weights = rule.mixture().unwrap().weights();
        let found =
            rule.mixture().unwrap().linear_rule(0, 1, (weights[0].ln(), weights[1].ln())).unwrap();
        close(name, "total", found.total, number(&case["total"]), number(&case["tolerance"]));
        let length = found.normal.iter().map(|w| w * w).sum::<f64>().sqrt();
        // As s of a bound: the total is flat there.
        for (w, expected) in found.normal.iter().zip(list(&case["normal"])) {
            assert!((w / length - expected).abs() < 1e-6, "{name}: {found:?}");
        }
        assert!((found.threshold / length - number(&case["threshold"])).abs() < 1e-5, "{name}");
    }
}

#[test]
fn thresholds_by_a_given_error() {
    let all = cases("exact_risk", "neyman-pearson");
    assert_eq!(all.len(), 8);
    for case in &all {
        let name = case["name"].as_str().unwrap();
        let found = classifier(case).neyman_pearson(0, number(&case["level"])).unwrap();
        close(name, "the given error", found.errors[0].value, number(&case["level"]), 1e-11);
        close(name, "the other error", found.errors[1].value, number(&case["other_error"]), 1e-11);
        let off = (found.log_threshold - number(&case["log_ratio"])).abs();
        assert!(off < 1e-11 * (1.0 + found.log_threshold.abs()), "{name} {off:e}");
    }
}

#[test]
fn least_favourable_priors() {
    let all = cases("exact_risk", "minimax");
    assert_eq!(all.len(), 6);
    for case in &all {
        let name = case["name"].as_str().unwrap();
        let found = classifier(case).minimax().unwrap();
        close(name, "cost", found.cost, number(&case["value"]), 1e-12);
        close(name, "prior", found.priors[0], number(&case["prior"]), 1e-11);
        for (found, expected) in found.rule.errors.iter().zip(list(&case["errors"])) {
            close(name, "error", found.value, expected, 1e-11);
        }
    }
}
