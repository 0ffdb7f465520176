//! Takes the E-step of one covariance for all: linear scores, and one scatter \[M92\].

use super::expect::{EmStat, Expectation};
use super::fused::{Memberships, is_plain};
use crate::data::{Block, Total};
use crate::linalg::distances::Column;
use crate::linalg::tile::{Layout, Tile};
use crate::linalg::{Features, Room, Scatter, Sums};
use crate::mixture::LinearForm;
use crate::mixture::tiles::{PerTile, Walk};
use crate::moments::{Moments, Storage, lower_index};
use crate::tolerance::{REMEMBERED, SHIFTED};

impl EmStat {
    /// The statistic of a block; `None` where tiles are not made for it, where a row is too far for linear scores, or
    /// where means are so far apart that what is left within them loses digits.
    pub(super) fn tied(under: &Expectation<'_>, block: &Block<'_>) -> Option<Self> {
        let (mixture, storage) = (under.mixture, under.storage);
        if storage != Storage::Shared || under.worst || !is_plain(under, block) {
            return None;
        }
        let form = mixture.linear_form()?;
        let (components, dim) = (mixture.components(), mixture.dim());
        let known = block.slot().filter(|_| block.rows().count() >= REMEMBERED * dim);
        let total = known.and_then(|known| known.total(mixture.frame()));
        let mut sums = Tied {
            memberships: Memberships::new(under, &form.offsets, block),
            form,
            total: total.is_none().then(|| Scatter::new(dim, true)),
            weighted: block.is_weighted(),
            firsts: Features::new(mixture.frame().units(), components, None),
            within: true,
            room: Room::new(dim),
        };
        let layout = if total.is_some() { Layout::Columns } else { Layout::Both };
        let walk = Walk::new(block, mixture.frame(), layout)?;
        walk.each(&form.components, components, &mut sums)?;
        let moments = Moments::empty(mixture.frame().clone(), components, storage);
        if let Some(total) = total {
            return sums.stat(moments, &total);
        }
        let Sums { first, second, .. } = sums.total.as_ref()?.sums();
        let total = Total::new(mixture.frame(), first.to_vec(), second.into_owned());
        let stat = sums.stat(moments, &total);
        known.into_iter().for_each(|known| known.keep(total.clone()));
        stat
    }
}

/// What is summed up of the tiles of a block, about the frame's origin.
struct Tied<'a> {
    memberships: Memberships<'a>,
    form: &'a LinearForm,
    /// Of all rows, where that is not known from an earlier pass, and whether they have weights.
    total: Option<Scatter>,
    weighted: bool,
    /// Σ r u of each component.
    firsts: Features,
    /// Whether all rows were near enough for linear scores.
    within: bool,
    room: Room<f64>,
}

impl PerTile<f64> for Tied<'_> {
    fn tile(&mut self, tile: &Tile<f64>, columns: &mut [Column]) {
        self.within &= tile.is_within(self.form.reach);
        let weights = self.memberships.of_tile(tile.rows, columns);
        match &mut self.total {
            Some(total) if self.weighted => total.add(tile, None, weights, &mut self.room),
            Some(total) => total.add_once(tile),
            None => {}
        }
        self.firsts.add(tile, columns);
    }
}

impl Tied<'_> {
    fn stat(&mut self, mut moments: Moments, total: &Total) -> Option<EmStat> {
        let mixture = self.memberships.mixture;
        let (dim, weight) = (mixture.dim(), &self.memberships.of_components());
        let form = self.form;
        moments.scatter.copy_from_slice(&total.second);
        // What all components of a row have in common, summed over the rows: tr P(T − s cᵀ − c sᵀ + n c cᵀ).
        let rows: f64 = weight.iter().sum();
        let quadratic = |matrix: &dyn Fn(usize, usize) -> f64| -> f64 {
            let row = |i: usize| {
                let part = |j: usize| form.precision[lower_index(i, j)] * matrix(i, j);
                2.0 * (0..i).map(part).sum::<f64>() + part(i)
            };
            (0..dim).map(row).sum()
        };
        let (first, centre) = (&total.first, &form.centre);
        let about = |i: usize, j: usize| {
            let moved = first[i] * centre[j] + first[j] * centre[i] - rows * centre[i] * centre[j];
            total.second[lower_index(i, j)] - moved
        };
        let common = [rows * mixture.log_norm(0), -0.5 * quadratic(&about)];

        for (k, (sums, &weight)) in self.firsts.sums().zip(weight).enumerate() {
            if weight > 0.0 {
                moments.weight[k] = weight;
                let to = moments.mean[k * dim..(k + 1) * dim].iter_mut();
                to.zip(sums.first).for_each(|(to, r)| *to = r / weight);
                moments.add_outer(k, -1.0 / weight, sums.first);
            }
        }
        let mut diagonal = (0..dim).map(|j| lower_index(j, j));
        let kept = diagonal.all(|at| {
            let ratio = total.second[at] / moments.scatter[at];
            ratio > 0.0 && ratio <= SHIFTED
        });
        if self.within && kept { self.memberships.stat(moments, &common) } else { None }
    }
}
