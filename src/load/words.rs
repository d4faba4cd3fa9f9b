//! The words of a page, small: the texts of a whole site are held at once, and each is read twice.

use crate::markdown::{Hole, Html, NamedLink, Prose, TextSection};

/// The words of a page: what is shown, and what is searched.
#[derive(Clone, Debug)]
pub struct Words {
    /// The HTML and then the texts of the sections, as an LZ4 block behind its length.
    packed: Box<[u8]>,
    /// The bytes of the HTML.
    html: usize,
    holes: Box<[Hole]>,
    sections: Box<[Part]>,
}

/// What is known of a section without its text.
#[derive(Clone, Debug)]
struct Part {
    heading: Option<usize>,
    /// The bytes of its text.
    length: usize,
    names: Box<[NamedLink]>,
}

impl Words {
    /// Takes them out of a text.
    pub(super) fn of(prose: &mut Prose) -> Self {
        let Html { text, holes } = std::mem::take(&mut prose.html);
        let sections = std::mem::take(&mut prose.sections);
        let html = text.len();
        let all: String = std::iter::once(text.as_str()).chain(sections.iter().map(|section| section.text.as_str())).collect();
        let part = |section: TextSection| Part { heading: section.heading, length: section.text.len(), names: section.names.into() };
        Self {
            packed: lz4_flex::block::compress_prepend_size(all.as_bytes()).into(),
            html,
            holes: holes.into(),
            sections: sections.into_iter().map(part).collect(),
        }
    }

    /// The HTML with its holes.
    #[must_use]
    pub fn html(&self) -> Html {
        let mut text = self.unpacked();
        text.truncate(self.html);
        Html { text, holes: self.holes.to_vec() }
    }

    /// Plain text by section.
    #[must_use]
    pub fn sections(&self) -> Vec<TextSection> {
        let all = self.unpacked();
        let mut rest = all.get(self.html..).unwrap_or_default();
        let section = |part: &Part| {
            let (text, behind) = rest.split_at_checked(part.length).unwrap_or_default();
            rest = behind;
            TextSection { heading: part.heading, text: text.to_owned(), names: part.names.to_vec() }
        };
        self.sections.iter().map(section).collect()
    }

    fn unpacked(&self) -> String {
        // Nobody else has touched it, so it is what was packed.
        let bytes = lz4_flex::block::decompress_size_prepended(&self.packed).unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{markdown::HoleKind, text::Span};

    #[test]
    fn words_come_out_as_they_went_in() {
        let section =
            |heading, text: &str| TextSection { heading, text: text.to_owned(), names: vec![NamedLink { span: Span::new(0, 2), link: 1 }] };
        for text in ["", "<p>コーヒー</p>", &"<td>same</td>".repeat(10_000)] {
            let html = Html { text: text.to_owned(), holes: vec![Hole { at: 0, kind: HoleKind::Name(1) }] };
            for sections in [vec![], vec![section(None, "")], vec![section(None, "水"), section(Some(0), ""), section(Some(1), text)]] {
                let mut prose = Prose { html: html.clone(), sections: sections.clone(), ..Prose::default() };
                let words = Words::of(&mut prose);
                assert_eq!(prose, Prose::default());
                assert_eq!((words.html(), words.sections()), (html.clone(), sections));
            }
        }
    }
}
