//! Each page as Markdown, for programs that read text: `index.md` next to `index.html`, with the facts as tables.

mod generated;

use std::{fmt::Write as _, ops::Range};

use super::{
    context::Context,
    labels::{self, section_title},
    reader::Reader,
    routes::{MARKDOWN_EXPORT, PageRoute, markdown_export_url},
};
use crate::{
    id::{Id, Lang},
    kb::{Claim, Component, Evidence, Page, PageKind, Relation, Removal, RemovalCase},
    layout::FactSection,
    link::Resolved,
    load::PageDraft,
    markdown::{Link, Target},
};

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
        let _ = writeln!(self.text, "\n## {}\n", self.reader.words(section_title(section)));
    }

    /// `- **Area:** DNS`; nothing without a value.
    fn item(&mut self, key: &'a str, value: &str) {
        if !value.is_empty() {
            let _ = writeln!(self.text, "- **{}:** {}", self.reader.words(key), line(value));
        }
    }

    /// A table whose empty columns are left out.
    fn table(&mut self, titles: &[&'a str], rows: &[Vec<String>]) {
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
        for cells in rows {
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

    /// Marks that lead to the sources at the end.
    fn cites(keys: &[Id], evidence: &[Evidence]) -> String {
        keys.iter()
            .filter(|key| evidence.iter().any(|entry| entry.key == **key))
            .map(|key| format!("[^{key}]"))
            .collect::<Vec<_>>()
            .concat()
    }

    fn written(&mut self, page: &Page, text: &PageDraft) {
        let kb = self.reader.kb();
        let title = kb.title_of(page, self.reader.lang).unwrap_or_else(|| page.path.to_string());
        self.title(&title, text.front.summary.as_deref().unwrap_or_default());
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
            self.item("aka", &self.reader.aka(&page.path, &it.aka).join(", "));
        }
        if let Some(it) = provider {
            self.item("vendor", it.vendor.as_deref().unwrap_or_default());
            self.item("aka", &self.reader.aka(&page.path, &it.aka).join(", "));
        }
        self.body(text);
        let evidence =
            component.map(|it| it.evidence.as_slice()).or_else(|| Some(&concept?.evidence)).or_else(|| Some(&provider?.evidence));
        if let Some(it) = component {
            self.claims(it);
            self.relations(&it.relations, &it.incoming, &it.evidence);
            self.settings(it);
        }
        if let Some(it) = concept {
            self.relations(&it.relations, &it.incoming, &it.evidence);
        }
        if let Some(it) = provider {
            self.heading(FactSection::Claims);
            let rows: Vec<Vec<String>> = it.claims.iter().map(|claim| self.shipped(claim, &it.evidence)).collect();
            self.table(&["role", "component", "claim_presence", "form", "what"], &rows);
        }
        self.sources(evidence.unwrap_or_default());
    }

    fn component(&mut self, it: &'a Component, path: &str) {
        let reader = self.reader;
        self.item("area", &labels::area(reader, &it.area).name);
        self.item("place", labels::place(reader, it.place.as_ref()));
        let roles: Vec<String> = it.roles.iter().map(|role| labels::role_link(reader, role).name).collect();
        self.item("roles", &roles.join(", "));
        self.item("installed_by", reader.optional(it.installed_by.as_ref()));
        self.item("aka", &reader.aka(path, &it.aka).join(", "));
        if let Some(lifecycle) = &it.lifecycle {
            let cites = Self::cites(&lifecycle.evidence, &it.evidence);
            self.item("state", &format!("{}{cites}", labels::state(reader, lifecycle.state).label));
            self.item("since", &labels::since(reader, lifecycle));
            let release = |index: Option<crate::kb::ReleaseIndex>| index.map(|index| reader.kb().vocabulary.release(index).name.clone());
            self.item("state_deprecated", &release(lifecycle.deprecated).unwrap_or_default());
            self.item("state_removed", &release(lifecycle.removed).unwrap_or_default());
            self.item("replaced_by", &self.links(&lifecycle.replaced_by));
        }
        self.item("replaces", &self.links(&it.replaces));
        if let Some(removal) = &it.removal {
            self.heading(FactSection::Removal);
            self.removal(it, removal);
        }
        if !it.listing.is_empty() {
            self.heading(FactSection::Names);
            let rows = it.listing.iter().map(|listing| {
                let namespace = listing.namespace.as_deref().map(code).unwrap_or_default();
                let section = listing.section.as_ref().map(|section| self.link(section)).unwrap_or_default();
                let what = listing.what.as_ref().map_or(section, |what| reader.text(what).to_owned());
                vec![listing.kind.clone(), code(&listing.name), namespace, self.links(&listing.providers), what]
            });
            let rows: Vec<Vec<String>> = rows.collect();
            self.table(&["kind", "name", "namespace", "providers", "what"], &rows);
        }
    }

    fn removal(&mut self, it: &'a Component, removal: &'a Removal) {
        let case = |subject: String, case: &'a RemovalCase| {
            let text = |text: Option<&'a crate::kb::Text>| self.reader.optional(text).to_owned();
            let verdict = format!("{}{}", labels::verdict(self.reader, case.verdict).label, Self::cites(&case.evidence, &it.evidence));
            vec![subject, verdict, text(case.effect.as_ref()), text(case.restored_by.as_ref()), text(case.off_switch.as_ref())]
        };
        let of = |subject: &str, removal: &'a Removal| {
            let general = case(subject.to_owned(), &removal.general);
            let at = removal.providers.iter().map(|(id, at)| case(format!("{subject} ({})", self.reader.link(id).name), at));
            std::iter::once(general).chain(at).collect::<Vec<_>>()
        };
        let sections = it.section_removals.iter().flat_map(|(id, removal)| of(&self.reader.link(id).name, removal));
        let rows: Vec<Vec<String>> = of(&it.name, removal).into_iter().chain(sections).collect();
        self.table(&["name", "verdict", "effect", "restored_by", "off_switch"], &rows);
    }

    fn claims(&mut self, it: &'a Component) {
        let kb = self.reader.kb();
        let claims = it.claims.iter().filter_map(|(id, index)| Some((id, kb.providers.get(id)?.claims.get(*index)?)));
        let rows = claims.map(|(id, claim)| {
            let (_, presence) = labels::presence(claim.presence);
            let what = self.reader.optional(claim.what.as_ref()).to_owned();
            vec![self.link(id), self.reader.words(presence).to_owned(), claim.form.clone().unwrap_or_default(), what]
        });
        let rows: Vec<Vec<String>> = rows.collect();
        if !rows.is_empty() {
            self.heading(FactSection::Providers);
            self.table(&["provider", "claim_presence", "form", "what"], &rows);
        }
    }

    fn shipped(&self, claim: &Claim, evidence: &[Evidence]) -> Vec<String> {
        let (_, presence) = labels::presence(claim.presence);
        vec![
            claim.role.as_ref().map(|role| labels::role_link(self.reader, role).name).unwrap_or_default(),
            claim.component.as_ref().map(|id| self.link(id)).unwrap_or_default(),
            format!("{}{}", self.reader.words(presence), Self::cites(&claim.evidence, evidence)),
            claim.form.clone().unwrap_or_default(),
            claim.what.as_ref().map(|what| what.get(self.reader.lang).to_owned()).unwrap_or_default(),
        ]
    }

    fn relations(&mut self, outgoing: &[Relation], incoming: &[(Id, usize)], evidence: &[Evidence]) {
        let kb = self.reader.kb();
        let mut lines = Vec::new();
        let mut add = |relation: &Relation, other: &Id, inverse: bool, cites: String| {
            let verb = kb.vocabulary.verbs.iter().find(|verb| verb.id == relation.verb);
            let verb = verb.map(|verb| if inverse { &verb.inverse } else { &verb.label }).map_or("", |label| label.get(self.reader.lang));
            let port = relation.port.as_deref().map(|port| format!(" :{port}")).unwrap_or_default();
            let what = relation.what.as_ref().map(|what| format!(" — {}", line(what.get(self.reader.lang)))).unwrap_or_default();
            lines.push(format!("- {verb} {}{port}{what}{cites}", self.link(other)));
        };
        for relation in outgoing {
            add(relation, &relation.to, false, Self::cites(&relation.evidence, evidence));
        }
        for (from, number) in incoming {
            if let Some(relation) = kb.relations_of(from).0.get(*number) {
                add(relation, from, true, String::new());
            }
        }
        if !lines.is_empty() {
            self.heading(FactSection::Relations);
            self.text.push_str(&lines.join("\n"));
            self.text.push('\n');
        }
    }

    fn settings(&mut self, it: &'a Component) {
        if !it.ports.is_empty() {
            self.heading(FactSection::Ports);
            let rows = it.ports.iter().map(|port| {
                let numbers = if port.first == port.last { port.first.to_string() } else { format!("{}–{}", port.first, port.last) };
                let what = format!("{}{}", self.reader.optional(port.what.as_ref()), Self::cites(&port.evidence, &it.evidence));
                vec![format!("{numbers}/{}", labels::protocol(port.protocol)), what]
            });
            let rows: Vec<Vec<String>> = rows.collect();
            self.table(&["port", "what"], &rows);
        }
        if !it.flags.is_empty() {
            self.heading(FactSection::Flags);
            let rows = it.flags.iter().map(|flag| {
                let what = format!("{}{}", self.reader.optional(flag.what.as_ref()), Self::cites(&flag.evidence, &it.evidence));
                vec![code(&flag.flag), what]
            });
            let rows: Vec<Vec<String>> = rows.collect();
            self.table(&["flag", "what"], &rows);
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

    /// The author's text, with links to Markdown exports.
    fn body(&mut self, text: &PageDraft) {
        let body = text.markdown();
        let start = text.prose.title.as_ref().map_or(0, |title| title.span.range().end);
        let mut edits: Vec<(Range<usize>, String)> = text
            .prose
            .headings
            .iter()
            .filter(|heading| heading.explicit)
            .filter_map(|heading| without_id(body, heading.span.range()))
            .collect();
        let resolved = self.reader.context.links.of(text);
        for (link, target) in text.prose.links.iter().zip(resolved) {
            edits.extend(self.rewritten(text, body, link, target));
        }
        for block in &text.prose.listings {
            edits.extend(plain_fence(body, block.lines.first().map_or(0, |line| line.range().start)));
        }
        edits.sort_by_key(|(range, _)| range.start);
        let mut done = start.min(body.len());
        let mut filled = String::with_capacity(body.len());
        for (range, with) in edits {
            // What lies in something that was replaced already is a part of it.
            if range.start >= done
                && let Some(kept) = body.get(done..range.start)
            {
                filled.push_str(kept);
                filled.push_str(&with);
                done = range.end;
            }
        }
        filled.push_str(body.get(done..).unwrap_or_default());
        let filled = filled.trim();
        if !filled.is_empty() {
            let _ = writeln!(self.text, "\n{filled}");
        }
    }

    fn rewritten(&self, text: &PageDraft, body: &str, link: &Link, target: &Resolved) -> Option<(Range<usize>, String)> {
        let range = link.span.range();
        let written = body.get(range.clone())?;
        if let Target::Citation(key) = &link.target {
            return Some((range, format!("[^{key}]")));
        }
        let href = self.reader.address(target);
        let is_exported = |path: &str| {
            let url = self.reader.kb().config.page_url(path, self.reader.lang);
            self.reader.context.routes.contains(&markdown_export_url(&url))
        };
        let href = if matches!(target, Resolved::Page { path, .. } if is_exported(path)) { to_export(&href) } else { href };
        if let Some(inner) = written.strip_prefix("[[").and_then(|inner| inner.strip_suffix("]]")) {
            let own = inner.split_once('|').map(|(_, own)| own.trim().to_owned());
            let name = own.unwrap_or_else(|| self.reader.name_in(text, target));
            return Some((range, format!("[{}]({href})", label(&name))));
        }
        if matches!(target, Resolved::External(_)) {
            return None;
        }
        // `[text](address "title")`: only the address changes.
        let open = written.rfind("](")? + 2;
        let rest = &written[open..];
        let length = rest.find(|c: char| c.is_whitespace() || c == ')').unwrap_or(rest.len());
        Some((range.start + open..range.start + open + length, href))
    }
}

/// The address of the Markdown export of a page, with the section: `../etcd/#flags` is `../etcd/index.md#flags`.
fn to_export(href: &str) -> String {
    let (page, anchor) = href.split_at(href.find('#').unwrap_or(href.len()));
    if page.ends_with('/') { format!("{page}{MARKDOWN_EXPORT}{anchor}") } else { href.to_owned() }
}

/// A heading without the id behind it.
fn without_id(body: &str, heading: Range<usize>) -> Option<(Range<usize>, String)> {
    let written = body.get(heading.clone())?;
    let open = written.rfind("{#")?;
    let close = open + written.get(open..)?.find('}')? + 1;
    let start = written[..open].trim_end().len();
    Some((heading.start + start..heading.start + close, String::new()))
}

/// The opening of a block `listing` as that of plain text: other programs know no such language. `first` is where its first line begins.
fn plain_fence(body: &str, first: usize) -> Option<(Range<usize>, String)> {
    let before = body.get(..first)?;
    let at = before.rfind("```listing").or_else(|| before.rfind("~~~listing"))?;
    let end = at + body.get(at..)?.find('\n')?;
    Some((at + 3..end, "text".to_owned()))
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
