//! A line of a listing as a range of the whole text, which all rows share: thousands of rows can be in one line of JSON.

use std::{borrow::Cow, fmt, ops::Deref, sync::Arc};

use crate::text::Span;

/// A line of a listing, without surrounding white space.
#[derive(Clone)]
pub struct LineText {
    text: Arc<str>,
    span: Span,
    /// Whether several rows are in this line.
    is_shared: bool,
}

/// The maximum number of bytes shown of a line with several rows: otherwise, the size of a report would be the length of the line times the number of its rows.
const MOST_SHOWN: usize = 200;

impl LineText {
    /// A part of a text; empty if the span is not one.
    pub(super) const fn new(text: Arc<str>, span: Span) -> Self {
        Self { text, span, is_shared: false }
    }

    /// States that several rows are in the line.
    pub(super) const fn share(&mut self) {
        self.is_shared = true;
    }

    /// The line as reports show it: of a long one with several rows only the beginning, with `…` at its end.
    #[must_use]
    pub fn shown(&self) -> Cow<'_, str> {
        let end = if self.is_shared { self.floor_char_boundary(MOST_SHOWN) } else { self.len() };
        if end == self.len() { Cow::Borrowed(self) } else { Cow::Owned(format!("{}…", &self[..end])) }
    }

    #[cfg(test)]
    pub(super) fn shared(&self) -> &str {
        &self.text
    }

    /// Whether the line is that of an object in JSON or YAML, of which only the name is relevant.
    pub(super) fn is_of_manifest(&self) -> bool {
        let start = self.strip_prefix("- ").unwrap_or(self);
        let key = start.strip_prefix('"').unwrap_or(start);
        let is_name = key.get(..4).is_some_and(|key| key.eq_ignore_ascii_case("name"));
        let behind = || key[4..].strip_prefix('"').unwrap_or(&key[4..]).trim_start();
        start.starts_with(['{', '[']) || (is_name && behind().starts_with(':'))
    }
}

impl Deref for LineText {
    type Target = str;

    fn deref(&self) -> &str {
        self.text.get(self.span.range()).unwrap_or_default()
    }
}

impl fmt::Debug for LineText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

impl PartialEq for LineText {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for LineText {}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, is_shared: bool) -> LineText {
        let mut line = LineText::new(text.into(), Span::new(0, text.len()));
        if is_shared {
            line.share();
        }
        line
    }

    #[test]
    fn long_lines_with_several_rows_are_cut_at_a_character() {
        assert_eq!(line("{}", true).shown(), "{}");
        assert_eq!(line(&"x".repeat(200), true).shown().len(), 200);
        assert_eq!(line(&"x".repeat(1_000), false).shown().len(), 1_000);
        let cut = line(&"あ".repeat(1_000), true);
        assert_eq!((cut.shown().chars().count(), cut.shown().ends_with("あ…")), (67, true));
    }

    #[test]
    fn lines_of_manifests() {
        for (text, expected) in [
            ("{\"kind\": \"Pod\"}", true),
            ("[{}]", true),
            ("- {name: a}", true),
            ("name: a", true),
            ("- name: a", true),
            ("\"name\": \"a\",", true),
            ("NAME : a", true),
            ("name-a: 1", false),
            ("pod/a 1/1", false),
            ("\"items\": [{}]", false),
            ("", false),
            ("あ", false),
        ] {
            assert_eq!(line(text, false).is_of_manifest(), expected, "{text}");
        }
    }
}
