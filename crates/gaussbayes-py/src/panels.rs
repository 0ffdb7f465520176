//! Turns panels of pictures into lists and arrays from which matplotlib can draw.

use gaussbayes_plot::{
    Anchor, Axis, Ink, Key, Layer, Mark, Panel, Path, Shading, Sign, Stroke, Ticks,
};
use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Matrix, grid};

/// Pixels by which chords may be off: finer than any paper.
const OFF: f64 = 0.01;

/// Signs of classes that differ.
const SHAPES: usize = 7;

/// matplotlib's codes of a path: where it begins, where it goes on, and that it ends where it began.
const CODES: [u8; 3] = [1, 2, 79];

type Dict<'py> = PyResult<Bound<'py, PyDict>>;

/// A panel by its axes and layers.
pub(crate) fn panel<'py>(py: Python<'py>, panel: &Panel, dark: bool) -> Dict<'py> {
    let fields = PyDict::new(py);
    fields.set_item("title", &panel.title)?;
    fields.set_item("across", axis(py, &panel.across)?)?;
    fields.set_item("upward", axis(py, &panel.upward)?)?;
    fields.set_item("equal", panel.equal)?;
    fields.set_item("size", (panel.size[0], panel.size[1]))?;
    let layers = panel.layers.iter().map(|one| layer(py, one, panel, dark));
    fields.set_item("layers", layers.collect::<PyResult<Vec<_>>>()?)?;
    Ok(fields)
}

fn axis<'py>(py: Python<'py>, axis: &Axis) -> Dict<'py> {
    let fields = PyDict::new(py);
    fields.set_item("label", &axis.label)?;
    fields.set_item("ends", (axis.low, axis.high))?;
    let (ticks, names) = match &axis.ticks {
        Ticks::Numbers => ("numbers", None),
        Ticks::Powers => ("powers", None),
        Ticks::Bare => ("bare", None),
        Ticks::Named(names) => ("named", Some(names.clone())),
    };
    fields.set_item("ticks", ticks)?;
    fields.set_item("names", names)?;
    Ok(fields)
}

fn layer<'py>(py: Python<'py>, layer: &Layer, panel: &Panel, dark: bool) -> Dict<'py> {
    let fields = PyDict::new(py);
    let kind = match layer {
        Layer::Area { path, ink, strength, hatched } => {
            put_path(&fields, path, panel, true)?;
            put_ink(&fields, *ink, dark)?;
            fields.set_item("alpha", strength)?;
            fields.set_item("hatched", hatched)?;
            "area"
        }
        Layer::Line { path, ink, stroke } => {
            put_path(&fields, path, panel, false)?;
            put_ink(&fields, *ink, dark)?;
            put_stroke(&fields, *stroke)?;
            "line"
        }
        Layer::Points { at, mark, ink } => {
            fields.set_item("at", grid(py, at.concat(), 2)?)?;
            put_mark(&fields, *mark)?;
            put_ink(&fields, *ink, dark)?;
            "points"
        }
        Layer::Shade(shading) => {
            put_shading(py, &fields, shading, dark)?;
            "shade"
        }
        Layer::Words { at, text, anchor, ink } => {
            fields.set_item("at", (at[0], at[1]))?;
            fields.set_item("text", text)?;
            fields.set_item("anchor", side(*anchor))?;
            put_ink(&fields, *ink, dark)?;
            "words"
        }
        Layer::Arrow { from, to, ink } => {
            fields.set_item("from", (from[0], from[1]))?;
            fields.set_item("to", (to[0], to[1]))?;
            put_ink(&fields, *ink, dark)?;
            "arrow"
        }
    };
    fields.set_item("kind", kind)?;
    Ok(fields)
}

/// A line of the key.
pub(crate) fn key<'py>(py: Python<'py>, key: &Key, dark: bool) -> Dict<'py> {
    let fields = PyDict::new(py);
    fields.set_item("label", &key.label)?;
    put_ink(&fields, key.ink, dark)?;
    let kind = match key.sign {
        Sign::Mark(mark) => {
            put_mark(&fields, mark)?;
            "points"
        }
        Sign::Line(stroke) => {
            put_stroke(&fields, stroke)?;
            "line"
        }
        Sign::Area(strength) | Sign::Hatched(strength) => {
            fields.set_item("alpha", strength)?;
            fields.set_item("hatched", matches!(key.sign, Sign::Hatched(_)))?;
            "area"
        }
    };
    fields.set_item("kind", kind)?;
    Ok(fields)
}

