//! The documents of the search index, and the page of search results.

use std::collections::BTreeMap;

use super::{
    area_links::area_anchor,
    claims::claims_of,
    compare::role_title,
    context::Context,
    deletion, fields, generated, glossary, index, inline_code,
    labels::{self, TermView, join_nonempty, presence, section_title},
    node_facts::{NodeFacts, NodeRelation},
    reader::Reader,
    routes::{role_pages, role_path, search_folder},
    search_answers,
    templates::RenderResult,
};
use crate::{
    facts::{KnownNameKind, LifecycleState},
    id::{Id, Lang},
    kb::{Claim, Component, Kb, Listing, Page, PageKind, Provider, VocabularyTerm, glossary_anchor},
    layout::{COMPONENTS, FactSection, GeneratedPage, SYMPTOMS},
    listing::{Grammar, looks_like_name},
    load::PageDraft,
    markdown::symptom_id,
    search::{self, Corpus, Document, Emit, NameKind, PrintedName, SearchArea, SearchName, SearchSection, SearchVerdict},
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

/// The importance of a core component, in doublings of the number of links.
const CORE: u32 = 6;

/// The paths of the pages that are searched, the most important first; a document's number is its index. Important pages are the hits of most queries, so that most
/// queries load the same first files of titles.
fn document_paths(context: &Context<'_>) -> Vec<String> {
    let searched = context.kb.pages.values().filter(|page| !page.is_hidden());
    let mut paths: Vec<String> = searched.map(|page| page.path.to_string()).collect();
    let is_searched = |page: &&GeneratedPage| ![GeneratedPage::Coverage, GeneratedPage::Search].contains(page);
    paths.extend(context.kb.generated.iter().filter(is_searched).map(|page| page.path().to_owned()));
    paths.extend(role_pages(context.kb).map(|id| role_path(&id)));
    paths.sort();
    paths.dedup();
    paths.sort_by_cached_key(|path| std::cmp::Reverse(importance(context, path)));
    paths
}

/// The page of search results.
pub(super) fn render(reader: &Reader<'_>) -> RenderResult {
    generated::render(reader, GeneratedPage::Search, "search.html", &BTreeMap::<String, String>::new())
}

/// All searchable data of a language, except the documents.
fn corpus(context: &Context<'_>, lang: &Lang, paths: &[String]) -> Corpus {
    let kb = context.kb;
    let reader = Reader::new(context, lang, kb.config.page_url(GeneratedPage::Search.path(), lang));
    let numbers: BTreeMap<&str, usize> = paths.iter().enumerate().map(|(number, path)| (path.as_str(), number)).collect();
    let importance: Vec<u8> = paths.iter().map(|path| importance(context, path)).collect();
    let page = |path: &str| numbers.get(path).and_then(|number| Some((*number, *importance.get(*number)?)));
    Corpus {
        synonyms: synonyms(kb, lang),
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
        answers: search_answers::answers(&reader, &page),
        importance,
        named: search_answers::names(&reader),
        comparisons: search_answers::comparisons(kb, &numbers),
        deletion: reader.words("search_delete").split_whitespace().map(str::to_owned).collect(),
        ignored: reader.words("search_ignored").split_whitespace().map(str::to_owned).collect(),
        weak: reader.words("search_weak").split_whitespace().map(str::to_owned).collect(),
    }
}

/// Groups of synonyms of a language and of the default language.
fn synonyms(kb: &Kb, lang: &Lang) -> Vec<Vec<String>> {
    let default = kb.config.default_language();
    let of_reader = |(of, words): &(Lang, Vec<String>)| if of == lang || of == default { words.clone() } else { Vec::new() };
    kb.vocabulary.synonyms.iter().map(|group| group.iter().flat_map(of_reader).collect()).collect()
}

/// The importance of a page, as the number of times that a measure of it doubles: the pages that link to it, the relations that lead to it, and the providers that
/// have it. A core component counts as much as [`CORE`] doublings, and what is no longer in current releases has none.
fn importance(context: &Context<'_>, path: &str) -> u8 {
    let kb = context.kb;
    let doublings = |count: usize| (count + 1).ilog2();
    let mentions = doublings(context.links.mentions(path).count());
    let entity = kb.pages.get(path).and_then(|page| match &page.kind {
        PageKind::Entity(_, id) => Some(id),
        _ => None,
    });
    let Some(id) = entity else { return u8::try_from(mentions).unwrap_or(u8::MAX) };
    let component = kb.components.get(id);
    let is_gone = component.and_then(|it| it.lifecycle.as_ref()).is_some_and(|it| it.state == LifecycleState::Removed);
    if is_gone {
        return 0;
    }
    let incoming = NodeFacts::of(kb, id).map_or(0, |node| node.relations(kb).filter(|relation| relation.is_incoming).count());
    let providers = component.map_or(0, |it| it.providers().len());
    let core = if kb.vocabulary.core.contains(id) { CORE } else { 0 };
    u8::try_from(mentions + doublings(incoming) + doublings(providers) + core).unwrap_or(u8::MAX)
}

/// Names in `kubectl` output, by their literal prefix.
fn printed(kb: &Kb, numbers: &BTreeMap<&str, usize>) -> Vec<PrintedName> {
    let entries = kb.components.values().flat_map(|component| component.listing.iter().map(move |listing| (component, listing)));
    entries
        .filter(|(_, listing)| !listing.pattern.needs_kind())
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
    // Hits show a sentence of each page.
    if document.summary.is_empty() {
        let text = document.sections.iter().map(|section| section.text.trim()).find(|text| !text.is_empty()).unwrap_or_default();
        document.excerpt = text.lines().next().unwrap_or_default().chars().take(SUMMARY).collect();
    }
    document
}

/// The length of the first line of a page without a summary that its hits show, in characters.
const SUMMARY: usize = 150;

fn name(text: &str, kind: NameKind) -> SearchName {
    SearchName { text: text.to_owned(), kind, anchor: String::new() }
}

/// Fills in the document of a role: a section for each provider.
fn role(reader: &Reader<'_>, role: &VocabularyTerm, document: &mut Document) {
    document.title = role_title(reader, role);
    reader.text(&role.what).clone_into(&mut document.summary);
    document.sections.extend(reader.kb().providers.values().map(|provider| {
        let claims = provider.claims.iter().filter(|claim| claim.role.as_ref() == Some(&role.id));
        let lines = claims.map(|claim| claim_line(reader, &component_name(reader, claim), claim));
        let names = std::iter::once(provider.id.as_str()).chain(provider.aka.iter().map(String::as_str));
        let names = join_nonempty(names, " · ");
        SearchSection {
            anchor: provider.id.to_string(),
            heading: provider.name.clone(),
            text: std::iter::once(names).chain(lines).map(|line| inline_code::plain(&line)).collect::<Vec<_>>().join("\n"),
        }
    }));
}

/// Fills in the document of a generated page.
fn generated(reader: &Reader<'_>, path: &str, document: &mut Document) {
    let kb = reader.kb();
    if let Some(id) = kb.vocabulary.roles.iter().find(|role| role_path(&role.id) == path) {
        role(reader, id, document);
    }
    let Some(page) = kb.generated_at(path) else { return };
    let key = page.title_key();
    reader.words(key).clone_into(&mut document.title);
    reader.strings().get(&format!("{key}_description")).clone_into(&mut document.summary);
    if page == GeneratedPage::Glossary {
        document.sections.extend(glossary::terms(reader).map(|(term, meaning)| SearchSection {
            anchor: glossary_anchor(term),
            heading: term.to_owned(),
            text: meaning.to_owned(),
        }));
    }
    if page == GeneratedPage::Components {
        let areas = kb.vocabulary.areas.iter().filter(|area| !index::components_of(reader, &area.id).is_empty());
        document.sections.extend(areas.map(|area| SearchSection {
            anchor: area_anchor(&area.id),
            heading: reader.text(&area.label).to_owned(),
            text: reader.text(&area.what).to_owned(),
        }));
    }
}

/// Fills in the document of a page with an author's text, in the order of the page: facts before the text, the text, facts after the text.
fn facts(reader: &Reader<'_>, page: &Page, text: &PageDraft, document: &mut Document) {
    let kb = reader.kb();
    document.names.extend(text.front.keywords.iter().map(|words| name(words, NameKind::Keyword)));
    let PageKind::Entity(kind, id) = &page.kind else {
        document.names.extend(text.front.aka.iter().map(|other| name(other, NameKind::Alias)));
        document.sections = prose(reader, text);
        return;
    };
    document.names.push(name(id.as_str(), NameKind::Own));
    let (component, provider) = (kb.components.get(id), kb.providers.get(id));
    let node = NodeFacts::of(kb, id);
    let aka = node.as_ref().map(|it| it.aka).or_else(|| Some(&provider?.aka));
    let aka: Vec<&str> = aka.into_iter().flatten().chain(&text.front.aka).map(String::as_str).collect();
    document.names.extend(aka.iter().map(|other| name(other, NameKind::Alias)));
    for section in kb.sections_of(*kind, id) {
        let own = [&section.name, section.id.as_str()].map(|text| name(text, NameKind::Own));
        let others = section.aka.iter().map(|text| name(text, NameKind::Alias));
        document.names.extend(own.into_iter().chain(others).map(|name| SearchName { anchor: section.id.to_string(), ..name }));
    }
    let area = node.as_ref().and_then(|it| it.area);
    document.area = area.map(|area| kb.vocabulary.area_position(area)).filter(|position| *position < kb.vocabulary.areas.len());
    let aka = aka.join(" · ");
    let own = node.as_ref().map(|it| it.fields).or_else(|| Some(&provider?.fields)).unwrap_or_default();
    let own = fields::lines(reader, own);
    if let Some(it) = component {
        component_names(it, document);
        document.providers = it.providers().into_iter().filter_map(|id| kb.providers.keys().position(|known| known == id)).collect();
        let roles = it.roles.iter().map(|role| labels::role_link(reader, role).name).collect::<Vec<_>>().join(" · ");
        document.verdicts = verdicts(reader, it);
        document.sections.push(lead(&[&roles, reader.optional(it.installed_by.as_ref()), &aka, &own]));
        document.sections.extend(fact_section(reader, FactSection::Names, names(reader, it)));
        document.sections.extend(fact_section(reader, FactSection::Removal, deletions(reader, it)));
    } else if let Some(it) = provider {
        // In most queries, the name of a provider only restricts the search: its page is the best result only for a query without other words.
        for own in &mut document.names {
            own.kind = own.kind.max(NameKind::Object);
        }
        document.names.push(name(&it.name, NameKind::Object));
        document.providers = kb.providers.keys().position(|known| known == id).into_iter().collect();
        document.sections.push(lead(&[it.vendor.as_deref().unwrap_or_default(), &aka, &own]));
    } else {
        document.sections.push(lead(&[&aka, &own]));
    }
    document.sections.append(&mut prose(reader, text));
    document.sections.extend(component.and_then(|it| fact_section(reader, FactSection::Providers, claims(reader, it))));
    document.sections.extend(provider.and_then(|it| fact_section(reader, FactSection::Claims, shipped(reader, it))));
    document.sections.extend(node.and_then(|it| fact_section(reader, FactSection::Relations, relation_lines(reader, &it))));
    if let Some(it) = component {
        let ports = it.ports.iter().map(|port| format!("{} {}", port.first, reader.optional(port.what.as_ref())));
        document.sections.extend(fact_section(reader, FactSection::Ports, ports));
        let flags = it.flags.iter().map(|flag| format!("{} {}", flag.flag, reader.optional(flag.what.as_ref())));
        document.sections.extend(fact_section(reader, FactSection::Flags, flags));
        // Messages have the words of everything that can go wrong, also in other components; the symptoms of the pages have the important ones.
        let is_of_log = |kind| matches!(kind, KnownNameKind::Message | KnownNameKind::LogSource);
        let names = it.names.iter().filter(|names| !is_of_log(names.kind));
        let names = names.map(|names| format!("{} {}", names.names.join(" "), reader.optional(names.what.as_ref())));
        document.sections.extend(fact_section(reader, FactSection::KnownNames, names));
    }
}

/// The verdicts for the component and for the objects of its sections.
fn verdicts(reader: &Reader<'_>, component: &Component) -> Vec<SearchVerdict> {
    let sections = component.section_deletions.iter().map(|(id, _)| Some(id));
    let of = |section: Option<&Id>| {
        let anchor = section.map(ToString::to_string).unwrap_or_default();
        let verdict = move |(kinds, TermView { id, label })| SearchVerdict { anchor: anchor.clone(), kinds, id, label };
        deletion::verdicts(reader, component, section).into_iter().map(verdict)
    };
    std::iter::once(None).chain(sections).flat_map(of).collect()
}

/// The first letters of a name of three words or more: `albc` for AWS Load Balancer Controller.
fn initials(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    let is_plain = words.len() >= 3 && words.iter().all(|word| word.starts_with(|first: char| first.is_ascii_alphabetic()));
    is_plain.then(|| words.iter().filter_map(|word| word.chars().next()).map(|first| first.to_ascii_lowercase()).collect())
}

/// The names of a component: its own, its initials, those of its objects, its flags and ports, its alerts, metrics, labels …
fn component_names(component: &Component, document: &mut Document) {
    document.names.push(name(&component.name, NameKind::Own));
    let initials: std::collections::BTreeSet<String> = [&component.name, component.id.as_str()].into_iter().filter_map(initials).collect();
    document.names.extend(initials.iter().map(|initials| name(initials, NameKind::Setting)));
    for listing in searched_names(component) {
        let anchor = listing.section.as_ref().map(ToString::to_string).unwrap_or_default();
        let object = SearchName { anchor, ..name(listing.pattern.stem(), NameKind::Object) };
        if !document.names.contains(&object) {
            document.names.push(object);
        }
    }
    // Flags and ports lead to their section.
    let ports = component.ports.iter().map(|port| (port.first.to_string(), FactSection::Ports));
    let settings = component.flags.iter().map(|flag| (flag.flag.clone(), FactSection::Flags)).chain(ports);
    let settings = settings.map(|(text, section)| (text, section, NameKind::Setting));
    // Words that anybody could use don't name a page, and lines of logs are for `explain`.
    let known = component.names.iter().filter(|names| !matches!(names.kind, KnownNameKind::Message | KnownNameKind::LogSource));
    let known = known.flat_map(|names| &names.names).filter(|name| name.contains('-') || looks_like_name(name));
    let known = known.map(|name| (name.clone(), FactSection::KnownNames, NameKind::Known));
    let named = settings.chain(known);
    let name =
        |(text, section, kind): (String, FactSection, NameKind)| SearchName { anchor: section.anchor().to_owned(), ..name(&text, kind) };
    document.names.extend(named.map(name));
}

/// The part of a document before its sections.
fn lead(lines: &[&str]) -> SearchSection {
    SearchSection { text: join_nonempty(lines.iter().copied(), "\n"), ..SearchSection::default() }
}

/// A generated section; `None` without any text. Empty lines are left out.
fn fact_section(reader: &Reader<'_>, section: FactSection, lines: impl IntoIterator<Item = String>) -> Option<SearchSection> {
    let lines: Vec<String> = lines.into_iter().map(|line| inline_code::plain(&line)).collect();
    let text = join_nonempty(lines.iter().map(String::as_str), "\n");
    let heading = section_title(reader, section).to_owned();
    (!text.is_empty()).then(|| SearchSection { anchor: section.anchor().to_owned(), heading, text })
}

/// The author's text by heading, with the names of link targets.
fn prose(reader: &Reader<'_>, text: &PageDraft) -> Vec<SearchSection> {
    let resolved = reader.context.links.of(text);
    let sections = text.body.sections().into_iter().flat_map(|section| {
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
        let section = SearchSection {
            anchor: heading.map(|heading| heading.id.clone()).unwrap_or_default(),
            heading: heading.map(|heading| heading.text.clone()).unwrap_or_default(),
            text: filled,
        };
        if section.anchor == SYMPTOMS { symptoms(section) } else { vec![section] }
    });
    sections.collect()
}

/// The section with the table of symptoms without its rows, and each row: readers look for a symptom, and not for a table.
fn symptoms(mut section: SearchSection) -> Vec<SearchSection> {
    let text = std::mem::take(&mut section.text);
    // The cells of a row are separated by tabs; the first row is the heading of the table.
    let (rows, prose): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.contains('\t'));
    section.text = prose.join("\n");
    let row = |(number, row): (usize, &&str)| SearchSection {
        anchor: symptom_id(number),
        heading: row.split('\t').next().unwrap_or_default().trim().to_owned(),
        text: row.replace('\t', " "),
    };
    let rows: Vec<SearchSection> = rows.iter().enumerate().skip(1).map(row).collect();
    std::iter::once(section).chain(rows).collect()
}

