//! Addresses on other sites that a knowledge base cites: which they are, what was found there last, and what to say of it. Asking them is the command's business,
//! because it is slow and never has the same answer twice.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    sync::Arc,
};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{
    diagnostic::Texts,
    kb::{Evidence, Kb},
    markdown::Target,
    text::line_column,
};

/// An address, without its fragment, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The address, with its scheme.
    pub url: String,
    /// File and line, from 1; in order.
    pub places: BTreeSet<(Arc<str>, usize)>,
}

/// What was found at an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looked {
    /// The status of HTTP; 0 if nothing answered.
    pub status: u16,
    /// Why nothing answered.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The day.
    pub day: Date,
}

/// What an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Health {
    /// It is there.
    Fine,
    /// It is there no more.
    Gone,
    /// Nobody can say: the host does not answer, or does not answer programs.
    Unsure,
}

impl Looked {
    /// What the answer says. Only 404 and 410 say that a page is gone; whoever asks for a login (401), refuses programs (403, 429) or is ill (5xx) may have it.
    #[must_use]
    pub const fn health(&self) -> Health {
        match self.status {
            200..=399 => Health::Fine,
            404 | 410 => Health::Gone,
            _ => Health::Unsure,
        }
    }
}

/// What was found so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cache {
    /// The version of this format; a cache of another one is not used.
    schema_version: u32,
    /// By address.
    looked: BTreeMap<String, Looked>,
}

/// See [`Cache`].
const SCHEMA_VERSION: u32 = 1;

impl Cache {
    /// Reads a cache; whatever is no cache of this version is an empty one.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let read = serde_json::from_str::<Self>(text).ok().filter(|cache| cache.schema_version == SCHEMA_VERSION);
        read.unwrap_or(Self { schema_version: SCHEMA_VERSION, looked: BTreeMap::new() })
    }

    /// The cache as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The addresses to ask: those never asked, those that were not fine, and those that were asked more than so many days ago.
    #[must_use]
    pub fn due<'a>(&self, addresses: &'a [Address], today: Date, days: u32) -> Vec<&'a str> {
        let is_fresh = |looked: &Looked| {
            let age = looked.day.until(today).map_or(i64::MAX, |span| i64::from(span.get_days()));
            looked.health() == Health::Fine && (0..=i64::from(days)).contains(&age)
        };
        addresses.iter().map(|address| address.url.as_str()).filter(|url| !self.looked.get(*url).is_some_and(is_fresh)).collect()
    }

    /// Notes what was found.
    pub fn note(&mut self, url: &str, looked: Looked) {
        self.looked.insert(url.to_owned(), looked);
    }

    /// Forgets addresses that nobody cites any more.
    pub fn keep(&mut self, addresses: &[Address]) {
        let cited: BTreeSet<&str> = addresses.iter().map(|address| address.url.as_str()).collect();
        self.looked.retain(|url, _| cited.contains(url.as_str()));
    }
}

/// Every address on another site that evidence or a page of a knowledge base names, in order.
#[must_use]
pub fn addresses(kb: &Kb, texts: &impl Texts) -> Vec<Address> {
    let mut all: BTreeMap<String, BTreeSet<(Arc<str>, usize)>> = BTreeMap::new();
    let mut add = |url: &str, file: &Arc<str>, offset: usize| {
        let url = url.split('#').next().unwrap_or_default();
        if url.starts_with("https://") || url.starts_with("http://") {
            let line = texts.text(file).map_or(1, |text| line_column(text, offset).line);
            all.entry(url.to_owned()).or_default().insert((file.clone(), line));
        }
    };
    let facts = (kb.components.values().map(|it| (&it.file, &it.evidence)))
        .chain(kb.providers.values().map(|it| (&it.file, &it.evidence)))
        .chain(kb.concepts.values().map(|it| (&it.file, &it.evidence)));
    for (file, evidence) in facts {
        for (url, entry) in evidence.iter().filter_map(|entry: &Evidence| Some((entry.url.as_deref()?, entry))) {
            // Facts do not remember where each value stood; the address itself is easy to find.
            let text = texts.text(file).unwrap_or_default();
            let key = text.find(&format!("{}:", entry.key)).unwrap_or(0);
            let at = text.get(key..).and_then(|rest| rest.find(url)).map(|at| key + at).or_else(|| text.find(url));
            add(url, file, at.unwrap_or(0));
        }
    }
    for text in kb.pages.values().flat_map(|page| page.texts.values()) {
        for link in &text.prose.links {
            if let Target::External(url) = &link.target {
                add(url, &text.file, text.body_at + link.span.start);
            }
        }
    }
    all.into_iter().map(|(url, places)| Address { url, places }).collect()
}

/// What was found, as Markdown: what is gone, then what could not be found out. Whether anything is gone.
#[must_use]
pub fn report(addresses: &[Address], cache: &Cache) -> (String, bool) {
    let with = |health: Health| {
        addresses.iter().filter_map(move |it| Some((it, cache.looked.get(&it.url)?)).filter(|(_, looked)| looked.health() == health))
    };
    let count = |health: Health| with(health).count();
    let mut text = format!(
        "{} addresses: {} there, {} gone, {} could not be found out\n",
        addresses.len(),
        count(Health::Fine),
        count(Health::Gone),
        count(Health::Unsure)
    );
    for (health, title) in [(Health::Gone, "Gone"), (Health::Unsure, "Not known")] {
        if count(health) > 0 {
            let _ = write!(text, "\n## {title}\n\n");
        }
        for (address, looked) in with(health) {
            let why = if looked.status == 0 { looked.why.clone() } else { looked.status.to_string() };
            let places: Vec<String> = address.places.iter().map(|(file, line)| format!("`{file}:{line}`")).collect();
            let _ = writeln!(text, "- <{}> ({why}, {}): {}", address.url, looked.day, places.join(", "));
        }
    }
    (text, count(Health::Gone) > 0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn address(url: &str) -> Address {
        Address { url: url.to_owned(), places: BTreeSet::from([("a.md".into(), 3)]) }
    }

    fn looked(status: u16, on: &str) -> Looked {
        Looked { status, why: String::new(), day: day(on) }
    }

    #[test]
    fn what_was_fine_lately_is_not_asked_again() {
        let addresses = ["https://new", "https://fine", "https://old", "https://gone", "https://shy"].map(address);
        let mut cache = Cache::parse("");
        cache.note("https://fine", looked(200, "2026-11-01"));
        cache.note("https://old", looked(200, "2026-09-01"));
        cache.note("https://gone", looked(404, "2026-11-20"));
        cache.note("https://shy", looked(403, "2026-11-20"));
        cache.note("https://uncited", looked(404, "2026-11-20"));
        assert_eq!(cache.due(&addresses, day("2026-11-22"), 30), ["https://new", "https://old", "https://gone", "https://shy"]);
        assert_eq!(Cache::parse(&cache.text()), cache);
        cache.keep(&addresses);
        let (report, gone) = report(&addresses, &cache);
        assert!(gone && !report.contains("uncited"));
        assert!(report.starts_with("5 addresses: 2 there, 1 gone, 1 could not be found out\n"), "{report}");
        assert!(report.contains("## Gone\n\n- <https://gone> (404, 2026-11-20): `a.md:3`\n"), "{report}");
    }

    #[test]
    fn a_cache_of_another_kind_is_none() {
        for text in ["", "{", "[]", r#"{"schema_version":2,"looked":{"https://x":{"status":200,"day":"2026-11-20"}}}"#] {
            assert_eq!(Cache::parse(text), Cache::parse("no"));
        }
    }
}
