//! Facts without pages, for those who want an answer at once.

use std::sync::Arc;

use rayon::prelude::*;
use serde::de::DeserializeOwned;

use super::{Draft, Loaded};
use crate::{
    config::{self, Config},
    decode::{Spanned, decode},
    diagnostic::Diagnostics,
    facts::{ComponentFacts, FrontMatter, ListingFacts, ProviderFacts, VocabularyFacts},
    id::Id,
    layout::{self, EntityKind, FileRole},
    node::{self, Node, PackedNode},
    read::{Content, Sources},
    text::Span,
    theme::Theme,
    yaml,
};

/// The facts of a knowledge base as they were when the program was compiled, sorted by path: the path of each file, the BLAKE3 hash of its text, and what it says, in the
/// form of [`node::unpack`]. `book.toml` is text.
pub type Packed = &'static [(&'static str, &'static [u8], &'static [u8])];

/// Facts without pages. What a component is beyond its rows is read when somebody asks for it.
#[derive(Debug)]
pub struct FactsDraft {
    /// Everything but the components.
    pub rest: Draft,
    /// The components, in the order of their files.
    pub components: Vec<Outline>,
}

/// A component whose rows are known, and the rest is not read yet.
#[derive(Debug)]
pub struct Outline {
    /// Its id.
    pub id: Id,
    /// The file of its facts.
    pub file: Arc<str>,
    /// The sections of its page: their ids and names.
    pub sections: Vec<(Spanned<Id>, String)>,
    facts: Kept,
}

/// Facts as they are kept until somebody asks for them.
#[derive(Debug)]
enum Kept {
    /// The whole tree, and what it says of rows.
    Packed(PackedNode<'static>, Option<PackedNode<'static>>),
    Read(Arc<Loaded<ComponentFacts>>),
}

/// What a `listing` entry says of rows.
#[derive(Clone, Debug)]
pub struct RowFacts<'a> {
    /// The kind of the object that its author made.
    pub kind: &'a str,
    /// The object's name, with variable parts.
    pub name: &'a str,
    /// Where it lives.
    pub namespace: Option<&'a str>,
    /// Whether only a row counts that tells its namespace.
    pub needs_namespace: bool,
    /// Where it is seen.
    pub providers: Vec<&'a str>,
}

impl Outline {
    /// Its rows, in the order of the file.
    #[must_use]
    pub fn rows(&self) -> Vec<RowFacts<'_>> {
        match &self.facts {
            Kept::Packed(_, listing) => listing.iter().copied().flat_map(PackedNode::items).filter_map(packed_row).collect(),
            Kept::Read(loaded) => loaded.facts.iter().flat_map(|facts| &facts.listing).map(|entry| row(entry)).collect(),
        }
    }

    /// All that its file says.
    #[must_use]
    pub fn loaded(&self) -> Arc<Loaded<ComponentFacts>> {
        match &self.facts {
            Kept::Read(loaded) => loaded.clone(),
            Kept::Packed(facts, _) => {
                let facts = node::unpack(facts.packed()).and_then(|node| decode(&self.file, &node, &mut Diagnostics::new()));
                Arc::new(Loaded { id: self.id.clone(), file: self.file.clone(), whole: facts.is_some(), facts })
            }
        }
    }

    fn packed(id: Id, file: &Arc<str>, tree: &'static [u8]) -> Self {
        let facts = PackedNode::new(tree);
        let (mut listing, mut sections) = (None, None);
        for (key, value) in facts.entries() {
            match key {
                "listing" => listing = Some(value),
                "sections" => sections = Some(value),
                _ => {}
            }
        }
        let sections = sections.into_iter().flat_map(PackedNode::entries).filter_map(|(id, section)| {
            let name = section.get("name").and_then(PackedNode::text).unwrap_or_default();
            Some((Spanned { value: Id::new(id).ok()?, span: Span::at(0) }, name.to_owned()))
        });
        Self { id, file: file.clone(), sections: sections.collect(), facts: Kept::Packed(facts, listing) }
    }

    fn read(loaded: Loaded<ComponentFacts>) -> Self {
        let sections = loaded.facts.iter().flat_map(|facts| &facts.sections.0).map(|(id, section)| (id.clone(), section.name.clone()));
        Self { id: loaded.id.clone(), file: loaded.file.clone(), sections: sections.collect(), facts: Kept::Read(Arc::new(loaded)) }
    }
}

fn row(entry: &ListingFacts) -> RowFacts<'_> {
    RowFacts {
        kind: &entry.kind,
        name: &entry.name,
        namespace: entry.namespace.as_deref(),
        needs_namespace: entry.needs_namespace,
        providers: entry.providers.iter().map(|id| id.as_str()).collect(),
    }
}

