//! Reads the wishes of a clustering: which mixtures, from which starts, on which columns.

use gaussbayes::{
    Cell, EmSpec, EmState, Error, Extent, Family, Freedom, Label, LabelSweep, Noise, On, Outliers,
    Scaling, Search, SearchSpec, Source, Stop, Storage, labels_of, run as sweep, start_labelled,
};
use gaussbayes_io::{Columns, Data, Held, Model, Settings};

use super::start::{self, From};
use super::{families, freeze, refusal};
use crate::args::{Cluster, Common, Numbers};
use crate::failure::Failure;

/// The start of a mixture that began where one of another family ended.
pub(super) const ELSEWHERE: &str = "another family";

/// What was asked for.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) numbers: Option<Vec<usize>>,
    /// None: all that differ.
    pub(super) families: Option<Vec<Family>>,
    /// The family is that of the cell.
    pub(super) spec: EmSpec,
    pub(super) from: From,
    pub(super) target: Option<String>,
}

impl Job {
    pub(super) fn of(arguments: &Cluster) -> Result<Self, Failure> {
        let families = families::listed(&arguments.model)?;
        let unit = families.as_ref().is_some_and(|all| all.contains(&Family::Unit));
        if unit && families.as_ref().is_some_and(|all| all.len() > 1) {
            return Err(Failure::usage(
                "unit is k-means, which no criterion compares with the other models",
                "ask for --model unit alone",
            ));
        }
        let mut spec = EmSpec::from(if unit { Family::Unit } else { Family::Vvv });
        let usual = Stop::default();
        spec.stop = Stop {
            rule: arguments.stop,
            tolerance: arguments.tolerance.unwrap_or(usual.tolerance),
            max_iterations: arguments.max_iter.unwrap_or(usual.max_iterations),
        };
        spec.on_empty = arguments.on_empty;
        spec.outliers = arguments.outliers();
        spec.covariance.guard = arguments.guard.unwrap_or(spec.covariance.guard);
        if arguments.standardize {
            spec.covariance.scaling = Scaling::Standardized;
        }
        spec.check().map_err(wrong)?;
        let named = |column: &String| {
            arguments.drop.contains(column) || arguments.features.contains(column)
        };
        let usual = arguments.data.usual_target();
        let usual = || usual.filter(|column| !named(column));
        let job = Self {
            numbers: arguments.k.clone().map(|Numbers(numbers)| numbers),
            families,
            spec,
            from: start::from(arguments)?,
            target: arguments.target.clone().or_else(usual),
        };
        job.refuse_no_labels()?;
        if !arguments.freeze.is_empty() && !matches!(job.from, From::Model(_)) {
            return Err(Failure::usage(
                "nothing is given that could stay as it is",
                "--start MODEL has the means and covariances that --freeze keeps",
            ));
        }
        Ok(job)
    }

    fn refuse_no_labels(&self) -> Result<(), Failure> {
        if matches!(self.from, From::Labels) && self.target.is_none() {
            return Err(Failure::usage("which column holds the labels?", "--target COL"));
        }
        Ok(())
    }

    /// The rows that were asked for; those of a model have its columns.
    pub(super) fn open(&mut self, arguments: &Cluster, common: &Common) -> Result<Data, Failure> {
        let chosen = !arguments.features.is_empty() || !arguments.drop.is_empty();
        let base = match &self.from {
            From::Model(model) if !chosen => Columns::exactly(model.classifier.features()),
            _ => Columns {
                features: arguments.features.clone(),
                drop: arguments.drop.clone(),
                ..Columns::default()
            },
        };
        let target = self.target.clone();
        let columns = Columns { target, weights: arguments.weights.clone(), ..base };
        let opened = arguments.data.open(&columns, common.seed);
        let data = match opened {
            // The target that a built-in set has gives way to what is asked for.
            Err(gaussbayes_io::Error::TwoRoles { column, .. })
                if arguments.target.is_none() && self.target == Some(column.clone()) =>
            {
                self.target = None;
                self.refuse_no_labels()?;
                let columns = Columns { target: None, ..columns };
                arguments.data.open(&columns, common.seed)?
            }
            opened => opened?,
        };
        if let From::Model(model) = &self.from {
            start::places(model, arguments, data.features())?;
        }
        Ok(data)
    }

