//! Opens Arrow files and streams: messages are read one by one, large batches of files in parts.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_footer_length, read_record_batch};
use arrow_ipc::{Block, Message, MessageHeader, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};

use super::guard::{arrow_fault, damaged, system_fault};
use super::part::{Batches, Found};
use super::window::Windows;
use crate::error::Error;
use crate::meter::Meter;

/// What comes before the length of a message.
const CONTINUATION: [u8; 4] = [0xFF; 4];

/// Bytes behind the footer of a file: its length, and the magic word.
const TRAILER: usize = 10;

/// How often larger no codec makes bytes than they are packed; there are a few bytes beside these.
const EXPANSION: i64 = 1 << 15;
const SMALL: i64 = 1 << 16;

/// Bytes of a batch that is read at once.
const AT_ONCE: u64 = 16 << 20;

/// A message, and the bytes that it speaks of.
type Encoded = (Vec<u8>, Vec<u8>);

/// What messages mean.
struct Meaning {
    file: Arc<str>,
    schema: SchemaRef,
    dictionaries: HashMap<i64, ArrayRef>,
    chosen: Arc<[usize]>,
}

impl Meaning {
    fn refuse(&self, error: &ArrowError) -> Error {
        arrow_fault(&self.file, error)
    }

    /// Takes a message and what it speaks of; a batch where it is one.
    fn take(&mut self, message: Message<'_>, body: Vec<u8>) -> Result<Option<RecordBatch>, Error> {
        let body = Buffer::from_vec(body);
        let version = message.version();
        match message.header_type() {
            MessageHeader::DictionaryBatch => {
                let dictionary = message.header_as_dictionary_batch();
                let dictionary = dictionary.ok_or_else(|| self.strange())?;
                if let Some(batch) = dictionary.data() {
                    self.check(batch, &body)?;
                }
                let known = &mut self.dictionaries;
                let read = read_dictionary(&body, dictionary, &self.schema, known, &version);
                read.map_err(|error| self.refuse(&error))?;
                Ok(None)
            }
            MessageHeader::RecordBatch => {
                let batch = message.header_as_record_batch().ok_or_else(|| self.strange())?;
                self.check(batch, &body)?;
                let (schema, known) = (self.schema.clone(), &self.dictionaries);
                let read =
                    read_record_batch(&body, batch, schema, known, Some(&self.chosen), &version);
                read.map(Some).map_err(|error| self.refuse(&error))
            }
            _ => Err(self.strange()),
        }
    }

    fn strange(&self) -> Error {
        damaged(&self.file, "a message is neither rows nor a dictionary")
    }

    /// Refuses packed buffers that say they are larger than any codec makes them: room is made by what they say.
    fn check(&self, batch: arrow_ipc::RecordBatch<'_>, body: &[u8]) -> Result<(), Error> {
        if batch.compression().is_none() {
            return Ok(());
        }
        for buffer in batch.buffers().into_iter().flatten() {
            let start = usize::try_from(buffer.offset()).ok();
            let packed = start.and_then(|start| body.get(start..)).unwrap_or_default();
            let said = packed.first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
            if said > buffer.length().saturating_mul(EXPANSION).saturating_add(SMALL) {
                return Err(damaged(&self.file, "a buffer says that it is larger than it can be"));
            }
        }
        Ok(())
    }
}

/// Reads the columns of a stream.
///
/// # Errors
/// What the system refuses, and a stream that is damaged.
pub(super) fn open_stream(file: &Arc<str>, stream: Box<dyn Read + Send>) -> Result<Found, Error> {
    let mut messages = Messages { file: file.clone(), reader: BufReader::new(stream) };
    let none = || damaged(file, "it does not say what its columns are");
    let (header, _) = messages.next()?.ok_or_else(none)?;
    let message = parsed(file, &header)?;
    let schema = message.header_as_schema().ok_or_else(none)?;
    let schema = try_fb_to_schema(schema).map_err(|error| arrow_fault(file, &error))?;
    let (schema, file) = (Arc::new(schema), file.clone());
    let pandas = schema.metadata().get("pandas").cloned();
    let known = schema.clone();
    let begin = move |chosen: Arc<[usize]>, _: usize| {
        let mut meaning = Meaning { file, schema: known, dictionaries: HashMap::new(), chosen };
        let batches = std::iter::from_fn(move || next_of_stream(&mut messages, &mut meaning));
        Ok(Box::new(batches) as Batches)
    };
    Ok(Found { schema, pandas, begin: Box::new(begin) })
}

