//! The titles and headings of documents, in files of a few kilobytes.

use serde::Serialize;

use super::{
    Document, Emit,
    postings::{IndexTerm, Level},
    shards::script_of,
};

/// The length of a file in bytes from which the next document is in another file. Compressed, a file has a third. A query loads one for each hit, unless hits are
/// neighbors.
const PACK: usize = 9_800;

/// A unit of a document.
pub(super) struct Unit {
    /// The anchor and the heading of its section; `None` at the beginning of the document.
    pub(super) heading: Option<(String, String)>,
    /// Its terms with their levels.
    pub(super) terms: Vec<(IndexTerm, Level)>,
}

/// The part of a document that a hit shows.
#[derive(Serialize)]
struct PackEntry<'a> {
    /// The number of its first unit in this file.
    first: u32,
    url: &'a str,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    lang: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<usize>,
    #[serde(skip_serializing_if = "str::is_empty")]
    summary: &'a str,
    /// The verdicts of the page and of its sections: the anchor, the kinds of objects, the verdict and its label.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    verdicts: Vec<(&'a str, &'a str, &'a str, &'a str)>,
    /// The anchor and the heading of each unit, empty at the beginning of the document; `None` where they are those of the previous unit.
    units: Vec<Option<(&'a str, &'a str)>>,
}

/// Writes the packs while documents are added.
#[derive(Default)]
pub(super) struct Packer {
    /// The entries of the next pack, as JSON.
    entries: Vec<String>,
    length: usize,
    units: Vec<usize>,
    next: u32,
    firsts: Vec<usize>,
    hasher: blake3::Hasher,
}

/// All packs of an index.
pub(super) struct Packs {
    /// The number of units of each document.
    pub(super) units: Vec<usize>,
    /// The first unit of each pack.
    pub(super) firsts: Vec<usize>,
    /// A hash of their content.
    pub(super) hasher: blake3::Hasher,
}

impl Packer {
    /// The number of the next unit.
    pub(super) const fn next_unit(&self) -> u32 {
        self.next
    }

    /// Adds a document. One with many sections is in several packs.
    pub(super) fn add(&mut self, document: &Document, units: &[Unit], emit: Emit<'_>) {
        self.units.push(units.len());
        let mut from = 0;
        while from < units.len() {
            if self.entries.is_empty() {
                self.firsts.push(self.next as usize);
            }
            let mut length = self.length;
            let fits = |unit: &&Unit| {
                length += unit.heading.as_ref().map_or(5, |(anchor, heading)| anchor.len() + heading.len() + 8);
                length < PACK
            };
            let count = units[from..].iter().take_while(fits).count().max(1);
            self.entry(document, &units[from..from + count]);
            from += count;
            if from < units.len() || self.length >= PACK {
                self.flush(emit);
            }
        }
    }

    fn entry(&mut self, document: &Document, units: &[Unit]) {
        // A unit of the beginning can follow a section, so it has an empty heading there.
        let at: Vec<(&str, &str)> = units
            .iter()
            .map(|unit| unit.heading.as_ref().map_or(("", ""), |(anchor, heading)| (anchor.as_str(), heading.as_str())))
            .collect();
        let entry = PackEntry {
            first: self.next,
            url: &document.url,
            title: &document.title,
            lang: document.lang.as_deref(),
            area: document.area,
            summary: if document.summary.is_empty() { &document.excerpt } else { &document.summary },
            verdicts: document.verdicts.iter().map(|it| (it.anchor.as_str(), it.kinds.as_str(), it.id, it.label.as_str())).collect(),
            units: (0..units.len()).map(|number| (number == 0 || at[number - 1] != at[number]).then_some(at[number])).collect(),
        };
        let json = serde_json::to_string(&entry).unwrap_or_default();
        self.length += json.len();
        self.entries.push(json);
        self.next += u32::try_from(units.len()).unwrap_or_default();
    }

    fn flush(&mut self, emit: Emit<'_>) {
        let Some(number) = self.firsts.len().checked_sub(1).filter(|_| !self.entries.is_empty()) else { return };
        let file = script_of("pack", &format!("[{}]", self.entries.join(",")));
        self.entries.clear();
        self.length = 0;
        self.hasher.update(&file);
        emit(&format!("p/{number}.js"), &file);
    }

    /// Writes the last pack.
    pub(super) fn finish(mut self, emit: Emit<'_>) -> Packs {
        self.flush(emit);
        Packs { units: self.units, firsts: self.firsts, hasher: self.hasher }
    }
}
