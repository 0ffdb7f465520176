//! Computes exponentials and logarithms of many numbers at a time.

use std::f64::consts::{LOG2_E, SQRT_2};

use pulp::Simd;

use super::simd::Real;

/// ln 2 in two parts; whole multiples of the first are exact up to 2¹¹.
const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

/// 1.5 · 2⁵²: added to a number below 2⁵¹ it leaves the nearest whole number in the lowest bits.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// Where nothing is left of e^x, and its exponent is a small number still.
const NOTHING: f64 = -746.0;

/// Coefficients of (eʳ − 1 − r)/r² in powers of r for |r| ≤ ½ ln 2, the last first: interpolated at Chebyshev's points in
/// sixty digits (mpmath's `chebyfit`), off by 3e-19.
const EXPONENTIAL: [f64; 11] = [
    f64::from_bits(0x3e21_f730_3498_68ce),
    f64::from_bits(0x3e5a_f4de_97ca_4194),
    f64::from_bits(0x3e92_7e4d_b646_b17e),
    f64::from_bits(0x3ec7_1de0_2319_60eb),
    f64::from_bits(0x3efa_01a0_1a6d_889c),
    f64::from_bits(0x3f2a_01a0_1abe_7fe1),
    f64::from_bits(0x3f56_c16c_16c1_62d4),
    f64::from_bits(0x3f81_1111_1111_00dc),
    f64::from_bits(0x3fa5_5555_5555_5556),
    f64::from_bits(0x3fc5_5555_5555_5557),
    0.5,
];

/// The least power of two that a number of full precision can be multiplied by, and a bit.
const LEAST_POWER: f64 = -1020.0;

/// Coefficients of (ln(1 + f) − f + f²/2 − …)/s in powers of s², s = f/(2 + f): 2/3, 2/5, … 2/19, the last first.
const LOGARITHM: [f64; 9] = [
    2.0 / 19.0,
    2.0 / 17.0,
    2.0 / 15.0,
    2.0 / 13.0,
    2.0 / 11.0,
    2.0 / 9.0,
    2.0 / 7.0,
    2.0 / 5.0,
    2.0 / 3.0,
];

/// `a b + c`, rounded once where the instruction set can do so.
#[inline(always)]
pub(crate) fn mul_add<S: Simd>(a: f64, b: f64, c: f64) -> f64 {
    if S::F64_LANES > 1 { a.mul_add(b, c) } else { a * b + c }
}

/// 2ⁿ of a whole number.
#[inline(always)]
fn power(n: f64) -> f64 {
    f64::from_bits(((n + WHOLE).to_bits() << 52).wrapping_add(1023 << 52))
}

/// e^x of numbers that it is a number of, each to one unit in the last place.
#[inline(always)]
pub(crate) fn exp<S: Simd>(simd: S, x: S::f64s) -> S::f64s {
    let number = |x: f64| simd.splat_f64s(x);
    // What is no number stays none.
    let too_low = simd.less_than_f64s(x, number(NOTHING));
    let x = simd.select_f64s(too_low, number(NOTHING), x);
    let whole = number(WHOLE);
    let n = simd.sub_f64s(simd.mul_add_e_f64s(x, number(LOG2_E), whole), whole);
    let high = simd.mul_add_e_f64s(n, number(-LN_2_HIGH), x);
    let r = simd.mul_add_e_f64s(n, number(-LN_2_LOW), high);
    // In pairs, and pairs of pairs: few steps wait for each other.
    let [c10, c9, c8, c7, c6, c5, c4, c3, c2, c1, c0] = EXPONENTIAL.map(number);
    let pair = |a, b, power| simd.mul_add_e_f64s(a, power, b);
    let r2 = simd.mul_f64s(r, r);
    let r4 = simd.mul_f64s(r2, r2);
    let low = pair(pair(c3, c2, r), pair(c1, c0, r), r2);
    let middle = pair(pair(c7, c6, r), pair(c5, c4, r), r2);
    let high = pair(c10, pair(c9, c8, r), r2);
    let tail = pair(pair(high, middle, r4), low, r4);
    let rest = simd.mul_add_e_f64s(tail, r2, r);
    scaled(simd, simd.add_f64s(number(1.0), rest), n)
}

