//! Takes note of Ctrl-C once, so that a command can end well; a second one ends it at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// The exit status of a command that was interrupted.
pub(crate) const STATUS: u8 = 130;

/// Whether somebody wants the command to end.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on.
    pub(crate) fn listen() -> Self {
        static SET: OnceLock<Arc<AtomicBool>> = OnceLock::new();
        let set = SET.get_or_init(|| {
            let set = Arc::new(AtomicBool::new(false));
            // In this order: the first signal finds nothing set, the second ends the command. Where the
            // system takes no handler, Ctrl-C does what it always does.
            let _ = flag::register_conditional_shutdown(SIGINT, STATUS.into(), set.clone())
                .and_then(|_| flag::register(SIGINT, set.clone()));
            set
        });
        Self(set.clone())
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
