//! Draws errors by the number of columns, and by the number of rows that are learnt from.

use gaussbayes::{
    Candidate, ColumnOrder, CurvePoint, CurveSpec, Error, ErrorCurve, feature_curve, learning_curve,
};
use gaussbayes_plot::{ErrorLook, Over, error_curve};
use serde_json::{Value, json};

use super::{Bench, Subject};
use crate::failure::Failure;
use crate::page::Chapter;
use crate::text::per_cent;

/// Places of a curve that its table has.
const PRINTED: usize = 8;

/// Which models are looked at, and over what.
pub(in crate::commands) struct Growth<'a> {
    pub(in crate::commands) names: Vec<String>,
    pub(in crate::commands) candidates: Vec<Candidate>,
    pub(in crate::commands) over: Over,
    pub(in crate::commands) order: ColumnOrder,
    pub(in crate::commands) learn_from: Option<usize>,
    /// Errors that are known by a formula, place by place.
    pub(in crate::commands) known: Option<&'a Known>,
}

/// A name, and an error for a number of columns.
pub(in crate::commands) type Known = dyn Fn(usize) -> Vec<(String, f64)>;

impl Growth<'_> {
    /// Adds the table and the figure of a curve.
    pub(in crate::commands) fn drawn(
        &self,
        chapter: &mut Chapter,
        subject: &Subject,
        bench: &Bench<'_>,
    ) -> Result<Value, Failure> {
        let mut spec = CurveSpec::new(subject.folds);
        (spec.order, spec.rows) = (self.order, self.learn_from);
        let (features, on) = (&subject.features, bench.workers.on());
        let rows =
            if subject.few.rows() < subject.rows.rows() { &subject.few } else { &subject.rows };
        let curve = match self.over {
            Over::Columns => feature_curve(&self.candidates, features, rows, &spec, on)?,
            Over::Rows => learning_curve(&self.candidates, features, rows, &spec, on)?,
        };
        let place = match self.over {
            Over::Columns => "columns",
            Over::Rows => "rows",
        };
        let mut look = ErrorLook { over: self.over, known: Vec::new() };
        if let Some(known) = self.known {
            let all: Vec<Vec<(String, f64)>> = curve.at.iter().map(|&at| known(at)).collect();
            let names = all.first().map_or(0, Vec::len);
            look.known = (0..names)
                .map(|i| (all[0][i].0.clone(), all.iter().map(|place| place[i].1).collect()))
                .collect();
        }
        chapter.table(
            format!("Error by the number of {place}, with its standard error over the folds"),
            self.cells(&curve, place, &look),
        );
        chapter.figure(error_curve(&curve, &self.names, &look));
        self.refusals(chapter, &curve, place);
        self.told(chapter, &curve, place);
        Ok(self.json(&curve))
    }

    fn cells(&self, curve: &ErrorCurve, place: &str, look: &ErrorLook) -> Vec<Vec<String>> {
        let known = look.known.iter().map(|(name, _)| name.clone());
        let head = std::iter::once(place.to_string()).chain(self.names.clone()).chain(known);
        let cell = |point: &Result<CurvePoint, Error>| match point {
            Ok(point) => {
                format!("{:.2} ± {:.2} %", 100.0 * point.mean, 100.0 * point.standard_error)
            }
            Err(_) => "-".into(),
        };
        let row = |(i, at): (usize, &usize)| {
            let own = curve.points.iter().map(|points| cell(&points[i]));
            let known = look.known.iter().map(|(_, all)| per_cent(all[i]));
            std::iter::once(at.to_string()).chain(own).chain(known).collect::<Vec<_>>()
        };
        // The figure has all places: the table every few, and the last.
        let step = curve.at.len().div_ceil(PRINTED).max(1);
        let last = curve.at.len().saturating_sub(1);
        let places = curve.at.iter().enumerate();
        let places =
            places.filter(|(i, _)| i.is_multiple_of(step) && i + step <= last || *i == last);
        std::iter::once(head.collect()).chain(places.map(row)).collect()
    }

    /// Says why some places are empty.
    fn refusals(&self, chapter: &mut Chapter, curve: &ErrorCurve, place: &str) {
        for (name, points) in self.names.iter().zip(&curve.points) {
            let failed = curve.at.iter().zip(points);
            let failed =
                failed.filter_map(|(at, point)| Some((at, point.as_ref().err()?))).next_back();
            if let Some((at, error)) = failed {
                chapter.without(&format!("{name} cannot be fitted up to {at} {place}: {error}"));
            }
        }
    }

    /// Where the first model errs least.
    fn told(&self, chapter: &mut Chapter, curve: &ErrorCurve, place: &str) {
        let (Some(name), Some(points)) = (self.names.first(), curve.points.first()) else { return };
        let means = curve.at.iter().zip(points);
        let means = means.filter_map(|(at, point)| Some((*at, point.as_ref().ok()?.mean)));
        let Some((at, least)) = means.min_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        chapter.brief(format!("{name} errs least with {at} {place}: {}", per_cent(least)));
    }

    fn json(&self, curve: &ErrorCurve) -> Value {
        let point = |(at, point): (&usize, &Result<CurvePoint, Error>)| json!({ "at": at, "error": point.as_ref().ok().map(|point| point.mean) });
        let model = |(name, points): (&String, &Vec<Result<CurvePoint, Error>>)| {
            let points = curve.at.iter().zip(points).map(point).collect::<Vec<_>>();
            json!({ "model": name, "points": points })
        };
        self.names.iter().zip(&curve.points).map(model).collect()
    }
}
