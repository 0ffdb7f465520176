//! Sums one block up by two passes: means first, then scatter about them \[M2\].

use super::{Frame, Moments, Storage, ldexp, lower_index};
use crate::data::Block;
use crate::error::Error;
use crate::linalg::Gram;
use crate::tolerance::{MEMBERSHIP_LEAST, TILE_ROWS};

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
        let groups = memberships.groups(components, block);
        let (frame, framed) = framed(block);
        Ok(Self::of_framed(&frame, &framed, &groups, storage))
    }

    /// The moments of rows that are already in a frame, group by group.
    pub(crate) fn of_framed(
        frame: &Frame,
        framed: &[f64],
        groups: &[Vec<(usize, f64)>],
        storage: Storage,
    ) -> Self {
        let dim = frame.dim();
        let scatter = storage.len(groups.len(), dim).unwrap_or(0);
        let mut moments = Self {
            frame: frame.clone(),
            weight: vec![0.0; groups.len()],
            mean: vec![0.0; groups.len() * dim],
            storage,
            scatter: vec![0.0; scatter],
            quartic: None,
        };
        let mut kernel = Kernel::new(storage, dim);
        for (k, group) in groups.iter().enumerate() {
            moments.add_group(k, framed, group, &mut kernel);
        }
        moments
    }

    fn add_group(&mut self, k: usize, framed: &[f64], group: &[(usize, f64)], kernel: &mut Kernel) {
        let dim = self.dim();
        let row = |i: usize| &framed[i * dim..(i + 1) * dim];
        let weight: f64 = group.iter().map(|(_, w)| w).sum();
        if weight == 0.0 {
            return;
        }
        let mut mean = vec![0.0; dim];
        for &(i, w) in group {
            for (mean, u) in mean.iter_mut().zip(row(i)) {
                *mean += w * u;
            }
        }
        mean.iter_mut().for_each(|mean| *mean /= weight);

        // r = Σ w (u − m): zero but for rounding; what is left of it corrects mean and scatter.
        let mut residual = vec![0.0; dim];
        kernel.clear();
        for tile in group.chunks(TILE_ROWS) {
            kernel.tile.clear();
            for &(i, w) in tile {
                let root = w.sqrt();
                for ((u, m), r) in row(i).iter().zip(&mean).zip(&mut residual) {
                    let centred = u - m;
                    *r += w * centred;
                    kernel.tile.push(root * centred);
                }
            }
            kernel.add_tile();
        }
        self.weight[k] = weight;
        for ((to, m), r) in self.mean[k * dim..(k + 1) * dim].iter_mut().zip(&mean).zip(&residual) {
            *to = m + r / weight;
        }
        kernel.drain_into(self, k);
        self.add_outer(k, -1.0 / weight, &residual);
        self.floor_diagonal(k);
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

/// The frame of a block's rows of positive weight, and all its rows in it.
pub(crate) fn framed(block: &Block<'_>) -> (Frame, Vec<f64>) {
    let frame = Frame::of(block.rows(), |i| block.weight(i) > 0.0);
    let framed = frame.apply(block.rows());
    (frame, framed)
}

/// Scratch of one component: a tile of centred rows, and the sum of their squares.
struct Kernel {
    storage: Storage,
    dim: usize,
    tile: Vec<f64>,
    gram: Gram,
    diagonal: Vec<f64>,
}

impl Kernel {
    fn new(storage: Storage, dim: usize) -> Self {
        let full = matches!(storage, Storage::Full | Storage::Shared);
        Self {
            storage,
            dim,
            tile: Vec::with_capacity(TILE_ROWS * dim),
            gram: Gram::new(if full { dim } else { 0 }),
            diagonal: vec![0.0; dim],
        }
    }

    fn clear(&mut self) {
        self.gram.clear();
        self.diagonal.fill(0.0);
    }

    fn add_tile(&mut self) {
        match self.storage {
            Storage::Full | Storage::Shared => self.gram.add(&self.tile),
            Storage::Diagonal | Storage::Spherical => {
                for row in self.tile.chunks_exact(self.dim) {
                    for (sum, u) in self.diagonal.iter_mut().zip(row) {
                        *sum += u * u;
                    }
                }
            }
        }
    }

    fn drain_into(&self, moments: &mut Moments, k: usize) {
        let len = moments.scatter_len();
        let widest = moments.frame.widest();
        let exponent = moments.frame.exponent().to_vec();
        match self.storage {
            Storage::Full => self.gram.add_to(&mut moments.scatter[k * len..(k + 1) * len]),
            Storage::Shared => self.gram.add_to(&mut moments.scatter),
            Storage::Diagonal => {
                moments.scatter[k * len..(k + 1) * len].copy_from_slice(&self.diagonal);
            }
            Storage::Spherical => {
                let in_common = |(s, e): (&f64, &i32)| ldexp(*s, 2 * (e - widest));
                moments.scatter[k] = self.diagonal.iter().zip(&exponent).map(in_common).sum();
            }
        }
    }
}
