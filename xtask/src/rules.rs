//! Lists the rules that the files of the repository obey.

mod arrows;
mod formulas;
pub(crate) mod layout;
mod python;
mod shipped;
mod words;

use crate::tree::{File, Finding};

type Rule = fn(&[File]) -> Vec<Finding>;

const RULES: [Rule; 14] = [
    layout::headlines,
    layout::lengths,
    layout::module_names,
    words::forbidden_words,
    words::registry_hosts,
    words::machine_paths,
    arrows::arrows,
    shipped::failures_and_prints,
    shipped::homes,
    shipped::constants,
    formulas::formulas,
    python::prints,
    python::silenced_types,
    python::slow_imports,
];

/// Every place where a rule is broken, in the order of the files.
pub(crate) fn findings(files: &[File]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(files)).collect();
    findings.sort();
    findings
}
