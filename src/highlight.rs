//! Colours code while building: a dozen classes, no colours in the HTML.
//!
//! The grammars are Sublime Text's. Of the hundreds of scopes that they name only what a theme can sensibly tell apart is kept, so the HTML
//! stays two or three times the size of the code, and light and dark are plain CSS.

mod kept;
mod memory;
mod names;
mod skeleton;
mod spans;
#[cfg(test)]
mod tests;

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, OnceLock},
};

use kept::Kept;
use memory::{Coloured, Memory, State, StateId};
use names::{ALIASES, CLASSES, KEYS};
use skeleton::Skeleton;
use spans::Spans;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use crate::text::escape;

/// A line longer than this is data, not code, and is left plain. Grammars may take time by the square of a line's length, see
/// [`cost`].
const LONGEST_LINE: usize = 500;
/// A block larger than this is not read by people.
const LARGEST_BLOCK: usize = 256 * 1024;
/// Nesting beyond this is no code either, and each line would cost as much as it is deep.
const DEEPEST_STACK: usize = 1_000;
/// The class of strings that are keys.
const KEY: &str = "hl-name";
/// How far out from the innermost scope to look for one with a class.
const SCOPES_ASKED: usize = 12;

/// Colours code. Grammars are unpacked at first use, and a line that was seen before is not parsed again: share it. Colouring is by far the largest cost of a
/// build, and most lines of a site are like others. A copy is the same one.
#[derive(Clone, Default)]
pub struct Highlighter(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// Whether all code is left without colours.
    plain: bool,
    grammars: OnceLock<Grammars>,
    memory: Memory,
    /// What an earlier build has coloured.
    kept: Option<Kept>,
}

/// The HTML of each line, without line breaks.
pub type Lines = Vec<String>;

struct Grammars {
    syntaxes: SyntaxSet,
    classes: Vec<(Scope, Option<&'static str>)>,
    keys: Vec<Scope>,
    /// Strings and comments.
    texts: Vec<Scope>,
}

impl fmt::Debug for Highlighter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Highlighter")
    }
}

/// How long coloring may take at worst: the sum of the squares of the lengths of the lines. A million is a third of a second if each line
/// is one long word in JavaScript, the worst that was found, and a millisecond for ordinary code.
#[must_use]
pub fn cost(code: &str) -> usize {
    code.lines().map(str::len).filter(|length| *length <= LONGEST_LINE).map(|length| length * length).sum()
}

impl Highlighter {
    /// One that colours nothing, for whoever only wants to know what is wrong.
    #[must_use]
    pub fn plain() -> Self {
        Self(Arc::new(Shared { plain: true, ..Shared::default() }))
    }

    /// One that knows what an earlier one has [kept](Self::keep), if it is of the same program; of anything else it knows nothing.
    #[must_use]
    pub fn knowing(kept: &str) -> Self {
        Self(Arc::new(Shared { kept: Kept::read(kept), ..Shared::default() }))
    }

    /// Writes what was coloured since this one was made, some megabytes at most.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, keep: &mut dyn fmt::Write) -> fmt::Result {
        kept::write(&self.0.memory, keep)
    }

    /// The HTML of each line of `code`. Where there is no grammar for the language, the text is only escaped.
    #[must_use]
    pub fn lines(&self, language: &str, code: &str) -> Lines {
        self.0.lines(language, code)
    }
}

impl Shared {
    fn lines(&self, language: &str, code: &str) -> Lines {
        let language = language.to_ascii_lowercase();
        if self.plain || is_text(&language) || code.len() > LARGEST_BLOCK {
            return plain(code);
        }
        if let Some(lines) = self.kept.as_ref().and_then(|kept| kept.lines(&language, code)) {
            return lines;
        }
        let grammars = self.grammars.get_or_init(Grammars::unpack);
        let Some(syntax) = grammars.syntax(&language) else {
            self.memory.begins_with(&language, None);
            return plain(code);
        };
        let name = syntax.file_extensions.first().map_or(language.as_str(), String::as_str);
        let begin = State { parse: ParseState::new(syntax), scopes: ScopeStack::new() };
        let Some(begin) = self.memory.number(begin) else { return grammars.color(syntax, code) };
        self.memory.begins_with(&language, Some((begin, name)));
        walk(name, code, begin, |state, skeleton| self.coloured(grammars, state, skeleton)).unwrap_or_else(|| grammars.color(syntax, code))
    }

