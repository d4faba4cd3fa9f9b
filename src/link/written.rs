//! Addresses as authors and other generators write them.

/// A path without `?` and everything after it: pages of other generators are linked as `page.md?plain=1`.
pub(super) fn without_query(path: &str) -> &str {
    path.split_once('?').map_or(path, |(path, _)| path)
}

/// The address of a page without the name of its HTML file, as other generators write it: `page.html`, `folder/index.html`.
pub(super) fn without_html(path: &str) -> &str {
    let Some(path) = path.strip_suffix(".html").or_else(|| path.strip_suffix(".htm")) else { return path };
    let folder = path.strip_suffix("index").filter(|folder| folder.is_empty() || folder.ends_with('/'));
    folder.unwrap_or(path).trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_html_files() {
        for (written, page) in [("a/b.html", "a/b"), ("a/index.html", "a"), ("index.html", ""), ("a/myindex.html", "a/myindex"), ("a", "a")]
        {
            assert_eq!(without_html(written), page, "{written}");
        }
    }
}
