//! Sections with an id: the id is unique in the knowledge base, and the page has a heading for it in every language.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    entity_facts::{SectionDeclaration, SectionHead, declared_sections},
    symbols::SymbolTable,
};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    id::Id,
    kb::{Page, Section},
    load::{Draft, Extent},
    text::did_you_mean,
};

/// Collects the sections by id; reports ids that are taken.
pub(super) fn collect<'a>(
    declarations: impl Iterator<Item = SectionDeclaration<'a>>,
    symbols: &SymbolTable,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<Id, Section> {
    let mut sections: BTreeMap<Id, Section> = BTreeMap::new();
    let mut places: BTreeMap<Id, Place> = BTreeMap::new();
    for SectionDeclaration { kind, owner, file, head: SectionHead { id, name, aka } } in declarations {
        let place = Place::new(file.clone(), id.span);
        let taken = match (symbols.kind(id.as_str()), sections.get(&id.value)) {
            (Some(kind), _) => Some(format!("`{}` is the id of a {}, too", id.value, kind.name())),
            (None, Some(other)) => Some(format!("`{}` is the id of a section of `{}`, too", id.value, other.owner)),
            (None, None) => None,
        };
        if let Some(message) = taken {
            let mut duplicate = Diagnostic::new(Rule::DuplicateId, place, message);
            if let Some(first) = places.get(&id.value) {
                duplicate = duplicate.related(first.clone(), "the other one");
            }
            diagnostics.push(duplicate.help("rename one of them; an id names one thing in the whole knowledge base"));
            continue;
        }
        places.insert(id.value.clone(), place);
        let section = Section { id: id.value.clone(), kind, owner: owner.clone(), name: name.to_owned(), aka: aka.to_vec() };
        sections.insert(id.value.clone(), section);
    }
    sections
}

/// Reports declared sections that are missing on a page in one of its languages.
pub(super) fn check_headings(
    draft: &Draft,
    sections: &BTreeMap<Id, Section>,
    pages: &BTreeMap<Arc<str>, Arc<Page>>,
    diagnostics: &mut Diagnostics,
) {
    for SectionDeclaration { kind, owner, file, head: SectionHead { id, name, .. } } in declared_sections(draft) {
        // A declaration whose id is taken is already reported.
        let accepted = sections.get(&id.value).is_some_and(|section| section.kind == kind && section.owner == *owner);
        let Some(page) = pages.get(format!("{}/{owner}", kind.folder()).as_str()).filter(|_| accepted) else { continue };
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
            diagnostics.report(Rule::MissingSection, Place::new(file.clone(), id.span), message, help);
        }
    }
}
