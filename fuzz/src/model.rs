//! Opens model files: what opens is written again, predicts and is fitted again, without a panic.

use gaussbayes::{Classifier, ColumnKind, Learner, Part, PartStat, ProductSpec, ProductStat};
use gaussbayes_io::{Error, Kept, Model};

use super::{fitted, sealed};

/// Runs the target: the bytes as a file, and as the content of a file whose checksum is right.
pub fn run(bytes: &[u8]) {
    open(bytes);
    open(&sealed("gaussbayes model", 3, "model", bytes));
}

fn open(bytes: &[u8]) {
    let model = match Model::from_bytes(bytes, "a.model") {
        Ok(model) => model,
        Err(fault) => return refused(&fault),
    };
    let Ok(written) = model.to_bytes() else { panic!("a model that opens is not written") };
    // Bytes, not values: a row that waits may lack some.
    match Model::from_bytes(&written, "a.model").map(|again| again.to_bytes()) {
        Ok(Ok(again)) => assert!(again == written, "a model that is written is the one that was"),
        Ok(Err(fault)) | Err(fault) => panic!("a model that is written does not open: {fault}"),
    }
    fitted::ask(&model.classifier, &model.types());
    if let Some(kept) = &model.training {
        again(&model, kept);
    }
}

/// Everything that is done with the statistics of a model.
fn again(model: &Model, kept: &Kept) {
    let features = model.classifier.features();
    let _ = (kept.weight(), kept.classes());
    if let Ok(closed) = kept.closed() {
        let _ = kept.merge(&closed);
    }
    match (kept, &model.spec) {
        (Kept::Gaussian(training), Learner::Gaussian(spec)) => {
            if let Ok(stat) = training.stat()
                && let Ok(fit) = Classifier::fit_any(spec, &model.priors, stat, features)
            {
                fitted::ask(&fit.classifier, &model.types());
            }
        }
        (Kept::Product(training), Learner::Product(spec)) => {
            if let Ok(stat) = training.stat()
                && !is_vast(spec, &stat)
                && let Ok((fit, _)) =
                    Classifier::fit_any_product(spec, &model.priors, stat, features)
            {
                fitted::ask(&fit, &model.types());
            }
        }
        _ => panic!("statistics of another kind than the model"),
    }
}

/// Whether a fit would have millions of numbers: a file may ask for that, up to a bound that is larger than ours.
fn is_vast(spec: &ProductSpec, stat: &ProductStat) -> bool {
    const MANY: usize = 1 << 16;
    let asked = |part: &Part| match &part.kind {
        ColumnKind::Code { least } => least.iter().any(|codes| *codes > MANY),
        _ => false,
    };
    let met = |part: &PartStat| match part {
        PartStat::Code(all) => {
            all.iter().any(|tally| tally.keys().last().is_some_and(|most| *most as usize > MANY))
        }
        _ => false,
    };
    spec.parts.iter().any(asked) || stat.parts().iter().any(met)
}

/// What a user is told: one line.
pub(super) fn refused(fault: &Error) {
    let (text, _) = (fault.to_string(), fault.hint());
    assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
}
