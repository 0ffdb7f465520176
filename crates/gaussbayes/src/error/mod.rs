//! Says what can go wrong, with the numbers and names that a person needs to mend it.

mod columns;
mod folds;
mod hint;
mod names;
mod outliers;
mod parameter;
mod recipe;
mod risk;
mod singular;
mod softmax;
mod words;

pub use columns::ColumnRefusal;
pub use folds::FoldRefusal;
pub use outliers::OutlierRefusal;
pub use parameter::ParameterRefusal;
pub use recipe::RecipeRefusal;
pub use risk::RiskRefusal;
pub use singular::{Deficient, Singularity};
pub use softmax::SoftmaxRefusal;
use words::class_name;
pub(crate) use words::{feature_name, number};

/// Everything that the library refuses, each variant with its evidence.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value that is not a finite number; `row` counts from 0.
    #[error("row {}, column {}: {value} is not a finite number", row + 1, column + 1)]
    NotFinite {
        /// Row, counted from 0 over the whole source.
        row: u64,
        /// Column, counted from 0 among the features.
        column: usize,
        /// What stands there.
        value: f64,
    },
    /// A weight that is negative, not finite, or too small or large to be summed up.
    #[error("row {}: weight {} is neither 0 nor between 1e-150 and 1e150", row + 1, number(*value))]
    BadWeight {
        /// Row, counted from 0 over the whole source.
        row: u64,
        /// The weight found.
        value: f64,
    },
    /// A row without a label where every row needs one.
    #[error("row {}: the row has no label", row + 1)]
    NoLabel {
        /// Row, counted from 0 over the whole source.
        row: u64,
    },
    /// Slices whose lengths do not fit together.
    #[error("{what}: {found} values where {expected} are needed")]
    Shape {
        /// What was measured.
        what: &'static str,
        /// Values that are needed.
        expected: usize,
        /// Values that were given.
        found: usize,
    },
    /// No row with a positive weight.
    #[error("there are no rows with a positive weight")]
    NoRows,
    /// Fewer different rows than components to start at them.
    #[error(
        "{components} components cannot start from {rows} rows of which {distinct} are different"
    )]
    TooFewDistinct {
        /// Different rows.
        distinct: usize,
        /// Rows of positive weight.
        rows: u64,
        /// Components asked for.
        components: usize,
    },
    /// A classifier needs at least two classes.
    #[error("there is only one class, '{class}'")]
    OneClass {
        /// The only class.
        class: String,
    },
    /// A class with too little weight for the divisor asked for.
    #[error("{} has weight {}, but its divisor n - {ddof} must be positive", component.map_or("all classes together".into(), |k| class_name(class.as_deref(), k)), number(*weight))]
    TooFewRows {
        /// Component, counted from 0; `None` for all of them together.
        component: Option<usize>,
        /// Name of the class, once it is known.
        class: Option<String>,
        /// Its summed weight.
        weight: f64,
        /// What is subtracted from it.
        ddof: f64,
    },
    /// Too little weight for a density that knows of its degrees of freedom.
    #[error("{} weight {}, but a {density} density needs more than {}", component.map_or("all classes together have".into(), |k| format!("{} has", class_name(class.as_deref(), k))), number(*weight), number(*least))]
    TooFewForDensity {
        /// Component, counted from 0; `None` for all of them together.
        component: Option<usize>,
        /// Name of the class, once it is known.
        class: Option<String>,
        /// The density.
        density: &'static str,
        /// The summed weight.
        weight: f64,
        /// What it must be more than.
        least: f64,
    },
    /// Covariances that have no inverse.
    #[error("{0}")]
    Singular(Singularity),
    /// Known parameters that make no model.
    #[error("{0}")]
    Parameter(ParameterRefusal),
    /// Priors that are no distribution.
    #[error("priors must be finite, at least 0 and sum to 1{}", if *sum == 1.0 { ", but one is not".into() } else { format!(", but sum to {}", number(*sum)) })]
    BadPriors {
        /// Their sum.
        sum: f64,
    },
    /// A shrinkage outside [0, 1].
    #[error("shrinkage {value} is not between 0 and 1")]
    BadShrinkage {
        /// The value given.
        value: f64,
    },
    /// A ridge below 0 or beyond all measure.
    #[error("ridge {} is not between 0 and {}", number(*value), number(*most))]
    BadRidge {
        /// The value given.
        value: f64,
        /// The largest there is.
        most: f64,
    },
    /// Outliers that cannot be told.
    #[error(transparent)]
    Outliers(#[from] OutlierRefusal),
    /// What is wrong with a column.
    #[error(transparent)]
    Column(#[from] ColumnRefusal),
    /// Softmax regression that has no answer.
    #[error(transparent)]
    Softmax(#[from] SoftmaxRefusal),
    /// A model that cannot be written down for other programs.
    #[error(transparent)]
    Recipe(#[from] RecipeRefusal),
    /// A class that is not one Gaussian, where that is needed.
    #[error(
        "class '{class}' is not one Gaussian: there is no closed form for its boundary and error"
    )]
    NotOneEach {
        /// The class.
        class: String,
    },
    /// A guard against collapse that is no share.
    #[error("guard {} against collapse is not at least 0 and below 1", number(*value))]
    BadGuard {
        /// The value given.
        value: f64,
    },
    /// A tolerance of a stop rule that is no number of at least 0.
    #[error("tolerance {value} is not a number of at least 0")]
    BadTolerance {
        /// The value given.
        value: f64,
    },
    /// An option that EM does not take.
    #[error("EM takes no {what}")]
    NotInEm {
        /// The option.
        what: &'static str,
    },
    /// A threshold of a range that could leave no direction.
    #[error("threshold {} of a range is not at least 0 and below 1", number(*value))]
    BadRange {
        /// The value given.
        value: f64,
    },
    /// A threshold of centroids below 0.
    #[error("threshold {} is not a number of at least 0", number(*value))]
    BadThreshold {
        /// The value given.
        value: f64,
    },
    /// A share of rows to reject that is none.
    #[error("share {} of rows to reject is not between 0.001 and 1", number(*value))]
    BadShare {
        /// The value given.
        value: f64,
    },
    /// Columns of which none tells any two rows apart.
    #[error("no column of {columns} has spread: all rows are the same")]
    AllConstant {
        /// Columns.
        columns: usize,
    },
    /// An option that makes no sense for a family.
    #[error("family {family} takes no {what}")]
    NotForFamily {
        /// The option.
        what: &'static str,
        /// The family.
        family: &'static str,
    },
    /// A density that integrates parameters out, with parameters that are not plain estimates.
    #[error(
        "a {density} density takes covariances as they are estimated: no shrinkage, ridge, pooling but by size, or range"
    )]
    DensityOptions {
        /// The density.
        density: &'static str,
    },
    /// Automatic shrinkage toward what has no rule for it.
    #[error("there is no automatic amount of shrinkage toward {target}")]
    NoAutomaticAmount {
        /// Where to.
        target: &'static str,
    },
    /// Columns whose units are so far apart that axes across both have no digits left.
    #[error("{} varies more than 1e8 times as much as {}, too much for family {family}, whose axes mix columns", feature_name(features, *wide), feature_name(features, *narrow))]
    UnitsApart {
        /// The family.
        family: &'static str,
        /// The widest column, counted from 0.
        wide: usize,
        /// The narrowest column, counted from 0.
        narrow: usize,
        /// Names of the columns, once they are known.
        features: Vec<String>,
    },
    /// Statistics that need another look at the rows.
    #[error("Ledoit-Wolf shrinkage needs fourth moments, which take a second pass over the rows")]
    NeedsSecondPass,
    /// An iteration that left the range of numbers.
    #[error("family {family} has no estimate for these rows")]
    NoEstimate {
        /// The family.
        family: &'static str,
    },
    /// Shrinkage toward what the family is already.
    #[error("shrinkage toward {target} changes nothing for family {family}")]
    IdleShrinkage {
        /// Where to.
        target: &'static str,
        /// The family.
        family: &'static str,
    },
    /// Moments that hold less than a specification needs.
    #[error("these moments hold {held} scatter, but {needed} scatter is needed")]
    Storage {
        /// What the moments hold.
        held: &'static str,
        /// What the specification needs.
        needed: &'static str,
    },
    /// A cost that is no number, or too large to be compared.
    #[error("the cost of action {} for class {} is {}, not a number within ±1e150", action + 1, class + 1, number(*value))]
    BadCost {
        /// True class, counted from 0.
        class: usize,
        /// Action, counted from 0.
        action: usize,
        /// The cost found.
        value: f64,
    },
    /// Rows of which none has a label, where some must.
    #[error("none of {rows} rows has a label")]
    NoLabels {
        /// Rows of positive weight.
        rows: u64,
    },
    /// A mixture of one class that is refused.
    #[error("class '{class}': {error}")]
    InClass {
        /// The class.
        class: String,
        /// Why.
        error: Box<Self>,
    },
    /// A label that the classifier does not know.
    #[error("class '{class}' is not known to the model")]
    UnknownClass {
        /// The label found.
        class: String,
    },
    /// A fit without one row that is refused.
    #[error("with row {} left out: {error}", row + 1)]
    WithoutRow {
        /// Row, counted from 0 over the whole source.
        row: u64,
        /// Why.
        error: Box<Self>,
    },
    /// A fit without one fold that is refused.
    #[error("with fold {} left out: {error}", fold + 1)]
    WithoutFold {
        /// Fold, counted from 0.
        fold: usize,
        /// Why.
        error: Box<Self>,
    },
    /// Folds, or places on a curve, that cannot be made.
    #[error(transparent)]
    Folds(#[from] FoldRefusal),
    /// Parameters of a model that make no Gaussian.
    #[error("{what} of component {}: {} is out of range", component + 1, number(*value))]
    BadParameter {
        /// Which parameter.
        what: &'static str,
        /// Component, counted from 0.
        component: usize,
        /// The value found.
        value: f64,
    },
    /// Something that only Gaussians have, asked of densities with another law.
    #[error(
        "{what} are known of Gaussian densities only, not of Student, predictive or debiased ones"
    )]
    NotGaussian {
        /// What was asked for.
        what: &'static str,
    },
    /// A row whose scores left the range of numbers, which takes a model that no data have.
    #[error("row {}: the model has no finite score for it", row + 1)]
    NoScore {
        /// Row, counted from 0 over the whole source.
        row: u64,
    },
    /// A component without any weight.
    #[error("{} has no weight", class_name(class.as_deref(), *component))]
    Empty {
        /// Component, counted from 0.
        component: usize,
        /// Name of the class, once it is known.
        class: Option<String>,
    },
    /// So many classes that their scatter cannot be kept.
    #[error("there are {classes} classes or more, too many for {columns} columns")]
    TooManyClasses {
        /// Classes seen so far.
        classes: usize,
        /// Columns.
        columns: usize,
    },
    /// A source that can be read once only.
    #[error("this input can be read only once, but a second pass is needed")]
    OnePass,
    /// Chances of a rule's actions that cannot be computed.
    #[error("{0}")]
    Risk(RiskRefusal),
    /// An action that the loss does not have.
    #[error("there is no action {}: the loss has {actions}", action + 1)]
    UnknownAction {
        /// Action, counted from 0.
        action: usize,
        /// Actions of the loss.
        actions: usize,
    },
    /// A column that the model does not have, or that was named twice.
    #[error("column {} is named twice, or is none of {columns}", column + 1)]
    BadColumn {
        /// Column, counted from 0.
        column: usize,
        /// Columns of the model.
        columns: usize,
    },
    /// A window without any extent.
    #[error("a window from {} to {} has no extent", number(*low), number(*high))]
    BadWindow {
        /// Where it begins.
        low: f64,
        /// Where it ends.
        high: f64,
    },
    /// Densities whose logarithm is no quadratic function of the row.
    #[error("boundaries need class densities whose logarithm is quadratic")]
    NotQuadratic,
    /// The control asked to stop.
    #[error("cancelled after {rows} rows")]
    Cancelled {
        /// Rows read until then.
        rows: u64,
    },
    /// Threads that could not be started.
    #[error("could not start {threads} threads")]
    Threads {
        /// Threads asked for.
        threads: usize,
    },
}
