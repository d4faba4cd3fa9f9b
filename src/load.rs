//! Each file to what it says, alone and in parallel. Loading never fails: it returns what it could read and reports the rest.

mod facts;
mod memory;
mod page;
mod sketch;
mod unfinished;
mod words;

use std::{collections::BTreeMap, sync::Arc};

pub use facts::{FactsDraft, Outline, Packed, RowFacts, facts_only, packed_facts, packed_summary, summary};
pub use memory::{Memory, Reloaded, Was};
pub use sketch::{Sketch, Sketches};
pub use words::Words;

use memory::{Environment, Remembered, remembered};
use page::page;
use rayon::prelude::*;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    config::{self, Config},
    decode::decode,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, Scope},
    facts::{ComponentFacts, ConceptFacts, DiagramsFacts, FrontMatter, ProviderFacts, VocabularyFacts},
    id::{Id, Lang},
    layout::{self, EntityKind, FactSection, FileRole},
    markdown::{self, Options, Prose},
    read::{Content, Sources},
    text::{Span, did_you_mean},
    theme::{self, Theme},
    timings::Timings,
    yaml,
};

/// Everything that was written, file by file. Nothing in it is known to fit together yet. A copy shares everything with the original.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The configuration.
    pub config: Arc<Config>,
    /// Templates, assets, words.
    pub theme: Arc<Theme>,
    /// Whether every language is known: nothing of `book.toml` was left out because of a mistake.
    pub languages_known: bool,
    /// The vocabulary and its file; without a file, an empty one.
    pub vocabulary: Arc<VocabularyFacts>,
    /// Whether nothing of it was left out because of a mistake.
    pub vocabulary_whole: bool,
    /// The file of the vocabulary, even if there is none.
    pub vocabulary_file: Arc<str>,
    /// What is drawn; without a file, nothing.
    pub diagrams: Arc<DiagramsFacts>,
    /// Its file, even if there is none.
    pub diagrams_file: Arc<str>,
    /// Facts of components.
    pub components: Vec<Arc<Loaded<ComponentFacts>>>,
    /// Facts of providers.
    pub providers: Vec<Arc<Loaded<ProviderFacts>>>,
    /// Facts of concepts.
    pub concepts: Vec<Arc<Loaded<ConceptFacts>>>,
    /// Pages, one for each language.
    pub pages: Vec<Arc<PageDraft>>,
    /// Pictures and downloads.
    pub assets: Vec<Asset>,
    /// Style sheets and scripts of the site, in the order of its configuration.
    pub additional_assets: Arc<Vec<(String, Content)>>,
}

/// The facts of one thing.
#[derive(Debug)]
pub struct Loaded<T> {
    /// Its id.
    pub id: Id,
    /// The file.
    pub file: Arc<str>,
    /// What it says; `None` if it cannot be used, which is already reported.
    pub facts: Option<T>,
    /// Whether nothing was left out because of a mistake.
    pub whole: bool,
}

/// How much of a page could be read. What is missing is already reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Nothing but the name of the file.
    Nothing,
    /// The text, and not all of the front matter.
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
    /// What stands between the `---` lines.
    pub front: FrontMatter,
    /// All that the file says, shared with the snapshot that it was read from.
    pub source: Arc<str>,
    /// Where the text begins in the file.
    pub body_at: usize,
    /// The text, without its words: HTML and plain text are empty.
    pub prose: Prose,
    /// Its words; `None` if it did not change since the last build, and is not to be shown.
    pub words: Option<Words>,
    /// The hash of each section's source, by the anchor of its heading; [`TOP`] is what comes before the first.
    pub hashes: Vec<SectionHash>,
    /// Whether something was found in this file alone.
    pub has_findings: bool,
}

/// What stands for the part before the first heading where sections are named.
pub const TOP: &str = "(top)";

/// The source of one section, in short.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct SectionHash {
    /// The anchor of its heading, or [`TOP`].
    pub anchor: String,
    /// Ten hexadecimal digits of BLAKE3 over the text with white space folded.
    pub hash: String,
}

/// A picture or a download beside the pages.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Its address: the path below the content folder.
    pub path: String,
    /// The bytes.
    pub bytes: Arc<[u8]>,
}

