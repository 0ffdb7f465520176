//! Lists the covariance families by shape and sharing, with the letters of mclust.

use std::fmt;
use std::str::FromStr;

use crate::moments::Shape;

/// Whether classes have a covariance of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// One for all classes.
    Shared,
    /// One per class.
    PerClass,
}

/// A covariance family: volume, shape and orientation equal (E), variable (V) or identity (I).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Family {
    /// Full, per class.
    Vvv,
    /// Full, shared.
    Eee,
    /// Diagonal, per class.
    Vvi,
    /// Diagonal, shared.
    Eei,
    /// Spherical, per class.
    Vii,
    /// Spherical, shared.
    Eii,
    /// The identity matrix: nothing is estimated.
    Unit,
}

impl Family {
    /// Every family.
    pub const ALL: [Self; 7] =
        [Self::Vvv, Self::Eee, Self::Vvi, Self::Eei, Self::Vii, Self::Eii, Self::Unit];

    /// Its letters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vvv => "VVV",
            Self::Eee => "EEE",
            Self::Vvi => "VVI",
            Self::Eei => "EEI",
            Self::Vii => "VII",
            Self::Eii => "EII",
            Self::Unit => "unit",
        }
    }

    /// Full, diagonal or spherical.
    pub fn shape(self) -> Shape {
        match self {
            Self::Vvv | Self::Eee => Shape::Full,
            Self::Vvi | Self::Eei => Shape::Diagonal,
            Self::Vii | Self::Eii | Self::Unit => Shape::Spherical,
        }
    }

    /// Shared or per class.
    pub fn sharing(self) -> Sharing {
        match self {
            Self::Vvv | Self::Vvi | Self::Vii => Sharing::PerClass,
            Self::Eee | Self::Eei | Self::Eii | Self::Unit => Sharing::Shared,
        }
    }

    /// Covariance parameters estimated for `classes` classes of `dim` columns \[M6\].
    pub fn covariance_parameters(self, classes: usize, dim: usize) -> usize {
        if self == Self::Unit {
            return 0;
        }
        let one = self.shape().len(dim).unwrap_or(usize::MAX);
        match self.sharing() {
            Sharing::Shared => one,
            Sharing::PerClass => classes.saturating_mul(one),
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Family {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|family| family.name().eq_ignore_ascii_case(text)).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_counts_are_those_of_mclust() {
        // G = 3, d = 4, from nVarParams of mclust: VVV 30, EEE 10, VVI 12, EEI 4, VII 3, EII 1.
        let counts = Family::ALL.map(|family| family.covariance_parameters(3, 4));
        assert_eq!(counts, [30, 10, 12, 4, 3, 1, 0]);
    }
}
