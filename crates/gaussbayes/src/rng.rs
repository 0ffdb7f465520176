//! Makes random numbers that depend on a seed and a stream, and on nothing else.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// A stream of random numbers; streams of one seed are independent of each other.
#[derive(Debug, Clone)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// Stream `stream` of `seed`.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Self(generator)
    }

    /// The same from its number `draw` on, counted in draws of 64 bits.
    pub(crate) fn from_draw(seed: u64, stream: u64, draw: u64) -> Self {
        let mut random = Self::new(seed, stream);
        // A position counts words of 32 bits.
        random.0.set_word_pos(2 * u128::from(draw));
        random
    }

    /// The next draw, 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform on [0, 1), 53 bits.
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (f64::EPSILON / 2.0)
    }

    /// Uniform on 0..bound, without bias (rejection).
    pub fn below(&mut self, bound: u64) -> u64 {
        let bound = bound.max(1);
        let usable = u64::MAX - u64::MAX % bound;
        loop {
            let draw = self.0.next_u64();
            if draw < usable {
                return draw % bound;
            }
        }
    }

    /// Two independent standard normal numbers (Box and Muller 1958).
    pub fn normal_pair(&mut self) -> (f64, f64) {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        let (sin, cos) = (std::f64::consts::TAU * self.uniform()).sin_cos();
        (radius * cos, radius * sin)
    }

    /// A random permutation of 0..n (Fisher and Yates, from the top).
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i as u64 + 1) as usize);
        }
        order
    }
}
