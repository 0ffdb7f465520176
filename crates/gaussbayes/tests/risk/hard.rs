//! Computes risks where formulas lose their digits.

use super::*;

#[test]
fn nearly_equal_covariances_keep_ten_digits() {
    // N(0, I) against N(m, (1 + h) I): from h = 0 the error moves by O(h), smoothly.
    for dim in [2, 3, 10] {
        let mean = vec![2.0 / f64::from(dim).sqrt(); dim as usize];
        let at = |h: f64| {
            let covariances = [sphere(dim as usize, 1.0), sphere(dim as usize, 1.0 + h)];
            risk(
                &zero_one(&[vec![0.0; dim as usize], mean.clone()], &covariances, &[0.5, 0.5]),
                &RiskOptions::default(),
            )
        };
        let equal = at(0.0);
        close(equal.total.value, 0.158_655_253_931_457_05, 1e-13);
        let slope = (at(1e-4).total.value - equal.total.value) / 1e-4;
        for power in 5..16 {
            let h = 10.0_f64.powi(-power);
            let found = at(h);
            assert!(found.total.error < 1e-10);
            close(found.total.value, equal.total.value + slope * h, 1e-4 * h + 1e-10);
        }
        if dim == 2 {
            for power in 2..16 {
                let h = 10.0_f64.powi(-power);
                let covariances = [sphere(2, 1.0), sphere(2, 1.0 + h)];
                let rule = zero_one(&[vec![0.0; 2], mean.clone()], &covariances, &[0.5, 0.5]);
                close(risk(&rule, &by(Method::Rays)).total.value, at(h).total.value, 1e-10);
            }
        }
    }
}

#[test]
fn identical_classes_err_by_the_smaller_prior() {
    for (dim, shared) in [(1, true), (3, true), (3, false)] {
        let covariances = vec![sphere(dim, 2.0); if shared { 1 } else { 2 }];
        let rule = zero_one(&[vec![1.0; dim], vec![1.0; dim]], &covariances, &[0.3, 0.7]);
        let found = risk(&rule, &RiskOptions::default());
        close(found.total.value, 0.3, 1e-15);
        let equal = zero_one(&[vec![1.0; dim], vec![1.0; dim]], &covariances, &[0.5, 0.5]);
        assert_eq!(risk(&equal, &RiskOptions::default()).confusion[0].value, 1.0);
    }
}

#[test]
fn a_class_without_weight_is_never_said_but_has_a_row() {
    let mut random = Random::new(11, 0);
    for dim in [1, 2, 4] {
        let (means, covariances, _) = random_model(dim, 3, false, 1.0, &mut random);
        let rule = zero_one(&means, &covariances, &[0.4, 0.0, 0.6]);
        let found = risk(&rule, &RiskOptions::default());
        assert!(found.confusion.iter().skip(1).step_by(3).all(|p| p.value == 0.0));
        let row: f64 = found.confusion[3..6].iter().map(|p| p.value).sum();
        assert!((row - 1.0).abs() < 1e-14);
        let two = zero_one(
            &[means[0].clone(), means[2].clone()],
            &[covariances[0].clone(), covariances[2].clone()],
            &[0.4, 0.6],
        );
        close(found.total.value, risk(&two, &RiskOptions::default()).total.value, 1e-12);
    }
}

#[test]
fn costs_of_one_sign_leave_one_action() {
    let loss = costs(2, &[0.0, 1.0, 0.0, 1.0]);
    let rule = classifier(&[vec![0.0], vec![1.0]], &[vec![1.0]], &[0.5, 0.5], loss);
    let found = risk(&rule, &RiskOptions::default());
    assert_eq!(
        (found.method, found.total.value, found.error_rate.value),
        (Method::Certain, 0.0, 0.5)
    );
}

#[test]
fn reject_trades_errors_for_silence() {
    // N(0, 1), N(2, 1): silent within ln 4/2 of 1 at cost 0.2; both chances by Φ.
    let loss = Loss::zero_one(2).with_reject(0.2).unwrap();
    let rule = classifier(&[vec![0.0], vec![2.0]], &[vec![1.0]], &[0.5, 0.5], loss);
    let found = risk(&rule, &RiskOptions::default());
    // Q(1 + ln 2) and Q(1 − ln 2) − Q(1 + ln 2), mpmath 1.3.
    close(found.error_rate.value, 0.045_213_727_790_224_14, 1e-12);
    close(found.reject_rate.value, 0.334_263_973_329_860_77, 1e-12);
    close(found.total.value, found.error_rate.value + 0.2 * found.reject_rate.value, 1e-14);
}

