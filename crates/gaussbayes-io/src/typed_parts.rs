//! Says which columns of a table are summed up together, from what they hold.

use gaussbayes::{Alpha, ColumnKind, Counting, Part, ProductSpec, Ridge, Unseen};

use crate::types::ColumnType;

/// The parts of a product over columns of these types; `alpha` says what is added to the counts of some columns.
pub fn typed_parts(
    types: &[ColumnType],
    counting: Counting,
    alpha: impl Fn(&[usize]) -> Alpha,
) -> Vec<Part> {
    let kinds = [
        (ColumnType::Number, ColumnKind::Number),
        (ColumnType::Flag, ColumnKind::Flag { above: ColumnType::FLAG_ABOVE }),
        (ColumnType::Category, ColumnKind::Category),
        (ColumnType::Count, ColumnKind::Count(counting)),
        (ColumnType::Text, ColumnKind::Text(counting)),
    ];
    let part = |(of, kind): (ColumnType, ColumnKind)| {
        let columns: Vec<usize> = (0..types.len()).filter(|&j| types[j] == of).collect();
        let alpha = alpha(&columns);
        (!columns.is_empty()).then_some(Part { columns, kind, alpha })
    };
    kinds.into_iter().filter_map(part).collect()
}

/// What sums of such columns are of, however they are smoothed later.
pub fn summed(types: &[ColumnType]) -> ProductSpec {
    let parts = typed_parts(types, Counting::Multinomial, |_| Alpha::One(1.0));
    ProductSpec { parts, unseen: Unseen::Ignore, ridge: Ridge::None }
}
