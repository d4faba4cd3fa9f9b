//! Images and downloads next to pages. Their authors are not trusted: files that a browser would execute are not published, see `allow-html`.

use std::sync::Arc;

use super::draft::Asset;
use crate::{
    config::Config,
    diagnostic::{Diagnostics, Place, Rule},
    svg_filter,
    text::Span,
};

/// How a browser treats a file that is opened directly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Treatment {
    /// It shows or saves the file.
    Passive,
    /// It may run scripts in the file.
    Active,
    /// It may run scripts in the file, but these can be removed.
    Svg,
}

/// Media types in which browsers run scripts, in addition to those of XML.
const ACTIVE_TYPES: [&str; 10] = [
    "text/html",
    "text/xml",
    "application/xml",
    "text/javascript",
    "application/javascript",
    "application/x-javascript",
    "application/ecmascript",
    "application/x-shockwave-flash",
    "multipart/related",
    "message/rfc822",
];

/// Extensions that hosts interpret as a content encoding: `page.html.gz` is served as a page.
const ENCODINGS: [&str; 5] = ["gz", "br", "zst", "z", "bz2"];

/// The asset with these bytes at a path below the content folder; `None` if it is not published.
pub(super) fn asset(path: &str, file: &Arc<str>, bytes: Arc<[u8]>, config: &Config, diagnostics: &mut Diagnostics) -> Option<Asset> {
    let treatment = if config.allow_html { Treatment::Passive } else { treatment(path) };
    let mut report = |message: String| {
        let help = "remove it, or, if all authors are trusted, set `allow-html = true` under `[output.html]` in book.toml";
        diagnostics.report(Rule::ActiveAsset, Place::new(file.clone(), Span::at(0)), message, help);
    };
    let bytes = match treatment {
        Treatment::Passive => bytes,
        Treatment::Active => {
            report("a browser runs scripts in a file of this kind; it is not published".to_owned());
            return None;
        }
        Treatment::Svg => match svg_filter::filter(&bytes) {
            Err(reason) => {
                report(format!("this picture can't be checked for scripts and is not published: {reason}"));
                return None;
            }
            Ok(filtered) if filtered.removed.is_empty() => bytes,
            Ok(filtered) => {
                let shown: Vec<&str> = filtered.removed.iter().take(3).map(String::as_str).collect();
                let more = match filtered.removed.len() - shown.len() {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                report(format!(
                    "content that can run scripts or load from other hosts was removed from this picture: {}{more}",
                    shown.join(", ")
                ));
                filtered.text.as_bytes().into()
            }
        },
    };
    Some(Asset { path: path.to_owned(), bytes })
}

/// How browsers treat a file with this path. Hosts determine the media type by the last extension that they know.
fn treatment(path: &str) -> Treatment {
    let name = path.rsplit('/').next().unwrap_or(path);
    let endings = name.rsplit('.').take(name.matches('.').count());
    let mut known = endings.filter(|ending| !ENCODINGS.contains(&ending.to_ascii_lowercase().as_str()));
    let Some(guess) = known.find_map(|ending| mime_guess::from_ext(ending).first()) else { return Treatment::Passive };
    let (essence, is_encoded) = (guess.essence_str(), !path.to_ascii_lowercase().ends_with(".svg"));
    match essence {
        "image/svg+xml" if !is_encoded => Treatment::Svg,
        _ if essence.ends_with("+xml") || ACTIVE_TYPES.contains(&essence) => Treatment::Active,
        _ => Treatment::Passive,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn treatments_follow_the_ending() {
        for (path, expected) in [
            ("a/x.png", Treatment::Passive),
            ("a.html/x.tar.gz", Treatment::Passive),
            ("x.pdf", Treatment::Passive),
            ("x.yaml.txt", Treatment::Passive),
            ("LICENSE", Treatment::Passive),
            ("x.unknown", Treatment::Passive),
            ("x.css", Treatment::Passive),
            ("x.svg", Treatment::Svg),
            ("X.SVG", Treatment::Svg),
            ("x.svgz", Treatment::Active),
            ("x.svg.gz", Treatment::Active),
            ("x.html", Treatment::Active),
            ("x.HTM", Treatment::Active),
            ("x.xhtml", Treatment::Active),
            ("x.xml", Treatment::Active),
            ("x.rss", Treatment::Active),
            ("x.js", Treatment::Active),
            ("x.mjs", Treatment::Active),
            ("x.html.gz", Treatment::Active),
            ("x.html.unknown", Treatment::Active),
            ("x.mht", Treatment::Active),
            ("x.swf", Treatment::Active),
            ("x.xsl", Treatment::Active),
        ] {
            assert_eq!(treatment(path), expected, "{path}");
        }
    }
}
