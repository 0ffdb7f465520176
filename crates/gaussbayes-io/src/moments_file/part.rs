//! Knows the parts that moments were made of: each by its number or its rows, none twice.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use gaussbayes::{On, Source};

use super::fingerprint::{Fingerprint, Marked};
use super::refusal::MomentsRefusal;
use crate::model::Kept;

/// The most parts that can be numbered.
pub const PARTS_MAX: u32 = 1_000_000;

/// Rows that were summed up in one go.
#[derive(Debug, Clone, PartialEq)]
pub struct MomentsPart {
    /// Its number from 1, and how many parts there are; none where parts are not numbered.
    pub number: Option<(u32, u32)>,
    /// What the rows were called.
    pub name: Option<String>,
    /// Rows, those of weight 0 included.
    pub rows: u64,
    /// Their weight.
    pub weight: f64,
    /// What they are known by.
    pub fingerprint: Fingerprint,
}

impl MomentsPart {
    /// Sums the rows of a source up, as `nothing` says: sums alone, and the part that they are.
    ///
    /// # Errors
    /// What the source or the sweep refuses; [`gaussbayes::Error::NoRows`] where no row has a positive weight.
    pub fn of<S: Source>(
        mut nothing: Kept,
        source: &mut S,
        on: On<'_>,
    ) -> Result<(Kept, Self), S::Error> {
        let mut marked = Marked::new(source);
        match &mut nothing {
            Kept::Gaussian(training) => training.add(&mut marked, on)?,
            Kept::Product(training) => training.add(&mut marked, on)?,
        }
        let (rows, fingerprint) = marked.found();
        let sums = nothing.closed()?;
        let weight = sums.weight()?;
        Ok((sums, Self { number: None, name: None, rows, weight, fingerprint }))
    }

    /// What it is called in messages.
    pub fn named(&self) -> String {
        let rows = format!("{} row{}", self.rows, if self.rows == 1 { "" } else { "s" });
        match (&self.number, &self.name) {
            (Some((number, of)), _) => format!("part {number}/{of} ({rows})"),
            (None, Some(name)) => format!("the part of {name} ({rows})"),
            (None, None) => format!("a part ({rows})"),
        }
    }

    /// Parts are kept, and files merged, in this order.
    pub(super) fn key(&self) -> (Option<(u32, u32)>, Fingerprint) {
        (self.number, self.fingerprint)
    }
}

/// The parts of several files, and the file of each.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    numbers: HashMap<u32, String>,
    prints: HashMap<Fingerprint, String>,
    /// A file, and how many parts there are in all, where that was said.
    first: Option<(String, Option<u32>)>,
}

impl Ledger {
    /// Enters the part of a file.
    ///
    /// # Errors
    /// A part that is entered already, and numbers that do not belong together.
    pub(super) fn enter(&mut self, part: &MomentsPart, file: &str) -> Result<(), MomentsRefusal> {
        let of = part.number.map(|(_, of)| of);
        let (first, known) = self.first.get_or_insert_with(|| (file.into(), of)).clone();
        match (of, known) {
            (Some(of), Some(other_of)) if of != other_of => {
                let file = file.into();
                return Err(MomentsRefusal::OtherCount { file, of, other: first, other_of });
            }
            (Some(_), None) => {
                return Err(MomentsRefusal::SomeNumbered { numbered: file.into(), other: first });
            }
            (None, Some(_)) => {
                return Err(MomentsRefusal::SomeNumbered { numbered: first, other: file.into() });
            }
            _ => {}
        }
        if let Some(number) = part.number
            && let Some(other) = self.numbers.insert(number.0, file.into())
        {
            return Err(MomentsRefusal::SameNumber { number, file: other, other: file.into() });
        }
        if let Some(other) = self.prints.insert(part.fingerprint, file.into()) {
            let part = part.clone().into();
            return Err(MomentsRefusal::SamePart { part, file: other, other: file.into() });
        }
        Ok(())
    }
}

/// Numbers that no part has, in runs, and how many parts there are; none where parts are not numbered.
pub(super) fn missing(parts: &[MomentsPart]) -> Option<(Vec<RangeInclusive<u32>>, u32)> {
    let of = parts.first()?.number?.1;
    let mut numbers: Vec<u32> = parts.iter().filter_map(|part| Some(part.number?.0)).collect();
    numbers.sort_unstable();
    let (mut runs, mut next) = (Vec::new(), 1);
    for number in numbers.into_iter().chain([of + 1]) {
        if next < number {
            runs.push(next..=number - 1);
        }
        next = number + 1;
    }
    Some((runs, of))
}
