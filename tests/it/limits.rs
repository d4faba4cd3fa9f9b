//! The costs of hostile or unusual input, and its effects on a terminal.

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Output, Stdio},
};

use crate::support::{Folder, anywhere};

fn run(folder: &Path, arguments: &[&str], input: &str) -> Output {
    fed(Command::new(env!("CARGO_BIN_EXE_ksys-docs")).args(arguments).current_dir(folder), input)
}

fn fed(command: &mut Command, input: &str) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A program that does not read its input closes the pipe.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A list of Pods as `kubectl get pods -o json | jq -c` prints it: 4 KB for each.
fn pods_in_one_line(pods: usize) -> String {
    let mut json = String::from("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    for pod in 0..pods {
        let comma = if pod > 0 { "," } else { "" };
        let name = format!(
            "\"metadata\":{{\"name\":\"web-{pod}-x8k2p\",\"namespace\":\"shop\",\"annotations\":{{\"a\":\"{}\"}}}}",
            "x".repeat(3_800)
        );
        let _ = write!(json, "{comma}{{\"apiVersion\":\"v1\",\"kind\":\"Pod\",{name},\"spec\":{{\"containers\":[{{\"name\":\"c\"}}]}}}}");
    }
    json + "]}\n"
}

/// Every row refers to its line; a copy of an 8 MB line for each of 2,000 rows would be 16 GB.
#[cfg(target_os = "linux")]
#[test]
fn thousands_of_rows_in_one_line_need_little_memory() {
    let folder = Folder::new("one-line");
    folder.write("pods.json", pods_in_one_line(2_000).as_bytes());
    folder.write("one.json", pods_in_one_line(1).as_bytes());
    for (arguments, expected) in [
        ("--format text pods.json", "0 of 2000 objects"),
        ("--format markdown pods.json", "0 of 2000 objects"),
        ("--format json pods.json", "web-1999-x8k2p"),
        ("--before one.json --after pods.json", "+ pod web-1999 (shop)"),
    ] {
        let limited = format!("ulimit -v 1000000 && exec \"$0\" explain {arguments}");
        let program = env!("CARGO_BIN_EXE_ksys-docs");
        let mut command = Command::new("sh");
        let command = command.args(["-c", &limited, program]).current_dir(&folder.0).env("RAYON_NUM_THREADS", "2");
        let output = fed(command, "");
        let (printed, said) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{arguments}: {said}");
        assert!(printed.contains(expected), "{arguments}: {}", &printed[..printed.floor_char_boundary(2_000)]);
        assert!(printed.len() < 2_000_000, "{arguments}: {} bytes", printed.len());
        assert!(printed.lines().all(|line| arguments.contains("json pods") || line.len() < 1_000), "{arguments}: a long line");
    }
}

/// 100,000 findings in two files, half of them in one line.
#[test]
fn a_report_of_many_findings_is_short_in_every_format() {
    let folder = Folder::with_base("many-findings");
    let book = fs::read_to_string(folder.path("book.toml")).unwrap();
    let keys = (0..50_000).map(|key| format!("key-{key} = 1\n")).collect::<Vec<_>>().concat();
    folder.write("book.toml", format!("{keys}{book}").as_bytes());
    folder.write("content/guide/cleaning/en.md", format!("# Cleaning\n\n{}\n", "TODO: this ".repeat(50_000)).as_bytes());
    for format in ["human", "json", "github", "sarif"] {
        let output = run(&folder.0, &["check", "--format", format], "");
        let (printed, said) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{format}: {said}");
        let report = if format == "human" { &said } else { &printed };
        assert!(report.len() < 1_000_000, "{format}: {} bytes", report.len());
        assert_eq!(report.matches("49,900 more findings of this rule in this file").count(), 2, "{format}");
        match format {
            "human" => {
                assert!(report.contains("warning[unfinished]: 50000 places aren't written yet\n"), "{format}");
                assert!(report.contains("\n50000 errors, 50000 warnings\n"), "{format}");
                assert_eq!(report.matches("error[unknown-field]").count(), 101, "{format}");
            }
            "github" => assert_eq!(report.lines().count(), 202, "{format}"),
            "json" => {
                let json: serde_json::Value = serde_json::from_str(report).unwrap();
                assert_eq!((json["errors"].as_u64(), json["warnings"].as_u64()), (Some(50_000), Some(50_000)));
                let found = json["diagnostics"].as_array().unwrap();
                assert_eq!((found.len(), found.iter().map(|found| found["count"].as_u64().unwrap()).sum::<u64>()), (202, 100_000));
                let last = found.iter().rfind(|found| found["rule"] == "unfinished").unwrap();
                assert_eq!(
                    (last["count"].as_u64(), last["place"]["line"].as_u64(), last["place"]["column"].as_u64()),
                    (Some(49_900), Some(3), Some(1_101))
                );
            }
            _ => {
                let json: serde_json::Value = serde_json::from_str(report).unwrap();
                assert_eq!(json["runs"][0]["results"].as_array().unwrap().len(), 202, "{format}");
            }
        }
    }
}

/// Control sequences that make a terminal clear the screen, show a link, set the clipboard, overwrite a line, beep, or reverse text.
#[cfg(unix)]
const EVIL: &str = "a\u{1b}[2J\u{1b}]8;;http://e/\u{7}x\u{1b}]52;c;eA==\u{7}\rb\u{9b}2J\u{202e}c\u{2066}\u{200b}z";

#[cfg(unix)]
#[track_caller]
fn is_printable(output: &Output, what: &str) {
    for printed in [&output.stdout, &output.stderr] {
        let printed = String::from_utf8_lossy(printed);
        let is_evil =
            |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}');
        if let Some(at) = printed.find(is_evil) {
            let around = printed.floor_char_boundary(at.saturating_sub(200))..printed.floor_char_boundary(at + 100);
            panic!("{what}: {:?}", &printed[around]);
        }
    }
}

