//! Says how softmax regression is fitted.

use crate::error::{Error, SoftmaxRefusal};
use crate::tolerance::{SOFTMAX_MOVED, SOFTMAX_PENALTY, SOFTMAX_STEPS};

/// How the coefficients of a softmax are found.
///
/// ```
/// use gaussbayes::SoftmaxSpec;
/// assert_eq!(SoftmaxSpec::default().penalty, 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftmaxSpec {
    /// λ of ½λ‖w‖², on coefficients per raw unit of a column: 1/C of scikit-learn. 0 is maximum likelihood. Of two
    /// classes w is the difference of both; of more there is one for each \[M79\].
    pub penalty: f64,
    /// Change of log-odds by a Newton step from which one more ends the fit.
    pub tolerance: f64,
    /// Newton steps after which the fit is over in any case.
    pub max_iterations: u32,
}

impl Default for SoftmaxSpec {
    fn default() -> Self {
        Self { penalty: SOFTMAX_PENALTY, tolerance: SOFTMAX_MOVED, max_iterations: SOFTMAX_STEPS }
    }
}

impl SoftmaxSpec {
    /// The same with another penalty.
    #[must_use]
    pub fn with_penalty(self, penalty: f64) -> Self {
        Self { penalty, ..self }
    }

    /// Whether coefficients are the likeliest ones.
    pub fn is_unpenalised(&self) -> bool {
        self.penalty == 0.0
    }

    /// Refuses numbers that make no sense.
    ///
    /// # Errors
    /// [`SoftmaxRefusal::Penalty`] and [`Error::BadTolerance`].
    pub fn check(&self) -> Result<(), Error> {
        let value = self.penalty;
        if !(value.is_finite() && value >= 0.0) {
            return Err(SoftmaxRefusal::Penalty { value }.into());
        }
        let value = self.tolerance;
        if !(value.is_finite() && value >= 0.0) {
            return Err(Error::BadTolerance { value });
        }
        Ok(())
    }
}
