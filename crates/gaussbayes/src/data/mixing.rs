//! Hashes labels by one multiplication a word, with a factor that is drawn.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Makes hashers with one start and one factor: nobody can choose labels that collide.
#[derive(Debug, Clone)]
pub(super) struct Mixing {
    start: u64,
    factor: u64,
}

impl Default for Mixing {
    fn default() -> Self {
        let random = RandomState::new();
        Self { start: random.hash_one(0), factor: random.hash_one(1) | 1 }
    }
}

impl BuildHasher for Mixing {
    type Hasher = Mixer;

    fn build_hasher(&self) -> Mixer {
        Mixer { state: self.start, factor: self.factor }
    }
}

/// Folds words into a state.
pub(super) struct Mixer {
    state: u64,
    factor: u64,
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.write_u64(u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            self.write_u64(rest.iter().fold(0, |word, &byte| word << u8::BITS | u64::from(byte)));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(byte.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, word: u64) {
        // The upper half of the product holds what the lower one has lost.
        let product = u128::from(self.state ^ word) * u128::from(self.factor);
        self.state = product as u64 ^ (product >> u64::BITS) as u64;
    }

    fn finish(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn numbers_whose_last_bits_are_zero_spread_over_all_slots() {
        let mixing = Mixing { start: 1, factor: 0x9e37_79b9_7f4a_7c15 };
        for shift in [0, 16, 40, 56] {
            let slots: HashSet<u64> =
                (0..256_u64).map(|i| mixing.hash_one(i << shift) % 64).collect();
            assert!(slots.len() > 32, "{shift}: {}", slots.len());
        }
    }
}
