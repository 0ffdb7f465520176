//! Opens files of moments: what opens is written again, merged and fitted, without a panic.

use gaussbayes::{
    Alpha, Amount, Classifier, Counting, CovarianceSpec, Family, Priors, ProductSpec, Ridge,
    Shrinkage, Target, Unseen,
};
use gaussbayes_io::{Kept, MomentsFile, Types, typed_parts};

use super::model::refused;
use super::{fitted, sealed};

/// Runs the target: the bytes as a file, and as the content of a file whose checksum is right.
pub fn run(bytes: &[u8]) {
    open(bytes);
    open(&sealed("gaussbayes moments", 1, "moments", bytes));
}

fn open(bytes: &[u8]) {
    let file = match MomentsFile::from_bytes(bytes, "a.moments") {
        Ok(file) => file,
        Err(fault) => return refused(&fault),
    };
    let Ok(written) = file.to_bytes() else { panic!("moments that open are not written") };
    match MomentsFile::from_bytes(&written, "a.moments").map(|again| again.to_bytes()) {
        Ok(Ok(again)) => assert!(again == written, "moments that are written are those that were"),
        Ok(Err(fault)) | Err(fault) => panic!("moments that are written do not open: {fault}"),
    }
    let _ = (file.rows(), file.missing_text(), file.check_whole());
    let _ = (file.sums.weight(), file.sums.classes(), file.sums.merge(&file.sums));
    match &file.sums {
        Kept::Gaussian(training) => {
            for spec in specs() {
                if let Ok(stat) = training.stat()
                    && let Ok(fit) =
                        Classifier::fit_any(&spec, &Priors::Observed, stat, &file.features)
                {
                    fitted::ask(&fit.classifier, &Types::Plain);
                }
            }
        }
        Kept::Product(training) => {
            let types = file.types.clone().unwrap_or_default();
            for counting in [Counting::Multinomial, Counting::Complement { norm: true }] {
                let parts = typed_parts(&types, counting, |_| Alpha::One(1.0));
                let spec = ProductSpec { parts, unseen: Unseen::Smooth, ridge: Ridge::None };
                if let Ok(stat) = training.stat()
                    && let Ok((fit, _)) =
                        Classifier::fit_any_product(&spec, &Priors::Uniform, stat, &file.features)
                {
                    fitted::ask(&fit, &Types::Given(types.clone()));
                }
            }
        }
    }
}

/// Fits that between them ask for every storage, and for all that is done to a covariance.
fn specs() -> Vec<CovarianceSpec> {
    let shrunk = Shrinkage::Toward { amount: Amount::Oas, target: Target::ALL[0] };
    vec![
        CovarianceSpec { shrinkage: Some(shrunk), ..CovarianceSpec::qda() },
        CovarianceSpec::qda(),
        CovarianceSpec::lda(),
        CovarianceSpec { ridge: Ridge::OfEach(1e-9), ..CovarianceSpec::naive_bayes() },
        CovarianceSpec::nearest_mean(),
        CovarianceSpec { family: Family::Vve, ..CovarianceSpec::qda() },
        CovarianceSpec::rda(0.5, 0.5),
    ]
}
