//! Says what the boundaries of a model are: equations, kinds, thresholds.

use gaussbayes::{Boundary, Classifier, Kind, Label, Region, Scorer};
use serde_json::{Value, json};

use super::{action_name, adjusted, model, softmax, square};
use crate::args::{Explain, Form, Format};
use crate::equation::{Equation, Place, latex_text};
use crate::failure::Failure;
use crate::output::Output;
use crate::text::short;

/// Terms of an equation up to which a person reads it.
const MOST_TERMS: usize = 66;

/// Characters of a line.
const LINE: usize = 96;

pub(crate) fn run(arguments: &Explain, output: &Output) -> Result<(), Failure> {
    let model = model::open(&arguments.model, &[])?;
    let priors = arguments.priors.as_deref();
    let classifier = adjusted(model.classifier, &model.spec, priors, &arguments.costs, output)?;
    if arguments.form == Some(Form::Softmax) {
        return as_softmax(arguments, &classifier, output);
    }
    let actions = classifier.loss().actions().len();
    let pairs = match &arguments.pair {
        Some(text) => vec![pair(&classifier, text)?],
        None => (0..actions).flat_map(|a| (a + 1..actions).map(move |b| (a, b))).collect(),
    };
    classifier.rule()?;
    let place = place(&classifier)?;
    let (mut parts, mut objects) = (Vec::new(), Vec::new());
    for (a, b) in pairs {
        let boundary = classifier.boundary(a, b)?;
        let found = Found { classifier: &classifier, boundary: &boundary, place: &place };
        parts.push(if arguments.format == Format::Latex { found.latex() } else { found.text() });
        objects.push(found.json());
    }
    let classes = classifier.classes();
    let thresholds = thresholds(&classifier);
    let thresholds = thresholds.map(|all| all.chunks_exact(classes.len()).map(finite).collect());
    let thresholds: Option<Vec<Vec<Option<f64>>>> = thresholds;
    let mut text = parts.join("\n");
    let regions = regions(&classifier);
    if arguments.format == Format::Text && regions.len() > 1 {
        text.push_str(&format!("\n{}\n", line(&classifier, &regions, &place)));
    }
    if arguments.format == Format::Text
        && let Some(sentences) = equivalence(&classifier)
    {
        text.push_str(&format!("\n{sentences}"));
    }
    let result = json!({
        "model": arguments.model,
        "classes": classes.iter().map(Label::as_str).collect::<Vec<_>>(),
        "features": classifier.features(),
        "priors": classifier.priors(),
        "actions": (0..actions).map(|a| action_name(&classifier, a)).collect::<Vec<_>>(),
        "thresholds": thresholds,
        "regions": (classifier.features().len() == 1).then(|| region_objects(&classifier, &regions)),
        "pairs": objects,
    });
    output.answer(&text, &result)
}

/// Two actions by their names. A name may hold a comma, so every one may be the one between them.
fn pair(classifier: &Classifier, text: &str) -> Result<(usize, usize), Failure> {
    let count = classifier.loss().actions().len();
    let names: Vec<String> = (0..count).map(|a| action_name(classifier, a)).collect();
    let find = |name: &str| names.iter().position(|known| known == name.trim());
    let commas = || text.match_indices(',').map(|(at, _)| (&text[..at], &text[at + 1..]));
    if let Some((a, b)) = commas().find_map(|(a, b)| Some((find(a)?, find(b)?))) {
        if a == b {
            let message = format!("'{}' has no boundary with itself", names[a]);
            return Err(Failure::usage(message, "--pair A,B with two classes"));
        }
        return Ok((a, b));
    }
    let wrong = commas().next().map(|(a, b)| if find(a).is_some() { b } else { a });
    let Some(wrong) = wrong.map(str::trim) else {
        let message = format!("'{text}' is no pair");
        return Err(Failure::usage(message, format!("--pair {},{}", names[0], names[count - 1])));
    };
    let hint = gaussbayes_io::nearest(wrong, names.iter().map(String::as_str)).map_or_else(
        || format!("the actions are {}", names.join(", ")),
        |nearest| format!("did you mean '{nearest}'?"),
    );
    Err(Failure::usage(format!("'{wrong}' is no class of the model"), hint))
}

