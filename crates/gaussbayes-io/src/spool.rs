//! Keeps decoded rows in a temporary file that nobody else sees and that never outlives the run.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use gaussbayes::{Encoder, Label, NO_LABEL, Table};

use crate::error::Error;

/// How a row lies in the file: its values, its weight, the code of its label, little end first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowLayout {
    pub(crate) dim: usize,
    pub(crate) weighted: bool,
    pub(crate) labelled: bool,
}

impl RowLayout {
    /// Bytes of a row.
    pub(crate) fn bytes(self) -> usize {
        let weight = if self.weighted { size_of::<f64>() } else { 0 };
        let code = if self.labelled { size_of::<u32>() } else { 0 };
        self.dim * size_of::<f64>() + weight + code
    }

    /// Rows of a table as bytes; `codes` are those of the whole file for the labels of the table.
    pub(crate) fn written(self, table: &Table, codes: &[u32]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(table.rows() * self.bytes());
        for (i, row) in table.values.chunks_exact(self.dim).enumerate() {
            row.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
            if self.weighted {
                let weight = table.weights.as_ref().map_or(1.0, |weights| weights[i]);
                bytes.extend(weight.to_le_bytes());
            }
            if self.labelled {
                let code = table.codes.as_ref().map_or(NO_LABEL, |own| own[i]);
                let code = codes.get(code as usize).copied().unwrap_or(NO_LABEL);
                bytes.extend(code.to_le_bytes());
            }
        }
        bytes
    }

    /// The rows that bytes hold; labels are codes alone.
    pub(crate) fn read(self, bytes: &[u8]) -> Table {
        let rows = bytes.len() / self.bytes();
        let mut values = Vec::with_capacity(rows * self.dim);
        let mut weights = self.weighted.then(|| Vec::with_capacity(rows));
        let mut codes = self.labelled.then(|| Vec::with_capacity(rows));
        for row in bytes.chunks_exact(self.bytes()) {
            let (numbers, rest) = row.split_at(self.dim * size_of::<f64>());
            let (numbers, _) = numbers.as_chunks::<8>();
            values.extend(numbers.iter().map(|number| f64::from_le_bytes(*number)));
            let rest = match (&mut weights, rest.split_first_chunk::<8>()) {
                (Some(weights), Some((weight, rest))) => {
                    weights.push(f64::from_le_bytes(*weight));
                    rest
                }
                _ => rest,
            };
            if let (Some(codes), Some(code)) = (&mut codes, rest.first_chunk::<4>()) {
                codes.push(u32::from_le_bytes(*code));
            }
        }
        Table { dim: self.dim, values, weights, codes, dictionary: Vec::new(), ..Table::default() }
    }
}

/// Rows in a file without a name.
#[derive(Debug)]
pub(crate) struct Spool {
    file: File,
    layout: RowLayout,
    encoder: Encoder,
}

impl Spool {
    /// Begins without rows.
    pub(crate) fn begin(layout: RowLayout) -> Result<Self, Error> {
        let file = nameless(&std::env::temp_dir()).map_err(|error| Error::spool(&error))?;
        Ok(Self { file, layout, encoder: Encoder::default() })
    }

    /// Adds rows.
    pub(crate) fn push(&mut self, table: &Table) -> Result<(), Error> {
        let code = |label: &Label| self.encoder.code(label.as_str());
        let codes: Vec<u32> = table.dictionary.iter().map(code).collect();
        let bytes = self.layout.written(table, &codes);
        self.file.write_all(&bytes).map_err(|error| Error::spool(&error))
    }

    pub(crate) fn layout(&self) -> RowLayout {
        self.layout
    }

    /// The labels in the order of their codes.
    pub(crate) fn labels(&self) -> Vec<Label> {
        self.encoder.clone().into_labels()
    }

    /// Goes back to the first row.
    pub(crate) fn rewind(&mut self) -> Result<(), Error> {
        self.file.rewind().map_err(|error| Error::spool(&error))
    }

    /// The bytes of the next rows.
    pub(crate) fn next(&mut self, rows: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; rows * self.layout.bytes()];
        self.file.read_exact(&mut bytes).map_err(|error| Error::spool(&error))?;
        Ok(bytes)
    }
}

/// A new file that is gone when it is closed, however the run ends.
fn nameless(folder: &Path) -> io::Result<File> {
    const TRIES: u64 = 100;
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    #[cfg(windows)]
    {
        const DELETE_ON_CLOSE: u32 = 0x0400_0000;
        std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, DELETE_ON_CLOSE);
    }
    for _ in 1..TRIES {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("gaussbayes-{}-{number}.rows", std::process::id()));
        match options.open(&path) {
            Ok(file) => {
                // The file lives on without a name until it is closed.
                #[cfg(unix)]
                std::fs::remove_file(&path)?;
                return Ok(file);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
