//! Makes a list of inputs of what a user names: files, patterns, standard input, built-in sets.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::datasets;
use crate::error::Error;
use crate::feed::Input;
use crate::nearest::nearest;
use crate::refusal::FileRefusal;

/// What standard input is called in messages.
const STDIN: &str = "standard input";

/// An input, and what it is called.
pub(crate) type Named = (Arc<str>, Input);

/// The inputs that are named, patterns in the order of their names.
///
/// # Errors
/// [`Error::NotFound`], [`FileRefusal::NoMatch`], [`FileRefusal::Twice`], [`FileRefusal::Alone`].
pub(crate) fn inputs(names: &[impl AsRef<str>], seed: u64) -> Result<Vec<Named>, Error> {
    let mut inputs = Vec::new();
    let mut seen: HashSet<PathBuf> = HashSet::new();
    for name in names.iter().map(AsRef::as_ref) {
        let set = datasets::text(name, seed);
        if name == "-" || set.is_some() {
            if names.len() > 1 {
                let name = if name == "-" { STDIN } else { name }.to_owned();
                return Err(FileRefusal::Alone { name }.into());
            }
            let input = set.map_or(Input::Stdin, Input::Bytes);
            let name = if name == "-" { STDIN } else { name };
            return Ok(vec![(name.into(), input)]);
        }
        for path in paths(name)? {
            let file = path.display().to_string();
            // A pipe may be named again: it is another stream each time.
            if path.is_file()
                && let Ok(place) = path.canonicalize()
                && !seen.insert(place)
            {
                return Err(FileRefusal::Twice { file }.into());
            }
            inputs.push((file.into(), Input::File(path, None)));
        }
    }
    Ok(inputs)
}

/// The files that are named, as far as there are any.
pub fn paths_of(names: &[impl AsRef<str>]) -> Vec<PathBuf> {
    let named = |name: &str| paths(name).unwrap_or_else(|_| vec![PathBuf::from(name)]);
    names.iter().flat_map(|name| named(name.as_ref())).collect()
}

/// The file of a name, or those of a pattern.
fn paths(name: &str) -> Result<Vec<PathBuf>, Error> {
    let path = Path::new(name);
    if path.exists() {
        return Ok(vec![path.to_owned()]);
    }
    if !name.contains(['*', '?', '[']) {
        let nearest = nearest(name, datasets::names()).map(str::to_owned);
        return Err(Error::NotFound { path: name.to_owned(), nearest });
    }
    let none = |why: Option<String>| FileRefusal::NoMatch { pattern: name.to_owned(), why };
    let found = glob::glob(name).map_err(|error| none(Some(error.msg.to_owned())))?;
    let found: Result<Vec<PathBuf>, _> = found.collect();
    let mut found = found.map_err(|error| Error::read(name, error.error()))?;
    found.retain(|path| !path.is_dir());
    if found.is_empty() {
        return Err(none(None).into());
    }
    found.sort();
    Ok(found)
}

/// What all inputs together are called.
pub(crate) fn title(inputs: &[Named]) -> String {
    match inputs {
        [(only, _)] => only.to_string(),
        [(first, _), rest @ ..] => format!("{first} and {} more", rest.len()),
        [] => String::new(),
    }
}
