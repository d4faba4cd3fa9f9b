//! Removes parts of SVG images that can run code or load files from other hosts: scripts, event handlers, foreign content, external references.
//!
//! A browser runs the scripts of an SVG file that is opened by its address. Only listed elements are kept, as in [`crate::markdown`] for HTML.

use std::{borrow::Cow, ops::Range};

use roxmltree::{Attribute, Document, Node, NodeType, ParsingOptions};

use crate::{text::LineIndex, url};

/// The namespace of SVG (SVG 2, section 1.3).
const SVG: &str = "http://www.w3.org/2000/svg";

/// Namespaces whose elements have a behavior in browsers. Elements of all others are data of editors.
const ACTIVE_NAMESPACES: [&str; 5] = [
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/1998/Math/MathML",
    "http://www.w3.org/1999/XSL/Transform",
    "http://www.w3.org/2001/xml-events",
    "http://www.mozilla.org/xbl",
];

/// The elements that are kept.
const ELEMENTS: [&str; 67] = [
    "a",
    "animate",
    "animateMotion",
    "animateTransform",
    "circle",
    "clipPath",
    "defs",
    "desc",
    "ellipse",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "filter",
    "font",
    "font-face",
    "g",
    "glyph",
    "image",
    "line",
    "linearGradient",
    "marker",
    "mask",
    "metadata",
    "missing-glyph",
    "mpath",
    "path",
    "pattern",
    "polygon",
    "polyline",
    "radialGradient",
    "rect",
    "set",
    "stop",
    "style",
    "svg",
    "switch",
    "symbol",
    "text",
    "textPath",
    "title",
    "tref",
    "tspan",
    "use",
    "view",
    "hkern",
];

/// The maximum number of nodes of an image; larger images are rejected.
const MAX_NODES: u32 = 500_000;

/// A filtered image.
#[derive(Debug, PartialEq, Eq)]
pub struct FilteredSvg<'a> {
    /// The image.
    pub text: Cow<'a, str>,
    /// The removed parts, with their lines: `<script> (line 3)`.
    pub removed: Vec<String>,
}

/// Filters an image.
///
/// # Errors
/// If the image can't be filtered. The text is the reason.
pub fn filter(bytes: &[u8]) -> Result<FilteredSvg<'_>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    check_encoding(text)?;
    let findings = findings(text)?;
    if findings.is_empty() {
        return Ok(FilteredSvg { text: text.into(), removed: Vec::new() });
    }
    if text.contains("<!ENTITY") {
        return Err(format!("it has {}, and declares entities", findings[0].what));
    }
    let mut kept = String::with_capacity(text.len());
    let mut removed = Vec::new();
    let lines = LineIndex::new(text);
    let mut end = 0;
    for RemovedPart { range, what } in &findings {
        // Parts inside a removed part are removed with it.
        if range.start >= end {
            kept.push_str(text.get(end..range.start).unwrap_or_default());
            removed.push(format!("{what} (line {})", lines.line_column(range.start).line));
            end = range.end;
        }
    }
    kept.push_str(text.get(end..).unwrap_or_default());
    match self::findings(&kept)?.first() {
        None => Ok(FilteredSvg { text: kept.into(), removed }),
        Some(left) => Err(format!("it has {}", left.what)),
    }
}

/// Rejects encodings other than UTF-8, which a browser would decode to a different text.
fn check_encoding(text: &str) -> Result<(), String> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let declaration = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map_or("", |(declaration, _)| declaration);
    let Some((_, value)) = declaration.split_once("encoding") else { return Ok(()) };
    let name = value.trim_start().trim_start_matches('=').trim_start().trim_matches(['"', '\'', ' ']);
    let name = name.split(['"', '\'']).next().unwrap_or_default();
    let is_utf8 = ["utf-8", "utf8", "us-ascii", "ascii"].iter().any(|known| name.eq_ignore_ascii_case(known));
    if is_utf8 { Ok(()) } else { Err(format!("its encoding is `{name}`")) }
}

/// A part to remove.
struct RemovedPart {
    range: Range<usize>,
    what: String,
}

