//! Clusters the built-in sets, and holds the answers to the literature and to known classes.

use serde_json::{Value, json};

use super::{Folder, iris};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn sum(value: &Value) -> f64 {
    value.as_array().unwrap().iter().map(number).sum()
}

#[test]
fn faithful_has_the_mixture_that_mclust_finds() {
    let folder = Folder::new("faithful");
    let result = folder.run("cluster faithful -k 2..4 --json").result();
    // mclust 6: EEE with 3 components, BIC -2314.316 in its sign.
    assert_eq!((&result["model"], &result["k"]), (&json!("EEE"), &json!(3)));
    assert!((number(&result["bic"]) - 2314.3).abs() < 0.1, "{}", result["bic"]);
    assert!((sum(&result["weights"]) - 1.0).abs() < 1e-12);
    assert_eq!(result["means"].as_array().unwrap().len(), 3);
    assert_eq!(result["n"], 272);
    assert_eq!(result["converged"], true);
    let table = result["table"].as_array().unwrap();
    assert_eq!(table.len(), 3 * 14);
    let lowest = table.iter().filter_map(|row| row["bic"].as_f64()).fold(f64::INFINITY, f64::min);
    assert_eq!(number(&result["bic"]), lowest);
    let weights: Vec<f64> = result["weights"].as_array().unwrap().iter().map(number).collect();
    assert!(weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
}

#[test]
fn a_single_fit_has_no_table_and_leaves_its_trajectory() {
    let folder = Folder::new("single");
    let text = folder.run("cluster faithful -k 2 --model VVV --trace t.csv").ok();
    assert!(!text.contains("best:"), "{text}");
    assert!(text.contains("log-likelihood -1130.26, 11 parameters, BIC 2322.19"), "{text}");
    let end =
        "saved t.csv\nsaved model.json\nnext: gaussbayes predict model.json faithful --proba\n";
    assert!(text.ends_with(end), "{text}");
    let trace = String::from_utf8(folder.read("t.csv")).unwrap();
    let lines: Vec<&str> = trace.lines().collect();
    assert_eq!(lines[0], "iteration,log_likelihood,functional,raised,change");
    let column = |line: &str, at: usize| line.split(',').nth(at).unwrap().parse::<f64>().unwrap();
    let values: Vec<f64> = lines[1..].iter().map(|line| column(line, 1)).collect();
    assert!(values.len() > 3 && values.is_sorted(), "{values:?}");
    // The M-step raises what it maximises.
    assert!(lines[1..].iter().all(|line| column(line, 3) >= column(line, 2) - 1e-9));
    folder.run("cluster faithful -k 2 --model VVV --trace t.json").ok();
    let points: Value = serde_json::from_slice(&folder.read("t.json")).unwrap();
    let points = points.as_array().unwrap();
    assert_eq!(points.len(), values.len());
    let shown = folder.run("show model.json --json").result();
    let last = points.last().unwrap();
    assert_eq!((&last["weights"], &last["means"]), (&shown["priors"], &shown["means"]));
    let many = folder.run("cluster faithful --trace t.csv");
    assert_eq!(many.code, Some(2), "{}", many.stderr);
}

#[test]
fn clusters_of_iris_are_held_against_its_species() {
    let folder = Folder::new("species");
    let text = folder.run("cluster iris -k 3 --model VEV -o m.json").ok();
    assert!(text.contains("adjusted Rand index 0.9039 against 'species'"), "{text}");
    let shown = folder.run("evaluate iris --with m.json").ok();
    assert!(shown.contains("clusters are no classes of 'species', so there is no error rate"));
    assert!(shown.contains("versicolor          5   0  45"), "{shown}");
    let result = folder.run("evaluate iris --with m.json --json").result();
    assert!((number(&result["adjusted_rand"]) - 0.903_874_2).abs() < 1e-6);
    // From the labels clusters keep the names of the classes, and errors can be counted.
    folder.run("cluster iris -k 3 --model VEV --start labels -o l.json").ok();
    let judged = folder.run("evaluate iris --with l.json --json").result();
    assert_eq!(judged["errors"], 5);
    let full =
        folder.run("cluster iris -k 3 --model full --start labels -o l.json --json").result();
    assert_eq!((&full["model"], &full["start"]), (&json!("VVV"), &json!("labels")));
    assert!((number(&full["loglik"]) + 180.1855).abs() < 1e-4, "{}", full["loglik"]);
    let again = folder.run("cluster iris --start m.json -o n.json --json").result();
    assert_eq!((&again["model"], &again["k"]), (&json!("VEV"), &json!(3)));
    assert!(again["iterations"].as_u64().unwrap() <= 2, "{}", again["iterations"]);
    let other = folder.run("cluster iris --start m.json -k 2");
    assert_eq!(other.code, Some(2), "{}", other.stderr);
}

#[test]
fn a_mixture_file_can_be_asked_what_a_classifier_can() {
    let folder = Folder::new("asked");
    folder.run("cluster iris -k 3 --model VEV -o m.json").ok();
    let rows = folder.run("predict m.json iris --proba --density --entropy").ok();
    let lines: Vec<&str> = rows.lines().collect();
    assert_eq!(lines[0], "prediction,p_1,p_2,p_3,log_density,entropy");
    assert_eq!(lines.len(), 151);
    let cells: Vec<f64> = lines[71].split(',').map(|cell| cell.parse().unwrap()).collect();
    let entropy: f64 = cells[1..4].iter().map(|p| if *p > 0.0 { -p * p.ln() } else { 0.0 }).sum();
    assert!((entropy - cells[5]).abs() < 1e-12, "{entropy} {}", cells[5]);
    let shown = folder.run("show m.json").ok();
    assert!(shown.contains("150 rows") && shown.contains("converged in"), "{shown}");
    let record = folder.run("show m.json --json").result()["clustering"].clone();
    assert_eq!(record["n"], 150);
    assert!((number(&record["bic"]) - 562.55).abs() < 0.01);
    let error = folder.run("error m.json --json").result();
    assert!((number(&error["total"]) - 0.0168).abs() < 1e-4, "{}", error["total"]);
    assert!(folder.run("explain m.json").ok().contains("hyperboloid"));
    assert!(folder.run("sample m.json -n 3").ok().starts_with("sepal_length,"));
    assert!(folder.run("transform m.json iris").ok().starts_with("ld1,ld2\n"));
    let refused = folder.run("update m.json iris");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("hint: gaussbayes cluster ALL.csv --start m.json"));
}

