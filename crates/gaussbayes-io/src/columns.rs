//! Chooses columns by name or place, and says which of them are features, target and weights.

use std::ops::Range;

use crate::error::Error;
use crate::nearest::nearest;
use crate::types::{ColumnType, Types};

/// Which columns of a file are read, and as what.
///
/// ```
/// use gaussbayes_io::Columns;
/// let all_but_id = Columns {
///     drop: vec!["id".into()],
///     target: Some("species".into()),
///     ..Columns::default()
/// };
/// assert!(all_but_id.features.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    /// Features, in this order; none means all columns that have no other role.
    pub features: Vec<String>,
    /// Columns that are left out.
    pub drop: Vec<String>,
    /// The column of labels.
    pub target: Option<String>,
    /// The column of row weights.
    pub weights: Option<String>,
    /// Columns whose cells stand in place of labels, as text, for whoever passes them on: see [`crate::kept_cells`].
    pub keep: Vec<String>,
    /// What the entries of `features` and `drop` may be.
    pub entries: Entries,
    /// Whether a row may have no label: an empty cell in the column of labels.
    pub unlabelled: bool,
    /// What the features hold.
    pub types: Types,
}

/// How a feature may be called.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Entries {
    /// By name or, where no column has that name, by place: `3`, or `1..4` with both ends.
    #[default]
    NamesOrPlaces,
    /// By name only.
    Names,
}

/// What a column is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Skip,
    /// The feature of this number.
    Feature(usize),
    Target,
    Weight,
}

/// The roles of the columns of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selection {
    /// A role per column of the file.
    pub(crate) roles: Vec<Role>,
    /// The column of each feature.
    pub(crate) features: Vec<usize>,
    pub(crate) target: Option<usize>,
    pub(crate) weights: Option<usize>,
    /// The columns whose cells stand in place of labels.
    pub(crate) keep: Vec<usize>,
    /// Whether a row may have no label.
    pub(crate) unlabelled: bool,
}

impl Columns {
    /// The features of a model, by name and in its order; other columns are not read.
    pub fn exactly(features: &[String]) -> Self {
        Self { features: features.to_vec(), entries: Entries::Names, ..Self::default() }
    }

    /// Finds the columns in the header of a file.
    ///
    /// # Errors
    /// [`Error::MissingColumn`], [`Error::MissingFeature`], [`Error::NoSuchPlace`],
    /// [`Error::TwoRoles`], [`Error::UnnamedColumn`], [`Error::NoFeatures`].
    pub(crate) fn resolve(&self, file: &str, header: &[String]) -> Result<Selection, Error> {
        let header = Header { file, names: header };
        let uses = vec![None; header.names.len()];
        let mut claims = Claims { header: &header, entries: self.entries, uses };
        let target = claims.named(self.target.as_deref(), Use::Target)?;
        let weights = claims.named(self.weights.as_deref(), Use::Weights)?;
        for entry in &self.drop {
            for column in header.places(entry, self.entries)? {
                if !claims.is_dropped(column) {
                    claims.claim(column, Use::Dropped)?;
                }
            }
        }
        let mut features = Vec::new();
        for entry in &self.features {
            for column in header.places(entry, self.entries)? {
                if !claims.is_dropped(column) {
                    claims.claim(column, Use::Feature)?;
                    features.push(column);
                }
            }
        }
        if self.features.is_empty() {
            features = claims.unclaimed();
        }
        if features.is_empty() {
            return Err(Error::NoFeatures { file: file.to_owned() });
        }
        if let Some(&column) = features.iter().find(|&&at| header.names[at].is_empty()) {
            return Err(Error::UnnamedColumn { file: file.to_owned(), column });
        }
        let mut keep = Vec::new();
        for entry in &self.keep {
            let columns = header.places(entry, Entries::NamesOrPlaces)?;
            keep.extend(columns.filter(|column| !keep.contains(column)).collect::<Vec<_>>());
        }
        let mut roles: Vec<Role> = claims.uses.iter().map(|claim| Use::role(*claim)).collect();
        for (number, &column) in features.iter().enumerate() {
            roles[column] = Role::Feature(number);
        }
        Ok(Selection { roles, features, target, weights, keep, unlabelled: self.unlabelled })
    }

