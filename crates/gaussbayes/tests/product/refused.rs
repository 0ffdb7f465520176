//! Holds bad input of products to named errors and documented answers.

use std::borrow::Cow;

use gaussbayes::{
    Alpha, Block, Classifier, ColumnKind, ColumnRefusal, Counting, Error, Field, Label, Labels, On,
    Part, Pool, Priors, ProductReport, ProductSpec, ProductSweep, Ridge, Rows, Silence, Table,
    Unseen, run,
};

const NAN: f64 = f64::NAN;

/// Rows of one or two columns of numbers; the first half is of class a.
fn numbers(dim: usize, values: &[f64]) -> Table {
    let rows = values.len() / dim;
    Table {
        dim,
        values: values.to_vec(),
        fields: vec![Field::Number; dim],
        codes: Some((0..rows).map(|i| u32::from(2 * i >= rows)).collect()),
        dictionary: vec![Label::from("a"), Label::from("b")],
        ..Table::default()
    }
}

fn spec(dim: usize, kind: ColumnKind, alpha: f64, unseen: Unseen) -> ProductSpec {
    ProductSpec { unseen, ..ProductSpec::all(dim, kind, Alpha::One(alpha)) }
}

fn fit(spec: &ProductSpec, table: &Table) -> Result<(Classifier, ProductReport), Error> {
    let pool = Pool::new(1).unwrap();
    let stat = run(&ProductSweep::new(spec), &mut table.source(), On::pool(&pool))?;
    let names: Vec<String> = (0..table.dim).map(|j| format!("x{j}")).collect();
    Classifier::fit_product(spec, &Priors::Observed, stat, &names)
}

fn probabilities(model: &Classifier, table: &Table) -> Result<Vec<f64>, Error> {
    Ok(model.scores(&table.block(0..table.rows())?)?.into_probabilities())
}

fn refusal(error: &Error) -> (String, String) {
    (error.to_string(), error.hint().unwrap())
}

#[test]
fn names_where_numbers_are_needed() {
    let mut table = numbers(1, &[0.0, 1.0, 0.0, 1.0]);
    table.fields[0] = Field::Category(["red", "blue"].map(Label::from).to_vec().into());
    for kind in [
        ColumnKind::Number,
        ColumnKind::Flag { above: 0.0 },
        ColumnKind::Count(Counting::Multinomial),
        ColumnKind::Code { least: vec![] },
    ] {
        let error = fit(&spec(1, kind, 1.0, Unseen::Ignore), &table).unwrap_err();
        assert_eq!(error.to_string(), "column 1 holds names where numbers are needed");
    }
    let text = spec(1, ColumnKind::Text(Counting::Multinomial), 1.0, Unseen::Ignore);
    let error = fit(&text, &table).unwrap_err();
    assert_eq!(error.to_string(), "column 1 holds names where words are needed");
    // The other way round numbers are names like any other.
    let categories = spec(1, ColumnKind::Category, 1.0, Unseen::Ignore);
    assert!(fit(&categories, &numbers(1, &[0.5, 1.0, 0.5, -0.0])).is_ok());
}

#[test]
fn models_of_plain_numbers_say_what_reads_the_rest() {
    let table = numbers(1, &[1.0, 2.0, NAN, 4.0]);
    let sweep = gaussbayes::LabelSweep::new(gaussbayes::CovarianceSpec::qda().storage());
    let pool = Pool::new(1).unwrap();
    let error = run(&sweep, &mut table.source(), On::pool(&pool)).unwrap_err();
    let (message, hint) = refusal(&error);
    assert_eq!(message, "names, words or missing values where only plain numbers are read");
    assert!(hint.contains("naive Bayes"), "{hint}");
}

