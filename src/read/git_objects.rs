//! Parses what git prints about its objects.

/// A file at a commit.
pub(super) struct Object {
    /// Its path.
    pub(super) name: String,
    /// The object id of its content.
    pub(super) hash: String,
}

/// The regular files in the answer of `git ls-tree -z`; links and submodules are left out.
pub(super) fn listed(answer: &[u8]) -> Vec<Object> {
    String::from_utf8_lossy(answer).split('\0').filter_map(object).collect()
}

/// Parses `100644 blob HASH\tPATH`.
fn object(entry: &str) -> Option<Object> {
    let (about, name) = entry.split_once('\t')?;
    let mut about = about.split(' ');
    let (mode, hash) = (about.next()?, about.nth(1)?);
    mode.starts_with("100").then(|| Object { name: name.to_owned(), hash: hash.to_owned() })
}

/// The contents in the answer of `git cat-file --batch`, one for each line of its input; `None` for what does not exist or is not a file.
pub(super) fn contents(answer: &[u8]) -> Vec<Option<&[u8]>> {
    let mut rest = answer;
    let mut contents = Vec::new();
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let header = String::from_utf8_lossy(&rest[..end]);
        rest = &rest[end + 1..];
        // `HASH blob SIZE`, then `SIZE` bytes and a line feed; else `INPUT missing`, where the input can have spaces.
        let is_absent = header.ends_with(" missing") || header.ends_with(" ambiguous");
        let mut about = header.split(' ').skip(1);
        let (kind, size) = (about.next(), about.next().and_then(|size| size.parse::<usize>().ok()));
        match size {
            Some(size) if !is_absent => {
                let Some(bytes) = rest.get(..size) else { break };
                contents.push(Some(bytes).filter(|_| kind == Some("blob")));
                rest = rest.get(size + 1..).unwrap_or_default();
            }
            _ => contents.push(None),
        }
    }
    contents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_has_contents_of_files_and_gaps() {
        let answer = b"11 blob 4\na\nb\n\nv1:no such file missing\n22 tree 3\nxyz\n33 blob 0\n\n";
        assert_eq!(contents(answer), [Some(b"a\nb\n".as_slice()), None, None, Some(b"")]);
        assert!(contents(b"11 blob 9\ncut off").is_empty(), "an answer that is cut off ends before the file");
    }

    #[test]
    fn links_and_submodules_are_not_listed() {
        let answer = b"100644 blob 11\ta b.txt\x00120000 blob 22\tlink\x00160000 commit 33\tmodule\x00100755 blob 44\tc\x00";
        let files: Vec<_> = listed(answer).into_iter().map(|object| (object.name, object.hash)).collect();
        assert_eq!(files, [("a b.txt".to_owned(), "11".to_owned()), ("c".to_owned(), "44".to_owned())]);
    }
}
