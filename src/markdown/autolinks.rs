//! Bare addresses in text.

use std::ops::Range;

use crate::text::is_wide;

/// Finds `https://…` and `http://…` in a text. An address ends as in GitHub Flavored Markdown, or at the first wide character, with which
/// Japanese text would continue.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(colon) = text[from..].find("://").map(|at| from + at) {
        from = colon + 3;
        let Some(start) = scheme_start(text, colon).filter(|start| found.last().is_none_or(|last: &Range<usize>| last.end <= *start))
        else {
            continue;
        };
        let rest = &text[colon + 3..];
        if !rest.starts_with(|c: char| c.is_alphanumeric() || c == '[') {
            continue;
        }
        let length = rest.find(|c: char| c.is_whitespace() || c == '<' || c.is_control() || is_wide(c)).unwrap_or(rest.len());
        let end = colon + 3 + trimmed(&rest[..length]);
        if end > colon + 3 {
            found.push(start..end);
            from = end;
        }
    }
    found
}

fn scheme_start(text: &str, colon: usize) -> Option<usize> {
    let start = ["https", "http"].iter().find_map(|scheme| {
        let start = colon.checked_sub(scheme.len())?;
        text.get(start..colon).filter(|found| found.eq_ignore_ascii_case(scheme)).map(|_| start)
    })?;
    let before = text[..start].chars().next_back();
    (!before.is_some_and(|c| c.is_ascii_alphanumeric())).then_some(start)
}

/// The length of an address without the punctuation of the sentence around it.
fn trimmed(address: &str) -> usize {
    let mut end = address.len();
    let mut open = address.matches('(').count();
    let mut close = address.matches(')').count();
    while let Some(last) = address[..end].chars().next_back() {
        match last {
            '?' | '!' | '.' | ',' | ':' | '*' | '_' | '~' | '\'' | '"' | '”' | '’' => {}
            ')' if close > open => close -= 1,
            ';' => {
                // No entity has a longer name. Searching further back for each semicolon would take quadratic time.
                let name = address[..end - 1].bytes().rev().take(32).take_while(u8::is_ascii_alphanumeric).count();
                if name > 0 && address[..end - 1 - name].ends_with('&') {
                    end -= name + 2;
                    continue;
                }
            }
            _ => break,
        }
        if last == '(' {
            open -= 1;
        }
        end -= last.len_utf8();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_end_before_punctuation() {
        for (text, expected) in [
            ("see https://a.example/b.", vec!["https://a.example/b"]),
            ("(https://a.example/x_(y))", vec!["https://a.example/x_(y)"]),
            ("https://a.example/?q=1&amp; x", vec!["https://a.example/?q=1"]),
            ("参考:https://a.example/b、次", vec!["https://a.example/b"]),
            ("（https://a.example）", vec!["https://a.example"]),
            ("https://a.exampleを見る", vec!["https://a.example"]),
            ("http://a.example http://b.example", vec!["http://a.example", "http://b.example"]),
            ("xhttp://a https:// ftp://x http://...", vec![]),
            ("http://a.example/http://b", vec!["http://a.example/http://b"]),
        ] {
            let found: Vec<_> = find(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
