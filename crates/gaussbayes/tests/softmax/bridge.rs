//! Writes Gaussians of one covariance as a softmax, and a softmax as Gaussians: [M81].

use gaussbayes::{
    Alpha, Classifier, ColumnKind, Counting, CovarianceSpec, Error, On, Part, Pool, Priors,
    ProductSpec, ProductSweep, Ridge, Score, Softmax, SoftmaxRefusal, Table, Unseen, run,
};

use crate::support::{features, fit, iris, mapped, posteriors, wine};
use crate::{assert_near, fitted, shares};

fn same(spec: &CovarianceSpec, rows: &Table, tolerance: f64) {
    let classifier = fit(spec, rows).unwrap().classifier;
    let found = Softmax::from_mixture(classifier.gaussians().unwrap()).unwrap();
    assert_near(&shares(&found, rows), &posteriors(&classifier, rows).concat(), tolerance);
    let dim = rows.dim;
    for j in 0..dim {
        let column: f64 = found.coefficients().iter().skip(j).step_by(dim).sum();
        let size = found.coefficients().iter().fold(0.0_f64, |most, w| most.max(w.abs()));
        assert!(column.abs() < 1e-12 * size);
    }
}

#[test]
fn gaussians_of_one_covariance_are_a_softmax() {
    for spec in
        [CovarianceSpec::lda(), CovarianceSpec::diagonal_lda(), CovarianceSpec::nearest_mean()]
    {
        same(&spec, &iris(), 1e-11);
        same(&spec, &wine(), 1e-9);
        let far = mapped(&iris(), |_, x| (10.0 * x).round() + 1e9);
        same(&spec, &far, 1e-9);
    }
}

#[test]
fn coefficients_of_lda_are_those_of_the_textbook() {
    // N(0, 1) and N(2, 1) with equal priors: log-odds 2x - 2.
    let means = [vec![0.0], vec![2.0]];
    let mixture = gaussbayes::Mixture::given(&means, &[vec![1.0]], vec![0.5, 0.5]).unwrap();
    let linear = Softmax::from_mixture(&mixture).unwrap().linear();
    assert_near(&linear.coefficients, &[-1.0, 1.0], 1e-15);
    assert_near(&linear.intercepts, &[1.0, -1.0], 1e-15);
}

#[test]
fn classes_of_their_own_covariances_are_none() {
    for spec in [CovarianceSpec::qda(), CovarianceSpec::naive_bayes()] {
        let classifier = fit(&spec, &iris()).unwrap().classifier;
        let error = Softmax::from_mixture(classifier.gaussians().unwrap()).unwrap_err();
        assert!(matches!(error, Error::Softmax(SoftmaxRefusal::NotLinear { .. })), "{error:?}");
        assert!(error.hint().unwrap().contains("lda"));
    }
}

#[test]
fn gaussians_decide_as_a_softmax_does() {
    for (rows, penalty) in [(iris(), 1.0), (wine(), 1.0), (iris(), 1e-4)] {
        let found = fitted(penalty, &rows).unwrap().softmax;
        let rule = found.rule().unwrap();
        let block = rows.block(0..rows.rows()).unwrap();
        let (own, stand_in) = (found.scores(&block).unwrap(), rule.scores(&block).unwrap());
        assert_near(&stand_in.relative, &own.relative, 1e-10);
        let quadratics = found.quadratics().unwrap();
        let discriminant = quadratics[1].minus(&quadratics[0]).raw();
        assert!(discriminant.quadratic.iter().all(|w| *w == 0.0));
        let linear = found.linear();
        let right: Vec<f64> = (0..rows.dim)
            .map(|j| linear.coefficients[rows.dim + j] - linear.coefficients[j])
            .collect();
        assert_near(&discriminant.linear, &right, 1e-12);
    }
}

#[test]
fn a_softmax_of_its_own_rule_is_itself() {
    let rows = iris();
    let found = fitted(1.0, &rows).unwrap().softmax;
    let again = Softmax::from_mixture(&found.rule().unwrap()).unwrap();
    assert_near(&again.linear().coefficients, &found.linear().coefficients, 1e-12);
    assert_near(&again.linear().intercepts, &found.linear().intercepts, 1e-11);
}

/// Naive Bayes over columns of one kind.
fn naive(kind: ColumnKind, alpha: f64, rows: &Table) -> Classifier {
    let part = Part { columns: (0..rows.dim).collect(), kind, alpha: Alpha::One(alpha) };
    let spec = ProductSpec { parts: vec![part], unseen: Unseen::Ignore, ridge: Ridge::None };
    let pool = Pool::new(1).unwrap();
    let stat = run(&ProductSweep::new(&spec), &mut rows.source(), On::pool(&pool)).unwrap();
    let names = features(rows);
    Classifier::fit_product(&spec, &Priors::Observed, stat, &names).unwrap().0
}

#[test]
fn naive_bayes_over_flags_and_counts_is_a_softmax() {
    let flags = mapped(&iris(), |j, x| f64::from(u8::from(x > [5.8, 3.0, 4.3, 1.3][j])));
    let counts = mapped(&iris(), |_, x| x.round());
    let complement = Counting::Complement { norm: true };
    for (kind, rows) in [
        (ColumnKind::Flag { above: 0.0 }, &flags),
        (ColumnKind::Count(Counting::Multinomial), &counts),
        (ColumnKind::Count(complement), &counts),
    ] {
        let found = naive(kind, 1.0, rows);
        let softmax = found.softmax().unwrap();
        assert_near(&shares(&softmax, rows), &posteriors(&found, rows).concat(), 1e-12);
        let sum: f64 = softmax.intercepts().iter().sum();
        assert!(sum.abs() < 1e-12);
    }
    // The coefficient of a flag is the log of its odds ratio: two classes, three rows each of which 2 and 1 say yes.
    let rows = crate::support::table(
        &[vec![1.0], vec![1.0], vec![0.0], vec![0.0], vec![0.0], vec![1.0]],
        &["a", "a", "a", "b", "b", "b"],
    );
    let linear = naive(ColumnKind::Flag { above: 0.0 }, 1.0, &rows).softmax().unwrap().linear();
    let difference = linear.coefficients[1] - linear.coefficients[0];
    assert_near(&[difference], &[f64::ln((2.0 / 3.0) / (3.0 / 2.0))], 1e-14);
}

#[test]
fn what_is_not_linear_says_so() {
    let rows = iris();
    for kind in [ColumnKind::Number, ColumnKind::Flag { above: 4.0 }] {
        let part = |j: usize| Part { columns: vec![j], kind: kind.clone(), alpha: Alpha::One(1.0) };
        let parts = (0..rows.dim).map(part).collect();
        let spec = ProductSpec { parts, unseen: Unseen::Ignore, ridge: Ridge::None };
        let pool = Pool::new(1).unwrap();
        let stat = run(&ProductSweep::new(&spec), &mut rows.source(), On::pool(&pool)).unwrap();
        let names = features(&rows);
        let found = Classifier::fit_product(&spec, &Priors::Observed, stat, &names).unwrap().0;
        let error = found.softmax().unwrap_err();
        assert!(matches!(error, Error::Softmax(SoftmaxRefusal::NotLinear { .. })), "{error:?}");
    }
    // A flag that no row of a class has: without smoothing its odds are zero.
    let flags = mapped(&rows, |_, x| f64::from(u8::from(x > 2.0)));
    let found = naive(ColumnKind::Flag { above: 0.0 }, 0.0, &flags);
    assert!(matches!(found.softmax(), Err(Error::Softmax(SoftmaxRefusal::NotLinear { .. }))));
}
