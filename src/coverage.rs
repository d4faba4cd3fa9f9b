//! The coverage of a knowledge base: how much has evidence, translations, examples and known values. Numbers for `check`, lists for a page of the site.
//!
//! Nothing here is a finding: a claim without evidence is allowed, and has to be visible.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    sync::Arc,
};

use jiff::{ToSpan, civil::Date};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    facts::{LifecycleState, Presence, Verdict},
    id::{Id, Lang},
    kb::{Component, Evidence, Kb, Lifecycle, Page, Relation, Since, stale_sections},
    layout::EntityKind,
    markdown::Symptoms,
};

/// What a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimKind {
    /// What a provider has.
    Presence,
    /// Can it be deleted?
    Verdict,
    /// The lifecycle by release.
    Lifecycle,
    /// What one does to another.
    Relation,
    /// A port.
    Port,
    /// A command-line flag.
    Flag,
    /// Alerts, metrics, labels and other names.
    Name,
}

impl ClaimKind {
    /// The word in data.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Presence => "presence",
            Self::Verdict => "verdict",
            Self::Lifecycle => "lifecycle",
            Self::Relation => "relation",
            Self::Port => "port",
            Self::Flag => "flag",
            Self::Name => "name",
        }
    }
}

/// The statements of a kind, with and without evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClaimCount {
    /// All entries.
    pub total: usize,
    /// Statements with evidence.
    pub with_evidence: usize,
    /// Statements with the value `unknown`, which need no evidence.
    pub unknown: usize,
}

/// Statements of one kind about one subject without evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unproven {
    /// The component, concept or provider.
    pub id: Id,
    /// The subject of the statements.
    pub kind: ClaimKind,
}

/// A role without a statement at a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnknownCell {
    /// The role.
    pub role: Id,
    /// The provider.
    pub provider: Id,
}

/// Evidence whose last check is much older than the newest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OldEvidence {
    /// The component, concept or provider.
    pub id: Id,
    /// Its key in the evidence map of the facts file.
    pub key: Id,
    /// The date of the last check.
    pub checked: String,
}

/// The progress of a language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LanguageCount {
    /// The language.
    pub lang: Lang,
    /// The number of its pages.
    pub written: usize,
    /// URLs of the pages without a translation.
    pub missing: Vec<String>,
    /// URLs of the outdated translations.
    pub stale: Vec<String>,
    /// URLs of the translations that are not verified: changes of their original aren't detected.
    pub unstamped: Vec<String>,
}

/// The coverage of a knowledge base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Coverage {
    /// Components.
    pub components: usize,
    /// Providers.
    pub providers: usize,
    /// Concepts.
    pub concepts: usize,
    /// Sections with an id.
    pub sections: usize,
    /// Pages of all languages.
    pub pages: usize,
    /// Statements by kind.
    pub claims: BTreeMap<ClaimKind, ClaimCount>,
    /// Statements without evidence.
    pub without_evidence: Vec<Unproven>,
    /// The number of pairs of a role and a provider.
    pub cells: usize,
    /// Pairs without any statement.
    pub unknown_cells: Vec<UnknownCell>,
    /// Name patterns.
    pub patterns: usize,
    /// Components with patterns but no example.
    pub without_examples: Vec<Id>,
    /// Components with patterns but no counter-example.
    pub without_counter_examples: Vec<Id>,
    /// Components and sections with objects whose verdict is unknown or not stated.
    pub unknown_verdicts: Vec<Id>,
    /// The rows of the tables of symptoms, in the default language.
    pub symptoms: usize,
    /// The rows with an action.
    pub symptoms_with_action: usize,
    /// Components without a table of symptoms; empty if no component has one.
    pub without_symptoms: Vec<Id>,
    /// Components with a symptom without an action.
    pub without_actions: Vec<Id>,
    /// Components whose first release is not stated.
    pub unknown_since: Vec<Id>,
    /// The languages, in the order of the site.
    pub languages: Vec<LanguageCount>,
    /// Entries of evidence by the month in which they were last checked, `2026-11`.
    pub evidence_by_month: BTreeMap<String, usize>,
    /// Evidence to check again, the oldest first; see `recheck-after-days` in `book.toml`.
    pub old_evidence: Vec<OldEvidence>,
}

