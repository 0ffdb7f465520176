//! Records how a classifier was found by EM: with rows that have no label, or as a mixture per class.

use gaussbayes::{Criterion, EmState, Event, Family, First, SemiEm};
use serde::{Deserialize, Serialize};

use super::layout::{Why, by_name};

/// How a classifier was found by EM.
#[derive(Debug, Clone, PartialEq)]
pub struct ByEm {
    /// Rows of positive weight.
    pub rows: u64,
    /// Those of them that had no label.
    pub unlabelled_rows: u64,
    /// Weight of the rows.
    pub weight: f64,
    /// Parameters estimated.
    pub parameters: usize,
    /// What EM over all rows started from, in a word; none where every row had a label.
    pub start: Option<String>,
    /// Iterations of EM over all rows.
    pub iterations: u32,
    /// Whether its stop rule was met; true where there was nothing to do.
    pub converged: bool,
    /// Log-likelihood of all rows with the labels that they have; none without EM over all rows.
    pub log_likelihood: Option<f64>,
    /// The mixture of every class, in their order; none where each is one Gaussian of one family for all.
    pub classes: Vec<OfClass>,
    /// What mixtures were chosen by, where there are any.
    pub criterion: Option<Criterion>,
}

/// The mixture that was chosen for a class on its labelled rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OfClass {
    /// Its family.
    pub family: Family,
    /// The value of the criterion; the lower of two is better.
    pub value: f64,
}

impl ByEm {
    /// Of a fit to so many rows, of which some had no label; a mixture per class adds its choices.
    pub fn of(
        (rows, unlabelled_rows): (u64, u64),
        weight: f64,
        parameters: usize,
        em: Option<&SemiEm>,
    ) -> Self {
        Self {
            rows,
            unlabelled_rows,
            weight,
            parameters,
            start: em.map(|em| em.first.map_or("mixtures", First::name).to_owned()),
            iterations: em.map_or(0, |em| em.state.iteration()),
            converged: em.is_none_or(|em| em.state.converged()),
            log_likelihood: em.map(|em| em.criteria.log_likelihood),
            classes: Vec::new(),
            criterion: None,
        }
    }

    /// What a user should know about EM over all rows.
    pub fn warnings(em: &SemiEm) -> Vec<String> {
        let (state, mut said) = (&em.state, Vec::new());
        if em.first == Some(First::Whole) {
            said.push(
                "the labelled rows have too little spread to start from: EM started from the covariance of all rows"
                    .to_owned(),
            );
        }
        let names = lifted(state).join(", ");
        if !names.is_empty() {
            said.push(format!(
                "the guard kept {names} from collapse: the likelihood has no maximum there"
            ));
        }
        let count = |which: fn(&Event) -> bool| state.events().iter().filter(|e| which(e)).count();
        let dropped = count(|event| matches!(event, Event::Dropped { .. }));
        if dropped > 0 {
            let all = state.mixture().components() + dropped;
            let was = if dropped == 1 { "was" } else { "were" };
            said.push(format!("{dropped} of {all} components lost all rows and {was} left out"));
        }
        let anew = count(|event| matches!(event, Event::Reseeded { .. }));
        if anew > 0 {
            let times = if anew == 1 { "time" } else { "times" };
            said.push(format!("{anew} {times} a component lost all rows and started anew"));
        }
        for event in state.events() {
            if let Event::Fell { iteration, by } = event {
                said.push(format!("the log-likelihood fell by {by:.3e} in iteration {iteration}"));
            }
        }
        if !state.converged() {
            let number = state.iteration();
            let plural = if number == 1 { "" } else { "s" };
            said.push(format!("EM had not converged after {number} iteration{plural}"));
        }
        said
    }
}