fn next_of_stream(
    messages: &mut Messages,
    meaning: &mut Meaning,
) -> Option<Result<RecordBatch, Error>> {
    loop {
        let taken = messages.next().and_then(|next| {
            let Some((header, body)) = next else { return Ok(None) };
            let message = parsed(&meaning.file, &header)?;
            Ok(Some(meaning.take(message, body)?))
        });
        match taken {
            Ok(Some(Some(batch))) => return Some(Ok(batch)),
            Ok(Some(None)) => {}
            Ok(None) => return None,
            Err(fault) => return Some(Err(fault)),
        }
    }
}

fn parsed<'a>(file: &str, header: &'a [u8]) -> Result<Message<'a>, Error> {
    root_as_message(header).map_err(|_| damaged(file, "a message cannot be understood"))
}

/// The messages of a stream.
struct Messages {
    file: Arc<str>,
    reader: BufReader<Box<dyn Read + Send>>,
}

impl Messages {
    /// The next message, and the bytes that it speaks of.
    fn next(&mut self) -> Result<Option<Encoded>, Error> {
        let mut length = self.bytes(4)?;
        if length.is_empty() {
            return Ok(None);
        }
        if length == CONTINUATION {
            length = self.bytes(4)?;
        }
        let length = length.first_chunk().map_or(-1, |bytes| i32::from_le_bytes(*bytes));
        if length == 0 {
            return Ok(None);
        }
        let header = self.whole(length.into())?;
        let body = parsed(&self.file, &header)?.bodyLength();
        let body = self.whole(body)?;
        Ok(Some((header, body)))
    }

    fn whole(&mut self, length: i64) -> Result<Vec<u8>, Error> {
        let wrong = || damaged(&self.file, "the length of a message is negative");
        let length = u64::try_from(length).map_err(|_| wrong())?;
        let bytes = self.bytes(length)?;
        if (bytes.len() as u64) < length {
            return Err(damaged(&self.file, "it ends within a message"));
        }
        Ok(bytes)
    }

    /// So many bytes, or fewer at the end; room is made as they come.
    fn bytes(&mut self, count: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(count).read_to_end(&mut bytes);
        read.map_err(|error| system_fault(&self.file, &error))?;
        Ok(bytes)
    }
}

/// Reads the columns of a file, and its dictionaries.
///
/// # Errors
/// What the system refuses, and a file that is damaged.
pub(super) fn open_file(file: &Arc<str>, opened: File, meter: Arc<Meter>) -> Result<Found, Error> {
    let mut blocks = Blocks::new(file.clone(), opened, meter)?;
    let footer_bytes = blocks.footer()?;
    let footer = root_as_footer(&footer_bytes)
        .map_err(|_| damaged(file, "its last bytes cannot be understood"))?;
    let none = || damaged(file, "it does not say what its columns are");
    let schema = footer.schema().ok_or_else(none)?;
    let schema = try_fb_to_schema(schema).map_err(|error| arrow_fault(file, &error))?;
    let (schema, file) = (Arc::new(schema), file.clone());
    let pandas = schema.metadata().get("pandas").cloned();
    let known = schema.clone();
    let dictionaries: Vec<Block> = footer.dictionaries().into_iter().flatten().copied().collect();
    let places: Vec<Block> = footer.recordBatches().into_iter().flatten().copied().collect();
    let begin = move |chosen: Arc<[usize]>, rows: usize| {
        let mut meaning = Meaning { file, schema: known, dictionaries: HashMap::new(), chosen };
        for place in &dictionaries {
            let (header, body) = blocks.whole(place)?;
            meaning.take(parsed(&meaning.file, &header)?, body)?;
        }
        let (mut places, mut windows) = (places.into_iter(), None::<Windows>);
        let batches = std::iter::from_fn(move || {
            loop {
                if let Some(open) = &mut windows {
                    match open.next(&mut blocks) {
                        Some(batch) => return Some(batch),
                        None => windows = None,
                    }
                }
                let place = places.next()?;
                match next_of_file(&mut blocks, &mut meaning, &place, rows) {
                    Ok(Next::Batch(batch)) => return Some(Ok(batch)),
                    Ok(Next::Windows(found)) => windows = Some(found),
                    Err(fault) => return Some(Err(fault)),
                }
            }
        });
        Ok(Box::new(batches) as Batches)
    };
    Ok(Found { schema, pandas, begin: Box::new(begin) })
}

