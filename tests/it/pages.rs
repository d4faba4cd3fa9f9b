//! The pages of the site.

use ksys_docs::site::Site;

use crate::support::{main_of, over_base, site, with};

#[test]
fn every_page_is_there_in_every_language() {
    let site = site(&over_base(""));
    let html: Vec<&str> = site.files().map(|(path, _)| path).filter(|path| path.ends_with(".html")).collect();
    assert_eq!(
        html,
        [
            "404.html",
            "api/index.html",
            "compare/index.html",
            "compare/role-heater/index.html",
            "components/boiler/index.html",
            "components/index.html",
            "components/pump/index.html",
            "concepts/brewing/index.html",
            "concepts/index.html",
            "coverage/index.html",
            "exemptions/index.html",
            "explain/index.html",
            "glossary/index.html",
            "guide/cleaning/index.html",
            "guide/index.html",
            "index.html",
            "ja/api/index.html",
            "ja/compare/index.html",
            "ja/compare/role-heater/index.html",
            "ja/components/boiler/index.html",
            "ja/components/index.html",
            "ja/components/pump/index.html",
            "ja/concepts/brewing/index.html",
            "ja/concepts/index.html",
            "ja/coverage/index.html",
            "ja/exemptions/index.html",
            "ja/explain/index.html",
            "ja/glossary/index.html",
            "ja/guide/cleaning/index.html",
            "ja/guide/index.html",
            "ja/index.html",
            "ja/ports/acme/index.html",
            "ja/ports/index.html",
            "ja/providers/acme/index.html",
            "ja/providers/index.html",
            "ja/search/index.html",
            "ja/timeline/index.html",
            "ja/versions/1.0..1.1/index.html",
            "ja/versions/1.0..1.2/index.html",
            "ja/versions/1.1..1.2/index.html",
            "ja/versions/index.html",
            "ports/acme/index.html",
            "ports/index.html",
            "providers/acme/index.html",
            "providers/index.html",
            "search/index.html",
            "timeline/index.html",
            "versions/1.0..1.1/index.html",
            "versions/1.0..1.2/index.html",
            "versions/1.1..1.2/index.html",
            "versions/index.html",
        ]
    );
}

#[test]
fn a_component_page_shows_its_facts_and_those_of_others() {
    let site = site(&over_base(""));
    let page = main_of(&site, "components/boiler/index.html");
    for expected in [
        "data-verdict=\"comes-back\"",
        "A new one starts.",
        "the factory",
        "id=\"source-manual\"",
        "https://example.org/manual",
        "2026-11-20",
        "is fed by",
        "cold water",
        "ACME",
        "Makes water hot.",
        "id=\"health\"",
    ] {
        assert!(page.contains(expected), "{expected}\n{page}");
    }
    let japanese = main_of(&site, "ja/components/boiler/index.html");
    for expected in ["新しいものが起動します。", "工場", "供給される", "冷水", "水を温めます。"] {
        assert!(japanese.contains(expected), "{expected}\n{japanese}");
    }
    let old = main_of(&site, "components/pump/index.html");
    assert!(old.contains("../boiler/") && old.contains("1.2"), "{old}");
}

#[test]
fn many_incoming_relations_are_names_only() {
    let client = |number: usize| {
        format!(
            "//- content/components/client-{number}/facts.yaml\nname: Client {number}\narea: water\n\
             relations:\n  - {{verb: feeds, to: boiler, port: 80, what: {{en: drop {number}, ja: しずく}}, evidence: [manual]}}\n\
             evidence:\n  manual: {{title: The manual, url: \"https://example.org/manual\", checked: 2026-11-20}}\n\
             //- content/components/client-{number}/en.md\n---\nsummary: A client.\n---\nText.\n"
        )
    };
    let shows_ports = |clients: usize| {
        let site = site(&over_base(&(0..clients).map(client).collect::<String>()));
        let page = main_of(&site, "components/boiler/index.html");
        for number in 0..clients {
            assert!(page.contains(&format!("../client-{number}/")), "{number}\n{page}");
        }
        page.contains("drop 0")
    };
    // The base has one more.
    assert!(shows_ports(15) && !shows_ports(16));
}

