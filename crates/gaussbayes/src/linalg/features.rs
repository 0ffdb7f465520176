//! Adds up what all components take of a tile about the origin: features of rows times shares \[M56\].

use std::borrow::Cow;

use pulp::{Simd, WithSimd};

use super::aligned::{Aligned, WIDEST};
use super::distances::Column;
use super::scatter::{Second, Sums};
use super::simd::{Real, dispatch};
use super::tile::{TILE, Tile};

/// Σ r φ(u) of each component: φ holds the numbers of a row, and the products of two of them that are wanted.
///
/// A feature is the product of two columns, made in registers: rows lie side by side in vectors, and each lane has a
/// sum of its own until all tiles are there.
#[derive(Debug)]
pub(crate) struct Features {
    dim: usize,
    second: Option<Second>,
    /// The columns that are features.
    singles: Vec<[usize; 1]>,
    /// The columns whose product a feature is, behind these.
    pairs: Vec<[usize; 2]>,
    /// Group by group of components, a vector for each feature and component.
    sums: Aligned<f64>,
    /// The sum of each of these.
    totals: Vec<f64>,
    /// A column behind those of a tile: the squared lengths of rows.
    lengths: Aligned<f64>,
    /// What columns are multiplied by for these: powers of two.
    units: Vec<f64>,
}

impl Features {
    /// Of columns in these units, and what is wanted beside them.
    pub(crate) fn new(units: Vec<f64>, components: usize, second: Option<Second>) -> Self {
        let dim = units.len();
        let singles = 0..dim + usize::from(second == Some(Second::Trace));
        let mut pairs = Vec::new();
        match second {
            Some(Second::Triangle) => {
                pairs.reserve_exact(dim * (dim + 1) / 2);
                (0..dim).for_each(|i| pairs.extend((0..=i).map(|j| [i, j])));
            }
            Some(Second::Diagonal) => pairs.extend((0..dim).map(|j| [j, j])),
            Some(Second::Trace) | None => {}
        }
        let sums = Aligned::zeros(components * (singles.len() + pairs.len()) * WIDEST);
        let lengths = Aligned::zeros(TILE);
        let singles = singles.map(|j| [j]).collect();
        Self { dim, second, singles, pairs, sums, totals: Vec::new(), lengths, units }
    }

    /// Adds a tile.
    pub(crate) fn add(&mut self, tile: &Tile<f64>, shares: &[Column]) {
        dispatch(Add { features: self, tile, shares });
    }

    /// The sums of each component.
    pub(crate) fn sums(&mut self) -> impl Iterator<Item = Sums<'_>> {
        let mut totals = std::mem::take(&mut self.totals);
        totals.resize(self.sums.len() / WIDEST, 0.0);
        dispatch(Reduce { features: self, to: &mut totals });
        self.totals = totals;
        let one = |sums| {
            let (first, second) = <[f64]>::split_at(sums, self.dim);
            let kind = self.second.unwrap_or(Second::Diagonal);
            Sums { first, second: Cow::Borrowed(second), kind, units: &self.units }
        };
        self.totals.chunks_exact(self.count().max(1)).map(one)
    }

    fn count(&self) -> usize {
        self.singles.len() + self.pairs.len()
    }
}

/// How many components are taken at once where so many are left.
///
/// Eight components and three features take 27 registers, four and two take 11.
#[inline(always)]
fn at_once<S: Simd>(left: usize) -> usize {
    match left {
        8.. if S::REGISTER_COUNT >= 32 => 8,
        4.. => 4,
        2.. => 2,
        _ => 1,
    }
}

/// The sum of each vector, component by component.
struct Reduce<'a> {
    features: &'a Features,
    to: &'a mut [f64],
}

impl WithSimd for Reduce<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let own = self.features.count();
        let mut vectors = f64::vectors::<S>(&self.features.sums);
        let mut to = self.to;
        while !to.is_empty() {
            let taken = at_once::<S>(to.len() / own);
            let (group, rest) = to.split_at_mut(taken * own);
            for (at, vectors) in vectors.chunks_exact(taken).take(own).enumerate() {
                for (sums, vector) in group.chunks_exact_mut(own).zip(vectors) {
                    sums[at] = simd.reduce_sum_f64s(*vector);
                }
            }
            (to, vectors) = (rest, &vectors[taken * own..]);
        }
    }
}

struct Add<'a> {
    features: &'a mut Features,
    tile: &'a Tile<f64>,
    shares: &'a [Column],
}

