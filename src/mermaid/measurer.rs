//! The size of labels for merman, by [`crate::diagram::measure`].

use merman::svg::{TextMeasurer, TextMetrics, TextStyle, WrapMode};

use crate::diagram::measure::{LABEL_SIZE, width};

/// The distance between the base lines of a label, as a multiple of the text size. Merman assumes the same.
pub(super) const ROW: f64 = 1.1;
/// The height of a label of one line, as a multiple of the text size.
const FIRST_ROW: f64 = 1.2;

/// The height of a label at [`LABEL_SIZE`], as merman computes it.
pub(super) fn height(rows: usize) -> f64 {
    let more = u32::try_from(rows.saturating_sub(1)).unwrap_or(u32::MAX);
    ROW.mul_add(f64::from(more), FIRST_ROW) * LABEL_SIZE
}

/// Measures with the widths of the widest common font, so that a label fits its box in every font.
#[derive(Debug)]
pub(super) struct Measurer;

impl Measurer {
    fn row(text: &str, style: &TextStyle) -> f64 {
        let bold = style.font_weight.as_deref().is_some_and(|weight| !matches!(weight, "normal" | "400"));
        // No combination of letters is more than a tenth wider in bold.
        width(text, style.font_size) * if bold { 1.1 } else { 1.0 }
    }

    fn rows(text: &str, style: &TextStyle, count: usize) -> TextMetrics {
        let width = text.lines().map(|line| Self::row(line, style)).fold(0.0, f64::max);
        TextMetrics { width, height: height(count) / LABEL_SIZE * style.font_size, line_count: count }
    }
}

impl TextMeasurer for Measurer {
    fn measure(&self, text: &str, style: &TextStyle) -> TextMetrics {
        Self::rows(text, style, text.lines().count().max(1))
    }

    fn measure_wrapped(&self, text: &str, style: &TextStyle, max_width: Option<f64>, _: WrapMode) -> TextMetrics {
        let Some(limit) = max_width.filter(|limit| limit.is_finite() && *limit > 0.0) else { return self.measure(text, style) };
        let mut count = 0;
        let mut widest = 0.0_f64;
        for line in text.lines() {
            let mut done = 0.0;
            count += 1;
            // A word that is longer than a line, such as a Japanese sentence, is broken.
            for word in line.split_inclusive(' ') {
                let word = Self::row(word, style);
                if done > 0.0 && done + word > limit {
                    count += 1;
                    done = 0.0;
                }
                done += word;
                while done > limit {
                    widest = limit;
                    count += 1;
                    done -= limit;
                }
            }
            widest = widest.max(done);
        }
        TextMetrics { width: widest, ..Self::rows("", style, count.max(1)) }
    }
}
