//! Says which class owns which components: labels then narrow what a row can belong to \[M63\].

use std::collections::HashSet;

use crate::covariance::Family;
use crate::data::{Block, Label, NO_LABEL};
use crate::error::Error;
use crate::mixture::Scores;

/// Components by class: a row with a label belongs to those of its class alone, one without to any.
#[derive(Debug, Clone, PartialEq)]
pub struct Ownership {
    classes: Vec<Label>,
    owner: Vec<usize>,
    families: Option<Vec<Family>>,
}

impl Ownership {
    /// Component `k` belongs to class `owner[k]`.
    ///
    /// # Errors
    /// [`Error::Shape`] for an owner that is not there, or a class that owns nothing.
    pub fn new(classes: Vec<Label>, owner: Vec<usize>) -> Result<Self, Error> {
        let expected = classes.len();
        if let Some(&found) = owner.iter().find(|class| **class >= expected) {
            return Err(Error::Shape { what: "owners", expected, found });
        }
        let found = (0..expected).filter(|class| owner.contains(class)).count();
        if found != expected {
            return Err(Error::Shape { what: "classes with a component", expected, found });
        }
        let found = classes.iter().collect::<HashSet<&Label>>().len();
        if found != expected {
            return Err(Error::Shape { what: "different classes", expected, found });
        }
        Ok(Self { classes, owner, families: None })
    }

    /// One component for each class.
    pub fn one_each(classes: Vec<Label>) -> Self {
        let owner = (0..classes.len()).collect();
        Self { classes, owner, families: None }
    }

    /// The same where the covariances of each class are a family of their own, shared with no other class
    /// \[M65\].
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is a family for each class.
    pub fn with_families(mut self, families: Vec<Family>) -> Result<Self, Error> {
        let (expected, found) = (self.classes.len(), families.len());
        if expected != found {
            return Err(Error::Shape { what: "families", expected, found });
        }
        self.families = Some(families);
        Ok(self)
    }

    /// The classes.
    pub fn classes(&self) -> &[Label] {
        &self.classes
    }

    /// The class of each component.
    pub fn owner(&self) -> &[usize] {
        &self.owner
    }

    /// The family of each class's covariances, where each class has its own.
    pub fn families(&self) -> Option<&[Family]> {
        self.families.as_deref()
    }

    /// The components of a class.
    pub fn of(&self, class: usize) -> Vec<usize> {
        (0..self.owner.len()).filter(|k| self.owner[*k] == class).collect()
    }

    /// The class of each component by its name.
    pub(super) fn names(&self) -> Vec<Label> {
        self.owner.iter().map(|class| self.classes[*class].clone()).collect()
    }

    /// Whether each class is one component, in their order.
    pub fn is_one_each(&self) -> bool {
        self.owner.iter().enumerate().all(|(k, class)| k == *class)
    }

    /// The same where only these components are left.
    ///
    /// # Errors
    /// [`Error::Empty`] where a class has none left.
    pub(super) fn kept(&self, components: &[usize]) -> Result<Self, Error> {
        let owner: Vec<usize> = components.iter().map(|&k| self.owner[k]).collect();
        if let Some(lost) = (0..self.owner.len()).find(|&k| !owner.contains(&self.owner[k])) {
            let class = Some(self.classes[self.owner[lost]].to_string());
            return Err(Error::Empty { component: lost, class });
        }
        Ok(Self { families: self.families.clone(), ..Self::new(self.classes.clone(), owner)? })
    }

    /// Sums over the components of each class.
    pub(super) fn sums(&self, values: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.classes.len()];
        self.owner.iter().zip(values).for_each(|(class, value)| sums[*class] += value);
        sums
    }

    /// Takes from rows with a label the components of all other classes, and noise.
    ///
    /// # Errors
    /// [`Error::UnknownClass`] for a label that is none of the classes.
    pub(super) fn narrow(&self, scores: &mut Scores, block: &Block<'_>) -> Result<(), Error> {
        let Some(labels) = block.labels() else { return Ok(()) };
        let place = |label: &Label| self.classes.iter().position(|class| class == label);
        let places: Vec<Option<usize>> = labels.dictionary.iter().map(place).collect();
        let rows = scores.relative.chunks_exact_mut(scores.components);
        for (i, (row, &code)) in rows.zip(labels.codes.iter()).enumerate() {
            if code == NO_LABEL || block.weight(i) == 0.0 {
                continue;
            }
            let class = places[code as usize].ok_or_else(|| Error::UnknownClass {
                class: labels.dictionary[code as usize].to_string(),
            })?;
            for (k, score) in row.iter_mut().enumerate() {
                if self.owner.get(k) != Some(&class) {
                    *score = f64::NEG_INFINITY;
                }
            }
        }
        Ok(())
    }
}
