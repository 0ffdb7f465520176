//! Walks over rows: a sweep turns blocks into statistics, one runner joins them in a fixed order.

mod control;
mod labels;
mod pool;
mod quartic;
mod queue;
mod run;
mod tree;

pub use control::{Control, Progress};
pub use labels::{LabelStat, LabelSweep};
pub(crate) use labels::{check_classes, present};
pub use pool::Pool;
pub(crate) use quartic::QuarticSweep;
pub use run::{On, each_block, run};
pub(crate) use run::{each_run, each_task, merged, run_checked, tasks};
pub use tree::Tree;

use crate::data::Block;
use crate::error::Error;
use crate::moments::Merge;

/// Turns a block into a statistic that can be merged.
pub trait Sweep: Sync {
    /// The statistic.
    type Stat: Merge + Send;

    /// The statistic of one block: a function of the block alone.
    ///
    /// # Errors
    /// What the block lacks for this sweep.
    fn block(&self, block: &Block<'_>) -> Result<Self::Stat, Error>;
}
