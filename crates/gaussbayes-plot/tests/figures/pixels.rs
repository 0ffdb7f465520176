//! Compares drawn boundaries, regions and ellipses with what the classifier says, to a pixel.

use gaussbayes::{
    Action, Block, Classifier, Figure, Label, Loss, Parameters, Posterior, Random, Rows, Window,
};
use gaussbayes_plot::{Ink, Layer, Look, Path, Picture, regions};

/// A panel's pixels.
const SIZE: [f64; 2] = [400.0, 320.0];

/// The areas and the boundary of a picture, in pixels from point to point.
pub(crate) struct Seen {
    window: Window,
    areas: Vec<(Ink, Vec<Vec<[f64; 2]>>)>,
    pub(crate) lines: Vec<Vec<[f64; 2]>>,
}

impl Seen {
    pub(crate) fn of(picture: &Picture) -> Self {
        let panel = &picture.panels[0];
        let window = Window {
            low: [panel.across.low, panel.upward.low],
            high: [panel.across.high, panel.upward.high],
        };
        let pixel = |x: [f64; 2]| {
            [0, 1].map(|j| (x[j] - window.low[j]) / (window.high[j] - window.low[j]) * SIZE[j])
        };
        let flat = |path: &Path| path.mapped(pixel).flattened(0.01);
        let (mut areas, mut lines) = (Vec::new(), Vec::new());
        for layer in &panel.layers {
            match layer {
                Layer::Area { path, ink, .. } => areas.push((*ink, flat(path))),
                Layer::Line { path, ink: Ink::Text, .. } => lines.extend(flat(path)),
                _ => {}
            }
        }
        Self { window, areas, lines }
    }

    pub(crate) fn raw(&self, pixel: [f64; 2]) -> [f64; 2] {
        let Window { low, high } = self.window;
        [0, 1].map(|j| low[j] + pixel[j] / SIZE[j] * (high[j] - low[j]))
    }

    /// Whether a place has the colour of its action; it must, but within a pixel of the boundary.
    pub(crate) fn check_at(
        &self,
        name: &str,
        rule: &Classifier,
        raw: [f64; 2],
        action: usize,
    ) -> bool {
        let Window { low, high } = self.window;
        let pixel = [0, 1].map(|j| (raw[j] - low[j]) / (high[j] - low[j]) * SIZE[j]);
        let (found, expected) = (self.at(pixel), (Some(ink(rule, action)), 1));
        if found != expected {
            let off = self.distance(pixel);
            assert!(off <= 1.0, "{name} at {pixel:?}, {off} off: {found:?}, not {expected:?}");
        }
        found == expected
    }

    /// The colour at a pixel, and how many areas claim it.
    fn at(&self, pixel: [f64; 2]) -> (Option<Ink>, usize) {
        let own: Vec<Ink> =
            self.areas.iter().filter(|(_, rings)| inside(rings, pixel)).map(|a| a.0).collect();
        (own.first().copied(), own.len())
    }

    fn distance(&self, pixel: [f64; 2]) -> f64 {
        let mut least = f64::INFINITY;
        for line in &self.lines {
            for pair in line.windows(2) {
                let way = [0, 1].map(|j| pair[1][j] - pair[0][j]);
                let off = [0, 1].map(|j| pixel[j] - pair[0][j]);
                let square = (way[0] * way[0] + way[1] * way[1]).max(1e-300);
                let share = ((way[0] * off[0] + way[1] * off[1]) / square).clamp(0.0, 1.0);
                least = least.min((off[0] - share * way[0]).hypot(off[1] - share * way[1]));
            }
        }
        least
    }
}

