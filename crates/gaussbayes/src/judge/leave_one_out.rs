//! Leaves each row out in turn, without another pass over the rows for it \[M32\].

use super::Judgement;
use super::closed::{Closed, remaining};
use super::fold_fits::fit_fold;
use crate::covariance::{Covariance, CovarianceSpec, Priors};
use crate::data::{Block, Label, Table};
use crate::decide::Loss;
use crate::error::{Error, FoldRefusal};
use crate::mixture::{Score, Scores};
use crate::moments::{Merge, Moments, Storage, ldexp};
use crate::posterior::Posterior;
use crate::sweep::{LabelStat, LabelSweep, On, Pool, Sweep, each_block, run};
use crate::tolerance::{LEVERAGE_FOURTH, LEVERAGE_MAX};

/// Judges a specification by leaving each row of a table out in turn.
///
/// A row that is the only one of its class is judged by the model of the other classes: an error by
/// necessity, and without a log loss.
///
/// # Errors
/// [`Error::WithoutRow`] where the fit without a row is refused.
pub fn leave_one_out(
    spec: &CovarianceSpec,
    priors: &Priors,
    features: &[String],
    loss: Option<&Loss>,
    table: &Table,
    on: On<'_>,
) -> Result<Judgement, Error> {
    let all = All::new(spec, priors, features, table, on)?;
    let zero_one = || Loss::zero_one(all.classes.len());
    let loss = loss.cloned().unwrap_or_else(zero_one);
    run(&LeaveOneOut { all: &all, loss: &loss }, &mut table.source(), on)?.checked()
}

/// The posterior of each row of a table under the model of all others.
///
/// # Errors
/// As [`leave_one_out`].
pub fn leave_one_out_posterior(
    spec: &CovarianceSpec,
    priors: &Priors,
    features: &[String],
    table: &Table,
    on: On<'_>,
) -> Result<Posterior, Error> {
    let all = All::new(spec, priors, features, table, on)?;
    let components = all.classes.len();
    let mut scores = Scores { components, common: Vec::new(), relative: Vec::new() };
    let work = |block: &Block<'_>| all.scores(block).map(|(scores, _)| scores);
    each_block(&mut table.source(), on, work, |more| {
        scores.common.extend(more.common);
        scores.relative.extend(more.relative);
        Ok::<(), Error>(())
    })?;
    Ok(Posterior::from_scores(scores))
}

struct LeaveOneOut<'a> {
    all: &'a All<'a>,
    loss: &'a Loss,
}

impl Sweep for LeaveOneOut<'_> {
    type Stat = Judgement;

    fn block(&self, block: &Block<'_>) -> Result<Judgement, Error> {
        let mut judgement = Judgement::empty(self.all.classes.clone(), self.loss);
        let (scores, classes) = self.all.scores(block)?;
        let posterior = Posterior::from_scores(scores);
        let actions = self.loss.decide(&posterior);
        for (i, &class) in classes.iter().enumerate() {
            judgement.record(self.loss, &posterior, i, class, actions[i], block.weight(i));
        }
        Ok(judgement)
    }
}

/// All rows, summed up, and what it takes to leave one out.
struct All<'a> {
    spec: &'a CovarianceSpec,
    priors: &'a Priors,
    features: &'a [String],
    table: &'a Table,
    classes: Vec<Label>,
    moments: Moments,
    closed: Option<Closed>,
    /// What tells how much of a class hangs on one row, class by class or for all.
    leverage: Vec<Option<Covariance>>,
}

