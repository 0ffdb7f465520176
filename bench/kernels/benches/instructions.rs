//! Counts instructions of the loops over rows, as compiled for AVX2: a change of them is no noise.
//!
//! `GAUSSBAYES_SIMD=avx2 cargo bench --manifest-path bench/kernels/Cargo.toml --bench instructions`, with valgrind and
//! gungraun-runner in the path; valgrind knows no AVX-512.

use gaussbayes::Family;
use gungraun::{library_benchmark, library_benchmark_group, main};
use kernels::Work;

fn work(dim: usize, classes: usize, family: Family) -> Work {
    Work::new(1 << 11, dim, classes, family)
}

#[library_benchmark]
#[bench::qda(work(32, 10, Family::Vvv))]
#[bench::lda(work(32, 10, Family::Eee))]
#[bench::naive_bayes(work(32, 10, Family::Vvi))]
fn fit(work: Work) {
    work.fit();
}

#[library_benchmark]
#[bench::qda(work(32, 10, Family::Vvv))]
#[bench::lda(work(32, 10, Family::Eee))]
#[bench::naive_bayes(work(32, 10, Family::Vvi))]
fn posterior(work: Work) {
    work.posterior();
}

#[library_benchmark]
#[bench::full(work(32, 16, Family::Vvv))]
#[bench::full_of_few_columns(work(10, 8, Family::Vvv))]
#[bench::tied(work(32, 16, Family::Eee))]
#[bench::diagonal(work(32, 16, Family::Vvi))]
fn em(work: Work) {
    work.expectation();
}

library_benchmark_group!(name = loops; benchmarks = fit, posterior, em);
main!(library_benchmark_groups = loops);
