//! The driver of the renderer: walks over the parser's events, and passes them to the parts of a page.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use super::{
    code_blocks::CodeBlocks,
    containers::Container,
    footnotes::Footnotes,
    formulas,
    headings::{self, Headings},
    images,
    inline::InlineText,
    links,
    output::PageOutput,
    parsed::{ParsedPage, is_inline},
    prose::{Prose, TextSection},
    quotes::Quotes,
    raw_html::RawHtml,
    tables::TableWriter,
};

/// A page that is being rendered.
pub(super) struct MarkdownRenderer<'a> {
    page: ParsedPage<'a>,
    out: PageOutput<'a>,
    inline: InlineText<'a>,
    headings: Headings,
    quotes: Quotes<'a>,
    table: TableWriter<'a>,
    code_blocks: CodeBlocks,
    raw_html: RawHtml,
    footnotes: Footnotes<'a>,
}

/// How the walk continues after the start of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The content of the element is rendered event by event.
    Content,
    /// The element is written as a whole, or not at all.
    Element,
}

impl<'a> MarkdownRenderer<'a> {
    pub(super) fn new(page: ParsedPage<'a>, containers: &'a [Container], abbreviations: &'a [(String, String)]) -> Self {
        Self {
            page,
            out: PageOutput::new(page),
            inline: InlineText::new(page.options.glossary, abbreviations),
            headings: Headings::default(),
            quotes: Quotes::new(containers),
            table: TableWriter::default(),
            code_blocks: CodeBlocks::default(),
            raw_html: RawHtml::default(),
            footnotes: Footnotes::collect(page.events),
        }
    }

    /// Renders everything.
    pub(super) fn run(mut self) -> Prose {
        headings::claim_explicit_ids(&mut self.out);
        Footnotes::claim_ids(&mut self.out);
        self.walk(0..self.page.events.len());
        self.raw_html.leave(&mut self.out);
        self.render_footnotes();
        self.out.sections.iter_mut().for_each(TextSection::trim);
        Prose {
            title: self.headings.title,
            html: self.out.html,
            headings: self.headings.all,
            anchors: self.out.anchors,
            links: self.out.links,
            listings: self.code_blocks.listings,
            facts: self.code_blocks.facts,
            codes: self.code_blocks.codes,
            sections: self.out.sections,
            problems: self.out.problems,
            symptoms: self.table.symptoms,
        }
    }

    /// Renders a range of events, which contains whole elements.
    fn walk(&mut self, range: Range<usize>) {
        let mut index = range.start;
        while index < range.end {
            index = self.event(index);
        }
        self.flush();
    }

    /// Renders the footnotes with references. Footnotes can contain references to further ones.
    fn render_footnotes(&mut self) {
        let mut notes = Vec::new();
        while let Some(start) = self.footnotes.definition(notes.len()) {
            let from = self.out.html.end();
            self.raw_html.enter(false);
            self.walk(start + 1..self.page.end_of(start));
            self.raw_html.leave(&mut self.out);
            notes.push(self.out.html.split_off(from));
        }
        if !notes.is_empty() {
            self.out.html.begin_section(self.headings.all.len());
        }
        self.footnotes.write(notes, &mut self.out);
        self.footnotes.report_unused(&mut self.out);
    }

    /// Renders one event, or an element as a whole; returns the index of the next event.
    fn event(&mut self, index: usize) -> usize {
        let Some((event, range)) = self.page.events.get(index) else { return index + 1 };
        match event {
            Event::Text(text) => {
                self.inline.push(text, range.start, &mut self.out);
                return index + 1;
            }
            Event::SoftBreak => {
                self.inline.soft_break(index, &mut self.out);
                return index + 1;
            }
            _ => self.flush(),
        }
        match event {
            Event::Start(tag) => {
                if !is_inline(tag.to_end()) {
                    self.raw_html.close_lines(matches!(tag, Tag::HtmlBlock), &mut self.out);
                }
                if self.start(tag, range, index) == Next::Element {
                    return self.page.end_of(index) + 1;
                }
                self.raw_html.enter(matches!(tag, Tag::TableCell));
            }
            Event::End(tag) => {
                self.raw_html.leave(&mut self.out);
                self.end(*tag);
            }
            Event::Code(code) => self.code(code),
            Event::HardBreak => {
                self.out.inline_markup("<br>\n");
                self.out.plain_text("\n");
                self.out.previous = None;
            }
            Event::Rule => {
                self.raw_html.close_lines(false, &mut self.out);
                self.out.html.fresh_line();
                self.out.html.raw("<hr>\n");
            }
            Event::InlineMath(latex) => formulas::write(latex, false, range, &mut self.out),
            Event::DisplayMath(latex) => formulas::write(latex, true, range, &mut self.out),
            Event::InlineHtml(html) => self.raw_html.inline(html, range, &mut self.out),
            Event::FootnoteReference(label) if self.footnotes.is_defined(label) => self.footnotes.reference(label, range, &mut self.out),
            Event::FootnoteReference(label) => self.inline.push(&format!("[^{label}]"), range.start, &mut self.out),
            Event::TaskListMarker(done) => self.task(*done),
            // Text is handled above. HTML occurs only inside blocks of raw HTML, which are rendered as a whole.
            Event::Text(_) | Event::SoftBreak | Event::Html(_) => {}
        }
        index + 1
    }