/// All parts to remove, in the order of the text.
fn findings(text: &str) -> Result<Vec<RemovedPart>, String> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| format!("it is not well-formed: {error}"))?;
    let root = document.root_element().tag_name();
    if root.name() != "svg" || root.namespace() != Some(SVG) {
        return Err(format!("its root is `<{}>`, not `<svg xmlns=\"{SVG}\">`", root.name()));
    }
    let mut found = Vec::new();
    for node in document.descendants() {
        match node.node_type() {
            NodeType::PI => found.push(RemovedPart { range: node.range(), what: "a processing instruction".to_owned() }),
            NodeType::Element if !is_allowed(node) => {
                found.push(RemovedPart { range: node.range(), what: format!("`<{}>`", node.tag_name().name()) });
            }
            NodeType::Element => {
                let refused = node.attributes().filter(|attribute| !is_harmless(node, attribute));
                found.extend(
                    refused
                        .map(|attribute| RemovedPart { range: attribute.range(), what: format!("the attribute `{}`", attribute.name()) }),
                );
            }
            NodeType::Root | NodeType::Comment | NodeType::Text => {}
        }
    }
    Ok(found)
}

fn is_allowed(node: Node<'_, '_>) -> bool {
    let name = node.tag_name();
    if name.namespace() != Some(SVG) {
        return !name.namespace().is_some_and(|namespace| ACTIVE_NAMESPACES.contains(&namespace));
    }
    let is_animation = name.name().starts_with("animate") || name.name() == "set";
    let animated = node.attribute("attributeName").unwrap_or_default().to_ascii_lowercase();
    match name.name() {
        "style" => node.descendants().filter(Node::is_text).all(|text| text.text().is_some_and(is_harmless_css)),
        _ if is_animation && (animated.contains("href") || animated.starts_with("on")) => false,
        name => ELEMENTS.contains(&name),
    }
}

fn is_harmless(node: Node<'_, '_>, attribute: &Attribute<'_, '_>) -> bool {
    let value: String = attribute.value().chars().filter(|letter| !letter.is_control()).collect();
    let value = value.trim();
    if url::scheme(value).is_some_and(|scheme| scheme.ends_with("script")) {
        return false;
    }
    match attribute.name() {
        "base" => false,
        "href" | "src" => is_harmless_reference(node.tag_name().name(), value),
        name => !name.to_ascii_lowercase().starts_with("on") && is_harmless_css(value),
    }
}

/// Whether an element may refer to an address.
fn is_harmless_reference(element: &str, address: &str) -> bool {
    // Browsers read `\` as `/`, and `//host` as another host.
    let is_other_host = address.trim_start_matches(['/', '\\']).len() + 2 <= address.len();
    let is_relative = url::scheme(address).is_none() && !is_other_host;
    match element {
        "a" => is_relative || url::scheme(address).is_some_and(|scheme| matches!(scheme.as_str(), "http" | "https" | "mailto")),
        // A browser neither runs scripts in an image inside an image, nor loads external files for it.
        "image" | "feImage" => is_relative || address.to_ascii_lowercase().starts_with("data:image/"),
        _ => address.starts_with('#'),
    }
}

