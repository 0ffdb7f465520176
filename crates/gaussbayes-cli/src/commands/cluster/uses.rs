//! Asks a fitted mixture how sure its parameters are, and which rows they hang on.

use gaussbayes::{Bootstrap, EmState, Figures, Influential, Label, On, most_influential};
use gaussbayes_io::Held;
use serde_json::{Map, Value, json};

use super::super::square;
use crate::args::{Cluster, Common};
use crate::failure::Failure;
use crate::output::Output;
use crate::text::{short, wrapped};
use crate::watch::Watch;

/// Share of the replicates that lie in an interval.
const LEVEL: f64 = 0.95;

/// What was asked of a fitted mixture.
#[derive(Default)]
pub(super) struct Uses {
    bootstrap: Option<Bootstrap>,
    errors: Option<Figures>,
    intervals: Option<(Figures, Figures)>,
    influence: Option<Vec<Influential>>,
}

impl Uses {
    /// Asks a fit, whose clusters are arranged in this order.
    pub(super) fn of(
        state: &EmState,
        order: &[usize],
        (arguments, common): (&Cluster, &Common),
        rows: &mut Held,
        on: On<'_>,
        watch: &Watch,
    ) -> Result<Self, Failure> {
        let mut uses = Self::default();
        if let Some(replicates) = arguments.bootstrap {
            let all = rows.rows().saturating_mul(u64::from(replicates));
            watch.say(format!("{replicates} replicates"), Some(all));
            let found = Bootstrap::of(state, rows, replicates as usize, common.seed, on)?;
            let arranged = |figures: &Figures| arranged(figures, order);
            uses.errors = found.standard_errors().as_ref().map(arranged);
            let ends = found.intervals(LEVEL);
            uses.intervals = ends.map(|(low, high)| (arranged(&low), arranged(&high)));
            uses.bootstrap = Some(found);
        }
        if let Some(most) = arguments.influence {
            watch.say("leaving rows out".into(), Some(rows.rows()));
            uses.influence = Some(most_influential(state, rows, most as usize, on)?);
        }
        Ok(uses)
    }

    /// Standard errors of the parameters, where there are any.
    pub(super) fn errors(&self) -> Option<&Figures> {
        self.errors.as_ref()
    }

    /// Says which replicates are no part of the figures.
    pub(super) fn warn(&self, output: &Output) {
        let Some(found) = &self.bootstrap else { return };
        let (lost, asked) = (found.asked - found.kept(), found.asked);
        if lost > 0 {
            let (collapsed, refused) = (found.collapsed, found.refused);
            let none = if found.kept() < 2 { ": no standard errors" } else { "" };
            output.warn(format!(
                "{lost} of {asked} replicates left out: {collapsed} collapsed, {refused} refused{none}"
            ));
        }
        if found.unconverged > 0 {
            output.warn(format!(
                "{} of {asked} replicates not converged: consider a larger --max-iter",
                found.unconverged
            ));
        }
    }

    /// What is printed below the clusters.
    pub(super) fn text(&self, classes: &[Label], order: &[usize], thing: &str) -> String {
        let mut text = String::new();
        if let (Some(found), Some(_)) = (&self.bootstrap, &self.errors) {
            let kept = found.kept();
            text += &format!("± standard errors over {kept} refits on random weights\n\n");
        }
        let Some(rows) = &self.influence else { return text };
        let titles = ["row", thing, "mean", "covariance", "mean, refitted", "covariance, refitted"];
        let mut table = vec![titles.map(String::from).to_vec()];
        for one in rows {
            let (k, step) = (one.step.component, &one.step);
            let row = [(step.row + 1).to_string(), name(k, classes, order)];
            let shifts = [step.mean, step.covariance, one.refit.mean[k], one.refit.covariance[k]];
            table.push(row.into_iter().chain(shifts.map(shift)).collect());
        }
        let open = rows.iter().filter(|one| !one.converged).count();
        text += &format!(
            "rows that move a {thing} most when left out: by one step, and refitted to the end\n"
        );
        text += &wrapped(&table);
        text += &format!(
            "means in standard deviations of the {thing}, covariances in multiples of its own\n"
        );
        if open > 0 {
            text += &format!("{open} of the refits did not come to an end\n");
        }
        text + "\n"
    }

    pub(super) fn fields(&self, classes: &[Label], order: &[usize]) -> Map<String, Value> {
        let mut fields = Map::new();
        if let Some(found) = &self.bootstrap {
            let counts = json!({
                "replicates": found.asked,
                "kept": found.kept(),
                "collapsed": found.collapsed,
                "refused": found.refused,
                "reason": found.refusal.as_ref().map(ToString::to_string),
                "unconverged": found.unconverged,
            });
            let dim = found.replicate(0).map_or(0, |first| first.means[0].len());
            let ends = self.intervals.as_ref().map(|(low, high)| {
                json!({ "level": LEVEL, "low": figures(low, dim), "high": figures(high, dim) })
            });
            fields.insert("bootstrap".into(), counts);
            let errors = self.errors.as_ref().map(|errors| figures(errors, dim));
            fields.insert("standard_errors".into(), json!(errors));
            fields.insert("intervals".into(), json!(ends));
        }
        if let Some(rows) = &self.influence {
            let row = |one: &Influential| {
                let (k, step) = (one.step.component, &one.step);
                json!({
                    "row": step.row + 1,
                    "cluster": name(k, classes, order),
                    "mean": finite(step.mean),
                    "covariance": finite(step.covariance),
                    "refit": {
                        "mean": finite(one.refit.mean[k]),
                        "covariance": finite(one.refit.covariance[k]),
                        "converged": one.converged,
                    },
                })
            };
            fields.insert("influence".into(), rows.iter().map(row).collect::<Vec<_>>().into());
        }
        fields
    }
}

/// The name of a component of the fit.
fn name(k: usize, classes: &[Label], order: &[usize]) -> String {
    let place = order.iter().position(|old| *old == k).unwrap_or(k);
    classes.get(place).map_or_else(String::new, ToString::to_string)
}

/// How far something moved.
fn shift(value: f64) -> String {
    if value.is_finite() { short(value) } else { "lost".into() }
}

/// A number, or none where a component is lost.
fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

/// The same in another order of the components; noise stays last.
fn arranged(figures: &Figures, order: &[usize]) -> Figures {
    let noise = figures.weights[order.len()..].to_vec();
    Figures {
        weights: order.iter().map(|&k| figures.weights[k]).chain(noise).collect(),
        means: order.iter().map(|&k| figures.means[k].clone()).collect(),
        covariances: order.iter().map(|&k| figures.covariances[k].clone()).collect(),
    }
}

/// Figures for programs; covariances as square matrices.
fn figures(figures: &Figures, dim: usize) -> Value {
    let square = |triangle: &Vec<f64>| square(triangle, dim);
    let covariances: Vec<_> = figures.covariances.iter().map(square).collect();
    json!({ "weights": figures.weights, "means": figures.means, "covariances": covariances })
}
