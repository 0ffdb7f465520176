//! Lists rows that lie far from their own class.

use gaussbayes::{Classifier, CovarianceSpec, Table};
use gaussbayes_plot::outlier;
use serde_json::{Value, json};

use super::Subject;
use super::scaling::narrowed;
use crate::failure::Failure;
use crate::page::Chapter;
use crate::text::short;

/// Rows that are listed.
const LISTED: usize = 5;

/// Adds the rows that are farthest from the centre of their class, by its own covariance.
pub(in crate::commands) fn farthest(
    chapter: &mut Chapter,
    subject: &Subject,
    classifier: &Classifier,
) -> Result<Value, Failure> {
    let rows = &subject.few;
    let distances = classifier.distances_sq(&rows.block(0..rows.rows())?)?;
    let width = classifier.classes().len();
    let own = |i: usize| {
        let code = *rows.codes.as_ref()?.get(i)?;
        classifier.class(rows.dictionary.get(code as usize)?).ok()
    };
    let mut far: Vec<(usize, usize, f64)> = (0..rows.rows())
        .filter_map(|i| own(i).map(|k| (i, k, distances[i * width + k].sqrt())))
        .collect();
    far.sort_by(|a, b| b.2.total_cmp(&a.2));
    far.truncate(LISTED);
    let mut cells = vec![["row", "class", "distance"].map(String::from).to_vec()];
    let number = |i: usize| subject.numbers.get(i).map_or(0, |number| number + 1);
    for &(i, k, distance) in &far {
        let class = classifier.classes()[k].to_string();
        cells.push(vec![number(i).to_string(), class, short(distance)]);
    }
    chapter.table("Rows farthest from the centre of their class, by Mahalanobis distance", cells);
    if let Some(&(i, k, distance)) = far.first() {
        chapter.brief(format!(
            "row {} lies {} deviations from the centre of its class '{}'",
            number(i),
            short(distance),
            classifier.classes()[k]
        ));
    }
    let row = |&(i, k, distance): &(usize, usize, f64)| json!({ "row": number(i), "class": classifier.classes()[k].as_str(), "distance": distance });
    Ok(far.iter().map(row).collect())
}

/// Adds a figure of what one row does when it is moved far away.
pub(in crate::commands) fn one_moved(
    chapter: &mut Chapter,
    rows: &Table,
    features: &[String],
    columns: [usize; 2],
) {
    let names = columns.map(|j| features[j].clone());
    let plane = narrowed(rows, &columns);
    let [high, low] = [0, 1].map(|j| {
        let all = plane.values.iter().skip(j).step_by(2).copied();
        all.fold([f64::NEG_INFINITY, f64::INFINITY], |[high, low], x| [high.max(x), low.min(x)])
    });
    let place = [high[0] + (high[0] - high[1]), low[0] + (low[0] - low[1])];
    chapter.figure(outlier(&CovarianceSpec::lda(), &plane, &names, 0, place));
}
