//! Checks completions and manual pages: each shell, each command, and mistyped names.

use std::process::Command;

use super::{Folder, commands};

#[test]
fn every_shell_has_completions() {
    let folder = Folder::new("completions");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.run(&format!("completions {shell}")).ok();
        for word in commands().iter().map(String::as_str).chain(["shrinkage"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
        let result = folder.run(&format!("completions {shell} --json")).result();
        assert_eq!(result["shell"], shell);
        assert_eq!(result["script"], script.as_str());
    }
    folder.write("c.bash", folder.run("completions bash").ok());
    // Where there is a bash it must be able to read the script.
    if let Ok(output) = Command::new("bash").arg("-n").arg(folder.0.join("c.bash")).output() {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let wrong = folder.run("completions bsh");
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("'bash'"), "{}", wrong.stderr);
}

#[test]
fn every_command_has_a_page() {
    let folder = Folder::new("man");
    let whole = folder.run("man").ok();
    for command in commands() {
        let page = folder.run(&format!("man {command}")).ok();
        let title = format!("gaussbayes\\-{command}");
        assert!(page.contains(&title), "{title}: {page}");
        for section in [".SH NAME", ".SH SYNOPSIS", ".SH EXAMPLES", ".SH OPTIONS"] {
            assert!(page.contains(section), "{command} has no {section}");
        }
        assert!(whole.contains(&title), "{title}");
    }
    let text = folder.run("man -o pages").ok();
    let count = commands().len() + 1;
    assert_eq!(text, format!("{count} pages saved in pages\nnext: man -l pages/gaussbayes.1\n"));
    let page = String::from_utf8(folder.read("pages/gaussbayes-fit.1")).unwrap();
    assert_eq!(page, folder.run("man fit").ok());
    assert!(page.contains("rarely needed") || page.contains("shrink"), "{page}");
    let wrong = folder.run("man predct");
    assert_eq!(wrong.code, Some(2));
    assert_eq!(
        wrong.stderr,
        "error: there is no command 'predct'\nhint: did you mean 'predict'?\n"
    );
}
