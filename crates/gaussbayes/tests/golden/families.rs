//! The fourteen families against mclust, with hard and with soft memberships: [M6] [M25] [M26].

use gaussbayes::{Memberships, Mixture, Moments, Priors, Score, Storage, Table};
use serde_json::Value;

use crate::case::{Case, cases, rows, words};
use crate::support::{fit_with, labels};

/// Σ_i Σ_k z_ik ln π_k p(x_i|C_k).
fn log_joint(mixture: &Mixture, table: &Table, memberships: &[Vec<f64>]) -> f64 {
    let scores = mixture.scores(&table.block(0..table.rows()).unwrap()).unwrap();
    let row = |(i, z): (usize, &Vec<f64>)| -> f64 {
        let score = |k: usize| scores.common[i] + scores.relative[i * z.len() + k];
        z.iter().enumerate().filter(|(_, z)| **z > 0.0).map(|(k, z)| z * score(k)).sum()
    };
    memberships.iter().enumerate().map(row).sum()
}

/// Memberships that a case lists, or those of its labels.
fn memberships(case: &Case, table: &Table) -> Vec<Vec<f64>> {
    if !case.json["memberships"].is_null() {
        return rows(&case.json["memberships"]);
    }
    let classes = table.classes();
    let block = table.block(0..table.rows()).unwrap();
    let row = |i: usize| {
        let label = block.label(i).unwrap();
        classes.iter().map(|class| f64::from(u8::from(class == label))).collect()
    };
    (0..table.rows()).map(row).collect()
}

#[test]
fn every_family_is_that_of_mclust() {
    let cases = cases("mclust_families");
    assert_eq!(cases.len(), 3 * 14);
    for json in cases {
        let case = Case::new(json);
        let table = case.table();
        let (spec, _) = case.spec();
        let z = memberships(&case, &table);
        let block = table.block(0..table.rows()).unwrap();
        let soft = z.concat();
        let moments =
            Moments::of_block(&block, Memberships::Soft(&soft), z[0].len(), Storage::Full).unwrap();
        let estimate = spec.estimate(&moments, &Priors::Observed, None).unwrap();
        case.check_model(&estimate.mixture);
        let iterates = ["VEI", "VEE", "EVE", "VVE", "VEV"].contains(&spec.family.name());
        let convergence = estimate.report.convergence;
        assert_eq!(convergence.is_some(), iterates, "{}", case.name);
        assert!(convergence.is_none_or(|c| c.converged && c.steps < 500), "{convergence:?}");
        let count = spec.family.covariance_parameters(z[0].len(), table.dim);
        assert_eq!(Value::from(count), case.json["parameters"], "{}", case.name);
        let found = log_joint(&estimate.mixture, &table, &z);
        for key in ["log_joint", "best_log_joint"] {
            if let Some(expected) = case.json[key].as_f64() {
                case.close(key, &[found], &[expected]);
            }
        }
    }
}

#[test]
fn every_family_classifies_as_mclust_does() {
    for json in cases("mclust_families") {
        let case = Case::new(json);
        if case.json["labels"].is_null() {
            continue;
        }
        let (spec, priors) = case.spec();
        let table = case.table();
        let classifier = fit_with(&spec, &priors, &table).unwrap().classifier;
        assert_eq!(labels(&classifier, &table), words(&case.json["labels"]), "{}", case.name);
        let block = table.block(0..table.rows()).unwrap();
        let posterior = classifier.predict(&block).unwrap().posterior;
        let evidence: f64 = (0..posterior.rows()).map(|i| posterior.log_evidence(i)).sum();
        let expected = case.json["log_evidence_sum"].as_f64().unwrap();
        case.close("log evidence", &[evidence], &[expected]);
    }
}
