//! Breaks long searches off, by Ctrl-C and by force, and takes them up again.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::Folder;

/// Enough rows for many passes that take a moment each.
pub(super) fn rows(folder: &Folder) {
    folder.run("sample blobs -n 60000 --classes 6 --columns 4 --spread 8 --seed 2 -o d.csv").ok();
}

const SEARCH: &str =
    "cluster d.csv --drop class -k 5 --model VVV --restarts 2 --tolerance 0 --max-iter 60 --seed 4";

pub(super) fn spawned(folder: &Folder, command: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_gaussbayes"))
        .args(command.split_whitespace())
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until a file is there, or the command has ended.
pub(super) fn wait_for(child: &mut Child, path: &Path) -> bool {
    loop {
        if path.exists() {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return path.exists();
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_killed_search_is_taken_up_to_the_same_bytes() {
    let folder = Folder::new("killed");
    rows(&folder);
    folder.run(&format!("{SEARCH} --trace whole.csv -o whole.json")).ok();
    let command = format!("{SEARCH} --trace t.csv --checkpoint c.json -o m.json");
    let mut child = spawned(&folder, &command);
    assert!(wait_for(&mut child, &folder.0.join("c.json")), "no checkpoint was left");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!folder.files().contains(&"m.json".into()), "{:?}", folder.files());
    let other = folder.run(&command.replace("-k 5", "-k 4"));
    assert_eq!(other.code, Some(2), "{}", other.stderr);
    let said = "error: c.json is of another run: -k was 5 and is 4";
    assert!(other.stderr.starts_with(said), "{}", other.stderr);
    folder.write("other.csv", "x1,x2,x3,x4,class\n1,2,3,4,1\n2,3,4,6,1\n");
    let other = folder.run(&command.replace("d.csv", "other.csv"));
    assert!(other.stderr.contains("the number of rows was 60000 and is 2"), "{}", other.stderr);
    folder.run(&command).ok();
    assert!(folder.read("m.json") == folder.read("whole.json"));
    assert!(folder.read("t.csv") == folder.read("whole.csv"));
    let left: Vec<String> = folder.files().into_iter().filter(|f| f.contains("c.json")).collect();
    // A draft of the killed run may be left; the checkpoint itself is gone.
    assert!(!left.contains(&"c.json".into()), "{left:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_saves_the_best_so_far() {
    let folder = Folder::new("interrupted");
    rows(&folder);
    let mut child = spawned(&folder, &format!("{SEARCH} --checkpoint c.json -o m.json"));
    assert!(wait_for(&mut child, &folder.0.join("c.json")), "no checkpoint was left");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(
        said.contains("interrupted after ") && said.contains("saved the best so far"),
        "{said}"
    );
    assert!(said.contains("c.json is kept, and the same command goes on"), "{said}");
    let shown = folder.run("show m.json").ok();
    assert!(shown.contains("not converged after"), "{shown}");
    folder.run("predict m.json d.csv -o p.csv").ok();
    // The checkpoint stays, and the search can go on to where it would have ended.
    folder.run(&format!("{SEARCH} --checkpoint c.json -o m.json")).ok();
    folder.run(&format!("{SEARCH} -o whole.json")).ok();
    assert!(folder.read("m.json") == folder.read("whole.json"));
    assert!(!folder.files().contains(&"c.json".into()));
}

#[cfg(unix)]
#[test]
fn components_are_saved_where_joining_them_is_interrupted() {
    let folder = Folder::new("joining");
    folder.run("sample blobs -n 300000 --classes 6 --columns 4 --seed 2 -o d.csv").ok();
    let fit = "cluster d.csv --drop class -k 16 --model VVV --restarts 1 --max-iter 1 --threads 1";
    let mut child = spawned(&folder, &format!("{fit} --merge 2 -o m.json"));
    assert!(wait_for(&mut child, &folder.0.join("m.json")), "nothing was saved");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("interrupted behind the fit: m.json is saved"), "{said}");
    let shown = folder.run("show m.json --json").result();
    assert_eq!(shown["classes"].as_array().unwrap().len(), 16);
}

#[test]
fn a_table_is_taken_up_where_it_was_left() {
    let folder = Folder::new("table");
    let search = "cluster wine --drop cultivar -k 1..4 --model EEE,VVI,VEV --max-iter 50";
    let whole = folder.run(&format!("{search} -o whole.json")).ok();
    let mut child = spawned(&folder, &format!("{search} --checkpoint c.json -o m.json"));
    wait_for(&mut child, &folder.0.join("c.json"));
    child.kill().unwrap();
    child.wait().unwrap();
    let again = folder.run(&format!("{search} --checkpoint c.json -o m.json")).ok();
    assert_eq!(again.replace("m.json", "whole.json"), whole);
    assert!(folder.read("m.json") == folder.read("whole.json"));
}

#[test]
fn a_checkpoint_that_is_none_is_refused() {
    let folder = Folder::new("no-checkpoint");
    folder.run("fit iris -o m.json").ok();
    let before = folder.read("m.json");
    let answer = folder.run("cluster iris -k 2 --model EEE --checkpoint m.json -o n.json");
    assert_eq!(answer.code, Some(3), "{}", answer.stderr);
    assert!(answer.stderr.starts_with("error: m.json is no checkpoint of a search"));
    assert!(folder.read("m.json") == before);
    assert_eq!(folder.files(), ["m.json"]);
}
