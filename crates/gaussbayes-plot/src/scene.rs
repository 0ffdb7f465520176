//! Puts together what pictures of two columns share: window, rows, ellipses, names and a key.

use gaussbayes::{Classifier, Label, Table, Window};

use crate::dots::{Dots, dots, layers, sign};
use crate::error::PlotError;
use crate::ground::Ground;
use crate::look::Look;
use crate::path::Path;
use crate::picture::{Anchor, Axis, Dash, Ink, Key, Layer, Mark, Panel, Picture, Sign, Stroke};
use crate::pole::place;
use crate::say::{per_cent, plural, short};
use crate::sight::{Sight, action_name};
use crate::window::{Bounds, window};

/// Classes that the key names one by one.
pub(crate) const KEYED: usize = 12;

/// Pixels that a letter of a name takes, about.
const LETTER: f64 = 7.0;

/// Rows that names keep away from, at most.
const OBSTACLES: usize = 500;

/// A picture of two columns in the making.
pub(crate) struct Scene<'a> {
    pub(crate) sight: Sight<'a>,
    pub(crate) window: Window,
    pub(crate) dots: Vec<Dots>,
    pub(crate) panel: Panel,
    pub(crate) key: Vec<Key>,
    pub(crate) notes: Vec<String>,
}

impl<'a> Scene<'a> {
    pub(crate) fn of(
        rule: &'a Classifier,
        rows: Option<&Table>,
        look: &Look,
    ) -> Result<Self, PlotError> {
        look.check()?;
        let sight = Sight::of(rule, &look.view)?;
        let dots = match rows {
            Some(rows) => {
                fits(rows, rule.features().len())?;
                dots(rows, rule.classes(), sight.columns)?
            }
            None => Vec::new(),
        };
        let (window, equal) = match look.window {
            Some(window) => (window, false),
            None => seen(&sight, &dots, look.size),
        };
        let names = sight.names();
        let [across, upward] =
            [0, 1].map(|j: usize| Axis::new(names[j].clone(), window.low[j], window.high[j]));
        let mut panel = Panel::new(across, upward);
        (panel.equal, panel.size) = (equal, look.size);
        let notes = constant(&dots, &names);
        Ok(Self { sight, window, dots, panel, key: Vec::new(), notes })
    }

    /// Rows, thinned where there are very many.
    pub(crate) fn add_dots(&mut self, look: &Look) {
        let (layers, note) = layers(&self.dots, &self.window, look.most);
        self.panel.layers.extend(layers);
        self.notes.extend(note);
    }

    /// The ellipse of every Gaussian that holds a share of its rows.
    pub(crate) fn add_ellipses(&mut self, look: &Look) {
        if !look.ellipses {
            return;
        }
        let stroke = Stroke { width: 1.5, dash: Dash::Dashed };
        for bell in &self.sight.bells {
            let Some(radius) = bell.radius(look.mass).filter(|_| bell.weight > 0.0) else {
                continue;
            };
            let path = Path::ellipse(bell.mean, bell.covariance, radius);
            self.panel.layers.push(Layer::Line { path, ink: Ink::Class(bell.class), stroke });
        }
        if !self.sight.bells.is_empty() {
            let label = format!("{} of a class", per_cent(look.mass));
            self.key.push(Key { label, ink: Ink::Text, sign: Sign::Line(stroke) });
        }
    }

    /// A cross at every mean; of more classes than the key names, their names.
    pub(crate) fn add_means(&mut self) {
        if self.is_crowded() {
            for bell in &self.sight.bells {
                let text = self.sight.rule.classes()[bell.class].to_string();
                let (at, anchor, ink) = (bell.mean, Anchor::Middle, Ink::Text);
                self.panel.layers.push(Layer::Words { at, text, anchor, ink });
            }
            return;
        }
        let at: Vec<[f64; 2]> = self.sight.bells.iter().map(|bell| bell.mean).collect();
        if !at.is_empty() {
            self.panel.layers.push(Layer::Points { at, mark: Mark::Centre, ink: Ink::Text });
            let (ink, sign) = (Ink::Text, Sign::Mark(Mark::Centre));
            self.key.push(Key { label: "mean".into(), ink, sign });
        }
    }

    /// Whether there are more classes than the key names.
    pub(crate) fn is_crowded(&self) -> bool {
        self.sight.rule.classes().len() > KEYED
    }

