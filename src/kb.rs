//! The checked knowledge base. Only [`crate::validate`] constructs a [`Kb`], so every [`Kb`] has valid ids and relations that agree in both directions. Without
//! errors, it is complete: lifecycles are ordered, and rows match one component.

mod component_answers;
mod deletion;
mod entity;
mod field;
mod page;
mod tag;
mod versions;
mod vocabulary;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

pub use deletion::{Answer, Deletion, Removal, RemovalCase, Restart, restart_verdict};
pub use entity::{
    Claim, Component, Concept, Evidence, Flag, KnownNames, Lifecycle, Listing, NodeName, OldestSupported, Port, Provider, Relation,
    Section, Since, Support, is_prefix,
};
pub use field::{Field, FieldEntry, FieldKind, FieldTerm, FieldValue};
pub use page::{Page, PageKind, StaleSection, Staleness, stale_sections};
pub use tag::{Tag, Tags, glossary_anchor, tag_name, tags_of};
pub use versions::{ComponentVersion, ProviderVersions, ReleaseLine, VersionSource, release_line};
pub use vocabulary::{Area, Diagram, Diagrams, Release, ReleaseIndex, Verb, Vocabulary, VocabularyTerm};

use crate::{
    config::Config,
    id::{Id, Lang},
    layout::{EntityKind, FactSection, GeneratedPage},
    listing::Recogniser,
    read::Content,
    theme::Theme,
};

/// Entities by id, shared between successive knowledge bases.
pub type EntityMap<T> = BTreeMap<Id, Arc<T>>;

/// A whole knowledge base. A copy shares everything with the original.
#[derive(Clone, Debug)]
pub struct Kb {
    /// The configuration.
    pub config: Arc<Config>,
    /// Templates, assets and strings of the user interface.
    pub theme: Arc<Theme>,
    /// Areas, roles, verbs, releases and other terms.
    pub vocabulary: Arc<Vocabulary>,
    /// The diagrams of the architecture pages.
    pub diagrams: Arc<Diagrams>,
    /// Components by id.
    pub components: Arc<EntityMap<Component>>,
    /// Providers by id.
    pub providers: Arc<EntityMap<Provider>>,
    /// Concepts by id, with empty facts where they have none.
    pub concepts: Arc<EntityMap<Concept>>,
    /// The versions of components in the releases of providers, by provider.
    pub versions: Arc<BTreeMap<Id, ProviderVersions>>,
    /// Sections by id.
    pub sections: Arc<BTreeMap<Id, Section>>,
    /// Entities whose facts are unusable or incomplete, which is already reported. References to them are valid. Empty in a knowledge base without errors.
    pub broken: Arc<BTreeMap<Id, EntityKind>>,
    /// The generated pages that have content.
    pub generated: Arc<[GeneratedPage]>,
    /// The addresses of folders that contain pages and have none of their own.
    pub folders: Arc<BTreeSet<Arc<str>>>,
    /// Pages by address without the language. A generated page is included only if it has an author's text.
    pub pages: BTreeMap<Arc<str>, Arc<Page>>,
    /// The tags of pages.
    pub tags: Arc<Tags>,
    /// Images and downloads by address.
    pub assets: Arc<BTreeMap<String, Arc<[u8]>>>,
    /// The site's style sheets and scripts by path, in the order of its configuration.
    pub additional_assets: Arc<Vec<(String, Content)>>,
    /// Matches rows of `kubectl` output to components.
    pub recogniser: Arc<Recogniser>,
}

/// The title of a page or folder without one: the last part of its address with spaces, and with a capital letter.
fn title_of_name(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path).replace(['-', '_'], " ");
    crate::text::capitalized(name.trim())
}

/// A text by language. A language can be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(BTreeMap<Lang, String>);

impl Text {
    /// A text from its translations.
    #[must_use]
    pub const fn new(texts: BTreeMap<Lang, String>) -> Self {
        Self(texts)
    }

    /// The translations, sorted by language.
    pub fn iter(&self) -> impl Iterator<Item = (&Lang, &str)> {
        self.0.iter().map(|(lang, text)| (lang, text.as_str()))
    }

    /// The text in a language; `None` if it is missing.
    #[must_use]
    pub fn in_language(&self, lang: &Lang) -> Option<&str> {
        self.0.get(lang).map(String::as_str)
    }

    /// The text in a language, else in any other; empty if there is none.
    #[must_use]
    pub fn get(&self, lang: &Lang) -> &str {
        self.0.get(lang).or_else(|| self.0.values().next()).map_or("", String::as_str)
    }
}

