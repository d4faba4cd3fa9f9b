//! A graph to a drawing: grounds as bands one below the other, columns from left to right along the arrows.
//!
//! Nodes of a ground that have the same arrows share one block, and their arrows; arrows to one node join where they pass other columns. Both are what makes
//! a drawing of a whole system readable. Boxes and words stand in columns, lines climb only between them, so no line crosses a box. Nodes without arrows
//! stand at the foot of the columns.

use super::{
    Arrow, BoxShape, Drawing, Graph, GroundShape, Node, Rect, Words,
    blocks::{
        BOX, Block, Blocks, FRAME, INNER_GAP, LANE_LINE, Link, Word, add_stops, blocks, box_width, lane_height, place_words, widest, words,
    },
    measure::{SMALL_SIZE, width},
    order::{Item, order},
    place::{BLOCK_GAP, LINE_GAP, centres},
    rank::ranks,
};

/// Between columns, without what is written there.
const COLUMN_GAP: f64 = 56.0;
/// How far a line runs level at its ends, so that its head points the right way.
const LEVEL: f64 = 10.0;
/// Inside a ground.
const GROUND_PADDING: f64 = 14.0;
/// The height of a ground's label.
const GROUND_LABEL: f64 = 28.0;
/// Above what stands on no ground: room for the words of an arrow.
const BARE_TOP: f64 = 4.0;
/// Between grounds.
const GROUND_GAP: f64 = 14.0;
/// Between a word on an arrow and what surrounds it.
const WORD_GAP: f64 = 10.0;
/// Where nothing has arrows, rows of boxes are about as wide as this.
const ROW: f64 = 560.0;

/// Gives everything its place.
#[must_use]
pub fn layout(graph: &Graph) -> Drawing {
    let bands = Bands::new(graph);
    let band_of: Vec<usize> = graph.nodes.iter().map(|node| bands.of(ground_of(graph, node))).collect();
    let Blocks { all: mut blocks, loose, mut links } = blocks(graph, &band_of, bands.grounds.len());
    let pairs: Vec<(usize, usize)> = links.iter().map(|link| (link.from, link.to)).collect();
    let (ranks, turned) = ranks(blocks.len(), &pairs);
    for (link, turned) in links.iter_mut().zip(turned) {
        if turned {
            std::mem::swap(&mut link.from, &mut link.to);
            link.turned = true;
        }
    }
    if graph.words {
        place_words(&mut links, &mut blocks);
    }
    let mut items: Vec<Item> = blocks.iter().zip(&ranks).map(|(block, &column)| Item { column, band: block.band }).collect();
    let steps = add_stops(&mut links, &mut items, blocks.len());
    let columns = order(&items, &steps);
    let tall = |item: usize| blocks.get(item).map_or(0.0, |block| block.height);
    let centres = centres(&items, &columns, &steps, &tall);
    let lanes = lanes(&links, &items, &centres, blocks.len());
    Page { graph, bands, blocks, loose, links, items, columns, centres, lanes }.draw()
}

/// The rows of grounds: nodes without one come first.
struct Bands {
    /// The ground of each band.
    grounds: Vec<Option<usize>>,
}

impl Bands {
    fn new(graph: &Graph) -> Self {
        let bare = graph.nodes.iter().any(|node| ground_of(graph, node).is_none());
        let grounds = bare.then_some(None).into_iter().chain((0..graph.grounds.len()).map(Some));
        Self { grounds: grounds.collect() }
    }

    fn of(&self, ground: Option<usize>) -> usize {
        self.grounds.iter().position(|known| *known == ground).unwrap_or(0)
    }
}

fn ground_of(graph: &Graph, node: &Node) -> Option<usize> {
    node.ground.filter(|ground| *ground < graph.grounds.len())
}

/// The lanes of each block from top to bottom, by what is written in them, so that arrows leave in the order in which they arrive. The words of arrows that
/// have them elsewhere are empty here. Blocks without lanes have none.
fn lanes(links: &[Link], items: &[Item], centres: &[f64], blocks: usize) -> Vec<Vec<[String; 2]>> {
    let lanes_of = |block: usize| {
        let leaving = || links.iter().filter(move |link| link.from == block);
        if leaving().all(|link| link.word != Word::Lane) {
            return Vec::new();
        }
        // Where each leads next: to its first stop, else to its end.
        let height = |link: &Link| {
            let next = link.stops.first().copied().unwrap_or(link.to);
            (items[next].band, centres[next])
        };
        let mut keyed: Vec<((usize, f64), [String; 2])> = leaving().map(|link| (height(link), lane_of(link))).collect();
        keyed.sort_by(|a, b| a.0.0.cmp(&b.0.0).then(a.0.1.total_cmp(&b.0.1)));
        let mut lanes: Vec<[String; 2]> = Vec::new();
        for (_, lane) in keyed {
            if !lanes.contains(&lane) {
                lanes.push(lane);
            }
        }
        lanes
    };
    (0..blocks).map(lanes_of).collect()
}

