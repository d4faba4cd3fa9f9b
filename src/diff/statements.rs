//! The facts of a knowledge base as a list of statements.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    facts::Confidence,
    id::{Id, Lang},
    kb::{Claim, Deletion, FieldEntry, FieldValue, Kb, Lifecycle, Listing, Relation, ReleaseIndex, RemovalCase, Since, Text},
    listing::POD,
};

/// The topics of statements, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Topic {
    Thing,
    Verdict,
    Lifecycle,
    Claim,
    Pattern,
    Row,
    Relation,
    Port,
    Flag,
    Name,
    Other,
}

impl Topic {
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Thing => "Components, concepts, providers and sections",
            Self::Verdict => "Can it be deleted?",
            Self::Lifecycle => "States by release",
            Self::Claim => "Comparison of providers",
            Self::Pattern => "Name patterns",
            Self::Row => "Examples",
            Self::Relation => "Relations",
            Self::Port => "Ports",
            Self::Flag => "Flags",
            Self::Name => "Names outside of listings",
            Self::Other => "Other facts",
        }
    }

    /// Whether a statement needs evidence.
    pub(super) const fn is_claim(self) -> bool {
        !matches!(self, Self::Thing | Self::Pattern | Self::Row | Self::Other)
    }
}

/// The identity of a statement in both states of the knowledge base.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StatementKey {
    pub(super) topic: Topic,
    /// The id of an entity, or the path of a page after a slash.
    pub(super) subject: String,
    /// The detail that the statement is about. Primes at its end number statements about the same detail.
    pub(super) about: String,
}

/// A statement with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) text: String,
    /// The keys of the evidence; `None` if another statement about the same detail has it.
    pub(super) evidence: Option<Vec<Id>>,
    /// Whether the fact is unknown, so that it needs no evidence.
    unknown: bool,
}

impl Statement {
    /// Whether it needs evidence and has none.
    pub(super) fn is_unproven(&self) -> bool {
        !self.unknown && self.evidence.as_ref().is_some_and(Vec::is_empty)
    }
}

/// Collects the statements of a knowledge base in one language.
struct StatementCollector<'a> {
    kb: &'a Kb,
    lang: &'a Lang,
    all: BTreeMap<StatementKey, Statement>,
}

