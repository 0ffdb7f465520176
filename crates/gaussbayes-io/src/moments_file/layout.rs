//! Lays moments out as JSON, and puts them together again with every check.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::MomentsFile;
use super::fingerprint::Fingerprint;
use super::part::{Ledger, MomentsPart, PARTS_MAX};
use crate::model::Kept;
use crate::model::layout::{TrainingLayout, Why, by_name};
use crate::model::tallies::TalliesLayout;
use crate::typed_parts::summed;
use crate::types::ColumnType;

/// How far the weights of parts may be from the weight of their sums: what rounding can make of them.
const WEIGHT_TOLERANCE: f64 = 1e-9;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    features: Vec<String>,
    /// What the features hold; none where they are plain numbers.
    types: Option<Vec<String>>,
    target: Option<String>,
    weights: Option<String>,
    parts: Vec<PartLayout>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moments: Option<TrainingLayout>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tallies: Option<TalliesLayout>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartLayout {
    number: Option<(u32, u32)>,
    name: Option<String>,
    rows: u64,
    weight: f64,
    fingerprint: String,
}

impl Body {
    pub(super) fn of(file: &MomentsFile) -> Self {
        let name = |kind: &ColumnType| kind.name().to_owned();
        let (moments, tallies) = match &file.sums {
            Kept::Gaussian(training) => (Some(TrainingLayout::of(training)), None),
            Kept::Product(training) => (None, Some(TalliesLayout::of(training))),
        };
        Self {
            features: file.features.clone(),
            types: file.types.as_ref().map(|types| types.iter().map(name).collect()),
            target: file.target.clone(),
            weights: file.weights.clone(),
            parts: file.parts.iter().map(PartLayout::of).collect(),
            moments,
            tallies,
        }
    }

    pub(super) fn into_file(self, name: &str) -> Result<MomentsFile, Why> {
        let dim = self.features.len();
        let different: HashSet<&String> = self.features.iter().collect();
        if dim == 0 || different.len() != dim {
            return Err(Why(format!("{dim} features, of which {} differ", different.len())));
        }
        let kind = |word: String| by_name("type", &word, &ColumnType::ALL, ColumnType::name);
        let types: Option<Vec<ColumnType>> =
            self.types.map(|types| types.into_iter().map(kind).collect()).transpose()?;
        let sums = match (self.moments, self.tallies, &types) {
            (Some(moments), None, None) => Kept::Gaussian(moments.into_training(dim)?),
            (None, Some(tallies), Some(types)) if types.len() == dim => {
                Kept::Product(tallies.into_training(&summed(types), dim)?)
            }
            _ => return Err(Why("its sums are not those of its columns".into())),
        };
        if !sums.is_closed() {
            return Err(Why("it holds rows, or sums that were not merged".into()));
        }
        let mut ledger = Ledger::default();
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in self.parts {
            let part = part.into_part()?;
            ledger.enter(&part, name).map_err(|refusal| Why(refusal.to_string()))?;
            parts.push(part);
        }
        if !parts.is_sorted_by_key(MomentsPart::key) {
            return Err(Why("its parts are not in order".into()));
        }
        let (held, said) = (sums.weight()?, parts.iter().map(|part| part.weight).sum::<f64>());
        if (held - said).abs() > WEIGHT_TOLERANCE * held {
            return Err(Why(format!("its parts have weight {said}, and its sums {held}")));
        }
        let (features, target, weights) = (self.features, self.target, self.weights);
        Ok(MomentsFile { sums, features, types, target, weights, parts })
    }
}

impl PartLayout {
    fn of(part: &MomentsPart) -> Self {
        Self {
            number: part.number,
            name: part.name.clone(),
            rows: part.rows,
            weight: part.weight,
            fingerprint: part.fingerprint.to_string(),
        }
    }

    fn into_part(self) -> Result<MomentsPart, Why> {
        if let Some((number, of)) = self.number
            && !((1..=of).contains(&number) && of <= PARTS_MAX)
        {
            return Err(Why(format!("there is no part {number}/{of}")));
        }
        let fingerprint = Fingerprint::parse(&self.fingerprint)
            .ok_or_else(|| Why(format!("'{}' is no fingerprint", self.fingerprint)))?;
        let (number, name, rows, weight) = (self.number, self.name, self.rows, self.weight);
        Ok(MomentsPart { number, name, rows, weight, fingerprint })
    }
}
