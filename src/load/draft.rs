//! Drafts: the content of the files of a knowledge base, before any checks across files.

use std::sync::Arc;

use super::compressed_body::CompressedBody;
use crate::{
    config::Config,
    diagnostic::Place,
    facts::{ComponentFacts, ConceptFacts, DiagramsFacts, FrontMatter, ProviderFacts, VersionsFacts, VocabularyFacts},
    id::{Id, Lang},
    layout,
    markdown::Prose,
    origins::Origins,
    read::Content,
    text::Span,
    theme::Theme,
};

/// Everything that was read, file by file. References between files are not checked yet. Clones share everything.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The configuration.
    pub config: Arc<Config>,
    /// Templates, assets and interface strings.
    pub theme: Arc<Theme>,
    /// Whether the list of languages is complete: no part of `book.toml` was dropped because of an error.
    pub languages_known: bool,
    /// The vocabulary; empty if there is no file.
    pub vocabulary: Arc<VocabularyFacts>,
    /// Whether no part of it was dropped because of an error.
    pub vocabulary_whole: bool,
    /// The path of the vocabulary, whether or not it exists.
    pub vocabulary_file: Arc<str>,
    /// The diagrams; empty if there is no file.
    pub diagrams: Arc<DiagramsFacts>,
    /// The path of that file, whether or not it exists.
    pub diagrams_file: Arc<str>,
    /// Facts of components.
    pub components: Vec<Arc<Loaded<ComponentFacts>>>,
    /// Facts of providers.
    pub providers: Vec<Arc<Loaded<ProviderFacts>>>,
    /// Facts of concepts.
    pub concepts: Vec<Arc<Loaded<ConceptFacts>>>,
    /// The versions of components in the releases of providers.
    pub versions: Vec<Arc<Loaded<VersionsFacts>>>,
    /// Pages, one for each language.
    pub pages: Vec<Arc<PageDraft>>,
    /// Images and downloads.
    pub assets: Vec<Asset>,
    /// Style sheets and scripts that `book.toml` adds to every page, in its order.
    pub additional_assets: Arc<Vec<(String, Content)>>,
}

/// A facts file.
#[derive(Debug)]
pub struct Loaded<T> {
    /// The id: the name of its folder.
    pub id: Id,
    /// The file.
    pub file: Arc<str>,
    /// The facts; `None` if they can't be used, which is already reported.
    pub facts: Option<T>,
    /// Whether no part was dropped because of an error.
    pub whole: bool,
}

/// How much of a page could be read. Missing parts are already reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Only the name of the file.
    Nothing,
    /// The text, but only part of the front matter.
    Text,
    /// Everything.
    Whole,
}

/// One page in one language.
#[derive(Clone, Debug)]
pub struct PageDraft {
    /// The address without the language: `components/etcd`; empty for the home page.
    pub path: Arc<str>,
    /// The language.
    pub lang: Lang,
    /// The file.
    pub file: Arc<str>,
    /// How much of it could be read.
    pub extent: Extent,
    /// The front matter.
    pub front: FrontMatter,
    /// The whole file with the files that it includes. Without any, it is shared with the snapshot that it was read from.
    pub source: Arc<str>,
    /// The offset in bytes of the text after the front matter.
    pub body_at: usize,
    /// The text without its HTML and its plain text: these are in `body`.
    pub prose: Prose,
    /// The HTML and the plain text.
    pub body: CompressedBody,
    /// The hash of each section's source; [`TOP`] is the part before the first heading.
    pub hashes: Vec<SectionHash>,
    /// The files that `source` comes from, if it includes others.
    pub origins: Origins,
    /// The files that it includes, with their contents; `None` for a file that does not exist.
    pub included: Vec<(Arc<str>, Option<Content>)>,
    /// Whether `source` is the output of preprocessors.
    pub is_preprocessed: bool,
}

/// Names the part before the first heading in lists of sections.
pub const TOP: &str = "(top)";

/// A digest of the source of one section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionHash {
    /// The anchor of its heading, or [`TOP`].
    pub anchor: String,
    /// Ten hexadecimal digits of BLAKE3 over the text with white space folded.
    pub hash: String,
}

/// An image or a download.
#[derive(Clone, Debug)]
pub struct Asset {
    /// The path below the content folder, which is also its address.
    pub path: String,
    /// The bytes.
    pub bytes: Arc<[u8]>,
}

impl Draft {
    pub(super) fn empty(config: Arc<Config>) -> Self {
        Self {
            theme: Arc::default(),
            languages_known: true,
            vocabulary: Arc::default(),
            vocabulary_whole: true,
            vocabulary_file: format!("{}/{}", config.src, layout::VOCABULARY).into(),
            diagrams: Arc::default(),
            diagrams_file: format!("{}/{}", config.src, layout::DIAGRAMS).into(),
            components: Vec::new(),
            providers: Vec::new(),
            concepts: Vec::new(),
            versions: Vec::new(),
            pages: Vec::new(),
            assets: Vec::new(),
            additional_assets: Arc::default(),
            config,
        }
    }
}

impl PageDraft {
    /// A page that could not be read. It still exists, so that links to it are not reported as well.
    pub(super) fn unreadable(path: Arc<str>, lang: Lang, file: &Arc<str>) -> Self {
        let (front, prose) = (FrontMatter::default(), Prose::default());
        Self {
            path,
            lang,
            file: file.clone(),
            extent: Extent::Nothing,
            front,
            source: Arc::default(),
            body_at: 0,
            prose,
            body: CompressedBody::default(),
            hashes: Vec::new(),
            origins: Origins::default(),
            included: Vec::new(),
            is_preprocessed: false,
        }
    }

    /// The Markdown without the front matter.
    #[must_use]
    pub fn markdown(&self) -> &str {
        self.source.get(self.body_at..).unwrap_or_default()
    }

    /// The place in the file of a span of [`Self::markdown`].
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        self.origins.place(&self.file, span.shifted(self.body_at))
    }
}