fn lane_of(link: &Link) -> [String; 2] {
    if link.word == Word::Lane { words(link) } else { Default::default() }
}

/// How wide the words of an arrow are.
fn written(link: &Link) -> f64 {
    words(link).iter().map(|text| width(text, SMALL_SIZE)).fold(0.0, f64::max)
}

/// Where a column lies, and what is written on its right side.
#[derive(Clone, Copy, Default)]
struct Span {
    x: f64,
    width: f64,
    /// Room for words that begin at its right edge; lines climb to the right of it.
    words: f64,
    /// Room for words that end at its left edge; lines climb to the left of it.
    words_before: f64,
}

impl Span {
    const fn right(&self) -> f64 {
        self.x + self.width
    }
}

/// Everything that is known before anything has its final place.
struct Page<'a> {
    graph: &'a Graph,
    bands: Bands,
    blocks: Vec<Block>,
    loose: Vec<Vec<usize>>,
    links: Vec<Link>,
    items: Vec<Item>,
    columns: Vec<Vec<usize>>,
    centres: Vec<f64>,
    lanes: Vec<Vec<[String; 2]>>,
}

/// A box at the foot of a column: which node, and its place in the column.
struct Foot {
    node: usize,
    column: usize,
    row: usize,
}

impl Page<'_> {
    fn draw(&self) -> Drawing {
        let left = if self.graph.grounds.is_empty() { 1.0 } else { GROUND_PADDING };
        let feet: Vec<Vec<Foot>> = self.loose.iter().map(|members| self.feet(members)).collect();
        let columns = self.column_spans(left, &feet);
        let mut drawing = Drawing::default();
        let mut used = columns.last().map_or(0.0, |last| last.right() - left);
        let mut y = 0.0;
        let mut tops = Vec::new();
        for (band, ground) in self.bands.grounds.iter().enumerate() {
            let height = self.band_height(band);
            if height <= 0.0 && self.loose[band].is_empty() {
                tops.push(y);
                continue;
            }
            let ground = ground.map(|ground| &self.graph.grounds[ground]);
            let top = y + if ground.is_some() { GROUND_LABEL } else { BARE_TOP };
            tops.push(top);
            let mut end = top + height;
            if !self.loose[band].is_empty() {
                let start = if height > 0.0 { end + BLOCK_GAP } else { end };
                end = if columns.is_empty() {
                    let (end, reached) = self.rows(&self.loose[band], (left, start), &mut drawing);
                    used = used.max(reached - left);
                    end
                } else {
                    self.fill_feet(&feet[band], &columns, start, &mut drawing)
                };
            }
            if let Some(ground) = ground {
                used = used.max(width(&ground.label, SMALL_SIZE) + 24.0);
                end += GROUND_PADDING;
                let rect = Rect { x: 0.5, y: y + 0.5, width: 0.0, height: end - y - 1.0 };
                drawing.grounds.push(GroundShape { rect, ground: ground.clone() });
            }
            y = end + GROUND_GAP;
        }
        drawing.width = (used + 2.0 * left).ceil();
        drawing.height = (y - GROUND_GAP + 1.0).max(1.0).ceil();
        for ground in &mut drawing.grounds {
            ground.rect.width = drawing.width - 1.0;
        }
        let rects: Vec<Rect> = (0..self.blocks.len()).map(|block| self.block_rect(&columns, &tops, block)).collect();
        for (block, rect) in self.blocks.iter().zip(&rects) {
            self.fill(block, rect, &mut drawing);
        }
        drawing.arrows = self.links.iter().map(|link| self.arrow(&columns, &tops, &rects, link)).collect();
        drawing
    }

    /// How high the blocks and lines of a band reach.
    fn band_height(&self, band: usize) -> f64 {
        let of_band = (0..self.items.len()).filter(|&item| self.items[item].band == band);
        let foot = |item: usize| self.centres[item] + self.blocks.get(item).map_or(LINE_GAP, |block| block.height) / 2.0;
        of_band.map(foot).fold(0.0, f64::max)
    }

    /// Deals nodes without arrows to the columns, each to the shortest foot.
    fn feet(&self, members: &[usize]) -> Vec<Foot> {
        let mut rows = vec![0usize; self.columns.len()];
        let deal = |&node: &usize| {
            let column = (0..rows.len()).min_by_key(|&column| (rows[column], column))?;
            rows[column] += 1;
            Some(Foot { node, column, row: rows[column] - 1 })
        };
        members.iter().filter_map(deal).collect()
    }

    fn column_spans(&self, left: f64, feet: &[Vec<Foot>]) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        let mut x = left;
        for (column, items) in self.columns.iter().enumerate() {
            let blocks = items.iter().filter_map(|&item| self.blocks.get(item)).map(|block| block.width);
            let feet = feet.iter().flatten().filter(|foot| foot.column == column).map(|foot| box_width(&self.graph.nodes[foot.node]));
            // The label of a ground stands above the first column, where no arrow crosses it.
            let labels = self.bands.grounds.iter().flatten().filter(|_| column == 0);
            let labels = labels.map(|&ground| width(&self.graph.grounds[ground].label, SMALL_SIZE));
            let size = blocks.chain(feet).chain(labels).fold(0.0, f64::max).ceil();
            let room = |link: &Link| if written(link) > 0.0 { written(link) + WORD_GAP } else { 0.0 };
            let begin =
                self.links.iter().filter(|link| matches!(link.word, Word::Left | Word::Lane) && self.items[link.from].column == column);
            let end = self.links.iter().filter(|link| link.word == Word::Right && self.items[link.to].column == column);
            let (words, words_before) = (begin.map(room).fold(0.0, f64::max), end.map(room).fold(0.0, f64::max));
            x += words_before;
            spans.push(Span { x, width: size, words, words_before });
            x += (size + words + COLUMN_GAP + self.room_to_climb(column)).ceil();
        }
        spans
    }

    /// What lines need between a column and the next beside the least: the steeper they are, and the more of them change their ground, the more.
    fn room_to_climb(&self, column: usize) -> f64 {
        let mut changes = 0.0;
        let mut steepest: f64 = 0.0;
        for link in &self.links {
            let stops = [link.from].into_iter().chain(link.stops.iter().copied()).chain([link.to]).collect::<Vec<_>>();
            let step = stops.windows(2).find(|step| self.items[step[0]].column == column);
            let Some(&[from, to]) = step else { continue };
            if self.items[from].band == self.items[to].band {
                steepest = steepest.max((self.centres[from] - self.centres[to]).abs());
            } else {
                changes += 2.0;
            }
        }
        f64::max(steepest / 6.0, changes).min(48.0)
    }

    /// Boxes in rows, from left to right; returns where the rows end and how far they reach.
    fn rows(&self, members: &[usize], (left, top): (f64, f64), drawing: &mut Drawing) -> (f64, f64) {
        let (mut x, mut y, mut reached) = (left, top, left);
        for &member in members {
            let node = &self.graph.nodes[member];
            let size = box_width(node);
            if x > left && x + size > left + ROW {
                x = left;
                y += BOX + INNER_GAP;
            }
            drawing.boxes.push(BoxShape { rect: Rect { x, y, width: size, height: BOX }, node: node.clone() });
            reached = reached.max(x + size);
            x += size + INNER_GAP;
        }
        (y + BOX, reached)
    }

    /// Boxes at the feet of columns; returns where they end.
    #[allow(clippy::cast_precision_loss, reason = "far fewer than 2^52 boxes")]
    fn fill_feet(&self, feet: &[Foot], columns: &[Span], top: f64, drawing: &mut Drawing) -> f64 {
        let mut end = top;
        for foot in feet {
            let span = &columns[foot.column];
            let of_column: Vec<usize> = feet.iter().filter(|other| other.column == foot.column).map(|other| other.node).collect();
            let size = widest(self.graph, &of_column);
            let y = top + foot.row as f64 * (BOX + INNER_GAP);
            // In line with the blocks above, which stand at the right edge.
            let x = if foot.column + 1 == columns.len() { span.x } else { span.right() - size };
            drawing.boxes.push(BoxShape { rect: Rect { x, y, width: size, height: BOX }, node: self.graph.nodes[foot.node].clone() });
            end = f64::max(end, y + BOX);
        }
        end
    }

    fn block_rect(&self, columns: &[Span], tops: &[f64], index: usize) -> Rect {
        let block = &self.blocks[index];
        let column = self.items[index].column;
        let span = &columns[column];
        // Blocks stand at the right edge of their column, where their arrows begin; in the last one at the left, where they end.
        let x = if column + 1 == columns.len() { span.x } else { span.right() - block.width };
        let y = (tops[block.band] + self.centres[index] - block.height / 2.0).round();
        Rect { x, y, width: block.width, height: block.height }
    }

    /// Puts the members of a block into its rectangle.
    #[allow(clippy::cast_precision_loss, reason = "far fewer than 2^52 boxes")]
    fn fill(&self, block: &Block, rect: &Rect, drawing: &mut Drawing) {
        let node = |member: usize| self.graph.nodes[member].clone();
        if let [only] = block.members.as_slice() {
            drawing.boxes.push(BoxShape { rect: *rect, node: node(*only) });
            return;
        }
        drawing.frames.push(*rect);
        let size = widest(self.graph, &block.members);
        let rows = block.members.len().div_ceil(block.columns);
        let grid = super::blocks::stacked(rows, BOX);
        let top = rect.y + (rect.height - grid) / 2.0;
        for (index, &member) in block.members.iter().enumerate() {
            let (column, row) = ((index / rows) as f64, (index % rows) as f64);
            let x = rect.x + FRAME + column * (size + INNER_GAP);
            let y = top + row * (BOX + INNER_GAP);
            drawing.boxes.push(BoxShape { rect: Rect { x, y, width: size, height: BOX }, node: node(member) });
        }
    }

    fn arrow(&self, columns: &[Span], tops: &[f64], rects: &[Rect], link: &Link) -> Arrow {
        let (from, to) = (&rects[link.from], &rects[link.to]);
        let start = (from.x + from.width, self.start_height(from, link));
        let end = (to.x, to.y + to.height / 2.0 + self.apart(link.to, link.turned, false));
        // Lines run level where boxes and words are, and climb between.
        let (first, last) = (&columns[self.items[link.from].column], &columns[self.items[link.to].column]);
        // A step that is hardly one looks like a mistake.
        let end = if link.stops.is_empty() && (start.1 - end.1).abs() <= 3.0 { (end.0, start.1) } else { end };
        let mut points = vec![start, (first.right() + first.words + LEVEL, start.1)];
        for &stop in &link.stops {
            let span = &columns[self.items[stop].column];
            let y = tops[self.items[stop].band] + self.centres[stop];
            points.extend([(span.x - span.words_before, y), (span.right() + span.words, y)]);
        }
        points.extend([(last.x - last.words_before - LEVEL, end.1), end]);
        let [above, below] = words(link);
        let written = written(link);
        let at = match link.word {
            Word::None => None,
            Word::Left | Word::Lane => Some((start.0 + 5.0, start.1)),
            // The head of the arrow needs room.
            Word::Right => Some((end.0 - written - 6.0, end.1)),
        };
        let texts =
            at.into_iter().flat_map(|(x, y)| [Words { text: above.clone(), x, y: y - 5.0 }, Words { text: below.clone(), x, y: y + 12.0 }]);
        let texts = texts.filter(|words| !words.text.is_empty()).collect();
        let names = |block: usize| self.blocks[block].members.iter().map(|&member| self.graph.nodes[member].id.clone()).collect::<Vec<_>>();
        let labels =
            |block: usize| self.blocks[block].members.iter().map(|&member| self.graph.nodes[member].label.as_str()).collect::<Vec<_>>();
        let (mut ends, mut shown) = ((names(link.from), names(link.to)), (labels(link.from), labels(link.to)));
        if link.turned {
            points.reverse();
            ends = (ends.1, ends.0);
            shown = (shown.1, shown.0);
        }
        let says = |verbs: &[super::Verb], from: &[&str], to: &[&str]| {
            let verbs: Vec<&str> = verbs.iter().map(|verb| verb.label.as_str()).collect();
            format!("{} → {}: {}", from.join(", "), to.join(", "), verbs.join(", "))
        };
        let mut title = says(&link.verbs, &shown.0, &shown.1);
        if !link.back.is_empty() {
            title = format!("{title}; {}", says(&link.back, &shown.1, &shown.0));
        }
        let ids = |verbs: &[super::Verb]| verbs.iter().map(|verb| verb.id.clone()).collect();
        Arrow { from: ends.0, to: ends.1, verbs: ids(&link.verbs), verbs_back: ids(&link.back), points, words: texts, title }
    }

    /// Where an arrow leaves: in its lane, else in the middle.
    fn start_height(&self, rect: &Rect, link: &Link) -> f64 {
        let middle = rect.y + rect.height / 2.0;
        let lanes = &self.lanes[link.from];
        let Some(lane) = lanes.iter().position(|lane| *lane == lane_of(link)) else {
            return middle + self.apart(link.from, link.turned, true);
        };
        let all: f64 = lanes.iter().map(lane_height).sum();
        let before: f64 = lanes[..lane].iter().map(lane_height).sum();
        middle - all / 2.0 + before + LANE_LINE
    }

    /// Arrows that begin and arrows that end on one side of a block are kept apart, or nobody could tell which line has the head.
    fn apart(&self, block: usize, turned: bool, right: bool) -> f64 {
        let mut of_side = self.links.iter().filter(|link| if right { link.from == block } else { link.to == block });
        if of_side.all(|link| link.turned == turned) {
            0.0
        } else if turned == right {
            6.0
        } else {
            -6.0
        }
    }
}
