//! Draws a picture with every kind of layer, on light paper and on dark.

use gaussbayes_plot::{
    Anchor, Axis, Dash, Ink, Key, Layer, Mark, Panel, Part, Path, Picture, Segment, Shading, Sign,
    Stroke, Theme,
};

use crate::snapshots::snapshot_on;

/// Numbers that look like rows of a class.
pub(crate) fn rows(count: usize, at: [f64; 2], seed: u64) -> Vec<[f64; 2]> {
    let mut state = seed;
    let mut uniform = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
    (0..count).map(|_| [at[0] + normal(), at[1] + 0.6 * normal()]).collect()
}

/// An ellipse of four quarters.
pub(crate) fn ellipse(at: [f64; 2], half: [f64; 2]) -> Path {
    let corner = |x: f64, y: f64| [at[0] + x * half[0], at[1] + y * half[1]];
    let weight = std::f64::consts::FRAC_1_SQRT_2;
    let quarter = |control, to| Segment::Conic { control, weight, to };
    let segments = vec![
        quarter(corner(1.0, 1.0), corner(0.0, 1.0)),
        quarter(corner(-1.0, 1.0), corner(-1.0, 0.0)),
        quarter(corner(-1.0, -1.0), corner(0.0, -1.0)),
        quarter(corner(1.0, -1.0), corner(1.0, 0.0)),
    ];
    Path { parts: vec![Part { from: corner(1.0, 0.0), segments, closed: true }] }
}

fn shading() -> Shading {
    let cells = (0..600).map(|i| {
        let (x, y) = (f64::from(i % 30) / 29.0, f64::from(i / 30) / 19.0);
        let strength = (-4.0 * ((x - 0.5).powi(2) + (y - 0.5).powi(2))).exp();
        (Ink::Text, 0.5 * strength as f32)
    });
    Shading {
        low: [-4.0, -3.0],
        high: [4.0, 3.0],
        columns: 30,
        cells: cells.collect(),
        smooth: true,
    }
}

/// A picture with every kind of layer.
pub(crate) fn everything() -> Picture {
    let mut panel =
        Panel::new(Axis::new("length (cm)", -4.0, 7.0), Axis::new("width (cm)", -3.0, 4.0));
    panel.equal = true;
    let half = Path::polygon(&[[1.5, -3.0], [7.0, -3.0], [7.0, 4.0], [1.5, 4.0]]);
    let other = Path::polygon(&[[1.5, -3.0], [-4.0, -3.0], [-4.0, 4.0], [1.5, 4.0]]);
    let area = |path, ink, hatched| Layer::Area { path, ink, strength: 0.18, hatched };
    let line = |path, ink, stroke| Layer::Line { path, ink, stroke };
    let hyperbola = Path {
        parts: vec![Part {
            from: [4.0, 4.0],
            segments: vec![Segment::Conic { control: [2.5, 0.5], weight: 3.0, to: [4.0, -3.0] }],
            closed: false,
        }],
    };
    let parabola = Path {
        parts: vec![Part {
            from: [-4.0, 3.0],
            segments: vec![Segment::Conic { control: [-1.0, -2.0], weight: 1.0, to: [2.0, 4.0] }],
            closed: false,
        }],
    };
    panel.layers = vec![
        Layer::Shade(shading()),
        area(half, Ink::Class(1), false),
        area(other, Ink::Class(0), true),
        line(ellipse([0.0, 0.0], [2.0, 1.2]), Ink::Class(0), Stroke::PLAIN),
        line(
            ellipse([3.0, 1.0], [2.0, 1.2]),
            Ink::Class(1),
            Stroke { width: 1.5, dash: Dash::Dashed },
        ),
        line(Path::line(&[[1.5, -3.0], [1.5, 4.0]]), Ink::Text, Stroke::BOUNDARY),
        line(hyperbola, Ink::Alarm, Stroke { width: 1.5, dash: Dash::Dotted }),
        line(parabola, Ink::Reject, Stroke::THIN),
        Layer::Points { at: rows(60, [0.0, 0.0], 1), mark: Mark::Class(0), ink: Ink::Class(0) },
        Layer::Points { at: rows(60, [3.0, 1.0], 2), mark: Mark::Class(1), ink: Ink::Class(1) },
        Layer::Points { at: rows(30, [1.0, 2.0], 3), mark: Mark::Dot, ink: Ink::Faint },
        Layer::Points { at: vec![[0.0, 0.0]], mark: Mark::Centre, ink: Ink::Class(0) },
        Layer::Points { at: vec![[3.0, 1.0]], mark: Mark::Centre, ink: Ink::Class(1) },
        Layer::Points { at: vec![[5.0, 3.0]], mark: Mark::Ring, ink: Ink::Alarm },
        Layer::Arrow { from: [1.5, -1.0], to: [3.0, -1.6], ink: Ink::Text },
        Layer::Words {
            at: [5.0, 3.0],
            text: "outlier".into(),
            anchor: Anchor::Right,
            ink: Ink::Alarm,
        },
        Layer::Words { at: [1.5, 3.5], text: "g = 0".into(), anchor: Anchor::Left, ink: Ink::Text },
    ];
    let mut picture = Picture::of("Two classes, and all that can be drawn of them", panel);
    picture.description = "Two classes with <equal> covariances & a straight boundary.".into();
    let key = |label: &str, ink, sign| Key { label: label.into(), ink, sign };
    picture.key = vec![
        key("setosa", Ink::Class(0), Sign::Mark(Mark::Class(0))),
        key("versicolor", Ink::Class(1), Sign::Mark(Mark::Class(1))),
        key("boundary", Ink::Text, Sign::Line(Stroke::BOUNDARY)),
        key("error", Ink::Class(0), Sign::Hatched(0.18)),
        key("region", Ink::Class(1), Sign::Area(0.18)),
    ];
    picture.notes = vec!["30 rows without a class are drawn as dots.".into()];
    picture
}

#[test]
fn every_kind_of_layer_is_drawn_as_it_was() {
    snapshot_on("layers-light", &everything(), Theme::Light);
    snapshot_on("layers-dark", &everything(), Theme::Dark);
    snapshot_on("layers-auto", &everything(), Theme::Auto);
}
