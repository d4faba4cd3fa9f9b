//! Addresses inside the site. Links are relative to the page, so the site works under any base path.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode, utf8_percent_encode};

/// The address of a page or file from the site's root, not percent-encoded. It begins with `/`; that of a page ends with `/` or `.html`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Url(String);

impl Url {
    /// The address of a page: `components/etcd` is `/components/etcd/`, the empty path is the site's root, and `guide/install.html` is a file.
    #[must_use]
    pub fn page(path: &str) -> Self {
        let path = path.trim_matches('/');
        Self(match path {
            "" => "/".to_owned(),
            file if file.ends_with(".html") => format!("/{file}"),
            folder => format!("/{folder}/"),
        })
    }

    /// The address of a file: `assets/site.css` is `/assets/site.css`.
    #[must_use]
    pub fn file(path: &str) -> Self {
        Self(format!("/{}", path.trim_start_matches('/')))
    }

    /// The address from the site's root, not percent-encoded.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address from the site's root, percent-encoded.
    #[must_use]
    pub fn encoded(&self) -> String {
        encode_path(&self.0)
    }

    /// The path of the file that is served at this address, relative to the output folder.
    #[must_use]
    pub fn output_path(&self) -> String {
        let path = self.0.trim_start_matches('/');
        if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() }
    }

    /// The relative reference to this address on the page `from`, percent-encoded. A page's link to itself is `./`.
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
            link.extend(utf8_percent_encode(part, PATH));
            link.push('/');
        }
        link.extend(utf8_percent_encode(file_name(&self.0), PATH));
        link
    }
}

impl serde::Serialize for Url {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.encoded())
    }
}

/// The names of the folders that contain a file, outermost first.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.rsplit_once('/').map_or("", |(folder, _)| folder).split('/').filter(|part| !part.is_empty())
}

fn file_name(path: &str) -> &str {
    path.rfind('/').map_or(path, |slash| &path[slash + 1..])
}

/// ASCII that no URL may contain (RFC 3986, appendix A). Brackets count, because only an IPv6 address may have them.
pub(crate) const ILLEGAL: &AsciiSet = &QUOTING.add(b'[').add(b'\\').add(b']').add(b'^').add(b'{').add(b'|').add(b'}');

/// Control characters, and delimiters of URLs in text and HTML.
const QUOTING: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`');

/// All characters except those of `fragment` in RFC 3986 §3.5. `&` is escaped as well, because it would need another escape in HTML.
const FRAGMENT: &AsciiSet = &ILLEGAL.add(b'#').add(b'%').add(b'&');

/// All characters except those of `path` in RFC 3986 §3.3, again without `&`.
const PATH: &AsciiSet = &FRAGMENT.add(b'?');

/// Characters that separate parameters in a query, or represent a space there.
const QUERY_VALUE: &AsciiSet = &FRAGMENT.add(b'+').add(b'=');

/// Percent-encodes a path. Letters, digits, `-._~!$'()*+,;=:@` and `/` stay; everything else becomes the escapes of its UTF-8.
#[must_use]
pub fn encode_path(path: &str) -> String {
    utf8_percent_encode(path, PATH).to_string()
}

/// Percent-encodes a fragment. Letters of all scripts stay readable, which browsers accept; only ASCII that would end the attribute or
/// confuse a parser is escaped.
#[must_use]
pub fn encode_fragment(fragment: &str) -> String {
    encode_ascii(fragment, FRAGMENT)
}

/// Percent-encodes the value of a parameter in a query. Letters of all scripts stay readable, as in [`encode_fragment`].
pub(crate) fn encode_query_value(value: &str) -> String {
    encode_ascii(value, QUERY_VALUE)
}

fn encode_ascii(text: &str, escaped: &'static AsciiSet) -> String {
    let mut encoded = String::with_capacity(text.len());
    for character in text.chars() {
        match u8::try_from(character) {
            Ok(byte) if byte.is_ascii() => encoded.extend(percent_encode(&[byte], escaped)),
            _ => encoded.push(character),
        }
    }
    encoded
}

/// A path relative to a folder, without `.` and `..`; `None` if it leads above the top.
#[must_use]
pub fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Decodes percent-encoding. `%` without two hexadecimal digits is kept; the whole text is kept if the result isn't UTF-8.
#[must_use]
pub fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Cow::into_owned)
}

/// The scheme of a link such as `https:`, lower-case without the colon; `None` for a relative link.
///
/// Browsers drop tabs and line breaks inside a scheme and control characters and spaces before it, so this function does too: ` java\nscript:` is `javascript`.
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
    fn paths_join() {
        assert_eq!(join("components/etcd", "../kubelet/en.md").as_deref(), Some("components/kubelet/en.md"));
        assert_eq!(join("components/etcd", "./a//b.png").as_deref(), Some("components/etcd/a/b.png"));
        assert_eq!(join("a", "../../b"), None);
    }

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
    fn ascii_is_escaped_where_it_must_be() {
        let ascii: String = (' '..='~').filter(|c| !c.is_ascii_alphanumeric()).collect();
        assert_eq!(encode_path(&ascii), "%20!%22%23$%25%26'()*+,-./:;%3C=%3E%3F@%5B%5C%5D%5E_%60%7B%7C%7D~");
        assert_eq!(encode_fragment(&ascii), encode_path(&ascii).replace("%3F", "?"));
        assert_eq!(encode_query_value("a=b&c+名\u{7f}"), "a%3Db%26c%2B名%7F");
    }

    #[test]
    fn decoding_undoes_encoding() {
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
