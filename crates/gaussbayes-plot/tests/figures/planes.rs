//! Holds pictures of two columns to snapshots, and asks for what cannot be drawn.

use gaussbayes::{
    Classifier, CovarianceSpec, Label, LabelSweep, Loss, On, Parameters, Pool, Table, View, banana,
    blobs, run,
};
use gaussbayes_plot::{
    Look, Picture, PlotError, Theme, density, pairs, posterior, projection, regions, scatter,
};

use crate::pixels::lectures;
use crate::snapshots::snapshot;

/// Draws a picture where the environment names a folder to look at.
fn look_at(name: &str, picture: &Picture) {
    if let Ok(folder) = std::env::var("GAUSSBAYES_LOOK") {
        let png = picture.png(Theme::Light, 2.0).unwrap();
        std::fs::write(std::path::Path::new(&folder).join(format!("{name}.png")), png).unwrap();
    }
}

pub(crate) fn fitted(spec: &CovarianceSpec, rows: &Table) -> Classifier {
    let pool = Pool::new(1).unwrap();
    let sweep = LabelSweep::new(spec.storage());
    let stat = run(&sweep, &mut rows.source(), On::pool(&pool)).unwrap();
    let features: Vec<String> = (1..=rows.dim).map(|j| format!("x{j}")).collect();
    Classifier::fit(spec, &spec.default_priors(), stat, &features).unwrap().classifier
}

/// Three classes of four columns, in units like those of flowers.
fn flowers() -> Parameters {
    let entry = |i: usize, j: usize| if i == j { 0.2 } else { 0.08 };
    let square: Vec<Vec<f64>> = (0..4).map(|i| (0..4).map(|j| entry(i, j)).collect()).collect();
    let scaled = |s: f64| square.iter().map(|r| r.iter().map(|x| s * x).collect()).collect();
    Parameters {
        classes: ["setosa", "versicolor", "virginica"].map(Label::from).to_vec(),
        features: ["sepal length", "sepal width", "petal length", "petal width"]
            .map(String::from)
            .to_vec(),
        priors: None,
        means: vec![vec![5.0, 3.4, 1.5, 0.2], vec![5.9, 2.8, 4.3, 1.3], vec![6.6, 3.0, 5.6, 2.0]],
        covariances: vec![scaled(0.5), scaled(1.0), scaled(1.2)],
        costs: None,
    }
}

fn drawn(rule: &Classifier, rows: u64) -> Table {
    rule.sample(rows, 3).unwrap().table().unwrap()
}

#[test]
fn figures_of_the_plane_keep_their_snapshots() {
    for (name, rule) in lectures() {
        let rows = drawn(&rule, 150);
        snapshot(
            &format!("regions-{name}"),
            &regions(&rule, Some(&rows), &Look::default()).unwrap(),
        );
    }
    let rule = flowers().classifier().unwrap();
    let rows = drawn(&rule, 150);
    let two = Look { view: View::Projection { columns: [2, 3] }, ..Look::default() };
    snapshot("scatter", &scatter(Some(&rule), &rows, rule.features(), &two).unwrap());
    snapshot("scatter-rows", &scatter(None, &rows, rule.features(), &Look::default()).unwrap());
    snapshot("pairs", &pairs(Some(&rule), Some(&rows), &[], &Look::default()).unwrap());
    snapshot("projection", &projection(&rule, Some(&rows), &Look::default()).unwrap());
    let slice = View::Slice { columns: [0, 3], at: None };
    let slice = Look { view: slice, ..Look::default() };
    snapshot("regions-slice", &regions(&rule, Some(&rows), &slice).unwrap());
    let hyperbolic = lectures().pop().unwrap().1;
    let rows = drawn(&hyperbolic, 100);
    let look = Look::default();
    snapshot("posterior", &posterior(&hyperbolic, 0, Some(&rows), &look).unwrap());
    snapshot("density", &density(&hyperbolic, None, &look).unwrap());
    let loss = Loss::zero_one(3).with_reject(0.2).unwrap();
    let reject = lectures().into_iter().find(|(name, _)| name == "qda-2").unwrap().1;
    let reject = reject.with_loss(loss).unwrap();
    snapshot("regions-reject", &regions(&reject, None, &look).unwrap());
    let loss = hyperbolic.loss().clone().with_outliers(-6.0).unwrap();
    let outliers = hyperbolic.with_loss(loss).unwrap();
    snapshot("regions-outliers", &regions(&outliers, Some(&rows), &look).unwrap());
}

