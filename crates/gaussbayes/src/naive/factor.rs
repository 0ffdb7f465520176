//! Scores the columns of one part of a product: what each cell says for each class.

use super::gather::{Group, Zeros, codes, names, one_column, words};
use super::spec::Unseen;
use crate::data::{Block, Label};
use crate::error::{ColumnRefusal, Error};
use crate::mixture::{Mixture, Score};

/// One factor of a product: what some columns say for each class.
#[derive(Debug, Clone, PartialEq)]
pub enum Factor {
    /// A Gaussian per class, of equal weight.
    Number {
        /// The column.
        column: usize,
        /// One component per class.
        mixture: Box<Mixture>,
    },
    /// A flag per column.
    Flags {
        /// The columns.
        columns: Vec<usize>,
        /// The largest number that means no.
        above: f64,
        /// ln P(yes | class), column by column.
        log_yes: Vec<f64>,
        /// ln P(no | class), column by column.
        log_no: Vec<f64>,
    },
    /// A distribution over names or whole numbers.
    Names {
        /// The column.
        column: usize,
        /// What the rows of the table below are of.
        places: Places,
        /// ln P(name | class), name by name.
        log_probs: Vec<f64>,
        /// The same of a name that was never met, where that has a probability.
        unseen: Option<Vec<f64>>,
    },
    /// What each count says for each class.
    Counts {
        /// The columns.
        columns: Vec<usize>,
        /// What one count says, column by column.
        weights: Vec<f64>,
        /// Whether the weights are logarithms of probabilities.
        generative: bool,
    },
    /// What each word says for each class.
    Words {
        /// The column.
        column: usize,
        /// The words, sorted as text.
        words: Vec<Label>,
        /// What one of them says, word by word.
        weights: Vec<f64>,
        /// The same of a word that was never met, where that has a probability.
        unseen: Option<Vec<f64>>,
        /// Whether the weights are logarithms of probabilities.
        generative: bool,
    },
}

/// What the numbers of a factor belong to.
#[derive(Debug, Clone, PartialEq)]
pub enum Places {
    /// These names, sorted as text.
    Names(Vec<Label>),
    /// The whole numbers below this one.
    Below(u32),
}

