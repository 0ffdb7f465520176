//! Holds densities, curves and matrices to the core's numbers, and refusals to their names.

use gaussbayes::{
    Cell, Classifier, CovarianceSpec, Criterion, EmSpec, EmState, Entry, Family, Figure, Gaussian,
    Label, Loss, Mixture, Parameters, RiskOptions, Roc, Scored, Search, SearchSpec, Start, Table,
    blobs,
};
use gaussbayes_plot::{
    Along, Arrangement, EmLook, ErrorLook, Layer, Mark, Path, Picture, PlotError, RocLook, Sheet,
    Theme, Ticks, bic, confusion, cost_curve, densities, em, em_states, error_curve, gaussian,
    influence, linear_rule, normal, outlier, roc, scaling, simplex, simplex_of,
};

use crate::curves::{
    curves, errors, faithful, figure, judged, names, plain, rows, started, three, two_names, units,
    with_pool,
};

/// Draws a picture, to be looked at where a folder is named for it, and gives its SVG.
fn drawn(name: &str, picture: &Picture) -> String {
    if let Ok(folder) = std::env::var("GAUSSBAYES_LOOK") {
        let png = picture.png(Theme::Light, 2.0).unwrap();
        std::fs::write(std::path::Path::new(&folder).join(format!("{name}.png")), png).unwrap();
    }
    let text = picture.svg(&Sheet::default());
    assert!(text.len() < 300_000, "{name}: {} bytes", text.len());
    assert!(!text.contains("NaN") && !text.contains("inf"), "{name}");
    assert!(!picture.description.is_empty() && !picture.caption.is_empty(), "{name}");
    text
}

/// The area that a path encloses, by its points.
fn area(path: &Path) -> f64 {
    let flat = path.flattened(1e-5);
    let ring = |points: &Vec<[f64; 2]>| {
        let next = points.iter().cycle().skip(1);
        let cross = |(a, b): (&[f64; 2], &[f64; 2])| a[0] * b[1] - a[1] * b[0];
        0.5 * points.iter().zip(next).map(cross).sum::<f64>().abs()
    };
    flat.iter().map(ring).sum()
}

fn hatched(picture: &Picture) -> f64 {
    let area = |layer: &Layer| match layer {
        Layer::Area { path, hatched: true, .. } => area(path),
        _ => 0.0,
    };
    picture.panels[0].layers.iter().map(area).sum()
}

/// Where vertical lines are.
fn uprights(picture: &Picture) -> Vec<f64> {
    let place = |layer: &Layer| match layer {
        Layer::Line { path, .. } => match path.flattened(1.0)[..] {
            [ref points] if points.len() == 2 && points[0][0] == points[1][0] => Some(points[0][0]),
            _ => None,
        },
        _ => None,
    };
    picture.panels[0].layers.iter().filter_map(place).collect()
}

fn points(picture: &Picture, panel: usize) -> impl Iterator<Item = (&Vec<[f64; 2]>, Mark)> {
    picture.panels[panel].layers.iter().filter_map(|layer| match layer {
        Layer::Points { at, mark, .. } => Some((at, *mark)),
        _ => None,
    })
}

#[test]
fn hatched_areas_are_the_chance_of_an_error() {
    let reject = Loss::zero_one(2).with_reject(0.2).unwrap();
    let costs = Parameters { costs: Some(vec![vec![0.0, 1.0], vec![10.0, 0.0]]), ..two_names() };
    let rules = [
        figure("modem"),
        three(),
        blobs(4, 1, 4.0, 3).classifier().unwrap(),
        figure("modem").with_loss(reject).unwrap(),
        costs.classifier().unwrap(),
    ];
    for rule in rules {
        let picture = densities(&rule, None, Along::default()).unwrap();
        let risk = with_pool(|on| rule.risk(None, &RiskOptions::default(), on)).unwrap();
        let exact = risk.error_rate.value;
        assert!((hatched(&picture) - exact).abs() < 1e-3, "{} {exact}", hatched(&picture));
        let edges: Vec<f64> = rule.regions().unwrap().iter().skip(1).map(|r| r.from).collect();
        let window = &picture.panels[0].across;
        let inside = |x: &f64| (window.low..=window.high).contains(x);
        assert_eq!(uprights(&picture), edges.into_iter().filter(inside).collect::<Vec<_>>());
    }
}

