//! Takes the E-step of a block tile by tile, so that memberships never leave the cache \[M56\].

use pulp::{Simd, WithSimd};

use super::expect::{EmStat, Expectation, Precision, Worst};
use super::spec::Assign;
use crate::data::{Block, Dense, NO_LABEL};
use crate::linalg::aligned::{Aligned, WIDEST};
use crate::linalg::distances::Column;
use crate::linalg::simd::{Real, dispatch};
use crate::linalg::tile::{Layout, TILE, Tile};
use crate::linalg::{Features, Room, Scatter, Second, Sums};
use crate::mixture::Mixture;
use crate::mixture::shares::{TileShares, Until};
use crate::mixture::tiles::{Components, Offsets, PerTile, Walk, far};
use crate::moments::{Moments, Storage};
use crate::tolerance::{
    FEATURES_MOST, MEMBERSHIP_LEAST, NEAR_ORIGIN, SHIFTED, SINGLE_FAR, SINGLE_MEMBERSHIP,
    SINGLE_NEAR, SINGLE_SHIFTED,
};

impl EmStat {
    /// The statistic of a block about the means of its mixture; `None` where rows, mixture or memberships are of a
    /// kind that tiles are not made for, or where a mean moves so far that sums about the old one lose digits.
    pub(super) fn fused(under: &Expectation<'_>, block: &Block<'_>) -> Option<Self> {
        let (mixture, storage) = (under.mixture, under.storage);
        if !is_plain(under, block) || storage == Storage::Shared {
            return None;
        }
        let offsets = mixture.offsets();
        let (components, dim) = (mixture.components(), mixture.dim());
        let full = storage == Storage::Full;
        if full && dim > FEATURES_MOST && under.is_single(block) {
            let apart = |_| Scatter::new(dim, full);
            let scatter = Apart((0..components).map(apart).collect(), Room::new(dim));
            let near = mixture.is_near_origin(SINGLE_NEAR);
            let mut sums = Totals::new(under, (block, offsets), near, scatter);
            sums.memberships.least = SINGLE_MEMBERSHIP;
            let single = (mixture.single_components()?, Layout::Both);
            if let Some(stat) = sums.over(single, (SINGLE_FAR, SINGLE_SHIFTED), storage) {
                return Some(Self { single: true, ..stat });
            }
        }
        let (near, usual) = (mixture.is_near_origin(NEAR_ORIGIN), (far(), SHIFTED));
        let double = mixture.tile_components()?;
        if near && (!full || dim <= FEATURES_MOST) {
            let second = match storage {
                Storage::Full | Storage::Shared => Second::Triangle,
                Storage::Diagonal => Second::Diagonal,
                Storage::Spherical => Second::Trace,
            };
            let features = Features::new(mixture.frame().units(), components, Some(second));
            let mut sums = Totals::new(under, (block, offsets), near, features);
            return sums.over((double, Layout::Columns), usual, storage);
        }
        let apart = |_| Scatter::new(dim, full);
        let scatter = Apart((0..components).map(apart).collect(), Room::new(dim));
        let mut sums = Totals::new(under, (block, offsets), near, scatter);
        sums.over((double, Layout::Both), usual, storage)
    }
}

impl Expectation<'_> {
    /// Whether rows are, and may be computed with, in single precision: not where rounding makes a row another's.
    fn is_single(&self, block: &Block<'_>) -> bool {
        self.precision == Precision::Single
            && self.assign == Assign::Soft
            && matches!(block.rows().dense(), Some(Dense::F32(..)))
            && self.mixture.single_components().is_some()
    }
}

/// Whether memberships follow from nothing but posteriors of Gaussians.
pub(super) fn is_plain(under: &Expectation<'_>, block: &Block<'_>) -> bool {
    let codes = block.labels().map_or(&[][..], |labels| &labels.codes);
    (under.ownership.is_none() || codes.iter().all(|code| *code == NO_LABEL))
        && under.mixture.laws().is_none()
        && under.mixture.noise().is_none()
}

