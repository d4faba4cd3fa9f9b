//! Books of mdBook: `SUMMARY.md`, directives, addresses, settings.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

use ksys_docs::{
    compile::{self, OnErrors},
    diagnostic::{Diagnostics, SourceText as _},
    highlight::Highlighter,
    incremental::Compiler,
    read::{self, HistoryMode, Sources},
    timings::Timings,
};
use proptest::prelude::*;

use crate::support::{Folder, check, diagnose, lines, main_of, site};

/// What mdBook wrote for the book in `tests/fixtures/mdbook`, see the README there.
#[derive(serde::Deserialize)]
struct Expected {
    pages: BTreeMap<String, ExpectedPage>,
    redirects: Vec<String>,
}

#[derive(serde::Deserialize)]
struct ExpectedPage {
    ids: Vec<String>,
    words: String,
}

/// The words of HTML, with the number of their occurrences. Elements inside a line don't separate words.
fn words(html: &str) -> BTreeMap<String, usize> {
    const INLINE: [&str; 18] =
        ["b", "i", "em", "strong", "code", "span", "a", "sup", "sub", "mark", "kbd", "del", "s", "u", "small", "abbr", "ins", "var"];
    let mut text = String::new();
    for (index, piece) in html.split('<').enumerate() {
        let (tag, rest) = if index == 0 { ("", piece) } else { piece.split_once('>').unwrap_or((piece, "")) };
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap_or_default();
        if !INLINE.contains(&name) {
            text.push(' ');
        }
        text.push_str(rest);
    }
    let text = text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let mut counts = BTreeMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
        *counts.entry(word.to_owned()).or_default() += 1;
    }
    counts
}

fn fixture() -> (Sources, Diagnostics) {
    read::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/mdbook"), HistoryMode::Skip).unwrap()
}

#[test]
fn nothing_of_what_mdbook_writes_is_missing() {
    let expected = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/mdbook/expected.json")).unwrap();
    let expected: Expected = serde_json::from_str(&expected).unwrap();
    assert!(expected.pages.len() > 10);
    let (sources, found) = fixture();
    assert!(found.sorted().is_empty());
    let site = site(&sources);
    for (path, page) in &expected.pages {
        let main = main_of(&site, path);
        let ids: BTreeSet<&str> = main.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let missing: Vec<&String> = page.ids.iter().filter(|id| !ids.contains(id.as_str())).collect();
        assert!(missing.is_empty(), "{path}: no ids {missing:?}");
        let ours = words(&main);
        for (word, count) in words(&page.words) {
            assert!(ours.get(&word).is_some_and(|ours| *ours >= count), "{path}: `{word}` is missing in {main}");
        }
    }
    for path in &expected.redirects {
        assert!(site.text(path).is_some_and(|html| html.contains("http-equiv=\"refresh\"")), "{path}");
    }
    assert!(site.text("guide/cup.svg").is_some() && site.text("unlisted.html").is_none());
}

#[test]
fn differences_from_mdbook_are_reported() {
    let (sources, _) = fixture();
    check(
        &sources,
        "book.toml:7:1 unused-setting: settings of mdBook without an effect here: `build.create-missing`, `output.html.default-theme`, `output.html.fold` \
         (remove them, if you no longer build with mdBook)\n\
         src/unlisted.md:1:1 unlisted-page: this page is not in `src/SUMMARY.md`, so it is left out \
         (add a line `- [Title](path.md)` to the summary, or remove the file)",
    );
}

