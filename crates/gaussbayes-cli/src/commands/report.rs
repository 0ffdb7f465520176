//! Tells the story of a user's own rows as one page.

use gaussbayes::{Classifier, ColumnOrder, CovarianceSpec, Error, Judgement, View};
use gaussbayes_io::write_atomically;
use gaussbayes_plot::{Look, Over, pairs, projection, regions};
use serde_json::{Map, Value, json};

use super::chapters::{
    Bench, Compared, Described, Found, Growth, Subject, against_classes, by_bic, compared,
    confused, described, exact_beside, explained, farthest, influential, inverses, moved,
    needs_classes, needs_numbers, roc_curves, scaling_drawn, steps, summary, units, widest,
    written,
};
use super::compare::Named3;
use super::refuse_overwriting;
use super::workers::Workers;
use crate::args::{Common, Report};
use crate::failure::Failure;
use crate::output::Output;
use crate::page::{Chapter, Page, isolated};

/// Classifiers whose errors are followed as rows and columns grow.
const FOLLOWED: [&str; 3] = ["qda", "lda", "nearest-mean"];

pub(crate) fn run(arguments: &Report, common: &Common, output: &Output) -> Result<(), Failure> {
    refuse_overwriting(&arguments.output, &arguments.data.tables.paths())?;
    let workers = Workers::new(common, "reading")?;
    let bench = Bench { workers: &workers, common };
    let subject = Subject::open(arguments, output.words().to_vec(), &bench, Some(output))?;
    if subject.total == 0 {
        return Err(Error::NoRows.into());
    }
    let found = described(&subject, &bench)?;
    let mut chapters = vec![bench.chapter("data", "The data", |chapter| {
        summary(chapter, &subject, &found);
        if subject.features.len() > 1 && subject.few.rows() > 0 {
            let (rows, features) = (Some(&subject.few), &subject.features);
            chapter.figure(pairs(None, rows, features, &Look::default()));
            let line = subject.command("plot", &[("figure", "pairs")]);
            chapter.command(format!("{line} -o pairs.svg"));
        }
        Ok(())
    })?];
    let mut best = None;
    if subject.target.is_some() {
        let story = Story { subject: &subject, bench: &bench, found: &found };
        best = story.of_classes(&mut chapters)?;
    }
    of_clusters(&subject, &bench, &mut chapters)?;
    let title = format!("Report on {}", isolated(&subject.name));
    let page = Page { title, lead: lead(&subject), chapters };
    let path = arguments.output.display().to_string();
    write_atomically(&arguments.output, page.html().as_bytes())?;
    let (text, chapters) = told(&page);
    let to = if subject.target.is_some() { "compare" } else { "cluster" };
    let text = format!("{text}\nsaved {path}\n{}", output.next(to, &[]));
    let result = json!({
        "report": path,
        "n": subject.total,
        "features": subject.features,
        "target": subject.target,
        "best": best,
        "chapters": chapters,
    });
    output.answer(&text, &result)
}

/// What every page says first.
fn lead(subject: &Subject) -> Vec<String> {
    let what = match &subject.target {
        Some(target) => format!(
            "How well Gaussian classifiers tell the classes of '{}' apart, why, and what would change that; then \
             what the rows look like without their classes.",
            isolated(target)
        ),
        None => "What groups there are among the rows, by mixtures of Gaussians; name the column of classes with \
                 --target, and there will be classifiers too."
            .to_string(),
    };
    vec![what, "Below each chapter stand the commands that compute the same in a terminal.".into()]
}

/// Lines for the terminal, and what each chapter found for programs.
pub(super) fn told(page: &Page) -> (String, Value) {
    let mut text = String::new();
    // Chapters that are left out for one reason are named together.
    for run in page.chapters.chunk_by(|a, b| a.missing.is_some() && a.missing == b.missing) {
        let titles: Vec<&str> = run.iter().map(|chapter| chapter.title.as_str()).collect();
        text.push_str(&format!("{}\n", titles.join(", ")));
        let why = run[0].missing.as_ref().map(|why| format!("left out: {why}"));
        for line in why.iter().chain(&run[0].brief) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    let found = page.chapters.iter().map(|chapter| (chapter.id.into(), chapter.json.clone()));
    (text, Value::Object(found.collect::<Map<_, _>>()))
}

/// The chapters about classes.
struct Story<'a> {
    subject: &'a Subject,
    bench: &'a Bench<'a>,
    found: &'a Described,
}

/// The classifier that a story goes on with.
struct Best<'a> {
    candidate: &'a Named3,
    judged: &'a Judgement,
    classifier: Classifier,
    /// The command that fits it.
    fit: String,
}

