//! The fixed addresses of generated pages and files. `render::routes` adds those that depend on the knowledge base.

use super::{COMPONENTS, CONCEPTS, PROVIDERS};

/// A page that the program generates, in each language, from the whole knowledge base. Authors can write an introduction at the same address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GeneratedPage {
    /// The list of components.
    Components,
    /// The list of concepts.
    Concepts,
    /// The list of providers.
    Providers,
    /// The comparison of all providers; the comparisons of two are below it.
    Compare,
    /// The diagrams; the pages of releases are below it.
    Architecture,
    /// Changes and lifecycles by release; the changes between two releases are below it.
    Versions,
    /// The versions of components in the releases of providers; those of a component and of a provider are below it.
    ComponentVersions,
    /// The coverage of evidence and translations.
    Coverage,
    /// Abbreviations and their meanings.
    Glossary,
    /// The ports of all components; those of providers are below it.
    Ports,
    /// Lists of system workloads for policy engines and alert rules.
    Exemptions,
    /// Labels, annotations, taints and finalizers with their owners.
    WellKnown,
    /// The tags of pages; the pages of each tag are below it.
    Tags,
    /// The page that explains pasted `kubectl` output.
    Explain,
    /// The documentation of the data files, which are below it.
    Api,
    /// Search results; the search index is below it.
    Search,
}

impl GeneratedPage {
    /// Every page, in the order of the sitemap.
    pub const ALL: [Self; 16] = [
        Self::Components,
        Self::Concepts,
        Self::Providers,
        Self::Compare,
        Self::Architecture,
        Self::Versions,
        Self::ComponentVersions,
        Self::Coverage,
        Self::Glossary,
        Self::Ports,
        Self::Exemptions,
        Self::WellKnown,
        Self::Tags,
        Self::Explain,
        Self::Api,
        Self::Search,
    ];

    /// The pages in the menu of every page, in its order.
    pub const MENU: [Self; 5] = [Self::Components, Self::Explain, Self::Compare, Self::Versions, Self::Concepts];

    /// The pages that the footer of every page links to, in its order.
    pub const FOOTER: [Self; 7] = [Self::Providers, Self::Architecture, Self::Ports, Self::Glossary, Self::Tags, Self::Coverage, Self::Api];

    /// The key of its text in the menu and in the footer.
    #[must_use]
    pub const fn menu_key(self) -> &'static str {
        match self {
            Self::Components => "menu_components",
            Self::Explain => "menu_explain",
            Self::Concepts => "menu_concepts",
            Self::Api => "data",
            other => other.title_key(),
        }
    }

    /// The address without the language.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Components => COMPONENTS,
            Self::Providers => PROVIDERS,
            Self::Concepts => CONCEPTS,
            Self::Architecture => "architecture",
            Self::Compare => "compare",
            Self::Versions => "versions",
            Self::Explain => "explain",
            Self::ComponentVersions => "component-versions",
            Self::Coverage => "coverage",
            Self::Glossary => "glossary",
            Self::Ports => "ports",
            Self::Exemptions => "exemptions",
            Self::WellKnown => "well-known",
            Self::Tags => "tags",
            Self::Search => "search",
            Self::Api => "api",
        }
    }

    /// The key of the title in the interface strings; with `_description`, that of the description.
    #[must_use]
    pub const fn title_key(self) -> &'static str {
        match self {
            Self::ComponentVersions => "component_versions",
            Self::WellKnown => "well_known",
            other => other.path(),
        }
    }

    /// The page at an address.
    #[must_use]
    pub fn at(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|page| page.path() == path)
    }
}

/// The folder of the data files of this version.
pub const DATA_FOLDER: &str = "api/v1/";

/// A data file of the API with a fixed address. Pages can link to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GeneratedFile {
    /// The comparison of providers as a table.
    CompareCsv,
    /// The comparison of providers.
    Compare,
    /// The versions of components in the releases of providers, as a table.
    ComponentVersionsCsv,
    /// The ports of all components as a table.
    PortsCsv,
    /// All components.
    Components,
    /// A lookup table from names to components.
    Lookup,
    /// The names of components outside of listings, and their images.
    Names,
    /// All providers.
    Providers,
}

impl GeneratedFile {
    /// Every file.
    pub const ALL: [Self; 8] = [
        Self::Compare,
        Self::CompareCsv,
        Self::ComponentVersionsCsv,
        Self::PortsCsv,
        Self::Providers,
        Self::Components,
        Self::Lookup,
        Self::Names,
    ];

    /// The path from the site's root.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::CompareCsv => "api/v1/compare.csv",
            Self::Compare => "api/v1/compare.json",
            Self::ComponentVersionsCsv => "api/v1/component-versions.csv",
            Self::PortsCsv => "api/v1/ports.csv",
            Self::Components => "api/v1/components.json",
            Self::Lookup => "api/v1/lookup.json",
            Self::Names => "api/v1/names.json",
            Self::Providers => "api/v1/providers.json",
        }
    }

    /// The file at a path from the site's root.
    #[must_use]
    pub fn at(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|file| file.path() == path)
    }
}
