//! The grammars, and the mapping of their scopes to classes of the style sheet.

use std::str::FromStr;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::{
    LONGEST_LINE,
    names::{ALIASES, CLASSES, KEY, KEYS},
    spans::Spans,
};
use crate::text::escape;

/// The maximum depth of a scope stack. Deeper stacks occur in data rather than code, and the cost of each line grows with the depth.
const DEEPEST_STACK: usize = 1_000;
/// The number of scopes that are examined, from the innermost outwards, to find one with a class.
const SCOPES_EXAMINED: usize = 12;

#[derive(Debug)]
pub(super) struct Grammars {
    syntaxes: SyntaxSet,
    classes: Vec<(Scope, Option<&'static str>)>,
    keys: Vec<Scope>,
    strings_and_comments: Vec<Scope>,
}

impl Grammars {
    pub(super) fn unpack() -> Self {
        let scope = |name: &str| Scope::from_str(name).ok();
        Self {
            syntaxes: two_face::syntax::extra_newlines(),
            classes: CLASSES.iter().flat_map(|(class, scopes)| scopes.split(' ').filter_map(|name| Some((scope(name)?, *class)))).collect(),
            keys: KEYS.iter().copied().filter_map(scope).collect(),
            strings_and_comments: ["string", "comment", "meta.string"].into_iter().filter_map(scope).collect(),
        }
    }

    pub(super) fn syntax(&self, language: &str) -> Option<&SyntaxReference> {
        let name = ALIASES.iter().find(|(_, aliases)| aliases.split(' ').any(|alias| alias == language)).map_or(language, |(name, _)| name);
        self.syntaxes.find_syntax_by_token(name)
    }

    /// The HTML of each line, without the cache.
    pub(super) fn highlight(&self, syntax: &SyntaxReference, code: &str) -> Vec<String> {
        let mut parse = ParseState::new(syntax);
        let mut scopes = ScopeStack::new();
        let mut is_parsed = true;
        let mut lines = Vec::new();
        for line in code.lines() {
            if line.len() > LONGEST_LINE || !is_parsed {
                lines.push(escape(line));
                continue;
            }
            let mut out = Spans::new(line);
            // The grammars expect the line break.
            is_parsed = self.line(&mut parse, &mut scopes, &format!("{line}\n"), &mut |end, class| out.until(end, class));
            lines.push(out.finish());
        }
        lines
    }

    /// Parses a line with its line break, and passes the end of each stretch with its class to `until`. Returns `false` if the grammar failed.
    pub(super) fn line(
        &self,
        parse: &mut ParseState,
        scopes: &mut ScopeStack,
        line: &str,
        until: &mut impl FnMut(usize, Option<&'static str>),
    ) -> bool {
        let operations = parse.parse_line(line, &self.syntaxes).ok();
        let mut is_parsed = operations.is_some();
        for (at, operation) in operations.unwrap_or_default() {
            until(at, self.class(scopes));
            is_parsed &= scopes.apply(&operation).is_ok();
        }
        is_parsed &= scopes.len() <= DEEPEST_STACK;
        until(line.len() - 1, if is_parsed { self.class(scopes) } else { None });
        is_parsed
    }

    /// Whether these scopes are neither those of a string nor those of a comment.
    pub(super) fn is_code(&self, stack: &ScopeStack) -> bool {
        !stack.as_slice().iter().any(|scope| self.strings_and_comments.iter().any(|prefix| prefix.is_prefix_of(*scope)))
    }

    /// The class of text inside these scopes.
    fn class(&self, stack: &ScopeStack) -> Option<&'static str> {
        let scopes = stack.as_slice();
        let class = scopes.iter().rev().take(SCOPES_EXAMINED).find_map(|scope| {
            let (_, class) = self.classes.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope))?;
            *class
        })?;
        let is_key = class == "hl-string" && scopes.iter().rev().take(4).any(|scope| self.keys.iter().any(|key| key.is_prefix_of(*scope)));
        Some(if is_key { KEY } else { class })
    }
}
