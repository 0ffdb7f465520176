//! Draws class centroids toward the centre of all rows, and decides by the nearest \[M33\].

mod medians;
mod taxicab;
mod within;

use crate::covariance::{Covariance, CovarianceSpec, Priors};
use crate::error::Error;
use crate::mixture::{Covariances, Mixture};
use crate::moments::{Frame, Moments, Shape, ldexp};
use crate::tolerance::{EQUAL_PRIORS, EQUAL_PRIORS_LEAST, FAR_EXPONENT, UNIT_EXPONENT};

pub use medians::class_medians;
use within::Within;

/// Class centroids, drawn toward the mean of all rows where a threshold is given \[M33\].
///
/// ```
/// use gaussbayes::{Centroids, LabelSweep, On, Pool, Priors, Score, Storage, banana, run};
///
/// let rows = banana(500, 1);
/// let pool = Pool::new(2)?;
/// let sweep = LabelSweep::new(Storage::Diagonal);
/// let (_, moments) = run(&sweep, &mut rows.source(), On::pool(&pool))?.sorted();
/// let centroids = Centroids::of(&moments, Some(2.0))?;
/// // The classes lie 7.1 apart in the first column, and less than 0.5 in the second.
/// assert!(centroids.deviations()[0] > 2.0 && centroids.deviations()[1] == 0.0);
/// let mixture = centroids.mixture(&Priors::Uniform)?;
/// assert_eq!(mixture.components(), 2);
/// # Ok::<(), gaussbayes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Centroids {
    /// Framed centres and deviations are in the unit of each column, so that no offset and no unit
    /// costs digits; raw values are made once, at the end.
    frame: Frame,
    weight: Vec<f64>,
    framed: Vec<f64>,
    spread: Within,
    overall: Vec<f64>,
    centres: Vec<f64>,
    deviations: Vec<f64>,
    within: Vec<f64>,
}

/// How far apart rows and centres are, and in which unit.
enum Metric {
    /// Equal priors: distances in raw units.
    Raw,
    /// Other priors: each column in units of its deviation within classes.
    Scaled,
}

impl Centroids {
    /// Centroids at the class means: those of Euclidean distance.
    ///
    /// Moments need at least diagonal scatter. A deviation within classes that is no more than the
    /// rounding of its column counts as none \[M8\].
    ///
    /// # Errors
    /// [`Error::BadThreshold`] for a threshold below 0, [`Error::TooFewRows`] for one where the rows
    /// weigh no more than there are classes, [`Error::AllConstant`] where no column tells any two rows
    /// apart, [`Error::Storage`], [`Error::Empty`], and [`Error::Shape`] for fewer than two classes.
    pub fn of(moments: &Moments, threshold: Option<f64>) -> Result<Self, Error> {
        let frame = moments.frame().settled();
        let means = (0..moments.components()).flat_map(|k| moments.mean_in(k, &frame)).collect();
        Self::at(moments, frame, means, threshold)
    }

    /// Centroids at other centres, in raw units, class by class: the medians of [`class_medians`],
    /// which taxicab distance asks for. Deviations within classes are about these.
    ///
    /// # Errors
    /// Those of [`Centroids::of`]; [`Error::Shape`] and [`Error::BadParameter`] for the centres.
    pub fn about(
        moments: &Moments,
        centres: &[f64],
        threshold: Option<f64>,
    ) -> Result<Self, Error> {
        let (dim, classes) = (moments.dim(), moments.components());
        if centres.len() != classes * dim {
            let (expected, found) = (classes * dim, centres.len());
            return Err(Error::Shape { what: "centres", expected, found });
        }
        let frame = moments.frame().settled();
        let framed: Vec<f64> =
            centres.iter().enumerate().map(|(at, &c)| frame.place(at % dim, c)).collect();
        let far = ldexp(1.0, FAR_EXPONENT);
        if let Some(at) = framed.iter().position(|centre| centre.is_nan() || centre.abs() > far) {
            let (component, value) = (at / dim, centres[at]);
            return Err(Error::BadParameter { what: "centre", component, value });
        }
        Self::at(moments, frame, framed, threshold)
    }

    fn at(
        moments: &Moments,
        frame: Frame,
        mut framed: Vec<f64>,
        threshold: Option<f64>,
    ) -> Result<Self, Error> {
        let (dim, weight) = (moments.dim(), moments.weight().to_vec());
        check(moments, threshold)?;
        let unbiased = CovarianceSpec { ddof: 1, ..CovarianceSpec::diagonal_lda() };
        let divisor = match (unbiased.divisor_of_all(moments), threshold) {
            (Ok(divisor), _) => Some(divisor),
            (Err(_), None) => None,
            (Err(error), Some(_)) => return Err(error),
        };
        let spread = Within::about(moments, &frame, &framed, divisor)?;
        let median = spread.median();
        let total: f64 = weight.iter().sum();
        let mut overall = vec![0.0; dim];
        for (k, n) in weight.iter().enumerate() {
            let mean = moments.mean_in(k, &frame);
            overall.iter_mut().zip(mean).for_each(|(sum, m)| *sum += n / total * m);
        }
        let mut deviations = Vec::with_capacity(framed.len());
        for (k, centre) in framed.chunks_exact_mut(dim).enumerate() {
            // 1/n_k − 1/n without the cancellation.
            let others: f64 =
                weight.iter().enumerate().filter(|(l, _)| *l != k).map(|(_, n)| n).sum();
            let root = (others / weight[k] / total).sqrt();
            for (j, c) in centre.iter_mut().enumerate() {
                let unit = root * (spread.deviation(j) + median.in_unit(frame.exponent()[j]));
                let mut apart = *c - overall[j];
                if let Some(threshold) = threshold {
                    let drawn = if unit > 0.0 { threshold * unit } else { 0.0 };
                    apart = apart.signum() * (apart.abs() - drawn).max(0.0);
                    *c = overall[j] + apart;
                }
                deviations.push(if apart == 0.0 { 0.0 } else { apart / unit });
            }
        }
        let raw = |(at, &u): (usize, &f64)| frame.raw_value(at % dim, u);
        Ok(Self {
            overall: overall.iter().enumerate().map(raw).collect(),
            centres: framed.iter().enumerate().map(raw).collect(),
            within: spread.raw(),
            weight,
            deviations,
            framed,
            spread,
            frame,
        })
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.weight.len()
    }

