//! Reads the pages of tour and report as a strict parser does, and runs every command on them.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

use roxmltree::{Document, Node, ParsingOptions};

use super::{Folder, iris};

/// A page, which is well-formed XML.
fn parsed(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).unwrap()
}

fn named<'a>(page: &'a Document<'a>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    page.descendants().filter(move |node| node.tag_name().name() == name)
}

/// Holds a page to what every page promises.
fn checked(text: &str) {
    assert!(text.starts_with("<!DOCTYPE html>\n<html lang=\"en\""), "{}", &text[..80]);
    let page = parsed(text);
    let ids: Vec<&str> = page.descendants().filter_map(|node| node.attribute("id")).collect();
    let known: HashSet<&str> = ids.iter().copied().collect();
    let twice = ids.iter().find(|id| ids.iter().filter(|other| other == id).count() > 1);
    assert_eq!(ids.len(), known.len(), "{twice:?} is there twice");
    for picture in named(&page, "svg") {
        let by = picture.attribute("aria-labelledby").unwrap();
        for (id, part) in by.split(' ').zip(["title", "desc"]) {
            let own = picture.children().find(|node| node.tag_name().name() == part).unwrap();
            assert_eq!(own.attribute("id"), Some(id));
            assert!(own.text().is_some_and(|text| text.trim().len() > 3), "{id} is empty");
        }
        assert_eq!(picture.attribute("role"), Some("img"));
    }
    assert_eq!(named(&page, "figure").count(), named(&page, "svg").count());
    assert_eq!(named(&page, "figure").count(), named(&page, "figcaption").count());
    for name in ["script", "link", "iframe", "object", "embed", "base"] {
        assert_eq!(named(&page, name).count(), 0, "{name}");
    }
    let spaces = ["http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"];
    let mut rest = text.to_string();
    for space in spaces {
        rest = rest.replace(&format!("xmlns=\"{space}\""), "");
    }
    assert!(!rest.contains("http://") && !rest.contains("https://"), "something is loaded");
    assert!(!rest.contains("url(\"") && !rest.contains("@import"), "something is loaded");
    for node in page.descendants() {
        for link in node.attributes().filter(|it| ["href", "src"].contains(&it.name())) {
            let inside = link.value().strip_prefix('#').is_some_and(|id| known.contains(id));
            assert!(inside || link.value().starts_with("data:image/png;base64,"), "{link:?}");
        }
        for reference in ["aria-labelledby", "aria-describedby"] {
            for id in node.attribute(reference).into_iter().flat_map(str::split_whitespace) {
                assert!(known.contains(id), "{id} is nowhere");
            }
        }
    }
    for table in named(&page, "table") {
        let caption = table.children().find(Node::is_element).unwrap();
        assert_eq!(caption.tag_name().name(), "caption");
        let heads = table.descendants().filter(|node| node.tag_name().name() == "th");
        assert!(heads.clone().count() > 0);
        assert!(heads.into_iter().all(|head| head.attribute("scope").is_some()));
    }
}

/// The lines of every command, and whether it is to be refused.
fn commands(text: &str) -> Vec<(String, bool)> {
    let page = parsed(text);
    let is = |node: &Node<'_, '_>| node.attribute("class").is_some_and(|it| it.contains("command"));
    let lines = |node: Node<'_, '_>| {
        let refused = node.attribute("class").unwrap().contains("refused");
        let code = node.first_element_child().unwrap().text().unwrap().to_string();
        code.lines().map(|line| (line.to_string(), refused)).collect::<Vec<_>>()
    };
    named(&page, "pre").filter(is).flat_map(lines).collect()
}

/// Types every command of a page into a shell, in order.
fn typed(folder: &Folder, text: &str) {
    let program = Path::new(env!("CARGO_BIN_EXE_gaussbayes")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.display());
    let mut seen = HashSet::new();
    for (line, refused) in commands(text) {
        if !seen.insert(line.clone()) {
            continue;
        }
        let mut shell = Command::new("sh");
        let answer = shell.arg("-c").arg(&line).current_dir(&folder.0).env("PATH", &path);
        let answer = answer.output().unwrap();
        let expected = if refused { 4 } else { 0 };
        let said = String::from_utf8_lossy(&answer.stderr).into_owned();
        assert_eq!(answer.status.code(), Some(expected), "{line}\n{said}");
    }
    assert!(seen.len() > 5);
}

