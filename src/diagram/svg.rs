//! Drawings as SVG. Colours and text sizes are defined in the style sheet.

use std::fmt::Write as _;

use super::{
    drawing::{Anchor, Arrow, Drawing, LINE_HEIGHT, NodeShape, PlacedText, Rect, SubgraphShape},
    graph::{LineStyle, Status},
    size::LABEL_LINE,
};
use crate::text::escape;

/// The length of an arrowhead.
const HEAD: f64 = 7.0;
/// The radius of the corners of an arrow.
const RADIUS: f64 = 5.0;

/// What is written in addition to the drawing.
#[derive(Clone, Copy, Debug)]
pub struct Caption<'a> {
    /// The prefix of ids, unique on the page.
    pub name: &'a str,
    /// The title, for assistive technology.
    pub title: &'a str,
    /// The description, for assistive technology.
    pub description: &'a str,
}

/// Writes a drawing for wide screens.
#[must_use]
pub fn svg(drawing: &Drawing, caption: Caption<'_>) -> String {
    DrawingWriter { out: String::new(), is_narrow: false }.write(drawing, caption, size_class(drawing.width))
}

/// Writes the same graph for narrow screens. Its arrows are in the order of those of the wide drawing, which has their ends and relations.
#[must_use]
pub fn narrow_svg(drawing: &Drawing, caption: Caption<'_>) -> String {
    DrawingWriter { out: String::new(), is_narrow: true }.write(drawing, caption, " narrow")
}

/// The class for a drawing of this width in CSS pixels. The style sheet shows the narrow drawing instead where the figure is narrower than the number
/// in the class, in rem of 16 px.
const fn size_class(width: f64) -> &'static str {
    match width {
        ..=358.0 => "",
        ..=560.0 => " fit-35",
        ..=688.0 => " fit-43",
        _ => " fit-64",
    }
}

struct DrawingWriter {
    out: String,
    is_narrow: bool,
}

impl DrawingWriter {
    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(text);
    }

    fn write(mut self, drawing: &Drawing, caption: Caption<'_>, class: &str) -> String {
        let (width, height) = (format_number(drawing.width), format_number(drawing.height));
        let (title, description) = (escape(caption.title), escape(caption.description));
        self.push(format_args!(
            "<svg class=\"diagram{class}\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
             {height}\" role=\"group\"><title>{title}</title><desc>{description}</desc>"
        ));
        let hatch = format!("{}-{}", escape(caption.name), if self.is_narrow { "hatch-narrow" } else { "hatch" });
        if drawing.subgraphs.iter().any(|shape| shape.subgraph.hidden) {
            self.push(format_args!(
                "<defs><pattern id=\"{hatch}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><path class=\"hatch\" \
                 d=\"M-2 2L2 -2M0 8L8 0M6 10L10 6\"/></pattern></defs>"
            ));
        }
        for shape in &drawing.subgraphs {
            self.subgraph(shape, &hatch);
        }
        for frame in &drawing.frames {
            self.rectangle(frame, "frame", "");
        }
        if let Some(bus) = &drawing.bus {
            self.rectangle(bus, "bus", "");
        }
        for arrow in &drawing.arrows {
            self.arrow(arrow);
        }
        for text in drawing.arrows.iter().flat_map(|arrow| &arrow.texts) {
            self.text("word", text);
        }
        for shape in &drawing.boxes {
            self.node(shape);
        }
        self.out.push_str("</svg>");
        self.out
    }

    fn subgraph(&mut self, SubgraphShape { rect, subgraph, label }: &SubgraphShape, hatch: &str) {
        self.out.push_str("<g class=\"ground\">");
        self.rectangle(rect, "", "");
        if subgraph.hidden {
            self.rectangle(rect, "hatched", &format!(" fill=\"url(#{hatch})\""));
        }
        self.text("ground-label", label);
        self.out.push_str("</g>");
    }

    fn text(&mut self, class: &str, PlacedText { lines, x, y, anchor }: &PlacedText) {
        let (x, y) = (format_number(*x), format_number(*y));
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " middle",
            Anchor::End => " end",
        };
        self.push(format_args!("<text class=\"{class}{anchor}\" x=\"{x}\" y=\"{y}\">"));
        self.lines(lines, &x, LINE_HEIGHT);
        self.out.push_str("</text>");
    }

    fn lines(&mut self, lines: &[String], x: &str, height: f64) {
        for (index, line) in lines.iter().enumerate() {
            if index == 0 {
                self.out.push_str(&escape(line));
            } else {
                self.push(format_args!("<tspan x=\"{x}\" dy=\"{}\">{}</tspan>", format_number(height), escape(line)));
            }
        }
    }

    fn arrow(&mut self, arrow: &Arrow) {
        if arrow.points.len() < 2 {
            return;
        }
        self.out.push_str("<g class=\"arrow\"");
        if !self.is_narrow {
            for (name, ids) in [("from", &arrow.from), ("to", &arrow.to), ("verbs", &arrow.verbs), ("verbs-back", &arrow.verbs_back)] {
                if !ids.is_empty() {
                    self.push(format_args!(" data-{name}=\"{}\"", escape(&ids.join(" "))));
                }
            }
        }
        if arrow.line != LineStyle::Solid {
            self.push(format_args!(" data-line=\"{}\"", arrow.line.name()));
        }
        self.out.push('>');
        if !self.is_narrow {
            self.push(format_args!("<title>{}</title>", escape(&arrow.title)));
        }
        let both = !arrow.verbs_back.is_empty();
        let (line, heads) = (line(&arrow.points, both), heads(&arrow.points, both));
        self.push(format_args!("<path class=\"line\" d=\"{line}\"/><path class=\"head\" d=\"{heads}\"/></g>"));
    }

    fn node(&mut self, NodeShape { rect, node, lines, is_hub }: &NodeShape) {
        let (href, id) = (escape(&node.href), escape(&node.id));
        let hub = if *is_hub { " hub" } else { "" };
        self.push(format_args!("<a class=\"node{hub}\" href=\"{href}\" data-id=\"{id}\""));
        let status = match node.status {
            Status::Present => "",
            Status::Added => "added",
            Status::Subject => "subject",
            Status::Deprecated => "deprecated",
            Status::Gone => "gone",
        };
        if !status.is_empty() {
            self.push(format_args!(" data-status=\"{status}\""));
        }
        if node.colour > 0 {
            self.push(format_args!(" data-area=\"{}\"", node.colour));
        }
        // Positions relative to the box are the same for most boxes, which compress well.
        let (x, y) = (format_number(rect.x), format_number(rect.y));
        self.push(format_args!(" transform=\"translate({x} {y})\">"));
        self.rectangle(&Rect { x: 0.0, y: 0.0, ..*rect }, "box", "");
        let middle = rect.height / 2.0;
        let mut x = 10.0;
        if !node.mark.is_empty() {
            self.rectangle(&Rect { x: 7.0, y: middle - 8.0, width: 16.0, height: 16.0 }, "tile", "");
            let (y, mark) = (format_number(middle + 3.5), escape(&node.mark));
            self.push(format_args!("<text class=\"letter\" x=\"15\" y=\"{y}\" aria-hidden=\"true\">{mark}</text>"));
            x = 29.0;
        }
        let above = LABEL_LINE / 2.0 * lines.iter().skip(1).map(|_| 1.0).sum::<f64>();
        let (x, y) = (format_number(x), format_number(middle + 4.5 - above));
        self.push(format_args!("<text class=\"label\" x=\"{x}\" y=\"{y}\">"));
        self.lines(lines, &x, LABEL_LINE);
        self.out.push_str("</text></a>");
    }

    /// Writes a rectangle; its position is left out where it is 0.
    fn rectangle(&mut self, rect: &Rect, class: &str, more: &str) {
        self.out.push_str("<rect");
        if !class.is_empty() {
            self.push(format_args!(" class=\"{class}\""));
        }
        for (name, value) in [("x", rect.x), ("y", rect.y)] {
            if value != 0.0 {
                self.push(format_args!(" {name}=\"{}\"", format_number(value)));
            }
        }
        self.push(format_args!(" width=\"{}\" height=\"{}\"{more}/>", format_number(rect.width), format_number(rect.height)));
    }
}

