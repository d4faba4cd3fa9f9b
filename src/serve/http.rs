//! The HTTP server. All responses come from memory: the path of a request is never used as a path on the disk.
#![allow(clippy::disallowed_methods, reason = "each start of the server has its own name, taken from the clock")]

use std::{
    convert::Infallible,
    io::Read as _,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
    routing::{MethodRouter, get},
};
use serde::Serialize;
use tokio::sync::watch as channel;
use tokio_stream::{StreamExt, wrappers::WatchStream};

use super::{
    address::Allowed,
    edition::{Edition, Report},
};
use crate::text::escape;

/// The script that updates an open page. It is only inserted into the head of pages that a browser opens.
const CLIENT: &str = "<script src=\"/.live/client.js\" defer></script>";

/// The state that all handlers share.
#[derive(Clone)]
struct Server {
    allowed: Arc<Allowed>,
    editions: channel::Receiver<Arc<Edition>>,
    /// A unique value for each start of the program, so that pages detect a restart.
    boot: Arc<str>,
}

pub(super) fn routes(allowed: Allowed, editions: channel::Receiver<Arc<Edition>>) -> Router {
    let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let server = Server { allowed: Arc::new(allowed), editions, boot: format!("{:x}", started.as_nanos()).into() };
    let script = "text/javascript; charset=utf-8";
    Router::new()
        .route("/.live/client.js", own(script, include_str!("../../web/serve/client.js")))
        .route("/.live/worker.js", own(script, include_str!("../../web/serve/worker.js")))
        .route("/.live/overlay.css", own("text/css; charset=utf-8", include_str!("../../web/serve/overlay.css")))
        .route("/.live/page.css", own("text/css; charset=utf-8", include_str!("../../web/serve/page.css")))
        .route("/.live/events", get(events))
        .fallback(file)
        .layer(middleware::from_fn_with_state(server.clone(), guard))
        .with_state(server)
}

/// A file that is not part of the site.
fn own(media_type: &'static str, text: &'static str) -> MethodRouter<Server> {
    get(move || std::future::ready(([(header::CONTENT_TYPE, media_type)], text)))
}

/// Rejects requests for other host names, and adds the headers of all responses.
async fn guard(State(server): State<Server>, request: Request, next: Next) -> Response {
    let named = text_of(request.headers(), header::HOST).or_else(|| request.uri().authority().map(axum::http::uri::Authority::as_str));
    let refused = match named {
        // RFC 9112, section 3.2.
        _ if request.headers().get_all(header::HOST).iter().count() > 1 => {
            Some((StatusCode::BAD_REQUEST, "this request has more than one `Host`\n".to_owned()))
        }
        Some(host) if server.allowed.host(host) => None,
        Some(host) => Some((
            StatusCode::FORBIDDEN,
            format!("this server does not serve the host `{host}`; open it by its address, or start it with `-n` and that name\n"),
        )),
        None => Some((StatusCode::BAD_REQUEST, "this request has no `Host`\n".to_owned())),
    };
    let mut response = match refused {
        Some(refused) => refused.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

fn text_of(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// A message about the current edition.
#[derive(Serialize)]
struct Message<'a> {
    boot: &'a str,
    version: u64,
    building: bool,
    #[serde(flatten)]
    report: &'a Report,
}

/// Notifies a page of this site of each new edition.
async fn events(State(server): State<Server>, headers: HeaderMap) -> Response {
    if !is_same_origin(&headers) {
        return (StatusCode::FORBIDDEN, "only pages of this site can subscribe to its changes\n").into_response();
    }
    let messages = WatchStream::new(server.editions).map(move |edition| {
        let message = Message { boot: &server.boot, version: edition.version, building: edition.building, report: &edition.report };
        Ok::<_, Infallible>(Event::default().data(serde_json::to_string(&message).unwrap_or_default()))
    });
    Sse::new(messages).keep_alive(KeepAlive::default()).into_response()
}

/// Whether a request comes from a page of this server, or not from a page.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let host = text_of(headers, header::HOST).unwrap_or_default();
    let origin =
        headers.get(header::ORIGIN).is_none_or(|origin| origin.to_str().is_ok_and(|origin| origin.strip_prefix("http://") == Some(host)));
    let site = headers.get("sec-fetch-site").is_none_or(|site| site == "same-origin" || site == "none");
    origin && site
}

/// A file of the site.
async fn file(State(mut server): State<Server>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")], "this server only supports GET and HEAD\n")
            .into_response();
    }
    // During the first build, the browser waits.
    let Ok(edition) = server.editions.wait_for(|edition| !edition.building).await.map(|edition| edition.clone()) else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    // Rendering blocks the thread, so other requests continue on other threads.
    let answer = tokio::task::spawn_blocking(move || answer(&edition, &request)).await;
    answer.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

fn answer(edition: &Edition, request: &Request) -> Response {
    // A browser that opens a page accepts HTML. Any other client gets the same bytes as from `build`.
    let is_opened = text_of(request.headers(), header::ACCEPT).is_some_and(|accept| accept.contains("text/html"));
    if edition.renderer.is_none() {
        let text = edition.report.findings.iter().map(|found| found.text.as_str()).collect::<Vec<_>>().join("\n\n");
        // With JavaScript, the report is displayed over the page.
        let body =
            format!("<p>Fix the reported errors, and this page shows the site.</p>\n<noscript><pre>{}</pre></noscript>", escape(&text));
        return failure(StatusCode::SERVICE_UNAVAILABLE, "No site yet", &body);
    }
    let address = crate::url::decode(request.uri().path());
    let base = edition.base();
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    let Some(inner) = address.strip_prefix(base) else {
        let is_above = address == "/" || format!("{address}/") == base;
        return if is_above { redirect(&format!("{}{query}", crate::url::encode_path(base))) } else { not_found(edition, is_opened) };
    };
    let path = if inner.is_empty() || inner.ends_with('/') { format!("{inner}index.html") } else { inner.to_owned() };
    match edition.file(&path) {
        Some(Ok(bytes)) => found(StatusCode::OK, &path, &bytes, request.headers(), is_opened),
        Some(Err(broken)) => failure(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Error in the template of this page",
            &format!("<pre>{}</pre>", escape(&broken.message)),
        ),
        None if !inner.ends_with('/') && edition.file(&format!("{inner}/index.html")).is_some() => {
            redirect(&format!("{}/{query}", request.uri().path()))
        }
        None => not_found(edition, is_opened),
    }
}

/// A temporary redirect, which browsers don't cache, because the address without the slash can get another meaning.
fn redirect(to: &str) -> Response {
    // Two leading slashes would refer to another host.
    let to = format!("/{}", to.trim_start_matches('/'));
    (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, to)]).into_response()
}

