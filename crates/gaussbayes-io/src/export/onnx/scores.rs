//! Writes scores of rows as operators: linear ones, and bells.

use gaussbayes::{Bell, Recipe, Scoring, Term, Whitener};

use super::graph::{Attribute, DOUBLE, Graph, Name, STRING};
use super::{Precision, Scored, by_class, most, terms};

/// Reads rows and scores them.
pub(super) fn scored(graph: &mut Graph, recipe: &Recipe, precision: Precision) -> Scored {
    let dim = recipe.features.len();
    match &recipe.scoring {
        Scoring::Linear { centre, coefficients, constants, common } => {
            let rows = rows(graph, recipe, precision);
            let origin = graph.doubles(&[dim], centre);
            let apart = graph.op("Sub", &[&rows, &origin]);
            let classes = constants.len();
            let column = |j: usize| (0..classes).map(move |k| coefficients[k * dim + j]);
            let turned: Vec<f64> = (0..dim).flat_map(column).collect();
            let weights = graph.doubles(&[dim, classes], &turned);
            let along = graph.op("MatMul", &[&apart, &weights]);
            let constants = graph.doubles(&[classes], constants);
            let scores = graph.op("Add", &[&along, &constants]);
            let common = common.as_ref().map(|bell| bells(graph, &rows, &[bell]));
            by_class(graph, recipe, &scores, common)
        }
        Scoring::Bells(all) => {
            let rows = rows(graph, recipe, precision);
            let scores = bells(graph, &rows, &all.iter().collect::<Vec<_>>());
            by_class(graph, recipe, &scores, None)
        }
        Scoring::Terms { constants, terms } => {
            let names = |term: &Term| match term {
                Term::Names { column, names: Some(_), .. } => Some(*column),
                _ => None,
            };
            let texts: Vec<usize> = terms.iter().filter_map(names).collect();
            let columns = columns(graph, recipe, precision, &texts);
            let scores = terms::scores(graph, recipe, &columns, constants, terms);
            by_class(graph, recipe, &scores, None)
        }
    }
}

/// The columns of rows: numbers together, names each for itself.
pub(super) struct Columns {
    /// All numbers, in double precision.
    pub(super) numbers: Option<Name>,
    /// Where each column is among the numbers, or what it is called.
    pub(super) places: Vec<Result<i64, Name>>,
}

/// One table where all columns are numbers, otherwise an input for each column.
fn columns(graph: &mut Graph, recipe: &Recipe, precision: Precision, texts: &[usize]) -> Columns {
    let dim = recipe.features.len();
    if texts.is_empty() {
        let numbers = Some(input(graph, "X", precision, dim));
        return Columns { numbers, places: (0..dim as i64).map(Ok).collect() };
    }
    let (mut numbers, mut places) = (Vec::new(), Vec::new());
    for (j, name) in recipe.features.iter().enumerate() {
        if texts.contains(&j) {
            graph.input(name, STRING, 1);
            places.push(Err(name.clone()));
        } else {
            places.push(Ok(numbers.len() as i64));
            numbers.push(input(graph, name, precision, 1));
        }
    }
    let inputs: Vec<&Name> = numbers.iter().collect();
    let axis = [("axis", Attribute::Int(1))];
    let numbers = (!numbers.is_empty()).then(|| graph.with("Concat", &inputs, &axis));
    Columns { numbers, places }
}

/// A table of numbers that is given, in double precision.
fn input(graph: &mut Graph, name: &str, precision: Precision, columns: usize) -> Name {
    graph.input(name, precision.kind(), columns);
    let name = name.to_owned();
    match precision {
        Precision::Double => name,
        Precision::Float => graph.with("Cast", &[&name], &[("to", Attribute::Int(DOUBLE))]),
    }
}

/// Rows of numbers, those beyond reach drawn in along their ray.
fn rows(graph: &mut Graph, recipe: &Recipe, precision: Precision) -> Name {
    let dim = recipe.features.len();
    let given = input(graph, "X", precision, dim);
    let reach = graph.doubles(&[dim], &recipe.reach);
    let share = graph.op("Div", &[&given, &reach]);
    let size = graph.op("Abs", &[&share]);
    let farthest = most(graph, &size, 1);
    let one = graph.double(1.0);
    let beyond = graph.op("Max", &[&farthest, &one]);
    graph.op("Div", &[&given, &beyond])
}