impl Kb {
    /// The kind of the entity of that id.
    #[must_use]
    pub fn kind_of(&self, id: &str) -> Option<EntityKind> {
        if self.components.contains_key(id) {
            Some(EntityKind::Component)
        } else if self.concepts.contains_key(id) {
            Some(EntityKind::Concept)
        } else if self.providers.contains_key(id) {
            Some(EntityKind::Provider)
        } else {
            self.broken.get(id).copied()
        }
    }

    /// The address of the page of an entity, without the language.
    #[must_use]
    pub fn path_of(&self, id: &str) -> Option<String> {
        Some(format!("{}/{id}", self.kind_of(id)?.folder()))
    }

    /// The name of an entity or section in a language: that of its facts, else the title of its page, else the id.
    #[must_use]
    pub fn name_of(&self, id: &str, lang: &Lang) -> String {
        if let Some(component) = self.components.get(id) {
            return component.name.clone();
        }
        if let Some(provider) = self.providers.get(id) {
            return provider.name.clone();
        }
        if let Some(section) = self.sections.get(id) {
            return self.name_of_section(section, lang);
        }
        let page = self.path_of(id).and_then(|path| self.pages.get(path.as_str()));
        page.and_then(|page| self.title_of(page, lang)).unwrap_or_else(|| id.to_owned())
    }

    /// The heading of a section in a language, else the name of its facts.
    fn name_of_section(&self, section: &Section, lang: &Lang) -> String {
        let page = self.pages.get(section.page().as_str());
        let heading = page.and_then(|page| page.text(lang, self.config.default_language())).and_then(|text| {
            let heading = text.prose.headings.iter().find(|heading| heading.id == section.id.as_str())?;
            Some(heading.text.clone())
        });
        heading.unwrap_or_else(|| section.name.clone())
    }

    /// The sections of an entity's page. Linear in the number of all sections.
    pub fn sections_of(&self, kind: EntityKind, owner: &Id) -> impl Iterator<Item = &Section> {
        self.sections.values().filter(move |section| section.kind == kind && section.owner == *owner)
    }

    /// The title of the page or folder at an address.
    #[must_use]
    pub fn title_at(&self, path: &str, lang: &Lang) -> Option<String> {
        match self.pages.get(path) {
            Some(page) => self.title_of(page, lang),
            None => self.folders.contains(path).then(|| title_of_name(path)),
        }
    }

    /// Whether the site has a generated page.
    #[must_use]
    pub fn has_generated(&self, page: GeneratedPage) -> bool {
        self.generated.contains(&page)
    }

    /// The components whose versions in the releases of a provider are known, sorted.
    #[must_use]
    pub fn components_with_versions(&self) -> BTreeSet<&Id> {
        let versions = self.versions.values().flat_map(|it| &it.sources).flat_map(|source| &source.versions);
        versions.filter_map(|version| version.component.as_ref()).collect()
    }

    /// Whether the versions of a component, or of the components of a provider, are known.
    #[must_use]
    pub fn has_versions(&self, id: &Id) -> bool {
        let mut sources = self.versions.values().flat_map(|it| &it.sources);
        self.versions.contains_key(id) || sources.any(|source| source.of(id).next().is_some())
    }

    /// The generated page at an address, if the site has it.
    #[must_use]
    pub fn generated_at(&self, path: &str) -> Option<GeneratedPage> {
        GeneratedPage::at(path).filter(|page| self.has_generated(*page))
    }

    /// The title of a page in a language: that of its front matter, else that in the summary of the book, else its first heading of the first level, else the name of its entity or site, else any
    /// first heading, else the last part of its address.
    #[must_use]
    pub fn title_of(&self, page: &Page, lang: &Lang) -> Option<String> {
        let text = page.text(lang, self.config.default_language())?;
        let named = || match &page.kind {
            PageKind::Entity(_, id) => self.entity_name(id),
            PageKind::Home => self.config.languages.iter().find(|language| language.lang == *lang).map(|language| language.title.clone()),
            _ => None,
        };
        let heading = || text.prose.title.as_ref().map(|heading| heading.text.clone());
        // Chapters of many books begin with a heading of the second level.
        let otherwise = || text.prose.first_heading().map_or_else(|| title_of_name(&page.path), |heading| heading.text.clone());
        let chapter = || self.config.chapter(&text.file).map(|(title, _)| title.to_owned());
        let title = text.front.title.clone().or_else(chapter).or_else(heading).or_else(named).filter(|title| !title.is_empty());
        title.or_else(|| Some(otherwise())).filter(|title| !title.is_empty())
    }

