//! Where the server listens, and under which names it may be asked.
#![allow(clippy::disallowed_methods, reason = "the server opens sockets")]

use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs, UdpSocket},
};

/// Why the server cannot listen. Each says what to type next.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// The host has no address.
    #[error("`{0}` is not an address of this machine; try `-n 127.0.0.1`")]
    NoHost(String),
    /// The port is in use; `next` is the next free one.
    #[error("port {port} of {host} is already in use; port {next} is free: `-p {next}`")]
    Taken {
        /// The host.
        host: String,
        /// The port that is taken.
        port: u16,
        /// The next free one.
        next: u16,
    },
    /// The system refuses.
    #[error("cannot listen at {0}")]
    Io(SocketAddr, #[source] io::Error),
}

/// How many ports are tried when one is taken.
const PORTS_TRIED: u16 = 200;

/// Listens at a host and a port; port 0 is any that is free.
///
/// # Errors
/// If that cannot be done; nothing else is tried, so that no other site is read by mistake.
pub fn bind(host: &str, port: u16) -> Result<TcpListener, BindError> {
    let no_host = || BindError::NoHost(host.to_owned());
    let address = (host, port).to_socket_addrs().map_err(|_| no_host())?.next().ok_or_else(no_host)?;
    match TcpListener::bind(address) {
        Ok(listener) => Ok(listener),
        Err(source) if source.kind() == io::ErrorKind::AddrInUse => {
            let mut behind = (1..=PORTS_TRIED).map_while(|step| port.checked_add(step));
            let next = behind.find(|next| TcpListener::bind((address.ip(), *next)).is_ok());
            Err(next.map_or(BindError::Io(address, source), |next| BindError::Taken { host: host.to_owned(), port, next }))
        }
        Err(source) if source.kind() == io::ErrorKind::AddrNotAvailable => Err(no_host()),
        Err(source) => Err(BindError::Io(address, source)),
    }
}

/// Addresses at which a browser reaches what listens here: on this machine first.
#[must_use]
pub fn reachable_at(listening: SocketAddr) -> Vec<SocketAddr> {
    if !listening.ip().is_unspecified() {
        return vec![listening];
    }
    let mut all = vec![SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), listening.port())];
    // Which address would be used towards the outside; nothing is sent (192.0.2.0/24 is for examples, RFC 5737).
    let outside = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    });
    if let Ok(own) = outside.map(|own| own.ip())
        && !own.is_loopback()
        && !own.is_unspecified()
    {
        all.push(SocketAddr::new(own, listening.port()));
    }
    all
}

/// The names under which the server answers.
///
/// A page of another site can make its own name point to this machine (DNS rebinding), and would then be of the same origin as the server. Such a request carries
/// the foreign name in `Host`. Addresses written as numbers cannot be pointed elsewhere.
#[derive(Clone, Debug)]
pub struct Allowed {
    listening: IpAddr,
    /// The name that was given, in lower case.
    host: String,
}

impl Allowed {
    /// What may be asked of a server that was told to listen at a host and does so at an address.
    #[must_use]
    pub fn new(host: &str, listening: SocketAddr) -> Self {
        Self { listening: listening.ip(), host: host.trim_matches(['[', ']']).to_ascii_lowercase() }
    }

    /// Whether a `Host` header names this server; the port does not matter, because forwarded ports have another number.
    #[must_use]
    pub fn host(&self, header: &str) -> bool {
        let name = without_port(header).trim_end_matches('.').to_ascii_lowercase();
        if let Ok(address) = name.trim_matches(['[', ']']).parse::<IpAddr>() {
            let own = address == self.listening || (address.is_loopback() && self.listening.is_loopback());
            return own || self.listening.is_unspecified();
        }
        let local = self.listening.is_loopback() || self.listening.is_unspecified();
        name == self.host || (local && (name == "localhost" || name.ends_with(".localhost")))
    }
}

/// `[::1]:3000` is `[::1]`.
fn without_port(header: &str) -> &str {
    match header.rfind(':') {
        Some(colon) if !header.ends_with(']') && (!header[..colon].contains(':') || header[..colon].ends_with(']')) => &header[..colon],
        _ => header,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[track_caller]
    fn check(host: &str, listening: &str, yes: &[&str], no: &[&str]) {
        let allowed = Allowed::new(host, listening.parse().unwrap());
        for header in yes {
            assert!(allowed.host(header), "{header} at {listening}");
        }
        for header in no {
            assert!(!allowed.host(header), "{header} at {listening}");
        }
    }

    #[test]
    fn only_its_own_names() {
        let foreign =
            ["example.org", "example.org:3000", "127.0.0.1.example.org", "localhost.example.org", "", ":3000", "192.0.2.7:3000", "0.0.0.0"];
        let local = ["127.0.0.1", "127.0.0.1:3000", "localhost:3000", "LOCALHOST", "docs.localhost:80", "[::1]:3000", "localhost."];
        check("127.0.0.1", "127.0.0.1:3000", &local, &foreign);
        check("::1", "[::1]:3000", &local, &foreign);
        check(
            "box.example.org",
            "192.0.2.7:3000",
            &["box.example.org:3000", "192.0.2.7:3000"],
            &["localhost", "127.0.0.1", "192.0.2.8", "example.org"],
        );
        check("0.0.0.0", "0.0.0.0:3000", &["192.0.2.7:3000", "localhost", "[2001:db8::1]:3000"], &["example.org", "box"]);
    }
}
