//! Holds risks to counts of simulated rows.

use super::*;

/// Random models of up to ten columns and four classes against simulations.
fn hold(models: u32, draws: u64) {
    let mut random = Random::new(50, 0);
    for case in 0..models {
        let dim = 2 + random.below(9) as usize;
        let classes = 2 + random.below(3) as usize;
        let shared = case % 5 == 4;
        let (means, covariances, weights) =
            random_model(dim, classes, shared, 1.6 / (dim as f64).sqrt(), &mut random);
        let loss = match case % 4 {
            3 => Loss::zero_one(classes).with_reject(0.3).unwrap(),
            2 => {
                let cost = |at: usize| {
                    if at.is_multiple_of(classes + 1) { 0.0 } else { 0.5 + (at % 3) as f64 }
                };
                costs(classes, &(0..classes * classes).map(cost).collect::<Vec<f64>>())
            }
            _ => Loss::zero_one(classes),
        };
        let rule = classifier(&means, &covariances, &weights, loss);
        let lattice = RiskOptions { directions: 1 << 12, ..RiskOptions::default() };
        let found = risk(&rule, &lattice);
        let seed = u64::from(case);
        let counted = risk(&rule, &RiskOptions { draws, seed, ..by(Method::Simulation) });
        for (a, b) in found.confusion.iter().zip(&counted.confusion) {
            let apart = (a.value - b.value).abs();
            // Some 400 cells at 99.9 %: one in a while is beyond its interval, none by half.
            assert!(
                apart <= 1.35 * (a.error + b.error),
                "case {case}, {:?}: {a:?} {b:?}",
                found.method
            );
        }
        assert!(
            (found.total.value - counted.total.value).abs()
                <= found.total.error + counted.total.error
        );
    }
}

/// `cargo xtask slow` asks for ten million rows a class.
#[test]
fn fifty_random_models() {
    let draws = std::env::var("GAUSSBAYES_DRAWS").ok().and_then(|draws| draws.parse().ok());
    hold(50, draws.unwrap_or(100_000));
}