/// Measures the coverage of a knowledge base.
#[must_use]
pub fn coverage(kb: &Kb) -> Coverage {
    let mut claims = ClaimTally::default();
    for component in kb.components.values() {
        claims.component(component);
    }
    for concept in kb.concepts.values() {
        claims.graph(&concept.id, concept.lifecycle.as_ref(), &concept.relations);
    }
    for provider in kb.providers.values() {
        for claim in &provider.claims {
            claims.add(&provider.id, ClaimKind::Presence, &claim.evidence, claim.presence == Presence::Unknown);
        }
    }
    let symptoms = symptoms(kb);
    let counted = || symptoms.iter().filter_map(|(_, symptoms)| *symptoms);
    let has_tables = counted().next().is_some();
    let with_symptoms = |keep: &dyn Fn(Option<&Symptoms>) -> bool| -> Vec<Id> {
        symptoms.iter().filter(|(_, symptoms)| has_tables && keep(*symptoms)).map(|(id, _)| (*id).clone()).collect()
    };
    let with_rows = || kb.components.values().filter(|component| !component.listing.is_empty());
    let ids = |components: &mut dyn Iterator<Item = &Arc<Component>>| components.map(|component| component.id.clone()).collect();
    Coverage {
        components: kb.components.len(),
        providers: kb.providers.len(),
        concepts: kb.concepts.len(),
        sections: kb.sections.len(),
        pages: kb.pages.len(),
        claims: claims.counts,
        without_evidence: claims.without_evidence,
        cells: kb.vocabulary.roles.len() * kb.providers.len(),
        unknown_cells: unknown_cells(kb),
        patterns: kb.components.values().map(|component| component.listing.len()).sum(),
        without_examples: ids(&mut with_rows().filter(|component| component.examples.is_empty())),
        without_counter_examples: ids(&mut with_rows().filter(|component| component.counter_examples.is_empty())),
        unknown_verdicts: unknown_verdicts(kb),
        symptoms: counted().map(|count| count.rows).sum(),
        symptoms_with_action: counted().map(|count| count.rows - count.without_action.len()).sum(),
        without_symptoms: with_symptoms(&|symptoms| symptoms.is_none()),
        without_actions: with_symptoms(&|symptoms| symptoms.is_some_and(|symptoms| !symptoms.without_action.is_empty())),
        unknown_since: ids(&mut kb.components.values().filter(|component| {
            component.lifecycle.as_ref().is_none_or(|lifecycle| matches!(lifecycle.since, None | Some(Since::Unknown)))
        })),
        languages: languages(kb),
        evidence_by_month: evidence_by_month(kb),
        old_evidence: old_evidence(kb),
    }
}

/// The tables of symptoms of all components, in the default language.
fn symptoms(kb: &Kb) -> Vec<(&Id, Option<&Symptoms>)> {
    let lang = kb.config.default_language();
    let table = |id: &Id| {
        let page = kb.pages.get(format!("{}/{id}", EntityKind::Component.folder()).as_str())?;
        page.texts.get(lang)?.prose.symptoms.as_ref()
    };
    kb.components.keys().map(|id| (id, table(id))).collect()
}

/// The statements counted so far.
#[derive(Default)]
struct ClaimTally {
    counts: BTreeMap<ClaimKind, ClaimCount>,
    without_evidence: Vec<Unproven>,
}

impl ClaimTally {
    fn add(&mut self, id: &Id, kind: ClaimKind, evidence: &[Id], unknown: bool) {
        let count = self.counts.entry(kind).or_default();
        count.total += 1;
        if unknown {
            count.unknown += 1;
        } else if !evidence.is_empty() {
            count.with_evidence += 1;
        } else if self.without_evidence.last().is_none_or(|last| last.id != *id || last.kind != kind) {
            self.without_evidence.push(Unproven { id: id.clone(), kind });
        }
    }

    fn graph(&mut self, id: &Id, lifecycle: Option<&Lifecycle>, relations: &[Relation]) {
        if let Some(lifecycle) = lifecycle {
            self.add(id, ClaimKind::Lifecycle, &lifecycle.evidence, lifecycle.state == LifecycleState::Unknown);
        }
        for relation in relations {
            self.add(id, ClaimKind::Relation, &relation.evidence, false);
        }
    }