/// The same of a packed entry. An entry that [`ListingFacts`] would not be made of is none.
fn packed_row(entry: PackedNode<'static>) -> Option<RowFacts<'static>> {
    let (mut kind, mut name) = (None, None);
    let mut row = RowFacts { kind: "", name: "", namespace: None, needs_namespace: false, providers: Vec::new() };
    for (key, value) in entry.entries() {
        match key {
            "kind" => kind = value.text(),
            "name" => name = value.text(),
            "namespace" => row.namespace = value.text(),
            "needs-namespace" => row.needs_namespace = value.is_true(),
            "providers" => row.providers = value.items().filter_map(PackedNode::text).collect(),
            _ => {}
        }
    }
    Some(RowFacts { kind: kind?, name: name?, ..row })
}

/// Loads facts of components and providers and the vocabulary from a snapshot that need hold nothing else. What is wrong with a file is reported as ever. Files that are
/// as they were when the program was compiled need not be read again.
#[must_use]
pub fn facts_only(sources: &Sources, packed: Packed, diagnostics: &mut Diagnostics) -> FactsDraft {
    let text = |content: &Content| if let Content::Text(text) = content { Some(text.clone()) } else { None };
    let book: Arc<str> = config::FILE.into();
    let config = config::parse(&book, &sources.files.get(&book).and_then(text).unwrap_or_default(), diagnostics);
    let files = sources.below(&config.src).filter_map(|(inner, file, content)| Some((inner, file.clone(), text(content)?)));
    let files: Vec<(&str, Arc<str>, Arc<str>)> = files.collect();
    let known = |file: &Arc<str>, text: &Arc<str>| {
        let (hash, tree) = find(packed, file)?;
        (hash == blake3::hash(text.as_bytes()).as_bytes().as_slice()).then_some(tree)
    };
    draft(&config, &files, known, |file, text, found| yaml::parse(file, text, 0, found), diagnostics)
}

/// The same of facts that are part of the program.
#[must_use]
pub fn packed_facts(packed: Packed) -> FactsDraft {
    let book = find(packed, config::FILE).and_then(|(_, text)| std::str::from_utf8(text).ok());
    let mut diagnostics = Diagnostics::new();
    let config = config::parse(&config::FILE.into(), book.unwrap_or_default(), &mut diagnostics);
    let files = packed.iter().filter_map(|(path, _, tree)| {
        let inner = path.strip_prefix(config.src.as_str())?.strip_prefix('/')?;
        Some((inner, Arc::from(*path), *tree))
    });
    let files: Vec<_> = files.collect();
    draft(&config, &files, |_, tree| Some(*tree), |_, _, _| None, &mut diagnostics)
}

/// The sentence that a page of a snapshot or of the program begins with. `file` is its path.
#[must_use]
pub fn summary(sources: &Sources, file: &str) -> Option<String> {
    let Content::Text(text) = sources.files.get(file)? else { return None };
    super::page::front_matter(&file.into(), text, &mut Diagnostics::new())?.0.summary
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
    Component(Outline),
    Provider(Arc<Loaded<ProviderFacts>>),
    Vocabulary(Arc<VocabularyFacts>),
}

/// Reads files in parallel: those whose packed tree is known from it, the others from their text.
fn draft<T: Sync + Send>(
    config: &Config,
    files: &[(&str, Arc<str>, T)],
    packed: impl Fn(&Arc<str>, &T) -> Option<&'static [u8]> + Sync,
    parse: impl Fn(&Arc<str>, &T, &mut Diagnostics) -> Option<Node> + Sync,
    diagnostics: &mut Diagnostics,
) -> FactsDraft {
    let read = |(inner, file, text): &(&str, Arc<str>, T)| -> Option<(Read, Diagnostics)> {
        let mut found = Diagnostics::new();
        let node = |found: &mut Diagnostics| packed(file, text).and_then(node::unpack).or_else(|| parse(file, text, found));
        let read = match layout::role(inner, &config.languages) {
            FileRole::Facts { kind: EntityKind::Component, folder } => Read::Component(match packed(file, text) {
                Some(tree) => Outline::packed(Id::new(&folder).ok()?, file, tree),
                None => Outline::read(loaded(&folder, file, node, &mut found)?),
            }),
            FileRole::Facts { kind: EntityKind::Provider, folder } => Read::Provider(Arc::new(loaded(&folder, file, node, &mut found)?)),
            FileRole::Vocabulary => Read::Vocabulary(Arc::new(decode(file, &node(&mut found)?, &mut found)?)),
            _ => return None,
        };
        Some((read, found))
    };
    let mut rest = Draft {
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
    let mut components = Vec::new();
    for (read, found) in files.par_iter().filter_map(read).collect::<Vec<_>>() {
        diagnostics.append(found);
        match read {
            Read::Component(outline) => components.push(outline),
            Read::Provider(loaded) => rest.providers.push(loaded),
            Read::Vocabulary(facts) => rest.vocabulary = facts,
        }
    }
    FactsDraft { rest, components }
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
