//! Properties of every input.

use std::collections::BTreeSet;

use ksys_docs::{
    compile::{self, OnErrors},
    diagnostic::Diagnostics,
    highlight::Highlighter,
    read::Sources,
    timings::Timings,
};
use proptest::prelude::*;

use crate::support::{BASE, files, over_base, site};

#[test]
fn two_builds_are_identical() {
    let sources = over_base("");
    assert_eq!(site(&sources), site(&sources));
}

#[test]
fn no_file_of_the_output_is_empty() {
    let site = site(&over_base(
        "//- book.toml\n[book]\ntitle = \"T\"\n[languages.ja]\ntitle = \"T\"\n[output.html]\nsite-url = \"https://example.org/\"\n",
    ));
    let empty: Vec<&str> = site.files().filter(|(_, bytes)| bytes.is_empty()).map(|(path, _)| path).collect();
    assert_eq!(empty, [".nojekyll"]);
    for expected in
        ["index.html", "index.md", "card.png", "sitemap.xml", "robots.txt", "llms.txt", "api/v1/components.json", "search/index.html"]
    {
        assert!(site.get(expected).is_some(), "{expected}");
    }
}

#[test]
fn no_link_of_the_output_is_dead() {
    let site = site(&over_base(""));
    let paths: BTreeSet<&str> = site.files().map(|(path, _)| path).collect();
    let mut seen = 0;
    for (path, bytes) in site.files().filter(|(path, _)| path.ends_with(".html")) {
        let html = std::str::from_utf8(bytes).unwrap();
        for (attribute, _) in html.match_indices("href=\"").chain(html.match_indices("src=\"")) {
            let start = attribute + html[attribute..].find('"').unwrap() + 1;
            let link = html[start..].split('"').next().unwrap().replace("&amp;", "&");
            if link.starts_with("http") || link.starts_with("mailto:") {
                continue;
            }
            seen += 1;
            let (target, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let file = resolve(path, target);
            assert!(paths.contains(file.as_str()), "{path}: `{link}` leads to `{file}`");
            if !anchor.is_empty() {
                let anchor = ksys_docs::url::decode(anchor);
                let text = site.text(&file).unwrap();
                assert!(text.contains(&format!("id=\"{anchor}\"")), "{path}: `{link}` has no `#{anchor}` in `{file}`");
            }
        }
    }
    assert!(seen > 100, "only {seen} links");
}

/// The file that a relative or rooted link leads to.
fn resolve(from: &str, link: &str) -> String {
    if link.is_empty() {
        return from.to_owned();
    }
    let mut parts: Vec<&str> = if link.starts_with('/') { Vec::new() } else { from.split('/').collect() };
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let path = ksys_docs::url::decode(&parts.join("/"));
    match (link.ends_with('/') || link.ends_with(".."), path.is_empty()) {
        (_, true) => "index.html".to_owned(),
        (true, false) => format!("{path}/index.html"),
        (false, false) => path,
    }
}

#[test]
fn nothing_runs_and_nothing_is_loaded_from_elsewhere() {
    let site = site(&over_base(""));
    for (path, bytes) in site.files().filter(|(path, _)| path.ends_with(".html")) {
        let html = std::str::from_utf8(bytes).unwrap();
        assert!(!html.contains(" style="), "{path} has a style attribute");
        assert!(!html.contains("<style"), "{path} has a style element");
        assert!(!html.contains("javascript:"), "{path}");
        for (at, _) in html.match_indices("<script") {
            let tag = &html[at..at + html[at..].find('>').unwrap()];
            assert!(tag.contains(" src=\"") && !tag.contains("//"), "{path}: {tag}");
            assert!(html[at + tag.len() + 1..].starts_with("</script>"), "{path}: {tag} has content");
        }
        for handler in [" onclick", " onload", " onerror"] {
            assert!(!html.contains(handler), "{path} has a handler");
        }
    }
}

#[test]
fn the_order_of_files_does_not_matter() {
    let forwards = files(BASE);
    let backwards: Vec<_> = forwards.iter().rev().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert_eq!(site(&Sources::from_texts(backwards)), site(&over_base("")));
}

#[test]
fn byte_order_marks_and_line_ends_change_nothing() {
    let windows: Vec<(String, String)> =
        files(BASE).into_iter().map(|(path, text)| (path, format!("\u{FEFF}{}", text.replace('\n', "\r\n")))).collect();
    let sources = Sources::from_texts(windows.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    assert_eq!(site(&sources), site(&over_base("")));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any text in place of any file gives findings or a site, never a panic.
    #[test]
    fn no_text_makes_the_compiler_panic(which in 0usize..12, text in "\\PC{0,200}", at in 0usize..400, cut in 0usize..40) {
        let all = files(BASE);
        let path = all.keys().nth(which % all.len()).unwrap().clone();
        // Half of the inputs are valid files with random text in the middle, which reaches the later stages.
        let good = &all[&path];
        let start = good.floor_char_boundary(at);
        let end = good.floor_char_boundary(start + cut);
        for damaged in [text.clone(), format!("{}{text}{}", &good[..start], &good[end..])] {
            let mut files = all.clone();
            files.insert(path.clone(), damaged);
            let sources = Sources::from_texts(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
            let compiled = compile::compile(&sources, &Highlighter::default(), Diagnostics::new());
            // What has no errors can be rendered.
            let prepared =
                compile::prepare(&sources, &Highlighter::default(), Diagnostics::new(), OnErrors::KeepGoing, &Timings::off());
            let mut broken = Diagnostics::new();
            if let Some(renderer) = &prepared.renderer {
                prop_assert!(renderer.site(&mut broken).is_some(), "{:?}", broken.sorted());
            }
            // Every report format can be written.
            let report = ksys_docs::diagnostic::human(&compiled.diagnostics, &sources, true);
            prop_assert!(!report.is_empty());
            let sarif = ksys_docs::diagnostic::sarif(&compiled.diagnostics, &sources);
            prop_assert!(serde_json::from_str::<serde_json::Value>(&sarif).is_ok());
        }
    }
}
