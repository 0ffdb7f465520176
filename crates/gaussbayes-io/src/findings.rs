//! Keeps what is found out while files are read, and a user should know.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// What was found out so far: how files are written, and rows that were left out.
#[derive(Debug, Default)]
pub struct Findings {
    notes: Mutex<Vec<String>>,
    dropped: AtomicU64,
}

impl Findings {
    /// How files are written that are not written as most are, a line for each since the last time this was asked.
    pub fn notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Rows with missing values that were left out in the latest pass.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    pub(crate) fn note(&self, file: &str, found: &[String]) {
        if !found.is_empty() {
            let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
            notes.push(format!("{file}: {}", found.join("; ")));
        }
    }

    pub(crate) fn drop_rows(&self, rows: usize) {
        self.dropped.fetch_add(rows as u64, Ordering::Relaxed);
    }

    pub(crate) fn begin(&self) {
        self.dropped.store(0, Ordering::Relaxed);
    }
}
