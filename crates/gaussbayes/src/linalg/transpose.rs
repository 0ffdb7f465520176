//! Turns squares of numbers over, in registers where the instruction set can.

use pulp::Simd;

/// Rows and columns of a square.
pub(crate) const SIDE: usize = 8;

/// Eight rows of eight numbers.
pub(crate) type Square<T> = [[T; SIDE]; SIDE];

/// `to[j][i] = from[i][j]`.
#[inline(always)]
pub(crate) fn transposed<S: Simd>(simd: S, from: &Square<f64>) -> Square<f64> {
    #[cfg(target_arch = "x86_64")]
    {
        // Known when this is compiled for an instruction set: one of the ways is left.
        let simd: &dyn std::any::Any = &simd;
        if let Some(simd) = simd.downcast_ref::<pulp::x86::V4>() {
            return by_eights(*simd, from);
        }
        if let Some(simd) = simd.downcast_ref::<pulp::x86::V3>() {
            return by_fours(*simd, from);
        }
    }
    let _ = simd;
    std::array::from_fn(|j| std::array::from_fn(|i| from[i][j]))
}

/// The same in single precision.
#[inline(always)]
pub(crate) fn transposed_single<S: Simd>(simd: S, from: &Square<f32>) -> Square<f32> {
    #[cfg(target_arch = "x86_64")]
    {
        let simd: &dyn std::any::Any = &simd;
        if let Some(simd) = simd.downcast_ref::<pulp::x86::V4>() {
            return singles(simd.avx, from);
        }
        if let Some(simd) = simd.downcast_ref::<pulp::x86::V3>() {
            return singles(simd.avx, from);
        }
    }
    let _ = simd;
    std::array::from_fn(|j| std::array::from_fn(|i| from[i][j]))
}

/// Numbers of two rows, of four, of eight.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn singles(x: pulp::core_arch::x86::Avx, from: &Square<f32>) -> Square<f32> {
    /// The first two of both, the last two of both; the low halves of both, the high ones.
    const FIRST: i32 = 0b01_00_01_00;
    const LAST: i32 = 0b11_10_11_10;
    const LOW: i32 = 0b10_00_00;
    const HIGH: i32 = 0b11_00_01;
    let [a, b, c, d, e, f, g, h] = from;
    let (a, b, c, d) = (pulp::cast(*a), pulp::cast(*b), pulp::cast(*c), pulp::cast(*d));
    let (e, f, g, h) = (pulp::cast(*e), pulp::cast(*f), pulp::cast(*g), pulp::cast(*h));
    let (ab0, ab1) = (x._mm256_unpacklo_ps(a, b), x._mm256_unpackhi_ps(a, b));
    let (cd0, cd1) = (x._mm256_unpacklo_ps(c, d), x._mm256_unpackhi_ps(c, d));
    let (ef0, ef1) = (x._mm256_unpacklo_ps(e, f), x._mm256_unpackhi_ps(e, f));
    let (gh0, gh1) = (x._mm256_unpacklo_ps(g, h), x._mm256_unpackhi_ps(g, h));
    let abcd04 = x._mm256_shuffle_ps::<FIRST>(ab0, cd0);
    let abcd15 = x._mm256_shuffle_ps::<LAST>(ab0, cd0);
    let abcd26 = x._mm256_shuffle_ps::<FIRST>(ab1, cd1);
    let abcd37 = x._mm256_shuffle_ps::<LAST>(ab1, cd1);
    let efgh04 = x._mm256_shuffle_ps::<FIRST>(ef0, gh0);
    let efgh15 = x._mm256_shuffle_ps::<LAST>(ef0, gh0);
    let efgh26 = x._mm256_shuffle_ps::<FIRST>(ef1, gh1);
    let efgh37 = x._mm256_shuffle_ps::<LAST>(ef1, gh1);
    [
        pulp::cast(x._mm256_permute2f128_ps::<LOW>(abcd04, efgh04)),
        pulp::cast(x._mm256_permute2f128_ps::<LOW>(abcd15, efgh15)),
        pulp::cast(x._mm256_permute2f128_ps::<LOW>(abcd26, efgh26)),
        pulp::cast(x._mm256_permute2f128_ps::<LOW>(abcd37, efgh37)),
        pulp::cast(x._mm256_permute2f128_ps::<HIGH>(abcd04, efgh04)),
        pulp::cast(x._mm256_permute2f128_ps::<HIGH>(abcd15, efgh15)),
        pulp::cast(x._mm256_permute2f128_ps::<HIGH>(abcd26, efgh26)),
        pulp::cast(x._mm256_permute2f128_ps::<HIGH>(abcd37, efgh37)),
    ]
}

