//! Each page as Markdown, for programs that read text: `index.md` next to `index.html`, with the facts as tables.

mod generated;
mod text;

use std::{collections::BTreeMap, fmt::Write as _};

use super::{
    claims::claims_of,
    context::Context,
    fields,
    labels::{self, section_title},
    node_facts::{NodeFacts, NodeRelation},
    reader::Reader,
    routes::{MARKDOWN_EXPORT, PageRoute},
};
use crate::{
    facts::Verdict,
    id::{Id, Lang},
    kb::{Claim, Component, Evidence, FieldEntry, Listing, Page, PageKind, Port, Provider, Removal, RemovalCase, Restart, Text},
    layout::{FactSection, PagePart, SYMPTOMS},
    listing::{Controller, POD},
    load::PageDraft,
};
use text::section_headings;

/// The Markdown of a page in a language.
pub(super) fn export(context: &Context<'_>, page: &PageRoute, lang: &Lang) -> String {
    let reader = Reader::new(context, lang, context.kb.config.page_url(&page.path(context.kb), lang));
    let mut out = MarkdownExport { reader: &reader, text: String::new() };
    match page.written(context.kb).and_then(|page| Some((page, page.text(lang, context.kb.config.default_language())?))) {
        Some((page, text)) => out.written(page, text),
        None => out.generated(page),
    }
    out.text
}

/// A Markdown document that is being written.
struct MarkdownExport<'r, 'a> {
    reader: &'r Reader<'a>,
    text: String,
}

