//! Lays the parts of a model out as JSON, and puts them together again with every check.

use gaussbayes::{
    Action, Classifier, Covariance, Covariances, Error, Frame, Label, LabelStat, Law, Loss,
    Mixture, Moments, Priors, Shape, Storage, Table, Training, Tree,
};
use serde::{Deserialize, Serialize};

use super::Model;
use super::spec::SpecLayout;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    spec: SpecLayout,
    priors: PriorsLayout,
    target: Option<String>,
    weights: Option<String>,
    features: Vec<String>,
    classes: Vec<String>,
    mixture: MixtureLayout,
    /// None where every error costs one.
    loss: Option<LossLayout>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outliers: Option<f64>,
    training: Option<TrainingLayout>,
    /// Whether parameters were given and not estimated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    known: bool,
    /// What another face of the library has left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PriorsLayout {
    Observed,
    Uniform,
    Given(Vec<f64>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrameLayout {
    origin: Vec<f64>,
    exponent: Vec<i32>,
    shift: Vec<i32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MixtureLayout {
    frame: FrameLayout,
    weights: Vec<f64>,
    means: Vec<f64>,
    covariances: CovariancesLayout,
    /// None where densities are Gaussian.
    #[serde(default)]
    laws: Option<Vec<LawLayout>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CovariancesLayout {
    Shared(FactorLayout),
    Each(Vec<FactorLayout>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum FactorLayout {
    Full(Vec<f64>),
    Diagonal(Vec<f64>),
    Spherical(f64),
    /// A covariance that keeps to a range.
    Range {
        whitener: Vec<f64>,
        covariance: Vec<f64>,
        log_det: f64,
    },
}

/// How a component's log density follows from the squared distance.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum LawLayout {
    Scaled { factor: f64, offset: f64 },
    Student { power: f64, divisor: f64, offset: f64 },
}

/// Actions by class number; `null` is reject.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LossLayout {
    actions: Vec<Option<usize>>,
    costs: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrainingLayout {
    storage: String,
    stack: Vec<StatLayout>,
    tail: TailLayout,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatLayout {
    level: u32,
    labels: Vec<String>,
    frame: FrameLayout,
    weight: Vec<f64>,
    mean: Vec<f64>,
    scatter: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TailLayout {
    values: Vec<f64>,
    weights: Option<Vec<f64>>,
    codes: Option<Vec<u32>>,
    dictionary: Vec<String>,
}

/// Why a file holds no valid model.
pub(super) struct Why(pub(super) String);

impl From<Error> for Why {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

/// The value that a word names; `what` is for the message.
pub(super) fn by_name<T: Copy>(
    what: &str,
    word: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, Why> {
    let found = all.iter().copied().find(|value| name(*value) == word);
    found.ok_or_else(|| Why(format!("there is no {what} '{word}'")))
}

fn texts(labels: &[Label]) -> Vec<String> {
    labels.iter().map(ToString::to_string).collect()
}

fn labels(texts: Vec<String>) -> Vec<Label> {
    texts.into_iter().map(Label::from).collect()
}

impl Body {
    pub(super) fn of(model: &Model) -> Self {
        let classifier = &model.classifier;
        Self {
            spec: SpecLayout::of(&model.spec),
            priors: match &model.priors {
                Priors::Observed => PriorsLayout::Observed,
                Priors::Uniform => PriorsLayout::Uniform,
                Priors::Given(priors) => PriorsLayout::Given(priors.clone()),
            },
            target: model.target.clone(),
            weights: model.weights.clone(),
            features: classifier.features().to_vec(),
            classes: texts(classifier.classes()),
            mixture: MixtureLayout::of(classifier.model()),
            loss: classifier.loss().costs().map(|costs| LossLayout::of(classifier.loss(), costs)),
            outliers: classifier.loss().outliers(),
            training: model.training.as_ref().map(TrainingLayout::of),
            known: model.known,
            note: model.note.clone(),
        }
    }

    pub(super) fn into_model(self) -> Result<Model, Why> {
        let dim = self.features.len();
        let classes = labels(self.classes);
        let loss = match self.loss {
            Some(loss) => loss.into_loss(classes.len())?,
            None => Loss::zero_one(classes.len()),
        };
        let loss = match self.outliers {
            Some(level) => loss.with_outliers(level)?,
            None => loss,
        };
        let mixture = self.mixture.into_mixture()?;
        let classifier = Classifier::new(mixture, classes, self.features, loss)?;
        let spec = self.spec.into_spec()?;
        let training = self.training.map(|training| training.into_training(dim)).transpose()?;
        if let Some(held) = training.as_ref().map(Training::storage)
            && held.joined(spec.storage()) != held
        {
            let (held, needed) = (held.name(), spec.storage().name());
            return Err(Error::Storage { held, needed }.into());
        }
        Ok(Model {
            classifier,
            spec,
            priors: match self.priors {
                PriorsLayout::Observed => Priors::Observed,
                PriorsLayout::Uniform => Priors::Uniform,
                PriorsLayout::Given(priors) => Priors::Given(priors),
            },
            target: self.target,
            weights: self.weights,
            training,
            known: self.known,
            note: self.note,
        })
    }
}

impl FrameLayout {
    fn of(frame: &Frame) -> Self {
        Self {
            origin: frame.origin().to_vec(),
            exponent: frame.exponent().to_vec(),
            shift: frame.shift().to_vec(),
        }
    }

    fn into_frame(self) -> Result<Frame, Error> {
        Frame::new(self.origin, self.exponent, self.shift)
    }
}

impl MixtureLayout {
    fn of(mixture: &Mixture) -> Self {
        Self {
            frame: FrameLayout::of(mixture.frame()),
            weights: mixture.weights().to_vec(),
            means: mixture.means().to_vec(),
            covariances: match mixture.covariances() {
                Covariances::Shared(one) => CovariancesLayout::Shared(FactorLayout::of(one)),
                Covariances::Each(all) => {
                    CovariancesLayout::Each(all.iter().map(FactorLayout::of).collect())
                }
            },
            laws: mixture.laws().map(|laws| laws.iter().map(LawLayout::of).collect()),
        }
    }

    fn into_mixture(self) -> Result<Mixture, Error> {
        let frame = self.frame.into_frame()?;
        let dim = frame.dim();
        let covariances = match self.covariances {
            CovariancesLayout::Shared(one) => Covariances::Shared(one.into_covariance(dim)?),
            CovariancesLayout::Each(all) => Covariances::Each(
                all.into_iter().map(|one| one.into_covariance(dim)).collect::<Result<_, _>>()?,
            ),
        };
        let mixture = Mixture::new(frame, self.means, covariances, self.weights)?;
        match self.laws {
            Some(laws) => mixture.with_laws(laws.into_iter().map(LawLayout::into_law).collect()),
            None => Ok(mixture),
        }
    }
}

impl LawLayout {
    fn of(law: &Law) -> Self {
        match *law {
            Law::Scaled { factor, offset } => Self::Scaled { factor, offset },
            Law::Student { power, divisor, offset } => Self::Student { power, divisor, offset },
        }
    }

    fn into_law(self) -> Law {
        match self {
            Self::Scaled { factor, offset } => Law::Scaled { factor, offset },
            Self::Student { power, divisor, offset } => Law::Student { power, divisor, offset },
        }
    }
}

impl FactorLayout {
    fn of(covariance: &Covariance) -> Self {
        if let Some((whitener, log_det)) = covariance.range() {
            let covariance = covariance.triangle();
            return Self::Range { whitener: whitener.to_vec(), covariance, log_det };
        }
        let factor = covariance.factor();
        match covariance.shape() {
            Shape::Full => Self::Full(factor),
            Shape::Diagonal => Self::Diagonal(factor),
            Shape::Spherical => Self::Spherical(factor[0]),
        }
    }

    fn into_covariance(self, dim: usize) -> Result<Covariance, Error> {
        match self {
            Self::Full(factor) => Covariance::from_factor(Shape::Full, dim, factor),
            Self::Diagonal(factor) => Covariance::from_factor(Shape::Diagonal, dim, factor),
            Self::Spherical(one) => Covariance::from_factor(Shape::Spherical, dim, vec![one]),
            Self::Range { whitener, covariance, log_det } => {
                Covariance::from_range(dim, whitener, covariance, log_det)
            }
        }
    }
}

impl LossLayout {
    fn of(loss: &Loss, costs: &[f64]) -> Self {
        let number = |action: &Action| match action {
            Action::Class(k) => Some(*k),
            Action::Reject => None,
        };
        Self { actions: loss.priced().iter().map(number).collect(), costs: costs.to_vec() }
    }

    fn into_loss(self, classes: usize) -> Result<Loss, Error> {
        let action = |number: Option<usize>| number.map_or(Action::Reject, Action::Class);
        Loss::new(classes, self.actions.into_iter().map(action).collect(), self.costs)
    }
}

impl TrainingLayout {
    fn of(training: &Training) -> Self {
        let stat = |(level, stat): &(u32, LabelStat)| {
            let moments = stat.moments();
            StatLayout {
                level: *level,
                labels: texts(stat.labels()),
                frame: FrameLayout::of(moments.frame()),
                weight: moments.weight().to_vec(),
                mean: moments.means().to_vec(),
                scatter: moments.scatter().to_vec(),
            }
        };
        let tail = training.tail();
        Self {
            storage: training.storage().name().into(),
            stack: training.tree().stack().iter().map(stat).collect(),
            tail: TailLayout {
                values: tail.values.clone(),
                weights: tail.weights.clone(),
                codes: tail.codes.clone(),
                dictionary: texts(&tail.dictionary),
            },
        }
    }

    fn into_training(self, dim: usize) -> Result<Training, Why> {
        let storage = by_name("storage", &self.storage, &Storage::ALL, Storage::name)?;
        let stack = self.stack.into_iter().map(|stat| {
            let frame = stat.frame.into_frame()?;
            let (weight, mean, scatter) = (stat.weight, stat.mean, stat.scatter);
            let moments = Moments::from_parts(frame, weight, mean, storage, scatter)?;
            Ok((stat.level, LabelStat::new(labels(stat.labels), moments)?))
        });
        let stack = stack.collect::<Result<Vec<_>, Error>>()?;
        let tree = Tree::from_stack(stack)
            .ok_or_else(|| Why("the levels of its merge tree do not fall".into()))?;
        let tail = Table {
            dim,
            values: self.tail.values,
            weights: self.tail.weights,
            codes: self.tail.codes,
            dictionary: labels(self.tail.dictionary),
        };
        Ok(Training::from_parts(storage, dim, tree, tail)?)
    }
}
