//! Takes one row out of moments again \[M32\].

use super::Moments;

impl Moments {
    /// The moments without one framed row of class `k`: mean and scatter step back by one outer
    /// product. The class must have other rows.
    ///
    /// The scatter loses digits as the row's own share of it nears one; callers look at that first.
    pub(crate) fn without(&self, k: usize, u: &[f64], weight: f64) -> Self {
        let mut rest = self.clone();
        let (dim, left) = (self.dim(), self.weight[k] - weight);
        if let Some(quartic) = &mut rest.quartic {
            quartic.add(k, u, -weight);
        }
        let off: Vec<f64> = u.iter().zip(self.mean(k)).map(|(u, m)| u - m).collect();
        rest.weight[k] = left;
        for (mean, off) in rest.mean[k * dim..(k + 1) * dim].iter_mut().zip(&off) {
            *mean -= weight / left * off;
        }
        rest.add_outer(k, -weight * (self.weight[k] / left), &off);
        rest.floor_diagonal(k);
        rest
    }
}
