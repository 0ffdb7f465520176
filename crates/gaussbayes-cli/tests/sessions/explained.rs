//! Asks models what their boundaries are and how often they err, against textbooks and lectures.

use serde_json::{Value, json};

use super::Folder;

fn near(found: &Value, right: f64, tolerance: f64) {
    let value = found.as_f64().unwrap();
    assert!((value / right - 1.0).abs() < tolerance, "{value} {right}");
}

#[test]
fn the_parabola_of_the_textbook() {
    // Duda, Hart & Stork, chapter 2, example 1: x2 = 3.514… − 1.125 x1 + 0.1875 x1².
    let folder = Folder::new("parabola");
    let text = folder.run("explain quadratic").ok();
    assert!(text.starts_with(
        "'1' and '2': parabola\n  '1' where -0.75 x1² + 4.5 x1 + 4 x2 - 14.057 > 0\n  vertex (3, 1.827)\n"
    ), "{text}");
    let result = folder.run("explain quadratic --format json").result();
    let pair = &result["pairs"][0];
    assert_eq!(pair["classes"], json!(["1", "2"]));
    assert_eq!(pair["kind"], "parabola");
    near(&pair["quadratic"][0][0], -0.75, 1e-14);
    assert_eq!(pair["quadratic"][1][1], 0.0);
    near(&pair["linear"][1], 4.0, 1e-14);
    near(&pair["constant"], -4.0 * 3.514_213_204_860_014, 1e-14);
    assert_eq!(pair["homogeneous"][2][2], pair["constant"]);
    let latex = folder.run("explain quadratic --format latex").ok();
    assert!(
        latex.contains(r"f(x) &= -0.75\,x_{1}^2 + 4.5\,x_{1} + 4\,x_{2} - 14.057 \\"),
        "{latex}"
    );
    let result = folder.run("error quadratic --json").result();
    near(&result["total"], 0.002_073_162_281_186_309, 1e-12);
    near(&result["per_class"][0], 0.002_061_061_794_225_297, 1e-12);
    near(&result["confusion"][1][0], 0.002_085_262_768_147_321, 1e-12);
    near(&result["bhattacharyya"], 0.008_191_002_721_309_667, 1e-12);
    near(&result["chernoff"], 0.008_189_916_839_395_005, 1e-12);
    assert_eq!(result["method"], "form");
    assert!(result["best_linear"]["total"].as_f64().unwrap() > 0.002_073_162);
}

