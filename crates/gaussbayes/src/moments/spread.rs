//! Holds one matrix of second moments in the shape a family asks for: full, diagonal, spherical.

use super::{Frame, Moments, Storage, ldexp};
use crate::error::Error;
use crate::linalg::lanes::{Job, vectorized};
use crate::tolerance::{CONSTANT_DEVIATION, POWER_EXPONENT};

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

impl Shape {
    /// Numbers that a matrix of `dim` columns takes; `None` beyond the address space.
    pub fn len(self, dim: usize) -> Option<usize> {
        match self {
            Self::Full => dim.checked_add(1)?.checked_mul(dim).map(|twice| twice / 2),
            Self::Diagonal => Some(dim),
            Self::Spherical => Some(1),
        }
    }
}

/// Moves scatter from one frame to another \[M4\]; a trace is in the unit of the widest column.
pub(super) fn move_scatter(shape: Shape, values: &mut [f64], from: &Frame, to: &Frame) {
    if from.exponent() == to.exponent() {
        return;
    }
    let shift = |j: usize| from.exponent()[j] - to.exponent()[j];
    match shape {
        Shape::Full => {
            if let Some(powers) = powers_between(from, to) {
                return vectorized(Rescale { values, powers: &powers });
            }
            let shifts: Vec<i32> = (0..from.dim()).map(shift).collect();
            let mut rest = values;
            for i in 0..from.dim() {
                let (row, later) = rest.split_at_mut(i + 1);
                let shifts = shifts.iter().map(|e| e + shifts[i]);
                row.iter_mut().zip(shifts).for_each(|(value, e)| *value = ldexp(*value, e));
                rest = later;
            }
        }
        Shape::Diagonal => {
            for (j, value) in values.iter_mut().enumerate() {
                *value = ldexp(*value, 2 * shift(j));
            }
        }
        Shape::Spherical => values[0] = ldexp(values[0], 2 * (from.widest() - to.widest())),
    }
}

/// What columns are multiplied by from one frame to another; `None` where two of them are too much at once.
pub(super) fn powers_between(from: &Frame, to: &Frame) -> Option<Vec<f64>> {
    let shifts = || from.exponent().iter().zip(to.exponent()).map(|(from, to)| from - to);
    let near = shifts().all(|e| e.abs() <= POWER_EXPONENT / 2);
    near.then(|| shifts().map(|e| ldexp(1.0, e)).collect())
}

/// Multiplies a lower triangle by powers of two from both sides.
struct Rescale<'a> {
    values: &'a mut [f64],
    powers: &'a [f64],
}

impl Job for Rescale<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let mut rest = self.values;
        for (i, own) in self.powers.iter().enumerate() {
            let (row, later) = rest.split_at_mut(i + 1);
            row.iter_mut().zip(self.powers).for_each(|(value, p)| *value *= own * p);
            rest = later;
        }
    }
}

impl Spread {
    pub(crate) fn zero(shape: Shape, dim: usize) -> Self {
        Self { shape, dim, values: vec![0.0; shape.len(dim).unwrap_or(0)] }
    }

