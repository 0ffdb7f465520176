//! Reads several files as one table: rows follow each other, and blocks do not end where files do.

use std::path::Path;
use std::sync::Arc;

use gaussbayes::{Block, Table, rows_per_block};

use crate::columns::{Columns, Entries};
use crate::error::Error;
use crate::findings::Findings;
use crate::list::Named;
use crate::meter::Meter;
use crate::part::{Opening, Part, Piece};
use crate::reading::{Na, Reading};
use crate::refusal::FileRefusal;
use crate::types::{ColumnType, Seen, Types, Typing};

/// Files that are read one after the other.
#[derive(Debug)]
pub(crate) struct Files {
    inputs: Vec<Named>,
    plan: Plan,
    typing: Option<Arc<Typing>>,
    findings: Arc<Findings>,
    /// The file that is read, and its place among the inputs.
    part: Part,
    at: usize,
    /// Rows cut so far.
    row: u64,
    /// Rows that were looked at before they were asked for.
    ahead: Option<Vec<Piece>>,
    /// What is wrong behind the rows of the latest cut.
    fault: Option<Error>,
}

/// What is read of every file, and how.
#[derive(Debug)]
struct Plan {
    /// What was asked of the first file.
    first: Columns,
    /// The same by the names that the first file has.
    later: Columns,
    /// The columns of the first file, where others may have no more than these.
    header: Vec<String>,
    reading: Reading,
    chunk: usize,
    meter: Arc<Meter>,
}

impl Files {
    /// Opens the first file, and says what the features hold.
    ///
    /// # Errors
    /// What the system refuses, a header that is wrong, and columns that are not in it.
    pub(crate) fn open(
        mut inputs: Vec<Named>,
        columns: &Columns,
        reading: &Reading,
        chunk: usize,
    ) -> Result<Self, Error> {
        let findings = Arc::new(Findings::default());
        let meter = Meter::new(inputs.iter().map(|(_, input)| input.length()).sum());
        let named = inputs.first_mut().ok_or(gaussbayes::Error::NoRows)?;
        let mut plan = Plan {
            first: columns.clone(),
            later: columns.clone(),
            header: Vec::new(),
            reading: reading.clone(),
            chunk,
            meter,
        };
        let part = plan.open_first(named, Some(&findings))?;
        let schema = part.schema();
        let column = |at: &usize| schema.header[*at].clone();
        plan.header.clone_from(&schema.header);
        plan.later.features = schema.selection.features.iter().map(column).collect();
        plan.later.target = schema.selection.target.as_ref().map(column);
        plan.later.weights = schema.selection.weights.as_ref().map(column);
        plan.later.keep = schema.selection.keep.iter().map(column).collect();
        plan.later.drop = Vec::new();
        plan.later.entries = Entries::Names;
        let (typing, ahead, fault) = (None, None, None);
        let mut files = Self { inputs, plan, typing, findings, part, at: 0, row: 0, ahead, fault };
        files.typing = files.typing(&columns.types)?.map(Arc::new);
        if let Some(pieces) = &mut files.ahead {
            pieces.iter_mut().for_each(|piece| piece.set_typing(files.typing.as_ref()));
        }
        Ok(files)
    }

    /// What the features hold; rows that are looked at are cut next.
    fn typing(&mut self, types: &Types) -> Result<Option<Typing>, Error> {
        let columns = self.features().len();
        let gaps = self.plan.reading.na == Na::Drop;
        match types {
            Types::Plain => Ok(gaps.then(|| Typing::numbers(columns))),
            Types::Given(types) if types.len() == columns => Ok(Some(Typing::of_model(types))),
            Types::Given(types) => {
                let (expected, found) = (columns, types.len());
                Err(gaussbayes::Error::Shape { what: "types of columns", expected, found }.into())
            }
            Types::Recognised(declared) => {
                let (file, schema) = (&self.inputs[0].0, self.part.schema());
                let declared =
                    Columns::declared(declared, file, &schema.header, &schema.selection)?;
                // What is wrong with the rows is said when they are asked for.
                match self.next(rows_per_block(columns)) {
                    Ok(pieces) => self.ahead = pieces,
                    Err(fault) => self.fault = Some(fault),
                }
                self.row = 0;
                let mut seen: Vec<Seen<'_>> = (0..columns).map(|_| Seen::default()).collect();
                for piece in self.ahead.iter().flatten() {
                    piece.look(&mut seen);
                }
                let typing = Typing::recognised(&declared, &seen);
                Ok(typing.or_else(|| gaps.then(|| Typing::numbers(columns))))
            }
        }
    }

    /// Names of the features, in the order of the numbers of a row.
    pub(crate) fn features(&self) -> &[String] {
        &self.plan.later.features
    }

    /// The column of labels.
    pub(crate) fn target(&self) -> Option<&str> {
        self.plan.later.target.as_deref()
    }

    /// The column of weights.
    pub(crate) fn weights(&self) -> Option<&str> {
        self.plan.later.weights.as_deref()
    }

    /// Names of the columns whose cells stand in place of labels.
    pub(crate) fn kept(&self) -> &[String] {
        &self.plan.later.keep
    }

    /// What the features hold; none where they are plain numbers.
    pub(crate) fn types(&self) -> Option<&[ColumnType]> {
        let typing = self.typing.as_ref().filter(|typing| !typing.is_numbers());
        typing.map(|typing| typing.types.as_slice())
    }

    /// What is found out about the files while they are read.
    pub(crate) fn findings(&self) -> &Arc<Findings> {
        &self.findings
    }

    /// How far a pass over the files has come.
    pub(crate) fn meter(&self) -> Arc<Meter> {
        self.plan.meter.clone()
    }

