//! From the parser's events to HTML: the walk, and the blocks.

use std::{collections::BTreeSet, ops::Range};

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Tag, TagEnd};

use super::{
    Heading, Html, Link, Options, Problem, Prose, Section, code,
    containers::{Block, Kind},
    fence::Fence,
    footnotes::Footnotes,
    headings::{Ids, is_reserved},
    inline::Inline,
    marker::Title,
    sanitize::RawHtml,
    source::Source,
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
    pub(super) sections: Vec<Section>,
    pub(super) problems: Vec<Problem>,
    pub(super) ids: Ids,
    pub(super) anchors: Vec<String>,
    pub(super) inline: Inline<'a>,
    pub(super) raw: RawHtml,
    pub(super) footnotes: Footnotes<'a>,
    open: Vec<Open>,
    table: Table,
    /// Whether the block quote that ended last was a tab.
    after_tab: bool,
}

/// The end of a tab and of its group.
const TAB_END: &str = "</section>\n</div>\n";
/// The end of a group of tabs, which another tab takes back.
const TABS_END: &str = "</div>\n";

/// What must be remembered of an element until it ends.
enum Open {
    Quote { closing: &'static str },
    Heading { from: usize, id: Option<String>, is_title: bool, span: Span },
    NoteTitle { closing: &'static str },
}

#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    column: usize,
    in_head: bool,
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
            sections: vec![Section::default()],
            problems: Vec::new(),
            ids: Ids::default(),
            anchors: Vec::new(),
            inline: Inline::new(options.glossary, abbreviations),
            raw: RawHtml::default(),
            footnotes: Footnotes::collect(events),
            open: Vec::new(),
            table: Table::default(),
            after_tab: false,
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
            section.text = section.text.trim().to_owned();
        }
        Prose {
            title: self.title,
            html: self.out,
            headings: self.headings,
            anchors: self.anchors,
            links: self.links,
            sections: self.sections,
            problems,
        }
    }

    /// Ids that authors chose come first, wherever they stand, so that no generated id takes one away.
    fn claim_explicit_ids(&mut self) {
        let mut seen = BTreeSet::new();
        for (event, range) in self.events {
            let Event::Start(Tag::Heading { id: Some(id), .. }) = event else { continue };
            let id = self.clean(id).into_owned();
            if !seen.insert(id.clone()) {
                self.report(
                    Rule::DuplicateAnchor,
                    range.clone(),
                    format!("the id `{id}` is used twice on this page"),
                    Some("give one of the headings another id".into()),
                );
            } else if is_reserved(&id) {
                self.report(
                    Rule::DuplicateAnchor,
                    range.clone(),
                    format!("the id `{id}` is used by the page itself"),
                    Some("choose another id".into()),
                );
            }
            self.ids.claim(&id);
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
                return self.start(tag, range, index);
            }
            Event::End(tag) => {
                self.flush();
                self.end(*tag);
            }
            Event::Code(code) => self.inline_code(code),
            Event::HardBreak => self.hard_break(),
            Event::Rule => {
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
                self.table.column = 0;
                self.out.raw("<tr>");
            }
            Tag::TableCell => self.start_cell(),
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
                self.out.raw(if self.table.in_head { "</th>" } else { "</td>" });
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

    fn block(&mut self, markup: &str) {
        self.out.fresh_line();
        self.out.raw(markup);
        self.end_of_block_text();
    }

    fn end_block(&mut self, markup: &str) {
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

    fn start_heading(&mut self, level: u8, id: Option<&str>, range: &Range<usize>) {
        self.end_of_block_text();
        if let Some(Open::NoteTitle { .. }) = self.open.last() {
            return;
        }
        let is_title = level == 1
            && !self.plain
            && self.open.is_empty()
            && self.out.text.is_empty()
            && self.title.is_none()
            && self.headings.is_empty();
        self.out.fresh_line();
        let id = id.map(|id| self.clean(id).into_owned());
        self.open.push(Open::Heading { from: self.out.text.len(), id, is_title, span: self.trimmed(range.clone()) });
        self.outline = Some(Html::default());
        self.inline.plain_heading.clear();
    }

    fn end_heading(&mut self, level: u8) {
        match self.open.pop() {
            Some(Open::NoteTitle { closing }) => self.end_block(closing),
            Some(Open::Heading { from, id, is_title, span }) => {
                let inner = self.out.split_off(from);
                let html = self.outline.take().unwrap_or_default().text.trim().to_owned();
                let text = std::mem::take(&mut self.inline.plain_heading).trim().to_owned();
                if self.plain {
                    self.out.raw(&format!("<h{level}>"));
                    self.out.append(inner);
                    self.out.raw(&format!("</h{level}>\n"));
                    return;
                }
                let explicit = id.is_some();
                let id = match id {
                    Some(id) => self.ids.chosen(id),
                    None => self.ids.for_text(&text),
                };
                let heading = Heading { level, id, explicit, html, text, span };
                if is_title {
                    self.title = Some(heading);
                    return;
                }
                self.write_heading(&heading, inner);
                self.sections.push(Section { heading: Some(self.headings.len()), text: String::new() });
                self.headings.push(heading);
            }
            Some(Open::Quote { .. }) | None => {}
        }
    }

    fn write_heading(&mut self, heading: &Heading, inner: Html) {
        let level = heading.level;
        self.out.raw(&format!("<h{level}"));
        self.out.attribute("id", &heading.id);
        self.out.raw(">");
        self.out.append(inner);
        self.out.raw(" <a class=\"heading-anchor\"");
        self.out.attribute("href", &format!("#{}", crate::url::encode_fragment(&heading.id)));
        self.out.attribute("aria-label", &format!("{}: {}", self.options.labels.heading_link, heading.text));
        self.out.raw(&format!("></a></h{level}>\n"));
    }

    fn start_quote(&mut self, range: &Range<usize>, index: usize) {
        let blocks = self.blocks;
        let found = blocks.binary_search_by_key(&range.start, |block| block.at).ok().and_then(|index| blocks.get(index));
        match found {
            None => {
                self.block("<blockquote>\n");
                self.open.push(Open::Quote { closing: "</blockquote>\n" });
            }
            Some(block) => {
                let follows =
                    matches!(index.checked_sub(1).and_then(|before| self.events.get(before)), Some((Event::End(TagEnd::BlockQuote(_)), _)));
                self.start_container(block, follows && self.after_tab);
            }
        }
    }

    fn start_container(&mut self, block: &Block, follows_tab: bool) {
        self.end_of_block_text();
        self.out.fresh_line();
        let (title_opening, title_closing, closing) = match &block.kind {
            Kind::Note { kind } => {
                self.out.raw("<aside");
                self.out.attribute("class", &format!("note note-{kind}"));
                self.out.raw(" role=\"note\">\n");
                ("<p class=\"note-title\">", "</p>\n", "</aside>\n")
            }
            Kind::Details { kind, open } => {
                self.out.raw("<details");
                self.out.attribute("class", &format!("note note-{kind}"));
                self.out.raw(if *open { " open>\n" } else { ">\n" });
                ("<summary>", "</summary>\n", "</details>\n")
            }
            Kind::Tab { label } => {
                // Tabs that stand one behind the other are alternatives to each other.
                match self.out.text.strip_suffix(TABS_END).map(str::len).filter(|_| follows_tab) {
                    Some(open) => self.out.text.truncate(open),
                    None => self.out.raw("<div class=\"tabs\" data-tabs>\n"),
                }
                self.out.raw("<section class=\"tab\"");
                self.out.attribute("data-tab", label);
                self.out.raw(">\n");
                ("<p class=\"tab-label\">", "</p>\n", TAB_END)
            }
        };
        self.open.push(Open::Quote { closing });
        if matches!(block.title, Title::Own(_)) {
            self.out.raw(title_opening);
            self.open.push(Open::NoteTitle { closing: title_closing });
        } else if let Some(title) = block.default_title(self.options.labels) {
            self.out.raw(title_opening);
            self.out.escaped(&title);
            self.section_text(&title);
            self.end_block(title_closing);
        }
    }

    fn start_list(&mut self, start: Option<u64>) {
        match start {
            Some(1) => self.block("<ol>\n"),
            Some(start) => self.block(&format!("<ol start=\"{start}\">\n")),
            None => self.block("<ul>\n"),
        }
    }

    fn task(&mut self, done: bool) {
        self.flush();
        // Its name is the item's text, which stands right behind it.
        self.out.raw(if done { "<input type=\"checkbox\" disabled checked> " } else { "<input type=\"checkbox\" disabled> " });
    }

    fn start_table(&mut self, alignments: &[Alignment]) {
        self.table.alignments = alignments.to_vec();
        // A wide table scrolls inside its box; without `tabindex` the keyboard could not scroll it.
        self.block(if self.plain { "<table>" } else { "<div class=\"table\" tabindex=\"0\"><table>" });
    }

    fn start_cell(&mut self) {
        let name = if self.table.in_head { "th" } else { "td" };
        let class = match self.table.alignments.get(self.table.column) {
            Some(Alignment::Left) => " class=\"align-left\"",
            Some(Alignment::Center) => " class=\"align-center\"",
            Some(Alignment::Right) => " class=\"align-right\"",
            Some(Alignment::None) | None => "",
        };
        self.inline.previous = None;
        self.out.raw(&format!("<{name}{class}>"));
    }

    fn code_block(&mut self, kind: &CodeBlockKind<'_>, range: &Range<usize>, index: usize) -> usize {
        let end = self.end_of(index);
        let mut text = String::new();
        for (event, _) in self.events.get(index + 1..end).unwrap_or_default() {
            if let Event::Text(part) = event {
                text.push_str(&self.clean(part));
            }
        }
        let info = match kind {
            CodeBlockKind::Indented => String::new(),
            CodeBlockKind::Fenced(info) => self.clean(info).into_owned(),
        };
        self.end_of_block_text();
        self.out.fresh_line();
        self.section_text(&text);
        self.end_of_block_text();
        if self.plain {
            self.out.raw(&code::plain(&info, &text));
            return end + 1;
        }
        let mut fence = Fence::parse(&info);
        fence.check(text.lines().count());
        for (message, help) in &fence.problems {
            let line = self.source.text[range.start..].find('\n').map_or(range.end, |at| range.start + at).min(range.end);
            self.report(Rule::BadCodeFence, range.start..line, message.clone(), Some(help.clone()));
        }
        code::write(&fence, &text, self.options.highlighter, &mut self.out);
        end + 1
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
    fn trimmed(&self, range: Range<usize>) -> Span {
        let length = self.source.text.get(range.clone()).map_or(range.len(), |text| text.trim_end().len());
        self.source.span(range.start..range.start + length)
    }

    /// Notes a problem at a range of the parsed text.
    pub(super) fn report(&mut self, rule: Rule, range: Range<usize>, message: String, help: Option<String>) {
        let span = self.trimmed(range);
        self.problems.push(Problem { rule, span, message, help });
    }
}
