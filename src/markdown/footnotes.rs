//! Footnotes: numbered in the order of their first reference, written at the end of the page.

use std::{collections::BTreeMap, ops::Range};

use pulldown_cmark::{Event, Tag};

use super::{
    html::Html,
    output::PageOutput,
    parsed::{CollectedText, LocatedEvent},
};
use crate::{diagnostic::Rule, url::encode_fragment};

/// The footnotes of a page.
#[derive(Debug, Default)]
pub(super) struct Footnotes<'a> {
    /// The index of the first event of each definition, by label.
    defined: BTreeMap<&'a str, usize>,
    /// Labels in the order of their first reference.
    order: Vec<&'a str>,
    references: BTreeMap<&'a str, References>,
}

/// The references to one footnote.
#[derive(Debug)]
struct References {
    /// The number of the footnote, from 1.
    number: usize,
    count: usize,
}

impl<'a> Footnotes<'a> {
    /// Finds the definitions.
    pub(super) fn collect(events: &'a [LocatedEvent<'a>]) -> Self {
        let mut defined = BTreeMap::new();
        for (index, (event, _)) in events.iter().enumerate() {
            if let Event::Start(Tag::FootnoteDefinition(label)) = event {
                defined.entry(label.as_ref()).or_insert(index);
            }
        }
        Self { defined, ..Self::default() }
    }

    /// Claims the ids of notes and references, so that no heading takes one of them.
    pub(super) fn claim_ids(out: &mut PageOutput<'_>) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (event, _) in out.page.events {
            if let Event::FootnoteReference(label) = event {
                let count = counts.entry(label).or_default();
                *count += 1;
                out.ids.claim(&note_id(label));
                out.ids.claim(&reference_id(label, *count));
            }
        }
    }

    pub(super) fn is_defined(&self, label: &str) -> bool {
        self.defined.contains_key(label)
    }

    /// The event at which the definition of a footnote begins; `number` counts from 0 in the order of the first references.
    pub(super) fn definition(&self, number: usize) -> Option<usize> {
        self.defined.get(self.order.get(number)?).copied()
    }

    /// Writes a reference to a footnote that is defined.
    pub(super) fn reference(&mut self, label: &'a str, range: &Range<usize>, out: &mut PageOutput<'_>) {
        if out.heading.is_some() || out.in_link() {
            let message = format!("the footnote `{label}` is referred to in a heading or a link");
            out.report(Rule::BadFootnote, range.clone(), message, "move the mark into the text");
            return;
        }
        let next = self.order.len() + 1;
        let References { number, count } = self.references.entry(label).or_insert(References { number: next, count: 0 });
        *count += 1;
        if *count == 1 {
            self.order.push(label);
        }
        let (number, id) = (*number, reference_id(label, *count));
        out.html.raw("<sup class=\"footnote\"><a");
        out.html.attribute("id", &id);
        out.html.attribute("href", &format!("#{}", encode_fragment(&note_id(label))));
        out.html.raw(&format!(" role=\"doc-noteref\">{number}</a></sup>"));
        out.previous = None;
    }

    /// Writes the footnotes, whose HTML is given in the order of the first references.
    pub(super) fn write(&self, notes: Vec<Html>, out: &mut PageOutput<'_>) {
        if notes.is_empty() {
            return;
        }
        let title = &out.page.options.labels.footnotes;
        out.html.fresh_line();
        out.html.raw("<section class=\"footnotes\" role=\"doc-endnotes\"");
        out.html.attribute("aria-label", title);
        out.html.raw(">\n<p class=\"footnotes-title\">");
        out.html.escaped(title);
        out.html.raw("</p>\n<ol>\n");
        for (label, note) in self.order.iter().zip(notes) {
            if let Some(references) = self.references.get(label) {
                write_note(label, references, note, out);
            }
        }
        out.html.raw("</ol>\n</section>\n");
    }

    /// Reports definitions without references.
    pub(super) fn report_unused(&self, out: &mut PageOutput<'_>) {
        for (label, index) in self.defined.iter().filter(|(label, _)| !self.references.contains_key(*label)) {
            let Some((_, range)) = out.page.events.get(*index) else { continue };
            let label = out.page.clean(label);
            let range = range.start..(range.start + label.len() + "[^]:".len()).min(range.end);
            let help = format!("use it with `[^{label}]`, or remove it");
            out.report(Rule::BadFootnote, range, format!("the footnote `{label}` is defined but never used"), help);
        }
    }
}

fn write_note(label: &str, &References { number, count }: &References, mut note: Html, out: &mut PageOutput<'_>) {
    out.html.raw("<li");
    out.html.attribute("id", &note_id(label));
    out.html.raw(">");
    // The links back go into the last paragraph, if the note ends with one.
    let paragraph_end = note.text.trim_end().strip_suffix("</p>").map(str::len);
    // A hole for a listing has no text, so a paragraph before it is not the last one.
    let paragraph_end = paragraph_end.filter(|end| note.holes.last().is_none_or(|hole| hole.at <= *end));
    if let Some(end) = paragraph_end {
        note.text.truncate(end);
    }
    out.html.append(note);
    for reference in 1..=count {
        out.html.raw(" <a class=\"footnote-back\"");
        out.html.attribute("href", &format!("#{}", encode_fragment(&reference_id(label, reference))));
        out.html.raw(" role=\"doc-backlink\"");
        out.html.attribute("aria-label", &format!("{} {number}", out.page.options.labels.footnote_back));
        out.html.raw(">↩");
        if reference > 1 {
            out.html.raw(&format!("<sup>{reference}</sup>"));
        }
        out.html.raw("</a>");
    }
    out.html.raw(if paragraph_end.is_some() { "</p></li>\n" } else { "</li>\n" });
}

/// The id of a note, as in mdBook.
fn note_id(label: &str) -> String {
    format!("footnote-{}", label.replace(char::is_whitespace, "-"))
}

/// The id of a reference, counted from 1, as in mdBook.
fn reference_id(label: &str, reference: usize) -> String {
    format!("fr-{}-{reference}", label.replace(char::is_whitespace, "-"))
}

/// Reports references to footnotes that are not defined: the parser leaves them as text.
pub(super) fn report_undefined(collected: &CollectedText, out: &mut PageOutput<'_>) {
    let text = &collected.text;
    for (at, _) in text.match_indices("[^") {
        // The limit keeps the search linear in a text of many brackets.
        let label: String = text[at + 2..].chars().take(64).take_while(|c| *c != ']' && *c != '[').collect();
        let end = at + 2 + label.len();
        let range = collected.parsed_offset(at)..collected.parsed_offset(end) + 1;
        let escaped = out.page.text(0..range.start).ends_with('\\');
        if text[end..].starts_with(']') && !label.is_empty() && !label.contains(char::is_whitespace) && !escaped {
            let help = format!("define it on a separate line: `[^{label}]: …`, or write `\\[^{label}]` for the text");
            out.report(Rule::BadFootnote, range, format!("the footnote `{label}` is not defined"), help);
        }
    }
}
