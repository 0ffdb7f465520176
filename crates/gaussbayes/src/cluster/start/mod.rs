//! Starts EM: memberships of the rows of a sample, and the first parameters that follow from them.

mod belonging;
mod columns;
mod hierarchy;
mod kmeans;
mod merging;
mod random;
mod restarts;
mod sample;
mod seeding;

pub use belonging::{Belonging, start_from};
pub use hierarchy::Hierarchy;
pub use restarts::Restarts;
pub(super) use restarts::by_rank;
pub use sample::Sampled;

use std::sync::OnceLock;

use super::{EmSpec, EmState};
use crate::error::Error;
use crate::sweep::On;
use columns::Standard;

/// Where EM starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Start {
    /// K-means on standardised columns, from centres by k-means++.
    #[default]
    KMeans,
    /// Each row to the nearest of rows that lie far apart \[M58\].
    KMeansPlusPlus,
    /// Random shares of every row.
    Random,
    /// Each row to the nearest of some random rows.
    RandomRows,
    /// Groups of model-based hierarchical agglomeration \[M59\]; the same for every run.
    Hierarchical,
}

impl Start {
    /// Every start.
    pub const ALL: [Self; 5] =
        [Self::KMeans, Self::KMeansPlusPlus, Self::Random, Self::RandomRows, Self::Hierarchical];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::KMeans => "kmeans",
            Self::KMeansPlusPlus => "k-means++",
            Self::Random => "random",
            Self::RandomRows => "random-rows",
            Self::Hierarchical => "hierarchical",
        }
    }

    /// The runs that a mixture is started by where nothing is said: the hierarchy, then so many of k-means and
    /// as many from rows far apart, which end in other places.
    pub fn usual(restarts: u64) -> Vec<(Self, u64)> {
        let times = |start: Self| (0..restarts).map(move |run| (start, run));
        let hierarchy = std::iter::once((Self::Hierarchical, 0));
        hierarchy.chain(times(Self::KMeans)).chain(times(Self::KMeansPlusPlus)).collect()
    }

    /// Whether one run differs from another.
    pub fn is_random(self) -> bool {
        self != Self::Hierarchical
    }
}

/// What starts from one sample have in common: rows on one scale, a seed, and the hierarchy once it is needed.
#[derive(Debug)]
pub struct Starts<'a> {
    sampled: &'a Sampled,
    seed: u64,
    standard: Standard,
    hierarchy: OnceLock<Result<Hierarchy, Error>>,
}

impl<'a> Starts<'a> {
    /// Puts the rows of a sample on one scale.
    ///
    /// # Errors
    /// What the rows are refused for: none that were drawn.
    pub fn new(sampled: &'a Sampled, seed: u64) -> Result<Self, Error> {
        let (standard, hierarchy) = (Standard::of(sampled)?, OnceLock::new());
        Ok(Self { sampled, seed, standard, hierarchy })
    }

    /// The sample.
    pub fn sampled(&self) -> &'a Sampled {
        self.sampled
    }

    /// The hierarchy of the sample's rows, made when it is first asked for.
    ///
    /// # Errors
    /// What [`Hierarchy::of`] refuses.
    pub fn hierarchy(&self) -> Result<&Hierarchy, Error> {
        self.hierarchy.get_or_init(|| Hierarchy::of(self.sampled)).as_ref().map_err(Error::clone)
    }

    /// How the rows of the sample belong to components; it depends on the seed and the number of the run.
    ///
    /// # Errors
    /// [`Error::TooFewDistinct`] where there are fewer different rows than components.
    pub fn memberships(
        &self,
        components: usize,
        start: Start,
        run: u64,
        on: On<'_>,
    ) -> Result<Belonging, Error> {
        if components == 0 {
            return Err(Error::Shape { what: "components", expected: 1, found: 0 });
        }
        Ok(Belonging::Codes(match start {
            Start::KMeans => self.kmeans(components, run, on)?,
            Start::KMeansPlusPlus => self.standard.nearest(&self.far_rows(components, run)?),
            Start::RandomRows => self.standard.nearest(&self.random_rows(components, run)?),
            Start::Hierarchical => self.hierarchy()?.codes(components)?,
            Start::Random => {
                let distinct = self.standard.distinct().1.len();
                if distinct < components {
                    return Err(self.too_few(distinct, components));
                }
                return Ok(Belonging::Soft(self.random_shares(components, run)));
            }
        }))
    }

    /// The parameters that follow from the memberships of a start, by the one M-step: where EM starts.
    ///
    /// # Errors
    /// What [`Starts::memberships`] and [`start_from`] refuse.
    pub fn begin(
        &self,
        spec: &EmSpec,
        components: usize,
        start: Start,
        run: u64,
        on: On<'_>,
    ) -> Result<EmState, Error> {
        let belonging = self.memberships(components, start, run, on)?;
        start_from(spec, components, self.sampled, &belonging, on)
    }

    fn too_few(&self, distinct: usize, components: usize) -> Error {
        Error::TooFewDistinct { distinct, rows: self.sampled.seen(), components }
    }
}

/// What random numbers are for: each purpose has its own streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Sample,
    Seeding,
    Shares,
    Rows,
}

/// The stream of random numbers for a purpose and a run.
fn stream(purpose: Purpose, run: u64) -> u64 {
    // Runs are counted from 0, and nobody makes 2⁵⁶ of them.
    ((purpose as u64 + 1) << 56) | (run & (u64::MAX >> 8))
}
