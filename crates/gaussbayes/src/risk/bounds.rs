//! Bounds the error between two Gaussians from above: Bhattacharyya and Chernoff \[M37\].

use super::pair::Pair;
use crate::error::Error;
use crate::mixture::Mixture;
use crate::tolerance::{CHERNOFF_CHANGE, CHERNOFF_STEPS};

/// Upper bounds on ∫ min(P_i p_i, P_j p_j), the error between two components, and their distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// √(P_i P_j) ∫ √(p_i p_j).
    pub bhattacharyya: f64,
    /// The least of ∫ (P_i p_i)^s (P_j p_j)^(1−s) over s from 0 to 1.
    pub chernoff: f64,
    /// The s at which it is least: the exponent of the first component's density.
    pub s: f64,
    /// Logarithms of both bounds, which may be too small for a number.
    pub ln_bhattacharyya: f64,
    /// See `ln_bhattacharyya`.
    pub ln_chernoff: f64,
    /// −ln ∫ √(p_i p_j), Bhattacharyya's distance.
    pub distance: f64,
    /// Squared Mahalanobis distance of the means under the average of both covariances.
    pub distance_sq: f64,
}

impl Mixture {
    /// Bounds on the error between components `i` and `j` with these log weights: priors, or priors
    /// times costs. They hold for the rule that decides for the larger of P_i p_i and P_j p_j.
    ///
    /// ```
    /// use gaussbayes::Mixture;
    ///
    /// // Duda, Hart & Stork, chapter 2, example 1.
    /// let (means, half) = ([vec![3.0, 6.0], vec![3.0, -2.0]], 0.5_f64.ln());
    /// let covariances = [vec![0.5, 0.0, 2.0], vec![2.0, 0.0, 2.0]];
    /// let mixture = Mixture::given(&means, &covariances, vec![0.5, 0.5])?;
    /// let bounds = mixture.bounds(0, 1, (half, half))?;
    /// assert!((bounds.bhattacharyya - 0.008_191_002_721_309_667).abs() < 1e-15);
    /// assert!((bounds.chernoff - 0.008_189_916_839_395_005).abs() < 1e-15);
    /// # Ok::<(), gaussbayes::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotGaussian`] for laws other than the Gaussian's, [`Error::Singular`] for covariances
    /// of their own that keep to a range, [`Error::Shape`] for a component that is not there,
    /// [`Error::BadParameter`] for a log weight that is none.
    pub fn bounds(&self, i: usize, j: usize, log_weights: (f64, f64)) -> Result<Bounds, Error> {
        check(i, j, log_weights)?;
        Ok(self.pair(i, j)?.bounds(log_weights))
    }

    /// Mahalanobis distances between all centres, row by row: under the shared covariance, or under
    /// the average of both components'. Between two components this is their d′.
    ///
    /// # Errors
    /// As for [`Mixture::bounds`].
    pub fn centre_distances(&self) -> Result<Vec<f64>, Error> {
        let components = self.components();
        let mut all = vec![0.0; components * components];
        for i in 0..components {
            for j in 0..i {
                let distance = self.pair(i, j)?.distance_sq().sqrt();
                all[i * components + j] = distance;
                all[j * components + i] = distance;
            }
        }
        Ok(all)
    }
}

/// A log weight may be −∞, the logarithm of a weight of 0.
pub(super) fn check(i: usize, j: usize, log_weights: (f64, f64)) -> Result<(), Error> {
    for (component, value) in [(i, log_weights.0), (j, log_weights.1)] {
        if value.is_nan() || value == f64::INFINITY {
            return Err(Error::BadParameter { what: "log weight", component, value });
        }
    }
    Ok(())
}

impl Pair {
    fn bounds(&self, (a, b): (f64, f64)) -> Bounds {
        let distance = self.exponent(0.5).0;
        let (s, ln_chernoff) = if a == f64::NEG_INFINITY || b == f64::NEG_INFINITY {
            (if a < b { 1.0 } else { 0.0 }, f64::NEG_INFINITY)
        } else {
            self.least(a, b)
        };
        let ln_bhattacharyya = 0.5 * a + 0.5 * b - distance;
        // Rounding may put the least above the value at one half.
        let ln_chernoff = ln_chernoff.min(ln_bhattacharyya);
        Bounds {
            bhattacharyya: ln_bhattacharyya.exp(),
            chernoff: ln_chernoff.exp(),
            s,
            ln_bhattacharyya,
            ln_chernoff,
            distance,
            distance_sq: self.distance_sq(),
        }
    }