/// A point, and the direction of a line there: each coordinate is -1, 0 or 1.
type Vector = (f64, f64);

/// The direction from one point to another on a horizontal or vertical line, and the distance.
fn direction(from: Vector, to: Vector) -> (Vector, f64) {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let length = x.abs() + y.abs();
    if length > 0.0 { ((x / length, y / length), length) } else { ((0.0, 0.0), 0.0) }
}

/// A path through these points with rounded corners. It ends inside its heads, so that its blunt ends are covered.
fn line(points: &[Vector], both: bool) -> String {
    let mut points = points.to_vec();
    let last = points.len() - 1;
    let by = |point: Vector, next: Vector| {
        let ((x, y), length) = direction(point, next);
        let inset = f64::min(HEAD - 1.0, length / 2.0);
        (x.mul_add(inset, point.0), y.mul_add(inset, point.1))
    };
    points[last] = by(points[last], points[last - 1]);
    if both {
        points[0] = by(points[0], points[1]);
    }
    let mut out = format!("M{} {}", format_number(points[0].0), format_number(points[0].1));
    for index in 1..=last {
        let (before, point) = (points[index - 1], points[index]);
        let (along, length) = direction(before, point);
        let Some(&after) = points.get(index + 1) else {
            straight(&mut out, point, along);
            break;
        };
        let (turn, next) = direction(point, after);
        let radius = RADIUS.min(length / 2.0).min(next / 2.0);
        let start = ((-radius).mul_add(along.0, point.0), (-radius).mul_add(along.1, point.1));
        straight(&mut out, start, along);
        let (x, y) = (radius.mul_add(turn.0, point.0), radius.mul_add(turn.1, point.1));
        let [px, py, x, y] = [point.0, point.1, x, y].map(format_number);
        let _ = write!(out, "Q{px} {py} {x} {y}");
    }
    out
}

fn straight(out: &mut String, to: Vector, along: Vector) {
    let _ = if along.0 == 0.0 { write!(out, "V{}", format_number(to.1)) } else { write!(out, "H{}", format_number(to.0)) };
}

/// The head at the end of a line, and if it has `both`, at its start.
fn heads(points: &[Vector], both: bool) -> String {
    let last = points.len() - 1;
    let mut out = head(points[last], points[last - 1]);
    if both {
        out.push_str(&head(points[0], points[1]));
    }
    out
}

fn head(tip: Vector, before: Vector) -> String {
    let ((x, y), _) = direction(before, tip);
    let [tip_x, tip_y] = [tip.0, tip.1].map(format_number);
    // One side of the base from the tip, and the other side from there.
    let half = HEAD / 2.0;
    let sides = [(-HEAD).mul_add(x, -half * y), (-HEAD).mul_add(y, half * x), HEAD * y, -HEAD * x].map(format_number);
    format!("M{tip_x} {tip_y}l{} {}l{} {}z", sides[0], sides[1], sides[2], sides[3])
}

/// A number with at most one decimal, the same on every machine. A number that is not finite can't be drawn, and becomes 0.
#[must_use]
pub fn format_number(value: f64) -> String {
    let tenths = (value * 10.0).round() / 10.0;
    format!("{}", if tenths == 0.0 || !tenths.is_finite() { 0.0 } else { tenths })
}
