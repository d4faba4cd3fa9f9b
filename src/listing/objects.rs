//! Objects printed whole, `-o json` and `-o yaml`: only what says which object it is.
//!
//! Not read by a parser of the language, because what people paste begins or ends in the middle.

use super::{kinds::kind_of_group, row::Row};

/// What of a text is objects.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// How many lines it takes.
    pub(super) lines: usize,
    /// The objects by the line that has their name, counted from 0.
    pub(super) rows: Vec<(usize, Row)>,
}

/// An object that is being read.
#[derive(Debug, Default)]
struct Thing<'t> {
    /// `apps/v1`
    version: Option<&'t str>,
    kind: Option<&'t str>,
    namespace: Option<&'t str>,
    /// And the line on which it stands.
    name: Option<(&'t str, usize)>,
}

impl Thing<'_> {
    fn row(self) -> Option<(usize, Row)> {
        let (name, line) = self.name?;
        let group = self.version.and_then(|version| version.split_once('/')).map(|(group, _)| group);
        let kind = self.kind.filter(|kind| !kind.is_empty()).map(|kind| kind_of_group(kind, group));
        Some((line, Row { namespace: self.namespace.map(str::to_owned), kind, name: name.to_owned(), ..Row::default() }))
    }
}

/// Whether objects in JSON begin with this line.
pub(super) fn begins_json(line: &str) -> bool {
    let line = line.trim();
    line == "{" || line == "[" || line.starts_with("{\"") || line.starts_with("[{") || line.starts_with("{ \"")
}

/// Whether objects in YAML begin with this line.
pub(super) fn begins_yaml(line: &str) -> bool {
    let line = line.trim();
    line.strip_prefix("- ").unwrap_or(line).starts_with("apiVersion:") || line == "items:"
}

/// Something in JSON that is not closed yet.
#[derive(Debug, Default)]
struct Open<'t> {
    is_list: bool,
    /// The key whose value is being read.
    key: &'t str,
    thing: Thing<'t>,
}

/// Reads JSON from the beginning of a text to where it is closed, to a line that `ends` it, or to the end.
pub(super) fn json(text: &str, ends: impl Fn(&str) -> bool) -> Objects {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut rows = Vec::new();
    let mut line = 0;
    // The line that ends it is none of it.
    let mut own = 1;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\n' => {
                line += 1;
                // Whatever is pasted behind it, a command is no JSON.
                if ends(text[at..].lines().next().unwrap_or_default()) {
                    own = 0;
                    break;
                }
            }
            b'{' | b'[' => open.push(Open { is_list: *byte == b'[', ..Open::default() }),
            b'}' | b']' => {
                let closed = open.pop().unwrap_or_default();
                // A template in an object has a name, too; only what was listed counts.
                let listed = match open.as_slice() {
                    [] => true,
                    [list] => list.is_list,
                    [root, list] => list.is_list && root.key == "items",
                    _ => false,
                };
                if listed && closed.thing.kind.is_some() {
                    rows.extend(closed.thing.row());
                }
                if open.is_empty() {
                    break;
                }
            }
            b'"' => {
                let start = at;
                while bytes.get(at).is_some_and(|byte| *byte != b'"' && *byte != b'\n') {
                    let escapes = bytes[at] == b'\\' && bytes.get(at + 1) != Some(&b'\n');
                    at += if escapes { 2 } else { 1 };
                }
                let Some(string) = text.get(start..at) else { continue };
                at += usize::from(bytes.get(at) == Some(&b'"'));
                let rest = &bytes[at..];
                let is_key = rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
                if let [.., own] = open.as_mut_slice()
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
    // What was cut off at the end is there all the same.
    if let Some(position) = open.iter().rposition(|one| one.thing.kind.is_some() || one.thing.name.is_some()) {
        rows.extend(open.swap_remove(position).thing.row());
    }
    Objects { lines: line + own, rows }
}

/// A text that is the value of a key.
fn value<'t>(open: &mut [Open<'t>], text: &'t str, line: usize) {
    match open {
        [.., own] if own.key == "kind" && !own.is_list => own.thing.kind = Some(text),
        [.., own] if own.key == "apiVersion" && !own.is_list => own.thing.version = Some(text),
        _ => {}
    }
    if let [.., parent, own] = open
        && parent.key == "metadata"
        && !parent.is_list
        && !own.is_list
    {
        match own.key {
            "name" => parent.thing.name = Some((text, line)),
            "namespace" => parent.thing.namespace = Some(text),
            _ => {}
        }
    }
}

/// Reads YAML from the beginning of a text to a line that `ends` it.
pub(super) fn yaml<'t>(lines: impl Iterator<Item = &'t str>, ends: impl Fn(&str) -> bool) -> Objects {
    let mut rows = Vec::new();
    let mut thing = Thing::default();
    // The columns of the dashes before objects, of an object's keys, and of the keys of its metadata.
    let (mut list, mut own, mut inner) = (None, None, None);
    let (mut in_metadata, mut after_items) = (false, false);
    let mut count = 0;
    for (number, line) in lines.enumerate() {
        if ends(line) {
            break;
        }
        count = number + 1;
        let mut column = line.len() - line.trim_start_matches(' ').len();
        let mut rest = line[column..].trim_end();
        if rest.is_empty() || rest.starts_with('#') {
            continue;
        }
        if rest == "---" {
            rows.extend(std::mem::take(&mut thing).row());
            (list, own, inner, in_metadata, after_items) = (None, None, None, false, false);
            continue;
        }
        if let Some(behind) = rest.strip_prefix("- ") {
            if list.is_none() && (own.is_none() || after_items) {
                list = Some(column);
            }
            let is_object = list == Some(column);
            let behind = behind.trim_start_matches(' ');
            column += rest.len() - behind.len();
            rest = behind;
            if is_object {
                rows.extend(std::mem::take(&mut thing).row());
                (own, inner, in_metadata) = (Some(column), None, false);
            }
        }
        let own_column = *own.get_or_insert(column);
        after_items = false;
        let Some((key, text)) = rest.split_once(':') else { continue };
        let text = text.trim().trim_matches(['"', '\'']);
        // Back among the keys of the list itself.
        if list.is_some_and(|list| column <= list) {
            rows.extend(std::mem::take(&mut thing).row());
            in_metadata = false;
        } else if column == own_column {
            in_metadata = key == "metadata" && text.is_empty();
            inner = None;
            match key {
                "kind" => thing.kind = Some(text),
                "apiVersion" => thing.version = Some(text),
                "items" if list.is_none() => after_items = true,
                _ => {}
            }
        } else if in_metadata && column > own_column && *inner.get_or_insert(column) == column && !text.is_empty() {
            match key {
                "name" => thing.name = Some((text, number)),
                "namespace" => thing.namespace = Some(text),
                _ => {}
            }
        }
    }
    rows.extend(thing.row());
    // The metadata of a list has no name; an object that begins before the text has no kind.
    Objects { lines: count, rows }
}
