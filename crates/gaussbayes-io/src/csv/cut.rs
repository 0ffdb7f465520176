//! Cuts text into runs of whole records: one after the other, as cheaply as lines are found.

use std::fmt;
use std::io::Read;
use std::sync::Arc;

use super::field::{newlines, record_end, skip_blank};
use super::records::Records;
use crate::error::Error;

/// Bytes asked of a file at a time: large beside the cost of a call, small beside a block.
pub(crate) const CHUNK_BYTES: usize = 256 << 10;

/// Bytes of the longest record: a line of millions of columns, or a quote that never closes.
const RECORD_BYTES: usize = 64 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads text and cuts it into records.
pub(crate) struct Cutter {
    file: Arc<str>,
    delimiter: u8,
    reader: Box<dyn Read + Send>,
    chunk: usize,
    /// Text that is read and not yet cut.
    buffer: Vec<u8>,
    /// Line of the first byte of the buffer.
    line: u64,
    ended: bool,
}

impl fmt::Debug for Cutter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cutter")
            .field("file", &self.file)
            .field("line", &self.line)
            .finish_non_exhaustive()
    }
}

impl Cutter {
    /// Reads `chunk` bytes at a time; a byte order mark at the start is skipped.
    ///
    /// # Errors
    /// [`Error::Read`].
    pub(crate) fn new(
        file: Arc<str>,
        delimiter: u8,
        reader: Box<dyn Read + Send>,
        chunk: usize,
    ) -> Result<Self, Error> {
        let mut cutter =
            Self { file, delimiter, reader, chunk, buffer: Vec::new(), line: 1, ended: false };
        while !cutter.ended && cutter.buffer.len() < BYTE_ORDER_MARK.len() {
            cutter.fill(0)?;
        }
        if cutter.buffer.starts_with(BYTE_ORDER_MARK) {
            cutter.buffer.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(cutter)
    }

    /// The file, as the user named it.
    pub(crate) fn file(&self) -> &Arc<str> {
        &self.file
    }

    /// What separates fields.
    pub(crate) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Exactly `count` records, fewer only at the end, none after it.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::UnclosedQuote`], [`Error::LongLine`].
    pub(crate) fn next(&mut self, count: usize) -> Result<Option<Records>, Error> {
        let mut at = 0;
        let mut found = 0;
        while found < count {
            at = skip_blank(&self.buffer, at);
            if let Some(end) = record_end(&self.buffer, at, self.delimiter) {
                at = end;
                found += 1;
                continue;
            }
            match self.more(at) {
                Ok(true) => {}
                // The records before a fault come first; the next call meets it again.
                Ok(false) | Err(_) if found > 0 => break,
                Ok(false) => return Ok(None),
                Err(fault) => return Err(fault),
            }
        }
        let first_line = self.line;
        self.line = self.line_of(at);
        // The next cut is about as long as this one.
        let mut rest = Vec::with_capacity((at + self.chunk).max(self.buffer.len() - at));
        rest.extend_from_slice(&self.buffer[at..]);
        self.buffer.truncate(at);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let (file, delimiter) = (self.file.clone(), self.delimiter);
        Ok(Some(Records { file, delimiter, bytes, first_line, count: found }))
    }

    /// Takes the records that were cut last back, so that they are cut again.
    pub(crate) fn give_back(&mut self, records: Records) {
        let Records { mut bytes, first_line, .. } = records;
        bytes.append(&mut self.buffer);
        (self.buffer, self.line) = (bytes, first_line);
    }

    /// Adds what may finish the record at `at`; false when there is no record.
    fn more(&mut self, at: usize) -> Result<bool, Error> {
        if !self.ended {
            self.fill(at)?;
        } else if at == self.buffer.len() {
            return Ok(false);
        } else if self.buffer.ends_with(b"\n") {
            return Err(self.unclosed(at));
        } else {
            self.buffer.push(b'\n');
        }
        Ok(true)
    }

    /// Reads more behind the unfinished record at `at`.
    fn fill(&mut self, at: usize) -> Result<(), Error> {
        let unfinished = self.buffer.len() - at;
        if unfinished > RECORD_BYTES {
            if self.buffer[at..].contains(&b'\n') {
                return Err(self.unclosed(at));
            }
            let (file, line) = (self.file.to_string(), self.line_of(at));
            return Err(Error::LongLine { file, line, limit: RECORD_BYTES });
        }
        // A long record is searched again from its start: growing steps keep the work linear.
        let wanted = self.chunk.max(unfinished);
        let reader = self.reader.by_ref();
        let read = reader.take(wanted as u64).read_to_end(&mut self.buffer);
        let read = read.map_err(|error| Error::read(&self.file, &error))?;
        self.ended = read < wanted;
        Ok(())
    }

    fn line_of(&self, at: usize) -> u64 {
        self.line + newlines(&self.buffer[..at])
    }

    fn unclosed(&self, at: usize) -> Error {
        Error::UnclosedQuote { file: self.file.to_string(), line: self.line_of(at) }
    }
}