#[test]
fn counts_below_zero_and_codes_that_are_none() {
    let counts = spec(1, ColumnKind::Count(Counting::Multinomial), 1.0, Unseen::Ignore);
    let error = fit(&counts, &numbers(1, &[1.0, 2.0, -3.0, 4.0])).unwrap_err();
    assert_eq!(error.to_string(), "row 3, column 1: -3 is no count");
    let (model, _) = fit(&counts, &numbers(1, &[1.0, 2.0, 3.0, 4.0])).unwrap();
    let error = probabilities(&model, &numbers(1, &[1.0, -2.0])).unwrap_err();
    assert_eq!(error.to_string(), "row 2, column 'x0': -2 is no count");
    let codes = spec(1, ColumnKind::Code { least: vec![] }, 1.0, Unseen::Ignore);
    let (message, hint) = refusal(&fit(&codes, &numbers(1, &[0.0, 1.0, 4e9, 1.0])).unwrap_err());
    assert_eq!(
        message,
        "column 'x0' has codes from 0 to 4000000000, each of which would be a category"
    );
    assert_eq!(hint, "number the categories from 0, or take them as names");
    for (value, text) in [(-1.0, "-1"), (0.5, "0.5")] {
        let error = fit(&codes, &numbers(1, &[0.0, 1.0, value, 1.0])).unwrap_err();
        assert_eq!(error.to_string(), format!("row 3, column 1: {text} is no whole number from 0"));
    }
}

#[test]
fn a_column_of_one_value_or_of_none_says_nothing_and_is_reported() {
    let values = [7.0, 1.0, 7.0, 0.0, 7.0, 1.0, 7.0, 1.0];
    let table = numbers(2, &values);
    for kind in
        [ColumnKind::Category, ColumnKind::Flag { above: 0.0 }, ColumnKind::Code { least: vec![] }]
    {
        let (model, report) = fit(&spec(2, kind.clone(), 1.0, Unseen::Ignore), &table).unwrap();
        assert_eq!(report.silent, [(0, Silence::OneValue)], "{kind:?}");
        let without = Table {
            values: values.iter().skip(1).step_by(2).copied().collect(),
            dim: 1,
            fields: vec![Field::Number],
            ..table.clone()
        };
        let (other, _) = fit(&spec(1, kind, 1.0, Unseen::Ignore), &without).unwrap();
        let (a, b) = (probabilities(&model, &table), probabilities(&other, &without));
        for (a, b) in a.unwrap().iter().zip(b.unwrap()) {
            assert!((a - b).abs() < 1e-15);
        }
    }
    let gone = numbers(2, &[NAN, 1.0, NAN, 0.0, NAN, 1.0, NAN, 3.0]);
    for kind in [ColumnKind::Category, ColumnKind::Flag { above: 0.0 }, ColumnKind::Number] {
        let (model, report) = fit(&spec(2, kind.clone(), 1.0, Unseen::Ignore), &gone).unwrap();
        assert_eq!(report.silent, [(0, Silence::Missing)], "{kind:?}");
        assert!(probabilities(&model, &gone).unwrap().iter().all(|p| p.is_finite()));
    }
    // A number that never changes has no density: refused by name.
    let error = fit(&spec(2, ColumnKind::Number, 1.0, Unseen::Ignore), &table).unwrap_err();
    assert!(matches!(error, Error::Singular(_)) && error.to_string().contains("x0"), "{error}");
    // So does one that a class never has.
    let half = numbers(1, &[1.0, 2.0, NAN, NAN]);
    let error = fit(&spec(1, ColumnKind::Number, 1.0, Unseen::Ignore), &half).unwrap_err();
    assert_eq!(error.to_string(), "class 'b' has no value in column 'x0'");
}