#[test]
fn the_tour_is_a_page_that_anybody_can_read() {
    let folder = Folder::new("tour");
    let text = folder.run("tour").ok();
    for word in ["iris: 150 rows, 4 features", "lda errs least", "saved report.html", "next: "] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(!text.contains("left out: "), "{text}");
    assert!(text.lines().count() < 50, "{text}");
    let page = String::from_utf8(folder.read("report.html")).unwrap();
    checked(&page);
    assert!(!page.contains("class=\"missing\""), "something is missing");
    let drawn = parsed(&page);
    assert!(named(&drawn, "svg").count() >= 20);
    assert!(named(&drawn, "math").count() >= 10);
    assert!(named(&drawn, "section").count() >= 12);
    let result = folder.run("tour --json -o other.html").result();
    assert_eq!(folder.read("other.html"), page.as_bytes());
    let sets = &result["sets"];
    assert!(sets["iris"]["ranking"][0]["error_rate"].as_f64().unwrap() <= 0.03, "{sets}");
    let parabola = &sets["figures"][1];
    assert_eq!(parabola["kinds"][0], "parabola");
    assert!((parabola["total"].as_f64().unwrap() - 0.002_073_162_281_186_3).abs() < 1e-15);
    // Missing class 2 at 5 to 1 moves the threshold of N(0, 1) and N(1, 1) from 1/2 by ln 5.
    let moved = sets["costs"]["thresholds"][1][0].as_f64().unwrap();
    assert!((moved - (0.5 - 5.0_f64.ln())).abs() < 1e-12, "{moved}");
}

#[cfg(unix)]
#[test]
fn every_command_of_the_tour_does_what_it_says() {
    let folder = Folder::new("tour-commands");
    folder.run("tour").ok();
    let page = String::from_utf8(folder.read("report.html")).unwrap();
    typed(&folder, &page);
    let refused = commands(&page).into_iter().filter(|(_, refused)| *refused).count();
    assert_eq!(refused, 1);
}

/// Rows of a few classes with numbers that look random, and a cell of the user's own.
fn rows(head: &str, classes: &[&str], cell: impl Fn(usize) -> String) -> String {
    let number = |i: usize| ((i * i * 7 + i * 3) % 23) as f64 / 7.0;
    let mut text = format!("{head}\n");
    for i in 0..90 {
        let k = i % classes.len();
        let (x, y) = (number(i) + 2.0 * k as f64, number(i + 5) - k as f64);
        text.push_str(&format!("{x},{y},{},{}\n", cell(i), classes[k]));
    }
    text
}

/// The page of a report, which is checked.
fn reported(folder: &Folder, words: &str) -> (String, serde_json::Value) {
    let result = folder.run(&format!("report {words} --json -o r.html")).result();
    let page = String::from_utf8(folder.read("r.html")).unwrap();
    checked(&page);
    (page, result)
}

#[cfg(unix)]
#[test]
fn every_command_of_a_report_does_what_it_says() {
    let folder = Folder::new("report-commands");
    folder.write("iris.csv", iris());
    let (page, result) = reported(&folder, "iris.csv --target species");
    assert_eq!(result["best"], "lda");
    let chapters = result["chapters"].as_object().unwrap();
    assert_eq!(chapters.len(), 14);
    assert!(chapters.values().all(|chapter| chapter["missing"].is_null()), "{chapters:?}");
    typed(&folder, &page);
    // The same where columns are no numbers and some of them are missing.
    let cell = |i: usize| if i == 7 { String::new() } else { ((i * 13) % 31).to_string() };
    let mixed = rows("x,y,z,kind", &["a", "b"], cell);
    let named = mixed.lines().enumerate().map(|(i, line)| match i {
        0 => format!("colour,{line}\n"),
        i => format!("{},{line}\n", ["red", "blue"][i % 3 / 2]),
    });
    folder.write("mixed.csv", named.collect::<String>());
    let (page, result) = reported(&folder, "mixed.csv --target kind");
    assert_eq!(result["features"], serde_json::json!(["x", "y", "z"]));
    for words in ["'colour' (category)", "1 row with missing"] {
        assert!(page.contains(words), "{words}");
    }
    typed(&folder, &page);
}

