//! Well-formed names: ids and language tags.

use std::{borrow::Borrow, fmt, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

/// The id of a component, provider, concept, area, role, verb or evidence entry: the name of its folder or key, and the end of its URL.
///
/// Lower-case ASCII letters, digits, `-` and `.`, beginning and ending with a letter or digit, at most 80 bytes, no `..`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[schemars(inline, description = "", extend("pattern" = "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$", "maxLength" = Self::MAX_LENGTH))]
pub struct Id(Arc<str>);

impl Id {
    /// The length of the longest id in bytes.
    pub const MAX_LENGTH: usize = 80;

    /// Checks that a text is an id.
    ///
    /// # Errors
    /// The rule that it violates, as a clause for a message.
    pub fn new(text: &str) -> Result<Self, &'static str> {
        let edge = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if text.is_empty() {
            Err("an id is not empty")
        } else if text.len() > Self::MAX_LENGTH {
            Err("an id has at most 80 characters")
        } else if !text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'.') {
            Err("an id has only lower-case ASCII letters, digits, `-` and `.`")
        } else if !edge(text.bytes().next()) || !edge(text.bytes().last()) {
            Err("an id begins and ends with a letter or digit")
        } else if text.contains("..") {
            Err("an id has no `..`")
        } else {
            Ok(Self(text.into()))
        }
    }

    /// Converts a text to an id for suggestions. Empty if it has no ASCII letter or digit.
    #[must_use]
    pub fn nearest(text: &str) -> String {
        let words: Vec<String> = text
            .to_lowercase()
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '.'))
            .map(|word| word.trim_matches('.').to_owned())
            .filter(|word| !word.is_empty())
            .collect();
        words.join("-")
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Borrow<str> for Id {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).map_err(|why| de::Error::custom(format!("`{text}` is not an id: {why}")))
    }
}

/// A language by its BCP 47 tag (`en`, `ja`, `pt-BR`); names its files and its folder in the site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[schemars(inline, description = "", extend("pattern" = "^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$"))]
pub struct Lang(Arc<str>);

impl Lang {
    /// Checks the shape of a language tag: two or three lower-case letters, then subtags of letters and digits.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let primary = parts.next()?;
        let well_formed = (2..=3).contains(&primary.len())
            && primary.bytes().all(|byte| byte.is_ascii_lowercase())
            && parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        well_formed.then(|| Self(text.into()))
    }

    /// The tag.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The language without script and region: `zh` of `zh-CN`.
    #[must_use]
    pub fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }

    /// Whether the language is usually written from right to left. Source: the scripts that Unicode CLDR lists as likely for these languages.
    #[must_use]
    pub fn is_right_to_left(&self) -> bool {
        const LANGUAGES: [&str; 12] = ["ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"];
        const SCRIPTS: [&str; 5] = ["Arab", "Hebr", "Syrc", "Thaa", "Nkoo"];
        match self.0.split('-').skip(1).find(|subtag| subtag.len() == 4) {
            Some(script) => SCRIPTS.iter().any(|known| script.eq_ignore_ascii_case(known)),
            None => LANGUAGES.contains(&self.primary()),
        }
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Borrow<str> for Lang {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Lang {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // In `{en: you, with care, ja: …}` the comma ends the text, and `with care` is parsed as a key.
        let why = if text.contains(' ') { "; a text with a comma in it needs quotes around it" } else { "" };
        Self::new(&text).ok_or_else(|| de::Error::custom(format!("`{text}` is not a language tag such as `en`, `ja` or `pt-BR`{why}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_safe_in_paths_and_urls() {
        for good in ["etcd", "kube-proxy", "v1.2", "3scale"] {
            assert!(Id::new(good).is_ok(), "{good}");
        }
        for bad in ["", "..", "a..b", "a/b", "a b", "Etcd", "-a", "a-", "日本", "a\\b", "a%2f"] {
            assert!(Id::new(bad).is_err(), "{bad}");
        }
        assert_eq!(Id::nearest("Kube Proxy/../x"), "kube-proxy-x");
    }

    #[test]
    fn language_tags() {
        assert!(Lang::new("en").is_some() && Lang::new("pt-BR").is_some());
        assert!(Lang::new("README").is_none() && Lang::new("e").is_none() && Lang::new("en_US").is_none());
    }
}
