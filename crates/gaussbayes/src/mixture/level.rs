//! Finds the density below which a share of a mixture's own rows lies \[M53\].

use super::{Mixture, Score};
use crate::error::Error;
use crate::posterior::Posterior;
use crate::sweep::{On, each_block};
use crate::tolerance::{LEVEL_DRAWS, LEVEL_SHARE};

impl Mixture {
    /// The log density ln p(x) below which a share of this mixture's own rows lies, as found from rows
    /// drawn from it: the same level for the same mixture.
    ///
    /// # Errors
    /// [`Error::BadShare`] for a share that is not between 1/1000 and 1, [`Error::NotGaussian`] for a
    /// component whose density is no Gaussian.
    pub fn density_level(&self, share: f64, on: On<'_>) -> Result<f64, Error> {
        if !(LEVEL_SHARE..1.0).contains(&share) {
            return Err(Error::BadShare { value: share });
        }
        let mut drawn = self.sample(LEVEL_DRAWS, 0)?;
        let mut levels = Vec::new();
        each_block(
            &mut drawn,
            on,
            |block| {
                let posterior = Posterior::from_scores(self.scores(block)?);
                Ok((0..posterior.rows()).map(|i| posterior.log_evidence(i)).collect::<Vec<f64>>())
            },
            |part| {
                levels.extend(part);
                Ok::<(), Error>(())
            },
        )?;
        let at = (share * levels.len() as f64) as usize;
        let (_, level, _) = levels.select_nth_unstable_by(at, f64::total_cmp);
        Ok(*level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::Pool;

    #[test]
    fn one_normal_has_the_level_of_its_tails() {
        // N(3, 4): ln p = −½ ln 8π − ½z²; a share of 0.05 lies beyond |z| = 1.959963984540054 (R, qnorm).
        let one = Mixture::given(&[vec![3.0]], &[vec![4.0]], vec![1.0]).unwrap();
        let pool = Pool::new(1).unwrap();
        let level = one.density_level(0.05, On::pool(&pool)).unwrap();
        let exact =
            -0.5 * (8.0 * std::f64::consts::PI).ln() - 0.5 * 1.959_963_984_540_054_f64.powi(2);
        // Three deviations of the share, 0.05 ± 0.0018, over the density of ½z² there.
        assert!((level - exact).abs() < 0.035, "{level} {exact}");
        for share in [0.0, 1e-4, 1.0, f64::NAN] {
            assert!(one.density_level(share, On::pool(&pool)).is_err());
        }
    }
}