impl<'a> All<'a> {
    fn new(
        spec: &'a CovarianceSpec,
        priors: &'a Priors,
        features: &'a [String],
        table: &'a Table,
        on: On<'_>,
    ) -> Result<Self, Error> {
        let rows = table.rows();
        if rows < 2 {
            return Err(FoldRefusal::Number { folds: rows, most: rows as u64 }.into());
        }
        let source = &mut table.source();
        let stat =
            run(&LabelSweep::new(spec.storage()), source, on)?.completed(spec, source, on)?;
        let (classes, moments) = stat.sorted();
        if let [class] = classes.as_slice() {
            return Err(Error::OneClass { class: class.to_string() });
        }
        let named =
            |error: Error| spec.with_remedies(error, &moments, priors).named(&classes, features);
        let weighted = table.weights.is_some();
        let closed = Closed::of(spec, priors, &moments, weighted).map_err(named)?;
        if closed.is_none() {
            // What all rows do not allow is said of all rows.
            spec.estimate(&moments, priors, None).map_err(named)?;
        }
        let leverage = if closed.is_none() { moments.scatter_factors() } else { Vec::new() };
        Ok(Self { spec, priors, features, table, classes, moments, closed, leverage })
    }

    /// Scores of each row under the model without it, and the rows' classes.
    fn scores(&self, block: &Block<'_>) -> Result<(Scores, Vec<usize>), Error> {
        let components = self.classes.len();
        let count = block.rows().count();
        let names = block.labels().map_or(&[][..], |labels| &labels.dictionary);
        let places: Vec<Option<usize>> =
            names.iter().map(|name| self.classes.iter().position(|class| class == name)).collect();
        let class = |i: usize| {
            let label = block.label(i)?;
            let code = block.labels().map_or(0, |labels| labels.codes[i] as usize);
            // A row of weight zero may be the only one of its class.
            match places[code] {
                Some(k) => Ok(k),
                None if block.weight(i) == 0.0 => Ok(0),
                None => Err(Error::UnknownClass { class: label.to_string() }),
            }
        };
        let classes = (0..count).map(class).collect::<Result<Vec<usize>, Error>>()?;
        let (mut relative, scored) = match &self.closed {
            Some(closed) => closed.scores(block, &classes)?,
            None => (vec![0.0; count * components], vec![false; count]),
        };
        let framed = self.closed.is_none().then(|| self.moments.frame().apply(block.rows()));
        for (i, row) in relative.chunks_exact_mut(components).enumerate() {
            if scored[i] || block.weight(i) == 0.0 {
                continue;
            }
            let number = block.first_row() + i as u64;
            let found = self.left_out(block, i, classes[i], framed.as_deref());
            let found =
                found.map_err(|error| Error::WithoutRow { row: number, error: Box::new(error) })?;
            row.copy_from_slice(&found);
        }
        Ok((Scores { components, common: vec![0.0; count], relative }, classes))
    }

    /// Scores of one row by one estimate without it.
    fn left_out(
        &self,
        block: &Block<'_>,
        i: usize,
        k: usize,
        framed: Option<&[f64]>,
    ) -> Result<Vec<f64>, Error> {
        let (dim, weight) = (self.moments.dim(), block.weight(i));
        let u = framed.map(|framed| &framed[i * dim..(i + 1) * dim]);
        let Some(u) = u.filter(|u| self.is_light(u, k, weight)) else {
            let row = block.first_row() as usize + i;
            let Some(stat) = self.recounted(row, k)? else {
                return self.without_class(block, i, k);
            };
            let classifier = fit_fold(self.spec, self.priors, self.features, None, stat)?;
            return Ok(classifier.model().scores(&block.picked(&[i])?)?.relative);
        };
        let rest = self.moments.without(k, u, weight);
        let estimate = self.spec.estimate(&rest, self.priors, None);
        let explained = |error| {
            let error = self.spec.with_remedies(error, &rest, self.priors);
            error.named(&self.classes, self.features)
        };
        let mixture = estimate.map_err(explained)?.mixture;
        Ok(mixture.scores(&block.picked(&[i])?)?.relative)
    }

