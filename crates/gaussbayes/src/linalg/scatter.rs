//! Adds up what a component takes of a tile: sums and squares about a point near its mean \[M56\].

use std::borrow::Cow;

use pulp::{Simd, WithSimd};

use super::aligned::Aligned;
use super::distances::Column;
use super::gram::{Gram, Product, tile_stride};
use super::simd::{Real, dispatch};
use super::tile::{TILE, Tile};

/// Σ r c and Σ r c cᵀ, or its diagonal, of c = u − point.
#[derive(Debug)]
pub(crate) struct Scatter {
    dim: usize,
    first: Vec<f64>,
    /// Nothing where the whole matrix is kept.
    squares: Vec<f64>,
    gram: Option<Gram>,
}

/// What a component has taken of all rows.
#[derive(Debug)]
pub(crate) struct Sums<'a> {
    /// Σ r c.
    pub(crate) first: &'a [f64],
    /// What is kept of Σ r c cᵀ.
    pub(crate) second: Cow<'a, [f64]>,
    pub(crate) kind: Second,
    /// What numbers of each column are multiplied by in a trace; nothing where there is none.
    pub(crate) units: &'a [f64],
}

/// What is kept of a symmetric matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Second {
    /// Its lower triangle, row by row.
    Triangle,
    /// Its diagonal.
    Diagonal,
    /// The sum of its diagonal, in a unit that all columns have.
    Trace,
}

impl Sums<'_> {
    /// How many times a sum of squares is what is left of it about the mean, at most over the columns, given Σ r.
    pub(crate) fn shift(&self, weight: f64) -> f64 {
        let lost = self.first.iter().map(|first| first * first / weight);
        let ratio = |(all, lost): (f64, f64)| match all - lost {
            left if left > 0.0 => all / left,
            // Nothing was there, and nothing is lost.
            _ if all == 0.0 => 1.0,
            _ => f64::INFINITY,
        };
        match self.kind {
            Second::Triangle => {
                let squares = (0..self.first.len()).map(|j| self.second[j * (j + 3) / 2]);
                squares.zip(lost).map(ratio).fold(1.0, f64::max)
            }
            Second::Diagonal => {
                self.second.iter().copied().zip(lost).map(ratio).fold(1.0, f64::max)
            }
            Second::Trace => {
                let lost = lost.zip(self.units).map(|(lost, unit)| unit * unit * lost);
                ratio((self.second[0], lost.sum())).max(1.0)
            }
        }
    }
}

/// Room for a tile about a point, the same weighted, and the point.
#[derive(Debug)]
pub(crate) struct Room<T> {
    pub(crate) stride: usize,
    point: Aligned<T>,
    /// Rows about the point.
    pub(crate) centred: Aligned<T>,
    weighted: Aligned<T>,
}

impl<T: Real> Room<T> {
    pub(crate) fn new(dim: usize) -> Self {
        let stride = tile_stride::<T>(dim);
        let room = || Aligned::zeros(TILE * stride);
        Self { stride, point: Aligned::zeros(stride), centred: room(), weighted: room() }
    }
}

impl Scatter {
    pub(crate) fn new(dim: usize, full: bool) -> Self {
        let stride = tile_stride::<f32>(dim);
        Self {
            dim,
            first: vec![0.0; stride],
            squares: vec![0.0; if full { 0 } else { stride }],
            gram: full.then(|| Gram::new(dim)),
        }
    }

