//! Turns counts and moments into the factors of a product \[M76\].

use super::factor::{Factor, Places};
use super::product::Product;
use super::report::{ProductReport, Silence};
use super::spec::{Alpha, Counting, Kind, Part, ProductSpec, Unseen};
use super::stat::{PartStat, ProductStat};
use super::tally::Tally;
use crate::covariance::{CovarianceSpec, Priors, Ridge};
use crate::data::Label;
use crate::error::{ColumnRefusal, Error};
use crate::sweep::LabelStat;
use crate::tolerance::{ALL_MISSING, SCATTER_MAX};

impl ProductSpec {
    /// The classes in order, the product, and how its fit went.
    ///
    /// # Errors
    /// [`ColumnRefusal::TooManyCodes`]; [`ColumnRefusal::NoValues`] for a class without a number in a column of numbers, and what
    /// [`CovarianceSpec::estimate`] refuses of such a column.
    pub fn estimate(
        &self,
        stat: ProductStat,
        priors: &Priors,
        features: &[String],
    ) -> Result<(Vec<Label>, Product, ProductReport), Error> {
        self.check(features.len())?;
        let (classes, weight, parts) = stat.sorted();
        let priors = priors.resolve(&weight)?;
        let mut fit = Fit {
            classes: &classes,
            weight: &weight,
            features,
            ridge: self.ridge,
            unseen: self.unseen,
            factors: Vec::new(),
            report: ProductReport { parameters: classes.len() - 1, ..ProductReport::default() },
        };
        for (part, stat) in self.parts.iter().zip(parts) {
            if !part.columns.is_empty() {
                fit.part(part, stat)?;
            }
        }
        let Fit { factors, mut report, .. } = fit;
        report.silent.sort_by_key(|(column, _)| *column);
        let product = Product::new(features.len(), priors, factors, self.unseen)?;
        Ok((classes, product, report))
    }
}

/// A product in the making.
struct Fit<'a> {
    classes: &'a [Label],
    weight: &'a [f64],
    features: &'a [String],
    ridge: Ridge,
    unseen: Unseen,
    factors: Vec<Factor>,
    report: ProductReport,
}

