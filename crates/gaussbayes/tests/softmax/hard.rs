//! Asks for softmax regression where there is none, or nearly none.

use gaussbayes::{
    Error, On, Pool, Priors, Score, SoftmaxRefusal, SoftmaxSpec, Table, banana, softmax,
};

use crate::support::{faithful, iris, mapped, numbers_table, table};
use crate::{assert_near, drawn, fitted, shares};

fn separable(rows: &Table) -> (Vec<(String, String)>, bool) {
    match fitted(0.0, rows) {
        Err(Error::Softmax(SoftmaxRefusal::Separable { pairs, complete })) => (pairs, complete),
        other => panic!("{other:?}"),
    }
}

fn pair(a: &str, b: &str) -> (String, String) {
    (a.into(), b.into())
}

fn line(values: &[f64], labels: &str) -> Table {
    let rows: Vec<Vec<f64>> = values.iter().map(|x| vec![*x]).collect();
    let labels: Vec<String> = labels.chars().map(String::from).collect();
    table(&rows, &labels.iter().map(String::as_str).collect::<Vec<&str>>())
}

#[test]
fn separable_classes_are_named() {
    let rows = line(&[0.0, 1.0, 2.0, 3.0], "aabb");
    assert_eq!(separable(&rows), (vec![pair("a", "b")], true));
    let error = fitted(0.0, &rows).unwrap_err();
    assert!(error.to_string().starts_with("a plane separates 'a' from 'b'"), "{error}");
    assert!(error.hint().unwrap().contains("--penalty"));
    // With a penalty there is an answer, and the report says that it hangs on the penalty.
    let found = fitted(1e-6, &rows).unwrap();
    assert!(found.report.separable && found.report.converged, "{:?}", found.report);
    let (pairs, complete) = separable(&faithful(true));
    assert!(complete && pairs == [pair("long", "short")]);
}

#[test]
fn separable_but_for_rows_on_the_plane_is_separable() {
    // Albert & Anderson's quasi-complete separation: both classes at 1, else apart.
    let rows = line(&[0.0, 1.0, 1.0, 2.0], "aabb");
    assert_eq!(separable(&rows), (vec![pair("a", "b")], false));
    // In two columns: the first separates but for ties, in which the second overlaps.
    let values = [
        [0.0, 1.0],
        [0.0, 3.0],
        [1.0, 0.0],
        [1.0, 2.0],
        [1.0, 1.0],
        [1.0, 3.0],
        [2.0, 2.0],
        [2.0, 0.5],
    ];
    let rows: Vec<Vec<f64>> = values.iter().map(|row| row.to_vec()).collect();
    let rows = table(&rows, &["a", "a", "a", "a", "b", "b", "b", "b"]);
    assert_eq!(separable(&rows), (vec![pair("a", "b")], false));
}

#[test]
fn one_class_of_three_apart_is_separable() {
    // Setosa is apart, versicolor and virginica are not.
    let (pairs, complete) = separable(&iris());
    assert!(complete);
    assert_eq!(pairs, [pair("setosa", "versicolor"), pair("setosa", "virginica")]);
}

#[test]
fn few_rows_in_many_columns_are_refused() {
    let rows = drawn(2, 6, 6, 1);
    assert!(matches!(
        fitted(0.0, &rows),
        Err(Error::Softmax(SoftmaxRefusal::Separable { .. } | SoftmaxRefusal::Collinear(_)))
    ));
    assert!(fitted(1.0, &rows).unwrap().report.converged);
}

