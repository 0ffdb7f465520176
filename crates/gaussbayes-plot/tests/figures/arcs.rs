//! Holds what is drawn of conics to the conics, to a fiftieth of a pixel.

use gaussbayes_plot::{Axis, Ink, Layer, Panel, Part, Path, Picture, Segment, Sheet, Stroke};
use proptest::prelude::*;

/// Where the field of a picture without title and axes begins.
const CORNER: f64 = 12.0;

/// The commands of a segment in a field of 400 × 400 pixels, as many as the units of its axes.
fn commands(from: [f64; 2], segment: Segment) -> String {
    let mut panel = Panel::new(Axis::bare(0.0, 400.0), Axis::bare(0.0, 400.0));
    panel.size = [400.0, 400.0];
    let path = Path { parts: vec![Part { from, segments: vec![segment], closed: false }] };
    panel.layers = vec![Layer::Line { path, ink: Ink::Text, stroke: Stroke::PLAIN }];
    let text = Picture::of("", panel).svg(&Sheet::default());
    let at = text.find(" d=\"M").unwrap();
    text[at + 4..].split('"').next().unwrap().to_string()
}

/// Letters and numbers of commands.
fn parsed(d: &str) -> Vec<(char, Vec<f64>)> {
    let mut out: Vec<(char, Vec<f64>)> = Vec::new();
    let mut number = String::new();
    let end = |number: &mut String, out: &mut Vec<(char, Vec<f64>)>| {
        if !number.is_empty() {
            out.last_mut().unwrap().1.push(number.parse().unwrap());
            number.clear();
        }
    };
    for c in d.chars() {
        match c {
            'A'..='Z' => {
                end(&mut number, &mut out);
                out.push((c, Vec::new()));
            }
            ' ' => end(&mut number, &mut out),
            '-' => {
                end(&mut number, &mut out);
                number.push(c);
            }
            _ => number.push(c),
        }
    }
    end(&mut number, &mut out);
    out
}

/// Places along what commands draw, in the units of the axes.
fn drawn(d: &str) -> Vec<[f64; 2]> {
    let mut places = Vec::new();
    let mut last = [0.0; 2];
    for (letter, numbers) in parsed(d) {
        let pairs: Vec<[f64; 2]> = numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        let to = [numbers[numbers.len() - 2], numbers[numbers.len() - 1]];
        match letter {
            'M' => {}
            'A' => places.extend(arc(last, &numbers)),
            'L' | 'Q' | 'C' => {
                let points: Vec<[f64; 2]> = std::iter::once(last).chain(pairs).collect();
                places.extend((0..=20).map(|step| bezier(&points, f64::from(step) / 20.0)));
            }
            other => panic!("{other}"),
        }
        last = to;
    }
    places.iter().map(|[x, y]| [x - CORNER, 400.0 - (y - CORNER)]).collect()
}

/// De Casteljau's way.
fn bezier(points: &[[f64; 2]], t: f64) -> [f64; 2] {
    let mut row = points.to_vec();
    while row.len() > 1 {
        let between =
            |pair: &[[f64; 2]]| [0, 1].map(|i| pair[0][i] + t * (pair[1][i] - pair[0][i]));
        row = row.windows(2).map(between).collect();
    }
    row[0]
}

