//! Draws one figure of every kind that the decks do not show.

use gaussbayes::{
    Action, Cell, Classifier, CovarianceSpec, Criterion, CurveSpec, EmSpec, Family, Folds, HeldOut,
    Learner, Loss, On, Pool, Search, SearchSpec, Start, Table, Trunk, View, cross_validate,
    feature_curve, out_of_fold,
};

use super::made::{banana, banana_note, beside, figure, fitted, told};
use super::{Deck, Exhibit, Sets};
use crate::error::PlotError;
use crate::picture::Picture;
use crate::{
    ErrorLook, Look, Over, RocLook, bic, confusion, cost_curve, density, error_curve, pairs,
    projection, regions, roc,
};

const DECK: Deck = Deck::Beyond;

/// What the columns of iris are called.
const IRIS: [&str; 4] = ["sepal_length", "sepal_width", "petal_length", "petal_width"];

pub(super) const EXHIBITS: &[Exhibit] = &[
    Exhibit {
        name: "iris-pairs",
        aliases: &[],
        about: "every pair of the four features of iris",
        deck: DECK,
        draw: iris_pairs,
    },
    Exhibit {
        name: "iris-projection",
        aliases: &[],
        about: "iris on the two directions that part its classes farthest",
        deck: DECK,
        draw: iris_projection,
    },
    Exhibit {
        name: "iris-slice",
        aliases: &[],
        about: "decisions over two features of iris where the others are fixed",
        deck: DECK,
        draw: iris_slice,
    },
    Exhibit {
        name: "iris-confusion",
        aliases: &[],
        about: "what kinds of iris are taken for each other",
        deck: DECK,
        draw: iris_confusion,
    },
    Exhibit {
        name: "banana-density",
        aliases: &[],
        about: "how dense rows of the banana set are under two Gaussians",
        deck: DECK,
        draw: banana_density,
    },
    Exhibit {
        name: "banana-roc",
        aliases: &[],
        about: "ROC curves of three classifiers on the banana set",
        deck: DECK,
        draw: banana_roc,
    },
    Exhibit {
        name: "banana-cost",
        aliases: &[],
        about: "what the best threshold costs, for every cost and prior",
        deck: DECK,
        draw: banana_cost,
    },
    Exhibit {
        name: "costs-and-reject",
        aliases: &[],
        about: "costs move a boundary, and a cheap reject opens a strip along it",
        deck: DECK,
        draw: costs,
    },
    Exhibit {
        name: "trunk-features",
        aliases: &[],
        about: "measured error over the number of features, beside the exact one",
        deck: DECK,
        draw: trunk_features,
    },
    Exhibit {
        name: "faithful-bic",
        aliases: &[],
        about: "how many clusters Old Faithful has, by BIC",
        deck: DECK,
        draw: faithful_bic,
    },
];

fn iris(sets: Sets<'_>, spec: &CovarianceSpec) -> Result<(Table, Classifier), PlotError> {
    let rows = sets("iris")?;
    let rule = fitted(spec, &rows, &IRIS)?;
    Ok((rows, rule))
}

fn iris_pairs(sets: Sets<'_>) -> Result<Picture, PlotError> {
    let (rows, rule) = iris(sets, &CovarianceSpec::qda())?;
    let features = IRIS.map(String::from);
    let picture = pairs(Some(&rule), Some(&rows), &features, &Look::default())?;
    Ok(Picture {
        title: "Iris, every pair of features".into(),
        caption: "Setosa stands apart in every pair with a petal; the other two touch in all of them, least where both \
                  petal features are seen together."
            .into(),
        ..picture
    })
}

fn iris_projection(sets: Sets<'_>) -> Result<Picture, PlotError> {
    let (rows, rule) = iris(sets, &CovarianceSpec::lda())?;
    let picture = projection(&rule, Some(&rows), &Look::default())?;
    Ok(Picture {
        title: "Iris along its canonical directions".into(),
        caption: "Of four features the linear rule needs two directions: the first parts the kinds, the second adds \
                  little. In these units all classes are round."
            .into(),
        ..picture
    })
}

