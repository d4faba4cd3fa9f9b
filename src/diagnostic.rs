//! Diagnostics: one type for all findings, from invalid UTF-8 to an outdated translation.
//!
//! Stages add them to one [`Diagnostics`] and continue; only the report formats of this module turn them into text.

mod human;
mod levels;
mod line_indexes;
mod machine;
mod rule;

use std::{collections::BTreeMap, sync::Arc};

pub use human::{human, human_finding};
pub use levels::{FolderLevels, RuleLevel, RuleLevels};
pub use machine::{github, json, json_schema, sarif};
pub use rule::Rule;

use crate::text::{Span, did_you_mean};

/// The weight of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The site cannot be built.
    Error,
    /// The site can be built, unless `--strict` is given.
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
    /// The kind of finding.
    pub rule: Rule,
    /// The severity: that of the rule, unless the site has set another one.
    pub severity: Severity,
    /// One line of lower-case prose with names in backticks.
    pub message: String,
    /// `None` only for a finding without a file, such as a missing folder.
    pub place: Option<Place>,
    /// Further places with their labels, such as "first defined here".
    pub related: Vec<(Place, String)>,
    /// How to fix it.
    pub help: Option<String>,
    /// The number of findings that this one represents: 1, unless it is the last of many of one rule in one file; see [`Diagnostics::sorted`].
    pub count: usize,
}

impl Diagnostic {
    /// A finding at a place.
    pub fn new(rule: Rule, place: Place, message: impl Into<String>) -> Self {
        Self { place: Some(place), ..Self::nowhere(rule, message) }
    }

    /// A finding without a file.
    pub fn nowhere(rule: Rule, message: impl Into<String>) -> Self {
        Self { rule, severity: rule.severity(), message: message.into(), place: None, related: Vec::new(), help: None, count: 1 }
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

    /// Sets the severity as the site wants it; false if the finding is not reported.
    fn set_level(&mut self, levels: &RuleLevels) -> bool {
        let severity = levels.severity(self.rule, self.place.as_ref().map(|place| &*place.file));
        self.severity = severity.unwrap_or(self.severity);
        severity.is_some()
    }

    /// The order of reports, which does not depend on the order in which findings are added.
    fn sort_key(&self) -> (Option<&Place>, Severity, &'static str, &str) {
        (self.place.as_ref(), self.severity, self.rule.name(), &self.message)
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
    levels: RuleLevels,
    found: BTreeMap<Scope, Vec<Diagnostic>>,
    /// How many findings each scope has.
    counts: BTreeMap<Scope, BTreeMap<RuleInFile, usize>>,
}

/// A rule, and the file that its findings are in, if they are in one.
type RuleInFile = (Rule, Option<Arc<str>>);

impl Diagnostics {
    /// An empty collection.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the severities of rules, also for the findings so far.
    pub fn set_levels(&mut self, levels: RuleLevels) {
        let scope = self.scope.clone();
        let before = std::mem::replace(self, Self { scope, levels, ..Self::default() });
        self.append(before);
    }

    /// Adds a finding to the current scope.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        if !diagnostic.set_level(&self.levels) {
            return;
        }
        let kind = (diagnostic.rule, diagnostic.place.as_ref().map(|place| place.file.clone()));
        *self.counts.entry(self.scope.clone()).or_default().entry(kind).or_default() += 1;
        self.found.entry(self.scope.clone()).or_default().push(diagnostic);
    }

    /// Whether the current scope has so many findings of a rule in a file that further ones are only counted, and their help isn't computed.
    #[must_use]
    pub fn is_crowded(&self, rule: Rule, file: &Arc<str>) -> bool {
        let count = self.counts.get(&self.scope).and_then(|counts| counts.get(&(rule, Some(file.clone()))));
        count.is_some_and(|count| *count >= MOST_REPORTED)
    }

