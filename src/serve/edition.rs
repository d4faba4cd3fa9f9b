//! Editions: the last site without errors, and the findings about the current files.

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

/// A state of the site. Editions differ if the content that browsers show can differ.
#[derive(Debug)]
pub struct Edition {
    /// A number that is increased with each change of the site, but not by errors.
    pub version: u64,
    /// The last site without errors; `None` if there has been none since the start.
    pub renderer: Option<Arc<Renderer>>,
    /// The current findings.
    pub report: Report,
    /// Whether the first build is still running.
    pub building: bool,
    /// Files of previous editions whose names change with their content.
    outdated: Vec<(String, Arc<[u8]>)>,
    rendered: Mutex<Rendered>,
}

/// The maximum number of outdated files that are kept.
const MOST_OUTDATED: usize = 32;

/// The cache of rendered files.
#[derive(Debug, Default)]
struct Rendered {
    files: BTreeMap<String, Arc<[u8]>>,
    bytes: usize,
}

/// The maximum total size of the cached files in bytes. A page has about 30 KB, so this is enough for the pages that one user opens between two changes.
const MOST_KEPT: usize = 32 << 20;

/// The findings for a browser.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The first findings, errors before warnings.
    pub findings: Vec<Finding>,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of entries in `findings`.
    pub shown: usize,
}

/// A finding for a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The name of the rule.
    pub rule: &'static str,
    /// The message, in one line.
    pub message: String,
    /// The file, relative to the folder with book.toml.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    /// The complete finding with its excerpt, as in a terminal.
    pub text: String,
    /// How to fix it.
    pub help: Option<String>,
}

/// The maximum number of findings that are sent to a browser.
const MOST_SHOWN: usize = 50;

impl Report {
    /// Creates a report. `texts` provides the excerpts.
    pub fn new(diagnostics: &[Diagnostic], texts: &impl SourceText) -> Self {
        let (errors, warnings) = diagnostic::count(diagnostics);
        let of = |severity: Severity| diagnostics.iter().filter(move |found| found.severity == severity);
        let first = of(Severity::Error).chain(of(Severity::Warning)).take(MOST_SHOWN);
        let findings: Vec<Finding> = first.map(|found| finding(found, texts)).collect();
        Self { shown: findings.len(), findings, errors, warnings }
    }
}

fn finding(found: &Diagnostic, texts: &impl SourceText) -> Finding {
    let place = found.place.as_ref();
    let at = place.and_then(|place| Some(line_column(texts.text(&place.file)?, place.span.start)));
    Finding {
        severity: found.severity.name(),
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
    /// An edition without rendered files.
    #[must_use]
    pub fn new(version: u64, renderer: Option<Arc<Renderer>>, report: Report) -> Self {
        Self { version, renderer, report, building: false, outdated: Vec::new(), rendered: Mutex::default() }
    }

    /// Keeps the style sheets and scripts of the previous edition, which open pages may still request.
    #[must_use]
    pub fn after(mut self, before: &Self) -> Self {
        if let (Some(old), Some(new)) = (&before.renderer, &self.renderer) {
            self.outdated = old.outdated_assets(new);
        }
        self.outdated.extend(before.outdated.iter().cloned());
        self.outdated.truncate(MOST_OUTDATED);
        self
    }

    /// The initial edition, during the first build.
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
