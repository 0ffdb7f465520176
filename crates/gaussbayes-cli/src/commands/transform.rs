//! Projects rows on the canonical directions of a model.

use std::path::Path;

use gaussbayes::{Block, Classifier, Error, Mixture, Projection};
use gaussbayes_io::Model;

use super::refuse_overwriting;
use super::stream::{Row, Stream};
use crate::args::{Common, Transform};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(arguments: &Transform, common: &Common, output: &Output) -> Result<(), Failure> {
    if let Some(output) = &arguments.output {
        refuse_overwriting(output, &[&arguments.model, Path::new(&arguments.data)])?;
    }
    let model = Model::load(&arguments.model)?;
    let projection = Projection::of(one_each(&model.classifier)?)?;
    let components = components(arguments, projection.len())?;
    let stream = Stream {
        columns: (1..=components).map(name).collect(),
        output: arguments.output.as_deref(),
        done: "transformed",
    };
    stream.run(&arguments.data, &model.columns(), common, output, |block| {
        answers(&projection, components, block)
    })
}

/// The model where each class has one mean: of several there are no directions that tell classes apart.
fn one_each(classifier: &Classifier) -> Result<&Mixture, Error> {
    if classifier.is_one_each() { classifier.mixture() } else { classifier.gaussians() }
}

/// The name of a direction, counted from 1.
pub(super) fn name(direction: usize) -> String {
    format!("ld{direction}")
}

/// How many directions are wanted of those there are.
fn components(arguments: &Transform, most: usize) -> Result<usize, Failure> {
    let file = arguments.model.display();
    if most == 0 {
        return Err(Failure::usage(
            format!("the classes of '{file}' have the same mean: there is no direction"),
            "fit the model to columns in which the classes differ",
        ));
    }
    match arguments.components.map(usize::from) {
        Some(wanted) if wanted > most => {
            let are =
                if most == 1 { "is 1 direction".into() } else { format!("are {most} directions") };
            Err(Failure::usage(
                format!("there {are} in '{file}', not {wanted}"),
                format!("leave --components out for all of them, or give 1 to {most}"),
            ))
        }
        wanted => Ok(wanted.unwrap_or(most)),
    }
}

/// The leading coordinates of each row.
fn answers(
    projection: &Projection,
    components: usize,
    block: &Block<'_>,
) -> Result<Vec<Row>, Error> {
    let coordinates = projection.transform(block)?;
    let rows = coordinates.chunks_exact(projection.len());
    Ok(rows.map(|row| Row { label: None, numbers: row[..components].to_vec() }).collect())
}
