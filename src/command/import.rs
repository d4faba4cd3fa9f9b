use std::{
    io::{self, Write},
    path::PathBuf,
    sync::Arc,
};

use clap::{Args, Subcommand, builder::PossibleValuesParser};
use jiff::civil::Date;

use super::{Failure, Outcome, report, root};
use crate::{
    diagnostic::Diagnostics,
    explain::Knowledge,
    facts::Day,
    import::{self, ImportSource, ImportSummary, VersionsDocument},
    layout::{PROVIDERS, VERSIONS},
    load::{self, EmbeddedFacts},
    read::{self, Checkout, Sources},
    text::printable,
    write,
};

#[derive(Debug, Args)]
pub(super) struct ImportArguments {
    #[command(subcommand)]
    what: ImportCommand,
}

#[derive(Debug, Subcommand)]
enum ImportCommand {
    /// Write the versions of components that a provider ships, from a clone of its repository
    Versions(VersionsArguments),
    /// List the sources of versions, each with the address of its repository
    Sources,
}

#[derive(Debug, Args)]
struct VersionsArguments {
    /// The source of the versions
    #[arg(value_parser = PossibleValuesParser::new(import::SOURCES.map(|source| source.id)))]
    source: String,
    /// A clone of the repository of the source, with its tags; its files and programs are not used, only its history
    #[arg(long, value_name = "CLONE")]
    from: PathBuf,
    /// The folder with book.toml [default: here or above]
    #[arg(long)]
    dir: Option<PathBuf>,
    /// The date on which the clone was up to date, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DATE")]
    checked: Option<Date>,
}

/// The number of images and names without a component that are listed.
const MOST_LISTED: usize = 20;

pub(super) fn run(arguments: &ImportArguments, built_in: EmbeddedFacts) -> Result<Outcome, Failure> {
    match &arguments.what {
        ImportCommand::Versions(arguments) => versions(arguments, built_in),
        ImportCommand::Sources => {
            let mut stdout = io::stdout().lock();
            for source in import::SOURCES {
                writeln!(stdout, "{}\t{}", source.id, source.repository)?;
            }
            Ok(Outcome::Fine)
        }
    }
}

fn versions(arguments: &VersionsArguments, built_in: EmbeddedFacts) -> Result<Outcome, Failure> {
    let source = import::SOURCES.iter().find(|source| source.id == arguments.source);
    let source = source.ok_or_else(|| anyhow::anyhow!("no source `{}`", arguments.source))?;
    let root = root(arguments.dir.as_ref());
    let sources = read::read_facts(&root)?;
    let mut diagnostics = Diagnostics::new();
    // Without the facts of a component, its images would belong to none.
    let draft = load::facts_only(&sources, built_in, &mut diagnostics);
    if diagnostics.has_errors() {
        report(&diagnostics.sorted(), &sources)?;
        return Ok(Outcome::Faulty);
    }
    let knowledge = Knowledge::of_facts(draft);
    if !knowledge.providers.contains_key(source.provider) {
        anyhow::bail!("this knowledge base has no provider `{0}`; create it with `ksys-docs new provider {0}`", source.provider);
    }
    let path = format!("{}/{PROVIDERS}/{}/{VERSIONS}", knowledge.config.src, source.provider);
    let text = match read::text(&root.join(&path)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(|error| anyhow::anyhow!("cannot read `{path}`: {error}"))?,
    };
    let Some(mut document) = VersionsDocument::parse(&Arc::from(path.as_str()), &text, &mut diagnostics) else {
        report(&diagnostics.sorted(), &Sources::from_texts([(path.as_str(), text.as_str())]))?;
        return Ok(Outcome::Faulty);
    };
    let checked = Day(arguments.checked.unwrap_or_else(|| jiff::Zoned::now().date()));
    let checkout = Checkout::open(&arguments.from)?;
    let summary = import::import(source, &checkout, &knowledge.recogniser, &mut document, checked)?;
    write::replace(&root.join(&path), document.to_string().as_bytes())?;
    print(source, &path, &summary)?;
    Ok(Outcome::Fine)
}

fn print(source: &ImportSource, path: &str, summary: &ImportSummary) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let ImportSummary { releases, versions, components, without_component } = summary;
    writeln!(stdout, "{}: {}, releases: {releases}, versions: {versions}, components: {components}", printable(path), source.id)?;
    if !without_component.is_empty() {
        writeln!(stdout, "images and names without a component: {}", without_component.len())?;
    }
    for name in without_component.iter().take(MOST_LISTED) {
        writeln!(stdout, "  {}", printable(name))?;
    }
    if without_component.len() > MOST_LISTED {
        writeln!(stdout, "  and {} more", without_component.len() - MOST_LISTED)?;
    }
    Ok(())
}
