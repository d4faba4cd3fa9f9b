//! Each mistake is one finding, with its place, message and help.

use crate::support::{BASE, check, diagnose, files, lines, over_base, with};

const BOILER: &str = "content/components/boiler/facts.yaml";
const PUMP: &str = "content/components/pump/facts.yaml";
const ACME: &str = "content/providers/acme/facts.yaml";
const VOCABULARY: &str = "content/vocabulary.yaml";

#[test]
fn the_base_is_clean() {
    check(&over_base(""), "");
}

#[test]
fn references_are_resolved() {
    check(
        &with(
            BOILER,
            &[("area: water", "area: watr"), ("[heater]", "[heatr]"), ("evidence: [manual]}\ninstalled", "evidence: [manul]}\ninstalled")],
        ),
        "
content/components/boiler/facts.yaml:2:7 unknown-word: the vocabulary has no area `watr` (did you mean `water`?)
content/components/boiler/facts.yaml:3:9 unknown-word: the vocabulary has no role `heatr` (did you mean `heater`?)
content/components/boiler/facts.yaml:5:53 unknown-evidence: this file has no evidence `manul` (did you mean `manual`?)",
    );
    check(
        &with(PUMP, &[("to: boiler", "to: boilr"), ("verb: feeds", "verb: eats"), ("[boiler]", "[acme]")]),
        "
content/components/pump/facts.yaml:3:92 unknown-id: `acme` is a provider, and a component or concept is needed here (name another id)
content/components/pump/facts.yaml:5:12 unknown-word: the vocabulary has no verb `eats` (it has `feeds`, `part-of`; a new one goes into `vocabulary.yaml`)
content/components/pump/facts.yaml:5:22 unknown-id: no component or concept `boilr` (did you mean `boiler`?)",
    );
}

#[test]
fn lifecycles_are_in_order_and_agree_with_their_state() {
    check(
        &with(PUMP, &[("since: \"1.0\", deprecated: \"1.1\"", "since: \"1.1\", deprecated: \"1.0\"")]),
        "content/components/pump/facts.yaml:3:55 lifecycle-order: `deprecated: 1.0` comes before `since: 1.1` (a lifecycle goes from since to deprecated to removed; correct one of the releases)",
    );
    check(
        &with(PUMP, &[("state: removed", "state: active")]),
        "content/components/pump/facts.yaml:3:20 lifecycle-state: the state contradicts the releases: a release that is out has removed it (write `state: removed`)",
    );
    check(
        &with(PUMP, &[("removed: \"1.2\"", "removed: 1.3")]),
        "content/components/pump/facts.yaml:3:20 lifecycle-state: the state contradicts the releases: the release that removes it is not out yet (write `state: deprecated`, or correct the release)",
    );
    check(
        &with(PUMP, &[("since: \"1.0\"", "since: 1.01")]),
        "content/components/pump/facts.yaml:3:36 unknown-word: the vocabulary has no release `1.01` (it has `1.0` to `1.3`; a new one goes into `releases` of `vocabulary.yaml`)",
    );
    check(
        &with(VOCABULARY, &[("2021-01-01", "2019-01-01")]),
        "content/vocabulary.yaml:14:26 lifecycle-order: the release `1.1` came out before `1.0`, which is listed above it (list releases from the oldest to the newest, and planned ones (without a date) last)",
    );
    check(
        &with(VOCABULARY, &[("{release: \"1.3\"}", "{release: \"1.3\", planned: 2021-06-01, end: 2021-05-01}")]),
        "
content/vocabulary.yaml:16:31 lifecycle-order: the release `1.3` came out before `1.2`, which is listed above it (list releases from the oldest to the newest, and planned ones (without a date) last)
content/vocabulary.yaml:16:48 lifecycle-order: the support of `1.3` ends on 2021-05-01, before it comes out on 2021-06-01 (correct one of the two days)",
    );
    check(
        &with(VOCABULARY, &[("date: 2022-01-01", "date: 2022-01-01, planned: 2022-01-01")]),
        "content/vocabulary.yaml:15:49 lifecycle-order: the release `1.2` is out, so it is planned no more (remove `planned`)",
    );
}

#[test]
fn circles_are_named() {
    let overlay = with(BOILER, &[("since: \"1.0\",", "since: \"1.0\", replaced-by: [pump],")]);
    check(
        &overlay,
        "content/components/pump/facts.yaml:3:92 relation-cycle: `replaced-by` forms a cycle: `boiler` → `pump` → `boiler` (remove one of these steps)",
    );
}

#[test]
fn relations_are_stated_once() {
    let twice = "  - {verb: feeds, to: boiler, evidence: [manual]}\nevidence:\n  manual";
    check(
        &with(PUMP, &[("evidence:\n  manual", twice)]),
        "content/components/pump/facts.yaml:6:5 duplicate-relation: `feeds` `boiler` is stated twice (join them into one, with both facts in `what`)",
    );
}

