//! Makes a mixture from known means, covariances and weights.

use super::{Covariances, Mixture};
use crate::covariance::Covariance;
use crate::error::{Error, ParameterRefusal};
use crate::linalg::eigenvalues;
use crate::moments::{Frame, Shape, exponent_of, ldexp, lower_index};
use crate::tolerance::rank_floor;

impl Mixture {
    /// A mixture from parameters in raw units: a covariance per component, or one for all; each by
    /// its lower triangle, row by row.
    ///
    /// # Errors
    /// [`Error::Shape`] when lengths differ, [`Error::Parameter`] for a covariance that is not positive
    /// definite, [`Error::Singular`] for one without an inverse, [`Error::BadParameter`] and
    /// [`Error::BadPriors`] for numbers out of range.
    pub fn given(
        means: &[Vec<f64>],
        covariances: &[Vec<f64>],
        weights: Vec<f64>,
    ) -> Result<Self, Error> {
        let dim = means.first().map_or(0, Vec::len);
        let check = |what, expected, found| {
            if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
        };
        if dim == 0 {
            return Err(Error::Shape { what: "a mean", expected: 1, found: 0 });
        }
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
        let covariance = |(k, raw): (usize, &Vec<f64>)| {
            let mut triangle = raw.clone();
            for i in 0..dim {
                for j in 0..=i {
                    let value = &mut triangle[lower_index(i, j)];
                    *value = ldexp(*value, -frame.exponent()[i] - frame.exponent()[j]);
                }
            }
            let component = (covariances.len() > 1).then_some(k);
            Covariance::from_matrix(dim, triangle).map_err(|error| {
                if let Some((of, eigenvalue)) = negative(raw, dim) {
                    let class = None;
                    return Error::Parameter(ParameterRefusal::Indefinite {
                        component,
                        class,
                        of,
                        eigenvalue,
                    });
                }
                match error {
                    Error::Singular(mut all) => {
                        all.covariances.iter_mut().for_each(|one| one.component = component);
                        Error::Singular(all)
                    }
                    other => other,
                }
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

/// The lowest eigenvalue of a matrix, where it is below zero by more than rounding \[M52\], and what
/// it is an eigenvalue of: the matrix itself, or its correlations where units hide it.
fn negative(triangle: &[f64], dim: usize) -> Option<(&'static str, f64)> {
    let diagonal: Vec<f64> = (0..dim).map(|j| triangle[lower_index(j, j)]).collect();
    let size = triangle.iter().map(|value| exponent_of(*value)).max()?;
    let scaled: Vec<f64> = triangle.iter().map(|value| ldexp(*value, -size)).collect();
    let values = eigenvalues(&scaled, dim)?;
    let (lowest, highest) = (values[0], values[dim - 1]);
    if lowest < -rank_floor(dim, 0.0) * highest.abs().max(lowest.abs()) {
        return Some(("covariance", ldexp(lowest, size)));
    }
    let least = diagonal.iter().copied().fold(f64::INFINITY, f64::min);
    if least < 0.0 {
        return Some(("covariance", least));
    }
    if least == 0.0 {
        return None;
    }
    let pairs = (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let correlation = |((i, j), value): ((usize, usize), &f64)| {
        if i == j { 1.0 } else { value / diagonal[i].sqrt() / diagonal[j].sqrt() }
    };
    let correlations: Vec<f64> = pairs.zip(triangle).map(correlation).collect();
    let lowest = eigenvalues(&correlations, dim)?[0];
    (lowest < -rank_floor(dim, 0.0)).then_some(("correlations", lowest))
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
        assert!(Mixture::given(&[vec![]], &[vec![]], vec![1.0]).is_err());
    }

    #[test]
    fn what_is_negative_is_told_from_what_is_missing() {
        let refused = |triangle: &[f64]| {
            let dim = if triangle.len() == 3 { 2 } else { 3 };
            Mixture::given(&[vec![0.0; dim]], &[triangle.to_vec()], vec![1.0]).unwrap_err()
        };
        let eigenvalue = |triangle: &[f64]| match refused(triangle) {
            Error::Parameter(ParameterRefusal::Indefinite { of, eigenvalue, .. }) => {
                (of, eigenvalue)
            }
            other => panic!("{other}"),
        };
        // [[1, 1.5], [1.5, 1]] has eigenvalues −0.5 and 2.5.
        let (of, value) = eigenvalue(&[1.0, 1.5, 1.0]);
        assert!(of == "covariance" && (value + 0.5).abs() < 1e-15);
        assert!((eigenvalue(&[0.0, 1.0, 0.0]).1 + 1.0).abs() < 1e-15);
        assert_eq!(eigenvalue(&[1.0, 0.0, -1e-30]), ("covariance", -1e-30));
        // Columns in units 1e100 apart: only correlations show that −0.5 is there.
        let (of, value) = eigenvalue(&[1e200, 1.5e100, 1.0]);
        assert!(of == "correlations" && (value + 0.5).abs() < 1e-12, "{of} {value}");
        for singular in [&[1.0, 2.0, 4.0][..], &[4.0, 0.0, 0.0], &[1.0, 0.0, 1.0, 1.0, 1.0, 2.0]] {
            assert!(matches!(refused(singular), Error::Singular(_)), "{singular:?}");
        }
    }
}
