//! Draws the boundaries of decisions in two columns, cut to where they separate regions \[M44\].

use super::arc::{Arc, Plane, conic};
use super::canonical::Canonical;
use super::contest::{Contest, Duel};
use super::field::{Field, lead};
use super::kind::Kind;
use super::polynomial::{Quartic, product, roots};
use super::quadric::Quadric;
use super::view::View;
use crate::classify::Classifier;
use crate::error::{Error, OutlierRefusal, SoftmaxRefusal};
use crate::moments::ldexp;
use crate::scorer::Scorer;
use crate::tolerance::{ARC_SAMPLES, ASIDE, CURVE_TIE, END_STEPS, TRACE_ACCURACY};

/// A part of the plane, in raw units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// Where it begins in both columns.
    pub low: [f64; 2],
    /// Where it ends.
    pub high: [f64; 2],
}

/// Where two actions tie and no third is better, inside a window.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The actions, the lower number first.
    pub actions: (usize, usize),
    /// What the whole curve is.
    pub kind: Kind,
    /// What of it is drawn.
    pub pieces: Vec<Piece>,
    /// How far a chord of traced points may be off, as a share of the window; 0 for exact pieces.
    pub accuracy: f64,
}

/// A connected part of a curve.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// By a formula.
    Exact(Arc),
    /// By points in raw units, one after the other.
    Traced(Vec<[f64; 2]>),
}

/// A field with its actions and a window in its frame.
pub(crate) struct Scene<'a> {
    pub(crate) field: &'a Field,
    pub(crate) contest: &'a Contest,
    pub(crate) low: [f64; 2],
    pub(crate) high: [f64; 2],
    /// Actions that are taken somewhere, as far as two by two can tell.
    pub(crate) live: Vec<usize>,
}

impl Classifier {
    /// The curves between regions of different actions, pair by pair, as far as a window shows them.
    ///
    /// # Errors
    /// [`Error::NotQuadratic`] for densities whose logarithm is no quadratic function,
    /// [`SoftmaxRefusal::LeftOut`] for a projection of softmax regression, [`OutlierRefusal::Curves`], [`Error::BadWindow`], [`Error::BadColumn`], and [`Error::Shape`] for a view that does not fit.
    pub fn curves(&self, view: &View, window: &Window) -> Result<Vec<Curve>, Error> {
        for j in 0..2 {
            let (low, high) = (window.low[j], window.high[j]);
            if !(low < high && (high - low).is_finite()) {
                return Err(Error::BadWindow { low, high });
            }
        }
        if self.loss().outliers().is_some() {
            return Err(OutlierRefusal::Curves.into());
        }
        let model = self.rule()?;
        let field = match (self.model(), view) {
            // Where rows lie is not what the Gaussians say that stand in for it.
            (Scorer::Softmax(softmax), View::Slice { columns, at: None }) => {
                let at = Some(softmax.frame().origin().to_vec());
                View::Slice { columns: *columns, at }.field(&model)?
            }
            (Scorer::Softmax(_), View::Projection { .. }) => {
                return Err(SoftmaxRefusal::LeftOut.into());
            }
            _ => view.field(&model)?,
        };
        let contest = Contest::of(self.loss(), model.weights());
        let pairs: Vec<(usize, usize)> =
            (1..contest.actions()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let quadric = |&(a, b): &(usize, usize)| match contest.duel(a, b) {
            Duel::Two { first, second, shift } => field.quadric(*first, *second, *shift),
            _ => None,
        };
        let quadrics: Vec<Option<Quadric>> = pairs.iter().map(quadric).collect();
        let mut silent = vec![false; contest.actions()];
        for (&(a, b), quadric) in pairs.iter().zip(&quadrics) {
            match (contest.duel(a, b), quadric) {
                (Duel::Same | Duel::Always { first: true }, _) => silent[b] = true,
                (Duel::Always { first: false }, _) => silent[a] = true,
                (_, Some(quadric)) if quadric.kind() == Kind::Everywhere => silent[b] = true,
                _ => {}
            }
        }
        let place = |at: &[f64; 2]| [0, 1].map(|j| field.frame.place(j, at[j]));
        let scene = Scene {
            field: &field,
            contest: &contest,
            low: place(&window.low),
            high: place(&window.high),
            live: (0..contest.actions()).filter(|&a| !silent[a]).collect(),
        };
        let mut all: Vec<Curve> = Vec::new();
        let mut ends: Vec<[f64; 2]> = Vec::new();
        for (&actions, quadric) in pairs.iter().zip(&quadrics) {
            if silent[actions.0] || silent[actions.1] {
                continue;
            }
            let Some(quadric) = quadric else { continue };
            let arcs = scene.exact(actions, quadric);
            ends.extend(arcs.iter().flat_map(|arc| [arc.at(arc.from), arc.at(arc.to)]));
            if !arcs.is_empty() {
                let round = Canonical::of(quadric, &field.frame)
                    .is_some_and(|canonical| canonical.is_round(quadric.rounding));
                let kind = if round { quadric.kind().round() } else { quadric.kind() };
                let pieces = arcs.iter().map(|arc| Piece::Exact(scene.raw(arc))).collect();
                all.push(Curve { actions, kind, pieces, accuracy: 0.0 });
            }
        }
        for (actions, lines) in scene.traced(&ends) {
            let pieces = lines.into_iter().map(Piece::Traced).collect();
            let (kind, accuracy) = (Kind::NotAQuadric, TRACE_ACCURACY);
            all.push(Curve { actions, kind, pieces, accuracy });
        }
        all.sort_by_key(|curve| curve.actions);
        Ok(all)
    }
}

impl Scene<'_> {
    /// An arc of the frame in raw units.
    fn raw(&self, arc: &Arc) -> Arc {
        let (origin, exponent) = (self.field.frame.origin(), self.field.frame.exponent());
        let numerator = [0, 1].map(|j| arc.numerator[j].map(|x| ldexp(x, exponent[j])));
        Arc { origin: [origin[0], origin[1]], numerator, ..*arc }
    }

