//! Tells of models whose parameters are known: boundaries, exact errors, costs, four points.

use gaussbayes::{
    Classifier, CovarianceSpec, Error, Figure, Label, Learner, Ridge, Scaling, Table,
};
use gaussbayes_plot::{Along, Look, densities, regions};
use serde_json::json;

use crate::commands::chapters::{Bench, dearer, exact_of, formula, written};
use crate::failure::Failure;
use crate::models::remedy;
use crate::page::{Chapter, sentence};
use crate::text::short;

/// Figures of the lectures that are drawn, from flat to bent.
const DRAWN: [&str; 5] = ["equal-covariance", "quadratic", "circular", "hyperbolic", "qda-2"];

pub(super) fn chapters(bench: &Bench<'_>) -> Result<Vec<Chapter>, Failure> {
    Ok(vec![
        bench.chapter("figures", "Boundaries", |chapter| boundaries(chapter, bench))?,
        bench.chapter("error", "Errors without an experiment", |chapter| errors(chapter, bench))?,
        bench.chapter("costs", "Costs move a boundary", |chapter| costs(chapter, bench))?,
        bench.chapter("singular", "A covariance without an inverse", |chapter| {
            four_points(chapter, bench)
        })?,
    ])
}

fn of(name: &str) -> Result<Classifier, Failure> {
    let figure = Figure::named(name).ok_or_else(|| Failure::usage("no such figure", name))?;
    Ok(figure.parameters().classifier()?)
}

