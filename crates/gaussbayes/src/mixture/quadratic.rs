//! Writes a Gaussian's log score as a quadratic function of the row \[M16\].

use super::{Law, Mixture};
use crate::moments::{Frame, ldexp, lower_index};

/// `uᵀWu + wᵀu + w₀` of a framed row `u`.
#[derive(Debug, Clone, PartialEq)]
pub struct Quadratic {
    frame: Frame,
    /// Lower triangle of W, row by row.
    quadratic: Vec<f64>,
    linear: Vec<f64>,
    constant: f64,
}

/// `xᵀWx + wᵀx + w₀` of a raw row `x`.
#[derive(Debug, Clone, PartialEq)]
pub struct RawQuadratic {
    /// Lower triangle of W, row by row.
    pub quadratic: Vec<f64>,
    /// w.
    pub linear: Vec<f64>,
    /// w₀.
    pub constant: f64,
}

impl Quadratic {
    /// `self − other`: the discriminant of two components of one mixture.
    pub fn minus(&self, other: &Self) -> Self {
        let less = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect();
        Self {
            frame: self.frame.clone(),
            quadratic: less(&self.quadratic, &other.quadratic),
            linear: less(&self.linear, &other.linear),
            constant: self.constant - other.constant,
        }
    }

    /// The same function of raw rows. Far from the origin its terms cancel: score with the mixture.
    pub fn raw(&self) -> RawQuadratic {
        let dim = self.linear.len();
        let (origin, exponent) = (self.frame.origin(), self.frame.exponent());
        let mut quadratic = self.quadratic.clone();
        for i in 0..dim {
            for j in 0..=i {
                let value = &mut quadratic[lower_index(i, j)];
                *value = ldexp(*value, -exponent[i] - exponent[j]);
            }
        }
        let at = |i: usize, j: usize| quadratic[lower_index(i.max(j), i.min(j))];
        let pull: Vec<f64> =
            (0..dim).map(|i| (0..dim).map(|j| at(i, j) * origin[j]).sum()).collect();
        let slope: Vec<f64> = (0..dim).map(|j| ldexp(self.linear[j], -exponent[j])).collect();
        let linear = slope.iter().zip(&pull).map(|(w, p)| w - 2.0 * p).collect();
        let shift: f64 = origin.iter().zip(&pull).zip(&slope).map(|((o, p), w)| o * (p - w)).sum();
        RawQuadratic { linear, constant: self.constant + shift, quadratic }
    }
}

impl Mixture {
    /// The log score of component `k`.
    pub(super) fn quadratic(&self, k: usize) -> Quadratic {
        let covariance = self.covariances().get(k);
        let mut quadratic = covariance.precision();
        let (factor, offset) = match self.laws().map(|laws| laws[k]) {
            Some(Law::Scaled { factor, offset }) => (factor, offset),
            _ => (1.0, 0.0),
        };
        quadratic.iter_mut().for_each(|value| *value *= -0.5 * factor);
        let mut linear = self.mean(k).to_vec();
        covariance.whiten_rows(&mut linear);
        let distance = crate::covariance::norm_sq(&linear);
        covariance.unwhiten(&mut linear);
        linear.iter_mut().for_each(|value| *value *= factor);
        let constant = self.weights()[k].ln() + self.log_norm(k) + offset - 0.5 * factor * distance;
        Quadratic { frame: self.frame().clone(), quadratic, linear, constant }
    }
}