#[test]
fn names_of_any_kind_stay_text() {
    let folder = Folder::new("report-names");
    let head = "\"<b & \"\"c\"\">\",רוחב,\"a, b\",kind";
    let classes = ["<script>alert(1)</script>", "ב&ג", "\"say \"\"hi\"\"\""];
    folder.write("odd.csv", rows(head, &classes, |i| ((i * 5) % 17).to_string()));
    let (page, _) = reported(&folder, "odd.csv --target kind");
    assert!(
        page.contains("&lt;script&gt;")
            && page.contains("<mtext>&lt;b &amp; &quot;c&quot;&gt;</mtext>")
    );
    assert!(page.contains("<mtext>\u{2068}רוחב\u{2069}</mtext>"));
}

#[test]
fn what_cannot_be_told_is_left_out_with_a_sentence() {
    let folder = Folder::new("report-hard");
    let numbers = |i: usize| ((i * 5) % 17).to_string();
    let two = ["a", "b"];
    folder.write("constant.csv", rows("x,y,z,kind", &two, |_| "7".into()));
    let (page, result) = reported(&folder, "constant.csv --target kind");
    assert_eq!(result["chapters"]["data"]["constant"], serde_json::json!(["z"]));
    assert_eq!(result["chapters"]["singular"]["singular"], true);
    assert!(
        page.contains("&apos;z&apos;") || page.contains("'z' is constant"),
        "why is it singular?"
    );
    folder.write("all.csv", rows("x,y,z,kind", &two, numbers));
    let (_, result) = reported(&folder, "all.csv --target kind --features x");
    let left_out = |key: &str| result["chapters"][key]["missing"].as_str().map(String::from);
    assert!(left_out("features").unwrap().contains("fewer than three columns"));
    assert_eq!(left_out("error"), None);
    folder.write("single.csv", rows("x,y,z,kind", &["a"], numbers));
    let (page, result) = reported(&folder, "single.csv --target kind");
    assert!(page.contains("Every row is of class 'a'; there is nothing to tell apart."));
    assert!(result["chapters"]["clusters"]["k"].as_u64().is_some());
    folder.write("words.csv", format!("colour,kind\n{}", "red,a\nblue,b\n".repeat(20)));
    let (page, _) = reported(&folder, "words.csv --target kind");
    assert!(page.contains("No column holds numbers"), "{page}");
    folder.write("lonely.csv", rows("x,y,z,kind", &two, numbers) + "1,2,3,c\n");
    let (page, result) = reported(&folder, "lonely.csv --target kind");
    assert_eq!(result["n"], 90);
    assert!(page.contains("1 row of classes with fewer than"));
    let (page, result) = reported(&folder, "all.csv --drop kind");
    assert!(result["target"].is_null() && result["chapters"]["classifiers"].is_null());
    assert!(page.contains("--target") && result["chapters"]["em"]["iterations"].as_u64().is_some());
    let (page, _) = reported(&folder, "all.csv --target kind --most-rows 40");
    assert!(page.contains("Judged on 40 of 90 rows"));
    folder.write("fifty.csv", folder.run("sample blobs --classes 50 --columns 2 -n 1000").ok());
    let (_, result) = reported(&folder, "fifty.csv --target class");
    assert!(result["best"].is_string(), "{result}");
}

#[test]
fn a_report_is_refused_only_where_there_is_nothing_to_read() {
    let folder = Folder::new("report-refused");
    folder.write("d.csv", "x,kind\n1,a\n");
    for (words, message, hint) in [
        ("none.csv --target kind", "there is no file", ""),
        ("d.csv --target kinds", "no column 'kinds'", "'kind'"),
        ("d.csv --target kind -o d.csv", "'d.csv' is read", "another file"),
    ] {
        let answer = folder.run(&format!("report {words}"));
        assert!(answer.code != Some(0), "{words}");
        assert!(
            answer.stderr.contains(message) && answer.stderr.contains(hint),
            "{}",
            answer.stderr
        );
    }
    assert_eq!(folder.files(), ["d.csv"]);
}
