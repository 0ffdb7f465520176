//! Goes from text to label: words are counted, and those never met are ignored.

use gaussbayes_io::{Kept, Model};

use super::Folder;

/// A stream of random numbers.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn word<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

const BOTH: [&str; 12] =
    ["the", "a", "to", "you", "and", "is", "this", "for", "I'm", "now", "today", "please"];
const SPAM: [&str; 8] = ["FREE", "prize", "win", "cash", "click", "offer", "£1000", "urgent"];
const HAM: [&str; 8] = ["meeting", "lunch", "report", "thanks", "home", "tomorrow", "kids", "see"];

/// Messages of 4 to 12 words, of which about a third are of their class; some are empty.
fn mails(rows: usize, seed: u64) -> Vec<(String, &'static str)> {
    let mut draw = Draw(seed);
    let mut mail = || {
        let (class, own) = if draw.below(4) == 0 { ("spam", SPAM) } else { ("ham", HAM) };
        let length = 4 + draw.below(9);
        let word = |_| if draw.below(3) == 0 { draw.word(&own) } else { draw.word(&BOTH) };
        let words: Vec<&str> = (0..length).map(word).collect();
        let mark = ["!", ".", ", \"ok\"?", ""][draw.below(4)];
        (if draw.below(50) == 0 { String::new() } else { words.join(" ") + mark }, class)
    };
    (0..rows).map(|_| mail()).collect()
}

fn csv(mails: &[(String, &str)]) -> String {
    let line =
        |(body, class): &(String, &str)| format!("\"{}\",{class}\n", body.replace('"', "\"\""));
    "body,class\n".to_string() + &mails.iter().map(line).collect::<String>()
}

const FIT: &str = "fit train.csv --target class --model naive-bayes -o m.json";

