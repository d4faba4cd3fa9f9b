//! Any page gives HTML that is correctly nested and safe, and spans inside the page. `src/markdown/properties.rs` checks more properties on fewer texts.
#![no_main]

use std::{collections::BTreeMap, sync::LazyLock};

use html5ever::{ParseOpts, parse_document, tendril::TendrilSink as _};
use ksys_docs::{
    highlight::Highlighter,
    markdown::{HoleKind, Labels, Options, Prose, render},
};
use libfuzzer_sys::fuzz_target;
use markup5ever_rcdom::{NodeData, RcDom};

static HIGHLIGHTER: LazyLock<Highlighter> = LazyLock::new(Highlighter::default);

/// The rendered page.
fn page(prose: &Prose) -> String {
    let filled = prose.html.fill(|hole, out| match hole {
        HoleKind::Address(_) => out.push_str("../x/"),
        HoleKind::Name(_) => out.push_str("name"),
        HoleKind::Number(_) => out.push('1'),
        HoleKind::Code(index) => out.push_str(&prose.codes[index].html(&HIGHLIGHTER)),
        HoleKind::Listing(_) => out.push_str("<div>x</div>\n"),
    });
    format!("<!DOCTYPE html><html lang=\"en\"><head><title>x</title></head><body><main>\n{filled}</main><footer></footer></body></html>")
}

fn harmless(page: &str) {
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(page);
    // Control characters are allowed in texts.
    let errors = dom.errors.borrow();
    let repaired: Vec<_> = errors.iter().filter(|error| !error.starts_with("Saw") && !error.contains("Bad character")).collect();
    assert!(repaired.is_empty(), "the browser repairs: {repaired:?}");
    let mut around = Vec::new();
    // Without recursion, because pages can be deeply nested.
    let mut todo = vec![(dom.document.clone(), String::new())];
    while let Some((node, parent)) = todo.pop() {
        let mut own = String::new();
        if let NodeData::Element { name, attrs, .. } = &node.data {
            name.local.to_string().clone_into(&mut own);
            if parent == "body" {
                around.push(own.clone());
            }
            assert!(!matches!(own.as_str(), "script" | "style" | "iframe" | "object" | "embed" | "base" | "form" | "link"), "`{own}`");
            for attribute in attrs.borrow().iter() {
                let name = attribute.name.local.to_string();
                assert!(!name.starts_with("on") && name != "style" && name != "srcdoc", "`{name}`");
                if matches!(name.as_str(), "href" | "src") {
                    let scheme = ksys_docs::url::scheme(&attribute.value);
                    assert!(scheme.is_none_or(|scheme| matches!(scheme.as_str(), "http" | "https" | "mailto" | "tel" | "ftp")));
                }
            }
        }
        todo.extend(node.children.borrow().iter().rev().map(|child| (child.clone(), own.clone())));
    }
    assert_eq!(around, ["main", "footer"]);
}

fn spans_fit(prose: &Prose, text: &str) {
    let spans = prose.problems.iter().map(|problem| problem.span).chain(prose.links.iter().map(|link| link.span));
    for span in spans.chain(prose.headings.iter().map(|heading| heading.span)) {
        assert!(text.get(span.range()).is_some(), "{span:?}");
    }
    for name in prose.sections.iter().flat_map(|section| section.names.iter().map(move |name| (section, name))) {
        assert!(name.0.text.get(name.1.span.range()).is_some(), "{:?}", name.1.span);
    }
    assert!(prose.html.holes.is_sorted_by_key(|hole| hole.at));
    assert!(prose.html.holes.iter().all(|hole| prose.html.text.is_char_boundary(hole.at)));
    for block in &prose.listings {
        assert_eq!(block.lines.len(), block.text.lines().count());
        block.text.lines().zip(&block.lines).for_each(|(line, span)| assert_eq!(&text[span.range()], line.trim()));
    }
}

fuzz_target!(|text: &str| {
    // As the reader does.
    let text = &text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let glossary = BTreeMap::from([("API".to_owned(), "application \"programming\" <interface>".to_owned())]);
    let labels = Labels {
        citation: "Source".into(),
        heading_link: "Link to".into(),
        footnotes: "Footnotes".into(),
        footnote_back: "Back to".into(),
        ..Labels::default()
    };
    let prose = render(text, &Options::new(&glossary, &labels));
    spans_fit(&prose, text);
    harmless(&page(&prose));
    // With raw HTML, only the spans are checked.
    spans_fit(&render(text, &Options { allow_html: true, ..Options::new(&glossary, &labels) }), text);
});
