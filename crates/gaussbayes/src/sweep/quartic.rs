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
    /// [`Error::NeedsSecondPass`] where the source cannot be read again, and what the source refuses.
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
