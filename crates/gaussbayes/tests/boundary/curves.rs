//! Holds curves to the decisions beside them: on every point two actions tie, and none is missing.

use super::given;
use gaussbayes::{Action, Classifier, Curve, Loss, Piece, Random, Score as _, Table, View, Window};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

fn seeded(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(20_252),
        failure_persistence: None,
        ..Config::default()
    }
}

pub(crate) const WINDOW: Window = Window { low: [-4.0, -4.0], high: [4.0, 4.0] };

/// Which costs a random model has.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Costs {
    ZeroOne,
    PerClass,
    Reject,
    Any,
}

/// A random model of two columns.
fn random_model(seed: u64, classes: usize, shared: bool, costs: Costs) -> Classifier {
    let mut random = Random::new(seed, 0);
    let means: Vec<Vec<f64>> = (0..classes)
        .map(|_| {
            let (x, y) = random.normal_pair();
            vec![1.5 * x, 1.5 * y]
        })
        .collect();
    let covariances: Vec<Vec<f64>> = (0..if shared { 1 } else { classes })
        .map(|_| {
            let ((a, b), (c, _)) = (random.normal_pair(), random.normal_pair());
            let (l, m) = ((0.5 * a).exp(), (0.5 * b).exp());
            vec![l * l, l * c * 0.7, 0.49 * c * c + m * m]
        })
        .collect();
    let weights: Vec<f64> = (0..classes).map(|_| 0.1 + random.uniform()).collect();
    let total: f64 = weights.iter().sum();
    let priors: Vec<f64> = weights.iter().map(|w| w / total).collect();
    let model = given(&means, &covariances, &priors);
    let actions: Vec<Action> = (0..classes).map(Action::Class).collect();
    let mut matrix = |any: bool| -> Vec<f64> {
        (0..classes)
            .flat_map(|i| {
                let own = 0.2 + random.uniform();
                let row: Vec<f64> = (0..classes)
                    .map(|j| match (i == j, any) {
                        (true, _) => 0.0,
                        (false, true) => 0.2 + random.uniform(),
                        (false, false) => own,
                    })
                    .collect();
                row
            })
            .collect()
    };
    let loss = match costs {
        Costs::ZeroOne => Loss::zero_one(classes),
        Costs::PerClass => Loss::new(classes, actions, matrix(false)).unwrap(),
        Costs::Any => Loss::new(classes, actions, matrix(true)).unwrap(),
        Costs::Reject => Loss::zero_one(classes).with_reject(0.25).unwrap(),
    };
    model.with_loss(loss).unwrap()
}

/// ln of the risk of every action, costs reduced by the least of their class.
fn log_risks(model: &Classifier, x: [f64; 2]) -> (Vec<f64>, f64) {
    let table = Table { dim: 2, values: x.to_vec(), ..Table::default() };
    let scores = model.mixture().unwrap().scores(&table.block(0..1).unwrap()).unwrap();
    let loss = model.loss();
    let actions = loss.actions().len();
    let risk = |a: usize| -> f64 {
        let terms: Vec<f64> = (0..loss.classes())
            .map(|i| {
                let least = (0..actions).map(|j| loss.cost(i, j)).fold(f64::INFINITY, f64::min);
                (loss.cost(i, a) - least).ln() + scores.relative[i]
            })
            .collect();
        gaussbayes::log_sum_exp(&terms)
    };
    ((0..actions).map(risk).collect(), 1.0 + scores.common[0].abs())
}

pub(crate) fn action(model: &Classifier, x: [f64; 2]) -> usize {
    let table = Table { dim: 2, values: x.to_vec(), ..Table::default() };
    model.actions(&table.block(0..1).unwrap()).unwrap()[0]
}

/// Points of a piece, with the tangent at each.
fn points(piece: &Piece) -> Vec<([f64; 2], [f64; 2])> {
    let all = match piece {
        Piece::Exact(arc) => arc.points(41),
        Piece::Traced(all) => all.clone(),
    };
    let n = all.len();
    let tangent = |i: usize| {
        let (from, to) = (all[i.saturating_sub(1)], all[(i + 1).min(n - 1)]);
        [to[0] - from[0], to[1] - from[1]]
    };
    (0..n).map(|i| (all[i], tangent(i))).collect()
}

/// Chords of a curve, finer than any step aside.
fn chords(curves: &[Curve]) -> Vec<(usize, [f64; 2], [f64; 2])> {
    let mut all = Vec::new();
    for (k, curve) in curves.iter().enumerate() {
        for piece in &curve.pieces {
            let points = match piece {
                Piece::Exact(arc) => arc.points(4001),
                Piece::Traced(points) => points.clone(),
            };
            all.extend(points.windows(2).map(|pair| (k, pair[0], pair[1])));
        }
    }
    all
}

