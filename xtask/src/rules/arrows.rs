//! Checks that the crates depend on each other in one direction only.

use crate::tree::{File, Finding};

/// Each crate and those of the workspace that it may name in its manifest.
const ARROWS: [(&str, &[&str]); 6] = [
    ("gaussbayes", &[]),
    ("gaussbayes-io", &["gaussbayes"]),
    ("gaussbayes-plot", &["gaussbayes"]),
    ("gaussbayes-cli", &["gaussbayes", "gaussbayes-io", "gaussbayes-plot"]),
    ("gaussbayes-py", &["gaussbayes", "gaussbayes-io", "gaussbayes-plot", "gaussbayes-cli"]),
    ("xtask", &[]),
];

/// Every manifest names only crates that its arrows point at.
pub(super) fn arrows(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        let Some(name) = crate_of_manifest(&file.path) else {
            continue;
        };
        let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| *known == name) else {
            findings.push(
                file.finding_at_line(1, format!("crate `{name}` has no arrows: add them to xtask")),
            );
            continue;
        };
        for (line, dependency) in dependencies(&file.text) {
            let ours = dependency == "gaussbayes" || dependency.starts_with("gaussbayes-");
            if ours && dependency != name && !allowed.contains(&dependency) {
                findings.push(
                    file.finding_at_line(
                        line,
                        format!("`{name}` must not depend on `{dependency}`"),
                    ),
                );
            }
        }
    }
    findings
}

fn crate_of_manifest(path: &str) -> Option<&str> {
    let folder = path.strip_suffix("/Cargo.toml")?;
    let name = folder.strip_prefix("crates/").unwrap_or(folder);
    (name == "xtask" || (name.len() < folder.len() && !name.contains('/'))).then_some(name)
}

/// The line and package name of each dependency of any kind, build and test ones included.
fn dependencies(manifest: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_list = false;
    for (number, line) in manifest.lines().enumerate().map(|(index, line)| (index + 1, line.trim()))
    {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            in_list = section.ends_with("dependencies");
            if let Some((_, name)) = section.rsplit_once("dependencies.") {
                found.push((number, name.trim_matches(['"', '\''])));
            }
        } else if in_list && let Some((key, _)) = line.split_once(['=', '.']) {
            found.push((number, key.trim().trim_matches(['"', '\''])));
        }
        found.extend(renamed(line).map(|name| (number, name)));
    }
    found
}

/// The package behind a dependency with a name of its own (`package = "…"`).
fn renamed(line: &str) -> Option<&str> {
    let (_, after) = line.split_once("package")?;
    let value = after.trim_start().strip_prefix('=')?.trim_start();
    value.strip_prefix('"')?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, manifest: &str) -> usize {
        arrows(&[File::new(&format!("crates/{name}/Cargo.toml"), manifest)]).len()
    }

    #[test]
    fn arrows_point_one_way() {
        let on_io = "[dependencies]\nserde = \"1\"\ngaussbayes-io.workspace = true\n";
        assert_eq!(found("gaussbayes", on_io), 1);
        assert_eq!(found("gaussbayes-plot", on_io), 1);
        assert_eq!(found("gaussbayes-cli", on_io), 0);
        assert_eq!(found("gaussbayes-io", "[dependencies]\ngaussbayes = { workspace = true }"), 0);
    }

    #[test]
    fn only_the_python_module_depends_on_the_command() {
        let on_cli = "[dependencies]\ngaussbayes-cli.workspace = true\n";
        for name in ["gaussbayes", "gaussbayes-io", "gaussbayes-plot"] {
            assert_eq!(found(name, on_cli), 1, "{name}");
        }
        assert_eq!(found("gaussbayes-py", on_cli), 0);
        assert_eq!(arrows(&[File::new("xtask/Cargo.toml", on_cli)]).len(), 1);
    }

    #[test]
    fn every_way_to_write_a_dependency_is_read() {
        for text in [
            "[dev-dependencies]\n\"gaussbayes-io\" = \"1\"",
            "[dependencies.gaussbayes-io]\nworkspace = true",
            "[target.'cfg(unix)'.dependencies]\ngaussbayes-io.path = \"../x\"",
            "[dependencies]\nfiles = { package = \"gaussbayes-io\", path = \"x\" }",
        ] {
            assert_eq!(found("gaussbayes", text), 1, "{text}");
        }
        assert_eq!(found("gaussbayes", "[features]\ngaussbayes-io = []"), 0);
    }

    #[test]
    fn a_new_crate_needs_arrows() {
        assert_eq!(found("gaussbayes-new", ""), 1);
        assert_eq!(crate_of_manifest("Cargo.toml"), None);
    }
}
