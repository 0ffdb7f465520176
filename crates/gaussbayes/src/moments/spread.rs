//! Holds one matrix of second moments in the shape a family asks for: full, diagonal, spherical.

use super::{Frame, Moments, Storage, ldexp};
use crate::error::Error;

/// The shape of a covariance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// One number for all columns.
    Spherical,
    /// One number per column.
    Diagonal,
    /// One number per pair of columns.
    Full,
}

/// A matrix of second moments in one shape; every operation on shapes is written here, once.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spread {
    pub(crate) shape: Shape,
    pub(crate) dim: usize,
    /// Lower triangle row by row, diagonal, or the mean of the diagonal.
    pub(crate) values: Vec<f64>,
}

/// Place of `(i, j)`, `j ≤ i`, in a lower triangle stored row by row.
pub(crate) fn lower_index(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// Numbers in a lower triangle.
pub(crate) fn triangle(dim: usize) -> usize {
    dim * (dim + 1) / 2
}

impl Spread {
    pub(crate) fn zero(shape: Shape, dim: usize) -> Self {
        let len = match shape {
            Shape::Full => triangle(dim),
            Shape::Diagonal => dim,
            Shape::Spherical => 1,
        };
        Self { shape, dim, values: vec![0.0; len] }
    }

    pub(crate) fn scaled(mut self, factor: f64) -> Self {
        self.values.iter_mut().for_each(|value| *value *= factor);
        self
    }

    /// Adds `factor` times another spread of the same shape.
    pub(crate) fn add(&mut self, factor: f64, other: &Self) {
        debug_assert_eq!((self.shape, self.dim), (other.shape, other.dim));
        for (value, more) in self.values.iter_mut().zip(&other.values) {
            *value += factor * more;
        }
    }

    pub(crate) fn diagonal(&self) -> Vec<f64> {
        match self.shape {
            Shape::Full => (0..self.dim).map(|j| self.values[lower_index(j, j)]).collect(),
            Shape::Diagonal => self.values.clone(),
            Shape::Spherical => vec![self.values[0]; self.dim],
        }
    }

    /// Forgets what a simpler shape cannot hold.
    pub(crate) fn simplified(&self, shape: Shape) -> Self {
        let values = match shape.min(self.shape) {
            Shape::Full => self.values.clone(),
            Shape::Diagonal => self.diagonal(),
            Shape::Spherical => vec![self.diagonal().iter().sum::<f64>() / self.dim as f64],
        };
        Self { shape: shape.min(self.shape), dim: self.dim, values }
    }

    /// The same matrix, written in a shape that can hold more.
    pub(crate) fn widened(&self, shape: Shape) -> Self {
        if shape <= self.shape {
            return self.clone();
        }
        let mut wide = Self::zero(shape, self.dim);
        for (j, value) in self.diagonal().into_iter().enumerate() {
            wide.values[if shape == Shape::Full { lower_index(j, j) } else { j }] = value;
        }
        wide
    }

    /// Multiplies column `j` of the rows behind it by `factor(j)`.
    pub(crate) fn rescaled(mut self, factor: &[f64]) -> Self {
        match self.shape {
            Shape::Full => {
                for i in 0..self.dim {
                    for j in 0..=i {
                        self.values[lower_index(i, j)] *= factor[i] * factor[j];
                    }
                }
            }
            Shape::Diagonal => {
                for (value, f) in self.values.iter_mut().zip(factor) {
                    *value *= f * f;
                }
            }
            Shape::Spherical => return self.widened(Shape::Diagonal).rescaled(factor),
        }
        self
    }
}

impl Moments {
    /// Scatter `k` (0 for shared scatter) in a shape, in the frame `to`.
    pub(crate) fn spread(&self, k: usize, shape: Shape, to: &Frame) -> Result<Spread, Error> {
        let dim = self.dim();
        let held = match self.storage {
            Storage::Full | Storage::Shared => Shape::Full,
            Storage::Diagonal => Shape::Diagonal,
            Storage::Spherical => Shape::Spherical,
        };
        if held < shape {
            let needed = if shape == Shape::Full { Storage::Full } else { Storage::Diagonal };
            return Err(Error::Storage { held: self.storage.name(), needed: needed.name() });
        }
        let mut values = self.scatter_of(k).to_vec();
        let shift = |j: usize| self.frame.exponent()[j] - to.exponent()[j];
        match held {
            Shape::Full => {
                for i in 0..dim {
                    for j in 0..=i {
                        let value = &mut values[lower_index(i, j)];
                        *value = ldexp(*value, shift(i) + shift(j));
                    }
                }
            }
            Shape::Diagonal => {
                for (j, value) in values.iter_mut().enumerate() {
                    *value = ldexp(*value, 2 * shift(j));
                }
            }
            Shape::Spherical => {
                let shift = self.frame.widest() - to.widest();
                values[0] = ldexp(values[0], 2 * shift) / dim as f64;
            }
        }
        Ok(Spread { shape: held, dim, values }.simplified(shape))
    }

    /// Mean of component `k` in the frame `to` \[M4\].
    pub(crate) fn mean_in(&self, k: usize, to: &Frame) -> Vec<f64> {
        let from = &self.frame;
        let place = |(j, &mean): (usize, &f64)| {
            ldexp(mean, from.exponent()[j] - to.exponent()[j]) + to.place(j, from.origin()[j])
        };
        self.mean(k).iter().enumerate().map(place).collect()
    }
}
