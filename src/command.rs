//! The command line interface: arguments in, exit codes out. Each command runs the stages that it needs (read, load, validate, link), and writes its results.

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Parser, Subcommand, ValueEnum};

mod build;
mod check;
mod diff;
mod explain;
mod import;
mod init;
mod limits;
mod links;
mod new;
mod progress;
mod rule;
mod schema;
mod serve;
mod stamp;
mod theme;
mod threads;
mod verify;

use crate::{
    diagnostic::{self, Diagnostic, SourceText},
    load::EmbeddedFacts,
    text::printable_lines,
};

/// Options of the commands that show when pages last changed.
#[derive(Debug, clap::Args)]
struct HistoryArguments {
    /// Don't run git: pages don't show when they last changed
    #[arg(long)]
    no_git: bool,
}

/// Options of the commands that compile a book with preprocessors.
#[derive(Clone, Copy, Debug, clap::Args)]
struct CommandArguments {
    /// Run the preprocessors that book.toml names. They are programs that can do anything that you can
    #[arg(long)]
    allow_commands: bool,
}

/// Compiles a knowledge base of Markdown and YAML into a searchable, bilingual site.
#[derive(Debug, Parser)]
#[command(name = "ksys-docs", version, about, propagate_version = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Build the site
    Build(build::BuildArguments),
    /// Serve the site locally and update it on every change
    Serve(serve::ServeArguments),
    /// Verify that every file of a site is as it was built
    Verify(verify::VerifyArguments),
    /// Report all problems of the content without writing files
    Check(check::CheckArguments),
    /// Show what changes for readers between two commits, in Markdown
    Diff(diff::DiffArguments),
    /// Explain kubectl output: what each object is, who installed it, whether you can delete it
    Explain(explain::ExplainArguments),
    /// Check whether cited pages still exist; slow, connects to other hosts
    Links(links::LinksArguments),
    /// Import facts from the repositories of others
    Import(import::ImportArguments),
    /// Create a component, a provider or a concept: facts and a page in every language
    New(new::NewArguments),
    /// Create a knowledge base with a small, complete example
    Init(init::InitArguments),
    /// Mark translations as up to date with their originals
    Stamp(stamp::StampArguments),
    /// Print the JSON Schema of a file format
    Schema(schema::SchemaArguments),
    /// Translate the user interface, or change a file of the theme
    Theme(theme::ThemeArguments),
    /// Explain a kind of finding
    Rule(rule::RuleArguments),
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Human,
    /// One JSON object
    Json,
    /// Annotations on the lines of a pull request
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// Why a command could not do its work; exit code 2.
type Failure = anyhow::Error;

/// The result of a command.
enum Outcome {
    /// Exit code 0.
    Fine,
    /// The content has errors; exit code 1.
    Faulty,
}

/// Runs the program. `built_in` contains the facts that explain `kubectl` output outside of a knowledge base.
#[must_use]
pub fn run(built_in: EmbeddedFacts) -> ExitCode {
    let arguments = Arguments::parse();
    threads::start();
    let outcome = match arguments.command {
        Command::Build(arguments) => build::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments, built_in),
        Command::Links(arguments) => links::run(&arguments),
        Command::Import(arguments) => import::run(&arguments, built_in),
        Command::New(arguments) => new::run(&arguments),
        Command::Init(arguments) => init::run(&arguments),
        Command::Stamp(arguments) => stamp::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Theme(arguments) => theme::run(&arguments),
        Command::Rule(arguments) => rule::run(&arguments),
    };
    match outcome {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Faulty) => ExitCode::from(1),
        // The reader of the output has closed the pipe (`| head`), which is not an error.
        Err(failure) if is_broken_pipe(&failure) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr(), "error: {}", printable_lines(&format!("{failure:#}")));
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(failure: &Failure) -> bool {
    failure.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe))
}

/// Whether the output to a stream is coloured: the stream is a terminal, and `NO_COLOR` is not set.
#[allow(clippy::disallowed_methods, reason = "the shell asks the environment")]
fn colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The folder of the knowledge base: as given, else the nearest one with a book.toml, here or above.
#[allow(clippy::disallowed_methods, reason = "the shell knows where it is")]
fn root(given: Option<&PathBuf>) -> PathBuf {
    if let Some(given) = given {
        return given.clone();
    }
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    here.ancestors().find(|folder| folder.join(crate::config::FILE).is_file()).map_or(here.clone(), PathBuf::from)
}

/// Reports findings on stderr, in the format for terminals.
fn report(diagnostics: &[Diagnostic], texts: &impl SourceText) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    let report = diagnostic::human(diagnostics, texts, colour(&stderr));
    stderr.write_all(report.as_bytes())
}

/// The outcome that follows from the findings.
fn outcome(diagnostics: &[Diagnostic], strict: bool) -> Outcome {
    let (errors, warnings) = diagnostic::count(diagnostics);
    if errors > 0 || (strict && warnings > 0) { Outcome::Faulty } else { Outcome::Fine }
}