impl<'a> MarkdownExport<'_, 'a> {
    fn title(&mut self, title: &str, summary: &str) {
        let _ = writeln!(self.text, "# {}", line(title));
        if !summary.is_empty() {
            let _ = writeln!(self.text, "\n> {}", line(summary));
        }
    }

    fn heading(&mut self, section: FactSection) {
        let _ = writeln!(self.text, "\n## {}\n", section_title(self.reader, section));
    }

    /// Writes `- **Area:** DNS`; writes nothing if the value is empty.
    fn item(&mut self, key: &'a str, value: &str) {
        if !value.is_empty() {
            let _ = writeln!(self.text, "- **{}:** {}", self.reader.words(key), line(value));
        }
    }

    /// A table whose empty columns are left out.
    fn table(&mut self, titles: &[&'a str], rows: impl IntoIterator<Item = Vec<String>>) {
        let rows: Vec<Vec<String>> = rows.into_iter().collect();
        let shown: Vec<usize> =
            (0..titles.len()).filter(|at| rows.iter().any(|row| row.get(*at).is_some_and(|cell| !cell.is_empty()))).collect();
        let mut row = |cells: &mut dyn Iterator<Item = String>| {
            self.text.push('|');
            for cell in cells {
                let _ = write!(self.text, " {cell} |");
            }
            self.text.push('\n');
        };
        row(&mut shown.iter().map(|at| self.reader.words(titles[*at]).to_owned()));
        row(&mut shown.iter().map(|_| "---".to_owned()));
        for cells in &rows {
            row(&mut shown.iter().map(|at| cell(cells.get(*at).map_or("", String::as_str))));
        }
    }

    /// A link to the Markdown export of a page.
    fn link(&self, id: &Id) -> String {
        let link = self.reader.link(id);
        if link.href.is_empty() { link.name } else { format!("[{}]({})", label(&link.name), to_export(&link.href)) }
    }

    fn links(&self, ids: &[Id]) -> String {
        ids.iter().map(|id| self.link(id)).collect::<Vec<_>>().join(", ")
    }

    /// References to the sources at the end.
    fn cites(keys: &[Id], evidence: &[Evidence]) -> String {
        let known = keys.iter().filter(|key| evidence.iter().any(|entry| entry.key == **key));
        known.map(|key| format!("[^{key}]")).collect::<Vec<_>>().concat()
    }

    fn written(&mut self, page: &Page, text: &'a PageDraft) {
        let kb = self.reader.kb();
        self.title(&self.reader.title(page), text.front.summary.as_deref().unwrap_or_default());
        self.text.push('\n');
        let (component, concept, provider) = match &page.kind {
            PageKind::Entity(_, id) => (kb.components.get(id), kb.concepts.get(id), kb.providers.get(id)),
            _ => (None, None, None),
        };
        if let Some(it) = component {
            self.component(it, &page.path);
        }
        if let Some(it) = concept {
            self.item("area", &it.area.as_ref().map(|area| labels::area(self.reader, area).name).unwrap_or_default());
            self.item("related_terms", &self.reader.aka(&page.path, &it.aka).join(", "));
            self.fields(&it.fields);
        }
        if let Some(it) = provider {
            self.item("vendor", it.vendor.as_deref().unwrap_or_default());
            self.item("aka", &self.reader.aka(&page.path, &it.aka).join(", "));
            self.fields(&it.fields);
        }
        match component {
            Some(it) => self.component_parts(it, text),
            None => self.body(text),
        }
        if let Some(it) = concept {
            self.relations(&it.as_ref().into());
        }
        if let Some(it) = provider {
            self.heading(FactSection::Claims);
            self.shipped(&it.claims, &it.evidence);
        }
        if let PageKind::Entity(kind, id) = &page.kind {
            self.sources(kb.evidence_of(*kind, id));
        }
    }

    /// The sections of the text and of the facts in the order of the page.
    fn component_parts(&mut self, it: &'a Component, text: &'a PageDraft) {
        let mut parts: BTreeMap<PagePart, String> = BTreeMap::new();
        for (heading, section) in std::iter::once(None).chain(section_headings(text).map(Some)).zip(self.edited(text)) {
            let part = heading.map_or(PagePart::How, |heading| PagePart::of_heading(&heading.id));
            let sections = parts.entry(part).or_default();
            match heading {
                Some(heading) if heading.id == SYMPTOMS => sections.insert_str(0, &section),
                _ => sections.push_str(&section),
            }
        }
        for part in PagePart::ALL {
            if part == PagePart::Names {
                self.names(it);
            }
            self.append(parts.get(&part).map_or("", String::as_str));
            match part {
                PagePart::How => self.relations(&it.into()),
                PagePart::Providers => self.claims(it),
                PagePart::Reference => self.settings(it),
                PagePart::Troubleshooting | PagePart::Names | PagePart::Versions => {}
            }
        }
    }

    /// The site's own fields.
    fn fields(&mut self, entries: &[FieldEntry]) {
        for field in fields::on_page(self.reader, entries) {
            let values = field.values.iter().map(|value| match value.href.as_str() {
                "" => line(&value.text),
                href => format!("[{}]({href})", label(&value.text)),
            });
            let values = values.collect::<Vec<_>>().join(", ");
            let _ = writeln!(self.text, "- **{}:** {values}", line(&field.label));
        }
    }

    fn component(&mut self, it: &'a Component, path: &str) {
        let reader = self.reader;
        self.item("area", &labels::area(reader, &it.area).name);
        self.item("place", labels::place(reader, it.place.as_ref()));
        let roles: Vec<String> = it.roles.iter().map(|role| labels::role_link(reader, role).name).collect();
        self.item("roles", &roles.join(", "));
        self.item("installed_by", reader.optional(it.installed_by.as_ref()));
        self.item("aka", &reader.aka(path, &it.aka).join(", "));
        self.item("images", &it.images.iter().map(|image| code(image)).collect::<Vec<_>>().join(", "));
        if let Some(support) = &it.support {
            let cites = Self::cites(&support.evidence, &it.evidence);
            self.item("supported_from", &format!("{}{cites}", labels::supported(reader, Some(support))));
        }
        if let Some(lifecycle) = &it.lifecycle {
            let cites = Self::cites(&lifecycle.evidence, &it.evidence);
            self.item("state", &format!("{}{cites}", labels::state(reader, lifecycle.state).label));
            self.item("since", &labels::since(reader, lifecycle));
            self.item("state_deprecated", labels::release(reader, lifecycle.deprecated));
            self.item("state_removed", labels::release(reader, lifecycle.removed));
            self.item("replaced_by", &self.links(&lifecycle.replaced_by));
        }
        self.item("replaces", &self.links(&it.replaces));
        self.fields(&it.fields);
        if it.has_answers() {
            self.heading(FactSection::Removal);
            self.deletion(it);
        }
    }

    fn names(&mut self, it: &'a Component) {
        if it.listing.is_empty() {
            return;
        }
        self.heading(FactSection::Names);
        let row = |listing: &'a Listing| {
            let namespace = listing.namespace.as_deref().map(code).unwrap_or_default();
            let section = listing.section.as_ref().map(|section| self.link(section)).unwrap_or_default();
            let what = listing.what.as_ref().map_or(section, |what| self.reader.text(what).to_owned());
            vec![listing.kind.clone(), code(&listing.name), namespace, self.links(&listing.providers), what]
        };
        self.table(&["kind", "name", "namespace", "providers", "what"], it.listing.iter().map(row).collect::<Vec<_>>());
    }

    fn deletion(&mut self, it: &'a Component) {
        let reader = self.reader;
        let pods = |subject: String, section: Option<&Id>, restart: Option<&'a Restart>| -> Vec<Vec<String>> {
            let cites = restart.map(|restart| Self::cites(&restart.evidence, &it.evidence)).unwrap_or_default();
            let impact = reader.optional(restart.and_then(|restart| restart.impact.as_ref()));
            let row = |(controller, verdict): (Option<Controller>, Verdict)| {
                let recreation = controller.map_or("", |controller| reader.strings().recreation(controller)).to_owned();
                vec![
                    subject.clone(),
                    format!("{}{cites}", labels::verdict(reader, verdict).label),
                    impact.to_owned(),
                    recreation,
                    String::new(),
                ]
            };
            it.pod_answers(section).into_iter().map(row).collect()
        };
        let case = |subject: String, case: &'a RemovalCase| {
            let text = |text: Option<&'a Text>| self.reader.optional(text).to_owned();
            let verdict = format!("{}{}", labels::verdict(self.reader, case.verdict).label, Self::cites(&case.evidence, &it.evidence));
            vec![subject, verdict, text(case.effect.as_ref()), text(case.restored_by.as_ref()), text(case.disable.as_ref())]
        };
        let of = |subject: &str, removal: &'a Removal| {
            let general = case(subject.to_owned(), &removal.general);
            let at = removal.providers.iter().map(|(id, at)| case(format!("{subject} ({})", self.reader.link(id).name), at));
            std::iter::once(general).chain(at).collect::<Vec<_>>()
        };
        let mut rows = pods(POD.to_owned(), None, it.deletion.restart.as_ref());
        rows.extend(it.deletion.removal.iter().flat_map(|removal| of(&it.name, removal)));
        for (id, deletion) in &it.section_deletions {
            let name = reader.link(id).name;
            rows.extend(pods(format!("{name} (Pod)"), Some(id), deletion.restart.as_ref()));
            rows.extend(deletion.removal.iter().flat_map(|removal| of(&name, removal)));
        }
        self.table(&["name", "verdict", "effect", "restored_by", "disable"], rows);
    }

    fn claims(&mut self, it: &'a Component) {
        if it.claims.is_empty() {
            return;
        }
        let reader = self.reader;
        let row = |(provider, claim): (&Provider, &'a Claim)| {
            let form = claim.form.clone().unwrap_or_default();
            let what = reader.optional(claim.what.as_ref()).to_owned();
            vec![self.link(&provider.id), labels::presence(reader, claim.presence).label, form, what]
        };
        let rows: Vec<Vec<String>> = claims_of(reader.kb(), it).map(row).collect();
        self.heading(FactSection::Providers);
        self.table(&["provider", "claim_presence", "form", "what"], rows);
    }

    /// Writes the components of a provider.
    fn shipped(&mut self, claims: impl IntoIterator<Item = &'a Claim>, evidence: &[Evidence]) {
        let reader = self.reader;
        let row = |claim: &'a Claim| {
            vec![
                claim.role.as_ref().map(|role| labels::role_link(reader, role).name).unwrap_or_default(),
                claim.component.as_ref().map(|id| self.link(id)).unwrap_or_default(),
                format!("{}{}", labels::presence(reader, claim.presence).label, Self::cites(&claim.evidence, evidence)),
                claim.form.clone().unwrap_or_default(),
                reader.optional(claim.what.as_ref()).to_owned(),
            ]
        };
        let rows: Vec<Vec<String>> = claims.into_iter().map(row).collect();
        self.table(&["role", "component", "claim_presence", "form", "what"], rows);
    }

    fn relations(&mut self, node: &NodeFacts<'a>) {
        let lines = self.relation_lines(node, true);
        if !lines.is_empty() {
            self.heading(FactSection::Relations);
            self.text.extend(lines.into_iter().map(|line| line + "\n"));
        }
    }

    /// The relations in both directions. `with_sources` is whether the sources of the node are on this page.
    fn relation_lines(&self, node: &NodeFacts<'a>, with_sources: bool) -> Vec<String> {
        let reader = self.reader;
        let line = |NodeRelation { relation, other, is_incoming }: NodeRelation<'a>| {
            let verb = labels::verb(reader, &relation.verb, is_incoming);
            let port = relation.port.as_deref().map(|port| format!(" :{port}")).unwrap_or_default();
            let what = relation.what.as_ref().map(|what| format!(" — {}", line(reader.text(what)))).unwrap_or_default();
            let cites = if is_incoming || !with_sources { String::new() } else { Self::cites(&relation.evidence, node.evidence) };
            format!("- {verb} {}{port}{what}{cites}", self.link(other))
        };
        node.relations(reader.kb()).map(line).collect()
    }

    fn settings(&mut self, it: &'a Component) {
        let reader = self.reader;
        let what = |what: Option<&'a Text>, keys| format!("{}{}", reader.optional(what), Self::cites(keys, &it.evidence));
        if !it.ports.is_empty() {
            self.heading(FactSection::Ports);
            let row = |port: &'a Port| {
                vec![format!("{}/{}", labels::ports(port), port.protocols.join(", ")), what(port.what.as_ref(), &port.evidence)]
            };
            self.table(&["port", "what"], it.ports.iter().map(row));
        }
        if !it.flags.is_empty() {
            self.heading(FactSection::Flags);
            let rows = it.flags.iter().map(|flag| vec![code(&flag.flag), what(flag.what.as_ref(), &flag.evidence)]);
            self.table(&["flag", "what"], rows);
        }
        if !it.names.is_empty() {
            self.heading(FactSection::KnownNames);
            let rows = it.names.iter().map(|entry| {
                let names = entry.names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ");
                let kind = reader.strings().term("known", entry.kind.name()).to_owned();
                vec![kind, names, what(entry.what.as_ref(), &entry.evidence)]
            });
            self.table(&["kind", "name", "what"], rows);
        }
    }

    /// The sources, as the footnotes that the text and the tables refer to.
    fn sources(&mut self, evidence: &[Evidence]) {
        if evidence.is_empty() {
            return;
        }
        self.heading(FactSection::Sources);
        for entry in evidence {
            let title = line(&entry.title);
            let title = entry.url.as_deref().map_or(title.clone(), |url| format!("[{}]({url})", label(&title)));
            let _ = writeln!(self.text, "[^{}]: {title} ({})", entry.key, entry.checked);
        }
    }

    /// Appends Markdown after an empty line.
    fn append(&mut self, markdown: &str) {
        let markdown = markdown.trim();
        if !markdown.is_empty() {
            let _ = writeln!(self.text, "\n{markdown}");
        }
    }
}

/// The address of the Markdown export of a page, with the section: `../etcd/#flags` is `../etcd/index.md#flags`.
fn to_export(href: &str) -> String {
    let (page, anchor) = href.split_at(href.find('#').unwrap_or(href.len()));
    if page.ends_with('/') { format!("{page}{MARKDOWN_EXPORT}{anchor}") } else { href.to_owned() }
}

/// Text on one line.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    line(text).replace('|', "\\|")
}

/// Text of a link.
pub(super) fn label(text: &str) -> String {
    line(text).replace('[', "\\[").replace(']', "\\]")
}

fn code(text: &str) -> String {
    format!("`{text}`")
}
