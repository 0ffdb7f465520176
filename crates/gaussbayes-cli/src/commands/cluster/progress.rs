//! Says how far a search has come: which iteration, how near to its end, how long it may take.

use std::time::Instant;

use gaussbayes::{EmState, Entry, Search, Stop};

use crate::pace::spoken;
use crate::watch::Watch;

/// What is told of a search on its way.
pub(super) struct Telling {
    rows: u64,
    stop: Stop,
    /// When the latest pass began.
    pass: Instant,
    /// The change that the pass before the latest found.
    before: Option<f64>,
}

impl Telling {
    pub(super) fn new(rows: u64, stop: Stop) -> Self {
        Self { rows, stop, pass: Instant::now(), before: None }
    }

    /// Some mixtures more have started.
    pub(super) fn started(&mut self, search: &Search, watch: &Watch) {
        let entries = search.entries();
        let done = entries.iter().filter(|entry| entry.has_started()).count();
        watch.say(format!("{done} of {} mixtures tried", entries.len()), Some(0));
        self.pass = Instant::now();
    }

    /// Passes over all rows begin.
    pub(super) fn goes_on(&mut self, watch: &Watch) {
        watch.say("first pass".into(), Some(self.rows));
        self.pass = Instant::now();
    }

    /// A pass over the rows is done.
    pub(super) fn went_on(&mut self, search: &Search, watch: &Watch) {
        let seconds = self.pass.elapsed().as_secs_f64();
        self.pass = Instant::now();
        let open = |entry: &&Entry| entry.criteria.is_none() && entry.state.is_some();
        let states: Vec<&EmState> =
            search.entries().iter().filter(open).filter_map(|entry| entry.state.as_ref()).collect();
        // The one that takes longest is the one that is furthest from its end.
        let change =
            |state: &&EmState| state.pass().and_then(|pass| pass.change).unwrap_or(f64::MAX);
        let slowest = states.iter().copied().max_by(|a, b| change(a).total_cmp(&change(b)));
        let Some(state) = slowest else { return };
        let all = search.entries().len();
        let mut line = format!("iteration {}/{}", state.iteration(), self.stop.max_iterations);
        if all > 1 {
            line += &format!(" · {}/{all} mixtures done", all - states.len());
        }
        if let Some(pass) = state.pass() {
            line += &format!(" · loglik {:.2}", pass.log_likelihood);
            if let Some(change) = pass.change {
                line += &format!(" · change {change:.1e}");
                if self.stop.tolerance > 0.0 {
                    line += &format!(" > {:e}", self.stop.tolerance);
                }
                if let Some(passes) = self.left(change, state) {
                    line += &format!(" · ~{}", spoken(passes * seconds));
                }
                self.before = Some(change);
            }
        }
        watch.say(line, Some(self.rows));
    }

    /// Passes that are left if changes go on to shrink as they do.
    fn left(&self, change: f64, state: &EmState) -> Option<f64> {
        let most = f64::from(self.stop.max_iterations.saturating_sub(state.iteration()));
        let rate = change / self.before?;
        let passes = (self.stop.tolerance / change).ln() / rate.ln();
        let shrinks = rate > 0.0 && rate < 1.0 && self.stop.tolerance > 0.0;
        Some(if shrinks { passes.clamp(0.0, most) } else { most })
    }
}