impl Fit<'_> {
    fn part(&mut self, part: &Part, stat: PartStat) -> Result<(), Error> {
        let columns = part.columns.iter().copied();
        match (&part.kind, stat) {
            (Kind::Number, PartStat::Number(stats)) => {
                columns.zip(stats).try_for_each(|(column, stat)| self.number(column, stat))?;
            }
            (Kind::Flag { above }, PartStat::Flag { above: yes, missing }) => {
                self.flags(part, *above, &yes, &missing);
            }
            (Kind::Category, PartStat::Category(tallies)) => {
                for (at, (column, tally)) in columns.zip(tallies).enumerate() {
                    let places = Places::Names(tally.keys().to_vec());
                    self.names(column, places, tally.sums(), part.alpha.of(at));
                }
            }
            (Kind::Code { least }, PartStat::Code(tallies)) => {
                for (at, (column, tally)) in columns.zip(tallies).enumerate() {
                    let met = tally.keys().last().map_or(0, |most| *most as usize + 1);
                    let codes = met.max(least.get(at).copied().unwrap_or(0));
                    if codes > SCATTER_MAX / self.classes.len() {
                        let name = self.features.get(column).cloned();
                        return Err(ColumnRefusal::TooManyCodes { codes, column, name }.into());
                    }
                    let sums = whole(&tally, codes);
                    self.names(column, Places::Below(codes as u32), &sums, part.alpha.of(at));
                }
            }
            (Kind::Count(counting), PartStat::Count(tally)) => {
                let sums = whole(&tally, part.columns.len());
                let (weights, _) = self.weigh(*counting, &sums, &part.alpha, None);
                self.refuse_certain(&weights, &part.columns)?;
                if part.columns.len() < 2 || tally.keys().is_empty() {
                    self.report.silent.extend(columns.map(|column| (column, Silence::OneValue)));
                }
                let (columns, generative) = (part.columns.clone(), is_generative(*counting));
                self.report.parameters += self.classes.len() * (columns.len() - 1);
                self.factors.push(Factor::Counts { columns, weights, generative });
            }
            (Kind::Text(counting), PartStat::Text(tallies)) => {
                for (at, (column, tally)) in columns.zip(tallies).enumerate() {
                    self.text(column, *counting, part.alpha.of(at), &tally)?;
                }
            }
            _ => return Err(Error::Storage { held: "another part", needed: part.kind.name() }),
        }
        Ok(())
    }

    fn number(&mut self, column: usize, stat: LabelStat) -> Result<(), Error> {
        if stat.labels().is_empty() {
            self.report.silent.push((column, Silence::Missing));
            return Ok(());
        }
        let without = self.classes.iter().find(|class| !stat.labels().contains(class));
        if let Some(class) = without {
            let (class, name) = (class.to_string(), self.features.get(column).cloned());
            return Err(ColumnRefusal::NoValues { class, column, name }.into());
        }
        let (_, moments) = stat.sorted();
        let spec = CovarianceSpec { ridge: self.ridge, ..CovarianceSpec::naive_bayes() };
        let name = self.features.get(column).cloned().unwrap_or_default();
        let estimate = spec
            .estimate(&moments, &Priors::Uniform, None)
            .map_err(|error| error.named(self.classes, &[name]))?;
        self.report.parameters += 2 * self.classes.len();
        self.factors.push(Factor::Number { column, mixture: estimate.mixture.into() });
        Ok(())
    }

    /// (yes + α) / (all + 2α).
    fn flags(&mut self, part: &Part, above: f64, yes: &Tally<u32>, missing: &Tally<u32>) {
        let classes = self.classes.len();
        let none = vec![0.0; classes];
        let (mut log_yes, mut log_no) = (Vec::new(), Vec::new());
        for (at, &column) in part.columns.iter().enumerate() {
            let alpha = part.alpha.of(at);
            let yes = yes.get(&(at as u32)).unwrap_or(&none);
            let missing = missing.get(&(at as u32)).unwrap_or(&none);
            // What is left of a sum by taking all its parts out again is rounding.
            let held = |k: usize| {
                let held = (self.weight[k] - missing[k]).max(yes[k]);
                if held <= self.weight[k] * ALL_MISSING { 0.0 } else { held }
            };
            let held: Vec<f64> = (0..classes).map(held).collect();
            let (all, up): (f64, f64) = (held.iter().sum(), yes.iter().sum());
            if all == 0.0 {
                self.report.silent.push((column, Silence::Missing));
            } else if up == 0.0 || up >= all * (1.0 - ALL_MISSING) {
                self.report.silent.push((column, Silence::OneValue));
            }
            for (yes, held) in yes.iter().zip(&held) {
                let (up, down, all) =
                    (yes + alpha, (held - yes).max(0.0) + alpha, held + 2.0 * alpha);
                // A class without a value, and nothing in its place: no flag is likelier than the other.
                let share = |part: f64| if all > 0.0 { (part / all).ln() } else { 0.5_f64.ln() };
                log_yes.push(share(up));
                log_no.push(share(down));
            }
        }
        self.report.parameters += classes * part.columns.len();
        let columns = part.columns.clone();
        self.factors.push(Factor::Flags { columns, above, log_yes, log_no });
    }

    /// (n_c + α) / (n + αC), C of the names met, and of one more where what is unseen is smoothed.
    fn names(&mut self, column: usize, places: Places, sums: &[f64], alpha: f64) {
        let classes = self.classes.len();
        let used = sums.chunks_exact(classes).filter(|row| row.iter().any(|sum| *sum > 0.0));
        match used.count() {
            0 => self.report.silent.push((column, Silence::Missing)),
            1 => self.report.silent.push((column, Silence::OneValue)),
            _ => {}
        }
        self.report.names.push((column, places.len()));
        if places.is_empty() {
            return;
        }
        let smooth = self.unseen == Unseen::Smooth;
        let cells = places.len() + usize::from(smooth);
        let mut totals = vec![0.0; classes];
        for row in sums.chunks_exact(classes) {
            totals.iter_mut().zip(row).for_each(|(total, sum)| *total += sum);
        }
        let share = |sum: f64, total: f64| {
            let all = total + alpha * cells as f64;
            // A class without a value, and nothing in its place: no name is likelier than another.
            if all > 0.0 { ((sum + alpha) / all).ln() } else { -(cells as f64).ln() }
        };
        let of = |row: &[f64]| -> Vec<f64> {
            row.iter().zip(&totals).map(|(&sum, &total)| share(sum, total)).collect()
        };
        let log_probs = sums.chunks_exact(classes).flat_map(of).collect();
        let unseen = smooth.then(|| of(&vec![0.0; classes]));
        self.report.parameters += classes * (places.len() - 1);
        self.factors.push(Factor::Names { column, places, log_probs, unseen });
    }

    fn text(
        &mut self,
        column: usize,
        counting: Counting,
        alpha: f64,
        tally: &Tally<Label>,
    ) -> Result<(), Error> {
        self.report.names.push((column, tally.keys().len()));
        if tally.keys().len() < 2 {
            let why = if tally.keys().is_empty() { Silence::Missing } else { Silence::OneValue };
            self.report.silent.push((column, why));
        }
        if tally.keys().is_empty() {
            return Ok(());
        }
        let (generative, words) = (is_generative(counting), tally.keys().to_vec());
        let smooth = (self.unseen == Unseen::Smooth).then_some(alpha);
        let (weights, unseen) = self.weigh(counting, tally.sums(), &Alpha::One(alpha), smooth);
        self.refuse_certain(&weights, &[column])?;
        self.report.parameters += self.classes.len() * (words.len() - 1);
        self.factors.push(Factor::Words { column, words, weights, unseen, generative });
        Ok(())
    }

    /// Refuses weights without end: nothing stands against a class that alone has some count \[M77\].
    fn refuse_certain(&self, weights: &[f64], columns: &[usize]) -> Result<(), Error> {
        let endless = |weight: &f64| weight.is_nan() || *weight == f64::INFINITY;
        let Some(at) = weights.iter().position(endless) else { return Ok(()) };
        let (key, class) = (at / self.classes.len(), at % self.classes.len());
        let column = columns.get(key).or(columns.first()).copied().unwrap_or(0);
        let (class, name) = (self.classes[class].to_string(), self.features.get(column).cloned());
        Err(ColumnRefusal::Certain { class, column, name }.into())
    }

    /// What one count of each key says for each class, and what one of a key that was never met does, where that is
    /// smoothed \[M76\], \[M77\].
    fn weigh(
        &self,
        counting: Counting,
        sums: &[f64],
        alpha: &Alpha,
        smooth: Option<f64>,
    ) -> (Vec<f64>, Option<Vec<f64>>) {
        let classes = self.classes.len();
        let counted = |row: &[f64], k: usize| match counting {
            Counting::Multinomial => row[k],
            Counting::Complement { .. } => {
                row.iter().enumerate().filter(|(other, _)| *other != k).map(|(_, sum)| sum).sum()
            }
        };
        let rows = sums.chunks_exact(classes).enumerate();
        let smoothed = rows.flat_map(|(at, row)| {
            let alpha = alpha.of(at);
            (0..classes).map(move |k| counted(row, k) + alpha)
        });
        let mut table: Vec<f64> = smoothed.collect();
        if let Some(alpha) = smooth {
            table.extend(std::iter::repeat_n(alpha, classes));
        }
        let mut totals = vec![0.0; classes];
        for row in table.chunks_exact(classes) {
            totals.iter_mut().zip(row).for_each(|(total, sum)| *total += sum);
        }
        // Nothing counted and nothing in its place: no key is likelier than another.
        let equal = -((table.len() / classes) as f64).ln();
        for row in table.chunks_exact_mut(classes) {
            for (cell, total) in row.iter_mut().zip(&totals) {
                *cell = if *total > 0.0 { (*cell / total).ln() } else { equal };
            }
        }
        if let Counting::Complement { norm } = counting {
            let mut sums = vec![0.0; classes];
            for row in table.chunks_exact(classes) {
                sums.iter_mut().zip(row).for_each(|(sum, cell)| *sum += cell);
            }
            for row in table.chunks_exact_mut(classes) {
                for (cell, sum) in row.iter_mut().zip(&sums) {
                    // Of one key alone all logarithms are 0, and so is their sum.
                    *cell = if norm && *sum < 0.0 { *cell / sum } else { -*cell };
                }
            }
        }
        let unseen = smooth.map(|_| table.split_off(table.len() - classes));
        (table, unseen)
    }
}

fn is_generative(counting: Counting) -> bool {
    counting == Counting::Multinomial
}

/// The weights of all keys below `width`, those never met included.
fn whole(tally: &Tally<u32>, width: usize) -> Vec<f64> {
    let classes = tally.classes();
    let mut sums = vec![0.0; width * classes];
    for (&key, row) in tally.iter() {
        sums[key as usize * classes..(key as usize + 1) * classes].copy_from_slice(row);
    }
    sums
}
