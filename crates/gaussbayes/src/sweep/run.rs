//! Runs a sweep over a source: the only place that starts work on threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::resume_unwind;

use super::Sweep;
use super::control::{Control, Progress, Unwatched};
use super::pool::Pool;
use super::queue::{Closing, Outcome, Queue, Run, is_at_work};
use super::tree::Tree;
use crate::data::{Block, Cut, Source};
use crate::error::Error;
use crate::moments::Merge;
use crate::tolerance::{RUN_AFTER, RUN_BLOCKS, TASKS_AHEAD};

/// What a run works with: threads, and someone who watches.
#[derive(Clone, Copy)]
pub struct On<'a> {
    pool: &'a Pool,
    control: &'a dyn Control,
}

impl std::fmt::Debug for On<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("On").field("pool", &self.pool).finish_non_exhaustive()
    }
}

impl<'a> On<'a> {
    /// Runs on these threads, unwatched.
    pub fn pool(pool: &'a Pool) -> Self {
        Self { pool, control: &Unwatched }
    }

    /// The same, watched.
    pub fn watched(self, control: &'a dyn Control) -> Self {
        Self { control, ..self }
    }

    /// The same on other threads: on none where a task of these runs a sweep of its own.
    pub(crate) fn on(self, pool: &'a Pool) -> Self {
        Self { pool, ..self }
    }

    /// The pool, unless this is one of its threads, or at work on a block: a task that runs a sweep of its own must
    /// not wait for the pool it is part of.
    fn idle_pool(&self) -> Option<&'a rayon::ThreadPool> {
        let pool = self.pool.0.as_ref().filter(|_| !is_at_work());
        pool.filter(|pool| pool.current_thread_index().is_none())
    }

    fn report(&self, done: &mut Progress, rows: usize) -> Result<(), Error> {
        done.blocks += 1;
        done.rows += rows as u64;
        match self.control.block(*done) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Cancelled { rows: done.rows }),
        }
    }
}

