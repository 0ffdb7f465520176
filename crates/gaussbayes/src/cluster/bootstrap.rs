//! Refits a mixture to rows of random weights, and says how its parameters vary \[M71\].

use super::altered::again;
use super::expect::{EmStat, EmSweep};
use super::movement::mean_shift;
use super::saved::Event;
use super::start::{Purpose, Sampled, stream};
use super::state::EmState;
use super::stop::Stop;
use crate::data::{Block, Source};
use crate::error::Error;
use crate::mixture::Mixture;
use crate::moments::{Merge, ldexp};
use crate::rng::Random;
use crate::sweep::{On, Pool, Sweep, run, tasks};
use crate::tolerance::{EM_ITERATIONS, EM_TOLERANCE, REFIT_BATCH, WEIGHT_EXPONENT};

/// How the parameters of a mixture vary over refits to rows of random weights \[M71\].
#[derive(Debug, Clone, PartialEq)]
pub struct Bootstrap {
    /// Replicates asked for.
    pub asked: usize,
    /// Replicates that lost a component, or of which the guard kept one from collapse: left out.
    pub collapsed: usize,
    /// Replicates that were refused: left out.
    pub refused: usize,
    /// Why the first of those was.
    pub refusal: Option<Error>,
    /// Replicates that ran out of iterations: kept.
    pub unconverged: usize,
    components: usize,
    /// Components, and noise.
    shares: usize,
    dim: usize,
    fitted: Vec<f64>,
    /// What was added to each parameter, replicate by replicate.
    shifts: Vec<Vec<f64>>,
}

/// A number for each parameter of a mixture, in raw units.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// Of the weights; the last is that of noise, where there is any.
    pub weights: Vec<f64>,
    /// Of the means, component by component.
    pub means: Vec<Vec<f64>>,
    /// Of the covariances, component by component: lower triangles, row by row.
    pub covariances: Vec<Vec<f64>>,
}