/// What a block of a file is read as.
enum Next {
    Batch(RecordBatch),
    Windows(Windows),
}

fn next_of_file(
    blocks: &mut Blocks,
    meaning: &mut Meaning,
    place: &Block,
    rows: usize,
) -> Result<Next, Error> {
    let header = blocks.header(place)?;
    let message = parsed(&meaning.file, &header)?;
    let (start, length) = blocks.body(place)?;
    if length > AT_ONCE
        && let Some(batch) = message.header_as_record_batch()
        && let Some(windows) =
            Windows::of(batch, &meaning.schema, &meaning.chosen, start..start + length, rows)
    {
        return Ok(Next::Windows(windows));
    }
    let body = blocks.bytes(start, length)?;
    let batch = meaning.take(message, body)?;
    batch.map(Next::Batch).ok_or_else(|| meaning.strange())
}

/// The parts of a file, by their places.
pub(super) struct Blocks {
    pub(super) file: Arc<str>,
    opened: File,
    meter: Arc<Meter>,
    length: u64,
}

impl Blocks {
    fn new(file: Arc<str>, opened: File, meter: Arc<Meter>) -> Result<Self, Error> {
        let length = opened.metadata().map_err(|error| system_fault(&file, &error))?.len();
        Ok(Self { file, opened, meter, length })
    }

    /// So many bytes from a place on.
    pub(super) fn bytes(&mut self, start: u64, length: u64) -> Result<Vec<u8>, Error> {
        if start.checked_add(length).is_none_or(|end| end > self.length) {
            return Err(damaged(&self.file, "it ends too early"));
        }
        let mut read = || -> io::Result<Vec<u8>> {
            self.opened.seek(SeekFrom::Start(start))?;
            let mut bytes = vec![0; length as usize];
            self.opened.read_exact(&mut bytes)?;
            Ok(bytes)
        };
        let bytes = read().map_err(|error| system_fault(&self.file, &error))?;
        self.meter.add(length);
        Ok(bytes)
    }

    fn footer(&mut self) -> Result<Vec<u8>, Error> {
        let early = || damaged(&self.file, "it ends too early");
        let end = self.length.checked_sub(TRAILER as u64).ok_or_else(early)?;
        let trailer = self.bytes(end, TRAILER as u64)?;
        let trailer = trailer.first_chunk().copied().unwrap_or_default();
        let early = || damaged(&self.file, "it ends too early");
        let length = read_footer_length(trailer).map_err(|_| early())? as u64;
        let start = end.checked_sub(length).ok_or_else(early)?;
        self.bytes(start, length)
    }

    /// The message of a block.
    fn header(&mut self, place: &Block) -> Result<Vec<u8>, Error> {
        let wrong = || damaged(&self.file, "the place of a batch is not in it");
        let start = u64::try_from(place.offset()).map_err(|_| wrong())?;
        let length = u64::try_from(place.metaDataLength()).map_err(|_| wrong())?;
        let mut bytes = self.bytes(start, length)?;
        let prefix = if bytes.starts_with(&CONTINUATION) { 8 } else { 4 };
        bytes.drain(..prefix.min(bytes.len()));
        Ok(bytes)
    }

    /// Where the bytes that a message speaks of begin, and how many they are.
    fn body(&self, place: &Block) -> Result<(u64, u64), Error> {
        let start = place.offset().checked_add(place.metaDataLength().into());
        let start = start.and_then(|start| u64::try_from(start).ok());
        let wrong = || damaged(&self.file, "the place of a batch is not in it");
        let length = u64::try_from(place.bodyLength()).map_err(|_| wrong())?;
        let start = start.ok_or_else(wrong)?;
        let end = start.checked_add(length).filter(|end| *end <= self.length);
        end.map(|_| (start, length)).ok_or_else(wrong)
    }

    fn whole(&mut self, place: &Block) -> Result<Encoded, Error> {
        let header = self.header(place)?;
        let (start, length) = self.body(place)?;
        Ok((header, self.bytes(start, length)?))
    }
}
