//! Holds where the fit of a softmax stands, and takes it one pass on \[M80\].

use super::model::Softmax;
use super::newton::{Newton, Penalty, centre, newton};
use super::report::{SoftmaxFit, SoftmaxReport};
use super::spec::SoftmaxSpec;
use super::sweep::{SoftmaxStat, SoftmaxSweep};
use crate::covariance::{CovarianceSpec, Priors};
use crate::data::{Label, Source};
use crate::error::{Error, SoftmaxRefusal};
use crate::moments::{Frame, Moments, Shape, Storage, ldexp};
use crate::sweep::{LabelStat, LabelSweep, On, run};
use crate::tolerance::{
    CURVATURE_MAX, FALL_ROUNDING, SEPARABLE_GAIN, SOFTMAX_GAIN, SOFTMAX_PENALTY_EXPONENT,
};

/// Where the fit stands: everything that the next pass depends on, but for the rows.
#[derive(Debug, Clone)]
pub struct SoftmaxState {
    spec: SoftmaxSpec,
    classes: Vec<Label>,
    /// Weight of each class.
    weights: Vec<f64>,
    /// Origin at the mean of all rows, units near their deviations.
    frame: Frame,
    /// Columns with spread.
    columns: Vec<usize>,
    penalty: Penalty,
    /// What the next pass looks at: intercept and coefficients, class by class.
    trial: Vec<f64>,
    /// The best so far; none before the first pass.
    best: Option<Best>,
    converged: bool,
    iterations: u32,
}

/// Coefficients that a pass has accepted.
#[derive(Debug, Clone)]
struct Best {
    at: Vec<f64>,
    loss: f64,
    penalty: f64,
    rows: u64,
    separable: bool,
    moved: f64,
    newton: Newton,
}

impl SoftmaxState {
    /// What the first pass over the rows must keep.
    pub fn storage(spec: &SoftmaxSpec) -> Storage {
        if spec.is_unpenalised() { Storage::Shared } else { Storage::Diagonal }
    }

    /// Starts from what the first pass found: the shares of the classes, and no column counts yet.
    ///
    /// # Errors
    /// What [`SoftmaxSpec::check`] refuses; [`Error::NoRows`], [`Error::OneClass`];
    /// [`SoftmaxRefusal::TooLarge`], and [`SoftmaxRefusal::Collinear`] without a penalty.
    pub fn new(spec: SoftmaxSpec, stat: LabelStat) -> Result<Self, Error> {
        spec.check()?;
        let (classes, moments) = stat.without_empty().sorted();
        match classes.as_slice() {
            [] => return Err(Error::NoRows),
            [class] => return Err(Error::OneClass { class: class.to_string() }),
            _ => {}
        }
        let (frame, columns) = place(&moments)?;
        let width = columns.len() + 1;
        let numbers = Shape::Full.len((classes.len() - 1).saturating_mul(width));
        if numbers.is_none_or(|numbers| numbers > CURVATURE_MAX) {
            let (classes, columns) = (classes.len(), columns.len());
            let (numbers, most) = (numbers.unwrap_or(usize::MAX), CURVATURE_MAX);
            return Err(SoftmaxRefusal::TooLarge { classes, columns, numbers, most }.into());
        }
        if spec.is_unpenalised() {
            refuse_collinear(&moments, columns.len())?;
        }
        let of_column = |&j: &usize| {
            let most = ldexp(1.0, SOFTMAX_PENALTY_EXPONENT);
            ldexp(spec.penalty, -2 * frame.exponent()[j]).min(most)
        };
        let penalty = Penalty::new(columns.iter().map(of_column), classes.len());
        let weights = moments.weight().to_vec();
        let mut trial = vec![0.0; classes.len() * width];
        trial.iter_mut().step_by(width).zip(&weights).for_each(|(b, n)| *b = n.ln());
        centre(&mut trial, classes.len());
        Ok(Self {
            spec,
            classes,
            weights,
            frame,
            columns,
            penalty,
            trial,
            best: None,
            converged: false,
            iterations: 0,
        })
    }

