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
    text::{Span, did_you_mean},
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

/// The keys of [`FrontMatter`].
const KEYS: [&str; 10] = ["title", "summary", "aka", "keywords", "tags", "order", "draft", "hidden", "aliases", "translates"];

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

/// Renames keys of other generators that have the same meaning here, and removes the others; these are reported once. A key that resembles one of ours is left, and
/// reported as a misspelling.
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
        let is_other_form = key == "tags" && !fits(key, entry);
        is_other_form || (!KEYS.contains(&key) && did_you_mean(key, KEYS).is_none())
    };
    let (foreign, own): (Vec<MapEntry>, Vec<MapEntry>) = entries.into_iter().partition(is_foreign);
    if let Some(first) = foreign.first() {
        let keys: Vec<&str> = foreign.iter().map(|entry| entry.key.as_str()).collect();
        let message = format!("keys of other generators in the front matter have no effect: `{}`", keys.join("`, `"));
        diagnostics.report(Rule::ForeignSyntax, Place::new(file.clone(), first.key_span), message, "remove them");
    }
    Node { span, value: NodeValue::Map(own) }
}

/// Whether the value of an entry is valid for a key.
fn fits(own: &str, entry: &MapEntry) -> bool {
    let kind = if let NodeValue::Scalar(Scalar { kind, .. }) = &entry.node.value { Some(*kind) } else { None };
    match own {
        "order" => kind == Some(ScalarKind::Integer),
        "aliases" => matches!(entry.node.value, NodeValue::List(_)),
        "tags" => {
            matches!(&entry.node.value, NodeValue::List(items) if items.iter().all(|item| matches!(item.node.value, NodeValue::Scalar(_))))
        }
        _ => kind == Some(ScalarKind::Text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_keys_of_other_generators_are_no_misspellings() {
        const COMMON: &str = "author authors categories cascade content_type custom_edit_url date editLink feature footer head hero hide_title id image lang \
            lastmod layout menu navbar next no_list outline params parent permalink prev release reviewers sidebar sidebar_label slug sort_rank template toc type \
            url weight description redirect_from sidebar_position nav_order linkTitle";
        for key in COMMON.split_whitespace() {
            assert_eq!(did_you_mean(key, KEYS), None, "{key}");
        }
    }

    #[test]
    fn the_keys_are_those_of_the_format() {
        let schema = serde_json::to_value(schemars::schema_for!(FrontMatter)).unwrap_or_default();
        let mut keys: Vec<&str> = schema["properties"].as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        let mut own = KEYS.to_vec();
        keys.sort_unstable();
        own.sort_unstable();
        assert_eq!(keys, own);
    }
}
