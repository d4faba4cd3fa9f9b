//! Structured data for search engines: JSON-LD with the vocabulary of schema.org. It needs the site's full address, because every `url` and `@id` is absolute.

use serde::Serialize;

use super::reader::Reader;
use crate::url::Url;

#[derive(Serialize)]
struct JsonLdDocument<'a> {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(rename = "@graph")]
    graph: Vec<JsonLdNode<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "@type")]
enum JsonLdNode<'a> {
    WebSite(WebSite<'a>),
    TechArticle(Article<'a>),
    BreadcrumbList(BreadcrumbList<'a>),
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
struct BreadcrumbList<'a> {
    item_list_element: Vec<BreadcrumbItem<'a>>,
}

#[derive(Serialize)]
struct BreadcrumbItem<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    position: usize,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<String>,
}

/// The metadata of a page.
pub(super) struct PageMetadata<'a> {
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    /// The BCP 47 tag of the language that its text is in.
    pub(super) lang: &'a str,
    /// When it last changed: `YYYY-MM-DD`.
    pub(super) changed: Option<&'a str>,
    /// The absolute address of its preview image.
    pub(super) image: Option<&'a str>,
    /// The labels and addresses of its ancestors, from the home page; empty for the home page.
    pub(super) trail: &'a [(String, Url)],
}

/// The JSON-LD of a page, escaped for a `script` element; `None` without the site's full address.
pub(super) fn json(reader: &Reader<'_>, page: &PageMetadata<'_>) -> Option<String> {
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
    let mut graph = vec![JsonLdNode::WebSite(site)];
    if !page.trail.is_empty() {
        graph.push(JsonLdNode::TechArticle(Article {
            id: format!("{url}#article"),
            headline: page.title,
            description: page.description,
            in_language: page.lang,
            date_modified: page.changed,
            image: page.image,
            author: config.authors.iter().map(|name| Author { kind: "Organization", name }).collect(),
            is_part_of: Reference { id: site_id },
            url,
        }));
        // The last item is this page.
        let items = page.trail.iter().map(|(label, url)| (label.as_str(), absolute(url))).chain([(page.title, None)]);
        let items = items.enumerate().map(|(at, (name, item))| BreadcrumbItem { kind: "ListItem", position: at + 1, name, item });
        graph.push(JsonLdNode::BreadcrumbList(BreadcrumbList { item_list_element: items.collect() }));
    }
    let json = serde_json::to_string(&JsonLdDocument { context: "https://schema.org", graph }).ok()?;
    // `</script>` in a text would end the element.
    Some(json.replace('<', "\\u003c"))
}
