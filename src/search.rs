//! The search index: converts documents to files that a script on the page loads, a few for each query.
//!
//! A document is a page in one language. It is divided into units: its beginning, with the names and the summary, and each of its sections. Units are what
//! queries find, and what hits lead to. The terms, with the units that contain them, are sorted and cut into shards, and the titles and headings are packed by
//! document; `root.js` has the first key of each shard and the first unit of each pack. So the amount of data that a query loads does not depend on the number of
//! pages: the root, a shard for each word, and the packs with the titles that are shown. Files are scripts, because a page that was opened from a disk can't load
//! anything else.
//!
//! The module has no knowledge of components, and the caller determines the names, the summary, the sections and the importance of a page.

mod name_filter;
mod packs;
mod postings;
mod shards;
mod stem;
mod synonyms;
pub mod tokenizer;

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use packs::{Packer, Unit};
use postings::{Map, Postings, unit_terms};
use shards::{Shard, pack, script};

use crate::listing::Grammar;

/// A page in one language.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The address from the site's root, percent-encoded, without a leading slash.
    pub url: String,
    /// The title.
    pub title: String,
    /// The description, in one sentence.
    pub summary: String,
    /// What hits show of a page without a summary.
    pub excerpt: String,
    /// The language of the text, if it is not the language of the index.
    pub lang: Option<String>,
    /// The index of the area in [`Corpus::areas`].
    pub area: Option<usize>,
    /// The indexes of the providers in [`Corpus::providers`].
    pub providers: Vec<usize>,
    /// The names.
    pub names: Vec<SearchName>,
    /// The verdicts that a hit shows.
    pub verdicts: Vec<SearchVerdict>,
    /// The text.
    pub sections: Vec<SearchSection>,
}

/// A name that a page is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchName {
    /// The name as written.
    pub text: String,
    /// The kind of name.
    pub kind: NameKind,
    /// The anchor of the section that has this name; empty for the page.
    pub anchor: String,
}

/// Whether an object can be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchVerdict {
    /// The anchor of the section that explains the object; empty for the page.
    pub anchor: String,
    /// The kinds of objects that the verdict is for; empty if there is only one.
    pub kinds: String,
    /// The verdict as in the facts, which determines the colour.
    pub id: &'static str,
    /// The verdict as displayed.
    pub label: String,
}

/// Kinds of names, the most relevant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    /// The subject of the page.
    Own,
    /// Another name of the subject.
    Alias,
    /// An object that belongs to it.
    Object,
    /// A flag or a port.
    Setting,
    /// An alert, a metric, a label … Pages have hundreds of them, so that their words say little about the page.
    Known,
    /// A keyword.
    Keyword,
}

/// A section of the text of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchSection {
    /// The fragment of the section; empty for the beginning of the page.
    pub anchor: String,
    /// Its heading.
    pub heading: String,
    /// Its text, blocks separated by a line break.
    pub text: String,
}

/// An area, for display and filtering.
#[derive(Clone, Debug, Serialize)]
pub struct SearchArea {
    /// Its id.
    pub id: String,
    /// The name.
    pub label: String,
    /// The number of the colour.
    pub colour: usize,
    /// The mark: one or two letters.
    pub mark: String,
}

/// A provider, for filtering.
#[derive(Clone, Debug, Serialize)]
pub struct SearchProvider {
    /// Its id.
    pub id: String,
    /// The name.
    pub name: String,
}

/// A name in `kubectl` output, and the section that explains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedName {
    /// The literal prefix of all these names, up to the last `-`, `.` or `:` before a placeholder.
    pub stem: String,
    /// The number of the document.
    pub document: usize,
    /// The anchor of its section; empty for the page.
    pub anchor: String,
    /// The kind of the object.
    pub kind: String,
    /// The name with placeholders.
    pub name: String,
    /// The namespace; empty for any.
    pub namespace: String,
    /// Whether it only fits rows with a namespace.
    pub needs_namespace: bool,
}

impl PrintedName {
    /// All fields except the stem, as a JSON array.
    fn line(&self) -> String {
        let fields = (self.document, &self.anchor, &self.kind, &self.name, &self.namespace, u8::from(self.needs_namespace));
        serde_json::to_string(&fields).unwrap_or_default()
    }
}