    fn component(&mut self, component: &Component) {
        let id = &component.id;
        self.graph(id, component.lifecycle.as_ref(), &component.relations);
        let of_sections = component.section_deletions.iter().map(|(_, deletion)| deletion);
        for deletion in std::iter::once(&component.deletion).chain(of_sections) {
            if let Some(restart) = &deletion.restart {
                self.add(id, ClaimKind::Verdict, &restart.evidence, restart.verdict == Some(Verdict::Unknown));
            }
            let Some(removal) = &deletion.removal else { continue };
            for case in [&removal.general].into_iter().chain(removal.providers.iter().map(|(_, case)| case)) {
                self.add(id, ClaimKind::Verdict, &case.evidence, case.verdict == Verdict::Unknown);
            }
        }
        for port in &component.ports {
            self.add(id, ClaimKind::Port, &port.evidence, false);
        }
        for flag in &component.flags {
            self.add(id, ClaimKind::Flag, &flag.evidence, false);
        }
        for names in &component.names {
            self.add(id, ClaimKind::Name, &names.evidence, false);
        }
    }
}

/// Entries that are older than the newest by more than `recheck-after-days`, oldest first. Compared with the newest and not with today, so that the list depends
/// on the facts alone.
fn old_evidence(kb: &Kb) -> Vec<OldEvidence> {
    let newest = evidence(kb).map(|(entry, _)| entry.checked.0).max();
    let limit = i32::try_from(kb.config.recheck_after_days).unwrap_or(i32::MAX);
    let Some(day) = newest.and_then(|newest| newest.checked_sub(limit.days()).ok()) else { return Vec::new() };
    let old = evidence_before(kb, day).into_iter();
    old.map(|(entry, id)| OldEvidence { id: id.clone(), key: entry.key.clone(), checked: entry.checked.to_string() }).collect()
}

/// Evidence that was last checked before a day, each entry with its component, provider or concept, the oldest first.
#[must_use]
pub fn evidence_before(kb: &Kb, day: Date) -> Vec<(&Evidence, &Id)> {
    let mut old: Vec<(&Evidence, &Id)> = evidence(kb).filter(|(entry, _)| entry.checked.0 < day).collect();
    old.sort_by_key(|(entry, id)| (entry.checked, *id, &entry.key));
    old
}

/// All entries of evidence, each with its component, provider or concept.
fn evidence(kb: &Kb) -> impl Iterator<Item = (&Evidence, &Id)> {
    let components = kb.components.values().flat_map(|it| it.evidence.iter().map(|entry| (entry, &it.id)));
    let providers = kb.providers.values().flat_map(|it| it.evidence.iter().map(|entry| (entry, &it.id)));
    let concepts = kb.concepts.values().flat_map(|it| it.evidence.iter().map(|entry| (entry, &it.id)));
    components.chain(providers).chain(concepts)
}

/// Pairs of role and provider without a claim, or with claims of unknown presence only.
fn unknown_cells(kb: &Kb) -> Vec<UnknownCell> {
    let mut unknown = Vec::new();
    for role in &kb.vocabulary.roles {
        for provider in kb.providers.values() {
            let mut of_role = provider.claims.iter().filter(|claim| claim.role.as_ref() == Some(&role.id));
            if of_role.all(|claim| claim.presence == Presence::Unknown) {
                unknown.push(UnknownCell { role: role.id.clone(), provider: provider.id.clone() });
            }
        }
    }
    unknown
}

/// Components and sections that rows link to and whose verdict is unknown or missing.
fn unknown_verdicts(kb: &Kb) -> Vec<Id> {
    let mut unknown = Vec::new();
    for component in kb.components.values() {
        let led_to: BTreeSet<Option<&Id>> = component.listing.iter().map(|listing| listing.section.as_ref()).collect();
        let is_unknown = |at: Option<&Id>| {
            component.deletion_of(at).and_then(|it| it.removal.as_ref()).is_none_or(|it| it.general.verdict == Verdict::Unknown)
        };
        unknown.extend(led_to.into_iter().filter(|at| is_unknown(*at)).map(|section| section.unwrap_or(&component.id).clone()));
    }
    unknown
}

