//! Code between backticks, the only markup in the texts of facts.

use crate::text::{code_spans, escape_into};

/// The text as HTML.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (part, is_code) in code_spans(text) {
        let (before, after) = if is_code { ("<code>", "</code>") } else { ("", "") };
        out.push_str(before);
        escape_into(part, &mut out);
        out.push_str(after);
    }
    out
}

/// The text without the backticks.
pub(super) fn plain(text: &str) -> String {
    code_spans(text).map(|(part, _)| part).collect()
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
