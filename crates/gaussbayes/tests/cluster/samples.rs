//! Draws samples to start from: uniform, and the same however the rows arrive.

use gaussbayes::{Error, Mixture, On, Pool, Sampled, Source, Span, Table, rows_per_block};

use crate::support::numbers_table;

fn drawn<S: Source<Error = Error>>(source: &mut S, most: usize, threads: usize) -> Sampled {
    Sampled::draw(source, most, 7, On::pool(&Pool::new(threads).unwrap())).unwrap()
}

/// Cuts fewer rows than it is asked for.
struct Narrow<'a>(gaussbayes::Memory<'a>, usize);

impl<'a> Source for Narrow<'a> {
    type Cut = Span<'a>;
    type Error = Error;

    fn dim(&self) -> usize {
        self.0.dim()
    }

    fn next(&mut self, rows: usize) -> Result<Option<Span<'a>>, Error> {
        self.0.next(rows.min(self.1))
    }

    fn rewind(&mut self) -> Result<(), Error> {
        self.0.rewind()
    }
}

#[test]
fn threads_blocks_and_streams_do_not_show() {
    let means = [vec![0.0; 3], vec![3.0, 0.0, 1.0]];
    let sphere = vec![1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
    let mixture = Mixture::given(&means, &[sphere.clone(), sphere], vec![0.5, 0.5]).unwrap();
    let n = 3 * rows_per_block(3) as u64 + 123;
    let table = mixture.sample(n, 1).unwrap().table().unwrap();
    for most in [1, 100, 9000, 1 << 16] {
        let one = drawn(&mut table.source(), most, 1);
        assert_eq!(one.rows(), most.min(table.rows()));
        assert_eq!((one.is_whole(), one.seen()), (most > table.rows(), n));
        for threads in [2, 8] {
            assert!(one == drawn(&mut table.source(), most, threads), "{threads} threads");
        }
        assert!(one == drawn(&mut mixture.sample(n, 1).unwrap(), most, 3), "a stream");
        for rows in [1000, 77] {
            assert!(one == drawn(&mut Narrow(table.source(), rows), most, 2), "blocks of {rows}");
        }
        // In the order of the source, values, weights and labels of the same row.
        assert!(one.numbers().windows(2).all(|pair| pair[0] < pair[1]));
        for (place, &number) in one.numbers().iter().enumerate() {
            let (found, at) = (one.table(), number as usize);
            assert_eq!(found.values[3 * place..3 * place + 3], table.values[3 * at..3 * at + 3]);
            let label = |table: &Table, i: usize| {
                table.dictionary[table.codes.as_ref().unwrap()[i] as usize].clone()
            };
            assert_eq!(label(found, place), label(&table, at));
        }
    }
}

#[test]
fn every_row_is_as_likely_to_stay_as_any_other() {
    let n = 30_000;
    let table = numbers_table(1, &(0..n).map(f64::from).collect::<Vec<_>>());
    let sampled = drawn(&mut table.source(), 6000, 2);
    let mut counts = [0.0_f64; 20];
    for number in sampled.numbers() {
        counts[(number / 1500) as usize] += 1.0;
    }
    // Each of 1500 rows stays with chance 1/5: variance 240, less what the fixed sum takes.
    let chi_sq: f64 = counts.iter().map(|c| (c - 300.0).powi(2) / 240.0).sum();
    assert!((7.0..37.0).contains(&chi_sq), "{chi_sq}");
    let other = Sampled::draw(&mut table.source(), 6000, 8, On::pool(&Pool::new(1).unwrap()));
    let other = other.unwrap();
    let both = other.numbers().iter().filter(|n| sampled.numbers().binary_search(n).is_ok());
    assert!((1080..1320).contains(&both.count()));
}

#[test]
fn rows_of_weight_zero_are_not_seen() {
    let weights: Vec<f64> = (0..10).map(|i| f64::from(i % 3)).collect();
    let values: Vec<f64> = (0..10).map(f64::from).collect();
    let table = Table { weights: Some(weights), ..numbers_table(1, &values) };
    let sampled = drawn(&mut table.source(), 100, 1);
    assert_eq!(sampled.numbers(), [1, 2, 4, 5, 7, 8]);
    assert_eq!(sampled.table().weights.as_deref(), Some(&[1.0, 2.0, 1.0, 2.0, 1.0, 2.0][..]));
    assert_eq!((sampled.seen(), sampled.is_whole()), (6, true));
    let none = Table { weights: Some(vec![0.0; 10]), ..table };
    let error = Sampled::draw(&mut none.source(), 5, 1, On::pool(&Pool::new(1).unwrap()));
    assert_eq!(error.unwrap_err(), Error::NoRows);
}
