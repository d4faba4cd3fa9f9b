//! Facts without pages, for those who want an answer at once.

use std::sync::Arc;

use rayon::prelude::*;
use serde::de::DeserializeOwned;

use super::{Draft, Loaded};
use crate::{
    config::{self, Config},
    decode::decode,
    diagnostic::Diagnostics,
    facts::{ComponentFacts, FrontMatter, ProviderFacts, VocabularyFacts},
    id::Id,
    layout::{self, EntityKind, FileRole},
    node::{self, Node},
    read::{Content, Sources},
    theme::Theme,
    yaml,
};

/// The facts of a knowledge base as they were when the program was compiled, sorted by path: the path of each file, the BLAKE3 hash of its text, and what it says, in the
/// form of [`node::unpack`]. `book.toml` is text.
pub type Packed = &'static [(&'static str, &'static [u8], &'static [u8])];

/// Loads facts of components and providers and the vocabulary from a snapshot that need hold nothing else. What is wrong with a file is reported as ever. Files that are
/// as they were when the program was compiled need not be read again.
#[must_use]
pub fn facts_alone(sources: &Sources, packed: Packed, diagnostics: &mut Diagnostics) -> Draft {
    let text = |content: &Content| if let Content::Text(text) = content { Some(text.clone()) } else { None };
    let book: Arc<str> = config::FILE.into();
    let config = config::parse(&book, &sources.files.get(&book).and_then(text).unwrap_or_default(), diagnostics);
    let files = sources.below(&config.src).filter_map(|(inner, file, content)| Some((inner, file.clone(), text(content)?)));
    let files: Vec<(&str, Arc<str>, Arc<str>)> = files.collect();
    let parse = |file: &Arc<str>, text: &Arc<str>, found: &mut Diagnostics| {
        let known = find(packed, file).filter(|(hash, _)| *hash == blake3::hash(text.as_bytes()).as_bytes().as_slice());
        known.and_then(|(_, tree)| node::unpack(tree)).or_else(|| yaml::parse(file, text, 0, found))
    };
    draft(&config, &files, parse, diagnostics)
}

/// The same of facts that are part of the program.
#[must_use]
pub fn packed_facts(packed: Packed) -> Draft {
    let book = find(packed, config::FILE).and_then(|(_, text)| std::str::from_utf8(text).ok());
    let mut diagnostics = Diagnostics::new();
    let config = config::parse(&config::FILE.into(), book.unwrap_or_default(), &mut diagnostics);
    let files = packed.iter().filter_map(|(path, _, tree)| {
        let inner = path.strip_prefix(config.src.as_str())?.strip_prefix('/')?;
        Some((inner, Arc::from(*path), *tree))
    });
    let files: Vec<_> = files.collect();
    draft(&config, &files, |_, tree, _| node::unpack(tree), &mut diagnostics)
}

/// The sentence that a page of a snapshot or of the program begins with. `file` is its path.
#[must_use]
pub fn summary(sources: &Sources, file: &str) -> Option<String> {
    let Content::Text(text) = sources.files.get(file)? else { return None };
    super::front_matter(&file.into(), text, &mut Diagnostics::new())?.0.summary
}

/// The same of a page that is part of the program.
#[must_use]
pub fn packed_summary(packed: Packed, file: &str) -> Option<String> {
    let (_, tree) = find(packed, file)?;
    decode::<FrontMatter>(&file.into(), &node::unpack(tree)?, &mut Diagnostics::new())?.summary
}

/// The hash and the tree of a file.
fn find(packed: Packed, file: &str) -> Option<(&'static [u8], &'static [u8])> {
    let at = packed.binary_search_by_key(&file, |(path, ..)| path).ok()?;
    packed.get(at).map(|(_, hash, tree)| (*hash, *tree))
}

enum Read {
    Component(Arc<Loaded<ComponentFacts>>),
    Provider(Arc<Loaded<ProviderFacts>>),
    Vocabulary(Arc<VocabularyFacts>),
}

fn draft<T: Sync + Send>(
    config: &Config,
    files: &[(&str, Arc<str>, T)],
    parse: impl Fn(&Arc<str>, &T, &mut Diagnostics) -> Option<Node> + Sync,
    diagnostics: &mut Diagnostics,
) -> Draft {
    let read = |(inner, file, text): &(&str, Arc<str>, T)| -> Option<(Read, Diagnostics)> {
        let mut found = Diagnostics::new();
        let node = |found: &mut Diagnostics| parse(file, text, found);
        let read = match layout::role(inner, &config.languages) {
            FileRole::Facts { kind: EntityKind::Component, folder } => Read::Component(Arc::new(loaded(&folder, file, node, &mut found)?)),
            FileRole::Facts { kind: EntityKind::Provider, folder } => Read::Provider(Arc::new(loaded(&folder, file, node, &mut found)?)),
            FileRole::Vocabulary => Read::Vocabulary(Arc::new(decode(file, &node(&mut found)?, &mut found)?)),
            _ => return None,
        };
        Some((read, found))
    };
    let mut draft = Draft {
        theme: Arc::new(Theme::default()),
        languages_known: true,
        vocabulary: Arc::default(),
        vocabulary_whole: true,
        vocabulary_file: format!("{}/{}", config.src, layout::VOCABULARY).into(),
        diagrams: Arc::default(),
        diagrams_file: format!("{}/{}", config.src, layout::DIAGRAMS).into(),
        components: Vec::new(),
        providers: Vec::new(),
        concepts: Vec::new(),
        pages: Vec::new(),
        assets: Vec::new(),
        additional_assets: Arc::default(),
        config: Arc::new(config.clone()),
    };
    for (read, found) in files.par_iter().filter_map(read).collect::<Vec<_>>() {
        diagnostics.append(found);
        match read {
            Read::Component(loaded) => draft.components.push(loaded),
            Read::Provider(loaded) => draft.providers.push(loaded),
            Read::Vocabulary(facts) => draft.vocabulary = facts,
        }
    }
    draft
}

fn loaded<T: DeserializeOwned>(
    folder: &str,
    file: &Arc<str>,
    node: impl FnOnce(&mut Diagnostics) -> Option<Node>,
    diagnostics: &mut Diagnostics,
) -> Option<Loaded<T>> {
    let id = Id::new(folder).ok()?;
    let node = node(diagnostics);
    let facts = node.and_then(|node| decode(file, &node, diagnostics));
    let whole = facts.is_some() && !diagnostics.has_errors();
    Some(Loaded { id, file: file.clone(), facts, whole })
}
