//! Draws the regions of a classifier's decisions in two columns, with exact boundaries.

use gaussbayes::{Classifier, Table};

use crate::column::Along;
use crate::densities::densities;
use crate::error::PlotError;
use crate::ground::{Ground, TINT, ground, ink};
use crate::look::Look;
use crate::picture::{Ink, Key, Layer, Picture, Sign, Stroke};
use crate::say::plural;
use crate::scene::Scene;
use crate::sight::{Sight, action_name};

/// Decision regions with the boundaries between them, the ellipses of the classes, and rows.
///
/// Boundaries are conics where each class is one Gaussian, exactly; otherwise they are traced, and a note
/// says so. More than two columns are projected on two, or sliced, as `look` says; of a single one the
/// densities are drawn, or a strip where there are none.
///
/// # Errors
/// What the classifier refuses of the view; [`PlotError::BadShare`] for the mass of ellipses.
pub fn regions(rule: &Classifier, rows: Option<&Table>, look: &Look) -> Result<Picture, PlotError> {
    if rule.features().len() == 1 {
        let along = densities(rule, rows, Along::Column(0));
        return along.or_else(|_| crate::strip::strip(rule, rows, look));
    }
    let mut scene = Scene::of(rule, rows, look)?;
    scene.notes.extend(scene.sight.notes.clone());
    let ground = ground(&scene.sight, &scene.window, look.size)?;
    scene.panel.layers.extend(areas(&scene.sight, &ground));
    scene.add_dots(look);
    scene.add_ellipses(look);
    let crowded = scene.is_crowded();
    let stroke = if crowded { Stroke::PLAIN } else { Stroke::BOUNDARY };
    let path = ground.lines.clone();
    scene.panel.layers.push(Layer::Line { path, ink: Ink::Text, stroke });
    let rejects = ground.areas.iter().any(|(action, _)| ink(&scene.sight, *action) == Ink::Reject);
    if rejects {
        let (label, sign) = (gaussbayes::Action::REJECT.into(), Sign::Hatched(TINT));
        scene.key.insert(0, Key { label, ink: Ink::Reject, sign });
    }
    if !(crowded && look.names) {
        scene.add_means();
    }
    if look.names {
        scene.name_regions(&ground);
    }
    scene.key_classes();
    scene.notes.extend(ground.note.clone());
    let boundary = boundary_words(&ground);
    let taken = ground.areas.len();
    let title = look.title.clone().unwrap_or_else(|| "Decision regions".into());
    let classes = rule.classes().len();
    let description = format!(
        "{} of {} {}{} in the plane of {}{}. {boundary}",
        plural(taken, "region"),
        plural(classes, "class"),
        if rejects { "and rejection " } else { "" },
        "as the classifier decides",
        scene.axes(),
        scene.rows_words(),
    );
    let caption = format!("{} {}", caption(&scene.sight.rule, &ground), boundary);
    Ok(scene.picture(title, description, caption))
}

/// Layers of the regions.
pub(crate) fn areas(sight: &Sight<'_>, ground: &Ground) -> Vec<Layer> {
    let mut layers: Vec<Layer> = ground.cells.iter().cloned().map(Layer::Shade).collect();
    for (action, path) in &ground.areas {
        let ink = ink(sight, *action);
        let (path, hatched) = (path.clone(), ink == Ink::Reject);
        layers.push(Layer::Area { path, ink, strength: TINT, hatched });
    }
    layers
}

fn boundary_words(ground: &Ground) -> String {
    if ground.lines.parts.is_empty() {
        return "No boundary is in sight.".into();
    }
    if ground.kinds.is_empty() {
        return "The boundary is traced, for no formula gives it.".into();
    }
    let names: Vec<&str> = ground.kinds.iter().map(|kind| kind.name()).collect();
    match names[..] {
        [one] => format!("The boundary is of one kind: {one}."),
        _ => format!("The boundaries are of {} kinds: {}.", names.len(), names.join(", ")),
    }
}

fn caption(rule: &Classifier, ground: &Ground) -> String {
    let absent: Vec<String> = (0..rule.loss().actions().len())
        .filter(|action| {
            ground.cells.is_none() && ground.areas.iter().all(|(own, _)| own != action)
        })
        .map(|action| action_name(rule, action))
        .collect();
    match absent.len() {
        0 => "Every point of a region is decided alike.".into(),
        1..=4 => format!("Nowhere in sight is the decision {}.", absent.join(" or ")),
        n => format!("{n} of the decisions are taken nowhere in sight."),
    }
}
