//! Holds risks to the numbers of textbooks, to twelve digits.

use super::*;

#[test]
fn theodoridis_and_koutroumbas_one_dimension() {
    let (means, covariances) = ([vec![0.0], vec![1.0]], [vec![0.5]]);
    let plain = risk(&zero_one(&means, &covariances, &[0.5, 0.5]), &RiskOptions::default());
    assert_eq!(plain.method, Method::Normal);
    close(plain.total.value, 0.239_750_061_093_476_73, 1e-13);
    let loss = costs(2, &[0.0, 0.5, 1.0, 0.0]);
    let costly = classifier(&means, &covariances, &[0.5, 0.5], loss);
    for method in [None, Some(Method::Form), Some(Method::Intervals)] {
        let found = risk(&costly, &RiskOptions { method, ..RiskOptions::default() });
        close(found.confusion[1].value, 0.414_112_858_205_349_24, 1e-12);
        close(found.confusion[2].value, 0.115_607_319_546_459_59, 1e-12);
        close(found.total.value, 0.161_331_874_324_567_11, 1e-12);
        assert!(found.total.error < 1e-13 && found.pairwise.is_none());
    }
}

#[test]
fn theodoridis_and_koutroumbas_two_dimensions() {
    let rule = zero_one(&[vec![0.0, 0.0], vec![3.0, 3.0]], &[vec![1.1, 0.3, 1.9]], &[0.5, 0.5]);
    for method in [None, Some(Method::Form), Some(Method::Rays)] {
        let found = risk(&rule, &RiskOptions { method, ..RiskOptions::default() });
        close(found.error_rate.value, 0.050_174_123_231_145_37, 1e-12);
        assert!(found.error_rate.error < 1e-12 * found.error_rate.value * 10.0);
    }
}

#[test]
fn duda_hart_and_stork_parabola() {
    let covariances = [vec![0.5, 0.0, 2.0], vec![2.0, 0.0, 2.0]];
    let rule = zero_one(&[vec![3.0, 6.0], vec![3.0, -2.0]], &covariances, &[0.5, 0.5]);
    for method in [None, Some(Method::Rays)] {
        let found = risk(&rule, &RiskOptions { method, ..RiskOptions::default() });
        close(found.total.value, 0.002_073_162_281_186_308_8, 1e-12);
        close(found.per_class[0].value, 0.002_061_061_794_225_296_8, 1e-12);
        close(found.per_class[1].value, 0.002_085_262_768_147_320_7, 1e-12);
        assert!(found.total.error < 1e-12);
    }
}

#[test]
fn the_modem_and_shared_covariances() {
    let tails = [(1.0, 0.5, 0.308_537_538_725_986_9), (2.0, 0.9, 0.070_060_685_858_539_063_6)];
    let far = (74.0, 0.5, 5.725_571_222_524_576_82e-300);
    for (distance, prior, expected) in tails.into_iter().chain([far]) {
        let rule = zero_one(&[vec![0.0], vec![distance]], &[vec![1.0]], &[prior, 1.0 - prior]);
        let found = risk(&rule, &RiskOptions::default());
        assert_eq!(found.method, Method::Normal);
        close(found.total.value, expected, 1e-12);
        close(risk(&rule, &by(Method::Form)).total.value, expected, 1e-12);
        // In five columns, the means apart along the diagonal.
        let step = distance / 5.0_f64.sqrt();
        let rule =
            zero_one(&[vec![0.0; 5], vec![step; 5]], &[sphere(5, 1.0)], &[prior, 1.0 - prior]);
        let found = risk(&rule, &RiskOptions::default());
        assert_eq!((found.method, found.columns), (Method::Normal, 1));
        close(found.total.value, expected, 1e-12);
    }
}

#[test]
fn trunk_known_means() {
    // Q(√H_d) with H_d = 1 + ½ + … + 1/d: d = 1: Q(1); values by mpmath 1.3, 50 digits.
    let expected = [
        (1, 0.158_655_253_931_457_05),
        (10, 0.043_501_538_780_552_149),
        (100, 0.011_375_761_696_637_778),
    ];
    for (dim, expected) in expected {
        let mean: Vec<f64> = (1..=dim).map(|i| 1.0 / f64::from(i).sqrt()).collect();
        let other = mean.iter().map(|m| -m).collect();
        let rule = zero_one(&[mean, other], &[sphere(dim as usize, 1.0)], &[0.5, 0.5]);
        let found = risk(&rule, &RiskOptions::default()).total.value;
        close(found, expected, 1e-12);
    }
}
