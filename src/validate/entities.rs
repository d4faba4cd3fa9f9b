//! Facts of components, providers and concepts: every reference resolved, every claim with its evidence.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{Things, evidence, lifecycle, names::Names, vocabulary};
use crate::{
    decode::{Ordered, Spanned},
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, Scope},
    facts::{
        ClaimFacts, ComponentFacts, ConceptFacts, EvidenceFacts, EvidenceKeys, FlagFacts, ListingFacts, LocalText, PortFacts, Presence,
        ProviderFacts, RelationFacts, RemovalFacts, Verdict, Word,
    },
    id::{Id, Lang},
    kb::{
        Claim, Component, Concept, Flag, Listing, Port, Provider, Relation, ReleaseIndex, Removal, RemovalCase, Section, Text, Vocabulary,
    },
    layout::EntityKind,
    listing::{Pattern, meant_kind},
    load::{Draft, Loaded},
    text::{Span, did_you_mean},
};

/// Shorter texts are found everywhere.
const SHORTEST_MARK: usize = 4;

/// What every check of facts needs.
pub(super) struct Context<'a> {
    pub(super) names: &'a Names,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) sections: &'a BTreeMap<Id, Section>,
    /// Whether somebody wants to hear what lacks evidence; facts that are only asked have none with them.
    pub(super) wants_evidence: bool,
    pub(super) diagnostics: &'a mut Diagnostics,
}

/// The checks of one file.
pub(super) struct FileContext<'a, 'b> {
    pub(super) file: Arc<str>,
    evidence: Vec<Id>,
    /// Whether that is all its evidence.
    whole: bool,
    context: &'a mut Context<'b>,
}

impl<'a, 'b> FileContext<'a, 'b> {
    fn new(file: &Arc<str>, evidence: &Ordered<Spanned<Id>, EvidenceFacts>, whole: bool, context: &'a mut Context<'b>) -> Self {
        let evidence = evidence.0.iter().map(|(key, _)| key.value.clone()).collect();
        Self { file: file.clone(), evidence, whole, context }
    }

    pub(super) fn place(&self, span: Span) -> Place {
        Place::new(self.file.clone(), span)
    }

    pub(super) fn diagnostics(&mut self) -> &mut Diagnostics {
        self.context.diagnostics
    }

    pub(super) fn today(&self) -> Option<jiff::civil::Date> {
        self.context.names.today
    }

    pub(super) fn vocabulary(&self) -> &'b Vocabulary {
        self.context.vocabulary
    }

    pub(super) fn require(&mut self, id: &Spanned<Id>, kinds: &[EntityKind]) -> bool {
        self.context.names.require(id, kinds, &self.file, self.context.diagnostics)
    }

    fn text(&mut self, text: Option<&LocalText>) -> Option<Text> {
        let text = text?;
        Some(vocabulary::local_text(text, self.context.names, &self.file, self.context.diagnostics))
    }

    pub(super) fn release(&mut self, written: Option<&Spanned<crate::facts::Word>>) -> Option<ReleaseIndex> {
        vocabulary::release(written?, self.context.names, self.context.vocabulary, &self.file, self.context.diagnostics)
    }

    /// The keys that exist; reports the others.
    pub(super) fn evidence(&mut self, keys: &EvidenceKeys) -> Vec<Id> {
        let mut found = Vec::new();
        for key in keys {
            if self.evidence.contains(&key.value) {
                found.push(key.value.clone());
            } else if self.whole {
                let message = format!("this file has no evidence `{}`", key.value);
                let meant = did_you_mean(key.as_str(), self.evidence.iter().map(Id::as_str)).map(str::to_owned);
                let finding = Diagnostic::new(Rule::UnknownEvidence, self.place(key.span), message);
                let finding = finding.suggest(meant.as_deref(), "add it to the map `evidence` of this file");
                self.diagnostics().push(finding);
            }
        }
        found
    }

    /// A claim without evidence is only an opinion.
    pub(super) fn needs_evidence(&mut self, keys: &EvidenceKeys, span: Span, what: &str) {
        if keys.is_empty() && self.context.wants_evidence {
            let known: Vec<String> = self.evidence.iter().map(|key| format!("`{key}`")).collect();
            let help = match known.as_slice() {
                [] => "add a map `evidence` to this file, and `evidence: [key]` here".to_owned(),
                known => format!("add `evidence: [key]`; this file has {}", known.join(", ")),
            };
            let found = Diagnostic::new(Rule::MissingEvidence, self.place(span), format!("{what} has no evidence")).help(help);
            self.diagnostics().push(found);
        }
    }
}

