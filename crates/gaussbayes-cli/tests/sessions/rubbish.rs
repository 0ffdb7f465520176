//! Feeds the command files that are no tables, or not whole: named, with a hint, nothing left.

use std::io::Write;

use super::Folder;

/// Runs a command that must fail, and checks what it says and leaves.
fn refused(folder: &Folder, command: &str, code: i32, error: &str, hint: &str) {
    let before = folder.files();
    let answer = folder.run(command);
    let said = &answer.stderr;
    assert_eq!(answer.code, Some(code), "{command}: {said}");
    let mut lines = said.lines().filter(|line| !line.starts_with("note: "));
    assert_eq!(lines.next(), Some(format!("error: {error}").as_str()), "{said}");
    let found = lines.find(|line| line.starts_with("hint: "));
    assert_eq!(found, Some(format!("hint: {hint}").as_str()), "{said}");
    assert_eq!(answer.stdout, "");
    assert_eq!(folder.files(), before, "{command}");
}

const TEXT: &str = "write the table as CSV text in UTF-8";

#[test]
fn what_is_no_table_is_named() {
    let folder = Folder::new("foreign");
    let fit = |name: &str| format!("fit {name} --target c -o m.json");
    let again = "take the file from where it came from again";
    let cases: [(&str, &[u8], &str, &str); 12] = [
        (
            "rubbish",
            b"\x00\x01\x02\x03\n\xff\x00,\x07\n",
            "rubbish, line 1: there is a NUL byte, which no text has",
            TEXT,
        ),
        (
            "nul.csv",
            b"x,c\n1,a\n2\x00,b\n",
            "nul.csv, line 3: there is a NUL byte, which no text has",
            TEXT,
        ),
        (
            "sheet.xlsx",
            b"PK\x03\x04rest of a spreadsheet",
            "sheet.xlsx is a zip archive or a spreadsheet, not a table",
            "unpack it, or save the sheet as CSV",
        ),
        (
            "d.csv.bz2",
            b"BZh91AY&SY rest",
            "d.csv.bz2 is compressed by bzip2, not a table",
            "bunzip2 -c FILE | gaussbayes … -",
        ),
        (
            "d.csv.xz",
            b"\xfd7zXZ\x00 rest",
            "d.csv.xz is compressed by xz, not a table",
            "xz -dc FILE | gaussbayes … -",
        ),
        (
            "wide.csv",
            b"\xff\xfex\x00,\x00c\x00\n\x00",
            "wide.csv is text in UTF-16, not a table",
            "iconv -f UTF-16 -t UTF-8 FILE | gaussbayes … -",
        ),
        (
            "d.sqlite",
            b"SQLite format 3\x00 rest",
            "d.sqlite is an SQLite database, not a table",
            "sqlite3 -csv -header FILE 'SELECT …' | gaussbayes … -",
        ),
        ("latin.csv", b"x,c\n1,caf\xe9\n2,b\n", "latin.csv, line 2: the text is not UTF-8", TEXT),
        (
            "d.csv.gz",
            b"\x1f\x8b\x08\x00broken beyond repair",
            "d.csv.gz is damaged: it cannot be unpacked as gzip: corrupt deflate stream",
            again,
        ),
        (
            "empty.csv",
            b"",
            "empty.csv is empty",
            "a table has a first line with the names of its columns, then rows",
        ),
        (
            "twins.csv",
            b"x,x,c\n1,2,a\n",
            "twins.csv: columns 1 and 2 have the same name 'x'",
            "rename one of them",
        ),
        (
            "ragged.csv",
            b"x,y,z,c\n1,2,a\n3,4,b\n",
            "ragged.csv, line 2: 3 fields where the header has 4",
            "every line needs as many fields as the header, empty ones included",
        ),
    ];
    for (name, bytes, error, hint) in cases {
        folder.write(name, bytes);
        refused(&folder, &fit(name), 3, error, hint);
    }
    std::fs::create_dir(folder.0.join("folder")).unwrap();
    refused(
        &folder,
        &fit("folder"),
        2,
        "folder is a folder, not a file",
        "for all tables in it: 'folder/*.csv'",
    );
    refused(
        &folder,
        &fit("no-*.csv"),
        1,
        "no file is called 'no-*.csv'",
        "look with ls what there is",
    );
    refused(
        &folder,
        &fit("a[.csv"),
        1,
        "no file is called 'a[.csv'",
        "the pattern is wrong: invalid range pattern",
    );
}

