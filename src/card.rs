//! Preview images for shared links (Open Graph), 1200 × 630 pixels, as PNG. Independent of the knowledge base.
//!
//! An image has a palette of sixteen colours, enough for antialiased text on a plain background. The file has a few kilobytes, and drawing and
//! compressing it takes about a millisecond.

use std::sync::{Arc, Mutex, PoisonError};

use ab_glyph::{Font, FontRef, Glyph, GlyphId, PxScale, point};
use rustc_hash::FxHashMap;
use textwrap::WordSeparator;

/// The width in pixels that most services recommend.
pub const WIDTH: usize = 1200;
/// The height in pixels that most services recommend.
pub const HEIGHT: usize = 630;

/// M PLUS 1 Medium, which has Latin, Greek, Cyrillic, kana and the kanji of JIS X 0208. Its licence is in the same folder.
static FONT: &[u8] = include_bytes!("../fonts/Mplus1-Medium.otf");

const MARGIN: usize = 88;
/// The width between the margins.
const TEXT_WIDTH: usize = WIDTH - 2 * MARGIN;
/// The side of the square with the mark.
const MARK: usize = 60;
const SITE_SIZE: u16 = 34;
const LABEL_SIZE: u16 = 36;
/// Font sizes of the first title, in pixels per em; the largest that fits is used.
const TITLE_SIZES: [u16; 5] = [104, 88, 74, 62, 52];
const SMALLEST_TITLE_SIZE: u16 = TITLE_SIZES[TITLE_SIZES.len() - 1];
/// The most lines a title has; a longer title ends with an ellipsis.
const TITLE_LINES: usize = 2;
/// The line height in percent of the font size, so that neither Latin nor Japanese lines touch.
const LINE_HEIGHT: usize = 128;
/// The space between the first title and the second.
const TITLE_GAP: usize = 14;
/// The rows between which the titles are centered.
const TITLE_TOP: usize = 144;
const TITLE_BOTTOM: usize = 476;

/// The content of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// The name of the site.
    pub site: String,
    /// The title in each language with a distinct one. The first two are shown.
    pub titles: Vec<String>,
    /// One or two letters on a square in the colour; empty for no square.
    pub mark: String,
    /// The meaning of the mark, in each language.
    pub labels: Vec<String>,
    /// The number of the `--area-…` colour, from 1; 0 for the accent colour.
    pub colour: usize,
}

/// Red, green and blue.
type Rgb = [u8; 3];

/// The colours of a theme, those for light backgrounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colours {
    paper: Rgb,
    ink: Rgb,
    soft: Rgb,
    accent: Rgb,
    areas: Vec<Rgb>,
}

impl Colours {
    /// Reads `--paper`, `--ink`, `--soft`, `--accent` and `--area-1` … from a style sheet. A missing or computed colour gets a default.
    #[must_use]
    pub fn of(css: &str) -> Self {
        let found = |name: &str| {
            let value = css.split_once(&format!("{name}:"))?.1.split(';').next()?.trim();
            colour(value.strip_prefix("light-dark(").unwrap_or(value))
        };
        let ink = found("--ink").unwrap_or([0x1c, 0x25, 0x30]);
        Self {
            paper: found("--paper").unwrap_or([0xff; 3]),
            ink,
            soft: found("--soft").unwrap_or([0x56, 0x5e, 0x69]),
            accent: found("--accent").unwrap_or(ink),
            areas: (1..).map_while(|number| found(&format!("--area-{number}"))).collect(),
        }
    }

    fn area(&self, number: usize) -> Rgb {
        number.checked_sub(1).and_then(|index| self.areas.get(index)).copied().unwrap_or(self.accent)
    }
}

/// The absolute CSS color at the beginning of a value, such as `#1c2530` or `oklch(50% .125 262)`, clipped to sRGB.
fn colour(value: &str) -> Option<Rgb> {
    let (_, color) = color::parse_color_prefix(value).ok()?;
    let rgba = color.to_alpha_color::<color::Srgb>().to_rgba8();
    Some([rgba.r, rgba.g, rgba.b])
}

/// The palette entries for the shades of a colour, from the background (entry 0, not counted) to the full colour.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PaletteRamp {
    /// The entry of the lightest shade.
    first: u8,
    steps: u8,
}

const INK: PaletteRamp = PaletteRamp { first: 1, steps: 7 };
const SOFT: PaletteRamp = PaletteRamp { first: 8, steps: 4 };
const AREA: PaletteRamp = PaletteRamp { first: 12, steps: 4 };

