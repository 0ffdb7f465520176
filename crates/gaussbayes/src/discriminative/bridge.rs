//! Writes models whose log-odds are linear as a softmax \[M81\].

use super::model::Softmax;
use super::newton::centre;
use crate::classify::Classifier;
use crate::covariance::norm_sq;
use crate::error::{Error, SoftmaxRefusal};
use crate::mixture::{Covariances, Mixture};
use crate::moments::Frame;
use crate::naive::{Factor, Product};
use crate::scorer::Scorer;

impl Classifier {
    /// The softmax that has the posteriors of this classifier, where its log-odds are linear in the columns \[M81\].
    ///
    /// # Errors
    /// What [`Softmax::from_mixture`] and [`Softmax::from_product`] refuse; [`Error::NotOneEach`].
    pub fn softmax(&self) -> Result<Softmax, Error> {
        match self.model() {
            Scorer::Mixture(_) => Softmax::from_mixture(self.gaussians()?),
            Scorer::Product(product) => Softmax::from_product(product),
            Scorer::Softmax(softmax) => Ok(softmax.clone()),
        }
    }
}

impl Softmax {
    /// The softmax that has the posteriors of Gaussians of one covariance: LDA, diagonal LDA, the nearest mean \[M81\].
    ///
    /// # Errors
    /// [`SoftmaxRefusal::NotLinear`] for covariances or laws of their own, and beside noise.
    pub fn from_mixture(mixture: &Mixture) -> Result<Self, Error> {
        let refuse = |what| Err(SoftmaxRefusal::NotLinear { what }.into());
        if mixture.laws().is_some() {
            return refuse("densities that are no Gaussians");
        }
        if mixture.noise().is_some() {
            return refuse("Gaussians beside noise");
        }
        let Covariances::Shared(covariance) = mixture.covariances() else {
            return refuse("classes of different covariances");
        };
        let (classes, dim) = (mixture.components(), mixture.dim());
        // About the centre of the means no digit is lost, however far from zero it is; the origin is a raw number.
        let frame = mixture.frame().about(&mixture.framed_centre(), &vec![0.0; dim]);
        let origin = frame.origin().iter().enumerate();
        let origin: Vec<f64> = origin.map(|(j, &x)| mixture.frame().place(j, x)).collect();
        let mut coefficients = Vec::with_capacity(classes * dim);
        let mut intercepts = Vec::with_capacity(classes);
        for (k, weight) in mixture.weights().iter().enumerate() {
            let mut w: Vec<f64> = mixture.mean(k).iter().zip(&origin).map(|(m, c)| m - c).collect();
            covariance.whiten_rows(&mut w);
            intercepts.push(weight.ln() - 0.5 * norm_sq(&w));
            covariance.unwhiten(&mut w);
            coefficients.extend(w);
        }
        centre(&mut coefficients, classes);
        if intercepts.iter().all(|b| b.is_finite()) {
            centre(&mut intercepts, classes);
        }
        Self::new(frame, coefficients, intercepts, mixture.weights().to_vec())
    }

    /// The softmax that has the posteriors of naive Bayes over flags and counts \[M81\], on rows whose flags are 0 and 1
    /// and of which nothing is missing.
    ///
    /// # Errors
    /// [`SoftmaxRefusal::NotLinear`] for categories, words and numbers, for a threshold of flags that is not between
    /// 0 and 1, and for what a class cannot have at all.
    pub fn from_product(product: &Product) -> Result<Self, Error> {
        let refuse = |what| Err(SoftmaxRefusal::NotLinear { what }.into());
        let (classes, dim) = (product.priors().len(), product.columns());
        let mut coefficients = vec![0.0; classes * dim];
        let log_prior = |prior: &f64| if product.has_priors() { prior.ln() } else { 0.0 };
        let mut intercepts: Vec<f64> = product.priors().iter().map(log_prior).collect();
        for factor in product.factors() {
            match factor {
                Factor::Flags { columns, above, log_yes, log_no } => {
                    if !(0.0..1.0).contains(above) {
                        return refuse("flags that are not 0 and 1");
                    }
                    let cells = log_yes.iter().zip(log_no).enumerate();
                    for (at, (yes, no)) in cells {
                        let (column, class) = (columns[at / classes], at % classes);
                        coefficients[class * dim + column] += yes - no;
                        intercepts[class] += no;
                    }
                }
                Factor::Counts { columns, weights, .. } => {
                    for (at, weight) in weights.iter().enumerate() {
                        coefficients[at % classes * dim + columns[at / classes]] += weight;
                    }
                }
                Factor::Names { .. } => return refuse("categories"),
                Factor::Words { .. } => return refuse("words"),
                Factor::Number { .. } => return refuse("numbers of different variances"),
            }
        }
        if coefficients.iter().any(|w| !w.is_finite()) {
            return refuse("probabilities of zero");
        }
        centre(&mut coefficients, classes);
        if intercepts.iter().all(|b| b.is_finite()) {
            centre(&mut intercepts, classes);
        }
        let frame = Frame::new(vec![0.0; dim], vec![0; dim], vec![0; dim])?;
        Self::new(frame, coefficients, intercepts, product.priors().to_vec())
    }
}
