//! Holds paths of conics and ellipses to the curves that they stand for.

use gaussbayes::{Arc, Gaussian, Piece, Random, Rows, View, Window};
use gaussbayes_plot::{Ink, Layer, Look, Part, Path, Segment, scatter};

use crate::pixels::{lectures, random_rules};

/// Every exact piece of the boundaries of many rules, with its window.
fn arcs() -> Vec<(Arc, Window)> {
    let mut all = Vec::new();
    for (_, rule) in lectures().into_iter().chain(random_rules()) {
        let mixture = rule.mixture().unwrap();
        let (mean, triangle) = (mixture.raw_mean(0), mixture.raw_covariance(0));
        let reach = [6.0 * triangle[0].sqrt(), 6.0 * triangle[2].sqrt()];
        let window = Window {
            low: [mean[0] - reach[0], mean[1] - reach[1]],
            high: [mean[0] + reach[0], mean[1] + reach[1]],
        };
        for curve in rule.curves(&View::Whole, &window).unwrap() {
            for piece in curve.pieces {
                if let Piece::Exact(arc) = piece {
                    all.push((arc, window));
                }
            }
        }
    }
    all
}

/// The point of a segment at t.
fn at(from: [f64; 2], segment: &Segment, t: f64) -> [f64; 2] {
    match *segment {
        Segment::Line { to } => [0, 1].map(|j| from[j] + t * (to[j] - from[j])),
        Segment::Conic { control, weight, to } => {
            let [a, b, c] = [(1.0 - t) * (1.0 - t), 2.0 * weight * t * (1.0 - t), t * t];
            // About the control, so that an offset costs no digits.
            [0, 1].map(|j| {
                control[j] + (a * (from[j] - control[j]) + c * (to[j] - control[j])) / (a + b + c)
            })
        }
    }
}

/// How far a point is from an arc, as a share of the window.
fn off(arc: &Arc, window: &Window, point: [f64; 2]) -> f64 {
    let share =
        |x: [f64; 2]| [0, 1].map(|j| (x[j] - window.low[j]) / (window.high[j] - window.low[j]));
    let away = |u: f64| {
        let (a, b) = (share(arc.at(u)), share(point));
        [a[0] - b[0], a[1] - b[1]]
    };
    let size = |u: f64| away(u)[0].hypot(away(u)[1]);
    let n = 400;
    // Equal factors on a branch of a hyperbola, whose arguments lie far apart.
    let place = |i: f64| {
        let t = i / f64::from(n);
        if arc.denominator[0] == 0.0 {
            arc.from * (arc.to / arc.from).powf(t)
        } else {
            arc.from + t * (arc.to - arc.from)
        }
    };
    let near =
        (0..=n).min_by(|&i, &j| size(place(f64::from(i))).total_cmp(&size(place(f64::from(j)))));
    let near = f64::from(near.unwrap());
    let (mut low, mut high) = ((near - 1.0).max(0.0), (near + 1.0).min(f64::from(n)));
    for _ in 0..100 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if size(place(a)) < size(place(b)) { high = b } else { low = a }
    }
    size(place(0.5 * (low + high)))
}

#[test]
fn arcs_and_their_paths_are_the_same_curves() {
    let (mut kinds, mut worst) = ([0; 4], 0.0_f64);
    for (arc, window) in arcs() {
        let path = Path::of_arc(&arc);
        let [Part { from, segments, closed: false }] = &path.parts[..] else { panic!("{path:?}") };
        let mut last = *from;
        assert_eq!(*from, arc.at(arc.from));
        for segment in segments {
            kinds[match segment {
                Segment::Line { .. } => 0,
                Segment::Conic { weight, .. } if *weight < 1.0 => 1,
                Segment::Conic { weight, .. } if *weight == 1.0 => 2,
                Segment::Conic { .. } => 3,
            }] += 1;
            // Far from zero a raw coordinate has fewer digits.
            let digits = (0..2).map(|j| {
                let reach = window.low[j].abs().max(window.high[j].abs());
                4.0 * f64::EPSILON * reach / (window.high[j] - window.low[j])
            });
            let bound = 1e-9 + digits.fold(0.0, f64::max);
            for t in [0.1, 0.25, 0.5, 0.8, 0.97] {
                let off = off(&arc, &window, at(last, segment, t));
                assert!(off < bound, "{arc:?} at {t}: {off}");
                worst = worst.max(off - bound);
            }
            last = segment.end();
        }
        assert_eq!(last, arc.at(arc.to));
    }
    // Lines, ellipses, parabolas and hyperbolas were among them.
    assert!(kinds.iter().all(|count| *count > 0), "{kinds:?}");
}

