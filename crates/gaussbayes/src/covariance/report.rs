//! Says how an estimate came about.

use super::estimate::Found;
use super::priors::Priors;
use super::spec::{CovarianceSpec, Scaling};
use super::structure::Convergence;
use crate::error::Error;
use crate::mixture::{Covariances, Mixture};
use crate::moments::{Frame, Moments, Shape, Storage};
use crate::tolerance::WIDE_EXPONENT;

/// A mixture and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The fitted components.
    pub mixture: Mixture,
    /// What a user should know about the fit.
    pub report: Report,
}

/// What a user should know about a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Parameters estimated: priors, means and covariances.
    pub parameters: usize,
    /// Parameters that the decision uses.
    pub decision_parameters: usize,
    /// Columns without spread, which standardisation left as they are.
    pub constant: Vec<usize>,
    /// The widest and the narrowest column, where they differ so much that units decide.
    pub wide: Option<(usize, usize)>,
    /// How the family's own iteration ended, where it has one.
    pub convergence: Option<Convergence>,
    /// Automatic shrinkage, class by class.
    pub amounts: Vec<f64>,
    /// Directions that classes are told apart in, where there are fewer than columns \[M29\].
    pub rank: Option<usize>,
    /// What a ridge of the widest column added to every variance: in raw units, or in squared standard
    /// deviations where columns were standardised.
    pub ridge: Option<f64>,
    /// Components whose covariance the guard kept from collapse; of one covariance for all, all.
    pub lifted: Vec<usize>,
}

impl CovarianceSpec {
    /// Parameters that an estimate has: priors, means and covariances.
    pub fn parameters(&self, priors: &Priors, classes: usize, dim: usize) -> usize {
        let shares = if *priors == Priors::Observed { classes - 1 } else { 0 };
        shares + classes * dim + self.effective_family().covariance_parameters(classes, dim)
    }
}

impl Report {
    pub(super) fn of(
        spec: &CovarianceSpec,
        priors: &Priors,
        moments: &Moments,
        constant: Vec<usize>,
        found: &Found,
    ) -> Self {
        let (classes, dim) = (moments.components(), moments.dim());
        let lost = found.rank.map_or(0, |rank| {
            let count = |dim| spec.effective_family().covariance_parameters(classes, dim);
            count(dim) - count(rank)
        });
        Self {
            parameters: spec.parameters(priors, classes, dim) - lost,
            decision_parameters: decision_parameters(spec, &found.covariances, classes),
            constant,
            wide: spec.depends_on_units().then(|| wide_columns(moments.frame())).flatten(),
            convergence: found.convergence,
            amounts: found.amounts.clone(),
            rank: found.rank,
            ridge: found.ridge,
            lifted: found.lifted.clone(),
        }
    }
}

fn decision_parameters(spec: &CovarianceSpec, covariances: &Covariances, classes: usize) -> usize {
    let one = covariances.get(0);
    let shape = match spec.scaling {
        Scaling::Raw => spec.effective_family().shape(),
        // A sphere in standard deviations is none in raw units.
        Scaling::Standardized => spec.effective_family().shape().max(Shape::Diagonal),
    };
    let quadratic = match covariances {
        Covariances::Shared(_) => 0,
        Covariances::Each(_) => shape.len(one.rank()).unwrap_or(0),
    };
    (classes - 1) * (1 + one.rank() + quadratic)
}

fn wide_columns(frame: &Frame) -> Option<(usize, usize)> {
    let columns = (0..frame.dim()).filter(|&j| frame.has_spread(j));
    let widest = columns.clone().max_by_key(|&j| frame.exponent()[j])?;
    let narrowest = columns.min_by_key(|&j| frame.exponent()[j])?;
    let apart = frame.exponent()[widest] - frame.exponent()[narrowest];
    (apart >= WIDE_EXPONENT).then_some((widest, narrowest))
}

impl Moments {
    /// Standard deviation of each column over all rows, in the frame `to` \[M17\].
    pub(crate) fn deviations(&self, to: &Frame) -> Result<Vec<f64>, Error> {
        let (dim, classes) = (self.dim(), self.components());
        let total: f64 = self.weight().iter().sum();
        if total <= 0.0 {
            return Err(Error::NoRows);
        }
        let scatters = if self.storage() == Storage::Shared { 1 } else { classes };
        let mut within = vec![0.0; dim];
        let mut means = Vec::with_capacity(classes * dim);
        for k in 0..scatters {
            within.iter_mut().zip(self.squares_in(k, to)?).for_each(|(sum, s)| *sum += s);
        }
        for k in 0..classes {
            means.extend(self.mean_in(k, to));
        }
        let deviation = |j: usize| {
            let means = || means.iter().skip(j).step_by(dim).zip(self.weight());
            let mean: f64 = means().map(|(m, n)| n / total * m).sum();
            let between: f64 = means().map(|(m, n)| n * (m - mean).powi(2)).sum();
            ((within[j] + between) / total).sqrt()
        };
        Ok((0..dim).map(deviation).collect())
    }
}
