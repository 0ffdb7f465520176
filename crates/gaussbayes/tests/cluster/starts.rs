//! Starts EM: groups are found where there are some, and nothing but rows, seed and run decides.

use gaussbayes::{
    Belonging, EmSpec, Error, Family, Hierarchy, NO_LABEL, On, Pool, Random, Sampled, Start,
    Starts, Stop, StopRule, Table, start_from,
};

use crate::support::{faithful, iris, mapped, numbers_table};
use crate::{from_labels, pass, run_em};

pub(crate) fn sampled(table: &Table) -> Sampled {
    let pool = Pool::new(1).unwrap();
    Sampled::draw(&mut table.source(), Sampled::enough(table.dim), 1, On::pool(&pool)).unwrap()
}

fn codes(table: &Table, components: usize, start: Start, run: u64) -> Result<Vec<u32>, Error> {
    let (sampled, pool) = (sampled(table), Pool::new(1)?);
    match Starts::new(&sampled, 3)?.memberships(components, start, run, On::pool(&pool))? {
        Belonging::Codes(codes) => Ok(codes),
        Belonging::Soft(_) => panic!("codes are asked for"),
    }
}

/// Groups of very different sizes and shapes, far from each other, on a grid of 2⁻¹⁰.
fn apart(sizes: &[usize]) -> (Table, Vec<u32>) {
    let mut random = Random::new(5, 0);
    let (mut values, mut truth) = (Vec::new(), Vec::new());
    for (k, &size) in sizes.iter().enumerate() {
        for _ in 0..size {
            let (a, b) = random.normal_pair();
            let (x, y) = if k % 2 == 0 { (a, 0.9 * a + 0.1 * b) } else { (a, -0.5 * a + 0.5 * b) };
            let place = [(0.0, 0.0), (20.0, 20.0), (20.0, 0.0), (0.0, 20.0), (40.0, 10.0)][k];
            for value in [x + place.0, y + place.1] {
                values.push((value * 1024.0).round() / 1024.0);
            }
            truth.push(k as u32);
        }
    }
    (numbers_table(2, &values), truth)
}

#[test]
fn groups_that_lie_apart_are_found() {
    let (table, truth) = apart(&[300, 60, 100, 40, 50]);
    for start in [Start::KMeans, Start::KMeansPlusPlus, Start::Hierarchical] {
        let found = |run: &u64| {
            let found = codes(&table, 5, start, *run).unwrap();
            // As many pairs of codes as groups: each has one of its own.
            let mut pairs: Vec<(u32, u32)> = truth.iter().copied().zip(found).collect();
            pairs.sort_unstable();
            pairs.dedup();
            pairs.len() == 5
        };
        let runs = if start.is_random() { 20 } else { 1 };
        // Rows drawn by weight alone would miss a group in most runs.
        let least = if start.is_random() { 18 } else { 1 };
        let right = (0..runs).filter(found).count();
        assert!(right >= least, "{}: {right} of {runs}", start.name());
    }
}

#[test]
fn offsets_and_units_of_columns_do_not_show() {
    let (table, _) = apart(&[60, 30, 40]);
    let moved = mapped(&table, |j, x| if j == 0 { x + 1e9 } else { 3.7e-5 * x });
    let doubled = mapped(&table, |j, x| if j == 0 { 1024.0 * x } else { x / 64.0 - 1e6 });
    for start in [Start::KMeans, Start::KMeansPlusPlus, Start::RandomRows, Start::Hierarchical] {
        for components in 2..6 {
            let plain = codes(&table, components, start, 0).unwrap();
            assert_eq!(plain, codes(&moved, components, start, 0).unwrap(), "{}", start.name());
            assert_eq!(plain, codes(&doubled, components, start, 0).unwrap(), "{}", start.name());
        }
    }
}

#[test]
fn a_row_twice_is_a_row_of_weight_two() {
    let (table, _) = apart(&[30, 12, 20]);
    let weights: Vec<f64> = (0..table.rows()).map(|i| if i % 3 == 0 { 2.0 } else { 1.0 }).collect();
    let twice: Vec<usize> = (0..table.rows()).filter(|i| i % 3 == 0).collect();
    let mut repeated = table.clone();
    for &i in &twice {
        repeated.values.extend_from_slice(&table.values[2 * i..2 * i + 2]);
    }
    let weighted = Table { weights: Some(weights), ..table.clone() };
    let hundredth = weighted.weights.iter().flatten().map(|w| w / 128.0).collect();
    let lighter = Table { weights: Some(hundredth), ..table.clone() };
    let without = |k| codes(&table, k, Start::Hierarchical, 0).unwrap();
    let with = |k| codes(&weighted, k, Start::Hierarchical, 0).unwrap();
    assert!((2..10).any(|k| without(k) != with(k)), "weights change nothing");
    for components in 2..10 {
        let found = codes(&repeated, components, Start::Hierarchical, 0).unwrap();
        let expected = codes(&weighted, components, Start::Hierarchical, 0).unwrap();
        assert_eq!(found[..table.rows()], expected);
        for (place, &i) in twice.iter().enumerate() {
            assert_eq!(found[table.rows() + place], expected[i]);
        }
        assert_eq!(expected, codes(&lighter, components, Start::Hierarchical, 0).unwrap());
    }
}

