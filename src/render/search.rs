//! The documents of the search index, and the page of search results.

use std::collections::BTreeMap;

use super::{
    context::Context,
    generated, index,
    labels::{self, presence, section_title},
    reader::Reader,
    routes::{PageRoute, search_folder},
    templates::Rendered,
};
use crate::{
    id::{Id, Lang},
    kb::{Component, Kb, Page, PageKind, Provider, Relation, Removal, RemovalCase},
    layout::{COMPONENTS, FactSection, GeneratedPage},
    listing::Grammar,
    load::PageDraft,
    search::{self, Corpus, Document, Emit, NameKind, PrintedName, SearchArea, SearchName, SearchSection},
    url::Url,
};

/// Writes the search index of a language.
pub(super) fn write_index(context: &Context<'_>, lang: &Lang, emit: Emit<'_>) {
    let paths = document_paths(context);
    let corpus = corpus(context, lang, &paths);
    let document = |number: usize| {
        let Some(path) = paths.get(number) else { return Document::default() };
        document(&Reader::new(context, lang, context.kb.config.page_url(path, lang)), path)
    };
    let folder = search_folder(lang);
    search::index(&corpus, &document, &|path, bytes| emit(&format!("{folder}{path}"), bytes));
}

/// The paths of the pages that are searched; a document's number is its index.
fn document_paths(context: &Context<'_>) -> Vec<String> {
    let mut paths: Vec<String> = context.kb.pages.keys().map(ToString::to_string).collect();
    let is_searched = |page: &&GeneratedPage| ![GeneratedPage::Coverage, GeneratedPage::Search].contains(page);
    let generated = context.routes.pages.iter().filter_map(|page| if let PageRoute::Generated(page) = page { Some(page) } else { None });
    paths.extend(generated.filter(is_searched).map(|page| page.path().to_owned()));
    paths.sort();
    paths.dedup();
    paths
}

/// The page of results.
pub(super) fn render(reader: &Reader<'_>) -> Rendered {
    generated::render(reader, GeneratedPage::Search, "search.html", &BTreeMap::<String, String>::new())
}

/// Everything that readers of a language can find, but for the documents.
fn corpus(context: &Context<'_>, lang: &Lang, paths: &[String]) -> Corpus {
    let kb = context.kb;
    let reader = Reader::new(context, lang, kb.config.page_url(GeneratedPage::Search.path(), lang));
    let numbers: BTreeMap<&str, usize> = paths.iter().enumerate().map(|(number, path)| (path.as_str(), number)).collect();
    Corpus {
        popularity: paths.iter().map(|path| context.links.mentions(path).count()).collect(),
        areas: kb
            .vocabulary
            .areas
            .iter()
            .map(|area| SearchArea {
                id: area.id.to_string(),
                label: reader.text(&area.label).to_owned(),
                colour: reader.colour(&area.id),
                mark: area.mark.clone(),
            })
            .collect(),
        providers: kb
            .providers
            .values()
            .map(|provider| search::SearchProvider { id: provider.id.to_string(), name: provider.name.clone() })
            .collect(),
        printed: printed(kb, &numbers),
        grammar: Grammar::new(),
        ignored: reader.words("search_ignored").split_whitespace().map(str::to_owned).collect(),
        weak: reader.words("search_weak").split_whitespace().map(str::to_owned).collect(),
    }
}

/// Names as they are printed, by what they begin with.
fn printed(kb: &Kb, numbers: &BTreeMap<&str, usize>) -> Vec<PrintedName> {
    let entries = kb.components.values().flat_map(|component| component.listing.iter().map(move |listing| (component, listing)));
    entries
        .filter_map(|(component, listing)| {
            Some(PrintedName {
                stem: listing.pattern.stem().to_owned(),
                document: *numbers.get(format!("{COMPONENTS}/{}", component.id).as_str())?,
                anchor: listing.section.as_ref().map(ToString::to_string).unwrap_or_default(),
                kind: listing.kind.clone(),
                name: listing.name.clone(),
                namespace: listing.namespace.clone().unwrap_or_default(),
                needs_namespace: listing.needs_namespace,
            })
        })
        .collect()
}

