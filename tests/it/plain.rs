//! Folders of plain Markdown, without components: every file becomes part of the site, or is reported.

use ksys_docs::{read::Sources, site::Site};

use crate::support::{Folder, check, diagnose, lines, main_of, site};

fn plain(files: &str) -> Sources {
    Sources::from_fixture(&format!("//- book.toml\n[book]\ntitle = \"Plain\"\n{files}"))
}

/// Pages in a folder, each with the text `MARK`.
fn pages(folder: &str, names: &[&str]) -> String {
    names.iter().map(|name| format!("//- content/{folder}{name}.md\n# {name}\n\nMARK\n")).collect::<Vec<_>>().concat()
}

/// The addresses of all pages with the text `MARK`.
fn marked(site: &Site) -> Vec<&str> {
    let pages = site.files().filter(|(path, bytes)| path.ends_with(".html") && String::from_utf8_lossy(bytes).contains("MARK"));
    pages.map(|(path, _)| path).collect()
}

#[test]
fn addresses_of_generated_pages_are_free_without_components() {
    let names = ["api", "architecture", "compare", "components", "concepts", "coverage", "explain", "providers", "timeline"];
    let files = pages("", &names);
    let more =
        "//- content/components/etcd.md\n# etcd\n\nMARK\n//- content/concepts/a/b.md\n# b\n\nMARK\n//- content/api/v1/x.md\n# x\n\nMARK\n";
    let site = site(&plain(&format!("{files}{more}//- content/assets/y.md\n# y\n\nMARK\n")));
    let mut expected: Vec<String> = names.iter().map(|name| format!("{name}/index.html")).collect();
    expected.extend(["components/etcd", "concepts/a/b", "api/v1/x", "assets/y"].map(|path| format!("{path}/index.html")));
    expected.sort();
    assert_eq!(marked(&site), expected);
    // They are in the menu, which has no generated pages.
    let home = site.text("index.html").unwrap();
    assert!(home.contains("<a href=\"./timeline/\">timeline</a>") && !home.contains("Compare"), "{home}");
}

#[test]
fn a_search_page_of_an_author_introduces_the_results() {
    let site = site(&plain("//- content/search.md\n# Search\n\nMARK\n"));
    assert_eq!(marked(&site), ["search/index.html"]);
}

#[test]
fn only_declared_languages_are_languages() {
    let names = ["api-design", "go", "csi-proxy", "qa", "fr", "zh-CN", "id"];
    let files = pages("guide/", &names);
    let site = site(&plain(&format!("{files}//- content/guide/en.md\n# Guide\n")));
    let mut expected: Vec<String> = names.iter().map(|name| format!("guide/{name}/index.html")).collect();
    expected.sort();
    assert_eq!(marked(&site), expected);
}

#[test]
fn folders_without_a_page_have_a_generated_one() {
    let site = site(&plain("//- content/getting-started/local/kind.md\n# kind\n\nMARK\n//- content/getting-started/z.md\n# Z\n"));
    let top = main_of(&site, "index.html");
    assert!(top.contains("<a href=\"./getting-started/\">Getting started</a>"), "{top}");
    let folder = main_of(&site, "getting-started/index.html");
    assert!(folder.contains("<h1>Getting started</h1>"), "{folder}");
    assert!(folder.contains("href=\"./local/\">Local</a>") && folder.contains("href=\"./z/\">Z</a>"), "{folder}");
    let page = main_of(&site, "getting-started/local/kind/index.html");
    assert!(page.contains("<a href=\"../../\">Getting started</a>") && page.contains("<a href=\"../\">Local</a>"), "{page}");
    assert!(site.text("getting-started/index.md").unwrap().contains("- [Local](./local/index.md)"));
}

#[test]
fn links_to_folders_lead_to_their_pages() {
    let site = site(&plain("//- content/a.md\n# A\n\n[one](guide/) [two](/guide/deep/)\n//- content/guide/deep/b.md\n# B\n\n[up](..)\n"));
    assert!(main_of(&site, "a/index.html").contains("<a href=\"../guide/\">one</a> <a href=\"../guide/deep/\">two</a>"));
}

