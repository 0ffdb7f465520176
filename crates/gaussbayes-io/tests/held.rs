//! Reads rows again and again, from memory and from a file, and finds the same ones.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use gaussbayes::{Cut as _, Label, NO_LABEL, On, Pool, Source};
use gaussbayes_io::{Columns, Data, Error, Held, Reading};

fn columns() -> Columns {
    Columns { target: Some("class".into()), weights: Some("w".into()), ..Columns::default() }
}

/// Three blocks of rows with weights and labels that come late.
fn file(name: &str) -> String {
    let mut text = String::from("a,b,w,class\n");
    for i in 0..20_000 {
        let late = if i > 15_000 { i % 5 } else { i % 2 };
        text.push_str(&format!("{},{:e},{},k{late}\n", i * 7 % 31, f64::from(i).sqrt(), i % 4));
    }
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

type Seen = Vec<(u64, Vec<u64>, u64, String)>;

/// Everything that blocks of `rows` rows hold.
fn seen<S: Source>(source: &mut S, rows: usize) -> Result<Seen, S::Error> {
    let mut all = Vec::new();
    while let Some(cut) = source.next(rows)? {
        let block = cut.decode()?;
        let mut row = vec![0.0; block.rows().dim()];
        for i in 0..block.rows().count() {
            block.rows().read(i, &mut row);
            let bits = row.iter().map(|x| x.to_bits()).collect();
            let labels = block.labels().unwrap();
            assert_ne!(labels.codes[i], NO_LABEL);
            let label = labels.dictionary[labels.codes[i] as usize].to_string();
            all.push((block.first_row() + i as u64, bits, block.weight(i).to_bits(), label));
        }
    }
    Ok(all)
}

#[test]
fn rows_are_the_same_from_memory_and_from_a_file_however_they_are_cut() {
    let path = file("held.csv");
    let pool = Pool::new(2).unwrap();
    let open = || Data::open(&[&path], &columns(), &Reading::default(), 1).unwrap();
    let expected = seen(&mut open(), 8192).unwrap();
    let mut memory = Held::read(open(), On::pool(&pool)).unwrap();
    let mut spooled = Held::read_within(open(), 100_000, On::pool(&pool)).unwrap();
    assert!(!memory.is_spooled() && spooled.is_spooled());
    assert_eq!(memory.fingerprint(), spooled.fingerprint());
    assert_eq!(memory.label_fingerprint(), spooled.label_fingerprint());
    let labels = ["k0", "k1", "k3", "k2", "k4"].map(Label::from);
    for held in [&mut memory, &mut spooled] {
        assert_eq!((held.rows(), held.weight()), (20_000, 30_000.0));
        assert_eq!(held.features(), ["a", "b"]);
        let mut found = held.labels().to_vec();
        found.sort();
        let mut known = labels.to_vec();
        known.sort();
        assert_eq!(found, known);
        for rows in [8192, 1, 777] {
            assert!(seen(held, rows).unwrap() == expected, "cuts of {rows}");
            assert!(held.next(1).unwrap().is_none());
            held.rewind().unwrap();
        }
        // A pass that was broken off leaves nothing behind.
        held.next(5000).unwrap();
        held.rewind().unwrap();
        assert!(seen(held, 8192).unwrap() == expected);
        held.rewind().unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_spooled_file_has_no_name_that_a_killed_run_could_leave() {
    let path = file("nameless.csv");
    let pool = Pool::new(1).unwrap();
    let data = Data::open(&[&path], &columns(), &Reading::default(), 1).unwrap();
    let held = Held::read_within(data, 0, On::pool(&pool)).unwrap();
    assert!(held.is_spooled());
    let own = format!("gaussbayes-{}-", std::process::id());
    let open = std::fs::read_dir("/proc/self/fd").unwrap().filter_map(|entry| {
        let link = std::fs::read_link(entry.unwrap().path()).ok()?;
        link.into_os_string().into_string().ok().filter(|link| link.contains(&own))
    });
    assert!(open.into_iter().any(|link| link.contains("(deleted)")));
}

#[test]
fn one_other_number_is_another_fingerprint_and_a_wrong_cell_keeps_its_line() {
    let text = |cell: &str| format!("x\n1\n2\n{cell}\n");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cells.csv");
    let pool = Pool::new(1).unwrap();
    let read = |cell: &str| {
        std::fs::write(&path, text(cell)).unwrap();
        let data =
            Data::open(&[path.to_str().unwrap()], &Columns::default(), &Reading::default(), 1)
                .unwrap();
        Held::read_within(data, 0, On::pool(&pool))
    };
    assert_ne!(read("3").unwrap().fingerprint(), read("3.0000000000000004").unwrap().fingerprint());
    let labelled = |label: &str| {
        std::fs::write(&path, format!("x,y\n1,a\n2,b\n3,{label}\n")).unwrap();
        let columns = Columns { target: Some("y".into()), ..Columns::default() };
        let data = Data::open(&[path.to_str().unwrap()], &columns, &Reading::default(), 1).unwrap();
        Held::read(data, On::pool(&pool)).unwrap()
    };
    let (a, b) = (labelled("a"), labelled("b"));
    assert_eq!(a.fingerprint(), b.fingerprint());
    assert_ne!(a.label_fingerprint(), b.label_fingerprint());
    let error = read("nan").unwrap_err();
    assert!(matches!(error, Error::NotANumber { .. }), "{error}");
    assert!(error.to_string().contains("line 4"), "{error}");
}
