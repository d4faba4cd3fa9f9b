//! Lines, and how far they are indented inside the lists and quotes around them.

use std::ops::Range;

/// The lines of a text from some offset on, without their line breaks.
pub(super) struct Lines<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let end = rest.find('\n').map_or(self.text.len(), |length| self.at + length);
        let line = self.at..end;
        self.at = end + 1;
        Some(line)
    }
}

/// What stands before a marker because of the lists and quotes around it, and how the lines below must begin to be inside of them too.
pub(super) struct Prefix {
    steps: Vec<Step>,
    /// The same for further lines: quote markers, and blanks for list markers.
    pub(super) repeated: String,
}

#[derive(Clone, Copy)]
enum Step {
    Quote,
    Blanks(usize),
}

pub(super) enum Stripped {
    Blank,
    /// Inside, and indented by at least four columns: the bytes of all the indentation, and the columns beyond four. Tabs count by the
    /// column that they reach, which changes when something else stands before them, so they do not survive.
    Indented {
        bytes: usize,
        columns: usize,
    },
    Outside,
}

impl Prefix {
    /// Fails for a prefix that is absurdly long: copying it to every line would take quadratic space.
    pub(super) fn of(before: &str) -> Result<Self, ()> {
        const LONGEST: usize = 120;
        let mut steps = Vec::new();
        let mut repeated = String::new();
        let mut column = 0;
        for character in before.chars() {
            let width = if character == '\t' { 4 - column % 4 } else { 1 };
            column += width;
            if column > LONGEST {
                return Err(());
            }
            if character == '>' {
                steps.push(Step::Quote);
                repeated.push('>');
            } else {
                repeated.extend(std::iter::repeat_n(' ', width));
                match steps.last_mut() {
                    Some(Step::Blanks(blanks)) => *blanks += width,
                    _ => steps.push(Step::Blanks(width)),
                }
            }
        }
        Ok(Self { steps, repeated })
    }

    /// What of it a line shares: the quotes and lists that go on.
    pub(super) fn shared(&self, line: &str) -> String {
        let mut cursor = Cursor::new(line);
        let mut shared = String::new();
        for step in &self.steps {
            if !cursor.follow(std::slice::from_ref(step)) {
                break;
            }
            match step {
                Step::Quote => shared.push('>'),
                Step::Blanks(width) => shared.extend(std::iter::repeat_n(' ', *width)),
            }
        }
        shared
    }

    pub(super) fn strip(&self, line: &str) -> Stripped {
        let mut cursor = Cursor::new(line);
        let inside = cursor.follow(&self.steps);
        if cursor.rest().trim().is_empty() && (inside || !self.steps.iter().any(|step| matches!(step, Step::Quote))) {
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
struct Cursor<'t> {
    line: &'t str,
    at: usize,
    column: usize,
    /// Columns of the last tab that were not asked for.
    owed: usize,
}

impl<'t> Cursor<'t> {
    const fn new(line: &'t str) -> Self {
        Self { line, at: 0, column: 0, owed: 0 }
    }

    fn rest(&self) -> &'t str {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn follow(&mut self, steps: &[Step]) -> bool {
        steps.iter().all(|step| match step {
            Step::Blanks(width) => {
                // A blank after a quote marker is optional.
                self.blanks(*width) || (*width == 1 && self.rest().is_empty())
            }
            Step::Quote => {
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

    /// Takes all blanks that are left; returns their width.
    fn remaining_blanks(&mut self) -> usize {
        let from = self.column;
        for byte in self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t')) {
            self.column += if byte == b'\t' { 4 - self.column % 4 } else { 1 };
            self.at += 1;
        }
        self.column - from
    }

    /// Takes blanks of this width, if they are there.
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
