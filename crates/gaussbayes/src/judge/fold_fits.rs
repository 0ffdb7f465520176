//! Fits every candidate without each fold: sums from one pass, softmax by common passes \[M19\].

use std::collections::BTreeSet;

use super::folds::Candidate;
use crate::classify::Classifier;
use crate::covariance::{CovarianceSpec, Priors};
use crate::data::{Block, Folds, Label, Source};
use crate::decide::Loss;
use crate::discriminative::{SoftmaxFit, SoftmaxSpec, SoftmaxState, softmax_folds};
use crate::error::{Error, FoldRefusal};
use crate::learner::Learner;
use crate::moments::{Merge, Placed, Quartic, Storage};
use crate::naive::{ProductSpec, ProductStat, ProductSweep};
use crate::sweep::{LabelStat, On, QuarticSweep, Sweep, check_classes, present, run, run_checked};
use crate::tolerance::FOLDS_MAX;

/// Sums up each fold by itself, for all candidates at once.
struct FoldSweep {
    folds: Folds,
    /// What Gaussians and softmax regression need; none where there are none.
    storage: Option<Storage>,
    products: Vec<ProductSweep>,
}

/// Sums of each fold.
struct FoldStat {
    rows: u64,
    classes: Vec<Classes>,
    /// Nothing where no candidate needs moments.
    moments: Vec<LabelStat>,
    /// Product by product.
    products: Vec<Vec<ProductStat>>,
}

/// Classes of the rows of positive weight.
#[derive(Clone)]
struct Classes(BTreeSet<Label>);

impl Merge for Classes {
    fn merge(mut self, later: Self) -> Self {
        self.0.extend(later.0);
        self
    }
}

impl Merge for FoldStat {
    fn merge(self, later: Self) -> Self {
        Self {
            rows: self.rows + later.rows,
            classes: self.classes.merge(later.classes),
            moments: self.moments.merge(later.moments),
            products: self.products.merge(later.products),
        }
    }
}

impl FoldStat {
    /// Classes, counted once in each fold that has them.
    fn occupied(&self) -> usize {
        self.classes.iter().map(|fold| fold.0.len()).sum()
    }
}

impl Sweep for FoldSweep {
    type Stat = FoldStat;

    fn block(&self, block: &Block<'_>) -> Result<FoldStat, Error> {
        let (labels, codes) = present(block)?;
        let rows = block.rows().count();
        let mut groups = vec![vec![Vec::new(); labels.len()]; self.folds.count];
        let folds = self.folds.of_rows(block.first_row(), rows);
        for (i, &fold) in folds.iter().enumerate() {
            if block.weight(i) > 0.0 {
                groups[fold][codes[i] as usize].push((i, block.weight(i)));
            }
        }
        let own = |groups: &Vec<Vec<(usize, f64)>>| {
            let met = labels.iter().zip(groups).filter(|(_, group)| !group.is_empty());
            Classes(met.map(|(label, _)| label.clone()).collect())
        };
        let classes: Vec<Classes> = groups.iter().map(own).collect();
        let mut moments = Vec::new();
        if let Some(storage) = self.storage {
            block.plain()?;
            let occupied = classes.iter().map(|fold| fold.0.len()).sum();
            check_classes(storage, occupied, block.rows().dim())?;
            let placed = Placed::of(block);
            let stat = |groups: &Vec<Vec<(usize, f64)>>| {
                let moments = placed.moments(groups, storage);
                LabelStat { labels: labels.clone(), moments }.without_empty()
            };
            moments = groups.iter().map(stat).collect();
        }
        let mut products = vec![Vec::new(); self.products.len()];
        if !products.is_empty() {
            for fold in 0..self.folds.count {
                let own: Vec<usize> = (0..rows).filter(|&i| folds[i] == fold).collect();
                let part = block.picked(&own)?;
                for (sweep, stats) in self.products.iter().zip(&mut products) {
                    stats.push(sweep.block(&part)?);
                }
            }
        }
        Ok(FoldStat { rows: rows as u64, classes, moments, products })
    }
}

/// What every candidate is fitted with, but for itself.
struct Fits<'a> {
    features: &'a [String],
    loss: Option<&'a Loss>,
    /// Moments of everything but a fold.
    moments: Vec<Option<LabelStat>>,
    /// The same of products, one after the other.
    products: Vec<Vec<Option<ProductStat>>>,
}

