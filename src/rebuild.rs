//! A build that begins from what the last one has remembered, where only the words of some pages have changed.
//!
//! What a page is to others is little: its title, what its front matter says, where its links lead, whether its translations are up to date. If that is the
//! same, only the files that show its words are made again; where only the links or the translations differ, also those that say so. Links are resolved and
//! everything is checked as in any build, with [`Sketch`]es in place of pages that did not change, so that every finding is said again. In every other case
//! the whole is built; the result is the same.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

use rayon::prelude::*;

use crate::{
    compile::{Prepared, Understood, prepare_understood, understand_again},
    diagnostic::Diagnostics,
    highlight::Highlighter,
    kb::{Kb, Page, PageKind, stale_sections},
    layout::COVERAGE,
    link::Links,
    load::{Memory, PageDraft, Sketch, Sketches},
    read::{Hashes, Sources},
    timings::Timings,
};

/// The name under which pages are remembered.
pub const PAGES: &str = "pages";

/// More pages than one in this many are built as a whole.
const FEW: usize = 8;

/// What was read.
#[derive(Clone, Copy, Debug)]
pub struct Now<'a> {
    /// The files.
    pub sources: &'a Sources,
    /// Their hashes.
    pub hashes: &'a Hashes,
}

impl Now<'_> {
    /// A hash of all that pages depend on besides themselves: every other file, which pages there are, when files have changed.
    fn ground(self, is_text: impl Fn(&Arc<str>) -> bool) -> String {
        let mut ground = blake3::Hasher::new();
        for (file, hash) in self.hashes {
            ground.update(file.as_bytes()).update(b"\n");
            if !is_text(file) {
                ground.update(hash.as_bytes());
            }
        }
        for (file, day) in self.sources.changed.iter() {
            ground.update(file.as_bytes()).update(b"\n").update(day.as_bytes());
        }
        ground.update(format!("{:?}", self.sources.site_url).as_bytes());
        ground.finalize().to_hex().to_string()
    }
}

/// Writes what [`prepare`] wants to know of a knowledge base. `before` is what was remembered when all pages but these were as they are now.
///
/// One line says what the pages stand on; then each text has a line: its file, the hash of its content, its [outline], the path of its page, the languages in
/// which the page has fallen behind, the pages that the text leads to, and its sketch, between tabs. The sketch is empty if the text has to be read again in
/// any case.
///
/// # Errors
/// If it cannot be written.
pub fn remember(
    now: Now<'_>,
    (kb, links): (&Kb, &Links),
    before: Option<(&str, &BTreeSet<Arc<str>>)>,
    keep: &mut dyn fmt::Write,
) -> fmt::Result {
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    if let Some((before, changed)) = before {
        let entries = before.lines().skip(1).filter_map(|line| Some((Entry::read(line)?, line)));
        known.extend(entries.filter(|(entry, _)| !changed.contains(entry.page)).map(|(entry, line)| (entry.file, line)));
    }
    let texts: BTreeMap<&Arc<str>, (&Page, &PageDraft)> = texts(kb).map(|(page, text)| (&text.file, (page, text))).collect();
    writeln!(keep, "{}", now.ground(|file| texts.contains_key(file)))?;
    let line = |(file, (page, text)): (&&Arc<str>, &(&Page, &PageDraft))| {
        if let Some(known) = known.get(&***file) {
            return Some(Cow::Borrowed(*known));
        }
        let hash = now.hashes.get(*file)?.to_hex();
        let leads_to = serde_json::to_string(&links.leads_to(page, text)).ok()?;
        let sketch = Sketch::of(text).and_then(|sketch| serde_json::to_string(&sketch).ok()).unwrap_or_default();
        let (outline, behind) = (outline(kb, page, text), behind(kb, page));
        Some(Cow::Owned(format!("{file}\t{hash}\t{outline}\t{}\t{behind}\t{leads_to}\t{sketch}", page.path)))
    };
    let texts: Vec<_> = texts.iter().collect();
    for batch in texts.chunks(512) {
        let batch: Option<Vec<Cow<'_, str>>> = batch.par_iter().map(|(file, text)| line((file, text))).collect();
        batch.ok_or(fmt::Error)?.iter().try_for_each(|line| writeln!(keep, "{line}"))?;
    }
    Ok(())
}

/// What was remembered of one text.
struct Entry<'a> {
    file: &'a str,
    hash: &'a str,
    outline: &'a str,
    page: &'a str,
    behind: &'a str,
    leads_to: &'a str,
    sketch: &'a str,
}

impl<'a> Entry<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let mut fields = line.splitn(7, '\t');
        let mut next = || fields.next();
        let (file, hash, outline, page) = (next()?, next()?, next()?, next()?);
        Some(Self { file, hash, outline, page, behind: next()?, leads_to: next()?, sketch: next()? })
    }
}