/// Whether a style only refers to parts of the image and embedded data. Escapes are rejected, because they can hide a name.
fn is_harmless_css(css: &str) -> bool {
    let css = css.to_ascii_lowercase();
    let is_inside = |reference: &str| {
        let reference = reference.trim_start().trim_start_matches(['"', '\'']);
        reference.starts_with('#')
            || reference.starts_with("data:image/")
            || reference.starts_with("data:font/")
            || reference.starts_with("data:application/")
    };
    let loads = css.contains("@import") || css.contains("image-set(") || css.contains("expression(") || css.contains("-moz-binding");
    let refers = css.contains("url(");
    !loads && !(css.contains('\\') && (refers || css.contains('(') || css.contains('@'))) && css.split("url(").skip(1).all(is_inside)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn svg(content: &str) -> String {
        format!(
            "<svg xmlns=\"{SVG}\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" xmlns:h=\"http://www.w3.org/1999/xhtml\">{content}</svg>"
        )
    }

    #[track_caller]
    fn check(content: &str, kept: &str, removed: &[&str]) {
        let text = svg(content);
        let filtered = filter(text.as_bytes()).unwrap();
        assert_eq!(filtered.text, svg(kept));
        let names: Vec<&str> = filtered.removed.iter().map(|what| what.split(" (").next().unwrap()).collect();
        assert_eq!(names, removed);
    }

    #[test]
    fn harmless_pictures_are_unchanged() {
        for content in [
            "<g fill=\"url(#a)\"><path d=\"M0 0\" style=\"fill:#fff; filter: url('#b')\"/></g><text>a &lt; b</text>",
            "<style>@media (prefers-color-scheme: dark) { rect { fill: url(\"#a\") } }</style><use xlink:href=\"#x\"/>",
            "<image href=\"data:image/png;base64,AAAA\"/><image href=\"/pictures/other.png\"/><a href=\"https://example.org/\"><rect/></a>",
            "<!-- c --><metadata><x:y xmlns:x=\"http://example.org/editor\"/></metadata><animate attributeName=\"x\" to=\"3\"/>",
        ] {
            check(content, content, &[]);
        }
    }

    #[test]
    fn active_parts_are_removed() {
        check("<script>alert(1)</script><rect onload=\"x()\" x=\"1\"/>", "<rect  x=\"1\"/>", &["`<script>`", "the attribute `onload`"]);
        check("<s:script xmlns:s=\"http://www.w3.org/2000/svg\"/><h:script/>", "", &["`<script>`", "`<script>`"]);
        check("<foreignObject><h:iframe src=\"x\"/></foreignObject>", "", &["`<foreignObject>`"]);
        check("<a xlink:href=\"java&#10;script:alert(1)\"/>", "<a />", &["the attribute `href`"]);
        check("<use href=\"other.svg#x\"/><use href=\"data:image/svg+xml,x\"/>", "<use /><use />", &["the attribute `href`"; 2]);
        check(
            "<image href=\"/\\example.org/x\"/><image href=\"http://example.org/x\"/>",
            "<image /><image />",
            &["the attribute `href`"; 2],
        );
        check("<set attributeName=\"xlink:href\" to=\"javascript:x\"/>", "", &["`<set>`"]);
        check("<style>@import 'x';</style><style>a{fill:url(http://x)}</style><style>a{fill:u\\rl(//x)}</style>", "", &["`<style>`"; 3]);
        check("<rect style=\"fill:url(//x)\" fill=\"url(http://x)\"/>", "<rect  />", &["the attribute `style`", "the attribute `fill`"]);
        check("<?xml-stylesheet href='x'?>", "", &["a processing instruction"]);
    }

    #[test]
    fn what_cannot_be_filtered_is_refused() {
        for (text, reason) in [
            ("<html xmlns=\"http://www.w3.org/1999/xhtml\"><script/></html>".to_owned(), "root"),
            ("<svg><script>".to_owned(), "well-formed"),
            (format!("<?xml version=\"1.0\" encoding=\"UTF-7\"?>{}", svg("")), "encoding"),
            (format!("<!DOCTYPE svg [<!ENTITY e '<script xmlns=\"{SVG}\"/>'>]>{}", svg("&e;")), "entities"),
            (
                format!(
                    "<!DOCTYPE svg [<!ENTITY a 'x'><!ENTITY b '{0}'><!ENTITY c '{1}'>]>{2}",
                    "&a;".repeat(999),
                    "&b;".repeat(999),
                    svg("&c;&c;")
                ),
                "well-formed",
            ),
        ] {
            let error = filter(text.as_bytes()).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        assert!(filter(b"\xFF").is_err());
        // Neither the depth nor the length overflows the stack or takes much time.
        for content in ["<g>".repeat(200_000), format!("{}{}", "<g>".repeat(200_000), "</g>".repeat(200_000))] {
            let _ = filter(svg(&content).as_bytes());
        }
        assert!(filter(svg(&"<g/>".repeat(600_000)).as_bytes()).is_err());
        assert_eq!(filter(svg(&"<script/>".repeat(100_000)).as_bytes()).unwrap().removed.len(), 100_000);
    }
}
