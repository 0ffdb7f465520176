//! Opens the bytes of a file or a stream: says what they are by the first of them, and unpacks them.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::error::Error;
use crate::meter::Meter;
use crate::refusal::FileRefusal;

/// Bytes that say what a file is.
const MAGIC_BYTES: usize = 16;

/// Where bytes come from, and whether they can be read again.
#[derive(Debug, Clone)]
pub(crate) enum Input {
    /// A file as it was when it was first opened.
    File(PathBuf, Option<Stamp>),
    /// Bytes in memory.
    Bytes(Arc<[u8]>),
    /// Standard input.
    Stdin,
}

/// How long a file was, and when it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    written: Option<SystemTime>,
}

/// Bytes that are open, and what they are.
pub(crate) struct Feed {
    pub(crate) format: Format,
    pub(crate) bytes: Bytes,
}

/// Bytes that are open.
pub(crate) enum Bytes {
    /// A file, at its start, and where what is read of it is counted.
    File(File, Arc<Meter>),
    /// A stream.
    Stream(Box<dyn Read + Send>),
}

/// What bytes hold, as far as the first of them tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Parquet,
    ArrowFile,
    ArrowStream,
    Npy,
}

impl Input {
    /// Whether the bytes can be read once only.
    pub(crate) fn is_once(&self) -> bool {
        matches!(self, Self::Stdin | Self::File(_, None))
    }

    /// Bytes there are, packed as they are; none where nobody knows.
    pub(crate) fn length(&self) -> Option<u64> {
        match self {
            Self::File(path, _) => {
                let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
                metadata.map(|metadata| metadata.len())
            }
            Self::Bytes(bytes) => Some(bytes.len() as u64),
            Self::Stdin => None,
        }
    }

    /// Opens the bytes from their start; `file` is for messages.
    ///
    /// # Errors
    /// What the system refuses, what is no table, and a file that is not what it was.
    pub(crate) fn open(&mut self, file: &str, meter: &Arc<Meter>) -> Result<Feed, Error> {
        match self {
            Self::File(path, stamp) => opened_file(path, stamp, file, meter),
            Self::Bytes(bytes) => {
                let stream = meter.counted(0, Cursor::new(bytes.clone()));
                Ok(Feed { format: Format::Text, bytes: Bytes::Stream(stream) })
            }
            Self::Stdin => {
                let mut stream = io::stdin();
                let start = start_of(&mut stream).map_err(|error| Error::read(file, &error))?;
                let rest = meter.counted(start.len(), stream);
                told(start, rest, file)
            }
        }
    }
}

fn opened_file(
    path: &Path,
    stamp: &mut Option<Stamp>,
    file: &str,
    meter: &Arc<Meter>,
) -> Result<Feed, Error> {
    let failed = |error: io::Error| Error::read(file, &error);
    let mut opened = File::open(path).map_err(failed)?;
    let metadata = opened.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(FileRefusal::Folder { path: file.to_owned() }.into());
    }
    if !metadata.is_file() {
        // A pipe under a name gives its bytes once, like any other.
        let start = start_of(&mut opened).map_err(failed)?;
        let rest = meter.counted(start.len(), opened);
        return told(start, rest, file);
    }
    let now = Stamp { length: metadata.len(), written: metadata.modified().ok() };
    if stamp.is_some_and(|before| before != now) {
        return Err(FileRefusal::Changed { file: file.to_owned() }.into());
    }
    *stamp = Some(now);
    let start = start_of(&mut opened).map_err(failed)?;
    match Format::of(&start, file)? {
        Packed::Not(Format::Text | Format::ArrowStream) | Packed::Gzip | Packed::Zstd => {
            let whole = Whole { file: opened, left: now.length.saturating_sub(start.len() as u64) };
            let rest = meter.counted(start.len(), whole);
            told(start, rest, file)
        }
        Packed::Not(format) => {
            opened.rewind().map_err(failed)?;
            Ok(Feed { format, bytes: Bytes::File(opened, meter.clone()) })
        }
    }
}

