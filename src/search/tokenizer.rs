//! The tokenizer, which splits texts into search terms. `web/search/words.js` does the same for queries; `tests/fixtures/search/words.json` and
//! `tests/browser/agreement.test.js` check that both produce the same terms.
//!
//! All rules use ranges of code points that are listed here, because property tables differ between versions of Unicode: a query might be tokenized with
//! another version than the index.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

use super::stem::stem;

/// The best quality of a term: it is a whole word of the text.
pub const WHOLE: u8 = 10;
/// A word that is part of a compound: `proxy` in `kube-proxy`.
const PART: u8 = 7;
/// A word inside another: `endpoint` in `EndpointSlice`, 分散 in 負荷分散.
const INNER: u8 = 6;
/// A part of a word that may begin in its middle: ポリシー in ネットワークポリシー.
const TAIL: u8 = 5;
/// A single ideograph, which is often the stem of a verb.
const SINGLE: u8 = 4;
/// A part that most likely spans two words: 京都 in 東京都.
const ACROSS: u8 = 2;

/// The longest joined word that can be a name, in characters.
const MAX_JOINED: usize = 48;
/// The maximum number of ideographs in one term; a longer run is found by its beginning.
const MAX_IDEOGRAPHS: usize = 6;
/// The maximum number of katakana in one term.
const MAX_KATAKANA: usize = 8;

/// The maximum number of hiragana in one term.
const MAX_HIRAGANA: usize = 6;

/// Particles, with which hiragana after a noun begin.
const PARTICLES: &str = "をはがにのでともへや";

/// Prefixes of words of two ideographs: 再起動 is 再 and 起動.
const PREFIXES: &str = "再未非不無全各新旧約毎最大小同主副超準両複単多高低前後第被要元現仮実本別他";

/// Katakana that end in A or I.
const BEFORE_LONG_VOWELS: &str = "アカサタナハマヤラワガザダバパァャヮイキシチニヒミリギジヂビピィ";

/// Katakana that never begin a word.
const NO_BEGINNING: &str = "ーァィゥェォャュョッンヮヵヶ";

/// A run of letters of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextRun<'a> {
    /// Letters and digits, with single `-`, `.`, `_`, `/` between them.
    Word(&'a str),
    Katakana(&'a str),
    Hiragana(&'a str),
    /// Ideographs, and the next letter if it is hiragana.
    Ideographs(&'a str, Option<char>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Letter,
    Katakana,
    Hiragana,
    Ideograph,
    /// `ー`, which belongs to the kana before it.
    LongVowel,
    /// `-`, `.`, `_`, `/`
    Connector,
    Other,
}

const fn class(c: char) -> CharClass {
    match c {
        '-' | '.' | '_' | '/' => CharClass::Connector,
        '0'..='9' | 'A'..='Z' | 'a'..='z' => CharClass::Letter,
        '\u{0}'..='\u{bf}' | '\u{d7}' | '\u{f7}' => CharClass::Other,
        'ー' => CharClass::LongVowel,
        '\u{30a1}'..='\u{30fa}' | 'ヽ' | 'ヾ' | '\u{31f0}'..='\u{31ff}' => CharClass::Katakana,
        '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' => CharClass::Hiragana,
        // Also Korean syllables, because Korean compounds are written without spaces.
        '々'
        | '〆'
        | '〇'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{20000}'..='\u{3ffff}' => CharClass::Ideograph,
        '\u{c0}'..='\u{1fff}'
        | '\u{2c00}'..='\u{2dff}'
        | '\u{3100}'..='\u{33ff}'
        | '\u{a000}'..='\u{abff}'
        | '\u{d7a4}'..='\u{d7ff}'
        | '\u{fb00}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefe}'
        | '\u{10000}'..='\u{1efff}' => CharClass::Letter,
        _ => CharClass::Other,
    }
}

/// Whether a mark is dropped: accents, soft hyphens, joiners, variation selectors.
const fn is_dropped(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}

/// Normalizes compatibility forms (NFKD, then NFC), and removes accents and invisible marks. Upper case is kept.
#[must_use]
pub fn normal(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // Most texts consist of these characters, which need no tables.
            '\u{0}'..='\u{7f}'
            | '\u{3001}'..='\u{3029}'
            | '\u{3041}'..='\u{3096}'
            | '\u{30a1}'..='\u{30fe}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{2018}'..='\u{201d}' => plain.push(c),
            '\u{ff01}'..='\u{ff5e}' => plain.extend(char::from_u32(u32::from(c) - 0xfee0)),
            '\u{3000}' => plain.push(' '),
            _ => return text.nfkd().filter(|c| !is_dropped(*c)).nfc().collect(),
        }
    }
    plain
}

/// Lower case, letter by letter, without rules for the context of a letter.
fn lower(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().flat_map(char::to_lowercase).collect() }
}

