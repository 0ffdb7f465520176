//! Puts products before the laws that hold for everything that is summed up by sweeps.

use std::borrow::Cow;

use gaussbayes::{
    Alpha, Classifier, ColumnKind, Counting, Error, Field, Label, Merge, On, Part, Priors, Product,
    ProductSpec, ProductSweep, Random, Ridge, Scorer, Source, Sparse, Table, Unseen, run,
};

use crate::laws::Subject;
use crate::part;
use crate::support::mapped;

/// Whole numbers, names, flags, counts and words in more than one block; a sixteenth of the cells is missing.
fn rows() -> Table {
    const ROWS: usize = 9000;
    let mut random = Random::new(11, 0);
    let mut table = Table { dim: 6, ..Table::default() };
    let (mut codes, mut starts, mut places, mut counts) = (vec![], vec![0], vec![], vec![]);
    for _ in 0..ROWS {
        let class = random.below(3);
        let mut cell = |value: u64| {
            let more = random.below(4 + class);
            if random.below(16) == 0 { f64::NAN } else { (value + more) as f64 }
        };
        let row = [cell(10 * class), cell(40), cell(0), cell(0), cell(0), 0.0];
        // Names are 0 to 6, the flag is up above 2.
        table.values.extend(row);
        codes.push(class as u32);
        for word in 0..5 {
            if random.below(3 + (word + class) % 3) == 0 {
                places.push(word as u32);
                counts.push(1.0 + random.below(3) as f64);
            }
        }
        starts.push(places.len());
    }
    let names = |count: usize, word: &str| -> Cow<'static, [Label]> {
        (0..count).map(|k| Label::from(format!("{word}{k}"))).collect()
    };
    let words = Sparse::new(starts, places, counts, 5).unwrap();
    table.fields = vec![
        Field::Number,
        Field::Number,
        Field::Category(names(7, "name")),
        Field::Number,
        Field::Number,
        Field::Text { words: names(5, "word"), counts: words },
    ];
    table.codes = Some(codes);
    table.dictionary = ["c", "a", "b"].map(Label::from).to_vec();
    table.weights = Some((0..ROWS).map(|i| (i % 5) as f64 / 4.0).collect());
    table
}

/// A product of some of the columns.
struct Fitted(Vec<Part>);

impl Fitted {
    fn spec(&self) -> ProductSpec {
        ProductSpec { parts: self.0.clone(), unseen: Unseen::Smooth, ridge: Ridge::OfEach(1e-9) }
    }

    fn model<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Classifier {
        let stat = run(&ProductSweep::new(&self.spec()), source, on).unwrap();
        self.of(stat)
    }

    fn of(&self, stat: gaussbayes::ProductStat) -> Classifier {
        let names: Vec<String> = (0..6).map(|j| format!("x{j}")).collect();
        Classifier::fit_product(&self.spec(), &Priors::Observed, stat, &names).unwrap().0
    }
}

/// All numbers of a product.
fn numbers(classifier: &Classifier) -> Vec<f64> {
    let Scorer::Product(product) = classifier.model() else { panic!("no product") };
    let mut all = product.priors().to_vec();
    for factor in product.factors() {
        all.extend(of_factor(factor));
    }
    all
}

fn of_factor(factor: &gaussbayes::Factor) -> Vec<f64> {
    use gaussbayes::Factor::{Counts, Flags, Names, Number, Words};
    match factor {
        Number { mixture, .. } => (0..mixture.components())
            .flat_map(|k| [mixture.raw_mean(k), mixture.raw_covariance(k)].concat())
            .collect(),
        Flags { log_yes, log_no, .. } => [log_yes.clone(), log_no.clone()].concat(),
        Names { log_probs, unseen, .. } => [log_probs.clone(), unseen.clone().unwrap()].concat(),
        Counts { weights, .. } => weights.clone(),
        Words { weights, unseen, .. } => [weights.clone(), unseen.clone().unwrap()].concat(),
    }
}

impl Subject for Fitted {
    fn rows(&self) -> Table {
        rows()
    }

    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64> {
        numbers(&self.model(source, on))
    }

    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64> {
        let model = self.model(&mut rows.source(), on);
        let scores = model.scores(&rows.block(0..500).unwrap()).unwrap();
        scores.into_probabilities()
    }

    fn moved(&self, rows: &Table) -> Table {
        let number = |part: &&Part| part.kind == ColumnKind::Number;
        let scaled: Vec<usize> =
            self.0.iter().filter(number).flat_map(|part| part.columns.clone()).collect();
        mapped(rows, |j, x| if scaled.contains(&j) { x + 1e9 } else { x })
    }

