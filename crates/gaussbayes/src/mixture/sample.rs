//! Draws rows from a mixture: the same rows in any number of threads and batches \[M51\].

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::{Law, Mixture, NOISE};
use crate::covariance::Covariance;
use crate::data::{Block, Cut, Label, Labels, Rows, Source, Table};
use crate::error::Error;
use crate::moments::{Shape, lower_index};
use crate::rng::Random;
use crate::tolerance::{BLOCK_ROWS_MAX, BLOCK_ROWS_MIN, STREAM_BYTES};

/// Rows that are drawn as they are asked for: a source in constant memory.
///
/// Row i is a function of the mixture, the seed and i alone.
#[derive(Debug, Clone)]
pub struct Sample<'a> {
    plan: Arc<Plan<'a>>,
    rows: u64,
    at: u64,
}

/// A run of rows that are yet to be drawn.
#[derive(Debug, Clone)]
pub struct Draw<'a> {
    plan: Arc<Plan<'a>>,
    rows: Range<u64>,
}

#[derive(Debug)]
struct Plan<'a> {
    mixture: &'a Mixture,
    seed: u64,
    shares: Vec<f64>,
    /// Sums of the shares up to each component, noise the last.
    cumulative: Vec<f64>,
    /// What makes rows of normal numbers, component by component.
    roots: Vec<Root>,
    /// Degrees of freedom of components with tails.
    freedoms: Vec<Option<f64>>,
    /// The class of each component, by its place in the dictionary.
    owner: Vec<u32>,
    dictionary: Vec<Label>,
}

impl Mixture {
    /// `rows` rows of this mixture, labelled by the numbers of their components, counted from 1.
    ///
    /// # Errors
    /// [`Error::NotGaussian`] for densities that know of their estimates.
    pub fn sample(&self, rows: u64, seed: u64) -> Result<Sample<'_>, Error> {
        let numbers = (1..=self.components()).map(|k| Label::from(k.to_string()));
        let noise = self.noise().map(|_| Label::from(NOISE));
        let names: Vec<Label> = numbers.chain(noise).collect();
        let owner: Vec<usize> = (0..names.len()).collect();
        self.sample_as(names, &owner, rows, seed)
    }

    /// The same with names for classes, where component `k` belongs to class `owner[k]`.
    pub(crate) fn sample_as(
        &self,
        dictionary: Vec<Label>,
        owner: &[usize],
        rows: u64,
        seed: u64,
    ) -> Result<Sample<'_>, Error> {
        let law = |k: usize| self.laws().map_or(Law::GAUSSIAN, |laws| laws[k]);
        let stretch = |component: usize| match law(component) {
            Law::Scaled { factor, .. } => Ok(factor.sqrt().recip()),
            student if student.is_student(self.dim()) => Ok(1.0),
            Law::Student { .. } => Err(Error::NotGaussian { what: "samples" }),
        };
        let root = |k: usize| Ok(Root::of(self.covariances().get(k), stretch(k)?));
        let roots = (0..self.components()).map(root).collect::<Result<_, Error>>()?;
        let freedoms = (0..self.components()).map(|k| law(k).freedom()).collect();
        let sum = |sum: &mut f64, weight: &f64| {
            *sum += weight;
            Some(*sum)
        };
        let shares = self.shares();
        let cumulative = shares.iter().scan(0.0, sum).collect();
        let owner = owner.iter().map(|class| *class as u32).collect();
        let mixture = self;
        let plan = Plan { mixture, seed, shares, cumulative, roots, freedoms, owner, dictionary };
        Ok(Sample { plan: Arc::new(plan), rows, at: 0 })
    }
}