pub(crate) fn inside(rings: &[Vec<[f64; 2]>], at: [f64; 2]) -> bool {
    let mut inside = false;
    for ring in rings {
        for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            if (a[1] > at[1]) != (b[1] > at[1])
                && at[0] < a[0] + (at[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
            {
                inside = !inside;
            }
        }
    }
    inside
}

pub(crate) fn actions(rule: &Classifier, at: &[[f64; 2]]) -> Vec<usize> {
    let rows = Rows::new(at.concat(), 2).unwrap();
    rule.predict(&Block::new(0, rows, None, None).unwrap()).unwrap().actions
}

fn posterior(rule: &Classifier, at: &[[f64; 2]]) -> Posterior {
    let rows = Rows::new(at.concat(), 2).unwrap();
    rule.predict(&Block::new(0, rows, None, None).unwrap()).unwrap().posterior
}

fn ink(rule: &Classifier, action: usize) -> Ink {
    match rule.loss().actions()[action] {
        Action::Class(k) => Ink::Class(k),
        Action::Reject => Ink::Reject,
    }
}

fn plain() -> Look {
    Look { ellipses: false, names: false, ..Look::default() }
}

/// The lecture figures of two columns.
pub(crate) fn lectures() -> Vec<(String, Classifier)> {
    let two = Figure::all().iter().filter(|figure| figure.parameters().features.len() == 2);
    two.map(|figure| (figure.name.into(), figure.parameters().classifier().unwrap())).collect()
}

/// Classes with means in a square and covariances of any shape, in these units from this offset.
fn mixture(seed: u64, classes: usize, unit: f64, offset: f64) -> Parameters {
    let mut random = Random::new(seed, 7);
    let mut uniform = |low: f64, high: f64| low + (high - low) * random.uniform();
    let covariance = |a: f64, b: f64, r: f64| {
        let s = [[a * a, r * a * b], [r * a * b, b * b]];
        s.map(|row| row.map(|x| x * unit * unit).to_vec()).to_vec()
    };
    let mut priors: Vec<f64> = (0..classes).map(|_| uniform(0.2, 1.0)).collect();
    let total: f64 = priors.iter().sum();
    priors.iter_mut().for_each(|prior| *prior /= total);
    Parameters {
        classes: (1..=classes).map(|k| Label::from(k.to_string())).collect(),
        features: vec!["x".into(), "y".into()],
        priors: Some(priors),
        means: (0..classes)
            .map(|_| vec![offset + unit * uniform(-4.0, 4.0), offset + unit * uniform(-4.0, 4.0)])
            .collect(),
        covariances: (0..classes)
            .map(|_| covariance(uniform(0.4, 2.0), uniform(0.4, 2.0), uniform(-0.8, 0.8)))
            .collect(),
        costs: None,
    }
}

/// Random rules: some with costs, some that reject, in units and offsets far from one.
pub(crate) fn random_rules() -> Vec<(String, Classifier)> {
    let mut all = Vec::new();
    for seed in 0..60 {
        let classes = 2 + (seed as usize % 7);
        let (unit, offset) =
            [(1.0, 0.0), (1e-9, 0.0), (1e9, 0.0), (1.0, 1e9)][seed as usize / 7 % 4];
        let rule = mixture(seed, classes, unit, offset).classifier().unwrap();
        let mut random = Random::new(seed, 8);
        let loss = match seed % 3 {
            0 => Loss::zero_one(classes),
            1 => Loss::zero_one(classes).with_reject(0.1 + 0.3 * random.uniform()).unwrap(),
            _ => {
                let cost = |i: usize| {
                    if i.is_multiple_of(classes + 1) { 0.0 } else { 1.0 + 4.0 * random.uniform() }
                };
                let costs = (0..classes * classes).map(cost).collect();
                Loss::new(classes, (0..classes).map(Action::Class).collect(), costs).unwrap()
            }
        };
        all.push((format!("random {seed}"), rule.with_loss(loss).unwrap()));
    }
    all
}

/// Two lines that cross, two that are parallel, classes that are the same, one that is never said, an island.
fn special_rules() -> Vec<(String, Classifier)> {
    let rule = |means: &[[f64; 2]], variances: &[[f64; 2]]| {
        let square = |v: &[f64; 2]| vec![vec![v[0], 0.0], vec![0.0, v[1]]];
        let classes = means.len();
        let parameters = Parameters {
            classes: (1..=classes).map(|k| Label::from(k.to_string())).collect(),
            features: vec!["x".into(), "y".into()],
            priors: None,
            means: means.iter().map(|mean| mean.to_vec()).collect(),
            covariances: variances.iter().map(square).collect(),
            costs: None,
        };
        parameters.classifier().unwrap()
    };
    vec![
        ("crossing".into(), rule(&[[0.0; 2]; 2], &[[4.0, 1.0], [1.0, 4.0]])),
        ("parallel".into(), rule(&[[0.0; 2]; 2], &[[4.0, 1.0], [1.0, 1.0]])),
        (
            "the same twice".into(),
            rule(&[[0.0, 0.0], [3.0, 1.0], [3.0, 1.0]], &[[1.0, 1.0], [1.0, 2.0], [1.0, 2.0]]),
        ),
        (
            "never said".into(),
            rule(&[[-4.0, 0.0], [0.0, 0.0], [4.0, 0.0]], &[[9.0; 2], [900.0; 2], [9.0; 2]]),
        ),
        ("island".into(), rule(&[[0.0, 0.0], [2.0, 1.0]], &[[9.0, 9.0], [0.01, 0.02]])),
        (
            "four corners".into(),
            rule(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]], &[[1.0; 2]; 4]),
        ),
    ]
}

