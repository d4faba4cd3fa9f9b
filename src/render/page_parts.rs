//! The parts of a component's page: the sections of its text and of its facts, in the order of the questions of its readers.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    frame::ContentsEntry,
    labels::section_title,
    prose::{self, SectionStart},
    reader::{Reader, escape},
};
use crate::{
    diagnostic::Diagnostic,
    layout::{FactSection, PagePart, SYMPTOMS},
    load::PageDraft,
    markdown::Heading,
};

/// The id of the heading above a text that begins without one.
const OVERVIEW: &str = "overview";

/// The text of a component's page by part, and the bar that links to the parts.
#[derive(Debug, Default, Serialize)]
pub(super) struct PartsView {
    /// The text above its first section.
    overview: String,
    /// The HTML of the sections of each part that has any, by the name of the part.
    text: BTreeMap<&'static str, String>,
    footnotes: String,
    /// The links of the bar: the parts that have a section.
    bar: Vec<PartLink>,
    #[serde(skip)]
    pub(super) contents: Vec<ContentsEntry>,
}

#[derive(Debug, Serialize)]
struct PartLink {
    title: String,
    /// The id of the first heading of the part.
    id: String,
}

/// Cuts a text into its sections, and assigns them and these sections of the facts to the parts of a page.
pub(super) fn page_parts<'a>(reader: &Reader<'a>, text: &'a PageDraft, facts: &[FactSection]) -> Result<PartsView, Box<Diagnostic>> {
    let (html, starts) = prose::sections(reader, text)?;
    let headings = &text.prose.headings;
    let end = starts.first().map_or(html.len(), |first| first.at);
    let mut view = PartsView { overview: html[..end].trim().to_owned(), ..PartsView::default() };
    // The headings of each part, and first those of the overview.
    let mut parts: BTreeMap<PagePart, Vec<ContentsEntry>> = BTreeMap::new();
    if !view.overview.is_empty() {
        let overview = parts.entry(PagePart::How).or_default();
        overview.push(ContentsEntry { level: 2, id: OVERVIEW.to_owned(), html: escape(reader.words(OVERVIEW)) });
        overview.extend(entries(headings.get(..starts.first().map_or(headings.len(), |first| first.heading))));
    }
    for (position, SectionStart { at, heading }) in starts.iter().copied().enumerate() {
        let next = starts.get(position + 1);
        let section = &html[at..next.map_or(html.len(), |next| next.at)];
        let Some(first) = headings.get(heading) else {
            view.footnotes.push_str(section);
            continue;
        };
        let part = PagePart::of_heading(&first.id);
        let found: Vec<ContentsEntry> = entries(headings.get(heading..next.map_or(headings.len(), |next| next.heading))).collect();
        let (html, contents) = (view.text.entry(part.name()).or_default(), parts.entry(part).or_default());
        // The reader who has a problem looks for its symptom first.
        if first.id == SYMPTOMS {
            html.insert_str(0, section);
            contents.splice(0..0, found);
        } else {
            html.push_str(section);
            contents.extend(found);
        }
    }
    for section in facts {
        let entry = ContentsEntry { level: 2, id: section.anchor().to_owned(), html: escape(section_title(reader, *section)) };
        let Some(part) = PagePart::of_facts(*section) else { continue };
        let entries = parts.entry(part).or_default();
        let at = match part {
            // A drawing or a table is a summary of the text that follows it.
            PagePart::Names | PagePart::Versions => 0,
            PagePart::Troubleshooting | PagePart::How | PagePart::Providers | PagePart::Reference => entries.len(),
        };
        entries.insert(at, entry);
    }
    for (part, entries) in parts {
        let title = reader.strings().term("part", part.name()).to_owned();
        view.bar.extend(entries.first().map(|first| PartLink { title, id: first.id.clone() }));
        view.contents.extend(entries);
    }
    Ok(view)
}

/// The entries of the table of contents for these headings.
pub(super) fn entries(headings: Option<&[Heading]>) -> impl Iterator<Item = ContentsEntry> {
    let shown = headings.into_iter().flatten().filter(|heading| (2..=3).contains(&heading.level));
    shown.map(|heading| ContentsEntry { level: heading.level, id: heading.id.clone(), html: heading.html.clone() })
}
