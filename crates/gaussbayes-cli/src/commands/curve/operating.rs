//! Draws ROC and cost curves of rows that were scored by models that have not seen them.

use gaussbayes::{CostCurve, CostLine, HeldOut, Label, Roc, RocPoint};
use serde_json::{Value, json};

use super::plot::{Scale, plot};
use super::{finite, points};
use crate::args::CurveOptions;
use crate::failure::Failure;
use crate::output::Output;
use crate::text::{cell, count, exact, short, table};

/// False positive rates at which a ROC is read for people.
const READ_AT: [f64; 7] = [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

/// Thresholds of a cost curve that people are shown.
const SHOWN: usize = 12;

/// Curves of each class against the rest; of two classes that of the second alone.
fn curves(held: &HeldOut) -> Result<Vec<(&Label, Roc)>, Failure> {
    let classes = held.classes();
    let own = if classes.len() == 2 { 1..2 } else { 0..classes.len() };
    let curve = |k: usize| {
        let roc = held.roc(k).ok_or_else(|| {
            let message = format!("there are no rows of class '{}', or no others", classes[k]);
            Failure::usage(message, "give rows of every class")
        })?;
        Ok((&classes[k], roc))
    };
    own.map(curve).collect()
}

/// Why an area has no interval.
fn without_interval(roc: &Roc) -> String {
    let apart = roc.area == 0.0 || roc.area == 1.0;
    if apart { "no overlap".into() } else { "too few rows".into() }
}

pub(super) fn roc(
    held: &HeldOut,
    title: &str,
    how: &CurveOptions,
    output: &Output,
) -> Result<(), Failure> {
    let curves = curves(held)?;
    let mut head = vec!["class".to_string(), "rows".into(), "area".into(), "95 % interval".into()];
    head.extend(READ_AT.iter().map(|rate| format!("at {}", short(*rate))));
    let row = |(class, roc): &(&Label, Roc)| {
        let interval = roc
            .interval()
            .map_or_else(|| without_interval(roc), |(low, high)| format!("{low:.4} to {high:.4}"));
        let found = READ_AT.iter().map(|rate| format!("{:.3}", found_at(roc, *rate)));
        let cells = [class.to_string(), count(roc.positives), format!("{:.4}", roc.area), interval];
        cells.into_iter().chain(found).collect::<Vec<String>>()
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(curves.iter().map(row)).collect();
    let mut text = format!("{title}, ROC of each class against the rest\n\n");
    if let [(class, _)] = curves[..] {
        text = format!("{title}, ROC of class '{class}'\n\n");
    }
    text.push_str(&table(&rows));
    text.push_str(
        "\nat x: share of the class that is found where x of the other rows are taken for it\n",
    );
    if let ([_, _, ..], Some(area)) = (&curves[..], held.area()) {
        text.push_str(&format!("mean area {area:.4} (plain mean of one against the rest)\n"));
    }
    if let [(_, roc)] = &curves[..] {
        let own = roc.points.iter().map(|p| (p.false_positive, p.true_positive)).collect();
        let chance = vec![(0.0, 0.0), (1.0, 1.0)];
        let drawn = plot(&[('.', chance), ('*', own)], Scale::Linear, (0.0, 1.0));
        text.push_str(&format!("\n{drawn}share found by share wrongly taken; . by chance\n"));
    }
    let line = |class: &Label, point: &RocPoint| {
        let numbers = [point.false_positive, point.true_positive].map(exact).join(",");
        let threshold =
            if point.threshold.is_finite() { exact(point.threshold) } else { String::new() };
        format!("{},{threshold},{numbers}", cell(class.as_str()))
    };
    let lines: Vec<String> = curves
        .iter()
        .flat_map(|(class, roc)| roc.points.iter().map(|point| line(class, point)))
        .collect();
    let head = "class,log_odds,false_positive,true_positive";
    text.push_str(&points(how.output.as_deref(), head, &lines)?);
    let json = |(class, roc): &(&Label, Roc)| {
        let point = |p: &RocPoint| {
            json!({
                "log_odds": finite(p.threshold),
                "false_positive": p.false_positive,
                "true_positive": p.true_positive,
            })
        };
        json!({
            "class": class.as_str(),
            "positives": roc.positives,
            "negatives": roc.negatives,
            "area": roc.area,
            "standard_error": roc.standard_error,
            "interval": roc.interval().map(|(low, high)| vec![low, high]),
            "points": roc.points.iter().map(point).collect::<Vec<_>>(),
        })
    };
    let curves: Vec<Value> = curves.iter().map(json).collect();
    let result = json!({ "curve": "roc", "n": held.rows(), "area": held.area(), "curves": curves });
    output.answer(&text, &result)
}

/// The largest share of the class that is found at no more than a rate of false positives.
fn found_at(roc: &Roc, rate: f64) -> f64 {
    let within = roc.points.iter().filter(|point| point.false_positive <= rate);
    within.map(|point| point.true_positive).fold(0.0, f64::max)
}

pub(super) fn cost(
    held: &HeldOut,
    title: &str,
    how: &CurveOptions,
    output: &Output,
) -> Result<(), Failure> {
    let curves = curves(held)?;
    let mut text = format!("{title}, what the best threshold costs\n");
    let (mut lines, mut all) = (Vec::new(), Vec::new());
    for (class, roc) in &curves {
        let curve = roc.cost_curve();
        text.push_str(&format!(
            "\nclass '{class}' against the rest: area {:.4} (0 without errors, 0.25 by chance)\n\n",
            curve.area
        ));
        text.push_str(&table(&thresholds(&curve)));
        if let [_] = curves[..] {
            let chance = vec![(0.0, 0.0), (0.5, 0.5), (1.0, 0.0)];
            let drawn = plot(&[('.', chance), ('*', curve.points())], Scale::Linear, (0.0, 0.5));
            text.push_str(&format!("\n{drawn}cost by PC; . by chance\n"));
        }
        let line = |(x, y): (f64, f64)| {
            format!("{},{}", cell(class.as_str()), [x, y].map(exact).join(","))
        };
        lines.extend(curve.points().into_iter().map(line));
        let own = |line: &CostLine| {
            json!({
                "log_odds": finite(line.threshold),
                "false_positive": line.false_positive,
                "false_negative": line.false_negative,
                "from": line.from,
                "to": line.to,
            })
        };
        all.push(json!({
            "class": class.as_str(),
            "area": curve.area,
            "points": curve.points(),
            "thresholds": curve.lines.iter().map(own).collect::<Vec<_>>(),
        }));
    }
    text.push_str(
        "\nPC: prior times cost of missing the class, as a share of that and the same of the rest;\n\
         cost: expected cost as a share of the largest that there can be\n",
    );
    let head = "class,probability_cost,cost";
    text.push_str(&points(how.output.as_deref(), head, &lines)?);
    output.answer(&text, &json!({ "curve": "cost", "n": held.rows(), "curves": all }))
}

/// The thresholds that are best for the widest ranges of costs, in their order.
fn thresholds(curve: &CostCurve) -> Vec<Vec<String>> {
    let mut widest: Vec<&CostLine> = curve.lines.iter().collect();
    widest.sort_by(|a, b| (b.to - b.from).total_cmp(&(a.to - a.from)));
    widest.truncate(SHOWN);
    widest.sort_by(|a, b| a.from.total_cmp(&b.from));
    let head = ["PC", "to", "take from P =", "wrongly taken", "missed", "cost in the middle"];
    let row = |line: &&CostLine| {
        // A threshold of log odds as a probability.
        let least = match line.threshold {
            f64::INFINITY => "never".into(),
            odds => short(1.0 / (1.0 + (-odds).exp())),
        };
        let middle = line.at(0.5 * (line.from + line.to));
        let numbers = [line.false_positive, line.false_negative, middle].map(|x| format!("{x:.4}"));
        let places = [format!("{:.3}", line.from), format!("{:.3}", line.to), least];
        places.into_iter().chain(numbers).collect::<Vec<String>>()
    };
    std::iter::once(head.map(String::from).to_vec()).chain(widest.iter().map(row)).collect()
}