#[test]
fn patterns_prove_their_examples() {
    check(
        &with(
            BOILER,
            &[(
                "  - pod/boiler-5d9dbcc6d8-2qlgw   1/1   Running   0   3m\nnot",
                "  - pod/kettle-5d9dbcc6d8-2qlgw   1/1   Running   0   3m\nnot",
            )],
        ),
        "content/components/boiler/facts.yaml:10:5 example-not-recognised: no pattern recognises the name `kettle-5d9dbcc6d8-2qlgw` of kind Pod (its patterns match Deployment `boiler` in machine, ReplicaSet `boiler-{hash}` in machine, Pod `boiler-{hash}-{random}` in machine; fix the line, or add a `listing` entry for it)",
    );
    check(
        &with(BOILER, &[("pod/boiler-old-5d9dbcc6d8-2qlgw", "pod/boiler-5d9dbcc6d9-2qlgw")]),
        "content/components/boiler/facts.yaml:12:5 counter-example-recognised: this line is recognised as `boiler`, and it must not be (make the pattern narrower: add a namespace, or `{number}` or `{version}` instead of `{word}` or `{node}`)",
    );
    check(
        &with(BOILER, &[("name: boiler, namespace", "name: boiler-*, namespace"), ("  - pod/boiler-5d9dbcc6d8-2qlgw   1/1   Running   0   3m\nnot", "not"), ("examples:\n", "")]),
        "content/components/boiler/facts.yaml:8:5 missing-example: no example tests these patterns (add `examples`: lines of kubectl output)
content/components/boiler/facts.yaml:8:30 bad-pattern: `boiler-*` contains `*` (the variable parts are `{version}`, `{number}`, `{hash}`, `{random}`, `{word}` and `{node}`)",
    );
}

#[test]
fn two_claims_to_one_row_name_both() {
    let listing = "listing:\n  - {kind: DaemonSet, name: boiler}\nexamples: [boiler-2qlgw 1/1 Running 0 3m]\nrelations:";
    let sources = with(PUMP, &[("relations:", listing)]);
    check(&sources, "");
    let clash = "listing:\n  - {kind: Deployment, name: boiler}\nexamples: [pod/boiler-5d9dbcc6d8-2qlgw 1/1 Running 0 3m]\nrelations:";
    check(
        &with(PUMP, &[("relations:", clash)]),
        "content/components/pump/facts.yaml:5:5 pattern-clash: `boiler` and `pump` both match `Deployment boiler` (make one of the patterns more literal, or remove the entry from one of the two)",
    );
}

#[test]
fn kinds_have_one_spelling() {
    let listing = |kind: &str| format!("listing:\n  - {{kind: {kind}, name: valve}}\nexamples: [valve-2qlgw 1/1 Running 0 3m]\nrelations:");
    check(&with(PUMP, &[("relations:", &listing("DaemonSet"))]), "");
    let spellings = [
        ("Daemonset", "DaemonSet"),
        ("daemonsets", "DaemonSet"),
        ("ds", "DaemonSet"),
        ("Deamonset", "DaemonSet"),
        ("Deployement", "Deployment"),
        ("static-pod", "StaticPod"),
        ("Static Pod", "StaticPod"),
    ];
    for (kind, meant) in spellings {
        let expected = format!("content/components/pump/facts.yaml:5:12 bad-pattern: no kind `{kind}` (did you mean `{meant}`?)");
        check(&with(PUMP, &[("relations:", &listing(kind))]), &expected);
    }
}

#[test]
fn a_block_of_code_is_closed() {
    let page = |body: &str| over_base(&format!("//- content/guide/cleaning/en.md\n# Cleaning\n\n{body}\n"));
    for closed in [
        "```sh\nls\n```",
        "~~~~\n```\n~~~\n~~~~~",
        "> ```sh\n> ls\n> ```\n\nText.",
        "- a\n\n  ```\n  ls\n  ```\n",
        "    indented",
        "```\n```",
        "- > ~~~\n  > x\n  > ~~~",
    ] {
        check(&page(closed), "");
    }
    for open in ["```sh\nls\n\nText.", "````\nls\n```", "```\nls\n``` sh", "> ```sh\n> ls\n\nText.", "```", "~~~\nls\n```"] {
        let column = if open.starts_with('>') { 3 } else { 1 };
        let expected = format!(
            "content/guide/cleaning/en.md:3:{column} bad-code-fence: this block of code is not closed (add a line with the same mark below the code; everything after the opening mark is treated as code)"
        );
        check(&page(open), &expected);
    }
}