impl PaletteRamp {
    /// The entry for a pixel that is covered by so many 255ths.
    fn entry(self, coverage: u8) -> u8 {
        let step = (u16::from(coverage) * u16::from(self.steps) + 127) / 255;
        // At most the number of steps, so it fits.
        u8::try_from(step).map_or(0, |step| if step == 0 { 0 } else { self.first + step - 1 })
    }
}

/// A rasterized glyph.
#[derive(Debug)]
struct GlyphMask {
    /// The position of its left edge relative to the origin of the glyph.
    left: i32,
    /// The position of its top edge relative to the baseline.
    top: i32,
    width: usize,
    /// How far each pixel is covered, of 255, row by row.
    coverage: Vec<u8>,
}

/// A line of a title.
struct TitleLine {
    text: String,
    size: u16,
    ramp: PaletteRamp,
}

impl TitleLine {
    fn height(&self) -> usize {
        usize::from(self.size) * LINE_HEIGHT / 100
    }
}

/// Draws images. Caches the glyphs that it rasterizes.
#[derive(Debug)]
pub struct Painter {
    font: Option<FontRef<'static>>,
    colours: Colours,
    /// By glyph and font size.
    glyphs: Mutex<FxHashMap<(GlyphId, u16), Arc<GlyphMask>>>,
}

/// The pixels of an image: palette entries, two in a byte as in the file.
struct Canvas(Vec<u8>);

/// The bytes of a row.
const STRIDE: usize = WIDTH / 2;

impl Canvas {
    fn put(&mut self, x: usize, y: usize, entry: u8) {
        if x < WIDTH && y < HEIGHT {
            let byte = &mut self.0[y * STRIDE + x / 2];
            *byte = if x.is_multiple_of(2) { entry << 4 | *byte & 0x0f } else { *byte & 0xf0 | entry };
        }
    }

    /// Fills a rectangle. `x` and `width` must be even.
    fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, ramp: PaletteRamp) {
        let entry = ramp.entry(255);
        for row in y..(y + height).min(HEIGHT) {
            self.0[row * STRIDE + x.min(WIDTH) / 2..row * STRIDE + (x + width).min(WIDTH) / 2].fill(entry << 4 | entry);
        }
    }
}

impl Painter {
    /// Parses the font; draws nothing yet.
    #[must_use]
    pub fn new(colours: Colours) -> Self {
        Self { font: FontRef::try_from_slice(FONT).ok(), colours, glyphs: Mutex::default() }
    }

    /// Whether the font has every character of a text. A text with others is omitted rather than drawn with boxes.
    #[must_use]
    pub fn can_write(&self, text: &str) -> bool {
        let has_all = |font: &FontRef<'_>| text.chars().all(|c| c.is_whitespace() || font.glyph_id(c).0 != 0);
        self.font.as_ref().is_some_and(has_all)
    }

    /// The image as a PNG file; empty if encoding fails.
    #[must_use]
    pub fn paint(&self, card: &Card) -> Vec<u8> {
        let mut canvas = Canvas(vec![0; STRIDE * HEIGHT]);
        canvas.fill(0, 0, WIDTH, 14, AREA);
        self.write(&mut canvas, &card.site, (MARGIN, 108), SITE_SIZE, |coverage| SOFT.entry(coverage));
        self.titles(&mut canvas, card);
        let baseline = 556;
        let mut x = MARGIN;
        if !card.mark.is_empty() {
            canvas.fill(x, baseline - 45, MARK, MARK, AREA);
            let size = if card.mark.chars().count() > 1 { 30 } else { LABEL_SIZE };
            let left = (MARK.saturating_sub(self.width(&card.mark, size))) / 2;
            // The letters have the colour of the background.
            self.write(&mut canvas, &card.mark, (x + left, baseline - 2), size, |coverage| AREA.entry(u8::MAX - coverage));
            x += MARK + 24;
        }
        let labels: Vec<&str> = card.labels.iter().map(String::as_str).filter(|label| self.can_write(label)).collect();
        let labels = self.cut(&labels.join("  ·  "), LABEL_SIZE, WIDTH - MARGIN - x);
        self.write(&mut canvas, &labels, (x, baseline), LABEL_SIZE, |coverage| INK.entry(coverage));
        self.encode(&canvas, card.colour).unwrap_or_default()
    }

