//! Removes artifacts of copying from a text: terminal colours, byte order marks, unusual white space.

use std::borrow::Cow;

/// The text without colour codes, byte order mark and unusual white space. It has the same lines.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    match without_artifacts(text) {
        Cow::Borrowed(text) => with_characters(text).map_or(Cow::Borrowed(text), Cow::Owned),
        Cow::Owned(text) => Cow::Owned(with_characters(&text).unwrap_or(text)),
    }
}

/// The characters that HTML references represent. `&amp;` is not one, because its result could begin another reference.
pub(super) const REFERENCES: &[(&str, &str)] = &[("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'")];

/// The text with characters in the place of HTML references; `None` if there are none.
fn with_characters(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut start = 0;
    for (at, _) in text.match_indices('&') {
        if let Some((reference, character)) = REFERENCES.iter().find(|(reference, _)| text[at..].starts_with(reference)) {
            plain.push_str(&text[start..at]);
            plain.push_str(character);
            start = at + reference.len();
        }
    }
    (start > 0).then(|| plain + &text[start..])
}

/// The text without colour codes, byte order mark and unusual white space.
fn without_artifacts(text: &str) -> Cow<'_, str> {
    let is_odd = |c: char| is_odd_space(c) || matches!(c, '\u{1b}' | '\u{9b}' | '\u{feff}' | '\r' | '\u{8}');
    let may_be_odd = |byte: u8| byte >= 0x80 || matches!(byte, 0x1b | b'\r' | 0x8 | 0xb | 0xc);
    if !text.bytes().any(may_be_odd) || !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_odd) {
        clean.push_str(&rest[..at]);
        let after = &rest[at..];
        let odd = after.chars().next().unwrap_or_default();
        let mut length = odd.len_utf8();
        match odd {
            '\u{1b}' | '\u{9b}' => length = escape_sequence(after),
            '\u{feff}' => {}
            // The first half of a line end.
            '\r' if after.starts_with("\r\n") => {}
            // Overprinted characters: `man` and progress bars.
            '\u{8}' if !clean.ends_with('\n') => {
                clean.pop();
            }
            _ => clean.push(' '),
        }
        rest = &after[length..];
    }
    clean.push_str(rest);
    Cow::Owned(clean)
}

/// White space that is neither a space, a tab nor the end of a line.
const fn is_odd_space(c: char) -> bool {
    matches!(
        c,
        '\u{b}' | '\u{c}' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// The longest escape sequence, in bytes: window titles and links are the longest.
const MAX_SEQUENCE: usize = 2_000;

/// The length of the escape sequence at the beginning of a text. A sequence never extends beyond its line (ECMA-48: `ESC [ … m`, `ESC ] … BEL`, `ESC ( B`).
fn escape_sequence(text: &str) -> usize {
    let near = &text[..text.floor_char_boundary(MAX_SEQUENCE)];
    let line = near.split('\n').next().unwrap_or_default();
    let (start, kind) = match line.strip_prefix('\u{1b}') {
        Some(rest) => match rest.chars().next() {
            Some(kind) => (1 + kind.len_utf8(), kind),
            None => return line.len(),
        },
        // The single-character form of `ESC [`.
        None => ('\u{9b}'.len_utf8(), '['),
    };
    let rest = &line[start..];
    let end = match kind {
        '[' => rest.find(|c: char| ('@'..='~').contains(&c)).map(|at| start + at + 1),
        ']' => {
            let bell = rest.find('\u{7}').map(|at| start + at + 1);
            let string_end = rest.find("\u{1b}\\").map(|at| start + at + 2);
            bell.into_iter().chain(string_end).min()
        }
        '(' | ')' => rest.chars().next().map(|c| start + c.len_utf8()),
        _ => Some(start),
    };
    // An unterminated sequence is only its first character.
    end.unwrap_or(start)
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn what_copying_adds_is_gone() {
        for (text, expected) in [
            ("pod/a 1/1\n", "pod/a 1/1\n"),
            ("\u{1b}[1;32mpod/a\u{1b}[0m\u{1b}[K 1/1", "pod/a 1/1"),
            ("\u{9b}32mpod/a", "pod/a"),
            ("\u{1b}]0;title\u{7}pod/a", "pod/a"),
            ("\u{1b}]8;;https://x\u{1b}\\pod/a\u{1b}]8;;\u{1b}\\", "pod/a"),
            ("\u{1b}(Bpod/a", "pod/a"),
            ("\u{feff}NAME\u{a0}\u{3000}READY\r\nb\r\n", "NAME  READY\nb\n"),
            ("a\rb", "a b"),
            ("a&nbsp;&lt;none&gt;&amp;lt;&", "a <none>&amp;lt;&"),
            ("aa\u{8}\u{8}b\u{8}", ""),
            ("\u{1b}", ""),
            ("\u{1b}[", ""),
            ("\u{1b}[12\npod/a", "12\npod/a"),
            ("\u{1b}]0;title\npod/a", "0;title\npod/a"),
        ] {
            assert_eq!(clean(text), expected, "{text:?}");
        }
    }
}
