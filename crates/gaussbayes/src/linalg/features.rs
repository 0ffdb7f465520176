//! Adds up what all components take of a tile about the origin: features of rows times shares \[M56\].

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::distances::Column;
use super::gram::tile_stride;
use super::scatter::{Sums, add_wide};
use super::simd::{Real, dispatch};
use super::tile::{Layout, TILE, Tile};
use crate::tolerance::{FEATURE_BYTES, FEATURE_COLUMNS};

/// Σ r φ(u) of each component: φ holds the numbers of a row, and their products or squares behind them.
#[derive(Debug)]
pub(crate) struct Features {
    dim: usize,
    full: bool,
    /// Numbers from one component, and from one row of features, to the next.
    stride: usize,
    sums: Vec<f64>,
    /// Features of some rows, row by row or column by column.
    room: Vec<f64>,
    /// Rows that are taken at once row by row; none where features are kept column by column.
    rows: Option<usize>,
}

impl Features {
    /// Of all products of two columns, or of their squares.
    pub(crate) fn new(dim: usize, components: usize, full: bool) -> Self {
        let count = dim + if full { dim * (dim + 1) / 2 } else { dim };
        let stride = tile_stride::<f64>(count);
        let sums = vec![0.0; components * stride];
        if dim <= FEATURE_COLUMNS {
            let room = vec![0.0; TILE * count.next_multiple_of(AT_ONCE)];
            return Self { dim, full, stride, sums, room, rows: None };
        }
        let rows = (FEATURE_BYTES / (size_of::<f64>() * stride)).clamp(8, TILE);
        // Products are written a vector at a time: the last may reach beyond their end.
        let room = vec![0.0; rows * stride + tile_stride::<f64>(dim)];
        Self { dim, full, stride, sums, room, rows: Some(rows) }
    }

    /// What tiles must hold.
    pub(crate) fn layout(&self) -> Layout {
        if self.rows.is_some() { Layout::Both } else { Layout::Columns }
    }

    /// Adds a tile.
    pub(crate) fn add(&mut self, tile: &Tile<f64>, shares: &[Column]) {
        let Some(at_once) = self.rows else {
            return dispatch(ByColumns { features: self, tile, shares });
        };
        for first in (0..tile.rows).step_by(at_once) {
            let rows = first..tile.rows.min(first + at_once);
            let tile_rows = &tile.by_rows[rows.start * tile.stride()..rows.end * tile.stride()];
            dispatch(Fill { features: self, rows: tile_rows });
            let values = (&self.room[..], self.stride);
            add_products(rows, shares, values, &mut self.sums);
        }
    }

    /// The sums of each component.
    pub(crate) fn sums(&self) -> impl Iterator<Item = Sums> + '_ {
        let second = if self.full { self.dim * (self.dim + 1) / 2 } else { self.dim };
        self.sums.chunks_exact(self.stride.max(1)).map(move |sums| Sums {
            first: sums[..self.dim].to_vec(),
            second: sums[self.dim..self.dim + second].to_vec(),
            full: self.full,
        })
    }
}

/// Columns of features and components that are multiplied at once.
const AT_ONCE: usize = 4;

/// Adds a tile of few columns: features, too, have rows side by side in vectors.
struct ByColumns<'a> {
    features: &'a mut Features,
    tile: &'a Tile<f64>,
    shares: &'a [Column],
}

impl WithSimd for ByColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Features { dim, full, stride, sums, room, .. } = self.features;
        let (columns, _) = self.tile.by_columns.as_chunks::<TILE>();
        let (room, _) = room.as_chunks_mut::<TILE>();
        let mut to = room.iter_mut();
        for (x, to) in columns.iter().take(*dim).zip(to.by_ref()) {
            *to = *x;
        }
        for (i, x) in columns.iter().enumerate() {
            let others = if *full { 0..i + 1 } else { i..i + 1 };
            for (y, to) in columns[others].iter().zip(to.by_ref()) {
                for ((to, x), y) in to.iter_mut().zip(x).zip(y) {
                    *to = x * y;
                }
            }
        }
        let used = self.tile.rows.div_ceil(S::F64_LANES);
        for (shares, sums) in self.shares.chunks(AT_ONCE).zip(sums.chunks_mut(AT_ONCE * *stride)) {
            for (features, at) in room.as_chunks::<AT_ONCE>().0.iter().zip((0..).step_by(AT_ONCE)) {
                match shares {
                    [a, b, c, d] => dots(simd, used, [a, b, c, d], features, (sums, *stride, at)),
                    [a, b, c] => dots(simd, used, [a, b, c], features, (sums, *stride, at)),
                    [a, b] => dots(simd, used, [a, b], features, (sums, *stride, at)),
                    [a] => dots(simd, used, [a], features, (sums, *stride, at)),
                    _ => {}
                }
            }
        }
    }
}

