//! Deals with components that lost their rows \[M57\].

use super::expect::EmStat;
use super::saved::Event;
use super::spec::OnEmpty;
use crate::error::Error;
use crate::moments::{Moments, Storage};
use crate::tolerance::{EMPTY_ROW, RESEEDS_MAX};

/// Moments with rows in every component, and how they came about.
pub(super) struct Settled {
    pub(super) moments: Moments,
    /// Σ w z of each component: shares and divisors, of which rows in a tail take no less.
    pub(super) weight: Vec<f64>,
    /// The components that are left, by their numbers before.
    pub(super) kept: Vec<usize>,
    pub(super) events: Vec<Event>,
}

impl EmStat {
    /// Components with less weight than a hundred-millionth of an average row.
    fn empty(&self) -> Vec<usize> {
        let row = self.weight() / self.rows.max(1) as f64;
        let light = |k: &usize| self.component_weight()[*k] < EMPTY_ROW * row;
        (0..self.moments.components()).filter(light).collect()
    }

    /// Moments with rows in every component, and what was done for it.
    pub(super) fn settled(
        &self,
        choice: OnEmpty,
        iteration: u32,
        reseeded: usize,
    ) -> Result<Settled, Error> {
        let empty = self.empty();
        let all = 0..self.moments.components();
        let mut moments = self.moments.clone();
        let mut weight = self.component_weight().to_vec();
        let Some(&component) = empty.first() else {
            return Ok(Settled { moments, weight, kept: all.collect(), events: Vec::new() });
        };
        let refused = Error::Empty { component, class: None };
        match choice {
            OnEmpty::Refuse => Err(refused),
            OnEmpty::Drop => {
                let kept: Vec<usize> = all.filter(|k| !empty.contains(k)).collect();
                if kept.is_empty() {
                    return Err(refused);
                }
                let from: Vec<Option<usize>> = kept.iter().copied().map(Some).collect();
                let event = |component: &usize| Event::Dropped { iteration, component: *component };
                let events = empty.iter().map(event).collect();
                let (moments, weight) =
                    (moments.arranged(&from), kept.iter().map(|&k| weight[k]).collect());
                Ok(Settled { moments, weight, kept, events })
            }
            OnEmpty::Reseed => {
                if reseeded >= RESEEDS_MAX || self.worst.len() < empty.len() {
                    return Err(refused);
                }
                let mut events = Vec::new();
                for (&component, worst) in empty.iter().zip(&self.worst) {
                    moments = moments.reseeded(component, &worst.values);
                    weight[component] = moments.weight[component];
                    events.push(Event::Reseeded { iteration, component });
                }
                Ok(Settled { moments, weight, kept: all.collect(), events })
            }
        }
    }
}

impl Moments {
    /// The same with component `k` about a raw row: as heavy and as wide as components are on average.
    fn reseeded(&self, k: usize, row: &[f64]) -> Self {
        let (dim, share) = (self.dim(), 1.0 / self.components() as f64);
        let mut moments = self.clone();
        moments.weight[k] = share * self.weight.iter().sum::<f64>();
        for (j, x) in row.iter().enumerate() {
            moments.mean[k * dim + j] = self.frame.place(j, *x);
        }
        if self.storage != Storage::Shared {
            let len = self.scatter.len() / self.components();
            for at in 0..len {
                let sum: f64 = self.scatter.iter().skip(at).step_by(len).sum();
                moments.scatter[k * len + at] = share * sum;
            }
        }
        moments
    }
}
