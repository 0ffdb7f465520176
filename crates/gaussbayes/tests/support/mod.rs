//! Reads data and models for the tests, without the crates that depend on this one.

#![allow(dead_code, reason = "each test binary uses its own part")]

use gaussbayes::{
    Classifier, CovarianceSpec, Error, Family, Fitted, Judgement, Label, LabelStat, LabelSweep, On,
    Pool, Posterior, Priors, Table, leave_one_out, leave_one_out_posterior, run,
};

/// Every classifier: by the name of the command where it has one, otherwise by its letters.
pub(crate) fn models() -> Vec<(&'static str, CovarianceSpec)> {
    let mut models = vec![
        ("qda", CovarianceSpec::qda()),
        ("lda", CovarianceSpec::lda()),
        ("naive-bayes", CovarianceSpec::naive_bayes()),
        ("diag-lda", CovarianceSpec::diagonal_lda()),
        ("nearest-mean", CovarianceSpec::nearest_mean()),
    ];
    for family in Family::ALL {
        if models.iter().all(|(_, spec)| spec.family != family) {
            models.push((family.name(), family.into()));
        }
    }
    models
}

/// A table from rows and the names of their classes.
pub(crate) fn table(rows: &[Vec<f64>], labels: &[&str]) -> Table {
    let mut dictionary: Vec<Label> = Vec::new();
    let codes = labels
        .iter()
        .map(|&name| {
            let label = Label::from(name);
            let known = dictionary.iter().position(|other| *other == label);
            known.unwrap_or_else(|| {
                dictionary.push(label);
                dictionary.len() - 1
            }) as u32
        })
        .collect();
    Table {
        dim: rows.first().map_or(1, Vec::len),
        values: rows.concat(),
        weights: None,
        codes: Some(codes),
        dictionary,
        ..Table::default()
    }
}

/// Rows without labels.
pub(crate) fn numbers_table(dim: usize, values: &[f64]) -> Table {
    Table { dim, values: values.to_vec(), ..Table::default() }
}

fn csv(text: &str) -> Vec<Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

fn numbers(cells: &[&str]) -> Vec<f64> {
    cells.iter().map(|cell| cell.parse().unwrap()).collect()
}

fn labelled(text: &str) -> Table {
    let lines = csv(text);
    let rows: Vec<Vec<f64>> = lines.iter().map(|line| numbers(&line[..line.len() - 1])).collect();
    let labels: Vec<&str> = lines.iter().map(|line| line[line.len() - 1]).collect();
    table(&rows, &labels)
}

/// Fisher's iris.
pub(crate) fn iris() -> Table {
    labelled(include_str!("../../../gaussbayes-io/data/iris.csv"))
}

/// The wine set.
pub(crate) fn wine() -> Table {
    labelled(include_str!("../../../gaussbayes-io/data/wine.csv"))
}

/// Old Faithful, in one class or split at three minutes.
pub(crate) fn faithful(split: bool) -> Table {
    let lines = csv(include_str!("../../../gaussbayes-io/data/faithful.csv"));
    let rows: Vec<Vec<f64>> = lines.iter().map(|line| numbers(line)).collect();
    let class = |row: &Vec<f64>| match (split, row[0] > 3.0) {
        (false, _) => "all",
        (true, true) => "long",
        (true, false) => "short",
    };
    let labels: Vec<&str> = rows.iter().map(class).collect();
    table(&rows, &labels)
}

/// Names for columns that have none.
pub(crate) fn features(table: &Table) -> Vec<String> {
    (1..=table.dim).map(|j| format!("x{j}")).collect()
}

/// The statistic of a table, by one thread.
pub(crate) fn stat(spec: &CovarianceSpec, table: &Table) -> Result<LabelStat, Error> {
    let (source, pool) = (&mut table.source(), Pool::new(1)?);
    let on = On::pool(&pool);
    run(&LabelSweep::new(spec.storage()), source, on)?.completed(spec, source, on)
}

/// Leaves each row of a table out in turn.
pub(crate) fn left_out(
    spec: &CovarianceSpec,
    priors: &Priors,
    table: &Table,
) -> Result<Judgement, Error> {
    leave_one_out(spec, priors, &features(table), None, table, On::pool(&Pool::new(1)?))
}

/// Posteriors of each row under the model of all others.
pub(crate) fn left_out_posterior(
    spec: &CovarianceSpec,
    priors: &Priors,
    table: &Table,
) -> Result<Posterior, Error> {
    leave_one_out_posterior(spec, priors, &features(table), table, On::pool(&Pool::new(1)?))
}

/// Fits a specification with its own priors.
pub(crate) fn fit(spec: &CovarianceSpec, table: &Table) -> Result<Fitted, Error> {
    fit_with(spec, &spec.default_priors(), table)
}

/// Fits a specification.
pub(crate) fn fit_with(
    spec: &CovarianceSpec,
    priors: &Priors,
    table: &Table,
) -> Result<Fitted, Error> {
    Classifier::fit(spec, priors, stat(spec, table)?, &features(table))
}

/// Posteriors of every row.
pub(crate) fn posteriors(classifier: &Classifier, table: &Table) -> Vec<Vec<f64>> {
    let block = table.block(0..table.rows()).unwrap();
    let posterior = classifier.predict(&block).unwrap().posterior;
    (0..posterior.rows()).map(|i| posterior.probs(i).collect()).collect()
}

/// Labels of every row.
pub(crate) fn labels(classifier: &Classifier, table: &Table) -> Vec<String> {
    let block = table.block(0..table.rows()).unwrap();
    let actions = classifier.predict(&block).unwrap().actions;
    let name = |&action: &usize| classifier.action_label(action).unwrap().to_string();
    actions.iter().map(name).collect()
}

/// A table whose column `j` is `map(j, x)`.
pub(crate) fn mapped(table: &Table, map: impl Fn(usize, f64) -> f64) -> Table {
    let dim = table.dim;
    let values = table.values.iter().enumerate().map(|(at, &x)| map(at % dim, x)).collect();
    Table { values, ..table.clone() }
}

/// Largest distance of two tables of numbers.
pub(crate) fn distance(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().zip(b).flat_map(|(a, b)| a.iter().zip(b));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
