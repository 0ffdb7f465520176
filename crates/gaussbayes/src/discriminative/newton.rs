//! Finds the Newton step from slope and curvature \[M80\].

use super::sweep::SoftmaxStat;
use crate::linalg::{Triangular, dot, factor_in_place};
use crate::moments::lower_index;
use crate::tolerance::{SOFTMAX_RIDGE, SOFTMAX_RIDGE_MORE};

/// What is minimised beside the loss: ½ Σ p_j w_kj², which no intercept has.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Penalty {
    /// 0 for the intercept, then one per column with spread.
    of_column: Vec<f64>,
    classes: usize,
}

impl Penalty {
    /// Of two classes the difference of both is what is penalised, which is twice as long as either and opposite.
    pub(super) fn new(columns: impl Iterator<Item = f64>, classes: usize) -> Self {
        let twice = if classes == 2 { 2.0 } else { 1.0 };
        let of_column = std::iter::once(0.0).chain(columns.map(|p| twice * p)).collect();
        Self { of_column, classes }
    }

    /// Parameters of a class.
    pub(super) fn width(&self) -> usize {
        self.of_column.len()
    }

    /// Its value at some coefficients.
    pub(super) fn at(&self, coefficients: &[f64]) -> f64 {
        let of_class =
            |w: &[f64]| -> f64 { w.iter().zip(&self.of_column).map(|(w, p)| p * w * w).sum() };
        0.5 * coefficients.chunks_exact(self.width()).map(of_class).sum::<f64>()
    }
}

/// A Newton step.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Newton {
    /// Class by class; those of all classes sum to 0.
    pub(super) step: Vec<f64>,
    /// sᵀHs = −sᵀg: twice the gain in sight.
    pub(super) decrement: f64,
    /// Whether rounding left the curvature without a factor, so that something was added to it.
    pub(super) ridged: bool,
}

/// The step from coefficients that sum to 0, where `reference` is the class whose coefficients the others are counted
/// from: that changes neither the step nor what it is orthogonal to.
pub(super) fn newton(
    stat: &SoftmaxStat,
    at: &[f64],
    penalty: &Penalty,
    reference: usize,
) -> Option<Newton> {
    let (classes, width) = (penalty.classes, penalty.width());
    let others: Vec<usize> = (0..classes).filter(|&k| k != reference).collect();
    let slope =
        |k: usize, j: usize| stat.slope[k * width + j] + penalty.of_column[j] * at[k * width + j];
    let slope: Vec<f64> =
        others.iter().flat_map(|&k| (0..width).map(move |j| slope(k, j))).collect();
    let mut curvature = curvature(stat, penalty, &others);
    let size = slope.len();
    let scale: Vec<f64> = (0..size).map(|i| curvature[lower_index(i, i)].sqrt()).collect();
    if scale.iter().any(|scale| !(*scale > 0.0 && scale.is_finite())) {
        return None;
    }
    for i in 0..size {
        for j in 0..=i {
            curvature[lower_index(i, j)] /= scale[i] * scale[j];
        }
    }
    let (factor, ridged) = factored(&curvature, size)?;
    let mut solved: Vec<f64> = slope.iter().zip(&scale).map(|(g, s)| -g / s).collect();
    factor.solve_rows(&mut solved);
    let decrement = dot(&solved, &solved);
    factor.solve_transposed(&mut solved);
    solved.iter_mut().zip(&scale).for_each(|(step, s)| *step /= s);
    let mut step = vec![0.0; classes * width];
    for (part, &k) in solved.chunks_exact(width).zip(&others) {
        step[k * width..(k + 1) * width].copy_from_slice(part);
    }
    centre(&mut step, classes);
    let finite = step.iter().all(|step| step.is_finite()) && decrement.is_finite();
    finite.then_some(Newton { step, decrement, ridged })
}

/// Takes what all classes have in common off.
pub(super) fn centre(values: &mut [f64], classes: usize) {
    let width = values.len() / classes;
    for j in 0..width {
        let mean = values.iter().skip(j).step_by(width).sum::<f64>() / classes as f64;
        values.iter_mut().skip(j).step_by(width).for_each(|value| *value -= mean);
    }
}

/// Second derivatives of loss and penalty by the coefficients of all classes but one, counted from its own: a lower
/// triangle, row by row.
fn curvature(stat: &SoftmaxStat, penalty: &Penalty, others: &[usize]) -> Vec<f64> {
    let (classes, width) = (penalty.classes, penalty.width());
    let pair = width * (width + 1) / 2;
    let of_pair = |k: usize, l: usize| {
        let (high, low) = (k.max(l), k.min(l));
        let at = high * (high - 1) / 2 + low;
        &stat.pairs[at * pair..(at + 1) * pair]
    };
    let size = others.len() * width;
    let mut all = vec![0.0; size * (size + 1) / 2];
    let share = 1.0 / classes as f64;
    for (a, &k) in others.iter().enumerate() {
        let mut own = vec![0.0; pair];
        for l in (0..classes).filter(|&l| l != k) {
            own.iter_mut().zip(of_pair(k, l)).for_each(|(sum, more)| *sum += more);
        }
        for i in 0..width {
            let row = a * width + i;
            for (b, &l) in others[..a].iter().enumerate() {
                let block = of_pair(k, l);
                for j in 0..width {
                    all[lower_index(row, b * width + j)] = -block[lower_index(i.max(j), i.min(j))];
                }
                all[lower_index(row, b * width + i)] -= share * penalty.of_column[i];
            }
            let start = lower_index(row, a * width);
            all[start..=start + i].copy_from_slice(&own[lower_index(i, 0)..=lower_index(i, i)]);
            all[start + i] += (1.0 - share) * penalty.of_column[i];
        }
    }
    all
}

/// The factor of a matrix with ones on its diagonal, and whether anything had to be added to these.
fn factored(matrix: &[f64], size: usize) -> Option<(Triangular, bool)> {
    let mut ridge = 0.0;
    while ridge < 1.0 {
        let mut trial = matrix.to_vec();
        (0..size).for_each(|i| trial[lower_index(i, i)] += ridge);
        if factor_in_place(&mut trial, size) {
            return Some((Triangular::new(trial, size), ridge > 0.0));
        }
        ridge = (SOFTMAX_RIDGE_MORE * ridge).max(SOFTMAX_RIDGE * size as f64);
    }
    None
}
