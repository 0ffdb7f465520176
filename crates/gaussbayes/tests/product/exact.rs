//! Compares with fractions, with scikit-learn, and with e1071.

use std::borrow::Cow;

use gaussbayes::{
    Alpha, Classifier, ColumnKind, Counting, On, Pool, Priors, ProductSpec, ProductSweep, Ridge,
    Sparse, Table, Training, Unseen,
};
use serde_json::Value;

use crate::{assert_near, floats, golden, joint, labelled, matrix, mixed_spec, typed};

fn alpha(case: &Value) -> Alpha {
    match case["alpha"].as_f64() {
        Some(alpha) => Alpha::One(alpha),
        None => Alpha::Each(floats(case["alpha"].as_array().unwrap())),
    }
}

fn priors(case: &Value) -> Priors {
    match case["priors"].as_str() {
        Some("uniform") => Priors::Uniform,
        Some(_) => Priors::Observed,
        None => Priors::Given(floats(case["priors"].as_array().unwrap())),
    }
}

fn kind(case: &Value, columns: usize) -> ColumnKind {
    match case["kind"].as_str().unwrap() {
        "bernoulli" => ColumnKind::Flag { above: case["above"].as_f64().unwrap() },
        "multinomial" => ColumnKind::Count(Counting::Multinomial),
        "complement" => ColumnKind::Count(Counting::Complement { norm: false }),
        "complement-norm" => ColumnKind::Count(Counting::Complement { norm: true }),
        "categorical" => ColumnKind::Code {
            least: match &case["min_categories"] {
                Value::Null => Vec::new(),
                Value::Array(all) => all.iter().map(|n| n.as_u64().unwrap() as usize).collect(),
                one => vec![one.as_u64().unwrap() as usize; columns],
            },
        },
        other => panic!("{other} is not known here"),
    }
}

/// Plain rows of numbers.
fn plain(rows: &Value) -> Table {
    let rows = matrix(rows);
    Table { dim: rows[0].len(), values: rows.concat(), ..Table::default() }
}

/// The same rows without their zeros.
fn sparse(table: &Table) -> Table {
    let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in table.values.chunks_exact(table.dim) {
        for (j, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            columns.push(j as u32);
            values.push(value);
        }
        starts.push(columns.len());
    }
    let rows = Sparse::new(starts, columns, values, table.dim).unwrap();
    Table { values: Vec::new(), sparse: Some(rows), ..table.clone() }
}

fn fitted(spec: &ProductSpec, priors: &Priors, rows: &Table) -> Classifier {
    let pool = Pool::new(1).unwrap();
    let mut training = Training::of(ProductSweep::new(spec), rows.dim);
    training.add(&mut rows.source(), On::pool(&pool)).unwrap();
    let names: Vec<String> = (0..rows.dim).map(|j| format!("x{j}")).collect();
    let stat = training.stat().unwrap();
    Classifier::fit_any_product(spec, priors, stat, &names).unwrap().0
}

fn compare(file: &str) -> usize {
    let cases = golden(file);
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let rows =
            labelled(plain(&case["data"]["rows"]), &case["data"]["labels"], &case["weights"]);
        let query = plain(&case["query"]);
        let spec = ProductSpec::all(rows.dim, kind(case, rows.dim), alpha(case));
        let expected = matrix(&case["joint_log_prob"]);
        let tolerance = case["tolerance"].as_f64().unwrap();
        let model = fitted(&spec, &priors(case), &rows);
        assert_near(&joint(model.model(), &query), &expected, tolerance, name);
        if !matches!(spec.parts[0].kind, ColumnKind::Code { .. }) {
            let found = fitted(&spec, &priors(case), &sparse(&rows));
            assert_near(&joint(found.model(), &sparse(&query)), &expected, tolerance, name);
            assert_near(&joint(found.model(), &query), &expected, tolerance, name);
        }
    }
    cases.len()
}

#[test]
fn counts_and_codes_have_the_probabilities_of_exact_fractions() {
    assert!(compare("exact_discrete") >= 40);
}

#[test]
fn counts_and_codes_have_the_probabilities_of_scikit_learn() {
    assert!(compare("sklearn_discrete") >= 35);
}

#[test]
fn a_mixed_table_has_the_posterior_by_hand() {
    let cases = golden("exact_mixed");
    assert!(cases.len() >= 3);
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let data = &case["data"];
        let rows = labelled(typed(&data["rows"], &[5, 6]), &data["labels"], &case["weights"]);
        assert!(rows.values.iter().any(|value| value.is_nan()));
        let spec = mixed_spec(case["alpha"].as_f64().unwrap(), Ridge::OfEach(1e-9));
        let model = fitted(&spec, &Priors::Observed, &rows);
        let query = typed(&case["query"], &[5, 6]);
        let tolerance = case["tolerance"].as_f64().unwrap();
        let expected = matrix(&case["joint_log_prob"]);
        assert_near(&joint(model.model(), &query), &expected, tolerance, name);
        let predicted = model.predict(&rows.block(0..rows.rows()).unwrap()).unwrap().posterior;
        let found: Vec<Vec<f64>> = (0..rows.rows()).map(|i| predicted.probs(i).collect()).collect();
        assert_near(&found, &matrix(&case["row_posterior"]), tolerance, name);
    }
}

