//! Sums one block up by how much of each row belongs to each component \[M2\].

use super::placed::Placed;
use super::{Frame, Moments, Storage, lower_index};
use crate::data::Block;
use crate::error::Error;
use crate::linalg::Sums;
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
        if let (Self::Codes(codes), false) = (self, block.is_weighted()) {
            let mut counts = vec![0; components];
            for &code in *codes {
                if let Some(count) = counts.get_mut(code as usize) {
                    *count += 1;
                }
            }
            groups.iter_mut().zip(counts).for_each(|(group, count)| group.reserve_exact(count));
            for (i, &code) in codes.iter().enumerate() {
                if let Some(group) = groups.get_mut(code as usize) {
                    group.push((i, 1.0));
                }
            }
            return groups;
        }
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
        let groups = memberships.groups(components, block);
        Ok(Placed::of(block).moments(&groups, storage))
    }

    /// Of no rows at all.
    pub(crate) fn empty(frame: Frame, components: usize, storage: Storage) -> Self {
        let dim = frame.dim();
        Self {
            frame,
            weight: vec![0.0; components],
            mean: vec![0.0; components * dim],
            storage,
            scatter: vec![0.0; storage.len(components, dim).unwrap_or(0)],
            quartic: None,
        }
    }

    /// Fills component `k` with sums about a point near its mean \[M56\]; how many times a sum of squares about that
    /// point is the one about the mean, at most over the columns.
    pub(crate) fn put_shifted(
        &mut self,
        k: usize,
        weight: f64,
        point: &[f64],
        sums: &Sums,
    ) -> Option<f64> {
        let (dim, len) = (self.dim(), self.scatter_len());
        self.weight[k] = weight;
        let to = self.mean[k * dim..(k + 1) * dim].iter_mut();
        to.zip(point).zip(&sums.first).for_each(|((to, m), r)| *to = m + r / weight);
        let scatter = &mut self.scatter[k * len..(k + 1) * len];
        match self.storage {
            Storage::Full | Storage::Diagonal => scatter.copy_from_slice(&sums.second),
            Storage::Spherical => scatter[0] = self.frame.trace(&sums.squares()),
            Storage::Shared => return None,
        }
        self.add_outer(k, -1.0 / weight, &sums.first);
        let columns = sums.squares().into_iter().zip(&sums.first);
        let ratio = columns.map(|(all, first)| all / (all - first * first / weight));
        Some(ratio.fold(1.0, |most, ratio| if ratio <= most { most } else { ratio }))
            .filter(|ratio| *ratio > 0.0)
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