fn languages(kb: &Kb) -> Vec<LanguageCount> {
    let default = kb.config.default_language();
    let languages = kb.config.languages.iter().map(|language| {
        let lang = &language.lang;
        let paths = |keep: &dyn Fn(&Page) -> bool| kb.pages.values().filter(|page| keep(page)).map(|page| page.path.to_string()).collect();
        let missing: Vec<String> = paths(&|page| !page.texts.contains_key(lang));
        let is_stale = |page: &Page| match (page.texts.get(default), page.texts.get(lang)) {
            (Some(original), Some(text)) if lang != default => !stale_sections(original, text).is_empty(),
            _ => false,
        };
        let is_unstamped = |page: &Page| {
            lang != default && page.texts.contains_key(default) && page.texts.get(lang).is_some_and(|text| text.front.translates.is_empty())
        };
        let (stale, unstamped) = (paths(&is_stale), paths(&is_unstamped));
        LanguageCount { lang: lang.clone(), written: kb.pages.len() - missing.len(), missing, stale, unstamped }
    });
    languages.collect()
}

fn evidence_by_month(kb: &Kb) -> BTreeMap<String, usize> {
    let mut months = BTreeMap::new();
    for (entry, _) in evidence(kb) {
        let day = entry.checked.to_string();
        *months.entry(day.get(..7).unwrap_or(&day).to_owned()).or_default() += 1;
    }
    months
}

impl Coverage {
    /// The sum over all kinds.
    #[must_use]
    pub fn all_claims(&self) -> ClaimCount {
        self.claims.values().fold(ClaimCount::default(), |sum, count| ClaimCount {
            total: sum.total + count.total,
            with_evidence: sum.with_evidence + count.with_evidence,
            unknown: sum.unknown + count.unknown,
        })
    }

    /// The lines that `check` prints; empty for a site without entities.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut text = String::new();
        if self.components + self.concepts + self.providers == 0 {
            return text;
        }
        let claims = self.all_claims();
        let number = |number: usize, of: &str| if number == 1 { format!("1 {of}") } else { format!("{number} {of}s") };
        let things = [(self.components, "component"), (self.concepts, "concept"), (self.sections, "section"), (self.providers, "provider")];
        let _ = writeln!(text, "coverage: {}", things.map(|(count, of)| number(count, of)).join(", "));
        let without = claims.total - claims.with_evidence - claims.unknown;
        let _ = writeln!(
            text,
            "  claims      {} with evidence, {without} without, {} unknown{}",
            claims.with_evidence,
            claims.unknown,
            examples(self.without_evidence.iter().map(|it| format!("{} of {}", it.kind.name(), it.id)))
        );
        if self.cells > 0 {
            let cells = self.unknown_cells.iter().map(|cell| format!("{} of {}", cell.role, cell.provider));
            let _ = writeln!(text, "  comparison  {} of {} cells unknown{}", self.unknown_cells.len(), self.cells, examples(cells));
        }
        if self.patterns > 0 {
            let ids = |ids: &[Id]| examples(ids.iter().map(ToString::to_string));
            let (positive, negative) = (&self.without_examples, &self.without_counter_examples);
            let _ = writeln!(
                text,
                "  patterns    {}; components without an example: {}{}, without a counter-example: {}{}",
                self.patterns,
                positive.len(),
                ids(positive),
                negative.len(),
                ids(negative)
            );
            if self.symptoms > 0 {
                let _ = writeln!(
                    text,
                    "  symptoms    {}, {} with an action; components without symptoms: {}{}",
                    self.symptoms,
                    self.symptoms_with_action,
                    self.without_symptoms.len(),
                    ids(&self.without_symptoms)
                );
            }
            let _ = writeln!(text, "  verdicts    {} unknown{}", self.unknown_verdicts.len(), ids(&self.unknown_verdicts));
        }
        for language in &self.languages {
            let _ = writeln!(
                text,
                "  {:<11} {} of {} pages, {} out of date{}{}",
                language.lang.as_str(),
                language.written,
                self.pages,
                language.stale.len(),
                examples(language.missing.iter().map(|path| format!("no {path}"))),
                match language.unstamped.len() {
                    0 => String::new(),
                    count => format!(
                        ", {count} not verified{}",
                        examples(language.unstamped.iter().map(|path| if path.is_empty() { "/".to_owned() } else { path.clone() }))
                    ),
                }
            );
        }
        text
    }
}

/// The first items of a list in parentheses.
fn examples(list: impl Iterator<Item = String>) -> String {
    const SHOWN: usize = 3;
    let mut list: Vec<String> = list.take(SHOWN + 1).collect();
    if list.is_empty() {
        return String::new();
    }
    if list.len() > SHOWN {
        list.truncate(SHOWN);
        list.push("…".to_owned());
    }
    format!(" ({})", list.join(", "))
}
