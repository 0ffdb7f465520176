//! Takes the E-step of a block tile by tile, so that memberships never leave the cache \[M56\].

use super::expect::{EmStat, Expectation, Worst};
use super::spec::Assign;
use crate::data::{Block, NO_LABEL};
use crate::linalg::distances::Column;
use crate::linalg::tile::{TILE, Tile};
use crate::linalg::{Room, Scatter};
use crate::mixture::Mixture;
use crate::mixture::tiles::{Components, Offsets, PerTile, Walk, far, to_scores};
use crate::moments::{Moments, Storage};
use crate::posterior::{TileShares, tile_shares};
use crate::tolerance::{MEMBERSHIP_LEAST, SHIFTED};

impl EmStat {
    /// The statistic of a block about the means of its mixture; `None` where rows, mixture or memberships are of a
    /// kind that tiles are not made for, or where a mean moves so far that sums about the old one lose digits.
    pub(super) fn fused(under: &Expectation<'_>, block: &Block<'_>) -> Option<Self> {
        let (mixture, storage) = (under.mixture, under.storage);
        if !is_plain(under, block) || storage == Storage::Shared {
            return None;
        }
        let scale = mixture.frame().scale()?;
        let offsets = Offsets::Distances(mixture.offsets());
        let scatter = |_| Scatter::new(mixture.dim(), storage == Storage::Full);
        let mut sums = Sums {
            memberships: Memberships::new(mixture, &offsets, block),
            near: mixture.is_near_origin(),
            within: true,
            most_worst: if under.worst { mixture.components() } else { 0 },
            worst: Vec::new(),
            scatter: (0..mixture.components()).map(scatter).collect(),
        };
        let origin = mixture.frame().origin();
        let walk = Walk { rows: block.rows(), origin, scale: &scale };
        walk.each(&Components::of(mixture)?, mixture.components(), &mut sums)?;
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
        let TileShares { norm, entropy } = tile_shares(columns, &top);
        let (mut weights, mut log_density) = ([0.0; TILE], [0.0; TILE]);
        for (i, weight) in weights[..rows].iter_mut().enumerate() {
            *weight = self.block.weight(self.seen + i);
        }
        for i in 0..TILE {
            log_density[i] = top[i] + norm[i];
        }
        for i in 0..rows {
            let weight = weights[i];
            self.rows += u64::from(weight > 0.0);
            self.all += weight;
            self.log_evidence += weight * log_density[i];
            self.size += weight * log_density[i].abs();
            self.entropy += weight * entropy[i];
            self.log_best -= weight * norm[i];
        }
        for (shares, weight) in columns.iter_mut().zip(&mut self.weight) {
            for (share, weight) in shares.iter_mut().zip(&weights) {
                *share = if *share > MEMBERSHIP_LEAST { *share * weight } else { 0.0 };
            }
            *weight += total(shares);
        }
        self.seen += rows;
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
struct Sums<'a> {
    memberships: Memberships<'a>,
    /// Whether sums are about the frame's origin: all means are near enough.
    near: bool,
    /// Whether all rows were near enough for distances to be numbers.
    within: bool,
    /// How many of the rows explained worst are kept, and these.
    most_worst: usize,
    worst: Vec<Worst>,
    scatter: Vec<Scatter>,
}

impl PerTile for Sums<'_> {
    fn tile(&mut self, tile: &Tile<f64>, columns: &mut [Column]) {
        let first = self.memberships.seen;
        self.within &= tile.widest <= far();
        let (weights, log_density) = self.memberships.of_tile(tile.rows, columns);
        if self.most_worst > 0 {
            for i in (0..tile.rows).filter(|&i| weights[i] > 0.0) {
                self.keep_worst(first + i, log_density[i]);
            }
        }
        let mut room = Room::new(self.memberships.mixture.dim());
        for (k, shares) in columns.iter().enumerate() {
            if total(shares) > 0.0 {
                let point = (!self.near).then(|| self.memberships.mixture.mean(k));
                self.scatter[k].add(tile, point, shares, &mut room);
            }
        }
    }
}

impl Sums<'_> {
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
        for (k, (scatter, &weight)) in self.scatter.iter().zip(&self.memberships.weight).enumerate()
        {
            if weight > 0.0 {
                let origin = vec![0.0; mixture.dim()];
                let point = if self.near { &origin } else { mixture.mean(k) };
                let moved = moments.put_shifted(k, weight, point, scatter);
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
