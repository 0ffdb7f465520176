//! Finds small regions of an action that lines of a grid may pass by \[M45\].

use super::curves::Scene;
use super::field::lead;
use crate::tolerance::{ISLAND_HALVINGS, TRACE_LINES};

impl Scene<'_> {
    /// By how much an action is better than all others at a point of the window; negative where it is not.
    fn margin(&self, action: usize, t: [f64; 2], scores: &mut Vec<f64>) -> f64 {
        self.field.scores(&self.framed(t), scores);
        self.ahead(action, scores)
    }

    fn ahead(&self, action: usize, scores: &[f64]) -> f64 {
        let others = self.live.iter().filter(|&&other| other != action);
        let leads = others.map(|&other| lead(self.contest, action, other, scores));
        leads.fold(f64::INFINITY, f64::min)
    }

    /// Points where some action is best although it is at no node of the grid around them.
    ///
    /// Every region of an action has a point at which its margin is largest. From nodes whose margin is
    /// larger than that of their neighbours, but not positive, the way leads upward.
    pub(crate) fn islands(&self) -> Vec<[f64; 2]> {
        let (n, mut scores) = (TRACE_LINES + 1, Vec::new());
        let node = |at: usize| [at % n, at / n].map(|i| i as f64 / TRACE_LINES as f64);
        let mut margins = vec![Vec::with_capacity(n * n); self.live.len()];
        for at in 0..n * n {
            self.field.scores(&self.framed(node(at)), &mut scores);
            for (margins, &action) in margins.iter_mut().zip(&self.live) {
                margins.push(self.ahead(action, &scores));
            }
        }
        let mut found = Vec::new();
        for (margins, &action) in margins.iter().zip(&self.live) {
            for at in (0..n * n).filter(|&at| margins[at] <= 0.0 && is_peak(margins, n, at)) {
                found.extend(self.climb(action, node(at), margins[at], &mut scores));
            }
        }
        found
    }

    /// Goes upward from a node, in ever shorter steps, until the margin is positive.
    fn climb(
        &self,
        action: usize,
        mut at: [f64; 2],
        mut margin: f64,
        scores: &mut Vec<f64>,
    ) -> Option<[f64; 2]> {
        let mut step = 0.5 / TRACE_LINES as f64;
        for _ in 0..ISLAND_HALVINGS {
            loop {
                let around = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)].into_iter();
                let around = around.chain([(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]);
                let higher = around
                    .map(|(x, y)| [at[0] + step * x, at[1] + step * y].map(|t| t.clamp(0.0, 1.0)))
                    .map(|t| (t, self.margin(action, t, scores)))
                    .fold((at, margin), |best, next| if next.1 > best.1 { next } else { best });
                if higher.0 == at {
                    break;
                }
                (at, margin) = higher;
                if margin > 0.0 {
                    return Some(at);
                }
            }
            step *= 0.5;
        }
        None
    }
}

/// Whether no neighbour of a node is higher.
fn is_peak(margins: &[f64], n: usize, at: usize) -> bool {
    let around = |i: usize| i.saturating_sub(1)..=(i + 1).min(n - 1);
    let neighbours = around(at / n).flat_map(|y| around(at % n).map(move |x| y * n + x));
    neighbours.into_iter().all(|other| margins[other] <= margins[at])
}
