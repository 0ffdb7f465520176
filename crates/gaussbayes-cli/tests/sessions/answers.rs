//! Checks the numbers that the command prints against the literature and other tools.

use serde_json::Value;

use super::{Folder, mapped_iris};

const MODELS: [&str; 7] = ["qda", "lda", "naive-bayes", "diag-lda", "VII", "EII", "nearest-mean"];

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn leave_one_out_errors_on_iris_are_those_of_the_literature() {
    let folder = Folder::new("loo");
    for (model, errors) in [("lda", 3), ("qda", 4), ("naive-bayes", 7), ("nearest-mean", 12)] {
        let command = format!("evaluate iris --target species --model {model} --folds loo --json");
        let result = folder.run(&command).result();
        assert_eq!(result["errors"], errors, "{model}");
        assert_eq!(result["n"], 150);
    }
}

/// Posterior of versicolor at row 71, from the predictions of all of iris.
fn row_71(folder: &Folder, model: &str, ddof: u32) -> f64 {
    folder.run(&format!("fit iris --model {model} --ddof {ddof} -o m.json")).ok();
    let result = folder.run("predict m.json iris --proba --json").result();
    assert_eq!(result["columns"][2], "p_versicolor");
    result["rows"][70][2].as_f64().unwrap()
}

#[test]
fn posteriors_of_row_71_for_both_divisors() {
    let folder = Folder::new("row71");
    for (model, ddof, expected) in [
        ("lda", 0, 0.249_077_333_952_746),
        ("lda", 1, 0.253_228_224_738_178_75),
        ("qda", 0, 0.328_451_334_300_915_58),
        ("qda", 1, 0.335_944_183_124_147_24),
    ] {
        let found = row_71(&folder, model, ddof);
        assert!((found - expected).abs() < 1e-12, "{model} {ddof}: {found}");
    }
}

#[test]
fn offsets_and_units_change_no_answer() {
    let folder = Folder::new("units");
    folder.write("plain.csv", mapped_iris(|x| x));
    folder.write("whole.csv", mapped_iris(|x| (10.0 * x).round()));
    folder.write("moved.csv", mapped_iris(|x| (10.0 * x).round() + 1e9));
    folder.write("metres.csv", mapped_iris(|x| x / 100.0));
    folder.write("tiny.csv", mapped_iris(|x| x * 1e-160));
    let answers = |file: &str, model: &str| -> (Vec<String>, Vec<Vec<f64>>, Value) {
        folder.run(&format!("fit {file} --target species --model {model} -o m.json")).ok();
        let result = folder.run(&format!("predict m.json {file} --proba --json")).result();
        let rows = result["rows"].as_array().unwrap();
        let labels = rows.iter().map(|row| row[0].as_str().unwrap().into()).collect();
        let probs = rows.iter().map(|row| numbers(&row.as_array().unwrap()[1..].into())).collect();
        let command =
            format!("evaluate {file} --target species --model {model} --folds loo --json");
        (labels, probs, folder.run(&command).result()["errors"].clone())
    };
    for model in MODELS {
        for (from, to) in
            [("whole.csv", "moved.csv"), ("plain.csv", "metres.csv"), ("plain.csv", "tiny.csv")]
        {
            let (a, b) = (answers(from, model), answers(to, model));
            assert_eq!(a.0, b.0, "{model}, {to}: labels");
            assert_eq!(a.2, b.2, "{model}, {to}: errors");
            if model == "nearest-mean" && to != "moved.csv" {
                continue;
            }
            for (a, b) in a.1.iter().flatten().zip(b.1.iter().flatten()) {
                assert!((a - b).abs() < 1e-9, "{model}, {to}: {a} {b}");
            }
        }
    }
}

