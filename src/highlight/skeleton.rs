//! Lines in which everything is shortened that can't change their highlighting: `name: "web-1" # the first` becomes `a: "a" #a`.
//!
//! Most lines of a site's code differ from others only in a name or a number. A grammar finds the same scopes in all lines of one skeleton, so only one of them
//! is parsed. The parts that can be shortened depend on the language; tests compare the results with the grammars. Anything not known to be harmless stays
//! unchanged.

/// A shortened line, with the mapping back to the original.
pub(super) struct Skeleton {
    /// Ends with the line break that grammars expect.
    pub(super) text: String,
    /// Positions in `text` of letters that replace more than one byte, with the number of bytes, in order.
    cuts: Vec<(usize, usize)>,
}

/// The parts of a line that may be shortened in a language.
#[derive(Default)]
struct Shortening {
    /// Text between quotation marks of these kinds.
    quotes: &'static [u8],
    numbers: Numbers,
    /// Unquoted words, except these.
    words: Option<&'static [&'static str]>,
    /// The start of a comment that extends to the end of the line.
    comment: &'static str,
}

/// The bytes that can precede a whole number, and those that can follow it.
#[derive(Clone, Copy, Default)]
struct Numbers {
    after: &'static [u8],
    before: &'static [u8],
}

/// Numbers between blanks, brackets, commas.
const ALONE: Numbers = Numbers { after: b" \t[(,", before: b" \t])," };
/// Numbers next to operators, as well.
const ANYWHERE: Numbers = Numbers { after: b" \t[(,{=+*<>&|!", before: b" \t]),};+*<>&|=" };

/// Words that YAML 1.1 doesn't read as strings.
const YAML: &[&str] = &["true", "false", "yes", "no", "on", "off", "null", "y", "n"];

/// Words that a shell can read as more than an argument.
const SHELL: &[&str] = &[
    "if", "then", "else", "elif", "fi", "case", "esac", "for", "while", "until", "do", "done", "in", "select", "function", "time", "coproc",
];

/// Commands whose arguments the grammar parses.
const COMMANDS: &str = "alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable env eval \
    exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile nohup popd printf pushd pwd \
    read readarray readonly return set shift shopt source sudo suspend test times trap true type typeset ulimit umask \
    unalias unset wait xargs";

fn shortening(language: &str) -> Shortening {
    match language {
        "yaml" => Shortening { quotes: b"\"'", numbers: ALONE, words: Some(YAML), comment: "#" },
        "json" => Shortening { quotes: b"\"", numbers: ALONE, ..Shortening::default() },
        "sh" => Shortening { quotes: b"\"'", numbers: ALONE, words: Some(SHELL), comment: "" },
        "go" | "rs" => Shortening { quotes: b"\"", numbers: ANYWHERE, comment: "//", ..Shortening::default() },
        "toml" => Shortening { quotes: b"\"", numbers: ALONE, comment: "#", ..Shortening::default() },
        "js" | "ts" => Shortening { numbers: ANYWHERE, comment: "//", ..Shortening::default() },
        "py" => Shortening { numbers: ANYWHERE, comment: "#", ..Shortening::default() },
        _ => Shortening::default(),
    }
}

impl Skeleton {
    /// A line as it is, without its line break.
    pub(super) fn whole(line: &str) -> Self {
        Self { text: format!("{line}\n"), cuts: Vec::new() }
    }

    /// The skeleton of a line without its line break, which must begin outside of strings and comments. `language` is the first extension of the grammar.
    pub(super) fn of(language: &str, line: &str) -> Self {
        let rules = shortening(language);
        if !is_simple(language, line) {
            return Self::whole(line);
        }
        let mut skeleton = Self { text: String::with_capacity(line.len() + 1), cuts: Vec::new() };
        let mut at = 0;
        let mut is_first_word = language == "sh";
        while let Some(byte) = line.as_bytes().get(at) {
            let before = line.as_bytes().get(at.wrapping_sub(1)).copied();
            let rest = line.get(at..).unwrap_or_default();
            let opens = before.is_none_or(|before| b" \t([{,=:".contains(&before));
            if !rules.comment.is_empty() && rest.starts_with(rules.comment) && before.is_none_or(|before| before == b' ' || before == b'\t')
            {
                skeleton.comment(rest, rules.comment);
                break;
            }
            let length = match byte {
                quote if rules.quotes.contains(quote) && opens => quoted(rest).map(|length| (1, length)),
                b'0'..=b'9' if before.is_none_or(|before| rules.numbers.after.contains(&before)) => {
                    number(rest, rules.numbers.before).map(|length| (0, length))
                }
                b'A'..=b'Z' | b'a'..=b'z' if before.is_none_or(|before| !is_part_of_word(before)) => {
                    let word = word(rest, if language == "yaml" { b"-_./" } else { b"-_" });
                    let is_alone = stands_alone(line.get(..at).unwrap_or_default(), rest.as_bytes().get(word.len()).copied());
                    let is_kept = !is_alone || rules.words.is_none_or(|except| except.iter().any(|other| word.eq_ignore_ascii_case(other)));
                    let is_command = std::mem::replace(&mut is_first_word, false);
                    if is_kept || is_command {
                        skeleton.text.push_str(word);
                        at += word.len();
                        continue;
                    }
                    Some((0, word.len()))
                }
                _ => None,
            };
            // It can begin or end a string, so the context of the following text is unknown.
            if length.is_none() && b"\"'`".contains(byte) {
                skeleton.text.push_str(rest);
                break;
            }
            let Some((opening, length)) = length else {
                let letter = rest.chars().next().unwrap_or_default();
                skeleton.text.push(letter);
                at += letter.len_utf8();
                continue;
            };
            skeleton.text.push_str(rest.get(..opening).unwrap_or_default());
            skeleton.cut(if byte.is_ascii_digit() { '1' } else { 'a' }, length);
            at += opening + length;
            if opening > 0 {
                skeleton.text.push(char::from(*byte));
                at += 1;
            }
        }
        skeleton.text.push('\n');
        skeleton
    }

