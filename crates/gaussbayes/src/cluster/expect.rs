//! Sums rows up by their posterior under a mixture: the E-step of a block, and no more of it.

use std::cell::OnceCell;

use super::outliers::Tails;
use super::ownership::Ownership;
use super::spec::Assign;
use crate::data::Block;
use crate::decide::Loss;
use crate::error::Error;
use crate::mixture::{Mixture, Score};
use crate::moments::{Memberships, Merge, Moments, Placed, Storage};
use crate::sweep::{Sweep, check_classes};

/// What rows are summed up under: the E-step as one value \[M56\].
#[derive(Debug, Clone, Copy)]
pub struct Expectation<'a> {
    /// What gives rows their memberships.
    pub mixture: &'a Mixture,
    /// How rows belong to components.
    pub assign: Assign,
    /// What is kept of the scatter.
    pub storage: Storage,
    /// Whether the rows that the mixture explains worst are kept, as many as components.
    pub worst: bool,
    /// Which components a row with a label can belong to; none where labels play no part.
    pub ownership: Option<&'a Ownership>,
    /// What rows of single precision are computed in.
    pub precision: Precision,
}

/// What rows of single precision are computed in; rows of double precision always are in double.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// As the doubles they are.
    #[default]
    Double,
    /// In single precision, where that is faster and rounding can change no score by much \[M93\]; tiles of rows are
    /// added up in double.
    Single,
}

/// The row that a mixture explains worst.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Worst {
    pub(super) log_density: f64,
    pub(super) values: Vec<f64>,
}

/// All that an M-step, a criterion or a stop rule needs of the rows \[M56\].
#[derive(Debug, Clone, PartialEq)]
pub struct EmStat {
    pub(super) moments: Moments,
    /// Σ w ln p(x).
    pub(super) log_evidence: f64,
    /// Σ w |ln p(x)|, what rounding is measured by.
    pub(super) size: f64,
    /// −Σ w Σ z ln z.
    pub(super) entropy: f64,
    /// Σ w ln z of the most probable component.
    pub(super) log_best: f64,
    /// Σ w.
    pub(super) weight: f64,
    pub(super) rows: u64,
    /// Σ w z of noise.
    pub(super) noise_weight: f64,
    /// What components with tails need more.
    pub(super) tails: Option<Tails>,
    /// The rows that the mixture explains worst, as many as are asked for.
    pub(super) worst: Vec<Worst>,
    /// Whether some of it was computed in single precision.
    pub(super) single: bool,
}

impl EmStat {
    /// Moments of the rows under their memberships.
    pub fn moments(&self) -> &Moments {
        &self.moments
    }

    /// The log-likelihood of the rows: Σ w ln p(x).
    pub fn log_evidence(&self) -> f64 {
        self.log_evidence
    }

    /// Entropy of the memberships, −Σ w Σ z ln z: 0 where no row is in doubt.
    pub fn entropy(&self) -> f64 {
        self.entropy
    }

    /// Σ w ln z of the most probable component of each row.
    pub fn log_best(&self) -> f64 {
        self.log_best
    }

    /// Rows of positive weight.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Weight of all rows.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Weight of the rows that belong to noise.
    pub fn noise_weight(&self) -> f64 {
        self.noise_weight
    }

    /// Σ w z of each component.
    pub fn component_weight(&self) -> &[f64] {
        self.tails.as_ref().map_or(self.moments.weight(), |tails| &tails.weight)
    }

    /// What EM raises: the log-likelihood, or that of the rows together with their components where these
    /// are hard.
    pub(super) fn objective(&self, assign: Assign) -> f64 {
        match assign {
            Assign::Soft => self.log_evidence,
            Assign::Hard => self.log_evidence + self.log_best,
        }
    }

    /// Of moments alone.
    pub(super) fn bare(moments: Moments) -> Self {
        Self {
            moments,
            log_evidence: 0.0,
            size: 0.0,
            entropy: 0.0,
            log_best: 0.0,
            weight: 0.0,
            rows: 0,
            noise_weight: 0.0,
            tails: None,
            worst: Vec::new(),
            single: false,
        }
    }

