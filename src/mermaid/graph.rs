//! Flowcharts and state diagrams: merman draws both as clusters, lines, edge labels and nodes, in this order.

use roxmltree::Node;

use super::{
    measurer::height,
    path::{Point, SvgPath},
    source::{DiagramKind, DiagramSource},
    svg_reader::{add, arrowheads, has_class, lines, number, path, shape, translation},
    svg_writer::{SvgWriter, TextRole},
};

/// The distance from the end of a line to the tip of its head in a flowchart.
const BEYOND: f64 = 4.0;
/// The position of a cluster's name, from its corner.
const CORNER: Point = (12.0, 13.5);
/// The maximum depth of elements that is read; merman's drawings are less deep.
const DEEPEST: usize = 200;

/// Reads the drawing.
pub(super) fn read(root: Node<'_, '_>, diagram: &DiagramSource, out: &mut SvgWriter) {
    group(root, (0.0, 0.0), diagram, out, 0);
}

fn group(node: Node<'_, '_>, at: Point, diagram: &DiagramSource, out: &mut SvgWriter, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    for child in node.children().filter(Node::is_element) {
        let at = add(at, translation(child));
        if has_class(child, "node") || child.tag_name().name() == "a" {
            let inner = if has_class(child, "node") { Some(child) } else { child.children().find(|inner| has_class(*inner, "node")) };
            if let Some(inner) = inner {
                let at = if inner == child { at } else { add(at, translation(inner)) };
                draw_node(inner, at, diagram, out);
            }
        } else if has_class(child, "edgePaths") {
            child.children().filter(Node::is_element).for_each(|line| draw_line(line, at, diagram.kind, out));
        } else if has_class(child, "edgeLabels") {
            child.children().filter(|label| has_class(*label, "edgeLabel")).for_each(|label| draw_edge_label(label, at, out));
        } else if has_class(child, "clusters") {
            child.children().filter(Node::is_element).for_each(|cluster| draw_cluster(cluster, at, out));
        } else if child.tag_name().name() == "g" && !has_class(child, "edgeLabel") {
            group(child, at, diagram, out, depth + 1);
        }
    }
}

fn draw_cluster(cluster: Node<'_, '_>, at: Point, out: &mut SvgWriter) {
    let at = add(at, translation(cluster));
    let find = |class: &str| cluster.descendants().find(|node| node.tag_name().name() == "rect" && has_class(*node, class));
    let plain = || cluster.children().find(|child| child.tag_name().name() == "rect" && !has_class(*child, "inner"));
    // A state and its note are in an invisible cluster.
    let Some(rect) = find("outer").or_else(|| find("divider")).or_else(plain).filter(|_| !has_class(cluster, "note-cluster")) else {
        return;
    };
    let corner = add(at, (number(rect, "x"), number(rect, "y")));
    out.open_group("ground");
    out.rect(if has_class(rect, "divider") { "region" } else { "area" }, corner, (number(rect, "width"), number(rect, "height")), 0.0);
    if let Some(text) = cluster.descendants().find(|node| node.tag_name().name() == "text") {
        out.text(TextRole::Cluster, &lines(text), add(corner, CORNER));
    }
    out.close_group();
}

fn draw_line(line: Node<'_, '_>, at: Point, kind: DiagramKind, out: &mut SvgWriter) {
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
    out.arrow(class, path, arrowheads(line), if kind == DiagramKind::Flowchart { BEYOND } else { 0.0 });
}

fn draw_edge_label(label: Node<'_, '_>, at: Point, out: &mut SvgWriter) {
    let at = add(at, translation(label));
    if let Some(text) = label.descendants().find(|node| node.tag_name().name() == "text") {
        out.text(TextRole::Caption, &lines(text), at);
    }
}

fn draw_node(node: Node<'_, '_>, at: Point, diagram: &DiagramSource, out: &mut SvgWriter) {
    let link = name(node, diagram.kind).and_then(|name| diagram.links.iter().rposition(|link| link.node == name));
    out.open_node(if has_class(node, "statediagram-note") { " note" } else { "" }, link);
    let has_text = node.descendants().any(|inner| inner.tag_name().name() == "text");
    shapes(node, at, has_text, &mut "box", out, 0);
    labels(node, at, (diagram.kind == DiagramKind::State).then_some(at.0), out);
    out.close_node(link);
}

/// The name of a node in the source: merman's ids are `merman-flowchart-NAME-NUMBER`.
fn name<'a>(node: Node<'a, '_>, kind: DiagramKind) -> Option<&'a str> {
    let id = node.attribute("id")?;
    let prefix = if kind == DiagramKind::State { "-state-" } else { "-flowchart-" };
    let (_, name) = id.split_once(prefix)?;
    name.rsplit_once('-').map(|(name, _)| name)
}

/// Draws the shapes of a node. `class` is the class of the next shape: the first is the box, and the others are drawn over it.
fn shapes(node: Node<'_, '_>, at: Point, has_text: bool, class: &mut &'static str, out: &mut SvgWriter, depth: usize) {
    // The end of a state diagram is two circles of a hundred curves each.
    if let Some(outer) = node.children().find(|child| has_class(*child, "outer-path"))
        && !has_text
        && outer.children().any(|child| child.tag_name().name() == "g")
    {
        out.circle("box", at, 7.0);
        out.circle("start", at, 3.5);
        return;
    }
    // For each filled path merman draws its outline as a second path.
    let has_filled = node.children().any(is_filled);
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "g" if depth < DEEPEST && !has_class(child, "label") => {
                shapes(child, add(at, translation(child)), has_text, class, out, depth + 1);
            }
            "path" if has_filled && !is_filled(child) => {}
            "path" if child.attribute("fill") == Some("none") => shape(child, "line", at, out),
            "path" if !has_text && path(child).as_ref().and_then(SvgPath::extent).is_some_and(is_bar) => shape(child, "bar", at, out),
            // Merman also writes invisible rectangles for scripts.
            "rect" if child.attribute("width").is_none() || has_class(child, "background") => {}
            "circle" if has_class(child, "state-start") => shape(child, "start", at, out),
            "line" => shape(child, "rule", at, out),
            _ => shape(child, std::mem::replace(class, "over"), at, out),
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

/// Draws the labels of a node. Their elements have the upper edge of the label, and in flowcharts its middle; otherwise `middle` is the
/// middle of the node.
fn labels(node: Node<'_, '_>, at: Point, middle: Option<f64>, out: &mut SvgWriter) {
    for child in node.children().filter(Node::is_element) {
        let here = add(at, translation(child));
        match child.tag_name().name() {
            "text" => {
                let lines = lines(child);
                out.text(TextRole::Label, &lines, (middle.unwrap_or(here.0), here.1 + height(lines.len()) / 2.0));
            }
            "g" => labels(child, here, middle, out),
            _ => {}
        }
    }
}
