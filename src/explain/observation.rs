//! The versions that run in a cluster, as a source of `versions.yaml`, without any name that its owner has given.

use std::{collections::BTreeSet, fmt::Write as _};

use jiff::civil::Date;

use super::{Explanation, versions::numbers};

/// A source of `versions.yaml` with the versions of an explanation that begin with a number; `None` if there are none. Images are left out, because the name of a
/// registry can be that of a company.
#[must_use]
pub fn observation(explanation: &Explanation, today: Date) -> Option<String> {
    let all = explanation.versions.iter().filter(|version| !numbers(&version.version).is_empty());
    let versions: BTreeSet<(&str, &str)> = all.map(|version| (version.component.as_str(), version.version.as_str())).collect();
    if versions.is_empty() {
        return None;
    }
    let (releases, from) = match &explanation.release {
        Some(release) => (format!("    releases: [\"{release}\"]\n"), format!(", from: \"{release}\"")),
        None => Default::default(),
    };
    let mut text = format!("sources:\n  observed-{today}:\n    kind: observed\n    checked: {today}\n{releases}    versions:\n");
    for (component, version) in versions {
        // A tag has letters, digits and `_.-` only, which need no escapes.
        let _ = writeln!(text, "      - {{component: {component}, version: \"{version}\"{from}}}");
    }
    Some(text)
}