#[test]
fn the_summary_is_the_navigation() {
    let site = site(&fixture().0);
    let page = site.text("deep/acids.html").unwrap();
    let tree = &page[page.find("class=\"section tree\"").unwrap()..page.find("<footer").unwrap()];
    for expected in [
        "<li class=\"part\">Using it</li>",
        "<span class=\"number\">1.2.1.</span> Descaling</a><ul>",
        "aria-current=\"page\"><span class=\"number\">1.2.1.1.1.</span> Acids</a><ul>",
        "<span class=\"number\">1.2.1.1.1.1.</span> Citric acid</a></li></ul></li></ul></li></ul></li></ul>",
        "<span class=\"draft\"><span class=\"number\">1.3.</span> Repairs</span>",
        "<li class=\"separator\" role=\"separator\"></li>",
        "Before you start</a>",
    ] {
        assert!(tree.contains(expected), "{expected}: {tree}");
    }
    // Other branches are closed.
    assert!(!site.text("contributors.html").unwrap().contains("Citric acid"));
    let neighbours = &page[page.find("class=\"neighbours\"").unwrap()..];
    assert!(neighbours.contains("href=\"./vinegar.html\"") && neighbours.contains("href=\"./citric.html\""), "{neighbours}");
    assert!(page.contains("<title>Acids · Coffee machine</title>"), "{page}");
    assert!(site.text("before you.html").unwrap().contains("<title>Before you start with the machine · Coffee machine</title>"));
    assert!(page.contains("https://git.example/coffee/edit/main/docs/src/deep/acids.md"));
}

#[test]
fn the_first_chapter_is_the_home_page_if_there_is_no_other() {
    let book = |label: &str| {
        Sources::from_fixture(&format!(
            "//- book.toml\n[book]\ntitle = \"B\"\n[output.html]\n{label}\n//- src/SUMMARY.md\n- [One](a/one.md)\n- [Two](two.md)\n//- src/a/one.md\n# One\n\nFirst \"chapter\".\n\
             //- src/two.md\n# Two\n\n[One](a/one.html), [top](index.html), [folder](/a/one.md), [self](./two.md)\n"
        ))
    };
    let first = site(&book("no-section-label = true"));
    let home = first.text("index.html").unwrap();
    assert!(home.contains("First “chapter”.") && home.contains("href=\"./two.html\""), "{home}");
    assert!(!home.contains("class=\"number\""), "{home}");
    let second = site(&book("smart-punctuation = false"));
    assert!(second.text("a/one.html").unwrap().contains("First &quot;chapter&quot;.") && second.text("a/one.md").is_some());
}

#[test]
fn a_summary_with_mistakes_is_reported_and_the_rest_is_used() {
    let sources = Sources::from_fixture(
        "//- book.toml\n[book]\ntitle = \"B\"\n//- src/SUMMARY.md\n# Summary\n\n- [One](one.md)\n- [Again](./one.md)\n- [Gone](gone.md)\n- [Out](../out.md)\n- Text\n\n[End](end.md)\n\n- [Late](late.md)\n\
         //- src/one.md\n# One\n\n[dead](gone.md) [unlisted](other.md)\n//- src/end.md\n# End\n\nx\n//- src/late.md\n# Late\n\nx\n",
    );
    check(
        &sources,
        "src/SUMMARY.md:4:3 bad-summary: `one.md` is in the summary twice (remove one of the two entries; link to a section of the page in the text instead)\n\
         src/SUMMARY.md:5:3 bad-summary: the file `gone.md` does not exist (create it, correct the path, or write `[Title]()` for a draft)\n\
         src/SUMMARY.md:6:3 bad-summary: `../out.md` is not a page of this book (link to a file inside the folder of the summary)\n\
         src/SUMMARY.md:7:1 bad-summary: this item has no link (write `- [Title](file.md)`, or `- [Title]()` for a draft)\n\
         src/SUMMARY.md:11:1 bad-summary: a list follows chapters outside of a list (put the chapters outside of lists at the end)\n\
         src/one.md:3:1 dead-link: the file `src/gone.md` does not exist (did you mean `src/one.md`?)\n\
         src/one.md:3:17 dead-link: `other.md` is not a page in `src/SUMMARY.md` (add the page to the summary, or correct the path; it is relative to this file)",
    );
}

