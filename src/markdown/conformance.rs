//! The examples of the CommonMark specification.

use std::collections::BTreeMap;

use super::{HoleKind, Labels, Options, Prose, Target, html::escape_url, render, render_plain};
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

/// Fills the holes with the author's text, as in the output of the specification.
fn filled(Prose { html, links, codes, .. }: &Prose) -> String {
    let highlighter = Highlighter::default();
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
        HoleKind::Code(index) => out.push_str(&codes[index].html(&highlighter)),
        HoleKind::Size(_) | HoleKind::Name(_) | HoleKind::Number(_) | HoleKind::Facts(_) | HoleKind::Listing(_) | HoleKind::Section(_) => {}
    })
}

/// Normalizes HTML: `<br />` and `<br>` are equal, and so is an escaped apostrophe.
fn normal(html: &str) -> String {
    html.replace(" />", ">").replace("&#x27;", "'").trim().to_owned()
}

fn with_options<T>(run: impl FnOnce(&Options<'_>) -> T) -> T {
    let (labels, glossary) = (Labels::default(), BTreeMap::new());
    run(&Options { allow_html: true, ..Options::new(&glossary, &labels) })
}

fn different(render: impl Fn(&str, &Options<'_>) -> Prose, normalise: impl Fn(&str) -> String) -> Vec<(usize, String)> {
    with_options(|options| {
        let differs = |example: Example| {
            let prose = render(&example.markdown, options);
            let (found, expected) = (normalise(&filled(&prose)), normalise(&example.html));
            (found != expected).then(|| (example.number, format!("{}\n--- expected\n{expected}\n--- found\n{found}\n", example.markdown)))
        };
        examples().into_iter().filter_map(differs).collect()
    })
}

fn report(different: &[(usize, String)]) -> String {
    different.iter().map(|(number, text)| format!("=== {number}\n{text}")).collect::<Vec<_>>().concat()
}

#[test]
fn all_examples_are_read() {
    assert_eq!(examples().len(), 652);
}

#[test]
fn plain_commonmark_matches_every_example() {
    let different = different(render_plain, normal);
    assert!(different.is_empty(), "{}", report(&different));
}

/// Removes additions that the output of the specification doesn't have: ids and anchors of headings, the frame around code, attributes of links.
fn without_additions(html: &str) -> String {
    let mut html =
        normal(html).replace(" rel=\"external noreferrer\"", "").replace(" loading=\"lazy\"", "").replace(" decoding=\"async\"", "");
    html = html.replace("<pre tabindex=\"0\">", "<pre>").replace("</pre></figure>", "</pre>");
    while let Some(at) = html.find("<figure class=\"code\"") {
        let end = html[at..].find('>').map_or(html.len(), |end| at + end + 1);
        let language = html[at..end].split("data-language=\"").nth(1).and_then(|rest| rest.split('"').next()).map(str::to_owned);
        html.replace_range(at..end, "");
        if let Some(language) = language.filter(|language| !language.is_empty()) {
            html = html.replacen("<pre><code>", &format!("<pre><code class=\"language-{language}\">"), 1);
        }
    }
    while let Some(at) = html.find(" <a class=\"heading-anchor\"") {
        let end = html[at..].find("</a>").map_or(html.len(), |end| at + end + 4);
        html.replace_range(at..end, "");
    }
    for level in 1..=6 {
        let opening = format!("<h{level} id=\"");
        while let Some(at) = html.find(&opening) {
            let end = html[at..].find('>').map_or(html.len(), |end| at + end);
            html.replace_range(at + 3..end, "");
        }
    }
    html.trim().to_owned()
}

/// Renders a page, and adds the extracted title to its HTML.
fn page(text: &str, options: &Options<'_>) -> Prose {
    let mut prose = render(text, options);
    if let Some(title) = &prose.title {
        let heading = format!("<h1>{}</h1>\n", title.html);
        for hole in &mut prose.html.holes {
            hole.at += heading.len();
        }
        prose.html.text.insert_str(0, &heading);
    }
    prose
}

/// Examples that pages intentionally render differently, by the reason.
const BY_DESIGN: [(&str, &[usize]); 6] = [
    ("code is coloured", &[142, 143]),
    ("the title is text: the page's template prints it", &[214]),
    ("`[[x]]` links by id", &[548, 559, 590]),
    ("a picture with a title in its own paragraph is a figure", &[572, 573, 576, 577, 584, 585, 586, 588, 589, 591]),
    ("only schemes that are known to be harmless are links", &[596, 598, 599, 601]),
    ("bare addresses are links", &[602, 608, 611]),
];

#[test]
fn pages_differ_from_plain_commonmark_only_where_they_mean_to() {
    let different = different(page, without_additions);
    let expected: Vec<usize> = BY_DESIGN.iter().flat_map(|(_, numbers)| numbers.iter().copied()).collect();
    let unexpected: Vec<(usize, String)> = different.iter().filter(|(number, _)| !expected.contains(number)).cloned().collect();
    assert!(unexpected.is_empty(), "{}", report(&unexpected));
    let found: Vec<usize> = different.into_iter().map(|(number, _)| number).collect();
    let gone: Vec<&usize> = expected.iter().filter(|number| !found.contains(number)).collect();
    assert!(gone.is_empty(), "these do not differ any more: {gone:?}");
}