/// Calls `visit` with each run of a normalized text.
fn text_runs<'a>(text: &'a str, mut visit: impl FnMut(TextRun<'a>)) {
    let mut chars = text.char_indices().map(|(at, c)| (at, at + c.len_utf8(), class(c))).peekable();
    while let Some((start, mut end, first)) = chars.next() {
        match first {
            CharClass::Letter => {
                // A connector counts if a letter follows it.
                let mut after_connector = false;
                let belongs = |next: CharClass, after: bool| next == CharClass::Letter || (next == CharClass::Connector && !after);
                while let Some((_, next_end, next)) = chars.next_if(|(.., next)| belongs(*next, after_connector)) {
                    after_connector = next == CharClass::Connector;
                    end = if after_connector { end } else { next_end };
                }
                visit(TextRun::Word(&text[start..end]));
            }
            CharClass::Katakana | CharClass::LongVowel | CharClass::Hiragana | CharClass::Ideograph => {
                let own = if first == CharClass::LongVowel { CharClass::Katakana } else { first };
                let belongs = |next: CharClass| next == own || (next == CharClass::LongVowel && own != CharClass::Ideograph);
                while let Some((_, next_end, _)) = chars.next_if(|(.., next)| belongs(*next)) {
                    end = next_end;
                }
                let run = &text[start..end];
                visit(match own {
                    CharClass::Katakana => TextRun::Katakana(run),
                    CharClass::Hiragana => TextRun::Hiragana(run),
                    _ => TextRun::Ideographs(run, text[end..].chars().next().filter(|c| class(*c) == CharClass::Hiragana)),
                });
            }
            CharClass::Connector | CharClass::Other => {}
        }
    }
}

/// Calls `emit` with each term of a text and its quality, from 1 to [`WHOLE`].
pub fn terms(text: &str, mut emit: impl FnMut(&str, u8)) {
    text_runs(&normal(text), |run| match run {
        TextRun::Word(word) => word_terms(word, &mut emit),
        TextRun::Katakana(run) => katakana_terms(run, &mut emit),
        TextRun::Ideographs(run, next) => ideograph_terms(run, next, &mut emit),
        TextRun::Hiragana(run) => hiragana_terms(run, &mut emit),
    });
}

/// A whole text as one term, for names: `kube-proxy`, `Kube Proxy` and `kubeproxy` are the same. Empty for a text that is too long to be a name.
#[must_use]
pub fn key(text: &str) -> String {
    let mut key = String::new();
    text_runs(&normal(text), |run| match run {
        TextRun::Word(word) => key.push_str(&joined(word)),
        TextRun::Katakana(run) => key.push_str(&shortened(run)),
        TextRun::Hiragana(run) | TextRun::Ideographs(run, _) => key.push_str(run),
    });
    if key.chars().count() > MAX_JOINED { String::new() } else { stem(&key).into_owned() }
}