pub(super) fn components(draft: &Draft, context: &mut Context<'_>) -> BTreeMap<Id, Component> {
    let loaded = draft.components.iter();
    loaded.filter_map(|loaded| Some((loaded.id.clone(), component(loaded, loaded.facts.as_ref()?, context)))).collect()
}

pub(super) fn component(loaded: &Loaded<ComponentFacts>, facts: &ComponentFacts, context: &mut Context<'_>) -> Component {
    let outer = context.diagnostics.enter(Scope::Facts(loaded.file.clone()));
    let component = component_in_scope(loaded, facts, context);
    context.diagnostics.enter(outer);
    component
}

fn component_in_scope(loaded: &Loaded<ComponentFacts>, facts: &ComponentFacts, context: &mut Context<'_>) -> Component {
    let (id, path) = (&loaded.id, &loaded.file);
    let names = context.names;
    names.require_word(&facts.area, &names.areas, "area", path, context.diagnostics);
    if let Some(place) = &facts.place {
        names.require_word(place, &names.places, "place", path, context.diagnostics);
    }
    let roles = facts.roles.iter().filter(|role| names.require_word(role, &names.roles, "role", path, context.diagnostics));
    let roles = roles.map(|role| role.value.clone()).collect();
    let file = &mut FileContext::new(path, &facts.evidence, loaded.whole, context);
    Component {
        id: id.clone(),
        file: path.clone(),
        name: facts.name.value.clone(),
        area: facts.area.value.clone(),
        place: facts.place.as_ref().map(|place| place.value.clone()),
        roles,
        aka: facts.aka.clone(),
        lifecycle: facts.lifecycle.as_ref().map(|facts| lifecycle::check(facts, file)),
        installed_by: file.text(facts.installed_by.as_ref()),
        listing: facts.listing.iter().filter_map(|facts| listing(facts, id, file)).collect(),
        examples: facts.examples.iter().map(|example| example.value.clone()).collect(),
        counter_examples: facts.not.iter().map(|example| example.value.clone()).collect(),
        removal: facts.removal.as_ref().map(|facts| removal(facts, file)),
        section_removals: facts
            .sections
            .0
            .iter()
            .filter_map(|(id, section)| Some((id.value.clone(), removal(section.removal.as_ref()?, file))))
            .collect(),
        relations: relations(&facts.relations, id, file),
        incoming: Vec::new(),
        replaces: Vec::new(),
        claims: Vec::new(),
        ports: facts.ports.iter().filter_map(|facts| port(facts, file)).collect(),
        flags: facts.flags.iter().map(|facts| flag(facts, file)).collect(),
        evidence: evidence::check(&facts.evidence, file),
    }
}

pub(super) fn concepts(draft: &Draft, context: &mut Context<'_>) -> BTreeMap<Id, Concept> {
    let mut concepts = BTreeMap::new();
    let empty = ConceptFacts::default();
    for loaded in &draft.concepts {
        let Some(facts) = &loaded.facts else { continue };
        concepts.insert(loaded.id.clone(), concept(&loaded.id, &loaded.file, facts, loaded.whole, context));
    }
    // A concept may be prose alone.
    let with_facts: BTreeSet<&Id> = draft.concepts.iter().map(|loaded| &loaded.id).collect();
    for page in &draft.pages {
        if let Some((EntityKind::Concept, folder)) = crate::layout::entity_of(&page.path)
            && let Ok(id) = Id::new(folder)
            && !with_facts.contains(&id)
        {
            let concept = concept(&id, &page.file, &empty, true, context);
            concepts.insert(id, concept);
        }
    }
    concepts
}

