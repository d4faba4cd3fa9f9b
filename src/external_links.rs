//! The external links of a knowledge base, the cached results of their last checks, and the report. The requests are made by the command, because they are slow
//! and not reproducible.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    sync::Arc,
};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{
    diagnostic::SourceText,
    kb::{Evidence, Kb},
    markdown::Target,
    text::LineIndex,
};

/// An address on another site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalLink {
    /// The absolute address, without its fragment.
    pub url: String,
    /// The files that link to it, with line numbers from 1.
    pub places: BTreeSet<(Arc<str>, usize)>,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkCheck {
    /// The HTTP status; 0 without a response.
    pub status: u16,
    /// Why there is no response; empty if there is one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The day of the check.
    pub day: Date,
}

/// The meaning of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkHealth {
    /// The page exists.
    Ok,
    /// The page no longer exists.
    Gone,
    /// The host does not respond, or rejects automated requests.
    Unknown,
}

impl LinkCheck {
    /// The meaning of the status. Only 404 and 410 mean that a page no longer exists: on hosts that require a login (401), reject automated requests (403, 429)
    /// or fail (5xx), it may exist.
    #[must_use]
    pub const fn health(&self) -> LinkHealth {
        match self.status {
            200..=399 => LinkHealth::Ok,
            404 | 410 => LinkHealth::Gone,
            _ => LinkHealth::Unknown,
        }
    }
}

/// The results of the last checks, as `links` stores them between runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkCache {
    /// The version of the format. A cache of another version is discarded.
    schema_version: u32,
    #[serde(rename = "looked")]
    checks: BTreeMap<String, LinkCheck>,
}

const SCHEMA_VERSION: u32 = 1;

impl LinkCache {
    /// Parses a cache. Returns an empty cache if the text is not a cache of this version.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let read = serde_json::from_str::<Self>(text).ok().filter(|cache| cache.schema_version == SCHEMA_VERSION);
        read.unwrap_or(Self { schema_version: SCHEMA_VERSION, checks: BTreeMap::new() })
    }

    /// The cache as JSON text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The addresses to check: new ones, those whose last check was not [`LinkHealth::Ok`], and those whose last check is more than `max_age` days ago.
    #[must_use]
    pub fn due<'a>(&self, links: &'a [ExternalLink], today: Date, max_age: u32) -> Vec<&'a str> {
        let is_fresh = |check: &LinkCheck| {
            let age = check.day.until(today).map_or(i64::MAX, |span| i64::from(span.get_days()));
            check.health() == LinkHealth::Ok && (0..=i64::from(max_age)).contains(&age)
        };
        links.iter().map(|link| link.url.as_str()).filter(|url| !self.checks.get(*url).is_some_and(is_fresh)).collect()
    }

    /// Records the result of a check.
    pub fn insert(&mut self, url: &str, check: LinkCheck) {
        self.checks.insert(url.to_owned(), check);
    }

    /// Removes addresses that are not among `links`.
    pub fn retain(&mut self, links: &[ExternalLink]) {
        let cited: BTreeSet<&str> = links.iter().map(|link| link.url.as_str()).collect();
        self.checks.retain(|url, _| cited.contains(url.as_str()));
    }
}