#[test]
fn the_explain_page_has_an_example_of_its_own_knowledge_base() {
    let from_facts = main_of(&site(&over_base("")), "explain/index.html");
    assert!(from_facts.contains("$ kubectl get all -A -o name\npod/boiler-5d9dbcc6d8-2qlgw\n"), "{from_facts}");
    let of_the_author = main_of(&site(&over_base("//- content/explain/example.txt\nboiler &lt; 1\n")), "ja/explain/index.html");
    assert!(of_the_author.contains("\"explain-example\">boiler &amp;lt; 1\n<") && !of_the_author.contains("-o name"), "{of_the_author}");
}

#[test]
fn a_page_that_is_not_translated_comes_with_a_notice() {
    let site = site(&over_base("//- content/guide/cleaning/ja.md gone\n"));
    let page = site.text("ja/guide/cleaning/index.html").unwrap();
    assert!(page.contains("<html lang=\"ja\""), "{page}");
    assert!(page.contains("lang=\"en\"") && page.contains("Back to"), "{page}");
    // Its links lead to pages in the language of the reader.
    assert!(page.contains("href=\"../../components/boiler/#health\""), "{page}");
}

#[test]
fn a_stale_translation_comes_with_a_notice() {
    let stale = "//- content/guide/cleaning/ja.md\n---\ntitle: 掃除\ntranslates: {\"(top)\": \"0\"}\n---\n本文。\n";
    let with_stamp = site(&over_base(stale));
    let without = site(&over_base(&stale.replace("translates: {\"(top)\": \"0\"}\n", "")));
    let page = "ja/guide/cleaning/index.html";
    assert_ne!(main_of(&with_stamp, page), main_of(&without, page));
    assert!(main_of(&with_stamp, page).contains("../../../guide/cleaning/"));
}

#[test]
fn absolute_addresses_only_where_the_host_is_known() {
    let path = site(&with("book.toml", &[("[languages.ja]", "[output.html]\nsite-url = \"/docs/\"\n[languages.ja]")]));
    let home = path.text("index.html").unwrap();
    assert!(!home.contains("rel=\"canonical\"") && !home.contains("x-default"), "{home}");
    assert!(path.text("404.html").unwrap().contains("href=\"/docs/\""));
    let full = site(&with("book.toml", &[("[languages.ja]", "[output.html]\nsite-url = \"https://example.org/docs/\"\n[languages.ja]")]));
    let page = full.text("ja/components/boiler/index.html").unwrap();
    assert!(page.contains("<link rel=\"canonical\" href=\"https://example.org/docs/ja/components/boiler/\">"), "{page}");
    assert!(page.contains("hreflang=\"x-default\" href=\"https://example.org/docs/components/boiler/\""), "{page}");
}

#[test]
fn the_comparison_has_every_claim_with_its_evidence() {
    let site = site(&over_base(""));
    let page = main_of(&site, "compare/index.html");
    for expected in ["class=\"comparison", "id=\"role-heater\"", "ACME", "../components/boiler/", "role-heater/"] {
        assert!(page.contains(expected), "{expected}\n{page}");
    }
    let role = main_of(&site, "compare/role-heater/index.html");
    for expected in ["Makes water hot.", "id=\"acme\"", "../../components/boiler/", "2026-11-19", "Deployment", "Since: unknown"] {
        assert!(role.contains(expected), "{expected}\n{role}");
    }
    assert!(main_of(&site, "components/boiler/index.html").contains("../../compare/role-heater/"));
    assert_eq!(
        site.text("api/v1/compare.csv").unwrap(),
        "role,provider,component,presence,form,since,until,what,confidence,evidence,checked\r\nheater,acme,boiler,default,Deployment,,,,high,The shop,2026-11-19\r\n"
    );
    let json: serde_json::Value = serde_json::from_str(site.text("api/v1/compare.json").unwrap()).unwrap();
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["roles"][0]["cells"][0]["claims"][0]["component"], "boiler");
}

