//! Holds the joining of components to sums over memberships, as textbooks write them.

use gaussbayes::{
    Combination, EmSpec, EmState, Error, Family, Mixture, On, Pool, Sampled, Score, Start, Starts,
    Table, banana,
};

use crate::run_em;
use crate::support::{faithful, iris, mapped, numbers_table};

/// A mixture of so many components by the hierarchy.
pub(crate) fn fitted(table: &Table, family: Family, components: usize) -> EmState {
    let pool = Pool::new(1).unwrap();
    let on = On::pool(&pool);
    let sampled = Sampled::draw(&mut table.source(), 100_000, 1, on).unwrap();
    let starts = Starts::new(&sampled, 1).unwrap();
    let spec = EmSpec::from(family);
    let mut state = starts.begin(&spec, components, Start::Hierarchical, 0, on).unwrap();
    run_em(&mut state, table).unwrap();
    state
}

fn joined(mixture: &Mixture, table: &Table, threads: usize) -> Combination {
    let pool = Pool::new(threads).unwrap();
    Combination::of(mixture, &mut table.source(), On::pool(&pool)).unwrap()
}

fn memberships(mixture: &Mixture, table: &Table) -> Vec<Vec<f64>> {
    let block = table.block(0..table.rows()).unwrap();
    let shares = mixture.scores(&block).unwrap().into_probabilities();
    shares.chunks_exact(mixture.components()).map(<[f64]>::to_vec).collect()
}

fn entropy(rows: &[Vec<f64>]) -> f64 {
    rows.iter().flatten().filter(|z| **z > 0.0).map(|z| -z * z.ln()).sum()
}

/// The definition, with all memberships in memory: entropies from one cluster on, and the clusters of each number.
fn by_hand(rows: &[Vec<f64>]) -> (Vec<f64>, Vec<Vec<usize>>) {
    let components = rows[0].len();
    let mut groups: Vec<Vec<usize>> = (0..components).map(|k| vec![k]).collect();
    let sums = |groups: &[Vec<usize>]| -> Vec<Vec<f64>> {
        let row = |row: &Vec<f64>| groups.iter().map(|g| g.iter().map(|k| row[*k]).sum()).collect();
        rows.iter().map(row).collect()
    };
    let owner = |groups: &[Vec<usize>]| -> Vec<usize> {
        (0..components).map(|k| groups.iter().position(|g| g.contains(&k)).unwrap()).collect()
    };
    let (mut entropies, mut owners) = (vec![entropy(&sums(&groups))], vec![owner(&groups)]);
    while groups.len() > 1 {
        let mut best: Option<(f64, Vec<Vec<usize>>)> = None;
        for a in 0..groups.len() {
            for b in a + 1..groups.len() {
                let mut tried = groups.clone();
                let more = tried.remove(b);
                tried[a].extend(more);
                let found = entropy(&sums(&tried));
                if best.as_ref().is_none_or(|(least, _)| found < *least) {
                    best = Some((found, tried));
                }
            }
        }
        let (found, next) = best.unwrap();
        groups = next;
        entropies.push(found);
        owners.push(owner(&groups));
    }
    entropies.reverse();
    owners.reverse();
    (entropies, owners)
}

#[test]
fn joins_are_those_of_the_definition() {
    for (table, family, components) in [
        (iris(), Family::Vvv, 6),
        (iris(), Family::Eee, 9),
        (faithful(false), Family::Vii, 7),
        (faithful(false), Family::Vvv, 2),
        (faithful(false), Family::Vvv, 1),
    ] {
        let state = fitted(&table, family, components);
        let found = joined(state.mixture(), &table, 1);
        let (entropies, owners) = by_hand(&memberships(state.mixture(), &table));
        let all = state.mixture().components();
        assert_eq!(found.components(), all);
        for clusters in 1..=all {
            assert_eq!(found.owner(clusters).unwrap(), owners[clusters - 1], "{family} {clusters}");
            let (a, b) = (found.entropies()[clusters - 1], entropies[clusters - 1]);
            assert!((a - b).abs() < 1e-12 * (1.0 + b), "{family} {clusters}: {a} {b}");
        }
        assert!((1..=all).contains(&found.elbow()));
    }
}

/// Weights are copies, and rows of no weight are none.
#[test]
fn weights_count_as_copies() {
    let table = iris();
    let state = fitted(&table, Family::Vvv, 5);
    let weights: Vec<f64> = (0..150).map(|i| f64::from(i % 3)).collect();
    let weighted = Table { weights: Some(weights), codes: None, ..table.clone() };
    let mut values = Vec::new();
    for i in 0..150 {
        (0..i % 3).for_each(|_| values.extend(&table.values[4 * i..4 * i + 4]));
    }
    let copied = numbers_table(4, &values);
    let (a, b) = (joined(state.mixture(), &weighted, 1), joined(state.mixture(), &copied, 1));
    assert_eq!(a.joins(), b.joins());
    for (a, b) in a.entropies().iter().zip(b.entropies()) {
        assert!((a - b).abs() < 1e-12 * (1.0 + b), "{a} {b}");
    }
}

#[test]
fn threads_change_no_bit_and_offsets_no_join() {
    let rows = banana(12_000, 1);
    let state = fitted(&banana(500, 1), Family::Vvv, 5);
    let one = joined(state.mixture(), &rows, 1);
    for threads in [2, 8] {
        assert_eq!(one, joined(state.mixture(), &rows, threads));
    }
    let whole = mapped(&iris(), |_, x| (10.0 * x).round());
    let far = mapped(&whole, |_, x| x + 1e9);
    let here = joined(fitted(&whole, Family::Vvv, 5).mixture(), &whole, 1);
    let there = joined(fitted(&far, Family::Vvv, 5).mixture(), &far, 1);
    assert_eq!(here.joins(), there.joins());
    for (a, b) in here.entropies().iter().zip(there.entropies()) {
        assert!((a - b).abs() < 1e-5 * (1.0 + b), "{a} {b}");
    }
}

/// Four components, two by two at the same place: by symmetry each pair is one cluster.
#[test]
fn halves_of_a_cluster_are_joined_first() {
    let means = [[-9.0, 0.0], [9.0, 0.0], [-9.0, 0.0], [9.0, 0.0]].map(|mean| mean.to_vec());
    let mixture = Mixture::given(&means, &[vec![1.0, 0.0, 1.0]], vec![0.25; 4]).unwrap();
    let table = numbers_table(2, &[-9.0, 0.0, -8.0, 1.0, 9.0, 0.0, 9.0, -1.0]);
    let found = joined(&mixture, &table, 1);
    assert_eq!(found.joins(), [(0, 2), (1, 3), (0, 1)]);
    assert_eq!(found.owner(2).unwrap(), [0, 1, 0, 1]);
    // Each row is in doubt between two equal halves: ln 2.
    for (found, expected) in found.entropies().iter().zip([0.0, 0.0, 2.0, 4.0]) {
        assert!((found - expected * 2.0_f64.ln()).abs() < 1e-12, "{found}");
    }
    assert_eq!(found.elbow(), 2);
    assert!(matches!(found.owner(5), Err(Error::Shape { expected: 4, found: 5, .. })));
}
