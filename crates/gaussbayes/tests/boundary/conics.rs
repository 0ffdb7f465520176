//! Draws every conic, nearly straight ones, far ones, slices and projections.

use super::curves::{WINDOW, action, check_points, check_segments};
use super::{close, diagonal, given, with_names};
use gaussbayes::{Curve, Kind, Loss, Mixture, Piece, Random, Score as _, Table, View, Window};

/// All points of the exact pieces of a curve.
fn points(curve: &Curve) -> Vec<[f64; 2]> {
    let of = |piece: &Piece| match piece {
        Piece::Exact(arc) => arc.points(33),
        Piece::Traced(all) => all.clone(),
    };
    curve.pieces.iter().flat_map(of).collect()
}

#[test]
fn every_conic_is_drawn() {
    let third = 1.0 / 3.0;
    let cases = [
        (Kind::Line, [1.0, 2.0], [2.0, 3.0], [2.0, 3.0], 0.3, 1),
        (Kind::ParallelLines, [1.0, 0.0], [1.0, 1.0], [4.0, 1.0], 0.5, 2),
        (Kind::CrossingLines, [1.0, 1.0], [1.0, 4.0], [4.0, 1.0], 0.5, 2),
        (Kind::Circle, [0.5, 0.5], [1.0, 1.0], [4.0, 4.0], 0.5, 4),
        (Kind::Ellipse, [0.5, 0.5], [1.0, 1.0], [4.0, 9.0], 0.5, 4),
        (Kind::Parabola, [0.0, -2.0], [0.5, 2.0], [2.0, 2.0], 0.5, 1),
        (Kind::Hyperbola, [1.0, 1.0], [1.0, 4.0], [4.0, 1.0], 0.4, 4),
        (Kind::DoubleLine, [0.0, 0.0], [1.0, 1.0], [4.0, 1.0], third, 1),
        (Kind::Point, [0.0, 0.0], [1.0, 1.0], [4.0, 4.0], 0.2, 1),
    ];
    for (kind, apart, first, second, prior, pieces) in cases {
        let means = [vec![0.0, 0.0], apart.to_vec()];
        let model = given(&means, &[diagonal(&first), diagonal(&second)], &[prior, 1.0 - prior]);
        let curves = model.curves(&View::Whole, &WINDOW).unwrap();
        assert_eq!(curves.len(), 1, "{kind}");
        assert_eq!((curves[0].kind, curves[0].pieces.len()), (kind, pieces));
        let quadric = model.boundary(0, 1).unwrap().quadric.unwrap();
        for x in points(&curves[0]) {
            assert!(quadric.at(&x).abs() < 1e-12, "{kind} {x:?} {}", quadric.at(&x));
            assert!(x.iter().all(|x| x.abs() < 4.0 + 1e-12), "{kind} {x:?}");
        }
        // On a double line and in a point both actions tie, and nothing changes.
        if !matches!(kind, Kind::DoubleLine | Kind::Point) {
            check_points(&model, &curves).unwrap();
            check_segments(&model, &curves, 5).unwrap();
        }
    }
}

#[test]
fn nearly_straight_curves_keep_their_digits() {
    for exponent in 1..16 {
        let h = 10.0_f64.powi(-exponent);
        for (wide, apart) in [
            ([1.0 + h, 1.0 + h], [1.0, 0.3]),
            ([1.0 + h, 3.0], [2.0, 0.5]),
            ([1.0 - h, 1.0 + h], [1.0, 1.0]),
        ] {
            let means = [vec![0.0, 0.0], apart.to_vec()];
            let model = given(&means, &[diagonal(&[1.0, 1.0]), diagonal(&wide)], &[0.4, 0.6]);
            let curves = model.curves(&View::Whole, &WINDOW).unwrap();
            check_points(&model, &curves).unwrap();
            check_segments(&model, &curves, 9).unwrap();
        }
    }
}

