//! The coverage page: the same numbers as those of `check`, with links to the gaps.

use serde::Serialize;

use super::{
    generated,
    labels::role_link,
    reader::{LinkView, Reader},
    templates::RenderResult,
};
use crate::{
    coverage::{ClaimKind, Coverage, OldEvidence},
    id::Id,
    layout::GeneratedPage,
};

#[derive(Serialize)]
struct CoverageView {
    components: usize,
    concepts: usize,
    sections: usize,
    providers: usize,
    patterns: usize,
    claims: Vec<ClaimRow>,
    without_evidence: Vec<MissingView>,
    old_evidence: Vec<OldView>,
    recheck_after: String,
    roles: Vec<RoleView>,
    cells: usize,
    unknown_cells: String,
    without_examples: Vec<GapView>,
    without_counter_examples: Vec<GapView>,
    unknown_verdicts: Vec<GapView>,
    unknown_since: Vec<GapView>,
    symptoms: Option<String>,
    without_symptoms: Vec<GapView>,
    without_actions: Vec<GapView>,
    languages: Vec<LanguageRow>,
    months: Vec<MonthRow>,
}

#[derive(Serialize)]
struct ClaimRow {
    label: String,
    total: usize,
    with_evidence: usize,
    without: usize,
    unknown: usize,
}

/// An entity with a gap, and the file in which to fill it.
#[derive(Serialize)]
struct GapView {
    link: LinkView,
    file: EditableFile,
}

/// A file, and the address where it can be edited, if the site has one.
#[derive(Serialize)]
struct EditableFile {
    path: String,
    name: String,
    edit: Option<String>,
}

#[derive(Serialize)]
struct MissingView {
    gap: GapView,
    kind: String,
}

#[derive(Serialize)]
struct OldView {
    gap: GapView,
    title: String,
    href: String,
    checked: String,
}

/// A role, and the providers whose statement is missing or says that it is unknown.
#[derive(Serialize)]
struct RoleView {
    link: LinkView,
    missing: Vec<GapView>,
}

#[derive(Serialize)]
struct LanguageRow {
    name: String,
    lang: String,
    written: usize,
    pages: usize,
    missing: Vec<PageLink>,
    stale: Vec<PageLink>,
    unstamped: Vec<PageLink>,
}

#[derive(Serialize)]
struct PageLink {
    href: String,
    title: String,
    /// The file to write or to update.
    file: EditableFile,
}

#[derive(Serialize)]
struct MonthRow {
    month: String,
    entries: usize,
}

pub(super) fn render(reader: &Reader<'_>) -> RenderResult {
    let kb = reader.kb();
    let found = reader.context.coverage.get_or_init(|| crate::coverage::coverage(kb));
    let links = |ids: &[Id]| -> Vec<GapView> { ids.iter().map(|id| gap(reader, id)).collect() };
    let without = found.without_evidence.iter();
    let view = CoverageView {
        components: found.components,
        concepts: found.concepts,
        sections: found.sections,
        providers: found.providers,
        patterns: found.patterns,
        claims: claims(reader, found),
        without_evidence: without
            .map(|it| MissingView { gap: gap(reader, &it.id), kind: kind_label(reader, it.kind).to_owned() })
            .collect(),
        old_evidence: found.old_evidence.iter().take(MOST_OLD).filter_map(|it| old(reader, it)).collect(),
        recheck_after: reader
            .words("coverage_recheck")
            .replace("{n}", &found.old_evidence.len().to_string())
            .replace("{days}", &kb.config.recheck_after_days.to_string()),
        roles: roles(reader, found),
        cells: found.cells,
        unknown_cells: reader
            .words("coverage_cells_unknown")
            .replace("{n}", &found.unknown_cells.len().to_string())
            .replace("{all}", &found.cells.to_string()),
        without_examples: links(&found.without_examples),
        without_counter_examples: links(&found.without_counter_examples),
        unknown_verdicts: links(&found.unknown_verdicts),
        unknown_since: links(&found.unknown_since),
        symptoms: (found.symptoms > 0).then(|| {
            let counts = reader.words("coverage_symptoms_count");
            counts.replace("{n}", &found.symptoms_with_action.to_string()).replace("{all}", &found.symptoms.to_string())
        }),
        without_symptoms: links(&found.without_symptoms),
        without_actions: links(&found.without_actions),
        languages: languages(reader, found),
        months: found.evidence_by_month.iter().rev().map(|(month, entries)| MonthRow { month: month.clone(), entries: *entries }).collect(),
    };
    generated::render(reader, GeneratedPage::Coverage, "coverage.html", &view)
}

