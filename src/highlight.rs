//! Highlights code at build time: a dozen CSS classes, no colors in the HTML.
//!
//! The grammars are Sublime Text's. Of the hundreds of scopes that they name, only those that a theme can sensibly distinguish are kept, so the HTML stays two
//! or three times the size of the code, and light and dark are plain CSS.

mod cache;
mod grammars;
mod names;
mod skeleton;
mod spans;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use cache::{Cache, GrammarState, HighlightedLine, StateId};
use grammars::Grammars;
use skeleton::Skeleton;
use spans::Spans;
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference};

use crate::text::escape;

/// The maximum length of a highlighted line in bytes; longer lines are not code. Grammars may take time quadratic in the length of a line, see [`cost`].
const LONGEST_LINE: usize = 500;
/// The maximum size of a highlighted block in bytes; larger blocks are data rather than code.
const LARGEST_BLOCK: usize = 256 * 1024;

/// Highlights code. Grammars are unpacked at first use, and lines like an earlier one are not parsed again: highlighting is by far the largest cost of a build,
/// and most lines of a site resemble others. Clones share everything.
#[derive(Clone, Debug, Default)]
pub struct Highlighter(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    is_disabled: bool,
    grammars: OnceLock<Grammars>,
    cache: Cache,
}

/// An upper bound of the time that highlighting takes: the sum of the squares of the line lengths. A million is a third of a second if each line is one long
/// word in JavaScript, the worst case found, and a millisecond for ordinary code.
#[must_use]
pub fn cost(code: &str) -> usize {
    code.lines().map(str::len).filter(|length| *length <= LONGEST_LINE).map(|length| length * length).sum()
}

impl Highlighter {
    /// A highlighter that only escapes: for `check`, which needs no HTML.
    #[must_use]
    pub fn disabled() -> Self {
        Self(Arc::new(Shared { is_disabled: true, ..Shared::default() }))
    }

    /// The HTML of each line of `code`, without line breaks. If there is no grammar for the language, the text is only escaped.
    #[must_use]
    pub fn lines(&self, language: &str, code: &str) -> Vec<String> {
        let language = language.to_ascii_lowercase();
        let plain = || code.lines().map(escape).collect();
        if self.0.is_disabled || is_text(&language) || code.len() > LARGEST_BLOCK {
            return plain();
        }
        let grammars = self.0.grammars.get_or_init(Grammars::unpack);
        let Some(syntax) = grammars.syntax(&language) else { return plain() };
        let extension = syntax.file_extensions.first().unwrap_or(&language);
        self.0.lines_by_skeleton(grammars, extension, syntax, code).unwrap_or_else(|| grammars.highlight(syntax, code))
    }
}

impl Shared {
    /// Highlights a block line by line, each as an earlier line of the same skeleton. `None` if the cache of states is full.
    fn lines_by_skeleton(&self, grammars: &Grammars, extension: &str, syntax: &SyntaxReference, code: &str) -> Option<Vec<String>> {
        let begin = GrammarState { parse: ParseState::new(syntax), scopes: ScopeStack::new() };
        // `None` after a line that the grammar failed to parse: the state of the following lines is unknown.
        let mut state = Some((self.cache.intern(begin)?, true));
        let mut lines = Vec::new();
        for line in code.lines() {
            let Some((before, is_code)) = state.filter(|_| line.len() <= LONGEST_LINE) else {
                lines.push(escape(line));
                continue;
            };
            let skeleton = if is_code { Skeleton::of(extension, line) } else { Skeleton::whole(line) };
            let highlighted = self.line(grammars, before, &skeleton)?;
            let mut out = Spans::new(line);
            for (end, class) in &highlighted.classes {
                out.until(skeleton.in_line(*end), *class);
            }
            lines.push(out.finish());
            state = highlighted.after;
        }
        Some(lines)
    }

    /// The classes of a line, from the cache or parsed. `None` if the cache of states is full.
    fn line(&self, grammars: &Grammars, before: StateId, skeleton: &Skeleton) -> Option<Arc<HighlightedLine>> {
        if let Some(line) = self.cache.line(before, &skeleton.text) {
            return Some(line);
        }
        let state = self.cache.state(before)?;
        let (mut parse, mut scopes) = (state.parse.clone(), state.scopes.clone());
        let mut classes = Vec::new();
        let is_parsed = grammars.line(&mut parse, &mut scopes, &skeleton.text, &mut |end, class| classes.push((end, class)));
        let is_code = grammars.is_code(&scopes);
        let after = if is_parsed { Some((self.cache.intern(GrammarState { parse, scopes })?, is_code)) } else { None };
        let line = Arc::new(HighlightedLine { classes, after });
        self.cache.insert(before, skeleton.text.clone(), Arc::clone(&line));
        Some(line)
    }
}

fn is_text(language: &str) -> bool {
    matches!(language, "" | "text" | "txt" | "plain" | "plaintext" | "none" | "output" | "log" | "ascii")
}
