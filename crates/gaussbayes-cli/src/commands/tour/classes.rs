//! Tells of classes: data, classifiers, boundaries, errors, costs, and what goes wrong.

use gaussbayes::{ColumnOrder, CovarianceSpec, Family, Judgement, Trunk};
use gaussbayes_plot::{Look, Over, pairs, projection, regions};

use super::known;
use crate::commands::chapters::{
    Bench, Compared, Growth, Subject, compared, confused, described, exact_beside, explained,
    one_moved, roc_curves, scaling_drawn, summary, units, widest,
};
use crate::failure::Failure;
use crate::page::Chapter;

/// Rows that the curve over columns learns from.
const LEARN_FROM: usize = 10;

/// The same for columns that repeat.
const ECHO_FROM: usize = 100;

pub(super) fn chapters(bench: &Bench<'_>) -> Result<Vec<Chapter>, Failure> {
    let iris = Subject::built_in("iris", bench)?;
    let banana = Subject::built_in("banana", bench)?;
    let mut on_iris = None;
    let mut all = vec![
        bench.chapter("data", "The data", |chapter| {
            chapter.say(
                "Three kinds of iris, fifty flowers each, four measurements. One kind stands apart, the other two touch.",
            );
            summary(chapter, &iris, &described(&iris, bench)?);
            let rows = Some(&iris.few);
            chapter.figure(pairs(None, rows, &iris.features, &Look::default()));
            chapter.command("gaussbayes plot iris --figure pairs -o pairs.svg");
            chapter.command("gaussbayes stats iris -o iris.moments");
            Ok(())
        })?,
        bench.chapter("iris", "Classifiers compared: iris", |chapter| {
            chapter.say(
                "From the most flexible to the stiffest: the more a model may bend, the fewer errors, until it has more \
                 parameters than the rows can pay for.",
            );
            on_iris = Some(ranked(chapter, &iris, bench)?);
            Ok(())
        })?,
        bench.chapter("banana", "Classifiers compared: banana", |chapter| {
            chapter.say(
                "Two bent classes, each the other's point reflection, so that both have the same covariance: the \
                 quadratic and the linear rule nearly coincide, and no single Gaussian per class comes near the Bayes \
                 rule's 1.7 %.",
            );
            ranked(chapter, &banana, bench)?;
            drawn(chapter, &banana, bench)
        })?,
    ];
    let lda = on_iris.as_ref().and_then(|found| found.judged("lda"));
    all.push(on_rows(&iris, lda, bench)?);
    all.extend(known::chapters(bench)?);
    all.push(bench.chapter("scaling", "Units of the columns", |chapter| {
        let wine = Subject::built_in("wine", bench)?;
        chapter.say(
            "Thirteen measurements of wines, of which one runs into the thousands. Whatever measures plain distances \
             sees that column alone; measured in standard deviations, all have a say. The linear rule does not care: \
             its covariance knows the units.",
        );
        chapter.json = units(chapter, &wine, bench)?;
        scaling_drawn(chapter, &wine, &described(&wine, bench)?.deviations());
        chapter.commands(vec![
            "gaussbayes evaluate wine --model nearest-mean".into(),
            "gaussbayes evaluate wine --model nearest-mean --standardize".into(),
        ]);
        Ok(())
    })?);
    all.push(
        bench.chapter("dimensions", "The curse of dimensionality", |chapter| {
            curse(chapter, bench)
        })?,
    );
    Ok(all)
}

/// Adds a ranking, with the command that makes it.
fn ranked(
    chapter: &mut Chapter,
    subject: &Subject,
    bench: &Bench<'_>,
) -> Result<Compared, Failure> {
    let found = compared(chapter, subject, bench)?;
    chapter.json = found.ranked.short_json();
    chapter.command(subject.command("compare", &[]));
    Ok(found)
}

/// Adds the regions of three classifiers.
fn drawn(chapter: &mut Chapter, subject: &Subject, bench: &Bench<'_>) -> Result<(), Failure> {
    for (name, family) in
        [("qda", Family::Vvv), ("lda", Family::Eee), ("nearest mean", Family::Unit)]
    {
        let spec = CovarianceSpec::from(family);
        let priors = spec.default_priors();
        let rule = bench.learnt(subject, &spec.into(), &priors)?;
        let look = Look { title: Some(format!("{name} on banana")), ..Look::default() };
        chapter.figure(regions(&rule, Some(&subject.few), &look));
    }
    chapter.commands(vec![
        "gaussbayes plot banana --model qda -o qda.svg".into(),
        "gaussbayes plot banana --model lda -o lda.svg".into(),
        "gaussbayes plot banana --model nearest-mean -o mean.svg".into(),
    ]);
    Ok(())
}