    /// The types that are declared, feature by feature.
    ///
    /// # Errors
    /// [`Error::MissingColumn`], [`Error::NoSuchPlace`]; [`Error::TwoRoles`] for a column that is no feature, or
    /// has two types.
    pub(crate) fn declared(
        declared: &[(String, ColumnType)],
        file: &str,
        header: &[String],
        selection: &Selection,
    ) -> Result<Vec<Option<ColumnType>>, Error> {
        let header = Header { file, names: header };
        let mut types = vec![None; selection.features.len()];
        for (entry, kind) in declared {
            for column in header.places(entry, Entries::NamesOrPlaces)? {
                let twice = |first| Error::TwoRoles {
                    column: header.names[column].clone(),
                    first,
                    second: kind.name(),
                };
                match selection.roles[column] {
                    Role::Target => return Err(twice("the target")),
                    Role::Weight => return Err(twice("the weights")),
                    Role::Skip => return Err(twice("a column that is not used")),
                    Role::Feature(number) => {
                        if let Some(other) = types[number].replace(*kind) {
                            return Err(twice(other.name()));
                        }
                    }
                }
            }
        }
        Ok(types)
    }
}

/// What the columns of a file have been asked to be.
struct Claims<'a> {
    header: &'a Header<'a>,
    entries: Entries,
    uses: Vec<Option<Use>>,
}

impl Claims<'_> {
    fn claim(&mut self, column: usize, what: Use) -> Result<(), Error> {
        let Some(first) = self.uses[column].replace(what) else {
            return Ok(());
        };
        let column = self.header.names[column].clone();
        Err(Error::TwoRoles { column, first: first.text(), second: what.text() })
    }

    fn named(&mut self, name: Option<&str>, what: Use) -> Result<Option<usize>, Error> {
        let Some(name) = name else { return Ok(None) };
        let column = self.header.find(name).or_else(|| self.header.place(name, self.entries));
        let column = column.ok_or_else(|| self.header.missing_column(name))?;
        self.claim(column, what)?;
        Ok(Some(column))
    }

    fn is_dropped(&self, column: usize) -> bool {
        matches!(self.uses[column], Some(Use::Dropped))
    }

    fn unclaimed(&self) -> Vec<usize> {
        (0..self.uses.len()).filter(|&at| self.uses[at].is_none()).collect()
    }
}

/// What a user asks a column to be.
#[derive(Debug, Clone, Copy)]
enum Use {
    Target,
    Weights,
    Dropped,
    Feature,
}

impl Use {
    /// The role of a column that is no feature.
    fn role(claim: Option<Self>) -> Role {
        match claim {
            Some(Self::Target) => Role::Target,
            Some(Self::Weights) => Role::Weight,
            Some(Self::Dropped | Self::Feature) | None => Role::Skip,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Target => "the target",
            Self::Weights => "the weights",
            Self::Dropped => "a column to drop",
            Self::Feature => "a feature",
        }
    }
}

/// The columns of a file.
struct Header<'a> {
    file: &'a str,
    names: &'a [String],
}

impl Header<'_> {
    fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    /// The column of a number that is no name.
    fn place(&self, entry: &str, entries: Entries) -> Option<usize> {
        let number: usize = entry.trim().parse().ok().filter(|_| entries != Entries::Names)?;
        (1..=self.names.len()).contains(&number).then(|| number - 1)
    }

    fn places(&self, entry: &str, entries: Entries) -> Result<Range<usize>, Error> {
        if let Some(column) = self.find(entry) {
            return Ok(column..column + 1);
        }
        if entries == Entries::Names {
            return Err(self.missing_feature(entry));
        }
        let Some((first, last)) = place(entry) else {
            return Err(self.missing_column(entry));
        };
        if first == 0 || first > last || last > self.names.len() {
            return Err(Error::NoSuchPlace {
                file: self.file.to_owned(),
                entry: entry.to_owned(),
                columns: self.names.len(),
            });
        }
        Ok(first - 1..last)
    }

    fn missing_column(&self, name: &str) -> Error {
        let (file, column) = (self.file.to_owned(), name.to_owned());
        Error::MissingColumn {
            file,
            column,
            nearest: self.nearest(name),
            columns: self.names.to_vec(),
        }
    }

    fn missing_feature(&self, name: &str) -> Error {
        let (file, column) = (self.file.to_owned(), name.to_owned());
        Error::MissingFeature {
            file,
            column,
            nearest: self.nearest(name),
            columns: self.names.to_vec(),
        }
    }

    fn nearest(&self, name: &str) -> Option<String> {
        nearest(name, self.names.iter().map(String::as_str)).map(str::to_owned)
    }
}

