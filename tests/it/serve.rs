//! `serve` through the binary: its responses, updates, robustness and access control.

use std::{
    collections::BTreeMap,
    fs,
    net::TcpListener,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use crate::{
    http::{Answer, Server},
    support::{BASE, Folder, files},
};

const BOILER: &str = "/components/boiler/";

fn edit(folder: &Folder, path: &str, old: &str, new: &str) {
    let text = fs::read_to_string(folder.path(path)).unwrap();
    assert!(text.contains(old), "`{old}` is not in {path}");
    put(folder, path, text.replacen(old, new, 1).as_bytes());
}

/// Saves a file atomically: on a busy machine, a partially written file could exist for any length of time.
fn put(folder: &Folder, path: &str, bytes: &[u8]) {
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
    let beside = format!("{parent}/.{name}.new");
    let beside = beside.trim_start_matches('/');
    folder.write(beside, bytes);
    fs::rename(folder.path(beside), folder.path(path)).unwrap();
}

/// The site of a fresh build of a folder.
fn built(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let out = folder.path("out");
    let _ = fs::remove_dir_all(&out);
    let status = Command::new(env!("CARGO_BIN_EXE_ksys-docs"))
        .args(["build", folder.0.to_str().unwrap(), "-d", out.to_str().unwrap()])
        .stderr(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    let mut tree = folder.tree("out");
    // The manifest is not served: it is for deployments.
    tree.retain(|path, _| path != "manifest.json");
    fs::remove_dir_all(&out).unwrap();
    tree
}

/// Compares every served file with a fresh build.
#[track_caller]
fn compare(server: &Server, folder: &Folder, base: &str) {
    let tree = built(folder);
    assert!(tree.len() > 40, "{}", tree.len());
    for (path, bytes) in tree {
        let answer = server.get(&format!("{base}{}", ksys_docs::url::encode_path(&path)));
        assert!(
            answer.status == 200 && answer.body == bytes,
            "{path} ({}):\n{}\n{}",
            answer.status,
            answer.text(),
            String::from_utf8_lossy(&bytes)
        );
    }
}

fn has(text: &str) -> impl Fn(&Answer) -> bool {
    let text = text.to_owned();
    move |answer| answer.text().contains(&text)
}

#[test]
fn serves_what_build_writes_below_its_base_path() {
    let folder = Folder::with_base("serve-base");
    edit(&folder, "book.toml", "[languages.ja]", "[output.html]\nsite-url = \"https://example.org/docs/\"\n[languages.ja]");
    folder.write("content/guide/日本 語.txt", b"text");
    let server = Server::start(&folder.0, &[]);
    let printed = server.until_printed("http://");
    assert!(printed.contains("6 pages in 2 languages in "), "{printed}");
    assert!(printed.contains(&format!("http://{}/docs/", server.address)), "{printed}");
    compare(&server, &folder, "/docs/");

    for (path, status, kind, location) in [
        ("/docs/", 200, "text/html; charset=utf-8", ""),
        ("/docs/ja/components/pump/", 200, "text/html; charset=utf-8", ""),
        ("/docs/api/v1/compare.csv", 200, "text/csv; charset=utf-8", ""),
        ("/docs/api/v1/components.json", 200, "application/json; charset=utf-8", ""),
        ("/docs/guide/%E6%97%A5%E6%9C%AC%20%E8%AA%9E.txt", 200, "text/plain; charset=utf-8", ""),
        ("/docs/components/boiler?q=1", 307, "", "/docs/components/boiler/?q=1"),
        ("/docs", 307, "", "/docs/"),
        ("/", 307, "", "/docs/"),
        ("/docs/nothing/", 404, "text/html; charset=utf-8", ""),
        ("/components/boiler/", 404, "text/html; charset=utf-8", ""),
        ("/docs/.live/client.js", 404, "text/html; charset=utf-8", ""),
        ("/.live/client.js", 200, "text/javascript; charset=utf-8", ""),
        ("/.live/overlay.css", 200, "text/css; charset=utf-8", ""),
    ] {
        let answer = server.get(path);
        assert_eq!((answer.status, answer.header("content-type"), answer.header("location")), (status, kind, location), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
    }
    let lost = server.get("/docs/nothing/");
    assert!(lost.text().contains("Page not found") && lost.text().contains("href=\"/docs/"), "{}", lost.text());

    // Only a browser that opens a page receives the live-reload script.
    let opened = server.ask("GET", "/docs/", &[("host", &server.address), ("accept", "text/html,application/xhtml+xml,*/*;q=0.8")]);
    let plain = server.get("/docs/");
    let script = "<script src=\"/.live/client.js\" defer></script>";
    assert_eq!(opened.text().replacen(script, "", 1), plain.text());
    assert_ne!(opened.text(), plain.text());
    assert_ne!(opened.header("etag"), plain.header("etag"));

    let known = server.ask("GET", "/docs/", &[("host", &server.address), ("if-none-match", plain.header("etag"))]);
    assert_eq!((known.status, known.body.len()), (304, 0));
    let head = server.ask("HEAD", "/docs/", &[("host", &server.address)]);
    assert_eq!((head.status, head.body.len(), head.header("content-length")), (200, 0, plain.body.len().to_string().as_str()));
    assert_eq!(server.ask("POST", "/docs/", &[("host", &server.address), ("content-length", "0")]).status, 405);
}

#[test]
fn follows_every_kind_of_change() {
    let folder = Folder::with_base("serve-changes");
    let server = Server::start(&folder.0, &[]);
    let mut events = server.events();
    assert_eq!(events.next().unwrap()["version"], 1);

    edit(&folder, "content/components/boiler/en.md", "It holds water.", "It holds very hot water.");
    server.until(BOILER, has("very hot water"));
    let event = events.next().unwrap();
    assert_eq!((&event["version"], &event["errors"], &event["building"]), (&2.into(), &0.into(), &false.into()));

    // Facts appear on the page itself, in the list, on the page of a related component, in the other language and in the API.
    edit(&folder, "content/components/pump/facts.yaml", "name: Pump", "name: Pressure pump");
    for path in ["/components/pump/", "/components/", BOILER, "/ja/components/boiler/", "/api/v1/components.json"] {
        server.until(path, has("Pressure pump"));
    }
    // Pages are added, removed and moved.
    folder.write("content/guide/new/en.md", b"# New page\n\nSee [[pump]].\n");
    folder.write("content/guide/new/ja.md", "# 新しいページ\n".as_bytes());
    server.until("/guide/new/", has("New page"));
    server.until("/ja/guide/new/", has("新しいページ"));
    fs::remove_dir_all(folder.path("content/guide/cleaning")).unwrap();
    server.until("/guide/cleaning/", |answer| answer.status == 404);
    fs::rename(folder.path("content/guide/new"), folder.path("content/guide/newer")).unwrap();
    server.until("/guide/newer/", has("New page"));
    server.until("/guide/new/", |answer| answer.status == 404);
    // Vocabulary, style sheets, templates, configuration.
    edit(&folder, "content/vocabulary.yaml", "label: {en: Water", "label: {en: Wet things");
    server.until("/components/", has("Wet things"));
    folder.write("static/site.css", b"main { color: teal }");
    let page = server.until(BOILER, |answer| !answer.text().contains("nothing"));
    drop(page);
    server.until(&style_of(&server, "teal"), has("teal"));
    folder.write("templates/concept.html", b"<!doctype html><title>{{ page.title }}</title>own template");
    server.until("/concepts/brewing/", has("own template"));
    edit(&folder, "book.toml", "title = \"Coffee\"", "title = \"Coffee machine\"");
    server.until(BOILER, has("Coffee machine"));
    // The search index is built on request from the current content.
    let root = server.get("/search/en/root.js");
    assert!(root.status == 200 && root.text().starts_with("ksys.got("));
    compare(&server, &folder, "/");
}

/// Waits until the style sheet contains a word; returns its path.
fn style_of(server: &Server, word: &str) -> String {
    let address = |answer: &Answer| {
        let text = answer.text();
        let at = text.find("_assets/site.").unwrap();
        format!("/{}", text[at..].split('"').next().unwrap())
    };
    let page = server.until(BOILER, |answer| server.get(&address(answer)).text().contains(word));
    address(&page)
}

#[test]
fn errors_leave_the_last_good_site_and_go_when_mended() {
    let folder = Folder::with_base("serve-errors");
    let server = Server::start(&folder.0, &[]);
    let good = server.get(BOILER).text();
    let mut events = server.events();
    assert_eq!(events.next().unwrap()["errors"], 0);
    edit(&folder, "content/components/boiler/en.md", "See [[pump]].", "See [[pumb]].");
    let event = events.next().unwrap();
    assert_eq!((&event["version"], &event["errors"], &event["shown"]), (&1.into(), &1.into(), &1.into()));
    let finding = &event["findings"][0];
    assert_eq!(finding["rule"], "dead-link");
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["file"], "content/components/boiler/en.md");
    assert_eq!((&finding["line"], &finding["column"]), (&8.into(), &5.into()));
    assert_eq!(finding["help"], "did you mean `[[pump]]`?");
    assert!(finding["text"].as_str().unwrap().contains("8 | See [[pumb]]."), "{finding}");
    assert_eq!(server.get(BOILER).text(), good);
    // The same mistake two lines further down is not printed again; a different one is.
    edit(&folder, "content/components/boiler/en.md", "## Health", "More.\n\n## Health");
    assert_eq!(events.next().unwrap()["findings"][0]["line"], 10);
    edit(&folder, "content/components/pump/facts.yaml", "verb: feeds", "verb: feds");
    assert_eq!(events.next().unwrap()["errors"], 2);
    let printed = server.until_printed("unknown-word");
    assert_eq!(printed.matches("error[dead-link]").count(), 1, "{printed}");
    assert_eq!(server.get(BOILER).text(), good);

    edit(&folder, "content/components/pump/facts.yaml", "verb: feds", "verb: feeds");
    assert_eq!(events.next().unwrap()["errors"], 1);
    edit(&folder, "content/components/boiler/en.md", "[[pumb]]", "[[pump]]");
    let event = events.next().unwrap();
    assert_eq!((&event["version"], &event["errors"], &event["findings"]), (&2.into(), &0.into(), &serde_json::json!([])));
    assert!(server.get(BOILER).text().contains("More."));
    server.until_printed("all errors are fixed");

    // A template with a syntax error, and one that fails when it is rendered.
    for broken in ["{% if %}", "{{ page.nothing.at_all }}"] {
        put(&folder, "templates/concept.html", broken.as_bytes());
        let event = events.next().unwrap();
        assert_eq!((&event["errors"], &event["findings"][0]["rule"]), (&1.into(), &"template-error".into()), "{broken}");
        assert_eq!(server.get("/concepts/brewing/").status, 200);
        fs::remove_file(folder.path("templates/concept.html")).unwrap();
        assert_eq!(events.next().unwrap()["errors"], 0);
    }
    compare(&server, &folder, "/");
}

#[test]
fn a_site_with_errors_is_shown_until_there_is_one_without() {
    let folder = Folder::with_base("serve-broken");
    edit(&folder, "content/components/pump/facts.yaml", "area: water", "area: wine");
    let server = Server::start(&folder.0, &[]);
    assert!(server.printed().contains("the vocabulary has no area `wine`"), "{}", server.printed());
    assert!(!server.printed().contains("the last good site"), "{}", server.printed());
    assert_eq!(server.get("/").status, 200);
    server.until("/components/pump/", has("no area <code>wine</code>"));
    // Further errors are shown as well, and an edit of another page is.
    edit(&folder, "content/components/boiler/en.md", "It holds water.", "It holds hot water, see [[bolier]].");
    server.until(BOILER, |answer| answer.text().contains("hot water") && answer.text().contains("has the id <code>bolier</code>"));
    edit(&folder, "content/components/boiler/en.md", ", see [[bolier]]", "");
    edit(&folder, "content/components/pump/facts.yaml", "area: wine", "area: water");
    server.until("/components/pump/", |answer| !answer.text().contains("page-errors"));
    compare(&server, &folder, "/");
    // From now on, the last site without errors is served.
    edit(&folder, "content/components/boiler/en.md", "hot water", "[[bolier]]");
    server.until_printed("the last good site is served");
    assert!(server.get(BOILER).text().contains("hot water"));
}

#[test]
fn a_template_that_breaks_later_says_so_on_its_page() {
    let folder = Folder::with_base("serve-template");
    let template = "<!doctype html><html><head></head><body>{% if page.title == \"Brewing\" %}fine{% else %}{{ page.nothing.at_all }}{% endif %}</body></html>";
    folder.write("templates/concept.html", template.replace("Brewing\" %}", "Brewing\" or page.title == \"抽出\" %}").as_bytes());
    let server = Server::start(&folder.0, &[]);
    server.until("/concepts/brewing/", has("fine"));
    edit(&folder, "content/concepts/brewing/en.md", "title: Brewing", "title: The brewing");
    let answer = server.until("/concepts/brewing/", |answer| answer.status == 500);
    assert!(answer.text().contains("/.live/client.js") && answer.text().contains("template"), "{}", answer.text());
    assert_eq!(server.get(BOILER).status, 200);
    edit(&folder, "content/concepts/brewing/en.md", "title: The brewing", "title: Brewing");
    server.until("/concepts/brewing/", has("fine"));
}

#[test]
fn follows_links_other_folders_and_further_style_sheets() {
    let folder = Folder::new("serve-links");
    for (path, text) in files(BASE) {
        folder.write(&path.replace("content/", "docs/en/"), text.as_bytes());
    }
    edit(
        &folder,
        "book.toml",
        "title = \"Coffee\"",
        "title = \"Coffee\"\nsrc = \"docs/en\"\n[output.html]\nadditional-css = [\"look/own.css\"]",
    );
    folder.write("look/own.css", b"main { color: red }");
    folder.write("shared/text.md", b"# Linked\n\nFirst.\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../../../shared/text.md", folder.path("docs/en/guide/linked.md")).unwrap();
    let server = Server::start(&folder.0, &[]);
    edit(&folder, "docs/en/components/boiler/en.md", "It holds water.", "It holds tea.");
    server.until(BOILER, has("It holds tea."));
    folder.write("look/own.css", b"main { color: teal }");
    server.until(BOILER, |page| {
        let text = page.text();
        let at = text.find("_assets/look/own.").expect("a further style sheet");
        server.get(&format!("/{}", text[at..].split('"').next().unwrap())).text().contains("teal")
    });
    #[cfg(unix)]
    {
        edit(&folder, "shared/text.md", "First.", "Second.");
        server.until("/guide/linked/", has("Second."));
    }
    // The content is moved to another folder.
    fs::rename(folder.path("docs/en"), folder.path("docs/content")).unwrap();
    edit(&folder, "book.toml", "src = \"docs/en\"", "src = \"docs/content\"");
    edit(&folder, "docs/content/components/boiler/en.md", "It holds tea.", "It holds milk.");
    server.until(BOILER, has("It holds milk."));
    compare(&server, &folder, "/");
}

#[test]
#[cfg(target_os = "linux")]
fn ends_at_once_when_interrupted() {
    // A shell that starts these tests in the background may make them, and so their children, ignore interrupts.
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    if u64::from_str_radix(ignored.trim(), 16).unwrap() & 2 != 0 {
        return;
    }
    let folder = Folder::with_base("serve-interrupt");
    let mut server = Server::start(&folder.0, &[]);
    // A client is still connected.
    let mut events = server.events();
    events.next();
    let sent = Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let status = server.child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(2));
}

#[test]
fn survives_what_editors_and_people_do() {
    let folder = Folder::with_base("serve-robust");
    let server = Server::start(&folder.0, &[]);
    let page = "content/components/boiler/en.md";
    let text = fs::read_to_string(folder.path(page)).unwrap();
    let with = |marker: &str| text.replace("It holds water.", marker);
    // Saving by renaming a new file over the old one.
    for number in 0..5 {
        folder.write("content/components/boiler/.en.md.tmp", with(&format!("Renamed {number}.")).as_bytes());
        fs::rename(folder.path("content/components/boiler/.en.md.tmp"), folder.path(page)).unwrap();
        server.until(BOILER, has(&format!("Renamed {number}.")));
    }
    // Saving as vim does: rename the old file, write the new file, delete the old one. Or truncate the file, then write it. If that takes no longer than
    // editors need, the page is never missing or empty; on a busy machine it may take longer, so there are several attempts.
    let unnoticed = |how: &str, save: &dyn Fn(&str)| {
        (0..10).any(|number| {
            std::thread::sleep(Duration::from_millis(300));
            let mut events = server.events();
            let version = events.next().unwrap()["version"].as_u64().unwrap();
            save(&format!("{how} {number}."));
            let event = events.next().unwrap();
            server.until(BOILER, has(&format!("{how} {number}.")));
            let last = server.events().next().unwrap();
            event["errors"] == 0 && event["warnings"] == 0 && last["version"] == version + 1
        })
    };
    let backup = folder.path("content/components/boiler/en.md~");
    assert!(unnoticed("Put aside", &|marker| {
        fs::rename(folder.path(page), &backup).unwrap();
        std::thread::sleep(Duration::from_millis(3));
        folder.write(page, with(marker).as_bytes());
        fs::remove_file(&backup).unwrap();
    }));
    assert!(unnoticed("Written late", &|marker| {
        fs::write(folder.path(page), "").unwrap();
        std::thread::sleep(Duration::from_millis(5));
        fs::write(folder.path(page), with(marker)).unwrap();
    }));
    // Many saves of one file in a row.
    for number in 0..300 {
        folder.write(page, with(&format!("Storm {number}.")).as_bytes());
    }
    server.until(BOILER, has("Storm 299."));
    // Many files at once.
    for number in 0..1000 {
        folder.write(&format!("content/many/page-{number}.md"), format!("# Page {number}\n").as_bytes());
    }
    server.until("/many/page-999/", has("Page 999"));
    for number in 0..1000 {
        folder.write(&format!("content/many/page-{number}.md"), format!("# Second {number}\n").as_bytes());
    }
    server.until("/many/page-0/", has("Second 0"));
    server.until("/many/page-999/", has("Second 999"));
    fs::remove_dir_all(folder.path("content/many")).unwrap();
    server.until("/many/page-500/", |answer| answer.status == 404);
    // The whole content is moved away and back. Meanwhile, the last good site is served and the error is printed.
    fs::rename(folder.path("content"), folder.path("elsewhere")).unwrap();
    server.until_printed("the folder `content` does not exist");
    assert!(server.get(BOILER).text().contains("Storm 299."));
    fs::rename(folder.path("elsewhere"), folder.path("content")).unwrap();
    server.until_printed("all errors are fixed");
    folder.write(page, with("Back again.").as_bytes());
    server.until(BOILER, has("Back again."));
    // The same, but the content is deleted and created again.
    fs::remove_dir_all(folder.path("content")).unwrap();
    for (path, text) in files(BASE) {
        folder.write(&path, text.as_bytes());
    }
    server.until(BOILER, has("It holds water."));
    folder.write(page, with("Made anew.").as_bytes());
    server.until(BOILER, has("Made anew."));
    compare(&server, &folder, "/");
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").arg("-C").arg(folder).args(identity).args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn follows_a_checkout_and_commits() {
    let folder = Folder::with_base("serve-git");
    git(&folder.0, &["init", "--quiet", "--initial-branch=main"]);
    git(&folder.0, &["add", "."]);
    git(&folder.0, &["commit", "--quiet", "--message=one", "--date=2020-01-01T00:00:00Z"]);
    git(&folder.0, &["checkout", "--quiet", "-b", "other"]);
    for number in 0..60 {
        folder.write(&format!("content/guide/step-{number}.md"), format!("# Step {number}\n\nSee [[pump]].\n").as_bytes());
    }
    fs::remove_dir_all(folder.path("content/guide/cleaning")).unwrap();
    edit(&folder, "content/components/pump/facts.yaml", "name: Pump", "name: Other pump");
    git(&folder.0, &["add", "--all"]);
    git(&folder.0, &["commit", "--quiet", "--message=two"]);
    git(&folder.0, &["checkout", "--quiet", "main"]);

    let server = Server::start(&folder.0, &[]);
    compare(&server, &folder, "/");
    for _ in 0..3 {
        git(&folder.0, &["checkout", "--quiet", "other"]);
        server.until("/components/", has("Other pump"));
        server.until("/guide/step-59/", has("Step 59"));
        server.until("/guide/cleaning/", |answer| answer.status == 404);
        git(&folder.0, &["checkout", "--quiet", "main"]);
        server.until("/guide/step-0/", |answer| answer.status == 404);
        server.until("/guide/cleaning/", |answer| answer.status == 200);
        server.until("/components/", |answer| !answer.text().contains("Other pump"));
    }
    assert!(!server.printed().contains("error"), "{}", server.printed());
    // A commit changes the date of a page without a change of its text.
    folder.write("content/guide/late.md", b"# Late\n");
    server.until("/guide/late/", has("Late"));
    assert!(!server.get("/guide/late/").text().contains("<time"));
    git(&folder.0, &["add", "."]);
    git(&folder.0, &["commit", "--quiet", "--message=three"]);
    server.until("/guide/late/", has("<time"));
    compare(&server, &folder, "/");
}

#[test]
fn answers_only_to_its_own_names_and_pages() {
    let folder = Folder::with_base("serve-safe");
    folder.write("secret.txt", b"secret");
    let server = Server::start(&folder.0, &[]);
    let port = server.address.rsplit(':').next().unwrap();
    for host in ["example.org", &format!("example.org:{port}"), "127.0.0.1.example.org", "192.0.2.1", ""] {
        for path in ["/", "/.live/events", "/.live/client.js", "/api/v1/components.json"] {
            let answer = server.ask("GET", path, &[("host", host)]);
            assert_eq!(answer.status, 403, "{host} {path}");
            assert!(!answer.text().contains("boiler"));
        }
    }
    for host in ["localhost".to_owned(), format!("localhost:{port}"), format!("127.0.0.1:{port}"), "[::1]".to_owned()] {
        assert_eq!(server.ask("GET", "/", &[("host", &host)]).status, 200, "{host}");
    }
    assert_eq!(server.ask("GET", "/", &[]).status, 400);
    let own = format!("http://{}", server.address);
    for foreign in
        [("origin", "https://example.org"), ("origin", "null"), ("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site")]
    {
        assert_eq!(server.ask("GET", "/.live/events", &[("host", &server.address), foreign]).status, 403, "{foreign:?}");
    }
    let mut stream = server.events();
    assert!(stream.next().is_some());
    drop(own);
    for path in [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/assets/../../secret.txt",
        "//etc/passwd",
        "/etc/passwd",
        "/secret.txt",
        "/book.toml",
        "/content/vocabulary.yaml",
        "/.git/config",
        "/%00",
        "/%ff%fe",
        "/components/boiler/..",
        "/.live/",
        "/.live/../secret.txt",
        "/components\\boiler",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.text().contains("secret\n") && !answer.text().contains("root:"), "{path}");
    }
    // A redirect must not lead to another host.
    let answer = server.get("//components/boiler");
    assert!(!answer.header("location").starts_with("//"), "{}", answer.header("location"));
}