#[test]
fn ties_are_broken_by_the_order_of_rows() {
    let square: Vec<f64> =
        (0..8).flat_map(|i| (0..8).flat_map(move |j| [f64::from(i), f64::from(j)])).collect();
    let (table, turned) = (numbers_table(2, &square), numbers_table(2, &square));
    let turned = mapped(&turned, |j, x| 0.1 * x + [7.0, -3.0][j]);
    for components in 2..12 {
        let found = codes(&table, components, Start::Hierarchical, 0).unwrap();
        assert_eq!(found, codes(&turned, components, Start::Hierarchical, 1).unwrap());
        // Numbered by first rows, and none is missing.
        let mut seen = 0;
        for &code in &found {
            assert!(code <= seen);
            seen = seen.max(code + 1);
        }
        assert_eq!(seen as usize, components);
    }
}

#[test]
fn one_column_many_columns_and_columns_that_depend_make_groups() {
    let line: Vec<f64> = (0..40).map(|i| f64::from(i) + if i < 15 { 0.0 } else { 100.0 }).collect();
    let expected: Vec<u32> = (0..40).map(|i| u32::from(i >= 15)).collect();
    assert_eq!(codes(&numbers_table(1, &line), 2, Start::Hierarchical, 0).unwrap(), expected);
    // The second column is three times the first, the third constant.
    let same: Vec<f64> = line.iter().flat_map(|x| [*x, 3.0 * x, 5.0]).collect();
    assert_eq!(codes(&numbers_table(3, &same), 2, Start::Hierarchical, 0).unwrap(), expected);
    let mut random = Random::new(1, 1);
    for dim in [39, 60] {
        let wide: Vec<f64> = (0..40 * dim)
            .map(|at| 10.0 * f64::from(expected[at / dim]) + random.normal_pair().0)
            .collect();
        codes(&numbers_table(dim, &wide), 2, Start::Hierarchical, 0).unwrap();
    }
}

#[test]
fn rows_beyond_some_thousand_take_no_part_in_a_hierarchy() {
    let mut random = Random::new(9, 0);
    let values: Vec<f64> = (0..6000)
        .flat_map(|i| {
            let (x, y) = random.normal_pair();
            [x + 10.0 * f64::from(i % 3), y]
        })
        .collect();
    let sampled = sampled(&numbers_table(2, &values));
    let codes = Hierarchy::of(&sampled).unwrap().codes(3).unwrap();
    assert_eq!((codes.len(), codes.iter().filter(|c| **c != NO_LABEL).count()), (6000, 2000));
    let belonging = Belonging::Codes(codes);
    let pool = Pool::new(1).unwrap();
    let spec = EmSpec::from(Family::Vvv);
    let state = start_from(&spec, 3, &sampled, &belonging, On::pool(&pool)).unwrap();
    let mut centres: Vec<f64> = (0..3).map(|k| state.mixture().raw_mean(k)[0]).collect();
    centres.sort_by(f64::total_cmp);
    for (k, centre) in centres.iter().enumerate() {
        assert!((centre - 10.0 * k as f64).abs() < 0.2, "{centre}");
    }
}

#[test]
fn random_starts_depend_on_seed_run_and_row_alone() {
    let (table, _) = apart(&[60, 30, 40]);
    let pool = Pool::new(1).unwrap();
    let on = On::pool(&pool);
    let whole = sampled(&table);
    let some = Sampled::draw(&mut table.source(), 50, 1, on).unwrap();
    let shares = |sampled: &Sampled, seed: u64, run: u64| {
        let starts = Starts::new(sampled, seed).unwrap();
        match starts.memberships(4, Start::Random, run, on).unwrap() {
            Belonging::Soft(shares) => shares,
            Belonging::Codes(_) => panic!("shares are asked for"),
        }
    };
    let all = shares(&whole, 1, 0);
    for row in all.chunks_exact(4) {
        assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-14);
    }
    for (row, &number) in shares(&some, 1, 0).chunks_exact(4).zip(some.numbers()) {
        assert_eq!(row, &all[4 * number as usize..4 * number as usize + 4]);
    }
    assert_ne!(all, shares(&whole, 2, 0));
    assert_ne!(all, shares(&whole, 1, 1));
    for start in Start::ALL {
        let of = |seed: u64, run: u64| {
            let starts = Starts::new(&whole, seed).unwrap();
            starts.memberships(6, start, run, on).unwrap()
        };
        assert_eq!(of(1, 0), of(1, 0));
        assert_eq!(of(1, 0) != of(2, 0), start.is_random(), "{}", start.name());
        assert_eq!(of(1, 0) != of(1, 1), start.is_random(), "{}", start.name());
    }
}

