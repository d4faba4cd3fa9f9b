//! The text of the author in an export: links lead to exports, ids of headings are left out, and parts of the facts are lists.

use std::ops::Range;

use super::{MarkdownExport, label, line, to_export};
use crate::{
    kb::Provider,
    link::Resolved,
    load::PageDraft,
    markdown::{FactsQuery, Heading, Link, Target},
    render::{claims::of_role as claims_of_role, facts_block, labels, node_facts::NodeFacts, routes::markdown_export_url},
};

impl<'a> MarkdownExport<'_, 'a> {
    /// The author's text with links to Markdown exports: what is above the first section, then each section.
    pub(super) fn edited(&self, text: &'a PageDraft) -> impl Iterator<Item = String> + use<'a> {
        let body = text.markdown();
        let start = text.prose.title.as_ref().map_or(0, |title| title.span.range().end);
        let mut edits: Vec<(Range<usize>, String)> = text
            .prose
            .headings
            .iter()
            .filter(|heading| heading.explicit)
            .filter_map(|heading| without_id(body, heading.span.range()))
            .collect();
        let resolved = self.reader.context.links.of(text);
        for (link, target) in text.prose.links.iter().zip(resolved) {
            edits.extend(self.rewritten(text, body, link, target));
        }
        for block in &text.prose.listings {
            edits.extend(plain_fence(body, block.lines.first().map_or(0, |line| line.range().start)));
        }
        edits.extend(text.prose.facts.iter().map(|block| (block.span.range(), self.facts_block(&block.query))));
        edits.sort_by_key(|(range, _)| range.start);
        let mut edits = edits.into_iter().peekable();
        let mut done = start.min(body.len());
        let ends = section_headings(text).map(|heading| heading.span.range().start).chain([body.len()]);
        ends.map(move |end| {
            let mut filled = String::new();
            while let Some((range, with)) = edits.next_if(|(range, _)| range.start < end) {
                // An edit inside a replaced range is part of the replacement.
                if range.start >= done
                    && let Some(kept) = body.get(done..range.start)
                {
                    filled.push_str(kept);
                    filled.push_str(&with);
                    done = range.end;
                }
            }
            if done < end {
                filled.push_str(body.get(done..end).unwrap_or_default());
                done = end;
            }
            filled
        })
    }

    /// The whole text of the author, in its order.
    pub(super) fn body(&mut self, text: &'a PageDraft) {
        let text: String = self.edited(text).collect();
        self.append(&text);
    }

    /// A part of the facts inside a text.
    fn facts_block(&self, query: &'a FactsQuery) -> String {
        let reader = self.reader;
        let lines: Vec<String> = match query {
            FactsQuery::Comparison { role, providers } => {
                let providers = facts_block::compared(reader.kb(), providers.iter().map(|id| id.as_str()));
                let of = |provider: &'a Provider| {
                    let claims = claims_of_role(reader, provider, role);
                    let words = claims.into_iter().map(|claim| {
                        let name = claim.component.map(|link| link.name).unwrap_or_default();
                        labels::join_nonempty([name.as_str(), &claim.presence_label, &claim.form, &claim.what], ", ")
                    });
                    format!("- {}: {}", self.link(&provider.id), line(&words.collect::<Vec<_>>().join("; ")))
                };
                providers.map(of).collect()
            }
            FactsQuery::Relations(id) => {
                NodeFacts::named(reader.kb(), id).map(|node| self.relation_lines(&node, false)).unwrap_or_default()
            }
            FactsQuery::List { kind, filters } => {
                let items = facts_block::items(reader, *kind, filters).into_iter();
                items
                    .map(|item| format!("- [{}]({}): {}", label(&item.link.name), to_export(&item.link.href), line(&item.summary)))
                    .collect()
            }
        };
        lines.join("\n")
    }

    fn rewritten(&self, text: &PageDraft, body: &str, link: &Link, target: &Resolved) -> Option<(Range<usize>, String)> {
        let range = link.span.range();
        let written = body.get(range.clone())?;
        if let Target::Citation(key) = &link.target {
            return Some((range, format!("[^{key}]")));
        }
        let href = self.reader.address(target);
        let is_exported = |path: &str| {
            let url = self.reader.kb().config.page_url(path, self.reader.lang);
            self.reader.context.routes.contains(&markdown_export_url(&url))
        };
        let href = if matches!(target, Resolved::Page { path, .. } if is_exported(path)) { to_export(&href) } else { href };
        if let Some(inner) = written.strip_prefix("[[").and_then(|inner| inner.strip_suffix("]]")) {
            let own = inner.split_once('|').map(|(_, own)| own.trim().to_owned());
            let name = own.unwrap_or_else(|| self.reader.name_in(text, target));
            return Some((range, format!("[{}]({href})", label(&name))));
        }
        if matches!(target, Resolved::External(_)) {
            return None;
        }
        // `[text](address "title")`: only the address changes.
        let open = written.rfind("](")? + 2;
        let rest = &written[open..];
        let length = rest.find(|c: char| c.is_whitespace() || c == ')').unwrap_or(rest.len());
        Some((range.start + open..range.start + open + length, href))
    }
}

/// The headings that begin a section; one inside a quotation or a list doesn't.
pub(super) fn section_headings(text: &PageDraft) -> impl Iterator<Item = &Heading> {
    let at_start_of_line = |heading: &Heading| {
        let start = heading.span.range().start;
        text.markdown().get(..start).is_some_and(|before| before.is_empty() || before.ends_with('\n'))
    };
    text.prose.headings.iter().filter(move |heading| heading.level == 2 && at_start_of_line(heading))
}

/// The range of the id after a heading, and its empty replacement.
fn without_id(body: &str, heading: Range<usize>) -> Option<(Range<usize>, String)> {
    let written = body.get(heading.clone())?;
    let open = written.rfind("{#")?;
    let close = open + written.get(open..)?.find('}')? + 1;
    let start = written[..open].trim_end().len();
    Some((heading.start + start..heading.start + close, String::new()))
}

/// The range of the info string of a `listing` block, and that of plain text as its replacement: other programs don't know this language. `first` is the offset
/// of the first line of the block.
fn plain_fence(body: &str, first: usize) -> Option<(Range<usize>, String)> {
    let before = body.get(..first)?;
    let at = before.rfind("```listing").or_else(|| before.rfind("~~~listing"))?;
    let end = at + body.get(at..)?.find('\n')?;
    Some((at + 3..end, "text".to_owned()))
}
