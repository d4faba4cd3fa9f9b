#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use expect_test::expect_file;

use super::*;
use crate::{highlight::Highlighter, text::Span};

fn options() -> (Labels, BTreeMap<String, String>) {
    let labels = Labels {
        vague_links: "here".to_owned(),
        notes: [("note", "Note"), ("warning", "Warning"), ("tip", "Tip"), ("info", "Info")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .into(),
        footnotes: "Footnotes".into(),
        footnote_back: "Back to mention".into(),
        citation: "Source".into(),
        heading_link: "Link to".into(),
        diagram: "Diagram".into(),
        diagram_source: "As text".into(),
        task_done: "done".into(),
        task_open: "to do".into(),
    };
    (labels, BTreeMap::new())
}

fn prose(text: &str) -> Prose {
    let (labels, glossary) = options();
    render(text, &Options::new(&glossary, &labels))
}

/// Holes as `{0}`, `{name 0}`, `{number 0}`, `{listing 0}`.
fn filled(prose: &Prose) -> String {
    let highlighter = Highlighter::default();
    prose.html.fill(|hole, out| {
        let shown = match hole {
            HoleKind::Address(n) => format!("{{{n}}}"),
            HoleKind::Size(_) | HoleKind::Section(_) => String::new(),
            HoleKind::Name(n) => format!("{{name {n}}}"),
            HoleKind::Number(n) => format!("{{number {n}}}"),
            HoleKind::Facts(n) => format!("{{facts {n}}}"),
            HoleKind::Listing(n) => format!("{{listing {n}}}"),
            HoleKind::Code(n) => prose.codes[n].html(&highlighter),
        };
        out.push_str(&shown);
    })
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(filled(&prose(text)).trim_end(), expected, "{text}");
}

#[test]
fn symptoms_without_an_action_are_found() {
    let page = |table: &str| {
        format!("Text.\n\n| a | b | c |\n| - | - | - |\n\n## Troubleshooting {{#symptoms}}\n\n{table}\n\n## Notes\n\n| x |\n| - |\n| y |\n")
    };
    let of = |table: &str| {
        let page = page(table);
        let symptoms = prose(&page).symptoms?;
        Some((symptoms.rows, symptoms.without_action.into_iter().map(|span| page[span.range()].trim().to_owned()).collect::<Vec<_>>()))
    };
    let head = "| S | C | W |\n| --- | --- | --- |\n";
    let found = |rows: usize, without: &[&str]| Some((rows, without.iter().map(|row| (*row).to_owned()).collect()));
    assert_eq!(
        of(&format!("{head}| a | b | c |\n| a | b | |\n| `x \\| y` | b |\n| `x \\| y` | b | c")),
        found(4, &["| a | b | |", "| `x \\| y` | b |"])
    );
    assert_eq!(of("Words first.\n\n| S | C |\n| --- | --- |\n| a | b |"), found(1, &["| a | b |"]));
    assert_eq!(of(head), found(0, &[]));
    assert_eq!(of(&format!("{head}| a | b | c |\n\nAnother one:\n\n{head}| a | | |")), found(1, &[]));
    // Code shows a table and has none.
    assert_eq!(of(&format!("```markdown\n{head}| a | | |\n```")), None);
    assert_eq!(prose("## Symptoms\n\n| S | C |\n| - | - |\n| a | b |\n").symptoms, None);
}

#[test]
fn japanese_emphasis() {
    for (text, html) in [
        ("**「強調」**です", "<p><strong>「強調」</strong>です</p>"),
        ("これは**「強調」**です", "<p>これは<strong>「強調」</strong>です</p>"),
        ("**etcd。**次", "<p><strong>etcd。</strong>次</p>"),
        ("**`kube-proxy`**は", "<p><strong><code>kube-proxy</code></strong>は</p>"),
        ("**[etcd](x)**は", "<p><strong><a href=\"{0}\">etcd</a></strong>は</p>"),
        ("~~旧（v1）~~は", "<p><del>旧（v1）</del>は</p>"),
        ("この*「斜体」*は", "<p>この<em>「斜体」</em>は</p>"),
        ("この***「両方」***は", "<p>この<em><strong>「両方」</strong></em>は</p>"),
        ("文**`a`**と**`b`**文", "<p>文<strong><code>a</code></strong>と<strong><code>b</code></strong>文</p>"),
        ("A**（x）**B", "<p>A<strong>（x）</strong>B</p>"),
    ] {
        check(text, html);
    }
}

#[test]
fn soft_breaks() {
    check("あ\nい\nb\nc", "<p>あい\nb\nc</p>");
    check("**あ**\n*い*", "<p><strong>あ</strong><em>い</em></p>");
    check("です。\n`x`", "<p>です。\n<code>x</code></p>");
}

#[test]
fn notes_and_tabs() {
    check(
        "!!! info \"注釈\"\n    :link:: 外部\n\n表",
        "<aside class=\"note note-info\" role=\"note\">\n<p class=\"note-title\">注釈</p>\n<p>:link:: 外部</p>\n</aside>\n<p>表</p>",
    );
    check(
        "!!! note\n\n    a\n\n        b\nnext",
        "<aside class=\"note note-note\" role=\"note\">\n<p class=\"note-title\">Note</p>\n<p>a</p>\n<figure class=\"code\"><pre tabindex=\"0\"><code>b\n</code></pre></figure>\n</aside>\n<p>next</p>",
    );
    check(
        "> [!WARNING] Own *title*\n> body",
        "<aside class=\"note note-warning\" role=\"note\">\n<p class=\"note-title\">Own <em>title</em></p>\n<p>body</p>\n</aside>",
    );
    check(
        "=== \"a\"\n    x\n\n=== \"b\"\n\n    !!! tip\n        deep",
        "<div class=\"tabs\" data-tabs>\n<section class=\"tab\" data-tab=\"a\">\n<p class=\"tab-label\">a</p>\n<p>x</p>\n</section>\n<section class=\"tab\" data-tab=\"b\">\n<p class=\"tab-label\">b</p>\n<aside class=\"note note-tip\" role=\"note\">\n<p class=\"note-title\">Tip</p>\n<p>deep</p>\n</aside>\n</section>\n</div>",
    );
}

#[test]
fn a_note_is_no_part_of_the_quote_before_it() {
    let note = "<aside class=\"note note-tip\" role=\"note\">\n<p class=\"note-title\">Tip</p>\n<p>b</p>\n</aside>";
    check("> a\n!!! tip\n    b", &format!("<blockquote>\n<p>a</p>\n</blockquote>\n{note}"));
    check("> > a\n> !!! tip\n>     b", &format!("<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n{note}\n</blockquote>"));
    check("> ```listing\n!!! tip\n    b", &format!("<blockquote>\n{{listing 0}}</blockquote>\n{note}"));
    check("- > a\n  !!! tip\n      b", &format!("<ul>\n<li>\n<blockquote>\n<p>a</p>\n</blockquote>\n{note}\n</li>\n</ul>"));
}

#[test]
fn a_listing_before_a_heading_stays_before_it() {
    check(
        "```listing\nx\n```\n\n## A {#a}\n",
        "{listing 0}<h2 id=\"a\">A <a class=\"heading-anchor\" href=\"#a\" aria-label=\"Link to: A\"></a></h2>",
    );
    let html = prose("a[^1]\n\n```listing\nx\n```\n\n[^1]: b\n").html;
    assert!(html.holes[0].at <= html.text.find("<section").unwrap(), "nor does it fall into the footnotes");
}

#[test]
fn back_links_are_behind_a_listing() {
    let section =
        "<section class=\"footnotes\" role=\"doc-endnotes\" aria-label=\"Footnotes\">\n<p class=\"footnotes-title\">Footnotes</p>\n<ol>\n";
    let back = " <a class=\"footnote-back\" href=\"#fr-1-1\" role=\"doc-backlink\" aria-label=\"Back to mention 1\">↩</a>";
    let mark = "<sup class=\"footnote\"><a id=\"fr-1-1\" href=\"#footnote-1\" role=\"doc-noteref\">1</a></sup>";
    check(
        "a[^1]\n\n[^1]: b\n\n    ```listing\n    x\n    ```\n",
        &format!("<p>a{mark}</p>\n{section}<li id=\"footnote-1\"><p>b</p>\n{{listing 0}}{back}</li>\n</ol>\n</section>"),
    );
    check(
        "a[^1]\n\n[^1]: [[b]]",
        &format!("<p>a{mark}</p>\n{section}<li id=\"footnote-1\"><p><a href=\"{{0}}\">{{name 0}}</a>{back}</p></li>\n</ol>\n</section>"),
    );
}

/// The text of a link may begin or end with blanks, or consist of blanks; the text of a section is trimmed.
#[test]
fn names_of_links_are_within_the_text_of_their_section() {
    for text in ["[[ ]]", "[[ ]] x", "\u{3000}[[ ]]\n\nx", " [[ a", "# a\n\n[[ etcd]] x", "x [[etcd ]]", "[[etcd]]"] {
        for section in prose(text).sections {
            for name in section.names {
                assert!(!section.text[name.span.range()].is_empty(), "{text:?}");
            }
        }
    }
}

#[test]
fn wiki_links() {
    check(
        "[[etcd]] [[etcd|the store]] [[#a]] [[^op]]",
        "<p><a href=\"{0}\">{name 0}</a> <a href=\"{1}\">the store</a> <a href=\"{2}\">{name 2}</a> <sup class=\"cite\"><a href=\"#source-op\" aria-label=\"Source {number 3}\">[{number 3}]</a></sup></p>",
    );
}

/// The complete result of rendering a text, as one string.
fn described(text: &str) -> String {
    let prose = prose(text);
    let mut lines = vec![filled(&prose).trim_end().to_owned()];
    let quoted = |span: Span| text[span.range()].replace('\n', "⏎");
    lines.extend(prose.title.iter().map(|title| format!("title: {} #{} {:?}", title.html, title.id, title.text)));
    lines.extend(
        prose
            .headings
            .iter()
            .map(|heading| format!("heading {}: {} #{} {:?}", heading.level, heading.html, heading.id, quoted(heading.span))),
    );
    lines.extend(prose.anchors.iter().map(|anchor| format!("anchor: #{anchor}")));
    lines.extend(prose.links.iter().map(|link| format!("link: {} → {:?}", quoted(link.span), link.target)));
    lines.extend(prose.sections.iter().map(|section| format!("text {:?}: {}", section.heading, section.text.replace('\n', "⏎"))));
    for problem in &prose.problems {
        lines.push(format!("{}: {}: {} ({})", problem.rule.name(), quoted(problem.span), problem.message, problem.help));
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// `tests/markdown/pages.txt` has pages and their expected output. `UPDATE_EXPECT=1 cargo test` updates it; review the diff.
#[test]
fn pages() {
    const END: &str = "\n════════\n";
    const BECOMES: &str = "\n────────\n";
    let file = expect_file![concat!(env!("CARGO_MANIFEST_DIR"), "/tests/markdown/pages.txt")];
    let mut actual = String::new();
    for page in file.data().trim_end_matches('\n').trim_end_matches(END.trim_end()).split(END) {
        let (text, _) = page.split_once(BECOMES).unwrap_or((page, ""));
        actual.extend([text, BECOMES, &described(text), END]);
    }
    file.assert_eq(&actual);
}

#[test]
fn a_page_of_too_much_code_is_colored_up_to_a_limit() {
    // 400 bytes squared, 20 lines: 3.2 million, of the 8 million for a page.
    let block = |number: usize| format!("```yaml\n{}```\n\n", format!("{}: {number}\n", "a ".repeat(198)).repeat(20));
    let html = filled(&prose(&(0..4).map(block).collect::<Vec<_>>().concat()));
    let colored: Vec<bool> = html.split("<figure").skip(1).map(|figure| figure.contains("hl-")).collect();
    assert_eq!(colored, [true, true, false, false]);
}
