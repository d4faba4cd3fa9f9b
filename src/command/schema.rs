use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum, builder::PossibleValue};

use super::{Failure, Outcome, root};
use crate::{
    compile::analyze,
    config, read,
    schema::{FileFormat, KnownValues, schema},
    write,
};

#[derive(Debug, Args)]
pub(super) struct SchemaArguments {
    /// The file format
    #[arg(value_enum, required_unless_present = "write")]
    document: Option<FileFormat>,
    /// Write all schemas to the folder `schemas` of the knowledge base
    #[arg(long, conflicts_with = "document")]
    write: bool,
}

impl ValueEnum for FileFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, file) = match self {
            Self::Component => ("component", "components/<id>/facts.yaml"),
            Self::Provider => ("provider", "providers/<id>/facts.yaml"),
            Self::Versions => ("versions", "providers/<id>/versions.yaml"),
            Self::Concept => ("concept", "concepts/<id>/facts.yaml"),
            Self::Vocabulary => ("vocabulary", "vocabulary.yaml"),
            Self::Diagrams => ("diagrams", "diagrams.yaml"),
            Self::Book => ("book", "book.toml"),
        };
        Some(PossibleValue::new(name).help(file))
    }
}

pub(super) fn run(arguments: &SchemaArguments) -> Result<Outcome, Failure> {
    let root = root(None);
    let known = root.join(config::FILE).is_file().then(|| known_values(&root)).flatten();
    if let Some(document) = arguments.document {
        io::stdout().lock().write_all(schema(document, known.as_ref()).as_bytes())?;
        return Ok(Outcome::Fine);
    }
    let Some(known) = known else {
        anyhow::bail!("no knowledge base found here, or it has errors; run `ksys-docs check`");
    };
    for path in write_all(&root, &known)? {
        writeln!(io::stdout(), "{path}")?;
    }
    Ok(Outcome::Fine)
}

/// The known values of the knowledge base in a folder; `None` if the knowledge base has errors.
fn known_values(root: &Path) -> Option<KnownValues> {
    let (sources, mut diagnostics) = read::read(root, read::HistoryMode::Skip).ok()?;
    let analysis = analyze(&sources, &mut diagnostics)?;
    Some(KnownValues::of(&analysis.kb))
}

/// Writes every schema, and returns the paths of those that changed.
pub(super) fn write_all(root: &Path, known: &KnownValues) -> Result<Vec<String>, Failure> {
    let mut written = Vec::new();
    for document in FileFormat::ALL {
        let path = PathBuf::from("schemas").join(document.file());
        let text = schema(document, Some(known));
        if read::text(&root.join(&path)).ok().as_deref() != Some(text.as_str()) {
            write::replace(&root.join(&path), text.as_bytes())?;
            written.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(written)
}
