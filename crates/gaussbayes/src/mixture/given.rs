//! Makes a mixture from known means, covariances and weights.

use super::{Covariances, Mixture};
use crate::covariance::Covariance;
use crate::error::Error;
use crate::moments::{Frame, Shape, exponent_of, ldexp, lower_index};

impl Mixture {
    /// A mixture from parameters in raw units: a covariance per component, or one for all; each by
    /// its lower triangle, row by row.
    ///
    /// # Errors
    /// [`Error::Shape`] when lengths differ, [`Error::Singular`] for a covariance that is not positive
    /// definite, [`Error::BadParameter`] and [`Error::BadPriors`] for numbers out of range.
    pub fn given(
        means: &[Vec<f64>],
        covariances: &[Vec<f64>],
        weights: Vec<f64>,
    ) -> Result<Self, Error> {
        let dim = means.first().map_or(0, Vec::len);
        let check = |what, expected, found| {
            if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
        };
        for mean in means {
            check("a mean", dim, mean.len())?;
        }
        for covariance in covariances {
            check("a covariance", Shape::Full.len(dim).unwrap_or(usize::MAX), covariance.len())?;
        }
        check("weights", means.len(), weights.len())?;
        if covariances.len() != 1 {
            check("covariances", means.len(), covariances.len())?;
        }
        let frame = frame(means, covariances)?;
        let framed: Vec<f64> = means
            .iter()
            .flat_map(|mean| mean.iter().enumerate().map(|(j, &x)| frame.place(j, x)))
            .collect();
        let covariance = |(k, triangle): (usize, &Vec<f64>)| {
            let mut triangle = triangle.clone();
            for i in 0..dim {
                for j in 0..=i {
                    let value = &mut triangle[lower_index(i, j)];
                    *value = ldexp(*value, -frame.exponent()[i] - frame.exponent()[j]);
                }
            }
            Covariance::from_matrix(dim, triangle).map_err(|error| match error {
                Error::Singular(mut all) => {
                    let component = (covariances.len() > 1).then_some(k);
                    all.covariances.iter_mut().for_each(|one| one.component = component);
                    Error::Singular(all)
                }
                other => other,
            })
        };
        let mut factored = covariances
            .iter()
            .enumerate()
            .map(covariance)
            .collect::<Result<Vec<Covariance>, Error>>()?;
        let covariances = if factored.len() == 1 {
            Covariances::Shared(factored.swap_remove(0))
        } else {
            Covariances::Each(factored)
        };
        let weights = crate::Priors::Given(weights).resolve(&vec![1.0; means.len()])?;
        Self::new(frame, framed, covariances, weights)
    }
}

/// The first mean as origin, units as wide as means and deviations reach.
fn frame(means: &[Vec<f64>], covariances: &[Vec<f64>]) -> Result<Frame, Error> {
    let Some(origin) = means.first() else {
        return Err(Error::Shape { what: "means", expected: 1, found: 0 });
    };
    let all = means.iter().flatten().chain(covariances.iter().flatten());
    if let Some(&value) = all.into_iter().find(|value| !value.is_finite()) {
        return Err(Error::BadParameter { what: "parameter", component: 0, value });
    }
    let reach = |j: usize| {
        let apart = means.iter().map(|mean| exponent_of(0.5 * mean[j] - 0.5 * origin[j]) + 1);
        let wide = covariances.iter().map(|c| exponent_of(c[lower_index(j, j)].abs().sqrt()));
        // No exponent of a number is lower; a column without any spread is refused as singular.
        apart.chain(wide).max().unwrap_or(0).max(-1074)
    };
    let exponent: Vec<i32> = (0..origin.len()).map(reach).collect();
    Frame::new(origin.clone(), exponent.clone(), exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_come_back_in_raw_units() {
        let means = [vec![1e9, 1e-100], vec![1e9 + 2.0, 0.0]];
        let covariances = [vec![4.0, 1e-100, 1e-200]];
        let mixture = Mixture::given(&means, &covariances, vec![0.25, 0.75]).unwrap();
        assert_eq!(mixture.raw_mean(1), means[1]);
        for (a, b) in mixture.raw_covariance(0).iter().zip(&covariances[0]) {
            assert!((a / b - 1.0).abs() < 1e-15);
        }
        let flat = Mixture::given(&means, &[vec![4.0, 0.0, 0.0]], vec![0.5, 0.5]).unwrap_err();
        assert!(flat.to_string().contains("rank 1 of 2"), "{flat}");
        assert!(Mixture::given(&means, &[vec![4.0]], vec![0.5, 0.5]).is_err());
        assert!(Mixture::given(&[], &[], vec![]).is_err());
    }
}
