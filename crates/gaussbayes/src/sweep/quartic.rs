//! Sums fourth moments up in a second pass, about the class means of the first \[M28\].

use super::labels::{check_classes, present};
use super::{LabelStat, On, Sweep, run};
use crate::covariance::CovarianceSpec;
use crate::data::{Block, Folds, Source};
use crate::error::Error;
use crate::moments::{Quartic, Storage};

/// Fourth moments of labelled rows: of all, or one statistic for each fold.
pub(crate) struct QuarticSweep<'a> {
    pub(crate) stat: &'a LabelStat,
    pub(crate) folds: Option<Folds>,
}

impl Sweep for QuarticSweep<'_> {
    type Stat = Vec<Quartic>;

    fn block(&self, block: &Block<'_>) -> Result<Vec<Quartic>, Error> {
        let moments = self.stat.moments();
        let parts = self.folds.map_or(1, |folds| folds.count);
        // Third and fourth moments of a class take as much as four matrices of its scatter.
        check_classes(Storage::Full, 4 * parts * moments.components(), moments.dim())?;
        let points = (0..moments.components()).map(|k| moments.mean(k).to_vec()).collect();
        let empty = Quartic::new(moments.frame().clone(), points);
        let mut sums = vec![empty; parts];
        let (labels, codes) = present(block)?;
        let place = |label| {
            let found = self.stat.labels().binary_search(label).ok();
            found.ok_or_else(|| Error::UnknownClass { class: label.to_string() })
        };
        let places = labels.iter().map(place).collect::<Result<Vec<usize>, Error>>()?;
        let rows = block.rows().count();
        let folds = self.folds.map(|folds| folds.of_rows(block.first_row(), rows));
        let framed = moments.frame().apply(block.rows());
        for (i, u) in framed.chunks_exact(moments.dim()).enumerate() {
            if block.weight(i) > 0.0 {
                let fold = folds.as_ref().map_or(0, |folds| folds[i]);
                sums[fold].add(places[codes[i] as usize], u, block.weight(i));
            }
        }
        Ok(sums)
    }
}

impl LabelStat {
    /// The statistic with what a specification needs of a second pass, if it needs one.
    ///
    /// # Errors
    /// [`Error::OnePass`] where the source cannot be read again, and what the source refuses.
    pub fn completed<S: Source>(
        mut self,
        spec: &CovarianceSpec,
        source: &mut S,
        on: On<'_>,
    ) -> Result<Self, S::Error> {
        if spec.needs_second_pass() {
            source.rewind()?;
            let mut sums = run(&QuarticSweep { stat: &self, folds: None }, source, on)?;
            self.moments.quartic = sums.pop();
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Label, Table};
    use crate::moments::{Merge, Storage};
    use crate::rng::Random;
    use crate::sweep::LabelSweep;

    #[test]
    fn folds_go_on_from_block_to_block() {
        let mut random = Random::new(1, 1);
        let table = Table {
            dim: 2,
            values: (0..50).map(|_| random.normal_pair().0).collect(),
            weights: None,
            // The first block has rows of the later class only.
            codes: Some((0..25).map(|i| u32::from(i < 7 || i % 2 == 0)).collect()),
            dictionary: vec![Label::from("a"), Label::from("b")],
            ..Table::default()
        };
        let block = |range: std::ops::Range<usize>| table.block(range).unwrap();
        let stat = LabelSweep::new(Storage::Full).block(&block(0..25)).unwrap();
        let folds = Folds { count: 5, seed: 3 };
        let sweep = QuarticSweep { stat: &stat, folds: Some(folds) };
        let parts = sweep.block(&block(0..7)).unwrap().merge(sweep.block(&block(7..25)).unwrap());
        let framed = stat.moments().frame().apply(block(0..25).rows());
        for (f, part) in parts.iter().enumerate() {
            for k in 0..2 {
                let rows = folds.of_rows(0, 25).into_iter().zip(framed.chunks_exact(2)).enumerate();
                let rows =
                    rows.filter(|(i, (fold, _))| *fold == f && (*i < 7 || i % 2 == 0) == (k == 1));
                let expected: f64 =
                    rows.map(|(_, (_, u))| (u[0] * u[0] + u[1] * u[1]).powi(2)).sum();
                let found = part.fourth(k, &[0.0, 0.0], &[1.0, 1.0]);
                assert!(
                    (found - expected).abs() < 1e-12 * (1.0 + expected),
                    "{f} {k}: {found} {expected}"
                );
            }
        }
    }
}
