//! Sums rows of any kind of column up by their labels: the sweep behind every product.

use super::gather::{Group, Zeros, codes, names, one_column, words};
use super::spec::{Kind, Part, ProductSpec};
use super::tally::Tally;
use crate::covariance::CovarianceSpec;
use crate::data::{Block, Label, NO_LABEL};
use crate::error::{ColumnRefusal, Error};
use crate::moments::Merge;
use crate::sweep::{LabelStat, LabelSweep, Sweep, present};
use crate::tolerance::SCATTER_MAX;
use crate::training::Gather;

/// What is summed up of each part of a product.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductSweep {
    parts: Vec<Part>,
}

impl ProductSweep {
    /// Sums up what a specification needs.
    pub fn new(spec: &ProductSpec) -> Self {
        Self { parts: spec.parts.clone() }
    }

    /// The parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// Weights by label, and what the rows hold, part by part; labels sorted as text.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductStat {
    labels: Vec<Label>,
    weight: Vec<f64>,
    parts: Vec<PartStat>,
}

/// What rows hold in the columns of one part.
#[derive(Debug, Clone, PartialEq)]
pub enum PartStat {
    /// Moments of each column, over the rows that have a value.
    Number(Vec<LabelStat>),
    /// Weight of the rows that are above, and that have no value, by place in the part.
    Flag {
        /// Weight of the rows above.
        above: Tally<u32>,
        /// Weight of the rows without a value.
        missing: Tally<u32>,
    },
    /// Weight by name, column by column.
    Category(Vec<Tally<Label>>),
    /// Weight by whole number, column by column.
    Code(Vec<Tally<u32>>),
    /// Counts times weight, by place in the part.
    Count(Tally<u32>),
    /// Counts times weight by word, column by column.
    Text(Vec<Tally<Label>>),
}

impl PartStat {
    /// Its kind in messages and files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Number(_) => "number",
            Self::Flag { .. } => "flag",
            Self::Category(_) => "category",
            Self::Code(_) => "code",
            Self::Count(_) => "count",
            Self::Text(_) => "text",
        }
    }

    fn arranged(self, from: &[Option<usize>]) -> Self {
        fn each<K: Ord + Clone>(all: &[Tally<K>], from: &[Option<usize>]) -> Vec<Tally<K>> {
            all.iter().map(|tally| tally.arranged(from)).collect()
        }
        match self {
            // Keyed by its own labels.
            Self::Number(all) => Self::Number(all),
            Self::Flag { above, missing } => {
                Self::Flag { above: above.arranged(from), missing: missing.arranged(from) }
            }
            Self::Category(all) => Self::Category(each(&all, from)),
            Self::Code(all) => Self::Code(each(&all, from)),
            Self::Count(tally) => Self::Count(tally.arranged(from)),
            Self::Text(all) => Self::Text(each(&all, from)),
        }
    }

    /// Keys of all tallies times classes: numbers that are held.
    fn len(&self) -> usize {
        fn each<K>(all: &[Tally<K>]) -> usize
        where
            K: Ord + Clone,
        {
            all.iter().map(|tally| tally.sums().len()).sum()
        }
        match self {
            Self::Number(all) => all.iter().map(|stat| stat.labels().len()).sum(),
            Self::Flag { above, missing } => above.sums().len() + missing.sums().len(),
            Self::Category(all) | Self::Text(all) => each(all),
            Self::Code(all) => each(all),
            Self::Count(tally) => tally.sums().len(),
        }
    }
}

impl ProductStat {
    /// Puts labels, their weights and the parts together.
    ///
    /// # Errors
    /// [`Error::Shape`] when they are not of the same classes, or labels are not sorted.
    pub fn new(labels: Vec<Label>, weight: Vec<f64>, parts: Vec<PartStat>) -> Result<Self, Error> {
        let (expected, found) = (weight.len(), labels.len());
        let shape = |what, found| Err(Error::Shape { what, expected, found });
        if found != expected || !labels.windows(2).all(|pair| pair[0] < pair[1]) {
            return shape("sorted labels", found);
        }
        for part in &parts {
            let classes: Vec<usize> = match part {
                PartStat::Number(_) => Vec::new(),
                PartStat::Flag { above, missing } => vec![above.classes(), missing.classes()],
                PartStat::Category(all) | PartStat::Text(all) => {
                    all.iter().map(Tally::classes).collect()
                }
                PartStat::Code(all) => all.iter().map(Tally::classes).collect(),
                PartStat::Count(tally) => vec![tally.classes()],
            };
            if let Some(&other) = classes.iter().find(|classes| **classes != expected) {
                return shape("classes of a part", other);
            }
        }
        Ok(Self { labels, weight, parts })
    }

    /// The labels, sorted as text.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Weight of the rows of each label.
    pub fn weight(&self) -> &[f64] {
        &self.weight
    }

    /// What the rows hold, part by part.
    pub fn parts(&self) -> &[PartStat] {
        &self.parts
    }

