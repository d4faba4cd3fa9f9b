//! The lookup tables of this module, for the script that parses listings by the same rules.

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{cells, command, generated, header, health, kinds, parser, relatives, row};

/// The lookup tables. The rules that use them are implemented twice, here and in `web/explain/`.
#[derive(Clone, Copy, Debug)]
pub struct Tables;

impl Serialize for Tables {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tables = serializer.serialize_map(None)?;
        tables.serialize_entry("kinds", kinds::KINDS)?;
        tables.serialize_entry("cluster_scoped", kinds::CLUSTER_SCOPED)?;
        tables.serialize_entry("own_effect", kinds::OWN_EFFECT)?;
        tables.serialize_entry("files", row::FILES)?;
        tables.serialize_entry("columns", header::COLUMNS)?;
        tables.serialize_entry("helm_statuses", health::HELM_STATUSES)?;
        tables.serialize_entry("short_groups", kinds::SHORT_GROUPS)?;
        tables.serialize_entry("openshift_groups", kinds::OPENSHIFT_GROUPS)?;
        tables.serialize_entry("service_types", cells::SERVICE_TYPES)?;
        tables.serialize_entry("described", parser::DESCRIBED)?;
        tables.serialize_entry("programs", command::PROGRAMS)?;
        tables.serialize_entry("others", &command::OTHERS)?;
        tables.serialize_entry("done", &row::DONE)?;
        tables.serialize_entry("wrappers", command::WRAPPERS)?;
        tables.serialize_entry("verbs", &command::VERBS)?;
        tables.serialize_entry("with_value", &command::WITH_VALUE)?;
        tables.serialize_entry("filters", command::FILTERS)?;
        tables.serialize_entry("prompt_ends", &command::PROMPT_ENDS)?;
        tables.serialize_entry("copies", relatives::COPIES)?;
        tables.serialize_entry("shortened", &generated::MAX_BASE_LENGTH)?;
        tables.serialize_entry("random", &generated::RANDOM_LENGTH)?;
        tables.serialize_entry("longest", &super::MAX_NAME)?;
        tables.end()
    }
}
