//! Tells whether two classifiers differ by more than the luck of the folds \[M83\].

use super::Judgement;
use crate::special::student_two_sided;

/// What came of the rows of one fold. Counts are sums of weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoldOutcome {
    /// Seed of the turn through all folds.
    pub turn: u64,
    /// The fold.
    pub fold: usize,
    /// Weight of its rows.
    pub weight: f64,
    /// Weight of those given to a wrong class.
    pub errors: f64,
    /// Summed cost of the decisions.
    pub cost: f64,
}

impl FoldOutcome {
    pub(super) fn add(&mut self, later: &Self) {
        self.weight += later.weight;
        self.errors += later.errors;
        self.cost += later.cost;
    }
}

/// What classifiers are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The share of rows given to a wrong class.
    Error,
    /// The mean cost of the decisions.
    Cost,
}

impl Measure {
    fn of(self, fold: &FoldOutcome) -> f64 {
        let sum = match self {
            Self::Error => fold.errors,
            Self::Cost => fold.cost,
        };
        sum / fold.weight
    }
}

/// The difference of two classifiers on the same folds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    /// Mean over the folds of the first less the second.
    pub difference: f64,
    /// Its standard error, corrected for training sets that overlap.
    pub standard_error: f64,
    /// Their ratio: 0 where both are 0, infinite where folds differ from none but not among each other.
    pub t: f64,
    /// Folds in common, less one.
    pub degrees_of_freedom: usize,
    /// Chance of a |t| at least as large where the two do not differ.
    pub p_value: f64,
}

/// The corrected resampled t-test of two classifiers that were judged on the same folds (Nadeau and Bengio 2003)
/// \[M83\]; `None` with fewer than two folds in common.
pub fn contrast(a: &Judgement, b: &Judgement, by: Measure) -> Option<Contrast> {
    let (mut differences, mut tested, mut all) = (Vec::new(), 0.0, 0.0);
    for (key, one) in &a.folds {
        let Some(other) = b.folds.get(key).filter(|_| one.weight > 0.0) else { continue };
        differences.push(by.of(one) - by.of(other));
        tested += one.weight;
        let turn = a.folds.range((key.0, 0)..=(key.0, usize::MAX));
        all += turn.map(|(_, fold)| fold.weight).sum::<f64>();
    }
    if differences.len() < 2 {
        return None;
    }
    let count = differences.len() as f64;
    let difference = differences.iter().sum::<f64>() / count;
    let squares: f64 = differences.iter().map(|d| (d - difference) * (d - difference)).sum();
    // Rows tested over rows learnt from: 1/(k − 1) for k folds.
    let overlap = tested / (all - tested);
    let variance = (1.0 / count + overlap) * squares / (count - 1.0);
    let standard_error = variance.sqrt();
    let t = if difference == 0.0 { 0.0 } else { difference / standard_error };
    let degrees_of_freedom = differences.len() - 1;
    let p_value = student_two_sided(t, degrees_of_freedom as f64);
    Some(Contrast { difference, standard_error, t, degrees_of_freedom, p_value })
}

/// Holm's p values of several comparisons (Holm 1979) \[M83\]: where one is below a level, the chance that any of those
/// below it is a false alarm is at most that level.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let (mut adjusted, mut largest) = (vec![0.0; p_values.len()], 0.0_f64);
    for (rank, &i) in order.iter().enumerate() {
        largest = largest.max((p_values.len() - rank) as f64 * p_values[i]).min(1.0);
        adjusted[i] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::{Label, Loss, Merge};

    fn cases() -> Vec<Value> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/golden/proc_judging.json");
        let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        file["cases"].as_array().unwrap().clone()
    }

    fn numbers(value: &Value) -> Vec<f64> {
        value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    }

    /// A judgement of folds of 20 rows with these error rates, a row for each turn.
    fn judged(turns: &Value) -> Judgement {
        let empty = || Judgement::empty(vec![Label::from("a")], &Loss::zero_one(1));
        let mut all = empty();
        for (turn, rates) in turns.as_array().unwrap().iter().enumerate() {
            for (fold, rate) in numbers(rates).into_iter().enumerate() {
                let (turn, weight) = (turn as u64, 20.0);
                let outcome =
                    FoldOutcome { turn, fold, weight, errors: 20.0 * rate, cost: 40.0 * rate };
                let mut part = empty();
                part.folds.insert((turn, fold), outcome);
                all = all.merge(part);
            }
        }
        all
    }

    #[test]
    fn differences_and_p_values_are_those_of_r() {
        let cases = cases();
        let mut seen = 0;
        for case in cases.iter().filter(|case| case.get("a").is_some()) {
            let (a, b) = (judged(&case["a"]), judged(&case["b"]));
            let found = contrast(&a, &b, Measure::Error).unwrap();
            let pairs = [
                ("difference", found.difference),
                ("standard_error", found.standard_error),
                ("t", found.t),
                ("p_value", found.p_value),
            ];
            for (key, found) in pairs {
                let right = case[key].as_f64().unwrap();
                assert!((found / right - 1.0).abs() < 1e-12, "{key}: {found} {right}");
            }
            assert_eq!(found.degrees_of_freedom + 1, a.folds().count());
            // Twice the cost is twice the difference, and the same t.
            let cost = contrast(&a, &b, Measure::Cost).unwrap();
            assert!((cost.difference / found.difference - 2.0).abs() < 1e-12);
            assert!((cost.p_value / found.p_value - 1.0).abs() < 1e-12);
            let same = contrast(&a, &a, Measure::Error).unwrap();
            assert_eq!((same.t, same.p_value), (0.0, 1.0));
            seen += 1;
        }
        assert_eq!(seen, 2);
    }

    #[test]
    fn a_fold_in_two_blocks_is_one_fold_and_one_fold_is_no_test() {
        let half = |errors: f64| {
            let outcome = FoldOutcome { turn: 1, fold: 0, weight: 10.0, errors, cost: errors };
            let mut part = Judgement::empty(vec![Label::from("a")], &Loss::zero_one(1));
            part.folds.insert((1, 0), outcome);
            part
        };
        let whole = half(1.0).merge(half(4.0));
        let [fold] = whole.folds().collect::<Vec<_>>()[..] else { unreachable!("one fold") };
        assert_eq!((fold.weight, fold.errors, fold.cost), (20.0, 5.0, 5.0));
        assert_eq!(contrast(&whole, &whole, Measure::Error), None);
    }

    #[test]
    fn holms_p_values_are_those_of_r() {
        let cases = cases();
        let case = cases.iter().find(|case| case["name"] == "holm").unwrap();
        let found = holm(&numbers(&case["p_values"]));
        for (found, right) in found.iter().zip(numbers(&case["holm"])) {
            assert!((found - right).abs() <= 1e-14, "{found} {right}");
        }
        assert!(holm(&[]).is_empty());
    }
}
