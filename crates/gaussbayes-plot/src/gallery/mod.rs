//! Reproduces the figures of the lectures by name, and shows every other kind of figure once.

mod beyond;
mod clusters;
mod first;
mod made;
mod plain;
mod second;
mod third;
mod trials;

use gaussbayes::{Error, Table};

use crate::error::PlotError;
use crate::picture::Picture;

/// Where rows of a set such as iris come from, by its name: this crate reads no files.
pub type Sets<'a> = &'a dyn Fn(&str) -> Result<Table, Error>;

/// The lectures that figures are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deck {
    /// Deck 000: Bayesian learning, from densities to clusters.
    Densities,
    /// Deck 001: linear and quadratic discriminant analysis.
    Discriminants,
    /// Deck 002: classifiers by Gaussian densities.
    Classifiers,
    /// What the lectures only speak of.
    Beyond,
}

impl Deck {
    /// Every deck, in order.
    pub const ALL: [Self; 4] =
        [Self::Densities, Self::Discriminants, Self::Classifiers, Self::Beyond];

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Densities => "Deck 000: Bayesian learning",
            Self::Discriminants => "Deck 001: linear and quadratic discriminants",
            Self::Classifiers => "Deck 002: classifiers by Gaussian densities",
            Self::Beyond => "Beyond the decks: every other kind of figure",
        }
    }
}

/// A figure of the gallery.
#[derive(Debug, Clone, Copy)]
pub struct Exhibit {
    /// Its name.
    pub name: &'static str,
    /// Other names that it goes by.
    pub aliases: &'static [&'static str],
    /// What it shows, in one line.
    pub about: &'static str,
    /// Where it is from.
    pub deck: Deck,
    draw: fn(Sets<'_>) -> Result<Picture, PlotError>,
}

impl Exhibit {
    /// Draws it.
    ///
    /// # Errors
    /// What the set or the figure refuses: nothing for the built-in sets.
    pub fn draw(&self, sets: Sets<'_>) -> Result<Picture, PlotError> {
        (self.draw)(sets)
    }
}

/// Every figure, in the order of the lectures.
pub fn all() -> impl Iterator<Item = &'static Exhibit> {
    first::EXHIBITS.iter().chain(second::EXHIBITS).chain(third::EXHIBITS).chain(beyond::EXHIBITS)
}

/// The figure of this name, or that goes by it too.
pub fn named(name: &str) -> Option<&'static Exhibit> {
    all().find(|exhibit| exhibit.name == name || exhibit.aliases.contains(&name))
}

/// Draws the figure of this name.
///
/// ```
/// use gaussbayes_plot::gallery;
/// let sets = |_: &str| Err(gaussbayes::Error::NoRows);
/// let picture = gallery::draw("circular-boundary", &sets)?;
/// assert!(picture.caption.contains("circle"));
/// # Ok::<(), gaussbayes_plot::PlotError>(())
/// ```
///
/// # Errors
/// [`PlotError::NoSuchFigure`] for a name that no figure has; what the sets refuse.
pub fn draw(name: &str, sets: Sets<'_>) -> Result<Picture, PlotError> {
    let exhibit = named(name).ok_or_else(|| PlotError::NoSuchFigure { name: name.to_owned() })?;
    exhibit.draw(sets)
}
