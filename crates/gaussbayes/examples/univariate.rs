//! Works a classifier of one measurement through by hand, then by the library.

use gaussbayes::{
    Classifier, CovarianceSpec, Error, Label, LabelSweep, On, Pool, Score, Table, run,
};

fn main() -> Result<(), Error> {
    // Heights in cm of six plants of kind a and four of kind b.
    let a = [10.0, 12.0, 11.0, 13.0, 9.0, 11.0];
    let b = [15.0, 17.0, 16.0, 20.0];

    // By hand. Class a: mean 66/6 = 11, variance (1+1+0+4+4+0)/6 = 10/6.
    //          Class b: mean 68/4 = 17, variance (4+0+1+9)/4 = 3.5.
    let (mean_a, variance_a, prior_a) = (11.0_f64, 10.0 / 6.0, 0.6_f64);
    let (mean_b, variance_b, prior_b) = (17.0_f64, 3.5_f64, 0.4_f64);
    let log_score = |x: f64, mean: f64, variance: f64, prior: f64| {
        prior.ln()
            - 0.5 * (std::f64::consts::TAU * variance).ln()
            - (x - mean).powi(2) / (2.0 * variance)
    };

    // By the library.
    let table = Table {
        dim: 1,
        values: a.iter().chain(&b).copied().collect(),
        weights: None,
        codes: Some([vec![0; a.len()], vec![1; b.len()]].concat()),
        dictionary: vec![Label::from("a"), Label::from("b")],
        ..Table::default()
    };
    let spec = CovarianceSpec::qda();
    let pool = Pool::new(1)?;
    let stat = run(&LabelSweep::new(spec.storage()), &mut table.source(), On::pool(&pool))?;
    let names = ["height".to_string()];
    let classifier = Classifier::fit(&spec, &spec.default_priors(), stat, &names)?.classifier;

    for x in [11.0, 13.0, 13.5, 14.0, 17.0] {
        let query = Table { dim: 1, values: vec![x], ..Table::default() };
        let prediction = classifier.predict(&query.block(0..1)?)?;
        let (score_a, score_b) =
            (log_score(x, mean_a, variance_a, prior_a), log_score(x, mean_b, variance_b, prior_b));
        let by_hand = 1.0 / (1.0 + (score_b - score_a).exp());
        let by_library = prediction.posterior.probs(0).next().unwrap_or(f64::NAN);
        assert!((by_hand - by_library).abs() < 1e-14);
        let said = classifier.action_label(prediction.actions[0]).map_or("?", Label::as_str);
        write(&format!("x = {x:>4}: P(a|x) = {by_library:.6}, so class {said}"));
    }

    // The boundary: the roots of g_a(x) − g_b(x) = W x² + w x + w₀.
    if let Some(scores) = classifier.model().quadratics() {
        let g = scores[0].minus(&scores[1]).raw();
        let (w2, w1, w0) = (g.quadratic[0], g.linear[0], g.constant);
        let root = (w1 * w1 - 4.0 * w2 * w0).sqrt();
        let mut thresholds = [(-w1 - root) / (2.0 * w2), (-w1 + root) / (2.0 * w2)];
        thresholds.sort_by(f64::total_cmp);
        write(&format!("class a between {:.4} and {:.4}", thresholds[0], thresholds[1]));
    }
    Ok(())
}

#[allow(clippy::print_stdout, reason = "an example talks")]
fn write(line: &str) {
    println!("{line}");
}
