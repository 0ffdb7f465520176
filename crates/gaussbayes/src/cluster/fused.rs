//! Takes the E-step of a block tile by tile, so that memberships never leave the cache \[M56\].

use super::expect::{EmStat, Expectation, Precision, Worst};
use super::spec::Assign;
use crate::data::{Block, Dense, NO_LABEL};
use crate::linalg::distances::Column;
use crate::linalg::lanes::{Job, vectorized};
use crate::linalg::simd::Real;
use crate::linalg::tile::{Layout, TILE, Tile};
use crate::linalg::{Features, Room, Scatter, Second, Sums};
use crate::mixture::Mixture;
use crate::mixture::tiles::{Components, Offsets, PerTile, Walk, far, to_scores};
use crate::moments::{Moments, Storage};
use crate::posterior::{TileShares, tile_shares};
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
        let offsets = Offsets::Distances(mixture.offsets());
        let (components, dim) = (mixture.components(), mixture.dim());
        let full = storage == Storage::Full;
        if full && dim > FEATURES_MOST && under.is_single(block) {
            let apart = |_| Scatter::new(dim, full);
            let scatter = Apart((0..components).map(apart).collect(), Room::new(dim));
            let near = mixture.is_near_origin(SINGLE_NEAR);
            let mut sums = Totals::new(under, (block, &offsets), near, scatter);
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
            let sums = Totals::new(under, (block, &offsets), near, features);
            return sums.over((double, Layout::Columns), usual, storage);
        }
        let apart = |_| Scatter::new(dim, full);
        let scatter = Apart((0..components).map(apart).collect(), Room::new(dim));
        let sums = Totals::new(under, (block, &offsets), near, scatter);
        sums.over((double, Layout::Both), usual, storage)
    }
}

impl Expectation<'_> {
    /// Whether rows are, and may be computed with, in single precision.
    fn is_single(&self, block: &Block<'_>) -> bool {
        self.precision == Precision::Single
            && matches!(block.rows().dense(), Some(Dense::F32(..)))
            && self.mixture.single_components().is_some()
    }
}

/// Whether memberships are nothing but posteriors of Gaussians.
pub(super) fn is_plain(under: &Expectation<'_>, block: &Block<'_>) -> bool {
    let codes = block.labels().map_or(&[][..], |labels| &labels.codes);
    under.assign == Assign::Soft
        && (under.ownership.is_none() || codes.iter().all(|code| *code == NO_LABEL))
        && under.mixture.laws().is_none()
        && under.mixture.noise().is_none()
}

/// Turns scores of tiles into memberships, and adds up what EM needs of them.
pub(super) struct Memberships<'a> {
    pub(super) mixture: &'a Mixture,
    offsets: &'a Offsets,
    block: &'a Block<'a>,
    /// Membership up to which a row is no member at all.
    least: f64,
    /// Rows seen.
    seen: usize,
    /// Weight of each component.
    pub(super) weight: Vec<f64>,
    log_evidence: f64,
    size: f64,
    entropy: f64,
    log_best: f64,
    all: f64,
    rows: u64,
}

/// Adds up what follows from the scores of a tile; the log densities.
struct Tally<'a, 'b> {
    of: &'a mut Memberships<'b>,
    weights: &'a Column,
    top: &'a Column,
    shares: &'a TileShares,
}

impl Job for Tally<'_, '_> {
    type Output = Column;

    #[inline(always)]
    fn call(self) -> Column {
        let Self { of, weights, top, shares: TileShares { norm, entropy, .. } } = self;
        let [mut log_density, mut evidence, mut size] = [[0.0; TILE]; 3];
        let [mut uncertain, mut best, mut counted] = [[0.0; TILE]; 3];
        for i in 0..TILE {
            let there = weights[i] > 0.0;
            log_density[i] = top[i] + norm[i];
            // Rows that are not there hold anything.
            evidence[i] = if there { weights[i] * log_density[i] } else { 0.0 };
            size[i] = evidence[i].abs();
            uncertain[i] = if there { weights[i] * entropy[i] } else { 0.0 };
            best[i] = if there { weights[i] * norm[i] } else { 0.0 };
            counted[i] = if there { 1.0 } else { 0.0 };
        }
        of.rows += total(&counted) as u64;
        of.all += total(weights);
        of.log_evidence += total(&evidence);
        of.size += total(&size);
        of.entropy += total(&uncertain);
        of.log_best -= total(&best);
        log_density
    }
}