#[test]
fn a_word_for_a_text_in_every_language_is_explained() {
    check(
        &with(PUMP, &[("what: {en: cold water, ja: 冷水}", "what: water")]),
        "content/components/pump/facts.yaml:5:47 wrong-type: expected a map, found the text `water` (write keys with values; a text is written once for each language, `{en: \"water\", ja: …}`)",
    );
}

#[test]
fn nobody_looked_at_a_source_tomorrow() {
    let on = |day: i8| {
        let mut sources = with(PUMP, &[]);
        sources.today = Some(jiff::civil::date(2026, 11, day));
        sources
    };
    // One day in the future is allowed, because of time zones.
    check(&on(19), "");
    check(
        &on(18),
        "content/components/boiler/facts.yaml:21:75 bad-evidence: the date 2026-11-20 is in the future (write the date on which the source was checked)
content/components/pump/facts.yaml:7:75 bad-evidence: the date 2026-11-20 is in the future (write the date on which the source was checked)",
    );
}

#[test]
fn what_is_wrong_in_yaml_is_shown_where_it_is_to_be_mended() {
    let cases = [
        (
            "what: {en: cold water, ja: 冷水}",
            "what: {en: \"cold water, ja: 冷水}",
            "5:52 yaml-syntax: this quote is not closed where its text ends (close it where the text ends; inside, a quote is written `\\\"` between double ones and `''` between single ones)",
        ),
        (
            "ja: 冷水}, evidence: [manual]}",
            "ja: 冷水}, evidence: [manual]",
            "5:5 yaml-syntax: this `{` has no `}` (close it with `}`; text that contains `,`, `{` or `}` needs quotes)",
        ),
        (
            "area: water",
            "  area: water",
            "2:3 yaml-syntax: this line is indented by 2, and the line above, which has its value already, by 0 (start it in the column of the key it is next to)",
        ),
    ];
    for (from, to, expected) in cases {
        check(&with(PUMP, &[(from, to)]), &format!("content/components/pump/facts.yaml:{expected}"));
    }
}

#[test]
fn evidence_says_where_and_when_and_is_used() {
    check(
        &with(ACME, &[("observed: true", "observed: false")]),
        "content/providers/acme/facts.yaml:6:3 bad-evidence: the evidence `shop` has no source (add `url`, or `observed: true` for something seen in a running system)",
    );
    check(
        &with(ACME, &[("2026-11-19", "yesterday")]),
        "content/providers/acme/facts.yaml:6:52 invalid-value: `yesterday` is not a date; write `YYYY-MM-DD`",
    );
    check(
        &with(ACME, &[(", evidence: [shop]", "")]),
        "
content/providers/acme/facts.yaml:4:5 missing-evidence: this claim has no evidence (add `evidence: [key]`; this file has `shop`)
content/providers/acme/facts.yaml:6:3 unused-evidence: the evidence `shop` supports no claim (name it in an `evidence` list, cite it on the page with `[[^shop]]`, or remove it)",
    );
}

#[test]
fn names_outside_of_listings_belong_to_one_component() {
    let long = "x".repeat(318);
    let names = format!(
        "images: [boiler/gauge]\nnames:\n  - {{kind: metric, names: ['a b', x_, boiler_, boiler_, {long}], evidence: [manual]}}\n  - {{kind: alert, names: [Cold]}}\nlisting:"
    );
    check(
        &with(BOILER, &[("listing:", &names)]),
        &format!(
            "
content/components/boiler/facts.yaml:9:28 invalid-value: `a b` is not a name (write one name without spaces, of at most 317 bytes)
content/components/boiler/facts.yaml:9:35 invalid-value: the prefix `x_` is too short (write a longer beginning, or whole names)
content/components/boiler/facts.yaml:9:48 invalid-value: the name `boiler_` is repeated (remove one of them)
content/components/boiler/facts.yaml:9:57 invalid-value: `{long}` is not a name (write one name without spaces, of at most 317 bytes)
content/components/boiler/facts.yaml:10:5 missing-evidence: this list of names has no evidence (add `evidence: [key]`; this file has `manual`)"
        ),
    );
    let boiler = files(BASE)[BOILER]
        .replace("listing:", "images: [boiler/gauge]\nnames:\n  - {kind: alert, names: [Cold, Hot], evidence: [manual]}\nlisting:");
    let pump = files(BASE)[PUMP]
        .replace("area: water\n", "area: water\nimages: [boiler/gauge]\nnames:\n  - {kind: label, names: [Hot], evidence: [manual]}\n  - {kind: alert, names: [Cold], evidence: [manual]}\n");
    check(
        &over_base(&format!("//- {BOILER}\n{boiler}//- {PUMP}\n{pump}")),
        "
content/components/pump/facts.yaml:3:10 pattern-clash: `boiler` and `pump` both have the image `boiler/gauge` (keep it in the component whose project builds or defines it)
content/components/pump/facts.yaml:6:27 pattern-clash: `boiler` and `pump` both have the alert `Cold` (keep it in the component whose project builds or defines it)",
    );
}

