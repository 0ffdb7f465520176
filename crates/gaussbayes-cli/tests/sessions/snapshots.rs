//! Holds the answers of the main commands to snapshots, whole, with numbers cut to six digits.

use std::path::Path;

use super::Folder;

/// Says that snapshots are to be written anew.
const WRITE: &str = "GAUSSBAYES_SNAPSHOTS";

/// Digits of a number that are the same on every machine.
const DIGITS: usize = 6;

/// Holds a text to a file, or writes the file where the environment says `write`.
fn snapshot(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let path = path.join(format!("{name}.txt"));
    let text = cut(text);
    if std::env::var(WRITE).is_ok_and(|value| value == "write") {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        return std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(text, kept, "{name}: {WRITE}=write accepts what has changed");
}

/// The text with at most so many digits of every number that has a fraction.
fn cut(text: &str) -> String {
    let mut out = String::new();
    let (mut digits, mut fraction) = (0, false);
    for c in without_bounds(text).chars() {
        match c {
            '0'..='9' => {
                // Leading zeros say where a number begins, not what it is.
                digits += usize::from(digits > 0 || c != '0');
                if fraction && digits > DIGITS {
                    continue;
                }
            }
            '.' if digits > 0 || out.ends_with('0') => fraction = true,
            _ => (digits, fraction) = (0, false),
        }
        out.push(c);
    }
    out
}

/// The text without bounds of rounding, which differ from machine to machine.
fn without_bounds(text: &str) -> String {
    let mut pieces = text.split("± ");
    let mut out = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let end = piece.find([' ', ',', '\n']).unwrap_or(piece.len());
        let rounding = piece[..end].contains("e-1");
        out += if rounding { "± …" } else { "± " };
        out += if rounding { &piece[end..] } else { piece };
    }
    out
}

#[test]
fn numbers_are_cut_where_machines_may_differ() {
    assert_eq!(cut("0.00123456789 and 12345678 or 1.5e-17"), "0.00123456 and 12345678 or 1.5e-17");
    assert_eq!(cut("0.25 ± 3e-14, form ± se"), "0.25 ± …, form ± se");
}

#[test]
fn the_main_commands_answer_as_they_did() {
    let folder = Folder::new("snapshots");
    for (name, command) in [
        ("fit", "fit iris --model lda -o lda.json"),
        ("predict", "predict lda.json iris -o classes.csv"),
        ("show", "show lda.json"),
        ("evaluate", "evaluate iris --model lda --folds loo"),
        ("shift", "shift lda.json iris"),
        (
            "cluster",
            "cluster faithful -k 2 --model EEE --start kmeans --restarts 1 -o clusters.json",
        ),
        ("explain", "explain hyperbolic"),
        ("error", "error hyperbolic"),
        ("sample", "sample hyperbolic -n 5 --seed 7"),
        ("fit_help", "fit --help"),
    ] {
        snapshot(name, &folder.run(command).ok());
    }
    // Times in the table are those of the machine: the title and the advice are not.
    let text = folder.run("compare iris").ok();
    let lines: Vec<&str> = text.lines().collect();
    let kept = [lines[0], lines[lines.len() - 2], lines[lines.len() - 1]];
    snapshot("compare", &format!("{}\n", kept.join("\n")));
}
