//! Asks a classifier about rows, and holds its answers to laws.

use std::borrow::Cow;

use gaussbayes::{Block, Classifier, Cut as _, Field, Label, Rows, Source as _};
use gaussbayes_io::{ColumnType, Naming, Precision, Types, to_json, to_onnx, to_sql, words_of};

/// Rows as columns of these types have them: zeros, ones, gaps, and numbers as large as there are.
pub fn rows(types: &Types, dim: usize) -> Option<Block<'static>> {
    let kinds = match types {
        Types::Given(kinds) => kinds.clone(),
        Types::Plain | Types::Recognised(_) => Vec::new(),
    };
    let gap = if kinds.is_empty() { -1e300 } else { f64::NAN };
    let cells = [0.0, 1.0, gap, f64::MAX, 0.5, -f64::MAX, 5e-324];
    let names = || ["a", "b", "x y"].map(Label::from).to_vec();
    let names_of = |kind: Option<&ColumnType>| match kind {
        Some(ColumnType::Category) => [0.0, 1.0, gap, 2.0, 0.0, 1.0, 2.0],
        Some(ColumnType::Text) => [0.0; 7],
        Some(ColumnType::Flag) => [0.0, 1.0, gap, 1.0, 0.0, 0.0, 1.0],
        Some(ColumnType::Count) => [0.0, 1.0, gap, 1e300, 0.5, 7.0, 5e-324],
        Some(ColumnType::Number) | None => cells,
    };
    let count = cells.len();
    let values: Vec<f64> = (0..count)
        .flat_map(|i| (0..dim).map(move |j| (i, j)))
        .map(|(i, j)| names_of(kinds.get(j))[(i + j) % count])
        .collect();
    let rows = Rows::new(values, dim).ok()?;
    if kinds.is_empty() {
        return Block::new(0, rows, None, None).ok();
    }
    let field = |kind: &ColumnType| match kind {
        ColumnType::Category => Some(Field::Category(Cow::Owned(names()))),
        ColumnType::Text => words_of(["a b", "", "b b x", "x", "a", "y", "a"].into_iter()).ok(),
        _ => Some(Field::Number),
    };
    Block::typed(0, rows, kinds.iter().map(field).collect::<Option<_>>()?, None, None).ok()
}

/// Predicts, exports and samples; probabilities are never NaN, and sum to one.
pub fn ask(classifier: &Classifier, types: &Types) {
    let Some(rows) = rows(types, classifier.features().len()) else { return };
    if let Ok(found) = classifier.predict(&rows) {
        for i in 0..rows.rows().count() {
            let sum: f64 = found.posterior.probs(i).sum();
            assert!((sum - 1.0).abs() < 1e-6, "row {i}: probabilities sum to {sum}");
            let entropy = found.posterior.entropy(i);
            assert!(!entropy.is_nan(), "row {i}: entropy {entropy}");
            assert!(!found.posterior.log_evidence(i).is_nan(), "row {i}: log evidence is NaN");
            // Every action has its name.
            let _ = classifier.action_label(found.actions[i]);
        }
        let actions = classifier.actions(&rows).ok();
        assert_eq!(actions.as_ref(), Some(&found.actions), "actions alone");
    }
    if let Ok(distances) = classifier.distances_sq(&rows) {
        assert!(distances.iter().all(|d| !d.is_nan() && *d >= 0.0), "{distances:?}");
    }
    let _ = to_json(classifier);
    if let Ok(recipe) = classifier.recipe() {
        let naming = Naming::of(&recipe);
        let _ = (to_sql(&recipe, &naming, "t"), to_onnx(&recipe, &naming, Precision::Double));
    }
    if let Ok(mut drawn) = classifier.sample(3, 1)
        && let Ok(Some(cut)) = drawn.next(3)
    {
        // Rows of a hostile model may lie beyond all numbers; that is refused.
        let _ = cut.decode();
    }
}
