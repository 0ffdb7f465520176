//! Draws figures of models, of data and of the lectures, and reads what the command says of them.

use std::path::Path;

use super::Folder;

/// What a figure says of itself.
const KEYS: [&str; 12] = [
    "bytes",
    "caption",
    "description",
    "drawn",
    "figure",
    "file",
    "format",
    "height",
    "notes",
    "rows",
    "title",
    "width",
];

fn is_svg(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap();
    text.contains("<svg") && text.trim_end().ends_with("</svg>") && text.contains("<title")
}

/// A table of two bent classes and one more column.
fn rows() -> String {
    let row = |i: usize| {
        let t = i as f64 * 0.7;
        let (x, y) = (t.sin() + 3.0 * (i % 2) as f64, t.cos() + 0.3 * (t * 1.7).sin());
        format!("{x},{y},{},{}\n", (t * 0.31).sin() * 4.0, ["a", "b"][i % 2])
    };
    format!("x,y,z,c\n{}", (0..60).map(row).collect::<String>())
}

#[test]
fn a_figure_of_the_lectures_is_drawn_by_its_name() {
    let folder = Folder::new("plot-gallery");
    let said = folder.run("plot --figure circular-boundary").ok();
    assert!(said.contains("circle") && said.contains("saved figure.svg"), "{said}");
    assert!(is_svg(&folder.read("figure.svg")));
    // Another name of the same figure gives the same bytes.
    folder.run("plot --figure circular -o other.svg").ok();
    assert_eq!(folder.read("figure.svg"), folder.read("other.svg"));
    let result = folder.run("plot --figure modem -o modem.png --scale 1 --json").result();
    let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(keys, KEYS);
    let png = folder.read("modem.png");
    assert!(png.starts_with(b"\x89PNG"));
    assert_eq!(result["bytes"], png.len());
    assert_eq!((&result["format"], &result["figure"]), (&"png".into(), &"modem".into()));
    let twice = folder.run("plot --figure modem -o twice.png --json").result();
    let width = |result: &serde_json::Value| result["width"].as_f64().unwrap();
    assert_eq!(width(&twice), 2.0 * width(&result));
}

#[test]
fn the_list_has_every_figure_and_every_kind() {
    let folder = Folder::new("plot-list");
    let text = folder.run("plot --list").ok();
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(110), "{widest:?}");
    let result = folder.run("plot --list --json").result();
    let names = |key: &str| -> Vec<String> {
        let list = result[key].as_array().unwrap();
        list.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let (figures, kinds) = (names("figures"), names("kinds"));
    assert!(figures.len() >= 40 && kinds.len() == 19, "{} {}", figures.len(), kinds.len());
    for kind in &kinds {
        assert!(text.contains(&format!("  {kind} ")), "{kind}");
        assert!(!figures.contains(kind), "{kind} is a figure and a kind");
    }
    assert!(folder.files().is_empty());
}

#[test]
fn every_kind_of_figure_is_drawn_of_data() {
    let folder = Folder::new("plot-kinds");
    folder.write("d.csv", rows());
    for (kind, options) in [
        ("scatter", "--axes x,z"),
        ("regions", "--axes 2,1 --reject 0.2"),
        ("posterior", "--class a"),
        ("density", "--features x,y"),
        ("densities", "--features x"),
        ("pairs", ""),
        ("projection", "--model lda"),
        ("slice", "--axes x,y --at z=0.5"),
        ("linear", "--features x,y --model lda"),
        ("simplex", ""),
        ("roc", "--folds 5"),
        ("cost", "--folds 5"),
        ("confusion", "--folds 5 --reject 0.1"),
        ("learning", "--folds 5"),
        ("features", "--folds 5"),
        ("scaling", "--axes x,z"),
        ("bic", "-k 1..3"),
        ("em", "-k 2 --drop z"),
        ("em", "-k 2 --drop z --animate"),
        ("influence", "-k 2 --drop z"),
    ] {
        let command = format!("plot d.csv --target c --figure {kind} {options} -o f.svg --json");
        let result = folder.run(&command).result();
        assert_eq!(result["figure"], kind, "{command}");
        assert!(is_svg(&folder.read("f.svg")), "{command}");
        assert!(result["width"].as_f64().unwrap() > 100.0, "{command}: {result}");
        for key in ["title", "description", "caption"] {
            assert!(!result[key].as_str().unwrap().is_empty(), "{command}: {result}");
        }
        assert_eq!(result["rows"], 60, "{command}");
    }
}

