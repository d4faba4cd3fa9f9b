//! Sequence diagrams.

use roxmltree::Node;

use super::{
    path::{Path, Point},
    pen::{Pen, Row, Words},
    svg::{number, path, shape, tips},
    text::{has_class, rows},
};
use crate::diagram::measure::LABEL_SIZE;

/// How far the heads of arrows lie beyond the ends of their lines, which end short of the life line.
const BEYOND: f64 = 3.5;

/// How far the middle of a person's head lies below the upper edge.
const HEAD: f64 = 10.0;

/// Reads the drawing.
pub(super) fn read(root: Node<'_, '_>, pen: &mut Pen) {
    for child in root.children().filter(Node::is_element) {
        element(child, pen);
    }
}

fn element(node: Node<'_, '_>, pen: &mut Pen) {
    match node.tag_name().name() {
        "g" if has_class(node, "actorPopupMenu") => {}
        "g" => match node.attribute("data-et") {
            Some("participant") => participant(node, pen),
            Some("note") => note(node, pen),
            Some("control-structure") => frame(node, pen),
            _ => {
                for child in node.children().filter(Node::is_element) {
                    element(child, pen);
                }
            }
        },
        "rect" if has_class(node, "rect") => {
            pen.open("ground");
            shape(node, "area", (0.0, 0.0), pen);
            pen.close();
        }
        "rect" if node.attribute("class").is_some_and(|class| class.starts_with("activation")) => shape(node, "active", (0.0, 0.0), pen),
        "line" if has_class(node, "actor-line") => draw_path(node, "lifeline", pen),
        "line" | "path" => message(node, pen),
        "text" => text(node, pen),
        _ => {}
    }
}

/// How high a person is in merman's drawing, from the head to where the life line begins.
const PERSON: f64 = 80.0;

fn participant(node: Node<'_, '_>, pen: &mut Pen) {
    let texts: Vec<Node<'_, '_>> = node.children().filter(|child| child.tag_name().name() == "text").collect();
    let lines: Vec<Row> = texts.iter().flat_map(|text| rows(*text)).collect();
    // A person is a figure of lines with a name below. Here it is a box with round ends, as high as the others.
    if let Some(head) = node.children().find(|child| child.tag_name().name() == "circle") {
        let (wide, high) = (number(head, "width"), number(head, "height"));
        let (x, top) = (number(head, "cx"), number(head, "cy") - HEAD);
        pen.path("lifeline", &Path::line((x, top + high), (x, top + PERSON)), (0.0, 0.0));
        pen.open_node("", None);
        pen.rect("box", (x - wide / 2.0, top), (wide, high), high / 2.0);
        pen.words(Words::Label, &lines, (x, top + high / 2.0));
    } else {
        pen.open_node("", None);
        node.children().filter(|child| child.tag_name().name() == "rect").for_each(|rect| shape(rect, "box", (0.0, 0.0), pen));
        if let Some(first) = texts.first() {
            pen.words(Words::Label, &lines, (number(*first, "x"), number(*first, "y")));
        }
    }
    pen.close_node(None);
}

fn note(node: Node<'_, '_>, pen: &mut Pen) {
    pen.open("note");
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "rect" => shape(child, "slip", (0.0, 0.0), pen),
            "text" => pen.words(Words::Word, &rows(child), below(child)),
            _ => {}
        }
    }
    pen.close();
}

fn frame(node: Node<'_, '_>, pen: &mut Pen) {
    pen.open("frame");
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "line" => {
                let dashed = child.attribute("style").is_some_and(|style| style.contains("dasharray"));
                draw_path(child, if dashed { "edge dashed" } else { "edge" }, pen);
            }
            "polygon" => shape(child, "tab", (0.0, 0.0), pen),
            "text" => {
                let (words, up) = if has_class(child, "labelText") { (Words::Tab, 3.0) } else { (Words::Word, 4.0) };
                pen.words(words, &rows(child), (number(child, "x"), number(child, "y") - up));
            }
            _ => {}
        }
    }
    pen.close();
}

fn message(node: Node<'_, '_>, pen: &mut Pen) {
    let ends = ["x1", "y1", "x2", "y2"].map(|name| number(node, name));
    if node.attribute("marker-start").is_some_and(|marker| marker.contains("sequencenumber")) {
        pen.circle("number", (ends[0], ends[1]), 8.0);
        return;
    }
    if !node.attribute("class").is_some_and(|class| class.starts_with("messageLine")) {
        return;
    }
    let Some(path) = path(node) else { return };
    pen.arrow(if has_class(node, "messageLine1") { "line dashed" } else { "line" }, path, tips(node), BEYOND);
}

fn text(node: Node<'_, '_>, pen: &mut Pen) {
    let at = (number(node, "x"), number(node, "y"));
    match node.attribute("class") {
        Some("messageText") => pen.words(Words::Word, &rows(node), below(node)),
        Some("sequenceNumber") => pen.words(Words::Digit, &rows(node), (at.0, at.1 - 4.0)),
        Some("text") => pen.words(Words::Word, &rows(node), at),
        None => pen.heading(rows(node)),
        Some(_) => {}
    }
}

/// The middle of a text that hangs one line below its place.
fn below(text: Node<'_, '_>) -> Point {
    (number(text, "x"), number(text, "y") + if text.attribute("dy") == Some("1em") { LABEL_SIZE } else { 0.0 })
}

fn draw_path(node: Node<'_, '_>, class: &str, pen: &mut Pen) {
    if let Some(path) = path(node) {
        pen.path(class, &path, (0.0, 0.0));
    }
}