/// Turns scores of tiles into memberships, and adds up what EM needs of them.
pub(super) struct Memberships<'a> {
    pub(super) mixture: &'a Mixture,
    offsets: &'a Offsets,
    block: &'a Block<'a>,
    assign: Assign,
    /// Membership up to which a row is no member at all.
    least: f64,
    /// Rows seen.
    seen: usize,
    /// Of the latest tile: weights of rows, and what follows from their scores.
    weights: Column,
    shares: TileShares,
    /// A vector for each component's weight, and for each of the sums over rows: lanes have sums of their own.
    of_components: Aligned<f64>,
    of_rows: Aligned<f64>,
}

/// Sums over rows: Σ w ln p(x), Σ w |ln p(x)|, the entropy, −Σ w ln z of the best, Σ w, and how many.
const SUMS: usize = 6;

/// Makes shares memberships times the weights of rows, and adds up what follows.
struct Weigh<'a, 'b> {
    of: &'a mut Memberships<'b>,
    columns: &'a mut [Column],
    rows: usize,
}

impl WithSimd for Weigh<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.of.assign {
            Assign::Soft => self.pass::<S, false>(simd),
            Assign::Hard => self.pass::<S, true>(simd),
        }
    }
}

impl Weigh<'_, '_> {
    #[inline(always)]
    fn pass<S: Simd, const HARD: bool>(self, simd: S) {
        let Memberships { least, weights, shares, of_components, of_rows, .. } = self.of;
        let TileShares { top, sum, norm, entropy } = shares;
        let vector = |column: &Column, t: usize| f64::vectors::<S>(column)[t];
        let (zero, one) = (simd.splat_f64s(0.0), simd.splat_f64s(1.0));
        let least = simd.splat_f64s(*least);
        let of_components = f64::vectors_mut::<S>(of_components);
        let Some(of_rows) = f64::vectors_mut::<S>(of_rows).first_chunk_mut::<SUMS>() else {
            return;
        };
        let mut sums = *of_rows;
        let used = self.rows.div_ceil(S::F64_LANES);
        for t in 0..used.min(TILE / S::F64_LANES) {
            let (weight, norm) = (vector(weights, t), vector(norm, t));
            // Rows that are not there hold anything.
            let there = simd.less_than_f64s(zero, weight);
            let weighted = |x: S::f64s| simd.select_f64s(there, simd.mul_f64s(weight, x), zero);
            let evidence = weighted(simd.add_f64s(vector(top, t), norm));
            let more = [
                evidence,
                simd.abs_f64s(evidence),
                weighted(vector(entropy, t)),
                weighted(norm),
                weight,
                simd.select_f64s(there, one, zero),
            ];
            for (sum, more) in sums.iter_mut().zip(more) {
                *sum = simd.add_f64s(*sum, more);
            }
            let inverse = simd.div_f64s(one, vector(sum, t));
            // Of hard memberships: what of a row is no member yet.
            let mut left = weight;
            for (column, total) in self.columns.iter_mut().zip(of_components.iter_mut()) {
                let share = &mut f64::vectors_mut::<S>(column)[t];
                *share = if HARD {
                    // The best is all of itself, and the first of those it is one with to rounding takes the row.
                    let taken = simd.select_f64s(simd.equal_f64s(*share, one), left, zero);
                    left = simd.sub_f64s(left, taken);
                    taken
                } else {
                    let posterior = simd.mul_f64s(*share, inverse);
                    let counts = simd.less_than_f64s(least, posterior);
                    simd.select_f64s(counts, simd.mul_f64s(posterior, weight), zero)
                };
                *total = simd.add_f64s(*total, *share);
            }
        }
        *of_rows = sums;
    }
}

/// The sum of each vector.
struct Reduce<'a> {
    vectors: &'a [f64],
    to: &'a mut [f64],
}

