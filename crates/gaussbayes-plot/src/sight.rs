//! Looks at a classifier in two of its columns: what it decides there, and its Gaussians.

use std::borrow::Cow;

use gaussbayes::{
    Action, Block, Classifier, Error, Factor, Law, Loss, Mixture, Posterior, Product, Rows, Scorer,
    View,
};

use crate::error::PlotError;
use crate::spread::radius_of;

/// Rows that are scored at once.
const CHUNK: usize = 8192;

/// A classifier as two columns show it.
#[derive(Debug)]
pub(crate) struct Sight<'a> {
    /// The classifier of all columns, or that of the two.
    pub(crate) rule: Cow<'a, Classifier>,
    /// How `rule` is looked at.
    pub(crate) view: View,
    /// The two columns among those of the user's classifier.
    pub(crate) columns: [usize; 2],
    /// A row that has all other columns; none where `rule` has just the two.
    base: Option<Vec<f64>>,
    /// The Gaussians as they are seen.
    pub(crate) bells: Vec<Bell>,
    /// What a reader should know about the view.
    pub(crate) notes: Vec<String>,
}

/// A Gaussian of two columns, and whose it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bell {
    pub(crate) class: usize,
    pub(crate) mean: [f64; 2],
    /// Its lower triangle.
    pub(crate) covariance: [f64; 3],
    pub(crate) weight: f64,
    law: Law,
}

impl Bell {
    /// The Mahalanobis distance within which a share of its rows lies: r² = −2 ln(1 − share) \[M91\].
    pub(crate) fn radius(&self, share: f64) -> Option<f64> {
        let radius = radius_of(self.law, share);
        radius.is_finite().then_some(radius)
    }
}

impl<'a> Sight<'a> {
    pub(crate) fn of(rule: &'a Classifier, view: &View) -> Result<Self, PlotError> {
        let dim = rule.features().len();
        if dim < 2 {
            return Err(PlotError::Count { what: "columns", expected: 2, found: dim });
        }
        match (rule.model(), view) {
            (_, View::Slice { columns, .. } | View::Projection { columns }) => check(columns, dim)?,
            (_, View::Whole) => {}
        }
        match rule.model() {
            Scorer::Product(product) => Self::of_product(rule, product, view),
            _ if dim == 2 && *view == View::Whole => Ok(Self::whole(rule)),
            Scorer::Mixture(mixture) => match view {
                View::Slice { columns, at } => Self::slice(rule, *columns, at.as_ref()),
                View::Projection { columns } => Self::margin(rule, mixture, *columns),
                View::Whole => Self::margin(rule, mixture, [0, 1]),
            },
            Scorer::Softmax(_) => match view {
                View::Slice { columns, at } => Self::slice(rule, *columns, at.as_ref()),
                View::Projection { columns } => Self::slice(rule, *columns, None),
                View::Whole => Self::slice(rule, [0, 1], None),
            },
        }
    }

    fn whole(rule: &'a Classifier) -> Self {
        let bells = rule.mixture().map_or_else(|_| Vec::new(), |mixture| bells(rule, mixture));
        let (rule, view, columns) = (Cow::Borrowed(rule), View::Whole, [0, 1]);
        Self { rule, view, columns, base: None, bells, notes: Vec::new() }
    }

    /// The two columns alone; a slice where no margin is known.
    fn margin(
        rule: &'a Classifier,
        mixture: &Mixture,
        columns: [usize; 2],
    ) -> Result<Self, PlotError> {
        let margin = match mixture.marginal(&columns) {
            Ok(margin) => margin,
            Err(Error::NotQuadratic | Error::Outliers(_)) => {
                return Self::slice(rule, columns, None);
            }
            Err(error) => return Err(error.into()),
        };
        let mut notes = alone(rule, columns);
        let loss = if rule.loss().outliers().is_some() {
            notes.push("outliers are not rejected here: their level is of all columns".into());
            without_outliers(rule.loss())?
        } else {
            rule.loss().clone()
        };
        let features = columns.map(|j| rule.features()[j].clone()).to_vec();
        let (owner, classes) = (rule.owner().to_vec(), rule.classes().to_vec());
        let rule = Classifier::owned(margin, owner, classes, features, loss)?;
        let bells = rule.mixture().map_or_else(|_| Vec::new(), |mixture| bells(&rule, mixture));
        Ok(Self { rule: Cow::Owned(rule), view: View::Whole, columns, base: None, bells, notes })
    }

