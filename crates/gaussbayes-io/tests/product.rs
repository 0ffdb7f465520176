//! Saves products of densities with their statistics, and reads them back to the last bit.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::borrow::Cow;

use gaussbayes::{
    Alpha, Classifier, ColumnKind, Counting, Field, Label, On, Part, Pool, Priors, ProductSpec,
    ProductSweep, Ridge, Scorer, Sparse, Table, Training, Unseen,
};
use gaussbayes_io::{Error, Kept, Model};
use serde_json::Value;

const KINDS: usize = 7;

/// Columns: a number, a flag, a category, a code, two counts, a text; some cells are missing.
fn table(rows: usize) -> Table {
    let mut values = Vec::new();
    let (mut starts, mut columns, mut counts) = (vec![0], Vec::new(), Vec::new());
    for i in 0..rows {
        let class = i % 3;
        let missing = |every: usize, value: f64| if i % every == 7 { f64::NAN } else { value };
        values.extend([
            missing(11, (i * 37 % 101) as f64 / 7.0 + class as f64),
            missing(13, f64::from(u8::from(i % 5 > class))),
            missing(17, ((i / 3 + class) % 4) as f64),
            missing(19, (i % 6) as f64),
            missing(23, (i % 3) as f64),
            (i % (class + 2)) as f64,
            missing(29, 0.0),
        ]);
        if i % 29 != 7 {
            columns.extend([class as u32, 3]);
            counts.extend([1.0, 2.0]);
        }
        starts.push(columns.len());
    }
    let names = |names: &[&str]| Cow::Owned(names.iter().map(|&name| name.into()).collect());
    let mut fields = vec![Field::Number; KINDS];
    fields[2] = Field::Category(names(&["rød", "grøn", "gul", "blå"]));
    fields[6] = Field::Text {
        words: names(&["z", "y", "x", "all"]),
        counts: Sparse::new(starts, columns, counts, 4).unwrap(),
    };
    Table {
        dim: KINDS,
        values,
        weights: Some((0..rows).map(|i| f64::from((i % 4) as u8)).collect()),
        codes: Some((0..rows).map(|i| (i % 3) as u32).collect()),
        dictionary: vec!["b".into(), "a".into(), "c".into()],
        fields,
        sparse: None,
    }
}

fn spec(unseen: Unseen, alpha: f64, counting: Counting) -> ProductSpec {
    let one = || Alpha::One(alpha);
    let part = |columns: &[usize], kind, alpha| Part { columns: columns.to_vec(), kind, alpha };
    let parts = vec![
        part(&[0], ColumnKind::Number, one()),
        part(&[1], ColumnKind::Flag { above: 0.5 }, one()),
        part(&[2], ColumnKind::Category, Alpha::Each(vec![alpha])),
        part(&[3], ColumnKind::Code { least: vec![8] }, one()),
        part(&[4, 5], ColumnKind::Count(counting), one()),
        part(&[6], ColumnKind::Text(counting), one()),
    ];
    ProductSpec { parts, unseen, ridge: Ridge::OfEach(1e-3) }
}

fn model(table: &Table, spec: ProductSpec) -> Model {
    let pool = Pool::new(1).unwrap();
    let features: Vec<String> = (0..table.dim).map(|j| format!("x{j}")).collect();
    let mut training = Training::of(ProductSweep::new(&spec), table.dim);
    training.add(&mut table.source(), On::pool(&pool)).unwrap();
    let (stat, priors) = (training.stat().unwrap(), Priors::Observed);
    let (classifier, _) = Classifier::fit_product(&spec, &priors, stat, &features).unwrap();
    Model {
        classifier,
        spec: spec.into(),
        priors,
        target: Some("class".into()),
        weights: None,
        training: Some(Kept::Product(training)),
        known: false,
        note: None,
        clustering: None,
        by_em: None,
    }
}