#[test]
fn redirects_have_targets() {
    let sources = Sources::from_fixture(
        "//- book.toml\n[book]\ntitle = \"B\"\n[output.html.redirect]\n\"/old.html\" = \"a.html#x\"\n\"/b/old.html\" = \"../old.html\"\n\"/dead.html\" = \"/none.html\"\n\"/a.html\" = \"/old.html\"\n\
         \"/x.html\" = \"javascript:alert(1)\"\n\"/../y.html\" = \"/a.html\"\n//- src/SUMMARY.md\n- [A](a.md)\n//- src/a.md\n# A\n\n[old](old.html)\n",
    );
    check(
        &sources,
        "book.toml:1:1 url-collision: `book.toml` and `src/a.md` have the same address `/a.html` (rename one of them; names that differ only in the case of letters, \
         or in how Unicode composes them, are the same on many systems)\n\
         book.toml:6:16 dead-link: no page has the address `/none.html` (correct it: write an address of this site, or a full URL)\n\
         book.toml:8:13 bad-config: `javascript:alert(1)` is not a web address or an address of this site (write `/page.html` or `https://…`)\n\
         book.toml:9:1 bad-config: `/../y.html` is not an address of this site (write an address from the root of the site, such as `\"/old.html\"`, without `?` and `#`)",
    );
}

#[test]
fn findings_of_included_text_are_in_the_included_file() {
    let sources = Sources::from_fixture(
        "//- book.toml\n[book]\ntitle = \"B\"\n//- content/a.md\n# A\n\nText.\n\n{{#include parts/b.txt:2:}}\n\n[dead](none.md)\n//- content/parts/b.txt\nleft out\n[gone](gone.md)\n\n{{#include c.txt}}\n//- content/parts/c.txt\n## C\n\n[also](#none)\n",
    );
    check(
        &sources,
        "content/a.md:7:1 dead-link: the file `content/none.md` does not exist (check the path; it is relative to this file)\n\
         content/parts/b.txt:2:1 dead-link: the file `content/gone.md` does not exist (check the path; it is relative to this file)\n\
         content/parts/c.txt:3:1 dead-anchor: `content/a.md` has no section `#none` (it has `#a`, `#c`)",
    );
}

#[test]
fn includes_that_would_never_end_are_refused() {
    let cycle = Sources::from_fixture(
        "//- book.toml\n[book]\ntitle = \"B\"\n//- content/a.md\n# A\n\n{{#include b.txt}}\n//- content/b.txt\nb {{#include c.txt}}\n//- content/c.txt\nc {{#include b.txt}}\n",
    );
    let found = diagnose(&cycle);
    assert_eq!(lines(&cycle, &found), "content/c.txt:1:3 bad-include: `content/b.txt` includes itself (remove one of the directives)\n");
    // Ten files, each of which includes the next ten times.
    let files: Vec<String> = (0..10)
        .map(|number| format!("//- content/f{number}.txt\n{}\n", format!("{{{{#include f{}.txt}}}} ", number + 1).repeat(10)))
        .collect();
    let text = format!(
        "//- book.toml\n[book]\ntitle = \"B\"\n//- content/a.md\n# A\n\n{{{{#include f0.txt}}}}\n{}//- content/f10.txt\n\n",
        files.concat()
    );
    let found = diagnose(&Sources::from_fixture(&text));
    assert!(!found.is_empty() && found.iter().all(|found| found.rule.name() == "bad-include"), "{found:?}");
    let large = format!(
        "//- book.toml\n[book]\ntitle = \"B\"\n//- content/a.md\n# A\n\n{}\n//- content/large.txt\n{}\n",
        "{{#include large.txt}}\n".repeat(4),
        "word ".repeat(300_000)
    );
    let found = diagnose(&Sources::from_fixture(&large));
    assert!(found.iter().any(|found| found.message == "with `content/large.txt`, this page would have more than 4 MiB"), "{found:?}");
}

