//! The facts of components, providers and concepts: every reference resolved, every claim with its evidence.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    claims,
    context::{FactsContext, FileContext},
    evidence, fields, known_names, lifecycle,
    symbols::TermKind,
};
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Rule},
    facts::{
        ComponentFacts, ConceptFacts, FlagFacts, ListingFacts, LocalText, PortFacts, ProviderFacts, RelationFacts, RemovalFacts,
        RestartFacts, SupportFacts, Verdict,
    },
    id::Id,
    kb::{
        Component, Concept, Deletion, EntityMap, Evidence, Flag, Listing, NodeName, Port, Provider, Relation, Removal, RemovalCase,
        Restart, Section, Support,
    },
    layout::{EntityKind, VOCABULARY, entity_of},
    listing::{NODE, POD, Pattern, begins_with_pods, creates_pods, meant_kind},
    load::{Draft, Loaded},
    text::{Span, did_you_mean, listed},
};

/// The minimum length of a mark in bytes. Shorter texts occur in listings of all providers.
const MIN_MARK_LENGTH: usize = 4;

pub(super) fn components(draft: &Draft, context: &mut FactsContext<'_>) -> EntityMap<Component> {
    let loaded = draft.components.iter();
    loaded.filter_map(|loaded| Some((loaded.id.clone(), Arc::new(component(loaded, loaded.facts.as_ref()?, context))))).collect()
}

/// Checks a component by itself: without the relations, successors and claims that other files state.
pub(super) fn component(loaded: &Loaded<ComponentFacts>, facts: &ComponentFacts, context: &mut FactsContext<'_>) -> Component {
    let id = &loaded.id;
    context.file(&loaded.file, &facts.evidence, loaded.whole, |file| {
        file.require_term(&facts.area, TermKind::Area);
        if let Some(place) = &facts.place {
            file.require_term(place, TermKind::Place);
        }
        let roles = facts.roles.iter().filter(|role| file.require_term(role, TermKind::Role)).map(|role| role.value.clone()).collect();
        let sections = facts.sections.0.iter().filter(|(_, section)| section.restart.is_some() || section.removal.is_some());
        Component {
            id: id.clone(),
            file: loaded.file.clone(),
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
            images: images(&facts.images, file),
            support: facts.support.as_ref().and_then(|facts| support(facts, file)),
            deletion: deletion(facts.restart.as_ref(), facts.removal.as_ref(), pods(&facts.listing, None), file),
            section_deletions: sections
                .map(|(id, section)| {
                    let pods = pods(&facts.listing, Some(&id.value));
                    (id.value.clone(), deletion(section.restart.as_ref(), section.removal.as_ref(), pods, file))
                })
                .collect(),
            relations: relations(&facts.relations, id, file),
            incoming: Vec::new(),
            replaces: Vec::new(),
            claims: Vec::new(),
            ports: facts.ports.iter().filter_map(|facts| port(facts, file)).collect(),
            flags: facts.flags.iter().map(|facts| flag(facts, file)).collect(),
            names: facts.names.iter().map(|facts| known_names::check(facts, file)).collect(),
            fields: fields::check(&facts.fields, EntityKind::Component, Span::at(0), file),
            evidence: {
                let of_messages = known_names::evidence_of_messages(facts);
                let mark = |entry: Evidence| Evidence { is_of_messages: of_messages.contains(&entry.key), ..entry };
                evidence::check(&facts.evidence, file).into_iter().map(mark).collect()
            },
        }
    })
}

pub(super) fn concepts(draft: &Draft, context: &mut FactsContext<'_>) -> EntityMap<Concept> {
    let mut concepts = BTreeMap::new();
    for loaded in &draft.concepts {
        if let Some(facts) = &loaded.facts {
            concepts.insert(loaded.id.clone(), Arc::new(concept(loaded, facts, context)));
        }
    }
    // A concept needs no facts, only a page.
    let with_facts: BTreeSet<&Id> = draft.concepts.iter().map(|loaded| &loaded.id).collect();
    let empty = ConceptFacts::default();
    for page in &draft.pages {
        if let Some((EntityKind::Concept, folder)) = entity_of(&page.path, &draft.config)
            && let Ok(id) = Id::new(folder)
            && !with_facts.contains(&id)
        {
            let loaded = Loaded { id: id.clone(), file: page.file.clone(), facts: None, whole: true };
            concepts.insert(id, Arc::new(concept(&loaded, &empty, context)));
        }
    }
    concepts
}

