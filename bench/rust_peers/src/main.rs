//! Runs linfa's naive Bayes and Gaussian mixture as a worker: once for every line.
//!
//! `rust_peers DATA SET N D K WORK ITERATIONS`

use std::error::Error;
use std::fs;
use std::io::{self, BufRead as _};
use std::time::Instant;

use linfa::Dataset;
use linfa::prelude::*;
use linfa_bayes::GaussianNb;
use linfa_clustering::{GaussianMixtureModel, GmmInitMethod};
use ndarray::{Array1, Array2};
use rand_xoshiro::Xoshiro256Plus;
use rand_xoshiro::rand_core::SeedableRng as _;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, set, rows, columns, groups, work, iterations] = &words[..] else {
        return Err("DATA SET N D K WORK ITERATIONS".into());
    };
    let path = |ending: &str| format!("{folder}/{set}.{ending}");
    let shape = (rows.parse()?, columns.parse()?);
    let x = Array2::from_shape_vec(shape, numbers(&path("f64"), f64::from_le_bytes)?)?;
    let y = numbers(&path("i32"), i32::from_le_bytes)?;
    if work == "gmm" {
        let data = Dataset::new(x, Array1::from_elem(shape.0, ()));
        let (groups, iterations) = (groups.parse()?, iterations.parse::<u64>()?);
        // No start can be given: the difference of two numbers of iterations cancels it.
        return serve(|| Ok(mixture(&data, groups, 1 + iterations) - mixture(&data, groups, 1)));
    }
    let data = Dataset::new(x, y.iter().map(|&label| label as usize).collect::<Array1<_>>());
    let fit = || GaussianNb::<f64, usize>::params().fit(&data);
    if work == "gnb_fit" {
        return serve(|| timed(fit));
    }
    let fitted = fit()?;
    serve(|| timed(|| Ok::<_, Box<dyn Error>>(fitted.predict(data.records()))))
}

/// Seconds of a fit of so many iterations. That it did not converge is no failure here.
fn mixture(data: &Dataset<f64, (), ndarray::Ix1>, groups: usize, iterations: u64) -> f64 {
    let rng = Xoshiro256Plus::seed_from_u64(42);
    let start = Instant::now();
    let _ = GaussianMixtureModel::params_with_rng(groups, rng)
        .n_runs(1)
        .tolerance(1e-300)
        .max_n_iterations(iterations)
        .init_method(GmmInitMethod::Random)
        .fit(data);
    start.elapsed().as_secs_f64()
}

fn timed<T, E: Into<Box<dyn Error>>>(work: impl Fn() -> Result<T, E>) -> Outcome<f64> {
    let start = Instant::now();
    let made = work().map_err(Into::into)?;
    let seconds = start.elapsed().as_secs_f64();
    drop(made);
    Ok(seconds)
}

/// Runs the work as often as each line says, and answers with the mean of its seconds.
fn serve(work: impl Fn() -> Outcome<f64>) -> Outcome<()> {
    println!("{{\"ready\": true}}");
    for line in io::stdin().lock().lines() {
        let repeat: u32 = line?.trim().parse()?;
        let mut seconds = 0.0;
        for _ in 0..repeat {
            seconds += work()?;
        }
        println!("{{\"seconds\": {:.9}, \"note\": \"\"}}", seconds / f64::from(repeat));
    }
    Ok(())
}

fn numbers<const N: usize, T>(path: &str, read: impl Fn([u8; N]) -> T) -> Outcome<Vec<T>> {
    let bytes = fs::read(path)?;
    bytes.chunks_exact(N).map(|chunk| Ok(read(chunk.try_into()?))).collect()
}
