//! Blocks `facts` in a text: a row of the comparison, the relations of an entity, or a list.

use serde::Serialize;

use super::{
    claims::{self, CellView},
    component::{RelationGroup, relation_groups},
    fields,
    labels::{self, TermView},
    node_facts::NodeFacts,
    reader::{LinkView, Reader},
    templates::RenderResult,
};
use crate::{
    id::Id,
    kb::{Component, FieldEntry, Kb, Lifecycle, Provider},
    layout::EntityKind,
    markdown::{FactsFilter, FactsQuery, FilterKey, ListedKind},
    theme::Strings,
};

#[derive(Serialize)]
struct FactsBlockView<'a> {
    t: &'a Strings,
    /// The providers of a comparison, each with its claims.
    comparison: Vec<(LinkView, CellView)>,
    outgoing: Vec<RelationGroup<'a>>,
    incoming: Vec<RelationGroup<'a>>,
    items: Vec<Item>,
}

/// An entry of a list.
#[derive(Serialize)]
pub(super) struct Item {
    pub(super) link: LinkView,
    pub(super) summary: String,
    verdict: Option<TermView>,
}

/// The block as HTML.
pub(super) fn render(reader: &Reader<'_>, query: &FactsQuery) -> RenderResult {
    let mut view =
        FactsBlockView { t: reader.strings(), comparison: Vec::new(), outgoing: Vec::new(), incoming: Vec::new(), items: Vec::new() };
    match query {
        FactsQuery::Comparison { role, providers } => {
            let of_role = |provider: &Provider| CellView::new(reader, provider, role);
            view.comparison =
                compared(reader.kb(), providers.iter().map(|id| id.as_str())).map(|it| (reader.link(&it.id), of_role(it))).collect();
        }
        FactsQuery::Relations(of) => {
            if let Some(facts) = NodeFacts::named(reader.kb(), of) {
                view.outgoing = relation_groups(reader, &facts, false);
                view.incoming = relation_groups(reader, &facts, true);
            }
        }
        FactsQuery::List { kind, filters } => view.items = items(reader, *kind, filters),
    }
    reader.context.templates.render("facts.html", &view, None)
}

/// The providers of these ids, in their order; all if there are none.
pub(super) fn compared<'a>(kb: &'a Kb, ids: impl Iterator<Item = &'a str> + Clone) -> impl Iterator<Item = &'a Provider> {
    let all = kb.providers.values().filter({
        let ids = ids.clone();
        move |_| ids.clone().next().is_none()
    });
    ids.filter_map(|id| kb.providers.get(id)).chain(all).map(AsRef::as_ref)
}

/// The entries of a list, by name.
pub(super) fn items(reader: &Reader<'_>, kind: ListedKind, filters: &[FactsFilter]) -> Vec<Item> {
    let kb = reader.kb();
    let ids: Vec<&Id> = match kind {
        ListedKind::Components => {
            kb.components.values().filter(|it| filters.iter().all(|filter| component(kb, it, filter))).map(|it| &it.id).collect()
        }
        ListedKind::Providers => {
            let meets = |it: &Provider, filter: &FactsFilter| match &filter.key {
                FilterKey::Kind => it.kind.as_str() == filter.value.value,
                key => field(key, &it.fields, &filter.value),
            };
            kb.providers.values().filter(|it| filters.iter().all(|filter| meets(it, filter))).map(|it| &it.id).collect()
        }
        ListedKind::Concepts => {
            let meets = |it: &crate::kb::Concept, FactsFilter { key, value }: &FactsFilter| match key {
                FilterKey::Area => it.area.as_ref().is_some_and(|area| area.as_str() == value.value),
                FilterKey::State => state(it.lifecycle.as_ref(), value),
                key => field(key, &it.fields, value),
            };
            kb.concepts.values().filter(|it| filters.iter().all(|filter| meets(it, filter))).map(|it| &it.id).collect()
        }
    };
    let item = |id: &Id| Item {
        link: reader.link(id),
        summary: reader.summary(&format!("{}/{id}", kind.entity().folder())).to_owned(),
        verdict: kb.components.get(id).and_then(|it| it.deletion.removal.as_ref()).map(|it| labels::verdict(reader, it.general.verdict)),
    };
    let mut items: Vec<Item> = ids.into_iter().filter(|id| is_shown(kb, kind.entity(), id)).map(item).collect();
    items.sort_by_key(|item| item.link.name.to_lowercase());
    items
}

/// Whether lists have an entity: hidden pages are left out.
fn is_shown(kb: &Kb, kind: EntityKind, id: &Id) -> bool {
    kb.pages.get(format!("{}/{id}", kind.folder()).as_str()).is_none_or(|page| !page.is_hidden())
}

fn component(kb: &Kb, it: &Component, FactsFilter { key, value }: &FactsFilter) -> bool {
    match key {
        FilterKey::Area => it.area.as_str() == value.value,
        FilterKey::Role => {
            let claimed = || claims::claims_of(kb, it).filter_map(|(_, claim)| claim.role.as_ref());
            it.roles.iter().chain(claimed()).any(|role| role.as_str() == value.value)
        }
        FilterKey::Provider => it.providers().iter().any(|id| id.as_str() == value.value),
        FilterKey::State => state(it.lifecycle.as_ref(), value),
        FilterKey::Verdict => it.deletion.removal.as_ref().is_some_and(|removal| removal.general.verdict.name() == value.value),
        key => field(key, &it.fields, value),
    }
}

fn state(lifecycle: Option<&Lifecycle>, value: &str) -> bool {
    lifecycle.is_some_and(|lifecycle| lifecycle.state.name() == value)
}

/// Whether an own field has a value.
fn field(key: &FilterKey, entries: &[FieldEntry], value: &str) -> bool {
    let FilterKey::Field(name) = key else { return false };
    let entry = entries.iter().find(|entry| entry.field.as_str() == name.value);
    entry.is_some_and(|entry| entry.values.iter().any(|it| fields::equals(it, value)))
}