/// A colour as web pages write it.
pub(crate) fn hex(ink: Ink, dark: bool) -> String {
    let [red, green, blue] = ink.rgb(dark);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn put_ink(fields: &Bound<'_, PyDict>, ink: Ink, dark: bool) -> PyResult<()> {
    fields.set_item("color", hex(ink, dark))
}

fn put_stroke(fields: &Bound<'_, PyDict>, stroke: Stroke) -> PyResult<()> {
    fields.set_item("width", stroke.width)?;
    fields.set_item("dashes", stroke.gaps().map(|[on, off]| (on, off)))
}

fn put_mark(fields: &Bound<'_, PyDict>, mark: Mark) -> PyResult<()> {
    match mark {
        Mark::Class(class) => fields.set_item("mark", class % SHAPES),
        Mark::Dot => fields.set_item("mark", "dot"),
        Mark::Centre => fields.set_item("mark", "centre"),
        Mark::Ring => fields.set_item("mark", "ring"),
    }
}

fn side(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Middle => "middle",
        Anchor::Right => "right",
        Anchor::Left => "left",
        Anchor::Above => "above",
        Anchor::Below => "below",
    }
}

fn put_shading<'py>(
    py: Python<'py>,
    fields: &Bound<'py, PyDict>,
    shading: &Shading,
    dark: bool,
) -> PyResult<()> {
    let columns = shading.columns.max(1);
    let lines = shading.cells.len() / columns;
    let cell = |(ink, strength): &(Ink, f32)| {
        let [red, green, blue] = ink.rgb(dark).map(|part| f32::from(part) / 255.0);
        [red, green, blue, *strength]
    };
    let values: Vec<f32> = shading.cells.iter().flat_map(cell).collect();
    let cells = Array3::from_shape_vec((lines, columns, 4), values);
    let cells = cells.map_err(|error| PyValueError::new_err(error.to_string()))?;
    fields.set_item("cells", cells.into_pyarray(py))?;
    let ([left, low], [right, high]) = (shading.low, shading.high);
    fields.set_item("extent", (left, right, low, high))?;
    fields.set_item("smooth", shading.smooth)
}

/// The points of a path, and matplotlib's code of each; chords are as fine as the panel asks for.
fn put_path(fields: &Bound<'_, PyDict>, path: &Path, panel: &Panel, filled: bool) -> PyResult<()> {
    let py = fields.py();
    let (vertices, codes) = outlined(py, path, panel, filled)?;
    fields.set_item("vertices", vertices)?;
    fields.set_item("codes", codes)
}

fn outlined<'py>(
    py: Python<'py>,
    path: &Path,
    panel: &Panel,
    filled: bool,
) -> PyResult<(Matrix<'py>, Bound<'py, PyArray1<u8>>)> {
    let axes = [&panel.across, &panel.upward];
    let [scale, low] =
        [[0, 1].map(|j| panel.size[j] / (axes[j].high - axes[j].low)), axes.map(|axis| axis.low)];
    let pixels = path.mapped(|at| [0, 1].map(|j| (at[j] - low[j]) * scale[j]));
    let mut parts = pixels.flattened(OFF);
    if filled {
        wind(&mut parts);
    }
    let (mut vertices, mut codes) = (Vec::new(), Vec::new());
    for (part, points) in path.parts.iter().zip(parts) {
        for (i, at) in points.iter().enumerate() {
            vertices.extend([0, 1].map(|j| low[j] + at[j] / scale[j]));
            codes.push(CODES[usize::from(i > 0)]);
        }
        if (part.closed || filled) && points.len() > 1 {
            vertices.extend([0, 1].map(|j| low[j] + points[0][j] / scale[j]));
            codes.push(CODES[2]);
        }
    }
    Ok((grid(py, vertices, 2)?, codes.into_pyarray(py)))
}

/// Turns rings so that those within others are holes also where every ring of one sense is filled.
fn wind(rings: &mut [Vec<[f64; 2]>]) {
    let depth = |i: usize| {
        let within = |j: usize| {
            let inside = rings[i].iter().filter(|at| holds(&rings[j], **at)).count();
            j != i && 2 * inside > rings[i].len()
        };
        (0..rings.len()).filter(|&j| within(j)).count()
    };
    let depths: Vec<usize> = (0..rings.len()).map(depth).collect();
    for (ring, depth) in rings.iter_mut().zip(depths) {
        if (area(ring) < 0.0) == (depth % 2 == 0) {
            ring.reverse();
        }
    }
}

/// Twice the area that a ring encloses, negative where it goes clockwise.
fn area(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().skip(1).chain(ring.first());
    ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum()
}

/// Whether a ring encloses a point.
fn holds(ring: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let next = ring.iter().skip(1).chain(ring.first());
    let crossed = |(a, b): &(&[f64; 2], &[f64; 2])| {
        (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
    };
    ring.iter().zip(next).filter(crossed).count() % 2 == 1
}
