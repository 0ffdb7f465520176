//! Gaussian Bayesian learning: from rows to statistics, Gaussians, posteriors and decisions.
//!
//! There is no code for quadratic or linear discriminant analysis, naive Bayes or the nearest mean:
//! each is a [`CovarianceSpec`], a value. The whole way from rows to decisions:
//!
//! ```
//! use gaussbayes::{CovarianceSpec, LabelSweep, Loss, On, Pool, Posterior, Score, banana, run};
//!
//! let rows = banana(500, 1);
//! let pool = Pool::new(2)?;
//! let spec = CovarianceSpec::lda();
//!
//! // all of training: one pass over any source
//! let sweep = LabelSweep::new(spec.storage());
//! let (labels, moments) = run(&sweep, &mut rows.source(), On::pool(&pool))?.sorted();
//! let fitted = spec.estimate(&moments, &spec.default_priors(), None)?;
//!
//! // all of prediction
//! let block = rows.block(0..rows.rows())?;
//! let posterior = Posterior::from_scores(fitted.mixture.scores(&block)?);
//! let actions = Loss::zero_one(labels.len()).decide(&posterior);
//!
//! let wrong = actions.iter().enumerate().filter(|(i, action)| i % 2 != **action).count();
//! assert!((0.12..0.18).contains(&(wrong as f64 / 1000.0)));
//! # Ok::<(), gaussbayes::Error>(())
//! ```
//!
//! [`Classifier`] puts model, classes and loss together, [`Training`] keeps what more rows can join,
//! [`cross_validate`] judges. Formulas are cited by their number in `docs/math.md`.

mod boundary;
mod centroids;
mod classify;
mod cluster;
mod covariance;
mod data;
mod decide;
mod discriminative;
mod error;
mod gaussian;
mod judge;
mod learner;
mod learnt;
mod linalg;
mod mixture;
mod moments;
mod naive;
mod parameters;
mod posterior;
mod projection;
mod recipe;
mod risk;
mod rng;
mod scorer;
mod shift;
mod special;
mod sweep;
mod tolerance;
mod training;

pub use boundary::{
    Arc, Base, Boundary, Canonical, Curve, Hyperplane, Kind, Piece, Region, View, Window,
};
pub use centroids::{Centroids, class_medians};
pub use classify::{Classifier, Fitted, Prediction};
pub use cluster::{
    Assign, BayesPass, BayesPosterior, BayesPrior, BayesSpec, BayesState, Belonging, Bootstrap,
    Cell, ClassMixture, Combination, Concentration, Criteria, Criterion, EmSpec, EmStat, EmState,
    EmSweep, Entry, Event, Expectation, Figures, First, Freedom, Frozen, Hierarchy, Influence,
    Influential, Mixtures, MixturesSpec, Movement, OnEmpty, Outliers, Ownership, PartlyStat,
    PartlySweep, Pass, Precision, Restarts, Sampled, Saved, Search, SearchSpec, SemiEm, SemiFitted,
    Start, Starts, Stop, StopRule, WeightPrior, displaced, em, influences, labels_of,
    mixture_per_class, most_influential, semi_supervised, start_from, start_labelled, start_within,
    total_moments, variational,
};
pub use covariance::{
    Amount, Convergence, Covariance, CovarianceSpec, Density, Equation, Estimate, Family,
    OnSingular, Pooling, Priors, Remedy, Report, Ridge, Scaling, Sharing, Shrinkage, Target,
    rda_grid,
};
pub use data::{
    Banana, BananaCut, Block, Chain, ClassCut, Cut, Encoder, Field, Figure, Folds, Label, Labels,
    Memo, Memory, NO_LABEL, OfClass, Rows, Source, Span, Sparse, Table, banana, blobs, echo,
    rows_per_block, sort_labels, trunk,
};
pub use decide::{Action, Loss};
pub use discriminative::{
    Softmax, SoftmaxFit, SoftmaxReport, SoftmaxSpec, SoftmaxStat, SoftmaxState, softmax,
};
pub use error::{
    ColumnRefusal, Deficient, Error, FoldRefusal, OutlierRefusal, ParameterRefusal, RecipeRefusal,
    RiskRefusal, Singularity, SoftmaxRefusal,
};
pub use gaussian::Gaussian;
pub use judge::{
    Candidate, ColumnOrder, Contrast, CostCurve, CostLine, Crossing, CurvePoint, CurveSpec,
    ErrorCurve, FoldOutcome, HeldOut, JudgeSweep, Judgement, Measure, Ranking, Reliability, Roc,
    RocPoint, ScoreSweep, Scored, Trunk, adjusted_rand, contrast, cross_validate,
    cross_validate_all, feature_curve, holm, learning_curve, leave_one_out,
    leave_one_out_posterior, out_of_fold, wilson,
};
pub use learner::Learner;
pub use learnt::{Learnt, LearntReport, Size};
pub use linalg::simd::Instructions;
pub use mixture::{
    Covariances, Draw, Extent, Law, Linear, Mixture, NOISE, Noise, Quadratic, RawQuadratic, Sample,
    Score, Scores,
};
pub use moments::{Frame, Memberships, Merge, Moments, Quartic, Shape, Storage};
pub use naive::{
    Alpha, Counting, Factor, Kind as ColumnKind, Part, PartStat, Places, Product, ProductReport,
    ProductSpec, ProductStat, ProductSweep, Silence, Tally, Unseen,
};
pub use parameters::Parameters;
pub use posterior::{Posterior, log_sum_exp};
pub use projection::Projection;
pub use recipe::{Bell, Choice, Decision, Recipe, Scoring, Term, Whitener};
pub use risk::{
    Bounds, Chance, CostBounds, LinearRule, Method, Minimax, Operating, Risk, RiskOptions,
};
pub use rng::Random;
pub use scorer::Scorer;
pub use shift::{PriorShift, ShiftStat, ShiftState, prior_shift};
pub use sweep::{Control, LabelStat, LabelSweep, On, Pool, Progress, Sweep, Tree, each_block, run};
pub use training::{Gather, Training};
