//! Sums parts of a table up, merges them in many ways, and fits to them: one fit of all rows.

use gaussbayes::{Learner, Mixture};
use gaussbayes_io::{Kept, Model, MomentsFile};

use super::Folder;

/// Whole numbers below a bound, the same in every run.
pub(super) struct Draw(pub(super) u64);

impl Draw {
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn unit(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 20)
    }
}

const HEADER: &str = "x,far,small,y,w,class";

/// Rows enough for three blocks, class by class unevenly; one column is far from zero.
fn lines() -> Vec<String> {
    let mut draw = Draw(3);
    let line = |i: usize| {
        // Class c first occurs in the last shards.
        let class = if i > 16_000 && draw.below(3) == 0 { 2 } else { draw.below(2) };
        let (u, v, s, t) = (draw.unit() + draw.unit(), draw.unit(), draw.unit(), draw.unit());
        let shift = class as f64;
        let (x, y) = (u + shift, v * (1.0 + shift) - 0.5 * u);
        let (far, small) = (1e7 + 3.0 * s + u, 0.1 * (s - v * shift + t));
        let w = [0.0, 0.5, 1.0, 3.0][draw.below(4) as usize];
        format!("{x:?},{far:?},{small:?},{y:?},{w},{}", ["a", "b", "c"][class as usize])
    };
    (0..20_000).map(line).collect()
}

/// Twenty shards of unequal lengths.
fn shards(lines: &[String]) -> Vec<&[String]> {
    let ends: Vec<usize> = (0..=20).map(|k| lines.len() * k * (k + 9) / (20 * 29)).collect();
    ends.windows(2).map(|pair| &lines[pair[0]..pair[1]]).collect()
}

fn csv(header: &str, lines: &[String]) -> String {
    format!("{header}\n{}\n", lines.join("\n"))
}

/// A folder with the whole table and its shards, summed up.
fn prepared(name: &str, header: &str, lines: &[String], flags: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("whole.csv", csv(header, lines));
    for (k, shard) in (1..).zip(shards(lines)) {
        folder.write(&format!("{k}.csv"), csv(header, shard));
        let command = format!("stats {k}.csv --target class {flags} --part {k}/20 -o {k}.moments");
        folder.run(&command).ok();
    }
    folder
}

fn files(order: impl IntoIterator<Item = usize>) -> String {
    order.into_iter().map(|k| format!("{k}.moments ")).collect()
}

/// Merges the shards in several orders and stages; all in one go is the same bytes in any order.
fn merged(folder: &Folder) -> Vec<&'static str> {
    folder.run(&format!("merge {} -o all.moments", files(1..=20))).ok();
    let scattered: Vec<usize> = (0..20).map(|k| k * 7 % 20 + 1).collect();
    for order in [(1..=20).rev().collect(), scattered] {
        folder.run(&format!("merge {} -o again.moments", files(order))).ok();
        assert!(folder.read("again.moments") == folder.read("all.moments"), "the order shows");
    }
    // Three heaps, then the heaps.
    folder.run(&format!("merge {} --partial -o p.moments", files([20, 3, 11]))).ok();
    folder.run(&format!("merge {} --partial -o q.moments", files(4..=10))).ok();
    let rest = files((1..=2).chain(12..=19));
    folder.run(&format!("merge q.moments {rest} p.moments -o staged.moments")).ok();
    // One after the other.
    folder.run("merge 1.moments --partial -o chain1.moments").ok();
    for k in 2..=20 {
        let earlier = k - 1;
        let partial = if k < 20 { "--partial" } else { "" };
        let command =
            format!("merge {k}.moments chain{earlier}.moments {partial} -o chain{k}.moments");
        folder.run(&command).ok();
    }
    vec!["all.moments", "staged.moments", "chain20.moments"]
}

fn load(folder: &Folder, name: &str) -> Model {
    Model::load(&folder.0.join(name)).unwrap()
}

/// Refuses parameters that differ by more than 1e-12 of √(S_ii S_jj), the means of √S_ii.
fn assert_near(one: &Model, other: &Model, what: &str) {
    assert_eq!(one.classifier.classes(), other.classifier.classes(), "{what}");
    assert_eq!(one.classifier.features(), other.classifier.features(), "{what}");
    let (a, b): (&Mixture, &Mixture) =
        (one.classifier.mixture().unwrap(), other.classifier.mixture().unwrap());
    for (a, b) in one.classifier.priors().iter().zip(other.classifier.priors()) {
        assert!((a - b).abs() <= 1e-12, "{what}: prior {a} {b}");
    }
    let dim = one.classifier.features().len();
    for k in 0..one.classifier.classes().len() {
        let (s, t) = (a.raw_covariance(k), b.raw_covariance(k));
        let at = |i: usize, j: usize| i * (i + 1) / 2 + j;
        for i in 0..dim {
            for j in 0..=i {
                let scale = (s[at(i, i)] * s[at(j, j)]).sqrt();
                let apart = (s[at(i, j)] - t[at(i, j)]).abs();
                assert!(apart <= 1e-12 * scale, "{what}: {k} {i} {j}: {}", apart / scale);
            }
        }
        for (i, (m, n)) in a.raw_mean(k).iter().zip(b.raw_mean(k)).enumerate() {
            // A mean in raw units is rounded by its own size.
            let scale = s[at(i, i)].sqrt() + 1e-3 * m.abs();
            assert!((m - n).abs() <= 1e-12 * scale, "{what}: mean {k} {i}: {m} {n}");
        }
    }
}

