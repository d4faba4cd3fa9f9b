//! Harmless tags of raw HTML, written anew.

use std::ops::Range;

use super::{
    elements::{self, Attribute},
    entities::{decode_entities, escape_text},
    html_tokens::{TokenKind, tokens},
    render::Renderer,
    sanitize::MAX_DEPTH,
};
use crate::diagnostic::Rule;

const HELP: &str = "write it in Markdown, or set `allow-html = true` under `[output.html]` in book.toml";

/// A tag to be written.
pub(super) struct Opening<'t> {
    pub(super) name: &'t str,
    pub(super) attributes: &'t [(String, String)],
    /// Written as `<x/>`.
    pub(super) closed: bool,
    /// Whether it stands inside a line.
    pub(super) inline: bool,
    pub(super) range: Range<usize>,
}

impl Renderer<'_> {
    pub(super) fn write_tag(&mut self, tag: &Opening<'_>) {
        self.out.raw("<");
        self.out.raw(tag.name);
        let mut seen: Vec<&str> = Vec::new();
        for (name, value) in tag.attributes {
            // Of two equal attributes browsers take the first.
            if seen.contains(&name.as_str()) || seen.len() >= MAX_DEPTH {
                continue;
            }
            seen.push(name);
            self.attribute(tag, name, value);
        }
        if tag.name == "img" {
            if !seen.contains(&"alt") {
                let help = "add `alt=\"…\"` that says what the picture shows, or `alt=\"\"` if it shows nothing".to_owned();
                self.report(Rule::MissingAltText, tag.range.clone(), "the image has no alternative text".to_owned(), Some(help));
                self.out.raw(" alt=\"\"");
            }
            self.out.raw(" loading=\"lazy\" decoding=\"async\"");
        }
        self.out.raw(">");
        if let Some(outline) = &mut self.outline
            && !matches!(tag.name, "a" | "img")
        {
            outline.raw(&format!("<{}>", tag.name));
        }
    }

    fn attribute(&mut self, tag: &Opening<'_>, name: &str, value: &str) {
        match elements::attribute(tag.name, name, value.trim()) {
            Attribute::Text => {
                let mut escaped = String::new();
                escape_text(value, &mut escaped);
                self.out.raw(&format!(" {name}=\"{escaped}\""));
            }
            Attribute::Number => {
                let value = value.trim();
                if !value.is_empty() && value.len() <= 5 && value.bytes().all(|byte| byte.is_ascii_digit()) {
                    self.out.attribute(name, value);
                }
            }
            Attribute::Flag => self.out.raw(&format!(" {name}")),
            Attribute::Id => self.raw_id(&decode_entities(value), &tag.range),
            Attribute::Address => {
                if let Some(target) = self.target(&decode_entities(value), &tag.range) {
                    self.address(name, target, name == "src", &tag.range);
                }
            }
            Attribute::Cosmetic => {}
            Attribute::Refused => {
                let shown: String = name.chars().take(40).collect();
                self.refuse(tag.range.clone(), format!("the attribute `{shown}` of `<{}>` was dropped", tag.name));
            }
        }
    }

    fn raw_id(&mut self, id: &str, range: &Range<usize>) {
        if id.is_empty() || id.contains(|c: char| c.is_whitespace() || c.is_control()) || self.ids.is_reserved(id) {
            let message = format!("the id `{id}` cannot be used here and was dropped");
            self.report(
                Rule::RawHtml,
                range.clone(),
                message,
                Some("choose an id without blanks that no other part of the page uses".to_owned()),
            );
        } else if self.ids.claim(id) {
            self.out.attribute("id", id);
            self.anchors.push(id.to_owned());
        } else {
            let help = "choose another id".to_owned();
            self.report(Rule::DuplicateAnchor, range.clone(), format!("the id `{id}` is used twice on this page"), Some(help));
        }
    }

    pub(super) fn refuse_element(&mut self, name: &str, range: Range<usize>) {
        let shown: String = name.chars().take(40).collect();
        self.refuse(range, format!("`<{shown}>` is not allowed and was dropped"));
    }

    pub(super) fn refuse(&mut self, range: Range<usize>, message: String) {
        self.report(Rule::RawHtml, range, message, Some(HELP.to_owned()));
    }

    pub(super) fn collect_anchors(&mut self, html: &str) {
        for token in tokens(html) {
            if let TokenKind::Start { attributes, .. } = token.kind {
                self.anchors.extend(
                    attributes
                        .into_iter()
                        .filter(|(name, value)| name == "id" && !value.is_empty())
                        .map(|(_, value)| decode_entities(&value)),
                );
            }
        }
    }
}
