//! The arrows of messages.

use super::super::svg_writer::Arrowhead;

/// An arrow as in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MessageArrow {
    /// Its text in the source.
    pub(super) text: &'static str,
    pub(super) is_dashed: bool,
    pub(super) heads: [Option<Arrowhead>; 2],
}

const FILLED: Option<Arrowhead> = Some(Arrowhead::Filled);
const OPEN: Option<Arrowhead> = Some(Arrowhead::Open);
const CROSS: Option<Arrowhead> = Some(Arrowhead::Cross);

/// All arrows; where one begins with another, the longer is first. Half heads are drawn as whole ones.
const ARROWS: [(&str, bool, [Option<Arrowhead>; 2]); 26] = [
    ("<<-->>", true, [FILLED, FILLED]),
    ("<<->>", false, [FILLED, FILLED]),
    ("-->>", true, [None, FILLED]),
    ("->>", false, [None, FILLED]),
    ("-->", true, [None, None]),
    ("->", false, [None, None]),
    ("--x", true, [None, CROSS]),
    ("-x", false, [None, CROSS]),
    ("--)", true, [None, OPEN]),
    ("-)", false, [None, OPEN]),
    ("--|\\", true, [None, FILLED]),
    ("--|/", true, [None, FILLED]),
    ("--\\\\", true, [None, OPEN]),
    ("--//", true, [None, OPEN]),
    ("-|\\", false, [None, FILLED]),
    ("-|/", false, [None, FILLED]),
    ("-\\\\", false, [None, OPEN]),
    ("-//", false, [None, OPEN]),
    ("/|--", true, [FILLED, None]),
    ("\\|--", true, [FILLED, None]),
    ("//--", true, [OPEN, None]),
    ("\\\\--", true, [OPEN, None]),
    ("/|-", false, [FILLED, None]),
    ("\\|-", false, [FILLED, None]),
    ("//-", false, [OPEN, None]),
    ("\\\\-", false, [OPEN, None]),
];

/// Finds the first arrow in a text, and its position.
pub(super) fn find(text: &str) -> Option<(usize, MessageArrow)> {
    let at_position = |at: usize| {
        let found = ARROWS.iter().find(|(arrow, ..)| text[at..].starts_with(arrow));
        found.map(|&(text, is_dashed, heads)| (at, MessageArrow { text, is_dashed, heads }))
    };
    let mut all = text.char_indices().filter_map(|(at, character)| if "<-/\\".contains(character) { at_position(at) } else { None });
    let first = all.next()?;
    // `-x` within a word is part of a name if another arrow follows.
    let is_in_word = first.1.text.ends_with('x') && {
        let is_letter = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
        is_letter(text[..first.0].chars().last()) && is_letter(text[first.0 + first.1.text.len()..].chars().next())
    };
    if is_in_word { Some(all.find(|(_, arrow)| arrow.text.contains('>')).unwrap_or(first)) } else { Some(first) }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn the_longest_arrow_is_found() {
        for (text, at, arrow) in [
            ("A->>B", 1, "->>"),
            ("A-->>B", 1, "-->>"),
            ("A-->B", 1, "-->"),
            ("kube-apiserver->>etcd", 14, "->>"),
            ("A<<-->>B", 1, "<<-->>"),
            ("A -x B", 2, "-x"),
            ("A-xB", 1, "-x"),
            ("web-xml->>B", 7, "->>"),
            ("A--)B", 1, "--)"),
        ] {
            assert_eq!(find(text).map(|(at, arrow)| (at, arrow.text)), Some((at, arrow)), "{text}");
        }
        assert_eq!(find("A=>B"), None);
    }
}
