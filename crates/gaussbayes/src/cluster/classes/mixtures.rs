//! Fits a mixture to every class by a search of its own, and joins them to a classifier \[M65\].

use std::ops::ControlFlow;

use super::partly::PartlySweep;
use super::semi::{SemiEm, joint, refuse_few, refuse_zero};
use crate::classify::Classifier;
use crate::cluster::{
    Cell, EmSpec, EmState, Entry, Outliers, Ownership, Sampled, Search, SearchSpec, Starts,
};
use crate::covariance::{Family, Priors};
use crate::data::{Label, OfClass, Source};
use crate::decide::Loss;
use crate::error::{Error, OutlierRefusal};
use crate::mixture::Mixture;
use crate::sweep::{On, run};

/// How a mixture is found for every class.
#[derive(Debug, Clone, PartialEq)]
pub struct MixturesSpec {
    /// What is tried for a class, and how.
    pub search: SearchSpec,
    /// Classes for which something else is tried.
    pub own: Vec<(Label, Vec<Cell>)>,
    /// Priors of the classes.
    pub priors: Priors,
}

impl MixturesSpec {
    /// # Errors
    /// What [`EmSpec::check`] refuses; [`Error::NotForFamily`] for k-means, which is no density;
    /// [`OutlierRefusal::PerClass`] for noise, which belongs to no class.
    fn check(&self) -> Result<(), Error> {
        if self.search.spec.outliers == Outliers::Noise {
            return Err(OutlierRefusal::PerClass.into());
        }
        let cells = self.search.cells.iter().chain(self.own.iter().flat_map(|(_, cells)| cells));
        match cells.map(|cell| cell.family).find(|family| *family == Family::Unit) {
            Some(unit) => {
                Err(Error::NotForFamily { what: "mixture per class", family: unit.name() })
            }
            None => self.search.spec.check(),
        }
    }

    /// What is tried for one class.
    fn of(&self, class: &Label) -> SearchSpec {
        let own = self.own.iter().find(|(label, _)| label == class).map(|(_, cells)| cells.clone());
        SearchSpec {
            cells: own.unwrap_or_else(|| self.search.cells.clone()),
            ..self.search.clone()
        }
    }
}

/// The mixture of one class, and what else was tried.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassMixture {
    /// The class.
    pub class: Label,
    /// Weight of its labelled rows.
    pub weight: f64,
    /// Everything that was tried.
    pub search: Search,
    /// Which of these is the best.
    pub chosen: usize,
}

impl ClassMixture {
    /// The mixture that was chosen.
    pub fn best(&self) -> &Entry {
        &self.search.entries()[self.chosen]
    }

    fn mixture(&self) -> Result<&Mixture, Error> {
        self.best().state.as_ref().map(EmState::mixture).ok_or(Error::NoRows)
    }
}

/// A classifier in which every class is a mixture, and how it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixtures {
    /// The classifier.
    pub classifier: Classifier,
    /// The search of each class, on its labelled rows alone.
    pub classes: Vec<ClassMixture>,
    /// Rows of positive weight.
    pub rows: u64,
    /// Those of them that have no label.
    pub unlabelled_rows: u64,
    /// Weight of the rows that have a label.
    pub labelled: f64,
    /// Weight of those that have none.
    pub unlabelled: f64,
    /// Parameters estimated.
    pub parameters: usize,
    /// How EM over all rows went; none where every row has a label.
    pub em: Option<SemiEm>,
}

