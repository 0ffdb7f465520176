//! Compares classifiers on the rows of a subject, by the same folds for all.

use gaussbayes::{
    Amount, Candidate, CovarianceSpec, Density, Family, Judgement, Learner, OnSingular, Pooling,
    SoftmaxSpec,
};

use gaussbayes_plot::ranking;

use super::{Bench, Subject};
use crate::args::{Estimation, Options};
use crate::commands::compare::{NAIVE_BAYES, Named3, Timed, Trial};
use crate::commands::ranked::{Entry, Ranked};
use crate::commands::typed;
use crate::failure::Failure;
use crate::models::{CLASSIFIERS, Named, SOFTMAX, TEXTBOOK};
use crate::page::Chapter;
use crate::text::per_cent;

/// Rows times squared parameters up to which softmax regression joins in.
const SOFTMAX_WORK: usize = 100_000_000;

/// Classifiers by their errors, and what was learnt how.
pub(in crate::commands) struct Compared {
    pub(in crate::commands) ranked: Ranked,
    candidates: Vec<Named3>,
}

impl Compared {
    /// The Gaussian classifier to go on with: the advised one, or the one of the fewest errors.
    pub(in crate::commands) fn best(&self) -> Option<(&Named3, &Judgement)> {
        let advised = self.ranked.ranking.advised.into_iter();
        let order = advised.chain(self.ranked.ranking.order.iter().copied());
        let mut gaussian = order.filter_map(|i| {
            let name = &self.ranked.entries[i].name;
            let family = self.ranked.entries[i].family;
            let own = self.candidates.iter().find(|one| one.0 == *name && one.1 == family)?;
            let judged = self.ranked.entries[i].judged.as_ref().ok()?;
            Some((own, judged))
        });
        gaussian.find(|(own, _)| own.2.0.gaussian().is_ok())
    }

    /// What came of the classifier of a name.
    pub(in crate::commands) fn judged(&self, name: &str) -> Option<&Judgement> {
        let entry = self.ranked.entries.iter().find(|entry| entry.name == name)?;
        entry.judged.as_ref().ok()
    }
}

/// Options that nobody has asked for.
fn plain_options() -> Options {
    Options {
        priors: None,
        ddof: 0,
        pooling: Pooling::Size,
        shrinkage: None,
        shrink_to: None,
        ridge: 0.0,
        on_singular: OnSingular::Refuse,
        standardize: false,
    }
}

/// Candidates of these names: families as they are.
pub(in crate::commands) fn gaussians(classifiers: &[Named]) -> Vec<Named3> {
    let candidate = |named: &Named| {
        let spec = CovarianceSpec::from(named.family);
        let priors = spec.default_priors();
        (named.name.to_string(), Some(named.family), (spec.into(), priors))
    };
    classifiers.iter().map(candidate).collect()
}

/// Judges candidates on the rows of a subject.
pub(in crate::commands) fn judged(
    candidates: Vec<Named3>,
    subject: &Subject,
    bench: &Bench<'_>,
) -> Result<Ranked, Failure> {
    let trial = trial(&subject.features, subject, bench);
    Ok(Ranked::new(trial.judged(candidates, &subject.rows, Timed::No)?, false))
}

fn trial<'a>(features: &'a [String], subject: &Subject, bench: &'a Bench<'_>) -> Trial<'a> {
    let folds = subject.folds;
    Trial { features, loss: None, folds, repeat: 1, workers: bench.workers }
}

/// Judges every classifier of the textbooks, and adds their table to a chapter.
pub(in crate::commands) fn compared(
    chapter: &mut Chapter,
    subject: &Subject,
    bench: &Bench<'_>,
) -> Result<Compared, Failure> {
    let classes = subject.classes().len();
    let mut candidates = Vec::new();
    let mut entries = Vec::new();
    if !subject.features.is_empty() {
        candidates = gaussians(&CLASSIFIERS[..TEXTBOOK]);
        let parameters = classes * (subject.features.len() + 1);
        if subject.rows.rows() * parameters * parameters <= SOFTMAX_WORK && classes > 1 {
            let learner = Learner::from(SoftmaxSpec::default());
            candidates.push((SOFTMAX.into(), None, (learner, gaussbayes::Priors::Observed)));
        }
        let trial = trial(&subject.features, subject, bench);
        entries = trial.judged(candidates.clone(), &subject.rows, Timed::No)?;
    }
    if let Some(held) = &subject.typed_rows {
        let asked = Estimation {
            model: None,
            rda: None,
            density: Density::PlugIn,
            options: plain_options(),
            typed: crate::args::Typed::default(),
            penalty: None,
        };
        let (spec, priors) = typed::spec(&asked, &held.types, &held.features)?;
        let name = format!("{NAIVE_BAYES}, all columns");
        let own: Candidate = (spec.into(), priors);
        let trial = trial(&held.features, subject, bench);
        entries.extend(trial.judged(vec![(name, None, own)], &held.rows, Timed::No)?);
    }
    let ranked = Ranked::new(entries, false);
    table(chapter, subject, &ranked);
    Ok(Compared { ranked, candidates })
}

fn table(chapter: &mut Chapter, subject: &Subject, ranked: &Ranked) {
    let rows = subject.rows.rows();
    let caption = format!(
        "Errors on {}, each row judged by a classifier that has not seen it ({} folds, {rows} rows)",
        subject.name, subject.folds.count
    );
    chapter.table(caption, ranked.page_cells());
    let standing = |(_, entry): (usize, &Entry)| {
        let judged = entry.judged.as_ref().ok()?;
        Some((entry.name.clone(), judged.error_rate(), judged.interval()))
    };
    let standings: Vec<_> = ranked.best_first().filter_map(standing).collect();
    chapter.figure(ranking(&standings));
    for reason in ranked.reasons() {
        chapter.without(&format!("cannot be fitted: {reason}"));
    }
    if let Some(advice) = ranked.advice() {
        chapter.say(format!("Which to take? {advice}."));
    }
    let best = ranked.best_first().find_map(|(_, entry)| {
        let judged = entry.judged.as_ref().ok()?;
        Some(format!("{} errs least: {}", entry.name, per_cent(judged.error_rate())))
    });
    if let Some(best) = best {
        chapter.brief(format!("{}: {best} ({} folds)", subject.name, subject.folds.count));
    }
}

/// What a family is called with an automatic amount of shrinkage.
pub(in crate::commands) fn shrunk(family: Family) -> CovarianceSpec {
    use gaussbayes::{Shrinkage, Target};
    let mut spec = CovarianceSpec::from(family);
    let amount = Amount::LedoitWolf;
    spec.shrinkage = Some(Shrinkage::Toward { amount, target: Target::Diagonal });
    spec
}