#[test]
fn an_overlap_by_a_hair_has_an_answer() {
    // One row on the wrong side by a millionth: what the others still gain is e^-slope, what it costs a millionth.
    let values = [0.0, 1.0, 2.0, 2.000_002, 2.000_001, 3.0, 4.0, 5.0];
    let rows = line(&values, "aaaabbbb");
    let found = fitted(0.0, &rows).unwrap();
    assert!(found.report.converged && !found.report.separable, "{:?}", found.report);
    let w = found.softmax.linear().coefficients;
    assert!((20.0..40.0).contains(&(w[1] - w[0])), "{w:?}");
    // The likelihood is highest where Σ P(b) and Σ x P(b) are those of the rows of b.
    let all = shares(&found.softmax, &rows);
    let shares = || all.iter().skip(1).step_by(2);
    assert_near(&[shares().sum()], &[4.0], 1e-13);
    let along: f64 = shares().zip(values).map(|(p, x)| p * x).sum();
    assert_near(&[along], &[14.000_001], 1e-13);
}

#[test]
fn a_far_pair_that_holds_itself_is_not_separable() {
    // Rows near the boundary say nothing of the second column; two rows far out hold its coefficient.
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut labels = Vec::new();
    for (x, label) in [(0.0, "a"), (1.0, "b"), (2.0, "a"), (3.0, "b"), (1.5, "a"), (1.7, "b")] {
        rows.push(vec![x, 0.0]);
        labels.push(label);
    }
    for (x, y) in [(40.0, 1.0), (36.0, -1.0)] {
        rows.push(vec![x, y]);
        labels.push("b");
    }
    let found = fitted(0.0, &table(&rows, &labels)).unwrap();
    assert!(found.report.converged, "{:?}", found.report);
    let w = found.softmax.linear().coefficients;
    // Both far rows have the same log-odds where the second coefficient is -2 of the first.
    assert_near(&[w[3]], &[-2.0 * w[2]], 1e-6);
}

#[test]
fn columns_that_follow_from_others_are_refused_without_a_penalty() {
    let rows = banana(100, 2);
    let sum = |row: &[f64]| vec![row[0], row[1], row[0] + row[1]];
    let wide = Table {
        dim: 3,
        values: rows.values.chunks_exact(2).flat_map(sum).collect(),
        ..rows.clone()
    };
    let error = fitted(0.0, &wide).unwrap_err();
    let Error::Softmax(SoftmaxRefusal::Collinear(deficient)) = &error else { panic!("{error:?}") };
    assert_eq!((deficient.rank, deficient.dim), (2, 3));
    let names = ["x", "y", "z"].map(String::from);
    let text = error.named(&[], &names).to_string();
    assert!(text.contains("z = x + y") || text.contains("'z' = 'x' + 'y'"), "{text}");
    // A penalty shares the weight out: the limit of small penalties has the least coefficients.
    let (few, many) = (fitted(1e-6, &rows).unwrap(), fitted(1e-6, &wide).unwrap());
    assert_near(&shares(&few.softmax, &rows), &shares(&many.softmax, &wide), 1e-6);
    let w = many.softmax.linear().coefficients;
    assert_near(&[w[5]], &[w[3] + w[4]], 1e-6);
}

#[test]
fn a_constant_column_counts_for_nothing() {
    let rows = banana(100, 2);
    let flat = |row: &[f64]| vec![row[0], 1e9, row[1]];
    let wide = Table {
        dim: 3,
        values: rows.values.chunks_exact(2).flat_map(flat).collect(),
        ..rows.clone()
    };
    for penalty in [0.0, 1.0] {
        let found = fitted(penalty, &wide).unwrap();
        assert_eq!(found.report.constant, [1]);
        let w = found.softmax.linear().coefficients;
        assert_eq!((w[1], w[4]), (0.0, 0.0));
        let plain = fitted(penalty, &rows).unwrap();
        assert_near(&shares(&found.softmax, &wide), &shares(&plain.softmax, &rows), 1e-12);
        assert_eq!(found.report.parameters, plain.report.parameters);
    }
    // Columns that are all constant leave the shares of the classes.
    let nothing = mapped(&rows, |_, _| 3.0);
    let found = fitted(0.0, &nothing).unwrap();
    assert!(found.report.converged);
    assert_near(&shares(&found.softmax, &nothing)[..2], &[0.5, 0.5], 1e-15);
}