    fn merged(&self, parts: &[Table], on: On<'_>) -> Vec<f64> {
        let sweep = ProductSweep::new(&self.spec());
        let stats = parts.iter().map(|part| run(&sweep, &mut part.source(), on).unwrap());
        numbers(&self.of(stats.reduce(Merge::merge).unwrap()))
    }
}

laws!(numbers_with_gaps, Fitted(vec![part(&[0, 1], ColumnKind::Number, 1.0)]));
laws!(flags, Fitted(vec![part(&[3, 4], ColumnKind::Flag { above: 2.0 }, 1.0)]));
laws!(categories, Fitted(vec![part(&[2], ColumnKind::Category, 0.5)]));
laws!(codes, Fitted(vec![part(&[3, 4], ColumnKind::Code { least: vec![] }, 1.0)]));
laws!(counts, Fitted(vec![part(&[3, 4, 0], ColumnKind::Count(Counting::Multinomial), 1.0)]));
laws!(
    complement_counts,
    Fitted(vec![part(&[3, 4, 0], ColumnKind::Count(Counting::Complement { norm: true }), 1.0)])
);
laws!(words, Fitted(vec![part(&[5], ColumnKind::Text(Counting::Multinomial), 1.0)]));
laws!(
    all_kinds,
    Fitted(vec![
        part(&[0, 1], ColumnKind::Number, 1.0),
        part(&[2], ColumnKind::Category, 1.0),
        part(&[3], ColumnKind::Flag { above: 2.0 }, 1.0),
        part(&[4], ColumnKind::Count(Counting::Multinomial), 1.0),
        part(&[5], ColumnKind::Text(Counting::Complement { norm: false }), 1.0),
    ])
);

#[test]
fn a_weight_of_two_is_a_row_twice() {
    let once = rows();
    let mut twice = Table { dim: 6, ..Table::default() };
    let weighted = Table {
        weights: Some((0..2000).map(|i| f64::from(i % 3)).collect()),
        ..rows_of(&once, 2000)
    };
    let plain = Table { weights: None, ..rows_of(&once, 2000) };
    for i in 0..2000 {
        for _ in 0..i % 3 {
            twice.push_block(&plain.block(i..i + 1).unwrap());
        }
    }
    let fit = Fitted(vec![
        part(&[0, 1], ColumnKind::Number, 1.0),
        part(&[2], ColumnKind::Category, 1.0),
        part(&[3], ColumnKind::Flag { above: 2.0 }, 1.0),
        part(&[5], ColumnKind::Text(Counting::Multinomial), 1.0),
    ]);
    let pool = gaussbayes::Pool::new(1).unwrap();
    let found = |table: &Table| numbers(&fit.model(&mut table.source(), On::pool(&pool)));
    let (weighted, twice) = (found(&weighted), found(&twice));
    assert_eq!(weighted.len(), twice.len());
    for (a, b) in weighted.iter().zip(&twice) {
        assert!((a - b).abs() < 1e-12 * a.abs().max(1.0), "{a} {b}");
    }
}

fn rows_of(table: &Table, count: usize) -> Table {
    let mut part = Table { dim: table.dim, ..Table::default() };
    part.push_block(&table.block(0..count).unwrap());
    part
}

#[test]
fn what_is_unseen_gets_the_mass_that_smoothing_keeps_for_it() {
    let alpha = Alpha::One(0.5);
    let parts = vec![Part { columns: vec![0], kind: ColumnKind::Category, alpha }];
    let table = |name: &str| Table {
        dim: 1,
        values: vec![0.0],
        fields: vec![Field::Category(vec![Label::from(name)].into())],
        codes: Some(vec![0]),
        dictionary: vec![Label::from("k")],
        ..Table::default()
    };
    let spec = ProductSpec { parts, unseen: Unseen::Smooth, ridge: Ridge::None };
    let pool = gaussbayes::Pool::new(1).unwrap();
    let mut seen = table("red");
    seen.push_block(&table("blue").block(0..1).unwrap());
    let stat = run(&ProductSweep::new(&spec), &mut seen.source(), On::pool(&pool)).unwrap();
    let (_, product, _): (_, Product, _) =
        spec.estimate(stat, &Priors::Observed, &["colour".to_string()]).unwrap();
    let p = |name: &str| {
        let scores = gaussbayes::Score::scores(&product, &table(name).block(0..1).unwrap());
        scores.unwrap().relative[0].exp()
    };
    // (1 + ½) / (2 + 3·½) for those met, ½ / 3.5 for all others.
    assert!((p("red") - 3.0 / 7.0).abs() < 1e-15 && (p("blue") - 3.0 / 7.0).abs() < 1e-15);
    assert!((p("green") - 1.0 / 7.0).abs() < 1e-15);
}
