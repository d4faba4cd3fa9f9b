//! A client for tests of `ksys-docs serve`: the process, and raw HTTP requests to it.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    clippy::disallowed_methods,
    missing_docs,
    reason = "tests and benchmarks share it"
)]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// The timeout for every step, generous for a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server process that is killed on drop.
pub(crate) struct Server {
    pub(crate) child: Child,
    /// `127.0.0.1:12345`
    pub(crate) address: String,
    /// The output to standard error so far.
    pub(crate) printed: Arc<Mutex<String>>,
}

impl Server {
    /// Serves a folder at a free port and waits until the server prints its address, after the first build.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ksys-docs"));
        command
            .arg("serve")
            .arg(folder)
            .args(["-p", "0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let printed = Arc::new(Mutex::new(String::new()));
        let keep = Arc::clone(&printed);
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            while let Some(Ok(line)) = lines.next() {
                if let Some(rest) = line.split("http://").nth(1) {
                    let _ = sender.send(rest.split('/').next().unwrap_or_default().to_owned());
                }
                let mut keep = keep.lock().unwrap();
                keep.push_str(&line);
                keep.push('\n');
            }
        });
        let Ok(address) = receiver.recv_timeout(PATIENCE * 3) else { panic!("no address in:\n{}", printed.lock().unwrap()) };
        Self { child, address, printed }
    }

    pub(crate) fn printed(&self) -> String {
        self.printed.lock().unwrap().clone()
    }

    /// The response to a `GET` request without an `Accept` header.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[("host", &self.address)])
    }

    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut request = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        for (name, value) in headers {
            request.extend([name, ": ", value, "\r\n"]);
        }
        request.push_str("\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        Answer::parse(&bytes)
    }

    /// Requests a page until the response meets a condition.
    #[track_caller]
    pub(crate) fn until(&self, path: &str, mut holds: impl FnMut(&Answer) -> bool) -> Answer {
        let started = Instant::now();
        loop {
            let answer = self.get(path);
            if holds(&answer) {
                return answer;
            }
            assert!(started.elapsed() < PATIENCE, "{path} stays {}:\n{}\nprinted:\n{}", answer.status, answer.text(), self.printed());
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits until the output contains a text.
    #[track_caller]
    pub(crate) fn until_printed(&self, text: &str) -> String {
        let started = Instant::now();
        loop {
            let printed = self.printed();
            if printed.contains(text) {
                return printed;
            }
            assert!(started.elapsed() < PATIENCE, "`{text}` is not in:\n{printed}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The stream of live-reload events.
    pub(crate) fn events(&self) -> Events {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET /.live/events HTTP/1.1\r\nhost: {}\r\n\r\n", self.address).unwrap();
        Events { lines: BufReader::new(stream) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.to_lowercase(), value.to_owned()));
        Self { status, headers: headers.collect(), body: bytes[end + 4..].to_vec() }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

pub(crate) struct Events {
    lines: BufReader<TcpStream>,
}

impl Iterator for Events {
    type Item = serde_json::Value;

    fn next(&mut self) -> Option<Self::Item> {
        let started = Instant::now();
        loop {
            let mut line = String::new();
            // The server sends keep-alive comments, so reading never times out.
            if self.lines.read_line(&mut line).ok()? == 0 || started.elapsed() > PATIENCE {
                return None;
            }
            if let Some(data) = line.trim_end().strip_prefix("data: ") {
                return serde_json::from_str(data).ok();
            }
        }
    }
}
