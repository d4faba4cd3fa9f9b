//! Maps a range of a scalar's value to its source: quotes, escapes and folded lines make the two differ.

use std::ops::Range;

/// The range in `source`, a scalar as written in YAML, of a range of its value that begins and ends with a visible character.
///
/// `None` if the two do not correspond: the source is an alias.
#[must_use]
pub fn source_range(source: &str, value: &str, range: Range<usize>) -> Option<Range<usize>> {
    // Most scalars are on one line and have no escapes.
    if let Some(quotes) = [0, 1].into_iter().find(|quotes| source.get(*quotes..).is_some_and(|rest| rest.starts_with(value))) {
        return Some(range.start + quotes..range.end + quotes);
    }
    let style = source.bytes().next()?;
    let mut at = match style {
        b'"' | b'\'' => 1,
        // The text of a block scalar begins after the line of its indicators.
        b'|' | b'>' => source.find('\n')?,
        _ => 0,
    };
    let mut start = None;
    for (index, character) in value.char_indices().filter(|(_, character)| !character.is_whitespace()) {
        at = skip_white_space(source, at, style);
        let length = written_length(&source[at..], character, style)?;
        if index >= range.start {
            start.get_or_insert(at);
        }
        at += length;
        if index + character.len_utf8() >= range.end {
            break;
        }
    }
    Some(start?..at)
}

/// The offset after white space, escaped white space included.
fn skip_white_space(source: &str, mut at: usize, style: u8) -> usize {
    loop {
        let rest = &source[at..];
        at = source.len() - rest.trim_start().len();
        let mut escape = source[at..].chars();
        let is_escaped = style == b'"' && escape.next() == Some('\\');
        match escape.next().filter(|_| is_escaped) {
            Some(kind @ ('n' | 't' | 'r' | 'v' | ' ' | '\t' | '\n' | 'N' | '_' | 'L' | 'P')) => at += 1 + kind.len_utf8(),
            _ => return at,
        }
    }
}

/// How many bytes a character takes in the source; `None` if the source continues with another one.
fn written_length(source: &str, character: char, style: u8) -> Option<usize> {
    match (style, character) {
        (b'"', _) if source.starts_with('\\') => Some(match source.as_bytes().get(1)? {
            b'x' => 4,
            b'u' => 6,
            b'U' => 10,
            _ => 2,
        }),
        (b'\'', '\'') => Some(2),
        _ => source.starts_with(character).then(|| character.len_utf8()),
    }
    .filter(|length| source.is_char_boundary(*length))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::{diagnostic::Diagnostics, node::NodeValue};

    /// The source of `word` in the value of `key`.
    #[track_caller]
    fn check(text: &str, word: &str, expected: &str) {
        let node = crate::yaml::parse(&"x".into(), text, 0, &mut Diagnostics::new()).unwrap();
        let entry = &node.entry("key").unwrap().node;
        let NodeValue::Scalar(scalar) = &entry.value else { panic!("{text} is a scalar") };
        let at = scalar.text.find(word).unwrap();
        let source = &text[entry.span.range()];
        let found = source_range(source, &scalar.text, at..at + word.len());
        assert_eq!(found.map(|range| &source[range]), Some(expected), "{text}");
    }

    #[test]
    fn words_are_found_in_any_style() {
        check("key: a plain word\n", "plain", "plain");
        check("{key: a plain word, b: c}\n", "word", "word");
        check("key: over\n  two lines\n", "over two", "over\n  two");
        check("key: 'it''s a word'\n", "it's a", "it''s a");
        check("key: \"a \\\"word\\\" \\u3042b\\n\\tnext \\\n  end\"\n", "\"word\"", "\\\"word\\\"");
        check("key: \"a \\\"word\\\" \\u3042b\\n\\tnext \\\n  end\"\n", "あb", "\\u3042b");
        check("key: \"a \\\"word\\\" \\u3042b\\n\\tnext \\\n  end\"\n", "next end", "next \\\n  end");
        check("key: |\n  One\n  two 日本\n", "two 日本", "two 日本");
        check("key: >-\n  One\n  two\n\n  three\n", "two\nthree", "two\n\n  three");
        check("key: |2-\n    One\n", "One", "One");
    }

    #[test]
    fn an_alias_has_no_source_of_its_own() {
        assert_eq!(source_range("*a", "text", 0..4), None);
        assert_eq!(source_range("", "text", 0..4), None);
        assert_eq!(source_range("\"\\", "text", 0..4), None);
    }
}
