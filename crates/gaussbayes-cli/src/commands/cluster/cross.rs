//! Holds clusters against known classes: a cross table and the adjusted Rand index.

use gaussbayes::{
    Block, Classifier, Encoder, Error, Label, On, Source, adjusted_rand, each_block, sort_labels,
};
use serde_json::{Value, json};

use super::super::action_name;
use crate::text::{count, json_count, short, wrapped};

/// Classes up to which the whole table is printed.
const WHOLE_TABLE: usize = 20;

/// Rows by their class and by what a model says of them.
#[derive(Debug)]
pub(crate) struct Cross {
    pub(crate) classes: Vec<Label>,
    clusters: Vec<String>,
    /// A row per class.
    counts: Vec<Vec<f64>>,
}

impl Cross {
    /// Counts all rows of a source, whose classes need not be those of the model.
    pub(crate) fn of<S: Source>(
        classifier: &Classifier,
        source: &mut S,
        on: On<'_>,
    ) -> Result<Self, S::Error> {
        let actions = classifier.loss().actions().len();
        let work = |block: &Block<'_>| {
            let labels = block.labels().ok_or(Error::NoLabel { row: block.first_row() })?;
            let mut counts = vec![vec![(0.0, 0.0); actions]; labels.dictionary.len()];
            let mut whole = true;
            for (i, action) in classifier.actions(block)?.into_iter().enumerate() {
                block.label(i)?;
                let (weight, cell) =
                    (block.weight(i), &mut counts[labels.codes[i] as usize][action]);
                whole &= weight.fract() == 0.0;
                *cell = (cell.0 + weight, cell.1 + f64::from(u8::from(weight > 0.0)));
            }
            Ok((labels.dictionary.to_vec(), counts, whole))
        };
        let mut encoder: Encoder = Encoder::default();
        let mut all: Vec<Vec<(f64, f64)>> = Vec::new();
        let mut repeated = true;
        each_block(source, on, work, |(labels, counts, whole)| {
            repeated &= whole;
            for (label, counts) in labels.iter().zip(counts) {
                let code = encoder.code(label.as_str()) as usize;
                all.resize(all.len().max(code + 1), vec![(0.0, 0.0); actions]);
                let cells = all[code].iter_mut().zip(counts);
                cells.for_each(|(sum, n)| *sum = (sum.0 + n.0, sum.1 + n.1));
            }
            Ok(())
        })?;
        // Pairs can be counted of whole rows alone: weights that are none leave the rows themselves.
        let count = |cell: &(f64, f64)| if repeated { cell.0 } else { cell.1 };
        let met = encoder.into_labels();
        let mut classes = met.clone();
        sort_labels(&mut classes);
        let place = |class: &Label| met.iter().position(|label| label == class);
        let counts: Vec<Vec<f64>> = classes
            .iter()
            .filter_map(place)
            .map(|code| all[code].iter().map(count).collect())
            .collect();
        let weighs = |counts: &Vec<f64>| counts.iter().any(|n| *n > 0.0);
        let (classes, counts) = classes.into_iter().zip(counts).filter(|(_, n)| weighs(n)).unzip();
        let clusters = (0..actions).map(|action| action_name(classifier, action)).collect();
        Ok(Self { classes, clusters, counts })
    }

    /// How far classes and clusters are the same partition: 1 where they are, about 0 by chance.
    pub(crate) fn index(&self) -> f64 {
        adjusted_rand(&self.counts)
    }

    pub(crate) fn text(&self, target: &str) -> String {
        let index = format!("adjusted Rand index {} against '{target}'\n", short(self.index()));
        if self.classes.len().max(self.clusters.len()) > WHOLE_TABLE {
            return index;
        }
        let head = std::iter::once(format!("{target} \\ cluster")).chain(self.clusters.clone());
        let row = |(class, counts): (&Label, &Vec<f64>)| {
            std::iter::once(class.to_string()).chain(counts.iter().map(|&n| count(n))).collect()
        };
        let rows = self.classes.iter().zip(&self.counts).map(row);
        let rows: Vec<Vec<String>> = std::iter::once(head.collect()).chain(rows).collect();
        format!("{}{index}", wrapped(&rows))
    }

    pub(crate) fn json(&self, target: &str) -> Value {
        let counts = |row: &Vec<f64>| row.iter().map(|&n| json_count(n)).collect::<Vec<_>>();
        json!({
            "target": target,
            "classes": self.classes.iter().map(Label::as_str).collect::<Vec<_>>(),
            "clusters": self.clusters,
            "counts": self.counts.iter().map(counts).collect::<Vec<_>>(),
            "adjusted_rand": self.index(),
        })
    }
}