#[test]
fn data_files_are_downloads() {
    let files = "//- content/a.md\n# A\n\n[values](values.yaml) [data](x/data.json) [tool](tool.toml)\n//- content/values.yaml\na: [\n//- content/x/data.json\n{\n//- content/tool.toml\n[\n";
    let site = site(&plain(files));
    for (path, text) in [("values.yaml", "a: [\n"), ("x/data.json", "{\n"), ("tool.toml", "[\n")] {
        assert_eq!(site.text(path).unwrap(), text);
    }
}

#[test]
fn misplaced_data_of_a_knowledge_base_is_reported() {
    check(
        &plain("//- content/a.md\n# A\n//- content/vocabulary.yml\nareas: {}\n//- content/x/vocabulary.yaml\nareas: {}\n"),
        "content/vocabulary.yml:1:1 stray-file: this file has no meaning here (the vocabulary is the file `vocabulary.yaml` at the top of the content folder)\n\
         content/x/vocabulary.yaml:1:1 stray-file: this file has no meaning here (the vocabulary is the file `vocabulary.yaml` at the top of the content folder)",
    );
}

#[test]
fn well_known_files_are_published_and_other_hidden_files_are_not() {
    let folder = Folder::new("plain-hidden");
    for (path, text) in [
        ("book.toml", "[book]\ntitle = \"x\"\n"),
        ("content/a.md", "# A\n"),
        ("content/.well-known/security.txt", "Contact: x\r\n"),
        ("content/.git/config", "secret"),
        ("content/.env", "secret"),
    ] {
        folder.write(path, text.as_bytes());
    }
    let (sources, _) = ksys_docs::read::read(&folder.0, ksys_docs::read::HistoryMode::Skip).unwrap();
    let site = site(&sources);
    assert_eq!(site.get(".well-known/security.txt"), Some(b"Contact: x\r\n".as_slice()));
    assert!(!site.files().any(|(_, bytes)| **bytes == *b"secret"));
}

#[test]
fn links_in_the_forms_of_other_generators() {
    let page = "# A\n\n[1](guide/b.html) [2](/guide/b.md) [3](guide/b.md?plain=1#one) [4](guide/index.html) [5](/guide/b.html#one) [6](./guide/b/) \
                [7](/index.html) [8](guide/b?x=1) [9](/guide/b.md?x#v1240)\n";
    let site = site(&plain(&format!("//- content/a.md\n{page}//- content/guide/b.md\n# B\n\n## One\n\n## v1.24.0\n")));
    let main = main_of(&site, "a/index.html");
    for (number, href) in ["guide/b/", "guide/b/", "guide/b/#one", "guide/", "guide/b/#one", "guide/b/", "", "guide/b/", "guide/b/#v1240"]
        .into_iter()
        .enumerate()
    {
        let expected = format!("<a href=\"../{href}\">{}</a>", number + 1);
        assert!(main.contains(&expected), "{expected} in {main}");
    }
}

#[test]
fn headings_have_the_ids_of_mdbook() {
    let text =
        "# The *first* `heading`\n\n[up](#the-first-heading)\n\n## A / B\n\n## A / B\n\n## Main\n\n## Source code\n\n## ::\n\n## ::\n";
    let site = site(&plain(&format!("//- content/a.md\n{text}")));
    let main = main_of(&site, "a/index.html");
    let ids: Vec<&str> = main.split("<h").skip(1).filter_map(|heading| heading.split_once(" id=\"")?.1.split('"').next()).collect();
    assert_eq!(ids, ["the-first-heading", "a--b", "a--b-1", "main", "source-code", "section", "section-1"]);
    assert!(main.contains("<h1 id=\"the-first-heading\">The <em>first</em> <code>heading</code></h1>"), "{main}");
}

#[test]
fn a_first_heading_that_differs_from_the_title_is_shown() {
    let site = site(&plain("//- content/a.md\n---\ntitle: Short\n---\n# The long heading\n\nText.\n"));
    assert!(main_of(&site, "a/index.html").contains("<h1 id=\"the-long-heading\">The long heading</h1>"));
    let html = site.text("a/index.html").unwrap();
    assert!(html.contains("<title>Short · Plain</title>") && html.contains(">Short</a>"), "{html}");
}