/// Names of the classes that the guard kept from collapse.
fn lifted(state: &EmState) -> Vec<String> {
    let Some(all) = state.ownership() else { return Vec::new() };
    let name = |k: &usize| format!("'{}'", all.classes()[all.owner()[*k]]);
    let mut names: Vec<String> = state.lifted().iter().map(name).collect();
    names.dedup();
    names
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ByEmLayout {
    rows: u64,
    unlabelled_rows: u64,
    weight: f64,
    parameters: usize,
    start: Option<String>,
    iterations: u32,
    converged: bool,
    log_likelihood: Option<f64>,
    classes: Vec<OfClassLayout>,
    criterion: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfClassLayout {
    family: String,
    value: f64,
}

impl ByEmLayout {
    pub(super) fn of(found: &ByEm) -> Self {
        let class =
            |of: &OfClass| OfClassLayout { family: of.family.name().into(), value: of.value };
        Self {
            rows: found.rows,
            unlabelled_rows: found.unlabelled_rows,
            weight: found.weight,
            parameters: found.parameters,
            start: found.start.clone(),
            iterations: found.iterations,
            converged: found.converged,
            log_likelihood: found.log_likelihood,
            classes: found.classes.iter().map(class).collect(),
            criterion: found.criterion.map(|criterion| criterion.name().into()),
        }
    }

    pub(super) fn into_by_em(self, classes: usize) -> Result<ByEm, Why> {
        if !self.classes.is_empty() && self.classes.len() != classes {
            return Err(Why(format!("{} mixtures for {classes} classes", self.classes.len())));
        }
        let class = |of: OfClassLayout| {
            let family = by_name("family", &of.family, &Family::ALL, Family::name)?;
            Ok(OfClass { family, value: of.value })
        };
        let criterion =
            |name: String| by_name("criterion", &name, &Criterion::ALL, Criterion::name);
        Ok(ByEm {
            rows: self.rows,
            unlabelled_rows: self.unlabelled_rows,
            weight: self.weight,
            parameters: self.parameters,
            start: self.start,
            iterations: self.iterations,
            converged: self.converged,
            log_likelihood: self.log_likelihood,
            classes: self.classes.into_iter().map(class).collect::<Result<_, Why>>()?,
            criterion: self.criterion.map(criterion).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use gaussbayes::{Criteria, EmSpec, Error, Label, Mixture, OnEmpty, Ownership};
    use gaussbayes::{On, Pool, Table, em};

    use super::*;

    /// Two classes, the second with a component where no row is.
    fn ended(on_empty: OnEmpty) -> Result<SemiEm, Error> {
        let values = (0..40).map(|i| f64::from(i % 20 + 100 * (i % 2))).collect();
        let (weights, codes, dictionary) = (None, None, Vec::new());
        let table = Table { dim: 1, values, weights, codes, dictionary, ..Table::default() };
        let means = [vec![10.0], vec![110.0], vec![9e6]];
        let mixture = Mixture::given(&means, &[vec![30.0]], vec![0.4, 0.4, 0.2])?;
        let classes = vec![Label::from("a"), Label::from("b")];
        let spec = EmSpec { on_empty, ..EmSpec::from(Family::Vvv) };
        let mut state = EmState::owned(spec, mixture, Ownership::new(classes, vec![0, 1, 1])?)?;
        let (pool, each) = (Pool::new(1)?, &mut |_: &EmState| ControlFlow::Continue(()));
        em(&mut state, &mut table.source(), On::pool(&pool), each)?;
        let stat = state.partial(&mut table.source(), On::pool(&pool))?;
        let criteria = Criteria::of(&stat, state.parameters());
        Ok(SemiEm { first: None, state, criteria })
    }

    #[test]
    fn components_that_lost_their_rows_are_spoken_of() {
        let said = |on_empty| ended(on_empty).map(|em| ByEm::warnings(&em));
        let dropped = said(OnEmpty::Drop);
        let line = "1 of 3 components lost all rows and was left out".to_owned();
        assert_eq!(dropped, Ok(vec![line]));
        let anew = said(OnEmpty::Reseed).unwrap_or_default();
        let line = "1 time a component lost all rows and started anew";
        assert!(anew.iter().any(|said| said == line), "{anew:?}");
    }

    #[test]
    fn a_record_is_of_the_end_of_em() {
        let em = ended(OnEmpty::Drop).ok();
        let record = ByEm::of((40, 40), 40.0, 5, em.as_ref());
        assert_eq!((record.start.as_deref(), record.converged), (Some("mixtures"), true));
        assert_eq!(record.iterations, em.map_or(0, |em| em.state.iteration()));
        let plain = ByEm::of((40, 0), 40.0, 5, None);
        assert_eq!((plain.start, plain.iterations, plain.log_likelihood), (None, 0, None));
        assert!(plain.converged);
    }
}
