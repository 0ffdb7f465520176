//! Compares methods that have nothing in common but the answer.

use super::*;

fn agree(one: &Risk, other: &Risk, relative: f64) {
    for (a, b) in one.confusion.iter().zip(&other.confusion) {
        let bar = a.error + b.error + relative * a.value.min(b.value) + 1e-290;
        assert!(
            (a.value - b.value).abs() <= bar,
            "{:?} {a:?} {:?} {b:?}",
            one.method,
            other.method
        );
    }
    for row in one.confusion.chunks(one.confusion.len() / one.per_class.len()) {
        assert!((row.iter().map(|p| p.value).sum::<f64>() - 1.0).abs() < 1e-14);
    }
}

#[test]
fn quadratic_forms_and_rays_in_the_plane() {
    let mut random = Random::new(1, 0);
    for case in 0..30 {
        let (means, covariances, weights) =
            random_model(2, 2, false, 0.5 + f64::from(case) / 6.0, &mut random);
        let loss = match case % 3 {
            0 => Loss::zero_one(2),
            1 => Loss::zero_one(2).with_reject(0.2).unwrap(),
            _ => costs(2, &[0.0, 3.0, 1.0, 0.1]),
        };
        let rule = classifier(&means, &covariances, &weights, loss);
        let (form, rays) = (risk(&rule, &RiskOptions::default()), risk(&rule, &by(Method::Rays)));
        assert!(matches!(form.method, Method::Form | Method::Certain));
        agree(&form, &rays, 1e-11);
        for cell in &rays.confusion {
            assert!(cell.error <= 1e-11 * cell.value + 1e-15, "case {case}: {cell:?}");
        }
    }
}

#[test]
fn intervals_and_forms_in_one_dimension() {
    let mut random = Random::new(2, 0);
    for case in 0..60 {
        let (means, covariances, weights) = random_model(1, 2, case % 2 == 0, 2.0, &mut random);
        let loss = if case % 3 == 0 {
            Loss::zero_one(2).with_reject(0.1).unwrap()
        } else {
            Loss::zero_one(2)
        };
        let rule = classifier(&means, &covariances, &weights, loss);
        agree(&risk(&rule, &by(Method::Intervals)), &risk(&rule, &by(Method::Form)), 1e-11);
    }
}

#[test]
fn projections_and_rays() {
    let mut random = Random::new(3, 0);
    for case in 0..20 {
        // Three means on a line: one direction decides, or two.
        let (mut means, covariances, weights) = random_model(2, 3, true, 1.5, &mut random);
        if case % 2 == 0 {
            means[2] = means[0].iter().zip(&means[1]).map(|(a, b)| 2.0 * a - b).collect();
        }
        let loss = if case % 4 < 2 {
            Loss::zero_one(3)
        } else {
            Loss::zero_one(3).with_reject(0.25).unwrap()
        };
        let rule = classifier(&means, &covariances, &weights, loss);
        let found = risk(&rule, &RiskOptions::default());
        assert_eq!(found.columns, if case % 2 == 0 { 1 } else { 2 });
        agree(&found, &risk(&rule, &by(Method::Rays)), 1e-11);
    }
}

#[test]
fn lattices_and_quadratic_forms() {
    let mut random = Random::new(4, 0);
    for _ in 0..4 {
        let (means, covariances, weights) = random_model(5, 2, false, 0.8, &mut random);
        let rule = zero_one(&means, &covariances, &weights);
        let many = RiskOptions { directions: 1 << 18, ..by(Method::Lattice) };
        let lattice = risk(&rule, &many);
        assert!(lattice.total.error < 5e-3 * lattice.total.value, "{:?}", lattice.total);
        agree(&risk(&rule, &RiskOptions::default()), &lattice, 0.0);
    }
}

#[test]
fn lattices_and_projections_of_three_classes() {
    let mut random = Random::new(5, 0);
    let (means, covariances, weights) = random_model(6, 3, true, 0.8, &mut random);
    let rule = zero_one(&means, &covariances, &weights);
    let found = risk(&rule, &RiskOptions::default());
    assert_eq!((found.method, found.columns), (Method::Orthants, 2));
    let rays = risk(&rule, &by(Method::Rays));
    assert_eq!((rays.method, rays.columns), (Method::Rays, 2));
    agree(&found, &rays, 1e-13);
    let lattice = risk(&rule, &by(Method::Lattice));
    assert_eq!(lattice.columns, 6);
    agree(&found, &lattice, 0.0);
    let (low, high) = found.pairwise.unwrap();
    assert!(low.value <= found.error_rate.value && found.error_rate.value <= high.value);
}

#[test]
fn lattices_are_the_same_for_any_number_of_threads() {
    let mut random = Random::new(6, 0);
    let (means, covariances, weights) = random_model(4, 3, false, 1.0, &mut random);
    let rule = zero_one(&means, &covariances, &weights);
    for method in [Method::Lattice, Method::Simulation] {
        let how = RiskOptions { directions: 1 << 14, draws: 20_000, seed: 5, ..by(method) };
        let on = |threads| rule.risk(None, &how, On::pool(&Pool::new(threads).unwrap())).unwrap();
        assert_eq!(on(1), on(3));
    }
}

#[test]
fn five_classes_with_reject_in_the_plane() {
    let means = [[0.0, 0.0], [2.0, 0.0], [1.0, 2.0], [-1.0, 1.0], [0.0, -2.0]].map(|m| m.to_vec());
    let covariances = [
        vec![1.0, 0.2, 1.5],
        vec![0.5, 0.1, 1.0],
        vec![1.0, -0.4, 0.7],
        vec![2.0, 0.0, 1.0],
        vec![0.4, 0.0, 0.3],
    ];
    let loss = Loss::zero_one(5).with_reject(0.2).unwrap();
    let rule = classifier(&means, &covariances, &[0.2; 5], loss);
    let rays = risk(&rule, &RiskOptions::default());
    assert_eq!(rays.method, Method::Rays);
    assert!(rays.confusion.iter().all(|cell| cell.error <= 1e-10 * cell.value + 1e-15), "{rays:?}");
    agree(&rays, &risk(&rule, &RiskOptions { directions: 1 << 14, ..by(Method::Lattice) }), 0.0);
}
