//! Draws the nearest mean before and after columns are standardised.

use gaussbayes::{
    Classifier, CovarianceSpec, Label, LabelSweep, On, Pool, Priors, Scaling, Table, run,
};

use crate::column::members;
use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Ink, Key, Layer, Mark, Picture, Sign};
use crate::say::{class_keys, per_cent, short};
use crate::spread::{around, boundaries, boundary_lines, dots, panel, places};
use crate::window::filled;

/// Pixels of each panel.
const SIZE: [f64; 2] = [250.0, 230.0];

/// The nearest mean on rows of two columns as they are, and in standard deviations of each column; rows whose class
/// changes have a ring.
///
/// # Errors
/// [`PlotError::Count`] for rows that have not two columns; what [`Classifier::fit`] refuses.
pub fn scaling(rows: &Table, features: &[String]) -> Result<Picture, PlotError> {
    let found = rows.dim;
    if found != 2 || features.len() != 2 {
        return Err(PlotError::Count { what: "columns", expected: 2, found });
    }
    let raw = nearest_mean(rows, features, Scaling::Raw)?;
    let scaled = nearest_mean(rows, features, Scaling::Standardized)?;
    let at = places(rows, [0, 1])?;
    let (centre, deviation) = moments(&at)?;
    let block = rows.block(0..rows.rows())?;
    let (before, after) = (raw.actions(&block)?, scaled.actions(&block)?);
    let truth = members(&raw, Some(rows));
    let wrong = |actions: &[usize]| {
        let wrong = actions.iter().zip(&truth).filter(|(action, class)| Some(**action) != **class);
        wrong.count() as f64 / truth.len() as f64
    };
    let errors = [wrong(&before), wrong(&after)];
    let moved: Vec<usize> = (0..at.len()).filter(|&i| before[i] != after[i]).collect();
    let z = |x: [f64; 2]| [0, 1].map(|j| (x[j] - centre[j]) / deviation[j]);
    let window = around(&at, &[], 0.0)?;
    let inner: Vec<[f64; 2]> = at.iter().map(|x| z(*x)).collect();
    let outer = filled(&around(&inner, &[], 0.0)?, SIZE);
    // Wide enough for both panels: lines end at their edges.
    let corner = |end: [f64; 2]| [0, 1].map(|j| centre[j] + deviation[j] * end[j]);
    let reach =
        around(&[window.low, window.high, corner(outer.low), corner(outer.high)], &[], 0.0)?;
    let names = features.iter().map(|name| format!("{name}, standardised")).collect::<Vec<_>>();
    let views = [
        (&raw, &at, window, [features[0].as_str(), &features[1]], "as measured"),
        (&scaled, &inner, outer, [names[0].as_str(), &names[1]], "standardised"),
    ];
    let (mut panels, mut note) = (Vec::new(), None);
    for ((rule, places, shown, names, title), error) in views.into_iter().zip(errors) {
        let mut panel = panel(&shown, names);
        panel.size = SIZE;
        panel.title = format!("{title}: error {}", per_cent(error));
        let (layers, thinned) = dots(places, &shown, |i| truth[i]);
        note = note.or(thinned);
        panel.layers.extend(layers);
        let standardised = title == "standardised";
        panel.equal = standardised;
        let paths: Vec<Path> = boundaries(rule, &reach)?
            .into_iter()
            .map(|path| if standardised { path.mapped(z) } else { path })
            .collect();
        panel.layers.extend(boundary_lines(paths));
        let mixture = rule.mixture()?;
        for k in 0..mixture.components() {
            let mean = mixture.raw_mean(k);
            let mean = [mean[0], mean[1]];
            let mean = if standardised { z(mean) } else { mean };
            panel.layers.push(Layer::Points { at: vec![mean], mark: Mark::Centre, ink: Ink::Text });
        }
        let ringed: Vec<[f64; 2]> = moved.iter().map(|&i| places[i]).collect();
        panel.layers.push(Layer::Points { at: ringed, mark: Mark::Ring, ink: Ink::Alarm });
        panels.push(panel);
    }
    let mut picture = Picture::grid("Nearest mean before and after scaling", panels, 2);
    let classes: &[Label] = raw.classes();
    let name = |k: usize| classes[k].to_string();
    let (mut key, left) = class_keys(classes, name, |k| Sign::Mark(Mark::Class(k)));
    let label = format!("said otherwise: {} of {}", moved.len(), at.len());
    key.push(Key { label, ink: Ink::Alarm, sign: Sign::Mark(Mark::Ring) });
    picture.key = key;
    picture.notes.extend(left);
    picture.notes.extend(note);
    picture.description = format!(
        "The nearest mean on {} and {}, whose standard deviations are {} and {}. As measured it errs on {} of the rows, \
         standardised on {}; {} of {} rows are said to be of another class.",
        features[0],
        features[1],
        short(deviation[0]),
        short(deviation[1]),
        per_cent(errors[0]),
        per_cent(errors[1]),
        moved.len(),
        at.len()
    );
    picture.caption = "Distances belong to units: the column of the larger numbers alone decides until both are scaled.".into();
    Ok(picture)
}

fn nearest_mean(
    rows: &Table,
    features: &[String],
    scaling: Scaling,
) -> Result<Classifier, PlotError> {
    let spec = CovarianceSpec { scaling, ..CovarianceSpec::nearest_mean() };
    let pool = Pool::new(1)?;
    let stat = run(&LabelSweep::new(spec.storage()), &mut rows.source(), On::pool(&pool))?;
    Ok(Classifier::fit(&spec, &Priors::Uniform, stat, features)?.classifier)
}

/// Mean and standard deviation of both columns.
fn moments(at: &[[f64; 2]]) -> Result<([f64; 2], [f64; 2]), PlotError> {
    let n = at.len() as f64;
    let mean = [0, 1].map(|j| at.iter().map(|x| x[j]).sum::<f64>() / n);
    let variance = [0, 1].map(|j| at.iter().map(|x| (x[j] - mean[j]).powi(2)).sum::<f64>() / n);
    match variance.into_iter().find(|v| !(*v > 0.0 && v.is_finite())) {
        Some(value) => {
            Err(PlotError::NotFinite { what: "one over a variance", value: 1.0 / value })
        }
        None => Ok((mean, variance.map(f64::sqrt))),
    }
}