    /// Draws the titles in the largest size that fits, vertically centered.
    fn titles(&self, canvas: &mut Canvas, card: &Card) {
        let titles: Vec<&str> = card.titles.iter().map(String::as_str).filter(|title| self.can_write(title)).take(2).collect();
        let size = TITLE_SIZES.into_iter().find(|size| self.titles_fit(&titles, *size)).unwrap_or(SMALLEST_TITLE_SIZE);
        let lines = self.title_lines(&titles, size, TITLE_LINES);
        let height: usize = lines.iter().map(TitleLine::height).sum();
        let mut y = TITLE_TOP + (TITLE_BOTTOM - TITLE_TOP).saturating_sub(height) / 2;
        let mut previous = INK;
        for line in lines {
            if line.ramp != previous {
                y += TITLE_GAP;
            }
            previous = line.ramp;
            // The baseline is at four fifths of the line.
            let baseline = y + line.height() * 4 / 5;
            self.write(canvas, &line.text, (MARGIN, baseline), line.size, |coverage| line.ramp.entry(coverage));
            y += line.height();
        }
    }

    /// Whether titles in this size fit the space without being cut.
    fn titles_fit(&self, titles: &[&str], size: u16) -> bool {
        let lines = self.title_lines(titles, size, usize::MAX);
        let height: usize = lines.iter().map(TitleLine::height).sum();
        let is_short = |ramp| lines.iter().filter(|line| line.ramp == ramp).count() <= TITLE_LINES;
        let mut segments = titles.iter().flat_map(|title| break_segments(title));
        let has_room = segments.all(|segment| self.width(segment.trim_end(), size) <= TEXT_WIDTH);
        has_room && is_short(INK) && is_short(SOFT) && height + TITLE_GAP <= TITLE_BOTTOM - TITLE_TOP
    }

    /// The lines of the first title, in `size`, and of the second, which is smaller and lighter. Each has at most `max_lines`.
    fn title_lines(&self, titles: &[&str], size: u16, max_lines: usize) -> Vec<TitleLine> {
        let styles = [(size, INK), (size * 5 / 9, SOFT)];
        let lines = titles.iter().zip(styles).flat_map(|(title, (size, ramp))| {
            self.lines(title, size, TEXT_WIDTH, max_lines).into_iter().map(move |text| TitleLine { text, size, ramp })
        });
        lines.collect()
    }

    /// Wraps a text at the line breaks that its script allows, to lines of at most `room` pixels. Beyond `max_lines`, the last line ends with an ellipsis.
    fn lines(&self, text: &str, size: u16, room: usize, max_lines: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for segment in break_segments(text) {
            match lines.last_mut() {
                Some(line) if self.width(format!("{line}{segment}").trim_end(), size) <= room => line.push_str(&segment),
                _ => lines.push(segment),
            }
        }
        if lines.len() > max_lines {
            let rest = lines.split_off(max_lines - 1).concat();
            lines.push(format!("{}…", rest.trim_end()));
        }
        lines.iter().map(|line| self.cut(line.trim_end(), size, room)).collect()
    }

    /// Shortens a text to at most `room` pixels, with an ellipsis.
    fn cut(&self, text: &str, size: u16, room: usize) -> String {
        if self.width(text, size) <= room {
            return text.to_owned();
        }
        let characters: Vec<char> = text.trim_end_matches('…').chars().collect();
        let mut shortened =
            (0..characters.len()).rev().map(|length| characters[..length].iter().collect::<String>().trim_end().to_owned() + "…");
        shortened.find(|text| self.width(text, size) <= room).unwrap_or_default()
    }

