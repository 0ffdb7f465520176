//! Writes a recipe as an ONNX model, in double precision from the first operator to the last.

mod graph;
mod scores;
mod terms;

use gaussbayes::{Choice, Recipe};

use super::protobuf::Message;
use super::{Labels, Naming, free_name};
use graph::{Attribute, DOUBLE, FLOAT, Graph, INT64, LEARNS, Name, STRING};

/// The precision of the rows and probabilities of an ONNX model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// 32 bits: rows are rounded before the model sees them.
    Float,
    /// 64 bits.
    Double,
}

impl Precision {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Double, Self::Float];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    fn kind(self) -> i64 {
        match self {
            Self::Float => FLOAT,
            Self::Double => DOUBLE,
        }
    }
}

/// The versions of ONNX that runtimes of the last years read: of the file, of its operators, and of
/// those of machine learning.
const VERSIONS: (i64, i64, i64) = (8, 13, 2);

/// The bytes of an ONNX model: rows `X` in (by column, where some hold names), `label` and `probabilities` out.
pub fn to_onnx(recipe: &Recipe, naming: &Naming, precision: Precision) -> Vec<u8> {
    let mut graph = Graph::default();
    let scored = scores::scored(&mut graph, recipe, precision);
    let kind = precision.kind();
    let answer = |name: &str| free_name(name, &recipe.features);
    let (label_name, shares_name) = (answer("label"), answer("probabilities"));
    let probabilities = posterior(&mut graph, &scored, naming, recipe.classes.len());
    graph.named("Cast", &[&probabilities], &[("to", Attribute::Int(kind))], &shares_name);
    let action = action(&mut graph, recipe, &scored);
    let label_kind = label(&mut graph, naming, &action, &scored, &label_name);
    graph.output(&label_name, label_kind, None);
    graph.output(&shares_name, kind, Some(naming.columns.len()));
    let import = |domain: &str, version: i64| Message::default().text(1, domain).int(2, version);
    let (file, operators, learning) = VERSIONS;
    let texts = |texts: Vec<&str>| serde_json::Value::from(texts).to_string();
    let columns = naming.columns.iter().map(|(name, _)| name.as_str()).collect();
    let features = recipe.features.iter().map(String::as_str).collect();
    let notes = [
        ("model", recipe.model.to_owned()),
        ("classes", texts(columns)),
        ("features", texts(features)),
    ];
    let learns = graph.learns;
    let model = Message::default()
        .int(1, file)
        .text(2, "gaussbayes")
        .text(3, env!("CARGO_PKG_VERSION"))
        .message(7, &graph.into_message())
        .message(8, &import("", operators));
    let model = if learns { model.message(8, &import(LEARNS, learning)) } else { model };
    let model = model.each(notes, |model, (key, value)| {
        model.message(14, &Message::default().text(1, key).text(2, &value))
    });
    model.into_bytes()
}

/// What is known of rows once they are scored.
struct Scored {
    /// Scores of the classes relative to the largest.
    relative: Name,
    /// Their exponentials.
    shares: Name,
    /// The sum of these, as a column.
    total: Name,
    /// ln p(x) as a column, where somebody asks for it.
    evidence: Option<Name>,
}

/// Scores of classes from those of components.
fn by_class(graph: &mut Graph, recipe: &Recipe, scores: &Name, common: Option<Name>) -> Scored {
    let top = most(graph, scores, 1);
    let mut relative = graph.op("Sub", &[scores, &top]);
    let mut shares = graph.op("Exp", &[&relative]);
    if !recipe.is_one_each() {
        let (owners, classes) = (recipe.owner.len(), recipe.classes.len());
        let mut owned = vec![0.0; owners * classes];
        recipe.owner.iter().enumerate().for_each(|(k, class)| owned[k * classes + class] = 1.0);
        let owned = graph.doubles(&[owners, classes], &owned);
        shares = graph.op("MatMul", &[&shares, &owned]);
        let logs = graph.op("Log", &[&shares]);
        let least = graph.double(Recipe::LEAST);
        relative = graph.op("Max", &[&logs, &least]);
    }
    let total = sum(graph, &shares, 1);
    let evidence = recipe.decision.outliers.map(|_| {
        let log = graph.op("Log", &[&total]);
        let log = graph.op("Add", &[&log, &top]);
        common.map_or(log.clone(), |common| graph.op("Add", &[&log, &common]))
    });
    Scored { relative, shares, total, evidence }
}

