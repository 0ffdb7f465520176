//! Holds linear scores whose softmax is the posterior, and scores rows by them \[M79\].

use crate::covariance::{Covariance, Priors, norm_sq};
use crate::data::Block;
use crate::error::{Error, SoftmaxRefusal};
use crate::linalg::dot;
use crate::linalg::lanes::{Job, LANES, add_product, load, vectorized};
use crate::mixture::{Covariances, Linear, Mixture, Quadratic, Score, Scores};
use crate::moments::{Frame, Shape, ldexp};
use crate::tolerance::{FAR_EXPONENT, FARTHEST, RULE_WEIGHT};

/// Linear scores of the classes: P(C_k|x) ∝ exp(w_kᵀu + b_k) of a framed row u.
///
/// There are no densities behind them: what is known is how classes compare on a row, not how likely the row is.
#[derive(Debug, Clone, PartialEq)]
pub struct Softmax {
    frame: Frame,
    coefficients: Vec<f64>,
    intercepts: Vec<f64>,
    priors: Vec<f64>,
}

impl Softmax {
    /// Puts scores together: coefficients of framed rows, class by class, intercepts, and the priors that the
    /// intercepts are for.
    ///
    /// # Errors
    /// [`Error::Shape`] when lengths differ, [`Error::BadParameter`] for a number that no fit has,
    /// [`Error::BadPriors`] for priors that are no distribution.
    pub fn new(
        frame: Frame,
        coefficients: Vec<f64>,
        intercepts: Vec<f64>,
        priors: Vec<f64>,
    ) -> Result<Self, Error> {
        let (dim, classes) = (frame.dim(), intercepts.len());
        let shape = |what, expected, found| {
            if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
        };
        if dim == 0 || classes == 0 {
            return Err(Error::Shape { what: "a softmax", expected: 1, found: 0 });
        }
        shape("coefficients", classes.saturating_mul(dim), coefficients.len())?;
        shape("priors", classes, priors.len())?;
        // Products with rows as far as this are still numbers.
        let far = ldexp(1.0, FAR_EXPONENT);
        let usable = |value: &f64| value.abs() <= far;
        if let Some(at) = coefficients.iter().position(|value| !usable(value)) {
            let (what, component) = ("coefficient", at / dim);
            return Err(Error::BadParameter { what, component, value: coefficients[at] });
        }
        // A class that cannot come has no score at all.
        let bad = |k: &usize| !usable(&intercepts[*k]) && (intercepts[*k] != f64::NEG_INFINITY);
        if let Some(component) = (0..classes).find(bad) {
            let (what, value) = ("intercept", intercepts[component]);
            return Err(Error::BadParameter { what, component, value });
        }
        Priors::check(&priors)?;
        // A class cannot come if and only if it has no prior; one at least can.
        let apart = |k: &usize| (intercepts[*k] == f64::NEG_INFINITY) != (priors[*k] == 0.0);
        if let Some(component) = (0..classes).find(apart) {
            let (what, value) = ("prior of an intercept", priors[component]);
            return Err(Error::BadParameter { what, component, value });
        }
        Ok(Self { frame, coefficients, intercepts, priors })
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.intercepts.len()
    }

    /// Coefficients of framed rows, class by class; those of all classes sum to 0 where they were fitted.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Coefficients of class `k`.
    pub(super) fn of(&self, k: usize) -> &[f64] {
        let dim = self.frame.dim();
        &self.coefficients[k * dim..(k + 1) * dim]
    }

    /// Scores at the origin of the frame; −∞ of a class that cannot come.
    pub fn intercepts(&self) -> &[f64] {
        &self.intercepts
    }

    /// The priors that the intercepts are for: shares of the rows it was fitted to, unless others were put in.
    pub fn priors(&self) -> &[f64] {
        &self.priors
    }

    /// The same for other priors: intercepts move by the change of ln π_k.
    ///
    /// # Errors
    /// What [`Priors::resolve`] refuses; [`Error::Empty`] for a class that had no prior, of which nothing is known.
    pub fn with_priors(mut self, priors: &Priors) -> Result<Self, Error> {
        let after = priors.resolve(&self.priors)?;
        for (k, (intercept, prior)) in self.intercepts.iter_mut().zip(&after).enumerate() {
            let before = self.priors[k];
            if before == 0.0 && *prior > 0.0 {
                return Err(Error::Empty { component: k, class: None });
            }
            if *prior != before {
                *intercept += prior.ln() - before.ln();
            }
        }
        self.priors = after;
        Ok(self)
    }

    /// The scores as functions of raw rows: w_kᵀx + c_k.
    pub fn linear(&self) -> Linear {
        let (origin, exponent) = (self.frame.origin(), self.frame.exponent());
        let mut all = Linear { coefficients: Vec::new(), intercepts: Vec::new() };
        for (k, intercept) in self.intercepts.iter().enumerate() {
            let raw: Vec<f64> =
                self.of(k).iter().zip(exponent).map(|(w, e)| ldexp(*w, -e)).collect();
            let moved: f64 = raw.iter().zip(origin).map(|(w, o)| w * o).sum();
            all.intercepts.push(intercept - moved);
            all.coefficients.extend(raw);
        }
        all
    }

