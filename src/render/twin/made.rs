//! Twins of the pages that the program makes.

use std::fmt::Write as _;

use super::{Document, below, below::Below, code, label, line, to_twin};
use crate::{
    coverage::ClaimKind,
    id::Id,
    kb::{Diagram, Provider, ReleaseIndex},
    layout::{API, ARCHITECTURE, COMPARE, COMPONENTS, CONCEPTS, COVERAGE, EXPLAIN, PROVIDERS, SEARCH, TIMELINE},
    load::PageDraft,
    render::{api, component, diagrams, generated, navigation, reader::day},
    url::Url,
};

impl<'a> Document<'_, 'a> {
    pub(super) fn generated(&mut self, path: &str, text: Option<&PageDraft>) {
        let reader = self.reader;
        let kb = reader.kb();
        if path.is_empty() {
            let language = reader.language();
            self.title(&language.title, &language.description);
            self.text.push('\n');
            for (own, _) in generated(kb) {
                let _ = writeln!(self.text, "- [{}]({})", reader.words(navigation::generated_title(own)), to_twin(&reader.href(own)));
            }
            return;
        }
        match below::at(kb, path) {
            Some(Below::Pair(a, b)) => {
                let title = reader.strings().with("compare_pair", &[("a", &a.name), ("b", &b.name)]);
                self.title(&title, reader.words("compare_description"));
                self.shipped_by(&[a, b]);
                return;
            }
            Some(Below::Release(release)) => return self.release(release),
            None => {}
        }
        let key = navigation::generated_title(path);
        let description = format!("{key}_description");
        self.title(reader.words(key), reader.strings().get(&description));
        if let Some(text) = text {
            self.body(text);
        }
        self.text.push('\n');
        match path {
            COMPONENTS => {
                let rows = kb.components.values().map(|it| {
                    let verdict = it.removal.as_ref().map(|removal| component::verdict(reader, removal.general.verdict).label);
                    vec![self.link(&it.id), component::area(reader, &it.area).name, verdict.unwrap_or_default(), self.summary(&it.id)]
                });
                let rows: Vec<Vec<String>> = rows.collect();
                self.table(&["name", "area", "verdict", "what"], &rows);
            }
            PROVIDERS => self.list(kb.providers.keys()),
            CONCEPTS => self.list(kb.concepts.keys()),
            COMPARE => self.shipped_by(&kb.providers.values().map(AsRef::as_ref).collect::<Vec<_>>()),
            ARCHITECTURE => kb.diagrams.all.iter().for_each(|diagram| self.drawn(diagram, None)),
            TIMELINE => self.timeline(),
            COVERAGE => self.coverage(),
            API => self.formats(),
            EXPLAIN | SEARCH => self.data(),
            _ => {}
        }
    }

    fn summary(&self, id: &Id) -> String {
        let kb = self.reader.kb();
        let page = kb.path_of(id.as_str()).and_then(|path| kb.pages.get(path.as_str()));
        let text = page.and_then(|page| page.text(self.reader.lang, kb.config.default_language()));
        text.and_then(|text| text.front.summary.clone()).unwrap_or_default()
    }

    fn list<'i>(&mut self, ids: impl Iterator<Item = &'i Id>) {
        let rows: Vec<Vec<String>> = ids.map(|id| vec![self.link(id), self.summary(id)]).collect();
        self.table(&["name", "what"], &rows);
    }

    fn shipped_by(&mut self, providers: &[&'a Provider]) {
        for provider in providers {
            let _ = writeln!(self.text, "\n## {}\n", line(&provider.name));
            let claims = provider.claims.iter().filter(|claim| claim.role.is_some());
            let rows: Vec<Vec<String>> = claims.map(|claim| self.shipped(claim, &[])).collect();
            self.table(&["role", "component", "claim_presence", "form", "what"], &rows);
        }
    }

    /// The system at a release.
    fn release(&mut self, release: ReleaseIndex) {
        let reader = self.reader;
        let kb = reader.kb();
        let platform = kb.vocabulary.platform.as_deref().unwrap_or_default();
        let title = reader.strings().with("architecture_in", &[("platform", platform), ("v", &kb.vocabulary.release(release).name)]);
        self.title(title.trim(), reader.words("architecture_description"));
        for diagram in kb.diagrams.all.iter().filter(|diagram| diagram.by_release) {
            self.drawn(diagram, Some(release));
        }
    }

    /// What a drawing shows: each thing, where it is, and what it does to the others.
    fn drawn(&mut self, diagram: &'a Diagram, release: Option<ReleaseIndex>) {
        let reader = self.reader;
        let kb = reader.kb();
        let _ = writeln!(self.text, "\n## {}\n", line(reader.text(&diagram.title)));
        let what = reader.optional(diagram.what.as_ref());
        if !what.is_empty() {
            let _ = writeln!(self.text, "{}\n", line(what));
        }
        let shown: Vec<&Id> = diagrams::shown(kb, diagram, release).into_iter().map(|(id, _)| id).collect();
        for id in &shown {
            let place = kb.components.get(*id).map(|it| component::place(reader, it.place.as_ref())).unwrap_or_default();
            let place = if place.is_empty() { String::new() } else { format!(" ({})", line(place)) };
            let of_diagram = |verb: &Id| diagram.verbs.is_empty() || diagram.verbs.contains(verb);
            let relations = kb.relations_of(id).0.iter().filter(|it| shown.contains(&&it.to) && of_diagram(&it.verb));
            let does: Vec<String> = relations
                .map(|it| {
                    let verb = kb.vocabulary.verb(&it.verb).map_or(it.verb.as_str(), |verb| reader.text(&verb.label));
                    format!("{verb} {}", self.link(&it.to))
                })
                .collect();
            let does = if does.is_empty() { String::new() } else { format!(": {}", does.join("; ")) };
            let name = self.link(id);
            let _ = writeln!(self.text, "- {name}{place}{does}");
        }
    }

    fn timeline(&mut self) {
        let reader = self.reader;
        let kb = reader.kb();
        let name = |index: Option<ReleaseIndex>| index.map(|index| kb.vocabulary.release(index).name.clone()).unwrap_or_default();
        let rows = kb.components.values().filter_map(|it| {
            let lifecycle = it.lifecycle.as_ref()?;
            Some(vec![
                self.link(&it.id),
                component::state(reader, lifecycle.state).label,
                component::since(reader, lifecycle),
                name(lifecycle.deprecated),
                name(lifecycle.removed),
                self.links(&lifecycle.replaced_by),
            ])
        });
        let rows: Vec<Vec<String>> = rows.collect();
        self.table(&["name", "state", "since", "state_deprecated", "state_removed", "replaced_by"], &rows);
        let _ = writeln!(self.text, "\n## {}\n", reader.words("timeline_releases"));
        let rows = kb.vocabulary.releases.iter().map(|release| {
            let planned = || match release.planned {
                Some(planned) => format!("{} {}", reader.words("planned"), day(planned)),
                None => reader.words("planned").to_owned(),
            };
            vec![release.name.clone(), release.date.map_or_else(planned, day), release.end.map(day).unwrap_or_default()]
        });
        self.table(&["release", "date", "support_end"], &rows.collect::<Vec<_>>());
    }

    fn coverage(&mut self) {
        let reader = self.reader;
        let found = reader.context.coverage.get_or_init(|| crate::coverage::coverage(reader.kb()));
        let rows = ClaimKind::ALL.into_iter().filter_map(|kind| {
            let count = found.claims.get(&kind)?;
            let without = count.total - count.with_evidence - count.unknown;
            let numbers = [count.total, count.with_evidence, without, count.unknown].map(|number| number.to_string());
            Some(std::iter::once(crate::render::coverage::kind_label(reader, kind).to_owned()).chain(numbers).collect())
        });
        let rows: Vec<Vec<String>> = rows.collect();
        self.table(&["coverage_about", "coverage_total", "coverage_with_evidence", "coverage_without_evidence", "unknown"], &rows);
        let gaps = [
            ("coverage_no_examples", &found.without_examples),
            ("coverage_no_counter_examples", &found.without_counter_examples),
            ("coverage_unknown_verdict", &found.unknown_verdicts),
            ("coverage_unknown_since", &found.unknown_since),
        ];
        self.text.push('\n');
        for (key, ids) in gaps.into_iter().filter(|(_, ids)| !ids.is_empty()) {
            let links = self.links(ids);
            let _ = writeln!(self.text, "- **{}** ({}): {links}", reader.words(key), ids.len());
        }
    }

    fn formats(&mut self) {
        let reader = self.reader;
        for table in api::tables(reader) {
            let _ = writeln!(self.text, "\n{} {}\n", if table.is_root { "##" } else { "###" }, code(&table.name));
            let _ = writeln!(self.text, "{}\n", line(&table.about));
            let rows: Vec<Vec<String>> = table.fields.into_iter().map(|[name, kind, meaning]| vec![code(&name), kind, meaning]).collect();
            self.table(&["api_field", "api_type", "api_meaning"], &rows);
        }
    }

    /// Where a program finds what the page needs a script for.
    fn data(&mut self) {
        let reader = self.reader;
        let known = ["api/v1/components.json", "api/v1/lookup.json"];
        for path in known.into_iter().filter(|_| !reader.kb().components.is_empty()) {
            let _ = writeln!(self.text, "- [{}]({})", label(path), reader.href_to(&Url::file(path)));
        }
        let _ = writeln!(self.text, "- [{}]({})", reader.words("api"), to_twin(&reader.href(API)));
    }
}
