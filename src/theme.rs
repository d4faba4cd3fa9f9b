//! The theme: templates, style sheets, scripts and the strings of the user interface. A site's file replaces the built-in one of the same path.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use rust_embed::RustEmbed;

use crate::{
    config::Language,
    decode::decode,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::{LifecycleState, StringsFacts, Verdict},
    id::Lang,
    listing::Controller,
    markdown::Labels,
    read::{Content, STATIC, STRINGS, Sources, TEMPLATES},
    text::{Span, capitalized, did_you_mean},
    yaml,
};

#[derive(RustEmbed)]
#[folder = "templates"]
struct BuiltInTemplates;

#[derive(RustEmbed)]
#[folder = "static"]
struct BuiltInStatic;

/// The language whose strings are complete; other languages fall back to it.
const REFERENCE: &str = "en";

/// The codes of languages with two letters (ISO 639-1).
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd \
    gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt \
    my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts \
    tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// The theme of one site.
#[derive(Clone, Debug, Default)]
pub struct Theme {
    /// HTML templates by name.
    pub templates: BTreeMap<String, Template>,
    /// Files that are copied, by path below `static`.
    pub assets: BTreeMap<String, Arc<[u8]>>,
    /// The strings of the user interface by language.
    pub strings: BTreeMap<Lang, Strings>,
}

/// The source of an HTML template.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its path; that of a built-in template begins with `built-in:`.
    pub file: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
}

/// The strings of the user interface in one language, by key. Every key of the built-in English strings is present.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct Strings(BTreeMap<String, String>);

impl Strings {
    /// Replaces the strings of these keys, and then words such as `[components]` in all strings by the strings `word_components` …; `[Components]` begins with a capital
    /// letter. `own` returns the site's string of a key.
    #[must_use]
    pub fn with_words<'a>(&self, own: impl Fn(&str) -> Option<&'a str>) -> Self {
        let mut strings = self.0.clone();
        for (key, text) in &mut strings {
            if let Some(own) = own(key) {
                own.clone_into(text);
            }
        }
        let words = strings.iter().filter_map(|(key, word)| Some((key.strip_prefix("word_")?.to_owned(), word.clone())));
        let words: BTreeMap<String, String> = words.collect();
        for text in strings.values_mut().filter(|text| text.contains('[')) {
            *text = filled(text, &words);
        }
        Self(strings)
    }

    /// The string of a key; the key itself if there is none.
    #[must_use]
    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.0.get(key).map_or(key, String::as_str)
    }

    /// The string of a key, with each `{name}` replaced by its value.
    #[must_use]
    pub fn with(&self, key: &str, values: &[(&str, &str)]) -> String {
        values.iter().fold(self.get(key).to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }

    /// The label of a verdict.
    #[must_use]
    pub fn verdict(&self, verdict: Verdict) -> &str {
        self.term("verdict", verdict.name())
    }

    /// The effect of deleting an object that a controller created, as a sentence.
    #[must_use]
    pub fn recreation(&self, controller: Controller) -> &str {
        self.0.get(&format!("recreation_{}", controller.name().to_ascii_lowercase())).map_or(controller.name(), String::as_str)
    }

    /// The label of a lifecycle state.
    #[must_use]
    pub fn state(&self, state: LifecycleState) -> &str {
        self.term("state", state.name())
    }

    /// The label of a term of a closed list: that of `comes-back` in the list `verdict` has the key `verdict_comes_back`.
    #[must_use]
    pub fn term<'a>(&'a self, list: &str, name: &'a str) -> &'a str {
        self.0.get(&Self::term_key(list, name)).map_or(name, String::as_str)
    }

    /// The key of the label of a term.
    #[must_use]
    pub fn term_key(list: &str, name: &str) -> String {
        format!("{list}_{}", name.replace('-', "_"))
    }

    /// The strings that rendered Markdown contains.
    #[must_use]
    pub fn labels(&self) -> Labels {
        let notes = self.0.iter().filter_map(|(key, words)| Some((key.strip_prefix("note_")?.to_owned(), words.clone())));
        Labels {
            notes: notes.collect(),
            footnotes: self.get("footnotes").to_owned(),
            footnote_back: self.get("footnote_back").to_owned(),
            citation: self.get("citation").to_owned(),
            heading_link: self.get("heading_link").to_owned(),
            diagram: self.get("diagram").to_owned(),
            diagram_source: self.get("diagram_source").to_owned(),
            vague_links: self.get("vague_links").to_owned(),
            task_done: self.get("task_done").to_owned(),
            task_open: self.get("task_open").to_owned(),
        }
    }
}

