use std::{
    io::{self, Write},
    net::SocketAddr,
    path::PathBuf,
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    time::{Duration, Instant},
};

use clap::Args;

use super::{CommandArguments, Failure, HistoryArguments, Outcome, colour, limits::LimitArguments, root, threads};
use crate::{
    diagnostic::human_finding,
    render::Renderer,
    serve::{Allowed, Event, Updater, bind, reachable_at, serve, url},
    text::printable,
};

/// One each for updates, watching, rendering and notices.
const MIN_THREADS: usize = 4;

#[derive(Debug, Args)]
pub(super) struct ServeArguments {
    /// The folder with book.toml [default: here or above]
    dir: Option<PathBuf>,
    /// The address to listen on; with 0.0.0.0, other machines can connect
    #[arg(short = 'n', long, value_name = "HOST", default_value = "127.0.0.1")]
    hostname: String,
    /// The port to listen on; 0 selects a free one
    #[arg(short, long, default_value_t = 3000)]
    port: u16,
    #[command(flatten)]
    commands: CommandArguments,
    #[command(flatten)]
    history: HistoryArguments,
    #[command(flatten)]
    limits: LimitArguments,
    /// Open the site in a browser
    #[arg(short, long)]
    open: bool,
}

#[allow(clippy::disallowed_methods, reason = "the command reports its duration")]
pub(super) fn run(arguments: &ServeArguments) -> Result<Outcome, Failure> {
    let started = Instant::now();
    arguments.limits.enforce();
    // The library that watches files panics without its thread.
    if !threads::can_start(MIN_THREADS) {
        anyhow::bail!("the system allows no more threads; raise the limit (`ulimit -u`), or use `ksys-docs build`");
    }
    // Before the build, so that a port in use is reported at once.
    let listener = bind(&arguments.hostname, arguments.port)?;
    let listening = listener.local_addr()?;
    let progress = WaitNotice::start("reading");
    let (updater, editions) = Updater::open(&root(arguments.dir.as_ref()), !arguments.history.no_git, arguments.commands.allow_commands)?;
    let open = arguments.open;
    let mut console = Console { started, listening, open, progress: Some(progress) };
    std::thread::Builder::new().name("update".to_owned()).spawn(move || {
        updater.run(&mut |event| {
            // A closed terminal does not end the server.
            let _ = console.report(event);
        });
    })?;
    serve(listener, Allowed::new(&arguments.hostname, listening), editions)?;
    Ok(Outcome::Fine)
}

/// Reports events in the terminal.
struct Console {
    started: Instant,
    listening: SocketAddr,
    open: bool,
    progress: Option<WaitNotice>,
}

impl Console {
    fn report(&mut self, event: Event<'_>) -> io::Result<()> {
        self.progress = None;
        let mut stderr = io::stderr().lock();
        match event {
            Event::Building { files } => {
                self.progress = Some(WaitNotice::start(&format!("compiling {files} files")));
                Ok(())
            }
            Event::Built { renderer } => self.summary(renderer, &mut stderr),
            Event::Updated { files, took } => {
                let what = match files.as_slice() {
                    [] => "files came or went".to_owned(),
                    [one] => (*one).to_owned(),
                    [one, rest @ ..] => format!("{one} and {} more", rest.len()),
                };
                writeln!(stderr, "{} ({:.0} ms)", printable(&what), took.as_secs_f64() * 1000.0)
            }
            Event::Found { new, texts, all, served } => {
                let with_colour = colour(&stderr);
                for found in &new {
                    writeln!(stderr, "{}\n", human_finding(found, texts, with_colour))?;
                }
                let count = |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
                let counts = [(all.0, "error"), (all.1, "warning")].into_iter().filter(|(number, _)| *number > 0);
                let counts: Vec<String> = counts.map(|(number, word)| count(number, word)).collect();
                let meanwhile = if all.0 > 0 && served { "; the last good site is served" } else { "" };
                writeln!(stderr, "{}{meanwhile}", counts.join(", "))
            }
            Event::Fixed => writeln!(stderr, "all errors are fixed"),
            Event::Unwatched(why) => {
                writeln!(
                    stderr,
                    "warning: the system cannot watch all files ({}); checking them every few seconds instead",
                    printable(&why.to_string())
                )?;
                writeln!(stderr, "  help: on Linux, raise the limit: `sudo sysctl fs.inotify.max_user_watches=524288`")
            }
        }
    }

    fn summary(&self, renderer: Option<&Renderer>, stderr: &mut impl Write) -> io::Result<()> {
        let took = format!("{:.1} s", self.started.elapsed().as_secs_f64());
        let base = renderer.map_or("/", |renderer| &renderer.kb().config.site_url.base);
        let addresses: Vec<String> = reachable_at(self.listening).into_iter().map(|address| url(address, base)).collect();
        match renderer {
            Some(renderer) => {
                let (pages, languages) = (renderer.kb().pages.len(), renderer.kb().config.languages.len());
                let in_languages = if languages == 1 { String::new() } else { format!(" in {languages} languages") };
                writeln!(stderr, "{pages} pages{in_languages} in {took}: {}", addresses.join(" or "))?;
            }
            None => writeln!(stderr, "no site yet: fix the errors, and it appears at {}", addresses.join(" or "))?,
        }
        if !self.listening.ip().is_loopback() {
            writeln!(
                stderr,
                "warning: everyone who can connect to port {} of this machine can read this site, including drafts",
                self.listening.port()
            )?;
        }
        if let (true, Some(address)) = (self.open, addresses.first())
            && let Err(error) = open::that_detached(address)
        {
            writeln!(stderr, "warning: cannot open a browser: {}", printable(&error.to_string()))?;
        }
        Ok(())
    }
}

/// Reports a step that takes longer than a second, until it is dropped.
struct WaitNotice {
    end: Sender<()>,
}

/// How long a step may take before it is first reported.
const PATIENCE: Duration = Duration::from_secs(1);

impl WaitNotice {
    #[allow(clippy::disallowed_methods, reason = "progress is about time")]
    fn start(what: &str) -> Self {
        let what = what.to_owned();
        let (end, ended) = channel();
        // Without a thread, nothing is reported.
        let _ = std::thread::Builder::new().spawn(move || {
            let started = Instant::now();
            let mut next = PATIENCE;
            while ended.recv_timeout(next) == Err(RecvTimeoutError::Timeout) {
                let _ = writeln!(io::stderr(), "{what} … {} s", started.elapsed().as_secs());
                // The interval grows, so that a build of several minutes doesn't fill a log.
                next = (next * 2).min(Duration::from_secs(10));
            }
        });
        Self { end }
    }
}

impl Drop for WaitNotice {
    fn drop(&mut self) {
        let _ = self.end.send(());
    }
}
