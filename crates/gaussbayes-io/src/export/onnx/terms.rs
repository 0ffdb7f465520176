//! Writes what single columns say as operators: numbers, flags, names and counts.

use gaussbayes::{Bell, Label, Recipe, Term, Whitener};

use super::graph::{Attribute, Graph, INT64, Name};
use super::scores::Columns;

/// The scores of a product: what is known before a row, and what each column says.
pub(super) fn scores(
    graph: &mut Graph,
    recipe: &Recipe,
    columns: &Columns,
    constants: &[f64],
    terms: &[Term],
) -> Name {
    let classes = constants.len();
    let mut scores = graph.doubles(&[1, classes], constants);
    let mut numbers = Vec::new();
    for term in terms {
        let said = match term {
            Term::Number { column, bells } => {
                numbers.push((*column, bells));
                continue;
            }
            Term::Flags { columns: own, above, yes, no } => {
                flags(graph, columns, own, *above, (yes, no), classes)
            }
            Term::Names { column, names, said, unseen } => {
                let mut table = said.clone();
                // Behind the names: what is neither, and what is missing.
                table.extend(unseen.clone().unwrap_or_else(|| vec![f64::NAN; classes]));
                table.extend(vec![0.0; classes]);
                let count = said.len() / classes;
                let place = match (names, &columns.places[*column]) {
                    (Some(names), Err(input)) => encoded(graph, input, names),
                    (_, place) => coded(graph, columns, place.clone().unwrap_or(0), count),
                };
                let table = graph.doubles(&[count + 2, classes], &table);
                graph.op("Gather", &[&table, &place])
            }
            Term::Counts { columns: own, weights } => {
                let (values, missing) = picked(graph, columns, own);
                let zero = graph.double(0.0);
                let counts = graph.op("Where", &[&missing, &zero, &values]);
                let weights = graph.doubles(&[own.len(), classes], weights);
                graph.op("MatMul", &[&counts, &weights])
            }
        };
        scores = graph.op("Add", &[&scores, &said]);
    }
    if terms.is_empty() {
        // Columns that say nothing: as many rows as there are.
        let all = columns.numbers.clone().unwrap_or_default();
        let lost = graph.op("IsNaN", &[&all]);
        let zero = graph.double(0.0);
        let nothing = graph.op("Where", &[&lost, &zero, &zero]);
        let nothing = super::most(graph, &nothing, 1);
        scores = graph.op("Add", &[&scores, &nothing]);
    }
    if !numbers.is_empty() {
        let said = bells(graph, recipe, columns, &numbers);
        scores = graph.op("Add", &[&scores, &said]);
    }
    scores
}

/// Some columns of numbers, and where they are missing.
fn picked(graph: &mut Graph, columns: &Columns, own: &[usize]) -> (Name, Name) {
    let places: Vec<i64> = own.iter().filter_map(|j| columns.places[*j].clone().ok()).collect();
    let places = graph.whole(&places);
    let all = columns.numbers.clone().unwrap_or_default();
    let values = graph.with("Gather", &[&all, &places], &[("axis", Attribute::Int(1))]);
    let missing = graph.op("IsNaN", &[&values]);
    (values, missing)
}

/// The same with an axis for the classes between rows and columns.
fn spread(graph: &mut Graph, columns: &Columns, own: &[usize]) -> (Name, Name) {
    let (values, missing) = picked(graph, columns, own);
    let axis = graph.whole(&[1]);
    let values = graph.op("Unsqueeze", &[&values, &axis]);
    (values, graph.op("Unsqueeze", &[&missing, &axis]))
}

/// The sum over columns of what is not missing.
fn total(graph: &mut Graph, said: &Name, missing: &Name) -> Name {
    let zero = graph.double(0.0);
    let said = graph.op("Where", &[missing, &zero, said]);
    let axis = graph.whole(&[2]);
    graph.with("ReduceSum", &[&said, &axis], &[("keepdims", Attribute::Int(0))])
}

/// Entries by column and class, with the classes first.
fn turned(values: &[f64], classes: usize) -> Vec<f64> {
    (0..classes).flat_map(|k| values.iter().skip(k).step_by(classes).copied()).collect()
}

