//! Reaches every kind by a model whose kind is known, in any units, turned and far from zero.

use super::given;
use gaussbayes::{Classifier, Random};

/// Two classes with diagonal covariances, in any number of columns.
struct Case {
    kind: &'static str,
    apart: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    prior: f64,
}

fn case(kind: &'static str, apart: &[f64], first: &[f64], second: &[f64], prior: f64) -> Case {
    Case { kind, apart: apart.to_vec(), first: first.to_vec(), second: second.to_vec(), prior }
}

#[rustfmt::skip]
fn cases() -> Vec<Case> {
    let (third, fifth, ninth) = (1.0 / 3.0, 0.2, 1.0 / 9.0);
    vec![
        case("point", &[1.0], &[0.5], &[0.5], 0.5),
        case("two points", &[0.0], &[1.0], &[4.0], 0.5),
        case("two points", &[2.0], &[1.0], &[4.0], 0.5),
        case("point", &[0.0], &[1.0], &[4.0], third),
        case("empty", &[0.0], &[1.0], &[4.0], 0.1),
        case("empty", &[0.0], &[1.0], &[1.0], 0.1),
        case("everywhere", &[0.0], &[1.0], &[1.0], 0.5),
        case("line", &[1.0, 2.0], &[2.0, 3.0], &[2.0, 3.0], 0.3),
        case("double line", &[0.0, 0.0], &[1.0, 1.0], &[4.0, 1.0], third),
        case("parallel lines", &[0.0, 0.0], &[1.0, 1.0], &[4.0, 1.0], 0.5),
        case("parallel lines", &[3.0, 0.0], &[1.0, 1.0], &[4.0, 1.0], 0.5),
        case("crossing lines", &[0.0, 0.0], &[1.0, 4.0], &[4.0, 1.0], 0.5),
        case("crossing lines", &[3.0, 3.0], &[1.0, 4.0], &[4.0, 1.0], 0.5),
        case("circle", &[1.0, 2.0], &[1.0, 1.0], &[4.0, 4.0], 0.5),
        case("ellipse", &[1.0, 2.0], &[1.0, 1.0], &[4.0, 9.0], 0.5),
        case("parabola", &[0.0, -8.0], &[0.5, 2.0], &[2.0, 2.0], 0.5),
        case("hyperbola", &[3.0, 3.0], &[1.0, 4.0], &[4.0, 1.0], 0.4),
        case("point", &[0.0, 0.0], &[1.0, 1.0], &[4.0, 4.0], fifth),
        case("empty", &[0.0, 0.0], &[1.0, 1.0], &[4.0, 4.0], 0.1),
        case("empty", &[0.0, 0.0], &[1.0, 1.0], &[4.0, 1.0], 0.1),
        case("everywhere", &[0.0, 0.0], &[1.0, 5.0], &[1.0, 5.0], 0.5),
        case("hyperplane", &[1.0, 2.0, 0.0], &[2.0, 3.0, 1.0], &[2.0, 3.0, 1.0], 0.3),
        case("point", &[0.0; 3], &[1.0; 3], &[4.0; 3], ninth),
        case("sphere", &[1.0, 2.0, 3.0], &[1.0; 3], &[4.0; 3], 0.5),
        case("ellipsoid", &[1.0, 2.0, 3.0], &[1.0; 3], &[4.0, 9.0, 16.0], 0.5),
        case("elliptic paraboloid", &[0.0, 2.0, 3.0], &[1.0; 3], &[4.0, 9.0, 1.0], 0.5),
        case("hyperbolic paraboloid", &[0.0, 2.0, 3.0], &[1.0, 4.0, 1.0], &[4.0, 1.0, 1.0], 0.5),
        case("hyperboloid", &[0.0, 2.0, 3.0], &[1.0, 4.0, 1.0], &[4.0, 1.0, 2.0], 0.5),
        case("cone", &[0.0; 3], &[1.0; 3], &[4.0, 0.25, 4.0], third),
        case("cylinder over a circle", &[1.0, 2.0, 0.0], &[1.0; 3], &[4.0, 4.0, 1.0], 0.5),
        case("cylinder over an ellipse", &[1.0, 2.0, 0.0], &[1.0; 3], &[4.0, 9.0, 1.0], 0.5),
        case("cylinder over a point", &[0.0; 3], &[1.0; 3], &[4.0, 4.0, 1.0], fifth),
        case("cylinder over parallel lines", &[2.0, 0.0, 0.0], &[1.0; 3], &[4.0, 1.0, 1.0], 0.5),
        case("cylinder over a double line", &[0.0; 3], &[1.0; 3], &[4.0, 1.0, 1.0], third),
        case("cylinder over crossing lines", &[0.0; 3], &[1.0; 3], &[4.0, 0.25, 1.0], 0.5),
        case("cylinder over a hyperbola", &[0.0; 3], &[1.0; 3], &[4.0, 0.25, 1.0], 0.4),
        case("cylinder over a parabola", &[0.0, 2.0, 5.0], &[1.0; 3], &[4.0, 1.0, 1.0], 0.5),
        case("everywhere", &[0.0; 3], &[1.0; 3], &[1.0; 3], 0.5),
        case("empty", &[0.0; 3], &[1.0; 3], &[1.0; 3], 0.4),
        case("cylinder over a sphere", &[1.0, 0.0, 0.0, 0.0], &[1.0; 4], &[4.0, 4.0, 4.0, 1.0], 0.5),
        case("cylinder over an ellipsoid", &[1.0, 0.0, 0.0, 0.0], &[1.0; 4], &[4.0, 4.0, 9.0, 1.0], 0.5),
        case("cylinder over an elliptic paraboloid", &[0.0, 0.0, 2.0, 1.0], &[1.0; 4], &[4.0, 4.0, 1.0, 1.0], 0.5),
        case("cylinder over a hyperbolic paraboloid", &[0.0, 0.0, 2.0, 1.0], &[1.0; 4], &[4.0, 0.5, 1.0, 1.0], 0.5),
        case("cylinder over a hyperboloid", &[0.0; 4], &[1.0; 4], &[4.0, 0.25, 9.0, 1.0], 0.5),
        case("cylinder over a cone", &[0.0; 4], &[1.0; 4], &[4.0, 0.25, 4.0, 1.0], third),
        case("elliptic paraboloid", &[0.0, 0.0, 0.0, 1.0], &[1.0; 4], &[4.0, 4.0, 2.0, 1.0], 0.5),
        case("hyperboloid", &[1.0; 4], &[1.0; 4], &[4.0, 0.25, 9.0, 2.0], 0.5),
    ]
}

