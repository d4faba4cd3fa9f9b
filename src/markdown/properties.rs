//! Properties of every text: it is rendered, its HTML is harmless and well nested, its spans are valid.

use std::collections::BTreeMap;

use html5ever::{ParseOpts, parse_document, tendril::TendrilSink as _};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;

use super::{HoleKind, Labels, Options, Prose, TextPassage, elements, render, render_and_visit};
use crate::{highlight::Highlighter, mermaid, url};

fn prose(text: &str) -> Prose {
    let labels = Labels {
        citation: "Source".into(),
        heading_link: "Link to".into(),
        footnotes: "Footnotes".into(),
        footnote_back: "Back to".into(),
        ..Labels::default()
    };
    let glossary = BTreeMap::from([("API".to_owned(), "application \"programming\" <interface>".to_owned())]);
    render(text, &Options { has_facts: true, ..Options::new(&glossary, &labels) })
}

/// The page as a browser would get it, with hostile names of link targets, escaped as by the linker.
fn page(prose: &Prose) -> String {
    static HIGHLIGHTER: std::sync::OnceLock<Highlighter> = std::sync::OnceLock::new();
    let filled = prose.html.fill(|hole, out| match hole {
        HoleKind::Address(_) => out.push_str("../x/"),
        HoleKind::Size(_) => out.push_str(" width=\"1\" height=\"1\""),
        HoleKind::Name(_) => out.push_str("name"),
        HoleKind::Number(_) => out.push('1'),
        HoleKind::Section(_) => {}
        HoleKind::Code(index) => out.push_str(&prose.codes[index].html(HIGHLIGHTER.get_or_init(Highlighter::default))),
        HoleKind::Facts(_) => out.push_str("<dl><div><dt>x</dt><dd>y</dd></div></dl>\n"),
        HoleKind::Listing(_) => out.push_str("<div><table><tbody><tr><td>x</td></tr></tbody></table></div>\n"),
    });
    format!("<!DOCTYPE html><html lang=\"en\"><head><title>x</title></head><body><main>\n{filled}</main><footer></footer></body></html>")
}

/// Elements that only the renderer writes.
const OURS: [&str; 4] = ["main", "footer", "input", "section"];

/// Attributes that are allowed anywhere in the output.
const ATTRIBUTES: [&str; 41] = [
    "alt",
    "aria-label",
    "checked",
    "class",
    "colspan",
    "controls",
    "data-language",
    "data-n",
    "data-tab",
    "data-tabs",
    "datetime",
    "decoding",
    "default",
    "dir",
    "disabled",
    "height",
    "href",
    "id",
    "kind",
    "label",
    "lang",
    "loading",
    "loop",
    "muted",
    "open",
    "playsinline",
    "poster",
    "preload",
    "rel",
    "reversed",
    "role",
    "rowspan",
    "scope",
    "src",
    "srclang",
    "start",
    "tabindex",
    "title",
    "type",
    "value",
    "width",
];

fn violations(text: &str) -> Vec<String> {
    let prose = prose(text);
    let page = page(&prose);
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(page.as_str());
    // Control characters in the text are allowed.
    let mut found: Vec<String> = dom
        .errors
        .borrow()
        .iter()
        .filter(|error| !error.starts_with("Saw") && !error.contains("Bad character"))
        .map(|error| format!("the browser repairs: {error}"))
        .collect();
    let mut seen = Vec::new();
    visit(&dom.document, &mut seen, &mut found);
    if seen != ["main", "footer"] {
        found.push(format!("the page around is {seen:?}"));
    }
    if !found.is_empty() {
        found.push(page);
    }
    found
}

/// Walks without recursion: pages can be nested deeply.
fn visit(root: &Handle, seen: &mut Vec<String>, found: &mut Vec<String>) {
    let mut todo = vec![(root.clone(), String::new(), false)];
    let mut ids = std::collections::BTreeSet::new();
    while let Some((node, parent, in_main)) = todo.pop() {
        let mut name = String::new();
        match &node.data {
            NodeData::Element { name: element, attrs, .. } => {
                element.local.to_string().clone_into(&mut name);
                if parent == "body" {
                    seen.push(name.clone());
                }
                if in_main && (element.ns == html5ever::ns!(svg) || name == "svg") {
                    let attributes: Vec<(String, String)> =
                        attrs.borrow().iter().map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string())).collect();
                    found.extend(mermaid::properties::violation(&element.ns, &element.local, &attributes));
                    attributes
                        .iter()
                        .filter(|(name, _)| name == "href")
                        .for_each(|(name, value)| check_attribute(name, value, &mut ids, found));
                } else if in_main {
                    if element.ns != html5ever::ns!(html) {
                        found.push(format!("`{name}` is not HTML"));
                    }
                    if elements::group(&name).is_none() && !OURS.contains(&name.as_str()) {
                        found.push(format!("element `{name}`"));
                    }
                    for attribute in attrs.borrow().iter() {
                        check_attribute(&attribute.name.local, &attribute.value, &mut ids, found);
                    }
                }
            }
            NodeData::Comment { contents } => found.push(format!("comment `{contents}`")),
            NodeData::ProcessingInstruction { .. } => found.push("processing instruction".to_owned()),
            NodeData::Document | NodeData::Doctype { .. } | NodeData::Text { .. } => {}
        }
        let in_main = in_main || name == "main";
        for child in node.children.borrow().iter().rev() {
            todo.push((child.clone(), name.clone(), in_main));
        }
    }
}

