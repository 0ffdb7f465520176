//! Draws error against the number of rows or columns, and finds where two curves cross \[M86\].

mod draw;
mod part;

use crate::data::Folds;
use crate::error::Error;
use crate::tolerance::ERROR_TIE;

/// In which order columns join a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColumnOrder {
    /// As the table has them.
    #[default]
    Given,
    /// By how far apart each alone sets the classes of the training rows, the farthest first \[M86\].
    Separation,
}

/// How a curve is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveSpec {
    /// The folds; turn t takes the seed plus t.
    pub folds: Folds,
    /// Turns through all folds.
    pub repeat: u32,
    /// Numbers of rows, or of columns, that are looked at; none for the usual ones.
    pub at: Vec<usize>,
    /// Rows that are learnt from, for a curve over columns; none for all outside of a fold.
    pub rows: Option<usize>,
    /// The order of columns, for a curve over them.
    pub order: ColumnOrder,
}

impl CurveSpec {
    /// Usual numbers, one turn, columns as they are.
    pub fn new(folds: Folds) -> Self {
        Self { folds, repeat: 1, at: Vec::new(), rows: None, order: ColumnOrder::Given }
    }
}

/// The error of one candidate at one place of a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePoint {
    /// Mean over all folds of all turns.
    pub mean: f64,
    /// Standard deviation over them, divided by the root of their number: as if they were independent.
    pub standard_error: f64,
    /// Error rate by turn and fold.
    pub folds: Vec<f64>,
}

impl CurvePoint {
    fn of(folds: Vec<f64>) -> Self {
        let count = folds.len() as f64;
        let mean = folds.iter().sum::<f64>() / count;
        let squares: f64 = folds.iter().map(|error| (error - mean) * (error - mean)).sum();
        let standard_error = (squares / (count - 1.0) / count).sqrt();
        Self { mean, standard_error, folds }
    }
}

/// Errors of several candidates, all on the same rows at every place.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorCurve {
    /// Numbers of rows that were learnt from, or of columns.
    pub at: Vec<usize>,
    /// Candidate by candidate, place by place; an error where one fold could not be fitted.
    pub points: Vec<Vec<Result<CurvePoint, Error>>>,
}

/// Where one of two candidates overtakes the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// The last place before it.
    pub from: usize,
    /// The first place behind it.
    pub to: usize,
    /// Where the difference is zero, between both on a logarithmic scale.
    pub at: f64,
    /// The candidate that errs less before.
    pub before: usize,
    /// The one that errs less behind.
    pub after: usize,
}

impl ErrorCurve {
    /// Where the means of two candidates cross, over the places at which both have one \[M86\]. Places of equal means
    /// belong to the way from the last difference to the next.
    pub fn crossings(&self, a: usize, b: usize) -> Vec<Crossing> {
        let (Some(one), Some(other)) = (self.points.get(a), self.points.get(b)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut last: Option<(usize, f64)> = None;
        for ((&at, one), other) in self.at.iter().zip(one).zip(other) {
            let (Ok(one), Ok(other)) = (one, other) else { continue };
            let difference = one.mean - other.mean;
            if difference.abs() <= ERROR_TIE {
                continue;
            }
            let lead = |difference: f64| if difference < 0.0 { a } else { b };
            if let Some((from, before)) = last.filter(|(_, before)| before * difference < 0.0) {
                let share = before / (before - difference);
                let (low, high) = ((from as f64).ln(), (at as f64).ln());
                found.push(Crossing {
                    from,
                    to: at,
                    at: (low + share * (high - low)).exp(),
                    before: lead(before),
                    after: lead(difference),
                });
            }
            last = Some((at, difference));
        }
        found
    }
}

pub use draw::{feature_curve, learning_curve};

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(a: &[f64], b: &[f64]) -> ErrorCurve {
        let points = |means: &[f64]| {
            let point =
                |mean: &f64| Ok(CurvePoint { mean: *mean, standard_error: 0.0, folds: vec![] });
            means.iter().map(point).collect()
        };
        let at = (0..a.len()).map(|i| 10 << i).collect();
        ErrorCurve { at, points: vec![points(a), points(b)] }
    }

    #[test]
    fn curves_cross_where_the_difference_is_zero_on_a_logarithmic_scale() {
        // Differences −0.1, −0.1, 0.3: a quarter of the way from 20 to 40 in logarithms.
        let found = curve(&[0.2, 0.2, 0.4], &[0.3, 0.3, 0.1]).crossings(0, 1);
        let [crossing] = found[..] else { unreachable!("one crossing, not {found:?}") };
        assert_eq!((crossing.from, crossing.to), (20, 40));
        assert_eq!((crossing.before, crossing.after), (0, 1));
        assert!((crossing.at - 20.0 * 2.0_f64.powf(0.25)).abs() < 1e-12, "{crossing:?}");
        assert!(curve(&[0.2, 0.3], &[0.3, 0.4]).crossings(0, 1).is_empty());
        // Equal in between: the way goes over it, and half of it is the equal place itself.
        let equal = curve(&[0.2, 0.3, 0.4], &[0.3, 0.3, 0.3]).crossings(1, 0);
        let [crossing] = equal[..] else { unreachable!("one crossing, not {equal:?}") };
        assert_eq!((crossing.from, crossing.to, crossing.before), (10, 40, 0));
        assert!((crossing.at - 20.0).abs() < 1e-12);
        assert!(curve(&[0.2, 0.3, 0.2], &[0.3, 0.3, 0.3]).crossings(0, 1).is_empty());
    }

    #[test]
    fn a_point_is_a_mean_with_its_standard_error() {
        // Deviations −0.1, 0, 0.1: variance 0.01, over three folds.
        let point = CurvePoint::of(vec![0.1, 0.2, 0.3]);
        assert!((point.mean - 0.2).abs() < 1e-15);
        assert!((point.standard_error - (0.01_f64 / 3.0).sqrt()).abs() < 1e-15);
    }
}
