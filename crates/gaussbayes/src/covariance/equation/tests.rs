//! Recovers equations from rows that were made to obey them.

use super::Equation;
use crate::{
    CovarianceSpec, Error, Label, LabelSweep, Random, Scaling, Shrinkage, Sweep, Table, Target,
};

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// The equations of each singular covariance of these classes.
fn found(spec: &CovarianceSpec, classes: &[Vec<Vec<f64>>]) -> Vec<Vec<Equation>> {
    let mut table = Table { dim: classes[0][0].len(), ..Table::default() };
    let mut codes = Vec::new();
    for (k, rows) in classes.iter().enumerate() {
        table.dictionary.push(Label::from(format!("class {k}")));
        table.values.extend(rows.iter().flatten());
        codes.extend(vec![k as u32; rows.len()]);
    }
    table.codes = Some(codes);
    let sweep = LabelSweep::new(spec.storage());
    let stat = sweep.block(&table.block(0..table.rows()).unwrap()).unwrap();
    match spec.estimate(stat.moments(), &spec.default_priors(), None) {
        Err(Error::Singular(all)) => all.covariances.into_iter().map(|one| one.equations).collect(),
        other => panic!("{other:?}"),
    }
}

fn texts(equations: &[Equation]) -> Vec<String> {
    let names = NAMES.map(String::from);
    equations.iter().map(|equation| equation.text(&names)).collect()
}

/// What is said of one class of rows made from pairs of independent normal numbers.
fn said(row: impl Fn(f64, f64) -> Vec<f64>) -> Vec<String> {
    texts(&found(&CovarianceSpec::qda(), &[rows(40, 1, row)])[0])
}

/// Whether each row obeys the equation, to this precision.
fn holds(equation: &Equation, rows: &[Vec<f64>], precision: f64) -> bool {
    rows.iter().all(|row| {
        let sum: f64 = equation.terms.iter().map(|(j, factor)| factor * row[*j]).sum();
        (row[equation.column] - sum - equation.constant.unwrap()).abs() < precision
    })
}

fn rows(n: usize, seed: u64, row: impl Fn(f64, f64) -> Vec<f64>) -> Vec<Vec<f64>> {
    let mut random = Random::new(seed, 0);
    (0..n).map(|_| random.normal_pair()).map(|(x, y)| row(x, y)).collect()
}

#[test]
fn constants_duplicates_and_scaled_copies_are_named() {
    assert_eq!(said(|x, y| vec![x, 0.1, y]), ["'b' is constant"]);
    assert_eq!(said(|x, y| vec![x, y, x]), ["'c' = 'a'"]);
    assert_eq!(said(|x, y| vec![x, y, -x]), ["'c' = -'a'"]);
    assert_eq!(said(|x, y| vec![x, y, 10.0 * x]), ["'c' = 10 × 'a'"]);
    assert_eq!(said(|x, y| vec![x, y, x / 3.0]), ["'c' = 'a' / 3"]);
    assert_eq!(said(|x, y| vec![x, y, x / 2.54]), ["'c' = 'a' / 2.54"]);
    assert_eq!(said(|x, y| vec![x, y, x / -1.5]), ["'c' = -2/3 × 'a'"]);
    let pi = std::f64::consts::PI;
    assert_eq!(said(|x, y| vec![x, y, pi * x]), ["'c' = 3.14159265 × 'a'"]);
    // Rows of centimetres with a decimal, as a table has them.
    let cm = |x: f64| (100.0 + 10.0 * x).round() / 10.0;
    assert_eq!(said(|x, _| vec![cm(x), 10.0 * cm(x)]), ["'b' = 10 × 'a'"]);
}

#[test]
fn affine_copies_sums_and_differences_are_named() {
    assert_eq!(said(|x, _| vec![x, 1.8 * x + 32.0]), ["'b' = 1.8 × 'a' + 32"]);
    assert_eq!(
        said(|x, _| vec![70.0 + x, (38.0 + x) / 1.8]),
        ["'b' = 5/9 × 'a' - 17.7777778"],
        "5/9 · 32 = 17.77…"
    );
    assert_eq!(said(|x, y| vec![x, y, x + y]), ["'c' = 'a' + 'b'"]);
    assert_eq!(said(|x, y| vec![x, 3.0 * y, x - 3.0 * y]), ["'c' = 'a' - 'b'"]);
    assert_eq!(said(|x, y| vec![x, y, 0.5 * y - x - 7.0]), ["'c' = -'a' + 0.5 × 'b' - 7"]);
    // A share far smaller than the sum: solved for the sum, not for the share.
    assert_eq!(said(|x, y| vec![x, x + 0.001 * y, 0.001 * y]), ["'b' = 'a' + 'c'"]);
}