    /// The name in the facts of a component or provider; its id if its facts have errors. Concepts have no name.
    fn entity_name(&self, id: &Id) -> Option<String> {
        let name = self.components.get(id).map(|component| &component.name);
        let name = name.or_else(|| Some(&self.providers.get(id)?.name)).cloned();
        name.or_else(|| self.broken.contains_key(id).then(|| id.to_string()))
    }

    /// The evidence of a component, provider or concept.
    #[must_use]
    pub fn evidence_of(&self, kind: EntityKind, id: &Id) -> &[Evidence] {
        match kind {
            EntityKind::Component => self.components.get(id).map(|component| component.evidence.as_slice()),
            EntityKind::Provider => self.providers.get(id).map(|provider| provider.evidence.as_slice()),
            EntityKind::Concept => self.concepts.get(id).map(|concept| concept.evidence.as_slice()),
        }
        .unwrap_or_default()
    }

    /// The file with the facts of a component, provider or concept.
    #[must_use]
    pub fn file_of(&self, id: &Id) -> Option<&Arc<str>> {
        (self.components.get(id).map(|component| &component.file))
            .or_else(|| self.providers.get(id).map(|provider| &provider.file))
            .or_else(|| self.concepts.get(id).map(|concept| &concept.file))
    }

    /// The area of a component or a concept.
    #[must_use]
    pub fn area_of(&self, id: &Id) -> Option<&Area> {
        let area = self.components.get(id).map(|it| &it.area).or_else(|| self.concepts.get(id)?.area.as_ref())?;
        self.vocabulary.area(area)
    }

    /// The outgoing relations of a component or a concept, and the evidence of its file; empty for any other id.
    #[must_use]
    pub fn relations_of(&self, id: &Id) -> (&[Relation], &[Evidence]) {
        let component = self.components.get(id).map(|it| (it.relations.as_slice(), it.evidence.as_slice()));
        let concept = || self.concepts.get(id).map(|it| (it.relations.as_slice(), it.evidence.as_slice()));
        component.or_else(concept).unwrap_or_default()
    }

    /// Whether a provider has an architecture diagram: there are places, and it ships a component that still exists.
    #[must_use]
    pub fn has_architecture(&self, provider: &Provider) -> bool {
        let shipped = provider.claims.iter().filter(|claim| claim.presence.is_shipped());
        let mut components = shipped.filter_map(|claim| self.components.get(claim.component.as_ref()?));
        !self.vocabulary.places.is_empty() && components.any(|component| !component.is_gone())
    }

    /// The generated sections of an entity's page, in their order. Empty ones are left out.
    #[must_use]
    pub fn fact_sections(&self, kind: EntityKind, id: &Id) -> Vec<FactSection> {
        use FactSection::{Architecture, Claims, Flags, KnownNames, Lifecycle, Names, Ports, Providers, Relations, Removal, Sources};
        let mut sections = match kind {
            EntityKind::Component => self.components.get(id).map_or_else(Vec::new, |it| {
                vec![
                    (Names, !it.listing.is_empty()),
                    (Removal, it.has_answers()),
                    (Providers, !it.claims.is_empty()),
                    (Relations, !it.relations.is_empty() || !it.incoming.is_empty()),
                    (Lifecycle, it.lifecycle.as_ref().is_some_and(self::Lifecycle::has_history) || !it.replaces.is_empty()),
                    (Ports, !it.ports.is_empty()),
                    (Flags, !it.flags.is_empty()),
                    (KnownNames, !it.names.is_empty()),
                ]
            }),
            EntityKind::Provider => {
                self.providers.get(id).map_or_else(Vec::new, |it| vec![(Architecture, self.has_architecture(it)), (Claims, true)])
            }
            EntityKind::Concept => self.concepts.get(id).map_or_else(Vec::new, |it| {
                vec![
                    (Relations, !it.relations.is_empty() || !it.incoming.is_empty()),
                    (Lifecycle, it.lifecycle.as_ref().is_some_and(self::Lifecycle::has_history)),
                ]
            }),
        };
        sections.push((Sources, !self.evidence_of(kind, id).is_empty()));
        sections.into_iter().filter(|(_, has_content)| *has_content).map(|(section, _)| section).collect()
    }
}
