//! What a report says, put into order for people: rows by component, the same thing said once.

use std::collections::BTreeMap;

use super::{Explained, Guess, Knowledge, Object, Owner, Report};
use crate::{
    facts::{State, Verdict},
    id::{Id, Lang},
    kb::Component,
    listing::without_made_up,
    theme::Strings,
    url::encode_query_value,
};

/// The facts, and in which words they are told.
#[derive(Clone, Copy, Debug)]
pub struct Teller<'a> {
    /// The facts.
    pub knowledge: &'a Knowledge,
    /// The words of the user interface.
    pub words: &'a Strings,
    /// The language.
    pub lang: &'a Lang,
}

/// The rows of one component, in the order in which it is first seen.
pub(super) struct Group<'a> {
    /// Whose they are.
    pub(super) component: &'a Id,
    /// The rows of which the same is to be said.
    pub(super) parts: Vec<Part<'a>>,
}

/// Rows of one component of which the same is to be said.
pub(super) struct Part<'a> {
    /// One of their owners; all say the same.
    pub(super) owner: &'a Owner,
    /// What just these rows are, if the facts say more than what the component is.
    pub(super) what: &'a str,
    /// The rows by object, in order: the first row of each, and how many are like it.
    pub(super) objects: Vec<(&'a Explained, usize)>,
}

/// Rows that nobody claims, by object.
pub(super) struct UnknownObject<'a> {
    /// The first of its rows.
    pub(super) row: &'a Explained,
    /// Its name without what was made up.
    pub(super) name: &'a str,
    /// How many more are like it.
    pub(super) more: usize,
}

impl<'a> Teller<'a> {
    /// The words under a key.
    pub(super) fn say(&self, key: &'a str) -> &'a str {
        self.words.get(key)
    }

    /// Rows by component.
    pub(super) fn groups(&self, report: &'a Report) -> Vec<Group<'a>> {
        let mut groups: Vec<Group<'a>> = Vec::new();
        let mut places: BTreeMap<&Id, usize> = BTreeMap::new();
        let mut seen: BTreeMap<(usize, usize, &str, &str, &str), usize> = BTreeMap::new();
        for explained in &report.rows {
            let Some(owner) = &explained.owner else { continue };
            let at = *places.entry(&owner.component).or_insert_with(|| {
                groups.push(Group { component: &owner.component, parts: Vec::new() });
                groups.len() - 1
            });
            let component = self.knowledge.components.get(&owner.component);
            let what = component.and_then(|component| owner.what(component)).map_or("", |text| text.get(self.lang));
            let section = component.and_then(|component| owner.section(component));
            let parts = &mut groups[at].parts;
            let same = |part: &Part<'_>| part.what == what && component.and_then(|component| part.owner.section(component)) == section;
            let part = parts.iter().position(same).unwrap_or_else(|| {
                parts.push(Part { owner, what, objects: Vec::new() });
                parts.len() - 1
            });
            let row = &explained.row;
            let key =
                (at, part, row.namespace.as_deref().unwrap_or_default(), row.kind.as_deref().unwrap_or_default(), owner.object.as_str());
            let objects = &mut parts[part].objects;
            if let Some(object) = seen.get(&key) {
                objects[*object].1 += 1;
            } else {
                seen.insert(key, objects.len());
                objects.push((explained, 0));
            }
        }
        groups
    }

    /// The name of the section that explains some rows, with its component's if that does not show.
    pub(super) fn part_name(&self, component: &Component, part: &Part<'_>) -> String {
        let section = part.owner.section(component).and_then(|id| self.knowledge.sections.get(id));
        section.map_or_else(|| component.name.clone(), |section| section.name.clone())
    }

    /// In whose cluster it was printed, and why that is believed.
    pub(super) fn provider(&self, guess: &Guess) -> String {
        let name = |id: &Id| self.knowledge.name(id).to_owned();
        match &guess.provider {
            Some(id) if guess.asked => self.words.with("explain_asked", &[("provider", &name(id))]),
            Some(id) if !guess.marks.is_empty() => {
                let marks: Vec<String> = guess.marks.iter().map(|mark| format!("`{}`", mark.trim())).collect();
                self.words.with("explain_guessed_marks", &[("provider", &name(id)), ("marks", &self.list(&marks))])
            }
            Some(id) if !guess.names.is_empty() => {
                self.words.with("explain_guessed", &[("provider", &name(id)), ("names", &self.list(&guess.names))])
            }
            Some(id) => name(id),
            None if guess.others.is_empty() => self.say("explain_no_provider").to_owned(),
            None => self.words.with("explain_maybe", &[("providers", &self.names(&guess.others))]),
        }
    }

    pub(super) fn count(&self, report: &Report) -> String {
        let known = report.rows.iter().filter(|row| row.owner.is_some()).count();
        self.words.with("explain_count", &[("known", &known.to_string()), ("all", &report.rows.len().to_string())])
    }

    pub(super) fn verdict(&self, verdict: Verdict) -> &'a str {
        self.words.verdict(verdict)
    }

    pub(super) fn state(&self, state: State) -> &'a str {
        self.words.state(state)
    }

