//! The development server: compiles the site when a file is saved, and serves it from memory.
//!
//! ```text
//! disk ──▶ watch ──▶ update ──▶ hub ──▶ http ──▶ browser
//!          paths     Tree,      Edition          pages, events
//!                    Compiler
//! ```
//!
//! One thread compiles, so that editions are in order; requests render the files that they need from the edition that is current when they arrive.

mod address;
mod edition;
mod http;
mod update;
mod watch;

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

pub use address::{Allowed, BindError, bind, reachable_at};
pub use edition::{Edition, Finding, Report};
pub use update::{Event, Updater};

use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::sync::{Semaphore, watch as channel};

/// The time limit for receiving the headers of a request. It also applies to an idle connection between two requests.
const HEADER_TIMEOUT: Duration = Duration::from_secs(15);

/// The maximum number of simultaneous connections; further ones wait.
const MAX_CONNECTIONS: usize = 512;

/// The pause after the system failed to accept a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Serves editions until the process ends.
///
/// # Errors
/// If the listener cannot be used.
pub fn serve(listener: TcpListener, allowed: Allowed, editions: channel::Receiver<Arc<Edition>>) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(8).build()?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let routes = TowerToHyperService::new(http::routes(allowed, editions));
        let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        loop {
            let Ok(permit) = connections.clone().acquire_owned().await else { return Ok(()) };
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            };
            let routes = routes.clone();
            tokio::spawn(async move {
                let mut http = hyper::server::conn::http1::Builder::new();
                http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
                // A client that disconnects is not an error of the server.
                let _ = http.serve_connection(TokioIo::new(stream), routes).await;
                drop(permit);
            });
        }
    })
}

/// The address that users type.
#[must_use]
pub fn url(address: SocketAddr, base: &str) -> String {
    format!("http://{address}{base}")
}