/// Whether two models are the same, where NaN stands for a missing value.
fn assert_same(read: &Model, model: &Model) {
    assert!(read.classifier == model.classifier);
    assert!(read.spec == model.spec && read.priors == model.priors);
    let (Some(Kept::Product(own)), Some(Kept::Product(other))) = (&read.training, &model.training)
    else {
        panic!("both have the statistics of a product");
    };
    assert!(own.tree() == other.tree());
    let (own, other) = (own.tail(), other.tail());
    let bits = |table: &Table| table.values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(own), bits(other));
    assert!(own.fields == other.fields && own.dictionary == other.dictionary);
    assert!(own.codes == other.codes && own.weights == other.weights && own.sparse == other.sparse);
}

#[test]
fn products_are_read_back_to_the_last_bit() {
    let complement = Counting::Complement { norm: true };
    for (unseen, alpha, counting) in [
        (Unseen::Ignore, 1.0, Counting::Multinomial),
        (Unseen::Smooth, 0.1, complement),
        // Names that a class never has are at −∞, which JSON cannot write.
        (Unseen::Refuse, 0.0, Counting::Multinomial),
    ] {
        // Two whole blocks and a tail.
        let model = model(&table(2 * 8192 + 100), spec(unseen, alpha, counting));
        let bytes = model.to_bytes().unwrap();
        let read = Model::from_bytes(&bytes, "m.json").unwrap();
        assert_same(&read, &model);
        assert!(read.to_bytes().unwrap() == bytes);
        let sealed = Model { training: None, ..model };
        let bytes = sealed.to_bytes().unwrap();
        assert!(Model::from_bytes(&bytes, "m.json").unwrap() == sealed);
    }
}

#[test]
fn sparse_rows_wait_in_the_file_for_their_block() {
    let sparse = Sparse::new(vec![0, 1, 3, 3], vec![1, 0, 2], vec![2.0, -1.0, 0.5], 3).unwrap();
    let table = Table {
        dim: 3,
        codes: Some(vec![0, 1, 0]),
        dictionary: vec!["a".into(), "b".into()],
        sparse: Some(sparse),
        ..Table::default()
    };
    let flags = ColumnKind::Flag { above: 0.0 };
    let model = model(&table, ProductSpec::all(3, flags, Alpha::One(1.0)));
    let bytes = model.to_bytes().unwrap();
    assert_same(&Model::from_bytes(&bytes, "m.json").unwrap(), &model);
    refused(&model, |product| product["training"]["tail"]["sparse"]["width"] = 4.into());
}

/// Changes what the file says of the product, with the checksum made right again: it is refused.
fn refused(model: &Model, change: impl Fn(&mut Value)) -> String {
    let text = String::from_utf8(model.to_bytes().unwrap()).unwrap();
    let mut value: Value = serde_json::from_str(&text).unwrap();
    let before = value["model"].to_string();
    change(&mut value["model"]["product"]);
    let body = value["model"].to_string();
    assert_ne!(body, before, "nothing was changed");
    let bytes = format!(
        "{{\"format\":\"gaussbayes model\",\"version\":3,\"crc32\":\"{:08x}\",\"model\":{body}}}",
        crc32fast::hash(body.as_bytes())
    );
    match Model::from_bytes(bytes.as_bytes(), "m.json") {
        Err(Error::BadModel { why, .. }) => why,
        other => panic!("{body:.2000}\n{other:?}"),
    }
}