    fn of_block(
        under: &Expectation<'_>,
        block: &Block<'_>,
        placed: &Placed<'_>,
    ) -> Result<Self, Error> {
        let (mixture, rows) = (under.mixture, block.rows().count());
        let mut scores = mixture.scores(block)?;
        let (components, columns) = (mixture.components(), scores.components);
        if let Some(ownership) = under.ownership {
            ownership.narrow(&mut scores, block)?;
        }
        let codes: Option<Vec<u32>> = (under.assign == Assign::Hard).then(|| {
            let best = Loss::zero_one(columns).decide_scores(&scores);
            best.into_iter().map(|k| k as u32).collect()
        });
        let shares = scores.into_shares();
        let memberships = match &codes {
            Some(codes) => Memberships::Codes(codes),
            None => Memberships::Soft(&shares.probabilities),
        };
        // The last group is noise, where there is any: it has a weight, and no moments.
        let mut groups = memberships.groups(columns, block);
        let noise_weight = groups.drain(components..).flatten().map(|(_, weight)| weight).sum();
        let tails = match mixture.laws() {
            Some(laws) if laws.iter().any(|law| law.freedom().is_some()) => {
                Some(Tails::of(laws, &mixture.mahalanobis_sq(block)?, &mut groups))
            }
            _ => None,
        };
        let moments = placed.moments(&groups, under.storage);
        let mut stat = Self { noise_weight, tails, ..Self::bare(moments) };
        for i in (0..rows).filter(|&i| block.weight(i) > 0.0) {
            let (weight, log_density) = (block.weight(i), shares.log_evidence[i]);
            stat.rows += 1;
            stat.weight += weight;
            stat.log_evidence += weight * log_density;
            stat.size += weight * log_density.abs();
            stat.entropy += weight * shares.entropy[i];
            stat.log_best += weight * shares.log_best[i];
        }
        if under.worst {
            let density = |i: &usize| shares.log_evidence[*i];
            let mut order: Vec<usize> = (0..rows).filter(|&i| block.weight(i) > 0.0).collect();
            order.sort_by(|a, b| density(a).total_cmp(&density(b)));
            let row = |i: &usize| {
                let mut values = vec![0.0; block.rows().dim()];
                block.rows().read(*i, &mut values);
                Worst { log_density: density(i), values }
            };
            stat.worst = order.iter().take(components).map(row).collect();
        }
        Ok(stat)
    }
}

impl Merge for EmStat {
    fn merge(self, later: Self) -> Self {
        // Of no rows at all: its frame says nothing either.
        if later.rows == 0 {
            return self;
        }
        if self.rows == 0 {
            return later;
        }
        let most = self.moments.components();
        let mut worst = self.worst;
        worst.extend(later.worst);
        worst.sort_by(|a, b| a.log_density.total_cmp(&b.log_density));
        worst.truncate(most);
        Self {
            moments: self.moments.merge(later.moments),
            log_evidence: self.log_evidence + later.log_evidence,
            size: self.size + later.size,
            entropy: self.entropy + later.entropy,
            log_best: self.log_best + later.log_best,
            weight: self.weight + later.weight,
            rows: self.rows + later.rows,
            noise_weight: self.noise_weight + later.noise_weight,
            tails: self.tails.zip(later.tails).map(|(earlier, later)| earlier.merge(later)),
            worst,
            single: self.single | later.single,
        }
    }
}

/// The E-step of several mixtures in one pass over the rows.
#[derive(Debug, Clone)]
pub struct EmSweep<'a>(Vec<Expectation<'a>>);

impl<'a> EmSweep<'a> {
    /// The E-step of these.
    pub fn new(under: Vec<Expectation<'a>>) -> Self {
        Self(under)
    }
}

impl Sweep for EmSweep<'_> {
    type Stat = Vec<EmStat>;

    fn block(&self, block: &Block<'_>) -> Result<Vec<EmStat>, Error> {
        let placed = OnceCell::new();
        let stat = |under: &Expectation<'_>| {
            check_classes(under.storage, under.mixture.components(), block.rows().dim())?;
            block.plain()?;
            let tiles = EmStat::fused(under, block).or_else(|| EmStat::tied(under, block));
            if let Some(stat) = tiles {
                return Ok(stat);
            }
            EmStat::of_block(under, block, placed.get_or_init(|| Placed::of(block)))
        };
        self.0.iter().map(stat).collect()
    }
}
