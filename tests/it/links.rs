//! `links`, with an HTTP server on this machine.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::TcpListener,
    process::Command,
    sync::{Arc, Mutex},
    thread,
};

use crate::support::Folder;

/// A server whose response depends on the path: 404 for `/404`, a redirect to `/200` for `/moved`, 403 for `/shy`, 405 to `HEAD` requests for `/no-heads`,
/// else 200. It logs all requests.
fn host() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = asked.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let request = lines.next().unwrap_or_default();
            // The remaining headers, up to the empty line.
            lines.by_ref().take_while(|line| !line.is_empty()).for_each(drop);
            let (method, path) = request.split_once(' ').unwrap_or_default();
            let answer = match (method, path.split(' ').next().unwrap_or_default()) {
                (_, "/moved") => "301 Moved\r\nLocation: /200",
                (_, "/404") => "404 Not Found",
                (_, "/shy") => "403 Forbidden",
                ("HEAD", "/no-heads") => "405 Not Allowed",
                _ => "200 OK",
            };
            log.lock().unwrap().push(request.trim_end_matches(" HTTP/1.1").to_owned());
            let _ = write!(stream, "HTTP/1.1 {answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    (origin, asked)
}

#[test]
fn cited_pages_are_asked_for_once_and_what_is_gone_is_told() {
    let (origin, asked) = host();
    let folder = Folder::with_base("links");
    let page = format!(
        "# Cleaning\n\n[a]({origin}/200#part) [b]({origin}/404) <{origin}/moved> [d]({origin}/shy) [e]({origin}/no-heads)\n[mail](mailto:x@example.org) [b again]({origin}/404)\n"
    );
    folder.write("content/guide/cleaning/en.md", page.as_bytes());
    for path in ["content/components/boiler/facts.yaml", "content/components/pump/facts.yaml", "content/providers/acme/facts.yaml"] {
        let text = std::fs::read_to_string(folder.path(path)).unwrap();
        folder.write(path, text.replace("https://example.org", &origin).as_bytes());
    }
    let look = || {
        asked.lock().unwrap().clear();
        let program = env!("CARGO_BIN_EXE_ksys-docs");
        let output = Command::new(program).args(["links", "--timeout", "10"]).env("NO_PROXY", "*").current_dir(&folder.0).output().unwrap();
        let mut asked = asked.lock().unwrap().clone();
        asked.sort();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), asked)
    };
    let (code, report, first) = look();
    assert_eq!(code, Some(1), "{report}");
    assert!(report.starts_with("6 addresses: 4 available, 1 gone, 1 unknown\n"), "{report}");
    let gone = report.split("## ").find(|part| part.starts_with("Gone")).unwrap();
    assert!(
        gone.contains(&format!("- <{origin}/404> (404, "))
            && gone.contains("`content/guide/cleaning/en.md:3`, `content/guide/cleaning/en.md:4`"),
        "{report}"
    );
    assert!(report.contains(&format!("<{origin}/shy> (403, ")), "{report}");
    for expected in ["HEAD /200", "HEAD /manual", "HEAD /moved", "HEAD /no-heads", "GET /no-heads", "GET /404"] {
        assert!(first.iter().any(|line| line == expected), "{expected}: {first:?}");
    }
    let (_, _, second) = look();
    assert_eq!(second, ["GET /404", "GET /shy", "HEAD /404", "HEAD /shy"], "what was there is not asked again");
    // Only the responses are cached.
    let cache: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.path(".links.json")).unwrap()).unwrap();
    assert_eq!(cache["looked"][format!("{origin}/404")]["status"], 404);
}
