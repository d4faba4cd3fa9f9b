//! The search index: documents to files that a script on the page reads, a few of them for each query.
//!
//! A document is a page in one language. It is cut into passages of a few kilobytes; a passage is what is found, and its text is one file. Terms with
//! the passages in which they stand are sorted and cut into shards; `root.js` says with which term each shard begins. So what a query moves does
//! not depend on the number of pages: the root, a shard for each word, the passages that are shown. Files are scripts, because nothing else can be read from a
//! page that was opened from a disk.
//!
//! Knows nothing of components, and of listings only that names are printed: what a name, a summary or a section of a page is, the caller decides.

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
    /// Its address from the site's root, percent-encoded, without a slash at the beginning.
    pub url: String,
    /// Its title.
    pub title: String,
    /// What it is about, in one sentence.
    pub summary: String,
    /// The language of its text, if it is not the one of the index.
    pub lang: Option<String>,
    /// Number of its area in [`Corpus::areas`].
    pub area: Option<usize>,
    /// Numbers of its providers in [`Corpus::providers`].
    pub providers: Vec<usize>,
    /// What it is called.
    pub names: Vec<SearchName>,
    /// Its text.
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
    /// The fragment that leads here; empty for the beginning of the page.
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
    /// What it is called.
    pub label: String,
    /// The number of its colour.
    pub colour: usize,
    /// Its letters.
    pub mark: String,
}

/// A provider, for filtering.
#[derive(Clone, Debug, Serialize)]
pub struct SearchProvider {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: String,
}

/// A name in the output of kubectl, and the section that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedName {
    /// The literal prefix of all such names, up to the last `-`, `.` or `:` before a placeholder.
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
    /// All fields but the stem, as a JSON array.
    fn line(&self) -> String {
        let fields = (self.document, &self.anchor, &self.kind, &self.name, &self.namespace, u8::from(self.needs_namespace));
        serde_json::to_string(&fields).unwrap_or_default()
    }
}

/// Everything that is searched in one language, but for the documents, which have the same numbers in every language.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// How many pages lead to each document, by its number.
    pub popularity: Vec<usize>,
    /// The areas.
    pub areas: Vec<SearchArea>,
    /// The providers.
    pub providers: Vec<SearchProvider>,
    /// Names as they are printed.
    pub printed: Vec<PrintedName>,
    /// How such names are derived.
    pub grammar: Grammar,
    /// Words of questions that say nothing about their answer.
    pub ignored: Vec<String>,
    /// Words that ask for a part of what the others name: role, purpose.
    pub weak: Vec<String>,
}

/// Takes a file of the index, by its path below the folder of the language, from any thread.
pub type Emit<'a> = &'a (dyn Fn(&str, &[u8]) + Sync);

/// The first file that the script reads.
#[derive(Serialize)]
struct Root<'a> {
    /// Changes with the content; appended to the addresses of all other files, so that none of an older index is used.
    version: String,
    /// The number of passages of each document.
    passages: &'a [usize],
    /// How popular each document is: the logarithm of the number of pages that lead to it.
    popularity: Vec<u32>,
    /// With what each shard begins, by its folder: `t` for terms, `f` and `b` for words by length and then by their first or last letters,
    /// `n` for names as they are printed.
    firsts: BTreeMap<&'static str, Vec<&'a str>>,
    /// How printed names are recognised.
    grammar: &'a Grammar,
    /// Terms that are nearly everywhere.
    common: &'a [String],
    /// Words that are ignored if there are others.
    ignored: &'a [String],
    /// Words that lead to a section of the page that is asked for, and to no page.
    weak: &'a [String],
}

/// Passages end before this many bytes of text, unless a single block is longer.
const PASSAGE: usize = 2_600;
/// A block that is longer than this is cut.
const MAX_BLOCK: usize = 8_000;
/// Terms of more than this share of all passages stand only where they are more than text.
const COMMON: f64 = 0.25;
/// A term of fewer passages is never common, however small the site.
const FEW: usize = 20;
/// A term of more passages than this is kept where it weighs most.
const MAX_POSTINGS: usize = 1_500;
/// Documents whose terms are held in memory before they are merged.
const BATCH: usize = 128;

/// What is kept of a document when its text has gone to its files.
struct IndexedDocument {
    /// The number of its area, then those of its providers; -1 for no area.
    facets: Vec<i64>,
    /// The hashes of the files of its passages.
    passages: Vec<blake3::Hash>,
}

/// Makes the index of one language. Documents are requested by number, from any thread, and dropped after they are read.
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

/// What depends on all documents.
fn finish(corpus: &Corpus, documents: &[IndexedDocument], terms: Vec<(IndexTerm, Postings)>, emit: Emit<'_>) {
    let mut hasher = blake3::Hasher::new();
    for passage in documents.iter().flat_map(|document| &document.passages) {
        hasher.update(passage.as_bytes());
    }
    let counts: Vec<usize> = documents.iter().map(|document| document.passages.len()).collect();
    let dictionary = postings::dictionary(terms, counts.iter().sum());
    let spelling = |turn: fn(&str) -> String| {
        // By length first: a mistyped word is about as long as the right one.
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

/// What one can choose by, and what each document belongs to.
#[derive(Serialize)]
struct Facets<'a> {
    areas: &'a [SearchArea],
    providers: &'a [SearchProvider],
    /// See [`IndexedDocument::facets`].
    documents: Vec<&'a [i64]>,
}

/// A passage of a document.
struct Passage {
    /// From the numbers of the document and of the passage in it: where a document grows, the files of those behind it keep their names.
    path: String,
    file: Vec<u8>,
    terms: Vec<(IndexTerm, Level)>,
}

/// What a passage's file says.
#[derive(Serialize)]
struct PassageFile<'a> {
    url: &'a str,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    lang: Option<&'a str>,
    /// Name, number of colour, mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<(&'a str, usize, &'a str)>,
    /// Of the first passage: what the page is about.
    #[serde(skip_serializing_if = "str::is_empty")]
    summary: &'a str,
    /// Anchor, heading, text.
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
        // A heading without a text is found, too.
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
            let anchored = |name: &&SearchName| match name.anchor.as_str() {
                "" => first,
                anchor => sections.iter().any(|section| section.anchor == anchor),
            };
            let file = PassageFile {
                url: &document.url,
                title: &document.title,
                lang: document.lang.as_deref(),
                area,
                summary: if first { &document.summary } else { "" },
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
