//! A small valid knowledge base, overlays on it, and helpers that compile it.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    path::{Path, PathBuf},
};

use ksys_docs::{
    compile,
    diagnostic::{Diagnostic, Diagnostics},
    highlight::Highlighter,
    read::Sources,
    site::Site,
    text::line_column,
};

/// The base: a coffee machine with two components, a provider, a concept and a page, in two languages.
pub(crate) const BASE: &str = r#"//- book.toml
[book]
title = "Coffee"
[languages.ja]
title = "コーヒー"
//- content/vocabulary.yaml
platform: Coffee machine
areas:
  water: {mark: W, label: {en: Water, ja: 水}, what: {en: Everything wet., ja: 水の流れ。}}
  power: {label: {en: Power, ja: 電気}}
roles:
  heater: {label: {en: Heater, ja: ヒーター}, what: {en: Makes water hot., ja: 水を温める。}}
verbs:
  feeds: {label: {en: feeds, ja: 供給する}, inverse: {en: is fed by, ja: 供給される}}
  part-of: {label: {en: is part of, ja: の一部}, inverse: {en: has the part, ja: 部品}, acyclic: true}
provider-kinds:
  maker: {label: {en: Maker, ja: メーカー}}
releases:
  - {release: "1.0", date: 2020-01-01}
  - {release: 1.1, date: 2021-01-01}
  - {release: "1.2", date: 2022-01-01}
  - {release: "1.3"}
glossary:
  PID: {en: proportional–integral–derivative, ja: 比例・積分・微分}
//- content/index/en.md
---
summary: All about the machine.
---
Start at the [[boiler]].
//- content/index/ja.md
---
summary: コーヒーマシンのすべて。
---
[[boiler]]から始めます。
//- content/components/boiler/facts.yaml
name: boiler
area: water
roles: [heater]
aka: [kettle]
lifecycle: {state: active, since: "1.0", evidence: [manual]}
installed-by: {en: the factory, ja: 工場}
listing:
  - {kind: Deployment, name: boiler, namespace: machine, providers: [acme]}
examples:
  - pod/boiler-5d9dbcc6d8-2qlgw   1/1   Running   0   3m
not:
  - pod/boiler-old-5d9dbcc6d8-2qlgw   1/1   Running   0   3m
removal:
  verdict: comes-back
  effect: {en: A new one starts., ja: 新しいものが起動します。}
  restored-by: {en: its controller, ja: コントローラー}
  evidence: [manual]
ports:
  - {port: 80, what: {en: steam, ja: 蒸気}, evidence: [manual]}
evidence:
  manual: {title: The manual, url: "https://example.org/manual", checked: 2026-11-20}
//- content/components/boiler/en.md
---
summary: Makes water hot.
---
It holds water. PID control keeps it hot.[[^manual]]

## Health {#health}

See [[pump]].
//- content/components/boiler/ja.md
---
summary: 水を温めます。
---
水を入れます。PID制御で温度を保ちます[[^manual]]。

## 状態 {#health}

[[pump]]を見ます。
//- content/components/pump/facts.yaml
name: Pump
area: water
lifecycle: {state: removed, since: "1.0", deprecated: "1.1", removed: "1.2", replaced-by: [boiler], evidence: [manual]}
relations:
  - {verb: feeds, to: boiler, port: 80, what: {en: cold water, ja: 冷水}, evidence: [manual]}
evidence:
  manual: {title: The manual, url: "https://example.org/manual", checked: 2026-11-20}
//- content/components/pump/en.md
---
summary: Moves water.
---
Text.
//- content/components/pump/ja.md
---
summary: 水を動かします。
---
本文。
//- content/providers/acme/facts.yaml
name: ACME
kind: maker
claims:
  - {role: heater, component: boiler, presence: default, form: Deployment, evidence: [shop]}
evidence:
  shop: {title: The shop, observed: true, checked: 2026-11-19}
//- content/providers/acme/en.md
---
summary: Makes machines.
---
Text.
//- content/providers/acme/ja.md
---
summary: マシンを作ります。
---
本文。
//- content/concepts/brewing/en.md
---
title: Brewing
summary: How coffee is made.
---
Text.
//- content/concepts/brewing/ja.md
---
title: 抽出
summary: コーヒーの入れ方。
---
本文。
//- content/guide/cleaning/en.md
# Cleaning

