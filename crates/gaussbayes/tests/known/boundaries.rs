//! Holds coefficients, kinds, centres and axes of boundaries to `exact_boundary.json`.

use gaussbayes::Kind;

use super::{cases, classifier, list, number, table};

#[test]
fn coefficients_kinds_and_axes() {
    let all = cases("exact_boundary", "boundary");
    assert_eq!(all.len(), 52);
    for case in &all {
        let (name, tolerance) = (case["name"].as_str().unwrap(), number(&case["tolerance"]));
        let near = |what: &str, found: f64, expected: f64| {
            let off = (found - expected).abs() / (1.0 + expected.abs());
            assert!(off <= tolerance, "{name}, {what}: {found} is not {expected}");
        };
        let found = classifier(case).boundary(0, 1).unwrap();
        assert_eq!(found.kind.name(), case["kind"].as_str().unwrap(), "{name}");
        let raw = found.quadric.as_ref().unwrap().raw();
        let square = table(&case["quadratic"]);
        let lower = square.iter().enumerate().flat_map(|(i, row)| row[..=i].to_vec());
        raw.quadratic.iter().zip(lower).for_each(|(a, b)| near("a square", *a, b));
        raw.linear.iter().zip(list(&case["linear"])).for_each(|(a, b)| near("a slope", *a, b));
        near("the constant", raw.constant, number(&case["constant"]));
        let Some(own) = &found.canonical else { continue };
        if case["centre_unique"] == true && own.slope == 0.0 {
            let centre = list(&case["centre"]);
            own.centre.iter().zip(centre).for_each(|(a, b)| near("the centre", *a, b));
        }
        if let Some(expected) = case.get("semi_axes").filter(|_| found.kind != Kind::Empty) {
            let mut lengths: Vec<f64> = own.semi_axes.iter().flatten().copied().collect();
            let mut expected = list(expected);
            lengths.sort_by(f64::total_cmp);
            expected.sort_by(f64::total_cmp);
            assert_eq!(lengths.len(), expected.len(), "{name}: {lengths:?} {expected:?}");
            lengths.iter().zip(expected).for_each(|(a, b)| near("a semi-axis", *a, b));
        }
    }
}
