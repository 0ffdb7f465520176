//! Estimates the degrees of freedom and the scale of Student components \[M68\].

use super::{Freedom, Outliers};
use crate::cluster::Ownership;
use crate::cluster::spec::EmSpec;
use crate::covariance::{Pooling, Sharing};
use crate::mixture::{Law, Mixture};
use crate::moments::Merge;
use crate::special::digamma;
use crate::tolerance::{FREEDOM_LEAST, FREEDOM_MOST, FREEDOM_START, FREEDOM_STEPS};

/// What Student components need of the rows beside moments, in which row i counts w z u for component k.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::cluster) struct Tails {
    /// Σ w z of each component.
    pub(in crate::cluster) weight: Vec<f64>,
    /// Σ w z (ln u − u) of each component.
    pub(in crate::cluster) spread: Vec<f64>,
}

impl Merge for Tails {
    fn merge(mut self, later: Self) -> Self {
        self.weight.iter_mut().zip(&later.weight).for_each(|(a, b)| *a += b);
        self.spread.iter_mut().zip(&later.spread).for_each(|(a, b)| *a += b);
        self
    }
}

impl Tails {
    /// The same without a row of which these are the tails.
    pub(in crate::cluster) fn without(mut self, row: &Self) -> Self {
        self.weight.iter_mut().zip(&row.weight).for_each(|(a, b)| *a = (*a - b).max(0.0));
        self.spread.iter_mut().zip(&row.spread).for_each(|(a, b)| *a -= b);
        self
    }

    /// Sums rows up, and makes their weights what they count for: w z becomes w z u.
    pub(in crate::cluster) fn of(
        laws: &[Law],
        distances: &[f64],
        groups: &mut [Vec<(usize, f64)>],
    ) -> Self {
        let components = laws.len();
        let mut tails = Self { weight: vec![0.0; components], spread: vec![0.0; components] };
        for (k, (group, law)) in groups.iter_mut().zip(laws).enumerate() {
            for (i, weight) in group {
                let counts = law.counts(distances[*i * components + k]);
                tails.weight[k] += *weight;
                tails.spread[k] += *weight * (counts.ln() - counts);
                *weight *= counts;
            }
        }
        tails
    }

    /// Of the components that are left, with the Σ w z u of each and what their scales were stretched by.
    pub(in crate::cluster) fn kept(
        &self,
        kept: &[usize],
        counts: Vec<f64>,
        stretch: Option<Vec<f64>>,
    ) -> Stretched {
        let stretch = stretch.unwrap_or_else(|| vec![1.0; kept.len()]);
        let weight = kept.iter().map(|&k| self.weight[k]).collect();
        let spread = kept.iter().map(|&k| self.spread[k]).collect();
        Stretched { weight, spread, counts, stretch }
    }
}

/// What the degrees of freedom of some components follow from.
pub(in crate::cluster) struct Stretched {
    weight: Vec<f64>,
    spread: Vec<f64>,
    /// Σ w z u of each component.
    counts: Vec<f64>,
    /// The mean that u is taken to have.
    stretch: Vec<f64>,
}

impl Stretched {
    /// Laws of the components after the M-step.
    pub(in crate::cluster) fn laws(&self, freedom: Freedom, before: &Mixture) -> Vec<Law> {
        let (dim, components) = (before.dim(), self.weight.len());
        let freedoms: Vec<f64> = match freedom {
            Freedom::Fixed(value) => vec![value; components],
            Freedom::Each => (0..components).map(|k| self.solved(&[k], before)).collect(),
            Freedom::Common => {
                let all: Vec<usize> = (0..components).collect();
                vec![self.solved(&all, before); components]
            }
        };
        freedoms.into_iter().map(|freedom| Law::student(freedom, dim)).collect()
    }

    /// Degrees of freedom that some components share: the first again where none of them has rows that tell.
    fn solved(&self, components: &[usize], before: &Mixture) -> f64 {
        let told: Vec<usize> =
            components.iter().copied().filter(|&k| self.has_rows(k, before.dim())).collect();
        if told.is_empty() {
            return FREEDOM_START;
        }
        let weight: f64 = told.iter().map(|&k| self.weight[k]).sum();
        solved(told.iter().map(|&k| self.known(k, before)).sum::<f64>() / weight)
    }

    /// Whether what a component counts for is that of its rows. One that was placed anew counts as the others
    /// do on average, which is more than its rows could: u is at most 1 + d/ν.
    fn has_rows(&self, k: usize, dim: usize) -> bool {
        let most = 1.0 + dim as f64 / FREEDOM_LEAST;
        self.counts[k] <= 2.0 * most * self.weight[k]
    }

    /// Σ w z (1 + E ln(u/a) − E u/a), with E ln u = ln E u + ψ(p) − ln p of the power 2p before.
    fn known(&self, k: usize, before: &Mixture) -> f64 {
        let (weight, counts, stretch) = (self.weight[k], self.counts[k], self.stretch[k]);
        let half = 0.5 * (freedom(before, k) + before.dim() as f64);
        let logs = self.spread[k] + counts + weight * (digamma(half) - half.ln());
        weight * (1.0 - stretch.ln()) + logs - counts / stretch
    }
}

impl EmSpec {
    /// What the scales of Student components are stretched by: the mean of u over the rows of each, or of all
    /// where covariances share parts; `None` where nothing but the plain M-step keeps the likelihood from falling.
    pub(in crate::cluster) fn stretch(
        &self,
        counts: &[f64],
        weight: &[f64],
        before: &Mixture,
        ownership: Option<&Ownership>,
    ) -> Option<Vec<f64>> {
        let covariance = &self.covariance;
        let plain = covariance.shrinkage.is_none()
            && covariance.ddof == 0
            && covariance.pooling == Pooling::Size
            && !self.frozen.covariances.contains(&true);
        if !(matches!(self.outliers, Outliers::Student(_)) && plain) {
            return None;
        }
        let family = covariance.family;
        let families = ownership.and_then(Ownership::families);
        if family.is_plain() && family.sharing() == Sharing::PerClass && families.is_none() {
            return Some(counts.iter().zip(weight).map(|(counts, n)| counts / n).collect());
        }
        let sum = |values: &[f64]| -> f64 {
            values.iter().enumerate().map(|(k, value)| freedom(before, k) * value).sum()
        };
        Some(vec![sum(counts) / sum(weight); counts.len()])
    }
}

impl Freedom {
    /// Laws to begin with.
    pub(in crate::cluster) fn first(self, components: usize, dim: usize) -> Vec<Law> {
        let freedom = if let Self::Fixed(value) = self { value } else { FREEDOM_START };
        vec![Law::student(freedom, dim); components]
    }
}

fn freedom(mixture: &Mixture, k: usize) -> f64 {
    mixture.laws().and_then(|laws| laws[k].freedom()).unwrap_or(FREEDOM_START)
}

/// The root of ln(ν/2) − ψ(ν/2) + c, which falls; the end of the range beyond which it lies.
fn solved(c: f64) -> f64 {
    let value = |freedom: f64| (0.5 * freedom).ln() - digamma(0.5 * freedom) + c;
    let (mut low, mut high) = (FREEDOM_LEAST, FREEDOM_MOST);
    if value(low) <= 0.0 {
        return low;
    }
    if value(high) >= 0.0 {
        return high;
    }
    for _ in 0..FREEDOM_STEPS {
        let middle = (low * high).sqrt();
        if value(middle) > 0.0 { low = middle } else { high = middle }
    }
    (low * high).sqrt()
}
