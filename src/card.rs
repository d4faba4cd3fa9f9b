//! Pictures that show what a page is about where somebody shares its address: 1200 × 630 pixels, as PNG. Knows nothing of components.
//!
//! Sixteen colours are enough for calm text on paper, and make a picture of a few kilobytes that is drawn and packed within a millisecond or so.

use std::sync::{Arc, Mutex, PoisonError};

use ab_glyph::{Font, FontRef, Glyph, GlyphId, PxScale, point};
use rustc_hash::FxHashMap;
use textwrap::WordSeparator;

/// The width, in pixels: what most services ask for.
pub const WIDTH: usize = 1200;
/// The height, in pixels.
pub const HEIGHT: usize = 630;

/// The letters: M PLUS 1 Medium, which has Latin, Greek, Cyrillic, kana and the kanji of JIS X 0208. Its licence lies beside it.
static FONT: &[u8] = include_bytes!("../fonts/Mplus1-Medium.otf");

const MARGIN: usize = 88;
/// The side of the square with the mark.
const MARK: usize = 60;
const SITE_SIZE: u16 = 34;
const LABEL_SIZE: u16 = 36;
/// Sizes of the first title, the largest that fits is taken; the second is smaller by [`SECOND`].
const TITLE_SIZES: [u16; 5] = [104, 88, 74, 62, 52];
const SECOND: (u16, u16) = (5, 9);
/// A title has so many lines at most; what does not fit ends with an ellipsis.
const TITLE_LINES: usize = 2;
/// Lines are so far apart, in hundredths of the size: letters of both scripts stand clear of each other.
const LEADING: usize = 128;
/// Between the first title and the second.
const GAP: usize = 14;
/// The titles stand between these heights.
const TITLES: (usize, usize) = (144, 476);

/// What a picture shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// The name of the site.
    pub site: String,
    /// The title, in each language that has one of its own. Two are shown.
    pub titles: Vec<String>,
    /// One or two letters on the colour; none for what belongs nowhere.
    pub mark: String,
    /// What the mark stands for, in each language.
    pub labels: Vec<String>,
    /// The number of the colour, from 1; 0 for what has none.
    pub colour: usize,
}

/// Red, green and blue.
type Rgb = [u8; 3];

/// The colours of a theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colours {
    paper: Rgb,
    ink: Rgb,
    soft: Rgb,
    accent: Rgb,
    areas: Vec<Rgb>,
}

impl Colours {
    /// The colours that a style sheet gives to its custom properties, those for light backgrounds; what it does not say is as in a plain page.
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

/// A colour as it stands at the beginning of a value: `#1c2530`, or `oklch(50% .125 262)`.
fn colour(value: &str) -> Option<Rgb> {
    if let Some(hex) = value.strip_prefix('#') {
        let number = u32::from_str_radix(hex.get(..6)?, 16).ok()?.to_be_bytes();
        return Some([number[1], number[2], number[3]]);
    }
    let mut numbers = value.strip_prefix("oklch(")?.split(')').next()?.split_whitespace();
    let lightness = numbers.next()?.strip_suffix('%')?.parse::<f64>().ok()? / 100.0;
    let (chroma, hue) = (numbers.next()?.parse::<f64>().ok()?, numbers.next()?.parse::<f64>().ok()?.to_radians());
    Some(oklch(lightness, chroma, hue))
}

/// Oklch to sRGB; what no screen shows is cut off. The matrices are those of Björn Ottosson's definition of Oklab, as in CSS Color 4, section 9.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cut off to a byte")]
fn oklch(lightness: f64, chroma: f64, hue: f64) -> Rgb {
    const TO_CONES: [[f64; 3]; 3] =
        [[1.0, 0.396_337_777_4, 0.215_803_757_3], [1.0, -0.105_561_345_8, -0.063_854_172_8], [1.0, -0.089_484_177_5, -1.291_485_548]];
    const TO_LINEAR: [[f64; 3]; 3] = [
        [4.076_741_662_1, -3.307_711_591_3, 0.230_969_929_2],
        [-1.268_438_004_6, 2.609_757_401_1, -0.341_319_396_5],
        [-0.004_196_086_3, -0.703_418_614_7, 1.707_614_701],
    ];
    let times = |matrix: [[f64; 3]; 3], vector: [f64; 3]| matrix.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum::<f64>());
    let cones = times(TO_CONES, [lightness, chroma * hue.cos(), chroma * hue.sin()]).map(|cone| cone.powi(3));
    times(TO_LINEAR, cones).map(|part| {
        let part = part.clamp(0.0, 1.0);
        let encoded = if part <= 0.003_130_8 { 12.92 * part } else { 1.055_f64.mul_add(part.powf(1.0 / 2.4), -0.055) };
        (encoded * 255.0).round() as u8
    })
}