/// What has to be made again.
#[derive(Debug)]
pub struct Change {
    /// A renderer that has the words of these pages only.
    pub prepared: Prepared,
    /// The pages whose files are to be made again.
    pub pages: BTreeSet<Arc<str>>,
}

/// Gets ready to render what has changed since something was remembered. `None` if the whole has to be built.
#[must_use]
pub fn prepare(remembered: &str, now: Now<'_>, highlighter: &Highlighter, found: &Diagnostics, timings: &Timings) -> Option<Change> {
    let (stands_on, lines) = remembered.split_once('\n')?;
    let entries: Vec<Entry<'_>> = lines.par_lines().map(Entry::read).collect::<Option<_>>()?;
    let files: BTreeSet<&str> = entries.iter().map(|entry| entry.file).collect();
    if now.ground(|file| files.contains(&**file)) != stands_on {
        return None;
    }
    let is_changed = |entry: &&Entry<'_>| now.hashes.get(entry.file).is_none_or(|hash| *hash.to_hex() != *entry.hash);
    let changed: BTreeMap<&str, &Entry<'_>> = entries.par_iter().filter(is_changed).map(|entry| (entry.file, entry)).collect();
    if changed.len() > entries.len() / FEW + 1 {
        return None;
    }
    let mut pages: BTreeSet<Arc<str>> = changed.values().map(|entry| entry.page.into()).collect();
    loop {
        let is_same = |entry: &&Entry<'_>| !pages.contains(entry.page) && !entry.sketch.is_empty();
        let sketches: Sketches = entries.par_iter().filter(is_same).map(|entry| (entry.file.into(), entry.sketch.into())).collect();
        let mut diagnostics = found.clone();
        let understood = understand_again(now.sources, &mut Memory::of(sketches), &mut diagnostics, timings)?;
        let others = others(&understood, &changed)?;
        if others.is_subset(&pages) {
            let prepared = prepare_understood(understood, highlighter, diagnostics, now.sources, timings);
            return Some(Change { prepared, pages });
        }
        pages.extend(others);
    }
}

/// The pages that show where changed texts have begun to lead, or no longer do, or which translations have fallen behind. `None` if a text is something else
/// to others now.
fn others(Understood { kb, links, .. }: &Understood, changed: &BTreeMap<&str, &Entry<'_>>) -> Option<BTreeSet<Arc<str>>> {
    let mut others = BTreeSet::new();
    let mut seen = 0;
    for (page, text) in texts(kb) {
        let Some(entry) = changed.get(&*text.file) else { continue };
        if outline(kb, page, text) != entry.outline {
            return None;
        }
        seen += 1;
        if behind(kb, page) != entry.behind {
            others.insert(COVERAGE.into());
        }
        let before: BTreeSet<&str> = serde_json::from_str(entry.leads_to).ok()?;
        let differs = before.symmetric_difference(&links.leads_to(page, text)).copied().map(Arc::from).collect::<Vec<Arc<str>>>();
        // Only pages about something name those that lead to them.
        let names_them = |path: &Arc<str>| kb.pages.get(path).is_some_and(|page| matches!(page.kind, PageKind::Entity(..)));
        others.extend(differs.into_iter().filter(names_them));
    }
    (seen == changed.len()).then_some(others)
}

/// Every text with its page.
fn texts(kb: &Kb) -> impl Iterator<Item = (&Page, &PageDraft)> {
    kb.pages.values().flat_map(|page| page.texts.values().map(move |text| (page.as_ref(), text.as_ref())))
}

/// A hash of what a text is to others, but for where it leads and how far translations are behind: what its front matter says, its title, the headings of
/// sections that have names of their own.
fn outline(kb: &Kb, page: &Page, text: &PageDraft) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &str| {
        hasher.update(&part.len().to_le_bytes()).update(part.as_bytes());
    };
    add(&page.path);
    add(text.lang.as_str());
    add(&format!("{:?} {:?}", text.extent, page.kind));
    add(text.source.get(..text.body_at).unwrap_or_default());
    let title = text.prose.title.as_ref();
    add(&format!("{:?}", title.map(|title| (&title.html, &title.text))));
    for heading in text.prose.headings.iter().filter(|heading| kb.sections.contains_key(heading.id.as_str())) {
        add(&heading.id);
        add(&heading.text);
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// The languages in which a page has fallen behind.
fn behind(kb: &Kb, page: &Page) -> String {
    let Some(original) = page.texts.get(kb.config.default_language()) else { return String::new() };
    let behind = page.texts.iter().filter(|(_, text)| text.lang != original.lang && !stale_sections(original, text).is_empty());
    behind.map(|(lang, _)| lang.as_str()).collect::<Vec<_>>().join(" ")
}
