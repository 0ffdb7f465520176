//! Says what the boundary between two actions is: its quadric, its kind, its canonical form \[M40\].

mod arc;
mod canonical;
mod component;
mod contest;
mod curves;
mod field;
mod islands;
mod kind;
mod line;
mod polynomial;
mod quadric;
mod regions;
mod sums;
mod trace;
mod view;

pub use arc::Arc;
pub use canonical::Canonical;
pub(crate) use component::Component;
pub(crate) use contest::{Contest, Duel};
pub use curves::{Curve, Piece, Window};
pub use kind::{Base, Kind};
pub(crate) use line::{Line, Room};
pub use quadric::Hyperplane;
pub use regions::Region;
pub use view::View;

use crate::classify::Classifier;
use crate::decide::Action;
use crate::error::Error;
use crate::mixture::Quadratic;

use field::Field;
use quadric::Quadric;

/// Where two actions tie.
#[derive(Debug, Clone, PartialEq)]
pub struct Boundary {
    /// The two actions, as numbers into the loss's actions.
    pub actions: (usize, usize),
    /// What it is.
    pub kind: Kind,
    /// A function that is positive where the first action is better; none where the costs alone decide
    /// and where it is not a quadric.
    pub quadric: Option<Quadratic>,
    /// Centre, axes and semi-axes, where there are squares.
    pub canonical: Option<Canonical>,
    /// Normal and point, where it is a line, a hyperplane or a threshold.
    pub plane: Option<Hyperplane>,
    /// Where it lies in the only column of a model of one, in ascending order.
    pub thresholds: Vec<f64>,
    /// The better action at minus infinity of the only column, or everywhere where no row ties.
    pub better: Option<usize>,
}

impl Boundary {
    fn bare(actions: (usize, usize), kind: Kind) -> Self {
        Self {
            actions,
            kind,
            quadric: None,
            canonical: None,
            plane: None,
            thresholds: Vec::new(),
            better: None,
        }
    }

    /// Of actions a < b.
    fn of(field: &Field, contest: &Contest, (a, b): (usize, usize)) -> Result<Self, Error> {
        let actions = (a, b);
        let (first, second, shift) = match contest.duel(a, b) {
            Duel::Same => return Ok(Self::bare(actions, Kind::Everywhere)),
            Duel::Many(_) => return Ok(Self::bare(actions, Kind::NotAQuadric)),
            Duel::Always { first } => {
                let better = Some(if *first { a } else { b });
                return Ok(Self { better, ..Self::bare(actions, Kind::Empty) });
            }
            Duel::Two { first, second, shift } => (*first, *second, *shift),
        };
        let quadric = field.quadric(first, second, shift).ok_or(Error::NotQuadratic)?;
        let frame = &field.frame;
        let canonical = Canonical::of(&quadric, frame);
        let mut kind = quadric.kind();
        if canonical.as_ref().is_some_and(|c| c.is_round(quadric.rounding)) {
            kind = kind.round();
        }
        let thresholds = if quadric.dim() == 1 { quadric.thresholds(frame) } else { Vec::new() };
        Ok(Self {
            better: better(&quadric, kind).map(|first| if first { a } else { b }),
            quadric: Some(quadric.quadratic(frame)),
            canonical,
            plane: quadric.hyperplane(frame),
            thresholds,
            ..Self::bare(actions, kind)
        })
    }

    /// The same with the actions exchanged.
    fn reversed(mut self) -> Self {
        self.actions = (self.actions.1, self.actions.0);
        self.quadric = self.quadric.map(Quadratic::negated);
        self.canonical = self.canonical.map(Canonical::negated);
        if let Some(plane) = &mut self.plane {
            plane.normal.iter_mut().for_each(|w| *w = 0.0 - *w);
        }
        self
    }
}

/// Whether the function is positive, where that has one answer.
fn better(quadric: &Quadric, kind: Kind) -> Option<bool> {
    let square = quadric.w.iter().copied().find(|w| *w != 0.0);
    match kind {
        Kind::Everywhere => None,
        Kind::Empty => Some(square.unwrap_or(quadric.c) > 0.0),
        _ if quadric.dim() > 1 => None,
        _ => Some(square.map_or(quadric.slope()[0] < 0.0, |w| w > 0.0)),
    }
}

impl Classifier {
    /// What the boundary between two actions is \[M40\].
    ///
    /// # Errors
    /// [`Error::UnknownAction`] for a number that is none of the loss's actions,
    /// [`Error::NotQuadratic`] for densities whose logarithm is no quadratic function.
    pub fn boundary(&self, a: usize, b: usize) -> Result<Boundary, Error> {
        let actions = self.loss().actions().len();
        if let Some(&action) = [a, b].iter().find(|action| **action >= actions) {
            return Err(Error::UnknownAction { action, actions });
        }
        let model = self.rule()?;
        let field = Field::of(&model)?;
        if a == b {
            return Ok(Boundary::bare((a, b), Kind::Everywhere));
        }
        let reject = |action: usize| self.loss().actions()[action] == Action::Reject;
        if self.loss().outliers().is_some() && (reject(a) || reject(b)) {
            // A level of the density of all classes together.
            return Ok(Boundary::bare((a, b), Kind::NotAQuadric));
        }
        let contest = Contest::of(self.loss(), model.weights());
        let found = Boundary::of(&field, &contest, (a.min(b), a.max(b)))?;
        Ok(if a < b { found } else { found.reversed() })
    }
}
