//! ROC and cost curves: by hand, by all thresholds, and from rows that were left out: [M84], [M85].

use gaussbayes::{
    Classifier, CovarianceSpec, Folds, Label, Loss, Mixture, On, Pool, Roc, ScoreSweep, Scored,
    out_of_fold, run,
};

use crate::support::{features, fit, iris, table};
use crate::{candidates, narrowed};

fn scored(rows: &[(f64, bool)]) -> Vec<Scored> {
    rows.iter().map(|&(score, positive)| Scored { score, positive, weight: 1.0 }).collect()
}

#[test]
fn an_area_by_hand() {
    // Pairs of 3, 1, 1 with 2, 1, 0: 3 beats all three, each 1 ties one and beats one: 3 + 2·1.5 of 9.
    let rows =
        scored(&[(3.0, true), (1.0, true), (1.0, true), (2.0, false), (1.0, false), (0.0, false)]);
    let roc = Roc::of(&rows).unwrap();
    assert!((roc.area - 6.0 / 9.0).abs() < 1e-15);
    let points: Vec<(f64, f64)> =
        roc.points.iter().map(|p| (3.0 * p.false_positive, 3.0 * p.true_positive)).collect();
    let right = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (2.0, 3.0), (3.0, 3.0)];
    for ((x, y), (a, b)) in points.iter().zip(right) {
        assert!((x - a).abs() < 1e-15 && (y - b).abs() < 1e-15, "{points:?}");
    }
    // The area is that below the points, straight from one to the next.
    let below: f64 = roc
        .points
        .windows(2)
        .map(|p| {
            let width = p[1].false_positive - p[0].false_positive;
            0.5 * width * (p[0].true_positive + p[1].true_positive)
        })
        .sum();
    assert!((below - roc.area).abs() < 1e-15);
}

#[test]
fn curves_without_errors_by_chance_and_of_one_side() {
    let apart = Roc::of(&scored(&[(2.0, true), (1.0, true), (0.0, false), (-1.0, false)])).unwrap();
    assert_eq!((apart.area, apart.interval(), apart.cost_curve().area), (1.0, None, 0.0));
    let tied = Roc::of(&scored(&[(0.0, true), (0.0, true), (0.0, false), (0.0, false)])).unwrap();
    assert_eq!((tied.area, tied.points.len()), (0.5, 2));
    let chance = tied.cost_curve();
    assert_eq!(chance.points(), [(0.0, 0.0), (0.5, 0.5), (1.0, 0.0)]);
    assert_eq!(chance.area, 0.25);
    assert_eq!(Roc::of(&scored(&[(0.0, true), (1.0, true)])), None);
    assert_eq!(Roc::of(&[]), None);
    // One row of a class has no spread to measure.
    let one = Roc::of(&scored(&[(0.0, true), (1.0, false), (-1.0, false)])).unwrap();
    assert_eq!((one.standard_error, one.interval()), (None, None));
}

#[test]
fn the_envelope_is_the_least_of_all_thresholds() {
    let iris = narrowed(&iris(), &[0, 1]);
    let classifier = fit(&CovarianceSpec::lda(), &iris).unwrap().classifier;
    let pool = Pool::new(1).unwrap();
    let held = run(&ScoreSweep(&classifier), &mut iris.source(), On::pool(&pool)).unwrap();
    for class in 0..3 {
        let roc = held.roc(class).unwrap();
        let curve = roc.cost_curve();
        let least = |x: f64| {
            let cost = |p: &gaussbayes::RocPoint| {
                (1.0 - p.true_positive) * x + p.false_positive * (1.0 - x)
            };
            roc.points.iter().map(cost).fold(f64::INFINITY, f64::min)
        };
        let steps = 20_000;
        let mut area = 0.0;
        for n in 0..steps {
            let x = (f64::from(n) + 0.5) / f64::from(steps);
            let line = curve.lines.iter().find(|line| line.from <= x && x <= line.to).unwrap();
            assert!((line.at(x) - least(x)).abs() < 1e-14, "{x}");
            area += least(x) / f64::from(steps);
        }
        assert!((curve.area - area).abs() < 1e-8, "{} {area}", curve.area);
        let points = curve.points();
        assert_eq!((points[0], points[points.len() - 1]), ((0.0, 0.0), (1.0, 0.0)));
        assert!(curve.lines.windows(2).all(|pair| pair[0].threshold > pair[1].threshold));
    }
}

#[test]
fn log_odds_keep_an_order_that_probabilities_have_lost() {
    // N(0, 1) against N(2, 1) far out: every probability of b is 1 as a number.
    let mixture = Mixture::given(&[vec![0.0], vec![2.0]], &[vec![1.0]], vec![0.5, 0.5]).unwrap();
    let classes = vec![Label::from("a"), Label::from("b")];
    let classifier =
        Classifier::new(mixture, classes, vec!["x".into()], Loss::zero_one(2)).unwrap();
    let rows = table(&[vec![30.0], vec![40.0], vec![50.0], vec![60.0]], &["a", "a", "b", "b"]);
    let pool = Pool::new(1).unwrap();
    let held = run(&ScoreSweep(&classifier), &mut rows.source(), On::pool(&pool)).unwrap();
    assert_eq!(held.area(), Some(1.0));
    assert_eq!(held.roc(0).unwrap().area, 1.0);
    assert_eq!(held.scored(1)[0].score, 58.0);
}

#[test]
fn rows_are_scored_by_the_model_without_their_fold() {
    let rows = narrowed(&iris(), &[0, 1]);
    let (names, pool) = (features(&rows), Pool::new(2).unwrap());
    let spec = CovarianceSpec::qda();
    let candidate = &candidates(std::slice::from_ref(&spec))[0];
    // As many folds as rows: each row by the model of all others, whatever the order of folds.
    let folds = Folds { count: 150, seed: 3 };
    let held = out_of_fold(candidate, &names, folds, &mut rows.source(), On::pool(&pool)).unwrap();
    let posterior =
        crate::support::left_out_posterior(&spec, &spec.default_priors(), &rows).unwrap();
    assert_eq!(held.rows(), 150);
    for class in 0..3 {
        for (i, row) in held.scored(class).iter().enumerate() {
            let p = posterior.log_prob(i, class).exp();
            let odds = (p / (1.0 - p)).ln();
            assert!((row.score - odds).abs() < 1e-6 * (1.0 + odds.abs()), "{i}: {row:?} {odds}");
            assert_eq!(row.positive, i / 50 == class);
        }
    }
    let mean = (0..3).map(|k| held.roc(k).unwrap().area).sum::<f64>() / 3.0;
    assert!((held.area().unwrap() - mean).abs() < 1e-15);
    let seen = fit(&spec, &rows).unwrap().classifier;
    let seen = run(&ScoreSweep(&seen), &mut rows.source(), On::pool(&pool)).unwrap();
    assert!(held.area() < seen.area(), "rows that were learnt from look better");
}
