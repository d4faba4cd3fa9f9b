//! From the parser's events to HTML: the walk, and the blocks.

use std::ops::Range;

use pulldown_cmark::{Alignment, Event, Tag, TagEnd};

use super::{
    CodeBlock, Heading, Html, Link, ListingBlock, NamedLink, Options, Problem, Prose, Section, containers::Block, footnotes::Footnotes,
    headings::Ids, inline::Inline, sanitize::RawHtml, source::Source, writer::Mark,
};
use crate::{diagnostic::Rule, text::Span};

/// An event and the bytes of the parsed text that it stands for.
pub(super) type Located<'e> = (Event<'e>, Range<usize>);

/// Everything that a walk needs to know and fills in.
pub(super) struct Renderer<'a> {
    pub(super) options: Options<'a>,
    /// CommonMark as its specification prints it: no ids, no figures, no extensions.
    pub(super) plain: bool,
    pub(super) source: &'a Source,
    /// The mark that was put beside Japanese emphasis and must not reach the output.
    pub(super) mark: Option<char>,
    pub(super) events: &'a [Located<'a>],
    /// Notes, tabs and folded blocks, by the offset of the block quote that stands for each.
    pub(super) blocks: &'a [Block],
    pub(super) out: Html,
    /// The heading being written, again, without links and holes.
    pub(super) outline: Option<Html>,
    pub(super) title: Option<Heading>,
    pub(super) headings: Vec<Heading>,
    pub(super) links: Vec<Link>,
    pub(super) listings: Vec<ListingBlock>,
    pub(super) codes: Vec<CodeBlock>,
    pub(super) sections: Vec<Section>,
    pub(super) problems: Vec<Problem>,
    pub(super) ids: Ids,
    pub(super) anchors: Vec<String>,
    pub(super) inline: Inline<'a>,
    pub(super) raw: RawHtml,
    pub(super) footnotes: Footnotes<'a>,
    pub(super) open: Vec<Open>,
    pub(super) table: Table,
    /// Whether the block quote that ended last was a tab.
    pub(super) after_tab: bool,
    /// How much more code of this page may be colored.
    pub(super) color_budget: usize,
    /// How many diagrams there are so far.
    pub(super) diagrams: usize,
}

/// How much code of one page is colored, see [`crate::highlight::cost`]: about 1,500 lines of 70 characters. What comes after that is plain,
/// so that no page takes more than a few seconds.
const COLOR_BUDGET: usize = 8_000_000;
/// The end of a tab and of its group.
pub(super) const TAB_END: &str = "</section>\n</div>\n";

