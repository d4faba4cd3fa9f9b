//! The output for search engines, feed readers and other programs, read by independent parsers.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{Arc, LazyLock},
};

use ksys_docs::{
    compile,
    diagnostic::Diagnostics,
    highlight::Highlighter,
    read::{self, Content, Sources},
    site::Site,
};
use roxmltree::{Document, Node};

use crate::support::{main_of, over_base, with};

const ORIGIN: &str = "https://example.org/docs/";

pub(crate) fn addressed(sources: &Sources) -> Sources {
    let Content::Text(book) = &sources.files["book.toml"] else { panic!("book.toml is text") };
    let book = if book.contains("[output.html]\n") {
        book.replacen("[output.html]\n", &format!("[output.html]\nsite-url = \"{ORIGIN}\"\n"), 1)
    } else {
        format!("{book}[output.html]\nsite-url = \"{ORIGIN}\"\n")
    };
    let mut sources = sources.clone();
    sources.files.insert("book.toml".into(), Content::Text(book.into()));
    sources
}

pub(crate) fn site(sources: &Sources) -> Site {
    compile::compile(sources, &Highlighter::default(), Diagnostics::new()).site.expect("a site")
}

/// The site of this repository, below a path, with a modification date for every file.
pub(crate) static OWN: LazyLock<Site> = LazyLock::new(|| {
    let (mut sources, _) = read::read(Path::new(env!("CARGO_MANIFEST_DIR")), read::HistoryMode::Skip).unwrap();
    sources.changed = Arc::new(sources.files.keys().map(|file| (file.clone(), "2026-11-20".to_owned())).collect());
    site(&addressed(&sources))
});

/// The site of the base, in the same way; without the Japanese page about cleaning.
pub(crate) static SMALL: LazyLock<Site> = LazyLock::new(|| {
    let mut sources =
        over_base("//- content/guide/cleaning/ja.md gone\n//- content/guide/cleaning/en.md\n# Cleaning & \\<care>\n\nText.\n");
    let days = [("content/components/boiler/en.md", "2026-11-01"), ("content/components/boiler/facts.yaml", "2026-11-03")];
    let days = days.into_iter().chain([("content/guide/cleaning/en.md", "2026-11-02")]);
    sources.changed = Arc::new(days.map(|(file, day)| (file.into(), day.to_owned())).collect());
    site(&addressed(&sources))
});

pub(crate) fn text(site: &Site, path: &str) -> String {
    String::from_utf8(site.get(path).unwrap_or_else(|| panic!("no {path}")).to_vec()).unwrap()
}

/// The path of the file at a URL of the site.
fn file_at(address: &str) -> String {
    let path = address.strip_prefix(ORIGIN).unwrap_or_else(|| panic!("{address}"));
    let path = path.split('#').next().unwrap_or_default();
    if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() }
}

fn child<'a>(node: &Node<'a, 'a>, name: &str) -> Option<&'a str> {
    node.children().find(|child| child.has_tag_name(name) || child.tag_name().name() == name).and_then(|child| child.text())
}

fn pages(site: &Site) -> BTreeMap<String, String> {
    let html = site.files().filter(|(path, _)| path.ends_with(".html"));
    html.map(|(path, bytes)| (path.to_owned(), String::from_utf8(bytes.to_vec()).unwrap())).collect()
}

