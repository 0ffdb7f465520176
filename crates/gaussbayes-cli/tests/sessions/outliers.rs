//! Clusters rows beside outliers, and asks the models that come of it.

use gaussbayes::Random;
use serde_json::Value;

use super::Folder;

/// Three clusters, and one row in twenty anywhere, called noise.
fn dirty(folder: &Folder) {
    let mut random = Random::new(3, 1);
    let mut text = String::from("x,y,kind\n");
    for i in 0..600 {
        let [x, y] = [[0.0, 0.0], [8.0, 2.0], [3.0, 9.0]][i % 3];
        let (a, b) = random.normal_pair();
        text += &format!("{:.4},{:.4},{}\n", x + a, y + b, ["a", "b", "c"][i % 3]);
        if i % 20 == 0 {
            let [x, y] = [0, 1].map(|_| 100.0 * random.uniform() - 45.0);
            text += &format!("{x:.4},{y:.4},noise\n");
        }
    }
    folder.write("dirty.csv", text);
}

const FIT: &str = "cluster dirty.csv --target kind -k 3 --model EEE -o m.json";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn noise_has_a_share_a_box_and_a_label() {
    let folder = Folder::new("noise");
    dirty(&folder);
    let text = folder.run(&format!("{FIT} --noise")).ok();
    assert!(text.contains("3 clusters and noise"), "{text}");
    let result = folder.run(&format!("{FIT} --noise --trace t.json --json")).result();
    assert_eq!(result["k"], 3);
    assert_eq!(result["outliers"], "noise");
    let share = number(&result["noise"]["share"]);
    assert!((0.03..0.07).contains(&share), "{share}");
    assert!(number(&result["noise"]["volume"]) <= 100.0 * 100.0);
    let weights: f64 = result["weights"].as_array().unwrap().iter().map(number).sum();
    assert!((weights + share - 1.0).abs() < 1e-12);
    assert!(number(&result["cross"]["adjusted_rand"]) > 0.98, "{}", result["cross"]);
    // Three means of two, six shared variances and covariances less three, two shares; noise adds two.
    assert_eq!(result["parameters"], 3 * 2 + 3 + 2 + 2);
    let trace: Value = serde_json::from_slice(&folder.read("t.json")).unwrap();
    let last = trace.as_array().unwrap().last().unwrap();
    assert!((number(&last["noise"]) - share).abs() < 1e-9);

    let shown = folder.run("show m.json --json").result();
    assert_eq!(shown["noise"], result["noise"]);
    assert_eq!(shown["classes"][3], "noise");
    assert!(folder.run("show m.json").ok().contains("anywhere"));
    folder.write("new.csv", "x,y\n40,40\n8,2\n");
    let predicted = folder.run("predict m.json new.csv --proba").ok();
    let lines: Vec<&str> = predicted.lines().collect();
    assert_eq!(lines[0], "prediction,p_1,p_2,p_3,p_noise");
    assert!(lines[1].starts_with("noise,") && !lines[2].starts_with("noise,"), "{predicted}");
    let drawn = folder.run("sample m.json --rows 500").ok();
    let noise = drawn.lines().filter(|line| line.ends_with(",noise")).count();
    assert!((8..=50).contains(&noise), "{noise}");
    folder.run("evaluate --with m.json dirty.csv --target kind").ok();
    for command in ["explain m.json", "error m.json"] {
        let refused = folder.run(command);
        assert_eq!(refused.code, Some(2), "{command}: {}", refused.stderr);
        assert!(refused.stderr.contains("'noise' is not one Gaussian"), "{}", refused.stderr);
        assert!(refused.stderr.contains("hint:"), "{}", refused.stderr);
    }
    let refused = folder.run("model m.json --given x=1 -o part.json");
    assert!(refused.stderr.contains("conditional mixtures of a mixture with noise"));
}

#[test]
fn merged_clusters_beside_noise_are_counted_and_shown_as_clusters() {
    let folder = Folder::new("noise-merged");
    dirty(&folder);
    let fit = FIT.replace("-k 3", "-k 4");
    let result = folder.run(&format!("{fit} --noise --merge 2 --json")).result();
    assert_eq!(result["k"], 2);
    assert_eq!(result["clusters"], serde_json::json!(["1", "2", "noise"]));
    let text = folder.run("show m.json").ok();
    assert!(text.contains("a mixture per cluster, EEE (") && !text.contains("class"), "{text}");
    let table = text.split("components by cluster\n").nth(1).unwrap();
    let lines: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).take(6).collect();
    assert_eq!(lines[0], ["cluster", "prior", "share", "x", "y"]);
    let noise = &lines[5];
    assert_eq!((noise[0], &noise[2..]), ("noise", &["1", "anywhere", "anywhere"][..]));
    let shown = folder.run("show m.json --json").result();
    assert!(shown["families"].is_null());
    let weights: f64 = shown["weights"].as_array().unwrap().iter().map(number).sum();
    assert!((weights - 1.0).abs() < 1e-12, "{weights}");
    let owner = shown["owner"].as_array().unwrap();
    assert_eq!(owner.len(), shown["weights"].as_array().unwrap().len());
}