/// Numbers of two rows, of four, of eight.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn by_eights(simd: pulp::x86::V4, from: &Square<f64>) -> Square<f64> {
    /// Every other quarter, from the first or from the second on.
    const EVEN: i32 = 0b10_00_10_00;
    const ODD: i32 = 0b11_01_11_01;
    let x = simd.avx512f;
    let [a, b, c, d, e, f, g, h] = from;
    let (a, b, c, d) = (pulp::cast(*a), pulp::cast(*b), pulp::cast(*c), pulp::cast(*d));
    let (e, f, g, h) = (pulp::cast(*e), pulp::cast(*f), pulp::cast(*g), pulp::cast(*h));
    let (ab0, ab1) = (x._mm512_unpacklo_pd(a, b), x._mm512_unpackhi_pd(a, b));
    let (cd0, cd1) = (x._mm512_unpacklo_pd(c, d), x._mm512_unpackhi_pd(c, d));
    let (ef0, ef1) = (x._mm512_unpacklo_pd(e, f), x._mm512_unpackhi_pd(e, f));
    let (gh0, gh1) = (x._mm512_unpacklo_pd(g, h), x._mm512_unpackhi_pd(g, h));
    let abcd04 = x._mm512_shuffle_f64x2::<EVEN>(ab0, cd0);
    let abcd26 = x._mm512_shuffle_f64x2::<ODD>(ab0, cd0);
    let abcd15 = x._mm512_shuffle_f64x2::<EVEN>(ab1, cd1);
    let abcd37 = x._mm512_shuffle_f64x2::<ODD>(ab1, cd1);
    let efgh04 = x._mm512_shuffle_f64x2::<EVEN>(ef0, gh0);
    let efgh26 = x._mm512_shuffle_f64x2::<ODD>(ef0, gh0);
    let efgh15 = x._mm512_shuffle_f64x2::<EVEN>(ef1, gh1);
    let efgh37 = x._mm512_shuffle_f64x2::<ODD>(ef1, gh1);
    [
        pulp::cast(x._mm512_shuffle_f64x2::<EVEN>(abcd04, efgh04)),
        pulp::cast(x._mm512_shuffle_f64x2::<EVEN>(abcd15, efgh15)),
        pulp::cast(x._mm512_shuffle_f64x2::<EVEN>(abcd26, efgh26)),
        pulp::cast(x._mm512_shuffle_f64x2::<EVEN>(abcd37, efgh37)),
        pulp::cast(x._mm512_shuffle_f64x2::<ODD>(abcd04, efgh04)),
        pulp::cast(x._mm512_shuffle_f64x2::<ODD>(abcd15, efgh15)),
        pulp::cast(x._mm512_shuffle_f64x2::<ODD>(abcd26, efgh26)),
        pulp::cast(x._mm512_shuffle_f64x2::<ODD>(abcd37, efgh37)),
    ]
}

/// Four squares of four rows.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn by_fours(simd: pulp::x86::V3, from: &Square<f64>) -> Square<f64> {
    const LOW: i32 = 0b10_00_00;
    const HIGH: i32 = 0b11_00_01;
    let x = simd.avx;
    let mut to = [[0.0; SIDE]; SIDE];
    for (i, j) in [(0, 0), (0, 4), (4, 0), (4, 4)] {
        let Some([a, b, c, d]) = from[i..].first_chunk::<4>() else { break };
        let (a, b) = (quarter(a, j), quarter(b, j));
        let (c, d) = (quarter(c, j), quarter(d, j));
        let (ab0, ab1) = (x._mm256_unpacklo_pd(a, b), x._mm256_unpackhi_pd(a, b));
        let (cd0, cd1) = (x._mm256_unpacklo_pd(c, d), x._mm256_unpackhi_pd(c, d));
        let columns: [[f64; 4]; 4] = [
            pulp::cast(x._mm256_permute2f128_pd::<LOW>(ab0, cd0)),
            pulp::cast(x._mm256_permute2f128_pd::<LOW>(ab1, cd1)),
            pulp::cast(x._mm256_permute2f128_pd::<HIGH>(ab0, cd0)),
            pulp::cast(x._mm256_permute2f128_pd::<HIGH>(ab1, cd1)),
        ];
        for (to, column) in to[j..].iter_mut().zip(&columns) {
            to[i..i + 4].copy_from_slice(column);
        }
    }
    to
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn quarter(row: &[f64; SIDE], at: usize) -> std::arch::x86_64::__m256d {
    pulp::cast([row[at], row[at + 1], row[at + 2], row[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::simd::{Real, dispatch};
    use pulp::WithSimd;

    #[test]
    fn rows_become_columns() {
        struct Turn<T>(Square<T>);
        impl<T: Real> WithSimd for Turn<T> {
            type Output = Square<T>;

            fn with_simd<S: Simd>(self, simd: S) -> Square<T> {
                T::transposed(simd, &self.0)
            }
        }
        fn turn<T: Real>() {
            let number = |i: usize, j: usize| T::of((8 * i + j) as f64);
            let from = std::array::from_fn(|i| std::array::from_fn(|j| number(i, j)));
            let to = dispatch(Turn(from));
            for (i, row) in to.iter().enumerate() {
                let right = |(j, x): (usize, &T)| x.wide() == number(j, i).wide();
                assert!(row.iter().enumerate().all(right), "{i}");
            }
        }
        turn::<f64>();
        turn::<f32>();
    }
}
