//! Runs the target `csv` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| gaussbayes_fuzz::csv::run(bytes));
