//! Reads merman's SVG: what is common to all kinds.

use roxmltree::{Document, Node, ParsingOptions};

use super::{
    Drawing, graph,
    parts::{Kind, Parts},
    path::{Path, Point},
    pen::{Pen, Tip},
    sequence,
};

/// More elements than any diagram has that is within the other limits.
const MOST_ELEMENTS: u32 = 200_000;

/// The drawing in merman's SVG; `None` if there is nothing in it that we know.
pub(super) fn read(svg: &str, parts: &Parts) -> Option<Drawing> {
    let options = ParsingOptions { nodes_limit: MOST_ELEMENTS, ..ParsingOptions::default() };
    let document = Document::parse_with_options(svg, options).ok()?;
    let root = document.root_element();
    let mut pen = Pen::default();
    match parts.kind {
        Kind::Flowchart | Kind::State => graph::read(root, parts, &mut pen),
        Kind::Sequence => sequence::read(root, &mut pen),
    }
    let said = |name: &str| {
        let element = root.children().find(|child| child.has_tag_name((root.tag_name().namespace().unwrap_or_default(), name)))?;
        Some(element.text()?.trim().to_owned()).filter(|text| !text.is_empty())
    };
    pen.finish(parts, said("title"), said("desc"))
}

/// A number in an attribute; 0 if there is none.
pub(super) fn number(node: Node<'_, '_>, name: &str) -> f64 {
    let number = node.attribute(name).and_then(|value| value.trim().trim_end_matches("px").parse::<f64>().ok());
    number.filter(|number| number.is_finite() && number.abs() < 1e6).unwrap_or(0.0)
}

/// How far an element is moved. Other transformations do not occur in what we read, and are as if they were not there.
pub(super) fn moved(node: Node<'_, '_>) -> Point {
    let numbers = node.attribute("transform").and_then(|value| value.trim().strip_prefix("translate(")?.split_once(')'));
    let Some((numbers, _)) = numbers else { return (0.0, 0.0) };
    let mut numbers = numbers.split([',', ' ']).filter(|part| !part.is_empty()).map(|part| part.parse::<f64>().unwrap_or(0.0));
    let (x, y) = (numbers.next().unwrap_or(0.0), numbers.next().unwrap_or(0.0));
    if x.is_finite() && y.is_finite() { (x, y) } else { (0.0, 0.0) }
}

pub(super) fn add(a: Point, b: Point) -> Point {
    (a.0 + b.0, a.1 + b.1)
}

/// What stands at the ends of a line.
pub(super) fn tips(line: Node<'_, '_>) -> [Option<Tip>; 2] {
    ["marker-start", "marker-end"].map(|name| {
        let marker = line.attribute(name)?;
        let ends = |part: &str| marker.contains(part);
        Some(if ends("cross") {
            Tip::Cross
        } else if ends("circle") {
            Tip::Circle
        } else if ends("filled-head") || ends("stick") {
            Tip::Barb
        } else {
            Tip::Head
        })
    })
}

/// The path of a `<path>` or a `<line>`.
pub(super) fn path(line: Node<'_, '_>) -> Option<Path> {
    if line.tag_name().name() == "line" {
        let end = |n: u8| (number(line, &format!("x{n}")), number(line, &format!("y{n}")));
        return Some(Path::line(end(1), end(2)));
    }
    Path::parse(line.attribute("d")?)
}

/// Draws a shape of merman's; whatever is none draws nothing. `at` is where it stands.
pub(super) fn shape(node: Node<'_, '_>, class: &str, at: Point, pen: &mut Pen) {
    let at = add(at, moved(node));
    match node.tag_name().name() {
        "rect" => {
            let corner = add(at, (number(node, "x"), number(node, "y")));
            // Corners are as round as those of all boxes, or half circles.
            let (wide, high) = (number(node, "width"), number(node, "height"));
            let radius = number(node, "rx");
            let radius = if radius * 2.0 + 0.5 >= high { high / 2.0 } else { radius.min(8.0) };
            pen.rect(class, corner, (wide, high), radius);
        }
        "circle" => pen.circle(class, add(at, (number(node, "cx"), number(node, "cy"))), number(node, "r").max(0.0)),
        "ellipse" => {
            let middle = add(at, (number(node, "cx"), number(node, "cy")));
            pen.ellipse(class, middle, (number(node, "rx").max(0.0), number(node, "ry").max(0.0)));
        }
        "polygon" | "polyline" => {
            let numbers: Vec<f64> = node
                .attribute("points")
                .unwrap_or_default()
                .split([',', ' '])
                .filter_map(|part| part.parse().ok())
                .filter(|number: &f64| number.is_finite() && number.abs() < 1e6)
                .collect();
            let points: Vec<Point> = numbers.chunks_exact(2).map(|pair| add(at, (pair[0], pair[1]))).collect();
            pen.polygon(class, &points);
        }
        "path" | "line" => {
            if let Some(mut path) = path(node) {
                // Merman does not close the outlines that it draws a second time; others it draws as they shall be.
                if node.attribute("stroke") == Some("none") {
                    path.close();
                }
                pen.path(class, &path, at);
            }
        }
        _ => {}
    }
}
