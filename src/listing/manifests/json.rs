//! Objects in JSON, complete or truncated.

use rayon::prelude::*;

use super::{ItemType, ManifestSource, ObjectManifest, ParsedManifests};
use crate::listing::row::Row;

/// The maximum nesting depth that is distinguished. Kubernetes objects need a tenth of it.
const MAX_DEPTH: usize = 500;

/// An object or array of JSON that is not closed yet.
#[derive(Debug, Default)]
struct JsonContainer<'t> {
    is_list: bool,
    /// The byte where it begins.
    start: usize,
    /// The key whose value is being read.
    key: &'t str,
    manifest: ObjectManifest<'t>,
}

/// Reads JSON from the beginning of a text up to its closing brace, a line that `ends` it, or the end of the text.
pub(in crate::listing) fn json(text: &str, ends: impl Fn(&str) -> bool) -> ParsedManifests {
    let mut open: Vec<JsonContainer<'_>> = Vec::new();
    // The number of open containers beyond the maximum depth.
    let mut deeper = 0_usize;
    let mut objects: Vec<ObjectManifest<'_>> = Vec::new();
    let mut items = ItemType::default();
    let mut line = 0;
    // The line that ends the object does not belong to it.
    let mut own = 1;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\n' => {
                line += 1;
                // A command is not part of JSON, wherever it was pasted.
                if ends(text[at..].lines().next().unwrap_or_default()) {
                    own = 0;
                    break;
                }
            }
            b'{' | b'[' if open.len() == MAX_DEPTH => deeper += 1,
            b'}' | b']' if deeper > 0 => deeper -= 1,
            b'{' | b'[' => open.push(JsonContainer { is_list: *byte == b'[', start: at - 1, ..JsonContainer::default() }),
            b'}' | b']' => {
                let mut closed = open.pop().unwrap_or_default();
                if open.is_empty() {
                    items = ItemType::of(&closed.manifest);
                }
                if is_listed(&open) {
                    closed.manifest.source = text.get(closed.start..at).map(ManifestSource::Json);
                    objects.push(closed.manifest);
                }
                if open.is_empty() {
                    break;
                }
            }
            b'"' => {
                let start = at;
                at = string_end(bytes, at);
                let Some(string) = text.get(start..at) else { continue };
                at += usize::from(bytes.get(at) == Some(&b'"'));
                let rest = &bytes[at..];
                let is_key = rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
                if deeper > 0 {
                    // Listed objects are never nested this deeply.
                } else if let [.., own] = open.as_mut_slice()
                    && is_key
                    && !own.is_list
                {
                    own.key = string;
                } else {
                    value(&mut open, string, line);
                }
            }
            _ => {}
        }
    }
    // An object that is truncated at the end counts, too.
    let mut rows: Vec<(usize, Row)> = Vec::new();
    if let Some(root) = open.first() {
        items = ItemType::of(&root.manifest);
    }
    let truncated = open.iter().rposition(|one| one.manifest.kind.is_some() || one.manifest.name.is_some());
    let truncated = truncated.map(|position| {
        let is_item = position > 0 && is_listed(&open[..position]) && items.kind.is_some();
        let object = open.swap_remove(position).manifest;
        if is_item { items.row(object) } else { object.row() }
    });
    rows.par_extend(objects.into_par_iter().filter_map(|object| items.row(object)));
    rows.extend(truncated.flatten());
    ParsedManifests { lines: line + own, rows }
}

/// Whether an object inside these containers is a listed one. A template inside an object has a name, too.
fn is_listed(open: &[JsonContainer<'_>]) -> bool {
    match open {
        [] => true,
        [list] => list.is_list,
        [root, list] => list.is_list && root.key == "items",
        _ => false,
    }
}

/// The end of the string that begins at an index: its closing quote, or the end of the line.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while bytes.get(at).is_some_and(|byte| *byte != b'"' && *byte != b'\n') {
        let escapes = bytes[at] == b'\\' && bytes.get(at + 1) != Some(&b'\n');
        at += if escapes { 2 } else { 1 };
    }
    at
}

/// Sets the field of an object that a string is the value of.
fn value<'t>(open: &mut [JsonContainer<'t>], text: &'t str, line: usize) {
    match open {
        [.., own] if own.key == "kind" && !own.is_list => own.manifest.kind = Some(text),
        [.., own] if own.key == "apiVersion" && !own.is_list => own.manifest.version = Some(text),
        _ => {}
    }
    if let [.., parent, own] = open
        && parent.key == "metadata"
        && !parent.is_list
        && !own.is_list
    {
        match own.key {
            "name" => parent.manifest.name = Some((text, line)),
            "namespace" => parent.manifest.namespace = Some(text),
            _ => {}
        }
    }
}
