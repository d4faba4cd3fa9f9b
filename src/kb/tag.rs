//! Tags: words by which authors group pages.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::Page;

/// A tag and its pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// The tag, as its first page writes it.
    pub label: String,
    /// The addresses of its pages.
    pub pages: BTreeSet<Arc<str>>,
}

/// Tags by the last part of the address of their page.
pub type Tags = BTreeMap<String, Tag>;

/// The tags of pages that are not hidden. The tags of all languages of a page belong to it.
#[must_use]
pub fn tags_of(pages: &BTreeMap<Arc<str>, Arc<Page>>) -> Tags {
    let mut tags = Tags::new();
    for page in pages.values().filter(|page| !page.is_hidden()) {
        for label in page.texts.values().flat_map(|text| &text.front.tags).map(|label| label.value.0.trim()) {
            let name = tag_name(label);
            if !name.is_empty() {
                let tag = tags.entry(name).or_insert_with(|| Tag { label: label.to_owned(), ..Tag::default() });
                tag.pages.insert(page.path.clone());
            }
        }
    }
    tags
}

/// The last part of the address of the page of a tag: letters and digits in lower case, with hyphens for other characters; empty if there are none.
#[must_use]
pub fn tag_name(label: &str) -> String {
    let mut name = String::new();
    for c in label.chars() {
        match c {
            c if c.is_alphanumeric() => name.extend(c.to_lowercase()),
            // C, C++ and C# are different tags.
            '+' => name.push_str("plus"),
            '#' => name.push_str("sharp"),
            _ if name.is_empty() || name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    name.truncate(name.trim_end_matches('-').len());
    name
}

/// The section of a term on the page of the glossary.
#[must_use]
pub fn glossary_anchor(term: &str) -> String {
    format!("term-{}", tag_name(term))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parts_of_addresses() {
        for (label, name) in
            [("Getting started", "getting-started"), ("C++", "cplusplus"), ("../x", "x"), ("監視", "監視"), ("-", ""), ("a/b", "a-b")]
        {
            assert_eq!(tag_name(label), name, "{label}");
        }
    }
}