    /// What is tried on rows of so many columns.
    pub(super) fn cells(&self, dim: usize) -> Vec<Cell> {
        let numbers = self.numbers.clone().unwrap_or_else(|| families::USUAL.collect());
        let families = self.families(dim);
        let of = |components: usize| {
            families.iter().map(move |&family| Cell { components, family }).collect::<Vec<_>>()
        };
        numbers.into_iter().flat_map(of).collect()
    }

    fn families(&self, dim: usize) -> Vec<Family> {
        self.families.clone().unwrap_or_else(|| families::all(dim))
    }

    pub(super) fn search_spec(
        &self,
        arguments: &Cluster,
        common: &Common,
        rows: &Held,
    ) -> SearchSpec {
        let runs = match &self.from {
            From::Runs(runs) => runs.clone(),
            From::Labels | From::Model(_) => Vec::new(),
        };
        SearchSpec {
            cells: self.cells(rows.features().len()),
            spec: self.spec.clone(),
            runs,
            seed: common.seed,
            criterion: arguments.criterion,
            features: rows.features().to_vec(),
        }
    }

    /// Whether some of the mixtures depend on units.
    pub(super) fn depends_on_units(&self, cells: &[Cell]) -> bool {
        self.spec.covariance.scaling == Scaling::Raw
            && cells.iter().any(|cell| self.spec_of(cell.family).covariance.depends_on_units())
    }

    /// The specification with another family.
    pub(super) fn spec_of(&self, family: Family) -> EmSpec {
        let mut spec = self.spec.clone();
        spec.covariance.family = family;
        spec
    }

    /// Mixtures that start from the classes of the target; returns the names of the classes too.
    pub(super) fn labelled_start(
        &self,
        arguments: &Cluster,
        rows: &mut Held,
        on: On<'_>,
    ) -> Result<(Search, Vec<Label>), Failure> {
        let families = self.families(rows.features().len());
        let storages = families.iter().map(|family| self.spec_of(*family).covariance.storage());
        let storage = storages.reduce(gaussbayes::Storage::joined).ok_or(Error::NoRows)?;
        let extent = self.extent(rows, on)?;
        // What all classes share would hold the rows that begin as noise, too.
        let storage = if extent.is_some() { storage.joined(Storage::Full) } else { storage };
        rows.rewind()?;
        let stat = sweep(&LabelSweep::new(storage), rows, on)?;
        let labels = labels_of(&stat, extent.is_some());
        self.refuse_other_number(labels.len(), "the target has", "classes")?;
        let mut states = Vec::new();
        for family in families {
            let spec = self.spec_of(family);
            let guard = spec.covariance.guard;
            let begun = start_labelled(&spec, stat.clone(), extent.as_ref());
            states.push(begun.map_err(|error| {
                refusal::of(error.named(&labels, rows.features()), guard, rows.features())
            })?);
        }
        Ok((Search::given(states, arguments.criterion), labels))
    }

    /// Mixtures that start from a model.
    pub(super) fn model_start(
        &self,
        arguments: &Cluster,
        model: &Model,
        rows: &mut Held,
        on: On<'_>,
    ) -> Result<(Search, Vec<Label>), Failure> {
        let laws = model.classifier.mixture()?.laws().unwrap_or_default();
        if laws.iter().any(|law| !law.is_student(rows.features().len())) {
            return Err(Error::NotGaussian { what: "starts of EM" }.into());
        }
        let places = start::places(model, arguments, rows.features())?;
        let mut mixture = start::arranged(model, &places)?;
        if mixture.noise().is_none() {
            mixture = mixture.with_noise(self.extent(rows, on)?.map(Noise::first))?;
        }
        self.refuse_other_number(mixture.components(), "the model has", "clusters")?;
        let of_model = model.spec.gaussian()?.family;
        let families = self.families.clone().unwrap_or_else(|| vec![of_model]);
        let frozen = freeze::frozen(&arguments.freeze, mixture.components())?;
        let state = |family: Family| {
            let spec = EmSpec { frozen: frozen.clone(), ..self.spec_of(family) };
            EmState::new(spec, mixture.clone())
        };
        let states = families.into_iter().map(state).collect::<Result<_, Error>>()?;
        let search = Search::given(states, arguments.criterion);
        Ok((
            search,
            model.classifier.classes().iter().take(mixture.components()).cloned().collect(),
        ))
    }

