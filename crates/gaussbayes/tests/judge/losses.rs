//! Brier score and calibration are sums over rows, whatever the rows come in: [M82], [M83].

use gaussbayes::{
    Classifier, CovarianceSpec, Folds, JudgeSweep, Judgement, Label, Loss, Measure, Merge, Mixture,
    On, Pool, Sweep, Table, contrast, cross_validate_all,
};

use crate::support::{features, iris, left_out, left_out_posterior, table};
use crate::{candidates, narrowed};

/// N(0, 1) against N(2, 1) with equal priors: the log odds of b at x are 2x − 2.
fn two_normals() -> Classifier {
    let means = [vec![0.0], vec![2.0]];
    let mixture = Mixture::given(&means, &[vec![1.0]], vec![0.5, 0.5]).unwrap();
    let classes = vec![Label::from("a"), Label::from("b")];
    Classifier::new(mixture, classes, vec!["x".into()], Loss::zero_one(2)).unwrap()
}

fn judged(classifier: &Classifier, table: &Table) -> Judgement {
    JudgeSweep(classifier).block(&table.block(0..table.rows()).unwrap()).unwrap()
}

#[test]
fn a_brier_score_and_a_calibration_error_by_hand() {
    let rows = table(&[vec![1.0], vec![1.2], vec![1.25], vec![3.0]], &["a", "b", "a", "b"]);
    let found = judged(&two_normals(), &rows);
    // P(b): ½, s(0.4) = 0.599, s(0.5) = 0.622, s(4) = 0.982 with s(u) = 1/(1 + e^−u).
    let s = |u: f64| 1.0 / (1.0 + (-u).exp());
    let missed = [0.5, 1.0 - s(0.4), s(0.5), 1.0 - s(4.0)];
    let brier: f64 = missed.iter().map(|p| 2.0 * p * p / 4.0).sum();
    assert!((found.brier() - brier).abs() < 1e-15, "{} {brier}", found.brier());
    // 0.5 and 0.599 share a bin (a wins the tie, both are right), 0.622 is wrong, 0.982 right.
    let bins = found.reliability();
    assert_eq!(bins.len(), 10);
    let full: Vec<usize> = (0..10).filter(|&b| bins[b].weight > 0.0).collect();
    assert_eq!(full, [5, 6, 9]);
    assert_eq!((bins[5].weight, bins[5].accuracy), (2.0, Some(1.0)));
    assert_eq!((bins[6].accuracy, bins[9].accuracy), (Some(0.0), Some(1.0)));
    assert_eq!((bins[0].confidence, bins[0].accuracy), (None, None));
    let gap = ((1.5 - s(0.4)).abs() + s(0.5) + (1.0 - s(4.0))) / 4.0;
    assert!((found.calibration_error() - gap).abs() < 1e-15, "{}", found.calibration_error());
}

#[test]
fn certain_rows_keep_their_digits_and_costs_do_not_move_probabilities() {
    // At x = 21 the other class has e^−40: 1 − p is no number beside 1, its square is one.
    let rows = table(&[vec![21.0]], &["b"]);
    let brier = judged(&two_normals(), &rows).brier();
    assert!((brier / (2.0 * (-80.0_f64).exp()) - 1.0).abs() < 1e-12, "{brier:e}");
    let iris = narrowed(&iris(), &[0, 1]);
    let spec = CovarianceSpec::lda();
    let plain = crate::support::fit(&spec, &iris).unwrap().classifier;
    let careful = plain.clone().with_loss(Loss::zero_one(3).with_reject(0.1).unwrap()).unwrap();
    let (a, b) = (judged(&plain, &iris), judged(&careful, &iris));
    assert!(b.rejected() > 0.0 && a.errors() > b.errors());
    assert_eq!((a.brier(), a.reliability()), (b.brier(), b.reliability()));
}

#[test]
fn weights_are_copies_and_parts_are_joined() {
    let classifier = two_normals();
    let mut rows = table(&[vec![0.3], vec![1.7], vec![0.9], vec![2.4]], &["a", "a", "b", "b"]);
    rows.weights = Some(vec![1.0, 3.0, 2.0, 0.0]);
    let copies = [vec![0.3], vec![1.7], vec![1.7], vec![1.7], vec![0.9], vec![0.9]];
    let copies = table(&copies, &["a", "a", "a", "a", "b", "b"]);
    let (weighted, copied) = (judged(&classifier, &rows), judged(&classifier, &copies));
    assert!((weighted.brier() - copied.brier()).abs() < 1e-15);
    assert!((weighted.calibration_error() - copied.calibration_error()).abs() < 1e-15);
    let block = |range| JudgeSweep(&classifier).block(&copies.block(range).unwrap()).unwrap();
    let parts = block(0..2).merge(block(2..6));
    assert!((parts.brier() - copied.brier()).abs() < 1e-15);
    assert!((parts.calibration_error() - copied.calibration_error()).abs() < 1e-15);
    // Twice the same rows, halved again.
    let twice = copied.clone().merge(copied.clone()).averaged(2);
    assert_eq!((twice.brier(), twice.reliability()), (copied.brier(), copied.reliability()));
}