Back to [the boiler](../../components/boiler/en.md#health).
//- content/guide/cleaning/ja.md
# 掃除

[ボイラー](../../components/boiler/ja.md#health)に戻ります。
"#;

/// The files of a fixture.
pub(crate) fn files(fixture: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in fixture.split_inclusive('\n') {
        if let Some(path) = line.strip_prefix("//- ") {
            current = Some(path.trim().to_owned());
            files.insert(path.trim().to_owned(), String::new());
        } else if let Some(text) = current.as_ref().and_then(|path| files.get_mut(path)) {
            text.push_str(line);
        }
    }
    files
}

/// The base with the files of a fixture added or replaced; a path followed by ` gone` is removed.
pub(crate) fn over_base(overlay: &str) -> Sources {
    let mut all = files(BASE);
    for (path, text) in files(overlay) {
        match path.strip_suffix(" gone") {
            Some(path) => drop(all.remove(path)),
            None => drop(all.insert(path, text)),
        }
    }
    Sources::from_texts(all.iter().map(|(path, text)| (path.as_str(), text.as_str())))
}

/// The base with replacements in one file.
pub(crate) fn with(path: &str, replacements: &[(&str, &str)]) -> Sources {
    let mut text = files(BASE)[path].clone();
    for (old, new) in replacements {
        assert!(text.contains(old), "`{old}` is not in {path}");
        text = text.replace(old, new);
    }
    over_base(&format!("//- {path}\n{text}"))
}

pub(crate) fn diagnose(sources: &Sources) -> Vec<Diagnostic> {
    let compiled = compile::compile(sources, &Highlighter::default(), Diagnostics::new());
    // `check` has the same findings as `compile`.
    let checked = compile::check(sources, Diagnostics::new());
    assert_eq!(lines(sources, &checked.diagnostics), lines(sources, &compiled.diagnostics));
    assert_eq!(checked.coverage, compiled.coverage);
    compiled.diagnostics
}

/// Findings as `file:line:column rule: message (help)`, one per line.
pub(crate) fn lines(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    use ksys_docs::diagnostic::SourceText;
    let mut lines = String::new();
    for found in diagnostics {
        let place = found.place.as_ref().map_or_else(String::new, |place| {
            let at = line_column(sources.text(&place.file).unwrap_or_default(), place.span.start);
            format!("{}:{}:{} ", place.file, at.line, at.column)
        });
        let help = found.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
        let _ = writeln!(lines, "{place}{}: {}{help}", found.rule.name(), found.message);
    }
    lines
}

/// Checks the findings of a knowledge base.
#[track_caller]
pub(crate) fn check(sources: &Sources, expected: &str) {
    let found = lines(sources, &diagnose(sources));
    assert_eq!(found.trim(), expected.trim());
}

/// Compiles a knowledge base, which must be free of errors.
#[track_caller]
pub(crate) fn site(sources: &Sources) -> Site {
    let compiled = compile::compile(sources, &Highlighter::default(), Diagnostics::new());
    match compiled.site {
        Some(site) => site,
        None => panic!("{}", lines(sources, &compiled.diagnostics)),
    }
}

/// The `<main>` element of a page.
#[track_caller]
pub(crate) fn main_of(site: &Site, path: &str) -> String {
    let html = site.text(path).unwrap_or_else(|| panic!("no {path}"));
    let start = html.find("<main").expect("a main element");
    let end = html.find("</main>").expect("a main element");
    html[start..end].to_owned()
}

/// A folder outside of any knowledge base.
pub(crate) fn anywhere() -> PathBuf {
    let folder = std::env::temp_dir();
    assert!(folder.ancestors().all(|folder| !folder.join("book.toml").exists()), "{}", folder.display());
    folder
}

/// A temporary folder outside of any knowledge base. Cargo's own temporary folder for tests may be inside the repository, where commands would find its
/// book.toml in a parent folder.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = anywhere().join(format!("ksys-docs-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A folder with the files of the base.
    pub(crate) fn with_base(name: &str) -> Self {
        let folder = Self::new(name);
        for (path, text) in files(BASE) {
            folder.write(&path, text.as_bytes());
        }
        folder
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// Every file below a folder, with its content.
    pub(crate) fn tree(&self, below: &str) -> BTreeMap<String, Vec<u8>> {
        let root = self.0.join(below);
        let entries = walkdir::WalkDir::new(&root).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
        let name = |path: &Path| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        entries.map(|entry| (name(entry.path()), std::fs::read(entry.path()).unwrap())).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Whether `strace` can trace programs here; prints a message if it can't.
pub(crate) fn can_trace() -> bool {
    let traced =
        std::process::Command::new("strace").args(["-f", "-qq", "-o", "/dev/null", "true"]).stderr(std::process::Stdio::null()).status();
    let can_trace = traced.is_ok_and(|status| status.success());
    if !can_trace {
        eprintln!("skipped: strace is not installed, or not permitted to trace");
    }
    can_trace
}
