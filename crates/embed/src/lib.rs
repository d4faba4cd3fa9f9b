//! A procedural macro that embeds the facts of a knowledge base in the program at compile time, already parsed, so that `ksys-docs explain` starts quickly and
//! works in any folder.
//!
//! This is a procedural macro instead of a build script because the output of a build script is part of the library, which would be recompiled for every edited
//! page. Here, only the binary is recompiled, which takes less than two seconds.
//!
//! The packed format is a YAML tree without positions: `T` or `P`, the length (four bytes, little-endian) and the text of a quoted or plain scalar; `L`, the
//! values and `E`; `M`, alternating keys and values, and `E`. `ksys_docs::node::unpack` decodes it.
//!
//! Of a page, the front matter is embedded, with the section of symptoms as the value of one more key.

#![allow(clippy::disallowed_methods, reason = "it reads the content folder for the compiler")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use saphyr_parser::{Event, Parser, ScalarStyle};

/// The keys of facts and front matter that are needed to explain `kubectl` output.
const KEPT: &[&str] = &[
    "name",
    "area",
    "roles",
    "lifecycle",
    "installed-by",
    "listing",
    "images",
    "names",
    "support",
    "restart",
    "removal",
    "sections",
    "kind",
    "marks",
    "unlike",
    "static-pod-nodes",
    "claims",
    "summary",
    "sources",
];
/// Keys inside these that are left out, because only the pages show them.
const LEFT_OUT: &[&str] = &["evidence", "aka"];
/// Keys of claims that are left out, too.
const LEFT_OUT_OF_CLAIMS: &[&str] = &["what"];

