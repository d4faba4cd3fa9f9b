//! The lookup tables of this module, for the script that parses listings by the same rules.

use serde::Serialize;

use super::{cells, command, generated, header, kinds, parser, relatives, row};

/// The lookup tables. The rules that use them are written twice, here and in `web/explain/`.
#[derive(Clone, Debug, Serialize)]
pub struct Tables {
    /// Kinds with their short names and irregular plurals.
    kinds: &'static [(&'static str, &'static [&'static str])],
    /// Kinds of objects that are in no namespace.
    cluster_scoped: &'static [&'static str],
    /// Extensions of file names.
    files: &'static [&'static str],
    /// Columns behind the name, and the kind that prints them.
    columns: &'static [(&'static [&'static str], &'static str)],
    /// Groups of the API without a dot.
    short_groups: &'static [&'static str],
    /// Groups of OpenShift.
    openshift_groups: &'static [&'static str],
    /// Types of Services.
    service_types: &'static [&'static str],
    /// Lines of `kubectl describe`: the key, what the value begins with, the kind.
    described: &'static [(&'static str, &'static str, &'static str)],
    programs: &'static [&'static str],
    /// Programs beside kubectl.
    others: &'static [&'static str],
    /// Past participles in the messages of kubectl.
    done: &'static [&'static str],
    wrappers: &'static [&'static str],
    verbs: &'static [&'static str],
    with_value: &'static [&'static str],
    filters: &'static [&'static str],
    prompt_ends: &'static [char],
    /// Suffixes of the names of copies of DaemonSets.
    copies: &'static [&'static str],
    /// The number of characters that a shortened name keeps before its random suffix.
    shortened: usize,
    /// The length of a random suffix.
    random: usize,
    /// The length of the longest name.
    longest: usize,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            kinds: kinds::KINDS,
            cluster_scoped: kinds::CLUSTER_SCOPED,
            files: row::FILES,
            columns: header::COLUMNS,
            short_groups: kinds::SHORT_GROUPS,
            openshift_groups: kinds::OPENSHIFT_GROUPS,
            service_types: cells::SERVICE_TYPES,
            described: parser::DESCRIBED,
            programs: command::PROGRAMS,
            others: command::OTHERS,
            done: row::DONE,
            wrappers: command::WRAPPERS,
            verbs: command::VERBS,
            with_value: command::WITH_VALUE,
            filters: command::FILTERS,
            prompt_ends: &command::PROMPT_ENDS,
            copies: relatives::COPIES,
            shortened: generated::MAX_BASE_LENGTH,
            random: generated::RANDOM_LENGTH,
            longest: super::MAX_NAME,
        }
    }
}
