//! Bounds what the best of all rules costs, by sums over pairs of classes \[M39\].

use super::LinearRule;
use super::bounds::Bounds;
use crate::classify::Classifier;
use crate::error::Error;
use crate::mixture::{Covariances, Mixture};

/// Upper bounds of the least expected cost that any rule has.
#[derive(Debug, Clone, PartialEq)]
pub struct CostBounds {
    /// By Bhattacharyya's bound of each pair.
    pub bhattacharyya: f64,
    /// By Chernoff's.
    pub chernoff: f64,
    /// Classes i < j, and the bounds of what is lost between them.
    pub pairs: Vec<(usize, usize, Bounds)>,
    /// The linear rule that costs least, of two classes whose covariances differ; its total is that cost.
    pub linear: Option<LinearRule>,
}

impl Classifier {
    /// Upper bounds of what the best rule costs on rows of `under`, or of the classifier's own model, at the
    /// classifier's loss \[M39\]: Σ_i P_i L_ii + Σ_{i<j} ∫ min(P_i c_i p_i, P_j c_j p_j) is one, and each
    /// integral has its own bounds.
    ///
    /// `None` unless errors of a class all cost the same, and nothing is rejected.
    ///
    /// # Errors
    /// As for [`Mixture::bounds`].
    pub fn bounds(&self, under: Option<&Mixture>) -> Result<Option<CostBounds>, Error> {
        let truth = under.map_or_else(|| self.gaussians(), Ok)?;
        let Some(gains) = self.loss().gains() else { return Ok(None) };
        if gains.len() != truth.components() {
            return Ok(None);
        }
        let weights = truth.weights();
        let log_weight = |k: usize| weights[k].ln() + gains[k];
        let pairs = (0..gains.len()).flat_map(|i| (i + 1..gains.len()).map(move |j| (i, j)));
        let bounds = |(i, j)| Ok((i, j, truth.bounds(i, j, (log_weight(i), log_weight(j)))?));
        let pairs = pairs.map(bounds).collect::<Result<Vec<_>, Error>>()?;
        let hits: f64 = weights.iter().enumerate().map(|(i, p)| p * self.loss().cost(i, i)).sum();
        let sum =
            |of: fn(&Bounds) -> f64| hits + pairs.iter().map(|(_, _, one)| of(one)).sum::<f64>();
        let (bhattacharyya, chernoff) = (sum(|one| one.bhattacharyya), sum(|one| one.chernoff));
        let differ = gains.len() == 2 && matches!(truth.covariances(), Covariances::Each(_));
        let linear = if differ {
            let rule = truth.linear_rule(0, 1, (log_weight(0), log_weight(1)))?;
            Some(LinearRule { total: hits + rule.total, ..rule })
        } else {
            None
        };
        Ok(Some(CostBounds { bhattacharyya, chernoff, pairs, linear }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;
    use crate::decide::{Action, Loss};
    use crate::risk::RiskOptions;
    use crate::sweep::{On, Pool};

    #[test]
    fn the_best_rule_costs_less_than_its_bounds() {
        let means = [vec![0.0, 0.0], vec![2.0, 0.5], vec![-1.0, 2.0]];
        let covariances = [vec![1.0, 0.2, 0.8], vec![0.6, -0.1, 1.2], vec![1.5, 0.4, 0.9]];
        let model = Mixture::given(&means, &covariances, vec![0.5, 0.3, 0.2]).unwrap();
        let classes: Vec<Label> = ["a", "b", "c"].map(Label::from).to_vec();
        let features = vec!["x".to_string(), "y".to_string()];
        let plain = Classifier::new(model, classes, features, Loss::zero_one(3)).unwrap();
        let actions = || (0..3).map(Action::Class).collect();
        let costs = vec![0.5, 3.0, 3.0, 1.0, 0.0, 1.0, 4.0, 4.0, -1.0];
        let dear = plain.clone().with_loss(Loss::new(3, actions(), costs).unwrap()).unwrap();
        let pool = Pool::new(1).unwrap();
        for rule in [&plain, &dear] {
            let risk = rule.risk(None, &RiskOptions::default(), On::pool(&pool)).unwrap();
            let bounds = rule.bounds(None).unwrap().unwrap();
            assert!(risk.total.value <= bounds.chernoff, "{risk:?} {bounds:?}");
            assert!(bounds.chernoff <= bounds.bhattacharyya, "{bounds:?}");
        }
        let odd = vec![0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0];
        let odd = plain.with_loss(Loss::new(3, actions(), odd).unwrap()).unwrap();
        assert_eq!(odd.bounds(None).unwrap(), None);
    }
}
