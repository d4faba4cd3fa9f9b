//! Paths of files in a site: relative, with `/` between the parts.

/// The folders above a path, from the outermost: `a` and `a/b` for `a/b/c`.
pub(super) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}

/// Whether a path is below a folder. `first_from` returns the first path of a sorted collection that is not before its argument.
pub(super) fn has_below<'a>(folder: &str, first_from: impl FnOnce(String) -> Option<&'a String>) -> bool {
    let prefix = format!("{folder}/");
    first_from(prefix.clone()).is_some_and(|path| path.starts_with(&prefix))
}
