use std::{
    io::{self, Write},
    path::{Path, PathBuf},
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
    let out = arguments.dest_dir.clone().unwrap_or_else(|| root.join(&settings.build_dir));
    let inputs = timings.stage("compare with last build", || sources.fingerprint());
    let unchanged = timings.stage("look at the site", || if found.is_empty() { write::made_of(&out, &inputs) } else { None });
    if let Some(files) = unchanged {
        progress.done();
        summary(files, &out, write::Written { unchanged: files, ..write::Written::default() }, started)?;
        write!(io::stderr(), "{}", timings.report())?;
        return Ok(Outcome::Fine);
    }
    progress.say(&format!("compiling {} files", sources.files.len()));
    let prepared = compile::prepare(&sources, &Highlighter::default(), found, &timings);
    let mut diagnostics = prepared.diagnostics;
    let mut output = None;
    let refused = arguments.strict && !diagnostics.is_empty();
    if let Some(renderer) = prepared.renderer.filter(|_| !refused) {
        let guarded = [settings.src.as_str(), read::TEMPLATES, read::STATIC].map(|folder| root.join(folder));
        let begun = match write::Output::begin(&out, &guarded) {
            Ok(begun) => begun,
            Err(error) => {
                progress.done();
                report(&diagnostics.sorted(), &sources)?;
                return Err(error.into());
            }
        };
        progress.say("rendering");
        diagnostics.extend(renderer.each(&timings, &|path, bytes| begun.put(path, bytes)));
        output = Some(begun);
    }
    progress.done();
    let diagnostics = diagnostics.sorted();
    if !diagnostics.is_empty() {
        report(&diagnostics, &sources)?;
    }
    let outcome = outcome(&diagnostics, arguments.strict);
    let (Some(output), Outcome::Fine) = (output, &outcome) else {
        writeln!(io::stderr(), "nothing was written; the site that was there is unchanged")?;
        return Ok(Outcome::Faulty);
    };
    let files = output.len();
    progress.say(&format!("writing {files} files"));
    let inputs = diagnostics.is_empty().then_some(inputs);
    let written = timings.stage("write", || output.finish(inputs))?;
    progress.done();
    summary(files, &out, written, started)?;
    write!(io::stderr(), "{}", timings.report())?;
    Ok(outcome)
}

/// The last line: what came of it.
#[allow(clippy::disallowed_methods, reason = "the command says how long it took")]
fn summary(files: usize, out: &Path, written: write::Written, started: Instant) -> io::Result<()> {
    let write::Written { changed, unchanged, removed } = written;
    let took = started.elapsed().as_secs_f64() * 1000.0;
    let out = out.display();
    writeln!(io::stderr(), "{files} files in `{out}`: {changed} written, {unchanged} unchanged, {removed} removed ({took:.0} ms)")
}

/// The configuration, whose problems the compiler reports.
fn settings(sources: &read::Sources) -> config::Config {
    use crate::diagnostic::{Diagnostics, Texts};
    config::parse(&config::FILE.into(), sources.text(config::FILE).unwrap_or_default(), &mut Diagnostics::new())
}