pub(super) fn concept(id: &Id, path: &Arc<str>, facts: &ConceptFacts, whole: bool, context: &mut Context<'_>) -> Concept {
    let outer = context.diagnostics.enter(Scope::Facts(path.clone()));
    if let Some(area) = &facts.area {
        context.names.require_word(area, &context.names.areas, "area", path, context.diagnostics);
    }
    if let Some(place) = &facts.place {
        context.names.require_word(place, &context.names.places, "place", path, context.diagnostics);
    }
    let file = &mut FileContext::new(path, &facts.evidence, whole, context);
    let concept = Concept {
        id: id.clone(),
        file: path.clone(),
        area: facts.area.as_ref().map(|area| area.value.clone()),
        place: facts.place.as_ref().map(|place| place.value.clone()),
        aka: facts.aka.clone(),
        lifecycle: facts.lifecycle.as_ref().map(|facts| lifecycle::check(facts, file)),
        relations: relations(&facts.relations, id, file),
        incoming: Vec::new(),
        evidence: evidence::check(&facts.evidence, file),
    };
    context.diagnostics.enter(outer);
    concept
}

pub(super) fn providers(draft: &Draft, context: &mut Context<'_>) -> BTreeMap<Id, Provider> {
    let loaded = draft.providers.iter();
    loaded.filter_map(|loaded| Some((loaded.id.clone(), provider(loaded, loaded.facts.as_ref()?, context)))).collect()
}

pub(super) fn provider(loaded: &Loaded<ProviderFacts>, facts: &ProviderFacts, context: &mut Context<'_>) -> Provider {
    let (id, path) = (&loaded.id, &loaded.file);
    let outer = context.diagnostics.enter(Scope::Facts(path.clone()));
    context.names.require_word(&facts.kind, &context.names.provider_kinds, "provider kind", path, context.diagnostics);
    let file = &mut FileContext::new(path, &facts.evidence, loaded.whole, context);
    let provider = Provider {
        id: id.clone(),
        file: path.clone(),
        name: facts.name.value.clone(),
        kind: facts.kind.value.clone(),
        vendor: facts.vendor.clone(),
        aka: facts.aka.clone(),
        marks: marks(&facts.marks, file),
        claims: claims(&facts.claims, file),
        evidence: evidence::check(&facts.evidence, file),
    };
    context.diagnostics.enter(outer);
    provider
}

/// The texts by which listings of a provider are known; reports one that says too little.
fn marks(written: &[Spanned<String>], file: &mut FileContext<'_, '_>) -> Vec<String> {
    let mut marks = Vec::new();
    for mark in written {
        if mark.value.trim().len() < SHORTEST_MARK || mark.value.contains('\n') {
            let message = format!("`{}` says too little to know a provider by", mark.value.trim());
            let found = Diagnostic::new(Rule::InvalidValue, file.place(mark.span), message);
            file.diagnostics().push(found.help(format!("write at least {SHORTEST_MARK} characters, in one line")));
        } else {
            marks.push(mark.value.clone());
        }
    }
    marks
}

/// Tells components what providers say of them. Only what differs is written: the rest stays shared with the knowledge base before.
pub(super) fn claims_of(components: &mut Things<Component>, providers: &Things<Provider>) {
    let mut claims: BTreeMap<&Id, Vec<(Id, usize)>> = BTreeMap::new();
    for (id, provider) in providers {
        for (index, claim) in provider.claims.iter().enumerate() {
            if let Some(component) = &claim.component {
                claims.entry(component).or_default().push((id.clone(), index));
            }
        }
    }
    for (id, component) in components.iter_mut() {
        let claims = claims.remove(id).unwrap_or_default();
        if component.claims != claims {
            Arc::make_mut(component).claims = claims;
        }
    }
}

fn listing(facts: &Spanned<ListingFacts>, own: &Id, file: &mut FileContext<'_, '_>) -> Option<Listing> {
    let what = file.text(facts.what.as_ref());
    let providers = facts.providers.iter().filter(|id| file.require(id, &[EntityKind::Provider]));
    let providers = providers.map(|id| id.value.clone()).collect();
    let section = facts.section.as_ref().filter(|section| own_section(section, own, file)).map(|section| section.value.clone());
    // Of thousands of patterns that are only asked, nobody wants to know.
    if let Some(meant) = file.context.wants_evidence.then(|| meant_kind(&facts.kind)).flatten() {
        let found = Diagnostic::new(Rule::BadPattern, file.place(facts.kind.span), format!("there is no kind `{}`", facts.kind.value));
        file.diagnostics().push(found.help(format!("did you mean `{meant}`?")));
        return None;
    }
    match Pattern::new(&facts.kind, &facts.name, facts.namespace.as_deref()) {
        Ok(pattern) => {
            let (kind, name) = (facts.kind.value.clone(), facts.name.value.clone());
            let (namespace, needs_namespace) = (facts.namespace.clone(), facts.needs_namespace);
            if needs_namespace && namespace.is_none() {
                let found = Diagnostic::new(Rule::MissingField, file.place(facts.span), "this row needs a namespace and has none");
                file.diagnostics().push(found.help("add `namespace`, or remove `needs-namespace`"));
            }
            let pattern = Arc::new(pattern.needing_namespace(needs_namespace));
            Some(Listing { kind, namespace, needs_namespace, providers, what, name, pattern, section })
        }
        Err(bad) => {
            let found = Diagnostic::new(Rule::BadPattern, file.place(facts.name.span), bad.message).help(bad.help);
            file.diagnostics().push(found);
            None
        }
    }
}

