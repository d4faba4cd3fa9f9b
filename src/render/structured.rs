//! Structured data for search engines: JSON-LD with the vocabulary of schema.org. It needs the site's full address, because every `url` and `@id` is absolute.

use serde_json::{Value, json};

use super::reader::Reader;
use crate::url::Url;

pub(super) struct PageMetadata<'a> {
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    /// The BCP 47 tag of the language that its text is in.
    pub(super) lang: &'a str,
    /// The date of the last change: `YYYY-MM-DD`.
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
    let nonempty = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let mut graph = vec![without_nulls(json!({
        "@type": "WebSite",
        "@id": site_id,
        "url": home,
        "name": language.title,
        "description": nonempty(&language.description),
        "inLanguage": language.lang,
    }))];
    if !page.trail.is_empty() {
        let authors: Vec<Value> = config.authors.iter().map(|name| json!({"@type": "Organization", "name": name})).collect();
        graph.push(without_nulls(json!({
            "@type": "TechArticle",
            "@id": format!("{url}#article"),
            "url": url,
            "headline": page.title,
            "description": nonempty(page.description),
            "inLanguage": page.lang,
            "dateModified": page.changed,
            "image": page.image,
            "author": (!authors.is_empty()).then_some(authors),
            "isPartOf": {"@id": site_id},
        })));
        // The last item is this page.
        let items = page.trail.iter().map(|(label, url)| (label.as_str(), absolute(url))).chain([(page.title, None)]);
        let item = |(at, (name, item))| without_nulls(json!({"@type": "ListItem", "position": at + 1, "name": name, "item": item}));
        graph.push(json!({"@type": "BreadcrumbList", "itemListElement": items.enumerate().map(item).collect::<Vec<Value>>()}));
    }
    let json = json!({"@context": "https://schema.org", "@graph": graph}).to_string();
    // `</script>` in a text would end the element.
    Some(json.replace('<', "\\u003c"))
}

/// An object without the properties that are null.
fn without_nulls(mut object: Value) -> Value {
    if let Some(properties) = object.as_object_mut() {
        properties.retain(|_, value| !value.is_null());
    }
    object
}