/// A text with `[word]` and `[Word]` replaced; other brackets stay.
fn filled(text: &str, words: &BTreeMap<String, String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inner)) = rest.split_once('[') {
        filled.push_str(before);
        let named = inner.split_once(']').and_then(|(name, after)| Some((name, words.get(&name.to_lowercase())?, after)));
        if let Some((name, word, after)) = named {
            filled.push_str(&if name.starts_with(char::is_uppercase) { capitalized(word) } else { word.clone() });
            rest = after;
        } else {
            filled.push('[');
            rest = inner;
        }
    }
    filled + rest
}

/// Loads the theme for the languages of a site; reports missing strings.
#[must_use]
pub fn load(sources: &Sources, languages: &[Language], diagnostics: &mut Diagnostics) -> Theme {
    let mut theme = Theme { strings: strings(sources, languages, diagnostics), ..Theme::default() };
    for name in BuiltInTemplates::iter().filter(|name| name.ends_with(".html")) {
        if let Some(text) = built_in_text(&name) {
            theme.templates.insert(name.to_string(), Template { file: format!("built-in:{TEMPLATES}/{name}").into(), text: text.into() });
        }
    }
    for (name, file, content) in sources.below(TEMPLATES) {
        if let (true, Content::Text(text)) = (name.ends_with(".html"), content) {
            theme.templates.insert(name.to_owned(), Template { file: file.clone(), text: text.clone() });
        }
    }
    for name in BuiltInStatic::iter() {
        if let Some(file) = BuiltInStatic::get(&name) {
            theme.assets.insert(name.to_string(), file.data.into());
        }
    }
    for (name, _, content) in sources.below(STATIC) {
        if let Content::Bytes(bytes) = content {
            theme.assets.insert(name.to_owned(), bytes.clone());
        }
    }
    theme
}

fn built_in_text(name: &str) -> Option<String> {
    let data: Cow<'static, [u8]> = BuiltInTemplates::get(name)?.data;
    String::from_utf8(data.into_owned()).ok()
}

/// The strings of one language. Errors in the site's own strings are ignored.
#[must_use]
pub fn load_strings(sources: &Sources, language: &Language) -> Strings {
    strings(sources, std::slice::from_ref(language), &mut Diagnostics::new()).remove(&language.lang).unwrap_or_default()
}

