use std::io::{self, Write};

use clap::{Args, ValueEnum};

use super::{Failure, Outcome};
use crate::schema::{Document, schema};

#[derive(Debug, Args)]
pub(super) struct SchemaArguments {
    /// Which file
    #[arg(value_enum)]
    document: Name,
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
    let document = match arguments.document {
        Name::Component => Document::Component,
        Name::Provider => Document::Provider,
        Name::Concept => Document::Concept,
        Name::Vocabulary => Document::Vocabulary,
        Name::Diagrams => Document::Diagrams,
        Name::Book => Document::Book,
    };
    io::stdout().lock().write_all(schema(document).as_bytes())?;
    Ok(Outcome::Fine)
}
