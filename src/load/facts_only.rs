//! Facts without pages, for `explain`, which answers in milliseconds.

use std::sync::Arc;

use rayon::prelude::*;
use serde::de::DeserializeOwned;

use super::draft::{Draft, Loaded};
use crate::{
    config::{self, Config},
    decode::{Spanned, decode},
    diagnostic::Diagnostics,
    facts::{ComponentFacts, KnownNameKind, ListingFacts, ProviderFacts, VersionsFacts, VocabularyFacts},
    id::Id,
    layout::{self, EntityKind, FileRole},
    node::{self, Node, PackedNode},
    read::{Content, Sources},
    text::Span,
    yaml,
};

/// The facts of a knowledge base at the time of compilation, sorted by path: the path of each file, the BLAKE3 hash of its text, and its tree in the format of
/// [`node::unpack`]. `book.toml` is text.
pub type EmbeddedFacts = &'static [(&'static str, &'static [u8], &'static [u8])];

/// Facts without pages. The facts of a component beyond its rows are decoded on demand.
#[derive(Debug)]
pub struct FactsDraft {
    /// Everything except the components.
    pub rest: Draft,
    /// The components, in the order of their files.
    pub components: Vec<ComponentDraft>,
    /// The versions of components, in the order of their files.
    pub versions: Vec<VersionsDraft>,
}

/// The versions of components at a provider, decoded on demand.
#[derive(Debug)]
pub struct VersionsDraft {
    /// The id of the provider.
    pub id: Id,
    file: Arc<str>,
    facts: VersionsTree,
}

#[derive(Debug)]
enum VersionsTree {
    Packed(PackedNode<'static>),
    Decoded(Arc<Loaded<VersionsFacts>>),
}

impl VersionsDraft {
    /// The whole file, decoded at each call.
    #[must_use]
    pub fn loaded(&self) -> Arc<Loaded<VersionsFacts>> {
        match &self.facts {
            VersionsTree::Decoded(loaded) => loaded.clone(),
            VersionsTree::Packed(tree) => Arc::new(unpacked(&self.id, &self.file, *tree)),
        }
    }
}

/// Decodes a packed file.
fn unpacked<T: DeserializeOwned>(id: &Id, file: &Arc<str>, tree: PackedNode<'static>) -> Loaded<T> {
    let facts = node::unpack(tree.packed()).and_then(|node| decode(file, &node, &mut Diagnostics::new()));
    Loaded { id: id.clone(), file: file.clone(), whole: facts.is_some(), facts }
}

/// A component of which only the rows and the names of sections are decoded.
#[derive(Debug)]
pub struct ComponentDraft {
    /// Its id.
    pub id: Id,
    /// The file of its facts.
    pub file: Arc<str>,
    /// The sections of its page: their ids and names.
    pub sections: Vec<(Spanned<Id>, String)>,
    facts: LazyFacts,
}

#[derive(Debug)]
enum LazyFacts {
    Packed {
        tree: PackedNode<'static>,
        listing: Option<PackedNode<'static>>,
        images: Option<PackedNode<'static>>,
        names: Option<PackedNode<'static>>,
    },
    Decoded(Arc<Loaded<ComponentFacts>>),
}

/// The facts about rows in a `listing` entry.
#[derive(Clone, Debug)]
pub struct RowFacts<'a> {
    /// The kind of the object that its author creates.
    pub kind: &'a str,
    /// The object's name, with variable parts.
    pub name: &'a str,
    /// The namespace.
    pub namespace: Option<&'a str>,
    /// Whether rows match only if they show their namespace.
    pub needs_namespace: bool,
    /// The providers that have it; empty means all.
    pub providers: Vec<&'a str>,
}

