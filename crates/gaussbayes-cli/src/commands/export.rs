//! Writes a model for other programs: ONNX, SQL, plain JSON.

use gaussbayes_io::{Naming, Precision, reads_back, shell, to_json, to_onnx, to_sql};
use serde_json::json;

use super::{adjusted, model, refuse_overwriting};
use crate::args::{Export, Written};
use crate::failure::Failure;
use crate::output::Output;
use crate::text::plural;

pub(crate) fn run(arguments: &Export, output: &Output) -> Result<(), Failure> {
    check(arguments)?;
    let model = model::open(&arguments.model, &[])?;
    let priors = arguments.priors.as_deref();
    let classifier = adjusted(model.classifier, &model.spec, priors, &arguments.costs, output)?;
    let recipe = || classifier.recipe().map(|recipe| (Naming::of(&recipe), recipe));
    let bytes = match arguments.to {
        Written::Json => to_json(&classifier).into_bytes(),
        Written::Sql => {
            let (naming, recipe) = recipe()?;
            to_sql(&recipe, &naming, arguments.table.as_deref().unwrap_or("data")).into_bytes()
        }
        Written::Onnx => {
            let (naming, recipe) = recipe()?;
            to_onnx(&recipe, &naming, arguments.precision.unwrap_or(Precision::Double))
        }
    };
    let format = arguments.to.name();
    let Some(path) = &arguments.output else {
        let text = String::from_utf8_lossy(&bytes);
        let result = json!({
            "output": null, "format": format, "bytes": bytes.len(), "text": text,
        });
        return output.answer(&text, &result);
    };
    gaussbayes_io::write_atomically(path, &bytes)?;
    let name = path.display().to_string();
    let next = match arguments.to {
        Written::Json if reads_back(&classifier) => {
            format!("next: gaussbayes model {}\n", shell(&name))
        }
        _ => String::new(),
    };
    let text = format!("{} written\nsaved {name}\n{next}", plural(bytes.len(), "byte"));
    output.answer(&text, &json!({"output": name, "format": format, "bytes": bytes.len()}))
}

/// Refuses what does not go together.
fn check(arguments: &Export) -> Result<(), Failure> {
    if let Some(path) = &arguments.output {
        refuse_overwriting(path, &[arguments.model.clone().into()])?;
    }
    if arguments.to == Written::Onnx && arguments.output.is_none() {
        let hint = format!("gaussbayes export {} --to onnx -o model.onnx", shell(&arguments.model));
        return Err(Failure::usage("where is the ONNX model to be written?", hint));
    }
    if arguments.table.is_some() && arguments.to != Written::Sql {
        return Err(Failure::usage("--table is for SQL", "--to sql, or leave --table out"));
    }
    if arguments.precision.is_some() && arguments.to != Written::Onnx {
        let hint = "--to onnx, or leave --precision out";
        return Err(Failure::usage("--precision is for ONNX", hint));
    }
    Ok(())
}
