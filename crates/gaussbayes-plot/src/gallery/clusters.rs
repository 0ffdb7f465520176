//! Draws what deck 000 says of clusters: EM step by step, the simplex, and an outlier.

use gaussbayes::{
    CovarianceSpec, EmSpec, EmState, Family, On, Pool, Sampled, Start, Starts, Table,
};

use super::Sets;
use super::made::{known, told};
use crate::error::PlotError;
use crate::picture::Picture;
use crate::{EmLook, em, milestones, outlier, simplex};

/// Iterations that are shown, the start and the end among them.
const SHOWN: usize = 6;

/// What the columns of Old Faithful are called.
const FAITHFUL: [&str; 2] = ["eruptions", "waiting"];

/// EM on rows from a start that is far from its end, so that there is something to see.
fn begun(rows: &Table, components: usize, on: On<'_>) -> Result<EmState, PlotError> {
    let sampled = Sampled::draw(&mut rows.source(), rows.rows(), 1, on)?;
    let spec = EmSpec::from(Family::Vvv);
    Ok(Starts::new(&sampled, 1)?.begin(&spec, components, Start::Random, 0, on)?)
}

pub(super) fn steps(sets: Sets<'_>, frames: bool) -> Result<Picture, PlotError> {
    let rows = sets("faithful")?;
    let pool = Pool::new(1)?;
    let on = On::pool(&pool);
    let states = milestones(&begun(&rows, 2, on)?, &rows, SHOWN, on)?;
    let features = FAITHFUL.map(String::from);
    let picture = em(&states, &rows, &features, &EmLook { frames, ..EmLook::default() })?;
    let last = states.last().map_or(0, EmState::iteration);
    Ok(told(
        picture,
        "EM, step by step",
        format!(
            "Eruptions of Old Faithful and two Gaussians: at the start both lie on top of each other, after a few \
             iterations each has a group of rows of its own, and after {last} nothing moves any more."
        ),
        "The E-step gives every row a share in each cluster, the M-step moves means and covariances to the rows they \
         have a share in. No iteration lowers the likelihood.",
    ))
}

pub(super) fn simplex_of_three(_: Sets<'_>) -> Result<Picture, PlotError> {
    let means: [&[f64]; 3] = [&[-1.4, -0.8], &[1.4, -0.8], &[0.0, 1.6]];
    let rule = known(&means, &[&[1.0, 0.0, 1.0]], None)?;
    let rows = rule.sample(300, 1)?.table()?;
    Ok(told(
        simplex(&rule, &rows, None)?,
        "Posteriors lie in a triangle",
        "A triangle whose corners are three classes; each of 300 rows is a point in it, the nearer to a corner the more \
         probable that class. Most rows lie at the corners and along the edges.",
        "aᵀp = P(C₁|x) + P(C₂|x) + P(C₃|x) = 1: all posteriors lie in one plane, and as none is negative what is left of it \
         is a triangle. Even an outlier has a share of at least ⅓ in some class.",
    ))
}

pub(super) fn outlier_of_two(_: Sets<'_>) -> Result<Picture, PlotError> {
    let truth = known(&[&[-2.0, 0.0], &[2.0, 0.0]], &[&[0.5, 0.0, 0.5]], None)?;
    let rows = truth.sample(40, 5)?.table()?;
    let first = rows.codes.iter().flatten().position(|code| *code == 0).unwrap_or(0);
    let features = ["x1", "x2"].map(String::from);
    let picture = outlier(&CovarianceSpec::qda(), &rows, &features, first, [-1.0, 8.0])?;
    Ok(told(
        picture,
        "One outlier moves its class",
        "The same 40 rows of two classes twice. On the right one row of class 1 lies far away at (−1, 8): the mean of \
         class 1 moves toward it, its ellipse stretches, and the boundary bends.",
        "An outlier has to belong somewhere, and moves the mean and the covariance of what it belongs to: a Gaussian \
         fit is sensitive to single rows.",
    ))
}