    fn slice(
        rule: &'a Classifier,
        columns: [usize; 2],
        at: Option<&Vec<f64>>,
    ) -> Result<Self, PlotError> {
        let (base, place) = match (at, rule.model()) {
            (Some(at), _) => (at.clone(), "at the given values of the other columns"),
            (None, Scorer::Softmax(softmax)) => {
                (softmax.frame().origin().to_vec(), "through the centre of the rows")
            }
            (None, model) => (model.mixture()?.centre(), "through the centre of the classes"),
        };
        let (what, expected, found) = ("a point", rule.features().len(), base.len());
        if expected != found {
            return Err(Error::Shape { what, expected, found }.into());
        }
        let fixed: Vec<(usize, f64)> =
            (0..expected).filter(|j| !columns.contains(j)).map(|j| (j, base[j])).collect();
        let mut notes = Vec::new();
        if !fixed.is_empty() {
            notes.push(format!("a slice {place}: rows lie before and behind it"));
        }
        let inner = rule.mixture().and_then(|mixture| {
            if fixed.is_empty() { mixture.marginal(&columns) } else { mixture.conditional(&fixed) }
        });
        // A conditional mixture has its columns in their order.
        let turned = columns[0] > columns[1] && !fixed.is_empty();
        let mut bells = inner.map_or_else(|_| Vec::new(), |inner| bells(rule, &inner));
        for bell in bells.iter_mut().filter(|_| turned) {
            bell.mean.reverse();
            bell.covariance.reverse();
        }
        let view = View::Slice { columns, at: Some(base.clone()) };
        Ok(Self { rule: Cow::Borrowed(rule), view, columns, base: Some(base), bells, notes })
    }

    /// Columns of a product are independent: those of the two say all.
    fn of_product(rule: &'a Classifier, product: &Product, view: &View) -> Result<Self, PlotError> {
        let number = |column: usize| {
            product.factors().iter().find_map(|factor| match factor {
                Factor::Number { column: own, mixture } if *own == column => Some(&**mixture),
                _ => None,
            })
        };
        let columns = match view {
            View::Slice { columns, .. } | View::Projection { columns } => *columns,
            View::Whole => {
                let numbers: Vec<usize> =
                    (0..product.columns()).filter(|&j| number(j).is_some()).collect();
                let (what, expected, found) = ("columns of numbers", 2, numbers.len());
                let [first, second, ..] = numbers[..] else {
                    return Err(PlotError::Count { what, expected, found });
                };
                [first, second]
            }
        };
        let found = |column: usize| {
            let name = || rule.features()[column].clone();
            number(column).ok_or_else(|| PlotError::NotNumbers { name: name() })
        };
        let model = two_columns(product, [found(columns[0])?, found(columns[1])?])?;
        let loss = match rule.loss() {
            loss if loss.outliers().is_some() && product.columns() > 2 => without_outliers(loss)?,
            loss => loss.clone(),
        };
        let (features, notes) = (columns.map(|j| rule.features()[j].clone()), alone(rule, columns));
        let rule = Classifier::new(model, rule.classes().to_vec(), features.to_vec(), loss)?;
        let bells = rule.mixture().map_or_else(|_| Vec::new(), |mixture| bells(&rule, mixture));
        Ok(Self { rule: Cow::Owned(rule), view: View::Whole, columns, base: None, bells, notes })
    }

