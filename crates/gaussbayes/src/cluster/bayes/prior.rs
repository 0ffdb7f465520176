//! Holds what is known before any row, in the frame of the rows: their place costs no digits \[M72\].

use super::spec::{BayesSpec, WeightPrior, above};
use crate::covariance::{Covariance, Ridge};
use crate::data::{Block, Source};
use crate::error::Error;
use crate::moments::{Frame, Memberships, Moments, Shape, Spread, Storage, ldexp, lower_index};
use crate::sweep::{On, Sweep, run};

/// The prior of a mixture's parameters \[M72\].
#[derive(Debug, Clone, PartialEq)]
pub struct BayesPrior {
    pub(super) frame: Frame,
    pub(super) components: usize,
    pub(super) weights: WeightPrior,
    pub(super) concentration: f64,
    pub(super) mean_precision: f64,
    /// In the frame.
    pub(super) mean: Vec<f64>,
    pub(super) degrees_of_freedom: f64,
    /// S₀, in the frame.
    pub(super) scatter: Spread,
    /// Whether all components have one posterior of their covariance.
    pub(super) shared: bool,
    pub(super) ridge: Ridge,
}

impl BayesSpec {
    /// The prior of so many components, from the moments of all rows as one component.
    ///
    /// # Errors
    /// What [`BayesSpec::check`] refuses; [`Error::Shape`] for a mean or covariance of other columns,
    /// [`Error::Parameter`] for too few degrees of freedom, [`Error::Singular`] for a given covariance without
    /// an inverse, [`Error::TooFewRows`] for rows without a covariance.
    pub fn prior(&self, components: usize, total: &Moments) -> Result<BayesPrior, Error> {
        self.check()?;
        let (dim, shape) = (total.dim(), self.shape());
        let same = |what, expected: usize, found: usize| {
            if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
        };
        same("components of all rows together", 1, total.components())?;
        let weight = total.weight()[0];
        if components == 0 {
            return Err(Error::Shape { what: "components", expected: 1, found: 0 });
        }
        if weight == 0.0 {
            return Err(Error::NoRows);
        }
        // One number for all columns needs one unit for all.
        let frame = total.frame();
        let frame = if shape == Shape::Spherical { frame.uniform() } else { frame.settled() };
        let mean = match &self.mean {
            None => total.mean_in(0, &frame).collect(),
            Some(mean) => {
                same("the prior mean", dim, mean.len())?;
                mean.iter().enumerate().map(|(j, &x)| frame.place(j, x)).collect()
            }
        };
        let degrees_of_freedom = self.degrees_of_freedom.unwrap_or(dim as f64);
        above("degrees of freedom", degrees_of_freedom, dim as f64 - 1.0)?;
        let scatter = match &self.covariance {
            Some(raw) => {
                same("the prior covariance", shape.len(dim).unwrap_or(usize::MAX), raw.len())?;
                let raw = Spread { shape, dim, values: raw.clone() };
                let framed = in_units(raw, frame.exponent(), -1);
                Covariance::from_spread(&framed, &vec![0.0; dim], None)?;
                framed
            }
            None if weight > 1.0 => total.spread(0, shape, &frame)?.scaled(1.0 / (weight - 1.0)),
            None => {
                let (component, class) = (None, None);
                return Err(Error::TooFewRows { component, class, weight, ddof: 1.0 });
            }
        };
        Ok(BayesPrior {
            frame,
            components,
            weights: self.weights,
            concentration: self.concentration.unwrap_or(1.0 / components as f64),
            mean_precision: self.mean_precision.unwrap_or(1.0),
            mean,
            degrees_of_freedom,
            scatter,
            shared: self.is_shared(),
            ridge: self.ridge,
        })
    }
}

/// The spread in other units: `sign` 1 from the frame to raw ones, −1 the other way.
fn in_units(mut spread: Spread, exponent: &[i32], sign: i32) -> Spread {
    let values = spread.values.iter_mut();
    match spread.shape {
        Shape::Full => {
            for i in 0..spread.dim {
                for j in 0..=i {
                    let value = &mut spread.values[lower_index(i, j)];
                    *value = ldexp(*value, sign * (exponent[i] + exponent[j]));
                }
            }
        }
        // The frame of a sphere has one unit.
        Shape::Diagonal | Shape::Spherical => {
            values.zip(exponent).for_each(|(value, e)| *value = ldexp(*value, sign * 2 * e));
        }
    }
    spread
}

impl BayesPrior {
    /// Number of components.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Columns.
    pub fn dim(&self) -> usize {
        self.frame.dim()
    }

    /// Concentration of the weights.
    pub fn concentration(&self) -> f64 {
        self.concentration
    }

    /// Rows that the mean counts as.
    pub fn mean_precision(&self) -> f64 {
        self.mean_precision
    }

    /// The mean in raw units.
    pub fn raw_mean(&self) -> Vec<f64> {
        self.mean.iter().enumerate().map(|(j, &u)| self.frame.raw_value(j, u)).collect()
    }

    /// Rows that the covariance counts as.
    pub fn degrees_of_freedom(&self) -> f64 {
        self.degrees_of_freedom
    }

    /// S₀ in raw units, as [`BayesSpec::covariance`] takes it.
    pub fn raw_covariance(&self) -> Vec<f64> {
        in_units(self.scatter.clone(), self.frame.exponent(), 1).values
    }
}

/// The moments of all rows of a source as one component: what a prior needs of them.
///
/// # Errors
/// What the source or its rows refuse.
pub fn total_moments<S: Source>(
    spec: &BayesSpec,
    source: &mut S,
    on: On<'_>,
) -> Result<Moments, S::Error> {
    run(&TotalSweep(spec.storage()), source, on)
}

/// Moments of all rows.
struct TotalSweep(Storage);

impl Sweep for TotalSweep {
    type Stat = Moments;

    fn block(&self, block: &Block<'_>) -> Result<Moments, Error> {
        let codes = vec![0; block.rows().count()];
        Moments::of_block(block, Memberships::Codes(&codes), 1, self.0)
    }
}
