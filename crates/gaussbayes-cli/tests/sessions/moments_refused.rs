//! Gives merge and fit --from what they must refuse: one line, a hint, an exit code, no file.

use super::Folder;
use super::bad_models::forged_in;

const A: &str = "x,y,c\n0,0,a\n1,0,a\n0,2,a\n5,5,b\n6,5,b\n5,7,b\n";
const B: &str = "x,y,c\n0.5,1,a\n1,1.5,a\n0,4,a\n5,6,b\n6.5,5,b\n";

/// Sums tables up: the name, the table, more flags.
fn folder(name: &str, parts: &[(&str, &str, &str)]) -> Folder {
    let folder = Folder::new(name);
    for (name, table, flags) in parts {
        folder.write(&format!("{name}.csv"), table);
        folder.run(&format!("stats {name}.csv --target c {flags} -o {name}.moments")).ok();
    }
    folder
}

/// A command that is refused, its exit code, and both lines that it says; no file comes or goes.
fn refused(folder: &Folder, command: &str, code: i32, error: &str, hint: &str) {
    let files = folder.files();
    let answer = folder.run(command);
    assert_eq!(answer.code, Some(code), "{command}: {}", answer.stderr);
    assert_eq!(answer.stderr, format!("error: {error}\nhint: {hint}\n"), "{command}");
    assert_eq!(answer.stdout, "");
    assert_eq!(folder.files(), files, "{command}");
}

const TWICE: &str =
    "leave one of them out; parts that truly have equal rows are summed up in one table";

#[test]
fn no_part_counts_twice() {
    let folder = folder("moments-twice", &[("a", A, ""), ("b", B, "")]);
    folder.run("merge a.moments b.moments -o ab.moments").ok();
    let error = "the part of a.csv (6 rows) is in a.moments twice: its rows would count twice";
    refused(&folder, "merge a.moments b.moments a.moments -o all.moments", 3, error, TWICE);
    let error =
        "the part of a.csv (6 rows) is in ab.moments and in a.moments: its rows would count twice";
    refused(&folder, "merge ab.moments a.moments -o all.moments", 3, error, TWICE);
    // Nor under another name, with names for all rows that they had, or with weights that are 1.
    folder.write(
        "copy.csv",
        A.replace("x,y,c", "x,y,c,w").replace("a\n", "a,1\n").replace("b\n", "b,1\n"),
    );
    folder.run("stats copy.csv --target c --weights w -o copy.moments").ok();
    let error = "the part of copy.csv (6 rows) is in ab.moments and in copy.moments: its rows would count twice";
    refused(&folder, "merge ab.moments copy.moments -o all.moments", 3, error, TWICE);
    // The same rows in another order are other rows: nothing says that they are not.
    folder.write("turned.csv", "x,y,c\n1,0,a\n0,0,a\n0,2,a\n5,5,b\n6,5,b\n5,7,b\n");
    folder.run("stats turned.csv --target c -o turned.moments").ok();
    folder.run("merge ab.moments turned.moments -o all.moments").ok();
}

#[test]
fn part_numbers_are_kept_account_of() {
    let part = |number: &str| format!("--part {number}");
    let (one, two, other) = (part("1/4"), part("2/4"), part("2/3"));
    let folder = folder(
        "moments-numbers",
        &[
            ("a", A, &one),
            ("b", B, &two),
            ("twin", B, &one),
            ("three", B, &other),
            ("plain", B, ""),
        ],
    );
    let merge = |files: &str| format!("merge {files} -o all.moments");
    refused(
        &folder,
        &merge("a.moments twin.moments"),
        3,
        "part 1/4 is in a.moments and in twin.moments",
        "leave one of them out, or number the parts anew: gaussbayes stats … --part I/N",
    );
    // Equal rows are one part whatever their numbers are.
    folder.run("stats b.csv --target c --part 3/4 -o c.moments").ok();
    let error = "part 3/4 (5 rows) is in b.moments and in c.moments: its rows would count twice";
    refused(&folder, &merge("b.moments c.moments --partial"), 3, error, TWICE);
    refused(
        &folder,
        &merge("a.moments three.moments"),
        3,
        "three.moments is one of 3 parts, and a.moments one of 4",
        "number all parts alike: gaussbayes stats … --part I/N",
    );
    let mixed = "number all parts or none: gaussbayes stats … --part I/N";
    for files in ["a.moments plain.moments", "plain.moments a.moments"] {
        let error = "a.moments has part numbers, and plain.moments has none";
        refused(&folder, &merge(files), 3, error, mixed);
    }
    let missing = "merge them too; 'gaussbayes merge … --partial' keeps what there is so far";
    refused(&folder, &merge("b.moments a.moments"), 3, "parts 3-4 of 4 are missing", missing);
    refused(&folder, &merge("b.moments"), 3, "parts 1, 3-4 of 4 are missing", missing);
    folder.run("merge a.moments b.moments --partial -o ab.moments").ok();
    refused(&folder, "fit --from ab.moments -o m.json", 3, "parts 3-4 of 4 are missing", missing);
    refused(
        &folder,
        "fit --from three.moments -o m.json",
        3,
        "parts 1, 3 of 3 are missing",
        missing,
    );
    refused(
        &folder,
        &merge("ab.moments b.moments"),
        3,
        "part 2/4 is in ab.moments and in b.moments",
        "leave one of them out, or number the parts anew: gaussbayes stats … --part I/N",
    );
    for word in ["0/3", "4/3", "3", "a/b", "1/2000000", "1/"] {
        let answer = folder.run(&format!("stats a.csv --target c --part {word} -o x.moments"));
        assert_eq!(answer.code, Some(2), "{word}");
        assert!(answer.stderr.contains("a part and how many there are, up to 1000000: 3/20"));
    }
}

