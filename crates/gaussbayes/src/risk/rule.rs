//! Writes the scores of a rule as functions of what one Gaussian of the truth draws \[M47\].

use super::truth::Truth;
use super::{Form, refused};
use crate::boundary::Component;
use crate::covariance::norm_sq;
use crate::error::{Error, RiskRefusal};
use crate::linalg::{dot, eigen};
use crate::mixture::Mixture;
use crate::tolerance::NEARLY_EQUAL;

/// A rule as one Gaussian of the truth sees it: x = m_t + R z, z standard normal of `dim` columns.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) dim: usize,
    /// One per component of the rule; those that decide nothing are zero.
    pub(super) scores: Vec<Score>,
    /// Whether the quadratic part is the same for all, and left out.
    pub(super) linear: bool,
    /// The components that decide something.
    pub(super) relevant: Vec<usize>,
    /// Relative rounding of slopes and bends: that of covariances, times what their correlations make of it.
    pub(super) rounding: f64,
}

/// q(z) = constant + slopeᵀz − ½‖A z‖².
#[derive(Debug, Clone, Default)]
pub(super) struct Score {
    pub(super) constant: f64,
    /// Sum of the sizes of what the constant is a sum of.
    pub(super) size: f64,
    pub(super) slope: Vec<f64>,
    /// The columns of A, one after the other; empty where it is left out.
    pub(super) columns: Vec<f64>,
}

impl Seen {
    /// The rule seen from component `t` of the truth; only `relevant` components count.
    pub(super) fn new(
        rule: &Mixture,
        truth: &Truth<'_>,
        t: usize,
        relevant: &[usize],
    ) -> Result<Self, Error> {
        let root = truth.root(t);
        let dim = root.len() / rule.dim();
        let mut seen = Self {
            dim,
            scores: vec![Score { slope: vec![0.0; dim], ..Score::default() }; rule.components()],
            linear: same_covariance(rule, relevant),
            relevant: relevant.to_vec(),
            rounding: rounding(rule, relevant),
        };
        let Some(&first) = relevant.first() else { return Ok(seen) };
        let constants = relevant.iter().map(|&k| rule.scaled(k));
        let Some(constants) = constants.collect::<Option<Vec<(f64, f64)>>>() else {
            return refused(RiskRefusal::NotQuadratic);
        };
        if seen.linear {
            seen.set_linear(rule, truth.mean(t), &root, constants[0].0, first);
        } else {
            // What all have in common goes: of classes that hardly differ the constants are small then.
            let own = relevant.iter().copied().find(|&k| truth.has_covariance(t, rule, k));
            let weight = |k: usize| rule.weights()[k].ln() + rule.scaled(k).map_or(0.0, |(_, o)| o);
            let (own_weight, own_norm) = own.map_or((0.0, 0.0), |k| (weight(k), rule.log_norm(k)));
            let own_weight = if own_weight.is_finite() { own_weight } else { 0.0 };
            for (&k, (factor, _)) in relevant.iter().zip(constants) {
                let same = truth.has_covariance(t, rule, k);
                let mut score = own_score(rule, truth.mean(t), &root, k, same, factor);
                let near = own.is_some() && factor == 1.0 && same_rank(rule, k);
                let close = if near { half_log_det(&score.columns, dim) } else { None };
                let far = || (rule.log_norm(k) - own_norm, rule.log_norm(k).abs() + own_norm.abs());
                let (norm, size) = close.map_or_else(far, |half| (half, half.abs()));
                let relative = weight(k) - own_weight;
                score.size += size + if relative.is_finite() { relative.abs() } else { 0.0 };
                score.constant += relative + norm;
                seen.scores[k] = score;
            }
        }
        let finite = |score: &Score| {
            let values = score.slope.iter().chain(&score.columns).chain([&score.constant]);
            values.into_iter().all(|value| value.is_finite())
        };
        if !seen.scores.iter().all(finite) {
            return refused(RiskRefusal::OutOfRange);
        }
        Ok(seen)
    }

    /// Scores under one covariance, as differences to the nearest component: nothing cancels.
    fn set_linear(
        &mut self,
        rule: &Mixture,
        mean: &[f64],
        root: &[f64],
        factor: f64,
        first: usize,
    ) {
        let covariance = rule.covariances().get(first).bounded();
        let whitened = |a: &[f64], b: &[f64]| {
            let mut z: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
            covariance.whiten_rows(&mut z);
            z
        };
        let mut columns = root.to_vec();
        covariance.whiten_rows(&mut columns);
        let distance = |k: usize| norm_sq(&whitened(mean, rule.mean(k)));
        let nearest = self.relevant.iter().copied();
        let nearest = nearest.min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or(first);
        let from_nearest = whitened(mean, rule.mean(nearest));
        let offset = |k: usize| rule.scaled(k).map_or(0.0, |(_, offset)| offset);
        let log_weight = |k: usize| rule.weights()[k].ln() + offset(k);
        let scores = self.relevant.iter().map(|&k| {
            let off = whitened(rule.mean(k), rule.mean(nearest));
            let along = off.iter().zip(&from_nearest).map(|(o, y)| o * (y - 0.5 * o));
            let slope = columns.chunks_exact(rule.dim()).map(|column| factor * dot(column, &off));
            let constant = factor * along.sum::<f64>() + (log_weight(k) - log_weight(nearest));
            let size =
                constant.abs() + factor * norm_sq(&off).sqrt() * norm_sq(&from_nearest).sqrt();
            Score { constant, size, slope: slope.collect(), columns: Vec::new() }
        });
        let scores: Vec<Score> = scores.collect();
        for (&k, score) in self.relevant.iter().zip(scores) {
            self.scores[k] = score;
        }
    }

