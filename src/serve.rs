//! The site while it is being written: compiled again as soon as a file is saved, and served from memory.
//!
//! ```text
//! disk ──▶ watch ──▶ update ──▶ hub ──▶ http ──▶ browser
//!          paths     Tree,      Edition          pages, events
//!                    Compiler
//! ```
//!
//! One thread updates, so editions follow one another in order; requests render what they need from the edition that is current when they arrive.

mod address;
mod edition;
mod http;
mod update;
mod watch;

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
};

pub use address::{Allowed, BindError, bind, reachable_at};
pub use edition::{Edition, Finding, Report};
pub use update::{Event, Updater};

use tokio::sync::watch as channel;

/// Serves editions until the process ends.
///
/// # Errors
/// If the listener cannot be used.
pub fn serve(listener: TcpListener, allowed: Allowed, editions: channel::Receiver<Arc<Edition>>) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(8).build()?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        axum::serve(listener, http::routes(allowed, editions)).await
    })
}

/// The address that people type.
#[must_use]
pub fn url(address: SocketAddr, base: &str) -> String {
    format!("http://{address}{base}")
}