/// A fact that answers a query by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchAnswer {
    /// What the query names, as keys separated by spaces: a provider (`p:eks`), a role (`r:cluster-dns`), the number of the document about a component (`d:7`), a
    /// flag or a port (`s:10250`); or the document about the component to delete (`v:7`).
    pub key: String,
    /// The subject.
    pub title: String,
    /// The fact, in lines.
    pub text: String,
    /// The address of the section with its evidence, from the site's root.
    pub url: String,
    /// The day when it was checked; empty if it has no day of its own.
    pub checked: String,
}

impl SearchAnswer {
    /// The key, and all other fields as a JSON array.
    fn line(&self) -> String {
        let fields = (&self.title, &self.text, &self.url, &self.checked);
        format!("{}\t{}", self.key, serde_json::to_string(&fields).unwrap_or_default())
    }
}

/// All searchable data of one language, except the documents, which have the same numbers in every language.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// The importance of each document, by its number: a factor of the score that does not depend on the query, in steps of about a percent.
    pub importance: Vec<u8>,
    /// Groups of words with the same meaning. A query with one of them also finds, with less weight, the others.
    pub synonyms: Vec<Vec<String>>,
    /// The areas.
    pub areas: Vec<SearchArea>,
    /// The providers.
    pub providers: Vec<SearchProvider>,
    /// Names in `kubectl` output.
    pub printed: Vec<PrintedName>,
    /// The rules for deriving these names.
    pub grammar: Grammar,
    /// Facts that answer a query by themselves.
    pub answers: Vec<SearchAnswer>,
    /// The names that answers are found by, as keys ([`tokenizer::key`]), with what each names.
    pub named: Vec<(String, String)>,
    /// The number of the document that compares providers by each role, by the id of the role.
    pub comparisons: BTreeMap<String, usize>,
    /// Words of questions about the deletion of something.
    pub deletion: Vec<String>,
    /// Words of questions that are irrelevant for the answer.
    pub ignored: Vec<String>,
    /// Words for an aspect of the subject that the other words name: role, purpose.
    pub weak: Vec<String>,
}

/// Takes a file of the index, by its path below the folder of the language, from any thread.
pub type Emit<'a> = &'a (dyn Fn(&str, &[u8]) + Sync);

/// The first file that the script reads.
#[derive(Serialize)]
struct Root<'a> {
    /// A hash of the content, which is appended to the addresses of all other files, so that the browser does not use files of an older index.
    version: String,
    /// The number of units of each document.
    units: Vec<usize>,
    /// The importance of each document.
    importance: &'a [u8],
    /// The first unit of each pack.
    packs: Vec<usize>,
    /// The name, the number of the colour, and the mark of each area.
    areas: Vec<(&'a str, usize, &'a str)>,
    /// The first key of each shard, by its folder: `t` for terms, `b` for words by their last letters, `n` for names in `kubectl` output.
    firsts: BTreeMap<&'static str, Vec<&'a str>>,
    /// The filter of all names of pages.
    names: String,
    /// What each name of a role or provider names. See [`Corpus::named`].
    named: BTreeMap<&'a str, Vec<&'a str>>,
    /// See [`Corpus::comparisons`].
    comparisons: &'a BTreeMap<String, usize>,
    /// See [`Corpus::deletion`].
    deletion: &'a [String],
    /// The rules for recognising names in `kubectl` output.
    grammar: &'a Grammar,
    /// Terms that occur in many units.
    common: &'a [String],
    /// Words that are ignored if the query has other words.
    ignored: &'a [String],
    /// Words that select a section of the page that the other words name, and never a page.
    weak: &'a [String],
}