/// Linear discriminant analysis of iris: what it looks like, and what it says of its own error.
fn on_rows(
    iris: &Subject,
    judged: Option<&Judgement>,
    bench: &Bench<'_>,
) -> Result<Chapter, Failure> {
    bench.chapter("lda", "One rule looked at: lda on iris", |chapter| {
        let spec = CovarianceSpec::lda();
        let priors = spec.default_priors();
        let candidate = (spec.into(), priors);
        let rule = bench.learnt(iris, &candidate.0, &candidate.1)?;
        chapter.say(
            "With one covariance for all classes every boundary is flat. The equations are in the units of the columns, \
             ready for a pocket calculator.",
        );
        explained(chapter, &rule)?;
        chapter.figure(projection(&rule, Some(&iris.few), &Look::default()));
        chapter.commands(vec![
            "gaussbayes fit iris --model lda -o lda.json".into(),
            "gaussbayes explain lda.json".into(),
            "gaussbayes plot lda.json iris --figure projection -o projection.svg".into(),
        ]);
        chapter.heading("Its errors");
        let judged = judged.ok_or(gaussbayes::Error::NoRows)?;
        confused(chapter, "lda", judged);
        roc_curves(chapter, "lda", &candidate, iris, bench)?;
        chapter.json = exact_beside(chapter, &rule, judged, bench)?;
        chapter.commands(vec![
            "gaussbayes evaluate iris --model lda".into(),
            "gaussbayes evaluate iris --model lda --curve roc".into(),
            "gaussbayes error lda.json iris".into(),
        ]);
        chapter.heading("One flower moved");
        chapter.say("A single row far from its class turns the boundary of everybody.");
        one_moved(chapter, &iris.few, &iris.features, widest(rule.mixture()?));
        Ok(())
    })
}

/// Columns that help less and less, and columns that repeat.
fn curse(chapter: &mut Chapter, bench: &Bench<'_>) -> Result<(), Failure> {
    chapter.say(
        "Trunk's example: each further column helps a little less. With known means every column lowers the error; with \
         means estimated from ten rows, the error falls, turns, and rises again: the peaking of the curve is exact, not luck.",
    );
    let trunk = Subject::built_in("trunk", bench)?;
    let spec = CovarianceSpec::nearest_mean();
    let priors = spec.default_priors();
    let known = |dim: usize| {
        let (trunk, half) = (Trunk { dim }, LEARN_FROM as f64 / 2.0);
        vec![
            ("expected".to_string(), trunk.nearest_mean_error(half, half).value),
            ("means known".to_string(), trunk.bayes_error()),
        ]
    };
    let growth = Growth {
        names: vec!["nearest-mean".into()],
        candidates: vec![(spec.into(), priors)],
        over: Over::Columns,
        order: ColumnOrder::Given,
        learn_from: Some(LEARN_FROM),
        known: Some(&known),
    };
    chapter.json = growth.drawn(chapter, &trunk, bench)?;
    chapter.command(format!(
        "gaussbayes evaluate trunk --model nearest-mean --curve features --learn-from {LEARN_FROM}"
    ));
    chapter.say(
        "Columns that repeat others are no better: with 100 rows the full covariance of qda has more numbers to \
         estimate than the rows can pay for, and lda fewer.",
    );
    let echo = Subject::built_in("echo", bench)?;
    let candidate = |spec: CovarianceSpec| {
        let priors = spec.default_priors();
        (spec.into(), priors)
    };
    let growth = Growth {
        names: vec!["qda".into(), "lda".into()],
        candidates: vec![candidate(CovarianceSpec::qda()), candidate(CovarianceSpec::lda())],
        known: None,
        learn_from: Some(ECHO_FROM),
        ..growth
    };
    growth.drawn(chapter, &echo, bench)?;
    chapter.command(format!(
        "gaussbayes evaluate echo --model qda --against lda --curve features --learn-from {ECHO_FROM}"
    ));
    Ok(())
}
