//! Text collected from several events of the parser.

/// Text without the marks next to Japanese emphasis, and the offsets of its pieces in the parsed text.
#[derive(Debug, Default)]
pub(super) struct CollectedText {
    pub(super) text: String,
    /// For each piece its offset in `text` and in the parsed text.
    offsets: Vec<(usize, usize)>,
}

impl CollectedText {
    /// Adds the text of an event that begins at `at`, without `mark`.
    pub(super) fn push(&mut self, text: &str, at: usize, mark: Option<char>) {
        let mut from = 0;
        if let Some(mark) = mark {
            for (index, _) in text.match_indices(mark) {
                self.push_piece(&text[from..index], at + from);
                from = index + mark.len_utf8();
            }
        }
        self.push_piece(&text[from..], at + from);
    }

    fn push_piece(&mut self, text: &str, at: usize) {
        self.offsets.push((self.text.len(), at));
        self.text.push_str(text);
    }

    /// The offset in the parsed text of a byte of the collected text.
    pub(super) fn parsed_offset(&self, at: usize) -> usize {
        let after = self.offsets.partition_point(|(from, _)| *from <= at);
        after.checked_sub(1).and_then(|index| self.offsets.get(index)).map_or(0, |(from, parsed)| parsed + at - from)
    }
}