/// The maximum length of a unit in bytes of text, unless a single block is longer. The weight of a word depends on the length of its unit.
const UNIT: usize = 2_600;
/// The maximum length of a block in bytes; longer blocks are cut.
const MAX_BLOCK: usize = 8_000;
/// Terms in more than this share of all units are common: they say little about what a query looks for.
const COMMON: f64 = 0.08;
/// Terms in more than this share of all units are frequent: units that only mention them don't have them. Without these postings, the index has a sixth less, and
/// the share of right first hits is the same; with 0.8 %, it is lower in two of three sets of queries.
const FREQUENT: f64 = 0.014;
/// Terms in at most this many units are neither common nor frequent, even on a small site.
const FEW: usize = 20;
/// The maximum number of postings of a term; those with the highest levels are kept.
const MAX_POSTINGS: usize = 1_500;
/// The number of documents whose terms are in memory before they are merged.
const BATCH: usize = 128;

/// The maximum lengths of the files of terms, of the words for corrections, of printed names and of answers, in bytes. Compressed, they have a half, a third, a
/// seventh and a quarter.
const TERMS: usize = 13_500;
const WORDS: usize = 28_000;
const PRINTED: usize = 90_000;
const ANSWERS: usize = 40_000;

/// Writes the index of one language. Documents are requested by number, from any thread, and dropped after they are indexed.
pub fn index(corpus: &Corpus, document: &(dyn Fn(usize) -> Document + Sync), emit: Emit<'_>) {
    let mut packer = Packer::default();
    let mut facets: Vec<Vec<i64>> = Vec::with_capacity(corpus.importance.len());
    let mut terms: Map<Postings> = Map::default();
    let numbers: Vec<usize> = (0..corpus.importance.len()).collect();
    for batch in numbers.chunks(BATCH) {
        let read = |number: &usize| {
            let document = document(*number);
            let mut units = units(&document);
            postings::keep_strongest(units.iter_mut().map(|unit| &mut unit.terms));
            (document, units)
        };
        let read: Vec<(Document, Vec<Unit>)> = batch.par_iter().map(read).collect();
        for (document, mut units) in read {
            facets.push(facets_of(&document));
            for (number, unit) in (packer.next_unit()..).zip(&mut units) {
                for (term, level) in unit.terms.drain(..) {
                    match terms.get_mut(&*term) {
                        Some(postings) => postings.push(number, level),
                        None => terms.entry(term).or_default().push(number, level),
                    }
                }
            }
            packer.add(&document, &units, emit);
        }
    }
    finish(corpus, &facets, packer, terms, emit);
}

/// Writes the files that depend on all documents.
fn finish(corpus: &Corpus, facets: &[Vec<i64>], packer: Packer, mut terms: Map<Postings>, emit: Emit<'_>) {
    let packs = packer.finish(emit);
    let mut hasher = packs.hasher;
    synonyms::expand(&mut terms, &corpus.synonyms);
    let dictionary = postings::dictionary(postings::sorted(terms), packs.units.iter().sum());
    // By the last letters, because words with the same first letters are neighbors in the list of terms.
    let mut backward: Vec<String> = dictionary.spelled().map(|word| word.chars().rev().collect()).collect();
    backward.sort_unstable();
    let mut printed: Vec<(&str, String)> = corpus.printed.iter().map(|printed| (printed.stem.as_str(), printed.line())).collect();
    printed.sort_unstable();
    let (terms, backward) =
        rayon::join(|| pack(dictionary.lines(), TERMS), || pack(backward.into_iter().map(|word| (word.clone(), word)), WORDS));
    let printed = pack(printed.into_iter().map(|(stem, json)| (stem.to_owned(), format!("{stem}\t{json}"))), PRINTED);
    let mut answers: Vec<(&str, String)> = corpus.answers.iter().map(|answer| (answer.key.as_str(), answer.line())).collect();
    answers.sort_by_key(|(key, _)| *key);
    let answers = pack(answers.into_iter().map(|(key, line)| (key.to_owned(), line)), ANSWERS);
    let shards = [("t", &terms), ("b", &backward), ("n", &printed), ("a", &answers)];
    for (folder, shards) in &shards {
        let file = |(number, shard): (usize, &Shard)| {
            let (path, bytes) = (format!("{folder}/{number}.js"), script("lines", &shard.lines));
            emit(&path, &bytes);
            *blake3::hash(&bytes).as_bytes()
        };
        let made: Vec<[u8; blake3::OUT_LEN]> = shards.par_iter().enumerate().map(file).collect();
        hasher.update(made.as_flattened());
    }
    let facets = script("facets", &Facets { areas: &corpus.areas, providers: &corpus.providers, documents: facets });
    hasher.update(&facets);
    emit("facets.js", &facets);
    let mut named: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, of) in &corpus.named {
        named.entry(name).or_default().push(of);
    }
    let root = Root {
        version: hasher.finalize().to_hex()[..10].to_owned(),
        units: packs.units,
        importance: &corpus.importance,
        packs: packs.firsts,
        areas: corpus.areas.iter().map(|area| (area.label.as_str(), area.colour, area.mark.as_str())).collect(),
        firsts: shards.into_iter().map(|(folder, shards)| (folder, shards.iter().map(|shard| shard.first.as_str()).collect())).collect(),
        names: name_filter::name_filter(dictionary.names()),
        named,
        comparisons: &corpus.comparisons,
        deletion: &corpus.deletion,
        grammar: &corpus.grammar,
        common: &dictionary.common,
        ignored: &corpus.ignored,
        weak: &corpus.weak,
    };
    emit("root.js", &script("root", &root));
}