impl Story<'_> {
    /// Adds all of them; returns the name of the classifier that they go on with.
    fn of_classes(&self, chapters: &mut Vec<Chapter>) -> Result<Option<String>, Failure> {
        let (subject, bench) = (self.subject, self.bench);
        let mut all: Option<Compared> = None;
        chapters.push(bench.chapter("classifiers", "Classifiers compared", |chapter| {
            needs_classes(subject)?;
            let found = compared(chapter, subject, bench)?;
            chapter.json = found.ranked.short_json();
            chapter.command(subject.command("compare", &[]));
            all = Some(found);
            Ok(())
        })?);
        let best = all.as_ref().and_then(Compared::best).and_then(|(candidate, judged)| {
            let (name, _, (learner, priors)) = candidate;
            let classifier = bench.learnt(subject, learner, priors).ok()?;
            let fit = subject.command("fit", &[("model", name)]);
            Some(Best { candidate, judged, classifier, fit })
        });
        self.of_best(best.as_ref(), chapters)?;
        self.of_rows(chapters)?;
        Ok(best.map(|best| best.candidate.0.clone()))
    }

    /// Chapters about one classifier.
    fn of_best(&self, best: Option<&Best<'_>>, chapters: &mut Vec<Chapter>) -> Result<(), Failure> {
        let (subject, bench) = (self.subject, self.bench);
        let known = || {
            needs_numbers(subject)?;
            needs_classes(subject)?;
            best.ok_or_else(|| {
                Failure::usage("no Gaussian classifier could be fitted", "see the chapter before")
            })
        };
        chapters.push(bench.chapter("mistakes", "Where it errs", |chapter| {
            let best = known()?;
            let (name, _, candidate) = best.candidate;
            confused(chapter, name, best.judged);
            chapter.json = roc_curves(chapter, name, candidate, subject, bench)?;
            chapter.commands(vec![
                subject.command("evaluate", &[("model", name)]),
                subject.command("evaluate", &[("model", name), ("kind", "roc")]),
            ]);
            Ok(())
        })?);
        chapters.push(bench.chapter("boundaries", "Boundaries", |chapter| {
            let best = known()?;
            self.seen(chapter, best);
            chapter.json = explained(chapter, &best.classifier)?.into();
            chapter.commands(vec![best.fit.clone(), "gaussbayes explain model.json".into()]);
            Ok(())
        })?);
        chapters.push(bench.chapter("error", "The error, exactly and by rows", |chapter| {
            let best = known()?;
            chapter.json = exact_beside(chapter, &best.classifier, best.judged, bench)?;
            chapter.commands(vec![best.fit.clone(), "gaussbayes error model.json".into()]);
            Ok(())
        })?);
        chapters.push(bench.chapter("costs", "What costs would change", |chapter| {
            let best = known()?;
            let class = most_missed(best.judged);
            let candidate = &best.candidate.2;
            let of = (subject, class);
            chapter.json = moved(chapter, candidate, &best.classifier, best.judged, of, bench)?;
            if let Some(costs) = written(best.classifier.classes(), class) {
                let set = [("model", best.candidate.0.as_str()), ("loss", "costs.csv")];
                chapter.commands(vec![costs, subject.command("evaluate", &set)]);
            }
            Ok(())
        })?);
        chapters.push(bench.chapter("outliers", "Rows far from their class", |chapter| {
            let best = known()?;
            chapter.json = farthest(chapter, subject, &best.classifier)?;
            chapter.commands(vec![
                best.fit.clone(),
                subject.command("predict", &[("model", "model.json")]) + " --distance",
            ]);
            Ok(())
        })?);
        Ok(())
    }

    /// What a rule looks like.
    fn seen(&self, chapter: &mut Chapter, best: &Best<'_>) {
        let (subject, rule) = (self.subject, &best.classifier);
        let rows = Some(&subject.few);
        match (subject.features.len(), rule.mixture()) {
            (1 | 2, _) | (_, Err(_)) => {
                chapter.figure(regions(rule, rows, &Look::default()));
            }
            (_, Ok(mixture)) => {
                let columns = widest(mixture);
                let view = View::Slice { columns, at: None };
                let look = Look { view, ..Look::default() };
                chapter.figure(projection(rule, rows, &Look::default()));
                chapter.figure(regions(rule, rows, &look));
            }
        }
    }

    /// Chapters about rows and columns, whatever the classifier.
    fn of_rows(&self, chapters: &mut Vec<Chapter>) -> Result<(), Failure> {
        let (subject, bench) = (self.subject, self.bench);
        chapters.push(bench.chapter("singular", "Covariances and their inverses", |chapter| {
            needs_numbers(subject)?;
            needs_classes(subject)?;
            chapter.json = inverses(chapter, subject, self.found.classes(), bench)?;
            let set = [("model", "qda"), ("shrinkage", "auto")];
            chapter.command(subject.command("evaluate", &set));
            Ok(())
        })?);
        chapters.push(bench.chapter("scaling", "Units of the columns", |chapter| {
            needs_numbers(subject)?;
            needs_classes(subject)?;
            chapter.json = units(chapter, subject, bench)?;
            scaling_drawn(chapter, subject, &self.found.deviations());
            chapter.commands(vec![
                subject.command("evaluate", &[("model", "nearest-mean")]),
                subject.command("evaluate", &[("model", "nearest-mean"), ("standardize", "")]),
            ]);
            Ok(())
        })?);
        chapters.push(bench.chapter("features", "How many columns", |chapter| {
            needs_numbers(subject)?;
            needs_classes(subject)?;
            if subject.features.len() < 3 {
                let message = "there are fewer than three columns";
                return Err(Failure::usage(message, "there is no curve to draw"));
            }
            chapter.say(
                "Columns join one by one, those that set the classes farthest apart first. A classifier of more \
                 parameters gains from a column as long as there are rows to estimate them from.",
            );
            let growth = followed(Over::Columns);
            chapter.json = growth.drawn(chapter, subject, bench)?;
            let set = [("model", "qda"), ("kind", "features"), ("order", "separation")];
            chapter.command(subject.command("evaluate", &set));
            Ok(())
        })?);
        chapters.push(bench.chapter("learning", "How many rows", |chapter| {
            needs_numbers(subject)?;
            needs_classes(subject)?;
            chapter.say(
                "Where a curve still falls at its end, more rows would help; where it is flat, another model might.",
            );
            chapter.json = followed(Over::Rows).drawn(chapter, subject, bench)?;
            let set = [("model", "qda"), ("kind", "learning"), ("against", "lda")];
            chapter.command(subject.command("evaluate", &set));
            Ok(())
        })?);
        Ok(())
    }
}

