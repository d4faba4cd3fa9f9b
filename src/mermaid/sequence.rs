//! Sequence diagrams.

use roxmltree::Node;

use super::{
    path::{Point, SvgPath},
    svg_reader::{arrowheads, has_class, lines, number, path, shape},
    svg_writer::{LabelLine, SvgWriter, TextRole},
};
use crate::diagram::measure::LABEL_SIZE;

/// The distance from the end of a line to the tip of its head. Lines end before the lifeline.
const BEYOND: f64 = 3.5;

/// The distance from the upper edge of a person to the middle of the head.
const HEAD: f64 = 10.0;

/// Reads the drawing.
pub(super) fn read(root: Node<'_, '_>, out: &mut SvgWriter) {
    root.children().filter(Node::is_element).for_each(|child| element(child, out));
}

fn element(node: Node<'_, '_>, out: &mut SvgWriter) {
    match node.tag_name().name() {
        "g" if has_class(node, "actorPopupMenu") => {}
        "g" => match node.attribute("data-et") {
            Some("participant") => participant(node, out),
            Some("note") => note(node, out),
            Some("control-structure") => frame(node, out),
            _ => read(node, out),
        },
        "rect" if has_class(node, "rect") => {
            out.open_group("ground");
            shape(node, "area", (0.0, 0.0), out);
            out.close_group();
        }
        "rect" if node.attribute("class").is_some_and(|class| class.starts_with("activation")) => shape(node, "active", (0.0, 0.0), out),
        "line" if has_class(node, "actor-line") => draw_path(node, "lifeline", out),
        "line" | "path" => message(node, out),
        "text" => text(node, out),
        _ => {}
    }
}

/// The height of a person in merman's drawing, from the head to the lifeline.
const PERSON: f64 = 80.0;

fn participant(node: Node<'_, '_>, out: &mut SvgWriter) {
    let texts: Vec<Node<'_, '_>> = node.children().filter(|child| child.tag_name().name() == "text").collect();
    let lines: Vec<LabelLine> = texts.iter().flat_map(|text| lines(*text)).collect();
    // Merman draws a person as a stick figure with a name below. Here it is a box with round ends, as high as the others.
    if let Some(head) = node.children().find(|child| child.tag_name().name() == "circle") {
        let (wide, high) = (number(head, "width"), number(head, "height"));
        let (x, top) = (number(head, "cx"), number(head, "cy") - HEAD);
        out.path("lifeline", &SvgPath::line(&[(x, top + high), (x, top + PERSON)]), (0.0, 0.0));
        out.open_node("", None);
        out.rect("box", (x - wide / 2.0, top), (wide, high), high / 2.0);
        out.text(TextRole::Label, &lines, (x, top + high / 2.0));
    } else {
        out.open_node("", None);
        node.children().filter(|child| child.tag_name().name() == "rect").for_each(|rect| shape(rect, "box", (0.0, 0.0), out));
        if let Some(first) = texts.first() {
            out.text(TextRole::Label, &lines, (number(*first, "x"), number(*first, "y")));
        }
    }
    out.close_node(None);
}

fn note(node: Node<'_, '_>, out: &mut SvgWriter) {
    out.open_group("note");
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "rect" => shape(child, "slip", (0.0, 0.0), out),
            "text" => out.text(TextRole::Caption, &lines(child), below(child)),
            _ => {}
        }
    }
    out.close_group();
}

fn frame(node: Node<'_, '_>, out: &mut SvgWriter) {
    out.open_group("frame");
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "line" => {
                let dashed = child.attribute("style").is_some_and(|style| style.contains("dasharray"));
                draw_path(child, if dashed { "edge dashed" } else { "edge" }, out);
            }
            "polygon" => shape(child, "tab", (0.0, 0.0), out),
            "text" => {
                let (role, up) = if has_class(child, "labelText") { (TextRole::Tab, 3.0) } else { (TextRole::Caption, 4.0) };
                out.text(role, &lines(child), (number(child, "x"), number(child, "y") - up));
            }
            _ => {}
        }
    }
    out.close_group();
}

fn message(node: Node<'_, '_>, out: &mut SvgWriter) {
    let ends = ["x1", "y1", "x2", "y2"].map(|name| number(node, name));
    if node.attribute("marker-start").is_some_and(|marker| marker.contains("sequencenumber")) {
        out.circle("number", (ends[0], ends[1]), 8.0);
        return;
    }
    if !node.attribute("class").is_some_and(|class| class.starts_with("messageLine")) {
        return;
    }
    let Some(path) = path(node) else { return };
    out.arrow(if has_class(node, "messageLine1") { "line dashed" } else { "line" }, path, arrowheads(node), BEYOND);
}

fn text(node: Node<'_, '_>, out: &mut SvgWriter) {
    let at = (number(node, "x"), number(node, "y"));
    match node.attribute("class") {
        Some("messageText") => out.text(TextRole::Caption, &lines(node), below(node)),
        Some("sequenceNumber") => out.text(TextRole::Number, &lines(node), (at.0, at.1 - 4.0)),
        Some("text") => out.text(TextRole::Caption, &lines(node), at),
        None => out.heading = lines(node),
        Some(_) => {}
    }
}

/// The middle of a text that is one line below its position.
fn below(text: Node<'_, '_>) -> Point {
    (number(text, "x"), number(text, "y") + if text.attribute("dy") == Some("1em") { LABEL_SIZE } else { 0.0 })
}

fn draw_path(node: Node<'_, '_>, class: &str, out: &mut SvgWriter) {
    if let Some(path) = path(node) {
        out.path(class, &path, (0.0, 0.0));
    }
}
