//! Samples have the moments of their mixture, and the same bytes however they are drawn: [M51].

use gaussbayes::{
    Block, Classifier, CovarianceSpec, Error, Label, LabelSweep, Law, Mixture, On, OnSingular,
    Pool, Priors, Source, Storage, Table, each_block, rows_per_block, run,
};

use super::support::{features, table};

/// Two components of three columns, weights 0.25 and 0.75, about `offset`.
fn mixture(offset: f64) -> Mixture {
    let means = [vec![offset, offset - 1.0, offset], vec![offset + 2.0, offset, offset + 1.0]];
    let covariances = [vec![1.0, 0.5, 2.0, -0.2, 0.1, 0.5], vec![4.0, 0.0, 1.0, 1.5, 0.3, 3.0]];
    Mixture::given(&means, &covariances, vec![0.25, 0.75]).unwrap()
}

/// Every row by the runner, on this many threads.
fn by_threads(source: &mut impl Source<Error = Error>, threads: usize) -> Table {
    let pool = Pool::new(threads).unwrap();
    let mut all = Table::default();
    let copy = |block: &Block<'_>| {
        let mut part = Table::default();
        part.push_block(block);
        Ok(part)
    };
    each_block(source, On::pool(&pool), copy, |part| {
        all.push_block(&part.into_block(0)?);
        Ok(())
    })
    .unwrap();
    all
}

#[test]
fn threads_cuts_and_the_number_of_rows_do_not_show() {
    let mixture = mixture(0.0);
    let n = 2 * rows_per_block(3) as u64 + 1234;
    let whole = mixture.sample(n, 7).unwrap().table().unwrap();
    for threads in [1, 2, 8] {
        let drawn = by_threads(&mut mixture.sample(n, 7).unwrap(), threads);
        assert_eq!((&drawn.values, &drawn.dictionary), (&whole.values, &whole.dictionary));
        assert_eq!(drawn.codes, whole.codes);
    }
    for fewer in [1, 999, rows_per_block(3) as u64 + 17] {
        let first = mixture.sample(fewer, 7).unwrap().table().unwrap();
        assert_eq!(first.values[..], whole.values[..3 * fewer as usize]);
    }
    // Cuts that keep to no block.
    let mut source = mixture.sample(n, 7).unwrap();
    let mut values = Vec::new();
    for rows in [5, 8187, 1, 3000].into_iter().cycle() {
        let Some(cut) = source.next(rows).unwrap() else { break };
        let mut part = Table::default();
        part.push_block(&gaussbayes::Cut::decode(&cut).unwrap());
        values.extend(part.values);
    }
    assert_eq!(values, whole.values);
    let other = mixture.sample(n, 8).unwrap().table().unwrap();
    assert_ne!(other.values, whole.values);
}