#[test]
fn small_chances_have_digits_of_their_own() {
    // Far classes with different spheres: forms and rays agree at 1e-40.
    let covariances = [sphere(2, 1.0), sphere(2, 1.5)];
    let rule = zero_one(&[vec![0.0, 0.0], vec![25.0, 10.0]], &covariances, &[0.5, 0.5]);
    let (form, rays) = (risk(&rule, &RiskOptions::default()), risk(&rule, &by(Method::Rays)));
    assert!(form.total.value < 1e-30 && form.total.value > 0.0);
    close(form.total.value, rays.total.value, 1e-10);
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let rule = zero_one(
        &[vec![0.0, 0.0], vec![1.0, 0.0], vec![0.0, 1.0]],
        &[sphere(2, 1.0)],
        &[0.2, 0.3, 0.5],
    );
    let other = |means: &[Vec<f64>]| {
        let weights = vec![1.0 / means.len() as f64; means.len()];
        Mixture::given(means, &[sphere(means[0].len(), 1.0)], weights).unwrap()
    };
    let text = |error: Error| (error.to_string(), error.hint().unwrap());
    let fewer = other(&[vec![0.0, 0.0], vec![1.0, 1.0]]);
    let error = try_risk(&rule, Some(&fewer), &RiskOptions::default()).unwrap_err();
    assert!(text(error).0.contains("2 classes"));
    let wider = other(&[vec![0.0; 3], vec![1.0; 3], vec![2.0; 3]]);
    let error = try_risk(&rule, Some(&wider), &RiskOptions::default()).unwrap_err();
    assert!(text(error).0.contains("3 columns"));
    let error = try_risk(&rule, None, &by(Method::Form)).unwrap_err();
    assert_eq!(text(error).0, "method form does not apply: it takes two classes");
}

#[test]
fn classes_that_differ_in_size_alone_by_a_hair() {
    // N(0, I) and N(0, (1 + h)I) in the plane: ½(1 − e^{−ln(1 + h)/h} h/(1 + h)).
    for power in 1..=12 {
        let wide = 1.0 + 10.0_f64.powi(-power);
        let h = wide - 1.0;
        let exact = 0.5 * (1.0 - (-h.ln_1p() / h).exp() * h / wide);
        let covariances = [sphere(2, 1.0), sphere(2, wide)];
        let rule = zero_one(&[vec![0.0; 2], vec![0.0; 2]], &covariances, &[0.5, 0.5]);
        let found = risk(&rule, &RiskOptions::default());
        assert_eq!(found.method, Method::Form);
        close(found.total.value, exact, 1e-10);
        let off = (found.total.value - exact).abs();
        assert!(off <= found.total.error, "{h:e} {off:e} {:?}", found.total);
    }
}

#[test]
fn errors_own_up_to_covariances_of_bad_condition() {
    // Σ and 2Σ, equal means: the answer does not depend on Σ. Hilbert's matrix has a condition of e^{3.5 d}.
    for dim in [3, 5, 7] {
        let entry = |i: usize, j: usize| 1.0 / (1 + i + j) as f64;
        let pairs = (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let hilbert: Vec<f64> = pairs.map(|(i, j)| entry(i, j)).collect();
        let twice: Vec<f64> = hilbert.iter().map(|x| 2.0 * x).collect();
        let means = [vec![0.0; dim], vec![0.0; dim]];
        let plain = zero_one(&means, &[sphere(dim, 1.0), sphere(dim, 2.0)], &[0.5, 0.5]);
        let hard = zero_one(&means, &[hilbert, twice], &[0.5, 0.5]);
        let (plain, hard) =
            (risk(&plain, &RiskOptions::default()), risk(&hard, &RiskOptions::default()));
        let off = (plain.total.value - hard.total.value).abs();
        assert!(off <= plain.total.error + hard.total.error, "{dim} {off:e} {:?}", hard.total);
    }
}

#[test]
fn a_flat_truth_leaves_the_method_to_the_library() {
    // Three classes of one covariance in three columns, seen by truths of which one has hardly any spread.
    let means = [vec![0.0; 3], vec![2.0, 0.0, 0.0], vec![0.0, 2.0, 0.0]];
    let rule = zero_one(&means, &[sphere(3, 1.0)], &[0.4, 0.3, 0.3]);
    let thin = vec![1e-30, 0.0, 1e-30, 0.0, 0.0, 1.0];
    let truth =
        Mixture::given(&means, &[thin, sphere(3, 1.0), sphere(3, 2.0)], vec![0.4, 0.3, 0.3])
            .unwrap();
    let found = try_risk(&rule, Some(&truth), &RiskOptions::default()).unwrap();
    assert!(found.confusion[0].value > 0.999, "{found:?}");
}
