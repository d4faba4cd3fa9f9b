//! The names of all components outside of listings, and their images: for programs that read alerts, logs, manifests and the reports of scanners.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    SCHEMA_VERSION, page_url,
    values::{Texts, texts},
};
use crate::{facts::KnownNameKind, kb::Kb, layout::EntityKind};

/// The names of all components outside of the output of `kubectl get`.
#[derive(Serialize, JsonSchema)]
pub(super) struct OutsideNames<'a> {
    /// The version of this format.
    schema_version: u32,
    /// Alerts, metrics, labels and other names, sorted by kind and name. A name belongs to one component.
    names: Vec<OutsideName<'a>>,
    /// The repositories of container images, sorted.
    images: Vec<ImageName<'a>>,
}

/// A name and its component.
#[derive(Serialize, JsonSchema)]
struct OutsideName<'a> {
    /// The kind.
    kind: KnownNameKind,
    /// The name. One that ends with `_`, `-`, `/`, `.` or `:` is a prefix; a message has `…` for each variable part.
    name: &'a str,
    /// The id of the component.
    component: &'a str,
    /// The URL of the page in the default language; absolute if `site-url` is an absolute URL.
    url: String,
    /// What they are, by language.
    what: Texts<'a>,
}

/// A repository and its component.
#[derive(Serialize, JsonSchema)]
struct ImageName<'a> {
    /// The path of the repository, without the registry and the tag; the last parts of the path may be all that is stated.
    image: &'a str,
    /// The id of the component.
    component: &'a str,
    /// The URL of the page in the default language; absolute if `site-url` is an absolute URL.
    url: String,
}

pub(super) fn names(kb: &Kb) -> OutsideNames<'_> {
    let mut names = Vec::new();
    let mut images = Vec::new();
    for component in kb.components.values() {
        let id = component.id.as_str();
        let url = || page_url(kb, EntityKind::Component, &component.id);
        for entry in &component.names {
            let name = |name| OutsideName { kind: entry.kind, name, component: id, url: url(), what: texts(entry.what.as_ref()) };
            names.extend(entry.names.iter().map(|text| name(text.as_str())));
        }
        images.extend(component.images.iter().map(|image| ImageName { image, component: id, url: url() }));
    }
    names.sort_by_key(|entry| (entry.kind, entry.name, entry.component));
    images.sort_by_key(|entry| (entry.image, entry.component));
    OutsideNames { schema_version: SCHEMA_VERSION, names, images }
}
