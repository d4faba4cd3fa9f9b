//! `listing` code blocks: kubectl output, explained row by row.

use std::time::{Duration, Instant};

use ksys_docs::{read::Sources, site::Site};

use crate::support::{BASE, check, diagnose, files, lines, main_of, over_base, site};

const BOILER: &str = "content/components/boiler/facts.yaml";

/// The base with a block on a page in both languages, and with replacements in the facts of the boiler.
fn page(block: &str, replacements: &[(&str, &str)]) -> Sources {
    let mut facts = files(BASE)[BOILER].clone();
    for (old, new) in replacements {
        assert!(facts.contains(old), "`{old}`");
        facts = facts.replace(old, new);
    }
    over_base(&format!(
        "//- {BOILER}\n{facts}\n//- content/guide/cleaning/en.md\n# Cleaning\n\n{block}\n//- content/guide/cleaning/ja.md\n# 掃除\n\n{block}\n"
    ))
}

fn block(info: &str, text: &str) -> String {
    format!("```listing{info}\n{text}\n```")
}

/// The text of the table, one row a line: the printed line, the explanation and the verdict, separated by `|`.
fn seen(site: &Site, path: &str) -> String {
    let html = main_of(site, path);
    let table = html.split_once("<tbody").and_then(|(_, rest)| rest.split_once("</tbody>")).map_or("", |(table, _)| table);
    let mut shown = String::new();
    for row in table.split("<tr").skip(1) {
        let cells = row.replace("</th>", "|").replace("</td><td", "|<td").replace("&#x2F;", "/");
        let (_, cells) = cells.split_once('>').unwrap_or_default();
        let mut text = String::new();
        let mut in_tag = false;
        for character in cells.chars() {
            match character {
                '<' => in_tag = true,
                '>' if in_tag => in_tag = false,
                other if !in_tag => text.push(other),
                _ => {}
            }
        }
        shown.push_str(text.trim_end());
        shown.push('\n');
    }
    shown
}

#[test]
fn each_row_says_what_it_is_and_whether_it_can_go() {
    let text = "$ kubectl get all\nNAME                          READY   STATUS    RESTARTS   AGE\npod/boiler-5d9dbcc6d8-2qlgw   1/1     Running   0          3m\n\nNAME                     READY   UP-TO-DATE   AVAILABLE   AGE\ndeployment.apps/boiler   1/1     1            1           3m\n# that is all";
    let sources = page(&block(" title=\"All of it\"", text), &[]);
    check(&sources, "");
    let site = site(&sources);
    assert_eq!(
        seen(&site, "guide/cleaning/index.html"),
        "$ kubectl get all
NAME                          READY   STATUS    RESTARTS   AGE
pod/boiler-5d9dbcc6d8-2qlgw   1/1     Running   0          3m|Wboiler Makes water hot.|Recreated automatically

NAME                     READY   UP-TO-DATE   AVAILABLE   AGE
deployment.apps/boiler   1/1     1            1           3m|Wboiler Makes water hot.|Recreated automatically
# that is all
"
    );
    assert!(seen(&site, "ja/guide/cleaning/index.html").contains("|Wboiler 水を温めます。|"));
    let html = main_of(&site, "guide/cleaning/index.html");
    for expected in [
        "<table class=\"listing\"",
        "<caption>All of it</caption>",
        "data-component=\"boiler\"",
        "href=\"../../components/boiler/\"",
        "data-verdict=\"comes-back\"",
    ] {
        assert!(html.contains(expected), "{expected}\n{html}");
    }
}

#[test]
fn consecutive_rows_are_explained_once() {
    let text = "NAME READY STATUS RESTARTS AGE\nboiler-5d9dbcc6d8-2qlgw 1/1 Running 0 3m\nboiler-5d9dbcc6d8-4xkxz 1/1 Running 0 3m\n# a pause\nboiler-5d9dbcc6d8-9bvbv 1/1 Running 0 3m";
    assert_eq!(
        seen(&site(&page(&block("", text), &[])), "guide/cleaning/index.html"),
        "NAME READY STATUS RESTARTS AGE
boiler-5d9dbcc6d8-2qlgw 1/1 Running 0 3m|boiler|
boiler-5d9dbcc6d8-4xkxz 1/1 Running 0 3m|Wboiler Makes water hot.|Recreated automatically
# a pause
boiler-5d9dbcc6d8-9bvbv 1/1 Running 0 3m|Wboiler|Recreated automatically
"
    );
}

