//! Shows covariances that have no inverse, or hardly one, and what helps.

use gaussbayes::{
    Classifier, CovarianceSpec, Error, Family, Label, LabelSweep, OnSingular, Remedy, run as sweep,
};
use serde_json::{Value, json};

use super::compared::{judged, shrunk};
use super::{Bench, Subject};
use crate::commands::compare::Named3;
use crate::failure::Failure;
use crate::models::remedy as in_words;
use crate::page::{Chapter, sentence};
use crate::text::{count, per_cent, plural, short};

/// Classes that are listed.
const LISTED: usize = 20;

/// Remedies that are tried on rows left out.
const TRIED: usize = 3;

/// Adds how well the covariance of every class is known, and what the cures do to the error.
pub(in crate::commands) fn inverses(
    chapter: &mut Chapter,
    subject: &Subject,
    sizes: &[(Label, f64)],
    bench: &Bench<'_>,
) -> Result<Value, Failure> {
    let dim = subject.features.len();
    let numbers = dim * (dim + 1) / 2;
    let refused = singular(&CovarianceSpec::qda(), subject, bench)?;
    chapter.say(format!(
        "A covariance of {} is {}; to have an inverse it needs more than {dim} rows in general \
         position, and to be known well, many more.",
        plural(dim, "column"),
        plural(numbers, "number"),
    ));
    let spec = shrunk(Family::Vvv);
    let amounts = amounts(&spec, subject, bench);
    let mut cells =
        vec![["class", "rows", "rows a number", "shrinkage advised"].map(String::from).to_vec()];
    for (k, (class, size)) in sizes.iter().enumerate().take(LISTED) {
        let amount = amounts.as_ref().ok().and_then(|all| all.get(k)).copied();
        let amount = amount.map_or_else(|| "-".into(), short);
        cells.push(vec![class.to_string(), count(*size), short(size / numbers as f64), amount]);
    }
    chapter.table(
        "Rows for each number of a class covariance, and Ledoit and Wolf's advice: 0 none, 1 all",
        cells,
    );
    let mut json = json!({ "singular": refused.is_some() });
    let remedies = if let Some((why, remedies)) = &refused {
        chapter.say(sentence(why));
        json["why"] = why.as_str().into();
        remedies.clone()
    } else {
        chapter.say("Every class covariance has its inverse.");
        Vec::new()
    };
    let tried = cures(&remedies);
    let names: Vec<String> = tried.iter().map(|(name, ..)| name.clone()).collect();
    let ranked = judged(tried, subject, bench)?;
    let mut cells = vec![["", "error", "95 % interval"].map(String::from).to_vec()];
    let mut all = Vec::new();
    for entry in &ranked.entries {
        let row = match &entry.judged {
            Ok(judged) => {
                let (low, high) = judged.interval();
                all.push(json!({ "model": entry.name, "error_rate": judged.error_rate() }));
                let interval = format!("{} to {}", per_cent(low), per_cent(high));
                vec![entry.name.clone(), per_cent(judged.error_rate()), interval]
            }
            Err(_) => vec![entry.name.clone(), "refused".into(), String::new()],
        };
        cells.push(row);
    }
    chapter.table("What the cures do to the error of rows left out", cells);
    json["cures"] = all.into();
    chapter.brief(match &refused {
        Some(_) => {
            format!("qda is refused: a covariance has no inverse; tried {}", names.join(", "))
        }
        None => "every class covariance has its inverse".into(),
    });
    Ok(json)
}

/// Why a fit to all rows is refused, and what would help; nothing where it is not.
fn singular(
    spec: &CovarianceSpec,
    subject: &Subject,
    bench: &Bench<'_>,
) -> Result<Option<(String, Vec<Remedy>)>, Failure> {
    let source = &mut subject.all.source();
    let stat = sweep(&LabelSweep::new(spec.storage()), source, bench.workers.on())?;
    match Classifier::fit(spec, &spec.default_priors(), stat, &subject.features) {
        Ok(_) => Ok(None),
        Err(error) => match error.root() {
            Error::Singular(found) => {
                let advice = found.advice(in_words);
                let help = advice.map_or_else(String::new, |advice| format!("; {advice}"));
                Ok(Some((format!("{error}{help}"), found.remedies.clone())))
            }
            _ => Err(error.into()),
        },
    }
}

/// How much Ledoit and Wolf would shrink the covariance of each class.
fn amounts(
    spec: &CovarianceSpec,
    subject: &Subject,
    bench: &Bench<'_>,
) -> Result<Vec<f64>, Failure> {
    let on = bench.workers.on();
    let source = &mut subject.all.source();
    let stat = sweep(&LabelSweep::new(spec.storage()), source, on)?;
    let stat = stat.completed(spec, source, on)?;
    let fitted = Classifier::fit(spec, &spec.default_priors(), stat, &subject.features)?;
    Ok(fitted.report.amounts)
}

/// The full covariances as they are, the usual cures, and those that a refusal has named.
fn cures(remedies: &[Remedy]) -> Vec<Named3> {
    let named = |name: &str, spec: CovarianceSpec| {
        let priors = spec.default_priors();
        (name.to_string(), Some(spec.family), (spec.into(), priors))
    };
    let mut all = vec![
        named("qda", CovarianceSpec::qda()),
        named("qda --shrinkage auto", shrunk(Family::Vvv)),
        named("lda", CovarianceSpec::lda()),
        named("lda --shrinkage auto", shrunk(Family::Eee)),
    ];
    for remedy in remedies.iter().take(TRIED) {
        let mut spec = CovarianceSpec::qda();
        let name = match remedy {
            Remedy::Ridge(ridge) => {
                spec.ridge = gaussbayes::Ridge::OfEach(*ridge);
                format!("qda --ridge {ridge:e}")
            }
            Remedy::Range => {
                spec.on_singular = OnSingular::Range { above: 0.0 };
                "qda --on-singular range".into()
            }
            Remedy::Shrink(shrinkage) => {
                spec.shrinkage = Some(*shrinkage);
                "qda, shrunk as advised".into()
            }
            Remedy::LeaveOut(_) | Remedy::Family(_) => continue,
        };
        all.push(named(&name, spec));
    }
    all
}