    /// The scores along z = s u: one `[a, b, c]` per component.
    pub(super) fn along(&self, u: &[f64], into: &mut [[f64; 3]], room: &mut Vec<f64>) {
        for &k in &self.relevant {
            let score = &self.scores[k];
            let mut bend = 0.0;
            if !score.columns.is_empty() {
                let length = score.columns.len() / self.dim;
                room.clear();
                room.resize(length, 0.0);
                for (column, u) in score.columns.chunks_exact(length).zip(u) {
                    room.iter_mut().zip(column).for_each(|(sum, a)| *sum += a * u);
                }
                bend = -0.5 * norm_sq(room);
            }
            into[k] = [bend, dot(&score.slope, u), score.constant];
        }
    }

    /// q_j − q_i as a quadratic form of a standard normal vector \[M36\].
    pub(super) fn form(&self, i: usize, j: usize) -> Result<Form, Error> {
        let (one, other) = (&self.scores[i], &self.scores[j]);
        let slope: Vec<f64> = other.slope.iter().zip(&one.slope).map(|(a, b)| a - b).collect();
        let c = other.constant - one.constant;
        let (rounding, noise) = (self.rounding, f64::EPSILON * (one.size + other.size));
        if self.linear || self.dim == 0 {
            return Ok(Form { w: vec![0.0; self.dim], b: slope, c, rounding, noise });
        }
        let length = one.columns.len() / self.dim;
        let entry = |score: &Score, a: usize, b: usize| {
            let column = |j: usize| &score.columns[j * length..(j + 1) * length];
            dot(column(a), column(b))
        };
        let pairs = (0..self.dim).flat_map(|a| (0..=a).map(move |b| (a, b)));
        let triangle: Vec<f64> =
            pairs.map(|(a, b)| 0.5 * (entry(one, a, b) - entry(other, a, b))).collect();
        let Some(found) = eigen(&triangle, self.dim) else {
            return refused(RiskRefusal::OutOfRange);
        };
        let b = found.vectors.chunks_exact(self.dim).map(|axis| dot(axis, &slope)).collect();
        Ok(Form { w: found.values, b, c, rounding, noise })
    }
}

/// ε times the trace of the inverse correlations, the largest of the components'.
fn rounding(rule: &Mixture, relevant: &[usize]) -> f64 {
    let inflation =
        |&k: &usize| Component::of(rule, k).map_or(0.0, |component| component.inflation());
    f64::EPSILON * relevant.iter().map(inflation).fold(0.0, f64::max)
}

/// Whether a component has spread in every column.
fn same_rank(rule: &Mixture, k: usize) -> bool {
    rule.covariances().get(k).rank() == rule.dim()
}

/// ½ ln det AᵀA, which is that of Σ_t over that of Σ_k, where both hardly differ: from AᵀA − I, of which the
/// bends of the scores are made too, so that nearly equal covariances keep their digits.
fn half_log_det(columns: &[f64], dim: usize) -> Option<f64> {
    let column = |j: usize| &columns[j * dim..(j + 1) * dim];
    let entry = |(a, b): (usize, usize)| dot(column(a), column(b)) - f64::from(u8::from(a == b));
    let pairs = (0..dim).flat_map(|a| (0..=a).map(move |b| (a, b)));
    let off = eigen(&pairs.map(entry).collect::<Vec<f64>>(), dim)?.values;
    let near = off.iter().all(|x| x.abs() <= NEARLY_EQUAL);
    near.then(|| 0.5 * off.iter().map(|x| x.ln_1p()).sum::<f64>())
}

/// −½ factor ‖z‖² of a row, about the mean of the truth.
fn own_score(
    rule: &Mixture,
    mean: &[f64],
    root: &[f64],
    k: usize,
    same: bool,
    factor: f64,
) -> Score {
    let covariance = rule.covariances().get(k).bounded();
    let dim = rule.dim();
    let scale = factor.sqrt();
    let mut y: Vec<f64> = mean.iter().zip(rule.mean(k)).map(|(t, m)| t - m).collect();
    covariance.whiten_rows(&mut y);
    let mut columns = root.to_vec();
    if same && covariance.rank() == dim {
        columns.fill(0.0);
        (0..dim).for_each(|j| columns[j * dim + j] = 1.0);
    } else {
        covariance.whiten_rows(&mut columns);
    }
    let slope = columns.chunks_exact(dim).map(|column| -factor * dot(column, &y)).collect();
    columns.iter_mut().for_each(|a| *a *= scale);
    let half = 0.5 * factor * norm_sq(&y);
    Score { constant: -half, size: half, slope, columns }
}

/// Whether components have one covariance and one law's factor, so that their scores differ by linear ones.
fn same_covariance(rule: &Mixture, relevant: &[usize]) -> bool {
    let factor = |k: usize| rule.scaled(k).map(|(factor, _)| factor);
    relevant.windows(2).all(|pair| {
        let covariance = |k: usize| rule.covariances().get(k);
        factor(pair[0]) == factor(pair[1]) && covariance(pair[0]) == covariance(pair[1])
    })
}
