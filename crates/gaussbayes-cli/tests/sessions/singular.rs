//! Covariances without an inverse: the message names the right equation, the first remedy works.

use gaussbayes::Random;

use crate::Folder;

/// Rows of `columns` normal columns in classes A and B, with three decimals.
fn rows(count: usize, columns: usize) -> Vec<Vec<f64>> {
    let mut random = Random::new(5, columns as u64);
    let row = |i: usize| {
        let shift = 2.0 * (i % 2) as f64;
        let value = |_: usize| (1000.0 * (random.normal_pair().0 + shift)).round() / 1000.0;
        (0..columns).map(value).collect()
    };
    (0..count).map(row).collect()
}

/// A table with a target `y` of alternating classes.
fn csv(names: &str, rows: &[Vec<f64>]) -> String {
    let mut text = format!("{names},y\n");
    for (i, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|x| format!("{x:?}")).collect();
        text += &format!("{},{}\n", cells.join(","), ["A", "B"][i % 2]);
    }
    text
}

/// Forty rows with a last column made of the others.
fn with(names: &str, last: impl Fn(&[f64]) -> f64) -> String {
    let mut rows = rows(40, 3);
    rows.iter_mut().for_each(|row| row.push(last(row)));
    csv(names, &rows)
}

/// Fits, expects to be refused for this reason, and takes the first remedy that is offered.
fn assert_mended(name: &str, data: &str, model: &str, reason: &str, remedy: &str) {
    let folder = Folder::new(&format!("singular-{name}-{model}"));
    folder.write("d.csv", data);
    let refused = folder.run(&format!("fit d.csv --target y --model {model} -o m.json"));
    assert_eq!(refused.code, Some(4), "{name}: {}", refused.stderr);
    let said = refused.stderr;
    assert!(said.lines().next().unwrap().contains(reason), "{name}, {model}: {said}");
    let (_, hint) = said.split_once("\nhint: ").unwrap();
    let flags = hint.split(['(', ')']).nth(1).unwrap();
    assert_eq!(flags, remedy, "{name}, {model}: {said}");
    let model = if flags.contains("--model") { String::new() } else { format!("--model {model}") };
    folder.run(&format!("fit d.csv --target y {model} {flags} -o m.json")).ok();
    folder.run("predict m.json d.csv --proba").ok();
    assert_eq!(folder.files(), ["d.csv", "m.json"]);
}

#[test]
fn columns_that_say_nothing_new() {
    let both = "those of classes 'A' and 'B' have rank 3 of 4: ";
    let all = "that of all classes together has rank 3 of 4: ";
    let cases: [(&str, String, &str, &str); 8] = [
        ("constant", with("a,b,c,flag", |_| 7.0), "'flag' is constant", "--drop flag"),
        ("copy", with("a,b,c,copy", |x| x[1]), "'copy' = 'b'", "--drop copy"),
        (
            "scaled",
            with("width_cm,b,c,width_mm", |x| 10.0 * x[0]),
            "'width_mm' = 10 × 'width_cm'",
            "--drop width_mm",
        ),
        ("sum", with("a,b,c,total", |x| x[0] + x[1]), "'total' = 'a' + 'b'", "--drop total"),
        (
            "affine",
            with("celsius,b,c,fahrenheit", |x| 1.8 * x[0] + 32.0),
            "'fahrenheit' = 1.8 × 'celsius' + 32",
            "--drop fahrenheit",
        ),
        ("near", with("a,b,c,d", |x| x[0] * (1.0 + 1e-9 * x[1])), "'d' = 'a'", "--drop d"),
        ("small", with("a,b,c,d", |x| 1e-150 * x[0]), "'d' = 1e-150 × 'a'", "--drop d"),
        ("large", with("a,b,c,d", |x| 1e150 * x[2]), "'d' = 1e150 × 'c'", "--drop d"),
    ];
    for (name, data, equation, remedy) in &cases {
        assert_mended(name, data, "qda", &format!("{both}{equation}"), remedy);
        assert_mended(name, data, "lda", &format!("{all}{equation}"), remedy);
    }
}