#[test]
fn fewer_different_rows_than_components_are_refused() {
    let table = numbers_table(2, &[1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0, -0.0, 0.0, 0.0, -0.0]);
    let sampled = sampled(&table);
    let starts = Starts::new(&sampled, 1).unwrap();
    let pool = Pool::new(1).unwrap();
    for start in Start::ALL {
        assert!(starts.memberships(3, start, 0, On::pool(&pool)).is_ok(), "{}", start.name());
        let error = starts.memberships(4, start, 0, On::pool(&pool)).unwrap_err();
        assert_eq!(error, Error::TooFewDistinct { distinct: 3, rows: 6, components: 4 });
        let said = "4 components cannot start from 6 rows of which 3 are different";
        assert_eq!(error.to_string(), said);
        assert!(error.hint().is_some());
        assert!(starts.memberships(0, start, 0, On::pool(&pool)).is_err());
    }
    let same = numbers_table(2, &[1.0; 12]);
    for start in Start::ALL.into_iter().filter(|start| *start != Start::Random) {
        assert_eq!(codes(&same, 1, start, 0).unwrap(), [0; 6]);
        let error = codes(&same, 2, start, 0).unwrap_err();
        assert_eq!(error, Error::TooFewDistinct { distinct: 1, rows: 6, components: 2 });
    }
}

#[test]
fn labels_start_where_a_fit_with_labels_ends() {
    let (table, spec) = (iris(), EmSpec::from(Family::Vvv));
    let (sampled, pool) = (sampled(&table), Pool::new(1).unwrap());
    let belonging = Belonging::Codes(sampled.codes().unwrap().to_vec());
    let state = start_from(&spec, 3, &sampled, &belonging, On::pool(&pool)).unwrap();
    assert_eq!(state.mixture(), from_labels(&spec, &table).unwrap().mixture());
    let short = Belonging::Codes(vec![0; 10]);
    let error = start_from(&spec, 3, &sampled, &short, On::pool(&pool)).unwrap_err();
    assert_eq!(error, Error::Shape { what: "memberships", expected: 150, found: 10 });
}

/// Log-likelihoods that mclust 6.0.0 reaches with `me` from its own `hc(modelName = "VVV", use = "SVD")`, for
/// 2 to 9 components.
#[test]
fn the_hierarchy_starts_as_well_as_that_of_mclust() {
    let references = [
        (
            "faithful",
            Family::Vvv,
            [
                -1_130.26, -1_127.20, -1_111.28, -1_108.41, -1_095.41, -1_091.30, -1_089.27,
                -1_081.65,
            ],
        ),
        (
            "faithful",
            Family::Eee,
            [
                -1_140.19, -1_126.33, -1_126.37, -1_132.68, -1_117.62, -1_120.20, -1_115.18,
                -1_113.52,
            ],
        ),
        (
            "faithful",
            Family::Vev,
            [
                -1_134.68, -1_122.78, -1_124.48, -1_113.98, -1_109.07, -1_102.53, -1_100.60,
                -1_097.23,
            ],
        ),
        (
            "iris",
            Family::Vvv,
            [-214.35, -180.19, -167.49, -152.91, -154.42, -142.91, -117.19, -106.13],
        ),
        (
            "iris",
            Family::Eee,
            [-296.45, -256.35, -250.36, -217.23, -207.22, -206.01, -196.87, -191.26],
        ),
        (
            "iris",
            Family::Vev,
            [-215.73, -186.07, -175.74, -161.81, -154.36, -136.93, -110.92, -98.83],
        ),
    ];
    let (mut higher, mut lower, mut sum) = (0, 0, 0.0);
    for (name, family, reached) in references {
        let table = if name == "iris" { iris() } else { faithful(false) };
        let (sampled, pool) = (sampled(&table), Pool::new(1).unwrap());
        let starts = Starts::new(&sampled, 1).unwrap();
        let mut spec = EmSpec::from(family);
        spec.stop = Stop { rule: StopRule::Relative, tolerance: 1e-5, max_iterations: 10_000 };
        for (components, expected) in (2..).zip(reached) {
            let begun = starts.begin(&spec, components, Start::Hierarchical, 0, On::pool(&pool));
            let mut state = begun.unwrap();
            run_em(&mut state, &table).unwrap();
            let gain = pass(&state, &table).unwrap().log_evidence() - expected;
            println!("{name} {family} {components}: {:.2} {gain:+.2}", expected + gain);
            higher += usize::from(gain > 0.1);
            lower += usize::from(gain < -0.1);
            sum += gain;
        }
    }
    assert!(higher >= lower + 8 && sum > 100.0, "{higher} higher, {lower} lower, {sum} in all");
}
