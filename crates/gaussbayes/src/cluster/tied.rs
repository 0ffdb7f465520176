//! Takes the E-step of one covariance for all: linear scores, and one scatter \[M92\].

use super::expect::{EmStat, Expectation};
use super::fused::{Memberships, is_plain};
use crate::data::Block;
use crate::linalg::distances::Column;
use crate::linalg::tile::{Layout, Tile};
use crate::linalg::{Room, Scatter, add_products, tile_stride};
use crate::mixture::LinearForm;
use crate::mixture::tiles::{PerTile, Walk};
use crate::moments::{Moments, Storage, lower_index};
use crate::tolerance::SHIFTED;

impl EmStat {
    /// The statistic of a block; `None` where tiles are not made for it, where a row is too far for linear scores, or
    /// where means are so far apart that what is left within them loses digits.
    pub(super) fn tied(under: &Expectation<'_>, block: &Block<'_>) -> Option<Self> {
        let (mixture, storage) = (under.mixture, under.storage);
        if storage != Storage::Shared || under.worst || !is_plain(under, block) {
            return None;
        }
        let form = mixture.linear_form()?;
        let components = mixture.components();
        let mut sums = Tied {
            memberships: Memberships::new(mixture, &form.offsets, block),
            form,
            total: Scatter::new(mixture.dim(), true),
            firsts: vec![0.0; components * tile_stride::<f32>(mixture.dim())],
            within: true,
            room: Room::new(mixture.dim()),
        };
        let walk = Walk::new(block, mixture.frame(), Layout::Both)?;
        walk.each(&form.components, components, &mut sums)?;
        sums.into_stat(Moments::empty(mixture.frame().clone(), components, storage))
    }
}

/// What is summed up of the tiles of a block.
struct Tied<'a> {
    memberships: Memberships<'a>,
    form: &'a LinearForm,
    /// Of all rows about the mean of the means.
    total: Scatter,
    /// Σ r c of each component.
    firsts: Vec<f64>,
    /// Whether all rows were near enough for linear scores.
    within: bool,
    room: Room<f64>,
}

impl PerTile for Tied<'_> {
    fn tile(&mut self, tile: &Tile<f64>, columns: &mut [Column]) {
        self.within &= tile.is_within(self.form.reach);
        let (weights, _) = self.memberships.of_tile(tile.rows, columns);
        self.total.add_all(tile, &self.form.centre, &weights, &mut self.room);
        let centred = (&self.room.centred[..], self.room.stride);
        add_products(0..tile.rows, columns, centred, &mut self.firsts);
    }
}

impl Tied<'_> {
    fn into_stat(self, mut moments: Moments) -> Option<EmStat> {
        let mixture = self.memberships.mixture;
        let (dim, weight) = (mixture.dim(), &self.memberships.weight);
        let total = self.total.sums();
        moments.scatter.copy_from_slice(&total.second);
        // What all components of a row have in common, summed over the rows.
        let precision = &self.form.precision;
        let all: f64 = precision.iter().zip(&moments.scatter).map(|(p, t)| 2.0 * p * t).sum();
        let diagonal: Vec<usize> = (0..dim).map(|j| lower_index(j, j)).collect();
        let once: f64 = diagonal.iter().map(|&at| precision[at] * moments.scatter[at]).sum();
        let rows: f64 = weight.iter().sum();
        let common = [rows * mixture.log_norm(0), -0.5 * (all - once)];

        let firsts = self.firsts.chunks_exact(tile_stride::<f32>(dim)).zip(weight).enumerate();
        for (k, (first, &weight)) in firsts.filter(|(_, (_, weight))| **weight > 0.0) {
            moments.weight[k] = weight;
            let to = moments.mean[k * dim..(k + 1) * dim].iter_mut();
            to.zip(&self.form.centre).zip(first).for_each(|((to, c), r)| *to = c + r / weight);
            moments.add_outer(k, -1.0 / weight, &first[..dim]);
        }
        let left = diagonal.iter().map(|&at| moments.scatter[at]);
        let mut ratios = total.squares().into_iter().zip(left).map(|(all, left)| all / left);
        let kept = self.within && ratios.all(|ratio| ratio > 0.0 && ratio <= SHIFTED);
        if kept { self.memberships.into_stat(moments, &common) } else { None }
    }
}