#[test]
fn messages_are_specific_and_belong_to_one_component() {
    let names = |texts: &str| format!("names:\n  - {{kind: message, names: [{texts}], evidence: [manual]}}\nevidence:");
    let own = names("too hot, \"… … x\", \"boiler … is too hot\"");
    let sources = with(BOILER, &[("evidence:\n", &format!("{own}\n"))]);
    check(
        &sources,
        "
content/components/boiler/facts.yaml:21:29 invalid-value: the message `too hot` has too few words (write at least 3 words as printed, two of them adjacent, with `…` for each variable part)
content/components/boiler/facts.yaml:21:38 invalid-value: the message `… … x` has too few words (write at least 3 words as printed, two of them adjacent, with `…` for each variable part)",
    );
    let source = "names:\n  - {kind: log-source, names: [main.go, boiler/main.go], evidence: [manual]}\nevidence:\n";
    check(
        &with(BOILER, &[("evidence:\n", source)]),
        "content/components/boiler/facts.yaml:21:32 invalid-value: the log source `main.go` could be that of any program (write the folder with the file: `ipamd/ipamd.go`)",
    );
    let [boiler, pump] = [(BOILER, "\"Boiler … is too hot\""), (PUMP, "\"boiler: … is too hot!\"")]
        .map(|(file, text)| files(BASE)[file].replace("evidence:\n", &format!("{}\n", names(text))));
    let sources = over_base(&format!("//- {BOILER}\n{boiler}//- {PUMP}\n{pump}"));
    let found = lines(&sources, &diagnose(&sources));
    assert!(found.contains("pattern-clash: `boiler` and `pump` both have the message `boiler: … is too hot!`"), "{found}");
}

#[test]
fn examples_can_be_lines_of_logs() {
    let message = "names:\n  - {kind: message, names: [the water is too hot], evidence: [manual]}\nevidence:\n";
    let row = "examples:\n";
    let example = |line: &str| with(BOILER, &[("evidence:\n", message), (row, &format!("{row}  - \"{line}\"\n"))]);
    check(&example("2026-01-02 10:00:00 W | The water is 'too hot'"), "");
    let sources = example("2026-01-02 10:00:00 W | The water is cold");
    let found = lines(&sources, &diagnose(&sources));
    assert!(found.contains("example-not-recognised"), "{found}");
}

#[test]
fn a_broken_file_is_one_finding() {
    check(
        &with(BOILER, &[("name: boiler\narea", "name: boiler\n\tarea")]),
        "content/components/boiler/facts.yaml:2:1 yaml-syntax: a tab cannot indent YAML (indent with two spaces)",
    );
    check(
        &over_base(&format!("//- {BOILER}\n")),
        "content/components/boiler/facts.yaml:1:1 empty-file: this file has no content (write the facts, or remove the file; `ksys-docs schema` prints the format)",
    );
    check(
        &with(BOILER, &[("name: boiler\n", "nmae: boiler\n")]),
        "content/components/boiler/facts.yaml:1:1 unknown-field: unknown key `nmae` (did you mean `name`?)",
    );
}

#[test]
fn links_lead_somewhere() {
    check(
        &over_base("//- content/guide/cleaning/en.md\n# Cleaning\n\n[[boilr]] [[boiler#helth]] [x](../nowhere/en.md) [y](/componets/) [z](#gone) [out](../../../secret) [js](javascript:alert(1))\n"),
        "
content/guide/cleaning/en.md:3:1 dead-link: no page or section has the id `boilr` (did you mean `[[boiler]]`?)
content/guide/cleaning/en.md:3:11 dead-anchor: `content/components/boiler/en.md` has no section `#helth` (did you mean `#health`?)
content/guide/cleaning/en.md:3:28 dead-link: the file `content/guide/nowhere/en.md` does not exist (check the path; it is relative to this file)
content/guide/cleaning/en.md:3:50 dead-link: no page has the address `/componets/` (did you mean `/components`?)
content/guide/cleaning/en.md:3:67 dead-anchor: `content/guide/cleaning/en.md` has no section `#gone` (it has `#cleaning`)
content/guide/cleaning/en.md:3:78 dead-link: `../../../secret` is outside of the content folder (only files of the content folder are published; link to the repository with a full address)
content/guide/cleaning/en.md:3:101 unsafe-link: links with the scheme `javascript:` are not allowed (link to a page or a file of the knowledge base, or to an `https:` address)"
        .trim(),
    );
}