/// The number of the area of a document, then those of its providers; -1 for no area.
fn facets_of(document: &Document) -> Vec<i64> {
    let number = |number: usize| i64::try_from(number).unwrap_or(-1);
    let providers = document.providers.iter().map(|provider| number(*provider));
    std::iter::once(document.area.map_or(-1, number)).chain(providers).collect()
}

/// The data for filtering: the areas, the providers, and those of each document.
#[derive(Serialize)]
struct Facets<'a> {
    areas: &'a [SearchArea],
    providers: &'a [SearchProvider],
    /// See [`facets_of`].
    documents: &'a [Vec<i64>],
}

/// Divides a document into units: its beginning, each keyword, its sections, and the parts of long sections. Keywords are whole queries, so the words of one belong
/// together.
fn units(document: &Document) -> Vec<Unit> {
    let beginning = document.sections.iter().take_while(|section| section.anchor.is_empty());
    let count = beginning.clone().count();
    let text = beginning.map(|section| section.text.as_str()).collect::<Vec<_>>().join("\n");
    let mut parts = parts(&text).into_iter();
    let of = |anchor: &str| document.names.iter().filter(move |name| name.anchor == anchor).collect::<Vec<_>>();
    let (keywords, names): (Vec<&SearchName>, Vec<&SearchName>) = of("").into_iter().partition(|name| name.kind == NameKind::Keyword);
    let first = unit_terms(&document.summary, names.into_iter(), "", &parts.next().unwrap_or_default());
    let mut units = vec![Unit { heading: None, terms: first }];
    units.extend(keywords.into_iter().map(|keyword| Unit { heading: None, terms: unit_terms("", std::iter::once(keyword), "", "") }));
    units.extend(parts.map(|part| Unit { heading: None, terms: unit_terms("", [].iter(), "", &part) }));
    for section in &document.sections[count..] {
        // The names of a section are in its first part.
        let mut names = of(&section.anchor);
        for part in parts_of(section) {
            let terms = unit_terms("", names.drain(..), &section.heading, &part);
            let heading = (!section.anchor.is_empty()).then(|| (section.anchor.clone(), section.heading.clone()));
            units.push(Unit { heading, terms });
        }
    }
    units
}

/// The parts of a section, at least one.
fn parts_of(section: &SearchSection) -> Vec<String> {
    let parts = parts(&section.text);
    // A heading without text is indexed as well.
    if parts.is_empty() { vec![String::new()] } else { parts }
}

/// Cuts a text into parts of at most [`UNIT`] bytes, between blocks.
fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for block in text.lines().flat_map(|line| shards::pieces_of(line, MAX_BLOCK)).filter(|block| !block.trim().is_empty()) {
        match parts.last_mut() {
            Some(part) if part.len() + block.len() <= UNIT => {
                part.push('\n');
                part.push_str(block);
            }
            _ => parts.push(block.to_owned()),
        }
    }
    parts
}