/// The key of a name with each word stemmed, which matches singular and plural: `metric server` for `metrics-server`.
#[must_use]
pub fn key_of_stems(text: &str) -> String {
    let mut words = String::new();
    for word in normal(text).split(|c: char| c.is_whitespace() || class(c) == CharClass::Connector) {
        words.push_str(&stem(&lower(word)));
        words.push(' ');
    }
    key(&words)
}

fn word_terms(word: &str, emit: &mut impl FnMut(&str, u8)) {
    let mut one = |text: &str, quality| emit(&stem(text), quality);
    let is_connector = |c: char| class(c) == CharClass::Connector;
    let long = |text: &str| text.len() > 1;
    let whole = joined(word);
    if long(&whole) && whole.chars().count() <= MAX_JOINED {
        one(&whole, WHOLE);
    }
    if word.contains('/') {
        // Each step of a path is a name as well.
        for step in word.split('/').filter(|step| step.contains(is_connector)) {
            one(&joined(step), WHOLE);
        }
    }
    let compound = word.contains(is_connector);
    for atom in word.split(is_connector) {
        if compound && long(atom) {
            one(&lower(atom), PART);
        }
        let inner = capitals(atom);
        if inner.len() > 1 {
            for part in inner.into_iter().filter(|part| long(part)) {
                one(&lower(part), INNER);
            }
        }
    }
}

/// A compound without connectors: `kube-proxy` is `kubeproxy`. Connectors between digits are kept, so that 1.35 is not 135.
fn joined(word: &str) -> String {
    let mut joined = String::with_capacity(word.len());
    let mut chars = word.chars().peekable();
    let mut before = None;
    while let Some(c) = chars.next() {
        let between_digits = before.is_some_and(|c: char| c.is_ascii_digit()) && chars.peek().is_some_and(char::is_ascii_digit);
        if class(c) != CharClass::Connector || between_digits {
            joined.push(c);
        }
        before = Some(c);
    }
    lower(&joined)
}

/// The words in `EndpointSlice`, `CoreDNS`, `APIServer`.
fn capitals(atom: &str) -> Vec<&str> {
    let bytes = atom.as_bytes();
    let upper = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_uppercase);
    let lower = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 1..bytes.len() {
        let after_word = lower(at - 1) || bytes[at - 1].is_ascii_digit();
        let after_acronym = at >= 2 && upper(at - 1) && upper(at - 2) && lower(at + 1);
        if upper(at) && (after_word || after_acronym) {
            parts.push(&atom[start..at]);
            start = at;
        }
    }
    parts.push(&atom[start..]);
    parts
}

/// Katakana without optional long vowels, at the end and inside compounds: サーバ and サーバー, ユーザ and ユーザー, メモリ and メモリー. Inside, only those after the
/// vowels A and I are optional.
fn shortened(run: &str) -> Cow<'_, str> {
    if !run.contains('ー') {
        return Cow::Borrowed(run);
    }
    let mut short = String::with_capacity(run.len());
    for c in run.trim_end_matches('ー').chars() {
        if c != 'ー' || !short.ends_with(|before| BEFORE_LONG_VOWELS.contains(before)) {
            short.push(c);
        }
    }
    if short.chars().nth(1).is_some() { Cow::Owned(short) } else { Cow::Borrowed(run) }
}

/// The suffixes of a run, one for each letter, cut to `most` letters, with the index of the first letter and the number of letters in the whole suffix.
fn tails(run: &str, most: usize) -> impl Iterator<Item = (usize, usize, &str)> {
    let count = run.chars().count();
    run.char_indices().enumerate().map(move |(number, (at, _))| {
        let tail = &run[at..];
        let end = tail.char_indices().nth(most).map_or(tail.len(), |(end, _)| end);
        (number, count - number, &tail[..end])
    })
}

