//! The changes for readers between two states of a knowledge base, as Markdown for a pull request: statements and their evidence, patterns and example rows, page texts.
//!
//! Every fact becomes a statement with a topic, a subject and a text. Two lists of statements are compared, so that no kind of fact needs its own comparison.

mod prose;
mod statements;
mod word_diff;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use self::{
    prose::prose,
    statements::{Statement, StatementDiff, StatementKey, Topic, statements},
};
use crate::{
    coverage::{Coverage, LanguageCount, coverage},
    diagnostic::Diagnostic,
    highlight::Highlighter,
    id::Id,
    kb::{Evidence, Kb, Page},
    link::Links,
    render::Renderer,
};

/// The number of pages listed by name.
const MOST_PAGES: usize = 150;

/// The number of rows in one table: a comment on GitHub has at most 65,536 characters.
const MOST_ROWS: usize = 60;

/// One of the two states of a knowledge base, ready to be compared.
#[derive(Debug)]
pub struct DiffSide {
    renderer: Renderer,
}

impl DiffSide {
    /// Prepares a state.
    ///
    /// # Errors
    /// If the templates are broken.
    pub fn new(kb: Kb, links: Links) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self { renderer: Renderer::new(kb, links, std::sync::Arc::default(), &Highlighter::disabled(), None)? })
    }
}

/// The changes from one state to the other, as Markdown; one line if there are none.
#[must_use]
pub fn markdown(before: &DiffSide, after: &DiffSide) -> String {
    let statements = statements(before.renderer.kb(), after.renderer.kb());
    let StatementDiff { before: old, after: new, changed } = &statements;
    let mut text = String::from("## What changes for readers\n\n");
    let pages = pages(before, after);
    let sources = sources(before.renderer.kb(), after.renderer.kb());
    if changed.is_empty() && pages.is_empty() && sources.is_empty() {
        text.push_str("Nothing.\n");
        return text;
    }
    let unproven = |key: &&StatementKey| key.topic.is_claim() && new.get(*key).is_some_and(Statement::is_unproven);
    let count = |old_has: bool, new_has: bool| {
        changed.iter().filter(|key| old.contains_key(*key) == old_has && new.contains_key(*key) == new_has).count()
    };
    let own = with_own_changes(before.renderer.kb(), after.renderer.kb(), changed);
    let (own, others): (Vec<_>, Vec<_>) = pages.iter().partition(|((address, how), _)| *how != "changed" || own.contains(address));
    let counts = [
        ("new", count(false, true)),
        ("changed", count(true, true)),
        ("gone", count(true, false)),
        ("**without evidence**", changed.iter().filter(unproven).count()),
        ("pages with changed text", own.len()),
    ];
    let counts: Vec<String> = counts.into_iter().filter(|(_, count)| *count > 0).map(|(what, count)| format!("{what}: {count}")).collect();
    let _ = writeln!(text, "{}", counts.join(" · "));
    let keys: Vec<&StatementKey> = changed.iter().collect();
    for of_topic in keys.chunk_by(|one, next| one.topic == next.topic) {
        table(&mut text, of_topic[0].topic, of_topic, &statements);
    }
    if !sources.is_empty() {
        let _ = write!(text, "\n### Evidence\n\n{sources}");
    }
    coverage_line(&mut text, before.renderer.kb(), after.renderer.kb());
    prose(&mut text, before.renderer.kb(), after.renderer.kb());
    page_list(&mut text, "Pages with changed text", own);
    page_list(&mut text, "Pages that show these facts", others);
    text
}

fn table(text: &mut String, topic: Topic, keys: &[&StatementKey], statements: &StatementDiff) {
    let _ = write!(text, "\n### {}\n\n", topic.title());
    text.push_str(if topic.is_claim() {
        "| | about | before | after | sources |\n| --- | --- | --- | --- | --- |\n"
    } else {
        "| | about | before | after |\n| --- | --- | --- | --- |\n"
    });
    for key in keys.iter().take(MOST_ROWS) {
        let whole = |statement: Option<&Statement>| match statement {
            None => "—".to_owned(),
            Some(statement) if statement.text.is_empty() => "✓".to_owned(),
            Some(statement) => cell(&statement.text),
        };
        let (old, new) = (statements.before.get(*key), statements.after.get(*key));
        let by_words = old.zip(new).and_then(|(old, new)| word_diff::side_by_side(&old.text, &new.text));
        let (left, right) = by_words.unwrap_or_else(|| (whole(old), whole(new)));
        let _ = write!(text, "| {} | {} | {left} | {right} |", code(&key.subject), cell(key.about.trim_end_matches('′')));
        if topic.is_claim() {
            let sources = |statement: &Statement| match &statement.evidence {
                Some(_) if statement.is_unproven() => "**none**".to_owned(),
                Some(keys) => cell(&keys.iter().map(Id::as_str).collect::<Vec<_>>().join(", ")),
                // The evidence is shown with the verdict.
                None => "″".to_owned(),
            };
            let sources = match (old, new) {
                (_, None) => String::new(),
                (Some(old), Some(new)) if old.evidence != new.evidence => format!("{} → {}", sources(old), sources(new)),
                (_, Some(new)) => sources(new),
            };
            let _ = write!(text, " {sources} |");
        }
        text.push('\n');
    }
    if let Some(more) = keys.len().checked_sub(MOST_ROWS).filter(|more| *more > 0) {
        let _ = write!(text, "\nand {more} more\n");
    }
}

