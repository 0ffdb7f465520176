//! Gives each column an origin and a power-of-two unit, so that sums lose no digits \[M1\].

use std::borrow::Cow;

use crate::data::{Block, Extent, Rows, all_finite};
use crate::error::Error;
use crate::linalg::lanes::{Job, vectorized};
use crate::tolerance::{FAR_EXPONENT, ORIGIN_SAMPLE, POWER_EXPONENT};

/// The exponent of a column that has shown no spread yet: below that of any spread.
const NO_SPREAD: i32 = -1100;

/// Exponents that any finite spread can have.
const EXPONENTS: std::ops::RangeInclusive<i32> = NO_SPREAD..=1026;

/// An origin and a unit per column: a row `x` becomes `u = (x − origin) · 2^−exponent`.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    origin: Vec<f64>,
    exponent: Vec<i32>,
    /// Exponent of the farthest that merging has moved an origin: what means were rounded to.
    shift: Vec<i32>,
}

impl Frame {
    /// A frame from its parts.
    ///
    /// # Errors
    /// [`Error::Shape`] when lengths differ, [`Error::BadParameter`] for an origin that is not
    /// finite or an exponent that no spread can have.
    pub fn new(origin: Vec<f64>, exponent: Vec<i32>, shift: Vec<i32>) -> Result<Self, Error> {
        for found in [exponent.len(), shift.len()] {
            if origin.len() != found {
                return Err(Error::Shape { what: "frame", expected: origin.len(), found });
            }
        }
        if let Some(&value) = origin.iter().find(|value| !value.is_finite()) {
            return Err(Error::BadParameter { what: "origin", component: 0, value });
        }
        if let Some(&e) = exponent.iter().chain(&shift).find(|e| !EXPONENTS.contains(e)) {
            let value = f64::from(e);
            return Err(Error::BadParameter { what: "exponent", component: 0, value });
        }
        Ok(Self { origin, exponent, shift })
    }

    /// The frame in which all rows of positive weight lie within ±1 of its origin.
    pub(crate) fn of(block: &Block<'_>) -> Self {
        let rows = block.rows();
        let all = 0..rows.count();
        let (origin, extent) = match block.extent() {
            Some(extent) if !block.is_weighted() => {
                (Self::sampled_origin(rows, all.len(), |at| at), Cow::Borrowed(extent))
            }
            _ => {
                let counted: Vec<usize> = all.filter(|&i| block.weight(i) > 0.0).collect();
                let origin = Self::sampled_origin(rows, counted.len(), |at| counted[at]);
                (origin, Cow::Owned(Extent::of_some(rows, &counted)))
            }
        };
        Self::reaching(origin, &extent)
    }

    /// The frame with an origin in which columns reach so far.
    fn reaching(origin: Vec<f64>, extent: &Extent) -> Self {
        let spread = origin.iter().zip(extent.least.iter().zip(&extent.greatest));
        let exponent = spread.map(|(origin, (least, greatest))| {
            // Halves cannot overflow; a half of the smallest number is only ever too small.
            let half = (0.5 * greatest - 0.5 * origin).max(0.5 * origin - 0.5 * least);
            if half > 0.0 { exponent_of(half) + 1 } else { NO_SPREAD }
        });
        Self { exponent: exponent.collect(), shift: vec![NO_SPREAD; origin.len()], origin }
    }

    /// The median of some rows, column by column: a value of the block that no single wild row decides.
    fn sampled_origin(rows: &Rows<'_>, count: usize, row_at: impl Fn(usize) -> usize) -> Vec<f64> {
        let size = count.min(ORIGIN_SAMPLE);
        let mut sample = vec![0.0; size * rows.dim()];
        for (at, row) in sample.chunks_exact_mut(rows.dim()).enumerate() {
            rows.read(row_at(at * count / size), row);
        }
        let mut median = vec![0.0; rows.dim()];
        vectorized(Median { sample: &sample, median: &mut median });
        median
    }

    /// Columns.
    pub fn dim(&self) -> usize {
        self.origin.len()
    }

    /// The origin of each column.
    pub fn origin(&self) -> &[f64] {
        &self.origin
    }

    /// The binary exponent of each column's unit.
    pub fn exponent(&self) -> &[i32] {
        &self.exponent
    }

    /// The binary exponent of the farthest that merging has moved each origin.
    pub fn shift(&self) -> &[i32] {
        &self.shift
    }

    /// The frame of some of the columns.
    pub(crate) fn picked(&self, columns: &[usize]) -> Self {
        let exponents = |of: &[i32]| columns.iter().map(|&j| of[j]).collect();
        Self {
            origin: columns.iter().map(|&j| self.origin[j]).collect(),
            exponent: exponents(&self.exponent),
            shift: exponents(&self.shift),
        }
    }