/// The first bytes.
fn start_of(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(MAGIC_BYTES);
    reader.take(MAGIC_BYTES as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// A stream of which the start was read, unpacked.
fn told(start: Vec<u8>, rest: Box<dyn Read + Send>, file: &str) -> Result<Feed, Error> {
    let packed = Format::of(&start, file)?;
    let whole = Cursor::new(start).chain(rest);
    let mut unpacked: Box<dyn Read + Send> = match packed {
        Packed::Not(format) => return Ok(Feed { format, bytes: Bytes::Stream(Box::new(whole)) }),
        Packed::Gzip => {
            Box::new(Unpacked { how: "gzip", inner: flate2::read::MultiGzDecoder::new(whole) })
        }
        Packed::Zstd => {
            let inner = zstd::Decoder::new(whole).map_err(|error| Error::read(file, &error))?;
            Box::new(Unpacked { how: "zstd", inner })
        }
    };
    let start = start_of(&mut unpacked).map_err(|error| Error::read(file, &error))?;
    match Format::of(&start, file)? {
        Packed::Not(format) => {
            let stream = Box::new(Cursor::new(start).chain(unpacked));
            Ok(Feed { format, bytes: Bytes::Stream(stream) })
        }
        Packed::Gzip | Packed::Zstd => Err(foreign(file, "compressed twice", "unpack it once")),
    }
}

enum Packed {
    Not(Format),
    Gzip,
    Zstd,
}

fn foreign(file: &str, holds: &'static str, hint: &'static str) -> Error {
    FileRefusal::Foreign { file: file.to_owned(), holds, hint }.into()
}

/// Beginnings of files that people have and that are no tables we read, with what they are and what helps.
const FOREIGN: [(&[u8], &str, &str); 9] = [
    (b"PK\x03\x04", "a zip archive or a spreadsheet", "unpack it, or save the sheet as CSV"),
    (b"\xD0\xCF\x11\xE0", "a spreadsheet of an old kind", "save the sheet as CSV"),
    (b"BZh", "compressed by bzip2", "bunzip2 -c FILE | gaussbayes … -"),
    (b"\xFD7zXZ", "compressed by xz", "xz -dc FILE | gaussbayes … -"),
    (b"\x89HDF", "an HDF5 file", "write the table as Parquet or CSV"),
    (
        b"SQLite format 3",
        "an SQLite database",
        "sqlite3 -csv -header FILE 'SELECT …' | gaussbayes … -",
    ),
    (b"\xFF\xFE", "text in UTF-16", "iconv -f UTF-16 -t UTF-8 FILE | gaussbayes … -"),
    (b"\xFE\xFF", "text in UTF-16", "iconv -f UTF-16 -t UTF-8 FILE | gaussbayes … -"),
    (b"{\"format\":\"gaussbayes", "a file of gaussbayes", "give the table that it was made from"),
];

impl Format {
    /// What bytes with this beginning hold.
    fn of(start: &[u8], file: &str) -> Result<Packed, Error> {
        let begins = |magic: &[u8]| start.starts_with(&magic[..magic.len().min(MAGIC_BYTES)]);
        for (magic, format) in [
            (&b"PAR1"[..], Self::Parquet),
            (b"ARROW1", Self::ArrowFile),
            (b"\xFF\xFF\xFF\xFF", Self::ArrowStream),
            (b"\x93NUMPY", Self::Npy),
        ] {
            if begins(magic) {
                return Ok(Packed::Not(format));
            }
        }
        if begins(b"\x1F\x8B") {
            return Ok(Packed::Gzip);
        }
        if begins(b"\x28\xB5\x2F\xFD") {
            return Ok(Packed::Zstd);
        }
        match FOREIGN.iter().find(|(magic, ..)| begins(magic)) {
            Some((_, holds, hint)) => Err(foreign(file, holds, hint)),
            None => Ok(Packed::Not(Self::Text)),
        }
    }
}

/// A file that must not end before its length.
struct Whole {
    file: File,
    left: u64,
}

impl Read for Whole {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(into)?;
        self.left = self.left.saturating_sub(count as u64);
        if count == 0 && self.left > 0 && !into.is_empty() {
            let why = format!("it became shorter while it was read: {} bytes are gone", self.left);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, why));
        }
        Ok(count)
    }
}

/// A stream that is unpacked; what is wrong with it is wrong with its content.
struct Unpacked<R> {
    how: &'static str,
    inner: R,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.inner.read(into).map_err(|error| {
            let why = format!("it cannot be unpacked as {}: {error}", self.how);
            io::Error::new(io::ErrorKind::InvalidData, why)
        })
    }
}
