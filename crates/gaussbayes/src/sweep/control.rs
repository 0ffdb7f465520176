//! Watches a run: told of every block, it may stop the run.

use std::ops::ControlFlow;

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Blocks joined so far.
    pub blocks: u64,
    /// Rows joined so far.
    pub rows: u64,
}

/// Is told of every block, in order, and decides whether to go on.
pub trait Control: Sync {
    /// Called after each block; `Break` cancels the run.
    fn block(&self, progress: Progress) -> ControlFlow<()>;
}

/// The control of a run that nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Unwatched;

impl Control for Unwatched {
    fn block(&self, _: Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