#[test]
fn a_row_whose_class_was_not_learnt_has_a_brier_score_and_is_a_miss() {
    // The only row of class c: its class has no probability where it is left out.
    let mut values: Vec<Vec<f64>> = (0..12).map(|i| vec![f64::from(i % 4)]).collect();
    values.push(vec![9.0]);
    let labels = ["a", "b"].repeat(6).into_iter().chain(["c"]).collect::<Vec<_>>();
    let rows = table(&values, &labels);
    let spec = CovarianceSpec::lda();
    let found = left_out(&spec, &spec.default_priors(), &rows).unwrap();
    let posterior = left_out_posterior(&spec, &spec.default_priors(), &rows).unwrap();
    assert_eq!(found.unlearnt(), 1.0);
    let expected = (0..13).map(|i| {
        let truth = if i == 12 { 2 } else { i % 2 };
        let term = |(k, p): (usize, f64)| (p - f64::from(u8::from(k == truth))).powi(2);
        posterior.probs(i).enumerate().map(term).sum::<f64>()
    });
    let expected = expected.sum::<f64>() / 13.0;
    assert!((found.brier() - expected).abs() < 1e-14, "{} {expected}", found.brier());
    let last: f64 = posterior.probs(12).map(|p| p * p).sum::<f64>() + 1.0;
    assert!(last > 1.4 && posterior.log_prob(12, 2) == f64::NEG_INFINITY);
    let counted: f64 = found.reliability().iter().map(|bin| bin.weight).sum();
    assert_eq!(counted, 13.0);
    let top = |i: usize| {
        let probs: Vec<f64> = posterior.probs(i).collect();
        (0..3).max_by(|&a, &b| probs[a].total_cmp(&probs[b])).unwrap()
    };
    let hits = (0..12).filter(|&i| top(i) == i % 2).count() as f64;
    let bins = found.reliability().into_iter();
    let counted: f64 = bins.map(|bin| bin.weight * bin.accuracy.unwrap_or(0.0)).sum();
    assert!((counted - hits).abs() < 1e-12, "the row of class c is a miss: {counted} {hits}");
}

#[test]
fn folds_add_up_and_a_test_of_a_worse_model_says_so() {
    let (rows, pool) = (iris(), Pool::new(2).unwrap());
    let models = candidates(&[CovarianceSpec::lda(), CovarianceSpec::nearest_mean()]);
    let names = features(&rows);
    let mut turns: Vec<Vec<Judgement>> = Vec::new();
    for seed in 1..=3 {
        let (folds, source) = (Folds { count: 10, seed }, &mut rows.source());
        let all =
            cross_validate_all(&models, &names, None, folds, source, On::pool(&pool)).unwrap();
        turns.push(all.into_iter().map(Result::unwrap).collect());
    }
    for judged in turns.iter().flatten() {
        assert_eq!(judged.folds().count(), 10);
        assert_eq!(judged.folds().map(|fold| fold.errors).sum::<f64>(), judged.errors());
        assert!(judged.folds().all(|fold| fold.weight == 15.0 && fold.cost == fold.errors));
    }
    let total = |model: usize| {
        let judged = turns.iter().map(|turn| turn[model].clone());
        judged.reduce(Merge::merge).unwrap().averaged(3)
    };
    let (lda, nearest) = (total(0), total(1));
    assert_eq!((lda.folds().count(), lda.n()), (30, 150.0));
    let one = contrast(&turns[0][0], &turns[0][1], Measure::Error).unwrap();
    let three = contrast(&lda, &nearest, Measure::Error).unwrap();
    assert_eq!((one.degrees_of_freedom, three.degrees_of_freedom), (9, 29));
    let rates = lda.error_rate() - nearest.error_rate();
    assert!((three.difference - rates).abs() < 1e-12 && three.difference < -0.04, "{three:?}");
    assert!(three.p_value < 0.05, "{three:?}");
    // Thirty folds of the same 150 rows are no thirty times the evidence: the error hardly falls.
    assert!(three.standard_error > 0.5 * one.standard_error, "{one:?} {three:?}");
}