#[test]
fn parts_of_a_mixture_are_models() {
    let folder = Folder::new("parts");
    folder.run("cluster iris -k 3 --model VVV -o m.json").ok();
    folder.run("model m.json --marginal petal_width,sepal_length -o p.json").ok();
    let whole = folder.run("show m.json --json").result();
    let part = folder.run("show p.json --json").result();
    assert_eq!(part["features"], json!(["petal_width", "sepal_length"]));
    for k in 0..3 {
        for (new, old) in [(0, 3), (1, 0)] {
            let (found, expected) = (&part["means"][k][new], &whole["means"][k][old]);
            assert!((number(found) - number(expected)).abs() < 1e-12);
        }
        let (found, expected) = (&part["covariances"][k][0][1], &whole["covariances"][k][3][0]);
        assert!((number(found) - number(expected)).abs() < 1e-12);
    }
    // Where one column is known the density of the others is that of both, less that of the known.
    folder.run("model m.json --marginal petal_length,petal_width -o both.json").ok();
    folder.run("model m.json --marginal petal_length -o one.json").ok();
    folder.run("model both.json --given petal_length=4.5 -o given.json").ok();
    folder.write("r.csv", "petal_length,petal_width\n4.5,1.4\n");
    let density = |model: &str| {
        let result = folder.run(&format!("predict {model} r.csv --density --json")).result();
        number(&result["rows"][0][1])
    };
    let expected = density("both.json") - density("one.json");
    assert!((density("given.json") - expected).abs() < 1e-10);
    folder.run("model m.json --marginal 4,1..2 --given 3=4.5 -o numbers.json").ok();
    let shown = folder.run("show numbers.json").ok();
    assert!(
        shown.contains("part of a mixture of 150 rows") && !shown.contains("target"),
        "{shown}"
    );
    assert!(shown.contains("  petal_width  sepal_length  sepal_width\n"), "{shown}");
    let wrong = folder.run("model m.json --given petal_with=1 -o x.json");
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("did you mean 'petal_width'?"), "{}", wrong.stderr);
}

