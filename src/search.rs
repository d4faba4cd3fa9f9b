//! The search index: converts documents to files that a script on the page loads, a few for each query.
//!
//! A document is a page in one language. It is cut into passages of a few kilobytes. Passages are the units of search results, and each has its text in one
//! file. The terms, with the passages that contain them, are sorted and cut into shards; `root.js` has the first term of each shard. So the amount of data that
//! a query loads does not depend on the number of pages: the root, a shard for each word, and the passages that are shown. Files are scripts, because a page
//! that was opened from a disk can't load anything else.
//!
//! The module has no knowledge of components, and the caller determines the names, the summary and the sections of a page.

mod postings;
mod shards;
mod stem;
pub mod tokenizer;

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use postings::{IndexTerm, Level, Map, Postings, passage_terms};
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

impl SearchSection {
    /// The same section with another text.
    fn with(&self, text: &str) -> Self {
        Self { anchor: self.anchor.clone(), heading: self.heading.clone(), text: text.to_owned() }
    }
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

/// All searchable data of one language, except the documents, which have the same numbers in every language.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// The number of pages that link to each document, by the number of the document.
    pub popularity: Vec<usize>,
    /// The areas.
    pub areas: Vec<SearchArea>,
    /// The providers.
    pub providers: Vec<SearchProvider>,
    /// Names in `kubectl` output.
    pub printed: Vec<PrintedName>,
    /// The rules for deriving these names.
    pub grammar: Grammar,
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
    /// The number of passages of each document.
    passages: &'a [usize],
    /// The popularity of each document: the logarithm of the number of pages that link to it.
    popularity: Vec<u32>,
    /// The first key of each shard, by its folder: `t` for terms, `f` and `b` for words by length and then by their first or last letters, `n` for names in
    /// `kubectl` output.
    firsts: BTreeMap<&'static str, Vec<&'a str>>,
    /// The rules for recognising names in `kubectl` output.
    grammar: &'a Grammar,
    /// Terms that occur in most passages.
    common: &'a [String],
    /// Words that are ignored if the query has other words.
    ignored: &'a [String],
    /// Words that select a section of the page that the other words name, and never a page.
    weak: &'a [String],
}

/// Passages end before this many bytes of text, unless a single block is longer.
const PASSAGE: usize = 2_600;
/// The maximum length of a block in bytes; longer blocks are cut.
const MAX_BLOCK: usize = 8_000;
/// Terms in more than this share of all passages are common: they are indexed only where their level is high.
const COMMON: f64 = 0.25;
/// Terms in at most this many passages are never common, even on a small site.
const FEW: usize = 20;
/// The maximum number of postings of a term; those with the highest levels are kept.
const MAX_POSTINGS: usize = 1_500;
/// The number of documents whose terms are in memory before they are merged.
const BATCH: usize = 128;

/// The data of a document that remains in memory after its files are written.
struct IndexedDocument {
    /// The number of its area, then those of its providers; -1 for no area.
    facets: Vec<i64>,
    /// The hashes of the files of its passages.
    passages: Vec<blake3::Hash>,
}

/// Writes the index of one language. Documents are requested by number, from any thread, and dropped after they are indexed.
pub fn index(corpus: &Corpus, document: &(dyn Fn(usize) -> Document + Sync), emit: Emit<'_>) {
    let mut documents: Vec<IndexedDocument> = Vec::with_capacity(corpus.popularity.len());
    let mut passages = 0_u32;
    let mut terms: Map<Postings> = Map::default();
    let numbers: Vec<usize> = (0..corpus.popularity.len()).collect();
    for batch in numbers.chunks(BATCH) {
        let read = |number: &usize| {
            let document = document(*number);
            let passages = cut(*number, &document, corpus);
            (IndexedDocument::of(&document, &passages), passages)
        };
        let read: Vec<(IndexedDocument, Vec<Passage>)> = batch.par_iter().map(read).collect();
        let (mut files, mut found) = (Vec::new(), Vec::new());
        for (document, passages) in read {
            documents.push(document);
            for Passage { path, file, terms } in passages {
                files.push((path, file));
                found.push(terms);
            }
        }
        let merge = || {
            for found in found {
                for (term, level) in found {
                    match terms.get_mut(&*term) {
                        Some(postings) => postings.push(passages, level),
                        None => terms.entry(term).or_default().push(passages, level),
                    }
                }
                passages += 1;
            }
        };
        rayon::join(merge, || files.into_par_iter().for_each(|(path, file)| emit(&path, &file)));
    }
    finish(corpus, &documents, postings::sorted(terms), emit);
}

