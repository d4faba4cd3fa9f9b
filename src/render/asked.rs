//! What is asked of a renderer besides the whole site: single files, what pages say, whether templates work.

use std::{collections::BTreeMap, sync::Arc};

use rayon::prelude::*;

use super::{Job, JobKind, Renderer, html, jobs, once_each};
use crate::diagnostic::Diagnostic;

/// How many pages are rendered to try templates, of those that somebody wrote and of the others.
const MOST_TRIED: usize = 300;

impl Renderer {
    /// What every page says, without what stands around it on all of them: the element `main`, by path. Pages that only lead on are left out.
    #[must_use]
    pub fn mains(&self) -> BTreeMap<String, String> {
        let context = self.context();
        let main = |job: &Job<'_>| {
            let html = html(&context, job, &self.templates).ok()?;
            let (from, to) = (html.find("<main")?, html.rfind("</main>")?);
            Some((job.url.output_path(), html.get(from..to)?.to_owned()))
        };
        let leads_on = |job: &&Job<'_>| matches!(job.kind, JobKind::Moved(_) | JobKind::Section(_) | JobKind::SameEra(_));
        jobs(&self.kb).par_iter().filter(|job| !leads_on(job)).filter_map(main).collect()
    }

    /// The files of the theme that a newer site has under other names: pages that were opened before still ask for them.
    #[must_use]
    pub fn outdated_assets(&self, newer: &Self) -> Vec<(String, Arc<[u8]>)> {
        if Arc::ptr_eq(&self.assets, &newer.assets) {
            return Vec::new();
        }
        let named_by_content = self.assets.files.files().filter(|(path, _)| path.starts_with("assets/"));
        let gone = named_by_content.filter(|(path, _)| newer.assets.files.get(path).is_none());
        gone.map(|(path, bytes)| (path.to_owned(), bytes.clone())).collect()
    }

    /// Whether templates and words are the same as in another renderer.
    #[must_use]
    pub fn has_same_templates(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.templates, &other.templates)
    }

    /// Renders pages of every kind, some hundred of them, and says what is wrong with their templates.
    #[must_use]
    pub fn try_templates(&self) -> Vec<Diagnostic> {
        let context = self.context();
        let jobs = jobs(&self.kb);
        let is_written = |job: &&Job<'_>| matches!(job.kind, JobKind::Page(_) | JobKind::Section(_) | JobKind::Moved(_));
        let (written, generated): (Vec<&Job<'_>>, Vec<&Job<'_>>) = jobs.iter().partition(is_written);
        let step = (written.len() / MOST_TRIED).max(1);
        let tried: Vec<&Job<'_>> = written.into_iter().step_by(step).chain(generated.into_iter().take(MOST_TRIED)).collect();
        once_each(tried.par_iter().filter_map(|job| html(&context, job, &self.templates).err()).collect::<Vec<_>>())
    }

    /// Renders every page in every language, and says what is wrong with their templates.
    #[must_use]
    pub fn try_all(&self) -> Vec<Diagnostic> {
        let context = self.context();
        once_each(jobs(&self.kb).par_iter().filter_map(|job| html(&context, job, &self.templates).err()).collect::<Vec<_>>())
    }

    /// Renders the file at a path of the site, such as `components/etcd/index.html`; the same bytes as in [`Self::site`]. `None` if there is none.
    ///
    /// # Errors
    /// If its template is broken.
    pub fn file(&self, path: &str) -> Option<Result<Arc<[u8]>, Box<Diagnostic>>> {
        if let Some(bytes) = self.assets.files.shared(path) {
            return Some(Ok(bytes.clone()));
        }
        if let Some(job) = self.job(path) {
            return Some(html(&self.context(), &job, &self.templates).map(|html| html.into_bytes().into()));
        }
        let data = || self.data(path).or_else(|| self.host_file(path)).map(Arc::from);
        let of_search = || path.strip_prefix(crate::layout::SEARCH).filter(|rest| rest.starts_with('/'));
        data().or_else(|| of_search().and_then(|_| self.search().get(path).cloned())).map(Ok)
    }

    /// The page at a path. Those that somebody wrote are most of them, and their paths say which they are.
    fn job(&self, path: &str) -> Option<Job<'_>> {
        if !path.ends_with(".html") {
            return None;
        }
        let address = path.strip_suffix("index.html").map(|address| address.trim_end_matches('/'));
        let written = address.and_then(|address| {
            let (lang, inner) = self.kb.config.language_of(address);
            let page = self.kb.pages.get(inner).filter(|page| page.kind != crate::kb::PageKind::Generated)?;
            let job = Job { url: self.kb.config.page_url(inner, lang), lang, kind: JobKind::Page(page) };
            (job.url.output_path() == path).then_some(job)
        });
        written.or_else(|| jobs(&self.kb).into_iter().find(|job| job.url.output_path() == path))
    }
}
