//! Gives advice on errors: what sort they are, and what a user can do about them.

use crate::cell::{Cell, one_line};

use crate::error::{Error, Kind};
use crate::types::{ColumnType, SaidBy};

/// Names that a hint lists before it breaks off.
const LISTED: usize = 20;

impl Error {
    /// What sort of thing went wrong.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Core(error) => core_kind(error),
            Self::File(refusal) => refusal.kind(),
            Self::Moments(refusal) => refusal.kind(),
            Self::NotFound { .. }
            | Self::NoModel { .. }
            | Self::Read { .. }
            | Self::Spool { .. }
            | Self::Write { .. } => Kind::Failure,
            Self::MissingColumn { .. }
            | Self::NoSuchPlace { .. }
            | Self::TwoRoles { .. }
            | Self::OtherRun { .. }
            | Self::NoFeatures { .. } => Kind::Usage,
            _ => Kind::Data,
        }
    }

    /// What a user can do about it.
    pub fn hint(&self) -> Option<String> {
        let fixed = match self {
            Self::Core(error) => return error.hint(),
            Self::File(refusal) => return Some(refusal.hint()),
            Self::Moments(refusal) => return Some(refusal.hint()),
            Self::NotFound { nearest, .. } => {
                let known = || {
                    let sets = crate::datasets::names().join(", ");
                    format!("give a file, - for standard input, or one of {sets}")
                };
                return Some(nearest.as_deref().map_or_else(known, did_you_mean));
            }
            Self::MissingColumn { nearest, columns, .. }
            | Self::MissingFeature { nearest, columns, .. } => {
                return Some(column_hint(nearest.as_deref(), columns));
            }
            Self::UnknownClass { nearest, classes, .. } => {
                return Some(
                    nearest
                        .as_deref()
                        .map_or_else(|| format!("the classes are {}", list(classes)), did_you_mean),
                );
            }
            Self::BadParameters { hint: Some(hint), .. } => return Some(hint.clone()),
            Self::BadParameters { .. } => {
                r#"such a file is {"classes": ["a", "b"], "priors": [0.5, 0.5], "means": [[0, 0], [1, 1]], "covariances": [[[1, 0], [0, 1]], [[2, 0], [0, 2]]]}"#
            }
            Self::UnnamedColumn { column, .. } => {
                return Some(format!(
                    "give it a name in the first line, or leave it out: --drop {}",
                    column + 1
                ));
            }
            Self::NotANumber { cell } if !cell.missing => {
                return Some(format!(
                    "mend the cell, or fit with --drop {}, or with --model naive-bayes, which takes words",
                    shell(&cell.column)
                ));
            }
            Self::NotANumber { cell } => {
                return Some(format!(
                    "missing values are refused: --na drop leaves such rows out, and \
                     --model naive-bayes --types {}=number skips them",
                    shell(&cell.column)
                ));
            }
            Self::NotOfType { cell, kind, said_by } => {
                return Some(other_type(cell, *kind, *said_by));
            }
            Self::Read { message, .. } => of_reading(message),
            Self::Write { message, .. } => of_writing(message),
            Self::NotFinite { .. } => "remove the row or fill the value in",
            Self::BadWeight { .. } => "weights count rows: 0 leaves a row out, 2 takes it twice",
            Self::NoLabel { .. } | Self::NotALabel { .. } => "remove the row or fill the label in",
            Self::Spool { .. } => "set TMPDIR to a folder with room for all rows, 8 bytes a number",
            Self::DuplicateColumn { column, .. } if column.parse::<f64>().is_ok() => {
                "if the file has no header, add a first line with the names of the columns"
            }
            Self::DuplicateColumn { .. } => "rename one of them",
            Self::NoSuchPlace { .. } => "columns count from 1, and a range is written 1..4",
            Self::Ragged { found, expected, .. } if found < expected => {
                "every line needs as many fields as the header, empty ones included"
            }
            Self::Ragged { .. } => "a field that holds the delimiter must stand in quotes",
            Self::TextAfterQuote { .. } => "a quote inside quotes is written twice",
            Self::UnclosedQuote { .. } => "close the quote, or double it if it is meant as text",
            Self::NotUtf8 { .. } | Self::LongLine { .. } => "write the table as CSV text in UTF-8",
            Self::NoModel { .. } => "'gaussbayes fit DATA --target COL -o FILE' makes one",
            Self::SealedModel { .. } => "fit it again without --sealed, then update it",
            Self::NotAModel { .. } => {
                "give a file that 'gaussbayes fit' or 'gaussbayes cluster' has saved"
            }
            Self::OtherVersion { .. } => {
                "install the release that wrote it, or fit the model again with this one"
            }
            Self::DamagedModel { .. } | Self::BadModel { .. } => {
                "fit the model again, or take the file from a backup"
            }
            Self::BadCheckpoint { .. } => "name another file, or remove it to begin anew",
            Self::OtherRun { .. } => {
                "repeat the command that left it, name another file, or remove it to begin anew"
            }
            Self::BadCost { .. } => "costs are finite numbers; a gain is a negative cost",
            Self::TwoRoles { .. } => "name the column once, as one of the two",
            Self::Repeated { .. } => "give each class one row and each action one column",
            Self::Empty { .. } => {
                "a table has a first line with the names of its columns, then rows"
            }
            Self::HeaderOnly { .. } => "add at least one row below the header",
            Self::MissingClass { .. } => "give every class a row of costs",
            Self::NoActions { .. } => {
                "the first line lists the actions, the first column the true classes"
            }
            _ => return None,
        };
        Some(fixed.to_owned())
    }
}

