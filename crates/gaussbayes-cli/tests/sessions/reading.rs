//! Reads tables as users have them: other separators, no header, packed, in several files, with gaps.

use std::io::Write;

use super::{Folder, iris};

const FIT: &str = "--target species --model lda --json -o m.json";

fn gzipped(text: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

/// The model that is fitted to some data.
fn model_of(folder: &Folder, data: &str) -> Vec<u8> {
    folder.run(&format!("fit {data} {FIT}")).ok();
    folder.read("m.json")
}

/// Iris in shards of so many rows, each with a header.
fn shards(folder: &Folder, rows: usize) {
    let (header, lines) = iris().split_once('\n').unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    for (number, part) in lines.chunks(rows).enumerate() {
        folder.write(&format!("part-{number:02}.csv"), format!("{header}\n{}\n", part.join("\n")));
    }
}

#[test]
fn packed_tables_and_standard_input_give_the_same_bytes() {
    let folder = Folder::new("packed");
    folder.write("iris.csv", iris());
    let model = model_of(&folder, "iris.csv");
    assert_eq!(model_of(&folder, "iris"), model);
    let packed = gzipped(iris().as_bytes());
    folder.write("iris.csv.gz", &packed);
    folder.write("iris.csv.zst", zstd::encode_all(iris().as_bytes(), 3).unwrap());
    // What a file is shows in its bytes, not in its name.
    folder.write("iris.txt", &packed);
    // Files that are packed one by one may be joined.
    let (head, tail) = iris().as_bytes().split_at(1000);
    folder.write("two.csv.gz", [gzipped(head), gzipped(tail)].concat());
    for data in ["iris.csv.gz", "iris.csv.zst", "iris.txt", "two.csv.gz"] {
        assert_eq!(model_of(&folder, data), model, "{data}");
    }
    folder.run_with(&format!("fit - {FIT}"), &packed).ok();
    assert_eq!(folder.read("m.json"), model);
}

#[test]
fn shards_are_one_table_by_name_or_pattern() {
    let folder = Folder::new("shards");
    let model = model_of(&folder, "iris");
    shards(&folder, 8);
    assert_eq!(folder.files().iter().filter(|name| name.starts_with("part")).count(), 19);
    assert_eq!(model_of(&folder, "part-*.csv"), model);
    shards(&folder, 100);
    assert_eq!(model_of(&folder, "part-00.csv part-01.csv"), model);
    let predicted = folder.run("predict m.json part-00.csv part-01.csv --proba").ok();
    assert_eq!(predicted, folder.run("predict m.json iris --proba").ok());
    // Columns may stand in another order: they are known by name.
    let swap = |line: &str| {
        let (first, rest) = line.split_once(',').unwrap();
        format!("{rest},{first}\n")
    };
    let second: String = String::from_utf8(folder.read("part-01.csv")).unwrap();
    folder.write("part-01.csv", second.lines().map(swap).collect::<String>());
    assert_eq!(model_of(&folder, "part-0[01].csv"), model);
    // One that was cut off without its header takes the columns of the first.
    let rest: String = iris().lines().skip(101).map(|line| format!("{line}\n")).collect();
    folder.write("part-01.csv", rest);
    let answer = folder.run(&format!("fit part-00.csv part-01.csv {FIT}"));
    assert_eq!(folder.read("m.json"), model, "{}", answer.stderr);
}

#[test]
fn how_a_text_is_written_is_found_out_and_said() {
    let folder = Folder::new("dialects");
    let model = model_of(&folder, "iris");
    let tabs = iris().replace(',', "\t");
    let german = iris().replace(',', ";").replace('.', ",");
    let headless: String = iris().lines().skip(1).map(|line| format!("{line}\n")).collect();
    let quoted = iris().replace(',', "','").replace('\n', "'\n'");
    folder.write("tabs.tsv", &tabs);
    folder.write("tabs.txt", &tabs);
    folder.write("german.csv", &german);
    folder.write("quoted.csv", format!("'{}", quoted.trim_end_matches('\'')));
    folder.write("windows.csv", format!("\u{feff}{}", iris().replace('\n', "\r\n")));
    for (data, note) in [
        ("tabs.tsv", ""),
        ("windows.csv", ""),
        ("tabs.txt", "note: tabs.txt: fields are separated by tabs\n"),
        (
            "german.csv",
            "note: german.csv: fields are separated by ';'; a comma stands before the fraction of a number\n",
        ),
        ("quoted.csv", "note: quoted.csv: fields are quoted by single quotes\n"),
    ] {
        let answer = folder.run(&format!("fit {data} --target species --model lda -o m.json"));
        assert_eq!(answer.stderr, note, "{data}");
        assert_eq!(folder.read("m.json"), model, "{data}");
    }
    folder.write("headless.csv", headless);
    let answer = folder.run("fit headless.csv --target 5 --model lda -o h.json");
    let note = "note: headless.csv: there is no header line, columns are called x1 to x5\n";
    assert_eq!(answer.stderr, note);
    assert!(folder.run("show h.json").ok().contains("x4"));
    let names = "--names sepal_length,sepal_width,petal_length,petal_width,species";
    let answer = folder.run(&format!("fit headless.csv {names} {FIT}"));
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    assert_eq!(folder.read("m.json"), model);
    let told = folder.run("fit german.csv --delimiter ; --decimal , --target species --model lda");
    assert_eq!(told.stderr, "");
    let json = folder.run(&format!("fit tabs.txt {FIT}")).json();
    assert_eq!(json["warnings"][0], "tabs.txt: fields are separated by tabs");
}

#[test]
fn rows_with_gaps_are_left_out_where_that_is_asked_for() {
    let folder = Folder::new("gaps");
    let model = model_of(&folder, "iris");
    let mut lines: Vec<String> = iris().lines().map(str::to_owned).collect();
    lines.insert(40, "NA,3.1,1.5,0.2,setosa".into());
    lines.insert(90, "5.0,,3.3,1.0,versicolor".into());
    lines.insert(153, "5.9,3.0,?,1.8,nowhere else".into());
    folder.write("gaps.csv", lines.join("\n"));
    let refused = folder.run("fit gaps.csv --target species -o n.json");
    assert_eq!(refused.code, Some(3));
    assert!(
        refused.stderr.contains("hint: missing values are refused: --na drop"),
        "{}",
        refused.stderr
    );
    let answer = folder.run("fit gaps.csv --na drop --target species --model lda -o m.json");
    assert_eq!(answer.stderr, "warning: 3 rows with missing values left out\n");
    assert_eq!(folder.read("m.json"), model);
    let answer = folder.run("predict m.json gaps.csv --na drop");
    assert_eq!(answer.stdout.lines().count(), 151);
    assert_eq!(answer.stderr, "warning: 3 rows with missing values left out\n");
    // A number may stand for what is missing.
    folder.write("code.csv", lines.join("\n").replace("NA,", "-999,").replace(",,", ",-999,"));
    let words = "--na-words -999,?";
    let refused = folder.run(&format!("fit code.csv {words} --target species -o n.json"));
    assert!(refused.stderr.contains("'-999' is not a number"), "{}", refused.stderr);
    folder.run(&format!("fit code.csv --na drop {words} {FIT}")).ok();
    assert_eq!(folder.read("m.json"), model);
}

#[test]
fn columns_of_the_data_are_kept_beside_answers() {
    let folder = Folder::new("keep");
    folder.write("d.csv", "id,x,note,y,c\n007,0,\"a, b\",0,a\n2,1,,0.50,a\n3,0,z,2,a\n4,5,q,5,b\n5,6,q,5,b\n6,5,q,7,b\n");
    folder.run("fit d.csv --target c --features x,y --model lda -o m.json").ok();
    let text = folder.run("predict m.json d.csv --keep id,note,y").ok();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..3], ["id,note,y,prediction", "007,\"a, b\",0,a", "2,,0.50,a"]);
    assert_eq!(folder.run("predict m.json d.csv --keep 1,note,4 -o p.csv").code, Some(0));
    assert_eq!(folder.read("p.csv"), text.as_bytes());
    let rows = folder.run("predict m.json d.csv --keep id --json").result();
    assert_eq!(rows["columns"], serde_json::json!(["id", "prediction"]));
    assert_eq!(rows["rows"][0], serde_json::json!(["007", "a"]));
    let shifted = folder.run("predict m.json d.csv --priors shift --keep id").ok();
    assert!(shifted.starts_with("id,prediction\n007,a\n"), "{shifted}");
    let refused = folder.run("predict m.json d.csv --keep ID");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("hint: did you mean 'id'?"), "{}", refused.stderr);
}
