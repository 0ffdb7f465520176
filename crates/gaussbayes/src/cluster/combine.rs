//! Joins components into clusters, each time the two whose union leaves least in doubt \[M70\].

use crate::data::{Block, Source};
use crate::error::Error;
use crate::mixture::{Mixture, Score};
use crate::moments::{Merge, Storage};
use crate::sweep::{On, Sweep, check_classes, run};

/// Components joined one pair at a time, from all of them down to a single cluster \[M70\].
#[derive(Debug, Clone, PartialEq)]
pub struct Combination {
    joins: Vec<(usize, usize)>,
    entropies: Vec<f64>,
}

impl Combination {
    /// Joins the components of a mixture as the memberships of the rows suggest. One pass over the rows for the
    /// first join, one for each later one but the last, which is the only one left.
    ///
    /// Noise beside the components joins none of them.
    ///
    /// # Errors
    /// What the source or its rows refuse; [`Error::TooManyClasses`] where pairs are too many to be kept.
    pub fn of<S: Source>(mixture: &Mixture, source: &mut S, on: On<'_>) -> Result<Self, S::Error> {
        let components = mixture.components();
        // Two numbers for each pair.
        check_classes(Storage::Full, 2, components)
            .map_err(|_| Error::TooManyClasses { classes: components, columns: mixture.dim() })?;
        let mut clusters = Clusters::of(components);
        let mut pairs: Vec<(usize, usize)> =
            (0..components).flat_map(|a| (a + 1..components).map(move |b| (a, b))).collect();
        let mut joins = Vec::new();
        let mut entropies = Vec::new();
        loop {
            // Without noise the last cluster has every row, for certain.
            let known = clusters.active.len() <= 2 && !joins.is_empty() && clusters.rest == 0.0;
            if !known {
                source.rewind()?;
                let sweep = JointSweep { mixture, owner: &clusters.owner, pairs: &pairs };
                clusters.learn(&pairs, &run(&sweep, source, on)?);
            }
            let single = clusters.active.len() == 1 && clusters.rest == 0.0;
            entropies.push(if single { 0.0 } else { clusters.entropy() });
            let Some((a, b)) = clusters.next() else { break };
            joins.push((a, b));
            clusters.join(a, b);
            let others = clusters.active.iter().filter(|c| **c != a);
            pairs = others.map(|&c| (a.min(c), a.max(c))).collect();
        }
        entropies.reverse();
        Ok(Self { joins, entropies })
    }

    /// Components that there were.
    pub fn components(&self) -> usize {
        self.entropies.len()
    }

    /// Which clusters were joined, the first first: each by its lowest component, the lower of the two ahead.
    pub fn joins(&self) -> &[(usize, usize)] {
        &self.joins
    }

    /// −Σ w Σ z ln z of the memberships in 1, 2, … clusters.
    pub fn entropies(&self) -> &[f64] {
        &self.entropies
    }

    /// The number of clusters at which the entropy turns: where two straight lines that meet there fit it best. With
    /// fewer than three components there is no turn, and all stay.
    pub fn elbow(&self) -> usize {
        let all = self.components();
        let misfit = |turn: usize| {
            line_misfit(&self.entropies[..turn], 0)
                + line_misfit(&self.entropies[turn - 1..], turn - 1)
        };
        (2..all).min_by(|a, b| misfit(*a).total_cmp(&misfit(*b))).unwrap_or(all)
    }

    /// The cluster of each component where there are so many clusters: counted from 0, in the order of their lowest
    /// components.
    ///
    /// # Errors
    /// [`Error::Shape`] for no clusters, or more than components.
    pub fn owner(&self, clusters: usize) -> Result<Vec<usize>, Error> {
        let all = self.components();
        if clusters == 0 || clusters > all {
            return Err(Error::Shape { what: "clusters", expected: all, found: clusters });
        }
        let mut state = Clusters::of(all);
        self.joins.iter().take(all - clusters).for_each(|&(a, b)| state.join(a, b));
        let place = |lowest: usize| state.active.iter().position(|c| *c == lowest).unwrap_or(0);
        Ok(state.owner.iter().map(|&lowest| place(lowest)).collect())
    }
}