/// Adds Σ r φ of some components and four features, over whole vectors of rows.
#[inline(always)]
fn dots<S: Simd, const M: usize>(
    simd: S,
    used: usize,
    shares: [&Column; M],
    features: &[Column; AT_ONCE],
    (sums, stride, at): (&mut [f64], usize, usize),
) {
    let mut acc = [[simd.splat_f64s(0.0); AT_ONCE]; M];
    for t in 0..used {
        for (acc, shares) in acc.iter_mut().zip(shares) {
            let share = f64::vectors::<S>(shares)[t];
            for (acc, feature) in acc.iter_mut().zip(features) {
                *acc = simd.mul_add_e_f64s(share, f64::vectors::<S>(feature)[t], *acc);
            }
        }
    }
    for (sums, acc) in sums.chunks_exact_mut(stride).zip(acc) {
        for (sum, acc) in sums[at..].iter_mut().zip(acc) {
            *sum += simd.reduce_sum_f64s(acc);
        }
    }
}

/// Writes the features of rows.
struct Fill<'a> {
    features: &'a mut Features,
    rows: &'a [f64],
}

impl WithSimd for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Features { dim, full, stride, room, .. } = self.features;
        let (dim, lanes) = (*dim, S::F64_LANES);
        for (at, row) in self.rows.chunks_exact(tile_stride::<f64>(dim).max(1)).enumerate() {
            let to = &mut room[at * *stride..];
            let vectors = f64::vectors::<S>(row);
            // Each write leaves something behind its end, which the next one overwrites.
            for (to, x) in f64::vectors_mut::<S>(to).iter_mut().zip(vectors) {
                *to = *x;
            }
            let mut end = dim;
            if *full {
                for (i, u) in row[..dim].iter().enumerate() {
                    let u = simd.splat_f64s(*u);
                    let to = f64::vectors_mut::<S>(&mut to[end..]).iter_mut();
                    for (to, x) in to.zip(&vectors[..=i / lanes]) {
                        *to = simd.mul_f64s(u, *x);
                    }
                    end += i + 1;
                }
            } else {
                let to = f64::vectors_mut::<S>(&mut to[end..]).iter_mut();
                for (to, x) in to.zip(vectors) {
                    *to = simd.mul_f64s(*x, *x);
                }
            }
        }
    }
}

/// Adds Σ r v of each component to its sums, over rows of `stride` numbers that have these numbers in the tile: four
/// components at a time.
pub(crate) fn add_products(
    rows: Range<usize>,
    shares: &[Column],
    values: (&[f64], usize),
    sums: &mut [f64],
) {
    dispatch(Products { rows, shares, values, sums });
}

struct Products<'a> {
    rows: Range<usize>,
    shares: &'a [Column],
    values: (&'a [f64], usize),
    sums: &'a mut [f64],
}

impl WithSimd for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, shares, values: (values, stride), sums } = self;
        let own = sums.len() / shares.len().max(1);
        let vectors = stride / S::F64_LANES;
        let values = (&values[..rows.len() * stride], stride);
        for (four, sums) in shares.chunks(4).zip(sums.chunks_mut(4 * own)) {
            let mut at = 0;
            while vectors - at >= 4 {
                products_part::<S, 4>(simd, (four, rows.start), values, at, (sums, own));
                at += 4;
            }
            while vectors - at >= 2 {
                products_part::<S, 2>(simd, (four, rows.start), values, at, (sums, own));
                at += 2;
            }
            while at < vectors {
                products_part::<S, 1>(simd, (four, rows.start), values, at, (sums, own));
                at += 1;
            }
        }
    }
}

#[inline(always)]
fn products_part<S: Simd, const N: usize>(
    simd: S,
    (four, first): (&[Column], usize),
    (values, stride): (&[f64], usize),
    at: usize,
    (sums, own): (&mut [f64], usize),
) {
    let (lanes, vectors) = (S::F64_LANES, stride / S::F64_LANES);
    let mut acc = [[simd.splat_f64s(0.0); N]; 4];
    // Where there are fewer than four, the last stands for those that are not there.
    let of = |k: usize| &four[k.min(four.len() - 1)][first..];
    let shares = [of(0), of(1), of(2), of(3)];
    for (i, row) in f64::vectors::<S>(values).chunks_exact(vectors).enumerate() {
        let Some(row) = row[at..].first_chunk::<N>() else { break };
        for (acc, shares) in acc.iter_mut().zip(shares) {
            let share = simd.splat_f64s(shares[i]);
            for (acc, v) in acc.iter_mut().zip(row) {
                *acc = simd.mul_add_e_f64s(share, *v, *acc);
            }
        }
    }
    for (sum, acc) in sums.chunks_exact_mut(own).zip(&acc) {
        add_wide(&mut sum[at * lanes..], f64::numbers::<S>(acc));
    }
}