/// The external links of evidence and pages, sorted by address.
#[must_use]
pub fn external_links(kb: &Kb, texts: &impl SourceText) -> Vec<ExternalLink> {
    let mut all: BTreeMap<String, BTreeSet<(Arc<str>, usize)>> = BTreeMap::new();
    let mut lines: BTreeMap<Arc<str>, LineIndex<'_>> = BTreeMap::new();
    let mut add = |url: &str, file: &Arc<str>, offset: usize| {
        let url = url.split('#').next().unwrap_or_default();
        if url.starts_with("https://") || url.starts_with("http://") {
            let index = lines.entry(file.clone()).or_insert_with(|| LineIndex::new(texts.text(file).unwrap_or_default()));
            let line = index.line_column(offset).line;
            all.entry(url.to_owned()).or_default().insert((file.clone(), line));
        }
    };
    let facts = (kb.components.values().map(|it| (&it.file, &it.evidence)))
        .chain(kb.providers.values().map(|it| (&it.file, &it.evidence)))
        .chain(kb.concepts.values().map(|it| (&it.file, &it.evidence)));
    for (file, evidence) in facts {
        for (url, entry) in evidence.iter().filter_map(|entry: &Evidence| Some((entry.url.as_deref()?, entry))) {
            // Checked facts have no spans; the address is searched for in the text, beginning at the key of the entry.
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
    all.into_iter().map(|(url, places)| ExternalLink { url, places }).collect()
}

/// A report on the last checks.
#[derive(Clone, Debug)]
pub struct LinkReport {
    /// Markdown: the dead links, then those whose state is unknown.
    pub text: String,
    /// Whether any link is dead.
    pub any_gone: bool,
}

/// Reports the cached results of the given links.
#[must_use]
pub fn report(links: &[ExternalLink], cache: &LinkCache) -> LinkReport {
    let with = |health: LinkHealth| {
        links.iter().filter_map(move |it| Some((it, cache.checks.get(&it.url)?)).filter(|(_, check)| check.health() == health))
    };
    let count = |health: LinkHealth| with(health).count();
    let mut text = format!(
        "{} addresses: {} available, {} gone, {} unknown\n",
        links.len(),
        count(LinkHealth::Ok),
        count(LinkHealth::Gone),
        count(LinkHealth::Unknown)
    );
    for (health, title) in [(LinkHealth::Gone, "Gone"), (LinkHealth::Unknown, "Not known")] {
        if count(health) > 0 {
            let _ = write!(text, "\n## {title}\n\n");
        }
        for (link, check) in with(health) {
            let why = if check.status == 0 { check.why.clone() } else { check.status.to_string() };
            let places: Vec<String> = link.places.iter().map(|(file, line)| format!("`{file}:{line}`")).collect();
            let _ = writeln!(text, "- <{}> ({why}, {}): {}", link.url, check.day, places.join(", "));
        }
    }
    LinkReport { text, any_gone: count(LinkHealth::Gone) > 0 }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn link(url: &str) -> ExternalLink {
        ExternalLink { url: url.to_owned(), places: BTreeSet::from([("a.md".into(), 3)]) }
    }

    fn check(status: u16, on: &str) -> LinkCheck {
        LinkCheck { status, why: String::new(), day: day(on) }
    }

    #[test]
    fn recently_checked_links_are_not_due() {
        let links = ["https://new", "https://fine", "https://old", "https://gone", "https://shy"].map(link);
        let mut cache = LinkCache::parse("");
        cache.insert("https://fine", check(200, "2026-11-01"));
        cache.insert("https://old", check(200, "2026-09-01"));
        cache.insert("https://gone", check(404, "2026-11-20"));
        cache.insert("https://shy", check(403, "2026-11-20"));
        cache.insert("https://uncited", check(404, "2026-11-20"));
        assert_eq!(cache.due(&links, day("2026-11-22"), 30), ["https://new", "https://old", "https://gone", "https://shy"]);
        assert_eq!(LinkCache::parse(&cache.text()), cache);
        cache.retain(&links);
        let LinkReport { text: report, any_gone } = report(&links, &cache);
        assert!(any_gone && !report.contains("uncited"));
        assert!(report.starts_with("5 addresses: 2 available, 1 gone, 1 unknown\n"), "{report}");
        assert!(report.contains("## Gone\n\n- <https://gone> (404, 2026-11-20): `a.md:3`\n"), "{report}");
    }

    #[test]
    fn another_format_is_an_empty_cache() {
        for text in ["", "{", "[]", r#"{"schema_version":2,"looked":{"https://x":{"status":200,"day":"2026-11-20"}}}"#] {
            assert_eq!(LinkCache::parse(text), LinkCache::parse("no"));
        }
    }
}