impl Bootstrap {
    /// Refits a fitted mixture `replicates` times, from where it is, by its own specification, and to the end: a rule
    /// that ends EM early would have it stay where it starts. The weights depend on the
    /// seed, the replicate and the number of the row alone.
    ///
    /// Rows that fit into memory are read once, and replicates run side by side; others one after the other.
    ///
    /// # Errors
    /// What the source or its rows refuse. A replicate that is refused is counted.
    pub fn of<S: Source>(
        state: &EmState,
        source: &mut S,
        replicates: usize,
        seed: u64,
        on: On<'_>,
    ) -> Result<Self, S::Error> {
        let first = again(state)?.with_stop(whole_way(state.spec().stop))?;
        let fitted = state.mixture();
        let mut all = Self {
            asked: replicates,
            collapsed: 0,
            refused: 0,
            refusal: None,
            unconverged: 0,
            components: fitted.components(),
            shares: fitted.shares().len(),
            dim: fitted.dim(),
            fitted: parameters(fitted),
            shifts: Vec::new(),
        };
        source.rewind()?;
        let sampled = Sampled::draw(source, Sampled::enough(source.dim()), seed, on)?;
        if sampled.is_whole() {
            let (alone, rows) = (Pool::new(1)?, sampled.rows());
            let outcomes = tasks(replicates, rows, on, |replicate| {
                let weights = drawn(&sampled, seed, replicate as u64);
                let given = |block: &Block<'_>| {
                    let start = block.first_row() as usize;
                    weights[start..start + block.rows().count()].to_vec()
                };
                let source = &mut sampled.table().source();
                watched(refit(&first, &given, source, on.on(&alone)))
            })?;
            outcomes.into_iter().for_each(|outcome| all.take(state, outcome));
            return Ok(all);
        }
        for batch in (0..replicates).step_by(REFIT_BATCH) {
            let batch = batch..replicates.min(batch + REFIT_BATCH);
            source.rewind()?;
            let sums = run(&SumSweep { seed, replicates: batch.clone() }, source, on)?;
            for (replicate, sum) in batch.zip(&sums.drawn) {
                let factor = sums.weight / sum;
                let given = |block: &Block<'_>| {
                    let draws = Draws::of_block(seed, replicate as u64, block);
                    draws.enumerate().map(|(i, e)| usable(block.weight(i) * e * factor)).collect()
                };
                all.take(state, refit(&first, &given, source, on)?);
            }
        }
        Ok(all)
    }

    fn take(&mut self, fit: &EmState, outcome: Result<EmState, Error>) {
        let state = match outcome {
            Ok(state) => state,
            Err(error) => {
                self.refused += 1;
                self.refusal.get_or_insert(error);
                return;
            }
        };
        let lost = |event: &Event| !matches!(event, Event::Fell { .. });
        let lifted = state.lifted().iter().any(|k| !fit.lifted().contains(k));
        if lifted || state.events().iter().any(lost) {
            self.collapsed += 1;
            return;
        }
        self.unconverged += usize::from(!state.converged());
        self.shifts.push(self.shift(fit.mixture(), state.mixture()));
    }

    /// What was added to each parameter, in raw units: a mean's digits are not lost to where the rows lie.
    fn shift(&self, before: &Mixture, after: &Mixture) -> Vec<f64> {
        let mut shift: Vec<f64> =
            parameters(after).iter().zip(&self.fitted).map(|(a, b)| a - b).collect();
        let exponent = before.frame().exponent();
        for k in 0..self.components {
            for (j, moved) in mean_shift(before, after, k).into_iter().enumerate() {
                shift[self.shares + k * self.dim + j] = ldexp(moved, exponent[j]);
            }
        }
        shift
    }

    /// Replicates that count.
    pub fn kept(&self) -> usize {
        self.shifts.len()
    }

    /// The parameters of a replicate that counts.
    pub fn replicate(&self, at: usize) -> Option<Figures> {
        let shift = self.shifts.get(at)?;
        Some(self.figures(self.fitted.iter().zip(shift).map(|(value, shift)| value + shift)))
    }

    /// Deviations of the parameters over the replicates; none of fewer than two.
    pub fn standard_errors(&self) -> Option<Figures> {
        let count = self.kept();
        let one = |at: usize| {
            let mean = self.shifts.iter().map(|shift| shift[at]).sum::<f64>() / count as f64;
            let squares: f64 = self.shifts.iter().map(|shift| (shift[at] - mean).powi(2)).sum();
            (squares / (count - 1) as f64).sqrt()
        };
        (count >= 2).then(|| self.figures((0..self.fitted.len()).map(one)))
    }

    /// Where the parameters of this share of the replicates lie, as many below as above: the lower and the upper ends.
    /// None of fewer than two replicates, and for a share that is none.
    pub fn intervals(&self, level: f64) -> Option<(Figures, Figures)> {
        if self.kept() < 2 || !(0.0..=1.0).contains(&level) {
            return None;
        }
        let tail = 0.5 * (1.0 - level);
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for (at, value) in self.fitted.iter().enumerate() {
            let mut sorted: Vec<f64> = self.shifts.iter().map(|shift| shift[at]).collect();
            sorted.sort_by(f64::total_cmp);
            low.push(value + quantile(&sorted, tail));
            high.push(value + quantile(&sorted, 1.0 - tail));
        }
        Some((self.figures(low.into_iter()), self.figures(high.into_iter())))
    }

    fn figures(&self, mut values: impl Iterator<Item = f64>) -> Figures {
        let mut take = |count: usize| values.by_ref().take(count).collect::<Vec<f64>>();
        let weights = take(self.shares);
        let means = (0..self.components).map(|_| take(self.dim)).collect();
        let triangle = self.dim * (self.dim + 1) / 2;
        let covariances = (0..self.components).map(|_| take(triangle)).collect();
        Figures { weights, means, covariances }
    }
}

/// The same rule, as strict as it is where nothing is said; one that counts iterations alone stays.
fn whole_way(stop: Stop) -> Stop {
    if stop.tolerance == 0.0 {
        return stop;
    }
    let max_iterations = stop.max_iterations.max(EM_ITERATIONS);
    Stop { tolerance: stop.tolerance.min(EM_TOLERANCE), max_iterations, ..stop }
}

/// Weights, means and covariances in raw units, one after the other.
fn parameters(mixture: &Mixture) -> Vec<f64> {
    let components = 0..mixture.components();
    let means = components.clone().flat_map(|k| mixture.raw_mean(k));
    let covariances = components.flat_map(|k| mixture.raw_covariance(k));
    mixture.shares().into_iter().chain(means).chain(covariances).collect()
}

/// The value below which a share of sorted values lies, between two of them on a line.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let low = (place.floor() as usize).min(sorted.len() - 1);
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + (place - low as f64) * (sorted[high] - sorted[low])
}

/// EM from a state on rows of other weights. Only what the source or its rows refuse is an error of the whole.
fn refit<S: Source>(
    first: &EmState,
    weights: &(dyn Fn(&Block<'_>) -> Vec<f64> + Sync),
    source: &mut S,
    on: On<'_>,
) -> Result<Result<EmState, Error>, S::Error> {
    let mut state = first.clone();
    while !state.is_done() {
        source.rewind()?;
        let stat = run(&WeightedSweep { state: &state, weights }, source, on)?;
        if let Err(error) = state.step(&stat) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(state))
}

/// What came of a replicate whose rows are in memory: but for a wish to end, every refusal is its own.
fn watched(
    outcome: Result<Result<EmState, Error>, Error>,
) -> Result<Result<EmState, Error>, Error> {
    match outcome {
        Err(error @ Error::Cancelled { .. }) => Err(error),
        Err(error) => Ok(Err(error)),
        outcome => outcome,
    }
}

/// The E-step on rows of other weights.
struct WeightedSweep<'a> {
    state: &'a EmState,
    weights: &'a (dyn Fn(&Block<'_>) -> Vec<f64> + Sync),
}

