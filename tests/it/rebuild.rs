//! A build that begins from what the last one has remembered makes what a fresh one makes, byte for byte.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{Arc, Mutex},
};

use ksys_docs::{
    compile,
    diagnostic::Diagnostics,
    highlight::Highlighter,
    read::Sources,
    rebuild::{self, Now},
    render::{Renderer, Sink},
    timings::Timings,
};
use proptest::prelude::*;

use crate::{
    incremental::{sources, start, step, take},
    support::lines,
};

/// A text that is written from one place and read in another.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<String>>);

impl fmt::Write for Paper {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.lock().unwrap().push_str(text);
        Ok(())
    }
}

/// A site, and what is remembered of it.
#[derive(Clone, Default, PartialEq, Eq)]
struct Built {
    files: BTreeMap<String, Vec<u8>>,
    pages: String,
    indexes: BTreeMap<String, String>,
    colours: String,
    /// What was found, as people read it.
    found: String,
}

/// Renders through a function, and collects what it makes and remembers.
fn collect<T>(
    stays: &dyn Fn(&str),
    render: impl FnOnce(Sink<'_>, &mut dyn FnMut(&ksys_docs::id::Lang) -> Option<Box<dyn fmt::Write>>) -> T,
) -> (T, Built) {
    let files = Mutex::new(BTreeMap::new());
    let mut papers: BTreeMap<String, Paper> = BTreeMap::new();
    let emit = |path: &str, bytes: &[u8]| drop(files.lock().unwrap().insert(path.to_owned(), bytes.to_vec()));
    let stream = |path: &str, make: ksys_docs::site::Make<'_>| {
        let mut bytes = Vec::new();
        make(&mut |piece| bytes.extend_from_slice(piece));
        emit(path, &bytes);
    };
    let sink = Sink { emit: &emit, stream: &stream, stays };
    let result = render(sink, &mut |lang| Some(Box::new(papers.entry(lang.to_string()).or_default().clone())));
    let indexes = papers.into_iter().map(|(lang, paper)| (lang, paper.0.lock().unwrap().clone())).collect();
    (result, Built { files: files.into_inner().unwrap(), indexes, ..Built::default() })
}

fn remember(sources: &Sources, renderer: &Renderer, before: Option<(&str, &BTreeSet<Arc<str>>)>) -> String {
    let mut pages = String::new();
    rebuild::remember(Now { sources, hashes: &sources.hashes() }, (renderer.kb(), renderer.links()), before, &mut pages).unwrap();
    pages
}

/// A fresh build; `None` if there are errors.
fn fresh(sources: &Sources) -> Option<Built> {
    let highlighter = Highlighter::default();
    let prepared = compile::prepare(sources, &highlighter, Diagnostics::new(), &Timings::off());
    let renderer = prepared.renderer?;
    let (broken, mut built) = collect(&|_| {}, |sink, keep| renderer.each(&Timings::off(), sink, keep));
    built.pages = remember(sources, &renderer, None);
    highlighter.keep(&mut built.colours).unwrap();
    built.found = lines(sources, &prepared.diagnostics.sorted());
    broken.is_empty().then_some(built)
}

/// A build that begins from another one; `None` if that is not enough.
fn again(before: &Built, sources: &Sources) -> Option<Built> {
    let now = Now { sources, hashes: &sources.hashes() };
    let highlighter = Highlighter::knowing(&before.colours);
    let change = rebuild::prepare(&before.pages, now, &highlighter, &Diagnostics::new(), &Timings::off())?;
    let renderer = change.prepared.renderer?;
    let stays: RefCell<Vec<String>> = RefCell::default();
    let (broken, mut built) = collect(&|path| stays.borrow_mut().push(path.to_owned()), |sink, keep| {
        let kept = |lang: &ksys_docs::id::Lang| before.indexes.get(lang.as_str()).map(String::as_str);
        renderer.again(&change.pages, &Timings::off(), &kept, sink, keep)
    });
    assert!(broken?.is_empty());
    for path in stays.into_inner() {
        assert!(before.files.contains_key(&path), "{path} cannot stay, because it was not there");
        built.files.entry(path.clone()).or_insert_with(|| before.files[&path].clone());
    }
    for (path, bytes) in before.files.iter().filter(|(path, _)| !renderer.is_of_search(path)) {
        built.files.entry(path.clone()).or_insert_with(|| bytes.clone());
    }
    built.pages = remember(sources, &renderer, Some((&before.pages, &change.pages)));
    built.colours.clone_from(&before.colours);
    built.found = lines(sources, &change.prepared.diagnostics.sorted());
    Some(built)
}

