//! Holds the laws of softmax regression: threads, streams, shards, offsets, weights, slopes.

use gaussbayes::{
    Error, LabelSweep, Merge, On, SoftmaxSpec, SoftmaxState, Source, Table, banana, run, softmax,
};

use crate::laws::Subject;
use crate::support::{iris, mapped, table};
use crate::{assert_near, drawn, fitted, shares};

/// Overlapping classes in whole numbers, more than one block of them.
struct Regression {
    penalty: f64,
}

impl Regression {
    fn spec(&self) -> SoftmaxSpec {
        SoftmaxSpec::default().with_penalty(self.penalty)
    }
}

impl Subject for Regression {
    fn rows(&self) -> Table {
        let mut rows = mapped(&drawn(3, 3, 60_000, 7), |_, x| (64.0 * x).round());
        let weights = (0..rows.rows()).map(|i| f64::from(i as u32 % 4));
        rows.weights = Some(weights.collect());
        rows
    }

    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64> {
        let found = softmax(&self.spec(), source, on).unwrap();
        assert!(found.report.converged);
        let linear = found.softmax.linear();
        let report = [found.report.log_likelihood, found.report.penalty, found.report.gap];
        [linear.coefficients, linear.intercepts, report.to_vec()].concat()
    }

    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64> {
        let found = softmax(&self.spec(), &mut rows.source(), on).unwrap();
        shares(&found.softmax, rows)
    }

    fn merged(&self, parts: &[Table], on: On<'_>) -> Vec<f64> {
        let sweep = LabelSweep::new(SoftmaxState::storage(&self.spec()));
        let stats = parts.iter().map(|part| run(&sweep, &mut part.source(), on).unwrap());
        let stat = stats.reduce(Merge::merge).unwrap();
        let mut state = SoftmaxState::new(self.spec(), stat).unwrap();
        for _ in 0..3 {
            let stats = parts.iter().map(|part| state.partial(&mut part.source(), on).unwrap());
            state.step(&stats.reduce(Merge::merge).unwrap()).unwrap();
        }
        let linear = state.fit().unwrap().softmax.linear();
        [linear.coefficients, linear.intercepts].concat()
    }
}

laws!(likelihood, Regression { penalty: 0.0 });
laws!(penalised, Regression { penalty: 50.0 });

/// Rows as often as their weight says.
fn repeated(rows: &Table) -> Table {
    let weights = rows.weights.clone().unwrap();
    let mut all = Table { dim: rows.dim, ..Table::default() };
    for (i, weight) in weights.iter().enumerate() {
        let one = Table { weights: None, ..rows.clone() };
        (0..*weight as usize).for_each(|_| all.push_block(&one.block(i..i + 1).unwrap()));
    }
    all
}

#[test]
fn a_weight_is_a_number_of_rows() {
    let mut rows = iris();
    rows.weights = Some((0..150).map(|i| f64::from(i % 4)).collect());
    let (weighted, plain) = (fitted(1.0, &rows).unwrap(), fitted(1.0, &repeated(&rows)).unwrap());
    let (a, b) = (weighted.softmax.linear(), plain.softmax.linear());
    assert_near(&a.coefficients, &b.coefficients, 1e-11);
    assert_near(&a.intercepts, &b.intercepts, 1e-11);
    assert_near(
        &[weighted.report.deviance, weighted.report.null_deviance],
        &[plain.report.deviance, plain.report.null_deviance],
        1e-12,
    );
    // A multiple of all weights is the penalty divided by it.
    rows.weights = Some(rows.weights.unwrap().iter().map(|w| 3.0 * w).collect());
    let thrice = fitted(3.0, &rows).unwrap().softmax.linear();
    assert_near(&thrice.coefficients, &a.coefficients, 1e-11);
}

#[test]
fn a_row_of_weight_zero_is_not_there() {
    let mut rows = iris();
    let wild = table(&[vec![1e300, -4.0, 7e200, 0.0]], &["setosa"]);
    let other = table(&[vec![1.0, 2.0, 3.0, 4.0]], &["triffid"]);
    let plain = fitted(1.0, &rows).unwrap();
    rows.push_block(&wild.block(0..1).unwrap());
    rows.push_block(&other.block(0..1).unwrap());
    rows.weights = Some((0..152).map(|i| if i < 150 { 1.0 } else { 0.0 }).collect());
    let found = fitted(1.0, &rows).unwrap();
    assert_eq!(found.labels, plain.labels);
    let (found, plain) = (found.softmax.linear(), plain.softmax.linear());
    assert_near(&found.coefficients, &plain.coefficients, 1e-11);
}

#[test]
fn the_end_is_a_minimum() {
    // Objective by hand, at the coefficients and beside them: [M79].
    for (rows, penalty) in [(iris(), 0.7), (banana(200, 3), 0.2), (banana(200, 3), 0.0)] {
        let found = fitted(penalty, &rows).unwrap();
        let linear = found.softmax.linear();
        let (dim, classes) = (rows.dim, found.labels.len());
        let mut order: Vec<usize> = Vec::new();
        for label in &rows.dictionary {
            order.push(found.labels.iter().position(|class| class == label).unwrap());
        }
        let objective = |w: &[f64], b: &[f64]| {
            let codes = rows.codes.as_ref().unwrap();
            let loss: f64 = rows
                .values
                .chunks_exact(dim)
                .zip(codes)
                .map(|(row, &code)| {
                    let score =
                        |k: usize| b[k] + (0..dim).map(|j| w[k * dim + j] * row[j]).sum::<f64>();
                    let scores: Vec<f64> = (0..classes).map(score).collect();
                    gaussbayes::log_sum_exp(&scores) - scores[order[code as usize]]
                })
                .sum();
            let square: f64 = if classes == 2 {
                (0..dim).map(|j| (w[dim + j] - w[j]).powi(2)).sum()
            } else {
                w.iter().map(|w| w * w).sum()
            };
            loss + 0.5 * penalty * square
        };
        let here = objective(&linear.coefficients, &linear.intercepts);
        let reported = found.report.penalty - found.report.log_likelihood;
        assert!((here - reported).abs() < 1e-10 * here, "{here} {reported}");
        for at in 0..linear.coefficients.len() {
            for step in [1e-4, -1e-4] {
                let mut w = linear.coefficients.clone();
                w[at] += step;
                assert!(objective(&w, &linear.intercepts) > here, "{at} {step}");
            }
        }
        for k in 0..classes {
            for step in [1e-4, -1e-4] {
                let mut b = linear.intercepts.clone();
                b[k] += step;
                assert!(objective(&linear.coefficients, &b) > here, "{k} {step}");
            }
        }
    }
}

#[test]
fn mean_posteriors_are_the_shares_of_the_classes() {
    // The intercept is free, so that its slope is 0 at the end [M79].
    let mut rows = iris();
    rows.weights = Some((0..150).map(|i| 1.0 + f64::from(i % 3)).collect());
    let found = fitted(1.0, &rows).unwrap();
    let (all, weights) = (shares(&found.softmax, &rows), rows.weights.clone().unwrap());
    let total: f64 = weights.iter().sum();
    for k in 0..3 {
        let mean: f64 = all.chunks_exact(3).zip(&weights).map(|(row, w)| w * row[k]).sum();
        assert!((mean / total - found.softmax.priors()[k]).abs() < 1e-12);
    }
}
