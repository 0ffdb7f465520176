//! Says, for every two actions, which components speak for the one and which for the other \[M46\].

use crate::decide::Loss;

/// The actions of a loss against each other: action a is better than b where Σ_i (L_ia − L_ib) e^{q_i} < 0,
/// with q_i = ln of weight times density. Components without weight have no say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contest {
    actions: usize,
    duels: Vec<Duel>,
}

/// Two actions, the lower one first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Duel {
    /// No component tells them apart: the first is taken.
    Same,
    /// One of them is better everywhere.
    Always {
        /// Whether it is the first.
        first: bool,
    },
    /// The first is better where q of its component plus `shift` exceeds q of the other.
    Two { first: usize, second: usize, shift: f64 },
    /// The first is better where Σ e^{q + ln α} over its components exceeds that over the others.
    Many(Vec<Voice>),
}

/// What a component says in a duel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Voice {
    pub(crate) component: usize,
    pub(crate) for_first: bool,
    /// ln |L_ia − L_ib|.
    pub(crate) log_gain: f64,
}

impl Contest {
    /// The contest of a loss whose classes are components with these weights.
    pub(crate) fn of(loss: &Loss, weights: &[f64]) -> Self {
        let (classes, actions) = (loss.classes(), loss.actions().len());
        let pairs = (0..classes).flat_map(|i| (0..actions).map(move |a| (i, a)));
        let costs: Vec<f64> = pairs.map(|(i, a)| loss.cost(i, a)).collect();
        Self::new(actions, &costs, |i| weights[i] > 0.0)
    }

    /// The contest of costs, component by component; only `live` components count.
    pub(crate) fn new(actions: usize, costs: &[f64], live: impl Fn(usize) -> bool) -> Self {
        let components: Vec<usize> =
            (0..costs.len() / actions.max(1)).filter(|&i| live(i)).collect();
        let mut duels = Vec::with_capacity(actions * actions.saturating_sub(1) / 2);
        for b in 1..actions {
            for a in 0..b {
                let voice = |&i: &usize| {
                    let gain = costs[i * actions + b] - costs[i * actions + a];
                    let voice =
                        Voice { component: i, for_first: gain > 0.0, log_gain: gain.abs().ln() };
                    (gain != 0.0).then_some(voice)
                };
                duels.push(Duel::of(components.iter().filter_map(voice).collect()));
            }
        }
        Self { actions, duels }
    }

    /// Number of actions.
    pub(crate) fn actions(&self) -> usize {
        self.actions
    }

    /// The duel of actions a < b.
    pub(crate) fn duel(&self, a: usize, b: usize) -> &Duel {
        &self.duels[Self::number(a, b)]
    }

    /// The number of the duel of a < b among all.
    pub(super) fn number(a: usize, b: usize) -> usize {
        b * (b - 1) / 2 + a
    }

    pub(super) fn duels(&self) -> usize {
        self.duels.len()
    }

    /// The components that some duel depends on, in order.
    pub(crate) fn relevant(&self) -> Vec<usize> {
        let mut all = Vec::new();
        for duel in &self.duels {
            match duel {
                Duel::Same | Duel::Always { .. } => {}
                Duel::Two { first, second, .. } => all.extend([*first, *second]),
                Duel::Many(voices) => all.extend(voices.iter().map(|voice| voice.component)),
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The action that is best everywhere, where the costs alone say so.
    pub(crate) fn certain(&self) -> Option<usize> {
        let beats = |a: usize, b: usize| match self.duel(a.min(b), a.max(b)) {
            Duel::Same => a < b,
            Duel::Always { first } => *first == (a < b),
            _ => false,
        };
        (0..self.actions).find(|&a| (0..self.actions).all(|b| a == b || beats(a, b)))
    }
}

impl Duel {
    fn of(voices: Vec<Voice>) -> Self {
        match voices[..] {
            [] => Self::Same,
            [one, other] if one.for_first != other.for_first => {
                let (first, second) = if one.for_first { (one, other) } else { (other, one) };
                let shift = first.log_gain - second.log_gain;
                Self::Two { first: first.component, second: second.component, shift }
            }
            [one, ..] if voices.iter().all(|voice| voice.for_first == one.for_first) => {
                Self::Always { first: one.for_first }
            }
            _ => Self::Many(voices),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_say_who_speaks_for_whom() {
        let zero_one = Contest::of(&Loss::zero_one(3), &[0.5, 0.5, 0.0]);
        assert_eq!(*zero_one.duel(0, 1), Duel::Two { first: 0, second: 1, shift: 0.0 });
        assert_eq!(*zero_one.duel(1, 2), Duel::Always { first: true });
        assert_eq!(zero_one.relevant(), [0, 1]);
        let reject = Loss::zero_one(3).with_reject(0.2).unwrap();
        let reject = Contest::of(&reject, &[0.5, 0.3, 0.2]);
        assert!(matches!(reject.duel(0, 3), Duel::Many(voices) if voices.len() == 3));
        assert_eq!(reject.certain(), None);
        let dear = Loss::zero_one(2).with_reject(-0.1).unwrap();
        assert_eq!(Contest::of(&dear, &[0.5, 0.5]).certain(), Some(2));
    }
}