#[test]
fn unlike_columns_are_named() {
    let folder = folder(
        "moments-unlike",
        &[
            ("a", A, ""),
            ("fewer", B, "--drop y"),
            ("turned", B, "--features y,x"),
            ("flags", "x,y,c\n0,1,a\n1,2,a\n0,3,b\n", "--types x=flag,y=number"),
            ("names", "x,y,c\nu,1,a\nv,2,a\n", "--types x=category,y=number"),
        ],
    );
    folder.write("other.csv", B.replace(",c\n", ",kind\n"));
    folder.run("stats other.csv --target kind -o other.moments").ok();
    for w in ["w", "v"] {
        folder.write(
            "w.csv",
            format!("x,y,{w},c\n1,2,3,a\n{},1,1,b\n", w.len() + usize::from(w == "v")),
        );
        folder.run(&format!("stats w.csv --target c --weights {w} -o {w}.moments")).ok();
    }
    let merge = |files: &str| format!("merge {files} -o all.moments");
    let columns = "sum the same columns up in every part: gaussbayes stats … --features COLS";
    for (files, lacking) in [("a.moments fewer.moments", "a"), ("fewer.moments a.moments", "a")] {
        let error = format!("fewer.moments has no feature 'y', which {lacking}.moments has");
        refused(&folder, &merge(files), 3, &error, columns);
    }
    refused(
        &folder,
        &merge("a.moments turned.moments"),
        3,
        "turned.moments has the features of a.moments in another order: 'y' where 'x' is",
        "sum columns up in one order: gaussbayes stats … --features x,y",
    );
    refused(
        &folder,
        &merge("flags.moments names.moments"),
        3,
        "'x' is a category in names.moments and a flag in flags.moments",
        "say what it holds in every part: gaussbayes stats … --types x=flag",
    );
    for files in ["flags.moments a.moments", "a.moments flags.moments"] {
        refused(
            &folder,
            &merge(files),
            3,
            "a.moments holds moments of plain numbers, and flags.moments of columns with types",
            "say what columns hold in every part, or in none: gaussbayes stats … --types …",
        );
    }
    let name = "give the column one name in all tables";
    let error = "the classes are column 'kind' in other.moments and column 'c' in a.moments";
    refused(&folder, &merge("a.moments other.moments"), 3, error, name);
    let error = "the weights are column 'v' in v.moments and column 'w' in w.moments";
    refused(&folder, &merge("w.moments a.moments v.moments"), 3, error, name);
    folder.run(&merge("w.moments a.moments")).ok();
}