    /// The candidate that `typed` most resembles, for the help of a finding of a rule in a file. Not computed if the finding will only be counted.
    pub fn did_you_mean<'a>(&self, of: (Rule, &Arc<str>), typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        if self.is_crowded(of.0, of.1) { None } else { did_you_mean(typed, candidates) }
    }

    /// Adds a finding with help to the current scope.
    pub fn report(&mut self, rule: Rule, place: Place, message: impl Into<String>, help: impl Into<String>) {
        self.push(Diagnostic::new(rule, place, message).help(help));
    }

    /// Adds findings to the current scope.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        diagnostics.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }

    /// Runs `find` with `scope` as the current scope.
    pub fn within<T>(&mut self, scope: Scope, find: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.enter(scope);
        let result = find(self);
        self.enter(outer);
        result
    }

    /// Sets the current scope; returns the previous one.
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
        for (scope, found) in other.found {
            let reported = found.into_iter().filter_map(|mut found| found.set_level(&self.levels).then_some(found));
            self.found.entry(scope).or_default().extend(reported);
        }
        for (scope, counts) in other.counts {
            let own = self.counts.entry(scope).or_default();
            for (kind, count) in counts {
                *own.entry(kind).or_default() += count;
            }
        }
    }

    /// Discards the findings of a scope.
    pub fn forget(&mut self, scope: &Scope) {
        self.found.remove(scope);
        self.counts.remove(scope);
    }

    /// The findings for a report: sorted by file, place, severity, rule and message, and without duplicates. After the first [`MOST_REPORTED`] of a rule in a
    /// file, one finding represents all others.
    #[must_use]
    pub fn sorted(self) -> Vec<Diagnostic> {
        abridged(self.all_sorted())
    }

    /// All findings without duplicates, sorted.
    #[must_use]
    pub fn all_sorted(self) -> Vec<Diagnostic> {
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
        self.found.values().flatten().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// The number of findings of a rule in a file that are reported individually. Thousands of findings usually have a common cause.
pub const MOST_REPORTED: usize = 100;

/// Sorted findings, where one finding represents all findings of a rule in a file after the first [`MOST_REPORTED`].
fn abridged(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut reported: Vec<Diagnostic> = Vec::new();
    // The number of reported findings of a rule in a file, and the position of the finding that represents the others.
    let mut groups: BTreeMap<RuleInFile, (usize, Option<usize>)> = BTreeMap::new();
    for mut diagnostic in found {
        let file = diagnostic.place.as_ref().map(|place| place.file.clone());
        let (shown, rest) = groups.entry((diagnostic.rule, file)).or_default();
        // A finding that already represents others comes from findings that were sorted before.
        if *shown < MOST_REPORTED && diagnostic.count == 1 {
            *shown += 1;
        } else if let Some(rest) = rest.and_then(|at| reported.get_mut(at)) {
            rest.count += diagnostic.count;
            continue;
        } else {
            *rest = Some(reported.len());
            diagnostic.related.clear();
            diagnostic.help = Some("fix the listed ones, then run the check again".to_owned());
        }
        reported.push(diagnostic);
    }
    for ((_, file), (_, rest)) in groups {
        if let Some(rest) = rest.and_then(|at| reported.get_mut(at)) {
            let place = if file.is_some() { " in this file" } else { "" };
            rest.message =
                format!("… and {} more {} of this rule{place}", grouped(rest.count), if rest.count == 1 { "finding" } else { "findings" });
        }
    }
    reported
}

/// A number with a comma before every third digit.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The number of errors and of warnings.
#[must_use]
pub fn count(diagnostics: &[Diagnostic]) -> (usize, usize) {
    let of =
        |severity| diagnostics.iter().filter(move |diagnostic| diagnostic.severity == severity).map(|diagnostic| diagnostic.count).sum();
    (of(Severity::Error), of(Severity::Warning))
}

/// Provides the texts of files to reports, for excerpts and line numbers.
pub trait SourceText {
    /// The text that spans refer to; `None` if the file is not text.
    fn text(&self, file: &str) -> Option<&str>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(file: &str, rule: Rule, number: usize) -> impl Iterator<Item = Diagnostic> + use<> {
        let file: Arc<str> = file.into();
        (0..number).map(move |at| Diagnostic::new(rule, Place::new(file.clone(), Span::new(at, at + 1)), format!("{at}")))
    }

    #[test]
    fn many_findings_of_one_rule_in_one_file_are_counted() {
        let mut all = Diagnostics::new();
        all.extend(many("a", Rule::DeadLink, 100_000).chain(many("a", Rule::Unfinished, 100)).chain(many("b", Rule::DeadLink, 101)));
        assert_eq!(all.clone().all_sorted().len(), 100_201);
        let found = all.sorted();
        let of = |file: &str, rule: Rule| -> Vec<&Diagnostic> {
            found.iter().filter(|it| it.rule == rule && it.place.as_ref().is_some_and(|place| &*place.file == file)).collect()
        };
        let links = of("a", Rule::DeadLink);
        assert_eq!((links.len(), links[99].message.as_str(), links[99].count), (101, "99", 1));
        assert_eq!((links[100].message.as_str(), links[100].count), ("… and 99,900 more findings of this rule in this file", 99_900));
        assert_eq!(of("a", Rule::Unfinished).len(), 100);
        assert_eq!(of("b", Rule::DeadLink)[100].message, "… and 1 more finding of this rule in this file");
        assert_eq!(count(&found), (100_101, 100));
    }

    #[test]
    fn counted_findings_are_counted_again() {
        let mut all = Diagnostics::new();
        all.extend(many("a", Rule::DeadLink, 250));
        let once = all.sorted();
        let mut again = Diagnostics::new();
        again.extend(once.iter().cloned());
        assert_eq!(again.clone().sorted(), once);
        again.within(Scope::Graph, |all| all.push(Diagnostic::new(Rule::DeadLink, Place::new("a", Span::at(1_000)), "another")));
        let found = again.sorted();
        assert_eq!((found.len(), found[100].message.as_str()), (101, "… and 151 more findings of this rule in this file"));
        assert_eq!(count(&found), (251, 0));
    }

    #[test]
    fn findings_without_a_file_are_counted_too() {
        let mut all = Diagnostics::new();
        all.extend((0..1_100).map(|at| Diagnostic::nowhere(Rule::DeadLink, format!("{at}"))));
        assert_eq!(all.sorted()[100].message, "… and 1,000 more findings of this rule");
    }
}
