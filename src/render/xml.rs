//! Escaping for XML.

/// Escapes text for an element or an attribute. Characters that XML cannot represent even escaped (XML 1.0, production 2) are omitted.
pub(super) fn escaped(text: &str) -> String {
    let is_allowed = |c: &char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}');
    if text.chars().all(|c| is_allowed(&c)) {
        return crate::text::escape(text);
    }
    crate::text::escape(&text.chars().filter(is_allowed).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn illegal_characters_are_omitted() {
        assert_eq!(escaped("a<b & \"c\"\u{0}\u{8}\u{fffe}名"), "a&lt;b &amp; &quot;c&quot;名");
    }
}
