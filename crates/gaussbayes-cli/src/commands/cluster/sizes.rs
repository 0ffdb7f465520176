//! Counts the rows of each cluster.

use gaussbayes::{Classifier, On, Source, each_block};

/// Rows of positive weight that each cluster has.
pub(super) fn of<S: Source>(
    classifier: &Classifier,
    source: &mut S,
    on: On<'_>,
) -> Result<Vec<u64>, S::Error> {
    let mut sizes = vec![0; classifier.loss().actions().len()];
    each_block(
        source,
        on,
        |block| {
            let actions = classifier.actions(block)?.into_iter().enumerate();
            Ok(actions.filter(|(i, _)| block.weight(*i) > 0.0).map(|(_, k)| k).collect())
        },
        |actions: Vec<usize>| {
            actions.into_iter().for_each(|k| sizes[k] += 1);
            Ok(())
        },
    )?;
    Ok(sizes)
}
