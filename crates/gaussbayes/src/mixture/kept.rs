//! Keeps what was computed of a value beside it: no part of the value, and made anew for a copy.

use std::fmt;
use std::sync::OnceLock;

/// Something that is computed once, when it is first asked for.
pub(super) struct Kept<T>(OnceLock<T>);

impl<T> Kept<T> {
    pub(super) fn get(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(make)
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

/// A copy may be about to change.
impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> PartialEq for Kept<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> fmt::Debug for Kept<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept")
    }
}