#[test]
fn files_of_the_repository_can_be_included_and_linked_to() {
    let folder = Folder::new("book-repository");
    folder.write("docs/book.toml", b"[book]\ntitle = \"B\"\n");
    folder.write("docs/src/SUMMARY.md", b"- [A](a.md)\n- [Changes](CHANGES.md)\n");
    folder.write("docs/src/a.md", b"# A\n\n{{#include ../../README.md}}\n\n{{#include ../../.env}}\n\n{{#include ../../../outside.txt}}\n");
    folder.write("README.md", b"From the README. {{#include part.txt}}\n");
    folder.write("part.txt", b"And a part.\n");
    folder.write(".env", b"SECRET=1\n");
    folder.write("CHANGES.md", b"# Changes\n\nMany.\n");
    let read = || read::read(&folder.path("docs"), HistoryMode::Skip).unwrap().0;
    #[cfg(unix)]
    std::os::unix::fs::symlink("../../CHANGES.md", folder.path("docs/src/CHANGES.md")).unwrap();
    let paths = |sources: &Sources| diagnose(sources).into_iter().map(|found| found.message).collect::<Vec<_>>();
    // Without a repository, the book is the limit.
    assert!(paths(&read()).contains(&"the file `../README.md` does not exist".to_owned()));
    folder.write(".git/config", b"");
    let sources = read();
    assert_eq!(paths(&sources), ["the file `../.env` does not exist", "the file `../../outside.txt` does not exist"]);
    assert!(sources.files.values().all(|content| !String::from_utf8_lossy(content.bytes()).contains("SECRET")));
    folder.write("docs/src/a.md", b"# A\n\n{{#include ../../README.md}}\n");
    let site = site(&read());
    assert!(main_of(&site, "a.html").contains("From the README. And a part."));
    assert!(cfg!(not(unix)) || main_of(&site, "CHANGES.html").contains("Many."));
}

#[test]
fn an_edit_of_an_included_file_changes_the_pages_that_include_it() {
    let fixture = |text: &str| {
        Sources::from_fixture(&format!(
            "//- book.toml\n[book]\ntitle = \"B\"\n//- content/a.md\n# A\n\n{{{{#include b.md}}}}\n//- content/b.md\n# B\n\n{text}\n//- content/c.md\n# C\n\n{{{{#include d.txt}}}}\n//- content/d.txt\n{text}\n"
        ))
    };
    let mut compiler = Compiler::default();
    assert!(!compiler.compile(&fixture("Before."), &[], None).has_errors);
    for file in ["content/b.md", "content/d.txt"] {
        let edited = BTreeSet::from([Arc::from(file)]);
        let renderer = compiler.compile(&fixture("After."), &[], Some(&edited)).renderer.unwrap();
        let page = if file == "content/b.md" { "a/index.html" } else { "c/index.html" };
        let html = String::from_utf8_lossy(&renderer.file(page).unwrap().unwrap()).into_owned();
        assert!(html.contains("After.") && !html.contains("Before."), "{html}");
    }
}

#[test]
fn a_large_book_has_small_sidebars() {
    let summary: Vec<String> = (0..2_000).map(|number| format!("- [C{number}](c{number}.md)\n    - [D{number}](d{number}.md)\n")).collect();
    let chapters: Vec<String> =
        (0..2_000).map(|number| format!("//- src/c{number}.md\n# C{number}\n\nx\n//- src/d{number}.md\n# D{number}\n\nx\n")).collect();
    let site = site(&Sources::from_fixture(&format!(
        "//- book.toml\n[book]\ntitle = \"B\"\n//- src/SUMMARY.md\n{}{}",
        summary.concat(),
        chapters.concat()
    )));
    let html = site.text("d1500.html").unwrap();
    assert!(html.contains(">1501.</span> C1500</a><ul>") && html.contains(">1501.1.</span> D1500</a>"));
    assert!(html.len() < 40_000, "{}", html.len());
}

