//! Sums all components up as if they were one.

use super::{Moments, Storage};

impl Moments {
    /// The moments of all rows, whatever their component: scatter within components, and that of
    /// their means \[M3\].
    pub fn total(&self) -> Self {
        let (dim, weight) = (self.dim(), self.weight.iter().sum::<f64>());
        let mut mean = vec![0.0; dim];
        for (k, n) in self.weight.iter().enumerate().filter(|(_, n)| **n > 0.0) {
            mean.iter_mut().zip(self.mean(k)).for_each(|(sum, m)| *sum += n / weight * m);
        }
        let mut scatter = vec![0.0; self.scatter_len()];
        for one in self.scatter.chunks_exact(self.scatter_len()) {
            scatter.iter_mut().zip(one).for_each(|(sum, s)| *sum += s);
        }
        let storage = if self.storage == Storage::Shared { Storage::Full } else { self.storage };
        let mut total = Self {
            frame: self.frame.clone(),
            weight: vec![weight],
            mean,
            storage,
            scatter,
            quartic: None,
        };
        for k in 0..self.components() {
            let off: Vec<f64> = self.mean(k).iter().zip(&total.mean).map(|(m, c)| m - c).collect();
            total.add_outer(0, self.weight[k], &off);
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use crate::{LabelSweep, Memberships, Moments, On, Pool, Storage, banana, run};

    #[test]
    fn all_classes_together_are_the_rows_without_labels() {
        let rows = banana(40, 1);
        let block = rows.block(0..rows.rows()).unwrap();
        let pool = Pool::new(1).unwrap();
        for storage in Storage::ALL {
            let sweep = LabelSweep::new(storage);
            let (_, moments) = run(&sweep, &mut rows.source(), On::pool(&pool)).unwrap().sorted();
            let total = moments.total();
            let (codes, shape) = (vec![0; rows.rows()], total.storage());
            let plain = Moments::of_block(&block, Memberships::Codes(&codes), 1, shape).unwrap();
            assert_eq!(total.weight(), plain.weight());
            for (a, b) in total.scatter().iter().zip(plain.scatter()) {
                assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{storage:?} {a} {b}");
            }
        }
    }
}
