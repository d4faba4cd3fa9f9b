use std::{
    io::{self, Write},
    path::Path,
};

use clap::{Args, ValueEnum};

use super::{Failure, Outcome, report, root, schema::write_all};
use crate::{
    compile::{Analysis, analyze, analyze_cached},
    config,
    diagnostic::{Diagnostic, Severity},
    facts::Day,
    id::Id,
    layout::EntityKind,
    load::LoadCache,
    read, scaffold,
    schema::{FileFormat, KnownValues},
    text::{did_you_mean, printable},
    timings::Timings,
    write,
};

#[derive(Debug, Args)]
pub(super) struct NewArguments {
    /// The kind of page
    #[arg(value_enum)]
    kind: Kind,
    /// The ID: lower-case letters, digits, `-` and `.`; it is part of the address of the page. For a page, its path, such as guide/install
    id: String,
    /// The area of the component
    #[arg(long, value_parser = id)]
    area: Option<Id>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// A part of the system
    Component,
    /// What provides the system: a product, a service, a region
    Provider,
    /// Background knowledge
    Concept,
    /// Any other page
    Page,
}

fn id(text: &str) -> Result<Id, String> {
    Id::new(text).map_err(str::to_owned)
}

pub(super) fn run(arguments: &NewArguments) -> Result<Outcome, Failure> {
    let root = root(None);
    let (sources, mut diagnostics) = read::read(&root, read::HistoryMode::Skip)?;
    let Analysis { kb, draft, .. } = analyze_cached(&sources, &mut LoadCache::default(), &mut diagnostics, &Timings::off());
    // Errors elsewhere don't affect the new files.
    let matters = |file: &str| file == config::FILE || *file == *draft.vocabulary_file;
    let is_relevant =
        |found: &Diagnostic| found.severity == Severity::Error && found.place.as_ref().is_none_or(|place| matters(&place.file));
    let found: Vec<_> = diagnostics.sorted().into_iter().filter(is_relevant).collect();
    if !found.is_empty() {
        report(&found, &sources)?;
        writeln!(io::stderr(), "fix these errors first")?;
        return Ok(Outcome::Faulty);
    }
    let kind = match arguments.kind {
        Kind::Component => EntityKind::Component,
        Kind::Provider => EntityKind::Provider,
        Kind::Concept => EntityKind::Concept,
        Kind::Page => return page(&root, &kb.config, &arguments.id),
    };
    let id = &id(&arguments.id).map_err(|why| anyhow::anyhow!("`{}` cannot be an ID: {why}", printable(&arguments.id)))?;
    if let Some(path) = kb.path_of(id.as_str()) {
        anyhow::bail!("`{id}` is taken: the page is at `/{path}/`");
    }
    if let Some(section) = kb.sections.get(id) {
        anyhow::bail!("`{id}` is taken: it is a section of `{}`", section.owner);
    }
    if let Some(area) = arguments.area.as_ref().filter(|area| kb.vocabulary.area(area).is_none()) {
        let known: Vec<&str> = kb.vocabulary.areas.iter().map(|area| area.id.as_str()).collect();
        let meant = did_you_mean(area.as_str(), known.iter().copied());
        let meant = meant.map_or_else(|| ".".to_owned(), |meant| format!("; did you mean `{meant}`?"));
        anyhow::bail!("the vocabulary has no area `{area}`{meant} There are: {}", known.join(", "));
    }
    let today = Day(jiff::Zoned::now().date());
    // Translations are not stamped: they have not been compared with an original yet.
    let files = scaffold::entity(&kb, kind, id, arguments.area.as_ref(), today);
    if let Some((path, _)) = files.iter().find(|(path, _)| sources.files.contains_key(path.as_str()) || root.join(path).exists()) {
        anyhow::bail!("`{path}` already exists");
    }
    lay_down(&root, &files)?;
    let offered = refresh_schemas(&root)?;
    let mut stderr = io::stderr().lock();
    if !offered.is_empty() {
        writeln!(stderr, "{} know the new id, so that editors offer it; commit them too", offered.join(", "))?;
    }
    writeln!(stderr, "`ksys-docs check` lists what isn't written yet; `ksys-docs serve` shows the page at /{}/{id}/", kind.folder())?;
    Ok(Outcome::Fine)
}

/// Creates a page that is not about an entity.
fn page(root: &Path, config: &config::Config, path: &str) -> Result<Outcome, Failure> {
    let path = path.trim_matches('/').trim_end_matches(".md");
    if let Some(why) = path.split('/').find_map(|part| id(part).err()) {
        anyhow::bail!("`{}` cannot be the path of a page: {why}; write it as `guide/install`", printable(path));
    }
    let files = scaffold::page(config, path);
    if let Some((path, _)) = files.iter().find(|(path, _)| root.join(path).exists()) {
        anyhow::bail!("`{path}` already exists");
    }
    lay_down(root, &files)?;
    let mut stderr = io::stderr().lock();
    if config.summary.is_some() {
        writeln!(stderr, "add it to `{}/{}`: - [Title]({path}.md)", config.src, crate::summary::FILE)?;
    }
    writeln!(stderr, "`ksys-docs check` lists what isn't written yet; `ksys-docs serve` shows the page")?;
    Ok(Outcome::Fine)
}

/// Updates the schemas next to a knowledge base, if there are any, so that editors offer the new id. Returns the paths of those that changed.
pub(super) fn refresh_schemas(root: &Path) -> Result<Vec<String>, Failure> {
    let kept = root.join("schemas").join(FileFormat::Component.file()).is_file();
    let (sources, mut diagnostics) = read::read(root, read::HistoryMode::Skip)?;
    match analyze(&sources, &mut diagnostics).filter(|_| kept) {
        Some(analysis) => write_all(root, &KnownValues::of(&analysis.kb)),
        None => Ok(Vec::new()),
    }
}

/// Writes files that don't exist yet, and prints the path of each.
pub(super) fn lay_down(root: &Path, files: &[scaffold::ScaffoldFile]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    for (path, text) in files {
        write::create(&root.join(path), text)?;
        writeln!(stdout, "{}", printable(path))?;
    }
    Ok(())
}
