//! Reads merman's SVG: elements, attributes and labels that all kinds of diagrams have in common.

use roxmltree::Node;

use super::{
    path::{Point, SvgPath},
    svg_writer::{Arrowhead, LabelLine, LabelRun, SvgWriter},
};

/// A number in an attribute; 0 if there is none.
pub(super) fn number(node: Node<'_, '_>, name: &str) -> f64 {
    let number = node.attribute(name).and_then(|value| value.trim().trim_end_matches("px").parse::<f64>().ok());
    number.filter(|number| number.is_finite() && number.abs() < 1e6).unwrap_or(0.0)
}

/// The translation of an element. Other transformations do not occur in the elements that are read, and are ignored.
pub(super) fn translation(node: Node<'_, '_>) -> Point {
    let numbers = node.attribute("transform").and_then(|value| value.trim().strip_prefix("translate(")?.split_once(')'));
    let Some((numbers, _)) = numbers else { return (0.0, 0.0) };
    let mut numbers = numbers.split([',', ' ']).filter(|part| !part.is_empty()).map(|part| part.parse::<f64>().unwrap_or(0.0));
    let (x, y) = (numbers.next().unwrap_or(0.0), numbers.next().unwrap_or(0.0));
    if x.is_finite() && y.is_finite() { (x, y) } else { (0.0, 0.0) }
}

pub(super) fn add(a: Point, b: Point) -> Point {
    (a.0 + b.0, a.1 + b.1)
}

/// The arrowheads at the start and the end of a line.
pub(super) fn arrowheads(line: Node<'_, '_>) -> [Option<Arrowhead>; 2] {
    ["marker-start", "marker-end"].map(|name| {
        let marker = line.attribute(name)?;
        Some(if marker.contains("cross") {
            Arrowhead::Cross
        } else if marker.contains("circle") {
            Arrowhead::Circle
        } else if marker.contains("filled-head") || marker.contains("stick") {
            Arrowhead::Open
        } else {
            Arrowhead::Filled
        })
    })
}

/// The path of a `<path>` or a `<line>`.
pub(super) fn path(line: Node<'_, '_>) -> Option<SvgPath> {
    if line.tag_name().name() == "line" {
        let end = |n: u8| (number(line, &format!("x{n}")), number(line, &format!("y{n}")));
        return Some(SvgPath::line(&[end(1), end(2)]));
    }
    SvgPath::parse(line.attribute("d")?)
}

/// Draws a shape at an offset. Elements that are not shapes are ignored.
pub(super) fn shape(node: Node<'_, '_>, class: &str, at: Point, out: &mut SvgWriter) {
    let at = add(at, translation(node));
    match node.tag_name().name() {
        "rect" => {
            let corner = add(at, (number(node, "x"), number(node, "y")));
            // Corners have the radius of all nodes, or are half circles.
            let (wide, high) = (number(node, "width"), number(node, "height"));
            let radius = number(node, "rx");
            let radius = if radius * 2.0 + 0.5 >= high { high / 2.0 } else { radius.min(8.0) };
            out.rect(class, corner, (wide, high), radius);
        }
        "circle" => out.circle(class, add(at, (number(node, "cx"), number(node, "cy"))), number(node, "r").max(0.0)),
        "ellipse" => {
            let middle = add(at, (number(node, "cx"), number(node, "cy")));
            out.ellipse(class, middle, (number(node, "rx").max(0.0), number(node, "ry").max(0.0)));
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
            out.polygon(class, &points);
        }
        "path" | "line" => {
            if let Some(mut path) = path(node) {
                // The paths with which merman fills a shape are not closed.
                if node.attribute("stroke") == Some("none") {
                    path.close();
                }
                out.path(class, &path, at);
            }
        }
        _ => {}
    }
}

/// The lines of a `<text>` element: its children of the class `row`, or all of it.
pub(super) fn lines(text: Node<'_, '_>) -> Vec<LabelLine> {
    let has_rows = text.children().any(|child| has_class(child, "row"));
    if has_rows { text.children().filter(|child| has_class(*child, "row")).map(line).collect() } else { vec![line(text)] }
}

fn line(element: Node<'_, '_>) -> LabelLine {
    let mut runs = LabelLine::new();
    for leaf in element.descendants().filter(Node::is_text) {
        let holder = leaf.parent();
        let is = |name: &str, value: &str| holder.and_then(|holder| holder.attribute(name)) == Some(value);
        let run = LabelRun {
            text: leaf.text().unwrap_or_default().to_owned(),
            bold: is("font-weight", "bold"),
            italic: is("font-style", "italic"),
        };
        match runs.last_mut().filter(|last| (last.bold, last.italic) == (run.bold, run.italic)) {
            Some(last) => last.text.push_str(&run.text),
            None => runs.push(run),
        }
    }
    runs
}

/// Whether an element has a class.
pub(super) fn has_class(node: Node<'_, '_>, class: &str) -> bool {
    node.attribute("class").is_some_and(|classes| classes.split_ascii_whitespace().any(|one| one == class))
}
