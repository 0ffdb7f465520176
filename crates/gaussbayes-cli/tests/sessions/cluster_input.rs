//! Asks for clusters that are not there, and for wishes that make no sense.

use super::Folder;

struct Case {
    data: String,
    command: &'static str,
    code: i32,
    error: &'static str,
    hint: &'static str,
}

fn rows(count: usize, row: impl Fn(usize) -> String) -> String {
    let lines: String = (0..count).map(|i| row(i) + "\n").collect();
    format!("x,y\n{lines}")
}

/// Numbers that look random and are the same every time.
fn noise(i: usize) -> f64 {
    ((i as f64 * 12.9898).sin() * 43_758.547).fract()
}

fn cloud() -> String {
    rows(60, |i| format!("{},{}", noise(i), noise(i + 500)))
}

fn copies() -> String {
    rows(300, |i| match i {
        0..100 => "1,1".into(),
        _ => format!("{},{}", 5.0 + noise(i), 5.0 + noise(i + 900)),
    })
}

#[test]
fn what_cannot_be_clustered_is_refused_by_name() {
    let two = rows(10, |i| format!("{0},{0}", i % 2));
    let constant = rows(50, |i| format!("{},5", noise(i)));
    let case = |data: &str, command, code, error, hint| Case {
        data: data.to_owned(),
        command,
        code,
        error,
        hint,
    };
    let cases = [
        case(
            &two,
            "cluster d.csv -k 3",
            4,
            "3 clusters cannot start from 10 rows of which 2 are different",
            "at most as many clusters",
        ),
        case(
            &cloud(),
            "cluster d.csv -k 61 --model VVV",
            4,
            "60 rows are fewer than 61 clusters",
            "at most",
        ),
        case(
            &constant,
            "cluster d.csv",
            3,
            "column 'y' is constant: it tells no clusters apart",
            "hint: --drop y\n",
        ),
        case("x,y\n1,2\n", "cluster d.csv", 3, "one row has no clusters", "table"),
        case("x,y\n1,2\n1,2\n", "cluster d.csv", 3, "all rows are the same", "other rows"),
        case(
            &copies(),
            "cluster d.csv -k 2 --model VVV --guard 0",
            4,
            "that of cluster 1 has rank 0 of 2",
            "--guard 1e-6",
        ),
        case(&cloud(), "cluster d.csv --model al", 2, "there is no model 'al'", "models: all, "),
        case(&cloud(), "cluster d.csv --trace t.txt", 2, "no name for a trace", ".csv or .json"),
        case(&cloud(), "cluster d.csv -o no/m.json", 1, "cannot write no/m.json", ""),
        case(&cloud(), "cluster d.csv --trace no/t.csv", 1, "cannot write no/t.csv", ""),
        case(
            &cloud(),
            "cluster d.csv --start d.csv --checkpoint c",
            3,
            "d.csv",
            "'gaussbayes cluster'",
        ),
        case(&cloud(), "cluster d.csv --model VVX", 2, "there is no model 'VVX'", "did you mean"),
        case(&cloud(), "cluster d.csv --model unit,VVV", 2, "unit is k-means", "alone"),
        case(&cloud(), "cluster d.csv --start kmean", 2, "neither a start nor", "'kmeans'"),
        case(&cloud(), "cluster d.csv --start labels", 2, "which column", "--target"),
        case(&cloud(), "cluster d.csv --tolerance -1", 2, "tolerance -1", "--tolerance 1e-7"),
        case(&cloud(), "cluster d.csv --guard 2", 2, "guard 2", "--guard 1e-6"),
        case(
            &cloud(),
            "cluster d.csv --start hierarchical --restarts 3",
            2,
            "the same",
            "--restarts",
        ),
        case(&cloud(), "cluster d.csv --features x,z", 2, "no column 'z'", "the columns are"),
        case("x\n1\nnan\n", "cluster d.csv", 3, "line 3", "--na drop"),
        case("x,y\n", "cluster d.csv", 3, "has a header but no rows", "row"),
        case(&cloud(), "cluster d.csv -o d.csv", 2, "it would be lost", "another file"),
        case(&cloud(), "cluster d.csv -o a --checkpoint a", 2, "two files", "name of its own"),
    ];
    for (number, case) in cases.iter().enumerate() {
        let folder = Folder::new(&format!("unclustered{number}"));
        folder.write("d.csv", &case.data);
        let answer = folder.run(case.command);
        let said = &answer.stderr;
        assert_eq!(answer.code, Some(case.code), "{}: {said}", case.command);
        assert!(said.contains("error: ") && said.contains(case.error), "{}: {said}", case.command);
        assert!(case.hint.is_empty() || said.contains("hint: "), "{}: {said}", case.command);
        assert!(said.contains(case.hint), "{}: {said}", case.command);
        assert_eq!(answer.stdout, "");
        assert_eq!(folder.files(), ["d.csv"], "{}", case.command);
    }
    let folder = Folder::new("words");
    for command in
        ["--max-iter 0", "--criterion bci", "-k 0", "-k 3..1", "--stop never", "--on-empty cry"]
    {
        let answer = folder.run(&format!("cluster iris {command}"));
        assert_eq!(answer.code, Some(2), "{command}: {}", answer.stderr);
        assert!(folder.files().is_empty());
    }
}

