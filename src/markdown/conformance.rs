//! CommonMark's own examples.

use std::collections::BTreeMap;

use super::{HoleKind, Html, Labels, Link, Options, Prose, Target, render, render_plain, writer::escape_url};
use crate::highlight::Highlighter;

pub(super) struct Example {
    number: usize,
    pub(super) markdown: String,
    html: String,
}

pub(super) fn examples() -> Vec<Example> {
    let fence = "`".repeat(32);
    let text = include_str!("../../tests/commonmark/examples.txt");
    let end = format!("{fence}\n");
    let examples = text.split(&end).filter_map(|example| {
        let (head, body) = example.strip_prefix(&format!("{fence} "))?.split_once('\n')?;
        let number = head.split(' ').next()?.parse().ok()?;
        let (markdown, html) = body.split_once("\n.\n").or_else(|| Some(("", body.strip_prefix(".\n")?)))?;
        let markdown = if markdown.is_empty() { String::new() } else { format!("{}\n", markdown.replace('→', "\t")) };
        Some(Example { number, markdown, html: html.replace('→', "\t") })
    });
    examples.collect()
}

/// Fills the holes with what the author wrote, as the specification prints it.
fn filled(html: &Html, links: &[Link]) -> String {
    html.fill(|hole, out| match hole {
        HoleKind::Address(index) => {
            let with_anchor =
                |path: &str, anchor: &Option<String>| anchor.as_ref().map_or_else(|| path.to_owned(), |anchor| format!("{path}#{anchor}"));
            let address = match &links[index].target {
                Target::File { path, anchor } | Target::Absolute { path, anchor } => with_anchor(path, anchor),
                Target::Anchor(anchor) => format!("#{anchor}"),
                Target::Id { id, anchor } => with_anchor(id, anchor),
                Target::External(url) | Target::Citation(url) => url.clone(),
            };
            out.push_str(&escape_url(&address));
        }
        HoleKind::Name(_) | HoleKind::Number(_) => {}
    })
}

/// `<br />` and `<br>` are the same, and so is an escaped apostrophe.
fn normal(html: &str) -> String {
    html.replace(" />", ">").replace("&#x27;", "'").trim().to_owned()
}

fn with_options<T>(run: impl FnOnce(&Options<'_>) -> T) -> T {
    let (labels, glossary, highlighter) = (Labels::default(), BTreeMap::new(), Highlighter::default());
    run(&Options { glossary: &glossary, labels: &labels, highlighter: &highlighter, allow_html: true })
}

fn different(render: impl Fn(&str, &Options<'_>) -> Prose, normalise: impl Fn(&str) -> String) -> Vec<(usize, String)> {
    with_options(|options| {
        let differs = |example: Example| {
            let prose = render(&example.markdown, options);
            let (found, expected) = (normalise(&filled(&prose.html, &prose.links)), normalise(&example.html));
            (found != expected).then(|| (example.number, format!("{}\n--- expected\n{expected}\n--- found\n{found}\n", example.markdown)))
        };
        examples().into_iter().filter_map(differs).collect()
    })
}

#[test]
fn all_examples_are_read() {
    assert_eq!(examples().len(), 652);
}

#[test]
fn plain_commonmark_matches_every_example() {
    let different = different(render_plain, normal);
    let report: String = different.iter().map(|(number, text)| format!("=== {number}\n{text}")).collect();
    assert!(different.is_empty(), "{report}");
}
