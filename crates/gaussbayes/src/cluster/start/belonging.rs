//! Turns memberships of a sample's rows into first parameters, by the one M-step there is.

use super::Sampled;
use crate::cluster::{EmSpec, EmState, Outliers};
use crate::data::{Block, Label, sort_labels};
use crate::error::{Error, OutlierRefusal};
use crate::mixture::{Extent, NOISE, Noise};
use crate::moments::{Memberships, Merge, Moments, Placed, Storage};
use crate::sweep::{LabelStat, On, Sweep, check_classes, run};
use crate::tolerance::NOISE_START;

/// How the rows of a sample belong to components; a code beyond them belongs to none.
///
/// With noise, which comes after the components, it is one more of them: the code that is their number, or one
/// more share of every row.
#[derive(Debug, Clone, PartialEq)]
pub enum Belonging {
    /// Each row to one.
    Codes(Vec<u32>),
    /// Each row to every one, by its share: row by row.
    Soft(Vec<f64>),
}

/// Parameters that follow from memberships of a sample's rows: where EM starts. Noise fills the box around
/// these rows, which must be all there are.
///
/// # Errors
/// [`Error::Shape`] for memberships of other rows, [`Error::Empty`] for a component without any, what
/// [`crate::CovarianceSpec::estimate`] refuses, and [`OutlierRefusal`] where there is no box for noise.
pub fn start_from(
    spec: &EmSpec,
    components: usize,
    sampled: &Sampled,
    belonging: &Belonging,
    on: On<'_>,
) -> Result<EmState, Error> {
    if spec.outliers != Outliers::Noise {
        return started(spec, components, sampled, belonging, None, on);
    }
    if !sampled.is_whole() {
        return Err(OutlierRefusal::NoBox.into());
    }
    let extent = Extent::of(&mut sampled.table().source(), on)?;
    started(spec, components, sampled, belonging, Some(&extent), on)
}

/// The same where noise fills a given box.
///
/// # Errors
/// As for [`start_from`].
pub fn start_within(
    spec: &EmSpec,
    components: usize,
    sampled: &Sampled,
    belonging: &Belonging,
    extent: &Extent,
    on: On<'_>,
) -> Result<EmState, Error> {
    let extent = Some(extent).filter(|_| spec.outliers == Outliers::Noise);
    started(spec, components, sampled, belonging, extent, on)
}

fn started(
    spec: &EmSpec,
    components: usize,
    sampled: &Sampled,
    belonging: &Belonging,
    extent: Option<&Extent>,
    on: On<'_>,
) -> Result<EmState, Error> {
    let columns = components + usize::from(extent.is_some());
    let storage = spec.covariance.storage();
    let first = first_sums(storage, [components, columns], sampled, belonging, on)?;
    let mixture = spec.covariance.estimate(&first.moments, &spec.priors, None)?.mixture;
    let noise = extent.map(|extent| {
        let weight = first.noise_weight + first.moments.weight().iter().sum::<f64>();
        let share = first.noise_weight / weight;
        Noise { share: if share > 0.0 { share } else { NOISE_START }, extent: extent.clone() }
    });
    EmState::new(spec.clone(), mixture.with_noise(noise)?)
}

/// The moments of a sample's rows under their memberships.
///
/// # Errors
/// [`Error::Shape`] for memberships of other rows.
pub(in crate::cluster) fn first_moments(
    storage: Storage,
    components: usize,
    sampled: &Sampled,
    belonging: &Belonging,
    on: On<'_>,
) -> Result<Moments, Error> {
    Ok(first_sums(storage, [components; 2], sampled, belonging, on)?.moments)
}

fn first_sums(
    storage: Storage,
    [components, columns]: [usize; 2],
    sampled: &Sampled,
    belonging: &Belonging,
    on: On<'_>,
) -> Result<First, Error> {
    let (expected, found) = match belonging {
        Belonging::Codes(codes) => (sampled.rows(), codes.len()),
        Belonging::Soft(shares) => (sampled.rows().saturating_mul(columns), shares.len()),
    };
    if expected != found {
        return Err(Error::Shape { what: "memberships", expected, found });
    }
    check_classes(storage, components, sampled.table().dim)?;
    let sweep = FirstSweep { components, columns, belonging, storage };
    run(&sweep, &mut sampled.table().source(), on)
}

/// The names of the components that start from labels: with noise, rows that are called so are none.
pub fn labels_of(stat: &LabelStat, noise: bool) -> Vec<Label> {
    let mut labels = stat.labels().to_vec();
    sort_labels(&mut labels);
    labels.retain(|label| !noise || label.as_str() != NOISE);
    labels
}

/// Parameters that follow from the labels of all rows: where EM starts, a component for each. With a box for
/// noise, rows that are called so begin as noise.
///
/// # Errors
/// [`Error::Empty`] where there is no other label, [`Error::Storage`] for shared scatter, of which no part can be
/// taken out, and what [`crate::CovarianceSpec::estimate`] refuses.
pub fn start_labelled(
    spec: &EmSpec,
    stat: LabelStat,
    extent: Option<&Extent>,
) -> Result<EmState, Error> {
    let (labels, mut moments) = stat.sorted();
    let mut noise = extent.cloned().map(Noise::first);
    let called = labels.iter().position(|label| label.as_str() == NOISE);
    if let (Some(noise), Some(called)) = (&mut noise, called) {
        if moments.storage() == Storage::Shared {
            let (held, needed) = (Storage::Shared.name(), Storage::Full.name());
            return Err(Error::Storage { held, needed });
        }
        let total: f64 = moments.weight().iter().sum();
        noise.share = moments.weight()[called] / total;
        let kept: Vec<Option<usize>> =
            (0..labels.len()).filter(|k| *k != called).map(Some).collect();
        moments = moments.arranged(&kept);
    }
    let mixture = spec.covariance.estimate(&moments, &spec.priors, None)?.mixture;
    EmState::new(spec.clone(), mixture.with_noise(noise)?)
}

/// Moments under memberships that are known for every row.
struct FirstSweep<'a> {
    components: usize,
    /// Components, and noise where there is any.
    columns: usize,
    belonging: &'a Belonging,
    storage: Storage,
}

struct First {
    moments: Moments,
    noise_weight: f64,
}

impl Merge for First {
    fn merge(self, later: Self) -> Self {
        Self {
            moments: self.moments.merge(later.moments),
            noise_weight: self.noise_weight + later.noise_weight,
        }
    }
}

impl Sweep for FirstSweep<'_> {
    type Stat = First;

    fn block(&self, block: &Block<'_>) -> Result<First, Error> {
        let (start, count) = (block.first_row() as usize, block.rows().count());
        let memberships = match self.belonging {
            Belonging::Codes(codes) => Memberships::Codes(&codes[start..start + count]),
            Belonging::Soft(shares) => {
                let (start, end) = (start * self.columns, (start + count) * self.columns);
                Memberships::Soft(&shares[start..end])
            }
        };
        memberships.check(self.columns, block)?;
        let mut groups = memberships.groups(self.columns, block);
        let noise = groups.drain(self.components..).flatten();
        let noise_weight = noise.map(|(_, weight)| weight).sum();
        let placed = Placed::of(block);
        let moments = placed.moments(&groups, self.storage);
        Ok(First { moments, noise_weight })
    }
}