    /// The classes as scikit-learn sorts them, and everything in that order.
    pub(super) fn sorted(self) -> (Vec<Label>, Vec<f64>, Vec<PartStat>) {
        let order = crate::data::class_order(&self.labels);
        let labels = order.iter().map(|&k| self.labels[k].clone()).collect();
        let weight = order.iter().map(|&k| self.weight[k]).collect();
        let from: Vec<Option<usize>> = order.into_iter().map(Some).collect();
        let parts = self.parts.into_iter().map(|part| part.arranged(&from)).collect();
        (labels, weight, parts)
    }

    /// The same with these classes among its own; there may be no row of them.
    #[must_use]
    pub fn with_classes(self, classes: &[Label]) -> Self {
        let mut labels = self.labels.clone();
        labels.extend_from_slice(classes);
        labels.sort();
        labels.dedup();
        self.arranged(&labels)
    }

    fn arranged(self, labels: &[Label]) -> Self {
        let from: Vec<Option<usize>> =
            labels.iter().map(|label| self.labels.binary_search(label).ok()).collect();
        let weight = from.iter().map(|from| from.map_or(0.0, |k| self.weight[k])).collect();
        let parts = self.parts.into_iter().map(|part| part.arranged(&from)).collect();
        Self { labels: labels.to_vec(), weight, parts }
    }
}

impl Merge for ProductStat {
    fn merge(self, later: Self) -> Self {
        if self.labels != later.labels {
            // Nothing summed up yet.
            if self.labels.is_empty() {
                return later;
            }
            if later.labels.is_empty() {
                return self;
            }
            let labels = later.labels.clone();
            let all = self.with_classes(&labels);
            let later = later.with_classes(&all.labels);
            return all.merge(later);
        }
        let weight = self.weight.iter().zip(&later.weight).map(|(a, b)| a + b).collect();
        let parts = self.parts.into_iter().zip(later.parts).map(|(a, b)| a.merge(b)).collect();
        Self { labels: self.labels, weight, parts }
    }
}

impl Merge for PartStat {
    /// Both of the same kind and classes.
    fn merge(self, later: Self) -> Self {
        match (self, later) {
            (Self::Number(a), Self::Number(b)) => Self::Number(a.merge(b)),
            (Self::Flag { above, missing }, Self::Flag { above: more, missing: fewer }) => {
                Self::Flag { above: above.merge(more), missing: missing.merge(fewer) }
            }
            (Self::Category(a), Self::Category(b)) => Self::Category(a.merge(b)),
            (Self::Code(a), Self::Code(b)) => Self::Code(a.merge(b)),
            (Self::Count(a), Self::Count(b)) => Self::Count(a.merge(b)),
            (Self::Text(a), Self::Text(b)) => Self::Text(a.merge(b)),
            _ => unreachable!("invariant: one sweep makes statistics of the same kinds"),
        }
    }
}

impl Gather for ProductSweep {
    fn bound(&self, stat: &ProductStat, _columns: usize) -> Result<(), Error> {
        let held: usize = stat.parts.iter().map(PartStat::len).sum();
        if held <= SCATTER_MAX {
            return Ok(());
        }
        Err(ColumnRefusal::TooManySums { numbers: held, most: SCATTER_MAX }.into())
    }

    fn holds(&self, stat: &ProductStat, columns: usize) -> Result<(), Error> {
        let shape = |what, expected, found| Err(Error::Shape { what, expected, found });
        if stat.parts.len() != self.parts.len() {
            return shape("parts", self.parts.len(), stat.parts.len());
        }
        for (part, held) in self.parts.iter().zip(&stat.parts) {
            if part.kind.name() != held.name() {
                return Err(Error::Storage { held: held.name(), needed: part.kind.name() });
            }
            let (width, found) = (part.columns.len(), held.columns());
            let whole = matches!(held, PartStat::Flag { .. } | PartStat::Count(_));
            if found > width || !whole && found != width {
                return shape("columns of a part", width, found);
            }
            if part.columns.iter().any(|&column| column >= columns) {
                return shape("columns", columns, part.columns.len());
            }
        }
        Ok(())
    }

    fn agrees(&self, other: &Self) -> Result<(), Error> {
        let same = |(one, other): (&Part, &Part)| one.is_summed_like(other);
        let all = self.parts.len() == other.parts.len();
        if all && self.parts.iter().zip(&other.parts).all(same) {
            return Ok(());
        }
        Err(Error::Storage { held: "other columns", needed: "the same columns of the same kinds" })
    }

    fn check(&self, block: &Block<'_>) -> Result<(), Error> {
        self.block(block).map(|_| ())
    }

    fn is_empty(stat: &ProductStat) -> bool {
        stat.labels.is_empty()
    }
}

impl PartStat {
    /// Columns that it is of: all of the part, or those up to the last one counted.
    fn columns(&self) -> usize {
        let last = |tally: &Tally<u32>| tally.keys().last().map_or(0, |last| *last as usize + 1);
        match self {
            Self::Number(all) => all.len(),
            Self::Category(all) | Self::Text(all) => all.len(),
            Self::Code(all) => all.len(),
            Self::Flag { above, missing } => last(above).max(last(missing)),
            Self::Count(tally) => last(tally),
        }
    }
}

