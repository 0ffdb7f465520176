//! Puts a model, its classes and a loss together: what is saved, judged and asked for labels.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::covariance::{CovarianceSpec, Priors, Report};
use crate::data::{Block, Label};
use crate::decide::{Action, Loss};
use crate::error::{Error, OutlierRefusal, ParameterRefusal};
use crate::mixture::{Mixture, Noise, Sample, Score, Scores};
use crate::naive::{ProductReport, ProductSpec, ProductStat};
use crate::posterior::Posterior;
use crate::scorer::Scorer;
use crate::sweep::LabelStat;

/// A fitted classifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Classifier {
    model: Scorer,
    /// The class of each component, noise included.
    owner: Vec<usize>,
    classes: Vec<Label>,
    features: Vec<String>,
    loss: Loss,
}

/// A classifier and how its fit went.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The classifier.
    pub classifier: Classifier,
    /// What a user should know about the fit.
    pub report: Report,
}

/// What a classifier says about some rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// Probabilities of the classes.
    pub posterior: Posterior,
    /// The action taken for each row, as a number into the loss's actions.
    pub actions: Vec<usize>,
}

impl Classifier {
    /// Puts a classifier together in which each class is one component, noise included.
    ///
    /// # Errors
    /// [`Error::Shape`] when classes, features and loss do not fit the model.
    pub fn new(
        model: impl Into<Scorer>,
        classes: Vec<Label>,
        features: Vec<String>,
        loss: Loss,
    ) -> Result<Self, Error> {
        let model = model.into();
        let owner = (0..model.components()).collect();
        shape("classes", model.components(), classes.len())?;
        Self::owned(model, owner, classes, features, loss)
    }

    /// Puts a classifier together in which component `k` of the model belongs to class `owner[k]`: the density
    /// of a class is that of all its components together \[M65\].
    ///
    /// # Errors
    /// [`Error::Shape`] when owners, classes, features and loss do not fit the model, or a class owns nothing;
    /// [`OutlierRefusal::NoDensities`] for a loss that rejects by density where there is none;
    /// [`ParameterRefusal::SharesLost`] for a class of several components that has no weight.
    pub fn owned(
        model: impl Into<Scorer>,
        owner: Vec<usize>,
        classes: Vec<Label>,
        features: Vec<String>,
        loss: Loss,
    ) -> Result<Self, Error> {
        let model = model.into();
        shape("owners", model.components(), owner.len())?;
        let found = owner.iter().copied().max().map_or(0, |most| most.saturating_add(1));
        shape("classes", found, classes.len())?;
        let owns = (0..classes.len()).filter(|class| owner.contains(class)).count();
        shape("classes with a component", classes.len(), owns)?;
        shape("features", model.dim(), features.len())?;
        shape("classes of the loss", classes.len(), loss.classes())?;
        let different: HashSet<&Label> = classes.iter().collect();
        shape("different classes", classes.len(), different.len())?;
        if loss.outliers().is_some() && !model.is_generative() {
            return Err(OutlierRefusal::NoDensities { model: model.name() }.into());
        }
        let found = Self { model, owner, classes, features, loss };
        found.refuse_lost()?;
        Ok(found)
    }

    /// Refuses a class of several components without weight: their shares of it are not to be known again.
    fn refuse_lost(&self) -> Result<(), Error> {
        for (class, prior) in self.priors().into_iter().enumerate() {
            let components = self.owner.iter().filter(|owner| **owner == class).count();
            if prior == 0.0 && components > 1 {
                let class = self.classes[class].to_string();
                return Err(Error::Parameter(ParameterRefusal::SharesLost { class, components }));
            }
        }
        Ok(())
    }

    /// Fits a classifier to statistics that are already summed up.
    ///
    /// # Errors
    /// What [`CovarianceSpec::estimate`] refuses, by the names of classes and features;
    /// [`Error::OneClass`] where there is nothing to tell apart.
    pub fn fit(
        spec: &CovarianceSpec,
        priors: &Priors,
        stat: LabelStat,
        features: &[String],
    ) -> Result<Fitted, Error> {
        if let [class] = stat.labels() {
            return Err(Error::OneClass { class: class.to_string() });
        }
        Self::fit_any(spec, priors, stat, features)
    }

