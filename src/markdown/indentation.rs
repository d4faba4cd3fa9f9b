//! Lines and their indentation inside lists and quotes.

use std::ops::Range;

/// The ranges of the lines of a text from an offset on, without their line breaks.
pub(super) fn line_ranges(text: &str, mut at: usize) -> impl Iterator<Item = Range<usize>> {
    text.get(at..).unwrap_or_default().split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        start..start + line.trim_end_matches('\n').len()
    })
}

/// The list and quote markers before a container on its first line; later lines must match them to be inside it.
pub(super) struct Prefix {
    steps: Vec<PrefixStep>,
    /// The prefix of later lines: quote markers, and spaces for list markers.
    pub(super) repeated: String,
}

#[derive(Clone, Copy)]
enum PrefixStep {
    Quote,
    Blanks(usize),
}

/// A line relative to a [`Prefix`].
pub(super) enum Stripped {
    Blank,
    /// Inside, and indented by at least four columns. The width of a tab depends on its column, which changes with the text before it, so tabs must be replaced
    /// by spaces.
    Indented {
        /// The length of the prefix and all the indentation.
        bytes: usize,
        /// The indentation beyond four columns.
        columns: usize,
    },
    Outside,
}

impl Prefix {
    /// Reads the text before a marker. `None` if it is longer than 120 columns: copying it to every line would take quadratic space.
    pub(super) fn of(before: &str) -> Option<Self> {
        const LONGEST: usize = 120;
        let mut steps = Vec::new();
        let mut repeated = String::new();
        let mut column = 0;
        for character in before.chars() {
            let width = if character == '\t' { 4 - column % 4 } else { 1 };
            column += width;
            if column > LONGEST {
                return None;
            }
            if character == '>' {
                steps.push(PrefixStep::Quote);
                repeated.push('>');
            } else {
                repeated.extend(std::iter::repeat_n(' ', width));
                match steps.last_mut() {
                    Some(PrefixStep::Blanks(blanks)) => *blanks += width,
                    _ => steps.push(PrefixStep::Blanks(width)),
                }
            }
        }
        Some(Self { steps, repeated })
    }

    /// The part of the prefix that a line shares: the quotes and lists that continue there.
    pub(super) fn shared(&self, line: &str) -> String {
        let mut cursor = ColumnCursor { line, ..ColumnCursor::default() };
        let mut shared = String::new();
        for step in &self.steps {
            if !cursor.follow(std::slice::from_ref(step)) {
                break;
            }
            match step {
                PrefixStep::Quote => shared.push('>'),
                PrefixStep::Blanks(width) => shared.extend(std::iter::repeat_n(' ', *width)),
            }
        }
        shared
    }

    /// Compares the beginning of a line with the prefix.
    pub(super) fn strip(&self, line: &str) -> Stripped {
        let mut cursor = ColumnCursor { line, ..ColumnCursor::default() };
        let inside = cursor.follow(&self.steps);
        if cursor.rest().trim().is_empty() && (inside || !self.steps.iter().any(|step| matches!(step, PrefixStep::Quote))) {
            return Stripped::Blank;
        }
        if inside && cursor.blanks(4) {
            cursor.owed += cursor.remaining_blanks();
            Stripped::Indented { bytes: cursor.at, columns: cursor.owed }
        } else {
            Stripped::Outside
        }
    }
}

/// Reads the beginning of a line by columns.
#[derive(Default)]
struct ColumnCursor<'t> {
    line: &'t str,
    at: usize,
    column: usize,
    /// The columns of the last tab that are not consumed yet.
    owed: usize,
}

impl<'t> ColumnCursor<'t> {
    fn rest(&self) -> &'t str {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn follow(&mut self, steps: &[PrefixStep]) -> bool {
        steps.iter().all(|step| match step {
            PrefixStep::Blanks(width) => {
                // A space after a quote marker is optional.
                self.blanks(*width) || (*width == 1 && self.rest().is_empty())
            }
            PrefixStep::Quote => {
                let indent = self.rest().bytes().take_while(|byte| *byte == b' ').count();
                let found = indent <= 3 && self.rest()[indent..].starts_with('>');
                if found {
                    self.at += indent + 1;
                    self.column += indent + 1;
                    self.owed = 0;
                }
                found
            }
        })
    }

    /// Consumes all blanks at the cursor; returns their width.
    fn remaining_blanks(&mut self) -> usize {
        let from = self.column;
        for byte in self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t')) {
            self.column += if byte == b'\t' { 4 - self.column % 4 } else { 1 };
            self.at += 1;
        }
        self.column - from
    }

    /// Consumes blanks of this width. `false` if there are fewer.
    fn blanks(&mut self, width: usize) -> bool {
        let mut missing = width;
        loop {
            let used = missing.min(self.owed);
            missing -= used;
            self.owed -= used;
            if missing == 0 {
                return true;
            }
            self.owed = match self.rest().bytes().next() {
                Some(b' ') => 1,
                Some(b'\t') => 4 - self.column % 4,
                _ => return false,
            };
            self.column += self.owed;
            self.at += 1;
        }
    }
}
