//! Runs the target `model` under libFuzzer.
#![no_main]

mod mutate;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|bytes: &[u8]| gaussbayes_fuzz::model::run(bytes));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    // One change in eight is of bytes: what is no JSON any more is refused at once.
    let whole = (!seed.is_multiple_of(8)).then(|| mutate::json(data, size, max_size, seed));
    whole.flatten().unwrap_or_else(|| fuzzer_mutate(data, size, max_size))
});
