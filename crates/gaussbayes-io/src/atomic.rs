//! Writes a file whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;

/// Writes `bytes` to `path`: a reader finds the old file or the new one, never a part.
///
/// What is no regular file (a pipe, a terminal) cannot be replaced and is written to directly.
///
/// # Errors
/// [`Error::Write`] when the system refuses; the old file is then as it was.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = AtomicFile::create(path)?;
    file.write(bytes)?;
    file.commit()
}

/// Whether a file could be written here, found out without leaving one.
///
/// # Errors
/// [`Error::Write`] when the system refuses.
pub fn check_writable(path: &Path) -> Result<(), Error> {
    match fs::metadata(path) {
        // Whoever reads a pipe would take its opening for an end.
        Ok(found) if !found.is_file() && !found.is_dir() => Ok(()),
        _ => AtomicFile::create(path).map(drop),
    }
}

/// A file that is written piece by piece and appears whole, or not at all.
#[derive(Debug)]
pub struct AtomicFile {
    name: String,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// A draft in the folder of the file that it will replace.
    Draft { draft: Draft, target: PathBuf, folder: PathBuf },
    /// A pipe or a terminal.
    Direct(File),
}

impl AtomicFile {
    /// Begins a file.
    ///
    /// # Errors
    /// [`Error::Write`] when the system refuses.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let place = Place::open(path).map_err(|error| Error::write(&name, &error))?;
        Ok(Self { name, place })
    }

    /// Adds bytes to it.
    ///
    /// # Errors
    /// [`Error::Write`] when the system refuses.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let written = match &mut self.place {
            Place::Draft { draft, .. } => draft.file.write_all(bytes),
            Place::Direct(file) => file.write_all(bytes),
        };
        written.map_err(|error| Error::write(&self.name, &error))
    }

    /// Makes it appear under its name.
    ///
    /// # Errors
    /// [`Error::Write`] when the system refuses; the old file is then as it was.
    pub fn commit(self) -> Result<(), Error> {
        let Place::Draft { draft, target, folder } = &self.place else { return Ok(()) };
        let moved = || {
            draft.file.sync_all()?;
            // Opened first: once the file has its name, nothing may fail any more.
            let folder = File::open(folder).ok();
            fs::rename(&draft.path, target)?;
            if let Some(folder) = folder {
                // Not every system can make a folder's entries last.
                let _ = folder.sync_all();
            }
            Ok(())
        };
        moved().map_err(|error| Error::write(&self.name, &error))
    }
}

impl Place {
    fn open(path: &Path) -> io::Result<Self> {
        let (target, old) = match fs::metadata(path) {
            // A link keeps pointing at the file it points at.
            Ok(old) if old.is_file() => (fs::canonicalize(path)?, Some(old)),
            Ok(_) => return Ok(Self::Direct(OpenOptions::new().write(true).open(path)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (path.to_owned(), None),
            Err(error) => return Err(error),
        };
        let folder = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let draft = Draft::create(&folder, &target)?;
        if let Some(old) = old {
            draft.file.set_permissions(old.permissions())?;
        }
        Ok(Self::Draft { draft, target, folder })
    }
}

/// A new file beside the target; what is left of it when it goes out of scope is removed.
#[derive(Debug)]
struct Draft {
    path: PathBuf,
    file: File,
}

impl Draft {
    fn create(folder: &Path, target: &Path) -> io::Result<Self> {
        const TRIES: u64 = 100;
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        // A run that was killed may have left a draft under the same process number.
        for _ in 1..TRIES {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{number}.part", std::process::id()));
            let path = folder.join(hidden);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Self { path, file }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("gaussbayes-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_is_replaced_and_no_draft_stays() {
        let folder = folder("replace");
        let path = folder.join("a.json");
        check_writable(&path).unwrap();
        assert_eq!(entries(&folder), 0);
        write_atomically(&path, b"first").unwrap();
        write_atomically(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(entries(&folder), 1);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let path = folder("absent").join("no/a.json");
        assert!(matches!(check_writable(&path), Err(Error::Write { .. })));
        let error = write_atomically(&path, b"x").unwrap_err();
        assert!(matches!(error, Error::Write { .. }), "{error:?}");
        assert!(error.to_string().starts_with("cannot write "), "{error}");
        assert!(!error.to_string().contains("os error"), "{error}");
    }

    #[test]
    fn a_target_that_cannot_be_replaced_leaves_no_draft() {
        let folder = folder("blocked");
        let path = folder.join("taken");
        fs::create_dir(&path).unwrap();
        assert!(matches!(write_atomically(&path, b"x"), Err(Error::Write { .. })));
        assert_eq!(entries(&folder), 1);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_keeps_pointing_at_its_file() {
        let folder = folder("link");
        let (file, link) = (folder.join("file"), folder.join("link"));
        fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        write_atomically(Path::new("/dev/null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        fs::remove_dir_all(&folder).unwrap();
    }
}
