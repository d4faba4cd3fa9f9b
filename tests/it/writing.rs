//! Writing to the output folder: concurrent builds, folders that can't be exchanged atomically, foreign files.

use std::{
    collections::BTreeMap,
    fs,
    process::{Child, Command, Output, Stdio},
};

use crate::support::Folder;

type Tree = BTreeMap<String, Vec<u8>>;

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ksys-docs"));
    command.args(arguments).current_dir(&folder.0).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn build(folder: &Folder, arguments: &[&str]) -> String {
    let output = run(folder, &[&["build"], arguments].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    stderr(&output)
}

/// The site in the output folder, without foreign files.
fn site(folder: &Folder) -> Tree {
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(folder.path("book/manifest.json")).unwrap()).unwrap();
    let listed = manifest["files"].as_object().unwrap();
    folder.tree("book").into_iter().filter(|(path, _)| path == "manifest.json" || listed.contains_key(path)).collect()
}

fn edit(folder: &Folder, word: &str) {
    folder.write("content/guide/cleaning/en.md", format!("# Cleaning\n\n{word}.\n").as_bytes());
    folder.write(&format!("content/guide/{word}/en.md"), b"# One more\n\nText.\n");
}

/// After concurrent builds of two knowledge bases in any order, the output folder contains the complete site of one of them.
#[test]
fn concurrent_builds_end_in_the_site_of_one() {
    let out = Folder::new("shared-output");
    let target = out.path("site");
    let bases = ["one", "two"].map(|word| {
        let folder = Folder::with_base(&format!("concurrent-{word}"));
        edit(&folder, word);
        build(&folder, &[]);
        folder
    });
    let expected = bases.each_ref().map(|folder| folder.tree("book"));
    let arguments = ["build", "-d", target.to_str().unwrap()];
    let (mut busy, mut ends) = (0, [0, 0]);
    for round in 0..12 {
        let start = |number: usize| command(&bases[(number + round) % 2], &arguments).spawn().unwrap();
        let mut children: Vec<Child> = (0..4).map(start).collect();
        if round % 3 == 2 {
            children[0].kill().unwrap();
        }
        let results: Vec<Output> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
        for result in results.iter().filter(|result| !result.status.success()) {
            let said = stderr(result);
            assert!(result.status.code().is_none() || said.contains("another build is writing"), "{said}");
            busy += usize::from(result.status.code().is_some());
        }
        let now = out.tree("site");
        let end = expected.iter().position(|site| *site == now);
        ends[end.unwrap_or_else(|| panic!("round {round}: the folder is a mixture"))] += 1;
    }
    assert!(busy > 0, "no build ran at the same time as another: {ends:?}");
    let left: Vec<_> = fs::read_dir(&out.0).unwrap().map(|entry| entry.unwrap().file_name()).filter(|name| name != "site").collect();
    assert!(left.len() <= 1, "left behind: {left:?}");
}

#[test]
fn a_manifest_of_a_stranger_keeps_no_page() {
    let folder = Folder::with_base("fake");
    build(&folder, &[]);
    let expected = folder.tree("book");
    // The manifest matches the sources and the files, one of which was modified by an attacker.
    let page = String::from_utf8(expected["index.html"].clone()).unwrap().replace("</body>", "<script src=evil.js></script></body>");
    let manifest = String::from_utf8(expected["manifest.json"].clone()).unwrap();
    let hash = ksys_docs::site::hash;
    let fake = manifest.replace(&hash(&expected["index.html"]), &hash(page.as_bytes()));
    assert_ne!(fake, manifest);
    folder.write("book/index.html", page.as_bytes());
    folder.write("book/manifest.json", fake.as_bytes());
    assert!(run(&folder, &["verify", "book"]).status.success(), "the manifest fits");
    assert!(build(&folder, &[]).contains(" 1 written"));
    assert_eq!(folder.tree("book"), expected);
}