impl StatementCollector<'_> {
    fn of(kb: &Kb, lang: &Lang) -> BTreeMap<StatementKey, Statement> {
        let mut statements = StatementCollector { kb, lang, all: BTreeMap::new() };
        statements.components();
        statements.others();
        statements.all
    }

    fn add(&mut self, topic: Topic, subject: &str, about: String, text: String, evidence: Option<&[Id]>) {
        let unknown = text.starts_with("unknown");
        let mut key = StatementKey { topic, subject: subject.to_owned(), about };
        // Statements about the same detail are distinguished by their order.
        while self.all.contains_key(&key) {
            key.about.push('′');
        }
        self.all.insert(key, Statement { text, evidence: evidence.map(<[Id]>::to_vec), unknown });
    }

    fn add_text(&mut self, topic: Topic, subject: &str, about: String, text: Option<String>) {
        if let Some(text) = text {
            self.add(topic, subject, about, text, None);
        }
    }

    fn components(&mut self) {
        let kb = self.kb;
        for it in kb.components.values() {
            let id = it.id.as_str();
            self.add(Topic::Thing, id, "component".to_owned(), it.name.clone(), None);
            self.lifecycle(id, it.lifecycle.as_ref());
            self.deletion(id, &it.deletion);
            for (section, deletion) in &it.section_deletions {
                self.deletion(section.as_str(), deletion);
            }
            it.listing.iter().for_each(|listing| self.pattern(id, listing));
            for (what, rows) in [("example", &it.examples), ("not", &it.counter_examples)] {
                for row in rows {
                    self.add(Topic::Row, id, format!("{what} {}", folded(row)), String::new(), None);
                }
            }
            self.relations(id, &it.relations);
            for port in &it.ports {
                let about = if port.first == port.last { port.first.to_string() } else { format!("{}-{}", port.first, port.last) };
                let text = [Some(port.protocols.join(" and ")), self.text(port.what.as_ref()), self.span(port.since, None, port.removed)];
                self.add(Topic::Port, id, about, joined(text), Some(&port.evidence));
            }
            for flag in &it.flags {
                let text = [self.text(flag.what.as_ref()), self.span(flag.since, flag.deprecated, flag.removed)];
                self.add(Topic::Flag, id, flag.flag.clone(), joined(text), Some(&flag.evidence));
            }
            for entry in &it.names {
                for name in &entry.names {
                    let about = format!("{} {name}", entry.kind.name());
                    self.add(Topic::Name, id, about, joined([self.text(entry.what.as_ref())]), Some(&entry.evidence));
                }
            }
            self.add(Topic::Other, id, "area".to_owned(), it.area.to_string(), None);
            let others = [
                ("place", it.place.as_ref().map(Id::to_string)),
                ("roles", list(&it.roles)),
                ("installed by", self.text(it.installed_by.as_ref())),
                ("other names", (!it.aka.is_empty()).then(|| it.aka.join(", "))),
            ];
            for (about, text) in others {
                self.add_text(Topic::Other, id, about.to_owned(), text);
            }
            self.fields(id, &it.fields);
        }
    }

    fn others(&mut self) {
        let kb = self.kb;
        for it in kb.concepts.values() {
            let id = it.id.as_str();
            self.add(Topic::Thing, id, "concept".to_owned(), kb.name_of(id, self.lang), None);
            self.lifecycle(id, it.lifecycle.as_ref());
            self.relations(id, &it.relations);
            self.fields(id, &it.fields);
        }
        for text in kb.pages.values().filter_map(|page| page.texts.get(self.lang)) {
            if let Some(summary) = &text.front.summary {
                self.add(Topic::Other, &format!("/{}", text.path), "summary".to_owned(), summary.clone(), None);
            }
        }
        for section in kb.sections.values() {
            self.add(Topic::Thing, section.id.as_str(), format!("section of {}", section.owner), section.name.clone(), None);
        }
        for it in kb.providers.values() {
            self.add(Topic::Thing, it.id.as_str(), "provider".to_owned(), it.name.clone(), None);
            if !it.marks.is_empty() {
                self.add(Topic::Other, it.id.as_str(), "marks".to_owned(), it.marks.join(", "), None);
            }
            if !it.unlike.is_empty() {
                self.add(Topic::Other, it.id.as_str(), "unlike".to_owned(), it.unlike.join(", "), None);
            }
            if !it.static_pod_nodes.is_empty() {
                let names: Vec<&str> = it.static_pod_nodes.iter().map(|node| node.name.as_str()).collect();
                self.add(Topic::Other, it.id.as_str(), "static-pod-nodes".to_owned(), names.join(", "), None);
            }
            for claim in &it.claims {
                self.claim(it.id.as_str(), claim);
            }
            self.fields(it.id.as_str(), &it.fields);
        }
    }

    fn fields(&mut self, id: &str, entries: &[FieldEntry]) {
        for entry in entries {
            let values = entry.values.iter().map(|value| match value {
                FieldValue::Local(text) => text.get(self.lang).to_owned(),
                FieldValue::Plain(text) => text.clone(),
                FieldValue::Link { label, url } => format!("{label} <{url}>"),
                FieldValue::Term(id) => id.to_string(),
                FieldValue::Day(day) => day.to_string(),
            });
            let values = values.collect::<Vec<_>>().join(", ");
            self.add(Topic::Other, id, entry.field.to_string(), values, None);
        }
    }

    fn claim(&mut self, provider: &str, claim: &Claim) {
        let ids = [claim.role.as_ref(), claim.component.as_ref()];
        let about = ids.into_iter().flatten().map(Id::as_str).collect::<Vec<_>>().join(": ");
        let word = |name: &str, text: &Option<String>| text.as_ref().map(|text| format!("{name} {text}"));
        let text = [
            Some(claim.presence.name().to_owned()),
            claim.form.clone(),
            word("since", &claim.since),
            word("until", &claim.until),
            self.text(claim.what.as_ref()),
            (claim.confidence != Confidence::High).then(|| format!("confidence {}", claim.confidence.name())),
        ];
        self.add(Topic::Claim, provider, about, joined(text), Some(&claim.evidence));
    }

    fn lifecycle(&mut self, id: &str, lifecycle: Option<&Lifecycle>) {
        let Some(it) = lifecycle else { return };
        let since = match it.since {
            Some(Since::Release(since)) => self.span(Some(since), None, None),
            Some(Since::Unknown) => Some("since unknown".to_owned()),
            None => None,
        };
        let replaced = list(&it.replaced_by).map(|ids| format!("replaced by {ids}"));
        let text = [Some(it.state.name().to_owned()), since, self.span(None, it.deprecated, it.removed), replaced];
        self.add(Topic::Lifecycle, id, String::new(), joined(text), Some(&it.evidence));
    }

    fn deletion(&mut self, id: &str, deletion: &Deletion) {
        if let Some(restart) = &deletion.restart {
            let verdict = restart.verdict.map_or("from the kind", crate::facts::Verdict::name);
            self.add(Topic::Verdict, id, POD.to_owned(), verdict.to_owned(), Some(&restart.evidence));
            self.add_text(Topic::Verdict, id, "Pod: impact".to_owned(), self.text(restart.impact.as_ref()));
        }
        let Some(removal) = &deletion.removal else { return };
        self.case(id, "verdict", &removal.general);
        for (provider, case) in &removal.providers {
            self.case(id, &format!("verdict at {provider}"), case);
        }
    }

    fn case(&mut self, id: &str, about: &str, case: &RemovalCase) {
        self.add(Topic::Verdict, id, about.to_owned(), case.verdict.name().to_owned(), Some(&case.evidence));
        let parts = [("effect", &case.effect), ("restored by", &case.restored_by), ("disable", &case.disable)];
        for (name, text) in parts {
            self.add_text(Topic::Verdict, id, format!("{about}: {name}"), self.text(text.as_ref()));
        }
    }

    fn pattern(&mut self, id: &str, it: &Listing) {
        let place = it.namespace.as_ref().map(|namespace| format!(" in {namespace}")).unwrap_or_default();
        let providers = list(&it.providers).map(|ids| format!(" at {ids}")).unwrap_or_default();
        let text = [
            it.needs_namespace.then(|| "only with its namespace".to_owned()),
            it.section.as_ref().map(|section| format!("explained by {section}")),
        ];
        self.add(Topic::Pattern, id, format!("{} {}{place}{providers}", it.kind, it.name), joined(text), None);
    }

    fn relations(&mut self, id: &str, relations: &[Relation]) {
        for it in relations {
            let text = [it.port.as_ref().map(|port| format!("port {port}")), self.text(it.what.as_ref())];
            self.add(Topic::Relation, id, format!("{} {}", it.verb, it.to), joined(text), Some(&it.evidence));
        }
    }

    /// A text in this language.
    fn text(&self, text: Option<&Text>) -> Option<String> {
        text.map(|text| text.get(self.lang).to_owned()).filter(|text| !text.is_empty())
    }

    fn span(&self, since: Option<ReleaseIndex>, deprecated: Option<ReleaseIndex>, removed: Option<ReleaseIndex>) -> Option<String> {
        let turns = [("since", since), ("deprecated", deprecated), ("removed", removed)];
        let turns = turns.into_iter().filter_map(|(word, release)| Some(format!("{word} {}", self.kb.vocabulary.release(release?).name)));
        Some(turns.collect::<Vec<_>>().join(", ")).filter(|span| !span.is_empty())
    }
}