/// The maximum number of entries to check again that are listed.
const MOST_OLD: usize = 200;

fn file(reader: &Reader<'_>, path: &str) -> EditableFile {
    EditableFile { path: path.to_owned(), name: path.rsplit('/').next().unwrap_or(path).to_owned(), edit: reader.edit(path) }
}

fn gap(reader: &Reader<'_>, id: &Id) -> GapView {
    let kb = reader.kb();
    // The facts of a section are in the file of the page's subject.
    let owner = kb.sections.get(id).map_or(id, |section| &section.owner);
    GapView { link: reader.link(id), file: file(reader, kb.file_of(owner).map_or("", |file| file)) }
}

fn old(reader: &Reader<'_>, it: &OldEvidence) -> Option<OldView> {
    let kb = reader.kb();
    let kind = kb.kind_of(it.id.as_str())?;
    let entry = kb.evidence_of(kind, &it.id).iter().find(|entry| entry.key == it.key)?;
    Some(OldView {
        gap: gap(reader, &it.id),
        title: entry.title.clone(),
        href: entry.url.clone().unwrap_or_default(),
        checked: it.checked.clone(),
    })
}

pub(super) fn kind_label<'a>(reader: &Reader<'a>, kind: ClaimKind) -> &'a str {
    reader.strings().term("claim", kind.name())
}

fn claims(reader: &Reader<'_>, found: &Coverage) -> Vec<ClaimRow> {
    let counts = found.claims.iter().map(|(kind, count)| (kind_label(reader, *kind), *count));
    let all = (reader.words("claim_all"), found.all_claims());
    let rows = counts.chain([all]).map(|(label, count)| ClaimRow {
        label: label.to_owned(),
        total: count.total,
        with_evidence: count.with_evidence,
        without: count.total - count.with_evidence - count.unknown,
        unknown: count.unknown,
    });
    rows.collect()
}

fn roles(reader: &Reader<'_>, found: &Coverage) -> Vec<RoleView> {
    let roles = reader.kb().vocabulary.roles.iter().map(|role| RoleView {
        link: role_link(reader, &role.id),
        missing: found.unknown_cells.iter().filter(|cell| cell.role == role.id).map(|cell| gap(reader, &cell.provider)).collect(),
    });
    roles.filter(|role| !role.missing.is_empty()).collect()
}

fn languages(reader: &Reader<'_>, found: &Coverage) -> Vec<LanguageRow> {
    let kb = reader.kb();
    let rows = found.languages.iter().map(|language| {
        let link = |path: &String| {
            let page = kb.pages.get(path.as_str());
            let title = page.and_then(|page| kb.title_of(page, reader.lang)).unwrap_or_else(|| path.clone());
            let written = page.and_then(|page| page.texts.get(&language.lang)).map(|text| text.file.to_string());
            // A missing translation belongs next to the original.
            let beside = || {
                let original = page?.texts.values().next()?.file.to_string();
                Some(format!("{}/{}.md", original.rsplit_once('/')?.0, language.lang))
            };
            let path_of_file = written.or_else(beside).unwrap_or_default();
            PageLink { href: reader.href_to(&kb.config.page_url(path, &language.lang)), title, file: file(reader, &path_of_file) }
        };
        let name = kb.config.languages.iter().find(|known| known.lang == language.lang).map(|known| known.name.clone());
        LanguageRow {
            name: name.unwrap_or_default(),
            lang: language.lang.to_string(),
            written: language.written,
            pages: found.pages,
            missing: language.missing.iter().map(link).collect(),
            stale: language.stale.iter().map(link).collect(),
            unstamped: language.unstamped.iter().map(link).collect(),
        }
    });
    rows.collect()
}