fn document(reader: &Reader<'_>, path: &str) -> Document {
    let kb = reader.kb();
    let url = Url::encoded(&kb.config.page_url(path, reader.lang)).trim_start_matches('/').to_owned();
    let page = kb.pages.get(path);
    let text = page.and_then(|page| page.text(reader.lang, kb.config.default_language()));
    let mut document = Document { url, ..Document::default() };
    match page.zip(text) {
        Some((page, text)) => {
            document.title = kb.title_of(page, reader.lang).unwrap_or_else(|| path.to_owned());
            document.summary = text.front.summary.clone().unwrap_or_default();
            document.lang = (text.lang != *reader.lang).then(|| text.lang.to_string());
            facts(reader, page, text, &mut document);
        }
        None => generated(reader, path, &mut document),
    }
    if page.is_some_and(|page| page.kind == PageKind::Generated) {
        let prose = std::mem::take(&mut document.sections);
        generated(reader, path, &mut document);
        document.sections.splice(0..0, prose);
    }
    let title = name(&document.title, NameKind::Own);
    if !document.names.iter().any(|known| known.text == title.text) {
        document.names.push(title);
    }
    document
}

fn name(text: &str, kind: NameKind) -> SearchName {
    SearchName { text: text.to_owned(), kind, anchor: String::new() }
}

/// A page that the program makes.
fn generated(reader: &Reader<'_>, path: &str, document: &mut Document) {
    let kb = reader.kb();
    let Some(page) = GeneratedPage::at(path) else { return };
    let key = page.title_key();
    reader.words(key).clone_into(&mut document.title);
    reader.strings().get(&format!("{key}_description")).clone_into(&mut document.summary);
    if page == GeneratedPage::Compare {
        document.sections.extend(kb.vocabulary.roles.iter().map(|role| SearchSection {
            anchor: format!("role-{}", role.id),
            heading: reader.text(&role.label).to_owned(),
            text: reader.text(&role.what).to_owned(),
        }));
    }
    if page == GeneratedPage::Components {
        document.sections.extend(index::areas(reader).into_iter().map(|area| SearchSection {
            anchor: format!("area-{}", area.id),
            heading: area.label,
            text: area.what,
        }));
    }
}

