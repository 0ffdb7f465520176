//! Owns the threads that a run is given.

use crate::error::Error;
use crate::linalg::simd::Instructions;

/// Some threads; with one, work is done by the calling thread.
#[derive(Debug)]
pub struct Pool(pub(super) Option<rayon::ThreadPool>);

impl Pool {
    /// `threads` threads, at least one.
    ///
    /// # Errors
    /// [`Error::Threads`] when the system does not give them; what [`Instructions::chosen`] refuses.
    pub fn new(threads: usize) -> Result<Self, Error> {
        Instructions::chosen()?;
        if threads <= 1 {
            return Ok(Self(None));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(|pool| Self(Some(pool))).map_err(|_| Error::Threads { threads })
    }
}