/// A knowledge base whose names and texts contain control sequences. Without `errors`, it can be built.
#[cfg(unix)]
fn evil_base(name: &str, errors: bool) -> Folder {
    let folder = Folder::with_base(name);
    let quoted = EVIL.replace('\u{1b}', "\\e").replace('\u{7}', "\\a").replace('\r', "\\r").replace('\u{9b}', "\\x9b");
    let edit = |path: &str, from: &str, to: &str| {
        let text = fs::read_to_string(folder.path(path)).unwrap();
        assert!(text.contains(from), "{path}: {from}");
        folder.write(path, text.replacen(from, to, 1).as_bytes());
    };
    let facts = "content/components/boiler/facts.yaml";
    edit(facts, "name: boiler", &format!("name: \"boiler {quoted}\""));
    edit(facts, "en: the factory", &format!("en: \"the factory {quoted}\""));
    edit("content/providers/acme/facts.yaml", "name: ACME", &format!("name: \"ACME {quoted}\""));
    edit("content/components/boiler/en.md", "summary: Makes water hot.", &format!("summary: \"Makes water hot. {quoted}\""));
    edit("content/guide/cleaning/en.md", "# Cleaning", &format!("# Cleaning {}", EVIL.replace('\r', "")));
    edit(
        "content/guide/cleaning/en.md",
        "Back to",
        &format!("TODO: {}\n\nTODO: {}\n\nBack to", EVIL.replace('\r', ""), EVIL.replace('\r', "")),
    );
    if errors {
        folder.write(&format!("content/guide/{EVIL}.png"), b"x");
        folder.write(&format!("content/guide/{EVIL}/en.md"), b"# Title\n\n[[nothing]]\n");
        edit(facts, "area: water", &format!("area: water\n\"{quoted}\": 1\n\"{quoted}\": 2"));
        edit(
            "book.toml",
            "[book]",
            &format!("[book]\n\"{}\" = 1", quoted.replace("\\e", "\\u001b").replace("\\a", "\\u0007").replace("\\x9b", "\\u009b")),
        );
        folder.write("content/guide/other/en.md", format!("# Other\n\n[[{EVIL}]] [x]({EVIL}) [y](#{EVIL})\n").as_bytes());
    }
    folder
}

#[cfg(unix)]
#[test]
fn nothing_that_is_printed_controls_the_terminal() {
    let fine = evil_base("evil", false);
    let faulty = evil_base("evil-errors", true);
    fine.write(
        "evil.txt",
        format!(
            "NAME READY STATUS RESTARTS AGE {EVIL}\nboiler-5d9dbcc6d8-2qlgw 1/1 Running{EVIL} 0 {EVIL}\npump-x-y 1/1 Running 0 {EVIL}\n"
        )
        .as_bytes(),
    );
    let evil_kind = EVIL.replace('\u{1b}', "\\u001b").replace('\r', "");
    fine.write("evil.json", format!("{{\"kind\":\"Pod\u{7}{evil_kind}\",\"metadata\":{{\"name\":\"own\"}}}}\n").as_bytes());
    fine.write("message.txt", format!("error: {EVIL}\n").as_bytes());
    let commands: &[&[&str]] = &[
        &["check"],
        &["check", "--format", "github"],
        &["build", "--no-git", "--timings"],
        &["stamp", "--all"],
        &["stamp", EVIL],
        &["diff"],
        &["diff", EVIL],
        &["links", "--cache", EVIL],
        &["explain", "evil.txt"],
        &["explain", "evil.txt", "--provider", "acme"],
        &["explain", "evil.txt", "--provider", EVIL],
        &["explain", "evil.txt", "--lang", EVIL],
        &["explain", "--format", "markdown", "evil.txt"],
        &["explain", "evil.json"],
        &["explain", "--format", "markdown", "evil.json"],
        &["explain", "message.txt"],
        &["explain", EVIL],
        &["explain", "--before", "evil.txt", "--after", "evil.json"],
        &["explain", "--format", "markdown", "--before", "evil.txt", "--after", "evil.json"],
        &["rule", EVIL],
        &["rule", "dead-link"],
        &["new", "concept", "tea"],
        &["init", EVIL],
        &["schema", "component"],
        &["schema", "--write"],
    ];
    for folder in [&fine, &faulty] {
        for command in commands {
            // Without curl in PATH, `links` sends no requests. The other commands need git in PATH.
            let mut program = Command::new(env!("CARGO_BIN_EXE_ksys-docs"));
            program.args(*command).current_dir(&folder.0);
            if command.first() == Some(&"links") {
                program.env("PATH", "");
            }
            let output = fed(&mut program, "");
            assert!(output.status.code().is_some_and(|code| code <= 2), "{command:?}");
            is_printable(&output, &format!("{command:?}"));
        }
    }
    // The findings are reported and legible.
    let said = text(&run(&faulty.0, &["check"], "").stderr);
    for part in ["unknown key `a␛[2J␛]8;;http://e/␇x␛]52;c;eA==␇␍b�2J�c��z`", "    3:1  a␛[2J", "a␛[2J␛]8;;http:"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    let explained = text(&run(&fine.0, &["explain", "evil.txt"], "").stdout);
    assert!(explained.contains("boiler a␛[2J") && explained.contains("boiler-5d9dbcc6d8-2qlgw"), "{explained}");
    // A path outside of any knowledge base.
    is_printable(&run(&anywhere(), &["check", &format!("/{EVIL}")], ""), "a folder that is not there");
}