fn katakana_terms(run: &str, emit: &mut impl FnMut(&str, u8)) {
    for (number, left, tail) in tails(&shortened(run), MAX_KATAKANA) {
        match number {
            0 if left >= 2 => emit(tail, WHOLE),
            1.. if left >= 3 && !tail.starts_with(|c| NO_BEGINNING.contains(c)) => emit(tail, TAIL),
            _ => {}
        }
    }
}

/// The terms of a run of hiragana, and of the same without a particle at its beginning. Most runs are endings and particles, but some are words: つながらない.
fn hiragana_terms(run: &str, emit: &mut impl FnMut(&str, u8)) {
    for (number, left, tail) in tails(run, MAX_HIRAGANA).take(2) {
        let begins = number == 0 || run.starts_with(|c| PARTICLES.contains(c));
        if begins && left >= 3 {
            emit(tail, TAIL);
        }
    }
}

fn ideograph_terms(run: &str, next: Option<char>, emit: &mut impl FnMut(&str, u8)) {
    let mut before = None;
    for (number, left, tail) in tails(run, MAX_IDEOGRAPHS) {
        let after_prefix = before.is_some_and(|c| PREFIXES.contains(c));
        match number {
            0 if left == 1 => {
                emit(tail, SINGLE);
                if let Some(next) = next {
                    emit(&format!("{tail}{next}"), INNER);
                }
            }
            0 => emit(tail, WHOLE),
            _ if left >= 2 => emit(tail, if number % 2 == 0 || after_prefix { INNER } else { ACROSS }),
            _ => {}
        }
        before = tail.chars().next();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        let mut all = Vec::new();
        terms(text, |term, quality| all.push(format!("{term}{quality}")));
        all.join(" ")
    }

    #[test]
    fn words_and_their_parts() {
        for (text, expected) in [
            ("kube-proxy", "kubeproxy10 kub7 proxy7"),
            ("CoreDNS", "coredn10 cor6 dns6"),
            ("EndpointSlices", "endpointslic10 endpoint6 slic6"),
            ("APIServer IPv6", "apiserver10 api6 server6 ipv610"),
            ("metrics.k8s.io", "metricsk8sio10 metric7 k8s7 io7"),
            ("/etc/resolv.conf.", "etcresolvconf10 resolvconf10 etc7 resolv7 conf7"),
            ("--proxy-mode=iptables", "proxymod10 proxy7 mod7 iptabl10"),
            ("10250/TCP 1.35 v1.2", "10250tcp10 102507 tcp7 1.3510 357 v1.210 v17"),
            ("a é Ünïcode", "unicod10"),
            ("Ⅳ ㍿ ｅｔｃｄ", "iv10 株式会社10 式会社2 会社6 etcd10"),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }

    #[test]
    fn japanese() {
        for (text, expected) in [
            ("負荷分散の役割", "負荷分散10 荷分散2 分散6 役割10"),
            ("東京都", "東京都10 京都2"),
            ("再起動する", "再起動10 起動6"),
            ("消すと", "消4 消す6"),
            ("通信がつながらないとき", "通信10 がつながらな5 つながらない5"),
            ("サーバー ｻｰﾊﾞ", "サバ10 サバ10"),
            ("ユーザーグループ", "ユーザグループ10 ザグループ5 グループ5 ループ5"),
            ("キー", "キー10"),
            ("ノードプール", "ノードプール10 ドプール5 プール5"),
            ("kubeletの設定", "kubelet10 設定10"),
            ("らーめんを", "らーめんを5"),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }

    #[test]
    fn names_as_keys() {
        for text in ["kube-proxy", "Kube Proxy", "kubeproxy", "ＫＵＢＥ－ＰＲＯＸＹ"] {
            assert_eq!(key(text), "kubeproxy", "{text}");
        }
        assert_eq!(key_of_stems("metrics-server"), key("metric server"));
        assert_eq!(key("ログの転送サーバー"), "ログの転送サバ");
        assert_eq!(key(&"long ".repeat(20)), "");
    }
}
