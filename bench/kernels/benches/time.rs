//! Times the loops over rows: `cargo bench --manifest-path bench/kernels/Cargo.toml --bench time`.

use criterion::{Criterion, criterion_group, criterion_main};
use gaussbayes::Family;
use kernels::Work;

fn all(criterion: &mut Criterion) {
    for (name, dim, classes, family) in [
        ("qda 32 x 10", 32, 10, Family::Vvv),
        ("lda 32 x 10", 32, 10, Family::Eee),
        ("naive bayes 32 x 10", 32, 10, Family::Vvi),
        ("qda 128 x 16", 128, 16, Family::Vvv),
        ("qda 10 x 8", 10, 8, Family::Vvv),
        ("qda 2 x 5", 2, 5, Family::Vvv),
        ("spheres 32 x 16", 32, 16, Family::Vii),
    ] {
        let work = Work::new(1 << 14, dim, classes, family);
        criterion.bench_function(&format!("{name}: fit"), |b| b.iter(|| work.fit()));
        criterion.bench_function(&format!("{name}: posterior"), |b| b.iter(|| work.posterior()));
        criterion.bench_function(&format!("{name}: em"), |b| b.iter(|| work.expectation()));
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
