//! Holds boundaries to numbers of textbooks and lectures, and to values worked out by hand.

use super::{close, diagonal, given};
use gaussbayes::{Action, Kind, Loss};

#[test]
fn thresholds_of_one_column() {
    // Theodoridis & Koutroumbas, example 2.1: ½, and (1 − ln 2)/2 with λ12 = 0.5, λ21 = 1.
    let model = given(&[vec![0.0], vec![1.0]], &[vec![0.5]], &[0.5, 0.5]);
    let boundary = model.boundary(0, 1).unwrap();
    assert_eq!((boundary.kind, boundary.better), (Kind::Point, Some(0)));
    close(boundary.thresholds[0], 0.5, 1e-15);
    let actions = vec![Action::Class(0), Action::Class(1)];
    let costs = Loss::new(2, actions, vec![0.0, 0.5, 1.0, 0.0]).unwrap();
    let costly = model.with_loss(costs).unwrap().boundary(0, 1).unwrap();
    close(costly.thresholds[0], 0.153_426_409_720_027_35, 1e-14);
    // N(0, 1) and N(0, 4): ln 2 − ⅜x² = 0.
    let wide = given(&[vec![0.0], vec![0.0]], &[vec![1.0], vec![4.0]], &[0.5, 0.5]);
    let boundary = wide.boundary(0, 1).unwrap();
    let root = (2.0_f64.ln() * 8.0 / 3.0).sqrt();
    close(boundary.thresholds[0], -root, 1e-14);
    close(boundary.thresholds[1], root, 1e-14);
    assert_eq!(boundary.better, Some(1));
    assert_eq!(wide.boundary(1, 0).unwrap().better, Some(1));
}

#[test]
fn the_parabola_of_duda_hart_and_stork() {
    for shift in [0.0, 1e9] {
        let means = [vec![3.0 + shift, 6.0 + shift], vec![3.0 + shift, -2.0 + shift]];
        let model = given(&means, &[diagonal(&[0.5, 2.0]), diagonal(&[2.0, 2.0])], &[0.5, 0.5]);
        let boundary = model.boundary(0, 1).unwrap();
        assert_eq!(boundary.kind, Kind::Parabola);
        let quadric = boundary.quadric.unwrap();
        // x₂ = 3.514… − 1.125 x₁ + 0.1875 x₁².
        for x in [-5.0, 0.0, 1.5, 8.0] {
            let y = 3.514_213_204_860_013_7 - 1.125 * x + 0.1875 * x * x;
            let row = [x + shift, y + shift];
            let slope = quadric.gradient(&row)[1];
            assert!((quadric.at(&row) / slope).abs() < 1e-14 + shift * 2e-16, "{shift} {x}");
        }
        // Its vertex: x₁ = 3, x₂ = 3.514… − 0.1875 · 9.
        let canonical = boundary.canonical.unwrap();
        close(canonical.centre[0], 3.0 + shift, 1e-15);
        close(canonical.centre[1], 3.514_213_204_860_013_7 - 1.6875 + shift, 4e-16 + 1e-15);
        close((canonical.eigenvalues[0] / canonical.slope).abs(), 0.1875, 1e-14);
        assert_eq!(canonical.semi_axes, [None, None]);
    }
}

#[test]
fn the_linear_classifier_of_the_lecture() {
    // Deck 002: Σ = diag(.125, .5), means (2.5, 0), (−1, 0): w = (28, 0), boundary x₁ = 0.75.
    for shift in [0.0, 1e9] {
        let means = [vec![2.5 + shift, shift], vec![-1.0 + shift, shift]];
        let model = given(&means, &[diagonal(&[0.125, 0.5])], &[0.5, 0.5]);
        let plane = model.boundary(0, 1).unwrap().plane.unwrap();
        assert_eq!(plane.point, [0.75 + shift, shift]);
        close(plane.normal[0], 28.0, 1e-15);
        assert_eq!(plane.normal[1], 0.0);
        close(plane.distance_sq, 98.0, 1e-15);
        // Priors ¾, ¼: x₀ = ½(m_a + m_b) − ln 3/d² (m_a − m_b).
        let uneven = given(&means, &[diagonal(&[0.125, 0.5])], &[0.75, 0.25]);
        let plane = uneven.boundary(0, 1).unwrap().plane.unwrap();
        let expected = 0.75 - 3.0_f64.ln() / 98.0 * 3.5;
        close(plane.point[0], expected + shift, 1e-15);
        let back = uneven.boundary(1, 0).unwrap().plane.unwrap();
        assert_eq!(back.point, plane.point);
        close(back.normal[0], -28.0, 1e-15);
    }
    let same = given(&[vec![1.0, 2.0], vec![1.0, 2.0]], &[diagonal(&[1.0, 1.0])], &[0.5, 0.5]);
    assert!(same.boundary(0, 1).unwrap().plane.is_none());
}

