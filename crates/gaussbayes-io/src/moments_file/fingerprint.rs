//! Counts rows as they are read and hashes them, so that a part is known wherever it turns up.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gaussbayes::{Block, Cut, Field, Label, Source};

/// A hash of 128 bits of rows, their labels and weights, in their order: enough to tell any number of parts apart
/// that do not set out to deceive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub(super) u128);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl Fingerprint {
    /// Reads what [`Fingerprint`] writes.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let digits = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u128::from_str_radix(text, 16).ok().filter(|_| digits).map(Self)
    }
}

/// A source of which every row is counted and hashed once it is decoded.
#[derive(Debug)]
pub(super) struct Marked<'a, S> {
    source: &'a mut S,
    sums: Arc<Sums>,
}

/// Sums over rows: any thread adds to them, in any order.
#[derive(Debug, Default)]
struct Sums {
    rows: AtomicU64,
    low: AtomicU64,
    high: AtomicU64,
}

impl<'a, S: Source> Marked<'a, S> {
    pub(super) fn new(source: &'a mut S) -> Self {
        Self { source, sums: Arc::default() }
    }

    /// Rows so far, and their fingerprint.
    pub(super) fn found(&self) -> (u64, Fingerprint) {
        let read = |sum: &AtomicU64| sum.load(Ordering::Relaxed);
        let hash = u128::from(read(&self.sums.high)) << 64 | u128::from(read(&self.sums.low));
        (read(&self.sums.rows), Fingerprint(hash))
    }
}

impl<S: Source> Source for Marked<'_, S> {
    type Cut = MarkedCut<S::Cut>;
    type Error = S::Error;

    fn dim(&self) -> usize {
        self.source.dim()
    }

    fn rows_per_block(&self) -> usize {
        self.source.rows_per_block()
    }

    fn next(&mut self, rows: usize) -> Result<Option<Self::Cut>, S::Error> {
        let cut = self.source.next(rows)?;
        Ok(cut.map(|cut| MarkedCut { cut, sums: self.sums.clone() }))
    }

    fn rewind(&mut self) -> Result<(), S::Error> {
        Err(gaussbayes::Error::OnePass.into())
    }
}

#[derive(Debug)]
pub(super) struct MarkedCut<C> {
    cut: C,
    sums: Arc<Sums>,
}

impl<C: Cut> Cut for MarkedCut<C> {
    type Error = C::Error;

    fn decode(&self) -> Result<Block<'_>, C::Error> {
        let block = self.cut.decode()?;
        let hash = of_block(&block);
        self.sums.rows.fetch_add(block.rows().count() as u64, Ordering::Relaxed);
        self.sums.low.fetch_add(hash.0, Ordering::Relaxed);
        self.sums.high.fetch_add(hash.1, Ordering::Relaxed);
        Ok(block)
    }
}

/// Two hashes of 64 bits side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hash(u64, u64);

impl Hash {
    const START: Self = Self(0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344);

    fn and(self, word: u64) -> Self {
        Self(mixed(self.0 ^ word), mixed(self.1 ^ word.rotate_left(32)))
    }

    fn and_hash(self, other: Self) -> Self {
        Self(mixed(self.0 ^ other.0), mixed(self.1 ^ other.1))
    }

    /// The same in whatever order it is called.
    fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0), self.1.wrapping_add(other.1))
    }

    fn of(text: &str) -> Self {
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        };
        let start = Self::START.and(text.len() as u64);
        text.as_bytes().chunks(8).fold(start, |hash, bytes| hash.and(word(bytes)))
    }

    fn each(texts: &[Label]) -> Vec<Self> {
        texts.iter().map(|text| Self::of(text.as_str())).collect()
    }
}

/// One step of `SplitMix64`, which changes about half of the bits for any bit that is changed.
fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// What codes of a block mean depends on where it was cut: names are hashed by their text.
enum Names {
    None,
    Category(Vec<Hash>),
    Text(Vec<Hash>),
}