/// The strings of each language: built-in ones, replaced by the site's, completed by English ones.
fn strings(sources: &Sources, languages: &[Language], diagnostics: &mut Diagnostics) -> BTreeMap<Lang, Strings> {
    let reference = built_in_strings(REFERENCE);
    let mut all = BTreeMap::new();
    for Language { lang, span, .. } in languages {
        let mut words = built_in_strings(lang.as_str());
        let file: Arc<str> = format!("{TEMPLATES}/{STRINGS}/{lang}.yaml").into();
        let own = match sources.files.get(&file) {
            Some(Content::Text(text)) => own_strings(&file, text, &reference, diagnostics),
            _ => BTreeMap::new(),
        };
        let known = !words.is_empty() || !own.is_empty();
        words.extend(own);
        let missing: Vec<&str> = reference.keys().filter(|key| !words.contains_key(*key)).map(String::as_str).collect();
        if let Some(first) = missing.first() {
            let help =
                format!("run `ksys-docs theme strings {lang}` and translate the strings in `{file}`; until then they are in English");
            let found = if known {
                let message = format!("`{file}` lacks {} of the strings of the user interface, such as `{first}`", missing.len());
                Diagnostic::new(Rule::MissingStrings, Place::new(file.clone(), Span::at(0)), message).help(help)
            } else {
                let message = format!("the user interface has no strings for the language `{lang}`");
                let place = Place::new(crate::config::FILE, *span);
                let built_in = built_in_languages();
                let is_language = lang.primary().len() != 2 || LANGUAGES.split(' ').any(|known| known == lang.primary());
                let meant = did_you_mean(lang.as_str(), built_in.iter().filter(|_| !is_language).map(String::as_str));
                let help = meant.map_or_else(|| help.clone(), |meant| format!("did you mean `{meant}`? Otherwise, {help}"));
                Diagnostic::new(Rule::MissingStrings, place, message).help(help)
            };
            diagnostics.push(found);
        }
        for (key, text) in &reference {
            words.entry(key.clone()).or_insert_with(|| text.clone());
        }
        all.insert(lang.clone(), Strings(words));
    }
    all
}

