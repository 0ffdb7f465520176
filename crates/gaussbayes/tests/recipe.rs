//! Computes scores by the recipe alone and holds them to those of the classifier: [M88].

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use gaussbayes::{
    Action, Bell, Choice, Classifier, Extent, Factor, Label, Law, Loss, Mixture, Noise, Product,
    Recipe, Scoring, Table, Term, Unseen, Whitener, log_sum_exp,
};

fn classifier(mixture: Mixture, owner: Vec<usize>, loss: Loss) -> Classifier {
    let classes = (0..loss.classes()).map(|k| Label::from(format!("c{k}"))).collect();
    let features = (0..mixture.dim()).map(|j| format!("x{j}")).collect();
    Classifier::owned(mixture, owner, classes, features, loss).unwrap()
}

fn bell(bell: &Bell, x: &[f64]) -> f64 {
    let apart: Vec<f64> = x.iter().zip(&bell.centre).map(|(x, c)| x - c).collect();
    let dot = |row: &[f64]| row.iter().zip(&apart).map(|(w, x)| w * x).sum::<f64>();
    let z: Vec<f64> = match &bell.whitener {
        Whitener::Zero => Vec::new(),
        Whitener::Diagonal(factors) => factors.iter().zip(&apart).map(|(w, x)| w * x).collect(),
        Whitener::Matrix(matrix) => matrix.chunks_exact(x.len()).map(dot).collect(),
    };
    let shift = |i: usize| bell.shift.get(i).copied().unwrap_or(0.0);
    let q: f64 = z.iter().enumerate().map(|(i, z)| (z - shift(i)).powi(2)).sum();
    bell.constant - 0.5 * bell.power.map_or(q, |power| power * q.ln_1p())
}

/// Posteriors of the classes, by the recipe.
fn posterior(recipe: &Recipe, x: &[f64]) -> Vec<f64> {
    let scores: Vec<f64> = match &recipe.scoring {
        Scoring::Bells(bells) => bells.iter().map(|one| bell(one, x)).collect(),
        Scoring::Linear { centre, coefficients, constants, .. } => {
            let along = |row: &[f64]| {
                row.iter().zip(x.iter().zip(centre)).map(|(w, (x, c))| w * (x - c)).sum::<f64>()
            };
            coefficients.chunks_exact(x.len()).zip(constants).map(|(w, b)| b + along(w)).collect()
        }
        Scoring::Terms { constants, terms } => {
            let said = |k: usize| {
                let of = |term: &Term| match term {
                    Term::Number { column, bells } if x[*column].is_nan() => {
                        0.0 * bells[k].constant
                    }
                    Term::Number { column, bells } => bell(&bells[k], &x[*column..=*column]),
                    _ => panic!("other terms are held to their programs"),
                };
                terms.iter().map(of).sum::<f64>()
            };
            constants.iter().enumerate().map(|(k, constant)| constant + said(k)).collect()
        }
    };
    let total = log_sum_exp(&scores);
    let mut shares = vec![0.0; recipe.classes.len()];
    let pairs = recipe.owner.iter().zip(&scores);
    pairs.for_each(|(class, score)| shares[*class] += (score - total).exp());
    shares
}

#[track_caller]
fn same(classifier: &Classifier, rows: &[Vec<f64>], tolerance: f64) {
    let recipe = classifier.recipe().unwrap();
    let dim = recipe.features.len();
    let table = Table { dim, values: rows.concat(), ..Table::default() };
    let block = table.block(0..rows.len()).unwrap();
    let expected = classifier.scores(&block).unwrap().into_probabilities();
    for (row, right) in rows.iter().zip(expected.chunks_exact(recipe.classes.len())) {
        for (found, right) in posterior(&recipe, row).iter().zip(right) {
            assert!((found - right).abs() <= tolerance, "{row:?}: {found} {right}");
        }
    }
}

/// Points on a grid about an offset, and far out.
fn grid(offset: f64) -> Vec<Vec<f64>> {
    let near = (-4..=4).flat_map(|i| (-4..=4).map(move |j| (f64::from(i), f64::from(j))));
    let far = [(1e3, 2e3), (-1e6, 1e5), (3e5, -1e6)];
    near.chain(far).map(|(x, y)| vec![offset + 0.7 * x, offset + 0.9 * y]).collect()
}