fn names(reader: &Reader<'_>, component: &Component) -> Vec<String> {
    let line = |listing: &Listing| {
        // What all components have, such as a ServiceAccount with "its permissions", is found by its name alone.
        if listing.pattern.has_own_effect() && !listing.pattern.is_definition() {
            return listing.name.clone();
        }
        let namespace = listing.namespace.as_deref().unwrap_or_default();
        join_nonempty([&listing.kind, &listing.name, namespace, reader.optional(listing.what.as_ref())], " ")
    };
    searched_names(component).map(line).collect()
}

/// The objects whose names lead to a component. The ClusterOperator `dns` is named after a component, and the APIServices `v{word}.apps` after an API. A ConfigMap whose
/// name needs its namespace, as `coredns` in `istio-system` does, has the name of another component.
fn searched_names(component: &Component) -> impl Iterator<Item = &Listing> {
    let is_api = |listing: &Listing| listing.kind == "APIService" && listing.pattern.stem().is_empty();
    let is_shared = |listing: &Listing| listing.needs_namespace && !listing.pattern.makes_pods();
    component.listing.iter().filter(move |listing| !listing.pattern.needs_kind() && !is_api(listing) && !is_shared(listing))
}

fn deletions(reader: &Reader<'_>, component: &Component) -> Vec<String> {
    let deletions = || std::iter::once(&component.deletion).chain(component.section_deletions.iter().map(|(_, deletion)| deletion));
    let impacts = deletions().filter_map(|deletion| Some(reader.optional(deletion.restart.as_ref()?.impact.as_ref()).to_owned()));
    let removals = deletions().filter_map(|deletion| deletion.removal.as_ref());
    let cases = removals.flat_map(|removal| std::iter::once(&removal.general).chain(removal.providers.iter().map(|(_, case)| case)));
    let lines = cases.flat_map(|case| {
        let texts = [&case.effect, &case.restored_by, &case.disable].map(|text| reader.optional(text.as_ref()).to_owned());
        std::iter::once(labels::verdict(reader, case.verdict).label).chain(texts)
    });
    impacts.chain(lines).collect()
}

