//! The formats of the API and of the output of commands, as JSON Schemas.

use schemars::{JsonSchema, Schema, generate::SchemaSettings};

use super::{compare, component_versions, detail, names, things};
use crate::{coverage::Coverage, diagnostic, explain, site::Manifest};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DataFormat {
    Components,
    Component,
    Providers,
    Compare,
    Lookup,
    Names,
    ComponentVersions,
    Manifest,
    Explain,
    /// The same of two listings
    Changes,
    Check,
}

impl DataFormat {
    /// Every format, in the order in which they are shown.
    pub(crate) const ALL: [Self; 11] = [
        Self::Components,
        Self::Component,
        Self::Providers,
        Self::Compare,
        Self::Lookup,
        Self::Names,
        Self::ComponentVersions,
        Self::Manifest,
        Self::Explain,
        Self::Changes,
        Self::Check,
    ];

    /// The name, as in the name of its schema.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Components => "components",
            Self::Component => "component",
            Self::Providers => "providers",
            Self::Compare => "compare",
            Self::Lookup => "lookup",
            Self::Names => "names",
            Self::ComponentVersions => "component-versions",
            Self::Manifest => "manifest",
            Self::Explain => "explain",
            Self::Changes => "changes",
            Self::Check => "check",
        }
    }

    pub(crate) fn schema_path(self) -> String {
        format!("schema/{}.json", self.name())
    }

    /// The files or the command with this format, as a user types them.
    pub(crate) const fn where_found(self) -> &'static str {
        match self {
            Self::Components => "api/v1/components.json",
            Self::Component => "api/v1/components/<id>.json",
            Self::Providers => "api/v1/providers.json",
            Self::Compare => "api/v1/compare.json",
            Self::Lookup => "api/v1/lookup.json",
            Self::Names => "api/v1/names.json",
            Self::ComponentVersions => "api/v1/component-versions/<provider>.json",
            Self::Manifest => crate::site::MANIFEST,
            Self::Explain => "ksys-docs explain --format json",
            Self::Changes => "ksys-docs explain --before <file> --after <file> --format json",
            Self::Check => "ksys-docs check --format json",
        }
    }

    /// The schema (draft 2020-12). Fields that it does not contain may be added later; see [`super::page`].
    pub(crate) fn schema(self) -> Schema {
        match self {
            Self::Components => of::<things::Components<'_>>(),
            Self::Component => of::<detail::Detail<'_>>(),
            Self::Providers => of::<compare::Providers<'_>>(),
            Self::Compare => of::<compare::Comparison<'_>>(),
            Self::Lookup => of::<things::Lookup<'_>>(),
            Self::Names => of::<names::OutsideNames<'_>>(),
            Self::ComponentVersions => of::<component_versions::ComponentVersions<'_>>(),
            Self::Manifest => of::<Manifest>(),
            Self::Explain => explain::schemas().0,
            Self::Changes => explain::schemas().1,
            Self::Check => diagnostic::json_schema::<Coverage>(),
        }
    }
}

fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use expect_test::expect_file;

    use super::*;

    /// A changed format appears as a diff of its schema, which shows whether its version must be increased. `UPDATE_EXPECT=1 cargo test` updates the schemas.
    #[test]
    fn the_committed_schemas_are_current() {
        for format in DataFormat::ALL {
            let path = format!("{}/schemas/api/v1/{}.json", env!("CARGO_MANIFEST_DIR"), format.name());
            let text = format!("{}\n", serde_json::to_string_pretty(&format.schema()).unwrap());
            expect_file![path].assert_eq(&text);
        }
    }
}