#[test]
fn bells_and_linear_scores_are_those_of_the_mixture() {
    for offset in [0.0, 1e9] {
        let means = [vec![offset, offset], vec![offset + 1.0, offset + 0.5]];
        let each = [vec![1.0, 0.3, 2.0], vec![0.5, -0.2, 0.7]];
        let quadratic = Mixture::given(&means, &each, vec![0.3, 0.7]).unwrap();
        same(&classifier(quadratic, vec![0, 1], Loss::zero_one(2)), &grid(offset), 1e-12);
        let shared = Mixture::given(&means, &each[..1], vec![0.3, 0.7]).unwrap();
        let linear = classifier(shared.clone(), vec![0, 1], Loss::zero_one(2));
        assert!(matches!(linear.recipe().unwrap().scoring, Scoring::Linear { .. }));
        same(&linear, &grid(offset), 1e-12);
        let laws = vec![Law::student(4.0, 2), Law::Scaled { factor: 0.8, offset: 0.1 }];
        let heavy = shared.clone().with_laws(laws).unwrap();
        same(&classifier(heavy, vec![0, 1], Loss::zero_one(2)), &grid(offset), 1e-12);
        let corner = vec![offset - 9.0, offset - 9.0];
        let extent = Extent::new(None, corner, vec![0.0; 2], vec![18.0; 2]).unwrap();
        let noisy = shared.with_noise(Some(Noise { share: 0.1, extent })).unwrap();
        same(&classifier(noisy, vec![0, 1, 2], Loss::zero_one(3)), &grid(offset), 1e-12);
    }
}

#[test]
fn the_mean_is_found_again_where_no_number_is_near_it() {
    // Between two numbers at 1e9 there are 1.2e-7: deviations of 1e-6 notice.
    let rows = |offset: f64| -> Vec<Vec<f64>> {
        (-9..=9).map(|i| vec![offset + 4e-7 * f64::from(i)]).collect()
    };
    let means = [vec![1e9], vec![1e9 + 1e-6]];
    let mixture = Mixture::given(&means, &[vec![1e-12], vec![2e-12]], vec![0.5, 0.5]).unwrap();
    same(&classifier(mixture, vec![0, 1], Loss::zero_one(2)), &rows(1e9), 1e-12);
}

#[test]
fn means_that_are_far_apart_are_no_linear_scores() {
    let means = [vec![0.0, 0.0], vec![1.0, 0.5], vec![1e7, 1e7]];
    let mixture = Mixture::given(&means, &[vec![1.0, 0.3, 2.0]], vec![0.3, 0.3, 0.4]).unwrap();
    let rule = classifier(mixture, vec![0, 1, 2], Loss::zero_one(3));
    assert!(matches!(rule.recipe().unwrap().scoring, Scoring::Bells(_)));
    same(&rule, &grid(0.0)[..81], 1e-12);
}

#[test]
fn classes_own_scores_and_costs_are_reduced() {
    let means = [vec![0.0, 0.0], vec![3.0, 0.0], vec![1.0, 1.0]];
    let mixture = Mixture::given(&means, &[vec![1.0, 0.0, 1.0]], vec![0.2, 0.3, 0.5]).unwrap();
    let actions = vec![Action::Class(0), Action::Class(1), Action::Reject];
    let loss = Loss::new(2, actions, vec![1.0, 3.0, 1.5, 4.0, 2.0, 2.5]).unwrap();
    let rule = classifier(mixture, vec![0, 0, 1], loss.with_outliers(-20.0).unwrap());
    same(&rule, &grid(0.0), 1e-12);
    let decision = rule.recipe().unwrap().decision;
    let Choice::Cost { actions, costs, log_costs } = decision.choice else { panic!() };
    assert_eq!((actions, costs), (3, vec![0.0, 2.0, 0.5, 2.0, 0.0, 0.5]));
    assert_eq!((log_costs[0], log_costs[1]), (Recipe::LEAST, 2.0_f64.ln()));
    assert_eq!(decision.outliers, Some((-20.0, 2)));
}

#[test]
fn products_leave_out_what_is_missing() {
    let number = |column: usize, means: [f64; 2]| {
        let means = means.map(|mean| vec![mean]);
        let mixture = Mixture::given(&means, &[vec![1.0], vec![4.0]], vec![0.5, 0.5]).unwrap();
        Factor::Number { column, mixture: Box::new(mixture) }
    };
    let factors = vec![number(0, [0.0, 1.0]), number(1, [2.0, -1.0])];
    let product = Product::new(2, vec![0.25, 0.75], factors, Unseen::Ignore).unwrap();
    let names = |prefix: char| (0..2).map(move |j| format!("{prefix}{j}"));
    let rule = Classifier::new(
        product,
        names('c').map(Label::from).collect(),
        names('x').collect(),
        Loss::zero_one(2),
    );
    let recipe = rule.unwrap().recipe().unwrap();
    // Prior 1/4 of N(0, 1) against 3/4 of N(1, 4) at 1, by hand; the other column says nothing.
    let odds = 0.25 * (-0.5_f64).exp() / (0.75 * 0.5);
    let found = posterior(&recipe, &[1.0, f64::NAN]);
    assert!((found[0] - odds / (1.0 + odds)).abs() < 1e-15);
}
