//! Says how a mixture was found, from the record that its file keeps.

use gaussbayes_io::Clustering;
use serde_json::{Map, Value, json};

use super::job::ELSEWHERE;
use crate::text::{count, json_count, plural, short};

/// How a mixture was found, for programs.
pub(in crate::commands) fn fields(record: &Clustering) -> Map<String, Value> {
    let pairs = [
        ("n", json!(record.rows)),
        ("weight", json_count(record.weight)),
        ("loglik", json!(record.log_likelihood)),
        ("bic", json!(record.bic)),
        ("icl", json!(record.icl)),
        ("aic", json!(record.aic)),
        ("within", json!(record.within)),
        ("entropy", json!(record.entropy)),
        ("parameters", json!(record.parameters)),
        ("iterations", json!(record.iterations)),
        ("converged", json!(record.converged)),
        ("stop", json!(record.stop.rule.name())),
        ("tolerance", json!(record.stop.tolerance)),
        ("start", json!(record.start)),
        ("lifted", json!(record.lifted)),
        ("restarts", json!(record.restarts)),
    ];
    pairs.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

/// Likelihood and criteria in one line.
pub(in crate::commands) fn figures(record: &Clustering) -> String {
    let digits = |x: f64| format!("{x:.2}");
    if let Some(within) = record.within {
        return format!("within-cluster sum of squares {}\n", digits(within));
    }
    let mut parts = vec![
        format!("log-likelihood {}", digits(record.log_likelihood)),
        format!("{} parameters", record.parameters),
        format!("BIC {}", digits(record.bic)),
    ];
    parts.extend(record.icl.map(|icl| format!("ICL {}", digits(icl))));
    parts.push(format!("AIC {}", digits(record.aic)));
    parts.extend(record.entropy.map(|entropy| format!("entropy {}", short(entropy))));
    parts.join(", ") + "\n"
}

/// How the iteration ended, and where it began.
pub(in crate::commands) fn ending(record: &Clustering, sample: Option<(u64, u64)>) -> String {
    let iterations = plural(record.iterations as usize, "iteration");
    let rule = match record.stop.tolerance {
        0.0 => String::new(),
        tolerance => format!(" ({} below {})", record.stop.rule.name(), spoken(tolerance)),
    };
    let mut text = match (record.converged, ran_out(record)) {
        (true, _) => format!("converged in {iterations}{rule}"),
        (false, true) => format!("ran the {iterations} asked for"),
        (false, false) => format!("not converged after {iterations}{rule}"),
    };
    text += &match record.start.as_str() {
        ELSEWHERE => ", started where another family ended".into(),
        start => format!(", start {start}"),
    };
    let Some((drawn, all)) = sample else { return text };
    let part = drawn < all;
    if part {
        text += &format!(" on a sample of {drawn} of {all} rows");
    }
    // What k-means raises is no likelihood of the rows.
    if let ([_, _, ..], None) = (&record.restarts[..], record.within) {
        let best = record.restarts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let worst = record.restarts.iter().copied().fold(f64::INFINITY, f64::min);
        let number = record.restarts.len();
        text += &format!(", {number} starts from {worst:.2} to {best:.2}");
        if part {
            text += " on the sample";
        }
    }
    text
}

/// Whether it was told to go on to the last iteration, and did.
pub(super) fn ran_out(record: &Clustering) -> bool {
    record.stop.tolerance == 0.0 && record.iterations >= record.stop.max_iterations
}

/// How many rows there were, and what they weigh where they have weights.
pub(in crate::commands) fn rows(record: &Clustering) -> String {
    let rows = plural(record.rows as usize, "row");
    if record.weight == record.rows as f64 {
        return rows;
    }
    format!("{rows} of weight {}", count(record.weight))
}

/// A tolerance as it is typed.
fn spoken(tolerance: f64) -> String {
    if (0.001..1e6).contains(&tolerance) { tolerance.to_string() } else { format!("{tolerance:e}") }
}
