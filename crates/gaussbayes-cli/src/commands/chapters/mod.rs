//! Makes the chapters of a page: each adds to what a tour or a report has begun to tell.

mod boundaries;
mod clusters;
mod compared;
mod costs;
mod data;
mod exact;
mod growth;
mod judged;
mod outliers;
mod read;
mod scaling;
mod singular;
mod subject;

use gaussbayes::{Classifier, Learner, Priors};

pub(super) use boundaries::{explained, formula};
pub(super) use clusters::{Found, against_classes, by_bic, clusters, influential, steps, widest};
pub(super) use compared::{Compared, compared};
pub(super) use costs::{dearer, moved, written};
pub(super) use data::{Described, described, summary};
pub(super) use exact::{exact_beside, exact_of};
pub(super) use growth::Growth;
pub(super) use judged::{confused, roc_curves};
pub(super) use outliers::{farthest, one_moved};
pub(super) use scaling::{drawn as scaling_drawn, units};
pub(super) use singular::inverses;
pub(super) use subject::Subject;

use super::workers::Workers;
use crate::args::Common;
use crate::failure::Failure;
use crate::page::Chapter;

/// What chapters are made with.
pub(super) struct Bench<'a> {
    pub(super) workers: &'a Workers,
    pub(super) common: &'a Common,
}

impl Bench<'_> {
    /// A chapter, or one that says in a sentence why there is none; what was interrupted ends the page.
    pub(super) fn chapter(
        &self,
        id: &'static str,
        title: impl Into<String>,
        make: impl FnOnce(&mut Chapter) -> Result<(), Failure>,
    ) -> Result<Chapter, Failure> {
        let title = title.into();
        self.workers.watch().say(title.to_lowercase(), None);
        let mut chapter = Chapter::new(id, title.clone());
        let made = make(&mut chapter);
        self.workers.unless_interrupted()?;
        Ok(match made {
            Ok(()) => chapter,
            Err(failure) => {
                let why = match failure.hint() {
                    Some(hint) => format!("{}; {hint}", failure.message()),
                    None => failure.message(),
                };
                Chapter::missing(id, title, &why)
            }
        })
    }

    /// A classifier learnt from all rows of a subject.
    pub(super) fn learnt(
        &self,
        subject: &Subject,
        learner: &Learner,
        priors: &Priors,
    ) -> Result<Classifier, Failure> {
        let (features, on) = (&subject.features, self.workers.on());
        Ok(learner.learn(priors, features, &mut subject.all.source(), on)?.classifier)
    }
}

/// Refuses what needs classes to tell apart where there is one alone.
pub(super) fn needs_classes(subject: &Subject) -> Result<(), Failure> {
    match subject.classes().as_slice() {
        [_, _, ..] => Ok(()),
        [] => Err(gaussbayes::Error::NoRows.into()),
        [only] => {
            let message = format!("every row is of class '{only}'");
            Err(Failure::usage(message, "there is nothing to tell apart"))
        }
    }
}

/// Refuses what needs columns of numbers where there are none.
pub(super) fn needs_numbers(subject: &Subject) -> Result<(), Failure> {
    if subject.features.is_empty() {
        let message = "no column holds numbers, and Gaussians are about numbers";
        return Err(Failure::usage(message, "naive Bayes reads columns of any type"));
    }
    Ok(())
}
