//! `mermaid` code blocks, which are drawn at build time.

use ksys_docs::read::Sources;

use crate::support::{check, main_of, over_base, site};

/// The base with a text on a page in both languages.
fn page(text: &str) -> Sources {
    over_base(&format!("//- content/guide/cleaning/en.md\n# Cleaning\n\n{text}\n//- content/guide/cleaning/ja.md\n# 掃除\n\n{text}\n"))
}

const PAGE: &str = "guide/cleaning/index.html";

#[test]
fn a_block_becomes_a_drawing_with_its_source() {
    let sources = page("```mermaid title=\"Water & heat\"\nflowchart LR\n    tank[水のタンク & 湯] --> pump\n```");
    check(&sources, "");
    let site = site(&sources);
    for (path, label) in [(PAGE, "Diagram as text"), ("ja/guide/cleaning/index.html", "図のソース")] {
        let html = main_of(&site, path);
        assert!(
            html.contains(
                "<figure class=\"diagram-figure\"><div class=\"diagram-scroll\" tabindex=\"0\"><svg class=\"diagram mermaid small\" role=\"img\""
            ),
            "{html}"
        );
        assert!(html.contains("<title>Water &amp; heat</title><desc>水のタンク &amp; 湯 · pump</desc>"), "{html}");
        assert!(html.contains("</svg></div><figcaption>Water &amp; heat<details "), "{html}");
        assert!(html.contains(&format!("<details class=\"diagram-list\"><summary>{label}</summary>")), "{html}");
        assert!(html.contains("tank[水のタンク &amp; 湯] --&gt; pump"), "{html}");
        assert!(!html.contains("style=") && !html.contains("<style") && !html.contains("foreignObject"), "{html}");
    }
}

#[test]
fn a_drawing_without_a_title_has_the_words_of_its_language() {
    let site = site(&page("```mermaid\nstateDiagram-v2\n    [*] --> A\n```"));
    assert!(main_of(&site, PAGE).contains("<title>Diagram</title>"));
    let japanese = main_of(&site, "ja/guide/cleaning/index.html");
    assert!(japanese.contains("<title>図</title>") && !japanese.contains("<figcaption>"));
}

#[test]
fn boxes_lead_where_links_lead() {
    let block = "```mermaid\nflowchart LR\n    A --> B --> C --> D\n    click A href \"[[boiler]]\"\n    click B \"https://example.org/?a=1&b\" \"tip\"\n    click C href \"../boilre/en.md\"\n    click D href \"JavaScript:alert(1)\"\n```";
    let sources = over_base(&format!("//- content/guide/cleaning/en.md\n# Cleaning\n\n{block}\n"));
    check(
        &sources,
        "
content/guide/cleaning/en.md:8:19 dead-link: the file `content/guide/boilre/en.md` does not exist (check the path; it is relative to this file)
content/guide/cleaning/en.md:9:19 unsafe-link: links with the scheme `javascript:` are not allowed (link to a page or a file of the knowledge base, or to an `https:` address)",
    );
    let fixed = block.replace("../boilre/en.md", "[[boiler#ports]]").replace("JavaScript:alert(1)", "[[^manual]]");
    let sources = page(&fixed);
    check(
        &sources,
        "
content/guide/cleaning/en.md:9:19 bad-diagram: a box cannot link to a citation (write `click A href \"[[id]]\"`)
content/guide/cleaning/ja.md:9:19 bad-diagram: a box cannot link to a citation (write `click A href \"[[id]]\"`)",
    );
    let html = main_of(&site(&page(&fixed.replace("[[^manual]]", "[[boiler]]"))), PAGE);
    for part in [
        "role=\"group\"",
        "<a class=\"node\" href=\"../../components/boiler/\"><rect class=\"box\"",
        "<a class=\"node\" href=\"https://example.org/?a=1&amp;b\" rel=\"external noreferrer\">",
        "<a class=\"node\" href=\"../../components/boiler/#ports\">",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
}

#[test]
fn a_mistake_is_found_at_its_place() {
    let sources = over_base(
        "//- content/guide/cleaning/en.md\n# Cleaning\n\n- 項目\n\n    ```mermaid linenos\n    flowchart LR\n        水 --> 湯\n        湯 -> 泡\n    ```\n\n> [!NOTE]\n> ```mermaid\n> pie title Pets\n> ```\n\n```mermaid tilte=\"x\"\n```\n",
    );
    check(
        &sources,
        "
content/guide/cleaning/en.md:5:5 bad-code-fence: the lines of a diagram cannot be numbered or marked (remove `linenos`, `start` and `hl`, or write `text` for `mermaid`)
content/guide/cleaning/en.md:8:11 bad-diagram: this arrow is not complete (write `-->`, `---`, `-.->` or `==>`)
content/guide/cleaning/en.md:13:3 unknown-diagram: diagrams of the kind `pie` are not built in (begin it with `flowchart`, `sequenceDiagram`, `stateDiagram-v2`)
content/guide/cleaning/en.md:16:1 bad-diagram: the diagram is empty (begin it with `flowchart`, `sequenceDiagram`, `stateDiagram-v2`)
content/guide/cleaning/en.md:16:1 bad-code-fence: unknown option `tilte` of a code fence (did you mean `title`?)",
    );
}

#[test]
fn of_a_kind_that_is_not_built_in_the_source_is_shown() {
    let html = main_of(&site(&page("```mermaid\npie\n    \"湯\" : 90\n```")), PAGE);
    assert!(
        html.contains("data-language=\"mermaid\"") && html.contains("湯&quot; : 90") && !html.contains("<svg class=\"diagram"),
        "{html}"
    );
}
