//! Formulas in text: MathML, or the source as code if it can't be converted.

use std::ops::Range;

use super::output::PageOutput;
use crate::{
    diagnostic::Rule,
    math::{self, MathError},
};

/// Writes a formula, which covers `range` of the parsed text with its delimiters. Its plain text is its source.
pub(super) fn write(latex: &str, display: bool, range: &Range<usize>, out: &mut PageOutput<'_>) {
    let latex = out.page.clean(latex);
    match math::mathml(&latex, display) {
        // A wide formula scrolls inside its box; without `tabindex` the keyboard could not scroll it. In links, nothing else can have the focus.
        Ok(mathml) if display && out.heading.is_none() && !out.in_link() => {
            out.inline_markup(&format!("<span class=\"math-block\" tabindex=\"0\">{mathml}</span>"));
        }
        Ok(mathml) => out.inline_markup(&mathml),
        Err(MathError { range: mistake, message }) => {
            let place = place(&latex, &mistake, range, out);
            let help = "correct the formula; write `\\$` for a dollar sign, and code between backticks";
            out.report(Rule::BadMath, place, format!("this formula can't be converted: {message}"), help);
            out.inline_markup("<code class=\"math\">");
            out.inline_text(&latex);
            out.inline_markup("</code>");
        }
    }
    let plain = latex.trim();
    out.plain_text(plain);
    out.previous = plain.chars().next_back();
}

/// The range of the parsed text of a mistake. It is the whole formula if its text differs from the parsed text, as in a quote of several lines.
fn place(latex: &str, mistake: &Range<usize>, range: &Range<usize>, out: &PageOutput<'_>) -> Range<usize> {
    if mistake.is_empty() && mistake.start == 0 || *mistake == (0..latex.len()) {
        return range.clone();
    }
    match out.page.text(range.clone()).find(latex) {
        Some(at) => range.start + at + mistake.start..range.start + at + mistake.end,
        None => range.clone(),
    }
}
