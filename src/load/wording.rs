//! The wording of texts for readers: terms that the vocabulary advises against, and mixed styles in columns of Japanese tables.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    id::Lang,
    markdown::{TextPassage, omit_code},
    node::{Node, NodeValue, Scalar, ScalarKind},
    terminology::{TermMatch, TermMatcher, Terminology},
    text::{Span, is_wide},
    yaml,
};

/// Checks the wording of a page while it is rendered.
pub(super) struct PageWording<'a> {
    file: &'a Arc<str>,
    /// The offset of the page's text in its file.
    body_at: usize,
    matcher: Option<&'a TermMatcher>,
    /// The columns of tables by the numbers of table and column, in Japanese.
    columns: Option<BTreeMap<(usize, usize), ColumnStyle>>,
    found: Diagnostics,
}

/// The styles of the cells of a column.
#[derive(Default)]
struct ColumnStyle {
    /// The number of cells that are not sentences in です・ます.
    noun_phrases: usize,
    /// The endings of the other cells.
    sentences: Vec<Span>,
}

impl<'a> PageWording<'a> {
    /// `None` if there are no checks for this language.
    pub(super) fn new(file: &'a Arc<str>, body_at: usize, lang: &Lang, terminology: &'a Terminology) -> Option<Self> {
        let matcher = terminology.matcher(lang.as_str());
        let columns = (lang.as_str().split('-').next() == Some("ja")).then(BTreeMap::new);
        (matcher.is_some() || columns.is_some()).then(|| Self { file, body_at, matcher, columns, found: Diagnostics::new() })
    }

    /// Checks a passage of the page.
    pub(super) fn visit(&mut self, passage: &TextPassage<'_>) {
        if let Some(matcher) = self.matcher {
            for found in matcher.find(passage.text()) {
                let span = passage.span(found.range.clone()).shifted(self.body_at);
                report_term(self.file, span, &passage.text()[found.range.clone()], &found, &mut self.found);
            }
        }
        if let (Some(columns), Some(cell)) = (&mut self.columns, passage.cell.filter(|cell| !cell.is_heading))
            && is_japanese(passage.text())
        {
            let column = columns.entry((cell.table, cell.column)).or_default();
            match polite_ending(passage.text()) {
                Some(ending) => column.sentences.push(passage.span(ending)),
                None => column.noun_phrases += 1,
            }
        }
    }

    /// Reports the findings.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        let columns = self.columns.into_iter().flat_map(BTreeMap::into_values);
        for ending in columns.filter(ColumnStyle::is_mixed).flat_map(|column| column.sentences) {
            let place = Place::new(self.file.clone(), ending.shifted(self.body_at));
            let message = "this cell is a sentence in です・ます, and most cells of its column are noun phrases (体言止め)";
            self.found.report(Rule::MixedStyle, place, message, "write a noun phrase, as in the other cells, or sentences in all of them");
        }
        self.found.all_sorted()
    }
}

impl ColumnStyle {
    /// Whether at least three cells, and 60 % of those with Japanese text, are not sentences in です・ます, so that the others differ from them. Cells of different
    /// columns are not compared: a column of names next to one of explanations is usual.
    fn is_mixed(&self) -> bool {
        let cells = self.noun_phrases + self.sentences.len();
        self.noun_phrases >= 3 && self.noun_phrases * 10 >= cells * 6
    }
}

/// Whether a text has Japanese letters: names and numbers alone have no style.
fn is_japanese(text: &str) -> bool {
    text.chars().any(|c| is_wide(c) && c.is_alphabetic())
}

/// The range of です, ます and their forms at the end of a text.
fn polite_ending(text: &str) -> Option<Range<usize>> {
    const ENDINGS: [&str; 6] = ["です", "ます", "ました", "ません", "でした", "ください"];
    let text = text.trim_end();
    let sentence = text.strip_suffix('。').unwrap_or(text);
    ENDINGS.iter().find(|ending| sentence.ends_with(**ending)).map(|ending| sentence.len() - ending.len()..text.len())
}

/// Checks the texts of a data file: in a map of languages, `{en: …, ja: …}`, each text in its language. `source` is the whole file.
pub(super) fn check_data(file: &Arc<str>, source: &str, node: &Node, terminology: &Terminology, diagnostics: &mut Diagnostics) {
    match &node.value {
        NodeValue::Scalar(_) => {}
        NodeValue::List(items) => items.iter().for_each(|item| check_data(file, source, &item.node, terminology, diagnostics)),
        NodeValue::Map(entries) => {
            for entry in entries {
                match (&entry.node.value, terminology.matcher(&entry.key)) {
                    (NodeValue::Scalar(scalar), Some(matcher)) => {
                        check_scalar(file, source, (scalar, entry.node.span), matcher, diagnostics);
                    }
                    _ => check_data(file, source, &entry.node, terminology, diagnostics),
                }
            }
        }
    }
}

/// Checks the title and the summary in a page's front matter.
pub(super) fn check_front_matter(file: &Arc<str>, source: &str, node: &Node, matcher: &TermMatcher, diagnostics: &mut Diagnostics) {
    for entry in ["title", "summary"].into_iter().filter_map(|key| node.entry(key)) {
        if let NodeValue::Scalar(scalar) = &entry.node.value {
            check_scalar(file, source, (scalar, entry.node.span), matcher, diagnostics);
        }
    }
}

fn check_scalar(file: &Arc<str>, source: &str, (scalar, span): (&Scalar, Span), matcher: &TermMatcher, diagnostics: &mut Diagnostics) {
    if scalar.kind != ScalarKind::Text {
        return;
    }
    for found in matcher.find(&omit_code(&scalar.text)) {
        let written = source.get(span.range()).unwrap_or_default();
        let place =
            yaml::source_range(written, &scalar.text, found.range.clone()).map_or(span, |range| Span::from(range).shifted(span.start));
        report_term(file, place, &scalar.text[found.range.clone()], &found, diagnostics);
    }
}

fn report_term(file: &Arc<str>, span: Span, written: &str, found: &TermMatch<'_>, diagnostics: &mut Diagnostics) {
    let written = written.split_whitespace().collect::<Vec<_>>().join(" ").replace(crate::markdown::OMITTED, "…");
    let mut help = match found.term.replacement.as_ref().map(|replacement| replacement.trim()) {
        Some(replacement) if !replacement.is_empty() => format!("write `{replacement}` instead"),
        _ => "leave it out, or write the sentence in another way".to_owned(),
    };
    if let Some(why) = &found.term.why {
        help = format!("{help}: {}", why.trim());
    }
    diagnostics.report(Rule::DiscouragedTerm, Place::new(file.clone(), span), format!("`{written}` is a term to avoid"), help);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_politely() {
        for (text, expected) in [
            ("動きます。", Some("ます。")),
            ("止めてください ", Some("ください")),
            ("動きませんでした。", Some("でした。")),
            ("ますます増加", None),
            ("動く。", None),
            ("です", Some("です")),
            ("", None),
        ] {
            assert_eq!(polite_ending(text).map(|range| &text[range]), expected, "{text}");
        }
        assert!(is_japanese("Pod数") && !is_japanese("Pod 3") && !is_japanese("—、。"));
    }

    #[test]
    fn a_column_is_mixed_if_most_cells_are_noun_phrases() {
        let mixed = |noun_phrases, sentences| ColumnStyle { noun_phrases, sentences: vec![Span::at(0); sentences] }.is_mixed();
        assert!(mixed(3, 1) && mixed(3, 2) && mixed(6, 4));
        assert!(!mixed(2, 1) && !mixed(3, 3) && !mixed(5, 4));
    }
}
