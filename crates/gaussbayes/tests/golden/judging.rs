//! Losses, calibration, curves and Trunk's errors against other tools: [M82], [M84], [M87].

use gaussbayes::{JudgeSweep, On, Pool, Roc, ScoreSweep, Scored, Table, Trunk, run};

use crate::case::{Case, cases, numbers, rows};
use crate::support::{fit, models};

fn narrowed(table: &Table, columns: &[f64]) -> Table {
    let row = |row: &[f64]| columns.iter().map(|j| row[*j as usize]).collect::<Vec<f64>>();
    let values = table.values.chunks_exact(table.dim).flat_map(row).collect();
    Table { dim: columns.len(), values, ..table.clone() }
}

#[test]
fn losses_calibration_and_areas_are_those_of_scikit_learn_1_9_1() {
    let cases = cases("sklearn_judging");
    assert_eq!(cases.len(), 11);
    for json in cases {
        let case = Case::new(json);
        let json = &case.json;
        let table = narrowed(&case.table(), &numbers(&json["columns"]));
        let plain = Table { weights: None, ..table.clone() };
        let (_, spec) = models().into_iter().find(|(name, _)| json["model"] == *name).unwrap();
        let classifier = fit(&spec, &plain).unwrap().classifier;
        let pool = Pool::new(1).unwrap();
        let judged = run(&JudgeSweep(&classifier), &mut table.source(), On::pool(&pool)).unwrap();
        let number = |key: &str| json[key].as_f64().unwrap();
        case.close("error", &[judged.error_rate()], &[number("error_rate")]);
        case.close("brier", &[judged.brier()], &[number("brier")]);
        case.close("log loss", &[judged.log_loss()], &[number("log_loss")]);
        if table.weights.is_none() {
            case.close("gap", &[judged.calibration_error()], &[number("calibration_error")]);
            let bins = judged.reliability().into_iter().filter(|bin| bin.weight > 0.0);
            let bin = |bin: gaussbayes::Reliability| {
                [bin.weight, bin.confidence.unwrap(), bin.accuracy.unwrap()]
            };
            let bins: Vec<f64> = bins.flat_map(bin).collect();
            case.close("bins", &bins, &rows(&json["reliability"]).concat());
        }
        let held = run(&ScoreSweep(&classifier), &mut table.source(), On::pool(&pool)).unwrap();
        let areas: Vec<f64> =
            (0..held.classes().len()).map(|k| held.roc(k).unwrap().area).collect();
        case.close("areas", &areas, &numbers(&json["areas"]));
        case.close("area", &[held.area().unwrap()], &[number("area")]);
        let last = held.roc(areas.len() - 1).unwrap();
        let points = last.points.iter().flat_map(|p| [p.false_positive, p.true_positive]);
        case.close("points", &points.collect::<Vec<_>>(), &rows(&json["roc"]).concat());
    }
}

#[test]
fn areas_and_their_variance_are_those_of_proc() {
    let mut seen = 0;
    for json in cases("proc_judging") {
        if json.get("scores").is_none() {
            continue;
        }
        let case = Case::new(json);
        let json = &case.json;
        let (positive, copies) = (numbers(&json["positive"]), numbers(&json["copies"]));
        let scores = numbers(&json["scores"]);
        let row =
            |i: usize| Scored { score: scores[i], positive: positive[i] > 0.5, weight: copies[i] };
        let weighted: Vec<Scored> = (0..scores.len()).map(row).collect();
        let copied: Vec<Scored> = weighted
            .iter()
            .flat_map(|row| vec![Scored { weight: 1.0, ..*row }; row.weight as usize])
            .collect();
        for rows in [weighted, copied] {
            let roc = Roc::of(&rows).unwrap();
            case.close("area", &[roc.area], &[json["area"].as_f64().unwrap()]);
            let variance = roc.standard_error.unwrap().powi(2);
            case.close("variance", &[variance], &[json["variance"].as_f64().unwrap()]);
            let (low, high) = roc.interval().unwrap();
            case.close("interval", &[low, high], &numbers(&json["interval"]));
        }
        seen += 1;
    }
    assert_eq!(seen, 4);
}

#[test]
fn trunks_errors_are_those_of_mpmath() {
    let json = cases("exact_judging").into_iter().find(|case| case["name"] == "trunk").unwrap();
    let tolerance = json["tolerance"].as_f64().unwrap();
    let near = |found: f64, row: &[f64]| {
        let right = row[row.len() - 1];
        assert!((found / right - 1.0).abs() <= tolerance, "{row:?}: {found}");
    };
    for row in rows(&json["bayes"]) {
        near(Trunk { dim: row[0] as usize }.bayes_error(), &row);
    }
    for row in rows(&json["direction"]) {
        let found = Trunk { dim: row[0] as usize }.direction_error(row[1]);
        near(found.value, &row);
        assert!(found.error <= 1e-10 * found.value, "{row:?}: {found:?}");
    }
    for row in rows(&json["nearest_mean"]) {
        let trunk = Trunk { dim: row[0] as usize };
        near(trunk.nearest_mean_error(row[1], row[2]).value, &row);
        near(trunk.nearest_mean_error(row[2], row[1]).value, &row);
    }
    for json in cases("exact_trunk") {
        let trunk = Trunk { dim: json["dim"].as_u64().unwrap() as usize };
        let found = trunk.direction_error(json["samples"].as_f64().unwrap()).value;
        let tolerance = json["tolerance"].as_f64().unwrap();
        for (found, key) in [(found, "expected_error"), (trunk.bayes_error(), "known_error")] {
            let right = json[key].as_f64().unwrap();
            assert!((found / right - 1.0).abs() <= tolerance, "{json}: {found}");
        }
    }
    // One column and ten rows: Q(1)Φ(√10) + Φ(1)Q(√10), where the normal approximation has 0.1807.
    assert!((Trunk { dim: 1 }.direction_error(10.0).value - 0.1592).abs() < 5e-5);
}