/// Checks a concept by itself: without the relations that other files state.
pub(super) fn concept(loaded: &Loaded<ConceptFacts>, facts: &ConceptFacts, context: &mut FactsContext<'_>) -> Concept {
    context.file(&loaded.file, &facts.evidence, loaded.whole, |file| {
        if let Some(area) = &facts.area {
            file.require_term(area, TermKind::Area);
        }
        if let Some(place) = &facts.place {
            file.require_term(place, TermKind::Place);
        }
        Concept {
            id: loaded.id.clone(),
            file: loaded.file.clone(),
            area: facts.area.as_ref().map(|area| area.value.clone()),
            place: facts.place.as_ref().map(|place| place.value.clone()),
            aka: facts.aka.clone(),
            lifecycle: facts.lifecycle.as_ref().map(|facts| lifecycle::check(facts, file)),
            relations: relations(&facts.relations, &loaded.id, file),
            incoming: Vec::new(),
            fields: fields::check(&facts.fields, EntityKind::Concept, Span::at(0), file),
            evidence: evidence::check(&facts.evidence, file),
        }
    })
}

pub(super) fn providers(draft: &Draft, context: &mut FactsContext<'_>) -> EntityMap<Provider> {
    let loaded = draft.providers.iter();
    loaded.filter_map(|loaded| Some((loaded.id.clone(), Arc::new(provider(loaded, loaded.facts.as_ref()?, context))))).collect()
}

pub(super) fn provider(loaded: &Loaded<ProviderFacts>, facts: &ProviderFacts, context: &mut FactsContext<'_>) -> Provider {
    context.file(&loaded.file, &facts.evidence, loaded.whole, |file| {
        file.require_term(&facts.kind, TermKind::ProviderKind);
        Provider {
            id: loaded.id.clone(),
            file: loaded.file.clone(),
            name: facts.name.value.clone(),
            kind: facts.kind.value.clone(),
            vendor: facts.vendor.clone(),
            aka: facts.aka.clone(),
            marks: marks(&facts.marks, file),
            unlike: marks(&facts.unlike, file),
            static_pod_nodes: facts.static_pod_nodes.iter().filter_map(|name| node_name(name, file)).collect(),
            claims: claims::check(&facts.claims, file),
            fields: fields::check(&facts.fields, EntityKind::Provider, Span::at(0), file),
            evidence: evidence::check(&facts.evidence, file),
        }
    })
}

/// The marks that are specific enough to recognise a provider by; reports the others.
fn marks(written: &[Spanned<String>], file: &mut FileContext<'_, '_>) -> Vec<String> {
    let mut marks = Vec::new();
    for mark in written {
        if mark.value.trim().len() < MIN_MARK_LENGTH || mark.value.contains('\n') {
            let message = format!("`{}` is too short to recognise a provider by", mark.value.trim());
            let help = format!("write at least {MIN_MARK_LENGTH} characters, in one line");
            file.report(Rule::InvalidValue, mark.span, message, help);
        } else {
            marks.push(mark.value.clone());
        }
    }
    marks
}

/// The pattern of the name of a Node; reports an invalid one.
fn node_name(written: &Spanned<String>, file: &mut FileContext<'_, '_>) -> Option<NodeName> {
    match Pattern::new(NODE, &written.value, None) {
        Ok(pattern) => Some(NodeName { name: written.value.clone(), pattern }),
        Err(bad) => {
            file.report(Rule::BadPattern, written.span, bad.message, bad.help);
            None
        }
    }
}

fn listing(facts: &Spanned<ListingFacts>, own: &Id, file: &mut FileContext<'_, '_>) -> Option<Listing> {
    let what = file.text(facts.what.as_ref());
    let providers = facts.providers.iter().filter(|id| file.require(id, &[EntityKind::Provider]));
    let providers = providers.map(|id| id.value.clone()).collect();
    let section = facts.section.as_ref().filter(|section| own_section(section, own, file)).map(|section| section.value.clone());
    if let Some(meant) = file.context.thorough.then(|| meant_kind(&facts.kind)).flatten() {
        let message = format!("no kind `{}`", facts.kind.value);
        file.report(Rule::BadPattern, facts.kind.span, message, format!("did you mean `{meant}`?"));
        return None;
    }
    let pattern = match Pattern::new(&facts.kind, &facts.name, facts.namespace.as_deref()) {
        Ok(pattern) => pattern,
        Err(bad) => {
            file.report(Rule::BadPattern, facts.name.span, bad.message, bad.help);
            return None;
        }
    };
    if facts.needs_namespace && facts.namespace.is_none() {
        let message = "`needs-namespace` requires a `namespace`";
        file.report(Rule::MissingField, facts.span, message, "add `namespace`, or remove `needs-namespace`");
    }
    Some(Listing {
        kind: facts.kind.value.clone(),
        namespace: facts.namespace.clone(),
        needs_namespace: facts.needs_namespace,
        providers,
        what,
        name: facts.name.value.clone(),
        pattern: Arc::new(pattern.needing_namespace(facts.needs_namespace)),
        section,
    })
}