pub(crate) fn check_points(model: &Classifier, curves: &[Curve]) -> Result<(), TestCaseError> {
    for curve in curves {
        let (a, b) = curve.actions;
        for piece in &curve.pieces {
            let all = points(piece);
            for (x, tangent) in &all {
                let (risks, scale) = log_risks(model, *x);
                let tie = 1e-9 * scale;
                prop_assert!((risks[a] - risks[b]).abs() <= tie, "{curve:?} {x:?} {risks:?}");
                let least = risks.iter().copied().fold(f64::INFINITY, f64::min);
                prop_assert!(risks[a] <= least + tie, "third {x:?} {:?} {risks:?}", curve.actions);
                // Near the ends a step aside may lead across another curve.
                let away = |end: [f64; 2]| (x[0] - end[0]).hypot(x[1] - end[1]);
                let margin = away(all[0].0).min(away(all[all.len() - 1].0));
                let length = tangent[0].hypot(tangent[1]);
                if margin < 0.02 || length < 1e-9 {
                    continue;
                }
                let normal = [-tangent[1] / length, tangent[0] / length];
                let side = |h: f64| action(model, [x[0] + h * normal[0], x[1] + h * normal[1]]);
                let h = 1e-5;
                let (one, other) = (side(h), side(-h));
                let sides = (one.min(other), one.max(other));
                if sides != (a, b) {
                    // Only where the curve bends or another comes as near as the step.
                    let closer = (side(1e-7), side(-1e-7));
                    let closer = (closer.0.min(closer.1), closer.0.max(closer.1));
                    prop_assert_eq!(closer, (a, b), "{:?} at {:?}", &curve.kind, x);
                }
            }
        }
    }
    Ok(())
}

/// Along a segment the action changes where a curve is crossed, and nowhere else.
pub(crate) fn check_segments(
    model: &Classifier,
    curves: &[Curve],
    seed: u64,
) -> Result<(), TestCaseError> {
    let chords = chords(curves);
    let mut random = Random::new(seed, 7);
    for _ in 0..12 {
        let mut at = || -4.0 + 8.0 * random.uniform();
        let (from, to) = ([at(), at()], [at(), at()]);
        let place = |s: f64| [0, 1].map(|j| from[j] + s * (to[j] - from[j]));
        // Where the action changes, by halving between fine steps.
        let steps = 2000;
        let mut changes: Vec<f64> = Vec::new();
        let mut last = action(model, place(0.0));
        for i in 1..=steps {
            let (mut low, mut high) =
                (f64::from(i - 1) / f64::from(steps), f64::from(i) / f64::from(steps));
            let here = action(model, place(high));
            if here != last {
                for _ in 0..40 {
                    let middle = 0.5 * (low + high);
                    if action(model, place(middle)) == last { low = middle } else { high = middle }
                }
                changes.push(low);
            }
            last = here;
        }
        // Where chords are crossed.
        let d = [to[0] - from[0], to[1] - from[1]];
        let crossing = |(_, p, q): &(usize, [f64; 2], [f64; 2])| {
            let e = [q[0] - p[0], q[1] - p[1]];
            let det = d[0] * e[1] - d[1] * e[0];
            let off = [p[0] - from[0], p[1] - from[1]];
            let s = (off[0] * e[1] - off[1] * e[0]) / det;
            let t = (off[0] * d[1] - off[1] * d[0]) / det;
            ((0.0..=1.0).contains(&s) && (-1e-9..=1.0 + 1e-9).contains(&t)).then_some(s)
        };
        let crossed: Vec<f64> = chords.iter().filter_map(crossing).collect();
        for s in &changes {
            let near = crossed.iter().any(|c| (c - s).abs() < 1e-4);
            prop_assert!(
                near,
                "no curve at {:?}: {} to {}",
                place(*s),
                action(model, place(s - 1e-6)),
                action(model, place(s + 1e-6))
            );
        }
        for c in &crossed {
            let near = changes.iter().any(|s| (c - s).abs() < 1e-4);
            // Two changes within one fine step are none to the search above.
            let beside = [-1e-4, 1e-4].map(|h| action(model, place(c + h)));
            let twice = crossed.iter().filter(|other| (*other - c).abs() < 1.5e-3).count() > 1;
            let grazing = c.min(1.0 - c) < 1e-4;
            prop_assert!(
                near || twice || grazing || beside[0] != beside[1],
                "nothing changes at {:?}",
                place(*c)
            );
        }
    }
    Ok(())
}

fn any_costs() -> impl Strategy<Value = Costs> {
    prop_oneof![Just(Costs::ZeroOne), Just(Costs::PerClass), Just(Costs::Reject), Just(Costs::Any)]
}

proptest! {
    #![proptest_config(seeded(96))]

    #[test]
    fn curves_lie_where_actions_tie_and_none_is_missing(
        seed in 0_u64..1_000_000,
        classes in 2_usize..6,
        shared in any::<bool>(),
        costs in any_costs(),
    ) {
        let model = random_model(seed, classes, shared, costs);
        let curves = model.curves(&View::Whole, &WINDOW).unwrap();
        check_points(&model, &curves)?;
        check_segments(&model, &curves, seed)?;
    }
}