#[test]
fn several_equations_are_kept_apart() {
    assert_eq!(said(|x, y| vec![x, y, x + y, 2.0 * x]), ["'c' = 'a' + 'b'", "'d' = 2 × 'a'"]);
    assert_eq!(
        said(|x, y| vec![x, 5.0, x + 1.0, y, x - y, 3.0 * y]),
        ["'b' is constant", "'c' = 'a' + 1", "'e' = 'a' - 'd'", "'f' = 3 × 'd'"]
    );
}

#[test]
fn units_may_be_as_far_apart_as_numbers_are() {
    let huge = |x: f64, y: f64| vec![1e-150 * x, y, 3e150 * x + 5e150];
    assert_eq!(said(huge), ["'c' = 3e300 × 'a' + 5e150"]);
    assert_eq!(said(|x, y| vec![1e150 * x, y, 1e-150 * x]), ["'c' = 1e-300 × 'a'"]);
    // Factors that are no numbers.
    let none = &found(&CovarianceSpec::qda(), &[rows(9, 1, |x, _| vec![1e200 * x, 1e-200 * x])])[0];
    assert_eq!(none[0], Equation { column: 1, terms: vec![(0, 0.0)], constant: None });
    assert_eq!(said(|x, y| vec![1e-200 * x, y, 1e200 * x]), ["'c' follows from 'a'"]);
    assert_eq!(said(|x, y| vec![1e200 * x, y, 1e-200 * x]), ["'c' follows from 'a'"]);
}

#[test]
fn constants_survive_offsets_and_rounding_is_none() {
    let whole = |x: f64| (1e9 + 1e3 * x).round();
    assert_eq!(said(|x, _| vec![whole(x), whole(x) + 5.0]), ["'b' = 'a' + 5"]);
    let wide = |x: f64| (1e9 * x).round();
    assert_eq!(said(|x, _| vec![wide(x), wide(x) + 5.0]), ["'b' = 'a' + 5"]);
    assert_eq!(said(|x, _| vec![1e9 + x, 2.0 * (1e9 + x)]), ["'b' = 2 × 'a'"]);
    assert_eq!(said(|x, _| vec![whole(x), whole(x) / 3.0]), ["'b' = 'a' / 3"]);
    let pi = std::f64::consts::PI;
    assert_eq!(said(|x, _| vec![whole(x), pi * whole(x)]), ["'b' = 3.14159265 × 'a'"]);
    assert_eq!(said(|x, _| vec![x, x + 1_234_567_890.0]), ["'b' = 'a' + 1234567890"]);
}

#[test]
fn numbers_are_the_ones_meant_to_the_last_digit() {
    for seed in 0..20 {
        let noise = |x: f64, y: f64| 0.1 * (x * y).sin() / 1e8;
        let made = rows(40, seed, |x, y| vec![x, y, 1.8 * x + 32.0, 0.7 * y + 3.0 + noise(x, y)]);
        let expected = [(2, (0, 1.8), 32.0), (3, (1, 0.7), 3.0)].map(|(column, term, constant)| {
            Equation { column, terms: vec![term], constant: Some(constant) }
        });
        assert_eq!(found(&CovarianceSpec::qda(), &[made])[0], expected, "{seed}");
        let wide = rows(40, seed, |x, _| vec![1e9 * x, 1e9 * x + 0.7]);
        let expected = Equation { column: 1, terms: vec![(0, 1.0)], constant: Some(0.7) };
        assert_eq!(found(&CovarianceSpec::qda(), &[wide])[0], [expected], "{seed}");
    }
}

#[test]
fn nearly_collinear_columns_are_equal_to_the_precision_seen() {
    let noisy = |noise: f64| {
        let last = move |x: f64, y: f64| 5.0 + x + noise * (x * y).sin();
        said(move |x, y| vec![5.0 + x, y, last(x, y), 2.0 * last(x, y) + 32.0])
    };
    for noise in [1e-11, 1e-9, 1e-8] {
        assert_eq!(noisy(noise), ["'c' = 'a'", "'d' = 2 × 'a' + 32"], "{noise}");
    }
    // Two columns that are nearly one make coefficients uncertain that change nothing together.
    let close = |x: f64, y: f64| vec![x, y, y + 1e-5 * (9.0 * x * y).sin(), 2.0 * x + y];
    let said = said(close);
    assert!(said == ["'d' = 2 × 'a' + 'b'"] || said == ["'d' = 2 × 'a' + 'c'"], "{said:?}");
    // A coefficient below that uncertainty is still no rounding.
    let small = rows(40, 1, |x, y| vec![x, y, y + 1e-5 * (9.0 * x * y).sin(), 2.0 * x + y / 1e3]);
    let found = &found(&CovarianceSpec::qda(), std::slice::from_ref(&small))[0];
    assert!(found.len() == 1 && holds(&found[0], &small, 1e-5), "{found:?}");
}

