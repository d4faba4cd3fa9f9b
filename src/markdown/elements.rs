//! The elements and attributes of HTML that may stand in a page.

/// Where an element may stand and what it may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// Part of a line: `kbd`, `sup`, `a`.
    Phrase,
    /// Part of a line, without content: `br`.
    VoidPhrase,
    /// A block of its own line that holds only parts of lines: `p`, `summary`.
    Line,
    /// A block that may hold Markdown blocks: `div`, `details`, `td`.
    Flow,
    /// A block that holds only certain blocks: `table`, `tr`, `ul`.
    Structure,
    /// A block without content: `hr`.
    VoidBlock,
}

/// The group of an element; `None` if it may not stand in a page.
pub(super) fn group(name: &str) -> Option<Group> {
    Some(match name {
        "a" | "abbr" | "b" | "bdi" | "bdo" | "cite" | "code" | "data" | "del" | "dfn" | "em" | "i" | "ins" | "kbd" | "mark" | "q"
        | "rp" | "rt" | "ruby" | "s" | "samp" | "small" | "span" | "strong" | "sub" | "sup" | "time" | "u" | "var" => Group::Phrase,
        "br" | "img" | "wbr" => Group::VoidPhrase,
        "caption" | "dt" | "figcaption" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "p" | "pre" | "summary" => Group::Line,
        "article" | "aside" | "blockquote" | "dd" | "details" | "div" | "figure" | "footer" | "header" | "li" | "section" | "td" | "th" => {
            Group::Flow
        }
        "dl" | "ol" | "table" | "tbody" | "tfoot" | "thead" | "tr" | "ul" => Group::Structure,
        "hr" => Group::VoidBlock,
        _ => return None,
    })
}

/// Elements whose content is no text for readers: it goes with them.
pub(super) fn drops_content(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "style"
            | "iframe"
            | "object"
            | "svg"
            | "math"
            | "template"
            | "noscript"
            | "noembed"
            | "noframes"
            | "textarea"
            | "title"
            | "xmp"
            | "plaintext"
            | "select"
            | "head"
            | "frameset"
            | "applet"
            | "audio"
            | "video"
            | "canvas"
            | "portal"
    )
}

/// The elements one of which must be the parent; none means any.
pub(super) fn parents(name: &str) -> &'static [&'static str] {
    match name {
        "caption" | "thead" | "tbody" | "tfoot" => &["table"],
        "tr" => &["table", "thead", "tbody", "tfoot"],
        "td" | "th" => &["tr"],
        "li" => &["ul", "ol"],
        "dt" | "dd" => &["dl"],
        "summary" => &["details"],
        "figcaption" => &["figure"],
        "rt" | "rp" => &["ruby"],
        _ => &[],
    }
}

/// Whether the parser of a browser would move what stands directly inside to another place.
pub(super) fn holds_only_parts(name: &str) -> bool {
    matches!(name, "table" | "thead" | "tbody" | "tfoot" | "tr")
}

/// Whether authors may leave out the closing tag.
pub(super) fn may_stay_open(name: &str) -> bool {
    matches!(name, "p" | "li" | "dt" | "dd" | "td" | "th" | "tr" | "thead" | "tbody" | "tfoot" | "caption" | "rt" | "rp")
}

/// Whether an opening tag ends an element that is open.
pub(super) fn ends(opening: &str, open: &str) -> bool {
    match opening {
        "li" => open == "li",
        "dt" | "dd" => matches!(open, "dt" | "dd"),
        "td" | "th" => matches!(open, "td" | "th" | "caption"),
        "tr" => matches!(open, "td" | "th" | "tr" | "caption"),
        "thead" | "tbody" | "tfoot" => matches!(open, "td" | "th" | "tr" | "thead" | "tbody" | "tfoot" | "caption"),
        "rt" | "rp" => matches!(open, "rt" | "rp"),
        _ => false,
    }
}

/// What becomes of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attribute {
    /// It passes, escaped.
    Text,
    /// It passes if it is a number.
    Number,
    /// It passes without value.
    Flag,
    /// It passes if no other part of the page has it.
    Id,
    /// It is checked and resolved as a link.
    Address,
    /// It is dropped, and nobody misses it: looks are the theme's.
    Cosmetic,
    /// It is dropped and reported.
    Refused,
}

/// What becomes of an attribute of an element.
pub(super) fn attribute(element: &str, name: &str, value: &str) -> Attribute {
    match (element, name) {
        (_, "id") | ("a", "name") => Attribute::Id,
        (_, "title" | "lang") | ("img", "alt") | ("time", "datetime") | ("data", "value") => Attribute::Text,
        (_, "dir") if matches!(value, "ltr" | "rtl" | "auto") => Attribute::Text,
        ("th", "scope") if matches!(value, "row" | "col" | "rowgroup" | "colgroup") => Attribute::Text,
        ("details", "open") | ("ol", "reversed") => Attribute::Flag,
        ("td" | "th", "colspan" | "rowspan") | ("img", "width" | "height") | ("ol", "start") | ("li", "value") => Attribute::Number,
        ("a", "href") | ("img", "src") => Attribute::Address,
        (
            _,
            "class" | "align" | "valign" | "target" | "rel" | "loading" | "decoding" | "border" | "width" | "height" | "markdown"
            | "cellpadding" | "cellspacing" | "bgcolor",
        ) => Attribute::Cosmetic,
        _ => Attribute::Refused,
    }
}