#[cfg(unix)]
#[test]
fn preprocessors_change_chapters() {
    let folder = Folder::new("book-preprocessors");
    let settings = "[preprocessor.a]\ncommand = \"sh replace.sh loud LOUD\"\n[preprocessor.b]\ncommand = \"sh replace.sh quiet loud\"\nbefore = [\"a\"]\n\
                    [preprocessor.latex]\ncommand = \"false\"\nrenderers = [\"latex\"]\n[preprocessor.unsupported]\ncommand = \"false\"\n[preprocessor.toc]\ncommand = \"false\"\n";
    folder.write("book.toml", format!("[book]\ntitle = \"B\"\n{settings}").as_bytes());
    // The input is `[context, book]` in one line, and the context ends with the version.
    let script = "case $3 in supports) exit 0;; esac\nsed -e 's/^.*\"mdbook_version\":\"[^\"]*\"},//' -e 's/]$//' -e \"s/$1/$2/g\"\n";
    folder.write("replace.sh", script.as_bytes());
    folder.write("src/SUMMARY.md", b"- [A](a.md)\n    - [B](b.md)\n");
    folder.write("src/a.md", b"# A\n\nIt is quiet {{#include part.txt}}\n\n[dead](none.md)\n");
    folder.write("src/b.md", b"# B\n\nAlso quiet. \\{{#include part.txt}}\n");
    folder.write("src/part.txt", b"here\n");
    let (mut sources, mut found) = read::read(&folder.0, HistoryMode::Skip).unwrap();
    // Without permission, they are reported.
    let not_run = |sources: &Sources| diagnose(sources).iter().filter(|found| found.message.contains("is not run")).count();
    assert_eq!(not_run(&sources), 4);
    ksys_docs::preprocess::run(&folder.0, &mut sources, &mut found);
    assert_eq!(lines(&sources, &found.sorted()), "");
    assert_eq!(
        lines(&sources, &diagnose(&sources)),
        "src/a.md:5:1 dead-link: `none.md` is not a page in `src/SUMMARY.md` (add the page to the summary, or correct the path; it is relative to this file)\n"
    );
    folder.write("src/none.md", b"# None\n\nx\n");
    folder.write("src/SUMMARY.md", b"- [A](a.md)\n    - [B](b.md)\n- [None](none.md)\n");
    let (mut sources, mut found) = read::read(&folder.0, HistoryMode::Skip).unwrap();
    ksys_docs::preprocess::run(&folder.0, &mut sources, &mut found);
    let site = site(&sources);
    assert!(main_of(&site, "a.html").contains("It is LOUD here"), "{}", main_of(&site, "a.html"));
    assert!(main_of(&site, "b.html").contains("Also LOUD. {{#include part.txt}}"), "{}", main_of(&site, "b.html"));
}

#[cfg(unix)]
#[test]
fn preprocessors_that_fail_are_one_finding_each_and_lose_nothing() {
    let folder = Folder::new("book-preprocessors-fail");
    let settings = "[preprocessor.a]\ncommand = \"sh -c 'echo broken >&2; exit 3'\"\nrenderers = [\"html\"]\n[preprocessor.b]\ncommand = \"echo text\"\n\
                    [preprocessor.c]\ncommand = \"echo '{}'\"\n[preprocessor.d]\ncommand = \"no-such-program\"\n[preprocessor.e]\ncommand = \"sh -c 'echo\"\n";
    folder.write("book.toml", format!("[book]\ntitle = \"B\"\n{settings}").as_bytes());
    folder.write("src/SUMMARY.md", b"- [A](a.md)\n");
    folder.write("src/a.md", b"# A\n\nText.\n");
    let (mut sources, mut found) = read::read(&folder.0, HistoryMode::Skip).unwrap();
    ksys_docs::preprocess::run(&folder.0, &mut sources, &mut found);
    let messages: Vec<String> = found.sorted().into_iter().map(|found| found.message).collect();
    assert_eq!(messages.len(), 5, "{messages:#?}");
    for (message, expected) in messages.iter().zip([
        "the preprocessor `a` failed: broken",
        "the preprocessor `b` wrote no JSON",
        "the preprocessor `c` wrote JSON that is not a book",
        "the preprocessor `d` failed: No such file",
        "the command of the preprocessor `e` can't be read",
    ]) {
        assert!(message.starts_with(expected), "{message}");
    }
    assert!(main_of(&site(&sources), "a.html").contains("Text."));
}