#[test]
fn translations_are_watched() {
    check(
        &over_base("//- content/guide/cleaning/ja.md gone\n"),
        "content/guide/cleaning/en.md:1:1 missing-translation: this page is not translated into `ja` (write `content/guide/cleaning/ja.md`; until then its readers see this text with a notice)",
    );
    check(
        &over_base("//- content/guide/cleaning/ja.md\n---\ntitle: 掃除\ntranslates:\n  \"(top)\": \"0000000000\"\n  gone: \"1\"\n---\n本文。\n"),
        "
content/guide/cleaning/ja.md:4:12 stale-translation: the beginning of `content/guide/cleaning/en.md` has changed since it was translated (bring the translation up to date, then run `ksys-docs stamp content/guide/cleaning/ja.md`)
content/guide/cleaning/ja.md:5:9 stale-translation: the section `#gone` of `content/guide/cleaning/en.md` was removed or has another id (bring the translation up to date, then run `ksys-docs stamp content/guide/cleaning/ja.md`)",
    );
    check(
        &with(BOILER, &[("{en: the factory, ja: 工場}", "{en: the factory}")]),
        "content/components/boiler/facts.yaml:6:15 missing-text: this text is missing in `ja` (add `ja: …`)",
    );
}

#[test]
fn addresses_are_unique() {
    check(
        &over_base("//- content/Guide/Cleaning/en.md\n# Other\n//- content/Guide/Cleaning/ja.md\n# 別\n"),
        "
content/guide/cleaning/en.md:1:1 url-collision: `content/guide/cleaning/en.md` and `content/Guide/Cleaning/en.md` have the same address `/guide/cleaning/index.html` (rename one of them; names that differ only in the case of letters, or in how Unicode composes them, are the same on many systems)
content/guide/cleaning/ja.md:1:1 url-collision: `content/guide/cleaning/ja.md` and `content/Guide/Cleaning/ja.md` have the same address `/ja/guide/cleaning/index.html` (rename one of them; names that differ only in the case of letters, or in how Unicode composes them, are the same on many systems)",
    );
    // The same name in composed (NFC) and decomposed (NFD) form.
    check(
        &over_base("//- content/guide/caf\u{e9}/en.md\n# A\n//- content/guide/caf\u{e9}/ja.md\n# A\n//- content/guide/cafe\u{301}/en.md\n# B\n//- content/guide/cafe\u{301}/ja.md\n# B\n"),
        "
content/guide/caf\u{e9}/en.md:1:1 url-collision: `content/guide/caf\u{e9}/en.md` and `content/guide/cafe\u{301}/en.md` have the same address `/guide/caf\u{e9}/index.html` (rename one of them; names that differ only in the case of letters, or in how Unicode composes them, are the same on many systems)
content/guide/caf\u{e9}/ja.md:1:1 url-collision: `content/guide/caf\u{e9}/ja.md` and `content/guide/cafe\u{301}/ja.md` have the same address `/ja/guide/caf\u{e9}/index.html` (rename one of them; names that differ only in the case of letters, or in how Unicode composes them, are the same on many systems)",
    );
    check(
        &over_base("//- content/guide/cleaning.md\n# Other\n"),
        "content/guide/cleaning/en.md:1:1 url-collision: `content/guide/cleaning/en.md` and `content/guide/cleaning.md` have the same address `/guide/cleaning/` (rename one of them; names that differ only in the case of letters, or in how Unicode composes them, are the same on many systems)",
    );
    check(
        &over_base("//- content/ja/x/en.md\n# X\n//- content/ja/x/ja.md\n# X\n"),
        "
content/ja/x/en.md:1:1 url-collision: the address `/ja/` is needed for the pages of that language (rename the folder)
content/ja/x/ja.md:1:1 url-collision: the address `/ja/` is needed for the pages of that language (rename the folder)",
    );
}

#[test]
fn names_that_cannot_be_ids() {
    check(
        &over_base("//- content/components/My Agent/facts.yaml\nname: x\n//- content/components/My Agent/en.md\n# X\n"),
        "content/components/My Agent/facts.yaml:1:1 bad-name: the folder `My Agent` cannot be an id: an id has only lower-case ASCII letters, digits, `-` and `.` (rename the folder to `my-agent`)",
    );
    check(
        &over_base(
            "//- content/concepts/boiler/en.md\n---\ntitle: B\nsummary: B.\n---\nText.\n//- content/concepts/boiler/ja.md\n---\ntitle: B\nsummary: B.\n---\nText.\n",
        ),
        "content/concepts/boiler/en.md:1:1 duplicate-id: `boiler` is the id of a component and of a concept (rename one of the folders; an id names one thing in the whole knowledge base)",
    );
}

#[test]
fn templates_of_the_site_are_checked() {
    let found = crate::support::diagnose(&over_base("//- templates/page.html\n<p>\n{{ page.title \n</p>\n"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].rule.name(), "template-error");
    assert_eq!(&*found[0].place.as_ref().unwrap().file, "templates/page.html");
}