#[test]
fn an_ellipse_has_its_centre_and_semi_axes() {
    // I against diag(4, 9), means 0 and (3, 0): ⅜x² + 4/9 y² + ¾x − 9/8 − ln 6 = 0 turned in sign:
    // centre (−1, 0), ⅜(x + 1)² + 4/9 y² = 3/2 + ln 6.
    for (unit, shift) in [([1.0, 1.0], 0.0), ([1e-3, 1e3], 0.0), ([1.0, 1.0], 1e9)] {
        let means = [vec![shift, shift], vec![3.0 * unit[0] + shift, shift]];
        let scaled = |v: [f64; 2]| diagonal(&[v[0] * unit[0] * unit[0], v[1] * unit[1] * unit[1]]);
        let model = given(&means, &[scaled([1.0, 1.0]), scaled([4.0, 9.0])], &[0.5, 0.5]);
        let boundary = model.boundary(0, 1).unwrap();
        assert_eq!(boundary.kind, Kind::Ellipse);
        let canonical = boundary.canonical.unwrap();
        close(canonical.centre[0], -unit[0] + shift, 1e-14);
        assert!((canonical.centre[1] - shift).abs() < 1e-12 * unit[1]);
        let constant = 1.5 + 6.0_f64.ln();
        close(canonical.constant, constant, 1e-14);
        let mut semi: Vec<f64> = canonical.semi_axes.iter().map(|s| s.unwrap()).collect();
        semi.sort_by(f64::total_cmp);
        let mut expected =
            [(constant * 8.0 / 3.0).sqrt() * unit[0], (constant * 2.25).sqrt() * unit[1]];
        expected.sort_by(f64::total_cmp);
        close(semi[0], expected[0], 1e-14);
        close(semi[1], expected[1], 1e-14);
    }
}

#[test]
fn reject_makes_quadrics_of_two_classes_and_none_of_three() {
    let two = given(&[vec![0.0, 0.0], vec![2.0, 0.0]], &[diagonal(&[1.0, 1.0])], &[0.5, 0.5]);
    let loss = Loss::zero_one(2).with_reject(0.2).unwrap();
    let two = two.with_loss(loss).unwrap();
    // Reject is better than class 1 where P₂ > 0.2: 2 − 2x = ln(0.2/0.8)·(−1).
    let boundary = two.boundary(0, 2).unwrap();
    assert_eq!(boundary.kind, Kind::Line);
    close(boundary.plane.unwrap().point[0], 1.0 - 4.0_f64.ln() / 2.0, 1e-14);
    let means = [vec![0.0, 0.0], vec![2.0, 0.0], vec![0.0, 2.0]];
    let three = given(&means, &[diagonal(&[1.0, 1.0])], &[0.5, 0.25, 0.25]);
    assert_eq!(three.boundary(0, 2).unwrap().kind, Kind::Line);
    let loss = Loss::zero_one(3).with_reject(0.2).unwrap();
    let three = three.with_loss(loss).unwrap();
    assert_eq!(three.boundary(0, 3).unwrap().kind, Kind::NotAQuadric);
    assert_eq!(three.boundary(0, 1).unwrap().kind, Kind::Line);
    assert_eq!(
        three.boundary(0, 4).unwrap_err().to_string(),
        "there is no action 5: the loss has 4"
    );
}

#[test]
fn classes_without_weight_have_no_boundary() {
    let means = [vec![0.0, 0.0], vec![2.0, 0.0], vec![0.0, 2.0]];
    let model = given(&means, &[diagonal(&[1.0, 1.0])], &[0.5, 0.5, 0.0]);
    let boundary = model.boundary(2, 0).unwrap();
    assert_eq!((boundary.kind, boundary.better), (Kind::Empty, Some(0)));
    assert_eq!(model.boundary(0, 1).unwrap().kind, Kind::Line);
}

#[test]
fn a_hair_of_curvature_is_seen_until_rounding_hides_it() {
    for exponent in 2..16 {
        let h = 10.0_f64.powi(-exponent);
        let wide = diagonal(&[1.0 + h, 1.0 + h]);
        let model =
            given(&[vec![0.0, 0.0], vec![1.0, 0.0]], &[diagonal(&[1.0, 1.0]), wide], &[0.5, 0.5]);
        let expected = if exponent < 14 { Kind::Circle } else { Kind::Line };
        assert_eq!(model.boundary(0, 1).unwrap().kind, expected, "{h}");
    }
}

#[test]
fn the_homogeneous_form_is_the_function() {
    let model = given(
        &[vec![1.0, -2.0], vec![0.5, 3.0]],
        &[vec![2.0, 0.3, 1.0], vec![1.0, -0.4, 3.0]],
        &[0.3, 0.7],
    );
    let quadric = model.boundary(0, 1).unwrap().quadric.unwrap();
    let m = quadric.raw().homogeneous();
    for row in [[0.0, 0.0], [1.5, -2.0], [-3.0, 0.7]] {
        let x = [row[0], row[1], 1.0];
        let form: f64 = (0..9).map(|at| x[at / 3] * m[at] * x[at % 3]).sum();
        close(form, quadric.at(&row), 1e-12);
        let step = 1e-5;
        let along = (quadric.at(&[row[0] + step, row[1]]) - quadric.at(&[row[0] - step, row[1]]))
            / (2.0 * step);
        close(quadric.gradient(&row)[0], along, 1e-7);
    }
}
