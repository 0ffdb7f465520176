//! Chooses which columns of a table are features, target and weights.

use arrow_schema::{DataType, Field, Fields};
use gaussbayes_io::arrow::{foreign, index_columns};

use super::labels;
use crate::failure::Failure;

/// Columns of a table by their places.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) names: Vec<String>,
    pub(super) features: Vec<usize>,
    pub(super) target: Option<usize>,
    pub(super) weights: Option<usize>,
    pub(super) target_type: Option<&'static str>,
    /// What the features hold, where any type will do.
    pub(super) kinds: Option<Vec<&'static str>>,
    /// Whether each of them holds numbers that may have fractions.
    pub(super) fractions: Vec<bool>,
}

/// Columns by their names, as a face asks for them.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) features: Option<Vec<String>>,
    pub(super) target: Option<String>,
    pub(super) weights: Option<String>,
    /// Whether features may be anything, not only numbers.
    pub(super) typed: bool,
}

impl Columns {
    /// Where no features are asked for, all other columns are, except for what was the index of a
    /// pandas table.
    ///
    /// # Errors
    /// [`Failure::NoTable`] for what has no columns, [`Failure::NoColumn`] and
    /// [`Failure::ColumnTwice`] for names that do not fit, [`Failure::NotNumbers`] and
    /// [`Failure::LabelType`] for columns of the wrong type.
    pub(super) fn new(table: &Field, wanted: &Wanted) -> Result<Self, Failure> {
        let DataType::Struct(fields) = table.data_type() else {
            return Err(Failure::NoTable { holds: table.data_type().to_string() });
        };
        let place = |name: &String| find(fields, name);
        let target = wanted.target.as_ref().map(place).transpose()?;
        let weights = wanted.weights.as_ref().map(place).transpose()?;
        let features: Vec<usize> = if let Some(names) = &wanted.features {
            names.iter().map(place).collect::<Result<_, _>>()?
        } else {
            let notes = table.metadata().get("pandas");
            let index = notes.map(|notes| index_columns(notes)).unwrap_or_default();
            let taken = |j: usize| target == Some(j) || weights == Some(j);
            let unasked = |j: usize| index.iter().any(|name| name == fields[j].name());
            (0..fields.len()).filter(|&j| !taken(j) && !unasked(j)).collect()
        };
        if features.is_empty() {
            return Err(Failure::NoFeatures);
        }
        let mut seen = vec![false; fields.len()];
        for &j in features.iter().chain(&target).chain(&weights) {
            if std::mem::replace(&mut seen[j], true) {
                return Err(Failure::ColumnTwice { column: fields[j].name().clone() });
            }
        }
        let numbers = if wanted.typed { &[][..] } else { &features };
        for &j in numbers.iter().chain(&weights) {
            if let Some(holds) = foreign(fields[j].data_type()) {
                return Err(Failure::NotNumbers { column: fields[j].name().clone(), holds });
            }
        }
        let target_type = target.map(|j| labels::python_type(fields[j].data_type())).transpose()?;
        let names = features.iter().map(|&j| fields[j].name().clone()).collect();
        let kinds = features.iter().map(|&j| kind(fields[j].data_type()));
        let kinds = wanted.typed.then(|| kinds.collect());
        let fractions = |&j: &usize| {
            let kind = fields[j].data_type();
            kind.is_numeric() && !kind.is_integer()
        };
        let fractions = features.iter().map(fractions).collect();
        Ok(Self { names, features, target, weights, target_type, kinds, fractions })
    }
}

/// What a column holds by its type: `number`, `flag` or `category`, or in words what is none of these.
fn kind(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Boolean => "flag",
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "category",
        DataType::Dictionary(_, values) if labels::python_type(values).is_ok() => "category",
        other => foreign(other).unwrap_or("number"),
    }
}

fn find(fields: &Fields, name: &str) -> Result<usize, Failure> {
    fields.iter().position(|field| field.name() == name).ok_or_else(|| {
        let names = fields.iter().map(|field| field.name().as_str());
        let nearest = gaussbayes_io::nearest(name, names).map(str::to_owned);
        Failure::NoColumn { column: name.to_owned(), nearest }
    })
}
