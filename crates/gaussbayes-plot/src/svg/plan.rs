//! Plans a panel: how large its field is, what its axes say, and how much room they need.

use crate::font;
use crate::picture::{Anchor, Axis, Layer, Panel, Ticks};
use crate::ticks::{self, Along, Scale};

/// Pixels of the label of an axis.
pub(super) const LABEL: f64 = 13.0;
/// Pixels of the title of a panel.
pub(super) const HEADING: f64 = 13.0;
/// Pixels of words between axes.
pub(super) const WORDS: f64 = 12.0;
/// Pixels of the line at a tick.
pub(super) const TICK: f64 = 4.0;
/// Pixels between a tick and what is written there.
pub(super) const SPACE: f64 = 4.0;
/// Pixels between a place and words beside it: room for a ring.
const APART: f64 = 9.0;
/// Pixels of a field whose axes have the same unit, at least: beyond, the shorter axis is drawn on.
const NARROWEST: f64 = 60.0;

/// Where the layers of a panel are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    /// Where both axes begin, in their units.
    pub(super) low: [f64; 2],
    /// Where they end.
    pub(super) high: [f64; 2],
    /// The upper left corner in pixels.
    pub(super) corner: [f64; 2],
    /// Pixels across and upward.
    pub(super) size: [f64; 2],
}

/// Pixels around a field.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Margins {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// A panel, measured.
#[derive(Debug, Clone)]
pub(super) struct Plan<'a> {
    /// The panel.
    pub(super) panel: &'a Panel,
    /// Its field, whose corner is not known yet.
    pub(super) field: Field,
    /// What is written along the axes.
    pub(super) scales: [Scale; 2],
    /// The labels of the axes.
    pub(super) labels: [Label; 2],
    /// The lines of its title.
    pub(super) heading: Vec<String>,
    /// What lies outside the field.
    pub(super) margins: Margins,
}

impl Field {
    /// Pixels of a place.
    pub(super) fn at(&self, place: [f64; 2]) -> [f64; 2] {
        let share = [0, 1].map(|i| (place[i] - self.low[i]) / (self.high[i] - self.low[i]));
        [self.corner[0] + share[0] * self.size[0], self.corner[1] + (1.0 - share[1]) * self.size[1]]
    }

    /// Whether a place lies between the axes, to half a pixel.
    pub(super) fn holds(&self, place: [f64; 2]) -> bool {
        (0..2).all(|i| {
            let share = (place[i] - self.low[i]) / (self.high[i] - self.low[i]);
            let slack = 0.5 / self.size[i];
            (-slack..=1.0 + slack).contains(&share)
        })
    }

    fn of(panel: &Panel) -> Self {
        let ends = [ticks::ends(&panel.across), ticks::ends(&panel.upward)];
        let (mut low, mut high) = (ends.map(|end| end[0]), ends.map(|end| end[1]));
        let most = panel.size.map(|side| if side.is_finite() { side.max(20.0) } else { 320.0 });
        let mut size = most;
        if panel.equal {
            let span = [0, 1].map(|i| high[i] - low[i]);
            let scale = (most[0] / span[0]).min(most[1] / span[1]);
            for i in 0..2 {
                let least = NARROWEST.min(most[i]);
                size[i] = (span[i] * scale).max(least);
                let more = (size[i] / scale - span[i]).max(0.0) / 2.0;
                (low[i], high[i]) = (low[i] - more, high[i] + more);
            }
        }
        Self { low, high, corner: [0.0; 2], size }
    }
}

impl<'a> Plan<'a> {
    pub(super) fn of(panel: &'a Panel) -> Self {
        let field = Field::of(panel);
        let axis =
            |i: usize, axis: &Axis| Axis { low: field.low[i], high: field.high[i], ..axis.clone() };
        let axes = [axis(0, &panel.across), axis(1, &panel.upward)];
        let scales = [
            Scale::of(&axes[0], field.size[0], Along::Across),
            Scale::of(&axes[1], field.size[1], Along::Upward),
        ];
        let labels = [0, 1].map(|i| Label::of(&axes[i], &scales[i], field.size[i] + 24.0));
        let heading = font::wrapped(&panel.title, HEADING, field.size[0].max(120.0));
        let mut plan = Self { panel, field, scales, labels, heading, margins: Margins::default() };
        plan.margins = plan.room();
        plan
    }

    /// Whether neither axis is drawn.
    pub(super) fn bare(&self) -> bool {
        self.panel.across.ticks == Ticks::Bare && self.panel.upward.ticks == Ticks::Bare
    }

