//! Draws rows and decisions on the two directions that set the classes farthest apart.

use gaussbayes::{
    Block, Classifier, Covariances, Error, Mixture, OutlierRefusal, Projection, Rows, Table,
};

use crate::column::Along;
use crate::densities::densities;
use crate::error::PlotError;
use crate::look::Look;
use crate::picture::Picture;
use crate::regions::regions;
use crate::say::{per_cent, plural};
use crate::scatter::scatter;
use crate::sight::without_outliers;

/// Rows, means and ellipses on the first two canonical directions \[M24\], in which every class of a shared
/// covariance is a circle; with the regions of the nearest mean there where it is shared.
///
/// Two classes differ in one direction alone: their densities along it are drawn.
///
/// # Errors
/// [`PlotError::NoDirection`] where all means are the same; what the classifier refuses that has no Gaussians.
pub fn projection(
    rule: &Classifier,
    rows: Option<&Table>,
    look: &Look,
) -> Result<Picture, PlotError> {
    let mixture = rule.mixture()?;
    if mixture.noise().is_some() {
        return Err(Error::from(OutlierRefusal::WithNoise { what: "directions" }).into());
    }
    let projection = Projection::of(mixture)?;
    let directions = projection.directions();
    let classes = rule.classes().len();
    let [first, second, ..] = &directions[..] else {
        if directions.is_empty() {
            return Err(PlotError::NoDirection { classes });
        }
        return densities(rule, rows, Along::Direction);
    };
    let flat = flat(mixture, &projection, [first, second])?;
    let explained = projection.explained();
    let names: Vec<String> =
        (0..2).map(|k| format!("direction {} ({})", k + 1, per_cent(explained[k]))).collect();
    let shared = matches!(mixture.covariances(), Covariances::Shared(_));
    let (owner, labels) = (rule.owner().to_vec(), rule.classes().to_vec());
    let plane =
        Classifier::owned(flat, owner, labels, names.clone(), without_outliers(rule.loss())?)?;
    let rows = rows.map(|rows| projected(rows, &projection)).transpose()?;
    let look = Look {
        view: gaussbayes::View::Whole,
        title: Some(
            look.title.clone().unwrap_or_else(|| "The plane that sets classes apart".into()),
        ),
        ..look.clone()
    };
    let mut picture = match &rows {
        _ if shared => regions(&plane, rows.as_ref(), &look)?,
        Some(rows) => scatter(Some(&plane), rows, &names, &look)?,
        None => regions(&plane, None, &look)?,
    };
    let seen: f64 = explained[..2].iter().sum();
    let left = directions.len() - 2;
    picture.caption = if shared {
        "Distances in this plane are those by which the rule decides: each class is a circle."
            .into()
    } else {
        "Directions are those of the covariance within classes, averaged.".into()
    };
    if left > 0 {
        let more = plural(left, "direction");
        picture
            .notes
            .push(format!("{more} with {} of the separation not shown", per_cent(1.0 - seen)));
    }
    picture.description = format!(
        "{} of {} columns on their first two canonical directions, which hold {} of the separation. {}",
        plural(classes, "class"),
        rule.features().len(),
        per_cent(seen),
        picture.description
    );
    Ok(picture)
}

/// The mixture on two directions.
fn flat(
    mixture: &Mixture,
    projection: &Projection,
    directions: [&Vec<f64>; 2],
) -> Result<Mixture, PlotError> {
    let (dim, len) = (mixture.dim(), projection.len());
    let values: Vec<f64> = (0..mixture.components()).flat_map(|k| mixture.raw_mean(k)).collect();
    let at = projection.transform(&Block::new(0, Rows::new(values, dim)?, None, None)?)?;
    let means: Vec<Vec<f64>> = at.chunks_exact(len).map(|at| at[..2].to_vec()).collect();
    let form = |triangle: &[f64], v: &[f64], w: &[f64]| -> f64 {
        let pairs = (0..dim).flat_map(|i| (0..dim).map(move |j| (i, j)));
        let entry = |i: usize, j: usize| triangle[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
        pairs.map(|(i, j)| v[i] * entry(i, j) * w[j]).sum()
    };
    let [v, w] = directions;
    let spread = |k: usize| {
        let triangle = mixture.raw_covariance(k);
        vec![form(&triangle, v, v), form(&triangle, w, v), form(&triangle, w, w)]
    };
    let spreads: Vec<Vec<f64>> = match mixture.covariances() {
        // vᵀWv = 1 and vᵀWw = 0, by what the directions are.
        Covariances::Shared(_) => vec![vec![1.0, 0.0, 1.0]],
        Covariances::Each(_) => (0..mixture.components()).map(spread).collect(),
    };
    let flat = Mixture::given(&means, &spreads, mixture.weights().to_vec())?;
    Ok(match mixture.laws() {
        Some(laws) if laws.iter().all(|law| law.is_student(dim)) => {
            let law = |law: &gaussbayes::Law| {
                law.freedom().map(|freedom| gaussbayes::Law::student(freedom, 2))
            };
            flat.with_laws(laws.iter().filter_map(law).collect())?
        }
        _ => flat,
    })
}

fn projected(rows: &Table, projection: &Projection) -> Result<Table, Error> {
    let all = projection.transform(&rows.block(0..rows.rows())?)?;
    let values = all.chunks_exact(projection.len()).flat_map(|at| [at[0], at[1]]).collect();
    let (codes, dictionary) = (rows.codes.clone(), rows.dictionary.clone());
    Ok(Table { dim: 2, values, codes, dictionary, ..Table::default() })
}