#[test]
fn the_configuration_knows_its_keys() {
    check(
        &over_base("//- book.toml\n[book]\ntitel = \"x\"\n[languages.ja]\n[output.html]\nadditional-css = [\"x.css\"]\n"),
        "
book.toml:1:1 bad-config: the file `x.css` does not exist (paths in `additional-css`, `additional-js` and `logo` are relative to book.toml)
book.toml:2:1 unknown-field: unknown key `titel` (did you mean `title`?)",
    );
}

#[test]
fn old_addresses_take_no_others_place() {
    let alias =
        |alias: &str| over_base(&format!("//- content/guide/cleaning/en.md\n---\ntitle: Cleaning\naliases: [\"{alias}\"]\n---\nText.\n"));
    check(&alias("/old/"), "");
    check(
        &alias("/components/Boiler"),
        "content/guide/cleaning/en.md:1:1 url-collision: `content/guide/cleaning/en.md` and `content/components/boiler/en.md` have the same address `/components/Boiler/index.html` (rename one of them; names that differ only in the case of letters, or in how Unicode composes them, are the same on many systems)",
    );
    check(
        &alias("/compare/"),
        "content/guide/cleaning/en.md:3:11 url-collision: the address `/compare/` is needed for the program's own files (remove this alias)",
    );
    for needed in ["/architecture/1.1/", "/ja/architecture/1.1", "/compare/acme/acme/", "/api/v2/"] {
        check(
            &alias(needed),
            &format!(
                "content/guide/cleaning/en.md:3:11 url-collision: the address `{needed}` is needed for the program's own files (remove this alias)"
            ),
        );
    }
    check(
        &over_base("//- content/architecture/1.1/en.md\n# Old\n\nText.\n//- content/architecture/1.1/ja.md\n# 旧\n\n本文。\n"),
        "
content/architecture/1.1/en.md:1:1 url-collision: the address `/architecture/1.1/` is needed for the program's own files (rename the folder)
content/architecture/1.1/ja.md:1:1 url-collision: the address `/architecture/1.1/` is needed for the program's own files (rename the folder)",
    );
    check(&over_base("//- content/api/en.md\n# API\n\nHello.\n//- content/api/ja.md\n# API\n\nようこそ。\n"), "");
    check(
        &alias("old/../x"),
        "content/guide/cleaning/en.md:3:11 invalid-value: `old/../x` is not an address of this site (write it from the root of the site, such as `/old/page/`, without `?` and `#`)",
    );
    let linked = "//- content/guide/cleaning/en.md\n---\ntitle: Cleaning\naliases: [/old/]\n---\n[again](/old/)\n";
    check(
        &over_base(linked),
        "content/guide/cleaning/en.md:5:1 dead-link: `/old/` is an old address (the page is at `/guide/cleaning/` now)",
    );
}

#[test]
fn sections_have_a_heading_and_an_id_of_their_own() {
    let sections = "sections:\n  pump: {name: A}\n  lid: {name: The lid}\n  health: {name: Health}\nevidence:";
    check(
        &with(BOILER, &[("evidence:\n", &format!("{sections}\n")), ("providers: [acme]}", "providers: [acme], section: lit}")]),
        "
content/components/boiler/facts.yaml:8:86 unknown-id: this file has no section `lit` (did you mean `lid`?)
content/components/boiler/facts.yaml:21:3 duplicate-id: `pump` is the id of a component, too (rename one of them; an id names one thing in the whole knowledge base)
content/components/boiler/facts.yaml:22:3 missing-section: `content/components/boiler/en.md` has no section `#lid` (add a heading with this id: `## The lid {#lid}`)
content/components/boiler/facts.yaml:22:3 missing-section: `content/components/boiler/ja.md` has no section `#lid` (add a heading with this id: `## The lid {#lid}`)",
    );
    check(
        &with(PUMP, &[("to: boiler", "to: lid"), ("evidence:\n", "sections: {lid: {name: The lid}}\nevidence:\n")]),
        "
content/components/pump/facts.yaml:5:23 unknown-id: `lid` is a section of `pump`, and a component or concept is needed here (use `pump`, or create a separate page for it)
content/components/pump/facts.yaml:6:12 missing-section: `content/components/pump/en.md` has no section `#lid` (add a heading with this id: `## The lid {#lid}`)
content/components/pump/facts.yaml:6:12 missing-section: `content/components/pump/ja.md` has no section `#lid` (add a heading with this id: `## The lid {#lid}`)",
    );
}

