//! Takes two columns of rows, class by class, as points of a picture.

use std::collections::BTreeMap;

use gaussbayes::{Field, Label, NO_LABEL, Table, Window};

use crate::error::PlotError;
use crate::picture::{Ink, Layer, Mark};

/// Rows of one class, or of none that is known.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dots {
    pub(crate) class: Option<usize>,
    pub(crate) at: Vec<[f64; 2]>,
}

/// The number among `classes` of every row; none where it has no label, or one that is not among them.
pub(crate) fn classes_of(rows: &Table, classes: &[Label]) -> Vec<Option<usize>> {
    let numbers: Vec<Option<usize>> = rows
        .dictionary
        .iter()
        .map(|label| classes.iter().position(|class| class == label))
        .collect();
    match &rows.codes {
        None => vec![None; rows.rows()],
        Some(codes) => codes
            .iter()
            .map(|&code| if code == NO_LABEL { None } else { *numbers.get(code as usize)? })
            .collect(),
    }
}

/// Values of one column, as they are: NaN where one is missing.
///
/// # Errors
/// [`PlotError::NotNumbers`] for names and words.
pub(crate) fn column(rows: &Table, column: usize) -> Result<Vec<f64>, PlotError> {
    if column >= rows.dim {
        return Err(gaussbayes::Error::BadColumn { column, columns: rows.dim }.into());
    }
    if !matches!(rows.fields.get(column), None | Some(Field::Number)) {
        return Err(PlotError::NotNumbers { name: format!("{}", column + 1) });
    }
    if rows.sparse.is_none() {
        return Ok(rows.values.iter().skip(column).step_by(rows.dim.max(1)).copied().collect());
    }
    let block = rows.block(0..rows.rows())?;
    Ok((0..rows.rows()).map(|i| block.rows().value(i, column)).collect())
}

/// Points in two columns by class, rows of no class first; rows without a value are left out.
pub(crate) fn dots(
    rows: &Table,
    classes: &[Label],
    columns: [usize; 2],
) -> Result<Vec<Dots>, PlotError> {
    let [x, y] = [column(rows, columns[0])?, column(rows, columns[1])?];
    Ok(grouped(x.into_iter().zip(y).map(|(x, y)| [x, y]), &classes_of(rows, classes)))
}

/// Points by class, those of no class first.
pub(crate) fn grouped(
    points: impl Iterator<Item = [f64; 2]>,
    classes: &[Option<usize>],
) -> Vec<Dots> {
    let mut all: Vec<Dots> = Vec::new();
    let mut place = BTreeMap::new();
    for (at, &class) in points.zip(classes) {
        if !at.iter().all(|x| x.is_finite()) {
            continue;
        }
        let i = *place.entry(class).or_insert_with(|| {
            all.push(Dots { class, at: Vec::new() });
            all.len() - 1
        });
        all[i].at.push(at);
    }
    all.sort_by_key(|dots| dots.class);
    all
}

/// Layers of points, thinned to `most`, and a note where that left some out.
pub(crate) fn layers(dots: &[Dots], window: &Window, most: usize) -> (Vec<Layer>, Option<String>) {
    let all: Vec<[f64; 2]> = dots.iter().flat_map(|dots| dots.at.iter().copied()).collect();
    let kept = crate::thin::thinned(&all, window, most);
    let note =
        (kept.len() < all.len()).then(|| format!("{} of {} rows are drawn", kept.len(), all.len()));
    let mut first = 0;
    let mut layers = Vec::new();
    for dots in dots {
        let own = first..first + dots.at.len();
        let at: Vec<[f64; 2]> =
            kept.iter().filter(|&&i| own.contains(&i)).map(|&i| all[i]).collect();
        first = own.end;
        let (mark, ink) = sign(dots.class);
        if !at.is_empty() {
            layers.push(Layer::Points { at, mark, ink });
        }
    }
    (layers, note)
}

/// How rows of a class look, and those of none.
pub(crate) fn sign(class: Option<usize>) -> (Mark, Ink) {
    class.map_or((Mark::Dot, Ink::Faint), |k| (Mark::Class(k), Ink::Class(k)))
}
