//! Flowcharts and state diagrams: merman draws both as grounds, lines, words and boxes, in this order.

use roxmltree::Node;

use super::{
    measurer::height,
    parts::{Kind, Parts},
    path::{Path, Point},
    pen::{Pen, Words},
    svg::{add, moved, number, path, shape, tips},
    text::{has_class, rows},
};

/// How far the heads of a flowchart's arrows lie beyond the ends of their lines.
const BEYOND: f64 = 4.0;
/// Where the name of a ground stands, from its corner.
const CORNER: Point = (12.0, 13.5);
/// Deeper than diagrams are nested that merman draws.
const DEEPEST: usize = 200;

/// Reads the drawing.
pub(super) fn read(root: Node<'_, '_>, parts: &Parts, pen: &mut Pen) {
    group(root, (0.0, 0.0), parts, pen, 0);
}

fn group(node: Node<'_, '_>, at: Point, parts: &Parts, pen: &mut Pen, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    for child in node.children().filter(Node::is_element) {
        let at = add(at, moved(child));
        if has_class(child, "node") || child.tag_name().name() == "a" {
            let inner = if has_class(child, "node") { Some(child) } else { child.children().find(|inner| has_class(*inner, "node")) };
            if let Some(inner) = inner {
                let at = if inner == child { at } else { add(at, moved(inner)) };
                draw_node(inner, at, parts, pen);
            }
        } else if has_class(child, "edgePaths") {
            child.children().filter(Node::is_element).for_each(|line| draw_line(line, at, parts.kind, pen));
        } else if has_class(child, "edgeLabels") {
            child.children().filter(|label| has_class(*label, "edgeLabel")).for_each(|label| draw_word(label, at, pen));
        } else if has_class(child, "clusters") {
            child.children().filter(Node::is_element).for_each(|ground| draw_ground(ground, at, pen));
        } else if child.tag_name().name() == "g" && !has_class(child, "edgeLabel") {
            group(child, at, parts, pen, depth + 1);
        }
    }
}

fn draw_ground(ground: Node<'_, '_>, at: Point, pen: &mut Pen) {
    let at = add(at, moved(ground));
    let find = |class: &str| ground.descendants().find(|node| node.tag_name().name() == "rect" && has_class(*node, class));
    let plain = || ground.children().find(|child| child.tag_name().name() == "rect" && !has_class(*child, "inner"));
    // A state and its note lie in a ground that is not seen.
    let Some(rect) = find("outer").or_else(|| find("divider")).or_else(plain).filter(|_| !has_class(ground, "note-cluster")) else {
        return;
    };
    let corner = add(at, (number(rect, "x"), number(rect, "y")));
    pen.open("ground");
    pen.rect(if has_class(rect, "divider") { "region" } else { "area" }, corner, (number(rect, "width"), number(rect, "height")), 0.0);
    if let Some(text) = ground.descendants().find(|node| node.tag_name().name() == "text") {
        pen.words(Words::Ground, &rows(text), add(corner, CORNER));
    }
    pen.close();
}

fn draw_line(line: Node<'_, '_>, at: Point, kind: Kind, pen: &mut Pen) {
    if has_class(line, "edge-thickness-invisible") {
        return;
    }
    let Some(mut path) = path(line) else { return };
    path.shift(at);
    let dashed = ["edge-pattern-dotted", "edge-pattern-dashed", "note-edge"].iter().any(|class| has_class(line, class));
    let class = match (dashed, has_class(line, "edge-thickness-thick")) {
        (true, _) => "line dashed",
        (false, true) => "line thick",
        (false, false) => "line",
    };
    pen.arrow(class, path, tips(line), if kind == Kind::Flowchart { BEYOND } else { 0.0 });
}

fn draw_word(label: Node<'_, '_>, at: Point, pen: &mut Pen) {
    let at = add(at, moved(label));
    if let Some(text) = label.descendants().find(|node| node.tag_name().name() == "text") {
        pen.words(Words::Word, &rows(text), at);
    }
}

fn draw_node(node: Node<'_, '_>, at: Point, parts: &Parts, pen: &mut Pen) {
    let link = name(node, parts.kind).and_then(|name| parts.links.iter().rposition(|(linked, _)| linked == name));
    pen.open_node(if has_class(node, "statediagram-note") { " note" } else { "" }, link);
    let has_words = node.descendants().any(|inner| inner.tag_name().name() == "text");
    shapes(node, at, has_words, &mut "box", pen, 0);
    labels(node, at, (parts.kind == Kind::State).then_some(at.0), pen);
    pen.close_node(link);
}

/// What the author calls a node: merman's ids are `merman-flowchart-NAME-NUMBER`.
fn name<'a>(node: Node<'a, '_>, kind: Kind) -> Option<&'a str> {
    let id = node.attribute("id")?;
    let prefix = if kind == Kind::State { "-state-" } else { "-flowchart-" };
    let (_, name) = id.split_once(prefix)?;
    name.rsplit_once('-').map(|(name, _)| name)
}

/// Draws the shapes of a box. `class` is that of the next one: a box is drawn once, and what lies on it is no box of its own.
fn shapes(node: Node<'_, '_>, at: Point, has_words: bool, class: &mut &'static str, pen: &mut Pen, depth: usize) {
    // The end of a state diagram is two circles of a hundred curves each.
    if let Some(outer) = node.children().find(|child| has_class(*child, "outer-path"))
        && !has_words
        && outer.children().any(|child| child.tag_name().name() == "g")
    {
        pen.circle("box", at, 7.0);
        pen.circle("start", at, 3.5);
        return;
    }
    // What merman fills it also outlines, with a second path that is drawn by hand if one wants so.
    let has_filled = node.children().any(is_filled);
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "g" if depth < DEEPEST && !has_class(child, "label") => shapes(child, add(at, moved(child)), has_words, class, pen, depth + 1),
            "path" if has_filled && !is_filled(child) => {}
            "path" if child.attribute("fill") == Some("none") => shape(child, "line", at, pen),
            "path" if !has_words && path(child).as_ref().and_then(Path::extent).is_some_and(is_bar) => shape(child, "bar", at, pen),
            // Next to the lines that a reader sees, merman writes empty ones for scripts.
            "rect" if child.attribute("width").is_none() || has_class(child, "background") => {}
            "circle" if has_class(child, "state-start") => shape(child, "start", at, pen),
            "line" => shape(child, "rule", at, pen),
            _ => shape(child, std::mem::replace(class, "over"), at, pen),
        }
    }
}

fn is_filled(node: Node<'_, '_>) -> bool {
    node.tag_name().name() == "path" && node.attribute("stroke") == Some("none") && node.attribute("fill") != Some("none")
}

/// Forks and joins are long and thin.
fn is_bar((wide, high): Point) -> bool {
    wide.min(high) * 3.0 < wide.max(high)
}

/// The words of a box. Merman says where their upper edge is; of a flowchart also where their middle is, and else it is that of the box.
fn labels(node: Node<'_, '_>, at: Point, middle: Option<f64>, pen: &mut Pen) {
    for child in node.children().filter(Node::is_element) {
        let here = add(at, moved(child));
        match child.tag_name().name() {
            "text" => {
                let rows = rows(child);
                pen.words(Words::Label, &rows, (middle.unwrap_or(here.0), here.1 + height(rows.len()) / 2.0));
            }
            "g" => labels(child, here, middle, pen),
            _ => {}
        }
    }
}