/// Evidence that was added, removed, or checked again.
fn sources(before: &Kb, after: &Kb) -> String {
    let all = |kb: &Kb| -> BTreeMap<(String, String), Evidence> {
        let components = kb.components.values().map(|it| (&it.id, &it.evidence));
        let providers = kb.providers.values().map(|it| (&it.id, &it.evidence));
        let concepts = kb.concepts.values().map(|it| (&it.id, &it.evidence));
        let of = |(id, evidence): (&Id, &Vec<Evidence>)| -> Vec<_> {
            evidence.iter().map(|entry| ((id.to_string(), entry.key.to_string()), entry.clone())).collect()
        };
        components.chain(providers).chain(concepts).flat_map(of).collect()
    };
    let (old, new) = (all(before), all(after));
    let address = |entry: &Evidence| {
        entry.url.as_deref().map_or_else(|| cell(&entry.title), |url| format!("<{}>", url.replace(['<', '>', ' ', '\n'], "")))
    };
    let mut lines: Vec<String> = Vec::new();
    for (key @ (id, name), entry) in &new {
        let (what, known) = (address(entry), old.get(key));
        lines.extend(match known {
            None => Some(format!("- {} {}: new, {what} ({})", code(id), code(name), entry.checked)),
            Some(known) if known.url != entry.url => {
                Some(format!("- {} {}: {what} instead of {} ({})", code(id), code(name), address(known), entry.checked))
            }
            Some(known) if known.checked != entry.checked => {
                Some(format!("- {} {}: checked again, {what} ({} after {})", code(id), code(name), entry.checked, known.checked))
            }
            Some(_) => None,
        });
    }
    let gone = old.iter().filter(|(key, _)| !new.contains_key(*key));
    lines.extend(gone.map(|((id, name), entry)| format!("- {} {}: removed, {}", code(id), code(name), address(entry))));
    cut_short(lines, MOST_ROWS).into_iter().map(|line| line + "\n").collect()
}

/// At most `most` lines, and a line with the number of omitted ones.
fn cut_short(mut lines: Vec<String>, most: usize) -> Vec<String> {
    if let Some(more) = lines.len().checked_sub(most).filter(|more| *more > 0) {
        lines.truncate(most);
        lines.push(format!("- and {more} more"));
    }
    lines
}

/// Changes of the coverage.
fn coverage_line(text: &mut String, before: &Kb, after: &Kb) {
    let (old, new) = (coverage(before), coverage(after));
    let sum = |coverage: &Coverage, count: fn(&LanguageCount) -> usize| coverage.languages.iter().map(count).sum::<usize>();
    let pages = |count| (sum(&old, count), sum(&new, count));
    let (missing, stale, unstamped) = (pages(|it| it.missing.len()), pages(|it| it.stale.len()), pages(|it| it.unstamped.len()));
    let counts = [
        ("statements without evidence", old.without_evidence.len(), new.without_evidence.len()),
        ("pairs of a role and a provider unknown", old.unknown_cells.len(), new.unknown_cells.len()),
        ("pages not translated", missing.0, missing.1),
        ("outdated translations", stale.0, stale.1),
        ("translations that are not verified", unstamped.0, unstamped.1),
        ("components without an example", old.without_examples.len(), new.without_examples.len()),
    ];
    let changed = counts.into_iter().filter(|(_, old, new)| old != new);
    let lines: Vec<String> = changed.map(|(what, old, new)| format!("- {what}: {old} → {new}")).collect();
    if !lines.is_empty() {
        let _ = write!(text, "\n### Coverage\n\n{}\n", lines.join("\n"));
    }
}

