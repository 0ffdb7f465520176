//! Makes a classifier from known parameters, with the checks that a fitted one has passed.

use std::collections::HashSet;

use crate::classify::Classifier;
use crate::covariance::Priors;
use crate::data::{Label, class_order};
use crate::decide::{Action, Loss};
use crate::error::{Error, ParameterRefusal};
use crate::mixture::Mixture;
use crate::tolerance::SYMMETRY;

/// What is known of Gaussian classes, in raw units; classes come in any order.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    /// Names of the classes.
    pub classes: Vec<Label>,
    /// Names of the columns.
    pub features: Vec<String>,
    /// A prior per class; none for equal ones.
    pub priors: Option<Vec<f64>>,
    /// A mean per class.
    pub means: Vec<Vec<f64>>,
    /// A square matrix per class, or one for all.
    pub covariances: Vec<Vec<Vec<f64>>>,
    /// A row of costs per true class: of each class, in the same order, and perhaps of a reject behind
    /// them; none for one per error.
    pub costs: Option<Vec<Vec<f64>>>,
}

impl Parameters {
    /// The classifier with these parameters; its classes are sorted as those of every classifier.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a name that stands twice and for a matrix that is no covariance,
    /// [`Error::Singular`] for one without an inverse, [`Error::OneClass`], [`Error::Shape`] when lengths differ,
    /// [`Error::BadPriors`], [`Error::BadCost`] and [`Error::BadParameter`] for numbers out of range.
    pub fn classifier(&self) -> Result<Classifier, Error> {
        let names = self.classes.iter().map(Label::as_str);
        only_once("class", names)?;
        only_once("feature", self.features.iter().map(String::as_str))?;
        if let [class] = self.classes.as_slice() {
            return Err(Error::OneClass { class: class.to_string() });
        }
        shape("means", self.classes.len(), self.means.len())?;
        let named = |error: Error| error.named(&self.classes, &self.features);
        let triangles = self.triangles().map_err(named)?;
        let given = self.priors.clone().map_or(Priors::Uniform, Priors::Given);
        let weights = given.resolve(&vec![1.0; self.classes.len()])?;
        // What is wrong is said by the classes as they were given: sorted after the checks.
        Mixture::given(&self.means, &triangles, weights.clone()).map_err(named)?;
        let order = class_order(&self.classes);
        let means: Vec<Vec<f64>> = order.iter().map(|&k| self.means[k].clone()).collect();
        let triangles = match triangles.as_slice() {
            [_] => triangles,
            each => order.iter().map(|&k| each[k].clone()).collect(),
        };
        let weights = order.iter().map(|&k| weights[k]).collect();
        let model = Mixture::given(&means, &triangles, weights)?;
        let classes = order.iter().map(|&k| self.classes[k].clone()).collect();
        Classifier::new(model, classes, self.features.clone(), self.loss(&order)?)
    }

    /// The matrix of two columns with these standard deviations and this correlation \[M52\].
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a deviation that is not above 0 or a correlation that is not
    /// between −1 and 1, of component `component`.
    pub fn bivariate(
        component: usize,
        (sigma1, sigma2): (f64, f64),
        r: f64,
    ) -> Result<Vec<Vec<f64>>, Error> {
        let bad = |what, value| Err(Error::BadParameter { what, component, value });
        for (what, sigma) in [("sigma1", sigma1), ("sigma2", sigma2)] {
            if !(sigma > 0.0 && sigma.is_finite()) {
                return bad(what, sigma);
            }
        }
        if r.is_nan() || r.abs() >= 1.0 {
            return bad("r", r);
        }
        let covariance = r * sigma1 * sigma2;
        Ok(vec![vec![sigma1 * sigma1, covariance], vec![covariance, sigma2 * sigma2]])
    }

    /// The lower triangle, row by row, of a square matrix: the mean of both halves, which must agree \[M52\].
    ///
    /// # Errors
    /// [`Error::Parameter`] where they do not, by the component given; [`Error::Shape`] unless it is square.
    pub fn triangle(matrix: &[Vec<f64>], component: Option<usize>) -> Result<Vec<f64>, Error> {
        for row in matrix {
            shape("columns of a covariance", matrix.len(), row.len())?;
        }
        let mut triangle = Vec::new();
        for (row, entries) in matrix.iter().enumerate() {
            for (column, &value) in entries.iter().enumerate().take(row + 1) {
                let mirrored = matrix[column][row];
                let unit = matrix[row][row].abs().sqrt() * matrix[column][column].abs().sqrt();
                let apart = (value - mirrored).abs();
                if apart > SYMMETRY * unit.max(value.abs()) {
                    let (row, column, value, mirrored) = (column, row, mirrored, value);
                    let class = None;
                    return Err(Error::Parameter(ParameterRefusal::NotSymmetric {
                        component,
                        class,
                        row,
                        column,
                        value,
                        mirrored,
                    }));
                }
                // Halves of each: their sum may be beyond the largest number.
                triangle.push(0.5 * value + 0.5 * mirrored);
            }
        }
        Ok(triangle)
    }

    /// Lower triangles, row by row; one where all matrices are the same.
    fn triangles(&self) -> Result<Vec<Vec<f64>>, Error> {
        let dim = self.features.len();
        if self.covariances.len() != 1 {
            shape("covariances", self.classes.len(), self.covariances.len())?;
        }
        let whose = |k: usize| (self.covariances.len() > 1).then_some(k);
        let all = self.covariances.iter().enumerate();
        let mut triangles = all
            .map(|(k, matrix)| {
                shape("rows of a covariance", dim, matrix.len())?;
                for row in matrix {
                    shape("columns of a covariance", dim, row.len())?;
                }
                Self::triangle(matrix, whose(k))
            })
            .collect::<Result<Vec<Vec<f64>>, Error>>()?;
        if triangles.iter().all(|one| *one == triangles[0]) {
            triangles.truncate(1);
        }
        Ok(triangles)
    }

