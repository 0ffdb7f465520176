//! Counts the bytes of a pass over a file, for whoever wants to know how far it has come.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes have been read since the rows began, and how many there are.
///
/// ```
/// use gaussbayes_io::{Columns, Data, Reading};
/// let faithful = Data::open(&["faithful"], &Columns::default(), &Reading::default(), 1)?;
/// let meter = faithful.meter();
/// assert!(meter.read() > 0);
/// assert!(meter.total() >= Some(meter.read()));
/// # Ok::<(), gaussbayes_io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Meter {
    read: AtomicU64,
    total: Option<u64>,
}

impl Meter {
    /// A meter of so many bytes, where that is known.
    pub(crate) fn new(total: Option<u64>) -> Arc<Self> {
        Arc::new(Self { read: AtomicU64::new(0), total })
    }

    /// Bytes read since the first row.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Bytes there are; none where nobody knows.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// Begins another pass.
    pub(crate) fn restart(&self) {
        self.read.store(0, Ordering::Relaxed);
    }

    /// Counts bytes that were read in another way.
    pub(crate) fn add(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// A reader of which everything is counted, behind so many bytes that were read before.
    pub(crate) fn counted(
        self: &Arc<Self>,
        before: usize,
        reader: impl Read + Send + 'static,
    ) -> Box<dyn Read + Send> {
        self.read.fetch_add(before as u64, Ordering::Relaxed);
        Box::new(Counted { reader, meter: self.clone() })
    }
}

struct Counted<R> {
    reader: R,
    meter: Arc<Meter>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.meter.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_is_counted_and_the_next_one_begins_at_zero() {
        let meter = Meter::new(Some(5));
        let mut text = String::new();
        let mut reader = meter.counted(2, &b"345"[..]);
        reader.read_to_string(&mut text).unwrap_or_default();
        assert_eq!((meter.read(), meter.total()), (5, Some(5)));
        meter.restart();
        assert_eq!(meter.read(), 0);
    }
}
