//! Cuts the only column of a model into the regions of its actions \[M43\].

use super::{Contest, Field, Line};
use crate::classify::Classifier;
use crate::error::{Error, OutlierRefusal};

/// An interval of the only column on which one action is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    /// Where it begins; −∞ for the first.
    pub from: f64,
    /// Where it ends; ∞ for the last.
    pub to: f64,
    /// The action, as a number into the loss's actions.
    pub action: usize,
}

impl Classifier {
    /// The regions R_k of a model of one column, from left to right: neighbours differ, and a point where
    /// two actions tie belongs to the lower one.
    ///
    /// # Errors
    /// [`Error::Shape`] for a model of more columns, [`Error::NotQuadratic`] for densities whose logarithm is
    /// no quadratic function, [`Error::NotOneEach`], [`OutlierRefusal::Curves`] where outliers are rejected.
    pub fn regions(&self) -> Result<Vec<Region>, Error> {
        let model = self.rule()?;
        let dim = model.dim();
        if dim != 1 {
            return Err(Error::Shape { what: "columns of regions", expected: 1, found: dim });
        }
        if self.loss().outliers().is_some() {
            return Err(OutlierRefusal::Curves.into());
        }
        let field = Field::of(&model)?;
        let contest = Contest::of(self.loss(), model.weights());
        let (middle, frame) = (model.framed_centre()[0], &field.frame);
        let quadratic = |component: &super::component::Component| {
            let slope = component.whiten.first().copied().unwrap_or(0.0);
            let off = slope * (component.mean[0] - middle);
            // What all have in common decides nothing.
            let bend = if field.shared { 0.0 } else { -0.5 * slope * slope };
            [bend, slope * off, component.log - 0.5 * off * off]
        };
        let quadratics: Vec<[f64; 3]> = field.components.iter().map(quadratic).collect();
        let raw = |s: f64| if s.is_finite() { frame.raw_value(0, middle + s) } else { s };
        let stretches = Line { contest: &contest, quadratics: &quadratics }.regions();
        let region = |stretch: super::line::Stretch| Region {
            from: raw(stretch.from),
            to: raw(stretch.to),
            action: stretch.action,
        };
        Ok(stretches.into_iter().map(region).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;
    use crate::decide::Loss;
    use crate::mixture::Mixture;

    fn rule(means: [f64; 2], variances: &[f64], priors: [f64; 2], offset: f64) -> Classifier {
        let means = means.map(|m| vec![m + offset]);
        let variances: Vec<Vec<f64>> = variances.iter().map(|v| vec![*v]).collect();
        let model = Mixture::given(&means, &variances, priors.to_vec()).unwrap();
        let classes = ["a", "b"].map(Label::from).to_vec();
        Classifier::new(model, classes, vec!["x".into()], Loss::zero_one(2)).unwrap()
    }

    #[test]
    fn a_line_falls_into_the_regions_of_its_actions() {
        for offset in [0.0, 1e9] {
            let modem = rule([0.0, 1.0], &[1.0], [0.5; 2], offset).regions().unwrap();
            assert_eq!(modem.iter().map(|r| r.action).collect::<Vec<_>>(), [0, 1]);
            assert_eq!((modem[0].to - offset, modem[1].from - offset), (0.5, 0.5));
            // N(0, 1) inside N(0, 4): x² = (8/3) ln 2.
            let inside = rule([0.0; 2], &[1.0, 4.0], [0.5; 2], offset).regions().unwrap();
            assert_eq!(inside.iter().map(|r| r.action).collect::<Vec<_>>(), [1, 0, 1]);
            let edge = (8.0 / 3.0 * std::f64::consts::LN_2).sqrt();
            assert!(
                (inside[2].from - offset - edge).abs()
                    < 1e-6 * f64::from(u8::from(offset > 0.0)) + 1e-14
            );
        }
        // Reject at 0.2 where both posteriors are below 0.8: |x − ½| < ln 4.
        let loss = Loss::zero_one(2).with_reject(0.2).unwrap();
        let unsure = rule([0.0, 1.0], &[1.0], [0.5; 2], 0.0).with_loss(loss).unwrap();
        let found = unsure.regions().unwrap();
        assert_eq!(found.iter().map(|r| r.action).collect::<Vec<_>>(), [0, 2, 1]);
        assert!((found[1].from - 0.5 + 4.0_f64.ln()).abs() < 1e-14, "{found:?}");
        // A reject that costs more than any doubt is never taken.
        let never = Loss::zero_one(2).with_reject(0.7).unwrap();
        assert_eq!(unsure.with_loss(never).unwrap().regions().unwrap().len(), 2);
    }
}
