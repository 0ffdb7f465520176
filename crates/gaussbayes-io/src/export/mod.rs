//! Writes models for other programs: ONNX, SQL, plain JSON \[M88\].

mod json;
mod onnx;
mod protobuf;
mod sql;

use gaussbayes::Recipe;

pub use json::{reads_back, to_json};
pub use onnx::{Precision, to_onnx};
pub use sql::to_sql;

/// What actions and classes are called in an exported file.
#[derive(Debug, Clone, PartialEq)]
pub struct Naming {
    /// The label of each action.
    pub labels: Labels,
    /// The columns of probabilities: their names, and the classes of the recipe that they are of; none is 0.
    pub columns: Vec<(String, Option<usize>)>,
}

/// Labels, all of one type.
#[derive(Debug, Clone, PartialEq)]
pub enum Labels {
    /// Text.
    Text(Vec<String>),
    /// Whole numbers.
    Whole(Vec<i64>),
}

impl Naming {
    /// The names that the classes have, in their order.
    pub fn of(recipe: &Recipe) -> Self {
        let name = |action: &gaussbayes::Action| match action {
            gaussbayes::Action::Class(k) => recipe.classes[*k].to_string(),
            gaussbayes::Action::Reject => gaussbayes::Action::REJECT.to_owned(),
        };
        let labels = Labels::Text(recipe.decision.actions.iter().map(name).collect());
        let column = |(k, class): (usize, &gaussbayes::Label)| (class.to_string(), Some(k));
        Self { labels, columns: recipe.classes.iter().enumerate().map(column).collect() }
    }
}

/// A name that no feature has.
fn free_name(name: &str, features: &[String]) -> String {
    let mut name = name.to_owned();
    while features.contains(&name) {
        name.push('_');
    }
    name
}