#[test]
fn the_provider_decides_the_verdict_and_the_pattern_says_more() {
    let facts = [
        ("  restored-by:", "  providers:\n    acme: {verdict: never, evidence: [manual]}\n  restored-by:"),
        ("providers: [acme]}", "providers: [acme]}\n  - {kind: ConfigMap, name: boiler, what: {en: Its settings., ja: 設定。}}"),
    ];
    let text = "NAMESPACE   NAME     DATA   AGE\nmachine     boiler   1      3m\n\nNAMESPACE   NAME     READY   UP-TO-DATE   AVAILABLE   AGE\nmachine     boiler   1/1     1            1           3m";
    let shown = seen(&site(&page(&block(" provider=acme", text), &facts)), "ja/guide/cleaning/index.html");
    assert!(shown.contains("3m|Wboiler 設定。|削除不可"), "{shown}");
    assert!(shown.contains("3m|Wboiler 水を温めます。|削除不可"), "{shown}");
    let shown = seen(&site(&page(&block("", text), &facts)), "guide/cleaning/index.html");
    assert!(shown.contains("3m|Wboiler Its settings.|Recreated automatically"), "{shown}");
}

#[test]
fn a_row_that_a_section_explains_leads_there() {
    let facts = [
        ("evidence:\n  manual", "sections:\n  settings: {name: ConfigMap boiler}\nevidence:\n  manual"),
        ("providers: [acme]}", "providers: [acme]}\n  - {kind: ConfigMap, name: boiler, section: settings}"),
    ];
    let heading = |path: &str, title: &str| format!("//- {path}\n{}\n## {title} {{#settings}}\n\nx\n", files(BASE)[path]);
    let mut sources = page(&block("", "NAME     DATA   AGE\nboiler   1      3m"), &facts);
    let pages = heading("content/components/boiler/en.md", "The settings") + &heading("content/components/boiler/ja.md", "設定");
    sources.files.extend(Sources::from_fixture(&pages).files);
    check(&sources, "");
    let site = site(&sources);
    // The verdict of the component does not apply to its ConfigMap.
    assert!(seen(&site, "ja/guide/cleaning/index.html").ends_with("3m|Wboiler設定|\n"), "{}", seen(&site, "ja/guide/cleaning/index.html"));
    assert!(main_of(&site, "guide/cleaning/index.html").contains("href=\"../../components/boiler/#settings\">The settings</a>"));
}

#[test]
fn the_text_can_be_found() {
    use ksys_docs::{diagnostic::Diagnostics, load};
    let draft = load::load(&page(&block("", "pod/boiler-5d9dbcc6d8-2qlgw"), &[]), &mut Diagnostics::new());
    let text = draft.pages.iter().find(|text| &*text.file == "content/guide/cleaning/en.md").unwrap();
    assert_eq!(text.body.sections()[0].text, "pod/boiler-5d9dbcc6d8-2qlgw");
}

#[test]
fn rows_that_nobody_claims_are_named_where_they_stand() {
    let text = "NAME READY STATUS RESTARTS AGE\npod/boiler-5d9dbcc6d8-2qlgw 1/1 Running 0 3m\n  lid-x 1/1 Running 0 3m\n...";
    let help = "add the name to `listing` in the facts of the component, or remove the line from the block";
    check(
        &page(&format!("- in a list\n\n  {}", block("", text).replace('\n', "\n  ")), &[]),
        &format!(
            "content/guide/cleaning/en.md:8:5 unknown-row: no component has the name `lid-x` of kind `Pod` ({help})
content/guide/cleaning/ja.md:8:5 unknown-row: no component has the name `lid-x` of kind `Pod` ({help})"
        ),
    );
    let shown = seen(&site(&page(&block("", text), &[])), "guide/cleaning/index.html");
    assert!(shown.contains("lid-x 1/1 Running 0 3m|Not explained here|"), "{shown}");
}

