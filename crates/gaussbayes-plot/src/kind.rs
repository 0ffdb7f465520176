//! Knows the kinds of figures by the names that people type, and draws those of a classifier.

use gaussbayes::{Classifier, HeldOut, Roc, Table, View};

use crate::column::Along;
use crate::error::PlotError;
use crate::look::Look;
use crate::picture::Picture;

/// What is drawn of a model or of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Rows of two columns.
    Scatter,
    /// Decision regions.
    Regions,
    /// The posterior of a class.
    Posterior,
    /// The density of all classes.
    Density,
    /// Densities along one column.
    Densities,
    /// All pairs of columns.
    Pairs,
    /// The directions that part the classes.
    Projection,
    /// Decisions over two columns, with the others fixed.
    Slice,
    /// A linear rule and its parts.
    Linear,
    /// Posteriors of rows in a triangle.
    Simplex,
    /// The receiver operating characteristic.
    Roc,
    /// Costs of the best threshold.
    Cost,
    /// The confusion matrix.
    Confusion,
    /// Error by rows.
    Learning,
    /// Error by columns.
    Features,
    /// Columns before and after they are scaled.
    Scaling,
    /// A criterion by number of components and family.
    Bic,
    /// EM step by step.
    Em,
    /// What hangs on one row.
    Influence,
}

/// What a kind of figure needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// A classifier, saved or fitted; rows are drawn where there are any.
    Classifier,
    /// A classifier and rows whose classes are known.
    Judged,
    /// Labelled rows, and how to learn from them.
    Learner,
    /// Rows, whose classes do not matter.
    Rows,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 19] = [
        Self::Scatter,
        Self::Regions,
        Self::Posterior,
        Self::Density,
        Self::Densities,
        Self::Pairs,
        Self::Projection,
        Self::Slice,
        Self::Linear,
        Self::Simplex,
        Self::Roc,
        Self::Cost,
        Self::Confusion,
        Self::Learning,
        Self::Features,
        Self::Scaling,
        Self::Bic,
        Self::Em,
        Self::Influence,
    ];

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// What it shows, in one line.
    pub fn about(self) -> &'static str {
        self.words().1
    }

    /// What it needs.
    pub fn needs(self) -> Needs {
        match self {
            Self::Roc | Self::Cost | Self::Confusion => Needs::Judged,
            Self::Learning | Self::Features | Self::Scaling => Needs::Learner,
            Self::Bic | Self::Em | Self::Influence => Needs::Rows,
            _ => Needs::Classifier,
        }
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Scatter => ("scatter", "rows of two columns, with an ellipse for each class"),
            Self::Regions => ("regions", "which decision is taken where, and the boundaries"),
            Self::Posterior => ("posterior", "how probable a class is, over two columns"),
            Self::Density => ("density", "how dense rows of all classes are, over two columns"),
            Self::Densities => ("densities", "densities of one column, thresholds and errors"),
            Self::Pairs => ("pairs", "every pair of columns beside every other"),
            Self::Projection => ("projection", "rows on the two directions that part the classes"),
            Self::Slice => ("slice", "decisions over two columns where the others are fixed"),
            Self::Linear => ("linear", "w, w0 and the signed distance of a linear rule"),
            Self::Simplex => ("simplex", "posteriors of rows in the triangle of three classes"),
            Self::Roc => ("roc", "share found by share wrongly taken, for every threshold"),
            Self::Cost => ("cost", "what the best threshold costs, for every cost and prior"),
            Self::Confusion => ("confusion", "what rows of each class are taken for"),
            Self::Learning => ("learning", "error by the number of rows learnt from"),
            Self::Features => ("features", "error by the number of columns"),
            Self::Scaling => ("scaling", "nearest mean before and after columns are scaled"),
            Self::Bic => ("bic", "BIC by number of clusters and covariance family"),
            Self::Em => ("em", "clusters step by step; --animate for one figure that moves"),
            Self::Influence => ("influence", "how far a cluster moves as one row is pulled away"),
        }
    }
}

