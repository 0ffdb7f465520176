//! Reads CSV text: the same rows whatever the chunks, every number finite, no panic.

use gaussbayes::{Block, Cut as _, Field, NO_LABEL, Source as _};
use gaussbayes_io::{Columns, Data, Error, Na, Quote, Reading, Types};

/// Bytes that say how the text behind them is read.
const OPTIONS: usize = 2;

/// How a text is read.
struct Asked {
    columns: Columns,
    reading: Reading,
    chunk: usize,
}

impl Asked {
    fn of([flags, sizes]: [u8; OPTIONS]) -> Self {
        let on = |bit: u32| flags >> bit & 1 == 1;
        let columns = Columns {
            target: on(0).then(|| "1".into()),
            weights: (on(0) && on(6)).then(|| "2".into()),
            unlabelled: on(1),
            types: if on(2) { Types::Recognised(Vec::new()) } else { Types::Plain },
            ..Columns::default()
        };
        let reading = Reading {
            na: if on(3) { Na::Drop } else { Na::Refuse },
            header: on(4).then_some(on(5)),
            quote: (sizes >> 7 == 1).then_some(if on(7) { Quote::No } else { Quote::By(b'\'') }),
            decimal: (on(6) && on(5)).then_some(b','),
            ..Reading::default()
        };
        Self { columns, reading, chunk: 1 + usize::from(sizes & 0x7F) }
    }

    fn open(&self, text: &[u8], chunk: usize) -> Result<Data, Error> {
        Data::from_chunks("t.csv", text, &self.columns, &self.reading, chunk)
    }

    /// What is read, as text: rows up to the first fault, and the fault.
    fn rows(&self, data: &mut Data) -> Vec<String> {
        let mut found = Vec::new();
        loop {
            let rows = data.rows_per_block();
            let decoded = match data.next(rows) {
                Ok(None) => return found,
                Ok(Some(cut)) => cut.decode().map(|block| self.checked(data, &block)),
                Err(fault) => Err(fault),
            };
            match decoded {
                Ok(text) => found.push(text),
                Err(fault) => {
                    found.push(said(&fault));
                    return found;
                }
            }
        }
    }

    /// The rows of a block, once every cell is what it must be.
    fn checked(&self, data: &Data, block: &Block<'_>) -> String {
        let (rows, dim) = (block.rows(), data.features().len());
        assert_eq!(rows.dim(), dim, "columns");
        assert_eq!(block.is_weighted(), self.columns.weights.is_some(), "weights");
        let gaps = data.types().is_some() && self.reading.na == Na::Refuse;
        let mut text = String::new();
        for i in 0..rows.count() {
            let weight = block.weight(i);
            assert!(weight.is_finite() && weight >= 0.0, "weight {weight}");
            for j in 0..dim {
                let value = rows.value(i, j);
                assert!(
                    value.is_finite() || gaps && value.is_nan(),
                    "row {i}, column {j}: {value}"
                );
                text += &format!("{:x} ", value.to_bits());
            }
            text += &format!("{weight} ");
            if let Some(labels) = block.labels() {
                let code = labels.codes[i];
                assert!(code != NO_LABEL || self.columns.unlabelled, "row {i} has no label");
                text += labels.dictionary.get(code as usize).map_or("", |label| label.as_str());
            }
            text.push('\n');
        }
        for (j, field) in block.fields().iter().enumerate() {
            if let Field::Category(names) = field {
                let code = (0..rows.count()).map(|i| rows.value(i, j)).fold(-1.0, f64::max);
                assert!(code < names.len() as f64, "code {code} of {} names", names.len());
            }
            text += &format!("{field:?}\n");
        }
        text
    }
}

/// Runs the target: two bytes of options, then the text.
pub fn run(bytes: &[u8]) {
    let Some((options, text)) = bytes.split_first_chunk::<OPTIONS>() else { return };
    let asked = Asked::of(*options);
    let whole = match asked.open(text, 1 << 20) {
        Ok(mut data) => {
            let rows = asked.rows(&mut data);
            let again = data.rewind().map(|()| asked.rows(&mut data));
            assert_eq!(again.as_ref().ok(), Some(&rows), "rows read again are the same");
            rows
        }
        Err(fault) => vec![said(&fault)],
    };
    let by_chunks = match asked.open(text, asked.chunk) {
        Ok(mut data) => asked.rows(&mut data),
        Err(fault) => vec![said(&fault)],
    };
    assert_eq!(by_chunks, whole, "rows do not depend on chunks");
}

/// What a user is told: one line, with or without a hint.
fn said(fault: &Error) -> String {
    let text = fault.to_string();
    assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
    format!("{text}; {}", fault.hint().unwrap_or_default())
}
