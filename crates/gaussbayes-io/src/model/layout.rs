//! Lays the parts of a model out as JSON, and puts them together again with every check.

use gaussbayes::{
    Action, Classifier, CovarianceSpec, Error, Label, LabelStat, LabelSweep, Learner, Loss,
    Moments, Scorer, Storage, Table, Training, Tree,
};
use serde::{Deserialize, Serialize};

use super::by_em::ByEmLayout;
use super::clustering::ClusteringLayout;
use super::mixture::{FrameLayout, MixtureLayout};
use super::product::ProductLayout;
use super::softmax::SoftmaxLayout;
use super::spec::{PriorsLayout, SpecLayout};
use super::{Kept, Model};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    /// How covariances were estimated; none where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spec: Option<SpecLayout>,
    priors: PriorsLayout,
    target: Option<String>,
    weights: Option<String>,
    features: Vec<String>,
    classes: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mixture: Option<MixtureLayout>,
    /// A product of densities, how it was estimated, and from what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    product: Option<ProductLayout>,
    /// Linear scores, and how they were fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    softmax: Option<SoftmaxLayout>,
    /// The class of each component; none where each class is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<Vec<usize>>,
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
    /// How a mixture was found, where it was found by clustering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clustering: Option<ClusteringLayout>,
    /// How a classifier was found, where EM had a part in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by_em: Option<ByEmLayout>,
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
pub(crate) struct TrainingLayout {
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
pub(crate) struct Why(pub(crate) String);

impl From<Error> for Why {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

/// The value that a word names; `what` is for the message.
pub(crate) fn by_name<T: Copy>(
    what: &str,
    word: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, Why> {
    let found = all.iter().copied().find(|value| name(*value) == word);
    found.ok_or_else(|| Why(format!("there is no {what} '{word}'")))
}

pub(super) fn texts(labels: &[Label]) -> Vec<String> {
    labels.iter().map(ToString::to_string).collect()
}

pub(super) fn labels(texts: Vec<String>) -> Vec<Label> {
    texts.into_iter().map(Label::from).collect()
}

impl Body {
    pub(super) fn of(model: &Model) -> Self {
        let classifier = &model.classifier;
        Self {
            spec: model.spec.gaussian().ok().map(SpecLayout::of),
            priors: PriorsLayout::of(&model.priors),
            target: model.target.clone(),
            weights: model.weights.clone(),
            features: classifier.features().to_vec(),
            classes: texts(classifier.classes()),
            mixture: classifier.mixture().ok().map(MixtureLayout::of),
            product: ProductLayout::of(model),
            softmax: SoftmaxLayout::of(model),
            owner: (!classifier.is_one_each()).then(|| classifier.owner().to_vec()),
            loss: classifier.loss().costs().map(|costs| LossLayout::of(classifier.loss(), costs)),
            outliers: classifier.loss().outliers(),
            training: match &model.training {
                Some(Kept::Gaussian(training)) => Some(TrainingLayout::of(training)),
                Some(Kept::Product(_)) | None => None,
            },
            known: model.known,
            note: model.note.clone(),
            clustering: model.clustering.as_ref().map(ClusteringLayout::of),
            by_em: model.by_em.as_ref().map(ByEmLayout::of),
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
        let (scorer, spec, training): (Scorer, Learner, Option<Kept>) =
            match (self.mixture, self.spec, self.product, self.softmax) {
                (Some(mixture), Some(spec), None, None) => {
                    let (mixture, spec) = (mixture.into_mixture()?, spec.into_spec()?);
                    let (what, expected) = ("features", mixture.frame().dim());
                    if expected != dim {
                        return Err(Error::Shape { what, expected, found: dim }.into());
                    }
                    let training = gaussian(self.training, &spec, dim)?;
                    (mixture.into(), spec.into(), training.map(Kept::Gaussian))
                }
                (None, None, Some(product), None) if self.training.is_none() => {
                    let (product, spec, training) = product.into_parts(dim)?;
                    (product.into(), spec.into(), training.map(Kept::Product))
                }
                (None, None, None, Some(softmax)) if self.training.is_none() => {
                    let (softmax, spec) = softmax.into_parts()?;
                    (softmax.into(), spec.into(), None)
                }
                _ => return Err(Why("it holds not one model but several, or none".into())),
            };
        let classifier = match self.owner {
            Some(owner) => Classifier::owned(scorer, owner, classes, self.features, loss)?,
            None => Classifier::new(scorer, classes, self.features, loss)?,
        };
        let components = classifier.owner().len();
        let clustering = self.clustering.map(|found| found.into_clustering(components));
        let clustering = clustering.transpose()?;
        let classes = classifier.classes().len();
        let by_em = self.by_em.map(|found| found.into_by_em(classes)).transpose()?;
        Ok(Model {
            classifier,
            spec,
            priors: self.priors.into_priors(),
            target: self.target,
            weights: self.weights,
            training,
            known: self.known,
            note: self.note,
            clustering,
            by_em,
        })
    }
}

/// The moments behind a Gaussian model.
fn gaussian(
    training: Option<TrainingLayout>,
    spec: &CovarianceSpec,
    dim: usize,
) -> Result<Option<Training>, Why> {
    let training = training.map(|training| training.into_training(dim)).transpose()?;
    if let Some(held) = training.as_ref().map(Training::storage)
        && held.joined(spec.storage()) != held
    {
        let (held, needed) = (held.name(), spec.storage().name());
        return Err(Error::Storage { held, needed }.into());
    }
    Ok(training)
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
    pub(crate) fn of(training: &Training) -> Self {
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

    pub(crate) fn into_training(self, dim: usize) -> Result<Training, Why> {
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
            ..Table::default()
        };
        Ok(Training::from_parts(LabelSweep::new(storage), dim, None, tree, tail)?)
    }
}
