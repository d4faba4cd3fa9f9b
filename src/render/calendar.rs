//! Calendars of releases, ends of support and removals: `calendar.ics` in each language (RFC 5545).

use std::{collections::BTreeMap, fmt::Write as _};

use super::{context::Context, node_facts::NodeFacts};
use crate::{
    config::Language,
    facts::Day,
    id::{Id, Lang},
    kb::{Kb, Lifecycle, ReleaseIndex},
    layout::{EntityKind, GeneratedPage},
    url::Url,
};

/// The most bytes of a line before it is folded (RFC 5545, 3.1).
const MAX_LINE: usize = 75;

struct CalendarEvent {
    /// The permanent name, unique in this calendar.
    key: String,
    day: Day,
    title: String,
    text: String,
    /// The absolute address of the timeline; `None` without the site's full address.
    url: Option<String>,
    /// Whether the day may still change.
    planned: bool,
}

pub(super) fn calendar(context: &Context<'_>, lang: &Lang) -> Vec<u8> {
    let kb = context.kb;
    let language = kb.config.language(lang);
    let words = &kb.theme.strings[lang];
    let platform = kb.vocabulary.platform.as_deref().unwrap_or(&language.title);
    let name = words.with("calendar_name", &[("platform", platform)]);
    let mut lines = vec!["BEGIN:VCALENDAR".to_owned(), "VERSION:2.0".to_owned(), "PRODID:-//ksys-docs//calendar//EN".to_owned()];
    lines.push("METHOD:PUBLISH".to_owned());
    // `NAME` is from RFC 7986; most programs only read the older property.
    lines.extend([format!("NAME:{}", text(&name)), format!("X-WR-CALNAME:{}", text(&name))]);
    for event in events(kb, language) {
        lines.extend(event_lines(context, language, &event));
    }
    lines.push("END:VCALENDAR".to_owned());
    lines.iter().flat_map(|line| folded(line)).collect()
}

fn event_lines(context: &Context<'_>, language: &Language, event: &CalendarEvent) -> Vec<String> {
    let kb = context.kb;
    let day = |day: Day| day.0.strftime("%Y%m%d").to_string();
    let next = event.day.0.tomorrow().map_or(event.day, Day);
    // The date of the last change instead of the build, so that the same sources give the same file.
    let changed = context.changes.values().max();
    let stamp = changed.map_or_else(|| day(event.day), |changed| changed.replace('-', ""));
    let mut lines = vec![
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{}", uid(kb, language, &event.key)),
        format!("DTSTAMP:{stamp}T000000Z"),
        format!("DTSTART;VALUE=DATE:{}", day(event.day)),
        format!("DTEND;VALUE=DATE:{}", day(next)),
        format!("SUMMARY:{}", text(&event.title)),
    ];
    lines.extend((!event.text.is_empty()).then(|| format!("DESCRIPTION:{}", text(&event.text))));
    lines.extend(event.url.as_ref().map(|url| format!("URL:{url}")));
    lines.push(format!("STATUS:{}", if event.planned { "TENTATIVE" } else { "CONFIRMED" }));
    // The event doesn't mark the time as busy.
    lines.extend(["TRANSP:TRANSPARENT".to_owned(), "END:VEVENT".to_owned()]);
    lines
}

/// The permanent id of an event: its key at the site's address, or at a hash of the site's title if the address isn't known.
fn uid(kb: &Kb, language: &Language, key: &str) -> String {
    let title = kb.config.languages.first().map_or("", |language| language.title.as_str());
    let home = kb.config.site_url.absolute(&Url::page("")).unwrap_or_else(|| blake3::hash(title.as_bytes()).to_hex()[..16].to_owned());
    let home = home.split_once("://").map_or(home.as_str(), |(_, rest)| rest).trim_end_matches('/');
    format!("{key}.{}@{}", language.lang, home.replace('/', "."))
}

/// The events by day and key.
fn events(kb: &Kb, language: &Language) -> Vec<CalendarEvent> {
    let words = &kb.theme.strings[&language.lang];
    let platform = kb.vocabulary.platform.as_deref().unwrap_or_default();
    let full = |path: &str| kb.config.site_url.absolute(&kb.config.page_url(path, &language.lang));
    let list = |heading: &str, release_of: fn(&Lifecycle) -> Option<ReleaseIndex>, index: usize| -> String {
        let has_changed = |facts: &NodeFacts<'_>| facts.lifecycle.and_then(release_of) == Some(ReleaseIndex(index));
        let changed: BTreeMap<&Id, EntityKind> = NodeFacts::all(kb).filter(has_changed).map(|facts| (facts.id, facts.kind)).collect();
        let mut text = if changed.is_empty() { String::new() } else { format!("{}\n", words.get(heading)) };
        for (id, kind) in changed {
            let address = full(&format!("{}/{id}", kind.folder())).map(|url| format!(" {url}")).unwrap_or_default();
            let _ = writeln!(text, "- {}{address}", kb.name_of(id.as_str(), &language.lang));
        }
        text
    };
    let mut events = Vec::new();
    for (index, release) in kb.vocabulary.releases.iter().enumerate() {
        let name = format!("{platform} {}", release.name);
        let name = name.trim();
        let removed = list("calendar_removed", |lifecycle| lifecycle.removed, index);
        let deprecated = list("calendar_deprecated", |lifecycle| lifecycle.deprecated, index);
        if let Some(day) = release.day().filter(|_| release.planned.is_some() || !removed.is_empty()) {
            let planned = release.date.is_none();
            let title = words.with(if planned { "calendar_planned" } else { "calendar_released" }, &[("release", name)]);
            let text = format!("{removed}{deprecated}").trim_end().to_owned();
            events.push(CalendarEvent {
                key: format!("release-{}", release.name),
                day,
                title,
                text,
                url: full(GeneratedPage::Versions.path()),
                planned,
            });
        }
        if let Some(day) = release.end {
            let title = words.with("calendar_end", &[("release", name)]);
            events.push(CalendarEvent {
                key: format!("end-{}", release.name),
                day,
                title,
                text: String::new(),
                url: full(GeneratedPage::Versions.path()),
                planned: false,
            });
        }
    }
    events.sort_by(|a, b| a.day.cmp(&b.day).then_with(|| a.key.cmp(&b.key)));
    events
}

/// Escapes text for the value of a property (RFC 5545, 3.3.11). Control characters are omitted.
fn text(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '\\' | ';' | ',' => escaped.extend(['\\', c]),
            '\n' => escaped.push_str("\\n"),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// A line with its end, folded between characters.
fn folded(line: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(line.len() + 8);
    let mut used = 0;
    for c in line.chars() {
        if used + c.len_utf8() > MAX_LINE {
            bytes.extend(b"\r\n ");
            used = 1;
        }
        bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
        used += c.len_utf8();
    }
    bytes.extend(b"\r\n");
    bytes
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn long_lines_are_folded_between_characters() {
        let line = format!("SUMMARY:{}", "コンテナ".repeat(30));
        let written = String::from_utf8(folded(&line)).unwrap();
        assert!(written.split("\r\n").all(|part| part.len() <= MAX_LINE), "{written}");
        assert_eq!(written.replace("\r\n ", ""), format!("{line}\r\n"));
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(text("a, b; c\\d\ne\u{7}"), "a\\, b\\; c\\\\d\\ne");
    }
}
