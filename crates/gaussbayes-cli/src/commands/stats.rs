//! Sums rows up and saves the sums: a partial fit that can be merged with others anywhere.

use std::path::Path;

use gaussbayes::{ProductSweep, Storage, Training};
use gaussbayes_io::{Error, Kept, MomentsFile, MomentsPart, Types, shell, summed};
use serde_json::{Value, json};

use super::workers::Workers;
use super::{opened, refuse_overwriting};
use crate::args::{Common, Stats};
use crate::failure::Failure;
use crate::output::Output;
use crate::text::{count, json_count, plural, table};

pub(crate) fn run(arguments: &Stats, common: &Common, output: &Output) -> Result<(), Failure> {
    refuse_overwriting(&arguments.output, &arguments.data.tables.paths())?;
    // What a column holds may not depend on the part that is looked at: it is said, or it is numbers.
    let declared = !arguments.types.is_empty();
    let types = if declared { Types::Recognised(arguments.types.clone()) } else { Types::Plain };
    let (mut data, target) = opened(&arguments.data, false, types, common, output)?;
    let (features, types) = (data.features().to_vec(), data.types().map(<[_]>::to_vec));
    let nothing = match &types {
        Some(types) => {
            Kept::Product(Training::of(ProductSweep::new(&summed(types)), features.len()))
        }
        None => Kept::Gaussian(Training::new(Storage::Full, features.len())),
    };
    let name = data.name().rsplit('/').next().map(str::to_owned);
    let workers = Workers::new(common, "summing up")?;
    let on = workers.reading(&data);
    let summed_up = MomentsPart::of(nothing, &mut data, on);
    let (sums, part) = summed_up.map_err(advised)?;
    let part = MomentsPart { number: arguments.part, name, ..part };
    let moments = MomentsFile {
        target: Some(target),
        weights: arguments.data.weights.clone(),
        ..MomentsFile::new(sums, features, types, part)
    };
    moments.save(&arguments.output)?;
    let path = arguments.output.display().to_string();
    let file = shell(&path);
    let next = match arguments.part {
        Some((_, of)) if of > 1 => {
            format!("gaussbayes merge {file} … -o ALL.moments, with all {of} parts")
        }
        _ => format!(
            "gaussbayes fit --from {file}, or with more: gaussbayes merge {file} … -o ALL.moments"
        ),
    };
    let text = format!("{}\nsaved {path}\nnext: {next}\n", sentence(&moments)?);
    output.answer(&text, &result(&moments, Some(&path))?)
}

/// Says what to do about a cell that is no number: types are for this command to take.
fn advised(error: Error) -> Failure {
    let Error::NotANumber { cell } = &error else { return error.into() };
    let column = shell(&cell.column);
    let hint = if cell.is_missing() {
        format!(
            "missing values are refused: --na drop leaves such rows out, and \
             --types {column}=number skips them, for naive Bayes"
        )
    } else {
        format!(
            "mend the cell, leave the column out (--drop {column}), or say what it holds, \
             for naive Bayes: --types {column}=category"
        )
    };
    Failure::Advised { error: error.into(), hint }
}

/// What some moments are of, in a line.
pub(super) fn sentence(moments: &MomentsFile) -> Result<String, Failure> {
    let weight = moments.sums.weight()?;
    let rows = plural(moments.rows() as usize, "row");
    let weight = if weight == moments.rows() as f64 {
        String::new()
    } else {
        format!(" of weight {}", count(weight))
    };
    let (classes, features) = (moments.sums.classes()?.len(), moments.features.len());
    let classes = format!("{classes} class{}", if classes == 1 { "" } else { "es" });
    let features = plural(features, "feature");
    let of = match moments.parts.as_slice() {
        [MomentsPart { number: Some((number, of)), .. }] => format!("part {number}/{of}"),
        parts => plural(parts.len(), "part"),
    };
    Ok(format!("moments of {rows}{weight}: {classes}, {features}, {of}"))
}

/// The same for programs.
pub(super) fn result(moments: &MomentsFile, output: Option<&str>) -> Result<Value, Failure> {
    let part = |part: &MomentsPart| {
        json!({
            "number": part.number.map(|(number, _)| number),
            "of": part.number.map(|(_, of)| of),
            "data": part.name,
            "rows": part.rows,
            "n": json_count(part.weight),
            "fingerprint": part.fingerprint.to_string(),
        })
    };
    let classes = moments.sums.classes()?;
    let missing: Vec<u32> = moments.missing().into_iter().flatten().collect();
    Ok(json!({
        "n": json_count(moments.sums.weight()?),
        "rows": moments.rows(),
        "target": moments.target,
        "classes": classes.iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>(),
        "counts": classes.iter().map(|(_, weight)| json_count(*weight)).collect::<Vec<_>>(),
        "features": moments.features,
        "types": moments.types.as_ref().map(|types| {
            types.iter().map(|kind| kind.name()).collect::<Vec<_>>()
        }),
        "parts": moments.parts.iter().map(part).collect::<Vec<_>>(),
        "missing": missing,
        "output": output,
    }))
}

/// Prints what is in a file of moments.
pub(super) fn show(path: &Path, output: &Output) -> Result<(), Failure> {
    let moments = MomentsFile::load(path)?;
    let name = path.display().to_string();
    let class = |(label, weight): (gaussbayes::Label, f64)| vec![label.to_string(), count(weight)];
    let header = vec!["class".to_string(), "rows".to_string()];
    let rows: Vec<Vec<String>> =
        std::iter::once(header).chain(moments.sums.classes()?.into_iter().map(class)).collect();
    let column = |(j, feature): (usize, &String)| match &moments.types {
        Some(types) => format!("{feature} {}", types[j].name()),
        None => feature.clone(),
    };
    let columns: Vec<String> = moments.features.iter().enumerate().map(column).collect();
    let part = |part: &MomentsPart| format!("  {}\n", part.named());
    let mut text = format!("{name} · {}\n\n{}\n", sentence(&moments)?, table(&rows));
    text += &format!("columns: {}\nparts:\n", columns.join(", "));
    text.extend(moments.parts.iter().take(SHOWN).map(part));
    if moments.parts.len() > SHOWN {
        text += &format!("  and {} more\n", moments.parts.len() - SHOWN);
    }
    if let Some(missing) = moments.missing_text() {
        text += &format!("missing parts: {missing}\n");
    }
    output.answer(&text, &result(&moments, None)?)
}

/// Parts that are listed.
const SHOWN: usize = 20;