impl Sweep for WeightedSweep<'_> {
    type Stat = EmStat;

    fn block(&self, block: &Block<'_>) -> Result<EmStat, Error> {
        let block = block.reweighted((self.weights)(block))?;
        let stats = EmSweep::new(vec![self.state.expectation()]).block(&block)?;
        stats.into_iter().next().ok_or(Error::NoRows)
    }
}

/// Standard exponential numbers of one replicate, row by row.
struct Draws {
    random: Random,
    left: usize,
}

impl Draws {
    fn from(seed: u64, replicate: u64, row: u64, rows: usize) -> Self {
        let random = Random::from_draw(seed, stream(Purpose::Bootstrap, replicate), row);
        Self { random, left: rows }
    }

    fn of_block(seed: u64, replicate: u64, block: &Block<'_>) -> Self {
        Self::from(seed, replicate, block.first_row(), block.rows().count())
    }
}

impl Iterator for Draws {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        self.left = self.left.checked_sub(1)?;
        Some(-(1.0 - self.random.uniform()).ln())
    }
}

/// The weights of a replicate for all rows of a sample, scaled to the sum of their own.
fn drawn(sampled: &Sampled, seed: u64, replicate: u64) -> Vec<f64> {
    let own = sampled.table().weights.as_deref();
    let own = |at: usize| own.map_or(1.0, |weights| weights[at]);
    let numbers = sampled.numbers();
    let mut weights = Vec::with_capacity(numbers.len());
    // Rows that lie behind each other share a stream.
    for (start, run) in runs(numbers) {
        let draws = Draws::from(seed, replicate, numbers[start], run);
        weights.extend(draws.enumerate().map(|(i, e)| own(start + i) * e));
    }
    let sum: f64 = (0..weights.len()).map(own).sum();
    let factor = sum / weights.iter().sum::<f64>();
    weights.iter().map(|weight| usable(weight * factor)).collect()
}

/// Stretches of numbers that follow each other: where each starts, and how long it is.
fn runs(numbers: &[u64]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in 0..numbers.len() {
        match runs.last_mut() {
            Some((_, length)) if numbers[at] == numbers[at - 1] + 1 => *length += 1,
            _ => runs.push((at, 1)),
        }
    }
    runs
}

/// The weight, or the nearest that a row can have.
fn usable(weight: f64) -> f64 {
    if weight == 0.0 {
        return 0.0;
    }
    weight.clamp(ldexp(1.0, -WEIGHT_EXPONENT), ldexp(1.0, WEIGHT_EXPONENT))
}

/// Sums of the weights of all rows: their own, and those of some replicates.
struct SumSweep {
    seed: u64,
    replicates: std::ops::Range<usize>,
}

struct Sums {
    weight: f64,
    drawn: Vec<f64>,
}

impl Sweep for SumSweep {
    type Stat = Sums;

    fn block(&self, block: &Block<'_>) -> Result<Sums, Error> {
        let sum = |replicate: usize| {
            let draws = Draws::of_block(self.seed, replicate as u64, block);
            draws.enumerate().map(|(i, e)| block.weight(i) * e).sum()
        };
        let weight = (0..block.rows().count()).map(|i| block.weight(i)).sum();
        Ok(Sums { weight, drawn: self.replicates.clone().map(sum).collect() })
    }
}

impl Merge for Sums {
    fn merge(mut self, later: Self) -> Self {
        self.weight += later.weight;
        self.drawn.iter_mut().zip(&later.drawn).for_each(|(sum, more)| *sum += more);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_values_on_a_line() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        let found = [0.0, 0.5, 0.9, 1.0].map(|share| quantile(&sorted, share));
        for (found, expected) in found.into_iter().zip([1.0, 3.0, 6.8, 8.0]) {
            assert!((found - expected).abs() < 1e-14, "{found}");
        }
    }

    #[test]
    fn draws_belong_to_rows() {
        let all: Vec<f64> = Draws::from(7, 3, 0, 1000).collect();
        assert_eq!(all[400..], Draws::from(7, 3, 400, 600).collect::<Vec<_>>());
        let mean = all.iter().sum::<f64>() / 1000.0;
        assert!((mean - 1.0).abs() < 0.1, "{mean}");
        assert_eq!(runs(&[0, 1, 2, 5, 6, 9]), [(0, 3), (3, 2), (5, 1)]);
    }
}