fn check_attribute(name: &str, value: &str, ids: &mut std::collections::BTreeSet<String>, found: &mut Vec<String>) {
    if !ATTRIBUTES.contains(&name) {
        found.push(format!("attribute `{name}`"));
    }
    if matches!(name, "href" | "src" | "poster")
        && url::scheme(value).is_some_and(|scheme| !matches!(scheme.as_str(), "http" | "https" | "mailto" | "tel" | "ftp"))
    {
        found.push(format!("address `{value}`"));
    }
    if name == "id" && !ids.insert(value.to_owned()) {
        found.push(format!("the id `{value}` twice"));
    }
}

#[track_caller]
fn harmless(text: &str) {
    let found = violations(text);
    assert!(found.is_empty(), "{text:?}\n{}", found.join("\n"));
}

#[test]
fn hostile_html_is_harmless() {
    for text in include_str!("../../tests/markdown/hostile.txt").split("\n%%\n") {
        let text = text.replace("\\0", "\0");
        harmless(&text);
        for around in [
            "- x\n\n  {}\n\ny",
            "> {}\n\ny",
            "!!! note\n    {}\n\ny",
            "a {} b",
            "# {}\n\ny",
            "| a | b |\n| - | - |\n| {} | c |\n\ny",
            "*{}*",
            "[{}](x)",
            "x[^1]\n\n[^1]: {}",
            "=== \"{}\"\n    {}",
            "![{}](x \"{}\")",
        ] {
            let indented = text.replace('\n', "\n  ");
            harmless(&around.replace("{}", &indented));
        }
    }
}

#[test]
fn commonmark_examples_are_harmless() {
    for example in super::conformance::examples() {
        harmless(&example.markdown);
    }
}

/// Snippets with a meaning for some part of the renderer.
const PIECES: [&str; 124] = [
    "a",
    "b ",
    "あ",
    "　",
    "```yaml ",
    "```yaml　title=\"",
    "```listing provider=\"x\"\n",
    "```facts\nlist: components\narea: x\n```\n",
    "```facts\n",
    "```table\na, \"b\"\n1,2\n```\n",
    "```table yaml\n- {a: 1}\n",
    "```listing\npod/a 1/1\n\tpod/b\n",
    "```mermaid\nflowchart LR\n",
    "```mermaid title=\"<b>\"\nsequenceDiagram\n",
    "```mermaid\nstateDiagram-v2\n  a --> b : <i>\n```\n",
    "A[あ] --> B\n",
    "A->>B: x\n",
    "click A href \"javascript:x\"\n",
    "click B href \"[[etcd]]\"\n",
    "{1",
    "=",
    ",",
    "```console\n$ a <<EOF\n",
    "$ b \\\n",
    "EOF\n",
    "。",
    "「",
    "」",
    "（",
    "\n",
    "\n\n",
    "\n",
    "  ",
    "    ",
    "\t",
    "*",
    "**",
    "***",
    "_",
    "~~",
    "~",
    "`",
    "``",
    "```",
    "```yaml hl=\"1\"\n",
    "~~~\n",
    "# ",
    "## x {#id}\n",
    "> ",
    "> [!NOTE] ",
    "> [!TIP]\n",
    "- ",
    "1. ",
    "- [ ] ",
    "!!! note \"t\"\n",
    "!!! note\n",
    "??? tip\n",
    "=== \"a\"\n",
    "=== \"b\"\n\n",
    "    x\n",
    "[",
    "]",
    "[[",
    "]]",
    "[[etcd]]",
    "[[^k]]",
    "[[a|b]]",
    "](x)",
    "](javascript:x)",
    "![",
    "![a](b \"c\")",
    "[^1]",
    "[^1]: ",
    "[^2]",
    "*[API]: x\n",
    "API",
    "| a | b |\n| - | - |\n",
    "|",
    " | ",
    ": def\n",
    "https://a.b/c",
    "http://",
    "<",
    ">",
    "<b>",
    "</b>",
    "<div>",
    "</div>\n\n",
    "<details><summary>",
    "</summary>\n\n",
    "</details>",
    "<table>\n\n<tr>\n\n<td>\n\n",
    "</td>",
    "</table>",
    "<p>",
    "</p>",
    "<a href=x>",
    "</a>",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<img src=x>",
    "<video src=x poster=y autoplay>",
    "<audio controls>",
    "<source src=x type=a>",
    "<track src=x default>",
    "</video>",
    "![a](x.mp4 \"b\")",
    "<ul><li>",
    "<h2>",
    "<br/>",
    "<span id=\"id\">",
    "&amp;",
    "&lt;",
    "&#x2E31;",
    "\u{2E31}",
    "\\",
    "\"",
    "'",
    "---\n",
    "<ruby>a<rt>b",
    "<svg>",
    "\u{0}",
];

