//! The parts of a knowledge base that are needed to explain listings.

use std::{collections::BTreeMap, sync::Arc};

use jiff::civil::Date;

use crate::{
    config::Config,
    facts::{KnownNameKind, Verdict},
    id::{Id, Lang},
    kb::{Answer, Kb, Listing, Provider, RemovalCase, Section, Text, Vocabulary},
    layout::COMPONENTS,
    listing::{OwnedPattern, Recogniser},
    load::FactsDraft,
    url::encode_fragment,
    validate::{ComponentStore, FactsOnlyKb, VersionStore, facts_only},
};

use super::{
    ExplainedRow, RowOwner, Symptom, Trouble,
    symptoms::{self, StatusSymptom},
};

/// Rows of at most this many providers are distinctive.
pub(super) const FEW: usize = 2;

/// The facts of a [`Kb`] without its pages, and a summary of each component.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// The configuration of the site, for addresses.
    pub config: Arc<Config>,
    /// The vocabulary.
    pub vocabulary: Arc<Vocabulary>,
    /// Components by id.
    pub components: ComponentStore,
    /// Providers by id.
    pub providers: Arc<BTreeMap<Id, Arc<Provider>>>,
    /// Sections of pages, by id.
    pub sections: Arc<BTreeMap<Id, Section>>,
    /// The patterns of all components.
    pub recogniser: Arc<Recogniser>,
    /// The versions of components in the releases of providers.
    pub versions: VersionStore,
    /// One sentence about each component.
    pub summaries: BTreeMap<Id, Text>,
    /// The symptoms of each component, by language.
    pub symptoms: BTreeMap<Id, BTreeMap<Lang, Vec<Symptom>>>,
    /// Today's date, which decides whether the support of a release has ended; `None` if it is not to be considered.
    pub today: Option<Date>,
}

impl From<&Kb> for Knowledge {
    fn from(kb: &Kb) -> Self {
        let summary = |id: &Id| {
            let page = kb.pages.get(format!("{COMPONENTS}/{id}").as_str())?;
            let texts = page.texts.iter().filter_map(|(lang, text)| Some((lang.clone(), text.front.summary.clone()?)));
            Some((id.clone(), Text::new(texts.collect())))
        };
        let symptoms = |id: &Id| {
            let page = kb.pages.get(format!("{COMPONENTS}/{id}").as_str())?;
            let tables = page.texts.iter().map(|(lang, text)| (lang.clone(), symptoms::symptoms(&text.source)));
            Some((id.clone(), tables.filter(|(_, table)| !table.is_empty()).collect()))
        };
        Self {
            config: kb.config.clone(),
            vocabulary: kb.vocabulary.clone(),
            components: kb.components.clone().into(),
            providers: kb.providers.clone(),
            sections: kb.sections.clone(),
            recogniser: kb.recogniser.clone(),
            versions: kb.versions.clone().into(),
            summaries: kb.components.keys().filter_map(summary).collect(),
            symptoms: kb.components.keys().filter_map(symptoms).collect(),
            today: None,
        }
    }
}

impl Knowledge {
    /// Only facts, without summaries.
    #[must_use]
    pub fn of_facts(draft: FactsDraft) -> Self {
        let config = draft.rest.config.clone();
        let FactsOnlyKb { components, providers, vocabulary, sections, recogniser, versions } = facts_only(draft);
        Self {
            config,
            vocabulary,
            components,
            providers,
            sections,
            recogniser,
            versions,
            summaries: BTreeMap::new(),
            symptoms: BTreeMap::new(),
            today: None,
        }
    }

