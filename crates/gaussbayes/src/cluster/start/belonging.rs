//! Turns memberships of a sample's rows into first parameters, by the one M-step there is.

use super::Sampled;
use crate::cluster::{EmSpec, EmState};
use crate::data::Block;
use crate::error::Error;
use crate::moments::{Memberships, Moments, Storage};
use crate::sweep::{On, Sweep, check_classes, run};

/// How the rows of a sample belong to components; a code beyond them belongs to none.
#[derive(Debug, Clone, PartialEq)]
pub enum Belonging {
    /// Each row to one.
    Codes(Vec<u32>),
    /// Each row to every one, by its share: row by row.
    Soft(Vec<f64>),
}

/// Parameters that follow from memberships of a sample's rows: where EM starts.
///
/// # Errors
/// [`Error::Shape`] for memberships of other rows, [`Error::Empty`] for a component without any, and what
/// [`crate::CovarianceSpec::estimate`] refuses.
pub fn start_from(
    spec: &EmSpec,
    components: usize,
    sampled: &Sampled,
    belonging: &Belonging,
    on: On<'_>,
) -> Result<EmState, Error> {
    let (expected, found) = match belonging {
        Belonging::Codes(codes) => (sampled.rows(), codes.len()),
        Belonging::Soft(shares) => (sampled.rows().saturating_mul(components), shares.len()),
    };
    if expected != found {
        return Err(Error::Shape { what: "memberships", expected, found });
    }
    let storage = spec.covariance.storage();
    check_classes(storage, components, sampled.table().dim)?;
    let sweep = FirstSweep { components, belonging, storage };
    let moments = run(&sweep, &mut sampled.table().source(), on)?;
    let estimate = spec.covariance.estimate(&moments, &spec.priors, None)?;
    EmState::new(spec.clone(), estimate.mixture)
}

/// Moments under memberships that are known for every row.
struct FirstSweep<'a> {
    components: usize,
    belonging: &'a Belonging,
    storage: Storage,
}

impl Sweep for FirstSweep<'_> {
    type Stat = Moments;

    fn block(&self, block: &Block<'_>) -> Result<Moments, Error> {
        let (start, count) = (block.first_row() as usize, block.rows().count());
        let memberships = match self.belonging {
            Belonging::Codes(codes) => Memberships::Codes(&codes[start..start + count]),
            Belonging::Soft(shares) => {
                let (start, end) = (start * self.components, (start + count) * self.components);
                Memberships::Soft(&shares[start..end])
            }
        };
        Moments::of_block(block, memberships, self.components, self.storage)
    }
}
