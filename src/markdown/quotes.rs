//! Block quotes, and the notes, folded blocks and tabs that the parser treats as block quotes.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

use super::{
    containers::Container,
    marker::{ContainerKind, Title},
    output::PageOutput,
};

/// The end of a tab and of its group.
const TAB_END: &str = "</section>\n</div>\n";
/// The end of a group of tabs, which is removed when another tab follows.
const TABS_END: &str = "</div>\n";

/// The block quotes of a page.
#[derive(Default)]
pub(super) struct Quotes<'a> {
    /// Sorted by `at`.
    containers: &'a [Container],
    /// The closing tags of the open quotes.
    closing: Vec<&'static str>,
    /// The closing tag of the title that is being written.
    title_closing: Option<&'static str>,
    /// Whether the quote that ended last was a tab.
    after_tab: bool,
}

/// The tags of a container. The opening tag is written already.
struct ContainerTags {
    title_opening: &'static str,
    title_closing: &'static str,
    closing: &'static str,
}

impl<'a> Quotes<'a> {
    pub(super) fn new(containers: &'a [Container]) -> Self {
        Self { containers, ..Self::default() }
    }

    /// Whether any quote is open.
    pub(super) const fn is_open(&self) -> bool {
        !self.closing.is_empty()
    }

    /// Whether the title of a container is being written, which is a heading for the parser.
    pub(super) const fn in_title(&self) -> bool {
        self.title_closing.is_some()
    }

    /// Ends the title of a container. `false` if none is being written.
    pub(super) fn end_title(&mut self, out: &mut PageOutput<'_>) -> bool {
        let closing = self.title_closing.take();
        closing.inspect(|closing| out.end_block(closing)).is_some()
    }

    /// Begins the quote that starts at `index`.
    pub(super) fn start(&mut self, range: &Range<usize>, index: usize, out: &mut PageOutput<'_>) {
        let Ok(found) = self.containers.binary_search_by_key(&range.start, |container| container.at) else {
            out.block("<blockquote>\n");
            self.closing.push("</blockquote>\n");
            return;
        };
        let container = &self.containers[found];
        let page = out.page;
        out.end_block_text();
        out.html.fresh_line();
        let follows_quote =
            index.checked_sub(1).is_some_and(|before| matches!(page.event(before), Some(Event::End(TagEnd::BlockQuote(_)))));
        let tags = open_container(&container.kind, follows_quote && self.after_tab, out);
        self.closing.push(tags.closing);
        let has_heading = matches!(page.event(index + 1), Some(Event::Start(Tag::Heading { .. })));
        if has_heading && matches!(container.title, Title::Own(_)) {
            out.html.raw(tags.title_opening);
            self.title_closing = Some(tags.title_closing);
        } else if let Some(title) = container.default_title(page.options.labels) {
            out.html.raw(tags.title_opening);
            out.html.escaped(&title);
            out.section_text(&title);
            out.end_block(tags.title_closing);
        }
    }

    /// Ends the innermost quote.
    pub(super) fn end(&mut self, out: &mut PageOutput<'_>) {
        if let Some(closing) = self.closing.pop() {
            out.html.fresh_line();
            out.html.raw(closing);
            self.after_tab = closing == TAB_END;
        }
    }
}

fn open_container(kind: &ContainerKind, follows_tab: bool, out: &mut PageOutput<'_>) -> ContainerTags {
    let html = &mut out.html;
    match kind {
        ContainerKind::Note { kind } => {
            html.raw(&format!("<aside class=\"note note-{kind}\" role=\"note\">\n"));
            ContainerTags { title_opening: "<p class=\"note-title\">", title_closing: "</p>\n", closing: "</aside>\n" }
        }
        ContainerKind::Details { kind, open } => {
            html.raw(&format!("<details class=\"note note-{kind}\"{}>\n", if *open { " open" } else { "" }));
            ContainerTags { title_opening: "<summary>", title_closing: "</summary>\n", closing: "</details>\n" }
        }
        ContainerKind::Tab { label } => {
            // Consecutive tabs are one group.
            match html.text.strip_suffix(TABS_END).map(str::len).filter(|_| follows_tab) {
                Some(open) => html.text.truncate(open),
                None => html.raw("<div class=\"tabs\" data-tabs>\n"),
            }
            html.raw("<section class=\"tab\"");
            html.attribute("data-tab", label);
            html.raw(">\n");
            ContainerTags { title_opening: "<p class=\"tab-label\">", title_closing: "</p>\n", closing: TAB_END }
        }
    }
}
