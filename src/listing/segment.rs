//! The segments of a name pattern, and the text that each can match.

/// A segment of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    Literal(String),
    /// `0.5.2`, `1.33.0-gke.1`
    Version,
    /// `20`
    Number,
    /// A random part of 5 to 10 letters and digits.
    Hash,
    /// Letters and digits without a dash.
    Word,
    /// The name of a Node: letters, digits, dashes and dots.
    Node,
    /// The hash of a Pod template, between a Deployment's name and its Pods'.
    TemplateHash,
    /// The five random characters at the end of a Pod's name.
    PodSuffix,
    /// The number of a StatefulSet's Pod, or the time in the name of a CronJob's Job.
    Ordinal,
}

/// The characters of random suffixes of the API server: there are no vowels, so that they don't form words (k8s.io/apimachinery, util/rand).
const SAFE_LETTERS: &str = "bcdfghjklmnpqrstvwxz2456789";

/// Whether the random suffixes of the API server can contain a byte.
fn is_safe(byte: u8) -> bool {
    // A lookup table, because half of all bytes of a listing are tested here.
    const SAFE: [bool; 256] = {
        let mut safe = [false; 256];
        let mut at = 0;
        while at < SAFE_LETTERS.len() {
            safe[SAFE_LETTERS.as_bytes()[at] as usize] = true;
            at += 1;
        }
        safe
    };
    SAFE[usize::from(byte)]
}

/// The properties that all segments of a kind share.
struct SegmentKind {
    placeholder: &'static str,
    /// How specific a match is.
    narrowness: usize,
    sample: &'static str,
    /// A regular expression of ECMAScript equivalent to [`Segment::accepts`], in which `SAFE` represents [`SAFE_LETTERS`].
    whole: &'static str,
    /// The same for [`Segment::can_begin_with`].
    beginning: &'static str,
}

const fn kind(
    placeholder: &'static str,
    narrowness: usize,
    sample: &'static str,
    whole: &'static str,
    beginning: &'static str,
) -> SegmentKind {
    SegmentKind { placeholder, narrowness, sample, whole, beginning }
}

impl Segment {
    const fn kind(&self) -> SegmentKind {
        match self {
            Self::Literal(_) => kind("", 5, "", "", ""),
            Self::Version => kind("version", 3, "1.2.3", r"[0-9](?:(?!\.\.|--)[a-z0-9.-])*(?<![.-])", r"[0-9](?:(?!\.\.|--)[a-z0-9.-])*"),
            Self::Number => kind("number", 4, "7", "[0-9]{1,12}", "[0-9]{1,12}"),
            Self::Hash => kind("hash", 2, "7bf6c99d", "[a-z0-9]{5,10}", "[a-z0-9]{1,10}"),
            Self::TemplateHash => kind("template", 3, "5d9dbcc6d8", "(?:[SAFE]{6,10}|[0-9]{6,10})", "(?:[SAFE]{1,10}|[0-9]{1,10})"),
            Self::Word => kind("word", 1, "x1", "[a-z0-9]+", "[a-z0-9]+"),
            Self::Node => kind("node", 0, "node-1", "[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?", "[a-z0-9][a-z0-9.-]*"),
            Self::PodSuffix => kind(
                "random",
                3,
                "2qlgw",
                "(?:[SAFE]{5}|(?=[a-z]{0,4}[0-9])[a-z0-9]{5})",
                "(?:[SAFE]{1,5}|(?=[a-z]{0,4}[0-9])[a-z0-9]{1,5})",
            ),
            Self::Ordinal => kind("n", 4, "0", "[0-9]{1,12}", "[0-9]{1,12}"),
        }
    }

    /// How specific a match with this segment is.
    pub(super) const fn narrowness(&self) -> usize {
        self.kind().narrowness
    }

    pub(super) fn sample(&self) -> &str {
        if let Self::Literal(text) = self { text } else { self.kind().sample }
    }