impl WithSimd for Reduce<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (to, vector) in self.to.iter_mut().zip(f64::vectors::<S>(self.vectors)) {
            *to = simd.reduce_sum_f64s(*vector);
        }
    }
}

impl<'a> Memberships<'a> {
    pub(super) fn new(under: &Expectation<'a>, offsets: &'a Offsets, block: &'a Block<'_>) -> Self {
        let mixture = under.mixture;
        Self {
            mixture,
            offsets,
            block,
            assign: under.assign,
            least: MEMBERSHIP_LEAST,
            seen: 0,
            weights: [0.0; TILE],
            shares: TileShares::default(),
            of_components: Aligned::zeros(mixture.components() * WIDEST),
            of_rows: Aligned::zeros(SUMS * WIDEST),
        }
    }

    /// Turns measures of a tile into memberships times the weights of the rows; these weights.
    pub(super) fn of_tile(&mut self, rows: usize, columns: &mut [Column]) -> &Column {
        let until = (rows, Until::Entropy);
        self.shares.take((self.mixture, self.offsets), columns, until);
        if self.block.is_weighted() {
            for (i, weight) in self.weights[..rows].iter_mut().enumerate() {
                *weight = self.block.weight(self.seen + i);
            }
        } else {
            self.weights[..rows].fill(1.0);
        }
        self.weights[rows..].fill(0.0);
        self.seen += rows;
        dispatch(Weigh { of: self, columns, rows });
        &self.weights
    }

    /// ln p(x) of row `i` of the latest tile.
    fn log_density(&self, i: usize) -> f64 {
        self.shares.top[i] + self.shares.norm[i]
    }

    /// Weight of each component.
    pub(super) fn of_components(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.mixture.components()];
        dispatch(Reduce { vectors: &self.of_components, to: &mut weights });
        weights
    }

    /// The statistic with these moments; `common` is what log densities have in common, summed over all rows.
    pub(super) fn stat(&self, moments: Moments, common: &[f64]) -> Option<EmStat> {
        let mut sums = [0.0; SUMS];
        dispatch(Reduce { vectors: &self.of_rows, to: &mut sums });
        let [log_evidence, size, entropy, best, weight, rows] = sums;
        let log_evidence = common.iter().fold(log_evidence, |sum, more| sum + more);
        log_evidence.is_finite().then(|| EmStat {
            log_evidence,
            size: common.iter().fold(size, |sum, more| sum + more.abs()),
            entropy,
            log_best: -best,
            weight,
            rows: rows as u64,
            ..EmStat::bare(moments)
        })
    }
}

/// What is summed up of the tiles of a block.
struct Totals<'a, P> {
    memberships: Memberships<'a>,
    /// Whether sums are about the frame's origin: all means are near enough.
    near: bool,
    /// Largest number of a row that distances are numbers of, and whether all rows were within it.
    reach: f64,
    within: bool,
    /// How many of the rows explained worst are kept, and these.
    most_worst: usize,
    worst: Vec<Worst>,
    scatter: P,
}

/// Sums of the components.
trait Summed<T> {
    /// Adds a tile about the origin, or about the means of a mixture.
    fn add(&mut self, tile: &Tile<T>, about: Option<&Mixture>, columns: &[Column]);

    /// What each component has taken.
    fn sums(&mut self) -> impl Iterator<Item = Sums<'_>>;
}

/// One component after the other.
struct Apart<T>(Vec<Scatter>, Room<T>);

impl<T: Real> Summed<T> for Apart<T> {
    fn add(&mut self, tile: &Tile<T>, about: Option<&Mixture>, columns: &[Column]) {
        let Self(scatters, room) = self;
        for (k, (scatter, shares)) in scatters.iter_mut().zip(columns).enumerate() {
            scatter.add(tile, about.map(|mixture| mixture.mean(k)), shares, room);
        }
    }

    fn sums(&mut self) -> impl Iterator<Item = Sums<'_>> {
        self.0.iter().map(Scatter::sums)
    }
}

