//! Asks classifiers of softmax regression what other classifiers are asked.

use gaussbayes::{
    Classifier, CovarianceSpec, Error, Kind, Learner, Loss, On, OutlierRefusal, Pool, Priors,
    RiskOptions, RiskRefusal, Scorer, SoftmaxSpec, Table, prior_shift,
};

use crate::support::{features, fit, iris, posteriors};
use crate::{assert_near, fitted};

fn classifier(penalty: f64, rows: &Table) -> Classifier {
    let pool = Pool::new(1).unwrap();
    let spec = SoftmaxSpec::default().with_penalty(penalty);
    let names = features(rows);
    let (source, on) = (&mut rows.source(), On::pool(&pool));
    Learner::Softmax(spec).learn(&Priors::Observed, &names, source, on).unwrap().classifier
}

fn two_columns() -> Table {
    let rows = iris();
    let values = rows.values.chunks_exact(4).flat_map(|row| [row[2], row[3]]).collect();
    Table { dim: 2, values, ..rows }
}

#[test]
fn boundaries_are_planes_of_the_coefficients() {
    let rows = two_columns();
    let found = classifier(1.0, &rows);
    let linear = fitted(1.0, &rows).unwrap().softmax.linear();
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let boundary = found.boundary(a, b).unwrap();
        assert_eq!(boundary.kind, Kind::Line);
        let raw = boundary.quadric.unwrap().raw();
        let right = |j: usize| linear.coefficients[2 * a + j] - linear.coefficients[2 * b + j];
        let constant = linear.intercepts[a] - linear.intercepts[b];
        // Up to one positive factor.
        let scale = raw.linear[0] / right(0);
        assert!(scale > 0.0);
        assert_near(&raw.linear, &[scale * right(0), scale * right(1)], 1e-10);
        assert_near(&[raw.constant], &[scale * constant], 1e-9);
        assert!(raw.quadratic.iter().all(|w| w.abs() < 1e-12));
    }
}

#[test]
fn errors_need_a_truth() {
    let rows = two_columns();
    let (found, pool) = (classifier(1.0, &rows), Pool::new(1).unwrap());
    let how = RiskOptions::default();
    let error = found.risk(None, &how, On::pool(&pool)).unwrap_err();
    assert!(matches!(error, Error::Risk(RiskRefusal::NoTruth)), "{error:?}");
    assert!(error.hint().unwrap().contains("--under"));
    // Under LDA no rule errs less often than that of LDA.
    let lda = fit(&CovarianceSpec::lda(), &rows).unwrap().classifier;
    let truth = lda.gaussians().unwrap();
    let best = lda.risk(None, &how, On::pool(&pool)).unwrap();
    let risk = found.risk(Some(truth), &how, On::pool(&pool)).unwrap();
    let (best, own) = (best.error_rate.value, risk.error_rate.value);
    assert!(own >= best && own < 2.0 * best, "{own} {best}");
    // The same coefficients, by way of the bridge, have the risk of LDA itself.
    let bridged = lda.softmax().unwrap();
    let loss = Loss::zero_one(3);
    let bridged = Classifier::new(bridged, lda.classes().to_vec(), features(&rows), loss).unwrap();
    let risk = bridged.risk(Some(truth), &how, On::pool(&pool)).unwrap();
    assert!((risk.error_rate.value - best).abs() < 1e-9, "{} {best}", risk.error_rate.value);
}

#[test]
fn costs_and_priors_work_as_everywhere() {
    let rows = iris();
    let found = classifier(1.0, &rows);
    assert_eq!(found.priors(), [1.0 / 3.0; 3]);
    let moved = found.clone().with_priors(&Priors::Given(vec![0.2, 0.5, 0.3])).unwrap();
    assert_eq!(moved.priors(), [0.2, 0.5, 0.3]);
    let back = moved.with_priors(&Priors::Uniform).unwrap();
    assert_near(&posteriors(&back, &rows).concat(), &posteriors(&found, &rows).concat(), 1e-12);
    let loss = Loss::zero_one(3).with_reject(0.2).unwrap();
    let careful = found.clone().with_loss(loss).unwrap();
    let block = rows.block(0..150).unwrap();
    let rejected = careful.actions(&block).unwrap().iter().filter(|action| **action == 3).count();
    let doubtful = posteriors(&found, &rows);
    let doubtful = doubtful.iter().filter(|p| p.iter().all(|p| *p < 0.8)).count();
    assert!(rejected == doubtful && doubtful > 5, "{rejected} {doubtful}");
}

#[test]
fn what_needs_densities_is_refused_by_name() {
    let rows = iris();
    let found = classifier(1.0, &rows);
    assert!(matches!(found.model(), Scorer::Softmax(_)) && !found.model().is_generative());
    assert!(found.gaussians().is_err() && found.mixture().is_err());
    assert!(found.sample(5, 1).is_err());
    let loss = Loss::zero_one(3).with_outliers(-10.0).unwrap();
    let error = found.with_loss(loss).unwrap_err();
    assert!(matches!(error, Error::Outliers(OutlierRefusal::NoDensities { .. })), "{error:?}");
}

#[test]
fn shares_that_have_moved_are_found_by_posteriors_alone() {
    // Rows of two Gaussians: log-odds are linear, so that the softmax is right about them.
    let known = gaussbayes::blobs(2, 1, 6.0, 5).classifier().unwrap();
    let rows = known.sample(20_000, 1).unwrap().table().unwrap();
    let found = classifier(0.0, &rows);
    let shifted = known.with_priors(&Priors::Given(vec![0.8, 0.2])).unwrap();
    let (mut rows, pool) = (shifted.sample(4000, 2).unwrap(), Pool::new(1).unwrap());
    let shift = prior_shift(&found, &mut rows, On::pool(&pool)).unwrap();
    assert!(shift.moved(0.01));
    assert!((shift.after[0] - 0.8).abs() < 3.0 * shift.standard_errors[0].unwrap(), "{shift:?}");
}
