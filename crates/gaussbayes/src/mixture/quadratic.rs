//! Writes a Gaussian's log score as a quadratic function of the row \[M16\].

use super::Mixture;
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

impl RawQuadratic {
    /// The (d+1)×(d+1) symmetric matrix M with (x, 1)ᵀM(x, 1) = xᵀWx + wᵀx + w₀, row by row \[M40\].
    pub fn homogeneous(&self) -> Vec<f64> {
        let dim = self.linear.len();
        let entry = |i: usize, j: usize| match (i == dim, j == dim) {
            (true, true) => self.constant,
            (true, false) => 0.5 * self.linear[j],
            (false, true) => 0.5 * self.linear[i],
            (false, false) => self.quadratic[lower_index(i.max(j), i.min(j))],
        };
        (0..=dim).flat_map(|i| (0..=dim).map(move |j| entry(i, j))).collect()
    }
}

impl Quadratic {
    pub(crate) fn new(frame: Frame, quadratic: Vec<f64>, linear: Vec<f64>, constant: f64) -> Self {
        Self { frame, quadratic, linear, constant }
    }

    /// The same with its sign turned.
    pub fn negated(mut self) -> Self {
        let numbers = self.quadratic.iter_mut().chain(&mut self.linear);
        numbers.chain([&mut self.constant]).for_each(|x| *x = 0.0 - *x);
        self
    }

    /// Its value at a raw row of as many columns.
    pub fn at(&self, row: &[f64]) -> f64 {
        let u = self.framed(row);
        let twice = self.doubled(&u);
        let sum: f64 =
            u.iter().zip(&twice).zip(&self.linear).map(|((u, t), w)| u * (0.5 * t + w)).sum();
        sum + self.constant
    }

    /// Its slope at a raw row, per raw unit of each column.
    pub fn gradient(&self, row: &[f64]) -> Vec<f64> {
        let slopes = self.doubled(&self.framed(row)).into_iter().zip(&self.linear);
        slopes.zip(self.frame.exponent()).map(|((t, w), e)| ldexp(t + w, -e)).collect()
    }

    fn framed(&self, row: &[f64]) -> Vec<f64> {
        row.iter().enumerate().map(|(j, &x)| self.frame.place(j, x)).collect()
    }

    /// 2Wu.
    fn doubled(&self, u: &[f64]) -> Vec<f64> {
        let at = |i: usize, j: usize| self.quadratic[lower_index(i.max(j), i.min(j))];
        let dim = self.linear.len();
        (0..dim).map(|i| 2.0 * (0..dim).map(|j| at(i, j) * u[j]).sum::<f64>()).collect()
    }

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
        let (factor, offset) = self.scaled(k).unwrap_or((1.0, 0.0));
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
