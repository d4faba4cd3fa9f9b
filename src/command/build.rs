use std::path::PathBuf;

use clap::Args;

use super::{Failure, Outcome};

#[derive(Debug, Args)]
pub(super) struct BuildArguments {
    /// The folder with book.toml [default: here or above]
    dir: Option<PathBuf>,
}

pub(super) fn run(_: &BuildArguments) -> Result<Outcome, Failure> {
    Ok(Outcome::Fine)
}
