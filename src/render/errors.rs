//! The errors that pages show if a site is built in spite of them.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;

use crate::{
    diagnostic::{Diagnostic, Severity, SourceText},
    kb::{Kb, Page, PageKind},
    layout::FACTS,
    load::PageDraft,
    text::line_column,
};

/// Errors by file.
#[derive(Debug, Default)]
pub(super) struct FileErrors(BTreeMap<Arc<str>, Vec<ErrorView>>);

/// An error as shown in a page.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ErrorView {
    /// The file and the line, such as `content/en.md:3`.
    at: String,
    message: String,
    help: Option<String>,
    rule: &'static str,
}

impl FileErrors {
    /// The errors among findings.
    pub(super) fn new(found: &[Diagnostic], texts: &impl SourceText) -> Self {
        let mut errors: BTreeMap<Arc<str>, Vec<ErrorView>> = BTreeMap::new();
        for error in found.iter().filter(|found| found.severity == Severity::Error) {
            let Some(place) = &error.place else { continue };
            let line = texts.text(&place.file).map_or(1, |text| line_column(text, place.span.start).line);
            let view = ErrorView {
                at: format!("{}:{line}", place.file),
                message: error.message.clone(),
                help: error.help.clone(),
                rule: error.rule.name(),
            };
            errors.entry(place.file.clone()).or_default().push(view);
        }
        Self(errors)
    }

    /// The errors in the files of a page: its text, and its facts.
    pub(super) fn of(&self, kb: &Kb, page: &Page, text: &PageDraft) -> Vec<ErrorView> {
        let facts = matches!(page.kind, PageKind::Entity(..)).then(|| format!("{}/{}/{FACTS}", kb.config.src, page.path));
        [Some(&*text.file), facts.as_deref()].into_iter().flatten().filter_map(|file| self.0.get(file)).flatten().cloned().collect()
    }
}
