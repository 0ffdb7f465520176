//! Gives Python pictures of models and rows: SVG, PNG, and layers that any other program can draw.

use std::path::PathBuf;

use gaussbayes::{
    Action, Classifier, HeldOut, JudgeSweep, Judgement, Label, NO_LABEL, Sampled, ScoreSweep,
    Table, run,
};
use gaussbayes_io::write_atomically;
use gaussbayes_plot::{
    Arrangement, Kind, Look, Needs, PlotError, RocLook, Sheet, Subject, Theme, confusion_of,
    cost_curve, roc, rocs,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::failure::Failure;
use crate::input::{AnySource, Input};
use crate::model::Model;
use crate::panels;
use crate::spec::named;

/// Decides which rows are drawn where there are too many.
const SEED: u64 = 1;

/// A figure: panels, and what is said about them.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug)]
pub(crate) struct Picture(pub(crate) gaussbayes_plot::Picture);

#[pymethods]
impl Picture {
    #[getter]
    fn title(&self) -> &str {
        &self.0.title
    }

    /// What is to be seen, for those who cannot look.
    #[getter]
    fn description(&self) -> &str {
        &self.0.description
    }

    /// What to notice.
    #[getter]
    fn caption(&self) -> &str {
        &self.0.caption
    }

    /// What was left out or thinned.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    /// Panels of a line; none where they follow each other at one place.
    #[getter]
    fn columns(&self) -> Option<usize> {
        match self.0.arrangement {
            Arrangement::Grid { columns } => Some(columns.max(1)),
            Arrangement::Frames { .. } => None,
        }
    }

    /// The picture as SVG; `id` begins every id in it.
    fn svg(&self, py: Python<'_>, theme: &str, id: String) -> PyResult<String> {
        let theme = self::theme(theme)?;
        Ok(py.detach(|| self.0.svg(&Sheet { theme, id, inline: false })))
    }

    /// The picture as PNG, so many pixels of it to one of the SVG.
    fn png<'py>(&self, py: Python<'py>, theme: &str, scale: f64) -> PyResult<Bound<'py, PyBytes>> {
        let theme = self::theme(theme)?;
        let bytes = py.detach(|| self.0.png(theme, scale)).map_err(Failure::from)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Panels as dictionaries: axes, and layers from the back to the front.
    fn panels<'py>(&self, py: Python<'py>, dark: bool) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.0.panels.iter().map(|panel| panels::panel(py, panel, dark)).collect()
    }

    /// Lines of the key as dictionaries.
    fn key<'py>(&self, py: Python<'py>, dark: bool) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.0.key.iter().map(|key| panels::key(py, key, dark)).collect()
    }

    /// The colour of text, and that of paper.
    #[staticmethod]
    fn paper(dark: bool) -> (String, String) {
        use gaussbayes_plot::Ink;
        (panels::hex(Ink::Text, dark), panels::hex(Ink::Paper, dark))
    }
}

fn theme(name: &str) -> PyResult<Theme> {
    named("theme", name, &[Theme::Light, Theme::Dark, Theme::Auto], |theme| match theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
        Theme::Auto => "auto",
    })
}

/// What is drawn of a model beside itself.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Wanted {
    kind: String,
    /// What classes are called in the figure.
    names: Vec<String>,
    columns: Option<Vec<usize>>,
    at: Option<Vec<f64>>,
    classes: Option<Vec<usize>>,
    /// Rows that are drawn at most.
    rows: usize,
    /// Whether rows are drawn as the classes that the model gives them to.
    assigned: bool,
}

/// A picture of a model, and of rows where there are any.
#[pyfunction]
#[pyo3(signature = (model, wanted, x = None, y = None))]
pub(crate) fn picture(
    py: Python<'_>,
    model: &Model,
    wanted: Wanted,
    x: Option<&Bound<'_, PyAny>>,
    y: Option<&Bound<'_, PyAny>>,
) -> PyResult<Picture> {
    let rule = &model.inner.classifier;
    let kind = kind(&wanted.kind)?;
    let Some(x) = x else {
        let shown = wanted.renamed(rule)?;
        let drawn = py.detach(|| match kind.needs() {
            Needs::Judged => Err(PlotError::Nothing { what: "rows of known classes" }),
            _ => wanted.drawn(kind, &shown, None),
        });
        return Ok(Picture(drawn.map_err(Failure::from)?));
    };
    let drawn = Input::labelled(x, y, None).over(|source, on| match kind {
        Kind::Confusion => {
            let judged: Judgement = run(&JudgeSweep(rule), source, on)?;
            let judged = judged.checked()?;
            Ok(confusion_of(&wanted.labels(), judged.actions(), &judged.confusion())?)
        }
        Kind::Roc | Kind::Cost => {
            let held: HeldOut = run(&ScoreSweep(rule), source, on)?;
            wanted.curves(kind, &held)
        }
        _ => wanted.of_rows(kind, rule, source, on),
    })?;
    Ok(Picture(drawn))
}