/// The scores of a model whose log-odds are linear, as coefficients of a softmax.
fn as_softmax(
    arguments: &Explain,
    classifier: &Classifier,
    output: &Output,
) -> Result<(), Failure> {
    let found = classifier.softmax()?;
    let text = format!(
        "{} as softmax regression\n\n{}",
        arguments.model,
        softmax::coefficients(classifier, &found)
    );
    let mut result = json!({
        "model": arguments.model,
        "classes": classifier.classes().iter().map(Label::as_str).collect::<Vec<_>>(),
        "features": classifier.features(),
        "priors": classifier.priors(),
    });
    if let Some(object) = result.as_object_mut() {
        object.extend(softmax::fields(&found));
    }
    output.answer(&text, &result)
}

/// Thresholds of likelihood ratios, where there are likelihoods.
fn thresholds(classifier: &Classifier) -> Option<Vec<f64>> {
    let generative = classifier.model().is_generative();
    classifier.loss().thresholds(&classifier.priors()).filter(|_| generative)
}

/// Where rows are: the centre of all, and the widest deviation of each column.
pub(super) fn place(classifier: &Classifier) -> Result<Place, Failure> {
    if let Scorer::Softmax(softmax) = classifier.model() {
        let unit = |&e: &i32| f64::from(e).exp2();
        let deviations = softmax.frame().exponent().iter().map(unit).collect();
        return Ok(Place { centre: softmax.frame().origin().to_vec(), deviations });
    }
    let mixture = classifier.mixture()?;
    let centre = mixture.centre();
    let mut deviations = vec![0.0_f64; mixture.dim()];
    for k in 0..mixture.components() {
        let variances = mixture.raw_variances(k);
        for (j, mean) in mixture.raw_mean(k).iter().enumerate() {
            let wide = variances[j].sqrt() + (mean - centre[j]).abs();
            deviations[j] = deviations[j].max(wide);
        }
    }
    Ok(Place { centre, deviations })
}

/// A boundary and what it belongs to.
struct Found<'a> {
    classifier: &'a Classifier,
    boundary: &'a Boundary,
    place: &'a Place,
}

