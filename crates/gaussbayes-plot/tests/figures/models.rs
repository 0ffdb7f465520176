//! Draws models whose boundaries no formula gives, and views of many columns.

use gaussbayes::{
    Alpha, Block, Classifier, ColumnKind, Extent, Field, Label, Law, Loss, Mixture, NOISE, Noise,
    On, Part, Pool, ProductSpec, ProductSweep, Ridge, Rows, Table, Unseen, View, blobs, run,
};
use gaussbayes_plot::{
    Dash, Ink, Layer, Look, Picture, PlotError, density, pairs, posterior, projection, regions,
    scatter,
};

use crate::pixels::{Seen, actions, check_regions, check_seen, lectures};

fn two() -> Mixture {
    let means = [vec![0.0, 0.0], vec![2.0, 1.0], vec![-1.0, 3.0]];
    let triangles = [vec![1.0, 0.3, 0.5], vec![0.5, -0.2, 1.5], vec![2.0, 0.5, 1.0]];
    Mixture::given(&means, &triangles, vec![0.3, 0.3, 0.4]).unwrap()
}

fn labels(names: &[&str]) -> Vec<Label> {
    names.iter().map(|name| Label::from(*name)).collect()
}

fn columns(n: usize) -> Vec<String> {
    (1..=n).map(|j| format!("x{j}")).collect()
}

/// Models of two columns that have no curves.
fn without_curves() -> Vec<(&'static str, Classifier)> {
    let several =
        Classifier::owned(two(), vec![0, 1, 0], labels(&["a", "b"]), columns(2), Loss::zero_one(2));
    let laws = [3.0, 8.0, 4.0].map(|freedom| Law::student(freedom, 2)).to_vec();
    let student = two().with_laws(laws).unwrap();
    let student = Classifier::new(student, labels(&["a", "b", "c"]), columns(2), Loss::zero_one(3));
    let extent = Extent::new(None, vec![0.0; 2], vec![-6.0; 2], vec![6.0; 2]).unwrap();
    let noise = two().with_noise(Some(Noise { share: 0.2, extent })).unwrap();
    let noise =
        Classifier::new(noise, labels(&["a", "b", "c", NOISE]), columns(2), Loss::zero_one(4));
    let outliers = Loss::zero_one(3).with_outliers(-7.0).unwrap();
    let outliers = Classifier::new(two(), labels(&["a", "b", "c"]), columns(2), outliers);
    vec![
        ("several Gaussians a class", several.unwrap()),
        ("Student", student.unwrap()),
        ("noise", noise.unwrap()),
        ("outliers", outliers.unwrap()),
    ]
}

fn plain() -> Look {
    Look { ellipses: false, names: false, ..Look::default() }
}

/// Decisions differ a quarter of a pixel to either side of a line, but near its ends.
fn check_traced(name: &str, rule: &Classifier, seen: &Seen) {
    let mut count = 0;
    for line in &seen.lines {
        let ends = [line[0], line[line.len() - 1]];
        for pair in line.windows(2) {
            let middle = [0, 1].map(|j| 0.5 * (pair[0][j] + pair[1][j]));
            let far = |end: &[f64; 2]| (end[0] - middle[0]).hypot(end[1] - middle[1]) > 3.0;
            let way = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
            let length = way[0].hypot(way[1]);
            if length > 1e-6 && ends.iter().all(far) {
                let side = [-0.25 * way[1] / length, 0.25 * way[0] / length];
                let sides = [1.0, -1.0].map(|s| [0, 1].map(|j| middle[j] + s * side[j]));
                let said = actions(rule, &sides.map(|pixel| seen.raw(pixel)));
                assert_ne!(said[0], said[1], "{name} at {middle:?}");
                count += 1;
            }
        }
    }
    assert!(count > 20, "{name}: {count}");
}

#[test]
fn models_without_curves_are_traced_and_say_so() {
    for (name, rule) in without_curves() {
        let picture = regions(&rule, None, &plain()).unwrap();
        assert!(picture.notes.iter().any(|note| note.contains("followed")), "{name}");
        assert!(check_regions(name, &rule, &picture) > 5000, "{name}");
        check_traced(name, &rule, &Seen::of(&picture));
        for class in 0..rule.classes().len() {
            posterior(&rule, class, None, &Look::default()).unwrap();
        }
        density(&rule, None, &Look::default()).unwrap();
        let rows = two().sample(60, 1).unwrap().table().unwrap();
        scatter(Some(&rule), &rows, &[], &Look::default()).unwrap();
        pairs(Some(&rule), Some(&rows), &[], &Look::default()).unwrap();
    }
}