#[test]
fn a_site_of_ordinary_pages_needs_only_markdown() {
    let sources = ksys_docs::read::Sources::from_fixture(
        "//- book.toml\n[book]\ntitle = \"Notes\"\n//- content/README.md\n# Hello\n\n[next](guide/install.md)\n//- content/guide/install.md\n# Install\n\nText.\n",
    );
    let site = site(&sources);
    let html: Vec<&str> = site.files().map(|(path, _)| path).filter(|path| path.ends_with(".html")).collect();
    assert_eq!(html, ["404.html", "guide/index.html", "guide/install/index.html", "index.html", "search/index.html"]);
    assert!(main_of(&site, "index.html").contains("href=\"./guide/install/\""));
}

#[test]
fn a_site_may_bring_its_own_template_words_and_style() {
    let overlay = "//- templates/page.html\n<main>{{ page.t.search }}|{{ page.title }}|{{ body | safe }}</main>\n//- templates/strings/en.yaml\nsearch: Find\n";
    let site = site(&over_base(overlay));
    assert!(main_of(&site, "guide/cleaning/index.html").starts_with("<main>Find|Cleaning|<p>Back to"));
}

#[test]
fn assets_beside_a_page_are_copied_and_linked_from_both_languages() {
    let mut sources = over_base(
        "//- content/guide/cleaning/en.md\n# Cleaning\n\n![A brush](brush.svg)\n//- content/guide/cleaning/ja.md\n# 掃除\n\n![ブラシ](brush.svg)\n",
    );
    let svg: std::sync::Arc<[u8]> = b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".as_slice().into();
    sources.files.insert("content/guide/cleaning/brush.svg".into(), ksys_docs::read::Content::Bytes(svg));
    let site = site(&sources);
    assert!(site.get("guide/cleaning/brush.svg").is_some());
    assert!(main_of(&site, "guide/cleaning/index.html").contains("src=\"./brush.svg\""));
    assert!(main_of(&site, "ja/guide/cleaning/index.html").contains("src=\"../../../guide/cleaning/brush.svg\""));
}

#[test]
fn old_addresses_lead_on_without_script() {
    let overlay = "//- content/guide/cleaning/en.md\n---\ntitle: Cleaning\naliases: [/old/cleaning/, /tidy.html]\n---\nText.\n";
    let site = site(&over_base(overlay));
    let page = site.text("old/cleaning/index.html").unwrap();
    assert!(page.contains("content=\"0; url=../../guide/cleaning/\""), "{page}");
    assert!(site.text("tidy.html").unwrap().contains("href=\"./guide/cleaning/\""));
}

#[test]
fn a_site_without_a_home_page_gets_one() {
    let sources =
        ksys_docs::read::Sources::from_fixture("//- book.toml\n[book]\ntitle = \"Notes\"\n//- content/guide/en.md\n# The guide\n\nText.\n");
    let home = main_of(&site(&sources), "index.html");
    assert!(home.contains("Notes") && home.contains("href=\"./guide/\""), "{home}");
    let with_components = main_of(&site(&over_base("//- content/index/en.md gone\n//- content/index/ja.md gone\n")), "ja/index.html");
    assert!(with_components.contains("コーヒー") && with_components.contains("boiler"), "{with_components}");
}

/// A component with a section in its facts.
const LID: &str = "//- content/components/boiler/facts.yaml
name: boiler
area: water
sections:
  lid: {name: The lid, aka: [cover]}
listing:
  - {kind: Deployment, name: boiler, namespace: machine}
  - {kind: ConfigMap, name: lid, namespace: machine, section: lid}