impl Found<'_> {
    fn names(&self) -> (String, String) {
        let (a, b) = self.boundary.actions;
        (action_name(self.classifier, a), action_name(self.classifier, b))
    }

    fn equation(&self) -> Option<Equation<'_>> {
        let function = self.boundary.quadric.as_ref()?;
        Some(Equation::new(function, self.classifier.features(), self.place))
    }

    /// T with which the first class is said where p(x|a)/p(x|b) exceeds it.
    fn threshold(&self) -> Option<f64> {
        let (classifier, (a, b)) = (self.classifier, self.boundary.actions);
        let classes = classifier.classes().len();
        let all = thresholds(classifier)?;
        // Actions are the classes, in their order, wherever there are thresholds.
        let threshold = *all.get(a * classes + b).filter(|_| a < classes && b < classes)?;
        (threshold.is_finite() && threshold > 0.0).then_some(threshold)
    }

    fn text(&self) -> String {
        let ((a, b), boundary) = (self.names(), self.boundary);
        let mut lines = vec![format!("'{a}' and '{b}': {}", boundary.kind.name())];
        let better = boundary.better.map(|action| action_name(self.classifier, action));
        match (boundary.kind, better) {
            (Kind::Empty, Some(better)) => lines.push(format!("  '{better}' is better everywhere")),
            (Kind::Empty, None) => lines.push("  one of them is better everywhere".into()),
            (Kind::Everywhere, _) => lines.push("  both are as good everywhere".into()),
            (Kind::NotAQuadric, _) if self.classifier.loss().outliers().is_some() => {
                lines
                    .push("  where the density of all classes together falls below a level".into());
            }
            (Kind::NotAQuadric, _) => {
                lines.push("  more than two classes enter the comparison of their costs".into());
            }
            _ => {}
        }
        if let Some(equation) = self.equation().filter(|_| boundary.kind != Kind::Everywhere) {
            lines.push(match equation.terms() {
                1..=MOST_TERMS => format!("  '{a}' where {} > 0", wrapped(&equation.text())),
                terms => format!("  an equation of {terms} terms: --json has them"),
            });
        }
        if !boundary.thresholds.is_empty() {
            let at = |x: &f64| self.place.precise(*x);
            let all: Vec<String> = boundary.thresholds.iter().map(at).collect();
            lines.push(format!("  at {}", all.join(" and ")));
        } else if let Some(plane) = &boundary.plane {
            lines.push(format!(
                "  through {} with normal {}",
                self.place.tuple(&plane.point),
                tuple(&plane.normal)
            ));
        } else if let Some(canonical) =
            boundary.canonical.as_ref().filter(|_| boundary.kind != Kind::Empty)
        {
            let word = if canonical.slope == 0.0 { "centre" } else { "vertex" };
            lines.push(format!("  {word} {}", self.place.tuple(&canonical.centre)));
            let dim = canonical.centre.len();
            let axes = canonical.axes.chunks_exact(dim).zip(&canonical.semi_axes);
            let semi = axes.filter_map(|(axis, semi)| Some((axis, (*semi)?)));
            if matches!(boundary.kind, Kind::Circle | Kind::Sphere) {
                let radius = canonical.semi_axes.iter().flatten().next();
                lines.extend(radius.map(|radius| format!("  radius {}", short(*radius))));
            } else {
                lines.extend(semi.map(|(axis, semi)| {
                    format!("  semi-axis {} along {}", short(semi), tuple(axis))
                }));
            }
        }
        if let Some(threshold) = self.threshold() {
            lines.push(format!(
                "  likelihood ratio: '{a}' where p(x|{a}) / p(x|{b}) > {}",
                short(threshold)
            ));
        }
        lines.join("\n") + "\n"
    }

    fn latex(&self) -> String {
        let ((a, b), kind) = (self.names(), self.boundary.kind.name());
        let Some(equation) = self.equation() else {
            return format!("% '{a}' and '{b}': {kind}\n");
        };
        format!(
            "% '{a}' and '{b}': {kind}\n\\begin{{aligned}}\n  f(x) &= {} \\\\\n  &> 0 \
             \\iff \\text{{{} rather than {}}}\n\\end{{aligned}}\n",
            equation.latex(),
            latex_text(&a),
            latex_text(&b)
        )
    }

    fn json(&self) -> Value {
        let (boundary, (a, b)) = (self.boundary, self.names());
        let dim = self.classifier.features().len();
        let raw = boundary.quadric.as_ref().map(gaussbayes::Quadratic::raw);
        let canonical = boundary.canonical.as_ref();
        let plane = boundary.plane.as_ref();
        let homogeneous = raw.as_ref().map(gaussbayes::RawQuadratic::homogeneous);
        let rows = |values: &[f64], width: usize| -> Vec<Vec<f64>> {
            values.chunks_exact(width).map(<[f64]>::to_vec).collect()
        };
        json!({
            "classes": [a, b],
            "kind": boundary.kind.name(),
            "quadratic": raw.as_ref().map(|raw| square(&raw.quadratic, dim)),
            "linear": raw.as_ref().map(|raw| &raw.linear),
            "constant": raw.as_ref().map(|raw| raw.constant),
            "homogeneous": homogeneous.map(|all| rows(&all, dim + 1)),
            "equation": self.equation().map(|equation| equation.text()),
            "latex": self.equation().map(|equation| equation.latex()),
            "centre": canonical.map(|one| &one.centre),
            "axes": canonical.map(|one| rows(&one.axes, dim)),
            "semi_axes": canonical.map(|one| &one.semi_axes),
            "eigenvalues": canonical.map(|one| &one.eigenvalues),
            "normal": plane.map(|plane| &plane.normal),
            "point": plane.map(|plane| &plane.point),
            "thresholds": (dim == 1).then_some(&boundary.thresholds),
            "better": boundary.better.map(|action| action_name(self.classifier, action)),
            "threshold": self.threshold(),
        })
    }
}

