//! Projects rows on the directions in which the classes lie farthest apart \[M24\].

use crate::covariance::{Covariance, norm_sq};
use crate::data::Block;
use crate::error::{Deficient, Error};
use crate::linalg::{Gram, dot, eigen};
use crate::mixture::{Covariances, Mixture};
use crate::moments::{Frame, Shape, Spread, exponent_of, ldexp};
use crate::tolerance::{GRAM_SHARE, WHITENED_MEAN};

/// The canonical directions of a mixture: Fisher's direction where there are two classes \[M24\].
///
/// Between classes B = Σ π_k (μ_k − μ)(μ_k − μ)ᵀ, within them W = Σ π_k Σ_k: the directions solve
/// B v = ρ W v with vᵀWv = 1. The coefficient that is largest by size, each in standard deviations
/// of its column, is positive. Directions in which the means do not differ beyond rounding are
/// left out, so there may be none.
///
/// ```
/// use gaussbayes::{Mixture, Projection};
///
/// let means = [vec![-1.0, 0.0], vec![1.0, 0.0]];
/// let mixture = Mixture::given(&means, &[vec![4.0, 0.0, 1.0]], vec![0.5, 0.5])?;
/// let projection = Projection::of(&mixture)?;
/// assert_eq!(projection.len(), 1);
/// assert!((projection.directions()[0][0] - 0.5).abs() < 1e-12);
/// assert!((projection.ratios()[0] - 0.25).abs() < 1e-12);
/// # Ok::<(), gaussbayes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    frame: Frame,
    /// μ in the frame.
    centre: Vec<f64>,
    directions: Vec<Direction>,
    ratios: Vec<f64>,
    explained: Vec<f64>,
}

/// A direction for framed rows: its coefficients times a power of two.
#[derive(Debug, Clone, PartialEq)]
struct Direction {
    coefficients: Vec<f64>,
    exponent: i32,
}

impl Projection {
    /// The directions of a mixture, the best first.
    ///
    /// # Errors
    /// [`Error::Singular`] or [`Error::BadParameter`] for covariances that rounding leaves without
    /// an inverse.
    pub fn of(mixture: &Mixture) -> Result<Self, Error> {
        let dim = mixture.dim();
        let shares = shares(mixture);
        let (within, unit) = within(mixture, &shares)?;
        let centre = mixture.framed_centre();
        let (mut spread, mut floor) = whitened(mixture, &shares, &centre, &within)?;
        let size = exponent_of(spread.iter().fold(0.0, |size, a| a.abs().max(size)));
        spread.iter_mut().for_each(|a| *a = ldexp(*a, -size));
        floor = ldexp(floor, -size);
        let most = dim.min(mixture.components() - 1);
        let axes = principal_axes(spread, dim, most, floor).ok_or(NOT_FINITE)?;
        let sum: f64 = axes.iter().map(|(square, _)| square).sum();
        let ratio = |square: f64| ldexp(square, 2 * (size - unit)).min(f64::MAX);
        Ok(Self {
            frame: mixture.frame().clone(),
            centre,
            ratios: axes.iter().map(|(square, _)| ratio(*square)).collect(),
            explained: axes.iter().map(|(square, _)| square / sum).collect(),
            directions: axes
                .into_iter()
                .map(|(_, axis)| Direction::new(axis, &within, unit))
                .collect(),
        })
    }

