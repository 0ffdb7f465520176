//! Places round classes of one size at random: the plainest data to learn on.

use super::label::Label;
use crate::parameters::Parameters;
use crate::rng::Random;

/// Half the side of the cube in which centres lie.
const REACH: f64 = 10.0;

/// The stream of the centres: no block of rows can have it.
const CENTRES: u64 = u64::MAX;

/// `classes` round Gaussians of `dim` columns with this standard deviation and equal priors; their
/// centres are uniform on [−10, 10] in every column.
///
/// ```
/// let classifier = gaussbayes::blobs(3, 2, 1.0, 1).classifier()?;
/// let rows = classifier.sample(300, 1)?.table()?;
/// assert_eq!((rows.rows(), rows.dim), (300, 2));
/// # Ok::<(), gaussbayes::Error>(())
/// ```
pub fn blobs(classes: usize, dim: usize, deviation: f64, seed: u64) -> Parameters {
    let mut random = Random::new(seed, CENTRES);
    let mut centre = || (0..dim).map(|_| REACH * (2.0 * random.uniform() - 1.0)).collect();
    let entry = |i: usize, j: usize| if i == j { deviation * deviation } else { 0.0 };
    Parameters {
        classes: (1..=classes).map(|k| Label::from(k.to_string())).collect(),
        features: (1..=dim).map(|j| format!("x{j}")).collect(),
        priors: None,
        means: (0..classes).map(|_| centre()).collect(),
        covariances: vec![(0..dim).map(|i| (0..dim).map(|j| entry(i, j)).collect()).collect()],
        costs: None,
    }
}
