//! Rows of single precision are decided on as in double, and EM ends where it would.

use std::ops::ControlFlow;

use gaussbayes::{
    Block, Cut, EmSpec, EmState, EmSweep, Error, Expectation, Family, Mixture, On, Pool, Precision,
    Rows, Score, Source, Storage, Sweep, Table, em,
};
use proptest::prelude::*;

use super::kernels::{apart, fitted, plain};
use super::{random_table, seeded};

/// Rows of single precision.
struct Singles<'a> {
    values: &'a [f32],
    dim: usize,
    at: usize,
}

struct SinglesCut<'a> {
    values: &'a [f32],
    dim: usize,
    first: usize,
}

impl<'a> Source for Singles<'a> {
    type Cut = SinglesCut<'a>;
    type Error = Error;

    fn dim(&self) -> usize {
        self.dim
    }

    fn next(&mut self, rows: usize) -> Result<Option<SinglesCut<'a>>, Error> {
        let first = self.at;
        self.at = (first + rows).min(self.values.len() / self.dim);
        let values = &self.values[first * self.dim..self.at * self.dim];
        Ok((!values.is_empty()).then_some(SinglesCut { values, dim: self.dim, first }))
    }

    fn rewind(&mut self) -> Result<(), Error> {
        self.at = 0;
        Ok(())
    }
}

impl Cut for SinglesCut<'_> {
    type Error = Error;

    fn decode(&self) -> Result<Block<'_>, Error> {
        Block::new(self.first as u64, Rows::new_f32(self.values, self.dim)?, None, None)
    }
}

/// A table of numbers that single precision holds, and these.
fn narrowed(mut table: Table) -> (Table, Vec<f32>) {
    let single: Vec<f32> = table.values.iter().map(|x| *x as f32).collect();
    table.values = single.iter().map(|x| f64::from(*x)).collect();
    (table, single)
}

fn block_of(single: &[f32], dim: usize) -> Block<'_> {
    Block::new(0, Rows::new_f32(single, dim).unwrap(), None, None).unwrap()
}

/// The most probable component of each row; the first of equal ones.
fn best(probabilities: &[f64], components: usize) -> Vec<usize> {
    let first = |row: &[f64]| {
        let most = row.iter().copied().fold(0.0, f64::max);
        row.iter().position(|p| *p == most).unwrap()
    };
    probabilities.chunks_exact(components).map(first).collect()
}

/// Where a line from one mean to another meets the boundary, to the last digit of single precision, and beside it.
fn on_the_boundary(mixture: &Mixture) -> Vec<f32> {
    let (a, b, dim) = (mixture.raw_mean(0), mixture.raw_mean(1), mixture.dim());
    let place =
        |t: f64| -> Vec<f32> { a.iter().zip(&b).map(|(a, b)| (a + t * (b - a)) as f32).collect() };
    let is_first = |t: f64| {
        let row: Vec<f64> = place(t).iter().map(|x| f64::from(*x)).collect();
        let block = Block::new(0, Rows::new(row, dim).unwrap(), None, None).unwrap();
        let found = mixture.probabilities(&block).unwrap();
        found[0] > found[1]
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if is_first(middle) { low = middle } else { high = middle }
    }
    let steps = (-20..=20).map(|step| low + f64::from(step) * 3e-8);
    steps.flat_map(place).collect()
}