/// Chooses a mixture for every class on its labelled rows; where other rows have no label, EM over all
/// rows goes on from there \[M65\].
///
/// # Errors
/// What the source refuses, [`Error::NoLabels`], [`Error::OneClass`], [`Error::UnknownClass`] for cells of
/// a class without rows, [`Error::InClass`] where no mixture of a class can be fitted.
pub fn mixture_per_class<S: Source>(
    spec: &MixturesSpec,
    source: &mut S,
    on: On<'_>,
) -> Result<Mixtures, S::Error> {
    spec.check()?;
    source.rewind()?;
    let stat = run(&PartlySweep::new(spec.search.spec.storage()), source, on)?;
    refuse_few(&stat)?;
    let (labels, moments) = stat.labelled().clone().sorted();
    if let Some((class, _)) = spec.own.iter().find(|(class, _)| !labels.contains(class)) {
        return Err(Error::UnknownClass { class: class.to_string() }.into());
    }
    if stat.unlabelled_rows() > 0 {
        refuse_zero(&spec.priors).map_err(|error| error.named(&labels, &[]))?;
    }
    let mut classes = Vec::with_capacity(labels.len());
    for (class, &weight) in labels.iter().zip(moments.weight()) {
        classes.push(of_class(&spec.of(class), class, weight, source, on)?);
    }
    let (mixture, ownership) = joined(&classes, &spec.priors)?;
    let mut parameters = if spec.priors == Priors::Observed { labels.len() - 1 } else { 0 };
    parameters += classes
        .iter()
        .filter_map(|class| class.best().criteria)
        .map(|c| c.parameters)
        .sum::<usize>();
    let (mut model, mut owner, mut em) = (mixture, ownership.owner().to_vec(), None);
    if stat.unlabelled_rows() > 0 {
        let own = EmSpec { priors: spec.priors.clone(), ..spec.search.spec.clone() };
        let state = EmState::owned(own, model, ownership)?;
        let features = &spec.search.features;
        let (state, criteria, _) =
            joint(state, source, on, &mut |_| ControlFlow::Continue(()), features)?;
        parameters = state.parameters();
        model = state.mixture().clone();
        owner = state.ownership().map_or(owner, |ownership| ownership.owner().to_vec());
        em = Some(SemiEm { first: None, state, criteria });
    }
    let (features, loss) = (spec.search.features.clone(), Loss::zero_one(labels.len()));
    let classifier = Classifier::owned(model, owner, labels, features, loss)?;
    Ok(Mixtures {
        classifier,
        classes,
        rows: stat.rows(),
        unlabelled_rows: stat.unlabelled_rows(),
        labelled: moments.weight().iter().sum(),
        unlabelled: stat.unlabelled(),
        parameters,
        em,
    })
}

/// The search of one class.
fn of_class<S: Source>(
    spec: &SearchSpec,
    class: &Label,
    weight: f64,
    source: &mut S,
    on: On<'_>,
) -> Result<ClassMixture, S::Error> {
    let named = |error: Error| match error {
        error @ Error::Cancelled { .. } => error,
        error => Error::InClass { class: class.to_string(), error: error.into() },
    };
    let source = &mut OfClass::new(source, class.clone());
    source.rewind()?;
    let sampled = Sampled::draw(source, Sampled::enough(source.dim()), spec.seed, on)?;
    let mut search = Search::new(spec);
    let each = &mut |_: &Search| ControlFlow::Continue(());
    let starts = Starts::of(&spec.spec, &sampled, spec.seed, source, on)?;
    search.start_on(spec, &starts, on, each).map_err(named)?;
    search.go_on(source, on, each)?;
    let best = search.best().ok_or_else(|| named(Error::NoRows))?;
    let chosen = search.entries().iter().position(|entry| std::ptr::eq(entry, best)).unwrap_or(0);
    Ok(ClassMixture { class: class.clone(), weight, search, chosen })
}

/// All components in one mixture: shares within a class times its prior.
fn joined(classes: &[ClassMixture], priors: &Priors) -> Result<(Mixture, Ownership), Error> {
    let weights: Vec<f64> = classes.iter().map(|class| class.weight).collect();
    let priors = priors.resolve(&weights)?;
    let parts = classes.iter().map(ClassMixture::mixture).collect::<Result<Vec<_>, Error>>()?;
    let (mut shares, mut owner) = (Vec::new(), Vec::new());
    for (class, (part, prior)) in parts.iter().zip(priors).enumerate() {
        shares.extend(part.weights().iter().map(|weight| prior * weight));
        owner.resize(shares.len(), class);
    }
    let families = classes.iter().map(|class| class.best().cell.family).collect();
    let labels = classes.iter().map(|class| class.class.clone()).collect();
    let ownership = Ownership::new(labels, owner)?.with_families(families)?;
    Ok((Mixture::joined(&parts, shares)?, ownership))
}
