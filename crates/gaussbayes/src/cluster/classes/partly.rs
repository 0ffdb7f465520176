//! Sums rows up of which some have a label: these by class, and all of them together.

use crate::data::{Block, NO_LABEL};
use crate::error::Error;
use crate::moments::{Memberships, Merge, Moments, Storage};
use crate::sweep::{LabelStat, LabelSweep, Sweep};

/// Moments per label, where rows may have none.
#[derive(Debug, Clone, Copy)]
pub struct PartlySweep {
    storage: Storage,
}

impl PartlySweep {
    /// Keeps this much of the scatter.
    pub fn new(storage: Storage) -> Self {
        Self { storage }
    }
}

/// What is known of rows before EM has seen any.
#[derive(Debug, Clone, PartialEq)]
pub struct PartlyStat {
    labelled: LabelStat,
    /// All rows, as one component.
    all: Moments,
    rows: u64,
    unlabelled_rows: u64,
    unlabelled: f64,
}

impl PartlyStat {
    /// The rows that have a label.
    pub fn labelled(&self) -> &LabelStat {
        &self.labelled
    }

    /// All rows, as one component.
    pub fn all(&self) -> &Moments {
        &self.all
    }

    /// Rows of positive weight.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Rows of positive weight that have no label.
    pub fn unlabelled_rows(&self) -> u64 {
        self.unlabelled_rows
    }

    /// Weight of the rows that have no label.
    pub fn unlabelled(&self) -> f64 {
        self.unlabelled
    }
}

impl Sweep for PartlySweep {
    type Stat = PartlyStat;

    fn block(&self, block: &Block<'_>) -> Result<PartlyStat, Error> {
        let count = block.rows().count();
        let code = |i: usize| block.labels().map_or(NO_LABEL, |labels| labels.codes[i]);
        let own: Vec<usize> = (0..count).filter(|&i| code(i) != NO_LABEL).collect();
        let sweep = LabelSweep::new(self.storage);
        // As it is, to the last bit, where every row has a label.
        let labelled = if own.len() == count {
            sweep.block(block)?
        } else {
            sweep.block(&block.picked(&own)?)?
        };
        let storage = match self.storage {
            Storage::Shared => Storage::Full,
            storage => storage,
        };
        let all = Moments::of_block(block, Memberships::Codes(&vec![0; count]), 1, storage)?;
        let counts = || (0..count).filter(|&i| block.weight(i) > 0.0);
        let without = || counts().filter(|&i| code(i) == NO_LABEL);
        Ok(PartlyStat {
            labelled,
            all,
            rows: counts().count() as u64,
            unlabelled_rows: without().count() as u64,
            unlabelled: without().map(|i| block.weight(i)).sum(),
        })
    }
}

impl Merge for PartlyStat {
    fn merge(self, later: Self) -> Self {
        // Of no rows at all: its frame says nothing either.
        if later.rows == 0 {
            return self;
        }
        if self.rows == 0 {
            return later;
        }
        Self {
            labelled: self.labelled.merge(later.labelled),
            all: self.all.merge(later.all),
            rows: self.rows + later.rows,
            unlabelled_rows: self.unlabelled_rows + later.unlabelled_rows,
            unlabelled: self.unlabelled + later.unlabelled,
        }
    }
}