#[test]
fn spam_is_told_from_text() {
    let folder = Folder::new("spam");
    let test = mails(400, 2);
    folder.write("train.csv", csv(&mails(1000, 1)));
    folder.write("test.csv", csv(&test));
    let said = folder.run(FIT).ok();
    assert!(said.contains("\ncolumns: body text (29 words)\n"), "{said}");
    let answer = folder.run("predict m.json test.csv --proba").ok();
    let labels: Vec<&str> =
        answer.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    let wrong = labels.iter().zip(&test).filter(|(said, (_, class))| *said != class).count();
    // A message without a word of its class, about one in ten, is taken for the larger class.
    assert!(wrong < 40, "{wrong} of 400");
    let spam = test.iter().filter(|(body, _)| SPAM.iter().any(|word| body.contains(word)));
    assert!(spam.clone().count() > 50);
    let judged = folder.run("evaluate test.csv --with m.json --json").result();
    assert_eq!(judged["errors"], wrong);
    // What no row of the fit had says nothing, wherever it stands and however often.
    let strange =
        |(body, class): &(String, &'static str)| (format!("Xyzzy, {body} plugh?! plugh"), *class);
    folder.write("test.csv", csv(&test.iter().map(strange).collect::<Vec<_>>()));
    assert_eq!(folder.run("predict m.json test.csv --proba").ok(), answer);
    let refusing = folder.run(&format!("{FIT} --unseen refuse"));
    refusing.ok();
    let refused = folder.run("predict m.json test.csv");
    assert_eq!(refused.code, Some(3));
    assert!(
        refused.stderr.contains("row 1, column 'body': 'xyzzy' was not met"),
        "{}",
        refused.stderr
    );
    // By complement, and from a pipe.
    folder.run(&format!("{FIT} --complement")).ok();
    folder.write("test.csv", csv(&test));
    let judged = folder.run("evaluate test.csv --with m.json --json").result();
    assert!(judged["errors"].as_u64().unwrap() < 60, "{}", judged["errors"]);
    let piped = folder.run_with("predict m.json -", csv(&test).as_bytes()).ok();
    assert_eq!(piped, folder.run("predict m.json test.csv").ok());
}

#[test]
fn words_are_counted_as_one_would() {
    let folder = Folder::new("words");
    folder.write(
        "train.csv",
        "body,class\n\
        Free free FREE money!,spam\n\
        \"free, of course: see you\",ham\n\
        see you at home,ham\n",
    );
    let said = folder.run(FIT).ok();
    assert!(said.contains("body text (8 words)"), "{said}");
    folder.write("new.csv", "body\nFree money\n");
    let answer = folder.run("predict m.json new.csv --proba").ok();
    let spam: f64 = answer.trim_end().rsplit(',').next().unwrap().parse().unwrap();
    // Of 4 words 3 and 1, of 9 words 1 and 0; 8 different words.
    let (spam_says, ham_says) =
        (1.0 / 3.0 * (4.0 / 12.0) * (2.0 / 12.0), 2.0 / 3.0 * (2.0 / 17.0) / 17.0);
    assert!((spam - spam_says / (spam_says + ham_says)).abs() < 1e-14, "{spam}");
    let shown = folder.run("show m.json").ok();
    // (4/12) / (2/17) and (2/12) / (1/17); (3/17) / (1/12).
    let spam = shown.lines().find(|line| line.starts_with("spam: ")).unwrap();
    assert!(spam.contains("free (2.833)") && spam.contains("money (2.833)"), "{shown}");
    assert!(shown.contains("\nham: see (2.118), you (2.118), at (1.412)"), "{shown}");
    let telling = &folder.run("show m.json --json").result()["factors"][0]["telling"];
    let odds = telling[1][0]["log_odds"].as_f64().unwrap();
    assert!((odds - f64::ln(17.0 / 6.0)).abs() < 1e-14, "{odds}");
}

#[test]
fn batches_of_text_leave_the_bytes_of_all() {
    let folder = Folder::new("text_batches");
    let all = mails(9000, 3);
    folder.write("train.csv", csv(&all));
    folder.run(&format!("{FIT} --threads 1")).ok();
    let one = folder.read("m.json");
    folder.run(&format!("{FIT} --threads 2")).ok();
    assert!(one == folder.read("m.json"), "threads");
    folder.run_with(&FIT.replace("train.csv", "-"), csv(&all).as_bytes()).ok();
    assert!(one == folder.read("m.json"), "standard input");
    folder.write("first.csv", csv(&all[..100]));
    folder.run("fit first.csv --target class --model naive-bayes -o u.json").ok();
    for pair in [100, 101, 5000, 8192, 9000].windows(2) {
        folder.write("batch.csv", csv(&all[pair[0]..pair[1]]));
        folder.run("update u.json batch.csv").ok();
    }
    assert!(one == folder.read("u.json"), "batches");
}

#[test]
fn what_is_kept_grows_with_the_words_and_not_with_the_rows() {
    let folder = Folder::new("text_size");
    let words: Vec<String> = (0..10).map(|i| format!("word{i}")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let rows = |number: usize| {
        let mut draw = Draw(5);
        let line = |i: usize| {
            let body: Vec<&str> = (0..5).map(|_| draw.word(&words)).collect();
            (body.join(" "), if i.is_multiple_of(3) { "a" } else { "b" })
        };
        (0..number).map(line).collect::<Vec<_>>()
    };
    let options = "--types body=text";
    let sizes: Vec<(usize, usize)> = [4 * 8192, 12 * 8192]
        .into_iter()
        .map(|number| {
            folder.write("train.csv", csv(&rows(number)));
            folder.run(&format!("{FIT} {options}")).ok();
            let whole = folder.read("m.json");
            let model = Model::from_bytes(&whole, "m.json").unwrap();
            let Some(Kept::Product(training)) = &model.training else { panic!("a product") };
            for (_, stat) in training.tree().stack() {
                let gaussbayes::PartStat::Text(tallies) = &stat.parts()[0] else { panic!("text") };
                assert_eq!(tallies[0].keys().len(), 10);
            }
            folder.run(&format!("{FIT} {options} --sealed")).ok();
            (whole.len(), folder.read("m.json").len())
        })
        .collect();
    // Whole blocks leave no rows behind: ten words, two classes, a sum for each in every statistic.
    assert!(sizes.iter().all(|(whole, sealed)| *whole < 4000 && *sealed < 1500), "{sizes:?}");
    // A word per row: the statistic has as many words as there are.
    let line = |i: usize| {
        (format!("new{i} {}", words[i % 10]), if i.is_multiple_of(2) { "a" } else { "b" })
    };
    folder.write("train.csv", csv(&(0..8192).map(line).collect::<Vec<_>>()));
    let said = folder.run(&format!("{FIT} {options}")).ok();
    assert!(said.contains("body text (8202 words)"), "{said}");
}

/// The most memory that a command has had, in kB, as far as the system shows it on the way.
#[cfg(target_os = "linux")]
fn peak(folder: &Folder, command: &str) -> u64 {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_gaussbayes"))
        .args(command.split_whitespace())
        .current_dir(&folder.0)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    loop {
        let ended = child.try_wait().unwrap();
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let line = status.unwrap_or_default();
        let line = line.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        most = most.max(now.unwrap_or(0));
        if let Some(status) = ended {
            assert!(status.success());
            return most;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn many_words_cost_no_table_of_rows_by_words() {
    let folder = Folder::new("text_peak");
    let mut draw = Draw(9);
    let line = |i: usize| {
        let body: Vec<String> = (0..6).map(|_| format!("w{}", draw.below(20_000))).collect();
        (body.join(" "), if i.is_multiple_of(2) { "a" } else { "b" })
    };
    folder.write("train.csv", csv(&(0..30_000).map(line).collect::<Vec<_>>()));
    let most = peak(&folder, &format!("{FIT} --threads 2"));
    // Of one block with a cell for every word there would be 1.3 GB.
    assert!((1..150_000).contains(&most), "{most} kB");
    let most = peak(&folder, "predict m.json train.csv -o out.csv --threads 2");
    assert!((1..150_000).contains(&most), "{most} kB");
}
