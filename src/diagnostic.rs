//! Diagnostics: one type for all findings, from invalid UTF-8 to an outdated translation.
//!
//! Stages add them to one [`Diagnostics`] and continue; only the report formats of this module turn them into text.

mod human;
mod machine;
mod rule;

use std::{collections::BTreeMap, sync::Arc};

pub use human::{human, human_finding};
pub use machine::{github, json, json_schema, sarif};
pub use rule::Rule;

use crate::text::Span;

/// The weight of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The site cannot be built.
    Error,
    /// The site can be built; `--strict` refuses it.
    Warning,
}

impl Severity {
    /// The name in reports.
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
    /// The bytes in it, without a byte order mark and with `\n` as line end.
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
    /// The kind of finding, which determines the severity.
    pub rule: Rule,
    /// One line of lower-case prose with names in back-ticks.
    pub message: String,
    /// `None` only for a finding without a file, such as a missing folder.
    pub place: Option<Place>,
    /// Further places with their labels, such as "first defined here".
    pub related: Vec<(Place, String)>,
    /// How to fix it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding at a place.
    pub fn new(rule: Rule, place: Place, message: impl Into<String>) -> Self {
        Self { place: Some(place), ..Self::nowhere(rule, message) }
    }

    /// A finding without a file.
    pub fn nowhere(rule: Rule, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), place: None, related: Vec::new(), help: None }
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the help: "did you mean …?" if there is a candidate, else the fallback.
    #[must_use]
    pub fn suggest(self, candidate: Option<&str>, otherwise: impl Into<String>) -> Self {
        match candidate {
            Some(candidate) => self.help(format!("did you mean `{candidate}`?")),
            None => self.help(otherwise),
        }
    }

    /// Adds a further place.
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

    /// The order of reports, which does not depend on the order in which findings are added.
    fn sort_key(&self) -> (Option<&Place>, Severity, &'static str, &str) {
        (self.place.as_ref(), self.severity(), self.rule.name(), &self.message)
    }
}

/// The input that a finding depends on. When it changes, the findings of its scope are discarded.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The knowledge base.
    #[default]
    Whole,
    /// One file.
    File(Arc<str>),
    /// The facts of a file in the context of all others.
    Facts(Arc<str>),
    /// Relations and replacements.
    Graph,
    /// Name patterns and example rows of all components.
    Rows,
    /// The languages of a page, by its address without the language.
    Page(Arc<str>),
    /// The links of a file.
    Links(Arc<str>),
}

/// The findings of all stages, by scope.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    scope: Scope,
    found: BTreeMap<Scope, Vec<Diagnostic>>,
}

impl Diagnostics {
    /// An empty collection.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding to the current scope.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.found.entry(self.scope.clone()).or_default().push(diagnostic);
    }

    /// Adds a finding with help to the current scope.
    pub fn report(&mut self, rule: Rule, place: Place, message: impl Into<String>, help: impl Into<String>) {
        self.push(Diagnostic::new(rule, place, message).help(help));
    }

    /// Adds findings to the current scope.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        let mut diagnostics = diagnostics.into_iter().peekable();
        if diagnostics.peek().is_some() {
            self.found.entry(self.scope.clone()).or_default().extend(diagnostics);
        }
    }

    /// Runs `find` with `scope` as the current scope.
    pub fn within<T>(&mut self, scope: Scope, find: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.enter(scope);
        let result = find(self);
        self.enter(outer);
        result
    }

    /// Makes a scope the current one; returns the previous one.
    pub fn enter(&mut self, scope: Scope) -> Scope {
        std::mem::replace(&mut self.scope, scope)
    }

    /// Whether a scope has no findings.
    #[must_use]
    pub fn is_clean(&self, scope: &Scope) -> bool {
        self.found.get(scope).is_none_or(Vec::is_empty)
    }

    /// Moves the findings of another collection to this one. They keep their scopes.
    pub fn append(&mut self, other: Self) {
        for (scope, mut found) in other.found {
            self.found.entry(scope).or_default().append(&mut found);
        }
    }

    /// Discards the findings of a scope.
    pub fn forget(&mut self, scope: &Scope) {
        self.found.remove(scope);
    }

    /// All findings without duplicates, sorted by file, place, severity, rule and message.
    #[must_use]
    pub fn sorted(self) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = self.found.into_values().flatten().collect();
        found.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        found.dedup();
        found
    }

    /// Whether there are no findings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.values().all(Vec::is_empty)
    }

    /// Whether there is a finding of this rule.
    #[must_use]
    pub fn has(&self, rule: Rule) -> bool {
        self.found.values().flatten().any(|diagnostic| diagnostic.rule == rule)
    }

    /// Whether there is an error, so that the site cannot be built.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.found.values().flatten().any(|diagnostic| diagnostic.severity() == Severity::Error)
    }
}

/// The number of errors and of warnings.
#[must_use]
pub fn count(diagnostics: &[Diagnostic]) -> (usize, usize) {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error).count();
    (errors, diagnostics.len() - errors)
}

/// Gives reports the texts of files, for excerpts and line numbers.
pub trait SourceText {
    /// The text that spans refer to; `None` if the file is not text.
    fn text(&self, file: &str) -> Option<&str>;
}
