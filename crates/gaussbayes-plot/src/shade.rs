//! Shades a plane by the posterior of one class, or by the density of all.

use gaussbayes::{Action, Classifier, Loss, Table, Window};

use crate::error::PlotError;
use crate::ground::{centres, drawn, place};
use crate::look::Look;
use crate::path::Path;
use crate::picture::{Dash, Ink, Key, Layer, Picture, Shading, Sign, Stroke};
use crate::say::{listed, per_cent, plural};
use crate::scene::Scene;
use crate::sight::Sight;
use crate::trace::traced;

/// Cells of a shading across and upward.
const CELLS: [usize; 2] = [100, 80];

/// The most of a colour that a cell has.
const DEEP: f64 = 0.7;

/// The most of the colour of text that a cell of a density has.
const DARK: f64 = 0.45;

/// Posteriors whose contours are drawn, beside ½.
const LEVELS: [f64; 4] = [0.05, 0.25, 0.75, 0.95];

/// Shares of each Gaussian that its level ellipses hold.
const MASSES: [f64; 3] = [0.5, 0.9, 0.99];

/// The posterior of one class, shaded, with its contours: that of ½ is where the class becomes the more likely answer
/// than all others together.
///
/// # Errors
/// [`PlotError::Count`] for a class that there is not and for one column; what the classifier refuses of the view.
pub fn posterior(
    rule: &Classifier,
    class: usize,
    rows: Option<&Table>,
    look: &Look,
) -> Result<Picture, PlotError> {
    let (expected, classes) = (class + 1, rule.classes().len());
    if class >= classes {
        return Err(PlotError::Count { what: "classes", expected, found: classes });
    }
    let mut scene = Scene::of(rule, rows, look)?;
    scene.notes.extend(scene.sight.notes.clone());
    let window = scene.window;
    let points: Vec<[f64; 2]> = raw(&window, &centres(CELLS));
    let probs = scene.sight.posteriors(class, &points)?;
    let ink = Ink::Class(class);
    let cells = probs.iter().map(|p| (ink, (DEEP * p) as f32)).collect();
    scene.panel.layers.push(shading(&window, cells));
    scene.add_dots(look);
    let mut is_traced = false;
    for level in LEVELS {
        let (path, by_hand) = contour(&scene.sight, class, level, &window)?;
        is_traced |= by_hand;
        let stroke = Stroke { width: 1.0, dash: Dash::Dotted };
        scene.panel.layers.push(Layer::Line { path, ink: Ink::Text, stroke });
    }
    let (path, by_hand) = contour(&scene.sight, class, 0.5, &window)?;
    let known = !path.parts.is_empty();
    let stroke = Stroke::BOUNDARY;
    scene.panel.layers.push(Layer::Line { path, ink: Ink::Text, stroke });
    scene.add_means();
    if rows.is_some() {
        scene.key_classes();
    }
    let name = rule.classes()[class].as_str();
    let key = |label: String, ink, sign| Key { label, ink, sign };
    let mut own = vec![key(format!("P({name} | x), darker is surer"), ink, Sign::Area(0.5))];
    if known {
        own.push(key("½".into(), Ink::Text, Sign::Line(stroke)));
    }
    let thin = Stroke { width: 1.0, dash: Dash::Dotted };
    let levels: Vec<String> = LEVELS.iter().map(|&level| per_cent(level)).collect();
    own.push(key(listed(&levels), Ink::Text, Sign::Line(thin)));
    scene.key.extend(own);
    if is_traced || by_hand {
        scene.notes.push("contours are followed from point to point".into());
    }
    let title = look.title.clone().unwrap_or_else(|| format!("Posterior of {name}"));
    let (least, most) = ends(&probs);
    let description = format!(
        "The posterior probability of {name} among {} in the plane of {}{}: from {} to {}.",
        plural(classes, "class"),
        scene.axes(),
        scene.rows_words(),
        per_cent(least),
        per_cent(most),
    );
    let caption = if classes == 2 {
        "Where the posterior is ½ the decision changes, if all errors cost the same."
    } else {
        "Within the contour of ½ the class is likelier than all others together."
    };
    Ok(scene.picture(title, description, caption.into()))
}