#[test]
fn the_sitemap_names_every_page_once_with_its_translations() {
    for site in [&*SMALL, &*OWN] {
        let xml = text(site, "sitemap.xml");
        let document = Document::parse(&xml).unwrap();
        assert_eq!(document.root_element().tag_name().namespace(), Some("http://www.sitemaps.org/schemas/sitemap/0.9"));
        let mut named = BTreeSet::new();
        for url in document.root_element().children().filter(Node::is_element) {
            let address = child(&url, "loc").unwrap();
            assert!(named.insert(file_at(address)), "{address} twice");
            let alternates: Vec<(&str, &str)> = url
                .children()
                .filter(|link| link.tag_name().namespace() == Some("http://www.w3.org/1999/xhtml"))
                .map(|link| (link.attribute("hreflang").unwrap(), link.attribute("href").unwrap()))
                .collect();
            assert!(alternates.is_empty() || alternates.iter().any(|(_, href)| *href == address), "{address}");
            assert_eq!(
                alternates.iter().filter(|(lang, _)| *lang == "x-default").count(),
                usize::from(!alternates.is_empty()),
                "{address}"
            );
            assert!(alternates.iter().all(|(_, href)| site.get(&file_at(href)).is_some()), "{address}");
            if let Some(day) = child(&url, "lastmod") {
                assert!(day.len() == 10 && day.starts_with("2026-11-"), "{day}");
            }
        }
        // All pages except redirects, untranslated copies, search pages and the error page.
        let own = |path: &str, html: &str| {
            let leads_elsewhere =
                html.contains("http-equiv=\"refresh\"") || ["404.html", "search/index.html", "ja/search/index.html"].contains(&path);
            let canonical = html.split("rel=\"canonical\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
            !leads_elsewhere && canonical.is_some_and(|canonical| file_at(canonical) == path)
        };
        let expected: BTreeSet<String> = pages(site).into_iter().filter(|(path, html)| own(path, html)).map(|(path, _)| path).collect();
        assert_eq!(named.symmetric_difference(&expected).collect::<Vec<_>>(), Vec::<&String>::new());
    }
    assert!(text(&SMALL, "robots.txt").contains("\nSitemap: https://example.org/docs/sitemap.xml\n"));
}

#[test]
fn a_page_without_translation_is_one_page() {
    let html = text(&SMALL, "ja/guide/cleaning/index.html");
    assert!(html.contains("<link rel=\"canonical\" href=\"https://example.org/docs/guide/cleaning/\">"), "{html}");
    assert!(!html.contains("hreflang=\"ja\" href=\"https:"), "{html}");
    assert!(!text(&SMALL, "sitemap.xml").contains("/ja/guide/cleaning/"));
    assert!(!text(&SMALL, "ja/atom.xml").contains("cleaning"));
}

#[test]
fn without_an_origin_nothing_claims_an_address() {
    let site = site(&over_base(""));
    assert!(site.get("sitemap.xml").is_none() && site.get("atom.xml").is_none());
    assert_eq!(text(&site, "robots.txt"), "User-agent: *\nAllow: /\n");
    for (path, html) in pages(&site) {
        for claim in ["rel=\"canonical\"", "ld+json", "og:url", "atom.xml"] {
            assert!(!html.contains(claim), "{path}: {claim}");
        }
    }
}

#[test]
fn feeds_are_what_feed_readers_expect() {
    for (site, path, lang) in
        [(&*SMALL, "atom.xml", "en"), (&*SMALL, "ja/atom.xml", "ja"), (&*OWN, "atom.xml", "en"), (&*OWN, "ja/atom.xml", "ja")]
    {
        let xml = text(site, path);
        let document = Document::parse(&xml).unwrap();
        let feed = document.root_element();
        assert_eq!((feed.tag_name().name(), feed.tag_name().namespace()), ("feed", Some("http://www.w3.org/2005/Atom")));
        assert_eq!(feed.attribute(("http://www.w3.org/XML/1998/namespace", "lang")), Some(lang));
        let link = |node: &Node<'_, '_>, rel: &str| {
            let links: Vec<String> = node
                .children()
                .filter(|child| child.tag_name().name() == "link" && child.attribute("rel") == Some(rel))
                .map(|link| link.attribute("href").unwrap().to_owned())
                .collect();
            assert_eq!(links.len(), 1, "{rel}");
            links[0].clone()
        };
        assert_eq!(file_at(&link(&feed, "self")), path);
        assert!(site.get(&file_at(&link(&feed, "alternate"))).is_some());
        let mut ids = BTreeSet::from([child(&feed, "id").unwrap()]);
        let entries: Vec<_> = feed.children().filter(|child| child.tag_name().name() == "entry").collect();
        assert!(!entries.is_empty() && entries.len() <= 60);
        for entry in &entries {
            assert!(ids.insert(child(entry, "id").unwrap()));
            assert!(!child(entry, "title").unwrap().is_empty());
            assert!(site.get(&file_at(&link(entry, "alternate"))).is_some());
        }
        let days: Vec<&str> = entries.iter().map(|entry| child(entry, "updated").unwrap()).collect();
        assert!(days.is_sorted_by(|a, b| a >= b) && days.iter().all(|day| day.len() == 20 && day.ends_with("T00:00:00Z")), "{days:?}");
        assert_eq!(child(&feed, "updated"), days.first().copied());
        let authors = feed.children().filter(|child| child.tag_name().name() == "author");
        assert!(authors.clone().count() > 0 && authors.clone().all(|author| child(&author, "name").is_some()));
        assert!(text(site, &file_at(&link(&feed, "alternate"))).contains("application/atom+xml"));
    }
    let xml = text(&SMALL, "atom.xml");
    let document = Document::parse(&xml).unwrap();
    let titles: Vec<&str> =
        document.descendants().filter(|node| node.tag_name().name() == "entry").filter_map(|entry| child(&entry, "title")).collect();
    assert_eq!(titles, ["boiler", "Cleaning & <care>"], "facts count as the page does");
}

#[test]
fn without_an_origin_feeds_have_ids_all_the_same() {
    let mut sources = with("book.toml", &[("[languages.ja]", "[output.html]\nsite-url = \"/docs/\"\n[languages.ja]")]);
    sources.changed = Arc::new(BTreeMap::from([("content/components/pump/en.md".into(), "2026-11-01".to_owned())]));
    let site = site(&sources);
    let xml = text(&site, "atom.xml");
    let document = Document::parse(&xml).unwrap();
    let ids: Vec<&str> = document.descendants().filter(|node| node.tag_name().name() == "id").filter_map(|id| id.text()).collect();
    assert_eq!(ids.len(), 2);
    for id in ids {
        let parts: Vec<&str> = id.strip_prefix("urn:uuid:").unwrap().split('-').collect();
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{id}");
        assert!(
            parts[2].starts_with('8') && parts[3].starts_with('8') && parts.concat().bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{id}"
        );
    }
    assert!(xml.contains("href=\"/docs/components/pump/\""), "{xml}");
}

#[test]
fn structured_data_says_what_a_page_is_and_where() {
    for site in [&*SMALL, &*OWN] {
        for (path, html) in pages(site) {
            let Some(json) = html.split("<script type=\"application/ld+json\">").nth(1).and_then(|rest| rest.split("</script>").next())
            else {
                assert!(html.contains("http-equiv=\"refresh\""), "{path}");
                continue;
            };
            let data: serde_json::Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert_eq!(data["@context"], "https://schema.org", "{path}");
            let graph = data["@graph"].as_array().unwrap();
            let kinds: Vec<&str> = graph.iter().map(|thing| thing["@type"].as_str().unwrap()).collect();
            let is_home = ["index.html", "ja/index.html", "404.html"].contains(&path.as_str());
            assert_eq!(kinds, if is_home { vec!["WebSite"] } else { vec!["WebSite", "TechArticle", "BreadcrumbList"] }, "{path}");
            for thing in graph {
                // Properties that schema.org defines for each type.
                let known: &[&str] = match thing["@type"].as_str().unwrap() {
                    "WebSite" => &["@type", "@id", "url", "name", "description", "inLanguage"],
                    "TechArticle" => {
                        &["@type", "@id", "url", "headline", "description", "inLanguage", "dateModified", "image", "author", "isPartOf"]
                    }
                    _ => &["@type", "itemListElement"],
                };
                assert!(thing.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{path}: {thing}");
                assert!(thing["image"].as_str().is_none_or(|image| site.get(&file_at(image)).is_some()), "{path}");
                assert!(
                    thing["headline"].as_str().is_none_or(|headline| !headline.is_empty() && headline.chars().count() <= 110),
                    "{path}"
                );
                assert!(thing["dateModified"].as_str().is_none_or(|day| day.parse::<jiff::civil::Date>().is_ok()), "{path}");
                if let Some(url) = thing["url"].as_str().filter(|_| path != "404.html") {
                    assert!(site.get(&file_at(url)).is_some(), "{path}: {url}");
                }
                let steps = thing["itemListElement"].as_array().cloned().unwrap_or_default();
                for (at, step) in steps.iter().enumerate() {
                    assert_eq!(step["position"], at + 1, "{path}");
                    assert!(!step["name"].as_str().unwrap().is_empty(), "{path}");
                    assert_eq!(step["item"].as_str().is_none(), at + 1 == steps.len(), "{path}");
                    assert!(step["item"].as_str().is_none_or(|url| site.get(&file_at(url)).is_some()), "{path}");
                }
            }
        }
    }
    // Text of authors cannot close the element.
    assert!(text(&SMALL, "guide/cleaning/index.html").contains("\"headline\":\"Cleaning & \\u003ccare>\""));
}

/// The link targets, the referenced and the defined footnotes, and the first heading of a Markdown text.
fn markdown(text: &str) -> (Vec<String>, BTreeSet<String>, BTreeSet<String>, String) {
    use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
    let (mut links, mut referred, mut defined, mut title) = (Vec::new(), BTreeSet::new(), BTreeSet::new(), String::new());
    let mut in_title = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => links.push(dest_url.to_string()),
            Event::FootnoteReference(label) => drop(referred.insert(label.to_string())),
            Event::Start(Tag::FootnoteDefinition(label)) => drop(defined.insert(label.to_string())),
            Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) => in_title = title.is_empty(),
            Event::End(TagEnd::Heading(HeadingLevel::H1)) => in_title = false,
            Event::Text(part) | Event::Code(part) if in_title => title.push_str(&part),
            _ => {}
        }
    }
    (links, referred, defined, title)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\'', "&#39;")
}