    /// What was added up.
    pub(crate) fn sums(&self) -> Sums<'_> {
        let second = match &self.gram {
            Some(gram) => Cow::Owned(gram.triangle()),
            None => Cow::Borrowed(&self.squares[..self.dim]),
        };
        let kind = if self.gram.is_some() { Second::Triangle } else { Second::Diagonal };
        Sums { first: &self.first[..self.dim], second, kind, units: &[] }
    }

    /// Adds a tile about a point, or about the origin.
    pub(crate) fn add<T: Real>(
        &mut self,
        tile: &Tile<T>,
        point: Option<&[f64]>,
        shares: &Column,
        room: &mut Room<T>,
    ) {
        let taken = Taken::some(shares, tile.rows);
        dispatch(Add { scatter: self, tile, point, taken, room });
    }

    /// Adds a tile about the origin, each row once: the whole matrix is kept.
    pub(crate) fn add_once<T: Real>(&mut self, tile: &Tile<T>) {
        dispatch(Once { scatter: self, tile });
    }

    #[inline(always)]
    fn add_tile<S: Simd, T: Real>(
        &mut self,
        simd: S,
        tile: &Tile<T>,
        point: Option<&[f64]>,
        taken: &Taken<T>,
        room: &mut Room<T>,
    ) {
        match point {
            None => room.point.fill(T::default()),
            Some(point) => {
                for (to, m) in room.point.iter_mut().zip(point) {
                    *to = T::of(*m);
                }
            }
        }
        let kept = point.is_none() && taken.count == tile.rows;
        if taken.count == 0 {
            return;
        }
        let vectors = room.stride / T::lanes::<S>();
        let mut first = 0;
        while vectors - first >= 4 {
            self.part::<S, T, 4>(simd, (tile, kept), taken, room, first);
            first += 4;
        }
        while first < vectors {
            self.part::<S, T, 1>(simd, (tile, kept), taken, room, first);
            first += 1;
        }
        if let Some(gram) = &mut self.gram {
            let used = taken.count * room.stride;
            let rows = if kept { &tile.by_rows } else { &room.centred };
            let (a, b) = (&room.weighted[..used], &rows[..used]);
            Product { gram, a, b }.with_simd(simd);
        }
    }

    /// The same for `N` vectors of columns; where the whole matrix is kept, fills the tiles that it is made of.
    #[inline(always)]
    fn part<S: Simd, T: Real, const N: usize>(
        &mut self,
        simd: S,
        (tile, kept): (&Tile<T>, bool),
        taken: &Taken<T>,
        room: &mut Room<T>,
        at: usize,
    ) {
        let lanes = T::lanes::<S>();
        let vectors = room.stride / lanes;
        let zero = T::splat(simd, T::default());
        let (mut sums, mut squares) = ([zero; N], [zero; N]);
        let Some(point) = T::vectors::<S>(&room.point)[at..].first_chunk::<N>() else { return };
        let by_rows = &T::vectors::<S>(&tile.by_rows)[at..];
        let rows = taken.rows[..taken.count].iter().map(|&i| &by_rows[usize::from(i) * vectors..]);
        let rows = rows.zip(&taken.weights);
        if self.gram.is_some() && kept {
            let weighted = T::vectors_mut::<S>(&mut room.weighted)[at..].chunks_mut(vectors);
            for ((row, weight), weighted) in rows.zip(weighted) {
                let (Some(row), weight) = (row.first_chunk::<N>(), T::splat(simd, *weight)) else {
                    break;
                };
                for n in 0..N {
                    let r = T::mul(simd, weight, row[n]);
                    sums[n] = T::add(simd, sums[n], r);
                    weighted[n] = r;
                }
            }
        } else if self.gram.is_some() {
            let centred = T::vectors_mut::<S>(&mut room.centred)[at..].chunks_mut(vectors);
            let weighted = T::vectors_mut::<S>(&mut room.weighted)[at..].chunks_mut(vectors);
            for ((row, weight), (centred, weighted)) in rows.zip(centred.zip(weighted)) {
                let (Some(row), weight) = (row.first_chunk::<N>(), T::splat(simd, *weight)) else {
                    break;
                };
                for n in 0..N {
                    let c = T::sub(simd, row[n], point[n]);
                    let r = T::mul(simd, weight, c);
                    sums[n] = T::add(simd, sums[n], r);
                    centred[n] = c;
                    weighted[n] = r;
                }
            }
        } else {
            for (row, weight) in rows {
                let (Some(row), weight) = (row.first_chunk::<N>(), T::splat(simd, *weight)) else {
                    break;
                };
                for n in 0..N {
                    let c = T::sub(simd, row[n], point[n]);
                    let r = T::mul(simd, weight, c);
                    sums[n] = T::add(simd, sums[n], r);
                    squares[n] = T::mul_add(simd, r, c, squares[n]);
                }
            }
            add_wide(&mut self.squares[at * lanes..], T::numbers::<S>(&squares));
        }
        add_wide(&mut self.first[at * lanes..], T::numbers::<S>(&sums));
    }
}

/// The rows of a tile that a component takes a share of, and these.
struct Taken<T> {
    count: usize,
    rows: [u8; TILE],
    weights: [T; TILE],
}

impl<T: Real> Taken<T> {
    /// Those of which something is taken.
    fn some(shares: &Column, rows: usize) -> Self {
        let mut taken = Self { count: 0, rows: [0; TILE], weights: [T::default(); TILE] };
        for (i, share) in shares.iter().enumerate().take(rows) {
            taken.rows[taken.count] = i as u8;
            taken.weights[taken.count] = T::of(*share);
            taken.count += usize::from(*share > 0.0);
        }
        taken
    }
}

struct Add<'a, T> {
    scatter: &'a mut Scatter,
    tile: &'a Tile<T>,
    point: Option<&'a [f64]>,
    taken: Taken<T>,
    room: &'a mut Room<T>,
}

impl<T: Real> WithSimd for Add<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.scatter.add_tile(simd, self.tile, self.point, &self.taken, self.room);
    }
}

struct Once<'a, T> {
    scatter: &'a mut Scatter,
    tile: &'a Tile<T>,
}

impl<T: Real> WithSimd for Once<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let stride = self.tile.stride();
        let rows = &self.tile.by_rows[..self.tile.rows * stride];
        let (mut at, vectors) = (0, stride / T::lanes::<S>());
        while vectors - at >= 4 {
            self.scatter.sum_rows::<S, T, 4>(simd, (rows, vectors), at);
            at += 4;
        }
        while at < vectors {
            self.scatter.sum_rows::<S, T, 1>(simd, (rows, vectors), at);
            at += 1;
        }
        if let Some(gram) = &mut self.scatter.gram {
            Product { gram, a: rows, b: rows }.with_simd(simd);
        }
    }
}

impl Scatter {
    /// Adds `N` vectors of each row up.
    #[inline(always)]
    fn sum_rows<S: Simd, T: Real, const N: usize>(
        &mut self,
        simd: S,
        (rows, vectors): (&[T], usize),
        at: usize,
    ) {
        let mut sums = [T::splat(simd, T::default()); N];
        for row in T::vectors::<S>(rows).chunks_exact(vectors) {
            let Some(row) = row[at..].first_chunk::<N>() else { break };
            for n in 0..N {
                sums[n] = T::add(simd, sums[n], row[n]);
            }
        }
        add_wide(&mut self.first[at * T::lanes::<S>()..], T::numbers::<S>(&sums));
    }
}

#[inline(always)]
pub(super) fn add_wide<T: Real>(to: &mut [f64], numbers: &[T]) {
    for (to, number) in to.iter_mut().zip(numbers) {
        *to += number.wide();
    }
}
