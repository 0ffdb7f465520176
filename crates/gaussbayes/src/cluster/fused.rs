//! Takes the E-step of a block tile by tile, so that memberships never leave the cache \[M56\].

use super::expect::{EmStat, Expectation, Worst};
use super::spec::Assign;
use crate::data::{Block, NO_LABEL};
use crate::linalg::distances::Column;
use crate::linalg::lanes::{Job, vectorized};
use crate::linalg::tile::{Layout, TILE, Tile};
use crate::linalg::{Features, Room, Scatter, Sums};
use crate::mixture::Mixture;
use crate::mixture::tiles::{Offsets, PerTile, Walk, far, to_scores};
use crate::moments::{Moments, Storage};
use crate::posterior::{TileShares, tile_shares};
use crate::tolerance::{FEATURES_MOST, MEMBERSHIP_LEAST, SHIFTED};

impl EmStat {
    /// The statistic of a block about the means of its mixture; `None` where rows, mixture or memberships are of a
    /// kind that tiles are not made for, or where a mean moves so far that sums about the old one lose digits.
    pub(super) fn fused(under: &Expectation<'_>, block: &Block<'_>) -> Option<Self> {
        let (mixture, storage) = (under.mixture, under.storage);
        if !is_plain(under, block) || storage == Storage::Shared {
            return None;
        }
        let offsets = Offsets::Distances(mixture.offsets());
        let (components, dim, near) =
            (mixture.components(), mixture.dim(), mixture.is_near_origin());
        let full = storage == Storage::Full;
        let scatter = if near && (!full || dim <= FEATURES_MOST) {
            Summed::Together(Features::new(dim, components, full))
        } else {
            let scatter = |_| Scatter::new(dim, full);
            Summed::Apart((0..components).map(scatter).collect(), Room::new(dim))
        };
        let mut sums = Totals {
            memberships: Memberships::new(mixture, &offsets, block),
            near,
            within: true,
            most_worst: if under.worst { mixture.components() } else { 0 },
            worst: Vec::new(),
            scatter,
        };
        let layout = match &sums.scatter {
            Summed::Together(features) => features.layout(),
            Summed::Apart(..) => Layout::Both,
        };
        let walk = Walk::new(block, mixture.frame(), layout)?;
        walk.each(mixture.tile_components()?, mixture.components(), &mut sums)?;
        sums.into_stat(Moments::empty(mixture.frame().clone(), mixture.components(), storage))
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
        for (shares, weight) in self.columns.iter_mut().zip(&mut self.of.weight) {
            for (share, weight) in shares.iter_mut().zip(self.weights) {
                *share = if *share > MEMBERSHIP_LEAST { *share * weight } else { 0.0 };
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
struct Totals<'a> {
    memberships: Memberships<'a>,
    /// Whether sums are about the frame's origin: all means are near enough.
    near: bool,
    /// Whether all rows were near enough for distances to be numbers.
    within: bool,
    /// How many of the rows explained worst are kept, and these.
    most_worst: usize,
    worst: Vec<Worst>,
    scatter: Summed,
}

/// Sums of the components.
enum Summed {
    /// One by one, about a point each or about the origin.
    Apart(Vec<Scatter>, Room<f64>),
    /// All of them, about the origin.
    Together(Features),
}

impl PerTile for Totals<'_> {
    fn tile(&mut self, tile: &Tile<f64>, columns: &mut [Column]) {
        let first = self.memberships.seen;
        self.within &= tile.is_within(far());
        let (weights, log_density) = self.memberships.of_tile(tile.rows, columns);
        if self.most_worst > 0 {
            for i in (0..tile.rows).filter(|&i| weights[i] > 0.0) {
                self.keep_worst(first + i, log_density[i]);
            }
        }
        match &mut self.scatter {
            Summed::Together(features) => features.add(tile, columns),
            Summed::Apart(scatters, room) => {
                for (k, (scatter, shares)) in scatters.iter_mut().zip(columns.iter()).enumerate() {
                    let point = (!self.near).then(|| self.memberships.mixture.mean(k));
                    scatter.add(tile, point, shares, room);
                }
            }
        }
    }
}

impl Totals<'_> {
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
    fn into_stat(self, mut moments: Moments) -> Option<EmStat> {
        let mixture = self.memberships.mixture;
        let sums: Vec<Sums> = match &self.scatter {
            Summed::Apart(scatters, _) => scatters.iter().map(Scatter::sums).collect(),
            Summed::Together(features) => features.sums().collect(),
        };
        for (k, (sums, &weight)) in sums.iter().zip(&self.memberships.weight).enumerate() {
            if weight > 0.0 {
                let origin = vec![0.0; mixture.dim()];
                let point = if self.near { &origin } else { mixture.mean(k) };
                let moved = moments.put_shifted(k, weight, point, sums);
                moved.filter(|lost| *lost <= SHIFTED)?;
            }
        }
        if !self.within {
            return None;
        }
        let stat = self.memberships.into_stat(moments, &[])?;
        Some(EmStat { worst: self.worst, ..stat })
    }
}
