//! Videos and audio files.
//!
//! Nothing is played until the reader asks for it: each has controls, only its metadata is loaded with the page, and `autoplay` is dropped.

use std::ops::Range;

use super::{
    elements,
    output::PageOutput,
    prose::{Embedded, Target},
};
use crate::diagnostic::Rule;

/// Whether a destination is a video or an audio file, by its extension.
pub(super) fn of_file(destination: &str) -> Option<Embedded> {
    let path = destination.split(['?', '#']).next()?;
    let (_, extension) = path.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "mp4" | "m4v" | "webm" | "ogv" | "mov" => Some(Embedded::Video),
        "mp3" | "m4a" | "ogg" | "oga" | "opus" | "wav" | "flac" => Some(Embedded::Audio),
        _ => None,
    }
}

/// The kind of file that an attribute of an element embeds in the page; `None` for an ordinary link.
pub(super) fn of_attribute(element: &str, attribute: &str, value: &str) -> Option<Embedded> {
    Some(match (element, attribute) {
        ("img", "src") | ("video", "poster") => Embedded::Picture,
        ("video", "src") => Embedded::Video,
        ("audio", "src") => Embedded::Audio,
        ("source", "src") => of_file(value).unwrap_or(Embedded::Video),
        ("track", "src") => Embedded::TextTrack,
        _ => return None,
    })
}

/// Writes a video or an audio file that is written as an image in Markdown.
pub(super) fn file(kind: Embedded, target: Option<Target>, name: &str, title: &str, range: &Range<usize>, out: &mut PageOutput<'_>) {
    let element = if kind == Embedded::Audio { "audio" } else { "video" };
    out.html.raw(&format!("<{element}"));
    if let Some(target) = target {
        out.address("src", target, Some(kind), range);
    }
    if !name.trim().is_empty() {
        out.html.attribute("aria-label", name);
    }
    if !title.is_empty() {
        out.html.attribute("title", title);
    }
    out.html.raw(&format!(" controls preload=\"metadata\"></{element}>"));
}

/// Writes the attributes that every `<video>` and `<audio>` of raw HTML has.
pub(super) fn write_settings(attributes: &[(String, String)], out: &mut PageOutput<'_>) {
    let preload = value_of("preload", attributes).filter(|value| matches!(*value, "none" | "auto")).unwrap_or("metadata");
    out.html.raw(&format!(" controls preload=\"{preload}\""));
}

/// Reports `autoplay`, which distracts readers and can't be stopped by those who don't find the controls.
pub(super) fn refuse_autoplay(element: &str, range: &Range<usize>, out: &mut PageOutput<'_>) {
    let message = format!("`autoplay` of `<{element}>` was dropped: readers decide when to play it");
    out.report(Rule::RawHtml, range.clone(), message, "remove `autoplay`");
}

/// Whether an element must contain a track, because it is a video or an audio file without a text alternative in its attributes.
pub(super) fn needs_track(element: &str, attributes: &[(String, String)]) -> bool {
    let is_named = ["aria-label", "title"].iter().any(|name| value_of(name, attributes).is_some_and(|value| !value.is_empty()));
    elements::is_media(element) && !is_named
}

/// Whether an element is a track with a text that replaces what readers can't see or hear. Without `kind`, it has subtitles.
pub(super) fn is_text_alternative(element: &str, attributes: &[(String, String)]) -> bool {
    element == "track" && matches!(value_of("kind", attributes), None | Some("subtitles" | "captions" | "descriptions"))
}

/// The value of an attribute of raw HTML. Of duplicate attributes, browsers use the first.
fn value_of<'t>(wanted: &str, attributes: &'t [(String, String)]) -> Option<&'t str> {
    attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.trim())
}

/// Reports a video or an audio file without a text alternative.
pub(super) fn report_missing_text(element: &str, range: Range<usize>, out: &mut PageOutput<'_>) {
    let noun = if element == "audio" { Embedded::Audio } else { Embedded::Video }.noun();
    let help = format!("add `aria-label=\"…\"` that describes the {noun}, or a `<track>` with captions");
    out.report(Rule::MissingAltText, range, format!("the {noun} has no alternative text"), help);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_files() {
        for (destination, kind) in [
            ("demo.mp4", Some(Embedded::Video)),
            ("../a/Demo.WebM#t=5", Some(Embedded::Video)),
            ("https://a.example/x.mov?y=z.png", Some(Embedded::Video)),
            ("hum.ogg", Some(Embedded::Audio)),
            ("demo.mp4.png", None),
            ("mp4", None),
            ("x.png?mp4", None),
        ] {
            assert_eq!(of_file(destination), kind, "{destination}");
        }
    }
}
