use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;

use super::{Failure, Outcome, root};
use crate::{read, stamp, text::printable, write};

#[derive(Debug, Args)]
pub(super) struct StampArguments {
    /// The translations that are up to date, such as content/components/etcd/ja.md
    #[arg(required_unless_present = "all")]
    files: Vec<PathBuf>,
    /// Stamp every translation that was never stamped
    #[arg(long, conflicts_with = "files")]
    all: bool,
}

pub(super) fn run(arguments: &StampArguments) -> Result<Outcome, Failure> {
    let root = root(None);
    let (sources, _) = read::read(&root, read::HistoryMode::Skip)?;
    let chosen = if arguments.all {
        stamp::Chosen::Unstamped
    } else {
        let names: Result<Vec<String>, Failure> = arguments.files.iter().map(|file| Ok(read::name_in(&root, file)?)).collect();
        stamp::Chosen::Files(names?)
    };
    let stamped = stamp::stamp(&sources, &chosen).map_err(anyhow::Error::msg)?;
    if stamped.is_empty() && arguments.all {
        writeln!(io::stderr(), "every translation has a stamp; to update one, compare it with the original, then pass its file")?;
    }
    let mut stdout = io::stdout().lock();
    for (file, text) in &stamped {
        write::replace(&root.join(file), text.as_bytes())?;
        writeln!(stdout, "stamped {}", printable(file))?;
    }
    Ok(Outcome::Fine)
}