/// Resolves a relative URL against the path of a file.
fn resolved(from: &str, href: &str) -> String {
    let href = href.split(['#', '?']).next().unwrap_or_default();
    let mut parts: Vec<&str> = from.rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect());
    for part in href.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path }
}

#[test]
fn each_page_has_a_twin_in_markdown() {
    for site in [&*SMALL, &*OWN] {
        let mut twins = 0;
        for (path, html) in pages(site) {
            let twin = html.split("type=\"text/markdown\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
            let Some(twin) = twin.map(|href| resolved(&path, href)) else {
                assert!(html.contains("http-equiv=\"refresh\"") || path == "404.html", "{path}");
                continue;
            };
            twins += 1;
            assert_eq!(twin, path.replace("index.html", "index.md"));
            let text = text(site, &twin);
            let (links, referred, defined, title) = markdown(&text);
            assert!(text.starts_with("# ") && !title.is_empty(), "{twin}");
            let of_page = html.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).unwrap_or_default();
            assert!(title.split_whitespace().all(|word| of_page.contains(&escaped(word))), "{twin}: {title} is not {of_page}");
            assert!(referred.is_subset(&defined), "{twin}: {:?}", referred.difference(&defined));
            // No custom syntax is left, except on pages that document it.
            assert!(twin.contains("rules/") || (!text.contains("[[^") && !text.contains("```listing")), "{twin}");
            for link in links.iter().filter(|link| !link.contains(':') && !link.starts_with('#')) {
                assert!(site.get(&resolved(&twin, link)).is_some(), "{twin}: {link}");
            }
        }
        assert!(twins > 10);
    }
    let text = text(&SMALL, "components/boiler/index.md");
    for expected in [
        "# boiler\n\n> Makes water hot.\n",
        "- **Area:** Water\n",
        "- **Installed by:** the factory\n",
        "| boiler | Recreated automatically[^manual] | A new one starts. |",
        "| Deployment | `boiler` | `machine` | [ACME](../../providers/acme/index.md) |",
        "See [Pump](../pump/index.md).",
        "[^manual]: [The manual](https://example.org/manual) (2026-11-20)\n",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn an_export_has_the_sections_of_the_page_in_its_order() {
    for (site, id) in [(&*SMALL, "boiler"), (&*OWN, "kube-proxy"), (&*OWN, "kube-apiserver")] {
        let page = main_of(site, &format!("components/{id}/index.html"));
        let of_page: Vec<&str> =
            page.split("<h2").skip(1).filter_map(|heading| Some(heading.split_once("\">")?.1.split('<').next()?.trim())).collect();
        let export = text(site, &format!("components/{id}/index.md"));
        let of_export: Vec<String> = export.lines().filter_map(|line| line.strip_prefix("## ")).map(escaped).collect();
        let common: Vec<&str> = of_page.iter().copied().filter(|heading| of_export.iter().any(|other| other == heading)).collect();
        let in_its_order: Vec<&str> = of_export.iter().map(String::as_str).filter(|heading| of_page.contains(heading)).collect();
        assert!(common.len() > 2, "{id}: {of_page:?} {of_export:?}");
        assert_eq!(in_its_order, common, "{id}");
    }
}

#[test]
fn language_models_find_every_page() {
    for (site, lang, index, full) in [
        (&*SMALL, "en", "llms.txt", "llms-full.txt"),
        (&*SMALL, "ja", "ja/llms.txt", "ja/llms-full.txt"),
        (&*OWN, "en", "llms.txt", "llms-full.txt"),
        (&*OWN, "ja", "ja/llms.txt", "ja/llms-full.txt"),
    ] {
        let (index, full) = (text(site, index), text(site, full));
        let (links, _, _, title) = markdown(&index);
        assert!(!title.is_empty() && index.starts_with("# ") && index.contains("\n## "));
        let twins: BTreeSet<&String> = links.iter().filter(|link| link.ends_with("index.md")).collect();
        assert!(links.len() > 5 && links.iter().all(|link| site.get(&file_at(link)).is_some()), "{links:?}");
        let folder = if lang == "ja" { "ja/" } else { "" };
        for kind in ["components", "providers", "concepts"] {
            let own = site.files().filter(|(path, _)| {
                let rest = path.strip_prefix(folder).and_then(|path| path.strip_prefix(kind)?.strip_prefix('/'));
                // The page of an area is a list, not an entity.
                rest.is_some_and(|rest| rest.ends_with("/index.md") && !rest.starts_with("area-"))
            });
            for (path, _) in own {
                assert!(twins.contains(&format!("{ORIGIN}{path}")), "{path}");
            }
        }
        assert_eq!(full.matches("<!-- https://example.org/docs/").count(), twins.len());
    }
}

#[test]
fn hosts_learn_what_has_moved() {
    let sources = over_base("//- content/guide/cleaning/en.md\n---\naliases: [/old/cleaning/, /tidy.html]\n---\n# Cleaning\n\nText.\n");
    let small = site(&sources);
    let text = text(&small, "_redirects");
    assert_eq!(
        text,
        "/old/cleaning/ /guide/cleaning/ 301\n/tidy.html /guide/cleaning/ 301\n/timeline/ /versions/ 301\n/ja/timeline/ /ja/versions/ 301\n"
    );
    // Every redirect leads from a redirect page to an existing page, and to an existing section.
    for line in self::text(&OWN, "_redirects").lines() {
        let mut words = line.split(' ');
        let (from, to, code) = (words.next().unwrap(), words.next().unwrap(), words.next());
        assert_eq!(code, Some("301"));
        let full = |path: &str| file_at(&format!("https://example.org{path}"));
        assert!(self::text(&OWN, &full(from)).contains("http-equiv=\"refresh\""), "{line}");
        let target = self::text(&OWN, &full(to));
        assert!(to.split_once('#').is_none_or(|(_, anchor)| target.contains(&format!("id=\"{anchor}\""))), "{line}");
    }
}

#[test]
fn providers_are_data() {
    for site in [&*SMALL, &*OWN] {
        let data: serde_json::Value = serde_json::from_str(&text(site, "api/v1/providers.json")).unwrap();
        assert_eq!(data["schema_version"], 1);
        for provider in data["providers"].as_array().unwrap() {
            assert!(site.get(&file_at(provider["url"].as_str().unwrap())).is_some());
            let claims = provider["claims"].as_array().unwrap();
            assert!(!claims.is_empty());
            for claim in claims {
                let component = claim["component"].as_str();
                assert!(component.is_none_or(|id| site.get(&format!("api/v1/components/{id}.json")).is_some()), "{claim}");
                assert!(["default", "optional", "built-in", "hidden", "none", "unknown"].contains(&claim["presence"].as_str().unwrap()));
                assert!(claim.get("role").is_some() && claim["evidence"].is_array());
            }
        }
    }
    let data: serde_json::Value = serde_json::from_str(&text(&SMALL, "api/v1/providers.json")).unwrap();
    assert_eq!(data["providers"][0]["id"], "acme");
    assert_eq!(data["providers"][0]["claims"][0]["role"], "heater");
}

/// The events of a calendar, each as its properties by name, read by an independent parser.
fn events(text: &str) -> Vec<BTreeMap<String, String>> {
    use icalendar::parser;
    let unfolded = parser::unfold(text);
    let calendar = parser::read_calendar(&unfolded).unwrap_or_else(|error| panic!("{error}"));
    let of_calendar: BTreeMap<&str, &str> = calendar.properties.iter().map(|it| (it.name.as_str(), it.val.as_str())).collect();
    assert_eq!(of_calendar["VERSION"], "2.0");
    assert!(of_calendar.contains_key("PRODID"));
    let properties = |component: &parser::Component<'_>| -> BTreeMap<String, String> {
        assert_eq!(component.name.as_str(), "VEVENT");
        let all: Vec<_> = component.properties.iter().map(|it| (it.name.as_str().to_owned(), it.val.as_str().to_owned())).collect();
        let by_name: BTreeMap<_, _> = all.iter().cloned().collect();
        assert_eq!(all.len(), by_name.len(), "no property stands twice");
        for property in component.properties.iter().filter(|it| ["DTSTART", "DTEND"].contains(&it.name.as_str())) {
            assert!(property.params.iter().any(|it| it.key == "VALUE" && it.val.as_ref().is_some_and(|value| value.as_str() == "DATE")));
        }
        by_name
    };
    calendar.components.iter().map(properties).collect()
}

#[test]
fn calendars_tell_when_what_goes() {
    for (site, path) in [(&*OWN, "calendar.ics"), (&*OWN, "ja/calendar.ics")] {
        let text = text(site, path);
        assert!(text.ends_with("\r\n") && text.split("\r\n").all(|line| line.len() <= 75 && !line.contains('\n')));
        let events = events(&text);
        let mut known = BTreeSet::new();
        for event in &events {
            assert!(known.insert(event["UID"].clone()), "{event:?}");
            assert!(event["UID"].ends_with("@example.org.docs"));
            assert!(event["DTSTAMP"].len() == 16 && event["DTSTAMP"].ends_with('Z'));
            let days = [&event["DTSTART"], &event["DTEND"]].map(|day| day.parse::<jiff::civil::Date>().unwrap());
            assert_eq!(days[0].tomorrow().unwrap(), days[1]);
            assert!(!event["SUMMARY"].is_empty());
            assert!(site.get(&file_at(&event["URL"])).is_some());
            let text = event.get("DESCRIPTION").cloned().unwrap_or_default();
            for address in text.split_whitespace().filter(|word| word.starts_with("https://")) {
                assert!(site.get(&file_at(address)).is_some(), "{address}");
            }
        }
        assert!(events.is_sorted_by(|a, b| a["DTSTART"] <= b["DTSTART"]));
        assert!(events.iter().any(|event| event["STATUS"] == "TENTATIVE"), "something is planned");
        assert!(events.iter().filter(|event| event["UID"].starts_with("end-")).count() > 30);
        let page = if path.starts_with("ja/") { "ja/versions/index.html" } else { "versions/index.html" };
        assert!(self::text(site, page).contains("type=\"text/calendar\""));
    }
    let sources = with(
        "content/vocabulary.yaml",
        &[
            (r#"{release: "1.2", date: 2022-01-01}"#, r#"{release: "1.2", date: 2022-01-01, end: 2023-01-01}"#),
            (r#"{release: "1.3"}"#, r#"{release: "1.3", planned: 2022-06-01}"#),
        ],
    );
    let events = events(&text(&site(&sources), "calendar.ics"));
    let said: Vec<(&str, &str, &str, Option<&str>)> = events
        .iter()
        .map(|it| (it["DTSTART"].as_str(), it["SUMMARY"].as_str(), it["STATUS"].as_str(), it.get("DESCRIPTION").map(String::as_str)))
        .collect();
    assert_eq!(
        said,
        [
            ("20220101", "Coffee machine 1.2 is released", "CONFIRMED", Some("Removed:\n- Pump")),
            ("20220601", "Coffee machine 1.3 (planned)", "TENTATIVE", None),
            ("20230101", "Coffee machine 1.2 reaches end of support", "CONFIRMED", None),
        ]
    );
    assert!(events.iter().all(|event| !event.contains_key("URL")), "an address that is not known is not made up");
    // Without any dates there is no calendar and no link to one.
    let lifecycle =
        r#"lifecycle: {state: removed, since: "1.0", deprecated: "1.1", removed: "1.2", replaced-by: [boiler], evidence: [manual]}"#;
    let site = site(&with("content/components/pump/facts.yaml", &[(lifecycle, "")]));
    assert!(site.get("calendar.ics").is_none() && !text(&site, "versions/index.html").contains("calendar.ics"));
}

/// The width and height of a PNG image, from its header.
fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(&bytes[12..16], b"IHDR");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn every_page_has_a_picture_for_those_who_show_links_to_it() {
    for site in [&*SMALL, &*OWN] {
        let mut used = BTreeSet::new();
        for (path, html) in pages(site) {
            let meta = |name: &str| html.split(&format!("property=\"{name}\" content=\"")).nth(1).and_then(|rest| rest.split('"').next());
            let Some(image) = meta("og:image") else {
                assert!(html.contains("http-equiv=\"refresh\"") || path == "404.html", "{path}");
                continue;
            };
            let file = file_at(image);
            assert_eq!(png_size(site.get(&file).unwrap_or_else(|| panic!("{path}: {file}"))), (1200, 630), "{file}");
            assert_eq!((meta("og:image:width"), meta("og:image:height")), (Some("1200"), Some("630")));
            assert!(html.contains("name=\"twitter:card\" content=\"summary_large_image\""), "{path}");
            assert!(meta("og:image:alt").is_some_and(|words| !words.is_empty()), "{path}");
            used.insert(file);
        }
        let made: BTreeSet<String> =
            site.files().map(|(path, _)| path).filter(|path| path.ends_with("card.png")).map(str::to_owned).collect();
        assert_eq!(used, made, "no picture is made for nothing");
    }
    // Cards of different pages differ; a page and its translation share a card.
    assert_ne!(OWN.get("components/etcd/card.png"), OWN.get("components/coredns/card.png"));
    assert!(OWN.files().filter(|(path, _)| path.ends_with("card.png")).all(|(_, bytes)| bytes.len() < 40_000));
    assert!(site(&over_base("")).files().all(|(path, _)| !path.ends_with("card.png")));
}
