//! Cuts text into runs of whole records: one after the other, as cheaply as lines are found.

use std::fmt;
use std::io::Read;
use std::sync::Arc;

use super::field::{newlines, record_end, skip_blank};
use super::grammar::{Grammar, SAMPLE_BYTES};
use super::records::Records;
use crate::error::Error;
use crate::refusal::FileRefusal;

/// Bytes asked of a file at a time: large beside the cost of a call, small beside a block.
pub(crate) const CHUNK_BYTES: usize = 256 << 10;

/// Bytes of the longest record: a line of millions of columns, or a quote that never closes.
const RECORD_BYTES: usize = 64 << 20;

/// Bytes of the records of one cut at most, and of the blank lines behind one: no table has such rows.
const CUT_BYTES: usize = 1 << 30;

/// Lines that a sample has at least, unless they are wider than this.
const LINES: u64 = 3;
const WIDE_BYTES: usize = 4 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads text and cuts it into records.
pub(crate) struct Cutter {
    file: Arc<str>,
    grammar: Grammar,
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
        reader: Box<dyn Read + Send>,
        chunk: usize,
    ) -> Result<Self, Error> {
        let (grammar, buffer) = (Grammar::default(), Vec::new());
        let mut cutter = Self { file, grammar, reader, chunk, buffer, line: 1, ended: false };
        while !cutter.ended && cutter.buffer.len() < BYTE_ORDER_MARK.len() {
            cutter.fill(0)?;
        }
        if cutter.buffer.starts_with(BYTE_ORDER_MARK) {
            cutter.buffer.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(cutter)
    }

    /// The first bytes of the text, down to its last whole line.
    ///
    /// # Errors
    /// [`Error::Read`].
    pub(crate) fn sample(&mut self) -> Result<&[u8], Error> {
        let few = |buffer: &[u8]| newlines(buffer) < LINES && buffer.len() < WIDE_BYTES;
        while !self.ended && (self.buffer.len() < SAMPLE_BYTES || few(&self.buffer)) {
            self.fill(self.buffer.len())?;
        }
        if self.ended && !self.buffer.is_empty() && !self.buffer.ends_with(b"\n") {
            self.buffer.push(b'\n');
        }
        let sample = &self.buffer[..self.buffer.len().min(WIDE_BYTES)];
        let end = sample.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        Ok(&sample[..end])
    }

    /// Cuts by another grammar from now on.
    pub(crate) fn set_grammar(&mut self, grammar: Grammar) {
        self.grammar = grammar;
    }

    /// Exactly `count` records, fewer only at the end, none after it.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::UnclosedQuote`], [`Error::LongLine`].
    pub(crate) fn next(&mut self, count: usize) -> Result<Option<Records>, Error> {
        // Where the next record is looked for, and where the latest ends.
        let (mut at, mut end) = (0, 0);
        let mut found = 0;
        while found < count {
            at = skip_blank(&self.buffer, at);
            if at - end > RECORD_BYTES {
                if found > 0 {
                    at = end;
                    break;
                }
                let (file, line) = (self.file.to_string(), self.line_of(end));
                return Err(FileRefusal::Blank { file, line, limit: RECORD_BYTES }.into());
            }
            if let Some(next) = record_end(&self.buffer, at, self.grammar) {
                (at, end) = (next, next);
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
        let (file, grammar) = (self.file.clone(), self.grammar);
        Ok(Some(Records { file, grammar, bytes, first_line, count: found }))
    }

    /// Fields of the record that is cut next; none at the end.
    ///
    /// # Errors
    /// As for [`Cutter::next`].
    pub(crate) fn peek(&mut self) -> Result<Option<usize>, Error> {
        let Some(records) = self.next(1)? else { return Ok(None) };
        let fields = records.fields(records.record_at(0))?.len();
        let Records { mut bytes, first_line, .. } = records;
        bytes.append(&mut self.buffer);
        (self.buffer, self.line) = (bytes, first_line);
        Ok(Some(fields))
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
            if self.buffer[at..].contains(&0) {
                return Err(FileRefusal::Nul { file, line }.into());
            }
            return Err(Error::LongLine { file, line, limit: RECORD_BYTES });
        }
        if self.buffer.len() > CUT_BYTES {
            let (file, line) = (self.file.to_string(), self.line_of(at));
            return Err(FileRefusal::LongRows { file, line, limit: CUT_BYTES }.into());
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
