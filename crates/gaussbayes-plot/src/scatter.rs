//! Draws rows in two columns, with an ellipse for each class.

use gaussbayes::{Classifier, Label, Table, View, Window};

use crate::dots::{Dots, dots, layers, sign};
use crate::error::PlotError;
use crate::look::Look;
use crate::path::Path;
use crate::picture::{Anchor, Axis, Dash, Ink, Key, Layer, Mark, Panel, Picture, Sign, Stroke};
use crate::say::{per_cent, plural};
use crate::scene::{KEYED, Scene, class_key, constant};
use crate::spread::{Bell, radius};
use crate::window::{Bounds, window};

/// Rows by class in two columns, each class with the ellipse that holds a share of it.
///
/// Ellipses are those of the classifier's Gaussians, or of the rows' own means and covariances where there is no
/// classifier. `features` are the names of the columns; `look` says which two.
///
/// # Errors
/// [`PlotError::Count`] for rows of one column, [`PlotError::Nothing`] without rows, [`PlotError::BadShare`], and what a
/// classifier refuses of the view.
pub fn scatter(
    rule: Option<&Classifier>,
    rows: &Table,
    features: &[String],
    look: &Look,
) -> Result<Picture, PlotError> {
    if rows.rows() == 0 {
        return Err(PlotError::Nothing { what: "rows" });
    }
    let Some(rule) = rule else { return alone(rows, features, look) };
    let mut scene = Scene::of(rule, Some(rows), look)?;
    scene.add_dots(look);
    scene.add_ellipses(look);
    scene.add_means();
    scene.key_classes();
    let (title, words) = (title(look), scene.axes());
    let described = said(&scene.dots, rule.classes(), &words);
    let caption = caption(look, !scene.sight.bells.is_empty());
    Ok(scene.picture(title, described, caption))
}

fn title(look: &Look) -> String {
    look.title.clone().unwrap_or_else(|| "Rows by class".into())
}

fn said(dots: &[Dots], classes: &[Label], words: &str) -> String {
    let rows = dots.iter().map(|dots| dots.at.len()).sum();
    let known = dots.iter().filter(|dots| dots.class.is_some()).count();
    let of = if known > 0 { format!(" of {}", plural(known, "class")) } else { String::new() };
    let count = |dots: &Dots| {
        let name = dots.class.map_or("no class", |class| classes[class].as_str());
        format!("{} of {name}", dots.at.len())
    };
    let most: Vec<String> = dots.iter().take(6).map(count).collect();
    let listed =
        if dots.len() > 1 { format!(": {}", crate::say::listed(&most)) } else { String::new() };
    format!("{}{of} in the plane of {words}{listed}.", plural(rows, "row"))
}

fn caption(look: &Look, ellipses: bool) -> String {
    if look.ellipses && ellipses {
        let mass = per_cent(look.mass);
        return format!("Each ellipse holds {mass} of a class, if that is Gaussian.");
    }
    "Rows of one class share a sign and a colour.".into()
}

/// Rows without a classifier: their own moments.
fn alone(rows: &Table, features: &[String], look: &Look) -> Result<Picture, PlotError> {
    look.check()?;
    let (expected, found) = (2, rows.dim);
    if found < expected {
        return Err(PlotError::Count { what: "columns", expected, found });
    }
    let columns = match look.view {
        View::Whole => [0, 1],
        View::Slice { columns, .. } | View::Projection { columns } => columns,
    };
    let classes = rows.classes();
    let dots = dots(rows, &classes, columns)?;
    let bells: Vec<(Option<usize>, Bell)> =
        dots.iter().map(|dots| (dots.class, moments(&dots.at))).collect();
    let [across, upward] = [0, 1].map(|j: usize| {
        let rows = Bounds::of(dots.iter().flat_map(|dots| dots.at.iter().map(move |at| at[j])));
        let mut around = Bounds::NONE;
        bells.iter().for_each(|(_, (mean, s))| around.add_bell(mean[j], s[2 * j]));
        rows.with_margin().joined(around)
    });
    let (seen, equal) = match look.window {
        Some(window) => (window, false),
        None => window(across, upward, look.size),
    };
    let names = columns.map(|j| features.get(j).cloned().unwrap_or_else(|| format!("x{}", j + 1)));
    let axis = |j: usize| Axis::new(names[j].clone(), seen.low[j], seen.high[j]);
    let mut panel = Panel::new(axis(0), axis(1));
    (panel.equal, panel.size) = (equal, look.size);
    let mut key = class_key(&classes, true);
    if dots.iter().any(|dots| dots.class.is_none()) && !classes.is_empty() {
        let (mark, ink) = sign(None);
        key.push(Key { label: "no label".into(), ink, sign: Sign::Mark(mark) });
    }
    let mut notes = constant(&dots, &names);
    notes.extend(draw(&mut panel, &mut key, &dots, &bells, &seen, look, &classes));
    let mut picture = Picture::of(title(look), panel);
    let words = format!("{} and {}", names[0], names[1]);
    picture.description = said(&dots, &classes, &words);
    picture.caption = caption(look, true);
    (picture.key, picture.notes) = (key, notes);
    Ok(picture)
}

fn draw(
    panel: &mut Panel,
    key: &mut Vec<Key>,
    dots: &[Dots],
    bells: &[(Option<usize>, Bell)],
    window: &Window,
    look: &Look,
    classes: &[Label],
) -> Vec<String> {
    let (points, note) = layers(dots, window, look.most);
    panel.layers.extend(points);
    if look.ellipses {
        let stroke = Stroke { width: 1.5, dash: Dash::Dashed };
        for (class, (mean, covariance)) in bells {
            let path = Path::ellipse(*mean, *covariance, radius(look.mass));
            let ink = class.map_or(Ink::Text, Ink::Class);
            panel.layers.push(Layer::Line { path, ink, stroke });
        }
        let label = format!("{} of a class", per_cent(look.mass));
        key.push(Key { label, ink: Ink::Text, sign: Sign::Line(stroke) });
        if classes.len() > KEYED {
            for (class, (mean, _)) in bells {
                let Some(class) = *class else { continue };
                let (at, text) = (*mean, classes[class].to_string());
                let (anchor, ink) = (Anchor::Middle, Ink::Text);
                panel.layers.push(Layer::Words { at, text, anchor, ink });
            }
        } else {
            let at = bells.iter().map(|(_, (mean, _))| *mean).collect();
            panel.layers.push(Layer::Points { at, mark: Mark::Centre, ink: Ink::Text });
            let (label, sign) = ("mean".into(), Sign::Mark(Mark::Centre));
            key.push(Key { label, ink: Ink::Text, sign });
        }
    }
    note.into_iter().collect()
}

/// Mean and covariance of points, about the first so that no offset costs digits.
pub(crate) fn moments(at: &[[f64; 2]]) -> Bell {
    let (first, n) = (at[0], at.len() as f64);
    let mean = [0, 1].map(|j| at.iter().map(|x| x[j] - first[j]).sum::<f64>() / n);
    let product = |i: usize, j: usize| {
        let terms = at.iter().map(|x| (x[i] - first[i] - mean[i]) * (x[j] - first[j] - mean[j]));
        terms.sum::<f64>() / n
    };
    ([0, 1].map(|j| first[j] + mean[j]), [product(0, 0), product(1, 0), product(1, 1)])
}
