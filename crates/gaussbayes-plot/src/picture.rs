//! Describes a figure in the units of its data: panels, axes, layers and a key.

use crate::path::Path;

/// A figure: panels, and what is said about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The title.
    pub title: String,
    /// What is to be seen, for those who cannot look.
    pub description: String,
    /// What to notice: printed beside the picture, not into it.
    pub caption: String,
    /// The panels.
    pub panels: Vec<Panel>,
    /// Where the panels are.
    pub arrangement: Arrangement,
    /// What the signs mean.
    pub key: Vec<Key>,
    /// Small print below: what was left out or thinned.
    pub notes: Vec<String>,
}

/// Where panels are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arrangement {
    /// Side by side, so many to a line.
    Grid {
        /// Panels of a line.
        columns: usize,
    },
    /// One after the other at the same place; what does not move shows the last.
    Frames {
        /// Seconds that each is shown.
        seconds: f64,
    },
}

/// A pair of axes with what is drawn between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// A title of its own; empty where there is none.
    pub title: String,
    /// The axis from left to right.
    pub across: Axis,
    /// The axis from bottom to top.
    pub upward: Axis,
    /// Whether a unit is as long across as upward.
    pub equal: bool,
    /// Pixels that the layers have, across and upward, at most.
    pub size: [f64; 2],
    /// What is drawn, from the back to the front.
    pub layers: Vec<Layer>,
}

/// One axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it shows; empty where there is nothing to say.
    pub label: String,
    /// Where it begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// How places on it are marked.
    pub ticks: Ticks,
}

/// How places on an axis are marked.
#[derive(Debug, Clone, PartialEq)]
pub enum Ticks {
    /// By round numbers.
    Numbers,
    /// By powers of ten: the axis holds logarithms to the base 10.
    Powers,
    /// By words.
    Named(Vec<(f64, String)>),
    /// Not at all, and without a line.
    Bare,
}

/// Something drawn between axes, in their units.
#[derive(Debug, Clone, PartialEq)]
pub enum Layer {
    /// What a path encloses; what two of its parts enclose is left out.
    Area {
        /// The outline.
        path: Path,
        /// The colour.
        ink: Ink,
        /// How much of the colour there is: 0 none, 1 all.
        strength: f64,
        /// Whether lines across tell it from other areas without colour.
        hatched: bool,
    },
    /// A path.
    Line {
        /// The path.
        path: Path,
        /// The colour.
        ink: Ink,
        /// How it is drawn.
        stroke: Stroke,
    },
    /// A sign at every point.
    Points {
        /// Where.
        at: Vec<[f64; 2]>,
        /// The sign.
        mark: Mark,
        /// The colour.
        ink: Ink,
    },
    /// Cells of colour: what has no outline.
    Shade(Shading),
    /// Words at a place.
    Words {
        /// The place.
        at: [f64; 2],
        /// The words.
        text: String,
        /// On which side of the place they are.
        anchor: Anchor,
        /// The colour.
        ink: Ink,
    },
    /// A line with a head.
    Arrow {
        /// Where it begins.
        from: [f64; 2],
        /// Where its head is.
        to: [f64; 2],
        /// The colour.
        ink: Ink,
    },
}

/// A grid of cells, each with a colour and how much of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Shading {
    /// Where the grid begins.
    pub low: [f64; 2],
    /// Where it ends.
    pub high: [f64; 2],
    /// Cells of a line.
    pub columns: usize,
    /// The cells line by line, the highest line first.
    pub cells: Vec<(Ink, f32)>,
    /// Whether colours pass into each other: not where cells are decisions.
    pub smooth: bool,
}

/// A colour by its meaning: what it looks like depends on the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Text and axes.
    Text,
    /// What stands back: lines of a grid, rows of no class.
    Faint,
    /// The paper.
    Paper,
    /// What is wrong: errors, outliers.
    Alarm,
    /// An action that is no class: rejection.
    Reject,
    /// A class by its number, from 0.
    Class(usize),
}

/// A sign of points: that of a class tells it from others without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// The sign of a class by its number.
    Class(usize),
    /// A small dot.
    Dot,
    /// A centre, such as a mean.
    Centre,
    /// A ring around what is pointed out.
    Ring,
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// Pixels.
    pub width: f64,
    /// Its pattern.
    pub dash: Dash,
}

/// The pattern of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dash {
    /// Without gaps.
    Solid,
    /// Long strokes.
    Dashed,
    /// Dots.
    Dotted,
}

/// On which side of a place words are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// Around it.
    Middle,
    /// To its right.
    Right,
    /// To its left.
    Left,
    /// Above.
    Above,
    /// Below.
    Below,
}

/// A line of the key.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// What it means.
    pub label: String,
    /// The colour.
    pub ink: Ink,
    /// The sign.
    pub sign: Sign,
}

/// A sign of the key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sign {
    /// Points.
    Mark(Mark),
    /// A line.
    Line(Stroke),
    /// An area of a strength.
    Area(f64),
    /// An area with lines across.
    Hatched(f64),
}

impl Ink {
    /// Red, green and blue on light or on dark paper.
    pub fn rgb(self, dark: bool) -> [u8; 3] {
        crate::ink::colour(self, dark)
    }
}

impl Stroke {
    /// Pixels of strokes and of gaps; none for a line without gaps.
    pub fn gaps(self) -> Option<[f64; 2]> {
        crate::ink::dashes(self.dash, self.width)
    }

    /// A line of usual width.
    pub const PLAIN: Self = Self { width: 1.5, dash: Dash::Solid };
    /// A boundary between decisions.
    pub const BOUNDARY: Self = Self { width: 2.0, dash: Dash::Solid };
    /// What is only a help.
    pub const THIN: Self = Self { width: 1.0, dash: Dash::Dashed };
}

impl Axis {
    /// An axis of round numbers.
    pub fn new(label: impl Into<String>, low: f64, high: f64) -> Self {
        Self { label: label.into(), low, high, ticks: Ticks::Numbers }
    }

    /// An axis that is not drawn.
    pub fn bare(low: f64, high: f64) -> Self {
        Self { label: String::new(), low, high, ticks: Ticks::Bare }
    }
}

impl Panel {
    /// An empty panel of the usual size.
    pub fn new(across: Axis, upward: Axis) -> Self {
        let (title, layers) = (String::new(), Vec::new());
        Self { title, across, upward, equal: false, size: [400.0, 320.0], layers }
    }
}

impl Picture {
    /// A picture of one panel.
    pub fn of(title: impl Into<String>, panel: Panel) -> Self {
        Self::grid(title, vec![panel], 1)
    }

    /// Panels side by side.
    pub fn grid(title: impl Into<String>, panels: Vec<Panel>, columns: usize) -> Self {
        Self {
            title: title.into(),
            description: String::new(),
            caption: String::new(),
            panels,
            arrangement: Arrangement::Grid { columns },
            key: Vec::new(),
            notes: Vec::new(),
        }
    }
}
