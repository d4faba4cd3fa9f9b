//! The address of the published site.

use crate::url::Url;

/// The address of the published site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteUrl {
    /// Scheme and host, such as `https://example.org`; `None` if not known.
    pub origin: Option<String>,
    /// The path, with a slash at both ends.
    pub base: String,
}

impl SiteUrl {
    /// Parses `https://example.org/docs/` or `/docs/`; `None` for anything else.
    #[must_use]
    pub fn parse(url: &str) -> Option<Self> {
        let (origin, path) = match url.split_once("://") {
            Some(("http" | "https", rest)) => {
                let host_end = rest.find('/').unwrap_or(rest.len());
                let scheme_length = url.len() - rest.len();
                (Some(url[..scheme_length + host_end].to_owned()), &rest[host_end..])
            }
            _ => (None, url),
        };
        let no_host = origin.as_deref().is_some_and(|origin| origin.ends_with("//"));
        if no_host || (origin.is_none() && !path.starts_with('/')) || path.contains(['?', '#', ' ', '"', '<', '>']) {
            return None;
        }
        let inner = path.trim_matches('/');
        Some(Self { origin, base: if inner.is_empty() { "/".to_owned() } else { format!("/{inner}/") } })
    }

    /// The absolute address of a page, if the origin is known.
    #[must_use]
    pub fn absolute(&self, url: &Url) -> Option<String> {
        let origin = self.origin.as_deref()?;
        Some(format!("{origin}{}", self.rooted(url)))
    }

    /// The address of a page from the root of the host, under the base path.
    #[must_use]
    pub fn rooted(&self, url: &Url) -> String {
        format!("{}{}", self.base, url.encoded().trim_start_matches('/'))
    }
}
