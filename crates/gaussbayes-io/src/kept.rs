//! Passes cells of a table on: they travel as text in place of labels.

/// What separates kept cells: no table has it in one.
const BETWEEN: char = '\u{1f}';

/// The kept cells of a row, of the text that stands in place of its label.
///
/// ```
/// use gaussbayes::{Cut as _, Source as _};
/// use gaussbayes_io::{Columns, Data, kept_cells};
/// let columns = Columns { keep: vec!["id".into(), "x".into()], drop: vec!["id".into()], ..Columns::default() };
/// let mut data = Data::from_text("t.csv", b"id,x\na7,1.50\n", &columns)?;
/// let cut = data.next(1)?.unwrap();
/// let block = cut.decode()?;
/// assert_eq!(kept_cells(block.label(0)?.as_str()).collect::<Vec<_>>(), ["a7", "1.50"]);
/// # Ok::<(), gaussbayes_io::Error>(())
/// ```
pub fn kept_cells(label: &str) -> impl Iterator<Item = &str> {
    label.split(BETWEEN)
}

/// The text that stands in place of a label for some kept cells.
pub(crate) fn kept_label<T: AsRef<str>>(cells: impl Iterator<Item = T>) -> String {
    let cell = |cell: T| cell.as_ref().replace(BETWEEN, " ");
    cells.map(cell).collect::<Vec<_>>().join(&BETWEEN.to_string())
}
