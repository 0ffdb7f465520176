//! Draws the axes of a panel, its title and what is written along them.

use super::plan::{HEADING, LABEL, Label, Plan, SPACE, TICK};
use super::write::{Line, number, place};
use crate::picture::Ticks;
use crate::ticks;

/// Lines, ticks, numbers, labels and title of a panel.
pub(super) fn axes(plan: &Plan) -> String {
    let mut out = String::from("<g class=\"gb-text\">\n");
    let field = &plan.field;
    let ([left, top], [right, bottom]) =
        (field.corner, [field.corner[0] + field.size[0], field.corner[1] + field.size[1]]);
    let mut lines = String::new();
    if plan.panel.across.ticks != Ticks::Bare {
        lines += &format!("M{}H{}", place([left, bottom]), number(right));
    }
    if plan.panel.upward.ticks != Ticks::Bare {
        lines += &format!("M{}V{}", place([left, top]), number(bottom));
    }
    for tick in &plan.scales[0].ticks {
        let x = field.at([tick.at, field.low[1]])[0];
        lines += &format!("M{}v{}", place([x, bottom]), number(TICK));
        let at = [x, bottom + TICK + SPACE + ticks::SIZE * 0.8];
        let turn = || format!(" transform=\"rotate(-45 {})\"", place([x, at[1] - 2.0]));
        let slanted = plan.scales[0].slanted;
        let (anchor, more) = if slanted { ("end", turn()) } else { ("middle", String::new()) };
        let (text, full) = (&tick.text, Some(tick.full.as_str()));
        out += &Line { at, size: ticks::SIZE, anchor, more, text, full }.svg();
    }
    for tick in &plan.scales[1].ticks {
        let y = field.at([field.low[0], tick.at])[1];
        lines += &format!("M{}h{}", place([left, y]), number(-TICK));
        let at = [left - TICK - SPACE, y + ticks::SIZE * 0.36];
        let (text, full) = (&tick.text, Some(tick.full.as_str()));
        out +=
            &Line { at, size: ticks::SIZE, anchor: "end", more: String::new(), text, full }.svg();
    }
    if !lines.is_empty() {
        out += &format!("<path class=\"gb-line\" d=\"{lines}\"/>\n");
    }
    out + &labels(plan) + &heading(plan) + "</g>\n"
}

fn labels(plan: &Plan) -> String {
    let mut out = String::new();
    let field = &plan.field;
    let [across, upward] = &plan.labels;
    let centre = [0, 1].map(|i| field.corner[i] + field.size[i] / 2.0);
    if !across.text.is_empty() {
        let baseline = field.corner[1] + field.size[1] + plan.below() + 6.0 + LABEL * 0.8;
        let at = [centre[0], baseline];
        let Label { text, full } = across;
        let (anchor, more) = ("middle", String::new());
        out += &Line { at, size: LABEL, anchor, more, text, full: Some(full) }.svg();
    }
    if !upward.text.is_empty() {
        let at = [field.corner[0] - plan.beside() - 10.0, centre[1]];
        let more = format!(" transform=\"rotate(-90 {})\"", place(at));
        let Label { text, full } = upward;
        out += &Line { at, size: LABEL, anchor: "middle", more, text, full: Some(full) }.svg();
    }
    out
}

fn heading(plan: &Plan) -> String {
    let lines = plan.heading.iter().enumerate();
    let left = plan.field.corner[0];
    let first = plan.field.corner[1] - plan.margins.top + HEADING * 0.8;
    let line = |(i, text): (usize, &String)| {
        let at = [left, first + i as f64 * (HEADING + 3.0)];
        let (anchor, more) = ("start", String::new());
        Line { at, size: HEADING, anchor, more, text, full: None }.svg()
    };
    lines.map(line).collect()
}