#[test]
fn a_guess_of_noise_and_a_model_with_noise_start_where_they_say() {
    let folder = Folder::new("noise-start");
    dirty(&folder);
    let from = |more: &str| folder.run(&format!("{FIT} --noise --json {more}")).result();
    let plain = from("");
    let loglik = |result: &Value| number(&result["loglik"]);
    for start in ["--start labels", "--start m.json"] {
        let again = from(start);
        assert!((loglik(&again) / loglik(&plain) - 1.0).abs() < 1e-6, "{start}");
    }
    assert_eq!(from("--start labels")["clusters"], serde_json::json!(["a", "b", "c", "noise"]));
    // A model without noise begins with some, and one with noise goes on without it.
    folder.run(FIT).ok();
    let begun = from("--start m.json");
    assert!(number(&begun["noise"]["share"]) > 0.0);
    let without = folder.run(&format!("{FIT} --start m.json --json")).result();
    assert!(without["noise"].is_null() && without["freedom"].is_null());
}

#[test]
fn tails_have_degrees_of_freedom() {
    let folder = Folder::new("tails");
    dirty(&folder);
    let fit = |word: &str| folder.run(&format!("{FIT} {word} --json")).result();
    let (each, common, fixed) = (fit("--student"), fit("--student common"), fit("--student=4"));
    let freedom = |result: &Value| -> Vec<f64> {
        result["freedom"].as_array().unwrap().iter().map(number).collect()
    };
    assert_eq!(each["outliers"], "student");
    assert_eq!(freedom(&each).len(), 3);
    let one = freedom(&common);
    assert!(one.iter().all(|nu| *nu == one[0] && *nu < 4.0), "{one:?}");
    assert_eq!(freedom(&fixed), [4.0; 3]);
    let parameters = |result: &Value| result["parameters"].as_u64().unwrap();
    assert_eq!([parameters(&each), parameters(&common), parameters(&fixed)], [14, 12, 11]);
    // BIC says which suits rows that are scattered: noise, then tails, then nothing.
    let bic = |result: &Value| number(&result["bic"]);
    let (noise, plain) = (fit("--noise"), fit(""));
    assert!(bic(&noise) < bic(&each) && bic(&each) < bic(&plain));
    folder.run(&format!("{FIT} --student=4")).ok();
    let shown = folder.run("show m.json").ok();
    assert!(shown.contains("scale matrix shared by all clusters"), "{shown}");
    assert!(shown.contains("cluster   prior  freedom"), "{shown}");
    // What distances of a predictive density are divided by are no degrees of freedom.
    folder.run("fit iris --density predictive -o p.json").ok();
    assert!(!folder.run("show p.json").ok().contains("freedom"));
    assert!(folder.run("show p.json --json").result()["freedom"].is_null());
    folder.run("sample m.json --rows 20").ok();
    folder.run("model m.json --marginal x -o part.json").ok();
    let refused = folder.run("explain m.json");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
}

#[test]
fn words_that_mean_nothing_beside_outliers_are_refused() {
    let folder = Folder::new("no-outliers");
    dirty(&folder);
    for (more, why) in [
        ("--student 0.5", "0.5 degrees of freedom are not between 1 and 1000"),
        ("--student some", "degrees of freedom, common"),
        ("--noise --standardize", "standardised columns beside outliers"),
    ] {
        let refused = folder.run(&format!("{FIT} {more}"));
        assert_eq!(refused.code, Some(2), "{more}: {}", refused.stderr);
        assert!(refused.stderr.contains(why), "{more}: {}", refused.stderr);
    }
    let refused = folder.run("cluster dirty.csv --target kind -k 3 --model kmeans --noise");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("family unit takes no noise"), "{}", refused.stderr);
    let both = folder.run(&format!("{FIT} --student --noise"));
    assert_eq!(both.code, Some(2), "{}", both.stderr);
    assert!(both.stderr.contains("cannot be used with"), "{}", both.stderr);
}

#[test]
fn threads_and_a_checkpoint_change_no_byte_of_a_model_with_noise() {
    let folder = Folder::new("noise-checkpoint");
    dirty(&folder);
    let whole = folder.run(&format!("{FIT} --noise")).ok();
    let model = folder.read("m.json");
    let again = folder.run(&format!("{FIT} --noise --checkpoint c.json --threads 2")).ok();
    assert_eq!(whole, again);
    assert_eq!(model, folder.read("m.json"));
    assert!(!folder.files().contains(&"c.json".to_string()));
}
