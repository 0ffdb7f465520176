//! Saves a search for mixtures between two passes, and takes it up where the same run left it.

use std::path::Path;

use gaussbayes::{Cell, Criteria, Criterion, Entry, Family, Search, Start};
use serde::{Deserialize, Serialize};

use crate::atomic::write_atomically;
use crate::envelope::{Envelope, Fault};
use crate::error::Error;
use crate::model::em::StateLayout;
use crate::model::layout::{Why, by_name};

/// What every checkpoint begins with.
const ENVELOPE: Envelope = Envelope { format: "gaussbayes search", version: 1, key: "search" };

/// What a run must have in common with the one that left a checkpoint: names, and what they were.
pub type Settings = Vec<(String, String)>;

/// One iteration as it is kept of a trajectory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TracePoint {
    /// The iteration, counted from 1.
    pub iteration: u32,
    /// Log-likelihood of the parameters before it.
    pub log_likelihood: f64,
    /// What the M-step raises, at the parameters before it.
    pub functional: f64,
    /// The same at the parameters after it.
    pub raised: Option<f64>,
    /// What the stop rule measured.
    pub change: Option<f64>,
    /// Weights of the components after it; none where they are not kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f64>,
    /// Their means.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub means: Vec<Vec<f64>>,
    /// The share of noise, where there is any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<f64>,
    /// Degrees of freedom of the components, where they have tails.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub freedom: Vec<f64>,
}

/// A search between two passes, and whose it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// What tells the run from others: data and settings.
    pub settings: Settings,
    /// Where it stands.
    pub search: Search,
    /// The trajectory so far, where one is kept.
    pub trace: Vec<TracePoint>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    settings: Settings,
    criterion: String,
    sample: Option<(u64, u64)>,
    entries: Vec<EntryLayout>,
    trace: Vec<TracePoint>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryLayout {
    components: usize,
    family: String,
    state: Option<StateLayout>,
    criteria: Option<CriteriaLayout>,
    refused: Option<String>,
    start: Option<String>,
    restarts: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CriteriaLayout {
    log_likelihood: f64,
    parameters: usize,
    weight: f64,
    entropy: f64,
    log_best: f64,
}

impl Checkpoint {
    /// Writes the file: whole, or not at all.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let body = Body {
            settings: self.settings.clone(),
            criterion: self.search.criterion().name().into(),
            sample: self.search.sample(),
            entries: self.search.entries().iter().map(EntryLayout::of).collect(),
            trace: self.trace.clone(),
        };
        let bytes = ENVELOPE.sealed(&body);
        let bytes = bytes.map_err(|error| bad(&path.display().to_string(), &error.to_string()))?;
        write_atomically(path, &bytes)
    }

    /// Reads what an earlier run with these settings has left; none where there is no such file.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::BadCheckpoint`], and [`Error::OtherRun`] for data or settings that differ.
    pub fn load(path: &Path, settings: &Settings) -> Result<Option<Self>, Error> {
        let file = path.display().to_string();
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::read(&file, &error)),
        };
        let body: Body = ENVELOPE.opened(&bytes).map_err(|fault| {
            let why = match fault {
                Fault::Other => "it begins otherwise".into(),
                Fault::Version(version) => format!("its layout has version {version}"),
                Fault::Damaged { expected, found } => {
                    format!("it is damaged: its checksum is {found}, not {expected}")
                }
                Fault::Text(why) => why,
            };
            bad(&file, &why)
        })?;
        same_run(&file, &body.settings, settings)?;
        body.into_checkpoint().map(Some).map_err(|Why(why)| bad(&file, &why))
    }
}

/// Refuses a checkpoint of another run, by what differs.
fn same_run(file: &str, then: &Settings, now: &Settings) -> Result<(), Error> {
    let known = |all: &Settings, name: &str| {
        all.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone())
    };
    let names = then.iter().chain(now).map(|(name, _)| name);
    for name in names {
        let (then, now) = (known(then, name), known(now, name));
        if then != now {
            let word = |value: Option<String>| value.unwrap_or_else(|| "not set".into());
            return Err(Error::OtherRun {
                file: file.into(),
                what: name.clone(),
                then: word(then),
                now: word(now),
            });
        }
    }
    Ok(())
}

impl Body {
    fn into_checkpoint(self) -> Result<Checkpoint, Why> {
        let entries = self.entries.into_iter().map(EntryLayout::into_entry);
        let entries = entries.collect::<Result<_, _>>()?;
        let criterion = by_name("criterion", &self.criterion, &Criterion::ALL, Criterion::name)?;
        let search = Search::from_parts(entries, criterion, self.sample);
        Ok(Checkpoint { settings: self.settings, search, trace: self.trace })
    }
}

impl EntryLayout {
    fn of(entry: &Entry) -> Self {
        Self {
            components: entry.cell.components,
            family: entry.cell.family.name().into(),
            state: entry.state.as_ref().map(StateLayout::of),
            criteria: entry.criteria.map(CriteriaLayout::of),
            refused: entry.refused.clone(),
            start: entry.start.map(|start| start.name().into()),
            restarts: entry.restarts.clone(),
        }
    }

    fn into_entry(self) -> Result<Entry, Why> {
        let start = |word: String| by_name("start", &word, &Start::ALL, Start::name);
        Ok(Entry {
            cell: Cell {
                components: self.components,
                family: by_name("family", &self.family, &Family::ALL, Family::name)?,
            },
            state: self.state.map(StateLayout::into_state).transpose()?,
            criteria: self.criteria.map(CriteriaLayout::into_criteria),
            refused: self.refused,
            start: self.start.map(start).transpose()?,
            restarts: self.restarts,
        })
    }
}

impl CriteriaLayout {
    fn of(criteria: Criteria) -> Self {
        let Criteria { log_likelihood, parameters, weight, entropy, log_best } = criteria;
        Self { log_likelihood, parameters, weight, entropy, log_best }
    }

    fn into_criteria(self) -> Criteria {
        let Self { log_likelihood, parameters, weight, entropy, log_best } = self;
        Criteria { log_likelihood, parameters, weight, entropy, log_best }
    }
}

fn bad(file: &str, why: &str) -> Error {
    Error::BadCheckpoint { file: file.into(), why: why.into() }
}
