//! Holds tails to numbers of 50 digits, and quantiles to the tails.

use serde_json::Value;

use super::normal::{ln_upper_quantile, mills, upper_quantile};
use super::*;

fn golden(name: &str) -> (f64, Vec<Vec<f64>>) {
    golden_of("exact_tails", name)
}

fn golden_of(file: &str, name: &str) -> (f64, Vec<Vec<f64>>) {
    let path = format!("{}/../../testdata/golden/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = file["cases"].as_array().unwrap();
    let case = cases.iter().find(|case| case["name"] == name).unwrap();
    let row = |row: &Value| row.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let rows = case[name].as_array().unwrap().iter().map(row).collect();
    (case["tolerance"].as_f64().unwrap(), rows)
}

fn off(found: f64, expected: f64) -> f64 {
    if expected == 0.0 { found.abs() } else { (found / expected - 1.0).abs() }
}

#[test]
fn normal_tails_are_those_of_mpmath() {
    let (tolerance, rows) = golden("normal");
    for row in rows {
        let (x, upper, log) = (row[0], row[1], row[2]);
        assert!(off(normal_upper(x), upper) <= tolerance, "{x} {} {upper}", normal_upper(x));
        assert!(off(ln_normal_upper(x), log) <= tolerance, "{x} {} {log}", ln_normal_upper(x));
    }
}

#[test]
fn chi_tails_are_those_of_mpmath() {
    let (tolerance, rows) = golden("chi");
    for row in rows {
        let found = chi_tails(row[0] as usize, row[1]);
        let tails = [found.below, found.above, found.ln_below, found.ln_above];
        for (found, expected) in tails.into_iter().zip(&row[2..]) {
            assert!(off(found, *expected) <= tolerance, "{row:?} {found}");
        }
    }
}

#[test]
fn orthants_are_those_of_mpmath() {
    let (tolerance, rows) = golden("orthant");
    for row in rows {
        for found in [orthant(row[0], row[1], row[2]), orthant(row[1], row[0], row[2])] {
            assert!(off(found, row[3]) <= tolerance, "{row:?} {found}");
        }
    }
}

#[test]
fn quantiles_undo_tails() {
    for x in
        [-37.0_f64, -6.0, -0.7, -1e-12, 0.0, 1e-300, 0.3, 0.674, 0.675, 1.0, 4.0, 5.0, 20.0, 37.0]
    {
        // Rounding of the tail is that of x times P/(xφ).
        let bound = 1e-15 * (1.0 + mills(x.abs()));
        let tail = normal_upper(x.abs());
        let found = upper_quantile(tail).copysign(x);
        assert!((found - x).abs() <= bound * x.abs().max(1.0), "{x} {found}");
        assert!((normal_quantile(tail) + x.abs()).abs() <= bound * x.abs().max(1.0));
    }
    // mpmath, 50 digits: the quantile of ½ + 10⁻¹², and that of a tail of e^(−10⁶).
    assert!(off(normal_quantile(0.5 + 2.0_f64.powi(-40)), 2.279_765_135_091_111_5e-12) < 1e-15);
    assert!(off(ln_upper_quantile(-1e6), 1_414.207_782_991_017_3) < 1e-15);
    assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
    assert_eq!(normal_quantile(1.0), f64::INFINITY);
    assert_eq!(normal_quantile(0.5), 0.0);
}

#[test]
fn tails_of_students_law_are_those_of_mpmath() {
    let (tolerance, rows) = golden_of("exact_judging", "student");
    assert!(rows.len() > 90);
    for row in rows {
        for t in [row[0], -row[0]] {
            let found = student_two_sided(t, row[1]);
            assert!(off(found, row[2]) <= tolerance, "{row:?} {found}");
        }
    }
    assert_eq!((student_two_sided(0.0, 3.0), student_two_sided(f64::INFINITY, 3.0)), (1.0, 0.0));
}
