//! Lays a softmax out as JSON: how it was fitted, and its scores.

use gaussbayes::{Learner, Scorer, Softmax, SoftmaxSpec};
use serde::{Deserialize, Serialize};

use super::Model;
use super::layout::Why;
use super::mixture::FrameLayout;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SoftmaxLayout {
    penalty: f64,
    tolerance: f64,
    max_iterations: u32,
    frame: FrameLayout,
    coefficients: Vec<f64>,
    /// Null is −∞: a class that cannot come.
    intercepts: Vec<Option<f64>>,
    priors: Vec<f64>,
}

impl SoftmaxLayout {
    pub(super) fn of(model: &Model) -> Option<Self> {
        let (Scorer::Softmax(softmax), Learner::Softmax(spec)) =
            (model.classifier.model(), &model.spec)
        else {
            return None;
        };
        let finite = |value: &f64| Some(*value).filter(|value| value.is_finite());
        Some(Self {
            penalty: spec.penalty,
            tolerance: spec.tolerance,
            max_iterations: spec.max_iterations,
            frame: FrameLayout::of(softmax.frame()),
            coefficients: softmax.coefficients().to_vec(),
            intercepts: softmax.intercepts().iter().map(finite).collect(),
            priors: softmax.priors().to_vec(),
        })
    }

    pub(super) fn into_parts(self) -> Result<(Softmax, SoftmaxSpec), Why> {
        let spec = SoftmaxSpec {
            penalty: self.penalty,
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
        };
        spec.check()?;
        let intercepts = self.intercepts.into_iter().map(|b| b.unwrap_or(f64::NEG_INFINITY));
        let frame = self.frame.into_frame()?;
        let softmax = Softmax::new(frame, self.coefficients, intercepts.collect(), self.priors)?;
        Ok((softmax, spec))
    }
}
