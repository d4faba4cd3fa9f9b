//! The fixed addresses that the program uses itself. `render::routes` adds those that depend on the knowledge base.

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
    /// Lifecycles by release.
    Timeline,
    /// How much is documented.
    Coverage,
    /// Explains pasted output of kubectl.
    Explain,
    /// The documentation of the data files, which are below it.
    Api,
    /// Search results; the search index is below it.
    Search,
}

/// The properties of a generated page that don't depend on the knowledge base.
struct Properties {
    /// The address without the language, and the key of the title in the interface strings.
    path: &'static str,
    /// The position in the menu of every page; `None` if it is not in the menu.
    menu: Option<u8>,
}

impl GeneratedPage {
    /// Every page, in the order of the sitemap.
    pub const ALL: [Self; 10] = [
        Self::Components,
        Self::Concepts,
        Self::Providers,
        Self::Compare,
        Self::Architecture,
        Self::Timeline,
        Self::Coverage,
        Self::Explain,
        Self::Api,
        Self::Search,
    ];

    const fn properties(self) -> Properties {
        let (path, menu) = match self {
            Self::Components => (COMPONENTS, Some(1)),
            Self::Providers => (PROVIDERS, Some(2)),
            Self::Concepts => (CONCEPTS, Some(3)),
            Self::Architecture => ("architecture", Some(4)),
            Self::Compare => ("compare", Some(5)),
            Self::Timeline => ("timeline", Some(6)),
            Self::Explain => ("explain", Some(7)),
            Self::Coverage => ("coverage", None),
            Self::Search => ("search", None),
            Self::Api => ("api", None),
        };
        Properties { path, menu }
    }

    /// The address without the language.
    #[must_use]
    pub const fn path(self) -> &'static str {
        self.properties().path
    }

    /// The key of the title in the interface strings; with `_description`, that of the description.
    #[must_use]
    pub const fn title_key(self) -> &'static str {
        self.properties().path
    }

    /// The page at an address.
    #[must_use]
    pub fn at(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|page| page.path() == path)
    }

    /// The pages in the menu, in its order.
    #[must_use]
    pub fn menu() -> Vec<Self> {
        let mut pages: Vec<Self> = Self::ALL.into_iter().filter(|page| page.properties().menu.is_some()).collect();
        pages.sort_by_key(|page| page.properties().menu);
        pages
    }
}

/// A data file of the API with a fixed address. Pages can link to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GeneratedFile {
    /// The comparison of providers as a table.
    CompareCsv,
    /// The comparison of providers.
    Compare,
    /// All components.
    Components,
    /// Which component a name belongs to.
    Lookup,
    /// All providers.
    Providers,
}

impl GeneratedFile {
    /// Every file.
    pub const ALL: [Self; 5] = [Self::Compare, Self::CompareCsv, Self::Providers, Self::Components, Self::Lookup];

    /// The path from the site's root.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::CompareCsv => "api/v1/compare.csv",
            Self::Compare => "api/v1/compare.json",
            Self::Components => "api/v1/components.json",
            Self::Lookup => "api/v1/lookup.json",
            Self::Providers => "api/v1/providers.json",
        }
    }

    /// The file at a path from the site's root.
    #[must_use]
    pub fn at(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|file| file.path() == path)
    }
}

/// Top folders of the site with nothing but generated files: no page or asset of an author can be below them.
pub const GENERATED_FOLDERS: &[&str] = &["api", "assets"];
