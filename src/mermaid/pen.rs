//! The only place that writes markup: a short list of elements, attributes that are numbers, and class names that stand in this program.

use std::fmt::Write as _;

use super::{
    Drawing, NODE, Piece,
    measurer::ROW,
    parts::Parts,
    path::{Path, Point, push_number},
};
use crate::{
    diagram::measure::{LABEL_SIZE, SMALL_SIZE, width},
    text::escape_into,
};

/// How far the head of an arrow reaches back, and half of how wide it is.
const HEAD: (f64, f64) = (7.0, 3.5);
/// How far the drawing reaches beyond its shapes.
const MARGIN: f64 = 3.0;

/// Words of one kind within a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) bold: bool,
    pub(super) italic: bool,
}

/// One line of a label.
pub(super) type Row = Vec<Run>;

/// What stands at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tip {
    Head,
    /// A head that is not filled.
    Barb,
    Cross,
    Circle,
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// The name of a box.
    Label,
    /// Words on an arrow.
    Word,
    /// The name of a ground, from its left corner.
    Ground,
    /// The title of a whole.
    Heading,
    /// The number of a message.
    Digit,
    /// The kind of a frame.
    Tab,
}

impl Words {
    const fn class(self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Word => "word",
            Self::Ground => "ground-label",
            Self::Heading => "heading",
            Self::Digit => "digit",
            Self::Tab => "tab-label",
        }
    }

    const fn size(self) -> f64 {
        match self {
            Self::Label | Self::Heading => LABEL_SIZE,
            Self::Word | Self::Ground | Self::Digit | Self::Tab => SMALL_SIZE,
        }
    }
}

/// A drawing under construction.
#[derive(Debug, Default)]
pub(super) struct Pen {
    pieces: Vec<Piece>,
    text: String,
    words: Vec<String>,
    /// What stands over the whole.
    heading: Vec<Row>,
    /// Left, top, right and bottom of what was drawn.
    bounds: Option<(f64, f64, f64, f64)>,
}

impl Pen {
    /// Begins a group.
    pub(super) fn open(&mut self, class: &str) {
        self.markup(format_args!("<g class=\"{class}\">"));
    }

    /// Ends it.
    pub(super) fn close(&mut self) {
        self.text.push_str("</g>");
    }

    /// Begins a box that may lead somewhere.
    pub(super) fn open_node(&mut self, more: &str, link: Option<usize>) {
        match link {
            Some(link) => {
                self.flush();
                self.pieces.push(Piece::Open(link));
            }
            None => self.markup(format_args!("<g class=\"{NODE}{more}\">")),
        }
    }

    /// Ends it.
    pub(super) fn close_node(&mut self, link: Option<usize>) {
        match link {
            Some(link) => {
                self.flush();
                self.pieces.push(Piece::Close(link));
            }
            None => self.close(),
        }
    }

    pub(super) fn rect(&mut self, class: &str, (x, y): Point, (wide, high): Point, radius: f64) {
        if !(wide > 0.0 && high > 0.0) {
            return;
        }
        self.reach((x, y));
        self.reach((x + wide, y + high));
        self.markup(format_args!("<rect class=\"{class}\""));
        self.numbers(&[("x", x), ("y", y), ("width", wide), ("height", high)]);
        if radius > 0.0 {
            self.numbers(&[("rx", radius)]);
        }
        self.text.push_str("/>");
    }

    pub(super) fn circle(&mut self, class: &str, (x, y): Point, radius: f64) {
        self.reach((x - radius, y - radius));
        self.reach((x + radius, y + radius));
        self.markup(format_args!("<circle class=\"{class}\""));
        self.numbers(&[("cx", x), ("cy", y), ("r", radius)]);
        self.text.push_str("/>");
    }

    pub(super) fn ellipse(&mut self, class: &str, (x, y): Point, (across, down): Point) {
        self.reach((x - across, y - down));
        self.reach((x + across, y + down));
        self.markup(format_args!("<ellipse class=\"{class}\""));
        self.numbers(&[("cx", x), ("cy", y), ("rx", across), ("ry", down)]);
        self.text.push_str("/>");
    }

