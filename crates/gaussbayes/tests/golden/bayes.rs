//! Variational posteriors against scikit-learn, from memberships of one: [M72], [M73].

use gaussbayes::{
    BayesSpec, BayesState, Concentration, Family, Memberships, Moments, On, Pool, Ridge, Score,
    StopRule, Table, WeightPrior, total_moments,
};
use serde_json::Value;

use crate::case::{Case, cases, numbers, rows};

/// The numbers of a covariance in its shape: a lower triangle, a diagonal or one number.
fn shaped(value: &Value) -> Vec<f64> {
    match value.as_array() {
        None => vec![value.as_f64().unwrap()],
        Some(all) if all[0].is_array() => {
            let rows = rows(value);
            rows.iter().enumerate().flat_map(|(i, row)| row[..=i].to_vec()).collect()
        }
        Some(_) => numbers(value),
    }
}

fn spec(case: &Case) -> BayesSpec {
    let family: Family = case.json["model"].as_str().unwrap().parse().unwrap();
    let process = case.json["weight_concentration_prior_type"] == "dirichlet_process";
    let mut spec = BayesSpec::from(family);
    spec.weights = if process { WeightPrior::Process } else { WeightPrior::Dirichlet };
    spec.ridge = Ridge::Raw(case.json["reg_covar"].as_f64().unwrap());
    spec.stop.tolerance = 0.0;
    let priors = &case.json["priors"];
    if case.name.contains("own priors") {
        spec.concentration = priors["weight_concentration_prior"].as_f64();
        spec.mean_precision = priors["mean_precision_prior"].as_f64();
        spec.mean = Some(numbers(&priors["mean_prior"]));
        spec.degrees_of_freedom = priors["degrees_of_freedom_prior"].as_f64();
        spec.covariance = Some(shaped(&priors["covariance_prior"]));
    }
    spec
}

fn started(case: &Case, spec: BayesSpec, table: &Table) -> BayesState {
    let components = case.json["components"].as_u64().unwrap() as usize;
    let pool = Pool::new(1).unwrap();
    let total = total_moments(&spec, &mut table.source(), On::pool(&pool)).unwrap();
    let prior = spec.prior(components, &total).unwrap();
    let codes: Vec<u32> =
        numbers(&case.json["start_partition"]).iter().map(|k| *k as u32 - 1).collect();
    let block = table.block(0..table.rows()).unwrap();
    let memberships = Memberships::Codes(&codes);
    let moments = Moments::of_block(&block, memberships, components, spec.storage()).unwrap();
    BayesState::after(spec, prior, &moments).unwrap()
}

fn iterate(state: &mut BayesState, table: &Table) -> f64 {
    let pool = Pool::new(1).unwrap();
    let stat = state.partial(&mut table.source(), On::pool(&pool)).unwrap();
    state.step(&stat).unwrap();
    state.lower_bound().unwrap()
}

