//! Puts panels side by side, or one after the other without any script.

use super::axes::axes;
use super::layers::{Press, layers};
use super::plan::Plan;
use super::write::decimals;
use crate::picture::Arrangement;

/// How much longer the last frame is shown than the others.
const LAST: f64 = 3.0;

/// All panels where the arrangement puts them.
pub(super) fn panels(plans: &[Plan], arrangement: Arrangement, press: Press) -> String {
    match arrangement {
        Arrangement::Frames { seconds } if plans.len() > 1 => {
            let still = still(plans);
            let back = layers(&plans[0], 0..still, 0, press);
            motion(plans.len(), seconds, press) + &back + &frames(plans, still, press)
        }
        _ => {
            let panel = |(i, plan): (usize, &Plan)| {
                let all = 0..plan.panel.layers.len();
                format!("<g>\n{}{}</g>\n", layers(plan, all, i, press), axes(plan))
            };
            plans.iter().enumerate().map(panel).collect()
        }
    }
}

/// Layers at the back that are the same in all frames, and are drawn once.
fn still(plans: &[Plan]) -> usize {
    let first = &plans[0];
    let same = |plan: &Plan| {
        let moved = plan.field.low != first.field.low
            || plan.field.high != first.field.high
            || plan.field.size != first.field.size;
        let pairs = plan.panel.layers.iter().zip(&first.panel.layers);
        if moved { 0 } else { pairs.take_while(|(a, b)| a == b).count() }
    };
    plans.iter().map(same).min().unwrap_or(0)
}

/// What moves, each panel in a group of its own; without motion the last alone is seen.
fn frames(plans: &[Plan], still: usize, press: Press) -> String {
    let frame = |(i, plan): (usize, &Plan)| {
        let hidden = if i + 1 < plans.len() { " opacity=\"0\"" } else { "" };
        let moving = still..plan.panel.layers.len();
        let drawn = layers(plan, moving, i, press) + &axes(plan);
        format!("<g id=\"{}-frame-{i}\"{hidden}>\n{drawn}</g>\n", press.id)
    };
    plans.iter().enumerate().map(frame).collect()
}

/// The style sheet that shows one frame after the other, unless the reader wants no motion.
fn motion(count: usize, seconds: f64, press: Press) -> String {
    let id = press.id;
    let seconds = if seconds.is_finite() { seconds.max(0.1) } else { 1.0 };
    let whole = (count as f64 - 1.0 + LAST) * seconds;
    let mut out = String::from("<style>\n@media (prefers-reduced-motion:no-preference){\n");
    for i in 0..count {
        let share = |frame: usize| decimals(100.0 * frame as f64 * seconds / whole, 3);
        let [before, after] = [share(i), share(i + 1)];
        let steps = match i {
            0 => format!("0%{{opacity:1}}{after}%,100%{{opacity:0}}"),
            i if i + 1 == count => format!("0%{{opacity:0}}{before}%,100%{{opacity:1}}"),
            _ => format!("0%{{opacity:0}}{before}%{{opacity:1}}{after}%,100%{{opacity:0}}"),
        };
        out += &format!(
            "@keyframes {id}-show-{i}{{{steps}}}\n#{id}-frame-{i}{{animation:{id}-show-{i} {}s step-end infinite}}\n",
            decimals(whole, 2)
        );
    }
    // A reader stops it by pointing at it.
    out + &format!("#{id}:hover g{{animation-play-state:paused}}\n}}\n</style>\n")
}
