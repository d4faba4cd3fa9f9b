//! Renders `listing` blocks: `kubectl` output, explained row by row.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    labels::{self, TermView},
    reader::{LinkView, Reader},
    templates::RenderResult,
};
use crate::{
    facts::Verdict,
    id::{Id, Lang},
    layout::COMPONENTS,
    link::{ExplainedLine, ExplainedListing, ListingOwner},
    markdown::ListingBlock,
    theme::Strings,
};

#[derive(Serialize)]
struct ListingView<'a> {
    t: &'a Strings,
    /// The language of the explanation, if the text around it is in another one.
    lang: Option<&'a str>,
    title: Option<&'a str>,
    lines: Vec<LineView<'a>>,
}

/// A line of the output.
#[derive(Serialize)]
struct LineView<'a> {
    /// `row`, `header`, `blank` or `text`.
    kind: &'static str,
    text: &'a str,
    /// The explanation of a row; `None` for a row without a component, and for other lines.
    is: Option<IsView<'a>>,
    /// Whether the explanation is shown below this line: below the last of consecutive rows with the same explanation.
    ends: bool,
}

/// The explanation of a row.
#[derive(Clone, Serialize)]
struct IsView<'a> {
    /// The component; several if they match the row equally.
    components: Vec<LinkView>,
    /// The section of the component's page that explains the row.
    section: Option<LinkView>,
    /// The description; empty if it is already shown in this table.
    what: &'a str,
    verdict: Option<TermView>,
}

/// The facts about a row. Consecutive rows with equal facts share an explanation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct RowExplanation<'a> {
    components: Vec<&'a Id>,
    section: Option<&'a Id>,
    what: &'a str,
    /// The verdict, at the provider of the block.
    verdict: Option<Verdict>,
}

/// The block as HTML.
pub(super) fn render<'a>(reader: &Reader<'a>, block: &'a ListingBlock, explained: &'a ExplainedListing, prose_lang: &Lang) -> RenderResult {
    let view = ListingView {
        t: reader.strings(),
        lang: (reader.lang != prose_lang).then(|| reader.lang.as_str()),
        title: block.title.as_deref(),
        lines: lines(reader, block, explained),
    };
    reader.context.templates.render("listing.html", &view, None)
}

fn lines<'a>(reader: &Reader<'a>, block: &'a ListingBlock, explained: &'a ExplainedListing) -> Vec<LineView<'a>> {
    let mut lines: Vec<LineView<'a>> = Vec::new();
    let mut in_this_table: BTreeSet<RowExplanation<'a>> = BTreeSet::new();
    let mut before: Option<RowExplanation<'a>> = None;
    for (text, line) in block.text.lines().zip(&explained.lines) {
        let kind = match line {
            ExplainedLine::Row(_) => "row",
            ExplainedLine::Header => "header",
            ExplainedLine::Blank => "blank",
            ExplainedLine::Text => "text",
        };
        let mut view = LineView { kind, text: text.trim_end(), is: None, ends: true };
        let mut now = None;
        if let ExplainedLine::Row(owners) = line {
            let said = said(reader, owners, explained.provider.as_ref());
            if let (Some(last), Some(before)) = (lines.last_mut(), &before)
                && *before == said
            {
                last.ends = false;
                view.is.clone_from(&last.is);
            } else {
                view.is = is(reader, &said);
                if let (false, Some(is)) = (in_this_table.insert(said.clone()), &mut view.is) {
                    is.what = "";
                }
            }
            now = Some(said);
        } else if *line == ExplainedLine::Header {
            in_this_table.clear();
        }
        before = now;
        lines.push(view);
    }
    lines
}

/// The description of the row if it has one, otherwise that of its component.
fn said<'a>(reader: &Reader<'a>, owners: &'a [ListingOwner], provider: Option<&Id>) -> RowExplanation<'a> {
    let kb = reader.kb();
    let components = owners.iter().map(|owner| &owner.component).collect();
    let nothing = RowExplanation { components, section: None, what: "", verdict: None };
    let [owner] = owners else { return nothing };
    let Some(component) = kb.components.get(&owner.component) else { return nothing };
    let section = component.section_of_row(&owner.entries);
    let what = match (component.what_of_row(&owner.entries), section) {
        (Some(what), _) => reader.text(what),
        // The heading of the section describes it.
        (None, Some(_)) => "",
        (None, None) => reader.summary(&format!("{COMPONENTS}/{}", component.id)),
    };
    let verdict = component.answer(&owner.entries, owner.controller, provider).verdict();
    RowExplanation { section, what, verdict, ..nothing }
}

fn is<'a>(reader: &Reader<'a>, said: &RowExplanation<'a>) -> Option<IsView<'a>> {
    let components: Vec<LinkView> = said.components.iter().map(|id| reader.link(id)).collect();
    let verdict = said.verdict.map(|verdict| labels::verdict(reader, verdict));
    let section = said.section.map(|id| reader.link(id));
    (!components.is_empty()).then_some(IsView { components, section, what: said.what, verdict })
}
