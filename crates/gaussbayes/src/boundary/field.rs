//! Holds the components of a model, or of a view of it, and compares actions by their scores.

use super::component::Component;
use super::contest::{Contest, Duel, Voice};
use super::quadric::{Pair, Quadric};
use crate::error::Error;
use crate::mixture::{Covariances, Mixture};
use crate::moments::{Frame, ldexp};
use crate::posterior::log_sum_exp;

/// Components in a frame.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) frame: Frame,
    pub(crate) components: Vec<Component>,
    pub(crate) shared: bool,
}

impl Field {
    /// All columns of a mixture.
    ///
    /// # Errors
    /// [`Error::NotQuadratic`].
    pub(crate) fn of(mixture: &Mixture) -> Result<Self, Error> {
        let all = (0..mixture.components()).map(|k| Component::of(mixture, k));
        let components: Option<Vec<Component>> = all.collect();
        let components = components.ok_or(Error::NotQuadratic)?;
        let shared =
            mixture.laws().is_none() && matches!(mixture.covariances(), Covariances::Shared(_));
        Ok(Self { frame: mixture.frame().clone(), components, shared })
    }

    /// The quadric that is positive where `first + shift > second`.
    pub(crate) fn quadric(&self, first: usize, second: usize, shift: f64) -> Option<Quadric> {
        // Always whitened by the same of the two, so that a pair and its reverse agree to the bit.
        let (low, high) = (first.min(second), first.max(second));
        let turn = first > second;
        let pair = Pair {
            first: &self.components[low],
            second: &self.components[high],
            gain: if turn { -shift } else { shift },
            shared: self.shared,
        };
        let columns = self.frame.origin().iter().zip(self.frame.exponent());
        let noise: Vec<f64> =
            columns.map(|(o, e)| ldexp(2.0 * f64::EPSILON * o.abs(), -e)).collect();
        let found = Quadric::of(&pair, &noise)?;
        Some(if turn { found.negated() } else { found })
    }

    /// Scores of all components at a framed point; none of those without weight is asked for.
    pub(crate) fn scores(&self, u: &[f64; 2], out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.components.iter().map(|component| component.score(u)));
    }

    /// Score of each component along a line, as coefficients of s², s and 1.
    pub(crate) fn along(&self, point: [f64; 2], step: [f64; 2]) -> Vec<[f64; 3]> {
        let line = |component: &Component| {
            let mut all = [0.0, 0.0, component.log];
            for row in component.whiten.chunks_exact(2) {
                let slope = row[0] * step[0] + row[1] * step[1];
                let start = row[0] * (point[0] - component.mean[0])
                    + row[1] * (point[1] - component.mean[1]);
                all[0] -= 0.5 * slope * slope;
                all[1] -= slope * start;
                all[2] -= 0.5 * start * start;
            }
            all
        };
        self.components.iter().map(line).collect()
    }
}

/// How much better action `a` is than `b`, in logs: positive where it is, 0 where they always tie.
pub(crate) fn lead(contest: &Contest, a: usize, b: usize, scores: &[f64]) -> f64 {
    if a == b {
        return 0.0;
    }
    let ahead = match contest.duel(a.min(b), a.max(b)) {
        Duel::Same => 0.0,
        Duel::Always { first: true } => f64::INFINITY,
        Duel::Always { first: false } => f64::NEG_INFINITY,
        Duel::Two { first, second, shift } => scores[*first] - scores[*second] + shift,
        Duel::Many(voices) => side(voices, scores, true) - side(voices, scores, false),
    };
    if a < b { ahead } else { -ahead }
}

/// ln Σ e^{score + gain} of the components for, or against, the first action.
pub(super) fn side(voices: &[Voice], scores: &[f64], first: bool) -> f64 {
    let own = voices.iter().filter(|voice| voice.for_first == first);
    log_sum_exp(&own.map(|v| scores[v.component] + v.log_gain).collect::<Vec<f64>>())
}