/// Whether this is a section of the same file; reports it otherwise.
fn own_section(section: &Spanned<Id>, own: &Id, file: &mut FileContext<'_, '_>) -> bool {
    let sections = file.context.sections;
    let is_own = |known: &&Section| known.kind == EntityKind::Component && known.owner == *own;
    if sections.get(&section.value).is_some_and(|known| is_own(&known)) {
        return true;
    }
    let meant = did_you_mean(section.as_str(), sections.values().filter(is_own).map(|known| known.id.as_str()));
    let message = format!("this file has no section `{}`", section.value);
    let found = Diagnostic::new(Rule::UnknownId, file.place(section.span), message);
    file.diagnostics().push(found.suggest(meant, format!("add it to the map `sections` of this file: `{}: {{name: …}}`", section.value)));
    false
}

fn removal(facts: &Spanned<RemovalFacts>, file: &mut FileContext<'_, '_>) -> Removal {
    if facts.verdict != Verdict::Unknown {
        file.needs_evidence(&facts.evidence, facts.span, "the verdict");
    }
    let general = RemovalCase {
        verdict: facts.verdict,
        effect: file.text(facts.effect.as_ref()),
        restored_by: file.text(facts.restored_by.as_ref()),
        off_switch: file.text(facts.off_switch.as_ref()),
        evidence: file.evidence(&facts.evidence),
    };
    let mut providers = Vec::new();
    for (id, facts) in &facts.providers.0 {
        let case = RemovalCase {
            verdict: facts.verdict,
            effect: file.text(facts.effect.as_ref()),
            restored_by: file.text(facts.restored_by.as_ref()),
            off_switch: file.text(facts.off_switch.as_ref()),
            evidence: file.evidence(&facts.evidence),
        };
        if facts.verdict != Verdict::Unknown {
            file.needs_evidence(&facts.evidence, id.span, "the verdict of this provider");
        }
        if file.require(id, &[EntityKind::Provider]) {
            providers.push((id.value.clone(), case));
        }
    }
    Removal { general, providers }
}

fn relations(written: &[Spanned<RelationFacts>], own: &Id, file: &mut FileContext<'_, '_>) -> Vec<Relation> {
    let mut seen: Vec<(&Id, &Id, Span)> = Vec::new();
    let mut relations = Vec::new();
    for facts in written {
        let path = file.file.clone();
        let names = file.context.names;
        let known_verb = names.require_word(&facts.verb, &names.verbs, "verb", &path, file.context.diagnostics);
        let known_other = file.require(&facts.to, &[EntityKind::Component, EntityKind::Concept]);
        if facts.to.value == *own {
            let found = Diagnostic::new(Rule::RelationCycle, file.place(facts.to.span), format!("`{own}` cannot be related to itself"));
            file.diagnostics().push(found.help("name another component"));
            continue;
        }
        if let Some((.., first)) = seen.iter().find(|(verb, to, _)| **verb == facts.verb.value && **to == facts.to.value) {
            let message = format!("`{}` `{}` is stated twice", facts.verb.value, facts.to.value);
            let found = Diagnostic::new(Rule::DuplicateRelation, file.place(facts.span), message).related(file.place(*first), "first here");
            file.diagnostics().push(found.help("join them into one, with both facts in `what`"));
            continue;
        }
        seen.push((&facts.verb.value, &facts.to.value, facts.span));
        file.needs_evidence(&facts.evidence, facts.span, "this relation");
        let relation = Relation {
            verb: facts.verb.value.clone(),
            to: facts.to.value.clone(),
            port: facts.port.as_ref().map(|port| port.0.clone()),
            what: file.text(facts.what.as_ref()),
            evidence: file.evidence(&facts.evidence),
        };
        if known_verb && known_other {
            relations.push(relation);
        }
    }
    relations
}

