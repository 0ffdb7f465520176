//! Draws error by the number of rows or columns, for one model or two on the same folds.

use gaussbayes::{
    Candidate, ColumnOrder, CurvePoint, CurveSpec, Error, ErrorCurve, Family, Folds, Trunk,
    feature_curve, learning_curve,
};
use gaussbayes_io::ColumnType;
use serde_json::{Value, json};

use super::plot::{Scale, plot};
use super::points;
use crate::args::{Curve, Evaluate};
use crate::commands::asked::{Asked, other};
use crate::commands::workers::Workers;
use crate::failure::Failure;
use crate::models::{SOFTMAX, family, is_softmax};
use crate::output::Output;
use crate::text::{exact, per_cent, plural, short, table};

/// Marks of the models in a plot.
const MARKS: [char; 2] = ['*', 'o'];

/// A curve and whose it is.
struct Drawn {
    kind: Curve,
    names: Vec<String>,
    curve: ErrorCurve,
    /// Where they are known: the expected error of the first model at every place, and that of the best rule.
    exact: Option<Vec<(f64, f64)>>,
}

pub(super) fn run(
    kind: Curve,
    arguments: &Evaluate,
    asked: Asked,
    folds: Folds,
    workers: &Workers,
    output: &Output,
) -> Result<(), Failure> {
    let how = &arguments.curve;
    let own = arguments.estimation.model().to_string();
    let types: Option<Vec<ColumnType>> = asked.data.types().map(<[_]>::to_vec);
    let Asked { data, features, learner, priors } = asked;
    let mut names = vec![own.clone()];
    let mut candidates: Vec<Candidate> = vec![(learner, priors)];
    if let Some(name) = against(kind, &own, how.against.as_deref(), types.is_some()) {
        candidates.push(other(&name, &arguments.estimation, types.as_deref())?);
        names.push(name);
    }
    let spec = CurveSpec {
        folds,
        repeat: arguments.repeat,
        at: how.at.clone(),
        rows: how.rows,
        order: how.order.unwrap_or_default(),
    };
    let (rows, on) = (workers.table(data)?, workers.on());
    let curve = match kind {
        Curve::Features => feature_curve(&candidates, &features, &rows, &spec, on)?,
        _ => learning_curve(&candidates, &features, &rows, &spec, on)?,
    };
    let learnt = spec.rows.unwrap_or(rows.rows() - rows.rows() / folds.count);
    let exact = knows_exactly(kind, arguments).then(|| of_trunk(&curve.at, learnt));
    let drawn = Drawn { kind, names, curve, exact };
    let turns = if spec.repeat > 1 { format!(", {} times", spec.repeat) } else { String::new() };
    let title = format!(
        "{} on {}: {} folds{turns}, error by the number of {}\n\n",
        drawn.names.join(" and "),
        arguments.data.tables,
        folds.count,
        drawn.what(),
    );
    let saved = points(how.output.as_deref(), &drawn.head(), &drawn.lines())?;
    let text = title + &table(&drawn.cells()) + &drawn.plot() + &drawn.notes() + &saved;
    output.answer(&text, &drawn.json(folds.count, spec.repeat))
}

/// The model beside the one that was asked for: by default the other way to learn a linear rule.
fn against(kind: Curve, own: &str, asked: Option<&str>, typed: bool) -> Option<String> {
    if asked.is_some() || kind != Curve::Learning || typed {
        return asked.map(String::from);
    }
    Some(if is_softmax(own) { "lda".into() } else { SOFTMAX.into() })
}

/// Whether the errors are known: of the nearest mean on the columns of Trunk's example, in their order.
fn knows_exactly(kind: Curve, arguments: &Evaluate) -> bool {
    let (data, options) = (&arguments.data, &arguments.estimation.options);
    kind == Curve::Features
        && data.tables.is_set("trunk")
        && data.features.is_empty()
        && data.drop.is_empty()
        && arguments.curve.order.unwrap_or_default() == ColumnOrder::Given
        && family(arguments.estimation.model()).is_ok_and(|family| family == Family::Unit)
        && options.priors.is_none()
        && !options.standardize
}