/// A row with single spaces.
fn folded(row: &str) -> String {
    row.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn joined(parts: impl IntoIterator<Item = Option<String>>) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn list(ids: &[Id]) -> Option<String> {
    (!ids.is_empty()).then(|| ids.iter().map(Id::as_str).collect::<Vec<_>>().join(", "))
}

/// The statements of two states of a knowledge base.
pub(super) struct StatementDiff {
    pub(super) before: BTreeMap<StatementKey, Statement>,
    pub(super) after: BTreeMap<StatementKey, Statement>,
    /// The keys of the statements that differ, in text or in evidence.
    pub(super) changed: BTreeSet<StatementKey>,
}

/// Compares two states in each language. A statement that differs in another language than the first has that language in its key.
pub(super) fn statements(before: &Kb, after: &Kb) -> StatementDiff {
    let mut diff = StatementDiff { before: BTreeMap::new(), after: BTreeMap::new(), changed: BTreeSet::new() };
    for (number, language) in after.config.languages.iter().enumerate() {
        let (before, after) = (StatementCollector::of(before, &language.lang), StatementCollector::of(after, &language.lang));
        let differ = |key: &&StatementKey| before.get(*key) != after.get(*key);
        let is_known = |key: &&StatementKey| number > 0 && diff.changed.contains(*key);
        let keys = before.keys().chain(after.keys()).filter(|key| differ(key) && !is_known(key));
        for key in keys.cloned().collect::<BTreeSet<StatementKey>>() {
            let shown = if number == 0 {
                key.clone()
            } else {
                StatementKey { about: format!("{} ({})", key.about, language.lang).trim().to_owned(), ..key.clone() }
            };
            diff.before.extend(before.get(&key).map(|statement| (shown.clone(), statement.clone())));
            diff.after.extend(after.get(&key).map(|statement| (shown.clone(), statement.clone())));
            diff.changed.insert(shown);
        }
    }
    diff
}
