//! Finds the names or words that speak most for a class.

use super::factor::Factor;

impl Factor {
    /// Names, words or counted columns that speak most for a class, by their places, with the logarithm of how many
    /// times as likely each is there as in the class that comes next \[M76\]; nothing for numbers and flags.
    ///
    /// Weights against classes are differences of the same kind \[M77\]. What only this class has is infinitely so.
    pub fn telling(&self, class: usize, classes: usize, most: usize) -> Vec<(usize, f64)> {
        let table = match self {
            Self::Number { .. } | Self::Flags { .. } => return Vec::new(),
            Self::Names { log_probs, .. } => log_probs,
            Self::Counts { weights, .. } | Self::Words { weights, .. } => weights,
        };
        let odds = |(place, row): (usize, &[f64])| {
            let others = row.iter().enumerate().filter(|(k, _)| *k != class).map(|(_, said)| *said);
            let next = others.fold(f64::NEG_INFINITY, f64::max);
            let odds = row.get(class)? - next;
            (odds > 0.0).then_some((place, odds))
        };
        let mut all: Vec<(usize, f64)> =
            table.chunks_exact(classes.max(1)).enumerate().filter_map(odds).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(most);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_ranked_by_their_odds_against_the_next_class() {
        let ln = |x: f64| x.ln();
        let weights = vec![
            ln(0.5),
            ln(0.25),
            ln(0.125), // twice as likely in the first
            ln(0.1),
            ln(0.1),
            ln(0.8), // eight times in the last
            ln(0.3),
            ln(0.01),
            f64::NEG_INFINITY, // thirty times in the first
            f64::NEG_INFINITY,
            ln(0.64),
            f64::NEG_INFINITY, // in the second alone
        ];
        let words = ["a", "b", "c", "d"].map(Into::into).to_vec();
        let factor = Factor::Words { column: 0, words, weights, unseen: None, generative: true };
        let of = |class| factor.telling(class, 3, 5);
        let first = of(0);
        assert_eq!(first.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [2, 0]);
        assert!((first[0].1 - ln(30.0)).abs() < 1e-12 && (first[1].1 - ln(2.0)).abs() < 1e-12);
        assert_eq!(of(1), [(3, f64::INFINITY)]);
        assert!((of(2)[0].1 - ln(8.0)).abs() < 1e-12);
        assert_eq!(factor.telling(0, 3, 1).len(), 1);
    }
}
