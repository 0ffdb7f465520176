//! Lays the mixtures that were tried out as a table: a row per family, a column per number.

use gaussbayes::{Cell, Criterion, Entry, Family, Search};
use serde_json::{Value, json};

use super::refusal::words;
use crate::text::wrapped;

/// Reasons that a legend lists.
const REASONS: usize = 5;

/// The table with a legend of its marks.
pub(super) fn text(search: &Search) -> String {
    let criterion = search.criterion();
    let (mut families, mut numbers): (Vec<Family>, Vec<usize>) = (Vec::new(), Vec::new());
    for Entry { cell: Cell { components, family }, .. } in search.entries() {
        if !families.contains(family) {
            families.push(*family);
        }
        if !numbers.contains(components) {
            numbers.push(*components);
        }
    }
    let squares = search.entries().iter().any(|entry| entry.within_squares().is_some());
    let title = if squares { "squares".into() } else { criterion.name().to_uppercase() };
    let head = std::iter::once(title).chain(numbers.iter().map(|k| format!("{k} "))).collect();
    let cell = |family: Family, components: usize| {
        let wanted = Cell { components, family };
        let entry = search.entries().iter().find(|entry| entry.cell == wanted);
        entry.map_or_else(String::new, |entry| shown(entry, criterion))
    };
    let row = |family: &Family| {
        let cells = numbers.iter().map(|components| cell(*family, *components));
        std::iter::once(family.name().to_string()).chain(cells).collect()
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(families.iter().map(row)).collect();
    wrapped(&rows) + &legend(search)
}

/// The value, with a star where it may not win; a dash where there is none.
fn shown(entry: &Entry, criterion: Criterion) -> String {
    match entry.within_squares().or_else(|| entry.value(criterion)) {
        Some(value) if entry.is_ranked() => format!("{value:.1} "),
        Some(value) => format!("{value:.1}*"),
        None if entry.refused.is_some() => "- ".into(),
        None => "… ".into(),
    }
}

/// What the marks mean, and why.
fn legend(search: &Search) -> String {
    let mut text = String::new();
    let starred = |entry: &&Entry| entry.criteria.is_some() && !entry.is_ranked();
    if search.entries().iter().any(|entry| starred(&entry)) {
        text +=
            "* not ranked: the guard kept a cluster from collapse, or a cluster lost its rows\n";
    }
    let open = |entry: &Entry| entry.criteria.is_none() && entry.refused.is_none();
    if search.entries().iter().any(open) {
        text += "… not at its end yet\n";
    }
    // Reasons that differ in their numbers alone are one.
    let plain = |why: &str| why.replace(|c: char| c.is_ascii_digit(), "");
    let mut reasons: Vec<(&str, Vec<Cell>)> = Vec::new();
    for entry in search.entries() {
        let Some(why) = &entry.refused else { continue };
        match reasons.iter_mut().find(|(known, _)| plain(known) == plain(why)) {
            Some((_, cells)) => cells.push(entry.cell),
            None => reasons.push((why, vec![entry.cell])),
        }
    }
    for (why, cells) in reasons.iter().take(REASONS) {
        text += &format!("- {}: {}\n", names(cells, search), words(why));
    }
    if reasons.len() > REASONS {
        text += &format!("- and {} reasons more, in --json\n", reasons.len() - REASONS);
    }
    text
}

/// Which cells these are: numbers of which every family is among them, then families with their numbers.
fn names(cells: &[Cell], search: &Search) -> String {
    let asked = |k: usize| search.entries().iter().filter(|e| e.cell.components == k).count();
    let among = |k: usize| cells.iter().filter(|cell| cell.components == k).count();
    let list = |numbers: Vec<usize>| {
        let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        words.join(", ")
    };
    let mut whole: Vec<usize> = cells.iter().map(|cell| cell.components).collect();
    whole.dedup();
    whole.retain(|&k| among(k) == asked(k));
    let mut parts = Vec::new();
    if !whole.is_empty() {
        parts.push(format!("all of {}", list(whole.clone())));
    }
    let others: Vec<&Cell> = cells.iter().filter(|c| !whole.contains(&c.components)).collect();
    let mut families: Vec<Family> = Vec::new();
    for cell in &others {
        if !families.contains(&cell.family) {
            families.push(cell.family);
        }
    }
    for family in families {
        let of = others.iter().filter(|cell| cell.family == family);
        parts.push(format!("{family} {}", list(of.map(|cell| cell.components).collect())));
    }
    parts.join("; ")
}

/// The same for programs.
pub(super) fn json(search: &Search) -> Value {
    let row = |entry: &Entry| {
        let value = |criterion| entry.value(criterion);
        json!({
            "model": entry.cell.family.name(),
            "k": entry.cell.components,
            "loglik": entry.criteria.map(|criteria| criteria.log_likelihood),
            "bic": value(Criterion::Bic),
            "icl": value(Criterion::Icl),
            "aic": value(Criterion::Aic),
            "within": entry.within_squares(),
            "parameters": entry.criteria.map(|criteria| criteria.parameters),
            "iterations": entry.state.as_ref().map(gaussbayes::EmState::iteration),
            "converged": entry.state.as_ref().map(gaussbayes::EmState::converged),
            "ranked": entry.is_ranked(),
            "note": entry.note().as_deref().map(words),
        })
    };
    search.entries().iter().map(row).collect()
}