    /// One variance for all columns.
    pub(crate) fn sphere(dim: usize, variance: f64) -> Self {
        Self { shape: Shape::Spherical, dim, values: vec![variance] }
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

    /// The variance of each column.
    pub(crate) fn diagonal(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        let at = |j: usize| match self.shape {
            Shape::Full => lower_index(j, j),
            Shape::Diagonal => j,
            Shape::Spherical => 0,
        };
        (0..self.dim).map(move |j| self.values[at(j)])
    }

    /// The whole matrix, row by row.
    pub(crate) fn square(&self) -> Vec<f64> {
        let mut square = vec![0.0; self.dim * self.dim];
        if self.shape != Shape::Full {
            let diagonal = square.iter_mut().step_by(self.dim + 1);
            diagonal.zip(self.diagonal()).for_each(|(to, value)| *to = value);
            return square;
        }
        let mut values = self.values.iter();
        for i in 0..self.dim {
            for (j, &value) in values.by_ref().take(i + 1).enumerate() {
                square[i * self.dim + j] = value;
                square[j * self.dim + i] = value;
            }
        }
        square
    }

    /// BSBᵀ of the rows B, each of as many columns: the spread of the same data along them.
    pub(crate) fn along(&self, rows: &[f64]) -> Self {
        let square = self.square();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let image = |row: &[f64]| square.chunks_exact(self.dim).map(|s| dot(s, row)).collect();
        let images: Vec<Vec<f64>> = rows.chunks_exact(self.dim).map(image).collect();
        let mut along = Self::zero(Shape::Full, images.len());
        for (i, row) in rows.chunks_exact(self.dim).enumerate() {
            for (j, image) in images[..=i].iter().enumerate() {
                along.values[lower_index(i, j)] = dot(row, image);
            }
        }
        along
    }

    /// Forgets what a simpler shape cannot hold.
    pub(crate) fn simplified(self, shape: Shape) -> Self {
        if shape >= self.shape {
            return self;
        }
        let values = match shape {
            Shape::Spherical => vec![self.diagonal().sum::<f64>() / self.dim as f64],
            Shape::Full | Shape::Diagonal => self.diagonal().collect(),
        };
        Self { shape, dim: self.dim, values }
    }

    /// The same matrix, written in a shape that can hold more.
    pub(crate) fn widened(self, shape: Shape) -> Self {
        if shape <= self.shape {
            return self;
        }
        let mut wide = Self::zero(shape, self.dim);
        for (j, value) in self.diagonal().enumerate() {
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
        let held = self.storage.shape();
        if held < shape {
            let needed = if shape == Shape::Full { Storage::Full } else { Storage::Diagonal };
            return Err(Error::Storage { held: self.storage.name(), needed: needed.name() });
        }
        if shape == Shape::Diagonal {
            let values = self.squares_in(k, to)?.collect();
            return Ok(Spread { shape, dim, values });
        }
        let mut values = self.scatter_of(k).to_vec();
        move_scatter(held, &mut values, &self.frame, to);
        if held == Shape::Spherical {
            values[0] /= dim as f64;
        }
        Ok(Spread { shape: held, dim, values }.simplified(shape))
    }

    /// The diagonal of scatter `k` (0 for shared scatter), in the frame `to`.
    pub(crate) fn squares_in(
        &self,
        k: usize,
        to: &Frame,
    ) -> Result<impl Iterator<Item = f64>, Error> {
        let held = self.storage.shape();
        if held == Shape::Spherical {
            let (held, needed) = (self.storage.name(), Storage::Diagonal.name());
            return Err(Error::Storage { held, needed });
        }
        let place = move |j: usize| if held == Shape::Full { lower_index(j, j) } else { j };
        let scatter = self.scatter_of(k);
        let unit = |j: usize| 2 * (self.frame.exponent()[j] - to.exponent()[j]);
        Ok((0..self.dim()).map(move |j| ldexp(scatter[place(j)], unit(j))))
    }

    /// Standard deviations in the frame `to` up to which columns of component `k` count as constant:
    /// what rounding leaves of numbers as far from the origin as its mean, or as an origin moved.
    pub(crate) fn resolution(&self, k: usize, to: &Frame) -> impl Iterator<Item = f64> {
        let moved = |j: usize| ldexp(1.0, self.frame.shift()[j] - to.exponent()[j]);
        let mean = self.mean_in(k, to).enumerate();
        mean.map(move |(j, mean)| CONSTANT_DEVIATION * (mean.abs() + moved(j)))
    }

    /// The same of the coarsest of some components.
    pub(crate) fn coarsest(&self, of: impl Iterator<Item = usize>, to: &Frame) -> Vec<f64> {
        let mut floors = vec![0.0_f64; self.dim()];
        for k in of {
            let resolution = self.resolution(k, to);
            floors.iter_mut().zip(resolution).for_each(|(floor, more)| *floor = floor.max(more));
        }
        floors
    }

    /// Mean of component `k` in the frame `to` \[M4\].
    pub(crate) fn mean_in(&self, k: usize, to: &Frame) -> impl Iterator<Item = f64> {
        self.frame.carried(self.mean(k), to)
    }
}