fn not_found(edition: &Edition, is_opened: bool) -> Response {
    match edition.file("404.html") {
        Some(Ok(bytes)) => found(StatusCode::NOT_FOUND, "404.html", &bytes, &HeaderMap::new(), is_opened),
        _ => (StatusCode::NOT_FOUND, "page not found\n").into_response(),
    }
}

fn found(status: StatusCode, path: &str, bytes: &Arc<[u8]>, headers: &HeaderMap, is_opened: bool) -> Response {
    let media_type = media_type(path);
    let body: Vec<u8> = if is_opened && media_type.starts_with("text/html") { with_client(bytes) } else { bytes.to_vec() };
    let is_compressed = body.len() >= LEAST_COMPRESSED && is_text(&media_type) && accepts_gzip(headers);
    // Each encoding has its own tag (RFC 9110, section 8.8.3.3).
    let tag = format!("\"{}{}\"", &blake3::hash(&body).to_hex()[..20], if is_compressed { "-gzip" } else { "" });
    let known = status == StatusCode::OK && text_of(headers, header::IF_NONE_MATCH).is_some_and(|tags| matches_weakly(tags, &tag));
    let headers = [(header::CONTENT_TYPE, media_type), (header::ETAG, tag), (header::VARY, "accept, accept-encoding".to_owned())];
    match (known, is_compressed) {
        (true, _) => (StatusCode::NOT_MODIFIED, headers).into_response(),
        (false, true) => (status, headers, [(header::CONTENT_ENCODING, "gzip")], Body::from(compressed(&body))).into_response(),
        (false, false) => (status, headers, Body::from(body)).into_response(),
    }
}

/// The size in bytes from which a file is compressed: what fits into one packet does not arrive earlier.
const LEAST_COMPRESSED: usize = 1_400;

/// The bytes with gzip, at the fastest level: the server compresses for each request.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::read::GzEncoder::new(bytes, flate2::Compression::fast());
    let mut out = Vec::with_capacity(bytes.len() / 3);
    // Reading from memory does not fail.
    let _ = encoder.read_to_end(&mut out);
    out
}

/// Whether a client accepts gzip (RFC 9110, section 12.5.3).
fn accepts_gzip(headers: &HeaderMap) -> bool {
    text_of(headers, header::ACCEPT_ENCODING).unwrap_or_default().split(',').any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_none_or(|weight| weight > 0.0)
    })
}

/// Whether a list of entity tags contains `tag`, or any tag (`*`); strong and weak tags are equal (RFC 9110, section 13.1.2).
fn matches_weakly(tags: &str, tag: &str) -> bool {
    tags.split(',').map(str::trim).any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

/// The media type by the extension of the file, with UTF-8 for text.
fn media_type(path: &str) -> String {
    let guess = mime_guess::from_path(path).first_or_octet_stream();
    let essence = guess.essence_str();
    if is_text(essence) { format!("{essence}; charset=utf-8") } else { essence.to_owned() }
}

/// Whether files of a media type are text.
fn is_text(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default();
    essence.starts_with("text/") || matches!(essence, "application/javascript" | "application/json" | "application/xml" | "image/svg+xml")
}

/// Inserts the script that updates the page at the beginning of its head. A content security policy that forbids connections is relaxed to the same origin.
fn with_client(bytes: &[u8]) -> Vec<u8> {
    const HEAD: &[u8] = b"<head>";
    const FORBIDDEN: &[u8] = b"connect-src 'none'";
    const ALLOWED: &[u8] = b"connect-src 'self'";
    let find = |bytes: &[u8], wanted: &[u8]| bytes.windows(wanted.len()).position(|window| window == wanted);
    let at = find(bytes, HEAD).map_or(0, |at| at + HEAD.len());
    let (before, after) = bytes.split_at(at);
    let head = find(after, b"</head>").unwrap_or(0);
    let policy = find(&after[..head], FORBIDDEN);
    let rest = policy.map_or_else(|| after.to_vec(), |at| [&after[..at], ALLOWED, &after[at + FORBIDDEN.len()..]].concat());
    [before, CLIENT.as_bytes(), &rest].concat()
}

/// A page that shows an error, and reloads when the site is available.
fn failure(status: StatusCode, title: &str, body: &str) -> Response {
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>{CLIENT}\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<link rel=\"stylesheet\" href=\"/.live/page.css\">\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    );
    (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response()
}
