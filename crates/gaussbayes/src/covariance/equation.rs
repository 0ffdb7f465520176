//! Finds the linear equations that rows with a singular covariance obey, and says them in words.

mod echelon;
mod short;
#[cfg(test)]
mod tests;

use crate::error::{feature_name, number};
use crate::moments::{Frame, ldexp, lower_index};
use crate::tolerance::{CONSTANT_DEVIATION, READABLE_TERMS, SEEN_FACTOR, SPARE_DIGITS};
use short::Short;

/// What all rows of a class obey: `column = Σ factor · other + constant`.
#[derive(Debug, Clone, PartialEq)]
pub struct Equation {
    /// The column on the left, counted from 0.
    pub column: usize,
    /// The columns on the right with their factors; none for a constant column. A factor that
    /// leaves the range of numbers is 0 or infinite.
    pub terms: Vec<(usize, f64)>,
    /// What is added (the value of a constant column); `None` where it differs by class.
    pub constant: Option<f64>,
}

/// Columns on the right that are all written out; of more, one less than these.
const LISTED: usize = 4;

/// Significant digits of numbers that are not short.
const DIGITS: usize = 9;

impl Equation {
    /// The equation in words; columns without a name are called by their number ("feature 3").
    ///
    /// ```
    /// let equation =
    ///     gaussbayes::Equation { column: 1, terms: vec![(0, 1.8)], constant: Some(32.0) };
    /// assert_eq!(equation.text(&["c".into(), "f".into()]), "'f' = 1.8 × 'c' + 32");
    /// ```
    pub fn text(&self, names: &[String]) -> String {
        let name = |j: usize| feature_name(names, j);
        let left = name(self.column);
        if self.terms.is_empty() {
            let reach = if self.constant.is_none() { " within each class" } else { "" };
            return format!("{left} is constant{reach}");
        }
        let listed = if self.terms.len() > LISTED { LISTED - 1 } else { LISTED };
        let more = self.terms.len().saturating_sub(listed);
        if self.terms.iter().any(|(_, factor)| *factor == 0.0 || !factor.is_finite()) {
            let mut from: Vec<String> =
                self.terms.iter().take(listed).map(|(j, _)| name(*j)).collect();
            if more > 0 {
                from.push(format!("{more} more columns"));
            }
            return format!("{left} follows from {}", from.join(" and "));
        }
        let mut right = String::new();
        let mut add = |negative: bool, what: &str| {
            right += match (right.is_empty(), negative) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            right += what;
        };
        for &(j, factor) in self.terms.iter().take(listed) {
            add(factor < 0.0, &product(factor.abs(), &name(j)));
        }
        if more > 0 {
            add(false, &format!("multiples of {more} more columns"));
        }
        match self.constant {
            None => add(false, "a constant per class"),
            Some(0.0) => {}
            Some(constant) => add(constant < 0.0, &readable(constant.abs())),
        }
        format!("{left} = {right}")
    }
}

/// A positive factor times a name, as people write it.
fn product(factor: f64, name: &str) -> String {
    match Short::near(factor, 0.0).map(|short| (short.over, short.under)) {
        Some((1.0, 1.0)) => name.to_owned(),
        Some((over, 1.0)) => format!("{} × {name}", number(over)),
        Some((1.0, under)) => format!("{name} / {}", number(under)),
        Some((over, under)) => format!("{}/{} × {name}", number(over), number(under)),
        None => format!("{} × {name}", readable(factor)),
    }
}

fn readable(x: f64) -> String {
    number(short::rounded(x, DIGITS))
}

/// What is known of rows whose covariance is singular.
#[derive(Debug)]
pub(super) struct Evidence<'a> {
    /// Lower triangle of the correlations, row by row; empty where they play no part.
    pub(super) correlation: &'a [f64],
    /// Columns without spread.
    pub(super) constant: &'a [usize],
    /// Eigenvalue of the correlations up to which a direction counts as absent.
    pub(super) floor: f64,
    /// Standard deviations in the frame.
    pub(super) deviations: &'a [f64],
    /// The mean of each class behind the covariance, in the frame.
    pub(super) means: &'a [Vec<f64>],
    pub(super) frame: &'a Frame,
}

