//! Draws Gaussian Bayes classifiers: boundaries as exact conics, regions, densities and curves.
//!
//! A figure is a [`Picture`]: panels of layers in the units of the data, which know nothing of pixels.
//! Functions of this crate make pictures of models and rows; a picture is then written as SVG or PNG,
//! or drawn by whoever reads its layers.

mod bic;
mod column;
mod confusion;
mod cost_curve;
mod densities;
mod dots;
mod em;
mod error;
mod error_curve;
mod faces;
mod font;
pub mod gallery;
mod gaussian;
mod ground;
mod histogram;
mod influence;
mod ink;
mod kind;
mod linear_rule;
mod look;
mod milestones;
mod pairs;
mod path;
mod picture;
mod png;
mod pole;
mod project;
mod ranking;
mod regions;
mod roc;
mod say;
mod scaling;
mod scatter;
mod scene;
mod shade;
mod sight;
mod simplex;
mod slope;
mod spread;
mod strip;
mod svg;
mod thin;
mod ticks;
mod trace;
mod window;

pub use bic::{bic, bic_of};
pub use column::Along;
pub use confusion::{confusion, confusion_of};
pub use cost_curve::cost_curve;
pub use densities::densities;
pub use em::{EmLook, em, em_states};
pub use error::PlotError;
pub use error_curve::{ErrorLook, Over, error_curve};
pub use gaussian::{gaussian, normal};
pub use influence::{influence, outlier};
pub use ink::Theme;
pub use kind::{Kind, Needs, Subject, rocs};
pub use linear_rule::linear_rule;
pub use look::Look;
pub use milestones::milestones;
pub use pairs::pairs;
pub use path::{Part, Path, Segment};
pub use picture::{
    Anchor, Arrangement, Axis, Dash, Ink, Key, Layer, Mark, Panel, Picture, Shading, Sign, Stroke,
    Ticks,
};
pub use project::projection;
pub use ranking::ranking;
pub use regions::regions;
pub use roc::{RocLook, roc};
pub use scaling::scaling;
pub use scatter::scatter;
pub use shade::{density, posterior};
pub use simplex::{simplex, simplex_of};
pub use svg::{Sheet, style};
pub use thin::thinned;
