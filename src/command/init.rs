use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;

use super::{
    Failure, Outcome,
    new::{lay_down, refresh_schemas},
};
use crate::{
    scaffold,
    schema::{FileFormat, schema},
    text::printable,
};

#[derive(Debug, Args)]
pub(super) struct InitArguments {
    /// The folder to create
    dir: PathBuf,
}

pub(super) fn run(arguments: &InitArguments) -> Result<Outcome, Failure> {
    let dir = &arguments.dir;
    let mut entries = walkdir::WalkDir::new(dir).min_depth(1).max_depth(1).into_iter();
    // A new repository counts as empty.
    if dir.exists() && entries.any(|entry| entry.is_ok_and(|entry| entry.file_name() != ".git")) {
        anyhow::bail!("`{}` is not empty; pass an empty folder, or one that does not exist", dir.display());
    }
    let mut files = scaffold::starter();
    files.extend(FileFormat::ALL.map(|document| (format!("schemas/{}", document.file()), schema(document, None).into_bytes())));
    lay_down(dir, &files)?;
    refresh_schemas(dir)?;
    writeln!(
        io::stderr(),
        "created a knowledge base with a small example; next: cd {} && ksys-docs serve",
        printable(&dir.to_string_lossy())
    )?;
    Ok(Outcome::Fine)
}
