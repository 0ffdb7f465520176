//! Blanks comments, literals and test items of Rust and Python without moving a byte.

use std::ops::Range;

/// The text with comments and literals turned into spaces: what the compiler reads as code.
pub(crate) fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        match opaque_end(bytes, at) {
            Some(end) => {
                blank(&mut code, at..end);
                at = end;
            }
            None => at += 1,
        }
    }
    String::from_utf8_lossy(&code).into_owned()
}

/// Python source with comments and strings turned into spaces.
pub(crate) fn python_code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = at + python_opaque_length(&bytes[at..]);
        blank(&mut code, at..end);
        at = end.max(at + 1);
    }
    String::from_utf8_lossy(&code).into_owned()
}

/// The code without the items that only tests compile: what a user of the crate runs.
pub(crate) fn shipped(text: &str) -> String {
    let code = code(text);
    let mut shipped = code.clone().into_bytes();
    for item in test_items(&code) {
        blank(&mut shipped, item);
    }
    String::from_utf8_lossy(&shipped).into_owned()
}

/// Names of the modules in files of their own that only tests compile (`#[cfg(test)] mod name;`).
pub(crate) fn test_modules(text: &str) -> Vec<String> {
    let code = code(text);
    test_items(&code)
        .into_iter()
        .filter_map(|item| {
            let declaration = code[item].strip_suffix(';')?;
            let (_, name) = declaration.rsplit_once("mod ")?;
            Some(name.trim().to_owned())
        })
        .collect()
}

/// The one-based number of the line that holds the byte at `offset`.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    1 + text[..offset].matches('\n').count()
}

/// Offsets of `word` where neither side continues an identifier.
pub(crate) fn find_word(text: &str, word: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let joined = |outside: Option<&u8>, inside: Option<&u8>| {
        outside.is_some_and(|&byte| is_ident(byte)) && inside.is_some_and(|&byte| is_ident(byte))
    };
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(|&at| !joined(bytes[..at].last(), word.as_bytes().first()))
        .filter(|&at| !joined(bytes.get(at + word.len()), word.as_bytes().last()))
        .collect()
}

pub(crate) fn is_ident(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn blank(text: &mut [u8], range: Range<usize>) {
    for byte in &mut text[range] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

/// Where the comment or literal that starts at `at` ends, if one starts there.
fn opaque_end(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..];
    let length = match rest {
        [b'/', b'/', ..] => rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()),
        [b'/', b'*', ..] => block_comment_length(rest),
        [b'"', ..] => string_length(rest),
        [b'\'', ..] => char_length(rest)?,
        [b'r' | b'b' | b'c', ..] if at == 0 || !is_ident(text[at - 1]) => raw_string_length(rest)?,
        _ => return None,
    };
    Some(at + length)
}

/// Length of the Python comment or string at the start, zero where neither is.
fn python_opaque_length(text: &[u8]) -> usize {
    let quote = match text {
        [b'#', ..] => return text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len()),
        [a, b, c, ..] if matches!(a, b'"' | b'\'') && a == b && b == c => &text[..3],
        [b'"' | b'\'', ..] => &text[..1],
        _ => return 0,
    };
    let mut at = quote.len();
    while at < text.len() && !text[at..].starts_with(quote) {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    text.len().min(at + quote.len())
}

fn block_comment_length(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        match &text[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] if depth == 1 => return at + 2,
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    text.len()
}

