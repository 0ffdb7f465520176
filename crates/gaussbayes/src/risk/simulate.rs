//! Counts the actions that a rule takes on simulated rows \[M50\].

use super::Chance;
use super::method::{Method, RiskOptions};
use super::sums::Found;
use super::truth::Truth;
use crate::classify::Classifier;
use crate::data::{Block, Rows};
use crate::error::Error;
use crate::judge::wilson_at;
use crate::moments::Frame;
use crate::rng::Random;
use crate::sweep::{On, tasks};
use crate::tolerance::{DRAWS_PER_TASK, NORMAL_999};

/// Shares of the actions among rows drawn from each Gaussian of the truth: the same for any number of
/// threads, and by the same way that rows of users take.
pub(super) fn simulate(
    classifier: &Classifier,
    truth: &Truth<'_>,
    how: &RiskOptions,
    on: On<'_>,
) -> Result<Found, Error> {
    let draws = how.draws.max(1);
    let blocks = draws.div_ceil(DRAWS_PER_TASK as u64) as usize;
    let classes = truth.components();
    let roots: Vec<Vec<f64>> = (0..classes).map(|t| truth.root(t)).collect();
    let actions = classifier.loss().actions().len();
    let rule = classifier.rule()?;
    let frame = rule.frame();
    let counts = tasks(classes * blocks, DRAWS_PER_TASK, on, |task| {
        let (t, block) = (task / blocks, task % blocks);
        let left = draws - (block * DRAWS_PER_TASK) as u64;
        let rows = left.min(DRAWS_PER_TASK as u64) as usize;
        let mut random = Random::new(how.seed, task as u64);
        let values = draw(frame, truth.mean(t), &roots[t], rows, &mut random);
        let block = Block::new(0, Rows::new(values, frame.dim())?, None, None)?;
        let mut counts = vec![0_u64; actions];
        classifier.actions(&block)?.into_iter().for_each(|action| counts[action] += 1);
        Ok(counts)
    })?;
    let row = |t: usize| {
        let of_class = &counts[t * blocks..(t + 1) * blocks];
        let count = |a: usize| of_class.iter().map(|counts| counts[a]).sum::<u64>();
        (0..actions).map(|a| share(count(a) as f64, draws as f64)).collect()
    };
    let rows = (0..classes).map(row).collect();
    let columns = frame.dim();
    Ok(Found { points: draws, ..Found::exact(rows, Method::Simulation, columns) })
}

/// A share, with the farther end of its 99.9 % Wilson interval as error \[M20\].
fn share(count: f64, n: f64) -> Chance {
    let (value, (low, high)) = (count / n, wilson_at(count, n, NORMAL_999));
    Chance { value, error: (high - value).max(value - low) }
}

/// Rows m + R z in raw units, one after the other.
fn draw(frame: &Frame, mean: &[f64], root: &[f64], rows: usize, random: &mut Random) -> Vec<f64> {
    let dim = mean.len();
    let mut values = Vec::with_capacity(rows * dim);
    let mut spare = None;
    for _ in 0..rows {
        let mut x = mean.to_vec();
        for column in root.chunks_exact(dim) {
            let z = spare.take().unwrap_or_else(|| {
                let (one, other) = random.normal_pair();
                spare = Some(other);
                one
            });
            x.iter_mut().zip(column).for_each(|(x, r)| *x += z * r);
        }
        values.extend(x.iter().enumerate().map(|(j, &u)| frame.raw_value(j, u)));
    }
    values
}
