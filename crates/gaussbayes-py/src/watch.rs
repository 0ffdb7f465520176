//! Runs work without Python's lock, on threads that stay, and looks for Ctrl-C between blocks.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};
use std::{env, mem, process};

use gaussbayes::{Control, On, Pool, Progress, rows_per_block};
use pyo3::prelude::*;

use crate::failure::Failure;

/// How long a run may go on before it looks whether somebody wants it to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// Variables that say how many threads to use, the first that is set decides. The second is what
/// joblib sets in its workers, so that they do not fight over the cores.
const THREADS: [&str; 2] = ["GAUSSBAYES_NUM_THREADS", "OMP_NUM_THREADS"];

/// Stops a run when Python has a signal to handle.
struct Signals {
    seen: Mutex<(Instant, Option<PyErr>)>,
}

impl Control for Signals {
    fn block(&self, _: Progress) -> ControlFlow<()> {
        let Ok(mut seen) = self.seen.lock() else { return ControlFlow::Continue(()) };
        if seen.1.is_some() {
            return ControlFlow::Break(());
        }
        if seen.0.elapsed() < PATIENCE {
            return ControlFlow::Continue(());
        }
        #[allow(clippy::redundant_closure_for_method_calls, reason = "the method has one lifetime")]
        let outcome = Python::attach(|py| py.check_signals());
        seen.0 = Instant::now();
        match outcome {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                seen.1 = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// Does work on threads, without Python's lock; on the calling one where rows fill no two blocks.
///
/// # Errors
/// What the work refuses; what a signal's handler raised, `KeyboardInterrupt` mostly.
pub(crate) fn watched<R: Send>(
    py: Python<'_>,
    rows: Option<usize>,
    dim: usize,
    work: impl FnOnce(On<'_>) -> Result<R, Failure> + Send,
) -> PyResult<R> {
    let signals = Signals { seen: Mutex::new((Instant::now(), None)) };
    let outcome = py.detach(|| {
        let blocks = rows.map_or(usize::MAX, |rows| rows / rows_per_block(dim));
        let pool = pool(blocks)?;
        work(On::pool(&pool).watched(&signals))
    });
    let interrupted = signals.seen.into_inner().ok().and_then(|(_, error)| error);
    match interrupted {
        Some(error) => Err(error),
        None => Ok(outcome?),
    }
}

/// Threads of an earlier call.
struct Kept {
    process: u32,
    threads: usize,
    pool: Arc<Pool>,
}

/// Threads outlive a call: to start them takes as long as some thousand rows do.
static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

/// The threads for so many blocks: those of the last call, where that had as many.
///
/// A fork leaves a process without the threads of its parent, so that they are never taken from there.
fn pool(blocks: usize) -> Result<Arc<Pool>, Failure> {
    let threads = if blocks > 1 { threads() } else { 1 };
    if threads == 1 {
        return Ok(Arc::new(Pool::new(1)?));
    }
    // Whoever held the lock while the process was forked holds it for ever.
    let Ok(mut kept) = KEPT.try_lock() else { return Ok(Arc::new(Pool::new(threads)?)) };
    let process = process::id();
    if let Some(kept) = kept.as_ref()
        && (kept.process, kept.threads) == (process, threads)
    {
        return Ok(Arc::clone(&kept.pool));
    }
    let pool = Arc::new(Pool::new(threads)?);
    let earlier = kept.replace(Kept { process, threads, pool: Arc::clone(&pool) });
    if let Some(earlier) = earlier.filter(|earlier| earlier.process != process) {
        // Their end would be waited for by locks that nobody opens.
        mem::forget(earlier);
    }
    Ok(pool)
}

/// Threads that a run may use.
fn threads() -> usize {
    let set = THREADS.iter().find_map(|name| env::var(name).ok()?.trim().parse::<usize>().ok());
    let all = || available_parallelism().map_or(1, usize::from);
    set.filter(|&threads| threads > 0).unwrap_or_else(all)
}
