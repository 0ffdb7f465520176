//! Starts EM: memberships of the rows of a sample, and the first parameters that follow from them.

mod belonging;
mod columns;
mod hierarchy;
mod kmeans;
mod merging;
mod neighbours;
mod random;
mod restarts;
mod sample;
mod seeding;

pub(super) use belonging::first_moments;
pub use belonging::{Belonging, labels_of, start_from, start_labelled, start_within};
pub use hierarchy::Hierarchy;
pub use restarts::Restarts;
pub(super) use restarts::by_rank;
pub use sample::Sampled;

use std::borrow::Cow;
use std::sync::OnceLock;

use super::{EmSpec, EmState, Outliers};
use crate::data::{NO_LABEL, Source};
use crate::error::{Error, OutlierRefusal};
use crate::mixture::Extent;
use crate::sweep::On;
use columns::Standard;
use kmeans::Found;
use neighbours::Guess;

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

/// What starts from one sample have in common: rows on one scale, a seed, and the hierarchy and clusters once they are
/// needed.
#[derive(Debug)]
pub struct Starts<'a> {
    sampled: Cow<'a, Sampled>,
    seed: u64,
    standard: Standard,
    hierarchy: OnceLock<Result<Hierarchy, Error>>,
    found: Found,
    clean: Option<Box<Clean>>,
}

/// Starts from rows that are no outliers at first sight \[M67\], and the box of noise where there is any.
#[derive(Debug)]
struct Clean {
    starts: Starts<'static>,
    guess: Guess,
    extent: Option<Extent>,
}

impl<'a> Starts<'a> {
    /// Puts the rows of a sample on one scale.
    ///
    /// # Errors
    /// What the rows are refused for: none that were drawn.
    pub fn new(sampled: &'a Sampled, seed: u64) -> Result<Self, Error> {
        let standard = Standard::of(sampled)?;
        let (sampled, hierarchy, clean) = (Cow::Borrowed(sampled), OnceLock::new(), None);
        Ok(Self { sampled, seed, standard, hierarchy, found: Found::default(), clean })
    }

    /// The same for a specification: rows that look like outliers start no component where something is made of
    /// them, and the box of noise is measured over all rows of the source.
    ///
    /// # Errors
    /// As for [`Starts::new`]; what [`Extent::of`] refuses.
    pub fn of<S: Source>(
        spec: &EmSpec,
        sampled: &'a Sampled,
        seed: u64,
        source: &mut S,
        on: On<'_>,
    ) -> Result<Self, S::Error> {
        let starts = Self::new(sampled, seed)?;
        Ok(match spec.outliers {
            Outliers::Ignored => starts,
            Outliers::Noise => starts.cleaned(Some(Extent::of(source, on)?))?,
            Outliers::Student(_) => starts.cleaned(None)?,
        })
    }

    /// The same from rows that are no outliers at first sight, with noise where there is a box for it.
    ///
    /// # Errors
    /// As for [`Starts::new`].
    pub fn cleaned(mut self, extent: Option<Extent>) -> Result<Self, Error> {
        let guess = Guess::of(&self.sampled)?;
        let rows = self.sampled.picked(&guess.clean);
        let (standard, hierarchy) = (Standard::of(&rows)?, OnceLock::new());
        let (sampled, seed) = (Cow::Owned(rows), self.seed);
        let found = Found::default();
        let starts = Starts { sampled, seed, standard, hierarchy, found, clean: None };
        self.clean = Some(Box::new(Clean { starts, guess, extent }));
        Ok(self)
    }

    /// The sample.
    pub fn sampled(&self) -> &Sampled {
        &self.sampled
    }

    /// The box of noise, where there is any.
    pub fn extent(&self) -> Option<&Extent> {
        self.clean.as_ref().and_then(|clean| clean.extent.as_ref())
    }

    /// The hierarchy of the sample's rows, made when it is first asked for.
    ///
    /// # Errors
    /// What [`Hierarchy::of`] refuses.
    pub fn hierarchy(&self) -> Result<&Hierarchy, Error> {
        self.hierarchy.get_or_init(|| Hierarchy::of(&self.sampled)).as_ref().map_err(Error::clone)
    }

    /// How the rows of the sample belong to components; it depends on the seed and the number of the run.
    /// Rows that look like outliers belong to noise, where there is any, or to none, as do those that were not
    /// looked at.
    ///
    /// # Errors
    /// [`Error::TooFewDistinct`] where there are fewer different rows than components, and
    /// [`OutlierRefusal::TooFewDistinct`] where others look like outliers.
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
        if let Some(clean) = &self.clean {
            let inner = clean.starts.memberships(components, start, run, on);
            let inner = inner.map_err(|error| clean.guess.refused(error))?;
            let noise = clean.extent.is_some();
            return Ok(clean.guess.spread(&inner, components, noise, self.sampled.rows()));
        }
        self.among_all(components, start, run, on)
    }

    /// The same where outliers count as other rows do.
    fn among_all(
        &self,
        components: usize,
        start: Start,
        run: u64,
        on: On<'_>,
    ) -> Result<Belonging, Error> {
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
        match self.extent() {
            Some(extent) => start_within(spec, components, &self.sampled, &belonging, extent, on),
            None => start_from(spec, components, &self.sampled, &belonging, on),
        }
    }

    fn too_few(&self, distinct: usize, components: usize) -> Error {
        Error::TooFewDistinct { distinct, rows: self.sampled.seen(), components }
    }
}

impl Guess {
    /// Why clean rows start nothing: others there are, but they were set aside.
    fn refused(&self, error: Error) -> Error {
        match error {
            Error::TooFewDistinct { distinct, components, .. } if !self.noise.is_empty() => {
                let apart = self.noise.len();
                OutlierRefusal::TooFewDistinct { distinct, apart, components }.into()
            }
            error => error,
        }
    }

    /// Memberships of all rows of a sample, noise the last, where those of the clean rows are known.
    fn spread(&self, clean: &Belonging, components: usize, noise: bool, rows: usize) -> Belonging {
        match clean {
            Belonging::Codes(inner) => {
                let mut codes = vec![NO_LABEL; rows];
                self.clean.iter().zip(inner).for_each(|(&place, &code)| codes[place] = code);
                if noise {
                    self.noise.iter().for_each(|&place| codes[place] = components as u32);
                }
                Belonging::Codes(codes)
            }
            Belonging::Soft(inner) => {
                let columns = components + usize::from(noise);
                let mut shares = vec![0.0; rows * columns];
                for (&place, row) in self.clean.iter().zip(inner.chunks_exact(components)) {
                    shares[place * columns..][..components].copy_from_slice(row);
                }
                if noise {
                    self.noise.iter().for_each(|&at| shares[at * columns + components] = 1.0);
                }
                Belonging::Soft(shares)
            }
        }
    }
}

/// What random numbers are for: each purpose has its own streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Sample,
    Seeding,
    Shares,
    Rows,
    Bootstrap,
}

/// The stream of random numbers for a purpose and a run.
pub(super) fn stream(purpose: Purpose, run: u64) -> u64 {
    // Runs are counted from 0, and nobody makes 2⁵⁶ of them.
    ((purpose as u64 + 1) << 56) | (run & (u64::MAX >> 8))
}
