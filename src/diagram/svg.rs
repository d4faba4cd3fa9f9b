//! Drawings as SVG. Colours and text sizes are defined in the style sheet.

use std::fmt::Write as _;

use super::{
    drawing::{Arrow, Drawing, PlacedText, Rect, SubgraphShape},
    graph::{GraphNode, LineStyle, Status},
};
use crate::text::escape;

/// The length of an arrowhead.
const HEAD: f64 = 7.0;

/// Writes a drawing. `name` is the prefix of its ids, which must be unique on the page; `title` and `description` are for assistive
/// technology.
#[must_use]
pub fn svg(drawing: &Drawing, name: &str, title: &str, description: &str) -> String {
    let mut out = String::new();
    let (width, height) = (format_number(drawing.width), format_number(drawing.height));
    let name = escape(name);
    let size = size_class(drawing.width);
    push(
        &mut out,
        format_args!(
            "<svg class=\"diagram {size}\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"group\" aria-labelledby=\"{name}-title\" aria-describedby=\"{name}-desc\"><title id=\"{name}-title\">{}</title>\
             <desc id=\"{name}-desc\">{}</desc>",
            escape(title),
            escape(description)
        ),
    );
    if drawing.subgraphs.iter().any(|shape| shape.subgraph.hidden) {
        push(
            &mut out,
            format_args!(
                "<defs><pattern id=\"{name}-hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">\
                 <path class=\"hatch\" d=\"M-2 2L2 -2M0 8L8 0M6 10L10 6\"/></pattern></defs>"
            ),
        );
    }
    for shape in &drawing.subgraphs {
        write_subgraph(&mut out, shape, &name);
    }
    for frame in &drawing.frames {
        rectangle(&mut out, frame, "frame", "");
    }
    for arrow in &drawing.arrows {
        write_arrow(&mut out, arrow);
    }
    write_texts(&mut out, drawing.arrows.iter().flat_map(|arrow| &arrow.texts));
    for shape in &drawing.boxes {
        write_box(&mut out, &shape.rect, &shape.node);
    }
    out.push_str("</svg>");
    out
}

/// The class for a drawing of this width in CSS pixels: on a narrow screen a wide one scrolls instead of becoming too small to read.
#[must_use]
pub const fn size_class(width: f64) -> &'static str {
    match width {
        ..=640.0 => "small",
        ..=960.0 => "medium",
        ..=1300.0 => "wide",
        _ => "vast",
    }
}

fn write_subgraph(out: &mut String, SubgraphShape { rect, subgraph }: &SubgraphShape, name: &str) {
    out.push_str("<g class=\"ground\">");
    rectangle(out, rect, "", "");
    if subgraph.hidden {
        rectangle(out, rect, "hatched", &format!(" fill=\"url(#{name}-hatch)\""));
    }
    let (x, y) = (format_number(rect.x + 13.5), format_number(rect.y + 17.5));
    push(out, format_args!("<text class=\"ground-label\" x=\"{x}\" y=\"{y}\">{}</text></g>", escape(&subgraph.label)));
}

/// Writes the texts on arrows. Arrows that share a lane have the same text at the same position, which is written once.
fn write_texts<'a>(out: &mut String, texts: impl Iterator<Item = &'a PlacedText>) {
    let mut written: Vec<&PlacedText> = Vec::new();
    for text in texts {
        if written.iter().any(|known| known.text == text.text && (known.x - text.x).abs() + (known.y - text.y).abs() < 0.1) {
            continue;
        }
        written.push(text);
        push(
            out,
            format_args!(
                "<text class=\"word\" x=\"{}\" y=\"{}\">{}</text>",
                format_number(text.x),
                format_number(text.y),
                escape(&text.text)
            ),
        );
    }
}

