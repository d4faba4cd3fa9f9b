//! A knowledge base about another platform: its own fields, words, labels and addresses.

use crate::support::{check, main_of, over_base, site, with};

const BOILER: &str = "content/components/boiler/facts.yaml";
const VOCABULARY: &str = "content/vocabulary.yaml";

/// The base with own fields and words.
const OWN: &str = "platform: Coffee machine
words:
  component: {one: {en: part, ja: 部品}, many: {en: parts, ja: 部品}, what: {en: Every part., ja: すべての部品。}}
  provider: {one: {en: maker, ja: メーカー}, many: {en: makers, ja: メーカー}}
protocols: [steam, TCP]
verdicts:
  comes-back: {en: Grows back, ja: 生え直す}
presences:
  default: {en: Built by, ja: 標準}
fields:
  owner: {label: {en: Owner, ja: 担当}, type: person, shown: [page, list], filter: true, required: true}
  grade: {label: {en: Grade, ja: 等級}, type: enum, values: {gold: {en: Gold, ja: 金}, tin: {en: Tin, ja: 錫}}, filter: true, of: [component, provider]}
  bought: {label: {en: Bought, ja: 購入}, type: date}
  manual: {label: {en: Manual, ja: 説明書}, type: url}
  colors: {label: {en: Colors, ja: 色}, type: list}
  note: {label: {en: Note, ja: メモ}}
";

fn platform(boiler: &str, pump: &str) -> ksys_docs::read::Sources {
    let files = crate::support::files(crate::support::BASE);
    let vocabulary = files[VOCABULARY].replace("platform: Coffee machine\n", OWN);
    let boiler = files[BOILER].replace("ports:\n  - {port: 80,", &format!("fields: {boiler}\nports:\n  - {{port: 80, protocol: steam,"));
    let pump = files["content/components/pump/facts.yaml"].replace("area: water\n", &format!("area: water\nfields: {pump}\n"));
    let book = format!("{}[output.html.folders]\ncomponents = \"parts\"\n", files["book.toml"]);
    over_base(&format!(
        "//- book.toml\n{book}//- {VOCABULARY}\n{vocabulary}//- {BOILER}\n{boiler}//- content/components/pump/facts.yaml\n{pump}"
    ))
}

const GOOD: &str = "{owner: Ann Lee <ann@a.example>, grade: gold, bought: 2026-01-02, manual: \"https://a.example/m\", colors: [red, 7], note: {en: Uses `x`., ja: メモ。}}";

