//! Addresses inside the site. Links are written relative to the page, so the site works under any base path.

use std::fmt::Write as _;

/// The address of one page or file, from the site's root: begins with `/`; a page's ends with `/`. Not percent-encoded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Url(String);

impl Url {
    /// The address of a page: `components/etcd` is `/components/etcd/`, and the empty path is the site's root.
    #[must_use]
    pub fn page(path: &str) -> Self {
        let path = path.trim_matches('/');
        Self(if path.is_empty() { "/".to_owned() } else { format!("/{path}/") })
    }

    /// The address of a file: `assets/site.css` is `/assets/site.css`.
    #[must_use]
    pub fn file(path: &str) -> Self {
        Self(format!("/{}", path.trim_start_matches('/')))
    }

    /// The address from the site's root, as people read it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address from the site's root, percent-encoded.
    #[must_use]
    pub fn encoded(&self) -> String {
        encode_path(&self.0)
    }

    /// The file that answers for this address, relative to the output folder.
    #[must_use]
    pub fn output_path(&self) -> String {
        let path = self.0.trim_start_matches('/');
        if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() }
    }

    /// What to write into a link on the page `from`, percent-encoded. A page's link to itself is `./`.
    #[must_use]
    pub fn relative_from(&self, from: &Self) -> String {
        let (mut from_folder, mut to_folder) = (folders(&from.0).peekable(), folders(&self.0).peekable());
        while from_folder.peek().is_some_and(|part| to_folder.next_if_eq(part).is_some()) {
            from_folder.next();
        }
        let mut link = String::with_capacity(self.0.len() + 8);
        from_folder.for_each(|_| link.push_str("../"));
        // A first segment with a colon would be read as a scheme, and an empty link as "this document".
        if link.is_empty() {
            link.push_str("./");
        }
        for part in to_folder {
            encode_path_into(part, &mut link);
            link.push('/');
        }
        encode_path_into(file_name(&self.0), &mut link);
        link
    }
}

impl serde::Serialize for Url {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.encoded())
    }
}

fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..slash])
}

/// The names of the folders on the way to a file.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    folder(path).split('/').filter(|part| !part.is_empty())
}

fn file_name(path: &str) -> &str {
    path.rfind('/').map_or(path, |slash| &path[slash + 1..])
}

/// Percent-encodes a path: letters, digits, `-._~!$'()*+,;=:@` and `/` stay, everything else becomes the escapes of its UTF-8.
///
/// The set is `pchar` of RFC 3986 §3.3 without `&`, which would need another escape in HTML.
#[must_use]
pub fn encode_path(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    encode_path_into(path, &mut encoded);
    encoded
}

fn encode_path_into(path: &str, encoded: &mut String) {
    encode(path, encoded, |byte| byte.is_ascii_alphanumeric() || b"-._~!$'()*+,;=:@/".contains(&byte));
}

/// Percent-encodes a fragment. Letters of all scripts stay readable (browsers accept them); only what would end the attribute or
/// confuse a parser is escaped.
#[must_use]
pub fn encode_fragment(fragment: &str) -> String {
    let mut encoded = String::with_capacity(fragment.len());
    encode(fragment, &mut encoded, |byte| !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"-._~!$'()*+,;=:@/?".contains(&byte));
    encoded
}

fn encode(text: &str, encoded: &mut String, keep: impl Fn(u8) -> bool) {
    if text.bytes().all(&keep) {
        return encoded.push_str(text);
    }
    let mut unit = [0; 4];
    for character in text.chars() {
        let bytes = character.encode_utf8(&mut unit);
        if bytes.bytes().all(&keep) {
            encoded.push_str(bytes);
        } else {
            for byte in bytes.bytes() {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
}

/// Undoes percent-encoding; what is no valid escape or no UTF-8 stays as it is.
#[must_use]
pub fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = (first == b'%').then(|| tail.get(..2)).flatten().and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
            u8::from_str_radix(digits, 16).ok()
        });
        if let Some(byte) = escaped {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The scheme of a link such as `https:`, lower-case without the colon; `None` for a relative link.
///
/// Browsers drop tabs and line breaks inside a scheme and blanks before it, so those are ignored here too: ` java\nscript:` is `javascript`.
#[must_use]
pub fn scheme(link: &str) -> Option<String> {
    let mut scheme = String::new();
    for character in link.trim_start_matches(|c: char| c <= ' ').chars() {
        match character {
            ':' if !scheme.is_empty() => return Some(scheme),
            '\t' | '\n' | '\r' => {}
            'a'..='z' | 'A'..='Z' => scheme.push(character.to_ascii_lowercase()),
            '0'..='9' | '+' | '-' | '.' if !scheme.is_empty() => scheme.push(character),
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_files() {
        assert_eq!(Url::page("components/etcd").as_str(), "/components/etcd/");
        assert_eq!(Url::page("").output_path(), "index.html");
        assert_eq!(Url::page("ja/components").output_path(), "ja/components/index.html");
        assert_eq!(Url::file("404.html").output_path(), "404.html");
    }

    #[test]
    fn relative_links() {
        let etcd = Url::page("components/etcd");
        let root = Url::page("");
        assert_eq!(etcd.relative_from(&root), "./components/etcd/");
        assert_eq!(root.relative_from(&etcd), "../../");
        assert_eq!(etcd.relative_from(&etcd), "./");
        assert_eq!(Url::page("components/kubelet").relative_from(&etcd), "../kubelet/");
        assert_eq!(Url::page("ja/components/etcd").relative_from(&etcd), "../../ja/components/etcd/");
        assert_eq!(Url::file("assets/a b.css").relative_from(&etcd), "../../assets/a%20b.css");
        assert_eq!(Url::page("a:b").relative_from(&root), "./a:b/");
        assert_eq!(Url::page("用語").relative_from(&root), "./%E7%94%A8%E8%AA%9E/");
    }

    #[test]
    fn decoding_undoes_encoding_and_keeps_the_rest() {
        assert_eq!(decode(&encode_path("用 語%")), "用 語%");
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%ff"), "%ff");
        assert_eq!(decode("%+1"), "%+1");
    }

    #[test]
    fn schemes_as_browsers_see_them() {
        assert_eq!(scheme("https://x").as_deref(), Some("https"));
        assert_eq!(scheme(" java\tscript:alert(1)").as_deref(), Some("javascript"));
        assert_eq!(scheme("../a:b"), None);
        assert_eq!(scheme("#a:b"), None);
    }
}
