//! Repositories are not trusted: a build must not run their programs, publish files from elsewhere or write outside of them.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use crate::support::Folder;

/// Runs git with an identity, and returns its output.
fn git(folder: &Path, arguments: &[&str], input: &str) -> String {
    use std::io::Write as _;
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
    let mut command = Command::new("git");
    let command = command.arg("-C").arg(folder).args(identity).args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "git {arguments:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Creates a repository whose settings run `program` to verify the signature of a commit, to find changed files, and to fetch a missing object.
#[cfg(unix)]
fn hostile(repository: &Path, program: &Path) {
    let program = program.to_str().unwrap();
    git(repository.parent().unwrap(), &["init", "--quiet", "--bare", repository.to_str().unwrap()], "");
    let blob = git(repository, &["hash-object", "-w", "--stdin"], "text");
    let tree = git(repository, &["mktree"], &format!("100644 blob {blob}\tbook.toml\n"));
    let person = "a <a@example.org> 1700000000 +0000";
    let signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----";
    let signed = format!("tree {tree}\nauthor {person}\ncommitter {person}\n{signature}\n\nSigned.\n");
    let parent = git(repository, &["hash-object", "-t", "commit", "-w", "--stdin"], &signed);
    // This tree does not exist.
    let missing = format!("tree {}\nparent {parent}\nauthor {person}\ncommitter {person}\n{signature}\n\nMissing.\n", "1".repeat(40));
    let commit = git(repository, &["hash-object", "-t", "commit", "-w", "--stdin"], &missing);
    for (branch, commit) in [("main", &parent), ("partial", &commit)] {
        fs::create_dir_all(repository.join("refs/heads")).unwrap();
        fs::write(repository.join("refs/heads").join(branch), format!("{commit}\n")).unwrap();
    }
    fs::write(repository.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    let settings = [
        ("log.showSignature", "true"),
        ("gpg.program", program),
        ("core.fsmonitor", program),
        ("core.sshCommand", program),
        ("core.pager", program),
        ("diff.external", program),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", "ssh://example.org/x"),
        ("remote.origin.promisor", "true"),
        ("core.repositoryFormatVersion", "1"),
    ];
    for (key, value) in settings {
        git(repository, &["config", key, value], "");
    }
}

#[cfg(unix)]
#[test]
fn a_repository_in_the_folder_runs_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    // The files of a bare repository can be committed; a `.git` folder can be part of an archive.
    for (name, is_bare, branch) in
        [("bare", true, "main"), ("bare-partial", true, "partial"), ("dot-git", false, "main"), ("dot-git-partial", false, "partial")]
    {
        let folder = Folder::with_base(&format!("hostile-{name}"));
        let (program, mark) = (folder.path("evil"), folder.path("mark"));
        fs::write(&program, format!("#!/bin/sh\ntouch '{}'\nexit 1\n", mark.display())).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let repository = folder.path(".git");
        hostile(&repository, &program);
        fs::write(repository.join("HEAD"), format!("ref: refs/heads/{branch}\n")).unwrap();
        git(&repository, &["config", "core.bare", if is_bare { "true" } else { "false" }], "");
        if is_bare {
            for entry in fs::read_dir(&repository).unwrap() {
                let entry = entry.unwrap();
                fs::rename(entry.path(), folder.path(entry.file_name().to_str().unwrap())).unwrap();
            }
            fs::remove_dir(&repository).unwrap();
        }
        let _ = fs::remove_file(&mark);
        // git itself runs the program, which creates the mark.
        let _ = Command::new("git").arg("-C").arg(&folder.0).args(["log", "--name-only", "--", "."]).stdin(Stdio::null()).output().unwrap();
        assert!(fs::remove_file(&mark).is_ok(), "{name}: the repository is hostile");
        for arguments in [&["build"][..], &["diff", "main"], &["diff", "partial..main"], &["check"]] {
            let output = Command::new(env!("CARGO_BIN_EXE_ksys-docs")).args(arguments).current_dir(&folder.0).output().unwrap();
            assert!(!mark.exists(), "{name}: {arguments:?} ran a program: {}", String::from_utf8_lossy(&output.stderr));
        }
        assert!(folder.path("book/index.html").exists(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_settings_lead_no_build_out_of_the_folder() {
    let elsewhere = Folder::new("elsewhere");
    fs::write(elsewhere.path("theirs"), "theirs").unwrap();
    let build = |folder: &Folder| {
        let output = Command::new(env!("CARGO_BIN_EXE_ksys-docs")).arg("build").current_dir(&folder.0).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let book = |folder: &Folder, dir: &str| {
        let text = fs::read_to_string(folder.path("book.toml")).unwrap();
        fs::write(folder.path("book.toml"), format!("{text}\n[build]\nbuild-dir = \"{dir}\"\n")).unwrap();
    };
    let name = elsewhere.0.file_name().unwrap().to_str().unwrap();
    for dir in [elsewhere.0.to_str().unwrap(), &format!("../{name}"), &format!("site/../../{name}/new"), "link/site"] {
        let folder = Folder::with_base("leads-out");
        std::os::unix::fs::symlink(&elsewhere.0, folder.path("link")).unwrap();
        book(&folder, dir);
        let (code, said) = build(&folder);
        assert!(code.is_some_and(|code| code > 0) && said.contains("build-dir"), "{dir}: {said}");
    }
    // Files outside of the folder are not published.
    let secret = elsewhere.path("theirs");
    for (setting, link) in [
        (format!("[book]\nsrc = \"../{name}\"\n"), None),
        (format!("[book]\nsrc = \"{}\"\n", elsewhere.0.display()), None),
        (format!("[output.html]\nadditional-css = [\"../{name}/theirs\"]\n"), None),
        (format!("[output.html]\nadditional-js = [\"{}\"]\n", secret.display()), None),
        ("[output.html]\nadditional-js = [\"link.js\"]\n".to_owned(), Some("link.js")),
        (String::new(), Some("static/link.css")),
        (String::new(), Some("templates/link.html")),
        (String::new(), Some("content/guide/link.txt")),
    ] {
        let folder = Folder::with_base("published");
        folder.write("book.toml", format!("{setting}\n[languages.ja]\n").as_bytes());
        if let Some(link) = link {
            fs::create_dir_all(folder.path(link).parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(&secret, folder.path(link)).unwrap();
        }
        let (code, said) = build(&folder);
        assert!(code.is_some_and(|code| code > 0), "{setting} {link:?}: {said}");
        assert!(!said.contains("theirs\n") && !folder.path("book").exists(), "{said}");
    }
    let folder = Folder::with_base("linked-book");
    fs::remove_file(folder.path("book.toml")).unwrap();
    std::os::unix::fs::symlink(&secret, folder.path("book.toml")).unwrap();
    let (code, said) = build(&folder);
    assert!(code == Some(1) && said.contains("symlink-outside"), "{said}");
    // Symbolic links with the names of internal files, and a manifest with paths outside of the folder.
    let folder = Folder::with_base("links");
    assert_eq!(build(&folder).0, Some(0));
    folder.write("content/guide/cleaning/en.md", b"# Cleaning\n\nOther words.\n");
    std::os::unix::fs::symlink(elsewhere.path("theirs"), folder.path(".book.lock")).unwrap();
    assert_eq!(build(&folder).0, Some(2));
    fs::remove_file(folder.path(".book.lock")).unwrap();
    let manifest = fs::read_to_string(folder.path("book/manifest.json")).unwrap();
    for path in [elsewhere.path("theirs").to_str().unwrap(), &format!("../../{name}/theirs"), "./../x"] {
        let entry = format!("\"files\": {{\n    \"{path}\": \"00\",");
        fs::write(folder.path("book/manifest.json"), manifest.replace("\"files\": {", &entry)).unwrap();
        let (code, said) = build(&folder);
        assert!(code == Some(2) && said.contains("did not write"), "{path}: {said}");
    }
    assert_eq!(fs::read_to_string(elsewhere.path("theirs")).unwrap(), "theirs");
    assert_eq!(fs::read_dir(&elsewhere.0).unwrap().count(), 1);
}

#[test]
fn without_git_no_page_shows_when_it_changed() {
    let folder = Folder::with_base("no-git");
    git(&folder.0, &["init", "--quiet"], "");
    git(&folder.0, &["add", "."], "");
    git(&folder.0, &["commit", "--quiet", "--message", "All"], "");
    for (arguments, has_feed) in [(&["build"][..], true), (&["build", "--no-git"], false)] {
        let output = Command::new(env!("CARGO_BIN_EXE_ksys-docs")).args(arguments).current_dir(&folder.0).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(folder.path("book/atom.xml").exists(), has_feed, "{arguments:?}");
    }
}

#[test]
fn templates_that_do_not_end_are_ended() {
    let loops = "{% for a in range(end=100000) %}{% for b in range(end=100000) %}{% endfor %}{% endfor %}";
    let grows = "{% set s = 'xxxxxxxxxxxxxxxx' %}{% for a in range(end=60) %}{% set_global s = s ~ s %}{% endfor %}";
    for (template, limit, said) in
        [(loops, ["--page-timeout", "1"], "takes more than 1 s"), (grows, ["--max-memory", "500"], "more than 500 MiB")]
    {
        let folder = Folder::with_base("endless-template");
        folder.write("templates/page.html", template.as_bytes());
        for command in ["build", "check"] {
            let output = Command::new(env!("CARGO_BIN_EXE_ksys-docs")).arg(command).args(limit).current_dir(&folder.0).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{stderr}");
            assert!(stderr.contains(said) && stderr.contains("`page.html`") && stderr.contains("help: "), "{stderr}");
        }
        assert!(!folder.path("book").exists());
    }
}

#[test]
fn active_files_next_to_pages_are_not_published() {
    let folder = Folder::with_base("active");
    let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script><rect width=\"3\"/></svg>";
    folder.write("content/guide/x.svg", picture.as_bytes());
    folder.write("content/guide/x.html", b"<script>alert(1)</script>");
    folder.write("content/guide/x.js", b"alert(1)");
    folder.write("content/guide/x.txt", b"<script>alert(1)</script>");
    let build = || Command::new(env!("CARGO_BIN_EXE_ksys-docs")).arg("build").current_dir(&folder.0).output().unwrap();
    let output = build();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(stderr.matches("warning[active-asset]").count(), 3, "{stderr}");
    assert_eq!(fs::read_to_string(folder.path("book/guide/x.svg")).unwrap(), picture.replace("<script>alert(1)</script>", ""));
    assert!(!folder.path("book/guide/x.html").exists() && !folder.path("book/guide/x.js").exists());
    assert!(folder.path("book/guide/x.txt").exists());
    // With `allow-html`, everything is published.
    let book = fs::read_to_string(folder.path("book.toml")).unwrap();
    fs::write(folder.path("book.toml"), format!("{book}\n[output.html]\nallow-html = true\n")).unwrap();
    assert!(build().status.success() && folder.path("book/guide/x.html").exists());
    assert_eq!(fs::read_to_string(folder.path("book/guide/x.svg")).unwrap(), picture);
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_never_end_are_not_read() {
    use std::os::unix::fs::symlink;
    for name in ["book.toml", "content/vocabulary.yaml", "content/guide/cleaning/en.md", "templates/strings/en.yaml", "content/x.png"] {
        let folder = Folder::with_base("endless-file");
        let path = folder.path(name);
        let _ = fs::remove_file(&path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink("/dev/zero", &path).unwrap();
        for arguments in [&["build"][..], &["check"], &["explain", "-"], &["new", "component", "x"], &["schema", "--write"]] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_ksys-docs"));
            let child = command.args(arguments).current_dir(&folder.0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            let output = child.spawn().unwrap().wait_with_output().unwrap();
            assert!(output.status.code().is_some_and(|code| code <= 2), "{name}, {arguments:?}");
        }
    }
}
