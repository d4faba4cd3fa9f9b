//! Incremental compilation gives the same result as a fresh build: the same findings, and the same site byte for byte.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use ksys_docs::{
    compile,
    diagnostic::{Diagnostics, Rule},
    highlight::Highlighter,
    incremental::{Compilation, Compiler},
    read::Sources,
    render::Renderer,
};
use proptest::prelude::*;

use crate::support::{BASE, files, lines};

/// Additions to the base: sections, listings, an alias, an asset, a style sheet, a page for the list of components.
const MORE: &str = r#"//- content/components/filter/facts.yaml
name: Filter
area: water
lifecycle: {state: active, since: "1.1", evidence: [manual]}
listing:
  - {kind: DaemonSet, name: filter, namespace: machine}
examples:
  - pod/filter-2qlgw   1/1   Running   0   3m
sections:
  sieve:
    name: The sieve
    removal: {verdict: never, effect: {en: It drips., ja: 漏れます。}, evidence: [manual]}
relations:
  - {verb: part-of, to: boiler, evidence: [manual]}
  - {verb: feeds, to: brewing, evidence: [manual]}
removal: {verdict: safe, evidence: [manual]}
evidence:
  manual: {title: The manual, url: "https://example.org/manual", checked: 2026-11-20}
  leaflet: {title: The leaflet, observed: true, checked: 2026-11-20}
