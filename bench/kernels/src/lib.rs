//! Does the hot work of the library on seeded rows, for whoever measures it.

use std::hint::black_box;

use gaussbayes::{
    Assign, Block, Classifier, CovarianceSpec, EmStat, EmSweep, Expectation, Family, LabelSweep,
    Mixture, On, Pool, Precision, Score, Storage, Sweep, Table, blobs, run,
};

/// Rows of some classes, and a mixture that was fitted to them.
pub struct Work {
    table: Table,
    family: Family,
    mixture: Mixture,
}

impl Work {
    /// Seeded rows of `classes` classes with `dim` columns, and a mixture of a family.
    pub fn new(rows: usize, dim: usize, classes: usize, family: Family) -> Self {
        // Clusters that overlap.
        let truth = blobs(classes, dim, 6.0, 1).classifier().expect("blobs can be told apart");
        let table = truth.sample(rows as u64, 1).and_then(|sample| sample.table());
        let table = table.expect("a classifier can be drawn from");
        let spec = CovarianceSpec::from(family);
        let names: Vec<String> = (0..dim).map(|j| format!("x{j}")).collect();
        let stat = run(&LabelSweep::new(spec.storage()), &mut table.source(), On::pool(&one()));
        let stat = stat.expect("seeded rows can be summed up");
        let fitted = Classifier::fit(&spec, &spec.default_priors(), stat, &names);
        let fitted = fitted.expect("seeded rows have a spread").classifier;
        let mixture = fitted.mixture().expect("a Gaussian classifier is a mixture").clone();
        Self { table, family, mixture }
    }

    /// Sums the rows up by class.
    pub fn fit(&self) {
        let sweep = LabelSweep::new(CovarianceSpec::from(self.family).storage());
        black_box(run(&sweep, &mut self.table.source(), On::pool(&one())).ok());
    }

    /// Posteriors of all rows.
    pub fn posterior(&self) {
        black_box(self.mixture.probabilities(&self.block()).ok());
    }

    /// The E-step of all rows, with the sums of the M-step.
    pub fn expectation(&self) {
        let storage = match self.family {
            Family::Eee => Storage::Shared,
            Family::Vvi => Storage::Diagonal,
            Family::Vii => Storage::Spherical,
            _ => Storage::Full,
        };
        black_box(self.under(storage));
    }

    fn under(&self, storage: Storage) -> Option<Vec<EmStat>> {
        let (mixture, assign, precision) = (&self.mixture, Assign::Soft, Precision::Double);
        let under =
            Expectation { mixture, assign, storage, worst: false, ownership: None, precision };
        EmSweep::new(vec![under]).block(&self.block()).ok()
    }

    fn block(&self) -> Block<'_> {
        self.table.block(0..self.table.rows()).expect("seeded rows are finite")
    }
}

fn one() -> Pool {
    Pool::new(1).expect("one thread can be had")
}
