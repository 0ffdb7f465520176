//! Learns a classifier from rows, whatever the learner: as many passes as it takes.

use crate::classify::Classifier;
use crate::covariance::{CovarianceSpec, Priors, Report};
use crate::data::Source;
use crate::decide::Loss;
use crate::discriminative::{SoftmaxFit, SoftmaxReport, softmax_named};
use crate::error::Error;
use crate::learner::Learner;
use crate::naive::{ProductReport, ProductSweep};
use crate::sweep::{LabelSweep, On, run};

/// A classifier and how it was learnt.
#[derive(Debug, Clone, PartialEq)]
pub struct Learnt {
    /// The classifier.
    pub classifier: Classifier,
    /// What a user should know about it.
    pub report: LearntReport,
}

/// What a user should know about how a classifier was learnt.
#[derive(Debug, Clone, PartialEq)]
pub enum LearntReport {
    /// Of Gaussians.
    Gaussian(Report),
    /// Of a product of densities.
    Product(ProductReport),
    /// Of softmax regression.
    Softmax(SoftmaxReport),
}

/// How many numbers a classifier is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Those that were estimated.
    pub parameters: usize,
    /// Those that its decisions depend on: a linear rule has (K − 1)(d + 1), however it was found.
    pub rule: usize,
}

impl LearntReport {
    /// How many numbers the classifier is made of.
    pub fn size(&self) -> Size {
        match self {
            Self::Gaussian(report) => {
                Size { parameters: report.parameters, rule: report.decision_parameters }
            }
            Self::Product(report) => {
                Size { parameters: report.parameters, rule: report.parameters }
            }
            Self::Softmax(report) => {
                Size { parameters: report.parameters, rule: report.parameters }
            }
        }
    }
}

impl From<&CovarianceSpec> for Learner {
    fn from(spec: &CovarianceSpec) -> Self {
        Self::Gaussian(spec.clone())
    }
}

impl From<&Self> for Learner {
    fn from(learner: &Self) -> Self {
        learner.clone()
    }
}

impl Learner {
    /// Learns from all rows of a source.
    ///
    /// # Errors
    /// What the source or its rows refuse, and what the fit refuses; [`Error::OnePass`] where a learner reads rows more
    /// than once and the source cannot.
    pub fn learn<S: Source>(
        &self,
        priors: &Priors,
        features: &[String],
        source: &mut S,
        on: On<'_>,
    ) -> Result<Learnt, S::Error> {
        let learnt = match self {
            Self::Gaussian(spec) => {
                spec.check()?;
                let stat = run(&LabelSweep::new(spec.storage()), source, on)?;
                let stat = stat.completed(spec, source, on)?;
                let fitted = Classifier::fit(spec, priors, stat, features)?;
                let report = LearntReport::Gaussian(fitted.report);
                Learnt { classifier: fitted.classifier, report }
            }
            Self::Product(spec) => {
                let stat = run(&ProductSweep::new(spec), source, on)?;
                let (classifier, report) = Classifier::fit_product(spec, priors, stat, features)?;
                Learnt { classifier, report: LearntReport::Product(report) }
            }
            Self::Softmax(spec) => {
                softmax_named(spec, features, source, on)?.learnt(priors, features)?
            }
        };
        Ok(learnt)
    }
}

impl SoftmaxFit {
    /// The classifier that decides by it.
    ///
    /// # Errors
    /// What [`Priors::resolve`] refuses.
    pub fn learnt(self, priors: &Priors, features: &[String]) -> Result<Learnt, Error> {
        let loss = Loss::zero_one(self.labels.len());
        let mut classifier = Classifier::new(self.softmax, self.labels, features.to_vec(), loss)?;
        if *priors != Priors::Observed {
            classifier = classifier.with_priors(priors)?;
        }
        Ok(Learnt { classifier, report: LearntReport::Softmax(self.report) })
    }
}