#[test]
fn thresholds_costs_and_priors_say_the_same() {
    // Theodoridis & Koutroumbas, example 2.1: threshold (1 − ln 2)/2 with T₁₂ = 2, risk 0.1613….
    let folder = Folder::new("threshold");
    folder.write("p.json", r#"{"means": [0, 1], "covariance": 0.5, "loss": [[0, 0.5], [1, 0]]}"#);
    folder.run("model p.json -o m.json").ok();
    let text = folder.run("explain m.json").ok();
    assert_eq!(
        text,
        "'1' and '2': point\n  '1' where -2 x1 + 0.3069 > 0\n\
         \x20 at 0.1534264097\n\
         \x20 likelihood ratio: '1' where p(x|1) / p(x|2) > 2\n\n\
         '1' below 0.1534264097, '2' above 0.1534264097\n\n\
         threshold  2: priors 0.5 and 0.5, an error on '1' costs 0.5 and on '2' 1\n\
         as costs   with equal priors: an error on '2' costs 2 times one on '1'\n\
         as priors  with equal costs: '1' has prior 0.3333 and '2' 0.6667\n"
    );
    let explained = folder.run("explain m.json --json").result();
    let pair = &explained["pairs"][0];
    near(&pair["thresholds"][0], 0.153_426_409_720_027_35, 1e-14);
    near(&pair["threshold"], 2.0, 1e-15);
    assert_eq!(explained["regions"][1]["action"], "2");
    // A threshold that only touches parts nothing; far from zero it keeps its digits.
    folder.write("t.json", r#"{"means": [0, 0], "covariances": [1, 4], "priors": [0.3333333333333333, 0.6666666666666666]}"#);
    let touching = folder.run("explain t.json --json").result();
    assert_eq!(touching["pairs"][0]["kind"], "point");
    assert_eq!(touching["regions"].as_array().unwrap().len(), 1);
    folder.write("f.json", r#"{"means": [1000000000, 1000000001], "covariance": 1}"#);
    assert!(
        folder
            .run("explain f.json")
            .ok()
            .contains("'1' below 1000000000.5, '2' above 1000000000.5")
    );
    // A reject that is never the best has no region.
    assert_eq!(
        folder.run("explain modem --reject 0.7 --json").result()["regions"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        folder.run("explain modem --reject 0.2 --json").result()["regions"][1]["action"],
        "reject"
    );
    let result = folder.run("error m.json --json").result();
    near(&result["total"], 0.161_331_874_324_567_1, 1e-13);
    near(&result["confusion"][0][1], 0.414_112_858_205_349_24, 1e-13);
    near(&result["confusion"][1][0], 0.115_607_319_546_459_59, 1e-13);
    // The other two ways to say it have the same boundary.
    for other in [
        r#"{"means": [0, 1], "covariance": 0.5, "priors": [0.33333333333333333, 0.66666666666666667]}"#,
        r#"{"means": [0, 1], "covariance": 0.5, "loss": [[0, 1], [2, 0]]}"#,
    ] {
        folder.write("q.json", other);
        folder.run("model q.json -o q2.json").ok();
        let same = &folder.run("explain q2.json --json").result()["pairs"][0];
        near(&same["thresholds"][0], 0.153_426_409_720_027_35, 1e-14);
    }
}

#[test]
fn every_figure_is_the_case_it_is_named_after() {
    let folder = Folder::new("figures");
    let kinds = [
        ("modem", "point"),
        ("quadratic", "parabola"),
        ("equal-covariance", "line"),
        ("spherical", "line"),
        ("lda-identity", "line"),
        ("lda-diagonal", "line"),
        ("lda-full", "line"),
        ("qda-1", "circle"),
        ("almost-linear", "ellipse"),
        ("circular", "circle"),
        ("hyperbolic", "hyperbola"),
    ];
    for (figure, kind) in kinds {
        let result = folder.run(&format!("explain {figure} --json")).result();
        for pair in result["pairs"].as_array().unwrap() {
            assert_eq!(pair["kind"], kind, "{figure}");
        }
        let error = folder.run(&format!("error {figure} --json")).result();
        let total = error["total"].as_f64().unwrap();
        assert!(total > 0.0 && total < 0.5, "{figure}: {total}");
        assert!(total <= error["chernoff"].as_f64().unwrap(), "{figure}");
        assert!(error["chernoff"].as_f64().unwrap() <= error["bhattacharyya"].as_f64().unwrap());
        assert_eq!(error["accuracy"]["estimate"], false);
    }
    // The modem: Φ(−½).
    near(&folder.run("error modem --json").result()["total"], 0.308_537_538_725_986_9, 1e-14);
}

#[test]
fn pairs_are_chosen_by_name() {
    let folder = Folder::new("pair");
    folder.write("p.json", r#"{"classes": ["a,b", "c"], "means": [0, 1], "covariance": 1}"#);
    folder.run("model p.json -o m.json").ok();
    let result = folder.run("explain m.json --pair c,a,b --json").result();
    assert_eq!(result["pairs"].as_array().unwrap().len(), 1);
    assert_eq!(result["pairs"][0]["classes"], json!(["c", "a,b"]));
    near(&result["pairs"][0]["linear"][0], 1.0, 1e-15);
    let reject = folder.run("explain modem --reject 0.2 --pair 1,reject").ok();
    assert!(reject.contains("'1' and 'reject': point"), "{reject}");
    for (pair, said) in [("1,3", "'3' is no class"), ("1", "no pair"), ("1,1", "with itself")] {
        let answer = folder.run(&format!("explain modem --pair {pair}"));
        assert_eq!(answer.code, Some(2));
        assert!(
            answer.stderr.contains(said) && answer.stderr.contains("hint: "),
            "{}",
            answer.stderr
        );
    }
    folder.run("fit iris --density predictive -o t.json").ok();
    for command in ["explain t.json", "error t.json"] {
        let answer = folder.run(command);
        assert_eq!(answer.code, Some(2), "{}", answer.stderr);
        assert!(answer.stderr.contains("hint: "), "{}", answer.stderr);
    }
}

#[test]
fn errors_by_formula_stand_beside_those_of_rows() {
    let folder = Folder::new("beside");
    folder.run("sample qda-2 -n 4000 --seed 2 -o rows.csv").ok();
    let result = folder.run("error qda-2 rows.csv --json").json();
    assert_eq!(result["warnings"], json!([]));
    let lines = result["result"]["comparison"]["lines"].as_array().unwrap();
    let named: Vec<&str> = lines.iter().map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(named, ["formula (rays)", "simulation", "rows of rows.csv"]);
    folder.run("fit rows.csv --target class -o fitted.json").ok();
    let text = folder.run("error fitted.json rows.csv").ok();
    assert!(text.contains("\n10 folds "), "{text}");
    let other = folder.run("error fitted.json --under qda-2 --json").result();
    let own = folder.run("error qda-2 --json").result();
    assert!(other["total"].as_f64().unwrap() >= own["total"].as_f64().unwrap());
    let warned = folder.run("error equal-covariance banana --target class");
    assert_eq!(warned.code, Some(0), "{}", warned.stderr);
    assert!(warned.stderr.contains("disagree"), "{}", warned.stderr);
    let wrong = folder.run("error qda-2 --under modem");
    assert_eq!(wrong.code, Some(2), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("classes 1, 2"), "{}", wrong.stderr);
}