    /// The box of noise, where there is to be any.
    fn extent(&self, rows: &mut Held, on: On<'_>) -> Result<Option<Extent>, Failure> {
        match self.spec.outliers {
            Outliers::Noise => Ok(Some(Extent::of(rows, on)?)),
            _ => Ok(None),
        }
    }

    fn refuse_other_number(&self, found: usize, has: &str, things: &str) -> Result<(), Failure> {
        match &self.numbers {
            Some(numbers) if *numbers != [found] => Err(Failure::usage(
                format!("{has} {found} {things}: it cannot start another number of clusters"),
                "leave -k out",
            )),
            _ => Ok(()),
        }
    }

    /// Whether given components have the names of classes, and not numbers of clusters.
    pub(super) fn starts_from_classes(&self) -> bool {
        match &self.from {
            From::Runs(_) => false,
            From::Labels => true,
            From::Model(model) => model.clustering.as_ref().is_none_or(|found| found.named),
        }
    }

    /// Where mixtures start, in words.
    pub(super) fn start_words(&self, arguments: &Cluster) -> String {
        match &self.from {
            From::Labels => "labels".into(),
            From::Model(_) => arguments.start.clone().unwrap_or_else(|| "model".into()),
            From::Runs(_) => ELSEWHERE.into(),
        }
    }

    /// What tells this run from others.
    pub(super) fn settings(
        &self,
        arguments: &Cluster,
        common: &Common,
        rows: &Held,
        cells: &[Cell],
    ) -> Result<Settings, Failure> {
        let covariance = &self.spec.covariance;
        let mut models: Vec<&str> = Vec::new();
        let mut numbers: Vec<String> = Vec::new();
        for cell in cells {
            if !models.contains(&cell.family.name()) {
                models.push(cell.family.name());
            }
            let number = cell.components.to_string();
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        let stop = self.spec.stop;
        let pairs = [
            ("the list of features", rows.features().join(",")),
            ("the number of rows", rows.rows().to_string()),
            ("the weight of the rows", rows.weight().to_string()),
            ("the checksum of the rows", format!("{:08x}", rows.fingerprint())),
            ("-k", numbers.join(",")),
            ("--model", models.join(",")),
            ("--criterion", arguments.criterion.name().into()),
            ("--target", self.target.clone().unwrap_or_else(|| "not set".into())),
            ("--stop", stop.rule.name().into()),
            ("--tolerance", stop.tolerance.to_string()),
            ("--max-iter", stop.max_iterations.to_string()),
            ("what is made of outliers", words(self.spec.outliers)),
            ("--guard", covariance.guard.to_string()),
            ("--on-empty", self.spec.on_empty.name().into()),
            ("--standardize", (covariance.scaling == Scaling::Standardized).to_string()),
            ("--trace", arguments.trace.is_some().to_string()),
            ("--seed", common.seed.to_string()),
        ];
        let pairs = pairs.into_iter().map(|(name, value)| (name.to_owned(), value));
        Ok(pairs.chain(start::settings(&self.from, arguments, rows)?).collect())
    }
}

/// What is made of outliers, in words.
fn words(outliers: Outliers) -> String {
    match outliers {
        Outliers::Student(Freedom::Fixed(value)) => format!("--student {value}"),
        Outliers::Student(Freedom::Common) => "--student common".into(),
        Outliers::Student(Freedom::Each) => "--student each".into(),
        Outliers::Noise => "--noise".into(),
        Outliers::Ignored => "nothing".into(),
    }
}

/// A number that makes no sense, with an example of one that does.
fn wrong(error: Error) -> Failure {
    match error {
        Error::BadTolerance { .. } => {
            let hint = "--tolerance 1e-7 is usual; 0 goes on for all iterations of --max-iter";
            Failure::usage(error.to_string(), hint)
        }
        Error::BadGuard { .. } => {
            let hint = "--guard 1e-6 is usual, a share of the variance of all rows; 0 is no guard";
            Failure::usage(error.to_string(), hint)
        }
        Error::NotInEm { .. } => {
            let hint = "leave --standardize out, or standardise the columns of the file";
            Failure::usage(error.to_string(), hint)
        }
        error => error.into(),
    }
}
