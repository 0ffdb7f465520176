//! Watches a long run: stops it on Ctrl-C between blocks, and shows on a terminal how far it is.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use gaussbayes::{Control, Progress};
use gaussbayes_io::Meter;

use crate::interrupt::Interrupt;
use crate::pace::{Bytes, line};

/// How long a run is silent.
const SILENCE: Duration = Duration::from_millis(300);

/// How often a line is written anew.
const PACE: Duration = Duration::from_millis(100);

/// Characters of a line at most: one that is broken could not be written over.
const WIDTH: usize = 79;

/// Characters of the line on the screen: whoever else writes there clears it first.
static SHOWN: AtomicUsize = AtomicUsize::new(0);

/// Clears the line that says how far a run is.
pub(crate) fn clear() {
    let width = SHOWN.swap(0, Ordering::Relaxed);
    if width > 0 {
        write(&format!("\r{:1$}\r", "", width));
    }
}

/// Stops a run that was interrupted, and shows its progress.
#[derive(Debug)]
pub(crate) struct Watch {
    interrupt: Interrupt,
    terminal: AtomicBool,
    begun: Instant,
    shown: Mutex<Shown>,
}

#[derive(Debug)]
struct Shown {
    /// What is being done.
    line: String,
    /// Rows of a pass, once they are known.
    rows: Option<u64>,
    /// What counts the bytes of a file.
    meter: Option<Arc<Meter>>,
    /// When the pass began, and how many rows of it are done.
    pass: (Instant, u64),
    latest: Instant,
}

impl Watch {
    pub(crate) fn new(interrupt: Interrupt, line: &str) -> Self {
        let now = Instant::now();
        let shown =
            Shown { line: line.into(), rows: None, meter: None, pass: (now, 0), latest: now };
        let terminal = AtomicBool::new(std::io::stderr().is_terminal());
        Self { interrupt, terminal, begun: now, shown: Mutex::new(shown) }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }

    /// Shows nothing: rows on the same terminal show how far the run is.
    pub(crate) fn hush(&self) {
        self.terminal.store(false, Ordering::Relaxed);
    }

    /// Says which bytes are being read.
    pub(crate) fn reads(&self, meter: Arc<Meter>) {
        if let Ok(mut shown) = self.shown.lock() {
            shown.meter = Some(meter);
        }
    }

    /// Says what is being done from now on, and how many rows a pass has.
    pub(crate) fn say(&self, line: String, rows: Option<u64>) {
        if let Ok(mut shown) = self.shown.lock() {
            (shown.line, shown.rows) = (line, rows);
            self.show(&mut shown, None);
        }
    }

    fn show(&self, shown: &mut Shown, rows: Option<u64>) {
        let early = self.begun.elapsed() < SILENCE || shown.latest.elapsed() < PACE;
        if !self.terminal.load(Ordering::Relaxed) || early {
            return;
        }
        let seconds = shown.pass.0.elapsed().as_secs_f64();
        let bytes = shown.meter.as_ref();
        let bytes = bytes.map(|meter| Bytes { read: meter.read(), total: meter.total() });
        let text = line(&shown.line, rows, shown.rows, bytes, seconds);
        let text: String = text.chars().take(WIDTH).collect();
        let width = text.chars().count();
        let before = SHOWN.swap(width, Ordering::Relaxed);
        write(&format!("\r{text}{:1$}", "", before.saturating_sub(width)));
        shown.latest = Instant::now();
    }
}

impl Control for Watch {
    fn block(&self, progress: Progress) -> ControlFlow<()> {
        if self.interrupt.is_set() {
            return ControlFlow::Break(());
        }
        if self.terminal.load(Ordering::Relaxed)
            && let Ok(mut shown) = self.shown.try_lock()
        {
            if progress.rows < shown.pass.1 {
                shown.pass.0 = Instant::now();
            }
            shown.pass.1 = progress.rows;
            self.show(&mut shown, Some(progress.rows));
        }
        ControlFlow::Continue(())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        clear();
    }
}

fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // Nobody is left to tell when the terminal is gone.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
