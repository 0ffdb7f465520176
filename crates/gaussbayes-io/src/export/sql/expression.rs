//! Writes scores as SQL expressions: numbers that read back exactly, sums as balanced trees.

use gaussbayes::{Bell, Scoring, Term, Whitener};

/// Terms that stand beside each other; more are cut in halves, because the depth of expressions is limited.
const BESIDE: usize = 8;

/// Scores of rows of the table `d`.
pub(super) fn scores(scoring: &Scoring, features: &[String]) -> Vec<String> {
    match scoring {
        Scoring::Linear { centre, coefficients, constants, .. } => {
            let rows = coefficients.chunks_exact(centre.len()).zip(constants);
            rows.map(|(row, constant)| {
                let mut terms = vec![number(*constant)];
                terms.extend(products(row, centre, features));
                added(&terms)
            })
            .collect()
        }
        Scoring::Bells(bells) => bells.iter().map(|one| bell(one, features)).collect(),
        Scoring::Terms { constants, terms } => {
            let score = |(k, constant): (usize, &f64)| {
                let said = terms.iter().flat_map(|term| said(term, k, constants.len(), features));
                added(&std::iter::once(number(*constant)).chain(said).collect::<Vec<_>>())
            };
            constants.iter().enumerate().map(score).collect()
        }
    }
}

/// What all scores have in common, where they leave it out.
pub(super) fn common(scoring: &Scoring, features: &[String]) -> Option<String> {
    match scoring {
        Scoring::Linear { common: Some(common), .. } => Some(bell(common, features)),
        _ => None,
    }
}

/// w · (x − c) of each column that counts.
fn products<'a>(
    row: &'a [f64],
    centre: &'a [f64],
    features: &'a [String],
) -> impl Iterator<Item = String> + 'a {
    let columns = row.iter().zip(centre).zip(features).filter(|((w, _), _)| **w != 0.0);
    columns.map(|((w, c), name)| format!("{}*{}", number(*w), apart(name, *c)))
}

/// x − c.
fn apart(name: &str, centre: f64) -> String {
    format!("({})", minus(&column(name), centre))
}

/// Something less a number; two signs beside each other would begin a comment.
fn minus(value: &str, less: f64) -> String {
    match less {
        0.0 => format!("{value} - 0e0"),
        less if less < 0.0 => format!("{value} + {}", number(-less)),
        less => format!("{value} - {}", number(less)),
    }
}

fn bell(bell: &Bell, features: &[String]) -> String {
    let dim = features.len();
    let shift = |at: usize| bell.shift.get(at).copied().unwrap_or(0.0);
    let shifted = |at: usize, along: String| match shift(at) {
        0.0 => along,
        shift => minus(&along, shift),
    };
    let square = |z: &str| format!("POWER({z}, 2)");
    let squares: Vec<String> = match &bell.whitener {
        Whitener::Zero => return number(bell.constant),
        Whitener::Diagonal(factors) => {
            let columns = factors.iter().zip(&bell.centre).zip(features).enumerate();
            let z = |(j, ((w, c), name)): (usize, ((&f64, &f64), &String))| {
                square(&shifted(j, format!("{}*{}", number(*w), apart(name, *c))))
            };
            columns.map(z).collect()
        }
        Whitener::Matrix(matrix) => {
            let rows = matrix.chunks_exact(dim).enumerate();
            let z = |(i, row): (usize, &[f64])| {
                let along: Vec<String> = products(row, &bell.centre, features).collect();
                square(&shifted(i, added(&along)))
            };
            rows.map(z).collect()
        }
    };
    let distance = added(&squares);
    let half = |power: f64| number(-0.5 * power);
    match bell.power {
        None => format!("{} + {}*({distance})", number(bell.constant), half(1.0)),
        Some(power) => {
            format!("{} + {}*LN(1e0 + ({distance}))", number(bell.constant), half(power))
        }
    }
}

/// What columns say for class `k`; nothing where they are missing.
fn said(term: &Term, k: usize, classes: usize, features: &[String]) -> Vec<String> {
    let unless =
        |name: &str, said: &str| format!("CASE WHEN {} IS NULL THEN 0e0 {said} END", column(name));
    match term {
        Term::Number { column: j, bells } => {
            let name = std::slice::from_ref(&features[*j]);
            vec![unless(&features[*j], &format!("ELSE {}", bell(&bells[k], name)))]
        }
        Term::Flags { columns, above, yes, no } => {
            let flag = |(at, j): (usize, &usize)| {
                let (yes, no) = (yes[at * classes + k], no[at * classes + k]);
                // A truth value is no number in all dialects.
                let value = format!("CAST({} AS DOUBLE)", column(&features[*j]));
                let when = format!("WHEN {value} > {}", number(*above));
                unless(&features[*j], &format!("{when} THEN {} ELSE {}", number(yes), number(no)))
            };
            columns.iter().enumerate().map(flag).collect()
        }
        Term::Names { column: j, names, said, unseen } => {
            // A name may be that of a number, which never equals text.
            let name = match names {
                Some(_) => format!("CAST({} AS VARCHAR)", column(&features[*j])),
                None => column(&features[*j]),
            };
            let own = said.iter().skip(k).step_by(classes).enumerate();
            let is = |(at, said): (usize, &f64)| {
                let what = match names {
                    Some(names) => text(names[at].as_str()),
                    None => format!("{at}"),
                };
                format!("WHEN {name} = {what} THEN {}", number(*said))
            };
            let mut branches: Vec<String> = own.map(is).collect();
            if names.is_some() {
                // Tables read from text have empty cells where others have none.
                branches.insert(0, format!("WHEN {name} = '' THEN 0e0"));
            }
            let rest = unseen.as_ref().map_or("NULL".into(), |unseen| number(unseen[k]));
            branches.push(format!("ELSE {rest}"));
            vec![unless(&features[*j], &branches.join(" "))]
        }
        Term::Counts { columns, weights } => {
            let count = |(at, j): (usize, &usize)| {
                let weight = number(weights[at * classes + k]);
                format!("{weight}*COALESCE({}, 0)", column(&features[*j]))
            };
            columns.iter().enumerate().map(count).collect()
        }
    }
}

/// A sum, cut in halves until few terms are beside each other.
pub(super) fn added(terms: &[String]) -> String {
    if terms.len() <= BESIDE {
        return if terms.is_empty() { "0e0".into() } else { terms.join(" + ") };
    }
    let parts = terms.chunks(terms.len().div_ceil(BESIDE));
    let parts: Vec<String> = parts.map(|part| format!("({})", added(part))).collect();
    parts.join(" + ")
}

/// A number that reads back exactly; with an exponent, or some dialects would take it for a decimal.
pub(super) fn number(value: f64) -> String {
    format!("{value:e}")
}

/// A name, whatever it holds.
pub(super) fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Text, whatever it holds.
pub(super) fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A column of the table, which is named: a lone name in quotes that is no column would be text to SQLite.
fn column(name: &str) -> String {
    format!("d.{}", identifier(name))
}