fn iris_slice(sets: Sets<'_>) -> Result<Picture, PlotError> {
    let (rows, rule) = iris(sets, &CovarianceSpec::qda())?;
    let look = Look { view: View::Slice { columns: [2, 3], at: None }, ..Look::default() };
    let picture = regions(&rule, Some(&rows), &look)?;
    Ok(Picture {
        title: "Iris, a slice through the regions".into(),
        caption: "Where both sepal features have the value of the centre, the quadratic rule decides by the petals along \
                  conics. Rows lie elsewhere in the other two features and may be on the wrong side here."
            .into(),
        ..picture
    })
}

fn iris_confusion(sets: Sets<'_>) -> Result<Picture, PlotError> {
    let (rows, spec) = (sets("iris")?, CovarianceSpec::lda());
    let pool = Pool::new(1)?;
    let (priors, features) = (spec.default_priors(), IRIS.map(String::from));
    let folds = Folds { count: 10, seed: 1 };
    let mut source = rows.source();
    let judged =
        cross_validate(&spec, &priors, &features, None, folds, &mut source, On::pool(&pool))?;
    Ok(Picture {
        title: "Iris: said and true".into(),
        caption: "Ten folds of the linear classifier: setosa is never mistaken, versicolor and virginica sometimes for \
                  each other."
            .into(),
        ..confusion(&judged)?
    })
}

fn banana_density(_: Sets<'_>) -> Result<Picture, PlotError> {
    let (learnt, drawn) = banana();
    let rule = fitted(&CovarianceSpec::qda(), &learnt, &["x1", "x2"])?;
    let mut picture = density(&rule, Some(&drawn), &Look::default())?;
    picture.notes.push(banana_note());
    Ok(Picture {
        title: "The density of two Gaussians".into(),
        caption: "p(x) = Σ p(x|y) p(y): the model puts most mass where the bananas are hollow, which is what one Gaussian \
                  a class cannot help."
            .into(),
        ..picture
    })
}

/// Rows of the banana set, scored by models that have not seen them.
fn scored(spec: &CovarianceSpec) -> Result<HeldOut, PlotError> {
    let rows = banana().0;
    let candidate = (Learner::from(spec.clone()), spec.default_priors());
    let (folds, features) = (Folds { count: 10, seed: 1 }, ["x1", "x2"].map(String::from));
    let pool = Pool::new(1)?;
    Ok(out_of_fold(&candidate, &features, folds, &mut rows.source(), On::pool(&pool))?)
}

fn banana_roc(_: Sets<'_>) -> Result<Picture, PlotError> {
    let mut curves = Vec::new();
    for (name, spec) in [
        ("quadratic", CovarianceSpec::qda()),
        ("linear", CovarianceSpec::lda()),
        ("nearest mean", CovarianceSpec::nearest_mean()),
    ] {
        curves.extend(scored(&spec)?.roc(1).map(|roc| (name.to_owned(), roc)));
    }
    Ok(Picture {
        title: "ROC of three classifiers on banana data".into(),
        caption: "The quadratic and the linear rule lie on top of each other, as their boundaries do; the nearest mean \
                  is below both at nearly every threshold."
            .into(),
        ..roc(&curves, &RocLook::default())?
    })
}

fn banana_cost(_: Sets<'_>) -> Result<Picture, PlotError> {
    let roc = scored(&CovarianceSpec::qda())?.roc(1);
    let curves: Vec<_> =
        roc.map(|roc| ("quadratic".to_owned(), roc.cost_curve())).into_iter().collect();
    Ok(Picture {
        title: "What the best threshold costs".into(),
        caption: "Every threshold is a straight line: what it costs for each ratio of costs and priors. The best threshold \
                  for each is their lower envelope."
            .into(),
        ..cost_curve(&curves)?
    })
}