#[test]
fn files_that_are_no_one_table_are_refused() {
    let folder = Folder::new("several");
    folder.write("a.csv", "x,y,c\n0,0,a\n1,0,a\n0,2,a\n");
    folder.write("b.csv", "x,z,c\n5,5,b\n6,5,b\n5,7,b\n");
    folder.write("e.csv", "x,y,z,c\n5,5,1,b\n6,5,1,b\n5,7,1,b\n");
    let fit = |names: &str| format!("fit {names} --target c -o m.json");
    let alike = "the files of one table have the same columns; --features takes some of them";
    refused(&folder, &fit("a.csv b.csv"), 3, "b.csv has no column 'y', which a.csv has", alike);
    refused(
        &folder,
        &fit("a.csv e.csv"),
        3,
        "e.csv has a column 'z', which a.csv does not have",
        alike,
    );
    folder.run(&(fit("a.csv e.csv") + " --features x,y")).ok();
    std::fs::remove_file(folder.0.join("m.json")).unwrap();
    refused(
        &folder,
        &fit("a.csv ./a.csv"),
        2,
        "./a.csv is named twice: its rows would count twice",
        "name each file once; weights count rows more than once",
    );
    refused(
        &folder,
        &fit("a.csv -"),
        2,
        "standard input cannot be one of several files",
        "give files alone, or this alone",
    );
    refused(
        &folder,
        &fit("a.csv iris"),
        2,
        "iris cannot be one of several files",
        "give files alone, or this alone",
    );
    refused(
        &folder,
        &(fit("a.csv") + " --names x,y"),
        2,
        "a.csv has 3 columns, and 2 names are given",
        "give --names one name for each column",
    );
    folder.write("gaps.csv", "x,c\nNA,a\n,b\n");
    refused(
        &folder,
        &(fit("gaps.csv") + " --na drop"),
        3,
        "gaps.csv: every row has a missing value, so none is left",
        "leave the columns without values out: --drop COL",
    );
}

/// Bytes of the process that the command may take at most, in kilobytes.
#[cfg(target_os = "linux")]
const MEMORY: &str = "600000";

/// Runs the command in a shell that limits its memory.
#[cfg(target_os = "linux")]
fn within_memory(folder: &Folder, command: &str) -> (Option<i32>, String) {
    let program = env!("CARGO_BIN_EXE_gaussbayes");
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("ulimit -v {MEMORY}; exec {program} {command} --threads 1")])
        .current_dir(&folder.0)
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn bombs_and_endless_lines_take_bounded_memory() {
    let folder = Folder::new("bombs");
    let zeros = vec![0_u8; 1 << 20];
    let pack = |head: &str, filling: &[u8], times: usize| {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        writer.write_all(head.as_bytes()).unwrap();
        (0..times).for_each(|_| writer.write_all(filling).unwrap());
        writer.finish().unwrap()
    };
    // A gigabyte behind a megabyte: one line of it, one cell of it, and blank lines alone.
    folder.write("zeros.csv.gz", pack("x,c\n1,a\n", &zeros, 1024));
    folder.write("digits.csv.gz", pack("x,c\n1,a\n", &vec![b'7'; 1 << 20], 1024));
    folder.write("quote.csv.gz", pack("x,c\n1,\"a", &vec![b'\n'; 1 << 20], 1024));
    folder.write("blank.csv.gz", pack("x,c\n1,a\n", &vec![b'\n'; 1 << 20], 1024));
    for (name, error) in [
        ("zeros.csv.gz", "zeros.csv.gz, line 3: there is a NUL byte, which no text has"),
        ("digits.csv.gz", "digits.csv.gz, line 3: the line is longer than 67108864 bytes"),
        ("quote.csv.gz", "quote.csv.gz, line 2: a quote is opened and not closed"),
        ("blank.csv.gz", "blank.csv.gz, line 3: more than 67108864 bytes of blank lines follow"),
    ] {
        let (code, said) = within_memory(&folder, &format!("fit {name} --target c -o m.json"));
        assert_eq!(said.lines().next(), Some(format!("error: {error}").as_str()), "{said}");
        assert_eq!(code, Some(3), "{said}");
        assert!(!folder.files().contains(&"m.json".to_owned()));
    }
}

#[test]
#[cfg(unix)]
fn outputs_that_cannot_be_written_leave_nothing() {
    let folder = Folder::new("unwritable");
    refused(
        &folder,
        "fit iris --model lda -o none/m.json",
        1,
        "cannot write none/m.json: no such file or directory",
        "make the folder, or name another file with -o",
    );
    folder.run("fit iris --model lda -o m.json").ok();
    refused(
        &folder,
        "predict m.json iris -o none/p.csv",
        1,
        "cannot write none/p.csv: no such file or directory",
        "make the folder, or name another file with -o",
    );
    // A device that is always full.
    if std::path::Path::new("/dev/full").exists() {
        for command in ["predict m.json iris -o /dev/full", "fit iris -o /dev/full"] {
            let error = "cannot write /dev/full: no space left on device";
            let hint = "make room, or name a file on another disk with -o";
            refused(&folder, command, 1, error, hint);
        }
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_gaussbayes"))
            .args(["predict", "m.json", "iris"])
            .current_dir(&folder.0)
            .stdout(full)
            .output()
            .unwrap();
        let said = String::from_utf8(status.stderr).unwrap();
        assert_eq!(status.status.code(), Some(1), "{said}");
        assert!(said.starts_with("error: cannot write the output: "), "{said}");
        assert!(said.contains("\nhint: "), "{said}");
    }
}