/// Writes the files that depend on all documents.
fn finish(corpus: &Corpus, documents: &[IndexedDocument], terms: Vec<(IndexTerm, Postings)>, emit: Emit<'_>) {
    let mut hasher = blake3::Hasher::new();
    for passage in documents.iter().flat_map(|document| &document.passages) {
        hasher.update(passage.as_bytes());
    }
    let counts: Vec<usize> = documents.iter().map(|document| document.passages.len()).collect();
    let dictionary = postings::dictionary(terms, counts.iter().sum());
    let spelling = |turn: fn(&str) -> String| {
        // By length first, because a mistyped word has about the same length as the intended one.
        let length = |word: &str| shards::digit(u8::try_from(word.len().min(63)).unwrap_or_default());
        let mut words: Vec<String> = dictionary.spelled().map(|word| format!("{}{}", length(word), turn(word))).collect();
        words.sort_unstable();
        pack(words.into_iter().map(|word| (word.clone(), word)))
    };
    let mut printed: Vec<(&str, String)> = corpus.printed.iter().map(|printed| (printed.stem.as_str(), printed.line())).collect();
    printed.sort_unstable();
    let (terms, (forward, backward)) = rayon::join(
        || pack(dictionary.lines()),
        || rayon::join(|| spelling(str::to_owned), || spelling(|word| word.chars().rev().collect())),
    );
    let printed = pack(printed.into_iter().map(|(stem, json)| (stem.to_owned(), format!("{stem}\t{json}"))));
    let shards = [("t", &terms), ("f", &forward), ("b", &backward), ("n", &printed)];
    for (folder, shards) in &shards {
        let file = |(number, shard): (usize, &Shard)| {
            let (path, bytes) = (format!("{folder}/{number}.js"), script("lines", &shard.lines));
            emit(&path, &bytes);
            *blake3::hash(&bytes).as_bytes()
        };
        let made: Vec<[u8; blake3::OUT_LEN]> = shards.par_iter().enumerate().map(file).collect();
        hasher.update(made.as_flattened());
    }
    let facets = documents.iter().map(|document| document.facets.as_slice()).collect();
    let facets = script("facets", &Facets { areas: &corpus.areas, providers: &corpus.providers, documents: facets });
    hasher.update(&facets);
    emit("facets.js", &facets);
    let root = Root {
        version: hasher.finalize().to_hex()[..10].to_owned(),
        passages: &counts,
        popularity: corpus.popularity.iter().map(|popularity| (popularity + 1).ilog2()).collect(),
        firsts: shards.into_iter().map(|(folder, shards)| (folder, shards.iter().map(|shard| shard.first.as_str()).collect())).collect(),
        grammar: &corpus.grammar,
        common: &dictionary.common,
        ignored: &corpus.ignored,
        weak: &corpus.weak,
    };
    emit("root.js", &script("root", &root));
}

impl IndexedDocument {
    fn of(document: &Document, passages: &[Passage]) -> Self {
        let number = |number: usize| i64::try_from(number).unwrap_or(-1);
        let providers = document.providers.iter().map(|provider| number(*provider));
        let facets = std::iter::once(document.area.map_or(-1, number)).chain(providers).collect();
        Self { facets, passages: passages.iter().map(|passage| blake3::hash(&passage.file)).collect() }
    }
}

/// The data for filtering: the areas, the providers, and those of each document.
#[derive(Serialize)]
struct Facets<'a> {
    areas: &'a [SearchArea],
    providers: &'a [SearchProvider],
    /// See [`IndexedDocument::facets`].
    documents: Vec<&'a [i64]>,
}

/// A passage of a document.
struct Passage {
    /// The path consists of the numbers of the document and of the passage: if a document grows, the files of later documents keep their names.
    path: String,
    file: Vec<u8>,
    terms: Vec<(IndexTerm, Level)>,
}

/// The content of a passage's file.
#[derive(Serialize)]
struct PassageFile<'a> {
    url: &'a str,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    lang: Option<&'a str>,
    /// The name, the number of the colour, and the mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<(&'a str, usize, &'a str)>,
    /// The summary of the page, in its first passage only.
    #[serde(skip_serializing_if = "str::is_empty")]
    summary: &'a str,
    /// The verdicts of the page and of these sections, in its first passage of all sections: the anchor, the kinds of objects, the verdict and its label.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    verdicts: Vec<(&'a str, &'a str, &'a str, &'a str)>,
    /// The anchor, the heading and the text of each section.
    sections: Vec<(&'a str, &'a str, &'a str)>,
}

/// Cuts a document into passages, between blocks.
fn cut(document_number: usize, document: &Document, corpus: &Corpus) -> Vec<Passage> {
    let mut passages: Vec<Vec<SearchSection>> = vec![Vec::new()];
    let mut length = 0;
    for section in &document.sections {
        let mut begun = false;
        for block in section.text.lines().flat_map(|line| shards::pieces_of(line, MAX_BLOCK)).filter(|block| !block.trim().is_empty()) {
            if length > 0 && length + block.len() > PASSAGE {
                passages.push(Vec::new());
                (length, begun) = (0, false);
            }
            length += block.len() + section.heading.len() * usize::from(!begun);
            let Some(last) = passages.last_mut() else { continue };
            match last.last_mut().filter(|_| begun) {
                Some(part) => {
                    part.text.push('\n');
                    part.text.push_str(block);
                }
                None => last.push(section.with(block)),
            }
            begun = true;
        }
        // A heading without text is indexed as well.
        if !begun && !section.heading.is_empty() {
            length += section.heading.len();
            if let Some(last) = passages.last_mut() {
                last.push(section.with(""));
            }
        }
    }
    let area = document.area.and_then(|area| corpus.areas.get(area)).map(|area| (area.label.as_str(), area.colour, area.mark.as_str()));
    passages
        .iter()
        .enumerate()
        .map(|(number, sections)| {
            let first = number == 0;
            let has = |anchor: &str| sections.iter().any(|section| section.anchor == anchor);
            let anchored = |name: &&SearchName| if name.anchor.is_empty() { first } else { has(&name.anchor) };
            let verdicts = document.verdicts.iter().filter(|verdict| first || verdict.anchor.is_empty() || has(&verdict.anchor));
            let file = PassageFile {
                url: &document.url,
                title: &document.title,
                lang: document.lang.as_deref(),
                area,
                summary: if first { &document.summary } else { "" },
                verdicts: verdicts.map(|it| (it.anchor.as_str(), it.kinds.as_str(), it.id, it.label.as_str())).collect(),
                sections: sections
                    .iter()
                    .map(|section| (section.anchor.as_str(), section.heading.as_str(), section.text.as_str()))
                    .collect(),
            };
            let file = script("passage", &file);
            let terms = passage_terms(if first { &document.summary } else { "" }, document.names.iter().filter(anchored), sections);
            Passage { path: format!("p/{document_number}-{number}.js"), file, terms }
        })
        .collect()
}
