//! Puts a model, its classes and a loss together: what is saved, judged and asked for labels.

use std::collections::HashSet;

use crate::covariance::{CovarianceSpec, Priors, Report};
use crate::data::{Block, Label};
use crate::decide::{Action, Loss};
use crate::error::Error;
use crate::mixture::{Mixture, Sample, Score};
use crate::posterior::Posterior;
use crate::sweep::LabelStat;

/// A fitted classifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Classifier {
    model: Mixture,
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
    /// Puts a classifier together.
    ///
    /// # Errors
    /// [`Error::Shape`] when classes, features and loss do not fit the model.
    pub fn new(
        model: Mixture,
        classes: Vec<Label>,
        features: Vec<String>,
        loss: Loss,
    ) -> Result<Self, Error> {
        let shape = |what, expected, found| {
            if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
        };
        shape("classes", model.components(), classes.len())?;
        shape("features", model.dim(), features.len())?;
        shape("classes of the loss", classes.len(), loss.classes())?;
        let different: HashSet<&Label> = classes.iter().collect();
        shape("different classes", classes.len(), different.len())?;
        Ok(Self { model, classes, features, loss })
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

    /// The model.
    pub fn model(&self) -> &Mixture {
        &self.model
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
    /// What [`Priors::resolve`] refuses.
    pub fn with_priors(mut self, priors: &Priors) -> Result<Self, Error> {
        self.model = self.model.with_weights(priors)?;
        Ok(self)
    }

    /// The same with another loss; no refit.
    ///
    /// # Errors
    /// [`Error::Shape`] when the loss has other classes.
    pub fn with_loss(self, loss: Loss) -> Result<Self, Error> {
        Self::new(self.model, self.classes, self.features, loss)
    }

    /// `rows` rows of this model with the names of their classes, drawn as they are read \[M51\].
    ///
    /// # Errors
    /// [`Error::NotGaussian`] for a density that is no Gaussian.
    pub fn sample(&self, rows: u64, seed: u64) -> Result<Sample<'_>, Error> {
        self.model.sample_as(self.classes.clone(), rows, seed)
    }

    /// Posteriors and actions for the rows of a block.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn predict(&self, block: &Block<'_>) -> Result<Prediction, Error> {
        let posterior = Posterior::from_scores(self.model.scores(block)?);
        let actions = self.loss.decide(&posterior);
        Ok(Prediction { posterior, actions })
    }

    /// Actions alone for the rows of a block.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn actions(&self, block: &Block<'_>) -> Result<Vec<usize>, Error> {
        Ok(self.loss.decide_scores(&self.model.scores(block)?))
    }
}
