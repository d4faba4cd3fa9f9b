//! Bytes in any encoding are decoded to text without NUL characters; UTF-8 and both kinds of UTF-16 give the same text.
#![no_main]

use ksys_docs::explain::decode;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let decoded = decode(bytes);
    if let Ok(text) = &decoded {
        assert!(!text.contains('\0') && !text.trim().is_empty());
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(decoded) = &decoded {
        assert_eq!(decoded, text);
    }
    let units = || text.encode_utf16();
    let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(units().flat_map(u16::to_le_bytes)).collect();
    let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(units().flat_map(u16::to_be_bytes)).collect();
    assert_eq!(decode(&little), decoded);
    assert_eq!(decode(&big), decoded);
});