fn kind(name: &str) -> PyResult<Kind> {
    let drawn: Vec<Kind> = Kind::ALL
        .into_iter()
        .filter(|kind| matches!(kind.needs(), Needs::Classifier | Needs::Judged))
        .collect();
    named("kind", name, &drawn, Kind::name)
}

impl Wanted {
    /// The same classifier with the names that classes have in the figure.
    fn renamed(&self, rule: &Classifier) -> Result<Classifier, Failure> {
        let (model, owner) = (rule.model().clone(), rule.owner().to_vec());
        let (features, loss) = (rule.features().to_vec(), rule.loss().clone());
        Ok(Classifier::owned(model, owner, self.labels(), features, loss)?)
    }

    fn labels(&self) -> Vec<Label> {
        self.names.iter().map(|name| Label::from(name.clone())).collect()
    }

    fn of_rows(
        &self,
        kind: Kind,
        rule: &Classifier,
        source: &mut AnySource<'_>,
        on: gaussbayes::On<'_>,
    ) -> Result<gaussbayes_plot::Picture, Failure> {
        let sampled = Sampled::draw(source, self.rows, SEED, on)?;
        let mut table = sampled.table().clone();
        if self.assigned {
            assign(rule, &mut table)?;
        }
        let shown = self.renamed(rule)?;
        for label in &mut table.dictionary {
            if let Some(k) = rule.classes().iter().position(|class| class == label) {
                *label = shown.classes()[k].clone();
            }
        }
        let mut picture = self.drawn(kind, &shown, Some(&table))?;
        let (drawn, seen) = (table.rows() as u64, sampled.seen());
        if drawn < seen {
            picture.notes.push(format!("{drawn} of {seen} rows, drawn at random"));
        }
        Ok(picture)
    }

    fn drawn(
        &self,
        kind: Kind,
        rule: &Classifier,
        rows: Option<&Table>,
    ) -> Result<gaussbayes_plot::Picture, PlotError> {
        // Classes that rows are assigned to are components.
        let title = (self.assigned && kind == Kind::Scatter).then(|| "Rows by component".into());
        let usual = Look::default();
        let subject = Subject {
            rule,
            rows,
            columns: self.columns.clone(),
            at: self.at.clone(),
            classes: self.classes.clone(),
            look: Look { most: usual.most.min(self.rows), title, ..usual },
        };
        subject.draw(kind)
    }

    fn curves(&self, kind: Kind, held: &HeldOut) -> Result<gaussbayes_plot::Picture, Failure> {
        let mut curves = rocs(held, self.classes.as_deref())?;
        for (name, _) in &mut curves {
            let place = held.classes().iter().position(|class| class.as_str() == name);
            name.clone_from(&self.names[place.unwrap_or(0)]);
        }
        if kind == Kind::Roc {
            return Ok(roc(&curves, &RocLook::default())?);
        }
        let costs: Vec<_> =
            curves.into_iter().map(|(name, roc)| (name, roc.cost_curve())).collect();
        Ok(cost_curve(&costs)?)
    }
}

/// Gives each row the class that the model decides for.
fn assign(rule: &Classifier, table: &mut Table) -> Result<(), Failure> {
    let actions = rule.actions(&table.block(0..table.rows())?)?;
    let code = |action: &usize| match rule.loss().actions()[*action] {
        Action::Class(k) => k as u32,
        Action::Reject => NO_LABEL,
    };
    table.codes = Some(actions.iter().map(code).collect());
    table.dictionary = rule.classes().to_vec();
    Ok(())
}

/// Writes a file, whole or not at all.
#[pyfunction]
pub(crate) fn write_file(py: Python<'_>, path: PathBuf, bytes: &[u8]) -> PyResult<()> {
    Ok(py.detach(|| write_atomically(&path, bytes)).map_err(Failure::from)?)
}
