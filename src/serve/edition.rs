//! What is served: a site that was good, and what is wrong with the files as they are now.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use serde::Serialize;

use crate::{
    diagnostic::{self, Diagnostic, Severity, SourceText},
    render::Renderer,
    text::line_column,
};

/// A state of the site. Editions differ if what a browser shows may differ.
#[derive(Debug)]
pub struct Edition {
    /// Grows with each change of the site; with errors it stays.
    pub version: u64,
    /// The last site without errors; `None` if there was none since the start.
    pub renderer: Option<Arc<Renderer>>,
    /// What is wrong now.
    pub report: Report,
    /// The first build has not ended.
    pub building: bool,
    /// Files that the site before had under names that change with their content.
    outdated: Vec<(String, Arc<[u8]>)>,
    rendered: Mutex<Rendered>,
}

/// How many outdated files are kept.
const MOST_OUTDATED: usize = 32;

/// Files that were requested.
#[derive(Debug, Default)]
struct Rendered {
    files: BTreeMap<String, Arc<[u8]>>,
    bytes: usize,
}

/// No more than this is kept of rendered files, in bytes. A page has some 30 KB, so it is enough for all that one person looks at between two changes.
const MOST_KEPT: usize = 32 << 20;

/// What is wrong, for a browser.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The first ones, errors before warnings.
    pub findings: Vec<Finding>,
    /// How many errors there are.
    pub errors: usize,
    /// How many warnings there are.
    pub warnings: usize,
    /// How many of both are in `findings`.
    pub shown: usize,
}

/// One finding, for a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The name of the rule.
    pub rule: &'static str,
    /// What is wrong, in one line.
    pub message: String,
    /// The file to open, from the folder with book.toml.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    /// The whole finding with its excerpt, as in a terminal.
    pub text: String,
    /// What to type next.
    pub help: Option<String>,
}

/// How many findings are sent to a browser.
const MOST_SHOWN: usize = 50;

impl Report {
    /// Tells findings with excerpts from the texts in which they were found.
    pub fn new(diagnostics: &[Diagnostic], texts: &impl SourceText) -> Self {
        let (errors, warnings) = diagnostic::count(diagnostics);
        let of = |severity: Severity| diagnostics.iter().filter(move |found| found.severity() == severity);
        let first = of(Severity::Error).chain(of(Severity::Warning)).take(MOST_SHOWN);
        let findings: Vec<Finding> = first.map(|found| finding(found, texts)).collect();
        Self { shown: findings.len(), findings, errors, warnings }
    }
}

fn finding(found: &Diagnostic, texts: &impl SourceText) -> Finding {
    let place = found.place.as_ref();
    let at = place.and_then(|place| Some(line_column(texts.text(&place.file)?, place.span.start)));
    Finding {
        severity: found.severity().name(),
        rule: found.rule.name(),
        message: found.message.clone(),
        file: place.map(|place| place.file.to_string()),
        line: at.map(|at| at.line),
        column: at.map(|at| at.column),
        text: diagnostic::human_finding(found, texts, false),
        help: found.help.clone(),
    }
}

impl Edition {
    /// An edition of which nothing is rendered yet.
    #[must_use]
    pub fn new(version: u64, renderer: Option<Arc<Renderer>>, report: Report) -> Self {
        Self { version, renderer, report, building: false, outdated: Vec::new(), rendered: Mutex::default() }
    }

    /// Keeps what pages of the edition before may be about to ask for: its style sheets and scripts.
    #[must_use]
    pub fn after(mut self, before: &Self) -> Self {
        if let (Some(old), Some(new)) = (&before.renderer, &self.renderer) {
            self.outdated = old.outdated_assets(new);
        }
        self.outdated.extend(before.outdated.iter().cloned());
        self.outdated.truncate(MOST_OUTDATED);
        self
    }

    /// The edition before the first.
    #[must_use]
    pub fn building() -> Self {
        Self { building: true, ..Self::new(0, None, Report::default()) }
    }

    /// The path below which the site is published, with a slash at both ends.
    #[must_use]
    pub fn base(&self) -> &str {
        self.renderer.as_ref().map_or("/", |renderer| &renderer.kb().config.site_url.base)
    }

    /// A file of the site, the same bytes as `build` writes. `None` if there is none.
    ///
    /// # Errors
    /// If its template is broken.
    pub fn file(&self, path: &str) -> Option<Result<Arc<[u8]>, Box<Diagnostic>>> {
        if let Some(bytes) = self.rendered.lock().unwrap_or_else(PoisonError::into_inner).files.get(path) {
            return Some(Ok(bytes.clone()));
        }
        let bytes = match self.renderer.as_ref()?.file(path) {
            Some(Ok(bytes)) => bytes,
            Some(Err(found)) => return Some(Err(found)),
            None => return self.outdated.iter().find(|(name, _)| name == path).map(|(_, bytes)| Ok(bytes.clone())),
        };
        let mut rendered = self.rendered.lock().unwrap_or_else(PoisonError::into_inner);
        if rendered.bytes + bytes.len() > MOST_KEPT {
            *rendered = Rendered::default();
        }
        rendered.bytes += bytes.len();
        rendered.files.insert(path.to_owned(), bytes.clone());
        Some(Ok(bytes))
    }
}
