//! The only module that writes markup: a short list of elements, attributes that are numbers, and class names from this program.

use std::fmt::Write as _;

use super::{
    drawing::{MermaidDrawing, NODE_CLASS, SvgFragment},
    label::{LabelLine, LabelRun, ROW, line_width},
    path::{Point, SvgPath},
};
use crate::{
    diagram::{
        format_number,
        measure::{LABEL_SIZE, SMALL_SIZE},
    },
    text::escape_into,
};

/// The length of an arrowhead, and half of its width.
const HEAD: (f64, f64) = (7.0, 3.5);
/// The space around the shapes.
const MARGIN: f64 = 3.0;

/// The end of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrowhead {
    Filled,
    Open,
    Cross,
    Circle,
}

/// The role of a text, which determines its class and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextRole {
    /// The label of a node.
    Label,
    /// Text on an arrow or in a note.
    Caption,
    /// Text on an arrow in a coloured area.
    GroundCaption,
    /// The name of a cluster, from its left corner.
    Cluster,
    /// The title above the drawing.
    Heading,
    /// The number of a message.
    Number,
    /// The kind of a frame.
    Tab,
}

impl TextRole {
    const fn class_and_size(self) -> (&'static str, f64) {
        match self {
            Self::Label => ("label", LABEL_SIZE),
            Self::Caption => ("word", SMALL_SIZE),
            Self::GroundCaption => ("word inner", SMALL_SIZE),
            Self::Cluster => ("ground-label", SMALL_SIZE),
            Self::Heading => ("heading", LABEL_SIZE),
            Self::Number => ("digit", SMALL_SIZE),
            Self::Tab => ("tab-label", SMALL_SIZE),
        }
    }
}

/// A drawing under construction.
#[derive(Debug, Default)]
pub(super) struct SvgWriter {
    fragments: Vec<SvgFragment>,
    /// Markup after the last fragment.
    markup: String,
    texts: Vec<String>,
    /// The title, which is written above the drawing once its width is known.
    pub(super) heading: Vec<LabelLine>,
    /// The area drawn so far: left, top, right, bottom.
    bounds: Option<[f64; 4]>,
}

impl SvgWriter {
    pub(super) fn open_group(&mut self, class: &str) {
        self.write(format_args!("<g class=\"{class}\">"));
    }

    pub(super) fn close_group(&mut self) {
        self.markup.push_str("</g>");
    }

    /// Begins a node, whose link is written by the caller. `more` is added to the classes of a node without a link.
    pub(super) fn open_node(&mut self, more: &str, link: Option<usize>) {
        match link {
            Some(link) => self.fragment(SvgFragment::OpenNode(link)),
            None => self.write(format_args!("<g class=\"{NODE_CLASS}{more}\">")),
        }
    }

    pub(super) fn close_node(&mut self, link: Option<usize>) {
        match link {
            Some(link) => self.fragment(SvgFragment::CloseNode(link)),
            None => self.close_group(),
        }
    }

    fn fragment(&mut self, fragment: SvgFragment) {
        self.flush();
        self.fragments.push(fragment);
    }

    pub(super) fn rect(&mut self, class: &str, (x, y): Point, (wide, high): Point, radius: f64) {
        if !(wide > 0.0 && high > 0.0) {
            return;
        }
        let numbers = [("x", x), ("y", y), ("width", wide), ("height", high), ("rx", radius)];
        self.element("rect", class, if radius > 0.0 { &numbers } else { &numbers[..4] }, [(x, y), (x + wide, y + high)]);
    }

    pub(super) fn circle(&mut self, class: &str, (x, y): Point, radius: f64) {
        let corners = [(x - radius, y - radius), (x + radius, y + radius)];
        self.element("circle", class, &[("cx", x), ("cy", y), ("r", radius)], corners);
    }

    fn element(&mut self, name: &str, class: &str, numbers: &[(&str, f64)], corners: [Point; 2]) {
        for corner in corners {
            self.include(corner);
        }
        self.write(format_args!("<{name} class=\"{class}\""));
        self.numbers(numbers);
        self.markup.push_str("/>");
    }

    pub(super) fn polygon(&mut self, class: &str, points: &[Point]) {
        for point in points {
            self.include(*point);
        }
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", format_number(*x), format_number(*y))).collect();
        self.write(format_args!("<polygon class=\"{class}\" points=\"{}\"/>", points.join(" ")));
    }

    pub(super) fn path(&mut self, class: &str, path: &SvgPath) {
        for point in path.points() {
            self.include(point);
        }
        self.write(format_args!("<path class=\"{class}\" d=\"{}\"/>", path.data()));
    }

    /// A line with arrowheads at its start and end, whose tips are at the ends of the path.
    pub(super) fn arrow(&mut self, class: &str, mut path: SvgPath, heads: [Option<Arrowhead>; 2]) {
        self.open_group("arrow");
        let ends = [path.start(), path.end()];
        // The line ends inside its head, so that its blunt end is covered.
        if let (Some((at, towards)), Some(Arrowhead::Filled)) = (ends[0], heads[0]) {
            path.set_start(back(at, towards, HEAD.0 - 1.0));
        }
        if let (Some((at, towards)), Some(Arrowhead::Filled)) = (ends[1], heads[1]) {
            path.set_end(back(at, towards, HEAD.0 - 1.0));
        }
        self.path(class, &path);
        for (end, head) in ends.into_iter().zip(heads) {
            if let (Some((at, towards)), Some(head)) = (end, head) {
                self.arrowhead(head, at, towards);
            }
        }
        self.close_group();
    }

