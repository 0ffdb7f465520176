//! Lists the covariance families by volume, shape and orientation, with the letters of mclust.

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

/// How one part of λ D A Dᵀ goes over the classes: a letter of a family's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// E: one for all classes.
    Equal,
    /// V: one per class.
    Variable,
    /// I: the identity matrix.
    Identity,
}

/// A covariance family Σ_k = λ_k D_k A_k D_kᵀ \[M6\]: the letters say whether volume λ, shape A and
/// orientation D are equal (E) or variable (V) over the classes, or the identity (I).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Family {
    /// Spherical, shared.
    Eii,
    /// Spherical, per class.
    Vii,
    /// Diagonal, shared.
    Eei,
    /// Diagonal, one shape, a volume per class.
    Vei,
    /// Diagonal, one volume, a shape per class.
    Evi,
    /// Diagonal, per class.
    Vvi,
    /// Full, shared.
    Eee,
    /// Full, proportional: a volume per class.
    Vee,
    /// Full, one volume and orientation, a shape per class.
    Eve,
    /// Full, one orientation: common principal axes.
    Vve,
    /// Full, one volume and shape, an orientation per class.
    Eev,
    /// Full, one shape, a volume and an orientation per class.
    Vev,
    /// Full, one volume.
    Evv,
    /// Full, per class.
    Vvv,
    /// The identity matrix: nothing is estimated.
    Unit,
}

impl Family {
    /// Every family.
    pub const ALL: [Self; 15] = [
        Self::Eii,
        Self::Vii,
        Self::Eei,
        Self::Vei,
        Self::Evi,
        Self::Vvi,
        Self::Eee,
        Self::Vee,
        Self::Eve,
        Self::Vve,
        Self::Eev,
        Self::Vev,
        Self::Evv,
        Self::Vvv,
        Self::Unit,
    ];

    /// Its letters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Eii => "EII",
            Self::Vii => "VII",
            Self::Eei => "EEI",
            Self::Vei => "VEI",
            Self::Evi => "EVI",
            Self::Vvi => "VVI",
            Self::Eee => "EEE",
            Self::Vee => "VEE",
            Self::Eve => "EVE",
            Self::Vve => "VVE",
            Self::Eev => "EEV",
            Self::Vev => "VEV",
            Self::Evv => "EVV",
            Self::Vvv => "VVV",
            Self::Unit => "unit",
        }
    }

    /// Letter number `at`: 0 volume, 1 shape, 2 orientation.
    fn part(self, at: usize) -> Part {
        match self.name().as_bytes().get(at) {
            Some(b'E') => Part::Equal,
            Some(b'V') => Part::Variable,
            _ => Part::Identity,
        }
    }

    /// How the volume λ_k goes over the classes.
    pub(super) fn volume(self) -> Part {
        self.part(0)
    }

    /// How the shape A_k goes over the classes.
    pub(super) fn form(self) -> Part {
        self.part(1)
    }

    /// How the orientation D_k goes over the classes.
    pub(super) fn orientation(self) -> Part {
        self.part(2)
    }

    /// Full, diagonal or spherical.
    pub fn shape(self) -> Shape {
        match (self.form(), self.orientation()) {
            (Part::Identity, _) => Shape::Spherical,
            (_, Part::Identity) => Shape::Diagonal,
            _ => Shape::Full,
        }
    }

    /// Shared or per class.
    pub fn sharing(self) -> Sharing {
        let varies = (0..3).any(|at| self.part(at) == Part::Variable);
        if varies { Sharing::PerClass } else { Sharing::Shared }
    }

    /// Whether its axes are sought by rotation, apart from what it says of the shape.
    pub(super) fn turns(self) -> bool {
        self.shape() == Shape::Full && self.form() != self.orientation()
    }

    /// Whether it does so for all classes at once.
    pub(super) fn turns_together(self) -> bool {
        self.turns() && self.orientation() == Part::Equal
    }

    /// The family that is left when shapes become simpler, or all classes one.
    pub(super) fn simplified(self, shape: Shape, sharing: Sharing) -> Self {
        if shape >= self.shape() && (sharing == Sharing::PerClass || self.sharing() == sharing) {
            return self;
        }
        let mut letters = self.name().to_owned();
        if shape < self.shape() {
            letters.replace_range(2.., "I");
        }
        if shape == Shape::Spherical && shape < self.shape() {
            letters.replace_range(1.., "II");
        }
        if sharing == Sharing::Shared {
            letters = letters.replace('V', "E");
        }
        letters.parse().unwrap_or(self)
    }

    /// Whether class covariances are taken as they are, or summed as they are.
    pub(crate) fn is_plain(self) -> bool {
        let parts = [self.volume(), self.form(), self.orientation()];
        let only = |part: Part| parts.iter().all(|p| *p == part || *p == Part::Identity);
        self != Self::Unit && (only(Part::Equal) || only(Part::Variable))
    }

    /// Whether the estimate follows when one column is measured in another unit.
    pub fn follows_units(self) -> bool {
        self.shape() != Shape::Spherical && !self.turns()
    }

    /// Covariance parameters estimated for `classes` classes of `dim` columns \[M6\].
    pub fn covariance_parameters(self, classes: usize, dim: usize) -> usize {
        if self == Self::Unit {
            return 0;
        }
        let count = |part: Part, one: usize| match part {
            Part::Equal => one,
            Part::Variable => classes.saturating_mul(one),
            Part::Identity => 0,
        };
        let rotations = dim.saturating_mul(dim.saturating_sub(1)) / 2;
        let axes = count(self.orientation(), rotations);
        let forms = count(self.form(), dim.saturating_sub(1));
        count(self.volume(), 1).saturating_add(forms).saturating_add(axes)
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
        // nVarParams(model, d = 4, G = 3) of mclust 6, in the order of Family::ALL; unit has none.
        let counts = Family::ALL.map(|family| family.covariance_parameters(3, 4));
        assert_eq!(counts, [1, 3, 4, 6, 10, 12, 10, 12, 16, 18, 22, 24, 28, 30, 0]);
    }
}