impl ComponentDraft {
    /// Its rows, in the order of the file.
    #[must_use]
    pub fn rows(&self) -> Vec<RowFacts<'_>> {
        match &self.facts {
            LazyFacts::Packed { listing, .. } => listing.iter().copied().flat_map(PackedNode::items).filter_map(packed_row).collect(),
            LazyFacts::Decoded(loaded) => loaded.facts.iter().flat_map(|facts| &facts.listing).map(|entry| row(entry)).collect(),
        }
    }

    /// The repositories of its images, in the order of the file.
    #[must_use]
    pub fn images(&self) -> Vec<&str> {
        match &self.facts {
            LazyFacts::Packed { images, .. } => images.iter().copied().flat_map(PackedNode::items).filter_map(PackedNode::text).collect(),
            LazyFacts::Decoded(loaded) => loaded.facts.iter().flat_map(|facts| &facts.images).map(|image| image.value.as_str()).collect(),
        }
    }

    /// Its names outside of listings with their kinds, in the order of the file.
    #[must_use]
    pub fn known_names(&self) -> Vec<(KnownNameKind, &str)> {
        match &self.facts {
            LazyFacts::Packed { names, .. } => {
                let entries = names.iter().copied().flat_map(PackedNode::items);
                let kinded = entries.filter_map(|entry| Some((KnownNameKind::named(entry.get("kind")?.text()?)?, entry.get("names")?)));
                kinded.flat_map(|(kind, names)| names.items().filter_map(PackedNode::text).map(move |name| (kind, name))).collect()
            }
            LazyFacts::Decoded(loaded) => {
                let entries = loaded.facts.iter().flat_map(|facts| &facts.names);
                entries.flat_map(|entry| entry.names.iter().map(|name| (entry.kind, name.value.as_str()))).collect()
            }
        }
    }

    /// The whole file, decoded at each call.
    #[must_use]
    pub fn loaded(&self) -> Arc<Loaded<ComponentFacts>> {
        match &self.facts {
            LazyFacts::Decoded(loaded) => loaded.clone(),
            LazyFacts::Packed { tree, .. } => Arc::new(unpacked(&self.id, &self.file, *tree)),
        }
    }

    fn packed(id: Id, file: &Arc<str>, tree: &'static [u8]) -> Self {
        let tree = PackedNode::new(tree);
        let (mut listing, mut images, mut names, mut sections) = (None, None, None, None);
        for (key, value) in tree.entries() {
            match key {
                "listing" => listing = Some(value),
                "images" => images = Some(value),
                "names" => names = Some(value),
                "sections" => sections = Some(value),
                _ => {}
            }
        }
        let sections = sections.into_iter().flat_map(PackedNode::entries).filter_map(|(id, section)| {
            let name = section.get("name").and_then(PackedNode::text).unwrap_or_default();
            Some((Spanned { value: Id::new(id).ok()?, span: Span::at(0) }, name.to_owned()))
        });
        Self { id, file: file.clone(), sections: sections.collect(), facts: LazyFacts::Packed { tree, listing, images, names } }
    }

    fn read(loaded: Loaded<ComponentFacts>) -> Self {
        let sections = loaded.facts.iter().flat_map(|facts| &facts.sections.0).map(|(id, section)| (id.clone(), section.name.clone()));
        Self { id: loaded.id.clone(), file: loaded.file.clone(), sections: sections.collect(), facts: LazyFacts::Decoded(Arc::new(loaded)) }
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

/// The same for a packed entry; `None` if it could not be decoded as [`ListingFacts`].
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

/// Loads the vocabulary and the facts of components and providers from a snapshot, which may lack everything else. Files with the same hash as in `embedded`
/// are not parsed.
#[must_use]
pub fn facts_only(sources: &Sources, embedded: EmbeddedFacts, diagnostics: &mut Diagnostics) -> FactsDraft {
    let text = |content: &Content| if let Content::Text(text) = content { Some(text.clone()) } else { None };
    let book: Arc<str> = config::FILE.into();
    let config = config::parse(&book, &sources.files.get(&book).and_then(text).unwrap_or_default(), diagnostics);
    let files = sources.below(&config.src).filter_map(|(inner, file, content)| Some((inner, file.clone(), text(content)?)));
    let files: Vec<(&str, Arc<str>, Arc<str>)> = files.collect();
    let tree = |file: &Arc<str>, text: &Arc<str>| {
        let (hash, tree) = find(embedded, file)?;
        (hash == blake3::hash(text.as_bytes()).as_bytes().as_slice()).then_some(tree)
    };
    draft(&config, &files, tree, |file, text, found| yaml::parse(file, text, 0, found), diagnostics)
}

/// Loads the facts that are embedded in the program.
#[must_use]
pub fn embedded_facts(embedded: EmbeddedFacts) -> FactsDraft {
    let book = find(embedded, config::FILE).and_then(|(_, text)| std::str::from_utf8(text).ok());
    let mut diagnostics = Diagnostics::new();
    let config = config::parse(&config::FILE.into(), book.unwrap_or_default(), &mut diagnostics);
    let files = embedded.iter().filter_map(|(path, _, tree)| {
        let inner = path.strip_prefix(config.src.as_str())?.strip_prefix('/')?;
        Some((inner, Arc::from(*path), *tree))
    });
    let files: Vec<_> = files.collect();
    draft(&config, &files, |_, tree| Some(*tree), |_, _, _| None, &mut diagnostics)
}

/// The summary in the front matter of the page `file`.
#[must_use]
pub fn summary(sources: &Sources, file: &str) -> Option<String> {
    let Content::Text(text) = sources.files.get(file)? else { return None };
    super::front_matter::front_matter(&file.into(), text, None, None, &mut Diagnostics::new())?.0.summary
}

/// The summary of a page that is embedded in the program, and its section of symptoms in Markdown.
#[must_use]
pub fn embedded_page(embedded: EmbeddedFacts, file: &str) -> (Option<&'static str>, &'static str) {
    let Some((_, tree)) = find(embedded, file) else { return (None, "") };
    let text = |key| PackedNode::new(tree).get(key).and_then(PackedNode::text);
    (text("summary"), text("symptoms").unwrap_or_default())
}

/// The hash and the tree of a file.
fn find(embedded: EmbeddedFacts, file: &str) -> Option<(&'static [u8], &'static [u8])> {
    let at = embedded.binary_search_by_key(&file, |(path, ..)| path).ok()?;
    embedded.get(at).map(|(_, hash, tree)| (*hash, *tree))
}

enum FactsOnlyFile {
    Component(ComponentDraft),
    Provider(Arc<Loaded<ProviderFacts>>),
    Versions(VersionsDraft),
    Vocabulary(Arc<VocabularyFacts>),
}

/// Reads files in parallel: from their packed tree if `packed` returns one, else with `parse`.
fn draft<T: Sync + Send>(
    config: &Config,
    files: &[(&str, Arc<str>, T)],
    packed: impl Fn(&Arc<str>, &T) -> Option<&'static [u8]> + Sync,
    parse: impl Fn(&Arc<str>, &T, &mut Diagnostics) -> Option<Node> + Sync,
    diagnostics: &mut Diagnostics,
) -> FactsDraft {
    let read = |(inner, file, text): &(&str, Arc<str>, T)| -> Option<(FactsOnlyFile, Diagnostics)> {
        let mut found = Diagnostics::new();
        let node = |found: &mut Diagnostics| packed(file, text).and_then(node::unpack).or_else(|| parse(file, text, found));
        let facts = match layout::role(inner, config) {
            FileRole::Facts { kind: EntityKind::Component, folder } => FactsOnlyFile::Component(match packed(file, text) {
                Some(tree) => ComponentDraft::packed(Id::new(&folder).ok()?, file, tree),
                None => ComponentDraft::read(loaded(&folder, file, node, &mut found)?),
            }),
            FileRole::Facts { kind: EntityKind::Provider, folder } => {
                FactsOnlyFile::Provider(Arc::new(loaded(&folder, file, node, &mut found)?))
            }
            FileRole::Versions { folder } => {
                let id = Id::new(&folder).ok()?;
                let facts = match packed(file, text) {
                    Some(tree) => VersionsTree::Packed(PackedNode::new(tree)),
                    None => VersionsTree::Decoded(Arc::new(loaded(&folder, file, node, &mut found)?)),
                };
                FactsOnlyFile::Versions(VersionsDraft { id, file: file.clone(), facts })
            }
            FileRole::Vocabulary => FactsOnlyFile::Vocabulary(Arc::new(decode(file, &node(&mut found)?, &mut found)?)),
            _ => return None,
        };
        Some((facts, found))
    };
    let mut rest = Draft::empty(Arc::new(config.clone()));
    let (mut components, mut versions) = (Vec::new(), Vec::new());
    for (facts, found) in files.par_iter().filter_map(read).collect::<Vec<_>>() {
        diagnostics.append(found);
        match facts {
            FactsOnlyFile::Component(component) => components.push(component),
            FactsOnlyFile::Versions(of) => versions.push(of),
            FactsOnlyFile::Provider(loaded) => rest.providers.push(loaded),
            FactsOnlyFile::Vocabulary(facts) => rest.vocabulary = facts,
        }
    }
    FactsDraft { rest, components, versions }
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
