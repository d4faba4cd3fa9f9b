use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;

use super::{Failure, Outcome};
use crate::{
    text::printable,
    write::{self, Damage},
};

#[derive(Debug, Args)]
pub(super) struct VerifyArguments {
    /// The folder of the site
    site: PathBuf,
}

pub(super) fn run(arguments: &VerifyArguments) -> Result<Outcome, Failure> {
    let (files, damages) = write::verify(&arguments.site)?;
    let mut stderr = io::stderr().lock();
    for damage in &damages {
        // The manifest is not trusted: names can contain control characters.
        match damage {
            Damage::Changed(path) => writeln!(stderr, "error: `{}` was changed after the build", printable(path))?,
            Damage::Missing(path) => writeln!(stderr, "error: `{}` does not exist", printable(path))?,
            Damage::Unreadable(path, reason) => writeln!(stderr, "error: cannot read `{}`: {reason}", printable(path))?,
        }
    }
    if damages.is_empty() {
        writeln!(stderr, "{files} files are as they were built")?;
        return Ok(Outcome::Fine);
    }
    writeln!(stderr, "{} of {files} files are damaged\nhelp: rebuild the site: `ksys-docs build`", damages.len())?;
    Ok(Outcome::Faulty)
}
