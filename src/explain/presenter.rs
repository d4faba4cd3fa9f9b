//! Groups an explanation for output: rows by component, without repeated sentences.

use std::collections::BTreeMap;

use super::{ComparedObject, ExplainedRow, Explanation, Knowledge, ProviderGuess, RowOwner};
use crate::{
    facts::KnownNameKind,
    id::{Id, Lang},
    kb::Component,
    listing::{Row, without_generated_suffixes},
    theme::Strings,
    url::encode_query_value,
};

/// The facts and the interface strings for the output of an explanation.
#[derive(Clone, Copy, Debug)]
pub struct Presenter<'a> {
    /// The facts.
    pub knowledge: &'a Knowledge,
    /// The interface strings.
    pub words: &'a Strings,
    /// The language.
    pub lang: &'a Lang,
}

/// The rows of one component; unhealthy components are first, then they are in the order of their first rows.
pub(super) struct ComponentRows<'a> {
    pub(super) component: &'a Id,
    /// Its rows by section and description.
    pub(super) sections: Vec<SectionRows<'a>>,
}

impl ComponentRows<'_> {
    /// Whether something is wrong with one of its objects.
    pub(super) fn is_unhealthy(&self) -> bool {
        self.sections.iter().flat_map(|part| &part.objects).any(|(row, _)| row.row.is_unhealthy())
    }
}

/// Rows of one component with the same section and description.
pub(super) struct SectionRows<'a> {
    /// One of their owners; the section is the same for all.
    pub(super) owner: &'a RowOwner,
    /// The description that is specific to these rows; empty if the facts have none.
    pub(super) what: &'a str,
    /// The first row of each object, or else its unhealthy ones with different statuses, the unhealthy ones first, and the number of further rows of the same
    /// object.
    pub(super) objects: Vec<(&'a ExplainedRow, usize)>,
}

/// Rows of an object without a component.
pub(super) struct UnknownObject<'a> {
    /// Its first unhealthy row, or else the first one.
    pub(super) row: &'a ExplainedRow,
    /// Its name without generated suffixes.
    pub(super) name: &'a str,
    /// The number of further rows of the same object.
    pub(super) more: usize,
}

/// Whether a row is not an object, but a line of text with a message or the source of a log.
pub(super) fn is_line(row: &Row) -> bool {
    [KnownNameKind::Message, KnownNameKind::LogSource].iter().any(|kind| row.kind.as_deref() == Some(kind.row_kind()))
}

impl<'a> Presenter<'a> {
    /// The interface string of a key.
    pub(super) fn phrase(&self, key: &'a str) -> &'a str {
        self.words.get(key)
    }

    /// Rows by component.
    pub(super) fn groups(&self, report: &'a Explanation) -> Vec<ComponentRows<'a>> {
        let provider = report.guess.provider.as_ref();
        let mut groups: Vec<ComponentRows<'a>> = Vec::new();
        let mut places: BTreeMap<&Id, usize> = BTreeMap::new();
        let mut seen: BTreeMap<(usize, usize, &str, &str, &str), Vec<usize>> = BTreeMap::new();
        for explained in &report.rows {
            let Some(owner) = &explained.owner else { continue };
            let at = *places.entry(&owner.component).or_insert_with(|| {
                groups.push(ComponentRows { component: &owner.component, sections: Vec::new() });
                groups.len() - 1
            });
            let component = self.knowledge.components.get(&owner.component);
            // The description of a row can be about another provider.
            let here = component.filter(|_| !self.knowledge.is_elsewhere(owner, provider));
            let of_name = |component: &'a Component| {
                let row = &explained.row;
                component.what_of_name(row.kind.as_deref().filter(|_| owner.entries.is_empty())?, &row.name)
            };
            let what = here.and_then(|component| component.what_of_row(&owner.entries).or_else(|| of_name(component)));
            let what = if owner.is_copy { self.phrase("explain_elsewhere") } else { what.map_or("", |text| text.get(self.lang)) };
            let section = component.and_then(|component| component.section_of_row(&owner.entries));
            let parts = &mut groups[at].sections;
            let same = |part: &SectionRows<'_>| {
                part.what == what && component.and_then(|component| component.section_of_row(&part.owner.entries)) == section
            };
            let part = parts.iter().position(same).unwrap_or_else(|| {
                parts.push(SectionRows { owner, what, objects: Vec::new() });
                parts.len() - 1
            });
            let row = &explained.row;
            let is_said = |(shown, _): &(&ExplainedRow, usize)| is_line(&shown.row) && shown.line == explained.line;
            if is_line(row) && parts[part].objects.iter().any(is_said) {
                continue;
            }
            let key =
                (at, part, row.namespace.as_deref().unwrap_or_default(), row.kind.as_deref().unwrap_or_default(), owner.object.as_str());
            let objects = &mut parts[part].objects;
            let places = seen.entry(key).or_default();
            let status = |explained: &ExplainedRow| explained.row.health.as_ref().and_then(|health| health.status.clone());
            let is_same = |place: &&usize| {
                !row.is_unhealthy() || !objects[**place].0.row.is_unhealthy() || status(objects[**place].0) == status(explained)
            };
            if let Some(place) = places.iter().find(is_same) {
                let (shown, more) = &mut objects[*place];
                *more += 1;
                if row.is_unhealthy() && !shown.row.is_unhealthy() {
                    *shown = explained;
                }
            } else {
                places.push(objects.len());
                objects.push((explained, 0));
            }
        }
        for part in groups.iter_mut().flat_map(|group| &mut group.sections) {
            part.objects.sort_by_key(|(row, _)| !row.row.is_unhealthy());
        }
        groups.sort_by_key(|group| !group.is_unhealthy());
        groups
    }

