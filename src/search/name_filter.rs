//! A set of the names of an index in a few bits each (a Bloom filter). The words of a query can form names when they are joined, such as `kube proxy`, and the filter
//! tells without a file which of them don't exist.

use super::shards::digit;

/// Bits for each name. With two hashes, one in 12 texts that are no names is found nevertheless, which costs a file and changes no result.
const BITS: usize = 6;
/// The maximum length in characters of a name in the filter. Longer ones have more words than a query joins. `web/search/index.js` has the same constant.
const LONGEST: usize = 24;

/// The filter of these names as letters of six bits each; empty without names.
pub(super) fn name_filter<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let hashes: Vec<[u32; 2]> =
        names.filter(|name| name.chars().count() <= LONGEST).map(|name| [hash(name, 0x811c_9dc5), hash(name, 0x9747_b28c)]).collect();
    let size = (hashes.len() * BITS).div_ceil(6);
    let mut letters = vec![0_u8; size];
    for hash in hashes.as_flattened() {
        let bit = *hash as usize % (size * 6);
        letters[bit / 6] |= 1 << (bit % 6);
    }
    letters.into_iter().map(digit).collect()
}

/// The FNV-1a hash of the characters of a text, from a start value. `web/search/index.js` has the same.
fn hash(text: &str, start: u32) -> u32 {
    text.chars().fold(start, |hash, character| (hash ^ u32::from(character)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::shards::value;

    #[test]
    fn names_are_found_and_most_other_texts_are_not() {
        let names: Vec<String> = (0..2_000).map(|number| format!("name{number}")).collect();
        let filter = name_filter(names.iter().map(String::as_str));
        let has = |text: &str| {
            [0x811c_9dc5, 0x9747_b28c].into_iter().all(|start| {
                let bit = hash(text, start) as usize % (filter.len() * 6);
                value(filter.as_bytes()[bit / 6]).is_some_and(|letter| letter >> (bit % 6) & 1 == 1)
            })
        };
        assert!(names.iter().all(|name| has(name)));
        assert!((0..2_000).filter(|number| has(&format!("other{number}"))).count() < 300);
        assert_eq!(name_filter(std::iter::empty()), "");
    }
}