/// Holds one build to another. Colours may be fewer.
fn compare(again: &Built, fresh: &Built) -> Result<(), TestCaseError> {
    prop_assert_eq!(again.files.keys().collect::<Vec<_>>(), fresh.files.keys().collect::<Vec<_>>());
    for (path, bytes) in &fresh.files {
        let found = &again.files[path];
        prop_assert!(found == bytes, "{path} differs:\n{}\n{}", String::from_utf8_lossy(found), String::from_utf8_lossy(bytes));
    }
    prop_assert_eq!(&again.pages, &fresh.pages);
    prop_assert_eq!(&again.indexes, &fresh.indexes);
    prop_assert_eq!(&again.found, &fresh.found);
    Ok(())
}

/// The start with a text replaced, made again from the start; `None` if that is not enough.
fn after(path: &str, old: &str, new: &str) -> Option<Built> {
    let mut files = start();
    let before = fresh(&sources(&files)).unwrap();
    let text = files[path].replacen(old, new, 1);
    assert_ne!(text, files[path], "{old} is not in {path}");
    files.insert(path.to_owned(), text);
    let now = sources(&files);
    let built = again(&before, &now)?;
    compare(&built, &fresh(&now).unwrap()).unwrap_or_else(|error| panic!("{new} in {path}: {error}"));
    Some(built)
}

#[test]
fn words_headings_and_links_of_a_page_are_made_again() {
    let filter = "content/components/filter/en.md";
    for (path, old, new) in [
        (filter, "Text", "Other text with **weight**"),
        (filter, "Text", "```yaml\na: b\nc: [1, 2]\n```\n\nText"),
        (filter, "## More", "## Still more\n\n## And more {#and-more}"),
        (filter, "Text", "See [[pump]]. Text"),
        (filter, "Text with [the boiler](/components/boiler/#ports) and [[boiler#relations]].", "Text."),
        (filter, "Text", &format!("{}Text", "Many words. ".repeat(2_000))),
        ("content/components/filter/ja.md", "本文", "別の本文"),
        ("content/components/en.md", "with care", "with great care"),
        ("content/guide/en.md", "machine     pod/boiler", "machine     pod/filter-2qlgw 1/1 Running 0 3m\nmachine     pod/boiler"),
    ] {
        assert!(after(path, old, new).is_some(), "{new} in {path} needs the whole");
    }
}

#[test]
fn what_others_may_show_needs_the_whole() {
    let filter = "content/components/filter/en.md";
    for (path, old, new) in [
        (filter, "Holds the grounds back", "Holds nothing back"),
        (filter, "## The sieve {#sieve}", "## A sieve {#sieve}"),
        ("content/guide/en.md", "# Guide", "# The guide"),
        ("content/components/filter/facts.yaml", "name: Filter", "name: The filter"),
        ("content/vocabulary.yaml", "PID:", "PIDs:"),
        ("static/own.css", "red", "blue"),
        ("book.toml", "title = \"Coffee\"", "title = \"Tea\""),
    ] {
        assert!(after(path, old, new).is_none(), "{new} in {path} needs more than that page");
    }
}