fn claims(reader: &Reader<'_>, component: &Component) -> Vec<String> {
    claims_of(reader.kb(), component).map(|(provider, claim)| claim_line(reader, &provider.name, claim)).collect()
}

fn shipped(reader: &Reader<'_>, provider: &Provider) -> Vec<String> {
    let kb = reader.kb();
    let line = |claim: &Claim| {
        let role = claim.role.as_ref().and_then(|id| kb.vocabulary.role(id)).map(|role| reader.text(&role.label)).unwrap_or_default();
        claim_line(reader, &format!("{role} {}", component_name(reader, claim)), claim)
    };
    provider.claims.iter().map(line).collect()
}

fn component_name(reader: &Reader<'_>, claim: &Claim) -> String {
    claim.component.as_ref().map(|id| reader.kb().name_of(id.as_str(), reader.lang)).unwrap_or_default()
}

fn claim_line(reader: &Reader<'_>, subject: &str, claim: &Claim) -> String {
    let presence = presence(reader, claim.presence).label;
    let form = claim.form.as_deref().unwrap_or_default();
    join_nonempty([subject.trim(), &presence, form, reader.optional(claim.what.as_ref())], " · ")
}

fn relation_lines(reader: &Reader<'_>, node: &NodeFacts<'_>) -> Vec<String> {
    let line = |NodeRelation { relation, other, is_incoming }: NodeRelation<'_>| {
        let verb = labels::verb(reader, &relation.verb, is_incoming);
        let name = reader.kb().name_of(other.as_str(), reader.lang);
        let port = relation.port.as_deref().map(|port| format!(":{port}")).unwrap_or_default();
        let what = reader.optional(relation.what.as_ref());
        format!("{verb} {name}{port} {what}").trim_end().to_owned()
    };
    node.relations(reader.kb()).map(line).collect()
}