#[test]
fn damaged_files_of_a_site_are_named() {
    let folder = Folder::with_base("verify");
    build(&folder, &[]);
    folder.write("book/notes.txt", b"not a file of the site");
    let output = run(&folder, &["verify", "book"]);
    assert!(output.status.success() && stderr(&output).contains("files are as they were built"), "{}", stderr(&output));
    folder.write("book/index.html", b"other");
    fs::remove_file(folder.path("book/404.html")).unwrap();
    let output = run(&folder, &["verify", "book"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("`404.html` does not exist"), "{}", stderr(&output));
    assert!(stderr(&output).contains("`index.html` was changed after the build"), "{}", stderr(&output));
    assert!(stderr(&output).contains("\n2 of "), "{}", stderr(&output));
    let output = run(&folder, &["verify", "content"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn what_others_put_into_the_folder_is_kept() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    let folder = Folder::with_base("kept");
    edit(&folder, "one");
    build(&folder, &[]);
    let mode = |path: &str| fs::metadata(folder.path(path)).unwrap().permissions().mode() & 0o777;
    let set_mode = |path: &str, mode: u32| fs::set_permissions(folder.path(path), fs::Permissions::from_mode(mode)).unwrap();
    set_mode("book", 0o750);
    set_mode("book/guide", 0o710);
    set_mode("book/guide/cleaning/index.html", 0o640);
    let check_modes = || assert_eq!([mode("book"), mode("book/guide"), mode("book/guide/cleaning/index.html")], [0o750, 0o710, 0o640]);
    // Without foreign folders, the output folder is exchanged, and foreign files are carried over.
    folder.write("book/CNAME", b"example.org");
    let inode = |path: &str| fs::metadata(folder.path(path)).unwrap().ino();
    let before = inode("book");
    edit(&folder, "two");
    build(&folder, &[]);
    assert_ne!(inode("book"), before, "exchanged");
    check_modes();
    // With foreign folders, its files are replaced in place.
    folder.write("book/.git/HEAD", b"ref: refs/heads/main\n");
    fs::create_dir_all(folder.path("book/.git/refs/tags")).unwrap();
    symlink("HEAD", folder.path("book/.git/link")).unwrap();
    let before = inode("book");
    edit(&folder, "three");
    fs::remove_dir_all(folder.path("content/guide/one")).unwrap();
    build(&folder, &[]);
    assert_eq!(inode("book"), before, "replaced file by file");
    check_modes();
    assert!(folder.path("book/.git/refs/tags").is_dir() && folder.path("book/.git/link").is_symlink());
    assert!(!folder.path("book/guide/one").exists(), "empty folders are removed");
    build(&folder, &["-d", "reference"]);
    assert_eq!(site(&folder), folder.tree("reference"));
    assert_eq!(fs::read(folder.path("book/CNAME")).unwrap(), b"example.org");
    assert!(run(&folder, &["verify", "book"]).status.success());
    // A file replaces a folder, and a folder replaces a file.
    for (path, old) in [("content/guide/thing", "content/guide/thing"), ("content/guide/thing/deep.txt", "content/guide/thing")] {
        let _ = fs::remove_file(folder.path(old)).or_else(|_| fs::remove_dir_all(folder.path(old)));
        folder.write(path, b"thing");
        build(&folder, &[]);
        assert_eq!(fs::read(folder.path(&path.replacen("content", "book", 1))).unwrap(), b"thing");
    }
    let _ = fs::remove_dir_all(folder.path("content/guide/thing"));
    folder.write("content/guide/thing", b"thing");
    build(&folder, &[]);
    assert_eq!(inode("book"), before);
    let hidden: Vec<String> = folder.tree("book").into_keys().filter(|path| path.contains(".ksys-docs-")).collect();
    assert!(hidden.is_empty(), "left behind: {hidden:?}");
}

#[test]
fn a_build_that_was_killed_in_place_is_completed() {
    let folder = Folder::with_base("halfway");
    build(&folder, &[]);
    build(&folder, &["-d", "reference"]);
    let expected = folder.tree("reference");
    fs::create_dir_all(folder.path("book/.git")).unwrap();
    // The state after the marker and some of the files were written; the manifest lists all files.
    for missing in ["index.html", "api/index.html"] {
        fs::remove_file(folder.path(&format!("book/{missing}"))).unwrap();
    }
    fs::create_dir_all(folder.path("book/.ksys-docs-killed/api")).unwrap();
    folder.write("book/.ksys-docs-killed/api/index.html", b"half");
    assert_eq!(run(&folder, &["verify", "book"]).status.code(), Some(1));
    assert!(build(&folder, &[]).contains(" 2 written"));
    assert_eq!(folder.tree("book"), expected);
}

#[cfg(unix)]
#[test]
fn links_in_the_output_folder_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let elsewhere = Folder::new("linked-output");
    fs::create_dir_all(elsewhere.path("guide/cleaning")).unwrap();
    elsewhere.write("guide/cleaning/index.html", b"theirs");
    // An output folder with a foreign folder, which is updated in place, and one without.
    for has_folder in [true, false] {
        let folder = Folder::with_base("linked");
        build(&folder, &[]);
        if has_folder {
            fs::create_dir_all(folder.path("book/.git")).unwrap();
        }
        fs::remove_dir_all(folder.path("book/guide")).unwrap();
        symlink(elsewhere.path("guide"), folder.path("book/guide")).unwrap();
        let output = run(&folder, &["build"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("`guide`"), "{}", stderr(&output));
        // If the site no longer has the folder, the files in the target of the symbolic link are not removed.
        fs::remove_dir_all(folder.path("content/guide")).unwrap();
        build(&folder, &[]);
        assert!(folder.path("book/guide").is_symlink());
        assert_eq!(elsewhere.tree("guide").len(), 1);
        assert_eq!(fs::read(elsewhere.path("guide/cleaning/index.html")).unwrap(), b"theirs");
    }
    // An endless manifest.
    let folder = Folder::with_base("endless");
    fs::create_dir_all(folder.path("book")).unwrap();
    symlink("/dev/zero", folder.path("book/manifest.json")).unwrap();
    let output = run(&folder, &["build"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did not write"), "{}", stderr(&output));
}

#[test]
fn a_fresh_build_writes_every_file() {
    let folder = Folder::with_base("fresh");
    build(&folder, &[]);
    let before = folder.tree("book");
    assert!(build(&folder, &[]).contains(" 0 written"));
    assert!(build(&folder, &["--fresh", "--no-sync"]).contains(" 0 unchanged"));
    assert_eq!(folder.tree("book"), before);
}
