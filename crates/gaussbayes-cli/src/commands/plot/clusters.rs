//! Draws clusters of rows: EM step by step, criteria, and how far a row can pull them.

use gaussbayes::{
    Cell, Criterion, EmSpec, EmState, Family, Freedom, Outliers, Sampled, Search, SearchSpec,
    Source, Start, Starts, Table, em as run_em,
};
use gaussbayes_io::{Columns, Error, Held};
use gaussbayes_plot::{EmLook, Kind, Picture, bic, em, influence, milestones};

use super::super::cluster::families;
use super::super::workers::Workers;
use super::paper::Drawn;
use super::subject::{axes, refuse_unknown, sampled};
use crate::args::{Common, Plot};
use crate::failure::Failure;
use crate::output::Output;

/// Iterations that are shown, the start and the end among them.
const SHOWN: usize = 6;

/// The same where they follow each other at one place.
const FRAMES: usize = 12;

/// Clusters where nothing is asked for.
const USUAL: usize = 2;

/// Families that are compared where none is asked for.
const FAMILIES: [Family; 6] =
    [Family::Eii, Family::Vii, Family::Eei, Family::Vvi, Family::Eee, Family::Vvv];

/// Degrees of freedom of tails that take outliers.
const TAILS: f64 = 4.0;

pub(super) fn drawn(
    kind: Kind,
    arguments: &Plot,
    common: &Common,
    workers: &Workers,
    output: &Output,
) -> Result<Drawn, Failure> {
    if arguments.data.tables.data.iter().take(1).any(|name| super::is_model(name)) {
        let message =
            format!("--figure {} finds clusters in data, and knows no model", kind.name());
        return Err(Failure::usage(message, "give the data alone"));
    }
    let mut rows = held(arguments, common, workers, output)?;
    let job = Job { arguments, common, workers };
    let (picture, count) = if kind == Kind::Bic {
        (job.bic(&mut rows)?, rows.rows())
    } else {
        let (table, _) = sampled(&mut rows, arguments.rows, common, workers)?;
        let picture = match kind {
            Kind::Influence => job.influence(&table)?,
            _ => job.em(&table, rows.features())?,
        };
        (picture, table.rows() as u64)
    };
    Ok(Drawn { figure: kind.name().into(), picture, rows: Some((rows.rows(), count)) })
}

/// All rows; a column of classes is left out.
fn held(
    arguments: &Plot,
    common: &Common,
    workers: &Workers,
    output: &Output,
) -> Result<Held, Failure> {
    let data = &arguments.data;
    refuse_unknown(&data.tables)?;
    let usual = data.tables.usual_target();
    let target = data.target.clone().or_else(|| usual.clone());
    let columns = Columns {
        features: data.features.clone(),
        drop: data.drop.clone(),
        target,
        weights: data.weights.clone(),
        unlabelled: true,
        ..Columns::default()
    };
    let opened = match data.tables.open(&columns, common.seed) {
        // The target that a built-in set has gives way to what is asked for.
        Err(Error::TwoRoles { .. }) if data.target.is_none() => {
            data.tables.open(&Columns { target: None, ..columns }, common.seed)
        }
        opened => opened,
    };
    let data = opened?;
    output.attend(&data);
    Ok(workers.held(data)?)
}

struct Job<'a> {
    arguments: &'a Plot,
    common: &'a Common,
    workers: &'a Workers,
}

impl Job<'_> {
    /// The families that were asked for, or the usual ones.
    fn families(&self) -> Result<Vec<Family>, Failure> {
        let Some(words) = &self.arguments.estimation.model else { return Ok(FAMILIES.to_vec()) };
        let words: Vec<String> = words.split(',').map(str::to_owned).collect();
        let all = || Family::ALL.into_iter().filter(|family| *family != Family::Unit).collect();
        Ok(families::listed(&words)?.unwrap_or_else(all))
    }

    /// The one number of clusters, and the one family.
    fn one(&self) -> Result<(usize, Family), Failure> {
        let number = match self.arguments.k.as_ref().map(|numbers| numbers.0.as_slice()) {
            None => USUAL,
            Some([one]) => *one,
            Some(_) => {
                let message = "this figure shows one number of clusters";
                return Err(Failure::usage(message, "-k 3, or --figure bic for several"));
            }
        };
        let family = match &self.arguments.estimation.model {
            None => Family::Vvv,
            Some(_) => self.families()?.first().copied().unwrap_or(Family::Vvv),
        };
        Ok((number, family))
    }

    fn bic(&self, rows: &mut Held) -> Result<Picture, Failure> {
        let numbers = self.arguments.k.as_ref().map(|numbers| numbers.0.clone());
        let numbers = numbers.unwrap_or_else(|| families::USUAL.collect());
        let families = self.families()?;
        let cell = |components| families.iter().map(move |&family| Cell { components, family });
        let spec = SearchSpec {
            cells: numbers.into_iter().flat_map(cell).collect(),
            spec: EmSpec::from(Family::Eee),
            runs: Start::usual(2),
            seed: self.common.seed,
            criterion: Criterion::Bic,
            features: rows.features().to_vec(),
        };
        rows.rewind()?;
        let search = Search::begin(&spec, rows, self.workers.on())?;
        Ok(bic(search.entries(), Criterion::Bic)?)
    }

    fn begun(&self, table: &Table, spec: &EmSpec, number: usize) -> Result<EmState, Failure> {
        let on = self.workers.on();
        let all = Sampled::draw(&mut table.source(), table.rows(), self.common.seed, on)?;
        let starts = Starts::new(&all, self.common.seed)?;
        Ok(starts.begin(spec, number, Start::RandomRows, 0, on)?)
    }

    fn em(&self, table: &Table, features: &[String]) -> Result<Picture, Failure> {
        let (number, family) = self.one()?;
        let chosen = self.arguments.axes.as_deref();
        let columns = chosen.map_or(Ok([0, 1]), |text| axes(text, features))?;
        let start = self.begun(table, &EmSpec::from(family), number)?;
        let most = if self.arguments.animate { FRAMES } else { SHOWN };
        let states = milestones(&start, table, most, self.workers.on())?;
        let look = EmLook { columns, frames: self.arguments.animate, ..EmLook::default() };
        Ok(em(&states, table, features, &look)?)
    }

    /// How far the mean of a cluster moves with a row: as Gaussians, with noise, and with tails.
    fn influence(&self, table: &Table) -> Result<Picture, Failure> {
        let (number, family) = self.one()?;
        let on = self.workers.on();
        let ways = [
            ("Gaussians", Outliers::Ignored),
            ("with noise", Outliers::Noise),
            ("with tails", Outliers::Student(Freedom::Fixed(TAILS))),
        ];
        let mut states = Vec::new();
        for (name, outliers) in ways {
            let spec = EmSpec { outliers, ..EmSpec::from(family) };
            let mut state = self.begun(table, &spec, number)?;
            run_em(&mut state, &mut table.source(), on, &mut |_| {
                std::ops::ControlFlow::Continue(())
            })?;
            states.push((name.to_owned(), state));
        }
        let distances: Vec<f64> = (0..=10).map(|i| 2.0 * f64::from(i)).collect();
        Ok(influence(&states, table, 0, &distances, on)?)
    }
}