/// What must be remembered of an element until it ends.
pub(super) enum Open {
    Quote { closing: &'static str },
    Heading { from: Mark, id: Option<String>, is_title: bool, span: Span },
    NoteTitle { closing: &'static str },
}

#[derive(Default)]
pub(super) struct Table {
    pub(super) alignments: Vec<Alignment>,
    pub(super) column: usize,
    pub(super) in_head: bool,
    /// Whether the cell that is written is the head of its column.
    pub(super) cell_is_head: bool,
}

impl<'a> Renderer<'a> {
    pub(super) fn new(
        options: Options<'a>,
        plain: bool,
        (source, mark): (&'a Source, Option<char>),
        events: &'a [Located<'a>],
        blocks: &'a [Block],
        abbreviations: &'a [(String, String)],
    ) -> Self {
        Self {
            options,
            plain,
            source,
            mark,
            events,
            blocks,
            out: Html { text: String::with_capacity(source.text.len() * 3 / 2), holes: Vec::new() },
            outline: None,
            title: None,
            headings: Vec::new(),
            links: Vec::new(),
            listings: Vec::new(),
            codes: Vec::new(),
            sections: vec![Section::default()],
            problems: Vec::new(),
            ids: Ids::without(options.reserved),
            anchors: Vec::new(),
            inline: Inline::new(options.glossary, abbreviations),
            raw: RawHtml::default(),
            footnotes: Footnotes::collect(events),
            open: Vec::new(),
            table: Table::default(),
            after_tab: false,
            color_budget: COLOR_BUDGET,
            diagrams: 0,
        }
    }

    /// Renders everything.
    pub(super) fn run(mut self) -> Prose {
        self.claim_explicit_ids();
        self.walk(0..self.events.len());
        self.close_raw();
        self.render_footnotes();
        let mut problems = self.problems;
        problems.sort_by_key(|problem| problem.span.start);
        for section in &mut self.sections {
            let cut = section.text.len() - section.text.trim_start().len();
            section.text = section.text.trim().to_owned();
            // A name may begin or end with what was cut away, or be nothing else.
            for name in &mut section.names {
                let within = |at: usize| at.saturating_sub(cut).min(section.text.len());
                name.span = Span::from(within(name.span.start)..within(name.span.end));
            }
            section.names.retain(|name| !name.span.range().is_empty());
        }
        Prose {
            title: self.title,
            html: self.out,
            headings: self.headings,
            anchors: self.anchors,
            links: self.links,
            listings: self.listings,
            codes: self.codes,
            sections: self.sections,
            problems,
        }
    }

    /// Renders a range of events, which holds whole elements.
    pub(super) fn walk(&mut self, range: Range<usize>) {
        let mut index = range.start;
        while index < range.end {
            index = self.event(index);
        }
        self.flush();
    }

    /// Renders one event, or an element as a whole; returns the index of the next event.
    fn event(&mut self, index: usize) -> usize {
        let events = self.events;
        let Some((event, range)) = events.get(index) else { return index + 1 };
        match event {
            Event::Text(text) | Event::InlineMath(text) | Event::DisplayMath(text) => self.text(text, range.start),
            Event::SoftBreak => self.soft_break(index),
            Event::Start(tag) => {
                self.flush();
                if !is_phrase(tag) {
                    self.close_lines(matches!(tag, Tag::HtmlBlock));
                }
                return self.start(tag, range, index);
            }
            Event::End(tag) => {
                self.flush();
                self.end(*tag);
            }
            Event::Code(code) => self.inline_code(code),
            Event::HardBreak => self.hard_break(),
            Event::Rule => {
                self.flush();
                self.close_lines(false);
                self.out.fresh_line();
                self.out.raw("<hr>\n");
            }
            Event::InlineHtml(html) => self.inline_html(html, range),
            // Comes only inside of blocks of raw HTML, which are rendered as a whole.
            Event::Html(_) => {}
            Event::FootnoteReference(label) => self.footnote_reference(label, range),
            Event::TaskListMarker(done) => self.task(*done),
        }
        index + 1
    }

    fn start(&mut self, tag: &'a Tag<'a>, range: &Range<usize>, index: usize) -> usize {
        match tag {
            Tag::Paragraph => {
                if let Some(next) = self.figure(index) {
                    return next;
                }
                self.block("<p>");
            }
            Tag::Heading { level, id, .. } => self.start_heading(*level as u8, id.as_deref(), range),
            Tag::BlockQuote(_) => self.start_quote(range, index),
            Tag::CodeBlock(kind) => return self.code_block(kind, range, index),
            Tag::HtmlBlock => return self.html_block(index),
            Tag::List(start) => self.start_list(*start),
            Tag::Item => self.block("<li>"),
            Tag::DefinitionList => self.block("<dl>\n"),
            Tag::DefinitionListTitle => self.block("<dt>"),
            Tag::DefinitionListDefinition => self.block("<dd>"),
            Tag::Table(alignments) => self.start_table(alignments),
            Tag::TableHead => {
                self.table.column = 0;
                self.table.in_head = true;
                self.out.raw("<thead>\n<tr>");
            }
            Tag::TableRow => {
                self.check_row_length(range);
                self.table.column = 0;
                self.out.raw("<tr>");
            }
            Tag::TableCell => self.start_cell(index),
            Tag::FootnoteDefinition(_) | Tag::MetadataBlock(_) => return self.skip_element(index),
            Tag::Emphasis => self.inline_markup("<em>"),
            Tag::Strong => self.inline_markup("<strong>"),
            Tag::Strikethrough => self.inline_markup("<del>"),
            Tag::Superscript => self.inline_markup("<sup>"),
            Tag::Subscript => self.inline_markup("<sub>"),
            Tag::Link { link_type, dest_url, title, .. } => return self.start_link(*link_type, dest_url, title, range, index),
            Tag::Image { link_type, dest_url, title, .. } => return self.image(*link_type, dest_url, title, range, index),
        }
        self.raw.enter();
        index + 1
    }

    fn end(&mut self, tag: TagEnd) {
        self.close_raw();
        match tag {
            TagEnd::Paragraph => self.end_block("</p>\n"),
            TagEnd::Heading(level) => self.end_heading(level as u8),
            TagEnd::BlockQuote(_) => {
                if let Some(Open::Quote { closing }) = self.open.pop() {
                    self.out.fresh_line();
                    self.out.raw(closing);
                    self.after_tab = closing == TAB_END;
                }
            }
            TagEnd::List(ordered) => self.end_block(if ordered { "</ol>\n" } else { "</ul>\n" }),
            TagEnd::Item => self.end_block("</li>\n"),
            TagEnd::DefinitionList => self.end_block("</dl>\n"),
            TagEnd::DefinitionListTitle => self.end_block("</dt>\n"),
            TagEnd::DefinitionListDefinition => self.end_block("</dd>\n"),
            TagEnd::Table => self.out.raw(if self.plain { "</tbody>\n</table>\n" } else { "</tbody>\n</table></div>\n" }),
            TagEnd::TableHead => {
                self.table.in_head = false;
                self.out.raw("</tr>\n</thead>\n<tbody>\n");
                self.end_of_block_text();
            }
            TagEnd::TableRow => self.end_block("</tr>\n"),
            TagEnd::TableCell => {
                self.table.column += 1;
                self.out.raw(if self.table.cell_is_head { "</th>" } else { "</td>" });
                self.section_text("\t");
            }
            TagEnd::Emphasis => self.inline_markup("</em>"),
            TagEnd::Strong => self.inline_markup("</strong>"),
            TagEnd::Strikethrough => self.inline_markup("</del>"),
            TagEnd::Superscript => self.inline_markup("</sup>"),
            TagEnd::Subscript => self.inline_markup("</sub>"),
            TagEnd::Link => self.end_link(),
            TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::FootnoteDefinition | TagEnd::Image | TagEnd::MetadataBlock(_) => {}
        }
    }

    pub(super) fn block(&mut self, markup: &str) {
        self.out.fresh_line();
        self.out.raw(markup);
        self.end_of_block_text();
    }

    pub(super) fn end_block(&mut self, markup: &str) {
        self.out.raw(markup);
        self.end_of_block_text();
    }

    /// Blocks are separated by a line break in the plain text.
    pub(super) fn end_of_block_text(&mut self) {
        self.inline.previous = None;
        if let Some(section) = self.sections.last_mut() {
            let kept = section.text.trim_end_matches(['\t', ' ', '\n']).len();
            section.text.truncate(kept);
            if kept > 0 {
                section.text.push('\n');
            }
        }
    }

    /// Adds plain text to the current section. Headings are not part of their section's text.
    pub(super) fn section_text(&mut self, text: &str) {
        if self.outline.is_none()
            && let Some(section) = self.sections.last_mut()
        {
            section.text.push_str(text);
        }
    }

    /// Notes that the text which follows in the current section is an id that stands for the name of a link's target.
    pub(super) fn section_name(&mut self, id: &str, link: usize) {
        if self.outline.is_none()
            && let Some(section) = self.sections.last_mut()
        {
            let start = section.text.len();
            section.names.push(NamedLink { span: Span::from(start..start + id.len()), link });
        }
    }

    /// The index of the event that ends the element that starts at `index`.
    pub(super) fn end_of(&self, index: usize) -> usize {
        let mut depth = 0_usize;
        for (at, (event, _)) in self.events.iter().enumerate().skip(index) {
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => {
                    depth -= 1;
                    if depth == 0 {
                        return at;
                    }
                }
                _ => {}
            }
        }
        self.events.len()
    }

    fn skip_element(&mut self, index: usize) -> usize {
        self.end_of(index) + 1
    }

    /// The original span of a range. The parser counts the line break as part of a block; a reader does not.
    pub(super) fn trimmed(&self, range: Range<usize>) -> Span {
        let length = self.source.text.get(range.clone()).map_or(range.len(), |text| text.trim_end().len());
        self.source.span(range.start..range.start + length)
    }

    /// Notes a problem at a range of the parsed text.
    pub(super) fn report(&mut self, rule: Rule, range: Range<usize>, message: String, help: Option<String>) {
        let span = self.trimmed(range);
        self.problems.push(Problem { rule, span, message, help });
    }
}

/// Whether an element is part of a line.
fn is_phrase(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript | Tag::Link { .. } | Tag::Image { .. }
    )
}
