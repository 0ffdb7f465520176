//! Holds bounds and the best plane to exact errors, and both to textbooks and to laws.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::pair::Pair;
use super::*;
use crate::mixture::Mixture;
use crate::special::normal_upper;

/// Errors of the rule that decides for the larger of P_i p_i and P_j p_j, by its two forms.
fn exact(pair: &Pair, (a, b): (f64, f64)) -> (f64, f64) {
    let columns = || pair.shift.iter().zip(&pair.ratio);
    let lns: f64 = pair.ratio.iter().map(|r| 0.5 * r.ln()).sum();
    let first = Form {
        w: columns().map(|(_, r)| 0.5 * (1.0 - 1.0 / r)).collect(),
        b: columns().map(|(d, r)| d / r).collect(),
        c: b - a - lns - columns().map(|(d, r)| 0.5 * d * d / r).sum::<f64>(),
        ..Form::default()
    };
    let second = Form {
        w: columns().map(|(_, r)| 0.5 * (r - 1.0)).collect(),
        b: columns().map(|(d, r)| d * r.sqrt()).collect(),
        c: b - a - lns + columns().map(|(d, _)| 0.5 * d * d).sum::<f64>(),
        ..Form::default()
    };
    (first.tails().above, second.tails().below)
}

fn duda() -> Mixture {
    let means = [vec![3.0, 6.0], vec![3.0, -2.0]];
    Mixture::given(&means, &[vec![0.5, 0.0, 2.0], vec![2.0, 0.0, 2.0]], vec![0.5, 0.5]).unwrap()
}

#[test]
fn the_example_of_duda_hart_and_stork_has_its_errors_and_bounds() {
    // Chapter 2, example 1; mpmath, 50 digits.
    let half = (0.5_f64.ln(), 0.5_f64.ln());
    let near =
        |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-12, "{found}");
    let errors = exact(&duda().pair(0, 1).unwrap(), half);
    near(errors.0, 0.002_061_061_794_225_297);
    near(errors.1, 0.002_085_262_768_147_320_7);
    let bounds = duda().bounds(0, 1, half).unwrap();
    near(bounds.bhattacharyya, 0.008_191_002_721_309_668);
    near(bounds.chernoff, 0.008_189_916_839_395_005);
    let back = duda().bounds(1, 0, half).unwrap();
    assert!((bounds.s + back.s - 1.0).abs() < 1e-9 && bounds.s != 0.5);
    // (m_1 − m_2)ᵀ diag(1.25, 2)⁻¹ (m_1 − m_2) = 64/2.
    assert!((duda().centre_distances().unwrap()[1] - 32.0_f64.sqrt()).abs() < 1e-13);
}

#[test]
fn a_shared_covariance_has_its_plane_in_closed_form() {
    let means = [vec![1e3, 0.0], vec![1e3 + 3.0, 3.0]];
    let mixture = Mixture::given(&means, &[vec![1.1, 0.3, 1.9]], vec![0.5, 0.5]).unwrap();
    // Δ² = (3, 3) Σ⁻¹ (3, 3)ᵀ = 9·(1.9 + 1.1 − 0.6)/2 = 10.8.
    let delta = 10.8_f64.sqrt();
    assert!((mixture.centre_distances().unwrap()[2] - delta).abs() < 1e-13);
    for ratio in [1.0, 9.0, 1e4, 1e-8, 1e60] {
        let (a, b) = (-(1.0_f64 / ratio).ln_1p(), -ratio.ln_1p());
        let rule = mixture.linear_rule(0, 1, (a, b)).unwrap();
        let y = (0.5 * delta + ratio.ln() / delta, 0.5 * delta - ratio.ln() / delta);
        let expected = a.exp() * normal_upper(y.0) + b.exp() * normal_upper(y.1);
        assert!((rule.total / expected - 1.0).abs() < 1e-12, "{ratio} {rule:?} {expected}");
        // w ∝ Σ⁻¹(3, 3) ∝ (1.6, 0.8).
        if rule.threshold.is_finite() {
            assert!((rule.normal[0] / rule.normal[1] - 2.0).abs() < 1e-9, "{rule:?}");
        }
    }
}

#[test]
fn one_component_may_always_be_the_best_answer() {
    let same = Mixture::given(&[vec![1.0], vec![1.0]], &[vec![1.0]], vec![0.5, 0.5]).unwrap();
    let rule = same.linear_rule(0, 1, (0.7_f64.ln(), 0.3_f64.ln())).unwrap();
    assert_eq!((rule.normal[0], rule.threshold), (0.0, f64::INFINITY));
    assert!((rule.total - 0.3).abs() < 1e-15 && rule.errors == (0.0, 1.0));
    let rule = same.linear_rule(0, 1, (f64::NEG_INFINITY, 0.0)).unwrap();
    assert_eq!((rule.threshold, rule.total, rule.errors), (f64::NEG_INFINITY, 0.0, (1.0, 0.0)));
    // The same mean, three times as wide: one threshold t, where φ(t)·½ = φ(t/3)/3·½.
    let wide = [vec![1.0], vec![9.0]];
    let wide = Mixture::given(&[vec![1.0], vec![1.0]], &wide, vec![0.5, 0.5]).unwrap();
    let rule = wide.linear_rule(0, 1, (0.5_f64.ln(), 0.5_f64.ln())).unwrap();
    let t = (3.0_f64.ln() * 2.0 / (1.0 - 1.0 / 9.0)).sqrt();
    let expected = 0.5 * normal_upper(t) + 0.5 * normal_upper(-t / 3.0);
    assert!((rule.total - expected).abs() < 1e-15, "{rule:?} {expected}");
    assert!(((rule.threshold / rule.normal[0] - 1.0).abs() - t).abs() < 1e-9, "{rule:?}");
}