/// What the boundaries of the lectures' figures are.
fn boundaries(chapter: &mut Chapter, bench: &Bench<'_>) -> Result<(), Failure> {
    chapter.say(
        "The boundary between two Gaussians is where a function of second degree is zero: a line where the covariances \
         are equal, a conic where they are not. Equation and picture are the same curve, not points of a grid.",
    );
    for name in DRAWN {
        let rule = of(name)?;
        let look = Look { title: Some(name.to_string()), ..Look::default() };
        chapter.figure(regions(&rule, None, &look));
        formula(chapter, &rule, (0, 1))?;
        chapter.command(format!("gaussbayes explain {name}"));
    }
    let head = ["figure", "what it shows", "boundary", "error", "Chernoff"];
    let (mut cells, mut all) = (vec![head.map(String::from).to_vec()], Vec::new());
    for figure in Figure::all() {
        let rule = figure.parameters().classifier()?;
        let pairs = (1..rule.classes().len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let mut kinds = Vec::new();
        for (a, b) in pairs {
            let kind = rule.boundary(a, b)?.kind.name();
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let risk = exact_of(&rule, bench)?;
        let chernoff = rule.bounds(None)?.map(|bounds| bounds.chernoff);
        let bound = chernoff.map_or_else(String::new, short);
        cells.push(vec![
            figure.name.into(),
            figure.about.into(),
            kinds.join(", "),
            short(risk.total.value),
            bound,
        ]);
        all.push(json!({
            "figure": figure.name,
            "kinds": kinds,
            "total": risk.total.value,
            "method": risk.method.name(),
            "chernoff": chernoff,
        }));
    }
    chapter.table(
        "The figures of the lectures: their boundaries, exact errors, and Chernoff's bound",
        cells,
    );
    chapter.brief(format!("{} figures of the lectures, from lines to hyperbolas", all.len()));
    chapter.json = all.into();
    Ok(())
}

/// N(0, 1) against N(1, 1), and what is known of its error.
fn errors(chapter: &mut Chapter, bench: &Bench<'_>) -> Result<(), Failure> {
    let modem = of("modem")?;
    chapter.say(
        "How often a rule errs follows from the parameters: it is the area that each density has where another class is \
         said. The best rule never errs more often than Chernoff's bound says, nor that of Bhattacharyya, which is \
         simpler.",
    );
    chapter.figure(densities(&modem, None, Along::Column(0)));
    let head = ["figure", "error", "method", "Chernoff", "Bhattacharyya", "best linear rule"];
    let mut cells = vec![head.map(String::from).to_vec()];
    let mut found = Vec::new();
    for name in ["modem", "quadratic", "circular", "hyperbolic"] {
        let rule = of(name)?;
        let risk = exact_of(&rule, bench)?;
        let bounds = rule.bounds(None)?;
        let number = |x: Option<f64>| x.map_or_else(|| "-".into(), short);
        let linear = bounds.as_ref().and_then(|it| Some(it.linear.as_ref()?.total));
        let (chernoff, simpler) =
            (bounds.as_ref().map(|it| it.chernoff), bounds.as_ref().map(|it| it.bhattacharyya));
        let error = short(risk.total.value);
        let method = risk.method.name().to_string();
        cells.push(vec![
            name.into(),
            error,
            method,
            number(chernoff),
            number(simpler),
            number(linear),
        ]);
        found.push(json!({
            "figure": name,
            "total": risk.total.value,
            "chernoff": chernoff,
            "bhattacharyya": simpler,
            "best_linear": linear,
        }));
    }
    chapter.table("Exact errors and their bounds", cells);
    chapter.command("gaussbayes error modem");
    chapter.command("gaussbayes error hyperbolic");
    let risk = exact_of(&modem, bench)?;
    chapter
        .brief(format!("N(0, 1) against N(1, 1) errs with {}, exactly", short(risk.total.value)));
    chapter.json = found.into();
    Ok(())
}

/// What five to one does to a threshold and to a hyperbola.
fn costs(chapter: &mut Chapter, bench: &Bench<'_>) -> Result<(), Failure> {
    chapter.say(
        "If missing class 2 costs five times as much as missing class 1, class 2 is said long before it is the likelier: \
         only the threshold of the likelihood ratio moves, not the densities.",
    );
    let plain = of("modem")?;
    let dear = plain.clone().with_loss(dearer(2, 1)?)?;
    let head = ["", "equal costs", "5 to 1"].map(String::from).to_vec();
    let at = |rule: &Classifier| -> Result<String, Failure> {
        let boundary = rule.boundary(0, 1)?;
        Ok(boundary.thresholds.iter().map(|x| short(*x)).collect::<Vec<_>>().join(", "))
    };
    let (before, after) = (exact_of(&plain, bench)?, exact_of(&dear, bench)?);
    let class = |k: usize| {
        let row = |risk: &gaussbayes::Risk| short(risk.confusion[k * 2 + (1 - k)].value);
        vec![format!("class {} missed", k + 1), row(&before), row(&after)]
    };
    let (equal, moved) = (at(&plain)?, at(&dear)?);
    chapter.table(
        "N(0, 1) against N(1, 1): the threshold, and how often each class is missed",
        vec![head, vec!["threshold".into(), equal.clone(), moved.clone()], class(0), class(1)],
    );
    chapter.figure(densities(&dear, None, Along::Column(0)));
    let hyperbolic = of("hyperbolic")?.with_loss(dearer(2, 1)?)?;
    let look = Look { title: Some("hyperbolic, 5 to 1".into()), ..Look::default() };
    chapter.figure(regions(&hyperbolic, None, &look));
    formula(chapter, &hyperbolic, (0, 1))?;
    let costs = written(plain.classes(), 1).unwrap_or_default();
    chapter.commands(vec![
        costs,
        "gaussbayes explain modem --loss costs.csv".into(),
        "gaussbayes explain hyperbolic --loss costs.csv".into(),
        "gaussbayes error modem --loss costs.csv".into(),
    ]);
    chapter.brief(format!("5 to 1 moves the threshold from {equal} to {moved}"));
    chapter.json = json!({
        "thresholds": [plain.boundary(0, 1)?.thresholds, dear.boundary(0, 1)?.thresholds],
        "missed": [
            [before.confusion[1].value, before.confusion[2].value],
            [after.confusion[1].value, after.confusion[2].value],
        ],
    });
    Ok(())
}

/// Four points, two of each class, on two lines: no class has a covariance with an inverse.
fn four_points(chapter: &mut Chapter, bench: &Bench<'_>) -> Result<(), Failure> {
    let rows = Table {
        dim: 2,
        values: vec![-1.0, -1.0, -1.0, 1.0, 2.0, 0.0, 3.0, 0.0],
        codes: Some(vec![0, 0, 1, 1]),
        dictionary: ["-1", "1"].map(Label::from).to_vec(),
        ..Table::default()
    };
    let features = ["x1", "x2"].map(String::from);
    chapter.say(
        "Two points of each class. Those of the first differ in x2 alone, those of the second in x1 alone, so that each \
         class has one variance of zero, its covariance no inverse, and its Gaussian no density.",
    );
    chapter.command("printf '%s\\n' x1,x2,y -1,-1,-1 -1,1,-1 2,0,1 3,0,1 > four.csv");
    chapter.refused("gaussbayes fit four.csv --target y --model qda");
    let fit = |spec: &CovarianceSpec| {
        let (priors, on) = (spec.default_priors(), bench.workers.on());
        Learner::from(spec).learn(&priors, &features, &mut rows.source(), on)
    };
    let mut advice = None;
    if let Err(error) = fit(&CovarianceSpec::qda()) {
        chapter.say(format!("qda is refused. {}", sentence(&error.to_string())));
        if let Error::Singular(found) = error.root() {
            advice = found.advice(remedy);
        }
    }
    if let Some(advice) = &advice {
        chapter.say(format!("What the command has tried on these rows, and works: {advice}."));
    }
    chapter.say(
        "The cure of the lecture is one covariance for all: the classes lend each other the direction that each lacks. \
         Adding a little to every variance, a ridge, is another.",
    );
    let mut ridge = CovarianceSpec::qda();
    (ridge.ridge, ridge.scaling) = (Ridge::OfEach(0.1), Scaling::Raw);
    let cures = [
        ("lda", CovarianceSpec::lda(), "--model lda -o lda.json"),
        ("qda with a ridge", ridge, "--model qda --ridge 0.1 -o ridge.json"),
    ];
    for (name, spec, flags) in cures {
        let rule = fit(&spec)?.classifier;
        let look = Look { title: Some(format!("four points, {name}")), ..Look::default() };
        chapter.figure(regions(&rule, Some(&rows), &look));
        formula(chapter, &rule, (0, 1))?;
        let model = flags.rsplit(' ').next().unwrap_or_default();
        chapter.commands(vec![
            format!("gaussbayes fit four.csv --target y {flags}"),
            format!("gaussbayes explain {model}"),
        ]);
    }
    chapter.brief("four points: qda is refused, one covariance for all is not");
    chapter.json = json!({ "advice": advice });
    Ok(())
}