/// The classifiers of each candidate, one for everything but a fold.
pub(super) fn fit_folds<S: Source>(
    candidates: &[Candidate],
    features: &[String],
    loss: Option<&Loss>,
    folds: Folds,
    source: &mut S,
    on: On<'_>,
) -> Result<Vec<Result<Vec<Classifier>, Error>>, S::Error> {
    let refused = |most: u64| Error::from(FoldRefusal::Number { folds: folds.count, most });
    if !(2..=FOLDS_MAX).contains(&folds.count) {
        return Err(refused(FOLDS_MAX as u64).into());
    }
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let gaussian = |learner: &Learner| match learner {
        Learner::Gaussian(spec) => Some(spec.storage()),
        Learner::Softmax(spec) => Some(SoftmaxState::storage(spec)),
        Learner::Product(_) => None,
    };
    let product = |learner: &Learner| match learner {
        Learner::Product(spec) => Some(ProductSweep::new(spec)),
        Learner::Gaussian(_) | Learner::Softmax(_) => None,
    };
    let learners = || candidates.iter().map(|(learner, _)| learner);
    let storage = learners().filter_map(gaussian).reduce(Storage::joined);
    let sweep = FoldSweep { folds, storage, products: learners().filter_map(product).collect() };
    let columns = source.dim();
    let bounded = |stat: &FoldStat| match storage {
        Some(storage) => check_classes(storage, stat.occupied(), columns),
        None => Ok(()),
    };
    let stat = run_checked(&sweep, source, on, bounded)?;
    if stat.rows < folds.count as u64 {
        return Err(refused(stat.rows).into());
    }
    knows_every_class(&stat.classes)?;
    let mut fits = Fits {
        features,
        loss,
        moments: without_each(&stat.moments),
        products: stat.products.iter().map(|stats| without_each(stats)).collect(),
    };
    let second =
        |learner: &Learner| matches!(learner, Learner::Gaussian(spec) if spec.needs_second_pass());
    if let Some(all) = stat.moments.into_iter().reduce(Merge::merge)
        && learners().any(second)
    {
        source.rewind()?;
        let sums = run(&QuarticSweep { stat: &all, folds: Some(folds) }, source, on)?;
        for (stat, quartic) in fits.moments.iter_mut().zip(without_each::<Quartic>(&sums)) {
            stat.iter_mut().for_each(|stat| stat.moments.quartic.clone_from(&quartic));
        }
    }
    let mut products = 0..;
    let mut fitted = Vec::with_capacity(candidates.len());
    for (learner, priors) in candidates {
        fitted.push(match learner {
            Learner::Gaussian(spec) => fits.gaussians(spec, priors),
            Learner::Product(spec) => fits.products(spec, priors, products.next().unwrap_or(0)),
            Learner::Softmax(spec) => fits.softmax(spec, priors, folds, source, on)?,
        });
    }
    Ok(fitted)
}

impl Fits<'_> {
    fn gaussians(&self, spec: &CovarianceSpec, priors: &Priors) -> Result<Vec<Classifier>, Error> {
        spec.check()?;
        each_fold(&self.moments, |stat| fit_fold(spec, priors, self.features, self.loss, stat))
    }

    fn products(
        &self,
        spec: &ProductSpec,
        priors: &Priors,
        number: usize,
    ) -> Result<Vec<Classifier>, Error> {
        each_fold(&self.products[number], |stat| {
            let classifier = Classifier::fit_product(spec, priors, stat, self.features)?.0;
            with_loss(classifier, self.loss)
        })
    }

    /// In passes of their own, all folds at once. What the source refuses ends everything, what a fit refuses is an
    /// outcome.
    fn softmax<S: Source>(
        &self,
        spec: &SoftmaxSpec,
        priors: &Priors,
        folds: Folds,
        source: &mut S,
        on: On<'_>,
    ) -> Result<Result<Vec<Classifier>, Error>, S::Error> {
        let training = self.moments.iter().flatten().cloned().collect();
        let fits = softmax_folds(spec, training, folds, source, on)?.into_iter().enumerate();
        let fold = |(fold, fit): (usize, Result<SoftmaxFit, Error>)| {
            let learnt = fit.and_then(|fit| fit.learnt(priors, self.features));
            let fitted = learnt.and_then(|learnt| with_loss(learnt.classifier, self.loss));
            fitted.map_err(|error| Error::WithoutFold { fold, error: Box::new(error) })
        };
        Ok(fits.map(fold).collect())
    }
}

fn each_fold<T: Clone>(
    stats: &[Option<T>],
    fit: impl Fn(T) -> Result<Classifier, Error>,
) -> Result<Vec<Classifier>, Error> {
    let fold = |(fold, stat): (usize, &Option<T>)| {
        let fitted = stat.clone().ok_or(Error::NoRows).and_then(&fit);
        fitted.map_err(|error| Error::WithoutFold { fold, error: Box::new(error) })
    };
    stats.iter().enumerate().map(fold).collect()
}

/// # Errors
/// [`FoldRefusal::ClassInOne`] for a class that only the rows left out have; [`Error::NoRows`] where none has any.
fn knows_every_class(folds: &[Classes]) -> Result<(), Error> {
    let all: BTreeSet<&Label> = folds.iter().flat_map(|fold| &fold.0).collect();
    if all.is_empty() {
        return Err(Error::NoRows);
    }
    let alone = |label: &&&Label| folds.iter().filter(|fold| fold.0.contains(**label)).count() == 1;
    match all.iter().find(alone) {
        Some(class) => Err(FoldRefusal::ClassInOne { class: class.to_string() }.into()),
        None => Ok(()),
    }
}

/// Fits a classifier to the rows that were not left out.
pub(super) fn fit_fold(
    spec: &CovarianceSpec,
    priors: &Priors,
    features: &[String],
    loss: Option<&Loss>,
    stat: LabelStat,
) -> Result<Classifier, Error> {
    with_loss(Classifier::fit(spec, priors, stat, features)?.classifier, loss)
}

fn with_loss(classifier: Classifier, loss: Option<&Loss>) -> Result<Classifier, Error> {
    match loss {
        Some(loss) => classifier.with_loss(loss.clone()),
        None => Ok(classifier),
    }
}

/// For each part, the merge of all the others: each half is handed what lies outside it.
fn without_each<T: Merge + Clone>(parts: &[T]) -> Vec<Option<T>> {
    let mut into = Vec::with_capacity(parts.len());
    if !parts.is_empty() {
        halve(parts, None, &mut into);
    }
    into
}

fn halve<T: Merge + Clone>(parts: &[T], outside: Option<T>, into: &mut Vec<Option<T>>) {
    if parts.len() <= 1 {
        into.push(outside);
        return;
    }
    let (left, right) = parts.split_at(parts.len() / 2);
    let with = |half: &[T]| {
        half.iter().cloned().fold(outside.clone(), |sum, part| match sum {
            Some(sum) => Some(sum.merge(part)),
            None => Some(part),
        })
    };
    halve(left, with(right), into);
    halve(right, with(left), into);
}