#[test]
fn lists_in_cells_are_lists_and_classes_are_reported_once() {
    let page = "# A\n\n| x | y |\n| - | - |\n| <ul><li>one</li><li>*two*</li></ul> | a<p>b</p> |\n\nText <ul><li>three</li><li>four</li></ul>\n\n\
                <p align=\"center\" class=\"lead\">Five</p>\n<p class=\"other\">Six</p>\n";
    let sources = plain(&format!("//- content/a.md\n{page}"));
    let main = main_of(&site(&sources), "a/index.html");
    assert!(main.contains("<ul><li>one</li><li><em>two</em></li></ul>") && main.contains("a<p>b</p>"), "{main}");
    assert!(main.contains("three") && main.contains("<p align=\"center\">Five</p>"), "{main}");
    let found = diagnose(&sources).into_iter().map(|found| found.message).collect::<Vec<_>>();
    let classes: Vec<&String> = found.iter().filter(|message| message.contains("class")).collect();
    assert_eq!(classes, ["classes of HTML elements are dropped, here `lead`"]);
}

#[test]
fn foreign_syntax_is_reported_once_for_each_kind_and_file() {
    let page = "# A\n\n:::note\nx\n:::\n\nText.\n\n:::tip\n\nSee `:::` and {{#embed x.md}} and $x^2$.\n\n```text\n{{< x >}}\n```\n";
    check(
        &plain(&format!("//- content/a.md\n{page}")),
        "content/a.md:3:1 foreign-syntax: a container of Docusaurus or VitePress is shown as text (write a note as `> [!NOTE]`, and tabs as `=== \"Title\"`)\n\
         content/a.md:11:15 foreign-syntax: a directive of an mdBook preprocessor is shown as text (write the text here instead, and code in a code fence)\n\
         content/a.md:11:35 foreign-syntax: a formula is shown as text (add `math = true` to `[output.html]` of book.toml; write `\\$` for a dollar sign)",
    );
}

#[test]
fn front_matter_of_other_generators() {
    let files = "//- content/a.md\n+++\ntitle = \"Toml\"\nweight = 2\n+++\nA.\n//- content/b.md\n{\n  \"title\": \"Json\", \"weight\": 1\n}\nB.\n\
                 //- content/c.md\n---\ntitle: Yaml\nsidebar_position: 3\ndescription: It is the third.\nrelease: x\ndate: 2026-01-01\n---\nC.\n\
                 //- content/10-d.md\n# D\n//- content/9-e.md\n# E\n//- content/f.md\n---\ntitle: F\ntitel: x\n---\nF.\n//- content/g/_index.md\n# G\n";
    let sources = plain(files);
    check(
        &sources,
        "content/c.md:5:1 foreign-syntax: keys of other generators in the front matter have no effect: `release`, `date` (remove them)\n\
         content/f.md:3:1 unknown-field: unknown key `titel` (did you mean `title`?)",
    );
    let site = site(&plain(&files.replace("titel: x\n", "")));
    let home = main_of(&site, "index.html");
    let order: Vec<usize> = ["Json", "Toml", "Yaml", ">E<", ">D<", ">F<", ">G<"].iter().map(|title| home.find(title).unwrap()).collect();
    assert!(order.is_sorted(), "{order:?} {home}");
    assert!(home.contains("It is the third."), "{home}");
}

#[test]
fn mistakes_in_front_matter_have_their_place() {
    check(
        &plain(
            "//- content/a.md\n+++\ntitle = Overview\n+++\nA.\n//- content/b.md\n+++\ntitle = \"B\"\n//- content/c.md\n{ not front matter\n",
        ),
        "content/a.md:2:9 toml-syntax: this is not TOML: string values must be quoted, expected literal string (see https://toml.io for the format; text needs quotes)\n\
         content/b.md:1:1 front-matter: the front matter is not closed (add a line `+++` after it)\n\
         content/c.md:1:1 missing-title: this page has no title; its name is shown instead (begin the file with\n---\ntitle: …\n---\nor with a line `# …`)",
    );
}