/// 2ⁿ times numbers about one, for whole n.
#[inline(always)]
fn scaled<S: Simd>(simd: S, x: S::f64s, n: S::f64s) -> S::f64s {
    #[cfg(target_arch = "x86_64")]
    {
        use std::any::Any;
        // Known when this is compiled for an instruction set.
        let (simd, x, n): (&dyn Any, &dyn Any, &dyn Any) = (&simd, &x, &n);
        if let (Some(v4), Some(&x), Some(&n)) = (
            simd.downcast_ref::<pulp::x86::V4>(),
            x.downcast_ref::<pulp::f64x8>(),
            n.downcast_ref::<pulp::f64x8>(),
        ) {
            let scaled = v4.avx512f._mm512_scalef_pd(pulp::cast(x), pulp::cast(n));
            let scaled: pulp::f64x8 = pulp::cast(scaled);
            let scaled: &dyn Any = &scaled;
            if let Some(scaled) = scaled.downcast_ref::<S::f64s>() {
                return *scaled;
            }
        }
    }
    let mut scaled = [x];
    let numbers = simd_numbers::<S>(&mut scaled);
    for (x, n) in numbers.iter_mut().zip(f64::numbers::<S>(&[n])) {
        // In two steps: of the smallest results a single power would be none.
        let near = if *n < LEAST_POWER { LEAST_POWER } else { *n };
        let once = f64::from_bits(x.to_bits().wrapping_add((near + WHOLE).to_bits() << 52));
        *x = once * power(n - near);
    }
    scaled[0]
}

#[inline(always)]
fn simd_numbers<S: Simd>(vectors: &mut [S::f64s]) -> &mut [f64] {
    pulp::bytemuck::cast_slice_mut(vectors)
}

/// ln x of one positive normal number, to one unit in the last place.
#[inline(always)]
fn ln<S: Simd>(x: f64) -> f64 {
    let bits = x.to_bits();
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    let high = mantissa > SQRT_2;
    // The exponent as a number: put behind 2⁵² and taken off again.
    let biased = f64::from_bits((bits >> 52) | (1075 << 52)) - 4_503_599_627_370_496.0;
    let exponent = biased - if high { 1022.0 } else { 1023.0 };
    let f = (if high { 0.5 * mantissa } else { mantissa }) - 1.0;
    let s = f / (2.0 + f);
    let square = s * s;
    let mut series = LOGARITHM[0];
    for factor in &LOGARITHM[1..] {
        series = mul_add::<S>(series, square, *factor);
    }
    let half = 0.5 * f * f;
    let rest = mul_add::<S>(s, mul_add::<S>(series, square, half), exponent * LN_2_LOW);
    mul_add::<S>(exponent, LN_2_HIGH, f - (half - rest))
}

/// Replaces positive normal numbers by their logarithms, each to one unit in the last place.
#[inline(always)]
pub(crate) fn ln_all<S: Simd>(_: S, values: &mut [f64]) {
    for x in values {
        *x = ln::<S>(*x);
    }
}

#[cfg(test)]
mod tests {
    use pulp::WithSimd;
    use serde_json::Value;

    use super::*;
    use crate::linalg::simd::dispatch;

    /// Replaces numbers by a function of them, as compiled for the chosen instruction set.
    struct All<'a> {
        name: &'a str,
        values: &'a mut [f64],
    }

    impl WithSimd for All<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            match self.name {
                "exp" => {
                    for x in self.values {
                        let all = exp(simd, simd.splat_f64s(*x));
                        *x = f64::numbers::<S>(&[all])[0];
                    }
                }
                _ => ln_all(simd, self.values),
            }
        }
    }

    #[test]
    fn functions_are_right_to_a_unit_in_the_last_place() {
        let path =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/golden/exact_elementary.json");
        let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        for case in file["cases"].as_array().unwrap() {
            let number = |row: &Value, at: usize| row[at].as_f64().unwrap();
            let rows = case["values"].as_array().unwrap();
            let mut found: Vec<f64> = rows.iter().map(|row| number(row, 0)).collect();
            assert!(found.len() > 300);
            dispatch(All { name: case["name"].as_str().unwrap(), values: &mut found });
            for (row, found) in rows.iter().zip(found) {
                let (high, rest) = (number(row, 1), number(row, 2));
                let unit = high.abs().next_up() - high.abs();
                let off = ((found - high) - rest).abs() / unit;
                assert!(off <= case["tolerance"].as_f64().unwrap(), "{row}: {found}, off by {off}");
            }
        }
    }

    #[test]
    fn nothing_is_left_of_the_lowest_and_the_ends_are_kept() {
        let mut values = [f64::NEG_INFINITY, -1e300, -746.0, 0.0, -0.0];
        dispatch(All { name: "exp", values: &mut values });
        assert_eq!(values, [0.0, 0.0, 0.0, 1.0, 1.0]);
        let mut one = [1.0];
        dispatch(All { name: "ln", values: &mut one });
        assert_eq!(one, [0.0]);
    }
}
