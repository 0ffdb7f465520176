//! Adds up what a component takes of a tile: sums and squares about a point near its mean \[M56\].

use pulp::{Simd, WithSimd};

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

/// Room for a tile about a point, the same weighted, and the point.
#[derive(Debug)]
pub(crate) struct Room<T> {
    stride: usize,
    point: Vec<T>,
    centred: Vec<T>,
    weighted: Vec<T>,
}

impl<T: Real> Room<T> {
    pub(crate) fn new(dim: usize) -> Self {
        let stride = tile_stride::<T>(dim);
        let room = vec![T::default(); TILE * stride];
        Self { stride, point: vec![T::default(); stride], centred: room.clone(), weighted: room }
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

    /// Σ r c.
    pub(crate) fn first(&self) -> &[f64] {
        &self.first[..self.dim]
    }

    /// The diagonal of Σ r c cᵀ.
    pub(crate) fn squares(&self) -> Vec<f64> {
        match &self.gram {
            Some(gram) => gram.diagonal(),
            None => self.squares[..self.dim].to_vec(),
        }
    }

    /// Adds Σ r c cᵀ to a lower triangle stored row by row.
    pub(crate) fn add_to(&self, triangle: &mut [f64]) {
        if let Some(gram) = &self.gram {
            gram.add_to(triangle);
        }
    }

    /// Adds a tile about a point, or about the origin; rows that are not there have the share 0.
    pub(crate) fn add<T: Real>(
        &mut self,
        tile: &Tile<T>,
        point: Option<&[f64]>,
        shares: &Column,
        room: &mut Room<T>,
    ) {
        dispatch(Add { scatter: self, tile, point, shares, room });
    }

    #[inline(always)]
    fn add_tile<S: Simd, T: Real>(
        &mut self,
        simd: S,
        tile: &Tile<T>,
        point: Option<&[f64]>,
        shares: &Column,
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
        let mut weights = [T::default(); TILE];
        for (to, share) in weights.iter_mut().zip(shares) {
            *to = T::of(*share);
        }
        let vectors = room.stride / T::lanes::<S>();
        let mut first = 0;
        while vectors - first >= 4 {
            self.part::<S, T, 4>(simd, (tile, point.is_some()), &weights, room, first);
            first += 4;
        }
        while first < vectors {
            self.part::<S, T, 1>(simd, (tile, point.is_some()), &weights, room, first);
            first += 1;
        }
        if let Some(gram) = &mut self.gram {
            let used = tile.rows * room.stride;
            let rows = if point.is_some() { &room.centred } else { &tile.by_rows };
            let (a, b) = (&room.weighted[..used], &rows[..used]);
            Product { gram, a, b }.with_simd(simd);
        }
    }

    /// The same for `N` vectors of columns; where the whole matrix is kept, fills the tiles that it is made of.
    #[inline(always)]
    fn part<S: Simd, T: Real, const N: usize>(
        &mut self,
        simd: S,
        (tile, moved): (&Tile<T>, bool),
        weights: &[T; TILE],
        room: &mut Room<T>,
        at: usize,
    ) {
        let lanes = T::lanes::<S>();
        let vectors = room.stride / lanes;
        let zero = T::splat(simd, T::default());
        let (mut sums, mut squares) = ([zero; N], [zero; N]);
        let Some(point) = T::vectors::<S>(&room.point)[at..].first_chunk::<N>() else { return };
        let rows = T::vectors::<S>(&tile.by_rows)[at..].chunks(vectors).zip(weights);
        let rows = rows.take(tile.rows);
        if self.gram.is_some() && !moved {
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

struct Add<'a, T> {
    scatter: &'a mut Scatter,
    tile: &'a Tile<T>,
    point: Option<&'a [f64]>,
    shares: &'a Column,
    room: &'a mut Room<T>,
}

impl<T: Real> WithSimd for Add<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.scatter.add_tile(simd, self.tile, self.point, self.shares, self.room);
    }
}

#[inline(always)]
fn add_wide<T: Real>(to: &mut [f64], numbers: &[T]) {
    for (to, number) in to.iter_mut().zip(numbers) {
        *to += number.wide();
    }
}

/// Adds Σ r c of each component to its sums, from a tile about one point: four components at a time.
pub(crate) fn add_firsts(rows: usize, shares: &[Column], room: &Room<f64>, firsts: &mut [f64]) {
    dispatch(Firsts { rows, shares, room, firsts });
}

struct Firsts<'a> {
    rows: usize,
    shares: &'a [Column],
    room: &'a Room<f64>,
    firsts: &'a mut [f64],
}

impl WithSimd for Firsts<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, shares, room, firsts } = self;
        let own = firsts.len() / shares.len().max(1);
        let vectors = room.stride / S::F64_LANES;
        for (four, firsts) in shares.chunks(4).zip(firsts.chunks_mut(4 * own)) {
            let mut at = 0;
            while vectors - at >= 4 {
                firsts_part::<S, 4>(simd, rows, four, room, at, (firsts, own));
                at += 4;
            }
            while at < vectors {
                firsts_part::<S, 1>(simd, rows, four, room, at, (firsts, own));
                at += 1;
            }
        }
    }
}

#[inline(always)]
fn firsts_part<S: Simd, const N: usize>(
    simd: S,
    rows: usize,
    four: &[Column],
    room: &Room<f64>,
    at: usize,
    (firsts, own): (&mut [f64], usize),
) {
    let (lanes, vectors) = (S::F64_LANES, room.stride / S::F64_LANES);
    let mut sums = [[simd.splat_f64s(0.0); N]; 4];
    let centred = f64::vectors::<S>(&room.centred)[at..].chunks(vectors);
    for (i, row) in centred.take(rows).enumerate() {
        let Some(row) = row.first_chunk::<N>() else { break };
        for (sums, shares) in sums.iter_mut().zip(four) {
            let share = simd.splat_f64s(shares[i]);
            for (sum, c) in sums.iter_mut().zip(row) {
                *sum = simd.mul_add_e_f64s(share, *c, *sum);
            }
        }
    }
    for (first, sums) in firsts.chunks_exact_mut(own).zip(&sums) {
        add_wide(&mut first[at * lanes..], f64::numbers::<S>(sums));
    }
}