fn string_length(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// Length of a character literal; none for a lifetime.
fn char_length(text: &[u8]) -> Option<usize> {
    let first = *text.get(1)?;
    let body = if first == b'\\' {
        2 + text.get(3..)?.iter().position(|&byte| byte == b'\'')?
    } else {
        1 + text[2..].iter().take_while(|&&byte| byte & 0xC0 == 0x80).count()
    };
    (text.get(1 + body) == Some(&b'\'')).then_some(body + 2)
}

/// Length of a raw string; none for a raw identifier and for everything else.
fn raw_string_length(text: &[u8]) -> Option<usize> {
    let prefix = usize::from(text[0] != b'r');
    let after = text[prefix..].strip_prefix(b"r")?;
    let hashes = after.iter().take_while(|&&byte| byte == b'#').count();
    let body = after[hashes..].strip_prefix(b"\"")?;
    let mut close = vec![b'#'; hashes + 1];
    close[0] = b'"';
    let opening = text.len() - body.len();
    let end = body.windows(close.len()).position(|window| window == close);
    Some(end.map_or(text.len(), |end| opening + end + close.len()))
}

/// Ranges of the items that a `cfg` with `test` in it (and no `not`) guards.
fn test_items(code: &str) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut from = 0;
    while let Some(found) = code[from..].find("[cfg(") {
        let bracket = from + found;
        from = bracket + 1;
        let Some(close) = matching_end(&code.as_bytes()[bracket..]) else {
            break;
        };
        let condition = &code[bracket..bracket + close];
        let has = |word| !find_word(condition, word).is_empty();
        if has("test") && !has("not") {
            let whole_file = code[..bracket].ends_with("#!");
            let end = if whole_file { code.len() } else { item_end(code, bracket + close) };
            items.push(bracket..end);
            from = end;
        }
    }
    items
}

/// Length up to and with the bracket that closes the one at the start.
fn matching_end(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 1 => return Some(at + 1),
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Where the item after an attribute ends: at its body's brace, its semicolon, or its parent's end.
fn item_end(code: &str, from: usize) -> usize {
    let bytes = code.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b';' => return at + 1,
            b')' | b']' | b'}' => return at,
            open @ (b'(' | b'[' | b'{') => {
                let Some(length) = matching_end(&bytes[at..]) else {
                    break;
                };
                at += length;
                if open == b'{' {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blank_and_nothing_moves() {
        let text = "let a = \"x // y\"; // z\nlet b = 'q'; /* c /* d */ e */ let f: &'a str = r#\"g\"h\"#;";
        let expected =
            "let a =         ;     \nlet b =    ;                   let f: &'a str =         ;";
        assert_eq!(code(text), expected);
    }

    #[test]
    fn python_comments_and_strings_are_blank_and_nothing_moves() {
        let text = "a = 'it\\'s' # b\n\"\"\"c \"d\" 'e\nf\"\"\"\ng(\"#\", '')\n# h";
        let expected = "a =            \n           \n    \ng(   ,   )\n   ";
        assert_eq!(python_code(text), expected);
    }

    #[test]
    fn quotes_inside_characters_open_no_string() {
        assert_eq!(
            code("f('\"', '\\'', b'\\\\', 'é', r#type, br\"x\")").trim_end(),
            "f(   ,     , b    ,     , r#type,      )"
        );
    }

    #[test]
    fn test_items_are_not_shipped() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n fn b() { \"}\" }\n}\n#[cfg(not(test))]\nfn c() {}\n";
        let shipped = shipped(text);
        assert!(shipped.contains("fn a()") && shipped.contains("fn c()"));
        assert!(!shipped.contains("fn b()"));
    }

    #[test]
    fn a_test_module_in_its_own_file_is_named() {
        let text = "#[cfg(test)]\n#[allow(x)]\nmod laws;\nmod data;\n#[cfg(any(test, feature = \"y\"))]\npub mod conformance;";
        assert_eq!(test_modules(text), ["laws", "conformance"]);
    }

    #[test]
    fn words_stand_alone() {
        assert_eq!(find_word("faer faer2 my_faer faer::x", "faer"), [0, 19]);
        assert_eq!(find_word("a.unwrap() eprintln!(", ".unwrap()"), [1]);
        assert!(find_word("eprintln!(", "println!(").is_empty());
    }

    #[test]
    fn lines_count_from_one() {
        assert_eq!((line_of("a\nb", 0), line_of("a\nb", 2)), (1, 2));
    }
}