impl Places {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Names(names) => names.len(),
            Self::Below(end) => *end as usize,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Factor {
    /// Its columns.
    pub fn columns(&self) -> &[usize] {
        match self {
            Self::Number { column, .. }
            | Self::Names { column, .. }
            | Self::Words { column, .. } => std::slice::from_ref(column),
            Self::Flags { columns, .. } | Self::Counts { columns, .. } => columns,
        }
    }

    /// Whether it is a density, and not only a weight.
    pub fn is_generative(&self) -> bool {
        match self {
            Self::Number { .. } | Self::Flags { .. } | Self::Names { .. } => true,
            Self::Counts { generative, .. } | Self::Words { generative, .. } => *generative,
        }
    }

    /// Adds what the rows of a block say: `scores` by row and class, `common` by row.
    ///
    /// # Errors
    /// [`ColumnRefusal::Holds`] and the like for columns that hold something else; [`ColumnRefusal::Unseen`] where a name that was
    /// never met is refused.
    pub(super) fn add(
        &self,
        block: &Block<'_>,
        unseen: Unseen,
        classes: usize,
        common: &mut [f64],
        scores: &mut [f64],
    ) -> Result<(), Error> {
        match self {
            Self::Number { column, mixture } => {
                let (values, rows) = one_column(block, *column)?;
                let said = mixture.scores(&values)?;
                // The weights of the components are no part of the density.
                let equal = (classes as f64).ln();
                for (at, i) in rows.into_iter().enumerate() {
                    common[i] += said.common[at] + equal;
                    let row = &mut scores[i * classes..(i + 1) * classes];
                    add(row, 1.0, &said.relative[at * classes..]);
                }
                Ok(())
            }
            Self::Flags { columns, above, log_yes, log_no } => {
                Flags { columns, above: *above, log_yes, log_no, classes }.add(block, scores)
            }
            Self::Names { column, places, log_probs, unseen: rest } => {
                let table =
                    Table { column: *column, weights: log_probs, rest: rest.as_deref(), unseen };
                match places {
                    Places::Names(known) => {
                        let (met, rows) = names(block, *column)?;
                        let found = found(known, &met);
                        for (i, code) in rows.into_iter().enumerate() {
                            let Some(code) = code.map(|code| code as usize) else { continue };
                            let row = &mut scores[i * classes..(i + 1) * classes];
                            table.say(block, i, found[code], 1.0, row, || met[code].to_string())?;
                        }
                    }
                    Places::Below(end) => {
                        for (i, code) in codes(block, *column)?.into_iter().enumerate() {
                            let Some(code) = code else { continue };
                            let place = (code < *end).then_some(code as usize);
                            let row = &mut scores[i * classes..(i + 1) * classes];
                            table.say(block, i, place, 1.0, row, || code.to_string())?;
                        }
                    }
                }
                Ok(())
            }
            Self::Counts { columns, weights, .. } => {
                let group = Group::new(columns, block.rows().dim());
                group.check(block)?;
                for (i, row) in scores.chunks_exact_mut(classes).enumerate() {
                    group.visit(block, i, Zeros::Skipped, |at, value| {
                        if value < 0.0 {
                            let (row, column) = (block.number(i), columns[at as usize]);
                            return Err(
                                ColumnRefusal::Negative { row, column, name: None, value }.into()
                            );
                        }
                        if !value.is_nan() {
                            add(row, value, &weights[at as usize * classes..]);
                        }
                        Ok(())
                    })?;
                }
                Ok(())
            }
            Self::Words { column, words: known, weights, unseen: rest, .. } => {
                let table = Table { column: *column, weights, rest: rest.as_deref(), unseen };
                let (met, counts) = words(block, *column)?;
                let found = found(known, met);
                for (i, row) in scores.chunks_exact_mut(classes).enumerate() {
                    let (places, counts) = counts.row(i);
                    for (&at, &count) in places.iter().zip(counts).filter(|(_, n)| **n != 0.0) {
                        let word = || met[at as usize].to_string();
                        table.say(block, i, found[at as usize], count, row, word)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// # Errors
    /// [`Error::Shape`] when the factor is of other classes, or of columns that there are not;
    /// [`Error::BadParameter`] for what is no logarithm of a probability, or no weight.
    pub(super) fn check(&self, columns: usize, classes: usize) -> Result<(), Error> {
        let shape = |what, expected, found| {
            if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
        };
        if let Some(&column) = self.columns().iter().find(|column| **column >= columns) {
            let expected = column.saturating_add(1);
            return Err(Error::Shape { what: "columns", expected, found: columns });
        }
        let logs = |what, cells: usize, values: &[f64]| {
            shape(what, cells.saturating_mul(classes), values.len())?;
            match values.iter().position(|value| value.is_nan() || *value == f64::INFINITY) {
                Some(at) => {
                    let (component, value) = (at % classes, values[at]);
                    Err(Error::BadParameter { what, component, value })
                }
                None => Ok(()),
            }
        };
        let ascend = |names: &[Label]| {
            let sorted = names.windows(2).filter(|pair| pair[0] < pair[1]).count();
            shape("names in order", names.len().saturating_sub(1), sorted)
        };
        let rest = |unseen: &Option<Vec<f64>>| {
            unseen.as_ref().map_or(Ok(()), |rest| logs("log probability", 1, rest))
        };
        match self {
            Self::Number { mixture, .. } => {
                shape("columns of a Gaussian", 1, mixture.dim())?;
                let weights = mixture.weights();
                let equal = weights.iter().filter(|weight| **weight == weights[0]).count();
                shape("equal weights", weights.len(), equal)?;
                if mixture.laws().is_some() {
                    return Err(Error::NotGaussian { what: "columns of numbers" });
                }
                shape("classes of a factor", classes, mixture.components())
            }
            Self::Flags { columns, log_yes, log_no, .. } => {
                logs("log probability", columns.len(), log_yes)?;
                logs("log probability", columns.len(), log_no)
            }
            Self::Names { places, log_probs, unseen, .. } => {
                if let Places::Names(names) = places {
                    ascend(names)?;
                }
                rest(unseen)?;
                logs("log probability", places.len(), log_probs)
            }
            Self::Counts { columns, weights, .. } => logs("weight", columns.len(), weights),
            Self::Words { words, weights, unseen, .. } => {
                ascend(words)?;
                rest(unseen)?;
                logs("weight", words.len(), weights)
            }
        }
    }
}

/// Where the names of a block are among those of the fit.
fn found(known: &[Label], met: &[Label]) -> Vec<Option<usize>> {
    met.iter().map(|name| known.binary_search(name).ok()).collect()
}

/// What names or words say, and what those do that were never met.
struct Table<'a> {
    column: usize,
    weights: &'a [f64],
    rest: Option<&'a [f64]>,
    unseen: Unseen,
}

impl Table<'_> {
    fn say(
        &self,
        block: &Block<'_>,
        i: usize,
        place: Option<usize>,
        times: f64,
        row: &mut [f64],
        name: impl Fn() -> String,
    ) -> Result<(), Error> {
        match (place, self.rest) {
            (Some(at), _) => add(row, times, &self.weights[at * row.len()..]),
            (None, Some(rest)) => add(row, times, rest),
            (None, None) if self.unseen == Unseen::Refuse => {
                let (row, column, value) = (block.number(i), self.column, name());
                return Err(ColumnRefusal::Unseen { row, column, name: None, value }.into());
            }
            (None, None) => {}
        }
        Ok(())
    }
}

/// Adds `times` what a cell says to the scores of its row.
fn add(row: &mut [f64], times: f64, said: &[f64]) {
    row.iter_mut().zip(said).for_each(|(score, said)| *score += times * said);
}

/// Flags, scored as what a row without any says, and what each one changes.
struct Flags<'a> {
    columns: &'a [usize],
    above: f64,
    log_yes: &'a [f64],
    log_no: &'a [f64],
    classes: usize,
}

impl Flags<'_> {
    fn add(&self, block: &Block<'_>, scores: &mut [f64]) -> Result<(), Error> {
        let (classes, group) = (self.classes, Group::new(self.columns, block.rows().dim()));
        group.check(block)?;
        // What is impossible is kept apart: it cannot be taken back from a sum.
        let finite = |score: f64| if score.is_finite() { score } else { 0.0 };
        let impossible: Vec<bool> = self.log_no.iter().map(|no| !no.is_finite()).collect();
        let certain: Vec<u32> = self.per_class(&impossible);
        let mut none = vec![0.0; classes];
        for no in self.log_no.chunks_exact(classes) {
            none.iter_mut().zip(no).for_each(|(sum, no)| *sum += finite(*no));
        }
        let odds: Vec<f64> =
            self.log_yes.iter().zip(self.log_no).map(|(yes, no)| yes - finite(*no)).collect();
        let mut met = vec![0; classes];
        for (i, row) in scores.chunks_exact_mut(classes).enumerate() {
            add(row, 1.0, &none);
            met.fill(0);
            group.visit(block, i, Zeros::above(self.above), |at, value| {
                let range = at as usize * classes..(at as usize + 1) * classes;
                if value.is_nan() {
                    let no = self.log_no[range.clone()].iter();
                    row.iter_mut().zip(no).for_each(|(score, no)| *score -= finite(*no));
                } else if value > self.above {
                    add(row, 1.0, &odds[range.clone()]);
                } else {
                    return Ok(());
                }
                met.iter_mut().zip(&impossible[range]).for_each(|(met, is)| *met += u32::from(*is));
                Ok(())
            })?;
            for (score, (certain, met)) in row.iter_mut().zip(certain.iter().zip(&met)) {
                if met < certain {
                    *score = f64::NEG_INFINITY;
                }
            }
        }
        Ok(())
    }

    /// How many columns of each class are so.
    fn per_class(&self, is: &[bool]) -> Vec<u32> {
        let mut counts = vec![0; self.classes];
        for row in is.chunks_exact(self.classes) {
            counts.iter_mut().zip(row).for_each(|(count, is)| *count += u32::from(*is));
        }
        counts
    }
}
