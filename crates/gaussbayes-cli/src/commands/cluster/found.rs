//! Says which mixture was found, and makes a model of it.

use gaussbayes::{
    Classifier, Covariances, Criteria, Criterion, EmSpec, EmState, Entry, Event, Frozen, Label,
    Law, Loss, Mixture, NOISE, Outliers, Search,
};
use gaussbayes_io::{Clustering, Held, Model};
use serde_json::{Map, Value, json};

use super::cross::Cross;
use super::job::Job;
use super::merge::Merged;
use super::record::{ending, fields, figures, ran_out, rows};
use super::start::From;
use super::uses::Uses;
use super::{freeze, grid};
use crate::args::Cluster;
use crate::failure::Failure;
use crate::models::described;
use crate::output::Output;
use crate::text::{apart, plural, short, wrapped};

/// A mixture with its clusters in their order, and how it was found.
pub(super) struct Found {
    spec: EmSpec,
    mixture: Mixture,
    /// Names of the components, then of noise where there is any.
    classes: Vec<Label>,
    pub(super) record: Clustering,
    events: Vec<Event>,
    asked: usize,
    /// Where each cluster was while the search ran.
    order: Vec<usize>,
}

/// What is known beside a mixture.
pub(super) struct Beside<'a> {
    /// The column of known classes, and clusters held against it.
    pub(super) cross: Option<&'a (&'a str, Cross)>,
    /// Rows of each cluster.
    pub(super) sizes: Option<&'a [u64]>,
    /// Clusters of several components.
    pub(super) merged: Option<&'a Merged>,
    /// What was asked of the fit.
    pub(super) uses: &'a Uses,
}

impl Beside<'_> {
    /// What a Gaussian is called.
    fn thing(&self) -> &'static str {
        if self.merged.is_some() { "component" } else { "cluster" }
    }
}

impl Found {
    /// Of the best entry of a search; `names` are those of given classes.
    pub(super) fn of(
        best: &Entry,
        job: &Job,
        arguments: &Cluster,
        rows: &Held,
        names: Option<Vec<Label>>,
    ) -> Result<Self, Failure> {
        let state = best.state.as_ref().ok_or(gaussbayes::Error::NoRows)?;
        let components = state.mixture().components();
        let mut order: Vec<usize> = (0..components).collect();
        // A component that was dropped has taken the order of given classes with it.
        let kept = names.filter(|names| names.len() == components);
        if kept.is_none() {
            let weights = state.mixture().weights();
            order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
        }
        let numbered = || (1..=components).map(|k| Label::from(k.to_string())).collect();
        let start = match (&job.from, best.start) {
            (From::Runs(_), Some(start)) => start.name().to_owned(),
            _ => job.start_words(arguments),
        };
        let place = |k: &usize| order.iter().position(|old| old == k);
        let mut lifted: Vec<usize> = state.lifted().iter().filter_map(place).collect();
        lifted.sort_unstable();
        let judged = judged(best, state, rows);
        let value = |criterion| judged.value(criterion);
        let record = Clustering {
            rows: rows.rows(),
            weight: rows.weight(),
            log_likelihood: judged.log_likelihood,
            parameters: judged.parameters,
            bic: value(Criterion::Bic),
            aic: value(Criterion::Aic),
            icl: best.criteria.map(|_| value(Criterion::Icl)),
            entropy: best.criteria.map(|criteria| criteria.entropy),
            iterations: state.iteration(),
            converged: state.converged(),
            stop: state.spec().stop,
            outliers: state.spec().outliers,
            frozen: frozen(&state.spec().frozen, &order),
            start,
            lifted,
            restarts: best.restarts.clone(),
            within: best.within_squares(),
            named: kept.is_some() && job.starts_from_classes(),
        };
        let mut classes: Vec<Label> = kept.unwrap_or_else(numbered);
        classes.extend(state.mixture().noise().map(|_| Label::from(NOISE)));
        Ok(Self {
            spec: state.spec().clone(),
            mixture: arranged(state.mixture(), &order)?,
            classes,
            record,
            events: state.events().to_vec(),
            asked: best.cell.components,
            order,
        })
    }

    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    pub(super) fn iterations(&self) -> u32 {
        self.record.iterations
    }

    pub(super) fn mixture(&self) -> &Mixture {
        &self.mixture
    }

    pub(super) fn classes(&self) -> &[Label] {
        &self.classes
    }

    pub(super) fn model(
        &self,
        arguments: &Cluster,
        rows: &Held,
        merged: Option<&Merged>,
    ) -> Result<Model, Failure> {
        let loss = Loss::zero_one(self.classes.len());
        let features = rows.features().to_vec();
        let (mixture, classes) = (self.mixture.clone(), self.classes.clone());
        let classifier = match merged {
            Some(merged) => merged.classifier(mixture, features)?,
            None => Classifier::new(mixture, classes, features, loss)?,
        };
        Ok(Model {
            classifier,
            spec: self.spec.covariance.clone().into(),
            priors: self.spec.priors.clone(),
            target: None,
            weights: arguments.weights.clone(),
            training: None,
            known: false,
            note: None,
            clustering: Some(self.record.clone()),
            by_em: None,
        })
    }