fn write_arrow(out: &mut String, arrow: &Arrow) {
    let [first, .., last] = arrow.points.as_slice() else { return };
    let [from, to, verbs, back] = [&arrow.from, &arrow.to, &arrow.verbs, &arrow.verbs_back].map(|ids| escape(&ids.join(" ")));
    push(out, format_args!("<g class=\"arrow\" data-from=\"{from}\" data-to=\"{to}\" data-verbs=\"{verbs}\""));
    if !back.is_empty() {
        push(out, format_args!(" data-verbs-back=\"{back}\""));
    }
    if arrow.line != LineStyle::Solid {
        push(out, format_args!(" data-line=\"{}\"", arrow.line.name()));
    }
    out.push('>');
    push(out, format_args!("<title>{}</title><path class=\"line\" d=\"", escape(&arrow.title)));
    // The line ends inside its head, so that its blunt end is covered.
    let mut points = arrow.points.clone();
    let both = !arrow.verbs_back.is_empty();
    if let Some(end) = points.last_mut() {
        end.0 -= side(arrow.points.iter().rev()) * (HEAD - 1.0);
    }
    if let Some(start) = points.first_mut().filter(|_| both) {
        start.0 -= side(arrow.points.iter()) * (HEAD - 1.0);
    }
    push(out, format_args!("M{} {}", format_number(points[0].0), format_number(points[0].1)));
    for pair in points.windows(2) {
        let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
        if (y - to_y).abs() < 0.01 {
            push(out, format_args!("H{}", format_number(to_x)));
        } else {
            let middle = format_number(f64::midpoint(x, to_x));
            push(
                out,
                format_args!(
                    "C{middle} {} {middle} {} {} {}",
                    format_number(y),
                    format_number(to_y),
                    format_number(to_x),
                    format_number(to_y)
                ),
            );
        }
    }
    out.push_str("\"/>");
    head(out, *last, side(arrow.points.iter().rev()));
    if both {
        head(out, *first, side(arrow.points.iter()));
    }
    out.push_str("</g>");
}

/// Whether an arrow arrives at its end from the left (1) or from the right (-1). The points begin with that end.
fn side<'a>(mut points: impl Iterator<Item = &'a (f64, f64)>) -> f64 {
    let Some(end) = points.next() else { return 1.0 };
    let before = points.find(|point| (point.0 - end.0).abs() > 0.01);
    if before.is_some_and(|point| point.0 > end.0) { -1.0 } else { 1.0 }
}

fn head(out: &mut String, (x, y): (f64, f64), side: f64) {
    let back = format_number(side.mul_add(-HEAD, x));
    let (x, above, below) = (format_number(x), format_number(y - 3.5), format_number(y + 3.5));
    push(out, format_args!("<path class=\"head\" d=\"M{x} {}L{back} {above}V{below}Z\"/>", format_number(y)));
}

fn write_box(out: &mut String, rect: &Rect, node: &GraphNode) {
    let status = match node.status {
        Status::Present => "present",
        Status::Added => "added",
        Status::Subject => "subject",
        Status::Deprecated => "deprecated",
        Status::Gone => "gone",
    };
    let area = if node.colour == 0 { String::new() } else { format!(" data-area=\"{}\"", node.colour) };
    let (href, id) = (escape(&node.href), escape(&node.id));
    push(out, format_args!("<a class=\"node\" href=\"{href}\" data-id=\"{id}\" data-status=\"{status}\"{area}>"));
    rectangle(out, rect, "box", "");
    let middle = rect.y + rect.height / 2.0;
    let mut x = rect.x + 10.0;
    if !node.mark.is_empty() {
        let tile = Rect { x: rect.x + 7.0, y: middle - 8.0, width: 16.0, height: 16.0 };
        rectangle(out, &tile, "tile", "");
        let (letter_x, letter_y, mark) = (format_number(tile.x + 8.0), format_number(middle + 3.5), escape(&node.mark));
        push(out, format_args!("<text class=\"letter\" x=\"{letter_x}\" y=\"{letter_y}\" aria-hidden=\"true\">{mark}</text>"));
        x = tile.x + 16.0 + 6.0;
    }
    push(
        out,
        format_args!(
            "<text class=\"label\" x=\"{}\" y=\"{}\">{}</text></a>",
            format_number(x),
            format_number(middle + 4.5),
            escape(&node.label)
        ),
    );
}

fn rectangle(out: &mut String, rect: &Rect, class: &str, more: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(format_number);
    push(out, format_args!("<rect{class} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{more}/>"));
}

/// A number with at most one decimal, the same on every machine. A number that is not finite can't be drawn, and becomes 0.
#[must_use]
pub fn format_number(value: f64) -> String {
    let tenths = (value * 10.0).round() / 10.0;
    format!("{}", if tenths == 0.0 || !tenths.is_finite() { 0.0 } else { tenths })
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}
