//! Writes a recipe as one SQL query that SQLite, DuckDB and others run.

mod expression;

use std::collections::HashSet;

use gaussbayes::{Choice, Recipe};

use super::{Labels, Naming};
use expression::{added, identifier, number, text};

/// A query that adds scores, probabilities and a column `prediction` to every row of a table.
///
/// A row without a value in a column that counts has no prediction; products of densities leave such columns out.
pub fn to_sql(recipe: &Recipe, naming: &Naming, table: &str) -> String {
    Query::new(recipe, naming).text(table)
}

/// A query, and the names of the columns that it adds.
struct Query<'a> {
    recipe: &'a Recipe,
    naming: &'a Naming,
    /// Of the scores.
    scores: Vec<String>,
    best: String,
    sum: String,
    /// What scores have in common, where they leave it out.
    rest: String,
    /// ln p(x), where somebody asks for it.
    density: String,
    /// Probabilities of the classes of the recipe.
    shares: Vec<String>,
    /// What actions cost beyond the cheapest of each class.
    excesses: Vec<String>,
    prediction: String,
}

impl<'a> Query<'a> {
    fn new(recipe: &'a Recipe, naming: &'a Naming) -> Self {
        let mut names = Names::beside(&recipe.features);
        let name = |class: usize| {
            let named = naming.columns.iter().find(|(_, of)| *of == Some(class));
            named.map_or_else(|| recipe.classes[class].to_string(), |(name, _)| name.clone())
        };
        let score = |(k, class): (usize, &usize)| {
            let before = recipe.owner[..k].iter().filter(|owner| *owner == class).count();
            let several = recipe.owner.iter().filter(|owner| *owner == class).count() > 1;
            let part = if several { format!("_{}", before + 1) } else { String::new() };
            names.free(format!("score_{}{part}", name(*class)))
        };
        let scores = recipe.owner.iter().enumerate().map(score).collect();
        let share = |class: usize| names.free(format!("p_{}", name(class)));
        let shares = (0..recipe.classes.len()).map(share).collect();
        let excess = |action: usize| match &naming.labels {
            Labels::Text(labels) => names.free(format!("excess_{}", labels[action])),
            Labels::Whole(labels) => names.free(format!("excess_{}", labels[action])),
        };
        let excesses = match &recipe.decision.choice {
            Choice::Gain(_) => Vec::new(),
            Choice::Cost { actions, .. } => (0..*actions).map(excess).collect(),
        };
        let [best, sum, rest, density, prediction] =
            ["score_best", "score_sum", "log_density_rest", "log_density", "prediction"]
                .map(|name| names.free(name.into()));
        Self { recipe, naming, scores, best, sum, rest, density, shares, excesses, prediction }
    }

    fn text(&self, table: &str) -> String {
        let mut steps = Vec::new();
        let scores = expression::scores(&self.recipe.scoring, &self.recipe.features);
        let mut first: Vec<(String, &str)> =
            scores.into_iter().zip(self.scores.iter().map(String::as_str)).collect();
        let outliers = self.recipe.decision.outliers;
        let common =
            outliers.and_then(|_| expression::common(&self.recipe.scoring, &self.recipe.features));
        let has_rest = common.is_some();
        first.extend(common.map(|common| (common, self.rest.as_str())));
        steps.push(select(DEEPER, "d.*", &first, &format!("{} AS d", identifier(table))));
        steps.push(step(&[(self.best(), &self.best)], 1));
        let terms: Vec<String> = self.scores.iter().map(|score| self.term(score)).collect();
        steps.push(step(&[(added(&terms), &self.sum)], 2));
        if outliers.is_some() {
            let mut parts = vec![identifier(&self.best), format!("LN({})", identifier(&self.sum))];
            parts.extend(has_rest.then(|| identifier(&self.rest)));
            steps.push(step(&[(added(&parts), &self.density)], steps.len()));
        }
        let shares: Vec<(String, &str)> = self.shares().collect();
        if let Choice::Cost { actions, costs, .. } = &self.recipe.decision.choice {
            steps.push(step(&shares, steps.len()));
            let excess = |j: usize| {
                let costs = costs.iter().skip(j).step_by(*actions).zip(&self.shares);
                let counted = costs.filter(|(cost, _)| **cost != 0.0);
                let terms: Vec<String> = counted
                    .map(|(cost, p)| format!("{}*{}", number(*cost), identifier(p)))
                    .collect();
                // Nothing to pay, but for rows without scores.
                let none = || format!("0e0*{}", identifier(&self.sum));
                if terms.is_empty() { none() } else { added(&terms) }
            };
            let all: Vec<(String, &str)> = self
                .excesses
                .iter()
                .enumerate()
                .map(|(j, name)| (excess(j), name.as_str()))
                .collect();
            steps.push(step(&all, steps.len()));
            return finished(&steps, &[(self.cheapest(), &self.prediction)]);
        }
        let mut last = shares;
        last.push((self.likeliest(), &self.prediction));
        finished(&steps, &last)
    }

    /// The largest score.
    fn best(&self) -> String {
        let names: Vec<String> = self.scores.iter().map(|score| identifier(score)).collect();
        chosen(&names, ">=", |k| names[k].clone())
    }

