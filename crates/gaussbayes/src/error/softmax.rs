//! Says why softmax regression has no answer.

use super::Deficient;
use super::words::number;

/// Things that a message lists before it breaks off.
const LISTED: usize = 4;

/// Why there is no softmax of these rows, or none of what was given.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SoftmaxRefusal {
    /// A penalty that is none.
    #[error("penalty {} is not a finite number of at least 0", number(*value))]
    Penalty {
        /// The value given.
        value: f64,
    },
    /// Classes that planes tell apart, so that the likelihood rises for ever.
    #[error("{}, so that no finite coefficients are the likeliest", separated(pairs, *complete))]
    Separable {
        /// Pairs of classes that a plane separates.
        pairs: Vec<(String, String)>,
        /// Whether every row of them is on its own side; otherwise some lie on a plane.
        complete: bool,
    },
    /// Columns of which one follows from others, so that many coefficients are as likely.
    #[error("columns follow from each other, so that no single coefficients are the likeliest: {}", .0.reason())]
    Collinear(Box<Deficient>),
    /// More second derivatives than can be kept.
    #[error(
        "{classes} classes and {columns} columns have {numbers} second derivatives, more than {most}"
    )]
    TooLarge {
        /// Classes.
        classes: usize,
        /// Columns with spread.
        columns: usize,
        /// Second derivatives.
        numbers: usize,
        /// The most that are kept.
        most: usize,
    },
    /// A model whose scores are not linear.
    #[error("{what} make no softmax: their log-odds are not linear in the columns")]
    NotLinear {
        /// What it has.
        what: &'static str,
    },
    /// Columns that are left out of what has no density.
    #[error("softmax regression cannot do without columns: it says nothing of how they vary")]
    LeftOut,
    /// Intercepts so far apart that no Gaussians of finite weights decide alike.
    #[error("intercepts differ by {}: no Gaussians of finite weight decide as this softmax does", number(*apart))]
    NoGaussians {
        /// Difference of two log weights.
        apart: f64,
    },
}

impl SoftmaxRefusal {
    /// Puts the names of features where the mathematics knew only their numbers.
    pub(super) fn put_names(&mut self, features: &[String]) {
        if let Self::Collinear(deficient) = self {
            deficient.features = features.to_vec();
        }
    }

    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Penalty { .. } => "0 is maximum likelihood; 1 is what C=1.0 is elsewhere",
            Self::Separable { .. } => {
                "give a penalty above 0 (--penalty 1, C=1.0): it has a finite answer"
            }
            Self::Collinear(_) => {
                "give a penalty above 0 (--penalty 1, C=1.0), or leave columns out"
            }
            Self::TooLarge { .. } => "leave columns out, or take linear discriminant analysis",
            Self::NotLinear { .. } => {
                "one covariance for all classes is linear: lda, diag-lda, nearest-mean"
            }
            Self::LeftOut => "hold the other columns at some values (at=...), or fit without them",
            Self::NoGaussians { .. } => "predict and evaluate classify with it as it is",
        }
    }
}

fn separated(pairs: &[(String, String)], complete: bool) -> String {
    let mut text: Vec<String> =
        pairs.iter().take(LISTED).map(|(a, b)| format!("'{a}' from '{b}'")).collect();
    if pairs.len() > LISTED {
        text.push(format!("{} more pairs", pairs.len() - LISTED));
    }
    let last = text.pop().unwrap_or_else(|| "classes".into());
    let all = if text.is_empty() { last } else { format!("{} and {last}", text.join(", ")) };
    let (planes, them) =
        if pairs.len() == 1 { ("a plane separates", "it") } else { ("planes separate", "them") };
    if complete {
        format!("{planes} {all}")
    } else {
        format!("{planes} {all}, but for rows that lie on {them}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_listed_as_people_list() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let error = SoftmaxRefusal::Separable { pairs: vec![pair("a", "b")], complete: true };
        assert!(error.to_string().starts_with("a plane separates 'a' from 'b', so"), "{error}");
        let pairs = vec![pair("a", "b"), pair("a", "c")];
        let error = SoftmaxRefusal::Separable { pairs, complete: true };
        let start = "planes separate 'a' from 'b' and 'a' from 'c', so";
        assert!(error.to_string().starts_with(start), "{error}");
    }
}