#[test]
fn rows_that_are_all_the_same_have_constant_columns() {
    let said = |n: usize| texts(&found(&CovarianceSpec::qda(), &[vec![vec![0.3, 7.0]; n]])[0]);
    assert_eq!(said(1), ["'a' is constant", "'b' is constant"]);
    let all = found(&CovarianceSpec::qda(), &[vec![vec![0.3, 7.0]; 9]]);
    let values: Vec<Option<f64>> = all[0].iter().map(|equation| equation.constant).collect();
    assert_eq!(values, [Some(0.3), Some(7.0)]);
}

#[test]
fn a_shared_covariance_has_constants_by_class() {
    let lda = CovarianceSpec::lda();
    let class = |seed: u64, add: f64| {
        rows(30, seed, |x, y| vec![x + 10.0 * add, y, 2.0 * (x + 10.0 * add) + add, add, 4.0])
    };
    assert_eq!(
        texts(&found(&lda, &[class(1, 1.0), class(2, 3.0)])[0]),
        [
            "'c' = 2 × 'a' + a constant per class",
            "'d' is constant within each class",
            "'e' is constant"
        ]
    );
    let same = [class(1, 1.0), class(2, 1.0), class(3, 1.0)];
    let said = ["'c' = 2 × 'a' + 1", "'d' is constant", "'e' is constant"];
    assert_eq!(texts(&found(&lda, &same)[0]), said);
    // Constants far below the spread are still told apart.
    let wide = |seed, add: f64| {
        rows(30, seed, move |x, _| vec![(1e9 * x).round(), (1e9 * x).round() + add])
    };
    let said = texts(&found(&lda, &[wide(1, 0.0), wide(2, 5.0)])[0]);
    assert_eq!(said, ["'b' = 'a' + a constant per class"]);
    assert_eq!(texts(&found(&lda, &[wide(1, 5.0), wide(2, 5.0)])[0]), ["'b' = 'a' + 5"]);
    let each = found(&CovarianceSpec::qda(), &[class(1, 1.0), class(2, 3.0)]);
    assert_eq!(each.len(), 2);
    assert_eq!(texts(&each[1]), ["'c' = 2 × 'a' + 3", "'d' is constant", "'e' is constant"]);
}

#[test]
fn shrinkage_scaling_and_shape_leave_the_rows_their_equations() {
    let class = |seed| rows(30, seed, |x, y| vec![x, 7.0 * y, 7.0 * y + 100.0 * x, 3.0]);
    let classes = [class(1), class(2)];
    let shared = Some(Shrinkage::fixed(0.5, Target::Shared));
    let standardized = Scaling::Standardized;
    for spec in [
        CovarianceSpec { scaling: standardized, ..CovarianceSpec::qda() },
        CovarianceSpec { shrinkage: shared, ..CovarianceSpec::qda() },
    ] {
        let said = texts(&found(&spec, &classes)[0]);
        assert_eq!(said, ["'c' = 100 × 'a' + 'b'", "'d' is constant"], "{spec:?}");
    }
    assert_eq!(texts(&found(&CovarianceSpec::naive_bayes(), &classes)[0]), ["'d' is constant"]);
}

#[test]
fn too_few_rows_obey_equations_of_many_terms() {
    let mut random = Random::new(4, 0);
    let few: Vec<Vec<f64>> =
        (0..4).map(|_| (0..6).map(|_| random.normal_pair().0).collect()).collect();
    let equations = &found(&CovarianceSpec::qda(), std::slice::from_ref(&few))[0];
    assert_eq!(equations.len(), 3, "rank 3 of 6");
    for equation in equations {
        assert_eq!(equation.terms.len(), 3);
        assert!(holds(equation, &few, 1e-5), "{equation:?}");
    }
}

#[test]
fn long_equations_break_off_and_unnamed_columns_have_numbers() {
    let terms = vec![(0, -1.0), (1, 2.0), (2, 1.0), (3, 1.0), (4, 0.1)];
    let equation = Equation { column: 5, terms, constant: Some(-1e-7) };
    assert_eq!(
        texts(std::slice::from_ref(&equation)),
        ["'f' = -'a' + 2 × 'b' + 'c' + multiples of 2 more columns - 1e-7"]
    );
    let short = Equation { terms: equation.terms[..4].to_vec(), constant: Some(0.0), ..equation };
    assert_eq!(
        short.text(&["a".into()]),
        "feature 6 = -'a' + 2 × feature 2 + feature 3 + feature 4"
    );
}