#[test]
fn figures_to_look_at() {
    let look = Look::default();
    for count in [150, 5000] {
        let rows = banana(count, 1);
        for (name, spec) in [("qda", CovarianceSpec::qda()), ("lda", CovarianceSpec::lda())] {
            let rule = fitted(&spec, &rows);
            look_at(
                &format!("banana-{name}-{count}"),
                &regions(&rule, Some(&rows), &look).unwrap(),
            );
        }
    }
    let many = blobs(50, 2, 0.7, 1).classifier().unwrap();
    let rows = drawn(&many, 1000);
    look_at("fifty", &regions(&many, Some(&rows), &look).unwrap());
    look_at("fifty-bare", &regions(&many, None, &look).unwrap());
    look_at("fifty-density", &density(&many, None, &look).unwrap());
    look_at("fifty-scatter", &scatter(None, &rows, &[], &look).unwrap());
    let four = blobs(4, 2, 2.5, 5).classifier().unwrap();
    look_at("posterior-4", &posterior(&four, 2, Some(&drawn(&four, 400)), &look).unwrap());
    let loss = Loss::zero_one(4).with_reject(0.15).unwrap();
    look_at("reject-4", &regions(&four.clone().with_loss(loss).unwrap(), None, &look).unwrap());
    let mut constant = drawn(&four, 200);
    constant.values.iter_mut().skip(1).step_by(2).for_each(|x| *x = 7.0);
    look_at("constant", &scatter(None, &constant, &[], &look).unwrap());
    let eight = blobs(5, 8, 4.0, 2).classifier().unwrap();
    let rows = drawn(&eight, 500);
    look_at("pairs-8", &pairs(Some(&eight), Some(&rows), &[], &look).unwrap());
    look_at("pairs-rows", &pairs(None, Some(&rows), &[], &look).unwrap());
    look_at("projection-8", &projection(&eight, Some(&rows), &look).unwrap());
    let flowers = flowers().classifier().unwrap();
    look_at("pairs-bare", &pairs(Some(&flowers), None, &[], &look).unwrap());
    let softmax = fitted(&CovarianceSpec::lda(), &rows);
    let softmax: gaussbayes::Softmax = softmax.softmax().unwrap();
    let classes = rows.classes();
    let features: Vec<String> = (1..=8).map(|j| format!("x{j}")).collect();
    let softmax = Classifier::new(softmax, classes, features, Loss::zero_one(5)).unwrap();
    look_at("softmax-8", &regions(&softmax, Some(&rows), &look).unwrap());
    let line = gaussbayes::Figure::named("modem").unwrap().parameters().classifier().unwrap();
    look_at("modem", &regions(&line, None, &look).unwrap());
}

#[test]
fn what_cannot_be_drawn_is_named() {
    let rule = lectures().pop().unwrap().1;
    let rows = drawn(&rule, 10);
    let look = Look::default();
    let bad = Look { mass: 1.0, ..Look::default() };
    let error = regions(&rule, None, &bad).unwrap_err();
    assert_eq!(error, PlotError::BadShare { share: 1.0 });
    assert!(error.hint().is_some());
    let error = posterior(&rule, 2, None, &look).unwrap_err();
    assert_eq!(error, PlotError::Count { what: "classes", expected: 3, found: 2 });
    let column = Table { dim: 1, values: vec![1.0], ..Table::default() };
    assert!(scatter(None, &column, &[], &look).unwrap_err().hint().unwrap().contains("densities"));
    assert!(matches!(regions(&rule, Some(&column), &look), Err(PlotError::Core(_))));
    assert_eq!(
        scatter(None, &Table { dim: 2, ..Table::default() }, &[], &look),
        Err(PlotError::Nothing { what: "rows" })
    );
    assert_eq!(pairs(None, None, &[], &look), Err(PlotError::Nothing { what: "rows" }));
    let beyond = Look { view: View::Projection { columns: [0, 5] }, ..Look::default() };
    assert!(matches!(scatter(None, &rows, &[], &beyond), Err(PlotError::Core(_))));
    assert!(matches!(regions(&rule, None, &beyond), Err(PlotError::Core(_))));
}
