//! Looks at a classifier along one line: a column, or the direction that sets its classes apart.

use gaussbayes::{
    Block, Classifier, Error, Mixture, On, Pool, Projection, Region, RiskOptions, Rows, Table,
};

use crate::dots::classes_of;
use crate::error::PlotError;
use crate::slope::Knot;
use crate::strip::followed;

/// The line along which densities are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    /// A column, with the others unknown: the decisions of the marginal model.
    Column(usize),
    /// The direction in which the classes lie farthest apart, measured from their centre in standard deviations
    /// within classes.
    Direction,
}

impl Default for Along {
    fn default() -> Self {
        Self::Column(0)
    }
}

/// A classifier of one column, and rows on it.
pub(crate) struct Line {
    pub(crate) rule: Classifier,
    pub(crate) label: String,
    /// Place and class of each row.
    pub(crate) rows: Vec<(f64, Option<usize>)>,
    /// Mean and standard deviation of each Gaussian that has weight, with its class.
    pub(crate) bells: Vec<(f64, f64, usize)>,
}

impl Line {
    pub(crate) fn of(
        rule: &Classifier,
        rows: Option<&Table>,
        along: Along,
    ) -> Result<Self, PlotError> {
        if !rule.model().is_generative() {
            return Err(PlotError::NoDensities { model: rule.model().name() });
        }
        let mixture = rule.mixture()?;
        let block = rows.map(|rows| rows.block(0..rows.rows())).transpose()?;
        let (model, label, at) = match along {
            Along::Column(column) => {
                let model = mixture.marginal(&[column])?;
                let read = |block: &Block<'_>| column_of(block.rows(), mixture.dim(), column);
                let at = block.as_ref().map(read).transpose()?;
                (model, rule.features()[column].clone(), at)
            }
            Along::Direction => {
                let projection = Projection::of(mixture)?;
                let model = along_first(mixture, &projection)?;
                let read = |block: &Block<'_>| projection.transform(block);
                let all = block.as_ref().map(read).transpose()?;
                let at = all.map(|all| all.into_iter().step_by(projection.len()).collect());
                (model, "first discriminant".into(), at)
            }
        };
        let shares = model.shares();
        let bell = |k: usize| {
            let deviation = model.raw_variances(k)[0].sqrt();
            (model.raw_mean(k)[0], deviation, rule.owner()[k])
        };
        let bells = (0..model.components()).filter(|&k| shares[k] > 0.0).map(bell).collect();
        let classes = members(rule, rows);
        let rows = at.unwrap_or_default().into_iter().zip(classes).collect();
        let owner = rule.owner().to_vec();
        let (names, loss) = (rule.classes().to_vec(), rule.loss().clone());
        let rule = Classifier::owned(model, owner, names, vec![label.clone()], loss)?;
        Ok(Self { rule, label, rows, bells })
    }

    /// What part of the line is shown: 3.5 standard deviations of every class, and all rows.
    pub(crate) fn window(&self) -> Result<[f64; 2], PlotError> {
        let reach = if self.rule.mixture()?.laws().is_some() { 5.0 } else { 3.5 };
        let ends = |&(mean, deviation, _): &(f64, f64, usize)| {
            [mean - reach * deviation, mean + reach * deviation]
        };
        let bells = self.bells.iter().flat_map(ends);
        let all = bells.chain(self.rows.iter().map(|row| row.0));
        let start = [f64::INFINITY, f64::NEG_INFINITY];
        let [low, high] = all.fold(start, |[low, high], x| [low.min(x), high.max(x)]);
        if !(high - low).is_finite() {
            return Err(PlotError::NotFinite {
                what: "the width of the picture",
                value: high - low,
            });
        }
        if high > low { Ok([low, high]) } else { Ok([low - 0.5, high + 0.5]) }
    }

    /// Regions of the actions, and whether they were searched for in the window instead of computed.
    pub(crate) fn regions(&self, window: [f64; 2]) -> Result<(Vec<Region>, bool), PlotError> {
        if let Ok(regions) = self.rule.regions() {
            return Ok((regions, false));
        }
        let mut regions = followed(&self.rule, window[0], window[1])?;
        // What is said at the ends is taken to be said beyond them.
        regions.first_mut().into_iter().for_each(|first| first.from = f64::NEG_INFINITY);
        regions.last_mut().into_iter().for_each(|last| last.to = f64::INFINITY);
        Ok((regions, true))
    }