#[test]
fn moments_approach_the_parameters() {
    let (mixture, n) = (mixture(0.0), 400_000_u64);
    let pool = Pool::new(2).unwrap();
    let sweep = LabelSweep::new(Storage::Full);
    let stat = run(&sweep, &mut mixture.sample(n, 3).unwrap(), On::pool(&pool)).unwrap();
    let (_, moments) = stat.sorted();
    // Five standard errors: of a share √(π(1 − π)/n), of a mean √(Σ_ii/n_k), of a covariance
    // √((Σ_ii Σ_jj + Σ_ij²)/n_k).
    let estimate = CovarianceSpec::qda().estimate(&moments, &Priors::default(), None).unwrap();
    let at =
        |triangle: &[f64], i: usize, j: usize| triangle[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    for k in 0..2 {
        let weight = mixture.weights()[k];
        let n_k = n as f64 * weight;
        let share = estimate.mixture.weights()[k];
        assert!((share - weight).abs() < 5.0 * (weight * (1.0 - weight) / n as f64).sqrt());
        let (found, right) = (estimate.mixture.raw_covariance(k), mixture.raw_covariance(k));
        let (mean, expected) = (estimate.mixture.raw_mean(k), mixture.raw_mean(k));
        for i in 0..3 {
            let error = 5.0 * (at(&right, i, i) / n_k).sqrt();
            assert!((mean[i] - expected[i]).abs() < error, "{mean:?} {expected:?}");
            for j in 0..=i {
                let (a, b, c) = (at(&right, i, i), at(&right, j, j), at(&right, i, j));
                let error = 5.0 * ((a * b + c * c) / n_k).sqrt();
                assert!((at(&found, i, j) - c).abs() < error, "{found:?} {right:?}");
            }
        }
    }
}

#[test]
fn an_offset_is_added_exactly() {
    let near = mixture(0.0).sample(1000, 5).unwrap().table().unwrap();
    let far = mixture(1e9).sample(1000, 5).unwrap().table().unwrap();
    assert_eq!(near.codes, far.codes);
    for (x, y) in near.values.iter().zip(&far.values) {
        assert_eq!(*y, 1e9 + x);
    }
}

#[test]
fn a_component_without_weight_is_never_drawn() {
    let means = [vec![0.0], vec![5.0], vec![9.0]];
    for weights in [vec![0.0, 1.0, 0.0], vec![0.5, 0.5, 0.0], vec![0.0, 0.3, 0.7]] {
        let mixture = Mixture::given(&means, &[vec![1.0]], weights.clone()).unwrap();
        let codes = mixture.sample(20_000, 1).unwrap().table().unwrap().codes.unwrap();
        for (k, weight) in weights.iter().enumerate() {
            let share = codes.iter().filter(|c| **c == k as u32).count() as f64 / 20_000.0;
            assert!((share - weight).abs() <= 5.0 * (weight * (1.0 - weight) / 20_000.0).sqrt());
        }
    }
}

#[test]
fn a_scaled_law_has_its_own_variance_and_a_student_is_refused() {
    let plain = mixture(0.0);
    let scaled =
        plain.clone().with_laws(vec![Law::Scaled { factor: 4.0, offset: 0.5 }; 2]).unwrap();
    let (a, b) = (plain.sample(500, 1).unwrap(), scaled.sample(500, 1).unwrap());
    let (a, b) = (a.table().unwrap(), b.table().unwrap());
    let codes = a.codes.as_ref().unwrap();
    for (i, (x, y)) in a.values.iter().zip(&b.values).enumerate() {
        let mean = plain.raw_mean(codes[i / 3] as usize)[i % 3];
        assert!((0.5 * (x - mean) - (y - mean)).abs() < 1e-12);
    }
    let law = Law::Student { power: 9.0, divisor: 6.0, offset: 0.0 };
    let student = plain.with_laws(vec![law; 2]).unwrap();
    let refused = student.sample(5, 1).unwrap_err();
    assert_eq!(refused, Error::NotGaussian { what: "samples" });
    assert!(refused.hint().is_some());
}

#[test]
fn a_sample_within_a_range_obeys_the_equation_of_its_columns() {
    // The third column is the sum of the others.
    let rows: Vec<Vec<f64>> = (0..60)
        .map(|i| {
            let (a, b) = (f64::from(i * i % 17), f64::from(i * i * i % 23));
            vec![a, b + f64::from(i % 2), a + b + f64::from(i % 2)]
        })
        .collect();
    let labels: Vec<&str> = (0..60).map(|i| ["u", "v"][i % 2]).collect();
    let spec =
        CovarianceSpec { on_singular: OnSingular::Range { above: 0.0 }, ..CovarianceSpec::lda() };
    let pool = Pool::new(1).unwrap();
    let source = table(&rows, &labels);
    let sweep = LabelSweep::new(spec.storage());
    let stat = run(&sweep, &mut source.source(), On::pool(&pool)).unwrap();
    let fitted = Classifier::fit(&spec, &spec.default_priors(), stat, &features(&source)).unwrap();
    let drawn = fitted.classifier.sample(50_000, 2).unwrap().table().unwrap();
    assert_eq!(drawn.dictionary.iter().map(Label::as_str).collect::<Vec<_>>(), ["u", "v"]);
    let mut variance = [0.0; 3];
    for (row, &code) in drawn.values.chunks_exact(3).zip(drawn.codes.as_ref().unwrap()) {
        assert!((row[0] + row[1] - row[2]).abs() < 1e-9, "{row:?}");
        let mean = fitted.classifier.mixture().unwrap().raw_mean(code as usize);
        for j in 0..3 {
            variance[j] += (row[j] - mean[j]).powi(2) / 50_000.0;
        }
    }
    for (found, right) in variance.iter().zip(fitted.classifier.mixture().unwrap().raw_variances(0))
    {
        assert!((found / right - 1.0).abs() < 5.0 * (2.0_f64 / 50_000.0).sqrt(), "{found} {right}");
    }
}
