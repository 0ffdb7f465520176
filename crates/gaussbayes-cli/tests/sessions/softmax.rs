//! Fits, judges, explains and asks softmax regression.

use serde_json::Value;

use super::{Folder, iris};

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    let row = |row: &Value| row.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    value.as_array().unwrap().iter().map(row).collect()
}

fn refused(folder: &Folder, command: &str, said: &str, hint: &str) {
    let answer = folder.run(command);
    assert!(answer.code.is_some_and(|code| code > 0), "{command}");
    assert!(answer.stdout.is_empty() && answer.stderr.contains(said), "{}", answer.stderr);
    assert!(answer.stderr.contains(hint), "{}", answer.stderr);
}

#[test]
fn softmax_is_fitted_saved_and_used() {
    let folder = Folder::new("softmax");
    let text = folder.run("fit iris --model softmax").ok();
    assert!(
        text.starts_with("softmax regression on 150 rows: 3 classes, 4 features, 10 parameters\n"),
        "{text}"
    );
    assert!(text.contains("penalty 1, observed priors\nlog-likelihood -17.95, "), "{text}");
    // LogisticRegression(C=1.0, tol=1e-14) of scikit-learn 1.9.1.
    let shown = folder.run("show model.json --json").result();
    let right = [-0.423_509_920, 0.967_350_580, -2.517_152_378, -1.079_336_649];
    for (found, right) in matrix(&shown["coefficients"])[0].iter().zip(right) {
        assert!((found - right).abs() < 1e-8, "{found} {right}");
    }
    assert_eq!(shown["penalty"], 1.0);
    let shown = folder.run("show model.json").ok();
    assert!(shown.contains("scores of the classes") && shown.contains("intercept"), "{shown}");
    let predicted = folder.run("predict model.json iris --proba").ok();
    assert_eq!(predicted.lines().next(), Some("prediction,p_setosa,p_versicolor,p_virginica"));
    assert_eq!(predicted.lines().count(), 151);
    let judged = folder.run("evaluate iris --with model.json --json").result();
    assert!(judged["error_rate"].as_f64().unwrap() < 0.03);
    // The same bytes from a pipe, of which the rows are kept, and for any number of threads.
    let model = folder.read("model.json");
    folder.run_with("fit - --target species --model logistic", iris().as_bytes()).ok();
    assert_eq!(folder.read("model.json"), model);
    for threads in [1, 2, 8] {
        folder.run(&format!("fit iris --model softmax --threads {threads}")).ok();
        assert_eq!(folder.read("model.json"), model);
    }
}

#[test]
fn softmax_is_judged_by_folds() {
    let folder = Folder::new("softmax-folds");
    let text = folder.run("evaluate iris --model softmax --penalty 0.1").ok();
    assert!(
        text.starts_with("softmax on iris: 10 folds\npenalty 0.1, observed priors\n"),
        "{text}"
    );
    let judged = folder.run("evaluate iris --model logistic --folds 5 --json").result();
    assert!(judged["error_rate"].as_f64().unwrap() < 0.06, "{judged}");
    assert_eq!(judged["penalty"], 1.0);
    let each = folder.run("evaluate iris --model softmax --folds loo --json").result();
    assert!(each["error_rate"].as_f64().unwrap() < 0.06, "{each}");
}

#[test]
fn boundaries_and_errors_of_softmax_are_told() {
    let folder = Folder::new("softmax-explain");
    folder.run("fit iris --model softmax --features petal_length,petal_width").ok();
    let text = folder.run("explain model.json").ok();
    assert!(text.starts_with("'setosa' and 'versicolor': line\n"), "{text}");
    assert!(!text.contains("likelihood ratio") && !text.contains("threshold"), "{text}");
    refused(&folder, "error model.json", "needs a truth", "--under");
    folder.run("fit iris --model lda --features petal_length,petal_width -o lda.json").ok();
    let under = folder.run("error model.json --under lda.json --json").result();
    let best = folder.run("error lda.json --json").result();
    let rate = |result: &Value| result["error_rate"].as_f64().unwrap();
    assert!(rate(&under) >= rate(&best) && rate(&under) < 2.0 * rate(&best), "{under}");
    let compared = folder.run("error model.json --under lda.json iris").ok();
    assert!(compared.contains("10 folds"), "{compared}");
}

#[test]
fn gaussians_of_one_covariance_are_written_as_softmax() {
    let folder = Folder::new("softmax-as");
    folder.run("fit iris --model lda").ok();
    let text = folder.run("explain model.json --as softmax").ok();
    assert!(
        text.starts_with("model.json as softmax regression\n\nscores of the classes"),
        "{text}"
    );
    let result = folder.run("explain model.json --as softmax --json").result();
    let coefficients = matrix(&result["coefficients"]);
    for j in 0..4 {
        let sum: f64 = coefficients.iter().map(|row| row[j]).sum();
        assert!(sum.abs() < 1e-10, "{sum}");
    }
    // Their differences are the boundaries.
    let boundary =
        &folder.run("explain model.json --pair setosa,virginica --json").result()["pairs"];
    let linear = matrix(&Value::from(vec![boundary[0]["linear"].clone()])).remove(0);
    for (j, linear) in linear.iter().enumerate() {
        let right = coefficients[0][j] - coefficients[2][j];
        assert!((linear - right).abs() < 1e-9 * right.abs(), "{linear} {right}");
    }
    folder.run("fit iris --model qda").ok();
    refused(&folder, "explain model.json --as softmax", "different covariances", "lda");
}

#[test]
fn what_softmax_cannot_do_is_refused() {
    let folder = Folder::new("softmax-refused");
    let separable = "planes separate 'setosa' from 'versicolor' and 'setosa' from 'virginica'";
    refused(&folder, "fit iris --model softmax --penalty 0", separable, "--penalty 1");
    refused(&folder, "fit iris --model softmax --penalty -1", "penalty -1", "maximum likelihood");
    refused(&folder, "fit iris --model lda --penalty 1", "for softmax regression alone", "--model");
    refused(&folder, "fit iris --model softmax --ridge 0.1", "takes no --ridge", "--penalty");
    refused(&folder, "fit iris --model sofmax", "no model 'sofmax'", "did you mean 'softmax'");
    assert!(folder.files().iter().all(|name| name != "model.json"));
    folder.run("fit iris --model softmax").ok();
    refused(&folder, "update model.json iris", "several times", "fit to all rows again");
    refused(&folder, "predict model.json iris --density", "no densities", "--proba");
    refused(&folder, "predict model.json iris --distance", "no Gaussians", "predict");
    folder.write("c.csv", "x,y,z,class\n1,2,3,a\n2,1,3,b\n3,5,8,a\n4,1,5,b\n2,2,4,b\n1,1,2,a\n");
    let collinear = "fit c.csv --target class --model softmax --penalty 0";
    refused(&folder, collinear, "'z' = 'x' + 'y'", "leave columns out");
    folder.write("s.csv", "x,y,class\n1,7,a\n2,7,a\n3,7,b\n4,7,b\n");
    let warned = folder.run("fit s.csv --target class --model softmax");
    assert!(
        warned.stderr.contains("planes separate the classes without error"),
        "{}",
        warned.stderr
    );
    assert!(warned.stderr.contains("column 'y' is constant"), "{}", warned.stderr);
    warned.ok();
}
