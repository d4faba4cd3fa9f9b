//! Queries of other parts of the program, in addition to the whole site.

use std::{collections::BTreeMap, sync::Arc};

use rayon::prelude::*;

use super::{
    Renderer, one_per_place,
    routes::{PageRoute, Route},
};
use crate::diagnostic::Diagnostic;

/// The maximum number of pages that are rendered to check templates: of pages with an author's text, and of other pages.
const MAX_CHECKED: usize = 300;

impl Renderer {
    /// The element `main` of every page except redirects, by path: the page without its frame.
    #[must_use]
    pub fn mains(&self) -> BTreeMap<String, String> {
        let main = |(path, route): (&str, &Route)| {
            let html = self.html(path, route).ok()?;
            let (from, to) = (html.find("<main")?, html.rfind("</main>")?);
            Some((path.to_owned(), html.get(from..to)?.to_owned()))
        };
        let has_content = |(_, route): &(&str, &Route)| match route {
            Route::Page { page, .. } => !page.is_redirect(),
            route => matches!(route, Route::NotFound),
        };
        let pages: Vec<_> = self.routes().iter().filter(has_content).collect();
        pages.into_par_iter().filter_map(main).collect()
    }

    /// The files of the theme that have another name in a newer site. Pages that were opened before still request them.
    #[must_use]
    pub fn outdated_assets(&self, newer: &Self) -> Vec<(String, Arc<[u8]>)> {
        if Arc::ptr_eq(&self.assets, &newer.assets) {
            return Vec::new();
        }
        let named_by_content = self.assets.files.files().filter(|(path, _)| path.starts_with("_assets/"));
        let gone = named_by_content.filter(|(path, _)| newer.assets.files.get(path).is_none());
        gone.map(|(path, bytes)| (path.to_owned(), bytes.clone())).collect()
    }

    /// Whether templates and interface strings are those of another renderer.
    #[must_use]
    pub fn has_same_templates(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.templates, &other.templates)
    }

    /// Renders a sample of pages of every kind and returns the errors in templates.
    #[must_use]
    pub fn check_sample(&self) -> Vec<Diagnostic> {
        let is_written = |(_, route): &(&str, &Route)| {
            matches!(route, Route::Moved { .. } | Route::Page { page: PageRoute::Written(_) | PageRoute::SectionRedirect(_), .. })
        };
        let (written, generated): (Vec<_>, Vec<_>) = self.pages().partition(is_written);
        let step = (written.len() / MAX_CHECKED).max(1);
        self.check(written.into_iter().step_by(step).chain(generated.into_iter().take(MAX_CHECKED)).collect())
    }

    /// Renders every page and returns the errors in templates.
    #[must_use]
    pub fn check_all(&self) -> Vec<Diagnostic> {
        self.check(self.pages().collect())
    }

    fn pages(&self) -> impl Iterator<Item = (&str, &Route)> {
        self.routes()
            .iter()
            .filter(|(_, route)| matches!(route, Route::Page { .. } | Route::Moved { .. } | Route::Redirect { .. } | Route::NotFound))
    }

    fn check(&self, pages: Vec<(&str, &Route)>) -> Vec<Diagnostic> {
        one_per_place(pages.into_par_iter().filter_map(|(path, route)| self.html(path, route).err()).collect::<Vec<_>>())
    }

    /// The file at a path of the site, such as `components/etcd/index.html`; the same bytes as in [`Self::site`]. `None` if there is none.
    ///
    /// # Errors
    /// If its template is broken.
    pub fn file(&self, path: &str) -> Option<Result<Arc<[u8]>, Box<Diagnostic>>> {
        match self.routes().find(path)? {
            Route::SearchIndex(_) => self.search_index().shared(path).cloned().map(Ok),
            route => Some(self.produce(path, route)),
        }
    }
}