/// First and last column, counted from 1, of `3` or `1..4`.
fn place(entry: &str) -> Option<(usize, usize)> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    match entry.split_once("..") {
        Some((first, last)) => Some((number(first)?, number(last)?)),
        None => number(entry).map(|at| (at, at)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: [&str; 5] = ["a", "b", "2", "species", "w"];

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn columns(features: &[&str], drop: &[&str]) -> Columns {
        Columns {
            features: names(features),
            drop: names(drop),
            target: Some("species".into()),
            ..Columns::default()
        }
    }

    fn features(columns: &Columns) -> Result<Vec<usize>, Error> {
        columns.resolve("f.csv", &names(&HEADER)).map(|selection| selection.features)
    }

    #[test]
    fn all_columns_without_another_role_are_features() {
        use Role::{Feature, Skip, Target, Weight};
        let weighted = Columns { weights: Some("w".into()), ..columns(&[], &["b"]) };
        let selection = weighted.resolve("f.csv", &names(&HEADER)).unwrap();
        assert_eq!(selection.roles, [Feature(0), Skip, Feature(1), Target, Weight]);
        assert_eq!((selection.target, selection.weights), (Some(3), Some(4)));
    }

    #[test]
    fn features_keep_the_order_asked_for_and_names_win_over_places() {
        assert_eq!(features(&columns(&["2", "1"], &[])).unwrap(), [2, 0]);
        assert_eq!(features(&columns(&["1..3"], &["b"])).unwrap(), [0, 2]);
        assert_eq!(features(&columns(&["5"], &[])).unwrap(), [4]);
        assert_eq!(features(&columns(&[], &["1..2", "2"])).unwrap(), [4]);
    }

    #[test]
    fn a_model_takes_its_features_by_name_only() {
        let exact = Columns::exactly(&names(&["b", "a"]));
        assert_eq!(features(&exact).unwrap(), [1, 0]);
        let error = features(&Columns::exactly(&names(&["a", "1"]))).unwrap_err();
        assert!(matches!(error, Error::MissingFeature { ref column, .. } if column == "1"));
        assert_eq!(error.to_string(), "f.csv has no column '1', which the model needs");
    }

    #[test]
    fn an_unknown_column_is_named_with_its_neighbour() {
        let error = Columns { target: Some("Specis".into()), ..Columns::default() };
        let error = features(&error).unwrap_err();
        assert_eq!(error.to_string(), "f.csv has no column 'Specis'");
        assert_eq!(error.hint().unwrap(), "did you mean 'species'?");
        let error = features(&columns(&["price"], &[])).unwrap_err();
        assert_eq!(error.hint().unwrap(), "the columns are a, b, 2, species, w");
    }

    #[test]
    fn places_outside_the_file_are_refused() {
        for entry in ["0", "6", "3..1", "4..6"] {
            let error = features(&columns(&[entry], &[])).unwrap_err();
            assert!(matches!(error, Error::NoSuchPlace { .. }), "{entry}: {error}");
        }
    }

    #[test]
    fn a_column_has_one_role() {
        for entries in [&["species"][..], &["a", "1"], &["1..5"]] {
            let error = features(&columns(entries, &[])).unwrap_err();
            assert!(matches!(error, Error::TwoRoles { .. }), "{entries:?}: {error}");
        }
        let error = features(&columns(&[], &["species"])).unwrap_err();
        assert!(matches!(error, Error::TwoRoles { .. }), "{error}");
    }

    #[test]
    fn something_must_be_left_and_have_a_name() {
        let error = features(&columns(&[], &["1..3", "w"])).unwrap_err();
        assert!(matches!(error, Error::NoFeatures { .. }));
        let error = Columns::default().resolve("f.csv", &names(&["", "x"])).unwrap_err();
        assert_eq!(error.to_string(), "f.csv: column 1 has no name");
        let named = Columns { drop: names(&["1"]), ..Columns::default() };
        assert_eq!(named.resolve("f.csv", &names(&["", "x"])).unwrap().features, [1]);
    }
}
