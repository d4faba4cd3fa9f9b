//! Objects printed with `-o json` and `-o yaml`. Only the fields that identify an object are read.
//!
//! These are not full parsers of the languages, because pasted texts can begin or end in the middle of an object.

use super::{kinds::kind_of_group, row::Row};

/// The objects at the beginning of a text.
#[derive(Debug, Default)]
pub(super) struct ParsedManifests {
    /// The number of lines that they take.
    pub(super) lines: usize,
    /// Each object with the line of its name, counted from 0.
    pub(super) rows: Vec<(usize, Row)>,
}

/// An object that is being read.
#[derive(Debug, Default)]
struct ObjectManifest<'t> {
    /// `apps/v1`
    version: Option<&'t str>,
    kind: Option<&'t str>,
    namespace: Option<&'t str>,
    /// With its line.
    name: Option<(&'t str, usize)>,
}

impl ObjectManifest<'_> {
    fn row(self) -> Option<(usize, Row)> {
        let (name, line) = self.name?;
        let group = self.version.and_then(|version| version.split_once('/')).map(|(group, _)| group);
        let kind = self.kind.filter(|kind| !kind.is_empty()).map(|kind| kind_of_group(kind, group));
        Some((line, Row { namespace: self.namespace.map(str::to_owned), kind, name: name.to_owned(), ..Row::default() }))
    }
}

/// The API version and the kind of the items of a list such as `PodList`, whose items don't state them: the API server answers like this, and
/// `kubectl cluster-info dump` prints it.
#[derive(Clone, Copy, Debug, Default)]
struct ItemType<'t> {
    version: Option<&'t str>,
    kind: Option<&'t str>,
}

impl<'t> ItemType<'t> {
    /// The type of the items of a list; none if this isn't one.
    fn of(list: &ObjectManifest<'t>) -> Self {
        let kind = list.kind.and_then(|kind| kind.strip_suffix("List")).filter(|kind| !kind.is_empty());
        Self { version: list.version, kind }
    }

    /// The row of an item, with its own kind if it states one.
    fn row(self, item: ObjectManifest<'t>) -> Option<(usize, Row)> {
        if item.kind.is_some() {
            return item.row();
        }
        ObjectManifest { version: self.version, kind: Some(self.kind?), ..item }.row()
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

/// The maximum nesting depth that is distinguished. Kubernetes objects need a tenth of it.
const MAX_DEPTH: usize = 500;

/// An object or array of JSON that is not closed yet.
#[derive(Debug, Default)]
struct JsonContainer<'t> {
    is_list: bool,
    /// The key whose value is being read.
    key: &'t str,
    manifest: ObjectManifest<'t>,
}

/// Reads JSON from the beginning of a text up to its closing brace, a line that `ends` it, or the end of the text.
pub(super) fn json(text: &str, ends: impl Fn(&str) -> bool) -> ParsedManifests {
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
            b'{' | b'[' => open.push(JsonContainer { is_list: *byte == b'[', ..JsonContainer::default() }),
            b'}' | b']' => {
                let closed = open.pop().unwrap_or_default();
                if open.is_empty() {
                    items = ItemType::of(&closed.manifest);
                }
                if is_listed(&open) {
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
    rows.extend(objects.into_iter().filter_map(|object| items.row(object)));
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

/// Reads YAML from the beginning of a text up to a line that `ends` it.
pub(super) fn yaml<'t>(lines: impl Iterator<Item = &'t str>, ends: impl Fn(&str) -> bool) -> ParsedManifests {
    let mut reader = YamlReader::default();
    let mut count = 0;
    for (number, line) in lines.take_while(|line| !ends(line)).enumerate() {
        count = number + 1;
        reader.line(number, line);
    }
    // The metadata of a list has no name; an object that begins before the text has no kind.
    reader.finish_document();
    ParsedManifests { lines: count, rows: reader.rows }
}

#[derive(Debug, Default)]
struct YamlReader<'t> {
    rows: Vec<(usize, Row)>,
    /// The objects of the current document.
    objects: Vec<ObjectManifest<'t>>,
    /// What the list of the current document states about its items.
    own: ObjectManifest<'t>,
    /// The object that is being read.
    manifest: ObjectManifest<'t>,
    /// The column of the dashes before the objects of a list.
    list: Option<usize>,
    /// The column of the object's keys.
    keys: Option<usize>,
    /// The column of the keys of its metadata.
    metadata_keys: Option<usize>,
    in_metadata: bool,
    /// Whether the last line is the key `items`.
    after_items: bool,
}

impl<'t> YamlReader<'t> {
    fn finish_object(&mut self) {
        let object = std::mem::take(&mut self.manifest);
        // What comes before the items belongs to the list.
        if object.name.is_none() && self.objects.is_empty() {
            self.own = ObjectManifest { version: object.version.or(self.own.version), kind: object.kind.or(self.own.kind), ..object };
        } else {
            self.objects.push(object);
        }
    }

    fn finish_document(&mut self) {
        self.finish_object();
        let items = ItemType::of(&self.own);
        let row = |object: ObjectManifest<'t>| if items.kind.is_some() { items.row(object) } else { object.row() };
        self.rows.extend(std::mem::take(&mut self.objects).into_iter().filter_map(row));
    }

    fn line(&mut self, number: usize, line: &'t str) {
        let mut column = line.len() - line.trim_start_matches(' ').len();
        let mut rest = line[column..].trim_end();
        if rest.is_empty() || rest.starts_with('#') {
            return;
        }
        if rest == "---" {
            self.finish_document();
            *self = Self { rows: std::mem::take(&mut self.rows), ..Self::default() };
            return;
        }
        if let Some(behind) = rest.strip_prefix("- ") {
            if self.list.is_none() && (self.keys.is_none() || self.after_items) {
                self.list = Some(column);
            }
            let is_object = self.list == Some(column);
            let behind = behind.trim_start_matches(' ');
            column += rest.len() - behind.len();
            rest = behind;
            if is_object {
                self.finish_object();
                (self.keys, self.metadata_keys, self.in_metadata) = (Some(column), None, false);
            }
        }
        let keys = *self.keys.get_or_insert(column);
        self.after_items = false;
        let Some((key, text)) = rest.split_once(':') else { return };
        let text = text.trim().trim_matches(['"', '\'']);
        if self.list.is_some_and(|list| column <= list) {
            // A key of the list itself.
            self.finish_object();
            self.in_metadata = false;
            match key {
                "kind" => self.own.kind = Some(text),
                "apiVersion" => self.own.version = Some(text),
                _ => {}
            }
        } else if column == keys {
            self.in_metadata = key == "metadata" && text.is_empty();
            self.metadata_keys = None;
            match key {
                "kind" => self.manifest.kind = Some(text),
                "apiVersion" => self.manifest.version = Some(text),
                "items" if self.list.is_none() => self.after_items = true,
                _ => {}
            }
        } else if self.in_metadata && column > keys && *self.metadata_keys.get_or_insert(column) == column && !text.is_empty() {
            match key {
                "name" => self.manifest.name = Some((text, number)),
                "namespace" => self.manifest.namespace = Some(text),
                _ => {}
            }
        }
    }
}
