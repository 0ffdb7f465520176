//! Finds the priors at which a quadratic of the log-likelihood is highest, none below 0 \[M74\].

use crate::linalg::{Triangular, dot, factor_in_place};
use crate::tolerance::{SHIFT_DUAL, SHIFT_RIDGE, SHIFT_RIDGE_MOST, SHIFT_TURNS};

/// Where the quadratic about some priors is highest, and by how much it is higher there.
///
/// `slope` and `information` are those of the log-likelihood there, `weight` that of all rows.
pub(super) fn highest(
    priors: &[f64],
    slope: &[f64],
    information: &[f64],
    weight: f64,
) -> (Vec<f64>, f64) {
    let classes = priors.len();
    let at = |i: usize, j: usize| information[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    // A class that no row can be of has no information at all.
    let seen: Vec<usize> = (0..classes).filter(|&k| at(k, k) > 0.0).collect();
    let scale: Vec<f64> = seen.iter().map(|&k| at(k, k).sqrt()).collect();
    // By the inverse of the prior, as EM moves priors: classes that are one keep their shares of it.
    let ridge = |k: usize| (SHIFT_RIDGE * weight / (priors[k] * at(k, k))).min(SHIFT_RIDGE_MOST);
    let row = |a: usize| {
        let entry = |b: usize| at(seen[a], seen[b]) / scale[a] / scale[b];
        let mut row: Vec<f64> = (0..seen.len()).map(entry).collect();
        row[a] += ridge(seen[a]);
        row
    };
    let gram: Vec<Vec<f64>> = (0..seen.len()).map(row).collect();
    let start: Vec<f64> = seen.iter().zip(&scale).map(|(&k, scale)| priors[k] * scale).collect();
    // (J π + slope − n) of the quadratic without the bound on the sum, which holds by itself at its end.
    let target = |(a, &k): (usize, &usize)| dot(&gram[a], &start) + (slope[k] - weight) / scale[a];
    let target: Vec<f64> = seen.iter().enumerate().map(target).collect();
    let found = non_negative(&gram, &target, start);
    let mut highest = vec![0.0; classes];
    seen.iter().zip(found.iter().zip(&scale)).for_each(|(&k, (z, scale))| highest[k] = z / scale);
    let step: Vec<f64> = highest.iter().zip(priors).map(|(after, before)| after - before).collect();
    let rise: f64 = step.iter().zip(slope).map(|(step, slope)| step * (slope - weight)).sum();
    let bend: f64 =
        (0..classes).map(|i| step[i] * (0..classes).map(|j| at(i, j) * step[j]).sum::<f64>()).sum();
    let sum: f64 = highest.iter().sum();
    highest.iter_mut().for_each(|prior| *prior /= sum);
    (highest, (rise - 0.5 * bend).max(0.0))
}

/// argmin ½ zᵀGz − bᵀz over z ≥ 0 from a start that is allowed, one class in or out at a time (Lawson & Hanson 1974).
fn non_negative(gram: &[Vec<f64>], b: &[f64], start: Vec<f64>) -> Vec<f64> {
    let count = b.len();
    let mut z = start;
    let mut free: Vec<bool> = z.iter().map(|z| *z > 0.0).collect();
    let most = b.iter().fold(0.0_f64, |most, b| most.max(b.abs()));
    for _ in 0..SHIFT_TURNS * (count + 1) {
        let members: Vec<usize> = (0..count).filter(|&k| free[k]).collect();
        let Some(x) = solved(gram, b, &members) else { return z };
        if x.iter().all(|x| *x > 0.0) {
            members.iter().zip(&x).for_each(|(&k, x)| z[k] = *x);
            let pull = |k: usize| b[k] - dot(&gram[k], &z);
            let bound = (0..count).filter(|&k| !free[k]).map(|k| (k, pull(k)));
            match bound.max_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((k, pull)) if pull > SHIFT_DUAL * most => free[k] = true,
                _ => return z,
            }
            continue;
        }
        let share = members.iter().zip(&x).filter(|(_, x)| **x <= 0.0);
        let share = share.map(|(&k, x)| z[k] / (z[k] - x)).fold(1.0, f64::min);
        for (&k, x) in members.iter().zip(&x) {
            let reached = z[k] + share * (x - z[k]);
            free[k] = reached > 0.0 && (*x > 0.0 || z[k] / (z[k] - x) > share);
            z[k] = if free[k] { reached } else { 0.0 };
        }
    }
    z
}

/// The solution of some rows and columns; none where rounding leaves no factor.
fn solved(gram: &[Vec<f64>], b: &[f64], members: &[usize]) -> Option<Vec<f64>> {
    if members.is_empty() {
        return Some(Vec::new());
    }
    let rows = members.iter().enumerate();
    let mut triangle: Vec<f64> =
        rows.flat_map(|(at, &i)| members[..=at].iter().map(move |&j| gram[i][j])).collect();
    if !factor_in_place(&mut triangle, members.len()) {
        return None;
    }
    let factor = Triangular::new(triangle, members.len());
    let mut x: Vec<f64> = members.iter().map(|&k| b[k]).collect();
    factor.solve_rows(&mut x);
    factor.solve_transposed(&mut x);
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_holds_only_where_it_must() {
        let gram = vec![vec![2.0, 1.0], vec![1.0, 2.0]];
        // Free: 2x + y = 3, x + 2y = 3; bound: the second would be −1/3, so x = 1/2 alone.
        for (b, right) in [([3.0, 3.0], [1.0, 1.0]), ([1.0, 0.0], [0.5, 0.0])] {
            for start in [vec![0.0, 1.0], vec![1.0, 0.0], vec![0.3, 0.3]] {
                let found = non_negative(&gram, &b, start);
                let near = found.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-14);
                assert!(near, "{found:?} {right:?}");
            }
        }
    }

    #[test]
    fn rows_of_known_classes_are_counted_in_one_step() {
        // g = 1/π of the row's own class: counts (30, 60, 10) about priors (½, ¼, ¼).
        let (priors, counts) = ([0.5, 0.25, 0.25], [30.0, 60.0, 10.0]);
        let slope: Vec<f64> = counts.iter().zip(priors).map(|(n, p)| n / p).collect();
        let mut information = vec![0.0; 6];
        (0..3).for_each(|k| information[k * (k + 3) / 2] = counts[k] / priors[k] / priors[k]);
        let (found, gain) = highest(&priors, &slope, &information, 100.0);
        // The quadratic of n ln y − y about π is highest at 2π − π²/n̂: Newton's step, not the end.
        let right = [1.0 - 25.0 / 30.0, 0.5 - 6.25 / 60.0, 0.5 - 6.25 / 10.0];
        let sum: f64 = right.iter().map(|y: &f64| y.max(0.0)).sum();
        for (found, right) in found.iter().zip(right) {
            assert!((found - right.max(0.0) / sum).abs() < 1e-9, "{found} {right}");
        }
        assert!(gain > 0.0);
    }
}
