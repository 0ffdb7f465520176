//! Watches a long run: stops it on Ctrl-C between blocks, and shows on a terminal how far it is.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use gaussbayes::{Control, Progress};

use crate::interrupt::Interrupt;

/// How long a run is silent.
const SILENCE: Duration = Duration::from_millis(300);

/// How often a line is written anew.
const PACE: Duration = Duration::from_millis(100);

/// Characters of a line at most: one that is broken could not be written over.
const WIDTH: usize = 79;

/// Stops a run that was interrupted, and shows its progress.
#[derive(Debug)]
pub(crate) struct Watch {
    interrupt: Interrupt,
    terminal: bool,
    begun: Instant,
    shown: Mutex<Shown>,
}

#[derive(Debug)]
struct Shown {
    /// What is being done.
    line: String,
    /// Rows of a pass, once they are known.
    rows: Option<u64>,
    latest: Instant,
    /// Characters of the line on the screen.
    width: usize,
}

impl Watch {
    pub(crate) fn new(interrupt: Interrupt, line: &str) -> Self {
        let now = Instant::now();
        let shown = Shown { line: line.into(), rows: None, latest: now, width: 0 };
        let terminal = std::io::stderr().is_terminal();
        Self { interrupt, terminal, begun: now, shown: Mutex::new(shown) }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }

    /// Says what is being done from now on, and how many rows a pass has.
    pub(crate) fn say(&self, line: String, rows: Option<u64>) {
        if let Ok(mut shown) = self.shown.lock() {
            (shown.line, shown.rows) = (line, rows);
            self.show(&mut shown, None);
        }
    }

    /// Clears the line.
    pub(crate) fn end(&self) {
        if let Ok(mut shown) = self.shown.lock()
            && shown.width > 0
        {
            write(&format!("\r{:1$}\r", "", shown.width));
            shown.width = 0;
        }
    }

    fn show(&self, shown: &mut Shown, rows: Option<u64>) {
        let early = self.begun.elapsed() < SILENCE || shown.latest.elapsed() < PACE;
        if !self.terminal || early {
            return;
        }
        let done = match (rows, shown.rows) {
            (Some(rows), Some(all)) if rows < all => {
                format!(" · {} %", 100 * rows / all.max(1))
            }
            (Some(rows), None) => format!(" · {rows} rows"),
            _ => String::new(),
        };
        let line: String = format!("{}{done}", shown.line).chars().take(WIDTH).collect();
        let width = line.chars().count();
        write(&format!("\r{line}{:1$}", "", shown.width.saturating_sub(width)));
        (shown.width, shown.latest) = (width, Instant::now());
    }
}

impl Control for Watch {
    fn block(&self, progress: Progress) -> ControlFlow<()> {
        if self.interrupt.is_set() {
            return ControlFlow::Break(());
        }
        if self.terminal
            && let Ok(mut shown) = self.shown.try_lock()
        {
            self.show(&mut shown, Some(progress.rows));
        }
        ControlFlow::Continue(())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end();
    }
}

fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // Nobody is left to tell when the terminal is gone.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