#[test]
fn damaged_products_are_refused() {
    let model = model(&table(8192 + 40), spec(Unseen::Smooth, 1.0, Counting::Multinomial));
    assert!(matches!(model.classifier.model(), Scorer::Product(_)));
    let says = |expected: &str, change: &dyn Fn(&mut Value)| {
        let why = refused(&model, change);
        assert!(why.contains(expected), "{why}, not {expected}");
    };
    says("magic", &|product| product["unseen"] = "magic".into());
    says("alpha -1", &|product| product["parts"][2]["alpha"] = serde_json::json!({"each": [-1]}));
    says("columns", &|product| product["parts"][0]["columns"][0] = 7.into());
    says("parts that have a column", &|product| product["parts"][0]["columns"][0] = 1.into());
    says("sum", &|product| product["priors"][0] = 2.into());
    says("columns", &|product| product["factors"][0]["number"]["column"] = 9.into());
    let factor = |kind: &'static str, key: &'static str, at: usize| {
        move |product: &mut Value| {
            product["factors"][at][kind][key].as_array_mut().unwrap().pop();
        }
    };
    says("log probability", &factor("flags", "log_yes", 1));
    says("log probability", &factor("names", "names", 2));
    says("log probability", &factor("codes", "unseen", 3));
    says("weight", &factor("counts", "weights", 4));
    says("weight", &factor("words", "words", 5));
    says("names in order", &|product| product["factors"][2]["names"]["names"][0] = "ø".into());
    says("noise", &|product| {
        let mixture = &mut product["factors"][0]["number"]["mixture"];
        mixture["noise"] = serde_json::json!(
            {"share": 0.1, "axes": null, "origin": [0.0], "low": [0.0], "high": [1.0]}
        );
    });
    let stat = |change: &'static dyn Fn(&mut Value)| {
        move |product: &mut Value| change(&mut product["training"]["stack"][0])
    };
    says("merge tree", &|product| {
        let again = product["training"]["stack"][0].clone();
        product["training"]["stack"].as_array_mut().unwrap().push(again);
    });
    says("weight -1", &stat(&|stat| stat["weight"][0] = (-1).into()));
    says("moments of 'a'", &stat(&|stat| stat["labels"][0] = "z".into()));
    says("parts", &stat(&|stat| drop(stat["parts"].as_array_mut().unwrap().pop())));
    says("flag", &stat(&|stat| stat["parts"][1] = stat["parts"][2].clone()));
    says(
        "columns of a part",
        &stat(&|stat| {
            let again = stat["parts"][2]["category"][0].clone();
            stat["parts"][2]["category"].as_array_mut().unwrap().push(again);
        }),
    );
    says("column 3 of 2", &stat(&|stat| stat["parts"][4]["count"]["keys"][1] = 2.into()));
    says("keys in order", &stat(&|stat| stat["parts"][5]["text"][0]["sums"][0] = (-1).into()));
    says("keys in order", &stat(&|stat| stat["parts"][2]["category"][0]["keys"][0] = "z".into()));
    says("no class of it", &stat(&|stat| stat["parts"][0]["number"][0]["labels"][0] = "A".into()));
    says(
        "2 columns",
        &stat(&|stat| {
            let frame = &mut stat["parts"][0]["number"][0]["frame"];
            for key in ["origin", "exponent", "shift"] {
                let again = frame[key][0].clone();
                frame[key].as_array_mut().unwrap().push(again);
            }
        }),
    );
    let tail = |change: &'static dyn Fn(&mut Value)| {
        move |product: &mut Value| change(&mut product["training"]["tail"])
    };
    says("fields", &tail(&|tail| drop(tail["fields"].as_array_mut().unwrap().pop())));
    says("names", &tail(&|tail| tail["values"][2] = 4.into()));
    says(
        "a word stands -1 times",
        &tail(&|tail| {
            tail["fields"][6]["text"]["counts"]["values"][0] = (-1).into();
        }),
    );
    says("label", &tail(&|tail| tail["codes"][0] = 3.into()));
    says("unknown field", &tail(&|tail| tail["more"] = 3.into()));
}

#[test]
fn labels_and_words_may_be_any_text() {
    let mut table = table(40);
    let odd: Vec<Label> = ["\"quoted\", and\n", "\u{0}", "日本"].map(Label::from).to_vec();
    table.dictionary.clone_from(&odd);
    let spec = spec(Unseen::Ignore, 1.0, Counting::Complement { norm: false });
    let model = model(&table, spec);
    let read = Model::from_bytes(&model.to_bytes().unwrap(), "m.json").unwrap();
    assert_same(&read, &model);
    assert!(odd.iter().all(|label| read.classifier.classes().contains(label)));
}