    /// Whether the rows can be read once only.
    pub(crate) fn is_once(&self) -> bool {
        self.inputs.iter().take(self.at + 1).any(|(_, input)| input.is_once())
    }

    /// Exactly `rows` rows, fewer only at the end, none after it.
    ///
    /// # Errors
    /// What reading met.
    pub(crate) fn next(&mut self, rows: usize) -> Result<Option<Vec<Piece>>, Error> {
        let mut pieces = self.ahead.take().unwrap_or_default();
        let ahead = pieces.iter().map(Piece::count).sum();
        let mut missing = rows.saturating_sub(ahead);
        self.row += ahead as u64;
        while missing > 0 && self.fault.is_none() {
            match self.piece(missing) {
                Ok(Some(piece)) => {
                    missing -= piece.count();
                    self.row += piece.count() as u64;
                    pieces.push(piece);
                }
                Ok(None) => break,
                Err(fault) => self.fault = Some(fault),
            }
        }
        match self.fault.take() {
            // The rows before a fault come first.
            Some(fault) if pieces.is_empty() => return Err(fault),
            fault => self.fault = fault,
        }
        if pieces.is_empty() && self.row == 0 && rows > 0 {
            return Err(Error::HeaderOnly { file: self.inputs[0].0.to_string() });
        }
        Ok((!pieces.is_empty()).then_some(pieces))
    }

    /// Some rows of the file that is read, or of the next that has any.
    fn piece(&mut self, rows: usize) -> Result<Option<Piece>, Error> {
        loop {
            if let Some(piece) = self.part.next(rows, self.row, self.typing.as_ref())? {
                return Ok(Some(piece));
            }
            let first = self.inputs[0].0.clone();
            let Some(named) = self.inputs.get_mut(self.at + 1) else { return Ok(None) };
            self.part = self.plan.open_later(named, &first, &self.findings)?;
            self.at += 1;
        }
    }

    /// Goes back to the first row of the first file.
    ///
    /// # Errors
    /// [`gaussbayes::Error::OnePass`], and a file that is not what it was.
    pub(crate) fn rewind(&mut self) -> Result<(), Error> {
        if self.is_once() {
            return Err(gaussbayes::Error::OnePass.into());
        }
        self.plan.meter.restart();
        self.part = self.plan.open_first(&mut self.inputs[0], None)?;
        (self.at, self.row, self.ahead, self.fault) = (0, 0, None, None);
        Ok(())
    }
}

impl Plan {
    fn open_first(&self, named: &mut Named, findings: Option<&Findings>) -> Result<Part, Error> {
        let (file, input) = named;
        let columns = &self.first;
        let asked = columns.features.iter().chain(&columns.drop).chain(&columns.keep);
        let asked = asked.chain(&columns.target).chain(&columns.weights).map(String::as_str);
        // A number that stands in the first line may be a place.
        let wanted: Vec<&str> = asked.filter(|name| name.parse::<f64>().is_err()).collect();
        let opened = self.opening(file, &wanted, None).open(input.open(file, &self.meter)?)?;
        if let Some(findings) = findings {
            findings.note(file, &opened.header.notes);
        }
        opened.choose(file, columns, &self.reading)
    }

    fn open_later(
        &self,
        named: &mut Named,
        first: &str,
        findings: &Findings,
    ) -> Result<Part, Error> {
        let (file, input) = named;
        let columns = &self.later;
        let needed = || {
            let features = columns.features.iter().chain(&columns.keep);
            features.chain(&columns.target).chain(&columns.weights)
        };
        let wanted: Vec<&str> = needed().map(String::as_str).collect();
        let opened =
            self.opening(file, &wanted, Some(&self.header)).open(input.open(file, &self.meter)?)?;
        let names = &opened.header.names;
        let refusal = |column: &String| (file.to_string(), first.to_owned(), column.clone());
        if let Some(column) = needed().find(|name| !names.contains(name)) {
            let (file, first, column) = refusal(column);
            return Err(FileRefusal::LacksColumn { file, first, column }.into());
        }
        let all = self.first.features.is_empty();
        if let Some(column) = names.iter().find(|name| all && !self.header.contains(name)) {
            let (file, first, column) = refusal(column);
            return Err(FileRefusal::ExtraColumn { file, first, column }.into());
        }
        findings.note(file, &opened.header.notes);
        opened.choose(file, columns, &self.reading)
    }

    fn opening<'a>(
        &'a self,
        file: &'a Arc<str>,
        wanted: &'a [&'a str],
        known: Option<&'a [String]>,
    ) -> Opening<'a> {
        let (chunk, delimiter) = (self.chunk, usual_delimiter(file));
        Opening { file, chunk, delimiter, reading: &self.reading, wanted, known }
    }
}

/// What separates the fields of a file, by the end of its name.
pub(crate) fn usual_delimiter(file: &str) -> u8 {
    let name = Path::new(file);
    let is = |name: &Path, end: &str| name.extension().is_some_and(|e| e.eq_ignore_ascii_case(end));
    let packed = is(name, "gz") || is(name, "zst");
    let name = if packed { Path::new(name.file_stem().unwrap_or_default()) } else { name };
    if is(name, "tsv") || is(name, "tab") { b'\t' } else { b',' }
}

/// The rows of some pieces as one block.
///
/// # Errors
/// The first row that is wrong.
pub(crate) fn decoded(pieces: &[Piece]) -> Result<Block<'static>, Error> {
    if let [only] = pieces {
        return only.decode();
    }
    let (mut table, mut first_row) = (Table::default(), None);
    for piece in pieces {
        let block = piece.decode()?;
        first_row.get_or_insert(block.first_row());
        table.push_block(&block);
    }
    Ok(table.into_block(first_row.unwrap_or(0))?)
}
