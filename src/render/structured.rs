//! What a page is, for search engines: JSON-LD with the vocabulary of schema.org. Only where the site's full address is known: every `url` and `@id` in it is absolute.

use serde::Serialize;

use super::reader::Reader;
use crate::url::Url;

#[derive(Serialize)]
struct Graph<'a> {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(rename = "@graph")]
    graph: Vec<Thing<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "@type")]
enum Thing<'a> {
    WebSite(WebSite<'a>),
    TechArticle(Article<'a>),
    BreadcrumbList(Breadcrumbs<'a>),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WebSite<'a> {
    #[serde(rename = "@id")]
    id: String,
    url: String,
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    in_language: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Article<'a> {
    #[serde(rename = "@id")]
    id: String,
    url: String,
    headline: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    in_language: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_modified: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    author: Vec<Author<'a>>,
    is_part_of: Reference,
}

#[derive(Serialize)]
struct Author<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    name: &'a str,
}

#[derive(Serialize)]
struct Reference {
    #[serde(rename = "@id")]
    id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Breadcrumbs<'a> {
    item_list_element: Vec<Step<'a>>,
}

#[derive(Serialize)]
struct Step<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    position: usize,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<String>,
}

/// What is said of a page.
pub(super) struct About<'a> {
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    /// The tag of the language of its text.
    pub(super) lang: &'a str,
    /// The day on which it last changed.
    pub(super) changed: Option<&'a str>,
    /// The address of its picture.
    pub(super) image: Option<&'a str>,
    /// The way from the home page to here; empty for the home page.
    pub(super) trail: &'a [(String, Url)],
}

/// The JSON of a page, ready to stand in a `script` element; `None` without the site's full address.
pub(super) fn json(reader: &Reader<'_>, about: &About<'_>) -> Option<String> {
    let config = &reader.kb().config;
    let absolute = |url: &Url| config.site_url.absolute(url);
    let (home, url) = (absolute(&config.page_url("", reader.lang))?, absolute(&reader.url)?);
    let language = reader.language();
    let site_id = format!("{home}#site");
    let site = WebSite {
        id: site_id.clone(),
        url: home,
        name: &language.title,
        description: &language.description,
        in_language: language.lang.as_str(),
    };
    let mut graph = vec![Thing::WebSite(site)];
    if !about.trail.is_empty() {
        graph.push(Thing::TechArticle(Article {
            id: format!("{url}#article"),
            headline: about.title,
            description: about.description,
            in_language: about.lang,
            date_modified: about.changed,
            image: about.image,
            author: config.authors.iter().map(|name| Author { kind: "Organization", name }).collect(),
            is_part_of: Reference { id: site_id },
            url,
        }));
        // The last step is this page.
        let steps = about.trail.iter().map(|(label, url)| (label.as_str(), absolute(url))).chain([(about.title, None)]);
        let steps = steps.enumerate().map(|(at, (name, item))| Step { kind: "ListItem", position: at + 1, name, item });
        graph.push(Thing::BreadcrumbList(Breadcrumbs { item_list_element: steps.collect() }));
    }
    let json = serde_json::to_string(&Graph { context: "https://schema.org", graph }).ok()?;
    // Nothing in it may end the element around it.
    Some(json.replace('<', "\\u003c"))
}
