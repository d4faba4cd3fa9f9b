//! Machine-readable data under `api/v1/`.

mod compare;
mod component_versions;
mod csv;
mod detail;
mod exemptions;
mod fields;
mod format;
mod names;
mod page;
mod ports;
mod settings;
mod things;
mod values;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    facts::Day,
    id::{Id, Lang},
    kb::{Evidence, Kb, Section},
    layout::{DATA_FOLDER, EntityKind, GeneratedFile, GeneratedPage},
    render::{
        self,
        exemption_formats::{ExemptionFormat, exemptions_path},
        version_tables::{image_list_path, releases_with_images},
    },
    url::encode_fragment,
};

pub(super) use format::DataFormat;
pub(super) use page::{formats, render};

/// The version of the format of every file; it is increased when a field is renamed or removed.
const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ApiFile {
    Fixed(GeneratedFile),
    Component(Id),
    Concept(Id),
    /// The system workloads of a provider.
    Exemptions(Id, ExemptionFormat),
    /// The versions of the components of a provider.
    ComponentVersions(Id),
    /// The images of a release of a provider.
    Images(Id, String),
    Schema(DataFormat),
}

impl ApiFile {
    /// The files that a site has.
    pub(super) fn all(kb: &Kb) -> Vec<Self> {
        let exists = |file: &GeneratedFile| match file {
            GeneratedFile::Compare | GeneratedFile::CompareCsv | GeneratedFile::Providers => !kb.providers.is_empty(),
            GeneratedFile::ComponentVersionsCsv => kb.has_generated(GeneratedPage::ComponentVersions),
            GeneratedFile::PortsCsv => kb.has_generated(GeneratedPage::Ports),
            GeneratedFile::Components | GeneratedFile::Lookup | GeneratedFile::Names => !kb.components.is_empty(),
        };
        let fixed: Vec<GeneratedFile> = GeneratedFile::ALL.into_iter().filter(exists).collect();
        let schemas = DataFormat::ALL.into_iter().filter(|_| !fixed.is_empty()).map(Self::Schema);
        let components = kb.components.keys().cloned().map(Self::Component);
        let concepts = kb.concepts.keys().cloned().map(Self::Concept);
        let providers = render::exemptions::providers(kb).map(|provider| provider.id.clone());
        let exemptions = providers.flat_map(|id| ExemptionFormat::ALL.into_iter().map(move |format| Self::Exemptions(id.clone(), format)));
        let versions = kb.versions.keys().cloned().map(Self::ComponentVersions);
        let images = kb.versions.iter().flat_map(|(provider, versions)| {
            releases_with_images(versions).into_iter().map(|(release, ..)| Self::Images(provider.clone(), release.to_owned()))
        });
        let fixed = fixed.iter().copied().map(Self::Fixed);
        fixed.chain(components).chain(concepts).chain(exemptions).chain(versions).chain(images).chain(schemas).collect()
    }

    pub(super) fn path(&self) -> String {
        match self {
            Self::Fixed(file) => file.path().to_owned(),
            Self::Component(id) | Self::Concept(id) => format!("{DATA_FOLDER}components/{id}.json"),
            Self::Exemptions(provider, format) => exemptions_path(provider, *format),
            Self::ComponentVersions(provider) => format!("{DATA_FOLDER}component-versions/{provider}.json"),
            Self::Images(provider, release) => image_list_path(provider, release),
            Self::Schema(format) => format!("{DATA_FOLDER}{}", format.schema_path()),
        }
    }

    /// The content; `None` if there is no such component or concept.
    pub(super) fn content(&self, kb: &Kb) -> Option<Vec<u8>> {
        Some(match self {
            Self::Fixed(GeneratedFile::Compare) => json(&compare::comparison(kb)),
            Self::Fixed(GeneratedFile::CompareCsv) => compare::csv(&compare::comparison(kb)).into_bytes(),
            Self::Fixed(GeneratedFile::ComponentVersionsCsv) => component_versions::csv(kb).into_bytes(),
            Self::Fixed(GeneratedFile::PortsCsv) => ports::csv(kb).into_bytes(),
            Self::Fixed(GeneratedFile::Providers) => json(&compare::providers(kb)),
            Self::Fixed(GeneratedFile::Components) => json(&things::components(kb)),
            Self::Fixed(GeneratedFile::Lookup) => json(&things::lookup(kb)),
            Self::Fixed(GeneratedFile::Names) => json(&names::names(kb)),
            Self::Component(id) => json(&detail::component(kb, kb.components.get(id)?)),
            Self::Concept(id) => json(&detail::concept(kb, &kb.concepts.get(id)?.as_ref().into())),
            Self::Exemptions(provider, format) => exemptions::exemptions(kb, kb.providers.get(provider)?, *format),
            Self::ComponentVersions(provider) => json(&component_versions::of_provider(kb, provider)?),
            Self::Images(provider, release) => component_versions::image_list(kb, provider, release)?.into_bytes(),
            Self::Schema(format) => json(&format.schema()),
        })
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    let mut json = serde_json::to_string_pretty(value).unwrap_or_default();
    json.push('\n');
    json.into_bytes()
}

/// A source of evidence.
#[derive(Serialize, JsonSchema)]
struct Source<'a> {
    /// Its key in the evidence map of the facts file.
    key: &'a str,
    /// The title.
    title: &'a str,
    /// The URL; optional for an observation.
    url: Option<&'a str>,
    /// Whether it was observed in a running system and isn't documented.
    observed: bool,
    /// The date of the last check.
    checked: Day,
}

fn source(entry: &Evidence) -> Source<'_> {
    Source { key: entry.key.as_str(), title: &entry.title, url: entry.url.as_deref(), observed: entry.observed, checked: entry.checked }
}

/// The evidence that a statement names.
fn sources<'a>(keys: &[Id], evidence: &'a [Evidence]) -> Vec<Source<'a>> {
    keys.iter().filter_map(|key| evidence.iter().find(|entry| entry.key == *key)).map(source).collect()
}

/// The address of a page in machine-readable data: absolute if the site's origin is known, else from the root of the host.
fn page_url(kb: &Kb, kind: EntityKind, id: &Id) -> String {
    address(kb, &format!("{}/{id}", kind.folder()), kb.config.default_language())
}

fn section_url(kb: &Kb, id: &Id) -> String {
    let page = kb.sections.get(id).map(Section::page).unwrap_or_default();
    format!("{}#{}", address(kb, &page, kb.config.default_language()), encode_fragment(id.as_str()))
}

fn address(kb: &Kb, path: &str, lang: &Lang) -> String {
    let url = kb.config.page_url(path, lang);
    kb.config.site_url.absolute(&url).unwrap_or_else(|| kb.config.site_url.rooted(&url))
}
