//! Cuts rows into blocks of a fixed size: in order, cheaply; decoding is left to the runner.

use super::block::Block;
use crate::error::Error;
use crate::tolerance::{
    BLOCK_BYTES, BLOCK_BYTES_MAX, BLOCK_ROWS_MAX, BLOCK_ROWS_MIN, BLOCK_SQUARES,
};

/// Rows per block, a function of the number of columns alone, so that no thread count and no file format can change
/// an answer. Sparse rows have the most there are: columns do not say how much they hold.
pub fn rows_per_block(dim: usize) -> usize {
    let row = size_of::<f64>() * dim.max(1);
    let rows = (BLOCK_BYTES / row).max(BLOCK_SQUARES * dim).min(BLOCK_BYTES_MAX / row);
    let power = if rows < 2 { 1 } else { 1 << rows.ilog2() };
    power.clamp(BLOCK_ROWS_MIN, BLOCK_ROWS_MAX)
}

/// Rows in order, from memory, a file or a shard.
pub trait Source {
    /// A run of records that is not yet decoded.
    type Cut: Cut<Error = Self::Error> + Send;
    /// What can go wrong while reading.
    type Error: From<Error> + Send;

    /// Columns of every row.
    fn dim(&self) -> usize;

    /// Rows of a block: what [`rows_per_block`] says, unless columns do not say what a row holds.
    fn rows_per_block(&self) -> usize {
        rows_per_block(self.dim())
    }

    /// Whether rows lie in memory as it is: cutting ahead then takes none.
    fn is_held(&self) -> bool {
        false
    }

    /// Cuts exactly `rows` records, fewer only at the end, none after it.
    ///
    /// # Errors
    /// What reading met.
    fn next(&mut self, rows: usize) -> Result<Option<Self::Cut>, Self::Error>;

    /// Goes back to the first record.
    ///
    /// # Errors
    /// [`Error::OnePass`] where that cannot be done.
    fn rewind(&mut self) -> Result<(), Self::Error>;
}

/// A run of records that any thread can decode.
pub trait Cut {
    /// What can go wrong while decoding.
    type Error;

    /// Decodes and checks the records.
    ///
    /// # Errors
    /// The first record that is wrong.
    fn decode(&self) -> Result<Block<'_>, Self::Error>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_sizes_are_powers_of_two_within_bounds() {
        let sizes: Vec<usize> = [1, 10, 32, 33, 200, 100_000].map(rows_per_block).to_vec();
        assert_eq!(sizes, [8192, 4096, 2048, 1024, 2048, 64]);
    }
}