#[test]
fn what_needs_rows_is_refused_by_name() {
    let folder =
        folder("moments-rows", &[("a", A, ""), ("t", "x,c\nu,a\nv,b\n", "--types x=category")]);
    let fit = |flags: &str| format!("fit --from a.moments {flags} -o m.json");
    for (flags, error, hint) in [
        (
            "--shrinkage auto",
            "--shrinkage auto reads the rows a second time, and moments hold sums alone",
            "--shrinkage oas is found from sums; or fit to the rows: gaussbayes fit DATA",
        ),
        (
            "--rda auto",
            "--rda auto judges mixtures on the rows, and moments hold sums alone",
            "--rda with two numbers, such as --rda 0.5,0.1, or fit to the rows: gaussbayes fit DATA",
        ),
        (
            "--components 2",
            "--components reads the rows again and again, and moments hold sums alone",
            "fit to the rows: gaussbayes fit DATA --components …",
        ),
        (
            "--model softmax",
            "softmax regression reads the rows several times, and moments hold sums alone",
            "fit to the rows: gaussbayes fit DATA --model softmax",
        ),
        (
            "--model naive-bayes --types x=flag",
            "--types says how rows are summed up, and moments hold sums alone",
            "leave --types out, or sum the rows up anew: gaussbayes stats DATA --types …",
        ),
        (
            "--model naive-bayes --alpha 2",
            "--alpha is for flags, categories, counts and text, and all columns are numbers",
            "leave --alpha out, or say what columns hold: --types COL=category",
        ),
        (
            "--penalty 2",
            "--penalty is for softmax regression alone",
            "--model softmax, or leave --penalty out",
        ),
    ] {
        refused(&folder, &fit(flags), 2, error, hint);
    }
    refused(
        &folder,
        "fit --from t.moments --model lda -o m.json",
        2,
        "t.moments holds columns with types, for naive Bayes alone",
        "--model naive-bayes, without --rda",
    );
    // Data and what belongs to them are not for moments.
    for flags in [
        "a.csv",
        "--target c",
        "--features x",
        "--drop x",
        "--weights x",
        "--na drop",
        "--na-words none",
        "--delimiter ;",
        "--quote none",
        "--decimal ,",
        "--header",
        "--no-header",
        "--names x,c",
    ] {
        let answer = folder.run(&fit(flags));
        assert_eq!(answer.code, Some(2), "{flags}");
        assert!(
            answer.stderr.contains("'--from <MOMENTS>' cannot be used with"),
            "{}",
            answer.stderr
        );
    }
    let answer = folder.run("fit -o m.json");
    assert!(answer.code == Some(2) && answer.stderr.contains("<DATA>"), "{}", answer.stderr);
    let error = "'a.moments' is read: it would be lost if it were written";
    let hint = "name another file with -o";
    refused(&folder, "fit --from a.moments -o a.moments", 2, error, hint);
    refused(&folder, "merge a.moments -o a.moments", 2, error, hint);
}

#[test]
fn rows_that_cannot_be_summed_up() {
    let folder = Folder::new("moments-bad-rows");
    folder.write("d.csv", "x,city,c\n1,Oslo,a\n2,Bergen,b\n");
    folder.write("gap.csv", "x,c\n1,a\n,b\n");
    folder.write("none.csv", "x,w,c\n1,0,a\n2,0,b\n");
    folder.write("label.csv", "x,c\n1,a\n2,\n");
    let files = folder.files();
    for (command, error, hint) in [
        (
            "stats d.csv --target c",
            "d.csv, line 2, column 'city': 'Oslo' is not a number",
            "mend the cell, leave the column out (--drop city), or say what it holds, for naive Bayes: \
             --types city=category",
        ),
        (
            "stats gap.csv --target c",
            "gap.csv, line 3, column 'x': an empty cell is not a number",
            "missing values are refused: --na drop leaves such rows out, and --types x=number skips them, \
             for naive Bayes",
        ),
        ("stats none.csv --target c --weights w", "", ""),
        ("stats label.csv --target c", "label.csv, line 3, column 'c': the row has no label", ""),
    ] {
        let answer = folder.run(&format!("{command} -o m.moments"));
        assert_eq!(answer.code, Some(3), "{command}: {}", answer.stderr);
        let said = &answer.stderr;
        assert!(said.starts_with(&format!("error: {error}")), "{said}");
        assert!(said.lines().any(|line| line.starts_with(&format!("hint: {hint}"))), "{said}");
        assert_eq!(folder.files(), files, "{command}");
    }
}