    fn arrowhead(&mut self, head: Arrowhead, at: Point, towards: Point) {
        let aside = |point: Point, by: f64| ((-towards.1).mul_add(by, point.0), towards.0.mul_add(by, point.1));
        let base = back(at, towards, HEAD.0);
        match head {
            Arrowhead::Filled => self.polygon("head", &[at, aside(base, HEAD.1), aside(base, -HEAD.1)]),
            Arrowhead::Open => {
                let path = SvgPath::line(&[aside(base, HEAD.1), at, aside(base, -HEAD.1)]);
                self.path("line", &path);
            }
            Arrowhead::Cross => {
                let middle = back(at, towards, 6.0);
                for side in [4.0, -4.0] {
                    let path = SvgPath::line(&[aside(back(middle, towards, 4.0), side), aside(back(middle, towards, -4.0), -side)]);
                    self.path("line", &path);
                }
            }
            Arrowhead::Circle => self.circle("head", back(at, towards, 4.5), 3.5),
        }
    }

    /// Writes a text with its middle at a position; the name of a cluster begins at the position.
    pub(super) fn text(&mut self, role: TextRole, lines: &[LabelLine], at: Point) {
        let lines: Vec<&LabelLine> = lines.iter().filter(|line| line.iter().any(|run| !run.text.trim().is_empty())).collect();
        if lines.is_empty() {
            return;
        }
        let (class, size) = role.class_and_size();
        let pitch = size * ROW;
        let count = f64::from(u32::try_from(lines.len()).unwrap_or(u32::MAX));
        // The middle of the letters is about a third of their size above the base line.
        let first = size.mul_add(0.35, (count - 1.0).mul_add(-pitch / 2.0, at.1));
        self.write(format_args!("<text class=\"{class}\""));
        self.numbers(&[("x", at.0), ("y", first)]);
        if role == TextRole::Cluster {
            self.markup.push_str(" text-anchor=\"start\"");
        }
        self.markup.push('>');
        let mut plain = String::new();
        for (index, line) in lines.iter().enumerate() {
            let y = pitch.mul_add(f64::from(u32::try_from(index).unwrap_or(u32::MAX)), first);
            if lines.len() > 1 {
                self.markup.push_str("<tspan");
                self.numbers(&[("x", at.0), ("y", y)]);
                self.markup.push('>');
            }
            let letters = line_width(line, size);
            for run in *line {
                plain.push_str(&run.text);
                self.run(run);
            }
            if lines.len() > 1 {
                self.markup.push_str("</tspan>");
                plain.push(' ');
            }
            let left = if role == TextRole::Cluster { at.0 } else { at.0 - letters / 2.0 };
            self.include((left, y - size));
            self.include((left + letters, size.mul_add(0.3, y)));
        }
        self.markup.push_str("</text>");
        if !matches!(role, TextRole::Number | TextRole::Tab) {
            self.texts.push(plain.trim().to_owned());
        }
    }

    fn run(&mut self, run: &LabelRun) {
        let class = match (run.bold, run.italic) {
            (false, false) => "",
            (true, false) => "strong",
            (false, true) => "em",
            (true, true) => "strong em",
        };
        if class.is_empty() {
            escape_into(&run.text, &mut self.markup);
        } else {
            self.write(format_args!("<tspan class=\"{class}\">"));
            escape_into(&run.text, &mut self.markup);
            self.markup.push_str("</tspan>");
        }
    }

    fn numbers(&mut self, numbers: &[(&str, f64)]) {
        for (name, number) in numbers {
            self.write(format_args!(" {name}=\"{}\"", format_number(*number)));
        }
    }

    fn write(&mut self, markup: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.markup.write_fmt(markup);
    }

    /// Extends the bounds to a point.
    fn include(&mut self, (x, y): Point) {
        let [left, top, right, bottom] = self.bounds.unwrap_or([x, y, x, y]);
        self.bounds = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
    }

    fn flush(&mut self) {
        if !self.markup.is_empty() {
            self.fragments.push(SvgFragment::Markup(std::mem::take(&mut self.markup)));
        }
    }

    /// The finished drawing, without title, description and links; `None` if it is empty or too large.
    pub(super) fn finish(mut self) -> Option<MermaidDrawing> {
        let [left, top, right, _] = self.bounds?;
        let heading = std::mem::take(&mut self.heading);
        self.text(TextRole::Heading, &heading, (f64::midpoint(left, right), top - LABEL_SIZE));
        self.flush();
        let [left, top, right, bottom] = self.bounds?;
        let (width, height) = (2.0f64.mul_add(MARGIN, right - left).ceil(), 2.0f64.mul_add(MARGIN, bottom - top).ceil());
        let fits = (0.0..1e6).contains(&width) && (0.0..1e6).contains(&height);
        fits.then(|| MermaidDrawing {
            texts: self.texts,
            fragments: self.fragments,
            width,
            height,
            origin: (left - MARGIN, top - MARGIN),
            ..MermaidDrawing::default()
        })
    }
}

/// The point that is `by` units behind `at`, in the direction of `towards`.
fn back(at: Point, towards: Point, by: f64) -> Point {
    (towards.0.mul_add(-by, at.0), towards.1.mul_add(-by, at.1))
}