#[test]
fn a_common_name_counts_only_with_its_namespace() {
    let listing = "listing:\n  - {kind: Deployment, name: nginx, namespace: machine, needs-namespace: true}\nexamples:\n  - machine   pod/nginx-5d9dbcc6d8-2qlgw   1/1   Running   0   3m\nnot:\n  - pod/nginx-5d9dbcc6d8-2qlgw   1/1   Running   0   3m\n  - default   pod/nginx-5d9dbcc6d8-2qlgw   1/1   Running   0   3m\nevidence:\n";
    check(&with(PUMP, &[("evidence:\n", listing)]), "");
    let nowhere = "listing:\n  - {kind: Deployment, name: nginx, needs-namespace: true}\nexamples:\n  - machine   pod/nginx-5d9dbcc6d8-2qlgw   1/1   Running   0   3m\nevidence:\n";
    check(
        &with(PUMP, &[("evidence:\n", nowhere)]),
        "content/components/pump/facts.yaml:7:5 missing-field: `needs-namespace` requires a `namespace` (add `namespace`, or remove `needs-namespace`)",
    );
}

#[test]
fn a_translation_that_was_stamped_has_the_sections_of_its_original() {
    let original = "//- content/guide/cleaning/en.md\n# Cleaning\n\nText.\n\n## How {#how}\n\nSo.\n\n## Other\n\nText.\n";
    let stamped =
        over_base(&format!("{original}//- content/guide/cleaning/ja.md\n---\ntranslates: {{how: 0123456789}}\n---\n# 掃除\n\n本文。\n"));
    let found = lines(&stamped, &diagnose(&stamped));
    let missing: Vec<&str> = found.lines().filter(|line| line.contains("has no section")).collect();
    assert_eq!(
        missing,
        [
            "content/guide/cleaning/ja.md:1:1 stale-translation: this translation has no section `how`, which `content/guide/cleaning/en.md` has (add its translation under a heading that ends with `{#how}`)"
        ]
    );
    check(&over_base(&format!("{original}//- content/guide/cleaning/ja.md\n# 掃除\n\n本文。\n")), "");
}

#[test]
fn a_comma_in_a_text_is_told_from_a_language() {
    check(
        &with(PUMP, &[("{en: cold water, ja: 冷水}", "{en: cold, clean water, ja: 冷水}")]),
        "content/components/pump/facts.yaml:5:58 invalid-value: `clean water` is not a language tag such as `en`, `ja` or `pt-BR`; a text with a comma in it needs quotes around it",
    );
}

/// The base with terms to avoid in its vocabulary, and an overlay.
fn with_terms(terms: &str, overlay: &str) -> ksys_docs::read::Sources {
    let vocabulary = &crate::support::files(crate::support::BASE)[VOCABULARY];
    over_base(&format!("//- {VOCABULARY}\n{vocabulary}terms:\n{terms}{overlay}"))
}