examples: [pod/boiler-5d9dbcc6d8-2qlgw   1/1   Running   0   3m]
//- content/components/boiler/en.md
---
summary: Makes water hot.
---
Text.
## Health {#health}
## Keeping dust out {#lid}
Text.
//- content/components/boiler/ja.md
---
summary: 水を温めます。
---
本文。
## 状態 {#health}
## ほこりを防ぐふた {#lid}
本文。
//- content/guide/cleaning/en.md
# Cleaning

Wipe [[lid]], [[lid|it]] again, and [this](/components/lid/).
//- content/guide/cleaning/ja.md
# 掃除

[[lid]]を拭きます。
";

#[test]
fn a_section_resolves_wherever_its_id_is_used() {
    let site = site(&over_base(LID));
    let page = main_of(&site, "guide/cleaning/index.html");
    for expected in [
        "<a href=\"../../components/boiler/#lid\">Keeping dust out</a>",
        "<a href=\"../../components/boiler/#lid\">it</a>",
        "<a href=\"../../components/boiler/#lid\">this</a>",
    ] {
        assert!(page.contains(expected), "{expected}\n{page}");
    }
    let japanese = main_of(&site, "ja/guide/cleaning/index.html");
    assert!(japanese.contains("<a href=\"../../components/boiler/#lid\">ほこりを防ぐふた</a>"), "{japanese}");
    for (address, target) in [("components/lid/index.html", "../boiler/#lid"), ("ja/components/lid/index.html", "../boiler/#lid")] {
        let page = site.text(address).unwrap();
        assert!(page.contains(&format!("content=\"0; url={target}\"")) && page.contains(&format!("href=\"{target}\"")), "{page}");
    }
    let list = main_of(&site, "components/index.html");
    assert!(list.contains("<a href=\"./boiler/#lid\">Keeping dust out</a>") && list.contains("data-words=\"cover\""), "{list}");
    assert!(main_of(&site, "components/boiler/index.html").contains("<a href=\"#lid\">Keeping dust out</a>"));
}

#[test]
fn every_id_and_name_is_in_the_data() {
    let site = site(&over_base(LID));
    let json = |path: &str| serde_json::from_str::<serde_json::Value>(site.text(path).unwrap()).unwrap();
    let things = json("api/v1/components.json");
    assert_eq!(things["schema_version"], 1);
    let row = |thing: &serde_json::Value| {
        ["id", "kind", "url", "state", "verdict", "section_of"].map(|key| thing[key].as_str().unwrap_or("-").to_owned()).join(" ")
    };
    assert_eq!(
        things["components"].as_array().unwrap().iter().map(row).collect::<Vec<_>>(),
        [
            "boiler component /components/boiler/ - - -",
            "brewing concept /concepts/brewing/ - - -",
            "lid section /components/boiler/#lid - - boiler",
            "pump component /components/pump/ removed - -",
        ]
    );
    let lookup = json("api/v1/lookup.json");
    assert_eq!(lookup["patterns"][1]["section"], "lid");
    let names = lookup["names"].as_array().unwrap().iter();
    let names: Vec<String> = names.map(|name| format!("{} {}", name["name"].as_str().unwrap(), name["url"].as_str().unwrap())).collect();
    for expected in
        ["cover /components/boiler/#lid", "ほこりを防ぐふた /components/boiler/#lid", "抽出 /concepts/brewing/", "acme /providers/acme/"]
    {
        assert!(names.iter().any(|name| name == expected), "{expected}\n{names:#?}");
    }
}

