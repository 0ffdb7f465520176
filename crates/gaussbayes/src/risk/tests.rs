//! Holds tails of quadratic forms to 34 digits, to two other methods and to laws.

use std::f64::consts::PI;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;

use super::*;
use crate::special::{chi_tails, normal_upper};

fn form(w: &[f64], b: &[f64], c: f64) -> Form {
    Form { w: w.to_vec(), b: b.to_vec(), c, ..Form::default() }
}

/// Each tail relative to itself; near the edge of a support the form owns up to less.
fn assert_tails(form: &Form, below: f64, above: f64, tolerance: f64) {
    let Tails { below: low, above: high, error } = form.tails();
    for (found, expected) in [(low, below), (high, above)] {
        let off = if expected == 0.0 { found } else { (found / expected - 1.0).abs() };
        assert!(off <= tolerance.max(error), "{form:?}: {found} for {expected}, off by {off:e}");
    }
    assert!(error <= 1e-6, "{form:?} {error:e}");
}

#[test]
fn forms_have_the_tails_of_mpmath() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/golden/exact_tails.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let numbers = |value: &Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let mut count = 0;
    for case in file["cases"].as_array().unwrap().iter().filter(|case| case["w"].is_array()) {
        let number = |key: &str| case[key].as_f64().unwrap();
        let form = form(&numbers(&case["w"]), &numbers(&case["b"]), number("c"));
        assert_tails(&form, number("below"), number("above"), number("tolerance"));
        count += 1;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn nearly_equal_covariances_end_in_the_normal_tail() {
    // N(0, I) against N(m, (1 + h)I), m = (2, 0): Q = −½‖z‖² + ½‖z − m‖²/(1 + h) + ln(1 + h) < 0.
    let equal = normal_upper(1.0);
    for power in 1..=17 {
        let h = 10.0_f64.powi(-power);
        let w = -0.5 * h / (1.0 + h);
        let found = form(&[w, w], &[-2.0 / (1.0 + h), 0.0], 2.0 / (1.0 + h) + h.ln_1p()).tails();
        assert!((found.below / equal - 1.0).abs() < 2.0 * h + 1e-14, "{h} {found:?}");
    }
    let zero = form(&[0.0, 0.0], &[-2.0, 0.0], 2.0).tails();
    assert_eq!(zero.below, equal);
}

#[test]
fn forms_without_spread_or_beyond_their_support_are_certain() {
    let certain = |form: Form| {
        let tails = form.tails();
        (tails.below, tails.above, tails.error)
    };
    assert_eq!(certain(form(&[0.0], &[0.0], 2.0)), (0.0, 1.0, 0.0));
    assert_eq!(certain(form(&[0.0], &[0.0], -2.0)), (1.0, 0.0, 0.0));
    assert_eq!(certain(form(&[], &[], 0.0)), (0.0, 0.0, 0.0));
    assert_eq!(certain(form(&[1.0, 2.0], &[0.0, 0.0], 0.0)), (0.0, 1.0, 0.0));
    assert_eq!(certain(form(&[-1.0, -2.0], &[0.0, 0.0], -1e-300)), (1.0, 0.0, 0.0));
    assert_eq!(certain(form(&[1.0], &[2.0], 1.0)), (0.0, 1.0, 0.0));
    assert_eq!(certain(form(&[1.0], &[2.0], f64::NEG_INFINITY)), (1.0, 0.0, 0.0));
    assert_eq!(certain(form(&[1.0], &[2.0], -1e300)), (1.0, 0.0, 0.0));
    assert_eq!(certain(form(&[1e300, -1.0], &[0.0, 0.0], 1e305)), (0.0, 1.0, 0.0));
}

#[test]
fn spheres_have_the_tails_of_chi() {
    for dim in [1, 2, 3, 7, 50] {
        for r in [0.01, 0.4, 1.0, 2.5, 8.0, 30.0] {
            let chi = chi_tails(dim, r);
            let sphere = form(&vec![3.0; dim], &vec![0.0; dim], -3.0 * r * r);
            if chi.below > 1e-290 && chi.above > 1e-290 {
                assert_tails(&sphere, chi.below, chi.above, 1e-11);
            }
        }
    }
}

/// P(w z² + b z + c > 0) by the roots, for w > 0.
fn by_roots(w: f64, b: f64, c: f64) -> f64 {
    let inside = b * b - 4.0 * w * c;
    if inside <= 0.0 {
        return 1.0;
    }
    let far = -0.5 * (b + inside.sqrt().copysign(b));
    let (one, other) = (far / w, c / far);
    normal_upper(one.max(other)) + normal_upper(-one.min(other))
}

/// Ruben 1962: P(Σ w_j (z_j + m_j)² < q) as a mixture of χ² laws, all w > 0.
fn by_ruben(w: &[f64], m: &[f64], q: f64) -> f64 {
    let least = w.iter().copied().fold(f64::INFINITY, f64::min);
    let shares: Vec<f64> = w.iter().map(|w| 1.0 - least / w).collect();
    let ln_first: f64 = w.iter().zip(m).map(|(w, m)| 0.5 * (least / w).ln() - 0.5 * m * m).sum();
    let (mut a, mut g) = (vec![ln_first.exp()], Vec::new());
    let mut sum = 0.0;
    for k in 0..2000 {
        if k > 0 {
            let term = |((w, m), s): ((&f64, &f64), &f64)| {
                s.powi(k) + f64::from(k) * m * m * (least / w) * s.powi(k - 1)
            };
            g.push(w.iter().zip(m).zip(&shares).map(term).sum::<f64>());
            let next: f64 = g.iter().rev().zip(&a).map(|(g, a)| g * a).sum();
            a.push(next / (2.0 * f64::from(k)));
        }
        let last = a[k as usize] * chi_tails(w.len() + 2 * k as usize, (q / least).sqrt()).below;
        sum += last;
        if k > 20 && last < 1e-17 * sum {
            break;
        }
    }
    sum
}

/// Imhof 1961: P(Q > 0) = ½ + 1/π ∫ sin θ(u)/(u ρ(u)) du, by a fine trapezoidal rule; any signs.
fn by_imhof(form: &Form) -> f64 {
    let at = |u: f64| {
        let (mut angle, mut ln) = (0.5 * form.c * u, 0.0);
        for (w, b) in form.w.iter().zip(&form.b) {
            let square = 1.0 + u * u * w * w;
            angle += 0.5 * (w * u).atan() - 0.125 * b * b * w * u.powi(3) / square;
            ln -= 0.25 * square.ln() + 0.125 * b * b * u * u / square;
        }
        ln.exp() * angle.sin() / u
    };
    let step = 2e-4;
    let sum: f64 = (0..2_000_000).map(|n| at(step * (f64::from(n) + 0.5))).sum();
    0.5 + sum * step / PI
}

#[test]
fn three_other_methods_agree() {
    for (w, b, c) in [(1.0, 0.3, -2.0), (0.1, -4.0, 1.0), (2.0, 0.0, -1400.0), (1e-9, 1.0, -5.0)] {
        let above = by_roots(w, b, c);
        let found = form(&[w], &[b], c).tails();
        assert!((found.above / above - 1.0).abs() < 1e-12, "{w} {b} {c} {found:?} {above}");
    }
    let (w, m) = ([6.0, 3.0, 1.0, 2.5], [0.5, -1.0, 0.0, 0.2]);
    let b: Vec<f64> = w.iter().zip(&m).map(|(w, m)| 2.0 * w * m).collect();
    let squares: f64 = w.iter().zip(&m).map(|(w, m)| w * m * m).sum();
    for q in [0.01, 1.0, 10.0, 40.0] {
        let found = form(&w, &b, squares - q).tails().below;
        assert!((found / by_ruben(&w, &m, q) - 1.0).abs() < 1e-11, "{q} {found}");
    }
    let mixed = form(&[1.0, -0.7, 0.2, 0.5, -0.1, 0.3], &[1.0, 0.5, -2.0, 0.0, 0.3, 1.0], -1.0);
    let (found, imhof) = (mixed.tails().above, by_imhof(&mixed));
    assert!((found - imhof).abs() < 1e-10, "{found} {imhof}");
}

fn forms() -> impl Strategy<Value = Form> {
    let weight = (-1.0..1.0_f64, -12..2_i32).prop_map(|(x, e)| x * 10.0_f64.powi(e));
    let column = (weight.clone(), weight);
    (prop::collection::vec(column, 1..9), -6.0..6.0_f64).prop_map(|(columns, at)| {
        let (w, b): (Vec<f64>, Vec<f64>) = columns.into_iter().unzip();
        let spread = w.iter().zip(&b).map(|(w, b)| 2.0 * w * w + b * b).sum::<f64>().sqrt();
        let c = at * spread - w.iter().sum::<f64>();
        Form { w, b, c, ..Form::default() }
    })
}

/// The same cases in every run.
fn seeded() -> ProptestConfig {
    let (rng_seed, failure_persistence) = (RngSeed::Fixed(1961), None);
    ProptestConfig { cases: 2000, rng_seed, failure_persistence, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(seeded())]

    #[test]
    fn tails_are_chances_with_an_error(form in forms()) {
        let tails = form.tails();
        prop_assert!((tails.below + tails.above - 1.0).abs() < 1e-12, "{:?}", tails);
        prop_assert!((0.0..=1.0).contains(&tails.below) && tails.error < 1e-8, "{:?}", tails);
    }

    #[test]
    fn a_larger_constant_leaves_less_below(form in forms(), more in 0.01..1.0_f64) {
        let spread: f64 = form.w.iter().zip(&form.b).map(|(w, b)| 2.0 * w * w + b * b).sum();
        let at = form.tails_at(&[0.0, more * spread.sqrt()]);
        prop_assert!(at[0].below <= at[1].below * (1.0 + 1e-12), "{:?}", at);
        prop_assert!(at[0].above >= at[1].above * (1.0 - 1e-12), "{:?}", at);
    }

    #[test]
    fn neither_a_factor_nor_a_sign_changes_the_chances(form in forms(), factor in -9.0..9.0_f64) {
        let times = |factor: f64| Form {
            w: form.w.iter().map(|w| w * factor).collect(),
            b: form.b.iter().map(|b| b * factor).collect(),
            c: form.c * factor,
            ..Form::default()
        };
        let (one, other, turned) = (form.tails(), times(factor.exp()).tails(), times(-1.0).tails());
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.min(b);
        prop_assert!(near(one.below, other.below) && near(one.above, other.above));
        prop_assert!(near(one.below, turned.above) && near(one.above, turned.below));
    }
}
