//! Reads files of known parameters, good and bad.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use gaussbayes::Parameters;
use gaussbayes_io::{Error, read_parameters};

fn read(name: &str, text: &str) -> Result<Parameters, Error> {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.json"));
    std::fs::write(&path, text).unwrap();
    read_parameters(&path)
}

#[test]
fn all_ways_to_write_a_covariance_say_the_same() {
    let rest = r#""classes": ["b", "a"], "priors": [0.4, 0.6], "means": [[0, 0], [1, 2]]"#;
    let ways = [
        r#""covariances": [[[4, -3], [-3, 9]], [[4, -3], [-3, 9]]]"#,
        r#""covariance": [[4, -3], [-3, 9]]"#,
        r#""covariance": {"sigma1": 2, "sigma2": 3, "r": -0.5}"#,
        r#""covariances": [{"sigma1": 2, "sigma2": 3, "r": -0.5}, [[4, -3], [-3, 9]]]"#,
        r#""sigma1": 2, "sigma2": 3, "r": -0.5"#,
        r#""sigma1": [2, 2], "sigma2": 3, "r": [-0.5, -0.5]"#,
    ];
    let models: Vec<_> = ways
        .iter()
        .map(|way| read("ways", &format!("{{{rest}, {way}}}")).unwrap().classifier().unwrap())
        .collect();
    assert!(models.iter().all(|model| *model == models[0]));
    assert_eq!(models[0].classes()[0].as_str(), "a");
}

#[test]
fn what_is_left_out_has_a_default_and_one_column_needs_no_brackets() {
    let parameters = read("short", r#"{"means": [0, 1.5], "covariances": [1, 4]}"#).unwrap();
    assert_eq!(parameters.features, ["x1"]);
    assert_eq!(parameters.means, [[0.0], [1.5]]);
    let classifier = parameters.classifier().unwrap();
    assert_eq!(classifier.classes()[1].as_str(), "2");
    assert_eq!(classifier.mixture().unwrap().weights(), [0.5, 0.5]);
    let loss = r#"{"means": [0, 1], "covariance": 1, "loss": [[0, 1, 0.2], [2, 0, 0.2]]}"#;
    let classifier = read("loss", loss).unwrap().classifier().unwrap();
    assert_eq!(classifier.loss().actions().len(), 3);
}

#[test]
fn faults_are_named_by_their_place() {
    let cases = [
        ("[1]", "holds no JSON object"),
        (r#"{"means": [[0, 0], }"#, "is no JSON: line 1, column"),
        (r#"{"mean": [[0], [1]]}"#, "'mean' is not known"),
        (r#"{"covariance": 1}"#, "has no 'means'"),
        (r#"{"means": [[0], [1]]}"#, "has no 'covariances'"),
        (
            r#"{"means": [[0, 1], [1]], "covariance": 1}"#,
            "'means[1]' has 1 entry where 'means[0]' has 2",
        ),
        (r#"{"means": [[0], ["x"]], "covariance": 1}"#, "'means[1][0]' is 'x', not a number"),
        (r#"{"means": 5, "covariance": 1}"#, "'means' is 5, not a list"),
        (r#"{"means": [], "covariance": 1}"#, "'means' is an empty list, not a list"),
        (
            r#"{"classes": ["a"], "means": [0, 1], "covariance": 1}"#,
            "'means' has 2 entries where 'classes' has 1",
        ),
        (
            r#"{"classes": ["a", null], "means": [0, 1], "covariance": 1}"#,
            "'classes[1]' is null, not a name",
        ),
        (
            r#"{"priors": [1], "means": [0, 1], "covariance": 1}"#,
            "'priors' has 1 entry where 'means' has 2",
        ),
        (
            r#"{"means": [[0, 0], [1, 1]], "covariances": [[[1, 0], [0, 1]]]}"#,
            "'covariances' has 1 entry where 'means' has 2",
        ),
        (
            r#"{"means": [[0, 0], [1, 1]], "covariance": [[1, 0], [0]]}"#,
            "'covariance[1]' has 1 entry where 'means[0]' has 2",
        ),
        (
            r#"{"means": [0, 1], "covariance": 1, "sigma1": 2}"#,
            "gives covariances twice: by 'covariance' and by 'sigma1'",
        ),
        (r#"{"means": [[0, 0], [1, 1]], "sigma1": 2}"#, "has 'sigma1' and no 'sigma2'"),
        (
            r#"{"means": [0, 1], "sigma1": 2, "sigma2": 1}"#,
            "'sigma1' is for two features, and 'means[0]' has 1",
        ),
        (
            r#"{"means": [0, 1], "covariance": 1, "loss": [[0, 1], [1]]}"#,
            "'loss[1]' has 1 entry where 'classes' has 2",
        ),
    ];
    for (text, wanted) in cases {
        let error = read("bad", text).unwrap_err();
        assert!(error.to_string().contains(wanted), "{error}\nwanted: {wanted}");
        assert!(error.hint().is_some(), "{error}");
    }
    let unknown = read("key", r#"{"mean": [[0], [1]]}"#).unwrap_err();
    assert_eq!(unknown.hint().unwrap(), "did you mean 'means'?");
}