#[test]
fn the_four_points_of_the_lecture() {
    let folder = Folder::new("points");
    folder.write("four.csv", "x1,x2,y\n-1,-1,-1\n-1,1,-1\n2,0,1\n3,0,1\n");
    folder.write("five.csv", "x1,x2,y\n-1,-1,-1\n-1,1,-1\n2,0,1\n3,0,1\n4,0,1\n");
    let refused = folder.run("fit four.csv --target y --model qda -o m.json");
    assert_eq!(refused.code, Some(4));
    assert!(refused.stderr.starts_with(
        "error: singular covariance: that of class '-1' has rank 1 of 2: 'x1' is constant; \
         that of class '1' has rank 1 of 2: 'x2' is constant\nhint: share the covariance"
    ));
    assert_eq!(folder.files(), ["five.csv", "four.csv"]);
    let boundary = |file: &str, pooling: &str| {
        let options =
            format!("--target y --model lda --priors uniform --pooling {pooling} -o m.json");
        folder.run(&format!("fit {file} {options}")).ok();
        let boundary = folder.run("show m.json --json").result()["boundary"].clone();
        (numbers(&boundary["linear"]), boundary["constant"].as_f64().unwrap())
    };
    for (file, pooling, slope) in
        [("four.csv", "size", 28.0), ("five.csv", "size", 10.0), ("five.csv", "average", 12.0)]
    {
        let (w, w0) = boundary(file, pooling);
        assert!((w[0] - slope).abs() < 1e-12 && w[1].abs() < 1e-12, "{file} {pooling}: {w:?}");
        let midway = if file == "four.csv" { 0.75 } else { 1.0 };
        assert!((-w0 / w[0] - midway).abs() < 1e-12, "{file} {pooling}: {}", -w0 / w[0]);
    }
}

#[test]
fn banana_errors_near_their_limits() {
    // 2000 rows: three standard errors about the limits of [M23], 15.07 % and 20.8 %.
    let folder = Folder::new("banana");
    for (model, limit) in [("qda", 0.1507), ("lda", 0.1507), ("nearest-mean", 0.208)] {
        let result = folder.run(&format!("evaluate banana --model {model} --json")).result();
        let rate = result["error_rate"].as_f64().unwrap();
        assert!(
            (rate - limit).abs() < 3.0 * (limit * (1.0 - limit) / 2000.0).sqrt(),
            "{model}: {rate}"
        );
    }
}

#[test]
fn costs_priors_and_reject_change_decisions_after_the_fit() {
    let folder = Folder::new("costs");
    folder.run("fit iris --model lda -o m.json").ok();
    let counts = |options: &str| {
        let text = folder.run(&format!("predict m.json iris {options}")).ok();
        let count = |name: &str| text.lines().skip(1).filter(|line| *line == name).count();
        ["setosa", "versicolor", "virginica", "reject"].map(count)
    };
    assert_eq!(counts(""), [50, 49, 51, 0]);
    folder.write(
        "costs.csv",
        "true,virginica,setosa,versicolor\nsetosa,1,0,1\nversicolor,1,1,0\nvirginica,0,1,100\n",
    );
    let [_, versicolor, virginica, _] = counts("--loss costs.csv");
    assert!(versicolor < 49 && virginica > 51, "{versicolor} {virginica}");
    let [_, versicolor, _, rejected] = counts("--reject 0.1");
    assert!(rejected > 0 && versicolor < 49);
    assert_eq!(counts("--priors 0.5,0.5,0")[2], 0);
    let text = folder.run("predict m.json iris --risk --reject 0.1").ok();
    assert_eq!(text.lines().next(), Some("prediction,r_setosa,r_versicolor,r_virginica,r_reject"));
}

