//! Markdown exports of generated pages.

use std::fmt::Write as _;

use super::{MarkdownExport, code, label, line, to_export};
use crate::{
    facts::KnownNameKind,
    id::Id,
    kb::{Claim, Diagram, Provider, ReleaseIndex},
    layout::{GeneratedFile, GeneratedPage},
    render::{
        api, compare, component_versions,
        coverage::kind_label,
        diagram_nodes::diagram_nodes,
        exemption_formats::{ExemptionFormat, exemptions_path},
        exemptions, glossary, index, labels, ports,
        reader::{LinkView, day},
        routes::{PageRoute, tag_path},
        version_links, version_tables, versions, well_known,
    },
    url::Url,
};

impl<'a> MarkdownExport<'_, 'a> {
    pub(super) fn generated(&mut self, page: &PageRoute) {
        let reader = self.reader;
        let kb = reader.kb();
        match page {
            PageRoute::Generated(page) => self.generated_page(*page),
            PageRoute::ProviderPair(a, b) => {
                let providers: Vec<&Provider> = [a, b].into_iter().filter_map(|id| kb.providers.get(id)).map(AsRef::as_ref).collect();
                if let [a, b] = providers[..] {
                    let title = reader.strings().with("compare_pair", &[("a", &a.name), ("b", &b.name)]);
                    self.title(&title, reader.words("compare_description"));
                }
                self.shipped_by(providers.into_iter(), |claim| claim.role.is_some());
            }
            PageRoute::ProviderPorts(id) => {
                if let Some(provider) = kb.providers.get(id) {
                    self.title(&ports::title_at(reader, provider), reader.words("ports_of_description"));
                    self.text.push('\n');
                    self.ports(Some(provider));
                }
            }
            PageRoute::ComponentVersions(id) => self.component_versions(id),
            PageRoute::Role(id) => {
                if let Some(role) = kb.vocabulary.role(id) {
                    self.title(&compare::role_title(reader, role), reader.text(&role.what));
                }
                self.shipped_by(kb.providers.values().map(AsRef::as_ref), |claim| claim.role.as_ref() == Some(id));
            }
            PageRoute::Release(release, _) => self.release(*release),
            PageRoute::ReleasePair(from, to) => self.release_pair(*from, *to),
            PageRoute::Tag(name) => {
                let tag = kb.tags.get(name);
                self.title(&reader.strings().with("tag", &[("name", tag.map_or(name, |tag| &tag.label))]), "");
                self.text.push('\n');
                for page in tag.into_iter().flat_map(|tag| &tag.pages) {
                    let title = reader.title_at(page).unwrap_or_default();
                    let _ = writeln!(self.text, "- [{}]({})", line(&title), to_export(&reader.href(page)));
                }
            }
            PageRoute::Area(id) => {
                if let Some(area) = kb.vocabulary.area(id) {
                    self.title(reader.text(&area.label), reader.text(&area.what));
                    self.text.push('\n');
                    self.list(index::components_of(reader, id).into_iter().map(|component| &component.id));
                }
            }
            PageRoute::Folder(path) => {
                self.title(&reader.title_at(path).unwrap_or_default(), "");
                self.text.push('\n');
                for page in reader.context.navigation.section(path) {
                    let title = reader.title_at(page).unwrap_or_default();
                    let _ = writeln!(self.text, "- [{}]({})", line(&title), to_export(&reader.href(page)));
                }
            }
            _ => {
                let language = reader.language();
                self.title(&language.title, &language.description);
                self.text.push('\n');
                for page in reader.kb().generated.iter() {
                    let _ = writeln!(self.text, "- [{}]({})", reader.words(page.title_key()), to_export(&reader.href(page.path())));
                }
            }
        }
    }

    fn generated_page(&mut self, page: GeneratedPage) {
        let reader = self.reader;
        let kb = reader.kb();
        let description = format!("{}_description", page.title_key());
        self.title(reader.words(page.title_key()), reader.strings().get(&description));
        if let Some(text) = reader.page_text(page.path()) {
            self.body(text);
        }
        self.text.push('\n');
        match page {
            GeneratedPage::Components => {
                let rows = kb.components.values().map(|it| {
                    let verdict = it.deletion.removal.as_ref().map(|removal| labels::verdict(reader, removal.general.verdict).label);
                    vec![self.link(&it.id), labels::area(reader, &it.area).name, verdict.unwrap_or_default(), self.summary(&it.id)]
                });
                self.table(&["name", "area", "verdict", "what"], rows.collect::<Vec<_>>());
            }
            GeneratedPage::Providers => self.list(kb.providers.keys()),
            GeneratedPage::Concepts => self.list(kb.concepts.keys()),
            GeneratedPage::Compare => self.shipped_by(kb.providers.values().map(AsRef::as_ref), |claim| claim.role.is_some()),
            GeneratedPage::Architecture => kb.diagrams.all.iter().for_each(|diagram| self.diagram(diagram, None)),
            GeneratedPage::Versions => self.timeline(),
            GeneratedPage::ComponentVersions => self.component_versions_overview(),
            GeneratedPage::Coverage => self.coverage(),
            GeneratedPage::Glossary => {
                for (term, meaning) in glossary::terms(reader) {
                    let _ = writeln!(self.text, "- **{}:** {}", line(term), line(meaning));
                }
            }
            GeneratedPage::Ports => self.ports(None),
            GeneratedPage::Exemptions => {
                for format in ExemptionFormat::ALL {
                    let usage = reader.strings().term("exemptions", format.id());
                    let _ = writeln!(self.text, "- [{}]({}): {}", format.name(), format.documentation(), line(usage));
                }
                for provider in exemptions::providers(kb) {
                    let _ = writeln!(self.text, "\n## {}\n", line(&provider.name));
                    for format in ExemptionFormat::ALL {
                        let href = reader.href_to(&Url::file(&exemptions_path(&provider.id, format)));
                        let _ = writeln!(self.text, "- [{}]({href})", format.name());
                    }
                }
            }
            GeneratedPage::WellKnown => {
                for kind in KnownNameKind::OF_OBJECTS {
                    let names = well_known::names(reader, kind);
                    if !names.is_empty() {
                        let _ = writeln!(self.text, "\n## {}\n", reader.strings().term("known", kind.name()));
                        let rows = names.into_iter().map(|(name, component, it)| {
                            vec![code(name), self.link(&component.id), reader.optional(it.what.as_ref()).to_owned()]
                        });
                        self.table(&["name", "component", "what"], rows.collect::<Vec<_>>());
                    }
                }
            }
            GeneratedPage::Tags => {
                for (name, tag) in kb.tags.iter() {
                    let _ = writeln!(self.text, "- [{}]({})", label(&tag.label), to_export(&reader.href(&tag_path(name))));
                }
            }
            GeneratedPage::Api => self.formats(),
            GeneratedPage::Explain | GeneratedPage::Search => self.data(),
        }
    }

    fn summary(&self, id: &Id) -> String {
        self.reader.kb().path_of(id.as_str()).map_or("", |path| self.reader.summary(&path)).to_owned()
    }

    fn list<'i>(&mut self, ids: impl Iterator<Item = &'i Id>) {
        let rows: Vec<Vec<String>> = ids.map(|id| vec![self.link(id), self.summary(id)]).collect();
        self.table(&["name", "what"], rows);
    }

    fn ports(&mut self, provider: Option<&Provider>) {
        let reader = self.reader;
        let rows = ports::open_ports(reader.kb(), provider).into_iter().map(|open| {
            let clients: Vec<String> = open.clients.iter().map(|id| self.link(id)).collect();
            let port = format!("{}/{}", labels::ports(open.port), open.port.protocols.join(", "));
            let place = labels::place(reader, open.component.place.as_ref()).to_owned();
            vec![port, self.link(&open.component.id), reader.optional(open.port.what.as_ref()).to_owned(), clients.join(", "), place]
        });
        self.table(&["port", "component", "what", "ports_from", "place"], rows.collect::<Vec<_>>());
    }

    fn component_versions_overview(&mut self) {
        let reader = self.reader;
        let link = |id: &Id| {
            let link = version_links::named(reader, id);
            format!("[{}]({})", line(&link.name), to_export(&link.href))
        };
        for id in reader.kb().versions.keys().chain(reader.kb().components_with_versions()) {
            let _ = writeln!(self.text, "- {}", link(id));
        }
    }

    fn component_versions(&mut self, id: &Id) {
        let reader = self.reader;
        let kb = reader.kb();
        self.title(&version_links::title_of(reader, id), "");
        let of_provider = kb.versions.get(id);
        let tables = of_provider.map_or_else(|| version_tables::of_component(kb, id), |it| version_tables::of_provider(id, it));
        for table in tables {
            let _ = writeln!(self.text, "\n## {}\n", line(&component_versions::title_of_table(reader, &table, of_provider.is_none())));
            for row in &table.rows {
                let name = reader.link(row.provider).name;
                let kind = labels::version_kind(reader, row.source.kind).label;
                let of = row.component.map(|id| self.link(id)).unwrap_or_default();
                let _ = writeln!(self.text, "- {} · {} · {of} {}", line(&name), line(&kind), code(row.image));
                let lines: Vec<Option<&str>> =
                    if table.lines.is_empty() { vec![None] } else { table.lines.iter().copied().map(Some).collect() };
                for release in lines {
                    let versions: Vec<&str> = row.cell(release).into_iter().map(|of| of.version.version.as_str()).collect();
                    if !versions.is_empty() {
                        let release = release.unwrap_or_else(|| reader.words("all_releases"));
                        let _ = writeln!(self.text, "  - {}: {}", line(release), line(&versions.join(", ")));
                    }
                }
            }
        }
    }

    fn shipped_by(&mut self, providers: impl Iterator<Item = &'a Provider>, is_shown: impl Fn(&Claim) -> bool) {
        for provider in providers {
            let _ = writeln!(self.text, "\n## {}\n", line(&provider.name));
            self.shipped(provider.claims.iter().filter(|claim| is_shown(claim)), &[]);
        }
    }

    fn release(&mut self, release: ReleaseIndex) {
        let reader = self.reader;
        let kb = reader.kb();
        let platform = kb.vocabulary.platform.as_deref().unwrap_or_default();
        let title = reader.strings().with("architecture_in", &[("platform", platform), ("v", &kb.vocabulary.release(release).name)]);
        self.title(title.trim(), reader.words("architecture_description"));
        for diagram in kb.diagrams.all.iter().filter(|diagram| diagram.by_release) {
            self.diagram(diagram, Some(release));
        }
    }

    /// A diagram as a list: each node, its place, and its relations to others.
    fn diagram(&mut self, diagram: &'a Diagram, release: Option<ReleaseIndex>) {
        let reader = self.reader;
        let kb = reader.kb();
        let _ = writeln!(self.text, "\n## {}\n", line(reader.text(&diagram.title)));
        let what = reader.optional(diagram.what.as_ref());
        if !what.is_empty() {
            let _ = writeln!(self.text, "{}\n", line(what));
        }
        let shown: Vec<&Id> = diagram_nodes(kb, diagram, release).into_iter().map(|(id, _)| id).collect();
        for id in &shown {
            let place = kb.components.get(*id).map(|it| labels::place(reader, it.place.as_ref())).unwrap_or_default();
            let place = if place.is_empty() { String::new() } else { format!(" ({})", line(place)) };
            let of_diagram = |verb: &Id| diagram.verbs.is_empty() || diagram.verbs.contains(verb);
            let relations = kb.relations_of(id).0.iter().filter(|it| shown.contains(&&it.to) && of_diagram(&it.verb));
            let does: Vec<String> =
                relations.map(|it| format!("{} {}", labels::verb(reader, &it.verb, false), self.link(&it.to))).collect();
            let does = if does.is_empty() { String::new() } else { format!(": {}", does.join("; ")) };
            let name = self.link(id);
            let _ = writeln!(self.text, "- {name}{place}{does}");
        }
    }

    fn release_pair(&mut self, from: ReleaseIndex, to: ReleaseIndex) {
        let reader = self.reader;
        self.title(&versions::release_pair_title(reader, from, to), reader.words("versions_description"));
        for group in versions::changes(reader, from, to).groups {
            let _ = writeln!(self.text, "\n## {}\n", group.label);
            for entry in group.entries {
                let link = |link: &LinkView| format!("[{}]({})", line(&link.name), to_export(&link.href));
                let names = [entry.provider.as_ref(), entry.link.as_ref()].into_iter().flatten().map(link);
                let name = names.chain((!entry.part.is_empty()).then(|| line(&entry.part))).collect::<Vec<_>>().join(" ");
                let what = if entry.what.is_empty() { String::new() } else { format!(": {}", line(&entry.what)) };
                let successors: Vec<String> = entry.replaced_by.iter().map(link).collect();
                let successors = if successors.is_empty() {
                    String::new()
                } else {
                    format!(" ({} {})", reader.words("replaced_by"), successors.join(", "))
                };
                let _ = writeln!(self.text, "- {} {name}{what}{successors}", entry.release);
            }
        }
    }

    fn timeline(&mut self) {
        let reader = self.reader;
        let kb = reader.kb();
        let rows = kb.components.values().filter_map(|it| {
            let lifecycle = it.lifecycle.as_ref()?;
            Some(vec![
                self.link(&it.id),
                labels::state(reader, lifecycle.state).label,
                labels::since(reader, lifecycle),
                labels::release(reader, lifecycle.deprecated).to_owned(),
                labels::release(reader, lifecycle.removed).to_owned(),
                self.links(&lifecycle.replaced_by),
            ])
        });
        let rows: Vec<Vec<String>> = rows.collect();
        self.table(&["name", "state", "since", "state_deprecated", "state_removed", "replaced_by"], rows);
        let _ = writeln!(self.text, "\n## {}\n", reader.words("timeline_releases"));
        let rows = kb.vocabulary.releases.iter().map(|release| {
            let planned = || match release.planned {
                Some(planned) => format!("{} {}", reader.words("planned"), day(planned)),
                None => reader.words("planned").to_owned(),
            };
            vec![release.name.clone(), release.date.map_or_else(planned, day), release.end.map(day).unwrap_or_default()]
        });
        self.table(&["release", "date", "support_end"], rows);
    }

    fn coverage(&mut self) {
        let reader = self.reader;
        let found = reader.context.coverage.get_or_init(|| crate::coverage::coverage(reader.kb()));
        let rows = found.claims.iter().map(|(kind, count)| {
            let without = count.total - count.with_evidence - count.unknown;
            let numbers = [count.total, count.with_evidence, without, count.unknown].map(|number| number.to_string());
            std::iter::once(kind_label(reader, *kind).to_owned()).chain(numbers).collect()
        });
        self.table(&["coverage_about", "coverage_total", "coverage_with_evidence", "coverage_without_evidence", "unknown"], rows);
        let gaps = [
            ("coverage_no_examples", &found.without_examples),
            ("coverage_no_counter_examples", &found.without_counter_examples),
            ("coverage_unknown_verdict", &found.unknown_verdicts),
            ("coverage_unknown_since", &found.unknown_since),
            ("coverage_no_symptoms", &found.without_symptoms),
            ("coverage_no_actions", &found.without_actions),
        ];
        self.text.push('\n');
        for (key, ids) in gaps.into_iter().filter(|(_, ids)| !ids.is_empty()) {
            let links = self.links(ids);
            let _ = writeln!(self.text, "- **{}** ({}): {links}", reader.words(key), ids.len());
        }
    }

    fn formats(&mut self) {
        let reader = self.reader;
        for (found, table) in
            api::formats(reader).into_iter().flat_map(|format| format.tables.into_iter().map(move |it| (format.found, it)))
        {
            let (level, name) = if table.name.is_empty() { ("##", found) } else { ("###", table.name.as_str()) };
            let _ = writeln!(self.text, "\n{level} {}\n\n{}\n", code(name), line(&table.about.text));
            let rows = table.fields.into_iter().map(|field| vec![code(&field.name), field.kind.text(reader), field.about.text]);
            self.table(&["api_field", "api_type", "api_meaning"], rows);
        }
    }

    /// The data for programs that can't run the script of the page.
    fn data(&mut self) {
        let reader = self.reader;
        let files = [GeneratedFile::Components, GeneratedFile::Lookup, GeneratedFile::Names].map(GeneratedFile::path);
        for path in files.into_iter().filter(|path| reader.context.routes.contains(&Url::file(path))) {
            let _ = writeln!(self.text, "- [{}]({})", label(path), reader.href_to(&Url::file(path)));
        }
        let _ = writeln!(self.text, "- [{}]({})", reader.words("api"), to_export(&reader.href(GeneratedPage::Api.path())));
    }
}
