//! Footnotes: numbered in the order of their first mention, written at the end.

use std::{collections::BTreeMap, ops::Range};

use pulldown_cmark::{Event, Tag};

use super::{
    inline::position,
    render::{Located, Renderer},
};
use crate::diagnostic::Rule;

/// The footnotes of a page.
#[derive(Debug, Default)]
pub(super) struct Footnotes<'a> {
    /// Where each is defined: the index of its first event.
    defined: BTreeMap<&'a str, usize>,
    /// Labels in the order of their first mention.
    order: Vec<&'a str>,
    /// For each label its number, from 1, and how often it was mentioned.
    mentions: BTreeMap<&'a str, (usize, usize)>,
}

impl<'a> Footnotes<'a> {
    pub(super) fn collect(events: &'a [Located<'a>]) -> Self {
        let mut defined = BTreeMap::new();
        for (index, (event, _)) in events.iter().enumerate() {
            if let Event::Start(Tag::FootnoteDefinition(label)) = event {
                defined.entry(label.as_ref()).or_insert(index);
            }
        }
        Self { defined, ..Self::default() }
    }
}

impl<'a> Renderer<'a> {
    pub(super) fn footnote_reference(&mut self, label: &'a str, range: &Range<usize>) {
        self.flush();
        if !self.footnotes.defined.contains_key(label) {
            let text = format!("[^{label}]");
            self.text(&text, range.start);
            return;
        }
        if self.outline.is_some() || self.inline.in_link() || self.raw.in_link() {
            self.report(
                Rule::BadFootnote,
                range.clone(),
                format!("the footnote `{label}` is referred to in a heading or a link"),
                Some("move the mark into the text".into()),
            );
            return;
        }
        let next = self.footnotes.order.len() + 1;
        let (number, mention) = self.footnotes.mentions.entry(label).or_insert((next, 0));
        *mention += 1;
        let (number, mention) = (*number, *mention);
        if mention == 1 {
            self.footnotes.order.push(label);
        }
        let id = reference_id(number, mention);
        self.out.raw(&format!("<sup class=\"footnote\"><a id=\"{id}\" href=\"#fn-{number}\" role=\"doc-noteref\">{number}</a></sup>"));
        self.inline.previous = None;
    }

    /// Writes the footnotes that were referred to. Footnotes may refer to further ones.
    pub(super) fn render_footnotes(&mut self) {
        let mut written = 0;
        let mut notes = Vec::new();
        while let Some(label) = self.footnotes.order.get(written).copied() {
            written += 1;
            let Some(&start) = self.footnotes.defined.get(label) else { continue };
            let end = self.end_of(start);
            let from = self.out.mark();
            self.raw.enter();
            self.walk(start + 1..end);
            self.close_raw();
            notes.push(self.out.split_off(from));
        }
        if !notes.is_empty() {
            self.out.fresh_line();
            self.out.raw("<section class=\"footnotes\" role=\"doc-endnotes\"");
            self.out.attribute("aria-label", &self.options.labels.footnotes);
            self.out.raw(">\n<p class=\"footnotes-title\">");
            self.out.escaped(&self.options.labels.footnotes);
            self.out.raw("</p>\n<ol>\n");
            for (index, note) in notes.into_iter().enumerate() {
                self.write_note(index, note);
            }
            self.out.raw("</ol>\n</section>\n");
        }
        self.report_unused();
    }

    fn write_note(&mut self, index: usize, note: super::Html) {
        let number = index + 1;
        let mentions =
            self.footnotes.order.get(index).and_then(|label| self.footnotes.mentions.get(label)).map_or(1, |(_, mentions)| *mentions);
        self.out.raw(&format!("<li id=\"fn-{number}\">"));
        let mut note = note;
        // The way back belongs to the last paragraph, if the note ends with one.
        let inside = note.text.trim_end().strip_suffix("</p>").map(str::len);
        // A listing has no text yet: a paragraph in front of it is not the last.
        let inside = inside.filter(|end| note.holes.last().is_none_or(|hole| hole.at <= *end));
        if let Some(end) = inside {
            note.text.truncate(end);
        }
        self.out.append(note);
        for mention in 1..=mentions {
            self.out.raw(&format!(" <a class=\"footnote-back\" href=\"#{}\" role=\"doc-backlink\"", reference_id(number, mention)));
            self.out.attribute("aria-label", &format!("{} {number}", self.options.labels.footnote_back));
            self.out.raw(">↩");
            if mention > 1 {
                self.out.raw(&format!("<sup>{mention}</sup>"));
            }
            self.out.raw("</a>");
        }
        self.out.raw(if inside.is_some() { "</p></li>\n" } else { "</li>\n" });
    }

    /// The parser leaves `[^x]` as text where no `x` is defined.
    pub(super) fn report_undefined_footnotes(&mut self, text: &str, pieces: &[(usize, usize)]) {
        for (at, _) in text.match_indices("[^") {
            // Labels are short; a text of many brackets must not be searched again and again.
            let label: String = text[at + 2..].chars().take(64).take_while(|c| *c != ']' && *c != '[').collect();
            let end = at + 2 + label.len();
            let place = position(pieces, at)..position(pieces, end) + 1;
            let escaped = self.source.text.get(..place.start).is_some_and(|before| before.ends_with('\\'));
            if text[end..].starts_with(']') && !label.is_empty() && !label.contains(char::is_whitespace) && !escaped {
                let help = format!("define it on a line of its own: `[^{label}]: …`, or write `\\[^{label}]` for the text");
                self.report(Rule::BadFootnote, place, format!("the footnote `{label}` is not defined"), Some(help));
            }
        }
    }

    fn report_unused(&mut self) {
        let unused: Vec<(&str, usize)> = self
            .footnotes
            .defined
            .iter()
            .filter(|(label, _)| !self.footnotes.mentions.contains_key(*label))
            .map(|(label, index)| (*label, *index))
            .collect();
        for (label, index) in unused {
            let Some((_, range)) = self.events.get(index) else { continue };
            let label = self.clean(label).into_owned();
            let range = range.start..(range.start + label.len() + "[^]:".len()).min(range.end);
            let help = format!("refer to it with `[^{label}]` or remove it");
            self.report(Rule::BadFootnote, range, format!("the footnote `{label}` is defined and never referred to"), Some(help));
        }
    }
}

fn reference_id(number: usize, mention: usize) -> String {
    if mention == 1 { format!("fnref-{number}") } else { format!("fnref-{number}-{mention}") }
}