    /// Rows of the rule at points of the plane, some at a time.
    fn each<T>(
        &self,
        at: &[[f64; 2]],
        mut f: impl FnMut(&Block<'_>) -> Result<Vec<T>, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut all = Vec::with_capacity(at.len());
        let [across, upward] = if self.base.is_some() { self.columns } else { [0, 1] };
        let base = self.base.clone().unwrap_or_else(|| vec![0.0; 2]);
        for part in at.chunks(CHUNK) {
            let mut values = base.repeat(part.len());
            for (row, at) in values.chunks_exact_mut(base.len()).zip(part) {
                (row[across], row[upward]) = (at[0], at[1]);
            }
            let block = Block::new(0, Rows::new(values, base.len())?, None, None)?;
            all.extend(f(&block)?);
        }
        Ok(all)
    }

    /// Whether the other columns are fixed.
    pub(crate) fn is_slice(&self) -> bool {
        self.base.as_ref().is_some_and(|base| base.len() > 2)
    }

    /// The action at every point.
    pub(crate) fn actions(&self, at: &[[f64; 2]]) -> Result<Vec<usize>, Error> {
        self.each(at, |block| self.rule.actions(block))
    }

    /// P(class | point) of every point.
    pub(crate) fn posteriors(&self, class: usize, at: &[[f64; 2]]) -> Result<Vec<f64>, Error> {
        let classes = self.rule.classes().len();
        self.each(at, |block| {
            let all = self.rule.scores(block)?.into_probabilities();
            Ok(all.into_iter().skip(class).step_by(classes).collect())
        })
    }

    /// ln p of every point; up to a constant in a slice.
    pub(crate) fn log_densities(&self, at: &[[f64; 2]]) -> Result<Vec<f64>, Error> {
        self.each(at, |block| {
            let posterior = Posterior::from_scores(self.rule.scores(block)?);
            Ok((0..posterior.rows()).map(|i| posterior.log_evidence(i)).collect())
        })
    }

    /// The names of the two columns.
    pub(crate) fn names(&self) -> [String; 2] {
        let features = self.rule.features();
        let [across, upward] = if self.base.is_some() { self.columns } else { [0, 1] };
        [features[across].clone(), features[upward].clone()]
    }
}

fn check(columns: &[usize; 2], dim: usize) -> Result<(), Error> {
    let bad = columns.iter().find(|column| **column >= dim).copied();
    match bad.or((columns[0] == columns[1]).then_some(columns[1])) {
        Some(column) => Err(Error::BadColumn { column, columns: dim }),
        None => Ok(()),
    }
}

/// Says that only two of more columns decide.
fn alone(rule: &Classifier, columns: [usize; 2]) -> Vec<String> {
    if rule.features().len() == 2 {
        return Vec::new();
    }
    let [across, upward] = columns.map(|j| &rule.features()[j]);
    vec![format!("decisions by {across} and {upward} alone")]
}

/// The product of two of its factors: Gaussians, where both are.
fn two_columns(product: &Product, factors: [&Mixture; 2]) -> Result<Scorer, PlotError> {
    let classes = product.priors().len();
    let plain = factors.iter().all(|factor| factor.laws().is_none());
    let mean = |k: usize| factors.map(|factor| factor.raw_mean(k)[0]).to_vec();
    let spread = |k: usize| {
        let [across, upward] = factors.map(|factor| factor.raw_covariance(k)[0]);
        vec![across, 0.0, upward]
    };
    let means: Vec<Vec<f64>> = (0..classes).map(mean).collect();
    let spreads: Vec<Vec<f64>> = (0..classes).map(spread).collect();
    if plain && let Ok(mixture) = Mixture::given(&means, &spreads, product.priors().to_vec()) {
        return Ok(mixture.into());
    }
    let factor = |(column, mixture): (usize, &Mixture)| Factor::Number {
        column,
        mixture: Box::new(mixture.clone()),
    };
    let factors = factors.into_iter().enumerate().map(factor).collect();
    Ok(Product::new(2, product.priors().to_vec(), factors, product.unseen())?.into())
}

/// The same costs, without the level below which rows are rejected.
pub(crate) fn without_outliers(loss: &Loss) -> Result<Loss, Error> {
    let (classes, actions) = (loss.classes(), loss.priced().to_vec());
    match loss.costs() {
        Some(costs) => Loss::new(classes, actions, costs.to_vec()),
        None => Ok(Loss::zero_one(classes)),
    }
}

fn bells(rule: &Classifier, mixture: &Mixture) -> Vec<Bell> {
    let bell = |k: usize| {
        let (mean, covariance) = (mixture.raw_mean(k), mixture.raw_covariance(k));
        Bell {
            class: rule.owner()[k],
            mean: [mean[0], mean[1]],
            covariance: [covariance[0], covariance[1], covariance[2]],
            weight: mixture.weights()[k],
            law: mixture.laws().map_or(Law::GAUSSIAN, |laws| laws[k]),
        }
    };
    (0..mixture.components()).map(bell).collect()
}

/// What an action is called.
pub(crate) fn action_name(rule: &Classifier, action: usize) -> String {
    rule.action_label(action).map_or_else(|| Action::REJECT.to_owned(), ToString::to_string)
}
