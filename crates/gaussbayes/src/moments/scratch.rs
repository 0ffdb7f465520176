//! Holds the sums of a group of rows until they are moved to its mean \[M2\].

use std::cell::Cell;

use super::{Moments, Storage};
use crate::linalg::aligned::Aligned;
use crate::linalg::{Gram, tile_stride};
use crate::tolerance::{NEAR_MEAN, SPARE_BYTES, TILE_ROWS, WIDE_TILE};

/// Scratch of one group: a tile of centred rows, and the sums of their squares.
pub(super) struct Scratch {
    storage: Storage,
    pub(super) stride: usize,
    pub(super) tile: Aligned<f64>,
    /// Numbers of the tile that are in use.
    pub(super) used: usize,
    pub(super) gram: Gram,
    /// Σ w (u − m): zero but for rounding; what is left of it corrects mean and scatter.
    pub(super) residual: Vec<f64>,
    pub(super) squares: Vec<f64>,
}

fn is_full(storage: Storage) -> bool {
    matches!(storage, Storage::Full | Storage::Shared)
}

thread_local! {
    /// What a thread has used last: blocks of one table take the same.
    static SPARE: Cell<Option<Scratch>> = const { Cell::new(None) };
}

impl Scratch {
    /// Lends what a thread has kept from the block before, or room of its own.
    pub(super) fn lend((storage, dim): (Storage, usize), work: impl FnOnce(&mut Self)) {
        let spare =
            SPARE.take().filter(|spare| (spare.storage, spare.residual.len()) == (storage, dim));
        let mut scratch = spare.unwrap_or_else(|| Self::new(storage, dim));
        work(&mut scratch);
        if size_of::<f64>() * (scratch.tile.len() + scratch.gram.len()) <= SPARE_BYTES {
            SPARE.set(Some(scratch));
        }
    }

    fn new(storage: Storage, dim: usize) -> Self {
        Self {
            storage,
            stride: tile_stride::<f64>(dim),
            tile: Aligned::zeros(if is_full(storage) {
                tile_rows(dim) * tile_stride::<f64>(dim)
            } else {
                0
            }),
            used: 0,
            gram: Gram::new(if is_full(storage) { dim } else { 0 }),
            residual: vec![0.0; dim],
            squares: vec![0.0; dim],
        }
    }

    pub(super) fn is_full(&self) -> bool {
        is_full(self.storage)
    }

    pub(super) fn clear(&mut self) {
        self.gram.clear();
        self.residual.fill(0.0);
        self.squares.fill(0.0);
    }

    /// Whether sums of squares are not many times what they would be about the mean.
    pub(super) fn is_about_mean(&self, weight: f64) -> bool {
        let diagonal = if self.is_full() { &self.gram.diagonal() } else { &self.squares };
        let mut columns = self.residual.iter().zip(diagonal);
        columns.all(|(first, square)| first * first <= NEAR_MEAN * weight * square)
    }

    /// Fills component `k` with what was summed up about a point.
    pub(super) fn drain_into(&self, moments: &mut Moments, k: usize, weight: f64, point: &[f64]) {
        let (dim, len) = (moments.dim(), moments.scatter_len());
        moments.weight[k] = weight;
        let to = &mut moments.mean[k * dim..(k + 1) * dim];
        for ((to, m), r) in to.iter_mut().zip(point).zip(&self.residual) {
            *to = m + r / weight;
        }
        match self.storage {
            Storage::Full => {
                let scatter = &mut moments.scatter[k * len..(k + 1) * len];
                self.gram.write_with((-1.0 / weight, &self.residual), scatter);
                return moments.floor_diagonal(k);
            }
            Storage::Shared => self.gram.add_to(&mut moments.scatter),
            Storage::Diagonal => {
                moments.scatter[k * len..(k + 1) * len].copy_from_slice(&self.squares);
            }
            Storage::Spherical => moments.scatter[k] = moments.frame.trace(&self.squares),
        }
        moments.add_outer(k, -1.0 / weight, &self.residual);
        moments.floor_diagonal(k);
    }
}

/// Rows that are multiplied at a time: they stay in the first cache level.
pub(super) fn tile_rows(dim: usize) -> usize {
    if dim <= WIDE_TILE { TILE_ROWS / 4 } else { TILE_ROWS }
}
