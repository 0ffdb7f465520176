//! Gives every command its threads, watched: progress on a terminal, and an end by Ctrl-C.

use gaussbayes::{On, Pool, Table};
use gaussbayes_io::{Data, Held};

use crate::args::Common;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::watch::Watch;

/// Threads, and who watches what they do.
#[derive(Debug)]
pub(super) struct Workers {
    pool: Pool,
    watch: Watch,
}

impl Workers {
    /// The threads that were asked for, about to do something.
    pub(super) fn new(common: &Common, doing: &str) -> Result<Self, Failure> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let pool = Pool::new(common.threads.map_or_else(cores, usize::from))?;
        Ok(Self { pool, watch: Watch::new(Interrupt::listen(), doing) })
    }

    /// What a run works with.
    pub(super) fn on(&self) -> On<'_> {
        On::pool(&self.pool).watched(&self.watch)
    }

    /// The same, with the bytes of some data in its progress.
    pub(super) fn reading(&self, data: &Data) -> On<'_> {
        self.watch.reads(data.meter());
        self.on()
    }

    /// All rows of some data, in memory.
    pub(super) fn table(&self, data: Data) -> Result<Table, gaussbayes_io::Error> {
        let on = self.reading(&data);
        data.read(on)
    }

    /// All rows of some data, to be read again and again.
    pub(super) fn held(&self, data: Data) -> Result<Held, gaussbayes_io::Error> {
        let on = self.reading(&data);
        Held::read(data, on)
    }

    /// Ends what was interrupted where nobody has noticed yet.
    pub(super) fn unless_interrupted(&self) -> Result<(), Failure> {
        if self.watch.is_interrupted() {
            return Err(gaussbayes::Error::Cancelled { rows: 0 }.into());
        }
        Ok(())
    }

    pub(super) fn watch(&self) -> &Watch {
        &self.watch
    }
}
