//! The front matter of a page: YAML between lines `---`, TOML between lines `+++`, or JSON.

use std::sync::Arc;

use super::wording;
use crate::{
    decode::decode,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::FrontMatter,
    layout::EntityKind,
    node::{MapEntry, Node, NodeValue, Scalar, ScalarKind},
    terminology::TermMatcher,
    text::Span,
    toml_tree, yaml,
};

/// Keys of Hugo, Jekyll, Docusaurus and VitePress that mean the same as a key here.
const SYNONYMS: [(&str, &str); 6] = [
    ("weight", "order"),
    ("sidebar_position", "order"),
    ("nav_order", "order"),
    ("description", "summary"),
    ("redirect_from", "aliases"),
    ("linkTitle", "title"),
];

/// Keys of these generators that have no meaning here.
const FOREIGN: &[&str] = &[
    "aside",
    "author",
    "authors",
    "body_class",
    "card",
    "cascade",
    "categories",
    "content_type",
    "custom_edit_url",
    "date",
    "displayed_sidebar",
    "draft",
    "editLink",
    "exclude_search",
    "feature",
    "footer",
    "has_children",
    "head",
    "hero",
    "hide_summary",
    "hide_table_of_contents",
    "hide_title",
    "id",
    "image",
    "images",
    "lang",
    "lastUpdated",
    "lastmod",
    "layout",
    "main_menu",
    "math",
    "menu",
    "min-kubernetes-server-version",
    "navbar",
    "next",
    "no_list",
    "outline",
    "pageClass",
    "pagination_next",
    "pagination_prev",
    "params",
    "parent",
    "permalink",
    "prev",
    "publishdate",
    "resources",
    "reviewers",
    "sidebar",
    "sidebar_class_name",
    "sidebar_label",
    "simple_list",
    "slug",
    "sort_rank",
    "tags",
    "template",
    "titleTemplate",
    "toc",
    "toc_max_heading_level",
    "type",
    "url",
];

/// The end of the front matter that a line begins, and how it is written.
const FORMATS: [(&str, &[&str]); 3] = [("---", &["---", "..."]), ("+++", &["+++"]), ("{", &["}"])];

/// Reads the front matter and checks its texts with `matcher`; returns it with the offset of the text after it. On ordinary pages, keys of other generators are
/// understood or reported once. `None` if it is not closed.
pub(super) fn front_matter(
    file: &Arc<str>,
    text: &str,
    kind: Option<EntityKind>,
    matcher: Option<&TermMatcher>,
    diagnostics: &mut Diagnostics,
) -> Option<(FrontMatter, usize)> {
    let first = text.lines().next().unwrap_or_default().trim_end();
    let Some((opening, closings)) = FORMATS.into_iter().find(|(opening, _)| *opening == first) else {
        return Some((FrontMatter::default(), 0));
    };
    let start = text.find('\n').map_or(text.len(), |end| end + 1);
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        if closings.contains(&line.trim_end()) {
            let after = at + line.len();
            let node = match opening {
                "+++" => Some(toml_tree::parse(file, &text[start..at], start, diagnostics)),
                // JSON is YAML, and its braces are part of it.
                "{" => yaml::parse(file, &text[..after], 0, diagnostics),
                _ => yaml::parse(file, &text[start..at], start, diagnostics),
            };
            let node = node.map(|node| if kind.is_none() { adapt(file, node, diagnostics) } else { node });
            if let (Some(node), Some(matcher)) = (&node, matcher) {
                wording::check_front_matter(file, text, node, matcher, diagnostics);
            }
            let front = node.and_then(|node| decode(file, &node, diagnostics));
            return Some((front.unwrap_or_default(), after));
        }
        at += line.len();
    }
    // A page may begin with a brace.
    if opening == "{" {
        return Some((FrontMatter::default(), 0));
    }
    let found = Diagnostic::new(Rule::FrontMatter, Place::new(file.clone(), Span::new(0, opening.len())), "the front matter is not closed");
    diagnostics.push(found.help(format!("add a line `{opening}` after it")));
    None
}

/// Renames keys of other generators that have the same meaning here, and removes the others; these are reported once.
fn adapt(file: &Arc<str>, node: Node, diagnostics: &mut Diagnostics) -> Node {
    let Node { span, value: NodeValue::Map(mut entries) } = node else { return node };
    for (foreign, own) in SYNONYMS {
        if entries.iter().any(|entry| entry.key == own) {
            continue;
        }
        if let Some(entry) = entries.iter_mut().find(|entry| entry.key == foreign && fits(own, entry)) {
            own.clone_into(&mut entry.key);
        }
    }
    let is_foreign = |entry: &MapEntry| {
        let key = entry.key.as_str();
        FOREIGN.contains(&key) || SYNONYMS.iter().any(|(foreign, _)| *foreign == key)
    };
    let (foreign, own): (Vec<MapEntry>, Vec<MapEntry>) = entries.into_iter().partition(is_foreign);
    if let Some(first) = foreign.first() {
        let keys: Vec<&str> = foreign.iter().map(|entry| entry.key.as_str()).collect();
        let message = format!("keys of other generators in the front matter have no effect: `{}`", keys.join("`, `"));
        let is_draft = foreign.iter().any(|entry| entry.key == "draft" && is_true(&entry.node));
        let help =
            if is_draft { "this page is published although it is a draft: move it out of the content folder" } else { "remove them" };
        diagnostics.report(Rule::ForeignSyntax, Place::new(file.clone(), first.key_span), message, help);
    }
    Node { span, value: NodeValue::Map(own) }
}

/// Whether the value of an entry is valid for a key.
fn fits(own: &str, entry: &MapEntry) -> bool {
    let kind = if let NodeValue::Scalar(Scalar { kind, .. }) = &entry.node.value { Some(*kind) } else { None };
    match own {
        "order" => kind == Some(ScalarKind::Integer),
        "aliases" => matches!(entry.node.value, NodeValue::List(_)),
        _ => kind == Some(ScalarKind::Text),
    }
}

fn is_true(node: &Node) -> bool {
    matches!(&node.value, NodeValue::Scalar(Scalar { text, kind: ScalarKind::Boolean }) if text.eq_ignore_ascii_case("true"))
}