/// Σ (y − a − b x)² of the best line through values at `first`, `first + 1`, …
fn line_misfit(values: &[f64], first: usize) -> f64 {
    let count = values.len() as f64;
    let x = |i: usize| (first + i) as f64;
    let centre = (0..values.len()).map(x).sum::<f64>() / count;
    let level = values.iter().sum::<f64>() / count;
    let along: f64 = values.iter().enumerate().map(|(i, y)| (x(i) - centre) * (y - level)).sum();
    let squares: f64 = (0..values.len()).map(|i| (x(i) - centre).powi(2)).sum();
    let slope = along / squares;
    values.iter().enumerate().map(|(i, y)| (y - level - slope * (x(i) - centre)).powi(2)).sum()
}

/// Clusters on their way, each known by its lowest component.
struct Clusters {
    /// The lowest component of the cluster that each component is in.
    owner: Vec<usize>,
    active: Vec<usize>,
    /// Entropy of each cluster.
    own: Vec<f64>,
    /// Of what is no component: noise.
    rest: f64,
    /// Of each pair, in rows of `owner.len()`.
    joint: Vec<Joint>,
}

impl Clusters {
    fn of(components: usize) -> Self {
        let all: Vec<usize> = (0..components).collect();
        Self {
            owner: all.clone(),
            active: all,
            own: vec![0.0; components],
            rest: 0.0,
            joint: vec![Joint::default(); components * components],
        }
    }

    fn learn(&mut self, pairs: &[(usize, usize)], stat: &JointStat) {
        self.own[..].copy_from_slice(&stat.own[..self.owner.len()]);
        self.rest = stat.own[self.owner.len()..].iter().sum();
        let components = self.owner.len();
        for (&(a, b), joint) in pairs.iter().zip(&stat.joint) {
            self.joint[a * components + b] = *joint;
        }
    }

    fn entropy(&self) -> f64 {
        self.active.iter().map(|&c| self.own[c]).sum::<f64>() + self.rest
    }

    /// The pair whose union lowers the entropy most; the first of several.
    fn next(&self) -> Option<(usize, usize)> {
        let components = self.owner.len();
        let others = |(at, &a): (usize, &usize)| {
            self.active[at + 1..].iter().map(move |&b| (a, b)).collect::<Vec<_>>()
        };
        let lowered = |pair: &(usize, usize)| self.joint[pair.0 * components + pair.1].lowered;
        let pairs = self.active.iter().enumerate().flat_map(others);
        // Of equals the last is taken: the first of a reversed list.
        let pairs: Vec<(usize, usize)> = pairs.collect();
        pairs.into_iter().rev().max_by(|a, b| lowered(a).total_cmp(&lowered(b)))
    }

    fn join(&mut self, a: usize, b: usize) {
        self.own[a] = self.joint[a * self.owner.len() + b].entropy;
        self.active.retain(|c| *c != b);
        self.owner.iter_mut().filter(|owner| **owner == b).for_each(|owner| *owner = a);
    }
}

/// What the union of two clusters is worth.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Joint {
    /// −Σ w s ln s of the summed memberships s.
    entropy: f64,
    /// By how much it lowers the entropy: a sum of terms that are never negative, so that no digit cancels.
    lowered: f64,
}

/// Entropies of clusters, and of the unions of some pairs of them.
struct JointSweep<'a> {
    mixture: &'a Mixture,
    owner: &'a [usize],
    pairs: &'a [(usize, usize)],
}

#[derive(Debug, Clone, PartialEq)]
struct JointStat {
    own: Vec<f64>,
    joint: Vec<Joint>,
}

