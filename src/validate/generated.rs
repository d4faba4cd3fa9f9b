//! The generated pages that a site has.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    facts::{KnownNameKind, Presence},
    id::Id,
    kb::{Component, Concept, Diagrams, EntityMap, Provider, ProviderVersions, Vocabulary},
    layout::GeneratedPage,
};

/// What generated pages are made of.
pub(super) struct GeneratedContent<'a> {
    pub(super) components: &'a EntityMap<Component>,
    pub(super) providers: &'a EntityMap<Provider>,
    pub(super) concepts: &'a EntityMap<Concept>,
    pub(super) versions: &'a BTreeMap<Id, ProviderVersions>,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) diagrams: &'a Diagrams,
    /// Whether pages have tags.
    pub(super) has_tags: bool,
}

impl GeneratedContent<'_> {
    /// The generated pages with content, in the order of [`GeneratedPage::ALL`].
    pub(super) fn pages(&self) -> Arc<[GeneratedPage]> {
        GeneratedPage::ALL.into_iter().filter(|page| self.exists(*page)).collect()
    }

    fn exists(&self, page: GeneratedPage) -> bool {
        match page {
            GeneratedPage::Components => !self.components.is_empty(),
            GeneratedPage::Concepts => !self.concepts.is_empty(),
            GeneratedPage::Providers | GeneratedPage::Compare => !self.providers.is_empty(),
            GeneratedPage::Architecture => !self.diagrams.all.is_empty(),
            GeneratedPage::Versions => {
                !self.vocabulary.releases.is_empty() && self.components.values().any(|component| component.lifecycle.is_some())
            }
            GeneratedPage::Coverage | GeneratedPage::Api => !(self.components.is_empty() && self.providers.is_empty()),
            GeneratedPage::Glossary => !self.vocabulary.glossary.is_empty(),
            GeneratedPage::ComponentVersions => self.versions.values().flat_map(|it| &it.sources).any(|source| !source.versions.is_empty()),
            GeneratedPage::Ports => self.components.values().any(|component| !component.ports.is_empty()),
            GeneratedPage::Exemptions => {
                let has_workload = |component: &Component| component.listing.iter().any(|listing| listing.pattern.makes_pods());
                let by_default = self.providers.values().flat_map(|it| &it.claims).filter(|claim| claim.presence == Presence::Default);
                let mut components = by_default.filter_map(|claim| self.components.get(claim.component.as_ref()?));
                components.any(|component| has_workload(component))
            }
            GeneratedPage::WellKnown => {
                let mut names = self.components.values().flat_map(|component| &component.names);
                names.any(|entry| KnownNameKind::OF_OBJECTS.contains(&entry.kind))
            }
            GeneratedPage::Tags => self.has_tags,
            GeneratedPage::Explain => self.components.values().any(|component| !component.listing.is_empty()),
            GeneratedPage::Search => true,
        }
    }
}