    /// The colours of a line, remembered or new. `None` if there are too many states to remember.
    fn coloured(&self, grammars: &Grammars, before: StateId, skeleton: &Skeleton) -> Option<Arc<Coloured>> {
        if let Some(coloured) = self.memory.line(before, &skeleton.text) {
            return Some(coloured);
        }
        let state = self.memory.state(before)?;
        let (mut parse, mut scopes) = (state.parse.clone(), state.scopes.clone());
        let mut stretches = Vec::new();
        let is_fine = grammars.line(&mut parse, &mut scopes, &skeleton.text, &mut |end, class| stretches.push((end, class)));
        let is_code = grammars.is_code(&scopes);
        let after = if is_fine { Some((self.memory.number(State { parse, scopes })?, is_code)) } else { None };
        let coloured = Arc::new(Coloured { stretches, after });
        self.memory.keep(before, skeleton.text.clone(), Arc::clone(&coloured));
        Some(coloured)
    }
}

/// Colours a block line by line, from the state in which it begins; `None` if the colours of a line are not to be had.
fn walk(name: &str, code: &str, begin: StateId, mut coloured: impl FnMut(StateId, &Skeleton) -> Option<Arc<Coloured>>) -> Option<Lines> {
    // A grammar that gave up does not know where it is.
    let mut state = Some((begin, true));
    let mut lines = Vec::new();
    for line in code.lines() {
        let Some((before, is_code)) = state.filter(|_| line.len() <= LONGEST_LINE) else {
            lines.push(escape(line));
            continue;
        };
        let skeleton = if is_code { Skeleton::of(name, line) } else { Skeleton::whole(line) };
        let coloured = coloured(before, &skeleton)?;
        let mut out = Spans::new(line);
        for (end, class) in &coloured.stretches {
            out.until(skeleton.in_line(*end), *class);
        }
        lines.push(out.finish());
        state = coloured.after;
    }
    Some(lines)
}

/// Code without colours.
fn plain(code: &str) -> Lines {
    code.lines().map(escape).collect()
}

fn is_text(language: &str) -> bool {
    matches!(language, "" | "text" | "txt" | "plain" | "plaintext" | "none" | "output" | "log" | "ascii")
}

impl Grammars {
    fn unpack() -> Self {
        let scope = |name: &str| Scope::from_str(name).ok();
        Self {
            syntaxes: two_face::syntax::extra_newlines(),
            classes: CLASSES.iter().filter_map(|(name, class)| Some((scope(name)?, *class))).collect(),
            keys: KEYS.iter().copied().filter_map(scope).collect(),
            texts: ["string", "comment", "meta.string"].into_iter().filter_map(scope).collect(),
        }
    }

    fn syntax(&self, language: &str) -> Option<&SyntaxReference> {
        let name = ALIASES.iter().find(|(alias, _)| *alias == language).map_or(language, |(_, name)| name);
        self.syntaxes.find_syntax_by_token(name)
    }

    /// The HTML of each line, nothing remembered.
    fn color(&self, syntax: &SyntaxReference, code: &str) -> Lines {
        let mut parse = ParseState::new(syntax);
        let mut scopes = ScopeStack::new();
        let mut is_fine = true;
        let mut lines = Vec::new();
        for line in code.lines() {
            if line.len() > LONGEST_LINE || !is_fine {
                lines.push(escape(line));
                continue;
            }
            let mut out = Spans::new(line);
            // The grammars expect the line break.
            is_fine = self.line(&mut parse, &mut scopes, &format!("{line}\n"), &mut |end, class| out.until(end, class));
            lines.push(out.finish());
        }
        lines
    }

    /// Parses a line with its line break, and says up to where it has which class. `false` if the grammar gave up.
    fn line(
        &self,
        parse: &mut ParseState,
        scopes: &mut ScopeStack,
        line: &str,
        until: &mut impl FnMut(usize, Option<&'static str>),
    ) -> bool {
        let operations = parse.parse_line(line, &self.syntaxes).ok();
        let mut is_fine = operations.is_some();
        for (at, operation) in operations.unwrap_or_default() {
            until(at, self.class(scopes));
            is_fine &= scopes.apply(&operation).is_ok();
        }
        is_fine &= scopes.len() <= DEEPEST_STACK;
        until(line.len() - 1, if is_fine { self.class(scopes) } else { None });
        is_fine
    }

    /// Whether these scopes are neither those of a string nor those of a comment.
    fn is_code(&self, stack: &ScopeStack) -> bool {
        !stack.as_slice().iter().any(|scope| self.texts.iter().any(|text| text.is_prefix_of(*scope)))
    }

    /// The class of what stands inside these scopes.
    fn class(&self, stack: &ScopeStack) -> Option<&'static str> {
        let scopes = stack.as_slice();
        let class = scopes.iter().rev().take(SCOPES_ASKED).find_map(|scope| {
            let (_, class) = self.classes.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope))?;
            *class
        })?;
        let is_key = class == "hl-string" && scopes.iter().rev().take(4).any(|scope| self.keys.iter().any(|key| key.is_prefix_of(*scope)));
        Some(if is_key { KEY } else { class })
    }
}
