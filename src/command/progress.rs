//! What a command is doing, for somebody who looks at a terminal; nothing elsewhere, where it would fill a log.

use std::{
    cell::Cell,
    io::{self, IsTerminal, Write},
};

/// A line that says what is done at the moment, and goes away.
pub(super) struct Progress {
    shown: bool,
    said: Cell<bool>,
}

impl Progress {
    /// Shows something on a terminal only.
    pub(super) fn new() -> Self {
        Self { shown: io::stderr().is_terminal(), said: Cell::new(false) }
    }

    /// Says what is done now, in place of what was done before.
    pub(super) fn say(&self, what: &str) {
        if self.shown {
            self.said.set(true);
            // A terminal that refuses a line is no reason to fail.
            let _ = write!(io::stderr(), "\r\x1b[K{what} …").and_then(|()| io::stderr().flush());
        }
    }

    /// Takes the line away, so that what follows begins at the left.
    pub(super) fn done(&self) {
        if self.said.take() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.done();
    }
}
