//! Merges moments that were summed up anywhere.

use gaussbayes_io::{MomentsFile, shell};

use super::{refuse_overwriting, stats};
use crate::args::Merge;
use crate::failure::Failure;
use crate::output::Output;
use crate::text::plural;

pub(crate) fn run(arguments: &Merge, output: &Output) -> Result<(), Failure> {
    refuse_overwriting(&arguments.output, &arguments.files)?;
    let moments = MomentsFile::merge_files(&arguments.files)?;
    if !arguments.partial {
        moments.check_whole()?;
    }
    moments.save(&arguments.output)?;
    let path = arguments.output.display().to_string();
    let file = shell(&path);
    let mut text = format!("{} merged\n", plural(arguments.files.len(), "file"));
    text += &format!("{}\n", stats::sentence(&moments)?);
    let next = if let Some(missing) = moments.missing_text() {
        text += &format!("missing parts: {missing}\n");
        format!("gaussbayes merge {file} … -o ALL.moments, with the missing parts")
    } else {
        format!("gaussbayes fit --from {file}")
    };
    text += &format!("saved {path}\nnext: {next}\n");
    output.answer(&text, &stats::result(&moments, Some(&path))?)
}
