//! Classifies the destinations of links.

use super::prose::Target;
use crate::url;

/// Schemes that cannot run code.
const SAFE_SCHEMES: [&str; 5] = ["http", "https", "mailto", "tel", "ftp"];

/// Classifies a destination. `Err` is a scheme that is not allowed.
pub(super) fn classify(destination: &str) -> Result<Target, String> {
    let trimmed = destination.trim_matches(|c: char| c <= ' ');
    if let Some(scheme) = url::scheme(trimmed) {
        return if SAFE_SCHEMES.contains(&scheme.as_str()) { Ok(Target::External(trimmed.to_owned())) } else { Err(scheme) };
    }
    let mut slashes = trimmed.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r'));
    // Browsers read `\` as `/`, and `//host` as another site.
    if [slashes.next(), slashes.next()].iter().all(|c| matches!(c, Some('/' | '\\'))) {
        return Ok(Target::External(trimmed.to_owned()));
    }
    let (path, anchor) = match trimmed.split_once('#') {
        Some((path, anchor)) => (path, Some(url::decode(anchor))),
        None => (trimmed, None),
    };
    let path = url::decode(path);
    Ok(match anchor {
        Some(anchor) if path.is_empty() => Target::Anchor(anchor),
        anchor if path.starts_with('/') => Target::Absolute { path, anchor },
        anchor => Target::File { path, anchor },
    })
}

/// Classifies the name in `[[name]]`.
pub(super) fn classify_wiki(name: &str) -> Target {
    // In a table, the bar before the text is written as `\|`.
    let name = name.trim().trim_end_matches('\\');
    if let Some(key) = name.strip_prefix('^') {
        return Target::Citation(key.to_owned());
    }
    match name.split_once('#') {
        Some((id, anchor)) => Target::Id { id: id.trim().to_owned(), anchor: Some(anchor.to_owned()) },
        None => Target::Id { id: name.replace('\n', " "), anchor: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classifies_destinations() {
        let file = |path: &str, anchor: Option<&str>| Ok(Target::File { path: path.into(), anchor: anchor.map(Into::into) });
        assert_eq!(classify("../etcd/en.md#a%20b"), file("../etcd/en.md", Some("a b")));
        assert_eq!(classify("pic%E3%81%82.png"), file("picあ.png", None));
        assert_eq!(classify("#x"), Ok(Target::Anchor("x".into())));
        assert_eq!(classify("/compare/#x"), Ok(Target::Absolute { path: "/compare/".into(), anchor: Some("x".into()) }));
        assert_eq!(classify("//host/x"), Ok(Target::External("//host/x".into())));
        assert_eq!(classify("/\\host"), Ok(Target::External("/\\host".into())));
        assert_eq!(classify("mailto:a@b"), Ok(Target::External("mailto:a@b".into())));
    }

    #[test]
    fn refuses_schemes_that_run_code() {
        for link in [
            "javascript:alert(1)",
            " JavaScript:x",
            "java\tscript:x",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "\u{1}javascript:x",
        ] {
            assert!(classify(link).is_err(), "{link:?}");
        }
    }
}