#[test]
fn discouraged_terms_are_found_in_pages() {
    let terms = "  en:
    - {avoid: [mend, mends], use: fix, why: it is the usual word}
    - {avoid: [\"is no {word}\"], use: is not a …}
  ja:
    - {avoid: [サーバ], use: サーバー, except: [サーバー]}
";
    let page = "//- content/guide/cleaning/en.md
---
title: How to mend it
summary: \"It is no \\\"kettle\\\", and it mends.\"
---
# Mends

He *mends* `mend` [mend](https://mend.example/mend), see https://mend.example.
A pump is
no `boiler`; amend.

> [!NOTE] Mend it
> - mend

> mend

| mend |
| --- |
| ![mend](/guide/lid.svg) |

```sh
mend
```
//- content/guide/lid.svg
<svg xmlns=\"http://www.w3.org/2000/svg\"/>
//- content/guide/cleaning/ja.md
# 掃除

**サーバ**とサー
バ、サーバー。
";
    check(
        &with_terms(terms, page),
        "
content/guide/cleaning/en.md:2:15 discouraged-term: `mend` is a term to avoid (write `fix` instead: it is the usual word)
content/guide/cleaning/en.md:3:39 discouraged-term: `mends` is a term to avoid (write `fix` instead: it is the usual word)
content/guide/cleaning/en.md:5:3 discouraged-term: `Mends` is a term to avoid (write `fix` instead: it is the usual word)
content/guide/cleaning/en.md:7:5 discouraged-term: `mends` is a term to avoid (write `fix` instead: it is the usual word)
content/guide/cleaning/en.md:7:20 discouraged-term: `mend` is a term to avoid (write `fix` instead: it is the usual word)
content/guide/cleaning/en.md:8:8 discouraged-term: `is no …` is a term to avoid (write `is not a …` instead)
content/guide/cleaning/en.md:11:11 discouraged-term: `Mend` is a term to avoid (write `fix` instead: it is the usual word)
content/guide/cleaning/en.md:12:5 discouraged-term: `mend` is a term to avoid (write `fix` instead: it is the usual word)
content/guide/cleaning/en.md:16:3 discouraged-term: `mend` is a term to avoid (write `fix` instead: it is the usual word)
content/guide/cleaning/en.md:18:5 discouraged-term: `mend` is a term to avoid (write `fix` instead: it is the usual word)
content/guide/cleaning/ja.md:3:3 discouraged-term: `サーバ` is a term to avoid (write `サーバー` instead)
content/guide/cleaning/ja.md:3:9 discouraged-term: `サーバ` is a term to avoid (write `サーバー` instead)",
    );
}

#[test]
fn discouraged_terms_are_found_in_facts() {
    let terms = "  en:\n    - {avoid: [factory, wet, \"the manual\"]}\n  ja:\n    - {avoid: [水], use: 湯}\n";
    let sources = with_terms(terms, "");
    let found = lines(&sources, &diagnose(&sources));
    for expected in [
        "content/components/boiler/facts.yaml:6:24 discouraged-term: `factory` is a term to avoid (leave it out, or write the sentence in another way)",
        "content/components/pump/facts.yaml:5:69 discouraged-term: `水` is a term to avoid (write `湯` instead)",
        "content/vocabulary.yaml:3:69 discouraged-term: `wet` is a term to avoid (leave it out, or write the sentence in another way)",
    ] {
        assert!(found.lines().any(|line| line == expected), "{expected}\n{found}");
    }
    assert!(!found.contains("The manual"), "titles of evidence are those of others");
    let written = "installed-by:\n  en: >-\n    the `factory` of\n    a factory\n  ja: 工場";
    let sources = with_terms(
        terms,
        &format!(
            "//- {BOILER}\n{}",
            crate::support::files(crate::support::BASE)[BOILER].replace("installed-by: {en: the factory, ja: 工場}", written)
        ),
    );
    let found = lines(&sources, &diagnose(&sources));
    assert!(found.contains(&format!("{BOILER}:9:7 discouraged-term: `factory`")) && !found.contains(&format!("{BOILER}:8:")), "{found}");
}

#[test]
fn terms_make_sense() {
    let terms = "  en:
    - {avoid: []}
    - {avoid: [\"\", \"{word}\"], use: x}
    - {avoid: [Hub, hub]}
    - {avoid: [log in], use: log in here}
    - {avoid: [y, z], use: c, except: [y z, d]}
    - {avoid: [\"is no {word}\"], except: [\"there is no {word}\"]}
  jp:
    - {avoid: [github], use: GitHub}
";
    check(
        &with_terms(terms, ""),
        "
content/vocabulary.yaml:21:7 invalid-value: `avoid` is empty (list the words and phrases to avoid, or remove the entry)
content/vocabulary.yaml:22:16 invalid-value: a term to avoid is empty (write a word or a phrase, or remove it)
content/vocabulary.yaml:22:20 invalid-value: a term to avoid has no text besides `{word}` (write a word or a phrase, or remove it)
content/vocabulary.yaml:23:21 invalid-value: the term `hub` is listed twice (remove one of them; upper and lower case are not distinguished)
content/vocabulary.yaml:24:30 invalid-value: the suggestion `log in here` contains the term `log in`, which is to be avoided (suggest other words, or add `except: [log in here]` to the entry of `log in`)
content/vocabulary.yaml:25:45 invalid-value: the exception `d` does not contain a term of this entry (write the longer word or phrase in which the term is allowed, or remove the exception)
content/vocabulary.yaml:27:3 unknown-word: `jp` is not a language of this site (did you mean `ja`?)",
    );
}

#[test]
fn columns_of_japanese_tables_have_one_style() {
    let page = |table: &str| over_base(&format!("//- content/guide/cleaning/ja.md\n# 掃除\n\n| 名前です | 説明 |\n| --- | --- |\n{table}"));
    check(
        &page("| あ | 部品 |\n| い | 部品です。 |\n| う | `c`の部品 |\n| え | 部品 |\n| お | **止めて**ください |\n| `か` | 部品 |\n"),
        "
content/guide/cleaning/ja.md:6:9 mixed-style: this cell is a sentence in です・ます, and most cells of its column are noun phrases (体言止め) (write a noun phrase, as in the other cells, or sentences in all of them)
content/guide/cleaning/ja.md:9:14 mixed-style: this cell is a sentence in です・ます, and most cells of its column are noun phrases (体言止め) (write a noun phrase, as in the other cells, or sentences in all of them)",
    );
    check(&page("| あ | 部品 |\n| い | 部品です。 |\n| う | 動きます |\n| え | 部品 |\n"), "");
    check(&page("| あ | 部品です |\n| い | 部品です。 |\n| う | 動きます |\n| え | 部品 |\n"), "");
}
