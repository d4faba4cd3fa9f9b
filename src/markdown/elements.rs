//! The elements and attributes of raw HTML that are allowed in a page.

/// Where an element is allowed, and its allowed content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementGroup {
    /// Part of a line: `kbd`, `sup`, `a`.
    Phrase,
    /// Part of a line, without content: `br`.
    VoidPhrase,
    /// A block that contains only parts of lines: `p`, `summary`.
    Line,
    /// A block that may contain Markdown blocks: `div`, `details`, `td`.
    Flow,
    /// A block that contains only certain blocks: `table`, `tr`, `ul`.
    Structure,
    /// A block without content: `hr`.
    VoidBlock,
}

impl ElementGroup {
    pub(super) const fn is_phrase(self) -> bool {
        matches!(self, Self::Phrase | Self::VoidPhrase)
    }

    pub(super) const fn is_void(self) -> bool {
        matches!(self, Self::VoidPhrase | Self::VoidBlock)
    }
}

/// The group of an element; `None` if it is not allowed in a page.
pub(super) fn group(name: &str) -> Option<ElementGroup> {
    Some(match name {
        "a" | "abbr" | "audio" | "b" | "bdi" | "bdo" | "cite" | "code" | "data" | "del" | "dfn" | "em" | "i" | "ins" | "kbd" | "mark"
        | "q" | "rp" | "rt" | "ruby" | "s" | "samp" | "small" | "span" | "strong" | "sub" | "sup" | "time" | "u" | "var" | "video" => {
            ElementGroup::Phrase
        }
        "br" | "img" | "source" | "track" | "wbr" => ElementGroup::VoidPhrase,
        "caption" | "dt" | "figcaption" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "p" | "pre" | "summary" => ElementGroup::Line,
        "article" | "aside" | "blockquote" | "dd" | "details" | "div" | "figure" | "footer" | "header" | "li" | "section" | "td" | "th" => {
            ElementGroup::Flow
        }
        "dl" | "ol" | "table" | "tbody" | "tfoot" | "thead" | "tr" | "ul" => ElementGroup::Structure,
        "hr" => ElementGroup::VoidBlock,
        _ => return None,
    })
}

/// Whether the content of an element is not text for readers and is dropped with it.
pub(super) fn drops_content(name: &str) -> bool {
    const NAMES: &str = "script style iframe object svg math template noscript noembed noframes textarea title xmp plaintext select head \
        frameset applet canvas portal";
    NAMES.split(' ').any(|known| known == name)
}

/// The allowed parents of an element; none means any.
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
        "source" | "track" => &["video", "audio"],
        _ => &[],
    }
}

/// Whether a browser moves content other than table parts out of the element.
pub(super) fn holds_only_parts(name: &str) -> bool {
    matches!(name, "table" | "thead" | "tbody" | "tfoot" | "tr")
}

/// Whether an element is a table or a part of one.
pub(super) fn is_part_of_table(name: &str) -> bool {
    holds_only_parts(name) || matches!(name, "td" | "th" | "caption")
}

/// Whether the closing tag is optional.
pub(super) fn may_stay_open(name: &str) -> bool {
    matches!(name, "p" | "li" | "dt" | "dd" | "td" | "th" | "tr" | "thead" | "tbody" | "tfoot" | "caption" | "rt" | "rp")
}

/// Whether an element shows a file that the reader can play.
pub(super) fn is_media(name: &str) -> bool {
    matches!(name, "video" | "audio")
}

/// Whether an opening tag implicitly ends an open element.
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

/// The treatment of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttributePolicy {
    /// Kept, escaped.
    Text,
    /// Kept if it is a number.
    Number,
    /// Kept without its value.
    Flag,
    /// Kept if it is unique on the page.
    Id,
    /// Checked and resolved as a link.
    Address,
    /// Dropped and reported once on a page: classes belong to the theme.
    Class,
    /// Dropped without a report: appearance is defined by the theme.
    Cosmetic,
    /// Dropped and reported.
    Refused,
}

/// How an attribute of an element is treated.
pub(super) fn attribute(element: &str, name: &str, value: &str) -> AttributePolicy {
    match (element, name) {
        (_, "id") | ("a", "name") => AttributePolicy::Id,
        (_, "title" | "lang")
        | ("img", "alt")
        | ("video" | "audio", "aria-label")
        | ("time", "datetime")
        | ("data", "value")
        | ("source", "type")
        | ("track", "label" | "srclang") => AttributePolicy::Text,
        (_, "align") if matches!(value, "left" | "right" | "center") => AttributePolicy::Text,
        (_, "class") => AttributePolicy::Class,
        (_, "role") if value == "note" => AttributePolicy::Cosmetic,
        (_, "dir") if matches!(value, "ltr" | "rtl" | "auto") => AttributePolicy::Text,
        ("th", "scope") if matches!(value, "row" | "col" | "rowgroup" | "colgroup") => AttributePolicy::Text,
        ("track", "kind") if matches!(value, "subtitles" | "captions" | "descriptions" | "chapters") => AttributePolicy::Text,
        ("details", "open")
        | ("ol", "reversed")
        | ("track", "default")
        | ("video" | "audio", "loop" | "muted")
        | ("video", "playsinline") => AttributePolicy::Flag,
        ("td" | "th", "colspan" | "rowspan") | ("img" | "video", "width" | "height") | ("ol", "start") | ("li", "value") => {
            AttributePolicy::Number
        }
        ("a", "href") | ("img" | "video" | "audio" | "source" | "track", "src") | ("video", "poster") => AttributePolicy::Address,
        // Every video has controls, and its own `preload`.
        ("video" | "audio", "controls" | "preload")
        | (
            _,
            "valign" | "target" | "rel" | "loading" | "decoding" | "border" | "width" | "height" | "markdown" | "cellpadding"
            | "cellspacing" | "bgcolor",
        ) => AttributePolicy::Cosmetic,
        _ => AttributePolicy::Refused,
    }
}
