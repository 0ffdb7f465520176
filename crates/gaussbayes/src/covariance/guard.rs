//! Keeps covariances from collapse: no variance below a share of that of all rows \[M57\].

use super::estimate::{Found, Job};
use super::family::Sharing;
use super::structure::Classes;
use crate::error::Error;
use crate::linalg::{eigen, factor_in_place};
use crate::mixture::Covariances;
use crate::moments::{Shape, Spread, lower_index};

impl Job<'_> {
    /// Fits the family; where a covariance would collapse, to class covariances that do not.
    pub(super) fn guarded(&self, mut classes: Classes, amounts: Vec<f64>) -> Result<Found, Error> {
        let share = self.spec.guard;
        if share == 0.0 {
            return self.factored(&classes, amounts);
        }
        let mut deviations = self.moments.deviations(self.frame)?;
        if let Some(scale) = self.scale {
            deviations.iter_mut().zip(scale).for_each(|(s, scale)| *s /= scale);
        }
        // A column without spread is no collapse, and is refused by name.
        if deviations.contains(&0.0) {
            return self.factored(&classes, amounts);
        }
        let floor = Floor::new(share, deviations);
        let shared = self.spec.sharing() == Sharing::Shared;
        if !shared && !self.spec.family.is_plain() {
            match self.factored(&classes, amounts.clone()) {
                Ok(found) if self.stands(&found.covariances, &floor) => return Ok(found),
                Ok(_) | Err(Error::Singular(_) | Error::NoEstimate { .. }) => {}
                Err(other) => return Err(other),
            }
        }
        let mut lifted = Vec::new();
        for (k, spread) in classes.spreads_mut().iter_mut().enumerate() {
            if let Some(higher) = floor.lift(spread) {
                *spread = higher;
                lifted.push(k);
            }
        }
        if shared && !lifted.is_empty() {
            lifted = (0..self.moments.components()).collect();
        }
        Ok(Found { lifted, ..self.factored(&classes, amounts)? })
    }

    /// Whether no covariance of a fit has collapsed.
    fn stands(&self, covariances: &Covariances, floor: &Floor) -> bool {
        let Covariances::Each(all) = covariances else { return true };
        all.iter().all(|covariance| {
            let (dim, values) = (covariance.dim(), covariance.triangle());
            let spread = Spread { shape: Shape::Full, dim, values };
            let spread = match self.scale {
                Some(scale) => {
                    let inverse: Vec<f64> = scale.iter().map(|s| 1.0 / s).collect();
                    spread.rescaled(&inverse)
                }
                None => spread,
            };
            floor.lift(&spread).is_none()
        })
    }
}

/// The lowest variance in each direction: a share of that of independent columns this wide.
struct Floor {
    share: f64,
    deviations: Vec<f64>,
    /// Of the deviations.
    inverse: Vec<f64>,
}

impl Floor {
    fn new(share: f64, deviations: Vec<f64>) -> Self {
        let inverse = deviations.iter().map(|s| 1.0 / s).collect();
        Self { share, deviations, inverse }
    }

    /// The nearest spread, by likelihood, that is nowhere below the floor; `None` where this one is not.
    fn lift(&self, spread: &Spread) -> Option<Spread> {
        let (dim, share) = (spread.dim, self.share);
        let widest = self.deviations.iter().copied().fold(0.0, f64::max);
        let least = |j: usize| share * self.deviations[j].powi(2);
        match spread.shape {
            Shape::Spherical => {
                let least = share * widest.powi(2);
                (spread.values[0] < least).then(|| Spread::sphere(dim, least))
            }
            Shape::Diagonal => {
                let values = || spread.values.iter().enumerate();
                if values().all(|(j, value)| *value >= least(j)) {
                    return None;
                }
                let values = values().map(|(j, value)| value.max(least(j))).collect();
                Some(Spread { shape: Shape::Diagonal, dim, values })
            }
            Shape::Full => {
                let mut above = spread.clone().rescaled(&self.inverse);
                (0..dim).for_each(|j| above.values[lower_index(j, j)] -= share);
                if factor_in_place(&mut above.values, dim) {
                    return None;
                }
                let scaled = spread.clone().rescaled(&self.inverse);
                let found = eigen(&scaled.values, dim)?;
                if found.values[0] >= share {
                    return None;
                }
                let mut lifted = Spread::zero(Shape::Full, dim);
                for (value, axis) in found.values.iter().zip(found.vectors.chunks_exact(dim)) {
                    for i in 0..dim {
                        for j in 0..=i {
                            lifted.values[lower_index(i, j)] +=
                                value.max(share) * axis[i] * axis[j];
                        }
                    }
                }
                Some(lifted.rescaled(&self.deviations))
            }
        }
    }
}
