//! The file of a page to its draft.

use std::sync::Arc;

use super::{
    compressed_body::CompressedBody,
    draft::{Extent, PageDraft, SectionHash, TOP},
    expand::{Variables, expand},
    foreign::ForeignSyntax,
    front_matter::front_matter,
    unfinished,
    wording::PageWording,
};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::FrontMatter,
    id::Lang,
    layout::EntityKind,
    markdown::{self, Options, Prose, TextPassage},
    origins::Origins,
    read::{Preprocessed, Sources},
    terminology::Terminology,
    text::Span,
};

pub(super) fn page(
    (path, lang, kind): (Arc<str>, Lang, Option<EntityKind>),
    file: &Arc<str>,
    text: &Arc<str>,
    (sources, variables): (&Sources, &Variables),
    (options, terminology): (&Options<'_>, &Terminology),
    diagnostics: &mut Diagnostics,
) -> PageDraft {
    let mut found = Diagnostics::new();
    // The text of a chapter that preprocessors changed takes the place of that in the file.
    let preprocessed = sources.preprocessed.get(file);
    let text = preprocessed.map_or(text, |preprocessed| &preprocessed.text);
    let Some((mut front, body_at)) = front_matter(file, text, kind, terminology.matcher(lang.as_str()), &mut found) else {
        diagnostics.extend(found.all_sorted());
        return PageDraft::unreadable(path, lang, file);
    };
    let mut extent = if found.has_errors() { Extent::Text } else { Extent::Whole };
    // Findings of the front matter have their place already, like those of included files.
    let expanded = if preprocessed.is_some() { None } else { expand(file, text, body_at, sources, variables, &mut found) };
    diagnostics.extend(found.all_sorted());
    let expanded = preprocessed.map(|preprocessed| Preprocessed::clone(preprocessed)).or(expanded);
    let unchanged = || Preprocessed { text: text.clone(), origins: Origins::default(), title: None, included: Vec::new() };
    let Preprocessed { text: source, origins, title, included } = expanded.unwrap_or_else(unchanged);
    front.title = front.title.or(title);
    let mut all = Vec::new();
    let body = &source[body_at..];
    // The sections of Hugo often have only a title; the pages in them are their content.
    let is_section = file.ends_with("/_index.md") && front.title.is_some();
    if extent == Extent::Whole && body.trim().is_empty() && front.summary.is_none() && !is_section {
        extent = Extent::Nothing;
        let found = Diagnostic::new(Rule::EmptyFile, Place::new(file.clone(), Span::at(0)), "this page has no content");
        all.push(found.help("write a summary or some text, or remove the file"));
    }
    let mut wording = PageWording::new(file, body_at, &lang, terminology);
    let mut foreign = ForeignSyntax::new(file, body_at, body, options.math);
    let has_checks = wording.is_some() || foreign.is_some();
    let mut visit = |passage: &TextPassage<'_>| {
        if let Some(wording) = &mut wording {
            wording.visit(passage);
        }
        if let Some(foreign) = &mut foreign {
            foreign.visit(passage);
        }
    };
    let mut prose = markdown::render_and_visit(body, options, has_checks.then_some(&mut visit));
    all.extend(wording.into_iter().flat_map(PageWording::finish));
    all.extend(foreign.into_iter().flat_map(ForeignSyntax::finish));
    for problem in std::mem::take(&mut prose.problems) {
        let found = Diagnostic::new(problem.rule, Place::new(file.clone(), problem.span.shifted(body_at)), problem.message);
        all.push(found.help(problem.help));
    }
    let mut found = Diagnostics::new();
    for row in prose.symptoms.iter().filter(|_| kind == Some(EntityKind::Component)).flat_map(|symptoms| &symptoms.without_action) {
        let help = "write in the third column what to do: a command or a change";
        found.report(Rule::MissingAction, Place::new(file.clone(), row.shifted(body_at)), "this symptom has no action", help);
    }
    unfinished::report(file, &source, true, &mut found);
    all.extend(found.all_sorted());
    let in_its_file = |mut found: Diagnostic| {
        found.place = found.place.map(|place| origins.place(&place.file, place.span));
        found
    };
    diagnostics.extend(all.into_iter().map(in_its_file));
    let hashes = hash_sections(body, &front, &prose);
    let body = CompressedBody::take(&mut prose);
    PageDraft {
        path,
        lang,
        file: file.clone(),
        extent,
        front,
        source,
        body_at,
        prose,
        body,
        hashes,
        origins,
        included,
        is_preprocessed: preprocessed.is_some(),
    }
}

fn hash_sections(body: &str, front: &FrontMatter, prose: &Prose) -> Vec<SectionHash> {
    let head = format!("{}\n{}\n", front.title.as_deref().unwrap_or_default(), front.summary.as_deref().unwrap_or_default());
    let starts: Vec<usize> = prose.headings.iter().map(|heading| heading.span.start).collect();
    let first = starts.first().copied().unwrap_or(body.len());
    let mut hashes = vec![SectionHash { anchor: TOP.to_owned(), hash: hash(&[&head, body.get(..first).unwrap_or(body)]) }];
    for (index, heading) in prose.headings.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(body.len());
        let source = body.get(heading.span.start..end).unwrap_or_default();
        hashes.push(SectionHash { anchor: heading.id.clone(), hash: hash(&[source]) });
    }
    hashes
}

fn hash(texts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for word in texts.iter().flat_map(|text| text.split_whitespace()) {
        hasher.update(word.as_bytes());
        hasher.update(b" ");
    }
    hasher.finalize().to_hex()[..10].to_owned()
}