    /// The pass over the rows that this state asks for.
    pub(super) fn sweep<'a>(&'a self, step: Option<&'a [f64]>) -> SoftmaxSweep<'a> {
        SoftmaxSweep {
            classes: &self.classes,
            frame: &self.frame,
            columns: &self.columns,
            at: &self.trial,
            step,
        }
    }

    /// The step that leads to what is looked at.
    pub(super) fn latest(&self) -> Option<Vec<f64>> {
        let best = self.best.as_ref()?;
        Some(self.trial.iter().zip(&best.at).map(|(to, from)| to - from).collect())
    }

    /// The classes, sorted as scikit-learn sorts them.
    pub fn classes(&self) -> &[Label] {
        &self.classes
    }

    /// Newton steps so far.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Whether nothing is left to do: converged, or out of steps.
    pub fn is_done(&self) -> bool {
        let out = self.iterations >= self.spec.max_iterations;
        self.converged || (self.best.is_some() && out)
    }

    /// The statistic of some rows at the coefficients that are looked at. Those of other rows merge with it.
    ///
    /// # Errors
    /// What the source or its rows refuse; [`Error::UnknownClass`] for one that the first pass did not see.
    pub fn partial<S: Source>(&self, source: &mut S, on: On<'_>) -> Result<SoftmaxStat, S::Error> {
        run(&self.sweep(self.latest().as_deref()), source, on)
    }

    /// Takes the step that the statistic of all rows has looked at, or a shorter one, and finds the next \[M80\].
    ///
    /// # Errors
    /// [`SoftmaxRefusal::Separable`] without a penalty.
    pub fn step(&mut self, stat: &SoftmaxStat) -> Result<(), Error> {
        let penalty = self.penalty.at(&self.trial);
        let moved = stat.margins.farthest;
        if let Some(best) = &self.best {
            let (before, after) = (best.loss + best.penalty, stat.loss + penalty);
            let enough = before - SOFTMAX_GAIN * best.newton.decrement + FALL_ROUNDING * before;
            // Up to a change of one a whole step is sure to gain; beyond it, this share of it is.
            if moved > 1.0 && after > enough {
                let share = moved.ln_1p() / moved;
                let shorter = |(to, from): (&mut f64, &f64)| *to = from + share * (*to - from);
                self.trial.iter_mut().zip(&best.at).for_each(shorter);
                return Ok(());
            }
        }
        let unpenalised = self.spec.is_unpenalised();
        let separable = stat.margins.all_apart();
        let flat = self.best.as_ref().is_some_and(|best| {
            best.newton.decrement <= SEPARABLE_GAIN * stat.least_weight && stat.margins.drift()
        });
        if unpenalised && (separable || flat) {
            return Err(stat.margins.refusal(&self.classes).into());
        }
        let found = newton(stat, &self.trial, &self.penalty, self.reference());
        let Some(newton) = found.filter(|newton| !(newton.ridged && unpenalised)) else {
            return Err(stat.margins.refusal(&self.classes).into());
        };
        let first = self.best.is_none();
        self.iterations += u32::from(!first);
        self.converged = !first && moved <= self.spec.tolerance && !newton.ridged;
        let at = self.trial.clone();
        self.trial.iter_mut().zip(&newton.step).for_each(|(at, step)| *at += step);
        let (loss, rows) = (stat.loss, stat.rows);
        self.best = Some(Best { at, loss, penalty, rows, separable, moved, newton });
        Ok(())
    }

    /// The class whose coefficients the others are counted from: the heaviest has the most to say of them.
    fn reference(&self) -> usize {
        crate::decide::arg_best(self.weights.len(), |k| self.weights[k])
    }

