//! Sums rows up: weights, means and scatter of each component, in a frame, mergeable.

mod accumulate;
mod downdate;
mod fixed;
mod frame;
mod group;
mod merge;
mod placed;
mod quartic;
mod scratch;
mod spare;
mod spread;
mod total;

use crate::error::Error;

pub use accumulate::Memberships;
pub use frame::Frame;
pub(crate) use frame::{exponent_of, ldexp};
pub(crate) use placed::Placed;
pub use quartic::Quartic;
pub use spread::Shape;
pub(crate) use spread::{Spread, lower_index};

/// Statistics that can be joined: `a.merge(b)` is the statistic of the rows of `a`, then of `b`.
pub trait Merge: Sized {
    /// Joins two statistics.
    fn merge(self, later: Self) -> Self;
}

/// Part by part: both have the same parts.
impl<T: Merge> Merge for Vec<T> {
    fn merge(self, later: Self) -> Self {
        debug_assert_eq!(self.len(), later.len());
        self.into_iter().zip(later).map(|(a, b)| a.merge(b)).collect()
    }
}

/// What is kept of the scatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// A full matrix per component.
    Full,
    /// One full matrix: the sum over the components, each about its own mean.
    Shared,
    /// The diagonal, per component.
    Diagonal,
    /// The trace, per component, in the unit of the widest column.
    Spherical,
}

impl Storage {
    /// Every storage.
    pub const ALL: [Self; 4] = [Self::Full, Self::Shared, Self::Diagonal, Self::Spherical];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Shared => "shared",
            Self::Diagonal => "diagonal",
            Self::Spherical => "spherical",
        }
    }

    /// Numbers that `components` components of `dim` columns take; `None` beyond the address space.
    pub fn len(self, components: usize, dim: usize) -> Option<usize> {
        let matrices = if self == Self::Shared { 1 } else { components };
        self.shape().len(dim)?.checked_mul(matrices)
    }

    /// The least that serves what either serves.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        let full = |storage| matches!(storage, Self::Full | Self::Shared);
        if self == other {
            self
        } else if full(self) || full(other) {
            Self::Full
        } else {
            Self::Diagonal
        }
    }

    /// The shape of one matrix.
    pub fn shape(self) -> Shape {
        match self {
            Self::Full | Self::Shared => Shape::Full,
            Self::Diagonal => Shape::Diagonal,
            Self::Spherical => Shape::Spherical,
        }
    }
}

/// Weights, means and scatter of some components, in a frame \[M1\].
///
/// Scatter is the weighted sum of squares about the component's own mean: never divided, never
/// regularised. Full scatter is stored as lower triangles, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Moments {
    pub(crate) frame: Frame,
    pub(crate) weight: Vec<f64>,
    pub(crate) mean: Vec<f64>,
    pub(crate) storage: Storage,
    pub(crate) scatter: Vec<f64>,
    /// Fourth moments, where a second pass has brought them.
    pub(crate) quartic: Option<Quartic>,
}

impl Moments {
    /// Takes moments apart that were kept elsewhere, and checks them.
    ///
    /// # Errors
    /// [`Error::Shape`] when lengths differ, [`Error::BadParameter`] for a negative weight,
    /// a negative diagonal or a value that is not finite.
    pub fn from_parts(
        frame: Frame,
        weight: Vec<f64>,
        mean: Vec<f64>,
        storage: Storage,
        scatter: Vec<f64>,
    ) -> Result<Self, Error> {
        let (components, dim) = (weight.len(), frame.dim());
        let shape = |what, expected: Option<usize>, found| match expected {
            Some(expected) if expected == found => Ok(()),
            _ => Err(Error::Shape { what, expected: expected.unwrap_or(usize::MAX), found }),
        };
        shape("means", components.checked_mul(dim), mean.len())?;
        shape("scatter", storage.len(components, dim), scatter.len())?;
        for (k, &value) in weight.iter().enumerate() {
            if !(value.is_finite() && value >= 0.0) {
                return Err(Error::BadParameter { what: "weight", component: k, value });
            }
        }
        let bad = |what, values: &[f64]| {
            let found = values.iter().position(|value| !value.is_finite());
            found.map_or(Ok(()), |at| {
                let component = at * components / values.len();
                Err(Error::BadParameter { what, component, value: values[at] })
            })
        };
        bad("mean", &mean)?;
        bad("scatter", &scatter)?;
        let moments = Self { frame, weight, mean, storage, scatter, quartic: None };
        for k in 0..moments.scatter_count() {
            let diagonal = moments.diagonal(k);
            if let Some(&value) = diagonal.iter().find(|value| **value < 0.0) {
                return Err(Error::BadParameter { what: "scatter", component: k, value });
            }
        }
        Ok(moments)
    }

    /// The frame in which means and scatter are stored.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Number of components.
    pub fn components(&self) -> usize {
        self.weight.len()
    }

    /// Number of columns.
    pub fn dim(&self) -> usize {
        self.frame.dim()
    }

    /// Summed weight of each component.
    pub fn weight(&self) -> &[f64] {
        &self.weight
    }

    /// Mean of component `k` in the frame.
    pub fn mean(&self, k: usize) -> &[f64] {
        let dim = self.dim();
        &self.mean[k * dim..(k + 1) * dim]
    }

    /// All means in the frame, component by component.
    pub fn means(&self) -> &[f64] {
        &self.mean
    }

    /// What is kept of the scatter.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// The scatter as stored.
    pub fn scatter(&self) -> &[f64] {
        &self.scatter
    }

    /// Fourth moments, where a second pass has brought them.
    pub(crate) fn quartic(&self) -> Option<&Quartic> {
        self.quartic.as_ref()
    }

    fn scatter_count(&self) -> usize {
        if self.storage == Storage::Shared { 1 } else { self.components() }
    }

    fn scatter_len(&self) -> usize {
        self.storage.len(1, self.dim()).unwrap_or(0)
    }

    /// The stored numbers of scatter `k` (0 for shared scatter).
    pub(crate) fn scatter_of(&self, k: usize) -> &[f64] {
        let len = self.scatter_len();
        &self.scatter[k * len..(k + 1) * len]
    }

    fn diagonal(&self, k: usize) -> Vec<f64> {
        let stored = self.scatter_of(k);
        match self.storage {
            Storage::Full | Storage::Shared => {
                (0..self.dim()).map(|j| stored[lower_index(j, j)]).collect()
            }
            Storage::Diagonal | Storage::Spherical => stored.to_vec(),
        }
    }
}