impl PageDraft {
    /// A page of which nothing could be read. It counts as there, or every link to it would be a second finding.
    fn unreadable(path: Arc<str>, lang: Lang, file: &Arc<str>) -> Self {
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
            words: None,
            hashes: Vec::new(),
            has_findings: true,
        }
    }

    /// The text as its author wrote it, without the front matter.
    #[must_use]
    pub fn body(&self) -> &str {
        self.source.get(self.body_at..).unwrap_or_default()
    }

    /// A span of the text as a place in the file.
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        Place::new(self.file.clone(), span.shifted(self.body_at))
    }
}

/// Loads every file of a snapshot.
#[must_use]
pub fn load(sources: &Sources, diagnostics: &mut Diagnostics) -> Draft {
    load_again(sources, &mut Memory::default(), diagnostics, &Timings::off())
}

/// Loads every file of a snapshot that is not the same as in the memory.
#[must_use]
pub fn load_again(sources: &Sources, memory: &mut Memory, diagnostics: &mut Diagnostics, timings: &Timings) -> Draft {
    let book: Arc<str> = config::FILE.into();
    let mut found = Diagnostics::new();
    let (mut config, unusable) = match sources.files.get(&book) {
        Some(Content::Text(text)) => (config::parse(&book, text, &mut found), false),
        content => (config::parse(&book, "", &mut found), content.is_some()),
    };
    config.site_url = sources.site_url.clone().unwrap_or(config.site_url);
    config.today = sources.today;
    let found = found.sorted();
    let languages_known = !unusable && found.iter().all(|found| found.rule == Rule::BadConfig);
    diagnostics.extend(found);
    if memory.environment.as_ref().is_some_and(|known| known.config.src != config.src) {
        // The same files have other names now, and findings name them.
        *memory = Memory::default();
    }
    let theme = memory.theme(sources, &config.languages, diagnostics);
    let vocabulary_file: Arc<str> = format!("{}/{}", config.src, layout::VOCABULARY).into();
    let (vocabulary, vocabulary_whole) = match sources.files.get(&vocabulary_file) {
        Some(content @ Content::Text(text)) => remembered(&mut memory.vocabulary, content, diagnostics, |found| {
            let (facts, whole) = facts(&vocabulary_file, text, found);
            (Arc::new(facts.unwrap_or_default()), whole)
        }),
        content => (Arc::default(), content.is_none()),
    };
    let diagrams_file: Arc<str> = format!("{}/{}", config.src, layout::DIAGRAMS).into();
    let diagrams = match sources.files.get(&diagrams_file) {
        Some(content @ Content::Text(text)) => remembered(&mut memory.diagrams, content, diagnostics, |found| {
            Arc::new(facts(&diagrams_file, text, found).0.unwrap_or_default())
        }),
        _ => Arc::default(),
    };
    let languages = config.languages.iter().map(|language| &language.lang);
    let renderers = languages.map(|lang| (lang.clone(), Renderer::new(lang, &vocabulary, &theme))).collect();
    let config = Arc::new(config);
    let environment = Environment { config: config.clone(), languages_known, renderers };
    if memory.environment.as_ref() != Some(&environment) {
        memory.files.clear();
    }

    let additional_assets = additional_assets(sources, &config, diagnostics);
    let loader = Loader { sources, environment: &environment, sketches: &memory.sketches };
    let is_known = |file: &str, content: &Content| memory.files.get(file).is_some_and(|known| known.content == *content);
    let new: Vec<_> = sources.below(&config.src).filter(|(_, file, content)| !is_known(file, content)).collect();
    let said: Vec<(&Arc<str>, Remembered<FileDraft>)> = new
        .par_iter()
        .map(|(inner, file, content)| {
            let mut found = Diagnostics::new();
            let said = timings.page(|| (*file).to_string(), || loader.load(inner, file, content, &mut found));
            (*file, Remembered { content: (*content).clone(), said, found: found.sorted() })
        })
        .collect();
    memory.environment = Some(environment);
    memory.files.extend(said.into_iter().map(|(file, said)| (file.clone(), said)));
    if memory.files.len() > sources.below(&config.src).count() {
        let folder = format!("{}/", config.src);
        memory.files.retain(|file, _| sources.files.contains_key(file) && file.starts_with(&folder));
    }

    let mut draft = Draft {
        config,
        theme,
        languages_known,
        vocabulary,
        vocabulary_whole,
        vocabulary_file,
        diagrams,
        diagrams_file,
        components: Vec::new(),
        providers: Vec::new(),
        concepts: Vec::new(),
        pages: Vec::new(),
        assets: Vec::new(),
        additional_assets: Arc::new(additional_assets),
    };
    for (file, Remembered { said, found, .. }) in &memory.files {
        if !found.is_empty() {
            diagnostics.within(Scope::File(file.clone()), |diagnostics| diagnostics.extend(found.iter().cloned()));
        }
        match said {
            FileDraft::Component(facts) => draft.components.push(facts.clone()),
            FileDraft::Provider(facts) => draft.providers.push(facts.clone()),
            FileDraft::Concept(facts) => draft.concepts.push(facts.clone()),
            FileDraft::Page(page) => draft.pages.push(page.clone()),
            FileDraft::Asset(asset) => draft.assets.push(asset.clone()),
            FileDraft::Misplaced | FileDraft::Nothing => {}
        }
    }
    // What is wrong with a folder is said once, and where depends on which of its files exist.
    memory.files.retain(|_, loaded| !matches!(loaded.said, FileDraft::Misplaced));
    draft
}