fn check(case: &Case, what: &str, state: &BayesState, expected: &Value) {
    let (mixture, posterior) = (state.mixture(), state.posterior().unwrap());
    let close = |name: &str, found: &[f64], expected: &[f64]| {
        case.close(&format!("{what}: {name}"), found, expected);
    };
    let all = 0..mixture.components();
    close("weights", mixture.weights(), &numbers(&expected["weights"]));
    let means: Vec<f64> = all.clone().flat_map(|k| mixture.raw_mean(k)).collect();
    close("means", &means, &rows(&expected["means"]).concat());
    let triangle = |k: usize| mixture.raw_covariance(k);
    let diagonal = |k: usize| {
        let whole = triangle(k);
        (0..mixture.dim()).map(|j| whole[j * (j + 3) / 2]).collect::<Vec<f64>>()
    };
    let each = || expected["covariances"].as_array().unwrap();
    let freedom = &expected["degrees_of_freedom"];
    let (found, right): (Vec<f64>, Vec<f64>) = match state.spec().family {
        Family::Vvv => (all.flat_map(triangle).collect(), each().iter().flat_map(shaped).collect()),
        Family::Eee => (triangle(0), shaped(&expected["covariances"])),
        Family::Vvi => (all.flat_map(diagonal).collect(), each().iter().flat_map(shaped).collect()),
        _ => (all.map(|k| triangle(k)[0]).collect(), numbers(&expected["covariances"])),
    };
    close("covariances", &found, &right);
    close("mean precision", posterior.mean_precision(), &numbers(&expected["mean_precision"]));
    if let Some(one) = freedom.as_f64() {
        close("degrees of freedom", &posterior.degrees_of_freedom()[..1], &[one]);
    } else {
        close("degrees of freedom", posterior.degrees_of_freedom(), &numbers(freedom));
    }
    let weights = &expected["weight_concentration"];
    match posterior.concentration() {
        Concentration::Dirichlet(alpha) => close("concentration", alpha, &numbers(weights)),
        Concentration::Process { taken, left } => {
            close("taken", taken, &numbers(&weights[0]));
            close("left", left, &numbers(&weights[1]));
        }
    }
}

/// Posteriors after some iterations, and the lower bound of every one.
#[test]
fn every_iteration_of_bayes_is_that_of_scikit_learn() {
    for json in cases("sklearn_bayes") {
        let case = Case::new(json);
        let table = case.table();
        let mut state = started(&case, spec(&case), &table);
        let (prior, right) = (state.prior().clone(), &case.json["priors"]);
        case.close("prior mean", &prior.raw_mean(), &numbers(&right["mean_prior"]));
        case.close("prior", &prior.raw_covariance(), &shaped(&right["covariance_prior"]));
        let counts = [prior.concentration(), prior.mean_precision(), prior.degrees_of_freedom()];
        let names =
            ["weight_concentration_prior", "mean_precision_prior", "degrees_of_freedom_prior"];
        case.close("prior counts", &counts, &names.map(|name| right[name].as_f64().unwrap()));
        let steps = case.json["steps"].as_array().unwrap();
        for (at, bound) in numbers(&case.json["lower_bounds"]).into_iter().enumerate() {
            case.close("lower bound", &[iterate(&mut state, &table)], &[bound]);
            if let Some(expected) = steps.iter().find(|step| step["iterations"] == at + 1) {
                check(&case, &format!("after {} iterations", at + 1), &state, expected);
                case.close("its bound", &[bound], &[expected["lower_bound"].as_f64().unwrap()]);
            }
        }
        if let Some(constant) = case.json["elbo_constant"].as_f64() {
            let found = state.evidence_bound().unwrap() - state.lower_bound().unwrap();
            case.close("constants of the bound", &[found], &[constant]);
        }
    }
}

#[test]
fn bayes_comes_to_rest_where_scikit_learn_does() {
    for mut json in cases("sklearn_bayes") {
        if json["rest"].is_null() || json["rest"]["iterations"].as_u64() > Some(5000) {
            continue;
        }
        json["tolerance"] = json["rest_tolerance"].clone();
        let case = Case::new(json);
        let (table, mut spec) = (case.table(), spec(&case));
        spec.stop.rule = StopRule::Parameters;
        spec.stop.tolerance = 1e-13;
        spec.stop.max_iterations = 20_000;
        let mut state = started(&case, spec, &table);
        while !state.is_done() {
            iterate(&mut state, &table);
        }
        check(&case, "at rest", &state, &case.json["rest"]);
        let expected = numbers(&case.json["log_densities"]);
        let scores = state.mixture().scores(&table.block(0..expected.len()).unwrap()).unwrap();
        let posterior = gaussbayes::Posterior::from_scores(scores);
        let found: Vec<f64> = (0..expected.len()).map(|i| posterior.log_evidence(i)).collect();
        case.close("log densities", &found, &expected);
    }
}