    /// Squared distance of the means under the average of both covariances.
    fn distance_sq(&self) -> f64 {
        let sum: f64 = self.squares().zip(&self.ratio).map(|(d, r)| 2.0 * (d / (1.0 + r))).sum();
        sum.min(f64::MAX)
    }

    /// k(s) = −ln ∫ p_i^s p_j^(1−s), and its first two derivatives.
    fn exponent(&self, s: f64) -> (f64, f64, f64) {
        let mut sum = (0.0, 0.0, 0.0);
        for (square, ratio) in self.squares().zip(&self.ratio) {
            let (excess, ln) = (ratio - 1.0, ratio.ln());
            let mixed = (1.0 - s) + s * ratio;
            let near = square / mixed;
            sum.0 += 0.5 * (s * (1.0 - s) * near + mixed.ln() - s * ln);
            sum.1 += 0.5 * ((1.0 - s - s * (ratio / mixed)) * near + excess / mixed - ln);
            let bend = excess / mixed;
            sum.2 -= (ratio / mixed) * near / mixed + 0.5 * bend * bend;
        }
        sum
    }

    /// The s in [0, 1] at which the convex s a + (1 − s) b − k(s) is least, and its value there.
    fn least(&self, a: f64, b: f64) -> (f64, f64) {
        let slope = |s: f64| {
            let (_, first, second) = self.exponent(s);
            (a - b - first, -second)
        };
        if slope(0.0).0 >= 0.0 {
            return (0.0, b);
        }
        if slope(1.0).0 <= 0.0 {
            return (1.0, a);
        }
        let (mut low, mut high, mut s) = (0.0, 1.0, 0.5);
        for _ in 0..CHERNOFF_STEPS {
            let (first, second) = slope(s);
            if first > 0.0 {
                high = s;
            } else {
                low = s;
            }
            let newton = s - first / second;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            let change = (next - s).abs();
            s = next;
            if change <= CHERNOFF_CHANGE {
                break;
            }
        }
        (s, s * a + (1.0 - s) * b - self.exponent(s).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_exponent() {
        let pair = Pair::new(vec![1.5, -0.3, 0.0], vec![0.01, 1.0, 40.0]);
        for s in [0.0, 0.2, 0.7, 1.0] {
            let (_, first, second) = pair.exponent(s);
            let (low, high) = (pair.exponent(s - 1e-5), pair.exponent(s + 1e-5));
            assert!(((high.0 - low.0) / 2e-5 - first).abs() < 1e-6 * first.abs().max(1.0), "{s}");
            assert!(((high.1 - low.1) / 2e-5 - second).abs() < 1e-5 * second.abs(), "{s}");
        }
    }

    #[test]
    fn no_exponent_bounds_better() {
        for ratio in [vec![0.01, 1.0, 40.0], vec![1.0; 3], vec![30.0, 50.0, 70.0]] {
            let pair = Pair::new(vec![1.5, -0.3, 0.0], ratio);
            for (a, b) in [(-0.7, -0.7), (-0.01, -4.6), (-7.0, -1e-3), (-40.0, 0.0)] {
                let found = pair.bounds((a, b)).ln_chernoff;
                for n in 0..=1000 {
                    let s = f64::from(n) / 1000.0;
                    let other = s * a + (1.0 - s) * b - pair.exponent(s).0;
                    assert!(found <= other + 1e-14 * other.abs(), "{a} {b} {s}: {found} {other}");
                }
            }
        }
    }

    #[test]
    fn far_means_and_weights_of_zero_leave_numbers() {
        let pair = Pair::new(vec![1e200, -1e300], vec![1e-150, 1e150]);
        for weights in [(0.0, 0.0), (f64::NEG_INFINITY, 0.0), (-1e300, f64::NEG_INFINITY)] {
            let found = pair.bounds(weights);
            assert_eq!((found.chernoff, found.bhattacharyya), (0.0, 0.0), "{found:?}");
            assert!((0.0..=1.0).contains(&found.s) && found.distance_sq.is_finite());
        }
    }
}