impl Sweep for JointSweep<'_> {
    type Stat = JointStat;

    fn block(&self, block: &Block<'_>) -> Result<JointStat, Error> {
        let scores = self.mixture.scores(block)?;
        let columns = scores.components;
        let shares = scores.into_probabilities();
        let mut stat =
            JointStat { own: vec![0.0; columns], joint: vec![Joint::default(); self.pairs.len()] };
        let mut summed = vec![0.0; columns];
        for (i, row) in shares.chunks_exact(columns).enumerate() {
            let weight = block.weight(i);
            if weight == 0.0 {
                continue;
            }
            summed.fill(0.0);
            for (k, share) in row.iter().enumerate() {
                summed[self.owner.get(k).copied().unwrap_or(k)] += share;
            }
            for (k, sum) in stat.own.iter_mut().enumerate() {
                *sum += weight * entropy(summed[k], || others(&summed, k, k));
            }
            for (sum, &(a, b)) in stat.joint.iter_mut().zip(self.pairs) {
                let (low, high) = (summed[a].min(summed[b]), summed[a].max(summed[b]));
                sum.entropy += weight * entropy(low + high, || others(&summed, a, b));
                sum.lowered += weight * lowered(low, high);
            }
        }
        Ok(stat)
    }
}

impl Merge for JointStat {
    fn merge(mut self, later: Self) -> Self {
        self.own.iter_mut().zip(&later.own).for_each(|(sum, more)| *sum += more);
        for (sum, more) in self.joint.iter_mut().zip(&later.joint) {
            sum.entropy += more.entropy;
            sum.lowered += more.lowered;
        }
        self
    }
}

/// What two of the shares leave.
fn others(shares: &[f64], a: usize, b: usize) -> f64 {
    let left = shares.iter().enumerate().filter(|(k, _)| *k != a && *k != b);
    left.map(|(_, share)| share).sum()
}

/// −s ln s of a share, by what it leaves of one where that is the lesser.
fn entropy(share: f64, left: impl Fn() -> f64) -> f64 {
    if share > 0.5 {
        return share * -(-left()).ln_1p();
    }
    if share > 0.0 { -share * share.ln() } else { 0.0 }
}

/// By how much the entropy of two shares is above that of their sum: a ln(1 + b/a) + b ln(1 + a/b).
fn lowered(low: f64, high: f64) -> f64 {
    if low > 0.0 { high * (low / high).ln_1p() + low * ((low + high).ln() - low.ln()) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(entropies: Vec<f64>) -> Combination {
        let joins = (1..entropies.len()).map(|b| (0, b)).collect();
        Combination { joins, entropies }
    }

    #[test]
    fn the_elbow_is_where_two_lines_meet() {
        // Both lines fit exactly at 3 alone.
        assert_eq!(of(vec![0.0, 1.0, 2.0, 12.0, 22.0, 32.0]).elbow(), 3);
        assert_eq!(of(vec![0.0, 0.0, 0.0, 0.0]).elbow(), 2);
        assert_eq!(of(vec![0.0, 7.0]).elbow(), 2);
        assert_eq!(of(vec![0.0]).elbow(), 1);
    }

    #[test]
    fn what_a_union_saves_keeps_its_digits() {
        for (low, high) in [(0.25, 0.5), (1e-9, 0.3), (0.5, 0.5)] {
            let plain = |share: f64| -share * share.ln();
            let plain = plain(low) + plain(high) - plain(low + high);
            assert!((lowered(low, high) - plain).abs() < 1e-15, "{low} {high}");
        }
        // −h ln h + h to first order, where 1 + h is 1.
        let (h, found) = (1e-30_f64, lowered(1e-30, 1.0));
        assert!((found / (h - h * h.ln()) - 1.0).abs() < 1e-14, "{found}");
        assert_eq!(lowered(0.0, 0.0), 0.0);
    }

    #[test]
    fn owners_are_numbered_by_their_lowest_component() {
        let joins = vec![(1, 3), (0, 2), (0, 1)];
        let all = Combination { joins, entropies: vec![0.0; 4] };
        assert_eq!(all.owner(4).unwrap(), [0, 1, 2, 3]);
        assert_eq!(all.owner(3).unwrap(), [0, 1, 2, 1]);
        assert_eq!(all.owner(2).unwrap(), [0, 1, 0, 1]);
        assert_eq!(all.owner(1).unwrap(), [0, 0, 0, 0]);
        assert!(all.owner(0).is_err() && all.owner(5).is_err());
    }
}