/// What the threshold between two classes says in terms of costs, and of priors.
fn equivalence(classifier: &Classifier) -> Option<String> {
    let [first, second] = classifier.classes() else { return None };
    thresholds(classifier)?;
    let (loss, weights) = (classifier.loss(), classifier.priors());
    let threshold = loss.threshold(&weights).filter(|t| t.is_finite() && *t > 0.0)?;
    let excess = (loss.cost(0, 1) - loss.cost(0, 0), loss.cost(1, 0) - loss.cost(1, 1));
    let (priors, shown) = ((short(weights[0]), short(weights[1])), short(threshold));
    let times = if threshold == 1.0 { "as much as".into() } else { format!("{shown} times") };
    Some(format!(
        "threshold  {shown}: priors {} and {}, an error on '{first}' costs {} and on '{second}' {}\n\
         as costs   with equal priors: an error on '{second}' costs {times} one on '{first}'\n\
         as priors  with equal costs: '{first}' has prior {} and '{second}' {}\n",
        priors.0,
        priors.1,
        short(excess.0),
        short(excess.1),
        short(1.0 / (1.0 + threshold)),
        short(threshold / (1.0 + threshold)),
    ))
}

/// Text broken before a sign where a line is full.
fn wrapped(text: &str) -> String {
    let (mut lines, mut width) = (String::new(), 0);
    let words: Vec<&str> = text.split(' ').collect();
    for (at, word) in words.iter().enumerate() {
        let term = words[at..].iter().take(4).map(|word| word.chars().count() + 1).sum::<usize>();
        if matches!(*word, "+" | "-") && width + term > LINE {
            lines.push_str("\n     ");
            width = 0;
        }
        lines.push_str(if lines.is_empty() { "" } else { " " });
        lines.push_str(word);
        width += word.chars().count() + 1;
    }
    lines
}

/// The regions of the actions, of a model of one column; none where they are not known.
fn regions(classifier: &Classifier) -> Vec<Region> {
    classifier.regions().unwrap_or_default()
}

/// Where which action is taken, in words.
fn line(classifier: &Classifier, regions: &[Region], place: &Place) -> String {
    let region = |region: &Region| {
        let name = action_name(classifier, region.action);
        let (from, to) = (place.precise(region.from), place.precise(region.to));
        match (region.from.is_finite(), region.to.is_finite()) {
            (false, true) => format!("'{name}' below {to}"),
            (true, false) => format!("'{name}' above {from}"),
            _ => format!("'{name}' from {from} to {to}"),
        }
    };
    regions.iter().map(region).collect::<Vec<_>>().join(", ")
}

fn region_objects(classifier: &Classifier, regions: &[Region]) -> Vec<Value> {
    let end = |x: f64| x.is_finite().then_some(x);
    let object = |region: &Region| {
        let action = action_name(classifier, region.action);
        json!({ "from": end(region.from), "to": end(region.to), "action": action })
    };
    regions.iter().map(object).collect()
}

fn tuple(values: &[f64]) -> String {
    let numbers: Vec<String> = values.iter().copied().map(short).collect();
    format!("({})", numbers.join(", "))
}

fn finite(row: &[f64]) -> Vec<Option<f64>> {
    row.iter().map(|x| x.is_finite().then_some(*x)).collect()
}