proptest! {
    #![proptest_config(seeded(32))]

    #[test]
    fn probabilities_are_near_and_decisions_the_same(
        seed in any::<u64>(), dim in 1usize..40, classes in 2usize..6, offset in 0i32..3,
    ) {
        let rows = 60 * classes.max(dim / 8);
        let mut table = random_table(seed, rows, dim, classes);
        table.values.iter_mut().for_each(|x| *x += 100.0 * f64::from(offset));
        let (table, single) = narrowed(table);
        for (family, storage) in
            [(Family::Vvv, Storage::Full), (Family::Eee, Storage::Shared), (Family::Vvi, Storage::Diagonal)]
        {
            let mixture = fitted(&table, family);
            let whole = table.block(0..rows).unwrap();
            let double = mixture.probabilities(&whole).unwrap();
            let found = mixture.probabilities(&block_of(&single, dim)).unwrap();
            for (found, double) in found.iter().zip(&double) {
                prop_assert!((found - double).abs() < 1e-5, "{family}: {found} {double}");
            }
            prop_assert_eq!(best(&found, classes), best(&double, classes));
            for i in [0, 7, rows - 1] {
                let alone = block_of(&single[i * dim..(i + 1) * dim], dim);
                let alone = mixture.probabilities(&alone).unwrap();
                prop_assert_eq!(&found[i * classes..(i + 1) * classes], &alone[..]);
            }
            if classes == 2 {
                let near = on_the_boundary(&mixture);
                let wide: Vec<f64> = near.iter().map(|x| f64::from(*x)).collect();
                let wide = Block::new(0, Rows::new(wide, dim).unwrap(), None, None).unwrap();
                let double = mixture.probabilities(&wide).unwrap();
                let found = mixture.probabilities(&block_of(&near, dim)).unwrap();
                prop_assert_eq!(best(&found, classes), best(&double, classes), "{:?}", family);
            }
            // The E-step is that of the doubles unless single precision is asked for.
            let sweep = EmSweep::new(vec![plain(&mixture, storage)]);
            let double = sweep.block(&whole).unwrap().remove(0);
            prop_assert_eq!(&sweep.block(&block_of(&single, dim)).unwrap()[0], &double);
            let under = Expectation { precision: Precision::Single, ..plain(&mixture, storage) };
            let narrow = EmSweep::new(vec![under]).block(&block_of(&single, dim)).unwrap().remove(0);
            let off = apart(narrow.moments(), double.moments());
            prop_assert!(off < 1e-4, "{family} {dim}: {off}");
            let off = (narrow.log_evidence() / double.log_evidence() - 1.0).abs();
            prop_assert!(off < 1e-6, "{family} {dim}: {off}");
        }
    }
}

fn begun(table: &Table, tolerance: f64) -> EmState {
    let mut spec = EmSpec::from(Family::Vvv);
    (spec.stop.tolerance, spec.stop.max_iterations) = (tolerance, 400);
    // A start that is not the end: the classes of a third of the rows each.
    let third: Vec<u32> = (0..table.rows()).map(|i| (i % 7 % 2) as u32).collect();
    let start = Table { codes: Some(third), ..table.clone() };
    EmState::new(spec, fitted(&start, Family::Vvv)).unwrap()
}

fn run_to_the_end<S: Source<Error = Error>>(
    mut state: EmState,
    source: &mut S,
    threads: usize,
    broken_off: u32,
) -> EmState {
    let pool = Pool::new(threads).unwrap();
    while !state.is_done() {
        em(&mut state, source, On::pool(&pool), &mut |state| {
            if state.iteration() == broken_off {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .unwrap();
        state = EmState::from_saved(state.saved()).unwrap();
    }
    state
}

#[test]
fn em_ends_where_it_would_in_double() {
    let dim = 20;
    let mut table = random_table(11, 6000, dim, 2);
    table.dictionary.truncate(2);
    let (table, single) = narrowed(table);
    let mut singles = Singles { values: &single, dim, at: 0 };
    for (tolerance, most) in [(1e-3, 1e-3), (1e-10, 1e-6)] {
        let state = begun(&table, tolerance);
        let double = run_to_the_end(state.clone(), &mut table.source(), 1, 0);
        let found = run_to_the_end(state.clone(), &mut singles, 1, 0);
        assert!(found.converged() && double.converged());
        assert!(found.events().is_empty(), "{:?}", found.events());
        assert_ne!(found, double, "some passes are in single precision");
        let (a, b) = (found.pass().unwrap().log_likelihood, double.pass().unwrap().log_likelihood);
        assert!((a / b - 1.0).abs() < 1e-6, "{a} {b}");
        for k in 0..2 {
            let means = found.mixture().raw_mean(k);
            for (a, b) in means.iter().zip(double.mixture().raw_mean(k)) {
                assert!((a - b).abs() < most * (1.0 + b.abs()), "{tolerance}: {a} {b}");
            }
        }
        for (threads, broken_off) in [(2, 0), (1, 1), (2, 2), (1, 5)] {
            let again = run_to_the_end(state.clone(), &mut singles, threads, broken_off);
            assert_eq!(again, found, "{threads} threads, broken off after {broken_off}");
        }
    }
}