#[test]
fn offsets_move_curves_and_nothing_else() {
    let means = |shift: f64| {
        [vec![shift, shift], vec![1.0 + shift, 2.0 + shift], vec![shift - 2.0, 1.0 + shift]]
    };
    let covariances = [vec![1.0, 0.25, 1.0], vec![2.0, -0.5, 1.0], vec![0.5, 0.0, 2.0]];
    let window = |shift: f64| Window { low: [shift - 4.0; 2], high: [shift + 4.0; 2] };
    let draw = |shift: f64| {
        let model = given(&means(shift), &covariances, &[0.25, 0.5, 0.25]);
        model.curves(&View::Whole, &window(shift)).unwrap()
    };
    let (near, far) = (draw(0.0), draw(1e9));
    assert_eq!(near.len(), far.len());
    for (near, far) in near.iter().zip(&far) {
        assert_eq!((near.kind, near.pieces.len()), (far.kind, far.pieces.len()));
        for (a, b) in points(near).iter().zip(points(far)) {
            for j in 0..2 {
                assert!((a[j] - (b[j] - 1e9)).abs() < 4e-7, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn actions_that_are_never_taken_have_no_curves() {
    let means = [vec![-1.0, 0.0], vec![1.0, 0.0]];
    let model = given(&means, &[diagonal(&[1.0, 1.0])], &[0.5, 0.5]);
    // At a cost of ½ reject ties on the boundary and is taken nowhere.
    let loss = Loss::zero_one(2).with_reject(0.5).unwrap();
    let curves = model.clone().with_loss(loss).unwrap().curves(&View::Whole, &WINDOW).unwrap();
    assert_eq!(curves.iter().map(|curve| curve.actions).collect::<Vec<_>>(), [(0, 1)]);
    // A class that is the same as another, and one without weight.
    let means = [vec![-1.0, 0.0], vec![1.0, 0.0], vec![1.0, 0.0], vec![0.0, 0.0]];
    let model = given(&means, &[diagonal(&[1.0, 1.0])], &[0.4, 0.3, 0.3, 0.0]);
    let curves = model.curves(&View::Whole, &WINDOW).unwrap();
    assert_eq!(curves.iter().map(|curve| curve.actions).collect::<Vec<_>>(), [(0, 1)]);
    for bad in [
        Window { low: [0.0, 1.0], high: [1.0, 1.0] },
        Window { low: [f64::NAN; 2], high: [1.0; 2] },
    ] {
        assert!(model.curves(&View::Whole, &bad).is_err());
    }
}

/// A random model of four columns and three classes.
fn wide(seed: u64, shared: bool) -> Mixture {
    let mut random = Random::new(seed, 3);
    let mut normal = || random.normal_pair().0;
    let means: Vec<Vec<f64>> = (0..3).map(|_| (0..4).map(|_| 1.5 * normal()).collect()).collect();
    let covariances: Vec<Vec<f64>> = (0..if shared { 1 } else { 3 })
        .map(|_| {
            let f: Vec<f64> = (0..16).map(|_| normal()).collect();
            let entry = |i: usize, j: usize| {
                (0..4).map(|k| f[4 * i + k] * f[4 * j + k]).sum::<f64>()
                    + if i == j { 0.5 } else { 0.0 }
            };
            (0..4).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect()
        })
        .collect();
    Mixture::given(&means, &covariances, vec![0.3, 0.3, 0.4]).unwrap()
}

#[test]
fn slices_show_decisions_and_projections_those_of_the_marginal() {
    for seed in 0..12 {
        let mixture = wide(seed, seed % 3 == 0);
        let model = with_names(mixture.clone());
        let model = match seed % 2 {
            0 => model,
            _ => model.with_loss(Loss::zero_one(3).with_reject(0.3).unwrap()).unwrap(),
        };
        let at = vec![0.5, f64::from(u32::try_from(seed).unwrap()) / 6.0 - 1.0, 7.0, -0.3];
        let view = View::Slice { columns: [3, 0], at: Some(at.clone()) };
        let decide = |x: f64, y: f64| {
            let mut row = at.clone();
            (row[3], row[0]) = (x, y);
            let table = Table { dim: 4, values: row, ..Table::default() };
            model.actions(&table.block(0..1).unwrap()).unwrap()[0]
        };
        for curve in model.curves(&view, &WINDOW).unwrap() {
            for piece in &curve.pieces {
                let (p, q) = match piece {
                    Piece::Exact(arc) => {
                        let middle = 0.5 * (arc.from + arc.to);
                        (arc.at(middle), arc.at(middle + 1e-4 * (arc.to - arc.from)))
                    }
                    Piece::Traced(all) => (all[all.len() / 2], all[all.len() / 2 - 1]),
                };
                let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
                let h = 1e-6 / dx.hypot(dy);
                let sides =
                    [decide(p[0] - h * dy, p[1] + h * dx), decide(p[0] + h * dy, p[1] - h * dx)];
                let sides = (sides[0].min(sides[1]), sides[0].max(sides[1]));
                assert_eq!(sides, curve.actions, "seed {seed} {p:?}");
            }
        }
        let projection = View::Projection { columns: [2, 1] };
        let marginal =
            with_names(mixture.marginal(&[2, 1]).unwrap()).with_loss(model.loss().clone()).unwrap();
        let curves = model.curves(&projection, &WINDOW).unwrap();
        assert_eq!(curves, marginal.curves(&View::Whole, &WINDOW).unwrap());
        check_segments(&marginal, &curves, seed).unwrap();
        assert!(model.curves(&View::Whole, &WINDOW).is_err());
        let twice = model.curves(&View::Projection { columns: [1, 1] }, &WINDOW).unwrap_err();
        assert_eq!(twice.to_string(), "column 2 is named twice, or is none of 4");
    }
}

#[test]
fn marginals_are_those_of_the_covariance() {
    let mixture = wide(1, false);
    let marginal = mixture.marginal(&[3, 1]).unwrap();
    let (whole, part) = (mixture.raw_covariance(2), marginal.raw_covariance(2));
    close(part[0], whole[9], 1e-14);
    close(part[1], whole[7], 1e-13);
    close(part[2], whole[2], 1e-14);
    assert_eq!(marginal.raw_mean(1), [mixture.raw_mean(1)[3], mixture.raw_mean(1)[1]]);
    assert!(marginal.quadratics().is_some());
    assert_eq!(
        action(&with_names(marginal.clone()), [marginal.raw_mean(0)[0], marginal.raw_mean(0)[1]]),
        0
    );
}