    /// As [`Classifier::fit`], for any number of classes: of one alone every row is a member.
    ///
    /// # Errors
    /// What [`CovarianceSpec::estimate`] refuses, by the names of classes and features.
    pub fn fit_any(
        spec: &CovarianceSpec,
        priors: &Priors,
        stat: LabelStat,
        features: &[String],
    ) -> Result<Fitted, Error> {
        let (classes, moments) = stat.sorted();
        let estimate = spec.estimate(&moments, priors, None).map_err(|error| {
            spec.with_remedies(error, &moments, priors).named(&classes, features)
        })?;
        let loss = Loss::zero_one(classes.len());
        let classifier = Self::new(estimate.mixture, classes, features.to_vec(), loss)?;
        Ok(Fitted { classifier, report: estimate.report })
    }

    /// Fits a product of densities to statistics that are already summed up.
    ///
    /// # Errors
    /// What [`ProductSpec::estimate`] refuses, by the names of classes and features; [`Error::OneClass`] where there
    /// is nothing to tell apart.
    pub fn fit_product(
        spec: &ProductSpec,
        priors: &Priors,
        stat: ProductStat,
        features: &[String],
    ) -> Result<(Self, ProductReport), Error> {
        if let [class] = stat.labels() {
            return Err(Error::OneClass { class: class.to_string() });
        }
        Self::fit_any_product(spec, priors, stat, features)
    }

    /// As [`Classifier::fit_product`], for any number of classes.
    ///
    /// # Errors
    /// What [`ProductSpec::estimate`] refuses, by the names of classes and features.
    pub fn fit_any_product(
        spec: &ProductSpec,
        priors: &Priors,
        stat: ProductStat,
        features: &[String],
    ) -> Result<(Self, ProductReport), Error> {
        let (classes, product, report) = spec.estimate(stat, priors, features)?;
        let loss = Loss::zero_one(classes.len());
        Ok((Self::new(product, classes, features.to_vec(), loss)?, report))
    }

    /// The model.
    pub fn model(&self) -> &Scorer {
        &self.model
    }

    /// The model, where it is Gaussian.
    ///
    /// # Errors
    /// [`ColumnRefusal::NoGaussians`](crate::ColumnRefusal::NoGaussians).
    pub fn mixture(&self) -> Result<&Mixture, Error> {
        self.model.mixture()
    }

