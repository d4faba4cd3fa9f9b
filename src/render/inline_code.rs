//! Code between backticks, the only markup in the texts of facts.

use crate::text::escape_into;

/// The text as HTML.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (part, is_code) in parts(text) {
        let (before, after) = if is_code { ("<code>", "</code>") } else { ("", "") };
        out.push_str(before);
        escape_into(part, &mut out);
        out.push_str(after);
    }
    out
}

/// The text without the backticks.
pub(super) fn plain(text: &str) -> String {
    parts(text).map(|(part, _)| part).collect()
}

/// The parts of a text, and whether they are code. A backtick without a partner is text.
fn parts(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    let mut code = None;
    std::iter::from_fn(move || {
        if let Some(code) = code.take() {
            return Some((code, true));
        }
        if rest.is_empty() {
            return None;
        }
        let span = rest.find('`').and_then(|start| Some((start, start + 1 + rest[start + 1..].find('`')?)));
        let Some((start, end)) = span.filter(|(start, end)| end - start > 1) else { return Some((std::mem::take(&mut rest), false)) };
        let before = &rest[..start];
        code = Some(&rest[start + 1..end]);
        rest = &rest[end + 1..];
        Some((before, false))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_between_backticks() {
        for (text, as_html, as_plain) in [
            ("", "", ""),
            ("run `a <b>`, then `c`", "run <code>a &lt;b&gt;</code>, then <code>c</code>", "run a <b>, then c"),
            ("`a``b`", "<code>a</code><code>b</code>", "ab"),
            ("one ` alone", "one ` alone", "one ` alone"),
            ("`` & `x", "`` &amp; `x", "`` & `x"),
            ("コマンド`helm`で", "コマンド<code>helm</code>で", "コマンドhelmで"),
        ] {
            assert_eq!((html(text).as_str(), plain(text).as_str()), (as_html, as_plain), "{text}");
        }
    }
}
