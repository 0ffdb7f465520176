//! Records how a mixture was found: on which rows, from which start, and how the search ended.

use gaussbayes::{Frozen, Outliers, Stop};
use serde::{Deserialize, Serialize};

use super::em::{OutliersLayout, StopLayout};
use super::layout::Why;

/// How a mixture was found by clustering.
#[derive(Debug, Clone, PartialEq)]
pub struct Clustering {
    /// Number of rows.
    pub rows: u64,
    /// Their weight.
    pub weight: f64,
    /// Their log-likelihood.
    pub log_likelihood: f64,
    /// Parameters estimated.
    pub parameters: usize,
    /// The value of BIC.
    pub bic: f64,
    /// The value of AIC.
    pub aic: f64,
    /// The value of ICL; none where the search was broken off.
    pub icl: Option<f64>,
    /// Entropy of the memberships; none where the search was broken off.
    pub entropy: Option<f64>,
    /// Iterations of EM over all rows.
    pub iterations: u32,
    /// Whether the stop rule was met.
    pub converged: bool,
    /// The stop rule.
    pub stop: Stop,
    /// What was made of rows that no Gaussian explains.
    pub outliers: Outliers,
    /// Means and covariances that stayed as they were given.
    pub frozen: Frozen,
    /// Where it started from, in a word.
    pub start: String,
    /// Components that the guard kept from collapse, counted from 0.
    pub lifted: Vec<usize>,
    /// Log-likelihoods that other starts ended with, where there were several.
    pub restarts: Vec<f64>,
    /// Σ w ‖x − μ‖² of each row and its nearest mean, for k-means.
    pub within: Option<f64>,
    /// Whether components have the names of classes that it started from, and not numbers.
    pub named: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClusteringLayout {
    rows: u64,
    weight: f64,
    log_likelihood: f64,
    parameters: usize,
    bic: f64,
    aic: f64,
    icl: Option<f64>,
    entropy: Option<f64>,
    iterations: u32,
    converged: bool,
    stop: StopLayout,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outliers: Option<OutliersLayout>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    frozen_means: Vec<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    frozen_covariances: Vec<bool>,
    start: String,
    lifted: Vec<usize>,
    restarts: Vec<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    within: Option<f64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    named: bool,
}

impl ClusteringLayout {
    pub(super) fn of(found: &Clustering) -> Self {
        Self {
            rows: found.rows,
            weight: found.weight,
            log_likelihood: found.log_likelihood,
            parameters: found.parameters,
            bic: found.bic,
            aic: found.aic,
            icl: found.icl,
            entropy: found.entropy,
            iterations: found.iterations,
            converged: found.converged,
            stop: StopLayout::of(found.stop),
            outliers: OutliersLayout::of(found.outliers),
            frozen_means: found.frozen.means.clone(),
            frozen_covariances: found.frozen.covariances.clone(),
            start: found.start.clone(),
            lifted: found.lifted.clone(),
            restarts: found.restarts.clone(),
            within: found.within,
            named: found.named,
        }
    }

    pub(super) fn into_clustering(self, components: usize) -> Result<Clustering, Why> {
        if let Some(k) = self.lifted.iter().find(|k| **k >= components) {
            let k = k.saturating_add(1);
            return Err(Why(format!("component {k} of {components} was kept from collapse")));
        }
        let most = self.frozen_means.len().max(self.frozen_covariances.len());
        if most > components {
            return Err(Why(format!("{most} components are frozen or not, of {components}")));
        }
        Ok(Clustering {
            rows: self.rows,
            weight: self.weight,
            log_likelihood: self.log_likelihood,
            parameters: self.parameters,
            bic: self.bic,
            aic: self.aic,
            icl: self.icl,
            entropy: self.entropy,
            iterations: self.iterations,
            converged: self.converged,
            stop: self.stop.into_stop()?,
            outliers: self.outliers.map_or(Outliers::Ignored, OutliersLayout::into_outliers),
            frozen: Frozen { means: self.frozen_means, covariances: self.frozen_covariances },
            start: self.start,
            lifted: self.lifted,
            restarts: self.restarts,
            within: self.within,
            named: self.named,
        })
    }
}
