//! Only the files that show the words of some pages.

use std::{collections::BTreeSet, sync::Arc};

use rayon::prelude::*;

use super::{Context, Renderer, llms, once_each, search, twin};
use crate::{
    diagnostic::Diagnostic,
    id::Lang,
    search::{Keep, is_of_index},
    site::Stream,
    timings::Timings,
};

/// Where files go that are made, and what is told of those that are not.
#[derive(Clone, Copy)]
pub struct Sink<'a> {
    /// Takes a file, from any thread.
    pub emit: &'a (dyn Fn(&str, &[u8]) + Sync),
    /// Takes a large file.
    pub stream: Stream<'a>,
    /// Takes the path of a file of the search index that is as it was.
    pub stays: &'a dyn Fn(&str),
}

impl Renderer {
    /// Hands over every file that shows the words of these pages. `kept` is what was remembered of the search index of each language when the site was last
    /// rendered. What is wrong with templates is returned; `None` if `kept` is of another site.
    #[must_use]
    pub fn again<'k>(
        &self,
        pages: &BTreeSet<Arc<str>>,
        timings: &Timings,
        kept: &dyn Fn(&Lang) -> Option<&'k str>,
        sink: Sink<'_>,
        keep: Keep<'_>,
    ) -> Option<Vec<Diagnostic>> {
        let context = timings.stage("navigation", || self.context());
        let files: Vec<String> = pages.iter().flat_map(|page| files_of(&context, page)).collect();
        let make = |path: &String| match timings.page(|| path.clone(), || self.file(path))? {
            Ok(bytes) => {
                (sink.emit)(path, &bytes);
                None
            }
            Err(broken) => Some(broken),
        };
        let broken: Vec<Box<Diagnostic>> = timings.stage("render pages", || files.par_iter().filter_map(make).collect());
        if !broken.is_empty() {
            return Some(once_each(broken));
        }
        timings.stage("texts in one", || llms::each_full(&context, sink.stream));
        timings.stage("search", || search::again(&context, kept, pages, sink, keep)).map(|()| Vec::new())
    }

    /// Whether a file belongs to the search index.
    #[must_use]
    pub fn is_of_search(&self, path: &str) -> bool {
        self.kb.config.languages.iter().any(|language| path.strip_prefix(&search::folder(&language.lang)).is_some_and(is_of_index))
    }
}

/// The files that show a page's words, but for those of all pages together.
fn files_of(context: &Context<'_>, page: &str) -> Vec<String> {
    let languages = context.kb.config.languages.iter();
    let urls = languages.map(|language| context.kb.config.page_url(page, &language.lang));
    urls.flat_map(|url| [url.output_path(), twin::url(&url).output_path()]).collect()
}
