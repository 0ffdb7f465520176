//! Takes the E-step of one covariance for all: linear scores, and one scatter \[M92\].

use super::expect::{EmStat, Expectation};
use super::fused::{Memberships, Summed, is_plain};
use crate::data::Block;
use crate::linalg::distances::Column;
use crate::linalg::tile::{Layout, Tile};
use crate::linalg::{Features, Room, Scatter, Tally};
use crate::mixture::tiles::{PerTile, Walk};
use crate::mixture::{LinearForm, Mixture};
use crate::moments::{Moments, Storage, lower_index};
use crate::tolerance::{FEATURES_MOST, SHIFTED};

impl EmStat {
    /// The statistic of a block; `None` where tiles are not made for it, where a row is too far for linear scores, or
    /// where means are so far apart that what is left within them loses digits.
    pub(super) fn tied(under: &Expectation<'_>, block: &Block<'_>) -> Option<Self> {
        let (mixture, storage) = (under.mixture, under.storage);
        if storage != Storage::Shared || under.worst || !is_plain(under, block) {
            return None;
        }
        let form = mixture.linear_form()?;
        let (units, components) = (mixture.frame().units(), mixture.components());
        if mixture.dim() > FEATURES_MOST {
            return Tied::over(form, (mixture, block), Tally::new(units, components, None));
        }
        Tied::over(form, (mixture, block), Features::new(units, components, None))
    }
}

/// What is summed up of the tiles of a block, about the frame's origin.
struct Tied<'a, P> {
    memberships: Memberships<'a>,
    form: &'a LinearForm,
    /// Of all rows, and whether they have weights.
    total: Scatter,
    weighted: bool,
    /// Σ r u of each component.
    firsts: P,
    /// Whether all rows were near enough for linear scores.
    within: bool,
    room: Room<f64>,
}

impl<P: Summed<f64>> PerTile<f64> for Tied<'_, P> {
    fn tile(&mut self, tile: &Tile<f64>, columns: &mut [Column]) {
        self.within &= tile.is_within(self.form.reach);
        let weights = self.memberships.of_tile(tile.rows, columns);
        if self.weighted {
            self.total.add(tile, None, weights, &mut self.room);
        } else {
            self.total.add_once(tile);
        }
        self.firsts.add(tile, None, columns);
    }
}

impl<'a, P: Summed<f64>> Tied<'a, P> {
    /// The statistic of a block, with what adds up Σ r u.
    fn over(
        form: &'a LinearForm,
        (mixture, block): (&'a Mixture, &'a Block<'_>),
        firsts: P,
    ) -> Option<EmStat> {
        let (components, dim) = (mixture.components(), mixture.dim());
        let mut sums = Self {
            memberships: Memberships::new(mixture, &form.offsets, block),
            form,
            total: Scatter::new(dim, true),
            weighted: block.is_weighted(),
            firsts,
            within: true,
            room: Room::new(dim),
        };
        let walk = Walk::new(block, mixture.frame(), Layout::Both)?;
        walk.each(&form.components, components, &mut sums)?;
        sums.into_stat(Moments::empty(mixture.frame().clone(), components, Storage::Shared))
    }

    fn into_stat(self, mut moments: Moments) -> Option<EmStat> {
        let mixture = self.memberships.mixture;
        let (dim, weight) = (mixture.dim(), &self.memberships.of_components());
        let (total, form) = (self.total.sums(), self.form);
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

        for (k, (sums, &weight)) in self.firsts.sums().iter().zip(weight).enumerate() {
            if weight > 0.0 {
                moments.weight[k] = weight;
                let to = moments.mean[k * dim..(k + 1) * dim].iter_mut();
                to.zip(&sums.first).for_each(|(to, r)| *to = r / weight);
                moments.add_outer(k, -1.0 / weight, &sums.first);
            }
        }
        let mut diagonal = (0..dim).map(|j| lower_index(j, j));
        let kept = diagonal.all(|at| {
            let ratio = total.second[at] / moments.scatter[at];
            ratio > 0.0 && ratio <= SHIFTED
        });
        if self.within && kept { self.memberships.into_stat(moments, &common) } else { None }
    }
}
