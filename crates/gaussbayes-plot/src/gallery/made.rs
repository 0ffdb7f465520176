//! Makes the models, the rows and the words that figures of the gallery have in common.

use gaussbayes::{
    Classifier, CovarianceSpec, Figure, Label, On, Parameters, Pool, Priors, RiskOptions, Table,
    View, Window,
};

use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Dash, Ink, Key, Layer, Panel, Picture, Sign, Stroke};

/// Rows of each class of the banana set that rules are learnt from, and that are drawn.
const BANANA: (usize, usize) = (1000, 150);

/// A model of known means and covariances, the lower triangles of which stand row by row; one for all classes where
/// there is one. Priors are equal unless given.
pub(super) fn known(
    means: &[&[f64]],
    triangles: &[&[f64]],
    priors: Option<&[f64]>,
) -> Result<Classifier, PlotError> {
    let dim = means.first().map_or(0, |mean| mean.len());
    let entry = |triangle: &[f64], i: usize, j: usize| {
        let (i, j) = (i.max(j), i.min(j));
        triangle[i * (i + 1) / 2 + j]
    };
    let square = |triangle: &&[f64]| -> Vec<Vec<f64>> {
        (0..dim).map(|i| (0..dim).map(|j| entry(triangle, i, j)).collect()).collect()
    };
    let features = match dim {
        1 => vec!["x".into()],
        _ => (1..=dim).map(|j| format!("x{j}")).collect(),
    };
    let parameters = Parameters {
        classes: (1..=means.len()).map(|k| Label::from(k.to_string())).collect(),
        features,
        priors: priors.map(<[f64]>::to_vec),
        means: means.iter().map(|mean| mean.to_vec()).collect(),
        covariances: triangles.iter().map(square).collect(),
        costs: None,
    };
    Ok(parameters.classifier()?)
}

/// A figure of the lectures as a model.
pub(super) fn figure(name: &str) -> Result<Classifier, PlotError> {
    let figure =
        Figure::named(name).ok_or_else(|| PlotError::NoSuchFigure { name: name.to_owned() })?;
    Ok(figure.parameters().classifier()?)
}

/// The model of a specification that rows give.
pub(super) fn fitted(
    spec: &CovarianceSpec,
    rows: &Table,
    features: &[&str],
) -> Result<Classifier, PlotError> {
    let features: Vec<String> = features.iter().map(ToString::to_string).collect();
    let learner = gaussbayes::Learner::from(spec.clone());
    let pool = Pool::new(1)?;
    let priors = spec.default_priors();
    Ok(learner.learn(&priors, &features, &mut rows.source(), On::pool(&pool))?.classifier)
}

/// The chance that a rule errs, in words.
pub(super) fn error_of(rule: &Classifier) -> Result<String, PlotError> {
    let pool = Pool::new(1)?;
    let risk = rule.risk(None, &RiskOptions::default(), On::pool(&pool))?;
    Ok(per_cent(risk.error_rate.value))
}

/// The chance that a rule errs where rows come from a truth.
pub(super) fn error_under(rule: &Classifier, truth: &Classifier) -> Result<String, PlotError> {
    let pool = Pool::new(1)?;
    let risk = rule.risk(Some(truth.gaussians()?), &RiskOptions::default(), On::pool(&pool))?;
    Ok(per_cent(risk.error_rate.value))
}

/// A share with one decimal, or with two digits where it is small.
pub(super) fn per_cent(share: f64) -> String {
    let per_cent = 100.0 * share;
    if per_cent >= 1.0 { format!("{per_cent:.1} %") } else { format!("{per_cent:.2} %") }
}

/// A matrix of two columns, in one line.
pub(super) fn matrix(triangle: &[f64]) -> String {
    let [a, b, c] = triangle else { return String::new() };
    format!("[{a} {b}; {b} {c}]")
}

/// The banana set: the rows that rules are learnt from, and those of them that are drawn.
pub(super) fn banana() -> (Table, Table) {
    let (learnt, drawn) = BANANA;
    (gaussbayes::banana(learnt, 1), gaussbayes::banana(drawn, 1))
}

/// What is said below a figure of the banana set.
pub(super) fn banana_note() -> String {
    let (learnt, drawn) = BANANA;
    format!("learnt from {} rows, of which {} are drawn", 2 * learnt, 2 * drawn)
}

/// Rows of two columns by class.
pub(super) fn rows(classes: &[(&str, &[[f64; 2]])]) -> Table {
    let all = classes.iter().enumerate();
    let codes = all.flat_map(|(k, (_, points))| vec![k as u32; points.len()]).collect();
    Table {
        dim: 2,
        values: classes.iter().flat_map(|(_, points)| points.iter().flatten()).copied().collect(),
        codes: Some(codes),
        dictionary: classes.iter().map(|(name, _)| Label::from(*name)).collect(),
        ..Table::default()
    }
}

/// The part of the plane that a panel shows.
pub(super) fn window(panel: &Panel) -> Window {
    Window {
        low: [panel.across.low, panel.upward.low],
        high: [panel.across.high, panel.upward.high],
    }
}

/// The boundaries of a rule of two columns, as one line of a panel.
pub(super) fn boundary(
    rule: &Classifier,
    window: &Window,
    ink: Ink,
    stroke: Stroke,
) -> Result<Layer, PlotError> {
    let mut path = Path::default();
    for curve in rule.curves(&View::Whole, window)? {
        path.parts.extend(curve.pieces.iter().flat_map(|piece| Path::of_piece(piece).parts));
    }
    Ok(Layer::Line { path, ink, stroke })
}

/// A line of the key for a line of the picture.
pub(super) fn line_key(label: impl Into<String>, ink: Ink, stroke: Stroke) -> Key {
    Key { label: label.into(), ink, sign: Sign::Line(stroke) }
}

/// A boundary that is told from others by its pattern.
pub(super) fn stroke(dash: Dash) -> Stroke {
    Stroke { dash, ..Stroke::BOUNDARY }
}

/// Panels of several pictures side by side, each under its own title, with the key of all of them.
pub(super) fn beside(
    title: impl Into<String>,
    pictures: Vec<Picture>,
    columns: usize,
    size: [f64; 2],
) -> Picture {
    let (mut panels, mut key, mut notes) = (Vec::new(), Vec::<Key>::new(), Vec::new());
    for picture in pictures {
        for mut panel in picture.panels {
            if panel.title.is_empty() {
                panel.title.clone_from(&picture.title);
            }
            panel.size = size;
            panels.push(panel);
        }
        key.extend(picture.key.into_iter().filter(|one| !key.contains(one)).collect::<Vec<_>>());
        notes.extend(picture.notes);
    }
    notes.dedup();
    Picture { key, notes, ..Picture::grid(title, panels, columns) }
}

/// A picture with other words.
pub(super) fn told(
    picture: Picture,
    title: impl Into<String>,
    description: impl Into<String>,
    caption: impl Into<String>,
) -> Picture {
    Picture {
        title: title.into(),
        description: description.into(),
        caption: caption.into(),
        ..picture
    }
}

/// The same priors for all classes.
pub(super) fn with_priors(rule: &Classifier, priors: &[f64]) -> Result<Classifier, PlotError> {
    Ok(rule.clone().with_priors(&Priors::Given(priors.to_vec()))?)
}