    /// The effects of deleting the object of a row with this owner, at a provider. What only applies at other providers is left out.
    #[must_use]
    pub fn answer(&self, owner: &RowOwner, provider: Option<&Id>) -> Option<Answer<'_>> {
        if owner.entries.is_empty() {
            return None;
        }
        let answer = self.components.get(&owner.component)?.answer(&owner.entries, owner.controller, provider);
        // What recreates or protects an object depends on the provider; what breaks without it doesn't.
        let depends =
            |case: &&RemovalCase| matches!(case.verdict, Verdict::ComesBack | Verdict::Blocked) && self.is_elsewhere(owner, provider);
        Some(Answer { removal: answer.removal.filter(|case| !depends(case)), ..answer })
    }

    /// Whether the facts about a row are those of objects elsewhere: it is a copy in another namespace, or its entries are only for a few providers, and the cluster
    /// is not known to be of one of them.
    #[must_use]
    pub fn is_elsewhere(&self, owner: &RowOwner, provider: Option<&Id>) -> bool {
        let patterns = self.recogniser.of(&owner.component);
        let elsewhere = |owned: &OwnedPattern| {
            !owned.providers.is_empty() && owned.providers.len() <= FEW && !provider.is_some_and(|provider| owned.is_seen_at(provider))
        };
        owner.is_copy || (!owner.entries.is_empty() && owner.entries.iter().all(|entry| patterns.get(*entry).is_some_and(elsewhere)))
    }

    /// Whether the object of a row with this owner can be deleted; `None` without facts about it.
    #[must_use]
    pub fn verdict(&self, owner: &RowOwner, provider: Option<&Id>) -> Option<Verdict> {
        self.answer(owner, provider)?.verdict()
    }

    /// The address of the page, or of its section, that explains a row: absolute if the site's origin is known, else from the root of its host.
    #[must_use]
    pub fn url(&self, owner: &RowOwner, lang: &Lang) -> String {
        let page = self.page_url(&format!("{COMPONENTS}/{}", owner.component), lang);
        let section = self.components.get(&owner.component).and_then(|component| component.section_of_row(&owner.entries));
        section.map_or(page.clone(), |section| format!("{page}#{}", encode_fragment(section.as_str())))
    }

    /// The address of a page.
    #[must_use]
    pub fn page_url(&self, path: &str, lang: &Lang) -> String {
        let url = self.config.page_url(path, lang);
        self.config.site_url.absolute(&url).unwrap_or_else(|| self.config.site_url.rooted(&url))
    }

    /// The name of a component or a provider.
    #[must_use]
    pub fn name<'a>(&'a self, id: &'a Id) -> &'a str {
        let component = self.components.get(id).map(|it| it.name.as_str());
        component.or_else(|| self.providers.get(id).map(|it| it.name.as_str())).unwrap_or(id.as_str())
    }

    /// The symptom on the page of the component that fits an unhealthy object or a message; `None` if the page describes none.
    #[must_use]
    pub fn symptom(&self, row: &ExplainedRow, lang: &Lang) -> Option<&Symptom> {
        let component = &row.owner.as_ref()?.component;
        if row.row.kind.as_deref() == Some(KnownNameKind::Message.row_kind()) {
            let names = &self.components.get(component)?.names;
            let names = names.iter().find(|it| it.kind == KnownNameKind::Message && it.names.contains(&row.row.name))?;
            return self.symptom_of_messages(component, &names.names, lang);
        }
        symptoms::fitting(&self.status_symptoms(component, lang), Trouble::of(&row.row)?, &row.row)
    }

    /// The symptoms of a component that the status of one of its objects can show.
    pub(super) fn status_symptoms(&self, id: &Id, lang: &Lang) -> Vec<StatusSymptom<'_>> {
        let Some((original, shown)) = self.symptoms_in(id, lang) else { return Vec::new() };
        symptoms::of_status(original, shown)
    }

    /// The symptom of a component that quotes one of several messages with the same meaning.
    pub(super) fn symptom_of_messages(&self, id: &Id, messages: &[String], lang: &Lang) -> Option<&Symptom> {
        let (original, shown) = self.symptoms_in(id, lang)?;
        messages.iter().find_map(|message| symptoms::of_message(original, shown, message))
    }

    /// The symptoms of a component in the default language, whose words decide, and in the language of the reader, in the same order.
    fn symptoms_in(&self, id: &Id, lang: &Lang) -> Option<(&[Symptom], &[Symptom])> {
        let tables = self.symptoms.get(id)?;
        let original = tables.get(self.config.default_language()).or_else(|| tables.values().next())?;
        Some((original, tables.get(lang).filter(|table| table.len() == original.len()).unwrap_or(original)))
    }

    /// What the object, name or message of a row is, as the facts state it; `None` if they don't, and if it can be different in this cluster.
    #[must_use]
    pub fn what(&self, row: &ExplainedRow, provider: Option<&Id>, lang: &Lang) -> Option<&str> {
        let owner = row.owner.as_ref()?;
        // The description of a row can be about another provider.
        let component = self.components.get(&owner.component).filter(|_| !self.is_elsewhere(owner, provider))?;
        if owner.entries.is_empty() {
            return component.what_of_name(row.row.kind.as_deref()?, &row.row.name).map(|text| text.get(lang));
        }
        let mut texts = owner.entries.iter().filter_map(|entry| Some(self.what_of_listing(component.listing.get(*entry)?, lang)));
        let first = texts.next()?;
        (!first.is_empty() && texts.all(|text| text == first)).then_some(first)
    }

    /// The description of the rows of a pattern, or else the name of their section; empty if there is neither.
    pub(super) fn what_of_listing<'a>(&'a self, listing: &'a Listing, lang: &Lang) -> &'a str {
        let section = || listing.section.as_ref().and_then(|id| self.sections.get(id));
        listing.what.as_ref().map_or_else(|| section().map_or("", |section| section.name.as_str()), |what| what.get(lang))
    }

    /// The summary of a component; empty if there is none.
    #[must_use]
    pub fn summary(&self, id: &Id, lang: &Lang) -> &str {
        self.summaries.get(id).map_or("", |text| text.get(lang))
    }
}