/// The same two classes with equal costs, with one error ten times as dear, and with a reject.
fn costs(_: Sets<'_>) -> Result<Picture, PlotError> {
    let plain = figure("equal-covariance")?;
    let dear = plain.clone().with_loss(Loss::new(
        2,
        vec![Action::Class(0), Action::Class(1)],
        vec![0.0, 10.0, 1.0, 0.0],
    )?)?;
    let reject = plain.clone().with_loss(Loss::zero_one(2).with_reject(0.1)?)?;
    let mut pictures = Vec::new();
    for (name, rule) in [
        ("every error costs 1", plain),
        ("missing class 1 costs 10", dear),
        ("reject costs 0.1", reject),
    ] {
        let picture = regions(&rule, None, &Look { names: false, ..Look::default() })?;
        pictures.push(Picture { title: name.into(), ..picture });
    }
    Ok(told(
        beside("", pictures, 3, [200.0, 160.0]),
        "Costs move a boundary, reject opens it",
        "The same two classes three times: with equal costs the boundary lies in the middle; where missing class 1 costs \
         ten times as much it lies nearer to class 2; with a reject that costs 0.1 a strip along the boundary is left \
         undecided.",
        "Costs act as priors do: the boundary moves away from the class that is dear to miss. A reject is taken where \
         every class would cost more.",
    ))
}

/// Features of Trunk's example that are looked at.
const PLACES: [usize; 8] = [1, 2, 5, 10, 20, 50, 100, 200];

fn trunk_features(_: Sets<'_>) -> Result<Picture, PlotError> {
    let dim = PLACES[PLACES.len() - 1];
    let rows = gaussbayes::trunk(dim).classifier()?.sample(2000, 1)?.table()?;
    let spec = CovarianceSpec::nearest_mean();
    let candidates = [(Learner::from(spec.clone()), spec.default_priors())];
    let mut how = CurveSpec::new(Folds { count: 10, seed: 1 });
    (how.at, how.rows, how.repeat) = (PLACES.to_vec(), Some(20), 2);
    let features: Vec<String> = (1..=dim).map(|j| format!("x{j}")).collect();
    let pool = Pool::new(1)?;
    let curve = feature_curve(&candidates, &features, &rows, &how, On::pool(&pool))?;
    let learnt = |dim: &usize| Trunk { dim: *dim }.nearest_mean_error(10.0, 10.0).value;
    let best = |dim: &usize| Trunk { dim: *dim }.bayes_error();
    let known = vec![
        ("exact, 10 rows a class".to_owned(), curve.at.iter().map(learnt).collect()),
        ("means known".to_owned(), curve.at.iter().map(best).collect()),
    ];
    let look = ErrorLook { over: Over::Columns, known };
    Ok(Picture {
        title: "Trunk's example, measured and exact".into(),
        caption: "Folds of 2000 rows, learning from 20 of them, find what the formula says: the error of learnt means first \
                  falls with the number of features, then rises."
            .into(),
        ..error_curve(&curve, &["nearest mean".to_owned()], &look)?
    })
}

fn faithful_bic(sets: Sets<'_>) -> Result<Picture, PlotError> {
    let rows = sets("faithful")?;
    let families = [Family::Eei, Family::Vvi, Family::Eee, Family::Vvv];
    let cell = |components| families.map(|family| Cell { components, family });
    let spec = SearchSpec {
        cells: (1..=6).flat_map(cell).collect(),
        spec: EmSpec::from(Family::Eee),
        runs: Start::usual(2),
        seed: 1,
        criterion: Criterion::Bic,
        features: Vec::new(),
    };
    let pool = Pool::new(1)?;
    let search = Search::begin(&spec, &mut rows.source(), On::pool(&pool))?;
    Ok(Picture {
        title: "How many clusters has Old Faithful?".into(),
        caption: "BIC, lower is better: what one covariance family needs clusters for another has in its shape. Beyond \
                  the best number another cluster no longer pays for its parameters."
            .into(),
        ..bic(search.entries(), Criterion::Bic)?
    })
}