    /// All directions that solve (T − W) v = ρ W v with vᵀWv = 1, the largest ρ first, for a total
    /// covariance T by its lower triangle in raw units: what is between the classes is what the
    /// covariance within them leaves of the total \[M24\].
    ///
    /// Where either was shrunk, ρ may be negative. There are as many directions as columns.
    ///
    /// # Errors
    /// [`Error::Shape`] for a wrong number of values, [`Error::Singular`] for a covariance that keeps
    /// to a range, [`Error::BadParameter`] for numbers that leave their range.
    pub fn within_total(mixture: &Mixture, total: &[f64]) -> Result<Self, Error> {
        let dim = mixture.dim();
        let expected = Shape::Full.len(dim).unwrap_or(usize::MAX);
        if expected != total.len() {
            return Err(Error::Shape { what: "total covariance", expected, found: total.len() });
        }
        let (within, unit) = within(mixture, &shares(mixture))?;
        if within.rank() < dim {
            return Err(Error::singular(vec![Deficient::of_rank(within.rank(), dim)]));
        }
        let exponent = mixture.frame().exponent();
        let pairs = (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let framed = pairs.zip(total);
        // In the frame, and in the unit in which W is near one.
        let framed = framed.map(|((i, j), t)| ldexp(*t, -exponent[i] - exponent[j] - 2 * unit));
        let seen = within.whitened(&Spread { shape: Shape::Full, dim, values: framed.collect() });
        if let Some(&value) = seen.values.iter().find(|value| !value.is_finite()) {
            return Err(Error::BadParameter { what: "total covariance", component: 0, value });
        }
        let found = eigen(&seen.values, dim).ok_or(NOT_FINITE)?;
        let ratios: Vec<f64> = found.values.iter().rev().map(|value| value - 1.0).collect();
        let sum: f64 = ratios.iter().sum();
        let share = |ratio: &f64| if sum == 0.0 { 0.0 } else { ratio / sum };
        let axes = found.vectors.chunks_exact(dim).rev().map(<[f64]>::to_vec);
        Ok(Self {
            frame: mixture.frame().clone(),
            centre: mixture.framed_centre(),
            explained: ratios.iter().map(share).collect(),
            ratios,
            directions: axes.map(|axis| Direction::new(axis, &within, unit)).collect(),
        })
    }

    /// Columns.
    pub fn dim(&self) -> usize {
        self.frame.dim()
    }

    /// Number of directions: at most one fewer than classes, and no more than columns; as many as
    /// columns where a total was given.
    pub fn len(&self) -> usize {
        self.directions.len()
    }

    /// Whether there is no direction: the means of all classes are the same.
    pub fn is_empty(&self) -> bool {
        self.directions.is_empty()
    }

    /// The directions for raw rows. A coefficient beyond the largest number is infinite.
    pub fn directions(&self) -> Vec<Vec<f64>> {
        let raw = |direction: &Direction| {
            let pairs = direction.coefficients.iter().zip(self.frame.exponent());
            pairs.map(|(v, e)| ldexp(*v, direction.exponent - e)).collect()
        };
        self.directions.iter().map(raw).collect()
    }

    /// ρ of each direction: the variance between classes over that within them. Below 0 only where a
    /// total was given.
    pub fn ratios(&self) -> &[f64] {
        &self.ratios
    }

    /// The share of each direction in the sum of the ratios.
    pub fn explained(&self) -> Vec<f64> {
        self.explained.clone()
    }

    /// (x − μ)ᵀv of each row and direction, row by row.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn transform(&self, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        let (expected, found) = (self.dim(), block.rows().dim());
        if expected != found {
            return Err(Error::Shape { what: "columns of a row", expected, found });
        }
        let (mut rows, drawn) = self.frame.apply_near(block.rows());
        let mut taken = vec![0; block.rows().count()];
        drawn.into_iter().for_each(|(i, exponent)| taken[i] = exponent);
        let mut projected = Vec::with_capacity(taken.len() * self.len());
        for (row, taken) in rows.chunks_exact_mut(expected).zip(taken) {
            // A row that was drawn in sees the centre drawn in as far.
            row.iter_mut().zip(&self.centre).for_each(|(u, m)| *u -= ldexp(*m, -taken));
            projected.extend(self.directions.iter().map(|direction| {
                let along = ldexp(dot(row, &direction.coefficients), direction.exponent + taken);
                along.clamp(-f64::MAX, f64::MAX)
            }));
        }
        Ok(projected)
    }
}

impl Projection {
    /// xᵀv of each row and direction, row by row: [`Projection::transform`] without the centre.
    ///
    /// # Errors
    /// [`Error::Shape`] when the block has other columns.
    pub fn transform_uncentred(&self, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        let exponent = self.frame.exponent();
        let raw = |j: usize| ldexp(self.frame.raw_value(j, self.centre[j]), -exponent[j]);
        let framed: Vec<f64> = (0..self.dim()).map(raw).collect();
        let offset = |v: &Direction| ldexp(dot(&framed, &v.coefficients), v.exponent);
        let offsets: Vec<f64> = self.directions.iter().map(offset).collect();
        let mut projected = self.transform(block)?;
        for row in projected.chunks_exact_mut(self.len().max(1)) {
            row.iter_mut().zip(&offsets).for_each(|(y, offset)| {
                *y = (*y + offset).clamp(-f64::MAX, f64::MAX);
            });
        }
        Ok(projected)
    }
}

/// What an iteration leaves that was given numbers out of range.
const NOT_FINITE: Error =
    Error::BadParameter { what: "covariance", component: 0, value: f64::INFINITY };

/// π_k, divided by their sum.
fn shares(mixture: &Mixture) -> Vec<f64> {
    let total: f64 = mixture.weights().iter().sum();
    mixture.weights().iter().map(|weight| weight / total).collect()
}

/// W in units of 2^unit, and that unit: a fixed one can be so far from the rows' own that its square
/// is no number.
fn within(mixture: &Mixture, shares: &[f64]) -> Result<(Covariance, i32), Error> {
    let within = match mixture.covariances() {
        Covariances::Shared(one) => one.clone(),
        Covariances::Each(all) => Covariance::average(all, shares)?,
    };
    let unit = within.unit_exponent();
    Ok((within.rescaled(&vec![ldexp(1.0, -unit); mixture.dim()]), unit))
}

