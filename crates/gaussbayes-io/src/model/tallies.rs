//! Lays out the statistics behind a product: counts and moments by label, and rows that wait.

use std::borrow::Cow;

use gaussbayes::{
    Field, Label, LabelStat, Moments, PartStat, ProductSpec, ProductStat, ProductSweep, Sparse,
    Storage, Table, Tally, Training, Tree,
};
use serde::{Deserialize, Serialize};

use super::layout::{Why, labels, texts};
use super::mixture::FrameLayout;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TalliesLayout {
    /// Rows of a whole block, once there have been rows.
    rows_per_block: Option<usize>,
    stack: Vec<StatLayout>,
    tail: TailLayout,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatLayout {
    level: u32,
    labels: Vec<String>,
    weight: Vec<f64>,
    parts: Vec<PartLayout>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum PartLayout {
    Number(Vec<MomentsLayout>),
    Flag { above: TallyLayout<u32>, missing: TallyLayout<u32> },
    Category(Vec<TallyLayout<String>>),
    Code(Vec<TallyLayout<u32>>),
    Count(TallyLayout<u32>),
    Text(Vec<TallyLayout<String>>),
}

/// Moments of one column, by the labels that have a value in it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MomentsLayout {
    labels: Vec<String>,
    frame: FrameLayout,
    weight: Vec<f64>,
    mean: Vec<f64>,
    scatter: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TallyLayout<K> {
    keys: Vec<K>,
    sums: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TailLayout {
    /// Row by row; null for a missing value.
    values: Vec<Option<f64>>,
    weights: Option<Vec<f64>>,
    codes: Option<Vec<u32>>,
    dictionary: Vec<String>,
    fields: Vec<FieldLayout>,
    sparse: Option<SparseLayout>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum FieldLayout {
    Number,
    Category(Vec<String>),
    Text { words: Vec<String>, counts: SparseLayout },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SparseLayout {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    width: usize,
}

impl TalliesLayout {
    pub(crate) fn of(training: &Training<ProductSweep>) -> Self {
        let stack = training.tree().stack().iter();
        let stack = stack.map(|(level, stat)| StatLayout::of(*level, stat)).collect();
        let rows_per_block = training.rows_per_block();
        Self { rows_per_block, stack, tail: TailLayout::of(training.tail()) }
    }

    pub(crate) fn into_training(
        self,
        spec: &ProductSpec,
        dim: usize,
    ) -> Result<Training<ProductSweep>, Why> {
        let stack = self.stack.into_iter().map(|stat| stat.into_stat(spec));
        let tree = Tree::from_stack(stack.collect::<Result<_, Why>>()?)
            .ok_or_else(|| Why("the levels of its merge tree do not fall".into()))?;
        let (sweep, tail) = (ProductSweep::new(spec), self.tail.into_table(dim)?);
        Ok(Training::from_parts(sweep, dim, self.rows_per_block, tree, tail)?)
    }
}

impl StatLayout {
    fn of(level: u32, stat: &ProductStat) -> Self {
        let parts = stat.parts().iter().map(PartLayout::of).collect();
        Self { level, labels: texts(stat.labels()), weight: stat.weight().to_vec(), parts }
    }

    fn into_stat(self, spec: &ProductSpec) -> Result<(u32, ProductStat), Why> {
        if let Some(weight) = self.weight.iter().find(|weight| **weight < 0.0) {
            return Err(Why(format!("a class has weight {weight}")));
        }
        let (names, classes) = (labels(self.labels), self.weight.len());
        let width = |at: usize| spec.parts.get(at).map_or(0, |part| part.columns.len());
        let parts = self.parts.into_iter().enumerate();
        let parts = parts.map(|(at, part)| part.into_part(classes, width(at), &names));
        let parts = parts.collect::<Result<_, Why>>()?;
        Ok((self.level, ProductStat::new(names, self.weight, parts)?))
    }
}

impl PartLayout {
    fn of(part: &PartStat) -> Self {
        let named = |all: &[Tally<Label>]| {
            all.iter().map(|tally| TallyLayout::of(tally, Label::to_string)).collect()
        };
        let of = |tally: &Tally<u32>| TallyLayout::of(tally, |key| *key);
        match part {
            PartStat::Number(all) => Self::Number(all.iter().map(MomentsLayout::of).collect()),
            PartStat::Flag { above, missing } => {
                Self::Flag { above: of(above), missing: of(missing) }
            }
            PartStat::Category(all) => Self::Category(named(all)),
            PartStat::Code(all) => Self::Code(all.iter().map(of).collect()),
            PartStat::Count(tally) => Self::Count(of(tally)),
            PartStat::Text(all) => Self::Text(named(all)),
        }
    }

    /// `width` columns of some classes, whose names are these.
    fn into_part(self, classes: usize, width: usize, names: &[Label]) -> Result<PartStat, Why> {
        let named = |all: Vec<TallyLayout<String>>| {
            let all = all.into_iter().map(|tally| tally.into_tally(classes, Label::from));
            all.collect::<Result<Vec<_>, Why>>()
        };
        let placed = |tally: TallyLayout<u32>| {
            if let Some(place) = tally.keys.last().filter(|place| **place as usize >= width) {
                let place = place.saturating_add(1);
                return Err(Why(format!("column {place} of {width} was counted")));
            }
            tally.into_tally(classes, |key| key)
        };
        Ok(match self {
            Self::Number(all) => {
                let all = all.into_iter().map(|moments| moments.into_stat(names));
                PartStat::Number(all.collect::<Result<_, Why>>()?)
            }
            Self::Flag { above, missing } => {
                PartStat::Flag { above: placed(above)?, missing: placed(missing)? }
            }
            Self::Category(all) => PartStat::Category(named(all)?),
            Self::Code(all) => {
                let all = all.into_iter().map(|tally| tally.into_tally(classes, |key| key));
                PartStat::Code(all.collect::<Result<_, Why>>()?)
            }
            Self::Count(tally) => PartStat::Count(placed(tally)?),
            Self::Text(all) => PartStat::Text(named(all)?),
        })
    }
}

impl MomentsLayout {
    fn of(stat: &LabelStat) -> Self {
        let moments = stat.moments();
        Self {
            labels: texts(stat.labels()),
            frame: FrameLayout::of(moments.frame()),
            weight: moments.weight().to_vec(),
            mean: moments.means().to_vec(),
            scatter: moments.scatter().to_vec(),
        }
    }

    fn into_stat(self, names: &[Label]) -> Result<LabelStat, Why> {
        let frame = self.frame.into_frame()?;
        if frame.dim() != 1 {
            return Err(Why(format!("moments of one column have {} columns", frame.dim())));
        }
        let (weight, mean, scatter) = (self.weight, self.mean, self.scatter);
        let moments = Moments::from_parts(frame, weight, mean, Storage::Diagonal, scatter)?;
        let stat = LabelStat::new(labels(self.labels), moments)?;
        match stat.labels().iter().find(|label| names.binary_search(label).is_err()) {
            Some(label) => Err(Why(format!("a column has moments of '{label}', no class of it"))),
            None => Ok(stat),
        }
    }
}

impl<K: Ord + Clone> TallyLayout<K> {
    fn of<T: Ord + Clone>(tally: &Tally<T>, name: impl Fn(&T) -> K) -> Self {
        Self { keys: tally.keys().iter().map(name).collect(), sums: tally.sums().to_vec() }
    }

    fn into_tally<T: Ord + Clone>(
        self,
        classes: usize,
        name: impl Fn(K) -> T,
    ) -> Result<Tally<T>, Why> {
        let keys = self.keys.into_iter().map(name).collect();
        Tally::new(classes, keys, self.sums)
            .ok_or_else(|| Why("counts do not belong to keys in order and classes".into()))
    }
}

impl TailLayout {
    fn of(tail: &Table) -> Self {
        let field = |field: &Field<'_>| match field {
            Field::Number => FieldLayout::Number,
            Field::Category(names) => FieldLayout::Category(texts(names)),
            Field::Text { words, counts } => {
                FieldLayout::Text { words: texts(words), counts: SparseLayout::of(counts) }
            }
        };
        let present = |&value: &f64| Some(value).filter(|value| !value.is_nan());
        Self {
            values: tail.values.iter().map(present).collect(),
            weights: tail.weights.clone(),
            codes: tail.codes.clone(),
            dictionary: texts(&tail.dictionary),
            fields: tail.fields.iter().map(field).collect(),
            sparse: tail.sparse.as_ref().map(SparseLayout::of),
        }
    }

    fn into_table(self, dim: usize) -> Result<Table, Why> {
        let field = |field: FieldLayout| -> Result<Field<'static>, Why> {
            Ok(match field {
                FieldLayout::Number => Field::Number,
                FieldLayout::Category(names) => Field::Category(Cow::Owned(labels(names))),
                FieldLayout::Text { words, counts } => {
                    if let Some(count) = counts.values.iter().find(|count| **count < 0.0) {
                        return Err(Why(format!("a word stands {count} times in a row")));
                    }
                    Field::Text { words: Cow::Owned(labels(words)), counts: counts.into_sparse()? }
                }
            })
        };
        if let Some(width) = self.sparse.as_ref().map(|rows| rows.width).filter(|w| *w != dim) {
            return Err(Why(format!("sparse rows have {width} columns, not {dim}")));
        }
        Ok(Table {
            dim,
            values: self.values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect(),
            weights: self.weights,
            codes: self.codes,
            dictionary: labels(self.dictionary),
            fields: self.fields.into_iter().map(field).collect::<Result<_, Why>>()?,
            sparse: self.sparse.map(SparseLayout::into_sparse).transpose()?,
        })
    }
}

impl SparseLayout {
    fn of(rows: &Sparse<'_>) -> Self {
        let mut layout =
            Self { starts: vec![0], columns: Vec::new(), values: Vec::new(), width: rows.width() };
        for i in 0..rows.rows() {
            let (columns, values) = rows.row(i);
            layout.columns.extend_from_slice(columns);
            layout.values.extend_from_slice(values);
            layout.starts.push(layout.columns.len());
        }
        layout
    }

    fn into_sparse(self) -> Result<Sparse<'static>, Why> {
        Ok(Sparse::new(self.starts, self.columns, self.values, self.width)?)
    }
}
