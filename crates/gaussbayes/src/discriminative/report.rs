//! Says how the fit of a softmax went.

use super::model::Softmax;
use crate::data::Label;

/// What a user should know about the fit of a softmax.
#[derive(Debug, Clone, PartialEq)]
pub struct SoftmaxReport {
    /// Newton steps.
    pub iterations: u32,
    /// Whether the coefficients stand; otherwise they are the best so far.
    pub converged: bool,
    /// Whether every row is on its own side: without a penalty no finite coefficients would be the likeliest.
    pub separable: bool,
    /// Σ w ln P(C_y|x).
    pub log_likelihood: f64,
    /// −2 Σ w ln P(C_y|x).
    pub deviance: f64,
    /// The same of a model that knows the shares of the classes alone.
    pub null_deviance: f64,
    /// ½λ‖w‖² of the coefficients.
    pub penalty: f64,
    /// What of loss and penalty was still in sight before the last step.
    pub gap: f64,
    /// The farthest that the last step but one moved the log-odds of a row.
    pub moved: f64,
    /// Coefficients and intercepts that are free: K − 1 classes of each column with spread.
    pub parameters: usize,
    /// Columns without spread, counted from 0: their coefficients are 0.
    pub constant: Vec<usize>,
    /// Rows of positive weight.
    pub rows: u64,
    /// Weight of all rows: a weight is a number of rows.
    pub weight: f64,
}

/// A fitted softmax, its classes, and how the fit went.
#[derive(Debug, Clone, PartialEq)]
pub struct SoftmaxFit {
    /// The scores.
    pub softmax: Softmax,
    /// The classes, sorted as scikit-learn sorts them.
    pub labels: Vec<Label>,
    /// What a user should know about the fit.
    pub report: SoftmaxReport,
}