/// The valid repositories of container images; reports the others.
fn images(written: &[Spanned<String>], file: &mut FileContext<'_, '_>) -> Vec<String> {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'_'))
    };
    let mut images: Vec<String> = Vec::new();
    for image in written {
        let path = image.value.as_str();
        // The host of a registry has a dot; a repository may have one only in a later part.
        let has_host = path.split_once('/').is_some_and(|(first, _)| first.contains('.'));
        if has_host || !path.split('/').all(is_part) {
            let help = "write only the path of its repository, without the registry and the tag: `coredns/coredns`";
            file.report(Rule::InvalidValue, image.span, format!("`{path}` is not the repository of an image"), help);
        } else if images.iter().any(|known| known == path) {
            file.report(Rule::InvalidValue, image.span, format!("the image `{path}` is repeated"), "remove one of them");
        } else {
            images.push(path.to_owned());
        }
    }
    images
}

fn support(facts: &SupportFacts, file: &mut FileContext<'_, '_>) -> Option<Support> {
    file.needs_evidence(&facts.evidence, facts.oldest.span, "the supported version");
    let text = facts.oldest.value.0.as_str();
    let Ok(oldest) = text.parse() else {
        let help = "write a version in numbers, such as `1.17`, or `release` if it is versioned with the releases of the vocabulary";
        file.report(Rule::InvalidValue, facts.oldest.span, format!("`{text}` is not a version"), help);
        return None;
    };
    Some(Support { oldest, evidence: file.evidence(&facts.evidence) })
}

/// Whether the component `own` declares a section; reports it otherwise.
fn own_section(section: &Spanned<Id>, own: &Id, file: &mut FileContext<'_, '_>) -> bool {
    let sections = file.context.sections;
    let is_own = |known: &&Section| known.kind == EntityKind::Component && known.owner == *own;
    let found = sections.get(&section.value).is_some_and(|known| is_own(&known));
    if !found {
        let meant = did_you_mean(section.as_str(), sections.values().filter(is_own).map(|known| known.id.as_str()));
        let unknown = Diagnostic::new(Rule::UnknownId, file.place(section.span), format!("this file has no section `{}`", section.value));
        file.push(unknown.suggest(meant, format!("add it to the map `sections` of this file: `{}: {{name: …}}`", section.value)));
    }
    found
}

/// Which Pods an object of the component, or of a section, has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PodKind {
    /// None.
    None,
    /// Pods without a controller.
    Bare,
    /// Pods that a controller creates.
    Controlled,
}

fn pods(listing: &[Spanned<ListingFacts>], section: Option<&Id>) -> PodKind {
    let kinds =
        || listing.iter().filter(|entry| entry.section.as_ref().map(|id| &id.value) == section).map(|entry| entry.kind.value.as_str());
    if kinds().any(creates_pods) {
        PodKind::Controlled
    } else if kinds().any(|kind| kind == POD) {
        PodKind::Bare
    } else {
        PodKind::None
    }
}

fn deletion(
    restart: Option<&Spanned<RestartFacts>>,
    removal: Option<&Spanned<RemovalFacts>>,
    pods: PodKind,
    file: &mut FileContext<'_, '_>,
) -> Deletion {
    if let Some(facts) = restart.filter(|_| pods == PodKind::None) {
        let help = "remove `restart`, or add the Deployment, DaemonSet, Pod … to `listing`";
        file.report(Rule::ContradictoryDeletion, facts.span, "`restart` is about Pods, but `listing` has no object with Pods", help);
    }
    if let Some(removal) = removal.filter(|_| pods == PodKind::Controlled) {
        let cases = removal.providers.0.iter().map(|(_, case)| &case.effect);
        for effect in std::iter::once(&removal.effect).chain(cases).flatten() {
            if effect.value.values().any(|text| begins_with_pods(text)) {
                let message = "`removal` is about the object itself, but its effect begins with its Pods";
                file.report(
                    Rule::ContradictoryDeletion,
                    effect.span,
                    message,
                    "move what is about a deleted Pod to `impact` under `restart`",
                );
            }
        }
    }
    Deletion { restart: restart.map(|facts| self::restart(facts, file)), removal: removal.map(|facts| self::removal(facts, file)) }
}