/// The density of all rows, shaded, with ellipses that hold 50, 90 and 99 % of
/// each Gaussian.
///
/// # Errors
/// [`PlotError::NoDensities`] for a model without any, and what the classifier refuses of the view.
pub fn density(rule: &Classifier, rows: Option<&Table>, look: &Look) -> Result<Picture, PlotError> {
    if !rule.model().is_generative() {
        return Err(PlotError::NoDensities { model: rule.model().name() });
    }
    let mut scene = Scene::of(rule, rows, look)?;
    if scene.sight.is_slice() {
        scene.notes.extend(scene.sight.notes.clone());
    }
    let window = scene.window;
    let points = raw(&window, &centres(CELLS));
    let logs = scene.sight.log_densities(&points)?;
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The root, so that a wide class is seen beside a narrow one.
    let strength = |log: &f64| (Ink::Text, (DARK * (0.5 * (log - top)).exp()) as f32);
    let cells = logs.iter().map(strength).collect();
    scene.panel.layers.push(shading(&window, cells));
    scene.add_dots(look);
    let crowded = scene.is_crowded();
    if look.ellipses {
        for bell in &scene.sight.bells {
            let masses: &[f64] = if crowded { &MASSES[1..2] } else { &MASSES };
            for (&mass, width) in masses.iter().zip([1.5, 1.25, 1.0]) {
                let Some(radius) = bell.radius(mass) else { continue };
                let path = Path::ellipse(bell.mean, bell.covariance, radius);
                let stroke = Stroke { width, dash: Dash::Solid };
                let ink = Ink::Class(bell.class);
                scene.panel.layers.push(Layer::Line { path, ink, stroke });
            }
        }
        let label = if crowded { "90 % of a class" } else { "50, 90 and 99 % of a class" };
        let (label, sign) = (label.into(), Sign::Line(Stroke::PLAIN));
        scene.key.push(Key { label, ink: Ink::Text, sign });
    }
    scene.add_means();
    scene.key_classes();
    for key in scene.key.iter_mut().filter(|key| matches!(key.sign, Sign::Area(_))) {
        key.sign = Sign::Line(Stroke::PLAIN);
    }
    let title = look.title.clone().unwrap_or_else(|| "Density".into());
    let description = format!(
        "The density of {} in the plane of {}{}, densest where the shade is deepest.",
        plural(rule.classes().len(), "class"),
        scene.axes(),
        scene.rows_words(),
    );
    let caption = "The shade follows the root of the density of all classes together.";
    Ok(scene.picture(title, description, caption.into()))
}

fn raw(window: &Window, shares: &[[f64; 2]]) -> Vec<[f64; 2]> {
    shares.iter().map(|&t| place(window, t)).collect()
}

fn shading(window: &Window, cells: Vec<(Ink, f32)>) -> Layer {
    let Window { low, high } = *window;
    Layer::Shade(Shading { low, high, columns: CELLS[0], cells, smooth: true })
}

fn ends(values: &[f64]) -> (f64, f64) {
    values.iter().fold((1.0, 0.0), |(low, high), &p| (p.min(low), p.max(high)))
}

/// Where P(class | x) passes a level, and whether it was followed on a grid.
///
/// It is the boundary of a rule that says the class or nothing: saying it costs `level` where it is wrong, and
/// silence 1 − `level` where it was the class.
fn contour(
    sight: &Sight<'_>,
    class: usize,
    level: f64,
    window: &Window,
) -> Result<(Path, bool), PlotError> {
    let classes = sight.rule.classes().len();
    let cost = |k: usize| if k == class { [0.0, 1.0 - level] } else { [level, 0.0] };
    let costs = (0..classes).flat_map(cost).collect();
    let loss = Loss::new(classes, vec![Action::Class(class), Action::Reject], costs)?;
    let rule = sight.rule.clone().into_owned().with_loss(loss)?;
    if let Ok(curves) = rule.curves(&sight.view, window) {
        return Ok((drawn(&curves, window), false));
    }
    let mut says = |shares: &[[f64; 2]]| {
        let probs = sight.posteriors(class, &raw(window, shares))?;
        Ok(probs.into_iter().map(|p| usize::from(p > level)).collect())
    };
    let parts = traced(&mut says)?;
    Ok((Path { parts }.mapped(|t| place(window, t)), true))
}