    /// The name of each action, in its largest region, where there is room, away from rows and means.
    pub(crate) fn name_regions(&mut self, ground: &Ground) {
        let Window { low, high } = self.window;
        let share = |x: [f64; 2]| [0, 1].map(|j| (x[j] - low[j]) / (high[j] - low[j]));
        let dots = self.dots.iter().flat_map(|dots| &dots.at).take(OBSTACLES);
        let means = self.sight.bells.iter().map(|bell| &bell.mean);
        let taken: Vec<[f64; 2]> = means.chain(dots).map(|&x| share(x)).collect();
        let rule = &self.sight.rule;
        for action in 0..rule.loss().actions().len() {
            let own = ground.regions.iter().filter(|region| region.action == action);
            let Some(largest) = own.max_by(|a, b| a.room.total_cmp(&b.room)) else { continue };
            let text = action_name(rule, action);
            let enough = (0.5 * LETTER * text.chars().count() as f64).max(9.0);
            let at = place(&largest.face.rings, self.panel.size, &taken, enough);
            let Some((at, _)) = at else { continue };
            if largest.room >= enough {
                let ink = crate::ground::ink(&self.sight, action);
                let (at, anchor) = (crate::ground::place(&self.window, at), Anchor::Middle);
                self.panel.layers.push(Layer::Words { at, text, anchor, ink });
            }
        }
    }

    /// Lines of the key for the classes, before the others.
    pub(crate) fn key_classes(&mut self) {
        let mut key = class_key(self.sight.rule.classes(), !self.dots.is_empty());
        if key.is_empty() {
            let n = self.sight.rule.classes().len();
            self.notes.push(format!("{n} classes: their colours and signs repeat"));
        }
        if self.dots.iter().any(|dots| dots.class.is_none()) {
            let (mark, ink) = sign(None);
            key.push(Key { label: "no known class".into(), ink, sign: Sign::Mark(mark) });
        }
        key.append(&mut self.key);
        self.key = key;
    }

    /// The two columns in words.
    pub(crate) fn axes(&self) -> String {
        let [across, upward] = self.sight.names();
        format!("{across} and {upward}")
    }

    /// How many rows there are, in words.
    pub(crate) fn rows_words(&self) -> String {
        match self.dots.iter().map(|dots| dots.at.len()).sum::<usize>() {
            0 => String::new(),
            n => format!(", with {}", plural(n, "row")),
        }
    }

    pub(crate) fn picture(self, title: String, description: String, caption: String) -> Picture {
        let mut picture = Picture::of(title, self.panel);
        (picture.description, picture.caption) = (description, caption);
        (picture.key, picture.notes) = (self.key, self.notes);
        picture
    }
}

/// Says which columns have one value in all rows.
pub(crate) fn constant(dots: &[Dots], names: &[String; 2]) -> Vec<String> {
    let mut notes = Vec::new();
    for (j, name) in names.iter().enumerate() {
        let mut values = dots.iter().flat_map(|dots| dots.at.iter().map(move |at| at[j]));
        let Some(first) = values.next() else { continue };
        let mut others = values.peekable();
        if others.peek().is_some() && others.all(|x| x == first) {
            notes.push(format!("{name} is {} in all rows", short(first)));
        }
    }
    notes
}

/// A line of the key per class; none where there are too many.
pub(crate) fn class_key(classes: &[Label], dots: bool) -> Vec<Key> {
    if classes.len() > KEYED {
        return Vec::new();
    }
    let key = |(k, label): (usize, &Label)| Key {
        label: label.to_string(),
        ink: Ink::Class(k),
        sign: if dots { Sign::Mark(Mark::Class(k)) } else { Sign::Area(2.0 * crate::ground::TINT) },
    };
    classes.iter().enumerate().map(key).collect()
}

/// Refuses rows of other columns than the classifier has.
pub(crate) fn fits(rows: &Table, expected: usize) -> Result<(), PlotError> {
    let (what, found) = ("columns of a row", rows.dim);
    if expected == found {
        return Ok(());
    }
    Err(gaussbayes::Error::Shape { what, expected, found }.into())
}

/// The window around rows and Gaussians.
fn seen(sight: &Sight<'_>, dots: &[Dots], size: [f64; 2]) -> (Window, bool) {
    let [across, upward] = [0, 1].map(|j: usize| {
        let rows = Bounds::of(dots.iter().flat_map(|dots| dots.at.iter().map(move |at| at[j])));
        let mut bells = Bounds::NONE;
        for bell in sight.bells.iter().filter(|bell| bell.weight > 0.0) {
            bells.add_bell(bell.mean[j], bell.covariance[2 * j]);
        }
        rows.with_margin().joined(bells)
    });
    window(across, upward, size)
}
