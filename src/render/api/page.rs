//! The page that documents the API: every format with every field, from the schemas.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::DataFormat;
use crate::{
    decode::decode,
    diagnostic::Diagnostics,
    facts::StringsFacts,
    id::Lang,
    layout::{DATA_FOLDER, GeneratedFile, GeneratedPage},
    render::{
        frame::ContentsEntry,
        generated::{generated_frame, render_in},
        reader::{Reader, escape},
        routes::SITEMAP,
        templates::RenderResult,
    },
    url::Url,
    yaml,
};

#[derive(Serialize)]
struct ApiView {
    files: Vec<FileRow>,
    formats: Vec<FormatView>,
}

/// A file that is not described by a schema.
#[derive(Serialize)]
struct FileRow {
    path: String,
    href: String,
    about: String,
}

/// A format: its root first, then what occurs in it.
#[derive(Serialize)]
pub(crate) struct FormatView {
    id: &'static str,
    pub(crate) found: &'static str,
    /// The file, if there is just one.
    href: String,
    schema: String,
    pub(crate) tables: Vec<TableView>,
}

#[derive(Serialize)]
pub(crate) struct TableView {
    id: String,
    pub(crate) name: String,
    pub(crate) about: Said,
    pub(crate) fields: Vec<FieldView>,
}

#[derive(Serialize)]
pub(crate) struct FieldView {
    pub(crate) name: String,
    pub(crate) kind: KindView,
    pub(crate) about: Said,
}

/// What the value of a field is.
#[derive(Default, Serialize)]
pub(crate) struct KindView {
    /// In words, with `{x}` for the object that it is made of.
    before: String,
    after: String,
    /// That object and its table.
    name: String,
    href: String,
    nullable: bool,
    words: Vec<String>,
}

/// A sentence as HTML, and its language if it is not the reader's.
#[derive(Serialize)]
pub(crate) struct Said {
    /// The same as it was written, code between backticks.
    pub(crate) text: String,
    html: String,
    lang: &'static str,
}

impl Said {
    /// Renders a sentence in which only backticks are markup.
    fn new(text: &str, lang: &'static str) -> Self {
        let parts = text.split('`').enumerate();
        let html = parts.map(|(at, part)| if at % 2 == 1 { format!("<code>{}</code>", escape(part)) } else { escape(part) }).collect();
        Self { text: text.to_owned(), html, lang }
    }
}

/// The translations of the English sentences in the schemas, by language.
const TRANSLATIONS: &[(&str, &str)] = &[("ja", include_str!("ja.yaml"))];

/// The sentences of a file of translations, by the English sentence.
fn translations(lang: &str) -> Option<BTreeMap<String, String>> {
    let (_, text) = TRANSLATIONS.iter().find(|(known, _)| *known == lang)?;
    let (file, mut diagnostics) = ("built-in:api.yaml".into(), Diagnostics::new());
    let words = yaml::parse(&file, text, 0, &mut diagnostics).and_then(|node| decode::<StringsFacts>(&file, &node, &mut diagnostics))?;
    Some(words.into_iter().map(|(english, words)| (english, words.value)).collect())
}

/// What a reader gets to read instead of an English sentence.
struct Voice {
    /// `None` for readers of English.
    words: Option<BTreeMap<String, String>>,
}

impl Voice {
    fn of(lang: &Lang) -> Self {
        let english = lang.as_str() == "en" || lang.as_str().starts_with("en-");
        Self { words: (!english).then(|| translations(lang.as_str()).unwrap_or_default()) }
    }

    fn say(&self, schema: &Value) -> Said {
        let english = schema["description"].as_str().unwrap_or_default();
        match self.words.as_ref().map(|words| words.get(english)) {
            Some(Some(words)) => Said::new(words, ""),
            Some(None) => Said::new(english, "en"),
            None => Said::new(english, ""),
        }
    }
}

pub(crate) fn render(reader: &Reader<'_>) -> RenderResult {
    let mut frame = generated_frame(reader, GeneratedPage::Api);
    let formats = formats(reader);
    let entry = |level, id: &str, text: &str| ContentsEntry { level, id: id.to_owned(), html: escape(text) };
    let parts = [("promise", "api_promise"), ("forms", "api_forms")].map(|(id, words)| entry(2, id, reader.words(words)));
    frame.contents = parts.into_iter().chain(formats.iter().map(|format| entry(2, format.id, format.found))).collect();
    render_in(reader, &frame, GeneratedPage::Api, "api.html", &ApiView { files: files(reader), formats })
}

/// The other machine-readable files of this site.
fn files(reader: &Reader<'_>) -> Vec<FileRow> {
    let kb = reader.kb();
    let routes = reader.context.routes;
    let [csv, versions, ports] =
        [GeneratedFile::CompareCsv, GeneratedFile::ComponentVersionsCsv, GeneratedFile::PortsCsv].map(GeneratedFile::path);
    let known = [
        (csv, "api_csv", routes.contains(&Url::file(csv))),
        (versions, "api_component_versions", routes.contains(&Url::file(versions))),
        (ports, "api_ports", routes.contains(&Url::file(ports))),
        ("index.md", "api_twins", true),
        ("llms.txt", "api_llms", true),
        ("llms-full.txt", "api_llms_full", true),
        ("atom.xml", "feed", routes.feed(kb, reader.lang).is_some()),
        ("calendar.ics", "api_calendar", routes.calendar(kb, reader.lang).is_some()),
        (SITEMAP, "api_sitemap", routes.contains(&Url::file(SITEMAP))),
    ];
    // These files are shared by all languages; of the others, each language has its own.
    let shared = [csv, versions, ports, SITEMAP];
    let own = if reader.lang == kb.config.default_language() { String::new() } else { format!("{}/", reader.lang) };
    let shown = known.into_iter().filter(|(.., exists)| *exists).map(|(path, words, _)| {
        let path = if shared.contains(&path) { path.to_owned() } else { format!("{own}{path}") };
        FileRow { href: reader.href_to(&Url::file(&path)), path, about: reader.words(words).to_owned() }
    });
    shown.collect()
}

