//! Chooses components and family as mclust does, or better: [M60].

use gaussbayes::{
    Cell, Criterion, EmSpec, Entry, Error, Family, On, Pool, Search, SearchSpec, Start, Table,
    banana,
};
use serde_json::Value;

use crate::support::{faithful, features, iris, numbers_table};

/// The usual search: a hierarchy, two runs of k-means and two of k-means++.
fn spec(table: &Table, components: &[usize], families: &[Family]) -> SearchSpec {
    let cells = components
        .iter()
        .flat_map(|&components| families.iter().map(move |&family| Cell { components, family }));
    SearchSpec {
        cells: cells.collect(),
        spec: EmSpec::from(Family::Vvv),
        runs: Start::usual(2),
        seed: 1,
        criterion: Criterion::Bic,
        features: features(table),
    }
}

fn search(spec: &SearchSpec, table: &Table, threads: usize) -> Result<Search, Error> {
    let pool = Pool::new(threads)?;
    let plain = Table { codes: None, ..table.clone() };
    let (source, on) = (&mut plain.source(), On::pool(&pool));
    let mut search = Search::begin(spec, source, on)?;
    search.go_on(source, on, &mut |_| std::ops::ControlFlow::Continue(()))?;
    Ok(search)
}

/// What one family found before another asks for it is what it would have found itself.
#[test]
fn families_that_start_from_the_same_clusters_end_where_each_ends_alone() {
    let (table, families) = (iris(), [Family::Eii, Family::Vvi, Family::Vvv]);
    let runs = vec![(Start::KMeans, 4)];
    let with = |components: &[usize], families: &[Family], threads: usize| {
        let spec = SearchSpec { runs: runs.clone(), ..spec(&table, components, families) };
        search(&spec, &table, threads).unwrap().entries().to_vec()
    };
    let all = with(&[2, 3, 4], &families, 2);
    assert_eq!(all, with(&[2, 3, 4], &families, 1));
    for entry in all {
        let Cell { components, family } = entry.cell;
        assert_eq!([entry], *with(&[components], &[family], 1), "{components} {family}");
    }
}