    /// Whether rows of column `j` have differed.
    pub(crate) fn has_spread(&self, j: usize) -> bool {
        self.exponent[j] > NO_SPREAD
    }

    /// The units of the columns, as shares of the widest.
    pub(crate) fn units(&self) -> Vec<f64> {
        let widest = self.widest();
        self.exponent.iter().map(|e| ldexp(1.0, e - widest)).collect()
    }

    /// The exponent of the widest column.
    pub(crate) fn widest(&self) -> i32 {
        self.exponent.iter().copied().max().unwrap_or(NO_SPREAD)
    }

    /// The frame with this origin that is wide enough for the rows of both.
    pub(crate) fn joined(&self, other: &Self) -> Self {
        let apart = |j: usize| exponent_of(0.5 * self.origin[j] - 0.5 * other.origin[j]) + 1;
        let widest = |a: &[i32], b: &[i32]| -> Vec<i32> {
            (0..a.len()).map(|j| a[j].max(b[j]).max(apart(j))).collect()
        };
        Self {
            origin: self.origin.clone(),
            exponent: widest(&self.exponent, &other.exponent),
            shift: widest(&self.shift, &other.shift),
        }
    }

    /// The frame for estimation: a column without spread takes the unit of the widest.
    pub(crate) fn settled(&self) -> Self {
        let widest = self.widest();
        let widest = if widest == NO_SPREAD { 0 } else { widest };
        let settle = |&e: &i32| if e == NO_SPREAD { widest } else { e };
        Self { exponent: self.exponent.iter().map(settle).collect(), ..self.clone() }
    }

    /// The frame with one unit for all columns.
    pub(crate) fn uniform(&self) -> Self {
        let settled = self.settled();
        let widest = settled.widest();
        Self { exponent: vec![widest; self.dim()], ..settled }
    }

    /// The frame with its origin at a framed mean and units near the deviations; columns without any keep their own.
    pub(crate) fn about(&self, mean: &[f64], deviation: &[f64]) -> Self {
        let place = |j: usize| {
            let origin = self.raw_value(j, mean[j]);
            if origin.is_finite() { origin } else { self.origin[j] }
        };
        let unit = |j: usize| match deviation[j] {
            0.0 => self.exponent[j],
            some => (self.exponent[j] + exponent_of(some)).max(NO_SPREAD + 1),
        };
        let columns = 0..self.dim();
        Self {
            origin: columns.clone().map(place).collect(),
            exponent: columns.map(unit).collect(),
            shift: self.shift.clone(),
        }
    }

    /// A framed row in another frame.
    pub(crate) fn carried(&self, row: &[f64], to: &Self) -> impl Iterator<Item = f64> {
        let place = |(j, &u): (usize, &f64)| {
            ldexp(u, self.exponent[j] - to.exponent[j]) + to.place(j, self.origin[j])
        };
        row.iter().enumerate().map(place)
    }

    /// `x − origin` of one value, in the unit of column `j`, without overflow on the way.
    pub(crate) fn place(&self, j: usize, x: f64) -> f64 {
        let difference = x - self.origin[j];
        if difference.is_finite() {
            ldexp(difference, -self.exponent[j])
        } else {
            ldexp(0.5 * x - 0.5 * self.origin[j], 1 - self.exponent[j])
        }
    }

    /// Writes all rows in this frame, row by row.
    pub(crate) fn apply(&self, rows: &Rows<'_>) -> Vec<f64> {
        let dim = self.dim();
        let mut framed = vec![0.0; rows.count() * dim];
        if let Some(scale) = self.scale() {
            for (i, row) in framed.chunks_exact_mut(dim).enumerate() {
                rows.read(i, row);
                let columns = row.iter_mut().zip(&self.origin).zip(&scale);
                columns.for_each(|((x, origin), scale)| *x = (*x - origin) * scale);
                // The difference of two numbers may be none.
                if !all_finite(row) {
                    rows.read(i, row);
                    row.iter_mut().enumerate().for_each(|(j, x)| *x = self.place(j, *x));
                }
            }
            return framed;
        }
        for (i, row) in framed.chunks_exact_mut(dim).enumerate() {
            rows.read(i, row);
            row.iter_mut().enumerate().for_each(|(j, x)| *x = self.place(j, *x));
        }
        framed
    }

