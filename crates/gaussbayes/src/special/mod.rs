//! Computes special functions: ln Γ and ψ, tails of the normal and χ distributions, orthants.

mod chi;
mod gamma;
mod normal;
mod pair;

#[cfg(test)]
mod tests;

pub(crate) use chi::chi_tails;
pub(crate) use gamma::{digamma, ln_gamma};
pub(crate) use normal::{ln_normal_upper, normal_density, normal_quantile, normal_upper};
pub(crate) use pair::orthant;