fn core_kind(error: &gaussbayes::Error) -> Kind {
    use gaussbayes::{
        ColumnRefusal, Error as Core, FoldRefusal, OutlierRefusal, ParameterRefusal, SoftmaxRefusal,
    };
    match error.root() {
        Core::Singular(_)
        | Core::Column(ColumnRefusal::NoValues { .. })
        | Core::TooFewRows { .. }
        | Core::TooFewDistinct { .. }
        | Core::Outliers(OutlierRefusal::TooFewDistinct { .. })
        | Core::NoEstimate { .. }
        | Core::UnitsApart { .. }
        | Core::TooFewForDensity { .. }
        | Core::Empty { .. }
        | Core::Softmax(SoftmaxRefusal::Separable { .. } | SoftmaxRefusal::Collinear(_))
        | Core::Folds(FoldRefusal::ClassInOne { .. }) => Kind::Model,
        Core::BadPriors { .. }
        | Core::Column(ColumnRefusal::Alpha { .. } | ColumnRefusal::NoGaussians { .. })
        | Core::BadShrinkage { .. }
        | Core::IdleShrinkage { .. }
        | Core::NoAutomaticAmount { .. }
        | Core::NotForFamily { .. }
        | Core::DensityOptions { .. }
        | Core::BadRidge { .. }
        | Core::BadGuard { .. }
        | Core::BadTolerance { .. }
        | Core::NotInEm { .. }
        | Core::NotOneEach { .. }
        | Core::Outliers(
            OutlierRefusal::Freedom { .. }
            | OutlierRefusal::PerClass
            | OutlierRefusal::Level { .. }
            | OutlierRefusal::Curves
            | OutlierRefusal::WithNoise { .. },
        )
        | Core::Parameter(
            ParameterRefusal::SharesLost { .. }
            | ParameterRefusal::ZeroPrior { .. }
            | ParameterRefusal::Instructions { .. },
        )
        | Core::Softmax(
            SoftmaxRefusal::Penalty { .. }
            | SoftmaxRefusal::NotLinear { .. }
            | SoftmaxRefusal::LeftOut
            | SoftmaxRefusal::NoGaussians { .. },
        )
        | Core::Recipe(_)
        | Core::BadRange { .. }
        | Core::BadCost { .. }
        | Core::BadThreshold { .. }
        | Core::NotGaussian { .. }
        | Core::BadWindow { .. }
        | Core::BadColumn { .. }
        | Core::UnknownAction { .. }
        | Core::NotQuadratic
        | Core::Risk(_)
        | Core::BadShare { .. }
        | Core::Storage { .. }
        | Core::Folds(_)
        | Core::Shape { .. } => Kind::Usage,
        Core::NotFinite { .. }
        | Core::Column(_)
        | Core::BadWeight { .. }
        | Core::NoLabel { .. }
        | Core::NoLabels { .. }
        | Core::NoRows
        | Core::AllConstant { .. }
        | Core::Outliers(_)
        | Core::OneClass { .. }
        | Core::BadParameter { .. }
        | Core::Parameter(_)
        | Core::Softmax(SoftmaxRefusal::TooLarge { .. })
        | Core::TooManyClasses { .. }
        | Core::NoScore { .. }
        | Core::UnknownClass { .. } => Kind::Data,
        _ => Kind::Failure,
    }
}

