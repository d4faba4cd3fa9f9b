#![allow(clippy::disallowed_methods, reason = "this command asks other hosts, through curl, and reports its progress")]
use std::{
    collections::{BTreeMap, VecDeque},
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use clap::Args;
use jiff::civil::Date;

use super::{Failure, Outcome, report, root};
use crate::{
    compile::{Analysis, analyze},
    external_links::{self, LinkCache, LinkCheck, LinkHealth, LinkReport},
    read,
    text::{printable, printable_lines},
    write,
};

/// The number of hosts that are queried at the same time. Requests to one host are sequential.
const HOSTS: usize = 8;

/// The pause between two requests to the same host.
const PAUSE: Duration = Duration::from_millis(300);

#[derive(Debug, Args)]
pub(super) struct LinksArguments {
    /// The folder with book.toml [default: here or above]
    dir: Option<PathBuf>,
    /// The file in which results are cached
    #[arg(long, value_name = "FILE", default_value = ".links.json")]
    cache: PathBuf,
    /// Check pages again after this number of days; missing pages are always checked again
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    max_age: u32,
    /// The timeout for a page, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=300))]
    timeout: u32,
}

pub(super) fn run(arguments: &LinksArguments) -> Result<Outcome, Failure> {
    let (sources, mut diagnostics) = read::read(&root(arguments.dir.as_ref()), read::HistoryMode::Skip)?;
    let Some(Analysis { kb, .. }) = analyze(&sources, &mut diagnostics) else {
        report(&diagnostics.sorted(), &sources)?;
        return Ok(Outcome::Faulty);
    };
    let links = external_links::external_links(&kb, &sources);
    let mut cache = LinkCache::parse(&earlier(&arguments.cache)?);
    cache.retain(&links);
    let today = jiff::Zoned::now().date();
    let due = cache.due(&links, today, arguments.max_age);
    if !due.is_empty() {
        Command::new("curl")
            .arg("--version")
            .output()
            .map_err(|error| anyhow::anyhow!("`curl` is needed to ask other hosts, and cannot be run: {error}"))?;
        ask_all(&due, arguments.timeout, today, |url, check, done| {
            progress(done, due.len(), url, &check)?;
            cache.insert(url, check);
            // A run that is interrupted does not repeat its requests.
            if done % 50 == 0 { write::replace(&arguments.cache, cache.text().as_bytes()) } else { Ok(()) }
        })?;
        write::replace(&arguments.cache, cache.text().as_bytes())?;
    }
    let LinkReport { text, any_gone } = external_links::report(&links, &cache);
    io::stdout().lock().write_all(printable_lines(&text).as_bytes())?;
    Ok(if any_gone { Outcome::Faulty } else { Outcome::Fine })
}

/// The cache of the previous run; empty if there was none.
fn earlier(path: &Path) -> Result<String, Failure> {
    match read::text(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        text => text.map_err(|error| anyhow::anyhow!("cannot read `{}`: {error}", path.display())),
    }
}

/// Shows the progress. On a terminal, one line is overwritten; elsewhere, only addresses with a problem are reported.
fn progress(done: usize, of: usize, url: &str, check: &LinkCheck) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    let fine = check.health() == LinkHealth::Ok;
    if stderr.is_terminal() {
        write!(stderr, "\r\x1b[K")?;
    }
    if !fine {
        let what = if check.status == 0 { check.why.clone() } else { check.status.to_string() };
        writeln!(stderr, "{}  {}", printable(&what), printable(url))?;
    }
    if stderr.is_terminal() && done < of {
        write!(stderr, "{done} of {of} addresses checked")?;
        stderr.flush()?;
    }
    Ok(())
}

/// Checks every address, several hosts at a time, and passes each result to `answered` as it arrives.
fn ask_all(
    urls: &[&str],
    timeout: u32,
    today: Date,
    mut answered: impl FnMut(&str, LinkCheck, usize) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut by_host: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for url in urls {
        by_host.entry(url.split('/').nth(2).unwrap_or_default()).or_default().push(url);
    }
    let mut hosts: Vec<Vec<&str>> = by_host.into_values().collect();
    // The host with the most addresses takes longest, so it is first.
    hosts.sort_by_key(|urls| std::cmp::Reverse(urls.len()));
    let queue = Mutex::new(VecDeque::from(hosts));
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..HOSTS {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || {
                let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                while let Some(urls) = next() {
                    for url in urls {
                        if sender.send((url, ask(url, timeout, today))).is_err() {
                            return;
                        }
                        thread::sleep(PAUSE);
                    }
                }
            });
        }
        drop(sender);
        for (number, (url, check)) in receiver.iter().enumerate() {
            answered(url, check, number + 1)?;
        }
        Ok(())
    })
}

/// Sends a HEAD request, and a GET request if it fails, because some hosts don't support HEAD.
fn ask(url: &str, timeout: u32, today: Date) -> LinkCheck {
    let head = curl(url, timeout, today, true);
    if head.health() == LinkHealth::Ok { head } else { curl(url, timeout, today, false) }
}

fn curl(url: &str, timeout: u32, today: Date, head: bool) -> LinkCheck {
    let agent = concat!("ksys-docs/", env!("CARGO_PKG_VERSION"), " (looks whether cited pages are still there)");
    let mut command = Command::new("curl");
    command.args(["--silent", "--show-error", "--globoff", "--location", "--max-redirs", "8", "--proto", "=http,https"]);
    command.args(["--max-time", &timeout.to_string(), "--user-agent", agent, "--write-out", "%{http_code}"]);
    command.args(["--output", if cfg!(windows) { "NUL" } else { "/dev/null" }]);
    if head {
        command.arg("--head");
    }
    let failed = |why: String| LinkCheck { status: 0, why, day: today };
    match command.args(["--url", url]).output() {
        Ok(output) => {
            let status = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap_or(0);
            let why = String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("no answer").to_owned();
            if status == 0 { failed(why) } else { LinkCheck { status, why: String::new(), day: today } }
        }
        Err(error) => failed(error.to_string()),
    }
}