#[test]
fn threads_and_standard_input_leave_the_same_bytes() {
    let folder = Folder::new("cluster-bytes");
    folder.run("sample blobs -n 20000 --columns 3 --spread 3 --seed 5 -o d.csv").ok();
    let text = String::from_utf8(folder.read("d.csv")).unwrap();
    for options in ["-k 3 --model VVV", "-k 2..3 --model EII,VVI,VEV --max-iter 20"] {
        let fit = |threads: u32| {
            let command = format!("cluster d.csv --target class {options} --threads {threads}");
            let shown = folder.run(&command).ok();
            (shown, folder.read("model.json"))
        };
        let one = fit(1);
        assert!(one == fit(2) && one == fit(8), "{options}: threads");
        let command = format!("cluster - --target class {options} -o s.json");
        folder.run_with(&command, text.as_bytes()).ok();
        assert!(one.1 == folder.read("s.json"), "{options}: standard input");
    }
}

#[test]
fn weights_are_repetitions() {
    let folder = Folder::new("cluster-weights");
    let mut lines = iris().lines();
    let header = lines.next().unwrap();
    let (mut twice, mut weighted) = (format!("{header}\n"), format!("{header},w\n"));
    for (i, line) in lines.enumerate() {
        let weight = i % 3;
        weighted.push_str(&format!("{line},{weight}\n"));
        (0..weight).for_each(|_| twice.push_str(&format!("{line}\n")));
    }
    folder.write("w.csv", weighted);
    folder.write("t.csv", twice);
    let command = "--target species -k 3 --model VEV --start labels --json";
    let a = folder.run(&format!("cluster w.csv --weights w {command}")).result();
    let b = folder.run(&format!("cluster t.csv {command}")).result();
    assert_eq!((&a["n"], &a["weight"]), (&json!(150), &b["n"]));
    let whole = folder.run("cluster w.csv --weights w --drop species -k 2 --model EEE").ok();
    assert!(whole.starts_with("w.csv: 150 rows, 4 features\n"), "{whole}");
    folder.write("w.csv", String::from_utf8(folder.read("w.csv")).unwrap().replace(",2\n", ",3\n"));
    let heavy = folder.run("cluster w.csv --weights w --drop species -k 2 --model EEE").ok();
    assert!(heavy.starts_with("w.csv: 150 rows of weight 200, 4 features\n"), "{heavy}");
    assert!((number(&a["bic"]) - number(&b["bic"])).abs() < 1e-6 * number(&b["bic"]));
    assert_eq!(a["cross"]["counts"], b["cross"]["counts"]);
}

#[test]
fn one_column_has_two_families() {
    let folder = Folder::new("column");
    let result = folder.run("cluster faithful --features waiting -k 1..3 --json").result();
    let table = result["table"].as_array().unwrap();
    assert_eq!(table.len(), 6);
    assert_eq!(result["k"], 2);
}

#[test]
fn k_means_is_the_unit_family() {
    let folder = Folder::new("kmeans");
    let result = folder.run("cluster iris -k 3 --model kmeans --json").result();
    // Hartigan and Wong's in R: 78.85144 in all.
    assert!((number(&result["within"]) - 78.851).abs() < 0.01, "{}", result["within"]);
    assert_eq!(sum(&result["rows"]), 150.0);
    let text = folder.run("cluster iris -k 2,3 --model unit").ok();
    assert!(text.contains("squares") && text.contains("within-cluster sum of squares"), "{text}");
    // The two best partitions put 61 or 62 and 39 or 38 of the other rows together.
    assert_eq!(result["cross"]["counts"][0], json!([50, 0, 0]));
    let index = number(&result["cross"]["adjusted_rand"]);
    assert!((index - 0.7302).abs() < 0.02, "{index}");
}

#[test]
fn what_a_built_in_set_knows_gives_way() {
    let folder = Folder::new("gives-way");
    for column in ["species", "5"] {
        let result =
            folder.run(&format!("cluster iris --drop {column} -k 2 --model EII --json")).result();
        assert_eq!(result["cross"], Value::Null);
    }
}

#[test]
fn tables_are_no_wider_than_a_page_and_means_far_from_zero_differ() {
    let folder = Folder::new("wide");
    let text = folder.run("cluster wine -k 1..16 --model EII,EEI --max-iter 5 --restarts 1").ok();
    let long = |line: &&str| !line.starts_with("converged") && !line.starts_with("not");
    assert!(text.lines().filter(long).all(|line| line.chars().count() <= 100), "{text}");
    folder.write("far.csv", super::mapped_iris(|x| x + 1e9));
    let text = folder.run("cluster far.csv --drop species -k 2 --model EEE").ok();
    assert!(text.contains("1000000005.0") && text.contains("1000000006.2"), "{text}");
}
