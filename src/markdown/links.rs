//! Links: where they lead, from what their author wrote, and how they are written.

use std::ops::Range;

use pulldown_cmark::LinkType;

use super::{HoleKind, Link, Target, render::Renderer, writer::escape_url};
use crate::{diagnostic::Rule, url};

/// Schemes that lead to a place and run nothing.
const SAFE_SCHEMES: [&str; 5] = ["http", "https", "mailto", "tel", "ftp"];

/// Sorts a destination. `Err` is the scheme that is not allowed.
fn classify(destination: &str) -> Result<Target, String> {
    let trimmed = destination.trim_matches(|c: char| c <= ' ');
    if let Some(scheme) = url::scheme(trimmed) {
        return if SAFE_SCHEMES.contains(&scheme.as_str()) { Ok(Target::External(trimmed.to_owned())) } else { Err(scheme) };
    }
    let mut slashes = trimmed.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r'));
    // Browsers read `\` as `/`, and `//host` as another site.
    if [slashes.next(), slashes.next()].iter().all(|c| matches!(c, Some('/' | '\\'))) {
        return Ok(Target::External(trimmed.to_owned()));
    }
    let (path, anchor) = match trimmed.split_once('#') {
        Some((path, anchor)) => (path, Some(url::decode(anchor))),
        None => (trimmed, None),
    };
    let path = url::decode(path);
    Ok(match anchor {
        Some(anchor) if path.is_empty() => Target::Anchor(anchor),
        anchor if path.starts_with('/') => Target::Absolute { path, anchor },
        anchor => Target::File { path, anchor },
    })
}

/// Sorts what stands in `[[…]]`.
pub(super) fn classify_wiki(name: &str) -> Target {
    // In a table the bar before the text is written `\|`.
    let name = name.trim().trim_end_matches('\\');
    if let Some(key) = name.strip_prefix('^') {
        return Target::Citation(key.to_owned());
    }
    match name.split_once('#') {
        Some((id, anchor)) => Target::Id { id: id.trim().to_owned(), anchor: Some(anchor.to_owned()) },
        None => Target::Id { id: name.replace('\n', " "), anchor: None },
    }
}

