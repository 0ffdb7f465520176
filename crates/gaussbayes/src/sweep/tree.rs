//! Merges statistics along a binary tree that depends on the number of blocks alone.

use crate::error::Error;
use crate::moments::Merge;
use crate::tolerance::LEVEL_MAX;

/// A binary counter of statistics: block `i` meets its neighbours in the same order whoever
/// computed it, and a run can be broken off and taken up again between any two blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree<S> {
    /// Level and statistic; levels fall from the first to the last, as the bits of the block count.
    stack: Vec<(u32, S)>,
}

impl<S> Default for Tree<S> {
    fn default() -> Self {
        Self { stack: Vec::new() }
    }
}

impl<S: Merge> Tree<S> {
    /// Adds the statistic of the next block.
    pub fn push(&mut self, stat: S) {
        self.join((0, stat));
    }

    /// Adds the statistic of the next `2^level` blocks, the first of which is a multiple of that.
    pub(crate) fn join(&mut self, mut entry: (u32, S)) {
        while let Some((level, earlier)) = self.stack.pop_if(|(level, _)| *level == entry.0) {
            entry = (level + 1, earlier.merge(entry.1));
        }
        self.stack.push(entry);
    }

    /// The statistic of all blocks, the latest merged first; `None` before the first block.
    pub fn fold(mut self) -> Option<S> {
        let mut total = self.stack.pop()?.1;
        while let Some((_, earlier)) = self.stack.pop() {
            total = earlier.merge(total);
        }
        Some(total)
    }

    /// The levels and their statistics, as they are saved.
    pub fn stack(&self) -> &[(u32, S)] {
        &self.stack
    }

    /// The same, given away.
    pub(crate) fn into_stack(self) -> Vec<(u32, S)> {
        self.stack
    }

    /// Takes up a saved stack; `None` unless its levels fall, from one that rows can reach.
    pub fn from_stack(stack: Vec<(u32, S)>) -> Option<Self> {
        let falling = stack.windows(2).all(|pair| pair[0].0 > pair[1].0);
        let possible = stack.first().is_none_or(|(level, _)| *level <= LEVEL_MAX);
        (falling && possible).then_some(Self { stack })
    }

    /// One statistic of about so many blocks: the power of two below. Were it the one above, sums that grow by one
    /// block at a time would claim twice as many with each.
    pub(crate) fn of_blocks(total: Option<S>, blocks: u64) -> Result<Self, Error> {
        let level = blocks.max(1).ilog2();
        let tree = Self::from_stack(total.into_iter().map(|stat| (level, stat)).collect());
        let (expected, found) = (LEVEL_MAX as usize, level as usize);
        tree.ok_or(Error::Shape { what: "levels of a merge tree", expected, found })
    }

    /// Blocks behind the stack.
    pub fn blocks(&self) -> u64 {
        self.stack.iter().map(|(level, _)| 1 << level).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, PartialEq)]
    struct Text(String);

    impl Merge for Text {
        fn merge(self, later: Self) -> Self {
            Self(format!("({}{})", self.0, later.0))
        }
    }

    #[test]
    fn the_tree_depends_on_the_number_of_blocks_alone() {
        let mut tree = Tree::default();
        for i in 0..7 {
            tree.push(Text(i.to_string()));
        }
        assert_eq!(tree.blocks(), 7);
        assert_eq!(tree.clone().fold(), Some(Text("(((01)(23))((45)6))".into())));
        let again = Tree::from_stack(tree.stack().to_vec());
        assert_eq!(again, Some(tree));
        assert_eq!(Tree::<Text>::default().fold(), None);
    }
}
