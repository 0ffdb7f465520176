//! Says why a file holds no moments, and why some moments do not belong together.

use std::ops::RangeInclusive;

use super::part::MomentsPart;
use crate::advice::shell;
use crate::error::{Error, Kind};
use crate::types::ColumnType;

/// What is refused of files of moments, each variant with its evidence.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MomentsRefusal {
    /// A file that is not there.
    #[error("there is no moments file '{path}'")]
    NoFile {
        /// The path that was given.
        path: String,
    },
    /// A file that does not begin like moments, or like a model.
    #[error("{file} holds no gaussbayes moments")]
    NotMoments {
        /// The file.
        file: String,
    },
    /// A model where moments are needed.
    #[error("{file} holds a model, not moments")]
    IsModel {
        /// The file.
        file: String,
    },
    /// Moments where a model is needed.
    #[error("{file} holds moments, not a model")]
    IsMoments {
        /// The file.
        file: String,
    },
    /// A file of a release with another layout.
    #[error(
        "{file} has layout version {version}, and this release reads moments of version {known}"
    )]
    OtherVersion {
        /// The file.
        file: String,
        /// Its version.
        version: u64,
        /// The version known here.
        known: u64,
    },
    /// A file whose text is not what was written.
    #[error("{file} is damaged: its checksum is {found}, not {expected}")]
    Damaged {
        /// The file.
        file: String,
        /// The checksum that it states.
        expected: String,
        /// The checksum that it has.
        found: String,
    },
    /// A file whose contents do not belong together.
    #[error("{file} holds no valid moments: {why}")]
    Bad {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// A feature that only one of two files has.
    #[error("{file} has no feature '{feature}', which {other} has")]
    MissingFeature {
        /// The file without it.
        file: String,
        /// The feature.
        feature: String,
        /// The file that has it.
        other: String,
    },
    /// The same features in another order.
    #[error("{file} has the features of {other} in another order: '{found}' where '{expected}' is")]
    OtherOrder {
        /// The file.
        file: String,
        /// The file that it is compared with.
        other: String,
        /// The first feature that is out of order.
        found: String,
        /// The feature that stands there in the other file.
        expected: String,
        /// All features in the order of the other file.
        features: Vec<String>,
    },
    /// A feature that holds one thing here and another thing there.
    #[error("'{feature}' is a {} in {file} and a {} in {other}", kind.name(), other_kind.name())]
    OtherType {
        /// The feature.
        feature: String,
        /// One file.
        file: String,
        /// What it holds there.
        kind: ColumnType,
        /// The other file.
        other: String,
        /// What it holds in that.
        other_kind: ColumnType,
    },
    /// Plain numbers and typed columns.
    #[error("{plain} holds moments of plain numbers, and {typed} of columns with types")]
    PlainAndTyped {
        /// The file of plain numbers.
        plain: String,
        /// The file of typed columns.
        typed: String,
    },
    /// Classes or weights from columns of unequal names.
    #[error("the {what} are column '{column}' in {file} and column '{other_column}' in {other}")]
    OtherColumn {
        /// Classes or weights.
        what: &'static str,
        /// One file.
        file: String,
        /// Its column.
        column: String,
        /// The other file.
        other: String,
        /// The column of that.
        other_column: String,
    },
    /// Rows that would count twice.
    #[error("{} is in {}: its rows would count twice", part.named(), both(file, other))]
    SamePart {
        /// The part.
        part: Box<MomentsPart>,
        /// One file that holds it.
        file: String,
        /// The other one.
        other: String,
    },
    /// A part number that two parts have.
    #[error("part {}/{} is in {}", number.0, number.1, both(file, other))]
    SameNumber {
        /// The number, and how many there are.
        number: (u32, u32),
        /// One file that holds it.
        file: String,
        /// The other one.
        other: String,
    },
    /// Parts of unequal numbers of parts.
    #[error("{file} is one of {of} parts, and {other} one of {other_of}")]
    OtherCount {
        /// One file.
        file: String,
        /// Its number of parts.
        of: u32,
        /// The other file.
        other: String,
        /// The number of parts of that.
        other_of: u32,
    },
    /// Parts with and without a number.
    #[error("{numbered} has part numbers, and {other} has none")]
    SomeNumbered {
        /// A file with numbers.
        numbered: String,
        /// A file without.
        other: String,
    },
    /// Parts that are not there.
    #[error("{} of {of} {} missing", parts(missing), are(missing))]
    Missing {
        /// The numbers, in runs.
        missing: Vec<RangeInclusive<u32>>,
        /// How many parts there are.
        of: u32,
    },
    /// A file that was written while it was read.
    #[error("{file} has changed while it was read")]
    Changed {
        /// The file.
        file: String,
    },
}

