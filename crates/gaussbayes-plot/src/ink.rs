//! Gives every meaning a colour on light and on dark paper, and every class a sign of its own.

use crate::picture::{Dash, Ink};

/// The paper that a picture is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// White paper.
    #[default]
    Light,
    /// A dark screen.
    Dark,
    /// Light, and dark where the reader's system asks for it.
    Auto,
}

/// Colours of classes on light paper, then on dark: told apart by readers who see few colours, and
/// each with a contrast of at least 3 to its paper.
const CLASSES: [[u32; 2]; 8] = [
    [0x00_72_b2, 0x5a_b4_f0],
    [0xd5_5e_00, 0xf2_8a_3c],
    [0x00_85_60, 0x2f_c7_9a],
    [0xaa_44_99, 0xe0_8c_d0],
    [0xa3_75_00, 0xe8_c5_47],
    [0x4a_48_b8, 0xaf_a8_f8],
    [0x88_22_55, 0xf0_70_90],
    [0x5f_6b_2d, 0xb5_c4_6a],
];

/// Shapes of points of a class; with 8 colours no two of the first 56 classes look the same.
pub(crate) const SHAPES: usize = 7;

/// Red, green and blue of an ink on light or on dark paper.
pub(crate) fn colour(ink: Ink, dark: bool) -> [u8; 3] {
    let pair = match ink {
        Ink::Text => [0x1f_23_28, 0xe6_e8_eb],
        Ink::Faint => [0x8a_90_99, 0x79_81_8c],
        Ink::Paper => [0xff_ff_ff, 0x15_18_1d],
        Ink::Alarm => [0xc1_12_1f, 0xff_6b_6b],
        Ink::Reject => [0x5f_66_70, 0xa4_ab_b5],
        Ink::Class(class) => CLASSES[class % CLASSES.len()],
    };
    let [_, red, green, blue] = pair[usize::from(dark)].to_be_bytes();
    [red, green, blue]
}

/// The name of an ink in style sheets and patterns.
pub(crate) fn class_name(ink: Ink) -> String {
    match ink {
        Ink::Text => "gb-text".into(),
        Ink::Faint => "gb-faint".into(),
        Ink::Paper => "gb-paper".into(),
        Ink::Alarm => "gb-alarm".into(),
        Ink::Reject => "gb-reject".into(),
        Ink::Class(class) => format!("gb-c{}", class % CLASSES.len()),
    }
}

/// All inks that differ.
pub(crate) fn inks() -> impl Iterator<Item = Ink> {
    let named = [Ink::Text, Ink::Faint, Ink::Paper, Ink::Alarm, Ink::Reject];
    named.into_iter().chain((0..CLASSES.len()).map(Ink::Class))
}

/// Lengths of strokes and gaps for a line of a width; none for a line without gaps.
pub(crate) fn dashes(dash: Dash, width: f64) -> Option<[f64; 2]> {
    match dash {
        Dash::Solid => None,
        Dash::Dashed => Some([4.0 + width, 2.0 + width]),
        Dash::Dotted => Some([0.1, 2.0 * width + 1.0]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance.
    fn light(colour: [u8; 3]) -> f64 {
        let linear = |part: u8| {
            let share = f64::from(part) / 255.0;
            if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        let [red, green, blue] = colour.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    #[test]
    fn every_ink_is_seen_on_its_paper() {
        for dark in [false, true] {
            let paper = light(colour(Ink::Paper, dark));
            for ink in inks().filter(|ink| *ink != Ink::Paper) {
                let own = light(colour(ink, dark));
                let contrast = (own.max(paper) + 0.05) / (own.min(paper) + 0.05);
                assert!(contrast >= 3.0, "{ink:?} on dark {dark}: {contrast:.2}");
            }
        }
    }

    /// What a reader without red cones, or without green ones, sees (Viénot, Brettel and Mollon 1999).
    fn seen(colour: [u8; 3], kind: usize) -> [f64; 3] {
        let linear = colour.map(|part| (f64::from(part) / 255.0).powf(2.2));
        let mix = [[0.112_38, 0.887_62], [0.292_75, 0.707_25]][kind];
        let [red, green, blue] = linear;
        let both = mix[0] * red + mix[1] * green;
        [both, both, blue].map(|value| value.max(0.0).powf(1.0 / 2.2))
    }

    #[test]
    fn the_first_classes_differ_without_red_or_green() {
        for (dark, kind) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
            for (a, b) in [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)] {
                let [p, q] = [a, b].map(|class| seen(colour(Ink::Class(class), dark), kind));
                let apart: f64 = (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>().sqrt();
                assert!(apart > 0.12, "{a} and {b}, dark {dark}, kind {kind}: {apart:.3}");
            }
        }
    }
}