#[test]
fn a_row_of_several_components_needs_a_provider() {
    let pump = "name: Pump\narea: water\nlisting:\n  - {kind: Deployment, name: boiler, providers: [other]}\nexamples:\n  - pod/boiler-5d9dbcc6d8-2qlgw   1/1   Running   0   3m\nrelations:\n  - {verb: feeds, to: boiler, evidence: [manual]}\nevidence:\n  manual: {title: The manual, url: \"https://example.org/manual\", checked: 2026-11-20}\n";
    let other = "name: Other\nkind: maker\n//- content/providers/other/en.md\n---\nsummary: Other.\n---\n//- content/providers/other/ja.md\n---\nsummary: 別。\n---\n";
    let both = |info: &str| {
        let block = block(info, "pod/boiler-5d9dbcc6d8-2qlgw");
        over_base(&format!(
            "//- content/components/pump/facts.yaml\n{pump}\n//- content/providers/other/facts.yaml\n{other}\n//- content/guide/cleaning/en.md\n# Cleaning\n\n{block}\n//- content/guide/cleaning/ja.md\n# 掃除\n"
        ))
    };
    check(
        &both(""),
        "content/guide/cleaning/en.md:4:1 unknown-row: `boiler-5d9dbcc6d8-2qlgw` is a name of `boiler` and `pump` (add `provider=…` after `listing` to choose the component of that provider)",
    );
    check(&both(" provider=other"), "");
    assert!(seen(&site(&both(" provider=other")), "guide/cleaning/index.html").contains("|WPump"));
    assert!(seen(&site(&both("")), "guide/cleaning/index.html").contains("|Wboiler, WPump|"));
}

#[test]
fn a_provider_must_exist() {
    check(
        &over_base("//- content/guide/cleaning/en.md\n# Cleaning\n\n```listing title=\"x\" provider=\"acmee\"\n```\n"),
        "content/guide/cleaning/en.md:3:32 unknown-id: no provider `acmee` (did you mean `acme`?)",
    );
    check(
        &over_base("//- content/guide/cleaning/en.md\n# Cleaning\n\n```listing provider=boiler linenos\n```\n"),
        "
content/guide/cleaning/en.md:3:1 bad-code-fence: the lines of a listing cannot be numbered or marked (remove `linenos`, `start` and `hl`, or write `text` for `listing`)
content/guide/cleaning/en.md:3:21 unknown-id: `boiler` is a component, and a provider is needed here (name another id)",
    );
}

#[test]
fn facts_that_cannot_be_read_leave_no_row_unknown() {
    for (old, new, finding) in [
        ("area: water", "aria: water", "content/components/boiler/facts.yaml:2:1 unknown-field"),
        ("name: boiler, namespace", "name: boiler-*, namespace", "content/components/boiler/facts.yaml:8:30 bad-pattern"),
    ] {
        let sources = page(&block("", "pod/boiler-5d9dbcc6d8-2qlgw"), &[(old, new)]);
        let found = lines(&sources, &diagnose(&sources));
        assert!(found.contains(finding) && !found.contains("unknown-row"), "{found}");
    }
}

#[test]
fn hostile_blocks_are_pages_in_reasonable_time() {
    let start = Instant::now();
    let long = "a-".repeat(200_000);
    for text in [
        String::new(),
        "\n\n".to_owned(),
        "NAME".to_owned(),
        "\tNAME\tREADY\r\n\tpod/boiler\t1/1\r".to_owned(),
        "pod/boiler-5d9dbcc6d8-2ql".to_owned(),
        format!("pod/{long}\nboiler-{long} 1/1 Running 0 3m\n{long}/{long}"),
        "<script>alert(1)</script> & \"x\" {{ y }}".to_owned(),
        "pod/boiler-5d9dbcc6d8-2qlgw 1/1 Running 0 3m\n".repeat(10_000),
        "pod/lid-5d9dbcc6d8-2qlgw 1/1 Running 0 3m\nNAME\n\n".repeat(10_000),
    ] {
        let site = site(&page(&block(" title=\"<b>\"", &text), &[]));
        let html = main_of(&site, "guide/cleaning/index.html");
        assert!(html.contains("<caption>&lt;b&gt;</caption>") && !html.contains("<script>"), "{}", &text[..text.len().min(80)]);
    }
    let unclosed = site(&over_base("//- content/guide/cleaning/en.md\n# Cleaning\n\n```listing\npod/boiler-5d9dbcc6d8-2qlgw 1/1 Run"));
    assert!(main_of(&unclosed, "guide/cleaning/index.html").contains("data-component=\"boiler\""));
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
}
