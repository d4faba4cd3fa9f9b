//! References to container images: `registry.example/path/name:tag@digest`. Source: the package reference of distribution/reference.

/// The repository without the host of the registry, the tag and the digest: `coredns/coredns` of `registry.k8s.io/coredns/coredns:v1.12.0`. `None` if there is
/// none.
#[must_use]
pub fn image_path(image: &str) -> Option<&str> {
    let image = image.split('@').next().unwrap_or_default();
    let path = match image.split_once('/') {
        // The first part is a host if it has a dot or a port; `localhost` is one, too.
        Some((host, path)) if host.contains(['.', ':']) || host == "localhost" => path,
        _ => image,
    };
    let at = path.rfind('/').map_or(0, |slash| slash + 1);
    let end = path[at..].find(':').map_or(path.len(), |colon| at + colon);
    Some(&path[..end]).filter(|path| !path.is_empty())
}

/// The tag; `None` without one.
#[must_use]
pub fn image_tag(image: &str) -> Option<&str> {
    let image = image.split('@').next().unwrap_or_default();
    image.rsplit('/').next()?.split_once(':').map(|(_, tag)| tag).filter(|tag| !tag.is_empty())
}

/// Whether a repository is the one that a fact states. The fact may have only its last parts.
#[must_use]
pub fn is_image(path: &str, fact: &str) -> bool {
    path.strip_suffix(fact).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_references() {
        for (image, path, tag) in [
            ("registry.example:5000/a/b:v1.2.3", Some("a/b"), Some("v1.2.3")),
            ("registry.example:5000/a/b", Some("a/b"), None),
            ("a/b:1.2@sha256:00", Some("a/b"), Some("1.2")),
            ("a/b@sha256:00", Some("a/b"), None),
            ("localhost/b:1", Some("b"), Some("1")),
            ("b", Some("b"), None),
            ("b:", Some("b"), None),
            ("", None, None),
        ] {
            assert_eq!((image_path(image), image_tag(image)), (path, tag), "{image}");
        }
        assert!(is_image("eks/coredns", "coredns") && is_image("coredns", "coredns") && !is_image("my-coredns", "coredns"));
    }
}