#[test]
fn what_cannot_be_asked_is_refused_by_name() {
    let rows = iris();
    for penalty in [-1.0, f64::NAN, f64::INFINITY] {
        let error = fitted(penalty, &rows).unwrap_err();
        assert!(matches!(error, Error::Softmax(SoftmaxRefusal::Penalty { .. })), "{error:?}");
    }
    assert!(matches!(
        fitted(1.0, &line(&[0.0, 1.0], "aa")),
        Err(Error::OneClass { class }) if class == "a"
    ));
    assert!(matches!(fitted(1.0, &numbers_table(1, &[0.0, 1.0])), Err(Error::NoLabel { row: 0 })));
    let pool = Pool::new(1).unwrap();
    let spec = SoftmaxSpec { tolerance: -1.0, ..SoftmaxSpec::default() };
    let error = softmax(&spec, &mut rows.source(), On::pool(&pool)).unwrap_err();
    assert!(matches!(error, Error::BadTolerance { .. }));
    let wide = |seed: u64| (0..9000).map(|j| ((j * j + seed) % 17) as f64).collect::<Vec<f64>>();
    let error = fitted(1.0, &table(&[wide(1), wide(5)], &["a", "b"])).unwrap_err();
    assert!(matches!(error, Error::Softmax(SoftmaxRefusal::TooLarge { .. })), "{error:?}");
}

#[test]
fn too_few_steps_are_said() {
    let rows = iris();
    let pool = Pool::new(1).unwrap();
    let spec = SoftmaxSpec { max_iterations: 2, ..SoftmaxSpec::default() };
    let found = softmax(&spec, &mut rows.source(), On::pool(&pool)).unwrap();
    assert!(!found.report.converged && found.report.iterations == 2);
    assert!(found.report.gap > 1e-6);
}

#[test]
fn rows_at_the_edge_of_numbers_have_answers() {
    let found = fitted(1.0, &iris()).unwrap().softmax;
    let mut far = Vec::new();
    for size in [1e20, 1e150, 1e300, f64::MAX] {
        far.extend([size, 0.0, 0.0, 0.0, -size, size, size, -size]);
    }
    let far = numbers_table(4, &far);
    let scores = found.scores(&far.block(0..far.rows()).unwrap()).unwrap();
    assert!(scores.relative.iter().chain(&scores.common).all(|score| score.is_finite()));
    let all = shares(&found, &far);
    assert!(all.iter().all(|share| share.is_finite()));
    // Along a ray the decision is that of the direction.
    for k in 0..3 {
        assert_near(&[all[6 + k], all[12 + k], all[18 + k]], &[all[k]; 3], 1e-12);
    }
}

#[test]
fn units_do_not_matter_without_a_penalty() {
    let rows = banana(300, 4);
    let plain = fitted(0.0, &rows).unwrap();
    let scaled = mapped(&rows, |j, x| if j == 0 { x * 1e150 } else { x * 1e-150 });
    let found = fitted(0.0, &scaled).unwrap();
    assert!(found.report.converged);
    assert_near(&shares(&found.softmax, &scaled), &shares(&plain.softmax, &rows), 1e-11);
}

#[test]
fn other_priors_move_intercepts() {
    let rows = iris();
    let found = fitted(1.0, &rows).unwrap().softmax;
    let moved = found.clone().with_priors(&Priors::Given(vec![0.5, 0.3, 0.2])).unwrap();
    let (before, after) = (shares(&found, &rows), shares(&moved, &rows));
    for (before, after) in before.chunks_exact(3).zip(after.chunks_exact(3)) {
        let parts: Vec<f64> = before.iter().zip([1.5, 0.9, 0.6]).map(|(p, r)| p * r).collect();
        let sum: f64 = parts.iter().sum();
        let right: Vec<f64> = parts.iter().map(|p| p / sum).collect();
        assert_near(after, &right, 1e-12);
    }
    assert_eq!(moved.with_priors(&Priors::Uniform).unwrap().priors(), [1.0 / 3.0; 3]);
}
