//! Fits naive Bayes to tables of numbers, flags, categories and counts, with gaps.

use gaussbayes_io::{ColumnType, Kept, Model, Types};

use super::bad_input::{assert_refused, case};
use super::{Folder, iris};

const MIXED: &str = "x,paid,city,class\n1,yes,O,a\n3,no,O,a\n2,yes,B,a\nNA,yes,O,a\n\
    6,no,B,b\n8,no,C,b\n7,no,,b\n";

const FIT: &str = "fit d.csv --target class --model naive-bayes -o m.json";

/// The probability of class a for each row.
fn chances(folder: &Folder, rows: &str) -> Vec<f64> {
    folder.write("new.csv", format!("x,paid,city\n{rows}"));
    let answer = folder.run("predict m.json new.csv --proba").ok();
    let cells = answer.lines().skip(1).map(|line| line.split(',').nth(1).unwrap());
    cells.map(|cell| cell.parse().unwrap()).collect()
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-14, "{found}, not {expected}");
}

#[test]
fn probabilities_are_those_that_one_writes_down() {
    let folder = Folder::new("mixed");
    folder.write("d.csv", MIXED);
    let said = folder.run(FIT).ok();
    assert!(said.starts_with("naive Bayes over typed columns on 7 rows: 2 classes"), "{said}");
    let line = "\ncolumns: x number, paid flag, city category (3 values)\n";
    assert!(said.contains(line), "{said}");
    let found = chances(&folder, "4,no,O\nNA,,?\n,yes,Z\n4,NO, O \n");
    // Priors 4/7 and 3/7; both variances 2/3 about 2 and 7; no: 2/6 and 4/5; O: 4/7 and 1/5.
    let (a, b) = (4.0 / 7.0 / 3.0 * (4.0 / 7.0), 3.0 / 7.0 * (4.0 / 5.0) / 5.0);
    let (a, b) = (a * f64::exp(-3.0), b * f64::exp(-6.75));
    near(found[0], a / (a + b));
    // Nothing is known of the second row, nothing of the city of the third.
    near(found[1], 4.0 / 7.0);
    let (a, b) = (4.0 / 7.0 * (4.0 / 6.0), 3.0 / 7.0 / 5.0);
    near(found[2], a / (a + b));
    assert_eq!(found[3], found[0], "however it is written");
    // One more city: 1/8 and 1/6 for each that no row of a class has.
    folder.run(&format!("{FIT} --unseen smooth")).ok();
    let (a, b) = (a / 8.0, b / 6.0);
    near(chances(&folder, ",yes,Z\n")[0], a / (a + b));
    // Alpha of one column: 1.1/2.3 and 0.1/0.4 and so on.
    folder.run(&format!("{FIT} --alpha 1,city=0.1")).ok();
    let (a, b) = (4.0 / 7.0 * (1.1 / 4.3), 3.0 / 7.0 * (1.1 / 2.3));
    near(chances(&folder, ",,B\n")[0], a / (a + b));
    let result = folder.run(&format!("{FIT} --json")).result();
    assert_eq!(result["types"][0].to_string(), r#"{"column":"x","type":"number"}"#);
    assert_eq!(
        (&result["types"][1]["type"], &result["types"][1]["alpha"]),
        (&"flag".into(), &1.0.into())
    );
    assert_eq!(
        (&result["types"][2]["type"], &result["types"][2]["values"]),
        (&"category".into(), &3.into())
    );
}

#[test]
fn counts_are_one_group_and_may_speak_against_classes() {
    let folder = Folder::new("counts");
    folder.write("d.csv", "n,m,class\n3,1,a\n2,2,a\n0,5,b\n1,NA,b\n");
    let fit = format!("{FIT} --types n=count,m=count");
    folder.run(&fit).ok();
    folder.write("new.csv", "m,n\n1,2\n");
    let chance = || {
        let answer = folder.run("predict m.json new.csv --proba").ok();
        answer.lines().nth(1).unwrap().split(',').nth(1).unwrap().parse::<f64>().unwrap()
    };
    // Shares of n: 6/10 and 2/8.
    let (a, b) = (0.6 * 0.6 * 0.4, 0.25 * 0.25 * 0.75);
    near(chance(), a / (a + b));
    folder.run(&format!("{fit} --complement")).ok();
    // One over the shares in the other class.
    let (a, b) = (1.0 / b, 1.0 / a);
    near(chance(), a / (a + b));
    let answer = folder.run("predict m.json new.csv --density");
    assert_eq!(answer.code, Some(2), "{}", answer.stderr);
    assert!(answer.stderr.contains("no densities") && answer.stdout.is_empty());
    let answer = folder.run("shift m.json new.csv");
    assert!(answer.stderr.contains("weights against classes take no priors"));
}

#[test]
fn a_table_of_numbers_stays_gaussian() {
    let folder = Folder::new("numbers");
    folder.run("fit iris --model naive-bayes -o nb.json").ok();
    folder.run("fit iris --model VVI -o vvi.json").ok();
    assert!(folder.read("nb.json") == folder.read("vvi.json"));
    // Declared as numbers they are the same densities, column by column.
    folder.run("fit iris --model naive-bayes --types 1..4=number -o typed.json").ok();
    folder.write("iris.csv", iris());
    let numbers = |model: &str| -> Vec<f64> {
        let answer = folder.run(&format!("predict {model} iris.csv --proba --density")).ok();
        let cells = answer.lines().skip(1).flat_map(|line| line.split(',').skip(1));
        cells.map(|cell| cell.parse().unwrap()).collect()
    };
    let (typed, plain) = (numbers("typed.json"), numbers("nb.json"));
    assert_eq!(typed.len(), 150 * 4);
    for (a, b) in typed.iter().zip(&plain) {
        assert!((a - b).abs() <= 1e-11 * b.abs().max(1e-3), "{a} {b}");
    }
    let error = |model: &str| folder.run(&format!("evaluate iris --with {model}")).ok();
    // All but the title and what may be done next, which name the model.
    let lines = |text: String| text.lines().skip(1).take(9).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(lines(error("typed.json")), lines(error("nb.json")));
}

/// Rows enough for three blocks; the first thousand lack class c and colours that come later.
fn table() -> String {
    let mut text = String::from("n,flag,colour,hits,misses,w,class\n");
    let mut state = 7_u64;
    let mut below = |end: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % end
    };
    for i in 0..20_000 {
        let class = if i < 1000 { below(2) } else { below(3) };
        let number = match below(9) {
            0 => "NA".to_string(),
            _ => format!("{}.{}", 100 * class + below(50), below(1000)),
        };
        let flag = ["true", "FALSE", ""][below(3) as usize];
        let colour = if i < 1000 { below(4) } else { below(4) + 3 * (i / 1000) };
        let (hits, misses, weight) = (below(5), below(3), below(4));
        text.push_str(&format!("{number},{flag},c{colour},{hits},{misses},{weight},k{class}\n"));
    }
    text
}