#[cfg(unix)]
#[test]
fn directives_in_chapters_of_preprocessors_are_reported_once() {
    let folder = Folder::new("book-preprocessors-once");
    folder.write("book.toml", b"[book]\ntitle = \"B\"\n[preprocessor.a]\ncommand = \"false\"\nrenderers = [\"html\"]\n");
    folder.write("src/SUMMARY.md", b"- [A](a.md)\n");
    folder.write("src/a.md", b"# A\n\n{{#include none.md}} \\{{#include none.md}}\n");
    let (mut sources, mut found) = read::read(&folder.0, HistoryMode::Skip).unwrap();
    ksys_docs::preprocess::run(&folder.0, &mut sources, &mut found);
    let all = compile::compile(&sources, &Highlighter::default(), found).diagnostics;
    let rules: Vec<&str> = all.iter().map(|found| found.rule.name()).collect();
    assert_eq!(rules, ["preprocessor-failed", "bad-include"]);
}

/// Pieces of summaries, directives, notes and text, from which random files are made.
const PIECES: [&str; 28] = [
    "- [A](a.md)\n",
    "    - [B](b.md)\n",
    "- [C]()\n",
    "[D](d.md)\n",
    "---\n",
    "# Part\n",
    "* x\n",
    "1. [E](../e.md)\n",
    "{{#include a.md}}",
    "{{#include b.md:2:}}",
    "{{#include b.md:x}}",
    "{{#rustdoc_include d.md:1}}",
    "{{#playground b.md x}}",
    "{{#title ü}}",
    "\\{{#include}}",
    "{{#tab name=\"あ\"}}\n",
    "{{#endtab}}\n",
    "{{#tabs}}",
    "```admonish tip \"あ\"\n",
    "````admonish\n",
    "```\n",
    "````\n",
    "ANCHOR: x\n",
    "ANCHOR_END: x\n",
    "あ",
    "\n",
    "{{",
    "\\",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any summary, and any directives in files that include each other, give findings inside their files or a site, never a panic.
    #[test]
    fn no_book_makes_the_compiler_panic(files in prop::collection::vec(prop::collection::vec(0..PIECES.len(), 0..14), 4)) {
        let texts: Vec<String> = files.iter().map(|pieces| pieces.iter().map(|piece| PIECES[*piece]).collect()).collect();
        let named = ["src/SUMMARY.md", "src/a.md", "src/b.md", "src/d.md"].into_iter().zip(&texts).map(|(path, text)| (path, text.as_str()));
        let sources = Sources::from_texts(std::iter::once(("book.toml", "[book]\ntitle = \"B\"\n")).chain(named));
        for found in diagnose(&sources) {
            let Some(place) = &found.place else { continue };
            let text = sources.text(&place.file);
            prop_assert!(text.is_some_and(|text| text.get(place.span.range()).is_some()), "{found:?} in {texts:?}");
        }
        let prepared = compile::prepare(&sources, &Highlighter::default(), Diagnostics::new(), OnErrors::KeepGoing, &Timings::off());
        let mut broken = Diagnostics::new();
        if let Some(renderer) = &prepared.renderer {
            prop_assert!(renderer.site(&mut broken).is_some(), "{:?}", broken.sorted());
        }
    }
}