#[test]
fn a_direction_keeps_the_error_of_a_linear_rule() {
    let rule = figure("equal-covariance");
    let picture = densities(&rule, None, Along::Direction).unwrap();
    let risk = with_pool(|on| rule.risk(None, &RiskOptions::default(), on)).unwrap();
    assert!((hatched(&picture) - risk.error_rate.value).abs() < 1e-3);
    // A margin knows less.
    let margin = densities(&rule, Some(&rows(&rule, 30)), Along::Column(1)).unwrap();
    assert!(hatched(&margin) > risk.error_rate.value);
    assert_eq!(margin.panels[0].across.label, rule.features()[1]);
}

#[test]
fn densities_without_a_formula_have_searched_thresholds() {
    let rule = figure("modem");
    let level = rule.clone().with_loss(Loss::zero_one(2).with_outliers(-3.0).unwrap()).unwrap();
    let picture = densities(&level, None, Along::default()).unwrap();
    drawn("densities-outliers", &picture);
    let found = uprights(&picture);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!((found[1] - 0.5).abs() < 1e-9, "{found:?}");
    assert!(picture.notes.iter().any(|note| note.contains("searched")), "{:?}", picture.notes);
}

#[test]
fn curves_go_from_corner_to_corner() {
    let curves = curves();
    let picture = roc(&curves, &RocLook { hull: true, threshold: None }).unwrap();
    let ends = |picture: &Picture| {
        for layer in &picture.panels[0].layers {
            let Layer::Line { path, .. } = layer else { continue };
            let line = path.flattened(1.0).remove(0);
            assert_eq!((line[0], line[line.len() - 1]), ([0.0, 0.0], [1.0, 1.0]));
        }
    };
    ends(&picture);
    // A great many rows leave a short path.
    let scored = |i: u32| {
        let score = f64::from(i.wrapping_mul(2_654_435_761) >> 8);
        Scored { score, positive: i.is_multiple_of(3), weight: 1.0 }
    };
    let many = Roc::of(&(0..200_000).map(scored).collect::<Vec<_>>()).unwrap();
    let picture = roc(&[("many".into(), many.clone())], &RocLook::default()).unwrap();
    ends(&picture);
    let text = drawn("roc-many", &picture);
    assert!(text.len() < 60_000, "{}", text.len());
    let text = drawn("cost-many", &cost_curve(&[("many".into(), many.cost_curve())]).unwrap());
    assert!(text.len() < 60_000, "{}", text.len());
}

#[test]
fn many_families_and_decades_have_room() {
    let table = plain(&faithful().1);
    let families = Family::ALL.into_iter().filter(|family| *family != Family::Unit);
    let cells =
        families.flat_map(|family| (1..=6).map(move |components| Cell { components, family }));
    let spec = SearchSpec {
        cells: cells.collect(),
        spec: EmSpec::from(Family::Eee),
        runs: Start::usual(1),
        seed: 1,
        criterion: Criterion::Icl,
        features: Vec::new(),
    };
    let search = with_pool(|on| Search::begin(&spec, &mut table.source(), on)).unwrap();
    let picture = bic(search.entries(), Criterion::Icl).unwrap();
    drawn("bic-many", &picture);
    let best = search.best().unwrap();
    let ring: Vec<[f64; 2]> = points(&picture, 0)
        .filter(|(_, mark)| *mark == Mark::Ring)
        .flat_map(|(at, _)| at.clone())
        .collect();
    assert_eq!(ring, [[best.cell.components as f64, best.value(Criterion::Icl).unwrap()]]);
    let mut long = errors();
    long.at = vec![10, 100, 1000, 10_000, 100_000, 1_000_000];
    let picture = error_curve(&long, &names(&["lda", "qda"]), &ErrorLook::default()).unwrap();
    drawn("learning-long", &picture);
    assert_eq!(picture.panels[0].across.ticks, Ticks::Powers);
}

