//! Merges files of moments that belong together, to the same bytes in whatever order they are given.

use std::borrow::Cow;
use std::path::PathBuf;

use super::part::{Ledger, MomentsPart};
use super::{MomentsFile, MomentsRefusal};
use crate::error::Error;
use crate::model::Kept;
use crate::types::ColumnType;

impl MomentsFile {
    /// The moments of all rows of some files. Each file is read twice, and few are in memory at a time: what they
    /// have in common is checked before anything is summed up.
    ///
    /// # Errors
    /// What [`MomentsFile::load`] refuses; a [`MomentsRefusal`] by the names of files that do not belong together.
    pub fn merge_files(paths: &[PathBuf]) -> Result<Self, Error> {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        merged(&names, |at| Self::load(&paths[at]).map(Cow::Owned))
    }

    /// The moments of all rows of some moments, by what each is called.
    ///
    /// # Errors
    /// A [`MomentsRefusal`] by the names of those that do not belong together.
    pub fn merge_all(all: &[(String, &Self)]) -> Result<Self, Error> {
        let names: Vec<String> = all.iter().map(|(name, _)| name.clone()).collect();
        merged(&names, |at| Ok(Cow::Borrowed(all[at].1)))
    }
}

/// What is known of some moments without their sums.
struct Head {
    features: Vec<String>,
    types: Option<Vec<ColumnType>>,
    target: Option<(String, String)>,
    weights: Option<(String, String)>,
    file: String,
}

fn merged<'m>(
    names: &[String],
    load: impl Fn(usize) -> Result<Cow<'m, MomentsFile>, Error>,
) -> Result<MomentsFile, Error> {
    let (mut head, mut ledger) = (None, Ledger::default());
    let mut entries: Vec<(usize, Vec<MomentsPart>)> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let file = load(at)?;
        head.get_or_insert_with(|| Head::of(&file, name)).join(&file, name)?;
        file.parts.iter().try_for_each(|part| ledger.enter(part, name))?;
        entries.push((at, file.parts.clone()));
    }
    // No two parts have one key, so that their order is that of the rows and not of the files.
    entries.sort_by_key(|(_, parts)| parts.first().map(MomentsPart::key));
    let mut stack: Vec<(u32, Kept)> = Vec::new();
    for (at, parts) in &entries {
        let file = load(*at)?;
        if file.parts != *parts {
            return Err(MomentsRefusal::Changed { file: names[*at].clone() }.into());
        }
        let mut entry = (0, file.into_owned().sums);
        while let Some((level, earlier)) = stack.pop_if(|(level, _)| *level == entry.0) {
            entry = (level + 1, earlier.merge(&entry.1)?);
        }
        stack.push(entry);
    }
    let mut sums: Option<Kept> = None;
    while let Some((_, earlier)) = stack.pop() {
        sums = Some(match &sums {
            Some(later) => earlier.merge(later)?,
            None => earlier,
        });
    }
    let (Some(head), Some(sums)) = (head, sums) else {
        return Err(gaussbayes::Error::NoRows.into());
    };
    let mut parts: Vec<MomentsPart> = entries.into_iter().flat_map(|(_, parts)| parts).collect();
    parts.sort_by_key(MomentsPart::key);
    let column = |named: Option<(String, String)>| named.map(|(column, _)| column);
    Ok(MomentsFile {
        sums,
        features: head.features,
        types: head.types,
        target: column(head.target),
        weights: column(head.weights),
        parts,
    })
}

impl Head {
    fn of(file: &MomentsFile, name: &str) -> Self {
        let (features, types) = (file.features.clone(), file.types.clone());
        Self { features, types, target: None, weights: None, file: name.into() }
    }

    /// Takes one more file on.
    fn join(&mut self, file: &MomentsFile, name: &str) -> Result<(), MomentsRefusal> {
        self.same_features(file, name)?;
        self.same_types(file, name)?;
        joined("classes", &mut self.target, file.target.as_ref(), name)?;
        // Rows without weights count once: they need no column.
        joined("weights", &mut self.weights, file.weights.as_ref(), name)
    }

    fn same_features(&self, file: &MomentsFile, name: &str) -> Result<(), MomentsRefusal> {
        let (known, found) = (&self.features, &file.features);
        let lacks = |file: &str, other: &str, feature: &String| MomentsRefusal::MissingFeature {
            file: file.into(),
            feature: feature.clone(),
            other: other.into(),
        };
        if let Some(feature) = known.iter().find(|feature| !found.contains(feature)) {
            return Err(lacks(name, &self.file, feature));
        }
        if let Some(feature) = found.iter().find(|feature| !known.contains(feature)) {
            return Err(lacks(&self.file, name, feature));
        }
        match known.iter().zip(found).find(|(known, found)| known != found) {
            Some((expected, found)) => Err(MomentsRefusal::OtherOrder {
                file: name.into(),
                other: self.file.clone(),
                found: found.clone(),
                expected: expected.clone(),
                features: known.clone(),
            }),
            None => Ok(()),
        }
    }

    fn same_types(&self, file: &MomentsFile, name: &str) -> Result<(), MomentsRefusal> {
        let (plain, typed) = match (&self.types, &file.types) {
            (None, None) => return Ok(()),
            (None, Some(_)) => (self.file.clone(), name.to_owned()),
            (Some(_), None) => (name.to_owned(), self.file.clone()),
            (Some(known), Some(found)) => {
                let differs = |j: &usize| known[*j] != found[*j];
                return match (0..known.len()).find(differs) {
                    Some(j) => Err(MomentsRefusal::OtherType {
                        feature: self.features[j].clone(),
                        file: name.into(),
                        kind: found[j],
                        other: self.file.clone(),
                        other_kind: known[j],
                    }),
                    None => Ok(()),
                };
            }
        };
        Err(MomentsRefusal::PlainAndTyped { plain, typed })
    }
}

/// The column of a role, with the first file that names one; a file that names none has no say.
fn joined(
    what: &'static str,
    known: &mut Option<(String, String)>,
    found: Option<&String>,
    file: &str,
) -> Result<(), MomentsRefusal> {
    let Some(found) = found else { return Ok(()) };
    let (column, other) = known.get_or_insert_with(|| (found.clone(), file.into()));
    if column == found {
        return Ok(());
    }
    Err(MomentsRefusal::OtherColumn {
        what,
        file: file.into(),
        column: found.clone(),
        other: other.clone(),
        other_column: column.clone(),
    })
}
