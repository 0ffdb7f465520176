//! Projects what a linear rule sees on the directions that it depends on \[M48\].

use super::rule::{Score, Seen};
use crate::covariance::norm_sq;
use crate::linalg::dot;
use crate::tolerance::SPAN_SHARE;

impl Seen {
    /// The same rule in the span of the differences of its slopes: all that its decision depends on, where
    /// the quadratic part is common. z stays standard normal there.
    pub(super) fn reduced(&self) -> Self {
        let Some((&first, others)) = self.relevant.split_first() else {
            return Self { dim: 0, ..self.clone() };
        };
        let minus =
            |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
        let base = &self.scores[first].slope;
        let mut left: Vec<Vec<f64>> =
            others.iter().map(|&k| minus(&self.scores[k].slope, base)).collect();
        let longest = left.iter().map(|slope| norm_sq(slope).sqrt()).fold(0.0, f64::max);
        let mut axes: Vec<Vec<f64>> = Vec::new();
        // The longest of what is left comes next (Gram and Schmidt, with pivots, each taken off twice).
        while axes.len() < self.dim {
            let longer = |a: &&Vec<f64>, b: &&Vec<f64>| norm_sq(a).total_cmp(&norm_sq(b));
            let Some(axis) = left.iter().max_by(longer) else { break };
            let length = norm_sq(axis).sqrt();
            if length.is_nan() || length <= SPAN_SHARE * longest {
                break;
            }
            let axis: Vec<f64> = axis.iter().map(|x| x / length).collect();
            for slope in &mut left {
                for _ in 0..2 {
                    let along = dot(slope, &axis);
                    slope.iter_mut().zip(&axis).for_each(|(x, a)| *x -= along * a);
                }
            }
            axes.push(axis);
        }
        let project = |slope: &[f64]| axes.iter().map(|axis| dot(axis, slope)).collect();
        let mut scores =
            vec![Score { slope: vec![0.0; axes.len()], ..Score::default() }; self.scores.len()];
        for &k in &self.relevant {
            // Differences, so that what all slopes share takes no digits.
            let slope = project(&minus(&self.scores[k].slope, base));
            let Score { constant, size, .. } = self.scores[k];
            scores[k] = Score { constant, size, slope, columns: Vec::new() };
        }
        Self { dim: axes.len(), scores, ..self.clone() }
    }
}
