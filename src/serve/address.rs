//! The addresses of the server, and the host names in requests that it accepts.
#![allow(clippy::disallowed_methods, reason = "the server opens sockets")]

use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs, UdpSocket},
};

/// The reason why the server can't listen. Each message suggests a command-line option.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// The host name has no address.
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
    /// The operating system reports another error.
    #[error("cannot listen at {0}")]
    Io(SocketAddr, #[source] io::Error),
}

/// The number of ports that are tried to find a free one.
const PORTS_TRIED: u16 = 200;

/// Listens on a host and a port; port 0 selects a free port.
///
/// # Errors
/// If the address can't be used. No other address is tried, so that the user doesn't read another site by mistake.
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

/// The addresses at which a browser reaches the server, with the one on this machine first.
#[must_use]
pub fn reachable_at(listening: SocketAddr) -> Vec<SocketAddr> {
    if !listening.ip().is_unspecified() {
        return vec![listening];
    }
    let mut all = vec![SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), listening.port())];
    // The local address for outgoing connections. No packet is sent (192.0.2.0/24 is reserved for examples, RFC 5737).
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

/// The host names for which the server accepts requests.
///
/// A page of another site can make its own name resolve to this machine (DNS rebinding), and would then have the same origin as the server. Such a request has
/// the foreign name in `Host`. IP addresses can't be redirected in this way.
#[derive(Clone, Debug)]
pub struct Allowed {
    listening: IpAddr,
    /// The host name on the command line, in lower case.
    host: String,
}

impl Allowed {
    /// The accepted host names of a server that was started with a host name and listens at an address.
    #[must_use]
    pub fn new(host: &str, listening: SocketAddr) -> Self {
        Self { listening: listening.ip(), host: host.trim_matches(['[', ']']).to_ascii_lowercase() }
    }

    /// Whether a `Host` header names this server. The port is ignored, because forwarded ports have another number.
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