/// What the page shows, in its order: facts before the text, the text, facts behind it.
fn facts(reader: &Reader<'_>, page: &Page, text: &PageDraft, document: &mut Document) {
    let kb = reader.kb();
    document.names.extend(text.front.keywords.iter().map(|words| name(words, NameKind::Keyword)));
    let PageKind::Entity(kind, id) = &page.kind else {
        document.names.extend(text.front.aka.iter().map(|other| name(other, NameKind::Alias)));
        document.sections = prose(reader, text);
        return;
    };
    document.names.push(name(id.as_str(), NameKind::Own));
    let (component, concept, provider) = (kb.components.get(id), kb.concepts.get(id), kb.providers.get(id));
    let aka = component.map(|it| &it.aka).or_else(|| Some(&concept?.aka)).or_else(|| Some(&provider?.aka));
    let aka: Vec<&str> = aka.into_iter().flatten().chain(&text.front.aka).map(String::as_str).collect();
    document.names.extend(aka.iter().map(|other| name(other, NameKind::Alias)));
    for section in kb.sections_of(*kind, id) {
        let anchor = section.id.to_string();
        let own = [section.name.clone(), section.id.to_string()].into_iter().map(|text| (text, NameKind::Own));
        let others = section.aka.iter().map(|text| (text.clone(), NameKind::Alias));
        document.names.extend(own.chain(others).map(|(text, kind)| SearchName { text, kind, anchor: anchor.clone() }));
    }
    let area = component.map(|it| &it.area).or_else(|| concept?.area.as_ref());
    document.area = area.map(|area| kb.vocabulary.area_position(area)).filter(|position| *position < kb.vocabulary.areas.len());
    let mut front = NonEmptyLines::default();
    let mut sections = Vec::new();
    let mut behind = Vec::new();
    if let Some(it) = component {
        document.names.push(name(&it.name, NameKind::Own));
        document.providers = it.providers().into_iter().filter_map(|id| kb.providers.keys().position(|known| known == id)).collect();
        for listing in &it.listing {
            let anchor = listing.section.as_ref().map(ToString::to_string).unwrap_or_default();
            let text = listing.pattern.stem().to_owned();
            let object = SearchName { text, kind: NameKind::Object, anchor };
            if !document.names.contains(&object) {
                document.names.push(object);
            }
        }
        let settings = it.flags.iter().map(|flag| flag.flag.clone()).chain(it.ports.iter().map(|port| port.first.to_string()));
        document.names.extend(settings.map(|text| name(&text, NameKind::Setting)));
        front.add(&it.roles.iter().map(|role| labels::role_link(reader, role).name).collect::<Vec<_>>().join(" · "));
        front.add(reader.optional(it.installed_by.as_ref()));
        sections.extend(fact_section(reader, FactSection::Names, names(reader, it)));
        sections.extend(it.removal.as_ref().and_then(|removal| fact_section(reader, FactSection::Removal, removals(reader, it, removal))));
        behind.extend(fact_section(reader, FactSection::Providers, claims(reader, it)));
    }
    if let Some(it) = provider {
        // A provider is most often named to say where something runs: it is the answer only if nothing else is asked.
        for own in &mut document.names {
            own.kind = own.kind.max(NameKind::Object);
        }
        document.names.push(name(&it.name, NameKind::Object));
        document.providers = kb.providers.keys().position(|known| known == id).into_iter().collect();
        front.add(it.vendor.as_deref().unwrap_or_default());
        behind.extend(fact_section(reader, FactSection::Claims, shipped(reader, it)));
    }
    front.add(&aka.join(" · "));
    let relations = component.map(|it| (it.relations.as_slice(), it.incoming.as_slice()));
    let relations = relations.or_else(|| concept.map(|it| (it.relations.as_slice(), it.incoming.as_slice())));
    if let Some((outgoing, incoming)) = relations {
        behind.extend(fact_section(reader, FactSection::Relations, relation_lines(reader, outgoing, incoming)));
    }
    if let Some(it) = component {
        let port = |port: &crate::kb::Port| format!("{} {}", port.first, reader.optional(port.what.as_ref()));
        behind.extend(fact_section(reader, FactSection::Ports, it.ports.iter().map(port).collect::<Vec<_>>().join("\n")));
        let flag = |flag: &crate::kb::Flag| format!("{} {}", flag.flag, reader.optional(flag.what.as_ref()));
        behind.extend(fact_section(reader, FactSection::Flags, it.flags.iter().map(flag).collect::<Vec<_>>().join("\n")));
    }
    document.sections.push(SearchSection { text: front.0, ..SearchSection::default() });
    document.sections.append(&mut sections);
    document.sections.append(&mut prose(reader, text));
    document.sections.append(&mut behind);
}

/// Lines of text, without empty ones.
#[derive(Default)]
struct NonEmptyLines(String);

impl NonEmptyLines {
    fn add(&mut self, line: &str) {
        if !line.is_empty() {
            if !self.0.is_empty() {
                self.0.push('\n');
            }
            self.0.push_str(line);
        }
    }
}

fn fact_section(reader: &Reader<'_>, section: FactSection, text: String) -> Option<SearchSection> {
    let heading = reader.words(section_title(section)).to_owned();
    (!text.is_empty()).then(|| SearchSection { anchor: section.anchor().to_owned(), heading, text })
}