#[test]
fn names_outside_of_listings_have_their_own_data() {
    let facts = "\
//- content/components/lid/facts.yaml
name: Lid
area: water
images: [example/lid]
names:
  - {kind: metric, names: [lid_cover_], what: {en: Its metrics, ja: メトリクス}, evidence: [manual]}
  - {kind: alert, names: [LidOpen], evidence: [manual]}
evidence:
  manual: {title: The manual, url: \"https://example.org/manual\", checked: 2026-11-20}
//- content/components/lid/en.md
---
summary: x
---
Text.
//- content/components/lid/ja.md
---
summary: x
---
本文。
";
    let site = site(&over_base(facts));
    let data: serde_json::Value = serde_json::from_str(site.text("api/v1/names.json").unwrap()).unwrap();
    let row = |of: &serde_json::Value, keys: &[&str]| {
        keys.iter().map(|key| of[key].as_str().unwrap_or("-").to_owned()).collect::<Vec<_>>().join(" ")
    };
    let rows = |list: &str, keys: &[&str]| data[list].as_array().unwrap().iter().map(|of| row(of, keys)).collect::<Vec<_>>();
    assert_eq!(
        rows("names", &["kind", "name", "component", "url"]),
        ["alert LidOpen lid /components/lid/", "metric lid_cover_ lid /components/lid/"]
    );
    assert_eq!(data["names"][1]["what"]["en"], "Its metrics");
    assert_eq!(rows("images", &["image", "component"]), ["example/lid lid"]);
}

#[test]
fn everything_that_is_known_of_a_component_is_in_its_file() {
    let (plain, with_section) = (site(&over_base("")), site(&over_base(LID)));
    let of = |site: &Site, id: &str| {
        serde_json::from_str::<serde_json::Value>(site.text(&format!("api/v1/components/{id}.json")).unwrap()).unwrap()
    };
    let json = |id: &str| of(&plain, id);
    let boiler = json("boiler");
    let source = serde_json::json!({"key": "manual", "title": "The manual", "url": "https://example.org/manual", "observed": false, "checked": "2026-11-20"});
    for (pointer, expected) in [
        ("/schema_version", serde_json::json!(1)),
        ("/kind", serde_json::json!("component")),
        ("/name", serde_json::json!({"en": "boiler", "ja": "boiler"})),
        ("/summary", serde_json::json!({"en": "Makes water hot.", "ja": "水を温めます。"})),
        ("/urls", serde_json::json!({"en": "/components/boiler/", "ja": "/ja/components/boiler/"})),
        ("/lifecycle/since", serde_json::json!("1.0")),
        ("/replaces", serde_json::json!(["pump"])),
        ("/removal/general/verdict", serde_json::json!("comes-back")),
        ("/removal/general/restored_by", serde_json::json!({"en": "its controller", "ja": "コントローラー"})),
        ("/patterns/0/providers", serde_json::json!(["acme"])),
        ("/relations/outgoing", serde_json::json!([])),
        (
            "/relations/incoming",
            serde_json::json!([{"verb": "feeds", "from": "pump", "port": "80", "what": {"en": "cold water", "ja": "冷水"}, "sources": [source]}]),
        ),
        ("/providers/0/presence", serde_json::json!("default")),
        ("/providers/0/sources/0/observed", serde_json::json!(true)),
        ("/ports/0/protocols", serde_json::json!(["TCP"])),
        ("/sources", serde_json::json!([source])),
    ] {
        assert_eq!(boiler.pointer(pointer), Some(&expected), "{pointer}");
    }
    assert_eq!(of(&with_section, "boiler")["sections"][0]["url"], "/components/boiler/#lid");
    assert!(of(&with_section, "boiler")["lifecycle"].is_null());
    assert_eq!(json("pump")["lifecycle"]["replaced_by"], serde_json::json!(["boiler"]));
    assert_eq!(json("pump")["relations"]["outgoing"][0]["to"], "boiler");
    // A concept has the same fields, most of them null or empty.
    let keys = |id: &str| json(id).as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys("brewing"), keys("boiler"));
    assert_eq!(json("brewing")["name"]["ja"], "抽出");
}

