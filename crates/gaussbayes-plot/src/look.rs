//! Says how a plane is looked at: which columns, which part, and what is drawn on it.

use gaussbayes::{View, Window};

use crate::error::PlotError;

/// What a picture of two columns shows.
///
/// ```
/// use gaussbayes_plot::Look;
/// let look = Look { mass: 0.5, ..Look::default() };
/// assert!(look.ellipses && look.window.is_none());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The two columns. [`View::Whole`] of more than two is the projection on the first two.
    pub view: View,
    /// The part of the plane; none for all rows and classes.
    pub window: Option<Window>,
    /// Whether each class has its ellipse.
    pub ellipses: bool,
    /// The share of a class that its ellipse holds.
    pub mass: f64,
    /// Whether regions carry the names of their classes.
    pub names: bool,
    /// Rows that are drawn at most.
    pub most: usize,
    /// The title; none for one that fits.
    pub title: Option<String>,
    /// Pixels across and upward.
    pub size: [f64; 2],
}

impl Default for Look {
    fn default() -> Self {
        Self {
            view: View::Whole,
            window: None,
            ellipses: true,
            mass: 0.9,
            names: true,
            most: 1500,
            title: None,
            size: [400.0, 320.0],
        }
    }
}

impl Look {
    pub(crate) fn check(&self) -> Result<(), PlotError> {
        if self.ellipses && !(self.mass > 0.0 && self.mass < 1.0) {
            return Err(PlotError::BadShare { share: self.mass });
        }
        Ok(())
    }
}