/// The sum of the hashes of rows, each with its number: another order is another sum, another cut is not.
fn of_block(block: &Block<'_>) -> Hash {
    let labels = block.labels().map(|labels| Hash::each(&labels.dictionary));
    let names = |field: &Field<'_>| match field {
        Field::Number => Names::None,
        Field::Category(names) => Names::Category(Hash::each(names)),
        Field::Text { words, .. } => Names::Text(Hash::each(words)),
    };
    let names: Vec<Names> = block.fields().iter().map(names).collect();
    let row = |i: usize| {
        let mut hash = Hash::START.and(block.first_row() + i as u64);
        hash = hash.and(block.weight(i).to_bits());
        if let (Some(hashes), Some(labels)) = (&labels, block.labels()) {
            let label = hashes.get(labels.codes[i] as usize);
            hash = label.map_or(hash, |label| hash.and_hash(*label));
        }
        if let Some(rows) = block.rows().as_sparse() {
            let (columns, values) = rows.row(i);
            let cells = columns.iter().zip(values).filter(|(_, value)| **value != 0.0);
            return cells
                .fold(hash, |hash, (j, value)| hash.and(u64::from(*j)).and(value.to_bits()));
        }
        for j in 0..block.rows().dim() {
            let value = block.rows().value(i, j);
            hash = match names.get(j) {
                Some(Names::Category(names)) if !value.is_nan() => {
                    hash.and_hash(names[value as usize])
                }
                Some(Names::Text(words)) => hash.and_hash(of_words(block, i, j, words)),
                _ => hash.and(value.to_bits()),
            };
        }
        hash
    };
    (0..block.rows().count()).map(row).fold(Hash(0, 0), Hash::plus)
}

fn of_words(block: &Block<'_>, i: usize, column: usize, words: &[Hash]) -> Hash {
    let Field::Text { counts, .. } = &block.fields()[column] else { return Hash::START };
    let (places, counts) = counts.row(i);
    let word = |(at, count): (&u32, &f64)| words[*at as usize].and(count.to_bits());
    places.iter().zip(counts).map(word).fold(Hash(0, 0), Hash::plus)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaussbayes::{On, Pool, Table, each_block};

    fn table(values: &[f64], labels: &[u32], dictionary: [&str; 2]) -> Table {
        Table {
            dim: 1,
            values: values.to_vec(),
            codes: Some(labels.to_vec()),
            dictionary: dictionary.map(Label::from).to_vec(),
            ..Table::default()
        }
    }

    fn found(table: &Table) -> (u64, Fingerprint) {
        let mut source = table.source();
        let mut marked = Marked::new(&mut source);
        let pool = Pool::new(1).unwrap();
        each_block(&mut marked, On::pool(&pool), |_| Ok(()), |()| Ok(())).unwrap();
        marked.found()
    }

    #[test]
    fn rows_their_order_and_their_labels_are_told_apart() {
        let rows = table(&[1.0, 2.0, 3.0], &[0, 1, 0], ["a", "b"]);
        let (count, hash) = found(&rows);
        assert_eq!(count, 3);
        // What codes stand for matters, and not the codes.
        assert_eq!(found(&table(&[1.0, 2.0, 3.0], &[1, 0, 1], ["b", "a"])), (3, hash));
        let weighted = |weights: [f64; 3]| Table { weights: Some(weights.into()), ..rows.clone() };
        assert_eq!(found(&weighted([1.0; 3])), (3, hash));
        for other in [
            table(&[2.0, 1.0, 3.0], &[1, 0, 0], ["a", "b"]),
            table(&[1.0, 2.0, 3.5], &[0, 1, 0], ["a", "b"]),
            table(&[1.0, 2.0, 3.0], &[0, 1, 1], ["a", "b"]),
            table(&[1.0, 2.0, 3.0], &[0, 1, 0], ["a", "c"]),
            weighted([1.0, 2.0, 1.0]),
        ] {
            assert_ne!(found(&other).1, hash);
        }
    }

    #[test]
    fn where_rows_are_cut_does_not_show() {
        let rows = table(&[1.0, 2.0, 3.0, 4.0], &[0, 1, 0, 1], ["a", "b"]);
        let of = |range| of_block(&rows.block(range).unwrap());
        assert_eq!(of(0..4), of(0..1).plus(of(1..4)));
        assert_eq!(of(0..4), of(2..4).plus(of(0..2)));
    }

    #[test]
    fn a_fingerprint_reads_back() {
        let print = Fingerprint(0x1f);
        assert_eq!(Fingerprint::parse(&print.to_string()), Some(print));
        for text in ["", "1f", "+000000000000000000000000000001f"] {
            assert_eq!(Fingerprint::parse(text), None, "{text}");
        }
    }
}