    fn cut(&mut self, letter: char, length: usize) {
        self.cuts.push((self.text.len(), length));
        self.text.push(letter);
    }

    fn comment(&mut self, rest: &str, sign: &str) {
        self.text.push_str(sign);
        let text = rest.get(sign.len()..).unwrap_or_default();
        // `#!`, `//!`, `///`, `//go:` and similar comments have a meaning.
        match text.strip_prefix(' ').filter(|text| !text.is_empty() && text.bytes().all(is_harmless)) {
            Some(_) => self.cut('a', text.len()),
            None => self.text.push_str(text),
        }
    }

    /// The offset in the line that corresponds to the offset `end` in the skeleton.
    pub(super) fn in_line(&self, end: usize) -> usize {
        let longer: usize = self.cuts.iter().take_while(|(at, _)| *at < end).map(|(_, length)| length - 1).sum();
        end + longer
    }
}

/// Whether a line has no syntax beyond what [`Shortening`] describes.
fn is_simple(language: &str, line: &str) -> bool {
    match language {
        "sh" => is_plain_command(line),
        "yaml" => line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _./:,#\"'()[]{}=-".contains(&byte) || byte > 0x7f),
        _ => true,
    }
}

/// Characters without a meaning inside quotation marks and comments.
fn is_harmless(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b" _-".contains(&byte)
}

/// The length of the text between two quotation marks, if it is harmless and followed by a separator.
fn quoted(rest: &str) -> Option<usize> {
    let quote = rest.bytes().next()?;
    let text = rest.get(1..)?;
    let length = text.bytes().take_while(|byte| is_harmless(*byte) || *byte == b'.' || *byte == b'/').count();
    let after = text.as_bytes().get(length + 1);
    let is_closed = text.as_bytes().get(length) == Some(&quote) && after.is_none_or(|after| b" \t)]},:;".contains(after));
    (length > 0 && is_closed).then_some(length)
}

/// The length of a whole number.
fn number(rest: &str, before: &[u8]) -> Option<usize> {
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    let after = rest.as_bytes().get(length);
    // A leading zero can change the base, and a very long number is not an integer.
    (!rest.starts_with('0') && length < 10 && after.is_none_or(|after| before.contains(after))).then_some(length)
}

fn is_part_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte > 0x7f
}

/// The word that a text begins with: letters, digits, and joints between them.
fn word<'l>(rest: &'l str, joints: &[u8]) -> &'l str {
    let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || joints.contains(byte)).count();
    rest.get(..length).unwrap_or_default().trim_end_matches(|c: char| !c.is_ascii_alphanumeric())
}

/// Whether a word between this text and this byte is a complete unit: an argument, an option or its value, a key, an entry of a list.
fn stands_alone(before: &str, after: Option<u8>) -> bool {
    let begins = before.is_empty() || before.trim_end_matches('-').ends_with([' ', '\t', '[', '{', ',', '=']) || before.ends_with("- ");
    begins && after.is_none_or(|after| b" =:,]}".contains(&after))
}

/// Whether a line of shell consists of a command with arguments.
fn is_plain_command(line: &str) -> bool {
    let simple = |byte: u8| byte.is_ascii_alphanumeric() || b" _./:,=@+\"'-".contains(&byte);
    let first = line.trim_start().split(' ').next().unwrap_or_default();
    line.bytes().all(simple)
        && first.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        && !SHELL.contains(&first)
        && !COMMANDS.split(' ').any(|command| command == first)
}
