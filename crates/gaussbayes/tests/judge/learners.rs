//! Folds, curves and scores of every learner are those of refits without the fold: [M19].

use gaussbayes::{
    Alpha, Candidate, ColumnKind, CovarianceSpec, CurveSpec, Field, Folds, JudgeSweep, Judgement,
    Label, Learner, Merge, On, Part, Pool, Priors, ProductSpec, Random, Ridge, SoftmaxSpec, Sweep,
    Table, Unseen, cross_validate_all, learning_curve, out_of_fold, run,
};

use crate::support::{features, iris};

/// Iris with its last column as a category of four names, and a missing cell.
fn typed() -> Table {
    let mut table = iris();
    for (i, row) in table.values.chunks_exact_mut(4).enumerate() {
        row[3] = (row[3] / 0.7).floor();
        if i == 17 {
            row[3] = f64::NAN;
        }
    }
    let names = ["a", "b", "c", "d"].map(Label::from).to_vec();
    table.fields = vec![Field::Number, Field::Number, Field::Number, Field::Category(names.into())];
    table
}

fn product(category: bool) -> ProductSpec {
    let part = |columns: Vec<usize>, kind| Part { columns, kind, alpha: Alpha::One(1.0) };
    let numbers = part((0..if category { 3 } else { 4 }).collect(), ColumnKind::Number);
    let mut parts = vec![numbers];
    if category {
        parts.push(part(vec![3], ColumnKind::Category));
    }
    ProductSpec { parts, unseen: Unseen::Ignore, ridge: Ridge::None }
}

/// Some rows of a table.
fn picked(table: &Table, rows: &[usize]) -> Table {
    let mut part = Table::default();
    for &i in rows {
        let mut own = Table::default();
        own.push_block(&table.block(i..i + 1).unwrap());
        part.push_block(&own.block(0..1).unwrap());
    }
    part
}

/// Judges each fold by a classifier that was learnt from the rows outside of it.
fn by_refits(learner: &Learner, table: &Table, folds: Folds) -> Judgement {
    let (pool, names, count) = (Pool::new(1).unwrap(), features(table), folds.count);
    let runs = 0..table.rows().div_ceil(count) as u64;
    let fold: Vec<usize> =
        runs.flat_map(|run| Random::new(folds.seed, run).permutation(count)).collect();
    let judged = (0..count).map(|f| {
        let rows = |inside: bool| -> Vec<usize> {
            (0..table.rows()).filter(|&i| (fold[i] == f) == inside).collect()
        };
        let (learnt, own) = (picked(table, &rows(false)), picked(table, &rows(true)));
        let on = On::pool(&pool);
        let learnt = learner.learn(&Priors::Observed, &names, &mut learnt.source(), on).unwrap();
        JudgeSweep(&learnt.classifier).block(&own.block(0..own.rows()).unwrap()).unwrap()
    });
    judged.reduce(Merge::merge).unwrap()
}

fn same(a: &Judgement, b: &Judgement) {
    assert_eq!(a.confusion(), b.confusion());
    assert!((a.log_loss() - b.log_loss()).abs() < 1e-9 * (1.0 + b.log_loss()));
    assert!((a.brier() - b.brier()).abs() < 1e-9);
    assert!((a.calibration_error() - b.calibration_error()).abs() < 1e-9);
}

#[test]
fn learners_of_three_kinds_are_judged_together_as_by_refits() {
    let (rows, folds) = (iris(), Folds { count: 6, seed: 3 });
    let learners: Vec<Learner> = vec![
        product(false).into(),
        SoftmaxSpec::default().into(),
        CovarianceSpec::lda().into(),
        SoftmaxSpec::default().with_penalty(0.01).into(),
        CovarianceSpec::naive_bayes().into(),
    ];
    let candidates: Vec<Candidate> =
        learners.iter().map(|learner| (learner.clone(), Priors::Observed)).collect();
    let judged = |threads: usize| {
        let pool = Pool::new(threads).unwrap();
        let (source, on) = (&mut rows.source(), On::pool(&pool));
        let all = cross_validate_all(&candidates, &features(&rows), None, folds, source, on);
        all.unwrap().into_iter().map(Result::unwrap).collect::<Vec<_>>()
    };
    let all = judged(1);
    assert_eq!(all, judged(3));
    for (learner, judged) in learners.iter().zip(&all) {
        same(judged, &by_refits(learner, &rows, folds));
    }
    // Naive Bayes over numbers is the diagonal Gaussian, whichever way it is learnt.
    same(&all[0], &all[4]);
    assert_ne!(all[1].log_loss(), all[3].log_loss());
}

#[test]
fn typed_rows_are_judged_scored_and_drawn() {
    let (rows, folds, pool) = (typed(), Folds { count: 5, seed: 1 }, Pool::new(2).unwrap());
    let learner: Learner = product(true).into();
    let candidates: Vec<Candidate> = vec![(learner.clone(), Priors::Observed)];
    let (names, on) = (features(&rows), On::pool(&pool));
    let judged = cross_validate_all(&candidates, &names, None, folds, &mut rows.source(), on);
    let judged = judged.unwrap().remove(0).unwrap();
    same(&judged, &by_refits(&learner, &rows, folds));
    assert!(judged.error_rate() < 0.12, "{}", judged.error_rate());
    let held = out_of_fold(&candidates[0], &names, folds, &mut rows.source(), on).unwrap();
    assert_eq!(held.rows(), 150);
    assert!(held.area().unwrap() > 0.95);
    let how = CurveSpec { at: vec![30, 120], ..CurveSpec::new(folds) };
    let curve = learning_curve(&candidates, &names, &rows, &how, on).unwrap();
    let last = curve.points[0][1].as_ref().unwrap();
    assert!((last.mean - judged.error_rate()).abs() < 1e-12);
    // A Gaussian has no use for names.
    let gaussian: Vec<Candidate> = vec![(CovarianceSpec::lda().into(), Priors::Observed)];
    assert!(cross_validate_all(&gaussian, &names, None, folds, &mut rows.source(), on).is_err());
}

#[test]
fn a_fit_that_a_fold_refuses_is_the_outcome_of_its_learner_alone() {
    // The first two species of iris are apart: without a penalty there is no likeliest softmax.
    let rows = Table {
        values: iris().values[..400].to_vec(),
        codes: Some(iris().codes.unwrap()[..100].to_vec()),
        ..iris()
    };
    let candidates: Vec<Candidate> = vec![
        (SoftmaxSpec::default().with_penalty(0.0).into(), Priors::Observed),
        (SoftmaxSpec::default().into(), Priors::Uniform),
    ];
    let (folds, pool) = (Folds { count: 5, seed: 1 }, Pool::new(1).unwrap());
    let (source, on) = (&mut rows.source(), On::pool(&pool));
    let all = cross_validate_all(&candidates, &features(&rows), None, folds, source, on).unwrap();
    let refused = all[0].as_ref().unwrap_err();
    assert!(matches!(refused, gaussbayes::Error::WithoutFold { fold: 0, .. }), "{refused}");
    assert_eq!(all[1].as_ref().unwrap().errors(), 0.0);
    let learnt = candidates[1].0.learn(&Priors::Uniform, &features(&rows), &mut rows.source(), on);
    let learnt = learnt.unwrap();
    assert_eq!(learnt.report.size().parameters, 5);
    assert_eq!(learnt.classifier.priors(), [0.5, 0.5]);
    let judged = run(&JudgeSweep(&learnt.classifier), &mut rows.source(), on).unwrap();
    assert_eq!(judged.n(), 100.0);
}