/// The class of which most rows are taken for others; the last of several.
fn most_missed(judged: &Judgement) -> usize {
    let counts = judged.confusion();
    let missed = |k: usize| counts[k].iter().sum::<f64>() - counts[k].get(k).unwrap_or(&0.0);
    (0..counts.len()).max_by(|&a, &b| missed(a).total_cmp(&missed(b))).unwrap_or(0)
}

fn followed(over: Over) -> Growth<'static> {
    let specs = [CovarianceSpec::qda(), CovarianceSpec::lda(), CovarianceSpec::nearest_mean()];
    let candidate = |spec: CovarianceSpec| {
        let priors = spec.default_priors();
        (spec.into(), priors)
    };
    Growth {
        names: FOLLOWED.map(String::from).to_vec(),
        candidates: specs.map(candidate).into_iter().collect(),
        over,
        order: ColumnOrder::Separation,
        learn_from: None,
        known: None,
    }
}

/// Chapters about rows without their classes.
fn of_clusters(
    subject: &Subject,
    bench: &Bench<'_>,
    chapters: &mut Vec<Chapter>,
) -> Result<(), Failure> {
    let mut found: Option<Found> = None;
    chapters.push(bench.chapter("clusters", "Groups without labels", |chapter| {
        needs_numbers(subject)?;
        let best = by_bic(chapter, subject, bench)?;
        against_classes(chapter, subject, &best)?;
        chapter.command(subject.command("cluster", &[("model", "VVV,EEE,VVI,EII")]) + " -k 1..6");
        found = Some(best);
        Ok(())
    })?);
    let known = || {
        found.as_ref().ok_or_else(|| {
            Failure::usage("no mixture was fitted", "see the chapter on groups without labels")
        })
    };
    chapters.push(bench.chapter("em", "EM step by step", |chapter| {
        let cell = known()?.cell;
        chapter.json = steps(chapter, subject, cell, bench)?;
        let set = [("model", cell.family.name()), ("start", "random"), ("restarts", "1")];
        let line = subject.command("cluster", &set);
        chapter.command(format!("{line} -k {} --trace trace.csv", cell.components));
        Ok(())
    })?);
    chapters.push(bench.chapter("influence", "Rows that matter most", |chapter| {
        let best = known()?;
        chapter.json = influential(chapter, subject, best, bench)?;
        let line = subject.command("cluster", &[("model", best.cell.family.name())]);
        chapter.commands(vec![
            format!("{line} -k {} --influence 5", best.cell.components),
            format!("{line} -k {} --noise", best.cell.components),
        ]);
        Ok(())
    })?);
    Ok(())
}