/// Regions are what `predict` says at every pixel that is farther than one from the boundary.
pub(crate) fn check_regions(name: &str, rule: &Classifier, picture: &Picture) -> usize {
    check_seen(name, rule, &Seen::of(picture), |raw| actions(rule, raw))
}

/// The same for decisions in any plane; how many of 5120 pixels are as decided.
pub(crate) fn check_seen(
    name: &str,
    rule: &Classifier,
    seen: &Seen,
    decide: impl Fn(&[[f64; 2]]) -> Vec<usize>,
) -> usize {
    let pixel = |i: i32| [5.0 * f64::from(i % 80) + 2.37, 5.0 * f64::from(i / 80) + 2.61];
    let raw: Vec<[f64; 2]> = (0..80 * 64).map(|i| seen.raw(pixel(i))).collect();
    let said = decide(&raw);
    raw.iter().zip(said).filter(|(raw, action)| seen.check_at(name, rule, **raw, *action)).count()
}

/// Along the boundary the best two actions tie: a pixel to either side the decision is another.
fn check_boundary(name: &str, rule: &Classifier, picture: &Picture) -> usize {
    let seen = Seen::of(picture);
    let zero_one = *rule.loss() == Loss::zero_one(rule.classes().len());
    let mut count = 0;
    for line in &seen.lines {
        for pair in line.windows(2) {
            let way = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
            let length = way[0].hypot(way[1]);
            if length < 1e-6 {
                continue;
            }
            // Not the middle, where two lines may cross.
            let middle = [0, 1].map(|j| pair[0][j] + 0.37 * way[j]);
            let side = [-way[1] / length, way[0] / length];
            let sides =
                [-1.0, 1.0].map(|s| seen.raw([middle[0] + s * side[0], middle[1] + s * side[1]]));
            // Where two boundaries run within two pixels of each other, the far side may be of either.
            let said = actions(rule, &sides);
            let crowded =
                seen.lines.iter().filter(|other| !std::ptr::eq(*other, line)).any(|other| {
                    other.iter().any(|p| (p[0] - middle[0]).hypot(p[1] - middle[1]) < 3.0)
                });
            if !crowded {
                assert_ne!(said[0], said[1], "{name} at {middle:?}");
            }
            if zero_one {
                let posterior = posterior(rule, &[seen.raw(middle)]);
                let mut probs: Vec<f64> = posterior.probs(0).collect();
                probs.sort_by(|a, b| b.total_cmp(a));
                assert!(probs[0] - probs[1] < 0.01, "{name} at {middle:?}: {probs:?}");
                if probs.len() == 2 {
                    assert!((probs[0] - 0.5).abs() < 0.005, "{name}: {probs:?}");
                }
            }
            count += 1;
        }
    }
    count
}

#[test]
fn regions_are_what_the_classifier_predicts() {
    let (mut outlined, mut compared) = (0, 0);
    let all: Vec<(String, Classifier)> =
        lectures().into_iter().chain(special_rules()).chain(random_rules()).collect();
    let many = all.len();
    for (name, rule) in all {
        let picture = regions(&rule, None, &plain()).unwrap();
        assert!(picture.panels[0].layers.iter().any(|l| matches!(l, Layer::Area { .. })), "{name}");
        outlined += usize::from(picture.notes.is_empty());
        if !picture.notes.is_empty() {
            println!("{name}: {:?}", picture.notes);
        }
        compared += check_regions(&name, &rule, &picture);
    }
    assert_eq!(outlined, many);
    assert!(compared > many * 5000, "{compared} of {}", many * 5120);
}

#[test]
fn decisions_change_across_a_drawn_boundary() {
    for (name, rule) in lectures().into_iter().chain(special_rules()).chain(random_rules()) {
        let picture = regions(&rule, None, &plain()).unwrap();
        let count = check_boundary(&name, &rule, &picture);
        assert!(count > 0, "{name}");
    }
}
