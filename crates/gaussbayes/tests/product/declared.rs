//! Holds classes without rows or counts, and rows that wait for their block, to values by hand.

use gaussbayes::{
    Alpha, Classifier, ColumnKind, Counting, Error, Field, Label, On, Pool, Priors, ProductSpec,
    ProductSweep, Table, Training,
};

const COUNTS: ColumnKind = ColumnKind::Count(Counting::Multinomial);

/// Rows of two columns, with their classes.
fn table(values: &[f64], labels: &[&str]) -> Table {
    let mut encoder = gaussbayes::Encoder::<Label>::default();
    Table {
        dim: 2,
        values: values.to_vec(),
        fields: vec![Field::Number; 2],
        codes: Some(labels.iter().map(|label| encoder.code(*label)).collect()),
        dictionary: encoder.into_labels(),
        ..Table::default()
    }
}

fn summed(spec: &ProductSpec, table: &Table) -> Result<Training<ProductSweep>, Error> {
    let pool = Pool::new(1).unwrap();
    let mut training = Training::of(ProductSweep::new(spec), 2);
    training.add(&mut table.source(), On::pool(&pool))?;
    Ok(training)
}

fn posterior(spec: &ProductSpec, rows: &Table, declared: &[&str], query: [f64; 2]) -> Vec<f64> {
    let declared: Vec<Label> = declared.iter().map(|&label| label.into()).collect();
    let stat = summed(spec, rows).unwrap().stat().unwrap().with_classes(&declared);
    let names = ["x".to_string(), "y".to_string()];
    let model = Classifier::fit_any_product(spec, &Priors::Uniform, stat, &names).unwrap().0;
    let query = table(&query, &["?"]);
    model.scores(&query.block(0..1).unwrap()).unwrap().into_probabilities()
}

fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-15, "{found:?} against {expected:?}");
    }
}

#[test]
fn a_declared_class_without_rows_has_what_smoothing_gives() {
    let rows = table(&[3.0, 1.0, 0.0, 2.0], &["a", "c"]);
    let spec = ProductSpec::all(2, COUNTS, Alpha::One(1.0));
    // (3 + 1)/(4 + 2), 1/2 and (0 + 1)/(2 + 2), by equal priors.
    let (a, b, c) = (4.0 / 6.0, 0.5, 0.25);
    let all = a + b + c;
    near(&posterior(&spec, &rows, &["b"], [1.0, 0.0]), &[a / all, b / all, c / all]);
    near(&posterior(&spec, &rows, &["a"], [1.0, 0.0]), &[a / (a + c), c / (a + c)]);
}

#[test]
fn of_a_class_without_counts_no_key_is_likelier() {
    let rows = table(&[3.0, 1.0, 0.0, 0.0], &["a", "b"]);
    let spec = ProductSpec::all(2, COUNTS, Alpha::One(0.0));
    near(&posterior(&spec, &rows, &[], [1.0, 0.0]), &[0.75 / 1.25, 0.5 / 1.25]);
}

#[test]
fn complement_weights_of_one_key_say_nothing() {
    let rows = table(&[3.0, 1.0, 2.0, 7.0], &["a", "b"]);
    let mut spec = ProductSpec::all(
        2,
        ColumnKind::Count(Counting::Complement { norm: true }),
        Alpha::One(1.0),
    );
    spec.parts[0].columns = vec![0];
    near(&posterior(&spec, &rows, &[], [5.0, 0.0]), &[0.5, 0.5]);
}

#[test]
fn rows_that_wait_for_their_block_are_checked() {
    let spec = ProductSpec::all(2, COUNTS, Alpha::One(1.0));
    let mut values = vec![1.0; 2 * 9000];
    values[2 * 8500 + 1] = -1.0;
    let error = summed(&spec, &table(&values, &vec!["a"; 9000])).unwrap_err();
    assert_eq!(error.to_string(), "row 8501, column 2: -1 is no count");
}
