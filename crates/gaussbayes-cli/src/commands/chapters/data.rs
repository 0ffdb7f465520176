//! Describes rows: how many there are, of which classes, and what each column holds.

use gaussbayes::{BayesSpec, Family, Label, Table, total_moments};
use serde_json::{Value, json};

use super::{Bench, Subject};
use crate::failure::Failure;
use crate::page::{Chapter, isolated};
use crate::text::{count, per_cent, plural, short};

/// Columns and classes that are listed one by one.
const LISTED: usize = 30;

/// One column of numbers.
struct Column {
    name: String,
    mean: f64,
    deviation: f64,
    low: f64,
    high: f64,
}

/// What rows there are.
pub(in crate::commands) struct Described {
    columns: Vec<Column>,
    classes: Vec<(Label, f64)>,
    weight: f64,
}

impl Described {
    /// Names of columns that hold one number alone.
    pub(in crate::commands) fn constant(&self) -> Vec<&str> {
        let constant = self.columns.iter().filter(|column| column.low == column.high);
        constant.map(|column| column.name.as_str()).collect()
    }

    /// Standard deviations, column by column.
    pub(in crate::commands) fn deviations(&self) -> Vec<f64> {
        self.columns.iter().map(|column| column.deviation).collect()
    }

    /// Classes with the sums of the weights of their rows.
    pub(in crate::commands) fn classes(&self) -> &[(Label, f64)] {
        &self.classes
    }
}

/// Looks at all rows once.
pub(in crate::commands) fn described(
    subject: &Subject,
    bench: &Bench<'_>,
) -> Result<Described, Failure> {
    let typed = subject.typed_rows.as_ref().filter(|_| subject.features.is_empty());
    let table = typed.map_or(&subject.all, |typed| &typed.rows);
    let weight = |i: usize| table.weights.as_ref().map_or(1.0, |all| all[i]);
    let mut sizes = vec![0.0; table.dictionary.len()];
    for (i, &code) in table.codes.iter().flatten().enumerate() {
        if let Some(size) = sizes.get_mut(code as usize) {
            *size += weight(i);
        }
    }
    let size = |class: &Label| {
        let place = table.dictionary.iter().position(|label| label == class);
        place.map_or(0.0, |place| sizes[place])
    };
    let classes = table.classes().into_iter().map(|class| {
        let size = size(&class);
        (class, size)
    });
    let classes = if subject.target.is_some() { classes.collect() } else { Vec::new() };
    let columns = columns(&subject.all, &subject.features, bench)?;
    Ok(Described { columns, classes, weight: (0..table.rows()).map(weight).sum() })
}

fn columns(table: &Table, names: &[String], bench: &Bench<'_>) -> Result<Vec<Column>, Failure> {
    if table.dim == 0 || table.rows() == 0 {
        return Ok(Vec::new());
    }
    let spec = BayesSpec::from(Family::Vvi);
    let moments = total_moments(&spec, &mut table.source(), bench.workers.on())?;
    let (frame, weight) = (moments.frame(), moments.weight()[0]);
    let column = |(j, name): (usize, &String)| {
        let values = || table.values.iter().skip(j).step_by(table.dim).copied();
        let unit = f64::from(frame.exponent()[j]).exp2();
        Column {
            name: name.clone(),
            mean: frame.origin()[j] + unit * moments.mean(0)[j],
            deviation: unit * (moments.scatter()[j] / weight).sqrt(),
            low: values().fold(f64::INFINITY, f64::min),
            high: values().fold(f64::NEG_INFINITY, f64::max),
        }
    };
    Ok(names.iter().enumerate().map(column).collect())
}

/// Tables of columns and classes, and what was left out.
pub(in crate::commands) fn summary(chapter: &mut Chapter, subject: &Subject, found: &Described) {
    let rows = subject.total;
    let mut line = format!(
        "{} has {} and {}",
        isolated(&subject.name),
        plural(rows, "row"),
        columns_of(subject.features.len())
    );
    if let Some(target) = &subject.target {
        let classes = found.classes.len();
        let word = if classes == 1 { "class" } else { "classes" };
        line.push_str(&format!("; '{}' names {classes} {word}", isolated(target)));
    }
    let features = plural(subject.features.len(), "feature");
    chapter.brief(format!("{}: {}, {features}", subject.name, plural(rows, "row")));
    chapter.say(line + ".");
    for sentence in &subject.left_out {
        chapter.say(sentence);
    }
    for sentence in subject.judged_note().into_iter().chain(subject.clustered_note()) {
        chapter.say(sentence);
    }
    if !found.columns.is_empty() {
        let head = ["column", "mean", "deviation", "least", "largest"];
        let row = |column: &Column| {
            let numbers = [column.mean, column.deviation, column.low, column.high].map(short);
            std::iter::once(column.name.clone()).chain(numbers).collect::<Vec<_>>()
        };
        let listed = found.columns.iter().take(LISTED).map(row);
        let cells = std::iter::once(head.map(String::from).to_vec()).chain(listed).collect();
        let caption = match found.columns.len() {
            all @ LISTED.. if all > LISTED => format!("The first {LISTED} of {all} columns"),
            _ => "The columns".to_string(),
        };
        chapter.table(caption, cells);
    }
    if !found.classes.is_empty() {
        let head = ["class", "rows", "share"].map(String::from).to_vec();
        let row = |(class, size): &(Label, f64)| {
            vec![class.to_string(), count(*size), per_cent(size / found.weight)]
        };
        let listed = found.classes.iter().take(LISTED).map(row);
        let cells = std::iter::once(head).chain(listed).collect();
        let caption = match found.classes.len() {
            all @ LISTED.. if all > LISTED => format!("The first {LISTED} of {all} classes"),
            _ => "The classes".to_string(),
        };
        chapter.table(caption, cells);
    }
    let constant = found.constant();
    if !constant.is_empty() {
        let names: Vec<String> =
            constant.iter().take(LISTED).map(|name| format!("'{}'", isolated(name))).collect();
        chapter.say(format!(
            "The same number stands in every row of {}: it says nothing about classes, and a covariance \
             with it has no inverse.",
            names.join(", ")
        ));
    }
    chapter.json = json!({
        "n": rows,
        "features": subject.features,
        "classes": found.classes.iter().map(|(class, _)| class.as_str()).collect::<Vec<_>>(),
        "sizes": found.classes.iter().map(|(_, size)| *size).collect::<Vec<_>>(),
        "constant": constant,
        "left_out": subject.left_out,
        "columns": found.columns.iter().map(object).collect::<Vec<_>>(),
    });
}

fn columns_of(count: usize) -> String {
    format!("{} of numbers", plural(count, "column"))
}

fn object(column: &Column) -> Value {
    json!({
        "name": column.name,
        "mean": column.mean,
        "deviation": column.deviation,
        "least": column.low,
        "largest": column.high,
    })
}
