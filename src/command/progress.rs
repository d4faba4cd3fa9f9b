//! The progress of a command, on a terminal only: elsewhere it would fill a log.

use std::{
    cell::Cell,
    io::{self, IsTerminal, Write},
};

use crate::text::printable;

/// A line that shows the current step, and is cleared at the end.
pub(super) struct Progress {
    is_terminal: bool,
    is_shown: Cell<bool>,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self { is_terminal: io::stderr().is_terminal(), is_shown: Cell::new(false) }
    }

    /// Shows a step in place of the previous one.
    pub(super) fn show(&self, what: &str) {
        if self.is_terminal {
            self.is_shown.set(true);
            // A write error of the terminal is ignored.
            let _ = write!(io::stderr(), "\r\x1b[K{} …", printable(what)).and_then(|()| io::stderr().flush());
        }
    }

    /// Clears the line.
    pub(super) fn done(&self) {
        if self.is_shown.take() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.done();
    }
}
