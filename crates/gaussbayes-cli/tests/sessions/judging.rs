//! Compares classifiers and draws curves: errors by rows and columns, ROC, costs.

use serde_json::Value;

use super::{Folder, iris};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| unreachable!("{value} is no number"))
}

fn ranking(result: &Value) -> Vec<Value> {
    result["ranking"].as_array().unwrap().clone()
}

/// The same without what a clock has measured.
fn timeless(mut result: Value) -> Value {
    for row in result["ranking"].as_array_mut().unwrap() {
        let row = row.as_object_mut().unwrap();
        row.remove("fit_seconds");
        row.remove("predict_seconds");
    }
    result
}

/// The versicolor and virginica rows of iris.
fn two_irises() -> String {
    let lines = iris().lines().enumerate().filter(|(i, _)| *i == 0 || *i > 50);
    lines.map(|(_, line)| format!("{line}\n")).collect()
}

#[test]
fn compare_ranks_tests_and_advises() {
    let folder = Folder::new("compare-all");
    let result = folder.run("compare iris --json").result();
    let rows = ranking(&result);
    assert_eq!(rows.len(), 16);
    assert!(rows.iter().any(|row| row["model"] == "softmax" && row["family"].is_null()));
    for row in &rows {
        for key in ["error_rate", "log_loss", "brier", "calibration_error", "mean_cost"] {
            assert!(number(&row[key]) >= 0.0, "{key}: {row}");
        }
        assert!(number(&row["fit_seconds"]) > 0.0 && number(&row["predict_seconds"]) > 0.0);
        assert!(row["parameters"].as_u64().unwrap() >= 10);
        assert_eq!(row["n"], 150);
        let tested = row["p_holm"].as_f64();
        assert_eq!(row["best"] == true, tested.is_none());
        assert!(tested.is_none_or(|p| p >= number(&row["p_value"])));
    }
    let rates: Vec<f64> = rows.iter().map(|row| number(&row["error_rate"])).collect();
    assert!(rates.is_sorted());
    assert_eq!(rows[0]["best"], true);
    let advised = result["advised"].as_str().unwrap();
    assert!(result["alike"].as_array().unwrap().iter().any(|name| name == advised));
    let text = folder.run("compare iris").ok();
    let advice = result["advice"].as_str().unwrap();
    let next = format!("next: gaussbayes fit iris --model {advised}");
    assert!(text.ends_with(&format!("{advice}\n{next}\n")), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 115), "{text}");
    let again = folder.run("compare iris --json --threads 1").result();
    assert_eq!(timeless(result), timeless(again));
}

