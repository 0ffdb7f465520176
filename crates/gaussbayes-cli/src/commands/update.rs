//! Adds rows to a saved model: the same bytes as one fit of all rows.

use gaussbayes::{Classifier, On};
use gaussbayes_io::{Columns, Data, Model};

use super::{fit::saved, pool, warn_of};
use crate::args::{Common, Update};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(arguments: &Update, common: &Common, output: &Output) -> Result<(), Failure> {
    let mut model = Model::load(&arguments.model)?;
    let features = model.classifier.features().to_vec();
    let columns = Columns {
        target: Some(model.target.clone()),
        weights: model.weights.clone(),
        ..Columns::exactly(&features)
    };
    let mut data = Data::open(&arguments.data, &columns, common.seed)?;
    model.training.add(&mut data, On::pool(&pool(common)?))?;
    let stat = model.training.stat()?;
    let fitted = Classifier::fit(&model.spec, &model.priors, stat, &features)?;
    warn_of(&fitted.report, &features, output);
    model.classifier = fitted.classifier;
    let path = arguments.output.as_ref().unwrap_or(&arguments.model);
    model.save(path)?;
    saved(&model, fitted.report.parameters, &path.display().to_string(), output)
}
