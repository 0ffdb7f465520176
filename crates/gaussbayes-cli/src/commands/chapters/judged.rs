//! Shows where a classifier errs: the confusion of its classes, and its ROC curves.

use gaussbayes::{Candidate, Judgement, Roc, out_of_fold};
use gaussbayes_plot::{RocLook, confusion, roc};
use serde_json::{Value, json};

use super::{Bench, Subject};
use crate::failure::Failure;
use crate::page::Chapter;
use crate::text::{count, short};

/// Classes up to which the whole table is printed.
const WHOLE_TABLE: usize = 12;

/// Errors that are listed of more classes.
const LISTED: usize = 10;

/// Curves that can be told apart in one picture.
const CURVES: usize = 6;

/// Adds what was said of rows of each class.
pub(in crate::commands) fn confused(chapter: &mut Chapter, name: &str, judged: &Judgement) {
    let classes = judged.classes();
    if classes.len() <= WHOLE_TABLE {
        let said = classes.iter().map(ToString::to_string);
        let head = std::iter::once("true \\ said".to_string()).chain(said).collect();
        let counts = judged.confusion();
        let rows = classes.iter().zip(&counts).map(|(class, row)| {
            std::iter::once(class.to_string()).chain(row.iter().map(|&n| count(n))).collect()
        });
        let cells = std::iter::once(head).chain(rows).collect();
        chapter.table(format!("What {name} says of rows of each class"), cells);
    } else {
        let mut cells = vec![["true", "said", "rows"].map(String::from).to_vec()];
        for (class, action, n) in judged.largest_errors().into_iter().take(LISTED) {
            let said = classes.get(action).map_or_else(String::new, ToString::to_string);
            cells.push(vec![classes[class].to_string(), said, count(n)]);
        }
        let caption =
            format!("The {LISTED} most frequent errors of {name} among {} classes", classes.len());
        chapter.table(caption, cells);
    }
    chapter.figure(confusion(judged));
    chapter.brief(format!(
        "{name}: {} of {} rows wrong",
        count(judged.errors()),
        count(judged.n())
    ));
}

/// Adds the ROC curves of a classifier by rows that it has not seen.
pub(in crate::commands) fn roc_curves(
    chapter: &mut Chapter,
    name: &str,
    candidate: &Candidate,
    subject: &Subject,
    bench: &Bench<'_>,
) -> Result<Value, Failure> {
    let (features, folds, on) = (&subject.features, subject.folds, bench.workers.on());
    let held = out_of_fold(candidate, features, folds, &mut subject.rows.source(), on)?;
    let classes = held.classes();
    let own = if classes.len() == 2 { 1..2 } else { 0..classes.len() };
    let curve = |k: usize| Some((classes[k].to_string(), held.roc(k)?));
    let mut curves: Vec<(String, Roc)> = own.filter_map(curve).collect();
    // Where there are many the hardest say most.
    curves.sort_by(|(_, a), (_, b)| a.area.total_cmp(&b.area));
    let all = curves.len();
    curves.truncate(CURVES);
    let area = |(class, roc): &(String, Roc)| json!({ "class": class, "area": roc.area });
    let areas: Vec<Value> = curves.iter().map(area).collect();
    if let Some((class, hardest)) = curves.first() {
        chapter.say(format!(
            "By how sure {name} is of '{class}', a row of that class comes before a row of another with probability {}.",
            short(hardest.area)
        ));
    }
    chapter.figure(roc(&curves, &RocLook::default()));
    if all > CURVES {
        chapter.say(format!("These are the {CURVES} classes of {all} that are hardest to tell."));
    }
    Ok(json!({ "area": held.area(), "curves": areas }))
}