    /// Pixels below the field that numbers and names across need.
    pub(super) fn below(&self) -> f64 {
        let [across, _] = &self.scales;
        match (across.ticks.is_empty(), across.slanted) {
            (true, _) => 0.0,
            (_, false) => TICK + SPACE + ticks::SIZE,
            (_, true) => {
                TICK + SPACE + ticks::SIZE * 0.8 + across.widest() * std::f64::consts::FRAC_1_SQRT_2
            }
        }
    }

    /// Pixels left of the field that numbers and names upward need.
    pub(super) fn beside(&self) -> f64 {
        let [_, upward] = &self.scales;
        if upward.ticks.is_empty() { 0.0 } else { TICK + SPACE + upward.widest() }
    }

    fn room(&self) -> Margins {
        let mut room = Margins { left: self.beside(), bottom: self.below(), ..Margins::default() };
        let Field { size, low, high, .. } = self.field;
        for tick in &self.scales[0].ticks {
            let at = (tick.at - low[0]) / (high[0] - low[0]) * size[0];
            let width = font::width(&tick.text, ticks::SIZE);
            let aslant = (width * std::f64::consts::FRAC_1_SQRT_2 + 4.0, 6.0);
            let slanted = self.scales[0].slanted;
            let (before, after) = if slanted { aslant } else { (width / 2.0, width / 2.0) };
            room.left = room.left.max(before - at);
            room.right = room.right.max(at + after - size[0]);
        }
        if !self.scales[1].ticks.is_empty() {
            room.top = ticks::SIZE / 2.0;
            room.bottom = room.bottom.max(ticks::SIZE / 2.0);
        }
        let [across, upward] = &self.labels;
        if !across.text.is_empty() {
            room.bottom += 6.0 + LABEL;
        }
        if !upward.text.is_empty() {
            room.left += 8.0 + LABEL;
        }
        if self.bare() {
            self.make_room_for_words(&mut room);
        }
        if !self.heading.is_empty() {
            room.top += 4.0 + self.heading.len() as f64 * (HEADING + 3.0);
        }
        room
    }

    /// Words at the corners of a bare panel lie outside its field.
    fn make_room_for_words(&self, room: &mut Margins) {
        for layer in &self.panel.layers {
            let Layer::Words { at, text, anchor, .. } = layer else {
                continue;
            };
            let [x, y] = self.field.at(*at);
            let [left, top, right, bottom] = around([x, y], text, *anchor);
            room.left = room.left.max(-left);
            room.top = room.top.max(-top);
            room.right = room.right.max(right - self.field.size[0]);
            room.bottom = room.bottom.max(bottom - self.field.size[1]);
        }
    }
}

/// Left, top, right and bottom of words beside a place.
pub(super) fn around([x, y]: [f64; 2], text: &str, anchor: Anchor) -> [f64; 4] {
    let (width, height) = (font::width(text, WORDS), WORDS);
    let (left, top) = match anchor {
        Anchor::Middle => (x - width / 2.0, y - height / 2.0),
        Anchor::Right => (x + APART, y - height / 2.0),
        Anchor::Left => (x - APART - width, y - height / 2.0),
        Anchor::Above => (x - width / 2.0, y - APART - height),
        Anchor::Below => (x - width / 2.0, y + APART),
    };
    [left, top, left + width, top + height]
}

/// What an axis shows.
#[derive(Debug, Clone)]
pub(super) struct Label {
    /// What there is room for.
    pub(super) text: String,
    /// All of it.
    pub(super) full: String,
}

impl Label {
    /// The label of an axis of so many pixels, with what all of its numbers share.
    fn of(axis: &Axis, scale: &Scale, length: f64) -> Self {
        let name = axis.label.trim();
        let mut rest = String::new();
        if let Some(shared) = &scale.shared {
            let size = shared.strip_prefix('−');
            rest = size.map_or_else(|| format!(" − {shared}"), |size| format!(" + {size}"));
        }
        if let Some(power) = &scale.power {
            rest += &format!(" (in {power})");
        }
        // Numbers are never cut: a name is, and where it is read from the right it stays to their left.
        let room = (length - font::width(&rest, LABEL)).max(60.0);
        let short = font::shortened(name, LABEL, room);
        let isolated = |name: &str| match (name.is_empty(), rest.is_empty()) {
            (true, _) => rest.trim_start().to_string(),
            (_, true) => name.to_string(),
            _ => format!("\u{2068}{name}\u{2069}{rest}"),
        };
        Self { text: isolated(&short), full: isolated(name) }
    }
}