    pub(super) const fn placeholder(&self) -> &'static str {
        self.kind().placeholder
    }

    /// The placeholder for this segment that readers see. Kinds of hashes are not distinguished.
    pub(super) const fn shown(&self) -> &'static str {
        match self {
            Self::TemplateHash => "hash",
            other => other.placeholder(),
        }
    }

    /// A regular expression of ECMAScript equivalent to [`Self::accepts`].
    pub(super) fn expression(&self) -> String {
        self.kind().whole.replace("SAFE", SAFE_LETTERS)
    }

    /// A regular expression of ECMAScript equivalent to [`Self::can_begin_with`].
    pub(super) fn beginning(&self) -> String {
        self.kind().beginning.replace("SAFE", SAFE_LETTERS)
    }

    /// Whether this segment matches a whole text.
    pub(super) fn accepts(&self, text: &str) -> bool {
        let is_complete = match self {
            Self::Literal(literal) => literal == text,
            Self::Version | Self::Node => text.ends_with(|c: char| c.is_ascii_alphanumeric()),
            Self::Number | Self::Ordinal | Self::Word => !text.is_empty(),
            Self::Hash => text.len() >= 5,
            Self::TemplateHash => text.len() >= 6,
            Self::PodSuffix => text.len() == 5,
        };
        is_complete && self.can_begin_with(text)
    }

    /// Whether this segment matches some text that begins with this one.
    pub(super) fn can_begin_with(&self, text: &str) -> bool {
        let all = |accept: fn(u8) -> bool| text.bytes().all(accept);
        let digits = || all(|byte| byte.is_ascii_digit());
        let word = || all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let dotted = || all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'.' || byte == b'-');
        match self {
            Self::Literal(literal) => literal.starts_with(text),
            Self::Version => text.starts_with(|c: char| c.is_ascii_digit()) && dotted() && !text.contains("..") && !text.contains("--"),
            Self::Number | Self::Ordinal => text.len() <= 12 && digits(),
            Self::Hash => text.len() <= 10 && word(),
            Self::Word => word(),
            Self::Node => text.starts_with(|c: char| c.is_ascii_alphanumeric()) && dotted(),
            // Decimal digits before Kubernetes 1.8, safe letters since.
            Self::TemplateHash => text.len() <= 10 && (all(is_safe) || digits()),
            // Any letter before Kubernetes used safe letters; then a digit is required, to exclude words such as `agent`.
            Self::PodSuffix => text.len() <= 5 && (all(is_safe) || (word() && text.bytes().any(|byte| byte.is_ascii_digit()))),
        }
    }
}

/// Whether these segments match a name.
pub(super) fn matches(parts: &[Segment], name: &str) -> bool {
    match parts {
        [] => name.is_empty(),
        [Segment::Literal(literal), rest @ ..] => name.strip_prefix(literal.as_str()).is_some_and(|name| matches(rest, name)),
        [last] => last.accepts(name),
        // Most names do not even contain the literal after a variable segment.
        [part, Segment::Literal(literal), rest @ ..] => {
            // Most literals between variable parts are a dash, which is found faster as a character.
            let find = |text: &str| match literal.as_bytes() {
                [byte] => text.find(char::from(*byte)),
                _ => text.find(literal.as_str()),
            };
            let mut from = 1;
            while let Some(at) = name.get(from..).and_then(find).map(|at| from + at) {
                if part.accepts(&name[..at]) && matches(rest, &name[at + literal.len()..]) {
                    return true;
                }
                from = at + 1;
            }
            false
        }
        // Segments accept ASCII only, so any other boundary fails in `accepts`.
        [part, rest @ ..] => {
            (1..name.len()).filter(|end| name.is_char_boundary(*end)).any(|end| part.accepts(&name[..end]) && matches(rest, &name[end..]))
        }
    }
}

/// Whether these segments match some name that begins with a text.
pub(super) fn begins(parts: &[Segment], text: &str) -> bool {
    match parts {
        _ if text.is_empty() => true,
        [] => false,
        [Segment::Literal(literal), rest @ ..] => {
            literal.starts_with(text) || text.strip_prefix(literal.as_str()).is_some_and(|text| begins(rest, text))
        }
        [part, rest @ ..] => {
            part.can_begin_with(text)
                || (1..text.len())
                    .filter(|end| text.is_char_boundary(*end))
                    .any(|end| part.accepts(&text[..end]) && begins(rest, &text[end..]))
        }
    }
}