const MODELS: [&str; 6] = [
    "--model lda",
    "--model qda",
    "--model naive-bayes",
    "--model EEV",
    "--model VII --standardize --priors uniform",
    "--model qda --ddof 1 --shrinkage oas",
];

#[test]
fn twenty_shards_are_one_fit() {
    let lines = lines();
    for (name, weights) in [("shards", "--drop w"), ("weighted-shards", "--weights w")] {
        let folder = prepared(name, HEADER, &lines, weights);
        let merged = merged(&folder);
        for model in MODELS {
            folder
                .run(&format!("fit whole.csv --target class {weights} {model} -o whole.json"))
                .ok();
            let whole = load(&folder, "whole.json");
            for moments in &merged {
                folder.run(&format!("fit --from {moments} {model} -o parts.json")).ok();
                let parts = load(&folder, "parts.json");
                assert_near(&whole, &parts, &format!("{moments} {model} {weights}"));
                assert_eq!((&parts.target, &parts.weights), (&whole.target, &whole.weights));
                assert_eq!((&parts.spec, &parts.priors), (&whole.spec, &whole.priors));
            }
        }
    }
}

/// One part has the sums of one fit to the bit, where that keeps as much of the scatter.
#[test]
fn one_part_is_one_fit_to_the_bit() {
    let folder = Folder::new("one-part");
    folder.write("whole.csv", csv(HEADER, &lines()));
    folder.run("stats whole.csv --target class --weights w -o m.moments").ok();
    for model in ["qda", "EEV", "VVE", "EVV"] {
        let flags = format!("--model {model} --sealed");
        folder.run(&format!("fit whole.csv --target class --weights w {flags} -o rows.json")).ok();
        folder.run(&format!("fit --from m.moments {flags} -o sums.json")).ok();
        assert!(folder.read("rows.json") == folder.read("sums.json"), "{model}");
    }
    for model in ["lda", "naive-bayes", "VEE", "VEI", "EII", "nearest-mean"] {
        folder
            .run(&format!("fit whole.csv --target class --weights w --model {model} -o rows.json"))
            .ok();
        folder.run(&format!("fit --from m.moments --model {model} -o sums.json")).ok();
        assert_near(&load(&folder, "rows.json"), &load(&folder, "sums.json"), model);
    }
    // Sums of any number of threads are the same bytes.
    for threads in [1, 3] {
        let command = "stats whole.csv --target class --weights w -o again.moments --threads";
        folder.run(&format!("{command} {threads}")).ok();
        assert!(folder.read("again.moments") == folder.read("m.moments"), "{threads} threads");
    }
}

#[test]
fn a_model_of_moments_takes_more_rows() {
    let lines = lines();
    let folder = Folder::new("moments-updated");
    let (first, last) = lines.split_at(9_000);
    for (name, lines) in [("first", first), ("last", last), ("whole", &lines)] {
        folder.write(&format!("{name}.csv"), csv(HEADER, lines));
    }
    folder.run("stats first.csv --target class --drop w -o m.moments").ok();
    let moments = String::from_utf8(folder.read("m.moments")).unwrap();
    assert!(moments.contains("\"tail\":{\"values\":[],"), "rows are in the file");
    for model in ["qda", "lda"] {
        folder.run(&format!("fit --from m.moments --model {model} -o m.json")).ok();
        folder.run("update m.json last.csv").ok();
        folder
            .run(&format!("fit whole.csv --target class --drop w --model {model} -o whole.json"))
            .ok();
        assert_near(&load(&folder, "whole.json"), &load(&folder, "m.json"), model);
    }
    folder.run("fit --from m.moments --sealed -o m.json").ok();
    assert!(load(&folder, "m.json").training.is_none());
}

/// Numbers with gaps, a flag, names and words; some are in few shards.
fn mixed() -> Vec<String> {
    let mut draw = Draw(5);
    let line = |i: usize| {
        let class = draw.below(2 + u64::from(i > 2_000));
        let n = if draw.below(9) == 0 { String::new() } else { format!("{:?}", draw.unit()) };
        let paid = ["yes", "no"][usize::from(draw.below(3) < class)];
        let city =
            ["Oslo", "Bergen", "Tromsø", "Bodø"][draw.below(2 + 2 * (i as u64 % 2)) as usize];
        let words = ["alpha beta", "beta gamma delta", "alpha delta rest", ""];
        let text = words[(draw.below(3) + class / 2) as usize];
        let hits = draw.below(4 + class);
        format!("{n},{paid},{city},{text},{hits},{}", ["a", "b", "c"][class as usize])
    };
    (0..3_000).map(line).collect()
}

