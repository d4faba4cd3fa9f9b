//! Stamps translations: records the hashes of the original's sections in their front matter.

use std::{collections::BTreeMap, fmt::Write as _};

use crate::{
    diagnostic::{Diagnostics, SourceText},
    load::{self, PageDraft},
    read::Sources,
};

/// The translations to stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// These files, by their paths from the root.
    Files(Vec<String>),
    /// All translations without a stamp.
    Unstamped,
}

/// The stamped texts of the chosen translations, by path. Translations whose stamps are current are left out.
///
/// # Errors
/// If a chosen file is not a translation; the text is the reason.
pub fn stamp(sources: &Sources, chosen: &Chosen) -> Result<Vec<(String, String)>, String> {
    let draft = load::load(sources, &mut Diagnostics::new());
    let default = draft.config.default_language();
    let originals: BTreeMap<&str, &PageDraft> =
        draft.pages.iter().filter(|page| page.lang == *default).map(|page| (&*page.path, &**page)).collect();
    let translations: Vec<&PageDraft> = draft.pages.iter().map(AsRef::as_ref).filter(|page: &&PageDraft| page.lang != *default).collect();
    let pages: Vec<&PageDraft> = match chosen {
        Chosen::Unstamped => {
            translations.into_iter().filter(|page| page.front.translates.is_empty() && originals.contains_key(&*page.path)).collect()
        }
        Chosen::Files(files) => {
            let find = |file: &String| {
                let page = translations.iter().copied().find(|page| *page.file == *file);
                page.ok_or_else(|| format!("`{file}` is not a translation of this knowledge base"))
            };
            files.iter().map(find).collect::<Result<_, _>>()?
        }
    };
    let mut stamped = Vec::new();
    for page in pages {
        let original = originals.get(&*page.path).ok_or_else(|| format!("`{}` has no original in `{default}`", page.file))?;
        let text = sources.text(&page.file).unwrap_or_default();
        let new = with_hashes(text, page, original);
        if new != text {
            stamped.push((page.file.to_string(), new));
        }
    }
    Ok(stamped)
}

/// The text with the key `translates` at the end of its front matter. All other bytes are unchanged.
fn with_hashes(text: &str, page: &PageDraft, original: &PageDraft) -> String {
    let body = &text[page.body_at..];
    let mut head = match text[..page.body_at].strip_prefix("---\n") {
        Some(front) => without_key(front.trim_end().trim_end_matches(['-', '.']), "translates"),
        None => String::new(),
    };
    head.push_str("translates:\n");
    for section in &original.hashes {
        let _ = writeln!(head, "  \"{}\": \"{}\"", section.anchor.replace('\\', "\\\\").replace('"', "\\\""), section.hash);
    }
    format!("---\n{head}---\n{body}")
}

/// The lines of a YAML map without those of one key.
fn without_key(front: &str, key: &str) -> String {
    let mut kept = String::new();
    let mut dropping = false;
    for line in front.lines() {
        let indented = line.starts_with([' ', '\t']) || line.trim().is_empty();
        dropping = if indented { dropping } else { line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')) };
        if !dropping {
            kept.extend([line, "\n"]);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const FIXTURE: &str = "//- book.toml\n[languages.ja]\n//- content/a/en.md\n---\ntitle: A\n---\nTop.\n\n## One\n\nText.\n//- content/a/ja.md\n---\ntitle: あ\ntranslates:\n  one: \"0\"\n---\n\n本文。\n";

    #[test]
    fn a_stamp_replaces_only_itself_and_is_stable() {
        let sources = Sources::from_fixture(FIXTURE);
        let chosen = Chosen::Files(vec!["content/a/ja.md".to_owned()]);
        let stamped = stamp(&sources, &chosen).unwrap();
        let text = &stamped[0].1;
        assert!(text.starts_with("---\ntitle: あ\ntranslates:\n  \"(top)\": \"") && text.ends_with("\"\n---\n\n本文。\n"), "{text}");
        let again = FIXTURE.split("//- content/a/ja.md\n").next().unwrap().to_owned() + "//- content/a/ja.md\n" + text;
        assert_eq!(stamp(&Sources::from_fixture(&again), &chosen).unwrap(), []);
        let mut diagnostics = Diagnostics::new();
        let draft = load::load(&Sources::from_fixture(&again), &mut diagnostics);
        let _ = crate::validate::validate(&draft, &mut diagnostics);
        assert_eq!(diagnostics.sorted(), []);
    }

    #[test]
    fn only_translations_can_be_stamped() {
        let sources = Sources::from_fixture(FIXTURE);
        let chosen = Chosen::Files(vec!["content/a/en.md".to_owned()]);
        assert!(stamp(&sources, &chosen).unwrap_err().contains("not a translation"));
    }
}
