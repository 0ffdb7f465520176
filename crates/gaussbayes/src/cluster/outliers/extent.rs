//! Measures the box that noise is spread over, along the columns or the principal axes \[M66\].

use crate::data::{Block, Source};
use crate::error::{Error, OutlierRefusal};
use crate::linalg::{dot, eigen};
use crate::mixture::Extent;
use crate::moments::{Memberships, Merge, Moments, Storage};
use crate::sweep::{On, Sweep, run};
use crate::tolerance::BOX_ROUNDING;

impl Extent {
    /// The smaller of two boxes around all rows of positive weight: along the columns, and along the
    /// principal axes of their covariance \[M66\].
    ///
    /// Two passes over a source, each from its first row.
    ///
    /// # Errors
    /// What the source refuses, and [`OutlierRefusal::Flat`] for a column without spread: a box has no
    /// volume there.
    pub fn of<S: Source>(source: &mut S, on: On<'_>) -> Result<Self, S::Error> {
        source.rewind()?;
        let first = run(&FirstPass, source, on)?;
        let columns = first.columns()?;
        let Some(axes) = first.axes().filter(|_| columns.dim() > 1) else { return Ok(columns) };
        let second = SecondPass { axes: &axes, origin: columns.origin() };
        source.rewind()?;
        let ranges = run(&second, source, on)?;
        // What rounding alone could have made is no side: rows that keep to a plane.
        if ranges.sides().any(|side| side <= first.rounding()) {
            return Ok(columns);
        }
        let Ranges { low, high } = ranges;
        let turned = Self::new(Some(axes.clone()), columns.origin().to_vec(), low, high)?;
        Ok(if turned.log_volume() < columns.log_volume() { turned } else { columns })
    }
}

/// The least and the largest of each coordinate.
#[derive(Debug, Clone, PartialEq)]
struct Ranges {
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Ranges {
    fn new(dim: usize) -> Self {
        Self { low: vec![f64::INFINITY; dim], high: vec![f64::NEG_INFINITY; dim] }
    }

    fn add(&mut self, j: usize, x: f64) {
        self.low[j] = self.low[j].min(x);
        self.high[j] = self.high[j].max(x);
    }

    fn sides(&self) -> impl Iterator<Item = f64> {
        self.low.iter().zip(&self.high).map(|(low, high)| high - low)
    }
}

impl Merge for Ranges {
    fn merge(mut self, later: Self) -> Self {
        self.low.iter_mut().zip(&later.low).for_each(|(a, b)| *a = a.min(*b));
        self.high.iter_mut().zip(&later.high).for_each(|(a, b)| *a = a.max(*b));
        self
    }
}

/// Moments of all rows together, and the ranges of the columns.
struct FirstPass;

#[derive(Debug, Clone)]
struct Together {
    moments: Moments,
    ranges: Ranges,
}

impl Merge for Together {
    fn merge(self, later: Self) -> Self {
        Self { moments: self.moments.merge(later.moments), ranges: self.ranges.merge(later.ranges) }
    }
}

impl Sweep for FirstPass {
    type Stat = Together;

    fn block(&self, block: &Block<'_>) -> Result<Together, Error> {
        let (dim, count) = (block.rows().dim(), block.rows().count());
        let codes = vec![0; count];
        let moments = Moments::of_block(block, Memberships::Codes(&codes), 1, Storage::Full)?;
        let (mut ranges, mut row) = (Ranges::new(dim), vec![0.0; dim]);
        for i in (0..count).filter(|&i| block.weight(i) > 0.0) {
            block.rows().read(i, &mut row);
            row.iter().enumerate().for_each(|(j, x)| ranges.add(j, *x));
        }
        Ok(Together { moments, ranges })
    }
}

impl Together {
    /// The box along the columns, measured from a row in their midst: an offset of the rows cancels there.
    fn columns(&self) -> Result<Extent, Error> {
        if self.moments.weight()[0] <= 0.0 {
            return Err(Error::NoRows);
        }
        if let Some(column) = self.ranges.sides().position(|side| side <= 0.0) {
            return Err(OutlierRefusal::Flat { column, name: None }.into());
        }
        let origin = self.moments.frame().origin().to_vec();
        let from = |ends: &[f64]| ends.iter().zip(&origin).map(|(x, o)| x - o).collect();
        let (low, high) = (from(&self.ranges.low), from(&self.ranges.high));
        Extent::new(None, origin, low, high)
    }

