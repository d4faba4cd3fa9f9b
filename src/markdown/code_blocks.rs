//! Code blocks, listings and diagrams of a page.

use std::{borrow::Cow, ops::Range};

use pulldown_cmark::{CodeBlockKind, Event};

use super::{
    code::{self, CodeBlock},
    data_table, diagram, facts_block,
    facts_query::FactsBlock,
    fence::{Fence, FenceKind, is_closed},
    html::HoleKind,
    listing,
    output::PageOutput,
    prose::ListingBlock,
};
use crate::{diagnostic::Rule, highlight};

/// The maximum cost of highlighting the code of one page, see [`highlight::cost`]: about 1,500 lines of 70 characters. Code after that is plain, so that no
/// page takes more than a few seconds.
const HIGHLIGHT_BUDGET: usize = 8_000_000;

/// A line of Rust as it is shown; `None` if it only completes the example for the compiler: `# use std::io;`. `##` stands for `#` (rustdoc book, "Hiding
/// portions of the example").
fn shown_rust(line: &str) -> Option<Cow<'_, str>> {
    let Some(rest) = line.trim_start().strip_prefix('#') else { return Some(Cow::Borrowed(line)) };
    match rest.chars().next() {
        Some('#') => Some(Cow::Owned(line.replacen('#', "", 1))),
        None | Some(' ' | '\n') => None,
        Some(_) => Some(Cow::Borrowed(line)),
    }
}

/// The code blocks of a page.
#[derive(Default)]
pub(super) struct CodeBlocks {
    pub(super) codes: Vec<CodeBlock>,
    pub(super) listings: Vec<ListingBlock>,
    pub(super) facts: Vec<FactsBlock>,
    diagrams: usize,
    highlight_cost: usize,
}

impl CodeBlocks {
    /// Writes the block that starts at `index`.
    pub(super) fn write(&mut self, kind: &CodeBlockKind<'_>, index: usize, range: &Range<usize>, out: &mut PageOutput<'_>) {
        let page = out.page;
        let content = page.content(index);
        let mut text = String::new();
        for (event, _) in content {
            if let Event::Text(piece) = event {
                text.push_str(&page.clean(piece));
            }
        }
        let info = match kind {
            CodeBlockKind::Indented => "".into(),
            CodeBlockKind::Fenced(info) => page.clean(info),
        };
        if page.plain {
            out.html.fresh_line();
            out.html.raw(&code::plain(&info, &text));
            return;
        }
        let mut fence = Fence::parse(&info);
        let prefix = fence.hidden.as_deref().or_else(|| page.options.hidden_lines.get(&fence.language).map(String::as_str));
        if fence.language == "rust" {
            text = text.split_inclusive('\n').filter_map(shown_rust).collect();
        } else if let Some(prefix) = prefix {
            text = text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with(prefix)).collect();
        }
        fence.check(text.lines().count());
        let block = page.text(range.clone());
        let opening = range.start..range.start + block.find('\n').unwrap_or(block.len());
        if matches!(kind, CodeBlockKind::Fenced(_)) && !is_closed(block) {
            let help = "add a line with the same mark below the code; everything after the opening mark is treated as code";
            out.report(Rule::BadCodeFence, opening.clone(), "this block of code is not closed", help);
        }
        for (message, help) in &fence.problems {
            out.report(Rule::BadCodeFence, opening.clone(), message, help);
        }
        out.end_block_text();
        out.html.fresh_line();
        match fence.kind() {
            FenceKind::Diagram => {
                self.diagrams += 1;
                return diagram::write(&fence, &text, content, opening, self.diagrams, out);
            }
            FenceKind::Table => return data_table::write(&fence, &text, content, &opening, out),
            FenceKind::Facts if page.options.has_facts => {
                if let Some(block) = facts_block::read(&text, content, range, &opening, out) {
                    out.html.hole(HoleKind::Facts(self.facts.len()));
                    self.facts.push(block);
                }
                return;
            }
            FenceKind::Facts | FenceKind::Listing | FenceKind::Code => {}
        }
        out.section_text(&text);
        out.end_block_text();
        if fence.kind() == FenceKind::Listing {
            out.html.hole(HoleKind::Listing(self.listings.len()));
            self.listings.push(listing::block(fence, text, content, opening, &page));
            return;
        }
        let cost = highlight::cost(&text);
        if self.highlight_cost + cost <= HIGHLIGHT_BUDGET {
            self.highlight_cost += cost;
            self.codes.push(code::write_highlighted(fence, text, self.codes.len(), &mut out.html));
        } else {
            code::write(&fence, &text, &mut out.html);
        }
    }
}
