//! Writes pictures as SVG: one self-contained file, or a piece of a page.

mod axes;
mod conic;
mod frames;
mod key;
mod layers;
mod marks;
mod plan;
mod shade;
mod shape;
mod style;
mod write;

pub use style::style;

use crate::font;
use crate::ink::{Theme, class_name};
use crate::picture::{Arrangement, Ink, Layer, Picture, Sign};
use key::Legend;
use layers::Press;
use plan::{Margins, Plan};
use write::{Line, escaped, number};

/// Pixels around everything.
const EDGE: f64 = 12.0;
/// Pixels between panels.
const BETWEEN: f64 = 18.0;
/// Pixels of the title.
const TITLE: f64 = 15.0;
/// Pixels of the small print.
const SMALL: f64 = 11.0;
/// Pixels across of what is written above and below the panels, at least.
const NARROWEST: f64 = 240.0;

/// How a picture is put on paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The paper.
    pub theme: Theme,
    /// Begins every id: pictures of one page have different ones.
    pub id: String,
    /// For a page that holds [`style`] once.
    pub inline: bool,
}

impl Default for Sheet {
    fn default() -> Self {
        Self { theme: Theme::Light, id: "figure".into(), inline: false }
    }
}

impl Picture {
    /// The picture as SVG.
    pub fn svg(&self, sheet: &Sheet) -> String {
        let id = write::id(&sheet.id);
        let press = Press { id: &id, theme: sheet.theme };
        let mut plans: Vec<Plan> = self.panels.iter().map(Plan::of).collect();
        let margins = grid_margins(&plans, self.columns());
        // Without axes, words outside the field are no margin that text keeps to.
        let left = margins.first().filter(|_| !plans.iter().all(Plan::bare));
        let left = left.map_or(0.0, |first| first.left);
        let mut width = place_panels(&mut plans, self, 0.0)[0];
        width = width.max(NARROWEST + left + 2.0 * EDGE);
        // Text above and below begins where the first field does.
        let (begin, room) = (EDGE + left, width - left - 2.0 * EDGE);
        let title = font::wrapped(&self.title, TITLE, room);
        let mut y = EDGE;
        let mut body = block(&title, [begin, y], TITLE, "gb-text");
        if !title.is_empty() {
            y += title.len() as f64 * line_height(TITLE) + 8.0;
        }
        y = place_panels(&mut plans, self, y)[1];
        body += &frames::panels(&plans, self.arrangement, press);
        let legend = Legend::of(&self.key, room);
        if legend.height > 0.0 {
            y += 12.0;
            body += &legend.svg([begin, y], press);
            y += legend.height;
        }
        for note in &self.notes {
            let lines = font::wrapped(note, SMALL, room);
            y += 6.0;
            body += &block(&lines, [begin, y], SMALL, "gb-text");
            y += lines.len() as f64 * line_height(SMALL);
        }
        let defs: String =
            plans.iter().enumerate().map(|(i, plan)| layers::edges(plan, i, press)).collect();
        let defs = defs + &self.hatches(press);
        self.head(sheet, press, [width, y + EDGE])
            + "<defs>\n"
            + &defs
            + "</defs>\n"
            + &body
            + "</svg>\n"
    }

    fn head(&self, sheet: &Sheet, press: Press, [width, height]: [f64; 2]) -> String {
        let [width, height] = [width.ceil(), height.ceil()].map(number);
        let id = press.id;
        // Strokes lie below by an attribute: checkers of style sheets do not know the property.
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{id}\" class=\"gb-figure\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" paint-order=\"stroke\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n<title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n",
            escaped(&self.title),
            escaped(&self.description)
        );
        if !sheet.inline {
            out += &format!("<style>\n{}</style>\n", style(sheet.theme));
            out +=
                "<rect class=\"gb-paper\" width=\"100%\" height=\"100%\" fill=\"currentColor\"/>\n";
        }
        out
    }

    fn columns(&self) -> usize {
        match self.arrangement {
            Arrangement::Grid { columns } => columns.max(1),
            Arrangement::Frames { .. } => 1,
        }
    }

    /// The patterns of all areas with lines across.
    fn hatches(&self, press: Press) -> String {
        let layers =
            self.panels.iter().flat_map(|panel| &panel.layers).filter_map(|layer| match layer {
                Layer::Area { ink, hatched: true, .. } => Some(*ink),
                _ => None,
            });
        let key =
            self.key.iter().filter(|key| matches!(key.sign, Sign::Hatched(_))).map(|key| key.ink);
        let mut inks: Vec<Ink> = Vec::new();
        for ink in layers.chain(key) {
            if inks.iter().all(|known| class_name(*known) != class_name(ink)) {
                inks.push(ink);
            }
        }
        inks.into_iter().map(|ink| layers::hatch(ink, press)).collect()
    }
}

/// Lines of text, one below the other.
fn block(lines: &[String], [x, y]: [f64; 2], size: f64, class: &str) -> String {
    let line = |(i, text): (usize, &String)| {
        let at = [x, y + size * 0.9 + i as f64 * line_height(size)];
        let more = format!(" class=\"{class}\"");
        Line { at, size, anchor: "start", more, text, full: None }.svg()
    };
    lines.iter().enumerate().map(line).collect()
}

fn line_height(size: f64) -> f64 {
    (size * 1.35).round()
}

/// The widest margins to the left and right of each column.
fn grid_margins(plans: &[Plan], columns: usize) -> Vec<Margins> {
    let mut margins = vec![Margins::default(); columns.min(plans.len())];
    for (i, plan) in plans.iter().enumerate() {
        let margin = &mut margins[i % columns];
        margin.left = margin.left.max(plan.margins.left);
        margin.right = margin.right.max(plan.margins.right);
    }
    margins
}

/// Gives every field its corner, below a line; returns the whole width and the line below all panels.
fn place_panels(plans: &mut [Plan], picture: &Picture, top: f64) -> [f64; 2] {
    let columns = picture.columns();
    let frames = matches!(picture.arrangement, Arrangement::Frames { .. });
    let margins = grid_margins(plans, columns);
    let mut lefts = Vec::new();
    let mut x = EDGE;
    for (column, margin) in margins.iter().enumerate() {
        let fields = plans.iter().skip(column).step_by(columns).map(|plan| plan.field.size[0]);
        let widest = fields.fold(0.0, f64::max);
        lefts.push(x + margin.left);
        x += margin.left + widest + margin.right + BETWEEN;
    }
    let width = (x - BETWEEN + EDGE).max(2.0 * EDGE);
    let mut y = top;
    let row_length = if frames { plans.len().max(1) } else { columns };
    for row in plans.chunks_mut(row_length) {
        let most = |part: fn(&Plan) -> f64| row.iter().map(part).fold(0.0, f64::max);
        let above = most(|plan| plan.margins.top);
        let field = most(|plan| plan.field.size[1]);
        let below = most(|plan| plan.margins.bottom);
        for (i, plan) in row.iter_mut().enumerate() {
            plan.field.corner = [lefts[i % lefts.len()], y + above];
        }
        y += above + field + below + BETWEEN;
    }
    [width, y - if plans.is_empty() { 0.0 } else { BETWEEN }]
}
