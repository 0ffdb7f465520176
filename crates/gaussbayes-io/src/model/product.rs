//! Lays a product of densities out as JSON: how it was estimated, its factors, its statistics.

use gaussbayes::{
    Alpha, ColumnKind, Counting, Factor, Label, Learner, Part, Places, Product, ProductSpec,
    ProductSweep, Scorer, Training, Unseen,
};
use serde::{Deserialize, Serialize};

use super::layout::{Why, by_name, labels, texts};
use super::mixture::MixtureLayout;
use super::spec::RidgeLayout;
use super::tallies::TalliesLayout;
use super::{Kept, Model};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProductLayout {
    parts: Vec<PartLayout>,
    unseen: String,
    ridge: RidgeLayout,
    priors: Vec<f64>,
    factors: Vec<FactorLayout>,
    training: Option<TalliesLayout>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartLayout {
    columns: Vec<usize>,
    kind: KindLayout,
    alpha: AlphaLayout,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum KindLayout {
    Number,
    Flag { above: f64 },
    Category,
    Code { least: Vec<usize> },
    Count(CountingLayout),
    Text(CountingLayout),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum CountingLayout {
    Multinomial,
    Complement { norm: bool },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AlphaLayout {
    One(f64),
    Each(Vec<f64>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum FactorLayout {
    Number {
        column: usize,
        mixture: Box<MixtureLayout>,
    },
    Flags {
        columns: Vec<usize>,
        above: f64,
        log_yes: Logs,
        log_no: Logs,
    },
    /// A distribution over the whole numbers below one.
    Codes {
        column: usize,
        below: u32,
        log_probs: Logs,
        unseen: Option<Logs>,
    },
    Names {
        column: usize,
        names: Vec<String>,
        log_probs: Logs,
        unseen: Option<Logs>,
    },
    Counts {
        columns: Vec<usize>,
        weights: Logs,
        generative: bool,
    },
    Words {
        column: usize,
        words: Vec<String>,
        weights: Logs,
        unseen: Option<Logs>,
        generative: bool,
    },
}

/// Numbers of which some are −∞, the logarithm of 0: JSON has none, so that they are null.
#[derive(Serialize, Deserialize)]
struct Logs(Vec<Option<f64>>);

impl Logs {
    fn of(values: &[f64]) -> Self {
        Self(values.iter().map(|&value| Some(value).filter(|value| value.is_finite())).collect())
    }

    fn into_values(self) -> Vec<f64> {
        self.0.into_iter().map(|value| value.unwrap_or(f64::NEG_INFINITY)).collect()
    }
}

impl ProductLayout {
    pub(super) fn of(model: &Model) -> Option<Self> {
        let (Scorer::Product(product), Learner::Product(spec)) =
            (model.classifier.model(), &model.spec)
        else {
            return None;
        };
        Some(Self {
            parts: spec.parts.iter().map(PartLayout::of).collect(),
            unseen: spec.unseen.name().into(),
            ridge: RidgeLayout::of(spec.ridge),
            priors: product.priors().to_vec(),
            factors: product.factors().iter().map(FactorLayout::of).collect(),
            training: match &model.training {
                Some(Kept::Product(training)) => Some(TalliesLayout::of(training)),
                _ => None,
            },
        })
    }

    pub(super) fn into_parts(
        self,
        dim: usize,
    ) -> Result<(Product, ProductSpec, Option<Training<ProductSweep>>), Why> {
        let spec = ProductSpec {
            parts: self.parts.into_iter().map(PartLayout::into_part).collect(),
            unseen: by_name("choice for what is unseen", &self.unseen, &Unseen::ALL, Unseen::name)?,
            ridge: self.ridge.into_ridge(),
        };
        spec.check(dim)?;
        let factors = self.factors.into_iter().map(FactorLayout::into_factor);
        let factors = factors.collect::<Result<_, Why>>()?;
        let product = Product::new(dim, self.priors, factors, spec.unseen)?;
        let training = self.training.map(|training| training.into_training(&spec, dim));
        Ok((product, spec, training.transpose()?))
    }
}

impl PartLayout {
    fn of(part: &Part) -> Self {
        Self {
            columns: part.columns.clone(),
            kind: KindLayout::of(&part.kind),
            alpha: match &part.alpha {
                Alpha::One(alpha) => AlphaLayout::One(*alpha),
                Alpha::Each(all) => AlphaLayout::Each(all.clone()),
            },
        }
    }

    fn into_part(self) -> Part {
        let alpha = match self.alpha {
            AlphaLayout::One(alpha) => Alpha::One(alpha),
            AlphaLayout::Each(all) => Alpha::Each(all),
        };
        Part { columns: self.columns, kind: self.kind.into_kind(), alpha }
    }
}

impl KindLayout {
    fn of(kind: &ColumnKind) -> Self {
        match kind {
            ColumnKind::Number => Self::Number,
            ColumnKind::Flag { above } => Self::Flag { above: *above },
            ColumnKind::Category => Self::Category,
            ColumnKind::Code { least } => Self::Code { least: least.clone() },
            ColumnKind::Count(counting) => Self::Count(CountingLayout::of(*counting)),
            ColumnKind::Text(counting) => Self::Text(CountingLayout::of(*counting)),
        }
    }

    fn into_kind(self) -> ColumnKind {
        match self {
            Self::Number => ColumnKind::Number,
            Self::Flag { above } => ColumnKind::Flag { above },
            Self::Category => ColumnKind::Category,
            Self::Code { least } => ColumnKind::Code { least },
            Self::Count(counting) => ColumnKind::Count(counting.into_counting()),
            Self::Text(counting) => ColumnKind::Text(counting.into_counting()),
        }
    }
}

impl CountingLayout {
    fn of(counting: Counting) -> Self {
        match counting {
            Counting::Multinomial => Self::Multinomial,
            Counting::Complement { norm } => Self::Complement { norm },
        }
    }

    fn into_counting(self) -> Counting {
        match self {
            Self::Multinomial => Counting::Multinomial,
            Self::Complement { norm } => Counting::Complement { norm },
        }
    }
}

impl FactorLayout {
    fn of(factor: &Factor) -> Self {
        let rest = |unseen: &Option<Vec<f64>>| unseen.as_deref().map(Logs::of);
        match factor {
            Factor::Number { column, mixture } => {
                Self::Number { column: *column, mixture: Box::new(MixtureLayout::of(mixture)) }
            }
            Factor::Flags { columns, above, log_yes, log_no } => Self::Flags {
                columns: columns.clone(),
                above: *above,
                log_yes: Logs::of(log_yes),
                log_no: Logs::of(log_no),
            },
            Factor::Names { column, places, log_probs, unseen } => {
                let (column, log_probs, unseen) = (*column, Logs::of(log_probs), rest(unseen));
                match places {
                    Places::Names(names) => {
                        Self::Names { column, names: texts(names), log_probs, unseen }
                    }
                    Places::Below(end) => Self::Codes { column, below: *end, log_probs, unseen },
                }
            }
            Factor::Counts { columns, weights, generative } => Self::Counts {
                columns: columns.clone(),
                weights: Logs::of(weights),
                generative: *generative,
            },
            Factor::Words { column, words, weights, unseen, generative } => Self::Words {
                column: *column,
                words: texts(words),
                weights: Logs::of(weights),
                unseen: rest(unseen),
                generative: *generative,
            },
        }
    }

    fn into_factor(self) -> Result<Factor, Why> {
        let rest = |unseen: Option<Logs>| unseen.map(Logs::into_values);
        let names = |column, places, log_probs: Logs, unseen| Factor::Names {
            column,
            places,
            log_probs: log_probs.into_values(),
            unseen: rest(unseen),
        };
        Ok(match self {
            Self::Number { column, mixture } => {
                let mixture = mixture.into_mixture()?;
                if mixture.noise().is_some() {
                    let column = column.saturating_add(1);
                    return Err(Why(format!("the Gaussians of column {column} have noise")));
                }
                Factor::Number { column, mixture: mixture.into() }
            }
            Self::Flags { columns, above, log_yes, log_no } => {
                let (log_yes, log_no) = (log_yes.into_values(), log_no.into_values());
                Factor::Flags { columns, above, log_yes, log_no }
            }
            Self::Names { column, names: known, log_probs, unseen } => {
                let known: Vec<Label> = labels(known);
                names(column, Places::Names(known), log_probs, unseen)
            }
            Self::Codes { column, below, log_probs, unseen } => {
                names(column, Places::Below(below), log_probs, unseen)
            }
            Self::Counts { columns, weights, generative } => {
                Factor::Counts { columns, weights: weights.into_values(), generative }
            }
            Self::Words { column, words, weights, unseen, generative } => Factor::Words {
                column,
                words: labels(words),
                weights: weights.into_values(),
                unseen: rest(unseen),
                generative,
            },
        })
    }
}
