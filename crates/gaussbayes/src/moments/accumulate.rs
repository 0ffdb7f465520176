//! Sums one block up by how much of each row belongs to each component \[M2\].

use super::placed::{Classes, Placed};
use super::{Frame, Moments, Storage, lower_index, spare};
use crate::data::Block;
use crate::error::Error;
use crate::linalg::{Second, Sums};
use crate::tolerance::MEMBERSHIP_LEAST;

/// How much of each row belongs to each component.
#[derive(Debug, Clone, Copy)]
pub enum Memberships<'a> {
    /// Row `i` belongs to component `codes[i]`; a code beyond them belongs to none.
    Codes(&'a [u32]),
    /// Row `i` belongs to component `k` with membership `weights[i * components + k]`.
    Soft(&'a [f64]),
}

impl Memberships<'_> {
    pub(crate) fn check(&self, components: usize, block: &Block<'_>) -> Result<(), Error> {
        let rows = block.rows().count();
        let (expected, found) = match self {
            Self::Codes(codes) => (rows, codes.len()),
            Self::Soft(weights) => (rows.saturating_mul(components), weights.len()),
        };
        if expected != found {
            return Err(Error::Shape { what: "memberships", expected, found });
        }
        if let Self::Soft(weights) = self
            && let Some(at) = weights.iter().position(|share| !(0.0..=1.0).contains(share))
        {
            let (component, value) = (at % components, weights[at]);
            return Err(Error::BadParameter { what: "membership", component, value });
        }
        Ok(())
    }

    /// Rows and weights of every component; rows of weight zero are left out.
    pub(crate) fn groups(&self, components: usize, block: &Block<'_>) -> Vec<Vec<(usize, f64)>> {
        let mut groups = vec![Vec::new(); components];
        for i in 0..block.rows().count() {
            let mut put = |k: usize, membership: f64| {
                let weight = membership * block.weight(i);
                if membership > MEMBERSHIP_LEAST && weight > 0.0 {
                    groups[k].push((i, weight));
                }
            };
            match self {
                Self::Codes(codes) if (codes[i] as usize) < components => {
                    put(codes[i] as usize, 1.0);
                }
                Self::Codes(_) => {}
                Self::Soft(weights) => {
                    let row = &weights[i * components..(i + 1) * components];
                    row.iter().enumerate().for_each(|(k, &membership)| put(k, membership));
                }
            }
        }
        groups
    }
}

impl Moments {
    /// The moments of one block in its own frame: a function of the block alone.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is a code, or a membership per component, for every row;
    /// [`Error::BadParameter`] for a membership that is not between 0 and 1.
    pub fn of_block(
        block: &Block<'_>,
        memberships: Memberships<'_>,
        components: usize,
        storage: Storage,
    ) -> Result<Self, Error> {
        memberships.check(components, block)?;
        let placed = Placed::of(block);
        if let (Memberships::Codes(codes), false) = (memberships, block.is_weighted()) {
            return Ok(placed.of_classes(&Classes::new(codes, components), storage));
        }
        Ok(placed.moments(&memberships.groups(components, block), storage))
    }

    /// Of no rows at all.
    pub(crate) fn empty(frame: Frame, components: usize, storage: Storage) -> Self {
        Self::with_scatter(frame, components, storage, spare::zeros)
    }

    /// The same, but that a matrix per component may hold anything: each is to be written.
    pub(super) fn unwritten(frame: Frame, components: usize, storage: Storage) -> Self {
        let scatter = if storage == Storage::Full { spare::any } else { spare::zeros };
        Self::with_scatter(frame, components, storage, scatter)
    }

    fn with_scatter(
        frame: Frame,
        components: usize,
        storage: Storage,
        scatter: fn(usize) -> Vec<f64>,
    ) -> Self {
        let dim = frame.dim();
        Self {
            frame,
            weight: vec![0.0; components],
            mean: vec![0.0; components * dim],
            storage,
            scatter: scatter(storage.len(components, dim).unwrap_or(0)),
            quartic: None,
        }
    }

    /// Writes zeros into the matrix of a component that has no rows, where it has one of its own.
    pub(super) fn clear_matrix(&mut self, k: usize) {
        if self.storage == Storage::Full {
            let len = self.scatter_len();
            self.scatter[k * len..(k + 1) * len].fill(0.0);
        }
    }

    /// Fills component `k` with sums about a point near its mean \[M56\]; none of shared scatter.
    pub(crate) fn put_shifted(
        &mut self,
        k: usize,
        weight: f64,
        point: &[f64],
        sums: &Sums<'_>,
    ) -> Option<()> {
        let (dim, len) = (self.dim(), self.scatter_len());
        self.weight[k] = weight;
        let to = self.mean[k * dim..(k + 1) * dim].iter_mut();
        to.zip(point).zip(sums.first).for_each(|((to, m), r)| *to = m + r / weight);
        let scatter = &mut self.scatter[k * len..(k + 1) * len];
        match self.storage {
            Storage::Spherical if sums.kind != Second::Trace => {
                scatter[0] = self.frame.trace(&sums.second);
            }
            Storage::Full | Storage::Diagonal | Storage::Spherical => {
                scatter.copy_from_slice(&sums.second);
            }
            Storage::Shared => return None,
        }
        self.add_outer(k, -1.0 / weight, sums.first);
        Some(())
    }

    /// The correction may leave a diagonal that was zero a rounding below it.
    pub(super) fn floor_diagonal(&mut self, k: usize) {
        let (dim, len) = (self.dim(), self.scatter_len());
        let at = if self.storage == Storage::Shared { 0 } else { k * len };
        let places: Vec<usize> = match self.storage {
            Storage::Full | Storage::Shared => (0..dim).map(|j| at + lower_index(j, j)).collect(),
            Storage::Diagonal | Storage::Spherical => (at..at + len).collect(),
        };
        for place in places {
            self.scatter[place] = self.scatter[place].max(0.0);
        }
    }
}
