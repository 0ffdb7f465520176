//! Joins the components of a mixture into clusters, and says which each has.

use gaussbayes::{Classifier, Combination, Label, Loss, Mixture, NOISE, On};
use gaussbayes_io::Held;
use serde_json::{Map, Value, json};

use crate::args::Merging;
use crate::failure::Failure;
use crate::text::{plural, short, wrapped};

/// Components joined into clusters.
pub(super) struct Merged {
    joined: Combination,
    /// The cluster of each component, and of noise.
    owner: Vec<usize>,
    names: Vec<Label>,
    components: Vec<Label>,
    /// The number was found, not given.
    auto: bool,
}

impl Merged {
    /// Refuses more clusters than there are components.
    pub(super) fn check(wish: Merging, mixture: &Mixture) -> Result<(), Failure> {
        let all = mixture.components();
        match wish {
            Merging::Into(number) if number > all => Err(Failure::usage(
                format!("{} cannot make {number} clusters", plural(all, "component")),
                "--merge joins components: ask for fewer, or for more components (-k)",
            )),
            _ => Ok(()),
        }
    }

    /// Joins the components of a mixture, which have these names.
    pub(super) fn of(
        wish: Merging,
        mixture: &Mixture,
        components: &[Label],
        rows: &mut Held,
        on: On<'_>,
    ) -> Result<Self, Failure> {
        let joined = Combination::of(mixture, rows, on)?;
        let number = match wish {
            Merging::Auto => joined.elbow(),
            Merging::Into(number) => number,
        };
        let mut owner = joined.owner(number)?;
        let mut names: Vec<Label> = (1..=number).map(|k| Label::from(k.to_string())).collect();
        if mixture.noise().is_some() {
            owner.push(number);
            names.push(Label::from(NOISE));
        }
        let auto = wish == Merging::Auto;
        Ok(Self { joined, owner, names, components: components.to_vec(), auto })
    }

    /// A classifier whose classes are the clusters.
    pub(super) fn classifier(
        &self,
        mixture: Mixture,
        features: Vec<String>,
    ) -> Result<Classifier, Failure> {
        let (owner, names) = (self.owner.clone(), self.names.clone());
        let loss = Loss::zero_one(names.len());
        Ok(Classifier::owned(mixture, owner, names, features, loss)?)
    }

    /// How many clusters there are; noise is none.
    fn clusters(&self) -> usize {
        self.names.len() + self.joined.components() - self.components.len()
    }

    /// The names of a cluster's components.
    fn parts(&self, cluster: usize) -> Vec<&str> {
        let own = self.components.iter().zip(&self.owner).filter(|(_, owner)| **owner == cluster);
        own.map(|(name, _)| name.as_str()).collect()
    }

    /// What each cluster is made of.
    pub(super) fn text(&self, classifier: &Classifier, sizes: Option<&[u64]>) -> String {
        let titles = ["cluster", "weight"].into_iter().chain(sizes.map(|_| "rows"));
        let titles = titles.chain(std::iter::once("components")).map(String::from);
        let mut rows: Vec<Vec<String>> = vec![titles.collect()];
        for (k, (name, weight)) in self.names.iter().zip(classifier.priors()).enumerate() {
            let size = sizes.map(|sizes| sizes[k].to_string());
            let first = [name.to_string(), short(weight)].into_iter().chain(size);
            rows.push(first.chain(std::iter::once(self.parts(k).join(" "))).collect());
        }
        let entropies: Vec<String> =
            self.joined.entropies().iter().map(|entropy| short(*entropy)).collect();
        let how = if self.auto { "where the entropy turns" } else { "as asked for" };
        format!(
            "{} joined into {}, {how}\n{}entropy of 1, 2, … clusters: {}\n",
            plural(self.joined.components(), "component"),
            plural(self.clusters(), "cluster"),
            wrapped(&rows),
            entropies.join(" "),
        )
    }

    pub(super) fn fields(
        &self,
        classifier: &Classifier,
        sizes: Option<&[u64]>,
    ) -> Map<String, Value> {
        let cluster = |k: usize| {
            json!({
                "cluster": self.names[k].as_str(),
                "components": self.parts(k),
                "weight": classifier.priors()[k],
                "rows": sizes.map(|sizes| sizes[k]),
            })
        };
        let name = |k: usize| self.components[k].as_str();
        let order: Vec<[&str; 2]> =
            self.joined.joins().iter().map(|&(a, b)| [name(a), name(b)]).collect();
        let pairs = [
            ("k", json!(self.clusters())),
            ("clusters", json!(self.names.iter().map(Label::as_str).collect::<Vec<_>>())),
            ("components", json!(self.components.iter().map(Label::as_str).collect::<Vec<_>>())),
            ("merged", (0..self.names.len()).map(cluster).collect::<Vec<_>>().into()),
            ("owner", json!(self.owner)),
            ("entropies", json!(self.joined.entropies())),
            ("order", json!(order)),
        ];
        pairs.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
    }
}
