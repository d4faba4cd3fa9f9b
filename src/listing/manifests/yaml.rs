//! Objects in YAML, complete or truncated. Their names are found line by line; what else they state is parsed.

use rayon::prelude::*;

use super::{ItemType, ManifestSource, ObjectManifest, ParsedManifests, begins_json};
use crate::listing::row::Row;

/// Reads YAML from the beginning of a text up to a line that `ends` it.
pub(in crate::listing) fn yaml(text: &str, ends: impl Fn(&str) -> bool) -> ParsedManifests {
    let mut reader = YamlReader { text, ..YamlReader::default() };
    let mut count = 0;
    // A stream may continue with JSON.
    let is_own = |(number, line): &(usize, &str)| !ends(line) && (*number == 0 || line.starts_with(' ') || !begins_json(line));
    for (number, line) in text.lines().enumerate().take_while(is_own) {
        count = number + 1;
        reader.line(number, line);
        // The lines are slices of the text.
        reader.end = line.as_ptr() as usize + line.len() - text.as_ptr() as usize;
    }
    // The metadata of a list has no name; an object that begins before the text has no kind.
    reader.finish_document();
    ParsedManifests { lines: count, rows: reader.rows }
}

#[derive(Debug, Default)]
struct YamlReader<'t> {
    text: &'t str,
    /// The byte where the object that is being read begins, and the one after its last line.
    start: usize,
    end: usize,
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
        let mut object = std::mem::take(&mut self.manifest);
        object.source = self.text.get(self.start..self.end).map(ManifestSource::Yaml);
        self.start = self.end;
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
        self.rows.par_extend(std::mem::take(&mut self.objects).into_par_iter().filter_map(row));
    }

    fn line(&mut self, number: usize, line: &'t str) {
        let mut column = line.len() - line.trim_start_matches(' ').len();
        let mut rest = line[column..].trim_end();
        if rest.is_empty() || rest.starts_with('#') {
            return;
        }
        if rest == "---" {
            self.finish_document();
            let start = line.as_ptr() as usize + line.len() - self.text.as_ptr() as usize;
            *self = Self { text: self.text, start, end: start, rows: std::mem::take(&mut self.rows), ..Self::default() };
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