impl Sweep for ProductSweep {
    type Stat = ProductStat;

    fn block(&self, block: &Block<'_>) -> Result<ProductStat, Error> {
        let (labels, classes) = present(block)?;
        let mut weight = vec![0.0; labels.len()];
        for (i, &class) in classes.iter().enumerate().filter(|(_, class)| **class != NO_LABEL) {
            weight[class as usize] += block.weight(i);
        }
        let summing = Summing { block, classes: &classes, count: labels.len() };
        let parts =
            self.parts.iter().map(|part| summing.part(part)).collect::<Result<_, Error>>()?;
        Ok(ProductStat { labels, weight, parts })
    }
}

/// The rows of a block, each with its class.
struct Summing<'a> {
    block: &'a Block<'a>,
    classes: &'a [u32],
    count: usize,
}

impl Summing<'_> {
    /// The rows of positive weight with class and weight.
    fn rows(&self) -> impl Iterator<Item = (usize, u32, f64)> {
        let row = |(i, &class): (usize, &u32)| (i, class, self.block.weight(i));
        self.classes.iter().enumerate().map(row).filter(|(_, _, weight)| *weight > 0.0)
    }

    fn part(&self, part: &Part) -> Result<PartStat, Error> {
        let columns = part.columns.iter();
        Ok(match part.kind {
            Kind::Number => {
                let sweep = LabelSweep::new(CovarianceSpec::naive_bayes().storage());
                let column = |&column: &usize| sweep.block(&one_column(self.block, column)?.0);
                PartStat::Number(columns.map(column).collect::<Result<_, Error>>()?)
            }
            Kind::Flag { above } => self.flags(&part.columns, above)?,
            Kind::Category => PartStat::Category(
                columns.map(|&column| self.names(column)).collect::<Result<_, Error>>()?,
            ),
            Kind::Code { .. } => PartStat::Code(
                columns.map(|&column| self.codes(column)).collect::<Result<_, Error>>()?,
            ),
            Kind::Count(_) => self.counts(&part.columns)?,
            Kind::Text(_) => PartStat::Text(
                columns.map(|&column| self.words(column)).collect::<Result<_, Error>>()?,
            ),
        })
    }

    fn flags(&self, columns: &[usize], threshold: f64) -> Result<PartStat, Error> {
        let group = Group::new(columns, self.block.rows().dim());
        group.check(self.block)?;
        let (mut above, mut missing) = (Vec::new(), Vec::new());
        for (i, class, weight) in self.rows() {
            group.visit(self.block, i, Zeros::above(threshold), |at, value| {
                if value.is_nan() {
                    missing.push((at, class, weight));
                } else if value > threshold {
                    above.push((at, class, weight));
                }
                Ok(())
            })?;
        }
        let tally = |entries| Tally::of(self.count, columns.len(), entries);
        Ok(PartStat::Flag { above: tally(above), missing: tally(missing) })
    }

    fn counts(&self, columns: &[usize]) -> Result<PartStat, Error> {
        let group = Group::new(columns, self.block.rows().dim());
        group.check(self.block)?;
        let mut entries = Vec::new();
        for (i, class, weight) in self.rows() {
            group.visit(self.block, i, Zeros::Skipped, |at, value| {
                if value < 0.0 {
                    let (row, column) = (self.block.number(i), columns[at as usize]);
                    return Err(ColumnRefusal::Negative { row, column, name: None, value }.into());
                }
                if !value.is_nan() {
                    entries.push((at, class, weight * value));
                }
                Ok(())
            })?;
        }
        Ok(PartStat::Count(Tally::of(self.count, columns.len(), entries)))
    }

    fn names(&self, column: usize) -> Result<Tally<Label>, Error> {
        let (names, codes) = names(self.block, column)?;
        Ok(self.tally(names.len(), &codes).renamed(|&code| names[code as usize].clone()))
    }

    fn codes(&self, column: usize) -> Result<Tally<u32>, Error> {
        let codes = codes(self.block, column)?;
        let width = codes.iter().flatten().max().map_or(0, |most| *most as usize + 1);
        Ok(self.tally(width, &codes))
    }

    fn tally(&self, width: usize, codes: &[Option<u32>]) -> Tally<u32> {
        let rows = self.rows().filter_map(|(i, class, weight)| Some((codes[i]?, class, weight)));
        Tally::of(self.count, width, rows.collect())
    }

    fn words(&self, column: usize) -> Result<Tally<Label>, Error> {
        let (words, counts) = words(self.block, column)?;
        let mut entries = Vec::new();
        for (i, class, weight) in self.rows() {
            let (places, counts) = counts.row(i);
            let cells = places.iter().zip(counts).filter(|(_, count)| **count != 0.0);
            entries.extend(cells.map(|(&at, count)| (at, class, weight * count)));
        }
        let tally = Tally::of(self.count, words.len(), entries);
        Ok(tally.renamed(|&word| words[word as usize].clone()))
    }
}
