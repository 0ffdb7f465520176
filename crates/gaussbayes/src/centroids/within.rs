//! Pools the deviations of rows from their class centres, column by column \[M33\].

use crate::error::Error;
use crate::moments::{Frame, Moments, Shape, Spread, Storage, exponent_of, ldexp};

/// Standard deviations within classes, in the unit of each column's frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Within {
    deviations: Vec<f64>,
    exponent: Vec<i32>,
}

/// A number times a power of two: deviations of columns whose units are any distance apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scaled {
    value: f64,
    exponent: i32,
}

impl Scaled {
    /// Between ½ and 1 times its power, so that exponents compare first.
    fn of(value: f64, exponent: i32) -> Self {
        let own = exponent_of(value);
        if value == 0.0 {
            return Self { value, exponent: i32::MIN / 2 };
        }
        Self { value: ldexp(value, -own), exponent: exponent + own }
    }

    pub(super) fn in_unit(self, exponent: i32) -> f64 {
        if self.value == 0.0 { 0.0 } else { ldexp(self.value, self.exponent - exponent) }
    }
}

impl Within {
    /// About these framed centres; none at all without a divisor.
    pub(super) fn about(
        moments: &Moments,
        frame: &Frame,
        centres: &[f64],
        divisor: Option<f64>,
    ) -> Result<Self, Error> {
        let (dim, classes) = (moments.dim(), moments.components());
        let mut sum = Spread::zero(Shape::Diagonal, dim);
        for k in 0..if moments.storage() == Storage::Shared { 1 } else { classes } {
            sum.add(1.0, &moments.spread(k, Shape::Diagonal, frame)?);
        }
        let floors = moments.coarsest(0..classes, frame);
        for (k, centre) in centres.chunks_exact(dim).enumerate() {
            let n = moments.weight()[k];
            let apart = moments.mean_in(k, frame).zip(centre).map(|(mean, centre)| mean - centre);
            sum.values.iter_mut().zip(apart).for_each(|(sum, x)| *sum += n * x.powi(2));
        }
        let deviation = |(sum, floor): (f64, f64)| {
            let deviation = divisor.map_or(0.0, |divisor| (sum / divisor).sqrt());
            if deviation > floor { deviation } else { 0.0 }
        };
        let deviations = sum.values.into_iter().zip(floors).map(deviation).collect();
        Ok(Self { deviations, exponent: frame.exponent().to_vec() })
    }

    /// Of column `j`, in its unit.
    pub(super) fn deviation(&self, j: usize) -> f64 {
        self.deviations[j]
    }

    /// In raw units.
    pub(super) fn raw(&self) -> Vec<f64> {
        let columns = self.deviations.iter().zip(&self.exponent);
        columns.map(|(&s, &e)| ldexp(s, e).min(f64::MAX)).collect()
    }

    /// The median over the columns; halfway between two where their number is even.
    pub(super) fn median(&self) -> Scaled {
        let columns = self.deviations.iter().zip(&self.exponent);
        let mut sorted: Vec<Scaled> = columns.map(|(&s, &e)| Scaled::of(s, e)).collect();
        sorted.sort_by(|a, b| a.exponent.cmp(&b.exponent).then(a.value.total_cmp(&b.value)));
        let (lower, upper) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
        Scaled::of(0.5 * (lower.in_unit(upper.exponent) + upper.value), upper.exponent)
    }

    /// The root of the mean square over the columns; none where all are zero.
    pub(super) fn sphere(&self) -> Option<Scaled> {
        let columns = || self.deviations.iter().zip(&self.exponent).filter(|(s, _)| **s > 0.0);
        let widest = columns().map(|(&s, &e)| Scaled::of(s, e).exponent).max()?;
        let square: f64 = columns().map(|(&s, &e)| ldexp(s, e - widest).powi(2)).sum();
        Some(Scaled::of((square / self.deviations.len() as f64).sqrt(), widest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_means_do_not_depend_on_how_far_apart_units_are() {
        let within = Within { deviations: vec![0.5, 0.0, 0.75], exponent: vec![-1000, 3, 1000] };
        assert_eq!(within.median().in_unit(-1000), 0.5);
        // √((0 + 0 + 0.75²)/3) = 0.4330 in the unit of the widest, where the others vanish.
        assert!((within.sphere().unwrap().in_unit(1000) - 0.1875_f64.sqrt()).abs() < 1e-15);
        let even = Within { deviations: vec![0.5, 0.0, 0.75, 0.25], exponent: vec![0, 9, 1, 2] };
        // 0, 0.5, 1, 1.5: the median is 0.75.
        assert_eq!(even.median().in_unit(0), 0.75);
        let none = Within { deviations: vec![0.0; 2], exponent: vec![0; 2] };
        assert_eq!((none.median().in_unit(-900), none.sphere()), (0.0, None));
    }
}
