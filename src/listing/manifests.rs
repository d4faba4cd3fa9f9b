//! Objects printed with `-o json` and `-o yaml`.
//!
//! The names are found without a full parser of the languages, because pasted texts can begin or end in the middle of an object. What else an object states is
//! read from complete ones.

mod json;
mod yaml;
mod yaml_value;

use std::sync::Arc;

use serde_json::Value;

pub(super) use json::json;
pub(super) use yaml::yaml;

use super::{
    kinds::kind_of_group,
    row::{Nodes, Row},
};
use crate::objects::{ObjectContent, details};

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
    /// The whole object, if it is complete.
    source: Option<ManifestSource<'t>>,
}

/// The text of a whole object.
#[derive(Clone, Copy, Debug)]
enum ManifestSource<'t> {
    Json(&'t str),
    Yaml(&'t str),
}

impl ManifestSource<'_> {
    fn value(self) -> Option<Value> {
        match self {
            Self::Json(text) => serde_json::from_str(text).ok(),
            Self::Yaml(text) => yaml_value::value(text),
        }
    }
}

impl ObjectManifest<'_> {
    fn row(self) -> Option<(usize, Row)> {
        let (name, line) = self.name?;
        let group = self.version.and_then(|version| version.split_once('/')).map(|(group, _)| group);
        let kind = self.kind.filter(|kind| !kind.is_empty()).map(|kind| kind_of_group(kind, group));
        let row = Row { namespace: self.namespace.map(str::to_owned), kind, name: name.to_owned(), ..Row::default() };
        let value = self.source.and_then(ManifestSource::value);
        Some((line, if let Some(value) = value { with_details(row, &value) } else { row }))
    }
}

/// A row with what its whole object states.
fn with_details(row: Row, object: &Value) -> Row {
    let Some(details) = row.kind.as_deref().and_then(|kind| details(kind, object)) else { return row };
    let nodes = match &details.content {
        ObjectContent::Workload(workload) if row.kind.as_deref() == Some("DaemonSet") => {
            Some(Nodes { selector: workload.node_selector.clone(), any: workload.desired > 0 })
        }
        _ => None,
    };
    Row { nodes, health: details.health, object: Some(Arc::new(details.content)), ..row }
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
