//! Ranks classifiers that were judged on the same folds, and says which to take \[M83\].

use std::cmp::Ordering;

use super::contrast::{Contrast, Measure, contrast, holm};
use super::{Judgement, plain_mean};
use crate::error::Error;
use crate::learnt::Size;
use crate::tolerance::RANKING_LEVEL;

/// Classifiers by what they have cost, and which of them differ from the best by more than luck.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Numbers of the candidates, the best first; those that could not be fitted last.
    pub order: Vec<usize>,
    /// Each candidate less the best; `None` for the best itself and for what could not be fitted or tested.
    pub contrasts: Vec<Option<Contrast>>,
    /// p values of these differences by Holm's correction.
    pub p_values: Vec<Option<f64>>,
    /// The one to take: the simplest rule among those within one standard error of the best.
    pub advised: Option<usize>,
    sizes: Vec<Option<Size>>,
    fitted: usize,
}

impl Judgement {
    /// Orders outcomes by a measure: the smaller mean first, then the smaller log loss; what has failed comes last.
    pub fn better_by(by: Measure, a: &Result<Self, Error>, b: &Result<Self, Error>) -> Ordering {
        let key = |judged: &Result<Self, Error>| match judged {
            Ok(judged) => (plain_mean(judged, by), judged.log_loss()),
            Err(_) => (f64::INFINITY, 0.0),
        };
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    }
}

impl Ranking {
    /// Ranks outcomes of the same folds; `sizes` are those of each candidate, where they are known.
    pub fn of(judged: &[Result<Judgement, Error>], sizes: &[Option<Size>], by: Measure) -> Self {
        let mut order: Vec<usize> = (0..judged.len()).collect();
        order.sort_by(|&a, &b| Judgement::better_by(by, &judged[a], &judged[b]));
        let fitted = judged.iter().filter(|outcome| outcome.is_ok()).count();
        let best =
            order.first().and_then(|&best| judged[best].as_ref().ok().map(|one| (best, one)));
        let against = |(i, outcome): (usize, &Result<Judgement, Error>)| {
            let (_, best) = best.filter(|(number, _)| *number != i)?;
            contrast(outcome.as_ref().ok()?, best, by)
        };
        let contrasts: Vec<Option<Contrast>> = judged.iter().enumerate().map(against).collect();
        let tested: Vec<usize> = (0..judged.len()).filter(|&i| contrasts[i].is_some()).collect();
        let plain: Vec<f64> =
            tested.iter().filter_map(|&i| contrasts[i].map(|found| found.p_value)).collect();
        let mut p_values = vec![None; judged.len()];
        tested.iter().zip(holm(&plain)).for_each(|(&i, p)| p_values[i] = Some(p));
        let mut ranking =
            Self { order, contrasts, p_values, advised: None, sizes: sizes.to_vec(), fitted };
        let rule = |i: &usize| sizes.get(*i).copied().flatten().map_or(usize::MAX, |one| one.rule);
        // Of as many numbers the better one.
        ranking.advised = ranking.near().into_iter().min_by_key(rule);
        ranking
    }

    /// The best and those that cannot be told from it, best first.
    pub fn alike(&self) -> Vec<usize> {
        let fitted = self.order.iter().copied().take(self.fitted);
        let same = |(rank, i): &(usize, usize)| {
            *rank == 0 || self.p_values[*i].is_none_or(|p| p >= RANKING_LEVEL)
        };
        fitted.enumerate().filter(same).map(|(_, i)| i).collect()
    }

    /// The best, and those that err (or cost) less than one standard error of the difference more, best first.
    pub fn near(&self) -> Vec<usize> {
        let within = |i: &usize| {
            self.contrasts[*i].is_none_or(|found| found.difference <= found.standard_error)
        };
        self.alike().into_iter().filter(within).collect()
    }

