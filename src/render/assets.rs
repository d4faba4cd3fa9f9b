//! Style sheets, scripts and images, with names that change with their content, so that browsers can cache them forever.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    kb::Kb,
    markdown::MathSyntax,
    read::{Content, STATIC},
    site::Site,
    theme,
    url::{Url, join},
};

/// The addresses of the files of the theme, by their names below `static`.
pub(super) struct AssetUrls {
    urls: BTreeMap<String, Url>,
    /// Style sheets in the order in which pages load them.
    pub(super) styles: Vec<Url>,
    /// Scripts in the order in which pages load them.
    pub(super) scripts: Vec<Url>,
}

impl AssetUrls {
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Url)> {
        self.urls.iter().map(|(name, url)| (name.as_str(), url))
    }
}

/// The theme's own style sheet and script, which every page loads.
const STYLE: &str = "site.css";
const SCRIPT: &str = "site.js";
/// The style sheet of formulas, for sites that have them.
const MATH_STYLE: &str = "math.css";

/// The files that are copied unchanged, and their addresses.
pub(super) struct Assets {
    pub(super) urls: AssetUrls,
    pub(super) files: Site,
}

/// Collects the files of the theme, the additional files of the site, and the files next to pages.
pub(super) fn publish(kb: &Kb) -> Assets {
    let mut urls: BTreeMap<String, Url> = BTreeMap::new();
    let mut files = Site::default();
    let site = &mut files;
    let mut add = |name: &str, bytes: &Arc<[u8]>, site: &mut Site| {
        let css = std::str::from_utf8(bytes).ok().filter(|_| is_style(name));
        let css = css.map(|css| with_addresses(&squeezed(css), name, &urls).into_bytes().into());
        let bytes = css.or_else(|| own_script(name, bytes)).unwrap_or_else(|| bytes.clone());
        let url = Url::file(&format!("_assets/{}", hashed(name, &bytes)));
        site.insert(url.output_path(), bytes);
        urls.insert(name.to_owned(), url.clone());
        url
    };
    // Style sheets name other files, so they come last.
    let (styles, others): (Vec<_>, Vec<_>) = kb.theme.assets.iter().partition(|(name, _)| is_style(name));
    let theme: Vec<(&str, Url)> = others.into_iter().chain(styles).map(|(name, bytes)| (name.as_str(), add(name, bytes, site))).collect();
    let of = |wanted: &str| -> Vec<Url> { theme.iter().filter(|(name, _)| *name == wanted).map(|(_, url)| url.clone()).collect() };
    let mut styles = of(STYLE);
    if kb.config.math != MathSyntax::Off {
        styles.extend(of(MATH_STYLE));
    }
    let mut scripts = of(SCRIPT);
    for (name, content) in kb.additional_assets.iter() {
        let bytes: Arc<[u8]> = match content {
            Content::Bytes(bytes) => bytes.clone(),
            Content::Text(text) => text.as_bytes().into(),
            Content::Unusable => continue,
        };
        let url = add(name, &bytes, site);
        if kb.config.additional_css.contains(name) {
            styles.push(url);
        } else if kb.config.additional_js.contains(name) {
            scripts.push(url);
        }
    }
    for (path, bytes) in kb.assets.iter() {
        site.insert(path.clone(), bytes.clone());
    }
    Assets { urls: AssetUrls { urls, styles, scripts }, files }
}

fn is_style(name: &str) -> bool {
    name.ends_with(".css")
}

/// A style sheet in which `url(…)` has the published address of files of the theme, which contains their hash. `name` is its path below `static`.
fn with_addresses(css: &str, name: &str, urls: &BTreeMap<String, Url>) -> String {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let own = Url::file(&format!("_assets/{name}"));
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find("url(") {
        let (before, from) = rest.split_at(at + "url(".len());
        let length = from.find(')').unwrap_or(from.len());
        let written = from[..length].trim().trim_matches(['"', '\'']);
        let (path, fragment) = written.split_at(written.find(['#', '?']).unwrap_or(written.len()));
        out.push_str(before);
        match join(folder, path).and_then(|path| urls.get(&path)) {
            Some(url) => out.extend(["\"", &url.relative_from(&own), fragment, "\""]),
            None => out.push_str(&from[..length]),
        }
        rest = &from[length..];
    }
    out.push_str(rest);
    out
}