    /// Draws a text from a position on its baseline. `entry` is the palette entry for a pixel that is covered by so many 255ths.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "places within a picture of some hundred pixels")]
    fn write(&self, canvas: &mut Canvas, text: &str, (x, baseline): (usize, usize), size: u16, entry: impl Fn(u8) -> u8) {
        let Some(font) = &self.font else { return };
        let mut origin = x as f32;
        for c in text.chars() {
            let id = font.glyph_id(c);
            let mask = self.mask(font, id, size);
            let (left, top) = (origin.round() as i32 + mask.left, i32::try_from(baseline).unwrap_or(i32::MAX / 2) + mask.top);
            for (y, row) in (top..).zip(mask.coverage.chunks_exact(mask.width)) {
                let Ok(y) = usize::try_from(y) else { continue };
                for (x, coverage) in (left..).zip(row).filter(|(_, coverage)| **coverage > 0) {
                    if let Ok(x) = usize::try_from(x) {
                        canvas.put(x, y, entry(*coverage));
                    }
                }
            }
            origin += advance(font, id, size);
        }
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a width of some thousand pixels")]
    fn width(&self, text: &str, size: u16) -> usize {
        let Some(font) = &self.font else { return 0 };
        text.chars().map(|c| advance(font, font.glyph_id(c), size)).sum::<f32>().ceil() as usize
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a letter of some hundred pixels, coverage between 0 and 1")]
    fn mask(&self, font: &FontRef<'_>, id: GlyphId, size: u16) -> Arc<GlyphMask> {
        let cache = || self.glyphs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mask) = cache().get(&(id, size)) {
            return mask.clone();
        }
        let glyph = Glyph { id, scale: scale(font, size), position: point(0.0, 0.0) };
        let mut mask = GlyphMask { left: 0, top: 0, width: 1, coverage: Vec::new() };
        if let Some(outline) = font.outline_glyph(glyph) {
            let bounds = outline.px_bounds();
            let (width, height) = (bounds.width().ceil() as usize, bounds.height().ceil() as usize);
            mask =
                GlyphMask { left: bounds.min.x as i32, top: bounds.min.y as i32, width: width.max(1), coverage: vec![0; width * height] };
            outline.draw(|x, y, coverage| {
                if let Some(pixel) = mask.coverage.get_mut(y as usize * width + x as usize) {
                    *pixel = (coverage.clamp(0.0, 1.0) * 255.0) as u8;
                }
            });
        }
        let mask = Arc::new(mask);
        cache().insert((id, size), mask.clone());
        mask
    }

    /// Encodes as PNG with sixteen colours.
    fn encode(&self, canvas: &Canvas, colour: usize) -> Option<Vec<u8>> {
        let mut palette = vec![self.colours.paper];
        for (ramp, full) in [(INK, self.colours.ink), (SOFT, self.colours.soft), (AREA, self.colours.area(colour))] {
            palette.extend((1..=ramp.steps).map(|step| mix(self.colours.paper, full, step, ramp.steps)));
        }
        let mut file = Vec::with_capacity(1 << 14);
        // Both are small numbers.
        let mut encoder = png::Encoder::new(&mut file, u32::try_from(WIDTH).ok()?, u32::try_from(HEIGHT).ok()?);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Four);
        encoder.set_palette(palette.concat());
        encoder.set_filter(png::Filter::NoFilter);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header().ok()?;
        writer.write_image_data(&canvas.0).ok()?;
        writer.finish().ok()?;
        Some(file)
    }
}

/// Splits a text where a line may end: at the line breaks of Unicode (UAX #14), and after hyphens, which ids contain.
fn break_segments(text: &str) -> Vec<String> {
    let words = WordSeparator::UnicodeBreakProperties.find_words(text);
    let parts = words.flat_map(|word| {
        let mut parts: Vec<String> = word.word.split_inclusive('-').map(str::to_owned).collect();
        if let Some(last) = parts.last_mut() {
            last.push_str(word.whitespace);
        }
        parts
    });
    parts.collect()
}

/// Interpolates linearly between two colours.
fn mix(from: Rgb, to: Rgb, step: u8, steps: u8) -> Rgb {
    let channel = |from: u8, to: u8| {
        let (step, steps) = (u16::from(step), u16::from(steps.max(1)));
        let mixed = (u16::from(from) * (steps - step) + u16::from(to) * step + steps / 2) / steps;
        u8::try_from(mixed).unwrap_or(to)
    };
    [channel(from[0], to[0]), channel(from[1], to[1]), channel(from[2], to[2])]
}

/// The scale at which an em has `size` pixels.
fn scale(font: &FontRef<'_>, size: u16) -> PxScale {
    let em = font.units_per_em().unwrap_or(1000.0);
    PxScale::from(f32::from(size) * font.height_unscaled() / em)
}