    fn start(&mut self, tag: &'a Tag<'a>, range: &Range<usize>, index: usize) -> Next {
        let out = &mut self.out;
        match tag {
            Tag::Paragraph => {
                if images::figure(index, out) {
                    return Next::Element;
                }
                out.block("<p>");
            }
            Tag::Heading { level, id, .. } => {
                out.end_block_text();
                if !self.quotes.in_title() {
                    if *level == HeadingLevel::H2 && self.raw_html.is_outermost() {
                        out.html.begin_section(self.headings.all.len());
                    }
                    self.headings.start(*level as u8, id.as_deref(), range, self.quotes.is_open(), out);
                }
            }
            Tag::BlockQuote(_) => self.quotes.start(range, index, out),
            Tag::CodeBlock(kind) => {
                self.code_blocks.write(kind, index, range, out);
                return Next::Element;
            }
            Tag::HtmlBlock => {
                self.raw_html.block(index, out);
                return Next::Element;
            }
            Tag::List(Some(1)) => out.block("<ol>\n"),
            Tag::List(Some(start)) => out.block(&format!("<ol start=\"{start}\">\n")),
            Tag::List(None) => out.block("<ul>\n"),
            Tag::Item => out.block("<li>"),
            Tag::DefinitionList => out.block("<dl>\n"),
            Tag::DefinitionListTitle => {
                out.block("<dt");
                headings::write_term_id(index, out);
                out.html.raw(">");
            }
            Tag::DefinitionListDefinition => out.block("<dd>"),
            Tag::Table(alignments) => {
                let section = self.headings.all.last().filter(|heading| heading.explicit).map(|heading| heading.id.as_str());
                self.table.start(alignments, section, out);
            }
            Tag::TableHead => self.table.start_head(out),
            Tag::TableRow => self.table.start_row(range, out),
            Tag::TableCell => self.table.start_cell(index, out),
            Tag::FootnoteDefinition(_) | Tag::MetadataBlock(_) => return Next::Element,
            Tag::Emphasis => out.inline_markup("<em>"),
            Tag::Strong => out.inline_markup("<strong>"),
            Tag::Strikethrough => out.inline_markup("<del>"),
            Tag::Superscript => out.inline_markup("<sup>"),
            Tag::Subscript => out.inline_markup("<sub>"),
            Tag::Link { link_type, dest_url, title, .. } => {
                links::check_text(index, range, out);
                if !links::start(*link_type, dest_url, title, range, out) {
                    return Next::Element;
                }
            }
            Tag::Image { link_type, dest_url, title, .. } => {
                images::image(*link_type, dest_url, title, index, range, out);
                return Next::Element;
            }
        }
        Next::Content
    }

    fn end(&mut self, tag: TagEnd) {
        let out = &mut self.out;
        match tag {
            TagEnd::Paragraph => out.end_block("</p>\n"),
            TagEnd::Heading(level) => {
                if !self.quotes.end_title(out) {
                    self.headings.end(level as u8, out);
                }
            }
            TagEnd::BlockQuote(_) => self.quotes.end(out),
            TagEnd::List(ordered) => out.end_block(if ordered { "</ol>\n" } else { "</ul>\n" }),
            TagEnd::Item => out.end_block("</li>\n"),
            TagEnd::DefinitionList => out.end_block("</dl>\n"),
            TagEnd::DefinitionListTitle => out.end_block("</dt>\n"),
            TagEnd::DefinitionListDefinition => out.end_block("</dd>\n"),
            TagEnd::Table => out.html.raw(if self.page.plain { "</tbody>\n</table>\n" } else { "</tbody>\n</table></div>\n" }),
            TagEnd::TableHead => self.table.end_head(out),
            TagEnd::TableRow => out.end_block("</tr>\n"),
            TagEnd::TableCell => self.table.end_cell(out),
            TagEnd::Emphasis => out.inline_markup("</em>"),
            TagEnd::Strong => out.inline_markup("</strong>"),
            TagEnd::Strikethrough => out.inline_markup("</del>"),
            TagEnd::Superscript => out.inline_markup("</sup>"),
            TagEnd::Subscript => out.inline_markup("</sub>"),
            TagEnd::Link => links::end(out),
            TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::FootnoteDefinition | TagEnd::Image | TagEnd::MetadataBlock(_) => {}
        }
    }

    /// Writes the collected text.
    fn flush(&mut self) {
        if !self.inline.is_empty() {
            self.inline.flush(!self.raw_html.in_abbreviation(), &mut self.out);
        }
    }

    fn code(&mut self, code: &str) {
        let code = self.page.clean(code);
        self.out.inline_markup("<code>");
        self.out.inline_text(&code);
        self.out.inline_markup("</code>");
        self.out.plain_text(&code);
        self.out.previous = code.chars().next_back();
    }

    fn task(&mut self, done: bool) {
        let labels = self.page.options.labels;
        let html = &mut self.out.html;
        html.raw(if done { "<input type=\"checkbox\" disabled checked" } else { "<input type=\"checkbox\" disabled" });
        let name = if done { &labels.task_done } else { &labels.task_open };
        if !name.is_empty() {
            html.attribute("aria-label", name);
        }
        html.raw("> ");
    }
}
