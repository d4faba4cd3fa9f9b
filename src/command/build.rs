use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    time::Instant,
};

use clap::Args;

use super::{CommandArguments, Failure, HistoryArguments, Outcome, limits::LimitArguments, outcome, progress::Progress, report, root};
use crate::{
    compile::{self, OnErrors},
    config,
    highlight::Highlighter,
    load, preprocess,
    read::{self, HistoryMode},
    text::{printable, printable_lines},
    timings::Timings,
    write::{self, Output, WriteOptions, Written},
};

#[derive(Debug, Args)]
pub(super) struct BuildArguments {
    /// The folder with book.toml [default: here or above]
    dir: Option<PathBuf>,
    /// Where to write the site [default: book.toml's build.build-dir, else "book"]
    #[arg(short, long, value_name = "OUT")]
    dest_dir: Option<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Also write the site if there are errors, and show them in its pages
    #[arg(long, conflicts_with = "strict")]
    keep_going: bool,
    #[command(flatten)]
    commands: CommandArguments,
    #[command(flatten)]
    history: HistoryArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    write: WriteArguments,
    /// Print the time of each stage, and the slowest files
    #[arg(long)]
    timings: bool,
    /// The address at which the site is published [default: book.toml's output.html.site-url]
    #[arg(long, value_name = "URL", env = "KSYS_DOCS_SITE_URL", hide_env_values = true, value_parser = site_url)]
    site_url: Option<config::SiteUrl>,
}

#[derive(Clone, Copy, Debug, Args)]
struct WriteArguments {
    /// Also write files that are unchanged
    #[arg(long)]
    fresh: bool,
    /// Don't wait until the site is written to the disk; a power failure can damage it
    #[arg(long)]
    no_sync: bool,
}

fn site_url(url: &str) -> Result<config::SiteUrl, String> {
    config::SiteUrl::parse(url).ok_or_else(|| "write `https://example.org/docs/` or `/docs/`".to_owned())
}

#[allow(clippy::disallowed_methods, reason = "the command reports its duration")]
pub(super) fn run(arguments: &BuildArguments) -> Result<Outcome, Failure> {
    let started = Instant::now();
    arguments.limits.enforce();
    let root = root(arguments.dir.as_ref());
    let progress = Progress::new();
    let timings = if arguments.timings { Timings::on() } else { Timings::off() };
    progress.show("reading");
    let mode = match (arguments.history.no_git, arguments.strict) {
        (true, _) => HistoryMode::Skip,
        (false, false) => HistoryMode::Read,
        (false, true) => HistoryMode::Require,
    };
    let (mut sources, mut found) = timings.stage("read", || read::read(&root, mode))?;
    if arguments.commands.allow_commands {
        progress.show("running preprocessors");
        timings.stage("preprocess", || preprocess::run(&root, &mut sources, &mut found));
    }
    sources.site_url.clone_from(&arguments.site_url);
    let settings = load::configuration(&sources);
    let out = match &arguments.dest_dir {
        Some(out) => out.clone(),
        None => write::inside(&root, &settings.build_dir)?,
    };
    progress.show(&format!("compiling {} files", sources.files.len()));
    let on_errors = if arguments.keep_going { OnErrors::KeepGoing } else { OnErrors::Stop };
    let compile::Prepared { mut diagnostics, renderer, .. } =
        compile::prepare(&sources, &Highlighter::default(), found, on_errors, &timings);
    let is_refused = arguments.strict && !diagnostics.is_empty();
    let mut output = Ok(None);
    let mut is_complete = true;
    if let Some(renderer) = renderer.filter(|_| !is_refused) {
        let guarded = [settings.src.as_str(), read::TEMPLATES, read::STATIC].map(|folder| root.join(folder));
        let options = WriteOptions { fresh: arguments.write.fresh, sync: !arguments.write.no_sync };
        output = Output::begin(&out, &guarded, options).map(|output| {
            progress.show("rendering");
            let broken = renderer.render_all(&timings, &output);
            is_complete = broken.is_empty();
            diagnostics.extend(broken);
            Some(output)
        });
        // Dropping millions of small allocations takes long, and the process is about to exit.
        std::mem::forget(renderer);
    }
    progress.done();
    let diagnostics = diagnostics.sorted();
    if !diagnostics.is_empty() {
        report(&diagnostics, &sources)?;
    }
    let output = output?;
    let outcome = outcome(&diagnostics, arguments.strict);
    // After an error in a template, pages are missing.
    let can_write = is_complete && (arguments.keep_going || matches!(outcome, Outcome::Fine));
    let Some(output) = output.filter(|_| can_write) else {
        writeln!(io::stderr(), "no files were written; the previous site is unchanged")?;
        return Ok(Outcome::Faulty);
    };
    let files = output.len();
    progress.show(&format!("writing {files} files"));
    let written = timings.stage("write", || output.finish())?;
    progress.done();
    summary(files, &out, written, started)?;
    write!(io::stderr(), "{}", printable_lines(&timings.report()))?;
    Ok(outcome)
}

/// Writes the last line, a summary of the build.
#[allow(clippy::disallowed_methods, reason = "the command reports its duration")]
fn summary(files: usize, out: &Path, written: Written, started: Instant) -> io::Result<()> {
    let Written { changed, unchanged, removed } = written;
    let took = started.elapsed().as_secs_f64() * 1000.0;
    let out = out.display().to_string();
    let out = printable(&out);
    writeln!(io::stderr(), "{files} files in `{out}`: {changed} written, {unchanged} unchanged, {removed} removed ({took:.0} ms)")
}