#[test]
fn links_relative_to_the_address_of_a_page() {
    let files = "//- content/blog/one.md\n# One\n\n[1](../two/) [2](../../guide/) [3](one/pic.png) [4](two.md)\n//- content/blog/two.md\n# Two\n//- content/guide.md\n# G\n\
                 //- content/blog/one/pic.png\nx\n";
    let main = main_of(&site(&plain(files)), "blog/one/index.html");
    for (number, href) in ["../two/", "../../guide/", "./pic.png", "../two/"].into_iter().enumerate() {
        assert!(main.contains(&format!("href=\"{href}\">{}</a>", number + 1)), "{href} {main}");
    }
}

#[test]
fn neighbors_are_in_reading_order() {
    let files = "//- content/a.md\n# A\n//- content/b/x.md\n# X\n//- content/b/c/y.md\n# Y\n//- content/d.md\n# D\n";
    let site = site(&plain(files));
    let next = |path: &str| {
        let main = main_of(&site, path);
        let link = main.split("rel=\"next\" href=\"").nth(1).map(|rest| rest.split('"').next().unwrap().to_owned());
        link.unwrap_or_default()
    };
    let order: Vec<String> = ["a", "b", "b/c", "b/c/y", "b/x", "d"].iter().map(|page| next(&format!("{page}/index.html"))).collect();
    assert_eq!(order, ["../b/", "./c/", "./y/", "../../x/", "../../d/", ""]);
}

#[test]
fn pictures_have_their_size() {
    let folder = Folder::new("picture-size");
    folder.write("book.toml", b"[book]\ntitle = \"B\"\n");
    // A GIF has its width and height in bytes 6 to 9.
    folder.write(
        "content/dot.gif",
        b"GIF89a\x03\x00\x02\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x03\x00\x02\x00\x00\x02\x02\x84Q\x00;",
    );
    folder.write("content/broken.png", b"not a picture");
    let page = b"# A\n\n![Dot](dot.gif) ![Broken](broken.png)\n\n<img src=\"dot.gif\" alt=\"Dot\"> <img src=\"dot.gif\" alt=\"Dot\" width=\"30\">\n";
    folder.write("content/a.md", page);
    let (sources, _) = ksys_docs::read::read(&folder.0, ksys_docs::read::HistoryMode::Skip).unwrap();
    let main = main_of(&site(&sources), "a/index.html");
    assert!(main.contains("<img src=\"../dot.gif\" width=\"3\" height=\"2\" alt=\"Dot\" decoding=\"async\">"), "{main}");
    // Only the first picture of a page is loaded at once.
    assert_eq!(main.matches("loading=\"lazy\"").count(), 3, "{main}");
    assert!(
        main.contains("<img src=\"../broken.png\" alt=\"Broken\"") && main.contains("<img src=\"../dot.gif\" alt=\"Dot\" width=\"30\""),
        "{main}"
    );
}

#[test]
fn headings_and_links_for_screen_readers() {
    let page = "# A\n\n### Three\n\n#### Four\n\n## Two\n\n> [!NOTE]\n> #### Nested\n\n[Here](a.md#three). [the page about this](a.md) [`this`](a.md)\n";
    check(
        &plain(&format!("//- content/a.md\n{page}")),
        "content/a.md:3:1 skipped-heading: a heading of level 3 follows one of level 1 (write it with ##)\n\
         content/a.md:12:1 vague-link: the text of this link, `here`, doesn't show where it leads (write the title or the subject of the target as the text of the link)",
    );
}

#[test]
fn drafts_are_not_published_and_hidden_pages_are_not_listed() {
    let sources = plain(
        "//- content/a.md\n# A\n\n[hidden](b.md)\n//- content/b.md\n---\nhidden: true\n---\n# Bbb\n\nMARK\n//- content/c.md\n---\ndraft: true\n---\n# Ccc\n\nMARK [dead](none.md)\n//- content/d/e.md\n# E\n\nMARK\n",
    );
    assert_eq!(lines(&sources, &diagnose(&sources)), "");
    let site = site(&sources);
    assert_eq!(marked(&site), ["b/index.html", "d/e/index.html"]);
    let listing = site.files().filter(|(path, _)| !path.starts_with("b/") && !path.starts_with("_assets/"));
    for (path, bytes) in listing {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains("Ccc") && !text.contains("Bbb"), "{path}");
    }
    let to_draft = plain("//- content/a.md\n# A\n\n[draft](c.md)\n//- content/c.md\n---\ndraft: true\n---\n# C\n");
    assert_eq!(diagnose(&to_draft).iter().map(|found| found.rule.name()).collect::<Vec<_>>(), ["dead-link"]);
}

