//! Says what is made of rows that no Gaussian explains.

mod extent;
mod student;

use crate::error::{Error, OutlierRefusal};
use crate::mixture::{Law, Mixture};
use crate::tolerance::{FREEDOM_LEAST, FREEDOM_MOST};

pub(super) use student::Tails;

/// What is made of rows that no Gaussian explains.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Outliers {
    /// Nothing: every row belongs to the Gaussians.
    #[default]
    Ignored,
    /// They are noise, anywhere in a box \[M66\].
    Noise,
    /// They are in the tails of Student densities, and count the less the farther they are \[M68\].
    Student(Freedom),
}

/// Degrees of freedom of Student densities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Freedom {
    /// These.
    Fixed(f64),
    /// Estimated, the same for every component.
    Common,
    /// Estimated for each component.
    Each,
}

impl Outliers {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ignored => "ignored",
            Self::Noise => "noise",
            Self::Student(_) => "student",
        }
    }

    /// What a family may not take, in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Ignored => "rows apart",
            Self::Noise => "noise",
            Self::Student(_) => "Student densities",
        }
    }

    /// Parameters it adds to those of so many components: the share and the volume of noise, as mclust counts
    /// them, or degrees of freedom.
    pub(super) fn parameters(self, components: usize) -> usize {
        match self {
            Self::Ignored | Self::Student(Freedom::Fixed(_)) => 0,
            Self::Noise => 2,
            Self::Student(Freedom::Common) => 1,
            Self::Student(Freedom::Each) => components,
        }
    }

    /// A mixture with the densities for it, and nothing else: those it has, or the first.
    pub(super) fn readied(self, mut mixture: Mixture) -> Result<Mixture, Error> {
        if !self.fits(&mixture) {
            mixture = mixture.gaussian();
            if let Self::Student(freedom) = self {
                let (components, dim) = (mixture.components(), mixture.dim());
                mixture = mixture.with_laws(freedom.first(components, dim))?;
            }
        }
        if self == Self::Noise { Ok(mixture) } else { mixture.with_noise(None) }
    }

    /// Whether a mixture has the densities for it.
    pub(super) fn fits(self, mixture: &Mixture) -> bool {
        let (dim, laws) = (mixture.dim(), mixture.laws());
        let student = |law: &Law| law.is_student(dim);
        match self {
            Self::Ignored | Self::Noise => laws.is_none(),
            Self::Student(freedom) => laws.is_some_and(|laws| match freedom {
                Freedom::Fixed(value) => {
                    laws.iter().all(|law| student(law) && law.freedom() == Some(value))
                }
                Freedom::Common => student(&laws[0]) && laws.iter().all(|law| *law == laws[0]),
                Freedom::Each => laws.iter().all(student),
            }),
        }
    }

    /// # Errors
    /// [`OutlierRefusal::Freedom`].
    pub(super) fn check(self) -> Result<(), Error> {
        match self {
            Self::Student(Freedom::Fixed(value))
                if !(FREEDOM_LEAST..=FREEDOM_MOST).contains(&value) =>
            {
                let (least, most) = (FREEDOM_LEAST, FREEDOM_MOST);
                Err(OutlierRefusal::Freedom { value, least, most }.into())
            }
            _ => Ok(()),
        }
    }
}
