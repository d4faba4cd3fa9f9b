use std::{
    io::{self, Write},
    path::PathBuf,
    time::Instant,
};

use clap::Args;

use super::{Failure, Outcome, outcome, progress::Progress, report, root};
use crate::{compile, config, highlight::Highlighter, read, timings::Timings, write};

#[derive(Debug, Args)]
pub(super) struct BuildArguments {
    /// The folder with book.toml [default: here or above]
    dir: Option<PathBuf>,
    /// Where to write the site [default: book.toml's build.build-dir, else "book"]
    #[arg(short, long, value_name = "OUT")]
    dest_dir: Option<PathBuf>,
    /// Refuse to build while there are warnings
    #[arg(long)]
    strict: bool,
    /// Say how long each stage took, and which files took longest
    #[arg(long)]
    timings: bool,
    /// Where the site will be published [default: book.toml's output.html.site-url]
    #[arg(long, value_name = "URL", env = "KSYS_DOCS_SITE_URL", hide_env_values = true, value_parser = site_url)]
    site_url: Option<config::SiteUrl>,
}

fn site_url(url: &str) -> Result<config::SiteUrl, String> {
    config::SiteUrl::parse(url).ok_or_else(|| "write `https://example.org/docs/` or `/docs/`".to_owned())
}

#[allow(clippy::disallowed_methods, reason = "the command says how long it took")]
pub(super) fn run(arguments: &BuildArguments) -> Result<Outcome, Failure> {
    let started = Instant::now();
    let root = root(arguments.dir.as_ref());
    let progress = Progress::new();
    let timings = if arguments.timings { Timings::on() } else { Timings::off() };
    progress.say("reading");
    let (mut sources, found) = timings.stage("read", || read::read(&root, true))?;
    sources.site_url.clone_from(&arguments.site_url);
    let settings = settings(&sources);
    progress.say(&format!("compiling {} files", sources.files.len()));
    let compiled = compile::compile_timed(&sources, &Highlighter::default(), found, &timings);
    progress.done();
    if !compiled.diagnostics.is_empty() {
        report(&compiled.diagnostics, &sources)?;
    }
    let outcome = outcome(&compiled.diagnostics, arguments.strict);
    let (Some(site), Outcome::Fine) = (&compiled.site, &outcome) else {
        writeln!(io::stderr(), "nothing was written; the site that was there is unchanged")?;
        return Ok(Outcome::Faulty);
    };
    let out = arguments.dest_dir.clone().unwrap_or_else(|| root.join(&settings.build_dir));
    let guarded = [settings.src.as_str(), read::TEMPLATES, read::STATIC].map(|folder| root.join(folder));
    progress.say(&format!("writing {} files", site.len()));
    let written = timings.stage("write", || write::write(site, &out, &guarded))?;
    progress.done();
    writeln!(
        io::stderr(),
        "{} files in `{}`: {} written, {} unchanged, {} removed ({:.0} ms)",
        site.len(),
        out.display(),
        written.changed,
        written.unchanged,
        written.removed,
        started.elapsed().as_secs_f64() * 1000.0
    )?;
    write!(io::stderr(), "{}", timings.report())?;
    Ok(outcome)
}

/// The configuration, whose problems the compiler reports.
fn settings(sources: &read::Sources) -> config::Config {
    use crate::diagnostic::{Diagnostics, Texts};
    config::parse(&config::FILE.into(), sources.text(config::FILE).unwrap_or_default(), &mut Diagnostics::new())
}