#[test]
fn a_matrix_holds_every_count() {
    let judgement = judged(&three(), 200);
    let picture = confusion(&judgement).unwrap();
    let said: Vec<&str> = picture.panels[0]
        .layers
        .iter()
        .filter_map(|layer| match layer {
            Layer::Words { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    for count in judgement.confusion().into_iter().flatten() {
        assert!(said.contains(&format!("{count}").as_str()), "{count} in {said:?}");
    }
}

#[test]
fn em_climbs_from_panel_to_panel() {
    let table = plain(&faithful().1);
    let means = [vec![2.5, 85.0], vec![4.0, 50.0]];
    let first = Mixture::given(&means, &[vec![0.5, 0.0, 60.0]], vec![0.5, 0.5]).unwrap();
    let start = EmState::new(EmSpec::from(Family::Vvv), first).unwrap();
    let states = with_pool(|on| em_states(&start, &table, &[0, 1, 2, 3], on)).unwrap();
    let picture = em(&states, &table, &names(&["x", "y"]), &EmLook::default()).unwrap();
    let level = |title: &str| title.rsplit('−').next().unwrap().parse::<f64>().unwrap();
    let levels: Vec<f64> = picture.panels.iter().map(|panel| -level(&panel.title)).collect();
    assert!(levels.windows(2).all(|pair| pair[0] <= pair[1]), "{levels:?}");
    // The pass of an iteration has the likelihood of the state before it.
    let before = states[1].pass().unwrap().log_likelihood;
    assert!((levels[0] - before).abs() < 1e-3 * before.abs(), "{levels:?} {before}");
    let frames = EmLook { frames: true, ..EmLook::default() };
    let moving = em(&states, &table, &names(&["x", "y"]), &frames).unwrap();
    assert!(matches!(moving.arrangement, Arrangement::Frames { .. }));
    // Of three columns, two are shown.
    let iris = blobs(3, 3, 1.0, 1).classifier().unwrap();
    let table = plain(&rows(&iris, 60));
    let state = started(&table, &EmSpec::from(Family::Eee), 3, Start::Hierarchical);
    let look = EmLook { columns: [2, 0], ..EmLook::default() };
    drawn("em-three", &em(&[state], &table, &names(&["a", "b", "c"]), &look).unwrap());
}

#[test]
fn certainty_is_a_corner() {
    let classes = ["a", "b", "c"].map(Label::from);
    let shares = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, f64::NAN, 0.0, 1.0];
    let picture = simplex_of(&shares, &classes, &[]).unwrap();
    let at: Vec<[f64; 2]> = points(&picture, 0).flat_map(|(at, _)| at.clone()).collect();
    assert_eq!((at.len(), at[0], at[1]), (3, [0.0, 0.0], [1.0, 0.0]));
    assert!((at[2][1] - 0.75_f64.sqrt()).abs() < 1e-12);
    let many = blobs(6, 2, 2.0, 1).classifier().unwrap();
    let table = rows(&many, 100);
    drawn("simplex-some", &simplex(&many, &table, Some(&[1, 3, 5])).unwrap());
    let refused = simplex(&many, &table, None).unwrap_err();
    assert_eq!(refused, PlotError::Count { what: "classes", expected: 3, found: 6 });
    assert!(refused.hint().is_some());
    assert!(simplex(&many, &table, Some(&[0, 9])).is_err());
}

#[test]
fn w_is_upright_on_its_line() {
    let rule = figure("equal-covariance");
    let picture = linear_rule(&rule, Some(&rows(&rule, 30))).unwrap();
    let plane = rule.boundary(0, 1).unwrap().plane.unwrap();
    let arrow = picture.panels[0].layers.iter().find_map(|layer| match layer {
        Layer::Arrow { from, to, .. } => Some([to[0] - from[0], to[1] - from[1]]),
        _ => None,
    });
    let [x, y] = arrow.unwrap();
    assert!((x * plane.normal[1] - y * plane.normal[0]).abs() < 1e-12 && x * plane.normal[0] > 0.0);
    let far = Parameters {
        classes: vec!["a".into(), "b".into()],
        features: names(&["x", "y"]),
        priors: None,
        means: vec![vec![1e6, 1e6], vec![1e6 + 3.0, 1e6]],
        covariances: vec![vec![vec![1.0, 0.0], vec![0.0, 1.0]]],
        costs: None,
    };
    let far = linear_rule(&far.classifier().unwrap(), None).unwrap();
    drawn("linear-rule-far", &far);
    assert!(far.notes[0].contains("origin"), "{:?}", far.notes);
    let bent = linear_rule(&figure("quadratic"), None).unwrap_err();
    assert!(matches!(bent, PlotError::NotLinear { .. }) && bent.hint().is_some(), "{bent}");
}

#[test]
fn scaling_changes_what_is_said() {
    let table = units();
    let picture = scaling(&table, &names(&["h", "w"])).unwrap();
    let rings = |panel: usize| {
        points(&picture, panel)
            .filter(|(_, mark)| *mark == Mark::Ring)
            .map(|(at, _)| at.len())
            .sum()
    };
    let (first, second): (usize, usize) = (rings(0), rings(1));
    assert!(first == second && first > 10, "{first} {second}");
    let flat = Table { values: table.values.iter().map(|_| 1.0).collect(), ..table };
    let refused = scaling(&flat, &names(&["h", "w"])).unwrap_err();
    assert!(matches!(refused, PlotError::Core(_) | PlotError::NotFinite { .. }), "{refused}");
}

#[test]
fn odd_models_have_a_figure_or_a_named_error() {
    let one = Mixture::given(&[vec![0.0]], &[vec![1.0]], vec![1.0]).unwrap();
    let one = Classifier::new(one, vec!["a".into()], names(&["x"]), Loss::zero_one(1)).unwrap();
    drawn("densities-one", &densities(&one, None, Along::default()).unwrap());
    assert!(matches!(
        densities(&one, None, Along::Direction),
        Err(PlotError::NoDirection { classes: 1 })
    ));
    let odd = two_names().classifier().unwrap();
    let text = drawn(
        "densities-names",
        &densities(&odd, Some(&rows(&odd, 50)), Along::default()).unwrap(),
    );
    assert!(text.contains("a&lt;b &amp;"), "names are escaped");
    drawn("confusion-names", &confusion(&judged(&odd, 100)).unwrap());
    let many = blobs(50, 1, 0.3, 2).classifier().unwrap();
    let picture = densities(&many, Some(&rows(&many, 5000)), Along::default()).unwrap();
    drawn("densities-many", &picture);
    assert!(picture.key.len() <= 14 && !picture.notes.is_empty());
    let silent = Parameters { priors: Some(vec![1.0, 0.0]), ..two_names() }.classifier().unwrap();
    drawn("densities-silent", &densities(&silent, None, Along::default()).unwrap());
    assert!(densities(&odd, None, Along::Column(3)).is_err());
    let wrong = Table { dim: 2, values: vec![1.0, 2.0], ..Table::default() };
    assert!(densities(&odd, Some(&wrong), Along::default()).is_err());
    let holes = Table { dim: 1, values: vec![1.0, f64::NAN], ..Table::default() };
    let refused = densities(&odd, Some(&holes), Along::default()).unwrap_err();
    assert!(refused.hint().is_some(), "{refused}");
}

#[test]
fn nothing_has_no_figure() {
    let nothing = |error: Result<Picture, PlotError>| {
        let error = error.unwrap_err();
        assert!(matches!(error, PlotError::Nothing { .. }), "{error}");
    };
    nothing(roc(&[], &RocLook::default()));
    nothing(cost_curve(&[]));
    nothing(gaussian(&[], ["x", "y"]));
    let none: [Entry; 0] = [];
    nothing(bic(&none, Criterion::Bic));
    nothing(confusion(&gaussbayes::Judgement::new(&three())));
    nothing(em(&[], &Table::default(), &[], &EmLook::default()));
    nothing(with_pool(|on| influence(&[], &Table::default(), 0, &[1.0], on)));
    let mut failed = errors();
    failed.points.iter_mut().flatten().for_each(|point| *point = Err(gaussbayes::Error::NoRows));
    nothing(error_curve(&failed, &names(&["a", "b"]), &ErrorLook::default()));
    let empty = Table { dim: 2, ..Table::default() };
    nothing(simplex(&figure("lda-full"), &empty, None));
    assert!(error_curve(&errors(), &names(&["a"]), &ErrorLook::default()).is_err());
    let three = Gaussian::new(vec![0.0; 3], vec![1.0, 0.0, 1.0, 0.0, 0.0, 1.0]).unwrap();
    assert!(normal(&three, "x").is_err() && gaussian(&[three], ["x", "y"]).is_err());
    let table = rows(&figure("lda-full"), 30);
    let features = names(&["x", "y"]);
    let spec = CovarianceSpec::lda();
    assert!(outlier(&spec, &table, &features, 99, [0.0; 2]).is_err());
    assert!(outlier(&spec, &table, &features, 0, [f64::NAN, 0.0]).is_err());
    assert!(linear_rule(&figure("modem"), None).is_err());
    assert!(Figure::named("modem").is_some());
}
