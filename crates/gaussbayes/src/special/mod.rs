//! Computes special functions: ln Γ and ψ, tails of normal, χ and Student's laws, orthants.

mod beta;
mod chi;
mod gamma;
mod normal;
mod pair;

#[cfg(test)]
mod tests;

pub(crate) use beta::student_two_sided;
pub(crate) use chi::chi_tails;
pub(crate) use gamma::{digamma, ln_gamma};
pub(crate) use normal::{ln_normal_upper, normal_density, normal_quantile, normal_upper};
pub(crate) use pair::orthant;