#[test]
fn says_which_port_is_free() {
    let folder = Folder::with_base("serve-port");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let binary = || Command::new(env!("CARGO_BIN_EXE_ksys-docs"));
    let output = binary().arg("serve").arg(&folder.0).args(["-p", &port]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text.starts_with(&format!("error: port {port} of 127.0.0.1 is already in use; port ")) && text.contains(" is free: `-p "),
        "{text}"
    );
    let next: u16 = text.rsplit("-p ").next().unwrap().trim_end_matches(['`', '\n']).parse().unwrap();
    assert!(next > port.parse().unwrap());
    let output = binary().arg("serve").arg(&folder.0).args(["-n", "no.such.host.invalid"]).output().unwrap();
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("`no.such.host.invalid` is not an address of this machine; try `-n 127.0.0.1`")
    );
    let output = binary().arg("serve").arg(folder.path("content")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no book.toml in"), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn says_what_it_exposes() {
    let folder = Folder::with_base("serve-open");
    let server = Server::start(&folder.0, &["-n", "0.0.0.0"]);
    let printed = server.until_printed("including drafts");
    assert!(printed.contains("http://127.0.0.1:"), "{printed}");
    assert!(printed.contains("warning: everyone who can connect to port"), "{printed}");
}

#[test]
#[cfg(target_os = "linux")]
fn rests_while_nothing_happens() {
    let folder = Folder::with_base("serve-idle");
    // Polling all of these files would be measurable.
    for number in 0..1500 {
        folder.write(&format!("content/many/file-{number}.txt"), b"text");
    }
    let server = Server::start(&folder.0, &[]);
    let mut events = server.events();
    events.next();
    edit(&folder, "content/components/boiler/en.md", "It holds water.", "It holds tea.");
    server.until(BOILER, has("It holds tea."));
    std::thread::sleep(Duration::from_millis(500));
    // Clock ticks of CPU time, 100 per second: fields 14 and 15 of proc_pid_stat(5).
    let ticks = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", server.child.id())).unwrap();
        let fields: Vec<u64> = stat.rsplit(')').next().unwrap().split_whitespace().filter_map(|field| field.parse().ok()).collect();
        // The list begins with field 4, the parent process, because the state before it is not a number.
        fields[10] + fields[11]
    };
    let before = ticks();
    std::thread::sleep(Duration::from_secs(3));
    // A busy loop would use 300.
    assert!(ticks() - before <= 5, "{} ticks", ticks() - before);
}