/// The lines of a picture of a width, from point to point in raw units.
fn contours(picture: &Picture, dash: Dash) -> Vec<[f64; 2]> {
    let mut all = Vec::new();
    for layer in &picture.panels[0].layers {
        if let Layer::Line { path, ink: Ink::Text, stroke } = layer
            && stroke.dash == dash
        {
            all.extend(path.flattened(1e-4).concat());
        }
    }
    all
}

#[test]
fn contours_have_their_posteriors() {
    let traced = without_curves().into_iter().map(|(name, rule)| (name.to_owned(), rule));
    for (name, rule) in lectures().into_iter().chain(traced) {
        for class in 0..2 {
            let picture = posterior(&rule, class, None, &Look::default()).unwrap();
            let half = contours(&picture, Dash::Solid);
            let levels = contours(&picture, Dash::Dotted);
            assert!(half.len() > 1 && levels.len() > 4, "{name}");
            let all: Vec<[f64; 2]> = half.iter().chain(&levels).copied().collect();
            let block = Block::new(0, Rows::new(all.concat(), 2).unwrap(), None, None).unwrap();
            let found = rule.predict(&block).unwrap().posterior;
            for (i, at) in all.iter().enumerate() {
                let p = found.probs(i).nth(class).unwrap();
                let known: &[f64] = if i < half.len() { &[0.5] } else { &[0.05, 0.25, 0.75, 0.95] };
                let off = known.iter().map(|level| (p - level).abs()).fold(1.0, f64::min);
                assert!(off < 0.01, "{name}: {p} at {at:?}");
            }
        }
    }
}

#[test]
fn softmax_has_exact_regions_and_no_density() {
    let rule = blobs(4, 2, 3.0, 4).classifier().unwrap();
    let softmax = rule.softmax().unwrap();
    let softmax =
        Classifier::new(softmax, rule.classes().to_vec(), columns(2), Loss::zero_one(4)).unwrap();
    let rows = rule.sample(200, 1).unwrap().table().unwrap();
    let picture = regions(&softmax, Some(&rows), &plain()).unwrap();
    assert!(picture.notes.is_empty(), "{:?}", picture.notes);
    check_regions("softmax", &softmax, &picture);
    let error = density(&softmax, None, &plain()).unwrap_err();
    assert!(matches!(error, PlotError::NoDensities { .. }) && error.hint().is_some());
}

/// Rows of two columns of numbers and one of names between them.
fn typed() -> Table {
    let flat = two().sample(300, 2).unwrap().table().unwrap();
    let rows = flat.values.chunks_exact(2).enumerate();
    let values = rows.flat_map(|(i, x)| [x[0], (i % 3) as f64, x[1]]).collect();
    let names = labels(&["red", "green", "blue"]);
    let fields = vec![Field::Number, Field::Category(names.into()), Field::Number];
    Table { dim: 3, values, fields, ..flat }
}

#[test]
fn a_product_is_drawn_in_its_columns_of_numbers() {
    let rows = typed();
    let part =
        |columns: Vec<usize>, kind: ColumnKind| Part { columns, kind, alpha: Alpha::One(1.0) };
    let spec = ProductSpec {
        parts: vec![part(vec![0, 2], ColumnKind::Number), part(vec![1], ColumnKind::Category)],
        unseen: Unseen::Ignore,
        ridge: Ridge::None,
    };
    let pool = Pool::new(1).unwrap();
    let stat = run(&ProductSweep::new(&spec), &mut rows.source(), On::pool(&pool)).unwrap();
    let priors = gaussbayes::Priors::Observed;
    let (rule, _) = Classifier::fit_product(&spec, &priors, stat, &columns(3)).unwrap();
    let picture = regions(&rule, Some(&rows), &plain()).unwrap();
    assert_eq!(picture.notes, ["decisions by x1 and x3 alone"]);
    let seen = Seen::of(&picture);
    // A missing name says nothing: what is decided then is what the two columns decide.
    let decide = |at: &[[f64; 2]]| {
        let values: Vec<f64> = at.iter().flat_map(|x| [x[0], f64::NAN, x[1]]).collect();
        let rows = Rows::new(values, 3).unwrap();
        let block = Block::typed(0, rows, rows_fields(), None, None).unwrap();
        rule.predict(&block).unwrap().actions
    };
    assert!(check_seen("product", &rule, &seen, decide) > 5000);
    let names = Look { view: View::Projection { columns: [0, 1] }, ..plain() };
    let error = regions(&rule, None, &names).unwrap_err();
    assert_eq!(error, PlotError::NotNumbers { name: "x2".into() });
    assert_eq!(pairs(Some(&rule), Some(&rows), &[], &plain()).unwrap().panels.len(), 4);
}