    /// What of a conic lies in the window and separates its two actions.
    fn exact(&self, actions: (usize, usize), quadric: &Quadric) -> Vec<Arc> {
        let [l, h] = [self.low, self.high];
        let corners = [[l[0], l[1]], [l[0], h[1]], [h[0], l[1]], [h[0], h[1]]];
        let plane = Plane::of(quadric, &corners);
        let mut clipped: Vec<Arc> = Vec::new();
        for whole in conic(&plane) {
            for piece in self.inside(&whole) {
                if plane.is_stiff() {
                    let drawn = [piece.from != whole.from, piece.to != whole.to];
                    clipped.extend(self.inside(&plane.about_middle(&piece, drawn)));
                } else {
                    clipped.push(piece);
                }
            }
        }
        clipped.iter().flat_map(|arc| self.active(actions, quadric, arc)).collect()
    }

    /// The parts of an arc inside the window.
    fn inside(&self, arc: &Arc) -> Vec<Arc> {
        let mut cuts = Vec::new();
        for j in 0..2 {
            cuts.extend(arc.crossings(j, self.low[j]));
            cuts.extend(arc.crossings(j, self.high[j]));
        }
        parts(arc, cuts, |middle| self.shows(&arc.at(middle)))
    }

    pub(crate) fn shows(&self, u: &[f64; 2]) -> bool {
        (0..2).all(|j| self.low[j] <= u[j] && u[j] <= self.high[j])
    }

    /// The parts of an arc on which no third action is better than the two that tie.
    fn active(&self, (a, b): (usize, usize), quadric: &Quadric, arc: &Arc) -> Vec<Arc> {
        let mut scores: Vec<Option<Quartic>> = vec![None; self.field.components.len()];
        let below = product(&arc.denominator, &arc.denominator);
        let mut cuts = Vec::new();
        let thirds: Vec<usize> = self.live.iter().copied().filter(|&c| c != a && c != b).collect();
        for &c in &thirds {
            match self.contest.duel(a.min(c), a.max(c)) {
                Duel::Two { first, second, shift } => {
                    let mut score = |k: usize| {
                        *scores[k].get_or_insert_with(|| arc.score(&self.field.components[k]))
                    };
                    let (plus, minus) = (score(*first), score(*second));
                    let gap: Vec<f64> =
                        (0..5).map(|i| plus[i] - minus[i] + shift * below[i]).collect();
                    cuts.extend(roots(&gap, arc.from, arc.to));
                }
                Duel::Many(_) => self.sampled((a, c), arc, &mut cuts),
                _ => {}
            }
        }
        parts(arc, cuts, |middle| self.separates((a, b), &thirds, quadric, arc.at(middle)))
    }

