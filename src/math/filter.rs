//! Writes MathML again: only elements of MathML Core, listed attributes, and classes instead of styles.

use roxmltree::{Document, Node, ParsingOptions};

use crate::text::{escape, escape_into};

/// The namespace of MathML (MathML Core, section 2.1).
const MATHML: &str = "http://www.w3.org/1998/Math/MathML";

/// The elements that are kept (MathML Core, section 2.1.1). `menclose` is replaced, and annotations are written separately.
const ELEMENTS: [&str; 25] = [
    "menclose",
    "merror",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
];

/// The attributes that are kept. `style` becomes classes; `href`, `id` and events have no form here.
const ATTRIBUTES: [&str; 25] = [
    "accent",
    "accentunder",
    "columnspan",
    "depth",
    "dir",
    "display",
    "displaystyle",
    "fence",
    "form",
    "height",
    "largeop",
    "linethickness",
    "lspace",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "rowspan",
    "rspace",
    "scriptlevel",
    "separator",
    "stretchy",
    "symmetric",
    "voffset",
    "width",
];

/// The maximum number of elements and texts of a formula.
const MAX_NODES: u32 = 50_000;
/// The maximum depth of elements: below the 512 levels that browsers accept in a whole page.
const MAX_DEPTH: usize = 150;

/// Filters the MathML of a formula, and adds its source as an annotation. `None` if the text is not MathML or exceeds the limits.
pub(super) fn filter(mathml: &str, latex: &str) -> Option<String> {
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(mathml, options).ok()?;
    let root = document.root_element();
    if !root.has_tag_name((MATHML, "math")) {
        return None;
    }
    let mut out = format!("<math xmlns=\"{MATHML}\"");
    if root.attribute("display") == Some("block") {
        out.push_str(" display=\"block\"");
    }
    // The first child of `semantics` is one element.
    out.push_str("><semantics><mrow>");
    for child in root.children() {
        write(child, 1, &mut out)?;
    }
    out.push_str("</mrow><annotation encoding=\"application/x-tex\">");
    escape_into(latex, &mut out);
    out.push_str("</annotation></semantics></math>");
    Some(out)
}

/// Writes an element or a text. `None` if it is nested too deep.
fn write(node: Node<'_, '_>, depth: usize, out: &mut String) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(text) = node.text().filter(|_| node.is_text()) {
        escape_into(text, out);
        return Some(());
    }
    let name = node.tag_name().name();
    let is_mathml = node.tag_name().namespace() == Some(MATHML);
    if !is_mathml || !ELEMENTS.contains(&name) {
        // HTML in `mtext`, such as a link, is replaced by its text.
        for child in node.children() {
            write(child, depth + 1, out)?;
        }
        return Some(());
    }
    // MathML Core has no `menclose`: the lines are backgrounds, so the elements for lines are not needed. The number of a `multline` is always 1.
    let is_line = name == "mrow" && node.attribute("class").is_some_and(|class| class.starts_with("menclose-"));
    if is_line || style(node).any(|declaration| declaration == ("width", "7.5%")) {
        return Some(());
    }
    let name = if name == "menclose" { "mrow" } else { name };
    write_start(node, name, out);
    write_padding(node, name, "padding-left", out);
    for child in node.children() {
        write(child, depth + 1, out)?;
    }
    write_padding(node, name, "padding-right", out);
    out.push_str("</");
    out.push_str(name);
    out.push('>');
    Some(())
}

/// Writes a start tag. It is separate from [`write`], which calls itself and needs a small frame.
fn write_start(node: Node<'_, '_>, name: &str, out: &mut String) {
    out.push('<');
    out.push_str(name);
    for attribute in node.attributes().filter(|attribute| attribute.namespace().is_none() && ATTRIBUTES.contains(&attribute.name())) {
        out.push_str(&[" ", attribute.name(), "=\"", &escape(attribute.value()), "\""].concat());
    }
    let classes = classes(node);
    if !classes.is_empty() {
        out.push_str(&[" class=\"", &classes.join(" "), "\""].concat());
    }
    out.push('>');
}

/// Writes the padding of one side of an `mpadded` as a space, which needs no style.
fn write_padding(node: Node<'_, '_>, name: &str, side: &str, out: &mut String) {
    let padding = style(node).find(|(property, value)| name == "mpadded" && *property == side && *value != "0");
    if let Some((_, width)) = padding {
        out.push_str(&["<mspace width=\"", &escape(width), "\"></mspace>"].concat());
    }
}

/// The declarations of the attribute `style`.
fn style<'a>(node: Node<'a, '_>) -> impl Iterator<Item = (&'a str, &'a str)> {
    let declarations = node.attribute("style").unwrap_or_default().split(';');
    declarations.filter_map(|declaration| declaration.split_once(':')).map(|(property, value)| (property.trim(), value.trim()))
}

/// The classes of `static/math.css` for the styles of an element. Colors and sizes of text have none, because the site has its own design.
fn classes(node: Node<'_, '_>) -> Vec<&'static str> {
    let mut classes: Vec<&str> =
        style(node).filter_map(|(property, value)| class_of_style(node.tag_name().name(), property, value)).collect();
    for notation in node.attribute("notation").unwrap_or_default().split(' ') {
        classes.extend(match notation {
            "updiagonalstrike" => Some("math-strike-up"),
            "downdiagonalstrike" => Some("math-strike-down"),
            "horizontalstrike" => Some("math-strike"),
            _ => None,
        });
    }
    if node.has_tag_name((MATHML, "mtext")) {
        classes.extend(node.descendants().filter_map(|inner| match inner.tag_name().name() {
            "b" => Some("math-bold"),
            "i" | "em" => Some("math-italic"),
            "code" => Some("math-code"),
            "u" => Some("math-underline"),
            "s" => Some("math-strike"),
            _ => None,
        }));
    }
    // Both diagonals are one background.
    if classes.contains(&"math-strike-up") && classes.contains(&"math-strike-down") {
        classes.retain(|class| !class.starts_with("math-strike-"));
        classes.push("math-strike-both");
    }
    classes
}

fn class_of_style(element: &str, property: &str, value: &str) -> Option<&'static str> {
    Some(match (element, property, value) {
        ("mtd", "text-align", "left") => "math-left",
        ("mtd", "text-align", "right") => "math-right",
        ("mtd", "padding-left", "0") => "math-flush-left",
        ("mtd", "padding-right", "0") => "math-flush-right",
        ("mtd", "padding-left", "1em") => "math-gap",
        ("mtd", "padding-left", "0.1em") => "math-narrow",
        ("mtd", "padding-top", "0") => "math-tight",
        ("mtd" | "mtable", "border-left", value) => {
            if value.contains("dashed") {
                "math-dashed-left"
            } else {
                "math-line-left"
            }
        }
        ("mtd" | "mtable", "border-right", value) => {
            if value.contains("dashed") {
                "math-dashed-right"
            } else {
                "math-line-right"
            }
        }
        ("mtd" | "mtable", "border-top", value) => {
            if value.contains("dashed") {
                "math-dashed-top"
            } else {
                "math-line-top"
            }
        }
        ("mtable", "width", "100%") => "math-numbered",
        ("mtd", "width", "50%") => "math-number",
        // A space can't have a negative width.
        ("mspace", "margin-left", value) if value.starts_with("-0.16") => "math-back-thin",
        ("mspace", "margin-left", value) if value.starts_with("-0.22") => "math-back-medium",
        ("mspace", "margin-left", value) if value.starts_with("-0.27") => "math-back-thick",
        _ => return None,
    })
}