/// One of the three colours on paper, by the place of its ramp in the palette and how many steps it has.
#[derive(Clone, Copy)]
struct Pen {
    first: u8,
    steps: u8,
}

const INK: Pen = Pen { first: 1, steps: 7 };
const SOFT: Pen = Pen { first: 8, steps: 4 };
const AREA: Pen = Pen { first: 12, steps: 4 };

impl Pen {
    /// The entry of the palette for paper that is covered so far, of 255.
    fn at(self, covered: u8) -> u8 {
        let step = (u16::from(covered) * u16::from(self.steps) + 127) / 255;
        // At most the number of steps, so it fits.
        u8::try_from(step).map_or(0, |step| if step == 0 { 0 } else { self.first + step - 1 })
    }

    /// The entries for everything from nothing to all of it.
    fn on_paper(self) -> [u8; 256] {
        let mut entries = [0; 256];
        entries.iter_mut().zip(0..=u8::MAX).for_each(|(entry, covered)| *entry = self.at(covered));
        entries
    }

    /// The same for a pen in the colour of paper on a ground of this colour.
    fn as_ground(self) -> [u8; 256] {
        let mut entries = self.on_paper();
        entries.reverse();
        entries
    }
}

/// A letter as a picture of how far each pixel is covered.
struct Mask {
    left: i32,
    top: i32,
    width: usize,
    covered: Vec<u8>,
}

/// Draws pictures. Letters that were drawn once are kept.
pub struct Painter {
    font: Option<FontRef<'static>>,
    colours: Colours,
    masks: Mutex<FxHashMap<(GlyphId, u16), Arc<Mask>>>,
}

impl std::fmt::Debug for Painter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Painter")
    }
}

/// The picture while it is drawn: an entry of the palette for each pixel, two in a byte as in the file.
struct Canvas(Vec<u8>);

/// Bytes of a line.
const LINE: usize = WIDTH / 2;

impl Canvas {
    fn put(&mut self, x: usize, y: usize, entry: u8) {
        if x < WIDTH && y < HEIGHT {
            let byte = &mut self.0[y * LINE + x / 2];
            *byte = if x.is_multiple_of(2) { entry << 4 | *byte & 0x0f } else { *byte & 0xf0 | entry };
        }
    }

    /// Fills a rectangle whose sides lie at even columns.
    fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, pen: Pen) {
        let entry = pen.at(255);
        for row in y..(y + height).min(HEIGHT) {
            self.0[row * LINE + x.min(WIDTH) / 2..row * LINE + (x + width).min(WIDTH) / 2].fill(entry << 4 | entry);
        }
    }
}

impl Painter {
    /// Gets ready to draw in some colours.
    #[must_use]
    pub fn new(colours: Colours) -> Self {
        Self { font: FontRef::try_from_slice(FONT).ok(), colours, masks: Mutex::default() }
    }

    /// Whether the font has every letter of a text. What it cannot show is better left out than shown as boxes.
    #[must_use]
    pub fn can_write(&self, text: &str) -> bool {
        let known = |font: &FontRef<'_>| text.chars().all(|c| c.is_whitespace() || font.glyph_id(c).0 != 0);
        self.font.as_ref().is_some_and(known)
    }

