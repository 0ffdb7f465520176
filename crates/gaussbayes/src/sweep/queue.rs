//! Hands runs of blocks to who works on them, and what comes of them back.

use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

thread_local! {
    /// A sweep within the work on a block is this thread's own.
    static WITHIN: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is at work on a block.
pub(super) fn is_at_work() -> bool {
    WITHIN.get()
}

/// Blocks one after the other, the first of this number.
pub(super) struct Run<C> {
    pub(super) first: u64,
    pub(super) cuts: Vec<C>,
}

/// What comes of a run.
pub(super) struct Outcome<J, E> {
    pub(super) blocks: u64,
    /// Of each block up to the first that fails.
    pub(super) rows: Vec<usize>,
    pub(super) joined: Option<J>,
    /// The error, or the panic, of the first that fails.
    pub(super) failed: Option<thread::Result<E>>,
}

impl<J, E> Outcome<J, E> {
    /// In the place of a block that cannot be cut.
    pub(super) fn error(error: E) -> Self {
        Self { blocks: 1, rows: Vec::new(), joined: None, failed: Some(Ok(error)) }
    }
}

impl<C> Run<C> {
    pub(super) fn outcome<R, J, E>(
        self,
        task: &impl Fn(&C) -> Result<(usize, R), E>,
        join: &impl Fn(Vec<R>) -> J,
    ) -> Outcome<J, E> {
        let (mut rows, mut results, mut failed) = (Vec::new(), Vec::new(), None);
        let within = WITHIN.replace(true);
        for cut in &self.cuts {
            match catch_unwind(AssertUnwindSafe(|| task(cut))) {
                Ok(Ok((count, result))) => {
                    rows.push(count);
                    results.push(result);
                }
                Ok(Err(error)) => failed = Some(Ok(error)),
                Err(panic) => failed = Some(Err(panic)),
            }
            if failed.is_some() {
                break;
            }
        }
        let joined = catch_unwind(AssertUnwindSafe(|| join(results)));
        WITHIN.set(within);
        let blocks = self.cuts.len() as u64;
        match joined {
            Ok(joined) => Outcome { blocks, rows, joined: Some(joined), failed },
            Err(panic) => Outcome { blocks, rows, joined: None, failed: Some(Err(panic)) },
        }
    }
}

/// What is to be done, and what has been, by the number of the first block.
struct Shelf<C, T> {
    runs: VecDeque<Run<C>>,
    done: Vec<(u64, T)>,
    closed: bool,
    /// Helpers who wait for a run, and whether somebody waits for what they did.
    idle: usize,
    awaited: bool,
}

/// Hands runs to helpers, and what they did back.
pub(super) struct Queue<C, T> {
    shelf: Mutex<Shelf<C, T>>,
    there_is_work: Condvar,
    there_is_more: Condvar,
}

impl<C, T> Default for Queue<C, T> {
    fn default() -> Self {
        let (runs, done) = (VecDeque::new(), Vec::new());
        Self {
            shelf: Mutex::new(Shelf { runs, done, closed: false, idle: 0, awaited: false }),
            there_is_work: Condvar::new(),
            there_is_more: Condvar::new(),
        }
    }
}

impl<C, T> Queue<C, T> {
    /// Nothing panics that holds it.
    fn shelf(&self) -> MutexGuard<'_, Shelf<C, T>> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn put(&self, run: Run<C>) {
        let mut shelf = self.shelf();
        shelf.runs.push_back(run);
        if shelf.idle > 0 {
            self.there_is_work.notify_one();
        }
    }

    pub(super) fn run(&self) -> Option<Run<C>> {
        self.shelf().runs.pop_front()
    }

    pub(super) fn done(&self) -> Vec<(u64, T)> {
        std::mem::take(&mut self.shelf().done)
    }

    /// Until a helper has done something.
    pub(super) fn wait(&self) {
        let mut shelf = self.shelf();
        shelf.awaited = true;
        while shelf.done.is_empty() {
            shelf = self.there_is_more.wait(shelf).unwrap_or_else(PoisonError::into_inner);
        }
        shelf.awaited = false;
    }

    /// Takes runs until there are none any more.
    pub(super) fn help(&self, work: &impl Fn(Run<C>) -> T) {
        let mut shelf = self.shelf();
        while !shelf.closed {
            let Some(run) = shelf.runs.pop_front() else {
                shelf.idle += 1;
                shelf = self.there_is_work.wait(shelf).unwrap_or_else(PoisonError::into_inner);
                shelf.idle -= 1;
                continue;
            };
            drop(shelf);
            let outcome = (run.first, work(run));
            shelf = self.shelf();
            shelf.done.push(outcome);
            if shelf.awaited {
                self.there_is_more.notify_one();
            }
        }
    }
}

/// Closes a queue when it goes.
pub(super) struct Closing<'a, C, T>(pub(super) &'a Queue<C, T>);

impl<C, T> Drop for Closing<'_, C, T> {
    fn drop(&mut self) {
        self.0.shelf().closed = true;
        self.0.there_is_work.notify_all();
    }
}
