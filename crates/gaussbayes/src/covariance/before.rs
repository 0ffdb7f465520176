//! Says what an earlier estimate tells of the next: where searches begin.

use super::axes::Axes;
use super::estimate::Job;
use super::family::Part;
use super::structure::volume;
use crate::mixture::Mixture;
use crate::moments::{Shape, Spread, ldexp};

/// What an estimate goes on from, where there is an earlier one of nearly the same.
#[derive(Default)]
pub(super) struct Before {
    /// The axes of all classes.
    pub(super) axes: Option<Axes>,
    /// The volume of each class, in one unit.
    pub(super) volumes: Option<Vec<f64>>,
}

impl Job<'_> {
    /// What the earlier estimate says of this one.
    pub(super) fn before(&self) -> Before {
        let Some(previous) = self.previous else { return Before::default() };
        let (family, classes) = (self.spec.family, 0..previous.components());
        let axes = family.turns_together().then(|| self.axes_of(previous)).flatten();
        let varies = family.volume() == Part::Variable && family.form() == Part::Equal;
        let of = |k: usize| volume(previous.covariances().get(k));
        Before { axes, volumes: varies.then(|| classes.map(of).collect()) }
    }

    /// The axes of an earlier estimate, in the units of this one.
    fn axes_of(&self, previous: &Mixture) -> Option<Axes> {
        let (from, to) = (previous.frame().exponent(), self.frame.exponent());
        let scale = |j: usize| self.scale.map_or(1.0, |scale| 1.0 / scale[j]);
        let unit: Vec<f64> =
            (0..to.len()).map(|j| ldexp(1.0, from[j] - to[j]) * scale(j)).collect();
        let values = previous.covariances().get(0).triangle();
        Axes::of(&Spread { shape: Shape::Full, dim: to.len(), values }.rescaled(&unit))
    }
}