    /// The exponential of a score, relative to the best.
    fn term(&self, score: &str) -> String {
        format!("EXP({} - {})", identifier(score), identifier(&self.best))
    }

    /// Probabilities, in the order that was asked for.
    fn shares(&self) -> impl Iterator<Item = (String, &str)> {
        let share = |(_, class): &(String, Option<usize>)| {
            let class = (*class)?;
            let own = self.recipe.owner.iter().zip(&self.scores).filter(|(k, _)| **k == class);
            let terms: Vec<String> = own.map(|(_, score)| self.term(score)).collect();
            let terms =
                if terms.len() > 1 { format!("({})", added(&terms)) } else { added(&terms) };
            Some((format!("{terms} / {}", identifier(&self.sum)), self.shares[class].as_str()))
        };
        self.naming.columns.iter().filter_map(share)
    }

    /// The action of the best score; where classes have several, of the largest share.
    fn likeliest(&self) -> String {
        let Choice::Gain(gains) = &self.recipe.decision.choice else { return "NULL".into() };
        let worth: Vec<String> = if self.recipe.is_one_each() {
            let worth = |(score, gain): (&String, &f64)| match *gain {
                0.0 => identifier(score),
                gain => format!("({} + {})", identifier(score), number(gain)),
            };
            self.scores.iter().zip(gains).map(worth).collect()
        } else {
            let shares = |class: usize| {
                let own = self.recipe.owner.iter().zip(&self.scores).filter(|(k, _)| **k == class);
                let terms: Vec<String> = own.map(|(_, score)| self.term(score)).collect();
                match gains[class] {
                    0.0 => format!("({})", added(&terms)),
                    gain => format!("{}*({})", number(gain.exp()), added(&terms)),
                }
            };
            (0..self.recipe.classes.len()).map(shares).collect()
        };
        self.unless_outlier(&chosen(&worth, ">=", |k| self.label(k)))
    }

    /// The action that costs least.
    fn cheapest(&self) -> String {
        let costs: Vec<String> = self.excesses.iter().map(|name| identifier(name)).collect();
        self.unless_outlier(&chosen(&costs, "<=", |j| self.label(j)))
    }

    fn unless_outlier(&self, choice: &str) -> String {
        let Some((level, reject)) = self.recipe.decision.outliers else { return choice.to_owned() };
        let (density, level) = (identifier(&self.density), number(level));
        format!("CASE WHEN {density} < {level} THEN {} ELSE {choice} END", self.label(reject))
    }

    fn label(&self, action: usize) -> String {
        match &self.naming.labels {
            Labels::Text(labels) => text(&labels[action]),
            Labels::Whole(labels) => labels[action].to_string(),
        }
    }
}

/// Names of columns, which differ by more than letter case.
struct Names(HashSet<String>);

impl Names {
    fn beside(features: &[String]) -> Self {
        Self(features.iter().map(|name| name.to_lowercase()).collect())
    }

    /// A name that no other column has.
    fn free(&mut self, mut name: String) -> String {
        while !self.0.insert(name.to_lowercase()) {
            name.push('_');
        }
        name
    }
}

/// The first of several that no other beats; nothing where there is nothing to compare.
fn chosen(values: &[String], beats: &str, said: impl Fn(usize) -> String) -> String {
    if let [one] = values {
        return format!("CASE WHEN {one} IS NOT NULL THEN {} END", said(0));
    }
    let branch = |k: usize| {
        // Earlier ones have lost already.
        let others: Vec<String> =
            values[k + 1..].iter().map(|other| format!("{} {beats} {other}", values[k])).collect();
        let when = match others.as_slice() {
            [] => format!("{} IS NOT NULL", values[k]),
            _ => others.join(" AND "),
        };
        format!("WHEN {when} THEN {}", said(k))
    };
    let branches: Vec<String> = (0..values.len()).map(branch).collect();
    format!("CASE {} END", branches.join(" "))
}

/// How far steps stand behind the last one.
const DEEPER: &str = "  ";

/// Columns beside those that are there.
fn select(indent: &str, there: &str, added: &[(String, &str)], from: &str) -> String {
    let column =
        |(value, name): &(String, &str)| format!(",\n{indent}  {value} AS {}", identifier(name));
    let columns: String = added.iter().map(column).collect();
    format!("{indent}SELECT {there}{columns}\n{indent}FROM {from}")
}

/// A step that adds columns to those of the step before, which is the last of so many.
fn step(added: &[(String, &str)], steps: usize) -> String {
    select(DEEPER, "*", added, &step_name(steps))
}

fn step_name(number: usize) -> String {
    format!("gaussbayes_{number}")
}

/// Every step once: no score is computed again for each time that it is read.
fn finished(steps: &[String], last: &[(String, &str)]) -> String {
    let named = |(at, step): (usize, &String)| {
        format!("{} AS MATERIALIZED (\n{step}\n)", step_name(at + 1))
    };
    let all: Vec<String> = steps.iter().enumerate().map(named).collect();
    let last = select("", "*", last, &step_name(steps.len()));
    format!("WITH {}\n{last};\n", all.join(", "))
}