fn own_strings(
    file: &Arc<str>,
    text: &str,
    reference: &BTreeMap<String, String>,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<String, String> {
    let Some(node) = yaml::parse(file, text, 0, diagnostics) else { return BTreeMap::new() };
    let mut own = BTreeMap::new();
    for (key, words) in decode::<StringsFacts>(file, &node, diagnostics).unwrap_or_default() {
        // The site's templates can use further keys, so an unknown key is reported only if it resembles a known one.
        let meant = (!reference.contains_key(&key)).then(|| did_you_mean(&key, reference.keys().map(String::as_str))).flatten();
        if let Some(meant) = meant {
            let found =
                Diagnostic::new(Rule::UnknownField, Place::new(file.clone(), words.span), format!("no template uses the string `{key}`"));
            diagnostics.push(found.help(format!("did you mean `{meant}`?")));
        }
        own.insert(key, words.value);
    }
    own
}

/// The languages with built-in strings.
fn built_in_languages() -> Vec<String> {
    let files = BuiltInTemplates::iter();
    files.filter_map(|name| Some(name.strip_prefix(STRINGS)?.strip_prefix('/')?.strip_suffix(".yaml")?.to_owned())).collect()
}

/// The file with the strings of a language, for its translators: what the site has, and the strings that are missing as comments in English. `own` is the present file.
#[must_use]
pub fn strings_to_translate(lang: &Lang, own: Option<&str>) -> String {
    let reference = built_in_text(&format!("{STRINGS}/{REFERENCE}.yaml")).unwrap_or_default();
    let built_in = built_in_strings(lang.as_str());
    let has = |key: &str| built_in.contains_key(key) || own.is_some_and(|own| own.lines().any(|line| line.split(':').next() == Some(key)));
    let mut text = own.map_or_else(|| format!("# The strings of the user interface in the language `{lang}`.\n"), str::to_owned);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let missing = reference.lines().filter(|line| !line.starts_with('#') && !has(line.split(':').next().unwrap_or_default()));
    let missing: Vec<&str> = missing.filter(|line| !text.lines().any(|known| known.strip_prefix("# ") == Some(line))).collect();
    if !missing.is_empty() {
        text.push_str("\n# Not translated yet: translate the values and remove the `#`. {…} is replaced by a value.\n");
        text.extend(missing.iter().flat_map(|line| ["# ", line, "\n"]));
    }
    text
}

/// The path of the strings of a language in a site.
#[must_use]
pub fn strings_file(lang: &Lang) -> String {
    format!("{TEMPLATES}/{STRINGS}/{lang}.yaml")
}

/// The files of the default theme, as paths in a site: templates, style sheets and scripts.
pub fn built_in_files() -> impl Iterator<Item = String> {
    let templates = BuiltInTemplates::iter().filter(|name| name.ends_with(".html")).map(|name| format!("{TEMPLATES}/{name}"));
    templates.chain(BuiltInStatic::iter().map(|name| format!("{STATIC}/{name}")))
}

/// A file of the default theme, by its path in a site.
#[must_use]
pub fn built_in_file(path: &str) -> Option<Vec<u8>> {
    let (folder, name) = path.split_once('/')?;
    let file = match folder {
        TEMPLATES => BuiltInTemplates::get(name),
        STATIC => BuiltInStatic::get(name),
        _ => None,
    };
    file.map(|file| file.data.into_owned())
}

/// The built-in strings of a language, else those of its primary language. Traditional Chinese has none: simplified characters would be wrong for it.
fn built_in_strings(lang: &str) -> BTreeMap<String, String> {
    let is_traditional = ["zh-TW", "zh-HK", "zh-MO"].contains(&lang) || lang.starts_with("zh-Hant");
    let names = [Some(lang), lang.split('-').next().filter(|_| !is_traditional)];
    let text = |lang: &str| Some((format!("{STRINGS}/{lang}.yaml"), built_in_text(&format!("{STRINGS}/{lang}.yaml"))?));
    let Some((name, text)) = names.into_iter().flatten().find_map(text) else { return BTreeMap::new() };
    let file: Arc<str> = format!("built-in:{TEMPLATES}/{name}").into();
    let mut diagnostics = Diagnostics::new();
    let words = yaml::parse(&file, &text, 0, &mut diagnostics).and_then(|node| decode::<StringsFacts>(&file, &node, &mut diagnostics));
    words.unwrap_or_default().into_iter().map(|(key, words)| (key, words.value)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn built_in_languages_are_complete() {
        let reference = built_in_strings(REFERENCE);
        assert!(reference.len() > 50);
        let placeholders = |text: &str| {
            let mut names: Vec<String> = text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.to_owned())).collect();
            names.sort();
            names
        };
        for lang in built_in_languages() {
            let words = built_in_strings(&lang);
            let missing: Vec<_> = reference.keys().filter(|key| !words.contains_key(*key)).collect();
            let extra: Vec<_> = words.keys().filter(|key| !reference.contains_key(*key)).collect();
            assert!(missing.is_empty() && extra.is_empty(), "{lang}: missing {missing:?}, extra {extra:?}");
            for (key, text) in &words {
                assert_eq!(placeholders(text), placeholders(&reference[key]), "{lang}: {key}");
            }
        }
    }

    #[test]
    fn regional_languages_have_the_strings_of_their_language() {
        assert_eq!(built_in_strings("en-GB"), built_in_strings("en"));
        assert!(built_in_strings("zh-TW").is_empty() && built_in_strings("qq").is_empty());
    }

    #[test]
    fn strings_are_left_to_translate_as_comments() {
        let lang = Lang::new("qq").unwrap();
        let new = strings_to_translate(&lang, None);
        assert!(new.contains("\n# search: Search\n"));
        let begun = new.replace("# search: Search", "search: Qqq");
        assert_eq!(strings_to_translate(&lang, Some(&begun)), begun, "nothing is added twice");
        let short = strings_to_translate(&lang, Some("search: Qqq"));
        assert!(short.starts_with("search: Qqq\n") && !short.contains("# search: ") && short.contains("# menu: Main"));
    }

    #[test]
    fn strings_without_a_translation_are_in_english() {
        let mut diagnostics = Diagnostics::new();
        let config = crate::config::parse(&crate::config::FILE.into(), "[languages.qq]\n[languages.jp]\n", &mut diagnostics);
        let theme = load(&Sources::default(), &config.languages, &mut diagnostics);
        let found = diagnostics.sorted();
        let starts: Vec<usize> = found.iter().map(|found| found.place.as_ref().unwrap().span.start).collect();
        // In the order of the tags.
        assert_eq!(starts, [11, 26]);
        assert!(found[1].help.as_ref().unwrap().starts_with("did you mean `ja`?"), "{found:?}");
        assert_eq!(theme.strings[&Lang::new("qq").unwrap()].get("search"), "Search");
    }
}
