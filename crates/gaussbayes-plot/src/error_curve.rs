//! Draws error against the number of rows or columns, and where one model overtakes another.

use gaussbayes::{CurvePoint, ErrorCurve};

use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{
    Anchor, Axis, Dash, Ink, Key, Layer, Mark, Panel, Picture, Sign, Stroke, Ticks,
};
use crate::say::{dash, listed, per_cent, plural, short};

/// What a curve goes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Over {
    /// Rows that were learnt from.
    #[default]
    Rows,
    /// Columns.
    Columns,
}

impl Over {
    fn axis(self) -> &'static str {
        match self {
            Self::Rows => "rows learnt from",
            Self::Columns => "columns",
        }
    }

    fn count(self, at: usize) -> String {
        match self {
            Self::Rows => plural(at, "row"),
            Self::Columns => plural(at, "column"),
        }
    }
}

/// What is drawn beside measured errors.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ErrorLook {
    /// What the curve goes over.
    pub over: Over,
    /// Errors that are known, such as that of the best rule: a name, and a value for every place.
    pub known: Vec<(String, Vec<f64>)>,
}

/// A place and the error there with its standard error, in per cent.
type Seen = (f64, f64, f64);

/// The mean errors of some models with their standard errors; of two or three also where their curves cross.
///
/// # Errors
/// [`PlotError::Nothing`] where no model has a point, [`PlotError::Count`] for names or known errors of other number.
pub fn error_curve(
    curve: &ErrorCurve,
    names: &[String],
    look: &ErrorLook,
) -> Result<Picture, PlotError> {
    let count = |what, expected: usize, found: usize| {
        if expected == found { Ok(()) } else { Err(PlotError::Count { what, expected, found }) }
    };
    count("names of models", curve.points.len(), names.len())?;
    for (_, known) in &look.known {
        count("known errors", curve.at.len(), known.len())?;
    }
    let scale = Scale::of(&curve.at);
    let all: Vec<Vec<Seen>> =
        curve.points.iter().map(|points| seen(curve, points, scale)).collect();
    if all.iter().all(Vec::is_empty) {
        return Err(PlotError::Nothing { what: "errors that could be measured" });
    }
    let measured = all.iter().flatten().map(|(_, mean, se)| mean + se);
    let known = look.known.iter().flat_map(|(_, known)| known).map(|error| 100.0 * error);
    let top = measured.chain(known).filter(|y| y.is_finite()).fold(0.0, f64::max);
    let top = if top > 0.0 { 1.12 * top } else { 1.0 };
    let (mut layers, mut lines, mut key) = (Vec::new(), Vec::new(), Vec::new());
    for (k, points) in all.iter().enumerate() {
        let (ink, stroke) = (Ink::Class(k), Stroke { width: 2.0, dash: dash(k) });
        layers.push(Layer::Area { path: band(points), ink, strength: 0.18, hatched: false });
        let at: Vec<[f64; 2]> = points.iter().map(|&(x, y, _)| [x, y]).collect();
        lines.push(Layer::Line { path: Path::line(&at), ink, stroke });
        lines.push(Layer::Points { at, mark: Mark::Class(k), ink });
        key.push(Key { label: names[k].clone(), ink, sign: Sign::Line(stroke) });
    }
    for (i, (name, known)) in look.known.iter().enumerate() {
        let dash = [Dash::Dashed, Dash::Dotted, Dash::Solid][i % 3];
        let stroke = Stroke { width: 1.0, dash };
        let at = curve.at.iter().zip(known).filter(|(_, y)| y.is_finite());
        let at: Vec<[f64; 2]> = at.map(|(&x, y)| [scale.place(x as f64), 100.0 * y]).collect();
        lines.push(Layer::Line { path: Path::line(&at), ink: Ink::Text, stroke });
        key.push(Key { label: name.clone(), ink: Ink::Text, sign: Sign::Line(stroke) });
    }
    layers.extend(lines);
    let crossed = crossings(curve, names, look.over, scale, top, &mut layers);
    let ends = [curve.at.iter().min(), curve.at.iter().max()];
    let [low, high] = ends.map(|end| scale.place(end.map_or(1.0, |at| *at as f64)));
    let margin = if high > low { 0.03 * (high - low) } else { 0.5 };
    let label = look.over.axis();
    let across =
        Axis { ticks: scale.ticks(low, high), ..Axis::new(label, low - margin, high + margin) };
    let upward = Axis::new("error in %", 0.0, top);
    let title = match look.over {
        Over::Rows => "Learning curve: error by rows learnt from",
        Over::Columns => "Feature curve: error by columns",
    };
    let mut picture = Picture::of(title, Panel { layers, ..Panel::new(across, upward) });
    picture.key = key;
    picture.notes = notes(curve, names, look.over);
    let ends = |(name, points): (&String, &Vec<Result<CurvePoint, gaussbayes::Error>>)| {
        let known =
            curve.at.iter().zip(points).filter_map(|(at, p)| Some((at, p.as_ref().ok()?.mean)));
        let known: Vec<(&usize, f64)> = known.collect();
        match known[..] {
            [] => format!("{name} could nowhere be fitted"),
            [(at, error)] => format!("{name} {} at {at}", per_cent(error)),
            [first, .., last] => format!(
                "{name} from {} at {} to {} at {}",
                per_cent(first.1),
                first.0,
                per_cent(last.1),
                last.0
            ),
        }
    };
    let said: Vec<String> = names.iter().zip(&curve.points).map(ends).collect();
    picture.description =
        format!("Error by {}: {}. {crossed}", look.over.axis(), listed(&said)).trim_end().into();
    picture.caption = match look.over {
        Over::Rows => "The more a model has to estimate, the more rows it needs before it is the better one.".into(),
        Over::Columns => "Each column has to be paid for with estimates: with few rows, more columns can mean more errors.".into(),
    };
    Ok(picture)
}