#[test]
fn the_usual_figure_depends_on_the_number_of_features() {
    let folder = Folder::new("plot-usual");
    folder.write("d.csv", rows());
    folder.run("fit d.csv --target c --features x,y -o m.json").ok();
    for (subject, figure) in [
        ("d.csv --target c --features x", "densities"),
        ("d.csv --target c --features x,y", "regions"),
        ("d.csv --target c", "projection"),
        ("m.json", "regions"),
        ("m.json d.csv", "regions"),
        ("modem", "densities"),
        ("lda-full", "regions"),
        ("iris", "projection"),
        ("banana --model lda", "regions"),
    ] {
        let result = folder.run(&format!("plot {subject} --json")).result();
        assert_eq!(result["figure"], figure, "{subject}");
    }
    // A saved model without rows has none to count; with rows, their classes come with them.
    let alone = folder.run("plot m.json --json").result();
    assert!(alone["rows"].is_null() && alone["drawn"].is_null());
    let with = folder.run("plot m.json d.csv --json").result();
    assert_eq!((&with["rows"], &with["drawn"]), (&60.into(), &60.into()));
    // A file without the column of classes is drawn too.
    let bare: String =
        rows().lines().map(|line| format!("{}\n", line.rsplit_once(',').unwrap().0)).collect();
    folder.write("bare.csv", bare);
    let said = folder.run("plot m.json bare.csv --json").result();
    assert_eq!(said["rows"], 60);
}

#[test]
fn more_rows_than_anyone_can_see_are_a_sample() {
    let folder = Folder::new("plot-many");
    folder.run("sample banana -n 1e6 -o many.csv").ok();
    let answer = folder.run("plot many.csv --target class -o f.svg");
    assert!(answer.stderr.contains("10000 of 1000000 rows drawn"), "{}", answer.stderr);
    answer.ok();
    let svg = String::from_utf8(folder.read("f.svg")).unwrap();
    assert!(svg.len() < 300_000, "{} bytes", svg.len());
    assert!(svg.contains("10000 of 1000000 rows"), "a note says so");
    let few = folder.run("plot many.csv --target class --rows 100 -o f.svg --json").result();
    assert_eq!((&few["rows"], &few["drawn"]), (&1_000_000.into(), &100.into()));
}

#[test]
fn what_cannot_be_drawn_is_refused_by_name() {
    let folder = Folder::new("plot-refused");
    folder.write("d.csv", rows());
    folder.run("fit d.csv --target c -o m.json").ok();
    folder.run("fit d.csv --target c --model softmax -o s.json").ok();
    let before = folder.files();
    for (command, message, hint) in [
        ("plot", "nothing to draw", "--list"),
        ("plot --figure circular-boundry", "no figure 'circular-boundry'", "'circular-boundary'"),
        ("plot --figure xyzzy", "no figure 'xyzzy'", "--list"),
        ("plot --figure regions", "of which model or data", "plot iris"),
        ("plot iris --figure region", "no figure 'region'", "'regions'"),
        ("plot iris --figure modem", "figure of the gallery", "plot --figure modem"),
        ("plot banana-qda", "figure of the gallery", "plot --figure banana-qda"),
        ("plot bananna", "'bananna'", "'banana'"),
        ("plot none.csv --target c", "none.csv", ""),
        ("plot iris -o f.pdf", "no .pdf file", ".svg or .png"),
        ("plot iris -o f", "does not say", "f.svg"),
        ("plot iris -o none/f.svg", "cannot write", ""),
        ("plot m.json -o m.json", "no .json file", ".svg"),
        ("plot modem --axes 1,2", "along one column", "--axes 1"),
        ("plot modem --figure regions --axes 1,2", "one column", "leave --axes out"),
        ("plot iris --axes petal_width,petal_width", "both axes", "different"),
        ("plot iris --axes petal_widht,1", "'petal_widht'", "'petal_width'"),
        ("plot iris --axes 1,9", "'9'", "1 to 4"),
        ("plot iris --figure posterior --class virginca", "'virginca'", "'virginica'"),
        ("plot iris --theme drak", "", "'dark'"),
        ("plot iris -o f.png --theme auto", "one theme", ".svg"),
        ("plot iris -o f.png --scale 0", "scale 0", "--scale 2"),
        ("plot faithful --figure em --animate -o f.png", "does not move", ".svg"),
        ("plot iris --animate", "nothing to do", "leave --animate out"),
        ("plot m.json --model lda", "model already", "leave --model out"),
        ("plot m.json --figure roc", "needs rows", "MODEL DATA"),
        ("plot m.json d.csv --figure learning", "learns no more", "data alone"),
        ("plot m.json --figure bic", "knows no model", "data alone"),
        ("plot m.json --figure scatter", "there are none", "MODEL DATA"),
        ("plot iris --figure linear", "", ""),
        ("plot s.json --figure density", "no densities", ""),
        ("plot d.csv", "which column", "--target"),
    ] {
        let answer = folder.run(command);
        assert!(matches!(answer.code, Some(1..=4)), "{command}: {}", answer.stderr);
        assert!(answer.stderr.contains(message), "{command}: {}", answer.stderr);
        assert!(answer.stderr.contains(hint), "{command}: {}", answer.stderr);
        assert_eq!(answer.stdout, "", "{command}");
        assert_eq!(folder.files(), before, "{command} leaves no file");
    }
}

