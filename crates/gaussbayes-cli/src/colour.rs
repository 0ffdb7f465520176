//! Decides where words are coloured: on a terminal that wants it, and nowhere else.

use std::ffi::OsStr;
use std::io::IsTerminal;

/// Words at the beginning of a line, and the sequences that colour them.
const WORDS: [(&str, &str); 4] = [
    ("error:", "\x1b[1;31m"),
    ("warning:", "\x1b[1;33m"),
    ("hint:", "\x1b[1;36m"),
    ("next:", "\x1b[1;32m"),
];

const PLAIN: &str = "\x1b[0m";

/// Whether standard output shows colours.
pub(crate) fn on_stdout() -> bool {
    here(std::io::stdout().is_terminal())
}

/// Whether standard error shows colours.
pub(crate) fn on_stderr() -> bool {
    here(std::io::stderr().is_terminal())
}

fn here(terminal: bool) -> bool {
    // The terminal of newer Windows does not name itself as others do.
    let windows = std::env::var_os("WT_SESSION").filter(|_| cfg!(windows));
    let term = std::env::var_os("TERM").or(windows);
    wanted(terminal, std::env::var_os("NO_COLOR").as_deref(), term.as_deref())
}

/// Whether words on a stream are coloured, by what the stream is and what the environment says.
fn wanted(terminal: bool, no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    let refused = no_color.is_some_and(|value| !value.is_empty());
    let able = term.is_some_and(|term| !term.is_empty() && term != "dumb");
    terminal && able && !refused
}

/// The text with the words that begin its lines in colour.
pub(crate) fn painted(text: &str, coloured: bool) -> String {
    if !coloured {
        return text.into();
    }
    let line = |line: &str| {
        let word = WORDS.iter().find(|(word, _)| line.starts_with(word));
        word.map_or_else(
            || line.to_owned(),
            |(word, colour)| format!("{colour}{word}{PLAIN}{}", &line[word.len()..]),
        )
    };
    text.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_that_want_them() {
        let os = |text: &'static str| Some(OsStr::new(text));
        let xterm = os("xterm-256color");
        assert!(wanted(true, None, xterm));
        assert!(wanted(true, os(""), xterm));
        assert!(!wanted(true, os("1"), xterm));
        assert!(!wanted(true, os("0"), xterm));
        assert!(!wanted(true, None, os("dumb")));
        assert!(!wanted(true, None, None));
        assert!(!wanted(false, None, xterm));
    }

    #[test]
    fn only_words_that_begin_a_line_are_painted() {
        let text = "saved m.json\nnext: the next: word\n";
        assert_eq!(painted(text, false), text);
        assert_eq!(painted(text, true), "saved m.json\n\x1b[1;32mnext:\x1b[0m the next: word\n");
    }
}
