//! Makes data sets on which the number of columns or rows decides who errs less \[M86\] \[M87\].

use super::label::Label;
use crate::judge::Trunk;
use crate::parameters::Parameters;

/// Trunk's example: two classes of equal priors, N(−m, I) and N(m, I) with m_j = 1/√j \[M87\].
///
/// ```
/// let rows = gaussbayes::trunk(20).classifier()?.sample(100, 1)?.table()?;
/// assert_eq!((rows.rows(), rows.dim), (100, 20));
/// # Ok::<(), gaussbayes::Error>(())
/// ```
pub fn trunk(dim: usize) -> Parameters {
    let mean = Trunk { dim }.mean();
    two_classes(mean, |i, j| if i == j { 1.0 } else { 0.0 })
}

/// Mean of every column of [`echo`], for the second class.
const VOICE: f64 = 0.2;

/// Share of the columns that repeat each other, and how far they do.
const ECHOES: (usize, f64) = (4, 0.25);

/// Two classes of equal priors that differ in every column alike; the last quarter of the columns is correlated, which
/// naive Bayes takes for news each time. It is ahead of softmax regression on few rows, and behind on many (Ng and
/// Jordan 2002) \[M86\].
pub fn echo(dim: usize) -> Parameters {
    let (part, correlation) = ECHOES;
    let first = dim - dim / part;
    two_classes(vec![VOICE; dim], |i, j| match (i == j, i.min(j) >= first) {
        (true, _) => 1.0,
        (false, true) => correlation,
        (false, false) => 0.0,
    })
}

fn two_classes(mean: Vec<f64>, entry: impl Fn(usize, usize) -> f64) -> Parameters {
    let dim = mean.len();
    Parameters {
        classes: vec![Label::from("1"), Label::from("2")],
        features: (1..=dim).map(|j| format!("x{j}")).collect(),
        priors: None,
        means: vec![mean.iter().map(|m| -m).collect(), mean],
        covariances: vec![(0..dim).map(|i| (0..dim).map(|j| entry(i, j)).collect()).collect()],
        costs: None,
    }
}