    /// The costs with classes in this order.
    fn loss(&self, order: &[usize]) -> Result<Loss, Error> {
        let classes = self.classes.len();
        let Some(costs) = &self.costs else { return Ok(Loss::zero_one(classes)) };
        shape("rows of costs", classes, costs.len())?;
        let width = costs[0].len();
        if width != classes + 1 {
            shape("costs of a class", classes, width)?;
        }
        for row in costs {
            shape("costs of a class", width, row.len())?;
        }
        let mut actions: Vec<Action> = (0..classes).map(Action::Class).collect();
        actions.extend((width > classes).then_some(Action::Reject));
        let columns = || order.iter().copied().chain((width > classes).then_some(classes));
        let cost = order.iter().flat_map(|&i| columns().map(move |j| costs[i][j])).collect();
        Loss::new(classes, actions, cost)
    }
}

fn shape(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
}

fn only_once<'a>(what: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            let name = name.into();
            return Err(Error::Parameter(ParameterRefusal::Repeated { what, name }));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Covariances;

    fn two() -> Parameters {
        Parameters {
            classes: vec!["b".into(), "a".into()],
            features: vec!["x".into(), "y".into()],
            priors: Some(vec![0.2, 0.8]),
            means: vec![vec![0.0, 0.0], vec![1.0, 2.0]],
            covariances: vec![
                vec![vec![1.0, 0.5], vec![0.5, 2.0]],
                vec![vec![3.0, 0.0], vec![0.0, 4.0]],
            ],
            costs: Some(vec![vec![0.0, 5.0, 0.3], vec![1.0, 0.0, 0.3]]),
        }
    }

    #[test]
    fn everything_follows_the_order_of_the_classes() {
        let classifier = two().classifier().unwrap();
        assert_eq!(classifier.classes()[0].as_str(), "a");
        assert_eq!(classifier.mixture().unwrap().weights(), [0.8, 0.2]);
        assert_eq!(classifier.mixture().unwrap().raw_mean(0), [1.0, 2.0]);
        assert!((classifier.mixture().unwrap().raw_covariance(0)[2] - 4.0).abs() < 1e-15);
        // Rows "b" and "a" of the costs, columns b, a, reject.
        assert_eq!(classifier.loss().costs().unwrap(), [0.0, 1.0, 0.3, 5.0, 0.0, 0.3]);
        let mut same = two();
        same.covariances[1] = same.covariances[0].clone();
        let shared = same.classifier().unwrap();
        assert!(matches!(shared.mixture().unwrap().covariances(), Covariances::Shared(_)));
    }

    #[test]
    fn matrices_that_are_no_covariance_are_named() {
        let said = |change: fn(&mut Parameters)| {
            let mut parameters = two();
            change(&mut parameters);
            parameters.classifier().unwrap_err().to_string()
        };
        assert_eq!(
            said(|p| p.covariances[0][0][1] = 0.25),
            "the covariance of class 'b' is not symmetric: entry (1, 2) is 0.25 and entry (2, 1) is 0.5"
        );
        assert_eq!(
            said(|p| p.covariances[1] = vec![vec![1.0, 1.5], vec![1.5, 1.0]]),
            "not positive definite: smallest eigenvalue -0.5 of the covariance of class 'a'"
        );
        assert_eq!(
            said(|p| p.covariances[1] = vec![vec![1.0, 2.0], vec![2.0, 4.0]]),
            "singular covariance: that of class 'a' has rank 1 of 2"
        );
        assert_eq!(
            said(|p| p.covariances = vec![vec![vec![1.0, 1.5], vec![1.5, 1.0]]]),
            "not positive definite: smallest eigenvalue -0.5 of the covariance of all classes"
        );
        assert_eq!(said(|p| p.classes[1] = "b".into()), "class 'b' is named twice");
        assert_eq!(said(|p| p.priors = Some(vec![1.0])), "priors: 1 values where 2 are needed");
        assert!(said(|p| p.priors = Some(vec![0.5, 0.6])).contains("sum to 1.1"));
        assert!(said(|p| p.covariances[0].truncate(1)).starts_with("rows of a covariance"));
        assert!(said(|p| p.means[1].truncate(1)).starts_with("a mean: 1 values"));
        assert!(said(|p| p.costs = Some(vec![vec![0.0]; 2])).starts_with("costs of a class"));
    }

    #[test]
    fn rounding_leaves_a_matrix_symmetric() {
        let mut parameters = two();
        parameters.covariances[0][0][1] = 0.5 + 1e-12;
        parameters.covariances[1][0][1] = 1e-15;
        assert!(parameters.classifier().is_ok());
    }

    #[test]
    fn deviations_and_a_correlation_make_a_covariance() {
        let matrix = Parameters::bivariate(0, (2.0, 3.0), -0.5).unwrap();
        assert_eq!(matrix, [[4.0, -3.0], [-3.0, 9.0]]);
        for (sigmas, r) in [((0.0, 1.0), 0.0), ((1.0, -1.0), 0.0), ((1.0, 1.0), 1.0)] {
            let refused = Parameters::bivariate(1, sigmas, r).unwrap_err();
            assert!(refused.to_string().contains("of component 2"), "{refused}");
            assert!(refused.hint().is_some());
        }
    }
}