    /// Says what a user should know about it.
    pub(super) fn warn(&self, search: &Search, output: &Output) {
        let dropped = self.asked - self.mixture.components();
        if dropped > 0 {
            let lost = plural(dropped, "cluster");
            let was = if dropped == 1 { "was" } else { "were" };
            output.warn(format!("{lost} of {} lost all rows and {was} left out", self.asked));
        }
        for event in &self.events {
            if let Event::Fell { iteration, by } = event {
                output.warn(format!(
                    "the log-likelihood fell by {} in iteration {iteration}: covariances are nearly singular",
                    short(*by)
                ));
            }
        }
        let plain = |(_, law): &(&Label, &Law)| law.is_nearly_gaussian();
        let laws = self.mixture.laws().unwrap_or_default();
        let names = self.classes.iter().zip(laws).filter(plain);
        let names: Vec<String> = names.map(|(class, _)| format!("'{class}'")).collect();
        if !names.is_empty() && !matches!(self.spec.outliers, Outliers::Ignored) {
            output.warn(format!(
                "{} {} as good as no tails: a Gaussian would do",
                names.join(", "),
                if names.len() == 1 { "has" } else { "have" }
            ));
        }
        if !self.record.lifted.is_empty() {
            let names: Vec<String> =
                self.record.lifted.iter().map(|k| format!("'{}'", self.classes[*k])).collect();
            output.warn(format!(
                "the guard kept {} from collapse: the likelihood has no maximum there",
                names.join(", ")
            ));
        }
        if search.entries().len() > 1 && self.is_without_icl(search) {
            output.warn(
                "no mixture has come to its end, where ICL is known: this is the best by BIC"
                    .into(),
            );
        }
        if !self.record.converged && search.is_done() && !ran_out(&self.record) {
            output.warn(format!(
                "not converged after {}: consider a larger --max-iter",
                plural(self.record.iterations as usize, "iteration")
            ));
        }
    }

    /// Whether it was chosen before the criterion was known.
    fn is_without_icl(&self, search: &Search) -> bool {
        search.criterion() == Criterion::Icl && self.record.icl.is_none()
    }

    pub(super) fn answer(
        &self,
        arguments: &Cluster,
        model: &Model,
        search: &Search,
        beside: &Beside<'_>,
        output: &Output,
    ) -> Result<(), Failure> {
        let (features, record) = (model.classifier.features(), &self.record);
        let path = arguments.output.display().to_string();
        let family = self.spec.covariance.family;
        let several = search.entries().len() > 1;
        let title = format!(
            "{}: {}, {}\n\n",
            arguments.data,
            rows(record),
            plural(features.len(), "feature")
        );
        let best = match (several, record.within) {
            (false, _) => String::new(),
            (true, None) => "best: ".into(),
            // Squares shrink with every cluster: they choose none.
            (true, Some(_)) => format!("best by {}: ", search.criterion().name().to_uppercase()),
        };
        let mut text = title;
        if several {
            text += &format!("{}\n", grid::text(search));
        }
        text += &format!(
            "{}{}, {}\n{}{}\n{}\n{}\n",
            best,
            described(family).replace("classes", "clusters").replace("class", "cluster"),
            self.parts(beside.thing()),
            figures(record),
            ending(record, search.sample()),
            freeze::sentence(&self.spec.frozen, &self.order, &self.classes),
            self.clusters(features, beside),
        );
        text += &beside.uses.text(&self.classes, &self.order, beside.thing());
        if let Some(merged) = beside.merged {
            text += &format!("{}\n", merged.text(&model.classifier, beside.sizes));
        }
        if let Some((target, cross)) = beside.cross {
            text += &format!("{}\n", cross.text(target));
        }
        let trace = arguments.trace.as_ref().map(|trace| trace.display().to_string());
        text += &trace.iter().map(|trace| format!("saved {trace}\n")).collect::<String>();
        text += &format!("saved {path}\n");
        text += &output.next("predict", &[("model", &path), ("proba", "")]);
        let mut result = self.fields(&path, features);
        result.insert("trace".into(), json!(trace));
        result.insert("rows".into(), json!(beside.sizes));
        result.insert("criterion".into(), search.criterion().name().into());
        result.insert("table".into(), if several { grid::json(search) } else { json!([]) });
        result.insert("sample".into(), json!(search.sample().map(|(drawn, _)| drawn)));
        result.extend(beside.uses.fields(&self.classes, &self.order));
        if let Some(merged) = beside.merged {
            result.extend(merged.fields(&model.classifier, beside.sizes));
        }
        if let Some((target, cross)) = beside.cross {
            result.insert("cross".into(), cross.json(target));
        }
        output.answer(&text, &result.into())
    }

    /// How many clusters there are, and what is made of outliers.
    fn parts(&self, word: &str) -> String {
        let number = plural(self.mixture.components(), word);
        match self.spec.outliers {
            Outliers::Ignored => number,
            Outliers::Noise => format!("{number} and noise"),
            Outliers::Student(_) => format!("{number} with tails"),
        }
    }

