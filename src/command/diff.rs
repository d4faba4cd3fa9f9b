use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;

use super::{Failure, Outcome, progress::Progress, report, root};
use crate::{
    compile::analyze,
    diagnostic::Diagnostics,
    diff::{DiffSide, markdown},
    read::{self, Sources},
    text::{printable, printable_lines},
};

#[derive(Debug, Args)]
pub(super) struct DiffArguments {
    /// Git revisions: `main` compares with the working tree, `main..topic` compares two commits, `main...topic` starts at their merge base
    #[arg(value_name = "BASE[..HEAD]", default_value = "HEAD")]
    range: String,
    /// The folder with book.toml [default: here or above]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(super) fn run(arguments: &DiffArguments) -> Result<Outcome, Failure> {
    let root = root(arguments.dir.as_ref());
    let (base, head) = commits(&root, &arguments.range)?;
    let progress = Progress::new();
    progress.show(&format!("reading {base}"));
    let before = read::read_revision(&root, &base)?;
    let (after, found) = match &head {
        Some(head) => (read::read_revision(&root, head)?, Diagnostics::new()),
        None => read::read(&root, read::HistoryMode::Skip)?,
    };
    progress.show("comparing");
    let sides =
        (side(&before, Diagnostics::new(), &base, &progress)?, side(&after, found, head.as_deref().unwrap_or("the files"), &progress)?);
    let (Some(before), Some(after)) = sides else { return Ok(Outcome::Faulty) };
    let text = markdown(&before, &after);
    progress.done();
    io::stdout().lock().write_all(printable_lines(&text).as_bytes())?;
    Ok(Outcome::Fine)
}

/// The two commits of a range; the second is `None` for the working tree.
fn commits(root: &Path, range: &str) -> Result<(String, Option<String>), Failure> {
    let or_head = |revision: &str| if revision.is_empty() { "HEAD".to_owned() } else { revision.to_owned() };
    if let Some((base, head)) = range.split_once("...") {
        let (base, head) = (or_head(base), or_head(head));
        return Ok((read::merge_base(root, &base, &head)?, Some(head)));
    }
    Ok(match range.split_once("..") {
        Some((base, head)) => (or_head(base), Some(or_head(head))),
        None => (or_head(range), None),
    })
}

/// Compiles one side of the comparison. Reports the errors and returns `None` if there are any.
fn side(sources: &Sources, found: Diagnostics, name: &str, progress: &Progress) -> Result<Option<DiffSide>, Failure> {
    let mut diagnostics = found;
    let analysis = analyze(sources, &mut diagnostics);
    let found = diagnostics.sorted();
    match analysis.map(|analysis| DiffSide::new(analysis.kb, analysis.links)) {
        Some(Ok(side)) => Ok(Some(side)),
        failed => {
            let templates = failed.and_then(Result::err).unwrap_or_default();
            let errors: Vec<_> =
                found.into_iter().chain(templates).filter(|it| it.severity == crate::diagnostic::Severity::Error).collect();
            progress.done();
            report(&errors, sources)?;
            writeln!(io::stderr(), "fix the errors of {} first, then compare", printable(name))?;
            Ok(None)
        }
    }
}