    /// As [`Frame::apply`], but rows beyond 2³⁰⁰ units are drawn in along their ray \[M22\].
    ///
    /// Returns the rows and, for each one drawn in, its number and the exponent taken off.
    pub(crate) fn apply_near(&self, rows: &Rows<'_>) -> (Vec<f64>, Vec<(usize, i32)>) {
        let dim = self.dim();
        let mut framed = self.apply(rows);
        let limit = ldexp(1.0, FAR_EXPONENT);
        let mut drawn = Vec::new();
        for (i, row) in framed.chunks_exact_mut(dim).enumerate() {
            if row.iter().fold(true, |near, u| near & (u.abs() <= limit)) {
                continue;
            }
            rows.read(i, row);
            let far = |j: usize, x: f64| {
                // Halved: the difference of two finite numbers may not be finite.
                let half = 0.5 * x - 0.5 * self.origin[j];
                (half, exponent_of(half) + 1 - self.exponent[j])
            };
            let highest =
                row.iter().enumerate().map(|(j, &x)| far(j, x).1).max().unwrap_or(FAR_EXPONENT);
            let taken = highest - FAR_EXPONENT;
            for (j, x) in row.iter_mut().enumerate() {
                *x = ldexp(far(j, *x).0, 1 - self.exponent[j] - taken);
            }
            drawn.push((i, taken));
        }
        (framed, drawn)
    }

    /// What multiplies a difference from the origin, where all its powers and their inverses are numbers.
    pub(crate) fn scale(&self) -> Option<Vec<f64>> {
        let power = |&e: &i32| (e.abs() <= POWER_EXPONENT).then(|| ldexp(1.0, -e));
        self.exponent.iter().map(power).collect()
    }

    /// Σ of squares of each column, in the unit of the widest.
    pub(crate) fn trace(&self, squares: &[f64]) -> f64 {
        let widest = self.widest();
        let in_common = |(s, e): (&f64, &i32)| ldexp(*s, 2 * (e - widest));
        squares.iter().zip(&self.exponent).map(in_common).sum()
    }

    /// A framed value of column `j` in raw coordinates.
    pub(crate) fn raw_value(&self, j: usize, u: f64) -> f64 {
        self.origin[j] + ldexp(u, self.exponent[j])
    }
}

/// The median of some rows, column by column: that number which half of the others come before.
struct Median<'a> {
    sample: &'a [f64],
    median: &'a mut [f64],
}

impl Job for Median<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let dim = self.median.len();
        let half = (self.sample.len() / dim / 2) as f64;
        let mut before = vec![0.0; dim];
        for (at, row) in self.sample.chunks_exact(dim).enumerate() {
            before.fill(0.0);
            for (other, others) in self.sample.chunks_exact(dim).enumerate() {
                // Equal numbers come in the order of their rows.
                let tie = if other < at { 1.0 } else { 0.0 };
                for ((before, x), y) in before.iter_mut().zip(row).zip(others) {
                    *before += if y < x { 1.0 } else { 0.0 };
                    *before += if y == x { tie } else { 0.0 };
                }
            }
            for ((median, x), before) in self.median.iter_mut().zip(row).zip(&before) {
                *median = if *before == half { *x } else { *median };
            }
        }
    }
}

/// `x · 2^e`, exact unless the result leaves the range of normal numbers.
pub(crate) fn ldexp(mut x: f64, mut e: i32) -> f64 {
    const STEP: i32 = 1000;
    while e > STEP {
        x *= power_of_two(STEP);
        e -= STEP;
    }
    while e < -STEP {
        x *= power_of_two(-STEP);
        e += STEP;
    }
    x * power_of_two(e)
}

fn power_of_two(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// A binary exponent `e` with `|x| ≤ 2^e`, and not much larger; very small for 0.
pub(crate) fn exponent_of(x: f64) -> i32 {
    let exponent = |x: f64| ((x.to_bits() >> 52) & 0x7ff) as i32 - 1022;
    if x == 0.0 {
        NO_SPREAD - 2
    } else if x.abs() < f64::MIN_POSITIVE {
        exponent(ldexp(x, 64)) - 64
    } else {
        exponent(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_bound_their_numbers() {
        for x in [1.0, 1.5, -3.0, 1e300, 1e-300, 5e-324, f64::MAX] {
            let e = exponent_of(x);
            assert!(ldexp(x, -e).abs() <= 1.0 && ldexp(x, -e).abs() >= 0.5, "{x}: {e}");
        }
    }

    #[test]
    fn a_far_row_keeps_its_direction() {
        let frame = Frame::new(vec![0.0, 0.0], vec![-500, -500], vec![0, 0]).unwrap();
        let rows = Rows::new(vec![1e300, 2.5e299], 2).unwrap();
        let (near, drawn) = frame.apply_near(&rows);
        assert_eq!(drawn.len(), 1);
        assert!((near[1] / near[0] - 0.25).abs() < 1e-15);
        assert!(near.iter().all(|u| u.abs() <= ldexp(1.0, FAR_EXPONENT + 1)));
    }
}
