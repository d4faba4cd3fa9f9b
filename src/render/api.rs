//! Data for other programs, under `api/v1/`.

mod compare;
mod things;

use serde::Serialize;

use crate::{kb::Kb, site::Site};

/// The version of the format of every file; it grows when a field is renamed or removed.
const SCHEMA_VERSION: u32 = 1;

/// Adds the files of the API.
pub(super) fn publish(kb: &Kb, site: &mut Site) {
    if !kb.providers.is_empty() {
        let comparison = compare::comparison(kb);
        site.insert("api/v1/compare.json", json(&comparison));
        site.insert("api/v1/compare.csv", compare::csv(&comparison).into_bytes());
    }
    if !kb.components.is_empty() {
        site.insert("api/v1/components.json", json(&things::components(kb)));
        site.insert("api/v1/lookup.json", json(&things::lookup(kb)));
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    let mut json = serde_json::to_string_pretty(value).unwrap_or_default();
    json.push('\n');
    json.into_bytes()
}