#[test]
fn risks_distances_and_density_of_rows() {
    let folder = Folder::new("distance");
    folder.run("fit iris --model nearest-mean -o m.json").ok();
    folder.write(
        "costs.csv",
        "true,setosa,versicolor,virginica\nsetosa,0,1,2\nversicolor,3,-1,1\nvirginica,5,7,0\n",
    );
    let options = "--proba --risk --distance --density --loss costs.csv --reject 0.5 --json";
    let result = folder.run(&format!("predict m.json iris {options}")).result();
    assert_eq!(result["columns"].as_array().unwrap().len(), 12);
    for row in result["rows"].as_array().unwrap() {
        let x = numbers(&Value::from(row.as_array().unwrap()[1..].to_vec()));
        let (p, risk, distance) = (&x[..3], &x[3..7], &x[7..10]);
        let costs = [[0.0, 1.0, 2.0], [3.0, -1.0, 1.0], [5.0, 7.0, 0.0]];
        for j in 0..3 {
            let expected: f64 = (0..3).map(|i| costs[i][j] * p[i]).sum();
            assert!((risk[j] - expected).abs() < 1e-12, "{x:?}");
        }
        assert!((risk[3] - 0.5).abs() < 1e-12, "{x:?}");
        // Equal priors and unit covariances: p(x) is the mean of exp(−d²/2) / (2π)².
        let sum: f64 = distance.iter().map(|d| (-0.5 * d).exp()).sum();
        let density = (sum / 3.0).ln() - 2.0 * std::f64::consts::TAU.ln();
        assert!((x[10] - density).abs() < 1e-12 * density.abs(), "{x:?} {density}");
    }
    let first = numbers(&Value::from(result["rows"][0].as_array().unwrap()[1..].to_vec()));
    // Row 1 (5.1, 3.5, 1.4, 0.2) from setosa's mean (5.006, 3.428, 1.462, 0.246).
    let expected = 0.094_f64.powi(2) + 0.072_f64.powi(2) + 0.062_f64.powi(2) + 0.046_f64.powi(2);
    assert!((first[7] - expected).abs() < 1e-12, "{first:?}");
}

#[test]
fn iris_on_its_canonical_directions_is_that_of_mass() {
    // MASS, predict(lda(Species ~ ., iris))$x: rows 1, 71 and 150, up to the sign of a column [M24].
    let folder = Folder::new("canonical");
    folder.run("fit iris --model lda --ddof 1 -o m.json").ok();
    let result = folder.run("transform m.json iris --json").result();
    assert_eq!(result["columns"], serde_json::json!(["ld1", "ld2"]));
    for (row, expected) in [
        (0, [-8.061_799_783_002_677, 0.300_420_621_378_782]),
        (70, [3.715_896_146_553_517, 1.044_514_420_755_323]),
        (149, [4.683_154_256_762_051, 0.332_033_810_814_823]),
    ] {
        let found = numbers(&result["rows"][row]);
        assert!((found[0] - expected[0]).abs() < 1e-10, "{row}: {found:?}");
        assert!((found[1] - expected[1]).abs() < 1e-10, "{row}: {found:?}");
    }
    let one = folder.run("transform m.json iris --components 1").ok();
    assert_eq!(one.lines().count(), 151);
    assert_eq!(one.lines().next(), Some("ld1"));
    assert_eq!(one.lines().nth(1).unwrap().parse::<f64>().ok(), result["rows"][0][0].as_f64());
    let saved = folder.run("transform m.json iris -o out.csv").ok();
    assert_eq!(saved, "150 rows transformed\nsaved out.csv\nnext: gaussbayes show m.json\n");
    assert_eq!(folder.read("out.csv"), folder.run("transform m.json iris").ok().as_bytes());
    let text = folder.run("show m.json").ok();
    assert!(text.contains("canonical directions (explain 99.12 %, 0.88 %)\n"), "{text}");
    assert!(text.contains("petal_width      2.81    2.839\n"), "{text}");
    let canonical = folder.run("show m.json --json").result()["canonical"].clone();
    let first = numbers(&canonical["directions"][0]);
    for (found, expected) in first.iter().zip([
        -0.829_377_642_266_006,
        -1.534_473_067_700_012,
        2.201_211_655_561_773,
        2.810_460_308_843_104,
    ]) {
        assert!((found - expected).abs() < 1e-10, "{first:?}");
    }
    assert!((numbers(&canonical["explained"])[0] - 0.991_212_604_965_367).abs() < 1e-12);
    assert!((numbers(&canonical["ratios"])[1] - 0.279_683_221_770_612).abs() < 1e-11);
}