    /// Names of components and providers, as a list.
    pub(super) fn names(&self, ids: &[Id]) -> String {
        self.list(&ids.iter().map(|id| self.knowledge.name(id).to_owned()).collect::<Vec<_>>())
    }

    pub(super) fn list(&self, items: &[String]) -> String {
        items.join(self.say("list_separator"))
    }

    /// What is usually there and is not, each in a line of its own.
    pub(super) fn missing(&self, report: &'a Report) -> Vec<String> {
        let line = |missing: &super::Missing| {
            let names = self.names(&missing.components);
            let names = if missing.components.len() > 1 { self.words.with("explain_missing_one_of", &[("names", &names)]) } else { names };
            let role = missing.role.as_ref().and_then(|id| self.knowledge.vocabulary.role(id));
            role.map_or(names.clone(), |role| format!("{names} ({})", role.label.get(self.lang)))
        };
        report.missing.iter().map(line).collect()
    }

    /// Why DaemonSets want no Pods: the reason, and whose it is.
    pub(super) fn idle(&self, report: &'a Report) -> Vec<(String, Vec<String>)> {
        let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
        for idle in &report.idle {
            let Some(row) = report.rows.iter().find(|row| row.line == idle.line) else { continue };
            let reason = match idle.selector.as_str() {
                "" => self.say("explain_idle_unknown").to_owned(),
                selector => self.words.with("explain_idle_selector", &[("labels", selector)]),
            };
            let name = row.row.name.clone();
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, names)) => names.push(name),
                None => reasons.push((reason, vec![name])),
            }
        }
        reasons
    }

    /// What still runs though its time is over, each in a line of its own.
    pub(super) fn outdated(&self, report: &'a Report) -> Vec<String> {
        let line = |outdated: &super::Outdated| {
            let (name, state) = (self.knowledge.name(&outdated.component), self.state(outdated.state));
            if outdated.replaced_by.is_empty() {
                return format!("{name} ({state})");
            }
            let replaced = self.words.with("explain_replaced_by", &[("names", &self.names(&outdated.replaced_by))]);
            format!("{name} ({state}{}{replaced})", self.say("list_separator"))
        };
        report.outdated.iter().map(line).collect()
    }

    /// Where a page for an object is proposed; `None` if the site does not say.
    pub(super) fn proposal(&self, unknown: &UnknownObject<'_>) -> Option<String> {
        let repository = self.knowledge.config.repository.as_ref()?;
        let kind = unknown.row.row.kind.as_deref().unwrap_or_default();
        let name = format!("{kind} {}", unknown.name).trim().to_owned();
        let title = self.words.with("explain_issue_title", &[("name", &name)]);
        let body = format!("{}\n\n    {name}\n", self.say("explain_issue_body"));
        let (repository, title, body) = (repository.trim_end_matches('/'), encode_query_value(&title), encode_query_value(&body));
        Some(format!("{repository}/issues/new?title={title}&body={body}"))
    }
}

/// An object in one line.
pub(super) fn object(object: &Object) -> String {
    let kind = object.kind.as_deref().map(|kind| format!("{} ", kind.to_lowercase())).unwrap_or_default();
    let namespace = object.namespace.as_deref().map(|namespace| format!(" ({namespace})")).unwrap_or_default();
    format!("{kind}{}{namespace}", object.name)
}

/// Rows that nobody claims, by object.
pub(super) fn unknown(report: &Report) -> Vec<UnknownObject<'_>> {
    let mut objects: Vec<UnknownObject<'_>> = Vec::new();
    let mut seen: BTreeMap<(Option<&str>, Option<&str>, &str), usize> = BTreeMap::new();
    for row in report.rows.iter().filter(|row| row.owner.is_none()) {
        let name = without_made_up(&row.row);
        let key = (row.row.namespace.as_deref(), row.row.kind.as_deref(), name);
        if let Some(object) = seen.get(&key) {
            objects[*object].more += 1;
        } else {
            seen.insert(key, objects.len());
            objects.push(UnknownObject { row, name, more: 0 });
        }
    }
    objects
}