/// The files that book.toml adds to every page.
fn additional_assets(sources: &Sources, config: &Config, diagnostics: &mut Diagnostics) -> Vec<(String, Content)> {
    let mut found = Vec::new();
    for name in config.additional_css.iter().chain(&config.additional_js) {
        if let Some(content) = sources.files.get(name.as_str()) {
            found.push((name.clone(), content.clone()));
        } else {
            let place = Place::new(config::FILE, Span::at(0));
            let finding = Diagnostic::new(Rule::BadConfig, place, format!("there is no file `{name}`"));
            diagnostics.push(finding.help("paths in `additional-css` and `additional-js` are relative to book.toml"));
        }
    }
    found
}

#[derive(Clone, Debug)]
enum FileDraft {
    Component(Arc<Loaded<ComponentFacts>>),
    Provider(Arc<Loaded<ProviderFacts>>),
    Concept(Arc<Loaded<ConceptFacts>>),
    Page(Arc<PageDraft>),
    Asset(Asset),
    /// A page in a folder whose name cannot be an id.
    Misplaced,
    Nothing,
}

/// What pages of one language are rendered with.
#[derive(Debug, PartialEq)]
struct Renderer {
    glossary: BTreeMap<String, String>,
    labels: markdown::Labels,
}

impl Renderer {
    fn new(lang: &Lang, vocabulary: &VocabularyFacts, theme: &Theme) -> Self {
        let glossary = vocabulary.glossary.iter().filter_map(|(term, texts)| Some((term.clone(), texts.get(lang)?.clone()))).collect();
        Self { glossary, labels: theme.strings.get(lang).map(theme::Strings::labels).unwrap_or_default() }
    }
}

/// What files are loaded with.
struct Loader<'a> {
    sources: &'a Sources,
    environment: &'a Environment,
    sketches: &'a Sketches,
}