#[test]
fn a_folder_that_is_moved_away_and_back_is_followed() {
    let folder = Folder::with_base("moved");
    let server = Server::start(&folder.0, &[]);
    let away = folder.0.with_extension("away");
    let _ = fs::remove_dir_all(&away);
    server.until(BOILER, has("It holds water."));
    fs::rename(&folder.0, &away).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(server.get(BOILER).status, 200, "the last good site is served");
    fs::rename(&away, &folder.0).unwrap();
    edit(&folder, "content/components/boiler/en.md", "It holds water.", "It holds tea.");
    server.until(BOILER, has("It holds tea."));
    // The same if another folder with the same name exists meanwhile.
    fs::rename(&folder.0, &away).unwrap();
    fs::create_dir_all(&folder.0).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    fs::remove_dir_all(&folder.0).unwrap();
    fs::rename(&away, &folder.0).unwrap();
    edit(&folder, "content/components/boiler/en.md", "It holds tea.", "It holds milk.");
    server.until(BOILER, has("It holds milk."));
}

#[test]
fn requests_follow_the_rules_of_http() {
    let folder = Folder::with_base("http-rules");
    let server = Server::start(&folder.0, &[]);
    let host = ("host", server.address.as_str());
    assert_eq!(server.ask("GET", "/", &[host, host]).status, 400, "two hosts");
    assert_eq!(server.ask("GET", "/", &[host, ("host", "example.org")]).status, 400);
    let tag = server.get("/").header("etag").to_owned();
    assert!(tag.starts_with('"'));
    for (tags, status) in [
        (tag.clone(), 304),
        (format!("W/{tag}"), 304),
        (format!("\"other\", W/{tag}"), 304),
        ("*".to_owned(), 304),
        ("\"other\"".to_owned(), 200),
        (format!("w/{tag}"), 200),
    ] {
        assert_eq!(server.ask("GET", "/", &[host, ("if-none-match", &tags)]).status, status, "{tags}");
    }
    assert_eq!(server.ask("GET", "/nothing/", &[host, ("if-none-match", "*")]).status, 404);
}