/// Places on an axis of counts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scale {
    Linear,
    Logarithmic,
}

impl Scale {
    /// Logarithmic beyond a decade.
    fn of(at: &[usize]) -> Self {
        let (low, high) =
            (at.iter().min().copied().unwrap_or(1), at.iter().max().copied().unwrap_or(1));
        if low > 0 && high > 10 * low { Self::Logarithmic } else { Self::Linear }
    }

    fn place(self, x: f64) -> f64 {
        match self {
            Self::Linear => x,
            Self::Logarithmic => x.log10(),
        }
    }

    /// Round counts: 1, 2, 5 and so on; of many decades their powers alone.
    fn ticks(self, low: f64, high: f64) -> Ticks {
        if self == Self::Linear {
            return Ticks::Numbers;
        }
        if high - low > 2.5 {
            return Ticks::Powers;
        }
        let powers = low.floor() as i32..=high.ceil() as i32;
        let round = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|m| m * 10.0_f64.powi(power)));
        let inside = round.filter(|x| (low - 1e-9..=high + 1e-9).contains(&x.log10()));
        Ticks::Named(inside.map(|x| (x.log10(), format!("{x:.0}"))).collect())
    }
}

fn seen(
    curve: &ErrorCurve,
    points: &[Result<CurvePoint, gaussbayes::Error>],
    scale: Scale,
) -> Vec<Seen> {
    let place = |(&at, point): (&usize, &Result<CurvePoint, gaussbayes::Error>)| {
        let point = point.as_ref().ok().filter(|point| point.mean.is_finite())?;
        // One fold has no spread.
        let se = if point.standard_error.is_finite() { point.standard_error } else { 0.0 };
        Some((scale.place(at as f64), 100.0 * point.mean, 100.0 * se))
    };
    curve.at.iter().zip(points).filter_map(place).collect()
}

fn band(points: &[Seen]) -> Path {
    let above = points.iter().map(|&(x, y, se)| [x, y + se]);
    let below = points.iter().rev().map(|&(x, y, se)| [x, (y - se).max(0.0)]);
    Path::polygon(&above.chain(below).collect::<Vec<_>>())
}

/// Marks where curves cross, and says so.
fn crossings(
    curve: &ErrorCurve,
    names: &[String],
    over: Over,
    scale: Scale,
    top: f64,
    layers: &mut Vec<Layer>,
) -> String {
    let (mut said, mut height) = (String::new(), 0.94 * top);
    if !(2..=3).contains(&names.len()) {
        return said;
    }
    let pairs = (1..names.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    for (a, b) in pairs {
        let Some(last) = curve.crossings(a, b).into_iter().next_back() else { continue };
        let x = scale.place(last.at);
        let path = Path::line(&[[x, 0.0], [x, top]]);
        layers.push(Layer::Line { path, ink: Ink::Text, stroke: Stroke::THIN });
        let text = match over {
            Over::Rows => format!("crossing at {}", short(last.at.round())),
            Over::Columns => format!("crossing from {} to {}", last.from, last.to),
        };
        layers.push(Layer::Words { at: [x, height], text, anchor: Anchor::Right, ink: Ink::Text });
        // The next may be so near that it would stand on this one.
        height -= 0.06 * top;
        said.push_str(&format!(
            "{} overtakes {} between {} and {}. ",
            names[last.after],
            names[last.before],
            last.from,
            over.count(last.to)
        ));
    }
    said
}

fn notes(curve: &ErrorCurve, names: &[String], over: Over) -> Vec<String> {
    let mut notes = vec!["Bands: one standard error over the folds either way.".to_owned()];
    for (name, points) in names.iter().zip(&curve.points) {
        let failed = curve.at.iter().zip(points);
        let failed: Vec<_> = failed.filter_map(|(at, p)| Some((at, p.as_ref().err()?))).collect();
        if let [(at, error), ..] = failed[..] {
            let more = match failed.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            notes.push(format!("{name} has no point at {}{more}: {error}.", over.count(*at)));
        }
    }
    notes
}