/// An arc as the standard reads it (SVG 2, B.2.4).
fn arc(from: [f64; 2], numbers: &[f64]) -> Vec<[f64; 2]> {
    let &[mut rx, mut ry, turn, large, sweep, x, y] = numbers else {
        panic!("{numbers:?}");
    };
    let (sin, cos) = turn.to_radians().sin_cos();
    let [dx, dy] = [(from[0] - x) / 2.0, (from[1] - y) / 2.0];
    let [px, py] = [cos * dx + sin * dy, cos * dy - sin * dx];
    let scale = ((px / rx).powi(2) + (py / ry).powi(2)).max(1.0).sqrt();
    (rx, ry) = (rx * scale, ry * scale);
    let below = (rx * py).powi(2) + (ry * px).powi(2);
    let root = (((rx * ry).powi(2) - below) / below).max(0.0).sqrt();
    let root = if large == sweep { -root } else { root };
    let [cx, cy] = [root * rx * py / ry, -root * ry * px / rx];
    let centre = [
        cos * cx - sin * cy + f64::midpoint(from[0], x),
        sin * cx + cos * cy + f64::midpoint(from[1], y),
    ];
    let begin = ((py - cy) / ry).atan2((px - cx) / rx);
    let mut way = ((-py - cy) / ry).atan2((-px - cx) / rx) - begin;
    if sweep == 1.0 && way < 0.0 {
        way += std::f64::consts::TAU;
    } else if sweep == 0.0 && way > 0.0 {
        way -= std::f64::consts::TAU;
    }
    let at = |step: u8| {
        let (s, c) = (begin + way * f64::from(step) / 20.0).sin_cos();
        let [p, q] = [rx * c, ry * s];
        [centre[0] + cos * p - sin * q, centre[1] + sin * p + cos * q]
    };
    (0..=20).map(at).collect()
}

/// How far a place is from the conic of three points, to first order: β² = 4w²αγ in their triangle.
fn apart(place: [f64; 2], [a, b, c]: [[f64; 2]; 3], weight: f64) -> f64 {
    let value = |[x, y]: [f64; 2]| {
        let area = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
            (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        };
        let whole = area(a, b, c);
        let (alpha, beta) = (area([x, y], b, c) / whole, area(a, [x, y], c) / whole);
        let gamma = 1.0 - alpha - beta;
        beta * beta - 4.0 * weight * weight * alpha * gamma
    };
    let step = 1e-4;
    let [x, y] = place;
    let slope = [
        (value([x + step, y]) - value([x - step, y])) / (2.0 * step),
        (value([x, y + step]) - value([x, y - step])) / (2.0 * step),
    ];
    value(place).abs() / slope[0].hypot(slope[1])
}

/// How far a place is from the nearest of many of a piece.
fn nearest(place: [f64; 2], [a, b, c]: [[f64; 2]; 3], weight: f64) -> f64 {
    let at = |step: i32| {
        let t = f64::from(step) / 20_000.0;
        let weights = [(1.0 - t) * (1.0 - t), 2.0 * weight * t * (1.0 - t), t * t];
        let sum: f64 = weights.iter().sum();
        let [x, y] =
            [0, 1].map(|i| (weights[0] * a[i] + weights[1] * b[i] + weights[2] * c[i]) / sum);
        (x - place[0]).hypot(y - place[1])
    };
    (0..=20_000).map(at).fold(f64::INFINITY, f64::min)
}

proptest! {
    #[test]
    fn pieces_of_conics_are_drawn_where_they_are(
        points in prop::array::uniform3([0.0_f64..400.0, 0.0_f64..400.0]),
        power in -3.0_f64..3.0,
    ) {
        let [a, b, c] = points;
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        prop_assume!(area.abs() > 400.0);
        let weight = power.exp();
        let places = drawn(&commands(a, Segment::Conic { control: b, weight, to: c }));
        prop_assert!(places.len() > 20);
        for place in places {
            // Where a conic turns sharply the first order says little.
            let apart = apart(place, points, weight);
            let apart = if apart < 0.02 { apart } else { nearest(place, points, weight) };
            prop_assert!(apart < 0.02, "{place:?} is {apart} pixels off");
        }
    }
}

#[test]
fn ellipses_are_arcs_and_parabolas_quadratic() {
    let of = |weight: f64| {
        commands(
            [100.0, 300.0],
            Segment::Conic { control: [300.0, 300.0], weight, to: [300.0, 100.0] },
        )
    };
    assert!(of(std::f64::consts::FRAC_1_SQRT_2).contains('A'));
    assert!(of(1.0).contains('Q'));
    assert!(of(2.0).contains('C'));
}