impl WithSimd for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let own = self.features.count();
        let Features { dim, second, singles, pairs, sums, lengths, units, .. } = self.features;
        let (columns, _) = self.tile.by_columns.as_chunks::<TILE>();
        let Some(lengths) = lengths.first_chunk_mut::<TILE>() else { return };
        if *second == Some(Second::Trace) {
            squared_lengths(simd, (&columns[..*dim], units), lengths);
        }
        let used = self.tile.rows.div_ceil(S::F64_LANES);
        let work = Work { simd, used, singles, pairs, columns: &columns[..*dim], lengths };
        let sums = f64::vectors_mut::<S>(sums);
        let wide = S::REGISTER_COUNT >= 32;
        let (mut shares, mut sums) = (self.shares, sums);
        while !shares.is_empty() {
            let taken = at_once::<S>(shares.len());
            let (now, later) = sums.split_at_mut(taken * own);
            match taken {
                8 => work.components::<8, 3>(shares, now),
                4 if wide => work.components::<4, 4>(shares, now),
                4 => work.components::<4, 2>(shares, now),
                2 => work.components::<2, 4>(shares, now),
                _ => work.components::<1, 4>(shares, now),
            }
            (shares, sums) = (&shares[taken..], later);
        }
    }
}

/// Σ (t_j u_j)² of each row, by the units t_j of the columns.
#[inline(always)]
pub(super) fn squared_lengths<S: Simd, T: Real>(
    simd: S,
    (columns, units): (&[[T; TILE]], &[f64]),
    to: &mut [T; TILE],
) {
    /// Vectors of a tile of any width come in whole numbers of so many.
    const N: usize = 3;
    for (at, to) in T::vectors_mut::<S>(to).as_chunks_mut::<N>().0.iter_mut().enumerate() {
        *to = [T::splat(simd, T::default()); N];
        for (column, unit) in columns.iter().zip(units) {
            let unit = T::splat(simd, T::of(*unit));
            let Some(x) = T::vectors::<S>(column)[N * at..].first_chunk::<N>() else { break };
            for n in 0..N {
                let x = T::mul(simd, unit, x[n]);
                to[n] = T::mul_add(simd, x, x, to[n]);
            }
        }
    }
}

/// A tile whose features are multiplied.
struct Work<'a, S> {
    simd: S,
    /// Vectors of rows.
    used: usize,
    singles: &'a [[usize; 1]],
    pairs: &'a [[usize; 2]],
    columns: &'a [Column],
    lengths: &'a Column,
}

impl<S: Simd> Work<'_, S> {
    /// Adds all features of the first `M` components, `N` at a time.
    #[inline(always)]
    fn components<const M: usize, const N: usize>(&self, shares: &[Column], sums: &mut [S::f64s]) {
        let Some(shares) = shares.first_chunk::<M>() else { return };
        let (sums, _) = sums.as_chunks_mut::<M>();
        let (of_singles, of_pairs) = sums.split_at_mut(self.singles.len());
        self.products::<M, N, 1>(shares, self.singles, of_singles);
        self.products::<M, N, 2>(shares, self.pairs, of_pairs);
    }

    /// Adds features that are products of `W` columns.
    #[inline(always)]
    fn products<const M: usize, const N: usize, const W: usize>(
        &self,
        shares: &[Column; M],
        features: &[[usize; W]],
        sums: &mut [[S::f64s; M]],
    ) {
        let (features, rest) = features.as_chunks::<N>();
        let (sums, last) = sums.split_at_mut(N * features.len());
        for (features, sums) in features.iter().zip(sums.as_chunks_mut::<N>().0) {
            self.part(shares, features, sums);
        }
        for (feature, sums) in rest.iter().zip(last) {
            self.part(shares, &[*feature], std::array::from_mut(sums));
        }
    }

    /// Adds `N` features of `M` components.
    #[inline(always)]
    fn part<const M: usize, const N: usize, const W: usize>(
        &self,
        shares: &[Column; M],
        features: &[[usize; W]; N],
        sums: &mut [[S::f64s; M]; N],
    ) {
        let simd = self.simd;
        let mut columns = [[self.lengths; W]; N];
        for n in 0..N {
            for w in 0..W {
                columns[n][w] = self.columns.get(features[n][w]).unwrap_or(self.lengths);
            }
        }
        let mut acc = *sums;
        for t in 0..self.used.min(TILE / S::F64_LANES) {
            let mut feature = [simd.splat_f64s(0.0); N];
            for n in 0..N {
                feature[n] = vector::<S>(columns[n][0], t);
                for column in &columns[n][1..] {
                    feature[n] = simd.mul_f64s(feature[n], vector::<S>(column, t));
                }
            }
            for m in 0..M {
                let share = vector::<S>(&shares[m], t);
                for n in 0..N {
                    acc[n][m] = simd.mul_add_e_f64s(share, feature[n], acc[n][m]);
                }
            }
        }
        *sums = acc;
    }
}

#[inline(always)]
fn vector<S: Simd>(column: &Column, t: usize) -> S::f64s {
    f64::vectors::<S>(column)[t]
}