/// All of them at once, about the origin.
impl Summed<f64> for Features {
    fn add(&mut self, tile: &Tile<f64>, _: Option<&Mixture>, columns: &[Column]) {
        Features::add(self, tile, columns);
    }

    fn sums(&mut self) -> impl Iterator<Item = Sums<'_>> {
        Features::sums(self)
    }
}

impl<T: Real, P: Summed<T>> PerTile<T> for Totals<'_, P> {
    fn tile(&mut self, tile: &Tile<T>, columns: &mut [Column]) {
        let first = self.memberships.seen;
        self.within &= tile.is_within(self.reach);
        if T::EPSILON > f64::EPSILON {
            let numbers = columns.iter().map(|column| &column[..tile.rows]);
            self.within &= numbers.flatten().fold(true, |all, distance| all & distance.is_finite());
        }
        self.memberships.of_tile(tile.rows, columns);
        if self.most_worst > 0 {
            for i in 0..tile.rows {
                if self.memberships.weights[i] > 0.0 {
                    self.keep_worst(first + i, self.memberships.log_density(i));
                }
            }
        }
        let about = (!self.near).then_some(self.memberships.mixture);
        self.scatter.add(tile, about, columns);
    }
}

impl<'a, P> Totals<'a, P> {
    fn new(
        under: &'a Expectation<'_>,
        (block, offsets): (&'a Block<'_>, &'a Offsets),
        near: bool,
        scatter: P,
    ) -> Self {
        Self {
            memberships: Memberships::new(under, offsets, block),
            near,
            reach: 0.0,
            within: true,
            most_worst: if under.worst { under.mixture.components() } else { 0 },
            worst: Vec::new(),
            scatter,
        }
    }

    /// Takes all tiles, and their sums to the means of the rows; `None` beyond how far rows, and how much longer sums
    /// of squares, may be.
    fn over<T: Real>(
        &mut self,
        (components, layout): (&Components<T>, Layout),
        (reach, most): (f64, f64),
        storage: Storage,
    ) -> Option<EmStat>
    where
        P: Summed<T>,
    {
        self.reach = reach;
        let mixture = self.memberships.mixture;
        let walk = Walk::new(self.memberships.block, mixture.frame(), layout)?;
        walk.each(components, mixture.components(), self)?;
        let moments = Moments::empty(mixture.frame().clone(), mixture.components(), storage);
        self.stat(moments, most)
    }

    /// Keeps a row if it is among the worst explained so far.
    fn keep_worst(&mut self, row: usize, log_density: f64) {
        let full = self.worst.len() == self.most_worst;
        if full && self.worst.last().is_some_and(|last| log_density >= last.log_density) {
            return;
        }
        let block = self.memberships.block;
        let mut values = vec![0.0; block.rows().dim()];
        block.rows().read(row, &mut values);
        let at = self.worst.partition_point(|other| other.log_density <= log_density);
        self.worst.insert(at, Worst { log_density, values });
        self.worst.truncate(self.most_worst);
    }

    /// Moves the sums to the means of the rows, by one product each; `None` where that would lose digits.
    fn stat<T>(&mut self, mut moments: Moments, most: f64) -> Option<EmStat>
    where
        P: Summed<T>,
    {
        let mixture = self.memberships.mixture;
        let weights = self.memberships.of_components();
        let origin = vec![0.0; mixture.dim()];
        for (k, (sums, &weight)) in self.scatter.sums().zip(&weights).enumerate() {
            if weight > 0.0 {
                let point = if self.near { &origin } else { mixture.mean(k) };
                if sums.shift(weight) > most {
                    return None;
                }
                moments.put_shifted(k, weight, point, &sums)?;
            }
        }
        if !self.within {
            return None;
        }
        let stat = self.memberships.stat(moments, &[])?;
        Some(EmStat { worst: std::mem::take(&mut self.worst), ..stat })
    }
}
