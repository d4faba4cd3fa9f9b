//! A finished drawing: SVG markup, with the nodes left open whose links the caller must check.

use std::ops::Range;

use super::path::{Point, push_number};
use crate::diagram::size_class;

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
        let mut out = format!("<svg class=\"diagram mermaid {}", size_class(self.width));
        // The role `img` would hide the links inside from assistive technology.
        out.push_str(if self.links.is_empty() { "\" role=\"img\"" } else { "\" role=\"group\"" });
        let mut number = |name: &str, value: f64| {
            out.push_str(name);
            push_number(&mut out, value);
        };
        number(" width=\"", self.width);
        number("\" height=\"", self.height);
        number("\" viewBox=\"", self.origin.0);
        number(" ", self.origin.1);
        number(" ", self.width);
        number(" ", self.height);
        out.push_str("\" text-anchor=\"middle\">");
        out
    }
}
