//! Saves softmax regression, and reads it back to the last bit.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use gaussbayes::{Label, Learner, Loss, On, Pool, Priors, Scorer, SoftmaxSpec, Table};
use gaussbayes_io::{Error, Model};
use serde_json::Value;

fn model(priors: Priors) -> Model {
    let table = Table {
        dim: 2,
        values: (0..60).map(|i| f64::from(i * 37 % 23) + 1e9).collect(),
        codes: Some((0..30).map(|i| i * 7 % 3).collect()),
        dictionary: ["b", "a", "c"].map(Label::from).to_vec(),
        ..Table::default()
    };
    let (spec, pool) = (SoftmaxSpec::default().with_penalty(0.5), Pool::new(1).unwrap());
    let (names, on) = (["x", "y"].map(String::from), On::pool(&pool));
    let learner = Learner::Softmax(spec);
    let classifier = learner.learn(&priors, &names, &mut table.source(), on).unwrap().classifier;
    let loss = Loss::zero_one(3).with_reject(0.3).unwrap();
    Model {
        classifier: classifier.with_loss(loss).unwrap(),
        spec: learner,
        priors,
        target: Some("class".into()),
        weights: None,
        training: None,
        known: false,
        note: Some("kept".into()),
        clustering: None,
        by_em: None,
    }
}

#[test]
fn a_softmax_is_read_back_to_the_last_bit() {
    // A class of prior 0 has the intercept −∞, which JSON cannot write.
    for priors in [Priors::Observed, Priors::Given(vec![0.0, 0.25, 0.75])] {
        let model = model(priors);
        let bytes = model.to_bytes().unwrap();
        let read = Model::from_bytes(&bytes, "m.json").unwrap();
        assert_eq!(read, model);
        assert_eq!(read.to_bytes().unwrap(), bytes);
        assert!(matches!(read.classifier.model(), Scorer::Softmax(_)));
    }
}

/// Changes what the file says of the softmax, with the checksum made right again: it is refused.
fn refused(change: impl Fn(&mut Value)) -> String {
    let bytes = model(Priors::Observed).to_bytes().unwrap();
    let mut value: Value = serde_json::from_slice(&bytes).unwrap();
    change(&mut value["model"]);
    let body = value["model"].to_string();
    let bytes = format!(
        "{{\"format\":\"gaussbayes model\",\"version\":3,\"crc32\":\"{:08x}\",\"model\":{body}}}",
        crc32fast::hash(body.as_bytes())
    );
    match Model::from_bytes(bytes.as_bytes(), "m.json") {
        Err(Error::BadModel { why, .. }) => why,
        other => panic!("{body}\n{other:?}"),
    }
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let says = |expected: &str, change: &dyn Fn(&mut Value)| {
        let why = refused(change);
        assert!(why.contains(expected), "{why}, not {expected}");
    };
    says("penalty -0.5", &|model| model["softmax"]["penalty"] = (-0.5).into());
    says("tolerance", &|model| model["softmax"]["tolerance"] = (-1).into());
    says("coefficients", &|model| {
        model["softmax"]["coefficients"].as_array_mut().unwrap().push(1.into());
    });
    says("coefficients", &|model| {
        model["softmax"]["intercepts"].as_array_mut().unwrap().pop();
    });
    says("coefficient", &|model| model["softmax"]["coefficients"][0] = 1e300.into());
    says("priors", &|model| model["softmax"]["priors"][0] = 0.9.into());
    says("costs", &|model| {
        model["classes"].as_array_mut().unwrap().push("d".into());
    });
    says("several", &|model| {
        model.as_object_mut().unwrap().remove("softmax");
    });
}
