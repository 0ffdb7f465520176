//! Says what the columns of a product are, and how their counts are smoothed.

use crate::covariance::Ridge;
use crate::error::{ColumnRefusal, Error};
use crate::tolerance::ALPHA_MAX;

/// What some columns hold, and what stands in for what was never counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The columns; those of counts are one group, all others are each for themselves.
    pub columns: Vec<usize>,
    /// What they hold.
    pub kind: Kind,
    /// What is added to every count.
    pub alpha: Alpha,
}

impl Part {
    /// Whether rows are summed up in the same way for both; how sums are smoothed is no matter.
    pub(super) fn is_summed_like(&self, other: &Self) -> bool {
        let kinds = match (&self.kind, &other.kind) {
            (Kind::Flag { above: one }, Kind::Flag { above: other }) => one == other,
            (one, other) => one.name() == other.name(),
        };
        kinds && self.columns == other.columns
    }
}

/// What a column holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Numbers: a Gaussian per class.
    Number,
    /// Yes above this number, no up to it: a Bernoulli distribution per class.
    Flag {
        /// The largest number that means no.
        above: f64,
    },
    /// Names, or numbers that are names: a distribution over those met.
    Category,
    /// Whole numbers from 0 to the largest one met: a distribution over all of these.
    Code {
        /// How many there are of them at least, for each column; none where that is for the rows to say.
        least: Vec<usize>,
    },
    /// How often each column's thing has happened: one multinomial distribution over the group.
    Count(Counting),
    /// Words: one multinomial distribution over those met.
    Text(Counting),
}

impl Kind {
    /// Its name in messages and files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Flag { .. } => "flag",
            Self::Category => "category",
            Self::Code { .. } => "code",
            Self::Count(_) => "count",
            Self::Text(_) => "text",
        }
    }
}

/// How counts speak for a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// By their shares in it \[M76\].
    Multinomial,
    /// Against it, by their shares in all other classes \[M77\].
    Complement {
        /// Whether the weights of a class are divided by their sum.
        norm: bool,
    },
}

/// What is added to every count \[M76\].
#[derive(Debug, Clone, PartialEq)]
pub enum Alpha {
    /// The same for all columns.
    One(f64),
    /// One for each column.
    Each(Vec<f64>),
}

impl Alpha {
    /// That of a column, by its place in the part.
    pub fn of(&self, column: usize) -> f64 {
        match self {
            Self::One(alpha) => *alpha,
            Self::Each(all) => all[column],
        }
    }

    fn check(&self, columns: usize) -> Result<(), Error> {
        let all = match self {
            Self::One(alpha) => std::slice::from_ref(alpha),
            Self::Each(all) if all.len() == columns => all,
            Self::Each(all) => {
                let (what, found) = ("alpha per column", all.len());
                return Err(Error::Shape { what, expected: columns, found });
            }
        };
        match all.iter().find(|alpha| !(0.0..=ALPHA_MAX).contains(*alpha)) {
            Some(&value) => Err(ColumnRefusal::Alpha { value, most: ALPHA_MAX }.into()),
            None => Ok(()),
        }
    }
}

/// What a category or word says that no row of the fit had \[M78\].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unseen {
    /// Nothing: the column is left out for this row.
    #[default]
    Ignore,
    /// What one more category says that nothing was counted of.
    Smooth,
    /// The row is refused.
    Refuse,
}

impl Unseen {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ignore, Self::Smooth, Self::Refuse];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ignore => "ignore",
            Self::Smooth => "smooth",
            Self::Refuse => "refuse",
        }
    }
}

/// How a product of densities is estimated.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductSpec {
    /// The columns by what they hold; a column in no part is left out.
    pub parts: Vec<Part>,
    /// What becomes of a category or word that was never met.
    pub unseen: Unseen,
    /// What is added to variances.
    pub ridge: Ridge,
}

impl ProductSpec {
    /// All columns of a kind.
    pub fn all(columns: usize, kind: Kind, alpha: Alpha) -> Self {
        let parts = vec![Part { columns: (0..columns).collect(), kind, alpha }];
        Self { parts, unseen: Unseen::Ignore, ridge: Ridge::None }
    }

    /// # Errors
    /// [`ColumnRefusal::Alpha`], [`Error::BadRidge`]; [`Error::Shape`] for a column that is in two parts, or beyond
    /// the columns.
    pub fn check(&self, columns: usize) -> Result<(), Error> {
        self.ridge.check()?;
        let mut taken = vec![false; columns];
        for part in &self.parts {
            part.alpha.check(part.columns.len())?;
            for &column in &part.columns {
                let Some(taken) = taken.get_mut(column) else {
                    let (expected, found) = (column.saturating_add(1), columns);
                    return Err(Error::Shape { what: "columns", expected, found });
                };
                if std::mem::replace(taken, true) {
                    let what = "parts that have a column";
                    return Err(Error::Shape { what, expected: 1, found: 2 });
                }
            }
            if let Kind::Code { least } = &part.kind
                && !least.is_empty()
                && least.len() != part.columns.len()
            {
                let (expected, found) = (part.columns.len(), least.len());
                return Err(Error::Shape { what: "least categories", expected, found });
            }
        }
        Ok(())
    }
}
