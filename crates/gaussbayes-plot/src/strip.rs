//! Draws the regions of a classifier of one column as a strip along it.

use gaussbayes::{Classifier, Region, Table};

use crate::dots::{classes_of, column};
use crate::error::PlotError;
use crate::ground::TINT;
use crate::look::Look;
use crate::path::Path;
use crate::picture::{Anchor, Axis, Ink, Key, Layer, Panel, Picture, Sign, Stroke};
use crate::say::plural;
use crate::scene::{class_key, fits};
use crate::sight::action_name;
use crate::window::Bounds;

/// Points along the axis at which decisions are compared where no formula gives their changes.
const PLACES: usize = 1000;

/// Times that the stretch between two of them is halved.
const HALVINGS: usize = 40;

/// The regions of one column, and rows above each other by class.
pub(crate) fn strip(
    rule: &Classifier,
    rows: Option<&Table>,
    look: &Look,
) -> Result<Picture, PlotError> {
    let classes = rule.classes().len();
    let values = match rows {
        Some(rows) => {
            fits(rows, 1)?;
            column(rows, 0)?
        }
        None => Vec::new(),
    };
    let (low, high) = if let Some(window) = look.window {
        (window.low[0], window.high[0])
    } else {
        let mut bells = Bounds::NONE;
        if let Ok(mixture) = rule.mixture() {
            for k in 0..mixture.components() {
                bells.add_bell(mixture.raw_mean(k)[0], mixture.raw_covariance(k)[0]);
            }
        }
        Bounds::of(values.iter().copied()).with_margin().joined(bells).ends()
    };
    let mut notes = Vec::new();
    let regions = if let Ok(regions) = rule.regions() {
        regions
    } else {
        notes.push("thresholds are followed from point to point".into());
        followed(rule, low, high)?
    };
    let across = Axis::new(rule.features()[0].clone(), low, high);
    let mut panel = Panel::new(across, Axis::bare(0.0, 1.0));
    panel.size = [look.size[0], 0.4 * look.size[1]];
    let mut thresholds = Path::default();
    let mut shown = 0;
    for region in &regions {
        let (from, to) = (region.from.max(low), region.to.min(high));
        if from >= to {
            continue;
        }
        shown += 1;
        let path = Path::polygon(&[[from, 0.0], [to, 0.0], [to, 1.0], [from, 1.0]]);
        let ink = rule
            .action_label(region.action)
            .map_or(Ink::Reject, |label| rule.class(label).map_or(Ink::Reject, Ink::Class));
        panel.layers.push(Layer::Area { path, ink, strength: TINT, hatched: ink == Ink::Reject });
        let text = action_name(rule, region.action);
        let room = (to - from) / (high - low) * look.size[0];
        if look.names && room > 7.0 * (text.chars().count() + 1) as f64 {
            let at = [0.5 * (from + to), 0.92];
            panel.layers.push(Layer::Words { at, text, anchor: Anchor::Middle, ink });
        }
        if from > low {
            thresholds.parts.extend(Path::line(&[[from, 0.0], [from, 1.0]]).parts);
        }
    }
    if let Some(rows) = rows {
        // A lane per class, so that rows of one value do not hide those of another class.
        let owners = classes_of(rows, rule.classes());
        let lane = |class: Option<usize>| {
            0.8 * (class.map_or(0, |k| k + 1) as f64 + 0.5) / (classes + 1) as f64
        };
        let points = values.iter().zip(&owners).map(|(x, class)| [*x, lane(*class)]);
        let dots = crate::dots::grouped(points, &owners);
        let window = gaussbayes::Window { low: [low, 0.0], high: [high, 1.0] };
        let (layers, note) = crate::dots::layers(&dots, &window, look.most);
        panel.layers.extend(layers);
        notes.extend(note);
    }
    let cuts = thresholds.parts.len();
    panel.layers.push(Layer::Line { path: thresholds, ink: Ink::Text, stroke: Stroke::BOUNDARY });
    let title = look.title.clone().unwrap_or_else(|| "Decision regions".into());
    let mut picture = Picture::of(title, panel);
    picture.description = format!(
        "{} along {} for {}, cut at {}.",
        plural(shown, "region"),
        rule.features()[0],
        plural(classes, "class"),
        plural(cuts, "threshold"),
    );
    picture.caption =
        "Each stretch of the axis is decided alike; figure densities shows why.".into();
    picture.key = class_key(rule.classes(), rows.is_some());
    let (label, sign) = ("threshold".into(), Sign::Line(Stroke::BOUNDARY));
    picture.key.push(Key { label, ink: Ink::Text, sign });
    picture.notes = notes;
    Ok(picture)
}

/// Stretches of one action between points, their ends found by halving.
pub(crate) fn followed(rule: &Classifier, low: f64, high: f64) -> Result<Vec<Region>, PlotError> {
    let actions = |at: &[f64]| -> Result<Vec<usize>, gaussbayes::Error> {
        let rows = gaussbayes::Rows::new(at.to_vec(), 1)?;
        rule.actions(&gaussbayes::Block::new(0, rows, None, None)?)
    };
    let place = |i: usize| low + (high - low) * i as f64 / PLACES as f64;
    let places: Vec<f64> = (0..=PLACES).map(place).collect();
    let said = actions(&places)?;
    let mut regions = vec![Region { from: low, to: high, action: said[0] }];
    for i in 1..=PLACES {
        if said[i] == said[i - 1] {
            continue;
        }
        let (mut from, mut to) = (places[i - 1], places[i]);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (from + to);
            let same = actions(&[middle])?[0] == said[i - 1];
            *(if same { &mut from } else { &mut to }) = middle;
        }
        if let Some(last) = regions.last_mut() {
            last.to = to;
        }
        regions.push(Region { from: to, to: high, action: said[i] });
    }
    Ok(regions)
}
