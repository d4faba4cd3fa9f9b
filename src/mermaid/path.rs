//! Parses and serializes SVG path data.

use crate::diagram::format_number;

/// A point, in units of the drawing.
pub(super) type Point = (f64, f64);

/// A path: commands, each with the right number of finite arguments.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SvgPath {
    commands: Vec<(char, Vec<f64>)>,
}

/// The number of arguments of a command; `None` for an unknown command.
const fn numbers_of(command: char) -> Option<usize> {
    Some(match command.to_ascii_uppercase() {
        'M' | 'L' | 'T' => 2,
        'H' | 'V' => 1,
        'Q' | 'S' => 4,
        'C' => 6,
        'A' => 7,
        'Z' => 0,
        _ => return None,
    })
}

impl SvgPath {
    /// Parses path data. `None` if any part is invalid.
    pub(super) fn parse(data: &str) -> Option<Self> {
        let mut commands = Vec::new();
        let mut rest = data.trim_start();
        while let Some(command) = rest.chars().next() {
            let count = numbers_of(command)?;
            let mut command = command;
            rest = rest[1..].trim_start();
            if count == 0 {
                commands.push((command, Vec::new()));
                continue;
            }
            loop {
                let mut numbers = Vec::with_capacity(count);
                for index in 0..count {
                    let is_flag = count == 7 && (index == 3 || index == 4);
                    let (number, after) = number(rest, is_flag)?;
                    numbers.push(number);
                    rest = after;
                }
                commands.push((command, numbers));
                // Further pairs after `M` are lines.
                command = match command {
                    'M' => 'L',
                    'm' => 'l',
                    other => other,
                };
                if rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    break;
                }
            }
        }
        matches!(commands.first(), Some(('M' | 'm', _))).then_some(Self { commands })
    }

    /// Straight lines from point to point.
    pub(super) fn line(points: &[Point]) -> Self {
        let commands = std::iter::once('M').chain(std::iter::repeat('L'));
        Self { commands: commands.zip(points).map(|(command, (x, y))| (command, vec![*x, *y])).collect() }
    }

    /// Closes the path, unless it is already closed.
    pub(super) fn close(&mut self) {
        if !matches!(self.commands.last(), Some(('Z' | 'z', _))) {
            self.commands.push(('Z', Vec::new()));
        }
    }

    /// Whether the path consists of absolute lines and curves, which can be moved point by point.
    fn is_plain(&self) -> bool {
        self.commands.iter().all(|(command, _)| matches!(command, 'M' | 'L' | 'C' | 'Q' | 'Z'))
    }

    /// Moves the path. `false` if it contains commands that can't be moved.
    pub(super) fn shift(&mut self, by: Point) -> bool {
        if !self.is_plain() {
            return false;
        }
        for (_, numbers) in &mut self.commands {
            for pair in numbers.chunks_exact_mut(2) {
                pair[0] += by.0;
                pair[1] += by.1;
            }
        }
        true
    }

    /// The last point, and the direction in which the path arrives there as a vector of length 1. `None` for a path with commands other than lines and curves.
    pub(super) fn end(&self) -> Option<(Point, Point)> {
        end_of(self.points()?.into_iter().rev())
    }

    /// The first point, and the direction that leads out of the path there.
    pub(super) fn start(&self) -> Option<(Point, Point)> {
        end_of(self.points()?.into_iter())
    }

    /// Moves the last point.
    pub(super) fn set_end(&mut self, to: Point) {
        if let Some([.., x, y]) = self.commands.last_mut().map(|(_, numbers)| numbers.as_mut_slice()) {
            (*x, *y) = to;
        }
    }

    /// Moves the first point.
    pub(super) fn set_start(&mut self, to: Point) {
        if let Some([x, y, ..]) = self.commands.first_mut().map(|(_, numbers)| numbers.as_mut_slice()) {
            (*x, *y) = to;
        }
    }

    fn points(&self) -> Option<Vec<Point>> {
        let points = self.commands.iter().flat_map(|(_, numbers)| numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])));
        self.is_plain().then(|| points.collect())
    }

    /// Points whose bounding box contains the path; for an arc an approximation that is good enough for cylinders and rounded ends.
    pub(super) fn reaches(&self) -> Vec<Point> {
        let mut at = (0.0, 0.0);
        let mut reaches = Vec::new();
        for (command, numbers) in &self.commands {
            let base = if command.is_ascii_lowercase() { at } else { (0.0, 0.0) };
            match (command.to_ascii_uppercase(), numbers.as_slice()) {
                ('H', [x]) => at.0 = base.0 + x,
                ('V', [y]) => at.1 = base.1 + y,
                ('A', [across, down, _, _, _, x, y]) => {
                    let to = (base.0 + x, base.1 + y);
                    let (x, y) = (f64::midpoint(at.0, to.0), f64::midpoint(at.1, to.1));
                    reaches.extend([(x - across, y - down), (x + across, y + down)]);
                    at = to;
                }
                (_, numbers) => {
                    reaches.extend(numbers.chunks_exact(2).map(|pair| (base.0 + pair[0], base.1 + pair[1])));
                    at = reaches.last().copied().filter(|_| !numbers.is_empty()).unwrap_or(at);
                }
            }
            reaches.push(at);
        }
        reaches
    }

    /// The width and height of its points, if it consists of lines and curves.
    pub(super) fn extent(&self) -> Option<Point> {
        let mut points = self.points()?.into_iter();
        let (x, y) = points.next()?;
        let (left, top, right, bottom) =
            points.fold((x, y, x, y), |(left, top, right, bottom), (x, y)| (left.min(x), top.min(y), right.max(x), bottom.max(y)));
        Some((right - left, bottom - top))
    }

    /// The value of the attribute `d`.
    pub(super) fn data(&self) -> String {
        let numbers = |numbers: &[f64]| numbers.iter().copied().map(format_number).collect::<Vec<_>>().join(" ");
        self.commands.iter().flat_map(|(command, arguments)| [command.to_string(), numbers(arguments)]).collect()
    }
}