/// Scores of bells, one column each.
fn bells(graph: &mut Graph, rows: &Name, bells: &[&Bell]) -> Name {
    let (count, dim) = (bells.len(), bells[0].centre.len());
    let axis = graph.whole(&[0]);
    let rows = graph.op("Unsqueeze", &[rows, &axis]);
    let centres: Vec<f64> = bells.iter().flat_map(|bell| bell.centre.clone()).collect();
    let centres = graph.doubles(&[count, 1, dim], &centres);
    let apart = graph.op("Sub", &[&rows, &centres]);
    let (mut white, rank) = whitened(graph, &apart, bells);
    if bells.iter().any(|bell| !bell.shift.is_empty()) {
        let padded = |bell: &&Bell| {
            let mut shift = bell.shift.clone();
            shift.resize(rank, 0.0);
            shift
        };
        let shifts: Vec<f64> = bells.iter().flat_map(padded).collect();
        let shifts = graph.doubles(&[count, 1, rank], &shifts);
        white = graph.op("Sub", &[&white, &shifts]);
    }
    let axes = [("axes", Attribute::Ints(&[2])), ("keepdims", Attribute::Int(0))];
    let distances = graph.with("ReduceSumSquare", &[&white], &axes);
    let perm = [("perm", Attribute::Ints(&[1, 0]))];
    let distances = graph.with("Transpose", &[&distances], &perm);
    let bent = bent(graph, distances, bells);
    let half = graph.double(-0.5);
    let bent = graph.op("Mul", &[&bent, &half]);
    let constants: Vec<f64> = bells.iter().map(|bell| bell.constant).collect();
    let constants = graph.doubles(&[count], &constants);
    graph.op("Add", &[&bent, &constants])
}

/// Whitened rows, component by component, and how many coordinates they have.
fn whitened(graph: &mut Graph, apart: &Name, bells: &[&Bell]) -> (Name, usize) {
    let dim = bells[0].centre.len();
    let shared = bells.iter().all(|bell| bell.whitener == bells[0].whitener);
    let own = if shared { &bells[..1] } else { bells };
    if own.iter().all(|bell| !matches!(bell.whitener, Whitener::Matrix(_))) {
        let factors = |bell: &&Bell| match &bell.whitener {
            Whitener::Diagonal(factors) => factors.clone(),
            _ => vec![0.0; dim],
        };
        let factors: Vec<f64> = own.iter().flat_map(factors).collect();
        let factors = graph.doubles(&[own.len(), 1, dim], &factors);
        return (graph.op("Mul", &[apart, &factors]), dim);
    }
    let rank = |bell: &&Bell| match &bell.whitener {
        Whitener::Matrix(matrix) => matrix.len() / dim,
        Whitener::Diagonal(_) => dim,
        Whitener::Zero => 1,
    };
    let rank = own.iter().map(rank).max().unwrap_or(1);
    let turned = |bell: &&Bell| {
        let mut columns = vec![0.0; dim * rank];
        match &bell.whitener {
            Whitener::Matrix(matrix) => {
                for (i, row) in matrix.chunks_exact(dim).enumerate() {
                    row.iter().enumerate().for_each(|(j, w)| columns[j * rank + i] = *w);
                }
            }
            Whitener::Diagonal(factors) => {
                factors.iter().enumerate().for_each(|(j, w)| columns[j * rank + j] = *w);
            }
            Whitener::Zero => {}
        }
        columns
    };
    let matrices: Vec<f64> = own.iter().flat_map(turned).collect();
    let matrices = graph.doubles(&[own.len(), dim, rank], &matrices);
    (graph.op("MatMul", &[apart, &matrices]), rank)
}

/// power · ln(1 + q) where a bell has a power, q itself elsewhere.
fn bent(graph: &mut Graph, distances: Name, bells: &[&Bell]) -> Name {
    if bells.iter().all(|bell| bell.power.is_none()) {
        return distances;
    }
    let powers: Vec<f64> = bells.iter().map(|bell| bell.power.unwrap_or(0.0)).collect();
    let powers = graph.doubles(&[bells.len()], &powers);
    let one = graph.double(1.0);
    // ln(1 + q) = ln w · q/(w − 1) with w = 1 + q as rounded: no digit of a small q is lost.
    let more = graph.op("Add", &[&distances, &one]);
    let log = graph.op("Log", &[&more]);
    let less = graph.op("Sub", &[&more, &one]);
    let none = graph.op("Equal", &[&more, &one]);
    let divisor = graph.op("Where", &[&none, &one, &less]);
    let share = graph.op("Div", &[&distances, &divisor]);
    let exact = graph.op("Mul", &[&log, &share]);
    let logs = graph.op("Where", &[&none, &distances, &exact]);
    let heavy = graph.op("Mul", &[&logs, &powers]);
    let zero = graph.double(0.0);
    let plain = graph.op("Equal", &[&powers, &zero]);
    graph.op("Where", &[&plain, &distances, &heavy])
}
