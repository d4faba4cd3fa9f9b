//! Colours code while building: a dozen classes, no colours in the HTML.
//!
//! The grammars are Sublime Text's. Of the hundreds of scopes that they name only what a theme can sensibly tell apart is kept, so the HTML
//! stays two or three times the size of the code, and light and dark are plain CSS.

mod names;
mod spans;

use std::{
    collections::{BTreeMap, VecDeque},
    str::FromStr,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use names::{ALIASES, CLASSES, KEYS};
use spans::Spans;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use crate::text::escape;

/// A line longer than this is data, not code, and is left plain. Grammars may take time by the square of a line's length, see
/// [`cost`].
const LONGEST_LINE: usize = 500;
/// A block larger than this is not read by people.
const LARGEST_BLOCK: usize = 256 * 1024;
/// How many blocks are remembered.
const MOST_KEPT: usize = 20_000;
/// How many blocks are remembered of those that come after [`Highlighter::settle`].
const MOST_RECENT: usize = 100;
/// Nesting beyond this is no code either, and each line would cost as much as it is deep.
const DEEPEST_STACK: usize = 1_000;
/// How far out from the innermost scope to look for one with a class.
const SCOPES_ASKED: usize = 12;

/// Colours code. Grammars are unpacked at first use, and equal blocks are coloured once: share it.
#[derive(Default)]
pub struct Highlighter {
    /// Whether all code is left without colours.
    plain: bool,
    grammars: OnceLock<Grammars>,
    done: Mutex<Done>,
}

/// Colouring is by far the largest cost of a build, and translations share their code.
#[derive(Default)]
struct Done {
    kept: BTreeMap<(String, String), Lines>,
    /// While somebody edits a block, there is a new one at each keystroke. After [`Highlighter::settle`] only the last ones are kept.
    recent: Option<VecDeque<((String, String), Lines)>>,
}

impl Done {
    fn get(&self, key: &(String, String)) -> Option<&Lines> {
        let recent = self.recent.iter().flatten().find(|(known, _)| known == key).map(|(_, lines)| lines);
        self.kept.get(key).or(recent)
    }

    fn insert(&mut self, key: (String, String), lines: Lines) {
        if let Some(recent) = &mut self.recent {
            recent.truncate(MOST_RECENT - 1);
            recent.push_front((key, lines));
            return;
        }
        if self.kept.len() >= MOST_KEPT {
            self.kept.clear();
        }
        self.kept.insert(key, lines);
    }
}

/// The HTML of each line, without line breaks.
pub type Lines = Arc<Vec<String>>;

struct Grammars {
    syntaxes: SyntaxSet,
    classes: Vec<(Scope, Option<&'static str>)>,
    keys: Vec<Scope>,
}

impl std::fmt::Debug for Highlighter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
        Self { plain: true, ..Self::default() }
    }

    /// The HTML of each line of `code`. Where there is no grammar for the language, the text is only escaped.
    #[must_use]
    pub fn lines(&self, language: &str, code: &str) -> Lines {
        let language = language.to_ascii_lowercase();
        if self.plain || is_text(&language) || code.len() > LARGEST_BLOCK {
            return Arc::new(code.lines().map(escape).collect());
        }
        let key = (language, code.to_owned());
        if let Some(lines) = self.done.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(lines);
        }
        let grammars = self.grammars.get_or_init(Grammars::unpack);
        let lines =
            Arc::new(grammars.syntax(&key.0).map_or_else(|| code.lines().map(escape).collect(), |syntax| grammars.color(syntax, code)));
        self.done.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&lines));
        lines
    }

    /// From now on few new blocks are expected, and those mostly for a moment: keeps what it has, and of what comes only the last.
    pub fn settle(&self) {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).recent.get_or_insert_default();
    }
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
        }
    }

    fn syntax(&self, language: &str) -> Option<&SyntaxReference> {
        let name = ALIASES.iter().find(|(alias, _)| *alias == language).map_or(language, |(_, name)| name);
        self.syntaxes.find_syntax_by_token(name)
    }

    fn color(&self, syntax: &SyntaxReference, code: &str) -> Vec<String> {
        let mut state = ParseState::new(syntax);
        let mut stack = ScopeStack::new();
        let mut lines = Vec::new();
        let mut broken = false;
        for line in code.lines() {
            if line.len() > LONGEST_LINE {
                lines.push(escape(line));
                continue;
            }
            // The grammars expect the line break.
            let with_break = format!("{line}\n");
            let operations = if broken { None } else { state.parse_line(&with_break, &self.syntaxes).ok() };
            // A grammar that gave up does not know where it is.
            broken |= operations.is_none();
            let mut out = Spans::new(line);
            for (at, operation) in operations.unwrap_or_default() {
                out.until(at, self.class(&stack));
                broken |= stack.apply(&operation).is_err();
            }
            broken |= stack.len() > DEEPEST_STACK;
            out.until(line.len(), if broken { None } else { self.class(&stack) });
            lines.push(out.finish());
        }
        lines
    }

    /// The class of what stands inside these scopes.
    fn class(&self, stack: &ScopeStack) -> Option<&'static str> {
        let scopes = stack.as_slice();
        let class = scopes.iter().rev().take(SCOPES_ASKED).find_map(|scope| {
            let (_, class) = self.classes.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope))?;
            *class
        })?;
        let is_key = class == "hl-string" && scopes.iter().rev().take(4).any(|scope| self.keys.iter().any(|key| key.is_prefix_of(*scope)));
        Some(if is_key { "hl-name" } else { class })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: &str, code: &str, expected: &[&str]) {
        assert_eq!(*Highlighter::default().lines(language, code), expected, "{language}");
    }

    #[test]
    fn colours_what_pages_show() {
        check(
            "yaml",
            "kind: Pod # x",
            &["<span class=\"hl-name\">kind</span>: <span class=\"hl-string\">Pod</span> <span class=\"hl-comment\"># x</span>"],
        );
        check("json", "{\"a\": 1}", &["{<span class=\"hl-name\">&quot;a&quot;</span>: <span class=\"hl-number\">1</span>}"]);
        check("diff", "-a\n+b", &["<span class=\"hl-deleted\">-a</span>", "<span class=\"hl-inserted\">+b</span>"]);
    }

    #[test]
    fn knows_the_languages_of_our_field() {
        let grammars = Grammars::unpack();
        for name in [
            "bash",
            "sh",
            "console",
            "json",
            "jsonc",
            "yaml",
            "yml",
            "toml",
            "ini",
            "go",
            "hcl",
            "ts",
            "js",
            "dockerfile",
            "diff",
            "proto",
            "rust",
            "python",
            "xml",
            "html",
            "css",
            "sql",
            "makefile",
            "nginx",
            "markdown",
        ] {
            assert!(grammars.syntax(name).is_some(), "{name}");
        }
    }

    #[test]
    fn text_and_unknown_languages_are_escaped() {
        check("", "a<b\n\n", &["a&lt;b", ""]);
        check("nonsense", "\"&\"", &["&quot;&amp;&quot;"]);
        let long = "[".repeat(600);
        check("json", &format!("1\n{long}\n2"), &["<span class=\"hl-number\">1</span>", &long, "<span class=\"hl-number\">2</span>"]);
    }

    #[test]
    fn lines_are_kept() {
        let code = "/* a\n\n b */ fn x() {}\n";
        assert_eq!(Highlighter::default().lines("rust", code).len(), 3);
    }
}
