//! Chooses how the chances of a rule's actions are computed.

use super::rule::Seen;
use super::sums::Found;
use super::{Chance, intervals, lattice, orthants, pairs, rays, refused};
use crate::boundary::Contest;
use crate::decide::Loss;
use crate::error::{Error, RiskRefusal};
use crate::sweep::On;
use crate::tolerance::{LATTICE_ABSOLUTE, LATTICE_RELATIVE};

/// How chances are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// One action is best everywhere.
    Certain,
    /// Normal tails: two classes with one covariance.
    Normal,
    /// Normal tails of the stretches of one dimension.
    Intervals,
    /// The distribution of a quadratic form of normal numbers.
    Form,
    /// Bivariate normal orthants: three classes with one covariance.
    Orthants,
    /// An integral along rays in two dimensions.
    Rays,
    /// Random lattices of directions, with the exact chance along each.
    Lattice,
    /// Counts of simulated rows.
    Simulation,
}

impl Method {
    /// All methods, from the most exact to the least.
    pub const ALL: [Self; 8] = [
        Self::Certain,
        Self::Normal,
        Self::Intervals,
        Self::Form,
        Self::Orthants,
        Self::Rays,
        Self::Lattice,
        Self::Simulation,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Normal => "normal",
            Self::Intervals => "intervals",
            Self::Form => "form",
            Self::Orthants => "orthants",
            Self::Rays => "rays",
            Self::Lattice => "lattice",
            Self::Simulation => "simulation",
        }
    }

    /// The method of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Whether its numbers have intervals of 99.9 % instead of rounding.
    pub fn is_estimate(self) -> bool {
        matches!(self, Self::Lattice | Self::Simulation)
    }

    /// A sentence that says how the numbers are known.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Certain => "Exact: one action is best everywhere.",
            Self::Normal => "Exact: normal tails, two classes of one covariance.",
            Self::Intervals => "Exact: normal tails of the intervals in which each action is best.",
            Self::Form => "Exact: the distribution of a quadratic form of normal numbers.",
            Self::Orthants => "Exact: bivariate normal orthants, three classes of one covariance.",
            Self::Rays => "Exact to quadrature: an integral along rays in two dimensions.",
            Self::Lattice => {
                "Estimate with 99.9 % intervals: exact along each of many directions of random lattices."
            }
            Self::Simulation => "Estimate with 99.9 % intervals: counts of simulated rows.",
        }
    }
}

/// How chances are to be computed.
#[derive(Debug, Clone, PartialEq)]
pub struct RiskOptions {
    /// The method; none for the most exact that applies.
    pub method: Option<Method>,
    /// What estimates draw their random numbers from.
    pub seed: u64,
    /// Most directions of a lattice per class.
    pub directions: u64,
    /// Error of the total, relative and absolute, at which no larger lattice is tried: one suffices.
    pub relative: f64,
    /// See `relative`.
    pub absolute: f64,
    /// Simulated rows per class.
    pub draws: u64,
}

impl Default for RiskOptions {
    fn default() -> Self {
        Self {
            method: None,
            seed: 0,
            directions: 1 << 16,
            relative: LATTICE_RELATIVE,
            absolute: LATTICE_ABSOLUTE,
            draws: 100_000,
        }
    }
}

/// Computes all rows of the confusion matrix but simulated ones.
pub(super) fn compute(
    contest: &Contest,
    seen: &[Seen],
    loss: &Loss,
    weights: &[f64],
    how: &RiskOptions,
    on: On<'_>,
) -> Result<Found, Error> {
    let all = |rows: Vec<Vec<Chance>>, method: Method, columns: usize| {
        Ok(Found::exact(rows, method, columns))
    };
    let dim = |seen: &[Seen]| seen.iter().map(|seen| seen.dim).max().unwrap_or(0);
    let linear = seen.iter().all(|seen| seen.linear);
    let relevant = contest.relevant();
    let reduced: Vec<Seen> =
        if linear { seen.iter().map(Seen::reduced).collect() } else { seen.to_vec() };
    let (full, least) = (dim(seen), dim(&reduced));
    let certain = contest.certain();
    let method = how.method.unwrap_or(match (least, relevant.len()) {
        _ if certain.is_some() => Method::Certain,
        (0 | 1, 2) if linear => Method::Normal,
        (0 | 1, _) => Method::Intervals,
        (_, 2) => Method::Form,
        _ if orthants::apply(contest, &reduced) => Method::Orthants,
        (2, _) if reduced.iter().all(|seen| seen.dim == 2) => Method::Rays,
        _ => Method::Lattice,
    });
    let no = |why| refused(RiskRefusal::NotForModel { method: method.name(), why });
    match method {
        Method::Certain => {
            let Some(best) = certain else { return no("no action is best everywhere") };
            let value = |a: usize| if a == best { 1.0 } else { 0.0 };
            let row = (0..contest.actions()).map(|a| Chance { value: value(a), error: 0.0 });
            all(vec![row.collect(); seen.len()], method, 0)
        }
        Method::Normal if !(linear && relevant.len() == 2) => {
            no("it takes two classes of one covariance")
        }
        Method::Normal | Method::Intervals => {
            if least > 1 {
                return no("the decision depends on more than one direction");
            }
            all(
                reduced.iter().map(|seen| intervals::chances(contest, seen)).collect(),
                method,
                least,
            )
        }
        Method::Form => {
            let [i, j] = relevant[..] else { return no("it takes two classes") };
            let rows = seen.iter().map(|seen| pairs::chances(contest, seen, i, j));
            all(rows.collect::<Result<_, Error>>()?, method, full)
        }
        Method::Orthants => {
            if !orthants::apply(contest, &reduced) {
                return no("it takes three classes of one covariance, and nothing else to say");
            }
            all(reduced.iter().map(|seen| orthants::chances(contest, seen)).collect(), method, 2)
        }
        Method::Rays => {
            // In two columns the rays go there, projected or not.
            let seen = if full == 2 { seen } else { &reduced };
            if seen.iter().any(|seen| seen.dim != 2) {
                return no("it takes a decision in two dimensions");
            }
            all(seen.iter().map(|seen| rays::chances(contest, seen)).collect(), method, 2)
        }
        Method::Lattice => {
            // Asked for by name it is a check of the others, projection included.
            let seen = if how.method.is_none() { &reduced } else { seen };
            let total = |found: &Found| {
                let row = |i: usize| found.cost(i, |a| loss.cost(i, a));
                let rows: Vec<Chance> = (0..found.rows.len()).map(row).collect();
                found.mean(weights, &rows)
            };
            lattice::estimate(contest, seen, how, on, total)
        }
        Method::Simulation => no("it is not computed"),
    }
}
