use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;

use super::{CommandArguments, Failure, Format, Outcome, limits::LimitArguments, outcome, progress::Progress, report, root};
use crate::{compile, diagnostic, preprocess, read, text::printable_lines};

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