#[test]
fn shards_of_typed_columns_are_one_fit() {
    let types = "--types n=number,paid=flag,city=category,text=text,hits=count";
    let folder = prepared("typed-shards", "n,paid,city,text,hits,class", &mixed(), types);
    let numbers = |model: &str, flag: &str| -> Vec<f64> {
        let answer = folder.run(&format!("predict {model} whole.csv --proba {flag}")).ok();
        let cells = answer.lines().skip(1).flat_map(|line| line.split(',').skip(1));
        cells.map(|cell| cell.parse().unwrap()).collect()
    };
    let merged = merged(&folder);
    for (options, flag) in [
        ("", "--density"),
        ("--alpha 0.5,city=2 --unseen smooth", "--density"),
        ("--complement --priors uniform", ""),
    ] {
        let fit = format!("fit whole.csv --target class --model naive-bayes {types} {options}");
        folder.run(&format!("{fit} -o whole.json")).ok();
        let (whole, expected) = (load(&folder, "whole.json"), numbers("whole.json", flag));
        for moments in &merged {
            folder.run(&format!("fit --from {moments} {options} -o parts.json")).ok();
            let parts = load(&folder, "parts.json");
            assert_eq!(parts.spec, whole.spec);
            assert!(matches!(parts.spec, Learner::Product(_)));
            assert!(matches!(parts.training, Some(Kept::Product(_))));
            for (a, b) in expected.iter().zip(numbers("parts.json", flag)) {
                assert!((a - b).abs() <= 1e-11 * a.abs().max(1e-3), "{moments}: {a} {b}");
            }
        }
    }
    // Where all sums are of whole numbers there is no rounding at all.
    let file = MomentsFile::load(&folder.0.join("all.moments")).unwrap();
    assert_eq!((file.rows(), file.parts.len(), file.missing()), (3_000, 20, vec![]));
    folder.write("more.csv", "n,paid,city,text,hits,class\n0.5,no,Oslo,alpha,2,a\n");
    folder.run("update parts.json more.csv").ok();
}

#[test]
fn what_is_said_of_moments() {
    let folder = Folder::new("moments-said");
    let said = folder.run("stats iris -o m.moments").ok();
    assert_eq!(
        said,
        "moments of 150 rows: 3 classes, 4 features, 1 part\nsaved m.moments\n\
         next: gaussbayes fit --from m.moments, or with more: gaussbayes merge m.moments … -o ALL.moments\n"
    );
    folder.write("a.csv", "x,w,c\n1,3,u\n2,0,v\n");
    folder.write("b.csv", "x,c\n4,v\n6,u\n9,v\n");
    let stats = "stats a.csv --target c --weights w --part 2/3 -o a.moments";
    assert_eq!(
        folder.run(stats).ok(),
        "moments of 2 rows of weight 3: 1 class, 1 feature, part 2/3\nsaved a.moments\n\
         next: gaussbayes merge a.moments … -o ALL.moments, with all 3 parts\n"
    );
    let result = folder.run(&format!("{stats} --json")).result();
    assert_eq!((&result["n"], &result["rows"]), (&3.into(), &2.into()));
    assert_eq!(result["classes"], serde_json::json!(["u"]));
    assert_eq!(result["features"], serde_json::json!(["x"]));
    assert_eq!(
        (&result["output"], &result["missing"]),
        (&"a.moments".into(), &serde_json::json!([1, 3]))
    );
    let part = &result["parts"][0];
    assert_eq!(
        (&part["number"], &part["of"], &part["data"]),
        (&2.into(), &3.into(), &"a.csv".into())
    );
    assert_eq!(part["fingerprint"].as_str().unwrap().len(), 32);
    // Rows with weights and rows without count together.
    folder.run("stats b.csv --target c --part 3/3 -o b.moments").ok();
    assert_eq!(
        folder.run("merge b.moments a.moments --partial -o ab.moments").ok(),
        "2 files merged\nmoments of 5 rows of weight 6: 2 classes, 1 feature, 2 parts\n\
         missing parts: 1 of 3\nsaved ab.moments\n\
         next: gaussbayes merge ab.moments … -o ALL.moments, with the missing parts\n"
    );
    let result = folder.run("merge b.moments a.moments --partial -o ab.moments --json").result();
    assert_eq!(
        (&result["n"], &result["rows"], &result["missing"][0]),
        (&6.into(), &5.into(), &1.into())
    );
    assert_eq!(result["parts"].as_array().unwrap().len(), 2);
    assert_eq!(
        folder.run("show ab.moments").ok(),
        "ab.moments · moments of 5 rows of weight 6: 2 classes, 1 feature, 2 parts\n\n\
         class  rows\nu         4\nv         2\n\ncolumns: x\nparts:\n  part 2/3 (2 rows)\n  \
         part 3/3 (3 rows)\nmissing parts: 1 of 3\n"
    );
    assert_eq!(folder.run("show ab.moments --json").result()["counts"], serde_json::json!([4, 2]));
}