    /// Columns.
    pub fn dim(&self) -> usize {
        self.frame.dim()
    }

    /// The centroids in raw units, class by class.
    pub fn centres(&self) -> &[f64] {
        &self.centres
    }

    /// The mean of all rows in raw units.
    pub fn overall(&self) -> &[f64] {
        &self.overall
    }

    /// How far each centroid lies from the mean of all rows, in its own standard errors, class by class
    /// and less the threshold. Infinite where no column has spread within classes but centroids differ.
    pub fn deviations(&self) -> &[f64] {
        &self.deviations
    }

    /// Standard deviation of each column within classes in raw units, from a divisor of n − K; 0 where
    /// there is no such divisor.
    pub fn within(&self) -> &[f64] {
        &self.within
    }

    /// The columns that have no spread within classes, counted from 0.
    pub fn without_spread(&self) -> Vec<usize> {
        (0..self.dim()).filter(|&j| self.spread.deviation(j) == 0.0).collect()
    }

    /// Gaussians at the centroids, whose labels are those of the nearest by Euclidean distance.
    ///
    /// Equal priors: one sphere for all, the mean of the squared deviations within classes, or one in
    /// raw units where these are all zero. Other priors: a deviation per column, one in raw units for
    /// a column without spread. Labels are those of scikit-learn's `NearestCentroid.predict`. Posteriors
    /// are those of the Gaussians: its `predict_proba` lacks the ½ before the squared distance, and
    /// divides by deviations under equal priors too, where its `predict` does not.
    ///
    /// # Errors
    /// What [`Priors::resolve`] refuses, and [`Error::BadParameter`] for centres beyond all measure.
    pub fn mixture(&self, priors: &Priors) -> Result<Mixture, Error> {
        let (metric, weights) = self.metric(priors)?;
        let (frame, shape, factor) = match metric {
            Metric::Raw => {
                let frame = self.frame.uniform();
                let widest = frame.exponent()[0];
                let sphere = self.spread.sphere().map_or_else(
                    || ldexp(1.0, (-widest).min(1023)),
                    // So narrow that it is no number: posteriors are at their limit long before.
                    |sphere| sphere.in_unit(widest).max(f64::MIN_POSITIVE),
                );
                (frame, Shape::Spherical, vec![sphere])
            }
            Metric::Scaled => (self.frame.clone(), Shape::Diagonal, self.units()),
        };
        let covariance = Covariance::from_factor(shape, self.dim(), factor)?;
        let (from, to) = (self.frame.exponent(), frame.exponent());
        let moved = |(at, &u): (usize, &f64)| {
            let j = at % self.dim();
            ldexp(u, from[j] - to[j])
        };
        let means = self.framed.iter().enumerate().map(moved).collect();
        Mixture::new(frame, means, Covariances::Shared(covariance), weights)
    }

    /// The unit of distances under these priors, and the priors; those that count as equal are.
    fn metric(&self, priors: &Priors) -> Result<(Metric, Vec<f64>), Error> {
        let weights = priors.resolve(&self.weight)?;
        let equal = 1.0 / self.classes() as f64;
        let slack = EQUAL_PRIORS_LEAST + EQUAL_PRIORS * equal;
        if weights.iter().all(|weight| (weight - equal).abs() <= slack) {
            return Ok((Metric::Raw, vec![equal; self.classes()]));
        }
        Ok((Metric::Scaled, weights))
    }

    /// What each column of framed rows is divided by: its deviation, or one in raw units.
    fn units(&self) -> Vec<f64> {
        let unit = |j: usize| match self.spread.deviation(j) {
            0.0 => ldexp(1.0, (-self.frame.exponent()[j]).clamp(-UNIT_EXPONENT, UNIT_EXPONENT)),
            deviation => deviation,
        };
        (0..self.dim()).map(unit).collect()
    }
}

fn check(moments: &Moments, threshold: Option<f64>) -> Result<(), Error> {
    if let Some(value) = threshold.filter(|value| value.is_nan() || *value < 0.0) {
        return Err(Error::BadThreshold { value });
    }
    if moments.components() < 2 {
        let found = moments.components();
        return Err(Error::Shape { what: "classes of centroids", expected: 2, found });
    }
    if let Some(component) = moments.weight().iter().position(|&weight| weight == 0.0) {
        return Err(Error::Empty { component, class: None });
    }
    if (0..moments.dim()).all(|j| !moments.frame().has_spread(j)) {
        return Err(Error::AllConstant { columns: moments.dim() });
    }
    Ok(())
}
