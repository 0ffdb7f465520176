//! Projects rows on the canonical directions of a model.

use gaussbayes::{Block, Classifier, Error, Mixture, Projection};
use gaussbayes_io::Model;

use super::stream::{Row, Stream};
use super::{open, refuse_overwriting};
use crate::args::{Common, Transform};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(arguments: &Transform, common: &Common, output: &Output) -> Result<(), Failure> {
    if let Some(output) = &arguments.output {
        let mut inputs = arguments.data.paths();
        inputs.push(arguments.model.clone());
        refuse_overwriting(output, &inputs)?;
    }
    let model = Model::load(&arguments.model)?;
    let projection = Projection::of(one_each(&model.classifier)?)?;
    let components = components(arguments, projection.len())?;
    let stream = Stream {
        columns: (1..=components).map(name).collect(),
        output: arguments.output.as_deref(),
        doing: "transforming",
        next: output.next("show", &[]),
        done: "transformed",
    };
    let data = open(&arguments.data, &model.columns(), common, output)?;
    stream.run(data, common, output, |block| answers(&projection, components, block))
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
    Ok(rows.map(|row| Row { texts: Vec::new(), numbers: row[..components].to_vec() }).collect())
}