    /// The coefficients so far, and how the fit went. The last step needs no pass: it is of the order of rounding.
    ///
    /// # Errors
    /// [`Error::NoRows`] before the first pass; [`Error::BadParameter`] for coefficients beyond all measure.
    pub fn fit(&self) -> Result<SoftmaxFit, Error> {
        let best = self.best.as_ref().ok_or(Error::NoRows)?;
        let at = if self.converged { &self.trial } else { &best.at };
        let (dim, width) = (self.frame.dim(), self.columns.len() + 1);
        let mut coefficients = vec![0.0; self.classes.len() * dim];
        for (all, some) in coefficients.chunks_exact_mut(dim).zip(at.chunks_exact(width)) {
            self.columns.iter().zip(&some[1..]).for_each(|(&j, w)| all[j] = *w);
        }
        let intercepts = at.iter().copied().step_by(width).collect();
        let priors = Priors::Observed.resolve(&self.weights)?;
        let weight: f64 = self.weights.iter().sum();
        let null: f64 = self.weights.iter().map(|n| n * (weight / n).ln()).sum();
        let report = SoftmaxReport {
            iterations: self.iterations,
            converged: self.converged,
            separable: best.separable,
            log_likelihood: -best.loss,
            deviance: 2.0 * best.loss,
            null_deviance: 2.0 * null,
            penalty: best.penalty,
            gap: 0.5 * best.newton.decrement,
            moved: best.moved,
            parameters: (self.classes.len() - 1) * width,
            constant: (0..dim).filter(|j| !self.columns.contains(j)).collect(),
            rows: best.rows,
            weight,
        };
        let softmax = Softmax::new(self.frame.clone(), coefficients, intercepts, priors)?;
        Ok(SoftmaxFit { softmax, labels: self.classes.clone(), report })
    }
}

/// The frame about the mean of all rows, in units near their deviations, and the columns that have any.
fn place(moments: &Moments) -> Result<(Frame, Vec<usize>), Error> {
    let total = moments.total();
    let settled = total.frame().settled();
    let floors: Vec<f64> = total.resolution(0, &settled).collect();
    let mut deviations = total.deviations(&settled)?;
    for (deviation, floor) in deviations.iter_mut().zip(floors) {
        if *deviation <= floor {
            *deviation = 0.0;
        }
    }
    let columns = (0..deviations.len()).filter(|&j| deviations[j] > 0.0).collect();
    let mean: Vec<f64> = total.mean_in(0, &settled).collect();
    Ok((settled.about(&mean, &deviations), columns))
}

/// Refuses columns with spread of which one follows from others: coefficients could be shifted between them.
fn refuse_collinear(moments: &Moments, spread: usize) -> Result<(), Error> {
    match CovarianceSpec::qda().estimate(&moments.total(), &Priors::Uniform, None) {
        Err(Error::Singular(singularity)) => match singularity.covariances.into_iter().next() {
            Some(deficient) if deficient.rank < spread => {
                Err(SoftmaxRefusal::Collinear(Box::new(deficient)).into())
            }
            _ => Ok(()),
        },
        other => other.map(|_| ()),
    }
}

/// Fits a softmax to a source: one pass for classes and units, then one for each step.
///
/// # Errors
/// What the source or its rows refuse, and what [`SoftmaxState`] refuses; [`Error::OnePass`] where the source cannot
/// be read again.
pub fn softmax<S: Source>(
    spec: &SoftmaxSpec,
    source: &mut S,
    on: On<'_>,
) -> Result<SoftmaxFit, S::Error> {
    softmax_named(spec, &[], source, on)
}

/// The same, with the names of features in what is refused.
pub(crate) fn softmax_named<S: Source>(
    spec: &SoftmaxSpec,
    features: &[String],
    source: &mut S,
    on: On<'_>,
) -> Result<SoftmaxFit, S::Error> {
    spec.check()?;
    let stat = run(&LabelSweep::new(SoftmaxState::storage(spec)), source, on)?;
    let mut state = SoftmaxState::new(*spec, stat).map_err(|error| error.named(&[], features))?;
    while !state.is_done() {
        source.rewind()?;
        let stat = state.partial(source, on)?;
        state.step(&stat)?;
    }
    Ok(state.fit()?)
}
