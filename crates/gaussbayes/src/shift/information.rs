//! Reads standard errors of priors off the information of the rows \[M75\].

use crate::linalg::{dot, eigen};
use crate::tolerance::SHIFT_BLIND;

/// The standard error of each prior; none at a bound, and none where rows do not tell classes apart.
pub(super) fn standard_errors(
    priors: &[f64],
    information: &[f64],
    weight: f64,
) -> Vec<Option<f64>> {
    let mut errors = vec![None; priors.len()];
    let free: Vec<usize> = (0..priors.len()).filter(|&k| priors[k] > 0.0).collect();
    if free.len() < 2 {
        return errors;
    }
    let root: Vec<f64> = free.iter().map(|&k| priors[k].sqrt()).collect();
    // In units of √π the information of rows whose classes are known is that of the identity.
    let pairs = (0..free.len()).flat_map(|a| (0..=a).map(move |b| (a, b)));
    let scaled = pairs.map(|(a, b)| {
        let (i, j) = (free[a], free[b]);
        root[a] * root[b] * (information[i * (i + 1) / 2 + j] / weight)
    });
    let Some(found) = eigen(&scaled.collect::<Vec<f64>>(), free.len()) else { return errors };
    for (a, &k) in free.iter().enumerate() {
        // What the prior is in the directions along which the sum stays one.
        let others: f64 = free.iter().filter(|&&j| j != k).map(|&j| priors[j]).sum();
        let direction: Vec<f64> = (0..free.len())
            .map(|b| root[a] * if a == b { others } else { -root[a] * root[b] })
            .collect();
        let blind = SHIFT_BLIND * dot(&direction, &direction);
        let along = found.vectors.chunks_exact(free.len()).map(|vector| dot(vector, &direction));
        let mut variance = 0.0;
        for (along, value) in along.zip(&found.values) {
            if *value > SHIFT_BLIND {
                variance += along * along / value;
            } else if along * along > blind {
                variance = f64::INFINITY;
            }
        }
        let error = (variance / weight).sqrt();
        errors[k] = error.is_finite().then_some(error);
    }
    errors
}
