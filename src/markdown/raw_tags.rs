//! Serializes the harmless tags of raw HTML.

use std::ops::Range;

use super::{
    elements::{self, AttributePolicy},
    entities::{decode_entities, escape_text},
    html_tokens::{TokenKind, tokens},
    marker, media,
    output::PageOutput,
};
use crate::diagnostic::Rule;

const HELP: &str = "write it in Markdown, or set `allow-html = true` under `[output.html]` in book.toml";

/// The maximum number of attributes that are kept. The limit bounds the search for duplicates.
const MOST_ATTRIBUTES: usize = 64;

/// An opening tag.
pub(super) struct RawTag<'t> {
    pub(super) name: &'t str,
    /// Names and values, with character references.
    pub(super) attributes: &'t [(String, String)],
    /// Written as `<x/>`.
    pub(super) closed: bool,
    /// Whether it is part of a line.
    pub(super) inline: bool,
    /// In the parsed text.
    pub(super) range: Range<usize>,
}

pub(super) fn write_tag(tag: &RawTag<'_>, out: &mut PageOutput<'_>) {
    out.html.raw("<");
    out.html.raw(tag.name);
    let mut seen: Vec<&str> = Vec::new();
    for (name, value) in tag.attributes {
        // Of duplicate attributes, browsers use the first.
        if seen.contains(&name.as_str()) || seen.len() >= MOST_ATTRIBUTES {
            continue;
        }
        seen.push(name);
        write_attribute(tag, name, value, out);
    }
    if tag.name == "img" {
        if !seen.contains(&"alt") {
            let help = "add `alt=\"…\"` that describes the picture, or `alt=\"\"` for a decoration";
            out.report(Rule::MissingAltText, tag.range.clone(), "the image has no alternative text", help);
            out.html.raw(" alt=\"\"");
        }
        let loading = out.picture_loading();
        out.html.raw(loading);
    } else if elements::is_media(tag.name) {
        media::write_settings(tag.attributes, out);
    }
    out.html.raw(">");
    if let Some(heading) = &mut out.heading
        && !matches!(tag.name, "a" | "img" | "source" | "track")
        && !elements::is_media(tag.name)
    {
        heading.html.extend(["<", tag.name, ">"]);
    }
}

fn write_attribute(tag: &RawTag<'_>, name: &str, value: &str, out: &mut PageOutput<'_>) {
    match elements::attribute(tag.name, name, value.trim()) {
        AttributePolicy::Text => {
            let mut escaped = String::new();
            escape_text(value, &mut escaped);
            out.html.raw(&format!(" {name}=\"{escaped}\""));
        }
        AttributePolicy::Number => {
            let value = value.trim();
            if !value.is_empty() && value.len() <= 5 && value.bytes().all(|byte| byte.is_ascii_digit()) {
                out.html.attribute(name, value);
            }
        }
        AttributePolicy::Flag => out.html.raw(&format!(" {name}")),
        AttributePolicy::Id => write_id(&decode_entities(value), &tag.range, out),
        AttributePolicy::Address => {
            let address = decode_entities(value);
            if let Some(target) = out.target(&address, &tag.range) {
                let embedded = media::of_attribute(tag.name, name, &address);
                if tag.name == "img" && !tag.attributes.iter().any(|(name, _)| matches!(name.as_str(), "width" | "height")) {
                    out.picture(target, &tag.range);
                } else {
                    out.address(name, target, embedded, &tag.range);
                }
            }
        }
        AttributePolicy::Class => {
            // Books of mdBook write notes as `<div class="warning">` and `<aside class="note">`.
            if let Some(kind) = marker::kind_of_classes(value).filter(|_| matches!(tag.name, "aside" | "div" | "section")) {
                out.html.attribute("class", &format!("note note-{kind}"));
                return;
            }
            if out.reported_class {
                return;
            }
            out.reported_class = true;
            refuse(tag.range.clone(), format!("classes of HTML elements are dropped, here `{}`", value.trim()), out);
        }
        AttributePolicy::Cosmetic => {}
        AttributePolicy::Refused if name == "autoplay" && elements::is_media(tag.name) => media::refuse_autoplay(tag.name, &tag.range, out),
        AttributePolicy::Refused => {
            let shown: String = name.chars().take(40).collect();
            refuse(tag.range.clone(), format!("the attribute `{shown}` of `<{}>` was dropped", tag.name), out);
        }
    }
}

fn write_id(id: &str, range: &Range<usize>, out: &mut PageOutput<'_>) {
    if id.is_empty() || id.contains(|c: char| c.is_whitespace() || c.is_control()) || out.ids.is_reserved(id) {
        let message = format!("the id `{id}` cannot be used here and was dropped");
        out.report(Rule::RawHtml, range.clone(), message, "choose an id without blanks that no other part of the page uses");
    } else if out.ids.claim(id) {
        out.html.attribute("id", id);
        out.anchors.push(id.to_owned());
    } else {
        let message = format!("the id `{id}` is used twice on this page");
        out.report(Rule::DuplicateAnchor, range.clone(), message, "choose another id");
    }
}

pub(super) fn write_end_tag(name: &str, out: &mut PageOutput<'_>) {
    let tag = format!("</{name}>");
    if name == "a" || elements::is_media(name) { out.html.raw(&tag) } else { out.inline_markup(&tag) }
}

pub(super) fn refuse_element(name: &str, range: Range<usize>, out: &mut PageOutput<'_>) {
    let shown: String = name.chars().take(40).collect();
    refuse(range, format!("`<{shown}>` is not allowed and was dropped"), out);
}

/// Reports markup that was dropped.
pub(super) fn refuse(range: Range<usize>, message: impl Into<String>, out: &mut PageOutput<'_>) {
    out.report(Rule::RawHtml, range, message, HELP);
}

/// Collects the ids of HTML that is copied unchanged.
pub(super) fn collect_ids(html: &str, out: &mut PageOutput<'_>) {
    for token in tokens(html) {
        if let TokenKind::Start { attributes, .. } = token.kind {
            let ids = attributes.into_iter().filter(|(name, value)| name == "id" && !value.is_empty());
            out.anchors.extend(ids.map(|(_, value)| decode_entities(&value)));
        }
    }
}