    /// Principal axes in raw units, one after the other, the widest first.
    fn axes(&self) -> Option<Vec<f64>> {
        let dim = self.moments.dim();
        let scatter = self.moments.clone().in_one_unit();
        let found = eigen(scatter.scatter(), dim)?;
        Some(found.vectors.chunks_exact(dim).rev().flatten().copied().collect())
    }

    /// What rounding may make of a coordinate along an axis: some ε of the widest side and of the largest value.
    fn rounding(&self) -> f64 {
        let widest = self.ranges.sides().fold(0.0, f64::max);
        let ends = self.ranges.low.iter().chain(&self.ranges.high);
        let farthest = ends.fold(0.0_f64, |most, x| most.max(x.abs()));
        let dim = self.moments.dim() as f64;
        dim * f64::EPSILON * (BOX_ROUNDING * widest + farthest)
    }
}

/// Ranges along axes.
struct SecondPass<'a> {
    axes: &'a [f64],
    origin: &'a [f64],
}

impl Sweep for SecondPass<'_> {
    type Stat = Ranges;

    fn block(&self, block: &Block<'_>) -> Result<Ranges, Error> {
        let dim = self.origin.len();
        let (mut ranges, mut row) = (Ranges::new(dim), vec![0.0; dim]);
        for i in (0..block.rows().count()).filter(|&i| block.weight(i) > 0.0) {
            block.rows().read(i, &mut row);
            row.iter_mut().zip(self.origin).for_each(|(x, origin)| *x -= origin);
            let along = self.axes.chunks_exact(dim).map(|axis| dot(axis, &row));
            along.enumerate().for_each(|(j, t)| ranges.add(j, t));
        }
        Ok(ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use crate::sweep::Pool;

    fn of(rows: &[[f64; 2]]) -> Result<Extent, Error> {
        let values = rows.iter().flatten().copied().collect();
        let table = Table { dim: 2, values, ..Table::default() };
        Extent::of(&mut table.source(), On::pool(&Pool::new(1).unwrap()))
    }

    #[test]
    fn the_smaller_of_two_boxes_is_taken() {
        // A rectangle of sides 20 and 10 along (3, 4) and (-4, 3): the box along the columns has 20 · 22.
        let turned = [[2.0, 11.0], [10.0, 5.0], [-10.0, -5.0], [-2.0, -11.0]];
        assert!((of(&turned).unwrap().log_volume() - 200.0_f64.ln()).abs() < 1e-14);
        let long = [[0.0, 0.0], [1.0, 1.1], [2.0, 1.9], [3.0, 3.0]];
        let extent = of(&long).unwrap();
        assert!(extent.axes().is_some() && extent.log_volume() < 2.0_f64.ln());
        let upright = [[0.0, 0.0], [0.0, 1.0], [3.0, 0.0], [3.0, 1.0]];
        let extent = of(&upright).unwrap();
        assert!((extent.log_volume() - 3.0_f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn an_offset_changes_no_volume() {
        let rows = [[0.0, 0.0], [7.0, 9.0], [12.0, 10.0], [3.0, 4.0], [5.0, 8.0]];
        let near = of(&rows).unwrap().log_volume();
        let far = of(&rows.map(|row| row.map(|x| x + 1e9))).unwrap();
        assert!((near - far.log_volume()).abs() < 1e-13);
        let mut corner = [0.0, 0.0];
        far.at(&[0.5, 0.5], &mut corner);
        assert!(corner.iter().all(|x| (x - 1e9).abs() < 13.0));
    }

    #[test]
    fn rows_on_a_line_have_the_box_of_their_columns_and_a_constant_column_none() {
        let line = [[0.0, 0.0], [1.0, 2.0], [0.1, 0.2], [0.7, 1.4]];
        let extent = of(&line).unwrap();
        assert!(extent.axes().is_none() && (extent.log_volume() - 2.0_f64.ln()).abs() < 1e-15);
        let error = of(&[[0.0, 5.0], [1.0, 5.0]]).unwrap_err();
        assert!(matches!(
            error.root(),
            Error::Outliers(OutlierRefusal::Flat { column: 1, name: None })
        ));
        assert_eq!(
            error.named(&[], &["a".into(), "b".into()]).to_string(),
            "'b' is constant: noise has no room there"
        );
    }
}