    /// One sentence on which to take; `None` where nothing could be fitted.
    pub fn advice(&self, names: &[&str]) -> Option<String> {
        let (advised, near) = (self.advised?, self.near());
        let name = |i: usize| names.get(i).copied().unwrap_or("?");
        let (best, own) = (self.order[0], name(advised));
        let numbers = self.sizes.get(advised).copied().flatten();
        let numbers = numbers.map_or_else(String::new, |size| format!(" ({} numbers)", size.rule));
        let tested = self.contrasts.iter().any(Option::is_some);
        Some(match near.len() {
            1 if self.order.len() == 1 => format!("{own}: nothing else was compared"),
            1 if self.fitted == 1 => format!("{own}: the only one that could be fitted"),
            1 if self.alike().len() == 1 => format!(
                "{own}: better than {}, by more than the luck of the folds (p < {RANKING_LEVEL})",
                if self.fitted == 2 { "the other" } else { "every other" }
            ),
            1 => format!("{own}: the best, and no other is within one standard error of it"),
            _ if !tested => format!("{own}: the simplest rule{numbers}; nothing was tested"),
            count if advised == best => format!(
                "{own}: the best, and the simplest rule{numbers} of the {count} within one standard error of it"
            ),
            count => format!(
                "{own}: the simplest rule{numbers} of the {count} within one standard error of the best, {}",
                name(best)
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::contrast::FoldOutcome;
    use super::*;
    use crate::{Label, Loss};

    /// Ten folds of ten rows with these errors, cost twice as much.
    fn judged(errors: [u32; 10]) -> Judgement {
        let mut all =
            Judgement::empty(vec![Label::from("a"), Label::from("b")], &Loss::zero_one(2));
        for (fold, errors) in errors.into_iter().enumerate() {
            let errors = f64::from(errors);
            let outcome = FoldOutcome { turn: 1, fold, weight: 10.0, errors, cost: 2.0 * errors };
            all.folds.insert((1, fold), outcome);
            *all.confusion.entry((0, 1)).or_default() += errors;
            *all.confusion.entry((0, 0)).or_default() += 10.0 - errors;
            all.cost += 2.0 * errors;
        }
        all
    }

    #[test]
    fn the_fewest_parameters_among_those_alike_are_advised() {
        let close = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2];
        let best = [2, 1, 1, 1, 1, 2, 1, 2, 1, 2];
        let bad = [7, 8, 7, 8, 7, 8, 7, 9, 7, 8];
        let all = [Ok(judged(bad)), Ok(judged(close)), Err(Error::NoRows), Ok(judged(best))];
        let names = ["bad", "close", "broken", "best"];
        let size = |rule: usize| Some(Size { parameters: 2 * rule, rule });
        let ranking = Ranking::of(&all, &[2, 5, 1, 9].map(size), Measure::Error);
        assert_eq!(ranking.order, [3, 1, 0, 2]);
        assert_eq!((ranking.alike(), ranking.near()), (vec![3, 1], vec![3, 1]));
        assert_eq!(ranking.advised, Some(1));
        assert_eq!(
            ranking.advice(&names).unwrap(),
            "close: the simplest rule (5 numbers) of the 2 within one standard error of the best, best"
        );
        assert!(ranking.p_values[0].unwrap() < 1e-3 && ranking.p_values[1].unwrap() > 0.3);
        assert_eq!((ranking.p_values[2], ranking.p_values[3]), (None, None));
        assert_eq!(Ranking::of(&all, &[None; 4], Measure::Cost).order, ranking.order);
        let two = [Ok(judged(bad)), Ok(judged(best))];
        let ranking = Ranking::of(&two, &[1, 1].map(size), Measure::Error);
        let advice = ranking.advice(&["bad", "best"]).unwrap();
        assert!(advice.starts_with("best: better than the other, by more"), "{advice}");
        let alone = Ranking::of(&[Ok(judged(best))], &[None], Measure::Error);
        assert_eq!(alone.advice(&["a"]).unwrap(), "a: nothing else was compared");
        let one =
            Ranking::of(&[Ok(judged(best)), Err(Error::NoRows)], &[None, None], Measure::Error);
        assert_eq!(one.advice(&["a", "b"]).unwrap(), "a: the only one that could be fitted");
        assert_eq!(
            Ranking::of(&[Err(Error::NoRows)], &[None], Measure::Error).advice(&["a"]),
            None
        );
    }
}