/// The equations that the rows obey, by the column on the left: constant columns, and later columns
/// as sums of earlier ones. Rows that are too few obey some, too, of as many terms as the rank.
///
/// A vector v of correlations without spread says Σ v_j (x_j − m_j)/σ_j = 0. It is known to
/// floor/gap, the error of an eigenvector. As much as √floor more may be changed in it: rows that
/// obey the equation but for noise of that size have the same rank \[M8\].
pub(super) fn equations(evidence: &Evidence<'_>) -> Vec<Equation> {
    let constant = |&j: &usize| Equation {
        column: j,
        terms: Vec::new(),
        constant: evidence.constant(j, &[], Precision { exact: 0.0, seen: 0.0 }),
    };
    let mut all: Vec<Equation> = evidence.constant.iter().map(constant).collect();
    let varying: Vec<usize> =
        (0..evidence.deviations.len()).filter(|j| !evidence.constant.contains(j)).collect();
    if let Some(null) = evidence
        .varying_correlation(&varying)
        .and_then(|correlation| echelon::null_space(&correlation, varying.len(), evidence.floor))
    {
        let (exact, seen) = (evidence.floor / null.gap, evidence.floor.sqrt());
        for (row, pivot) in null.rows.iter().zip(null.pivots) {
            let others = varying.iter().zip(row).filter(|(j, _)| **j != varying[pivot]);
            let others: Vec<(usize, f64)> = others.map(|(j, v)| (*j, *v)).collect();
            all.push(evidence.equation(varying[pivot], &others, Precision { exact, seen }));
        }
    }
    all.sort_by_key(|equation| equation.column);
    all
}

/// How far a coefficient may be off, on the scale of correlations.
#[derive(Debug, Clone, Copy)]
struct Precision {
    /// By the rounding of an eigenvector.
    exact: f64,
    /// By noise that the rank test does not see.
    seen: f64,
}

/// One column on the right of an equation.
struct Term {
    column: usize,
    factor: f64,
    /// The coefficient on the scale of correlations that belongs to the factor.
    coefficient: f64,
    is_short: bool,
}