    /// The picture, as a PNG file. Empty where it cannot be made.
    #[must_use]
    pub fn paint(&self, card: &Card) -> Vec<u8> {
        let mut canvas = Canvas(vec![0; LINE * HEIGHT]);
        canvas.fill(0, 0, WIDTH, 14, AREA);
        self.write(&mut canvas, &card.site, MARGIN, 108, SITE_SIZE, SOFT);
        self.titles(&mut canvas, card);
        let baseline = 556;
        let mut x = MARGIN;
        if !card.mark.is_empty() {
            canvas.fill(x, baseline - 45, MARK, MARK, AREA);
            let size = if card.mark.chars().count() > 1 { 30 } else { LABEL_SIZE };
            let left = (MARK.saturating_sub(self.width(&card.mark, size))) / 2;
            self.write_with(&mut canvas, &card.mark, x + left, baseline - 2, size, &AREA.as_ground());
            x += MARK + 24;
        }
        let labels: Vec<&str> = card.labels.iter().map(String::as_str).filter(|label| self.can_write(label)).collect();
        self.write(&mut canvas, &self.cut(&labels.join("  ·  "), LABEL_SIZE, WIDTH - MARGIN - x), x, baseline, LABEL_SIZE, INK);
        self.pack(&canvas, card.colour).unwrap_or_default()
    }

    /// The titles, as large as they fit, in the middle of their room.
    fn titles(&self, canvas: &mut Canvas, card: &Card) {
        let shown: Vec<&str> = card.titles.iter().map(String::as_str).filter(|title| self.can_write(title)).take(2).collect();
        let room = WIDTH - 2 * MARGIN;
        let laid_out = |size: u16, most: usize| -> Vec<(String, u16, Pen)> {
            let sizes = [(size, INK), (size * SECOND.0 / SECOND.1, SOFT)];
            let lines = shown
                .iter()
                .zip(sizes)
                .flat_map(|(title, (size, pen))| self.lines(title, size, room, most).into_iter().map(move |line| (line, size, pen)));
            lines.collect()
        };
        let height = |lines: &[(String, u16, Pen)]| lines.iter().map(|(_, size, _)| usize::from(*size) * LEADING / 100).sum::<usize>();
        let available = TITLES.1 - TITLES.0;
        let fits = |size: &u16| {
            let whole = laid_out(*size, usize::MAX);
            let of = |pen: Pen| whole.iter().filter(|(.., own)| own.first == pen.first).count();
            let pieces = || shown.iter().flat_map(|title| pieces(title));
            let is_whole = pieces().all(|piece| self.width(piece.trim_end(), *size) <= room);
            is_whole && of(INK) <= TITLE_LINES && of(SOFT) <= TITLE_LINES && height(&whole) + GAP <= available
        };
        let smallest = TITLE_SIZES[TITLE_SIZES.len() - 1];
        let size = TITLE_SIZES.into_iter().find(fits).unwrap_or(smallest);
        let lines = laid_out(size, TITLE_LINES);
        let mut y = TITLES.0 + available.saturating_sub(height(&lines)) / 2;
        let mut before = INK;
        for (line, size, pen) in lines {
            // The second title stands a little away from the first.
            y += if before.first == pen.first { 0 } else { GAP };
            before = pen;
            let step = usize::from(size) * LEADING / 100;
            // The base of the letters lies at four fifths of the line.
            self.write(canvas, &line, MARGIN, y + step * 4 / 5, size, pen);
            y += step;
        }
    }

    /// A text as lines that are no wider than the room, broken where its script may be broken; the last one is cut where there are too many.
    fn lines(&self, text: &str, size: u16, room: usize, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for piece in pieces(text) {
            match lines.last_mut() {
                Some(line) if self.width(format!("{line}{piece}").trim_end(), size) <= room => line.push_str(&piece),
                _ => lines.push(piece),
            }
        }
        if lines.len() > most {
            let rest = lines.split_off(most - 1).concat();
            lines.push(format!("{}…", rest.trim_end()));
        }
        lines.iter().map(|line| self.cut(line.trim_end(), size, room)).collect()
    }

    /// A text that is no wider than the room.
    fn cut(&self, text: &str, size: u16, room: usize) -> String {
        if self.width(text, size) <= room {
            return text.to_owned();
        }
        let letters: Vec<char> = text.trim_end_matches('…').chars().collect();
        let kept = (0..letters.len()).rev().map(|length| letters[..length].iter().collect::<String>().trim_end().to_owned() + "…");
        kept.into_iter().find(|text| self.width(text, size) <= room).unwrap_or_default()
    }