#[test]
fn the_coverage_counts_what_is_missing() {
    let overlay = "//- content/components/pump/facts.yaml
name: Pump
area: water
listing: [{kind: Part, name: pump}]
removal: {verdict: unknown}
examples: [part/pump]
ports: [{port: 1}]
//- content/providers/acme/facts.yaml
name: ACME
kind: maker
//- content/guide/cleaning/ja.md gone
";
    let sources = over_base(overlay);
    let compiled =
        ksys_docs::compile::compile(&sources, &ksys_docs::highlight::Highlighter::default(), ksys_docs::diagnostic::Diagnostics::new());
    let coverage = compiled.coverage.unwrap();
    assert_eq!(
        coverage.summary(),
        "coverage: 2 components, 1 concept, 0 sections, 1 provider
  claims      3 with evidence, 1 without, 1 unknown (port of pump)
  comparison  1 of 1 cells unknown (heater of acme)
  patterns    2; components without an example: 0, without a counter-example: 1 (pump)
  verdicts    1 unknown (pump)
  en          6 of 6 pages, 0 out of date
  ja          5 of 6 pages, 0 out of date (no guide/cleaning), 5 not verified (/, components/boiler, components/pump, …)
"
    );
    let page = main_of(&compiled.site.unwrap(), "ja/coverage/index.html");
    for expected in ["1件のうち、1件が不明", "href=\"../components/pump/\"", "Cleaning", "2026-11"] {
        assert!(page.contains(expected), "{expected}\n{page}");
    }
    let whole = main_of(&site(&over_base("")), "coverage/index.html");
    assert!(whole.contains("0 of 1 combinations"), "{whole}");
}