#[test]
fn logo_banner_and_menu() {
    let book = "//- book.toml\n[book]\ntitle = \"Bank\"\n[languages.ja]\nbanner = \"`v2`の文書です。\"\n[output.html]\nlogo = \"theme/logo.svg\"\nbanner = \"This is about `v2`.\"\n\
                [[output.html.menu]]\nlink = \"/guide/\"\ntitle = \"Guide\"\ntitles = {ja = \"ガイド\"}\n[[output.html.menu]]\nlink = \"https://chat.example/\"\ntitle = \"Chat\"\n";
    let pages = "//- theme/logo.svg\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n//- content/guide/en.md\n# Guide\n\nText.\n//- content/guide/ja.md\n# ガイド\n\n本文。\n//- content/other/en.md\n# Other\n\nText.\n";
    let site = site(&Sources::from_fixture(&format!("{book}{pages}")));
    let html = site.text("guide/index.html").unwrap();
    let menu = &html[html.find("<nav class=\"menu\"").unwrap()..html.find("</nav>").unwrap()];
    assert!(
        menu.contains("<a href=\"./\" aria-current=\"true\">Guide</a>") && menu.contains("<a href=\"https://chat.example/\">Chat</a>"),
        "{menu}"
    );
    assert!(!menu.contains("Other"), "{menu}");
    assert!(html.contains("<p class=\"banner\">This is about <code>v2</code>.</p>"));
    let logo = html.split("<img src=\"../").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(logo.starts_with("_assets/") && site.text(logo).is_some(), "{logo}");
    let japanese = site.text("ja/guide/index.html").unwrap();
    assert!(japanese.contains(">ガイド</a>") && japanese.contains("<code>v2</code>の文書です。"));
    let mistakes = Sources::from_fixture(
        "//- book.toml\n[output.html]\nlogo = \"none.svg\"\n[[output.html.menu]]\nlink = \"/none/\"\ntitle = \"None\"\n[[output.html.menu]]\nlink = \"javascript:x\"\ntitle = \"X\"\n//- content/a.md\n# A\n\nx\n",
    );
    check(
        &mistakes,
        "book.toml:1:1 bad-config: the file `none.svg` does not exist (paths in `additional-css`, `additional-js` and `logo` are relative to book.toml)\n\
         book.toml:4:8 dead-link: no page has the address `/none/` (correct it: write an address of this site, or a full URL)\n\
         book.toml:7:8 bad-config: `javascript:x` is not a web address or an address of this site (write `/page.html` or `https://…`)",
    );
}

#[test]
fn links_to_searches_keep_their_query() {
    let site = site(&plain("//- content/a.md\n# A\n\n[search](/search/?q=a%20b&area=x) [page](/a/?x=1)\n"));
    let main = main_of(&site, "a/index.html");
    assert!(main.contains("href=\"../search/?q=a%20b&amp;area=x\"") && main.contains("href=\"./\""), "{main}");
}

#[test]
fn pages_list_the_pages_that_link_to_them() {
    let site = site(&plain(
        "//- content/a.md\n# A\n\n[b](guide/b.md)\n//- content/guide/b.md\n# B\n\nx\n//- content/guide/README.md\n# Guide\n\n[b](b.md)\n",
    ));
    let main = main_of(&site, "guide/b/index.html");
    let mentions = &main[main.find("class=\"mentions\"").unwrap()..main.find("class=\"neighbours\"").unwrap()];
    assert!(mentions.contains("href=\"../../a/\"") && !mentions.contains("href=\"../\""), "{mentions}");
}

#[test]
fn messages_of_the_search_name_only_lists_that_exist() {
    let plain = Sources::from_fixture("//- book.toml\n[book]\ntitle = \"Plain\"\n//- content/index.md\n# Plain\n\nText.\n");
    let of = |sources: &Sources| crate::support::site(sources).text("search/index.html").unwrap().to_owned();
    assert!(!of(&plain).contains("components") && of(&plain).contains("Search requires JavaScript."));
    assert!(of(&crate::support::over_base("")).contains("The list of components has every name."));
}