    /// Gaussians of one covariance that decide as this softmax does, at every row \[M81\]: s²I in the frame, means
    /// s²w_k, and weights that make up for their lengths.
    ///
    /// # Errors
    /// [`SoftmaxRefusal::NoGaussians`] for intercepts so far apart that a weight would be none.
    pub fn rule(&self) -> Result<Mixture, Error> {
        let (dim, classes) = (self.frame.dim(), self.classes());
        let longest = (0..classes).map(|k| norm_sq(self.of(k))).fold(0.0, f64::max);
        let variance = if longest > 0.0 { 1.0 / longest } else { 1.0 };
        let mut logs: Vec<f64> = (0..classes)
            .map(|k| self.intercepts[k] + 0.5 * variance * norm_sq(self.of(k)))
            .collect();
        let total = crate::posterior::log_sum_exp(&logs);
        logs.iter_mut().for_each(|log| *log -= total);
        let least = logs.iter().copied().filter(|log| log.is_finite()).fold(0.0, f64::min);
        if least < RULE_WEIGHT {
            return Err(SoftmaxRefusal::NoGaussians { apart: -least }.into());
        }
        let weights = logs.iter().map(|log| log.exp()).collect();
        let means = self.coefficients.iter().map(|w| variance * w).collect();
        let sphere = Covariance::from_factor(Shape::Spherical, dim, vec![variance.sqrt()])?;
        Mixture::new(self.frame.clone(), means, Covariances::Shared(sphere), weights)
    }
}

impl Score for Softmax {
    fn dim(&self) -> usize {
        self.frame.dim()
    }

    fn components(&self) -> usize {
        self.classes()
    }

    /// w_kᵀu + b_k: the best of a row is what its classes have in common.
    fn scores(&self, block: &Block<'_>) -> Result<Scores, Error> {
        block.plain()?;
        let (dim, classes) = (self.frame.dim(), self.classes());
        let found = block.rows().dim();
        if dim != found {
            return Err(Error::Shape { what: "columns of a row", expected: dim, found });
        }
        let (rows, drawn) = self.frame.apply_near(block.rows());
        let (weights, start) = (&self.coefficients, &self.intercepts);
        let mut relative = vectorized(LinearScores { weights, start, rows: &rows, dim });
        let top = |row: &mut [f64]| {
            let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            row.iter_mut().for_each(|score| *score -= top);
            top
        };
        let mut common: Vec<f64> = relative.chunks_exact_mut(classes).map(top).collect();
        for (i, exponent) in drawn {
            // The row was drawn in by 2^exponent: what is linear in it grows by as much.
            let u = &rows[i * dim..(i + 1) * dim];
            let along: Vec<f64> = (0..classes).map(|k| dot(self.of(k), u)).collect();
            let most = along.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let farther = |x: f64| ldexp(x, exponent).clamp(-FARTHEST, FARTHEST);
            let row = &mut relative[i * classes..(i + 1) * classes];
            let scores = along.iter().zip(&self.intercepts);
            row.iter_mut().zip(scores).for_each(|(score, (a, b))| *score = farther(a - most) + b);
            common[i] = top(row) + farther(most);
        }
        Ok(Scores { components: classes, common, relative })
    }

    fn quadratics(&self) -> Option<Vec<Quadratic>> {
        let dim = self.frame.dim();
        let quadratic = |k: usize| {
            let none = vec![0.0; Shape::Full.len(dim).unwrap_or(0)];
            Quadratic::new(self.frame.clone(), none, self.of(k).to_vec(), self.intercepts[k])
        };
        Some((0..self.classes()).map(quadratic).collect())
    }
}

/// w_kᵀu + b_k of every row and class, eight rows at a time.
pub(super) struct LinearScores<'a> {
    /// Class by class.
    pub(super) weights: &'a [f64],
    pub(super) start: &'a [f64],
    pub(super) rows: &'a [f64],
    /// Columns of a row.
    pub(super) dim: usize,
}

impl Job for LinearScores<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn call(self) -> Vec<f64> {
        let (dim, classes) = (self.dim, self.start.len());
        let mut scores = vec![0.0; self.rows.len() / dim * classes];
        let mut u = vec![[0.0; LANES]; dim];
        let panels = self.rows.chunks(LANES * dim).zip(scores.chunks_mut(LANES * classes));
        for (panel, out) in panels {
            load(panel, &mut u);
            for (k, (w, start)) in self.weights.chunks_exact(dim).zip(self.start).enumerate() {
                let mut score = [*start; LANES];
                for (u, w) in u.iter().zip(w) {
                    add_product(&mut score, u, &[*w; LANES]);
                }
                for (row, score) in out.chunks_exact_mut(classes).zip(score) {
                    row[k] = score;
                }
            }
        }
        scores
    }
}