#[test]
fn a_mixed_table_in_seven_batches_merged_in_any_order_is_one_fit() {
    let case = &golden("exact_mixed")[1];
    let data = &case["data"];
    let rows = labelled(typed(&data["rows"], &[5, 6]), &data["labels"], &case["weights"]);
    let query = typed(&case["query"], &[5, 6]);
    let spec = mixed_spec(1.0, Ridge::OfEach(1e-9));
    let sweep = ProductSweep::new(&spec);
    let names: Vec<String> = (0..rows.dim).map(|j| format!("x{j}")).collect();
    let pool = Pool::new(2).unwrap();
    let count = rows.rows();
    let batch = |k: usize| {
        let mut batch = Table { dim: rows.dim, ..Table::default() };
        batch.push_block(&rows.block(k * count / 7..(k + 1) * count / 7).unwrap());
        batch
    };
    let expected = matrix(&case["joint_log_prob"]);
    let tolerance = case["tolerance"].as_f64().unwrap();
    // Rows given in batches are rows given at once, to the bit.
    let whole = fitted(&spec, &Priors::Observed, &rows);
    let mut training = Training::of(sweep.clone(), rows.dim);
    (0..7).for_each(|k| training.add(&mut batch(k).source(), On::pool(&pool)).unwrap());
    let stat = training.stat().unwrap();
    let added = Classifier::fit_product(&spec, &Priors::Observed, stat, &names).unwrap().0;
    assert_eq!(added.model(), whole.model());
    for order in [[0, 1, 2, 3, 4, 5, 6], [6, 2, 5, 0, 3, 1, 4], [3, 4, 6, 5, 1, 0, 2]] {
        let parts = order.map(|k| {
            let mut training = Training::of(sweep.clone(), rows.dim);
            training.add(&mut batch(k).source(), On::pool(&pool)).unwrap();
            training
        });
        // Sums without rows merge as well as sums with rows that wait.
        let closed = parts.clone().map(|part| part.closed().unwrap());
        assert!(closed.iter().zip(&parts).all(|(a, b)| a.stat() == b.stat()));
        let closed = closed.into_iter().reduce(|a, b| a.merge(&b).unwrap()).unwrap();
        assert_eq!(closed.tail().rows(), 0);
        let stat = closed.stat().unwrap();
        let model = Classifier::fit_product(&spec, &Priors::Observed, stat, &names).unwrap().0;
        assert_near(&joint(model.model(), &query), &expected, tolerance, "closed");
        let merged = parts.into_iter().reduce(|a, b| a.merge(&b).unwrap()).unwrap();
        let stat = merged.stat().unwrap();
        let model = Classifier::fit_product(&spec, &Priors::Observed, stat, &names).unwrap().0;
        assert_near(&joint(model.model(), &query), &expected, tolerance, "merged");
    }
}

#[test]
fn tables_of_r_have_its_posteriors() {
    let cases = golden("r_naive_bayes");
    let mut compared = 0;
    for case in cases.iter().filter(|case| case["divisor"] == "n" && case["threshold"] != true) {
        let name = case["name"].as_str().unwrap();
        let kinds: Vec<&str> =
            case["kinds"].as_array().unwrap().iter().map(|kind| kind.as_str().unwrap()).collect();
        let of = |wanted: &str| -> Vec<usize> {
            (0..kinds.len()).filter(|&j| kinds[j] == wanted).collect()
        };
        let alpha = Alpha::One(case["alpha"].as_f64().unwrap());
        let part =
            |columns: Vec<usize>, kind| gaussbayes::Part { columns, kind, alpha: alpha.clone() };
        let spec = ProductSpec {
            parts: vec![
                part(of("number"), ColumnKind::Number),
                part(of("category"), ColumnKind::Category),
            ],
            unseen: Unseen::Ignore,
            ridge: Ridge::None,
        };
        let data = &case["data"];
        let names = of("category");
        let rows = labelled(typed(&data["rows"], &names), &data["labels"], &Value::Null);
        let model = fitted(&spec, &Priors::Observed, &rows);
        let query = typed(&case["query"], &names);
        for (table, key) in [(&query, "posterior"), (&rows, "row_posterior")] {
            let posterior =
                model.predict(&table.block(0..table.rows()).unwrap()).unwrap().posterior;
            let found: Vec<Vec<f64>> =
                (0..table.rows()).map(|i| posterior.probs(i).collect()).collect();
            let tolerance = case["tolerance"].as_f64().unwrap_or(1e-9);
            assert_near(&found, &matrix(&case[key]), tolerance, name);
        }
        compared += 1;
    }
    assert!(compared >= 2, "{compared}");
}

#[test]
fn words_are_the_counts_of_their_columns() {
    // The same table as counts in columns and as words: one multinomial distribution.
    let case = golden("exact_discrete")
        .into_iter()
        .find(|case| case["kind"] == "multinomial" && case["alpha"] == 1.0)
        .unwrap();
    let counts = labelled(plain(&case["data"]["rows"]), &case["data"]["labels"], &case["weights"]);
    let as_words = |table: &Table| {
        let rows = sparse(table).sparse.unwrap();
        let words: Vec<gaussbayes::Label> = (0..table.dim)
            .map(|j| gaussbayes::Label::from(format!("w{:03}", table.dim - j)))
            .collect();
        Table {
            dim: 1,
            values: vec![0.0; rows.rows()],
            fields: vec![gaussbayes::Field::Text { words: Cow::Owned(words), counts: rows }],
            sparse: None,
            ..table.clone()
        }
    };
    let spec = ProductSpec::all(1, ColumnKind::Text(Counting::Multinomial), Alpha::One(1.0));
    let model = fitted(&spec, &priors(&case), &as_words(&counts));
    let found = joint(model.model(), &as_words(&plain(&case["query"])));
    assert_near(&found, &matrix(&case["joint_log_prob"]), 1e-13, "words");
}