#[test]
fn a_difference_beyond_luck_is_found_and_repeats_do_not_make_one() {
    let folder = Folder::new("compare-banana");
    // Every family on 2000 rows: the nearest mean errs a third more often than the best.
    let result = folder.run("compare banana --json").result();
    let rows = ranking(&result);
    let of = |rows: &[Value], name: &str| {
        rows.iter().find(|row| row["model"] == name).unwrap_or(&Value::Null).clone()
    };
    assert!(number(&of(&rows, "nearest-mean")["p_holm"]) < 0.01);
    let alike: Vec<&str> =
        result["alike"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert!(alike.contains(&"lda") && !alike.contains(&"nearest-mean"), "{alike:?}");
    let many = folder.run("compare banana --repeat 10 --json").result();
    assert_eq!(many["repeat"], 10);
    let (one, ten) = (of(&rows, "nearest-mean"), of(&ranking(&many), "nearest-mean"));
    let ratio = number(&ten["standard_error"]) / number(&one["standard_error"]);
    assert!(ratio > 0.4, "ten turns through the same rows: {ratio}");
    assert_eq!(ten["n"], 2000);
}

#[test]
fn costs_rank_where_costs_are_given() {
    let folder = Folder::new("compare-costs");
    let result = folder.run("compare iris --reject 0.1 --json").result();
    assert_eq!(result["by"], "cost");
    let costs: Vec<f64> = ranking(&result).iter().map(|row| number(&row["mean_cost"])).collect();
    assert!(costs.is_sorted(), "{costs:?}");
    assert!(ranking(&result).iter().any(|row| number(&row["rejected"]) > 0.0));
    let text = folder.run("compare iris --reject 0.1").ok();
    assert!(text.lines().nth(2).unwrap().contains("cost"), "{text}");
    let refused = folder.run("compare iris --penalty -1");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
}

#[test]
fn columns_that_are_no_numbers_are_compared_by_naive_bayes() {
    let folder = Folder::new("compare-typed");
    let mut words = String::from("colour,size,flag,class\n");
    let mut flags = String::from("a,b,c,class\n");
    for i in 0..60_i32 {
        let class = if i % 2 == 0 { "x" } else { "y" };
        let colour = ["red", "green", "blue"][((i * i + i / 2) % 3) as usize];
        words += &format!("{colour},{}.5,{},{class}\n", i % 7, ["yes", "no"][(i % 3 % 2) as usize]);
        let bit = |k: i32| i32::from((i * i + k * i) % 5 < 2) ^ (i32::from(i % 3 > 0) * (i % 2));
        flags += &format!("{},{},{},{class}\n", bit(1), bit(2), bit(3));
    }
    folder.write("words.csv", words);
    folder.write("flags.csv", flags);
    let typed = folder.run("compare words.csv --target class --folds 5 --json");
    let result = typed.result();
    assert_eq!(ranking(&result).len(), 1);
    assert_eq!(result["advice"], "naive-bayes: nothing else was compared");
    // Noughts and ones are numbers too.
    let result = folder.run("compare flags.csv --target class --folds 5 --json").result();
    let rows = ranking(&result);
    assert_eq!(rows.len(), 16);
    let naive: Vec<&Value> = rows.iter().filter(|row| row["model"] == "naive-bayes").collect();
    assert_eq!(naive.len(), 1);
    assert!(naive[0]["family"].is_null(), "flags are no Gaussians");
    assert!(rows.iter().any(|row| row["model"] == "softmax" && row.get("failure").is_none()));
    let judged =
        folder.run("evaluate words.csv --target class --model naive-bayes --json").result();
    assert_eq!(judged["n"], 60);
    let curve = "evaluate words.csv --target class --model naive-bayes --curve learning";
    let text = folder.run(curve).ok();
    assert!(!text.contains("cross"), "{text}");
}

#[test]
fn naive_bayes_is_ahead_on_few_rows_and_softmax_on_many() {
    let folder = Folder::new("learning");
    let command = "evaluate echo --model diag-lda --curve learning";
    let result = folder.run(&format!("{command} --json")).result();
    let crossings = result["crossings"].as_array().unwrap();
    assert_eq!(crossings.len(), 1, "{crossings:?}");
    let (before, after) = (&crossings[0]["before"], &crossings[0]["after"]);
    assert_eq!((before.as_str(), after.as_str()), (Some("diag-lda"), Some("softmax")));
    let at = number(&crossings[0]["at"]);
    assert!(number(&crossings[0]["from"]) <= at && at <= number(&crossings[0]["to"]));
    // Beyond luck on both sides: at 112 rows, and at all of them.
    let point = |model: usize, place: usize| {
        let point = &result["models"][model]["points"][place];
        (number(&point["error"]), number(&point["standard_error"]))
    };
    for (place, ahead) in [(3, 0), (8, 1)] {
        let ((one, a), (other, b)) = (point(ahead, place), point(1 - ahead, place));
        assert!(other - one > 2.0 * a.hypot(b), "{one} {other}");
    }
    let text = folder.run(&format!("{command} -o points.csv")).ok();
    let sentence = format!(
        "softmax overtakes diag-lda at about {at:.0} rows (between {} and {})",
        crossings[0]["from"], crossings[0]["to"]
    );
    assert!(text.contains(&sentence), "{text}");
    let points = String::from_utf8(folder.read("points.csv")).unwrap();
    assert_eq!(points.lines().next(), Some("model,rows,error,standard_error"));
    assert_eq!(points.lines().count(), 19);
    assert!(folder.run(&format!("{command} --threads 1")).ok() == folder.run(command).ok());
}

#[test]
fn columns_help_and_then_hurt_as_often_as_trunk_says() {
    let folder = Folder::new("features");
    let command = "evaluate trunk --model nearest-mean --curve features --learn-from 10 --repeat 4";
    let result = folder.run(&format!("{command} --at 1,5,20,100 --json")).result();
    let points = result["models"][0]["points"].as_array().unwrap();
    let exact = result["exact"].as_array().unwrap();
    assert_eq!((points.len(), exact.len()), (4, 4));
    for (point, exact) in points.iter().zip(exact) {
        let (found, right) = (number(&point["error"]), number(&exact["error"]));
        // The luck of 2000 tested rows beside that of the folds.
        let error = number(&point["standard_error"]).hypot((right * (1.0 - right) / 2000.0).sqrt());
        assert!((found - right).abs() < 4.0 * error, "{point} {exact}");
        assert!(number(&exact["best"]) < right);
    }
    let errors: Vec<f64> = points.iter().map(|point| number(&point["error"])).collect();
    assert!(errors[0] > errors[2] && errors[3] > errors[2], "{errors:?}");
    let text = folder.run(&format!("{command} --at 1,5,20,100")).ok();
    assert!(text.contains("exact") && text.contains("17.07 %"), "{text}");
    let ranked = "evaluate iris --curve features --order separation --json";
    let result = folder.run(ranked).result();
    assert!(result["exact"].is_null());
    assert_eq!(result["models"][0]["points"].as_array().unwrap().len(), 4);
}

#[test]
fn areas_of_a_saved_model_are_those_of_scikit_learn() {
    let folder = Folder::new("roc");
    folder.write("two.csv", two_irises());
    folder.run("fit two.csv --target species --model lda -o m.json").ok();
    let result = folder.run("evaluate two.csv --with m.json --curve roc --json").result();
    // roc_auc_score of LinearDiscriminantAnalysis on the same rows.
    assert!((number(&result["area"]) - 0.9972).abs() < 1e-12, "{}", result["area"]);
    let curve = &result["curves"][0];
    assert_eq!(curve["class"], "virginica");
    let (low, high) = (number(&curve["interval"][0]), number(&curve["interval"][1]));
    assert!(low < 0.9972 && 0.9972 < high && high < 1.0);
    let folds = folder.run("evaluate two.csv --target species --model lda --curve roc").ok();
    assert!(folds.contains("ROC of class 'virginica'"), "{folds}");
    let result = folder.run("evaluate iris --model lda --curve roc -o points.csv --json").result();
    assert_eq!(result["curves"].as_array().unwrap().len(), 3);
    let points = String::from_utf8(folder.read("points.csv")).unwrap();
    assert_eq!(points.lines().next(), Some("class,log_odds,false_positive,true_positive"));
}

#[test]
fn a_cost_curve_lies_below_chance() {
    let folder = Folder::new("cost");
    let result = folder.run("evaluate banana --model qda --curve cost --json").result();
    let curve = &result["curves"][0];
    let area = number(&curve["area"]);
    assert!(area > 0.05 && area < 0.15, "{area}");
    for point in curve["points"].as_array().unwrap() {
        let (x, y) = (number(&point[0]), number(&point[1]));
        assert!(y <= x.min(1.0 - x) + 1e-12 && y >= 0.0, "{point}");
    }
    let text = folder.run("evaluate banana --model qda --curve cost").ok();
    assert!(text.contains("take from P ="), "{text}");
}

#[test]
fn what_has_nothing_to_do_for_a_curve_is_refused() {
    let folder = Folder::new("idle-curve");
    folder.run("fit iris --model lda -o m.json").ok();
    for (command, word) in [
        ("evaluate iris --curve roc --against qda", "--against"),
        ("evaluate iris --curve learning --order separation", "--order"),
        ("evaluate iris --curve roc --repeat 2", "--repeat"),
        ("evaluate iris --curve learning --folds loo", "folds"),
        ("evaluate iris --curve learning --at 136", "136"),
        ("evaluate iris --with m.json --curve learning", "learns no more"),
        ("evaluate iris --at 3", "--curve"),
        ("evaluate iris --curve learning --reject 0.1", "--reject"),
        ("evaluate iris --model lda --penalty 2", "--penalty"),
        ("evaluate iris --model softmax --ridge 0.1", "--ridge"),
        ("evaluate iris --curve lerning", "learning"),
        ("sample iris --columns 3", "--columns"),
    ] {
        let refused = folder.run(command);
        assert_eq!(refused.code, Some(2), "{command}: {}", refused.stderr);
        assert!(refused.stderr.contains(word), "{command}: {}", refused.stderr);
    }
}