    /// Prior times density of a class, with its slope, at some places from left to right and its own.
    pub(crate) fn knots(
        &self,
        class: usize,
        [low, high]: [f64; 2],
        also: &[f64],
    ) -> Result<Vec<Knot>, PlotError> {
        const COARSE: usize = 12;
        let own = self.bells.iter().filter(|bell| bell.2 == class);
        // Where a Gaussian is flat, no threshold shows in it.
        let tails = self.rule.mixture()?.laws().is_some() || own.clone().next().is_none();
        let near = |x: &f64| tails || own.clone().any(|bell| (x - bell.0).abs() < 5.0 * bell.1);
        let fine = (-9..=9).map(|i| 0.5 * f64::from(i));
        let mut xs: Vec<f64> = own
            .clone()
            .flat_map(|&(mean, deviation, _)| fine.clone().map(move |z| mean + z * deviation))
            .chain((0..=COARSE).map(|i| low + (high - low) * i as f64 / COARSE as f64))
            .chain(also.iter().copied().filter(near))
            .filter(|x| (low..=high).contains(x))
            .collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let narrowest = own.map(|bell| bell.1).fold(high - low, f64::min);
        let step = 1e-4 * narrowest;
        let near: Vec<f64> = xs.iter().flat_map(|&x| [x - step, x, x + step]).collect();
        let block = Block::new(0, Rows::new(near, 1)?, None, None)?;
        let (classes, joint) = (self.rule.classes().len(), self.rule.scores(&block)?.log_joint());
        let value = |i: usize| joint[i * classes + class].exp();
        let knot = |(i, &x): (usize, &f64)| {
            let slope = (value(3 * i + 2) - value(3 * i)) / (2.0 * step);
            Knot { x, y: value(3 * i + 1), slope }
        };
        Ok(xs.iter().enumerate().map(knot).collect())
    }

    /// Chance of an error and of a rejection, where there is a formula.
    pub(crate) fn chances(&self) -> Option<gaussbayes::Risk> {
        let pool = Pool::new(1).ok()?;
        self.rule.risk(None, &RiskOptions::default(), On::pool(&pool)).ok()
    }
}

fn column_of(rows: &Rows<'_>, dim: usize, column: usize) -> Result<Vec<f64>, Error> {
    if rows.dim() != dim {
        let (what, expected, found) = ("columns of a row", dim, rows.dim());
        return Err(Error::Shape { what, expected, found });
    }
    Ok((0..rows.count()).map(|i| rows.value(i, column)).collect())
}

/// Class numbers of rows; none of a label that the model does not know, and without one.
pub(crate) fn members(rule: &Classifier, rows: Option<&Table>) -> Vec<Option<usize>> {
    rows.map_or_else(Vec::new, |rows| classes_of(rows, rule.classes()))
}

/// The mixture along the first direction: means vᵀ(μ_k − μ), variances vᵀΣ_k v.
fn along_first(mixture: &Mixture, projection: &Projection) -> Result<Mixture, PlotError> {
    let dim = mixture.dim();
    let Some(v) = projection.directions().into_iter().next() else {
        return Err(PlotError::NoDirection { classes: mixture.components() });
    };
    if mixture.laws().is_some() || mixture.noise().is_some() {
        return Err(Error::NotGaussian { what: "densities along a direction" }.into());
    }
    let values = (0..mixture.components()).flat_map(|k| mixture.raw_mean(k)).collect::<Vec<_>>();
    let means = projection.transform(&Block::new(0, Rows::new(values, dim)?, None, None)?)?;
    let means: Vec<Vec<f64>> = means.chunks_exact(projection.len()).map(|m| vec![m[0]]).collect();
    let variance = |k: usize| {
        let triangle = mixture.raw_covariance(k);
        let pairs = (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let twice = |i, j| if i == j { 1.0 } else { 2.0 };
        let terms = pairs.zip(triangle).map(|((i, j), s)| twice(i, j) * v[i] * v[j] * s);
        vec![terms.sum::<f64>()]
    };
    let variances: Vec<Vec<f64>> = (0..mixture.components()).map(variance).collect();
    Ok(Mixture::given(&means, &variances, mixture.weights().to_vec())?)
}
