//! Feeds the command model files that are cut short, damaged, newer or hostile.

use super::Folder;

/// A model file of a small fit, as text.
fn model(folder: &Folder) -> String {
    folder.write("d.csv", "x,y,c\n0,0,a\n1,0,a\n0,2,a\n5,5,b\n6,5,b\n5,7,b\n");
    folder.run("fit d.csv --target c -o good.json").ok();
    String::from_utf8(folder.read("good.json")).unwrap()
}

/// The file with its body changed and the checksum made right again.
fn forged(text: &str, from: &str, to: &str) -> String {
    forged_in(text, "model", from, to)
}

/// The same for a file whose body has this key.
pub(super) fn forged_in(text: &str, key: &str, from: &str, to: &str) -> String {
    let (opening, body) = text.trim_end().split_once(&format!("\"{key}\":")).unwrap();
    let body = &body[..body.len() - 1];
    assert!(body.contains(from), "{from} is not in {body}");
    let body = body.replacen(from, to, 1);
    let old = opening.split("\"crc32\":\"").nth(1).unwrap().split('"').next().unwrap();
    let opening = opening.replace(old, &format!("{:08x}", crc32(body.as_bytes())));
    format!("{opening}\"{key}\":{body}}}\n")
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    };
    !bytes.iter().fold(u32::MAX, step)
}

fn refused(folder: &Folder, text: &str, expected: &str) {
    folder.write("bad.json", text);
    for command in ["show bad.json", "predict bad.json d.csv", "update bad.json d.csv"] {
        let answer = folder.run(command);
        assert!(answer.code == Some(1) || answer.code == Some(3), "{command}: {:?}", answer.code);
        let error = answer.stderr.lines().next().unwrap();
        assert!(error.starts_with("error: bad.json"), "{command}: {}", answer.stderr);
        assert!(error.contains(expected), "{command}: {error}, not {expected}");
        assert!(!answer.stderr.contains("panicked"), "{}", answer.stderr);
        assert_eq!(answer.stdout, "");
    }
    assert_eq!(folder.read("bad.json"), text.as_bytes(), "the file was touched");
}

#[test]
fn a_file_cut_short_at_any_place_is_refused() {
    let folder = Folder::new("truncated");
    let text = model(&folder);
    for length in (0..text.len() - 2).step_by(97) {
        folder.write("bad.json", &text[..length]);
        let answer = folder.run("show bad.json");
        assert_ne!(answer.code, Some(0), "{length} bytes");
        assert!(answer.stderr.starts_with("error: bad.json"), "{}", answer.stderr);
    }
}

#[test]
fn files_that_are_no_models_or_newer_or_damaged() {
    let folder = Folder::new("strange");
    let text = model(&folder);
    refused(&folder, "x,y\n1,2\n", "is no gaussbayes model");
    refused(&folder, "", "is no gaussbayes model");
    refused(&folder, &text.replace("\"version\":3", "\"version\":4"), "version 4");
    refused(&folder, &text.replace("\"version\":3", "\"version\":2"), "version 2");
    refused(&folder, &text.replacen("\"ddof\":0", "\"ddof\":1", 1), "damaged");
}

#[test]
fn hostile_files_with_a_right_checksum_are_refused() {
    let folder = Folder::new("hostile");
    let text = model(&folder);
    let good = forged(&text, "\"ddof\":0", "\"ddof\":0");
    assert_eq!(good, text, "the forger's checksum is the project's");
    for (from, to, expected) in [
        ("\"features\":[\"x\",\"y\"]", "\"features\":[\"x\"]", "features"),
        ("\"classes\":[\"a\",\"b\"]", "\"classes\":[\"a\",\"b\",\"c\"]", "classes"),
        ("\"classes\":[\"a\",\"b\"]", "\"classes\":[\"a\",\"a\"]", "different classes"),
        ("\"pooling\":\"size\"", "\"pooling\":\"magic\"", "pooling 'magic'"),
        ("\"storage\":\"full\"", "\"storage\":\"diagonal\"", "scatter"),
        ("\"codes\":[0,", "\"codes\":[4294967295,", "no label"),
        ("\"exponent\":[", "\"exponent\":[2000000000,", "frame"),
        ("\"weights\":[0.5,0.5]", "\"weights\":[0.5,1.5]", "priors"),
        ("\"weights\":[0.5,0.5]", "\"weights\":[NaN,0.5]", "expected"),
        ("\"weights\":[0.5,0.5]", "\"weights\":[1e999,0.5]", "out of range"),
        ("{\"full\":[", "{\"full\":[-1.0,", "covariance factor"),
        ("\"family\":\"VVV\"", "\"family\":\"QQQ\"", "family"),
        ("\"codes\":[0,", "\"codes\":[9,", "label codes"),
        ("\"codes\":[0,", "\"codes\":[", "tail"),
        ("\"values\":[0.0,", "\"values\":[", "tail"),
        (
            "\"loss\":null",
            "\"loss\":{\"actions\":[0,18446744073709551615],\"costs\":[0,1,1,0]}",
            "actions",
        ),
        ("\"loss\":null", "\"loss\":{\"actions\":[0,1],\"costs\":[0,1,1]}", "costs"),
        (
            "\"stack\":[]",
            "\"stack\":[{\"level\":99,\"labels\":[],\"frame\":{\"origin\":[0,0],\"exponent\":[0,0],\"shift\":[0,0]},\"weight\":[],\"mean\":[],\"scatter\":[]}]",
            "level",
        ),
        ("\"target\":\"c\"", "\"target\":\"c\",\"surprise\":1", "surprise"),
    ] {
        refused(&folder, &forged(&text, from, to), expected);
    }
    // A factor with a diagonal that is not positive.
    let start = text.find("{\"full\":[").unwrap() + "{\"full\":[".len();
    let end = start + text[start..].find(',').unwrap();
    let number = &text[start..end];
    let to = format!("{{\"full\":[-{number},");
    refused(&folder, &forged(&text, &format!("{{\"full\":[{number},"), &to), "covariance");
}

#[test]
fn a_specification_that_no_fit_would_take() {
    let folder = Folder::new("hostile-spec");
    let text = model(&folder);
    refused(&folder, &forged(&text, "\"ridge\":\"none\"", "\"ridge\":{\"of-each\":-1.0}"), "ridge");
}
