//! Chooses the instruction set that loops are compiled for, and writes vectors of either precision.

use std::sync::OnceLock;

use pulp::{NullaryFnOnce, Simd, WithSimd};

use super::transpose::{Square, transposed, transposed_single};
use crate::error::{Error, ParameterRefusal};

/// The variable of the environment that names an instruction set.
const VARIABLE: &str = "GAUSSBAYES_SIMD";

/// An instruction set that the loops over rows are compiled for.
///
/// The best that the machine has is taken, unless the variable `GAUSSBAYES_SIMD` names another. Results of two
/// instruction sets differ by rounding: within one, they are the same bytes for any number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// Vectors of 512 bits, products and sums rounded once.
    Avx512,
    /// Vectors of 256 bits, products and sums rounded once.
    Avx2,
    /// What every machine has.
    Portable,
}

impl Instructions {
    /// Every instruction set, the best first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Portable];

    /// Its name, as `GAUSSBAYES_SIMD` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Portable => "portable",
        }
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => pulp::x86::V4::try_new().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => pulp::x86::V3::try_new().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx512 | Self::Avx2 => false,
            Self::Portable => true,
        }
    }

    /// The one that loops run with: the one that the environment names, or the best.
    ///
    /// # Errors
    /// [`ParameterRefusal::Instructions`] where the environment names none that this machine has.
    pub fn chosen() -> Result<Self, Error> {
        let best = Self::ALL.into_iter().find(|set| set.is_available()).unwrap_or(Self::Portable);
        let Some(name) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) else {
            return Ok(best);
        };
        let found = Self::ALL.into_iter().find(|set| name == set.name() && set.is_available());
        found.ok_or_else(|| {
            let there = Self::ALL.into_iter().filter(|set| set.is_available());
            let there = there.map(Self::name).collect::<Vec<_>>().join(", ");
            let name = name.to_string_lossy().into_owned();
            Error::Parameter(ParameterRefusal::Instructions { name, there })
        })
    }

    /// The same, once for the whole run; the best where the environment names none that is there.
    fn current() -> Self {
        static CURRENT: OnceLock<Instructions> = OnceLock::new();
        *CURRENT.get_or_init(|| Self::chosen().unwrap_or(Self::Portable))
    }
}

/// Runs a loop written with vectors as compiled for the chosen instruction set.
pub(crate) fn dispatch<J: WithSimd>(job: J) -> J::Output {
    match Instructions::current() {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => match pulp::x86::V4::try_new() {
            Some(simd) => simd.vectorize(Bound { job, simd }),
            None => job.with_simd(pulp::Scalar::new()),
        },
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => match pulp::x86::V3::try_new() {
            Some(simd) => simd.vectorize(Bound { job, simd }),
            None => job.with_simd(pulp::Scalar::new()),
        },
        _ => job.with_simd(pulp::Scalar::new()),
    }
}

/// Runs a plain loop as compiled for the chosen instruction set.
pub(crate) fn vectorized<J: NullaryFnOnce>(job: J) -> J::Output {
    struct Plain<J>(J);
    impl<J: NullaryFnOnce> WithSimd for Plain<J> {
        type Output = J::Output;

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> J::Output {
            self.0.call()
        }
    }
    dispatch(Plain(job))
}

struct Bound<J, S> {
    job: J,
    simd: S,
}

impl<J: WithSimd, S: Simd> NullaryFnOnce for Bound<J, S> {
    type Output = J::Output;

    #[inline(always)]
    fn call(self) -> J::Output {
        self.job.with_simd(self.simd)
    }
}