#[test]
fn what_is_remembered_of_something_else_is_not_believed() {
    let files = start();
    let built = fresh(&sources(&files)).unwrap();
    assert!(again(&built, &sources(&files)).is_some());
    let mut more = files.clone();
    more.insert("content/guide/more/en.md".to_owned(), "# More\n".to_owned());
    assert!(again(&built, &sources(&more)).is_none(), "a page came");
    let mut fewer = files.clone();
    fewer.remove("content/guide/ja.md");
    assert!(again(&built, &sources(&fewer)).is_none(), "a page went");
    let mut elsewhere = sources(&files);
    elsewhere.site_url = ksys_docs::config::SiteUrl::parse("/elsewhere/");
    assert!(again(&built, &elsewhere).is_none(), "another address");
    let mut later = sources(&files);
    later.changed = Arc::new(BTreeMap::from([("content/guide/en.md".into(), "2026-11-22".to_owned())]));
    assert!(again(&built, &later).is_none(), "another day");
    for (pages, index) in [("", None), ("x\n", None), ("x\ty\n", None), (&*built.pages, Some("")), (&*built.pages, Some("0\t\n"))] {
        let mut bad = Built { pages: pages.to_owned(), ..built.clone() };
        if let Some(index) = index {
            bad.indexes.insert("en".to_owned(), index.to_owned());
        }
        assert!(again(&bad, &sources(&files)).is_none(), "{pages:.20} {index:?}");
    }
    // Colours that are none are not missed.
    let bad = Built { colours: "no".to_owned(), ..built.clone() };
    compare(&again(&bad, &sources(&files)).unwrap(), &built).unwrap();
}

#[test]
fn colours_are_remembered() {
    let code = "kind: Pod\nname: \"a\" # x\n- [1, two]\ntext: |\n  more\n";
    let first = Highlighter::default();
    let lines = [first.lines("yaml", code), first.lines("sh", "kubectl get pods -n x | grep 'a b'\n"), first.lines("nothing", "a < b")];
    let mut kept = String::new();
    first.keep(&mut kept).unwrap();
    let again = Highlighter::knowing(&kept);
    let lines_again =
        [again.lines("YAML", code), again.lines("sh", "kubectl get pods -n x | grep 'a b'\n"), again.lines("nothing", "a < b")];
    assert_eq!(lines_again, lines);
    let mut nothing = String::new();
    again.keep(&mut nothing).unwrap();
    assert_eq!(nothing, "{}\n", "nothing had to be coloured");
    // What was not seen before is coloured as ever.
    let new = "other: 'text' # y\n\"key\": {a: b}\n";
    assert_eq!(again.lines("yaml", new), Highlighter::default().lines("yaml", new));
}

/// Every page of our own content gets a sentence, a few at a time.
#[test]
fn an_edit_of_any_page_of_the_content_makes_the_site_of_a_fresh_build() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut now, _) = ksys_docs::read::read(root, false).unwrap();
    now.today = None;
    let texts: Vec<Arc<str>> = now.files.keys().filter(|file| file.ends_with(".md")).cloned().collect();
    let mut built = fresh(&now).unwrap();
    let mut edited = 0;
    for batch in texts.chunks(texts.len() / 12) {
        for file in batch {
            let Some(ksys_docs::read::Content::Text(text)) = now.files.get(file) else { continue };
            let link = if edited % 5 == 0 { "[Elsewhere](/components/)" } else { "Elsewhere" };
            let text = format!("{text}\n{link} is one more sentence.\n\n## New {{#new-{edited}}}\n");
            now.files.insert(file.clone(), ksys_docs::read::Content::Text(text.into()));
            edited += 1;
        }
        built = again(&built, &now).expect("words are enough");
    }
    assert!(edited > 100);
    compare(&built, &fresh(&now).unwrap()).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn after_any_edits_the_site_is_that_of_a_fresh_build(steps in prop::collection::vec(step(), 1..10)) {
        let mut files = start();
        let mut built = fresh(&sources(&files)).unwrap();
        for step in &steps {
            take(step, &mut files);
            let now = sources(&files);
            let fresh = fresh(&now);
            if let Some(again) = again(&built, &now) {
                let Some(fresh) = &fresh else { panic!("a site was made of what has errors") };
                compare(&again, fresh)?;
                // The next one begins from this one.
                built = again;
            } else if let Some(fresh) = fresh {
                built = fresh;
            }
        }
    }
}
