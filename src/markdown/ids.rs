//! Ids of headings and raw HTML elements, unique on a page.

use std::collections::{BTreeMap, BTreeSet};

/// Ids that the page template or other parts of a page use.
const RESERVED: [&str; 2] = ["main", "search-input"];
/// Prefixes of ids that other parts of a page use: evidence, footnotes.
const RESERVED_PREFIXES: [&str; 3] = ["source-", "fn-", "fnref-"];

/// Assigns each id once.
#[derive(Debug, Default)]
pub(super) struct PageIds {
    taken: BTreeSet<String>,
    /// The last number that was tried for a name; without it, a page of equal headings would take quadratic time.
    numbered: BTreeMap<String, usize>,
    /// Ids from `{#id}` that a heading has received.
    given: BTreeSet<String>,
    /// Ids that the template of the page uses.
    reserved: BTreeSet<String>,
}

impl PageIds {
    /// Creates an assigner that does not assign these ids.
    pub(super) fn without(reserved: &[&str]) -> Self {
        Self { reserved: reserved.iter().map(|id| (*id).to_owned()).collect(), ..Self::default() }
    }

    /// Whether another part of the page may use this id.
    pub(super) fn is_reserved(&self, id: &str) -> bool {
        RESERVED.contains(&id) || self.reserved.contains(id) || RESERVED_PREFIXES.iter().any(|prefix| id.starts_with(prefix))
    }

    /// Takes an id that the author chose. `false` if it is taken already.
    pub(super) fn claim(&mut self, id: &str) -> bool {
        self.taken.insert(id.to_owned())
    }

    /// The id for a heading with `{#id}`, which was claimed before; a second heading with the same id gets a number.
    pub(super) fn chosen(&mut self, id: String) -> String {
        if self.given.insert(id.clone()) { id } else { self.for_text(&id) }
    }

    /// A free id for a heading's text.
    pub(super) fn for_text(&mut self, text: &str) -> String {
        let mut name = slug(text);
        if name.is_empty() {
            "section".clone_into(&mut name);
        }
        if self.is_reserved(&name) {
            name.push_str("-section");
        }
        if self.taken.insert(name.clone()) {
            return name;
        }
        let number = self.numbered.entry(name.clone()).or_insert(1);
        loop {
            *number += 1;
            let numbered = format!("{name}-{number}");
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

/// The lower-case letters and digits of a text, in any script; everything else becomes a single `-`, except at the ends.
fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    let mut gap = false;
    for character in text.chars() {
        // Marks combine with the letter before them: が may be か and a mark.
        if character.is_alphanumeric() || character == '_' || is_combining(character) {
            if gap && !slug.is_empty() {
                slug.push('-');
            }
            gap = false;
            slug.extend(character.to_lowercase());
        } else {
            gap = true;
        }
    }
    slug
}

const fn is_combining(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}' | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readable_ids() {
        for (text, id) in [
            ("Checking its health", "checking-its-health"),
            ("kube-proxy: the `nftables` mode!", "kube-proxy-the-nftables-mode"),
            ("etcd とは何か？", "etcd-とは何か"),
            ("「一覧」を読む", "一覧-を読む"),
            ("Größe ÄÖ", "größe-äö"),
            ("foo_bar", "foo_bar"),
            ("か\u{3099}", "か\u{3099}"),
            ("!?", ""),
        ] {
            assert_eq!(slug(text), id);
        }
    }

    #[test]
    fn no_id_twice() {
        let mut ids = PageIds::default();
        assert!(ids.claim("a-2"));
        assert!(!ids.claim("a-2"));
        assert_eq!(ids.for_text("A"), "a");
        assert_eq!(ids.for_text("a"), "a-3");
        assert_eq!(ids.for_text(""), "section");
        assert_eq!(ids.for_text("Main"), "main-section");
        assert_eq!(PageIds::without(&["ports"]).for_text("Ports"), "ports-section");
        assert_eq!(ids.for_text("fn x"), "fn-x-section");
    }
}