/// A classifier with the rows that are drawn, and where one looks.
#[derive(Debug, Clone)]
pub struct Subject<'a> {
    /// The classifier.
    pub rule: &'a Classifier,
    /// Rows, where there are any.
    pub rows: Option<&'a Table>,
    /// The columns that axes show; none for the first.
    pub columns: Option<Vec<usize>>,
    /// Where the other columns are fixed in a slice; none for the centre of the model.
    pub at: Option<Vec<f64>>,
    /// The classes that are meant; none for all, or for the last where the figure shows one.
    pub classes: Option<Vec<usize>>,
    /// How it looks; what part of the columns is seen follows from the fields above.
    pub look: Look,
}

impl Subject<'_> {
    /// Draws a figure of a kind that needs a classifier.
    ///
    /// # Errors
    /// What the figure refuses; [`PlotError::Nothing`] where it shows rows and there are none.
    pub fn draw(&self, kind: Kind) -> Result<Picture, PlotError> {
        let (rule, rows) = (self.rule, self.rows);
        let needed = || rows.ok_or(PlotError::Nothing { what: "rows" });
        match kind {
            Kind::Scatter => {
                crate::scatter(Some(rule), needed()?, rule.features(), &self.look(false)?)
            }
            Kind::Posterior => {
                crate::posterior(rule, self.class(), rows, &self.look(self.at.is_some())?)
            }
            Kind::Density => crate::density(rule, rows, &self.look(false)?),
            Kind::Densities => crate::densities(rule, rows, self.along()),
            Kind::Pairs => crate::pairs(Some(rule), rows, rule.features(), &self.look),
            Kind::Projection => crate::projection(rule, rows, &self.look),
            Kind::Slice => crate::regions(rule, rows, &self.look(true)?),
            Kind::Linear => crate::linear_rule(rule, rows),
            Kind::Simplex => crate::simplex(rule, needed()?, self.classes.as_deref()),
            _ => crate::regions(rule, rows, &self.look(false)?),
        }
    }

    /// The class that a figure of one shows.
    fn class(&self) -> usize {
        let last = self.rule.classes().len().saturating_sub(1);
        self.classes.as_ref().and_then(|classes| classes.first().copied()).unwrap_or(last)
    }

    /// The column whose densities are drawn; of several the direction that parts the classes.
    fn along(&self) -> Along {
        match self.columns.as_deref() {
            Some([column, ..]) => Along::Column(*column),
            _ if self.rule.features().len() == 1 => Along::Column(0),
            _ => Along::Direction,
        }
    }

    /// Looks at two columns, with the others fixed or unknown.
    fn look(&self, slice: bool) -> Result<Look, PlotError> {
        let features = self.rule.features().len();
        let columns = match self.columns.as_deref() {
            None => [0, 1],
            Some(&[across, upward]) => [across, upward],
            Some(other) => {
                let (what, found) = ("columns", other.len());
                return Err(PlotError::Count { what, expected: 2, found });
            }
        };
        let view = match (features, slice) {
            (0..=2, _) if columns == [0, 1] => View::Whole,
            (_, true) => View::Slice { columns, at: self.at.clone() },
            (_, false) => View::Projection { columns },
        };
        Ok(Look { view, ..self.look.clone() })
    }
}

/// The curves of scored rows, each class against the rest; of two classes that of the second alone.
///
/// # Errors
/// [`PlotError::OneSided`] where all rows have a class that is asked for, or none.
pub fn rocs(held: &HeldOut, classes: Option<&[usize]>) -> Result<Vec<(String, Roc)>, PlotError> {
    let count = held.classes().len();
    let usual: Vec<usize> = if count == 2 { vec![1] } else { (0..count).collect() };
    let curve = |&k: &usize| {
        let class = held.classes()[k].to_string();
        let roc = held.roc(k).ok_or_else(|| PlotError::OneSided { class: class.clone() })?;
        Ok((class, roc))
    };
    classes.unwrap_or(&usual).iter().map(curve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name_alone() {
        for kind in Kind::ALL {
            assert_eq!(Kind::named(kind.name()), Some(kind));
            assert!(!kind.about().is_empty() && !kind.about().ends_with('.'));
        }
        assert_eq!(Kind::named("region"), None);
    }
}