#[test]
fn two_equations_at_once() {
    let mut table = rows(40, 3);
    table.iter_mut().for_each(|row| row.extend([2.0 * row[0], row[1] - row[2] + 1e9]));
    let data = csv("a,b,c,d,e", &table);
    let reason = "rank 3 of 5: 'd' = 2 × 'a', 'e' = 'b' - 'c' + 1000000000";
    assert_mended("two", &data, "qda", reason, "--drop d,e");
    let dummies: Vec<Vec<f64>> =
        (0..60).map(|i| (0..3).map(|j| f64::from(u8::from((i / 2) % 3 == j))).collect()).collect();
    let data = csv("red,green,blue", &dummies);
    assert_mended("dummies", &data, "lda", "'blue' = -'red' - 'green' + 1", "--drop blue");
}

#[test]
fn columns_that_are_constant_in_one_class() {
    let mut table = rows(40, 2);
    for (i, row) in table.iter_mut().enumerate() {
        row.push(if i % 2 == 1 { 1.0 } else { (i % 6) as f64 });
    }
    let data = csv("a,b,flag", &table);
    let reason = "that of class 'B' has rank 2 of 3: 'flag' is constant";
    assert_mended("one class", &data, "qda", reason, "--model lda");
    assert_mended("one class", &data, "naive-bayes", reason, "--model diag-lda");
}

#[test]
fn too_few_rows() {
    let wide = csv("a,b,c,d,e,f,g,h,i,j", &rows(14, 10));
    let reason = "those of classes 'A' and 'B' have rank 6 of 10: 7 rows span at most 6 directions";
    assert_mended("wide", &wide, "qda", reason, "--model lda");
    let wider = csv("a,b,c,d,e,f,g,h,i,j", &rows(8, 10));
    let reason = "that of all classes together has rank 6 of 10: 8 rows span at most 6 directions";
    assert_mended("wider", &wider, "lda", reason, "--on-singular range");
    let reason = "have rank 3 of 10: 4 rows span at most 3 directions";
    assert_mended("wider", &wider, "qda", reason, "--shrinkage oas");
    let mut one = csv("a,b", &rows(20, 2));
    one.push_str("9,9,C\n");
    let reason = "that of class 'C' has rank 0 of 2: 1 row spans no direction";
    assert_mended("one row", &one, "qda", reason, "--model lda");
    assert_mended("one row", &one, "VEE", reason, "--model lda");
    let flat = csv("a,b", &vec![vec![1.0, 2.0]; 10]);
    let reason = "rank 0 of 2: 'a' is constant, 'b' is constant";
    assert_mended("flat", &flat, "lda", reason, "--model nearest-mean");
}

#[test]
fn a_range_is_reported_and_saved() {
    let folder = Folder::new("range");
    folder.write("d.csv", with("a,b,c,d", |x| x[0] + x[1]));
    folder.write("three.csv", csv("a,b,c", &rows(40, 3)));
    for model in ["lda", "qda", "VEE", "EVV"] {
        let fit = folder
            .run(&format!("fit d.csv --target y --model {model} --on-singular range -o m.json"));
        assert!(fit.stderr.contains("told apart in 3 of 4 directions"), "{}", fit.stderr);
        folder.run(&format!("fit three.csv --target y --model {model} -o n.json")).ok();
        // The sum says nothing new: the answers are those without it.
        let within = folder.run("predict m.json d.csv --proba --json").result();
        let without = folder.run("predict n.json three.csv --proba --json").result();
        let close = |a: &serde_json::Value, b: &serde_json::Value| {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            assert!((a - b).abs() < 1e-9, "{model}: {a} {b}");
        };
        let rows = |result: &serde_json::Value| result["rows"].as_array().unwrap().clone();
        for (a, b) in rows(&within).iter().zip(rows(&without)) {
            assert_eq!(a[0], b[0]);
            close(&a[1], &b[1]);
        }
    }
    let evaluated = folder.run("evaluate d.csv --target y --model lda --on-singular range");
    assert!(evaluated.stderr.contains("told apart in 3 of 4 directions"), "{}", evaluated.stderr);
    assert_eq!(evaluated.code, Some(0));
}