    /// The name of the section that explains some rows; the name of the component if there is none.
    pub(super) fn part_name(&self, component: &Component, part: &SectionRows<'_>) -> String {
        let section = component.section_of_row(&part.owner.entries).and_then(|id| self.knowledge.sections.get(id));
        section.map_or_else(|| component.name.clone(), |section| section.name.clone())
    }

    /// The provider of the cluster, and the reason for the guess.
    pub(super) fn provider(&self, guess: &ProviderGuess) -> String {
        let name = |id: &Id| self.knowledge.name(id).to_owned();
        match &guess.provider {
            Some(id) if guess.given => self.words.with("explain_asked", &[("provider", &name(id))]),
            Some(id) if !guess.marks.is_empty() => {
                let marks: Vec<String> = guess.marks.iter().map(|mark| format!("`{}`", mark.trim())).collect();
                self.words.with("explain_guessed_marks", &[("provider", &name(id)), ("marks", &self.list(&marks))])
            }
            Some(id) if !guess.names.is_empty() => {
                self.words.with("explain_guessed", &[("provider", &name(id)), ("names", &self.list(&guess.names))])
            }
            Some(id) => name(id),
            None if guess.others.is_empty() => self.phrase("explain_no_provider").to_owned(),
            None => self.words.with("explain_maybe", &[("providers", &self.names(&guess.others))]),
        }
    }

    /// What is wrong with the object of a row: its status, or how many of its replicas are ready. Empty if it is healthy.
    pub(super) fn condition(&self, row: &Row) -> String {
        let Some(health) = row.health.as_ref().filter(|health| !health.healthy) else { return String::new() };
        let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
        match health.status.as_deref() {
            Some(status) if status != "Running" => status.to_owned(),
            // It is running and ready, but was restarted again and again.
            Some(_) if health.ready == health.desired => self.words.with("explain_restarts", &[("n", &number(health.restarts))]),
            _ if health.updated.is_some() && health.ready >= health.desired => {
                self.words.with("explain_updated", &[("updated", &number(health.updated)), ("desired", &number(health.desired))])
            }
            _ => self.words.with("explain_ready", &[("ready", &number(health.ready)), ("desired", &number(health.desired))]),
        }
    }

    pub(super) fn count(&self, report: &Explanation) -> String {
        let known = report.rows.iter().filter(|row| row.owner.is_some()).count();
        self.words.with("explain_count", &[("known", &known.to_string()), ("all", &report.rows.len().to_string())])
    }

    /// Names of components and providers, as a list.
    pub(super) fn names(&self, ids: &[Id]) -> String {
        self.list(&ids.iter().map(|id| self.knowledge.name(id).to_owned()).collect::<Vec<_>>())
    }

    pub(super) fn list(&self, items: &[String]) -> String {
        items.join(self.phrase("list_separator"))
    }

