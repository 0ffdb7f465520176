//! Writes products of densities as tables and bells of single columns \[M88\].

use super::bells::{self, Bell};
use super::{Scoring, floored, reach};
use crate::data::Label;
use crate::error::{Error, RecipeRefusal};
use crate::moments::ldexp;
use crate::naive::{Factor, Places, Product, Unseen};
use crate::tolerance::FAR_EXPONENT;

/// What some columns say for each class; nothing where they are missing.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// A bell per class, of one column.
    Number {
        /// The column.
        column: usize,
        /// One per class.
        bells: Vec<Bell>,
    },
    /// One number above a threshold, another below, column by column and class by class.
    Flags {
        /// The columns.
        columns: Vec<usize>,
        /// The largest number that means no.
        above: f64,
        /// What is said by yes.
        yes: Vec<f64>,
        /// What is said by no.
        no: Vec<f64>,
    },
    /// A number for each name, or each whole number from 0, name by name and class by class.
    Names {
        /// The column.
        column: usize,
        /// The names; none where they are whole numbers.
        names: Option<Vec<Label>>,
        /// What they say.
        said: Vec<f64>,
        /// What all others say; none where they are refused.
        unseen: Option<Vec<f64>>,
    },
    /// A weight for each count, column by column and class by class.
    Counts {
        /// The columns.
        columns: Vec<usize>,
        /// The weights.
        weights: Vec<f64>,
    },
}

/// The scores of a product, and how far its columns are computed with.
pub(super) fn scoring(
    product: &Product,
    features: &[String],
) -> Result<(Scoring, Vec<f64>), Error> {
    let log_prior = |prior: &f64| if product.has_priors() { floored(prior.ln()) } else { 0.0 };
    let constants: Vec<f64> = product.priors().iter().map(log_prior).collect();
    let mut far = vec![ldexp(1.0, FAR_EXPONENT); product.columns()];
    let mut terms = Vec::new();
    for factor in product.factors() {
        if let Factor::Number { column, mixture } = factor {
            far[*column] = reach(mixture.frame())[0];
        }
        terms.push(term(factor, product.unseen(), constants.len(), features)?);
    }
    Ok((Scoring::Terms { constants, terms }, far))
}

fn term(
    factor: &Factor,
    unseen: Unseen,
    classes: usize,
    features: &[String],
) -> Result<Term, Error> {
    let all = |logs: &[f64]| logs.iter().map(|log| floored(*log)).collect::<Vec<f64>>();
    Ok(match factor {
        Factor::Number { column, mixture } => {
            let name = std::slice::from_ref(&features[*column]);
            // The weights of the components are no part of the density.
            let bell = |k: usize| bells::bell(mixture, k, 0.0, name);
            let bells = (0..classes).map(bell).collect::<Result<_, _>>()?;
            Term::Number { column: *column, bells }
        }
        Factor::Flags { columns, above, log_yes, log_no } => Term::Flags {
            columns: columns.clone(),
            above: *above,
            yes: all(log_yes),
            no: all(log_no),
        },
        Factor::Names { column, places, log_probs, unseen: rest } => {
            let names = match places {
                Places::Names(names) => Some(names.clone()),
                Places::Below(_) => None,
            };
            let nothing = || (unseen != Unseen::Refuse).then(|| vec![0.0; classes]);
            let unseen = rest.as_deref().map(all).or_else(nothing);
            Term::Names { column: *column, names, said: all(log_probs), unseen }
        }
        Factor::Counts { columns, weights, .. } => {
            Term::Counts { columns: columns.clone(), weights: all(weights) }
        }
        Factor::Words { column, .. } => {
            return Err(RecipeRefusal::Text { name: features[*column].clone() }.into());
        }
    })
}
