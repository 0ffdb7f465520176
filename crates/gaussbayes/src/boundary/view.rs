//! Looks at a model in two columns: all there are, a slice, or a projection \[M45\].

use super::field::Field;
use crate::covariance::Covariance;
use crate::error::{Error, OutlierRefusal};
use crate::mixture::{Covariances, Law, Mixture, Noise};
use crate::moments::{Shape, lower_index};

/// Two columns of a model.
#[derive(Debug, Clone, PartialEq)]
pub enum View {
    /// The two columns that the model has.
    Whole,
    /// Two columns, with the others fixed: the decisions that are taken there.
    Slice {
        /// The column across and the column upward.
        columns: [usize; 2],
        /// A raw value for every column, of which those of the two are not looked at; the centre of the
        /// model where there is none.
        at: Option<Vec<f64>>,
    },
    /// Two columns, with the others unknown: the decisions of the marginal model.
    Projection {
        /// The column across and the column upward.
        columns: [usize; 2],
    },
}

impl View {
    /// The components as this view shows them.
    pub(crate) fn field(&self, mixture: &Mixture) -> Result<Field, Error> {
        match self {
            Self::Whole => {
                let (what, found) = ("columns of a picture", mixture.dim());
                if found != 2 {
                    return Err(Error::Shape { what, expected: 2, found });
                }
                Field::of(mixture)
            }
            Self::Projection { columns } => Field::of(&mixture.marginal(columns)?),
            Self::Slice { columns, at } => {
                check(columns, mixture.dim())?;
                let fixed = match at {
                    None => mixture.framed_centre(),
                    Some(at) => {
                        let (what, expected, found) = ("a point", mixture.dim(), at.len());
                        if expected != found {
                            return Err(Error::Shape { what, expected, found });
                        }
                        if let Some(column) = at.iter().position(|x| !x.is_finite()) {
                            return Err(Error::NotFinite { row: 0, column, value: at[column] });
                        }
                        let frame = mixture.frame();
                        at.iter().enumerate().map(|(j, &x)| frame.place(j, x)).collect()
                    }
                };
                let field = Field::of(mixture)?;
                let slice =
                    |component: &super::component::Component| component.slice(*columns, &fixed);
                let components = field.components.iter().map(slice).collect();
                Ok(Field { frame: field.frame.picked(columns), components, shared: field.shared })
            }
        }
    }
}

fn check(columns: &[usize], dim: usize) -> Result<(), Error> {
    for (i, &column) in columns.iter().enumerate() {
        if column >= dim || columns[..i].contains(&column) {
            return Err(Error::BadColumn { column, columns: dim });
        }
    }
    Ok(())
}

impl Mixture {
    /// The mixture of some of the columns, in this order: what is known of a row when the others are not.
    ///
    /// # Errors
    /// [`Error::BadColumn`] for a column that there is not, or twice, [`Error::Shape`] for none; [`Error::NotQuadratic`] for densities
    /// that know of their estimates, [`Error::Singular`] where a covariance has no inverse on them,
    /// [`OutlierRefusal::WithNoise`] for some columns of a box along axes of its own.
    pub fn marginal(&self, columns: &[usize]) -> Result<Self, Error> {
        check(columns, self.dim())?;
        if columns.is_empty() {
            return Err(Error::Shape { what: "columns of a margin", expected: 1, found: 0 });
        }
        let laws = self.laws().map(<[Law]>::iter);
        if laws.clone().is_some_and(|mut laws| laws.any(|law| !law.is_student(self.dim()))) {
            return Err(Error::NotQuadratic);
        }
        let noise = match self.noise() {
            Some(Noise { share, extent }) => {
                let extent = extent.of_columns(columns);
                let refused = || OutlierRefusal::WithNoise { what: "margins" };
                Some(Noise { share: *share, extent: extent.ok_or_else(refused)? })
            }
            None => None,
        };
        let dim = columns.len();
        let part = |covariance: &Covariance| -> Result<Covariance, Error> {
            let factor = covariance.factor();
            match covariance.shape() {
                Shape::Spherical => Covariance::from_factor(Shape::Spherical, dim, factor),
                Shape::Diagonal => {
                    let picked = columns.iter().map(|&j| factor[j]).collect();
                    Covariance::from_factor(Shape::Diagonal, dim, picked)
                }
                Shape::Full => {
                    let triangle = covariance.triangle();
                    let pairs =
                        (0..dim).flat_map(|i| (0..=i).map(move |j| (columns[i], columns[j])));
                    let entry = |(i, j): (usize, usize)| triangle[lower_index(i.max(j), i.min(j))];
                    Covariance::from_matrix(dim, pairs.map(entry).collect())
                }
            }
        };
        let covariances = match self.covariances() {
            Covariances::Shared(one) => Covariances::Shared(part(one)?),
            Covariances::Each(all) => {
                Covariances::Each(all.iter().map(part).collect::<Result<_, _>>()?)
            }
        };
        let means = (0..self.components())
            .flat_map(|k| columns.iter().map(move |&j| self.mean(k)[j]))
            .collect();
        let weights = self.weights().to_vec();
        let mut margin = Self::new(self.frame().picked(columns), means, covariances, weights)?;
        if let Some(laws) = laws {
            // A margin of a Student density is one with the same degrees of freedom.
            let law = |law: &Law| law.freedom().map(|freedom| Law::student(freedom, dim));
            margin = margin.with_laws(laws.filter_map(law).collect())?;
        }
        margin.with_noise(noise)
    }
}
