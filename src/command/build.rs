use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::{self, Write as _},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use clap::Args;

use super::{Failure, Outcome, outcome, progress::Progress, report, root};
use crate::{
    compile, config,
    diagnostic::Diagnostics,
    highlight::Highlighter,
    id::Lang,
    read, rebuild,
    render::{Renderer, Sink},
    timings::Timings,
    write,
};

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
    /// Begin from nothing, and leave nothing beside the site for the next build
    #[arg(long)]
    fresh: bool,
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
    let hashes = timings.stage("compare with last build", || sources.hashes());
    let inputs = sources.fingerprint(&hashes);
    let is_new = arguments.fresh || !found.is_empty();
    let unchanged = timings.stage("look at the site", || if is_new { None } else { write::made_of(&out, &inputs) });
    if let Some(files) = unchanged {
        progress.done();
        summary(files, &out, write::Written { unchanged: files, ..write::Written::default() }, started)?;
        write!(io::stderr(), "{}", timings.report())?;
        return Ok(Outcome::Fine);
    }
    progress.say(&format!("compiling {} files", sources.files.len()));
    let guarded = [settings.src.as_str(), read::TEMPLATES, read::STATIC].map(|folder| root.join(folder)).to_vec();
    let beginning = if arguments.fresh { write::Beginning::Nothing } else { write::Beginning::Before };
    let build = Build { sources, hashes, strict: arguments.strict, out, guarded, beginning, timings };
    let made = match build.again(&found) {
        Some(made) => made,
        None => build.whole(found, &progress),
    };
    progress.done();
    let diagnostics = made.diagnostics.sorted();
    if !diagnostics.is_empty() {
        report(&diagnostics, &build.sources)?;
    }
    let output = made.output?;
    let outcome = outcome(&diagnostics, arguments.strict);
    let (Some(output), Outcome::Fine) = (output, &outcome) else {
        writeln!(io::stderr(), "nothing was written; the site that was there is unchanged")?;
        return Ok(Outcome::Faulty);
    };
    let files = output.len();
    progress.say(&format!("writing {files} files"));
    let inputs = diagnostics.is_empty().then_some(inputs);
    let written = build.timings.stage("write", || output.finish(inputs))?;
    progress.done();
    summary(files, &build.out, written, started)?;
    write!(io::stderr(), "{}", build.timings.report())?;
    Ok(outcome)
}

/// What a build is made of.
struct Build {
    sources: read::Sources,
    hashes: read::Hashes,
    /// Whether a warning is enough not to write a site.
    strict: bool,
    out: PathBuf,
    /// Folders that the site must not touch.
    guarded: Vec<PathBuf>,
    beginning: write::Beginning,
    timings: Timings,
}

/// What came of it.
struct Made {
    diagnostics: Diagnostics,
    /// The site on its way to the disk; `None` if there is something against it.
    output: Result<Option<write::Output>, write::WriteError>,
}

impl Build {
    /// Makes what has changed since the last build, if that is enough.
    fn again(&self, found: &Diagnostics) -> Option<Made> {
        if self.beginning == write::Beginning::Nothing {
            return None;
        }
        let kept = write::Kept::of(&self.out)?;
        let (remembered, colours) = self.timings.stage("remember", || Some((kept.text(rebuild::PAGES)?, kept.text(COLOURS)?)))?;
        let now = rebuild::Now { sources: &self.sources, hashes: &self.hashes };
        let highlighter = Highlighter::knowing(&colours);
        let rebuild::Change { prepared, pages } = rebuild::prepare(&remembered, now, &highlighter, found, &self.timings)?;
        let renderer = prepared.renderer?;
        if self.strict && !prepared.diagnostics.is_empty() {
            return None;
        }
        let output = write::Output::begin(&self.out, &self.guarded, self.beginning).ok()?;
        if !self.timings.stage("look at the site", || output.is_untouched()) {
            return None;
        }
        // What is remembered is written over, so it is read before.
        let indexes: BTreeMap<String, String> = self.timings.stage("remember", || {
            let languages = renderer.kb().config.languages.iter().map(|language| search_memo(&language.lang));
            languages.map(|name| Some((name.clone(), kept.text(&name)?))).collect::<Option<_>>()
        })?;
        let kept = |lang: &Lang| indexes.get(&search_memo(lang)).map(String::as_str);
        let found = into(&output, |sink| renderer.again(&pages, &self.timings, &kept, sink, &mut |lang| memo(&output, &search_memo(lang))));
        if !found?.is_empty() {
            return None;
        }
        output.files_before().filter(|path| !renderer.is_of_search(path)).for_each(|path| output.stays(path));
        self.remember(&renderer, &output, Some((&remembered, &pages)), &mut |memo| memo.write_str(&colours));
        forget(renderer);
        Some(Made { diagnostics: prepared.diagnostics, output: Ok(Some(output)) })
    }

    /// Makes everything.
    fn whole(&self, found: Diagnostics, progress: &Progress) -> Made {
        let highlighter = Highlighter::default();
        let prepared = compile::prepare(&self.sources, &highlighter, found, &self.timings);
        let mut diagnostics = prepared.diagnostics;
        let refused = self.strict && !diagnostics.is_empty();
        let Some(renderer) = prepared.renderer.filter(|_| !refused) else { return Made { diagnostics, output: Ok(None) } };
        let output = write::Output::begin(&self.out, &self.guarded, self.beginning).map(|output| {
            progress.say("rendering");
            let found = into(&output, |sink| renderer.each(&self.timings, sink, &mut |lang| memo(&output, &search_memo(lang))));
            diagnostics.extend(found);
            self.remember(&renderer, &output, None, &mut |memo| highlighter.keep(memo));
            Some(output)
        });
        Made { diagnostics, output }
    }

    /// Leaves to the next build what it wants to know of pages and colours.
    fn remember(
        &self,
        renderer: &Renderer,
        output: &write::Output,
        before: Option<(&str, &BTreeSet<Arc<str>>)>,
        colours: &mut dyn FnMut(&mut write::Memo) -> fmt::Result,
    ) {
        let now = rebuild::Now { sources: &self.sources, hashes: &self.hashes };
        self.timings.stage("remember", || {
            // Where nothing can be remembered, the next build makes everything.
            if let Some(mut memo) = output.remember(rebuild::PAGES) {
                let _ = rebuild::remember(now, (renderer.kb(), renderer.links()), before, &mut memo);
            }
            if let Some(mut memo) = output.remember(COLOURS) {
                let _ = colours(&mut memo);
            }
        });
    }
}

/// Renders into an output folder.
fn into<T>(output: &write::Output, render: impl FnOnce(Sink<'_>) -> T) -> T {
    render(Sink {
        emit: &|path, bytes| output.put(path, bytes),
        stream: &|path, make| output.put_pieces(path, make),
        stays: &|path| output.stays(path),
    })
}

/// Under which name the colours of code are remembered.
const COLOURS: &str = "colours";

/// Lets the system clean up: what is made of millions of pieces takes long to take apart, and the program is about to end.
fn forget(renderer: Renderer) {
    std::mem::forget(renderer);
}

/// Under which name the search index of a language is remembered.
fn search_memo(lang: &Lang) -> String {
    format!("search-{lang}")
}

fn memo(output: &write::Output, name: &str) -> Option<Box<dyn fmt::Write>> {
    Some(Box::new(output.remember(name)?))
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
    use crate::diagnostic::SourceText;
    config::parse(&config::FILE.into(), sources.text(config::FILE).unwrap_or_default(), &mut Diagnostics::new())
}