fn restart(facts: &Spanned<RestartFacts>, file: &mut FileContext<'_, '_>) -> Restart {
    if facts.verdict.is_some_and(|verdict| verdict != Verdict::Unknown) || facts.impact.is_some() {
        file.needs_evidence(&facts.evidence, facts.span, "the effect of deleting a Pod");
    }
    Restart { verdict: facts.verdict, impact: file.text(facts.impact.as_ref()), evidence: file.evidence(&facts.evidence) }
}

fn removal(facts: &Spanned<RemovalFacts>, file: &mut FileContext<'_, '_>) -> Removal {
    if facts.verdict != Verdict::Unknown {
        file.needs_evidence(&facts.evidence, facts.span, "the verdict");
    }
    let case = |verdict, [effect, restored_by, disable]: [&Option<LocalText>; 3], evidence, file: &mut FileContext<'_, '_>| RemovalCase {
        verdict,
        effect: file.text(effect.as_ref()),
        restored_by: file.text(restored_by.as_ref()),
        disable: file.text(disable.as_ref()),
        evidence: file.evidence(evidence),
    };
    let general = case(facts.verdict, [&facts.effect, &facts.restored_by, &facts.disable], &facts.evidence, file);
    let mut providers = Vec::new();
    for (id, facts) in &facts.providers.0 {
        let case = case(facts.verdict, [&facts.effect, &facts.restored_by, &facts.disable], &facts.evidence, file);
        if facts.verdict != Verdict::Unknown {
            file.needs_evidence(&facts.evidence, id.span, "the verdict of this provider");
        }
        if file.require(id, &[EntityKind::Provider]) {
            providers.push((id.value.clone(), case));
        }
    }
    Removal { general, providers }
}

/// The relations whose verb and target exist; reports the others, duplicates and relations to itself.
fn relations(written: &[Spanned<RelationFacts>], own: &Id, file: &mut FileContext<'_, '_>) -> Vec<Relation> {
    let mut seen: BTreeMap<(&Id, &Id), Span> = BTreeMap::new();
    let mut relations = Vec::new();
    for facts in written {
        let known_verb = file.require_term(&facts.verb, TermKind::Verb);
        let known_target = file.require(&facts.to, &[EntityKind::Component, EntityKind::Concept]);
        if facts.to.value == *own {
            let message = format!("`{own}` cannot be related to itself");
            file.report(Rule::RelationCycle, facts.to.span, message, "name another component");
            continue;
        }
        let edge = (&facts.verb.value, &facts.to.value);
        if let Some(first) = seen.get(&edge) {
            let message = format!("`{}` `{}` is stated twice", facts.verb.value, facts.to.value);
            let duplicate = Diagnostic::new(Rule::DuplicateRelation, file.place(facts.span), message);
            let duplicate = duplicate.related(file.place(*first), "first here");
            file.push(duplicate.help("join them into one, with both facts in `what`"));
            continue;
        }
        seen.insert(edge, facts.span);
        file.needs_evidence(&facts.evidence, facts.span, "this relation");
        let relation = Relation {
            verb: facts.verb.value.clone(),
            to: facts.to.value.clone(),
            port: facts.port.as_ref().map(|port| port.0.clone()),
            what: file.text(facts.what.as_ref()),
            evidence: file.evidence(&facts.evidence),
        };
        if known_verb && known_target {
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
            Some(Port { first, last, protocols: protocols(facts.protocol.as_ref(), file), what, since, removed, evidence })
        }
        _ => {
            let help = "write a number from 1 to 65535, or a range such as `30000-32767`";
            file.report(Rule::InvalidValue, facts.port.span, format!("`{text}` is not a port"), help);
            None
        }
    }
}

/// The protocols of a port; reports those that the vocabulary doesn't have.
fn protocols(written: Option<&Spanned<String>>, file: &mut FileContext<'_, '_>) -> Vec<String> {
    let known = &file.context.vocabulary.protocols;
    let Some(written) = written else { return known.first().cloned().into_iter().collect() };
    for name in written.split('/').filter(|name| !known.iter().any(|known| known == name)) {
        let message = format!("the vocabulary has no protocol `{name}`");
        let unknown = Diagnostic::new(Rule::UnknownWord, file.place(written.span), message);
        let names = || known.iter().map(String::as_str);
        let otherwise = format!("it has {}; a new one goes into `protocols` of `{VOCABULARY}`", listed(names()));
        file.push(unknown.suggest(did_you_mean(name, names()), otherwise));
    }
    written.split('/').map(str::to_owned).collect()
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