#[test]
fn models_without_quadratics_and_many_classes_are_drawn() {
    let folder = Folder::new("plot-hard");
    folder.write("d.csv", rows());
    for options in ["--model softmax", "--density predictive", "--model naive-bayes", "--model EII"]
    {
        let command = format!("plot d.csv --target c --features x,y --figure regions {options}");
        folder.run(&command).ok();
        assert!(is_svg(&folder.read("figure.svg")), "{command}");
    }
    folder.run("fit d.csv --target c --features x,y --components 2 --model VVI -o mix.json").ok();
    folder.run("plot mix.json d.csv").ok();
    folder.run("sample blobs --classes 50 -n 2000 -o fifty.csv").ok();
    for figure in ["regions", "scatter", "confusion", "pairs", "posterior"] {
        folder.run(&format!("plot fifty.csv --target class --model lda --figure {figure}")).ok();
        let svg = folder.read("figure.svg");
        assert!(is_svg(&svg) && svg.len() < 600_000, "{figure}: {} bytes", svg.len());
    }
}

#[test]
fn constant_features_are_refused_or_drawn() {
    let folder = Folder::new("plot-constant");
    let row = |i: usize| format!("{},7,{}\n", i * i % 17 + 9 * (i % 2), ["a", "b"][i % 2]);
    folder.write("d.csv", format!("x,y,c\n{}", (0..40).map(row).collect::<String>()));
    let refused = folder.run("plot d.csv --target c");
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    assert!(refused.stderr.contains("hint:"), "{}", refused.stderr);
    folder.run("plot d.csv --target c --model nearest-mean").ok();
    assert!(is_svg(&folder.read("figure.svg")));
}

#[test]
fn any_name_is_written_as_it_is() {
    let folder = Folder::new("plot-names");
    let row = |i: usize| {
        let class = ["<b>&\"x\"", "שלום", "]]>"][i % 3];
        let quoted = class.replace('"', "\"\"");
        format!("{},{},\"{quoted}\"\n", i * 7 % 11 + 9 * (i % 3), i * 5 % 13)
    };
    let text: String = (0..90).map(row).collect();
    folder.write("d.csv", format!("\"a<b & \"\"c\"\"\",طول,class\n{text}"));
    for figure in ["regions", "scatter", "pairs", "confusion", "posterior", "simplex", "roc"] {
        folder.run(&format!("plot d.csv --target class --figure {figure} -o f.svg")).ok();
        let svg = String::from_utf8(folder.read("f.svg")).unwrap();
        assert!(svg.contains("&lt;b&gt;&amp;") && svg.contains("שלום"), "{figure}");
        assert!(!svg.contains("<b>"), "{figure}");
        folder.run(&format!("plot d.csv --target class --figure {figure} -o f.png")).ok();
        assert!(folder.read("f.png").starts_with(b"\x89PNG"));
    }
}

#[test]
fn the_gallery_is_one_page_that_needs_nothing_else() {
    let folder = Folder::new("plot-all");
    let result = folder.run("plot --gallery all --json").result();
    let files = result["files"].as_array().unwrap();
    assert!(files.len() >= 40);
    let page = String::from_utf8(folder.read("all/gallery.html")).unwrap();
    for file in files {
        let file = file.as_str().unwrap();
        assert!(is_svg(&folder.read(&format!("all/{file}"))), "{file}");
        let name = file.strip_suffix(".svg").unwrap();
        assert!(page.contains(&format!("plot --figure {name} ")), "{name}");
    }
    for outside in ["<script", "src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!page.contains(outside), "{outside}");
    }
    // Identifiers are of one element each.
    let mut ids: Vec<&str> =
        page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

/// Figures that the README shows.
const SHOWN: [&str; 2] = ["circular-boundary", "banana-three"];

#[test]
fn the_figures_of_the_readme_are_those_of_the_command() {
    let folder = Folder::new("plot-readme");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/figures");
    let readme = include_str!("../../../../README.md");
    for name in SHOWN {
        let file = format!("{name}.svg");
        folder.run(&format!("plot --figure {name} --theme auto -o {file}")).ok();
        assert!(readme.contains(&format!("docs/figures/{file}")), "{name} is not in the README");
        let (drawn, path) = (folder.read(&file), kept.join(&file));
        if std::env::var("GAUSSBAYES_SNAPSHOTS").is_ok_and(|value| value == "write") {
            std::fs::write(&path, &drawn).unwrap();
        }
        let same = std::fs::read(&path).unwrap_or_default() == drawn;
        assert!(same, "{name}: GAUSSBAYES_SNAPSHOTS=write accepts what has changed");
    }
}
