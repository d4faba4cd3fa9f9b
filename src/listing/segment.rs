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

/// The letters of random suffixes of the API server: no vowels, so that they spell no words (k8s.io/apimachinery, util/rand).
const SAFE_LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";

/// Whether the random suffixes of the API server can contain a byte.
fn is_safe(byte: u8) -> bool {
    // A table: half of all bytes of a listing are tested here.
    const SAFE: [bool; 256] = {
        let mut safe = [false; 256];
        let mut at = 0;
        while at < SAFE_LETTERS.len() {
            safe[SAFE_LETTERS[at] as usize] = true;
            at += 1;
        }
        safe
    };
    SAFE[usize::from(byte)]
}

impl Segment {
    /// How specific a match with this segment is.
    pub(super) const fn narrowness(&self) -> usize {
        match self {
            Self::Node => 0,
            Self::Word => 1,
            Self::Hash => 2,
            Self::Version | Self::TemplateHash | Self::PodSuffix => 3,
            Self::Number | Self::Ordinal => 4,
            Self::Literal(_) => 5,
        }
    }

    pub(super) fn sample(&self) -> String {
        match self {
            Self::Literal(text) => text,
            Self::Version => "1.2.3",
            Self::Number => "7",
            Self::Hash => "7bf6c99d",
            Self::Word => "x1",
            Self::Node => "node-1",
            Self::TemplateHash => "5d9dbcc6d8",
            Self::PodSuffix => "2qlgw",
            Self::Ordinal => "0",
        }
        .to_owned()
    }

    pub(super) const fn placeholder(&self) -> &'static str {
        match self {
            Self::Literal(_) => "",
            Self::Version => "version",
            Self::Number => "number",
            Self::Hash => "hash",
            Self::TemplateHash => "template",
            Self::Word => "word",
            Self::Node => "node",
            Self::PodSuffix => "random",
            Self::Ordinal => "n",
        }
    }

    /// The word that readers see for this segment; they need not know which hash it is.
    pub(super) const fn shown(&self) -> &'static str {
        match self {
            Self::TemplateHash => "hash",
            other => other.placeholder(),
        }
    }

    /// What [`Self::accepts`] does, as a regular expression of ECMAScript.
    pub(super) fn expression(&self) -> String {
        let safe = String::from_utf8_lossy(SAFE_LETTERS);
        match self {
            Self::Literal(_) => String::new(),
            Self::Version => r"[0-9](?:(?!\.\.|--)[a-z0-9.-])*(?<![.-])".to_owned(),
            Self::Number | Self::Ordinal => "[0-9]{1,12}".to_owned(),
            Self::Hash => "[a-z0-9]{5,10}".to_owned(),
            Self::Word => "[a-z0-9]+".to_owned(),
            Self::Node => "[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?".to_owned(),
            Self::TemplateHash => format!("(?:[{safe}]{{6,10}}|[0-9]{{6,10}})"),
            Self::PodSuffix => format!("(?:[{safe}]{{5}}|(?=[a-z]{{0,4}}[0-9])[a-z0-9]{{5}})"),
        }
    }

    /// What [`Self::can_begin_with`] does, as a regular expression of ECMAScript.
    pub(super) fn beginning(&self) -> String {
        let safe = String::from_utf8_lossy(SAFE_LETTERS);
        match self {
            Self::Literal(_) => String::new(),
            Self::Version => r"[0-9](?:(?!\.\.|--)[a-z0-9.-])*".to_owned(),
            Self::Number | Self::Ordinal => "[0-9]{1,12}".to_owned(),
            Self::Hash => "[a-z0-9]{1,10}".to_owned(),
            Self::Word => "[a-z0-9]+".to_owned(),
            Self::Node => "[a-z0-9][a-z0-9.-]*".to_owned(),
            Self::TemplateHash => format!("(?:[{safe}]{{1,10}}|[0-9]{{1,10}})"),
            Self::PodSuffix => format!("(?:[{safe}]{{1,5}}|(?=[a-z]{{0,4}}[0-9])[a-z0-9]{{1,5}})"),
        }
    }

    /// Whether this segment matches a whole text.
    pub(super) fn accepts(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let all = |accept: fn(u8) -> bool| bytes.iter().all(|byte| accept(*byte));
        let digits = || all(|byte| byte.is_ascii_digit());
        let random = || all(is_safe);
        match self {
            Self::Literal(literal) => literal == text,
            Self::Version => {
                bytes.first().is_some_and(u8::is_ascii_digit)
                    && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
                    && all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'.' || byte == b'-')
                    && !text.contains("..")
                    && !text.contains("--")
            }
            Self::Number | Self::Ordinal => !text.is_empty() && text.len() <= 12 && digits(),
            Self::Hash => (5..=10).contains(&text.len()) && all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()),
            Self::Word => !text.is_empty() && all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()),
            Self::Node => {
                bytes.first().is_some_and(u8::is_ascii_alphanumeric)
                    && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
                    && all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'.')
            }
            // Decimal digits before Kubernetes 1.8, safe letters since.
            Self::TemplateHash => (6..=10).contains(&text.len()) && (random() || digits()),
            // Any letter before Kubernetes used safe letters; then a digit is required, to exclude words such as `agent`.
            Self::PodSuffix => {
                text.len() == 5
                    && (random()
                        || (all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) && bytes.iter().any(u8::is_ascii_digit)))
            }
        }
    }

    /// Whether this segment matches some text that begins with this one.
    pub(super) fn can_begin_with(&self, text: &str) -> bool {
        let all = |accept: fn(u8) -> bool| text.bytes().all(accept);
        let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        match self {
            Self::Literal(literal) => literal.starts_with(text),
            Self::Version => {
                let in_version = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'.' || byte == b'-';
                text.starts_with(|c: char| c.is_ascii_digit()) && all(in_version) && !text.contains("..") && !text.contains("--")
            }
            Self::Number | Self::Ordinal => text.len() <= 12 && all(|byte| byte.is_ascii_digit()),
            Self::Hash => text.len() <= 10 && all(word),
            Self::Word => all(word),
            Self::Node => {
                let in_node = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'.';
                text.starts_with(|c: char| c.is_ascii_alphanumeric()) && all(in_node)
            }
            Self::TemplateHash => text.len() <= 10 && (all(is_safe) || all(|byte| byte.is_ascii_digit())),
            // Words are excluded, as in whole names.
            Self::PodSuffix => text.len() <= 5 && (all(is_safe) || (all(word) && text.bytes().any(|byte| byte.is_ascii_digit()))),
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
            let mut from = 1;
            while let Some(at) = name.get(from..).and_then(|name| name.find(literal.as_str())).map(|at| from + at) {
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