fn port(facts: &Spanned<PortFacts>, file: &mut FileContext<'_, '_>) -> Option<Port> {
    file.needs_evidence(&facts.evidence, facts.span, "this port");
    let what = file.text(facts.what.as_ref());
    let since = file.release(facts.since.as_ref());
    let removed = file.release(facts.removed.as_ref());
    let evidence = file.evidence(&facts.evidence);
    let text = &facts.port.value.0;
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse::<u16>(), last.parse::<u16>()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => {
            Some(Port { first, last, protocol: facts.protocol, what, since, removed, evidence })
        }
        _ => {
            let found = Diagnostic::new(Rule::InvalidValue, file.place(facts.port.span), format!("`{text}` is no port"));
            file.diagnostics().push(found.help("write a number from 1 to 65535, or a range such as `30000-32767`"));
            None
        }
    }
}

fn flag(facts: &Spanned<FlagFacts>, file: &mut FileContext<'_, '_>) -> Flag {
    file.needs_evidence(&facts.evidence, facts.span, "this flag");
    Flag {
        flag: facts.flag.value.clone(),
        what: file.text(facts.what.as_ref()),
        since: file.release(facts.since.as_ref()),
        deprecated: file.release(facts.deprecated.as_ref()),
        removed: file.release(facts.removed.as_ref()),
        evidence: file.evidence(&facts.evidence),
    }
}

/// What makes a claim the same as another: everything but how sure it is and where it was seen.
type ClaimIdentity<'a> =
    ((Option<&'a Id>, Option<&'a Id>), Presence, Option<&'a str>, Option<&'a Word>, Option<&'a Word>, Option<&'a BTreeMap<Lang, String>>);

fn claims(written: &[Spanned<ClaimFacts>], file: &mut FileContext<'_, '_>) -> Vec<Claim> {
    let mut seen: BTreeMap<ClaimIdentity<'_>, Span> = BTreeMap::new();
    let mut claims = Vec::new();
    for facts in written {
        let path = file.file.clone();
        let names = file.context.names;
        let known = |id: &Spanned<Id>, context: &mut Context<'_>| names.require_word(id, &names.roles, "role", &path, context.diagnostics);
        let role = facts.role.as_ref().filter(|role| known(role, file.context)).map(|role| role.value.clone());
        let component = facts.component.as_ref().filter(|id| file.require(id, &[EntityKind::Component])).map(|id| id.value.clone());
        if facts.role.is_none() && facts.component.is_none() {
            let found = Diagnostic::new(Rule::MissingField, file.place(facts.span), "this claim is about nothing");
            file.diagnostics().push(found.help("add `role`, `component` or both"));
        }
        let text = |word: &Option<crate::facts::Word>| word.as_ref().map(|word| word.0.clone());
        let what = facts.what.as_ref().map(|what| &what.value);
        let about = (facts.role.as_ref().map(|id| &id.value), facts.component.as_ref().map(|id| &id.value));
        let identity = (about, facts.presence.value, facts.form.as_deref(), facts.since.as_ref(), facts.until.as_ref(), what);
        match seen.get(&identity) {
            Some(first) => {
                let found = Diagnostic::new(Rule::DuplicateClaim, file.place(facts.span), "this claim is made twice");
                let found = found.related(file.place(*first), "first here").help("remove one of them, and join their evidence");
                file.diagnostics().push(found);
            }
            None => {
                seen.insert(identity, facts.span);
            }
        }
        if facts.presence.value != Presence::Unknown {
            file.needs_evidence(&facts.evidence, facts.span, "this claim");
        }
        claims.push(Claim {
            role,
            component,
            presence: facts.presence.value,
            form: facts.form.clone(),
            since: text(&facts.since),
            until: text(&facts.until),
            what: file.text(facts.what.as_ref()),
            confidence: facts.confidence,
            evidence: file.evidence(&facts.evidence),
        });
    }
    claims
}
