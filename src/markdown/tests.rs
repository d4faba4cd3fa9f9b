#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;

fn options() -> (Labels, BTreeMap<String, String>, Highlighter) {
    let labels = Labels {
        notes: [("note", "Note"), ("warning", "Warning"), ("tip", "Tip"), ("info", "Info")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .into(),
        footnotes: "Footnotes".into(),
        footnote_back: "Back to mention".into(),
        citation: "Source".into(),
        heading_link: "Link to".into(),
    };
    (labels, BTreeMap::new(), Highlighter::default())
}

fn prose(text: &str) -> Prose {
    let (labels, glossary, highlighter) = options();
    render(text, &Options { glossary: &glossary, labels: &labels, highlighter: &highlighter, allow_html: false })
}

/// Holes as `{0}`, `{name 0}`, `{number 0}`.
fn filled(html: &Html) -> String {
    html.fill(|hole, out| {
        let shown = match hole {
            HoleKind::Address(n) => format!("{{{n}}}"),
            HoleKind::Name(n) => format!("{{name {n}}}"),
            HoleKind::Number(n) => format!("{{number {n}}}"),
        };
        out.push_str(&shown);
    })
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(filled(&prose(text).html).trim_end(), expected, "{text}");
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
fn wiki_links() {
    check(
        "[[etcd]] [[etcd|the store]] [[#a]] [[^op]]",
        "<p><a href=\"{0}\">{name 0}</a> <a href=\"{1}\">the store</a> <a href=\"{2}\">{name 2}</a> <sup class=\"cite\"><a href=\"#source-op\" aria-label=\"Source {number 3}\">[{number 3}]</a></sup></p>",
    );
}

#[test]
#[ignore = "prints what is found in files named by KSYS_PAGES"]
#[allow(clippy::disallowed_methods, clippy::print_stdout)]
fn look() {
    for path in std::env::var("KSYS_PAGES").unwrap().split(' ') {
        let text = std::fs::read_to_string(path).unwrap();
        let text = if let Some(rest) = text.strip_prefix("---\n") { rest.split_once("\n---\n").unwrap().1.to_owned() } else { text };
        let prose = prose(&text);
        println!("=== {path}\n{}", filled(&prose.html));
        for problem in &prose.problems {
            println!("{:?} {:?} {:?} {} / {:?}", problem.rule, problem.span, &text[problem.span.range()], problem.message, problem.help);
        }
        println!("title {:?}\n{:?}", prose.title, prose.headings.iter().map(|h| &h.id).collect::<Vec<_>>());
        println!("{:?}", prose.sections);
    }
}

#[test]
#[ignore = "prints"]
#[allow(clippy::disallowed_methods, clippy::print_stdout)]
fn cases() {
    for text in std::fs::read_to_string("/tmp/cases.txt").unwrap().split("\n%%\n") {
        let prose = prose(text);
        println!("==========\n{text}\n----------\n{}", filled(&prose.html));
        for problem in &prose.problems {
            println!("! {:?} {:?} {} / {:?}", problem.rule, &text[problem.span.range()], problem.message, problem.help);
        }
        for link in &prose.links {
            println!("@ {:?} {:?}", &text[link.span.range()], link.target);
        }
        println!("{:?} {:?}", prose.title.map(|t| t.html), prose.headings.iter().map(|h| (&h.id, &h.html, &h.text)).collect::<Vec<_>>());
        println!("{:?}", prose.sections);
    }
}