fn mclust(data: &str) -> Value {
    let path = format!("{}/../../testdata/golden/mclust_bic.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = file["cases"].as_array().unwrap();
    let name = format!("{data}, default stop");
    cases.iter().find(|case| case["name"] == name).unwrap().clone()
}

/// 126 cells each: none worse than mclust's by more than 1, and the winner is theirs.
#[test]
fn tables_are_no_worse_than_those_of_mclust() {
    for (data, table, family, components) in
        [("faithful", faithful(false), Family::Eee, 3), ("iris", iris(), Family::Vev, 2)]
    {
        let case = mclust(data);
        let list = |key: &str| case[key].as_array().unwrap().clone();
        let ks: Vec<usize> =
            list("components").iter().map(|k| k.as_u64().unwrap() as usize).collect();
        let families: Vec<Family> =
            list("families").iter().map(|f| f.as_str().unwrap().parse().unwrap()).collect();
        let found = search(&spec(&table, &ks, &families), &table, 2).unwrap();
        let flat = |key: &str| -> Vec<Value> {
            list(key).iter().flat_map(|row| row.as_array().unwrap().clone()).collect()
        };
        assert_eq!(found.entries().len(), 126);
        for ((entry, theirs), p) in found.entries().iter().zip(flat("bic")).zip(flat("parameters"))
        {
            let cell = entry.cell;
            if let Some(criteria) = entry.criteria {
                assert_eq!(criteria.parameters as u64, p.as_u64().unwrap(), "{data} {cell:?}");
            }
            if let Some(theirs) = theirs.as_f64() {
                let ours = entry.value(Criterion::Bic).unwrap();
                assert!(entry.is_ranked(), "{data} {cell:?}: {:?}", entry.note());
                assert!(ours < theirs + 1.0, "{data} {cell:?}: {ours} {theirs}");
            }
        }
        let best = found.best().unwrap();
        assert_eq!(best.cell, Cell { components, family });
        let theirs = case["best"][0]["bic"].as_f64().unwrap();
        assert!(best.value(Criterion::Bic).unwrap() < theirs + 1e-9);
        assert!(best.state.as_ref().unwrap().converged());
        nested_families_fit_no_better(&found);
    }
}

/// VVV has every other family as a special case.
fn nested_families_fit_no_better(found: &Search) {
    let log_likelihood = |entry: &Entry| entry.criteria.unwrap().log_likelihood;
    let ranked = || found.entries().iter().filter(|entry| entry.is_ranked());
    for widest in ranked().filter(|entry| entry.cell.family == Family::Vvv) {
        for other in ranked().filter(|other| other.cell.components == widest.cell.components) {
            let (wide, narrow) = (log_likelihood(widest), log_likelihood(other));
            assert!(wide >= narrow - 1e-6, "{:?}: {wide} {narrow}", other.cell);
        }
    }
}

#[test]
fn more_rows_than_the_sample_are_seen_in_passes_of_their_own() {
    let rows = banana(12_000, 1);
    let spec = spec(&rows, &[1, 2, 3], &[Family::Vvv, Family::Eee]);
    let one = search(&spec, &rows, 1).unwrap();
    assert_eq!(one.sample(), Some((1 << 14, 24_000)));
    assert_eq!(one, search(&spec, &rows, 2).unwrap());
    for entry in one.entries() {
        let (criteria, state) = (entry.criteria.unwrap(), entry.state.as_ref().unwrap());
        assert!((criteria.weight - 24_000.0).abs() < 1e-6 && state.converged(), "{:?}", entry.cell);
    }
    assert_eq!(one.best().unwrap().cell, Cell { components: 3, family: Family::Vvv });
}

/// A search that is broken off after any pass, saved by its parts and taken up again ends at the same bits.
#[test]
fn a_search_that_was_broken_off_ends_the_same() {
    let rows = banana(10_000, 2);
    let spec = spec(&rows, &[2, 3], &[Family::Vvv]);
    let (pool, source) = (Pool::new(1).unwrap(), &mut rows.source());
    let on = On::pool(&pool);
    let begun = Search::begin(&spec, source, on).unwrap();
    let whole = {
        let mut search = begun.clone();
        search.go_on(source, on, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
        search
    };
    let mut search = begun;
    let mut passes = 0;
    while !search.is_done() {
        search.go_on(source, on, &mut |_| std::ops::ControlFlow::Break(())).unwrap();
        let parts = (search.entries().to_vec(), search.criterion(), search.sample());
        search = Search::from_parts(parts.0, parts.1, parts.2);
        passes += 1;
    }
    assert_eq!(search, whole);
    assert!(passes > 2);
}

#[test]
fn what_cannot_be_fitted_says_so() {
    // Two different rows, five of each.
    let two = numbers_table(2, &[0.0, 0.0, 1.0, 2.0].repeat(5));
    let refused = search(&spec(&two, &[3], &[Family::Vvv]), &two, 1).unwrap_err();
    assert!(
        matches!(refused, Error::TooFewDistinct { distinct: 2, components: 3, .. }),
        "{refused}"
    );
    // One cell can be fitted, the others say why not.
    let found = search(&spec(&two, &[1, 3], &[Family::Vii]), &two, 1).unwrap();
    assert!(found.entries()[0].is_ranked() && found.entries()[1].refused.is_some());
    assert_eq!(found.best().unwrap().cell.components, 1);
    // Two components on two rows: both collapse, which wins only where nothing else is there.
    let found = search(&spec(&two, &[1, 2], &[Family::Vii]), &two, 1).unwrap();
    assert!(found.entries()[1].note().unwrap().contains("2 of 2 components from collapse"));
    assert_eq!(found.best().unwrap().cell.components, 1);
    let found = search(&spec(&two, &[2], &[Family::Vii]), &two, 1).unwrap();
    assert!(!found.best().unwrap().is_ranked());
    // A column without spread is refused by its name.
    let flat = numbers_table(2, &[1.0, 7.0, 2.0, 7.0, 4.0, 7.0, 9.0, 7.0]);
    let refused = search(&spec(&flat, &[1, 2], &[Family::Vvv, Family::Vvi]), &flat, 1).unwrap_err();
    assert!(refused.to_string().contains("'x2' is constant"), "{refused}");
}