fn pairs() -> impl Strategy<Value = (Mixture, (f64, f64))> {
    let number = -2.0..2.0_f64;
    let vector = || prop::collection::vec(number.clone(), 3);
    let factors = prop::collection::vec(number.clone(), 12);
    (vector(), vector(), factors, -6.0..6.0_f64, any::<bool>()).prop_map(
        |(a, b, l, odds, shared)| {
            // LLᵀ with a diagonal away from 0.
            let matrix = |l: &[f64]| {
                let (p, q, r) = (l[0].exp(), l[1].exp(), l[2].exp());
                let (x, y, z) = (l[3], l[4], l[5]);
                vec![p * p, p * x, x * x + q * q, p * y, x * y + q * z, y * y + z * z + r * r]
            };
            let mut covariances = vec![matrix(&l[..6]), matrix(&l[6..])];
            covariances.truncate(if shared { 1 } else { 2 });
            let mixture = Mixture::given(&[a, b], &covariances, vec![0.5, 0.5]).unwrap();
            (mixture, (-(-odds).exp().ln_1p(), -odds.exp().ln_1p()))
        },
    )
}

/// Errors of a plane, straight from means and covariances.
fn of_plane(mixture: &Mixture, rule: &LinearRule) -> (f64, f64) {
    let n = &rule.normal;
    let at = |k: usize| n.iter().zip(mixture.raw_mean(k)).map(|(n, m)| n * m).sum::<f64>();
    let spread = |k: usize| {
        let c = mixture.raw_covariance(k);
        let pick = |i: usize, j: usize| c[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
        let pairs = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
        pairs.map(|(i, j)| n[i] * n[j] * pick(i, j)).sum::<f64>().sqrt()
    };
    let first = normal_upper((rule.threshold - at(0)) / spread(0));
    (first, normal_upper((at(1) - rule.threshold) / spread(1)))
}

fn seeded() -> ProptestConfig {
    let (rng_seed, failure_persistence) = (RngSeed::Fixed(1962), None);
    ProptestConfig { cases: 300, rng_seed, failure_persistence, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(seeded())]

    #[test]
    fn exact_errors_are_below_the_bounds_and_the_plane((mixture, weights) in pairs()) {
        let pair = mixture.pair(0, 1).unwrap();
        let (p, q) = (weights.0.exp(), weights.1.exp());
        let errors = exact(&pair, weights);
        let error = p * errors.0 + q * errors.1;
        let bounds = mixture.bounds(0, 1, weights).unwrap();
        prop_assert!(error <= bounds.chernoff * (1.0 + 1e-9), "{} {:?}", error, bounds);
        prop_assert!(bounds.chernoff <= bounds.bhattacharyya, "{:?}", bounds);
        let rule = mixture.linear_rule(0, 1, weights).unwrap();
        prop_assert!(rule.total >= error * (1.0 - 1e-9), "{} {:?}", error, rule);
        prop_assert!(rule.total <= p.min(q) * (1.0 + 1e-12), "{:?}", rule);
        // The other way round it is the same.
        let back = mixture.linear_rule(1, 0, (weights.1, weights.0)).unwrap();
        prop_assert!((back.total - rule.total).abs() <= 1e-9 * rule.total, "{:?} {:?}", rule, back);
    }

    #[test]
    fn no_other_plane_errs_less((mixture, weights) in pairs(), seed in any::<u64>()) {
        let rule = mixture.linear_rule(0, 1, weights).unwrap();
        let (p, q) = (weights.0.exp(), weights.1.exp());
        let plane = if rule.threshold.is_finite() {
            let found = of_plane(&mixture, &rule);
            prop_assert!((found.0 - rule.errors.0).abs() < 1e-9, "{:?} {:?}", rule, found);
            prop_assert!((found.1 - rule.errors.1).abs() < 1e-9, "{:?} {:?}", rule, found);
            rule.clone()
        } else {
            LinearRule { normal: vec![1.0, 0.0, 0.0], threshold: 0.0, ..rule.clone() }
        };
        let mut random = crate::Random::new(seed, 0);
        for n in 0..300 {
            let size = if n % 2 == 0 { 1e-3 } else { 3.0 };
            let scale = plane.normal.iter().fold(0.0, |size: f64, w| w.abs().max(size));
            let mut other = plane.clone();
            for w in &mut other.normal {
                *w += size * scale * random.normal_pair().0;
            }
            other.threshold += size * (scale + other.threshold.abs()) * random.normal_pair().0;
            let errors = of_plane(&mixture, &other);
            let error = p * errors.0 + q * errors.1;
            prop_assert!(error >= rule.total * (1.0 - 1e-12), "{:?} {:?} {}", rule, other, error);
        }
    }
}
