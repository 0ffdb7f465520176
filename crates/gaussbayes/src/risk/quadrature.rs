//! Holds Kronrod's rule of fifteen nodes beside that of Gauss with seven.

use crate::tolerance::{QUADRATURE_FACTOR, QUADRATURE_ROUNDING};

/// Nodes in (0, 1] with Kronrod's weights and, every other one, those of Gauss; 0 is the last.
const NODES: [(f64, f64, f64); 8] = [
    (0.991_455_371_120_812_6, 0.022_935_322_010_529_224, 0.0),
    (0.949_107_912_342_758_5, 0.063_092_092_629_978_55, 0.129_484_966_168_869_7),
    (0.864_864_423_359_769_1, 0.104_790_010_322_250_18, 0.0),
    (0.741_531_185_599_394_4, 0.140_653_259_715_525_92, 0.279_705_391_489_276_64),
    (0.586_087_235_467_691_1, 0.169_004_726_639_267_9, 0.0),
    (0.405_845_151_377_397_2, 0.190_350_578_064_785_4, 0.381_830_050_505_118_9),
    (0.207_784_955_007_898_47, 0.204_432_940_075_298_9, 0.0),
    (0.0, 0.209_482_141_084_727_82, 0.417_959_183_673_469_4),
];

/// Values at the fifteen nodes of an interval, number by number.
pub(super) fn nodes() -> impl Iterator<Item = (f64, f64, f64)> {
    NODES.into_iter().flat_map(|(x, kronrod, gauss)| {
        let one = Some((x, kronrod, gauss));
        let other = (x > 0.0).then_some((-x, kronrod, gauss));
        one.into_iter().chain(other)
    })
}

/// ∫ f over an interval that is short for f.
pub(super) fn integral(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * from + 0.5 * to, 0.5 * (to - from));
    half * nodes().map(|(x, weight, _)| weight * f(middle + half * x)).sum::<f64>()
}

/// The error of an integral from both rules, the spread of the function about its mean and its size.
pub(super) fn error(difference: f64, spread: f64, size: f64) -> f64 {
    let mut error = difference.abs();
    if spread > 0.0 && error > 0.0 {
        error = spread * (QUADRATURE_FACTOR * error / spread).powf(1.5).min(1.0);
    }
    error.max(QUADRATURE_ROUNDING * size)
}