/// Makes posteriors memberships times the weights of rows, and adds them up.
struct Weigh<'a, 'b> {
    of: &'a mut Memberships<'b>,
    weights: &'a Column,
    columns: &'a mut [Column],
}

impl Job for Weigh<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let least = self.of.least;
        for (shares, weight) in self.columns.iter_mut().zip(&mut self.of.weight) {
            for (share, weight) in shares.iter_mut().zip(self.weights) {
                *share = if *share > least { *share * weight } else { 0.0 };
            }
            *weight += total(shares);
        }
    }
}

impl<'a> Memberships<'a> {
    pub(super) fn new(mixture: &'a Mixture, offsets: &'a Offsets, block: &'a Block<'_>) -> Self {
        Self {
            mixture,
            offsets,
            block,
            least: MEMBERSHIP_LEAST,
            seen: 0,
            weight: vec![0.0; mixture.components()],
            log_evidence: 0.0,
            size: 0.0,
            entropy: 0.0,
            log_best: 0.0,
            all: 0.0,
            rows: 0,
        }
    }

    /// Turns measures of a tile into memberships times the weights of the rows; these weights, and the log densities.
    pub(super) fn of_tile(&mut self, rows: usize, columns: &mut [Column]) -> (Column, Column) {
        let top = to_scores(self.mixture, self.offsets, columns);
        let shares = tile_shares(columns, &top);
        let mut weights = [0.0; TILE];
        for (i, weight) in weights[..rows].iter_mut().enumerate() {
            *weight = self.block.weight(self.seen + i);
        }
        self.seen += rows;
        let log_density =
            vectorized(Tally { of: self, weights: &weights, top: &top, shares: &shares });
        vectorized(Weigh { of: self, weights: &weights, columns });
        (weights, log_density)
    }

    /// The statistic with these moments; `common` is what log densities have in common, summed over all rows.
    pub(super) fn into_stat(self, moments: Moments, common: &[f64]) -> Option<EmStat> {
        let log_evidence = common.iter().fold(self.log_evidence, |sum, more| sum + more);
        log_evidence.is_finite().then(|| EmStat {
            log_evidence,
            size: common.iter().fold(self.size, |sum, more| sum + more.abs()),
            entropy: self.entropy,
            log_best: self.log_best,
            weight: self.all,
            rows: self.rows,
            ..EmStat::bare(moments)
        })
    }
}

/// The sum of a column, eight numbers at a time.
#[inline(always)]
fn total(column: &Column) -> f64 {
    let mut sums = [0.0; 8];
    for eight in column.as_chunks::<8>().0 {
        for (sum, x) in sums.iter_mut().zip(eight) {
            *sum += x;
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
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
    fn sums(&self) -> Vec<Sums>;
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

    fn sums(&self) -> Vec<Sums> {
        self.0.iter().map(Scatter::sums).collect()
    }
}

/// All of them at once, about the origin.
impl Summed<f64> for Features {
    fn add(&mut self, tile: &Tile<f64>, _: Option<&Mixture>, columns: &[Column]) {
        Features::add(self, tile, columns);
    }

    fn sums(&self) -> Vec<Sums> {
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
        let (weights, log_density) = self.memberships.of_tile(tile.rows, columns);
        if self.most_worst > 0 {
            for i in (0..tile.rows).filter(|&i| weights[i] > 0.0) {
                self.keep_worst(first + i, log_density[i]);
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
            memberships: Memberships::new(under.mixture, offsets, block),
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
        mut self,
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
        walk.each(components, mixture.components(), &mut self)?;
        let sums = self.scatter.sums();
        let moments = Moments::empty(mixture.frame().clone(), mixture.components(), storage);
        self.into_stat(moments, &sums, most)
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
    fn into_stat(self, mut moments: Moments, sums: &[Sums], most: f64) -> Option<EmStat> {
        let mixture = self.memberships.mixture;
        for (k, (sums, &weight)) in sums.iter().zip(&self.memberships.weight).enumerate() {
            if weight > 0.0 {
                let origin = vec![0.0; mixture.dim()];
                let point = if self.near { &origin } else { mixture.mean(k) };
                if sums.shift(weight) > most {
                    return None;
                }
                moments.put_shifted(k, weight, point, sums)?;
            }
        }
        if !self.within {
            return None;
        }
        let stat = self.memberships.into_stat(moments, &[])?;
        Some(EmStat { worst: self.worst, ..stat })
    }
}