#[test]
fn files_that_hold_no_moments() {
    let folder = folder("moments-strange", &[("a", A, "")]);
    folder.run("fit a.csv --target c -o m.json").ok();
    let text = String::from_utf8(folder.read("a.moments")).unwrap();
    let makes = "'gaussbayes stats DATA --target COL -o FILE' makes moments of rows";
    let again = "make the moments again, or take the file from a backup";
    for command in ["fit --from FILE -o x.json", "merge a.moments FILE -o x.moments"] {
        let on = |file: &str| command.replace("FILE", file);
        refused(&folder, &on("m.json"), 3, "m.json holds a model, not moments", makes);
        refused(
            &folder,
            &on("a.csv"),
            3,
            "a.csv holds no gaussbayes moments",
            "give a file that 'gaussbayes stats' or 'gaussbayes merge' has saved",
        );
        refused(&folder, &on("no.moments"), 1, "there is no moments file 'no.moments'", makes);
        folder.write("bad.moments", text.replace("\"version\":1", "\"version\":2"));
        refused(
            &folder,
            &on("bad.moments"),
            3,
            "bad.moments has layout version 2, and this release reads moments of version 1",
            "install the release that wrote it, or make the moments again with this one",
        );
        folder.write("bad.moments", text.replacen("\"rows\":6", "\"rows\":7", 1));
        let answer = folder.run(&on("bad.moments"));
        assert_eq!(answer.code, Some(3));
        assert!(answer.stderr.starts_with("error: bad.moments is damaged: its checksum is "));
        assert!(answer.stderr.ends_with(&format!("hint: {again}\n")), "{}", answer.stderr);
        for length in (0..text.len() - 2).step_by(61) {
            folder.write("bad.moments", &text[..length]);
            let answer = folder.run(&on("bad.moments"));
            assert_eq!(answer.code, Some(3), "{length} bytes: {}", answer.stderr);
            assert!(answer.stderr.starts_with("error: bad.moments holds no "), "{}", answer.stderr);
        }
    }
    let hint = "make a model of them: gaussbayes fit --from a.moments -o model.json";
    for command in ["predict a.moments a.csv", "update a.moments a.csv", "explain a.moments"] {
        refused(&folder, command, 3, "a.moments holds moments, not a model", hint);
    }
}

#[test]
fn hostile_moments_with_a_right_checksum_are_refused() {
    let folder = folder(
        "moments-hostile",
        &[("a", A, "--part 1/1"), ("t", "x,c\nu,a\nv,b\n", "--types x=category")],
    );
    let forged = |name: &str, from: &str, to: &str| {
        let text = String::from_utf8(folder.read(&format!("{name}.moments"))).unwrap();
        forged_in(&text, "moments", from, to)
    };
    assert_eq!(forged("a", "\"rows\":6", "\"rows\":6").as_bytes(), folder.read("a.moments"));
    for (name, from, to, expected) in [
        ("a", "\"features\":[\"x\",\"y\"]", "\"features\":[\"x\"]", "columns"),
        (
            "a",
            "\"features\":[\"x\",\"y\"]",
            "\"features\":[\"x\",\"x\"]",
            "2 features, of which 1 differ",
        ),
        ("a", "\"features\":[\"x\",\"y\"]", "\"features\":[]", "features"),
        ("a", "\"types\":null", "\"types\":[\"number\",\"number\"]", "its sums are not those"),
        ("a", "\"types\":null", "\"types\":[\"magic\"]", "there is no type 'magic'"),
        ("a", "\"number\":[1,1]", "\"number\":[2,1]", "there is no part 2/1"),
        ("a", "\"number\":[1,1]", "\"number\":[1,4000000000]", "there is no part 1/4000000000"),
        ("a", "\"weight\":6.0", "\"weight\":5.0", "its parts have weight 5, and its sums 6"),
        ("a", "\"weight\":[3.0,3.0]", "\"weight\":[-3.0,9.0]", "weight"),
        ("a", "\"fingerprint\":\"", "\"fingerprint\":\"0", "is no fingerprint"),
        ("a", "\"parts\":[{", "\"parts\":[],\"surprise\":[{", "surprise"),
        ("a", "\"level\":0", "\"level\":41", "level"),
        ("a", "\"storage\":\"full\"", "\"storage\":\"diagonal\"", "scatter"),
        ("a", "\"tail\":{\"values\":[]", "\"tail\":{\"values\":[1.0]", "tail"),
        ("a", "\"exponent\":[", "\"exponent\":[2000000000,", "frame"),
        ("t", "\"keys\":[\"u\",\"v\"]", "\"keys\":[\"v\",\"u\"]", "counts do not belong"),
        ("t", "\"types\":[\"category\"]", "\"types\":[\"text\"]", "text"),
        (
            "t",
            "\"types\":[\"category\"]",
            "\"types\":[\"category\",\"text\"]",
            "its sums are not those",
        ),
    ] {
        folder.write("bad.moments", forged(name, from, to));
        for command in [
            "fit --from bad.moments -o m.json",
            "merge bad.moments -o m.moments",
            "show bad.moments",
        ] {
            let files = folder.files();
            let answer = folder.run(command);
            assert_eq!(answer.code, Some(3), "{to}: {}", answer.stderr);
            let said = answer.stderr.lines().next().unwrap();
            assert!(said.starts_with("error: bad.moments holds no valid moments: "), "{said}");
            assert!(said.contains(expected), "{said}, not {expected}");
            assert_eq!(folder.files(), files);
        }
    }
}