/// A number of either precision, and vectors of it.
pub(crate) trait Real: Copy + Default + Send + Sync + 'static {
    /// As many numbers as the instruction set has side by side.
    type Vector<S: Simd>: Copy;

    /// From one to the next number.
    const EPSILON: f64;

    /// Numbers in a vector.
    fn lanes<S: Simd>() -> usize {
        size_of::<Self::Vector<S>>() / size_of::<Self>()
    }

    fn of(x: f64) -> Self;
    fn wide(self) -> f64;
    fn splat<S: Simd>(simd: S, x: Self) -> Self::Vector<S>;
    fn add<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn sub<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn mul<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn min<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    fn max<S: Simd>(simd: S, a: Self::Vector<S>, b: Self::Vector<S>) -> Self::Vector<S>;
    /// `a b + c`, rounded once where the instruction set can.
    fn mul_add<S: Simd>(
        simd: S,
        a: Self::Vector<S>,
        b: Self::Vector<S>,
        c: Self::Vector<S>,
    ) -> Self::Vector<S>;
    /// The whole vectors of a slice.
    fn vectors<S: Simd>(values: &[Self]) -> &[Self::Vector<S>];
    fn vectors_mut<S: Simd>(values: &mut [Self]) -> &mut [Self::Vector<S>];
    /// Turns eight rows of eight over.
    fn transposed<S: Simd>(simd: S, from: &Square<Self>) -> Square<Self>;
    /// The numbers of vectors.
    fn numbers<S: Simd>(vectors: &[Self::Vector<S>]) -> &[Self];
}

macro_rules! real {
    ($real:ty, $vector:ident, $splat:ident, $add:ident, $sub:ident, $mul:ident, $min:ident, $max:ident,
     $mul_add:ident, $vectors:ident, $vectors_mut:ident, $transposed:ident) => {
        impl Real for $real {
            type Vector<S: Simd> = S::$vector;

            const EPSILON: f64 = <$real>::EPSILON as f64;

            #[inline(always)]
            fn of(x: f64) -> Self {
                x as $real
            }

            #[inline(always)]
            fn wide(self) -> f64 {
                f64::from(self)
            }

            #[inline(always)]
            fn splat<S: Simd>(simd: S, x: Self) -> S::$vector {
                simd.$splat(x)
            }

            #[inline(always)]
            fn add<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$add(a, b)
            }

            #[inline(always)]
            fn sub<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$sub(a, b)
            }

            #[inline(always)]
            fn mul<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$mul(a, b)
            }

            #[inline(always)]
            fn min<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$min(a, b)
            }

            #[inline(always)]
            fn max<S: Simd>(simd: S, a: S::$vector, b: S::$vector) -> S::$vector {
                simd.$max(a, b)
            }

            #[inline(always)]
            fn mul_add<S: Simd>(
                simd: S,
                a: S::$vector,
                b: S::$vector,
                c: S::$vector,
            ) -> S::$vector {
                simd.$mul_add(a, b, c)
            }

            #[inline(always)]
            fn vectors<S: Simd>(values: &[Self]) -> &[S::$vector] {
                S::$vectors(values).0
            }

            #[inline(always)]
            fn vectors_mut<S: Simd>(values: &mut [Self]) -> &mut [S::$vector] {
                S::$vectors_mut(values).0
            }

            #[inline(always)]
            fn transposed<S: Simd>(simd: S, from: &Square<Self>) -> Square<Self> {
                $transposed(simd, from)
            }

            #[inline(always)]
            fn numbers<S: Simd>(vectors: &[S::$vector]) -> &[Self] {
                pulp::bytemuck::cast_slice(vectors)
            }
        }
    };
}

real!(
    f64,
    f64s,
    splat_f64s,
    add_f64s,
    sub_f64s,
    mul_f64s,
    min_f64s,
    max_f64s,
    mul_add_e_f64s,
    as_simd_f64s,
    as_mut_simd_f64s,
    transposed
);
real!(
    f32,
    f32s,
    splat_f32s,
    add_f32s,
    sub_f32s,
    mul_f32s,
    min_f32s,
    max_f32s,
    mul_add_e_f32s,
    as_simd_f32s,
    as_mut_simd_f32s,
    transposed_single
);
