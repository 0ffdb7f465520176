//! Exports models, reads what comes of it, and reads what is refused.

use super::Folder;

/// Numbers of a text with six digits.
fn rounded(text: &str) -> String {
    let mut parts = text.split_inclusive(|c: char| !(c.is_ascii_digit() || "e.-".contains(c)));
    parts.by_ref().map(round).collect()
}

fn round(part: &str) -> String {
    let end = part.len() - part.chars().last().map_or(0, char::len_utf8);
    let whole = part.ends_with(|c: char| c.is_ascii_digit());
    let (number, rest) = if whole { (part, "") } else { part.split_at(end) };
    match number.parse::<f64>() {
        Ok(value) if number.contains('e') => {
            let text = format!("{value:.5e}");
            let (digits, exponent) = text.split_once('e').unwrap();
            format!("{}e{exponent}{rest}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => part.to_owned(),
    }
}

#[test]
fn a_query_has_one_score_per_class() {
    let folder = Folder::new("export-sql");
    folder.run("fit iris --model lda --features petal_length,petal_width -o m.json").ok();
    let text = folder.run("export m.json --to sql --table plants").ok();
    assert_eq!(rounded(&text), SQL);
    folder.run("export m.json --to sql --table plants -o q.sql").ok();
    assert_eq!(folder.read("q.sql"), text.as_bytes());
}

const SQL: &str = r#"WITH gaussbayes_1 AS MATERIALIZED (
  SELECT d.*,
    -1.84888e1 + -9.53871e0*(d."petal_length" - 3.758e0) + -1.35099e1*(d."petal_width" - 1.19933e0) AS "score_setosa",
    -1.79483e0 + 2.68532e0*(d."petal_length" - 3.758e0) + 3.50552e-1*(d."petal_width" - 1.19933e0) AS "score_versicolor",
    -1.26853e1 + 6.85339e0*(d."petal_length" - 3.758e0) + 1.31594e1*(d."petal_width" - 1.19933e0) AS "score_virginica"
  FROM "plants" AS d
), gaussbayes_2 AS MATERIALIZED (
  SELECT *,
    CASE WHEN "score_setosa" >= "score_versicolor" AND "score_setosa" >= "score_virginica" THEN "score_setosa" WHEN "score_versicolor" >= "score_virginica" THEN "score_versicolor" WHEN "score_virginica" IS NOT NULL THEN "score_virginica" END AS "score_best"
  FROM gaussbayes_1
), gaussbayes_3 AS MATERIALIZED (
  SELECT *,
    EXP("score_setosa" - "score_best") + EXP("score_versicolor" - "score_best") + EXP("score_virginica" - "score_best") AS "score_sum"
  FROM gaussbayes_2
)
SELECT *,
  EXP("score_setosa" - "score_best") / "score_sum" AS "p_setosa",
  EXP("score_versicolor" - "score_best") / "score_sum" AS "p_versicolor",
  EXP("score_virginica" - "score_best") / "score_sum" AS "p_virginica",
  CASE WHEN "score_setosa" >= "score_versicolor" AND "score_setosa" >= "score_virginica" THEN 'setosa' WHEN "score_versicolor" >= "score_virginica" THEN 'versicolor' WHEN "score_virginica" IS NOT NULL THEN 'virginica' END AS "prediction"
FROM gaussbayes_3;
"#;

#[test]
fn parameters_read_back_and_predict_alike() {
    let folder = Folder::new("export-json");
    for model in ["qda", "lda", "diag-qda", "nearest-mean"] {
        folder.run(&format!("fit iris --model {model} -o m.json")).ok();
        let text = folder.run("export m.json --to json -o p.json --reject 0.2").ok();
        assert!(text.ends_with("next: gaussbayes model p.json\n"), "{text}");
        folder.run("model p.json -o again.json").ok();
        let asked = "predict again.json iris.csv";
        folder.write("iris.csv", super::iris());
        let found = folder.run(asked).ok();
        assert_eq!(found, folder.run("predict m.json iris.csv --reject 0.2").ok());
    }
    folder.run("fit iris --model softmax -o s.json").ok();
    let text = folder.run("export s.json --to json").ok();
    assert!(
        text.starts_with("{\n  \"model\": \"softmax regression\",\n  \"classes\": ["),
        "{text}"
    );
}

#[test]
fn what_is_written_is_said() {
    let folder = Folder::new("export-onnx");
    folder.run("fit iris -o m.json").ok();
    let text = folder.run("export m.json --to onnx -o m.onnx").ok();
    let bytes = folder.read("m.onnx").len();
    assert_eq!(text, format!("{bytes} bytes written\nsaved m.onnx\n"));
    let result = folder.run("export m.json --to onnx --precision float -o f.onnx --json").result();
    assert_eq!((&result["output"], &result["format"]), (&"f.onnx".into(), &"onnx".into()));
    assert_eq!(result["bytes"], folder.read("f.onnx").len());
    let result = folder.run("export m.json --to sql --json").result();
    assert_eq!(result["output"], serde_json::Value::Null);
    assert!(result["text"].as_str().unwrap().starts_with("WITH gaussbayes_1 AS MATERIALIZED ("));
}

#[test]
fn refusals_say_what_to_do_and_leave_nothing() {
    let folder = Folder::new("export-refused");
    folder.run("fit iris -o m.json").ok();
    folder.write(
        "t.csv",
        "y,note\na,free prize\nb,see you at lunch\na,a free call\nb,the report of lunch\n",
    );
    folder.run("fit t.csv --target y --model naive-bayes --types note=text -o t.json").ok();
    let before = folder.files();
    let cases = [
        (
            "export m.json --to onnx",
            "error: where is the ONNX model to be written?\nhint: gaussbayes export m.json --to onnx -o model.onnx\n",
        ),
        (
            "export m.json --to sql -o m.json",
            "error: 'm.json' is read: it would be lost if it were written\nhint: name another file with -o\n",
        ),
        (
            "export m.json --to json --table x",
            "error: --table is for SQL\nhint: --to sql, or leave --table out\n",
        ),
        (
            "export m.json --to sql --precision float",
            "error: --precision is for ONNX\nhint: --to onnx, or leave --precision out\n",
        ),
        (
            "export t.json --to onnx -o t.onnx",
            "error: column 'note' holds text: how it is cut into words is not part of a recipe\n\
             hint: fit without the column, or on counts of words in columns\n",
        ),
    ];
    for (command, said) in cases {
        let answer = folder.run(command);
        assert_eq!((answer.code, answer.stderr.as_str()), (Some(2), said), "{command}");
        assert_eq!(folder.files(), before);
    }
    let answer = folder.run("export m.json --to onyx -o x");
    assert_eq!(answer.code, Some(2));
    assert!(answer.stderr.contains("did you mean 'onnx'?"), "{}", answer.stderr);
    let answer = folder.run("export m.json --to onnx -o nowhere/m.onnx");
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    assert!(answer.stderr.starts_with("error: cannot write nowhere/m.onnx: "), "{}", answer.stderr);
    assert_eq!(folder.files(), before);
}
