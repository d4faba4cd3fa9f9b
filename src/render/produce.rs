//! Produces the content of a route.

use std::sync::Arc;

use super::{
    Renderer, api, architecture, calendar, cards, compare, component_versions, coverage, exemptions, explain, feed, glossary, index, llms,
    markdown_export, page, ports,
    reader::Reader,
    redirects,
    routes::{PageRoute, Route},
    search, sitemap, tags,
    templates::RenderResult,
    timeline, versions, well_known,
};
use crate::{
    diagnostic::{Diagnostic, Rule},
    layout::GeneratedPage,
    url::Url,
};

/// The content of a file, or the error in a template.
pub(super) type Produced = Result<Arc<[u8]>, Box<Diagnostic>>;

/// An error of the program: a route that nothing produces. It fails the build, so that no empty file is written.
fn internal_error(path: &str) -> Diagnostic {
    let found = Diagnostic::nowhere(Rule::TemplateError, format!("internal error: nothing produces `{path}`"));
    found.help("this is a bug in ksys-docs; please report it")
}

impl Renderer {
    /// The content of the file at a path.
    pub(super) fn produce(&self, path: &str, route: &Route) -> Produced {
        let context = self.context();
        let kb = context.kb;
        let or_internal_error = |content: Option<Vec<u8>>| content.ok_or_else(|| Box::new(internal_error(path)));
        let bytes = match route {
            Route::Page { .. } | Route::Moved { .. } | Route::Redirect { .. } | Route::NotFound => {
                return self.html(path, route).map(|html| html.into_bytes().into());
            }
            Route::Asset => return self.assets.files.shared(path).cloned().ok_or_else(|| Box::new(internal_error(path))),
            Route::SearchIndex(_) => return self.search_index().shared(path).cloned().ok_or_else(|| Box::new(internal_error(path))),
            Route::MarkdownExport { page, lang } => markdown_export::export(&context, page, lang).into_bytes(),
            Route::Card(page) => or_internal_error(cards::card(kb, page).map(|card| self.painter().paint(&card)))?,
            Route::Api(file) => or_internal_error(file.content(kb))?,
            Route::ExplainData(lang) => explain::data(kb, lang),
            Route::Sitemap(pages) => sitemap::sitemap(&context, context.routes.pages.get(pages.clone()).unwrap_or_default()).into_bytes(),
            Route::SitemapIndex(parts) => sitemap::index(kb, *parts).into_bytes(),
            Route::Feed(lang) => feed::feed(&context, lang, &Url::file(path)).into_bytes(),
            Route::Calendar(lang) => calendar::calendar(&context, lang),
            Route::LlmsIndex(lang) => llms::index(kb, lang).into_bytes(),
            Route::LlmsFull(lang) => {
                let mut bytes = Vec::new();
                llms::full(&context, lang, &mut |chunk| bytes.extend_from_slice(chunk));
                bytes
            }
            Route::Redirects => redirects::redirects(&context).into_bytes(),
            Route::Fixed(text) => text.as_bytes().to_vec(),
        };
        Ok(bytes.into())
    }

    /// The HTML of a page.
    pub(super) fn html(&self, path: &str, route: &Route) -> RenderResult {
        let context = self.context();
        let kb = context.kb;
        match route {
            Route::Page { page, lang, url } => {
                let reader = Reader::new(&context, lang, url.clone());
                match page {
                    PageRoute::Written(page) => {
                        let page = kb.pages.get(page).ok_or_else(|| Box::new(internal_error(path)))?;
                        page::render(&reader, page).unwrap_or_else(|| Err(Box::new(internal_error(path))))
                    }
                    PageRoute::Folder(path) => page::folder(&reader, path),
                    PageRoute::DefaultHome => page::default_home(&reader),
                    PageRoute::Generated(page) => match page {
                        GeneratedPage::Components => index::components(&reader),
                        GeneratedPage::Providers => index::providers(&reader),
                        GeneratedPage::Concepts => index::concepts(&reader),
                        GeneratedPage::Architecture => architecture::all(&reader),
                        GeneratedPage::Compare => compare::all(&reader),
                        GeneratedPage::Versions => timeline::render(&reader),
                        GeneratedPage::ComponentVersions => component_versions::overview(&reader),
                        GeneratedPage::Coverage => coverage::render(&reader),
                        GeneratedPage::Glossary => glossary::render(&reader),
                        GeneratedPage::Ports => ports::all(&reader),
                        GeneratedPage::Exemptions => exemptions::render(&reader),
                        GeneratedPage::WellKnown => well_known::render(&reader),
                        GeneratedPage::Tags => tags::all(&reader),
                        GeneratedPage::Api => api::render(&reader),
                        GeneratedPage::Explain => explain::render(&reader),
                        GeneratedPage::Search => search::render(&reader),
                    },
                    PageRoute::ProviderPair(a, b) => {
                        let (a, b) = kb.providers.get(a).zip(kb.providers.get(b)).ok_or_else(|| Box::new(internal_error(path)))?;
                        compare::pair(&reader, a, b)
                    }
                    PageRoute::ProviderPorts(id) => {
                        let provider = kb.providers.get(id).ok_or_else(|| Box::new(internal_error(path)))?;
                        ports::of_provider(&reader, provider)
                    }
                    PageRoute::ComponentVersions(id) => component_versions::of(&reader, id),
                    PageRoute::Role(id) => {
                        let role = kb.vocabulary.role(id).ok_or_else(|| Box::new(internal_error(path)))?;
                        compare::role(&reader, role)
                    }
                    PageRoute::Tag(name) => tags::one(&reader, name),
                    PageRoute::Area(id) => index::area(&reader, id),
                    PageRoute::Release(release, range) => architecture::release(&reader, *release, *range),
                    PageRoute::ReleasePair(from, to) => versions::pair(&reader, *from, *to),
                    PageRoute::Timeline | PageRoute::SectionRedirect(_) => {
                        let target = page.redirect(kb).ok_or_else(|| Box::new(internal_error(path)))?;
                        page::redirect(&reader, &target)
                    }
                }
            }
            Route::Redirect { target, url } => {
                page::configured_redirect(&Reader::new(&context, kb.config.default_language(), url.clone()), target)
            }
            Route::Moved { page, lang, url } => {
                let page = kb.pages.get(page).ok_or_else(|| Box::new(internal_error(path)))?;
                page::moved(&Reader::new(&context, lang, url.clone()), page)
            }
            Route::NotFound => page::not_found(&Reader::anywhere(&context, kb.config.default_language(), Url::file(path))),
            _ => Err(Box::new(internal_error(path))),
        }
    }
}