/// Pages with other text: their addresses, the kind of change, and the languages.
fn pages(before: &DiffSide, after: &DiffSide) -> BTreeMap<(String, &'static str), Vec<String>> {
    let (old, new) = (before.renderer.mains(), after.renderer.mains());
    let changed = new.iter().filter_map(|(path, main)| match old.get(path) {
        None => Some((path, "new")),
        Some(known) => (without_navigation(known) != without_navigation(main)).then_some((path, "changed")),
    });
    let gone = old.keys().filter(|path| !new.contains_key(*path)).map(|path| (path, "gone"));
    let config = &after.renderer.kb().config;
    let mut pages: BTreeMap<(String, &'static str), Vec<String>> = BTreeMap::new();
    for (path, how) in changed.chain(gone) {
        let (lang, path) = config.language_of(path);
        let address = format!("/{}", path.strip_suffix("index.html").unwrap_or(path));
        pages.entry((address, how)).or_default().push(lang.to_string());
    }
    // In the order of the languages of the site.
    let place = |tag: &String| config.languages.iter().position(|language| language.lang.as_str() == tag);
    for languages in pages.values_mut() {
        languages.sort_by_key(place);
    }
    pages
}

/// The addresses of pages whose own facts or text differ, in contrast to pages that only show changes of others.
fn with_own_changes(before: &Kb, after: &Kb, changed: &BTreeSet<StatementKey>) -> BTreeSet<String> {
    let subjects = changed.iter().flat_map(|StatementKey { subject, .. }| {
        let page = subject.strip_prefix('/').map(str::to_owned);
        let of = |kb: &Kb| kb.path_of(subject).map(|path| path.split('#').next().unwrap_or_default().trim_matches('/').to_owned());
        page.into_iter().chain(of(after)).chain(of(before))
    });
    let texts = after.pages.iter().filter(|(path, page)| before.pages.get(*path).is_none_or(|known| body_differs(known, page)));
    subjects.map(|path| address(&path)).chain(texts.map(|(path, _)| address(path))).collect()
}

/// The address of a page, without the language.
fn address(path: &str) -> String {
    if path.is_empty() { "/".to_owned() } else { format!("/{path}/") }
}

fn body_differs(before: &Page, after: &Page) -> bool {
    before.texts.len() != after.texts.len()
        || after.texts.iter().any(|(lang, text)| before.texts.get(lang).is_none_or(|known| known.source != text.source))
}

/// HTML without its `nav` elements, which are never nested: links to the previous and next page are not a change of a page.
fn without_navigation(html: &str) -> String {
    let (mut rest, mut text) = (html, String::with_capacity(html.len()));
    while let Some((before, inside)) = rest.split_once("<nav") {
        text.push_str(before);
        rest = inside.split_once("</nav>").map_or("", |(_, after)| after);
    }
    text + rest
}

fn page_list(text: &mut String, title: &str, pages: Vec<(&(String, &'static str), &Vec<String>)>) {
    let line = |((address, how), languages): (&(String, &'static str), &Vec<String>)| {
        format!("- {} {how} ({})", code(address), languages.join(", "))
    };
    details(text, title, pages.into_iter().map(line).collect(), MOST_PAGES);
}

/// A collapsed list of at most `most` lines, if there are any.
fn details(text: &mut String, title: &str, lines: Vec<String>, most: usize) {
    if !lines.is_empty() {
        let count = lines.len();
        let lines = cut_short(lines, most).join("\n");
        let _ = write!(text, "\n<details><summary>{title}: {count}</summary>\n\n{lines}\n\n</details>\n");
    }
}

/// Text in a cell of a table, with special characters of Markdown and GitHub escaped.
fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => cell.push(' '),
            // Otherwise, GitHub would notify the user of this name.
            '@' => cell.push_str("&#64;"),
            '&' => cell.push_str("&amp;"),
            '<' => cell.push_str("&lt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' | '$' => cell.extend(['\\', c]),
            c => cell.push(c),
        }
    }
    cell
}

/// A name as code.
fn code(text: &str) -> String {
    let text: String = text.chars().filter(|c| !matches!(c, '`' | '|' | '\n' | '\r')).collect();
    format!("`{text}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_is_text() {
        assert_eq!(cell("a|b @team <img> [x](y) `c`\n#1"), "a\\|b &#64;team &lt;img> \\[x\\](y) \\`c\\` \\#1");
        assert_eq!(code("a`b|c\nd"), "`abcd`");
    }
}