#[test]
fn threads_streams_and_batches_leave_the_same_bytes() {
    let folder = Folder::new("typed_bytes");
    let text = table();
    folder.write("all.csv", &text);
    let options = "--target class --weights w --model naive-bayes \
        --types hits=count,misses=count --unseen smooth -o";
    let fit = |threads: u32| {
        folder.run(&format!("fit all.csv {options} m.json --threads {threads}")).ok();
        folder.read("m.json")
    };
    let one = fit(1);
    assert!(one == fit(2) && one == fit(8), "threads");
    folder.run_with(&format!("fit - {options} s.json"), text.as_bytes()).ok();
    assert!(one == folder.read("s.json"), "standard input");
    let (header, body) = text.split_once('\n').unwrap();
    let lines: Vec<&str> = body.lines().collect();
    // A batch of one class alone, one of one row, and borders on and beside those of blocks.
    let only: Vec<&str> = lines[900..1000].iter().filter(|l| l.ends_with("k0")).copied().collect();
    let mut order: Vec<&str> = lines[..900].to_vec();
    order.extend(&only);
    order.extend(lines[900..1000].iter().filter(|line| !line.ends_with("k0")));
    order.extend(&lines[1000..]);
    let batch = |range: std::ops::Range<usize>| format!("{header}\n{}\n", order[range].join("\n"));
    folder.write("ordered.csv", batch(0..20_000));
    folder.run(&format!("fit ordered.csv {options} o.json")).ok();
    folder.write("first.csv", batch(0..900));
    folder.run(&format!("fit first.csv {options} u.json")).ok();
    let end = 900 + only.len();
    for pair in [900, end, 1000, 1001, 8191, 8192, 16_385, 20_000].windows(2) {
        folder.write("batch.csv", batch(pair[0]..pair[1]));
        folder.run("update u.json batch.csv").ok();
    }
    assert!(folder.read("o.json") == folder.read("u.json"), "batches");
    // What the file keeps is what the columns hold, and nothing of the order of threads.
    let model = Model::from_bytes(&one, "m.json").unwrap();
    assert!(model.to_bytes().unwrap() == one);
    let types = [ColumnType::Number, ColumnType::Flag, ColumnType::Category];
    let types = types.into_iter().chain([ColumnType::Count; 2]).collect();
    assert_eq!(model.types(), Types::Given(types));
    assert!(matches!(model.training, Some(Kept::Product(_))));
}

