//! The lookup tables of this module, for the script that parses listings by the same rules.

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{cells, command, described, generated, header, health, kinds, line, messages, related, relatives, row, runtimes};

/// The lookup tables. The rules that use them are implemented twice, here and in `web/explain/`.
#[derive(Clone, Copy, Debug)]
pub struct Tables;

impl Serialize for Tables {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tables = serializer.serialize_map(None)?;
        tables.serialize_entry("kinds", kinds::KINDS)?;
        tables.serialize_entry("cluster_scoped", kinds::CLUSTER_SCOPED)?;
        tables.serialize_entry("only_typed", kinds::ONLY_TYPED)?;
        tables.serialize_entry("own_effect", kinds::OWN_EFFECT)?;
        tables.serialize_entry("files", row::FILES)?;
        tables.serialize_entry("columns", header::COLUMNS)?;
        tables.serialize_entry("helm_statuses", health::HELM_STATUSES)?;
        tables.serialize_entry("short_groups", kinds::SHORT_GROUPS)?;
        tables.serialize_entry("openshift_groups", kinds::OPENSHIFT_GROUPS)?;
        tables.serialize_entry("service_types", cells::SERVICE_TYPES)?;
        tables.serialize_entry("described", described::DESCRIBED)?;
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
        tables.serialize_entry("elements", &line::ELEMENTS)?;
        tables.serialize_entry("name_titles", line::NAME_TITLES)?;
        tables.serialize_entry("common_titles", &header::COMMON_TITLES)?;
        tables.serialize_entry("kind_titles", &header::KIND_TITLES)?;
        tables.serialize_entry("object_titles", &header::OBJECT_TITLES)?;
        tables.serialize_entry("container_states", &runtimes::CONTAINER_STATES)?;
        tables.serialize_entry("sandbox_states", &runtimes::SANDBOX_STATES)?;
        tables.serialize_entry("runtime_tables", runtimes::TABLES)?;
        tables.serialize_entry("instances", kinds::INSTANCES)?;
        tables.serialize_entry("about", messages::ABOUT)?;
        tables.serialize_entry("related", &related::KINDS)?;
        tables.end()
    }
}
