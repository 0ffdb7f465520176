//! Says what a user can do about an error.

use super::Error;
use crate::covariance::Remedy;

impl Error {
    /// What a user can do about it.
    pub fn hint(&self) -> Option<String> {
        match self.root() {
            Self::Singular(singularity) => singularity.advice(Remedy::text),
            other => other.plain_hint().map(str::to_owned),
        }
    }

    fn plain_hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotFinite { .. } => "remove the row or fill the value in",
            Self::BadWeight { .. } => "weights count rows: 0 leaves a row out, 2 takes it twice",
            Self::NoRows => "give at least one row, and a weight above 0 to some",
            Self::TooFewDistinct { .. } => "ask for at most as many components as different rows",
            Self::OneClass { .. } => "a classifier needs rows of at least two classes",
            Self::NoLabels { .. } => {
                "label some rows of each class, or find clusters in them (gaussbayes cluster, GaussianMixture)"
            }
            Self::NotOneEach { .. } => {
                "predict and evaluate classify with it; a single Gaussian per class has a closed form"
            }
            Self::TooFewRows { .. } => "add rows of this class, or use ddof 0",
            Self::TooFewForDensity { .. } => {
                "add rows, leave columns out, or use plug-in densities"
            }
            Self::BadPriors { .. } | Self::Shape { what: "priors", .. } => {
                "give one prior per class, in class order, that sum to 1"
            }
            Self::Parameter(refusal) => refusal.hint(),
            Self::Outliers(refusal) => refusal.hint(),
            Self::Column(refusal) => refusal.hint(),
            Self::Softmax(refusal) => refusal.hint(),
            Self::Recipe(refusal) => refusal.hint(),
            Self::BadParameter { what: "sigma1" | "sigma2" | "r", .. } => {
                "standard deviations are above 0, and a correlation is between -1 and 1"
            }
            Self::BadCost { .. } => "costs are finite numbers; a gain is a negative cost",
            Self::TooManyClasses { .. } => "is the target a name or a measurement? name another",
            Self::BadShrinkage { .. } => "0 keeps the covariance, 1 replaces it by the target",
            Self::IdleShrinkage { .. } => "choose another target",
            Self::BadRidge { .. } => "1e-6 adds a millionth of each column's total variance",
            Self::BadThreshold { .. } => {
                "centroids are drawn in by so many standard errors; 0 draws none"
            }
            Self::BadShare { .. } => "0.01 rejects the least likely row in a hundred",
            Self::AllConstant { .. } => "give columns that differ between rows",
            Self::BadRange { .. } => "0 keeps every direction that rounding does not hide",
            Self::NotForFamily { .. } => "leave the option out, or choose another family",
            Self::DensityOptions { .. } => "leave the other options out",
            Self::NoAutomaticAmount { .. } => "give an amount between 0 and 1, or another target",
            Self::UnitsApart { .. } => {
                "standardise the columns, or choose a family that follows units"
            }
            Self::NeedsSecondPass => "read the rows from a file, or shrink by OAS",
            Self::NoEstimate { .. } => "choose a simpler family, or shrink toward diagonal",
            Self::UnknownClass { .. } => {
                "judge on rows of the classes that the model was fitted to"
            }
            Self::Folds(refusal) => refusal.hint(),
            Self::NotGaussian { .. } | Self::NotQuadratic => {
                "fit Gaussian densities: no tails, and plug-in"
            }
            Self::Risk(refusal) => refusal.hint(),
            Self::OnePass => "write the input to a file first",
            _ => return None,
        })
    }
}