fn flags(
    graph: &mut Graph,
    columns: &Columns,
    own: &[usize],
    above: f64,
    (yes, no): (&[f64], &[f64]),
    classes: usize,
) -> Name {
    let (values, missing) = spread(graph, columns, own);
    let above = graph.double(above);
    let up = graph.op("Greater", &[&values, &above]);
    let yes = graph.doubles(&[classes, own.len()], &turned(yes, classes));
    let no = graph.doubles(&[classes, own.len()], &turned(no, classes));
    let said = graph.op("Where", &[&up, &yes, &no]);
    total(graph, &said, &missing)
}

/// The place of each name in its table; behind the names that of all others, and of empty text.
fn encoded(graph: &mut Graph, input: &Name, names: &[Label]) -> Name {
    let count = names.len() as i64;
    let keys: Vec<String> = names.iter().map(ToString::to_string).chain([String::new()]).collect();
    let values: Vec<i64> = (0..count).chain([count + 1]).collect();
    let attributes = [
        ("keys_strings", Attribute::Texts(&keys)),
        ("values_int64s", Attribute::Ints(&values)),
        ("default_int64", Attribute::Int(count)),
    ];
    let places = graph.with("LabelEncoder", &[input], &attributes);
    let column = graph.whole(&[-1]);
    graph.op("Reshape", &[&places, &column])
}

/// The place of each whole number in its table.
fn coded(graph: &mut Graph, columns: &Columns, place: i64, count: usize) -> Name {
    let place = graph.whole(&[place]);
    let all = columns.numbers.clone().unwrap_or_default();
    let values = graph.with("Gather", &[&all, &place], &[("axis", Attribute::Int(1))]);
    let column = graph.whole(&[-1]);
    let values = graph.op("Reshape", &[&values, &column]);
    let missing = graph.op("IsNaN", &[&values]);
    let (end, zero, none) =
        (graph.double(count as f64), graph.double(0.0), graph.double(count as f64 + 1.0));
    let known = graph.op("Less", &[&values, &end]);
    let negative = graph.op("Less", &[&values, &zero]);
    let values = graph.op("Where", &[&known, &values, &end]);
    let values = graph.op("Where", &[&negative, &end, &values]);
    let values = graph.op("Where", &[&missing, &none, &values]);
    graph.with("Cast", &[&values], &[("to", Attribute::Int(INT64))])
}

/// Bells of single columns, all columns at once.
fn bells(
    graph: &mut Graph,
    recipe: &Recipe,
    columns: &Columns,
    numbers: &[(usize, &Vec<Bell>)],
) -> Name {
    let own: Vec<usize> = numbers.iter().map(|(column, _)| *column).collect();
    let (values, missing) = spread(graph, columns, &own);
    let reach: Vec<f64> = own.iter().map(|j| recipe.reach[*j]).collect();
    let far = graph.doubles(&[own.len()], &reach);
    let low = graph.op("Neg", &[&far]);
    let values = graph.op("Min", &[&values, &far]);
    let values = graph.op("Max", &[&values, &low]);
    let classes = numbers[0].1.len();
    let mut table = |read: &dyn Fn(&Bell) -> f64| {
        let all: Vec<f64> = (0..classes)
            .flat_map(|k| numbers.iter().map(move |(_, bells)| &bells[k]))
            .map(read)
            .collect();
        graph.doubles(&[classes, own.len()], &all)
    };
    let factor = |bell: &Bell| match &bell.whitener {
        Whitener::Diagonal(all) | Whitener::Matrix(all) => all[0],
        Whitener::Zero => 0.0,
    };
    let (centres, factors) = (table(&|bell| bell.centre[0]), table(&factor));
    let shifts = table(&|bell| bell.shift.first().copied().unwrap_or(0.0));
    let constants = table(&|bell| bell.constant);
    let apart = graph.op("Sub", &[&values, &centres]);
    let white = graph.op("Mul", &[&apart, &factors]);
    let white = graph.op("Sub", &[&white, &shifts]);
    let square = graph.op("Mul", &[&white, &white]);
    let half = graph.double(-0.5);
    let bent = graph.op("Mul", &[&square, &half]);
    let said = graph.op("Add", &[&bent, &constants]);
    total(graph, &said, &missing)
}
