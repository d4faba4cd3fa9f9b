//! Smaller things that have a section of a page: each with an id that nothing else has, and a heading in every language.

use std::{collections::BTreeMap, sync::Arc};

use super::names::Names;
use crate::{
    decode::{Ordered, Spanned},
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::{ComponentFacts, SectionFacts},
    id::Id,
    kb::{Page, Section},
    layout::EntityKind,
    load::{Draft, Extent},
    text::did_you_mean,
};

/// A section as it is declared.
pub(super) struct Declared<'a> {
    pub(super) kind: EntityKind,
    pub(super) owner: &'a Id,
    pub(super) file: &'a Arc<str>,
    pub(super) id: &'a Spanned<Id>,
    pub(super) name: &'a str,
    pub(super) aka: &'a [String],
}

/// The sections that facts files declare, in the order of their files.
pub(super) fn declared(draft: &Draft) -> impl Iterator<Item = Declared<'_>> {
    let components = draft.components.iter().flat_map(|loaded| {
        let sections = loaded.facts.iter().flat_map(|facts| &facts.sections.0);
        let declared = move |id, name, aka| Declared { kind: EntityKind::Component, owner: &loaded.id, file: &loaded.file, id, name, aka };
        sections.map(move |(id, facts)| declared(id, facts.name.as_str(), facts.aka.as_slice()))
    });
    let others = (draft.providers.iter())
        .filter_map(|loaded| Some((EntityKind::Provider, &loaded.id, &loaded.file, &loaded.facts.as_ref()?.sections)))
        .chain(
            draft
                .concepts
                .iter()
                .filter_map(|loaded| Some((EntityKind::Concept, &loaded.id, &loaded.file, &loaded.facts.as_ref()?.sections))),
        );
    let others = others.flat_map(|(kind, owner, file, sections)| {
        sections.0.iter().map(move |(id, facts)| Declared { kind, owner, file, id, name: &facts.name, aka: &facts.aka })
    });
    components.chain(others)
}

/// What others depend on: ids and names.
pub(super) type Gist<'a> = Vec<(&'a Id, &'a str, &'a [String])>;

/// The sections of a component.
pub(super) fn of_component(facts: &ComponentFacts) -> Gist<'_> {
    facts.sections.0.iter().map(|(id, section)| (&id.value, section.name.as_str(), section.aka.as_slice())).collect()
}

/// The sections of something else.
pub(super) fn of_others(sections: &Ordered<Spanned<Id>, SectionFacts>) -> Gist<'_> {
    sections.0.iter().map(|(id, section)| (&id.value, section.name.as_str(), section.aka.as_slice())).collect()
}

/// Collects the sections; reports ids that are taken.
pub(super) fn collect<'a>(
    declared: impl Iterator<Item = Declared<'a>>,
    names: &Names,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<Id, Section> {
    let mut sections: BTreeMap<Id, Section> = BTreeMap::new();
    let mut places: BTreeMap<Id, Place> = BTreeMap::new();
    for Declared { kind, owner, file, id, name, aka } in declared {
        let place = Place::new(file.clone(), id.span);
        let taken = match (names.kind(id.as_str()), sections.get(&id.value)) {
            (Some(kind), _) => Some(format!("`{}` is the id of a {}, too", id.value, kind.name())),
            (None, Some(other)) => Some(format!("`{}` is the id of a section of `{}`, too", id.value, other.owner)),
            (None, None) => None,
        };
        if let Some(message) = taken {
            let mut found = Diagnostic::new(Rule::DuplicateId, place, message);
            if let Some(first) = places.get(&id.value) {
                found = found.related(first.clone(), "the other one");
            }
            diagnostics.push(found.help("rename one of them; an id names one thing in the whole knowledge base"));
            continue;
        }
        places.insert(id.value.clone(), place);
        let section = Section { id: id.value.clone(), kind, owner: owner.clone(), name: name.to_owned(), aka: aka.to_vec() };
        sections.insert(id.value.clone(), section);
    }
    sections
}

/// Reports sections that a page does not have in one of its languages.
pub(super) fn check_headings(
    draft: &Draft,
    sections: &BTreeMap<Id, Section>,
    pages: &BTreeMap<Arc<str>, Arc<Page>>,
    diagnostics: &mut Diagnostics,
) {
    for Declared { kind, owner, file, id, name, .. } in declared(draft) {
        // An id that belongs to something else is reported as such.
        let is_its = sections.get(&id.value).is_some_and(|section| section.kind == kind && section.owner == *owner);
        let Some(page) = pages.get(format!("{}/{owner}", kind.folder()).as_str()).filter(|_| is_its) else { continue };
        for text in page.texts.values().filter(|text| text.extent == Extent::Whole) {
            let headings = || text.prose.headings.iter().filter(|heading| heading.explicit).map(|heading| heading.id.as_str());
            if headings().any(|heading| heading == id.as_str()) {
                continue;
            }
            let message = format!("`{}` has no section `#{}`", text.file, id.value);
            let help = match did_you_mean(id.as_str(), headings()) {
                Some(meant) => format!("it has `{{#{meant}}}`; write `{{#{}}}` there", id.value),
                None => format!("add a heading with this id: `## {name} {{#{}}}`", id.value),
            };
            diagnostics.push(Diagnostic::new(Rule::MissingSection, Place::new(file.clone(), id.span), message).help(help));
        }
    }
}