impl Loader<'_> {
    fn load(&self, inner: &str, file: &Arc<str>, content: &Content, diagnostics: &mut Diagnostics) -> FileDraft {
        let whole = || Place::new(file.clone(), Span::at(0));
        let text = match content {
            Content::Text(text) => Some(text),
            Content::Bytes(_) | Content::Unusable => None,
        };
        match (layout::role(inner, &self.environment.config.languages), content) {
            (FileRole::Facts { kind, folder }, _) => entity(kind, &folder, file, text.map(|text| &**text), diagnostics),
            (FileRole::Page { path, lang }, _) => self.load_page(path, lang, file, text, diagnostics),
            (FileRole::Asset, Content::Bytes(bytes)) => FileDraft::Asset(Asset { path: inner.to_owned(), bytes: bytes.clone() }),
            (FileRole::Asset, Content::Text(text)) => FileDraft::Asset(Asset { path: inner.to_owned(), bytes: text.as_bytes().into() }),
            (FileRole::Asset, Content::Unusable) => FileDraft::Asset(Asset { path: inner.to_owned(), bytes: Arc::new([]) }),
            (FileRole::Stray(help), Content::Text(_) | Content::Bytes(_)) => {
                diagnostics.push(Diagnostic::new(Rule::StrayFile, whole(), "this file has no meaning here").help(help));
                FileDraft::Nothing
            }
            (FileRole::Vocabulary | FileRole::Diagrams, _) | (FileRole::Stray(_), Content::Unusable) => FileDraft::Nothing,
        }
    }

    fn load_page(
        &self,
        path: String,
        lang: Option<Lang>,
        file: &Arc<str>,
        text: Option<&Arc<str>>,
        diagnostics: &mut Diagnostics,
    ) -> FileDraft {
        let whole = || Place::new(file.clone(), Span::at(0));
        if let Some(bad) = entity_folder_problem(&path) {
            // Once for the folder: at its facts, or at its pages if it has none.
            let facts = format!("{}/{path}/{}", self.environment.config.src, layout::FACTS);
            if !self.sources.files.contains_key(facts.as_str()) {
                diagnostics.push(Diagnostic::new(Rule::BadName, whole(), bad.0).help(bad.1));
            }
            return FileDraft::Misplaced;
        }
        let lang = lang.unwrap_or_else(|| self.environment.config.default_language().clone());
        let Some(renderer) = self.environment.renderers.get(&lang) else {
            if self.environment.languages_known {
                let known: Vec<&str> = self.environment.config.languages.iter().map(|language| language.lang.as_str()).collect();
                let message = format!("`{lang}` is no language of this site");
                let help = format!("its languages are `{}`; add a table `[languages.{lang}]` to book.toml", known.join("`, `"));
                diagnostics.push(Diagnostic::new(Rule::StrayFile, whole(), message).suggest(did_you_mean(lang.as_str(), known), help));
            }
            return FileDraft::Nothing;
        };
        let Some(text) = text else { return FileDraft::Page(Arc::new(PageDraft::unreadable(path.into(), lang, file))) };
        let options = Options {
            glossary: &renderer.glossary,
            labels: &renderer.labels,
            allow_html: self.environment.config.allow_html,
            reserved: if layout::entity_of(&path).is_some() { FactSection::ANCHORS } else { &[] },
        };
        let sketch = self.sketches.get(file).and_then(|sketch| serde_json::from_str(sketch).ok());
        FileDraft::Page(Arc::new(page(path.into(), lang, file, (text, sketch), &options, diagnostics)))
    }
}

/// Says what is wrong with the folder of a component, provider or concept, if its page's path is inside one.
fn entity_folder_problem(path: &str) -> Option<(String, String)> {
    let (_, folder) = layout::entity_of(path)?;
    let why = Id::new(folder).err()?;
    Some((format!("the folder `{folder}` cannot be an id: {why}"), rename_help(folder)))
}

fn rename_help(folder: &str) -> String {
    match Id::nearest(folder) {
        nearest if nearest.is_empty() => "rename the folder".to_owned(),
        nearest => format!("rename the folder to `{nearest}`"),
    }
}

fn entity(kind: EntityKind, folder: &str, file: &Arc<str>, text: Option<&str>, diagnostics: &mut Diagnostics) -> FileDraft {
    let id = match Id::new(folder) {
        Ok(id) => id,
        Err(why) => {
            let message = format!("the folder `{folder}` cannot be an id: {why}");
            diagnostics.push(Diagnostic::new(Rule::BadName, Place::new(file.clone(), Span::at(0)), message).help(rename_help(folder)));
            return FileDraft::Nothing;
        }
    };
    match kind {
        EntityKind::Component => FileDraft::Component(Arc::new(loaded(id, file, text, diagnostics))),
        EntityKind::Provider => FileDraft::Provider(Arc::new(loaded(id, file, text, diagnostics))),
        EntityKind::Concept => FileDraft::Concept(Arc::new(loaded(id, file, text, diagnostics))),
    }
}

fn loaded<T: DeserializeOwned>(id: Id, file: &Arc<str>, text: Option<&str>, diagnostics: &mut Diagnostics) -> Loaded<T> {
    let (facts, whole) = text.map_or((None, false), |text| facts(file, text, diagnostics));
    Loaded { id, file: file.clone(), facts, whole }
}

/// Reads a data file, and says whether nothing was left out because of a mistake.
fn facts<T: DeserializeOwned>(file: &Arc<str>, text: &str, diagnostics: &mut Diagnostics) -> (Option<T>, bool) {
    let mut found = Diagnostics::new();
    let node = yaml::parse(file, text, 0, &mut found);
    let facts = node.as_ref().and_then(|node| decode(file, node, &mut found));
    if node.is_none() && !found.has_errors() {
        let place = Place::new(file.clone(), Span::at(0));
        found.push(
            Diagnostic::new(Rule::EmptyFile, place, "this file says nothing")
                .help("write the facts, or remove the file; `ksys-docs schema` prints the format"),
        );
    }
    let whole = !found.has_errors();
    unfinished::report(file, text, false, &mut found);
    diagnostics.extend(found.sorted());
    (facts, whole)
}
