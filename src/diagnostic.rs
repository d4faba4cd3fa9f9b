//! What is found: one type for every finding, from a broken byte to a stale translation.
//!
//! A finding is data. Stages push into one [`Diagnostics`] and carry on; only the report formats below turn it into text.

mod human;
mod machine;
mod rule;

use std::sync::Arc;

pub use human::human;
pub use machine::{github, json, sarif};
pub use rule::Rule;

use crate::text::Span;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The site cannot be built.
    Error,
    /// The site can be built; `--strict` refuses it.
    Warning,
}

impl Severity {
    /// The word in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A span in a file. The path is relative to the root of the knowledge base, with `/` between the parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: Arc<str>,
    /// The bytes in it (after a byte order mark was dropped and line ends were unified).
    pub span: Span,
}

impl Place {
    /// A place in a file.
    pub fn new(file: impl Into<Arc<str>>, span: impl Into<Span>) -> Self {
        Self { file: file.into(), span: span.into() }
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of finding; it decides the severity.
    pub rule: Rule,
    /// What is wrong, in one line of lower-case prose with names in back-ticks.
    pub message: String,
    /// Where; absent only for what has no file, such as a folder that does not exist.
    pub place: Option<Place>,
    /// Words at the place itself, shown beside the caret.
    pub label: Option<String>,
    /// Other places that matter ("first defined here").
    pub related: Vec<(Place, String)>,
    /// What to type next.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding at a place.
    pub fn new(rule: Rule, place: Place, message: impl Into<String>) -> Self {
        Self { place: Some(place), ..Self::nowhere(rule, message) }
    }

    /// A finding that belongs to no file.
    pub fn nowhere(rule: Rule, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), place: None, label: None, related: Vec::new(), help: None }
    }

    /// Adds words at the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds "did you mean …?" if there is a candidate, else the fallback.
    #[must_use]
    pub fn suggest(self, candidate: Option<&str>, otherwise: impl Into<String>) -> Self {
        match candidate {
            Some(candidate) => self.help(format!("did you mean `{candidate}`?")),
            None => self.help(otherwise),
        }
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self, place: Place, words: impl Into<String>) -> Self {
        self.related.push((place, words.into()));
        self
    }

    /// The rule's severity.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.rule.severity()
    }

    /// Reports are sorted by file, place, rule and message, so that they do not depend on the order of work.
    fn sort_key(&self) -> (Option<&Place>, Severity, &'static str, &str) {
        (self.place.as_ref(), self.severity(), self.rule.name(), &self.message)
    }
}

/// The sink that all stages report into.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
}

impl Diagnostics {
    /// An empty sink.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Adds many.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.found.extend(diagnostics);
    }

    /// All findings, sorted, each once.
    #[must_use]
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.found.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        self.found.dedup();
        self.found
    }

    /// Whether something of this kind was found.
    #[must_use]
    pub fn has(&self, rule: Rule) -> bool {
        self.found.iter().any(|diagnostic| diagnostic.rule == rule)
    }

    /// Whether anything keeps the site from being built.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|diagnostic| diagnostic.severity() == Severity::Error)
    }
}

/// How many errors and warnings there are.
#[must_use]
pub fn count(diagnostics: &[Diagnostic]) -> (usize, usize) {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error).count();
    (errors, diagnostics.len() - errors)
}

/// Where reports find the text of a file, for excerpts and line numbers.
pub trait Texts {
    /// The text of a file as the compiler saw it; `None` if it is not text.
    fn text(&self, file: &str) -> Option<&str>;
}
