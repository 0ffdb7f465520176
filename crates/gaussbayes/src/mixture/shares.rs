//! Turns measures of a tile of rows into posteriors: Bayes' rule on vectors of rows \[M11\].

use pulp::{Simd, WithSimd};

use super::tiles::Offsets;
use super::{Law, Mixture};
use crate::linalg::distances::Column;
use crate::linalg::elementary::{exp, ln_all};
use crate::linalg::lanes::{Job, vectorized};
use crate::linalg::simd::{Real, dispatch};
use crate::linalg::tile::TILE;
use crate::tolerance::EXP_LEAST;

/// What follows from the measures of a tile, row by row.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct TileShares {
    /// The best score.
    pub(crate) top: Column,
    /// Σ exp(score − best): no number where a row has no score.
    pub(crate) sum: Column,
    /// Its logarithm.
    pub(crate) norm: Column,
    /// −Σ P ln P.
    pub(crate) entropy: Column,
}

impl Default for TileShares {
    fn default() -> Self {
        let none = [0.0; TILE];
        Self { top: none, sum: none, norm: none, entropy: none }
    }
}

/// How far rows are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// Log scores, and the best of each row.
    Scores,
    /// exp(score − best), and its sum.
    Shares,
    /// The same, with its logarithm and the entropy.
    Entropy,
}

impl TileShares {
    /// Takes `rows` rows, and turns measures into scores, or into what posteriors are a share of.
    pub(crate) fn take(
        &mut self,
        (mixture, offsets): (&Mixture, &Offsets),
        scores: &mut [Column],
        (rows, until): (usize, Until),
    ) {
        let (factor, offsets) = match (offsets, mixture.laws()) {
            (Offsets::Linear(offsets), _) => (1.0, &offsets[..]),
            (Offsets::Distances(offsets), None) => (-0.5, &offsets[..]),
            (Offsets::Distances(offsets), Some(laws)) => {
                vectorized(ByLaw { laws, offsets, scores });
                (1.0, &[][..])
            }
        };
        dispatch(Take { shares: self, factor, offsets, scores, rows, until });
    }
}

/// Turns squared distances into scores by laws of their own.
struct ByLaw<'a> {
    laws: &'a [Law],
    offsets: &'a [f64],
    scores: &'a mut [Column],
}

impl Job for ByLaw<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for ((scores, law), offset) in self.scores.iter_mut().zip(self.laws).zip(self.offsets) {
            for score in scores {
                *score = offset + law.log_density(score.min(f64::MAX));
            }
        }
    }
}

struct Take<'a> {
    shares: &'a mut TileShares,
    /// What measures are multiplied by, and what is added for each component: nothing where there is none.
    factor: f64,
    offsets: &'a [f64],
    scores: &'a mut [Column],
    rows: usize,
    until: Until,
}

impl WithSimd for Take<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        match self.until {
            Until::Scores => self.pass::<S, false, false>(simd),
            Until::Shares => self.pass::<S, true, false>(simd),
            Until::Entropy => self.pass::<S, true, true>(simd),
        }
    }
}

impl Take<'_> {
    #[inline(always)]
    fn pass<S: Simd, const SHARES: bool, const ENTROPY: bool>(&mut self, simd: S) {
        let Self { shares, factor, offsets, scores, rows, .. } = self;
        let number = |x: f64| simd.splat_f64s(x);
        let (most, factor) = (number(f64::MAX), number(*factor));
        let used = rows.div_ceil(S::F64_LANES);
        let used = used.min(TILE / S::F64_LANES);
        for t in 0..used {
            let mut top = number(f64::NEG_INFINITY);
            for (k, scores) in scores.iter_mut().enumerate() {
                let score = &mut f64::vectors_mut::<S>(scores)[t];
                let offset = number(offsets.get(k).copied().unwrap_or(0.0));
                *score = simd.mul_add_e_f64s(simd.min_f64s(*score, most), factor, offset);
                top = simd.max_f64s(*score, top);
            }
            f64::vectors_mut::<S>(&mut shares.top)[t] = top;
        }
        if !SHARES {
            return;
        }
        // In a pass of its own: no exponential waits for the best score of its rows.
        for t in 0..used {
            let top = f64::vectors::<S>(&shares.top)[t];
            let (mut sum, mut inner) = (number(0.0), number(0.0));
            for scores in scores.iter_mut() {
                let score = &mut f64::vectors_mut::<S>(scores)[t];
                let below = simd.sub_f64s(*score, top);
                *score = exp(simd, below);
                sum = simd.add_f64s(sum, *score);
                if ENTROPY {
                    // A share that is zero in numbers leaves nothing to be uncertain of.
                    let below = simd.max_f64s(below, number(EXP_LEAST));
                    inner = simd.mul_add_e_f64s(*score, below, inner);
                }
            }
            f64::vectors_mut::<S>(&mut shares.sum)[t] = sum;
            if ENTROPY {
                f64::vectors_mut::<S>(&mut shares.norm)[t] = sum;
                let mean = simd.div_f64s(inner, sum);
                f64::vectors_mut::<S>(&mut shares.entropy)[t] = mean;
            }
        }
        if ENTROPY {
            let rows = (used * S::F64_LANES).min(TILE);
            ln_all(simd, &mut shares.norm[..rows]);
            for (entropy, norm) in shares.entropy[..rows].iter_mut().zip(&shares.norm) {
                *entropy = norm - *entropy;
            }
        }
    }
}
