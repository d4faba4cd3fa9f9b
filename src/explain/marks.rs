//! Texts by which a provider is recognized or excluded.

/// The maximum length of a name in bytes.
const LONGEST_NAME: usize = 253;

/// The text of a mark in a text. A mark that begins with a space is the beginning of a word, or a whole name if it has `*`; after `*`, `#` is a hexadecimal digit
/// and `?` a letter or a digit. A word begins after white space, and in quotation marks, as in JSON and YAML.
pub(super) fn found_mark<'t>(text: &'t str, mark: &'t str) -> Option<&'t str> {
    let Some(word) = mark.strip_prefix(' ') else { return text.contains(mark).then_some(mark) };
    let (begins, ends) = word.split_once('*').map_or((word, None), |(begins, ends)| (begins, Some(ends)));
    let starts = text
        .match_indices(begins)
        .filter(|(at, _)| *at == 0 || text[..*at].ends_with(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')));
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
    let fits = |found: &&str| {
        let Some(ends) = ends else { return true };
        let Some(last) = found.len().checked_sub(ends.len()).filter(|at| *at > begins.len()).and_then(|at| found.get(at..)) else {
            return false;
        };
        last.bytes().zip(ends.bytes()).all(|(byte, sign)| match sign {
            b'#' => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
            b'?' => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
            other => byte == other,
        })
    };
    let name = |at: usize| {
        let name = &text[at..];
        &name[..name.find(|c| !is_part(c)).unwrap_or(name.len()).min(LONGEST_NAME)]
    };
    starts.map(|(at, _)| if ends.is_some() { name(at) } else { word }).find(fits)
}

#[cfg(test)]
mod tests {
    use super::found_mark;

    #[test]
    fn marks_in_every_form() {
        for (text, mark, expected) in [
            ("v1.30.0-gke.1", "-gke.", Some("-gke.")),
            ("node-1 Ready v1.18.9-eks-d1db3c", " v1.*-eks-######", Some("v1.18.9-eks-d1db3c")),
            ("v1.30.0-eks-036c24b", " v1.*-eks-#######", Some("v1.30.0-eks-036c24b")),
            ("{\"gitVersion\":\"v1.30.0-eks-036c24b\"}", " v1.*-eks-#######", Some("v1.30.0-eks-036c24b")),
            ("kubeletVersion: 'v1.30.0-eks-036c24b'", " v1.*-eks-#######", Some("v1.30.0-eks-036c24b")),
            ("kubectl --kubeconfig br-eksa-124-eks-a-cluster.kubeconfig get pods", " v1.*-eks-######", None),
            ("kubectl get pods v1.24-eks-a-cluster", " v1.*-eks-######", None),
            ("my-v1.30.0-eks-036c24b", " v1.*-eks-#######", None),
            ("", " v1.*-eks-#######", None),
        ] {
            assert_eq!(found_mark(text, mark), expected, "{text} {mark}");
        }
    }
}