#[test]
fn columns_that_depend_on_others_are_named_and_simpler_models_go_on() {
    let folder = Folder::new("dependent");
    let row = |i: usize| {
        let (x, y) = ((100.0 * noise(i)).round(), (100.0 * noise(i + 70)).round());
        format!("{x},{y},{}\n", x + y)
    };
    folder.write("d.csv", format!("x1,x2,x3\n{}", (0..60).map(row).collect::<String>()));
    let answer = folder.run("cluster d.csv -k 1..2");
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let said = "'x3' = 'x1' + 'x2': full covariances collapse there; consider --drop x3\n";
    assert_eq!(answer.stderr, format!("warning: {said}"));
    let diagonal = folder.run("cluster d.csv -k 2 --model VVI");
    assert_eq!((diagonal.code, diagonal.stderr.as_str()), (Some(0), ""));
}

#[test]
fn as_many_iterations_as_were_asked_for_are_no_fault() {
    let folder = Folder::new("iterations");
    let answer = folder.run("cluster faithful -k 2 --model VVV --tolerance 0 --max-iter 7");
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    assert!(answer.stdout.contains("ran the 7 iterations asked for"), "{}", answer.stdout);
    let answer = folder.run("cluster faithful -k 3 --model VVV --max-iter 2");
    assert!(answer.stderr.contains("consider a larger --max-iter"), "{}", answer.stderr);
}

#[test]
fn copies_of_one_row_are_marked_and_do_not_win() {
    let folder = Folder::new("copies");
    folder.write("d.csv", copies());
    let alone = folder.run("cluster d.csv -k 2 --model VVV");
    assert_eq!(alone.code, Some(0), "{}", alone.stderr);
    assert!(alone.stderr.contains("the guard kept '2' from collapse"), "{}", alone.stderr);
    let answer = folder.run("cluster d.csv -k 1..2 --json");
    let result = answer.result();
    let cell = |model: &str, k: u64| {
        let table = result["table"].as_array().unwrap();
        table.iter().find(|row| row["model"] == model && row["k"] == k).unwrap().clone()
    };
    assert_eq!(cell("VVV", 2)["ranked"], false);
    assert!(cell("VVV", 2)["note"].as_str().unwrap().contains("guard"));
    assert_ne!((result["model"].as_str(), result["k"].as_u64()), (Some("VVV"), Some(2)));
    assert!(folder.run("cluster d.csv -k 1..2").ok().contains("* not ranked: the guard"));
}

#[test]
fn more_clusters_than_rows_leave_the_others_in_the_table() {
    let folder = Folder::new("too-many");
    folder.write("d.csv", rows(10, |i| format!("{0},{0}", i % 2)));
    let answer = folder.run("cluster d.csv -k 1,3,4 --model EII,VII");
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let why = "- all of 3, 4: 3 clusters cannot start from 10 rows of which 2 are different";
    assert!(answer.stdout.contains(why), "{}", answer.stdout);
}

#[test]
fn help_says_all_about_starts_and_files() {
    let folder = Folder::new("cluster-help");
    let help = folder.run("help cluster").ok();
    for word in ["hierarchical", "--checkpoint", "--trace", "130"] {
        assert!(help.contains(word), "{word}");
    }
}