#[test]
fn text_is_compressed_for_clients_that_accept_it() {
    use std::io::Read as _;
    let folder = Folder::with_base("http-compressed");
    let server = Server::start(&folder.0, &[]);
    let host = ("host", server.address.as_str());
    let plain = server.get("/");
    assert!(plain.header("content-encoding").is_empty());
    for (accepted, is_compressed) in
        [("gzip, deflate, br", true), ("br;q=1.0, GZIP;q=0.8", true), ("gzip;q=0", false), ("deflate", false), ("x-gzip-like", false)]
    {
        let answer = server.ask("GET", "/", &[host, ("accept-encoding", accepted)]);
        assert_eq!(answer.header("content-encoding") == "gzip", is_compressed, "{accepted}");
        assert!(answer.header("vary").contains("accept-encoding"));
        let mut text = Vec::new();
        if is_compressed {
            flate2::read::GzDecoder::new(answer.body.as_slice()).read_to_end(&mut text).unwrap();
            assert!(answer.body.len() * 2 < text.len());
            assert_ne!(answer.header("etag"), plain.header("etag"));
            let tag = answer.header("etag").to_owned();
            assert_eq!(server.ask("GET", "/", &[host, ("accept-encoding", accepted), ("if-none-match", &tag)]).status, 304);
        } else {
            text = answer.body;
        }
        assert_eq!(text, plain.body, "{accepted}");
    }
    let small = server.ask("GET", "/robots.txt", &[host, ("accept-encoding", "gzip")]);
    assert!(small.status == 200 && small.header("content-encoding").is_empty());
}

/// A client that never completes its request is disconnected, and others are answered meanwhile.
#[test]
fn a_client_that_sends_nothing_is_disconnected() {
    use std::io::{Read as _, Write as _};
    let folder = Folder::with_base("slow-client");
    let server = Server::start(&folder.0, &[]);
    let slow: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nhost: ").unwrap();
            stream
        })
        .collect();
    assert_eq!(server.get("/").status, 200);
    for mut stream in slow {
        stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
        let mut answer = Vec::new();
        // The connection must be closed; any response before that is allowed.
        let _ = stream.read_to_end(&mut answer).unwrap();
        assert!(!answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    }
}