    pub(super) fn polygon(&mut self, class: &str, points: &[Point]) {
        self.markup(format_args!("<polygon class=\"{class}\" points=\""));
        for (index, (x, y)) in points.iter().enumerate() {
            self.reach((*x, *y));
            self.text.push_str(if index == 0 { "" } else { " " });
            push_number(&mut self.text, *x);
            self.text.push(',');
            push_number(&mut self.text, *y);
        }
        self.text.push_str("\"/>");
    }

    /// A path that is moved by `by`.
    pub(super) fn path(&mut self, class: &str, path: &Path, by: Point) {
        let mut path = path.clone();
        let shifted = path.shift(by);
        let by = if shifted { (0.0, 0.0) } else { by };
        for (x, y) in path.reaches() {
            self.reach((x + by.0, y + by.1));
        }
        self.markup(format_args!("<path class=\"{class}\" d=\"{}\"", path.data()));
        if !shifted {
            self.text.push_str(" transform=\"translate(");
            push_number(&mut self.text, by.0);
            self.text.push(' ');
            push_number(&mut self.text, by.1);
            self.text.push_str(")\"");
        }
        self.text.push_str("/>");
    }

    /// A line with what stands at its ends. Tips lie `beyond` the ends of the path.
    pub(super) fn arrow(&mut self, class: &str, mut path: Path, tips: [Option<Tip>; 2], beyond: f64) {
        self.open("arrow");
        let place = |(at, towards): (Point, Point)| ((towards.0.mul_add(beyond, at.0), towards.1.mul_add(beyond, at.1)), towards);
        let [start, end] = [path.start().filter(|_| tips[0].is_some()).map(place), path.end().filter(|_| tips[1].is_some()).map(place)];
        // The line ends inside its head, so that no blunt end looks out.
        if let (Some((at, towards)), Some(Tip::Head)) = (start, tips[0]) {
            path.set_start(back(at, towards, HEAD.0 - 1.0));
        }
        if let (Some((at, towards)), Some(Tip::Head)) = (end, tips[1]) {
            path.set_end(back(at, towards, HEAD.0 - 1.0));
        }
        self.path(class, &path, (0.0, 0.0));
        for (place, tip) in [(start, tips[0]), (end, tips[1])] {
            if let (Some((at, towards)), Some(tip)) = (place, tip) {
                self.tip(tip, at, towards);
            }
        }
        self.close();
    }

    fn tip(&mut self, tip: Tip, at: Point, towards: Point) {
        let aside = |point: Point, by: f64| ((-towards.1).mul_add(by, point.0), towards.0.mul_add(by, point.1));
        let base = back(at, towards, HEAD.0);
        match tip {
            Tip::Head => self.polygon("head", &[at, aside(base, HEAD.1), aside(base, -HEAD.1)]),
            Tip::Barb => {
                let mut path = Path::line(aside(base, HEAD.1), at);
                path.line_to(aside(base, -HEAD.1));
                self.path("line", &path, (0.0, 0.0));
            }
            Tip::Cross => {
                let middle = back(at, towards, 6.0);
                for side in [4.0, -4.0] {
                    let path = Path::line(aside(back(middle, towards, 4.0), side), aside(back(middle, towards, -4.0), -side));
                    self.path("line", &path, (0.0, 0.0));
                }
            }
            Tip::Circle => self.circle("head", back(at, towards, 4.5), 3.5),
        }
    }

    /// A title over the whole, wherever the whole will end.
    pub(super) fn heading(&mut self, rows: Vec<Row>) {
        self.heading = rows;
    }