impl Evidence<'_> {
    fn varying_correlation(&self, varying: &[usize]) -> Option<Vec<f64>> {
        let pairs = varying
            .iter()
            .enumerate()
            .flat_map(|(n, &i)| varying[..=n].iter().map(move |&j| (i, j)));
        pairs.map(|(i, j)| self.correlation.get(lower_index(i, j)).copied()).collect()
    }

    /// The equation x_p/σ_p + Σ v_j x_j/σ_j = const, without what is only rounding.
    fn equation(&self, p: usize, others: &[(usize, f64)], precision: Precision) -> Equation {
        let Precision { exact, seen } = precision;
        // An ill-conditioned rest leaves coefficients that are far off but change nothing together.
        let wide = self.shortened(p, others, exact.max(seen), Precision { exact, seen });
        let narrow = || self.shortened(p, others, seen, Precision { exact: exact.min(seen), seen });
        let terms = wide.or_else(narrow).unwrap_or_else(|| self.terms(p, others, seen));
        let in_range = terms.iter().all(|term| term.factor != 0.0 && term.factor.is_finite());
        let constant = if in_range { self.constant(p, &terms, precision) } else { None };
        let terms = terms.iter().map(|term| (term.column, term.factor)).collect();
        Equation { column: p, terms, constant }
    }

    /// Terms as they were found, but for coefficients up to `dropped`.
    fn terms(&self, p: usize, others: &[(usize, f64)], dropped: f64) -> Vec<Term> {
        let exponent = self.frame.exponent();
        let kept = others.iter().filter(|(_, v)| v.abs() > dropped);
        kept.map(|&(column, coefficient)| {
            let ratio = -coefficient * self.deviations[p] / self.deviations[column];
            let factor = ldexp(ratio, exponent[p] - exponent[column]);
            Term { column, factor, coefficient, is_short: false }
        })
        .collect()
    }

    /// Few terms with factors of few digits, if rows obey them as well as those that were found.
    fn shortened(
        &self,
        p: usize,
        others: &[(usize, f64)],
        dropped: f64,
        Precision { exact, seen }: Precision,
    ) -> Option<Vec<Term>> {
        let mut terms = self.terms(p, others, dropped);
        if terms.len() > READABLE_TERMS {
            return None;
        }
        for term in &mut terms {
            let size = term.coefficient.abs();
            let tight = exact / size + CONSTANT_DEVIATION;
            let wide = (seen / size).min(SEEN_FACTOR);
            let short = Short::near(term.factor, tight).or_else(|| Short::near(term.factor, wide));
            if let Some(value) = short.map(Short::value) {
                term.coefficient *= value / term.factor;
                term.factor = value;
                term.is_short = true;
            }
        }
        let whole: Vec<(usize, f64)> = terms
            .iter()
            .map(|term| (term.column, term.coefficient))
            .chain(std::iter::once((p, 1.0)))
            .collect();
        let norm_sq: f64 = whole.iter().map(|(_, v)| v * v).sum();
        // Twice the deviation that is none: once for the vector found, once for its change.
        (self.variance(&whole) <= 4.0 * self.floor * norm_sq).then_some(terms)
    }

    /// The variance of Σ v_j x_j/σ_j.
    fn variance(&self, vector: &[(usize, f64)]) -> f64 {
        let correlation = |i: usize, j: usize| self.correlation[lower_index(i.max(j), i.min(j))];
        let row = |&(i, v): &(usize, f64)| -> f64 {
            v * vector.iter().map(|&(j, w)| w * correlation(i, j)).sum::<f64>()
        };
        vector.iter().map(row).sum()
    }

    /// x_p − Σ factor · x_j, which is the same for all rows of a class; `None` unless for all rows.
    fn constant(&self, p: usize, terms: &[Term], precision: Precision) -> Option<f64> {
        let mut found = self.means.iter().map(|mean| self.constant_of(p, terms, precision, mean));
        let (first, within) = found.next()??;
        for other in found {
            let (value, more) = other?;
            if (value - first).abs() > within + more {
                return None;
            }
        }
        Some(first)
    }

    /// The constant of one class and how far it may be off; `None` beyond the range of numbers.
    fn constant_of(
        &self,
        p: usize,
        terms: &[Term],
        Precision { exact, seen }: Precision,
        mean: &[f64],
    ) -> Option<(f64, f64)> {
        let raw = |j: usize, u: f64| ldexp(u, self.frame.exponent()[j]);
        let origin = self.frame.origin();
        // What rounding was relative to: the value, the mean's way to it, the spread about it.
        let size = |j: usize| {
            let moved = ldexp(1.0, self.frame.shift()[j]);
            origin[j].abs() + raw(j, mean[j].abs() + self.deviations[j]) + moved
        };
        let deviation = raw(p, self.deviations[p]);
        let mut value = self.frame.raw_value(p, mean[p]);
        let (mut rounding, mut levers) = (size(p), 0.0);
        for term in terms {
            let j = term.column;
            value -= term.factor * self.frame.raw_value(j, mean[j]);
            rounding += term.factor.abs() * size(j);
            if !term.is_short {
                let framed = ldexp(origin[j], -self.frame.exponent()[j]) + mean[j];
                levers += (framed / self.deviations[j]).abs();
            }
        }
        let tight = CONSTANT_DEVIATION * rounding + exact.min(seen) * deviation * levers;
        let wide = tight.max(seen * deviation * (1.0 + levers));
        if !value.is_finite() || !wide.is_finite() {
            return None;
        }
        if value.abs() <= tight {
            return Some((0.0, tight));
        }
        let short = short::decimal(value, tight);
        if value.abs() <= wide {
            // Noise has as many digits as its precision allows; what a person added has fewer.
            let spare = (value.abs() / tight).log10() - SPARE_DIGITS;
            let believed = short.filter(|(_, digits)| *digits as f64 <= spare);
            return Some(believed.map_or((0.0, wide), |(short, _)| (short, tight)));
        }
        if let Some((short, _)) = short {
            return Some((short, tight));
        }
        let near = short::decimal(value, wide.min(SEEN_FACTOR * value.abs()));
        Some((near.map_or(value, |(short, _)| short), wide))
    }
}