impl Renderer<'_> {
    pub(super) fn start_link(&mut self, kind: LinkType, destination: &str, title: &str, range: &Range<usize>, index: usize) -> usize {
        let destination = self.clean(destination).into_owned();
        let title = self.clean(title).into_owned();
        if let LinkType::WikiLink { has_pothole } = kind {
            return self.wiki_link(&destination, has_pothole, range, index);
        }
        let destination = if kind == LinkType::Email { format!("mailto:{destination}") } else { destination };
        self.raw.enter();
        // HTML knows no link inside a link: the inner one keeps its text.
        if self.inline.in_link() || self.raw.in_link() {
            self.inline.closing.push("");
            return index + 1;
        }
        self.open_link(&destination, range);
        if !title.is_empty() {
            self.out.attribute("title", &title);
        }
        self.out.raw(">");
        self.inline.closing.push("</a>");
        index + 1
    }

    /// Writes `<a href="…"`, left open for more attributes.
    fn open_link(&mut self, destination: &str, range: &Range<usize>) {
        self.out.raw("<a");
        if let Some(target) = self.target(destination, range) {
            self.address("href", target, false, range);
        }
    }

    /// Sorts a destination; one that is not allowed is reported and leads nowhere.
    pub(super) fn target(&mut self, destination: &str, range: &Range<usize>) -> Option<Target> {
        match classify(destination) {
            Ok(target) => Some(target),
            Err(scheme) if self.plain && scheme != "javascript" => Some(Target::External(destination.to_owned())),
            Err(scheme) => {
                let message = format!("links with the scheme `{scheme}:` are not allowed");
                let help = if matches!(scheme.as_str(), "javascript" | "vbscript" | "data" | "blob" | "file") {
                    "link to a page or a file of the knowledge base, or to an `https:` address".to_owned()
                } else {
                    format!("use https, http, mailto, tel or ftp; a file whose name contains a colon is written `./{destination}`")
                };
                self.report(Rule::UnsafeLink, range.clone(), message, Some(help));
                None
            }
        }
    }

    /// Writes ` href="…"` or ` src="…"` for a target and remembers the link.
    pub(super) fn address(&mut self, attribute: &str, target: Target, image: bool, range: &Range<usize>) {
        self.out.raw(&format!(" {attribute}=\""));
        if let Target::External(url) = &target {
            self.out.raw(&escape_url(url));
            let leaves = url.starts_with(['h', 'H', '/', '\\']);
            self.out.raw(if image || self.plain || !leaves { "\"" } else { "\" rel=\"external noreferrer\"" });
        } else {
            self.out.hole(HoleKind::Address(self.links.len()));
            self.out.raw("\"");
        }
        self.links.push(Link { target, image, span: self.source.span(range.clone()) });
    }

    fn wiki_link(&mut self, name: &str, has_text: bool, range: &Range<usize>, index: usize) -> usize {
        let target = classify_wiki(name);
        let number = self.links.len();
        let nested = self.inline.in_link() || self.raw.in_link();
        if !matches!(target, Target::Citation(_)) && has_text {
            self.raw.enter();
            self.inline.closing.push(if nested { "" } else { "</a>" });
            if !nested {
                self.out.raw("<a");
                self.address("href", target, false, range);
                self.out.raw(">");
            }
            return index + 1;
        }
        match &target {
            Target::Citation(_) if nested => {}
            Target::Citation(key) => {
                let key = key.clone();
                self.citation(&key, number);
                self.links.push(Link { target, image: false, span: self.source.span(range.clone()) });
            }
            Target::Id { id, anchor } => {
                let shown = anchor.clone().filter(|_| id.is_empty()).unwrap_or_else(|| id.clone());
                if nested {
                    self.links.push(Link { target, image: false, span: self.source.span(range.clone()) });
                    self.out.hole(HoleKind::Name(number));
                } else {
                    self.out.raw("<a");
                    self.address("href", target, false, range);
                    self.out.raw(">");
                    self.out.hole(HoleKind::Name(number));
                    self.out.raw("</a>");
                }
                if let Some(outline) = &mut self.outline {
                    outline.escaped(&shown);
                }
                self.section_name(&shown, number);
                self.plain_text(&shown);
                self.inline.previous = shown.chars().next_back();
            }
            _ => {}
        }
        self.end_of(index) + 1
    }

    fn citation(&mut self, key: &str, number: usize) {
        let fragment = url::encode_fragment(&format!("source-{key}"));
        self.out.raw("<sup class=\"cite\"><a");
        self.out.attribute("href", &format!("#{fragment}"));
        self.out.raw(" aria-label=\"");
        self.out.escaped(&self.options.labels.citation);
        self.out.raw(" ");
        self.out.hole(HoleKind::Number(number));
        self.out.raw("\">[");
        self.out.hole(HoleKind::Number(number));
        self.out.raw("]</a></sup>");
    }

    pub(super) fn end_link(&mut self) {
        if let Some(closing) = self.inline.closing.pop() {
            self.link_markup(closing);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_destinations() {
        let file = |path: &str, anchor: Option<&str>| Ok(Target::File { path: path.into(), anchor: anchor.map(Into::into) });
        assert_eq!(classify("../etcd/en.md#a%20b"), file("../etcd/en.md", Some("a b")));
        assert_eq!(classify("pic%E3%81%82.png"), file("picあ.png", None));
        assert_eq!(classify("#x"), Ok(Target::Anchor("x".into())));
        assert_eq!(classify("/compare/#x"), Ok(Target::Absolute { path: "/compare/".into(), anchor: Some("x".into()) }));
        assert_eq!(classify("//host/x"), Ok(Target::External("//host/x".into())));
        assert_eq!(classify("/\\host"), Ok(Target::External("/\\host".into())));
        assert_eq!(classify("mailto:a@b"), Ok(Target::External("mailto:a@b".into())));
    }

    #[test]
    fn refuses_schemes_that_run_code() {
        for link in [
            "javascript:alert(1)",
            " JavaScript:x",
            "java\tscript:x",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "\u{1}javascript:x",
        ] {
            assert!(classify(link).is_err(), "{link:?}");
        }
    }
}