/// The advance width of a glyph in pixels.
fn advance(font: &FontRef<'_>, id: GlyphId, size: u16) -> f32 {
    font.h_advance_unscaled(id) * f32::from(size) / font.units_per_em().unwrap_or(1000.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const CSS: &str =
        ":root { --paper: light-dark(#ffffff, #000000); --ink: #000000; --area-1: light-dark(#0000ff, #00f); --area-2: #008000; }";

    fn painter() -> Painter {
        Painter::new(Colours::of(CSS))
    }

    /// The pixels of a picture as colours.
    fn pixels(file: &[u8]) -> Vec<Rgb> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((frame.width as usize, frame.height as usize, frame.color_type), (WIDTH, HEIGHT, png::ColorType::Rgb));
        bytes.as_chunks::<3>().0.to_vec()
    }

    /// The columns and lines that a colour reaches: left, top, right, bottom.
    fn bounds(pixels: &[Rgb], below: usize, colour: impl Fn(&Rgb) -> bool) -> Option<[usize; 4]> {
        let own = pixels.iter().enumerate().skip(below * WIDTH).filter(|(_, pixel)| colour(pixel)).map(|(at, _)| (at % WIDTH, at / WIDTH));
        own.fold(None, |known, (x, y)| {
            let [left, top, right, bottom] = known.unwrap_or([x, y, x, y]);
            Some([left.min(x), top.min(y), right.max(x), bottom.max(y)])
        })
    }

    #[test]
    fn colours_come_from_the_style_sheet() {
        let colours = Colours::of(CSS);
        assert_eq!((colours.paper, colours.area(2), colours.areas.len()), ([255; 3], [0, 128, 0], 2));
        assert_eq!(colours.area(0), colours.accent, "what has no colour has that of links");
        // Values from CSS Color 4: white, the red of sRGB, and a grey.
        let known = [("oklch(100% 0 0)", [255; 3]), ("oklch(62.796% .25768 29.234)", [255, 0, 0]), ("oklch(50% 0 0)", [99; 3])];
        for (text, expected) in known {
            assert_eq!(colour(text), Some(expected), "{text}");
        }
        assert_eq!((colour("red"), colour("#fff, x)")), (Some([255, 0, 0]), Some([255; 3])));
        assert_eq!((colour("var(--x)"), colour("#12"), colour("oklch(x)")), (None, None, None));
    }

    #[test]
    fn both_scripts_are_shown_within_the_margins() {
        let card = Card {
            site: "Site".to_owned(),
            titles: vec![
                "kube-controller-manager of a rather long-winded cluster".to_owned(),
                "とても長い名前のコンポーネントを説明するページ".to_owned(),
            ],
            mark: "C".to_owned(),
            labels: vec!["Control plane".to_owned(), "コントロールプレーン".to_owned()],
            colour: 1,
        };
        let all = pixels(&painter().paint(&card));
        let ink = bounds(&all, 20, |pixel| *pixel == [0; 3]).unwrap();
        assert!(ink[0] >= MARGIN && ink[2] < WIDTH - MARGIN / 2, "{ink:?}");
        let mark = bounds(&all, 20, |pixel| *pixel == [0, 0, 255]).unwrap();
        assert_eq!((mark[2] - mark[0], mark[3] - mark[1]), (MARK - 1, MARK - 1));
        let without = pixels(&painter().paint(&Card { titles: card.titles[..1].to_vec(), ..card.clone() }));
        assert_ne!(all, without, "the second title is there");
        assert_eq!(painter().paint(&card), painter().paint(&card));
    }

    #[test]
    fn lines_are_broken_where_the_script_may_be_broken() {
        let painter = painter();
        let lines = painter.lines("ノードのネットワークを監視するエージェント", 104, 1024, 9);
        assert!(lines.len() > 1 && lines.iter().all(|line| painter.width(line, 104) <= 1024), "{lines:?}");
        assert!(lines.iter().all(|line| !line.starts_with(['ー', 'ッ', 'ェ'])), "{lines:?}");
        let cut = painter.lines(&"word ".repeat(80), 52, 1024, 2);
        assert!(cut.len() == 2 && cut[1].ends_with('…') && painter.width(&cut[1], 52) <= 1024, "{cut:?}");
        let id = painter.lines("antrea-controller-horizontal-autoscaler", 88, 1024, 2);
        assert_eq!(id, ["antrea-controller-", "horizontal-autoscaler"]);
        assert!(painter.width(&painter.cut(&"a".repeat(300), 52, 1024), 52) <= 1024);
    }

    #[test]
    fn what_the_font_lacks_is_left_out() {
        let painter = painter();
        assert!(painter.can_write("CoreDNSとkube-proxy") && !painter.can_write("مكوّن"));
        let card = |titles: &[&str]| Card { titles: titles.iter().map(|&title| title.to_owned()).collect(), ..Card::default() };
        assert_eq!(painter.paint(&card(&["etcd", "مكوّن"])), painter.paint(&card(&["etcd"])));
    }
}
