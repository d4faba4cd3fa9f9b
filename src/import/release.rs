//! Names of stable releases, which are ordered by their numbers.

/// A stable release: `1.33.0+k3s1`, `2.15.0`, `1.33`. A release is less than another if its numbers are: 1.9 is before 1.10.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StableRelease {
    numbers: Vec<u64>,
    name: String,
}

impl StableRelease {
    /// The release with a name, which may begin with `v`; `None` for a pre-release, and for anything else.
    pub(super) fn new(name: &str) -> Option<Self> {
        let name = name.strip_prefix('v').unwrap_or(name);
        let (version, build) = name.split_once('+').unwrap_or((name, ""));
        let is_version = version.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        let is_stable = build.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
            && !["alpha", "beta", "rc", "dev"].iter().any(|word| build.contains(word));
        (is_version && is_stable && version.contains('.')).then(|| Self { numbers: numbers(name), name: name.to_owned() })
    }

    /// The release of a tag, which begins with `v`.
    pub(super) fn of_tag(tag: &str) -> Option<Self> {
        Self::new(tag).filter(|_| tag.starts_with('v'))
    }

    /// The name, without `v`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is not older than a minor release.
    pub(super) fn is_since(&self, minor: [u64; 2]) -> bool {
        self.numbers.as_slice() >= minor.as_slice()
    }
}

/// The numbers of a version, in their order: 1, 9, 2 of `v1.9-2`.
pub(super) fn numbers(version: &str) -> Vec<u64> {
    let parts = version.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    // A number of more than 19 digits is a date or a hash; only its order is lost.
    parts.map(|part| part.parse().unwrap_or(u64::MAX)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn releases_are_in_the_order_of_their_numbers() {
        let names = ["1.10.0+k3s1", "1.9.0+k3s2", "1.9.0+k3s10", "1.9.11+k3s1"];
        let mut releases: Vec<_> = names.iter().map(|name| StableRelease::new(name).unwrap()).collect();
        releases.sort();
        assert_eq!(releases.iter().map(StableRelease::name).collect::<Vec<_>>(), [names[1], names[2], names[3], names[0]]);
        assert!(releases[0].is_since([1, 9]) && !releases[2].is_since([1, 10]) && releases[3].is_since([1, 10]));
    }

    #[test]
    fn only_stable_releases_have_a_name() {
        for tag in ["v1.2", "v1.33.1+rke2r1", "v1.30.0+k0s.0", "v2.15.0"] {
            assert_eq!(StableRelease::of_tag(tag).unwrap().name(), &tag[1..]);
        }
        for tag in ["v1.2.0-rc.1", "v1.2.0-alpha1+k3s1", "v1.2.0+rke2rc1", "v1.2.0+dev.1", "1.2.0", "v1", "v1..2", "latest", "pkg/v1.2", ""]
        {
            assert_eq!(StableRelease::of_tag(tag), None, "{tag}");
        }
    }
}