impl Sample<'_> {
    /// All rows in memory.
    ///
    /// # Errors
    /// [`Error::NotFinite`] where rows are beyond the range of numbers.
    pub fn table(&self) -> Result<Table, Error> {
        let (dim, dictionary) = (self.dim(), self.plan.dictionary.clone());
        let (values, codes) = self.plan.draw(0..self.rows);
        let table = Table {
            dim,
            values,
            codes: Some(codes),
            weights: None,
            dictionary,
            ..Table::default()
        };
        table.block(0..table.rows())?;
        Ok(table)
    }
}

/// Rows that one stream of random numbers is for: a seed means the same rows, whatever size blocks have.
fn stream_rows(dim: usize) -> usize {
    let rows = STREAM_BYTES / (size_of::<f64>() * dim.max(1));
    (1 << rows.max(1).ilog2()).clamp(BLOCK_ROWS_MIN, BLOCK_ROWS_MAX)
}

impl<'a> Source for Sample<'a> {
    type Cut = Draw<'a>;
    type Error = Error;

    fn dim(&self) -> usize {
        self.plan.mixture.dim()
    }

    fn rows_per_block(&self) -> usize {
        stream_rows(self.dim())
    }

    fn next(&mut self, rows: usize) -> Result<Option<Draw<'a>>, Error> {
        let rows = self.at..self.rows.min(self.at.saturating_add(rows as u64));
        self.at = rows.end;
        Ok((!rows.is_empty()).then(|| Draw { plan: Arc::clone(&self.plan), rows }))
    }

    fn rewind(&mut self) -> Result<(), Error> {
        self.at = 0;
        Ok(())
    }
}

impl Cut for Draw<'_> {
    type Error = Error;

    fn decode(&self) -> Result<Block<'_>, Error> {
        let (values, codes) = self.plan.draw(self.rows.clone());
        let dictionary = Cow::Borrowed(self.plan.dictionary.as_slice());
        let labels = Labels { codes: Cow::Owned(codes), dictionary };
        Block::new(self.rows.start, Rows::new(values, self.plan.mixture.dim())?, None, Some(labels))
    }
}

impl Plan<'_> {
    /// Rows and the numbers of their classes. Each block of rows has a stream of random numbers
    /// of its own, from its first row on, wherever the range begins.
    fn draw(&self, rows: Range<u64>) -> (Vec<f64>, Vec<u32>) {
        let dim = self.mixture.dim();
        let size = stream_rows(dim) as u64;
        let count = (rows.end - rows.start) as usize;
        let mut values = Vec::with_capacity(count * dim);
        let mut codes = Vec::with_capacity(count);
        let (mut z, mut row) = (vec![0.0; dim], vec![0.0; dim]);
        for block in rows.start / size..rows.end.div_ceil(size) {
            let mut normals = Normals { random: Random::new(self.seed, block), spare: None };
            for i in block * size..rows.end.min((block + 1) * size) {
                let k = self.row(&mut normals, &mut z, &mut row);
                if i >= rows.start {
                    values.extend_from_slice(&row);
                    codes.push(self.owner[k]);
                }
            }
        }
        (values, codes)
    }

    /// m_k + s L z in raw units \[M51\]: one rounding where the origin of the frame is added.
    fn row(&self, normals: &mut Normals, z: &mut [f64], row: &mut [f64]) -> usize {
        let (mixture, total) = (self.mixture, self.cumulative[self.cumulative.len() - 1]);
        let at = normals.random.uniform() * total;
        let component = self.cumulative.partition_point(|sum| *sum <= at);
        // Rounding may take the product up to the sum itself: that belongs to the last with weight.
        let heaviest = |k: usize| self.shares[..=k].iter().rposition(|w| *w > 0.0);
        let k = heaviest(component.min(self.cumulative.len() - 1)).unwrap_or(0);
        if let Some(noise) = mixture.noise().filter(|_| k == self.roots.len()) {
            z.iter_mut().for_each(|z| *z = normals.random.uniform());
            noise.extent.at(z, row);
            return k;
        }
        let root = &self.roots[k];
        let z = &mut z[..root.rank(row.len())];
        z.iter_mut().for_each(|z| *z = normals.next());
        root.apply(z, row);
        if let Some(freedom) = self.freedoms[k] {
            // A normal row over the root of χ²/ν: of a Gamma number of mean ν/2, over ν/2 \[M68\].
            let apart = (normals.gamma(0.5 * freedom) / (0.5 * freedom)).sqrt();
            row.iter_mut().for_each(|x| *x /= apart);
        }
        for (j, (x, m)) in row.iter_mut().zip(mixture.mean(k)).enumerate() {
            *x = mixture.frame().raw_value(j, *x + m);
        }
        k
    }
}