//- content/components/filter/en.md
---
summary: Holds the grounds back.
aliases: [/old/filter/]
---
Text with [the boiler](/components/boiler/#ports) and [[boiler#relations]].[[^leaflet]]

## The sieve {#sieve}

A sieve.

## More

```listing
NAMESPACE   NAME                READY   STATUS    RESTARTS   AGE
machine     pod/filter-2qlgw    1/1     Running   0          3m
machine     pod/boiler-5d9dbcc6d8-2qlgw   1/1   Running   0   3m
```
//- content/components/filter/ja.md
---
summary: コーヒーの粉を止めます。
---
[[sieve]]があります。

## こし器 {#sieve}

本文。
//- content/components/en.md
Chosen with care: [[filter]].
//- content/guide/en.md
# Guide

See [cleaning](cleaning/en.md) and [below](#more).

```listing
machine     pod/boiler-5d9dbcc6d8-2qlgw   1/1   Running   0   3m
```

## More
//- content/guide/ja.md
# 案内

## 詳細
//- content/guide/notes.txt
notes
//- static/own.css
main { color: red }
"#;

pub(crate) fn start() -> BTreeMap<String, String> {
    let mut all = files(BASE);
    all.extend(files(MORE));
    all
}

/// Replacements in texts. Some break a file, some fix it.
const EDITS: &[(&str, &str)] = &[
    ("Text", "Other text with **weight**"),
    ("本文", "別の本文"),
    ("# Guide", "# The guide"),
    ("## More", "## Still more"),
    ("## Still more", "## More"),
    ("{#health}", "{#state}"),
    ("{#state}", "{#health}"),
    ("{#sieve}", "{#net}"),
    ("[[pump]]", "[[boiler]] and [[filter]]"),
    ("[[boiler]]", "[[nothing]]"),
    ("[[nothing]]", "[[boiler]]"),
    ("[[^manual]]", ""),
    ("[[^leaflet]]", ""),
    ("A sieve.", "A sieve.[[^leaflet]]"),
    ("summary:", "title: A title\nsummary:"),
    ("title: A title\n", ""),
    ("summary: Moves water.", "order: 1\nsummary: Moves water."),
    ("---\nsummary", "--\nsummary"),
    ("--\nsummary", "---\nsummary"),
    ("pod/filter-2qlgw", "pod/nobody-2qlgw"),
    ("name: Filter", "name: The filter"),
    ("name: boiler\narea", "name: Boiler\narea"),
    ("area: water", "area: power"),
    ("area: power", "area: wet"),
    ("area: wet", "area: water"),
    ("state: active", "state: deprecated, deprecated: \"1.2\""),
    ("replaced-by: [boiler]", "replaced-by: [filter]"),
    ("replaced-by: [filter]", "replaced-by: [boiler]"),
    ("verb: feeds, to: boiler", "verb: part-of, to: filter"),
    ("verb: part-of, to: boiler", "verb: feeds, to: pump"),
    ("kind: DaemonSet, name: filter", "kind: Deployment, name: boiler"),
    ("kind: Deployment, name: boiler, namespace: machine}", "kind: DaemonSet, name: filter}"),
    ("removal: {verdict: safe, evidence: [manual]}\n", ""),
    ("ports:\n", "flags:\n"),
    ("listing:\n", "listing:\n  - {kind: ConfigMap, name: settings, what: {en: Settings, ja: 設定}}\n"),
    ("flags:\n", "ports:\n"),
    ("presence: default", "presence: optional"),
    ("component: boiler", "component: filter"),
    ("component: filter", "component: boiler"),
    ("  shop:", "  store:"),
    ("name: The sieve", "name: A sieve"),
    ("label: {en: Water", "label: {en: Wet things"),
    ("PID:", "Text:"),
    ("Text:", "PID:"),
    ("acyclic: true", "acyclic: false"),
    (
        "glossary:\n",
        "terms:\n  en: [{avoid: [text, cold water], use: prose}]\n  ja: [{avoid: [本文], use: 文, except: [本文。]}]\nglossary:\n",
    ),
    ("avoid: [text,", "avoid: [grounds,"),
    ("use: prose", "use: some text"),
    ("except: [本文。]", "except: []"),
    ("[languages.ja]\ntitle = \"コーヒー\"\n", ""),
    ("title = \"Coffee\"", "title = \"Tea\""),
    ("aliases: [/old/filter/]", "aliases: [/components/boiler/]"),
    ("aliases: [/components/boiler/]", "aliases: [/old/sieve/]"),
    ("color: red", "color: blue"),
    ("notes", "other notes"),
    ("a", "b"),
    ("e", ""),
    ("\n", "\n\n"),
];

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// One of [`EDITS`], in one or two of the files that contain the text.
    Edit(prop::sample::Index, prop::sample::Index, bool),
    /// Appends a line.
    Append(prop::sample::Index, &'static str),
    Remove(prop::sample::Index),
    /// Moves a file to the folder of another.
    Rename(prop::sample::Index, prop::sample::Index),
    /// Restores a file to its initial state.
    Restore(prop::sample::Index),
    RestoreAll,
    Template(&'static str),
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let index = any::<prop::sample::Index>;
    let lines = prop::sample::select(vec![
        "word\n",
        "\n## New {#new}\n",
        "\n[[pump]]\n",
        "\n```yaml\na: 1\n```\n",
        "\n*[PID]: x\n",
        "\n[x](#new)\n",
        "\u{1}",
    ]);
    let templates = prop::sample::select(vec!["", "{{ page.title }}", "{% if %}", "{{ page.nothing.at_all }}"]);
    prop_oneof![
        8 => (index(), index(), any::<bool>()).prop_map(|(edit, file, two)| Step::Edit(edit, file, two)),
        3 => (index(), lines).prop_map(|(file, line)| Step::Append(file, line)),
        1 => index().prop_map(Step::Remove),
        1 => (index(), index()).prop_map(|(file, other)| Step::Rename(file, other)),
        3 => index().prop_map(Step::Restore),
        1 => Just(Step::RestoreAll),
        1 => templates.prop_map(Step::Template),
    ]
}

/// Applies a step. Returns the edited files, or `None` if it created or removed one.
pub(crate) fn take(step: &Step, files: &mut BTreeMap<String, String>) -> Option<BTreeSet<Arc<str>>> {
    let names: Vec<String> = files.keys().cloned().collect();
    let mut edited = BTreeSet::new();
    match step {
        Step::Edit(edit, file, two) => {
            let possible: Vec<(&str, &(&str, &str))> = names
                .iter()
                .flat_map(|name| EDITS.iter().filter(|(old, _)| files[name].contains(old)).map(|edit| (name.as_str(), edit)))
                .collect();
            // The edit is chosen before the file: otherwise most steps would be edits that are possible in any file.
            let kinds: Vec<&(&str, &str)> = EDITS.iter().filter(|edit| possible.iter().any(|(_, known)| known == edit)).collect();
            if kinds.is_empty() {
                return Some(edited);
            }
            let (old, new) = kinds[edit.index(kinds.len())];
            let fitting: Vec<&str> = possible.iter().filter(|(_, (known, _))| known == old).map(|(name, _)| *name).collect();
            let first = file.index(fitting.len());
            for name in [Some(first), two.then_some((first + 1) % fitting.len())].into_iter().flatten().map(|index| fitting[index]) {
                let text = files[name].replacen(old, new, 1);
                files.insert(name.to_owned(), text);
                edited.insert(Arc::from(name));
            }
            Some(edited)
        }
        Step::Append(file, line) => {
            if names.is_empty() {
                return Some(edited);
            }
            let name = &names[file.index(names.len())];
            files.entry(name.clone()).or_default().push_str(line);
            edited.insert(Arc::from(name.as_str()));
            Some(edited)
        }
        Step::Remove(file) => {
            if !names.is_empty() {
                files.remove(&names[file.index(names.len())]);
            }
            None
        }
        Step::Rename(file, other) => {
            if !names.is_empty() {
                let (from, beside) = (&names[file.index(names.len())], &names[other.index(names.len())]);
                let name = from.rsplit('/').next().unwrap();
                let folder = beside.rsplit_once('/').map_or("", |(folder, _)| folder);
                let text = files.remove(from).unwrap();
                files.insert(format!("{folder}/{name}").trim_start_matches('/').to_owned(), text);
            }
            None
        }
        Step::Restore(file) => {
            let all = start();
            let (name, text) = all.iter().nth(file.index(all.len())).unwrap();
            let known = files.insert(name.clone(), text.clone()).is_some();
            edited.insert(Arc::from(name.as_str()));
            known.then_some(edited)
        }
        Step::RestoreAll => {
            *files = start();
            None
        }
        Step::Template(text) => {
            match *text {
                "" => drop(files.remove("templates/concept.html")),
                text => drop(files.insert("templates/concept.html".to_owned(), text.to_owned())),
            }
            None
        }
    }
}

pub(crate) fn sources(files: &BTreeMap<String, String>) -> Sources {
    Sources::from_texts(files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
}

/// Compares an incremental compilation with a fresh one.
fn compare(sources: &Sources, again: &Compilation) -> Result<(), TestCaseError> {
    let fresh = compile::compile(sources, &Highlighter::default(), Diagnostics::new());
    // A site with errors is only shown until there is one without.
    let Some(renderer) = again.renderer.as_ref().filter(|_| !again.has_errors) else {
        prop_assert_eq!(lines(sources, &again.diagnostics), lines(sources, &fresh.diagnostics));
        prop_assert!(fresh.site.is_none());
        return Ok(());
    };
    let mut found = Diagnostics::new();
    let site = renderer.site(&mut found);
    found.extend(again.diagnostics.iter().cloned());
    prop_assert_eq!(lines(sources, &found.sorted()), lines(sources, &fresh.diagnostics));
    prop_assert_eq!(site.is_some(), fresh.site.is_some());
    let Some(fresh) = fresh.site else { return Ok(()) };
    let same: Vec<&str> = fresh.files().map(|(path, _)| path).collect();
    prop_assert_eq!(site.iter().flat_map(ksys_docs::site::Site::files).map(|(path, _)| path).collect::<Vec<_>>(), same);
    for (path, bytes) in fresh.files() {
        let alone = renderer.file(path).unwrap_or_else(|| panic!("{path} is no file")).expect("a template that renders");
        prop_assert!(*alone == **bytes, "{path} differs:\n{}\n{}", String::from_utf8_lossy(&alone), String::from_utf8_lossy(bytes));
        prop_assert!(site.as_ref().and_then(|site| site.get(path)) == Some(&**bytes), "{path} differs in the whole site");
    }
    Ok(())
}

/// Compiles the initial files, then with a text replaced; returns both renderers.
fn before_and_after(path: &str, old: &str, new: &str) -> (Arc<Renderer>, Arc<Renderer>) {
    let mut files = start();
    let mut compiler = Compiler::default();
    let first = compiler.compile(&sources(&files), &[], None).renderer.unwrap();
    let text = files[path].replacen(old, new, 1);
    assert_ne!(text, files[path]);
    files.insert(path.to_owned(), text);
    let edited = BTreeSet::from([Arc::from(path)]);
    (first, compiler.compile(&sources(&files), &[], Some(&edited)).renderer.unwrap())
}

#[test]
fn an_edit_of_a_page_costs_that_page() {
    let filter = "components/filter";
    for (address, old, new) in [
        (filter, "Text", "Other text"),
        (filter, "## More", "## Still more"),
        (filter, "Holds the grounds back", "Holds nothing back"),
        (filter, "[[^leaflet]]", "See [[pump]].[[^leaflet]]"),
        ("guide", "# Guide", "# The guide"),
    ] {
        let (first, second) = before_and_after(&format!("content/{address}/en.md"), old, new);
        let (first, second) = (first.kb(), second.kb());
        for (path, page) in &first.pages {
            assert_eq!(Arc::ptr_eq(page, &second.pages[path]), **path != *address, "{path} after {new}");
        }
        assert!(Arc::ptr_eq(&first.components["boiler"], &second.components["boiler"]), "{new}");
        assert!(Arc::ptr_eq(&first.recogniser, &second.recogniser), "{new}");
    }
}

#[test]
fn an_edit_of_facts_costs_what_they_are_about() {
    let (first, second) = before_and_after("content/components/filter/facts.yaml", "name: Filter", "name: The filter");
    let (first, second) = (first.kb(), second.kb());
    assert!(!Arc::ptr_eq(&first.components["filter"], &second.components["filter"]));
    assert!(Arc::ptr_eq(&first.components["boiler"], &second.components["boiler"]));
    assert!(Arc::ptr_eq(&first.recogniser, &second.recogniser));
    // Only the old and the new target of a relation are updated.
    let (first, second) = before_and_after("content/components/filter/facts.yaml", "verb: part-of, to: boiler", "verb: feeds, to: pump");
    let (first, second) = (first.kb(), second.kb());
    assert!(!Arc::ptr_eq(&first.components["boiler"], &second.components["boiler"]));
    assert!(!Arc::ptr_eq(&first.components["pump"], &second.components["pump"]));
    assert!(Arc::ptr_eq(&first.concepts["brewing"], &second.concepts["brewing"]));
    assert!(Arc::ptr_eq(&first.pages["components/pump"], &second.pages["components/pump"]));
}

#[test]
fn findings_follow_the_content_to_another_folder() {
    let mut files = start();
    let vocabulary = format!("colour: red\n{}", files["content/vocabulary.yaml"]);
    files.insert("content/vocabulary.yaml".to_owned(), vocabulary);
    let mut compiler = Compiler::default();
    compare(&sources(&files), &compiler.compile(&sources(&files), &[], None)).unwrap();
    let mut moved: BTreeMap<String, String> = files.into_iter().map(|(path, text)| (path.replacen("content/", "docs/", 1), text)).collect();
    moved.insert("book.toml".to_owned(), moved["book.toml"].replacen("title", "src = \"docs\"\ntitle", 1));
    let again = compiler.compile(&sources(&moved), &[], None);
    assert!(again.diagnostics.iter().any(|found| found.place.as_ref().is_some_and(|place| &*place.file == "docs/vocabulary.yaml")));
    compare(&sources(&moved), &again).unwrap();
}

#[test]
fn terms_are_checked_again_after_an_edit() {
    let mut files = start();
    let mut compiler = Compiler::default();
    let edit = |files: &mut BTreeMap<String, String>, compiler: &mut Compiler, path: &str, old: &str, new: &str| {
        let text = files[path].replacen(old, new, 1);
        assert_ne!(text, files[path]);
        files.insert(path.to_owned(), text);
        let now = sources(files);
        let compilation = compiler.compile(&now, &[], Some(&BTreeSet::from([Arc::from(path)])));
        compare(&now, &compilation).unwrap();
        compilation.diagnostics.iter().filter(|found| found.rule == Rule::DiscouragedTerm).count()
    };
    compiler.compile(&sources(&files), &[], None);
    let (vocabulary, page, facts) = ("content/vocabulary.yaml", "content/components/pump/en.md", "content/components/pump/facts.yaml");
    let terms = "terms:\n  en: [{avoid: [cold water, Moves], use: x}]\nglossary:\n";
    assert_eq!(edit(&mut files, &mut compiler, vocabulary, "glossary:\n", terms), 2);
    assert_eq!(edit(&mut files, &mut compiler, page, "Moves", "Carries"), 1);
    assert_eq!(edit(&mut files, &mut compiler, page, "Text.", "It has cold\nwater."), 2);
    assert_eq!(edit(&mut files, &mut compiler, facts, "cold water", "water"), 1);
    assert_eq!(edit(&mut files, &mut compiler, vocabulary, "Moves]", "Text]"), 4);
    assert_eq!(edit(&mut files, &mut compiler, vocabulary, "avoid: [cold water, Text]", "avoid: [unused]"), 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn after_any_edits_the_site_is_that_of_a_fresh_build(steps in prop::collection::vec(step(), 1..10)) {
        let mut files = start();
        let mut compiler = Compiler::default();
        compare(&sources(&files), &compiler.compile(&sources(&files), &[], None))?;
        for step in &steps {
            let edited = take(step, &mut files);
            let now = sources(&files);
            compare(&now, &compiler.compile(&now, &[], edited.as_ref()))?;
        }
    }
}
