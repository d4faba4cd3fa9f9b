//! What is found: one type for every finding, from a broken byte to a stale translation.
//!
//! A finding is data. Stages push into one [`Diagnostics`] and carry on; only the report formats below turn it into text.

mod human;
mod machine;
mod rule;

use std::{collections::BTreeMap, sync::Arc};

pub use human::{human, human_finding};
pub use machine::{github, json, json_schema, sarif};
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

/// What a finding was found in, so that it can be taken back when that changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The knowledge base.
    #[default]
    Whole,
    /// A file alone.
    File(Arc<str>),
    /// The facts of a file among all others.
    Facts(Arc<str>),
    /// Relations and replacements.
    Graph,
    /// Which rows belong to which component.
    Rows,
    /// The texts of a page beside each other, by its address.
    Page(Arc<str>),
    /// Where the links of a file lead.
    Links(Arc<str>),
}

/// The sink that all stages report into.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    scope: Scope,
    found: BTreeMap<Scope, Vec<Diagnostic>>,
}

impl Diagnostics {
    /// An empty sink.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.found.entry(self.scope.clone()).or_default().push(diagnostic);
    }

    /// Adds many.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        let mut diagnostics = diagnostics.into_iter().peekable();
        if diagnostics.peek().is_some() {
            self.found.entry(self.scope.clone()).or_default().extend(diagnostics);
        }
    }

    /// Whatever is found meanwhile is found in this scope.
    pub fn within<T>(&mut self, scope: Scope, find: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.enter(scope);
        let result = find(self);
        self.enter(outer);
        result
    }

    /// Whatever is found from now on is found in this scope; returns the one before.
    pub fn enter(&mut self, scope: Scope) -> Scope {
        std::mem::replace(&mut self.scope, scope)
    }

    /// Whether nothing was found in a scope.
    #[must_use]
    pub fn is_clean(&self, scope: &Scope) -> bool {
        self.found.get(scope).is_none_or(Vec::is_empty)
    }

    /// Adds all that another sink holds, in its scopes.
    pub fn append(&mut self, other: Self) {
        for (scope, mut found) in other.found {
            self.found.entry(scope).or_default().append(&mut found);
        }
    }

    /// Takes back what was found in a scope.
    pub fn forget(&mut self, scope: &Scope) {
        self.found.remove(scope);
    }

    /// All findings, sorted, each once.
    #[must_use]
    pub fn sorted(self) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = self.found.into_values().flatten().collect();
        found.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        found.dedup();
        found
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.values().all(Vec::is_empty)
    }

    /// Whether something of this kind was found.
    #[must_use]
    pub fn has(&self, rule: Rule) -> bool {
        self.found.values().flatten().any(|diagnostic| diagnostic.rule == rule)
    }

    /// Whether anything keeps the site from being built.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.found.values().flatten().any(|diagnostic| diagnostic.severity() == Severity::Error)
    }
}

/// How many errors and warnings there are.
#[must_use]
pub fn count(diagnostics: &[Diagnostic]) -> (usize, usize) {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error).count();
    (errors, diagnostics.len() - errors)
}

/// Where reports find the text of a file, for excerpts and line numbers.
pub trait SourceText {
    /// The text of a file as the compiler saw it; `None` if it is not text.
    fn text(&self, file: &str) -> Option<&str>;
}
