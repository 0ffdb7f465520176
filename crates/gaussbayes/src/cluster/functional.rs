//! Evaluates what the M-step maximises: the expected log-likelihood of rows with their components.

use crate::covariance::norm_sq;
use crate::mixture::Mixture;
use crate::moments::{Moments, Storage};

impl Mixture {
    /// E(Θ; Θ_t) = Σ_i Σ_k z_ik ln π_k p(x_i | k; Θ) at these parameters, from the moments of the rows under
    /// memberships z \[M56\].
    ///
    /// `None` where the moments hold less than the covariances need, or other columns or components.
    pub fn expected(&self, moments: &Moments) -> Option<f64> {
        if moments.dim() != self.dim() || moments.components() != self.components() {
            return None;
        }
        let (mut sum, mut apart) = (0.0, Vec::with_capacity(self.dim()));
        for (k, weight) in moments.weight().iter().enumerate().filter(|(_, n)| **n > 0.0) {
            let covariance = self.covariances().get(k);
            let means = moments.mean_in(k, self.frame()).zip(self.mean(k));
            apart.clear();
            apart.extend(means.map(|(m, mean)| m - mean));
            covariance.whiten_rows(&mut apart);
            let known = self.weights()[k].ln() + self.log_norm(k);
            sum += weight * (known - 0.5 * norm_sq(&apart));
            if moments.storage() != Storage::Shared {
                let spread = moments.spread(k, covariance.shape(), self.frame()).ok()?;
                sum -= 0.5 * covariance.trace_of(&spread);
            }
        }
        if moments.storage() == Storage::Shared {
            let covariance = self.covariances().get(0);
            let spread = moments.spread(0, covariance.shape(), self.frame()).ok()?;
            sum -= 0.5 * covariance.trace_of(&spread);
        }
        Some(sum)
    }
}
