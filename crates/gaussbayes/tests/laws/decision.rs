//! Posteriors are distributions, and decisions depend on costs only as they must: [M11] to [M15].

use gaussbayes::{Action, Loss, Posterior, Random, Scores};
use proptest::prelude::*;

use super::support::{fit, models};
use super::{random_table, seeded};

fn scores(seed: u64, rows: usize, classes: usize, size: f64) -> Scores {
    let mut random = Random::new(seed, 1);
    let relative = (0..rows * classes).map(|_| size * random.normal_pair().0).collect();
    Scores { components: classes, common: vec![0.0; rows], relative }
}

fn costs(seed: u64, classes: usize) -> Vec<f64> {
    let mut random = Random::new(seed, 2);
    (0..classes * classes).map(|_| (10.0 * random.normal_pair().0).round()).collect()
}

fn loss(classes: usize, costs: Vec<f64>) -> Loss {
    Loss::new(classes, (0..classes).map(Action::Class).collect(), costs).unwrap()
}

proptest! {
    #![proptest_config(seeded(48))]

    #[test]
    fn posteriors_sum_to_one_and_ignore_what_all_scores_share(
        seed in any::<u64>(), classes in 1usize..6,
        size in prop::sample::select(vec![1e-3, 1.0, 1e3, 1e300]),
        common in prop::sample::select(vec![-1e250, -3.0, 1e5]),
    ) {
        let scores = scores(seed, 20, classes, size);
        let mut moved = scores.clone();
        moved.common.fill(common);
        let (a, b) = (Posterior::from_scores(scores), Posterior::from_scores(moved));
        for i in 0..20 {
            let sum: f64 = a.probs(i).sum();
            prop_assert!((sum - 1.0).abs() < 1e-14, "{sum}");
            prop_assert!(a.probs(i).eq(b.probs(i)));
            prop_assert!(b.log_evidence(i).is_finite());
        }
    }

    #[test]
    fn decisions_from_scores_are_those_from_posteriors(
        seed in any::<u64>(), classes in 2usize..6,
        size in prop::sample::select(vec![1e-3, 1.0, 1e3, 1e300]),
    ) {
        let scores = scores(seed, 20, classes, size);
        let posterior = Posterior::from_scores(scores.clone());
        let any = loss(classes, costs(seed, classes));
        for loss in [Loss::zero_one(classes), any.with_reject(0.5).unwrap(), any] {
            prop_assert_eq!(loss.decide_scores(&scores), loss.decide(&posterior));
        }
    }

    #[test]
    fn models_give_posteriors_that_sum_to_one(seed in any::<u64>(), dim in 1usize..5) {
        let table = random_table(seed, 60, dim, 3);
        for (name, spec) in models() {
            let classifier = fit(&spec, &table).unwrap().classifier;
            for row in super::support::posteriors(&classifier, &table) {
                let sum: f64 = row.iter().sum();
                prop_assert!((sum - 1.0).abs() < 1e-14, "{name}: {sum}");
            }
        }
    }

    #[test]
    fn decisions_ignore_the_unit_of_costs_and_what_a_class_costs_anyway(
        seed in any::<u64>(), classes in 2usize..5, factor in 0.01f64..100.0,
    ) {
        let posterior = Posterior::from_scores(scores(seed, 40, classes, 2.0));
        let costs = costs(seed, classes);
        let plain = loss(classes, costs.clone()).decide(&posterior);
        let scaled = costs.iter().map(|c| factor * c).collect();
        prop_assert_eq!(&plain, &loss(classes, scaled).decide(&posterior));
        let moved = costs.iter().enumerate().map(|(at, c)| c + [3.0, -50.0, 7.0, 0.0][at / classes]);
        prop_assert_eq!(&plain, &loss(classes, moved.collect()).decide(&posterior));
    }

    #[test]
    fn the_decision_is_the_least_risk(seed in any::<u64>(), classes in 2usize..5, reject in -5.0f64..5.0) {
        let posterior = Posterior::from_scores(scores(seed, 40, classes, 2.0));
        let plain = loss(classes, costs(seed, classes));
        for loss in [plain.with_reject(reject).unwrap(), plain] {
            for (i, action) in loss.decide(&posterior).into_iter().enumerate() {
                let risks = loss.risks(&posterior, i);
                let least = risks.iter().copied().fold(f64::INFINITY, f64::min);
                prop_assert!(risks[action] <= least + 1e-12 * (1.0 + least.abs()), "{risks:?} {action}");
            }
        }
    }

    #[test]
    fn a_two_class_rule_is_a_threshold_on_the_likelihood_ratio(
        seed in any::<u64>(), prior in 0.01f64..0.99, a in 0.1f64..10.0, b in 0.1f64..10.0,
    ) {
        let priors = [prior, 1.0 - prior];
        let mut scores = scores(seed, 50, 2, 3.0);
        let ratio: Vec<f64> = scores.relative.chunks(2).map(|row| row[0] - row[1]).collect();
        scores.relative.iter_mut().enumerate().for_each(|(at, s)| *s += priors[at % 2].ln());
        let posterior = Posterior::from_scores(scores);
        let loss = loss(2, vec![0.0, a, b, 0.0]);
        let threshold = loss.threshold(&priors).unwrap();
        let by_ratio = Loss::likelihood_ratio(threshold, &priors).unwrap();
        let expected: Vec<usize> =
            ratio.iter().map(|ratio| usize::from(*ratio <= threshold.ln())).collect();
        prop_assert_eq!(&loss.decide(&posterior), &expected);
        prop_assert_eq!(&by_ratio.decide(&posterior), &expected);
    }
}

#[test]
fn far_less_likely_classes_still_decide_between_equal_costs() {
    // The third class is certain, and costs the same whatever is said of the others: between
    // actions 0 and 1 only posteriors of e^-800 and e^-801 can decide.
    let scores = Scores { components: 3, common: vec![0.0], relative: vec![-801.0, -800.0, 0.0] };
    let posterior = Posterior::from_scores(scores);
    let actions = vec![Action::Class(0), Action::Class(1)];
    let loss = Loss::new(3, actions, vec![0.0, 1.0, 1.0, 0.0, 5.0, 5.0]).unwrap();
    assert_eq!(loss.decide(&posterior), [1]);
}
