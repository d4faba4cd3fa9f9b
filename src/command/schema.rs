use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};

use super::{Failure, Outcome, root};
use crate::{
    compile::analyze,
    config, read,
    schema::{FileFormat, KnownValues, schema},
    write,
};

#[derive(Debug, Args)]
pub(super) struct SchemaArguments {
    /// Which file
    #[arg(value_enum, required_unless_present = "write")]
    document: Option<Name>,
    /// Write all of them into the folder `schemas` of the knowledge base, where its facts look for them
    #[arg(long, conflicts_with = "document")]
    write: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Name {
    /// components/<id>/facts.yaml
    Component,
    /// providers/<id>/facts.yaml
    Provider,
    /// concepts/<id>/facts.yaml
    Concept,
    /// vocabulary.yaml
    Vocabulary,
    /// diagrams.yaml
    Diagrams,
    /// book.toml
    Book,
}

pub(super) fn run(arguments: &SchemaArguments) -> Result<Outcome, Failure> {
    let document = arguments.document.map(|name| match name {
        Name::Component => FileFormat::Component,
        Name::Provider => FileFormat::Provider,
        Name::Concept => FileFormat::Concept,
        Name::Vocabulary => FileFormat::Vocabulary,
        Name::Diagrams => FileFormat::Diagrams,
        Name::Book => FileFormat::Book,
    });
    let root = root(None);
    let words = root.join(config::FILE).is_file().then(|| words(&root)).flatten();
    if let Some(document) = document {
        io::stdout().lock().write_all(schema(document, words.as_ref()).as_bytes())?;
        return Ok(Outcome::Fine);
    }
    let Some(words) = words else {
        anyhow::bail!("there is no knowledge base here whose words could be offered, or it has errors; see `ksys-docs check`");
    };
    for path in write_all(&root, &words)? {
        writeln!(io::stdout(), "{path}")?;
    }
    Ok(Outcome::Fine)
}

/// The words of the knowledge base in a folder; none if it has errors.
fn words(root: &Path) -> Option<KnownValues> {
    let (sources, mut diagnostics) = read::read(root, false).ok()?;
    let analysis = analyze(&sources, &mut diagnostics)?;
    Some(KnownValues::of(&analysis.kb))
}

/// Writes every schema, and names each that is not as it was.
pub(super) fn write_all(root: &Path, words: &KnownValues) -> Result<Vec<String>, Failure> {
    let mut written = Vec::new();
    for document in FileFormat::ALL {
        let path = PathBuf::from("schemas").join(document.file());
        let text = schema(document, Some(words));
        if read::text(&root.join(&path)).as_deref() != Some(text.as_str()) {
            write::replace(&root.join(&path), text.as_bytes())?;
            written.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(written)
}