impl KindView {
    pub(crate) fn text(&self, reader: &Reader<'_>) -> String {
        let null = if self.nullable { format!(" {}", reader.words("api_null")) } else { String::new() };
        format!("{}{}{}{}{null}", self.before, self.name, self.words.join(", "), self.after)
    }
}

/// Every format, in the order in which they are shown.
pub(crate) fn formats(reader: &Reader<'_>) -> Vec<FormatView> {
    let voice = Voice::of(reader.lang);
    DataFormat::ALL.into_iter().map(|format| format_view(reader, &voice, format)).collect()
}

fn format_view(reader: &Reader<'_>, voice: &Voice, format: DataFormat) -> FormatView {
    let schema = format.schema().to_value();
    let found = format.where_found();
    let is_file = GeneratedFile::at(found).is_some();
    let root = table(reader, voice, format, "", &schema);
    let others = schema["$defs"].as_object().into_iter().flatten().filter(|(_, schema)| schema["properties"].is_object());
    FormatView {
        id: format.name(),
        found,
        href: if is_file { reader.href_to(&Url::file(found)) } else { String::new() },
        schema: reader.href_to(&Url::file(&format!("{DATA_FOLDER}{}", format.schema_path()))),
        tables: std::iter::once(root).chain(others.map(|(name, schema)| table(reader, voice, format, name, schema))).collect(),
    }
}

fn table(reader: &Reader<'_>, voice: &Voice, format: DataFormat, name: &str, schema: &Value) -> TableView {
    let fields = schema["properties"].as_object().into_iter().flatten();
    TableView {
        id: if name.is_empty() { String::new() } else { table_id(format, name) },
        name: name.to_owned(),
        about: voice.say(schema),
        fields: fields
            .map(|(name, schema)| FieldView { name: name.clone(), kind: kind(reader, format, schema), about: voice.say(schema) })
            .collect(),
    }
}

fn table_id(format: DataFormat, name: &str) -> String {
    format!("{}-{name}", format.name())
}

/// The type of a value. Only the keywords that occur in the schemas of this program are supported.
fn kind(reader: &Reader<'_>, format: DataFormat, schema: &Value) -> KindView {
    let around = |words: &str, inner: KindView| {
        let (before, after) = reader.words(words).split_once("{x}").unwrap_or_default();
        KindView { before: format!("{before}{}", inner.before), after: format!("{}{after}", inner.after), ..inner }
    };
    let named = |words: &str| KindView { before: reader.words(words).to_owned(), ..KindView::default() };
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        let words = words_of(&format.schema().to_value()["$defs"][name]);
        if !words.is_empty() {
            return KindView { words, ..KindView::default() };
        }
        return KindView { name: name.to_owned(), href: format!("#{}", table_id(format, name)), ..KindView::default() };
    }
    if let Some(first) = schema["anyOf"].as_array().and_then(|choices| choices.first()) {
        return KindView { nullable: true, ..kind(reader, format, first) };
    }
    let words = words_of(schema);
    if !words.is_empty() {
        return KindView { words, ..KindView::default() };
    }
    match &schema["type"] {
        Value::Array(types) => {
            let one = serde_json::json!({"type": types.first()});
            KindView { nullable: true, ..kind(reader, format, &one) }
        }
        Value::String(name) if name == "array" => around("api_list", kind(reader, format, &schema["items"])),
        Value::String(name) if name == "object" => around("api_map", kind(reader, format, &schema["additionalProperties"])),
        Value::String(name) if name == "integer" => named("api_number"),
        Value::String(name) if name == "boolean" => named("api_boolean"),
        _ if schema["format"] == "date" => named("api_day"),
        _ => named("api_text"),
    }
}

/// The values of an enumeration; empty for other types.
fn words_of(schema: &Value) -> Vec<String> {
    let consts = schema["oneOf"].as_array().into_iter().flatten().filter_map(|choice| choice["const"].as_str());
    let enums = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
    consts.chain(enums).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_sentence_of_the_schemas_is_translated() {
        fn sentences(schema: &Value, all: &mut BTreeSet<String>) {
            let about = |schema: &Value| schema["description"].as_str().map(str::to_owned);
            all.extend(about(schema));
            all.extend(
                schema["properties"].as_object().into_iter().flatten().map(|(name, field)| about(field).unwrap_or_else(|| name.clone())),
            );
        }
        let mut all = BTreeSet::new();
        for schema in DataFormat::ALL.map(|format| format.schema().to_value()) {
            sentences(&schema, &mut all);
            let others = schema["$defs"].as_object().into_iter().flatten();
            others.filter(|(_, schema)| schema["properties"].is_object()).for_each(|(_, schema)| sentences(schema, &mut all));
        }
        for (lang, _) in TRANSLATIONS {
            let known: BTreeSet<String> = translations(lang).unwrap().into_keys().collect();
            let (missing, unused): (Vec<_>, Vec<_>) = (all.difference(&known).collect(), known.difference(&all).collect());
            assert!(missing.is_empty() && unused.is_empty(), "{lang}: missing {missing:#?}, unused {unused:#?}");
        }
    }
}