#[test]
fn columns_that_say_nothing_are_named() {
    let folder = Folder::new("silent");
    folder.write("d.csv", "x,one,gone,class\n1,k,NA,a\n2,k,,a\n5,k,?,b\n7,k,,b\n");
    let answer = folder.run(FIT);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let expected = "warning: column 'one' has one value only and says nothing of the classes\n\
        warning: column 'gone' has no value in any row and says nothing of the classes\n";
    assert_eq!(answer.stderr, expected);
    folder.write("new.csv", "gone,one,x\n3,other,2\n");
    assert_eq!(folder.run("predict m.json new.csv").ok(), "prediction\na\n");
    let shown = folder.run("show m.json").ok();
    assert!(shown.contains("one category (1 value), gone number"), "{shown}");
}

#[test]
fn what_is_in_a_model_is_shown() {
    let folder = Folder::new("typed_show");
    folder.write("d.csv", MIXED);
    folder.run(FIT).ok();
    let shown = folder.run("show m.json").ok();
    let expected = "m.json · naive Bayes over typed columns · 7 rows\n\n\
        columns: x number, paid flag, city category (3 values)\n\
        alpha 1, unseen values: ignore, observed priors, target 'class'\n\n\
        priors\n            a       b\nprior  0.5714  0.4286\n\n\
        means\ncolumn  a  b\nx       2  7\n\n\
        variances\ncolumn       a       b\nx       0.6667  0.6667\n\n\
        probability of yes\ncolumn       a    b\npaid    0.6667  0.2\n\n\
        city: probability of each value\nvalue       a    b\nB      0.2857  0.4\n\
        C      0.1429  0.4\nO      0.5714  0.2\n";
    assert_eq!(shown, expected);
    let result = folder.run("show m.json --json").result();
    assert_eq!(result["n"], 7);
    assert_eq!(result["factors"][0]["means"].to_string(), "[2.0,7.0]");
    assert_eq!(result["factors"][2]["values"].to_string(), r#"["B","C","O"]"#);
    near(result["factors"][2]["probabilities"][2][0].as_f64().unwrap(), 4.0 / 7.0);
    for command in [
        "explain m.json",
        "error m.json",
        "transform m.json d.csv",
        "sample m.json -n 3",
        "predict m.json d.csv --distance",
        "predict m.json d.csv --outliers 0.01",
    ] {
        let answer = folder.run(command);
        assert_eq!(answer.code, Some(2), "{command}: {}", answer.stderr);
        let line = "error: naive Bayes over typed columns has no Gaussians\nhint: ";
        assert!(answer.stderr.starts_with(line), "{command}: {}", answer.stderr);
        assert_eq!(answer.stdout, "", "{command}");
    }
    folder.run("shift m.json d.csv").ok();
    folder.run("predict m.json d.csv --priors shift --entropy --risk").ok();
    folder.run(&format!("{FIT} --sealed")).ok();
    assert_eq!(folder.run("update m.json d.csv").code, Some(3));
}

#[test]
fn wrong_tables_are_refused() {
    let fit = "fit d.csv --target class --model naive-bayes -o m.json";
    let counts = "fit d.csv --target class --model naive-bayes --types x=count -o m.json";
    assert_refused(
        "typed",
        &[
            case(
                "x,f,class\n1,yes,a\n2,no,b\n3,maybe,a\n",
                "fit d.csv --target class --model naive-bayes --types f=flag -o m.json",
                3,
                "d.csv, line 4, column 'f': 'maybe' is not a flag",
                "--types f=category",
            ),
            case(
                "x,y,class\n1,u,a\n2,v,b\nzwei,w,a\n4,u,b\n",
                fit,
                3,
                "line 4, column 'x': 'zwei' is not a number",
                "the first rows hold numbers: mend the cell, or fit with --types x=category",
            ),
            case(
                "x,y,class\n1,u,a\n-2,v,b\n",
                counts,
                3,
                "line 3, column 'x': '-2' is not a count",
                "--types x=number",
            ),
            case("x,y,class\n1,u,a\n,v,a\nNA,u,b\n", fit, 4, "class 'b' has no value in", "column"),
            case(
                "x,y,class\n5,u,a\n5,v,a\n5,u,b\n5,v,b\n",
                fit,
                4,
                "'x' is constant",
                "(--types COL=category)",
            ),
            case(
                "x,y,class\n1,u,a\n2,v,\n",
                fit,
                3,
                "row 2: the row has no label",
                "Gaussian models",
            ),
            case(
                "x,y,class\n1,u,a\n2,v,a\n",
                fit,
                3,
                "there is only one class, 'a'",
                "two classes",
            ),
            case(
                "x,y,class\n1,NA,a\n2,NA,b\n",
                "fit d.csv --target class -o m.json",
                3,
                "line 2, column 'y'",
                "--model naive-bayes --types y=number skips them",
            ),
        ],
    );
}

#[test]
fn wrong_wishes_are_refused() {
    let mixed = |command: &'static str, code, error, hint| case(MIXED, command, code, error, hint);
    assert_refused(
        "typed_wish",
        &[
            mixed(
                "fit d.csv --target class --types x=number -o m.json",
                2,
                "--types",
                "naive-bayes",
            ),
            mixed("fit d.csv --target class -o m.json", 3, "'yes' is not a number", "--drop paid"),
            mixed(
                "fit d.csv --target class --model naive-bayes --types y=flag -o m.json",
                2,
                "no column 'y'",
                "x",
            ),
            mixed(
                "fit d.csv --target class --model naive-bayes --types class=flag -o m.json",
                2,
                "named twice",
                "",
            ),
            mixed(
                "fit d.csv --target class --model naive-bayes --ddof 1 -o m.json",
                2,
                "no --ddof",
                "",
            ),
            mixed(
                "fit d.csv --target class --model naive-bayes --alpha -1 -o m.json",
                2,
                "alpha -1",
                "1",
            ),
            mixed(
                "fit d.csv --target class --model naive-bayes --alpha cty=1 -o m.json",
                2,
                "no column 'cty'",
                "did you mean 'city'?",
            ),
            mixed(
                "fit d.csv --target class --model naive-bayes --alpha x=1 -o m.json",
                2,
                "'x' holds numbers",
                "--types x=category",
            ),
            mixed(
                "fit d.csv --target class --model naive-bayes --complement -o m.json",
                2,
                "no column holds any",
                "--types COL=count",
            ),
            case(
                "x,class\n1,a\n2,a\n4,b\n5,b\n",
                "fit d.csv --target class --model naive-bayes --alpha 2 -o m.json",
                2,
                "all columns are numbers",
                "--types COL=category",
            ),
        ],
    );
}

#[test]
fn rows_that_the_model_cannot_take_are_refused() {
    let folder = Folder::new("typed_predict");
    folder.write("d.csv", MIXED);
    let refused = |rows: &str, code: i32, expected: &[&str]| {
        folder.write("new.csv", format!("x,paid,city\n{rows}"));
        let answer = folder.run("predict m.json new.csv -o out.csv");
        assert_eq!(answer.code, Some(code), "{}", answer.stderr);
        for text in expected {
            assert!(answer.stderr.contains(text), "{}, not {text}", answer.stderr);
        }
        assert!(answer.stderr.contains("\nhint: "), "{}", answer.stderr);
        assert!(!folder.files().contains(&"out.csv".to_string()));
    };
    folder.run(&format!("{FIT} --unseen refuse")).ok();
    refused("1,no,O\n2,yes,Z\n", 3, &["row 2, column 'city': 'Z' was not met in the fit"]);
    refused("1,2,O\n", 3, &["line 2, column 'paid': '2' is not a flag", "the model has flags"]);
    refused("u,no,O\n", 3, &["line 2, column 'x': 'u' is not a number", "the model has numbers"]);
    // No class has both a yes and a C, and nothing stands in for what was never counted.
    folder.run(&format!("{FIT} --alpha 0")).ok();
    refused("5,no,O\n5,yes,C\n", 3, &["row 2: no class can have it", "alpha above 0"]);
    // A yes is none of b's, so the row is a's, as certain as can be.
    assert_eq!(chances(&folder, "7,yes,B\n"), [1.0]);
}
