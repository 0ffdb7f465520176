//! Writes a classifier down so that any program can compute its decisions \[M88\].

mod bells;
mod terms;

use crate::classify::Classifier;
use crate::data::Label;
use crate::decide::{Action, Loss};
use crate::discriminative::Softmax;
use crate::error::Error;
use crate::moments::{Frame, ldexp};
use crate::scorer::Scorer;
use crate::tolerance::{FAR_EXPONENT, LEAST_SCORE, REACH_EXPONENT};

pub use bells::{Bell, Whitener};
pub use terms::Term;

/// Scores and decisions of a classifier as plain arithmetic on raw rows \[M88\].
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// What the model is, in words.
    pub model: &'static str,
    /// Names of the columns.
    pub features: Vec<String>,
    /// Names of the classes.
    pub classes: Vec<Label>,
    /// The class of each score; a class of several scores has the log-sum-exp of them.
    pub owner: Vec<usize>,
    /// How scores follow from a row.
    pub scoring: Scoring,
    /// How a decision follows from scores.
    pub decision: Decision,
    /// How far from 0 each column is computed with: rows beyond are drawn in along their ray.
    pub reach: Vec<f64>,
}

/// How scores follow from a row; none is below [`Recipe::LEAST`] where the row is in reach.
#[derive(Debug, Clone, PartialEq)]
pub enum Scoring {
    /// constant_k + Σ_j coefficient_kj (x_j − centre_j).
    Linear {
        /// Where columns are measured from.
        centre: Vec<f64>,
        /// Coefficients, score by score.
        coefficients: Vec<f64>,
        /// Scores at the centre.
        constants: Vec<f64>,
        /// What is missing in all of them to be logarithms of densities, where somebody asks for it.
        common: Option<Bell>,
    },
    /// A bell for each score.
    Bells(Vec<Bell>),
    /// constant_k + what each term says.
    Terms {
        /// Logarithms of the priors.
        constants: Vec<f64>,
        /// What columns say; one that is missing says nothing.
        terms: Vec<Term>,
    },
}

/// How a decision follows from scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The actions.
    pub actions: Vec<Action>,
    /// Which is taken.
    pub choice: Choice,
    /// ln p(x) below which a row is rejected, and the number of that action.
    pub outliers: Option<(f64, usize)>,
}

/// Which action is taken; the first of equals.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// Action k where score k and this gain are largest.
    Gain(Vec<f64>),
    /// The action of least Σ_k P(C_k|x) cost_kj.
    Cost {
        /// Number of actions that have a price: the first ones.
        actions: usize,
        /// Costs beyond the least of their class, class by class.
        costs: Vec<f64>,
        /// Their logarithms.
        log_costs: Vec<f64>,
    },
}

impl Recipe {
    /// The score of what cannot be: all numbers stay finite.
    pub const LEAST: f64 = LEAST_SCORE;

    /// Whether each class has one score, in their order.
    pub fn is_one_each(&self) -> bool {
        self.owner.iter().enumerate().all(|(k, class)| k == *class)
    }
}

impl Classifier {
    /// The classifier as arithmetic that other programs can do \[M88\].
    ///
    /// # Errors
    /// [`RecipeRefusal`](crate::RecipeRefusal): columns of text, and units beyond the range of numbers.
    pub fn recipe(&self) -> Result<Recipe, Error> {
        let features = self.features();
        let (scoring, reach) = match self.model() {
            Scorer::Mixture(mixture) => {
                let density = self.loss().outliers().is_some();
                (bells::scoring(mixture, features, density)?, reach(mixture.frame()))
            }
            Scorer::Softmax(softmax) => (linear(softmax, features)?, reach(softmax.frame())),
            Scorer::Product(product) => terms::scoring(product, features)?,
        };
        Ok(Recipe {
            model: self.model().name(),
            features: features.to_vec(),
            classes: self.classes().to_vec(),
            owner: self.owner().to_vec(),
            scoring,
            decision: self.loss().decision(),
            reach,
        })
    }
}

impl Loss {
    fn decision(&self) -> Decision {
        let (actions, priced) = (self.actions().to_vec(), self.priced().len());
        let choice = if let Some(gains) = self.by_gain() {
            Choice::Gain(gains.to_vec())
        } else {
            let reduced = |class: usize| {
                let row: Vec<f64> = (0..priced).map(|j| self.cost(class, j)).collect();
                let least = row.iter().copied().fold(f64::INFINITY, f64::min);
                row.into_iter().map(move |cost| cost - least)
            };
            let costs: Vec<f64> = (0..self.classes()).flat_map(reduced).collect();
            let log_costs = costs.iter().map(|cost| floored(cost.ln())).collect();
            Choice::Cost { actions: priced, costs, log_costs }
        };
        let reject = actions.iter().position(|action| *action == Action::Reject);
        Decision { choice, outliers: self.outliers().zip(reject), actions }
    }
}

/// A logarithm of which nothing is −∞.
fn floored(log: f64) -> f64 {
    log.max(LEAST_SCORE)
}

/// How far from 0 each column of a frame is computed with \[M22\].
fn reach(frame: &Frame) -> Vec<f64> {
    let of = |e: &i32| ldexp(1.0, (e + FAR_EXPONENT).clamp(-REACH_EXPONENT, REACH_EXPONENT));
    frame.exponent().iter().map(of).collect()
}

/// Softmax regression about the origin of its frame.
fn linear(softmax: &Softmax, features: &[String]) -> Result<Scoring, Error> {
    let frame = softmax.frame();
    let columns = frame.exponent().iter().cycle().enumerate();
    let raw =
        |(w, (at, e)): (&f64, (usize, &i32))| bells::in_range(*w, -e, at % frame.dim(), features);
    let coefficients = softmax.coefficients().iter().zip(columns).map(raw);
    Ok(Scoring::Linear {
        centre: frame.origin().to_vec(),
        coefficients: coefficients.collect::<Result<_, _>>()?,
        constants: softmax.intercepts().iter().map(|b| floored(*b)).collect(),
        common: None,
    })
}