    /// One line for each set of missing components.
    pub(super) fn missing(&self, report: &'a Explanation) -> Vec<String> {
        let line = |missing: &super::MissingComponents| {
            let names = self.names(&missing.components);
            let names = if missing.components.len() > 1 { self.words.with("explain_missing_one_of", &[("names", &names)]) } else { names };
            let role = missing.role.as_ref().and_then(|id| self.knowledge.vocabulary.role(id));
            role.map_or(names.clone(), |role| format!("{names} ({})", role.label.get(self.lang)))
        };
        report.missing.iter().map(line).collect()
    }

    /// One line for each reason why DaemonSets have no desired Pods, with the names of the DaemonSets.
    pub(super) fn idle(&self, report: &'a Explanation) -> Vec<String> {
        let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for idle in &report.idle {
            // Rows are in the order of their lines.
            let at = report.rows.partition_point(|row| row.line < idle.line);
            let Some(row) = report.rows.get(at).filter(|row| row.line == idle.line) else { continue };
            let place = *places.entry(&idle.selector).or_insert_with(|| {
                let reason = match idle.selector.as_str() {
                    "" => self.phrase("explain_idle_unknown").to_owned(),
                    selector => self.words.with("explain_idle_selector", &[("labels", selector)]),
                };
                reasons.push((reason, Vec::new()));
                reasons.len() - 1
            });
            reasons[place].1.push(row.row.name.clone());
        }
        let colon = self.phrase("explain_colon");
        reasons.into_iter().map(|(reason, names)| format!("{reason}{colon}{}", self.list(&names))).collect()
    }

    /// One line for each outdated component.
    pub(super) fn outdated(&self, report: &'a Explanation) -> Vec<String> {
        let line = |outdated: &super::OutdatedComponent| {
            let (name, state) = (self.knowledge.name(&outdated.component), self.words.state(outdated.state));
            if outdated.replaced_by.is_empty() {
                return format!("{name} ({state})");
            }
            let replaced = self.words.with("explain_replaced_by", &[("names", &self.names(&outdated.replaced_by))]);
            format!("{name} ({state}{}{replaced})", self.phrase("list_separator"))
        };
        report.outdated.iter().map(line).collect()
    }

    /// The address where a page for an object can be proposed; `None` without a repository in the configuration, and for a name that is not that of a component.
    pub(super) fn proposal(&self, unknown: &UnknownObject<'_>) -> Option<String> {
        if !unknown.row.row.could_be_component() {
            return None;
        }
        let repository = self.knowledge.config.repository.as_ref()?;
        let kind = unknown.row.row.kind.as_deref().unwrap_or_default();
        let name = format!("{kind} {}", unknown.name).trim().to_owned();
        let title = self.words.with("explain_issue_title", &[("name", &name)]);
        let body = format!("{}\n\n    {name}\n", self.phrase("explain_issue_body"));
        let (repository, title, body) = (repository.trim_end_matches('/'), encode_query_value(&title), encode_query_value(&body));
        Some(format!("{repository}/issues/new?title={title}&body={body}"))
    }
}

/// An object in one line.
pub(super) fn object(object: &ComparedObject) -> String {
    let kind = object.kind.as_deref().map(|kind| format!("{} ", kind.to_lowercase())).unwrap_or_default();
    let namespace = object.namespace.as_deref().map(|namespace| format!(" ({namespace})")).unwrap_or_default();
    format!("{kind}{}{namespace}", object.name)
}

/// Rows without a component, by object; unhealthy objects are first.
pub(super) fn unknown(report: &Explanation) -> Vec<UnknownObject<'_>> {
    let mut objects: Vec<UnknownObject<'_>> = Vec::new();
    let mut seen: BTreeMap<(Option<&str>, Option<&str>, &str), usize> = BTreeMap::new();
    for row in report.rows.iter().filter(|row| row.owner.is_none()) {
        let name = without_generated_suffixes(&row.row);
        let key = (row.row.namespace.as_deref(), row.row.kind.as_deref(), name);
        if let Some(object) = seen.get(&key) {
            let object = &mut objects[*object];
            object.more += 1;
            if row.row.is_unhealthy() && !object.row.row.is_unhealthy() {
                object.row = row;
            }
        } else {
            seen.insert(key, objects.len());
            objects.push(UnknownObject { row, name, more: 0 });
        }
    }
    objects.sort_by_key(|object| !object.row.row.is_unhealthy());
    objects
}