fn page_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_harmless(text in page_text()) {
        let found = violations(&text);
        prop_assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn passages_have_the_spans_of_their_characters(text in page_text()) {
        let (glossary, labels) = <(_, Labels)>::default();
        let mut wrong = Vec::new();
        let mut visit = |passage: &TextPassage<'_>| {
            for (at, character) in passage.text().char_indices() {
                let span = passage.span(at..at + character.len_utf8());
                if text.get(span.range()).is_none() {
                    wrong.push((character, span));
                }
            }
        };
        let options = Options::new(&glossary, &labels);
        let _ = render_and_visit(&text, &options, Some(&mut visit));
        prop_assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn spans_fit(text in page_text()) {
        let prose = prose(&text);
        let spans = prose.problems.iter().map(|problem| problem.span).chain(prose.links.iter().map(|link| link.span)).chain(prose.headings.iter().map(|heading| heading.span));
        for span in spans {
            prop_assert!(text.get(span.range()).is_some(), "{span:?}");
        }
        for section in &prose.sections {
            let mut done = 0;
            for name in &section.names {
                prop_assert!(done <= name.span.start && section.text.get(name.span.range()).is_some(), "{:?} in {:?}", name.span, section.text);
                done = name.span.end;
            }
        }
        prop_assert!(prose.html.holes.is_sorted_by_key(|hole| hole.at));
        for hole in &prose.html.holes {
            prop_assert!(prose.html.text.is_char_boundary(hole.at));
            match hole.kind {
                HoleKind::Address(link) | HoleKind::Size(link) | HoleKind::Name(link) | HoleKind::Number(link) => prop_assert!(link < prose.links.len()),
                HoleKind::Section(heading) => prop_assert!(heading <= prose.headings.len()),
                HoleKind::Facts(block) => prop_assert!(block < prose.facts.len()),
                HoleKind::Listing(block) => prop_assert!(block < prose.listings.len()),
                HoleKind::Code(block) => prop_assert!(block < prose.codes.len()),
            }
        }
        for block in &prose.listings {
            prop_assert_eq!(block.lines.len(), block.text.lines().count());
            for (line, span) in block.text.lines().zip(&block.lines) {
                prop_assert_eq!(&text[span.range()], line.trim());
            }
        }
    }
}

proptest! {
    // The assumption rejects many texts.
    #![proptest_config(ProptestConfig { failure_persistence: None, max_global_rejects: 1 << 20, ..ProptestConfig::default() })]

    /// Offsets are mapped back to the text before rewriting.
    #[test]
    fn links_have_the_span_of_their_source(text in page_text()) {
        // With a bar in `[[…|…]]` the parser reports a link inside of it from the bar on.
        prop_assume!(!(text.contains("[[") && text.contains('|')));
        for link in prose(&text).links {
            let written = &text[link.span.range()];
            prop_assert!(written.starts_with(['[', '!', '<', 'h', 'H']), "{written:?}");
        }
    }

    /// Latin text never gets a mark; Japanese text is unchanged once the marks are removed.
    #[test]
    fn marks_are_removed_again(text in page_text()) {
        let super::cjk::MarkedSource { source: marked, mark, .. } = super::cjk::mark_emphasis(super::mapped_source::MappedSource::new(&text), std::iter::empty());
        prop_assert!(mark.is_none() || text.chars().any(crate::text::is_wide));
        prop_assert_eq!(mark.map_or(marked.text.clone(), |mark| marked.text.replace(mark, "")), text.clone());
        for (at, character) in marked.text.char_indices().filter(|(_, character)| Some(*character) != mark) {
            prop_assert!(text[marked.original(at)..].starts_with(character));
        }
    }
}