/// Probabilities in the order of the columns that were asked for.
fn posterior(graph: &mut Graph, scored: &Scored, naming: &Naming, classes: usize) -> Name {
    let mut probabilities = graph.op("Div", &[&scored.shares, &scored.total]);
    let places: Vec<i64> =
        naming.columns.iter().map(|(_, class)| class.unwrap_or(classes) as i64).collect();
    if places.iter().copied().eq(0..classes as i64) {
        return probabilities;
    }
    if places.contains(&(classes as i64)) {
        // A column of zeros behind the others.
        let none = graph.op("Sub", &[&scored.total, &scored.total]);
        let axis = [("axis", Attribute::Int(1))];
        probabilities = graph.with("Concat", &[&probabilities, &none], &axis);
    }
    let places = graph.whole(&places);
    graph.with("Gather", &[&probabilities, &places], &[("axis", Attribute::Int(1))])
}

/// The number of the action that is taken.
fn action(graph: &mut Graph, recipe: &Recipe, scored: &Scored) -> Name {
    let flat = |axis| [("axis", Attribute::Int(axis)), ("keepdims", Attribute::Int(0))];
    let best = match &recipe.decision.choice {
        Choice::Gain(gains) => {
            let gains = graph.doubles(&[gains.len()], gains);
            let worth = graph.op("Add", &[&scored.relative, &gains]);
            graph.with("ArgMax", &[&worth], &flat(1))
        }
        Choice::Cost { actions, log_costs, .. } => {
            // In logarithms: what is small decides between actions that cost nothing else.
            let costs = graph.doubles(&[log_costs.len() / actions, *actions], log_costs);
            let axis = graph.whole(&[2]);
            let scores = graph.op("Unsqueeze", &[&scored.relative, &axis]);
            let terms = graph.op("Add", &[&scores, &costs]);
            let top = most(graph, &terms, 1);
            let apart = graph.op("Sub", &[&terms, &top]);
            let shares = graph.op("Exp", &[&apart]);
            let total = sum(graph, &shares, 1);
            let log = graph.op("Log", &[&total]);
            let risks = graph.op("Add", &[&log, &top]);
            let best = graph.with("ArgMin", &[&risks], &flat(2));
            let column = graph.whole(&[-1]);
            graph.op("Reshape", &[&best, &column])
        }
    };
    let (Some((level, reject)), Some(evidence)) = (recipe.decision.outliers, &scored.evidence)
    else {
        return best;
    };
    let level = graph.double(level);
    let out = graph.op("Less", &[evidence, &level]);
    let column = graph.whole(&[-1]);
    let out = graph.op("Reshape", &[&out, &column]);
    let reject = graph.whole(&[reject as i64]);
    graph.op("Where", &[&out, &reject, &best])
}

/// The label of the action; empty text for a row that has no score.
fn label(graph: &mut Graph, naming: &Naming, action: &Name, scored: &Scored, name: &str) -> i64 {
    match &naming.labels {
        Labels::Whole(labels) => {
            let labels = graph.whole(labels);
            graph.named("Gather", &[&labels, action], &[], name);
            INT64
        }
        Labels::Text(labels) => {
            let labels = graph.texts(labels);
            let said = graph.op("Gather", &[&labels, action]);
            let lost = graph.op("IsNaN", &[&scored.total]);
            let column = graph.whole(&[-1]);
            let lost = graph.op("Reshape", &[&lost, &column]);
            let nothing = graph.texts(&[String::new()]);
            graph.named("Where", &[&lost, &nothing, &said], &[], name);
            STRING
        }
    }
}

/// The largest along an axis, which stays.
fn most(graph: &mut Graph, values: &Name, axis: i64) -> Name {
    let axes = [("axes", Attribute::Ints(&[axis])), ("keepdims", Attribute::Int(1))];
    graph.with("ReduceMax", &[values], &axes)
}

/// The sum along an axis, which stays.
fn sum(graph: &mut Graph, values: &Name, axis: i64) -> Name {
    let axis = graph.whole(&[axis]);
    graph.with("ReduceSum", &[values, &axis], &[("keepdims", Attribute::Int(1))])
}