    /// Whether enough of the class's scatter is left without the row for digits not to matter.
    fn is_light(&self, u: &[f64], k: usize, weight: f64) -> bool {
        if weight > LEVERAGE_MAX * self.moments.weight()[k] {
            return false;
        }
        let shared = self.moments.storage() == Storage::Shared;
        let place = if shared { 0 } else { k };
        let Some(Some(covariance)) = self.leverage.get(place) else { return false };
        let mut y: Vec<f64> = u.iter().zip(self.moments.mean(k)).map(|(u, m)| u - m).collect();
        let mut share = 1.0;
        if self.moments.storage() == Storage::Spherical {
            // A trace is in the unit of the widest column, and over all of them.
            let frame = self.moments.frame();
            y.iter_mut()
                .zip(frame.exponent())
                .for_each(|(y, e)| *y = ldexp(*y, e - frame.widest()));
            share = 1.0 / y.len() as f64;
        }
        let class = self.moments.weight()[k];
        let loss = weight * class / (class - weight);
        let leverage = share * loss * covariance.mahalanobis_sq(&y);
        let fourth = self.moments.quartic().is_some();
        remaining(leverage).is_some() && (!fourth || leverage <= LEVERAGE_FOURTH)
    }

    /// The statistic of all rows but one of class `k`, with that class summed up anew; `None` where
    /// the row is all there is of it.
    fn recounted(&self, row: usize, k: usize) -> Result<Option<LabelStat>, Error> {
        let class = &self.classes[k];
        let keeps = |i: &usize| {
            let code = self.table.codes.as_ref().map_or(0, |codes| codes[*i] as usize);
            *i != row && self.table.dictionary.get(code) == Some(class)
        };
        let sweep = LabelSweep::new(self.spec.storage());
        let mine: Vec<usize> = (0..self.table.rows()).filter(keeps).collect();
        let all = self.table.block(0..self.table.rows())?;
        let mine = sweep.block(&all.picked(&mine)?)?;
        if mine.labels().is_empty() {
            return Ok(None);
        }
        if self.moments.storage() != Storage::Shared && self.moments.quartic().is_none() {
            let others: Vec<usize> = (0..self.classes.len()).filter(|&j| j != k).collect();
            let labels: Vec<Label> = others.iter().map(|&j| self.classes[j].clone()).collect();
            let from: Vec<Option<usize>> = others.into_iter().map(Some).collect();
            let others = LabelStat::unsorted(&labels, &self.moments.arranged(&from));
            return Ok(Some(others.merge(mine)));
        }
        // Shared scatter and fourth moments are summed up over all classes.
        let rest: Vec<usize> = (0..self.table.rows()).filter(|i| *i != row).collect();
        let mut table = Table::default();
        table.push_block(&all.picked(&rest)?);
        let (source, pool) = (&mut table.source(), Pool::new(1)?);
        let on = On::pool(&pool);
        run(&sweep, source, on)?.completed(self.spec, source, on).map(Some)
    }

    /// The row is all there is of its class: scores of the other classes, none for its own.
    fn without_class(&self, block: &Block<'_>, i: usize, k: usize) -> Result<Vec<f64>, Error> {
        let others: Vec<usize> = (0..self.classes.len()).filter(|&j| j != k).collect();
        let from: Vec<Option<usize>> = others.iter().copied().map(Some).collect();
        let priors = match self.priors {
            Priors::Given(given) => {
                let left: Vec<f64> = others.iter().filter_map(|&j| given.get(j).copied()).collect();
                let sum: f64 = left.iter().sum();
                if sum > 0.0 {
                    Priors::Given(left.into_iter().map(|prior| prior / sum).collect())
                } else {
                    Priors::Uniform
                }
            }
            other => other.clone(),
        };
        let classes: Vec<Label> = others.iter().map(|&j| self.classes[j].clone()).collect();
        let estimate = self.spec.estimate(&self.moments.arranged(&from), &priors, None);
        let mixture = estimate.map_err(|error| error.named(&classes, self.features))?.mixture;
        let mut scores = mixture.scores(&block.picked(&[i])?)?.relative;
        scores.insert(k, f64::NEG_INFINITY);
        Ok(scores)
    }
}
