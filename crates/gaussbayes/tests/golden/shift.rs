//! Priors estimated anew against exact arithmetic: [M74], [M75].

use gaussbayes::{Label, On, Parameters, Pool, Priors, Table, prior_shift};

use crate::case::{Case, cases, numbers, rows, words};
use crate::support::posteriors;

#[test]
fn shifted_priors_are_exact() {
    let cases = cases("saerens");
    assert_eq!(cases.len(), 6);
    for json in cases {
        let case = Case::new(json);
        let json = &case.json;
        let means = rows(&json["means"]);
        let parameters = Parameters {
            classes: words(&json["classes"]).into_iter().map(Label::from).collect(),
            features: (1..=means[0].len()).map(|j| format!("x{j}")).collect(),
            priors: Some(numbers(&json["priors"])),
            means,
            covariances: json["covariances"].as_array().unwrap().iter().map(rows).collect(),
            costs: None,
        };
        let classifier = parameters.classifier().unwrap();
        let (table, pool) = (case.table(), Pool::new(1).unwrap());
        let found = prior_shift(&classifier, &mut table.source(), On::pool(&pool)).unwrap();
        assert!(found.converged && found.iterations <= 10, "{}: {found:?}", case.name);
        case.close("priors", &found.after, &numbers(&json["shifted_priors"]));
        let before = json["log_likelihood"]["training"].as_f64().unwrap();
        let after = json["log_likelihood"]["shifted"].as_f64().unwrap();
        case.close("before", &[found.log_likelihood_before], &[before]);
        case.close("after", &[found.log_likelihood_after], &[after]);
        case.close("statistic", &[found.statistic], &[json["statistic"].as_f64().unwrap()]);
        case.close("p value", &[found.p_value], &[json["p_value"].as_f64().unwrap()]);
        assert_eq!(found.degrees_of_freedom as u64, json["degrees_of_freedom"].as_u64().unwrap());
        let errors: Option<Vec<f64>> = found.standard_errors.iter().copied().collect();
        match json["errors"].as_array() {
            Some(_) => case.close("errors", &errors.unwrap(), &numbers(&json["errors"])),
            None => assert!(errors.is_none(), "{}: a prior at 0 has no error", case.name),
        }
        // Rows by number, from 1.
        let row = |number: f64| {
            let start = (number as usize - 1) * table.dim;
            table.values[start..start + table.dim].to_vec()
        };
        let values = numbers(&json["query"]).into_iter().flat_map(row).collect();
        let query = Table { dim: table.dim, values, ..Table::default() };
        let shifted = classifier.clone().with_priors(&Priors::Given(found.after)).unwrap();
        for (rule, key) in [(&classifier, "training_posterior"), (&shifted, "posterior")] {
            case.close(key, &posteriors(rule, &query).concat(), &rows(&json[key]).concat());
        }
    }
}
