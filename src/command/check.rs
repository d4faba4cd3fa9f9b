use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use jiff::ToSpan;

use super::{CommandArguments, Failure, Format, Outcome, limits::LimitArguments, outcome, progress::Progress, report, root};
use crate::{
    compile,
    coverage::evidence_before,
    diagnostic::{self, Diagnostics},
    id::Id,
    kb::Evidence,
    preprocess, read,
    text::printable_lines,
};

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// The folder with book.toml [default: here or above]
    dir: Option<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// The format of the report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// List the evidence that was last checked more than this many days ago, the oldest first
    #[arg(long, value_name = "DAYS", conflicts_with = "format")]
    stale: Option<u32>,
    #[command(flatten)]
    commands: CommandArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

pub(super) fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    arguments.limits.enforce();
    let progress = Progress::new();
    progress.show("reading");
    let root = root(arguments.dir.as_ref());
    let (mut sources, mut found) = read::read(&root, read::HistoryMode::Skip)?;
    if arguments.commands.allow_commands {
        progress.show("running preprocessors");
        preprocess::run(&root, &mut sources, &mut found);
    }
    progress.show(&format!("checking {} files", sources.files.len()));
    if let Some(days) = arguments.stale {
        let list = stale(&sources, found, days)?;
        progress.done();
        io::stdout().lock().write_all(printable_lines(&list).as_bytes())?;
        return Ok(Outcome::Fine);
    }
    let checked = compile::check(&sources, found);
    progress.done();
    let diagnostics = &checked.diagnostics;
    let machine = match arguments.format {
        Format::Human => {
            report(diagnostics, &sources)?;
            if let Some(coverage) = &checked.coverage {
                io::stderr().lock().write_all(printable_lines(&coverage.summary()).as_bytes())?;
            }
            return Ok(outcome(diagnostics, arguments.strict));
        }
        Format::Json => diagnostic::json(diagnostics, &sources, checked.coverage.as_ref()),
        Format::Github => diagnostic::github(diagnostics, &sources),
        Format::Sarif => diagnostic::sarif(diagnostics, &sources),
    };
    // Machine-readable reports are the output of the command, so they go to stdout.
    io::stdout().lock().write_all(machine.as_bytes())?;
    Ok(outcome(diagnostics, arguments.strict))
}

/// A line for each entry of evidence that was last checked more than `days` days ago: the day, the file, the key, the address.
fn stale(sources: &read::Sources, mut found: Diagnostics, days: u32) -> Result<String, Failure> {
    let Some(compile::Analysis { kb, .. }) = compile::analyze(sources, &mut found) else {
        anyhow::bail!("the knowledge base has errors; run `ksys-docs check` without --stale");
    };
    let day = jiff::Zoned::now().date().checked_sub(i64::from(days).days())?;
    let line = |(entry, id): (&Evidence, &Id)| {
        let file = kb.file_of(id).map_or("", |file| file);
        format!("{}\t{file}\t{}\t{}\n", entry.checked, entry.key, entry.url.as_deref().unwrap_or_default())
    };
    Ok(evidence_before(&kb, day).into_iter().map(line).collect())
}