    /// Gaussians, one per class, that decide as this classifier does; they need not be densities of its rows.
    ///
    /// # Errors
    /// As for [`Classifier::gaussians`]; what [`Softmax::rule`](crate::Softmax::rule) refuses.
    pub fn rule(&self) -> Result<Cow<'_, Mixture>, Error> {
        if let Scorer::Softmax(softmax) = &self.model {
            return softmax.rule().map(Cow::Owned);
        }
        self.gaussians().map(Cow::Borrowed)
    }

    /// The class of each component, noise included.
    pub fn owner(&self) -> &[usize] {
        &self.owner
    }

    /// Whether each class is one component, in their order.
    pub fn is_one_each(&self) -> bool {
        self.owner.iter().enumerate().all(|(k, class)| k == *class)
    }

    /// The model, where each class is one Gaussian of it: what has boundaries and errors in closed form.
    ///
    /// # Errors
    /// [`Error::NotOneEach`] where a class owns several components, or is noise, and where there are no Gaussians.
    pub fn gaussians(&self) -> Result<&Mixture, Error> {
        let mixture = self.mixture()?;
        if self.is_one_each() && mixture.noise().is_none() {
            return Ok(mixture);
        }
        let several = |class: &usize| self.owner.iter().filter(|owner| *owner == class).count() > 1;
        let class = (0..self.classes.len()).find(several).unwrap_or(self.classes.len() - 1);
        Err(Error::NotOneEach { class: self.classes[class].to_string() })
    }

    /// Prior of each class: the shares of its components.
    pub fn priors(&self) -> Vec<f64> {
        let shares = self.model.shares();
        if self.is_one_each() {
            return shares;
        }
        let mut sums = vec![0.0; self.classes.len()];
        self.owner.iter().zip(shares).for_each(|(class, share)| sums[*class] += share);
        sums
    }

    /// The classes, sorted as scikit-learn sorts them.
    pub fn classes(&self) -> &[Label] {
        &self.classes
    }

    /// The names of the columns.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// The loss.
    pub fn loss(&self) -> &Loss {
        &self.loss
    }

    /// The number of a class.
    ///
    /// # Errors
    /// [`Error::UnknownClass`].
    pub fn class(&self, label: &Label) -> Result<usize, Error> {
        let found = self.classes.iter().position(|class| class == label);
        found.ok_or_else(|| Error::UnknownClass { class: label.to_string() })
    }

    /// The label of an action: a class, or `None` for reject.
    pub fn action_label(&self, action: usize) -> Option<&Label> {
        match self.loss.actions()[action] {
            Action::Class(k) => self.classes.get(k),
            Action::Reject => None,
        }
    }

    /// The same with other priors; no refit.
    ///
    /// # Errors
    /// What [`Priors::resolve`] refuses; [`ParameterRefusal::SharesLost`] for a prior of 0 where a class has several
    /// components.
    pub fn with_priors(mut self, priors: &Priors) -> Result<Self, Error> {
        let noise = self.mixture().ok().and_then(Mixture::noise).cloned();
        if self.is_one_each() && noise.is_none() {
            self.model = self.model.with_priors(priors)?;
            return Ok(self);
        }
        let before = self.priors();
        let after = priors.resolve(&before)?;
        // Components of a class keep their shares of it; one without weight is alone in its class.
        let share = |(&class, share): (&usize, f64)| {
            let own = if before[class] > 0.0 { share / before[class] } else { 1.0 };
            after[class] * own
        };
        let shares: Vec<f64> = self.owner.iter().zip(self.model.shares()).map(share).collect();
        let mixture = self.mixture()?;
        let gaussians = mixture.components();
        let weights = Priors::Observed.resolve(&shares[..gaussians])?;
        let noise = noise.map(|noise| Noise { share: shares[gaussians], ..noise });
        self.model = mixture.with_weights(&Priors::Given(weights))?.with_noise(noise)?.into();
        self.refuse_lost()?;
        Ok(self)
    }

    /// The same with another loss; no refit.
    ///
    /// # Errors
    /// [`Error::Shape`] when the loss has other classes.
    pub fn with_loss(self, loss: Loss) -> Result<Self, Error> {
        Self::owned(self.model, self.owner, self.classes, self.features, loss)
    }

    /// `rows` rows of this model with the names of their classes, drawn as they are read \[M51\].
    ///
    /// # Errors
    /// [`Error::NotGaussian`] for a density that is no Gaussian.
    pub fn sample(&self, rows: u64, seed: u64) -> Result<Sample<'_>, Error> {
        self.mixture()?.sample_as(self.classes.clone(), &self.owner, rows, seed)
    }

    /// Log scores of the classes: log prior plus log density.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn scores(&self, block: &Block<'_>) -> Result<Scores, Error> {
        let scores = self.model.scores(block).map_err(|error| self.named(error))?;
        if self.is_one_each() {
            return Ok(scores);
        }
        Ok(scores.by_class(&self.owner, self.classes.len()))
    }

    /// Squared Mahalanobis distances, row by row and class by class: to the nearest Gaussian of a class, infinite
    /// where it has none.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn distances_sq(&self, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        let mixture = self.mixture()?;
        let distances = mixture.mahalanobis_sq(block)?;
        let (gaussians, classes) = (mixture.components(), self.classes.len());
        if self.is_one_each() && gaussians == classes {
            return Ok(distances);
        }
        let mut nearest = vec![f64::INFINITY; block.rows().count() * classes];
        let rows = distances.chunks_exact(gaussians).zip(nearest.chunks_exact_mut(classes));
        for (row, nearest) in rows {
            for (distance, &class) in row.iter().zip(&self.owner) {
                nearest[class] = nearest[class].min(*distance);
            }
        }
        Ok(nearest)
    }

    fn named(&self, error: Error) -> Error {
        error.named(&self.classes, &self.features)
    }

    /// Posteriors and actions for the rows of a block.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn predict(&self, block: &Block<'_>) -> Result<Prediction, Error> {
        let posterior = Posterior::from_scores(self.scores(block)?);
        let actions = self.loss.decide(&posterior);
        Ok(Prediction { posterior, actions })
    }

    /// P(class | row), row by row, for who wants nothing else.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn probabilities(&self, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        let mut all = vec![0.0; block.rows().count() * self.classes.len()];
        self.probabilities_into(block, &mut all)?;
        Ok(all)
    }

    /// The same, written where they belong.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns, or there is other room than they take.
    pub fn probabilities_into(&self, block: &Block<'_>, into: &mut [f64]) -> Result<(), Error> {
        if self.is_one_each() {
            return self.model.probabilities_into(block, into).map_err(|error| self.named(error));
        }
        self.scores(block)?.probabilities_into(into)
    }

    /// Actions alone for the rows of a block.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn actions(&self, block: &Block<'_>) -> Result<Vec<usize>, Error> {
        Ok(self.loss.decide_scores(&self.scores(block)?))
    }
}

fn shape(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
}
