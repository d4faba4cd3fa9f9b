//! Headings and their ids.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use pulldown_cmark::{Event, Tag};

use super::{
    Heading, Html, Section,
    render::{Open, Renderer},
};
use crate::diagnostic::Rule;

/// Ids that the page's template or other parts of a page use.
const RESERVED: [&str; 2] = ["main", "search-input"];
/// Beginnings of ids that other parts of a page use: evidence, footnotes.
const RESERVED_PREFIXES: [&str; 3] = ["source-", "fn-", "fnref-"];

/// Gives out ids so that none is used twice.
#[derive(Debug, Default)]
pub(super) struct Ids {
    taken: BTreeSet<String>,
    /// The last number that was tried for a name; without it a page of equal headings would take quadratic time.
    numbered: BTreeMap<String, usize>,
    /// Ids that a heading's author chose and that were given to that heading.
    given: BTreeSet<String>,
    /// Ids that the page around the text uses.
    reserved: BTreeSet<String>,
}

impl Ids {
    /// Gives out ids, but none of these.
    pub(super) fn without(reserved: &[&str]) -> Self {
        Self { reserved: reserved.iter().map(|id| (*id).to_owned()).collect(), ..Self::default() }
    }

    /// Whether another part of the page may use this id.
    pub(super) fn is_reserved(&self, id: &str) -> bool {
        RESERVED.contains(&id) || self.reserved.contains(id) || RESERVED_PREFIXES.iter().any(|prefix| id.starts_with(prefix))
    }

    /// Takes an id that the author chose. `false` if it was taken before.
    pub(super) fn claim(&mut self, id: &str) -> bool {
        self.taken.insert(id.to_owned())
    }

    /// The id that a heading's author chose; a second heading with the same one gets a number.
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

/// Lower-case letters and digits of any script; everything else becomes one `-`, none at the ends.
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

impl Renderer<'_> {
    /// Ids that authors chose come first, wherever they stand, so that no generated id takes one away.
    pub(super) fn claim_explicit_ids(&mut self) {
        let mut seen = BTreeSet::new();
        for (event, range) in self.events {
            let Event::Start(Tag::Heading { id: Some(id), .. }) = event else { continue };
            let id = self.clean(id).into_owned();
            if !seen.insert(id.clone()) {
                self.report(
                    Rule::DuplicateAnchor,
                    range.clone(),
                    format!("the id `{id}` is used twice on this page"),
                    Some("give one of the headings another id".into()),
                );
            } else if self.ids.is_reserved(&id) {
                self.report(
                    Rule::DuplicateAnchor,
                    range.clone(),
                    format!("the id `{id}` is used by the page itself"),
                    Some("choose another id".into()),
                );
            }
            self.ids.claim(&id);
        }
    }

    pub(super) fn start_heading(&mut self, level: u8, id: Option<&str>, range: &Range<usize>) {
        self.end_of_block_text();
        if let Some(Open::NoteTitle { .. }) = self.open.last() {
            return;
        }
        let is_title = level == 1
            && !self.plain
            && self.open.is_empty()
            && self.out.text.is_empty()
            && self.title.is_none()
            && self.headings.is_empty();
        self.out.fresh_line();
        let id = id.map(|id| self.clean(id).into_owned());
        self.open.push(Open::Heading { from: self.out.mark(), id, is_title, span: self.trimmed(range.clone()) });
        self.outline = Some(Html::default());
        self.inline.plain_heading.clear();
    }

    pub(super) fn end_heading(&mut self, level: u8) {
        match self.open.pop() {
            Some(Open::NoteTitle { closing }) => self.end_block(closing),
            Some(Open::Heading { from, id, is_title, span }) => {
                let inner = self.out.split_off(from);
                let html = self.outline.take().unwrap_or_default().text.trim().to_owned();
                let text = std::mem::take(&mut self.inline.plain_heading).trim().to_owned();
                if self.plain {
                    self.out.raw(&format!("<h{level}>"));
                    self.out.append(inner);
                    self.out.raw(&format!("</h{level}>\n"));
                    return;
                }
                let explicit = id.is_some();
                let id = match id {
                    Some(id) => self.ids.chosen(id),
                    None => self.ids.for_text(&text),
                };
                let heading = Heading { level, id, explicit, html, text, span };
                if is_title {
                    self.title = Some(heading);
                    return;
                }
                self.write_heading(&heading, inner);
                self.sections.push(Section { heading: Some(self.headings.len()), ..Section::default() });
                self.headings.push(heading);
            }
            Some(Open::Quote { .. }) | None => {}
        }
    }

    fn write_heading(&mut self, heading: &Heading, inner: Html) {
        let level = heading.level;
        self.out.raw(&format!("<h{level}"));
        self.out.attribute("id", &heading.id);
        self.out.raw(">");
        self.out.append(inner);
        self.out.raw(" <a class=\"heading-anchor\"");
        self.out.attribute("href", &format!("#{}", crate::url::encode_fragment(&heading.id)));
        self.out.attribute("aria-label", &format!("{}: {}", self.options.labels.heading_link, heading.text));
        self.out.raw(&format!("></a></h{level}>\n"));
    }
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
        let mut ids = Ids::default();
        assert!(ids.claim("a-2"));
        assert!(!ids.claim("a-2"));
        assert_eq!(ids.for_text("A"), "a");
        assert_eq!(ids.for_text("a"), "a-3");
        assert_eq!(ids.for_text(""), "section");
        assert_eq!(ids.for_text("Main"), "main-section");
        assert_eq!(Ids::without(&["ports"]).for_text("Ports"), "ports-section");
        assert_eq!(ids.for_text("fn x"), "fn-x-section");
    }
}
