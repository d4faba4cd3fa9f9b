//! Looks into a packed tree where it lies, without making anything.

use super::is_null;

/// A value of a tree that was packed as [`super::unpack`] says. What is no such tree has no text and no parts.
#[derive(Clone, Copy, Debug)]
pub struct View<'t>(&'t [u8]);

impl<'t> View<'t> {
    /// A look at a whole tree.
    #[must_use]
    pub const fn new(packed: &'t [u8]) -> Self {
        Self(packed)
    }

    /// The bytes of the value, which are a tree of their own.
    #[must_use]
    pub const fn packed(self) -> &'t [u8] {
        self.0
    }

    /// The text of a scalar; nothing of `null`.
    #[must_use]
    pub fn text(self) -> Option<&'t str> {
        let (mark, rest) = self.0.split_first()?;
        let (length, text) = rest.split_first_chunk::<4>()?;
        let is_scalar = matches!(mark, b'P' | b'T') && u32::from_le_bytes(*length).try_into() == Ok(text.len());
        let text = is_scalar.then(|| std::str::from_utf8(text).ok())??;
        (*mark == b'T' || !is_null(text)).then_some(text)
    }

    /// Whether this is `true`.
    #[must_use]
    pub fn is_true(self) -> bool {
        self.0.first() == Some(&b'P') && matches!(self.text(), Some("true" | "True" | "TRUE"))
    }

    /// The values of a list.
    pub fn items(self) -> impl Iterator<Item = Self> {
        Values::inside(self.0, b'L')
    }

    /// The keys and values of a map.
    pub fn entries(self) -> impl Iterator<Item = (&'t str, Self)> {
        let mut values = Values::inside(self.0, b'M');
        std::iter::from_fn(move || Some((values.next()?.text().unwrap_or_default(), values.next()?)))
    }

    /// The value of a key of a map.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Self> {
        self.entries().find(|(own, _)| *own == key).map(|(_, value)| value)
    }
}

/// Values that stand one behind the other, up to the end of their list or map.
struct Values<'t>(&'t [u8]);

impl<'t> Values<'t> {
    fn inside(packed: &'t [u8], mark: u8) -> Self {
        Self(packed.strip_prefix(&[mark]).unwrap_or_default())
    }
}

impl<'t> Iterator for Values<'t> {
    type Item = View<'t>;

    fn next(&mut self) -> Option<View<'t>> {
        let (value, rest) = self.0.split_at_checked(length(self.0)?)?;
        self.0 = rest;
        Some(View(value))
    }
}

/// How many bytes the first of some values has; `None` if there is none.
fn length(packed: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0_usize, 0_usize);
    loop {
        match packed.get(at)? {
            b'P' | b'T' => {
                let text = u32::from_le_bytes(*packed.get(at + 1..)?.first_chunk::<4>()?);
                at = at.checked_add(5)?.checked_add(usize::try_from(text).ok()?)?;
            }
            b'L' | b'M' => {
                (at, depth) = (at + 1, depth + 1);
            }
            b'E' => {
                (at, depth) = (at + 1, depth.checked_sub(1)?);
            }
            _ => return None,
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_looked_into() {
        let tree = View::new(b"MP\x01\0\0\0aLT\x01\0\0\0xP\x04\0\0\x00trueP\x01\0\0\0~EP\x01\0\0\0bMP\x01\0\0\0cT\x01\0\0\0dEE");
        let items: Vec<View<'_>> = tree.get("a").into_iter().flat_map(View::items).collect();
        assert_eq!(
            items.iter().map(|item| (item.text(), item.is_true())).collect::<Vec<_>>(),
            [(Some("x"), false), (Some("true"), true), (None, false)]
        );
        let inner = tree.get("b").map(|inner| inner.entries().map(|(key, value)| (key, value.text())).collect::<Vec<_>>());
        assert_eq!(inner, Some(vec![("c", Some("d"))]));
        assert!(tree.get("c").is_none() && tree.text().is_none() && tree.items().next().is_none());
        assert!(tree.get("b").is_some_and(|inner| super::super::unpack(inner.packed()).is_some()));
    }

    #[test]
    fn what_is_no_tree_has_no_parts() {
        for packed in
            [&b""[..], b"E", b"X", b"T", b"T\xff\xff\xff\xffa", b"L", b"MT\x01\0\0\0a", b"LT\xff\xff\xff\xff", b"T\x01\0\0\0\xff", b"MEE"]
        {
            let view = View::new(packed);
            assert!(view.text().is_none() && view.items().next().is_none() && view.entries().next().is_none(), "{packed:?}");
        }
    }
}
