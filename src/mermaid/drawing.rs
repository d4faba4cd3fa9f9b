//! A finished drawing: SVG markup, with gaps for the nodes whose links the caller must check; or the reason why there is no drawing.

use std::ops::Range;

use super::path::Point;
use crate::diagram::format_number;

/// The class of the element around a node.
pub const NODE_CLASS: &str = "node";

/// A diagram as SVG.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MermaidDrawing {
    /// `accTitle`, or `title` in the front matter.
    pub title: Option<String>,
    /// `accDescr`.
    pub description: Option<String>,
    /// The texts in it, in drawing order.
    pub texts: Vec<String>,
    /// The links of its nodes.
    pub links: Vec<NodeLink>,
    /// The markup between the title and the end of the `<svg>` element.
    pub fragments: Vec<SvgFragment>,
    pub(super) width: f64,
    pub(super) height: f64,
    /// Left and top of the visible area.
    pub(super) origin: Point,
}

/// The link of a node (`click A href "…"`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeLink {
    /// The name of the node in the source.
    pub node: String,
    /// The address, as written.
    pub address: String,
    /// The bytes of the address in the source.
    pub span: Range<usize>,
}

/// A fragment of a drawing's markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SvgFragment {
    /// Markup to copy.
    Markup(String),
    /// The start of a node with the link of this index in [`MermaidDrawing::links`]. The caller writes an element with the class
    /// [`NODE_CLASS`].
    OpenNode(usize),
    /// The end of that node.
    CloseNode(usize),
}

impl MermaidDrawing {
    /// The opening tag of the `<svg>` element. A `<title>` must follow.
    #[must_use]
    pub fn opening(&self) -> String {
        // The role `img` would hide the links inside from assistive technology.
        let role = if self.links.is_empty() { "img" } else { "group" };
        let [x, y, width, height] = [self.origin.0, self.origin.1, self.width, self.height].map(format_number);
        format!(
            "<svg class=\"diagram mermaid {}\" role=\"{role}\" width=\"{width}\" height=\"{height}\" viewBox=\"{x} {y} {width} {height}\" \
             text-anchor=\"middle\">",
            size_class(self.width)
        )
    }
}

/// The class for a drawing of this width in CSS pixels: on a narrow screen a wide one scrolls instead of becoming too small to read.
const fn size_class(width: f64) -> &'static str {
    match width {
        ..=640.0 => "small",
        ..=960.0 => "medium",
        ..=1300.0 => "wide",
        _ => "vast",
    }
}

/// The reason why a source can't be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawError {
    /// Bytes of the source, on character boundaries.
    pub span: Range<usize>,
    /// A description of the problem.
    pub message: String,
    /// How to fix it.
    pub help: String,
    /// Whether the source may be valid, but is of a kind that is not built in.
    pub unsupported: bool,
}

impl DrawError {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: help.into(), unsupported: false }
    }
}