impl Direction {
    /// v = L⁻ᵀe of a unit vector e, where L is the factor in units of 2^unit.
    fn new(mut axis: Vec<f64>, within: &Covariance, unit: i32) -> Self {
        within.unwhiten(&mut axis);
        let (mut largest, mut sign) = (0.0, 1.0);
        for (v, deviation) in axis.iter().zip(within.deviations()) {
            if (v * deviation).abs() > largest {
                (largest, sign) = ((v * deviation).abs(), v.signum());
            }
        }
        let size = exponent_of(axis.iter().fold(0.0, |size, v| v.abs().max(size)));
        // Added to 0, no coefficient is a negative zero.
        axis.iter_mut().for_each(|v| *v = ldexp(sign * *v, -size) + 0.0);
        Self { coefficients: axis, exponent: size - unit }
    }
}

/// √π_k L⁻¹(m_k − m), component by component, and the length that rounding can leave in them.
fn whitened(
    mixture: &Mixture,
    shares: &[f64],
    centre: &[f64],
    within: &Covariance,
) -> Result<(Vec<f64>, f64), Error> {
    let (dim, frame) = (mixture.dim(), mixture.frame());
    let mut spread = Vec::with_capacity(shares.len() * dim);
    for (k, share) in shares.iter().enumerate() {
        spread.extend(mixture.mean(k).iter().zip(centre).map(|(m, c)| share.sqrt() * (m - c)));
    }
    within.whiten_rows(&mut spread);
    if let Some(at) = spread.iter().position(|a| !a.is_finite()) {
        let component = at / dim;
        return Err(Error::BadParameter { what: "covariance", component, value: spread[at] });
    }
    let length = norm_sq(&spread).sqrt() * (dim as f64).sqrt();
    let mut rounded = vec![0.0; dim * dim];
    for (j, deviation) in within.deviations().into_iter().enumerate() {
        let farthest = mixture.means().iter().skip(j).step_by(dim);
        let farthest = farthest.fold(0.0, |far: f64, m| far.max(m.abs()));
        let moved = ldexp(1.0, frame.shift()[j] - frame.exponent()[j]);
        rounded[j * dim + j] = farthest + moved + length * deviation;
    }
    within.whiten_rows(&mut rounded);
    Ok((spread, WHITENED_MEAN * norm_sq(&rounded).sqrt()))
}

/// Squared lengths and unit vectors of the principal axes of some rows, the longest first, down to
/// a length that counts as none; `None` when the rows are not finite.
///
/// The Gram matrix squares the ratio of the lengths, so only axes of similar length are taken from
/// one; they are subtracted from the rows before the next are looked for.
fn principal_axes(
    mut rows: Vec<f64>,
    dim: usize,
    most: usize,
    floor: f64,
) -> Option<Vec<(f64, Vec<f64>)>> {
    let mut axes: Vec<(f64, Vec<f64>)> = Vec::new();
    while axes.len() < most {
        let found = gram_axes(&rows, dim)?;
        let top = found.first().map_or(0.0, |(square, _)| *square);
        let before = axes.len();
        for (square, mut axis) in found {
            if axes.len() == most || square <= GRAM_SHARE * top || square.sqrt() <= floor {
                break;
            }
            for (_, other) in &axes {
                subtract(&mut axis, other);
            }
            let length = norm_sq(&axis).sqrt();
            axis.iter_mut().for_each(|e| *e /= length);
            axes.push((square, axis));
        }
        if axes.len() == before {
            break;
        }
        for row in rows.chunks_exact_mut(dim) {
            axes[before..].iter().for_each(|(_, axis)| subtract(row, axis));
        }
    }
    Some(axes)
}

/// All axes by the smaller of AᵀA and AAᵀ, the longest first; their directions are not normalised.
fn gram_axes(rows: &[f64], dim: usize) -> Option<Vec<(f64, Vec<f64>)>> {
    let count = rows.len() / dim;
    let few = count < dim;
    let side = count.min(dim);
    let mut gram = Gram::new(side);
    if few {
        let columns = (0..dim).flat_map(|j| rows.iter().skip(j).step_by(dim).copied());
        gram.add_rows(&columns.collect::<Vec<f64>>());
    } else {
        gram.add_rows(rows);
    }
    let mut triangle = vec![0.0; Shape::Full.len(side)?];
    gram.add_to(&mut triangle);
    let found = eigen(&triangle, side)?;
    let axis = |i: usize| {
        let vector = &found.vectors[i * side..(i + 1) * side];
        let axis = if few {
            let column = |j: usize| rows.iter().skip(j).step_by(dim).zip(vector);
            (0..dim).map(|j| column(j).map(|(a, e)| a * e).sum()).collect()
        } else {
            vector.to_vec()
        };
        (found.values[i], axis)
    };
    Some((0..side).rev().map(axis).collect())
}

/// Takes the part along a unit vector away.
fn subtract(row: &mut [f64], axis: &[f64]) {
    let along = dot(row, axis);
    row.iter_mut().zip(axis).for_each(|(x, e)| *x -= along * e);
}