#[test]
fn a_change_of_axes_commutes_with_flattening() {
    let mut random = Random::new(5, 1);
    for (arc, window) in arcs().into_iter().step_by(7) {
        let unit =
            |x: [f64; 2]| [0, 1].map(|j| (x[j] - window.low[j]) / (window.high[j] - window.low[j]));
        let path = Path::of_arc(&arc).mapped(unit);
        let m: Vec<f64> = (0..6).map(|_| 4.0 * random.uniform() - 2.0).collect();
        let turned =
            |x: [f64; 2]| [m[0] * x[0] + m[1] * x[1] + m[2], m[3] * x[0] + m[4] * x[1] + m[5]];
        let (before, after) = (path.flattened(0.0), path.mapped(turned).flattened(0.0));
        for (line, mapped) in before.iter().zip(&after) {
            assert_eq!(line.len(), mapped.len());
            for (x, y) in line.iter().zip(mapped) {
                let x = turned(*x);
                assert!((x[0] - y[0]).hypot(x[1] - y[1]) < 1e-9, "{x:?} {y:?}");
            }
        }
    }
}

#[test]
fn chords_are_off_by_no_more_than_asked_for() {
    for (arc, window) in arcs().into_iter().step_by(5) {
        let unit =
            |x: [f64; 2]| [0, 1].map(|j| (x[j] - window.low[j]) / (window.high[j] - window.low[j]));
        let path = Path::of_arc(&arc).mapped(unit);
        for tolerance in [1e-2, 1e-4] {
            for line in path.flattened(tolerance) {
                for pair in line.windows(2) {
                    let middle = [0, 1].map(|j| 0.5 * (pair[0][j] + pair[1][j]));
                    let raw = [0, 1]
                        .map(|j| window.low[j] + middle[j] * (window.high[j] - window.low[j]));
                    assert!(off(&arc, &window, raw) <= 1.01 * tolerance + 1e-6);
                }
            }
        }
    }
}

#[test]
fn ellipses_hold_the_stated_mass() {
    for (name, rule) in lectures() {
        let rows = rule.sample(20_000, 11).unwrap().table().unwrap();
        let mixture = rule.mixture().unwrap();
        for mass in [0.5, 0.9, 0.99] {
            let look = Look { mass, ..Look::default() };
            let picture = scatter(Some(&rule), &rows, rule.features(), &look).unwrap();
            let ellipses: Vec<(usize, &Path)> = picture.panels[0]
                .layers
                .iter()
                .filter_map(|layer| match layer {
                    Layer::Line { path, ink: Ink::Class(k), .. } => Some((*k, path)),
                    _ => None,
                })
                .collect();
            assert_eq!(ellipses.len(), rule.classes().len());
            for (k, path) in ellipses {
                let gaussian = mixture.component(k).unwrap();
                check_ellipse(&format!("{name} {mass}"), &gaussian, path, mass);
                let own: Vec<[f64; 2]> = rows
                    .values
                    .chunks_exact(2)
                    .zip(rows.codes.as_ref().unwrap())
                    .filter(|(_, code)| rows.dictionary[**code as usize] == rule.classes()[k])
                    .map(|(x, _)| [x[0], x[1]])
                    .collect();
                let rings = path.flattened(1e-4);
                let held = own.iter().filter(|x| crate::pixels::inside(&rings, **x)).count();
                let (share, n) = (held as f64 / own.len() as f64, own.len() as f64);
                let deviation = (mass * (1.0 - mass) / n).sqrt();
                assert!((share - mass).abs() < 4.0 * deviation, "{name}: {share}, not {mass}");
            }
        }
    }
}

/// Every point of the ellipse is at the Mahalanobis distance √(−2 ln(1 − mass)).
fn check_ellipse(name: &str, gaussian: &Gaussian, path: &Path, mass: f64) {
    let points: Vec<[f64; 2]> = path.flattened(1e-3).concat();
    let rows = Rows::new(points.concat(), 2).unwrap();
    let block = gaussbayes::Block::new(0, rows, None, None).unwrap();
    for square in gaussian.mahalanobis_sq(&block).unwrap() {
        let expected = -2.0 * (1.0 - mass).ln();
        assert!((square / expected - 1.0).abs() < 1e-12, "{name}: {square}, not {expected}");
    }
}
