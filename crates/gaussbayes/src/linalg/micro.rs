//! Multiplies thin matrices in registers: the one loop that products of tiles are made of.

use pulp::Simd;

use super::simd::Real;

/// `acc[m][n] += Σ_t a[t · a_stride + m] · b[t · b_stride + n]`: numbers times vectors, over as many steps as
/// `a` has whole ones.
///
/// Each sum is taken in the order of `t`, one term after the other, in a register of its own: it does not
/// depend on `M` and `N`.
#[inline(always)]
pub(crate) fn multiply<S: Simd, T: Real, const M: usize, const N: usize>(
    simd: S,
    acc: &mut [[T::Vector<S>; N]; M],
    (a, a_stride): (&[T], usize),
    (b, b_stride): (&[T::Vector<S>], usize),
) {
    for (a, b) in a.chunks(a_stride).zip(b.chunks(b_stride)) {
        let (Some(a), Some(b)) = (a.first_chunk::<M>(), b.first_chunk::<N>()) else { break };
        for (acc, a) in acc.iter_mut().zip(a) {
            let a = T::splat(simd, *a);
            for (acc, b) in acc.iter_mut().zip(b) {
                *acc = T::mul_add(simd, a, *b, *acc);
            }
        }
    }
}