/// The statistic of all rows of a source.
///
/// # Errors
/// What the source or the sweep refuses; [`Error::NoRows`] for an empty source.
pub fn run<W, S>(sweep: &W, source: &mut S, on: On<'_>) -> Result<W::Stat, S::Error>
where
    W: Sweep,
    S: Source,
{
    run_checked(sweep, source, on, |_| Ok(()))
}

/// As [`run`], with a look at the statistic of the latest blocks after each.
pub(crate) fn run_checked<W, S>(
    sweep: &W,
    source: &mut S,
    on: On<'_>,
    check: impl Fn(&W::Stat) -> Result<(), Error>,
) -> Result<W::Stat, S::Error>
where
    W: Sweep,
    S: Source,
{
    let mut tree = Tree::default();
    let work = |block: &Block<'_>| sweep.block(block);
    // Blocks of a run are merged where they were summed up, while they are in the cache.
    each_run(source, 0, on, work, merged, |entries| {
        entries.into_iter().for_each(|entry| tree.join(entry));
        let latest = tree.stack().last();
        Ok(latest.map_or(Ok(()), |(_, stat)| check(stat))?)
    })?;
    tree.fold().ok_or_else(|| Error::NoRows.into())
}

/// What is left of the merge tree of a run.
pub(crate) fn merged<S: Merge>(stats: impl IntoIterator<Item = S>) -> Vec<(u32, S)> {
    let mut tree = Tree::default();
    stats.into_iter().for_each(|stat| tree.push(stat));
    tree.into_stack()
}

/// Decodes every block, does `work` on it on any thread, and hands the results to `sink` in order.
///
/// # Errors
/// The error of the earliest block that has one, whatever the number of threads.
pub fn each_block<S, R>(
    source: &mut S,
    on: On<'_>,
    work: impl Fn(&Block<'_>) -> Result<R, Error> + Sync,
    mut sink: impl FnMut(R) -> Result<(), S::Error>,
) -> Result<(), S::Error>
where
    S: Source,
    R: Send,
{
    each_run(
        source,
        0,
        on,
        work,
        |results| results,
        |results| results.into_iter().try_for_each(&mut sink),
    )
}

/// The same run by run of blocks, each joined by the thread that worked on it: a run begins at a multiple of its
/// length, a power of two. The first block has the number `from`.
pub(crate) fn each_run<S, R, J>(
    source: &mut S,
    from: u64,
    on: On<'_>,
    work: impl Fn(&Block<'_>) -> Result<R, Error> + Sync,
    join: impl Fn(Vec<R>) -> J + Sync,
    sink: impl FnMut(J) -> Result<(), S::Error>,
) -> Result<(), S::Error>
where
    S: Source,
    J: Send,
{
    let rows = source.rows_per_block();
    let task = |cut: &S::Cut| -> Result<(usize, R), S::Error> {
        let block = cut.decode()?;
        Ok((block.rows().count(), work(&block)?))
    };
    let longest = if source.is_held() { RUN_BLOCKS } else { 1 };
    in_order(|| source.next(rows), Numbered { from, longest, ahead: 0 }, on, task, join, sink)
}

/// How what is cut is numbered and handed out.
struct Numbered {
    /// The number of the first.
    from: u64,
    /// Most of them in a run.
    longest: u64,
    /// Runs beyond those that keep all threads at work that may be done before the one that is waited for.
    ahead: u64,
}

/// Cuts one after the other, does a task on each on any thread, and hands what runs of them are joined to over in order.
fn in_order<C, R, J, E>(
    mut next: impl FnMut() -> Result<Option<C>, E>,
    Numbered { from, longest, ahead }: Numbered,
    on: On<'_>,
    task: impl Fn(&C) -> Result<(usize, R), E> + Sync,
    join: impl Fn(Vec<R>) -> J + Sync,
    mut sink: impl FnMut(J) -> Result<(), E>,
) -> Result<(), E>
where
    C: Send,
    J: Send,
    E: From<Error> + Send,
{
    let all = |run: Run<C>| run.outcome(&task, &join);
    let mut done = Progress { blocks: 0, rows: 0 };
    let mut take = |outcome: Outcome<J, E>| -> Result<(), E> {
        if let Some(joined) = outcome.joined {
            sink(joined)?;
        }
        for rows in outcome.rows {
            on.report(&mut done, rows)?;
        }
        match outcome.failed {
            None => Ok(()),
            Some(error) => Err(error.unwrap_or_else(|panic| resume_unwind(panic))),
        }
    };
    let Some(pool) = on.idle_pool() else {
        while let Some(cut) = next()? {
            take(all(Run { first: from, cuts: vec![cut] }))?;
        }
        return Ok(());
    };

    let threads = pool.current_num_threads();
    let queue = Queue::default();
    pool.in_place_scope(|scope| {
        // Whichever way this ends, the helpers must.
        let _closed = Closing(&queue);
        for _ in 1..threads {
            scope.spawn(|_| queue.help(&all));
        }
        let (threads, in_flight) = (threads as u64, 2 * threads as u64 + 1 + ahead);
        let mut early = BTreeMap::new();
        let (mut cut_count, mut taken) = (from, from);
        let mut more = true;
        loop {
            // The queue is looked at for every run of blocks: the more there are, the longer, where that takes no
            // memory.
            let cut_here = cut_count - from;
            let wanted = (cut_here / (RUN_AFTER * threads)).clamp(1, longest).ilog2();
            while more && cut_count - taken < in_flight << wanted {
                let run = 1 << wanted.min(cut_count.trailing_zeros());
                let (first, mut cuts) = (cut_count, Vec::new());
                while more && (cuts.len() as u64) < run {
                    match next() {
                        Ok(Some(cut)) => cuts.push(cut),
                        Ok(None) => more = false,
                        // An earlier block may still fail, and its error comes first.
                        Err(error) => {
                            more = false;
                            early.insert(first + cuts.len() as u64, Outcome::error(error));
                            cut_count += 1;
                        }
                    }
                }
                if cuts.is_empty() {
                    break;
                }
                cut_count += cuts.len() as u64;
                queue.put(Run { first, cuts });
            }
            early.extend(queue.done());
            while let Some(outcome) = early.remove(&taken) {
                taken += outcome.blocks;
                take(outcome)?;
            }
            if taken == cut_count && !more {
                return Ok(());
            }
            // Who waits, works.
            match queue.run() {
                Some(run) => {
                    early.insert(run.first, all(run));
                }
                None if taken < cut_count => queue.wait(),
                None => {}
            }
        }
    })
}

/// `work` of 0, 1, … `count` − 1 on any thread; results come in that order, whatever the number of threads.
/// Watched like blocks of `rows` rows each.
pub(crate) fn tasks<R: Send>(
    count: usize,
    rows: usize,
    on: On<'_>,
    work: impl Fn(usize) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    let mut results = Vec::with_capacity(count);
    each_task(count, rows, on, work, |result| {
        results.push(result);
        Ok(())
    })?;
    Ok(results)
}

/// The same, each result handed to `sink` when those before it were.
pub(crate) fn each_task<R: Send>(
    count: usize,
    rows: usize,
    on: On<'_>,
    work: impl Fn(usize) -> Result<R, Error> + Sync,
    mut sink: impl FnMut(R) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut numbers = 0..count;
    in_order(
        || Ok(numbers.next()),
        Numbered { from: 0, longest: 1, ahead: TASKS_AHEAD },
        on,
        |at: &usize| Ok((rows, work(*at)?)),
        |results: Vec<R>| results,
        |results| results.into_iter().try_for_each(&mut sink),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Chain, Table};

    #[test]
    fn results_come_in_the_order_of_blocks_and_the_first_error_counts() {
        let table =
            Table { dim: 1, values: (0..1000).map(f64::from).collect(), ..Table::default() };
        for threads in [1, 2, 3] {
            let pool = Pool::new(threads).unwrap();
            for wrong in [1000, 900, 4] {
                let mut source = table.source();
                let mut chain = Chain::new(Table::default(), 0, &mut source).in_blocks_of(2);
                let work = |block: &Block<'_>| match block.first_row() {
                    row if row >= wrong => Err(Error::NoLabel { row }),
                    row => Ok(row),
                };
                let mut found = Vec::new();
                let outcome = each_block(&mut chain, On::pool(&pool), work, |row| {
                    found.push(row);
                    Ok(())
                });
                assert!(found.iter().copied().eq((0..wrong).step_by(2)), "{threads}: {found:?}");
                let first = Err(Error::NoLabel { row: wrong });
                assert_eq!(outcome, if wrong == 1000 { Ok(()) } else { first });
            }
        }
    }

    /// What was merged with what.
    struct Merged(String);

    impl Merge for Merged {
        fn merge(self, later: Self) -> Self {
            Self(format!("({} {})", self.0, later.0))
        }
    }

    struct Names;

    impl Sweep for Names {
        type Stat = Merged;

        fn block(&self, block: &Block<'_>) -> Result<Merged, Error> {
            Ok(Merged(block.first_row().to_string()))
        }
    }

    #[test]
    fn blocks_are_merged_in_one_order_whoever_works_on_them() {
        for rows in [1, 7, 8, 33, 64, 100, 131, 256] {
            let values = (0..rows).map(f64::from).collect();
            let table = Table { dim: 1, values, ..Table::default() };
            let order = |threads: usize| {
                let pool = Pool::new(threads).unwrap();
                let mut source = table.source();
                let mut chain = Chain::new(Table::default(), 0, &mut source).in_blocks_of(1);
                run(&Names, &mut chain, On::pool(&pool)).unwrap().0
            };
            let alone = order(1);
            assert!((2..6).all(|threads| order(threads) == alone), "{rows} blocks");
        }
    }
}
