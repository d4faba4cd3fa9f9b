//! What authors write in pages beyond Markdown: facts and tables in blocks, variables, tags, the glossary.

use crate::support::{check, main_of, over_base, site, with};

const PAGE: &str = "content/guide/cleaning/en.md";

fn page(text: &str) -> ksys_docs::read::Sources {
    over_base(&format!("//- {PAGE}\n{text}"))
}

#[test]
fn blocks_of_facts_show_lists_relations_and_comparisons() {
    let site = site(&page(
        "# Cleaning\n\n```facts\nlist: components\narea: water\nstate: active\n```\n\n```facts\nlist: components\nprovider: acme\n```\n\n\
         ```facts\nlist: providers\nkind: maker\n```\n\n```facts\nlist: concepts\n```\n\n```facts\nrelations: boiler\n```\n\n\
         ```facts\ncomparison: heater\nproviders: [acme]\n```\n\n```facts\nlist: components\nverdict: never\n```\n",
    ));
    let html = main_of(&site, "guide/cleaning/index.html");
    let blocks: Vec<&str> = html.split("facts-block").skip(1).collect();
    assert_eq!(blocks.len(), 7, "{html}");
    assert!(blocks[0].contains("boiler") && !blocks[0].contains("Pump") && blocks[0].contains("Makes water hot."), "{}", blocks[0]);
    assert!(blocks[1].contains("boiler") && !blocks[1].contains("Pump"), "{}", blocks[1]);
    assert!(blocks[2].contains("ACME") && blocks[3].contains("Brewing"), "{}", blocks[3]);
    assert!(blocks[4].contains("is fed by") && blocks[4].contains("cold water"), "{}", blocks[4]);
    // The evidence is on the page of the source of the relation.
    assert!(blocks[4].contains("../../components/pump/#relations") && !blocks[4].contains("href=\"#source-"), "{}", blocks[4]);
    assert!(blocks[5].contains("ACME") && blocks[5].contains("Default"), "{}", blocks[5]);
    assert!(blocks[6].contains("None"), "{}", blocks[6]);
    let export = site.text("guide/cleaning/index.md").unwrap();
    assert!(!export.contains("```facts") && export.contains("- [boiler](../../components/boiler/index.md): Makes water hot."), "{export}");
    assert!(export.contains("- is fed by [Pump](../../components/pump/index.md) :80 — cold water\n"), "{export}");
}

#[test]
fn mistakes_in_blocks_of_facts_are_findings() {
    check(
        &page(
            "# Cleaning\n\n```facts\nlist: components\narea: watr\nkind: maker\n```\n\n> ```facts\n> relations: bolier\n> ```\n\n```facts\ncomparison: heatr\n\
             providers: [acm]\n```\n\n```facts\nlist: things\n```\n\n```facts\nlist: concepts\nrelations: boiler\n```\n\n```facts x\nlist: concepts\n```\n",
        ),
        "
content/guide/cleaning/en.md:5:7 unknown-word: no area `watr` (did you mean `water`?)
content/guide/cleaning/en.md:6:7 invalid-value: only lists of providers have this condition (remove it, or list something else)
content/guide/cleaning/en.md:10:14 unknown-id: no component or concept `bolier` (did you mean `boiler`?)
content/guide/cleaning/en.md:14:13 unknown-word: no role `heatr` (did you mean `heater`?)
content/guide/cleaning/en.md:15:13 unknown-id: no provider `acm` (did you mean `acme`?)
content/guide/cleaning/en.md:18:1 invalid-value: this block doesn't state one thing to show (write one of `comparison: ROLE` with `providers: […]`, `relations: ID`, and `list: components` with conditions such as `area: …`)
content/guide/cleaning/en.md:19:7 invalid-value: `things` is not one of the values allowed here (allowed are `components`, `providers`, `concepts`)
content/guide/cleaning/en.md:22:1 invalid-value: this block doesn't state one thing to show (write one of `comparison: ROLE` with `providers: […]`, `relations: ID`, and `list: components` with conditions such as `area: …`)
content/guide/cleaning/en.md:27:1 bad-code-fence: unknown option `x` of a code fence (write the facts to show in the lines below: `list: components`)",
    );
}

#[test]
fn tables_come_from_separated_values_and_yaml() {
    let site = site(&over_base(&format!(
        "//- {PAGE}\n# Cleaning\n\n```table title=\"Limits\"\nname, size, note\na, 10, \"x, `y`\"\nb, 2000, \"two\nlines\"\n```\n\n```table yaml\n- {{name: a, size: 1}}\n- {{name: <b>, note: ~}}\n```\n\n\
         ```table tsv\na\tb\n1\t2\n```\n\n```table\n{{{{#include limits.csv}}}}\n```\n//- content/guide/cleaning/limits.csv\nzone,limit\neast,7\n"
    )));
    let html = main_of(&site, "guide/cleaning/index.html");
    assert!(html.contains("<caption>Limits</caption>"), "{html}");
    assert!(html.contains("<td>a</td><td class=\"align-right\">10</td><td>x, <code>y</code></td>"), "{html}");
    assert!(html.contains("<td class=\"align-right\">2000</td><td>two\nlines</td>"), "{html}");
    assert!(html.contains("<td>&lt;b&gt;</td><td class=\"align-right\"></td><td></td>"), "{html}");
    assert!(html.contains("<td class=\"align-right\">1</td><td class=\"align-right\">2</td>"), "{html}");
    assert!(html.contains("<td>east</td><td class=\"align-right\">7</td>"), "{html}");
    check(
        &page("# Cleaning\n\n```table\na,b\n1\n```\n\n```table yaml\na: b\n```\n\n```table\n```\n\n```table yaml\n- {a: [1]}\n```\n\n```table yaml\n- {a: 1\n```\n"),
        "
content/guide/cleaning/en.md:5:1 bad-block: this row has 1 cells, and the header has 2 (write a cell that contains the separator in quotation marks, and an empty cell as nothing between two separators)
content/guide/cleaning/en.md:9:1 bad-block: this is not a list of maps (write each row as `- {name: a, size: 1}`)
content/guide/cleaning/en.md:12:1 bad-block: this table is empty (write the header in the first line, and a row in each further line; a file is included with `{{#include data.csv}}`)
content/guide/cleaning/en.md:16:7 bad-block: a cell is a single value (write a text or a number)
content/guide/cleaning/en.md:20:3 bad-block: this `{` has no `}` (close it with `}`; text that contains `,`, `{` or `}` needs quotes)",
    );
}

