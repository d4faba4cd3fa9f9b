//! Generated pages: their frame, and the author's introduction.

use serde::Serialize;

use super::{
    frame::{Frame, frame},
    prose::introduction,
    reader::Reader,
    templates::RenderResult,
};
use crate::layout::GeneratedPage;

#[derive(Serialize)]
struct IntroducedView<'a, T> {
    intro: String,
    #[serde(flatten)]
    view: &'a T,
}

/// The frame of a generated page, with its title and description of the interface strings.
pub(super) fn generated_frame<'a>(reader: &Reader<'a>, page: GeneratedPage) -> Frame<'a> {
    let key = page.title_key();
    frame(reader, page.path(), reader.words(key), reader.strings().get(&format!("{key}_description")))
}

/// Renders a generated page.
pub(super) fn render(reader: &Reader<'_>, page: GeneratedPage, template: &str, view: &impl Serialize) -> RenderResult {
    render_in(reader, &generated_frame(reader, page), page, template, view)
}

/// Renders a generated page in a frame that differs from the usual one.
pub(super) fn render_in(
    reader: &Reader<'_>,
    frame: &Frame<'_>,
    page: GeneratedPage,
    template: &str,
    view: &impl Serialize,
) -> RenderResult {
    frame.render(reader, template, &IntroducedView { intro: introduction(reader, page)?, view })
}

/// Renders a page below a generated one, which has no introduction.
pub(super) fn render_below(reader: &Reader<'_>, frame: &Frame<'_>, template: &str, view: &impl Serialize) -> RenderResult {
    frame.render(reader, template, &IntroducedView { intro: String::new(), view })
}
