//! Holds pictures to snapshots and their SVG and PNG to laws.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod arcs;
mod cases;
mod curve_laws;
mod curves;
mod gallery;
mod laws;
mod models;
mod paper;
mod paths;
mod pixels;
mod planes;
mod prints;
mod snapshots;