#[test]
fn variables_are_replaced_where_they_are_declared() {
    let book = crate::support::files(crate::support::BASE)["book.toml"].clone();
    let text = "# Cleaning\n\nUse {{version}} or {{ version }}, not \\{{version}}, {{other}} or {{ .Values.version }}.\n\n```sh\nrun {{version}}\n```\n\n{{#include part.txt}}\n";
    let sources = over_base(&format!(
        "//- book.toml\n{book}[variables]\nversion = \"2.4 & up\"\n//- {PAGE}\n{text}//- content/guide/cleaning/part.txt\nPart {{{{version}}}} [x](y)\n"
    ));
    check(&sources, "content/guide/cleaning/part.txt:1:18 dead-link: no page has the address `y` (did you mean `/guide/cleaning`?)");
    let site = site(&over_base(&format!(
        "//- book.toml\n{book}[variables]\nversion = \"2.4 & up\"\n//- {PAGE}\n{}",
        text.replace("{{#include part.txt}}", "")
    )));
    let html = main_of(&site, "guide/cleaning/index.html");
    assert!(html.contains("Use 2.4 &amp; up or 2.4 &amp; up, not"), "{html}");
    assert!(html.contains("not {{version}}, {{other}} or {{ .Values.version }}."), "{html}");
    assert!(html.contains("run</span> 2.4 <span class=\"hl-operator\">&amp;</span>"), "in code: {html}");
    check(
        &over_base(&format!("//- book.toml\n{book}[variables]\n\"#a b\" = \"x\"\nn = 1\n")),
        "
book.toml:6:1 bad-config: `#a b` is not the name of a variable (begin with a letter, and use letters, digits, `-`, `_` and `.`)
book.toml:7:5 wrong-type: expected text, found the number `1` (to write text, put it in quotes: \"1\")",
    );
}

#[test]
fn tags_have_pages() {
    let sources = over_base(&format!(
        "//- {PAGE}\n---\ntags: [Daily, \"C++\"]\n---\n# Cleaning\n\nSee [daily](/tags/daily/) and [PID](/glossary/#term-pid).\n//- content/guide/other/en.md\n---\ntags: [daily]\n---\n# Other\n\nText.\n"
    ));
    let site = site(&sources);
    let list = main_of(&site, "tags/index.html");
    assert!(list.contains("<a href=\"./daily/\" rel=\"tag\">Daily</a> <span class=\"quiet\">2</span>"), "{list}");
    let tag = main_of(&site, "tags/daily/index.html");
    assert!(tag.contains("Tag: Daily") && tag.contains("../../guide/cleaning/") && tag.contains("../../guide/other/"), "{tag}");
    assert!(site.text("ja/tags/cplusplus/index.html").is_some() && site.text("tags/cplusplus/index.md").is_some());
    let page = main_of(&site, "guide/cleaning/index.html");
    assert!(
        page.contains("<a href=\"../../tags/cplusplus/\" rel=\"tag\">C++</a>") && page.contains("href=\"../../glossary/#term-pid\""),
        "{page}"
    );
    assert!(main_of(&site, "components/boiler/index.html").find("page-tags").is_none());
    check(
        &over_base(&format!(
            "//- {PAGE}\n---\ntags: [\"-\", x]\n---\n# Cleaning\n\n[y](/tags/y/)\n//- content/tags/x/en.md\n# X\n\nText.\n//- content/tags/x/ja.md\n# X\n\n本文。\n"
        )),
        "
content/guide/cleaning/en.md:2:8 invalid-value: the tag `-` has no letter or digit (name it, or remove it)
content/guide/cleaning/en.md:6:1 dead-link: no page has the address `/tags/y/` (did you mean `/tags/x`?)
content/tags/x/en.md:1:1 url-collision: the address `/tags/x/` is needed for the program's own files (rename the folder)
content/tags/x/ja.md:1:1 url-collision: the address `/tags/x/` is needed for the program's own files (rename the folder)",
    );
}

#[test]
fn the_glossary_lists_the_abbreviations() {
    let built = site(&over_base(""));
    let page = main_of(&built, "glossary/index.html");
    assert!(page.contains("<div id=\"term-pid\"><dt>PID</dt><dd>proportional–integral–derivative</dd></div>"), "{page}");
    assert!(built.text("ja/glossary/index.md").unwrap().contains("- **PID:** 比例・積分・微分"));
    let without =
        with("content/vocabulary.yaml", &[("glossary:\n  PID: {en: proportional–integral–derivative, ja: 比例・積分・微分}\n", "")]);
    assert!(site(&without).text("glossary/index.html").is_none());
}