#[test]
fn own_fields_are_on_pages_in_lists_and_data() {
    let site = site(&platform(GOOD, "{owner: Ops, grade: [tin, gold]}"));
    let page = main_of(&site, "parts/boiler/index.html");
    for part in [
        "<dt>Owner</dt><dd><a href=\"mailto:ann@a.example\">Ann Lee</a></dd>",
        "<dt>Grade</dt><dd>Gold</dd>",
        "<dt>Bought</dt><dd>2026-01-02</dd>",
        "<dt>Manual</dt><dd><a href=\"https://a.example/m\">a.example/m</a></dd>",
        "<dt>Colors</dt><dd>red, 7</dd>",
        "<dt>Note</dt><dd>Uses <code>x</code>.</dd>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(main_of(&site, "ja/parts/boiler/index.html").contains("<dt>等級</dt><dd>金</dd>"));
    let list = main_of(&site, "parts/index.html");
    assert!(list.contains("data-entry-fields=\"owner:Ann_Lee grade:gold\""), "{list}");
    assert!(list.contains("data-entry-fields=\"owner:Ops grade:tin grade:gold\""), "{list}");
    assert!(list.contains("Owner: <a href=\"mailto:ann@a.example\">Ann Lee</a>") && !list.contains("Grade: Gold"), "{list}");
    let options = "<option value=\"gold\">Gold</option><option value=\"tin\">Tin</option>";
    assert!(list.contains("<select name=\"grade\">") && list.contains(options), "in the order of the vocabulary: {list}");
    let data: serde_json::Value = serde_json::from_str(site.text("api/v1/components/boiler.json").unwrap()).unwrap();
    assert_eq!(data["fields"][1]["values"][0]["id"], "gold");
    assert_eq!(data["fields"][0]["values"][0]["url"], "mailto:ann@a.example");
    assert_eq!(data["fields"][4]["values"][1]["text"]["ja"], "7");
    assert!(site.text("parts/boiler/index.md").unwrap().contains("- **Owner:** [Ann Lee](mailto:ann@a.example)\n"));
}

#[test]
fn mistakes_in_own_fields_are_findings() {
    let written = "{ownr: x, grade: silver, bought: today, manual: \"javascript:alert(1)\", colors: {en: x, ja: y}, note: [a]}";
    check(
        &platform(written, "{owner: \"<x>\"}"),
        "
content/components/boiler/facts.yaml:1:1 missing-field: the field `owner` is missing (add `fields: {owner: …}`)
content/components/boiler/facts.yaml:18:10 unknown-word: the vocabulary has no field `ownr` (did you mean `owner`?)
content/components/boiler/facts.yaml:18:26 invalid-value: `silver` is not a value of `grade` (allowed are `gold`, `tin`)
content/components/boiler/facts.yaml:18:42 invalid-value: `today` is not a value of `bought` (write `YYYY-MM-DD`)
content/components/boiler/facts.yaml:18:57 invalid-value: `javascript:alert(1)` is not a value of `manual` (write a whole address, such as `https://git.example/team/project`)
content/components/boiler/facts.yaml:18:88 invalid-value: the field `colors` is of the type `list`, which is the same in every language (write one value)
content/components/boiler/facts.yaml:18:110 invalid-value: the field `note` is one text, and this is a list (write one text, or declare `type: list` in `vocabulary.yaml`)
content/components/pump/facts.yaml:3:17 invalid-value: `<x>` is not a value of `owner` (write `Name <name@example.org>`, `Name <https://…>` or a name)",
    );
    check(
        &with(
            VOCABULARY,
            &[(
                "platform:",
                "fields:\n  area: {label: {en: A, ja: A}}\n  b: {label: {en: B, ja: B}, type: enum}\n  c: {label: {en: C, ja: C}, values: {x: {en: X, ja: X}}}\nplatform:",
            )],
        ),
        "
content/vocabulary.yaml:2:3 invalid-value: `area` is the name of a built-in filter (choose another name for the field)
content/vocabulary.yaml:3:3 invalid-value: the field `b` has no values (add `values: {gold: {en: Gold}, …}`, or another `type`)
content/vocabulary.yaml:4:39 invalid-value: the field `c` is not an enumeration (add `type: enum`, or remove `values`)",
    );
    check(
        &with("content/providers/acme/facts.yaml", &[("kind: maker", "kind: maker\nfields: {owner: x}")]),
        "content/providers/acme/facts.yaml:3:10 unknown-word: the vocabulary has no field `owner` (declare it in `fields` of `vocabulary.yaml`)",
    );
}

#[test]
fn the_interface_uses_the_words_of_the_site() {
    let site = site(&platform(GOOD, "{owner: Ops}"));
    let list = main_of(&site, "parts/index.html");
    assert!(list.contains("<h1>Parts</h1>") && list.contains("Every part."), "{list}");
    assert!(list.contains("{n} of {total} parts"), "{list}");
    let boiler = main_of(&site, "parts/boiler/index.html");
    assert!(boiler.contains("Related parts") && boiler.contains("Grows back") && boiler.contains("Built by"), "{boiler}");
    assert!(boiler.contains("<td>steam</td>"), "{boiler}");
    assert!(main_of(&site, "ja/parts/index.html").contains("部品"));
    let home = main_of(&site, "index.html");
    assert!(home.contains("<b>1</b> Maker<") && home.contains("<b>2</b> Parts<"), "{home}");
    let words = ["component", "provider"];
    for page in ["index.html", "parts/index.html", "parts/boiler/index.html", "providers/index.html", "compare/index.html", "404.html"] {
        let html = site.text(page).unwrap();
        let text = html.split('<').filter_map(|part| Some(part.split_once('>')?.1)).collect::<Vec<_>>().join(" ").to_lowercase();
        for word in words {
            assert!(
                !text.split(|c: char| !c.is_alphabetic()).any(|found| found.trim_end_matches('s') == word),
                "{page} has the word `{word}`"
            );
        }
    }
}

#[test]
fn folders_in_addresses_have_the_names_of_the_site() {
    let sources = platform(GOOD, "{owner: Ops}");
    let built = site(&sources);
    assert!(built.text("components/index.html").is_none() && built.text("ja/parts/pump/index.html").is_some());
    assert!(main_of(&built, "guide/cleaning/index.html").contains("href=\"../../parts/boiler/#health\""));
    let book = |text: &str| {
        let book = crate::support::files(crate::support::BASE)["book.toml"].clone();
        format!("//- book.toml\n{book}[output.html.folders]\n{text}\n")
    };
    let page = "//- content/parts/x/en.md\n# X\n\n[Boiler](/parts/boiler/) [Boiler](/components/boiler/)\n//- content/parts/x/ja.md\n# X\n\n本文。\n";
    check(
        &over_base(&format!("{}{page}", book("components = \"parts\""))),
        "
content/parts/x/en.md:1:1 url-collision: the address `/parts/` is needed for the pages of components (rename the folder)
content/parts/x/ja.md:1:1 url-collision: the address `/parts/` is needed for the pages of components (rename the folder)",
    );
    check(
        &over_base(&book("components = \"A b\"\nproviders = \"concepts\"\nconcepts = \"search\"")),
        "
book.toml:6:14 bad-config: `A b` is not the name of a folder in addresses (use lower-case letters, digits, `-` and `_`)
book.toml:7:13 bad-config: `concepts` is the folder of other pages (choose another name)
book.toml:8:12 url-collision: the address `/search/` is needed for the program's own files (choose another name)",
    );
}
