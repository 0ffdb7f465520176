//! Explains covariances that have no inverse, and what would help.

use std::fmt;

use super::number;
use crate::Label;
use crate::covariance::{Equation, Remedy};

/// Things that a message lists before it breaks off.
const LISTED: usize = 4;

/// Remedies that an advice lists.
const OFFERED: usize = 3;

/// Covariances that have no inverse, and what would help with the same rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Singularity {
    /// Each covariance without an inverse.
    pub covariances: Vec<Deficient>,
    /// What was tried on the same rows and works, the best first.
    pub remedies: Vec<Remedy>,
}

/// One covariance without an inverse, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Deficient {
    /// Component, counted from 0; `None` for the covariance that all share.
    pub component: Option<usize>,
    /// Name of the class, once it is known.
    pub class: Option<String>,
    /// Directions with spread.
    pub rank: usize,
    /// Directions in all.
    pub dim: usize,
    /// Summed weight of the rows behind it; 0 where no rows are known.
    pub weight: f64,
    /// Means that were estimated from these rows: each takes a direction.
    pub means: usize,
    /// What its rows obey; nothing where no rows are known.
    pub equations: Vec<Equation>,
    /// Names of the columns, once they are known.
    pub features: Vec<String>,
}

impl Deficient {
    /// The covariance that all share, of which nothing is known but its rank.
    pub(crate) fn of_rank(rank: usize, dim: usize) -> Self {
        Self {
            component: None,
            class: None,
            rank,
            dim,
            weight: 0.0,
            means: 0,
            equations: Vec::new(),
            features: Vec::new(),
        }
    }

    /// The most directions that so few rows can have, where that is what limits the rank.
    fn limit(&self) -> Option<f64> {
        // Weights that are no counts limit nothing.
        let most = self.weight - self.means as f64;
        (self.rank as f64 == most && self.rank < self.dim).then_some(most)
    }

    /// The equations that say something of the columns, not of the number of rows.
    pub fn telling(&self) -> impl Iterator<Item = &Equation> {
        let most = match (self.limit(), self.rank) {
            (None, _) => Some(usize::MAX),
            // Few rows obey many equations by chance, but seldom is a column constant by chance.
            (Some(_), 1..) => Some(0),
            (Some(_), 0) => None,
        };
        let tells =
            move |equation: &&Equation| most.is_some_and(|most| equation.terms.len() <= most);
        self.equations.iter().filter(tells)
    }

    /// Features without any spread, counted from 0.
    pub fn constant(&self) -> Vec<usize> {
        let constant = self.equations.iter().filter(|equation| equation.terms.is_empty());
        constant.map(|equation| equation.column).collect()
    }

    fn name(&self) -> String {
        match (&self.class, self.component) {
            (Some(class), _) => format!("'{class}'"),
            (None, Some(k)) => format!("component {}", k + 1),
            (None, None) => "all classes together".into(),
        }
    }

    /// Rank and reason, without whose covariance it is.
    pub(super) fn reason(&self) -> String {
        let mut reasons: Vec<String> =
            self.telling().take(LISTED).map(|equation| equation.text(&self.features)).collect();
        let told = self.telling().count();
        if told > reasons.len() {
            reasons.push(format!("and {} more", told - reasons.len()));
        }
        if let Some(most) = self.limit().filter(|_| self.rank + told < self.dim) {
            let rows = if self.weight == 1.0 { "row spans" } else { "rows span" };
            let most = match number(most).as_str() {
                "0" => "no direction".to_owned(),
                "1" => "one direction".to_owned(),
                many => format!("at most {many} directions"),
            };
            reasons.push(format!("{} {rows} {most}", number(self.weight)));
        }
        let rank = format!("rank {} of {}", self.rank, self.dim);
        if reasons.is_empty() { rank } else { format!("{rank}: {}", reasons.join(", ")) }
    }
}

impl fmt::Display for Singularity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "singular covariance: ")?;
        // Classes that fail for the same reason are named together.
        let mut groups: Vec<(String, Vec<&Deficient>)> = Vec::new();
        for one in &self.covariances {
            let reason = one.reason();
            match groups.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, whose)) => whose.push(one),
                None => groups.push((reason, vec![one])),
            }
        }
        let more = groups.len().saturating_sub(LISTED);
        let parts: Vec<String> = groups.iter().take(LISTED).map(group).collect();
        write!(f, "{}", parts.join("; "))?;
        if more > 0 { write!(f, "; and {more} more") } else { Ok(()) }
    }
}

fn group((reason, whose): &(String, Vec<&Deficient>)) -> String {
    let named = whose.iter().all(|one| one.class.is_some());
    match whose.as_slice() {
        [one] => {
            let class = if named { "class " } else { "" };
            format!("that of {class}{} has {reason}", one.name())
        }
        many => {
            let class = if named { "classes " } else { "" };
            let mut names: Vec<String> = many.iter().take(LISTED).map(|one| one.name()).collect();
            if many.len() > LISTED {
                names.push(format!("{} more", many.len() - LISTED));
            }
            let last = names.pop().unwrap_or_default();
            format!("those of {class}{} and {last} have {reason}", names.join(", "))
        }
    }
}

impl Singularity {
    /// The best remedies in the words of `text`, which is told the names of the columns.
    pub fn advice(&self, text: impl Fn(&Remedy, &[String]) -> String) -> Option<String> {
        let features = self.covariances.first().map_or(&[][..], |one| &one.features);
        let offered = self.remedies.iter().take(OFFERED);
        let words: Vec<String> = offered.map(|remedy| text(remedy, features)).collect();
        if words.is_empty() { None } else { Some(words.join(", or ")) }
    }

    pub(super) fn put_names(&mut self, classes: &[Label], features: &[String]) {
        for one in &mut self.covariances {
            one.class = one.component.and_then(|k| classes.get(k)).map(ToString::to_string);
            one.features = features.to_vec();
        }
    }
}
