//! Queries and texts in any writing system are tokenized, and texts are indexed.
#![no_main]

use std::sync::Mutex;

use ksys_docs::search::{
    Corpus, Document, NameKind, SearchName, SearchSection, index,
    tokenizer::{WHOLE, key, key_of_stems, normal, terms},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let plain = normal(text);
    let mut all = Vec::new();
    terms(text, |term, quality| {
        assert!(!term.is_empty() && (1..=WHOLE).contains(&quality), "{term:?} {quality}");
        assert!(!term.chars().any(char::is_whitespace), "{term:?}");
        all.push((term.to_owned(), quality));
    });
    // Width and compatibility variants give the same query.
    let mut of_plain = Vec::new();
    terms(&plain, |term, quality| of_plain.push((term.to_owned(), quality)));
    assert_eq!(all, of_plain);
    assert_eq!(key(text), key(&plain));
    assert!(!key(text).chars().any(char::is_whitespace));
    let _ = key_of_stems(text);

    let corpus = Corpus { importance: vec![0, 3], ..Corpus::default() };
    let files = Mutex::new(0);
    let document = |number: usize| Document {
        url: format!("{number}/"),
        title: text.chars().take(40).collect(),
        summary: text.to_owned(),
        names: vec![SearchName { text: text.chars().take(60).collect(), kind: NameKind::Own, anchor: String::new() }],
        sections: vec![SearchSection { anchor: "a".to_owned(), heading: text.chars().take(60).collect(), text: text.to_owned() }],
        ..Document::default()
    };
    index(&corpus, &document, &|path, bytes| {
        assert!(!bytes.is_empty() && std::str::from_utf8(bytes).is_ok(), "{path}");
        assert!(!path.starts_with('/') && !path.contains(".."), "{path}");
        *files.lock().unwrap() += 1;
    });
    assert!(files.into_inner().unwrap() > 0);
});
