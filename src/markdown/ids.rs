//! Ids of headings and raw HTML elements, unique on a page.

use std::collections::{BTreeMap, BTreeSet};

/// Ids that the frame of every page uses. Its other ids begin with `_`.
const RESERVED: [&str; 1] = ["search-input"];
/// Assigns each id once.
#[derive(Debug, Default)]
pub(super) struct PageIds {
    taken: BTreeSet<String>,
    /// The last number that was tried for a name; without it, a page of equal headings would take quadratic time.
    numbered: BTreeMap<String, usize>,
    /// Ids from `{#id}` that a heading has received.
    given: BTreeSet<String>,
    /// Ids that the template of the page uses; all ids that begin with one that ends with `-`.
    reserved: BTreeSet<String>,
}

impl PageIds {
    /// Creates an assigner that does not assign these ids.
    pub(super) fn without(reserved: &[&str]) -> Self {
        Self { reserved: reserved.iter().map(|id| (*id).to_owned()).collect(), ..Self::default() }
    }

    /// Whether another part of the page may use this id.
    pub(super) fn is_reserved(&self, id: &str) -> bool {
        let has = |prefix: &str| id.starts_with(prefix);
        let mut prefixes = self.reserved.iter().map(String::as_str).filter(|id| id.ends_with('-'));
        RESERVED.contains(&id) || self.reserved.contains(id) || prefixes.any(has)
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
        let number = self.numbered.entry(name.clone()).or_insert(0);
        loop {
            *number += 1;
            let numbered = format!("{name}-{number}");
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

/// The id of a heading in mdBook 0.5, which is nearly that on GitHub: letters and digits in lower case, `-` and `_`, a `-` for each white space; everything else
/// is left out. Source: `id_from_content` in crates/mdbook-html/src/utils.rs.
fn slug(text: &str) -> String {
    let keep = |character: char| match character {
        '_' | '-' => Some(character),
        _ if character.is_alphanumeric() => Some(character),
        _ if character.is_whitespace() => Some('-'),
        _ => None,
    };
    text.trim().to_lowercase().chars().filter_map(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readable_ids() {
        for (text, id) in [
            ("Checking its health", "checking-its-health"),
            ("kube-proxy: the `nftables` mode!", "kube-proxy-the-nftables-mode"),
            ("v1.24.0", "v1240"),
            ("A / B", "a--b"),
            ("`--passes`: add more", "--passes-add-more"),
            ("etcd とは何か？", "etcd-とは何か"),
            ("「一覧」を読む", "一覧を読む"),
            ("Größe ÄÖ", "größe-äö"),
            ("foo_bar", "foo_bar"),
            ("!?", ""),
        ] {
            assert_eq!(slug(text), id);
        }
    }

    #[test]
    fn no_id_twice() {
        let mut ids = PageIds::default();
        assert!(ids.claim("a-1"));
        assert!(!ids.claim("a-1"));
        assert_eq!(ids.for_text("A"), "a");
        assert_eq!(ids.for_text("a"), "a-2");
        assert_eq!(ids.for_text(""), "section");
        assert_eq!(ids.for_text("Main"), "main");
        assert_eq!(ids.for_text("Source code"), "source-code");
        assert_eq!(PageIds::without(&["source-"]).for_text("Source code"), "source-code-section");
        assert_eq!(PageIds::without(&["ports"]).for_text("Ports"), "ports-section");
    }
}