#[test]
fn without_smoothing_what_was_never_counted_is_impossible() {
    // Class a has 0 and 1, class b only 1; 2 was never met.
    let table = numbers(1, &[0.0, 1.0, 1.0, 1.0]);
    let at = |values: &[f64], unseen| {
        let (model, _) = fit(&spec(1, ColumnKind::Category, 0.0, unseen), &table).unwrap();
        probabilities(&model, &numbers(1, values))
    };
    assert_eq!(at(&[0.0], Unseen::Ignore).unwrap(), [1.0, 0.0]);
    // Never met: left out, so that the priors answer; or refused; or impossible everywhere.
    assert_eq!(at(&[2.0], Unseen::Ignore).unwrap(), [0.5, 0.5]);
    let (message, hint) = refusal(&at(&[1.0, 2.0], Unseen::Refuse).unwrap_err());
    assert_eq!(message, "row 2, column 'x0': '2' was not met in the fit");
    assert_eq!(hint, "let what was never met be ignored or smoothed (--unseen, unseen=)");
    let (message, hint) = refusal(&at(&[2.0], Unseen::Smooth).unwrap_err());
    assert_eq!(
        (message.as_str(), hint.as_str()),
        ("row 1: no class can have it", "alpha above 0 leaves nothing impossible")
    );
    // Counts of zero of what is impossible cost nothing: class b has none of the first column.
    let counts = spec(2, ColumnKind::Count(Counting::Multinomial), 0.0, Unseen::Ignore);
    let table = numbers(2, &[1.0, 1.0, 3.0, 1.0, 0.0, 2.0, 0.0, 5.0]);
    let (model, _) = fit(&counts, &table).unwrap();
    let found = probabilities(&model, &numbers(2, &[0.0, 1.0, 2.0, 1.0])).unwrap();
    // P(a) ∝ 1/3 against 1 for the one count of the second column.
    assert!((found[0] - 0.25).abs() < 1e-15 && found[2] == 1.0, "{found:?}");
    // A flag that a class always has.
    let flags = spec(1, ColumnKind::Flag { above: 0.0 }, 0.0, Unseen::Ignore);
    let (model, _) = fit(&flags, &numbers(1, &[0.0, 1.0, 1.0, 1.0])).unwrap();
    assert_eq!(probabilities(&model, &numbers(1, &[0.0, NAN])).unwrap(), [1.0, 0.0, 0.5, 0.5]);
}

#[test]
fn numbers_that_cannot_be_added_to_counts() {
    for alpha in [-1.0, NAN, f64::INFINITY] {
        let spec = spec(1, ColumnKind::Category, alpha, Unseen::Ignore);
        let error = spec.check(1).unwrap_err();
        assert!(matches!(error, Error::Column(ColumnRefusal::Alpha { .. })), "{error}");
    }
    let parts = vec![Part {
        columns: vec![0, 1],
        kind: ColumnKind::Category,
        alpha: Alpha::Each(vec![1.0]),
    }];
    let spec = ProductSpec { parts, unseen: Unseen::Ignore, ridge: Ridge::None };
    assert!(matches!(spec.check(2), Err(Error::Shape { what: "alpha per column", .. })));
}

#[test]
fn a_class_that_a_batch_lacks_is_there_in_the_end() {
    let spec = spec(1, ColumnKind::Category, 1.0, Unseen::Ignore);
    let one = |value: f64, class: &str| {
        let table = numbers(1, &[value]);
        Table { codes: Some(vec![0]), dictionary: vec![Label::from(class)], ..table }
    };
    let pool = Pool::new(1).unwrap();
    let mut training = gaussbayes::Training::of(ProductSweep::new(&spec), 1);
    for batch in [one(1.0, "b"), one(2.0, "b"), one(1.0, "a")] {
        training.add(&mut batch.source(), On::pool(&pool)).unwrap();
    }
    assert_eq!(training.stat().unwrap().labels(), ["a", "b"].map(Label::from));
    assert_eq!(training.stat().unwrap().weight(), [1.0, 2.0]);
}

#[test]
fn codes_without_a_name_and_infinite_numbers_make_no_block() {
    let labels = || Labels { codes: Cow::Owned(vec![0]), dictionary: Cow::Owned(vec!["a".into()]) };
    let block = |value: f64, field| {
        Block::typed(0, Rows::new(vec![value], 1).unwrap(), vec![field], None, Some(labels())).err()
    };
    let names = || Field::Category(vec![Label::from("red")].into());
    assert!(matches!(block(1.0, names()), Some(Error::Shape { what: "names", .. })));
    assert!(matches!(block(0.5, names()), Some(Error::Shape { .. })));
    assert!(matches!(block(f64::INFINITY, Field::Number), Some(Error::NotFinite { .. })));
    assert!(block(NAN, names()).is_none() && block(NAN, Field::Number).is_none());
}
