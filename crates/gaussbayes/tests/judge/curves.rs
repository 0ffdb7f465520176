//! Learning and feature curves: nested parts of the same folds, and where two curves cross: [M86].

use gaussbayes::{
    ColumnOrder, CovarianceSpec, CurveSpec, Error, ErrorCurve, FoldRefusal, Folds, On, Pool, Table,
    cross_validate, echo, feature_curve, learning_curve,
};

use crate::support::{features, iris};
use crate::{candidates, narrowed};

fn spec(count: usize, seed: u64) -> CurveSpec {
    CurveSpec::new(Folds { count, seed })
}

fn learning(rows: &Table, specs: &[CovarianceSpec], how: &CurveSpec, threads: usize) -> ErrorCurve {
    let pool = Pool::new(threads).unwrap();
    learning_curve(&candidates(specs), &features(rows), rows, how, On::pool(&pool)).unwrap()
}

#[test]
fn at_all_rows_and_all_columns_a_curve_is_cross_validation() {
    let (rows, pool) = (iris(), Pool::new(1).unwrap());
    let specs = [CovarianceSpec::qda(), CovarianceSpec::naive_bayes()];
    let how = spec(10, 5);
    let by_rows = learning(&rows, &specs, &how, 1);
    assert_eq!(by_rows.at, [16, 33, 67, 135]);
    let names = features(&rows);
    let on = On::pool(&pool);
    let by_columns = feature_curve(&candidates(&specs), &names, &rows, &how, on).unwrap();
    assert_eq!(by_columns.at, [1, 2, 3, 4]);
    for (c, spec) in specs.iter().enumerate() {
        let judged = cross_validate(
            spec,
            &spec.default_priors(),
            &names,
            None,
            how.folds,
            &mut rows.source(),
            on,
        );
        let judged = judged.unwrap();
        let folds: Vec<f64> = judged.folds().map(|fold| fold.errors / fold.weight).collect();
        for curve in [&by_rows, &by_columns] {
            let last = curve.points[c].last().unwrap().as_ref().unwrap();
            assert_eq!(last.folds, folds);
            assert!((last.mean - judged.error_rate()).abs() < 1e-15);
        }
    }
    // Sepals alone tell less than all four columns.
    let error = |at: usize| by_columns.points[0][at].as_ref().unwrap().mean;
    assert!(error(1) > 5.0 * error(3), "{} {}", error(1), error(3));
}

#[test]
fn threads_and_weights_do_not_show_and_turns_are_more_folds() {
    let rows = iris();
    let specs = [CovarianceSpec::lda()];
    let how = CurveSpec { repeat: 3, at: vec![20, 60, 20], ..spec(5, 1) };
    let one = learning(&rows, &specs, &how, 1);
    assert_eq!(one, learning(&rows, &specs, &how, 3));
    assert_eq!(one.at, [20, 60]);
    assert_eq!(one.points[0][0].as_ref().unwrap().folds.len(), 15);
    let weighted = Table { weights: Some(vec![2.0; 150]), ..rows.clone() };
    assert_eq!(one, learning(&weighted, &specs, &how, 2));
}

#[test]
fn what_cannot_be_fitted_is_said_at_its_place() {
    let rows = iris();
    let specs = [CovarianceSpec::qda(), CovarianceSpec::nearest_mean()];
    let how = CurveSpec { at: vec![9, 60], ..spec(10, 1) };
    let curve = learning(&rows, &specs, &how, 1);
    // Three rows a class have no covariance of four columns.
    assert!(matches!(curve.points[0][0], Err(Error::Singular(_))), "{:?}", curve.points[0][0]);
    assert!(curve.points[0][1].is_ok() && curve.points[1][0].is_ok());
    let pool = Pool::new(1).unwrap();
    let refused = |how: &CurveSpec| {
        let on = On::pool(&pool);
        learning_curve(&candidates(&specs), &features(&rows), &rows, how, on).unwrap_err()
    };
    let most: Error = FoldRefusal::Place { what: "rows", at: 136, most: 135 }.into();
    assert_eq!(refused(&CurveSpec { at: vec![136], ..spec(10, 1) }), most);
    assert!(most.hint().is_some());
    assert_eq!(refused(&spec(151, 1)), FoldRefusal::Number { folds: 151, most: 150 }.into());
}

#[test]
fn columns_join_by_their_separation_on_the_rows_learnt_from() {
    let rows = iris();
    // Petals first: lengths and widths of petals set the species farther apart than those of sepals.
    let shuffled = narrowed(&rows, &[1, 0, 3, 2]);
    let pool = Pool::new(1).unwrap();
    let models = candidates(&[CovarianceSpec::lda()]);
    let curve = |rows: &Table, order: ColumnOrder| {
        let how = CurveSpec { order, ..spec(10, 2) };
        let curve = feature_curve(&models, &features(rows), rows, &how, On::pool(&pool)).unwrap();
        let mean = |point: &Result<gaussbayes::CurvePoint, Error>| point.as_ref().unwrap().mean;
        curve.points[0].iter().map(mean).collect::<Vec<f64>>()
    };
    let ranked = curve(&rows, ColumnOrder::Separation);
    assert_eq!(ranked, curve(&shuffled, ColumnOrder::Separation));
    assert_ne!(curve(&rows, ColumnOrder::Given), curve(&shuffled, ColumnOrder::Given));
    // Petal length alone: F = 1180, the largest of the four.
    let petals = curve(&narrowed(&rows, &[2, 3, 0, 1]), ColumnOrder::Given);
    assert_eq!(ranked[0], petals[0]);
    assert!(ranked[0] < 0.08);
}

#[test]
fn the_biased_model_is_ahead_on_few_rows_and_behind_on_many() {
    // Ng and Jordan 2002, with the pooled covariance for the model that learns all correlations.
    let rows = echo(40).classifier().unwrap().sample(2000, 1).unwrap().table().unwrap();
    let specs = [CovarianceSpec::diagonal_lda(), CovarianceSpec::lda()];
    let how = CurveSpec { at: vec![50, 100, 200, 400, 800, 1600], ..spec(5, 1) };
    let curve = learning(&rows, &specs, &how, 2);
    let crossings = curve.crossings(0, 1);
    assert_eq!(crossings.len(), 1, "{curve:?}");
    let crossing = crossings[0];
    assert_eq!((crossing.before, crossing.after), (0, 1));
    assert!((100..=400).contains(&crossing.from), "{crossing:?}");
    assert!(crossing.from as f64 <= crossing.at && crossing.at <= crossing.to as f64);
}

#[test]
fn noise_that_is_ranked_stays_noise() {
    // Forty rows of 300 columns that say nothing: ranked on all rows, some would seem to.
    let mut random = gaussbayes::Random::new(5, 0);
    let values: Vec<f64> = (0..40 * 300).map(|_| random.normal_pair().0).collect();
    let rows = Table {
        dim: 300,
        values,
        codes: Some((0..40).map(|i| i % 2).collect()),
        dictionary: ["a", "b"].map(gaussbayes::Label::from).to_vec(),
        ..Table::default()
    };
    let how =
        CurveSpec { order: ColumnOrder::Separation, at: vec![5, 10], repeat: 5, ..spec(10, 1) };
    let (pool, models) = (Pool::new(2).unwrap(), candidates(&[CovarianceSpec::diagonal_lda()]));
    let curve = feature_curve(&models, &features(&rows), &rows, &how, On::pool(&pool)).unwrap();
    for point in &curve.points[0] {
        let mean = point.as_ref().unwrap().mean;
        assert!((0.38..0.75).contains(&mean), "{mean}");
    }
}