    /// Weights, rows and means, a row per cluster, with their standard errors where these are known.
    fn clusters(&self, features: &[String], beside: &Beside<'_>) -> String {
        let clusters = self.mixture.components();
        let (shares, laws) = (self.mixture.shares(), self.mixture.laws());
        // Rows are those of the clusters that components were joined into.
        let sizes = beside.sizes.filter(|_| beside.merged.is_none());
        let means: Vec<Vec<f64>> = (0..clusters).map(|k| self.mixture.raw_mean(k)).collect();
        let column = |j: usize| apart(&means.iter().map(|mean| mean[j]).collect::<Vec<_>>());
        let columns: Vec<Vec<String>> = (0..features.len()).map(column).collect();
        let errors = beside.uses.errors();
        let with = |value: String, error: Option<f64>| {
            std::iter::once(value).chain(error.map(|error| format!("± {}", short(error))))
        };
        let mut titles = vec![beside.thing().to_string(), "weight".into()];
        titles.extend(errors.map(|_| "±".into()));
        titles.extend(sizes.map(|_| "rows".into()));
        titles.extend(laws.map(|_| "freedom".into()));
        for feature in features {
            titles.push(feature.clone());
            titles.extend(errors.map(|_| "±".into()));
        }
        let mut rows = vec![titles];
        for (k, class) in self.classes.iter().enumerate() {
            let mut row = vec![class.to_string()];
            row.extend(with(short(shares[k]), errors.map(|all| all.weights[k])));
            row.extend(sizes.map(|sizes| sizes[k].to_string()));
            if k == clusters {
                row.resize(rows[0].len(), "anywhere".into());
                rows.push(row);
                continue;
            }
            row.extend(laws.map(|laws| laws[k].freedom().map_or_else(String::new, short)));
            for (j, column) in columns.iter().enumerate() {
                row.extend(with(column[k].clone(), errors.map(|all| all.means[k][j])));
            }
            rows.push(row);
        }
        wrapped(&rows)
    }

    fn fields(&self, path: &str, features: &[String]) -> Map<String, Value> {
        let (record, components) = (&self.record, self.mixture.components());
        let means: Vec<Vec<f64>> = (0..components).map(|k| self.mixture.raw_mean(k)).collect();
        let mut weights = self.mixture.shares();
        weights.truncate(components);
        let noise = self.mixture.noise().map(
            |noise| json!({ "share": noise.share, "volume": noise.extent.log_volume().exp() }),
        );
        let freedom: Option<Vec<Option<f64>>> =
            self.mixture.laws().map(|laws| laws.iter().map(|law| law.freedom()).collect());
        let pairs = [
            ("output", json!(path)),
            ("model", json!(self.spec.covariance.family.name())),
            ("k", json!(components)),
            ("outliers", json!(self.spec.outliers.name())),
            ("noise", json!(noise)),
            ("freedom", json!(freedom)),
            ("clusters", json!(self.classes.iter().map(Label::as_str).collect::<Vec<_>>())),
            ("features", json!(features)),
            ("weights", json!(weights)),
            ("means", json!(means)),
        ];
        let mut fields = fields(record);
        fields.extend(pairs.into_iter().map(|(key, value)| (key.to_string(), value)));
        fields
    }
}

/// How well an entry fits, as far as that is known.
fn judged(entry: &Entry, state: &EmState, rows: &Held) -> Criteria {
    entry.criteria.unwrap_or_else(|| Criteria {
        log_likelihood: state.pass().map_or(f64::NAN, |pass| pass.log_likelihood),
        parameters: state.parameters(),
        weight: state.pass().map_or(rows.weight(), |pass| pass.weight),
        entropy: 0.0,
        log_best: 0.0,
    })
}

/// The same mixture with its components in another order.
fn arranged(mixture: &Mixture, order: &[usize]) -> Result<Mixture, Failure> {
    let covariances = match mixture.covariances() {
        Covariances::Shared(one) => Covariances::Shared(one.clone()),
        Covariances::Each(all) => {
            Covariances::Each(order.iter().map(|&k| all[k].clone()).collect())
        }
    };
    let means = order.iter().flat_map(|&k| mixture.mean(k)).copied().collect();
    let weights = order.iter().map(|&k| mixture.weights()[k]).collect();
    let mut arranged = Mixture::new(mixture.frame().clone(), means, covariances, weights)?;
    if let Some(laws) = mixture.laws() {
        arranged = arranged.with_laws(order.iter().map(|&k| laws[k]).collect())?;
    }
    Ok(arranged.with_noise(mixture.noise().cloned())?)
}

/// What stays of components in another order; nothing is listed where nothing does.
fn frozen(frozen: &Frozen, order: &[usize]) -> Frozen {
    if frozen.is_none() {
        return Frozen::default();
    }
    let stays = |one: fn(&Frozen, usize) -> bool| order.iter().map(|&k| one(frozen, k)).collect();
    Frozen { means: stays(Frozen::mean), covariances: stays(Frozen::covariance) }
}