fn rows_fields() -> Vec<Field<'static>> {
    typed().fields
}

#[test]
fn slices_and_projections_show_decisions_that_are_taken() {
    let rule = blobs(4, 4, 5.0, 9).classifier().unwrap();
    let at = vec![1.0, -2.0, 3.0, 0.5];
    let slice = View::Slice { columns: [3, 1], at: Some(at.clone()) };
    let picture = regions(&rule, None, &Look { view: slice, ..plain() }).unwrap();
    let decide = |points: &[[f64; 2]]| {
        let row = |x: &[f64; 2]| [at[0], x[1], at[2], x[0]];
        let values: Vec<f64> = points.iter().flat_map(row).collect();
        let block = Block::new(0, Rows::new(values, 4).unwrap(), None, None).unwrap();
        rule.predict(&block).unwrap().actions
    };
    assert!(check_seen("slice", &rule, &Seen::of(&picture), decide) > 5000);
    let view = View::Projection { columns: [2, 0] };
    let picture = regions(&rule, None, &Look { view, ..plain() }).unwrap();
    let margin = rule.mixture().unwrap().marginal(&[2, 0]).unwrap();
    let classes = rule.classes().to_vec();
    let margin = Classifier::new(margin, classes, columns(2), Loss::zero_one(4)).unwrap();
    assert!(check_regions("margin", &margin, &picture) > 5000);
    assert_eq!(picture.panels[0].across.label, "x3");
}

#[test]
fn canonical_directions_show_the_decisions_of_a_shared_covariance() {
    // Three classes differ in two directions: nothing is left out.
    let rule = blobs(3, 5, 6.0, 3).classifier().unwrap();
    let rows = rule.sample(2000, 1).unwrap().table().unwrap();
    let picture = projection(&rule, Some(&rows), &plain()).unwrap();
    assert!(picture.notes.iter().all(|note| !note.contains("not shown")), "{:?}", picture.notes);
    let said = rule.predict(&rows.block(0..2000).unwrap()).unwrap().actions;
    let projected = gaussbayes::Projection::of(rule.mixture().unwrap()).unwrap();
    let at = projected.transform(&rows.block(0..2000).unwrap()).unwrap();
    let seen = Seen::of(&picture);
    for (at, action) in at.chunks_exact(2).zip(said) {
        seen.check_at("directions", &rule, [at[0], at[1]], action);
    }
    // Two classes differ in one.
    let rule = blobs(2, 5, 6.0, 3).classifier().unwrap();
    assert!(projection(&rule, None, &plain()).unwrap().title.len() > 3);
}

#[test]
fn odd_columns_and_names_have_figures() {
    let rule = blobs(50, 2, 0.7, 1).classifier().unwrap();
    let reject = Loss::zero_one(50).with_reject(0.2).unwrap();
    let rule = rule.with_loss(reject).unwrap();
    let picture = regions(&rule, None, &plain()).unwrap();
    check_regions("fifty", &rule, &picture);
    let mut rows = two().sample(100, 1).unwrap().table().unwrap();
    rows.values.iter_mut().step_by(2).for_each(|x| *x = 1e9);
    let picture = scatter(None, &rows, &[], &Look::default()).unwrap();
    assert!(picture.panels[0].across.high > picture.panels[0].across.low);
    assert!(picture.notes[0].contains("in all rows"), "{:?}", picture.notes);
    let names = labels(&["<b>&\"x\"", "مرحبا"]);
    let mixture = two().picked(&[0, 1]).unwrap();
    let odd = vec!["<&\"".to_owned(), "עברית".to_owned()];
    let rule = Classifier::new(mixture, names, odd, Loss::zero_one(2)).unwrap();
    let svg =
        regions(&rule, None, &Look::default()).unwrap().svg(&gaussbayes_plot::Sheet::default());
    assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"));
}
