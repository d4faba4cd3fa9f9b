//! No manifest in an existing output folder makes a build write or delete files elsewhere, or delete foreign files.
//!
//! A text that begins with `{` is the manifest. In other texts, each line is a path in the manifest.
#![no_main]

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use ksys_docs::{
    site::{GENERATOR, MANIFEST, Manifest, Sink as _, hash},
    write::{self, Output, WriteOptions},
};
use libfuzzer_sys::fuzz_target;

/// The files that the next build writes.
const SITE: [(&str, &str); 3] = [("index.html", "new"), ("same.html", "same"), ("a/b.html", "new")];

/// Everything below a folder: a file with its content, a link with its target.
fn tree(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_symlink() {
                all.insert(path.clone(), format!("-> {}", fs::read_link(&path).unwrap().display()));
            } else if path.is_dir() {
                todo.push(path);
            } else {
                all.insert(path.clone(), fs::read_to_string(&path).unwrap());
            }
        }
    }
    all
}

fuzz_target!(|text: &str| {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = folder.path().join("elsewhere");
    let out = folder.path().join("out");
    fs::create_dir_all(elsewhere.join("inner")).unwrap();
    fs::write(elsewhere.join("secret"), "secret").unwrap();
    fs::write(elsewhere.join("inner/secret"), "secret").unwrap();
    fs::create_dir_all(out.join("a")).unwrap();
    for (path, content) in [("index.html", "old"), ("same.html", "same"), ("a/old.html", "old"), ("a/foreign", "foreign")] {
        fs::write(out.join(path), content).unwrap();
    }
    // With a foreign folder, files are replaced in place.
    if text.len() % 2 == 0 {
        fs::create_dir_all(out.join("of-others/empty")).unwrap();
    }
    symlink("../elsewhere", out.join("link")).unwrap();
    symlink("../elsewhere/secret", out.join("file-link")).unwrap();
    let manifest = if text.starts_with('{') {
        text.as_bytes().to_vec()
    } else {
        let files = text.lines().map(|line| (line.to_owned(), hash(b"old")));
        Manifest::of(files).to_json()
    };
    fs::write(out.join(MANIFEST), &manifest).unwrap();
    let before = tree(folder.path());
    let outside = || tree(&elsewhere);
    let outside_before = outside();

    let _ = write::verify(&out);
    let options = WriteOptions { fresh: text.len() % 3 == 0, sync: false };
    let result = Output::begin(&out, &[], options).and_then(|output| {
        SITE.iter().for_each(|(path, content)| output.file(path, content.as_bytes()));
        output.finish()
    });
    assert_eq!(outside(), outside_before);
    let after = tree(folder.path());
    match result {
        Err(_) => {
            let unlocked = |path: &PathBuf| !path.to_string_lossy().contains("lock");
            let kept: BTreeMap<_, _> = after.into_iter().filter(|(path, _)| unlocked(path)).collect();
            assert_eq!(kept, before, "a refused build has changed files");
        }
        Ok(_) => {
            for (path, content) in SITE {
                assert_eq!(fs::read_to_string(out.join(path)).unwrap(), content, "{path}");
            }
            let listed = serde_json::from_slice::<Manifest>(&manifest).ok().filter(|manifest| manifest.generator == GENERATOR);
            for path in before.keys().filter(|path| path.starts_with(&out)) {
                let name = path.strip_prefix(&out).unwrap().to_str().unwrap();
                let is_ours = name == MANIFEST || listed.as_ref().is_some_and(|manifest| manifest.files.contains_key(name));
                assert!(is_ours || after.get(path) == before.get(path), "`{name}` belongs to someone else and was changed");
            }
        }
    }
});