    fn write(&self, canvas: &mut Canvas, text: &str, x: usize, baseline: usize, size: u16, pen: Pen) {
        self.write_with(canvas, text, x, baseline, size, &pen.on_paper());
    }

    /// Writes with the entries of a pen for each coverage.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "places within a picture of some hundred pixels")]
    fn write_with(&self, canvas: &mut Canvas, text: &str, x: usize, baseline: usize, size: u16, entries: &[u8; 256]) {
        let Some(font) = &self.font else { return };
        let mut pen = x as f32;
        for c in text.chars() {
            let id = font.glyph_id(c);
            let mask = self.mask(font, id, size);
            let (left, top) = (pen.round() as i32 + mask.left, i32::try_from(baseline).unwrap_or(i32::MAX / 2) + mask.top);
            for (y, line) in (top..).zip(mask.covered.chunks_exact(mask.width)) {
                let Ok(y) = usize::try_from(y) else { continue };
                for (x, covered) in (left..).zip(line).filter(|(_, covered)| **covered > 0) {
                    if let Ok(x) = usize::try_from(x) {
                        canvas.put(x, y, entries[usize::from(*covered)]);
                    }
                }
            }
            pen += advance(font, id, size);
        }
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a width of some thousand pixels")]
    fn width(&self, text: &str, size: u16) -> usize {
        let Some(font) = &self.font else { return 0 };
        text.chars().map(|c| advance(font, font.glyph_id(c), size)).sum::<f32>().ceil() as usize
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a letter of some hundred pixels, coverage between 0 and 1")]
    fn mask(&self, font: &FontRef<'_>, id: GlyphId, size: u16) -> Arc<Mask> {
        let kept = || self.masks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mask) = kept().get(&(id, size)) {
            return mask.clone();
        }
        let glyph = Glyph { id, scale: scale(font, size), position: point(0.0, 0.0) };
        let mut mask = Mask { left: 0, top: 0, width: 1, covered: Vec::new() };
        if let Some(outline) = font.outline_glyph(glyph) {
            let bounds = outline.px_bounds();
            let (width, height) = (bounds.width().ceil() as usize, bounds.height().ceil() as usize);
            mask = Mask { left: bounds.min.x as i32, top: bounds.min.y as i32, width: width.max(1), covered: vec![0; width * height] };
            outline.draw(|x, y, covered| {
                if let Some(pixel) = mask.covered.get_mut(y as usize * width + x as usize) {
                    *pixel = (covered.clamp(0.0, 1.0) * 255.0) as u8;
                }
            });
        }
        let mask = Arc::new(mask);
        kept().insert((id, size), mask.clone());
        mask
    }

    /// The picture as a file.
    fn pack(&self, canvas: &Canvas, colour: usize) -> Option<Vec<u8>> {
        let mut palette = vec![self.colours.paper];
        for (pen, full) in [(INK, self.colours.ink), (SOFT, self.colours.soft), (AREA, self.colours.area(colour))] {
            palette.extend((1..=pen.steps).map(|step| between(self.colours.paper, full, step, pen.steps)));
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

/// A text in parts between which a line may end: where its script allows it, and behind hyphens, as ids have them.
fn pieces(text: &str) -> Vec<String> {
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

/// The colour that is so many steps of the way from one to the other.
fn between(from: Rgb, to: Rgb, step: u8, steps: u8) -> Rgb {
    let mix = |from: u8, to: u8| {
        let (step, steps) = (u16::from(step), u16::from(steps.max(1)));
        let mixed = (u16::from(from) * (steps - step) + u16::from(to) * step + steps / 2) / steps;
        u8::try_from(mixed).unwrap_or(to)
    };
    [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])]
}

/// The scale at which an em is so many pixels.
fn scale(font: &FontRef<'_>, size: u16) -> PxScale {
    let em = font.units_per_em().unwrap_or(1000.0);
    PxScale::from(f32::from(size) * font.height_unscaled() / em)
}

/// How far a letter moves the pen.
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
        assert_eq!((colour("red"), colour("#12"), colour("oklch(x)")), (None, None, None));
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