/// The author's text by heading, with the names of what it links to.
fn prose(reader: &Reader<'_>, text: &PageDraft) -> Vec<SearchSection> {
    let resolved = reader.context.links.of(text);
    let sections = text.body.sections().into_iter().map(|section| {
        let heading = section.heading.and_then(|index| text.prose.headings.get(index));
        let mut filled = String::with_capacity(section.text.len());
        let mut done = 0;
        for link in &section.names {
            let Some(target) = resolved.get(link.link) else { continue };
            filled.push_str(&section.text[done..link.span.start]);
            filled.push_str(&reader.name_in(text, target));
            done = link.span.end;
        }
        filled.push_str(&section.text[done..]);
        SearchSection {
            anchor: heading.map(|heading| heading.id.clone()).unwrap_or_default(),
            heading: heading.map(|heading| heading.text.clone()).unwrap_or_default(),
            text: filled,
        }
    });
    sections.collect()
}

fn names(reader: &Reader<'_>, component: &Component) -> String {
    let mut lines = NonEmptyLines::default();
    for listing in &component.listing {
        let parts = [
            listing.kind.as_str(),
            &listing.name,
            listing.namespace.as_deref().unwrap_or_default(),
            reader.optional(listing.what.as_ref()),
        ];
        lines.add(&parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "));
    }
    lines.0
}

fn removals(reader: &Reader<'_>, component: &Component, removal: &Removal) -> String {
    let mut lines = NonEmptyLines::default();
    let mut case = |case: &RemovalCase| {
        lines.add(&labels::verdict(reader, case.verdict).label);
        for text in [&case.effect, &case.restored_by, &case.off_switch] {
            lines.add(reader.optional(text.as_ref()));
        }
    };
    for removal in std::iter::once(removal).chain(component.section_removals.iter().map(|(_, removal)| removal)) {
        case(&removal.general);
        removal.providers.iter().for_each(|(_, at_provider)| case(at_provider));
    }
    lines.0
}

fn claims(reader: &Reader<'_>, component: &Component) -> String {
    let mut lines = NonEmptyLines::default();
    for (id, index) in &component.claims {
        let Some((provider, claim)) = reader.kb().providers.get(id).and_then(|provider| Some((provider, provider.claims.get(*index)?)))
        else {
            continue;
        };
        lines.add(&claim_line(reader, &provider.name, claim));
    }
    lines.0
}

fn shipped(reader: &Reader<'_>, provider: &Provider) -> String {
    let kb = reader.kb();
    let mut lines = NonEmptyLines::default();
    for claim in &provider.claims {
        let role = claim.role.as_ref().and_then(|id| kb.vocabulary.role(id)).map(|role| reader.text(&role.label)).unwrap_or_default();
        let component = claim.component.as_ref().map(|id| kb.name_of(id.as_str(), reader.lang)).unwrap_or_default();
        lines.add(&claim_line(reader, &format!("{role} {component}"), claim));
    }
    lines.0
}

fn claim_line(reader: &Reader<'_>, subject: &str, claim: &crate::kb::Claim) -> String {
    let (_, label) = presence(claim.presence);
    let form = claim.form.as_deref().unwrap_or_default();
    let parts = [subject.trim(), reader.words(label), form, reader.optional(claim.what.as_ref())];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

fn relation_lines(reader: &Reader<'_>, outgoing: &[Relation], incoming: &[(Id, usize)]) -> String {
    let kb = reader.kb();
    let mut lines = NonEmptyLines::default();
    let mut line = |relation: &Relation, other: &Id, inverse: bool| {
        let verb = kb.vocabulary.verbs.iter().find(|verb| verb.id == relation.verb);
        let verb = verb.map(|verb| reader.text(if inverse { &verb.inverse } else { &verb.label })).unwrap_or_default();
        let name = kb.name_of(other.as_str(), reader.lang);
        let port = relation.port.as_deref().map(|port| format!(":{port}")).unwrap_or_default();
        lines.add(format!("{verb} {name}{port} {}", reader.optional(relation.what.as_ref())).trim_end());
    };
    for relation in outgoing {
        line(relation, &relation.to, false);
    }
    for (from, number) in incoming {
        if let Some(relation) = kb.relations_of(from).0.get(*number) {
            line(relation, from, true);
        }
    }
    lines.0
}