/// A rotation by seeded angles in all planes, row by row; the identity for seed 0.
fn rotation(dim: usize, seed: u64) -> Vec<f64> {
    let mut q = vec![0.0; dim * dim];
    (0..dim).for_each(|k| q[k * (dim + 1)] = 1.0);
    let mut random = Random::new(seed, 0);
    for i in 1..dim {
        for j in (0..i).filter(|_| seed > 0) {
            let angle = random.normal_pair().0;
            for k in 0..dim {
                let (x, y) = (q[i * dim + k], q[j * dim + k]);
                q[i * dim + k] = angle.cos() * x - angle.sin() * y;
                q[j * dim + k] = angle.sin() * x + angle.cos() * y;
            }
        }
    }
    q
}

impl Case {
    /// Turned, then in other units, then moved.
    fn model(&self, seed: u64, units: &[f64], shift: f64) -> Classifier {
        let dim = self.apart.len();
        let q = rotation(dim, seed);
        let mean = |centre: &[f64]| -> Vec<f64> {
            let turned = |i: usize| (0..dim).map(|k| q[i * dim + k] * centre[k]).sum::<f64>();
            (0..dim).map(|i| units[i] * turned(i) + shift).collect()
        };
        let covariance = |variances: &[f64]| -> Vec<f64> {
            let entry = |i: usize, j: usize| {
                let sum = (0..dim).map(|k| q[i * dim + k] * variances[k] * q[j * dim + k]);
                sum.sum::<f64>() * units[i] * units[j]
            };
            let pairs = (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j)));
            pairs.map(|(i, j)| entry(i, j)).collect()
        };
        given(
            &[mean(&vec![0.0; dim]), mean(&self.apart)],
            &[covariance(&self.first), covariance(&self.second)],
            &[self.prior, 1.0 - self.prior],
        )
    }

    fn holds(&self, classifier: &Classifier, what: &str) {
        let round = ["circle", "sphere"].iter().any(|word| self.kind.ends_with(word));
        let (boundary, back) =
            (classifier.boundary(0, 1).unwrap(), classifier.boundary(1, 0).unwrap());
        let name = if round && what.contains("units") {
            self.kind
                .replace("a circle", "an ellipse")
                .replace("circle", "ellipse")
                .replace("a sphere", "an ellipsoid")
                .replace("sphere", "ellipsoid")
        } else {
            self.kind.to_owned()
        };
        assert_eq!(boundary.kind.name(), name, "{what} {:?}: {boundary:?}", self.second);
        assert_eq!(back.kind, boundary.kind, "{what} reversed");
    }
}

#[test]
fn every_kind_is_reached() {
    for case in cases() {
        case.holds(&case.model(0, &vec![1.0; case.apart.len()], 0.0), "plain");
    }
}

#[test]
fn kinds_stay_in_other_units_turned_and_far_from_zero() {
    for case in cases() {
        let dim = case.apart.len();
        let units: Vec<f64> = (0..dim).map(|j| [1e-3, 1e3, 7.0, 0.3][j]).collect();
        case.holds(&case.model(0, &units, 0.0), "units");
        case.holds(&case.model(0, &vec![1e-3; dim], 0.0), "small");
        case.holds(&case.model(0, &vec![1.0; dim], 1e9), "far");
        for seed in 1..6 {
            case.holds(&case.model(seed, &vec![1.0; dim], 0.0), "turned");
            case.holds(&case.model(seed, &units, 0.0), "turned units");
            case.holds(&case.model(seed, &vec![1.0; dim], 1e9), "turned far");
            case.holds(&case.model(seed, &vec![1e3; dim], 1e9), "turned large far");
        }
    }
}