/// Both classes have half of the rows that are learnt from, but for an odd one.
fn of_trunk(at: &[usize], rows: usize) -> Vec<(f64, f64)> {
    let (first, second) = (rows.div_ceil(2) as f64, (rows / 2) as f64);
    let errors = |&dim: &usize| {
        let trunk = Trunk { dim };
        (trunk.nearest_mean_error(first, second).value, trunk.bayes_error())
    };
    at.iter().map(errors).collect()
}

impl Drawn {
    fn what(&self) -> &'static str {
        match self.kind {
            Curve::Features => "columns",
            _ => "rows learnt from",
        }
    }

    fn place(&self) -> &'static str {
        match self.kind {
            Curve::Features => "columns",
            _ => "rows",
        }
    }

    fn cells(&self) -> Vec<Vec<String>> {
        let mut head = vec![self.place().to_string()];
        head.extend(self.names.iter().cloned());
        if self.exact.is_some() {
            head.extend(["exact".into(), "means known".into()]);
        }
        let cell = |point: &Result<CurvePoint, Error>| match point {
            Ok(point) => {
                format!("{:.2} ± {:.2} %", 100.0 * point.mean, 100.0 * point.standard_error)
            }
            Err(_) => "-".into(),
        };
        let row = |(i, at): (usize, &usize)| {
            let cells = self.curve.points.iter().map(|points| cell(&points[i]));
            let exact = self.exact.as_ref().map(|exact| [exact[i].0, exact[i].1].map(per_cent));
            std::iter::once(at.to_string())
                .chain(cells)
                .chain(exact.into_iter().flatten())
                .collect()
        };
        std::iter::once(head).chain(self.curve.at.iter().enumerate().map(row)).collect()
    }

    fn plot(&self) -> String {
        let series = |points: &Vec<Result<CurvePoint, Error>>| -> Vec<(f64, f64)> {
            let pairs = self.curve.at.iter().zip(points);
            let mean = |point: &Result<CurvePoint, Error>| Some(100.0 * point.as_ref().ok()?.mean);
            pairs.filter_map(|(at, point)| Some((*at as f64, mean(point)?))).collect()
        };
        let all: Vec<(char, Vec<(f64, f64)>)> =
            MARKS.iter().copied().zip(self.curve.points.iter().map(series)).collect();
        let top = all.iter().flat_map(|(_, points)| points).map(|(_, y)| *y).fold(0.0, f64::max);
        let drawn = plot(&all, Scale::Logarithmic, (0.0, top));
        if drawn.is_empty() {
            return drawn;
        }
        let legend: Vec<String> =
            MARKS.iter().zip(&self.names).map(|(mark, name)| format!("{mark} {name}")).collect();
        format!("\n{drawn}error in %: {}\n", legend.join("   "))
    }

    /// Where the curves cross, and what could not be fitted.
    fn notes(&self) -> String {
        let mut text = String::from("\n± standard error over the folds\n");
        if self.exact.is_some() {
            text.push_str("exact: expected error by formula, not by rows; means known: that of the best rule\n");
        }
        if self.names.len() == 2 {
            text.push_str(&self.crossing());
        }
        for (name, points) in self.names.iter().zip(&self.curve.points) {
            let failed = self.curve.at.iter().zip(points);
            let failed: Vec<(&usize, &Error)> =
                failed.filter_map(|(at, point)| Some((at, point.as_ref().err()?))).collect();
            if let [(at, error), ..] = failed[..] {
                let more = if failed.len() > 1 {
                    format!(" and {} more", plural(failed.len() - 1, "place"))
                } else {
                    String::new()
                };
                text.push_str(&format!("{name} at {at} {}{more}: {error}\n", self.place()));
            }
        }
        text
    }

    fn crossing(&self) -> String {
        let crossings = self.curve.crossings(0, 1);
        let (first, second) = (&self.names[0], &self.names[1]);
        let Some(last) = crossings.last() else {
            let (places, apart) = self.compared();
            return match self.lead() {
                _ if places == 0 => {
                    format!(
                        "{first} and {second} could nowhere both be fitted: nothing to compare\n"
                    )
                }
                Some(lead) if apart == self.curve.at.len() => {
                    format!("the curves do not cross: {} errs less throughout\n", self.names[lead])
                }
                Some(lead) => {
                    format!("the curves do not cross: {} nowhere errs more\n", self.names[lead])
                }
                None => format!("the curves do not cross: {first} and {second} err alike\n"),
            };
        };
        let mut text = format!(
            "{} overtakes {} at about {} {} (between {} and {})\n",
            self.names[last.after],
            self.names[last.before],
            short(last.at.round()),
            self.place(),
            last.from,
            last.to,
        );
        if crossings.len() > 1 {
            text.push_str(&format!(
                "before that the curves cross {}\n",
                if crossings.len() == 2 {
                    "once".into()
                } else {
                    format!("{} times", crossings.len() - 1)
                },
            ));
        }
        text
    }

    /// Who errs less where the two differ.
    /// Errors of the first less those of the second, where both could be fitted.
    fn differences(&self) -> impl Iterator<Item = f64> {
        let pairs = self.curve.points[0].iter().zip(&self.curve.points[1]);
        pairs.filter_map(|(a, b)| Some(a.as_ref().ok()?.mean - b.as_ref().ok()?.mean))
    }

    /// Places at which both could be fitted, and those of them at which they differ.
    fn compared(&self) -> (usize, usize) {
        (self.differences().count(), self.differences().filter(|by| *by != 0.0).count())
    }

    fn lead(&self) -> Option<usize> {
        self.differences().find(|by| *by != 0.0).map(|by| usize::from(by > 0.0))
    }

    fn head(&self) -> String {
        format!("model,{},error,standard_error", self.place())
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (name, points) in self.names.iter().zip(&self.curve.points) {
            for (at, point) in self.curve.at.iter().zip(points) {
                let Ok(point) = point else { continue };
                let numbers = [point.mean, point.standard_error].map(exact).join(",");
                lines.push(format!("{name},{at},{numbers}"));
            }
        }
        lines
    }

    fn json(&self, folds: usize, repeat: u32) -> Value {
        let point = |(at, point): (&usize, &Result<CurvePoint, Error>)| match point {
            Ok(point) => json!({
                "at": at,
                "error": point.mean,
                "standard_error": point.standard_error,
                "folds": point.folds,
            }),
            Err(error) => json!({ "at": at, "failure": error.to_string() }),
        };
        let model = |(name, points): (&String, &Vec<Result<CurvePoint, Error>>)| {
            let points = self.curve.at.iter().zip(points).map(point);
            json!({ "model": name, "points": points.collect::<Vec<_>>() })
        };
        let crossing = |crossing: &gaussbayes::Crossing| {
            json!({
                "at": crossing.at,
                "from": crossing.from,
                "to": crossing.to,
                "before": self.names[crossing.before],
                "after": self.names[crossing.after],
            })
        };
        let crossings = if self.names.len() == 2 { self.curve.crossings(0, 1) } else { Vec::new() };
        let exact = self.exact.as_ref().map(|exact| {
            let place = |(at, (error, best)): (&usize, &(f64, f64))| {
                json!({ "at": at, "error": error, "best": best })
            };
            self.curve.at.iter().zip(exact).map(place).collect::<Vec<_>>()
        });
        json!({
            "exact": exact,
            "curve": self.kind.name(),
            "folds": folds,
            "repeat": repeat,
            "models": self.names.iter().zip(&self.curve.points).map(model).collect::<Vec<_>>(),
            "crossings": crossings.iter().map(crossing).collect::<Vec<_>>(),
        })
    }
}