impl From<MomentsRefusal> for Error {
    fn from(refusal: MomentsRefusal) -> Self {
        Self::Moments(refusal.into())
    }
}

impl MomentsRefusal {
    /// What sort of thing went wrong.
    pub fn kind(&self) -> Kind {
        match self {
            Self::NoFile { .. } | Self::Changed { .. } => Kind::Failure,
            _ => Kind::Data,
        }
    }

    /// What a user can do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::NoFile { .. } | Self::IsModel { .. } => {
                "'gaussbayes stats DATA --target COL -o FILE' makes moments of rows".into()
            }
            Self::NotMoments { .. } => {
                "give a file that 'gaussbayes stats' or 'gaussbayes merge' has saved".into()
            }
            Self::IsMoments { file } => {
                format!("make a model of them: gaussbayes fit --from {} -o model.json", shell(file))
            }
            Self::OtherVersion { .. } => {
                "install the release that wrote it, or make the moments again with this one".into()
            }
            Self::Damaged { .. } | Self::Bad { .. } => {
                "make the moments again, or take the file from a backup".into()
            }
            Self::MissingFeature { .. } => {
                "sum the same columns up in every part: gaussbayes stats … --features COLS".into()
            }
            Self::OtherOrder { features, .. } => {
                let list = shell(&features.join(","));
                format!("sum columns up in one order: gaussbayes stats … --features {list}")
            }
            Self::OtherType { feature, other_kind, .. } => format!(
                "say what it holds in every part: gaussbayes stats … --types {}={}",
                shell(feature),
                other_kind.name()
            ),
            Self::PlainAndTyped { .. } => {
                "say what columns hold in every part, or in none: gaussbayes stats … --types …"
                    .into()
            }
            Self::OtherColumn { .. } => "give the column one name in all tables".into(),
            Self::SamePart { .. } => {
                "leave one of them out; parts that truly have equal rows are summed up in one table"
                    .into()
            }
            Self::SameNumber { .. } => {
                "leave one of them out, or number the parts anew: gaussbayes stats … --part I/N"
                    .into()
            }
            Self::OtherCount { .. } => {
                "number all parts alike: gaussbayes stats … --part I/N".into()
            }
            Self::SomeNumbered { .. } => {
                "number all parts or none: gaussbayes stats … --part I/N".into()
            }
            Self::Missing { .. } => {
                "merge them too; 'gaussbayes merge … --partial' keeps what there is so far".into()
            }
            Self::Changed { .. } => "wait until it is written, then run the command again".into(),
        }
    }
}

fn both(file: &str, other: &str) -> String {
    if file == other { format!("{file} twice") } else { format!("{file} and in {other}") }
}

/// Numbers as people write them: 3, 7-9.
pub(super) fn listed(runs: &[RangeInclusive<u32>]) -> String {
    /// Runs that are named before the list breaks off.
    const LISTED: usize = 20;
    let run = |run: &RangeInclusive<u32>| match (run.start(), run.end()) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    };
    let rest = if runs.len() > LISTED { ", …" } else { "" };
    let shown: Vec<String> = runs.iter().take(LISTED).map(run).collect();
    shown.join(", ") + rest
}

fn is_one(runs: &[RangeInclusive<u32>]) -> bool {
    matches!(runs, [run] if run.start() == run.end())
}

fn parts(runs: &[RangeInclusive<u32>]) -> String {
    format!("part{} {}", if is_one(runs) { "" } else { "s" }, listed(runs))
}

fn are(runs: &[RangeInclusive<u32>]) -> &'static str {
    if is_one(runs) { "is" } else { "are" }
}