/// Embeds the facts in the folder `content` next to Cargo.toml, and its `book.toml`. Expands to a `&[(&str, &[u8], &[u8])]`: the path of each file in the
/// knowledge base, the BLAKE3 hash of its text, and its packed tree. `book.toml` is embedded as text.
///
/// A file that isn't valid YAML is left out; `ksys-docs check` reports its errors.
#[proc_macro]
pub fn knowledge(_: TokenStream) -> TokenStream {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files: Vec<(String, blake3::Hash, Vec<u8>)> = Vec::new();
    let mut read: Vec<PathBuf> = Vec::new();
    let mut add = |path: &Path, pack: fn(&str) -> Option<Vec<u8>>| {
        let Ok(text) = fs::read_to_string(path) else { return };
        read.push(path.to_owned());
        let name = path.strip_prefix(&root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        files.extend(pack(&text).map(|packed| (name, blake3::hash(text.as_bytes()), packed)));
    };
    add(&root.join("book.toml"), |text| Some(text.as_bytes().to_vec()));
    add(&root.join("content/vocabulary.yaml"), |text| tree(text, false));
    for kind in ["content/components", "content/providers"] {
        for folder in entries(&root.join(kind)) {
            for file in entries(&folder) {
                match file.extension().and_then(|extension| extension.to_str()) {
                    Some("yaml") => add(&file, |text| tree(text, true)),
                    Some("md") if kind.ends_with("components") => add(&file, page),
                    _ => {}
                }
            }
        }
    }
    files.sort_by(|(a, ..), (b, ..)| a.cmp(b));
    expand(&files, &read)
}

/// The entries of a folder, sorted; empty if the folder doesn't exist.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

/// `{ const _: &[u8] = include_bytes!("…"); … &[("…", b"…" as &[u8], b"…" as &[u8]), …] }`: the constants only tell the compiler which files to watch.
fn expand(files: &[(String, blake3::Hash, Vec<u8>)], read: &[PathBuf]) -> TokenStream {
    let watched: String = read.iter().map(|path| format!("const _: &[u8] = include_bytes!({:?});", path.to_string_lossy())).collect();
    let mut block: TokenStream = watched.parse().unwrap_or_default();
    let punct = |sign| TokenTree::Punct(Punct::new(sign, Spacing::Alone));
    // The type of a byte string literal is a reference to an array; the list requires slices.
    let slice = |bytes: &[u8]| {
        let byte = TokenTree::Ident(Ident::new("u8", Span::call_site()));
        let of = TokenTree::Group(Group::new(Delimiter::Bracket, byte.into()));
        [TokenTree::Literal(Literal::byte_string(bytes)), TokenTree::Ident(Ident::new("as", Span::call_site())), punct('&'), of]
    };
    let list = files.iter().flat_map(|(name, hash, tree)| {
        let mut tuple = vec![TokenTree::Literal(Literal::string(name)), punct(',')];
        tuple.extend(slice(hash.as_bytes()));
        tuple.push(punct(','));
        tuple.extend(slice(tree));
        [TokenTree::Group(Group::new(Delimiter::Parenthesis, tuple.into_iter().collect())), punct(',')]
    });
    block.extend([punct('&'), TokenTree::Group(Group::new(Delimiter::Bracket, list.collect()))]);
    TokenTree::Group(Group::new(Delimiter::Brace, block)).into()
}

/// Packs the front matter of a page with its section of symptoms.
fn page(text: &str) -> Option<Vec<u8>> {
    let text = text.replace("\r\n", "\n");
    let (front, body) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    let mut packed = tree(front, true)?;
    // The lines are kept as they are; the program reads them like those of a page on the disk.
    let section = body.lines().skip_while(|line| !(line.starts_with("## ") && line.trim_end().ends_with("{#symptoms}")));
    let own = section.enumerate().take_while(|(number, line)| *number == 0 || !line.starts_with("## "));
    let symptoms: String = own.filter(|(_, line)| line.starts_with(['#', '|'])).map(|(_, line)| format!("{line}\n")).collect();
    // The end of the map follows its last value.
    packed.pop().filter(|_| packed.first() == Some(&b'M'))?;
    for (sign, text) in [(b'P', "symptoms"), (b'T', symptoms.as_str())] {
        packed.push(sign);
        packed.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
        packed.extend(text.as_bytes());
    }
    packed.push(b'E');
    Some(packed)
}

/// Packs a tree; with `facts`, only the keys in `KEPT`. `None` if the text is not valid YAML or has aliases.
fn tree(text: &str, facts: bool) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 2);
    // Whether each open collection is a map, and whether a key comes next in it.
    let mut open: Vec<(bool, bool)> = Vec::new();
    // The depth of the value that is being skipped.
    let mut skipped: Option<usize> = None;
    let mut in_claims = false;
    for event in Parser::new_from_str(text) {
        let (event, _) = event.ok()?;
        match event {
            Event::Alias(_) => return None,
            Event::Scalar(text, style, ..) => {
                let depth = open.len();
                let is_key = open.last().is_some_and(|(is_map, key_next)| *is_map && *key_next);
                if is_key && skipped.is_none() && facts {
                    let left_out = LEFT_OUT.contains(&&*text) || (in_claims && LEFT_OUT_OF_CLAIMS.contains(&&*text));
                    let kept = if depth == 1 { KEPT.contains(&&*text) } else { !left_out };
                    in_claims = if depth == 1 { text == "claims" } else { in_claims };
                    skipped = (!kept).then_some(depth);
                    if !kept {
                        turn(&mut open);
                        continue;
                    }
                }
                if skipped.is_none() {
                    out.push(if style == ScalarStyle::Plain { b'P' } else { b'T' });
                    out.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
                    out.extend(text.as_bytes());
                } else if skipped == Some(depth) {
                    skipped = None;
                }
                turn(&mut open);
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                let is_map = matches!(event, Event::MappingStart(..));
                if skipped.is_none() {
                    out.push(if is_map { b'M' } else { b'L' });
                }
                open.push((is_map, true));
            }
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop()?;
                match skipped {
                    None => out.push(b'E'),
                    Some(depth) if depth == open.len() => skipped = None,
                    Some(_) => {}
                }
                turn(&mut open);
            }
            _ => {}
        }
    }
    Some(out)
}

/// Switches between keys and values: a value follows a key, and the next key follows a value.
fn turn(open: &mut [(bool, bool)]) {
    if let Some((_, key_next)) = open.last_mut() {
        *key_next = !*key_next;
    }
}
