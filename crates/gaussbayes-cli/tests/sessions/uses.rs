//! Joins components into clusters, bootstraps a mixture, and lists the rows that it hangs on.

use serde_json::{Value, json};

use super::Folder;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn merged_clusters_are_those_of_the_answer_and_of_the_model() {
    let folder = Folder::new("merge");
    let wish = "cluster iris -k 5 --model EEE --start hierarchical";
    let result = folder.run(&format!("{wish} --merge 3 --json")).result();
    assert_eq!((&result["k"], &result["clusters"]), (&json!(3), &json!(["1", "2", "3"])));
    assert_eq!(result["components"], json!(["1", "2", "3", "4", "5"]));
    let owner = numbers(&result["owner"]);
    let merged = result["merged"].as_array().unwrap();
    let mut listed = 0;
    for (k, cluster) in merged.iter().enumerate() {
        let own = owner.iter().filter(|owner| **owner == k as f64).count();
        assert_eq!(cluster["components"].as_array().unwrap().len(), own);
        assert_eq!(cluster["rows"], result["rows"][k]);
        listed += own;
    }
    assert_eq!(listed, 5);
    assert_eq!(numbers(&result["rows"]).iter().sum::<f64>(), 150.0);
    assert_eq!(result["cross"]["clusters"], json!(["1", "2", "3"]));
    let entropies = numbers(&result["entropies"]);
    assert!(entropies.len() == 5 && entropies[0] == 0.0 && entropies.is_sorted());
    assert_eq!(result["order"].as_array().unwrap().len(), 4);
    let predicted = folder.run("predict model.json iris --proba").ok();
    assert!(predicted.starts_with("prediction,p_1,p_2,p_3\n"), "{predicted}");
    let text = folder.run(&format!("{wish} --merge auto")).ok();
    assert!(
        text.contains("5 components joined into 2 clusters, where the entropy turns"),
        "{text}"
    );
    let refused = folder.run(&format!("{wish} --merge 6"));
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("5 components cannot make 6 clusters"), "{}", refused.stderr);
    assert_eq!(folder.run(&format!("{wish} --merge none")).code, Some(2));
}

#[test]
fn standard_errors_stand_beside_what_they_are_of() {
    let folder = Folder::new("bootstrap");
    let wish = "cluster faithful -k 2 --model VVV --bootstrap 100";
    let text = folder.run(wish).ok();
    assert!(text.contains("± standard errors over 100 refits on random weights"), "{text}");
    let titles = text.lines().find(|line| line.starts_with("cluster")).unwrap();
    assert_eq!(titles.matches('±').count(), 3, "{titles}");
    let run = |threads: usize| folder.run(&format!("{wish} --threads {threads} --json")).result();
    let result = run(1);
    assert_eq!(result["standard_errors"], run(2)["standard_errors"]);
    let errors = &result["standard_errors"];
    // mclust: 0.030, and 0.032 of the mean of the heavier cluster.
    let weights = numbers(&errors["weights"]);
    assert!((weights[0] - 0.03).abs() < 0.008, "{weights:?}");
    let means = numbers(&errors["means"][0]);
    assert!((means[0] - 0.032).abs() < 0.008, "{means:?}");
    let (covariance, low, high) = (
        &errors["covariances"][0],
        &result["intervals"]["low"]["means"],
        &result["intervals"]["high"]["means"],
    );
    assert_eq!(covariance[0][1], covariance[1][0]);
    for k in 0..2 {
        let mean = numbers(&result["means"][k]);
        assert!(numbers(&low[k])[0] < mean[0] && mean[0] < numbers(&high[k])[0]);
    }
    assert_eq!(result["bootstrap"]["kept"], 100);
}

#[test]
fn the_row_that_lies_apart_matters_most() {
    let folder = Folder::new("influence");
    let mut rows = String::from("a,b\n");
    for i in 0..60 {
        let (x, y) = (f64::from(i % 8), f64::from(i % 5));
        rows += &format!("{},{}\n", x + 0.3 * y, y + if i % 2 == 0 { 20.0 } else { 0.0 });
    }
    rows += "19,-9\n";
    folder.write("apart.csv", &rows);
    let wish = "cluster apart.csv -k 2 --model VVV --start hierarchical";
    let result = folder.run(&format!("{wish} --influence 3 --json")).result();
    let listed = result["influence"].as_array().unwrap();
    assert_eq!(listed.len(), 3);
    assert_eq!(listed[0]["row"], 61);
    let shift = |at: usize| listed[at]["covariance"].as_f64().unwrap();
    assert!(shift(0) > 5.0 * shift(1), "{listed:?}");
    let refit = listed[0]["refit"]["covariance"].as_f64().unwrap();
    assert!((refit / shift(0) - 1.0).abs() < 0.2 && listed[0]["refit"]["converged"] == true);
    let text = folder.run(&format!("{wish} --influence")).ok();
    assert!(text.contains("rows that move a cluster most when left out"), "{text}");
    assert_eq!(folder.run(&format!("{wish} --influence 0")).code, Some(2));
}