/// A matrix A with AAᵀ = Σ \[M51\].
#[derive(Debug)]
enum Root {
    /// A lower triangle, row by row.
    Lower(Vec<f64>),
    Diagonal(Vec<f64>),
    /// As many columns as there are directions with spread, row by row.
    Range(Vec<f64>),
}

impl Root {
    /// That of the covariance, times `stretch`.
    fn of(covariance: &Covariance, stretch: f64) -> Self {
        let dim = covariance.dim();
        let times = |values: Vec<f64>| values.into_iter().map(|value| stretch * value).collect();
        if let Some((whitener, _)) = covariance.range() {
            let triangle = covariance.triangle();
            let at = |i: usize, j: usize| triangle[lower_index(i.max(j), i.min(j))];
            let entry = |i: usize, whitener: &[f64]| -> f64 {
                whitener.iter().enumerate().map(|(j, w)| at(i, j) * w).sum()
            };
            let row = |i: usize| whitener.chunks_exact(dim).map(move |whitener| entry(i, whitener));
            return Self::Range(times((0..dim).flat_map(row).collect()));
        }
        let factor = covariance.factor();
        match covariance.shape() {
            Shape::Full => Self::Lower(times(factor)),
            Shape::Diagonal => Self::Diagonal(times(factor)),
            Shape::Spherical => Self::Diagonal(times(vec![factor[0]; dim])),
        }
    }

    fn rank(&self, dim: usize) -> usize {
        if let Self::Range(values) = self { values.len() / dim } else { dim }
    }

    fn apply(&self, z: &[f64], x: &mut [f64]) {
        let dot = |row: &[f64]| row.iter().zip(z).map(|(a, z)| a * z).sum();
        match self {
            Self::Lower(triangle) => {
                for (i, x) in x.iter_mut().enumerate() {
                    *x = dot(&triangle[lower_index(i, 0)..=lower_index(i, i)]);
                }
            }
            Self::Diagonal(deviations) => {
                x.iter_mut().zip(deviations).zip(z).for_each(|((x, s), z)| *x = s * z);
            }
            Self::Range(values) => {
                let rows = values.chunks_exact(z.len().max(1));
                x.iter_mut().zip(rows).for_each(|(x, row)| *x = dot(row));
            }
        }
    }
}

/// Standard normal numbers one by one; they are made in pairs.
struct Normals {
    random: Random,
    spare: Option<f64>,
}

impl Normals {
    fn next(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let (first, second) = self.random.normal_pair();
        self.spare = Some(second);
        first
    }

    /// A Gamma number of a shape of at least one half, and scale one: Marsaglia and Tsang (2000), for shapes below
    /// one from the next shape by a power of a uniform number.
    fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let power = (1.0 - self.random.uniform()).powf(shape.recip());
            return power * self.gamma(shape + 1.0);
        }
        let third = shape - 1.0 / 3.0;
        let slope = (9.0 * third).sqrt().recip();
        loop {
            let normal = self.next();
            let cube = (1.0 + slope * normal).powi(3);
            let log = (1.0 - self.random.uniform()).ln();
            if cube > 0.0 && log < 0.5 * normal * normal + third * (1.0 - cube + cube.ln()) {
                return third * cube;
            }
        }
    }
}