/// The first of the points, and the direction towards it from the next one that differs.
fn end_of(mut points: impl Iterator<Item = Point>) -> Option<(Point, Point)> {
    let end = points.next()?;
    let apart = |point: &Point| (end.0 - point.0).hypot(end.1 - point.1);
    let before = points.find(|point| apart(point) > 0.01)?;
    let length = apart(&before);
    Some((end, ((end.0 - before.0) / length, (end.1 - before.1) / length)))
}

fn number(text: &str, is_flag: bool) -> Option<(f64, &str)> {
    let text = text.trim_start_matches([' ', ',', '\n', '\t']);
    if is_flag {
        let flag = text.chars().next().filter(|c| matches!(c, '0' | '1'))?;
        let rest = &text[1..];
        return Some((if flag == '1' { 1.0 } else { 0.0 }, rest.trim_start_matches([' ', ','])));
    }
    let bytes = text.as_bytes();
    let mut end = 0;
    let mut seen_dot = false;
    let mut seen_exponent = false;
    while let Some(byte) = bytes.get(end) {
        let after_exponent = end > 0 && matches!(bytes[end - 1], b'e' | b'E');
        match byte {
            b'0'..=b'9' => {}
            b'-' | b'+' if end == 0 || after_exponent => {}
            b'.' if !seen_dot && !seen_exponent => seen_dot = true,
            b'e' | b'E' if end > 0 && !seen_exponent => seen_exponent = true,
            _ => break,
        }
        end += 1;
    }
    let number: f64 = text[..end].parse().ok()?;
    (number.is_finite() && number.abs() < 1e7).then(|| (number, text[end..].trim_start_matches([' ', ',', '\n', '\t'])))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn paths_are_read_and_written_anew() {
        let path = SvgPath::parse("M1.25,2 L3-4C.5.5,1,1,2,2 a1 1 0 01 5 5z").unwrap();
        assert_eq!(path.data(), "M1.3 2L3 -4C0.5 0.5 1 1 2 2a1 1 0 0 1 5 5z");
        assert_eq!(SvgPath::parse("M0 0 1 1").unwrap().data(), "M0 0L1 1");
        for wrong in ["", "L1 1", "M1", "M1 x", "M0 0 url(x)", "M1e99 1", "M0,0\"onload", "あ"] {
            assert_eq!(SvgPath::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn ends_have_the_direction_of_the_path() {
        let path = SvgPath::parse("M0 0C0 10 20 10 20 20L20 20").unwrap();
        assert_eq!(path.end(), Some(((20.0, 20.0), (0.0, 1.0))));
        assert_eq!(path.start(), Some(((0.0, 0.0), (0.0, -1.0))));
        assert_eq!(SvgPath::parse("M0 0L0 0").unwrap().end(), None);
    }
}