/// A script of the default theme without indentation and lines of comments; `None` for any other file. Nothing in these scripts, such as a string over several
/// lines, depends on them.
fn own_script(name: &str, bytes: &[u8]) -> Option<Arc<[u8]>> {
    let is_own = name.ends_with(".js") && theme::built_in_file(&format!("{STATIC}/{name}")).is_some_and(|own| own == bytes);
    let text = std::str::from_utf8(bytes).ok().filter(|_| is_own)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let mut script = lines.collect::<Vec<_>>().join("\n");
    script.push('\n');
    Some(script.into_bytes().into())
}

/// Removes comments and unnecessary white space from a style sheet, to reduce its size. Strings are unchanged.
fn squeezed(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (before, from) = rest.split_at(at);
        squeeze_into(before, &mut out);
        let length = match from.as_bytes()[0] {
            b'/' if from.starts_with("/*") => from.find("*/").map_or(from.len(), |end| end + 2),
            b'/' => {
                out.push('/');
                1
            }
            quote => {
                let length = quoted(from, quote);
                out.push_str(&from[..length]);
                length
            }
        };
        rest = &from[length..];
    }
    squeeze_into(rest, &mut out);
    out
}

/// Adds CSS that contains neither strings nor comments. A space before `:` or `(` can have a meaning, and so can a space after an escaped letter.
fn squeeze_into(css: &str, out: &mut String) {
    for letter in css.chars() {
        if letter.is_ascii_whitespace() {
            let is_escaped = out.len() > 1 && out.as_bytes()[out.len() - 2] == b'\\';
            if !out.is_empty() && (is_escaped || !out.ends_with([' ', '{', '}', ';', ':', ','])) {
                out.push(' ');
            }
            continue;
        }
        if matches!(letter, '{' | '}' | ';' | ',') && out.ends_with(' ') {
            out.pop();
        }
        if letter == '}' && out.ends_with(';') {
            out.pop();
        }
        out.push(letter);
    }
}

/// The length of a string, including both quotes; extends to the end if the closing quote is missing.
fn quoted(text: &str, quote: u8) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            byte if byte == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// `site.css` becomes `site.0123456789.css`.
fn hashed(name: &str, bytes: &[u8]) -> String {
    let hash = blake3::hash(bytes).to_hex();
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}.{}.{extension}", &hash[..10]),
        None => format!("{name}.{}", &hash[..10]),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{squeezed, with_addresses};
    use crate::url::Url;

    #[test]
    fn style_sheets_name_published_files() {
        let urls = BTreeMap::from([("fonts/a.woff2".to_owned(), Url::file("_assets/fonts/a.0123456789.woff2"))]);
        let css = "a{src:url(fonts/a.woff2#x),url('./fonts/a.woff2')}b{background:url(data:image/png;base64,AA),url(none.png)";
        assert_eq!(
            with_addresses(css, "site.css", &urls),
            "a{src:url(\"./fonts/a.0123456789.woff2#x\"),url(\"./fonts/a.0123456789.woff2\")}b{background:url(data:image/png;base64,AA),url(none.png)"
        );
        assert_eq!(with_addresses("url(../fonts/a.woff2)", "css/site.css", &urls), "url(\"../fonts/a.0123456789.woff2\")");
    }

    #[test]
    fn comments_and_blanks_go_and_strings_stay() {
        let css = "/* one */\n\na ,\nb {\n  content: \"/* no \\\" comment */\"; /* two\n lines */\n  background: url(a/b.svg);\n}\n";
        assert_eq!(squeezed(css), "a,b{content:\"/* no \\\" comment */\";background:url(a/b.svg)}");
        assert_eq!(squeezed("a::after { content: '\\27 /*  '; } /* open"), "a::after{content:'\\27 /*  '}");
        let meaning = "a :hover>b{width:calc(1px + 2px);margin:0 auto;color:red !important}";
        assert_eq!(squeezed(meaning), meaning);
        assert_eq!(squeezed(".a\\: b { --x: ; }"), ".a\\: b{--x:}");
        assert_eq!(squeezed("@media (min-width: 40em) and (hover) { a { b: c } }"), "@media (min-width:40em) and (hover){a{b:c}}");
        assert_eq!(squeezed("a{b:\"open\n  c"), "a{b:\"open\n  c");
        assert_eq!(squeezed(""), "");
    }
}