#[test]
fn pods_and_their_workload_have_their_own_answers() {
    let page = |heading: &str| format!("---\nsummary: x\n---\nWater.[[^manual]]\n\n## {heading} {{#health}}\n\n## Lid {{#lid}}\n\nText.\n");
    let sources = over_base(&format!(
        "\
//- content/components/boiler/facts.yaml
name: boiler
area: water
listing:
  - {{kind: Deployment, name: boiler, namespace: machine, providers: [acme]}}
  - {{kind: Pod, name: lid, namespace: machine, section: lid}}
examples: [pod/boiler-5d9dbcc6d8-2qlgw 1/1 Running 0 3m]
not: [pod/boiler-old-5d9dbcc6d8-2qlgw 1/1 Running 0 3m]
restart: {{impact: {{en: No steam until `pressure` is back., ja: 圧力が戻るまで蒸気が出ません。}}, evidence: [manual]}}
removal: {{verdict: never, effect: {{en: The machine is cold., ja: マシンが冷えます。}}, evidence: [manual]}}
sections:
  lid: {{name: Lid, restart: {{verdict: blocked, evidence: [manual]}}}}
evidence:
  manual: {{title: The manual, url: \"https://example.org/manual\", checked: 2026-11-20}}
//- content/components/boiler/en.md
{}//- content/components/boiler/ja.md
{}",
        page("Health"),
        page("状態")
    ));
    let site = site(&sources);
    let page = main_of(&site, "components/boiler/index.html");
    let answers: Vec<&str> = page.split("data-weight=").skip(1).collect();
    let expected = [
        ["You can delete the Pod: it is recreated", "Its ReplicaSet creates a new Pod.", "<code>pressure</code>"],
        ["data-verdict=\"never\"", "delete the Deployment", "The machine is cold."],
        ["data-verdict=\"blocked\"", "Lid", "Pod"],
    ];
    assert_eq!(answers.len(), expected.len(), "{page}");
    for (answer, part) in answers.iter().zip(expected).flat_map(|(answer, parts)| parts.map(|part| (answer, part))) {
        assert!(answer.contains(part), "{part}\n{answer}");
    }
    let export = site.text("components/boiler/index.md").unwrap();
    assert!(export.contains("| Lid (Pod) | Deletion is blocked[^manual] |"), "{export}");
    let data: serde_json::Value = serde_json::from_str(site.text("api/v1/components/boiler.json").unwrap()).unwrap();
    assert_eq!(data["restart"]["controllers"], serde_json::json!([{"controller": "ReplicaSet", "verdict": "comes-back"}]));
    assert_eq!(data["sections"][0]["restart"]["controllers"], serde_json::json!([{"controller": null, "verdict": "blocked"}]));
}

#[test]
fn a_section_has_a_verdict_of_its_own() {
    let overlay = LID
        .replace("aka: [cover]}", "aka: [cover], removal: {verdict: safe, effect: {en: Dust falls in., ja: ほこりが入ります。}, providers: {acme: {verdict: comes-back, effect: {en: ACME sends one., ja: ACMEが送ります。}, evidence: [manual]}}, evidence: [manual]}}")
        .replace("//- content/components/boiler/en.md", "removal: {verdict: never, evidence: [manual]}\nevidence:\n  manual: {title: The manual, url: \"https://example.org/manual\", checked: 2026-11-20}\n//- content/components/boiler/en.md")
        .replace("Wipe [[lid]]", "```listing\nconfigmap/lid 1 3d\n```\n\nWipe [[lid]]");
    let site = site(&over_base(&overlay));
    let page = main_of(&site, "components/boiler/index.html");
    assert!(page.contains("data-verdict=\"never\"") && page.contains("data-verdict=\"safe\"") && page.contains("Dust falls in."), "{page}");
    assert!(page.contains("ACME sends one.") && page.contains("data-verdict=\"comes-back\""), "{page}");
    let listing = main_of(&site, "guide/cleaning/index.html");
    assert!(listing.contains("data-verdict=\"safe\"") && !listing.contains("data-verdict=\"never\""), "{listing}");
    let things: serde_json::Value = serde_json::from_str(site.text("api/v1/components.json").unwrap()).unwrap();
    assert_eq!(things["components"][2]["verdict"], "safe");
    // A section with objects but without its own verdict is a gap.
    let unsaid = over_base(LID);
    let compiled =
        ksys_docs::compile::compile(&unsaid, &ksys_docs::highlight::Highlighter::default(), ksys_docs::diagnostic::Diagnostics::new());
    assert_eq!(compiled.coverage.unwrap().unknown_verdicts.iter().map(ksys_docs::id::Id::as_str).collect::<Vec<_>>(), ["boiler", "lid"]);
}

#[test]
fn each_gap_leads_to_the_file_in_which_it_is_closed() {
    let overlay = "//- book.toml
[book]
title = \"Coffee\"
[build]
recheck-after-days = 10
[output.html]
edit-url-template = \"https://example.org/edit/{path}\"
[languages.ja]
title = \"コーヒー\"
//- content/components/pump/facts.yaml
name: Pump
area: water
listing: [{kind: Part, name: pump}]
removal: {verdict: unknown}
ports: [{port: 1}]
evidence:
  old: {title: An old page, url: \"https://example.org/old\", checked: 2026-11-09}
  fresh: {title: A fresh page, url: \"https://example.org/fresh\", checked: 2026-11-10}
//- content/components/pump/en.md
---
summary: Moves water.
---
Text[[^old]] and text[[^fresh]].
//- content/providers/acme/facts.yaml
name: ACME
kind: maker
//- content/guide/cleaning/ja.md gone
";
    let site = site(&over_base(overlay));
    let page = main_of(&site, "coverage/index.html");
    let edit = |file: &str| format!("href=\"https://example.org/edit/content/{file}\"");
    // The gaps: the verdict, the port without evidence, the missing examples, the missing `since`.
    assert!(page.matches(&edit("components/pump/facts.yaml")).count() >= 5, "{page}");
    assert!(page.contains(&edit("providers/acme/facts.yaml")), "a role of which the provider says nothing\n{page}");
    assert!(page.contains(&edit("guide/cleaning/ja.md")), "a translation that isn't written yet\n{page}");
    // The newest evidence is from 2026-11-20.
    assert!(page.contains("<p>Evidence that was checked more than 10 days before the newest: 1.</p>"), "{page}");
    assert!(page.contains("An old page") && !page.contains("A fresh page"), "{page}");
    let without = overlay.replace("[output.html]\nedit-url-template = \"https://example.org/edit/{path}\"\n", "");
    let page = main_of(&crate::support::site(&over_base(&without)), "coverage/index.html");
    assert!(page.contains("<code class=\"file\">content/components/pump/facts.yaml</code>"), "{page}");
}

/// The page of the boiler with other names, of which its example is one, and the Markdown version.
fn page_with_names(listing: &str, example: &str) -> (String, String) {
    let own = "listing:\n  - {kind: Deployment, name: boiler, namespace: machine, providers: [acme]}";
    let names = [(own, listing), ("pod/boiler-5d9dbcc6d8-2qlgw   1/1   Running   0   3m", example)];
    let site = site(&with("content/components/boiler/facts.yaml", &names));
    (main_of(&site, "components/boiler/index.html"), site.text("components/boiler/index.md").unwrap().to_owned())
}

#[test]
fn the_first_answer_is_about_what_runs_permanently() {
    let listing = "listing:
  - {kind: Deployment, name: boiler, namespace: machine}
  - {kind: DaemonSet, name: boiler-node, namespace: machine}
  - {kind: StatefulSet, name: boiler-store, namespace: machine}
  - {kind: Job, name: boiler-descaling, namespace: machine}
  - {kind: Pod, name: boiler-debug, namespace: machine}";
    let (page, _) = page_with_names(listing, "job/boiler-descaling 1/1 3s 3m");
    assert!(page.contains("You can delete the Deployment, DaemonSet or StatefulSet: it is recreated<"), "{page}");
    assert_eq!(page.matches("class=\"plate-answer\"").count(), 2, "one for Pods, one for the workloads: {page}");
    // Without another workload, the Job is the component.
    let (page, _) = page_with_names("listing: [{kind: Job, name: boiler-descaling, namespace: machine}]", "job/boiler-descaling 1/1 3s 3m");
    assert!(page.contains("You can delete the Job: it is recreated<"), "{page}");
}

#[test]
fn a_page_shows_two_meanings_of_messages_and_the_markdown_version_all() {
    let entry = |text: &str| format!("  - {{kind: message, names: [{text}], what: {{en: a meaning, ja: 意味}}, evidence: [source]}}\n");
    let texts = ["the water is cold, no water is left, the lid is open", "the valve is closed", "the pump is missing"];
    let names = format!(
        "names:\n{}  - {{kind: log-source, names: [boiler/heat.go], evidence: [source]}}\nevidence:\n  source: {{title: Source code, url: \"https://example.org/source\", checked: 2026-11-20}}\n",
        texts.map(entry).concat()
    );
    let site = site(&with("content/components/boiler/facts.yaml", &[("evidence:\n", &names)]));
    let (page, markdown) = (main_of(&site, "components/boiler/index.html"), site.text("components/boiler/index.md").unwrap());
    assert!(page.contains("the water is cold") && page.contains("no water is left") && page.contains("the valve is closed"), "{page}");
    assert!(!page.contains("the lid is open") && !page.contains("the pump is missing") && page.contains("2 more names"), "{page}");
    assert!(!page.contains("heat.go") && !page.contains("source-source"), "sources of messages are not on the page: {page}");
    for text in ["the lid is open", "the pump is missing", "boiler/heat.go", "https://example.org/source"] {
        assert!(markdown.contains(text), "{text}: {markdown}");
    }
}

#[test]
fn names_beyond_the_folded_ones_are_in_the_markdown_version() {
    let entries: Vec<String> = (10..80).map(|number| format!("\n  - {{kind: ConfigMap, name: boiler-{number}}}")).collect();
    let (page, markdown) = page_with_names(&format!("listing:{}", entries.concat()), "configmap/boiler-10 1 3m");
    // Five are visible, fifty folded.
    assert!(page.contains("boiler-64") && !page.contains("boiler-65"), "{page}");
    assert!(page.contains("<a href=\"./index.md\">15 more names"), "{page}");
    assert!(markdown.contains("boiler-64") && markdown.contains("boiler-79"), "{markdown}");
}
