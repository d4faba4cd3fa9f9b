//! The HTML and the plain text of a page, compressed: those of a whole site are in memory at the same time, and each is read only twice.

use crate::markdown::{Hole, Html, NamedLink, Prose, TextSection};

/// The HTML and the plain text of a page.
#[derive(Clone, Debug, Default)]
pub struct CompressedBody {
    /// The HTML followed by the texts of the sections: an LZ4 block after its length. Empty if both are empty.
    compressed: Box<[u8]>,
    /// The length of the HTML in bytes.
    html_length: usize,
    holes: Box<[Hole]>,
    sections: Box<[SectionMeta]>,
}

#[derive(Clone, Debug)]
struct SectionMeta {
    heading: Option<usize>,
    /// The length of its text in bytes.
    length: usize,
    names: Box<[NamedLink]>,
}

impl CompressedBody {
    /// Moves the HTML and the sections out of `prose`.
    pub(super) fn take(prose: &mut Prose) -> Self {
        let Html { text, holes } = std::mem::take(&mut prose.html);
        let sections = std::mem::take(&mut prose.sections);
        let html_length = text.len();
        let all: String = std::iter::once(text.as_str()).chain(sections.iter().map(|section| section.text.as_str())).collect();
        let meta = |section: TextSection| SectionMeta { heading: section.heading, length: section.text.len(), names: section.names.into() };
        Self {
            compressed: lz4_flex::block::compress_prepend_size(all.as_bytes()).into(),
            html_length,
            holes: holes.into(),
            sections: sections.into_iter().map(meta).collect(),
        }
    }

    /// The HTML with its holes.
    #[must_use]
    pub fn html(&self) -> Html {
        let mut text = self.decompress();
        text.truncate(self.html_length);
        Html { text, holes: self.holes.to_vec() }
    }

    /// Plain text by section.
    #[must_use]
    pub fn sections(&self) -> Vec<TextSection> {
        let all = self.decompress();
        let mut rest = all.get(self.html_length..).unwrap_or_default();
        let section = |meta: &SectionMeta| {
            let (text, behind) = rest.split_at_checked(meta.length).unwrap_or_default();
            rest = behind;
            TextSection { heading: meta.heading, text: text.to_owned(), names: meta.names.to_vec() }
        };
        self.sections.iter().map(section).collect()
    }

    fn decompress(&self) -> String {
        // Fails only for the default value, which is empty.
        let bytes = lz4_flex::block::decompress_size_prepended(&self.compressed).unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{markdown::HoleKind, text::Span};

    #[test]
    fn a_body_is_the_same_after_a_round_trip() {
        let section =
            |heading, text: &str| TextSection { heading, text: text.to_owned(), names: vec![NamedLink { span: Span::new(0, 2), link: 1 }] };
        for text in ["", "<p>コーヒー</p>", &"<td>same</td>".repeat(10_000)] {
            let html = Html { text: text.to_owned(), holes: vec![Hole { at: 0, kind: HoleKind::Name(1) }] };
            for sections in [vec![], vec![section(None, "")], vec![section(None, "水"), section(Some(0), ""), section(Some(1), text)]] {
                let mut prose = Prose { html: html.clone(), sections: sections.clone(), ..Prose::default() };
                let body = CompressedBody::take(&mut prose);
                assert_eq!(prose, Prose::default());
                assert_eq!((body.html(), body.sections()), (html.clone(), sections));
            }
        }
    }
}