    /// A text. `at` is its middle; of a ground's name the left end, and the middle of its height.
    pub(super) fn words(&mut self, words: Words, rows: &[Row], at: Point) {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.iter().any(|run| !run.text.trim().is_empty())).collect();
        if rows.is_empty() {
            return;
        }
        let size = words.size();
        let pitch = size * ROW;
        let count = f64::from(u32::try_from(rows.len()).unwrap_or(u32::MAX));
        // The middle of the letters lies about a third of their size above the base line.
        let first = size.mul_add(0.35, (count - 1.0).mul_add(-pitch / 2.0, at.1));
        self.markup(format_args!("<text class=\"{}\"", words.class()));
        self.numbers(&[("x", at.0), ("y", first)]);
        if words == Words::Ground {
            self.text.push_str(" text-anchor=\"start\"");
        }
        self.text.push('>');
        let mut plain = String::new();
        for (index, row) in rows.iter().enumerate() {
            let y = pitch.mul_add(f64::from(u32::try_from(index).unwrap_or(u32::MAX)), first);
            if rows.len() > 1 {
                self.text.push_str("<tspan");
                self.numbers(&[("x", at.0), ("y", y)]);
                self.text.push('>');
            }
            let mut letters = 0.0;
            for run in *row {
                letters += width(&run.text, size) * if run.bold { 1.1 } else { 1.0 };
                plain.push_str(&run.text);
                self.run(run);
            }
            if rows.len() > 1 {
                self.text.push_str("</tspan>");
                plain.push(' ');
            }
            let left = if words == Words::Ground { at.0 } else { at.0 - letters / 2.0 };
            self.reach((left, y - size));
            self.reach((left + letters, size.mul_add(0.3, y)));
        }
        self.text.push_str("</text>");
        if !matches!(words, Words::Digit | Words::Tab) {
            self.words.push(plain.trim().to_owned());
        }
    }

    fn run(&mut self, run: &Run) {
        let class = match (run.bold, run.italic) {
            (false, false) => "",
            (true, false) => "strong",
            (false, true) => "em",
            (true, true) => "strong em",
        };
        if class.is_empty() {
            escape_into(&run.text, &mut self.text);
        } else {
            self.markup(format_args!("<tspan class=\"{class}\">"));
            escape_into(&run.text, &mut self.text);
            self.text.push_str("</tspan>");
        }
    }

    fn numbers(&mut self, numbers: &[(&str, f64)]) {
        for (name, number) in numbers {
            self.markup(format_args!(" {name}=\""));
            push_number(&mut self.text, *number);
            self.text.push('"');
        }
    }

    fn markup(&mut self, markup: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(markup);
    }

    fn reach(&mut self, (x, y): Point) {
        let (left, top, right, bottom) = self.bounds.unwrap_or((x, y, x, y));
        self.bounds = Some((left.min(x), top.min(y), right.max(x), bottom.max(y)));
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.pieces.push(Piece::Markup(std::mem::take(&mut self.text)));
        }
    }

    /// The finished drawing; `None` if there is nothing in it or no end of it.
    pub(super) fn finish(mut self, parts: &Parts, title: Option<String>, description: Option<String>) -> Option<Drawing> {
        let (left, top, right, _) = self.bounds?;
        let heading = std::mem::take(&mut self.heading);
        self.words(Words::Heading, &heading, (f64::midpoint(left, right), top - LABEL_SIZE));
        self.flush();
        let (left, top, right, bottom) = self.bounds?;
        let (width, height) = (2.0f64.mul_add(MARGIN, right - left).ceil(), 2.0f64.mul_add(MARGIN, bottom - top).ceil());
        let fits = (0.0..1e6).contains(&width) && (0.0..1e6).contains(&height);
        fits.then(|| Drawing {
            title: title.or_else(|| parts.title.clone()),
            description,
            words: self.words,
            links: parts.links.iter().map(|(_, link)| link.clone()).collect(),
            width,
            height,
            pieces: self.pieces,
            origin: (left - MARGIN, top - MARGIN),
        })
    }
}

fn back(at: Point, towards: Point, by: f64) -> Point {
    (towards.0.mul_add(-by, at.0), towards.1.mul_add(-by, at.1))
}
