//! Breaks commands off by Ctrl-C while they read rows: one line, status 130, and no file.

#![cfg(unix)]

use std::io::Write;
use std::process::{Child, Command, Stdio};

use super::Folder;

/// Sends Ctrl-C.
fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn every_command_that_reads_rows_ends_between_blocks() {
    let folder = Folder::new("breaks");
    folder.run("sample blobs -n 40000 --columns 4 --spread 5 --seed 2 -o d.csv").ok();
    folder.run("fit d.csv --target class --model lda -o m.json").ok();
    let (rows, files) = (folder.read("d.csv"), folder.files());
    let after_header = rows.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    // A pipe holds 64 kB and the opening of the data reads 256 kB: who has taken this much listens for Ctrl-C.
    assert!(rows.len() > 1 << 20);
    for command in [
        "fit - --target class -o new.json",
        "fit - --target class --model softmax -o new.json",
        "fit - --target class --components 2 -o new.json",
        "update m.json - -o new.json",
        "predict m.json - -o new.csv",
        "predict m.json - --priors shift -o new.csv",
        "transform m.json - -o new.csv",
        "shift m.json - -o new.json",
        "evaluate - --target class",
        "evaluate - --with m.json",
        "compare - --target class",
        "error m.json - --target class",
        "cluster - --drop class -k 3 -o new.json",
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gaussbayes"))
            .args(command.split_whitespace())
            .current_dir(&folder.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(&rows).unwrap();
        interrupt(&child);
        for _ in 0..4 {
            // The command has ended by itself, it is hoped, before it has read all of this.
            let _ = input.write_all(&rows[after_header..]);
        }
        drop(input);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{command}: {said}");
        assert!(said.starts_with("interrupted: "), "{command}: {said}");
        assert_eq!(said.lines().count(), 1, "{command}: {said}");
        assert!(output.stdout.is_empty(), "{command}");
        assert_eq!(folder.files(), files, "{command}");
    }
}