    /// Arguments at which one action becomes better than another, looked for from point to point.
    fn sampled(&self, (a, c): (usize, usize), arc: &Arc, cuts: &mut Vec<f64>) {
        let mut scores = Vec::new();
        let mut lead_at = |u: f64| {
            self.field.scores(&arc.at(u), &mut scores);
            lead(self.contest, a, c, &scores)
        };
        let point = |i: usize| arc.argument(i as f64 / ARC_SAMPLES as f64);
        let mut all: Vec<(f64, f64)> =
            (0..=ARC_SAMPLES).map(point).map(|u| (u, lead_at(u))).collect();
        // Between points of one sign that lean toward zero the other sign may hide.
        for i in (1..ARC_SAMPLES).rev() {
            let (left, here, right) = (all[i - 1], all[i], all[i + 1]);
            let sign = here.1.signum();
            if sign * left.1 > sign * here.1
                && sign * right.1 >= sign * here.1
                && sign * here.1 > 0.0
            {
                let (mut low, mut high) = (left.0, right.0);
                for _ in 0..END_STEPS {
                    let (one, two) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                    if sign * lead_at(one) < sign * lead_at(two) { high = two } else { low = one }
                }
                let turn = 0.5 * (low + high);
                let hidden = (turn, lead_at(turn));
                if sign * hidden.1 < 0.0 {
                    let place = if turn < here.0 { i } else { i + 1 };
                    all.insert(place, hidden);
                }
            }
        }
        for pair in all.windows(2).filter(|pair| (pair[0].1 >= 0.0) != (pair[1].1 >= 0.0)) {
            let (mut low, mut high) = (pair[0].0, pair[1].0);
            for _ in 0..END_STEPS {
                let middle = 0.5 * (low + high);
                let same = (lead_at(middle) >= 0.0) == (pair[0].1 >= 0.0);
                *(if same { &mut low } else { &mut high }) = middle;
            }
            cuts.push(0.5 * (low + high));
        }
    }

    /// Whether at a point of their curve two actions are the best two.
    fn separates(
        &self,
        (a, b): (usize, usize),
        thirds: &[usize],
        quadric: &Quadric,
        at: [f64; 2],
    ) -> bool {
        let mut scores = Vec::new();
        self.field.scores(&at, &mut scores);
        let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let tie = CURVE_TIE * (1.0 + top.abs());
        let mut least = f64::INFINITY;
        for &c in thirds {
            for own in [a, b] {
                least = least.min(lead(self.contest, own, c, &scores));
            }
        }
        if least.abs() > tie || least == f64::INFINITY {
            return least > 0.0;
        }
        // A third action ties all along: it matters who is best on either side.
        let y = quadric.coordinates(&at);
        let mut slope = [0.0; 2];
        for (k, dual) in quadric.duals.chunks_exact(2).enumerate() {
            let steep = 2.0 * quadric.w[k] * y[k] + quadric.b[k];
            (0..2).for_each(|j| slope[j] += steep * dual[j]);
        }
        let size = [0, 1].map(|j| self.high[j] - self.low[j]);
        let steepest = (slope[0] * size[0]).hypot(slope[1] * size[1]);
        let mut best = |side: f64| {
            let step = |j: usize| side * ASIDE * size[j] * (slope[j] * size[j] / steepest);
            self.field.scores(&[at[0] + step(0), at[1] + step(1)], &mut scores);
            self.best(&scores)
        };
        (best(1.0), best(-1.0)) == (Some(a), Some(b))
    }

    /// The best of the actions that are taken somewhere.
    pub(crate) fn best(&self, scores: &[f64]) -> Option<usize> {
        let better = |best: usize, other: &usize| {
            if lead(self.contest, *other, best, scores) > 0.0 { *other } else { best }
        };
        let (first, rest) = self.live.split_first()?;
        Some(rest.iter().fold(*first, better))
    }
}

/// The parts of an arc between cuts whose middle is wanted, neighbours joined.
fn parts(arc: &Arc, mut cuts: Vec<f64>, mut wanted: impl FnMut(f64) -> bool) -> Vec<Arc> {
    if arc.from == arc.to {
        return if wanted(arc.from) { vec![*arc] } else { Vec::new() };
    }
    cuts.retain(|u| arc.from < *u && *u < arc.to);
    cuts.extend([arc.from, arc.to]);
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let mut all: Vec<Arc> = Vec::new();
    for pair in cuts.windows(2) {
        let part = arc.between(pair[0], pair[1]);
        if !wanted(part.argument(0.5)) {
            continue;
        }
        match all.last_mut() {
            Some(last) if last.to == part.from => last.to = part.to,
            _ => all.push(part),
        }
    }
    all
}