/// What to do about a file that the system did not let us read.
fn of_reading(message: &str) -> &'static str {
    if message.contains("became shorter") {
        "wait until the file is written, and begin anew"
    } else {
        "see with ls -l whether the file is there, and yours to read"
    }
}

/// What to do about a file that the system did not let us write.
fn of_writing(message: &str) -> &'static str {
    if message.starts_with("no such file") {
        "make the folder, or name another file with -o"
    } else if message.starts_with("no space") {
        "make room, or name a file on another disk with -o"
    } else {
        "name another file with -o"
    }
}

/// What to do about a cell that is not of its column's type.
fn other_type(cell: &Cell, kind: ColumnType, said_by: SaidBy) -> String {
    let held = match kind {
        ColumnType::Number => "numbers",
        ColumnType::Flag => "flags (0/1, true/false, yes/no, t/f, y/n)",
        ColumnType::Category => "names",
        ColumnType::Count => "counts, 0 or more",
        ColumnType::Text => "words",
    };
    // A number that is no flag, or a negative count, may still be a number.
    let number = kind != ColumnType::Number && cell.text.parse::<f64>().is_ok();
    let other = if number { ColumnType::Number } else { ColumnType::Category };
    let types = format!("{}={}", shell(&cell.column), other.name());
    match said_by {
        SaidBy::Rows => {
            format!("the first rows hold {held}: mend the cell, or fit with --types {types}")
        }
        SaidBy::User => {
            format!("the column is to hold {held}: mend the cell, or fit with --types {types}")
        }
        SaidBy::Model | SaidBy::Numbers => {
            format!("the model has {held} in this column: mend the cell")
        }
    }
}

fn did_you_mean(name: &str) -> String {
    format!("did you mean '{name}'?")
}

fn column_hint(nearest: Option<&str>, columns: &[String]) -> String {
    if let Some(name) = nearest {
        return one_line(&did_you_mean(name));
    }
    if let [only] = columns
        && let Some(separator) = only.chars().find(|c| matches!(c, ';' | '\t' | '|' | ','))
    {
        let separator =
            if separator == '\t' { "tabs".to_owned() } else { format!("'{separator}'") };
        return format!(
            "fields seem to be separated by {separator}: --delimiter says what separates them"
        );
    }
    one_line(&format!("the columns are {}", list(columns)))
}

fn list(names: &[String]) -> String {
    let mut shown = names.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > LISTED {
        shown.push_str(", …");
    }
    shown
}

/// The name as a shell takes it.
pub fn shell(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ',' | '/');
    if name.chars().all(plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_blanks_is_quoted_for_the_shell() {
        assert_eq!(shell("petal_width"), "petal_width");
        assert_eq!(shell("data/new.csv"), "data/new.csv");
        assert_eq!(shell("petal width"), "'petal width'");
        assert_eq!(shell("it's"), r"'it'\''s'");
    }

    #[test]
    fn a_hint_names_the_nearest_column_or_all() {
        let columns = ["a".to_owned(), "b".to_owned()];
        assert_eq!(column_hint(Some("a"), &columns), "did you mean 'a'?");
        assert_eq!(column_hint(None, &columns), "the columns are a, b");
        let many: Vec<String> = (0..30).map(|j| format!("x{j}")).collect();
        assert!(list(&many).ends_with("x19, …"));
    }

    #[test]
    fn another_separator_is_recognised() {
        let hint = column_hint(None, &["a;b;c".to_owned()]);
        assert!(hint.starts_with("fields seem to be separated by ';'"), "{hint}");
    }

    #[test]
    fn faults_of_the_mathematics_have_a_kind() {
        let kind = |error: gaussbayes::Error| Error::from(error).kind();
        assert_eq!(kind(gaussbayes::Error::NoEstimate { family: "EVE" }), Kind::Model);
        assert_eq!(kind(gaussbayes::Error::BadPriors { sum: 2.0 }), Kind::Usage);
        assert_eq!(kind(gaussbayes::Error::NoRows), Kind::Data);
        assert_eq!(kind(gaussbayes::Error::OnePass), Kind::Failure);
    }
}
